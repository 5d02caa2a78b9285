//! Scenarios as text: read, refused and played.

use skirmish::output::story::Story;
use skirmish::run::{Play as _, Player};
use skirmish::scenario::{Diagnostics, Document, Loaded, Scenario, Variant};
use skirmish::sim::Record;
use skirmish::tally::Tally;

/// Reads a scenario, with these values set.
pub(crate) fn read(text: &str, set: &[&str]) -> Result<Loaded, Diagnostics> {
    let set: Vec<String> = set.iter().map(|&set| set.to_owned()).collect();
    Scenario::parse("fight.toml", text, &set)
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
