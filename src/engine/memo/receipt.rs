//! What a stretch of an encounter adds to its record: numbers that only ever add up, side by side,
//! so that a whole encounter is the sum of its receipts.

use super::DRAW_BITS;
use super::shelf::Shelf;
use crate::engine::{Counts, Record};

/// Numbers a combatant.
pub(super) const EACH: usize = 11;

/// Numbers that are added together: a multiple of what a machine adds at once.
pub(super) const BLOCK: usize = 32;

/// What has been added up so far, for each combatant and at last the Marks; padded to whole blocks.
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
    pub(super) fn new(combatants: usize) -> Self {
        let numbers = combatants * EACH + 1;
        Self(vec![0; numbers.next_multiple_of(BLOCK)])
    }

    /// What a stretch added, `record` having been empty at its beginning. Times count on for as
    /// long as a thing has not happened yet: until the first attack, until the fall. `attacked` and
    /// `fallen` are those for whom it had happened before, a bit each.
    pub(super) fn measure(
        &mut self,
        record: &Record,
        (from, to): (Instant, Instant),
        attacked: u64,
        fallen: u64,
    ) {
        self.0.fill(0);
        let stretches = self.0.chunks_exact_mut(EACH).zip(&record.combatants);
        for (who, (numbers, counts)) in stretches.enumerate() {
            let Counts {
                // These are kept by `Lives`.
                health: _,
                damage: _,
                damage_taken: _,
                fell_round,
                attacks,
                hits,
                attacks_forfeited,
                attacks_lost,
                units_moved,
                marks_forfeited,
                spells_cast,
                spells_fizzled,
                first_attack,
                decisions,
                // Counted on other clocks, whose encounters are not remembered.
                phases: _,
                turns: _,
                successes: _,
                botches: _,
                diminished: _,
                dice_lost: _,
                endurance_rolls: _,
                collapsed: _,
                paradox: _,
                willpower_spent: _,
                interrupts: _,
                interrupted: _,
                readied: _,
                readied_lost: _,
                cancelled: _,
                delays: _,
                actions_lost: _,
                places_gained: _,
                places_lost: _,
                first_blood: _,
            } = *counts;
            let mut waited = first_attack.unwrap_or(to.elapsed) - from.elapsed;
            if attacked >> who & 1 == 1 {
                waited = 0;
            }
            let mut stood = if fell_round == 0 {
                to.round
            } else {
                fell_round
            } - from.round;
            if fallen >> who & 1 == 1 {
                stood = 0;
            }
            numbers.copy_from_slice(&[
                attacks,
                hits,
                attacks_forfeited,
                attacks_lost,
                units_moved,
                marks_forfeited,
                spells_cast,
                spells_fizzled,
                decisions,
                waited,
                stood,
            ]);
        }
        self.0[record.combatants.len() * EACH] = to.elapsed - from.elapsed;
    }

    /// Writes what has been added up, but for what [`Lives`](super::lives::Lives) keeps.
    #[inline]
    pub(super) fn write(&self, record: &mut Record, attacked: u64) {
        let combatants = &mut record.combatants;
        for (who, (counts, numbers)) in combatants
            .iter_mut()
            .zip(self.0.chunks_exact(EACH))
            .enumerate()
        {
            let &[
                attacks,
                hits,
                attacks_forfeited,
                attacks_lost,
                units_moved,
                marks_forfeited,
                spells_cast,
                spells_fizzled,
                decisions,
                waited,
                stood,
            ] = numbers
            else {
                unreachable!("chunks are of that size");
            };
            *counts = Counts {
                fell_round: stood,
                attacks,
                hits,
                attacks_forfeited,
                attacks_lost,
                units_moved,
                marks_forfeited,
                spells_cast,
                spells_fizzled,
                first_attack: (attacked >> who & 1 == 1).then_some(waited),
                decisions,
                ..Counts::default()
            };
        }
        record.marks = self.0[record.combatants.len() * EACH];
    }

    /// Adds what another stretch added.
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(&other.0) {
            *sum += number;
        }
    }
}

/// Receipts worth keeping, each once, and those of the encounter at hand.
#[derive(Debug, Clone, Default)]
pub(super) struct Receipts {
    /// All receipts, their numbers small enough for a byte each.
    known: Shelf,
    /// Blocks a receipt.
    blocks: usize,
    /// Of the encounter at hand.
    taken: Vec<u32>,
}

impl Receipts {
    /// None yet.
    pub(super) fn new(sums: &Sums) -> Self {
        Self {
            known: Shelf::default(),
            blocks: sums.0.len() / BLOCK,
            taken: Vec::with_capacity(1024),
        }
    }

    /// The number of the receipt that says so, from 1; `None` if it does not fit, or there are too many.
    pub(super) fn number(&mut self, sums: &Sums) -> Option<u32> {
        let small: Option<Vec<u8>> = sums.0.iter().map(|sum| u8::try_from(*sum).ok()).collect();
        let fits = (self.known.len() + 1) >> (u32::BITS - DRAW_BITS) == 0;
        small
            .filter(|_| fits)
            .map(|numbers| self.known.put(&numbers) + 1)
    }

    /// Takes a receipt.
    #[inline]
    pub(super) fn take(&mut self, number: u32) {
        self.taken.push(number);
    }

    /// Adds up all that have been taken, and forgets them; how many there were.
    #[inline]
    pub(super) fn cash(&mut self, sums: &mut Sums) -> usize {
        let (sums, _) = sums.0.as_chunks_mut::<BLOCK>();
        let (known, _) = self.known.bytes().as_chunks::<BLOCK>();
        for (block, sums) in sums.iter_mut().enumerate() {
            // So few that 16 bits hold their sum.
            for taken in self.taken.chunks(256) {
                let mut small = [0_u16; BLOCK];
                for &number in taken {
                    let numbers = &known[(number as usize - 1) * self.blocks + block];
                    for (sum, &number) in small.iter_mut().zip(numbers) {
                        *sum += u16::from(number);
                    }
                }
                for (sum, small) in sums.iter_mut().zip(small) {
                    *sum += u32::from(small);
                }
            }
        }
        let count = self.taken.len();
        self.taken.clear();
        count
    }

    /// Bytes it takes.
    pub(super) fn size(&self) -> usize {
        self.known.size()
    }
}
