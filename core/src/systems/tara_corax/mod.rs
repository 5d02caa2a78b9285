//! The Tara-Corax clock: Rounds of Marks, 30 by the text, counted down (TC-1).
//!
//! `MarkClock` is constant for a fight and its `MarkRules`; `MarkState` changes during an encounter. Its agenda keeps the due
//! combatants, as a set for each Mark in the order of TC-20, so that the next one due is two bit scans away.
//!
//! - `initiative`: Scores, delays, the beginning and the end of a Round
//! - `instant`: everything that happens at one Mark, alone or simultaneously (W-5)
//! - `view`: the view of a deciding combatant, and possible targets (W-4)
//! - `choose`: the choice of a policy line (W-3)
//! - `legal`: legality
//! - `repeat`: the same choice again, and several Units as one
//! - `act`: beginning actions
//! - `anytime`: free actions after every event (W-8)
//! - `strike`: attacks, damage, counters
//! - `movement`: steps, and the melees and CARs that they cause
//! - `magic`: spells, Combat Casting, Channels

mod act;
mod anytime;
mod choose;
pub(super) mod description;
mod fields;
mod flags;
mod initiative;
mod instant;
mod legal;
mod magic;
mod movement;
mod repeat;
pub mod rules;
mod state;
mod strike;
mod view;

use self::anytime::Anytime;
use self::initiative::refresh;
use self::repeat::Repeat;
use self::rules::{Costs, MOST_MARKS, MarkRules};
use self::state::{Doing, MarkActor, MarkState};
use crate::fight::MarkTraits;
use crate::fight::traits::OWN_CLOCK;
use crate::sim::compiled_lines::{FactOf, NeedsOf};
use crate::sim::encounter::ClockState;
use crate::sim::prelude::*;
use crate::sim::{self, Clock};
use std::ops::ControlFlow;

/// Farther than any two combatants are from each other.
const FAR: Units = Units::MAX / 4;

/// What this clock adds to the plan of a fight.
#[derive(Debug, Clone)]
pub struct MarkClock {
    /// The combatant at each place in the order of TC-20; equals are neighbours, in file order.
    by_rank: [u8; MAX_COMBATANTS],
    /// For each place, the places of all combatants that no tie-break separates from it.
    peers: [u64; MAX_COMBATANTS],
    /// The greatest reach of all weapons.
    farthest: Units,
    /// The greatest reach or Combat Action Radius. A step that ends farther from all enemies affects its mover alone.
    widest: Units,
    /// The combatants with a Combat Action Radius.
    with_car: u64,
    /// The combatants with lines for Combat Casting, beside a spell or at any time (TC-14).
    skilled: u64,
    /// The values of each combatant for this clock.
    traits: Vec<MarkTraits>,
    /// The combatants that may take free actions at any time (W-8).
    anytime: Anytime,
    /// Whether the fight is played in Full Rounds and nothing can happen besides the actions of the combatants due. The
    /// compiled code for such fights does not pay for features that few fights have.
    plain: bool,
    /// Whether a policy asks for the Score. Nothing else reads the Score once a Round has begun.
    reads_score: bool,
    /// The flags of another combatant that a policy asks for: whether its target is Set.
    asked_of_others: Flags,
    /// Whether reserves come in or hazards strike at Marks (W-12, W-14).
    comes_at_marks: bool,
}

type Plan = sim::Plan<MarkClock>;
type Encounter<'a, C, O, const PLAIN: bool> = sim::Encounter<'a, MarkClock, C, O, PLAIN>;

impl Clock for MarkClock {
    type Rules = MarkRules;
    type Profile = MarkProfile;
    type Actor = MarkActor;
    type State = MarkState;
    type Doing = ();
    type Own = ();

    const TELLS_ALL: bool = false;
    const FACT: FactOf = view::fact;
    const NEEDS: NeedsOf<Self> = legal::needs;

    fn order(fight: &Fight, rules: &MarkRules) -> Order {
        // TC-20: the raw characteristic, before armour, then Agility, then Intellect.
        Order::new(fight, &rules.ties, &rules.share, |traits| {
            let traits = traits.marks().expect(OWN_CLOCK);
            let characteristic = initiative::characteristic(traits);
            [characteristic, traits.agility, traits.intellect]
        })
    }

