//! Blows: a check, the damage that follows, and what that leaves of the victim.

use super::draw::Hand;
use super::lives::{Bodies, Lives};
use crate::chance::stream::EncounterRng;
use crate::chance::{Chance, Purpose, Streams};
use crate::dice::PlainSum;
use crate::fight::Fight;
use crate::fight::check::{self, Check, Question};
use crate::fight::health::{Damage, Harm, Roll, done};
use crate::sim::fork::{Blow, Fork, Tells};

/// Most blows of which only a fall tells that are taken by one draw.
const LONGEST_ROW: usize = 16;

/// How many blows, of those with which a path begins, one draw can take; at least 1.
pub(super) fn longest_row(path: &[(Fork, u32)], fight: &Fight) -> usize {
    let plain = path.iter().take(LONGEST_ROW).take_while(|(fork, _)| {
        matches!(
            *fork,
            Fork::Blow { blow, tells: Tells::Fall } if PlainBlow::new(blow, fight).is_some()
        )
    });
    plain.count().max(1)
}

/// So many dice of one kind, and the number of the stream that they come from.
#[derive(Debug, Clone, Copy)]
struct Dice {
    stream: u32,
    count: u32,
    sides: u32,
}

impl Dice {
    fn of(who: u8, purpose: Purpose, sum: &PlainSum) -> Self {
        Self {
            stream: EncounterRng::number(who.into(), purpose) as u32,
            count: sum.count,
            sides: sum.sides,
        }
    }

    /// What they add up to.
    #[inline]
    fn roll(self, luck: &mut EncounterRng<'_>) -> u32 {
        luck.sum_of(self.stream as usize, self.count, self.sides) as u32
    }
}

/// A blow of plain dice: it hits if they reach so much, and does what others add up to, less
/// something.
#[derive(Debug, Clone)]
pub(super) struct PlainBlow {
    target: u8,
    /// Where [`Lives`] keeps what the one does to the other.
    pair: u32,
    /// What it counts as if it hits: 1 if it is an attack.
    hits: u32,
    check: Dice,
    at_least: u32,
    damage: Dice,
    less: i64,
}

impl PlainBlow {
    /// Of that blow in that fight, if it is one.
    pub(super) fn new(blow: Blow, fight: &Fight) -> Option<Self> {
        let (check, question) = blow.check(fight)?;
        let victim = &fight.combatants[usize::from(blow.target)];
        let Check::RollOver {
            roll: Roll::Sum(check),
        } = check
        else {
            return None;
        };
        let Damage::Roll(Roll::Sum(damage)) =
            blow.means.damage(&fight.combatants[usize::from(blow.who)])
        else {
            return None;
        };
        let needed = question
            .evade
            .saturating_sub(question.mastery)
            .saturating_sub(check.bonus)
            .saturating_add((!question.meeting_hits).into());
        (blow.spoiled_by == 0 && victim.soak.is_none()).then(|| Self {
            target: blow.target,
            pair: Lives::pair(fight, blow.who.into(), blow.target.into()) as u32,
            hits: blow.counts(),
            check: Dice::of(blow.who, Purpose::Check, check),
            at_least: needed.clamp(0, u32::MAX.into()) as u32,
            damage: Dice::of(blow.who, Purpose::Damage, damage),
            less: victim.armor.saturating_sub(damage.bonus),
        })
    }

    /// Rolls, and counts a hit: the points that it does.
    #[inline(always)]
    fn strike(&self, luck: &mut EncounterRng<'_>, bodies: &mut Bodies<'_>) -> Option<i32> {
        if self.check.roll(luck) < self.at_least {
            return None;
        }
        let rolled = self.damage.roll(luck);
        let amount = done(i64::from(rolled) - self.less);
        bodies.count(self.pair as usize, self.hits, amount);
        Some(amount)
    }

    /// The branch to which it leads, where that tells.
    #[inline(always)]
    pub(super) fn branch(&self, tells: Tells, luck: &mut Streams, lives: &mut Lives) -> u32 {
        let mut bodies = lives.bodies();
        let amount = self.strike(&mut luck.encounter_rng(), &mut bodies);
        let harm = amount.map(|amount| bodies.take(self.target.into(), amount, tells));
        Blow::branch(harm, tells)
    }
}

/// Strikes one blow after the other until somebody falls: after that one, counted from 1, or 0 if
/// all stand.
#[inline(never)]
pub(super) fn strike_all(blows: &[PlainBlow], luck: &mut Streams, lives: &mut Lives) -> u32 {
    let (mut luck, mut bodies) = (luck.encounter_rng(), lives.bodies());
    let mut struck = 0;
    for blow in blows {
        struck += 1;
        if let Some(amount) = blow.strike(&mut luck, &mut bodies)
            && bodies.suffer(blow.target.into(), amount) == Harm::Fall
        {
            return struck;
        }
    }
    0
}

/// A blow and all it depends on.
#[derive(Debug, Clone)]
pub(super) struct AnyBlow {
    blow: Blow,
    tells: Tells,
    pair: usize,
    check: Option<(Check, Question)>,
    damage: Damage,
    armor: i64,
    soak: Option<check::Dice>,
}

impl AnyBlow {
    /// Of that blow in that fight.
    pub(super) fn new(blow: Blow, tells: Tells, fight: &Fight) -> Self {
        let (who, target) = (blow.who.into(), blow.target.into());
        let victim = &fight.combatants[target];
        let check = blow.check(fight);
        Self {
            blow,
            tells,
            pair: Lives::pair(fight, who, target),
            check: check.map(|(check, question)| (check.clone(), question)),
            damage: blow.means.damage(&fight.combatants[who]).clone(),
            armor: victim.armor,
            soak: victim.soak.clone(),
        }
    }

    /// The branch to which it leads.
    pub(super) fn branch<C: Chance>(&self, luck: &mut C, lives: &mut Lives) -> u32 {
        Blow::branch(self.harm(luck, lives), self.tells)
    }

    /// What it does, if it hits.
    fn harm<C: Chance>(&self, luck: &mut C, lives: &mut Lives) -> Option<Harm> {
        let who = self.blow.who.into();
        let (mut extra, mut bare) = (0, false);
        if let Some((check, question)) = &self.check {
            let attempt = check.attempt(*question, luck, |luck| Hand {
                luck,
                who,
                purpose: Purpose::Check,
            });
            if !attempt.works || attempt.lowest <= self.blow.spoiled_by.into() {
                return None;
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
        let amount = done(rolled - armor);
        let mut bodies = lives.bodies();
        bodies.count(self.pair, self.blow.counts(), amount);
        Some(bodies.take(target, amount, self.tells))
    }
}
