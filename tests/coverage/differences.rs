//! Differences between fights: on the same dice, and on dice of their own.

use crate::exact::poisson;
use crate::intervals::rare;
use crate::{LEVELS, Worst, share, throws, within};
use skirmish::stats::paired::{Difference, Luck};
use skirmish::stats::{Confidence, Interval, separate};
use skirmish::tally::{Distribution, Histogram, Kind, Pairs};

/// Seeds: four standard errors of a coverage of 95% are 0.98 points.
const RUNS: u64 = 8000;

/// The greatest value that a count can show.
const MOST: u32 = 40;

/// Returns the interval of the difference between two fights' values, encounter by encounter; `None` stands for an
/// encounter without a value.
fn difference(
    encounters: impl Iterator<Item = (Option<u32>, Option<u32>)>,
    kind: Kind,
    luck: Luck,
    level: Confidence,
) -> Option<Interval> {
    let mut pairs = Pairs::default();
    let mut histograms = [Histogram::default(), Histogram::default()];
    for (encounter, (first, second)) in (0..).zip(encounters) {
        for (histogram, value) in histograms.iter_mut().zip([first, second]) {
            if let Some(value) = value {
                histogram.add(value, encounter);
            }
        }
        if let (Some(first), Some(second)) = (first, second) {
            pairs.add(encounter, first.into(), second.into());
        }
    }
    let limit = if kind == Kind::Rate { 1 } else { MOST };
    let values = histograms.map(|histogram| histogram.distribution().up_to(Some(limit)));
    let values: [&Distribution; 2] = values.each_ref();
    Difference::of_means(&pairs, values, kind, luck, level)?.interval
}

/// Returns whether the 95% interval of the difference of `pairs` covers the truth.
fn covers(pairs: impl Iterator<Item = (u32, u32)>, kind: Kind, luck: Luck, truth: f64) -> bool {
    let encounters = pairs.map(|(first, second)| (Some(first), Some(second)));
    difference(encounters, kind, luck, Confidence::DEFAULT)
        .is_some_and(|interval| interval.low <= truth && truth <= interval.high)
}

/// No simulation: in 20,000 encounters the counts of events only in the first fight, and only in the second, are
/// practically Poisson. The cases include differences in one direction only, and of less than one encounter.
/// Returns the pairs of `n` encounters in which an event never happened in both fights: `events[0]` times in the first,
/// `events[1]` times in the second.
pub(crate) fn exclusive(n: u64, events: [u64; 2]) -> Pairs {
    let mut pairs = Pairs::default();
    (0..events[0]).for_each(|encounter| pairs.add(encounter, 1, 0));
    (0..events[1]).for_each(|encounter| pairs.add(encounter, 0, 1));
    pairs.n = n;
    pairs
}

#[test]
fn differences_of_rare_rates_are_covered_at_every_level() {
    const N: u64 = 20_000;
    for level in LEVELS {
        let level: Confidence = level.parse().unwrap();
        let mut worst = Worst::new("difference of rates on the same dice", level);
        for first in [0.0, 0.3, 1.0, 3.0, 10.0, 40.0] {
            for second in [0.0, 0.2, 0.5, 1.0, 2.0, 4.0, 7.0, 15.0, 40.0, 80.0] {
                let truth = (second - first) / N as f64;
                let mut covered = 0.0;
                for (b, chance) in poisson(first) {
                    for (c, other) in poisson(second) {
                        let pairs = exclusive(N, [b, c]);
                        let kind = Kind::Rate;
                        let found = Difference::of_pairs(&pairs, kind, None, level).unwrap();
                        let interval = found.interval.unwrap();
                        if interval.low <= truth && truth <= interval.high {
                            covered += chance * other;
                        }
                    }
                }
                worst.add(covered, || format!("{first} and {second} expected"));
            }
        }
        // The sums leave out less than 1e-6.
        worst.is_at_least(level.level() - 1e-6);
    }
}

/// Of 1000 pairs `both` are (1, 1), `first` are (1, 0) and `second` are (0, 1).
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
                    (1, u32::from(throw < both))
                } else {
                    (0, u32::from(throw < both + first + second))
                }
            };
            let pairs = throws(seed, 1000).take(n).map(pair);
            covers(pairs, Kind::Rate, Luck::Common, truth)
        });
        let what = format!("{both}, {first}, {second} of 1000, {n} pairs");
        within(coverage, 0.94, 0.975, &what);
    }
}

