//! Carries out declared actions (CD-4, CD-6).

use super::effects::add_ongoing;
use super::rules::Lost;
use super::state::Doing;
use super::{Encounter, flags};
use crate::fight::Ongoing;
use crate::sim::prelude::*;

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'a, C, O, PLAIN> {
    /// Carries out a declared action after all interruptions, if it is still possible.
    pub(super) fn carry_out(&mut self, who: usize, deed: Deed, line: u16) {
        // An interruption ends with its action; a turn goes on.
        let turn = !self.interrupts(who);
        self.state
            .stack
            .set(if turn { Doing::Free } else { Doing::Over });
        match self.still_possible(who, deed, line) {
            Some(deed) => self.perform(who, deed),
            None => self.lose_action(who, turn, deed),
        }
    }

    /// Returns a declared action with its target now, if it has not become impossible.
    fn still_possible(&self, who: usize, deed: Deed, line: u16) -> Option<Deed> {
        let combatant = self.combatant(who);
        let still = |target, range| self.still(who, target, range, line);
        match deed {
            Deed::Attack { weapon, target } if self.can_strike(who, weapon.into()) => {
                let target = still(target, self.range(who, weapon.into()))?;
                Some(Deed::Attack { weapon, target })
            }
            Deed::Cast { spell, target } => {
                let target = still(target, combatant.spells[usize::from(spell)].range)?;
                Some(Deed::Cast { spell, target })
            }
            Deed::Use { item, target } if self.has_use(who, item) => {
                let range = combatant.items[usize::from(item)].power.range;
                let target = target.map_or(Some(who as u8), |target| still(target, range));
                target.map(|_| Deed::Use { item, target })
            }
            Deed::Draw(weapon) => self.can_draw(who, weapon).then_some(deed),
            Deed::Stand => Some(deed),
            Deed::Attack { .. } | Deed::Use { .. } => None,
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
        let (line, declared) = (self.line_of_deed(who, line), usize::from(target));
        let aim = || match &line.action {
            Action::Ready(readied) => self.readied_aim(who, readied),
            _ => line.aim,
        };
        let target = self.keep_or_replace(who, declared, range, aim)?;
        let allowed = target == declared || self.plan.rules.lost_actions == Lost::Retarget;
        allowed.then_some(target as u8)
    }

    /// Cancels a declared action that has become impossible (CD-4).
    fn lose_action(&mut self, who: usize, turn: bool, deed: Deed) {
        if turn && self.plan.rules.lost_actions == Lost::Kept {
            self.pay_back(who, deed);
            self.note(Event::ActionKept { who });
            return;
        }
        self.counts(who).actions_lost += 1;
        match deed {
            Deed::Attack { weapon, .. } => self.lose_attack(who, weapon.into(), true),
            Deed::Cast { spell, .. } => {
                self.counts(who).spells_cast += 1;
                let spell = spell.into();
                self.note(Event::Wasted { who, spell });
            }
            Deed::Use { item, .. } => {
                let used_up = !self.has_use(who, item);
                self.note(Event::UseLost { who, item, used_up });
            }
            Deed::Draw(weapon) => self.note(Event::DrawLost { who, weapon }),
            Deed::Stand => {}
        }
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
        if self.is_in_words(who, weapon) {
            self.attack_by::<true>(who, weapon, target);
        } else {
            self.attack_by::<false>(who, weapon, target);
        }
    }

    fn attack_by<const WORDS: bool>(&mut self, who: usize, weapon: usize, target: usize) {
        let arms = &self.combatant(who).weapons[weapon];
        self.actor_mut(who).flags.add(flags::ATTACKED);
        self.count_attack(who, (weapon, arms), self.state.round);
        let mut question = self.question(who, target, arms.mastery);
        if !arms.ignores_defence {
            question.defence = self.defence(target);
            self.actor_mut(target).fended += 1;
        }
        if let Some((pool, facts)) = self.attack_pool::<WORDS>(who, &arms.check, question.added()) {
            let dice = pool + facts - question.taken_off();
            let sum = self.shown_sum(|_| arms.check.sum(&question).with(Modifier::Facts, facts));
            question.part = Some(dice.max(0) as u32);
            self.note(Event::Dice { who, dice, sum });
        }
        let attempt =
            self.resolve_attack::<WORDS>(question, target, (weapon, arms), AttackKind::Attack);
        if attempt.botch {
            self.botched(who, &self.plan.rules.dramatic_failure);
        }
    }

    /// Casts one spell.
    fn cast(&mut self, who: usize, index: usize, target: usize) {
        let spell = &self.combatant(who).spells[index];
        self.counts(who).spells_cast += 1;
        self.pay(who, &spell.price);
        let Some(check) = &spell.check else {
            self.note(Event::Effect {
                who,
                spell: index,
                target,
            });
            self.release_spell(who, target, spell, None);
            return;
        };
        let question = CheckTerms {
            lost: 0,
            ..self.spell_question(who, target, spell)
        };
        let attempt = self.attempt(question, check);
        if check.pool(0).is_some() {
            self.count_successes(who, attempt.total, attempt.needed, attempt.botch);
        }
        self.report_spell_check(&question, target, index, attempt);
        if spell.comes(&attempt) {
            self.release_spell(who, target, spell, Some(attempt));
        }
        if attempt.botch {
            self.botched(who, &self.plan.rules.dramatic_failure);
        }
    }

    /// Applies the effect of a spell, and starts its ongoing damage.
    fn release_spell(
        &mut self,
        who: usize,
        target: usize,
        spell: &'a Spell,
        attempt: Option<Attempt>,
    ) {
        let dealt = self.release(who, target, spell, attempt);
        self.begin_ongoing(target, dealt, spell.ongoing);
    }

    /// Starts the ongoing damage of a hit that has `dealt` damage (CD-5).
    pub(super) fn begin_ongoing(&mut self, target: usize, dealt: i32, ongoing: Option<Ongoing>) {
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
}
