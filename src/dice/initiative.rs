//! The Initiative Score of Tara-Corax (TC-2, TC-3).

use super::Faces;
use super::distribution::Distribution;
use super::pool::Named;
use super::weight::Weight;

/// Marks in a Round of the rule book, and so its highest Score, whatever was rolled (TC-3).
pub const ROUND_MARKS: i64 = 30;

/// What a 10 on the initiative die does (TC-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Explode {
    /// One more d10 is added, once.
    #[default]
    Once,
    /// One more d10 is added, and again on its 10.
    Recursive,
    /// Nothing.
    None,
}

impl Explode {
    /// More than any roll of a die comes to that the encounter cache remembers.
    pub(crate) const MOST: i32 = 250;

    /// A die of that many sides, and those that its highest face adds. A die of one side adds none.
    #[expect(clippy::inline_always, reason = "every Round of an encounter rolls it")]
    #[inline(always)]
    pub(crate) fn roll(self, sides: u32, faces: &mut impl Faces) -> i32 {
        let mut face = faces.face(sides);
        let mut sum = face;
        let again = |face: u32| face == sides && sides > 1;
        match self {
            Self::None => {}
            Self::Once => {
                if again(face) {
                    sum += faces.face(sides);
                }
            }
            // Beyond the cap further dice change nothing, and a script of tens must end (W-7).
            Self::Recursive => {
                while again(face) && sum < 200 {
                    face = faces.face(sides);
                    sum += face;
                }
            }
        }
        sum as i32
    }
}

impl Named for Explode {
    const ALL: &'static [(&'static str, Self)] = &[
        ("once", Self::Once),
        ("recursive", Self::Recursive),
        ("none", Self::None),
    ];
}

/// How a Score is rolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Initiative {
    /// The characteristic: half of Agility and Intellect together, rounded down.
    pub characteristic: i64,
    /// The armour's evade modifier, a penalty written as a positive number.
    pub evade_modifier: i64,
    /// What a 10 does.
    pub explode: Explode,
    /// Marks in a Round: the highest Score.
    pub round_marks: i64,
}

impl Initiative {
    /// The characteristic of these attributes.
    #[must_use]
    pub const fn characteristic(agility: i64, intellect: i64) -> i64 {
        (agility + intellect).div_euclid(2)
    }

    /// What is added to the die.
    #[must_use]
    pub const fn bonus(&self) -> i64 {
        self.characteristic - self.evade_modifier.div_euclid(2)
    }

    /// Rolls a Score. The highest Score is reached before a further die is asked for, so even a
    /// recursive explosion ends.
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        let mut score = self.bonus();
        let mut dice = 0;
        loop {
            let face = faces.face(10);
            score += i64::from(face);
            dice += 1;
            let again = match self.explode {
                Explode::None => false,
                Explode::Once => dice == 1,
                Explode::Recursive => score < self.round_marks,
            };
            if face < 10 || !again {
                return score.min(self.round_marks);
            }
        }
    }

    /// The exact distribution of the Score; below 1 the combatant cannot act.
    #[must_use]
    pub fn distribution(&self) -> Distribution {
        let tenth = Weight::ratio(1, 10);
        let mut terms = Vec::new();
        let (mut score, mut weight, mut dice) = (self.bonus(), Weight::ONE, 0);
        loop {
            weight = weight * tenth;
            dice += 1;
            terms.extend((1..10).map(|face| ((score + face).min(self.round_marks), weight)));
            score += 10;
            let again = match self.explode {
                Explode::None => false,
                Explode::Once => dice == 1,
                Explode::Recursive => score < self.round_marks && !weight.vanishes(),
            };
            if !again {
                terms.push((score.min(self.round_marks), weight));
                return Distribution::collect(&terms);
            }
        }
    }
}

/// What decides between two who have the same total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TieBreak {
    /// The first acts first.
    First,
    /// The second does.
    Second,
    /// Nothing: they act at once.
    Simultaneous,
    /// Roll-offs until one is higher.
    RollOff,
}

/// How often one of two acts before the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precedence {
    /// The first acts before the second, or alone.
    pub before: f64,
    /// Both act at once.
    pub simultaneous: f64,
    /// The second acts before the first, or alone.
    pub after: f64,
    /// Neither acts.
    pub neither: f64,
}

impl Precedence {
    /// That of two independent totals. Who has less than `least` does not act.
    #[must_use]
    pub fn of(first: &Distribution, second: &Distribution, least: i64, tie: TieBreak) -> Self {
        let acts = |one: &Distribution| one.part(least, i64::MAX);
        let (mine, theirs) = (acts(first), acts(second));
        let versus = mine.versus(&theirs);
        let (idle, other_idle) = (first.below(least), second.below(least));
        let mut odds = Self {
            before: versus.win + mine.mass().value() * other_idle,
            simultaneous: 0.0,
            after: versus.lose + theirs.mass().value() * idle,
            neither: idle * other_idle,
        };
        match tie {
            TieBreak::First => odds.before += versus.tie,
            TieBreak::Second => odds.after += versus.tie,
            TieBreak::Simultaneous => odds.simultaneous = versus.tie,
            TieBreak::RollOff => {
                odds.before += versus.tie / 2.0;
                odds.after += versus.tie / 2.0;
            }
        }
        odds
    }
}

#[cfg(test)]
mod tests {
    use super::{Distribution, Explode, Initiative, Precedence, ROUND_MARKS, TieBreak};

