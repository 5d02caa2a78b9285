//! The changing state of a fight: plain data, cloneable, comparable and hashable.
//!
//! Sets of combatants are the bits of a `u64`, by file order.

mod sets;
mod vitals;
mod written;

pub use self::sets::{Members, bit, members};
pub use self::vitals::{Down, Vitals};
use self::written::Written;
use super::lasting::{Affliction, Number};
use super::{Combatant, Fight, MAX_COMBATANTS, Units};
use serde::{Deserialize, Serialize};

/// The most kinds of items and limited weapons that one combatant can carry together.
pub const MAX_ITEMS: usize = 8;

/// The state of one combatant. `A` is the state that the clock keeps, next to the rest in memory, because
/// both are always used together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "Written<A>", into = "Written<A>")]
#[serde(bound(
    serialize = "A: Copy + Default + Serialize",
    deserialize = "A: Copy + Default + Deserialize<'de>"
))]
pub struct Body<A> {
    /// Its reach with the weapons in hand (W-2); -1 without a melee weapon.
    pub reach: Units,
    /// Weapons in hand, one bit each, without those that have no uses left.
    pub in_hand: u32,
    /// Weapons lost for good, one bit each.
    pub lost: u32,
    /// Weapons whose price in traits it cannot pay, one bit each: they are not in hand, and are not drawn.
    pub unpaid: u32,
    /// Uses left of each of its items, then of each limited weapon.
    pub uses: [u16; MAX_ITEMS],
    /// Whether it lies on the ground.
    pub prone: bool,
    /// The evade that an attack must reach. This and the numbers below include the changes by conditions.
    pub evade: i32,
    /// Armour, taken off damage.
    pub armor: i32,
    /// Units of movement.
    pub speed: Units,
    /// Added to attacks.
    pub attack: i16,
    /// Added to the damage of attacks.
    pub damage: i16,
    /// Added to the reach of its melee weapons.
    pub reach_bonus: i16,
    /// The state that the clock keeps.
    pub clock: A,
}

/// The state of a fight without its clock.
///
/// Every decision needs the target of an action, and a search over all combatants would make large fights slow. So the
/// world keeps for each side the combatants at both ends and the weakest, which are usually the answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct World<A> {
    /// One for each combatant, in file order. The fields here and below are arrays because they are indexed at every
    /// event, and an array in the state saves a pointer and a length.
    pub bodies: [Body<A>; MAX_COMBATANTS],
    /// The position of each combatant on the line (W-1).
    positions: [Units; MAX_COMBATANTS],
    /// Health left of each combatant; 0 is fallen (TC-22).
    healths: [i32; MAX_COMBATANTS],
    /// The side of each combatant.
    side_of: [u8; MAX_COMBATANTS],
    /// The number of combatants.
    count: usize,
    /// The combatants that stand.
    standing: u64,
    /// The reserves still to come (W-12).
    waiting: u64,
    /// The combatants that have left with health left (W-10).
    gone: u64,
    /// The combatants that a condition keeps from beginning anything.
    stunned: u64,
    /// The combatants that have been stunned in this Round.
    stunned_this_round: u64,
    /// The standing combatants of sides with several members: the peaks of sides are kept for these only.
    tracked: u64,
    sides: Vec<Side>,
    /// The conditions of each combatant; empty in a fight without conditions, to save the copies.
    afflictions: Vec<Affliction>,
    /// What each combatant has beside its health; empty where [none has anything](Fight::keeps_vitals).
    vitals: Vec<Vitals>,
}

/// One side: its members, and the standing combatants that are most often the targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Side {
    members: u64,
    /// By position.
    lowest: Peak,
    /// By position with the sign changed.
    highest: Peak,
    /// By health.
    weakest: Peak,
}

