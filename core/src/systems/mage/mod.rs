//! The clock of Mage: turns in order of initiative (MA-1 to MA-9), with magick in them (MD-5 to MD-7).
//!
//! - `initiative`: the order of a turn
//! - `turn`: one combatant's turn, alone or simultaneous with others (W-5)
//! - `choose`: the view of a deciding combatant, and the choice of a policy line (W-3)
//! - `legal`: legality, and the division of a pool
//! - `act`: feats: attacks, drawing, using
//! - `movement`: rates, yards and endurance
//! - `magick`: effects, rituals and Paradox

mod act;
mod choose;
pub(super) mod description;
mod fields;
mod initiative;
mod legal;
mod magick;
mod movement;
pub mod rules;
mod state;
mod turn;

use self::rules::{PerYard, Rules};
pub use self::state::State;
use self::state::{Actor, Flags, Place};
use crate::chance::Chance;
use crate::fight::Ending;
use crate::fight::lasting::Number;
use crate::fight::traits::OWN_CLOCK;
use crate::fight::world::{World, members};
use crate::fight::{Fight, TurnTraits, Variable};
use crate::sim::Clock;
use crate::sim::compiled_lines::CompiledLines;
use crate::sim::damage::PutOff;
use crate::sim::initiative::Sharers;
use crate::sim::prelude::*;
use crate::sim::stage::{Constants, clock_methods, stage_accessors, state_bytes};
use crate::sim::walk::{RemainingLines, WalkEffect};
use crate::sim::{ClockObserver, Event, Moment, Record};
use std::sync::Arc;

/// A fight on this clock: everything that does not change between encounters.
#[derive(Debug, Clone)]
pub struct Plan {
    fight: Fight,
    rules: Rules,
    constants: Constants,
    profiles: Vec<Profile>,
    sharers: Sharers,
    /// The decisions of each combatant.
    compiled_lines: Vec<Arc<CompiledLines>>,
    walk_effects: Vec<Vec<WalkEffect>>,
    /// Whether a policy asks for initiative.
    reads_initiative: bool,
    start: State,
}

/// The values of a combatant that every turn needs.
#[derive(Debug, Clone)]
struct Profile {
    traits: TurnTraits,
    foes: u64,
    /// Dexterity + Wits (MA-1).
    rating: i32,
    /// Its rank among equal totals: the greater comes first, equals are simultaneous.
    ladder: i32,
    /// Actions a turn (MA-3).
    actions: u8,
    /// Its lines that take no action.
    rest: RemainingLines,
    /// Turns at full speed (MA-6).
    endurance: i32,
}

impl Clock for Plan {
    type Rules = Rules;
    type State = State;

    /// # Panics
    /// If a combatant has the traits of another clock.
    fn new(fight: Fight, rules: Rules) -> Self {
        let constants = Constants::new(&fight);
        let traits: Vec<&TurnTraits> = fight
            .combatants
            .iter()
            .map(|one| one.traits.turns().expect(OWN_CLOCK))
            .collect();
        // MA-1: rating, then Wits, then Dexterity.
        let ladder = rules.ties.ladder(traits.len(), |who| {
            let one = traits[who];
            [one.dexterity + one.wits, one.wits, one.dexterity]
        });
        let profiles = traits
            .iter()
            .zip(&fight.combatants)
            .enumerate()
            .map(|(who, (traits, one))| Profile {
                foes: constants.against(one.side),
                rating: traits.dexterity + traits.wits,
                ladder: ladder.height(who),
                actions: 1 + traits.extra_actions,
                rest: RemainingLines::of(one, |line| line.action.takes_action()),
                endurance: traits
                    .stamina
                    .map_or(i32::MAX, |stamina| rules.endurance_turns * stamina),
                traits: (*traits).clone(),
            })
            .collect();
        let sharers = Sharers::new(&rules.share, traits.len());
        let walk_effects = fight.combatants.iter().map(WalkEffect::of).collect();
        let compiled_lines = CompiledLines::of_all(&fight, choose::fact, |who, line, needs| {
            choose::needs(&fight.combatants[who], line, needs)
        });
        let start = State::new(&fight);
        let reads_initiative = fight.reads(|variable| variable == Variable::Initiative);
        Self {
            fight,
            rules,
            constants,
            profiles,
            sharers,
            compiled_lines,
            walk_effects,
            reads_initiative,
            start,
        }
    }

