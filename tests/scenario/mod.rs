//! Scenario files: the values of valid ones, and the messages for invalid ones.

mod bad_input;
mod bad_policies;
mod base_name;
mod blame;
mod budgets;
mod clocks;
mod files;
mod fix;
mod good_input;
mod overrides;
mod parameters;
mod policy_lines;
mod properties;
mod schema;
mod tried_words;

use crate::support::fights::{errors as bad, loaded};
use skirmish::scenario::Loaded;

/// The fight in the documentation of the format.
const KITING: &str = include_str!("kiting.toml");

/// A fight in which one combatant has every key.
const EVERYTHING: &str = include_str!("everything.toml");

/// Reads a valid scenario.
fn good(text: &str) -> Loaded {
    loaded(text, &[])
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
