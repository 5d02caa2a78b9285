//! Moving Unit by Unit in a turn of one's own (W-1, W-3): what a line comes to, where the next Unit
//! leads, and making it. How many Units a turn allows is the clock's business.

use super::stage::Stage;
use crate::engine::Event;
use crate::engine::events::{MoveKind, Obstacle};
use crate::fight::Units;
use crate::policy::{Aim, Move};

/// A move under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Stride {
    pub target: u8,
    /// Index of the policy line among the decisions, for its aim.
    pub line: u16,
    pub advance: bool,
    /// Distance to stop at.
    pub stop: Units,
    /// Units still committed to.
    pub left: u16,
}

/// Walking, for every clock that has a [`Stage`].
pub(super) trait Walk<'a>: Stage<'a> {
    /// What a line that moves comes to, if it leads anywhere; the index of the line is still to be
    /// filled in.
    fn stride(&self, who: usize, aim: Aim, step: &Move, advance: bool) -> Result<Stride, Obstacle> {
        let foe = self
            .select(who, aim, 0, Units::MAX)
            .ok_or(Obstacle::NoTarget)?;
        let stop = match step.to {
            Some(to) => to as Units,
            None if advance => self.world().bodies[who].reach.max(0),
            None => Units::MAX,
        };
        if !self.wants_step(who, foe, advance, stop) {
            return Err(Obstacle::InPlace);
        }
        if !advance && self.retreat_step(who, foe).is_none() {
            return Err(Obstacle::Wall);
        }
        Ok(Stride {
            target: foe as u8,
            line: 0,
            advance,
            stop,
            left: step.units.unwrap_or(1),
        })
    }

    /// The move with another target by the same rule, if its own has fallen (W-4).
    fn follow(&self, who: usize, stride: Stride) -> Option<Stride> {
        if self.world().stands(usize::from(stride.target)) {
            return Some(stride);
        }
        let line = &self.fight().combatants[who].policy.decisions[usize::from(stride.line)];
        let target = self.select(who, line.aim, 0, Units::MAX)? as u8;
        Some(Stride { target, ..stride })
    }

    /// Where the next Unit of a move leads, if there is one to make.
    fn next_unit(&self, who: usize, stride: &Stride) -> Option<Units> {
        let target = usize::from(stride.target);
        if !self.wants_step(who, target, stride.advance, stride.stop) {
            None
        } else if stride.advance {
            Some(self.advance_step(who, target))
        } else {
            self.retreat_step(who, target)
        }
    }

    /// Makes a Unit of a move.
    fn make_unit(&mut self, who: usize, to: Units, advance: bool) {
        let from = std::mem::replace(&mut self.world_mut().bodies[who].position, to);
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
}

impl<'a, S: Stage<'a>> Walk<'a> for S {}
