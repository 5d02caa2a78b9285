//! Checks: whether an attempt works.
//!
//! Any weapon or spell may use any kind of check, whatever the clock: roll and add against the
//! defender's `evade` (TC-22), a Storyteller pool against a difficulty (MD-1 to MD-3), or a
//! percentile test against a skill (EP-9).

use super::health::{Damage, Roll};
pub use super::pool_dice::{Dice, PoolDice};
use super::sum::{Modifier, Sum};
use super::variables::Variable;
use super::words::{Against, Degree, Words};
use crate::chance::{Chance, Purpose};
use crate::dice::Faces;
use crate::dice::percentile::{DOUBLES, Percentile};
use crate::names::named;
use serde::Serialize;

named! {
    /// The kinds of checks, without their parameters.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum CheckKind {
        /// Roll and add against the defender's `evade`.
        RollOver "roll-over";
        /// A Storyteller pool against a difficulty.
        Pool "pool";
        /// A percentile test against a skill.
        Percentile "percentile";
    }
}

named! {
    /// The damage of a critical hit (W-9).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CriticalDamage {
        /// All dice twice, and the number added to them once.
        DoubleDice "double dice";
        /// Twice the damage.
        Double "double";
        /// The damage of every other hit.
        Usual "usual";
    }
}

impl CheckKind {
    /// Returns a description of the roll and of success.
    pub const fn about(self) -> &'static str {
        match self {
            Self::RollOver => "dice and a bonus, against the target's `evade`",
            Self::Pool => {
                "d10s, each against a difficulty; successes are counted, more do more harm"
            }
            Self::Percentile => "a d100, 00 to 99, at or under a skill",
        }
    }

    /// The key that identifies a check of this kind.
    pub const fn key(self) -> &'static str {
        match self {
            Self::RollOver => "dice",
            Self::Pool => "pool",
            Self::Percentile => "skill",
        }
    }
}

/// A compiled check.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// Roll and add; at or over the target number works (TC-22).
    RollOver {
        /// Dice and bonus together.
        roll: Roll,
    },
    /// Like `RollOver`, with critical hits or fumbles (W-9).
    Natural(Box<Natural>),
    /// A pool; `required` net successes work, more raise the damage (MD-1 to MD-3).
    Pool {
        /// The dice, and every smaller pool that penalties or a division may leave of them.
        dice: Dice,
        /// Damage for each success that counts.
        extra_damage: i64,
        /// Whether all successes add damage (CD-6), or only those beyond the required ones (MD-3).
        every_success: bool,
    },
    /// A d100, 00 to 99, at or under a skill (EP-9).
    Percentile {
        /// The skill.
        skill: i64,
        /// Whether a success with doubles ignores armour.
        critical_ignores_armor: bool,
    },
    /// A check to which facts are added, that is held against others, or that has degrees.
    Words(Box<Words>),
}

/// A roll whose natural total, that of its dice alone, may decide whatever the target number is (W-9). Both limits
/// include the bonus of the roll.
#[derive(Debug, Clone, PartialEq)]
pub struct Natural {
    /// Dice and bonus together.
    pub roll: Roll,
    /// The least roll of a critical hit, and its damage.
    pub critical: Option<(i64, CriticalDamage)>,
    /// The greatest roll of a fumble, which never works.
    pub fumble: Option<i64>,
}

/// The effect of a hit on its damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HitEffect {
    /// All of it, less armour.
    #[default]
    Usual,
    /// Half of it only, rounded down (MD-3).
    Halved,
    /// None of it.
    Nothing,
    /// All of it, whatever the armour (EP-9).
    IgnoresArmor,
    /// The damage of a critical hit (W-9).
    Critical(CriticalDamage),
}

impl HitEffect {
    /// Returns the points that count of rolled damage.
    #[inline]
    pub const fn of(self, rolled: i64) -> i64 {
        match self {
            Self::Halved => rolled / 2,
            Self::Nothing => 0,
            Self::Critical(CriticalDamage::Double) => 2 * rolled,
            _ => rolled,
        }
    }
}

