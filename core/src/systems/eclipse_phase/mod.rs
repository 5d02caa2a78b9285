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
mod flags;
mod initiative;
mod legal;
mod movement;
pub mod rules;
mod stages;
mod state;
mod turn;

use self::choose::StageAction;
use self::rules::{MOST_PHASES, PhaseRules, Shots};
use self::state::{Doing, PhaseActor, PhaseState};
use crate::dice::percentile::{Percentile, PercentileResult};
use crate::fight::PhaseTraits;
use crate::fight::check::CheckKind;
use crate::fight::traits::OWN_CLOCK;
use crate::sim::compiled_lines::{FactOf, NeedsOf};
use crate::sim::encounter::ClockState;
use crate::sim::initiative::Ladder;
use crate::sim::prelude::*;
use crate::sim::walk::RemainingLines;
use crate::sim::{self, Clock};

/// What this clock adds to the plan of a fight.
#[derive(Debug, Clone)]
pub struct PhaseClock {
    /// The combatants that have a place in each Phase (EP-2).
    acting: [u64; MOST_PHASES as usize],
    /// The combatants with a policy line that spends Moxie (EP-5).
    spenders: u64,
}

type Plan = sim::Plan<PhaseClock>;
type Encounter<'a, C, O> = sim::Encounter<'a, PhaseClock, C, O>;

/// The values of a combatant that every stage needs.
#[derive(Debug, Clone)]
pub struct PhaseProfile {
    traits: PhaseTraits,
    /// Its lines that are not attacks: they are left after its Complex Action (EP-3).
    rest: RemainingLines,
    /// Its rank among equal totals: the greater comes first.
    ladder: i32,
    /// The Units that each of its stages allows (EP-7, EP-8), by Phase.
    shares: [Units; MOST_PHASES as usize],
    /// Its defence in melee and against shots (EP-9).
    fray: [Option<i64>; 2],
    /// The damage of one hit for each wound; without it the combatant takes no wounds (EP-9).
    wound_threshold: Option<i32>,
}

impl Clock for PhaseClock {
    type Rules = PhaseRules;
    type Profile = PhaseProfile;
    type Actor = PhaseActor;
    type State = PhaseState;
    type Doing = Doing;
    type Own = StageAction;

    const FACT: FactOf = choose::fact;
    const NEEDS: NeedsOf<Self> = choose::needs;

    fn order(fight: &Fight, rules: &PhaseRules) -> Order {
        let rolls = fight.combatants.iter().filter(|_| !rules.fixed);
        Order {
            dice: rolls.map(|_| rules.dice.clone()).collect(),
            ..Order::new(fight, &rules.ties, &rules.share, |traits| {
                let traits = traits.phases().expect(OWN_CLOCK);
                [traits.initiative, traits.intuition, traits.reflexes]
            })
        }
    }

    fn new(fight: &Fight, rules: &PhaseRules, order: &Order) -> (Self, Vec<PhaseProfile>) {
        let combatants = || fight.combatants.iter();
        let traits = || combatants().map(|combatant| combatant.traits.phases().expect(OWN_CLOCK));
        // Where they roll off, those who share initiative compare nothing before they have rolled against others.
        let ladder = Ladder::new((0..fight.combatants.len()).map(|who| {
            let first = order.sharers.of(who).trailing_zeros() as usize;
            let height = |who| order.ladder.height(who);
            (height(first), (!order.rolls_off).then(|| height(who)))
        }));
        let profile = |((who, combatant), traits): ((usize, &Combatant), &PhaseTraits)| {
            let shots = match rules.fray_shots {
                Shots::Half => traits.fray.map(|skill| skill.div_euclid(2)),
                Shots::Full => traits.fray,
                Shots::None => None,
            };
            PhaseProfile {
                rest: RemainingLines::of(combatant, |line| {
                    matches!(line.action, Action::Attack(_))
                }),
                ladder: ladder.height(who),
                shares: movement::shares(combatant.speed, traits.speed, rules),
                fray: [traits.fray, shots],
                // A fifth of Durability.
                wound_threshold: traits.wound_threshold.or_else(|| {
                    let points = combatant.track.levels().is_empty();
                    points.then_some((combatant.health + 4) / 5)
                }),
                traits: traits.clone(),
            }
        };
        let profiles: Vec<PhaseProfile> = combatants()
            .enumerate()
            .zip(traits())
            .map(profile)
            .collect();
        let acts = |phase: usize| {
            let acts =
                |who: &usize| usize::from(profiles[*who].traits.speed.min(rules.phases)) > phase;
            set_of((0..profiles.len()).filter(acts))
        };
        let spends = |who: &usize| {
            !fight.combatants[*who]
                .policy
                .at(Window::PhaseBegins)
                .is_empty()
        };
        let clock = Self {
            acting: std::array::from_fn(acts),
            spenders: set_of((0..profiles.len()).filter(spends)),
        };
        (clock, profiles)
    }