    /// All pairs of faces of two d10, counted one by one.
    fn counted(ratings: [i64; 2], least: i64, tie: TieBreak) -> [f64; 4] {
        let mut counts = [0.0; 4];
        for (one, other) in (1..=10).flat_map(|one| (1..=10).map(move |other| (one, other))) {
            let (mine, theirs) = (ratings[0] + one, ratings[1] + other);
            let weights = if mine < least && theirs < least {
                [0.0, 0.0, 0.0, 1.0]
            } else if theirs < least || mine > theirs && mine >= least {
                [1.0, 0.0, 0.0, 0.0]
            } else if mine < least || mine < theirs {
                [0.0, 0.0, 1.0, 0.0]
            } else {
                match tie {
                    TieBreak::First => [1.0, 0.0, 0.0, 0.0],
                    TieBreak::Second => [0.0, 0.0, 1.0, 0.0],
                    TieBreak::Simultaneous => [0.0, 1.0, 0.0, 0.0],
                    TieBreak::RollOff => [0.5, 0.0, 0.5, 0.0],
                }
            };
            for (count, weight) in counts.iter_mut().zip(weights) {
                *count += weight / 100.0;
            }
        }
        counts
    }

    #[test]
    fn who_acts_first_is_what_all_pairs_of_faces_say() {
        for ratings in [[6, 5], [5, 6], [5, 5], [-4, -6], [-20, 3], [30, -30]] {
            for least in [i64::MIN, 1] {
                for tie in [
                    TieBreak::First,
                    TieBreak::Second,
                    TieBreak::Simultaneous,
                    TieBreak::RollOff,
                ] {
                    let total = |rating: i64| Distribution::die(10).shifted(rating);
                    let odds = Precedence::of(&total(ratings[0]), &total(ratings[1]), least, tie);
                    let found = [odds.before, odds.simultaneous, odds.after, odds.neither];
                    let expected = counted(ratings, least, tie);
                    for (found, expected) in found.iter().zip(expected) {
                        let apart: f64 = found - expected;
                        assert!(apart.abs() < 1e-14, "{ratings:?} {least} {tie:?}: {odds:?}");
                    }
                }
            }
        }
    }

    fn score(characteristic: i64, explode: Explode) -> Initiative {
        Initiative {
            round_marks: ROUND_MARKS,
            characteristic,
            evade_modifier: 0,
            explode,
        }
    }

    fn rolled(initiative: Initiative, script: &[u32]) -> i64 {
        let mut faces = script.iter().copied();
        let result = initiative.roll(&mut |_: u32| faces.next().expect("a face too few"));
        assert_eq!(faces.next(), None, "the script was not used up");
        result
    }

    #[test]
    fn tc_2_the_characteristic_is_the_average_rounded_down_less_half_the_armour() {
        assert_eq!(Initiative::characteristic(16, 15), 15);
        let armoured = Initiative {
            evade_modifier: 5,
            ..score(15, Explode::Once)
        };
        assert_eq!(rolled(armoured, &[4]), 17);
    }

    #[test]
    fn tc_3_the_rogue_and_the_warrior_roll_their_scores() {
        assert_eq!(rolled(score(15, Explode::Once), &[9]), 24);
        assert_eq!(rolled(score(9, Explode::Once), &[10, 6]), 25);
        assert_eq!(rolled(score(12, Explode::Once), &[10, 4]), 26);
    }

    #[test]
    fn tc_3_a_second_ten_is_added_or_rolled_on() {
        assert_eq!(rolled(score(2, Explode::Once), &[10, 10]), 22);
        assert_eq!(rolled(score(2, Explode::Recursive), &[10, 10, 3]), 25);
        assert_eq!(rolled(score(2, Explode::None), &[10]), 12);
        assert_eq!(rolled(score(25, Explode::Once), &[10, 4]), 30);
        assert_eq!(rolled(score(10, Explode::Recursive), &[10, 10]), 30);
    }

    #[test]
    fn every_score_has_its_weight() {
        let once = score(15, Explode::Once).distribution();
        assert!((once.probability(16) - 0.1).abs() < 1e-17);
        assert!((once.probability(25)).abs() < 1e-300);
        assert!((once.probability(26) - 0.01).abs() < 1e-18);
        assert!((once.probability(30) - 0.06).abs() < 1e-17);
        let recursive = score(2, Explode::Recursive).distribution();
        assert!((recursive.probability(23) - 0.001).abs() < 1e-18);
        assert!((recursive.at_least(30) - 0.003).abs() < 1e-17);
        for (characteristic, explode) in [
            (-3, Explode::Once),
            (4, Explode::Recursive),
            (31, Explode::Recursive),
            (-5000, Explode::Recursive),
            (20, Explode::None),
        ] {
            let scores = score(characteristic, explode).distribution();
            assert!((scores.mass().value() - 1.0).abs() < 1e-15);
            assert!(scores.last() <= 30);
        }
        assert!((score(-3, Explode::Once).distribution().below(1) - 0.3).abs() < 1e-16);
    }

    #[test]
    fn tc_1_a_longer_round_has_higher_scores() {
        let longer = Initiative {
            round_marks: 45,
            ..score(25, Explode::Recursive)
        };
        assert_eq!(rolled(longer, &[10, 4]), 39);
        assert_eq!(rolled(longer, &[10, 10]), 45);
        let scores = longer.distribution();
        assert_eq!(scores.last(), 45);
        assert!((scores.at_least(45) - 0.01 * 0.6 - 0.001 * 4.0).abs() < 1e-17);
    }
}
