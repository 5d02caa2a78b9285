//! The Tara-Corax clock: Rounds of Marks, 30 by the text, counted down (TC-1).
//!
//! [`Plan`] is constant for a fight and its [`Rules`]; [`State`] changes during an encounter. [`Plan::play`] plays one
//! encounter. The agenda keeps the due combatants, as a set for each Mark in the order of TC-20, so that the next one
//! due is two bit scans away.
//!
//! - `initiative`: Scores, delays, the beginning and the end of a Round
//! - `instant`: everything that happens at one Mark, alone or simultaneously (W-5)
//! - `view`: the view of a deciding combatant, and possible targets (W-4)
//! - `legal`: legality
//! - `choose`: the choice of a policy line, and the reasons against the others (W-3)
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
use self::repeat::Repeat;
use self::rules::{Costs, MOST_MARKS, Rules};
pub use self::state::State;
use self::state::{Actor, Doing, Flags};
use crate::chance::Chance;
use crate::fight::Ending;
use crate::fight::program::{Action, Line};
use crate::fight::traits::OWN_CLOCK;
use crate::fight::world::{World, bit, is_single, members, set_of};
use crate::fight::{
    Combatant, Cost, Fight, MAX_COMBATANTS, MarkTraits, Marks, Units, Variable, WeaponKind,
};
use crate::sim::Clock;
use crate::sim::compiled_lines::CompiledLines;
use crate::sim::damage::PutOff;
use crate::sim::initiative::Sharers;
use crate::sim::prelude::*;
use crate::sim::stage::{Constants, stage_accessors};
use crate::sim::{ClockObserver, Moment, Record};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Farther than any two combatants are from each other.
const FAR: Units = Units::MAX / 4;

/// A fight on this clock: everything that does not change between encounters.
#[derive(Debug, Clone)]
pub struct Plan {
    fight: Fight,
    rules: Rules,
    /// The combatant at each place in the order of TC-20; equals are neighbours, in file order.
    by_rank: [u8; MAX_COMBATANTS],
    /// For each place, the places of all combatants that no tie-break separates from it.
    peers: [u64; MAX_COMBATANTS],
    /// The most used values of each combatant: an array, as in [`World`].
    profiles: Box<[Profile; MAX_COMBATANTS]>,
    constants: Constants,
    /// The greatest reach of all weapons.
    farthest: Units,
    /// The greatest reach or Combat Action Radius. A step that ends farther from all enemies affects its mover alone.
    widest: Units,
    /// The combatants with a Combat Action Radius.
    with_car: u64,
    /// The combatants with lines for Combat Casting (TC-14).
    skilled: u64,
    /// The values of each combatant for this clock.
    traits: Vec<MarkTraits>,
    /// The decisions of each combatant.
    compiled_lines: Vec<Arc<CompiledLines>>,
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
    sharers: Sharers,
    start: State,
}

impl Clock for Plan {
    type Rules = Rules;
    type State = State;

