//! Mage: turns in order of initiative, Storyteller pools, a track of health levels.

use super::rules::TurnRules;
use crate::fields::keys;
use crate::fight::check::CheckKind;
use crate::fight::health::HealthModel;
use crate::fight::initiative::{LastResort, Vocabulary};
use crate::fight::system::{Clock, Pools, System, Words, actions};
use crate::names::Synonyms;

/// Mage.
pub static MAGE: System = System {
    name: keys::MAGE[0],
    title: "Mage",
    clock: Clock::Turns,
    clock_name: "turns",
    clock_about: "each acts once a turn, in order of initiative, which is rolled every turn or once",
    turns: &[
        ["unit", "combatant"],
        ["key", "1d10, added to Dexterity + Wits"],
        ["when", "round"],
        ["next", "high; those who are equal act at once"],
        ["ties", "none"],
        ["places", "1"],
        ["after", "spent"],
        [
            "budget",
            "{ action = 1 }, more with `extra_actions`; an action may hold several feats (MA-3)",
        ],
        [
            "costs",
            "{ action = 1 } each; half of a full move is free, and each yard beyond takes a die",
        ],
    ],
    check: CheckKind::Pool,
    health: HealthModel::Track,
    pools: Pools::OfTraits,
    tasks: false,
    ties: Vocabulary {
        traits: ["wits", "dexterity"],
        last: &[LastResort::Simultaneous, LastResort::RollOff],
        why_not: "",
    },
    of_rating: |rating| [rating / 2, rating - rating / 2],
    words: Words {
        round: "Turn",
        moment: "initiative",
        step: "yard",
        ward: "soak",
        botches: "botches",
    },
    length: "rounds",
    about: "In Mage a combatant acts once a turn, in order of initiative: Dexterity + Wits + 1d10. It \
            may move before its action and after it; up to half of its running speed costs nothing, \
            each yard beyond takes a die off the action's pool. Several feats may share an action, \
            for which the smallest of their pools is divided.",
    costs: &[],
    rulings: TurnRules::RULINGS,
    actions: ACTIONS,
    synonyms: SYNONYMS,
    topic: "what an action is",
    starter: include_str!("template.toml"),
};

/// Words of other games for words of this one.
const SYNONYMS: &Synonyms = &[
    ("evade", "ac armor_class armour_class defence defense dodge"),
    ("attributes.dexterity", "dex agi agility reflexes"),
    ("attributes.wits", "wit intuition composure"),
    ("attributes.stamina", "sta con constitution toughness"),
    ("attributes.strength", "str"),
    ("attributes.intelligence", "int intellect"),
    ("attributes.perception", "per wis wisdom"),
    ("attributes.charisma", "cha"),
    ("skills", "abilities talents"),
    ("magick.paradox_backlash", "paradox_backlash backlash"),
    ("magick.difficulty_step", "difficulty_step"),
    ("move", "run"),
    ("speed", "actions actions_per_turn"),
    ("extra_actions", "celerity"),
    ("turn", "round"),
    ("yards", "moved_units"),
    ("pass", "wait hold"),
];

actions! {
    ACTIONS:
    "attack [TARGET] [with WEAPON]" "an action"
        "an enemy in reach or range, a die left of the pool (MA-5); without `with`, the first weapon that can; `with willpower` after it buys a sure success (MD-4)";
    "cast SPELL [TARGET]" "an action"
        "a target in range, a die left of the pool (MD-5); goes on with a ritual that is under way (MD-7); `with willpower` as for `attack`";
    "draw [WEAPON]" "an action, or turns"
        "it is not in hand; without WEAPON, the first that is not; with `ready_turns`, a whole turn each (MA-3)";
    "use ITEM [TARGET]" "an action" "uses left, and a target in range";
    "set" "nothing" "never: there is no un-setting";
    "stand" "an action" "prone";
    "advance [MODE] [N] [to D] [TARGET]" "nothing, or to climb an action"
        "yards of the mode's rate left, after an action of the free half (MA-4, MA-5); farther from the target than its reach (or than D)";
    "retreat [MODE] [N] [to D] [TARGET]" "nothing, or to climb an action"
        "as for `advance`; not against the wall (and nearer to the target than D)";
    "flee [MODE]" "as `retreat`"
        "an `arena` or `exits`: it runs from the nearest enemy, and there is out of the fight (W-10)";
    "surrender" "nothing" "always: out of the fight (W-10)";
    "pass" "the rest of the turn" "always";
}
