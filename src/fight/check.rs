//! Checks: whether an attempt works.
//!
//! Any weapon or spell may use any kind of check, whatever the clock: roll and add against the
//! defender's `evade` (TC-22), a Storyteller pool against a difficulty (MD-1 to MD-3), or a
//! percentile test against a skill (EP-9).

use std::sync::{Arc, OnceLock};

use super::health::Roll;
use crate::chance::{Chance, Purpose};
pub use crate::dice::attack::CriticalDamage;
use crate::dice::percentile::{DOUBLES, Percentile};
use crate::dice::pool::{Growth, PoolError};
use crate::dice::{Chronicles, Faces, Pool, PoolDraw, PoolTable, Storyteller};

/// The kinds of checks, without their parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckKind {
    /// Roll and add against the defender's `evade`.
    RollOver,
    /// A Storyteller pool against a difficulty.
    Pool,
    /// A percentile test against a skill.
    Percentile,
}

impl CheckKind {
    /// Every kind with its name in `rules.check`.
    pub const ALL: &[(&str, Self)] = &[
        ("roll-over", Self::RollOver),
        ("pool", Self::Pool),
        ("percentile", Self::Percentile),
    ];

    /// Its name in `rules.check`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RollOver => "roll-over",
            Self::Pool => "pool",
            Self::Percentile => "percentile",
        }
    }

    /// Returns a description of the roll and of success.
    #[must_use]
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
    #[must_use]
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
    /// All of it, whatever the armour (EP-9).
    IgnoresArmor,
    /// The damage of a critical hit (W-9).
    Critical(CriticalDamage),
}

/// Points of a percentile skill that equal a die of a pool: the penalty of a wound (EP-9).
pub const SKILL_OF_A_DIE: i64 = 10;

/// The possible difficulties (MD-1).
const DIFFICULTIES: std::ops::RangeInclusive<u32> = 2..=10;

/// Dice against each difficulty, compiled when they are first rolled: there are many tables, and few are used.
#[derive(Debug)]
struct Others {
    rules: Storyteller,
    /// The most dice that a pool may have.
    most: u32,
    dice: [OnceLock<Dice>; 9],
}

/// Compiled dice do not count in comparisons.
impl PartialEq for Others {
    fn eq(&self, other: &Self) -> bool {
        (self.rules, self.most) == (other.rules, other.most)
    }
}

/// A pool in two forms: dice that can be shown, and a table that draws from their exact distribution by one look-up.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolDice {
    /// The dice.
    pub pool: Pool,
    /// Their distribution.
    pub table: PoolTable,
}

impl PoolDice {
    /// Rolls the dice.
    #[inline]
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> PoolDraw {
        thrown(&self.pool, faces)
    }
}

/// Rolls the dice of a pool. A separate function, because runs draw pools from their tables.
#[cold]
#[inline(never)]
fn thrown<F: Faces + ?Sized>(pool: &Pool, faces: &mut F) -> PoolDraw {
    let rolled = pool.roll(faces);
    PoolDraw {
        net: rolled.net,
        botch: rolled.botch,
    }
}

/// A pool at every size from no dice to `most`.
fn grown(pool: &Pool, most: u32) -> impl Iterator<Item = PoolDice> {
    let mut growth = Growth::for_tables(pool, most);
    (0..=most).map(move |dice| {
        if dice > 0 {
            growth.add_die();
        }
        PoolDice {
            pool: pool.with_dice(dice),
            table: PoolTable::of(&growth.odds()),
        }
    })
}

/// Pools that are larger than any that rules give, as of damage after a very lucky attack: compiled where every answer
/// is asked for, which would else be that of every face.
#[derive(Debug, Clone)]
struct Larger(Arc<[OnceLock<PoolDice>]>);

/// The number of sizes that [`Larger`] has. Hardly any chance leads to more.
const LARGER: usize = 48;

impl Larger {
    fn new() -> Self {
        Self((0..LARGER).map(|_| OnceLock::new()).collect())
    }
}

