//! Carries out declared actions (CD-4, CD-6).

use super::Encounter;
use super::effects::add_ongoing;
use super::flags;
use super::rules::Lost;
use super::state::Doing;
use crate::chance::Chance;
use crate::fight::check::{Attempt, CheckTerms};
use crate::fight::health::Setback;
use crate::fight::lasting::Number;
use crate::fight::program::Action;
use crate::fight::{Ongoing, Spell, Units};
use crate::sim::damage::Hit;
use crate::sim::deeds::Deed;
use crate::sim::effects::Penalties;
use crate::sim::prelude::*;
use crate::sim::{ClockObserver, Event};

impl<'a, C: Chance, O: ClockObserver> Encounter<'a, C, O> {
    /// Carries out a declared action after all interruptions, if it is still possible.
    pub(super) fn carry_out(&mut self, who: usize, deed: Deed, line: u16) {
        // An interruption ends with its action; a turn goes on.
        let turn = !self.interrupts(who);
        self.state
            .clock
            .stack
            .set(if turn { Doing::Free } else { Doing::Over });
        match self.still_possible(who, deed, line) {
            Ok(deed) => self.perform(who, deed),
            Err(lost) => self.lose_action(who, turn, lost),
        }
    }

    /// Returns a declared action with its target now or, if it has become impossible, the event that tells so.
    fn still_possible(&self, who: usize, deed: Deed, line: u16) -> Result<Deed, Event> {
        let combatant = &self.plan.fight.combatants[who];
        match deed {
            Deed::Attack { weapon, target } => {
                let index = usize::from(weapon);
                let target = self.still(who, target, self.range(who, index), line);
                let target = target.filter(|_| self.can_strike(who, index));
                let attack = target.map(|target| Deed::Attack { weapon, target });
                attack.ok_or_else(|| self.lost_attack(who, index, true))
            }
            Deed::Cast { spell, target } => {
                let index = usize::from(spell);
                let target = self.still(who, target, combatant.spells[index].range, line);
                let cast = target.map(|target| Deed::Cast { spell, target });
                cast.ok_or(Event::Wasted { who, spell: index })
            }
            Deed::Use { item, target } => {
                let range = combatant.items[usize::from(item)].power.range;
                let used_up = !self.has_use(who, item);
                let target = match target {
                    Some(target) => self.still(who, target, range, line),
                    None => Some(who as u8),
                };
                let target = target.filter(|_| !used_up);
                target
                    .map(|target| Deed::Use {
                        item,
                        target: Some(target),
                    })
                    .ok_or(Event::UseLost { who, item, used_up })
            }
            Deed::Draw(weapon) if !self.can_draw(who, weapon) => {
                Err(Event::DrawLost { who, weapon })
            }
            Deed::Draw(_) | Deed::Stand => Ok(deed),
        }
    }

    /// Carries out an action that is possible.
    #[inline]
    pub(super) fn perform(&mut self, who: usize, deed: Deed) {
        self.watch_first(who);
        match deed {
            Deed::Attack { weapon, target } => self.attack(who, weapon.into(), target.into()),
            Deed::Cast { spell, target } => self.cast(who, spell.into(), target.into()),
            Deed::Draw(weapon) => self.draw(who, weapon.into()),
            Deed::Use { item, target } => {
                let target = target.map(usize::from);
                self.use_item(who, item.into(), target, Penalties::default());
            }
            Deed::Stand => self.get_up(who),
        }
    }

    /// Returns the declared target, if it can still be reached, or another one if the rules allow that.
    fn still(&self, who: usize, target: u8, range: Units, line: u16) -> Option<u8> {
        if self.reaches(who, target.into(), range) {
            return Some(target);
        }
        let line = &self.plan.fight.combatants[who].policy.decisions[usize::from(line)];
        let aim = match &line.action {
            Action::Ready(readied) => self.readied_aim(who, readied),
            _ => line.aim,
        };
        if self.plan.rules.lost_actions != Lost::Retarget {
            return None;
        }
        Some(self.select(who, aim, 0, range)? as u8)
    }

    /// Cancels a declared action that has become impossible (CD-4).
    fn lose_action(&mut self, who: usize, turn: bool, told: Event) {
        if turn && self.plan.rules.lost_actions == Lost::Kept {
            self.actor_mut(who).flags.drop(flags::ACTED);
            self.note(Event::ActionKept { who });
            return;
        }
        let counts = &mut self.record.combatants[who];
        counts.actions_lost += 1;
        counts.attacks_lost +=
            u32::from(matches!(told, Event::Lost { .. } | Event::Unready { .. }));
        counts.spells_cast += u32::from(matches!(told, Event::Wasted { .. }));
        self.note(told);
    }