impl<A: Copy + Default> World<A> {
    /// The state in which every encounter begins.
    pub fn new(fight: &Fight) -> Self {
        let mut world = Self::empty(fight.combatants.len(), fight.sides.len());
        if !fight.conditions.is_empty() || fight.keeps_afflictions {
            world.afflictions = vec![Affliction::default(); fight.combatants.len()];
        }
        if fight.keeps_vitals() {
            let vitals = |one: &Combatant| Vitals {
                temporary: one.temporary_health,
                down: None,
            };
            world.vitals = fight.combatants.iter().map(vitals).collect();
        }
        for (who, combatant) in fight.combatants.iter().enumerate() {
            let body = &mut world.bodies[who];
            body.prone = combatant.prone;
            let items = combatant.items.iter().map(|item| item.uses);
            let weapons = combatant.limited().filter_map(|(_, weapon)| weapon.uses);
            for (left, uses) in body.uses.iter_mut().zip(items.chain(weapons)) {
                *left = uses;
            }
            world.positions[who] = combatant.position;
            world.side_of[who] = combatant.side as u8;
            world.sides[combatant.side].members |= bit(who);
            for ground in &fight.grounds {
                // Reserves are not there yet (W-12).
                if combatant.enters.is_none() && ground.stretch.contains(combatant.position) {
                    world.afflictions[who].begin(ground.lasting(who as u8), &fight.conditions);
                }
            }
            let health = world.most_health(combatant, who);
            world.healths[who] = health;
            let unpaid =
                combatant.unpaid(|own| combatant.own[usize::from(own)].unwrap_or(0).into());
            world.bodies[who].unpaid = unpaid;
            world.bodies[who].in_hand = combatant.in_hand & !unpaid;
            world.update_numbers(combatant, who);
        }
        let combatants = fight.combatants.iter().enumerate();
        let reserves = combatants.filter(|(_, combatant)| combatant.enters.is_some());
        world.waiting = set_of(reserves.map(|(who, _)| who));
        world.stand(set_of(0..world.count) & !world.waiting);
        world
    }

    /// Combatants without any values.
    fn empty(count: usize, sides: usize) -> Self {
        let body = Body {
            reach: -1,
            ..Body::default()
        };
        Self {
            bodies: [body; MAX_COMBATANTS],
            positions: [0; MAX_COMBATANTS],
            healths: [0; MAX_COMBATANTS],
            side_of: [0; MAX_COMBATANTS],
            count,
            standing: 0,
            waiting: 0,
            gone: 0,
            stunned: 0,
            stunned_this_round: 0,
            tracked: 0,
            sides: vec![Side::default(); sides],
            afflictions: Vec::new(),
            vitals: Vec::new(),
        }
    }

    /// Copies another state of the same fight.
    #[inline]
    pub fn reset_to(&mut self, other: &Self) {
        let all = ..self.count;
        self.bodies[all].copy_from_slice(&other.bodies[all]);
        self.positions[all].copy_from_slice(&other.positions[all]);
        self.healths[all].copy_from_slice(&other.healths[all]);
        self.standing = other.standing;
        self.waiting = other.waiting;
        self.gone = other.gone;
        self.stunned = other.stunned;
        self.stunned_this_round = other.stunned_this_round;
        self.tracked = other.tracked;
        self.sides.copy_from_slice(&other.sides);
        if !other.afflictions.is_empty() {
            self.afflictions.clone_from(&other.afflictions);
        }
        if !other.vitals.is_empty() {
            self.vitals.clone_from(&other.vitals);
        }
    }

    /// The sum that the conditions of a combatant add to one of its numbers.
    #[inline]
    pub fn change(&self, who: usize, number: Number) -> i32 {
        self.afflictions
            .get(who)
            .map_or(0, |condition| condition.changes.of(number))
    }

    /// Updates the numbers of a combatant after its conditions have changed.
    pub fn update_numbers(&mut self, combatant: &Combatant, who: usize) {
        let affliction = self.afflictions.get(who).copied().unwrap_or_default();
        let change = |number| affliction.changes.of(number);
        let body = &mut self.bodies[who];
        body.evade = combatant.evade as i32 + change(Number::Evade);
        body.armor = match change(Number::Armor) {
            0 => combatant.armor as i32,
            change => (combatant.armor as i32 + change).max(0),
        };
        body.speed = (combatant.speed + change(Number::Move)).max(0);
        body.attack = change(Number::Attack) as i16;
        body.damage = change(Number::Damage) as i16;
        body.reach_bonus = change(Number::Reach) as i16;
        self.stunned &= !bit(who);
        self.stunned |= u64::from(affliction.stunned) << who;
        self.hold(combatant, who, self.bodies[who].in_hand);
    }

