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
//! - `sequence`: which place is next, where `[clock]` says more than that it is the best key
//! - `declare`: actions and kinds of turn that are declared as a Round begins, where `[clock]` says so
//! - `budget`: resources of a turn and their payment, where `[clock]` says what a turn holds

mod act;
mod budget;
mod choose;
mod declare;
mod delay;
pub(super) mod description;
mod effects;
mod fields;
mod flags;
mod legal;
mod places;
pub mod rules;
mod sequence;
mod state;
mod trigger;
mod turn;

use self::choose::Waiting;
use self::rules::OrderRules;
use self::state::{Declaration, Doing, OrderActor, OrderState};
use crate::fight::OrderTraits;
use crate::fight::traits::OWN_CLOCK;
use crate::fight::turns::{After, Next};
use crate::sim::compiled_lines::{FactOf, NeedsOf};
use crate::sim::encounter::ClockState;
use crate::sim::initiative::Ladder;
use crate::sim::prelude::*;
use crate::sim::walk::RemainingLines;
use crate::sim::{self, Clock};

/// What this clock adds to the plan of a fight.
#[derive(Debug, Clone)]
pub struct OrderClock {
    /// Whether any line delays (CD-2).
    delays: bool,
    /// Whether a turn may begin with an effect: ongoing damage or regeneration (CD-5).
    effects: bool,
    /// For each kind of event, the combatants with a `react` line that waits for it.
    reacts: [u64; trigger::KINDS],
    /// The combatants with any `react` line.
    reactors: u64,
    /// The combatants with any `swap` line.
    swappers: u64,
    /// Hazards with a place in the order, those that strike first at the front.
    lairs: Vec<usize>,
    /// Whether the resources left of a turn may count after it: for reactions, for the next phase, or because policies
    /// ask for them.
    keeps_budget: bool,
    /// Whether a `[clock]` makes the turns of its own: another next place, a budget, or reactions.
    own: bool,
    /// Whether the fight is [plain](Fight::is_plain), and the turns are not of one's own.
    plain: bool,
}

type Plan = sim::Plan<OrderClock>;
type Encounter<'a, C, O, const PLAIN: bool> = sim::Encounter<'a, OrderClock, C, O, PLAIN>;

/// The values of a combatant that every turn needs.
#[derive(Debug, Clone)]
pub struct OrderProfile {
    traits: OrderTraits,
    /// Its lines that do not take the action of a turn.
    rest: RemainingLines,
}

impl Clock for OrderClock {
    type Rules = OrderRules;
    type Profile = OrderProfile;
    type Actor = OrderActor;
    type State = OrderState;
    type Doing = Doing;
    type Own = Waiting;

    const FACT: FactOf = choose::fact;
    const NEEDS: NeedsOf<Self> = choose::needs;

    fn order(fight: &Fight, rules: &OrderRules) -> Order {
        let turns = &rules.turns;
        let dice = fight.combatants.iter().map(|one| {
            let traits = one.traits.order().expect(OWN_CLOCK);
            traits.dice.as_ref().unwrap_or(&rules.dice).clone()
        });
        let usual = Order::new(fight, &rules.ties, &rules.share, |traits| {
            let OrderTraits {
                dexterity,
                composure,
                ..
            } = *traits.order().expect(OWN_CLOCK);
            [dexterity + composure, dexterity, composure]
        });
        Order {
            when: if rules.every_round {
                When::Round
            } else {
                When::Scene
            },
            dice: dice.collect(),
            sign: if turns.next == Next::Low { -1 } else { 1 },
            deck: turns.deck.clone(),
            ladder: if turns.ties.is_empty() {
                usual.ladder
            } else {
                Ladder::new(turns.ties.iter())
            },
            // The totals of hands of cards follow from the hands.
            is_read: usual.is_read
                || turns.is_by_total() && turns.after != After::Cards
                || matches!(turns.after, After::Less(_))
                || fight.hazards.iter().any(|hazard| hazard.place.is_some()),
            ..usual
        }
    }