    /// Returns the dice that Defence takes off an attack now (CD-6).
    pub(super) fn defence(&self, who: usize) -> i64 {
        let whole =
            self.plan.profiles[who].traits.defence + self.world().change(who, Number::Defence);
        let fended = if self.plan.rules.constant_defence {
            0
        } else {
            self.actor(who).fended
        };
        (whole - fended).max(0).into()
    }

    /// Makes one attack (CD-6).
    fn attack(&mut self, who: usize, weapon: usize, target: usize) {
        let plan = self.plan;
        let arms = &plan.fight.combatants[who].weapons[weapon];
        self.actor_mut(who).flags.add(flags::ATTACKED);
        self.count_attack(who, weapon, self.state.round);
        let mut question = self.question(who, target, arms.mastery);
        if !arms.ignores_defence {
            question.defence = self.defence(target);
            self.actor_mut(target).fended += 1;
        }
        let pool = arms.check.pool(question.added());
        if let Some(pool) = pool {
            let dice = pool - question.taken_off();
            let sum = arms.check.sum(&question);
            question.part = Some(dice.max(0) as u32);
            self.note(Event::Dice { who, dice, sum });
        }
        let attempt = self.attempt_attack(question, &arms.check);
        self.count_attempt(who, attempt, pool.is_some());
        self.report_attack(&question, target, weapon, attempt);
        if attempt.works {
            self.record.combatants[who].hits += 1;
            let dealt = self.deal_attack(question, target, (&arms.check, &arms.damage), attempt);
            self.begin_ongoing(target, dealt, arms.ongoing);
            self.add_effects(who, target, &arms.effects);
        }
        self.fail_dramatically(who, attempt);
    }

    /// Casts one spell.
    fn cast(&mut self, who: usize, index: usize, target: usize) {
        let plan = self.plan;
        let spell = &plan.fight.combatants[who].spells[index];
        self.record.combatants[who].spells_cast += 1;
        let Some(check) = &spell.check else {
            self.note(Event::Effect {
                who,
                spell: index,
                target,
            });
            self.apply_spell(who, target, spell, None);
            return;
        };
        let question = CheckTerms {
            lost: 0,
            ..self.spell_question(who, target, spell)
        };
        let attempt = self.attempt(question, check);
        self.count_attempt(who, attempt, check.pool(0).is_some());
        self.report_spell_check(&question, target, index, attempt);
        if attempt.works {
            self.apply_spell(who, target, spell, Some(attempt));
        }
        self.fail_dramatically(who, attempt);
    }

    /// Applies the effect of a spell.
    fn apply_spell(
        &mut self,
        who: usize,
        target: usize,
        spell: &'a Spell,
        attempt: Option<Attempt>,
    ) {
        if spell.power.effects.is_empty() {
            let dealt = self.deal_hit(who, target, &spell.damage, Hit::of(attempt));
            self.begin_ongoing(target, dealt, spell.ongoing);
        } else {
            self.release(who, target, spell, attempt);
        }
    }

    /// Starts the ongoing damage of a hit that has `dealt` damage (CD-5).
    fn begin_ongoing(&mut self, target: usize, dealt: i32, ongoing: Option<Ongoing>) {
        if let Some(ongoing) = ongoing
            && dealt > 0
            && self.world().stands(target)
        {
            let plan = self.plan;
            add_ongoing(&mut self.actor_mut(target).ongoing, ongoing, &plan.rules);
            self.note(Event::OngoingBegins {
                who: target,
                amount: ongoing.damage,
                rounds: ongoing.rounds,
            });
        }
    }

    /// Applies the cost of a dramatic failure (CD-6).
    fn fail_dramatically(&mut self, who: usize, attempt: Attempt) {
        if !attempt.botch {
            return;
        }
        self.note(Event::Botch { who });
        let plan = self.plan;
        match &plan.rules.dramatic_failure {
            Setback::Nothing => {}
            Setback::LoseTurn => self.actor_mut(who).flags.add(flags::STUNNED),
            Setback::Damage(roll) => self.deal_to_self(who, roll),
        }
    }
}
