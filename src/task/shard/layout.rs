//! Assigns encounters to shards.
//!
//! The encounters of all fights are laid end to end in the order of the fights, and that line is cut into shards of
//! equal length. So a shard contains few fights with many encounters each, and neither its file nor its caches grow
//! with the number of fights. All shards together contain at most as many tallies as there are fights and cuts.

use std::fmt::{self, Display, Formatter};
use std::num::NonZeroU64;
use std::ops::Range;

/// The most shards of a run: their names have six digits.
const MOST: u64 = 1_000_000;

/// The number of fights, of encounters of each, and of shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    fights: u64,
    encounters: u64,
    shards: u64,
}

/// Some encounters of one fight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardPart {
    /// The index of the fight.
    pub fight: usize,
    /// The encounters; at least one.
    pub encounters: Range<u64>,
}

impl Display for ShardPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.encounters;
        write!(f, "at encounters {start} to {end} of fight {}", self.fight)
    }
}

impl Layout {
    /// Cuts `encounters` encounters of each of `fights` fights into `shards` shards.
    ///
    /// # Errors
    /// If there are more shards than encounters, or more of either than can be numbered.
    pub fn new(fights: usize, encounters: NonZeroU64, shards: NonZeroU64) -> Result<Self, String> {
        let (fights, encounters, shards) = (fights as u64, encounters.get(), shards.get());
        let Some(all) = fights.checked_mul(encounters) else {
            return Err(format!(
                "{fights} fights of {encounters} encounters each are more than there are numbers for"
            ));
        };
        if shards > all {
            return Err(format!(
                "{shards} shards of {all} encounters: some would be empty; write {all} at most"
            ));
        }
        if shards > MOST {
            return Err(format!("{shards} shards: a million is the most"));
        }
        Ok(Self {
            fights,
            encounters,
            shards,
        })
    }

    /// Returns the number of shards.
    pub fn shards(&self) -> u64 {
        self.shards
    }

    /// Returns the number of fights.
    pub fn fights(&self) -> usize {
        self.fights as usize
    }

    /// Returns the number of encounters of each fight.
    pub fn encounters(&self) -> u64 {
        self.encounters
    }

    /// Returns the number of encounters of all fights together.
    pub fn all(&self) -> u64 {
        self.fights * self.encounters
    }

    /// Returns the range of a shard on the line of all encounters: from shard · all / shards, rounded down, to
    /// the start of the next shard.
    pub fn range(&self, shard: u64) -> Range<u64> {
        let cut = |shard: u64| {
            let all = u128::from(self.all());
            (all * u128::from(shard) / u128::from(self.shards)) as u64
        };
        cut(shard)..cut(shard + 1)
    }

    /// Returns the parts of a shard, fight by fight.
    pub fn parts(&self, shard: u64) -> impl Iterator<Item = ShardPart> + use<> {
        let Range { start, end } = self.range(shard);
        let each = self.encounters;
        (start / each..end.div_ceil(each)).map(move |fight| {
            let first = fight * each;
            ShardPart {
                fight: fight as usize,
                encounters: start.max(first) - first..end.min(first + each) - first,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn layout(fights: usize, encounters: u64, shards: u64) -> Result<Layout, String> {
        let number = |n| NonZeroU64::new(n).unwrap();
        Layout::new(fights, number(encounters), number(shards))
    }

    #[test]
    fn a_shard_may_hold_the_end_of_one_fight_and_the_beginning_of_the_next() {
        let layout = layout(2, 10, 3).unwrap();
        assert_eq!(
            [0, 1, 2].map(|shard| layout.range(shard)),
            [0..6, 6..13, 13..20]
        );
        let parts: Vec<ShardPart> = layout.parts(1).collect();
        let part = |fight, encounters| ShardPart { fight, encounters };
        assert_eq!(parts, [part(0, 6..10), part(1, 0..3)]);
    }

    #[test]
    fn what_cannot_be_cut_is_refused() {
        let wrong = |fights, encounters, shards| layout(fights, encounters, shards).unwrap_err();
        assert_eq!(
            wrong(2, 10, 21),
            "21 shards of 20 encounters: some would be empty; write 20 at most"
        );
        assert_eq!(
            wrong(1, 1 << 40, 1_000_001),
            "1000001 shards: a million is the most"
        );
        assert!(wrong(1 << 30, 1 << 40, 1).ends_with("more than there are numbers for"));
    }

    proptest! {
        #[test]
        fn shards_tile_every_fight(fights in 1usize..9, encounters in 1u64..60, shards in 1u64..80) {
            prop_assume!(shards <= fights as u64 * encounters);
            let layout = layout(fights, encounters, shards).unwrap();
            let mut at = (0, 0);
            for shard in 0..shards {
                let parts: Vec<ShardPart> = layout.parts(shard).collect();
                prop_assert!(!parts.is_empty());
                let mut size = 0;
                for part in parts {
                    prop_assert_eq!((part.fight, part.encounters.start), at);
                    prop_assert!(part.encounters.start < part.encounters.end);
                    size += part.encounters.end - part.encounters.start;
                    at = (part.fight, part.encounters.end);
                    if at.1 == encounters {
                        at = (at.0 + 1, 0);
                    }
                }
                let range = layout.range(shard);
                prop_assert_eq!(size, range.end - range.start);
                let fair = layout.all() / shards;
                prop_assert!((fair..=fair + 1).contains(&size));
            }
            prop_assert_eq!(at, (fights, 0));
        }
    }
}
