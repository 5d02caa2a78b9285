//! Checks in words: a roll with facts added, held against a number or another roll, with degrees of its result.

use super::check::{Attempt, Check, CheckKind, CheckTerms, CriticalDamage, HitEffect};
use super::effect::Share;
use super::health::{Damage, Roll};
use super::program::Comparison;
use super::sum::small;
use super::variables::Variable;
use crate::chance::Chance;
use crate::dice::Faces;
use crate::names::named;

/// The most degrees of a check.
pub const MOST_DEGREES: usize = 8;

/// The name of the degree of critical successes: such a check works whatever it is held against.
pub const CRITICAL: &str = "critical";

/// The name of the degree of fumbles: such a check fails.
pub const FUMBLE: &str = "fumble";

/// A fact that counts several times, or only in part: `2 * might`, `skill / 10`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Term {
    /// How often it counts.
    pub times: i64,
    /// The fact.
    pub fact: Variable,
    /// The number by which it is divided first, rounded down; at least 1.
    pub per: i64,
}

/// A sum of facts and a number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Terms {
    /// The number.
    pub number: i64,
    /// The facts.
    pub facts: Vec<Term>,
}

impl Terms {
    /// Returns the sum, with the value of each fact.
    pub fn value(&self, fact: impl Fn(Variable) -> i64) -> i64 {
        let facts = self.facts.iter();
        let parts = facts.map(|term| term.times * fact(term.fact).div_euclid(term.per));
        self.number + parts.sum::<i64>()
    }
}

named! {
    /// How far a roll is under its number.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Under {
        /// In points.
        Points "points";
        /// In success levels: the tens of the number less the tens of the roll.
        Tens "tens";
    }
}

/// Returns how well a roll is `under` its number.
fn score(under: Option<Under>, rolled: i64, number: i64) -> i64 {
    match under {
        None => rolled + number,
        Some(Under::Points) => number - rolled,
        Some(Under::Tens) => number.div_euclid(10) - rolled.div_euclid(10),
    }
}

named! {
    /// Who wins where both sides have rolled equally well.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Ties {
        /// The one against whom the check is made.
        #[default]
        Lose "lose";
        /// The one who makes the check.
        Win "win";
        /// The one with the greater number besides the dice; if they are equal, the one against whom it is made.
        Higher "higher";
    }
}

impl Ties {
    /// Whether the one who makes the check wins a tie; its number besides the dice may be the `greater`.
    const fn win(self, greater: bool) -> bool {
        match self {
            Self::Lose => false,
            Self::Win => true,
            Self::Higher => greater,
        }
    }
}

/// What a check is held against.
#[derive(Debug, Clone, PartialEq)]
pub enum Against {
    /// The target's evade, or the number that an action needs.
    Usual,
    /// A number; if it `excludes` equality, only a better roll works.
    Number(Terms, bool),
    /// A roll for the other one, with the number added to it or, if it rolls under, the greatest that counts.
    Roll(Roll, Terms, Ties),
}

/// A check in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Words {
    /// The roll, a pool or a percentile test, to which facts are added.
    pub base: Check,
    /// The sum added to the roll, the dice or the skill; of a roll under a number that is held against another such roll,
    /// the number.
    pub facts: Terms,
    /// Whether the roll is to be at most its number.
    pub under: Option<Under>,
    /// What it is held against.
    pub against: Against,
    /// The degrees of its result; the first that holds is its degree.
    pub degrees: Vec<Degree>,
    /// Whether more than its degree counts, as in damage that adds the margin.
    pub counts_margin: bool,
}

/// A degree of success or failure.
#[derive(Debug, Clone, PartialEq)]
pub struct Degree {
    /// As the file names it.
    pub name: String,
    /// When it comes: all comparisons of one of these lists must hold.
    pub when: Vec<Vec<(Measure, Comparison, i64)>>,
    /// Whether the check then works, or fails, whatever it is held against.
    pub works: Option<bool>,
}

named! {
    /// A number of the result of a check.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Measure {
        /// How much better the roll is than it had to be; below 0 if it is too bad.
        Margin "margin";
        /// The dice alone.
        Natural "natural";
        /// The whole roll: a total, net successes, the d100.
        Total "total";
    }
}

/// How much of its damage a degree does.
#[derive(Debug, Clone, PartialEq)]
pub enum Blow {
    /// A share.
    Share(Share),
    /// As a critical hit does.
    Critical(CriticalDamage),
    /// Other damage.
    Damage(Damage),
}

