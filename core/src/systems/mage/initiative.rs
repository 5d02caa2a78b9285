//! The order of a turn (MA-1, MA-2).

use super::rules::Sleepers;
use super::state::TurnActor;
use super::{Encounter, Plan, flags};
use crate::sim::prelude::*;

/// The most actions of a turn, whatever conditions add.
const MOST_ACTIONS: i32 = 100;

/// Returns the state of a combatant at the beginning of a turn: only what lasts beyond a turn is kept.
#[inline]
pub(super) fn refreshed(plan: &Plan, who: usize, actor: &TurnActor) -> TurnActor {
    TurnActor {
        actions: plan.profiles[who].actions,
        flags: actor.flags.among(flags::LASTING),
        spent: actor.spent,
        readying: actor.readying,
        ritual: actor.ritual,
        paradox: actor.paradox,
        willpower_spent: actor.willpower_spent,
        ..TurnActor::default()
    }
}

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Begins a turn: rolls initiative and sorts the order.
    #[inline]
    pub(super) fn begin_turn(&mut self) {
        self.state.round += 1;
        let plan = self.plan;
        self.state.clock.initiative = 0;
        self.note(Event::Round);
        self.open_round();
        if let Sleepers::Chance(chance) = plan.rules.sleepers {
            // The roll uses the dice of the first combatant in the file, because Sleepers have none of their own.
            self.state.clock.watched = self.chance.happens(0, Purpose::Other, chance);
            if self.state.clock.watched {
                self.note(Event::Sleepers);
            }
        }
        for who in members(self.state.world.here()) {
            let actor = self.actor_mut(who);
            *actor = refreshed(plan, who, actor);
            if self.world().has_conditions() {
                let more = self.world().change(who, Number::ExtraActions);
                let actor = self.actor_mut(who);
                actor.actions = (i32::from(actor.actions) + more).clamp(0, MOST_ACTIONS) as u8;
            }
        }
        self.state.places.begin(self.state.world.here());
        self.order_places();
    }
}
