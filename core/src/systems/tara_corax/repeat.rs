//! Repeats the choice of a combatant that walks or waits, without a new decision (W-3).
//!
//! After most Units and waits a policy gives the same line again. A decision for a single Unit or a wait therefore
//! looks ahead: it makes the comparisons of the policy with the numbers of the next decision, and keeps the bounds
//! within which their results are the same.

use super::choose::{Choice, ChosenAction};
use super::movement::STEP;
use super::state::{Doing, Move};
use super::view::{CAN_WALK, FULL, MARK, MARKS, MOVE_LEFT, READY, View, flag_bits};
use super::{Encounter, flags};
use crate::sim::compiled_lines::{self, CLOSE, DISTANCE, ENEMIES, HEALTH, IN_MELEE};
use crate::sim::compiled_lines::{TARGET_HEALTH, THREATENED, TRUTHS, Values};
use crate::sim::prelude::*;

/// The flags that a Unit sets.
const WALKED: Flags = STEP.and(flags::MELEE_UNSET).and(flags::ACTED);

/// The last choice of a combatant, and the bounds within which its next decision gives the same choice.
///
/// Derived: without it the next decision gives the same choice too. The default allows no repetition.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Repeat {
    choice: Choice,
    /// The number of repetitions that Marks, Mark and Land Speed allow.
    times: i32,
    /// The flags of the combatant.
    flags: Flags,
    /// The nearest enemy.
    foe: u8,
    /// The bounds of the distance to that enemy.
    distance: (Units, Units),
    /// The bounds of the combatant's health.
    health: (i32, i32),
}

impl Repeat {
    /// Ends the repetition.
    #[inline]
    pub(super) const fn stop(&mut self) {
        self.times = 0;
    }

    /// Returns whether all values are within their bounds.
    #[inline(always)]
    fn holds(&self, flags: Flags, health: i32, foe: usize, distance: Units) -> bool {
        let within = |(low, high): (i32, i32), value: i32| low <= value && value <= high;
        flags == self.flags
            && foe == usize::from(self.foe)
            && within(self.distance, distance)
            && within(self.health, health)
    }
}

