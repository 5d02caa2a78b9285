//! Forks: where an encounter may go on in several ways, and what decides which.
//!
//! A clock names a [`Fork`] by who does what to whom. A memo compiles it into a [`Draw`], which
//! holds the dice themselves, so that taking it anew asks nothing of the fight.

use super::lives::Lives;
use crate::chance::{Chance, Purpose};
use crate::clock::marks::rules::Explode;
use crate::dice::{Faces, PlainSum};
use crate::engine::Ending;
use crate::fight::check::{self, Check, Question};
use crate::fight::health::{Damage, Harm, Roll, done};
use crate::fight::{CombatCasting, Combatant, Fight, MarkTraits, Traits};

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
    /// What the initiative dice add up to; more than `most` is as good as `most`.
    Initiative { who: u8, explode: Explode, most: u8 },
    /// A check, if there is one, and the damage that follows: [`Blow::MISS`] or [`Blow::hit`].
    Blow {
        blow: Blow,
        /// Whether the damage counts only when the instant is over.
        later: bool,
    },
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
    /// The branch of a check that fails.
    pub const MISS: u32 = 0;

    /// The branch of a damage roll that does this.
    #[inline]
    #[must_use]
    pub const fn hit(harm: Harm) -> u32 {
        harm as u32 + 1
    }

    /// Its check, if it needs one, and against what.
    #[inline]
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
            // Where wounds cost dice nothing is remembered.
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

/// What somebody attacks with, as an index among its own.
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

impl Fork {
    /// How many branches it has.
    pub(super) fn branches(self) -> usize {
        match self {
            Self::Heal { .. } => 1,
            Self::Limit | Self::Settle { .. } | Self::Happens { .. } => 2,
            Self::Blow { .. } => 4,
            Self::Initiative { most, .. } => usize::from(most) + 1,
            Self::Skill { most, .. } => most as usize + 1,
        }
    }
}

/// What a node of a memo does: a fork, compiled.
#[derive(Debug, Clone)]
pub(super) enum Draw {
    /// Nobody has been here yet.
    Unseen,
    /// The beginning of a state whose first fork is not known here.
    Unbegun,
    /// The encounter is over; who has attacked, a bit each.
    End {
        ending: Ending,
        attacked: u64,
    },
    Limit {
        max_rounds: u32,
    },
    Initiative {
        who: u8,
        explode: Explode,
        most: u8,
    },
    /// A blow of plain dice: it hits if they reach so much, and does what others add up to, less
    /// something.
    Blow {
        who: u8,
        target: u8,
        later: bool,
        check: Dice,
        at_least: u32,
        damage: Dice,
        less: i64,
    },
    /// Any other.
    AnyBlow(Box<AnyBlow>),
    Settle {
        target: u8,
    },
    Happens {
        who: u8,
        purpose: Purpose,
        chance: u64,
    },
    Heal(Box<(u8, Roll)>),
    Skill(Box<(u8, u32, CombatCasting)>),
}

/// So many dice of one kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dice {
    count: u32,
    sides: u32,
}

/// A blow and all it depends on.
#[derive(Debug, Clone)]
pub(super) struct AnyBlow {
    blow: Blow,
    later: bool,
    check: Option<(Check, Question)>,
    damage: Damage,
    armor: i64,
    soak: Option<check::Dice>,
}

