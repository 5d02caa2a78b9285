//! The stack of interrupted combatants, which is part of the state.
//!
//! Each [`Frame`] is one combatant's unfinished action. An interruption pushes a frame and is finished first; then the
//! frame below goes on where it was. No progress is kept on the call stack, so a state in the middle of an interrupt
//! can be compared, copied and shown.
//!
//! The clock's rules bound the depth: each combatant has at most one action to interrupt with, and uses it up by doing
//! so.

use crate::sim::prelude::*;

/// An unfinished action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Frame<D> {
    pub who: u8,
    /// Its progress, as the clock represents it.
    pub doing: D,
    /// The combatants still to interrupt it before it goes on.
    pub waiting: u64,
}

/// All unfinished actions; the current one is on top.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Interrupts<D> {
    /// Allocated once, for the deepest stack.
    frames: Vec<Frame<D>>,
    deepest: usize,
}

impl<D: Copy> Interrupts<D> {
    /// Reserves room for the deepest stack: one frame for each combatant.
    pub(crate) fn new(combatants: usize) -> Self {
        let deepest = combatants + 1;
        let frames = Vec::with_capacity(deepest);
        Self { frames, deepest }
    }

    /// Begins an action of `who`, which interrupts the one on top, if any.
    #[inline]
    pub(crate) fn push(&mut self, who: usize, doing: D) {
        debug_assert!(self.frames.len() < self.deepest, "interrupts are bounded");
        self.frames.push(Frame {
            who: who as u8,
            doing,
            waiting: 0,
        });
    }

    /// Ends the action on top. Returns its combatant and the interrupted one, if any.
    pub(crate) fn pop(&mut self) -> Option<(usize, Option<usize>)> {
        let over = usize::from(self.frames.pop()?.who);
        let below = self.frames.last().map(|frame| usize::from(frame.who));
        Some((over, below))
    }

    /// The action on top.
    #[inline]
    pub(crate) fn top(&self) -> Option<&Frame<D>> {
        self.frames.last()
    }

    /// Sets the progress of the action on top.
    #[inline]
    pub(crate) fn set(&mut self, doing: D) {
        if let Some(frame) = self.frames.last_mut() {
            frame.doing = doing;
        }
    }

    /// Adds combatants that interrupt the action on top before it goes on.
    pub(crate) fn wait(&mut self, interrupters: u64) {
        if let Some(frame) = self.frames.last_mut() {
            frame.waiting |= interrupters;
        }
    }

    /// Takes the next combatant that is to interrupt the action on top: the least by `rank`.
    #[inline]
    pub(crate) fn next_waiting<K: Ord>(&mut self, rank: impl Fn(usize) -> K) -> Option<usize> {
        let frame = self.frames.last_mut()?;
        let next = members(frame.waiting).min_by_key(|who| rank(*who))?;
        frame.waiting &= !bit(next);
        Some(next)
    }

    /// The number of unfinished actions: all but one of them are interrupted.
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// All frames, from the first that was interrupted to the one on top.
    pub(crate) fn frames(&self) -> &[Frame<D>] {
        &self.frames
    }

    /// Copies `other` into the buffer that is there.
    pub(crate) fn reset_to(&mut self, other: &Self) {
        self.frames.clear();
        self.frames.extend_from_slice(&other.frames);
    }
}

#[cfg(test)]
mod tests {
    use super::Interrupts;
    use crate::fight::world::bit;

    #[test]
    fn who_was_interrupted_goes_on_where_it_was() {
        let mut stack = Interrupts::new(3);
        stack.push(0, "walks");
        stack.set("about to step");
        stack.push(1, "shoots");
        stack.push(2, "shoots back");
        assert_eq!(stack.depth(), 3);
        assert_eq!(stack.pop(), Some((2, Some(1))));
        assert_eq!(stack.top().map(|frame| frame.doing), Some("shoots"));
        assert_eq!(stack.pop(), Some((1, Some(0))));
        assert_eq!(stack.top().map(|frame| frame.doing), Some("about to step"));
        assert_eq!(stack.pop(), Some((0, None)));
        assert_eq!(stack.pop(), None);
    }

    #[test]
    fn several_interrupt_in_order_and_each_once() {
        let mut stack = Interrupts::new(4);
        stack.push(3, ());
        stack.wait(bit(0) | bit(1));
        stack.wait(bit(2));
        let rank = |who: usize| [2, 0, 1, 3][who];
        let mut order = Vec::new();
        while let Some(who) = stack.next_waiting(rank) {
            order.push(who);
            stack.push(who, ());
            stack.pop();
        }
        assert_eq!(order, [1, 2, 0]);
    }
}
