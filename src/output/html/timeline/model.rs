//! The picture of an encounter as plain data in moments, without pixels.

use crate::fight::{Marks, Units};
use crate::sim::events::ActionKind;
use std::ops::Range;

/// A moment, counted from the beginning of the encounter.
///
/// On the clock of Marks a tick is a Mark. A Round has one more tick than Marks (31 by the text), because events at
/// Mark 0 still belong to the Round (TC-1). On other clocks a tick is a column: one action, or several simultaneous
/// ones.
pub type Tick = u32;

/// The kind of a tick.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Measure {
    /// A Mark; holds the number of Marks in a Round.
    Marks(Marks),
    /// A column: room for one action.
    #[default]
    Columns,
}

impl Measure {
    /// Returns the kind of ticks of a fight with these rulings. In a Simple Round all actions happen at one Mark, one
    /// after the other (TC-21).
    pub fn of(rules: &crate::systems::Rules) -> Self {
        use crate::systems::Rules;
        use crate::systems::tara_corax::rules::Round;
        match rules {
            Rules::Marks(rules) if rules.round == Round::Full => Self::Marks(rules.round_marks),
            _ => Self::Columns,
        }
    }

    /// Whether a tick is a Mark.
    pub const fn is_marks(self) -> bool {
        matches!(self, Self::Marks(_))
    }
}

/// An encounter, ready for layout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The kind of a tick.
    pub measure: Measure,
    /// The Rounds, in order and without gaps.
    pub rounds: Vec<Round>,
    /// Phases within the Rounds, if there are any.
    pub phases: Vec<Heading>,
    /// Turns and stages within the Rounds, if ticks are columns.
    pub stages: Vec<Heading>,
    /// A lane for each combatant, in file order.
    pub lanes: Vec<Lane>,
    /// The blocks, in order.
    pub blocks: Vec<Block>,
    /// The arrows, in order.
    pub arrows: Vec<Arrow>,
    /// Other events to show.
    pub notes: Vec<Note>,
    /// The times in which combatants are interrupted, or have a condition.
    pub states: Vec<LastingState>,
    /// The end of the encounter.
    pub end: Tick,
}

/// A Round or a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// The number, from 1.
    pub number: u32,
    /// Its ticks; there is at least one.
    pub ticks: Range<Tick>,
    /// The event by which Sleepers watch in this Round, if they do (MD-5).
    pub watched: Option<usize>,
}

/// A named stretch within a Round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its ticks; there is at least one.
    pub ticks: Range<Tick>,
    /// The name, which is written above.
    pub label: String,
}

/// The state of a combatant over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    /// Health from a tick on. The first entry is the health with which the combatant enters.
    pub health: Vec<(Tick, i32)>,
    /// Position at a tick; between two entries the combatant walks. The first entry is the position at which it enters.
    pub positions: Vec<(Tick, Units)>,
    /// Tick and value of each Score, if the combatant has any.
    pub scores: Vec<(Tick, i32)>,
    /// The tick at which the combatant enters the fight, if it does.
    pub begins: Option<Tick>,
    /// The tick at which the combatant fell or left the fight, and the event of it.
    pub ended: Option<(Tick, usize)>,
}

/// An action of a combatant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Index of the combatant.
    pub who: usize,
    /// The kind of action.
    pub kind: ActionKind,
    /// The first tick, and the tick after the last; equal for an instant.
    pub ticks: Range<Tick>,
    /// Its labels, the longest first. The first label that fits is used.
    pub labels: Vec<String>,
    /// Its events, by index, in order.
    pub events: Vec<usize>,
}

/// An attack or a spell, from one combatant to another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arrow {
    /// Index of the attacker.
    pub who: usize,
    /// Index of the target, if there is one.
    pub target: Option<usize>,
    /// The tick.
    pub at: Tick,
    /// The action.
    pub kind: ActionKind,
    /// The result.
    pub outcome: Outcome,
    /// Number of attacks that the arrow stands for.
    pub count: usize,
    /// The damage dealt, if any.
    pub damage: Option<i32>,
    /// Index of its block. A counter has none, nor has a spell that fizzles after the Round of its block, if ticks are
    /// columns.
    pub block: Option<usize>,
    /// Its events, by index, in order.
    pub events: Vec<usize>,
}

/// The result of an attack or a spell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It hit.
    #[default]
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

/// An event that is shown on a lane for a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Index of the combatant.
    pub who: usize,
    /// The tick.
    pub at: Tick,
    /// Index of the event.
    pub event: usize,
}

/// A time in which a combatant is interrupted, or has a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastingState {
    /// Index of the combatant.
    pub who: usize,
    /// The ticks.
    pub ticks: Range<Tick>,
    /// Index of the condition; `None` for an interruption.
    pub condition: Option<u8>,
    /// The events by which a condition begins, lasts on and ends.
    pub events: Vec<usize>,
}

impl Timeline {
    /// Whether any combatant ever moves.
    pub fn anybody_moves(&self) -> bool {
        self.lanes.iter().any(|lane| lane.positions.len() > 1)
    }
}

impl Arrow {
    /// Whether it stands for attacks with a weapon, and not for a spell, an item or the end of a task.
    pub const fn is_by_weapon(&self) -> bool {
        use ActionKind::{Attack, Charge, Counter};
        matches!(self.kind, Attack | Charge | Counter)
    }
}

impl Lane {
    /// Returns the health at the beginning of a tick.
    pub fn health_at(&self, tick: Tick) -> i32 {
        let before = self.health.iter().take_while(|(at, _)| *at < tick);
        let last = before.last().or(self.health.first());
        last.map_or(0, |(_, health)| *health)
    }

    /// Whether the combatant is in the fight at the beginning of a tick.
    pub fn stands_at(&self, tick: Tick) -> bool {
        let has_begun = self.begins.is_some_and(|at| at <= tick);
        has_begun && self.ended.is_none_or(|(at, _)| at >= tick)
    }
}
