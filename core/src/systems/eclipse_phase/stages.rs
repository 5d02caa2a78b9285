//! Stages (EP-3, EP-6): beat by beat, interruptions first.
//!
//! An interrupted combatant stays on the stack with its declared action and goes on when the frames above are
//! done. No call keeps state.

use super::choose::{Choice, ChosenAction, StageAction};
use super::state::Doing;
use super::{Encounter, flags};
use crate::sim::prelude::*;

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Pushes a stage of a group on the stack, and begins it for each member.
    pub(super) fn enter(&mut self, group: u64, begin: impl Fn(&mut Self, usize)) {
        let leader = group.trailing_zeros() as usize;
        let together = several(self.world().able(group));
        let doing = Doing {
            group,
            together,
            declared: 0,
            initiative: if O::LISTENS { self.total(leader) } else { 0 },
        };
        self.state.stack.push(leader, doing);
        self.state.put_off.together = together;
        for who in members(group) {
            begin(self, who);
        }
    }

    /// Ends the stage on top: pending damage counts.
    fn leave_stage(&mut self) {
        let Some(stage) = self.state.stack.top() else {
            return;
        };
        let group = stage.doing.group;
        self.settle();
        for who in members(group) {
            self.end_stage(who);
        }
        self.state.stack.pop();
        let below = self.state.stack.top();
        self.state.put_off.together = below.map_or(0, |stage| stage.doing.together);
    }

    /// Ends the stage of a combatant, unless it has only gone on with a move.
    #[inline]
    fn end_stage(&mut self, who: usize) {
        let flags = self.actor(who).flags;
        if !flags.any(flags::ACTING) {
            return;
        }
        if self.counts_turns() && self.decided().is_none() {
            self.reach_turn_of(who, false);
        }
        if !flags.any(flags::INTERRUPTING) {
            self.end_place(who);
        }
    }

    /// Returns whether `who` can take no other line in this stage.
    #[inline]
    pub(super) fn has_nothing_left(&self, who: usize) -> bool {
        let foe = self.actor(who).attacked.into();
        self.has_complex(who).is_err()
            && self.has_no_line_left(who, self.plan.profiles[who].rest, foe)
    }

    /// Plays the stage of a combatant that no other can interrupt: it does each choice at once, and only an observer
    /// needs the stack, for the total of the stage.
    pub(super) fn run_alone(&mut self, who: usize) -> Option<Ending> {
        if O::LISTENS {
            self.enter(bit(who), Self::begin_place);
        } else {
            self.begin_place(who);
        }
        let standing = self.world().standing();
        while self.world().stands(who)
            && (standing == self.world().standing() || self.decided().is_none())
            && let Some(part) = self.next_part(who)
        {
            match part {
                Part::Choice(choice) if !choice.what.is_move() => self.begin(who, choice),
                Part::Pass => self.pass(who),
                Part::Choice(_) | Part::Step => {
                    if let Some((line, current_move)) = part.walk() {
                        self.begin_alone(who, line, current_move);
                    }
                    let to = self.next_unit(who);
                    self.do_step(who, to);
                    self.end_step(who);
                }
            }
        }
        if O::LISTENS {
            self.leave_stage();
        } else {
            self.end_stage(who);
        }
        let fell = standing != self.world().standing();
        let ending = if fell { self.decided() } else { None };
        ending.or_else(|| self.ends_by_distance())
    }

    /// Plays the stages on the stack until all are over.
    pub(super) fn run(&mut self) -> Option<Ending> {
        while let Some(stage) = self.state.stack.top() {
            let mut doing = stage.doing;
            if doing.declared == 0 {
                doing.declared = self.declare(doing.group);
                if doing.declared == 0 {
                    self.leave_stage();
                    let ending = self.decided().or_else(|| self.ends_by_distance());
                    if ending.is_some() {
                        return self.unwind(ending);
                    }
                    continue;
                }
                if self.state.clock.delayed == 0 && self.walk_together(doing.declared) {
                    continue;
                }
                self.state.stack.set(doing);
            }
            // A declared action waits for interruptions.
            if self.state.clock.delayed != 0 && self.is_point(doing.declared) && self.interrupted()
            {
                continue;
            }
            let declared = std::mem::take(&mut doing.declared);
            self.state.stack.set(doing);
            self.carry_out(declared);
            let ending = self.decided();
            if ending.is_some() {
                return self.unwind(ending);
            }
        }
        None
    }

    /// Ends the encounter: pending damage of all stages counts.
    fn unwind(&mut self, ending: Option<Ending>) -> Option<Ending> {
        while self.state.stack.depth() > 0 {
            self.leave_stage();
        }
        self.decided().or(ending)
    }

    /// Returns whether the declared action can be interrupted: a Complex, Task or Quick Action, or a step (EP-6).
    fn is_point(&self, declared: u64) -> bool {
        members(declared).any(|who| match &self.state.parts[who] {
            Part::Step => true,
            Part::Choice(choice) => matches!(
                choice.what,
                ChosenAction::Do(_)
                    | ChosenAction::Move(_)
                    | ChosenAction::Own(StageAction::Task { .. })
            ),
            Part::Pass => false,
        })
    }

    /// Offers the delayed actions at a point, all in the same state; of the willing combatants, those with the highest
    /// total act. Returns whether one does.
    pub(super) fn interrupted(&mut self) -> bool {
        // A delayed action of a combatant that acts in a stage on the stack waits until the stage is over (W-5).
        let stages = self.state.stack.frames().iter();
        let busy = stages.fold(0, |all, stage| all | stage.doing.group);
        let mut willing = 0;
        for who in members(self.state.clock.delayed & !busy) {
            let lines = self.combatant(who).policy.at(Window::Delayed);
            if self.answer(who, lines).is_some() {
                willing |= bit(who);
            }
        }
        if willing == 0 {
            return false;
        }
        let group = self.highest(willing);
        for who in members(group) {
            self.answers(who, self.combatant(who).policy.at(Window::Delayed));
            self.counts(who).phases.interruptions += 1;
        }
        self.enter(group, Self::begin_delayed);
        true
    }

    /// Reports and counts the first of these lines that holds as taken.
    pub(super) fn answers(&mut self, who: usize, lines: &[Line]) {
        if let Some(line) = self.answer(who, lines) {
            self.take_line(who, &lines[usize::from(line)]);
        }
    }

    /// Returns whether an enemy of `who` has declared an action for which `such` returns true, or if `steps` the next step
    /// of a move, and has not done it yet. It must be in the stage that `who` interrupts or would interrupt: the topmost
    /// that is not its own.
    pub(super) fn declared(
        &self,
        who: usize,
        steps: bool,
        such: impl Fn(usize, &ChosenAction) -> bool,
    ) -> bool {
        let mut stages = self.state.stack.frames().iter().rev();
        let declared = stages
            .find(|stage| stage.doing.group & bit(who) == 0)
            .map_or(0, |stage| stage.doing.declared);
        members(declared & self.enemies(who)).any(|foe| match &self.state.parts[foe] {
            Part::Choice(choice) => such(foe, &choice.what),
            Part::Step => steps,
            Part::Pass => false,
        })
    }
}

