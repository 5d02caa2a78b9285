//! What is counted in an encounter that a command shows.

use super::project;
use crate::support::fights::player;
use skirmish::chance::script::Replay;
use skirmish::fight::Fight;
use skirmish::output::story::Story;
use skirmish::scenario::{DiceScript, Scenario};
use skirmish::sim::Record;
use skirmish::tally::Tally;
use skirmish::tally::metrics::Scope;
use std::cell::Cell;
use std::fmt::Write as _;

/// Returns the metrics of a traced encounter that are not 0, in a line for each subject.
pub(super) fn of(command: &[String]) -> String {
    let (mut set, mut dice, mut name, mut seed) = (Vec::new(), Vec::new(), "base", 1);
    let mut words = command[2..].iter();
    while let Some(option) = words.next() {
        match option.as_str() {
            "--full" | "--why" | "--dice-only" => {}
            "--set" => set.extend(words.next().cloned()),
            "--dice" => dice.extend(words.next().cloned()),
            "--variant" => name = words.next().unwrap(),
            "--seed" => seed = words.next().unwrap().parse().unwrap(),
            other => panic!("a trace of a rule has no {other}"),
        }
    }
    let file = project().join(&command[1]);
    let loaded = Scenario::load(&file, &set).unwrap_or_else(|errors| panic!("{errors}"));
    let mut variants = loaded.scenario.variants.iter();
    let variant = variants.find(|variant| variant.name == name).unwrap();
    let fight = &variant.fight;
    let script = DiceScript::load(&dice, fight).unwrap_or_else(|errors| panic!("{errors}"));
    let (mut script, player, unanswered) =
        (script.script(), player(variant, seed), Cell::new(None));
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
