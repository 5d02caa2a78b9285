//! Free actions at any time (W-8): the policy lines that begin with `anytime`.
//!
//! They are asked whenever something has happened completely: a Round has begun, a Mark has passed, a blow
//! has been struck and its damage counts, a Unit has been moved, a spell has taken effect, an action has been
//! begun. What tied combatants do has happened when all of them have acted (W-5).

use super::super::stage::Stage;
use super::Encounter;
use super::choose::What;
use crate::chance::Chance;
use crate::engine::Observer;
use crate::fight::world::{bit, members};
use crate::fight::{Fight, Marks};
use crate::policy::Variable;

/// Who has `anytime` lines, and what they ask for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anytime {
    /// Those who have any, a bit each.
    pub who: u64,
    /// Whether one of the lines asks for `mark`.
    asks_for_the_mark: bool,
}

impl Anytime {
    pub(super) fn of(fight: &Fight) -> Self {
        let mut all = Self {
            who: 0,
            asks_for_the_mark: false,
        };
        for (who, combatant) in fight.combatants.iter().enumerate() {
            for line in &combatant.policy.anytime {
                let mut asked = line.condition.variables();
                all.who |= bit(who);
                all.asks_for_the_mark |= asked.any(|variable| variable == Variable::Mark);
            }
        }
        all
    }
}

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// Asks the `anytime` lines after an event, in fights that have any.
    #[inline(always)]
    pub(super) fn anytime(&mut self) {
        if self.plan.anytime.who != 0 {
            self.ask_anytime();
        }
    }

    /// Goes on to a Mark. One that passes is an event.
    #[inline(always)]
    pub(super) fn go_to_mark(&mut self, mark: Marks) {
        if self.plan.anytime.who == 0 || mark >= self.state.mark {
            self.state.mark = mark;
        } else {
            self.pass_marks(mark);
        }
    }

    #[cold]
    fn pass_marks(&mut self, to: Marks) {
        // Where nothing is due nothing changes but the Mark.
        let next = if self.plan.anytime.asks_for_the_mark {
            self.state.mark - 1
        } else {
            to
        };
        for mark in (to..=next).rev() {
            self.state.mark = mark;
            self.renew_free_actions();
            self.ask_anytime();
        }
    }

    /// The limit of free actions at one instant (W-7).
    pub(super) fn renew_free_actions(&mut self) {
        for who in members(self.plan.anytime.who) {
            self.actor_mut(who).free_actions = 0;
        }
    }

    /// Lets those who stand take free actions, in the order of TC-20. Each is an event itself: after it all
    /// are asked again, until nobody takes one. W-7 sees to an end.
    #[cold]
    fn ask_anytime(&mut self) {
        // Nothing is decided or begun at Mark 0 (TC-1), or while tied combatants act (W-5).
        if self.state.mark < 1 || self.state.put_off.together != 0 || self.decided().is_some() {
            return;
        }
        let plan = self.plan;
        while plan
            .by_rank
            .iter()
            .any(|who| self.take_anytime(usize::from(*who)))
        {}
    }

    /// Takes the first `anytime` line of `who` that holds, if one does.
    fn take_anytime(&mut self, who: usize) -> bool {
        let plan = self.plan;
        if plan.anytime.who & self.world().standing() & bit(who) == 0 {
            return false;
        }
        let view = self.view(who);
        // TC-15: no other action while channelling, not even a free one.
        if view.actor.channelling() {
            return false;
        }
        let lines = &plan.fight.combatants[who].policy.anytime;
        let taken = lines.iter().find_map(|line| match self.legal(&view, line) {
            Ok(What::Use(item)) if self.holds(&line.condition, &view, None) => Some((line, item)),
            _ => None,
        });
        let Some((line, item)) = taken else {
            return false;
        };
        self.take_line(who, line);
        self.use_item(who, usize::from(item));
        true
    }
}