    /// Puts exactly these weapons in hand, and finds the reach with them.
    pub fn hold(&mut self, combatant: &Combatant, who: usize, in_hand: u32) {
        let body = &mut self.bodies[who];
        body.in_hand = in_hand;
        body.reach = combatant.reach(in_hand, body.reach_bonus.into());
    }

    /// The most health that a combatant may have now.
    #[inline]
    pub fn most_health(&self, combatant: &Combatant, who: usize) -> i32 {
        match self.change(who, Number::Health) {
            0 => combatant.health,
            change => (combatant.health + change).max(1),
        }
    }

    /// The sum that conditions add to a number, for each combatant.
    pub fn changes(&self, number: Number) -> [i32; MAX_COMBATANTS] {
        let mut changes = [0; MAX_COMBATANTS];
        for (change, one) in changes.iter_mut().zip(&self.afflictions) {
            *change = one.changes.of(number);
        }
        changes
    }

    /// Whether a condition keeps a combatant from beginning anything.
    #[inline]
    pub fn is_stunned(&self, who: usize) -> bool {
        self.stunned >> who & 1 == 1
    }

    /// Returns the members of a group that are not stunned: those that can act together (W-5).
    pub fn able(&self, group: u64) -> u64 {
        group & !self.stunned
    }

    /// Records that a combatant is stunned in this Round. Returns whether that is new.
    pub fn mark_stunned(&mut self, who: usize) -> bool {
        let before = self.stunned_this_round;
        self.stunned_this_round |= bit(who);
        before != self.stunned_this_round
    }

    /// Forgets which combatants were stunned in the Round before.
    #[inline]
    pub fn forget_stunned(&mut self) {
        self.stunned_this_round = 0;
    }

    /// Whether the fight has conditions.
    #[inline]
    pub fn has_conditions(&self) -> bool {
        !self.afflictions.is_empty()
    }

    /// The conditions of a combatant, in a fight that has any.
    #[inline]
    pub fn affliction(&self, who: usize) -> Option<&Affliction> {
        self.afflictions.get(who)
    }

    /// Mutable counterpart of [`World::affliction`].
    #[inline]
    pub fn affliction_mut(&mut self, who: usize) -> Option<&mut Affliction> {
        self.afflictions.get_mut(who)
    }

    /// The combatants that stand.
    #[inline]
    pub fn standing(&self) -> u64 {
        self.standing
    }

    /// Whether a combatant stands.
    #[inline]
    pub fn stands(&self, who: usize) -> bool {
        self.standing & bit(who) != 0
    }

    /// Whether a combatant does nothing more: it has fallen or left, or has no health, and falls when those who act
    /// together with it have acted (W-5).
    #[inline]
    pub fn is_out(&self, who: usize) -> bool {
        !self.stands(who) || self.health(who) == 0
    }

    /// Brings in reserves (W-12).
    pub fn enter(&mut self, entering: u64) {
        self.waiting &= !entering;
        self.stand(self.standing | entering);
    }

    /// Returns those of a set whose side has a combatant that stands.
    #[cold]
    #[inline(never)]
    pub fn of_standing_sides(&self, set: u64) -> u64 {
        let sides = self.sides.iter().map(|side| side.members);
        let standing = sides.filter(|members| members & self.standing != 0);
        set & standing.fold(0, |all, members| all | members)
    }

