//! Decisions on results that are inspected while the simulation runs.
//!
//! A decision from a single look at a 95% interval is wrong at most 5 times in 100. Repeated looks that stop as soon as
//! the interval excludes the threshold are wrong far more often, because each look is another chance to err. So each
//! look uses a higher level. Successive looks share most of their encounters, so the level need not be as high as for
//! independent looks.

use super::{Confidence, normal};

/// The share of the error that normal theory may use. The rest covers its approximations: counts are whole numbers, and
/// standard deviations are estimated.
const SPENT: f64 = 0.95;

/// Integration steps for each standard deviation of the increment between two looks: the result is off by
/// less than a ten-thousandth of the error.
const STEPS: f64 = 8.0;

/// Returns the level for each single look at which all looks together keep the level `together`: the probability that
/// the interval of any look misses the true value is at most `together.error()`. The looks are at `counts` encounters,
/// in rising order.
///
/// The boundary is the same at every look (S. J. Pocock, "Group sequential methods in the design and analysis of
/// clinical trials", Biometrika 64 (1977)). It is found by integrating over the encounters that the looks share (P.
/// Armitage, C. K. `McPherson` and B. C. Rowe, "Repeated significance tests on accumulating data", Journal of the Royal
/// Statistical Society A 132 (1969)). The normal values of two looks are correlated by the root of the ratio of their
/// counts, like any sums of independent encounters: rates, means, differences of pairs. A twentieth of the error is
/// reserved for the approximations of normal theory. A single look has the level `together` itself.
///
/// # Panics
/// If there are no counts, or they do not rise.
pub fn each(together: Confidence, counts: &[u64]) -> Confidence {
    assert_rising(counts);
    if counts.len() == 1 {
        return together;
    }
    let z = boundary(together.error() * SPENT, counts);
    Confidence::of_error(2.0 * normal::upper_tail(z)).unwrap_or(together)
}

fn assert_rising(counts: &[u64]) {
    assert!(
        counts.first().is_some_and(|&first| first > 0) && counts.is_sorted_by(|a, b| a < b),
        "looks that do not rise"
    );
}

