//! The picture of an encounter as plain data in moments, without pixels.

use crate::fight::system::Clock;
use crate::fight::{Marks, Units};
use std::ops::Range;

/// A place in time, from the beginning of the encounter.
///
/// On the clock of Marks a tick is a Mark, one more to a Round than it has Marks (31 by the text): events at
/// Mark 0 still belong to the Round (TC-1). On other clocks it is a column: one action, or several
/// simultaneous ones.
pub type Tick = u32;

/// The kind of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// A Mark, and the number of Marks in a Round.
    Marks(Marks),
    /// Room for one thing that is done.
    Columns,
}

impl Measure {
    /// How a fight with these rulings is measured. In a Simple Round all actions come at one Mark, one
    /// after the other (TC-21).
    #[must_use]
    pub fn of(rules: &crate::systems::Rules) -> Self {
        use crate::systems::Rules;
        use crate::systems::tara_corax::rules::Round;
        match rules {
            Rules::Marks(rules) if rules.round == Round::Full => Self::Marks(rules.round_marks),
            _ => Self::Columns,
        }
    }

    /// Whether a tick is a Mark.
    #[must_use]
    pub const fn is_marks(self) -> bool {
        matches!(self, Self::Marks(_))
    }
}

/// An encounter, ready to be laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// The kind of a tick.
    pub measure: Measure,
    /// Whose clock it is.
    pub clock: Clock,
    /// The Rounds, one after the other, without gaps.
    pub rounds: Vec<Round>,
    /// Phases within them, if there are any.
    pub phases: Vec<Heading>,
    /// Turns and stages within them, where ticks are columns.
    pub stages: Vec<Heading>,
    /// A lane for each combatant, in file order.
    pub lanes: Vec<Lane>,
    /// The blocks, in order.
    pub blocks: Vec<Block>,
    /// The arrows, in order.
    pub arrows: Vec<Arrow>,
    /// What else has to be seen.
    pub notes: Vec<Note>,
    /// Who is interrupted, and how long.
    pub pauses: Vec<Pause>,
    /// Where it ends.
    pub end: Tick,
}

/// A Round, or turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// From 1.
    pub number: u32,
    /// Its ticks; there is at least one.
    pub ticks: Range<Tick>,
    /// The event that says that Sleepers watch in it, if they do (MD-5).
    pub watched: Option<usize>,
}

/// A stretch within a Round that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its ticks; there is at least one.
    pub ticks: Range<Tick>,
    /// What stands over it.
    pub label: String,
}

/// What goes on with a combatant all the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    /// Health from a tick on; the first is that with which it enters.
    pub health: Vec<(Tick, i32)>,
    /// Where it stands at a tick; between two of them it walks. The first is where it enters.
    pub positions: Vec<(Tick, Units)>,
    /// Where its Scores lie, if it has any: tick and Score.
    pub scores: Vec<(Tick, i32)>,
    /// When it enters the fight, if it does.
    pub begins: Option<Tick>,
    /// When it fell or left the fight, and the event that says so.
    pub ended: Option<(Tick, usize)>,
}

/// An action of a combatant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Whose doing.
    pub who: usize,
    /// What kind of thing.
    pub kind: Deed,
    /// From when to when; at an instant the two are the same.
    pub ticks: Range<Tick>,
    /// Its labels, the longest first: the first that fits is taken.
    pub labels: Vec<String>,
    /// Its events, by index, in order.
    pub events: Vec<usize>,
}

/// Kinds of things that are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deed {
    /// Attacks.
    Attack,
    /// A walk.
    Move,
    /// A move into reach as a free action, at once (TC-16).
    Car,
    /// A charge (TC-17).
    Charge,
    /// A spell from its beginning on, a Channel, a ritual.
    Cast,
    /// Getting ready: a Set, drawing a weapon, standing up.
    Prepare,
    /// An item is used.
    Use,
    /// Work at a task.
    Work,
    /// Marks are let pass.
    Wait,
    /// An action is readied, delayed or held.
    Ready,
    /// Ongoing damage, regeneration.
    Upkeep,
    /// A lost action.
    Lost,
}

impl Deed {
    /// Whether it keeps one busy until one is free again, where things take Marks.
    pub(super) const fn lasts(self) -> bool {
        matches!(
            self,
            Self::Attack
                | Self::Charge
                | Self::Cast
                | Self::Prepare
                | Self::Use
                | Self::Work
                | Self::Wait
        )
    }

    /// Whether the next of the same kind goes on with it.
    pub(super) const fn goes_on(self) -> bool {
        matches!(self, Self::Move | Self::Wait | Self::Upkeep)
    }
}

/// An attack or spell, from one to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrow {
    /// Whose.
    pub who: usize,
    /// At whom, if at anybody.
    pub target: Option<usize>,
    /// When.
    pub at: Tick,
    /// What with.
    pub means: Means,
    /// What came of it.
    pub outcome: Outcome,
    /// How many it stands for.
    pub count: usize,
    /// The damage that it did, if it did any.
    pub damage: Option<i32>,
    /// The block that it belongs to; a counter has none.
    pub block: Option<usize>,
    /// Its events, by index, in order.
    pub events: Vec<usize>,
}

/// The means of an action against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Means {
    /// A weapon.
    Weapon,
    /// A weapon, in answer to a miss (TC-18).
    Counter,
    /// A spell, or the end of a task.
    Spell,
}

/// What came of an attack or spell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It hit.
    Hit,
    /// It missed.
    Miss,
    /// It would have hit, and was turned aside (EP-9).
    TurnedAside,
    /// The Round had no Mark left for it (TC-8).
    Forfeited,
    /// It found no target (W-4).
    NoTarget,
    /// A hit broke it off before it took effect (TC-13).
    Fizzled,
}

/// Something that is seen on a lane for a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Whose lane.
    pub who: usize,
    /// When.
    pub at: Tick,
    /// The event.
    pub event: usize,
}

/// The time in which a combatant is interrupted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// Who.
    pub who: usize,
    /// How long.
    pub ticks: Range<Tick>,
}

impl Timeline {
    /// Whether anybody ever moves.
    #[must_use]
    pub fn anybody_moves(&self) -> bool {
        self.lanes.iter().any(|lane| lane.positions.len() > 1)
    }
}

impl Lane {
    /// Health at the beginning of a tick.
    #[must_use]
    pub fn health_at(&self, tick: Tick) -> i32 {
        let before = self.health.iter().take_while(|(at, _)| *at < tick);
        let (_, health) = before
            .last()
            .or(self.health.first())
            .copied()
            .unwrap_or_default();
        health
    }

    /// Whether it is in the fight at the beginning of a tick.
    #[must_use]
    pub fn stands_at(&self, tick: Tick) -> bool {
        let has_begun = self.begins.is_some_and(|at| at <= tick);
        has_begun && self.ended.is_none_or(|(at, _)| at >= tick)
    }
}
