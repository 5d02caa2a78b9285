//! The shared part of an encounter on all clocks: the rules of section 0 (W-1 to W-7).
//!
//! A clock implements [`Hooks`]; [`Stage`] gives every part of an encounter access to its plan, its state and its dice.

use super::compiled_lines::CompiledLines;
use super::damage::PutOff;
use super::order::Places;
use super::walk::WalkEffect;
use crate::dice::percentile::Percentile;
use crate::fight::check::{Asked, SKILL_OF_A_DIE};
use crate::fight::world::{Body, World};
use crate::sim::prelude::*;
use crate::sim::{Counts, Moment, Observer, Record};

/// The most free actions of a combatant at one instant (W-7).
pub(crate) const MOST_FREE_ACTIONS: u8 = 16;

/// What stays the same in all encounters of a fight, and is asked for at many moments.
#[derive(Debug, Clone)]
pub(crate) struct Constants {
    /// The members of each side, as sets.
    sides: Vec<u64>,
    /// The combatants of all other sides, for each combatant.
    foes: [u64; MAX_COMBATANTS],
    /// Whether the fight is [plain](Fight::is_plain).
    pub plain: bool,
    /// Whether the fight [watches Units](Fight::watches_units).
    pub watches_units: bool,
}

impl Constants {
    pub(crate) fn new(fight: &Fight) -> Self {
        let mut sides = vec![0_u64; fight.sides.len()];
        for (who, combatant) in fight.combatants.iter().enumerate() {
            sides[combatant.side] |= bit(who);
        }
        let all = sides.iter().fold(0, |all, side| all | side);
        let mut foes = [0; MAX_COMBATANTS];
        for (foes, combatant) in foes.iter_mut().zip(&fight.combatants) {
            *foes = all & !sides[combatant.side];
        }
        Self {
            foes,
            sides,
            plain: fight.is_plain(),
            watches_units: fight.watches_units(),
        }
    }

    /// Members of a side.
    #[inline]
    pub(crate) fn side(&self, side: usize) -> u64 {
        self.sides[side]
    }

    /// The combatants of all sides but its own.
    #[inline]
    pub(crate) fn foes(&self, who: usize) -> u64 {
        self.foes[who]
    }

    /// Returns how an encounter has ended, if at most one side is `left` (W-6).
    #[inline]
    pub(crate) fn decided(&self, fight: &Fight, left: u64) -> Option<Ending> {
        if left == 0 {
            return Some(Ending::Mutual);
        }
        let side = fight.combatants[left.trailing_zeros() as usize].side;
        (left & !self.sides[side] == 0).then_some(Ending::Win(side as u8))
    }
}

/// A target, and its distance.
pub(crate) type TargetAt = (usize, Units);

/// The target of a line, if it has one.
pub(crate) type Target = Option<TargetAt>;

/// What the rules of a clock decide in an encounter.
pub(crate) trait Hooks {
    /// The moment within the Round, as events and records show it.
    fn mark(&self) -> Marks;

    /// Whether `who` is casting: a line may be about a casting enemy.
    fn is_casting(&self, who: usize) -> bool;

    /// Points that wounds take off every test of a skill; each [`SKILL_OF_A_DIE`] of them are a die of a pool (EP-9).
    #[inline]
    fn wound_penalty(&self, _who: usize) -> i64 {
        0
    }

    /// The sum that conditions add to the difficulty of a combatant's pools.
    #[inline]
    fn difficulty_change(&self, _who: usize) -> i64 {
        0
    }

    /// Whether every yard takes a die, and not only those beyond the free half (MA-5).
    #[inline]
    fn counts_every_yard(&self) -> bool {
        false
    }

    /// Applies the further effects of `amount` points of damage at one blow: immediately or, if `later`, when all have
    /// acted (W-5).
    #[inline]
    fn apply_wounds(&mut self, _target: usize, _amount: i32, _later: bool) {}

    /// The damage at one blow that has one further effect, such as a wound; twice as much has two, and so on. The rules
    /// treat all amounts above 0 with the same number of effects alike.
    #[inline]
    fn damage_per_wound(&self, _target: usize) -> i32 {
        i32::MAX
    }

    /// Counts the attack of a combatant if it is a critical success.
    #[inline]
    fn count_critical(&mut self, _who: usize, _is_critical: bool) {}

    /// Returns whether the target defends itself against an attack that works.
    #[inline]
    fn defends(&mut self, _: CheckTerms, _target: usize, _: &Weapon, _: Attempt) -> bool {
        false
    }

    /// Called when an attack with a weapon has hit `target` and `dealt` this damage.
    #[inline]
    fn on_hit(&mut self, _target: usize, _weapon: &Weapon, _dealt: i32) {}

    /// Called when `who` does damage to `target`.
    #[inline]
    fn on_damage_dealt(&mut self, _who: usize, _target: usize) {}

    /// Applies the effects that `apply_wounds` has put off.
    #[inline]
    fn settle_wounds(&mut self, _target: usize) {}

