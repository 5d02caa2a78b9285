//! Attacks: counted, made and reported (W-4, TC-22, MA-9, CD-6, EP-9).

use super::hit::{Force, roll_hit};
use crate::fight::check::{CheckKind, HitEffect, Outcome};
use crate::fight::effect::{Resist, Share};
use crate::fight::health::done;
use crate::sim::prelude::*;

/// The result of an attack for its maker, small enough to stay in a register.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Struck {
    /// Whether its check has worked.
    pub works: bool,
    /// Whether that was a botch.
    pub botch: bool,
    /// Whether its pool has net successes.
    pub has_successes: bool,
}

impl From<Attempt> for Struck {
    #[inline(always)]
    fn from(attempt: Attempt) -> Self {
        Self {
            works: attempt.works,
            botch: attempt.botch,
            has_successes: attempt.total > 0,
        }
    }
}

/// Does nothing: a call tells the compiler that its branch is rarely taken.
#[cold]
const fn is_rare() {}

/// Makes attacks.
pub(crate) trait Attacks<'a>: Decide<'a> {
    /// Whether attacks with a weapon may be in words. A clock makes these in a function of their own, so that the question
    /// of other attacks never leaves its registers.
    #[inline(always)]
    fn is_in_words(&self, who: usize, weapon: usize) -> bool {
        let is_in_words = self.combatant(who).weapons[weapon].in_words;
        if is_in_words {
            is_rare();
        }
        is_in_words
    }

