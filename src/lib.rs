//! skirmish plays a tabletop fight millions of times and tells a game designer, with honest
//! intervals, what the rules do to it.
//!
//! This is the program as a library. What it plays and how to write scenarios is told in the README
//! and in `docs/`; here is the way through the code.
//!
//! # A guided tour
//!
//! The way is one-way. Text becomes a [`Scenario`](scenario::Scenario), or a list of everything that
//! is wrong with it. Each of its variants is a [`Fight`](fight::Fight) and the rulings it is played
//! by. A [`Player`](run::Player) plays encounters of it, [`run`](run::runner::run) many of them
//! on several threads. What comes out is a [`Tally`](tally::Tally): counts, and nothing but counts.
//! [`stats`] says what they allow one to say.
//!
//! ```
//! use skirmish::run::{Player, runner};
//! use skirmish::sim::{Event, Moment, Observer};
//! use skirmish::scenario::Scenario;
//! use skirmish::stats::Confidence;
//! use skirmish::stats::intervals::of_rate;
//! use std::num::NonZeroUsize;
//! use std::sync::atomic::AtomicBool;
//!
//! let text = r#"
//!     system = "tara-corax"
//!
//!     [weapons.club]
//!     kind = "melee"
//!     check = { dice = "2d10" }
//!     damage = "1d6"
//!
//!     [[combatants]]
//!     name = "ogre"
//!     side = "left"
//!     position = 0
//!     attributes = { agility = 8, intellect = 6 }
//!     move = 10
//!     evade = 8
//!     health = 20
//!     weapons = ["club"]
//!     policy = "fight"
//!
//!     [[combatants]]
//!     name = "goblin"
//!     side = "right"
//!     position = 6
//!     attributes = { agility = 14, intellect = 8 }
//!     move = 12
//!     evade = 14
//!     health = 10
//!     weapons = ["club"]
//!     policy = "fight"
//!
//!     [policies]
//!     fight = ["attack", "set if not ready", "advance"]
//! "#;
//! let loaded = Scenario::parse("ogre.toml", text, &[])?;
//! assert!(loaded.warnings.is_empty());
//! let base = &loaded.scenario.variants[0];
//!
//! // A thousand encounters of seed 1, on one thread. On seven it would be the same thousand.
//! let player = Player::new(&base.fight, &base.rules, 1);
//! let never = AtomicBool::new(false);
//! let (tally, played) =
//!     runner::run(&player, &base.fight, 0..1000, NonZeroUsize::MIN, &never, &())?;
//! assert_eq!(played, 1000);
//! assert_eq!(tally.wins(0) + tally.wins(1) + tally.mutuals() + tally.timeouts(), 1000);
//!
//! // A rate never goes without its interval.
//! let interval = of_rate(tally.wins(0), played, Confidence::DEFAULT).expect("some encounters");
//! assert!(interval.low < 0.5 && 0.3 < interval.high);
//!
//! // Any of them can be watched again.
//! #[derive(Default)]
//! struct Falls(u32);
//!
//! impl Observer for Falls {
//!     fn event(&mut self, _: Moment, event: Event) {
//!         self.0 += u32::from(matches!(event, Event::Fall { .. }));
//!     }
//!
//!     fn die(&mut self, _: usize, _: skirmish::chance::Purpose, _: u32, _: u32) {}
//! }
//!
//! let mut falls = Falls::default();
//! let record = player.show(17, &mut falls);
//! assert_eq!(falls.0, 1);
//! assert_eq!(record.combatants.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From here:
//!
//! - how a file is read, and what is said about mistakes: [`scenario`], [`policy`];
//! - what a fight is, and what of it changes: [`fight`];
//! - what the rule systems share in an encounter: [`sim`]; who acts when, and what that costs: [`systems`];
//! - where luck comes from, and why two variants share it: [`chance`];
//! - one encounter and many: [`run`];
//! - what is counted, and what the counts say: [`tally`], [`stats`];
//! - what a run leaves: [`output`]. Nothing below [`cli`] prints.

pub mod chance;
pub mod clean;
pub mod cli;
pub mod decimal;
pub mod dice;
pub mod fight;
pub mod names;
pub mod output;
pub mod policy;
pub mod run;
pub mod scenario;
pub mod shard;
pub mod sim;
pub mod stats;
pub mod systems;
pub mod tally;
