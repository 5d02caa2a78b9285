//! The clock of Chronicles: turns in one order for the scene. Delaying and readying change the order, and actions can
//! be interrupted (CD-1 to CD-7).
//!
//! - `places`: the order, and how it changes
//! - `turn`: Rounds, and one combatant's turn as a machine of small steps
//! - `delay`: coming in after another's turn (CD-2)
//! - `trigger`: readied actions and the events that trigger them (CD-3)
//! - `choose`: the view of a deciding combatant, and the choice of a policy line (W-3)
//! - `legal`: legality
//! - `act`: carrying out actions
//! - `effects`: effects when a place comes up (CD-5)

mod act;
mod choose;
mod delay;
pub(super) mod description;
mod effects;
mod fields;
mod legal;
mod places;
pub mod rules;
mod state;
mod trigger;
mod turn;

use self::rules::Rules;
pub use self::state::State;
use self::state::{Actor, Doing};
use crate::chance::Chance;
use crate::fight::program::Action;
use crate::fight::traits::OWN_CLOCK;
use crate::fight::world::{World, bit, members};
use crate::fight::{Fight, OrderTraits, Variable};
use crate::sim::Clock;
use crate::sim::compiled_lines::CompiledLines;
use crate::sim::damage::PutOff;
use crate::sim::deeds::Deed;
use crate::sim::initiative::Sharers;
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
    /// Whether any line delays (CD-2).
    delays: bool,
    /// Whether a policy asks for initiative.
    reads_initiative: bool,
    /// Whether a turn may begin with an effect: ongoing damage or regeneration (CD-5).
    effects: bool,
    /// The decisions of each combatant.
    compiled_lines: Vec<Arc<CompiledLines>>,
    sharers: Sharers,
    start: State,
}

/// The values of a combatant that every turn needs.
#[derive(Debug, Clone)]
struct Profile {
    traits: OrderTraits,
    foes: u64,
    /// Its lines that do not take the action of a turn.
    rest: RemainingLines,
    /// Dexterity + Composure (CD-1).
    rating: i32,
    /// Its rank among equal totals: the greater comes first, equals roll off.
    ladder: i32,
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
                let traits = one.traits.order().expect(OWN_CLOCK);
                Profile {
                    foes: constants.against(one.side),
                    rest: RemainingLines::of(one, |line| line.action.takes_action()),
                    rating: traits.dexterity + traits.composure,
                    ladder: 0,
                    traits: traits.clone(),
                }
            })
            .collect();
        let ladder = rules.ties.ladder(profiles.len(), |who| {
            let Profile { rating, traits, .. } = &profiles[who];
            [*rating, traits.dexterity, traits.composure]
        });
        for (who, profile) in profiles.iter_mut().enumerate() {
            profile.ladder = ladder.height(who);
        }
        let combatants = || fight.combatants.iter();
        let walk_effects = combatants().map(WalkEffect::of).collect();
        let mut decisions = combatants().flat_map(|one| &one.policy.decisions);
        let delays = decisions.any(|line| matches!(line.action, Action::Await { .. }));
        let effects = combatants().zip(&profiles).any(|(one, profile)| {
            profile.traits.regeneration != 0
                || profile.traits.ongoing.is_some()
                || one.weapons.iter().any(|weapon| weapon.ongoing.is_some())
                || one.spells.iter().any(|spell| spell.ongoing.is_some())
        });
        let compiled_lines = CompiledLines::of_all(&fight, choose::fact, |who, line, needs| {
            choose::needs(&fight.combatants[who], line, needs)
        });
        let mut start = State::new(&fight);
        for (body, profile) in start.world.bodies.iter_mut().zip(&profiles) {
            if let Some(ongoing) = profile.traits.ongoing {
                effects::add_ongoing(&mut body.clock.ongoing, ongoing, &rules);
            }
        }
        let reads_initiative = fight.reads(|variable| variable == Variable::Initiative);
        let sharers = Sharers::new(&rules.share, fight.combatants.len());
        Self {
            fight,
            rules,
            constants,
            profiles,
            walk_effects,
            delays,
            reads_initiative,
            effects,
            compiled_lines,
            sharers,
            start,
        }
    }

    fn forget(&self, state: &mut State) {
        state.turn = 0;
        if state.due | state.effects_due == 0 {
            state.upcoming = 0;
            state.settled = 0;
            state.world.forget_stunned();
            if self.rules.every_round && state.readied == 0 {
                state.order.sort_unstable();
            }
        }
        let walks_on = state.readied | state.delaying;
        for who in members(state.world.standing()) {
            let actor = &mut state.world.bodies[who].clock;
            if !self.reads_initiative {
                actor.initiative = 0;
            }
            if walks_on & bit(who) == 0 {
                (actor.line, actor.trigger) = (0, 0);
            }
        }
    }

    fn complete(&self, state: &mut State) {
        state.world.restore_sides(&self.start.world);
        state.put_off.reset_to(&self.start.put_off);
        state.stack = Interrupts::new(self.fight.combatants.len());
    }

    clock_methods!(round);
}

/// One encounter under way.
struct Encounter<'a, C, O> {
    plan: &'a Plan,
    state: &'a mut State,
    chance: &'a mut C,
    observer: &'a mut O,
    record: &'a mut Record,
}

impl<'a, C: Chance, O: ClockObserver> Stage<'a> for Encounter<'a, C, O> {
    type Actor = Actor;
    stage_accessors!();

    fn situation(&self) -> Option<Vec<u8>> {
        let is_alone = self.state.stack.depth() == 0;
        is_alone.then(|| state_bytes(self.state))
    }

    #[inline]
    fn moment(&self) -> Moment {
        Moment {
            round: self.state.round,
            mark: self.state.turn,
        }
    }

    /// Returns whether `who` has declared a spell and is interrupted before its effect.
    fn is_casting(&self, who: usize) -> bool {
        self.state.stack.frames().iter().any(|frame| {
            usize::from(frame.who) == who
                && matches!(frame.doing, Doing::Declared(Deed::Cast { .. }, _))
        })
    }

    fn on_damage_taken(&mut self, _: usize) {}

    fn on_damage_dealt(&mut self, who: usize, target: usize) {
        let side = |who: usize| self.plan.fight.combatants[who].side;
        if !self.state.blood && side(who) != side(target) {
            self.state.blood = true;
            self.record.combatants[who].first_blood = 1;
        }
    }

    /// Drops readied and delayed actions of a combatant that is stunned.
    fn on_numbers_changed(&mut self, who: usize, stunned: bool) {
        if stunned {
            self.drop_readied(who);
            self.end_delays(bit(who));
        }
    }

    fn stop(&mut self, who: usize) {
        let gone = !bit(who);
        self.state.due &= gone;
        self.state.effects_due &= gone;
        self.state.delaying &= gone;
        self.state.readied &= gone;
        if self.state.readied != 0 {
            self.state.fallen |= bit(who);
        }
        let actor = self.actor_mut(who);
        actor.moving = None;
        actor.readied_move = None;
    }
}
