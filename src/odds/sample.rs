//! The cross-check: the same question rolled, to compare with the exact answer.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use super::args::OutputArgs;
use super::{OddsError, refuse};
use crate::dice::{Distribution, Faces, SampledFaces};
use crate::report::{Fact, Table, Value, real};
use crate::stats::Confidence;
use crate::stats::intervals::of_rate;

/// The greatest number of rolls that can be requested.
const MAX_ROLLS: u64 = 1_000_000_000;

/// The greatest number of dice for all rolls together: a minute or two.
const MAX_FACES: f64 = 2e10;

/// The number of trial rolls that estimate the dice of a roll, before the rolls begin.
const TRIAL: u64 = 100;

/// The value that a standard normal variable exceeds one time in a thousand.
const Z_999: f64 = 3.090_232_306_167_813;

/// The count of each result.
pub(super) struct Tally {
    counts: BTreeMap<i64, u64>,
    rolls: u64,
    seed: u64,
}

/// A source of faces that counts them.
pub(super) struct Counted {
    faces: SampledFaces,
    thrown: u64,
}

impl Faces for Counted {
    #[inline]
    fn face(&mut self, sides: u32) -> u32 {
        self.thrown += 1;
        self.faces.face(sides)
    }
}

/// Rolls the question as often as requested. `roll` returns `None` if a roll does not end.
pub(super) fn tally(
    wanted: &OutputArgs,
    mut roll: impl FnMut(&mut Counted) -> Option<i64>,
) -> Result<Option<Tally>, OddsError> {
    let Some(rolls) = wanted.sample.map(NonZeroU64::get) else {
        return Ok(None);
    };
    if rolls > MAX_ROLLS {
        return refuse(format!(
            "--sample {rolls}: from 1 to {MAX_ROLLS} rolls can be asked for"
        ));
    }
    let endless = || OddsError::input("--sample: a roll of this question finds no end");
    let faces = |seed| Counted {
        faces: SampledFaces::new(seed),
        thrown: 0,
    };
    let mut trial = faces(!wanted.seed);
    for _ in 0..TRIAL {
        roll(&mut trial).ok_or_else(endless)?;
    }
    let expected = trial.thrown as f64 / TRIAL as f64 * rolls as f64;
    if expected > MAX_FACES {
        return refuse(format!(
            "--sample {rolls}: about {expected:.1e} dice would be thrown, the limit is \
             {MAX_FACES:.0e}"
        ));
    }
    let mut tally = Tally {
        counts: BTreeMap::new(),
        rolls,
        seed: wanted.seed,
    };
    let mut faces = faces(wanted.seed);
    for _ in 0..rolls {
        let value = roll(&mut faces).ok_or_else(endless)?;
        *tally.counts.entry(value).or_insert(0) += 1;
    }
    Ok(Some(tally))
}

impl Tally {
    fn share(&self, value: i64) -> (f64, f64, f64) {
        let count = self.counts.get(&value).copied().unwrap_or(0);
        let share = count as f64 / self.rolls as f64;
        // There is at least one roll.
        let interval = of_rate(count, self.rolls, Confidence::DEFAULT);
        let (low, high) = interval.map_or((0.0, 1.0), |interval| (interval.low, interval.high));
        (share, low, high)
    }

    /// Adds the sampled share and its interval to every row whose first cell is a value.
    pub(super) fn extend(&self, table: &mut Table) {
        let more = Table::new(
            "",
            "",
            &[
                ("sampled", "sampled"),
                ("sampled_low", "from"),
                ("sampled_high", "to"),
            ],
        );
        table.columns.extend(more.columns);
        for row in &mut table.rows {
            if let Some(Value::Whole(value)) = row.first() {
                let (share, low, high) = self.share(*value);
                row.extend([share, low, high].map(Value::Chance));
            }
        }
    }

