//! Sampling: one independent stream of Xoshiro256++ for each combatant and purpose.
//!
//! The state of a stream is a mixing hash of (seed, encounter, combatant, purpose). Encounter *i* therefore depends on
//! the seed and on *i* alone, not on earlier encounters. The hash takes the combatant's name, so a variant that adds or
//! moves a combatant leaves the dice of all others unchanged. The hash must mix: with `seed + i`, encounter 1 of seed
//! 42 would be encounter 0 of seed 43.

use super::{Chance, Purpose};
use crate::dice::{PoolDraw, PoolTable, TotalTable, face_from_bits};

/// A [`Chance`] that samples: one random stream for each combatant and purpose.
#[derive(Debug, Clone)]
pub struct Streams {
    seed: u64,
    encounter_key: u64,
    /// A counter that each [`begin`](Self::begin) raises.
    begun: u64,
    /// The streams: one for each purpose of each combatant, combatant by combatant.
    all: Vec<Stream>,
}

#[derive(Debug, Clone)]
struct Stream {
    name_key: u64,
    /// The value of [`Streams::begun`] when `generator` was last seeded. A stream is seeded at its first draw; a stream
    /// that the last encounter used is seeded when the next one begins.
    seeded_after: u64,
    generator: Generator,
}

impl Stream {
    /// Seeds the generator. Not inlined, so that the code of a draw stays short enough to be inlined everywhere.
    #[cold]
    #[inline(never)]
    fn seed_now(&mut self, encounter_key: u64, begun: u64) {
        self.seed(encounter_key, begun);
    }

    #[inline]
    fn seed(&mut self, encounter_key: u64, begun: u64) {
        self.seeded_after = begun;
        self.generator = Generator::new(encounter_key ^ self.name_key);
    }
}

/// Xoshiro256++ (Blackman and Vigna 2021). A test compares it with `rand_xoshiro`, which is not used here: its
/// seeds are bytes, and an encounter begins a dozen streams of which it draws only a few numbers.
#[derive(Debug, Clone)]
struct Generator([u64; 4]);

impl Generator {
    /// Creates a generator whose four words are a `SplitMix64` sequence, as the authors advise.
    #[inline]
    const fn new(key: u64) -> Self {
        let start = mix(key);
        Self([
            mix(start),
            mix(start.wrapping_add(GOLDEN)),
            mix(start.wrapping_add(GOLDEN.wrapping_mul(2))),
            mix(start.wrapping_add(GOLDEN.wrapping_mul(3))),
        ])
    }

    #[inline]
    const fn next(&mut self) -> u64 {
        let words = &mut self.0;
        let drawn = words[0].wrapping_add(words[3]).rotate_left(23);
        let drawn = drawn.wrapping_add(words[0]);
        let shifted = words[1] << 17;
        words[2] ^= words[0];
        words[3] ^= words[1];
        words[1] ^= words[2];
        words[0] ^= words[3];
        words[2] ^= shifted;
        words[3] = words[3].rotate_left(45);
        drawn
    }
}

impl Streams {
    /// Creates streams for combatants of these names, at encounter 0.
    pub fn new<'a>(seed: u64, names: impl IntoIterator<Item = &'a str>) -> Self {
        let stream = |name: &str, purpose: usize| {
            let name_key = mix(hash(name) ^ mix(purpose as u64 + 1));
            Stream {
                name_key,
                seeded_after: 0,
                generator: Generator::new(0),
            }
        };
        let all = names
            .into_iter()
            .flat_map(|name| (0..Purpose::COUNT).map(move |purpose| stream(name, purpose)))
            .collect();
        let mut source = Self {
            seed: mix(seed),
            encounter_key: 0,
            begun: 1,
            all,
        };
        source.begin(0);
        source
    }

    /// Begins an encounter.
    #[inline]
    pub fn begin(&mut self, encounter: u64) {
        self.begun += 1;
        self.encounter_key = mix(self.seed ^ mix(encounter.wrapping_mul(GOLDEN) ^ SALT)) | 1;
        self.seed_usual();
    }

    /// Seeds the streams that the last encounter used: this one will probably use them too, and seeding many at once is
    /// faster.
    #[inline]
    fn seed_usual(&mut self) {
        for stream in &mut self.all {
            if stream.seeded_after + 1 == self.begun {
                stream.seed(self.encounter_key, self.begun);
            }
        }
    }

    /// Returns the generator of `who` for `purpose`, seeded for this encounter.
    #[inline]
    fn generator(&mut self, who: usize, purpose: Purpose) -> &mut Generator {
        let stream = &mut self.all[who * Purpose::COUNT + purpose as usize];
        if stream.seeded_after != self.begun {
            stream.seed_now(self.encounter_key, self.begun);
        }
        &mut stream.generator
    }

    /// Returns the next 64 bits of the stream of `who` for `purpose`.
    #[inline]
    fn bits(&mut self, who: usize, purpose: Purpose) -> u64 {
        self.generator(who, purpose).next()
    }
}