    fn new(fight: &Fight, rules: &MarkRules, order: &Order) -> (Self, Vec<MarkProfile>) {
        let ladder = &order.ladder;
        let combatants = || fight.combatants.iter();
        let traits = || combatants().map(|combatant| combatant.traits.marks().expect(OWN_CLOCK));
        let mut profiles: Vec<MarkProfile> = combatants()
            .zip(traits())
            .map(|(combatant, traits)| MarkProfile::new(combatant, traits, rules.costs()))
            .collect();
        for (who, profile) in profiles.iter_mut().enumerate() {
            profile.rank = ladder.rank[who];
            if !fight.conditions.is_empty() {
                profile.most_speed = Units::MAX;
            }
        }
        let (mut by_rank, mut peers) = ([0; MAX_COMBATANTS], [0; MAX_COMBATANTS]);
        by_rank[..profiles.len()].copy_from_slice(&ladder.by_rank);
        peers[..profiles.len()].copy_from_slice(&ladder.peers);
        // Where Units take more than one Mark, no Unit is repeated.
        let farthest = if fight.is_difficult() {
            FAR
        } else {
            combatants()
                .map(Combatant::farthest_reach)
                .fold(0, Units::max)
        };
        let has_skill = |who: &usize| fight.combatants[*who].policy.moves_while_casting();
        let anytime = Anytime::of(fight);
        let clock = Self {
            by_rank,
            peers,
            farthest,
            widest: profiles
                .iter()
                .map(|profile| profile.car)
                .fold(farthest, Units::max),
            with_car: set_of((0..profiles.len()).filter(|who| profiles[*who].car >= 0)),
            skilled: set_of((0..profiles.len()).filter(has_skill)),
            traits: traits().cloned().collect(),
            plain: fight.is_plain() && anytime.who == 0 && rules.round == rules::Round::Full,
            anytime,
            reads_score: fight.reads(|variable| variable == Variable::Score),
            asked_of_others: if fight.reads(|variable| variable == Variable::TargetReady) {
                flags::UNSET
            } else {
                Flags::NONE
            },
            comes_at_marks: fight.comes_at_marks(),
        };
        (clock, profiles)
    }

