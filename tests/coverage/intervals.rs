//! Intervals of runs of fixed length.

use super::exact::{ends, probability};
use super::{LEVELS, Worst, normals, share, throws, within};
use skirmish::stats::intervals::{of_mean, of_rate};
use skirmish::stats::quantile::quantile_interval;
use skirmish::stats::{Confidence, Summary};
use skirmish::tally::{Histogram, Kind};

fn level(text: &str) -> Confidence {
    text.parse().unwrap()
}

#[test]
fn the_interval_of_a_rate_covers_at_every_level_and_rate() {
    // No simulation: summed over all outcomes. The rates go down to 1 in 10,000, at which a tenth of an event is
    // expected.
    for text in LEVELS {
        let level = level(text);
        let mut worst = Worst::new("rate", level);
        for n in [1000, 20_000] {
            let steps = (0..40).map(|step| 1e-4 * 1.25_f64.powi(step));
            let rates = steps.take_while(|rate| *rate < 0.5);
            for rate in rates.flat_map(|rate| [rate, 1.0 - rate]) {
                let outcomes = ends(rate, [n], |_, _| true);
                let covered = probability(&outcomes, |end| {
                    let interval = of_rate(end.successes, end.encounters, level).unwrap();
                    interval.low <= rate && rate <= interval.high
                });
                worst.add(covered, || format!("{rate:.5} in {n}"));
            }
        }
        worst.is_at_least(level.level() - 1e-6);
    }
}

/// The value is not 0 in some of 2,000 encounters, whose number is practically Poisson; there each value of a list is
/// equally likely.
#[test]
fn means_that_few_encounters_make_are_covered() {
    const N: u64 = 2000;
    const RUNS: u64 = 2000;
    let skewed: Vec<u32> = (0..30)
        .map(|step| 1.2_f64.powi(step).round() as u32)
        .collect();
    for (what, values) in [
        ("mean of 0 and 1", vec![1]),
        ("mean of few even values", (1..=30).collect()),
        ("mean of few skewed values", skewed),
    ] {
        for text in LEVELS {
            let level = level(text);
            for limit in [None, values.iter().max().copied()] {
                let mut worst = Worst::new(what, level);
                for expected in [1, 3, 10, 20, 50, 200] {
                    let mean = f64::from(values.iter().sum::<u32>()) / values.len() as f64;
                    let truth = mean * f64::from(expected) / N as f64;
                    let faces = N * values.len() as u64 / u64::from(expected as u32);
                    let (mut shown, mut covered) = (0, 0);
                    for seed in 0..RUNS {
                        let throws = throws(seed << 8 | u64::from(expected as u32), faces);
                        let values = throws
                            .take(N as usize)
                            .map(|throw| values.get(throw as usize).copied().unwrap_or(0));
                        let distribution = histogram(values).distribution().up_to(limit);
                        let summary = Summary::of(&distribution, Kind::Count, level);
                        // If too few values differ from 0 and nothing bounds the mean, no interval is claimed.
                        if let Some(interval) = summary.interval {
                            shown += 1;
                            covered += u64::from(interval.low <= truth && truth <= interval.high);
                        }
                    }
                    if shown > RUNS / 10 {
                        let coverage = covered as f64 / shown as f64;
                        let bound = limit.map_or("", |_| ", limit known");
                        worst.add(coverage, || {
                            format!("{expected} encounters expected{bound}")
                        });
                    }
                }
                let swing = 3.0 * (level.error() / RUNS as f64).sqrt();
                worst.is_at_least(level.level() - swing);
            }
        }
    }
}

/// The Marks of a first attack that comes in few encounters: most at 70, the others up to 220. Nobody knows the limit, or
/// it is 360.
pub(crate) const RARE: [(u32, u32); 5] = [(70, 40), (75, 8), (100, 20), (135, 20), (220, 12)];

/// Returns the mean of [`RARE`], and one of its values for each throw.
pub(crate) fn rare(seed: u64) -> (f64, impl Iterator<Item = u32>) {
    let sum: u32 = RARE.iter().map(|(value, count)| value * count).sum();
    let mean = f64::from(sum) / 100.0;
    let value = |throw: u32| {
        let mut left = throw;
        let shown = RARE.iter().find(|(_, count)| {
            let is_it = left < *count;
            left = left.wrapping_sub(*count);
            is_it
        });
        shown.expect("counts of 100 in all").0
    };
    (mean, throws(seed, 100).map(value))
}

