//! Effects tied to a combatant's turn: ongoing damage, regeneration, Defence (CD-5).

use super::Encounter;
use super::rules::OrderRules;
use crate::fight::{MOST_ONGOING, Ongoing};
use crate::sim::prelude::*;

/// Adds ongoing damage to that of the next Rounds or, as an option, keeps the greater of both.
pub(super) fn add_ongoing(due: &mut [u16; MOST_ONGOING], more: Ongoing, rules: &OrderRules) {
    for points in due.iter_mut().take(more.rounds.into()) {
        *points = if rules.worst_ongoing {
            more.damage.max(*points)
        } else {
            points.saturating_add(more.damage)
        };
    }
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Applies the effects of a combatant's place, once a Round: when the place comes up, or before the combatant takes
    /// a new place.
    #[inline]
    pub(super) fn settle_effects(&mut self, who: usize) {
        if self.state.clock.settled & bit(who) != 0 {
            return;
        }
        self.come_up(who);
        self.state.clock.settled |= bit(who);
        if self.plan.clock.effects {
            self.apply_effects(who);
        }
        self.suffer_conditions(who);
        self.actor_mut(who).fended = 0;
    }

    /// Ends the conditions that last until the place of a combatant comes up, once a Round.
    #[inline]
    pub(super) fn come_up(&mut self, who: usize) {
        if self.state.clock.settled & bit(who) == 0 {
            self.reach_turn_of(who, true);
        }
    }

    fn apply_effects(&mut self, who: usize) {
        if self.plan.rules.regeneration_first {
            self.regenerate(who);
            self.suffer(who);
        } else {
            self.suffer(who);
            self.regenerate(who);
        }
    }

    fn suffer(&mut self, who: usize) {
        let due = &mut self.actor_mut(who).ongoing;
        let amount = std::mem::take(&mut due[0]);
        if amount > 0 {
            self.note(Event::Ongoing { who });
            self.deal_points(who, who, amount.into(), amount.into(), || {
                Sum::new(amount.into())
            });
        }
        self.actor_mut(who).ongoing.rotate_left(1);
    }

    fn regenerate(&mut self, who: usize) {
        let regeneration = self.plan.profiles[who].traits.regeneration;
        if !self.world().stands(who) {
            return;
        }
        let (healed, health) = self.regain(who, regeneration.into());
        if healed == 0 {
            return;
        }
        self.note(Event::Regenerates {
            who,
            healed,
            health,
            sum: Sum::new(regeneration.into())
                .with(Modifier::Limit, (healed - regeneration).into()),
        });
    }
}
