//! Draws: what a node of a memo does to find out where an encounter goes on.

use super::blow::{AnyBlow, PlainBlow, strike_all};
use super::lives::Lives;
use crate::chance::{Bits, Chance, Purpose, Streams};
use crate::dice::initiative::Explode;
use crate::dice::{AliasTable, Faces, PoolDraw};
use crate::fight::Ending;
use crate::fight::check::{self, Check, Question};
use crate::fight::health::{Damage, Roll, done};
use crate::fight::{CombatCasting, Fight, MarkTraits, Traits};
use crate::sim::fork::{Feat, Fork, Tells, outcome, thrown};

/// A fork, compiled; or several, if they are taken as one.
#[derive(Debug, Clone)]
// Which it is stands in a byte of its own, where it is asked most quickly.
#[repr(u8)]
pub(super) enum Draw {
    /// Nobody has been here yet.
    Unseen,
    /// The beginning of a state whose first fork is not known here.
    Unbegun,
    /// The encounter is over.
    End(Box<End>),
    /// The beginning of a Round.
    Round(Round),
    /// Blows of which only a fall tells, one after the other until somebody falls.
    Row(Box<[PlainBlow]>),
    /// A blow of plain dice.
    Blow(PlainBlow, Tells),
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
    /// A pool; the values of its table are branches.
    Pool {
        who: u8,
        purpose: Purpose,
        table: AliasTable,
    },
    /// A check that is no pool, or of more dice than have a table.
    AnyAttempt(Box<AnyAttempt>),
    Harm(Box<AnyHarm>),
    Cure(Box<(u8, u8, Roll)>),
}

/// How an encounter is over.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct End {
    pub ending: Ending,
    /// Who has attacked, a bit each.
    pub attacked: u64,
    /// Units between the nearest two enemies, if it is measured.
    pub distance: Option<u32>,
    /// What everybody has left, where health is part of the state.
    pub health: Vec<i32>,
}

/// The beginning of a Round: whether there is one, and all who roll.
#[derive(Debug, Clone)]
pub(super) struct Round {
    /// The limit of Rounds, if that is asked; beyond it lies branch 0.
    max_rounds: Option<u32>,
    rolls: Box<[InitiativeRoll]>,
}

#[derive(Debug, Clone, Copy)]
struct InitiativeRoll {
    who: u8,
    sides: u16,
    explode: Explode,
    most: u8,
}

impl Round {
    /// Compiles forks that follow each other.
    fn new(forks: &[Fork], fight: &Fight) -> Self {
        let rolls = forks.iter().filter_map(|fork| match *fork {
            Fork::Initiative {
                who,
                sides,
                explode,
                most,
            } => Some(InitiativeRoll {
                who,
                sides,
                explode,
                most,
            }),
            _ => None,
        });
        Self {
            max_rounds: forks.contains(&Fork::Limit).then_some(fight.max_rounds),
            rolls: rolls.collect(),
        }
    }

    /// The branch of forks that went these ways.
    fn branch(path: &[(Fork, u32)]) -> u32 {
        let mut all = 0;
        for &(fork, branch) in path {
            match fork {
                Fork::Initiative { most, .. } => all = all * (u32::from(most) + 1) + branch,
                _ if branch == 1 => return 0,
                _ => {}
            }
        }
        1 + all
    }

    /// Begins the Round and rolls.
    #[inline(always)]
    fn begin<C: Chance>(&self, luck: &mut C, lives: &mut Lives) -> u32 {
        if let Some(max_rounds) = self.max_rounds {
            if lives.round >= max_rounds {
                return 0;
            }
            lives.round += 1;
        }
        let mut all = 0;
        for &InitiativeRoll {
            who,
            sides,
            explode,
            most,
        } in &self.rolls
        {
            let mut hand = Hand {
                luck: &mut *luck,
                who: who.into(),
                purpose: Purpose::Initiative,
            };
            let sum = explode.roll(sides.into(), &mut hand);
            all = all * (u32::from(most) + 1) + (sum as u32).min(most.into());
        }
        1 + all
    }
}

/// As many branches as the beginning of a Round may have. With more who roll than that allows, it is
/// taken in several draws.
const MOST_BRANCHES: u32 = 1 << 10;

/// The first forks of a path, which are taken by one draw.
pub(super) struct Taken {
    /// How many.
    pub forks: usize,
    /// Branches that they have together.
    pub branches: u32,
    /// The one that was taken.
    pub branch: u32,
}

