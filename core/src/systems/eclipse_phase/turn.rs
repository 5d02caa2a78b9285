//! A turn: its Phases or, with a die for each point of Speed, one sequence of places (EP-2, EP-6, EP-7).

use super::Encounter;
use crate::sim::prelude::*;

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Returns the combatants that have a place to act in this Phase.
    #[inline]
    pub(super) fn acting(&self) -> u64 {
        if self.world().has_conditions() && !self.plan.rules.per_speed {
            let acts = |who: &usize| self.speed(*who) >= self.state.clock.phase;
            let all = members(self.state.world.here()).filter(acts);
            return set_of(all);
        }
        self.plan.clock.acting[usize::from(self.state.clock.phase) - 1]
    }

    /// Begins a Phase. Returns whether there is anything to do in it.
    pub(super) fn begin_phase(&mut self) -> bool {
        let standing = self.state.world.standing();
        let may_act = self.acting() & standing;
        if may_act | self.state.clock.walking | self.state.clock.delayed == 0 {
            return false;
        }
        let here = self.state.world.here();
        self.state.places.due = (self.acting() | self.under_way()) & here;
        if self.state.places.due | self.state.clock.delayed == 0 {
            return false;
        }
        if !self.plan.rules.per_speed {
            let phase = self.state.clock.phase.into();
            self.note(Event::Phase { phase });
        }
        self.ask_moxie();
        true
    }

    /// Plays the next place of a Phase, or ends the Phase. Returns the ending of the encounter, if there is one.
    pub(super) fn play_place(&mut self) -> Option<Ending> {
        // As the Phase begins, and after each place, a delayed action may be taken.
        let interrupted = self.state.clock.delayed != 0 && self.interrupted();
        if !interrupted {
            let group = self.next_place();
            if group == 0 {
                self.state.clock.in_phase = false;
                return self.end_phase();
            }
            if is_single(group) && self.state.clock.delayed == 0 {
                return self.run_alone(group.trailing_zeros() as usize);
            }
            self.enter(group, Self::begin_place);
        }
        self.run()
    }

    /// Ends a Phase: combatants that have delayed and do not hold their action take it now. After each of these
    /// actions the others are asked again (EP-6).
    fn end_phase(&mut self) -> Option<Ending> {
        if self.state.clock.delayed == 0 {
            return None;
        }
        let combatants = &self.plan.fight.combatants;
        loop {
            if !self.interrupted() {
                let holds = |who: &usize| {
                    self.answer(*who, combatants[*who].policy.at(Window::PhaseEnds))
                        .is_some()
                };
                let kept = set_of(members(self.state.clock.delayed).filter(holds));
                for who in members(kept) {
                    self.answers(who, combatants[who].policy.at(Window::PhaseEnds));
                }
                let group = self.highest(self.state.clock.delayed & !kept);
                if group == 0 {
                    break;
                }
                self.enter(group, Self::begin_delayed);
            }
            let ending = self.run();
            if ending.is_some() {
                return ending;
            }
        }
        for who in members(self.state.clock.delayed & !self.state.clock.held) {
            self.counts(who).phases.delays_held += 1;
            self.note(Event::Held { who });
        }
        self.state.clock.held = self.state.clock.delayed;
        None
    }
}
