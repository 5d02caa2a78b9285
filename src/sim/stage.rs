//! The shared part of an encounter on all clocks: the rules of section 0 (W-1 to W-7).
//!
//! A clock implements [`Stage`] by giving access to its state; dice and their events, targets, the line,
//! damage and falling are then provided.

use super::asks::Asks;
use super::damage::PutOff;
use super::hand::Hand;
use crate::chance::{Chance, Purpose};
use crate::dice::percentile::Percentile;
use crate::fight::check::{Attempt, Question};
use crate::fight::lasting::Number;
use crate::fight::program::Line;
pub(crate) use crate::fight::world::is_single;
use crate::fight::world::{World, bit};
use crate::fight::{Ending, Fight, Units};
use crate::sim::events::Obstacle;
use crate::sim::{Event, Moment, Observer, Record, Silent};

/// Free actions at one instant before none is legal any more (W-7).
pub(crate) const MOST_FREE_ACTIONS: u8 = 16;

/// Who is on whose side, as sets.
#[derive(Debug, Clone)]
pub(crate) struct Sides(Vec<u64>);

impl Sides {
    pub(crate) fn new(fight: &Fight) -> Self {
        let mut sides = vec![0_u64; fight.sides.len()];
        for (who, combatant) in fight.combatants.iter().enumerate() {
            sides[combatant.side] |= bit(who);
        }
        Self(sides)
    }

    /// Members of a side.
    #[inline]
    pub(crate) fn of(&self, side: usize) -> u64 {
        self.0[side]
    }

    /// The combatants of all other sides.
    pub(crate) fn against(&self, side: usize) -> u64 {
        let everybody = self.0.iter().fold(0, |all, side| all | side);
        everybody & !self.0[side]
    }

    /// How an encounter has ended, if at most one side is left (W-6).
    #[inline]
    pub(crate) fn decided(&self, fight: &Fight, left: u64) -> Option<Ending> {
        if left == 0 {
            return Some(Ending::Mutual);
        }
        let side = fight.combatants[left.trailing_zeros() as usize].side;
        (left & !self.0[side] == 0).then_some(Ending::Win(side as u8))
    }
}

/// Whom a line is about, and how far off it is.
pub(crate) type Target = Option<(usize, Units)>;

