//! Damage, falling and healing (W-5, W-6).

use super::hand::Hand;
use super::stage::Stage;
use crate::chance::Purpose;
use crate::fight::check::Attempt;
use crate::fight::health::{Damage, Roll, done};
use crate::fight::world::{bit, members};
use crate::sim::Event;

/// Damage that those who act at one instant do to one another: it counts when all have acted (W-5).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PutOff {
    /// Who acts at this very instant beside tied others.
    pub together: u64,
    /// Damage put off, for each combatant.
    damage: Vec<i32>,
}

impl PutOff {
    pub(crate) fn new(combatants: usize) -> Self {
        Self {
            together: 0,
            damage: vec![0; combatants],
        }
    }

    /// Copies without giving up the buffer.
    pub(crate) fn reset_to(&mut self, other: &Self) {
        self.together = other.together;
        self.damage.copy_from_slice(&other.damage);
    }
}

/// Deals damage and gives health back.
pub(crate) trait Damages<'a>: Stage<'a> {
    /// Rolls damage less armour and soak and lets it count: at once, or after the instant where both
    /// act simultaneously (W-5).
    fn damage(&mut self, who: usize, target: usize, damage: &Damage, attempt: Option<Attempt>) {
        let extra = attempt.map_or(0, |attempt| attempt.extra_damage);
        let rolled = {
            let (chance, observer) = self.luck();
            damage.roll(who, extra, chance, |chance| {
                Hand::new(chance, observer, who, Purpose::Damage)
            })
        };
        let halved = attempt.is_some_and(|attempt| attempt.halved);
        let rolled = if halved { rolled / 2 } else { rolled };
        let victim = &self.fight().combatants[target];
        let bare = attempt.is_some_and(|attempt| attempt.ignores_armor);
        let mut armor = if bare { 0 } else { victim.armor };
        if let Some(soak) = &victim.soak
            && !bare
        {
            let (chance, observer) = self.luck();
            armor += soak.successes(0, target, Purpose::Other, chance, |chance| {
                Hand::new(chance, observer, target, Purpose::Other)
            });
        }
        self.harm(who, target, rolled, rolled - armor);
    }

    /// Deals `points` of damage; `rolled` is the damage before armour.
    fn harm(&mut self, who: usize, target: usize, rolled: i64, points: i64) {
        let amount = done(points);
        let record = self.record();
        if who != target {
            let dealt = &mut record.combatants[who].damage;
            *dealt = dealt.saturating_add(amount as u32);
        }
        record.combatants[target].damage_taken = record.combatants[target]
            .damage_taken
            .saturating_add(amount as u32);
        let both = bit(who) | bit(target);
        let put_off = self.put_off();
        // Only what one does to another waits.
        let later = who != target && put_off.together & both == both;
        if later {
            put_off.damage[target] = put_off.damage[target].saturating_add(amount);
        } else {
            self.world_mut().take_health(target, amount);
        }
        let health = self.world().health(target);
        self.note(Event::Damage {
            who,
            target,
            rolled,
            amount,
            health,
            later,
        });
        self.hurt(target, amount, later);
        if later || amount == 0 {
            return;
        }
        // A hit that fells does damage too, and may be what fizzles the spell.
        self.disturb(target);
        if health == 0 {
            self.fall(target);
        }
    }

    /// Damage that a roll of one's own does to oneself, without armour.
    fn hurt_oneself(&mut self, who: usize, roll: &Roll) {
        let rolled = roll.roll(&mut self.hand(who, Purpose::Other));
        self.harm(who, who, rolled, rolled);
    }

    /// Lets the damage count that was put off.
    fn settle(&mut self) {
        for target in members(std::mem::take(&mut self.put_off().together)) {
            let amount = std::mem::take(&mut self.put_off().damage[target]);
            if amount == 0 || !self.world().stands(target) {
                continue;
            }
            self.world_mut().take_health(target, amount);
            let health = self.world().health(target);
            self.note(Event::DamageCounts {
                target,
                amount,
                health,
            });
            self.hurt_counts(target);
            if health == 0 {
                self.fall(target);
            }
        }
    }

    /// Who falls does nothing more.
    fn fall(&mut self, who: usize) {
        self.world_mut().fall(who);
        let round = self.moment().round;
        self.record().combatants[who].fell_round = round;
        self.stop(who);
        self.note(Event::Fall { who });
    }

    /// Heals up to the health at the start. Returns the points healed and the health then.
    fn regain(&mut self, who: usize, points: i64) -> (i32, i32) {
        let most = self.fight().combatants[who].health;
        let left = self.world().health(who);
        let healed = points.clamp(0, i64::from(most - left)) as i32;
        self.world_mut().set_health(who, left + healed);
        (healed, left + healed)
    }
}

impl<'a, S: Stage<'a> + ?Sized> Damages<'a> for S {}