    fn new(fight: &Fight, rules: &OrderRules, order: &Order) -> (Self, Vec<OrderProfile>) {
        let combatants = || fight.combatants.iter();
        let traits = || combatants().map(|combatant| combatant.traits.order().expect(OWN_CLOCK));
        let profile = |(combatant, traits): (&Combatant, &OrderTraits)| OrderProfile {
            // A budget may pay for several actions.
            rest: match rules.turns.budget {
                None => RemainingLines::of(combatant, |line| line.action.takes_action()),
                Some(_) => RemainingLines::Other,
            },
            traits: traits.clone(),
        };
        let with_lines = |window| {
            let has = move |who: &usize| !fight.combatants[*who].policy.at(window).is_empty();
            set_of((0..fight.combatants.len()).filter(has))
        };
        let [reactors, swappers] = [Window::React, Window::Swap].map(with_lines);
        let place = |index: &usize| fight.hazards[*index].place;
        let placed = (0..fight.hazards.len()).filter(|index| place(index).is_some());
        let mut lairs: Vec<usize> = placed.collect();
        lairs.sort_by_key(|index| place(index).map(|place| -order.sign * place));
        let mut decisions = combatants().flat_map(|combatant| combatant.policy.decisions());
        let own = !rules.turns.is_usual()
            || rules.turns.budget.is_some()
            || swappers | with_lines(Window::Seize) != 0
            || !lairs.is_empty();
        let clock = Self {
            delays: decisions.any(|line| matches!(line.action, Action::Await { .. })),
            reacts: trigger::reacts(fight),
            reactors,
            swappers,
            keeps_budget: reactors != 0
                || !rules.turns.phases.is_empty()
                || fight.reads(|asked| matches!(asked, Variable::Left(_))),
            lairs,
            own,
            plain: fight.is_plain() && !own,
            effects: combatants().zip(traits()).any(|(combatant, traits)| {
                traits.regeneration != 0
                    || traits.ongoing.is_some()
                    || combatant
                        .weapons
                        .iter()
                        .any(|weapon| weapon.ongoing.is_some())
                    || combatant.spells.iter().any(|spell| spell.ongoing.is_some())
            }),
        };
        let profiles = combatants().zip(traits()).map(profile);
        (clock, profiles.collect())
    }

    fn actor(rules: &OrderRules, profile: &OrderProfile) -> OrderActor {
        let mut actor = OrderActor::default();
        if let Some(ongoing) = profile.traits.ongoing {
            effects::add_ongoing(&mut actor.ongoing, ongoing, rules);
        }
        actor
    }

    #[inline]
    fn play_on<C: Chance, O: ClockObserver>(encounter: &mut Encounter<'_, C, O, false>) -> bool {
        encounter.play_on()
    }

    #[inline]
    fn play<C: Chance, O: ClockObserver>(encounter: Encounter<'_, C, O, false>) {
        let is_plain = encounter.plan.clock.plain;
        encounter.play_as(is_plain);
    }

    fn forget(plan: &Plan, state: &mut ClockState<Self>) {
        state.clock.turn = 0;
        let parts = !plan.rules.turns.has_one_part() || plan.order.is_read;
        let is_over = state.places.due | state.clock.effects_due == 0;
        if is_over && !parts {
            state.clock.settled = 0;
            state.world.forget_stunned();
            if plan.rules.every_round && state.clock.readied == 0 {
                state.places.keys.fill(0);
            }
        }
        if is_over {
            state.places.hands.fill(0);
        }
        // The totals of hands are the cards that are next.
        if !plan.order.is_read && (is_over || state.places.hands.is_empty()) {
            state.places.totals.fill(0);
        }
        let walks_on = state.clock.readied | state.clock.delaying;
        for who in members(state.world.here()) {
            let actor = &mut state.world.bodies[who].clock;
            if (state.places.due & bit(who)) == 0 && plan.rules.turns.has_one_part() {
                actor.declared = Declaration::default();
            }
            if walks_on & bit(who) == 0 {
                (actor.line, actor.trigger) = (0, 0);
            }
            if let Some(budget) = budget::budget(plan).filter(|_| !plan.clock.keeps_budget) {
                actor.restore(budget);
            }
        }
    }
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Hooks for Encounter<'_, C, O, PLAIN> {
    #[inline]
    fn mark(&self) -> Marks {
        self.state.clock.turn
    }

    /// Returns whether `who` has declared a spell and is interrupted before its effect.
    fn is_casting(&self, who: usize) -> bool {
        self.state.stack.frames().iter().any(|frame| {
            usize::from(frame.who) == who
                && matches!(frame.doing, Doing::Declared(Deed::Cast { .. }, _))
        })
    }

    fn on_hit(&mut self, target: usize, weapon: &Weapon, dealt: i32) {
        self.begin_ongoing(target, dealt, weapon.ongoing);
    }

    fn on_damage_dealt(&mut self, who: usize, target: usize) {
        if self.combatant(who).side == self.combatant(target).side {
            return;
        }
        if !self.state.clock.blood {
            self.state.clock.blood = true;
            self.counts(who).first_blood = 1;
        }
        if self.is_own() {
            self.actor_mut(who).flags.add(flags::HURT);
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
        self.state.places.due &= gone;
        self.state.clock.effects_due &= gone;
        self.state.clock.delaying &= gone;
        self.state.clock.readied &= gone;
        if self.state.clock.readied != 0 {
            self.state.clock.fallen |= bit(who);
        }
        let actor = self.actor_mut(who);
        actor.moving = None;
        actor.readied_move = None;
    }
}
