//! A game of one's own: checks and health as the scenario says, and the turns of its `[clock]`. Without `like` it begins
//! with the turns of [Chronicles](super::chronicles), whose clock plays it.

use super::CHRONICLES;
use crate::fields::keys;
use crate::fight::check::CheckKind;
use crate::fight::system::{Clock, System, Words, actions};
use crate::names::Synonyms;

/// A game of one's own.
pub static OWN: System = System {
    name: keys::OWN[0],
    title: "Own rules",
    clock: Clock::Own,
    clock_name: "own",
    clock_about: "turns as `[clock]` says: who holds a place, what orders the places, which is next, and what becomes of a used one",
    turns: &[],
    check: CheckKind::RollOver,
    words: Words {
        botches: "fumbles",
        ..CHRONICLES.words
    },
    about: "In a game of one's own, checks, health and turns are what the scenario says. Unless it says otherwise, \
            a check rolls dice against a number, health is points, and each combatant has one turn a Round, in an order \
            that is rolled once: one action and up to `move` Units of movement. `[clock]` changes \
            the turns; its `budget` and `costs` change what a turn holds and what actions take of it.",
    rulings: &[],
    actions: ACTIONS,
    synonyms: SYNONYMS,
    topic: "the keys of `[clock]`, what a turn is",
    starter: include_str!("template.toml"),
    ..CHRONICLES
};

/// Games that people know, each as a name, a title and a scenario to begin a game of one's own with.
pub const TEMPLATES: &[(&str, &str, &str)] = &[
    ("d20", "d20 rules", include_str!("d20.toml")),
    (
        "three-actions",
        "three-action rules",
        include_str!("three-actions.toml"),
    ),
    (
        "old-school",
        "old-school rules",
        include_str!("old-school.toml"),
    ),
    ("ticks", "rules with ticks", include_str!("ticks.toml")),
    ("cards", "rules with cards", include_str!("cards.toml")),
];

/// Words of other games for words of this one.
const SYNONYMS: &Synonyms = &[
    ("ready", "overwatch prepare"),
    ("delay", "wait hold hold_action"),
    ("swap", "trade exchange"),
    ("pick", "choose name nominate hand_over"),
];

actions! {
    ACTIONS:
    "attack [TARGET] [with WEAPON]" "the action"
        "an enemy in reach or range; without `with`, the first weapon that can";
    "cast SPELL [TARGET]" "the action" "a target in range";
    "draw [WEAPON]" "the action" "it is not in hand; without WEAPON, the first that is not";
    "use ITEM [TARGET]" "the action" "uses left, and a target in range";
    "set" "nothing" "never: there is no un-setting";
    "stand" "the action" "prone";
    "ready ACTION when TRIGGER" "the action" "as in Chronicles (CD-3)";
    "delay [yield [N]] [until CONDITION]" "nothing yet" "as in Chronicles (CD-2)";
    "advance [N] [to D] [TARGET]" "nothing"
        "Units of the turn left, farther from the target than its reach (or than D)";
    "retreat [N] [to D] [TARGET]" "nothing"
        "as for `advance`; not against the wall (and nearer to the target than D)";
    "cancel" "the readied action" "asked only when its trigger happens (CD-3)";
    "pick [TARGET]" "nothing"
        "asked only when it may say who is next, about those who may be (`clock.next`, `clock.unit`)";
    "seize [for TRAIT]" "nothing, or a point of the trait"
        "asked when an enemy would have the next turn, and its own is still to come: it goes first";
    "declare ACTION" "nothing"
        "asked as a Round begins where `clock.declare` says so: an attack, a spell, a thing to use, drawing, getting up or `pass`, the first of these lines that is possible then, or else that holds; or `declare KIND`, the name of a kind of turn";
    "swap [TARGET]" "nothing"
        "asked only when keys are new, in order: both then stand in one another's place, each in one swap at most; a joker's condition stays with the one who drew it";
    "react ACTION when TRIGGER" "nothing"
        "outside its turn, when the trigger happens and the action is possible; its target is `trigger` unless it says otherwise";
    "flee" "as `retreat`"
        "an `arena` or `exits`: it runs from the nearest enemy, and there is out of the fight (W-10)";
    "surrender" "nothing" "always: out of the fight (W-10)";
    "pass" "the rest of the turn" "always";
}