impl Draw {
    /// Compiles a fork of that fight.
    pub(super) fn new(fork: Fork, fight: &Fight) -> Self {
        let combatant = |who: u8| &fight.combatants[usize::from(who)];
        match fork {
            Fork::Limit => Self::Limit {
                max_rounds: fight.max_rounds,
            },
            Fork::Initiative { who, explode, most } => Self::Initiative { who, explode, most },
            Fork::Blow { blow, later } => {
                let check = blow.check(fight);
                let damage = blow.means.damage(combatant(blow.who));
                let Combatant { armor, soak, .. } = combatant(blow.target);
                match (check, damage) {
                    (
                        Some((
                            Check::RollOver {
                                roll: Roll::Sum(sum),
                            },
                            question,
                        )),
                        Damage::Roll(Roll::Sum(damage)),
                    ) if blow.spoiled_by == 0 && soak.is_none() => Self::Blow {
                        who: blow.who,
                        target: blow.target,
                        later,
                        check: Dice::of(sum),
                        at_least: question
                            .evade
                            .saturating_sub(question.mastery)
                            .saturating_sub(sum.bonus)
                            .saturating_add((!question.meeting_hits).into())
                            .clamp(0, u32::MAX.into()) as u32,
                        damage: Dice::of(damage),
                        less: armor.saturating_sub(damage.bonus),
                    },
                    _ => Self::AnyBlow(Box::new(AnyBlow {
                        blow,
                        later,
                        check: check.map(|(check, question)| (check.clone(), question)),
                        damage: damage.clone(),
                        armor: *armor,
                        soak: soak.clone(),
                    })),
                }
            }
            Fork::Settle { target } => Self::Settle { target },
            Fork::Happens {
                who,
                purpose,
                chance,
            } => Self::Happens {
                who,
                purpose,
                chance,
            },
            Fork::Heal { who, item } => {
                let heal = &combatant(who).items[usize::from(item)].heal;
                Self::Heal(Box::new((who, heal.clone())))
            }
            Fork::Skill { who, most } => {
                let Traits::Marks(MarkTraits {
                    combat_casting: Some(skill),
                    ..
                }) = &combatant(who).traits
                else {
                    unreachable!("a check of a skill that one has");
                };
                Self::Skill(Box::new((who, most, skill.clone())))
            }
        }
    }
}

impl Dice {
    fn of(sum: &PlainSum) -> Self {
        Self {
            count: sum.count,
            sides: sum.sides,
        }
    }

    /// What they add up to.
    #[inline]
    pub(super) fn roll<C: Chance>(self, who: u8, purpose: Purpose, luck: &mut C) -> u32 {
        let mut face = || luck.face(usize::from(who), purpose, self.sides);
        match self.count {
            1 => face(),
            2 => face() + face(),
            count => (0..count).map(|_| face()).sum(),
        }
    }
}

impl AnyBlow {
    /// What it comes to.
    pub(super) fn strike<C: Chance>(&self, luck: &mut C, lives: &mut Lives) -> u32 {
        let who = self.blow.who.into();
        let (mut extra, mut bare) = (0, false);
        if let Some((check, question)) = &self.check {
            let attempt = check.attempt(*question, luck, |luck| Hand {
                luck,
                who,
                purpose: Purpose::Check,
            });
            if !attempt.works || attempt.lowest <= self.blow.spoiled_by.into() {
                return Blow::MISS;
            }
            (extra, bare) = (attempt.extra_damage, attempt.ignores_armor);
        }
        let rolled = self.damage.roll(who, extra, luck, |luck| Hand {
            luck,
            who,
            purpose: Purpose::Damage,
        });
        let target = self.blow.target.into();
        let mut armor = if bare { 0 } else { self.armor };
        if let Some(soak) = &self.soak
            && !bare
        {
            armor += soak.successes(0, target, Purpose::Other, luck, |luck| Hand {
                luck,
                who: target,
                purpose: Purpose::Other,
            });
        }
        Blow::hit(lives.suffer(who, target, done(rolled - armor), self.later))
    }
}

/// Rolls anything.
pub(super) fn roll<C: Chance>(roll: &Roll, who: usize, purpose: Purpose, luck: &mut C) -> i64 {
    roll.roll(&mut Hand { luck, who, purpose })
}

/// One combatant's dice for one purpose.
pub(super) struct Hand<'a, C> {
    pub luck: &'a mut C,
    pub who: usize,
    pub purpose: Purpose,
}

impl<C: Chance> Faces for Hand<'_, C> {
    #[inline]
    fn face(&mut self, sides: u32) -> u32 {
        self.luck.face(self.who, self.purpose, sides)
    }
}
