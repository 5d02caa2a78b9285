//! Simultaneous combatants act in beats (W-5): in each beat all choose on the same state; then all actions
//! but moves happen; then the movers make one Unit each, in file order.
//!
//! The content of a beat is part of a clock's state, so that an interruption can come between choice and
//! action.

use crate::sim::decide::Choice;
use crate::sim::deeds::ChosenAction;
use crate::sim::prelude::*;

/// The part of one combatant in one beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Part<D> {
    /// The next Unit of a move under way.
    Step,
    /// The line that was chosen.
    Choice(D),
    /// No line was chosen.
    Pass,
}

impl<T: Copy> Part<Choice<ChosenAction<T>>> {
    /// The chosen move with its line, if it is one.
    pub(crate) fn walk(&self) -> Option<(u16, MoveInProgress)> {
        match self {
            Self::Choice(Choice {
                line,
                what: ChosenAction::Move(current_move),
            }) => Some((*line, *current_move)),
            _ => None,
        }
    }
}

/// Makes the simultaneous steps of several combatants.
pub(crate) trait Steps<'a>: Stage<'a> {
    /// Begins the chosen move, if one was chosen. Returns whether a Unit is due in this beat.
    fn begin_step(&mut self, _who: usize) -> bool {
        true
    }

    /// The position after the Unit that is due, if it can be made.
    fn due_step(&mut self, who: usize) -> Option<Units>;

    /// Makes the Unit that is due, or spends it on the spot.
    fn do_step(&mut self, who: usize, to: Option<Units>);

    /// Begins the next Unit of the move, or ends the move.
    fn end_step(&mut self, who: usize);

    /// Makes the steps of one beat. Of two steps of enemies that would cross, one is made and the other is spent on the
    /// spot. Moves go on, or end, in the state that all of these steps lead to. Returns the combatants that made or spent
    /// one.
    fn steps(&mut self, moving: u64) -> u64 {
        if moving == 0 {
            return 0;
        }
        let mut here: [Units; MAX_COMBATANTS] = [0; MAX_COMBATANTS];
        for who in members(moving) {
            here[who] = self.world().position(who);
        }
        let mut there = here;
        let mut due = 0;
        for who in members(moving) {
            if !self.world().stands(who) || !self.begin_step(who) {
                continue;
            }
            let from = self.world().position(who);
            let allies = self.constants().side(self.combatant(who).side);
            let crosses = |to: &Units| {
                members(due & !allies).any(|foe| here[foe] == *to && there[foe] == from)
            };
            let to = self.due_step(who).filter(|to| !crosses(to));
            there[who] = to.unwrap_or(from);
            due |= bit(who);
            self.do_step(who, to);
        }
        for who in members(due) {
            self.end_step(who);
        }
        due
    }
}

/// Plays whole beats, on clocks where combatants only choose, act and move.
pub(crate) trait Beats<'a, T: Copy>: Steps<'a> {
    /// The next part of `who`, if its turn is not over.
    fn next_part(&mut self, who: usize) -> Option<Part<Choice<ChosenAction<T>>>>;

    /// The part of `who`, kept until it is carried out.
    fn part(&mut self, who: usize) -> &mut Part<Choice<ChosenAction<T>>>;

    /// Carries out a choice that is no move.
    fn begin(&mut self, who: usize, choice: Choice<ChosenAction<T>>);

    /// Ends the turn of a combatant that chose no line.
    fn pass(&mut self, who: usize);

    /// Lets all of `group` choose on the same state. Returns the combatants whose turn is not over.
    fn declare(&mut self, group: u64) -> u64 {
        let mut busy = 0;
        for who in members(group & self.world().standing()) {
            if let Some(part) = self.next_part(who) {
                *self.part(who) = part;
                busy |= bit(who);
            }
        }
        busy
    }

    /// Carries out the choices until the encounter is decided (W-6).
    fn carry_out(&mut self, busy: u64) {
        let (mut moving, mut standing) = (0, 0);
        for who in members(busy) {
            if !self.world().stands(who) {
                continue;
            }
            if self.is_decided_since(&mut standing) {
                return;
            }
            match *self.part(who) {
                Part::Choice(choice) if !choice.what.is_move() => self.begin(who, choice),
                Part::Choice(_) | Part::Step => moving |= bit(who),
                Part::Pass => self.pass(who),
            }
        }
        self.fall_together();
        if !self.is_decided_since(&mut standing) {
            self.steps(moving);
        }
    }
}
