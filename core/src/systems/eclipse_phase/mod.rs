//! The clock of Eclipse Phase: Action Turns of Phases, four by the text, or of one place for each point of Speed (EP-1
//! to EP-9).
//!
//! - `initiative`: totals, places, Moxie, and wounds that change the order
//! - `turn`: a turn, its Phases and their ends
//! - `stages`: stages: beats and interruptions
//! - `choose`: the view of a deciding combatant, and the choice of a policy line (W-3)
//! - `legal`: legality
//! - `act`: attacks and defence, tasks, items
//! - `movement`: shares of Phases, and moves under way

mod act;
mod choose;
pub(super) mod description;
mod fields;
mod initiative;
mod legal;
mod movement;
pub mod rules;
mod stages;
mod state;
mod turn;

use self::rules::{MOST_PHASES, Rules, Shots};
use self::state::Actor;
pub use self::state::State;
use crate::chance::Chance;
use crate::dice::percentile::Percentile;
use crate::fight::Ending;
use crate::fight::WeaponKind;
use crate::fight::program::Action;
use crate::fight::sum::Sum;
use crate::fight::traits::OWN_CLOCK;
use crate::fight::world::{World, bit, members};
use crate::fight::{Fight, PhaseTraits, Units};
use crate::sim::Clock;
use crate::sim::compiled_lines::CompiledLines;
use crate::sim::damage::PutOff;
use crate::sim::initiative::{Ladder, Sharers};
use crate::sim::interrupt::Interrupts;
use crate::sim::prelude::*;
use crate::sim::stage::{Constants, clock_methods, stage_accessors, state_bytes};
use crate::sim::walk::{RemainingLines, WalkEffect};
use crate::sim::{ClockObserver, Moment, Record};
use std::sync::Arc;

/// A fight on this clock: everything that does not change between encounters.
#[derive(Debug, Clone)]
pub struct Plan {
    fight: Fight,
    rules: Rules,
    constants: Constants,
    profiles: Vec<Profile>,
    /// For each policy line, how walking affects it.
    walk_effects: Vec<Vec<WalkEffect>>,
    /// The decisions of each combatant.
    compiled_lines: Vec<Arc<CompiledLines>>,
    /// The combatants that have a place in each Phase (EP-2).
    acting: [u64; MOST_PHASES as usize],
    /// The combatants with a policy line that spends Moxie (EP-5).
    spenders: u64,
    sharers: Sharers,
    start: State,
}

/// The values of a combatant that every stage needs.
#[derive(Debug, Clone)]
struct Profile {
    traits: PhaseTraits,
    foes: u64,
    /// Its lines that are not attacks: they are left after its Complex Action (EP-3).
    rest: RemainingLines,
    /// Its rank among equal totals: the greater comes first.
    ladder: i32,
    /// Its rank among those who share its initiative, where they roll off.
    among_sharers: i32,
    /// The Units that each of its stages allows (EP-7, EP-8), by Phase.
    shares: [Units; MOST_PHASES as usize],
    /// Its defence in melee and against shots (EP-9).
    fray: [Option<i64>; 2],
    /// The damage of one hit for each wound; without it the combatant takes no wounds (EP-9).
    wound_threshold: Option<i32>,
}

impl Clock for Plan {
    type Rules = Rules;
    type State = State;

    /// # Panics
    /// If a combatant has the traits of another clock.
    fn new(fight: Fight, rules: Rules) -> Self {
        let constants = Constants::new(&fight);
        let mut profiles: Vec<Profile> = fight
            .combatants
            .iter()
            .map(|one| {
                let traits = one.traits.phases().expect(OWN_CLOCK);
                let shots = match rules.fray_shots {
                    Shots::Half => traits.fray.map(|skill| skill.div_euclid(2)),
                    Shots::Full => traits.fray,
                    Shots::None => None,
                };
                Profile {
                    foes: constants.against(one.side),
                    rest: RemainingLines::of(one, |line| matches!(line.action, Action::Attack(_))),
                    ladder: 0,
                    among_sharers: 0,
                    shares: movement::shares(one.speed, traits.speed, &rules),
                    fray: [traits.fray, shots],
                    // A fifth of Durability.
                    wound_threshold: traits.wound_threshold.or_else(|| {
                        let points = one.track.levels().is_empty();
                        points.then_some((one.health + 4) / 5)
                    }),
                    traits: traits.clone(),
                }
            })
            .collect();
        let sharers = Sharers::new(&rules.share, profiles.len());
        let tie_break = |who: usize| {
            let traits = &profiles[who].traits;
            let values = [traits.initiative, traits.intuition, traits.reflexes];
            rules.ties.key(values)
        };
        // Where they roll off, those who share initiative compare nothing before they have rolled against others.
        let rolls_off = rules.ties.rolls_off();
        let ladder = Ladder::new(profiles.len(), |who| {
            let first = sharers.of(who).trailing_zeros() as usize;
            (tie_break(first), (!rolls_off).then(|| tie_break(who)))
        });
        let among_sharers = Ladder::new(profiles.len(), tie_break);
        for (who, profile) in profiles.iter_mut().enumerate() {
            profile.ladder = ladder.height(who);
            profile.among_sharers = among_sharers.height(who);
        }
        let mut acting = [0; MOST_PHASES as usize];
        let mut spenders = 0;
        for (who, profile) in profiles.iter().enumerate() {
            let spends = !fight.combatants[who].policy.spends.is_empty();
            spenders |= u64::from(spends) << who;
            let phases = profile.traits.speed.min(rules.phases);
            for phase in &mut acting[..usize::from(phases)] {
                *phase |= bit(who);
            }
        }
        let compiled_lines = CompiledLines::of_all(&fight, choose::fact, |who, line, needs| {
            choose::needs(&fight.combatants[who], line, needs)
        });
        let mut start = State::new(&fight);
        for (body, profile) in start.world.bodies.iter_mut().zip(&profiles) {
            body.clock.moxie = profile.traits.moxie.unwrap_or(0);
            body.clock.wounds = profile.traits.wounds;
        }
        let walk_effects = fight.combatants.iter().map(WalkEffect::of).collect();
        Self {
            fight,
            rules,
            constants,
            profiles,
            walk_effects,
            compiled_lines,
            acting,
            spenders,
            sharers,
            start,
        }
    }

