//! The rulings of Eclipse Phase, each an option of `[rules]` with the rule book's default.

use crate::fields::rules;
use crate::fight::initiative::{Dice, LastResort, Ties};

/// The most Phases of a turn, and the greatest Speed, that `[rules]` allows (EP-2).
pub const MOST_PHASES: u8 = 8;

/// The share of its skill with which a combatant defends itself against shots (EP-9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shots {
    /// Half of the skill, rounded down.
    Half,
    /// The full skill.
    Full,
    /// No defence.
    None,
}

/// The rounding of a fifth of Intuition and Reflexes to a whole INIT (EP-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Down.
    Down,
    /// Up.
    Up,
    /// To the nearest whole number; a fifth is never halfway.
    Nearest,
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

rules! {
    /// All options of `[rules]`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Rules {
        /// `initiative.mode = "fixed"`: no die (EP-1).
        pub fixed: bool = false,
        /// `initiative.dice` (EP-1).
        pub dice: Dice = Dice::D10,
        /// `initiative.ties` (EP-1).
        pub ties: Ties = Ties::new(&[], LastResort::Simultaneous),
        /// `initiative.share`: sets of combatants that act on one initiative (MA-1).
        pub share: Vec<u64> = Vec::new(),
        /// `initiative.roll = "per-speed"`: a die and an action for each point of Speed (EP-7).
        pub per_speed: bool = false,
        /// `initiative.rounding`: of INIT, where it is derived from attributes (EP-1).
        pub rounding: Rounding = Rounding::Down,
        /// `initiative.wound`: the penalty of a wound to the total (EP-4).
        pub wound_initiative: i32 = 1,
        /// `phases`: Action Phases of a turn (EP-2).
        pub phases: u8 = 4,
        /// `speed.max`: the greatest Speed; a greater Speed counts as this (EP-2).
        pub most_speed: u8 = 4,
        /// `delays`: whether an action may be delayed (EP-6).
        pub delays: bool = true,
        /// `quick_actions`: Quick Actions a stage (EP-3).
        pub quick_actions: u8 = 3,
        /// `movement = "whole"`: a combatant has a turn's movement whenever it acts (EP-8).
        pub whole_movement: bool = false,
        /// `move_follows`: a move that has reached its goal continues when its target moves on (EP-8).
        pub move_follows: bool = false,
        /// `interrupted = "kept"`: an attack that has become impossible costs no Complex Action (EP-6).
        pub keeps_interrupted: bool = false,
        /// `wound_penalty`: the penalty of a wound to every test (EP-9).
        pub wound_penalty: i64 = 10,
        /// `defence = "success"`: any success of Fray defends (EP-9).
        pub any_success_defends: bool = false,
        /// `fray_shots` (EP-9).
        pub fray_shots: Shots = Shots::Half,
    }
}
