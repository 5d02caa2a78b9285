//! A turn: its Phases, or with a die for each point of Speed one sequence of places (EP-2, EP-6, EP-7).

use super::Encounter;
use crate::chance::Chance;
use crate::fight::Ending;
use crate::fight::world::{bit, members};
use crate::sim::prelude::*;
use crate::sim::stage::is_single;
use crate::sim::{Event, Observer};

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// Turn after turn; how it ends, if not by the limit of turns.
    pub(super) fn turns(&mut self) -> Option<Ending> {
        let rules = &self.plan.rules;
        let phases = if rules.per_speed { 1 } else { rules.phases };
        while self.state.turn < self.plan.fight.max_rounds {
            self.begin_turn();
            for phase in 1..=phases {
                self.state.phase = phase;
                let may_act = self.acting() & self.state.world.standing();
                if may_act | self.state.walking | self.state.delayed == 0 {
                    continue;
                }
                let ending = self.phase();
                if ending.is_some() {
                    return ending;
                }
            }
        }
        None
    }

    /// Who has a place to act in this Phase.
    #[inline]
    pub(super) fn acting(&self) -> u64 {
        self.plan.acting[usize::from(self.state.phase) - 1]
    }

    /// One Phase.
    fn phase(&mut self) -> Option<Ending> {
        let standing = self.state.world.standing();
        self.state.pending = (self.acting() | self.under_way()) & standing;
        if self.state.pending | self.state.delayed == 0 {
            return None;
        }
        if !self.plan.rules.per_speed {
            let phase = self.state.phase.into();
            self.note(Event::Phase { phase });
        }
        self.ask_moxie();
        loop {
            // As the Phase begins, and after each place, a delayed action may be taken.
            let interrupted = self.state.delayed != 0 && self.interrupted();
            let group = if interrupted { 0 } else { self.next_place() };
            let ending = if interrupted {
                self.run()
            } else if group == 0 {
                return self.end_phase();
            } else if is_single(group) && self.state.delayed == 0 {
                self.run_alone(group.trailing_zeros() as usize)
            } else {
                self.enter(group, Self::begin_place);
                self.run()
            };
            if let Some(ending) = ending.or_else(|| self.ends_by_distance()) {
                return Some(ending);
            }
        }
    }

    /// EP-6: who has delayed and does not hold, acts now.
    fn end_phase(&mut self) -> Option<Ending> {
        let asked = self.state.delayed;
        if asked == 0 {
            return None;
        }
        let plan = self.plan;
        let mut kept = 0;
        for who in members(asked) {
            let lines = &plan.fight.combatants[who].policy.holds;
            if self.answer(who, lines).is_some() {
                kept |= bit(who);
            }
        }
        for who in members(kept) {
            self.answers(who, &plan.fight.combatants[who].policy.holds);
        }
        loop {
            if !self.interrupted() {
                let group = self.highest(self.state.delayed & !kept);
                if group == 0 {
                    break;
                }
                self.enter(group, Self::begin_delayed);
            }
            if let Some(ending) = self.run().or_else(|| self.ends_by_distance()) {
                return Some(ending);
            }
        }
        for who in members(self.state.delayed & !self.state.held) {
            self.record.combatants[who].phases.delays_held += 1;
            self.note(Event::Held { who });
        }
        self.state.held = self.state.delayed;
        None
    }
}
