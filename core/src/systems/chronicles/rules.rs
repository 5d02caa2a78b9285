//! The rulings of Chronicles, each an option of `[rules]` with the rule book's default.

use super::description::CHRONICLES;
use crate::dice::pool::Again;
use crate::fields::checks;
use crate::fields::rulings::{KeyRow, Values, kind, rulings};
use crate::fight::initiative::{LastResort, Ties};
use crate::fight::turns::TurnOrder;
use crate::names::named;

named! {
    /// The consequence for a declared action that an interrupt has made impossible (CD-4).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Lost {
        /// The action is lost.
        Lost "lost";
        /// The action finds another target by the same rule (W-4); without one it is lost.
        Retarget "retarget";
        /// The action was not taken, and the combatant may take another.
        Kept "kept";
    }
}

rulings! {
    /// All options of `[rules]`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct OrderRules {
        dice "initiative.dice" (dice)
            "what is added to the rating: any dice notation, such as 2d6 or 1d12-1 (CD-1)";
        ties "initiative.ties" (ties of CHRONICLES Ties::new(&[0], LastResort::RollOff))
            "what decides between equal totals: by default rating, roll-off; also dexterity, composure (CD-1)";
        share "initiative.share" (share)
            "who acts on one initiative, that of the first of them who stands (MA-1)";
        every_round "initiative.roll" ["per-scene", "per-round"] "when initiative is rolled (CD-1)";
        delays "delays" (bool true) "whether a `delay` is ever legal (CD-2)";
        readies "readies" (bool true) "whether a `ready` is ever legal (CD-3)";
        yields_ask_again "yield" ["committed", "ask-again"]
            "whether those who come in together all come in at once, or only the first while the others are asked again after its turn (CD-2)";
        early_trigger_adds "early_trigger" ["replaces", "adds"]
            "whether an action readied in the Round before, triggered before its place comes up, takes the place of this Round's turn (CD-3)";
        lost_actions "lost_actions" (Lost::Lost)
            "what becomes of a declared action that an interrupt has made impossible (CD-4)";
        regeneration_first "effects_first" ["ongoing", "regeneration"]
            "which effect comes first when a place comes up (CD-5)";
        worst_ongoing "ongoing" ["adds", "worst"] "whether ongoing damage from several sources adds up (CD-5)";
        constant_defence "defence" ["erodes", "constant"]
            "whether each attack takes one off Defence until it is whole again (CD-6)";
        again "again" (Again = Again::Ten, Values::OneOf(Again::NAMES), "10", checks::again)
            "from which face on a die is rolled again (CD-6)";
        dramatic_failure "dramatic_failure" (setback "none")
            "what a dramatic failure does besides failing: nothing, the next turn is lost, or dramatic_damage (CD-6)"
            and "dramatic_damage" "damage to oneself for a dramatic failure, without armour";
    }
    /// The order of turns, which a `[clock]` may change.
    pub turns: TurnOrder = TurnOrder::default();
}
