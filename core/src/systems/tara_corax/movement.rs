//! Steps, and the combatants that they bring into melee or into a CAR (TC-6, TC-9, TC-16, W-3).

use super::state::{Doing, Move, Underway};
use super::{Encounter, flags};
use crate::sim::prelude::*;

/// The flags that any move sets. Being un-set for melee is not among them, because a CAR move does not cause it (TC-9,
/// TC-10, TC-11).
pub(super) const STEP: Flags = flags::MOVED
    .and(flags::STIRRED)
    .and(flags::UNSETTLED)
    .and(flags::SPOILED)
    .and(flags::SHOT_UNSET)
    .and(flags::SKILL_UNSET);

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Returns the next Unit of a move, if there is one to make and Land Speed for it (W-15).
    #[inline(always)]
    pub(super) fn next_unit(&self, who: usize, step: &Move) -> Option<Units> {
        let next = self.unit_ahead(who, step);
        if self.plan.fight.grounds.is_empty() {
            return next;
        }
        next.filter(|to| self.move_left(who) >= self.toll(*to))
    }

    /// Returns the next Unit of a move, whatever Land Speed it takes.
    #[inline(always)]
    fn unit_ahead(&self, who: usize, step: &Move) -> Option<Units> {
        let target = usize::from(step.target);
        if self.move_left(who) < 1 || !self.wants_step(who, target, step.advance, step.stop) {
            return None;
        }
        self.unit_of_move(who, target, step.advance)
    }

    /// Returns whether the Marks left pay for a Unit to that place (W-15).
    #[inline]
    pub(super) fn pays(&self, who: usize, to: Units) -> bool {
        let toll = self.toll(to);
        self.actor(who).marks >= toll && (self.is_simple() || self.state.clock.mark >= toll)
    }

    /// Returns the Land Speed that the way to a place within `reach` of a target takes (W-15).
    pub(super) fn way_takes(&self, who: usize, target: usize, reach: Units) -> Units {
        let (here, there) = (self.world().position(who), self.world().position(target));
        let way = (there - here).signum();
        let units = 1..=((there - here).abs() - reach).max(0);
        units.map(|unit| self.toll(here + way * unit)).sum()
    }

    /// Begins or continues a move: pays for the next step (TC-6).
    #[inline(always)]
    pub(super) fn commit_step(&mut self, who: usize, mut step: Move) {
        let toll = if self.plan.fight.grounds.is_empty() {
            1
        } else {
            let next = self.next_unit(who, &step);
            next.map_or(1, |to| self.toll(to))
        };
        step.toll = toll;
        let wake = self.state.clock.mark - if self.is_simple() { 0 } else { toll };
        let actor = self.actor_mut(who);
        actor.marks -= toll;
        actor.did(flags::ACTED.and(flags::STIRRED));
        actor.doing = Doing::Moving(step);
        actor.wake = wake;
        if wake < self.state.clock.mark {
            self.wake_at(who, wake);
        }
    }

    /// Makes the due step (to `unit`, if any), then continues the move or ends it.
    #[inline(always)]
    pub(super) fn step_due(&mut self, who: usize, unit: Option<Units>) {
        self.do_step(who, unit);
        self.end_step(who);
    }

    /// Lets `who` decide from `mark` on. Its Round is over at Mark 0 (TC-1), and in a Full Round when its Marks are
    /// spent. In a Simple Round it may then still take free actions (TC-21), unless it is casting.
    #[inline(always)]
    pub(super) fn free_at(&mut self, who: usize, mark: Marks) {
        let now = self.state.clock.mark;
        let simple = self.is_simple();
        let actor = self.actor_mut(who);
        let casts = |spell: Underway| spell.rounds > 0 || spell.mark != now;
        if mark >= 1 && (actor.marks >= 1 || (simple && !actor.spell.is_some_and(casts))) {
            actor.doing = Doing::Deciding;
            actor.wake = mark;
            if mark < now {
                self.wake_at(who, mark);
            }
        } else {
            actor.stop();
        }
    }

    /// Moves one Unit and applies its effects on the mover and on the combatants it comes near, including their
    /// reactions (TC-9, TC-10, TC-16).
    #[inline(always)]
    pub(super) fn step(&mut self, who: usize, to: Units, kind: MoveKind) {
        let from = self.world().position(who);
        self.state.world.set_position(who, to);
        self.counts(who).units_moved += from.abs_diff(to);
        let actor = self.actor_mut(who);
        // After a CAR move the combatant needs no Set.
        actor.flags.add(if kind == MoveKind::Car {
            STEP
        } else {
            STEP.and(flags::MELEE_UNSET)
        });
        self.note(Event::Step {
            who,
            from,
            to,
            kind,
        });
        let own_reach = self.body(who).reach;
        self.apply_ground(who);

        let mut answering = 0;
        let near = self
            .world()
            .within(who, self.enemies(who), self.plan.clock.widest);
        for foe in members(near) {
            let there = self.world().position(foe);
            let (before, after) = ((from - there).abs(), (to - there).abs());
            // Ground may have changed the mover's reach.
            if before > own_reach && after <= self.body(who).reach {
                self.actor_mut(who).flags.add(flags::ENTERED);
            }
            if after >= before {
                continue;
            }
            if came_within(before, after, self.body(foe).reach) {
                self.actor_mut(foe).flags.drop(flags::MELEE_UNSET);
            }
            // Without a radius this is -1, and no distance comes within it.
            if came_within(before, after, self.plan.profiles[foe].car) {
                answering |= bit(usize::from(self.plan.profiles[foe].rank));
            }
        }
        for place in members(answering) {
            if !PLAIN && self.decided().is_some() {
                return;
            }
            self.answer_with_car(usize::from(self.plan.clock.by_rank[place]), who);
        }
        self.anytime_amid();
    }

    /// Lets `who` react to `mover` with a CAR move (TC-16), if its policy has a line for it.
    fn answer_with_car(&mut self, who: usize, mover: usize) {
        let view = self.view(who);
        if self.world().is_out(who)
            || self.is_stunned(who)
            || view.actor.spell.is_some()
            || view.actor.channelling()
            || !self.car_leads_to(&view, mover)
            || self.may_car(&view).is_err()
        {
            return;
        }
        let line = self
            .combatant(who)
            .policy
            .at(Window::EnemyMoves)
            .iter()
            .find(|line| {
                let meant = match line.aim {
                    Aim::Named(_) => self.candidates(who, line.aim, bit(mover)) != 0,
                    Aim::Casting => self.actor(mover).spell.is_some(),
                    Aim::WeakestOfAll | Aim::StrongestOfAll => {
                        self.select(who, line.aim, 0, Units::MAX) == Some(mover)
                    }
                    Aim::Nearest | Aim::Weakest | Aim::Strongest | Aim::Trigger => true,
                    Aim::Own
                    | Aim::Ally(_)
                    | Aim::WeakestAlly
                    | Aim::AllyOrDown(_)
                    | Aim::WeakestAllyOrDown => false,
                };
                meant
                    && self.holds(
                        &view,
                        &line.condition,
                        Some((mover, self.world().distance(who, mover))),
                    )
            });
        let Some(line) = line else { return };
        if !self.attack_before_answer(who) {
            return;
        }
        self.report_line(who, line);
        self.counts(who).decisions += 1;
        self.cut_short(who);
        self.car(who, mover, None);
    }

    /// Ends the move or volley of `who`. Its Marks stay spent, including that of a step in progress (TC-16).
    pub(super) fn cut_short(&mut self, who: usize) {
        match self.actor(who).doing {
            Doing::Moving(step) => {
                self.actor_mut(who).doing = Doing::Moving(Move {
                    cut_short: true,
                    ..step
                });
            }
            Doing::Attacking(volley) => {
                let free = Marks::from(volley.begun) - self.cost(crate::fight::Cost::Full);
                self.free_at(who, free);
            }
            Doing::Nothing | Doing::Deciding | Doing::Channelling { .. } => {}
        }
    }

    /// Makes a CAR move (TC-16): `who` moves until `target` is within its reach, and is Set at once. This counts as a
    /// move into melee even if the target comes to meet it (W-5). If the target falls on the way, another by the same
    /// `aim` replaces it (W-4); a reaction has no aim, and is over.
    pub(super) fn car(&mut self, who: usize, mut target: usize, aim: Option<Aim>) {
        let actor = self.actor_mut(who);
        actor.cars += 1;
        let cars = actor.cars;
        actor.flags.add(STEP.and(flags::ENTERED));
        self.note(Event::Car {
            who,
            target,
            reaction: aim.is_none(),
        });
        let counts = self.plan.rules.car_counts_as_move;
        // A move goes to the reach that its maker had at its beginning (W-3).
        let reach = self.body(who).reach;
        while self.goes_on(who, cars) {
            // A free action between two Units may have taken the weapon, and without one there is no reach (W-2).
            if self.body(who).reach < 0 {
                break;
            }
            if !PLAIN && !self.world().stands(target) {
                let view = self.view(who);
                let other = aim.filter(|_| !view.in_melee());
                match other.and_then(|aim| self.select_for_car(&view, aim)) {
                    Some(other) => target = other,
                    None => break,
                }
            }
            if !self.wants_step(who, target, true, reach) {
                break;
            }
            let unit = self.advance_step(who, target);
            self.actor_mut(who).moved_units += Units::from(counts) * self.toll(unit);
            self.step(who, unit, MoveKind::Car);
        }
        // This Set serves melee alone (TC-10).
        self.actor_mut(who).flags.drop(flags::MELEE_UNSET);
    }

    /// Moves `who` by several Units at one instant, for a charge or Combat Casting. If the target falls on the way,
    /// `another` finds the one that replaces it (W-4). Returns the target at the end.
    pub(super) fn move_at_once(
        &mut self,
        who: usize,
        mut step: Move,
        kind: MoveKind,
        another: impl Fn(&Self) -> Option<usize>,
    ) -> usize {
        let cars = self.actor(who).cars;
        for _ in 0..step.left {
            if !PLAIN && !self.world().stands(usize::from(step.target)) {
                let Some(other) = another(self) else {
                    break;
                };
                step.target = other as u8;
            }
            let Some(unit) = self.next_unit(who, &step) else {
                break;
            };
            self.actor_mut(who).moved_units += self.toll(unit);
            self.step(who, unit, kind);
            if !self.goes_on(who, cars) {
                break;
            }
        }
        usize::from(step.target)
    }

    /// Returns whether a move of several Units goes on, begun when `who` had made that many CAR moves: a reaction of its
    /// own ends it (TC-16).
    #[inline]
    fn goes_on(&self, who: usize, cars: u8) -> bool {
        self.moves_on(who) && self.actor(who).cars == cars
    }

    /// Returns whether `who` still stands and the encounter is not decided, which a free action between two Units may
    /// have changed (W-6, W-8).
    #[inline]
    pub(super) fn moves_on(&self, who: usize) -> bool {
        PLAIN || self.world().stands(who) && self.decided().is_none()
    }

    /// Returns the aim of the decision with this index.
    #[inline]
    pub(super) fn aim(&self, who: usize, line: u16) -> Aim {
        self.line(who, line).aim
    }

    #[inline]
    pub(super) fn is_simple(&self) -> bool {
        !PLAIN && self.plan.rules.round == super::rules::Round::Simple
    }
}

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Steps<'a> for Encounter<'a, C, O, PLAIN> {
    /// Returns the Unit that the due step leads to, with a new target if the old one fell (W-4). Returns `None` if the
    /// step is not needed or not possible any more; it costs its Mark all the same (W-3).
    #[inline(always)]
    fn due_step(&mut self, who: usize) -> Option<Units> {
        let Doing::Moving(mut step) = self.actor(who).doing else {
            return None;
        };
        if step.cut_short {
            return None;
        }
        if !self.world().stands(usize::from(step.target)) {
            step.target = self.select(who, self.aim(who, step.line), 0, Units::MAX)? as u8;
            self.actor_mut(who).doing = Doing::Moving(step);
        }
        // The Land Speed that it takes was determined when it was begun (W-15).
        self.unit_ahead(who, &step)
    }

    /// Makes the due step to `unit`, or spends it on the spot.
    #[inline(always)]
    fn do_step(&mut self, who: usize, unit: Option<Units>) {
        let Doing::Moving(step) = self.actor(who).doing else {
            return;
        };
        if let Some(unit) = unit {
            self.actor_mut(who).moved_units += step.toll;
            let kind = if step.advance {
                MoveKind::Advance
            } else {
                MoveKind::Retreat
            };
            self.step(who, unit, kind);
        } else {
            self.note(Event::StepSpent {
                who,
                toll: step.toll,
            });
        }
    }

    /// Begins the next step of a move, or ends the move. If a step was spent because it would have crossed an
    /// enemy's (W-5), the rest of the move stays committed (W-3).
    #[inline(always)]
    fn end_step(&mut self, who: usize) {
        // A reaction to a combatant that the step drew in may have ended the move.
        let Doing::Moving(mut step) = self.actor(who).doing else {
            return;
        };
        // The target may have fallen amid the step.
        if !PLAIN
            && !self.world().stands(usize::from(step.target))
            && let Some(other) = self.select(who, self.aim(who, step.line), 0, Units::MAX)
        {
            step.target = other as u8;
        }
        let left = step.left - 1;
        let goes_on = !step.cut_short
            && self.world().stands(usize::from(step.target))
            && left > 0
            && self.actor(who).marks >= 1
            && self.state.clock.mark >= 1
            && self
                .next_unit(who, &step)
                .is_some_and(|to| self.pays(who, to));
        if goes_on {
            self.commit_step(who, Move { left, ..step });
        } else {
            self.free_at(who, self.state.clock.mark);
        }
    }
}

/// Returns whether a distance that shrank went from outside `radius` to inside.
#[inline]
fn came_within(before: Units, after: Units, radius: Units) -> bool {
    before > radius && after <= radius
}
