//! Arrows: actions against other combatants, and their results.

use super::super::model::{Arrow, Outcome};
use super::Builder;
use crate::sim::events::ActionKind;

impl Builder<'_> {
    pub(super) fn arrow(&mut self) -> Option<&mut Arrow> {
        Some(&mut self.timeline.arrows[self.arrow?])
    }

    /// Changes the outcome of the last attack or spell, if it is the arrow that is meant.
    pub(super) fn correct(&mut self, outcome: Outcome, is_meant: impl Fn(&Arrow) -> bool) {
        if let Some(arrow) = self.arrow()
            && is_meant(arrow)
        {
            arrow.outcome = outcome;
        }
    }

    /// Adds attacks for which the Round has no Mark left, at its end (TC-8).
    pub(super) fn forfeited(&mut self, who: usize, attacks: usize, event: usize) {
        let volley = self.actors[who].volley;
        self.strike(who, ActionKind::Attack, volley, Outcome::Forfeited, event);
        let last = self.timeline.rounds.last();
        let at = last.map_or(0, |round| round.ticks.end.saturating_sub(1));
        if let Some(arrow) = self.arrow() {
            arrow.at = at;
            arrow.count = attacks;
        }
    }

    /// Adds the result of an action: the end of its block, and an arrow.
    pub(super) fn effect(
        &mut self,
        who: usize,
        kind: ActionKind,
        target: Option<usize>,
        outcome: Outcome,
        event: usize,
    ) {
        // If the spell takes effect before its check, both belong to the same arrow.
        if kind == ActionKind::Cast
            && let Some(arrow) = self.arrow()
            && arrow.who == who
            && !arrow.is_by_weapon()
            && arrow.events.last() == Some(&(event - 1))
        {
            arrow.outcome = outcome;
            self.follow(event);
            return;
        }
        if kind != ActionKind::Counter {
            self.act(who, kind, event);
        }
        self.strike(who, kind, target, outcome, event);
    }

    /// Adds an arrow with all events that were rolled for it before. It becomes the last one.
    pub(super) fn strike(
        &mut self,
        who: usize,
        kind: ActionKind,
        target: Option<usize>,
        outcome: Outcome,
        event: usize,
    ) {
        let open = self.actors[who].open;
        let mut events = std::mem::take(&mut self.leading);
        events.push(event);
        self.arrow = Some(self.timeline.arrows.len());
        self.timeline.arrows.push(Arrow {
            who,
            target,
            at: self.now(),
            kind,
            outcome,
            count: 1,
            damage: None,
            block: open.filter(|_| kind != ActionKind::Counter),
            events,
        });
    }

    /// Adds an event as a consequence of the last attack or spell.
    pub(super) fn follow(&mut self, event: usize) {
        let Some(arrow) = self.arrow() else {
            return;
        };
        arrow.events.push(event);
        if let Some(block) = arrow.block {
            let events = &mut self.timeline.blocks[block].events;
            if events.last() != Some(&event) {
                events.push(event);
            }
        }
    }

    /// Adds an event to the open block of a combatant. Returns whether there is an open block.
    pub(super) fn join(&mut self, who: usize, event: usize) -> bool {
        let open = self.actors[who].open;
        if let Some(open) = open {
            self.timeline.blocks[open].events.push(event);
        }
        open.is_some()
    }

    pub(super) fn damage(&mut self, who: usize, target: usize, amount: i32, event: usize) {
        if self.suffering.take() == Some(target) {
            self.join(target, event);
            return;
        }
        if who == target {
            // The combatant hurts itself, or suffers ongoing damage.
            if self.arrow.is_some() {
                self.follow(event);
            } else if !self.join(who, event) {
                self.note(who, event);
            }
            return;
        }
        match self.arrow().cloned() {
            // A further target in the area of the last spell.
            Some(arrow)
                if arrow.who == who
                    && arrow.damage.is_some()
                    && !arrow.is_by_weapon()
                    && arrow.target != Some(target) =>
            {
                self.strike(who, arrow.kind, Some(target), Outcome::Hit, event);
            }
            Some(arrow) if arrow.who == who && arrow.outcome == Outcome::Hit => self.follow(event),
            _ => self.effect(who, ActionKind::Work, Some(target), Outcome::Hit, event),
        }
        if let Some(arrow) = self.arrow() {
            // A spell whose target is gone takes another one (W-4).
            arrow.target = Some(target);
            arrow.damage = Some(arrow.damage.unwrap_or(0) + amount);
        }
    }
}