#[test]
fn differences_of_rates_on_luck_of_their_own_are_covered() {
    for (first, second, n) in [(500, 480, 1000), (950, 970, 1000), (10, 10, 3000)] {
        let truth = f64::from(second - first) / 1000.0;
        let coverage = share(RUNS, |seed| {
            let event = |throw: u32, rate: i32| u32::from((throw as i32) < rate);
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
            0.97,
            &format!("{first} and {second} of 1000"),
        );
    }
}

/// The second value is the first plus another die: the two are correlated, and differ by 3.5 on average.
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
                (die, second + more)
            });
            covers(pairs, Kind::Count, luck, 3.5)
        });
        within(coverage, 0.94, 0.965, luck.name());
    }
}

/// The values are 15 to 25. In a few encounters the second fight's value differs, by up to 10 either way, upwards twice
/// as often.
#[test]
fn differences_of_means_in_which_few_encounters_differ_are_covered() {
    for level in LEVELS {
        let level: Confidence = level.parse().unwrap();
        let mut worst = Worst::new("difference of means on the same dice", level);
        for differing in [3, 5, 10, 20, 50] {
            let n = 600;
            // A third of them differ by -1 to -10, two thirds by 1 to 10.
            let truth = f64::from(differing) / f64::from(n) * 5.5 / 3.0;
            let coverage = share(2000, |seed| {
                let die = u64::from(30 * n / differing as u32);
                let pairs = throws(seed, die).take(n as usize).map(|throw| {
                    let (first, by) = (15 + throw % 11, throw % 10 + 1);
                    let second = match throw / 10 {
                        0 => first - by,
                        1 | 2 => first + by,
                        _ => first,
                    };
                    (Some(first), Some(second))
                });
                difference(pairs, Kind::Count, Luck::Common, level)
                    .is_some_and(|interval| interval.low <= truth && truth <= interval.high)
            });
            worst.add(coverage, || format!("{differing} encounters that differ"));
        }
        // Two standard errors of 2000 runs.
        let error = level.error();
        worst.is_at_least(level.level() - 2.0 * (error * (1.0 - error) / 2000.0).sqrt());
    }
}

/// The values are 5 to 7. In hardly any encounter the second fight's value is the greatest possible, so that most runs
/// show no difference at all.
#[test]
fn differences_that_mostly_stay_hidden_are_covered() {
    for level in LEVELS {
        let level: Confidence = level.parse().unwrap();
        let mut worst = Worst::new("rare difference of means on the same dice", level);
        for every in [200_u32, 600, 2000] {
            let gap = f64::from(MOST) - 6.0;
            let truth = gap / f64::from(every);
            let coverage = share(2000, |seed| {
                let pairs = throws(seed, u64::from(3 * every)).take(600).map(|throw| {
                    let first = 5 + throw % 3;
                    let second = if throw / 3 == 0 { MOST } else { first };
                    (Some(first), Some(second))
                });
                difference(pairs, Kind::Count, Luck::Common, level)
                    .is_some_and(|interval| interval.low <= truth && truth <= interval.high)
            });
            worst.add(coverage, || format!("one encounter of {every} differs"));
        }
        let error = level.error();
        worst.is_at_least(level.level() - 2.0 * (error * (1.0 - error) / 2000.0).sqrt());
    }
}

/// Few pairs of skewed values that have no known limit, and few values of different encounters: no interval is claimed.
/// Of 20 pairs or more there is one, which holds.
#[test]
fn differences_of_few_skewed_values_are_covered() {
    for level in LEVELS {
        let level: Confidence = level.parse().unwrap();
        let mut worst = Worst::new("difference of skewed means", level);
        for n in [2, 5, 9, 19, 20, 40] {
            let (mut shown, mut covered) = (0, 0);
            for seed in 0..2000_u64 {
                let (mut pairs, mut histograms) = (Pairs::default(), <[Histogram; 2]>::default());
                let [first, second] = [0, 1].map(|fight| rare(seed << 9 | n << 1 | fight).1);
                for (encounter, (first, second)) in (0..n).zip(first.zip(second)) {
                    histograms[0].add(first, encounter);
                    histograms[1].add(second, encounter);
                    pairs.add(encounter, first.into(), second.into());
                }
                let values = histograms.map(|one| one.distribution());
                for luck in [Luck::Common, Luck::Separate] {
                    let values = values.each_ref();
                    let found = Difference::of_means(&pairs, values, Kind::Count, luck, level);
                    let found = found.expect("values");
                    assert!(n >= 20 || luck == Luck::Common || found.p_value.is_none());
                    if let Some(interval) = found.interval {
                        shown += 1;
                        covered += u64::from(interval.low <= 0.0 && 0.0 <= interval.high);
                    }
                }
            }
            assert_eq!(shown > 0, n >= 20, "{n} pairs");
            if shown > 0 {
                worst.add(covered as f64 / f64::from(shown), || format!("{n} pairs"));
            }
        }
        let swing = 3.0 * (level.error() / 4000.0).sqrt();
        worst.is_at_least(level.level() - swing);
    }
}

