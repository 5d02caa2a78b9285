//! The rulings of Mage, each an option of `[rules]` with the rule book's default.

use super::description::MAGE;
use super::fields::roll;
use crate::dice::extended::OnBotch;
use crate::dice::pool::{Botch, Ones, Tens};
use crate::fields::rulings::{KeyRow, Values, kind, rulings};
use crate::fight::health::Diminished;
use crate::fight::initiative::{LastResort, Ties};
use crate::names::named;

named! {
    /// The yards that cost a die each, once a move goes beyond the free half (MA-5).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum PerYard {
        /// Those beyond it.
        Beyond "beyond";
        /// All.
        All "all";
        /// None.
        None "none";
    }
}

named! {
    /// The pool that is divided when several feats share an action (MA-3).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Division {
        /// Penalties come off each pool, then the smallest is divided.
        AfterPenalties "after";
        /// The smallest pool is divided, then penalties come off each part.
        BeforePenalties "before";
    }
}

named! {
    /// The effect of a failed roll to go beyond one's endurance on this turn's rates (MA-6).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Exhaustion {
        /// Half of the rates.
        Half "half";
        /// No movement this turn.
        Stop "stop";
        /// No effect.
        Nothing "none";
    }
}

named! {
    /// The effect of a botched roll to go beyond one's endurance (MA-6).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Collapse {
        /// No more movement in this encounter.
        ForGood "collapse";
        /// No movement this turn.
        Stop "stop";
        /// No movement this turn, and the combatant lies on the ground.
        Trip "trip";
    }
}

named! {
    /// How often a point of Willpower may buy a sure success (MD-4).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Willpower {
        /// Once a turn.
        PerTurn "per-turn";
        /// Once an action.
        PerAction "per-action";
    }
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

rulings! {
    /// All options of `[rules]`, and those of `[encounter]` that belong to them.
    #[derive(Debug, Clone, PartialEq)]
    pub struct TurnRules {
        dice "initiative.dice" (dice)
            "what is added to the rating: any dice notation, such as 2d6 or 1d12-1 (MA-1)";
        ties "initiative.ties" (ties of MAGE Ties::new(&[0, 1, 2], LastResort::Simultaneous))
            "what decides between equal totals: by default rating, wits, dexterity, simultaneous; or roll-off at the end (MA-1)";
        once_a_scene "initiative.roll" (bool = false, Values::OneOf(&["per-turn", "per-scene"]), "per-turn", roll)
            "when initiative is rolled (MA-2)";
        share "initiative.share" (share)
            "who acts on one initiative, that of the first of them who stands (MA-1)";
        per_yard "per_yard" (PerYard::Beyond)
            "whether yards beyond the free half cost a die each, or then all yards do, or no yard does (MA-5)";
        division "divide" (Division::AfterPenalties)
            "whether penalties come off each pool before the smallest is divided, or off each part (MA-3)";
        endurance_turns "endurance_turns" (i32 10 from 0 to 1000)
            "turns at full speed for each point of Stamina (MA-6)";
        every_move "endurance.every_move" (bool false)
            "whether every move takes a roll once endurance is spent, or one beyond half of its rate (MA-6)";
        exhaustion "exhaustion" (Exhaustion::Half)
            "what a failed roll beyond endurance does to this turn's rates (MA-6)";
        exhaustion_botch "exhaustion_botch" (Collapse::ForGood)
            "what a botched one does: no more movement, none this turn, or none and one lies on the ground (MA-6)";
        attack_botch "attack_botch" (setback "nothing")
            "what a botched attack costs: nothing but the attack, the next turn, or attack_botch_damage (MD-2)"
            and "attack_botch_damage" "damage to oneself for a botched attack, without soak";
        climb_feet "climb_feet" (i64 10 from 1 to 100)
            "feet for each success in climbing: 15 to 20 where it is easy, 5 where it is hard (MA-4)";
        willpower "willpower" (Willpower::PerTurn)
            "how often a point of Willpower may buy a sure success (MD-4)";
        tens "tens" (Tens::Explode) "what 10s do (MD-1)";
        ones "ones" (Ones::Cancel) "whether a 1 takes a success away (MD-1)";
        ones_on_explosion "ones_on_explosion" (Ones::Cancel) "whether a 1 on an extra die does (MD-1)";
        botch "botch" (Botch::OnesExceed) "what makes a botch (MD-2)";
        magick_botch "magick.botch" (setback "paradox")
            "what a botched effect costs besides Paradox: nothing, the next turn, or botch_damage (MD-6)"
            and "magick.botch_damage" "damage to oneself for a botched effect, without soak";
        diminished "magick.diminished" (Diminished::Half)
            "damage of an effect with some successes, but fewer than required; half is rounded down (MD-3)";
        ritual_botch "magick.ritual_botch" (OnBotch::Ends) "what a botch does to a ritual (MD-7)";
        difficulty_step "magick.difficulty_step" (u32 0 from 0 to 9)
            "difficulty that a ritual's roll which adds nothing adds to the next, up to 10 (MD-7)";
        paradox_once "magick.paradox" ["each", "once"]
            "whether a ritual costs Paradox with each roll or once (MD-7)";
        backlash "magick.paradox_backlash" (setback "none")
            "what Paradox that reaches paradox_threshold does: nothing, it costs the next turn, or does paradox_damage (MD-6)"
            and "magick.paradox_damage" "damage to oneself for a backlash, without soak";
        paradox_threshold "magick.paradox_threshold" (u32 5 from 1 to 1000)
            "Paradox at which it strikes back, and by which it goes down then (MD-6)";
        damage_interrupts "magick.damage_interrupts" (bool true) "whether damage breaks a ritual off";
    }
    /// `encounter.strenuous`: all movement strains (MA-6).
    pub strenuous: bool = false;
    /// `encounter.sleepers` (MD-5).
    pub sleepers: Sleepers = Sleepers::Never;
}
