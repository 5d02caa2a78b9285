//! What combatants have beside their points of health: temporary health, and how they fare while they are down (W-18).

use super::{World, bit, set_of};
use serde::{Deserialize, Serialize};

/// What a combatant has beside its points of health (W-18).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Vitals {
    /// Temporary health.
    pub temporary: i32,
    /// How long it has been down, if it is.
    pub down: Option<Down>,
}

/// How a combatant that is down fares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Down {
    /// Rounds begun since it went down, as far as they are counted.
    pub rounds: u8,
    /// Checks failed.
    pub failures: u8,
    /// Checks passed.
    pub successes: u8,
}

impl<A: Copy + Default> World<A> {
    /// What a combatant has beside its health, in a fight in which any has something.
    #[inline]
    pub fn vitals(&self, who: usize) -> Option<&Vitals> {
        self.vitals.get(who)
    }

    /// Mutable counterpart of [`World::vitals`].
    #[inline]
    pub fn vitals_mut(&mut self, who: usize) -> Option<&mut Vitals> {
        self.vitals.get_mut(who)
    }

    /// The combatants that are down.
    #[inline]
    pub fn down(&self) -> u64 {
        if self.vitals.is_empty() {
            0
        } else {
            self.find_down()
        }
    }

    #[cold]
    #[inline(never)]
    fn find_down(&self) -> u64 {
        set_of((0..self.vitals.len()).filter(|who| self.is_down(*who)))
    }

    /// Whether a combatant is down.
    #[inline]
    pub fn is_down(&self, who: usize) -> bool {
        let vitals = self.vitals.get(who);
        vitals.is_some_and(|vitals| vitals.down.is_some())
    }

    /// The combatants that stand or are down.
    #[inline]
    pub fn here(&self) -> u64 {
        self.standing | self.down()
    }

    /// Takes a combatant that has fallen to be down.
    pub fn go_down(&mut self, who: usize) {
        self.vitals[who].down = Some(Down::default());
    }

    /// Makes a combatant that is down stand again.
    pub fn rise(&mut self, who: usize) {
        self.vitals[who].down = None;
        self.stand(self.standing | bit(who));
    }
}
