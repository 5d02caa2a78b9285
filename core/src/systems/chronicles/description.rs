//! Chronicles: one order for the scene, delaying and readying, pools of successes.

use super::rules::OrderRules;
use crate::fields::keys;
use crate::fight::check::CheckKind;
use crate::fight::health::HealthModel;
use crate::fight::initiative::{LastResort, Vocabulary};
use crate::fight::system::{Clock, Pools, System, Words, actions};
use crate::names::Synonyms;

/// Chronicles.
pub static CHRONICLES: System = System {
    name: keys::CHRONICLES[0],
    title: "Chronicles",
    clock: Clock::Order,
    clock_name: "order",
    clock_about: "each acts once a Round, in an order that is rolled once and that delaying and readying change; a readied action interrupts",
    turns: &[
        ["unit", "combatant"],
        ["key", "1d10, added to Dexterity + Composure"],
        ["when", "scene"],
        ["next", "high"],
        ["ties", "rating, roll-off"],
        ["places", "1"],
        ["after", "spent"],
        ["budget", "{ action = 1 }, and up to `move` Units"],
        ["costs", "{ action = 1 } each; a move is free"],
        [
            "lines that move a place",
            "`delay`: after a later turn; `ready`: before the one that triggers it",
        ],
    ],
    check: CheckKind::Pool,
    health: HealthModel::Points,
    pools: Pools::Chronicles,
    tasks: false,
    ties: Vocabulary {
        traits: ["dexterity", "composure"],
        last: &[LastResort::RollOff],
        why_not: "the order is strict, without simultaneous turns (CD-1): expected \"roll-off\"",
    },
    of_rating: |rating| [rating, 0],
    words: Words {
        round: "Round",
        moment: "turn",
        step: "Unit",
        ward: "armour",
        botches: "fails dramatically",
    },
    length: "rounds",
    about: "In Chronicles a combatant acts once a Round, in an order that is rolled once for the scene: \
            Dexterity + Composure + 1d10. A turn is one action and up to `move` Units of movement, in pieces before and after. A delayer comes in after a later turn; a readied action interrupts when its trigger happens; both then keep the new place.",
    costs: &[],
    rulings: OrderRules::RULINGS,
    actions: ACTIONS,
    synonyms: SYNONYMS,
    topic: "what a turn is, triggers",
    starter: include_str!("template.toml"),
};

/// Words of other games for words of this one.
const SYNONYMS: &Synonyms = &[
    ("defence", "ac armor_class armour_class defense dodge"),
    ("attributes.dexterity", "dex agi agility reflexes"),
    ("attributes.composure", "com wits wis wisdom"),
    ("ready", "overwatch prepare"),
    ("delay", "wait hold hold_action"),
    ("ongoing", "bleeding burning poison"),
    ("again", "explode"),
];

actions! {
    ACTIONS:
    "attack [TARGET] [with WEAPON]" "the action"
        "an enemy in reach or range (CD-6); without `with`, the first weapon that can";
    "cast SPELL [TARGET]" "the action" "a target in range";
    "draw [WEAPON]" "the action" "it is not in hand; without WEAPON, the first that is not";
    "use ITEM [TARGET]" "the action" "uses left, and a target in range";
    "set" "nothing" "never: there is no un-setting";
    "stand" "the action" "prone";
    "ready ACTION when TRIGGER" "the action"
        "uses left for `use`, prone for `stand`, not in hand for `draw`, able to move for a move; all else, as a weapon in hand, is judged at the trigger (CD-3); its target is `trigger` unless it says otherwise";
    "delay [yield [N]] [until CONDITION]" "nothing yet"
        "nothing done this turn, not delayed this Round, another turn still to come (CD-2); the condition is asked after each";
    "advance [N] [to D] [TARGET]" "nothing"
        "Units of the turn left, farther from the target than its reach (or than D) (CD-7)";
    "retreat [N] [to D] [TARGET]" "nothing"
        "as for `advance`; not against the wall (and nearer to the target than D)";
    "cancel" "the readied action" "asked only when its trigger happens (CD-3)";
    "flee" "as `retreat`"
        "an `arena` or `exits`: it runs from the nearest enemy, and there is out of the fight (W-10)";
    "surrender" "nothing" "always: out of the fight (W-10)";
    "pass" "the rest of the turn" "always";
}
