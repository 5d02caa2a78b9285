//! The description of a rule system: its clock, check, health model, words and rulings. The list of systems is
//! [`SYSTEMS`](crate::systems::SYSTEMS).

use super::check::CheckKind;
use super::health::HealthModel;
use super::initiative::Vocabulary;
use crate::document::format::KeyRow;
use crate::names::Synonyms;

/// The rules for when combatants act and what acting costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Clock {
    /// Rounds of 30 Marks, counted down: [`tara_corax`](crate::systems::tara_corax).
    Marks,
    /// Turns in order of initiative: [`mage`](crate::systems::mage).
    Turns,
    /// Turns in one order for the scene, which can be interrupted: [`chronicles`](crate::systems::chronicles).
    Order,
    /// Action Turns of four Phases: [`eclipse_phase`](crate::systems::eclipse_phase).
    Phases,
    /// Turns as the scenario's `[clock]` says: [`own`](crate::systems::own).
    Own,
}

/// A set of clocks: those on which an action, a variable or a metric means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clocks(u8);

impl Clocks {
    /// Rounds of Marks alone.
    pub const MARKS: Self = Self::only(Clock::Marks);
    /// Turns alone.
    pub const TURNS: Self = Self::only(Clock::Turns);
    /// Action Turns of four Phases alone.
    pub const PHASES: Self = Self::only(Clock::Phases);
    /// One order for the scene, and clocks of one's own, which begin with it.
    pub const ORDER: Self = Self::only(Clock::Order).with(Self::OWN);
    /// Clocks of one's own alone.
    pub const OWN: Self = Self::only(Clock::Own);
    /// Clocks on which a combatant has one turn, at its place in the order.
    pub const BY_TURN: Self = Self::TURNS.with(Self::ORDER);
    /// Clocks on which a spell may take so long that it can be broken off.
    pub const SLOW_SPELLS: Self = Self::MARKS.with(Self::TURNS);
    /// Clocks that count turns by that name.
    pub const BY_TURN_OR_PHASE: Self = Self::TURNS.with(Self::PHASES);
    /// Clocks on which a combatant's turn is over before another's begins, or interrupted by it.
    pub const TAKING_TURNS: Self = Self(Self::ALL.0 & !Self::MARKS.0);
    /// Clocks on which a combatant may delay.
    pub const DELAYING: Self = Self::ORDER.with(Self::PHASES);
    /// All clocks, present and future.
    pub const ALL: Self = Self(u8::MAX);

    /// The set with one clock.
    pub const fn only(clock: Clock) -> Self {
        Self(1 << clock as u8)
    }

    /// The union of two sets.
    pub const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether the set has a clock.
    #[inline]
    pub const fn has(self, clock: Clock) -> bool {
        self.meets(Self::only(clock))
    }

    /// Whether all of its clocks are among others.
    #[inline]
    pub const fn are_among(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }

    /// Whether the two have a clock in common.
    #[inline]
    pub const fn meets(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

/// An action of policy lines, as a designer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    /// How a line with it is written; `[...]` may be left out.
    pub syntax: &'static str,
    /// Its cost.
    pub cost: &'static str,
    /// When it is legal.
    pub legal: &'static str,
}

impl Action {
    /// The first word of the line.
    pub fn name(&self) -> &'static str {
        self.syntax.split(' ').next().unwrap_or_default()
    }
}

/// The terms of a system.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// What `max_rounds` counts: `Round`, `Turn`.
    pub round: &'static str,
    /// What orders the moments within a Round, in machine-readable output: `mark`, `initiative`.
    pub moment: &'static str,
    /// The cost of a step: `Mark`, `yard`.
    pub step: &'static str,
    /// What takes damage off: `armour`, `soak`.
    pub ward: &'static str,
    /// The verb for a roll that is worse than a failure: `botches`.
    pub botches: &'static str,
}

/// How pools of dice are written and read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pools {
    /// A number of dice (MD-1).
    Plain,
    /// A number of dice or a sum of traits (MD-4); each extra success adds damage.
    OfTraits,
    /// Chance dice and dice that are rolled again (CD-6); each success adds damage.
    Chronicles,
}

/// A rule system.
#[derive(Debug)]
pub struct System {
    /// As a scenario's `system` names it.
    pub name: &'static str,
    /// As people name it.
    pub title: &'static str,
    /// Its clock.
    pub clock: Clock,
    /// The name of the clock.
    pub clock_name: &'static str,
    /// When combatants act, in a sentence.
    pub clock_about: &'static str,
    /// Its turns in the words of `[clock]`: keys and values.
    pub turns: &'static [[&'static str; 2]],
    /// How an attempt is made unless `rules.check` says otherwise.
    pub check: CheckKind,
    /// How health is counted unless `rules.health` says otherwise.
    pub health: HealthModel,
    /// How its pools are written.
    pub pools: Pools,
    /// Whether it has Task Actions in the place of spells (EP-3).
    pub tasks: bool,
    /// The words that `initiative.ties` may use.
    pub ties: Vocabulary,
    /// Returns the two traits of `ties` for a rating that a scenario writes outright.
    pub of_rating: fn(i64) -> [i64; 2],
    /// Its terms.
    pub words: Words,
    /// The metric for the length of an encounter, as finely as the clock measures it.
    pub length: &'static str,
    /// The costs of actions, in a paragraph.
    pub about: &'static str,
    /// Categories of cost, if it has them: name, price and example.
    pub costs: &'static [[&'static str; 3]],
    /// Its options of `[rules]`, without those that all systems have.
    pub rulings: &'static [KeyRow],
    /// The actions of its policy lines.
    pub actions: &'static [Action],
    /// Words of other games for its keys, actions and variables, besides those that all systems share.
    pub synonyms: &'static Synonyms,
    /// A few words on what `skirmish explain` says about it besides its rulings.
    pub topic: &'static str,
    /// A scenario to start from, in which `TITLE` stands for a title and `RULINGS` for a comment that lists the
    /// rulings.
    pub starter: &'static str,
}

impl PartialEq for System {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for System {}

/// A list of actions: syntax, cost, and when it is legal.
macro_rules! actions {
    ($list:ident: $($syntax:literal $cost:literal $legal:literal;)+) => {
        const $list: &[$crate::fight::system::Action] = &[$($crate::fight::system::Action {
            syntax: $syntax,
            cost: $cost,
            legal: $legal,
        }),+];
    };
}

pub(crate) use actions;
