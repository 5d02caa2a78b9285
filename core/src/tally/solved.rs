//! The metrics of a solved fight, in place of counts.

use super::Metric;

/// The solution of a fight.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The number of reachable states.
    pub states: u64,
    /// The last Round that was solved.
    pub rounds: u32,
    /// The probability of encounters that were not followed to their end. The bounds hold however they end.
    pub undecided: f64,
    /// The results, in the order of all output.
    pub facts: Vec<SolvedMetric>,
}

/// The result for one metric of one subject of a solved fight.
#[derive(Debug, Clone, PartialEq)]
pub struct SolvedMetric {
    /// The metric.
    pub metric: &'static Metric,
    /// The index of the subject.
    pub subject: usize,
    /// A lower bound of the mean, the mean, and an upper bound; `None` if no encounter has a value, and for metrics
    /// without a mean.
    pub mean: Option<[f64; 3]>,
    /// The probability of each value, in rising order of value, if it is known. For `standing` the values are Rounds.
    pub weights: Option<Vec<(u32, f64)>>,
    /// The greatest error of a probability in `weights`.
    pub error: f64,
}

impl SolvedMetric {
    /// Returns bounds of the probability of a value whose weight is `weight`.
    pub fn bounds(&self, weight: f64) -> [f64; 2] {
        let low = (weight - self.error).next_down().max(0.0);
        [low, (weight + self.error).next_up().min(1.0)]
    }

    /// Returns whether some encounters were not followed to their end, beyond rounding errors.
    fn is_open(&self) -> bool {
        self.error > 1e-9
    }

    /// Returns the standard deviation of a single encounter; `None` if the probabilities are unknown or left open by
    /// their bounds.
    ///
    /// Deviations are taken from the mean, so that no digits cancel.
    pub fn sd(&self) -> Option<f64> {
        let ([_, mean, _], weights) = (self.mean?, self.weights.as_ref()?);
        if self.is_open() {
            return None;
        }
        let squares = weights
            .iter()
            .map(|&(value, weight)| weight * (f64::from(value) - mean).powi(2));
        Some(squares.sum::<f64>().sqrt())
    }

    /// Returns the quantile at `percent`: the least value up to which the probabilities reach that share. `None` if the
    /// probabilities are unknown, or if their errors leave the value open.
    pub fn quantile(&self, percent: u64) -> Option<u32> {
        let weights = self.weights.as_ref()?;
        let mut came = weights.iter().filter(|(_, weight)| *weight > 0.0);
        match percent {
            0 | 100 if self.is_open() => return None,
            0 => return came.next().map(|(value, _)| *value),
            100 => return came.next_back().map(|(value, _)| *value),
            _ => {}
        }
        let share = percent as f64 / 100.0;
        let slack = self.error * weights.len() as f64;
        let mut below = 0.0;
        for (value, weight) in weights {
            below += weight;
            if below >= share - slack {
                return (below >= share + slack).then_some(*value);
            }
        }
        None
    }
}