    /// The test by which a combatant avoids an effect that no roll against its evade decides, if it may (EP-9).
    #[inline]
    fn dodge(&self, _who: usize) -> Option<Percentile> {
        None
    }

    /// Returns the sum of which this test is made.
    fn dodge_sum(&self, _who: usize) -> Sum {
        Sum::NONE
    }

    /// Whether a weapon can be taken in hand without letting go of another (TC-5).
    #[inline]
    fn has_free_hand(&self, _who: usize) -> bool {
        true
    }

    /// Called when effects have changed numbers of a combatant or thrown it down; `stunned` if a condition that has
    /// begun stuns it.
    #[inline]
    fn on_numbers_changed(&mut self, _who: usize, _stunned: bool) {}

    /// Called when damage that counts at once has been done to a combatant, even if it falls by it.
    #[inline]
    fn on_damage_taken(&mut self, _who: usize) {}

    /// Ends the spell that a combatant is casting, if it is.
    fn interrupt(&mut self, _who: usize) {}

    /// Ends the actions of a combatant that falls.
    fn stop(&mut self, who: usize);

    /// Called when a combatant that was down stands again (W-18).
    fn rejoin(&mut self, _who: usize) {}
}

/// An encounter under way.
pub(crate) trait Stage<'a>: Hooks {
    /// The state that the clock keeps about a combatant.
    type Actor: Copy + Default + 'a;

    /// The values of a combatant that every turn needs.
    type Profile: 'a;

    /// The source of random answers.
    type Chance: Chance + 'a;

    /// The observer of the encounter.
    type Observer: ClockObserver + 'a;

    /// Whether the fight is known to be [plain](Fight::is_plain).
    const PLAIN: bool;

    /// The fight.
    fn fight(&self) -> &'a Fight;

    /// A combatant of the fight.
    #[inline]
    fn combatant(&self, who: usize) -> &'a Combatant {
        &self.fight().combatants[who]
    }

    /// A decision of a combatant.
    #[inline]
    fn line(&self, who: usize, line: u16) -> &'a Line {
        &self.combatant(who).policy.decisions()[usize::from(line)]
    }

    /// The sides, and more that never changes.
    fn constants(&self) -> &'a Constants;

    /// The positions, health and gear of the combatants.
    fn world(&self) -> &World<Self::Actor>;

    /// Mutable counterpart of [`Stage::world`].
    fn world_mut(&mut self) -> &mut World<Self::Actor>;

    /// The state of a combatant.
    #[inline]
    fn body(&self, who: usize) -> &Body<Self::Actor> {
        &self.world().bodies[who]
    }

    /// The state that the clock keeps about a combatant.
    #[inline]
    fn actor(&self, who: usize) -> &Self::Actor {
        &self.body(who).clock
    }

    /// Mutable counterpart of [`Stage::actor`].
    #[inline]
    fn actor_mut(&mut self, who: usize) -> &mut Self::Actor {
        &mut self.world_mut().bodies[who].clock
    }

    /// Damage and other effects that count later (W-5).
    fn put_off(&mut self) -> &mut PutOff;

    /// The source of random answers, and the observer.
    fn chance_and_observer(&mut self) -> (&mut Self::Chance, &mut Self::Observer);

    /// The record of the encounter.
    fn record(&mut self) -> &mut Record;

    /// The counts of a combatant in the record.
    #[inline]
    fn counts(&mut self, who: usize) -> &mut Counts {
        &mut self.record().combatants[who]
    }

    /// Records the health and the remaining uses of all combatants.
    fn keep_health(&mut self);

    /// Returns the state as bytes, if how the step goes on depends on nothing else.
    fn situation(&self) -> Option<Vec<u8>>;

    /// The Round under way, from 1; 0 before the first.
    fn round(&self) -> u32;

    /// The current moment.
    #[inline]
    fn moment(&self) -> Moment {
        Moment {
            round: self.round(),
            mark: self.mark(),
        }
    }

    /// Enemies of `who` that stand.
    #[inline]
    fn enemies(&self, who: usize) -> u64 {
        self.constants().foes(who) & self.world().standing()
    }

    /// The values of each combatant that every turn needs.
    fn profiles(&self) -> &'a [Self::Profile; MAX_COMBATANTS];

    /// The decisions of `who` as comparisons.
    fn compiled_lines(&self, who: usize) -> &'a CompiledLines;

    /// The effects of walking on the decisions of `who`.
    fn walk_effects(&self, who: usize) -> &'a [WalkEffect];

    /// What orders the places of a Round.
    fn order(&self) -> &'a Order;

    /// The places of the Round.
    fn places(&mut self) -> &mut Places;

    /// Dice that wounds take off an attack's pool.
    #[inline]
    fn wounds(&self, who: usize) -> i64 {
        let track = &self.combatant(who).track;
        track.penalty(self.world().health(who))
    }

    /// Passes an event to the observer; without an observer it is not built.
    #[inline]
    fn note(&mut self, event: Event) {
        if Self::Observer::LISTENS {
            let moment = self.moment();
            self.chance_and_observer().1.event(moment, event);
        }
    }

    /// Returns the sum of an event; without an observer it is not worked out.
    #[inline]
    fn shown_sum(&self, sum: impl FnOnce(&Self) -> Sum) -> Sum {
        if Self::Observer::LISTENS {
            sum(self)
        } else {
            Sum::NONE
        }
    }

    /// Units of movement that a Unit to that place costs (W-15).
    #[inline]
    fn toll(&self, to: Units) -> Units {
        if self.fight().grounds.is_empty() {
            1
        } else {
            self.fight().toll(to)
        }
    }

    /// Whether a move is made Unit by Unit: for an observer, or where the fight [watches Units](Fight::watches_units)
    /// (W-14, W-15).
    #[inline]
    fn walks_unit_by_unit(&self) -> bool {
        Self::Observer::LISTENS || (!Self::PLAIN && self.constants().watches_units)
    }

    /// One combatant's dice for one purpose.
    #[inline]
    fn roller(&mut self, who: usize, purpose: Purpose) -> Roller<'_, Self::Chance, Self::Observer> {
        let (chance, observer) = self.chance_and_observer();
        Roller::new(chance, observer, who, purpose)
    }

    /// Makes a check with a weapon or spell.
    #[inline(always)]
    fn attempt(&mut self, question: CheckTerms, check: &Check) -> Attempt {
        let (chance, observer) = self.chance_and_observer();
        let key = (std::ptr::from_ref(check).addr(), question);
        let roll = |chance: &mut Self::Chance| roll_check(check, &question, chance, observer);
        chance.result(key, roll, |attempt| check.effect_of(attempt))
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

    /// Returns the [`CheckTerms`] of an attack by `who` on `target` to its check.
    #[inline]
    fn question(&self, who: usize, target: usize, mastery: i64) -> CheckTerms {
        let bodies = &self.world().bodies;
        let penalty = self.wound_penalty(who);
        let (conditions, advantage) = if self.has_conditions() {
            self.added_by_conditions(who, target)
        } else {
            (0, 0)
        };
        CheckTerms {
            who,
            evade: bodies[target].evade.into(),
            mastery,
            conditions: i64::from(bodies[who].attack) + conditions,
            words: Asked {
                target: target as u8,
                advantage,
                ..Asked::default()
            },
            lost: self.wounds(who) + penalty / SKILL_OF_A_DIE,
            yards: 0,
            every_yard: self.counts_every_yard(),
            defence: 0,
            points: penalty % SKILL_OF_A_DIE,
            part: None,
            meeting_hits: self.fight().meeting_hits,
            spoils: 0,
            more: 0,
            sure: false,
            harder: self.difficulty_change(who),
        }
    }

    /// Returns what conditions of the target add to a check against it, and the advantage that those of both give.
    #[cold]
    #[inline(never)]
    fn added_by_conditions(&self, who: usize, target: usize) -> (i64, i8) {
        let [own, against] = [who, target].map(|who| self.world().affliction(who));
        let (Some(own), Some(against)) = (own, against) else {
            return (0, 0);
        };
        let both = [
            own.changes.advantages(Twice::Attack),
            against.changes.advantages(Twice::Against),
        ];
        let added = against.changes.of(Number::AttacksAgainst);
        (added.into(), self.fight().advantage(both))
    }

    /// The current reach or range of a weapon.
    #[inline]
    fn range(&self, who: usize, weapon: usize) -> Units {
        let weapon = &self.combatant(who).weapons[weapon];
        weapon.reaches(self.body(who).reach_bonus.into())
    }

    /// The combatants that stand, and the reserves that have not come, which have not fallen even if their side has lost
    /// (W-12).
    #[inline]
    fn expected(&self) -> u64 {
        self.world().standing() | self.world().waiting()
    }

    /// The reserves still to come: those of a side that has lost do not come any more (W-12).
    #[inline]
    fn reserves(&self) -> u64 {
        match self.world().waiting() {
            0 => 0,
            waiting if self.fight().waits_for_reserves => waiting,
            waiting => self.world().of_standing_sides(waiting),
        }
    }

    /// Returns how the encounter has ended, if at most one side stands (W-6).
    #[inline]
    fn only_side(&self) -> Option<Ending> {
        let fight = self.fight();
        let left = if !Self::PLAIN && fight.waits_for_reserves {
            self.expected()
        } else {
            self.world().standing()
        };
        self.constants().decided(fight, left)
    }

    /// Returns how the encounter has ended, if at most one side stands (W-6) or a goal is reached (W-17).
    #[inline]
    fn decided(&self) -> Option<Ending> {
        let fight = self.fight();
        let decided = self.only_side();
        if Self::PLAIN || decided.is_some() || fight.goals.is_empty() {
            return decided;
        }
        let goal = fight.goal(self.moment().round, self.expected())?;
        Some(goal.ends)
    }

    /// Returns whether the encounter is decided, if the set of standing combatants has changed. Updates `standing`.
    #[inline]
    fn is_decided_since(&self, standing: &mut u64) -> bool {
        let before = std::mem::replace(standing, self.world().standing());
        before != *standing && self.decided().is_some()
    }
}
