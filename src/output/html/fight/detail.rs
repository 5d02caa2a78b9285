//! Levels of detail: all of a fight, or less if the page has no room for more.

use crate::output::html::sides::group;
use std::collections::HashMap;

/// The amount of detail with which a fight is shown.
#[derive(Debug, Clone, Copy)]
pub(in crate::output::html) struct Detail {
    /// The most Rounds of a curve. If there are more, some are left out.
    pub(super) rounds: u64,
    /// The most bars of a distribution. If there are more values, several share a bar.
    pub(super) bars: u64,
    /// The most combatants of a figure.
    pub(super) combatants: usize,
    /// The most variants of a page.
    pub(in crate::output::html) variants: usize,
}

impl Detail {
    /// All levels, from the most detail to the least.
    pub(in crate::output::html) const LEVELS: [Self; 14] = [
        Self::new(40, 60, usize::MAX),
        Self::new(20, 60, usize::MAX),
        Self::new(16, 60, usize::MAX),
        Self::new(12, 60, usize::MAX),
        Self::new(12, 40, usize::MAX),
        Self::new(12, 40, 24),
        Self::new(10, 30, 16),
        Self::new(10, 24, 10),
        Self::new(8, 20, 6),
        Self::new(5, 12, 4),
        Self::new(5, 12, 4).of_variants(60),
        Self::new(5, 12, 4).of_variants(30),
        Self::new(5, 12, 4).of_variants(15),
        Self::new(5, 12, 4).of_variants(8),
    ];

    /// The most variants for which a level without a limit on variants is tried.
    const TRIED: usize = 120;

    /// Returns the levels of detail to try for this number of variants. Trying all levels with a thousand variants
    /// would take minutes.
    pub(in crate::output::html) fn levels(variants: usize) -> impl Iterator<Item = Self> {
        let worth = move |level: &Self| level.variants.min(variants) <= Self::TRIED;
        Self::LEVELS.into_iter().filter(worth)
    }

    const fn of_variants(self, variants: usize) -> Self {
        Self { variants, ..self }
    }

    const fn new(rounds: u64, bars: u64, combatants: usize) -> Self {
        Self {
            rounds,
            bars,
            combatants,
            variants: usize::MAX,
        }
    }

    /// Returns the combatants to show, in file order: the first of each group (`brute 1`, `brute 2`), then the second
    /// of each, and so on, until the limit is reached.
    pub(super) fn some<'a>(self, combatants: &[&'a str]) -> Vec<&'a str> {
        let mut members: HashMap<&str, usize> = HashMap::new();
        let mut turns: Vec<(usize, usize)> = Vec::with_capacity(combatants.len());
        for (place, name) in combatants.iter().enumerate() {
            let turn = members.entry(group(name).0).or_default();
            turns.push((*turn, place));
            *turn += 1;
        }
        turns.sort_unstable();
        turns.truncate(self.combatants);
        turns.sort_unstable_by_key(|(_, place)| *place);
        turns.iter().map(|(_, place)| combatants[*place]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Detail;

    #[test]
    fn of_each_group_some_are_shown() {
        let all = [
            "brute 1", "brute 2", "brute 3", "shaman", "archer 1", "archer 2",
        ];
        let some = |most| Detail::new(0, 0, most).some(&all);
        assert_eq!(some(6), all);
        assert_eq!(
            some(5),
            ["brute 1", "brute 2", "shaman", "archer 1", "archer 2"]
        );
        assert_eq!(some(3), ["brute 1", "shaman", "archer 1"]);
        assert_eq!(some(1), ["brute 1"]);
    }

    #[test]
    fn each_level_shows_no_more_than_the_one_before() {
        for pair in Detail::LEVELS.windows(2) {
            let limits = |level: Detail| {
                let [combatants, variants] =
                    [level.combatants, level.variants].map(|most| most as u64);
                [level.rounds, level.bars, combatants, variants]
            };
            let (first, second) = (limits(pair[0]), limits(pair[1]));
            assert!(first.iter().zip(second).all(|(more, less)| *more >= less) && first != second);
        }
    }
}
