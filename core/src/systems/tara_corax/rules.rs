//! The rulings of Tara-Corax, each an option of `[rules]` with the rule book's default.

use std::collections::BTreeMap;

use crate::dice::initiative::Explode;
use crate::fields::rules;
use crate::fight::initiative::{Dice, LastResort, Ties};
use crate::fight::{Cost, Marks};

/// The kind of Round that is played (TC-7, TC-21).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Round {
    /// Everything happens at its own Mark.
    Full,
    /// Each combatant takes all actions at once, in order of Score.
    Simple,
}

/// The source of the Score (TC-3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Initiative {
    /// The characteristic and dice. The highest face of a single die may add more.
    Rolled(Dice, Explode),
    /// The "very simple" mode: no die.
    Fixed,
}

/// The number of which a delay takes half (TC-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DelayHalf {
    /// The Score, capped, less the carried Marks.
    Score,
    /// The Initiative Roll: carried Marks are taken off the half.
    Roll,
}

/// The actions that may take Marks from the next Score (TC-5, TC-12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CarryOver {
    /// Spells only.
    Casting,
    /// Also a Full Action other than an attack, as the Round's first action.
    FullAction,
    /// Also a Half or Quarter Action other than a Set or a charge, begun with too few Marks.
    Any,
}

/// The most Marks that a Round may have, and that an action may cost.
pub const MOST_MARKS: Marks = 60;

/// The costs of the categories of actions, in Marks (TC-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Costs {
    /// A Quarter Action.
    pub quarter: Marks,
    /// A Half Action.
    pub half: Marks,
    /// A Full Action.
    pub full: Marks,
}

impl Costs {
    /// The values of the rule book.
    pub const DEFAULT: Self = Self {
        quarter: 5,
        half: 10,
        full: 15,
    };

    /// Returns the Marks that an action of this category costs.
    #[inline]
    pub const fn of(&self, cost: Cost) -> Marks {
        match cost {
            Cost::Free => 0,
            Cost::Quarter => self.quarter,
            Cost::Half => self.half,
            Cost::Full => self.full,
        }
    }
}

rules! {
    /// All options of `[rules]`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Rules {
        /// `round`.
        pub round: Round = Round::Full,
        /// `round_marks`: Marks in a Round (TC-1).
        pub round_marks: Marks = 30,
        /// `costs` (TC-5).
        pub costs: Costs = Costs::DEFAULT,
        /// `initiative.mode`, `initiative.dice` and `initiative.explode`.
        pub initiative: Initiative = Initiative::Rolled(Dice::D10, Explode::Once),
        /// `initiative.ties`: the order of combatants at a Mark (TC-20).
        pub ties: Ties = Ties::new(&[0, 1, 2], LastResort::Simultaneous),
        /// `initiative.share`: sets of combatants that act on one initiative (MA-1).
        pub share: Vec<u64> = Vec::new(),
        /// `initiative.delay_marks`: whether a delay halves the Marks to spend too (TC-4).
        pub delay_halves_marks: bool = true,
        /// `initiative.delay_half` (TC-4).
        pub delay_half: DelayHalf = DelayHalf::Score,
        /// `carry_over` (TC-5).
        pub carry_over: CarryOver = CarryOver::FullAction,
        /// `attack_actions`: attack actions a Round, `u8::MAX` for any number (TC-8).
        pub attack_actions: u8 = 1,
        /// `melee_unsets` (TC-10).
        pub melee_unsets: bool = true,
        /// `mover_shot = "always"`: a move spoils the next ranged attack in a later Round too (TC-11).
        pub mover_shot_always: bool = false,
        /// `fizzle_chance` in parts of 2^32: a hit fizzles a spell when 32 fair bits are below it (TC-13).
        pub fizzle_chance: u64 = ALWAYS,
        /// `combat_casting_set = "if-unset"`: all combatants start Set for Combat Casting too (TC-14).
        pub starts_set_for_casting: bool = false,
        /// `channel_damage_breaks` (TC-15).
        pub channel_damage_breaks: bool = false,
        /// `car_per_round` (TC-16).
        pub car_per_round: u8 = 1,
        /// `car_counts_as_move` (TC-16).
        pub car_counts_as_move: bool = false,
        /// `charges_per_round` (TC-17).
        pub charges_per_round: u8 = 1,
        /// `counters_per_round` (TC-18).
        pub counters_per_round: u8 = 1,
        /// `attack_offsets`: spacing of attacks, by their number (TC-8).
        pub offsets: BTreeMap<usize, Vec<u8>> = spaced_evenly(Costs::DEFAULT.full),
        /// `wait`: whether a combatant may wait (TC-23).
        pub may_wait: bool = true,
    }
}

/// A fizzle chance of 1 in [`Rules::fizzle_chance`].
pub const ALWAYS: u64 = 1 << 32;

/// Returns the table of TC-8: attacks spaced evenly over the Marks of a Full Action, to the nearest Mark, with half a
/// Mark rounded down. With 15 Marks the attacks are 7, 5, 4 and 3 apart; the text's chart has a slip in its fourth row.
pub(super) fn spaced_evenly(full: Marks) -> BTreeMap<usize, Vec<u8>> {
    (1..=5_u8)
        .map(|attacks| {
            let (full, attacks) = (full as u8, attacks);
            let spacing = (2 * full).saturating_sub(attacks).div_ceil(2 * attacks);
            let offsets = (0..attacks).map(|attack| attack * spacing.max(1));
            (attacks.into(), offsets.collect())
        })
        .collect()
}