/// Of few values there is an interval only if the limit is known; of 20 or more there is one.
#[test]
fn means_of_few_skewed_values_are_covered() {
    const RUNS: u64 = 2000;
    // 20 values are still a little few at high levels, with no limit known.
    for (text, least) in LEVELS.into_iter().zip([0.94, 0.978, 0.993]) {
        let level = level(text);
        let mut worst = Worst::new("mean of skewed values", level);
        for n in [2, 3, 5, 9, 15, 19, 20, 30, 60] {
            for limit in [None, Some(360)] {
                let (mut shown, mut covered) = (0, 0);
                for seed in 0..RUNS {
                    let (truth, values) = rare(seed << 8 | n);
                    let values = histogram(values.take(n as usize));
                    let distribution = values.distribution().up_to(limit);
                    let summary = Summary::of(&distribution, Kind::Count, level);
                    if let Some(interval) = summary.interval {
                        shown += 1;
                        covered += u64::from(interval.low <= truth && truth <= interval.high);
                        assert!(limit.is_none() || interval.high <= 360.0);
                    }
                }
                assert_eq!(shown > 0, limit.is_some() || n >= 20, "{n} values");
                if shown > 0 {
                    worst.add(covered as f64 / f64::from(shown), || format!("{n} values"));
                }
            }
        }
        worst.is_at_least(least);
    }
}

#[test]
fn students_interval_covers_the_mean_of_few_normal_values_exactly() {
    // 20,000 runs: the standard errors are 0.28, 0.15 and 0.07 points.
    for (text, tolerance) in [("80%", 0.011), ("95%", 0.006), ("99%", 0.003)] {
        let level = level(text);
        for n in [2, 3, 5, 12] {
            let covered = share(20_000, |seed| {
                let values: Vec<f64> = normals(seed << 8 | n).take(n as usize).collect();
                let count = n as f64;
                let mean = values.iter().sum::<f64>() / count;
                let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
                let error = (spread / (count - 1.0) / count).sqrt();
                let interval = of_mean(mean, error, n, level).unwrap();
                interval.low <= 0.0 && 0.0 <= interval.high
            });
            let stated = level.level();
            within(
                covered,
                stated - tolerance,
                stated + tolerance,
                &format!("{text} of {n}"),
            );
        }
    }
}

fn histogram(values: impl Iterator<Item = u32>) -> Histogram {
    let mut histogram = Histogram::default();
    values.for_each(|value| histogram.add(value, 0));
    histogram
}

#[test]
fn the_mean_of_counts_is_covered() {
    // 10,000 runs of 400 throws of a die: the standard error is 0.22 points.
    let covered = share(10_000, |seed| {
        let distribution = histogram(throws(seed, 6).take(400)).distribution();
        let summary = Summary::of(&distribution, Kind::Count, Confidence::DEFAULT);
        let interval = summary.interval.unwrap();
        interval.low <= 2.5 && 2.5 <= interval.high
    });
    within(covered, 0.941, 0.969, "a die");
}

/// No simulation: if values never repeat, the number of encounters at or below the true quantile is binomial, and the
/// interval covers if this number lies between the ranks of its ends. Repeated values only raise the coverage.
#[test]
fn quantiles_of_values_that_never_repeat_are_covered_at_every_level() {
    for text in LEVELS {
        let level = level(text);
        let mut worst = Worst::new("quantile", level);
        for n in [6, 15, 59, 100, 301, 1000, 20_000] {
            let distribution = histogram(1..=n).distribution();
            for percent in [5, 25, 50, 75, 95] {
                let Some(interval) = quantile_interval(&distribution, percent, level) else {
                    continue;
                };
                let rate = percent as f64 / 100.0;
                let covers = |at_or_below: u64| {
                    let at_or_below = at_or_below as f64;
                    interval.low <= at_or_below && at_or_below < interval.high
                };
                let ends = ends(rate, [u64::from(n)], |_, _| true);
                let covered = ends
                    .iter()
                    .filter(|end| covers(end.successes))
                    .map(|end| end.probability)
                    .sum();
                worst.add(covered, || format!("{percent}% of {n} encounters"));
            }
        }
        worst.is_at_least(level.level() - 1e-9);
    }
}

#[test]
fn quantiles_are_covered_as_often_as_stated_or_more() {
    // 10,000 runs: the standard error is 0.22 points. If values hardly repeat, the interval covers little more than
    // stated; for the faces of a die it covers much more.
    const RUNS: u64 = 10_000;
    for (faces, n, percent, most) in [
        (1_000_000_u32, 15, 50, 0.972),
        (1_000_000, 301, 50, 0.972),
        (1_000_000, 301, 5, 0.985),
        (1_000_000, 301, 90, 0.975),
        (40, 301, 50, 1.0),
        (6, 60, 75, 1.0),
        (6, 60, 25, 1.0),
        (2, 60, 50, 1.0),
    ] {
        // The lowest value that `percent` per cent of the faces do not exceed.
        let truth = f64::from((percent * faces).div_ceil(100) - 1);
        let covered = share(RUNS, |seed| {
            let values = throws(seed, u64::from(faces)).take(n);
            let distribution = histogram(values).distribution();
            let percent = u64::from(percent);
            let interval = quantile_interval(&distribution, percent, Confidence::DEFAULT).unwrap();
            interval.low <= truth && truth <= interval.high
        });
        let what = format!("{percent}% of {n} values below {faces}");
        within(covered, 0.941, most, &what);
    }
}
