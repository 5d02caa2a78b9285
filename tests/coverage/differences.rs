//! Differences between fights: on the same luck, and each on luck of its own.

use crate::{share, throws, within};
use skirmish::stats::paired::{Difference, Luck};
use skirmish::stats::{Confidence, Summary, separate};
use skirmish::tally::{Histogram, Kind, Pairs};

/// Seeds: four standard errors of a coverage of 95% are 0.98 points.
const RUNS: u64 = 8000;

/// Whether the interval of the difference of so many pairs covers the truth.
fn covers(pairs: impl Iterator<Item = (i64, i64)>, kind: Kind, luck: Luck, truth: f64) -> bool {
    let mut sums = Pairs::default();
    for (first, second) in pairs {
        sums.add(first, second);
    }
    Difference::of_means(&sums, kind, luck, Confidence::DEFAULT)
        .and_then(|difference| difference.interval)
        .is_some_and(|interval| interval.low <= truth && truth <= interval.high)
}

/// Of 1000 pairs so many are (1, 1), (1, 0) and (0, 1): those of Bonett and Price and of rates that
/// share no luck.
#[test]
fn differences_of_rates_on_the_same_luck_are_covered() {
    for (both, first, second, n) in [
        (450, 40, 70, 2000),
        (450, 40, 40, 2000),
        (940, 20, 10, 2000),
        // Rare events: one in a hundred encounters.
        (5, 5, 10, 3000),
        (100, 300, 400, 300),
    ] {
        let truth = (f64::from(second) - f64::from(first)) / 1000.0;
        let coverage = share(RUNS, |seed| {
            let pair = |throw: u32| {
                if throw < both + first {
                    (1, i64::from(throw < both))
                } else {
                    (0, i64::from(throw < both + first + second))
                }
            };
            let pairs = throws(seed, 1000).take(n).map(pair);
            covers(pairs, Kind::Rate, Luck::Common, truth)
        });
        let what = format!("{both}, {first}, {second} of 1000, {n} pairs");
        within(coverage, 0.94, 0.96, &what);
    }
}

#[test]
fn differences_of_rates_on_luck_of_their_own_are_covered() {
    for (first, second, n) in [(500, 480, 1000), (950, 970, 1000), (10, 10, 3000)] {
        let truth = f64::from(second - first) / 1000.0;
        let coverage = share(RUNS, |seed| {
            let event = |throw: u32, rate: i32| i64::from((throw as i32) < rate);
            let mine = throws(2 * seed, 1000).take(n);
            let theirs = throws(2 * seed + 1, 1000);
            let pairs = mine
                .zip(theirs)
                .map(|(one, other)| (event(one, first), event(other, second)));
            covers(pairs, Kind::Rate, Luck::Separate, truth)
        });
        within(
            coverage,
            0.94,
            0.96,
            &format!("{first} and {second} of 1000"),
        );
    }
}

/// The second is the first and a die more: they go together, and differ by 3.5.
#[test]
fn differences_of_means_are_covered_on_any_luck() {
    for luck in [Luck::Common, Luck::Separate] {
        let coverage = share(RUNS, |seed| {
            let pairs = throws(seed, 36 * 36).take(500).map(|throw| {
                let (die, more, other) = (throw % 6, throw / 6 % 6 + 1, throw / 36);
                let second = match luck {
                    Luck::Common => die,
                    Luck::Separate => other % 6,
                };
                (i64::from(die), i64::from(second + more))
            });
            covers(pairs, Kind::Count, luck, 3.5)
        });
        within(coverage, 0.94, 0.96, luck.name());
    }
}

/// Both medians are known to 97.5%, so that the difference is covered more often than stated.
#[test]
fn differences_of_medians_are_covered_as_often_as_stated_or_more() {
    for (shift, same_luck) in [(0, true), (7, true), (7, false)] {
        let coverage = share(2000, |seed| {
            let mut histograms = [Histogram::default(), Histogram::default()];
            let theirs = throws(seed + 1_000_000, 1000);
            for (encounter, (one, other)) in (0..500).zip(throws(seed, 1000).zip(theirs)) {
                histograms[0].add(one, encounter);
                histograms[1].add(if same_luck { one } else { other } + shift, encounter);
            }
            let [first, second] = histograms.map(|histogram| histogram.distribution());
            Difference::of_medians(&first, &second, Confidence::DEFAULT)
                .and_then(|difference| difference.interval)
                .is_some_and(|interval| {
                    let truth = f64::from(shift);
                    interval.low <= truth && truth <= interval.high
                })
        });
        within(coverage, 0.95, 1.0, &format!("{shift}, {same_luck}"));
    }
}

/// Of which no more is known than their summaries: as `check --baseline` has it.
#[test]
fn differences_between_summaries_are_covered() {
    for (first, second, n) in [(500, 480, 1000), (950, 970, 1000), (10, 10, 3000)] {
        let truth = (f64::from(second) - f64::from(first)) / 1000.0;
        let coverage = share(RUNS, |seed| {
            let events = |seed, rate: u32| {
                let all = throws(seed, 1000).take(n);
                (all.filter(|throw| *throw < rate).count() as u64, n as u64)
            };
            let (one, other) = (events(2 * seed, first), events(2 * seed + 1, second));
            separate::of_rates(one, other, Confidence::DEFAULT)
                .is_some_and(|interval| interval.low <= truth && truth <= interval.high)
        });
        within(
            coverage,
            0.94,
            0.96,
            &format!("{first} and {second} of 1000"),
        );
    }
    let coverage = share(RUNS, |seed| {
        let summary = |seed, faces| {
            let mut histogram = Histogram::default();
            for (encounter, throw) in (0..400).zip(throws(seed, faces)) {
                histogram.add(throw, encounter);
            }
            let summary = Summary::of(&histogram.distribution(), Kind::Count, Confidence::DEFAULT);
            (summary.mean.unwrap(), summary.se.unwrap(), summary.n)
        };
        let (six, ten) = (summary(2 * seed, 6), summary(2 * seed + 1, 10));
        separate::of_means(six, ten, Confidence::DEFAULT)
            .is_some_and(|interval| interval.low <= 2.0 && 2.0 <= interval.high)
    });
    within(coverage, 0.94, 0.96, "a die of six and one of ten");
}