    /// Sets the combatants that stand.
    fn stand(&mut self, standing: u64) {
        self.standing = standing;
        let sides_of_one = self.sides.iter().filter(|side| is_single(side.members));
        let alone = sides_of_one.fold(0, |all, side| all | side.members);
        self.tracked = standing & !alone;
        for side in 0..self.sides.len() {
            self.sides[side] = Side {
                members: self.sides[side].members,
                ..Side::default()
            };
            self.find_peaks(side);
        }
    }

    /// Takes a fallen combatant out of the fight.
    pub fn fall(&mut self, who: usize) {
        self.standing &= !bit(who);
        self.tracked &= !bit(who);
        self.find_peaks(usize::from(self.side_of[who]));
    }

    /// Takes a combatant that leaves out of the fight (W-10).
    pub fn leave(&mut self, who: usize) {
        self.gone |= bit(who);
        self.fall(who);
    }

    /// The reserves still to come (W-12).
    #[inline]
    pub fn waiting(&self) -> u64 {
        self.waiting
    }

    /// Returns the position of a combatant on the line (W-1).
    #[inline]
    pub fn position(&self, who: usize) -> Units {
        self.positions[who]
    }

    /// Moves a combatant to a position.
    #[inline]
    pub fn set_position(&mut self, who: usize, position: Units) {
        self.positions[who] = position;
        if self.tracked & bit(who) == 0 {
            return;
        }
        let side = &mut self.sides[usize::from(self.side_of[who])];
        side.lowest.update(who, position);
        side.highest.update(who, -position);
    }

    /// Health left; 0 is fallen (TC-22).
    #[inline]
    pub fn health(&self, who: usize) -> i32 {
        self.healths[who]
    }

    /// Sets the health of a combatant.
    #[inline]
    pub fn set_health(&mut self, who: usize, health: i32) {
        self.healths[who] = health;
        if self.tracked & bit(who) == 0 {
            return;
        }
        let side = &mut self.sides[usize::from(self.side_of[who])];
        side.weakest.update(who, health);
    }

    /// Takes health away, down to 0.
    #[inline]
    pub fn take_health(&mut self, who: usize, points: i32) {
        self.set_health(who, (self.healths[who] - points).max(0));
    }

    /// Units between two combatants (W-1).
    #[inline]
    pub fn distance(&self, one: usize, other: usize) -> Units {
        (self.positions[one] - self.positions[other]).abs()
    }

    /// The member of a set that is nearest to `who`, and its distance; of equals the first in file order (W-4).
    #[inline]
    pub fn nearest(&self, who: usize, of: u64) -> Option<(usize, Units)> {
        self.nearest_from(self.positions[who], of)
    }

    /// The member of a set that is nearest to a position, and its distance; of equals the first in file order.
    #[inline]
    pub fn nearest_from(&self, here: Units, of: u64) -> Option<(usize, Units)> {
        self.first_of_sides(
            of,
            |side| {
                let (above, below) = (here + side.highest.key, side.lowest.key - here);
                if above >= 0 {
                    side.highest.known(above)
                } else if below >= 0 {
                    side.lowest.known(below)
                } else {
                    None
                }
            },
            |foe| (self.positions[foe] - here).abs(),
        )
    }

    /// The member of a set with the least health; of equals the first in file order (W-4).
    #[inline]
    pub fn weakest(&self, of: u64) -> Option<usize> {
        let first = self.first_of_sides(
            of,
            |side| side.weakest.known(side.weakest.key),
            |foe| self.healths[foe],
        );
        first.map(|(foe, _)| foe)
    }

    /// The members of a set that are within `range` of `who`.
    #[inline]
    pub fn within(&self, who: usize, of: u64, range: Units) -> u64 {
        let here = self.positions[who];
        if is_single(of) {
            let foe = of.trailing_zeros() as usize % MAX_COMBATANTS;
            let is_near = (self.positions[foe] - here).abs() <= range;
            return if is_near { of } else { 0 };
        }
        let mut near = 0;
        for side in &self.sides {
            let some = of & side.members;
            // Both ends bound the positions of a side even where the combatant at an end is unknown. A side of one has
            // no ends.
            let is_far = (here + side.highest.key).max(side.lowest.key - here) > range;
            // The ends bound only those that stand.
            if some == 0 || is_far && some & !self.standing == 0 {
                continue;
            }
            for foe in members(some) {
                let is_near = (self.positions[foe] - here).abs() <= range;
                near |= u64::from(is_near) << foe;
            }
        }
        near
    }

