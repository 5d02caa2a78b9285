//! Sets: the combatants of a `count`, which figures show as one.

use crate::output::html::sides::group;
use crate::stats::Interval;

/// One combatant, or all of a `count`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Set<'a> {
    /// Its name, such as `archer` or `brute 1–3`.
    pub(super) name: String,
    pub(super) members: Vec<&'a str>,
}

impl<'a> Set<'a> {
    /// Returns a set for each `count`, whose combatants are numbered from 1, and a set for each other combatant.
    pub(super) fn of(combatants: &[&'a str]) -> Vec<Self> {
        let mut sets: Vec<Self> = Vec::new();
        let mut left = combatants;
        while let Some((first, others)) = left.split_first() {
            let stem = group(first).0;
            let next = |(name, number): &(&&str, usize)| group(name) == (stem, Some(*number));
            let count = match group(first) {
                (_, Some(1)) => 1 + others.iter().zip(2..).take_while(next).count(),
                _ => 1,
            };
            let (members, rest) = left.split_at(count);
            sets.push(Self {
                name: match members {
                    [only] => (*only).to_owned(),
                    _ => format!("{stem} 1\u{2013}{count}"),
                },
                members: members.to_vec(),
            });
            left = rest;
        }
        sets
    }

    /// Returns the name of the set, marked if its number is the mean of several members.
    pub(super) fn each_of_it(&self) -> String {
        match self.members[..] {
            [_] => self.name.clone(),
            _ => format!("{}, each", self.name),
        }
    }
}

/// Returns the note on the number of a group, if there is one, with a blank before it.
pub(super) fn note(sets: &[Set<'_>]) -> &'static str {
    if sets.iter().any(|set| set.members.len() > 1) {
        " A group shows the mean of its members and of their intervals."
    } else {
        ""
    }
}

/// Returns the mean of means, with the mean of their intervals. The standard error of a sum is at most the sum of the
/// standard errors, so the interval is wide enough however the members depend on one another.
pub(super) fn mean(estimates: &[(f64, Option<Interval>)]) -> Option<(f64, Option<Interval>)> {
    if let [only] = estimates {
        return Some(*only);
    }
    let count = estimates.len() as f64;
    let mean = |value: fn(&(f64, Option<Interval>)) -> f64| {
        estimates.iter().map(value).sum::<f64>() / count
    };
    let known = estimates.iter().any(|(_, interval)| interval.is_some());
    let interval = known.then(|| Interval {
        low: mean(|(value, interval)| interval.map_or(*value, |ends| ends.low)),
        high: mean(|(value, interval)| interval.map_or(*value, |ends| ends.high)),
    });
    (count > 0.0).then(|| (mean(|(value, _)| *value), interval))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_combatants_of_a_count_are_one_set() {
        let names = |all: &[&str]| -> Vec<String> {
            Set::of(all).into_iter().map(|set| set.name).collect()
        };
        assert_eq!(
            names(&[
                "goblin 1", "goblin 2", "goblin 3", "shaman", "wolf 1", "wolf 2"
            ]),
            ["goblin 1\u{2013}3", "shaman", "wolf 1\u{2013}2"]
        );
        // A name that just ends in a number is no count, and neither are numbers with gaps.
        assert_eq!(names(&["route 66", "unit 1"]), ["route 66", "unit 1"]);
        assert_eq!(
            names(&["orc 2", "orc 3", "orc 1"]),
            ["orc 2", "orc 3", "orc 1"]
        );
    }

    #[test]
    fn a_set_has_the_mean_of_its_members() {
        let interval = |low, high| Some(Interval { low, high });
        assert_eq!(mean(&[]), None);
        assert_eq!(
            mean(&[(1.0, interval(0.0, 2.0)), (3.0, None)]),
            Some((2.0, interval(1.5, 2.5)))
        );
        assert_eq!(mean(&[(1.0, None), (2.0, None)]), Some((1.5, None)));
    }
}
