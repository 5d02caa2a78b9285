//! Decisions by the side of a threshold on which an interval lies, with looks while results come in.

use super::exact::{ends, probability};
use super::{normals, share, within};
use skirmish::engine::Looks;
use skirmish::stats::Confidence;
use skirmish::stats::intervals::wilson;
use std::num::NonZeroU64;

fn looks(most: u64) -> Looks {
    Looks::for_decisions(
        NonZeroU64::new(1000).unwrap(),
        NonZeroU64::new(most).unwrap(),
    )
}

/// The probability that at any look the interval of that level misses the rate: that whoever stops
/// there decides wrongly on which side of the true rate it lies.
fn wrong(rate: f64, looks: Looks, level: Confidence) -> f64 {
    let misses = |successes, encounters| {
        let interval = wilson(successes, encounters, level).unwrap();
        rate < interval.low || interval.high < rate
    };
    let ends = ends(rate, looks.counts(), misses);
    probability(&ends, |end| misses(end.successes, end.encounters))
}

#[test]
fn all_looks_together_keep_the_level() {
    // No simulation: the probability is summed over all that can happen. Counts are whole and the
    // tails of rare events skewed, so that it swings a little about what is stated.
    for (level, usual, rare) in [("90%", 1.0, 1.02), ("95%", 1.0, 1.02), ("99%", 1.03, 1.25)] {
        let together: Confidence = level.parse().unwrap();
        for most in [5000, 20_000, 60_000] {
            let looks = looks(most);
            let each = looks.each(together);
            for rate in [0.005, 0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.65, 0.9] {
                let part = wrong(rate, looks, each) / together.error();
                let limit = if rate < 0.05 { rare } else { usual };
                within(part, 0.85, limit, &format!("{level}, {rate} up to {most}"));
            }
        }
    }
}

#[test]
fn looking_again_without_a_correction_is_wrong_far_more_often() {
    let wrong = wrong(0.5, looks(60_000), Confidence::DEFAULT);
    within(wrong, 0.25, 0.3, "12 looks at 95% each");
}

#[test]
fn means_that_are_looked_at_keep_the_level_too() {
    // Walks of normal steps, 20,000 of them: the standard error is 0.15 points.
    let looks = looks(1_000_000_000);
    let each = looks.each(Confidence::DEFAULT);
    within(each.z(), 3.07, 3.09, "the quantile of each look");
    let counts: Vec<u64> = looks.counts().collect();
    let wrong = share(20_000, |seed| {
        let mut normals = normals(seed);
        let (mut sum, mut seen) = (0.0, 0);
        counts.iter().any(|&count| {
            sum += normals.next().unwrap() * ((count - seen) as f64).sqrt();
            seen = count;
            sum.abs() > each.z() * (count as f64).sqrt()
        })
    });
    within(wrong, 0.041, 0.054, "35 looks");
}
