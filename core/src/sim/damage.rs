//! Damage, falling, leaving and healing (W-5, W-6, W-10).

use super::hit::{Force, roll_hit, roll_soak};
use crate::fight::check::{HitEffect, Outcome};
use crate::fight::effect::Change;
use crate::fight::health::{Damage, Setback, done};
use crate::fight::sum::small;
use crate::fight::words::{Blow, Extra};
use crate::sim::prelude::*;
use std::hash::Hash;
use std::mem::take;

/// The effects of combatants that act at one instant on one another. They count when all have acted (W-5).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct PutOff {
    /// The tied combatants that act at this instant.
    pub together: u64,
    /// The first of them to act.
    pub leader: u8,
    /// The combatants of `together` whose deed takes a first place from the leader: the first in the encounter, the
    /// first side in the Round, and the first of all in the Round.
    pub rivals: [u64; 3],
    /// Whether damage is being dealt that reaches its user and others: it waits for all of them alike.
    pub blast: bool,
    /// Those of them that have lost all health, and fall when this beat is over.
    falling: u64,
    /// The combatants that have taken or dealt damage that is put off.
    pending: u64,
    /// The combatants that leave when all have acted: by fleeing, and by surrendering.
    leaving: [u64; 2],
    /// Damage put off, for each combatant: that it takes, and that it deals.
    damage: Vec<i32>,
    dealt: Vec<i32>,
    /// Other effects put off: source with its position, target and change.
    changes: Vec<((u8, Units), u8, Change)>,
}

impl PutOff {
    pub(crate) fn new(combatants: usize) -> Self {
        Self {
            damage: vec![0; combatants],
            dealt: vec![0; combatants],
            ..Self::default()
        }
    }

    /// Whether an effect of `who` on `target` waits until all have acted.
    #[inline]
    pub(crate) const fn waits(&self, who: usize, target: usize) -> bool {
        let both = bit(who) | bit(target);
        self.together & both == both && (who != target || self.blast)
    }

    /// Puts off an effect of `who`, who is at `at`, on `target`, if it has to wait. Returns whether it does.
    #[inline]
    pub(crate) fn keep(&mut self, who: usize, at: Units, target: usize, change: &Change) -> bool {
        let waits = self.waits(who, target);
        if waits {
            self.changes
                .push(((who as u8, at), target as u8, change.clone()));
        }
        waits
    }

    /// Copies `other` into the buffers that are there.
    pub(crate) fn reset_to(&mut self, other: &Self) {
        self.damage.clone_from(&other.damage);
        self.dealt.clone_from(&other.dealt);
        self.changes.clone_from(&other.changes);
        *self = Self {
            damage: take(&mut self.damage),
            dealt: take(&mut self.dealt),
            changes: take(&mut self.changes),
            ..*other
        };
    }
}

/// Returns the sum of damage less what armour, the dice of soak and resistance take off: `taken` is left, which takes
/// `points` of health.
#[cold]
fn less_ward(sum: Sum, rolled: i64, [armor, soaked]: [i64; 2], taken: i64, points: i64) -> Sum {
    let left = rolled - armor - soaked;
    // Less than no damage is not resisted.
    let resisted = if left > 0 { taken - left } else { 0 };
    sum.with(Modifier::Armour, -armor)
        .with(Modifier::Soaked, -soaked)
        .with(Modifier::Resistance, resisted)
        .with(Modifier::Thresholds, points - taken)
}

/// Deals damage and gives health back.
pub(crate) trait Damages<'a>: Stage<'a> {
    /// Reports a critical hit.
    #[inline]
    fn report_critical(&mut self, who: usize, force: Force) {
        let damage = match force.effect {
            HitEffect::Critical(damage) => Some(damage),
            HitEffect::IgnoresArmor => None,
            HitEffect::Usual | HitEffect::Halved | HitEffect::Nothing => return,
        };
        self.note(Event::CriticalHit { who, damage });
    }

