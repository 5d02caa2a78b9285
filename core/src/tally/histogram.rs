//! Histograms: the count of each value, and the first encounter that showed it.

use super::SolvedMetric;
use super::code::{self, Malformed, Reader, contradicts};
use std::collections::BTreeMap;
use std::ops::Range;

/// Values below this have a cell of their own in a table; greater ones are looked up in a tree. Nearly all values of
/// nearly all fights are small, and the table costs at most 32 KiB a histogram.
const DENSE: u32 = 2048;

/// The count of a value, and the lowest number of an encounter that showed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    count: u64,
    /// `u64::MAX` while there is none.
    first: u64,
}

impl Cell {
    const EMPTY: Self = Self {
        count: 0,
        first: u64::MAX,
    };

    #[inline]
    fn add(&mut self, encounter: u64) {
        self.count += 1;
        // A branch, because it is almost never taken, and then nothing is stored.
        if encounter < self.first {
            self.first = encounter;
        }
    }

    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.first = self.first.min(other.first);
    }
}

/// Counts of whole numbers. The memory depends on the values seen, not on how often they occur.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Histogram {
    /// The cells of the values from 0 to the greatest value seen below [`DENSE`], and no more, so that equal counts are
    /// equal histograms.
    dense: Vec<Cell>,
    sparse: BTreeMap<u32, Cell>,
}

impl Histogram {
    /// Counts a value that an encounter showed.
    #[inline]
    pub fn add(&mut self, value: u32, encounter: u64) {
        match self.dense.get_mut(value as usize) {
            Some(cell) => cell.add(encounter),
            None => self.cell(value).add(encounter),
        }
    }

    /// Returns the cell of a value, and creates it if necessary.
    #[cold]
    fn cell(&mut self, value: u32) -> &mut Cell {
        if value >= DENSE {
            return self.sparse.entry(value).or_insert(Cell::EMPTY);
        }
        let index = value as usize;
        if self.dense.len() <= index {
            self.dense.resize(index + 1, Cell::EMPTY);
        }
        &mut self.dense[index]
    }

    /// Adds all counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        if self.dense.len() < other.dense.len() {
            self.dense.resize(other.dense.len(), Cell::EMPTY);
        }
        for (mine, theirs) in self.dense.iter_mut().zip(&other.dense) {
            mine.merge(*theirs);
        }
        for (value, theirs) in &other.sparse {
            self.cell(*value).merge(*theirs);
        }
    }

    /// Writes the counts, which cover `encounters`: the number of distinct values, and for each value, in rising order,
    /// its distance from the successor of the previous value, its count, and the offset of its first encounter from the
    /// start of the range.
    pub(crate) fn encode(&self, encounters: &Range<u64>, out: &mut Vec<u8>) {
        code::write(self.cells().count() as u64, out);
        let mut least = 0;
        for (value, cell) in self.cells() {
            code::write(u64::from(value) - least, out);
            code::write(cell.count, out);
            code::write(cell.first - encounters.start, out);
            least = u64::from(value) + 1;
        }
    }

    /// Reads counts that cover `encounters`. Also returns the number of encounters that showed a value.
    pub(crate) fn decode(
        encounters: &Range<u64>,
        bytes: &mut Reader<'_>,
    ) -> Result<(Self, u64), Malformed> {
        let all = encounters.end - encounters.start;
        let mut histogram = Self::default();
        let (mut least, mut total) = (0u64, 0u64);
        for _ in 0..bytes.number()? {
            let value = least.checked_add(bytes.number()?);
            let value = value.and_then(|value| u32::try_from(value).ok());
            let value = value.ok_or(Malformed::Great)?;
            let (count, first) = (bytes.number()?, bytes.number()?);
            // No encounter before `first` showed the value.
            if count == 0 || first >= all || count > all - first {
                return contradicts("a value came in encounters that were not played");
            }
            total = total
                .checked_add(count)
                .filter(|total| *total <= all)
                .ok_or(Malformed::Contradiction(
                    "more values came than encounters were played",
                ))?;
            let first = encounters.start + first;
            *histogram.cell(value) = Cell { count, first };
            least = u64::from(value) + 1;
        }
        Ok((histogram, total))
    }

    /// Returns the count of a value.
    pub fn count(&self, value: u32) -> u64 {
        self.dense
            .get(value as usize)
            .or_else(|| self.sparse.get(&value))
            .map_or(0, |cell| cell.count)
    }

    /// Returns the distribution of the counted values.
    pub fn distribution(&self) -> Distribution {
        let entries: Vec<_> = self
            .cells()
            .map(|(value, cell)| ValueCount {
                value,
                count: cell.count,
                first: Some(cell.first),
            })
            .collect();
        let total = entries.iter().map(|entry| entry.count).sum();
        Distribution::new(entries, total)
    }

    /// Returns the distribution of 1 for the values for which `counts` is true, and 0 for the others.
    pub fn share(&self, counts: impl Fn(u32) -> bool) -> Distribution {
        let mut shares = Self::default();
        for (value, cell) in self.cells() {
            shares.cell(u32::from(counts(value))).merge(cell);
        }
        shares.distribution().up_to(Some(1))
    }

    fn cells(&self) -> impl Iterator<Item = (u32, Cell)> + '_ {
        let dense = (0..).zip(self.dense.iter().copied());
        let sparse = self.sparse.iter().map(|(&value, &cell)| (value, cell));
        dense.chain(sparse).filter(|(_, cell)| cell.count > 0)
    }
}