/// Points of a percentile skill that equal a die of a pool: the penalty of a wound (EP-9).
pub const SKILL_OF_A_DIE: i64 = 10;

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Attempt {
    /// The roll: a total, net successes, or the d100.
    pub total: i64,
    /// The number to reach or, in a percentile test, not to exceed.
    pub needed: i64,
    /// Whether it works.
    pub works: bool,
    /// Whether it is a botch.
    pub botch: bool,
    /// The damage that it adds.
    pub extra_damage: i64,
    /// Its effect on the damage.
    pub effect: HitEffect,
    /// What a check in words has found.
    pub words: Outcome,
}

/// What a check in words has found; small, because every attempt carries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Outcome {
    /// Its degree, from 1 in the order of the check; 0 for none.
    pub degree: u8,
    /// How much better than needed it is, if that counts; below 0 if it is worse.
    pub margin: i32,
    /// Its total, if that counts.
    pub total: i32,
}

impl Attempt {
    /// An attempt without further results.
    #[inline(always)]
    pub const fn new(total: i64, needed: i64, works: bool) -> Self {
        Self {
            total,
            needed,
            works,
            botch: false,
            extra_damage: 0,
            effect: HitEffect::Usual,
            words: Outcome {
                degree: 0,
                margin: 0,
                total: 0,
            },
        }
    }

    /// Returns the attempt of a pool with the least number of successes of all that work, that are too few or that are
    /// none, as this attempt does; without the damage that they add.
    pub fn kind(self) -> Self {
        let total = match self {
            Self { botch: true, .. } => 0,
            Self { works: true, .. } => self.needed,
            _ => self.total.clamp(0, 1),
        };
        Self {
            total,
            extra_damage: 0,
            ..self
        }
    }
}

/// The parameters of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CheckTerms {
    /// The combatant that rolls.
    pub who: usize,
    /// The defender's Evade, for checks against it.
    pub evade: i64,
    /// Added to the roll, the skill, or the dice of the pool.
    pub mastery: i64,
    /// The sum that conditions add to the same (W-11).
    pub conditions: i64,
    /// What checks in words and advantages add.
    pub words: Asked,
    /// Dice that wounds take off the pool; a die is worth a point of a roll, and [`SKILL_OF_A_DIE`] of a skill.
    pub lost: i64,
    /// Dice that yards take off it (MA-5).
    pub yards: i64,
    /// Whether these are all yards, and not only those beyond the free half.
    pub every_yard: bool,
    /// Dice that the target's Defence takes off it (CD-6).
    pub defence: i64,
    /// Further points off a percentile skill: fewer than a die is worth.
    pub points: i64,
    /// The dice of this part, if the pool is divided: then nothing else is added or lost.
    pub part: Option<u32>,
    /// Whether a roll that only meets Evade works.
    pub meeting_hits: bool,
    /// The highest natural face that makes a roll against Evade fail, whatever its total; 0 for none (TC-11).
    pub spoils: u32,
    /// Net successes of a pool that are needed beyond those it requires (MD-3).
    pub more: i64,
    /// Whether one net success of a pool is sure (MD-4).
    pub sure: bool,
    /// The sum that conditions add to the difficulty of a pool (W-11).
    pub harder: i64,
}

/// The parameters of a check in words; small, because every check carries them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Asked {
    /// The one against whom it rolls: its target, or the source of what it resists.
    pub target: u8,
    /// Whether the facts have been asked for.
    pub is_asked: bool,
    /// Above 0 if the better of two rolls counts, below 0 if the worse one does.
    pub advantage: i8,
    /// What the facts of the check add.
    pub facts: i32,
    /// What earlier attacks of the same turn add: usually less than nothing.
    pub repeated: i32,
}