/// Returns a group that acts simultaneously; none for a single combatant.
const fn several(group: u64) -> u64 {
    if is_single(group) { 0 } else { group }
}

impl<'a, C: Chance, O: ClockObserver> Steps<'a> for Encounter<'a, C, O> {
    fn begin_step(&mut self, who: usize) -> bool {
        if let Some((line, current_move)) = self.part(who).walk() {
            self.begin_move(who, line, current_move);
        }
        self.actor(who).moving.is_some()
    }

    fn due_step(&mut self, who: usize) -> Option<Units> {
        // An interruption may have held a combatant that decides anew before each Unit (EP-6).
        let under_way = self.actor(who).under_way;
        let decides = under_way.is_some_and(|rest| rest.committed.is_none());
        if decides && (self.body(who).prone || self.world().is_stunned(who)) {
            return None;
        }
        self.next_unit(who)
    }

    fn do_step(&mut self, who: usize, to: Option<Units>) {
        if to.is_some() {
            self.watch_first(who);
        }
        self.make_step(who, to);
    }

    fn end_step(&mut self, who: usize) {
        let made = self.current_move(who);
        self.continue_move(who);
        if let Some(made) = made {
            self.keep_under_way(who, made);
        }
    }
}

impl<'a, C: Chance, O: ClockObserver> Beats<'a, StageAction> for Encounter<'a, C, O> {
    fn next_part(&mut self, who: usize) -> Option<Part<Choice>> {
        let actor = self.actor(who);
        if actor.flags.any(flags::DONE) {
            None
        } else if actor.moving.is_some() {
            Some(Part::Step)
        } else if actor.flags.any(flags::ACTING) {
            let choice = self.choose(who);
            if choice.is_none() && !O::LISTENS {
                // Only an observer sees at which beat the combatant passes.
                self.actor_mut(who).flags.add(flags::DONE);
                return None;
            }
            Some(choice.map_or(Part::Pass, Part::Choice))
        } else {
            self.goes_on(who).map(Part::Choice)
        }
    }

    fn part(&mut self, who: usize) -> &mut Part<Choice> {
        &mut self.state.parts[who]
    }

    fn begin(&mut self, who: usize, choice: Choice) {
        let line = self.line(who, choice.line);
        match choice.what {
            ChosenAction::Do(Deed::Attack { weapon, target }) => {
                self.attack(who, usize::from(weapon), target.into(), line.aim);
            }
            ChosenAction::Do(Deed::Use { item, target }) => {
                if self.is_complex(who, &choice.what) {
                    self.take_complex(who, flags::COMPLEX);
                } else {
                    self.take_quick(who);
                }
                let used = self.counts(who).items_used;
                self.use_again(who, item, target, line.aim, Penalties::default());
                if self.counts(who).items_used > used {
                    self.watch_first(who);
                }
            }
            ChosenAction::Do(Deed::Draw(weapon)) => {
                self.take_quick(who);
                if self.can_draw(who, weapon) {
                    self.watch_first(who);
                    self.draw(who, usize::from(weapon));
                } else {
                    self.note(Event::DrawLost { who, weapon });
                }
            }
            ChosenAction::Do(Deed::Stand) => {
                self.take_quick(who);
                self.watch_first(who);
                self.get_up(who);
            }
            ChosenAction::Own(StageAction::Task { task, .. }) => {
                self.work(who, task.into(), line.aim);
            }
            ChosenAction::Own(StageAction::Delay) => self.delay(who),
            ChosenAction::Leave(how) => {
                self.watch_first(who);
                self.leave(who, how);
            }
            ChosenAction::Pass => self.pass(who),
            // Moves are made in steps; answers are taken where they are asked for; there are no spells.
            ChosenAction::Move(_)
            | ChosenAction::Own(StageAction::Answer)
            | ChosenAction::Do(Deed::Cast { .. }) => {}
        }
    }

    fn pass(&mut self, who: usize) {
        self.actor_mut(who).flags.add(flags::DONE);
        self.note(Event::StageOver { who });
    }
}
