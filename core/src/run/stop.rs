//! The rules that end a run.

use crate::exact::Budget;
use crate::stats::precision::{Precision, Widest};
use crate::stats::{Confidence, sequential};
use crate::tally::{Metric, Tally};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

/// When to end the play of a fight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Until {
    /// After a fixed count of encounters.
    Encounters(NonZeroU64),
    /// When the intervals of metrics are narrow enough, for each variant by itself.
    Precision(NarrowEnough),
    /// When every comparison is decided: there is a difference, or none that matters.
    Decided(Decided),
    /// When every expectation is decided.
    Looks {
        /// The encounters of the first look.
        first: NonZeroU64,
        /// `--max-encounters`.
        most: NonZeroU64,
    },
    /// When the fight is solved, within `--max-states` and `--bound`. No encounter is played.
    Exact(Budget),
}

/// Ends a run when every difference is decided: shown, or too small to matter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// `--indifference`: the greatest difference that does not matter.
    pub indifference: Precision,
    /// `--max-encounters`: the most to play, even if differences are still undecided.
    pub most: NonZeroU64,
}

/// Ends a run when the widest interval is narrow enough.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NarrowEnough {
    /// `--precision`: the widest interval that is allowed.
    pub precision: Precision,
    /// `--metric`: the metrics whose intervals count, for all their subjects. Each has a mean.
    #[serde(rename = "metric")]
    pub metrics: Vec<&'static Metric>,
    /// `--max-encounters`: the most to play, however wide the intervals are.
    pub most: NonZeroU64,
}

impl NarrowEnough {
    /// Returns the widest interval; `None` if no encounter showed a value, so that no interval can become narrower.
    pub fn widest(&self, tally: &Tally, confidence: Confidence) -> Option<Widest> {
        self.precision.widest(tally, &self.metrics, confidence)
    }
}

impl Until {
    /// Returns the schedule of looks: the counts of encounters at which the rule may end the run.
    pub fn looks(&self) -> Looks {
        match self {
            Self::Encounters(count) => Looks::new(*count, 100, *count),
            Self::Precision(rule) => Looks::for_precision(rule.most),
            Self::Decided(rule) => {
                const FIRST: NonZeroU64 = NonZeroU64::new(1000).unwrap();
                Looks::for_decisions(FIRST, rule.most)
            }
            Self::Looks { first, most } => Looks::for_decisions(*first, *most),
            Self::Exact(_) => Looks::new(NonZeroU64::MIN, 100, NonZeroU64::MIN),
        }
    }

    /// Returns the most that solving may cost, if fights are solved instead of played.
    pub fn budget(&self) -> Option<Budget> {
        match self {
            Self::Exact(budget) => Some(*budget),
            _ => None,
        }
    }

    /// Returns the number of encounters, if it is fixed.
    pub fn encounters(&self) -> Option<NonZeroU64> {
        match self {
            Self::Encounters(encounters) => Some(*encounters),
            _ => None,
        }
    }

    /// Returns the most encounters of a fight; 1 for a solution.
    pub fn most(&self) -> NonZeroU64 {
        match self {
            Self::Exact(_) => NonZeroU64::MIN,
            Self::Encounters(most) | Self::Looks { most, .. } => *most,
            Self::Precision(rule) => rule.most,
            Self::Decided(rule) => rule.most,
        }
    }

    /// Returns whether fights are solved instead of played.
    pub fn is_exact(&self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// Returns the name of the ranges that show the possible error of numbers.
    pub fn intervals(&self, confidence: Confidence) -> String {
        match self {
            Self::Exact(_) => "bounds".to_owned(),
            _ => format!("{confidence} interval"),
        }
    }
}

/// The reason why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The stopping rule was satisfied.
    Enough,
    /// The most encounters that the rule allows were played.
    Exhausted,
    /// The run was stopped from outside.
    Interrupted,
    /// The fight is too large to be solved.
    TooLarge,
    /// Some of the run's parts were missing when they were merged.
    Partial,
}

impl Ended {
    /// Returns whether a run that was not split into parts has fewer results than were asked for.
    pub const fn is_early(self) -> bool {
        matches!(self, Self::Interrupted | Self::TooLarge)
    }
}

/// The schedule of looks: the counts of encounters at which a stopping rule may decide.
///
/// It depends neither on results nor on time or threads, so that a rule decides the same on every machine.
/// Counts grow by a fixed percentage: more frequent looks cost time and accuracy and gain little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Looks {
    first: NonZeroU64,
    percent: u64,
    most: NonZeroU64,
}

impl Looks {
    /// Creates looks at `first` encounters, then at `percent` per cent of the last count, rounded up, and a last look
    /// at `most`. Each look is at least one encounter after the one before.
    pub const fn new(first: NonZeroU64, percent: u64, most: NonZeroU64) -> Self {
        Self {
            first,
            percent,
            most,
        }
    }

    /// Returns the looks of a run that waits for narrow intervals: from 10,000 encounters on, with 5% more each time.
    /// `docs/STATISTICS.md` gives the reasons.
    pub const fn for_precision(most: NonZeroU64) -> Self {
        const FIRST: NonZeroU64 = NonZeroU64::new(10_000).unwrap();
        Self::new(FIRST, 105, most)
    }

    /// Returns the looks of a run that waits for a decision: with half as many encounters more each time. Decisions
    /// must be made with [`Looks::each`].
    pub const fn for_decisions(first: NonZeroU64, most: NonZeroU64) -> Self {
        Self::new(first, 150, most)
    }

    /// Returns the counts, rising. The last one is the most that is allowed.
    pub fn counts(self) -> impl Iterator<Item = u64> {
        let most = self.most.get();
        std::iter::successors(Some(self.first.get().min(most)), move |&count| {
            let next = (u128::from(count) * u128::from(self.percent)).div_ceil(100);
            let next = u64::try_from(next)
                .unwrap_or(u64::MAX)
                .max(count.saturating_add(1));
            (count < most).then_some(next.min(most))
        })
    }

    /// Returns the level at which each look must decide so that all looks together decide wrongly no more often than
    /// `together` allows: [`sequential::each`].
    pub fn each(self, together: Confidence) -> Confidence {
        let counts: Vec<u64> = self.counts().collect();
        sequential::each(together, &counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(first: u64, percent: u64, most: u64) -> Vec<u64> {
        let count = |n| NonZeroU64::new(n).unwrap();
        Looks::new(count(first), percent, count(most))
            .counts()
            .collect()
    }

    #[test]
    fn looks_grow_geometrically_and_end_at_the_bound() {
        assert_eq!(counts(10, 150, 60), [10, 15, 23, 35, 53, 60]);
        assert_eq!(counts(10, 150, 53), [10, 15, 23, 35, 53]);
        assert_eq!(counts(10, 150, 7), [7]);
        assert_eq!(counts(10, 100, 10), [10]);
        assert_eq!(counts(1, 100, 4), [1, 2, 3, 4], "each look sees more");
        let far = counts(1, 1000, u64::MAX);
        assert_eq!((far.len(), far.last()), (21, Some(&u64::MAX)));
    }

    #[test]
    fn a_fixed_count_is_looked_at_once() {
        let rule = Until::Encounters(NonZeroU64::new(1234).unwrap());
        assert_eq!(rule.looks().counts().collect::<Vec<_>>(), [1234]);
    }
}