    fn actor(rules: &MarkRules, profile: &MarkProfile) -> MarkActor {
        // It is Set (TC-10), except for Combat Casting (TC-14), and nothing is due.
        let mut actor = MarkActor {
            wake: -1,
            ..MarkActor::default()
        };
        if !rules.starts_set_for_casting && profile.moves_while_casting {
            actor.flags.add(flags::SKILL_UNSET);
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
        for who in members(state.world.standing()) {
            let profile = &plan.profiles[who];
            let actor = &mut state.world.bodies[who].clock;
            actor.roll = 0;
            // One that goes down and stands again acts on in this Round, but not before its Score (W-18).
            let rejoins = plan.fight.down.who & bit(who) != 0;
            if !plan.clock.reads_score {
                actor.score = if rejoins {
                    actor.score.min(state.clock.mark)
                } else {
                    0
                };
            }
            actor.flags = actor.flags.among(profile.matters);
            let is_done = actor.wake < 0 && actor.doing == Doing::Nothing && actor.spell.is_none();
            let answers = profile.car >= 0 || profile.counters || rejoins;
            if is_done && !answers && plan.clock.anytime.who & bit(who) == 0 {
                // It does nothing more this Round. Its Marks are forfeited at the end.
                let (marks, flags) = (actor.marks, actor.flags);
                refresh(&plan.rules, actor);
                actor.marks = marks;
                actor.flags.add(flags.among(plan.clock.asked_of_others));
            }
        }
    }

    /// Returns whether exactly one combatant is due, has no spell under way, and moves or is too far from all enemies
    /// to strike.
    fn is_calm(plan: &Plan, state: &ClockState<Self>) -> bool {
        let Some(mark) = state.clock.agenda.next_mark() else {
            return false;
        };
        let due = state.clock.agenda.who[mark as usize];
        let who = usize::from(plan.clock.by_rank[due.trailing_zeros() as usize % MAX_COMBATANTS]);
        let (world, actor) = (&state.world, &state.world.bodies[who].clock);
        if !is_single(due) || actor.spell.is_some() {
            return false;
        }
        match actor.doing {
            Doing::Moving(_) | Doing::Nothing => true,
            Doing::Deciding => {
                let foes = plan.constants.foes(who) & world.standing();
                world.within(who, foes, plan.fight.combatants[who].farthest_reach()) == 0
            }
            _ => false,
        }
    }

    fn round_length(rules: &MarkRules) -> u32 {
        rules.round_marks as u32
    }
}

/// The values of a combatant that every turn needs, adjacent in memory.
#[derive(Debug, Clone)]
pub struct MarkProfile {
    /// Its place in the order of TC-20.
    rank: u8,
    /// The costs of its actions.
    costs: Costs,
    /// The greatest Land Speed that conditions can give it.
    most_speed: Units,
    /// Combat Action Radius; -1 without one.
    car: Units,
    /// Its melee weapons, one bit each.
    melee_weapons: u32,
    /// The weapons that it can only shoot when Set, one bit each.
    ranged_weapons: u32,
    fires_unset: bool,
    counters: bool,
    /// Whether it has the Combat Casting skill (TC-14).
    moves_while_casting: bool,
    /// The use of a Set for a caster that can move while casting.
    skill_set: Flags,
    /// The flags that its weapons, spells and policy read.
    matters: Flags,
}

impl MarkProfile {
    fn new(combatant: &Combatant, traits: &MarkTraits, costs: Costs) -> Self {
        let weapons = |kind: WeaponKind| {
            let of_kind = |(index, weapon): (usize, &crate::fight::Weapon)| {
                u32::from(weapon.kind == kind) << index
            };
            combatant.weapons.iter().enumerate().map(of_kind).sum()
        };
        let fires_unset = traits.fires_unset;
        Self {
            rank: 0,
            costs,
            most_speed: combatant.speed,
            car: traits.car.unwrap_or(-1),
            melee_weapons: weapons(WeaponKind::Melee),
            ranged_weapons: if fires_unset {
                0
            } else {
                weapons(WeaponKind::Ranged)
            },
            fires_unset,
            counters: traits.counters,
            moves_while_casting: traits.combat_casting.is_some(),
            skill_set: if traits.combat_casting.is_some() && !combatant.spells.is_empty() {
                flags::SKILL_UNSET
            } else {
                Flags::NONE
            },
            matters: matters(combatant, traits),
        }
    }
}

/// Returns the flags that a combatant's weapons, spells and policy read. Two situations that differ only in other flags
/// have the same future.
fn matters(combatant: &Combatant, traits: &MarkTraits) -> Flags {
    let mut all = flags::ACTED
        .and(flags::BROKEN)
        .and(flags::SPENT)
        .and(flags::BEGUN);
    let has = |kind| combatant.weapons.iter().any(|weapon| weapon.kind == kind);
    let channels = |line: &Line| matches!(line.action, Action::Channel { .. });
    let mut variables = combatant.policy.variables();
    for (flags, read) in [
        (
            flags::MOVED,
            variables.any(|variable| matches!(variable, Variable::Moved | Variable::Acted)),
        ),
        (flags::STIRRED, combatant.policy.lines().any(channels)),
        (
            flags::MELEE_UNSET.and(flags::ENTERED),
            has(WeaponKind::Melee),
        ),
        (flags::SHOT_UNSET, has(WeaponKind::Ranged)),
        (
            flags::SPOILED.and(flags::UNSETTLED),
            has(WeaponKind::Ranged) || has(WeaponKind::Thrown),
        ),
        (flags::SKILL_UNSET, traits.combat_casting.is_some()),
    ] {
        if read {
            all.add(flags);
        }
    }
    all
}

impl MarkProfile {
    /// Returns the uses of a Set, given the weapons in hand (TC-9, TC-10, TC-14).
    #[inline]
    fn would_set(&self, in_hand: u32) -> Flags {
        let mut useful = self.skill_set;
        if in_hand & self.melee_weapons != 0 {
            useful.add(flags::MELEE_UNSET);
        }
        if in_hand & self.ranged_weapons != 0 {
            useful.add(flags::SHOT_UNSET);
        }
        useful
    }
}

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Rounds<'a> for Encounter<'a, C, O, PLAIN> {
    type Due = Marks;

    #[inline(always)]
    fn next_due(&mut self) -> Option<Marks> {
        self.state.clock.agenda.next_mark()
    }

    /// Plays the events of the combatants first in order at a Mark. After the last event of a Round, ends the Round.
    #[inline(always)]
    fn play_moment(&mut self, mark: Marks) -> Option<Ending> {
        if let ControlFlow::Break(ending) = self.play_occasions_before(Some(mark)) {
            return ending;
        }
        let decided = self.go_to_mark(mark);
        if decided.is_some() || self.state.clock.mark != mark {
            return decided;
        }
        let mut ending = if self.instant() { self.decided() } else { None };
        // The distance of a chase is checked after all combatants due at a Mark have acted (W-6).
        if ending.is_none() && self.state.clock.agenda.next_mark() != Some(mark) {
            ending = self.ends_by_distance();
        }
        ending.or_else(|| self.end_marks())
    }

    /// Does nothing: the Round ended with its last moment.
    #[inline]
    fn end_round(&mut self) {}

    #[inline]
    fn begin_round(&mut self) -> Option<Ending> {
        let before = self.chase_distance();
        self.begin_marks();
        let mut decided = self.decided_early().or_else(|| self.ends_since(before));
        if self.plan.clock.comes_at_marks {
            for mark in (self.state.clock.mark..=MOST_MARKS).rev() {
                if decided.is_none() {
                    let before = self.chase_distance();
                    self.play_occasions_at(mark);
                    decided = self.decided_early().or_else(|| self.ends_since(before));
                }
            }
        }
        if decided.is_some() {
            return decided;
        }
        self.renew_free_actions();
        self.anytime_between().or_else(|| self.end_marks())
    }

    #[inline]
    fn elapsed(&self) -> u32 {
        self.state.round * self.plan.rules.round_marks as u32 - self.state.clock.mark as u32
    }
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Ends the Round if nothing is due in it any more. Returns the ending of the encounter if reserves, hazards or
    /// free actions until then have ended it.
    #[inline(always)]
    fn end_marks(&mut self) -> Option<Ending> {
        if self.state.clock.agenda.next_mark().is_some() {
            return None;
        }
        if let ControlFlow::Break(ending) = self.play_occasions_before(None) {
            return ending;
        }
        let ending = self.go_to_mark(0);
        if ending.is_none() && self.state.clock.mark == 0 {
            self.forfeit_marks();
        }
        ending
    }

    /// Returns the Marks that an action of this category costs (TC-5).
    #[inline]
    fn cost(&self, cost: Cost) -> Marks {
        self.plan.rules.costs().of(cost)
    }

    /// Puts a combatant on the agenda of a later Mark.
    #[inline]
    fn wake_at(&mut self, who: usize, mark: Marks) {
        self.state
            .clock
            .agenda
            .add(self.plan.profiles[who].rank, mark);
    }
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Hooks for Encounter<'_, C, O, PLAIN> {
    #[inline]
    fn mark(&self) -> Marks {
        self.state.clock.mark
    }

    #[inline]
    fn is_casting(&self, who: usize) -> bool {
        self.actor(who).spell.is_some()
    }

    #[inline(always)]
    fn on_damage_taken(&mut self, who: usize) {
        let actor = self.actor(who);
        if actor.spell.is_some() || actor.channelling() {
            self.disturb_spell(who);
        }
    }

    fn interrupt(&mut self, who: usize) {
        self.fizzle(who);
        if self.actor(who).channelling() {
            self.break_channel(who);
        }
    }

    /// Ends the actions of a combatant that fell. Its spell is lost (TC-13).
    fn stop(&mut self, who: usize) {
        let actor = self.actor_mut(who);
        actor.stop();
        actor.spell = None;
    }

    fn rejoin(&mut self, who: usize) {
        self.rejoin_round(who);
    }

    fn has_free_hand(&self, who: usize) -> bool {
        let held = self.body(who).in_hand.count_ones();
        let hands = self.plan.clock.traits[who].hands;
        hands.is_none_or(|hands| held < hands.into())
    }

    /// Drops the repeated choice, so that the next decision is made anew.
    fn on_numbers_changed(&mut self, who: usize, _: bool) {
        self.actor_mut(who).repeat = Repeat::default();
    }
}
