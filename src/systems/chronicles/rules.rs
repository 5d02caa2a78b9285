//! The rulings of Chronicles, each an option of `[rules]` with the rule book's default.

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

/// All options of `[rules]`.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own, with two values"
)]
pub struct Rules {
    /// `initiative.roll = "per-round"` (CD-1).
    pub every_round: bool,
    /// `initiative.dice` (CD-1).
    pub dice: Dice,
    /// `initiative.ties`: they always end with a roll-off (CD-1).
    pub ties: Ties,
    /// `delays` (CD-2).
    pub delays: bool,
    /// `readies` (CD-3).
    pub readies: bool,
    /// `yield = "ask-again"` (CD-2).
    pub yields_ask_again: bool,
    /// `early_trigger = "adds"` (CD-3).
    pub early_trigger_adds: bool,
    /// `lost_actions` (CD-4).
    pub lost_actions: Lost,
    /// `effects_first = "regeneration"` (CD-5).
    pub regeneration_first: bool,
    /// `ongoing = "worst"` (CD-5).
    pub worst_ongoing: bool,
    /// `defence = "constant"` (CD-6).
    pub constant_defence: bool,
    /// `dramatic_failure` (CD-6).
    pub dramatic_failure: Setback,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            every_round: false,
            dice: Dice::D10,
            ties: Ties::new(&[0], LastResort::RollOff),
            delays: true,
            readies: true,
            yields_ask_again: false,
            early_trigger_adds: false,
            lost_actions: Lost::Lost,
            regeneration_first: false,
            worst_ongoing: false,
            constant_defence: false,
            dramatic_failure: Setback::Nothing,
        }
    }
}