impl Taken {
    /// Those of a path that is not empty; of blows in a row no more than so many.
    pub(super) fn first_of(path: &[(Fork, u32)], longest_row: usize) -> Self {
        let (fork, branch) = path[0];
        match fork {
            Fork::Limit | Fork::Initiative { .. } => Self::round(path),
            Fork::Blow {
                tells: Tells::Fall, ..
            } => Self::row(path, longest_row),
            _ => Self {
                forks: 1,
                branches: fork.branches(),
                branch,
            },
        }
    }

    /// The beginning of a Round.
    fn round(path: &[(Fork, u32)]) -> Self {
        let mut forks = 0;
        let mut branches = 1;
        for (fork, _) in path {
            let more = match fork {
                Fork::Limit => branches,
                Fork::Initiative { .. } => branches * fork.branches(),
                _ => break,
            };
            if forks > 0 && (more > MOST_BRANCHES || *fork == Fork::Limit) {
                break;
            }
            forks += 1;
            branches = more;
        }
        Self {
            forks,
            branches: 1 + branches,
            branch: Round::branch(&path[..forks]),
        }
    }

    /// Blows up to the first that fells.
    fn row(path: &[(Fork, u32)], longest: usize) -> Self {
        let longest = longest.min(path.len());
        let falls = path[..longest].iter().position(|(_, branch)| *branch != 0);
        let forks = falls.map_or(longest, |last| last + 1);
        Self {
            forks,
            branches: 1 + forks as u32,
            branch: falls.map_or(0, |last| last as u32 + 1),
        }
    }
}

/// A check with all it depends on.
#[derive(Debug, Clone)]
pub(super) struct AnyAttempt {
    check: Check,
    question: Question,
    /// Branches that are told apart.
    rare: u32,
}

impl AnyAttempt {
    /// What it shows.
    fn attempt<C: Chance>(&self, luck: &mut C) -> u32 {
        let who = self.question.who;
        let attempt = self.check.attempt(self.question, luck, |luck| Hand {
            luck,
            who,
            purpose: Purpose::Check,
        });
        outcome(attempt, self.check.pool(0).is_some()).min(self.rare)
    }
}

/// A roll of damage with all it depends on.
#[derive(Debug, Clone)]
pub(super) struct AnyHarm {
    who: u8,
    target: u8,
    damage: Damage,
    extra: i64,
    /// Whether only half of what is rolled counts.
    halved: bool,
    armor: i64,
    soak: Option<check::Dice>,
    rare: u32,
}

impl AnyHarm {
    /// Points that are done.
    fn roll<C: Chance>(&self, luck: &mut C) -> u32 {
        let (who, target) = (self.who.into(), self.target.into());
        let rolled = self.damage.roll(who, self.extra, luck, |luck| Hand {
            luck,
            who,
            purpose: Purpose::Damage,
        });
        let rolled = if self.halved { rolled / 2 } else { rolled };
        let mut armor = self.armor;
        if let Some(soak) = &self.soak {
            armor += soak.successes(0, target, Purpose::Other, luck, |luck| Hand {
                luck,
                who: target,
                purpose: Purpose::Other,
            });
        }
        (done(rolled - armor) as u32).min(self.rare)
    }
}

