//! Eclipse Phase: Action Turns of four Phases, percentile tests, health in points with wounds.

use super::rules::PhaseRules;
use crate::fields::keys;
use crate::fight::check::CheckKind;
use crate::fight::health::HealthModel;
use crate::fight::initiative::{LastResort, Vocabulary};
use crate::fight::system::{Clock, Pools, System, Words, actions};
use crate::names::Synonyms;

/// Eclipse Phase.
pub static ECLIPSE_PHASE: System = System {
    name: keys::ECLIPSE[0],
    title: "Eclipse Phase",
    clock: Clock::Phases,
    clock_name: "phases",
    clock_about: "a turn has four Phases, in each of which those who are fast enough act in order of initiative; a delayed action may interrupt others",
    turns: &[
        ["unit", "combatant"],
        ["key", "1d10, added to INIT, less wounds as they are taken"],
        ["when", "round"],
        [
            "next",
            "high; those who are equal act at once; a point of Moxie goes first",
        ],
        ["ties", "none"],
        ["places", "Speed: the first of four Phases"],
        ["after", "spent"],
        [
            "budget",
            "a Complex Action and Quick Actions; moves are spread over the Phases",
        ],
        ["lines out of turn", "`delay`, then `interrupt` or `hold`"],
    ],
    check: CheckKind::Percentile,
    health: HealthModel::Points,
    pools: Pools::Plain,
    tasks: true,
    ties: Vocabulary {
        traits: ["intuition", "reflexes"],
        last: &[LastResort::Simultaneous, LastResort::RollOff],
        why_not: "",
    },
    of_rating: |rating| [5 * rating - 5 * rating / 2, 5 * rating / 2],
    words: Words {
        round: "Turn",
        moment: "initiative",
        step: "Unit",
        ward: "armour",
        botches: "botches",
    },
    length: "rounds",
    about: "In Eclipse Phase an Action Turn has four Phases; a combatant of Speed s has a place in the \
            first s of them, at INIT + 1d10 less its wounds, the highest first. At its place it may take \
            Quick Actions and a Complex one, or work at a task, or delay: a delayed action may interrupt others. Movement takes no action and is spread over the Phases. A point of Moxie \
            goes first.",
    costs: &[],
    rulings: PhaseRules::RULINGS,
    actions: ACTIONS,
    synonyms: SYNONYMS,
    topic: "what a stage is",
    starter: include_str!("template.toml"),
};

/// Words of other games for words of this one.
const SYNONYMS: &Synonyms = &[
    (
        "fray",
        "ac armor_class armour_class dodge defence defense parry",
    ),
    ("attributes.reflexes", "dex ref agi agility dexterity"),
    ("attributes.intuition", "int wis wits wisdom"),
    ("health", "durability dur"),
    ("wound_threshold", "wt threshold"),
    ("tasks", "spells task_actions"),
    ("speed", "actions actions_per_turn"),
    ("moxie", "luck fate fate_points"),
    ("delay", "wait overwatch ready hold_action"),
    ("turn", "action_turn"),
];

actions! {
    ACTIONS:
    "attack [TARGET] [with WEAPON]" "the Complex Action"
        "an enemy in reach or range, not prone (EP-3); without `with`, the first weapon that can";
    "use ITEM [TARGET]" "a Quick Action, or the Complex one" "uses left, and a target in range";
    "draw [WEAPON]" "a Quick Action" "it is not in hand; without WEAPON, the first that is not";
    "set" "nothing" "never: there is no un-setting";
    "stand" "a Quick Action" "prone";
    "quick draw|use|stand ..." "a Quick Action"
        "as without `quick`; an item must be quick to use (EP-3)";
    "task TASK [TARGET]" "the stage's actions"
        "it is not done; no Quick or Complex Action taken in this stage (EP-3)";
    "advance [N] [to D] [TARGET]" "nothing"
        "Units of this Phase left (EP-8), not prone, farther from the target than its reach (or than D)";
    "retreat [N] [to D] [TARGET]" "nothing"
        "as for `advance`; not against the wall (and nearer to the target than D)";
    "delay" "the stage" "nothing is done in it; not with a delayed action (EP-6)";
    "flee" "as `retreat`"
        "an `arena` or `exits`: it runs from the nearest enemy, and there is out of the fight (W-10)";
    "surrender" "nothing" "always: out of the fight (W-10)";
    "pass" "the rest of the stage" "always";
    "spend moxie" "a point of Moxie"
        "asked as a Phase begins in which it acts: it goes first in it (EP-5)";
    "interrupt" "the delayed action"
        "asked at every point while it has a delayed action (EP-6); the other lines then say what is done";
    "hold" "nothing"
        "asked at the end of a Phase while it has a delayed action; without this line the action is taken then (EP-6)";
}