/// A value and its count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueCount {
    /// The value.
    pub value: u32,
    /// The number of encounters that showed the value.
    pub count: u64,
    /// The lowest number of these encounters, if single encounters are known.
    pub first: Option<u64>,
}

/// Returns whether `encounters` of `all` are too few to show the range of values: fewer than 20, and less than
/// half of all unless these are fewer than 20 themselves. A value with a share of one in five is missing among 20 once
/// in a hundred runs.
pub fn are_few(encounters: u64, all: u64) -> bool {
    const FEW: u64 = 20;
    encounters < FEW && (encounters < all.div_ceil(2) || all < FEW)
}

/// The counted values, in rising order, with their counts; or the fact of a solved fight.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    entries: Vec<ValueCount>,
    total: u64,
    least: u32,
    limit: Option<u32>,
    fact: Option<SolvedMetric>,
}

impl Distribution {
    /// Creates a distribution from entries in rising order of value, with `total` encounters in all.
    pub(super) fn new(entries: Vec<ValueCount>, total: u64) -> Self {
        Self {
            entries,
            total,
            least: 0,
            limit: None,
            fact: None,
        }
    }

    /// Creates the distribution of a solved fight, without counts. Without a fact nothing is known.
    pub(super) fn solved(fact: Option<SolvedMetric>) -> Self {
        Self {
            fact,
            ..Self::new(Vec::new(), 0)
        }
    }

    /// Returns the fact of a solved fight, whose values were not counted.
    pub fn fact(&self) -> Option<&SolvedMetric> {
        self.fact.as_ref()
    }

    /// Creates a distribution from values in any order, each with the number of encounters that showed it.
    pub fn of_counts(counts: impl IntoIterator<Item = (u32, u64)>) -> Self {
        let mut histogram = Histogram::default();
        for (value, count) in counts {
            histogram.cell(value).count += count;
        }
        let mut distribution = histogram.distribution();
        for entry in &mut distribution.entries {
            entry.first = None;
        }
        distribution
    }

    /// Returns the same distribution with `limit` as the greatest possible value, if it is known.
    pub fn up_to(self, limit: Option<u32>) -> Self {
        Self { limit, ..self }
    }

    /// Returns the same distribution with `least` as the least possible value.
    pub fn at_least(self, least: u32) -> Self {
        Self { least, ..self }
    }

    /// Returns the least possible value.
    pub fn least(&self) -> u32 {
        self.least
    }

    /// Returns the greatest possible value, if it is known.
    pub fn limit(&self) -> Option<u32> {
        self.limit
    }

    /// Returns the range of values to assume: the least and the greatest observed value, or, if there are fewer than 20
    /// values or hardly any encounter showed another than the commonest, the least and the greatest possible value.
    /// `None` if the possible values are needed and not known, or if there are no values.
    pub fn ends(&self) -> Option<[u32; 2]> {
        let (first, last) = (self.entries.first()?, self.entries.last()?);
        let commonest = self.entries.iter().map(|entry| entry.count).max()?;
        if are_few(self.total - commonest, self.total) {
            return Some([self.least, self.limit?]);
        }
        Some([first.value, last.value])
    }

    /// Returns the values with their counts, in rising order.
    pub fn entries(&self) -> &[ValueCount] {
        &self.entries
    }

    /// Returns each value with its count.
    pub(crate) fn weighted(&self) -> Vec<(f64, u64)> {
        let weighted = |entry: &ValueCount| (f64::from(entry.value), entry.count);
        self.entries.iter().map(weighted).collect()
    }

    /// Returns the number of encounters that showed any value.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the count of a value.
    pub fn count(&self, value: u32) -> u64 {
        self.entries
            .binary_search_by_key(&value, |entry| entry.value)
            .map_or(0, |index| self.entries[index].count)
    }
}
