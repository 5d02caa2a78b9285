//! Forks: where an encounter may go on in several ways, and what decides which.
//!
//! A clock names a [`Fork`] by who does what to whom. A memo compiles it into a
//! draw, which holds the dice themselves, so that taking it anew asks nothing
//! of the fight.
//!
//! The clock chooses one of two representations of health. Where it is many points that no policy reads, it is kept apart from the state, and a fork says no more than that a blow misses, wounds or
//! fells ([`Fork::Blow`], [`Fork::Settle`], [`Fork::Heal`]). Where it is few levels that cost dice, it
//! is part of the state, and a fork says how much harm is done ([`Fork::Attempt`], [`Fork::Harm`],
//! [`Fork::Cure`]).

use crate::chance::Purpose;
use crate::dice::PoolDraw;
use crate::dice::initiative::Explode;
use crate::fight::check::{Attempt, Check, Question};
use crate::fight::health::{Damage, Harm, Roll};
use crate::fight::{Combatant, Fight};

/// A place where luck, health or the limit of Rounds decides how an encounter goes on. Combatants
/// and their things are indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "who does it to whom and with what: the names say it"
)]
pub enum Fork {
    /// Whether `max_rounds` have gone by: 1 if so.
    Limit,
    /// The total of an initiative die with its extra dice, at most `most`. At the beginning of a Round the forks come in
    /// a known order.
    Initiative {
        who: u8,
        sides: u16,
        explode: Explode,
        most: u8,
    },
    /// A check, if there is one, and the damage that follows: [`Blow::branch`].
    Blow { blow: Blow, tells: Tells },
    /// Whether damage that was put off fells its victim: 1 if so.
    Settle { target: u8 },
    /// Whether something of that chance, in parts of 2^32, happens: 1 if so.
    Happens {
        who: u8,
        purpose: Purpose,
        chance: u64,
    },
    /// An item gives health back: always 0.
    Heal { who: u8, item: u8 },
    /// Units that a Combat Casting check gives; more than `most` is as good as `most`.
    Skill { who: u8, most: u32 },
    /// The result of a check ([`outcome`]), with the dice of its pool, or else its penalty.
    Attempt { blow: Blow, dice: u16 },
    /// Points of damage that are done, or more than `most`.
    Harm {
        blow: Blow,
        /// The bonus of the check.
        extra: u16,
        /// Whether armour does not count.
        bare: bool,
        /// Whether only half of the roll counts (MD-3).
        halved: bool,
        most: u8,
    },
    /// Points that an item gives back, or more than `most`.
    Cure { who: u8, item: u8, most: u8 },
    /// The result of a pool for climbing, against exhaustion or to get a thing ready: [`thrown`]. In climbing a
    /// botch is the same as no success.
    Throw { who: u8, feat: Feat, dice: u16 },
}

/// A feat of the body with a pool of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Feat {
    Climb,
    Endure,
    /// Getting a weapon ready.
    Ready(u8),
    /// Getting an item ready for use.
    Use(u8),
}

/// Successes beyond the number of dice that are still told apart: ten after ten is rare.
const RARE: u32 = 4;

/// Returns the branch of a pool: a botch, no success, or the number of successes.
#[inline]
#[must_use]
pub const fn thrown(drawn: PoolDraw) -> u32 {
    if drawn.botch {
        0
    } else if drawn.net < 1 {
        1
    } else {
        1 + drawn.net as u32
    }
}

/// Returns the branch of a check: [`thrown`] for a pool; for others whether it succeeds, and whether armour
/// counts.
#[inline]
#[must_use]
pub const fn outcome(attempt: Attempt, is_pool: bool) -> u32 {
    if is_pool {
        thrown(PoolDraw {
            net: attempt.total,
            botch: attempt.botch,
        })
    } else {
        attempt.works as u32 + (attempt.works && attempt.ignores_armor) as u32
    }
}

/// One attack, or the effect of one spell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "who does it to whom and with what: the names say it"
)]
pub struct Blow {
    pub who: u8,
    pub target: u8,
    pub means: Means,
    /// Whether mastery counts.
    pub mastery: bool,
    /// A natural face up to this makes it miss.
    pub spoiled_by: u8,
}

impl Blow {
    /// The branch after which its victim stands, where only a fall is told apart.
    const STANDS: u32 = 0;

    /// The branch of a blow that did that, or missed.
    #[inline]
    #[must_use]
    pub const fn branch(harm: Option<Harm>, tells: Tells) -> u32 {
        match (tells, harm) {
            (Tells::Fall, Some(Harm::Fall)) => 1,
            (Tells::Fall, _) => Self::STANDS,
            (Tells::Harm | Tells::Later, None) => 0,
            (Tells::Harm | Tells::Later, Some(harm)) => harm as u32 + 1,
        }
    }

