//! Free actions at any time (W-8): the policy lines that begin with `anytime`.
//!
//! They are checked after every complete event: a Round has begun, a Mark has passed, a blow has been struck and its
//! damage counts, a Unit has been moved, a spell has taken effect, an action has been begun. An event of tied
//! combatants is complete when all of them have acted (W-5).

use super::Encounter;
use super::choose::ChosenAction;
use crate::sim::prelude::*;

/// The combatants with `anytime` lines, and their conditions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anytime {
    /// The combatants with `anytime` lines, one bit each.
    pub who: u64,
    /// Whether the condition of one of the lines asks for `mark`.
    asks_for_the_mark: bool,
}

impl Anytime {
    pub(super) fn of(fight: &Fight) -> Self {
        let mut all = Self {
            who: 0,
            asks_for_the_mark: false,
        };
        for (who, combatant) in fight.combatants.iter().enumerate() {
            for line in combatant.policy.at(Window::Anytime) {
                let mut asked = line.condition.variables();
                all.who |= bit(who);
                all.asks_for_the_mark |= asked.any(|variable| variable == Variable::Mark);
            }
        }
        all
    }
}

/// Whether something is under way when `anytime` lines are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Amid {
    /// Nothing: all free actions may be taken.
    Nothing,
    /// A blow that may be answered, or a move of several Units: no free move comes between.
    Another,
}