/// Returns the boundary that the normal value of at least one look exceeds with probability `error`. The result is
/// within a millionth of the exact boundary, and never below it.
fn boundary(error: f64, counts: &[u64]) -> f64 {
    // A single look needs at least the lower boundary. Independent looks need at most an equal share of the error each
    // (Bonferroni).
    let shared = error / counts.len() as f64;
    let mut low = normal::quantile_above(error / 2.0);
    let mut high = normal::quantile_above(shared / 2.0);
    while high - low > 1e-6 {
        let middle = f64::midpoint(low, high);
        if crossing(middle, counts) > error {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Returns the probability that at least one of the looks at `counts` encounters shows a p-value as small as `p_value`
/// under the null hypothesis: the p-value adjusted for repeated looks. It is the inverse of [`each`], with the same
/// reserve: the result is at most `together.error()` exactly if `p_value` is at most the error of the level of each
/// look.
///
/// # Panics
/// If there are no counts, or they do not rise, or `p_value` is not from 0 to 1.
pub fn ever(p_value: f64, counts: &[u64]) -> f64 {
    assert!((0.0..=1.0).contains(&p_value), "no probability: {p_value}");
    assert_rising(counts);
    if counts.len() == 1 {
        return p_value;
    }
    // The probabilities of independent looks add up. This far out in the tail that is nearly so for all looks.
    let shared = (p_value * counts.len() as f64 / SPENT).min(1.0);
    if p_value < 1e-12 {
        return shared;
    }
    let crossed = crossing(normal::quantile_above(p_value / 2.0), counts);
    (crossed / SPENT).clamp(p_value, shared)
}

/// Returns the probability that the normal value of at least one look is beyond `boundary`, to either side.
///
/// The two sides are symmetric, so only the absolute value is followed: its density among paths that have never crossed
/// the boundary, on a grid from 0 to the boundary.
fn crossing(boundary: f64, counts: &[u64]) -> f64 {
    let new = |pair: &[u64]| (1.0 - pair[0] as f64 / pair[1] as f64).sqrt();
    let mut crossed = 2.0 * normal::upper_tail(boundary);
    let mut grid = Grid::new(boundary, counts.windows(2).next().map_or(1.0, new));
    let mut density: Vec<f64> = grid.points().map(|z| 2.0 * normal::density(z)).collect();
    for (index, pair) in counts.windows(2).enumerate() {
        let (old, new_share) = ((pair[0] as f64 / pair[1] as f64).sqrt(), new(pair));
        let weighted: Vec<(f64, f64)> = grid
            .points()
            .zip(&density)
            .enumerate()
            .map(|(at, (z, density))| (old * z, density * grid.weight(at)))
            .collect();
        let beyond = |z: f64| {
            normal::upper_tail((boundary - z) / new_share)
                + normal::upper_tail((boundary + z) / new_share)
        };
        crossed += weighted.iter().map(|(z, w)| w * beyond(*z)).sum::<f64>();
        let Some(next) = counts[index + 1..].windows(2).next() else {
            break;
        };
        grid = Grid::new(boundary, new(next).min(new_share));
        let near = |to: f64, from: f64| normal::density((to - from) / new_share) / new_share;
        density = grid
            .points()
            .map(|to| {
                let all = weighted.iter();
                all.map(|&(from, w)| w * (near(to, from) + near(to, -from)))
                    .sum()
            })
            .collect();
    }
    crossed
}

/// Points from 0 to a boundary, with the weights of Simpson's rule.
struct Grid {
    step: f64,
    intervals: usize,
}

impl Grid {
    /// Creates a grid that is fine enough for a density that changes over a distance of `scale`.
    fn new(boundary: f64, scale: f64) -> Self {
        let intervals = (boundary / scale * STEPS).ceil() as usize;
        let intervals = intervals.clamp(16, 4096).next_multiple_of(2);
        Self {
            step: boundary / intervals as f64,
            intervals,
        }
    }

    fn points(&self) -> impl Iterator<Item = f64> + '_ {
        (0..=self.intervals).map(|at| at as f64 * self.step)
    }

    fn weight(&self, at: usize) -> f64 {
        let parts = match at {
            0 => 1.0,
            at if at == self.intervals => 1.0,
            at if at % 2 == 1 => 4.0,
            _ => 2.0,
        };
        parts * self.step / 3.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C. Jennison and B. W. Turnbull, "Group Sequential Methods with Applications to Clinical
    /// Trials" (2000), table 2.1: Pocock's constants for equally spaced looks.
    #[test]
    fn the_boundaries_are_the_published_ones() {
        for (error, looks, published) in [
            (0.05, 1, 1.960),
            (0.05, 2, 2.178),
            (0.05, 3, 2.289),
            (0.05, 4, 2.361),
            (0.05, 5, 2.413),
            (0.05, 10, 2.555),
            (0.05, 20, 2.672),
            (0.01, 2, 2.772),
            (0.01, 5, 2.986),
            (0.01, 10, 3.117),
            (0.1, 5, 2.122),
        ] {
            let counts: Vec<u64> = (1..=looks).map(|look| look * 1000).collect();
            let z = boundary(error, &counts);
            assert!((z - published).abs() < 0.000_6, "{error}, {looks}: {z}");
        }
    }

    #[test]
    fn a_probability_found_by_looking_is_the_error_of_looking_that_far() {
        let counts: Vec<u64> = (0..9).map(|look| 1000 << look).collect();
        for error in [0.3, 0.05, 1e-4, 1e-9] {
            let single = each(Confidence::of_error(error).unwrap(), &counts).error();
            let found = ever(single, &counts);
            assert!((found / error - 1.0).abs() < 1e-3, "{found} is not {error}");
        }
        assert!((ever(0.05, &[1000]) - 0.05).abs() < 1e-15);
        assert!((ever(0.0, &counts), ever(1.0, &counts)) == (0.0, 1.0));
    }

    #[test]
    fn finer_steps_change_nothing() {
        let counts: Vec<u64> = (0..12).map(|look| 1000 << look).collect();
        let fine = |z: f64| {
            // Looks that share more have a grid twice as fine. One more look with hardly any new encounters hardly
            // changes the probability.
            let mut more = counts.clone();
            more.insert(6, counts[5] + 1);
            (crossing(z, &counts), crossing(z, &more))
        };
        for z in [2.0, 2.8, 5.0] {
            let (coarse, fine) = fine(z);
            assert!(
                coarse <= fine * 1.000_1 && fine < coarse * 1.01,
                "{coarse}, {fine}"
            );
        }
    }

    #[test]
    fn the_level_lies_between_one_look_and_looks_that_share_nothing() {
        for (grows, looks) in [(2, 17), (1000, 5)] {
            let counts: Vec<u64> = (0..looks).map(|look| 10 * u64::pow(grows, look)).collect();
            for error in [0.05, 1e-6] {
                let together = Confidence::of_error(error).unwrap();
                let each = each(together, &counts).error();
                let least = SPENT * error / f64::from(looks) * (1.0 - 1e-9);
                assert!(each < error && each >= least, "{each}");
            }
        }
    }

    #[test]
    fn one_look_needs_nothing() {
        assert_eq!(each(Confidence::DEFAULT, &[5]), Confidence::DEFAULT);
    }
}
