//! The rulings of Mage, each an option of `[rules]` with the rule book's default.

use crate::dice::extended::OnBotch;
use crate::fields::rules;
use crate::fight::health::{Diminished, Setback};
use crate::fight::initiative::{Dice, LastResort, Ties};

/// The yards that cost a die each, once a move goes beyond the free half (MA-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PerYard {
    /// Those beyond it.
    Beyond,
    /// All.
    All,
    /// None.
    None,
}

/// The pool that is divided when several feats share an action (MA-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Division {
    /// Penalties come off each pool, then the smallest is divided.
    AfterPenalties,
    /// The smallest pool is divided, then penalties come off each part.
    BeforePenalties,
}

/// The effect of a failed roll to go beyond one's endurance on this turn's rates (MA-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exhaustion {
    /// Half of the rates.
    Half,
    /// No movement this turn.
    Stop,
    /// No effect.
    Nothing,
}

/// The effect of a botched roll to go beyond one's endurance (MA-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Collapse {
    /// No more movement in this encounter.
    ForGood,
    /// No movement this turn.
    Stop,
    /// No movement this turn, and the combatant lies on the ground.
    Trip,
}

/// How often a point of Willpower may buy a sure success (MD-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Willpower {
    /// Once a turn.
    PerTurn,
    /// Once an action.
    PerAction,
}

/// Whether Sleepers watch (MD-5).
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sleepers {
    /// In no turn.
    #[default]
    Never,
    /// In every turn.
    Always,
    /// In each turn with a chance, in parts of 2^32.
    Chance(u64),
}

rules! {
    /// Options of `[rules.magick]`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Magick {
        /// `botch` and `botch_damage`.
        pub botch: Setback = Setback::Nothing,
        /// `diminished`, for effects that do not say otherwise (MD-3).
        pub diminished: Diminished = Diminished::Half,
        /// `ritual_botch` (MD-7).
        pub ritual_botch: OnBotch = OnBotch::Ends,
        /// `difficulty_step`: the increase of difficulty after a roll that adds nothing (MD-7).
        pub difficulty_step: u32 = 0,
        /// `paradox = "once"`: a ritual costs its Paradox one time (MD-7).
        pub paradox_once: bool = false,
        /// `paradox_backlash` and `paradox_damage` (MD-6).
        pub backlash: Setback = Setback::Nothing,
        /// `paradox_threshold`: the Paradox that causes a backlash (MD-6).
        pub paradox_threshold: u32 = 5,
        /// `damage_interrupts`: whether damage breaks a ritual off.
        pub damage_interrupts: bool = true,
    }
}

rules! {
    /// All options of `[rules]`, and those of `[encounter]` that belong to them.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Rules {
        /// `initiative.roll = "per-scene"` (MA-2).
        pub once_a_scene: bool = false,
        /// `initiative.dice` (MA-1).
        pub dice: Dice = Dice::D10,
        /// `initiative.ties` (MA-1).
        pub ties: Ties = Ties::new(&[0, 1, 2], LastResort::Simultaneous),
        /// `initiative.share`: sets of combatants that act on one initiative (MA-1).
        pub share: Vec<u64> = Vec::new(),
        /// `per_yard` (MA-5).
        pub per_yard: PerYard = PerYard::Beyond,
        /// `divide` (MA-3).
        pub division: Division = Division::AfterPenalties,
        /// `endurance_turns`: turns at full speed for each point of Stamina (MA-6).
        pub endurance_turns: i32 = 10,
        /// `endurance.every_move`: once endurance is spent, even the shortest walk takes a roll (MA-6).
        pub every_move: bool = false,
        /// `exhaustion` (MA-6).
        pub exhaustion: Exhaustion = Exhaustion::Half,
        /// `exhaustion_botch` (MA-6).
        pub exhaustion_botch: Collapse = Collapse::ForGood,
        /// `attack_botch` and `attack_botch_damage` (MD-2).
        pub attack_botch: Setback = Setback::Nothing,
        /// `climb_feet`: feet for each success in climbing (MA-4).
        pub climb_feet: i64 = 10,
        /// `encounter.strenuous`: all movement strains (MA-6).
        pub strenuous: bool = false,
        /// `encounter.sleepers` (MD-5).
        pub sleepers: Sleepers = Sleepers::Never,
        /// `willpower` (MD-4).
        pub willpower: Willpower = Willpower::PerTurn,
        /// `magick`.
        pub magick: Magick = Magick::default(),
    }
}