    /// Makes an attack: its check and, if it works, its damage and further effects.
    #[inline(always)]
    fn resolve_attack<const WORDS: bool>(
        &mut self,
        question: CheckTerms,
        target: usize,
        (weapon, arms): (usize, &'a Weapon),
        kind: AttackKind,
    ) -> Struck {
        if !WORDS {
            return self
                .resolve::<false>(question, target, (weapon, arms), kind)
                .into();
        }
        let mut question = self.asked(question, &arms.check);
        if !arms.penalties.is_empty() {
            question.words.repeated = self.repeat_attack(question.who, &arms.penalties);
        }
        if self.asks_after_rolls(question.who, target) {
            return self.resolve_asked(question, target, (weapon, arms), kind);
        }
        let attempt = self.resolve::<true>(question, target, (weapon, arms), kind);
        if !attempt.works {
            let hit = self.failed_hit(question.who, attempt);
            self.deal_hit(question.who, target, &arms.damage, hit);
            if !arms.effects.is_empty() {
                self.add_failing_effects(question.who, target, arms, attempt);
            }
        }
        attempt.into()
    }

    #[inline(always)]
    fn resolve<const WORDS: bool>(
        &mut self,
        question: CheckTerms,
        target: usize,
        (weapon, arms): (usize, &'a Weapon),
        kind: AttackKind,
    ) -> Attempt {
        let who = question.who;
        let mut attempt = self.attempt_attack::<WORDS>(question, &arms.check);
        if !WORDS {
            attempt.words = Outcome::default();
        }
        if question.part.is_some() {
            self.count_successes(who, attempt.total, attempt.needed, attempt.botch);
        }
        let is_critical = if WORDS {
            arms.check.is_critical(&attempt)
        } else {
            arms.check.is_critical_plain(&attempt)
        };
        self.count_critical(who, is_critical);
        self.report_attack(&question, target, (weapon, arms), kind, attempt, 0);
        if attempt.works && !self.defends(question, target, arms, attempt) {
            self.counts(who).hits += 1;
            if WORDS && let Some(resist) = &arms.resist {
                self.strike_resisted(question, target, arms, (attempt, resist));
                return attempt;
            }
            let dealt = self.deal_attack::<WORDS>(question, target, arms, attempt);
            self.on_hit(target, arms, dealt);
            self.add_effects(who, target, &arms.effects, attempt, (0, Share::All));
        }
        attempt
    }

    /// Applies a hit whose target may resist all of it.
    #[cold]
    #[inline(never)]
    fn strike_resisted(
        &mut self,
        question: CheckTerms,
        target: usize,
        arms: &'a Weapon,
        (attempt, resist): (Attempt, &'a Resist),
    ) {
        let who = question.who;
        let (resisting, left) = self.resisted(who, target, resist);
        let effect = match left {
            Share::All => attempt.effect,
            Share::Half => HitEffect::Halved,
            Share::None => HitEffect::Nothing,
        };
        if left != Share::None {
            let attempt = Attempt { effect, ..attempt };
            let dealt = self.deal_attack::<true>(question, target, arms, attempt);
            self.on_hit(target, arms, dealt);
        }
        self.add_effects(who, target, &arms.effects, attempt, (resisting, left));
    }

    /// Lets the target of a hit by `who` resist it. Returns the set of the target if it does, and what is left of the hit.
    fn resisted(&mut self, who: usize, target: usize, resist: &'a Resist) -> (u64, Share) {
        match self.find_resisting(bit(target), who, resist, None) {
            0 => (0, Share::All),
            resisting => (resisting, resist.leaves),
        }
    }

    /// Counts an attack of a turn. Returns the number that is added to it because of those before it.
    #[cold]
    #[inline(never)]
    fn repeat_attack(&mut self, who: usize, penalties: &[i16]) -> i32 {
        let Some(all) = self.world_mut().affliction_mut(who) else {
            return 0;
        };
        let before = usize::from(all.attacks);
        all.attacks = all.attacks.saturating_add(1);
        penalties[before.min(penalties.len() - 1)].into()
    }

    /// Counts an attack as begun, and takes it off the limit of its weapon.
    #[inline]
    fn count_attack(&mut self, who: usize, (weapon, arms): (usize, &Weapon), elapsed: u32) {
        if arms.spends {
            self.spend(who, weapon);
        }
        let counts = self.counts(who);
        counts.attacks += 1;
        if counts.first_attack.is_none() {
            counts.first_attack = Some(elapsed);
        }
    }

    /// Counts and reports an attack that cannot be made any more (W-4). Where an attacker must stand `upright`, it may
    /// have been thrown to the ground.
    fn lose_attack(&mut self, who: usize, weapon: usize, upright: bool) {
        self.counts(who).attacks_lost += 1;
        let prone = upright && self.body(who).prone;
        self.note(if prone || !self.holds_weapon(who, weapon) {
            Event::Unready { who, prone }
        } else {
            Event::Lost { who }
        });
    }

    /// Reports the result of an attack, to whose roll `more` has been added once it was known.
    #[inline]
    fn report_attack(
        &mut self,
        question: &CheckTerms,
        target: usize,
        (weapon, arms): (usize, &Weapon),
        kind: AttackKind,
        attempt: Attempt,
        more: i64,
    ) {
        self.note(Event::Attack {
            who: question.who,
            target,
            weapon,
            kind,
            total: attempt.total,
            needed: attempt.needed,
            hit: attempt.works,
            sum: self.shown_sum(|_| arms.check.sum(question).with(Modifier::Later, more)),
        });
    }

    /// The hit of an attack, with the damage that conditions add.
    #[inline(always)]
    fn hit(&self, who: usize, attempt: Attempt) -> Hit {
        let mut hit = Hit::of(Some(attempt));
        hit.force.conditions = self.body(who).damage.into();
        hit
    }

    /// The hit of an attack whose check has failed.
    fn failed_hit(&self, who: usize, attempt: Attempt) -> Hit {
        Hit {
            fails: true,
            ..self.hit(who, attempt)
        }
    }

    /// Applies those effects of an attack that name the result of its check, which has failed.
    #[cold]
    #[inline(never)]
    fn add_failing_effects(
        &mut self,
        who: usize,
        target: usize,
        arms: &'a Weapon,
        attempt: Attempt,
    ) {
        for effect in arms.effects.iter().filter(|effect| effect.results() != 0) {
            let effects = std::slice::from_ref(effect);
            self.add_effects(who, target, effects, attempt, (0, Share::All));
        }
    }

    /// Returns the dice of the check of an attack with a bonus, and what facts add to them, if it is a pool.
    #[inline(always)]
    fn attack_pool<const WORDS: bool>(
        &self,
        who: usize,
        check: &Check,
        bonus: i64,
    ) -> Option<(i64, i64)> {
        match check {
            Check::Pool { dice, .. } => Some((i64::from(dice.count) + bonus, 0)),
            _ if WORDS => Some((check.pool(bonus)?, self.own_facts(who, check))),
            _ => None,
        }
    }

    /// Whether the check of an attack is a pool.
    #[inline(always)]
    fn is_pool<const WORDS: bool>(check: &Check) -> bool {
        if WORDS {
            check.kind() == CheckKind::Pool
        } else {
            matches!(check, Check::Pool { .. })
        }
    }

    /// Makes the check of an attack. Successes of a pool beyond the fewest that work count apart, and
    /// [`deal_attack`](Self::deal_attack) rolls them again for their damage.
    #[inline(always)]
    fn attempt_attack<const WORDS: bool>(
        &mut self,
        question: CheckTerms,
        check: &Check,
    ) -> Attempt {
        let key = (std::ptr::from_ref(check).addr(), question);
        let kind = |attempt| check.kind_of(attempt);
        let (chance, observer) = self.chance_and_observer();
        // A closure with a single use is inlined; this path is the hottest.
        let roll = |chance: &mut Self::Chance| {
            roll_attack::<WORDS, _, _>(check, &question, chance, observer)
        };
        let attempt = chance.result(key, roll, kind);
        if Self::is_pool::<WORDS>(check) && !attempt.botch && attempt.total > 0 {
            chance.count_more_successes(question.who, (key, attempt), |chance| {
                let roll = |chance: &mut Self::Chance| {
                    roll_attack::<WORDS, _, _>(check, &question, chance, observer)
                };
                done(chance.again(attempt, roll, kind).total - attempt.total)
            });
        }
        attempt
    }

    /// Deals the damage of an attack that works.
    #[inline(always)]
    fn deal_attack<const WORDS: bool>(
        &mut self,
        question: CheckTerms,
        target: usize,
        arms: &Weapon,
        attempt: Attempt,
    ) -> i32 {
        let (who, check, mut damage) = (question.who, &arms.check, &arms.damage);
        let hit = self.hit(who, attempt);
        let mut force = hit.force;
        if WORDS {
            match self.blow((who, target), damage, hit) {
                Some(blow) => (damage, force) = blow,
                None => return 0,
            }
        }
        if !Self::is_pool::<WORDS>(check) {
            return self.deal_plain_hit(who, target, damage, force);
        }
        let armor = self.armor(target);
        let key = (std::ptr::from_ref(check).addr(), question, attempt, force);
        let roll = |chance: &mut Self::Chance, observer: &mut Self::Observer| {
            let roll = |chance: &mut Self::Chance| {
                roll_attack::<WORDS, _, _>(check, &question, chance, observer)
            };
            let attempt = chance.again(attempt, roll, |attempt| check.kind_of(attempt));
            let extra = attempt.extra_damage as i32;
            roll_hit(who, damage, Force { extra, ..force }, chance, observer)
        };
        let sum = |whole| force.sum(damage, whole);
        self.deal((who, target), damage, Some(armor), key, roll, sum)
    }
}

impl<'a, S: Decide<'a> + ?Sized> Attacks<'a> for S {}
