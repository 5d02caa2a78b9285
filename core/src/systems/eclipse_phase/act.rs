//! Carries out choices: attacks and defence, tasks, items (EP-3, EP-9).

use super::rules::PhaseRules;
use super::{Encounter, flags};
use crate::dice::percentile::{Percentile, PercentileResult};
use crate::fight::check::SKILL_OF_A_DIE;
use crate::sim::prelude::*;

impl PhaseRules {
    /// Returns whether a test of Fray defends against an attempt that succeeded (EP-9). Doubles count on both sides, or
    /// on neither.
    #[inline]
    pub fn defends(&self, test: PercentileResult, check: &Check, attempt: &Attempt) -> bool {
        let attack = PercentileResult {
            shown: attempt.total as u32,
            success: true,
            critical: check.is_critical(attempt),
        };
        test.defends(attack, check.counts_doubles(), self.any_success_defends)
    }
}

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    pub(super) fn take_quick(&mut self, who: usize) {
        let actor = self.actor_mut(who);
        actor.quick -= 1;
        actor.flags.add(flags::ACTED);
        self.is_busy(who);
    }

    /// Takes the Complex Action, or the Task Action, of this stage.
    pub(super) fn take_complex(&mut self, who: usize, kind: Flags) {
        let actor = self.actor_mut(who);
        actor.flags.add(flags::ACTED.and(kind));
        let slot = usize::from(actor.slot) - 1;
        let actions = &mut self.counts(who).phases.actions;
        actions[slot.min(actions.len() - 1)] += 1;
        self.is_busy(who);
    }

    /// Counts the turn as one in which the combatant did something.
    #[inline]
    pub(super) fn is_busy(&mut self, who: usize) {
        let flags = &mut self.actor_mut(who).flags;
        if !flags.any(flags::BUSY) {
            flags.add(flags::BUSY);
            self.counts(who).turns += 1;
        }
    }

    /// Delays the combatant's action (EP-6).
    pub(super) fn delay(&mut self, who: usize) {
        self.actor_mut(who).flags.add(flags::DONE);
        self.state.clock.delayed |= bit(who);
        self.counts(who).delays += 1;
        self.note(Event::ActionDelayed { who });
    }

    /// Makes one attack. Its target is kept, or replaced by the same rule (W-4).
    pub(super) fn attack(&mut self, who: usize, weapon: usize, target: usize, aim: Aim) {
        if self.is_in_words(who, weapon) {
            self.attack_by::<true>(who, weapon, target, aim);
        } else {
            self.attack_by::<false>(who, weapon, target, aim);
        }
    }

    fn attack_by<const WORDS: bool>(&mut self, who: usize, weapon: usize, target: usize, aim: Aim) {
        let plan = self.plan;
        let arms = &self.combatant(who).weapons[weapon];
        let target = self.keep_or_replace(who, target, self.range(who, weapon), || aim);
        let Some(target) = target.filter(|_| self.can_strike(who, weapon)) else {
            if !plan.rules.keeps_interrupted {
                self.take_complex(who, flags::COMPLEX);
            }
            self.lose_attack(who, weapon, true);
            return;
        };
        self.watch_first(who);
        self.actor_mut(who).attacked = target as u8;
        self.take_complex(who, flags::COMPLEX.and(flags::ATTACKED));
        self.count_attack(who, (weapon, arms), self.state.round);
        let question = self.question(who, target, arms.mastery);
        self.resolve_attack::<WORDS>(question, target, (weapon, arms), AttackKind::Attack);
    }

    /// Returns the test by which a combatant defends against an attack that succeeds, if it may (EP-9).
    #[inline]
    pub(super) fn fray(&self, who: usize, kind: WeaponKind) -> Option<Percentile> {
        let shot = usize::from(kind != WeaponKind::Melee);
        let skill = self.plan.profiles[who].fray[shot]?;
        let track = self.wounds(who) * SKILL_OF_A_DIE;
        let change = i64::from(self.world().change(who, Number::Fray));
        Some(Percentile {
            skill: skill + change - track - self.wound_penalty(who),
        })
    }

    /// Returns the sum of which the test of Fray is made.
    #[cold]
    pub(super) fn fray_sum(&self, who: usize, kind: WeaponKind) -> Sum {
        let profile = &self.plan.profiles[who];
        let whole = profile.traits.fray.unwrap_or(0);
        let counted = profile.fray[usize::from(kind != WeaponKind::Melee)].unwrap_or(0);
        let conditions = i64::from(self.world().change(who, Number::Fray));
        let skill = self.fray(who, kind).map_or(0, |test| test.skill);
        Sum::new(whole)
            .with(Modifier::Halved, counted - whole)
            .with(Modifier::Conditions, conditions)
            .with(Modifier::Wounds, skill - counted - conditions)
    }

    /// Works at a task for one stage, and applies its effect when it is done (EP-3).
    pub(super) fn work(&mut self, who: usize, index: usize, aim: Aim) {
        let task = &self.combatant(who).tasks[index];
        self.watch_first(who);
        self.take_complex(who, flags::WORKED);
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
        self.counts(who).phases.tasks_done += 1;
        if let Some(heal) = &task.heal {
            let points = heal.roll(&mut self.roller(who, Purpose::Other));
            let (healed, health) = self.heal(who, who, points);
            self.note(Event::Heals {
                who,
                healed,
                health,
                sum: heal.sum(points, healed),
            });
        }
        if let Some((range, damage)) = &task.strike {
            // The target is chosen now, not when the last stage of work was declared (W-4).
            if let Some(target) = self.select(who, aim, 0, *range) {
                self.deal_hit(who, target, damage, Hit::default());
            } else {
                self.note(Event::TaskWasted { who, task: index });
            }
        }
    }
}
