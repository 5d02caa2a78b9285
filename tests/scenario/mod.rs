//! Scenario files: what is read from good ones, and what is said about bad ones.

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

/// The fight of the format's documentation.
const KITING: &str = include_str!("kiting.toml");

/// A fight in which one combatant has everything there is.
const EVERYTHING: &str = include_str!("everything.toml");

/// Reads a text that must be in order.
fn good(text: &str) -> Loaded {
    Scenario::parse("fight.toml", text, &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

/// What is said about a text that must not be in order.
fn bad(text: &str) -> String {
    match Scenario::parse("fight.toml", text, &[]) {
        Ok(_) => panic!("this was accepted:\n{text}"),
        Err(errors) => errors.to_string(),
    }
}

/// The documentation's fight with `old` replaced, which must be there.
fn kiting_with(old: &str, new: &str) -> String {
    assert!(KITING.contains(old), "{old}");
    KITING.replacen(old, new, 1)
}

/// What is said about the documentation's fight with `old` replaced by something bad.
fn bad_with(old: &str, new: &str) -> String {
    bad(&kiting_with(old, new))
}