    /// Returns the damage that a hit does, and its changes with what facts and the result of its check add; `None` if a
    /// check that has failed does none.
    #[inline]
    fn blow<'d>(
        &self,
        (who, target): (usize, usize),
        damage: &'d Damage,
        hit: Hit,
    ) -> Option<(&'d Damage, Force)> {
        match &damage.extra {
            Some(extra) => self.blow_in_words((who, target), (damage, extra), hit),
            None => (!hit.fails).then_some((damage, hit.force)),
        }
    }

    #[cold]
    #[inline(never)]
    fn blow_in_words<'d>(
        &self,
        (who, target): (usize, usize),
        (mut damage, mut extra): (&'d Damage, &'d Extra),
        hit: Hit,
    ) -> Option<(&'d Damage, Force)> {
        let mut force = hit.force;
        let Outcome {
            degree,
            margin,
            total,
        } = hit.words;
        let of_degree = (degree > 0).then(|| extra.blow(degree)).flatten();
        let blow = of_degree.or_else(|| if hit.fails { extra.blow(0) } else { None });
        match blow {
            None if hit.fails => return None,
            Some(Blow::Damage(other)) => {
                damage = other;
                match &other.extra {
                    Some(other) => extra = other,
                    None => return Some((damage, force)),
                }
            }
            Some(blow) => force.effect = blow.effect(),
            None => {}
        }
        let facts = extra.facts.value(|fact| self.fact(fact, who, target));
        let result = extra.margin * i64::from(margin) + extra.total * i64::from(total);
        force.facts = small(facts + result);
        Some((damage, force))
    }

    /// Rolls damage, takes off armour and soak, and applies it: at once, or after the instant if both act
    /// simultaneously (W-5). Returns the points dealt.
    #[inline(always)]
    fn deal_hit(&mut self, who: usize, target: usize, damage: &Damage, hit: Hit) -> i32 {
        match self.blow((who, target), damage, hit) {
            Some((damage, force)) => self.deal_plain_hit(who, target, damage, force),
            None => 0,
        }
    }

    /// Deals the damage of a hit to which facts and the result of its check have been added. Within the code of attacks it
    /// would take their registers.
    #[inline(never)]
    fn deal_plain_hit(&mut self, who: usize, target: usize, damage: &Damage, force: Force) -> i32 {
        let armor = match force.effect {
            HitEffect::IgnoresArmor => 0,
            _ => self.armor(target),
        };
        self.report_critical(who, force);
        let roll = |chance: &mut Self::Chance, observer: &mut Self::Observer| {
            roll_hit(who, damage, force, chance, observer)
        };
        let sum = |whole| force.sum(damage, whole);
        self.deal((who, target), damage, Some(armor), force, roll, sum)
    }

    /// Rolls damage, takes off soak and `armor`, or neither if `armor` is `None`, and deals the rest. `roll` returns the
    /// whole roll and the part of it that counts; `sum` returns the parts of the whole roll. Equal questions must have
    /// equal rolls.
    #[inline(always)]
    fn deal<K: PartialEq + Hash + 'static>(
        &mut self,
        (who, target): (usize, usize),
        damage: &Damage,
        armor: Option<i64>,
        question: K,
        mut roll: impl FnMut(&mut Self::Chance, &mut Self::Observer) -> [i64; 2],
        sum: impl FnOnce(i64) -> Sum,
    ) -> i32 {
        let victim = self.combatant(target);
        let soak = victim.soak.as_ref().filter(|_| armor.is_some());
        let per_wound = self.damage_per_wound(target);
        let kind = |amount: i32| if amount == 0 { -1 } else { amount / per_wound };
        let key = (std::ptr::from_ref(damage).addr(), target, armor, question);
        let armor = armor.unwrap_or(0);
        let (chance, observer) = self.chance_and_observer();
        let mut parts = [0; 4];
        let through = |chance: &mut Self::Chance| {
            let [whole, rolled] = roll(chance, observer);
            let soaked = roll_soak(soak, target, chance, observer);
            let points = victim.takes(damage, rolled - armor - soaked);
            parts = [whole, rolled, soaked, points];
            done(points)
        };
        let amount = chance.damage((who, target), key, through, kind);
        let [whole, rolled, soaked, points] = parts;
        self.deal_points(who, target, rolled, amount.into(), || {
            let taken = victim.resisted(damage, rolled - armor - soaked);
            less_ward(sum(whole), rolled, [armor, soaked], taken, points)
        })
    }

    /// Deals `points` of damage; `rolled` is the damage before armour, and `sum` returns all parts for an observer.
    /// Returns the points dealt.
    #[inline(always)]
    fn deal_points(
        &mut self,
        who: usize,
        target: usize,
        rolled: i64,
        points: i64,
        sum: impl FnOnce() -> Sum,
    ) -> i32 {
        let amount = done(points);
        let record = self.record();
        if who != target {
            let dealt = &mut record.combatants[who].damage;
            *dealt = dealt.saturating_add(amount as u32);
        }
        let taken = &mut record.combatants[target].damage_taken;
        *taken = taken.saturating_add(amount as u32);
        if who != target && amount > 0 {
            self.on_damage_dealt(who, target);
        }
        let put_off = self.put_off();
        let later = put_off.waits(who, target);
        if later {
            put_off.pending |= bit(who) | bit(target);
            put_off.damage[target] = put_off.damage[target].saturating_add(amount);
            if who != target {
                put_off.dealt[who] = put_off.dealt[who].saturating_add(amount);
            }
            self.chance_and_observer().0.put_off();
        } else {
            self.take_health(target, amount, false);
        }
        let health = self.world().health(target);
        self.note(Event::Damage {
            who,
            target,
            rolled,
            amount,
            health,
            later,
            sum: self.shown_sum(|_| sum()),
        });
        self.apply_wounds(target, amount, later);
        if later || amount == 0 {
            return amount;
        }
        if self.has_conditions() {
            self.end_conditions_on_damage(target);
        }
        // A hit that fells does damage too, and may fizzle the spell.
        self.on_damage_taken(target);
        if health == 0 {
            if self.put_off().together & bit(target) == 0 {
                self.fall(target);
            } else {
                // It falls when the others of this beat have acted (W-5).
                self.put_off().falling |= bit(target);
                self.stop(target);
            }
        }
        amount
    }

    /// Takes those of the tied combatants out of the fight that have lost all health in this beat (W-5).
    #[inline]
    fn fall_together(&mut self) {
        let put_off = self.put_off();
        let falling = put_off.falling & put_off.together;
        put_off.falling &= !falling;
        for who in members(falling) {
            if self.world().stands(who) && self.world().is_out(who) {
                self.fall(who);
            }
        }
    }

    /// Takes temporary health away (W-18), then health, down to 0. If chance keeps the health of `who`, the world holds
    /// its full health until it falls, then 0.
    #[inline]
    fn take_health(&mut self, who: usize, amount: i32, put_off: bool) {
        let amount = self.absorb(who, amount);
        match self.chance_and_observer().0.fells(who, amount, put_off) {
            None => self.world_mut().take_health(who, amount),
            Some(true) => self.world_mut().set_health(who, 0),
            Some(false) => {}
        }
    }

    /// Applies a setback to a combatant. Its damage is not reduced by armour.
    fn suffer_setback(&mut self, who: usize, cost: &Setback) {
        match cost {
            Setback::Nothing => {}
            Setback::LoseTurn => self.places().lost |= bit(who),
            Setback::Damage(roll) => {
                let rolled = roll.roll(&mut self.roller(who, Purpose::Other));
                let points = self.combatant(who).loses(rolled);
                self.deal_points(who, who, rolled, points, || {
                    Sum::new(roll.added()).with(Modifier::Thresholds, points - rolled)
                });
            }
        }
    }

    /// Reports a botch, and applies its cost (MD-2, CD-6).
    fn botched(&mut self, who: usize, cost: &Setback) {
        self.note(Event::Botch { who });
        self.suffer_setback(who, cost);
    }

    /// Applies what was put off: damage, then other effects on the combatants that still stand, then departures. It
    /// counts even if only one side stands, but not in an encounter that a goal has ended (W-5, W-17).
    fn settle(&mut self) {
        self.fall_together();
        if self.only_side().is_none() && self.decided().is_some() {
            return;
        }
        let put_off = self.put_off();
        let together = take(&mut put_off.together);
        if together & bit(usize::from(put_off.leader)) != 0 {
            (put_off.leader, put_off.rivals) = (0, [0; 3]);
        }
        let pending = put_off.pending & together;
        put_off.pending &= !pending;
        for target in members(pending) {
            self.put_off().dealt[target] = 0;
            let amount = take(&mut self.put_off().damage[target]);
            if amount == 0 {
                continue;
            }
            if !self.world().stands(target) {
                self.chance_and_observer().0.count_put_off(target);
                self.settle_wounds(target);
                continue;
            }
            self.take_health(target, amount, true);
            let health = self.world().health(target);
            self.note(Event::DamageCounts {
                target,
                amount,
                health,
            });
            self.settle_wounds(target);
            if self.has_conditions() {
                self.end_conditions_on_damage(target);
            }
            if health == 0 {
                self.fall(target);
            }
        }
        if !self.put_off().changes.is_empty() {
            self.settle_changes(together);
        }
        if self.put_off().leaving != [0; 2] {
            self.remove_leaving(together);
        }
    }

    /// Takes back the damage that was put off when a goal ended the encounter: it does not count (W-5).
    fn drop_put_off(&mut self) {
        for who in 0..self.put_off().dealt.len() {
            let put_off = self.put_off();
            let (dealt, taken) = (put_off.dealt[who], put_off.damage[who]);
            let counts = self.counts(who);
            counts.damage = counts.damage.saturating_sub(dealt as u32);
            counts.damage_taken = counts.damage_taken.saturating_sub(taken as u32);
        }
        self.chance_and_observer().0.drop_put_off();
    }

    /// Applies the effects put off by the combatants of a set. The source of other effects may be a combatant that they
    /// interrupt. Pulls lead to where their makers are before any of these effects.
    #[cold]
    #[inline(never)]
    fn settle_changes(&mut self, together: u64) {
        let mut changes = take(&mut self.put_off().changes);
        for ((by, at), _, change) in &mut changes {
            if let Change::Push(..0) = change {
                *at = self.world().position(usize::from(*by));
            }
        }
        changes.retain(|((by, at), who, change)| {
            let (by, who) = (usize::from(*by), usize::from(*who));
            let is_of_them = together & bit(by) != 0;
            if is_of_them && self.world().stands(who) {
                self.apply_change((by, *at), who, change);
            }
            !is_of_them
        });
        self.put_off().changes = changes;
    }

    /// Leaves the fight: at once, or when all combatants of this instant have acted (W-5).
    fn leave(&mut self, who: usize, how: Leaving) {
        self.stop(who);
        let put_off = self.put_off();
        put_off.leaving[how as usize] |= bit(who);
        if put_off.together & bit(who) == 0 {
            self.remove_leaving(bit(who));
        }
    }

    /// Removes the combatants of a set that leave and still stand.
    #[cold]
    #[inline(never)]
    fn remove_leaving(&mut self, set: u64) {
        for how in [Leaving::Flees, Leaving::Surrenders] {
            let leaving = &mut self.put_off().leaving[how as usize];
            let gone = *leaving & set;
            *leaving &= !set;
            for who in members(gone & self.world().standing()) {
                self.world_mut().leave(who);
                self.stop(who);
                let counts = self.counts(who);
                match how {
                    Leaving::Flees => counts.fled = 1,
                    Leaving::Surrenders => counts.surrendered = 1,
                }
                self.note(Event::Leaves { who, how });
                self.test_morale_of_allies(who);
            }
        }
    }

    /// Takes a fallen combatant out of the fight, or makes it one that is down (W-18), and ends its actions.
    fn fall(&mut self, who: usize) {
        self.world_mut().fall(who);
        let round = self.moment().round;
        self.counts(who).fell_round = round;
        if !Self::PLAIN && self.fight().down.who & bit(who) != 0 {
            self.go_down(who);
        } else {
            self.stop(who);
            self.note(Event::Fall { who });
        }
        self.test_morale_of_allies(who);
    }

    /// Heals up to the most health allowed. Returns the points healed and the new health.
    fn regain(&mut self, who: usize, points: i64) -> (i32, i32) {
        let most = self.most_health(who);
        let left = self.world().health(who);
        // A combatant that falls when the beat is over gets none.
        let most = if left == 0 && !self.world().is_down(who) {
            0
        } else {
            most
        };
        let healed = points.clamp(0, i64::from(most - left)) as i32;
        self.world_mut().set_health(who, left + healed);
        (healed, left + healed)
    }

    /// Heals `who` and counts the points for `by`. Returns the points healed and the new health.
    fn heal(&mut self, by: usize, who: usize, points: i64) -> (i32, i32) {
        let (healed, health) = self.regain(who, points);
        let given = &mut self.counts(by).healed;
        *given = given.saturating_add(healed.unsigned_abs());
        (healed, health)
    }
}

impl<'a, S: Stage<'a> + ?Sized> Damages<'a> for S {}