    fn forget(&self, state: &mut State) {
        if state.in_phase {
            return;
        }
        (state.pending, state.first) = (0, 0);
        // The turn is over: values that the next turn sets are cleared.
        if state.turn == 0 || state.phase >= self.phases() {
            state.walking = 0;
            state.world.forget_stunned();
            for who in members(state.world.standing()) {
                state.keys[who] = 0;
                let actor = &mut state.world.bodies[who].clock;
                *actor = Actor {
                    attacked: actor.attacked,
                    moxie: actor.moxie,
                    wounds: actor.wounds,
                    progress: actor.progress,
                    ..Actor::default()
                };
            }
        }
    }

    fn complete(&self, state: &mut State) {
        let count = self.fight.combatants.len();
        state.world.restore_sides(&self.start.world);
        state.put_off.reset_to(&self.start.put_off);
        state.stages = Interrupts::new(count);
        state.parts.clone_from(&self.start.parts);
    }

    clock_methods!(turn);
}

impl Plan {
    /// Returns the number of Phases of a turn.
    #[inline]
    fn phases(&self) -> u8 {
        if self.rules.per_speed {
            1
        } else {
            self.rules.phases
        }
    }
}

/// One encounter under way.
struct Encounter<'a, C, O> {
    plan: &'a Plan,
    state: &'a mut State,
    chance: &'a mut C,
    observer: &'a mut O,
    record: &'a mut Record,
}

impl<'a, C: Chance, O: ClockObserver> Rounds<'a> for Encounter<'a, C, O> {
    /// The next place of a Phase, the next Phase, or the end of the turn.
    type Due = ();

    #[inline]
    fn next_due(&mut self) -> Option<()> {
        let state = &self.state;
        let has_phases = state.turn > 0 && state.phase < self.plan.phases();
        (state.in_phase || has_phases || state.is_to_end).then_some(())
    }

    #[inline]
    fn play_moment(&mut self, (): ()) -> Option<Ending> {
        if self.state.in_phase {
            return self.play_place();
        }
        if self.state.phase < self.plan.phases() {
            self.state.phase += 1;
            self.state.in_phase = self.begin_phase();
        } else {
            self.state.is_to_end = false;
            self.end_round_of_all(true);
        }
        None
    }

    /// The end of the turn is a moment of its own, because dice may decide which conditions end with it.
    fn end_round(&mut self) {}

    fn begin_round(&mut self) -> Option<Ending> {
        self.begin_turn();
        self.decided_early()
    }
}

impl<'a, C: Chance, O: ClockObserver> Stage<'a> for Encounter<'a, C, O> {
    type Actor = Actor;
    stage_accessors!();

    fn situation(&self) -> Option<Vec<u8>> {
        let is_alone = self.state.stages.depth() == 0;
        is_alone.then(|| state_bytes(self.state))
    }

    #[inline]
    fn moment(&self) -> Moment {
        let top = self.state.stages.top();
        Moment {
            round: self.state.turn,
            mark: top.map_or(0, |stage| stage.doing.initiative),
        }
    }

    #[inline]
    fn is_casting(&self, _: usize) -> bool {
        false
    }

    #[inline]
    fn wound_penalty(&self, who: usize) -> i64 {
        self.plan.rules.wound_penalty * i64::from(self.actor(who).wounds)
    }

    #[inline]
    fn apply_wounds(&mut self, target: usize, amount: i32, later: bool) {
        let threshold = self.plan.profiles[target].wound_threshold;
        let wounds = threshold.map_or(0, |threshold| amount / threshold);
        if wounds == 0 {
        } else if later {
            self.actor_mut(target).wounds_later += wounds;
        } else {
            self.wound(target, wounds);
        }
    }

    fn damage_per_wound(&self, target: usize) -> i32 {
        self.plan.profiles[target]
            .wound_threshold
            .unwrap_or(i32::MAX)
    }

    fn settle_wounds(&mut self, target: usize) {
        let wounds = std::mem::take(&mut self.actor_mut(target).wounds_later);
        if wounds > 0 {
            self.wound(target, wounds);
        }
    }

    #[cold]
    #[inline(never)]
    fn dodge(&self, who: usize) -> Option<Percentile> {
        self.fray(who, WeaponKind::Ranged)
    }

    fn dodge_sum(&self, who: usize) -> Sum {
        self.fray_sum(who, WeaponKind::Ranged)
    }

    fn on_numbers_changed(&mut self, who: usize, stunned: bool) {
        self.rank_again(who);
        if stunned {
            self.state.delayed &= !bit(who);
            self.state.held &= !bit(who);
        }
    }

    fn on_damage_taken(&mut self, _: usize) {}

    fn stop(&mut self, who: usize) {
        let actor = self.actor_mut(who);
        actor.moving = None;
        actor.under_way = None;
        actor.flags.add(state::Flags::DONE);
        self.state.pending &= !bit(who);
        self.state.delayed &= !bit(who);
        self.state.held &= !bit(who);
    }
}