/// An encounter under way.
pub(crate) trait Stage<'a> {
    /// The state that the clock keeps about a combatant.
    type Actor: Copy + Default + 'a;

    /// Where luck comes from.
    type Chance: Chance + 'a;

    /// Who listens.
    type Observer: Observer + 'a;

    /// Whether the fight is known to be [plain](Fight::is_plain).
    const PLAIN: bool = false;

    /// The fight.
    fn fight(&self) -> &'a Fight;

    /// Who is on whose side.
    fn sides(&self) -> &'a Sides;

    /// Positions, health and things.
    fn world(&self) -> &World<Self::Actor>;

    /// The same, to be changed.
    fn world_mut(&mut self) -> &mut World<Self::Actor>;

    /// The state of a combatant that only its clock knows.
    #[inline]
    fn actor(&self, who: usize) -> &Self::Actor {
        &self.world().bodies[who].clock
    }

    /// The same, to be changed.
    #[inline]
    fn actor_mut(&mut self, who: usize) -> &mut Self::Actor {
        &mut self.world_mut().bodies[who].clock
    }

    /// Damage that counts later.
    fn put_off(&mut self) -> &mut PutOff;

    /// Luck, and who listens to the dice.
    fn luck(&mut self) -> (&mut Self::Chance, &mut Self::Observer);

    /// The record of the encounter.
    fn record(&mut self) -> &mut Record;

    /// Records the health of all.
    fn keep_health(&mut self);

    /// When it is.
    fn moment(&self) -> Moment;

    /// Enemies of `who` that stand.
    fn enemies(&self, who: usize) -> u64;

    /// The decisions of `who` as comparisons.
    fn asks(&self, who: usize) -> &'a Asks;

    /// Whether `who` is casting, as a target may be chosen for it.
    fn is_casting(&self, who: usize) -> bool;

    /// Dice that wounds take off an attack's pool.
    #[inline]
    fn wounds(&self, who: usize) -> i64 {
        let track = &self.fight().combatants[who].track;
        track.penalty(self.world().health(who))
    }

    /// What conditions add to the difficulty of the pools of a combatant.
    #[inline]
    fn harder(&self, who: usize) -> i64 {
        let _ = who;
        0
    }

    /// Applies further effects of that much damage at once: immediately, or `later`, when all have acted
    /// (W-5).
    #[inline]
    fn hurt(&mut self, target: usize, amount: i32, later: bool) {
        let _ = (target, amount, later);
    }

    /// The damage at one blow that has one more effect besides taking health, which has another at twice of it, and
    /// so on. The rules tell no other amounts above 0 apart.
    #[inline]
    fn depth(&self, target: usize) -> i32 {
        let _ = target;
        i32::MAX
    }

    /// One has done damage to another.
    #[inline]
    fn has_hurt(&mut self, who: usize, target: usize) {
        let _ = (who, target);
    }

    /// What `hurt` has put off counts now.
    #[inline]
    fn hurt_counts(&mut self, target: usize) {
        let _ = target;
    }

    /// The test by which a combatant turns aside what its evade is not held against, if it may (EP-9).
    #[inline]
    fn dodge(&self, who: usize) -> Option<Percentile> {
        let _ = who;
        None
    }

    /// Whether a weapon can be taken in hand without letting go of another (TC-5).
    #[inline]
    fn has_free_hand(&self, who: usize) -> bool {
        let _ = who;
        true
    }

    /// Effects have changed numbers of a combatant, or thrown it down; a condition that has begun may stun it.
    #[inline]
    fn changed(&mut self, who: usize, stunned: bool) {
        let _ = (who, stunned);
    }

    /// A hit has done damage to one who still stands, or has felled it.
    fn disturb(&mut self, who: usize);

    /// Ends the spell that a combatant is casting, if it is.
    fn interrupt(&mut self, who: usize) {
        let _ = who;
    }

    /// Ends the actions of a combatant that falls.
    fn stop(&mut self, who: usize);

    /// Returns the reason why a line is not legal now, if it is not.
    fn refusal(&self, who: usize, line: &Line) -> Option<Obstacle>;

    /// Passes an event to the observer; without an observer it is not built.
    #[inline]
    fn note(&mut self, event: Event) {
        if Self::Observer::LISTENS {
            let moment = self.moment();
            self.luck().1.event(moment, event);
        }
    }

    /// Units of movement that a Unit to that place takes (W-15).
    #[inline]
    fn toll(&self, to: Units) -> Units {
        if self.fight().grounds.is_empty() {
            1
        } else {
            self.fight().toll(to)
        }
    }

    /// Whether each Unit of a move matters by itself: to an observer, for the ground it leads to (W-15), or for
    /// hazards (W-14).
    #[inline]
    fn walks_unit_by_unit(&self) -> bool {
        Self::Observer::LISTENS || (!Self::PLAIN && self.fight().watches_units())
    }

    /// One combatant's dice for one purpose.
    #[inline]
    fn hand(&mut self, who: usize, purpose: Purpose) -> Hand<'_, Self::Chance, Self::Observer> {
        let (chance, observer) = self.luck();
        Hand::new(chance, observer, who, purpose)
    }

    /// Makes a check with a weapon or spell.
    #[expect(
        clippy::inline_always,
        reason = "what a roll against Evade asks stays in registers"
    )]
    #[inline(always)]
    fn attempt(&mut self, question: Question, check: &crate::fight::check::Check) -> Attempt {
        let (chance, observer) = self.luck();
        let who = question.who;
        if Self::Chance::ENUMERATES {
            let seen = |chance: &mut Self::Chance| {
                let mut silent = Silent;
                let attempt = check.attempt(question, chance, |chance| {
                    Hand::new(chance, &mut silent, who, Purpose::Check)
                });
                check.effect_of(attempt)
            };
            let address = std::ptr::from_ref(check).addr();
            return chance.settle((address, question), seen);
        }
        check.attempt(question, chance, |chance| {
            Hand::new(chance, observer, who, Purpose::Check)
        })
    }

    /// Whether the fight has conditions.
    #[inline]
    fn has_conditions(&self) -> bool {
        !Self::PLAIN && self.world().has_conditions()
    }

    /// The sum that the conditions of a combatant add to one of its numbers.
    #[inline]
    fn change(&self, who: usize, number: Number) -> i32 {
        if Self::PLAIN {
            0
        } else {
            self.world().change(who, number)
        }
    }

    /// Whether a condition keeps a combatant from beginning anything.
    #[inline]
    fn is_stunned(&self, who: usize) -> bool {
        !Self::PLAIN && self.world().is_stunned(who)
    }

    /// Evade of `target`, and a bonus of `who`, with what conditions add.
    #[inline]
    fn evade_and_bonus(&self, who: usize, target: usize, bonus: i64) -> (i64, i64) {
        let bodies = &self.world().bodies;
        let (evade, more) = (bodies[target].evade, bodies[who].attack);
        (evade.into(), bonus + i64::from(more))
    }

    /// The question that an attack of `who` on `target` asks of its check.
    #[inline]
    fn question(&self, who: usize, target: usize, mastery: i64) -> Question {
        let fight = self.fight();
        let (evade, mastery) = self.evade_and_bonus(who, target, mastery);
        Question {
            who,
            evade,
            mastery,
            lost: self.wounds(who),
            points: 0,
            part: None,
            meeting_hits: fight.meeting_hits,
            spoils: 0,
            more: 0,
            sure: false,
            harder: self.harder(who),
        }
    }

    /// Reach or range of a weapon now.
    #[inline]
    fn range(&self, who: usize, weapon: usize) -> Units {
        let weapon = &self.fight().combatants[who].weapons[weapon];
        weapon.reaches(self.world().bodies[who].longer.into())
    }

    /// Those who stand, and those who are still to come.
    #[inline]
    fn expected(&self) -> u64 {
        self.world().standing() | self.world().waiting()
    }

    /// How the encounter has ended, if at most one side stands (W-6) or a goal is reached (W-17).
    #[inline]
    fn decided(&self) -> Option<Ending> {
        let fight = self.fight();
        let left = if !Self::PLAIN && fight.waits_for_reserves {
            self.expected()
        } else {
            self.world().standing()
        };
        let decided = self.sides().decided(fight, left);
        if Self::PLAIN || decided.is_some() || fight.goals.is_empty() {
            return decided;
        }
        let goal = fight.goal(self.moment().round, self.expected())?;
        Some(goal.ends)
    }
}

