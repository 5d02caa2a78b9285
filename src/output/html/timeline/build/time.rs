//! Time: Rounds, Phases and stages, and columns if the clock has no Marks.

use super::super::model::{Heading, Measure, Round, Tick};
use super::{Builder, Pending, TimeColumn};
use crate::fight::world::bit;
use crate::output::html::words::named;
use crate::sim::events::ActionKind;

impl Builder<'_> {
    /// Returns the number of columns.
    fn count(&self) -> Tick {
        self.columns.len() as Tick
    }

    /// Returns the beginning of the current Round.
    pub(super) fn round_begins(&self) -> Tick {
        let last = self.timeline.rounds.last();
        last.map_or(0, |round| round.ticks.start)
    }

    /// Returns the present end of a Round that begins at `begun`.
    fn round_ends(&self, begun: Tick) -> Tick {
        match self.timeline.measure {
            Measure::Marks(marks) => begun + marks as Tick + 1,
            Measure::Columns => self.count(),
        }
    }

    /// Returns the tick of the current event.
    pub(super) fn now(&self) -> Tick {
        match self.timeline.measure {
            Measure::Marks(marks) => {
                self.round_begins() + (marks - self.moment.mark).max(0) as Tick
            }
            Measure::Columns => self.count().saturating_sub(1).max(self.round_begins()),
        }
    }

    /// Returns the first free tick.
    pub(super) fn next(&self) -> Tick {
        match self.timeline.measure {
            Measure::Marks(_) => self.now(),
            Measure::Columns => self.count(),
        }
    }

    /// Returns the column for an action of `who`, which is the last column if the actions are simultaneous.
    pub(super) fn column(
        &mut self,
        who: usize,
        kind: ActionKind,
        pending: Option<Pending>,
    ) -> Tick {
        let beat = pending.map(|pending| pending.beat);
        let begun = self.round_begins();
        let count = self.count();
        if let Some(last) = self.columns.last_mut()
            && count > begun
            && last.who & bit(who) == 0
            && last.beat == beat
            && (beat.is_some() || last.stage == self.stage)
        {
            last.who |= bit(who);
            last.walks &= kind == ActionKind::Move;
            return count - 1;
        }
        self.columns.push(TimeColumn {
            beat,
            stage: self.stage,
            who: bit(who),
            walks: kind == ActionKind::Move,
        });
        self.stage_heading(count);
        count
    }

    /// Puts a new column under the heading of its stage.
    pub(super) fn stage_heading(&mut self, column: Tick) {
        let mark = self.moment.mark;
        let label = named(mark != 0, &mark.to_string());
        let phase = self.timeline.phases.last();
        let begun = phase.map_or(0, |phase| phase.ticks.start);
        let begun = self.round_begins().max(begun);
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
        let last = self.timeline.rounds.last();
        let begins = last.map_or(0, |round| round.ticks.end);
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
        if self.timeline.measure == Measure::Columns && self.count() == begun {
            self.columns.push(TimeColumn {
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
        for who in 0..self.actors.len() {
            self.actors[who].in_turn = false;
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
            Measure::Columns => self.count(),
        };
        // A forfeited attack would have come later.
        let end = self.timeline.end;
        for arrow in &mut self.timeline.arrows {
            arrow.at = arrow.at.min(end.saturating_sub(1));
        }
    }
}