/// Compiled dice do not count in comparisons.
impl PartialEq for Larger {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A pool at every size from no dice to the most that it may have.
#[derive(Debug, Clone, PartialEq)]
pub struct Dice {
    /// The number of dice without bonus or penalty.
    pub count: u32,
    sizes: Arc<[PoolDice]>,
    larger: Larger,
    /// The same dice against other difficulties; `None` if nothing changes the difficulty.
    others: Option<Arc<Others>>,
}

impl Dice {
    /// Compiles a pool at every size up to `most` dice.
    ///
    /// # Errors
    /// If the rules have no such pool.
    pub fn new(rules: &Storyteller, most: u32) -> Result<Self, PoolError> {
        let most = most.max(rules.pool);
        let pool = Storyteller {
            pool: most,
            ..*rules
        }
        .compile()?;
        Ok(Self {
            count: rules.pool,
            sizes: grown(&pool, most).collect(),
            larger: Larger::new(),
            others: None,
        })
    }

    /// Returns the same dice, with a difficulty that conditions may change.
    #[must_use]
    pub fn at_any_difficulty(self, rules: &Storyteller) -> Self {
        let others = Others {
            rules: *rules,
            most: self.sizes.len() as u32 - 1,
            dice: std::array::from_fn(|_| OnceLock::new()),
        };
        Self {
            others: Some(Arc::new(others)),
            ..self
        }
    }

    /// Returns these dice against a difficulty that is greater by `by`, within the possible ones.
    #[cold]
    #[inline(never)]
    fn harder(&self, by: i64) -> &Self {
        let Some(others) = &self.others else {
            return self;
        };
        let (least, most) = (*DIFFICULTIES.start(), *DIFFICULTIES.end());
        let difficulty = i64::from(others.rules.difficulty) + by;
        let difficulty = difficulty.clamp(least.into(), most.into()) as u32;
        others.dice[(difficulty - least) as usize].get_or_init(|| {
            let rules = Storyteller {
                difficulty,
                ..others.rules
            };
            Self::new(&rules, others.most).unwrap_or_else(|_| self.clone())
        })
    }

    /// Compiles a Chronicles pool at every size up to `most` dice; a pool without dice is a chance die (CD-6).
    ///
    /// # Errors
    /// If the rules have no such pool.
    pub fn chronicles(rules: &Chronicles, most: u32) -> Result<Self, PoolError> {
        let count = rules.pool.max(0).unsigned_abs();
        let sized = |pool: i32| Chronicles { pool, ..*rules }.compile();
        let most = most.max(count).max(1);
        let chance = sized(0)?;
        let chance = PoolDice {
            pool: chance,
            table: PoolTable::of(&chance.odds()),
        };
        let pool = sized(most as i32)?;
        Ok(Self {
            count,
            sizes: std::iter::once(chance)
                .chain(grown(&pool, most).skip(1))
                .collect(),
            larger: Larger::new(),
            others: None,
        })
    }

    /// Net successes needed for the full effect.
    #[inline]
    #[must_use]
    pub fn required(&self) -> i64 {
        self.sizes[0].pool.required().into()
    }

    /// The pool with `dice` dice, or the greatest one if none is that large.
    #[inline]
    #[must_use]
    pub fn of(&self, dice: u32) -> &PoolDice {
        &self.sizes[(dice as usize).min(self.sizes.len() - 1)]
    }

    /// Returns the table of a pool of `dice` dice, if there is one.
    #[must_use]
    pub fn table(&self, dice: u32) -> Option<&PoolTable> {
        self.sizes.get(dice as usize).map(|sized| &sized.table)
    }