    /// # Panics
    /// If a combatant has the traits of another clock.
    fn new(fight: Fight, rules: Rules) -> Self {
        let constants = Constants::new(&fight);
        let traits: Vec<MarkTraits> = fight
            .combatants
            .iter()
            .map(|one| {
                let traits = one.traits.marks().expect(OWN_CLOCK);
                traits.clone()
            })
            .collect();
        // TC-20: the raw characteristic, before armour, then Agility, then Intellect.
        let ladder = rules.ties.ladder(traits.len(), |who| {
            let traits = &traits[who];
            [
                initiative::characteristic(traits),
                traits.agility,
                traits.intellect,
            ]
        });
        let mut profiles = Box::new([const { Profile::NONE }; MAX_COMBATANTS]);
        for (who, (one, traits)) in fight.combatants.iter().zip(&traits).enumerate() {
            profiles[who] = Profile::new(one, traits, constants.against(one.side), rules.costs());
            profiles[who].rank = ladder.rank[who];
            if !fight.conditions.is_empty() {
                profiles[who].most_speed = Units::MAX;
            }
        }
        let (mut by_rank, mut peers) = ([0; MAX_COMBATANTS], [0; MAX_COMBATANTS]);
        by_rank[..traits.len()].copy_from_slice(&ladder.by_rank);
        peers[..traits.len()].copy_from_slice(&ladder.peers);
        let reaches = fight.combatants.iter().map(Combatant::farthest_reach);
        // Where Units take more than one Mark, no Unit is repeated.
        let farthest = if fight.is_difficult() {
            FAR
        } else {
            reaches.fold(0, Units::max)
        };
        let with_car = set_of((0..traits.len()).filter(|who| profiles[*who].car >= 0));
        let widest = profiles
            .iter()
            .map(|one| one.car)
            .fold(farthest, Units::max);
        let has_skill = |who: &usize| !fight.combatants[*who].policy.while_casting.is_empty();
        let skilled = set_of((0..traits.len()).filter(has_skill));
        let compiled_lines = CompiledLines::of_all(&fight, view::fact, |who, line, needs| {
            let is_all = legal::needs(&fight.combatants[who], &profiles[who], line, needs);
            let walks = matches!(line.action, Action::Advance(_) | Action::Retreat(_));
            is_all && !(walks && fight.is_difficult())
        });
        let anytime = Anytime::of(&fight);
        let comes_at_marks = fight.comes_at_marks();
        let plain = fight.is_plain() && anytime.who == 0 && rules.round == rules::Round::Full;
        let reads_score = fight.reads(|variable| variable == Variable::Score);
        let asked_of_others = if fight.reads(|variable| variable == Variable::TargetReady) {
            Flags::UNSET
        } else {
            Flags::NONE
        };
        let mut start = State::new(&fight, rules.round_marks);
        if !rules.starts_set_for_casting {
            for (body, traits) in start.world.bodies.iter_mut().zip(&traits) {
                if traits.combat_casting.is_some() {
                    body.clock.flags.add(Flags::SKILL_UNSET);
                }
            }
        }
        let sharers = Sharers::new(&rules.share, fight.combatants.len());
        Self {
            fight,
            rules,
            by_rank,
            peers,
            profiles,
            constants,
            farthest,
            widest,
            with_car,
            skilled,
            traits,
            compiled_lines,
            anytime,
            plain,
            reads_score,
            asked_of_others,
            comes_at_marks,
            sharers,
            start,
        }
    }

    fn start(&self) -> State {
        self.start.clone()
    }

    fn forget(&self, state: &mut State) {
        for who in members(state.world.standing()) {
            let profile = &self.profiles[who];
            let actor = &mut state.world.bodies[who].clock;
            actor.roll = 0;
            if !self.reads_score {
                actor.score = 0;
            }
            actor.flags = actor.flags.among(profile.matters);
            let is_done = actor.wake < 0 && actor.doing == Doing::Nothing && actor.spell.is_none();
            let answers = profile.car >= 0 || profile.counters;
            if is_done && !answers && self.anytime.who & bit(who) == 0 {
                // It does nothing more this Round. Its Marks are forfeited at the end.
                let (marks, flags) = (actor.marks, actor.flags);
                self.refresh(actor);
                actor.marks = marks;
                actor.flags.add(flags.among(self.asked_of_others));
            }
        }
    }

    fn complete(&self, state: &mut State) {
        state.world.restore_sides(&self.start.world);
        state.put_off.reset_to(&self.start.put_off);
        state.round_marks = self.start.round_marks;
    }

    /// Returns whether exactly one combatant is due, has no spell under way, and moves or is too far from all enemies
    /// to strike.
    fn is_calm(&self, state: &State) -> bool {
        let Some(mark) = state.agenda.next_mark() else {
            return false;
        };
        let due = state.agenda.who[mark as usize];
        let who = usize::from(self.by_rank[due.trailing_zeros() as usize % MAX_COMBATANTS]);
        let (world, actor) = (&state.world, &state.world.bodies[who].clock);
        if !is_single(due) || actor.spell.is_some() {
            return false;
        }
        match actor.doing {
            Doing::Moving(_) | Doing::Nothing => true,
            Doing::Deciding => {
                let foes = self.profiles[who].foes & world.standing();
                world.within(who, foes, self.fight.combatants[who].farthest_reach()) == 0
            }
            _ => false,
        }
    }

