//! The choice of a policy line, and the reasons against the other lines (W-3, W-4).

use super::Encounter;
use super::view::View;
use crate::chance::Chance;
use crate::fight::Units;
use crate::fight::program::Leaving;
use crate::sim::ClockObserver;
use crate::sim::compiled_lines::Passed;
use crate::sim::decide;
use crate::sim::prelude::*;
use crate::sim::stage::is_single;

/// The policy line to take, with its action.
pub(super) type Choice = decide::Choice<ChosenAction>;

/// The action of a choice, with target and gear. Small, because it is copied often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum ChosenAction {
    Attack {
        target: u8,
        weapon: u8,
        attacks: u8,
        set: u8,
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
    /// The combatant uses the item on itself if there is no target.
    Use {
        item: u8,
        target: Option<u8>,
    },
    Draw(u8),
    Sheathe(u8),
    Stand,
    Wait(u8),
    Leave(Leaving),
    Pass,
}

impl ChosenAction {
    /// Returns whether its maker moves at the Mark at which it begins.
    pub(super) const fn moves_at_once(self) -> bool {
        matches!(self, Self::Car { .. } | Self::Charge { .. })
    }

    /// Returns the target of the action.
    #[inline(always)]
    fn target(self) -> Option<usize> {
        match self {
            Self::Attack { target, .. }
            | Self::Move { target, .. }
            | Self::Cast { target, .. }
            | Self::Channel { target, .. }
            | Self::Car { target }
            | Self::Charge { target, .. }
            | Self::Use {
                target: Some(target),
                ..
            } => Some(usize::from(target)),
            Self::Set
            | Self::Use { target: None, .. }
            | Self::Draw(_)
            | Self::Sheathe(_)
            | Self::Stand
            | Self::Wait(_)
            | Self::Leave(_)
            | Self::Pass => None,
        }
    }
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Returns the first line whose condition holds and whose action is legal and affordable (W-3).
    #[inline(always)]
    pub(super) fn choose(&mut self, who: usize) -> Option<Choice> {
        if self.is_stunned(who) {
            return None;
        }
        if C::enumerates() && self.plan.fight.combatants[who].policy.offered > 0 {
            return self.open_decision(who);
        }
        let repeated = self.repeated(who);
        let choice = if repeated.is_some() {
            repeated
        } else {
            self.find(who)
        };
        debug_assert_eq!(
            choice,
            self.find_in_words(who),
            "the comparisons are those of the rules"
        );
        if self.observer.sees_all() {
            let taken = choice.map_or(usize::MAX, |choice| usize::from(choice.line));
            self.report_rejected(who, taken, |stage, line| {
                stage.legal(&stage.view(who), line).err()
            });
        }
        choice
    }

    /// Returns the choice that chance makes for a combatant whose decisions are left open.
    #[inline(never)]
    fn open_decision(&mut self, who: usize) -> Option<Choice> {
        let decided = self.chance.decided_before();
        let view = self.view(who);
        if let Some(line) = decided {
            let line = line?;
            let what = self.legal(&view, &view.combatant.policy.decisions[usize::from(line)]);
            return Some(Choice {
                line,
                what: what.ok()?,
            });
        }
        let lines = view.combatant.policy.decisions.iter().enumerate();
        let legal = lines.filter_map(|(at, line)| {
            let what = self.legal(&view, line).ok()?;
            let target = what.target().filter(|one| *one != who);
            let target = target.map(|foe| (foe, self.world().distance(who, foe)));
            let holds = self.holds(&line.condition, &view, target);
            let line = at as u16;
            Some((Choice { line, what }, holds))
        });
        let legal = legal.collect();
        decide::choose(self, who, legal)
    }

    /// Finds the line by comparisons of numbers.
    #[inline(never)]
    fn find(&mut self, who: usize) -> Option<Choice> {
        let view = self.view(who);
        let compiled_lines = self.compiled_lines(who);
        let mut values = [0; _];
        self.values(&view, compiled_lines, &mut values);
        let single = is_single(view.enemies);
        let found = compiled_lines.first(single, &values, |passed| self.taken(&view, passed));
        let repeat =
            found.and_then(|choice| self.look_ahead(&view, compiled_lines, &values, choice));
        self.keep(who, repeat);
        found
    }

    /// Finds the line by the rules in words, one line after the other.
    fn find_in_words(&self, who: usize) -> Option<Choice> {
        let view = self.view(who);
        let mut lines = 0..view.combatant.policy.decisions.len();
        lines.find_map(|line| self.taken(&view, Passed::untested(line)))
    }

    /// Returns a line as a choice, if it is legal and its condition holds.
    #[inline(always)]
    fn taken(&self, view: &View<'_>, passed: Passed) -> Option<Choice> {
        let line = &view.combatant.policy.decisions[passed.line];
        let what = if passed.legal {
            self.made(view, line)?
        } else {
            self.legal(view, line).ok()?
        };
        if passed.open {
            let target = what
                .target()
                .filter(|one| *one != view.who)
                .map(|foe| (foe, self.world().distance(view.who, foe)));
            if !self.holds(&line.condition, view, target) {
                return None;
            }
        }
        let line = passed.line as u16;
        Some(Choice { line, what })
    }
}
