//! The rulings of Eclipse Phase.

use super::{Rulings, initiative, switch, word};
use crate::fight::system::Clock;
use crate::scenario::checks::CRITICALS;
use crate::scenario::diagnostics::Diagnostic;
use crate::scenario::reader::Reader;
use crate::systems::eclipse_phase::rules::{MOST_PHASES, Rounding, Rules, Shots};

/// Reads the rulings of this clock.
pub(super) fn read(
    table: &mut Reader<'_>,
    rules: &mut Rules,
    rulings: &mut Rulings,
    problems: &mut Vec<Diagnostic>,
) {
    if let Some(inner) = table.table("initiative", "`rules.initiative`") {
        read_initiative(inner, rules, problems);
    }
    if let Some(phases) = table.integer("phases", 1..=MOST_PHASES.into()) {
        rules.phases = phases as u8;
    }
    if let Some(mut inner) = table.table("speed", "`rules.speed`") {
        if let Some(most) = inner.integer("max", 1..=MOST_PHASES.into()) {
            rules.most_speed = most as u8;
        }
        inner.finish(problems);
    }
    switch(table, "delays", &mut rules.delays);
    if let Some(most) = table.integer("quick_actions", 0..=16) {
        rules.quick_actions = most as u8;
    }
    word(
        table,
        "movement",
        &[("spread", false), ("whole", true)],
        &mut rules.whole_movement,
    );
    switch(table, "move_follows", &mut rules.move_follows);
    word(
        table,
        "interrupted",
        &[("lost", false), ("kept", true)],
        &mut rules.keeps_interrupted,
    );
    if let Some(penalty) = table.integer("wound_penalty", 0..=100) {
        rules.wound_penalty = penalty;
    }
    word(
        table,
        "defence",
        &[("opposed", false), ("success", true)],
        &mut rules.any_success_defends,
    );
    word(
        table,
        "fray_shots",
        &[
            ("half", Shots::Half),
            ("full", Shots::Full),
            ("none", Shots::None),
        ],
        &mut rules.fray_shots,
    );
    word(
        table,
        "critical",
        CRITICALS,
        &mut rulings.critical_ignores_armor,
    );
}

fn read_initiative(mut table: Reader<'_>, rules: &mut Rules, problems: &mut Vec<Diagnostic>) {
    word(
        &mut table,
        "mode",
        &[("rolled", false), ("fixed", true)],
        &mut rules.fixed,
    );
    word(
        &mut table,
        "roll",
        &[("per-turn", false), ("per-speed", true)],
        &mut rules.per_speed,
    );
    word(
        &mut table,
        "rounding",
        &[
            ("down", Rounding::Down),
            ("up", Rounding::Up),
            ("nearest", Rounding::Nearest),
        ],
        &mut rules.rounding,
    );
    if rules.fixed {
        table.refuse_beside("dice", "`mode = \"fixed\"` rolls none");
    }
    if let Some(dice) = initiative::dice(&mut table) {
        rules.dice = dice;
    }
    if let Some(ties) = initiative::ties(&mut table, Clock::Phases) {
        rules.ties = ties;
    }
    if let Some(points) = table.integer("wound", 0..=100) {
        rules.wound_initiative = points as i32;
    }
    table.finish(problems);
}
