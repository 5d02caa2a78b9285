//! Scenario files: the values of valid ones, and the messages for invalid ones.

mod bad_input;
mod bad_policies;
mod files;
mod good_input;
mod overrides;
mod parameters;
mod policy_lines;
mod properties;
mod schema;
mod tried_words;

use skirmish::scenario::{Loaded, Scenario};

/// The fight in the documentation of the format.
const KITING: &str = include_str!("kiting.toml");

/// A fight in which one combatant has every key.
const EVERYTHING: &str = include_str!("everything.toml");

/// Reads a valid scenario.
fn good(text: &str) -> Loaded {
    Scenario::parse("fight.toml", text, &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Returns the errors of an invalid scenario.
fn bad(text: &str) -> String {
    match Scenario::parse("fight.toml", text, &[]) {
        Ok(_) => panic!("this was accepted:\n{text}"),
        Err(errors) => errors.to_string(),
    }
}

/// Returns the documentation's fight with `old` replaced; asserts that `old` occurs.
fn kiting_with(old: &str, new: &str) -> String {
    assert!(KITING.contains(old), "{old}");
    KITING.replacen(old, new, 1)
}

/// Returns the errors of the documentation's fight with `old` replaced.
fn bad_with(old: &str, new: &str) -> String {
    bad(&kiting_with(old, new))
}
