//! The rules, by id, as far as they are no single encounters: random fights against observers that know the rules,
//! frequencies, equal chances, and what is refused. Encounters on written dice are files, in `files`, that `worked` plays.

mod anytime;
mod armory;
mod certain;
pub(crate) mod chronicles;
mod costs;
mod coverage;
mod criticals;
mod down;
mod drawn;
pub(crate) mod eclipse_phase;
pub(crate) mod effects;
mod fairness;
mod four_clocks;
pub(crate) mod generator;
mod instant;
pub(crate) mod mage;
mod numbers;
mod policy_lines;
mod properties;
mod reserves;
mod rounds;
mod rule_checker;
mod shared_initiative;
mod until;
mod variant_initiative;
mod watched;

/// Asserts that errors contain all of `words` and a place in the file.
#[track_caller]
fn assert_errors_contain(errors: &str, words: &[&str]) {
    for word in words {
        assert!(errors.contains(word), "no {word:?} in {errors}");
    }
    assert!(errors.contains("--> fight.toml:"), "no place in {errors}");
}