    fn actor(_: &PhaseRules, profile: &PhaseProfile) -> PhaseActor {
        PhaseActor {
            moxie: profile.traits.moxie.unwrap_or(0),
            wounds: profile.traits.wounds,
            ..PhaseActor::default()
        }
    }

    #[inline]
    fn play_on<C: Chance, O: ClockObserver>(encounter: &mut Encounter<'_, C, O>) -> bool {
        encounter.play_on()
    }

    fn forget(plan: &Plan, state: &mut ClockState<Self>) {
        if state.clock.in_phase {
            return;
        }
        (state.places.due, state.clock.first) = (0, 0);
        // The turn is over: values that the next turn sets are cleared.
        if state.round == 0 || state.clock.phase >= plan.rules.phases_of_a_turn() {
            state.clock.walking = 0;
            state.world.forget_stunned();
            for who in members(state.world.here()) {
                state.places.keys[who] = 0;
                let actor = &mut state.world.bodies[who].clock;
                *actor = actor.between_turns();
            }
        }
    }
}

impl<'a, C: Chance, O: ClockObserver> Rounds<'a> for Encounter<'a, C, O> {
    /// The next place of a Phase, the next Phase, or the end of the turn.
    type Due = ();

    #[inline]
    fn next_due(&mut self) -> Option<()> {
        let state = &self.state.clock;
        let has_phases = self.state.round > 0 && state.phase < self.plan.rules.phases_of_a_turn();
        (state.in_phase || has_phases || state.is_to_end).then_some(())
    }

    #[inline]
    fn play_moment(&mut self, (): ()) -> Option<Ending> {
        if self.state.clock.in_phase {
            return self.play_place();
        }
        if self.state.clock.phase < self.plan.rules.phases_of_a_turn() {
            self.state.clock.phase += 1;
            self.state.clock.in_phase = self.begin_phase();
        } else {
            self.state.clock.is_to_end = false;
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

impl<C: Chance, O: ClockObserver> Hooks for Encounter<'_, C, O> {
    #[inline]
    fn mark(&self) -> Marks {
        let top = self.state.stack.top();
        top.map_or(0, |stage| stage.doing.initiative)
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
    fn count_critical(&mut self, who: usize, is_critical: bool) {
        self.counts(who).phases.criticals += u32::from(is_critical);
    }

    /// Lets the target of an attack that works test Fray, if it may (EP-9).
    fn defends(
        &mut self,
        question: CheckTerms,
        target: usize,
        arms: &Weapon,
        attempt: Attempt,
    ) -> bool {
        let check = &arms.check;
        let fray = self.fray(target, arms.kind);
        let Some(test) = fray.filter(|_| check.kind() == CheckKind::Percentile) else {
            return false;
        };
        let rules = &self.plan.rules;
        let address = std::ptr::from_ref(check).addr();
        let (chance, observer) = self.chance_and_observer();
        let roll = |chance: &mut C| {
            let attack = |chance: &mut C| roll_check(check, &question, chance, observer);
            let attack = chance.again(attempt, attack, |attempt| check.kind_of(attempt));
            let defence = test.roll(&mut Roller::new(chance, observer, target, Purpose::Other));
            (rules.defends(defence, check, &attack), defence)
        };
        // How the defence was rolled matters to nothing but its event.
        let key = ("Fray", address, question, attempt, test);
        let kind = |(defends, _)| (defends, PercentileResult::default());
        let (defends, defence) = chance.result(key, roll, kind);
        self.note(Event::Fray {
            who: target,
            total: defence.shown.into(),
            needed: test.skill,
            critical: defence.success && defence.critical && check.counts_doubles(),
            defends,
            sum: self.shown_sum(|clock| clock.fray_sum(target, arms.kind)),
        });
        self.counts(target).phases.defended += u32::from(defends);
        defends
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
            self.state.clock.delayed &= !bit(who);
            self.state.clock.held &= !bit(who);
        }
    }

    fn stop(&mut self, who: usize) {
        let actor = self.actor_mut(who);
        actor.moving = None;
        actor.under_way = None;
        actor.flags.add(flags::DONE);
        self.state.places.due &= !bit(who);
        self.state.clock.delayed &= !bit(who);
        self.state.clock.held &= !bit(who);
    }
}