impl Chance for Streams {
    #[inline]
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        face_from_bits(self.bits(who, purpose), sides)
    }

    #[inline]
    fn sum(&mut self, who: usize, purpose: Purpose, count: u32, sides: u32) -> u64 {
        let kept = self.generator(who, purpose);
        // A copy, so that its words stay in registers from one die to the next.
        let mut generator = kept.clone();
        let mut above = 0;
        for _ in 0..count {
            above += u64::from(face_from_bits(generator.next(), sides) - 1);
        }
        *kept = generator;
        u64::from(count) + above
    }

    #[inline]
    fn happens(&mut self, who: usize, purpose: Purpose, chance: u64) -> bool {
        (self.bits(who, purpose) >> 32) < chance
    }

    #[inline]
    fn pool(&mut self, who: usize, purpose: Purpose, table: &PoolTable) -> Option<PoolDraw> {
        Some(table.draw(self.bits(who, purpose)))
    }

    #[inline]
    fn total(&mut self, who: usize, purpose: Purpose, table: &TotalTable) -> Option<i64> {
        Some(table.draw(self.bits(who, purpose)))
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
const SALT: u64 = 0x2545_f491_4f6c_dd1d;

/// The finaliser of `SplitMix64` (Steele, Lea and Flood 2014): a bijection in which every bit of the input affects
/// every bit of the output.
#[inline]
const fn mix(key: u64) -> u64 {
    let mut z = key.wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the 64-bit FNV-1a hash of `text`.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Purpose::{Check, Damage, Initiative, Other};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Returns the first faces of a d20 in one encounter.
    fn faces(names: &[&str], seed: u64, encounter: u64, who: usize, purpose: Purpose) -> Vec<u32> {
        let mut luck = Streams::new(seed, names.iter().copied());
        luck.begin(encounter);
        (0..8).map(|_| luck.face(who, purpose, 20)).collect()
    }

    #[test]
    fn dice_added_up_are_the_faces_one_after_the_other() {
        let (mut one, mut other) = (Streams::new(3, ["a", "b"]), Streams::new(3, ["a", "b"]));
        for encounter in 0..50 {
            one.begin(encounter);
            other.begin(encounter);
            for (count, sides) in [(0, 6), (1, 20), (2, 10), (3, 1), (17, 6)] {
                let faces: u64 = (0..count)
                    .map(|_| u64::from(one.face(1, Damage, sides)))
                    .sum();
                assert_eq!(other.sum(1, Damage, count, sides), faces);
            }
            assert_eq!(one.face(1, Damage, 1000), other.face(1, Damage, 1000));
        }
    }

    #[test]
    fn a_stream_is_that_of_rand_xoshiro() {
        for key in (0..200).chain([u64::MAX, GOLDEN]) {
            let mut own = Generator::new(key);
            let mut seed = [0; 32];
            for (bytes, word) in seed.chunks_exact_mut(8).zip(own.0) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            let mut library = Xoshiro256PlusPlus::from_seed(seed);
            for _ in 0..200 {
                assert_eq!(own.next(), library.next_u64(), "{key}");
            }
        }
    }

    /// Asserts that `counts` fit equal probabilities, by a chi-squared test with one false alarm in a million.
    fn is_uniform(what: &str, counts: &[u64]) {
        let all: u64 = counts.iter().sum();
        let expected = all as f64 / counts.len() as f64;
        assert!(expected >= 5.0, "{what}: too few");
        let chi_squared: f64 = counts
            .iter()
            .map(|count| (*count as f64 - expected).powi(2) / expected)
            .sum();
        let critical = critical(counts.len() - 1);
        assert!(
            chi_squared < critical,
            "{what}: {chi_squared} is not below {critical}"
        );
    }

    /// Returns the critical value of chi-squared with `freedom` degrees of freedom at one in a million.
    fn critical(freedom: usize) -> f64 {
        match freedom {
            1 => 23.93,
            3 => 30.66,
            5 => 35.89,
            7 => 40.52,
            9 => 44.81,
            19 => 63.68,
            99 => 180.79,
            _ => panic!("no critical value for {freedom} degrees of freedom"),
        }
    }

    /// Every published result depends on these faces: they must never change.
    #[test]
    fn the_first_faces_of_some_streams_are_what_they_always_were() {
        // Computed by another program, from the published algorithms.
        for (seed, encounter, who, purpose, expected) in [
            (42, 0, 0, Initiative, [20, 9, 20, 15, 6, 16, 18, 3]),
            (42, 0, 0, Check, [2, 5, 20, 2, 19, 5, 12, 19]),
            (42, 0, 0, Damage, [16, 20, 5, 1, 4, 18, 7, 7]),
            (42, 0, 0, Other, [1, 7, 7, 8, 11, 2, 2, 20]),
            (42, 0, 1, Initiative, [2, 13, 13, 4, 15, 6, 12, 14]),
            (42, 1, 0, Initiative, [9, 16, 3, 16, 4, 4, 12, 5]),
            (43, 0, 0, Initiative, [16, 5, 9, 18, 15, 19, 3, 16]),
            (0, 0, 0, Initiative, [18, 4, 12, 11, 7, 9, 17, 7]),
            (u64::MAX, u64::MAX, 1, Other, [12, 3, 13, 16, 10, 18, 17, 1]),
        ] {
            let found = faces(&["archer", "brute"], seed, encounter, who, purpose);
            assert_eq!(found, expected, "{seed} {encounter} {who} {purpose:?}");
        }
    }

    #[test]
    fn an_encounter_begun_again_is_the_same() {
        let mut luck = Streams::new(42, ["archer", "brute"]);
        luck.begin(3);
        let first = luck.face(1, Damage, 1000);
        luck.begin(4);
        luck.begin(3);
        assert_eq!(luck.face(1, Damage, 1000), first);
    }

    #[test]
    fn every_die_is_fair() {
        let mut luck = Streams::new(42, ["archer"]);
        for sides in [4, 6, 8, 10, 20, 100] {
            let mut counts = vec![0; sides as usize];
            for encounter in 0..20_000 {
                luck.begin(encounter);
                for _ in 0..5 {
                    counts[luck.face(0, Check, sides) as usize - 1] += 1;
                }
            }
            is_uniform(&format!("d{sides}"), &counts);
        }
    }

    /// Counts pairs of d10s, one from each of two sources, over many encounters, and asserts that they are uniform.
    fn pairs(what: &str, mut pair: impl FnMut(u64) -> (u32, u32)) {
        let mut counts = [0; 100];
        for encounter in 0..50_000 {
            let (one, other) = pair(encounter);
            counts[(one * 10 + other - 11) as usize] += 1;
        }
        is_uniform(what, &counts);
    }

    #[test]
    fn neighbouring_encounters_seeds_purposes_and_combatants_are_independent() {
        let mut luck = Streams::new(42, ["archer", "archer 2"]);
        let mut next = luck.clone();
        let first = |luck: &mut Streams, encounter, who, purpose| {
            luck.begin(encounter);
            luck.face(who, purpose, 10)
        };
        pairs("encounters", |encounter| {
            (
                first(&mut luck, encounter, 0, Check),
                first(&mut next, encounter + 1, 0, Check),
            )
        });
        pairs("purposes", |encounter| {
            (
                first(&mut luck, encounter, 0, Check),
                first(&mut next, encounter, 0, Damage),
            )
        });
        pairs("combatants", |encounter| {
            (
                first(&mut luck, encounter, 0, Check),
                first(&mut next, encounter, 1, Check),
            )
        });
        pairs("throws", |encounter| {
            luck.begin(encounter);
            (luck.face(0, Check, 10), luck.face(0, Check, 10))
        });
        let mut neighbour = Streams::new(43, ["archer", "archer 2"]);
        pairs("seeds", |encounter| {
            (
                first(&mut luck, encounter, 0, Check),
                first(&mut neighbour, encounter, 0, Check),
            )
        });
        // Over many seeds, each at its first encounter.
        pairs("seeds at encounter 0", |seed| {
            let face = |seed| Streams::new(seed, ["archer"]).face(0, Initiative, 10);
            (face(seed), face(seed + 1))
        });
        // Pairs that a sum of seed and encounter would confuse.
        pairs("the next seed's encounter before", |encounter| {
            (
                first(&mut luck, encounter + 1, 0, Check),
                first(&mut neighbour, encounter, 0, Check),
            )
        });
    }

    #[test]
    fn the_next_encounter_of_a_seed_is_not_the_encounter_of_the_next_seed() {
        let of = |seed, encounter| faces(&["archer"], seed, encounter, 0, Check);
        assert_ne!(of(42, 1), of(43, 0));
        assert_ne!(of(42, 0), of(43, 0));
        assert_ne!(of(42, 0), of(42, 1));
    }

    #[test]
    fn an_encounter_does_not_depend_on_what_was_played_before() {
        let fresh = faces(&["archer", "brute"], 42, 1000, 1, Damage);
        let mut luck = Streams::new(42, ["archer", "brute"]);
        for encounter in [5, 999, 1000, 3] {
            luck.begin(encounter);
            for _ in 0..encounter {
                luck.face(1, Damage, 6);
            }
        }
        luck.begin(1000);
        // Rolls of other combatants, or for other purposes, make no difference either.
        luck.face(0, Damage, 20);
        luck.face(1, Check, 20);
        let again: Vec<_> = (0..8).map(|_| luck.face(1, Damage, 20)).collect();
        assert_eq!(again, fresh);
    }

    #[test]
    fn adding_renaming_or_moving_a_combatant_leaves_the_luck_of_others_alone() {
        let all = [Initiative, Check, Damage, Other, Purpose::Shown];
        for purpose in all {
            let brute = faces(&["archer", "brute"], 7, 3, 1, purpose);
            assert_eq!(faces(&["ranger", "brute"], 7, 3, 1, purpose), brute);
            assert_eq!(faces(&["archer", "dog", "brute"], 7, 3, 2, purpose), brute);
            assert_eq!(faces(&["brute", "archer"], 7, 3, 0, purpose), brute);
            assert_ne!(faces(&["archer", "brute 2"], 7, 3, 1, purpose), brute);
        }
        for (index, one) in all.into_iter().enumerate() {
            for other in &all[index + 1..] {
                let of = |purpose| faces(&["brute"], 7, 3, 0, purpose);
                assert_ne!(of(one), of(*other));
            }
        }
    }

    #[test]
    fn a_chance_happens_as_often_as_it_says() {
        let mut luck = Streams::new(42, ["mage"]);
        let mut happens = |chance: u64| {
            (0..200_000).fold(0, |times, encounter| {
                luck.begin(encounter);
                times + u64::from(luck.happens(0, Other, chance))
            })
        };
        assert_eq!(happens(0), 0);
        assert_eq!(happens(1 << 32), 200_000);
        for chance in [1 << 31, 1 << 30, 3 << 30, 1 << 26, 429_496_730] {
            let rate = chance as f64 / (1_u64 << 32) as f64;
            let (yes, expected) = (happens(chance) as f64, 200_000.0 * rate);
            let chi_squared =
                (yes - expected).powi(2) * (1.0 / expected + 1.0 / (200_000.0 - expected));
            assert!(chi_squared < critical(1), "{rate}: {yes} times");
        }
    }
}
