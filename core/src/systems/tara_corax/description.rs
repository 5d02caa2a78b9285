//! Tara-Corax: Rounds of Marks, rolls against Evade, health in points.

use super::rules::MarkRules;
use crate::fields::keys;
use crate::fight::check::CheckKind;
use crate::fight::health::HealthModel;
use crate::fight::initiative::{LastResort, Vocabulary};
use crate::fight::system::{Clock, Pools, System, Words, actions};
use crate::names::Synonyms;

/// Tara-Corax.
pub static TARA_CORAX: System = System {
    name: keys::TARA[0],
    title: "Tara-Corax",
    clock: Clock::Marks,
    clock_name: "marks",
    clock_about: "a Round is 30 Marks, counted down; a combatant acts at the Mark it has rolled, and actions take Marks",
    turns: &[
        ["unit", "combatant"],
        [
            "key",
            "the Score: the Marks of a Round left, each of them a moment",
        ],
        ["when", "round"],
        ["next", "high"],
        [
            "after",
            "cost: a turn moves the Score down by the Marks it takes",
        ],
        ["budget", "the Marks of the Score, and Units of Land Speed"],
        [
            "`like`",
            "not possible: the Marks of one action overlap with those of others",
        ],
    ],
    check: CheckKind::RollOver,
    health: HealthModel::Points,
    pools: Pools::Plain,
    tasks: false,
    ties: Vocabulary {
        traits: ["agility", "intellect"],
        last: &[LastResort::Simultaneous],
        why_not: "a tie is one of Marks, not of rolls: expected \"simultaneous\", or nothing",
    },
    of_rating: |rating| [rating, rating],
    words: Words {
        round: "Round",
        moment: "mark",
        step: "Mark",
        ward: "armour",
        botches: "botches",
    },
    length: "marks",
    about: "Tara-Corax counts each Round down from Mark 30. The Initiative Score is the Mark at which \
            a combatant first acts and the Marks it can spend. Moving costs 1 Mark a Unit; actions \
            cost by category:",
    costs: &[
        ["free", "0", "a CAR move, a reaction"],
        ["quarter", "5", "set, draw, stand, charge"],
        ["half", "10", "drinking a potion, sheathe"],
        [
            "full",
            "15",
            "an attack action, casting; always allowed as the first action of a Round",
        ],
    ],
    rulings: MarkRules::RULINGS,
    actions: ACTIONS,
    synonyms: SYNONYMS,
    topic: "costs",
    starter: include_str!("template.toml"),
};

/// Words of other games for words of this one.
const SYNONYMS: &Synonyms = &[
    ("evade", "ac armor_class armour_class defence defense dodge"),
    ("armor", "soak"),
    ("attributes.agility", "dex dexterity agi reflexes quickness"),
    ("attributes.intellect", "int wis wits intelligence wisdom"),
    ("attacks", "attacks_per_round rate_of_fire rof"),
    ("casting_time", "cast_time"),
    ("set", "aim steady"),
    ("delay", "hold hold_action"),
    ("marks", "action_points ap"),
];

actions! {
    ACTIONS:
    "attack [TARGET] [with WEAPON]" "Full"
        "an enemy in reach or range, no Set needed, an attack action left (TC-8, TC-9, TC-10); without `with`, the first weapon that can";
    "desperate [TARGET] [with WEAPON]" "Full"
        "a ranged attack that a plain shot would need Set for (TC-11)";
    "set" "Quarter" "something is un-set (TC-9, TC-10)";
    "advance [N] [to D] [TARGET]" "1 Mark a Unit"
        "Land Speed left, farther from the target than its reach (or than D) (W-3, TC-6)";
    "retreat [N] [to D] [TARGET]" "1 Mark a Unit"
        "Land Speed left, not against the wall (and nearer to the target than D)";
    "cast SPELL [TARGET]" "Full" "a target in range; not casting (TC-12)";
    "channel SPELL [TARGET] [until CONDITION]" "all Marks"
        "nothing done this Round (TC-15); the condition breaks it";
    "combat_cast advance|retreat [TARGET]" "free" "while casting, once a spell (TC-14)";
    "car [TARGET]" "free"
        "an enemy within the Combat Action Radius, once a Round (TC-16); also answers an enemy that moves inside it";
    "charge [TARGET] [with WEAPON]" "Quarter"
        "a target not yet in reach, by a move within the Land Speed left, once a Round (TC-17)";
    "use ITEM [TARGET]" "the item's" "uses left, and a target in range";
    "draw WEAPON" "Quarter"
        "it is neither in hand nor dropped; with all `hands` full, the first other weapon in hand is dropped (TC-5)";
    "sheathe WEAPON" "Half" "it is in hand; it can be drawn again (TC-5)";
    "stand" "Quarter" "prone";
    "wait K" "K Marks, no action" "Marks left; K from 1 to `round_marks`, 30 by default (TC-23)";
    "delay up|down" "half the Score" "asked only when the Score is rolled (TC-4)";
    "flee" "as `retreat`"
        "an `arena` or `exits`: it runs from the nearest enemy, and there is out of the fight (W-10)";
    "surrender" "nothing" "always: out of the fight (W-10)";
    "pass" "the rest of the Round" "always";
    "anytime ACTION" "free"
        "ACTION is free: `use` of an item that costs nothing, `car` or `combat_cast`. Asked after every event and whenever a Mark has passed, not only when it is free to decide; not while channelling, not at Mark 0 (W-8)";
}