    /// Hits that it counts as when it hits: spells are no attacks.
    pub(crate) const fn counts(self) -> u32 {
        matches!(self.means, Means::Weapon(_)) as u32
    }

    /// Its check, if it needs one, and against what.
    pub(crate) fn check(self, fight: &Fight) -> Option<(&Check, Question)> {
        let combatant = &fight.combatants[usize::from(self.who)];
        let (check, mastery) = match self.means {
            Means::Weapon(index) => {
                let weapon = &combatant.weapons[usize::from(index)];
                (&weapon.check, weapon.mastery)
            }
            Means::Spell(index) => {
                let spell = &combatant.spells[usize::from(index)];
                (spell.check.as_ref()?, 0)
            }
        };
        let question = Question {
            who: self.who.into(),
            evade: fight.combatants[usize::from(self.target)].evade,
            mastery: if self.mastery { mastery } else { 0 },
            lost: 0,
            points: 0,
            part: None,
            meeting_hits: fight.meeting_hits,
            more: 0,
            sure: false,
        };
        Some((check, question))
    }
}

/// What of a blow makes a difference to anything but health.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tells {
    /// Whether it fells: a miss and a wound are one branch.
    Fall,
    /// Whether it misses, does nothing, wounds or fells.
    Harm,
    /// Whether it misses, does nothing or wounds; the damage counts when the instant is over.
    Later,
}

/// The means of an attack, as an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Means {
    Weapon(u8),
    Spell(u8),
}

impl Means {
    /// Its damage roll.
    #[inline]
    pub(crate) fn damage(self, combatant: &Combatant) -> &Damage {
        match self {
            Self::Weapon(index) => &combatant.weapons[usize::from(index)].damage,
            Self::Spell(index) => &combatant.spells[usize::from(index)].damage,
        }
    }
}

/// Points of harm or healing beyond which nothing is remembered, where their dice have no small end.
const MOST_POINTS: i64 = 60;

impl Fork {
    /// Returns the damage of a hit; `None` if it has no dice.
    pub(crate) fn harm(blow: Blow, fight: &Fight, attempt: Attempt) -> Option<Self> {
        let (extra, bare) = (attempt.extra_damage, attempt.ignores_armor);
        let damage = blow.means.damage(&fight.combatants[usize::from(blow.who)]);
        let victim = &fight.combatants[usize::from(blow.target)];
        let most = match damage {
            Damage::Roll(Roll::Sum(sum)) => {
                if sum.count == 0 && (bare || victim.soak.is_none()) {
                    return None;
                }
                i64::from(sum.count) * i64::from(sum.sides) + sum.bonus + extra
            }
            Damage::Roll(Roll::Notation(_)) => MOST_POINTS,
            Damage::Pool(dice) => i64::from(dice.count + RARE) + extra,
        };
        Some(Self::Harm {
            blow,
            extra: extra as u16,
            bare,
            halved: attempt.halved,
            most: most.clamp(0, MOST_POINTS) as u8,
        })
    }

    /// Returns the healing of an item.
    pub(crate) fn cure(who: u8, item: u8) -> Self {
        Self::Cure {
            who,
            item,
            most: MOST_POINTS as u8,
        }
    }

    /// How many branches it has, with the one for all that is [rare](Self::is_rare).
    pub(crate) fn branches(self) -> u32 {
        match self {
            Self::Heal { .. } => 1,
            Self::Limit
            | Self::Settle { .. }
            | Self::Happens { .. }
            | Self::Blow {
                tells: Tells::Fall, ..
            } => 2,
            Self::Blow { .. } => 4,
            Self::Initiative { most, .. } => u32::from(most) + 1,
            Self::Skill { most, .. } => most + 1,
            Self::Attempt { dice, .. } | Self::Throw { dice, .. } => u32::from(dice) + RARE + 3,
            Self::Harm { most, .. } | Self::Cure { most, .. } => u32::from(most) + 2,
        }
    }

    /// Returns whether the stretch goes on after that branch: a Round begins, or no combatant falls.
    pub(crate) fn goes_on(self, branch: u32) -> bool {
        match self {
            Self::Limit => branch == 0,
            Self::Initiative { .. } => true,
            Self::Blow { tells, .. } => tells == Tells::Fall && branch == Blow::STANDS,
            _ => false,
        }
    }

    /// Whether that branch, of those that have no end, is so rare that it is played each time.
    pub(crate) fn is_rare(self, branch: u32) -> bool {
        match self {
            Self::Attempt { .. } | Self::Throw { .. } | Self::Harm { .. } | Self::Cure { .. } => {
                branch >= self.branches() - 1
            }
            _ => false,
        }
    }
}
