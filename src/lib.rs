//! skirmish plays a tabletop fight millions of times and shows how the rules decide it, with error bars.
//!
//! This is the program as a library. The README and `docs/` explain the rule systems and the scenario
//! format; this page leads through the code.
//!
//! # A guided tour
//!
//! Data flows one way. Text becomes a [`Scenario`](scenario::Scenario), or a list of all its errors. Each variant of a
//! scenario is a [`Fight`](fight::Fight) with its rulings. A [`Player`](run::Player) plays encounters of it,
//! [`run`](run::runner::run) many of them on several threads. The result is a [`Tally`](tally::Tally) of counts, from
//! which [`stats`] derives estimates.
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
//! let tally = runner::run(&player, &base.fight, 0..1000, NonZeroUsize::MIN, &never, &())?;
//! assert_eq!(tally.encounters(), 1000);
//!
//! // A rate never goes without its interval.
//! let interval = of_rate(tally.wins(0), tally.encounters(), Confidence::DEFAULT).expect("some encounters");
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
//! - reading files and reporting errors: [`scenario`], [`policy`];
//! - the compiled fight and its changing state: [`fight`];
//! - the parts of an encounter that all rule systems share: [`sim`]; the clocks: [`systems`];
//! - the dice, and why two variants share them: [`chance`];
//! - one encounter and many: [`run`];
//! - counts and estimates: [`tally`], [`stats`];
//! - tables, files and pages: [`output`];
//! - questions as plain data and their typed answers: [`task`].
//!
//! Only `cli` prints, and the library works without it (`default-features = false`). The feature `odds` adds questions
//! about dice alone, `playground` the questions of the page in `web/`.

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "odds")]
pub mod odds;
#[cfg(feature = "odds")]
pub mod options;
pub mod output;
#[cfg(feature = "playground")]
pub mod playground;
mod question;
mod report;
pub mod task;

use skirmish_core::wrap;
pub use skirmish_core::{
    chance, clean, decimal, dice, document, exact, fields, fight, names, policy, run, scenario,
    sim, stats, systems, tally,
};
