//! The binomial distribution: how many of n trials succeed.
//!
//! Probabilities are sums of weights relative to the likeliest number of successes, each weight made from its
//! neighbour. The sums need no factorial and no logarithm, nothing overflows, and a weight that underflows is too small
//! to affect a result. A sum takes some dozens of standard deviations of steps, which is fast even for a million
//! million trials.

use super::normal;

/// The most trials whose probabilities are summed: a million million. Above, the normal approximation is used.
const SUMMED: u64 = 1 << 40;

/// The numbers of successes among `trials`, each of which succeeds with probability `success` and
/// fails with probability `failure`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Binomial {
    trials: u64,
    success: f64,
    failure: f64,
}

impl Binomial {
    /// Returns the distribution with a success rate of `percent` per cent, from 1 to 99.
    pub(super) fn of_percent(trials: u64, percent: u64) -> Self {
        assert!((1..100).contains(&percent), "no quantile: {percent}%");
        Self {
            trials,
            success: percent as f64 / 100.0,
            failure: (100 - percent) as f64 / 100.0,
        }
    }

    /// Returns the distribution with a success rate of `success`, above 0 and below 1.
    #[cfg(test)]
    pub(super) fn of_rate(trials: u64, success: f64) -> Self {
        Self {
            trials,
            success,
            failure: 1.0 - success,
        }
    }

    /// Returns the distribution of the number of failures.
    pub(super) fn mirrored(self) -> Self {
        Self {
            success: self.failure,
            failure: self.success,
            ..self
        }
    }

    /// Returns the probability of `count` successes or fewer. Probabilities below 1e-290 may be returned as 0; others
    /// are good to nine digits.
    ///
    /// Above 2^40 trials the result is that of the normal distribution with continuity correction; with a success rate
    /// of one half it is off by less than a millionth of its value.
    pub(super) fn at_most(self, count: u64) -> f64 {
        if count >= self.trials {
            return 1.0;
        }
        let mode = self.mode();
        if count > mode {
            return 1.0 - self.mirrored().at_most(self.trials - count - 1);
        }
        if self.trials > SUMMED {
            let n = self.trials as f64;
            let sd = (n * self.success * self.failure).sqrt();
            return normal::upper_tail((n * self.success - count as f64 - 0.5) / sd);
        }
        let mut weight = 1.0;
        for k in (count..mode).rev() {
            weight *= self.down(k);
            if weight < 1e-300 {
                return 0.0;
            }
        }
        let mut sum = 0.0;
        let mut k = count;
        while weight > sum * 1e-18 {
            sum += weight;
            if k == 0 {
                break;
            }
            k -= 1;
            weight *= self.down(k);
        }
        sum / self.total()
    }

    /// Returns the greatest number of successes that has at most the probability `tail` of not being exceeded; `None`
    /// if even zero successes are more probable than `tail`.
    ///
    /// Above 2^40 trials the result is that of the normal distribution, whose tail is off by less than a ten-thousandth
    /// of its value.
    pub(super) fn lower_bound(self, tail: f64) -> Option<u64> {
        if self.trials > SUMMED {
            let n = self.trials as f64;
            let z = normal::quantile_above(tail);
            let sd = (n * self.success * self.failure).sqrt();
            return Some((n * self.success - z * sd - 1.0) as u64);
        }
        // Step down to negligible weights, then add upwards, the smallest weight first.
        let wanted = tail * self.total();
        let mut k = self.mode();
        let mut weight = 1.0;
        while k > 0 && weight > wanted * 1e-20 {
            k -= 1;
            weight *= self.down(k);
        }
        let mut sum = weight;
        while sum <= wanted {
            weight /= self.down(k);
            k += 1;
            sum += weight;
        }
        k.checked_sub(1)
    }

    /// Returns the likeliest number of successes.
    fn mode(self) -> u64 {
        ((self.trials as f64 + 1.0) * self.success) as u64
    }

    /// Returns the probability of `k` successes as a multiple of the probability of `k + 1`.
    fn down(self, k: u64) -> f64 {
        (k + 1) as f64 / (self.trials - k) as f64 * (self.failure / self.success)
    }

    /// Returns the sum of all weights, where the mode has weight 1.
    fn total(self) -> f64 {
        let mode = self.mode();
        let mut total = 1.0;
        let mut weight = 1.0;
        for k in (0..mode).rev() {
            weight *= self.down(k);
            total += weight;
            if weight < 1e-20 {
                break;
            }
        }
        weight = 1.0;
        for k in mode..self.trials {
            weight /= self.down(k);
            total += weight;
            if weight < 1e-20 {
                break;
            }
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::alike;
    use statrs::distribution::{self, DiscreteCDF};

    #[test]
    fn probabilities_are_those_of_the_distribution() {
        for trials in [1, 2, 7, 40, 1000, 50_000] {
            for percent in [1, 5, 25, 50, 83, 99] {
                let ours = Binomial::of_percent(trials, percent);
                let other = distribution::Binomial::new(percent as f64 / 100.0, trials).unwrap();
                for part in 0..=40 {
                    let count = trials * part / 40;
                    let (found, expected) = (ours.at_most(count), other.cdf(count));
                    assert!(
                        alike(found, expected, 1e-8) || found.max(expected) < 1e-290,
                        "{count} of {trials} at {percent}%: {found} is not {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_bound_is_where_the_tail_ends() {
        for trials in [1, 2, 6, 40, 1000, 50_000, 10_000_000] {
            for percent in [1, 5, 25, 50, 83, 99] {
                let binomial = Binomial::of_percent(trials, percent);
                for tail in [0.25, 0.025, 0.005, 5e-7] {
                    let bound = binomial.lower_bound(tail);
                    assert!(bound.is_none_or(|k| binomial.at_most(k) <= tail));
                    assert!(binomial.at_most(bound.map_or(0, |k| k + 1)) > tail);
                }
            }
        }
    }

    #[test]
    fn where_the_normal_distribution_takes_over_it_is_as_good() {
        for percent in [5, 50, 95] {
            let last = Binomial::of_percent(SUMMED, percent);
            let first = Binomial::of_percent(SUMMED + 1, percent);
            for tail in [0.025, 5e-7] {
                let count = last.lower_bound(tail).unwrap();
                assert!(alike(last.at_most(count), first.at_most(count), 1e-4));
                assert!(count.abs_diff(first.lower_bound(tail).unwrap()) < 20);
            }
        }
        let half = Binomial::of_percent(SUMMED, 50);
        let more = Binomial::of_percent(SUMMED + 1, 50);
        let far = SUMMED / 2 - 5_000_000;
        let (last, first) = (half.at_most(far), more.at_most(far));
        assert!(last < 1e-20 && alike(last, first, 1e-4), "{last}, {first}");
    }
}
