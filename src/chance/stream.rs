//! Sampling: one independent stream of Xoshiro256++ for each combatant and purpose.
//!
//! The state of a stream is a mixing hash of (seed, encounter, combatant, purpose). Encounter *i*
//! therefore depends on the seed and on *i* alone, whatever was played before it. The combatant
//! enters by the hash of its name, so that a variant which adds or moves a combatant leaves the
//! luck of all others alone. The hash must mix: with `seed + i`, encounter 1 of seed 42 would be
//! encounter 0 of seed 43.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Chance, Purpose};
use crate::dice::{PoolDraw, PoolTable, face_from_bits};

/// The sampling source.
#[derive(Debug, Clone)]
pub struct Streams {
    seed: u64,
    encounter_key: u64,
    by_combatant: Vec<[Stream; Purpose::COUNT]>,
}

#[derive(Debug, Clone)]
struct Stream {
    name_key: u64,
    /// The encounter that `generator` was seeded for: streams are seeded when first asked.
    seeded_for: u64,
    generator: Xoshiro256PlusPlus,
}

impl Streams {
    /// Streams for combatants of these names, at encounter 0.
    pub fn new<'a>(seed: u64, names: impl IntoIterator<Item = &'a str>) -> Self {
        let stream = |name: &str, purpose: usize| {
            let name_key = mix(hash(name) ^ mix(purpose as u64 + 1));
            Stream {
                name_key,
                seeded_for: 0,
                generator: Xoshiro256PlusPlus::from_seed([1; 32]),
            }
        };
        let by_combatant = names
            .into_iter()
            .map(|name| std::array::from_fn(|purpose| stream(name, purpose)))
            .collect();
        let mut source = Self {
            seed: mix(seed),
            encounter_key: 0,
            by_combatant,
        };
        source.begin(0);
        source
    }

    /// Goes to the beginning of an encounter.
    #[inline]
    pub fn begin(&mut self, encounter: u64) {
        // Never 0, which means "not seeded yet".
        self.encounter_key = mix(self.seed ^ mix(encounter.wrapping_mul(GOLDEN) ^ SALT)) | 1;
    }

    #[inline]
    fn bits(&mut self, who: usize, purpose: Purpose) -> u64 {
        let stream = &mut self.by_combatant[who][purpose as usize];
        if stream.seeded_for != self.encounter_key {
            stream.seeded_for = self.encounter_key;
            stream.generator = generator(self.encounter_key ^ stream.name_key);
        }
        stream.generator.next_u64()
    }
}

impl Chance for Streams {
    #[inline]
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        face_from_bits(self.bits(who, purpose), sides)
    }

    #[inline]
    fn happens(&mut self, who: usize, purpose: Purpose, chance: u64) -> bool {
        (self.bits(who, purpose) >> 32) < chance
    }

    #[inline]
    fn pool(&mut self, who: usize, purpose: Purpose, table: &PoolTable) -> Option<PoolDraw> {
        Some(table.draw(self.bits(who, purpose)))
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
const SALT: u64 = 0x2545_f491_4f6c_dd1d;

/// The finaliser of `SplitMix64` (Steele, Lea and Flood 2014): a bijection in which every bit of
/// the input moves every bit of the output.
#[inline]
const fn mix(key: u64) -> u64 {
    let mut z = key.wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A generator whose four words are a `SplitMix64` sequence, as the authors of xoshiro advise.
#[inline]
fn generator(key: u64) -> Xoshiro256PlusPlus {
    let mut seed = [0; 32];
    let start = mix(key);
    for (index, word) in seed.chunks_exact_mut(8).enumerate() {
        word.copy_from_slice(
            &mix(start.wrapping_add(GOLDEN.wrapping_mul(index as u64))).to_le_bytes(),
        );
    }
    Xoshiro256PlusPlus::from_seed(seed)
}

/// FNV-1a, 64 bits.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