/// A free action that is taken at any time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Free {
    Use {
        item: u8,
        target: Option<u8>,
    },
    /// A CAR move to that combatant.
    Car(u8),
    /// A move about that combatant.
    CombatCast(u8),
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Checks the `anytime` lines after an event, in fights that have any.
    #[inline(always)]
    pub(super) fn anytime(&mut self) {
        if !PLAIN && self.plan.clock.anytime.who != 0 {
            self.ask_anytime(Amid::Nothing);
        }
    }

    /// Checks the `anytime` lines after an event within another: a blow that may be answered, a Unit of several.
    #[inline(always)]
    pub(super) fn anytime_amid(&mut self) {
        if !PLAIN && self.plan.clock.anytime.who != 0 {
            self.ask_anytime(Amid::Another);
        }
    }

    /// Checks the `anytime` lines between two moments. Returns the ending if a free action ends the encounter (W-6).
    #[inline(always)]
    pub(super) fn anytime_between(&mut self) -> Option<Ending> {
        if PLAIN || self.plan.clock.anytime.who == 0 {
            return None;
        }
        let before = self.chase_distance();
        self.ask_anytime(Amid::Nothing);
        self.decided().or_else(|| self.ends_since(before))
    }

    /// Goes on to a Mark. A Mark that passes is an event, which may end the encounter: then returns the ending. It may
    /// also break a Channel, which makes a combatant due at once: then the Mark stays where it is.
    #[inline(always)]
    pub(super) fn go_to_mark(&mut self, mark: Marks) -> Option<Ending> {
        if PLAIN || self.plan.clock.anytime.who == 0 || mark >= self.state.clock.mark {
            self.state.clock.mark = mark;
            None
        } else {
            self.pass_marks(mark)
        }
    }

    #[cold]
    fn pass_marks(&mut self, to: Marks) -> Option<Ending> {
        // At a Mark where nothing is due, only the Mark itself changes.
        let next = if self.plan.clock.anytime.asks_for_the_mark {
            self.state.clock.mark - 1
        } else {
            to
        };
        for mark in (to..=next).rev() {
            self.state.clock.mark = mark;
            self.renew_free_actions();
            let ending = self.anytime_between();
            if ending.is_some() || self.state.clock.agenda.next_mark() > Some(to) {
                return ending;
            }
        }
        None
    }

    /// Resets the count of free actions at one instant (W-7).
    #[inline]
    pub(super) fn renew_free_actions(&mut self) {
        if PLAIN {
            return;
        }
        for who in members(self.plan.clock.anytime.who) {
            self.actor_mut(who).free_actions = 0;
        }
    }

    /// Lets the standing combatants take free actions, in the order of TC-20. Each free action is an event itself:
    /// after it all combatants are checked again, until none takes an action. W-7 bounds their number.
    #[cold]
    fn ask_anytime(&mut self, amid: Amid) {
        // Nothing is decided or begun at Mark 0 (TC-1), or while tied combatants act (W-5).
        if self.state.clock.mark < 1 || self.state.put_off.together != 0 {
            return;
        }
        let plan = self.plan;
        // No combatant is asked when the encounter is decided (W-6).
        while self.decided().is_none()
            && plan
                .clock
                .by_rank
                .iter()
                .any(|who| self.take_anytime(usize::from(*who), amid))
        {}
    }

    /// Takes the first `anytime` line of `who` that is legal and holds. Returns whether there was one.
    fn take_anytime(&mut self, who: usize, amid: Amid) -> bool {
        let Some((index, action)) = self.first_free(who, amid) else {
            return false;
        };
        self.act_freely(who, index, action);
        true
    }

    /// Returns the `anytime` line that a tied combatant takes as its choice, and its action: no event checks these lines
    /// while tied combatants act (W-5).
    pub(super) fn chosen_anytime(&self, who: usize) -> Option<(usize, Free)> {
        if PLAIN || self.plan.clock.anytime.who == 0 {
            return None;
        }
        self.first_free(who, Amid::Nothing)
    }

    /// Returns the first `anytime` line of `who` that is legal and holds: its index and its action.
    fn first_free(&self, who: usize, amid: Amid) -> Option<(usize, Free)> {
        let plan = self.plan;
        if plan.clock.anytime.who & self.world().standing() & bit(who) == 0
            // TC-15: no other action while channelling, not even a free one.
            || self.actor(who).channelling()
            || self.is_stunned(who)
        {
            return None;
        }
        let lines = self.combatant(who).policy.at(Window::Anytime);
        let mut free = lines.iter().enumerate();
        free.find_map(|(index, line)| Some((index, self.free_action(who, line, amid)?)))
    }

    /// Carries out an `anytime` line. Where tied combatants have acted since it was chosen, it is like any choice of
    /// theirs: a target that has come near is met on the spot, one that has fallen is replaced (W-4, W-5).
    pub(super) fn act_freely(&mut self, who: usize, index: usize, action: Free) {
        let policy = &self.combatant(who).policy;
        let line = &policy.at(Window::Anytime)[index];
        self.report_line(who, line);
        if policy.decisions().is_empty() {
            // A policy with decisions counts only these: if there are none, no line of it was ever legal (W-7).
            self.counts(who).decisions += 1;
        }
        match action {
            Free::Use { item, target } => self.use_at_cost(who, item, target, line.aim),
            Free::Car(target) => {
                self.count_free(who);
                if let Some(target) = self.car_target(who, target.into(), line.aim) {
                    self.cut_short(who);
                    self.car(who, target, Some(line.aim));
                }
            }
            Free::CombatCast(target) => self.move_by_skill(who, target, line),
        }
    }

    /// Returns the action of an `anytime` line, if it is legal and holds now. A move waits for the end of the current
    /// action.
    fn free_action(&self, who: usize, line: &Line, amid: Amid) -> Option<Free> {
        let view = self.view(who);
        match line.action {
            Action::Use(_) => match self.legal(&view, line) {
                Ok(ChosenAction::Do(Deed::Use { item, target })) => {
                    let about = target.map(usize::from);
                    let about = about.map(|one| (one, self.world().distance(who, one)));
                    let holds = self.holds(&view, &line.condition, about);
                    holds.then_some(Free::Use { item, target })
                }
                _ => None,
            },
            _ if amid == Amid::Another => None,
            // TC-16: not while casting.
            Action::Car if view.actor.spell.is_none() => {
                let Ok(ChosenAction::Car { target }) = self.legal(&view, line) else {
                    return None;
                };
                let one = usize::from(target);
                let about = Some((one, self.world().distance(who, one)));
                let holds = self.holds(&view, &line.condition, about);
                holds.then_some(Free::Car(target))
            }
            // TC-14: between the start of a spell and its effect, once.
            Action::CombatCast { .. } if view.actor.spell.is_some_and(|spell| spell.may_move) => {
                self.combat_casting(who, line).map(Free::CombatCast)
            }
            _ => None,
        }
    }
}