impl CheckTerms {
    /// The numbers added.
    pub const fn added(&self) -> i64 {
        self.mastery + self.conditions + (self.words.facts + self.words.repeated) as i64
    }

    /// Dice that penalties take off.
    pub const fn taken_off(&self) -> i64 {
        self.lost + self.yards + self.defence
    }

    /// Returns the question with a number to be reached instead of Evade: a roll that only meets it works.
    pub const fn needs(self, needs: i64) -> Self {
        Self {
            evade: needs,
            meeting_hits: true,
            ..self
        }
    }
}

/// A check that each combatant makes with its own traits: to resist an effect, to end a condition, or of its morale.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnCheck {
    /// The check, with the pool of the combatant that has the most dice.
    pub check: Check,
    /// The number that a roll-over check must reach.
    pub needs: i64,
    /// The dice that the pool of each combatant has less, in the order of the fight; empty if all have the same (MD-4).
    pub fewer: Vec<i64>,
}

impl Check {
    /// The kind of check.
    #[inline(always)]
    pub fn kind(&self) -> CheckKind {
        match self {
            Self::RollOver { .. } | Self::Natural(_) => CheckKind::RollOver,
            Self::Pool { .. } => CheckKind::Pool,
            Self::Percentile { .. } => CheckKind::Percentile,
            Self::Words(words) => words.kind(),
        }
    }

    /// Returns the check with numbers in the place of the facts that it asks for.
    #[must_use]
    pub fn settled(mut self, fact: impl Fn(Variable) -> i64 + Copy) -> Self {
        if let Self::Words(words) = &mut self {
            words.settle(fact);
        }
        self
    }

