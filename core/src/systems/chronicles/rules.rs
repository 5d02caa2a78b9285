//! The rulings of Chronicles, each an option of `[rules]` with the rule book's default.

use crate::fields::rules;
use crate::fight::health::Setback;
use crate::fight::initiative::{Dice, LastResort, Ties};

/// The consequence for a declared action that an interrupt has made impossible (CD-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lost {
    /// The action is lost.
    Lost,
    /// The action finds another target by the same rule (W-4); without one it is lost.
    Retarget,
    /// The action was not taken, and the combatant may take another.
    Kept,
}

rules! {
    /// All options of `[rules]`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Rules {
        /// `initiative.roll = "per-round"` (CD-1).
        pub every_round: bool = false,
        /// `initiative.dice` (CD-1).
        pub dice: Dice = Dice::D10,
        /// `initiative.ties`: they always end with a roll-off (CD-1).
        pub ties: Ties = Ties::new(&[0], LastResort::RollOff),
        /// `initiative.share`: sets of combatants that act on one initiative (MA-1).
        pub share: Vec<u64> = Vec::new(),
        /// `delays` (CD-2).
        pub delays: bool = true,
        /// `readies` (CD-3).
        pub readies: bool = true,
        /// `yield = "ask-again"` (CD-2).
        pub yields_ask_again: bool = false,
        /// `early_trigger = "adds"` (CD-3).
        pub early_trigger_adds: bool = false,
        /// `lost_actions` (CD-4).
        pub lost_actions: Lost = Lost::Lost,
        /// `effects_first = "regeneration"` (CD-5).
        pub regeneration_first: bool = false,
        /// `ongoing = "worst"` (CD-5).
        pub worst_ongoing: bool = false,
        /// `defence = "constant"` (CD-6).
        pub constant_defence: bool = false,
        /// `dramatic_failure` (CD-6).
        pub dramatic_failure: Setback = Setback::Nothing,
    }
}
