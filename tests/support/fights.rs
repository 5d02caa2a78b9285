//! Scenarios as text: read, refused and played.

use skirmish::chance::Chance;
use skirmish::exact::{Budget, Solution, TooLarge, solve};
use skirmish::output::story::Story;
use skirmish::run::{Play as _, Player};
use skirmish::scenario::{Diagnostics, Document, Loaded, Scenario, Variant};
use skirmish::sim::{Observer, Record};
use skirmish::systems::Plan;
use skirmish::tally::Tally;
use skirmish::task::Input;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Reads a scenario of which no part is wrong, with these values set.
pub(crate) fn read(text: &str, set: &[&str]) -> Result<Loaded, Diagnostics> {
    let set: Vec<String> = set.iter().map(|&set| set.to_owned()).collect();
    Scenario::parse("fight.toml", text, &set)?.whole()
}

/// Reads a scenario that is valid with these values set.
#[track_caller]
pub(crate) fn loaded(text: &str, set: &[&str]) -> Loaded {
    read(text, set).unwrap_or_else(|errors| panic!("{set:?}: {errors}\n{text}"))
}

#[track_caller]
pub(crate) fn load(text: &str) -> Scenario {
    loaded(text, &[]).scenario
}

#[track_caller]
pub(crate) fn document(text: &str) -> Document {
    loaded(text, &[]).document
}

/// Returns the files of the shipped scenarios.
pub(crate) fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let files = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    files
}

/// Returns the base variant of a scenario.
#[track_caller]
pub(crate) fn variant(text: &str) -> Variant {
    variant_with(text, &[])
}

/// Returns the base variant of a scenario, with these values set.
#[track_caller]
pub(crate) fn variant_with(text: &str, set: &[&str]) -> Variant {
    loaded(text, set).scenario.variants.swap_remove(0)
}

/// Returns the errors of an invalid scenario.
#[track_caller]
pub(crate) fn errors(text: &str) -> String {
    errors_with(text, &[])
}

/// Returns the errors of a scenario that is invalid with these values set.
#[track_caller]
pub(crate) fn errors_with(text: &str, set: &[&str]) -> String {
    match read(text, set) {
        Ok(_) => panic!("this was accepted with {set:?}:\n{text}"),
        Err(errors) => errors.to_string(),
    }
}

pub(crate) fn player(variant: &Variant, seed: u64) -> Player {
    Player::new(&variant.fight, &variant.rules, seed)
}

/// Returns the record of the first encounter.
pub(crate) fn first_record(variant: &Variant, seed: u64) -> Record {
    let (player, mut record) = (player(variant, seed), Record::default());
    player.play(&mut player.state(), 0, &mut record);
    record
}

/// Plays an encounter for an observer. Returns its story and its record.
pub(crate) fn heard(variant: &Variant, encounter: u64) -> (Story, Record) {
    let mut story = Story::default();
    let record = player(variant, 1).show(encounter, &mut story);
    (story, record)
}

/// Plays encounters, and counts them.
pub(crate) fn sampled(variant: &Variant, seed: u64, encounters: u64) -> Tally {
    let player = player(variant, seed);
    let mut state = player.state();
    let (mut tally, mut record) = (Tally::new(&variant.fight), Record::default());
    for encounter in 0..encounters {
        player.play(&mut state, encounter, &mut record);
        tally.add(encounter, &record);
    }
    tally
}

/// Plays an encounter on these dice for an observer.
pub(crate) fn shown(
    variant: &Variant,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
) -> Record {
    let plan = Plan::new(variant.fight.clone(), variant.rules.clone());
    let mut record = Record::default();
    plan.show(&mut plan.start(), chance, observer, &mut record);
    record
}

/// Returns a scenario as the argument of a command.
pub(crate) fn input(text: &str) -> Input {
    Input {
        file: "duel.toml".into(),
        stem: "duel".to_owned(),
        loaded: loaded(text, &[]),
    }
}

/// Nothing stops early.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

/// Returns a budget that allows no bound.
pub(crate) const fn budget(max_states: u64) -> Budget {
    Budget {
        max_states,
        bound: 0.0,
    }
}

/// Solves a fight, with or without the distributions of its metrics.
pub(crate) fn solved(
    variant: &Variant,
    budget: Budget,
    distributions: bool,
) -> Result<Solution, TooLarge> {
    let (fight, rules) = (&variant.fight, &variant.rules);
    let go_on = &mut |_, _, _| true;
    solve(fight, rules, budget, &|_| distributions, &NEVER, go_on)
}
