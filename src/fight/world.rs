//! What changes while a fight is fought: plain data, cloneable, comparable and hashable.
//!
//! Sets of combatants are the bits of a `u64`, by file order.

use super::{Fight, Units};

/// Most kinds of items that one combatant can carry.
pub const MAX_ITEMS: usize = 8;

/// One combatant, as it stands now. `A` is what the clock keeps about it: beside the rest in
/// memory, because the two are always asked together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Body<A> {
    /// Where it is on the line (W-1).
    pub position: Units,
    /// Health left; 0 is fallen (TC-22).
    pub health: i32,
    /// Its own reach with what it has in hand (W-2); -1 without a melee weapon.
    pub reach: Units,
    /// Weapons in hand, a bit each.
    pub in_hand: u32,
    /// Uses left of each of its items.
    pub uses: [u16; MAX_ITEMS],
    /// Whether it lies on the ground.
    pub prone: bool,
    /// The clock's own.
    pub clock: A,
}

/// The state of a fight but for its clock.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct World<A> {
    /// One for each combatant, in file order.
    pub bodies: Vec<Body<A>>,
    /// Who stands.
    pub standing: u64,
}

impl<A: Copy + Default> World<A> {
    /// The state in which every encounter begins.
    #[must_use]
    pub fn new(fight: &Fight) -> Self {
        let bodies: Vec<Body<A>> = fight
            .combatants
            .iter()
            .map(|combatant| {
                let mut uses = [0; MAX_ITEMS];
                for (left, item) in uses.iter_mut().zip(&combatant.items) {
                    *left = item.uses;
                }
                Body {
                    position: combatant.position,
                    health: combatant.health,
                    reach: combatant.reach(combatant.in_hand),
                    in_hand: combatant.in_hand,
                    uses,
                    prone: combatant.prone,
                    clock: A::default(),
                }
            })
            .collect();
        let standing = (0..bodies.len()).fold(0, |set, who| set | bit(who));
        Self { bodies, standing }
    }

    /// Units between two combatants (W-1).
    #[inline]
    #[must_use]
    pub fn distance(&self, one: usize, other: usize) -> Units {
        (self.bodies[one].position - self.bodies[other].position).abs()
    }

    /// Whether a combatant stands.
    #[inline]
    #[must_use]
    pub fn stands(&self, who: usize) -> bool {
        self.standing & bit(who) != 0
    }
}

/// The set of one.
#[inline]
#[must_use]
pub const fn bit(who: usize) -> u64 {
    1 << who
}

/// The members of a set, in file order.
#[inline]
pub fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let who = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(who)
    })
}
