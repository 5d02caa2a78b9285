//! Lanes: health, ends and positions.

use super::super::model::{Measure, Tick};
use super::{ActorState, Builder};
use crate::fight::Units;
use crate::sim::events::MoveKind;
use std::ops::Range;

impl Builder<'_> {
    pub(super) fn score(&mut self, who: usize, score: i32, instead: bool) {
        let Measure::Marks(marks) = self.timeline.measure else {
            return;
        };
        let at = self.round_begins() + (marks - score.clamp(0, marks)) as Tick;
        let scores = &mut self.timeline.lanes[who].scores;
        if instead {
            scores.pop();
        }
        if score > 0 {
            scores.push((at, score));
        }
    }

    pub(super) fn health(&mut self, who: usize, health: i32) {
        let at = self.now();
        let course = &mut self.timeline.lanes[who].health;
        // The first entry is the initial health, and is kept whatever happens at the same tick.
        if course.len() > 1 {
            course.pop_if(|last| last.0 == at);
        }
        course.push((at, health));
    }

    pub(super) fn begin_lane(&mut self, who: usize) {
        let now = self.now();
        let lane = &mut self.timeline.lanes[who];
        lane.begins = Some(now);
        let (positions, health) = (lane.positions.iter_mut(), lane.health.iter_mut());
        for (at, _) in positions.chain(health) {
            *at = now;
        }
    }

    pub(super) fn end_lane(&mut self, who: usize, event: usize) {
        self.follow(event);
        let now = self.now();
        self.timeline.lanes[who].ended = Some((now, event));
        self.resume(who);
        self.close(who, now + 1);
        self.actors[who] = ActorState {
            free: self.actors[who].free,
            ..ActorState::default()
        };
    }

    pub(super) fn step(&mut self, who: usize, way: [Units; 2], kind: MoveKind, event: usize) {
        let now = self.now();
        let walked = match (kind, self.timeline.measure) {
            (MoveKind::CombatCasting, _) => {
                self.join(who, event);
                now..now
            }
            (_, Measure::Columns) => self.open(who).map_or(now..now, |block| block.ticks.clone()),
            (MoveKind::Advance | MoveKind::Retreat, Measure::Marks(_)) => {
                now.saturating_sub(1).max(self.round_begins())..now
            }
            (_, Measure::Marks(_)) => now..now,
        };
        self.walk(who, way, walked);
    }

    /// Adds a walk from one place at the beginning of the ticks to another at their end.
    pub(super) fn walk(&mut self, who: usize, [from, to]: [Units; 2], ticks: Range<Tick>) {
        let course = &mut self.timeline.lanes[who].positions;
        let begun = course.last().is_none_or(|last| last.0 < ticks.start);
        if begun {
            course.push((ticks.start, from));
        }
        // A continuation: in the same column, or at the same instant.
        let more = match course.as_slice() {
            [.., before, last] if ticks.is_empty() => {
                before.0 == ticks.start && last.0 == ticks.end
            }
            [_, .., last] => last.0 == ticks.end,
            _ => false,
        };
        match course.last_mut() {
            Some(last) if more && !begun => last.1 = to,
            _ => course.push((ticks.end, to)),
        }
    }
}
