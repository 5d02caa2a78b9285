//! The state of an encounter: plain data.

use super::trigger::KINDS;
use crate::fight::MOST_ONGOING;
use crate::fight::budget::{Amounts, Budget};
use crate::sim::prelude::*;
use serde::{Deserialize, Serialize};

/// What this clock adds to the state of an encounter. There are no ties on it, so no damage is pending.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct OrderState {
    /// The number of turns begun this Round.
    pub(super) turn: i32,
    /// The combatants whose turn an early trigger has taken and whose new place is still to come this Round, with its
    /// effects alone (CD-5).
    pub(super) effects_due: u64,
    /// The combatants that wait to come in (CD-2).
    pub(super) delaying: u64,
    /// The combatants that have come in and not had their turn yet. Their turns are next (CD-2).
    pub(super) coming: u64,
    /// The combatants with a readied action (CD-3).
    pub(super) readied: u64,
    /// For each kind of event, the combatants whose readied action waits for it. It may still hold combatants whose
    /// readied action is gone.
    pub(super) awaited: [u64; KINDS],
    /// The combatants whose effects have happened this Round (CD-5).
    pub(super) settled: u64,
    /// The combatants that have fallen since readied actions were last checked for falls (CD-3).
    pub(super) fallen: u64,
    /// Whether any combatant has hurt an enemy yet.
    pub(super) blood: bool,
    /// The part of the Round under way, where `[clock]` gives it several.
    pub(super) part: u8,
    /// How many of the hazards with a place in the order have struck in this Round.
    pub(super) struck: u16,
    /// The places that sides have not used yet, where any member takes one.
    pub(super) slots: u64,
    /// The combatant that had the last turn, where it names the next.
    pub(super) last: Option<u8>,
    /// Whether an end token has been drawn in this Round.
    pub(super) ended: bool,
    /// The side that had the last turn of this part of the Round, where sides alternate.
    pub(super) last_side: Option<u8>,
}

/// The progress of an action. Other combatants may interrupt before each step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Doing {
    /// Free to decide.
    #[default]
    Free,
    /// In the middle of a move, between two Units.
    Walking,
    /// About to move a Unit.
    Stepping,
    /// An action is declared and not yet carried out; the index is that of its policy line.
    Declared(Deed, u16),
    /// The action is over.
    Over,
}

/// The state of one combatant on this clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct OrderActor {
    pub(super) flags: Flags,
    /// Units moved this turn (CD-7).
    pub(super) moved: Units,
    /// How often it has paid for `move` Units this turn, where these have a price.
    pub(super) walks: u8,
    /// What it has spent of the resources of a turn, where `[clock]` says what that holds.
    pub(super) spent: Amounts,
    /// Time that its actions of this turn have taken.
    pub(super) time: u32,
    /// The move of this turn that is under way.
    pub(super) moving: Option<MoveInProgress>,
    /// The readied move that is under way, and the Units spent on it. They do not count as Units of a turn (CD-3).
    pub(super) readied_move: Option<(MoveInProgress, Units)>,
    /// The combatant that triggered its readied action.
    pub(super) trigger: u8,
    /// Index among the decisions of the line by which it delays or has readied an action.
    pub(super) line: u16,
    /// What it has declared for this Round.
    pub(super) declared: Declaration,
    /// Index among its `react` lines of the one that it follows now, from 1; else 0.
    pub(super) reaction: u16,
    /// The number of attacks that its Defence has been used against since it was last restored (CD-6).
    pub(super) fended: i32,
    /// The ongoing damage of each of the next Rounds (CD-5).
    pub(super) ongoing: [u16; MOST_ONGOING],
}

/// What a combatant has declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(super) struct Declaration {
    /// The number of the line, from 1: of its `declare` lines or, if it has none, of its decisions; 0 for none.
    pub(super) line: u16,
    /// The weapon of an attack.
    pub(super) weapon: u8,
}

impl OrderActor {
    /// Restores the resources that a turn restores.
    #[cold]
    #[inline(never)]
    pub(super) fn restore(&mut self, budget: &Budget) {
        (self.walks, self.time) = (0, 0);
        for (spent, of_round) in self.spent.iter_mut().zip(budget.of_round) {
            if !of_round {
                *spent = 0;
            }
        }
    }
}