    /// Keeps the margin, if damage that it leads to asks for it. Then successes add no damage of themselves.
    pub fn ask_margin<'d>(&mut self, mut damage: impl Iterator<Item = &'d Damage>) {
        if damage.any(Damage::counts_margin) {
            let mut words = Words::around(self.clone());
            words.counts_margin = true;
            if let Self::Pool { extra_damage, .. } = &mut words.base {
                *extra_damage = 0;
            }
            *self = Self::Words(Box::new(words));
        }
    }

    /// Its degrees.
    pub fn degrees(&self) -> &[Degree] {
        match self {
            Self::Words(words) => &words.degrees,
            _ => &[],
        }
    }

    /// The facts that it asks for.
    pub fn facts(&self) -> impl Iterator<Item = Variable> {
        let words = match self {
            Self::Words(words) => Some(words),
            _ => None,
        };
        words.into_iter().flat_map(|words| words.facts())
    }

    /// Whether it is a roll against the target's evade, or a number in its place.
    pub fn is_against_evade(&self) -> bool {
        match self {
            Self::RollOver { .. } | Self::Natural(_) => true,
            Self::Words(words) => words.against == Against::Usual && words.base.is_against_evade(),
            Self::Pool { .. } | Self::Percentile { .. } => false,
        }
    }

    /// The dice of its pool with a bonus, if it is a pool.
    #[inline(always)]
    pub fn pool(&self, mastery: i64) -> Option<i64> {
        match self {
            Self::Pool { dice, .. } => Some(i64::from(dice.count) + mastery),
            Self::Words(words) => words.pool(mastery),
            _ => None,
        }
    }

    /// Returns the sum of which the check is made. Where the dice of a pool have been settled, it is empty.
    #[cold]
    pub fn sum(&self, question: &CheckTerms) -> Sum {
        let (bonus, worth) = match self {
            Self::RollOver { roll } => (roll.added(), 1),
            Self::Natural(natural) => (natural.roll.added(), 1),
            Self::Pool { .. } if question.part.is_some() => return Sum::NONE,
            Self::Pool { dice, .. } => (dice.count.into(), 1),
            Self::Percentile { skill, .. } => (*skill, SKILL_OF_A_DIE),
            Self::Words(words) => return words.base.sum(question),
        };
        let points = if worth == 1 { 0 } else { question.points };
        let yards = if question.every_yard {
            Modifier::Yards
        } else {
            Modifier::YardsBeyondHalf
        };
        let mut sum = Sum::new(bonus);
        sum.advantage = question.words.advantage.signum();
        sum.with(Modifier::Mastery, question.mastery)
            .with(Modifier::Facts, question.words.facts.into())
            .with(Modifier::Repeated, question.words.repeated.into())
            .with(Modifier::Conditions, question.conditions)
            .with(Modifier::Wounds, -(question.lost * worth + points))
            .with(yards, -question.yards * worth)
            .with(Modifier::Defence, -question.defence * worth)
    }

    /// Whether an attempt was a critical success: doubles of a percentile test, where they count (EP-9), or a natural
    /// total.
    #[inline]
    pub fn is_critical(&self, attempt: &Attempt) -> bool {
        match self {
            Self::Words(words) => words.is_critical(attempt),
            _ => self.is_critical_plain(attempt),
        }
    }

    /// Whether an attempt was a critical success, if the check is not in words.
    #[inline(always)]
    pub fn is_critical_plain(&self, attempt: &Attempt) -> bool {
        match self {
            Self::Percentile { .. } => {
                self.counts_doubles() && attempt.works && attempt.total % DOUBLES == 0
            }
            Self::Natural(_) => matches!(attempt.effect, HitEffect::Critical(_)),
            _ => false,
        }
    }

    /// Whether doubles of a percentile test are more than a plain success (EP-9).
    #[inline]
    pub fn counts_doubles(&self) -> bool {
        matches!(
            self,
            Self::Percentile {
                critical_ignores_armor: true,
                ..
            }
        )
    }

    /// Returns a number by which attempts are compared: the better one is greater.
    pub fn quality(&self, attempt: &Attempt) -> (bool, bool, i64) {
        let is_under = match self {
            Self::Words(words) => words.is_under(),
            _ => self.kind() == CheckKind::Percentile,
        };
        let total = if is_under {
            -attempt.total
        } else {
            attempt.total
        };
        (attempt.works, self.is_critical(attempt), total)
    }

    /// Returns an attempt without the values that its effects do not depend on: attempts with the same effects are
    /// equal.
    pub fn effect_of(&self, attempt: Attempt) -> Attempt {
        match self {
            Self::Pool { .. } => attempt,
            Self::Words(words) if words.base.kind() == CheckKind::Pool => attempt,
            _ => self.kind_of(attempt),
        }
    }

    /// Returns the attempt that stands for all attempts that work, or fail, in the same way. It has the fewest successes
    /// of a pool and no height of a percentile test: a rule that needs them rolls
    /// [again](crate::chance::Chance::again).
    pub fn kind_of(&self, attempt: Attempt) -> Attempt {
        let total = match self {
            Self::RollOver { .. } | Self::Natural(_) => 0,
            Self::Pool { .. } => return attempt.kind(),
            Self::Words(words) => return words.kind_of(attempt),
            Self::Percentile { .. } if !attempt.works => attempt.needed + 1,
            // Doubles make a critical success.
            Self::Percentile { .. } => i64::from(!self.is_critical(&attempt)),
        };
        Attempt { total, ..attempt }
    }

    /// Makes the check. A pool is drawn from its table where `chance` draws from tables; otherwise
    /// its dice are rolled by `faces`, as all other dice are.
    #[inline(always)]
    pub fn attempt<'a, C: Chance, F: Faces>(
        &self,
        question: &CheckTerms,
        chance: &'a mut C,
        faces: impl FnOnce(&'a mut C) -> F,
    ) -> Attempt {
        if let Self::Words(words) = self {
            return words.attempt(question, chance, faces);
        }
        self.attempt_plain(question, chance, faces)
    }

    /// Makes the check, if it is not in words; else it fails.
    #[inline(always)]
    pub fn attempt_plain<'a, C: Chance, F: Faces>(
        &self,
        question: &CheckTerms,
        chance: &'a mut C,
        faces: impl FnOnce(&'a mut C) -> F,
    ) -> Attempt {
        match self {
            Self::RollOver { roll } => {
                let faces = &mut faces(chance);
                if question.spoils == 0 {
                    roll_over(roll.roll(faces), false, question)
                } else {
                    let (rolled, spoiled) = roll_singly(roll, question.spoils, faces);
                    roll_over(rolled, spoiled, question)
                }
            }
            Self::Natural(natural) => {
                let (rolled, misses, critical) = natural.roll(question.spoils, &mut faces(chance));
                let attempt = roll_over(rolled, misses, question);
                critical.map_or(attempt, |damage| Attempt {
                    works: true,
                    effect: HitEffect::Critical(damage),
                    ..attempt
                })
            }
            Self::Pool {
                dice,
                extra_damage,
                every_success,
            } => {
                let dice = if question.harder == 0 {
                    dice
                } else {
                    dice.harder(question.harder)
                };
                let whole = i64::from(dice.count) + question.added() - question.taken_off();
                let thrown = question.part.unwrap_or(whole.max(0) as u32);
                let mut drawn = dice.throw(thrown, question.who, Purpose::Check, chance, faces);
                if question.sure {
                    drawn = drawn.with_willpower();
                }
                let needed = dice.required() + question.more;
                let counted = if *every_success { 0 } else { needed };
                let extra = (drawn.net - counted).max(0);
                let works = drawn.net >= needed && !drawn.botch;
                Attempt {
                    botch: drawn.botch,
                    extra_damage: extra * extra_damage,
                    ..Attempt::new(drawn.net, needed, works)
                }
            }
            Self::Percentile {
                skill,
                critical_ignores_armor,
            } => {
                let test = Percentile {
                    skill: skill + question.added()
                        - SKILL_OF_A_DIE * question.taken_off()
                        - question.points,
                };
                let result = test.roll(&mut faces(chance));
                Attempt {
                    effect: if result.critical && *critical_ignores_armor {
                        HitEffect::IgnoresArmor
                    } else {
                        HitEffect::Usual
                    },
                    ..Attempt::new(result.shown.into(), test.skill, result.success)
                }
            }
            Self::Words(_) => Attempt::new(0, 1, false),
        }
    }
}

