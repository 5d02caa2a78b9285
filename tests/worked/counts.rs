//! What is counted in an encounter that a command shows.

use super::project;
use crate::support::fights::player;
use clap::Parser as _;
use skirmish::chance::script::Replay;
use skirmish::cli::{Cli, Command};
use skirmish::fight::Fight;
use skirmish::output::story::Story;
use skirmish::scenario::{DiceScript, Scenario};
use skirmish::sim::Record;
use skirmish::tally::Tally;
use skirmish::tally::metrics::Scope;
use std::cell::Cell;
use std::fmt::Write as _;
use std::iter;

/// Returns the metrics of a traced encounter that are not 0, in a line for each subject.
pub(super) fn of(command: &[String]) -> String {
    let words = iter::once("skirmish").chain(command.iter().map(String::as_str));
    let Command::Trace(args) = Cli::parse_from(words).command else {
        panic!("the encounter of a rule is traced");
    };
    let file = project().join(&args.file);
    let loaded = Scenario::load(&file, &args.overrides).unwrap_or_else(|errors| panic!("{errors}"));
    let mut variants = loaded.scenario.variants.iter();
    let variant = variants
        .find(|variant| variant.name == args.variant)
        .unwrap();
    let fight = &variant.fight;
    let script = DiceScript::load(&args.dice, fight).unwrap_or_else(|errors| panic!("{errors}"));
    let (mut script, player, unanswered) =
        (script.script(), player(variant, args.seed), Cell::new(None));
    let mut dice = Replay::new(&mut script, player.streams(0), false, &unanswered);
    let record = player.show_on(&mut dice, &mut Story::default());
    lines_of(fight, &record)
}

/// Returns the metrics of an encounter that are not 0, in a line for each subject.
pub(crate) fn lines_of(fight: &Fight, record: &Record) -> String {
    let metrics = || Tally::new(fight).metrics();
    let mut lines = String::from("counted:\n");
    for scope in [Scope::Encounter, Scope::Side, Scope::Combatant] {
        for (subject, of) in scope.subjects(fight).enumerate() {
            let counted = metrics().filter(|metric| metric.scope == scope);
            let counted = counted
                .filter_map(|metric| Some((metric.name, metric.value(record, fight, subject)?)));
            let counted = counted.filter(|(_, value)| *value != 0);
            let counted: Vec<String> = counted
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            writeln!(lines, "  {of}: {}", counted.join(", ")).unwrap();
        }
    }
    lines
}