    /// Rolls `dice` dice: by their table if there is one and `chance` draws from tables.
    #[inline]
    pub fn throw<'a, C, F>(
        &self,
        dice: u32,
        who: usize,
        purpose: Purpose,
        chance: &'a mut C,
        faces: impl FnOnce(&'a mut C) -> F,
    ) -> PoolDraw
    where
        C: Chance,
        F: Faces,
    {
        let mut sized = self.sizes.get(dice as usize);
        if C::enumerates() && sized.is_none() {
            sized = self.larger(dice);
        }
        let Some(sized) = sized else {
            return self.thrown_beyond(dice, &mut faces(chance));
        };
        match chance.pool(who, purpose, &sized.table) {
            Some(drawn) => {
                faces(chance).stand_in(&sized.pool, drawn);
                drawn
            }
            None => sized.roll(&mut faces(chance)),
        }
    }

    /// Returns a pool that is larger than the rules give.
    fn larger(&self, dice: u32) -> Option<&PoolDice> {
        let largest = &self.sizes[self.sizes.len() - 1].pool;
        let beyond = (dice as usize).checked_sub(self.sizes.len())?;
        let larger = self.larger.0.get(beyond)?;
        Some(larger.get_or_init(|| {
            let pool = largest.with_dice(dice);
            let table = PoolTable::of(&pool.odds());
            PoolDice { pool, table }
        }))
    }

    /// Rolls more dice than there is a table for.
    #[cold]
    #[inline(never)]
    fn thrown_beyond<F: Faces>(&self, dice: u32, faces: &mut F) -> PoolDraw {
        let largest = &self.sizes[self.sizes.len() - 1].pool;
        thrown(&largest.with_dice(dice), faces)
    }

    /// Rolls all of its dice and `more`. Returns the net successes, never below 0.
    #[inline]
    pub fn successes<'a, C, F>(
        &self,
        more: i64,
        who: usize,
        purpose: Purpose,
        chance: &'a mut C,
        faces: impl FnOnce(&'a mut C) -> F,
    ) -> i64
    where
        C: Chance,
        F: Faces,
    {
        let dice = (i64::from(self.count) + more).max(0) as u32;
        self.throw(dice, who, purpose, chance, faces).net.max(0)
    }
}

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
}

/// The parameters of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Question {
    /// The combatant that rolls.
    pub who: usize,
    /// The defender's Evade, for checks against it.
    pub evade: i64,
    /// Added to the roll, the skill, or the dice of the pool.
    pub mastery: i64,
    /// Dice that penalties take off the pool; a die is worth a point of a roll, and
    /// [`SKILL_OF_A_DIE`] of a skill.
    pub lost: i64,
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

impl Question {
    /// Returns the question with a number to be reached instead of Evade: a roll that only meets it works.
    #[must_use]
    pub const fn needs(self, needs: i64) -> Self {
        Self {
            evade: needs,
            meeting_hits: true,
            ..self
        }
    }
}

impl Check {
    /// The kind of check.
    #[must_use]
    pub const fn kind(&self) -> CheckKind {
        match self {
            Self::RollOver { .. } | Self::Natural(_) => CheckKind::RollOver,
            Self::Pool { .. } => CheckKind::Pool,
            Self::Percentile { .. } => CheckKind::Percentile,
        }
    }

    /// The dice of its pool with a bonus, if it is a pool.
    #[must_use]
    pub fn pool(&self, mastery: i64) -> Option<i64> {
        match self {
            Self::Pool { dice, .. } => Some(i64::from(dice.count) + mastery),
            _ => None,
        }
    }

    /// Whether an attempt was a critical success: doubles of a percentile test (EP-9), or a natural total.
    #[must_use]
    pub fn is_critical(&self, attempt: &Attempt) -> bool {
        match self {
            Self::Percentile { .. } => attempt.works && attempt.total % DOUBLES == 0,
            Self::Natural(_) => matches!(attempt.effect, HitEffect::Critical(_)),
            _ => false,
        }
    }

