//! Eclipse Phase: Action Turns of four Phases, percentile tests, health in points with wounds.

use crate::fight::check::CheckKind;
use crate::fight::health::HealthModel;
use crate::fight::initiative::{LastResort, Vocabulary};
use crate::fight::system::{Clock, Pools, Ruling, System, Words, rulings};

/// Eclipse Phase.
pub static ECLIPSE_PHASE: System = System {
    name: "eclipse-phase",
    title: "Eclipse Phase",
    clock: Clock::Phases,
    clock_name: "phases",
    clock_about: "a turn has four Phases, in each of which those who are fast enough act in order of \
                  initiative; who delays may interrupt others",
    check: CheckKind::Percentile,
    health: HealthModel::Points,
    pools: Pools::Plain,
    tasks: true,
    ties: Vocabulary {
        traits: ["intuition", "reflexes"],
        last: LastResort::ALL,
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
            Quick Actions and a Complex one, or work at a task, or delay: one who has delayed may \
            interrupt others. Movement takes no action and is spread over the Phases. A point of Moxie \
            goes first.",
    costs: &[],
    rulings: RULINGS,
    starter: include_str!("template.toml"),
};

rulings! {
    RULINGS:
    "initiative.mode" "rolled, fixed" "rolled" "whether a die is added to INIT (EP-1)";
    "initiative.dice" "dice or points" "1d10"
        "what is added to the rating: any dice notation, such as 2d6 or 1d12-1 (EP-1)";
    "initiative.ties" "list of words" "rule book's"
        "what decides between equal totals: by default simultaneous; also rating (INIT), intuition, reflexes, roll-off (EP-1)";
    "initiative.roll" "per-turn, per-speed" "per-turn"
        "one die and Phases, or a die and an action for each point of Speed (EP-7)";
    "initiative.rounding" "down, up, nearest" "down"
        "how a fifth of Intuition and Reflexes is rounded to INIT (EP-1)";
    "initiative.wound" "0 to 100" "1" "what a wound takes off the total (EP-4)";
    "phases" "1 to 8" "4" "Action Phases of a turn; movement is spread over so many (EP-2, EP-8)";
    "speed.max" "1 to 8" "4"
        "the greatest Speed; a combatant with more counts as having this (EP-2)";
    "delays" "true, false" "true"
        "whether an action may be delayed; if not, a line that delays is never legal (EP-6)";
    "quick_actions" "0 to 16" "3" "Quick Actions a stage (EP-3)";
    "movement" "spread, whole" "spread"
        "whether movement is spread over the Phases (or one's actions), or made whenever one acts (EP-8)";
    "move_follows" "true, false" "false"
        "whether a move that has reached its goal goes on in later Phases if its target moves on (EP-8)";
    "interrupted" "lost, kept" "lost"
        "the Complex Action of an attack that others have made impossible (EP-6)";
    "wound_penalty" "0 to 100" "10" "what a wound takes off every test (EP-9)";
    "defence" "opposed, success" "opposed"
        "whether Fray must roll no lower than the attack, or just succeed (EP-9)";
    "fray_shots" "half, full, none" "half" "Fray against ranged and thrown weapons (EP-9)";
    "critical" "ignores-armor, none" "ignores-armor"
        "what a success with doubles does, unless a check says otherwise (EP-9)";
    "hit" "meet, beat" "meet" "whether a roll equal to Evade hits, for checks of that kind";
}
