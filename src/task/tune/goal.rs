//! The goals of a search: the most or the least of a metric, or levels to reach.

use crate::decimal::Decimal;
use crate::fight::Fight;
use crate::output::sweep::Shown;
use crate::output::tune::{Goal, Wish};
use crate::stats::Precision;
use crate::tally::{Kind, Scope};
use crate::task::subjects::shown;
use crate::task::{Measure, Tune};
use anyhow::{anyhow, ensure};

/// The default distance from a level that is near enough.
pub const WITHIN: &str = "1%";

/// Reads the goals, for the given side, combatant or outcome.
pub(super) fn read(tune: &Tune, fight: &Fight) -> anyhow::Result<Vec<Goal>> {
    let (metric, wishes): (Vec<String>, Vec<(&String, &str)>) = tune
        .goal
        .iter()
        .map(|text| match text.split_once('=') {
            None => (text.clone(), (text, "most")),
            Some((name, wish)) => (name.trim().to_owned(), (text, wish.trim())),
        })
        .unzip();
    let is_level = |(_, wish): &(&String, &str)| !matches!(*wish, "most" | "least");
    ensure!(
        wishes.len() < 2 || wishes.iter().all(is_level),
        "several --goal must all be levels, as in --goal win_rate=50% --goal rounds=4: there is no best of two numbers"
    );
    let scopes = |scope: Scope| {
        let find = |name: &String| crate::tally::metrics::find(name).map(|metric| metric.scope);
        metric.iter().filter_map(find).any(|found| found == scope)
    };
    let measure = Measure {
        variant: tune.variant.clone(),
        side: tune.side.clone().filter(|_| scopes(Scope::Side)),
        combatant: tune.combatant.clone(),
        outcome: tune.outcome.clone(),
        metric: metric.clone(),
    };
    let shown = shown(&measure, &[fight])?;
    let goals = shown.into_iter().zip(wishes).map(|(shown, (text, wish))| {
        let wish = match wish {
            "most" => Wish::Most,
            "least" => Wish::Least,
            level => Wish::Level(self::level(text, level, &shown)?),
        };
        Ok(Goal { shown, wish })
    });
    goals.collect()
}

/// Reads the level of a goal.
fn level(text: &str, level: &str, shown: &Shown) -> anyhow::Result<f64> {
    let fail = |why: &str| Err(anyhow!("--goal {text}: {why}"));
    let Some(Decimal { value, percent, .. }) = Decimal::read(level) else {
        return fail("write `most`, `least` or a level, such as 50% or 4.5");
    };
    match shown.metric.kind {
        Kind::Rate if !(0.0..=1.0).contains(&value) => fail("a rate is between 0% and 100%"),
        Kind::Rate => Ok(value),
        _ if value < 0.0 => fail("no count is below 0"),
        _ if percent => fail("this is no rate: write its level without `%`"),
        _ => Ok(value),
    }
}

/// Returns the distance from a level that is near enough, in the unit of the metric.
pub(super) fn reach(goal: &Goal, within: &Precision) -> f64 {
    match goal.wish {
        Wish::Level(level) => within.of(goal.shown.metric.kind, Some(level)).max(1e-12),
        Wish::Most | Wish::Least => 0.0,
    }
}