/// What damage adds to its dice, and what it is at each degree.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extra {
    /// Facts.
    pub facts: Terms,
    /// How often the margin counts.
    pub margin: i64,
    /// How often the total counts.
    pub total: i64,
    /// The damage of a degree, by its number from 1, or with 0 of a failure.
    pub blows: Vec<(u8, Blow)>,
}

impl Extra {
    /// Returns the damage of a degree, or with 0 of a check that fails.
    pub fn blow(&self, degree: u8) -> Option<&Blow> {
        let mut blows = self.blows.iter();
        blows.find(|(of, _)| *of == degree).map(|(_, blow)| blow)
    }

    /// Whether it counts more than degrees.
    pub const fn counts_margin(&self) -> bool {
        self.margin != 0 || self.total != 0
    }
}

impl Words {
    /// The words of a plain check.
    pub fn around(base: Check) -> Self {
        match base {
            Check::Words(words) => *words,
            base => Self {
                base,
                facts: Terms::default(),
                under: None,
                against: Against::Usual,
                degrees: Vec::new(),
                counts_margin: false,
            },
        }
    }

    /// The kind of its roll.
    #[cold]
    #[inline(never)]
    pub fn kind(&self) -> CheckKind {
        self.base.kind()
    }

    /// The dice of its pool with a bonus, without those of facts, if it is a pool.
    #[cold]
    #[inline(never)]
    pub fn pool(&self, mastery: i64) -> Option<i64> {
        self.base.pool(mastery)
    }

    /// Puts the values of its facts into the question.
    pub fn ask(&self, question: &mut CheckTerms, fact: impl Fn(Variable) -> i64 + Copy) {
        question.words.facts = small(self.facts.value(fact));
        match &self.against {
            Against::Usual => {}
            Against::Number(terms, excludes) => {
                question.evade = terms.value(fact);
                question.meeting_hits = !excludes;
            }
            Against::Roll(_, terms, _) => question.evade = terms.value(fact),
        }
    }

    /// Puts numbers in the place of its facts.
    pub fn settle(&mut self, fact: impl Fn(Variable) -> i64 + Copy) {
        let against = match &mut self.against {
            Against::Usual => None,
            Against::Number(terms, _) | Against::Roll(_, terms, _) => Some(terms),
        };
        for terms in against.into_iter().chain([&mut self.facts]) {
            *terms = Terms {
                number: terms.value(fact),
                facts: Vec::new(),
            };
        }
    }

    /// The facts that it asks for.
    pub fn facts(&self) -> impl Iterator<Item = Variable> {
        let others = match &self.against {
            Against::Usual => &[][..],
            Against::Number(terms, _) | Against::Roll(_, terms, _) => &terms.facts[..],
        };
        let all = self.facts.facts.iter().chain(others);
        all.map(|term| term.fact)
    }

    /// Makes the check. The one who makes it rolls for the other, too.
    #[cold]
    #[inline(never)]
    pub fn attempt<'a, C: Chance, F: Faces>(
        &self,
        question: &CheckTerms,
        chance: &'a mut C,
        faces: impl FnOnce(&'a mut C) -> F,
    ) -> Attempt {
        let question = &mut question.clone();
        if !question.words.is_asked {
            // Outside of fights its facts are numbers.
            self.ask(question, |_| 0);
        }
        let facts = i64::from(question.words.facts);
        let changes = question.added() - facts - question.taken_off();
        let (attempt, natural, margin) = match (&self.base, &self.against, self.under) {
            (Check::RollOver { roll }, Against::Roll(theirs, _, ties), under) => {
                let faces = &mut faces(chance);
                let (rolled, other) = (roll.roll(faces), theirs.roll(faces));
                let total = score(under, rolled, facts + changes);
                let needed = score(under, other, question.evade);
                let greater = facts + roll.added() > question.evade + theirs.added();
                let works = total > needed || total == needed && ties.win(greater);
                (
                    Attempt::new(total, needed, works),
                    rolled - roll.added(),
                    total - needed,
                )
            }
            (Check::RollOver { roll }, _, Some(under)) => {
                let rolled = roll.roll(&mut faces(chance));
                let (total, needed) = (rolled + facts, question.evade + changes);
                let works = total + i64::from(!question.meeting_hits) <= needed;
                let margin = score(Some(under), total, needed);
                (
                    Attempt::new(total, needed, works),
                    rolled - roll.added(),
                    margin,
                )
            }
            (base, _, _) => {
                let attempt = base.attempt_plain(question, chance, faces);
                let (natural, margin) = if let Check::Percentile { .. } = base {
                    (attempt.total, attempt.needed - attempt.total)
                } else {
                    let added = base.sum(question).total();
                    (attempt.total - added, attempt.total - attempt.needed)
                };
                (attempt, natural, margin)
            }
        };
        self.judged(attempt, natural, margin)
    }

