//! Which policy line is taken, and why not the others (W-3, W-4).

use super::Encounter;
use super::legal::legal_set;
use super::order::{Act, Gate, Order};
use super::state::Flags;
use super::view::View;
use crate::chance::Chance;
use crate::fight::Units;
use crate::sim::Observer;
use crate::sim::events::Obstacle;
use crate::sim::prelude::*;
use crate::sim::stage::is_single;

/// A line that is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Choice {
    /// Index among the policy's decisions.
    pub line: u16,
    pub what: What,
}

/// The action of a choice, with target and gear. Small, because it is copied often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum What {
    Attack {
        target: u8,
        weapon: u8,
        attacks: u8,
        mastery: bool,
        desperate: bool,
    },
    Move {
        target: u8,
        advance: bool,
        units: u16,
        stop: Units,
    },
    Set,
    Cast {
        target: u8,
        spell: u8,
    },
    Channel {
        target: u8,
        spell: u8,
    },
    Car {
        target: u8,
    },
    Charge {
        target: u8,
        weapon: u8,
    },
    Use(u8),
    Draw(u8),
    Sheathe(u8),
    Stand,
    Wait(u8),
    Pass,
}

impl What {
    /// Whom it is about.
    #[inline(always)]
    fn target(self) -> Option<usize> {
        match self {
            Self::Attack { target, .. }
            | Self::Move { target, .. }
            | Self::Cast { target, .. }
            | Self::Channel { target, .. }
            | Self::Car { target }
            | Self::Charge { target, .. } => Some(usize::from(target)),
            Self::Set
            | Self::Use(_)
            | Self::Draw(_)
            | Self::Sheathe(_)
            | Self::Stand
            | Self::Wait(_)
            | Self::Pass => None,
        }
    }
}

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// The first line whose condition holds and whose action is legal and affordable (W-3).
    #[inline(always)]
    pub(super) fn choose(&mut self, who: usize) -> Option<Choice> {
        let choice = self.find(who);
        if O::LISTENS {
            let taken = choice.map_or(usize::MAX, |choice| usize::from(choice.line));
            self.tell_rejected(who, taken);
        }
        choice
    }

    #[inline(always)]
    fn find(&self, who: usize) -> Option<Choice> {
        let view = self.view(who);
        // With one enemy left a condition can only be about that one, and is cheaper to ask than
        // the rules are.
        let only = if is_single(view.enemies) {
            view.nearest
        } else {
            None
        };
        for (index, order) in self.plan.orders[who].iter().enumerate() {
            if !order.at_least.holds(view.actor) {
                continue;
            }
            if only.is_some() && !self.passes(index, order, &view, only) {
                continue;
            }
            let Ok(what) = self.allowed(index, order, &view) else {
                continue;
            };
            if only.is_none() {
                let target = what
                    .target()
                    .map(|foe| (foe, self.world().distance(who, foe)));
                if !self.passes(index, order, &view, target) {
                    continue;
                }
            }
            return Some(Choice {
                line: index as u16,
                what,
            });
        }
        None
    }

    /// Whether the condition of an order holds.
    #[inline(always)]
    fn passes(
        &self,
        index: usize,
        order: &Order,
        view: &View<'_>,
        target: Option<(usize, Units)>,
    ) -> bool {
        match order.gate {
            Gate::Open => true,
            Gate::One {
                variable, range, ..
            } => range.holds(self.value(variable, view, target.or(view.nearest))),
            Gate::Two([(first, low), (second, high)]) => {
                let target = target.or(view.nearest);
                low.holds(self.value(first, view, target))
                    && high.holds(self.value(second, view, target))
            }
            Gate::Full => self.holds(
                &view.combatant.policy.decisions[index].condition,
                view,
                target,
            ),
        }
    }

    /// Returns the action of a compiled line by the rules.
    #[inline(always)]
    fn allowed(&self, index: usize, order: &Order, view: &View<'_>) -> Result<What, Obstacle> {
        if view.actor.flags.any(Flags::BROKEN) {
            return self.legal(view, &view.combatant.policy.decisions[index]);
        }
        match order.act {
            Act::Attack {
                weapon,
                arm,
                desperate,
            } => {
                self.may_attack(view)?;
                self.legal_with(view, order.aim, weapon, arm, desperate)
            }
            Act::Move {
                advance,
                units,
                stop,
            } => {
                let stop = stop.unwrap_or(view.body.reach.max(0));
                self.legal_move(view, order.aim, advance, units, stop)
            }
            Act::Set => legal_set(view),
            Act::Other => self.legal(view, &view.combatant.policy.decisions[index]),
        }
    }
}