    fn forget(&self, state: &mut State) {
        state.initiative = 0;
        let rolls = !self.rules.once_a_scene;
        let over = state.place >= state.order.len();
        for who in members(state.world.standing()) {
            let actor = &mut state.world.bodies[who].clock;
            if over {
                *actor = self.refreshed(who, actor);
            }
            if !self.reads_initiative || over && rolls {
                actor.initiative = 0;
            }
        }
        if over {
            state.world.forget_stunned();
        }
        if over && rolls {
            state.watched = false;
            state.order.fill(Place::NOBODY);
        }
        // Only the order of the keys and their equality matter.
        let (mut before, mut rank) = (Place::NOBODY.key, state.order.len() as i32);
        for place in &mut state.order {
            if place.key != Place::NOBODY.key {
                rank -= i32::from(place.key != before);
                before = place.key;
                place.key = rank;
            }
        }
    }

    fn complete(&self, state: &mut State) {
        state.world.restore_sides(&self.start.world);
        state.put_off.reset_to(&self.start.put_off);
        state.parts.clone_from(&self.start.parts);
    }

    clock_methods!(turn);
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
    /// A place in the order.
    type Due = usize;

    #[inline]
    fn next_due(&mut self) -> Option<usize> {
        let place = self.state.place;
        (place < self.state.order.len()).then_some(place)
    }

    /// Plays the combatants at a place of the order.
    #[inline]
    fn play_moment(&mut self, place: usize) -> Option<Ending> {
        let (group, next) = self.at_place(place);
        self.state.place = next;
        let active = group & self.state.world.standing();
        if active == 0 {
            return None;
        }
        self.state.initiative = self.actor(active.trailing_zeros() as usize).initiative;
        if crate::sim::stage::is_single(active) {
            self.alone(active.trailing_zeros() as usize);
        } else {
            self.together(active);
        }
        self.decided().or_else(|| self.ends_by_distance())
    }

    fn end_round(&mut self) {
        self.end_round_of_all(false);
    }

    fn begin_round(&mut self) -> Option<Ending> {
        self.begin_turn();
        self.decided_early()
    }
}

impl<'a, C: Chance, O: ClockObserver> Stage<'a> for Encounter<'a, C, O> {
    type Actor = Actor;
    stage_accessors!();

    fn situation(&self) -> Option<Vec<u8>> {
        let is_alone = self.state.put_off.together == 0;
        is_alone.then(|| state_bytes(self.state))
    }

    #[inline]
    fn moment(&self) -> Moment {
        Moment {
            round: self.state.turn,
            mark: self.state.initiative,
        }
    }

    #[inline]
    fn is_casting(&self, who: usize) -> bool {
        self.actor(who).ritual.is_some()
    }

    #[inline]
    fn difficulty_change(&self, who: usize) -> i64 {
        self.world().change(who, Number::Difficulty).into()
    }

    fn counts_every_yard(&self) -> bool {
        self.plan.rules.per_yard == PerYard::All
    }

    /// Breaks off a ritual, by damage.
    fn on_damage_taken(&mut self, who: usize) {
        if self.plan.rules.damage_interrupts {
            self.interrupt(who);
        }
    }

    /// Breaks off a ritual by damage from a tied combatant, once that damage counts (W-5).
    fn settle_wounds(&mut self, target: usize) {
        self.on_damage_taken(target);
    }

    fn interrupt(&mut self, who: usize) {
        if let Some(ritual) = self.actor_mut(who).ritual.take() {
            self.record.combatants[who].spells_fizzled += 1;
            self.note(Event::Fizzle {
                who,
                spell: usize::from(ritual.spell),
            });
        }
    }

    fn stop(&mut self, who: usize) {
        let actor = self.actor_mut(who);
        actor.ritual = None;
        actor.moving = None;
        actor.flags.add(Flags::DONE);
    }
}