/// The parts of [`Stage`] that say no more than where a clock keeps its things: in an `Encounter` with
/// `plan` (`fight`, `sides`, `profiles` with the `foes` of each, `asks`), `state` (`world`, `put_off`),
/// `chance`, `observer` and `record`.
macro_rules! parts {
    () => {
        type Chance = C;
        type Observer = O;

        #[inline]
        fn fight(&self) -> &'a Fight {
            &self.plan.fight
        }

        #[inline]
        fn sides(&self) -> &'a Sides {
            &self.plan.sides
        }

        #[inline]
        fn world(&self) -> &World<Actor> {
            &self.state.world
        }

        #[inline]
        fn world_mut(&mut self) -> &mut World<Actor> {
            &mut self.state.world
        }

        #[inline]
        fn put_off(&mut self) -> &mut PutOff {
            &mut self.state.put_off
        }

        #[inline]
        fn luck(&mut self) -> (&mut C, &mut O) {
            (self.chance, self.observer)
        }

        #[inline]
        fn record(&mut self) -> &mut Record {
            self.record
        }

        #[inline]
        fn keep_health(&mut self) {
            self.record.keep_health(&self.state.world);
        }

        #[inline]
        fn enemies(&self, who: usize) -> u64 {
            self.plan.profiles[who].foes & self.state.world.standing()
        }

        #[inline]
        fn asks(&self, who: usize) -> &'a Asks {
            &self.plan.asks[who]
        }
    };
}

/// The parts of a [`Clock`](super::Clock) that are the same for all, in the implementation for a `Plan` with
/// `fight` and `start`: an `Encounter` is put together and played.
macro_rules! plays {
    () => {
        fn fight(&self) -> &Fight {
            &self.fight
        }

        fn play<C: Chance, O: Observer>(
            &self,
            state: &mut State,
            chance: &mut C,
            observer: &mut O,
            record: &mut Record,
        ) {
            state.reset_to(&self.start);
            record.begin(self.fight.combatants.len());
            Encounter {
                plan: self,
                state,
                chance,
                observer,
                record,
            }
            .play();
        }

        fn copy(&self, from: &State, to: &mut State) {
            to.reset_to(from);
        }

        fn step<C: Chance, O: Observer>(
            &self,
            state: &mut State,
            chance: &mut C,
            observer: &mut O,
            record: &mut Record,
        ) -> bool {
            Encounter {
                plan: self,
                state,
                chance,
                observer,
                record,
            }
            .play_on()
        }
    };
}

pub(crate) use {parts, plays};
