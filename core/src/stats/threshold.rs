//! Finds where a curve crosses a threshold with few simulated values.
//!
//! The search simulates a few values first, both ends among them. If two neighbouring simulated values disagree, it
//! simulates the value half-way between them, until they are adjacent. Values agree if their means lie on the same side
//! of the threshold, and either both intervals contain the threshold or neither does.

use super::Interval;
use std::collections::BTreeMap;

/// The number of values that are simulated first, if there are as many.
const LOOKS: usize = 9;

/// The estimate of the curve at one value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The mean.
    pub mean: f64,
    /// The interval of the mean, if the spread is known.
    pub interval: Option<Interval>,
}

impl Level {
    /// Returns whether the mean is at least the threshold.
    fn reaches(&self, threshold: f64) -> bool {
        self.mean >= threshold
    }

    /// Returns whether the curve is at the threshold here, according to guaranteed bounds as narrow as rounding allows.
    pub fn is_at(&self, threshold: f64) -> bool {
        let is_tight = { self.interval }.is_some_and(|bounds| bounds.is_rounding(self.mean));
        is_tight && self.allows(threshold)
    }

    /// Returns whether the data allow the curve to be at the threshold here.
    fn allows(&self, threshold: f64) -> bool {
        match self.interval {
            Some(interval) => interval.low <= threshold && threshold <= interval.high,
            None => self.mean.total_cmp(&threshold).is_eq(),
        }
    }
}

/// The simulated part of a curve: levels by the index of their value.
pub type Played = BTreeMap<usize, Level>;

/// Returns the indices to simulate next, below `values`; none when the search is complete.
pub fn next(played: &Played, values: usize, threshold: f64) -> Vec<usize> {
    if played.is_empty() {
        let last = values.saturating_sub(1);
        let steps = last.min(LOOKS - 1);
        if values == 0 || steps == 0 {
            return (0..values).collect();
        }
        return (0..=steps).map(|step| step * last / steps).collect();
    }
    let says = |level: &Level| (level.reaches(threshold), level.allows(threshold));
    neighbours(played)
        .filter(|((from, one), (to, other))| to - from > 1 && says(one) != says(other))
        .map(|((from, _), (to, _))| from.midpoint(to))
        .collect()
}

/// Returns the pairs of neighbouring simulated values.
fn neighbours(played: &Played) -> impl Iterator<Item = ((usize, &Level), (usize, &Level))> {
    let row = || played.iter().map(|(&value, level)| (value, level));
    row().zip(row().skip(1))
}

/// Two neighbouring values between which the curve crosses the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// The last value on one side.
    pub from: usize,
    /// The first value on the other side.
    pub to: usize,
    /// Whether the curve rises there: the threshold itself belongs to the upper side.
    pub rises: bool,
}

/// The places where a curve crosses a threshold, as far as the simulated values show.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The crossings of the means, from the lowest value to the highest.
    pub crossings: Vec<Crossing>,
    /// The first and the last value whose interval contains the threshold; `None` if no interval does.
    pub compatible: Option<(usize, usize)>,
    /// The last value before all compatible values and crossings, and the first value after them: the true curve
    /// crosses between them, as far as 95% intervals can tell. `None` on a side where the range ends first.
    pub bounds: (Option<usize>, Option<usize>),
    /// Two values that contradict a curve that only rises or only falls, if there are any: the interval of one lies
    /// wholly on the wrong side of the other's interval.
    pub bend: Option<(usize, usize)>,
}

/// Derives the crossings from the simulated values.
pub fn finding(played: &Played, threshold: f64) -> Finding {
    let crossings: Vec<Crossing> = neighbours(played)
        .filter(|((_, one), (_, other))| one.reaches(threshold) != other.reaches(threshold))
        .map(|((from, _), (to, other))| Crossing {
            from,
            to,
            rises: other.reaches(threshold),
        })
        .collect();
    let mut allowed = played
        .iter()
        .filter(|(_, level)| level.allows(threshold))
        .map(|(&value, _)| value);
    let compatible = allowed
        .next()
        .map(|first| (first, allowed.next_back().unwrap_or(first)));
    let inside =
        |value: usize| compatible.is_some_and(|(first, last)| (first..=last).contains(&value));
    let low = compatible.map(|(first, _)| first);
    let high = compatible.map(|(_, last)| last);
    let first = crossings.first().map(|crossing| crossing.to);
    let last = crossings.last().map(|crossing| crossing.from);
    let before = low.into_iter().chain(first).min();
    let after = high.into_iter().chain(last).max();
    let bounds = (
        before.and_then(|edge| {
            let mut below = played.range(..edge).map(|(&value, _)| value);
            below.rfind(|&value| !inside(value))
        }),
        after.and_then(|edge| {
            let mut above = played.range(edge + 1..).map(|(&value, _)| value);
            above.find(|&value| !inside(value))
        }),
    );
    Finding {
        crossings,
        compatible,
        bounds,
        bend: bend(played),
    }
}

/// Returns two values whose order contradicts the order of the ends.
fn bend(played: &Played) -> Option<(usize, usize)> {
    let (_, first) = played.first_key_value()?;
    let (_, last) = played.last_key_value()?;
    let rises = last.mean >= first.mean;
    // A falling curve is a rising one upside down.
    let upright = |level: &Level| {
        let interval = level
            .interval
            .unwrap_or(Interval::new(level.mean, level.mean));
        if rises {
            (interval.low, interval.high)
        } else {
            (-interval.high, -interval.low)
        }
    };
    let mut highest: Option<(usize, f64)> = None;
    for (&value, level) in played {
        let (low, high) = upright(level);
        if let Some((earlier, floor)) = highest
            && high < floor
        {
            return Some((earlier, value));
        }
        if highest.is_none_or(|(_, floor)| low > floor) {
            highest = Some((value, low));
        }
    }
    None
}
