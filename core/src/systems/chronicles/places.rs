//! How the order of the scene changes (CD-1).

use super::Encounter;
use crate::sim::prelude::*;

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Returns the place of a combatant among those that stand, from 1.
    pub(super) fn place(&self, who: usize) -> u32 {
        self.state.places.place(who, self.state.world.standing())
    }

    /// Moves combatants to new places, in the given order: `ahead` directly before `other`, and `behind` directly after
    /// it. Counts the places that each gains or loses by all of these moves together.
    pub(super) fn put_beside(&mut self, other: usize, ahead: &[u8], behind: &[u8]) {
        let moved = || ahead.iter().chain(behind).map(|who| usize::from(*who));
        let mut before = [0; MAX_COMBATANTS];
        for who in moved() {
            before[who] = self.place(who);
        }
        let mut neighbour = other;
        for who in ahead.iter().rev().map(|who| usize::from(*who)) {
            self.put(who, neighbour, false);
            neighbour = who;
        }
        neighbour = other;
        for who in behind.iter().map(|who| usize::from(*who)) {
            self.put(who, neighbour, true);
            neighbour = who;
        }
        for who in moved() {
            let now = self.place(who);
            let counts = self.counts(who);
            counts.places_gained += before[who].saturating_sub(now);
            counts.places_lost += now.saturating_sub(before[who]);
        }
    }

    fn put(&mut self, who: usize, other: usize, after: bool) {
        if let Some(place) = self.state.places.put(who, other, after) {
            self.note(Event::Place { who, place });
        }
    }
}
