//! Simultaneous combatants act in beats (W-5): in each beat all choose on the same state; then all actions
//! but moves happen; then the movers make one Unit each, in file order.
//!
//! The content of a beat is part of a clock's state, so that an interruption can come between choice and
//! action.

use crate::fight::world::{bit, members};
use crate::fight::{MAX_COMBATANTS, Units};
use crate::sim::prelude::*;

/// What one does in one beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Part<D> {
    /// The next Unit of a move under way.
    Step,
    /// The line that was chosen.
    Choice(D),
    /// There is none.
    Pass,
}

/// Steps that several make at once.
pub(crate) trait Steps<'a>: Stage<'a> {
    /// Begins the move that was chosen, if one was; whether a Unit is due in this beat.
    fn begin_step(&mut self, who: usize) -> bool;

    /// Where that leads, if it can be made.
    fn due_step(&mut self, who: usize) -> Option<Units>;

    /// Makes it, or spends it on the spot.
    fn do_step(&mut self, who: usize, to: Option<Units>);

    /// The steps of one beat. Of two that would cross one is made, and the other is spent on the
    /// spot. Gives those who made or spent one.
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
            let crosses =
                |to: &Units| members(due).any(|other| here[other] == *to && there[other] == from);
            let to = self.due_step(who).filter(|to| !crosses(to));
            there[who] = to.unwrap_or(from);
            due |= bit(who);
            self.do_step(who, to);
        }
        due
    }
}

/// Whole beats of clocks on which choosing, acting and moving is all there is to do.
pub(crate) trait Beats<'a>: Steps<'a> {
    /// The choices.
    type Choice: Copy;

    /// What `who` does next, if its turn is not over.
    fn next_part(&mut self, who: usize) -> Option<Part<Self::Choice>>;

    /// Where that is kept until it is done.
    fn part(&mut self, who: usize) -> &mut Part<Self::Choice>;

    /// Whether it is a move.
    fn moves(choice: &Self::Choice) -> bool;

    /// Carries out all choices but moves.
    fn act_on(&mut self, who: usize, choice: Self::Choice);

    /// Is done.
    fn pass(&mut self, who: usize);

    /// Lets all choose on the same state. Returns those with an action.
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
        let mut moving = 0;
        for who in members(busy) {
            if !self.world().stands(who) {
                continue;
            }
            if self.decided().is_some() {
                return;
            }
            match *self.part(who) {
                Part::Choice(choice) if !Self::moves(&choice) => self.act_on(who, choice),
                Part::Choice(_) | Part::Step => moving |= bit(who),
                Part::Pass => self.pass(who),
            }
        }
        if self.decided().is_none() {
            self.steps(moving);
        }
    }
}