/// Returns the attempt of a roll against Evade.
#[inline(always)]
fn roll_over(rolled: i64, spoiled: bool, question: &CheckTerms) -> Attempt {
    let total = rolled + question.added() - question.taken_off();
    let needed = question.evade;
    let works = total >= needed + i64::from(!question.meeting_hits) && !spoiled;
    Attempt::new(total, needed, works)
}

impl Natural {
    /// Rolls; a die that shows at most `spoils` makes it a miss. Returns the total, whether it is a miss, and the damage
    /// of a critical hit if it is one, which works whatever its total is.
    #[cold]
    #[inline(never)]
    fn roll<F: Faces>(&self, spoils: u32, faces: &mut F) -> (i64, bool, Option<CriticalDamage>) {
        let (rolled, spoiled) = match spoils {
            0 => (self.roll.roll(faces), false),
            _ => roll_singly(&self.roll, spoils, faces),
        };
        let misses = spoiled || self.fumble.is_some_and(|most| rolled <= most);
        let critical = self
            .critical
            .filter(|(least, _)| !misses && rolled >= *least);
        (rolled, misses, critical.map(|(_, damage)| damage))
    }
}

/// Rolls die by die. Returns the total, and whether a die shows at most `spoils`.
#[cold]
#[inline(never)]
fn roll_singly<F: Faces>(roll: &Roll, spoils: u32, faces: &mut F) -> (i64, bool) {
    let mut spoiled = false;
    // A closure has no tables, so that every die is rolled.
    let rolled = roll.roll(&mut |sides| {
        let face = faces.face(sides);
        spoiled |= face <= spoils;
        face
    });
    (rolled, spoiled)
}