    fn round<'a>(&self, state: &'a mut State) -> &'a mut u32 {
        &mut state.round
    }

    fn round_length(&self) -> u32 {
        self.rules.round_marks as u32
    }

    fn play<C: Chance, O: ClockObserver>(
        &self,
        state: &mut State,
        chance: &mut C,
        observer: &mut O,
        record: &mut Record,
    ) {
        state.reset_to(&self.start);
        record.begin(self.fight.combatants.len());
        // Only sampling without an observer needs to be fast.
        if self.plain && !O::LISTENS && !C::enumerates() {
            self.under_way::<C, O, true>(state, chance, observer, record)
                .play();
        } else {
            self.under_way::<C, O, false>(state, chance, observer, record)
                .play();
        }
    }

    fn step<C: Chance, O: ClockObserver>(
        &self,
        state: &mut State,
        chance: &mut C,
        observer: &mut O,
        record: &mut Record,
    ) -> bool {
        self.under_way::<C, O, false>(state, chance, observer, record)
            .play_on()
    }

    fn fight(&self) -> &Fight {
        &self.fight
    }

    fn copy(&self, from: &State, to: &mut State) {
        to.reset_to(from);
    }
}

impl Plan {
    /// Returns an encounter in this state.
    #[inline]
    fn under_way<'a, C: Chance, O: ClockObserver, const PLAIN: bool>(
        &'a self,
        state: &'a mut State,
        chance: &'a mut C,
        observer: &'a mut O,
        record: &'a mut Record,
    ) -> Encounter<'a, C, O, PLAIN> {
        Encounter {
            plan: self,
            state,
            chance,
            observer,
            record,
        }
    }
}

/// The values of a combatant that every turn needs, adjacent in memory.
#[derive(Debug, Clone)]
struct Profile {
    /// Its place in the order of TC-20.
    rank: u8,
    /// Its enemies.
    foes: u64,
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
    /// The use of a Set for a caster that can move while casting.
    skill_set: Flags,
    /// The flags that its weapons, spells and policy read.
    matters: Flags,
}

impl Profile {
    const NONE: Self = Self {
        rank: 0,
        foes: 0,
        costs: Costs {
            quarter: 0,
            half: 0,
            full: 0,
        },
        most_speed: 0,
        car: -1,
        melee_weapons: 0,
        ranged_weapons: 0,
        fires_unset: false,
        counters: false,
        skill_set: Flags::NONE,
        matters: Flags::NONE,
    };

    fn new(combatant: &Combatant, traits: &MarkTraits, foes: u64, costs: Costs) -> Self {
        let weapons = |kind: WeaponKind| {
            let of_kind = |(index, weapon): (usize, &crate::fight::Weapon)| {
                u32::from(weapon.kind == kind) << index
            };
            combatant.weapons.iter().enumerate().map(of_kind).sum()
        };
        let fires_unset = traits.fires_unset;
        Self {
            foes,
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
            skill_set: if traits.combat_casting.is_some() && !combatant.spells.is_empty() {
                Flags::SKILL_UNSET
            } else {
                Flags::NONE
            },
            matters: matters(combatant, traits),
            ..Self::NONE
        }
    }
}