    /// The member of a set with the least key, and that key; of equals the first in file order. If all of a side that
    /// still stand are in the set, `known` may give the answer for that side.
    #[inline(always)]
    fn first_of_sides(
        &self,
        of: u64,
        known: impl Fn(&Side) -> Option<(usize, i32)>,
        key: impl Fn(usize) -> i32,
    ) -> Option<(usize, i32)> {
        let mut best: Option<(usize, i32)> = None;
        for side in &self.sides {
            let some = of & side.members;
            if some == 0 {
                continue;
            }
            let all = some == side.members & self.tracked;
            let found = if all { known(side) } else { None };
            let Some((who, key)) = found.or_else(|| first(some, &key)) else {
                continue;
            };
            if best.is_none_or(|(before, least)| (key, who) < (least, before)) {
                best = Some((who, key));
            }
        }
        best
    }

    /// Finds those peaks of a side that are not known.
    fn find_peaks(&mut self, side: usize) {
        let side = &mut self.sides[side];
        let all = side.members & self.tracked;
        side.lowest.find(all, |who| self.positions[who]);
        side.highest.find(all, |who| -self.positions[who]);
        side.weakest.find(all, |who| self.healths[who]);
    }
}

/// Returns a set of combatants.
#[inline]
pub fn set_of(all: impl IntoIterator<Item = usize>) -> u64 {
    all.into_iter().fold(0, |set, who| set | bit(who))
}

/// Whether a set has at most one member. `is_power_of_two` would count bits, for which the oldest machines in use have
/// no instruction.
#[inline]
pub(crate) const fn is_single(set: u64) -> bool {
    set & set.wrapping_sub(1) == 0
}

/// The member of a set with the least key, and that key; of equals the first in file order.
#[inline]
fn first(of: u64, key: impl Fn(usize) -> i32) -> Option<(usize, i32)> {
    let mut best: Option<(usize, i32)> = None;
    for who in members(of) {
        let own = key(who);
        if best.is_none_or(|(_, least)| own < least) {
            best = Some((who, own));
        }
    }
    best
}

/// The first combatant of a side, in file order, with the least key. When its key grows, the next query
/// searches again; until then the combatant is unknown, but the key is still a lower bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Peak {
    /// The least key, or a lower bound.
    key: i32,
    /// The combatant with that key, or [`Peak::UNKNOWN`].
    who: u8,
}

impl Default for Peak {
    fn default() -> Self {
        Self {
            // Below every key, even with a position added or subtracted.
            key: i32::MIN / 2,
            who: Self::UNKNOWN,
        }
    }
}

impl Peak {
    const UNKNOWN: u8 = u8::MAX;

    /// Finds the peak of a set anew, unless it is a member that is known.
    #[inline]
    fn find(&mut self, of: u64, key: impl Fn(usize) -> i32) {
        let rest = of.checked_shr(self.who.into());
        if rest.is_some_and(|rest| rest & 1 == 1) {
            return;
        }
        *self = first(of, key).map_or_else(Self::default, |(who, key)| Self {
            key,
            who: who as u8,
        });
    }

    /// The combatant, if it is known, with `number`.
    #[inline]
    fn known(self, number: i32) -> Option<(usize, i32)> {
        (self.who != Self::UNKNOWN).then_some((usize::from(self.who), number))
    }

    /// Updates the peak after a key has changed.
    #[inline]
    fn update(&mut self, who: usize, key: i32) {
        let who = who as u8;
        if key < self.key || (key == self.key && who <= self.who && self.who != Self::UNKNOWN) {
            *self = Self { key, who };
        } else if who == self.who && key > self.key {
            self.who = Self::UNKNOWN;
        }
    }
}

#[cfg(test)]
mod tests;
