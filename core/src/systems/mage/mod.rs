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
mod flags;
mod initiative;
mod legal;
mod magick;
mod movement;
pub mod rules;
mod state;
mod turn;

use self::initiative::refreshed;
use self::legal::Feats;
use self::rules::{PerYard, TurnRules};
use self::state::{TurnActor, TurnState};
use crate::fight::TurnTraits;
use crate::fight::traits::OWN_CLOCK;
use crate::sim::compiled_lines::{FactOf, NeedsOf};
use crate::sim::encounter::ClockState;
use crate::sim::prelude::*;
use crate::sim::walk::RemainingLines;
use crate::sim::{self, Clock};

/// What this clock adds to the plan of a fight.
#[derive(Debug, Clone)]
pub struct TurnClock;

type Plan = sim::Plan<TurnClock>;
type Encounter<'a, C, O> = sim::Encounter<'a, TurnClock, C, O>;

/// The values of a combatant that every turn needs.
#[derive(Debug, Clone)]
pub struct TurnProfile {
    traits: TurnTraits,
    /// Actions a turn (MA-3).
    actions: u8,
    /// Its lines that take no action.
    rest: RemainingLines,
    /// Turns at full speed (MA-6).
    endurance: i32,
}

impl Clock for TurnClock {
    type Rules = TurnRules;
    type Profile = TurnProfile;
    type Actor = TurnActor;
    type State = TurnState;
    type Doing = ();
    type Own = Feats;

    const FACT: FactOf = choose::fact;
    const NEEDS: NeedsOf<Self> = choose::needs;

    fn order(fight: &Fight, rules: &TurnRules) -> Order {
        Order {
            when: if rules.once_a_scene {
                When::Scene
            } else {
                When::Round
            },
            dice: vec![rules.dice.clone(); fight.combatants.len()],
            // MA-1: rating, then Wits, then Dexterity.
            ..Order::new(fight, &rules.ties, &rules.share, |traits| {
                let TurnTraits {
                    dexterity, wits, ..
                } = *traits.turns().expect(OWN_CLOCK);
                [dexterity + wits, wits, dexterity]
            })
        }
    }

    fn new(fight: &Fight, rules: &TurnRules, _: &Order) -> (Self, Vec<TurnProfile>) {
        let combatants = || fight.combatants.iter();
        let traits = || combatants().map(|combatant| combatant.traits.turns().expect(OWN_CLOCK));
        let profile = |(combatant, traits): (&Combatant, &TurnTraits)| TurnProfile {
            actions: 1 + traits.extra_actions,
            rest: RemainingLines::of(combatant, |line| line.action.takes_action()),
            endurance: traits
                .stamina
                .map_or(i32::MAX, |stamina| rules.endurance_turns * stamina),
            traits: traits.clone(),
        };
        (Self, combatants().zip(traits()).map(profile).collect())
    }

    #[inline]
    fn play_on<C: Chance, O: ClockObserver>(encounter: &mut Encounter<'_, C, O>) -> bool {
        encounter.play_on()
    }

    fn forget(plan: &Plan, state: &mut ClockState<Self>) {
        state.clock.initiative = 0;
        let rolls = !plan.rules.once_a_scene;
        let over = state.places.due == 0;
        for who in members(state.world.here()) {
            let actor = &mut state.world.bodies[who].clock;
            if over {
                *actor = refreshed(plan, who, actor);
            }
        }
        if over {
            state.world.forget_stunned();
        }
        if over && rolls {
            state.clock.watched = false;
            state.places.keys.fill(0);
        }
        if !plan.order.is_read || over && rolls {
            state.places.totals.fill(0);
        }
        state.places.forget_keys();
    }
}

impl<'a, C: Chance, O: ClockObserver> Rounds<'a> for Encounter<'a, C, O> {
    /// Those whose place comes next: several act simultaneously.
    type Due = u64;

    #[inline]
    fn next_due(&mut self) -> Option<u64> {
        let due = self.state.places.due;
        (due != 0).then(|| self.state.places.foremost(due))
    }

    #[inline]
    fn play_moment(&mut self, group: u64) -> Option<Ending> {
        self.state.places.due &= !group;
        let active = group & self.state.world.standing();
        if self.state.world.down() & group != 0 {
            self.pass_turns_down(group);
        }
        if active == 0 {
            return None;
        }
        self.state.clock.initiative = self.state.places.totals[active.trailing_zeros() as usize];
        if is_single(active) {
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

impl<C: Chance, O: ClockObserver> Hooks for Encounter<'_, C, O> {
    #[inline]
    fn mark(&self) -> Marks {
        self.state.clock.initiative
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
            self.counts(who).spells_fizzled += 1;
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
        actor.flags.add(flags::DONE);
    }

    /// Gives a combatant its turn back, if that is still to come.
    fn rejoin(&mut self, who: usize) {
        if self.state.places.due & bit(who) != 0 {
            self.actor_mut(who).flags.drop(flags::DONE);
        }
    }
}
