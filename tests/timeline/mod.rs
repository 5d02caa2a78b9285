//! The fight as a timeline: the picture shows what happened.

mod choose;
mod model;
mod picture;
mod story;

use crate::support::fights::{heard, shipped};
use skirmish::output::html::timeline::build;
use skirmish::output::html::timeline::model::{Measure, Timeline};
use skirmish::output::story::Story;
use skirmish::scenario::{Scenario, Variant};
use skirmish::sim::Record;
use std::path::Path;

/// An encounter that was played for an observer.
struct Played {
    name: String,
    variant: Variant,
    story: Story,
    record: Record,
}

impl Played {
    fn timeline(&self) -> Timeline {
        let measure = Measure::of(&self.variant.rules);
        build(&self.story, &self.variant.fight, measure)
    }
}

/// Returns the variants of a scenario.
fn variants(file: &Path) -> Vec<Variant> {
    let loaded = Scenario::load(file, &[]).unwrap_or_else(|all| panic!("{all}"));
    loaded.scenario.variants
}

/// Plays some encounters of each variant of the scenarios whose names begin with `begins`.
fn played(begins: &str, encounters: std::ops::Range<u64>) -> Vec<Played> {
    let mut all = Vec::new();
    for file in shipped() {
        let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
        if !stem.starts_with(begins) {
            continue;
        }
        for variant in variants(&file) {
            for encounter in encounters.clone() {
                let (story, record) = heard(&variant, encounter);
                all.push(Played {
                    name: format!("{stem}, {}, encounter {encounter}", variant.name),
                    variant: variant.clone(),
                    story,
                    record,
                });
            }
        }
    }
    assert!(!all.is_empty(), "{begins}");
    all
}
