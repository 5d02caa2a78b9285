//! The rulings of Eclipse Phase.

use super::{Rulings, initiative};
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
    fields! { table;
        "phases" (1..=MOST_PHASES.into()) as u8 => rules.phases;
    }
    if let Some(mut inner) = table.table("speed", "`rules.speed`") {
        fields! { inner;
            "max" (1..=MOST_PHASES.into()) as u8 => rules.most_speed;
        }
        inner.finish(problems);
    }
    fields! { table;
        "delays" bool => rules.delays;
        "quick_actions" (0..=16) as u8 => rules.quick_actions;
        "movement" ["spread": false, "whole": true] => rules.whole_movement;
        "move_follows" bool => rules.move_follows;
        "interrupted" ["lost": false, "kept": true] => rules.keeps_interrupted;
        "wound_penalty" (0..=100) => rules.wound_penalty;
        "defence" ["opposed": false, "success": true] => rules.any_success_defends;
        "fray_shots" [
            "half": Shots::Half, "full": Shots::Full, "none": Shots::None
        ] => rules.fray_shots;
        "critical" in CRITICALS => rulings.critical_ignores_armor;
    }
}

fn read_initiative(mut table: Reader<'_>, rules: &mut Rules, problems: &mut Vec<Diagnostic>) {
    fields! { table;
        "mode" ["rolled": false, "fixed": true] => rules.fixed;
        "roll" ["per-turn": false, "per-speed": true] => rules.per_speed;
        "rounding" [
            "down": Rounding::Down, "up": Rounding::Up, "nearest": Rounding::Nearest
        ] => rules.rounding;
    }
    if rules.fixed {
        table.refuse_beside("dice", "`mode = \"fixed\"` rolls none");
    }
    if let Some(dice) = initiative::dice(&mut table) {
        rules.dice = dice;
    }
    if let Some(ties) = initiative::ties(&mut table, Clock::Phases) {
        rules.ties = ties;
    }
    fields! { table;
        "wound" (0..=100) as i32 => rules.wound_initiative;
    }
    table.finish(problems);
}
