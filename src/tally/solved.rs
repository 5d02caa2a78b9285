//! The metrics of a solved fight, in the place of counts.

use super::Metric;

/// A solved fight.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The situations that can come about.
    pub states: u64,
    /// The last Round that was played.
    pub rounds: u32,
    /// The share of the encounters that was not followed to its end. The bounds hold whatever comes of it.
    pub undecided: f64,
    /// What there is to say, in the order of all output.
    pub facts: Vec<Fact>,
}

/// One metric of one subject of a solved fight.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// The metric.
    pub metric: &'static Metric,
    /// The index of its subject.
    pub subject: usize,
    /// A lower bound of the mean, the mean, and an upper bound; none if no encounter has a value, and for
    /// metrics that have no mean.
    pub mean: Option<[f64; 3]>,
    /// The probability of each value, rising, where it is known. For `standing` the values are Rounds.
    pub weights: Option<Vec<(u32, f64)>>,
    /// How far at most a true probability is from these.
    pub error: f64,
}

impl Fact {
    /// Bounds of the probability of a value whose weight is `weight`.
    #[must_use]
    pub fn bounds(&self, weight: f64) -> [f64; 2] {
        let low = (weight - self.error).next_down().max(0.0);
        [low, (weight + self.error).next_up().min(1.0)]
    }

    /// Whether some encounters were not followed to their end, beyond what rounding makes.
    fn is_open(&self) -> bool {
        self.error > 1e-9
    }

    /// The standard deviation of an encounter; none where the probabilities are not known, or bounds leave them open.
    ///
    /// Deviations are taken from the mean, so that no digits cancel.
    #[must_use]
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

    /// The quantile at `percent`: the least value up to which the probabilities reach that share. None
    /// where they are not known, or where their errors leave open which value it is.
    #[must_use]
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
