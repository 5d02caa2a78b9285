//! Delaying: coming in after another's turn, and keeping that place (CD-2).

use super::{Encounter, flags};
use crate::fight::program::Condition;
use crate::sim::prelude::*;

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Begins to delay.
    pub(super) fn begin_delay(&mut self, who: usize, line: u16) {
        self.state.clock.delaying |= bit(who);
        let actor = self.actor_mut(who);
        actor.line = line;
        actor.flags.drop(flags::ENEMY_ACTED);
        self.counts(who).delays += 1;
        self.note(Event::Delays { who });
    }

    /// Returns the terms on which a combatant delays: how many of the combatants that come in at the same moment it
    /// lets go first, and the condition on which it comes in.
    fn delay_of(&self, who: usize) -> Option<(u8, &Condition)> {
        let line = usize::from(self.actor(who).line);
        match &self.combatant(who).policy.decisions()[line].action {
            Action::Await { yields, until } => Some((*yields, until)),
            _ => None,
        }
    }

    /// Tells the enemies of a combatant that delay that its turn is over, or that it has acted in place of that turn.
    pub(super) fn tell_delaying(&mut self, who: usize) {
        for foe in members(self.state.clock.delaying & self.plan.constants.foes(who)) {
            self.actor_mut(foe).flags.add(flags::ENEMY_ACTED);
        }
    }

    /// Lets delaying combatants come in after a turn, if their conditions hold. From now on they stand directly after
    /// it. Of several, the higher in the order goes first, unless it yields.
    #[inline]
    pub(super) fn bring_in_delayed(&mut self, after: usize) {
        if self.state.clock.delaying != 0 {
            self.bring_in_some(after);
        }
    }

    #[inline(never)]
    fn bring_in_some(&mut self, after: usize) {
        if self.decided().or_else(|| self.ends_by_distance()).is_some() {
            return;
        }
        self.tell_delaying(after);
        let mut sequence = [0_u8; MAX_COMBATANTS];
        let mut count = 0;
        // From the lowest to the highest: each one goes before all earlier ones, except those to which it yields.
        for who in self.state.places.in_order(self.state.clock.delaying).rev() {
            let Some((yields, until)) = self.delay_of(who) else {
                continue;
            };
            if self.holds(&self.view(who), until, None) {
                let at = usize::from(yields).min(count);
                sequence[count] = who as u8;
                count += 1;
                sequence[at..count].rotate_right(1);
            }
        }
        if self.plan.rules.yields_ask_again {
            // The others go on waiting and are asked again after the turn of the first.
            count = count.min(1);
        }
        let sequence = &sequence[..count];
        for who in sequence.iter().map(|who| usize::from(*who)) {
            self.state.clock.delaying &= !bit(who);
            self.state.places.due |= bit(who);
            self.state.clock.coming |= bit(who);
            self.note(Event::ComesIn { who, after });
        }
        if !self.plan.rules.turns.delay_keeps {
            self.put_beside(after, &[], sequence);
        }
    }

    /// Ends the delays of a set of combatants, because the Round is over or they are stunned. They have lost the action
    /// and keep their places.
    pub(super) fn end_delays(&mut self, set: u64) {
        let ending = self.state.clock.delaying & set;
        self.state.clock.delaying &= !set;
        for who in members(ending) {
            self.counts(who).actions_lost += 1;
            self.note(Event::DelayRunsOut { who });
        }
    }
}