/// Returns how often `step` can be taken off `number` until it is below `least`.
#[inline(always)]
fn times(number: i32, least: i32, step: i32) -> i32 {
    let more = number - least;
    // Most steps are Units: they need no division.
    if step == 1 {
        more + 1
    } else {
        more.div_euclid(step) + 1
    }
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Returns the last choice of `who`, if its next decision gives the same.
    #[inline(always)]
    pub(super) fn repeated(&mut self, who: usize) -> Option<Choice> {
        let actor = self.actor(who);
        let repeat = &actor.repeat;
        if O::LISTENS || repeat.times < 1 {
            return None;
        }
        let (foe, distance) = self.nearest(who, self.enemies(who))?;
        if !repeat.holds(actor.flags, self.world().health(who), foe, distance) {
            return None;
        }
        let choice = repeat.choice;
        if let ChosenAction::Move { advance: false, .. } = choice.what {
            self.retreat_step(who, foe)?;
        }
        self.actor_mut(who).repeat.times -= 1;
        Some(choice)
    }

    /// Sets the repetition of `who`.
    #[inline(always)]
    pub(super) fn keep(&mut self, who: usize, repeat: Option<Repeat>) {
        let kept = &mut self.actor_mut(who).repeat;
        match repeat {
            Some(repeat) => *kept = repeat,
            None => kept.stop(),
        }
    }

    /// Looks ahead to the decision after a choice. Returns its bounds if it gives the same choice.
    #[inline(always)]
    pub(super) fn look_ahead(
        &self,
        view: &View<'_>,
        values: &Values,
        choice: Choice,
    ) -> Option<Repeat> {
        let (foe, distance) = view.nearest?;
        let (cost, way) = match choice.what {
            ChosenAction::Move {
                units: 1,
                advance,
                target,
                ..
            } if usize::from(target) == foe => (1, if advance { -1 } else { 1 }),
            ChosenAction::Wait(marks) => (Marks::from(marks), 0),
            _ => return None,
        };
        let distance = distance + way;
        // Outside of every reach no truth about distances holds.
        let clear = self.plan.clock.farthest + 1;
        if distance < clear {
            return None;
        }
        let (mut flags, mut values) = (view.actor.flags, *values);
        let marks = view.actor.marks - cost;
        let mark = self.state.clock.mark - if self.is_simple() { 0 } else { cost };
        let left = view.move_left() - way.abs();
        if way != 0 {
            flags.add(WALKED);
        }
        let useful = view.profile.would_set(view.body.in_hand).among(flags);
        let ready = !useful.any(flags::SHOT_UNSET.and(flags::SKILL_UNSET));
        let full = view.profile.costs.full;
        let truths = &mut values[TRUTHS];
        *truths &= !(IN_MELEE | CLOSE | THREATENED | READY | FULL | CAN_WALK);
        // A walk and a wait clear no deed.
        *truths |= flag_bits(flags);
        *truths |= i32::from(ready) * READY;
        *truths |= i32::from(marks >= 1 && left >= 1) * CAN_WALK;
        *truths |= i32::from(marks >= full || !flags.any(flags::ACTED)) * FULL;
        values[DISTANCE] = distance;
        values[MARKS] = marks;
        values[MARK] = mark;
        values[MOVE_LEFT] = left;
        let mut bounds = compiled_lines::FREE;
        let compiled_lines = self.compiled_lines(view.who);
        let line = compiled_lines.bounds(is_single(view.enemies), &values, &mut bounds)?;
        let free = |fact: usize| bounds[fact] == (i32::MIN, i32::MAX);
        if line != usize::from(choice.line) || !free(ENEMIES) || !free(TARGET_HEALTH) {
            return None;
        }
        // Below the cost of a Full Action a truth changes.
        let least = bounds[MARKS].0.max(if marks >= full { full } else { 1 });
        let mut often = times(marks, least, cost).min(times(mark, bounds[MARK].0.max(1), cost));
        if way != 0 {
            often = often.min(times(left, bounds[MOVE_LEFT].0.max(1), cost));
        }
        let (near, far) = bounds[DISTANCE];
        (often > 0).then_some(Repeat {
            choice,
            times: often,
            flags,
            foe: foe as u8,
            distance: (near.max(clear), far),
            health: bounds[HEALTH],
        })
    }

    /// Makes the due Unit of a move and commits to the next one, if the Unit concerns no other combatant and the
    /// next decision is known. Unless `who` is `tied`, makes all Units before the next moment of another
    /// combatant. Returns whether it made any.
    #[inline(always)]
    pub(super) fn walks_on(&mut self, who: usize, tied: bool) -> bool {
        if self.walks_unit_by_unit() || (!PLAIN && self.plan.clock.anytime.who != 0) {
            return false;
        }
        let Doing::Moving(step) = self.actor(who).doing else {
            return false;
        };
        let target = usize::from(step.target);
        let (here, there) = (self.world().position(who), self.world().position(target));
        let way = self.way(who, &step);
        let enemies = self.enemies(who);
        if !self.world().stands(target) {
            return false;
        }
        let apart = (there - here).abs();
        let only = is_single(enemies) && enemies & bit(target) != 0;
        let found = if only {
            Some((target, if step.advance { apart - 1 } else { apart + 1 }))
        } else {
            self.world().nearest_from(here + way, enemies)
        };
        let Some((foe, distance)) = found else {
            return false;
        };
        let mut units = self.quiet_units(who, way, enemies);
        if step.advance || !only {
            units = units.min(distance - self.plan.clock.farthest);
        }
        let actor = self.actor(who);
        let again = step.left == 1;
        if again {
            let repeat = &actor.repeat;
            if !repeat.holds(actor.flags, self.world().health(who), foe, distance) {
                return false;
            }
            let (near, far) = repeat.distance;
            units = units.min(repeat.times).min(if step.advance {
                distance - near + 1
            } else if only {
                (far - distance).saturating_add(1)
            } else {
                1
            });
        } else {
            let wanted = if step.advance {
                apart - step.stop
            } else {
                step.stop - apart
            };
            units = units.min(Units::from(step.left).min(wanted) - 1);
        }
        let mark = self.state.clock.mark;
        let simple = self.is_simple();
        if !simple {
            let others = self.state.clock.agenda.next_mark().unwrap_or(0);
            let quiet = !tied && (PLAIN || self.plan.fight.ends.is_empty());
            units = units.min(if quiet { (mark - others).max(1) } else { 1 });
        }
        if units < 1 || mark < 1 || way == 0 || step.cut_short || actor.spell.is_some() {
            return false;
        }
        self.state.world.set_position(who, here + way * units);
        let actor = self.actor_mut(who);
        actor.moved_units += units;
        actor.marks -= units;
        actor.flags.add(WALKED);
        actor.free_actions = 0;
        if again {
            actor.repeat.times -= units;
        } else {
            let left = step.left - units as u16;
            actor.doing = Doing::Moving(Move { left, ..step });
        }
        let counts = self.counts(who);
        counts.units_moved += units as u32;
        counts.decisions += if again { units as u32 } else { 0 };
        if !simple {
            self.actor_mut(who).wake = mark - units;
            self.wake_at(who, mark - units);
        }
        true
    }

    /// Does the same as [`walks_on`](Self::walks_on), amid other events of a moment.
    #[inline(never)]
    pub(super) fn walks_on_amid(&mut self, who: usize, tied: bool) -> bool {
        self.walks_on(who, tied)
    }

    /// Plays one beat of tied combatants, if all of them wait again or make a Unit that concerns no other combatant.
    /// Returns the combatants that then decide anew at this Mark; `None` if it has played nothing.
    pub(super) fn go_on_together(&mut self, group: u64) -> Option<u64> {
        if self.walks_unit_by_unit()
            || (!PLAIN && self.plan.clock.anytime.who != 0)
            || self.is_simple()
        {
            return None;
        }
        let mut walking = 0;
        for who in members(group) {
            let (actor, enemies) = (self.actor(who), self.enemies(who));
            let repeat = &actor.repeat;
            let (foe, distance) = self.nearest(who, enemies)?;
            let is_due = actor.wake == self.state.clock.mark && self.world().stands(who);
            let same_foe = foe == usize::from(repeat.foe);
            if repeat.times < 1 || !same_foe || !is_due || actor.spell.is_some() {
                return None;
            }
            match (actor.doing, repeat.choice.what) {
                (Doing::Deciding, ChosenAction::Wait(_)) => {
                    let health = self.world().health(who);
                    if !repeat.holds(actor.flags, health, foe, distance) {
                        return None;
                    }
                }
                (Doing::Moving(step), ChosenAction::Move { .. })
                    if step.left == 1 && !step.cut_short =>
                {
                    // Two enemies come up to two Units nearer to each other.
                    let (near, far) = repeat.distance;
                    let steady = near + 2 <= distance && distance <= far - 2;
                    let way = self.way(who, &step);
                    let swaps = |other: usize| {
                        let apart = self.world().distance(who, other);
                        apart <= 2 && self.heading(other) != way
                    };
                    if !steady
                        || enemies & group & self.plan.clock.with_car != 0
                        || self.quiet_units(who, way, enemies) < 1
                        || members(walking).any(swaps)
                    {
                        return None;
                    }
                    walking |= bit(who);
                }
                _ => return None,
            }
        }
        for who in members(group & !walking) {
            if let ChosenAction::Wait(marks) = self.actor(who).repeat.choice.what {
                self.actor_mut(who).repeat.times -= 1;
                self.counts(who).decisions += 1;
                self.wait(who, marks.into());
            }
        }
        for who in members(walking) {
            let to = self.world().position(who) + self.heading(who);
            self.state.world.set_position(who, to);
            let actor = self.actor_mut(who);
            actor.moved_units += 1;
            actor.flags.add(WALKED);
            self.counts(who).units_moved += 1;
        }
        let mut deciding = 0;
        for who in members(walking) {
            if self.repeated(who).is_some() {
                self.counts(who).decisions += 1;
                if let Doing::Moving(step) = self.actor(who).doing {
                    self.commit_step(who, step);
                }
            } else {
                self.free_at(who, self.state.clock.mark);
                deciding |= bit(who);
            }
        }
        Some(deciding)
    }

    /// Returns the direction of a move: 1, -1, or 0 from the Unit of its target.
    #[inline(always)]
    fn way(&self, who: usize, step: &Move) -> Units {
        let there = self.world().position(usize::from(step.target));
        let toward = (there - self.world().position(who)).signum();
        if step.advance { toward } else { -toward }
    }

    /// Returns the direction of the move of `who`, 0 without one.
    fn heading(&self, who: usize) -> Units {
        match self.actor(who).doing {
            Doing::Moving(step) => self.way(who, &step),
            _ => 0,
        }
    }

    /// Returns the Units that `who` can make in a direction and then make another one: its Marks and Land Speed last,
    /// no wall stops it, and it enters no enemy's Combat Action Radius.
    #[inline(always)]
    fn quiet_units(&self, who: usize, way: Units, enemies: u64) -> Units {
        let plan = self.plan;
        let (world, here, actor) = (self.world(), self.world().position(who), self.actor(who));
        let mut units = (self.move_left(who) - 1).min(actor.marks);
        if let Some(arena) = plan.fight.arena {
            let wall = if way > 0 {
                arena.max - here
            } else {
                here - arena.min
            };
            units = units.min(wall - 1);
        }
        for foe in members(enemies & plan.clock.with_car) {
            let (apart, car) = (world.distance(who, foe), plan.profiles[foe].car);
            if apart > car {
                units = units.min(apart - car - 1);
            }
        }
        units
    }
}
