//! Carries out choices: attacks and defence, tasks, items (EP-3, EP-9).

use super::Encounter;
use super::choose::Choice;
use super::legal::What;
use super::state::Flags;
use crate::chance::{Chance, Purpose};
use crate::dice::percentile::Percentile;
use crate::fight::WeaponKind;
use crate::fight::check::{CheckKind, SKILL_OF_A_DIE};
use crate::fight::program::Aim;
use crate::fight::world::bit;
use crate::sim::prelude::*;
use crate::sim::{Event, Observer};

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// Carries out a declared choice, except moves.
    pub(super) fn begin(&mut self, who: usize, choice: Choice) {
        let plan = self.plan;
        let line = &plan.fight.combatants[who].policy.decisions[usize::from(choice.line)];
        match choice.what {
            What::Attack { weapon, target } => {
                self.attack(who, usize::from(weapon), target.into(), line.aim);
            }
            What::Use(item) => {
                if self.is_complex(who, &choice.what) {
                    self.take_complex(who, Flags::COMPLEX);
                } else {
                    self.take_quick(who);
                }
                self.consume(who, usize::from(item));
            }
            What::Draw(weapon) => {
                self.take_quick(who);
                self.draw(who, usize::from(weapon));
            }
            What::Stand => {
                self.take_quick(who);
                self.get_up(who);
            }
            What::Task(task) => self.work(who, usize::from(task), line.aim),
            What::Delay => self.delay(who),
            What::Pass => {
                self.actor_mut(who).flags.add(Flags::DONE);
                self.note(Event::StageOver { who });
            }
            // Moves are made in steps, answers where they were asked for.
            What::Move(_) | What::Answer => {}
        }
    }

    fn take_quick(&mut self, who: usize) {
        let actor = self.actor_mut(who);
        actor.quick -= 1;
        actor.flags.add(Flags::ACTED);
        self.is_busy(who);
    }

    /// Takes the Complex Action, or the Task Action, of this stage.
    fn take_complex(&mut self, who: usize, kind: Flags) {
        let actor = self.actor_mut(who);
        actor.flags.add(Flags::ACTED.and(kind));
        let slot = usize::from(actor.slot) - 1;
        let actions = &mut self.record.combatants[who].phases.actions;
        actions[slot.min(actions.len() - 1)] += 1;
        self.is_busy(who);
    }

    /// Counts the turn as one in which something was done.
    #[inline]
    pub(super) fn is_busy(&mut self, who: usize) {
        let flags = &mut self.actor_mut(who).flags;
        if !flags.any(Flags::BUSY) {
            flags.add(Flags::BUSY);
            self.record.combatants[who].turns += 1;
        }
    }

    /// EP-6.
    fn delay(&mut self, who: usize) {
        self.actor_mut(who).flags.add(Flags::DONE);
        self.state.delayed |= bit(who);
        self.record.combatants[who].delays += 1;
        self.note(Event::ActionDelayed { who });
    }

    /// One attack. Its target is kept, or replaced by the same rule (W-4).
    fn attack(&mut self, who: usize, weapon: usize, target: usize, aim: Aim) {
        let plan = self.plan;
        let arms = &plan.fight.combatants[who].weapons[weapon];
        let Some(target) = self.keep_or_replace(who, target, arms.range, || aim) else {
            if !plan.rules.keeps_interrupted {
                self.take_complex(who, Flags::COMPLEX);
            }
            self.lose_attack(who);
            return;
        };
        self.actor_mut(who).attacked = target as u8;
        self.take_complex(who, Flags::COMPLEX.and(Flags::ATTACKED));
        self.count_attack(who, self.state.turn);
        let question = self.question(who, target, arms.mastery);
        let attempt = self.attempt(question, &arms.check);
        let critical = arms.check.is_critical(&attempt);
        self.record.combatants[who].phases.criticals += u32::from(critical);
        self.tell_attack(who, target, weapon, attempt);
        if !attempt.works {
            return;
        }
        if arms.check.kind() == CheckKind::Percentile
            && self.defends(target, arms.kind, (attempt.total, critical))
        {
            return;
        }
        self.record.combatants[who].hits += 1;
        self.damage(who, target, &arms.damage, Some(attempt));
    }

    /// Whether Fray turns aside an attack that succeeded (EP-9).
    fn defends(&mut self, who: usize, kind: WeaponKind, (rolled, critical): (i64, bool)) -> bool {
        let shot = usize::from(kind != WeaponKind::Melee);
        let Some(skill) = self.plan.profiles[who].fray[shot] else {
            return false;
        };
        let track = self.wounds(who) * SKILL_OF_A_DIE;
        let test = Percentile {
            skill: skill - track - self.wound_penalty(who),
        };
        let result = test.roll(&mut self.hand(who, Purpose::Other));
        let shown = i64::from(result.shown);
        let beats = match (result.critical, critical) {
            (true, false) => true,
            (false, true) => false,
            _ => shown >= rolled,
        };
        let defends = result.success && (beats || self.plan.rules.any_success_defends);
        self.note(Event::Fray {
            who,
            total: shown,
            needed: test.skill,
            defends,
        });
        self.record.combatants[who].phases.defended += u32::from(defends);
        defends
    }

    /// Works a stage at a task, and applies its effect when it is done (EP-3).
    fn work(&mut self, who: usize, index: usize, aim: Aim) {
        let plan = self.plan;
        let task = &plan.fight.combatants[who].tasks[index];
        self.take_complex(who, Flags::WORKED);
        let actor = self.actor_mut(who);
        actor.progress[index] += 1;
        let done = actor.progress[index];
        self.note(Event::Works {
            who,
            task: index,
            done: done.into(),
            needed: task.phases.into(),
        });
        if done < task.phases {
            return;
        }
        self.record.combatants[who].phases.tasks_done += 1;
        if let Some(heal) = &task.heal {
            let points = heal.roll(&mut self.hand(who, Purpose::Other));
            let (healed, health) = self.regain(who, points);
            self.note(Event::Heals {
                who,
                healed,
                health,
            });
        }
        if let Some((range, damage)) = &task.strike {
            match self.select(who, aim, 0, *range) {
                Some(target) => self.damage(who, target, damage, None),
                None => self.note(Event::TaskWasted { who, task: index }),
            }
        }
    }
}