/// The first fight shows a value in three of four encounters, never the largest ones; the second shows one in all. The
/// means are of different encounters, and correlated where both fights have a value.
#[test]
fn differences_of_means_of_different_encounters_are_covered() {
    // Of the faces 0 to 7 the first shows 0 to 5, with mean 2.5; the second adds a die of 3 to all 8 faces.
    let truth = 3.5 + 1.0 - 2.5;
    for level in LEVELS {
        let level: Confidence = level.parse().unwrap();
        let coverage = share(RUNS / 2, |seed| {
            let pairs = throws(seed, 24).take(400).map(|throw| {
                let (die, more) = (throw % 8, throw / 8);
                ((die < 6).then_some(die), Some(die + more))
            });
            difference(pairs, Kind::Count, Luck::Common, level)
                .is_some_and(|interval| interval.low <= truth && truth <= interval.high)
        });
        let (stated, error) = (level.level(), level.error());
        let swing = 3.0 * (error * stated / (RUNS / 2) as f64).sqrt();
        within(
            coverage,
            stated - swing,
            0.97_f64.max(stated + swing),
            &level.to_string(),
        );
    }
}

/// The interval of each median is at 97.5%, so the difference is covered more often than stated.
#[test]
fn differences_of_medians_are_covered_as_often_as_stated_or_more() {
    let cases = [(0, true), (7, true), (7, false)];
    for (level, (shift, same_luck)) in LEVELS
        .iter()
        .flat_map(|level| cases.map(|case| (level, case)))
    {
        let level: Confidence = level.parse().unwrap();
        let coverage = share(2000, |seed| {
            let mut histograms = [Histogram::default(), Histogram::default()];
            let theirs = throws(seed + 1_000_000, 1000);
            for (encounter, (one, other)) in (0..500).zip(throws(seed, 1000).zip(theirs)) {
                histograms[0].add(one, encounter);
                histograms[1].add(if same_luck { one } else { other } + shift, encounter);
            }
            let [first, second] = histograms.map(|histogram| histogram.distribution());
            Difference::of_medians(500, [&first, &second], level)
                .and_then(|difference| difference.interval)
                .is_some_and(|interval| {
                    let truth = f64::from(shift);
                    interval.low <= truth && truth <= interval.high
                })
        });
        within(
            coverage,
            level.level(),
            1.0,
            &format!("{level}, {shift}, {same_luck}"),
        );
    }
}

/// Runs of which only the counts are known, as `check --baseline` compares them. No simulation: in 20,000 encounters
/// the counts of a rare value are practically Poisson.
#[test]
fn differences_of_rare_means_between_runs_are_covered_at_every_level() {
    const N: u64 = 20_000;
    let run = |events| Distribution::of_counts([(0, N - events), (40, events)]).up_to(Some(40));
    for level in LEVELS {
        let level: Confidence = level.parse().unwrap();
        let mut worst = Worst::new("difference of means between runs", level);
        for first in [0.0, 0.3, 3.0, 10.0, 30.0] {
            for second in [0.0, 0.3, 3.0, 10.0, 30.0] {
                let truth = 40.0 * (second - first) / N as f64;
                let mut covered = 0.0;
                for (b, chance) in poisson(first) {
                    for (c, other) in poisson(second) {
                        let interval = separate::of_means(&run(b), &run(c), level).unwrap();
                        if interval.low <= truth && truth <= interval.high {
                            covered += chance * other;
                        }
                    }
                }
                worst.add(covered, || format!("{first} and {second} expected"));
            }
        }
        worst.is_at_least(level.level() - 1e-6);
    }
}

#[test]
fn differences_between_runs_are_covered() {
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
            0.97,
            &format!("{first} and {second} of 1000"),
        );
    }
    let coverage = share(RUNS, |seed| {
        let run = |seed, faces| {
            let mut histogram = Histogram::default();
            for (encounter, throw) in (0..400).zip(throws(seed, faces)) {
                histogram.add(throw, encounter);
            }
            histogram.distribution()
        };
        let (six, ten) = (run(2 * seed, 6), run(2 * seed + 1, 10));
        separate::of_means(&six, &ten, Confidence::DEFAULT)
            .is_some_and(|interval| interval.low <= 2.0 && 2.0 <= interval.high)
    });
    within(coverage, 0.94, 0.96, "a die of six and one of ten");
}
