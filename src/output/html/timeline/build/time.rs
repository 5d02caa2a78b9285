//! Time: Rounds, Phases and stages, and columns if the clock has no Marks.

use super::super::model::{Deed, Heading, Measure, Round, Tick};
use super::{Builder, Column, Pending};
use crate::fight::world::bit;

impl Builder {
    /// Returns the beginning of the current Round.
    pub(super) fn round_begins(&self) -> Tick {
        self.timeline
            .rounds
            .last()
            .map_or(0, |round| round.ticks.start)
    }

    /// Returns the present end of a Round that begins at `begun`.
    fn round_ends(&self, begun: Tick) -> Tick {
        match self.timeline.measure {
            Measure::Marks(marks) => begun + marks as Tick + 1,
            Measure::Columns => self.columns.len() as Tick,
        }
    }

    /// Returns the tick of the current event.
    pub(super) fn now(&self) -> Tick {
        match self.timeline.measure {
            Measure::Marks(marks) => {
                self.round_begins() + (marks - self.moment.mark).max(0) as Tick
            }
            Measure::Columns => {
                let last = (self.columns.len() as Tick).saturating_sub(1);
                last.max(self.round_begins())
            }
        }
    }

    /// Returns the first free tick.
    pub(super) fn next(&self) -> Tick {
        match self.timeline.measure {
            Measure::Marks(_) => self.now(),
            Measure::Columns => self.columns.len() as Tick,
        }
    }

    /// Returns the column for an action of `who`, which is the last column if the actions are simultaneous.
    pub(super) fn column(&mut self, who: usize, kind: Deed, pending: Option<Pending>) -> Tick {
        let beat = pending.map(|pending| pending.beat);
        let begun = self.round_begins();
        let count = self.columns.len() as Tick;
        if let Some(last) = self.columns.last_mut()
            && count > begun
            && last.who & bit(who) == 0
            && last.beat == beat
            && (beat.is_some() || last.stage == self.stage)
        {
            last.who |= bit(who);
            last.walks &= kind == Deed::Move;
            return count - 1;
        }
        self.columns.push(Column {
            beat,
            stage: self.stage,
            who: bit(who),
            walks: kind == Deed::Move,
        });
        self.stage_heading(count);
        count
    }

    /// Puts a new column under the heading of its stage.
    pub(super) fn stage_heading(&mut self, column: Tick) {
        let mark = self.moment.mark;
        let label = if mark == 0 {
            String::new()
        } else {
            mark.to_string()
        };
        let phase = self
            .timeline
            .phases
            .last()
            .map_or(0, |phase| phase.ticks.start);
        let begun = self.round_begins().max(phase);
        match self.timeline.stages.last_mut() {
            Some(last)
                if last.label == label && last.ticks.end == column && last.ticks.start >= begun =>
            {
                last.ticks.end = column + 1;
            }
            _ => self.timeline.stages.push(Heading {
                ticks: column..column + 1,
                label,
            }),
        }
    }

    pub(super) fn round(&mut self) {
        self.end_round();
        let begins = match self.timeline.measure {
            Measure::Marks(_) => self
                .timeline
                .rounds
                .last()
                .map_or(0, |round| round.ticks.end),
            Measure::Columns => self.columns.len() as Tick,
        };
        self.timeline.rounds.push(Round {
            number: self.moment.round,
            ticks: begins..self.round_ends(begins),
            watched: None,
        });
    }

    /// Ends all open blocks at the end of a Round, except spells that carry over (TC-12).
    pub(super) fn end_round(&mut self) {
        self.arrow = None;
        self.leading.clear();
        self.stage += 1;
        let Some(last) = self.timeline.rounds.last() else {
            return;
        };
        let begun = last.ticks.start;
        if self.timeline.measure == Measure::Columns && self.columns.len() as Tick == begun {
            self.columns.push(Column {
                beat: None,
                stage: self.stage,
                who: 0,
                walks: false,
            });
        }
        self.end_phase();
        let end = self.round_ends(begun);
        for who in 0..self.actors.len() {
            self.resume(who);
            if self.timeline.measure == Measure::Columns || self.actors[who].spell.is_none() {
                // Actions that last end at Mark 0.
                self.close(who, end.saturating_sub(1));
            }
            self.actors[who].pending = None;
            self.actors[who].in_turn = false;
        }
        if let Some(last) = self.timeline.rounds.last_mut() {
            last.ticks.end = end;
        }
    }

    pub(super) fn phase(&mut self, phase: u32) {
        self.arrow = None;
        self.stage += 1;
        self.end_phase();
        for actor in &mut self.actors {
            actor.in_turn = false;
        }
        for who in 0..self.actors.len() {
            self.close(who, self.now());
        }
        let begins = self.next();
        self.timeline.phases.push(Heading {
            ticks: begins..begins,
            label: format!("Phase {phase}"),
        });
    }

    /// Ends the last Phase. A Phase in which nothing is drawn has no heading.
    pub(super) fn end_phase(&mut self) {
        let (end, begun) = (self.next(), self.round_begins());
        if let Some(last) = self.timeline.phases.last_mut()
            && last.ticks.start >= begun
            && last.ticks.is_empty()
        {
            last.ticks.end = end;
            if last.ticks.is_empty() {
                self.timeline.phases.pop();
            }
        }
    }

    pub(super) fn end(&mut self) {
        let now = self.now();
        for who in 0..self.actors.len() {
            self.resume(who);
            self.close(who, now + 1);
        }
        self.end_round();
        self.timeline.end = match self.timeline.measure {
            Measure::Marks(_) => now + 1,
            Measure::Columns => self.columns.len() as Tick,
        };
        // A forfeited attack would have come later.
        let end = self.timeline.end;
        for arrow in &mut self.timeline.arrows {
            arrow.at = arrow.at.min(end.saturating_sub(1));
        }
    }
}
