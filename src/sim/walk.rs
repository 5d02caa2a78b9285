//! Moves for clocks on which a Unit takes no time of its own: a number of Units each turn (W-1, W-3).
//!
//! A clock implements [`Walk`] with the Units that are left; legality, the next Unit and the end of the move
//! are provided.

use super::decide::Decide;
use crate::fight::Units;
use crate::fight::program::{Aim, Move};
use crate::sim::Event;
use crate::sim::events::{MoveKind, Obstacle};
use crate::sim::prelude::*;

/// A move under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Stride {
    pub target: u8,
    /// Whom it is about, if the target falls.
    pub aim: Aim,
    pub advance: bool,
    /// Distance to stop at.
    pub stop: Units,
    /// Units still committed to.
    pub left: u16,
}

/// An encounter in which combatants walk Unit by Unit.
pub(crate) trait Walk<'a>: Decide<'a> {
    /// The move of `who` that is under way.
    fn stride(&self, who: usize) -> Option<Stride>;

    /// Sets it.
    fn set_stride(&mut self, who: usize, stride: Option<Stride>);

    /// Units that `who` may still make, as it moves now.
    fn units_left(&self, who: usize) -> Units;

    /// Takes off Units that were walked, or spent without a step.
    fn spend_units(&mut self, who: usize, units: Units);

    /// Returns the move of a line, for a combatant that stands upright and has Units left.
    fn legal_walk(
        &self,
        who: usize,
        aim: Aim,
        step: &Move,
        advance: bool,
    ) -> Result<Stride, Obstacle> {
        if self.world().bodies[who].prone {
            return Err(Obstacle::Prone);
        }
        if self.units_left(who) < 1 {
            return Err(Obstacle::NoUnitsLeft);
        }
        self.legal_stride(who, aim, step, advance)
    }

    /// Returns the move of a line, for a combatant that may move (W-3).
    fn legal_stride(
        &self,
        who: usize,
        aim: Aim,
        step: &Move,
        advance: bool,
    ) -> Result<Stride, Obstacle> {
        let foe = self
            .select(who, aim, 0, Units::MAX)
            .ok_or(Obstacle::NoTarget)?;
        self.stride_from(who, (foe, aim), step, advance)
    }

    /// The same, towards one who is known, or away from it. `aim` finds another if it falls.
    fn stride_from(
        &self,
        who: usize,
        (foe, aim): (usize, Aim),
        step: &Move,
        advance: bool,
    ) -> Result<Stride, Obstacle> {
        let value = |variable| {
            let target = Some((foe, self.world().distance(who, foe)));
            self.value(variable, who, target)
        };
        let (stop, left) = step
            .worked_out(self.usual_stop(who, advance), value)
            .ok_or(Obstacle::NoDistance)?;
        self.may_step(who, foe, advance, stop)?;
        Ok(Stride {
            target: foe as u8,
            aim,
            advance,
            stop,
            left,
        })
    }

    /// Where the next Unit of the move under way leads, if there is one to make.
    fn next_unit(&mut self, who: usize) -> Option<Units> {
        let mut stride = self.stride(who)?;
        if self.units_left(who) < 1 {
            return None;
        }
        if !self.world().stands(usize::from(stride.target)) {
            stride.target = self.select(who, stride.aim, 0, Units::MAX)? as u8;
            self.set_stride(who, Some(stride));
        }
        let target = usize::from(stride.target);
        if !self.wants_step(who, target, stride.advance, stride.stop) {
            None
        } else if stride.advance {
            Some(self.advance_step(who, target))
        } else {
            self.retreat_step(who, target)
        }
    }

    /// Units that a move would take if its target stayed where it is.
    fn units_ahead(&self, who: usize, stride: &Stride) -> Units {
        let target = usize::from(stride.target);
        let distance = self.world().distance(who, target);
        let room = if stride.advance {
            distance - stride.stop
        } else {
            let here = self.world().position(who);
            let wall = match (self.retreat_step(who, target), self.fight().arena) {
                (None, _) => 0,
                (Some(next), Some(arena)) if next > here => arena.max - here,
                (Some(_), Some(arena)) => here - arena.min,
                (Some(_), None) => Units::MAX,
            };
            wall.min(stride.stop - distance)
        };
        room.min(Units::from(stride.left))
    }

    /// Makes all but the last of the due Units at once, if no interruption is possible and no observer listens. The last
    /// one ends the move as usual.
    fn walk_at_once(&mut self, who: usize) {
        let Some(first) = self.next_unit(who) else {
            return;
        };
        let Some(stride) = self.stride(who) else {
            return;
        };
        let here = self.world().position(who);
        let way = first - here;
        let units = self.units_ahead(who, &stride).min(self.units_left(who)) - 1;
        if units < 1 {
            return;
        }
        self.world_mut().set_position(who, here + way * units);
        self.record().combatants[who].units_moved += units as u32;
        self.spend_units(who, units);
        let left = stride.left - units as u16;
        self.set_stride(who, Some(Stride { left, ..stride }));
    }

    /// Makes a Unit of a move.
    fn make_unit(&mut self, who: usize, to: Units, advance: bool) {
        let from = self.world().position(who);
        self.world_mut().set_position(who, to);
        self.record().combatants[who].units_moved += 1;
        let kind = if advance {
            MoveKind::Advance
        } else {
            MoveKind::Retreat
        };
        self.note(Event::Step {
            who,
            from,
            to,
            kind,
        });
    }

    /// Makes the Unit that is due, or spends it on the spot, then goes on with the move or ends it. One
    /// spent because it would have crossed another's (W-5) leaves the rest committed to (W-3).
    fn make_step(&mut self, who: usize, to: Option<Units>) {
        let Some(stride) = self.stride(who) else {
            return;
        };
        self.spend_units(who, 1);
        if let Some(to) = to {
            self.make_unit(who, to, stride.advance);
        } else {
            self.note(Event::StepSpent { who });
        }
        let left = stride.left - 1;
        self.set_stride(who, Some(Stride { left, ..stride }));
        if left == 0 || self.next_unit(who).is_none() {
            self.set_stride(who, None);
        }
    }
}