    /// Returns an attempt without the values that its effects do not depend on: attempts with the same effects are
    /// equal.
    #[must_use]
    pub fn effect_of(&self, attempt: Attempt) -> Attempt {
        let total = match self {
            Self::RollOver { .. } | Self::Natural(_) => 0,
            Self::Pool { .. } => attempt.total,
            // Doubles make a critical success, and a defence has to beat the roll.
            Self::Percentile { .. } if attempt.works => attempt.total,
            Self::Percentile { .. } => attempt.needed + 1,
        };
        Attempt { total, ..attempt }
    }

    /// Makes the check. A pool is drawn from its table where `chance` draws from tables; otherwise
    /// its dice are rolled by `faces`, as all other dice are.
    #[expect(
        clippy::inline_always,
        reason = "the question stays in registers, and most of it is constant"
    )]
    #[inline(always)]
    pub fn attempt<'a, C, F>(
        &self,
        question: Question,
        chance: &'a mut C,
        faces: impl FnOnce(&'a mut C) -> F,
    ) -> Attempt
    where
        C: Chance,
        F: Faces,
    {
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
                let (rolled, verdict) = natural.roll(question.spoils, &mut faces(chance));
                let attempt = roll_over(rolled, verdict == Verdict::Miss, question);
                match verdict {
                    Verdict::Critical(damage) => Attempt {
                        works: true,
                        effect: HitEffect::Critical(damage),
                        ..attempt
                    },
                    _ => attempt,
                }
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
                let whole = i64::from(dice.count) + question.mastery - question.lost;
                let thrown = question.part.unwrap_or(whole.max(0) as u32);
                let mut drawn = dice.throw(thrown, question.who, Purpose::Check, chance, faces);
                if question.sure {
                    drawn = drawn.with_willpower();
                }
                let needed = dice.required() + question.more;
                let counted = if *every_success { 0 } else { needed };
                let extra = (drawn.net - counted).max(0);
                Attempt {
                    total: drawn.net,
                    needed,
                    works: drawn.net >= needed && !drawn.botch,
                    botch: drawn.botch,
                    extra_damage: extra * extra_damage,
                    effect: HitEffect::Usual,
                }
            }
            Self::Percentile {
                skill,
                critical_ignores_armor,
            } => {
                let test = Percentile {
                    skill: skill + question.mastery
                        - SKILL_OF_A_DIE * question.lost
                        - question.points,
                };
                let result = test.roll(&mut faces(chance));
                Attempt {
                    total: result.shown.into(),
                    needed: test.skill,
                    works: result.success,
                    botch: false,
                    extra_damage: 0,
                    effect: if result.critical && *critical_ignores_armor {
                        HitEffect::IgnoresArmor
                    } else {
                        HitEffect::Usual
                    },
                }
            }
        }
    }
}

/// Returns the attempt of a roll against Evade.
#[expect(
    clippy::inline_always,
    reason = "the question stays in registers, and most of it is constant"
)]
#[inline(always)]
fn roll_over(rolled: i64, spoiled: bool, question: Question) -> Attempt {
    let (total, needed) = (rolled + question.mastery - question.lost, question.evade);
    Attempt {
        total,
        needed,
        works: total >= needed + i64::from(!question.meeting_hits) && !spoiled,
        botch: false,
        extra_damage: 0,
        effect: HitEffect::Usual,
    }
}

/// The result of a roll by its dice alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// It works if its total is enough.
    None,
    /// It does not work.
    Miss,
    /// It works, and is a critical hit.
    Critical(CriticalDamage),
}

impl Natural {
    /// Rolls; a die that shows at most `spoils` makes it a miss.
    #[cold]
    #[inline(never)]
    fn roll<F: Faces>(&self, spoils: u32, faces: &mut F) -> (i64, Verdict) {
        let (rolled, spoiled) = match spoils {
            0 => (self.roll.roll(faces), false),
            _ => roll_singly(&self.roll, spoils, faces),
        };
        let verdict = match self.critical {
            _ if spoiled || self.fumble.is_some_and(|most| rolled <= most) => Verdict::Miss,
            Some((least, damage)) if rolled >= least => Verdict::Critical(damage),
            _ => Verdict::None,
        };
        (rolled, verdict)
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