    /// Returns the comparison over all values.
    pub(super) fn verdict(&self, exact: &Distribution) -> Vec<Fact> {
        let (statistic, freedom) = self.chi_squared(exact);
        let critical = critical_value(freedom);
        let verdict = if freedom == 0 {
            "too few rolls to compare".to_owned()
        } else if statistic <= critical {
            "sampled and exact agree".to_owned()
        } else {
            "sampled and exact DISAGREE".to_owned()
        };
        let mean = self
            .counts
            .iter()
            .map(|(&value, &count)| value as f64 * count as f64);
        let mean = mean.sum::<f64>() / self.rolls as f64;
        let error = exact.sd() / (self.rolls as f64).sqrt();
        vec![
            Fact::new(
                "sample_rolls",
                "sampled rolls",
                Value::Whole(self.rolls as i64),
            ),
            Fact::new(
                "sample_seed",
                "seed",
                i64::try_from(self.seed)
                    .map_or_else(|_| Value::Text(self.seed.to_string()), Value::Whole),
            ),
            real("sample_mean", "sampled mean", mean),
            real("sample_mean_error", "its standard error", error),
            real("chi_squared", "chi-squared", statistic),
            Fact::new(
                "chi_squared_freedom",
                "degrees of freedom",
                Value::Whole(freedom as i64),
            ),
            real(
                "chi_squared_critical",
                "passed by chance 1 in 1000",
                critical,
            ),
            Fact::new("verdict", "verdict", Value::Text(verdict)),
        ]
    }

    /// Returns the statistic and its degrees of freedom. Neighbours are grouped until each group has an expected count
    /// of five or more.
    fn chi_squared(&self, exact: &Distribution) -> (f64, usize) {
        let rolls = self.rolls as f64;
        let mut expected: BTreeMap<i64, f64> = exact.iter().map(|(v, p)| (v, p * rolls)).collect();
        for &value in self.counts.keys() {
            expected.entry(value).or_insert(0.0);
        }
        let mut groups: Vec<(f64, f64)> = Vec::new();
        let (mut wanted, mut found) = (0.0, 0.0);
        for (value, expected) in expected {
            wanted += expected;
            found += self.counts.get(&value).copied().unwrap_or(0) as f64;
            if wanted >= 5.0 {
                groups.push((wanted, found));
                (wanted, found) = (0.0, 0.0);
            }
        }
        match groups.last_mut() {
            Some(last) => {
                last.0 += wanted;
                last.1 += found;
            }
            None => groups.push((wanted, found)),
        }
        let distance = |(wanted, found): &(f64, f64)| (found - wanted) * (found - wanted) / wanted;
        (groups.iter().map(distance).sum(), groups.len() - 1)
    }
}

/// The values that chi-squared exceeds one time in a thousand, for up to ten degrees of freedom.
const CRITICAL: [f64; 11] = [
    0.0, 10.828, 13.816, 16.266, 18.467, 20.515, 22.458, 24.322, 26.124, 27.877, 29.588,
];

/// Returns the value that chi-squared exceeds one time in a thousand: from a table, and above it by the cube rule of
/// Wilson and Hilferty, which is right to half a per cent there and needs no logarithm.
fn critical_value(freedom: usize) -> f64 {
    CRITICAL.get(freedom).copied().unwrap_or_else(|| {
        let ninth = 2.0 / (9.0 * freedom as f64);
        let root = 1.0 - ninth + Z_999 * ninth.sqrt();
        freedom as f64 * root * root * root
    })
}

#[cfg(test)]
mod tests {
    use super::critical_value;

    #[test]
    fn critical_values_are_those_of_the_tables() {
        for (freedom, known) in [
            (1, 10.828),
            (3, 16.266),
            (12, 32.909),
            (30, 59.703),
            (100, 149.449),
        ] {
            let error: f64 = critical_value(freedom) / known - 1.0;
            assert!(error.abs() < 0.005, "{freedom}");
        }
    }
}
