//! The rulings of Chronicles.

use super::{Rulings, initiative, setback, switch, word};
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
        word(
            &mut inner,
            "roll",
            &[("per-scene", false), ("per-round", true)],
            &mut rules.every_round,
        );
        if let Some(dice) = initiative::dice(&mut inner) {
            rules.dice = dice;
        }
        if let Some(ties) = initiative::ties(&mut inner, Clock::Order) {
            rules.ties = ties;
        }
        inner.finish(problems);
    }
    switch(table, "delays", &mut rules.delays);
    switch(table, "readies", &mut rules.readies);
    word(
        table,
        "yield",
        &[("committed", false), ("ask-again", true)],
        &mut rules.yields_ask_again,
    );
    word(
        table,
        "early_trigger",
        &[("replaces", false), ("adds", true)],
        &mut rules.early_trigger_adds,
    );
    word(
        table,
        "lost_actions",
        &[
            ("lost", Lost::Lost),
            ("retarget", Lost::Retarget),
            ("kept", Lost::Kept),
        ],
        &mut rules.lost_actions,
    );
    word(
        table,
        "effects_first",
        &[("ongoing", false), ("regeneration", true)],
        &mut rules.regeneration_first,
    );
    word(
        table,
        "ongoing",
        &[("adds", false), ("worst", true)],
        &mut rules.worst_ongoing,
    );
    word(
        table,
        "defence",
        &[("erodes", false), ("constant", true)],
        &mut rules.constant_defence,
    );
    if let Some(again) = checks::again(table) {
        rulings.again = again;
    }
    rules.dramatic_failure = setback(table, ("dramatic_failure", "none"), "dramatic_damage");
}
