//! The world as it is serialized between two steps: the combatants that stand or are still to come, and only those
//! values of the others that are read again.

use super::{Body, MAX_ITEMS, Vitals, World, members};
use crate::fight::lasting::Affliction;
use crate::fight::{MAX_COMBATANTS, Units};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A serialized [`Body`]: values that rarely change are in one optional part.
#[derive(Serialize, Deserialize)]
pub(super) struct Written<A> {
    reach: Units,
    in_hand: u32,
    numbers: [i32; 2],
    speed: Units,
    rare: Option<Rare>,
    clock: A,
}

/// Values that only few fights change.
#[derive(Default, PartialEq, Serialize, Deserialize)]
struct Rare {
    lost: u32,
    unpaid: u32,
    uses: [u16; MAX_ITEMS],
    prone: bool,
    added: [i16; 3],
}

impl<A: Copy> From<Body<A>> for Written<A> {
    fn from(body: Body<A>) -> Self {
        let rare = Rare {
            lost: body.lost,
            unpaid: body.unpaid,
            uses: body.uses,
            prone: body.prone,
            added: [body.attack, body.damage, body.reach_bonus],
        };
        Self {
            reach: body.reach,
            in_hand: body.in_hand,
            numbers: [body.evade, body.armor],
            speed: body.speed,
            rare: (rare != Rare::default()).then_some(rare),
            clock: body.clock,
        }
    }
}

impl<A> From<Written<A>> for Body<A> {
    fn from(written: Written<A>) -> Self {
        let rare = written.rare.unwrap_or_default();
        let [evade, armor] = written.numbers;
        let [attack, damage, reach_bonus] = rare.added;
        Self {
            reach: written.reach,
            in_hand: written.in_hand,
            lost: rare.lost,
            unpaid: rare.unpaid,
            uses: rare.uses,
            prone: rare.prone,
            evade,
            armor,
            speed: written.speed,
            attack,
            damage,
            reach_bonus,
            clock: written.clock,
        }
    }
}

/// Serializes the combatants that stand, are down or are still to come, and the health of those that have left. Of the
/// fallen, only the fact that they have fallen is read again.
impl<A: Serialize + Copy + Default> Serialize for World<A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let one = |who: usize| (self.bodies[who], self.positions[who], self.healths[who]);
        let there = self.here() | self.waiting;
        let bodies = Each(members(there).map(one));
        let afflicted = if self.afflictions.is_empty() {
            0
        } else {
            there
        };
        let afflictions = Each(members(afflicted).map(|who| &self.afflictions[who]));
        let gone = Each(members(self.gone).map(|who| self.healths[who]));
        let stunned_this_round = self.stunned_this_round & self.standing;
        let sets = (self.standing, self.waiting, self.gone, stunned_this_round);
        (sets, &self.vitals, bodies, afflictions, gone).serialize(serializer)
    }
}

/// Serializes the items of an iterator as a list.
struct Each<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Each<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

/// A deserialized world has no sides until [`World::restore_sides`] gives it the sides of its fight.
impl<'de, A: Deserialize<'de> + Copy + Default> Deserialize<'de> for World<A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        type All<A> = (
            (u64, u64, u64, u64),
            Vec<Vitals>,
            Vec<(Body<A>, Units, i32)>,
            Vec<Affliction>,
            Vec<i32>,
        );
        let (sets, vitals, bodies, afflictions, healths) = All::<A>::deserialize(deserializer)?;
        let (standing, waiting, gone, stunned_this_round) = sets;
        let mut world = Self::empty(0, 0);
        world.vitals = vitals;
        let there = standing | waiting | world.down();
        if !afflictions.is_empty() {
            world.afflictions = vec![Affliction::default(); MAX_COMBATANTS];
        }
        for (who, affliction) in members(there).zip(afflictions) {
            world.stunned |= u64::from(affliction.stunned) << who;
            world.afflictions[who] = affliction;
        }
        (world.standing, world.waiting) = (standing, waiting);
        (world.gone, world.stunned_this_round) = (gone, stunned_this_round);
        for (who, (body, position, health)) in members(there).zip(bodies) {
            world.bodies[who] = body;
            world.positions[who] = position;
            world.healths[who] = health;
        }
        for (who, health) in members(gone).zip(healths) {
            world.healths[who] = health;
        }
        Ok(world)
    }
}

impl<A: Copy + Default> World<A> {
    /// Copies the sides of another state of the same fight.
    pub fn restore_sides(&mut self, other: &Self) {
        self.count = other.count;
        self.side_of = other.side_of;
        self.sides.clone_from(&other.sides);
        self.afflictions
            .resize(other.afflictions.len(), Affliction::default());
        self.stand(self.standing);
    }
}
