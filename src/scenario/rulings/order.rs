//! The rulings of Chronicles.

use super::{Rulings, initiative, setback};
use crate::fight::system::Clock;
use crate::scenario::checks;
use crate::scenario::diagnostics::Diagnostic;
use crate::scenario::reader::Reader;
use crate::systems::chronicles::rules::{Lost, Rules};

/// Reads the rulings of this clock.
pub(super) fn read(
    table: &mut Reader<'_>,
    rules: &mut Rules,
    rulings: &mut Rulings,
    problems: &mut Vec<Diagnostic>,
) {
    if let Some(mut inner) = table.table("initiative", "`rules.initiative`") {
        fields! { inner;
            "roll" ["per-scene": false, "per-round": true] => rules.every_round;
        }
        if let Some(dice) = initiative::dice(&mut inner) {
            rules.dice = dice;
        }
        if let Some(ties) = initiative::ties(&mut inner, Clock::Order) {
            rules.ties = ties;
        }
        inner.finish(problems);
    }
    fields! { table;
        "delays" bool => rules.delays;
        "readies" bool => rules.readies;
        "yield" ["committed": false, "ask-again": true] => rules.yields_ask_again;
        "early_trigger" ["replaces": false, "adds": true] => rules.early_trigger_adds;
        "lost_actions" [
            "lost": Lost::Lost, "retarget": Lost::Retarget, "kept": Lost::Kept
        ] => rules.lost_actions;
        "effects_first" ["ongoing": false, "regeneration": true] => rules.regeneration_first;
        "ongoing" ["adds": false, "worst": true] => rules.worst_ongoing;
        "defence" ["erodes": false, "constant": true] => rules.constant_defence;
    }
    if let Some(again) = checks::again(table) {
        rulings.again = again;
    }
    rules.dramatic_failure = setback(table, ("dramatic_failure", "none"), "dramatic_damage");
}
