//! Intervals of runs that stopped because these intervals were narrow enough.

use super::exact::{ends, probability};
use super::synthetic::{PlayBy, fight_of, mix};
use super::{share, throws, within};
use skirmish::fight::Ending;
use skirmish::fight::Fight;
use skirmish::run::runner::run;
use skirmish::run::stop::NarrowEnough;
use skirmish::run::{Looks, Play, Until};
use skirmish::sim::{Counts, Record};
use skirmish::stats::intervals::of_rate;
use skirmish::stats::{Confidence, Interval, Precision, Summary};
use skirmish::tally::{Histogram, Kind, Tally, metrics};
use std::cell::RefCell;
use std::collections::HashMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::atomic::AtomicBool;

const MOST: NonZeroU64 = NonZeroU64::new(1_000_000_000).unwrap();
const USUAL: Confidence = Confidence::DEFAULT;

/// The intervals of counts of successes and encounters. Runs to different precisions look at the same counts.
type Known = RefCell<HashMap<[u64; 2], Interval>>;

/// Returns the probability that the interval covers the rate when the run has ended, and the mean number of encounters
/// played.
fn stopped(rate: f64, half_width: f64, known: &Known) -> (f64, f64) {
    let interval = |successes, encounters| {
        let found = || of_rate(successes, encounters, USUAL).unwrap();
        let mut known = known.borrow_mut();
        *known.entry([successes, encounters]).or_insert_with(found)
    };
    let ends = ends(rate, Looks::for_precision(MOST).counts(), |s, n| {
        interval(s, n).half_width() <= half_width
    });
    let covered = probability(&ends, |end| {
        let interval = interval(end.successes, end.encounters);
        interval.low <= rate && rate <= interval.high
    });
    let length = ends
        .iter()
        .map(|end| end.encounters as f64 * end.probability);
    (covered, length.sum())
}

#[test]
fn a_rate_is_covered_in_94_to_97_of_100_runs_whenever_they_end() {
    // No simulation. The precisions need about 8,000 to 50,000 encounters, in steps finer than those between looks:
    // what matters most is where exactly a precision lies between two looks.
    for rate in [0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.8, 0.99_f64] {
        let known = Known::default();
        for step in 0..60 {
            let needed = 8000.0 * 1.032_f64.powi(step);
            let half_width = USUAL.z() * (rate * (1.0 - rate) / needed).sqrt();
            let (covered, length) = stopped(rate, half_width, &known);
            within(covered, 0.94, 0.97, &format!("{rate}, ±{half_width}"));
            let least = needed.max(10_000.0);
            within(length / least, 0.96, 1.1, "encounters played");
        }
    }
}

#[test]
fn events_of_1_in_1000_are_covered_in_93_of_100_runs() {
    let known = Known::default();
    for step in 0..30 {
        let needed = 10_000.0 * 1.05_f64.powi(step);
        let half_width = USUAL.z() * (0.001 * 0.999 / needed).sqrt();
        let (covered, _) = stopped(0.001, half_width, &known);
        within(covered, 0.93, 0.98, &format!("±{half_width}"));
    }
}

/// Plays encounters of which 1 in 100 ends with no combatant standing; the damage dealt is a skewed die.
fn rare(seed: u64) -> impl Play {
    PlayBy(move |encounter, record: &mut Record| {
        let luck = mix(mix(seed) ^ encounter);
        record.ending = if luck.is_multiple_of(100) {
            Ending::Mutual
        } else {
            Ending::Win(0)
        };
        let damage = [0, 0, 0, 0, 1, 5][(luck / 100 % 6) as usize];
        record.rounds = 1;
        record.combatants[0] = Counts {
            damage,
            ..Counts::default()
        };
    })
}

/// Plays on to each count of a rule's looks until its intervals are narrow enough, which they must become.
fn play(fight: &Fight, seed: u64, rule: &NarrowEnough) -> Tally {
    let never = AtomicBool::new(false);
    let mut tally = Tally::new(fight);
    for count in Until::Precision(rule.clone()).looks().counts() {
        let range = tally.encounters()..count;
        let more = run(&rare(seed), fight, range, NonZeroUsize::MIN, &never, &());
        tally.merge(&more.unwrap());
        let widest = rule.widest(&tally, USUAL);
        if widest.is_none_or(|widest| widest.excess <= 1.0) {
            return tally;
        }
    }
    panic!("the precision is never reached");
}

#[test]
fn rare_events_are_covered_when_the_whole_program_plays_them() {
    // 8,000 seeds: the standard error of the coverage is 0.24 points.
    let fight = fight_of(&["red", "blue"], &[("ann", 0)]);
    let rule = NarrowEnough {
        precision: "0.18%".parse().unwrap(),
        metrics: vec![metrics::find("mutual").unwrap()],
        most: MOST,
    };
    let mut lengths = Vec::new();
    let covered = (0..8000)
        .filter(|&seed| {
            let tally = play(&fight, seed, &rule);
            lengths.push(tally.encounters());
            let mutuals = tally.distribution(rule.metrics[0], 0).count(1);
            let interval = of_rate(mutuals, tally.encounters(), USUAL).unwrap();
            interval.low <= 0.01 && 0.01 <= interval.high
        })
        .count();
    within(covered as f64 / 8000.0, 0.94, 0.96, "1%");
    lengths.sort_unstable();
    assert!(lengths[0] < lengths[7999], "each seed has its own end");
}

/// Returns whether the interval covers the mean of a run of values that ends when the interval is narrow enough.
fn mean_is_covered(values: &[u32], precision: &str, seed: u64) -> bool {
    let precision: Precision = precision.parse().unwrap();
    let mean = f64::from(values.iter().sum::<u32>()) / values.len() as f64;
    let mut throws = throws(seed, values.len() as u64);
    let (mut histogram, mut seen) = (Histogram::default(), 0);
    for count in Looks::for_precision(MOST).counts() {
        for throw in throws.by_ref().take((count - seen) as usize) {
            histogram.add(values[throw as usize], 0);
        }
        seen = count;
        let summary = Summary::of(&histogram.distribution(), Kind::Count, USUAL);
        if precision.excess(&summary, Kind::Count).unwrap() <= 1.0 {
            let interval = summary.interval.unwrap();
            return interval.low <= mean && mean <= interval.high;
        }
    }
    false
}

#[test]
fn means_are_covered_in_94_to_97_of_100_runs() {
    // 8,000 seeds: the standard error of the coverage is 0.24 points. Each run takes 12,000 to 17,000 throws of a die
    // that is skewed, or of one that is nearly always 0.
    let skewed = [0, 0, 0, 0, 1, 5];
    let mut rare = [0; 50];
    rare[0] = 30;
    for (values, precision) in [
        (&skewed[..], "0.03"),
        (&skewed[..], "2.8%"),
        (&rare[..], "12%"),
        (&rare[..], "0.07"),
    ] {
        let covered = share(8000, |seed| mean_is_covered(values, precision, seed));
        within(covered, 0.94, 0.97, precision);
    }
}