impl Draw {
    /// Compiles forks of that fight that are taken as one.
    pub(super) fn new(forks: &[Fork], fight: &Fight) -> Self {
        let fork = forks[0];
        let combatant = |who: u8| &fight.combatants[usize::from(who)];
        let rare = fork.branches() - 1;
        match fork {
            Fork::Limit | Fork::Initiative { .. } => Self::Round(Round::new(forks, fight)),
            Fork::Blow { blow, tells } => {
                let plain = forks.iter().map(|fork| match *fork {
                    Fork::Blow { blow, .. } => PlainBlow::new(blow, fight),
                    _ => None,
                });
                match (plain.collect::<Option<Box<[_]>>>(), tells) {
                    (Some(row), Tells::Fall) => Self::Row(row),
                    (Some(one), _) => Self::Blow(one[0].clone(), tells),
                    (None, _) => Self::AnyBlow(Box::new(AnyBlow::new(blow, tells, fight))),
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
            Fork::Attempt { blow, dice } => {
                let Some((check, question)) = blow.check(fight) else {
                    unreachable!("an attempt at a check that there is");
                };
                if let Check::Pool { dice: pool, .. } = check
                    && let Some(table) = pool.table(dice.into())
                {
                    return Self::Pool {
                        who: blow.who,
                        purpose: Purpose::Check,
                        table: table.map(|drawn| thrown(drawn).min(rare) as i32),
                    };
                }
                let is_pool = check.pool(0).is_some();
                Self::AnyAttempt(Box::new(AnyAttempt {
                    check: check.clone(),
                    question: Question {
                        part: is_pool.then_some(dice.into()),
                        lost: if is_pool { 0 } else { dice.into() },
                        ..question
                    },
                    rare,
                }))
            }
            Fork::Harm {
                blow,
                extra,
                bare,
                halved,
                ..
            } => {
                let victim = combatant(blow.target);
                let soak = victim.soak.clone();
                Self::Harm(Box::new(AnyHarm {
                    who: blow.who,
                    target: blow.target,
                    damage: blow.means.damage(combatant(blow.who)).clone(),
                    extra: extra.into(),
                    halved,
                    armor: if bare { 0 } else { victim.armor },
                    soak: soak.filter(|_| !bare),
                    rare,
                }))
            }
            Fork::Cure { who, item, most } => {
                let heal = &combatant(who).items[usize::from(item)].heal;
                Self::Cure(Box::new((who, most + 1, heal.clone())))
            }
            Fork::Throw { who, feat, dice } => {
                let Traits::Turns(traits) = &combatant(who).traits else {
                    unreachable!("a feat that is known on the clock of turns");
                };
                let (pool, purpose) = match feat {
                    Feat::Climb => (traits.climb.as_ref(), Purpose::Check),
                    Feat::Endure => (Some(&traits.endurance), Purpose::Other),
                    Feat::Ready(weapon) => {
                        let weapon = &combatant(who).weapons[usize::from(weapon)];
                        (weapon.ready_check.as_ref(), Purpose::Check)
                    }
                    Feat::Use(item) => {
                        let item = &combatant(who).items[usize::from(item)];
                        (item.ready_check.as_ref(), Purpose::Check)
                    }
                };
                let table = pool.and_then(|pool| pool.table(dice.into()));
                let table = table.expect("a pool at its own size has a table");
                let value = |drawn: PoolDraw| PoolDraw {
                    botch: drawn.botch && feat != Feat::Climb,
                    ..drawn
                };
                Self::Pool {
                    who,
                    purpose,
                    table: table.map(|drawn| thrown(value(drawn)).min(rare) as i32),
                }
            }
        }
    }
}

impl Draw {
    /// How many blows it is, one after the other, at most.
    pub(super) fn row(&self) -> usize {
        match self {
            Self::Row(blows) => blows.len(),
            _ => 1,
        }
    }

    /// The branch that luck chooses; `None` where the map or the encounter ends.
    #[inline(always)]
    pub(super) fn take(&self, luck: &mut Streams, lives: &mut Lives) -> Option<u32> {
        let branch = match self {
            Self::Round(round) => round.begin(luck, lives),
            Self::Row(blows) => strike_all(blows, luck, lives),
            Self::Blow(blow, tells) => blow.branch(*tells, luck, lives),
            Self::Pool {
                who,
                purpose,
                table,
            } => table.draw(luck.bits((*who).into(), *purpose)) as u32,
            Self::End(_) | Self::Unseen | Self::Unbegun => return None,
            rare => rare.take_rare(luck, lives),
        };
        Some(branch)
    }

    /// The same for draws that are not what fights are mostly made of.
    #[inline(never)]
    fn take_rare(&self, luck: &mut Streams, lives: &mut Lives) -> u32 {
        match self {
            Self::AnyBlow(blow) => blow.branch(luck, lives),
            Self::Settle { target } => lives.settle((*target).into()).into(),
            Self::Happens {
                who,
                purpose,
                chance,
            } => luck.happens((*who).into(), *purpose, *chance).into(),
            Self::Heal(heal) => {
                let who = heal.0.into();
                lives.heal(who, roll(&heal.1, who, Purpose::Other, luck));
                0
            }
            Self::Skill(skill) => {
                let (who, most, skill) = &**skill;
                let total = roll(&skill.check, (*who).into(), Purpose::Other, luck);
                skill.units(total).min(*most)
            }
            Self::AnyAttempt(any) => any.attempt(luck),
            Self::Harm(any) => any.roll(luck),
            Self::Cure(cure) => {
                let (who, rare, heal) = &**cure;
                let points = roll(heal, (*who).into(), Purpose::Other, luck);
                points.clamp(0, (*rare).into()) as u32
            }
            Self::Round(_)
            | Self::Row(_)
            | Self::Blow(..)
            | Self::Pool { .. }
            | Self::End(_)
            | Self::Unseen
            | Self::Unbegun => unreachable!("taken before"),
        }
    }
}

/// Rolls anything.
fn roll<C: Chance>(roll: &Roll, who: usize, purpose: Purpose, luck: &mut C) -> i64 {
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

    #[inline]
    fn sum(&mut self, count: u32, sides: u32) -> u64 {
        self.luck.sum(self.who, self.purpose, count, sides)
    }
}
