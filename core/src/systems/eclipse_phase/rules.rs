//! The rulings of Eclipse Phase, each an option of `[rules]` with the rule book's default.

use super::description::ECLIPSE_PHASE;
use crate::fields::rulings::{KeyRow, Values, kind, rulings};
use crate::fight::initiative::{LastResort, Ties};
use crate::names::named;

/// The most Phases of a turn, and the greatest Speed, that `[rules]` allows (EP-2).
pub const MOST_PHASES: u8 = 8;

named! {
    /// The share of its skill with which a combatant defends itself against shots (EP-9).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Shots {
        /// Half of the skill, rounded down.
        Half "half";
        /// The full skill.
        Full "full";
        /// No defence.
        None "none";
    }
}

named! {
    /// The rounding of a fifth of Intuition and Reflexes to a whole INIT (EP-1).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Rounding {
        /// Down.
        Down "down";
        /// Up.
        Up "up";
        /// To the nearest whole number; a fifth is never halfway.
        Nearest "nearest";
    }
}

impl Rounding {
    /// Returns a fifth of a sum.
    pub const fn fifth(self, sum: i64) -> i64 {
        let added = match self {
            Self::Down => 0,
            Self::Nearest => 2,
            Self::Up => 4,
        };
        (sum + added).div_euclid(5)
    }
}

rulings! {
    /// All options of `[rules]`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PhaseRules {
        fixed "initiative.mode" ["rolled", "fixed"] "whether a die is added to INIT (EP-1)";
        dice "initiative.dice" (dice)
            "what is added to the rating: any dice notation, such as 2d6 or 1d12-1 (EP-1)";
        ties "initiative.ties" (ties of ECLIPSE_PHASE Ties::new(&[], LastResort::Simultaneous))
            "what decides between equal totals: by default simultaneous; also rating (INIT), intuition, reflexes, roll-off (EP-1)";
        share "initiative.share" (share)
            "who acts on one initiative, that of the first of them who stands (MA-1)";
        per_speed "initiative.roll" ["per-turn", "per-speed"]
            "one die and Phases, or a die and an action for each point of Speed (EP-7)";
        rounding "initiative.rounding" (Rounding::Down)
            "how a fifth of Intuition and Reflexes is rounded to INIT (EP-1)";
        wound_initiative "initiative.wound" (i32 1 from 0 to 100) "what a wound takes off the total (EP-4)";
        phases "phases" (u8 4 from 1 to MOST_PHASES)
            "Action Phases of a turn, over which movement is spread (EP-2, EP-8)";
        most_speed "speed.max" (u8 4 from 1 to MOST_PHASES)
            "the greatest Speed; a combatant with more counts as having this (EP-2)";
        delays "delays" (bool true)
            "whether an action may be delayed; if not, a line that delays is never legal (EP-6)";
        quick_actions "quick_actions" (u8 3 from 0 to 16) "Quick Actions a stage (EP-3)";
        whole_movement "movement" ["spread", "whole"]
            "whether movement is spread over the Phases (or the actions), or made at any action (EP-8)";
        move_follows "move_follows" (bool false)
            "whether a move that has reached its goal goes on in later Phases if its target moves on (EP-8)";
        keeps_interrupted "interrupted" ["lost", "kept"]
            "the Complex Action of an attack that others have made impossible (EP-6)";
        wound_penalty "wound_penalty" (i64 10 from 0 to 100) "what a wound takes off every test (EP-9)";
        any_success_defends "defence" ["opposed", "success"]
            "whether Fray must roll no lower than the attack (a critical beats a plain success), or just succeed (EP-9)";
        fray_shots "fray_shots" (Shots::Half) "Fray against ranged and thrown weapons (EP-9)";
        plain_doubles "critical" ["ignores-armor", "none"]
            "what a success with doubles does (with \"none\" it is a plain success), unless a check says otherwise (EP-9)";
    }
}

impl PhaseRules {
    /// Returns the number of Phases of a turn.
    #[inline]
    pub(super) fn phases_of_a_turn(&self) -> u8 {
        if self.per_speed { 1 } else { self.phases }
    }
}
