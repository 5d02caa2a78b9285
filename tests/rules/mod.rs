//! The rules of Tara-Corax, by id: worked examples and sentences of the rule book are played on scripted dice and
//! compared event by event. The other systems have modules of their own.

mod anytime;
mod armory;
mod certain;
mod channels;
pub(crate) mod chronicles;
mod combat_casting;
mod costs;
mod counters;
mod coverage;
mod criticals;
mod down;
mod drawn;
pub(crate) mod eclipse_phase;
pub(crate) mod effects;
mod fairness;
mod four_clocks;
pub(crate) mod generator;
mod initiative;
mod instant;
pub(crate) mod mage;
mod magic;
mod melee;
mod numbers;
mod policy_lines;
mod properties;
mod reactions;
mod reserves;
mod rounds;
mod rule_checker;
mod scripted;
mod shared_initiative;
mod shooting;
mod stage;
mod ties;
mod until;
mod variant_initiative;
mod watched;
mod world;

/// Asserts that errors contain all of `words` and a place in the file.
#[track_caller]
fn assert_errors_contain(errors: &str, words: &[&str]) {
    for word in words {
        assert!(errors.contains(word), "no {word:?} in {errors}");
    }
    assert!(errors.contains("--> fight.toml:"), "no place in {errors}");
}
