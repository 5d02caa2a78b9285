//! What a stretch of an encounter adds to its record: numbers that only ever add up, side by side,
//! so that a whole encounter is the sum of its receipts.

use super::DRAW_BITS;
use super::shelf::Shelf;
use crate::sim::Record;
use crate::sim::steps::Steps;

/// Numbers a combatant besides those that its clock [names](Steps::numbers): until its first attack,
/// until its fall.
const TIMES: usize = 2;

/// Numbers that are added together: a multiple of what a machine adds at once.
pub(super) const BLOCK: usize = 32;

/// Words of a block of bytes.
const WORDS: usize = BLOCK / size_of::<u64>();

/// The bytes of a word with an even index.
const EVEN: u64 = 0x00ff_00ff_00ff_00ff;

/// What has been added up so far: the Marks; for each combatant its times and what is common; then for
/// each what is rare, so that blocks with nothing in them stand at the end. Padded to whole blocks.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums(pub Vec<u32>);

/// When a stretch begins or ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instant {
    pub round: u32,
    /// Marks since the beginning of the encounter.
    pub elapsed: u32,
}

impl Sums {
    /// Room for so many combatants.
    pub(super) fn new<S: Steps>(combatants: usize) -> Self {
        let numbers = 1 + combatants * (TIMES + S::COMMON + S::RARE);
        Self(vec![0; numbers.next_multiple_of(BLOCK)])
    }

    /// What a stretch added, `record` having been empty at its beginning. Times count on for as
    /// long as a thing has not happened yet: until the first attack, until the fall. `attacked` and
    /// `fallen` are those for whom it had happened before, a bit each.
    pub(super) fn measure<S: Steps>(
        &mut self,
        record: &Record,
        (from, to): (Instant, Instant),
        attacked: u64,
        fallen: u64,
    ) {
        self.0.fill(0);
        let (common, rare) = self
            .0
            .split_at_mut(1 + record.combatants.len() * (TIMES + S::COMMON));
        common[0] = to.elapsed - from.elapsed;
        let each = common[1..].chunks_exact_mut(TIMES + S::COMMON);
        let each = each.zip(rare.chunks_exact_mut(S::RARE));
        for (who, ((common, rare), counts)) in each.zip(&record.combatants).enumerate() {
            let (times, common) = common.split_at_mut(TIMES);
            if attacked >> who & 1 == 0 {
                times[0] = counts.first_attack.unwrap_or(to.elapsed) - from.elapsed;
            }
            if fallen >> who & 1 == 0 {
                let until = match counts.fell_round {
                    0 => to.round,
                    fell => fell,
                };
                times[1] = until - from.round;
            }
            S::numbers(counts, common, rare);
        }
    }

    /// Writes what has been added up, but for what [`Lives`](super::lives::Lives) keeps.
    #[inline]
    pub(super) fn write<S: Steps>(&self, record: &mut Record, attacked: u64) {
        let (common, rare) = self
            .0
            .split_at(1 + record.combatants.len() * (TIMES + S::COMMON));
        record.marks = if S::MEASURES_MARKS { common[0] } else { 0 };
        let each = common[1..].chunks_exact(TIMES + S::COMMON);
        let each = each.zip(rare.chunks_exact(S::RARE));
        for (who, (counts, (common, rare))) in record.combatants.iter_mut().zip(each).enumerate() {
            let (times, common) = common.split_at(TIMES);
            *counts = S::counts(common, rare);
            counts.first_attack = (attacked >> who & 1 == 1).then_some(times[0]);
            counts.fell_round = times[1];
        }
    }

    /// Adds what another stretch added.
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(&other.0) {
            *sum += number;
        }
    }
}

/// Receipts worth keeping, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Receipts {
    /// All receipts, their numbers small enough for a byte each.
    known: Shelf,
    /// Blocks a receipt.
    blocks: usize,
    /// The first so many have something in them in any of them.
    used: usize,
    /// The greatest number in any of them.
    greatest: u8,
}

impl Receipts {
    /// None yet.
    pub(super) fn new(sums: &Sums) -> Self {
        Self {
            known: Shelf::default(),
            blocks: sums.0.len() / BLOCK,
            used: 0,
            greatest: 1,
        }
    }

    /// The number of the receipt that says so, from 1; `None` if it does not fit, or there are too many.
    pub(super) fn number(&mut self, sums: &Sums) -> Option<u32> {
        let fits = (self.known.len() + 1) >> (u32::BITS - DRAW_BITS) == 0;
        if !fits {
            return None;
        }
        let small: Option<Vec<u8>> = sums.0.iter().map(|sum| u8::try_from(*sum).ok()).collect();
        let last = sums.0.iter().rposition(|sum| *sum != 0);
        let small = small?;
        let number = self.known.put(&small) + 1;
        self.greatest = small.into_iter().fold(self.greatest, u8::max);
        self.used = self.used.max(last.map_or(0, |last| last / BLOCK + 1));
        Some(number)
    }

    /// Adds up those of these numbers.
    #[inline(never)]
    pub(super) fn cash(&self, taken: &[u32], sums: &mut Sums) {
        let (sums, _) = sums.0.as_chunks_mut::<BLOCK>();
        let (known, _) = self.known.bytes().as_chunks::<BLOCK>();
        // So few that eight bits hold the sum of them, and so few that 16 do.
        let (few, some) = (usize::from(u8::MAX / self.greatest), 256);
        for (block, sums) in sums[..self.used].iter_mut().enumerate() {
            for some in taken.chunks(some) {
                let (mut even, mut odd) = ([0; WORDS], [0; WORDS]);
                for few in some.chunks(few) {
                    // Eight numbers in each word, of which none carries over to the next.
                    let mut all = [0; WORDS];
                    for &number in few {
                        let numbers = &known[(number as usize - 1) * self.blocks + block];
                        let (numbers, _) = numbers.as_chunks();
                        for (all, numbers) in all.iter_mut().zip(numbers) {
                            *all += u64::from_le_bytes(*numbers);
                        }
                    }
                    for (index, all) in all.into_iter().enumerate() {
                        even[index] += all & EVEN;
                        odd[index] += all >> 8 & EVEN;
                    }
                }
                let (sums, _) = sums.as_chunks_mut::<8>();
                for (index, sums) in sums.iter_mut().enumerate() {
                    for (lane, sums) in sums.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                        let lane = |word: u64| (word >> (16 * lane)) as u32 & 0xffff;
                        sums[0] += lane(even[index]);
                        sums[1] += lane(odd[index]);
                    }
                }
            }
        }
    }

    /// Bytes it takes.
    pub(super) fn size(&self) -> usize {
        self.known.size()
    }
}
