//! The rulings of Tara-Corax, each an option of `[rules]` with the rule book's default.

use super::description::TARA_CORAX;
use std::collections::BTreeMap;

use super::fields::{MOST_ATTACKS, attack_actions, fizzle_chance, later};
use crate::dice::initiative::Explode;
use crate::fields::keys::MARK;
use crate::fields::rulings::{KeyRow, Values, kind, rulings};
use crate::fight::initiative::{LastResort, Ties};
use crate::fight::{Cost, Marks};
use crate::names::named;

named! {
    /// The kind of Round that is played (TC-7, TC-21).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Round {
        /// Everything happens at its own Mark.
        Full "full";
        /// Each combatant takes all actions at once, in order of Score.
        Simple "simple";
    }
}

named! {
    /// The number of which a delay takes half (TC-4).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum DelayHalf {
        /// The Score, capped, less the carried Marks.
        Score "score";
        /// The Initiative Roll: carried Marks are taken off the half.
        Roll "roll";
    }
}

named! {
    /// The actions that may take Marks from the next Score (TC-5, TC-12).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum CarryOver {
        /// Spells only.
        Casting "casting";
        /// Also a Full Action other than an attack, as the Round's first action.
        FullAction "full-action";
        /// Also a Half or Quarter Action other than a Set or a charge, begun with too few Marks.
        Any "any";
    }
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

rulings! {
    /// All options of `[rules]`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MarkRules {
        round "round" (Round::Full)
            "everything at its own Mark, or all actions at once in order of Score (TC-7, TC-21)";
        fixed "initiative.mode" ["rolled", "fixed"] "whether the Score has a die in it (TC-3)";
        dice "initiative.dice" (dice)
            "what is added to the rating: any dice notation, such as 2d6 or 1d12-1 (TC-3)";
        explode "initiative.explode" (Explode::Once)
            "whether the highest face of a single initiative die, a 10, is rolled again (TC-3)";
        ties "initiative.ties" (ties of TARA_CORAX Ties::new(&[0, 1, 2], LastResort::Simultaneous))
            "who comes first at a Mark: by default rating, agility, intellect, simultaneous (TC-20)";
        share "initiative.share" (share)
            "who acts on one initiative, that of the first of them who stands (MA-1)";
        delay_keeps_marks "initiative.delay_marks" ["halved", "kept"]
            "whether a delay halves the Marks to spend as well (TC-4)";
        delay_half "initiative.delay_half" (DelayHalf::Score)
            "a delay goes at half of the Score, or of the Initiative Roll before Marks carried over come off (TC-4)";
        carry_over "carry_over" (CarryOver::FullAction)
            "which actions take Marks they lack from the next Score: spells; other Full Actions too; or all but Set, attacks and moves (TC-5)";
        round_marks "round_marks" (Marks 30 from 10 to MOST_MARKS)
            "Marks in a Round, and so the highest Score (TC-1, TC-3)";
        quarter "costs.quarter" (Marks 5 from 1 to MOST_MARKS) "Marks of a Quarter Action (TC-5)";
        half "costs.half" (Marks 10 from 1 to MOST_MARKS) "Marks of a Half Action (TC-5)";
        full "costs.full" (Marks 15 from 1 to MOST_MARKS)
            "Marks of a Full Action, over which attacks are spaced (TC-5, TC-8, TC-12)";
        attack_actions "attack_actions" (u8 = 1, Values::Range(1, MOST_ATTACKS, &["any"]), "1", attack_actions)
            "attack actions a Round (TC-8)";
        offsets "attack_offsets" (BTreeMap<usize, Vec<u8>> = spaced_evenly(15), Values::Named(&Values::List(&MARK)), "even spacing", later)
            "Marks after the first at which each of n attacks comes (TC-8)";
        melee_unsets "melee_unsets" (bool true) "whether a melee attack un-sets a shooter (TC-10)";
        mover_shot_always "mover_shot" ["round", "always"]
            "whether a move spoils the next ranged attack in the same Round only, or whenever it comes (TC-11)";
        fizzle_chance "fizzle_chance" (u64 = ALWAYS, Values::Chance, "1", fizzle_chance)
            "chance that a hit which does damage fizzles a spell (TC-13)";
        starts_set_for_casting "combat_casting_set" ["always", "if-unset"]
            "whether Combat Casting needs a Set before the spell even of one whom nothing has un-set (TC-14)";
        channel_damage_breaks "channel_damage_breaks" (bool false) "whether damage breaks a Channel (TC-15)";
        car_per_round "car_per_round" (u8 1 from 0 to 30) "CAR moves a Round (TC-16)";
        car_counts_as_move "car_counts_as_move" (bool false) "whether CAR Units count against Land Speed (TC-16)";
        charges_per_round "charges_per_round" (u8 1 from 0 to 30) "charges a Round (TC-17)";
        counters_per_round "counters_per_round" (u8 1 from 0 to 30) "counters a Round (TC-18)";
        may_wait "wait" (bool true) "whether a combatant may wait (TC-23)";
    }
}

impl MarkRules {
    /// The costs of the categories of actions (TC-5).
    pub const fn costs(&self) -> Costs {
        Costs {
            quarter: self.quarter,
            half: self.half,
            full: self.full,
        }
    }
}

/// A fizzle chance of 1 in [`MarkRules::fizzle_chance`].
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