/// Returns the flags that a combatant's weapons, spells and policy read. Two situations that differ only in other flags
/// have the same future.
fn matters(combatant: &Combatant, traits: &MarkTraits) -> Flags {
    let mut all = Flags::ACTED
        .and(Flags::BROKEN)
        .and(Flags::SPENT)
        .and(Flags::BEGUN);
    let has = |kind| combatant.weapons.iter().any(|weapon| weapon.kind == kind);
    let channels = |line: &Line| matches!(line.action, Action::Channel { .. });
    let mut asked = combatant.policy.variables();
    for (flags, read) in [
        (
            Flags::MOVED,
            asked.any(|one| matches!(one, Variable::Moved | Variable::Acted)),
        ),
        (Flags::STIRRED, combatant.policy.lines().any(channels)),
        (
            Flags::MELEE_UNSET.and(Flags::ENTERED),
            has(WeaponKind::Melee),
        ),
        (Flags::SHOT_UNSET, has(WeaponKind::Ranged)),
        (
            Flags::SPOILED.and(Flags::UNSETTLED),
            has(WeaponKind::Ranged) || has(WeaponKind::Thrown),
        ),
        (Flags::SKILL_UNSET, traits.combat_casting.is_some()),
    ] {
        if read {
            all.add(flags);
        }
    }
    all
}

impl Profile {
    /// Returns the uses of a Set, given the weapons in hand (TC-9, TC-10, TC-14).
    #[inline]
    fn would_set(&self, in_hand: u32) -> Flags {
        let mut useful = self.skill_set;
        if in_hand & self.melee_weapons != 0 {
            useful.add(Flags::MELEE_UNSET);
        }
        if in_hand & self.ranged_weapons != 0 {
            useful.add(Flags::SHOT_UNSET);
        }
        useful
    }
}

/// One encounter under way. With `PLAIN`, its fight is [plain](Plan::plain).
struct Encounter<'a, C, O, const PLAIN: bool> {
    plan: &'a Plan,
    state: &'a mut State,
    chance: &'a mut C,
    observer: &'a mut O,
    record: &'a mut Record,
}

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Rounds<'a> for Encounter<'a, C, O, PLAIN> {
    type Due = Marks;

    #[inline(always)]
    fn next_due(&mut self) -> Option<Marks> {
        self.state.agenda.next_mark()
    }

    /// Plays the events of the combatants first in order at a Mark. After the last event of a Round, ends the Round.
    #[inline(always)]
    fn play_moment(&mut self, mark: Marks) -> Option<Ending> {
        if let ControlFlow::Break(ending) = self.play_occasions_before(Some(mark)) {
            return ending;
        }
        let decided = self.go_to_mark(mark);
        if decided.is_some() || self.state.mark != mark {
            return decided;
        }
        let mut ending = if self.instant() { self.decided() } else { None };
        // The distance of a chase is checked after all combatants due at a Mark have acted (W-6).
        if ending.is_none() && self.state.agenda.next_mark() != Some(mark) {
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
        if self.plan.comes_at_marks {
            for mark in (self.state.mark..=MOST_MARKS).rev() {
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
        self.state.elapsed()
    }
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Ends the Round if nothing is due in it any more. Returns the ending of the encounter if reserves, hazards or
    /// free actions until then have ended it.
    #[inline(always)]
    fn end_marks(&mut self) -> Option<Ending> {
        if self.state.agenda.next_mark().is_some() {
            return None;
        }
        if let ControlFlow::Break(ending) = self.play_occasions_before(None) {
            return ending;
        }
        let ending = self.go_to_mark(0);
        if ending.is_none() && self.state.mark == 0 {
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
        self.state.agenda.add(self.plan.profiles[who].rank, mark);
    }
}

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Stage<'a> for Encounter<'a, C, O, PLAIN> {
    type Actor = Actor;
    const PLAIN: bool = PLAIN;
    stage_accessors!();

    #[inline]
    fn moment(&self) -> Moment {
        Moment {
            round: self.state.round,
            mark: self.state.mark,
        }
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

    fn has_free_hand(&self, who: usize) -> bool {
        let held = self.world().bodies[who].in_hand.count_ones();
        let hands = self.plan.traits[who].hands;
        hands.is_none_or(|hands| held < hands.into())
    }

    /// Drops the repeated choice, so that the next decision is made anew.
    fn on_numbers_changed(&mut self, who: usize, _: bool) {
        self.actor_mut(who).repeat = Repeat::default();
    }
}
