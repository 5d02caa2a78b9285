//! Decisions by the side of a threshold on which an interval lies, at looks during a run.

use super::differences::exclusive;
use super::exact::{ends, poisson, probability};
use super::{normals, share, throws, within};
use skirmish::run::Looks;
use skirmish::stats::Confidence;
use skirmish::stats::intervals::of_rate;
use skirmish::stats::paired::Difference;
use skirmish::tally::Kind;
use std::num::NonZeroU64;

fn looks(most: u64) -> Looks {
    Looks::for_decisions(
        NonZeroU64::new(1000).unwrap(),
        NonZeroU64::new(most).unwrap(),
    )
}

/// Returns the probability that the interval at `level` misses the rate at some look, so that a run that stops there
/// decides on the wrong side of the true rate.
fn probability_of_error(rate: f64, looks: Looks, level: Confidence) -> f64 {
    let misses = |successes, encounters| {
        let interval = of_rate(successes, encounters, level).unwrap();
        rate < interval.low || interval.high < rate
    };
    let ends = ends(rate, looks.counts(), misses);
    probability(&ends, |end| misses(end.successes, end.encounters))
}

#[test]
fn all_looks_together_keep_the_level() {
    // No simulation: the probability is summed over all possible outcomes.
    for level in ["90%", "95%", "99%", "99.9%"] {
        let together: Confidence = level.parse().unwrap();
        for most in [5000, 20_000, 60_000] {
            let looks = looks(most);
            let each = looks.each(together);
            for rate in [0.005, 0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.65, 0.9] {
                let part = probability_of_error(rate, looks, each) / together.error();
                within(part, 0.3, 1.0, &format!("{level}, {rate} up to {most}"));
            }
        }
    }
}

#[test]
fn looking_again_without_a_correction_is_wrong_far_more_often() {
    let wrong = probability_of_error(0.5, looks(60_000), Confidence::DEFAULT);
    within(wrong, 0.25, 0.3, "12 looks at 95% each");
}

#[test]
fn differences_of_rates_that_are_looked_at_keep_the_level() {
    // 1,000 repeats of a true null: on average as many encounters differ one way as the other.
    const REPEATS: u64 = 1000;
    let looks = looks(60_000);
    let counts: Vec<u64> = looks.counts().collect();
    for text in ["95%", "99%"] {
        let together: Confidence = text.parse().unwrap();
        let each = looks.each(together);
        for differing in [0.000_05, 0.000_5, 0.01] {
            let wrong = share(REPEATS, |seed| {
                let mut throws = throws(seed, 1 << 31);
                let mut come = |mean: f64| {
                    let throw = f64::from(throws.next().unwrap()) / f64::from(1_u32 << 31);
                    let mut sum = 0.0;
                    let beyond = poisson(mean).find(|(_, chance)| {
                        sum += chance;
                        sum > throw
                    });
                    beyond.map_or(0, |(count, _)| count)
                };
                let (mut seen, mut events) = (0, [0, 0]);
                counts.iter().any(|&count| {
                    let mean = differing * (count - seen) as f64;
                    events = events.map(|event| event + come(mean));
                    seen = count;
                    let pairs = exclusive(count, events);
                    let found = Difference::of_pairs(&pairs, Kind::Rate, None, each).unwrap();
                    found.interval.unwrap().excludes_zero()
                })
            });
            let error = together.error();
            let most = error + 2.0 * (error * (1.0 - error) / REPEATS as f64).sqrt();
            within(
                wrong,
                0.0,
                most,
                &format!("{text}, {differing} differ each way"),
            );
        }
    }
}

#[test]
fn means_that_are_looked_at_keep_the_level_too() {
    // 20,000 walks of normal steps: the standard error is 0.15 points.
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