    /// Returns an attempt to whose roll, or to the number that it must not exceed, `more` is added.
    pub(super) fn raised(&self, question: &CheckTerms, mut attempt: Attempt, more: i64) -> Attempt {
        let facts = i64::from(question.words.facts);
        attempt.words.degree = 0;
        let (natural, margin) = match (&self.base, &self.against, self.under) {
            (Check::RollOver { roll }, Against::Roll(theirs, _, ties), _) => {
                let added = question.added() - question.taken_off() + roll.added();
                let natural = attempt.total - added;
                let greater = facts + roll.added() > question.evade + theirs.added();
                attempt.total += more;
                let margin = attempt.total - attempt.needed;
                attempt.works = margin > 0 || margin == 0 && ties.win(greater);
                (natural, margin)
            }
            (Check::RollOver { roll }, _, under @ Some(_)) => {
                attempt.needed += more;
                let is_strict = i64::from(!question.meeting_hits);
                attempt.works = attempt.total + is_strict <= attempt.needed;
                let margin = score(under, attempt.total, attempt.needed);
                (attempt.total - facts - roll.added(), margin)
            }
            (base, ..) => {
                let natural = attempt.total - base.sum(question).total();
                attempt = base.raised(question, attempt, more);
                (natural, attempt.total - attempt.needed)
            }
        };
        self.judged(attempt, natural, margin)
    }

    /// Finds the degree of an attempt whose dice alone are `natural`.
    fn judged(&self, mut attempt: Attempt, natural: i64, margin: i64) -> Attempt {
        if self.counts_margin {
            attempt.words.margin = small(margin);
            attempt.words.total = small(attempt.total);
        }
        let holds = |(measure, comparison, number): &(Measure, Comparison, i64)| {
            let value = match measure {
                Measure::Margin => margin,
                Measure::Natural => natural,
                Measure::Total => attempt.total,
            };
            comparison.holds(value, *number)
        };
        let is_it = |degree: &Degree| degree.when.iter().any(|all| all.iter().all(holds));
        if let Some(index) = self.degrees.iter().position(is_it) {
            attempt.words.degree = index as u8 + 1;
            attempt.works = self.degrees[index].works.unwrap_or(attempt.works);
        }
        attempt
    }

    /// Whether less is better: a roll that is to be at most a number, where it is not another's that counts.
    pub fn is_under(&self) -> bool {
        let is_versus = matches!(self.against, Against::Roll(..));
        let is_percentile = matches!(self.base, Check::Percentile { .. });
        is_percentile || self.under.is_some() && !is_versus
    }

    /// Whether an attempt was a critical success: of a degree called so, or as its base says.
    pub fn is_critical(&self, attempt: &Attempt) -> bool {
        let degree = usize::from(attempt.words.degree).checked_sub(1);
        let named = degree.is_some_and(|degree| self.degrees[degree].name == CRITICAL);
        named || self.base.is_critical(attempt)
    }

    /// Returns an attempt without the values that its effects do not depend on.
    pub fn kind_of(&self, attempt: Attempt) -> Attempt {
        if self.counts_margin {
            return attempt;
        }
        match &self.base {
            Check::Pool { .. } => Attempt {
                needed: 0,
                ..attempt
            },
            base => Attempt {
                total: 0,
                needed: 0,
                ..base.kind_of(attempt)
            },
        }
    }
}

impl Blow {
    /// Returns the effect of a hit on damage that it does not replace.
    pub const fn effect(&self) -> HitEffect {
        match self {
            Self::Share(Share::Half) => HitEffect::Halved,
            Self::Share(Share::None) => HitEffect::Nothing,
            Self::Critical(critical) => HitEffect::Critical(*critical),
            Self::Share(Share::All) | Self::Damage(_) => HitEffect::Usual,
        }
    }
}
