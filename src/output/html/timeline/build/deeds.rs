//! Blocks: the actions of each combatant, and when they begin and end.

use super::super::model::{Block, LastingState, Measure, Note, Tick};
use super::{Builder, Pending, TimeColumn};
use crate::sim::events::ActionKind;

impl Builder<'_> {
    pub(super) fn open(&self, who: usize) -> Option<&Block> {
        Some(&self.timeline.blocks[self.actors[who].open?])
    }

    pub(super) fn open_kind(&self, who: usize) -> Option<ActionKind> {
        self.open(who).map(|block| block.kind)
    }

    /// Adds an event of a combatant: to its open block, or to a new one.
    pub(super) fn act(&mut self, who: usize, deed: ActionKind, event: usize) {
        self.arrow = None;
        self.resume(who);
        let now = self.now();
        let pending = self.actors[who].pending.take();
        let begun = pending.map_or(self.next(), |pending| pending.at);
        let block = match self.actors[who].open {
            Some(open) if self.goes_on(open, deed, pending) => open,
            _ => {
                self.close(who, begun);
                self.begin(who, deed, pending)
            }
        };
        self.actors[who].in_turn = true;
        let decided = pending.map(|pending| pending.event);
        let leading = self.leading.iter().copied();
        let events = &mut self.timeline.blocks[block].events;
        events.extend(decided.into_iter().chain(leading).chain([event]));
        if self.timeline.measure.is_marks() && deed == ActionKind::Move {
            let ticks = &mut self.timeline.blocks[block].ticks;
            ticks.end = ticks.end.max(now);
        }
    }

    /// Returns whether an event continues the open block.
    pub(super) fn goes_on(&self, open: usize, deed: ActionKind, pending: Option<Pending>) -> bool {
        let block = &self.timeline.blocks[open];
        if block.kind != deed {
            return false;
        }
        match (self.timeline.measure, pending) {
            (Measure::Marks(_), Some(pending)) => {
                deed.goes_on() && (deed.lasts() || block.ticks.end >= pending.at)
            }
            // Combatants that walk at the same time take their steps in turn, each in its own column.
            (Measure::Columns, Some(_)) => {
                let since = &self.columns[block.ticks.start as usize + 1..];
                let walks = |column: &TimeColumn| column.walks && column.stage == self.stage;
                deed.goes_on()
                    && (since.is_empty() || deed == ActionKind::Move && since.iter().all(walks))
            }
            (_, None) => true,
        }
    }

    /// Starts a new block, now or at the moment of its decision.
    pub(super) fn begin(
        &mut self,
        who: usize,
        kind: ActionKind,
        pending: Option<Pending>,
    ) -> usize {
        let ticks = match self.timeline.measure {
            Measure::Columns => {
                let column = self.column(who, kind, pending);
                column..column + 1
            }
            Measure::Marks(_) => {
                let begun = match pending {
                    Some(pending) => pending.at,
                    // A step takes the Mark before the present one.
                    None if kind == ActionKind::Move => self.now().saturating_sub(1),
                    None => self.now(),
                };
                let begun = begun.max(self.actors[who].free);
                begun..begun
            }
        };
        self.timeline.blocks.push(Block {
            who,
            kind,
            ticks,
            labels: Vec::new(),
            events: Vec::new(),
        });
        let block = self.timeline.blocks.len() - 1;
        self.actors[who].open = Some(block);
        block
    }

    /// Ends the open block of a combatant.
    pub(super) fn close(&mut self, who: usize, at: Tick) {
        let Some(open) = self.actors[who].open.take() else {
            return;
        };
        let block = &mut self.timeline.blocks[open];
        if self.timeline.measure.is_marks() && block.kind.lasts() {
            block.ticks.end = block.ticks.end.max(at);
        }
        self.actors[who].free = block.ticks.end;
    }

    /// Ends a turn or a stage, or the Round of a combatant without further actions.
    pub(super) fn over(&mut self, who: usize) {
        self.arrow = None;
        self.leading.clear();
        self.stage += 1;
        self.close(who, self.now());
        self.actors[who].pending = None;
        self.actors[who].in_turn = false;
    }

    pub(super) fn pause(&mut self, who: usize) {
        let at = self.next();
        self.close(who, at);
        self.actors[who].paused.get_or_insert(at);
    }

    /// Ends an interruption, if there is one.
    pub(super) fn resume(&mut self, who: usize) {
        if let Some(since) = self.actors[who].paused.take() {
            let ticks = since..self.next();
            if !ticks.is_empty() {
                self.timeline.states.push(LastingState {
                    who,
                    ticks,
                    condition: None,
                    events: Vec::new(),
                });
            }
        }
    }

    /// Begins a condition, lets it last on, or ends it.
    pub(super) fn condition(&mut self, who: usize, condition: u8, is_over: bool, event: usize) {
        let (now, next) = (self.now(), self.next());
        let is_open = |state: &&mut LastingState| {
            state.who == who && state.condition == Some(condition) && state.ticks.end == Tick::MAX
        };
        if let Some(state) = self.timeline.states.iter_mut().find(is_open) {
            state.events.push(event);
            if is_over {
                state.ticks.end = next.max(state.ticks.start);
            }
        } else if !is_over {
            self.timeline.states.push(LastingState {
                who,
                ticks: now..Tick::MAX,
                condition: Some(condition),
                events: vec![event],
            });
        }
    }

    pub(super) fn note(&mut self, who: usize, event: usize) {
        let at = self.now();
        self.timeline.notes.push(Note { who, at, event });
    }
}
