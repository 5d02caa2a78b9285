//! Which policy line is taken (W-3), on clocks that ask a policy from the top at each decision.

#![expect(
    clippy::inline_always,
    reason = "as in the stage: what a clock passes in is part of the same loop"
)]

use super::stage::{Stage, Target, is_single};
use crate::engine::events::Obstacle;
use crate::fight::Combatant;
use crate::fight::world::Body;
use crate::policy::{Line, Variable};

/// What one who decides sees: looked up once a decision, not once a line.
#[derive(Clone, Copy)]
pub(super) struct View<'a, A> {
    pub who: usize,
    pub actor: &'a A,
    pub body: &'a Body<A>,
    pub combatant: &'a Combatant,
    /// The nearest enemy and how far it is.
    pub nearest: Target,
}

/// Deciding, for every clock that has a [`Stage`].
pub(super) trait Lines<'a>: Stage<'a> {
    /// What `who` sees.
    #[inline]
    fn view<'s>(&'s self, who: usize) -> View<'s, Self::Actor>
    where
        'a: 's,
    {
        let body = &self.world().bodies[who];
        View {
            who,
            actor: &body.clock,
            body,
            combatant: &self.fight().combatants[who],
            nearest: self.nearest(who, self.enemies(who)),
        }
    }

    /// The first line whose condition holds and whose action is legal: its index among the decisions,
    /// and what it comes to. `skip` says of an index that there is no need to look; `about` whom a
    /// deed is about.
    #[inline(always)]
    fn first_line<W>(
        &self,
        view: &View<'_, Self::Actor>,
        skip: impl Fn(usize) -> bool,
        legal: impl Fn(&Line) -> Result<W, Obstacle>,
        about: impl Fn(&W) -> Option<usize>,
        value: impl Fn(Variable, Target) -> i64,
    ) -> Option<(u16, W)> {
        let who = view.who;
        // With one enemy left a condition can only be about that one, and is cheaper to ask than
        // the rules are.
        let only = is_single(self.enemies(who)).then_some(view.nearest);
        for (index, line) in view.combatant.policy.decisions.iter().enumerate() {
            if skip(index) {
                continue;
            }
            let holds = |target: Target| line.condition.holds(|variable| value(variable, target));
            if only.is_some_and(|target| !holds(target)) {
                continue;
            }
            let Ok(what) = legal(line) else {
                continue;
            };
            if only.is_none() {
                let target = about(&what).map(|foe| (foe, self.world().distance(who, foe)));
                if !holds(target.or(view.nearest)) {
                    continue;
                }
            }
            return Some((index as u16, what));
        }
        None
    }
}

impl<'a, S: Stage<'a>> Lines<'a> for S {}
