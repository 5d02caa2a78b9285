//! Intervals of runs whose length was fixed.

use super::exact::{ends, probability};
use super::{normals, share, throws, within};
use skirmish::stats::intervals::{of_mean, wilson};
use skirmish::stats::quantile::quantile_interval;
use skirmish::stats::{Confidence, Summary};
use skirmish::tally::{Histogram, Kind};

fn level(text: &str) -> Confidence {
    text.parse().unwrap()
}

#[test]
fn wilsons_interval_covers_at_any_level() {
    // No simulation. The errors are held against those of the level, as counts are whole and tails
    // skewed: the farther out, the coarser.
    for (text, least, most) in [("80%", 0.9, 1.1), ("95%", 0.8, 1.2), ("99%", 0.7, 1.45)] {
        let level = level(text);
        for percent in (2..=98).step_by(4) {
            let rate = f64::from(percent) / 100.0;
            let outcomes = ends(rate, [4000], |_, _| true);
            let missed = probability(&outcomes, |end| {
                let interval = wilson(end.successes, end.encounters, level).unwrap();
                rate < interval.low || interval.high < rate
            });
            within(
                missed / level.error(),
                least,
                most,
                &format!("{text} of {rate}"),
            );
        }
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
    within(covered, 0.941, 0.959, "a die");
}

#[test]
fn quantiles_are_covered_as_often_as_stated_or_more() {
    // 10,000 runs: the standard error is 0.22 points. Of values that hardly repeat the interval
    // covers little more than stated; of the faces of a die much more.
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
        // The lowest value that so many per cent do not exceed.
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
