//! How often each value came, and the first encounter that showed it.

use super::Fact;
use super::code::{self, Malformed, Reader};
use std::collections::BTreeMap;
use std::ops::Range;

/// Values below this have a place of their own in a table; greater ones are looked up in a tree.
/// Nearly all values of nearly all fights are small, and 32 KiB a histogram is the most it costs.
const DENSE: u32 = 2048;

/// How often a value came, and the lowest number of an encounter that showed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Encounters.
    pub count: u64,
    /// Lowest encounter number; `u64::MAX` while there is none.
    pub first: u64,
}

impl Cell {
    const EMPTY: Self = Self {
        count: 0,
        first: u64::MAX,
    };

    #[inline]
    fn add(&mut self, encounter: u64) {
        self.count += 1;
        // Written as a branch: it is almost never taken, and then nothing needs storing.
        if encounter < self.first {
            self.first = encounter;
        }
    }

    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.first = self.first.min(other.first);
    }
}

/// Counts of whole numbers. Its memory is bounded by the values seen, not by how often they come.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Histogram {
    /// Cells of the values from 0 to the greatest seen below [`DENSE`]; no longer than that, so
    /// that equal counts are equal histograms.
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

    /// Returns the histogram of one value that `count` unknown encounters showed.
    pub(super) fn repeated(value: u32, count: u64) -> Self {
        let mut histogram = Self::default();
        if count > 0 {
            histogram.cell(value).count = count;
        }
        histogram
    }

    /// The cell of a value that may not have one yet.
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

    /// Takes over all counts of another.
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

    /// Writes down the counts, which are of those encounters: how many values came, and for each,
    /// rising, how far it is above the one before it, how often it came, and how far its first
    /// encounter is above the first of all.
    pub(super) fn encode(&self, encounters: &Range<u64>, out: &mut Vec<u8>) {
        code::write(self.cells().count() as u64, out);
        let mut least = 0;
        for (value, cell) in self.cells() {
            code::write(u64::from(value) - least, out);
            code::write(cell.count, out);
            code::write(cell.first - encounters.start, out);
            least = u64::from(value) + 1;
        }
    }

    /// Reads counts of those encounters, and how many of them showed a value.
    pub(super) fn decode(
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
            // None before the first has shown the value.
            if count == 0 || first >= all || count > all - first {
                return Err(Malformed::Contradiction(
                    "a value came in encounters that were not played",
                ));
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

    /// How often a value came.
    #[must_use]
    pub fn count(&self, value: u32) -> u64 {
        self.dense
            .get(value as usize)
            .or_else(|| self.sparse.get(&value))
            .map_or(0, |cell| cell.count)
    }

    /// The values that came, from the lowest to the highest.
    #[must_use]
    pub fn distribution(&self) -> Distribution {
        let entries: Vec<_> = self
            .cells()
            .map(|(value, cell)| Entry {
                value,
                count: cell.count,
                first: Some(cell.first),
            })
            .collect();
        let total = entries.iter().map(|entry| entry.count).sum();
        Distribution::new(entries, total)
    }

    /// The distribution of 1 for the values that `counts` is true of and 0 for the others.
    #[must_use]
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

/// A value and how often it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The value.
    pub value: u32,
    /// Encounters that showed it.
    pub count: u64,
    /// The lowest number among them, where single encounters show the value.
    pub first: Option<u64>,
}

/// Returns whether `encounters` of `all` are too few to show the range of values: fewer than 20, and less than
/// half of all. A value with a share of one in five is missing among 20 once in a hundred runs.
#[must_use]
pub fn are_few(encounters: u64, all: u64) -> bool {
    const FEW: u64 = 20;
    encounters < FEW && encounters < all.div_ceil(2)
}

/// The values that came, in rising order, with their counts; or the fact of a solved fight.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    entries: Vec<Entry>,
    total: u64,
    limit: Option<u32>,
    fact: Option<Fact>,
}

impl Distribution {
    /// From entries in rising order of value, of `total` encounters in all.
    pub(super) fn new(entries: Vec<Entry>, total: u64) -> Self {
        Self {
            entries,
            total,
            limit: None,
            fact: None,
        }
    }

    /// Of a solved fight: nothing was counted. Without a fact nothing is known.
    pub(super) fn solved(fact: Option<Fact>) -> Self {
        Self {
            fact,
            ..Self::new(Vec::new(), 0)
        }
    }

    /// What is known of a solved fight, whose values were not counted.
    #[must_use]
    pub fn fact(&self) -> Option<&Fact> {
        self.fact.as_ref()
    }

    /// From values in any order, each with the encounters that showed it.
    #[must_use]
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

    /// The same, of values of which none can be above `limit`, where that is known.
    #[must_use]
    pub fn up_to(self, limit: Option<u32>) -> Self {
        Self { limit, ..self }
    }

    /// The greatest value that can come, where that is known.
    #[must_use]
    pub fn limit(&self) -> Option<u32> {
        self.limit
    }

    /// The least and the greatest value to reckon with: those that came, or, where hardly an encounter
    /// showed any but the commonest, those that are possible. `None` if these are not known, or if
    /// none came.
    #[must_use]
    pub fn ends(&self) -> Option<[u32; 2]> {
        let (first, last) = (self.entries.first()?, self.entries.last()?);
        let commonest = self.entries.iter().map(|entry| entry.count).max()?;
        if are_few(self.total - commonest, self.total) {
            return Some([0, self.limit?]);
        }
        Some([first.value, last.value])
    }

    /// The values, rising.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Each value with its count.
    pub(crate) fn weighted(&self) -> Vec<(f64, u64)> {
        let entries = self.entries.iter();
        entries
            .map(|entry| (f64::from(entry.value), entry.count))
            .collect()
    }

    /// Encounters that showed any value.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How often a value came.
    #[must_use]
    pub fn count(&self, value: u32) -> u64 {
        self.entries
            .binary_search_by_key(&value, |entry| entry.value)
            .map_or(0, |index| self.entries[index].count)
    }
}
