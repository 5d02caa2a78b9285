//! After a roll: lines `after RESULT: use ITEM` are asked once the check of an attack is known, before it takes effect.
//!
//! First those of the attacker, then, if the attack hits, those of its target. Each item is used once at most for a roll.
//! An item that is used changes the roll (a [`Revision`]): the damage that it leads to, or the roll itself.

use super::decide::{Choice, choose};
use super::hit::Force;
use crate::fight::check::HitEffect;
use crate::fight::effect::{Effect, Revision, Share};
use crate::fight::health::Damage;
use crate::fight::program::STRUCK;
use crate::sim::attack::Struck;
use crate::sim::prelude::*;

/// An attack: the question to its check, its target, the weapon, and why it is made.
#[derive(Clone, Copy)]
pub(crate) struct Strike<'a> {
    question: CheckTerms,
    target: usize,
    weapon: (usize, &'a Weapon),
    kind: AttackKind,
    /// Whether something may be added to its roll, so that all of it matters.
    is_open: bool,
}

impl Strike<'_> {
    /// Whether an attempt has a result, as `who` calls it. A degree of the check goes before a word of the language.
    fn has_result(&self, who: usize, attempt: &Attempt, result: &str) -> bool {
        let mut degrees = self.weapon.1.check.degrees().iter();
        match (degrees.position(|degree| degree.name == result), result) {
            _ if who != self.question.who => result == STRUCK && attempt.works,
            (Some(degree), _) => usize::from(attempt.words.degree) == degree + 1,
            (None, "won") => attempt.works,
            (None, "lost") => !attempt.works,
            _ => false,
        }
    }

    /// Whether an effect may come after an attempt.
    fn lets(&self, who: usize, attempt: &Attempt, effect: &Effect) -> bool {
        let mut after = effect.after().iter();
        after.len() == 0 || after.any(|result| self.has_result(who, attempt, result))
    }
}

/// A roll that is known and has not taken effect.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    attempt: Attempt,
    /// What becomes of the first damage that it leads to.
    revision: Option<&'a Revision>,
}

impl Known<'_> {
    /// Replaces the attempt. What was to become of its damage does not hold for another result.
    fn turn_to(&mut self, attempt: Attempt) {
        if attempt.works != self.attempt.works {
            self.revision = None;
        }
        self.attempt = attempt;
    }
}

/// Makes attacks of which combatants may change the roll.
pub(crate) trait AfterRolls<'a>: Decide<'a> {
    /// Whether an attacker or its target has lines after rolls.
    #[inline]
    fn asks_after_rolls(&self, who: usize, target: usize) -> bool {
        let lines = |who: usize| self.combatant(who).policy.at(Window::AfterRoll);
        !lines(who).is_empty() || !lines(target).is_empty()
    }

    /// Makes an attack whose roll may be changed once it is known.
    #[cold]
    #[inline(never)]
    fn resolve_asked(
        &mut self,
        question: CheckTerms,
        target: usize,
        (weapon, arms): (usize, &'a Weapon),
        kind: AttackKind,
    ) -> Struck {
        let who = question.who;
        let strike = Strike {
            question,
            target,
            weapon: (weapon, arms),
            kind,
            is_open: [who, target].into_iter().any(|one| self.raises_rolls(one)),
        };
        let mut roll = Known {
            attempt: self.make_roll(&strike),
            revision: None,
        };
        self.ask_after_roll(who, &strike, &mut roll);
        if roll.attempt.works {
            let kind = arms.check.kind_of(roll.attempt);
            if self.defends(question, target, arms, kind) {
                return roll.attempt.into();
            }
            self.ask_after_roll(target, &strike, &mut roll);
        }
        let Known {
            attempt,
            mut revision,
        } = roll;
        if !attempt.works {
            let hit = self.failed_hit(who, attempt);
            self.deal_revised((who, target), &arms.damage, hit, &mut revision);
            self.add_revised_effects(&strike, attempt, (0, Share::All), revision);
            return attempt.into();
        }
        self.counts(who).hits += 1;
        let mut hit = self.hit(who, attempt);
        let (resisting, left) = match &arms.resist {
            Some(resist) => self.resisted(who, target, resist),
            None => (0, Share::All),
        };
        if left == Share::Half {
            hit.force.effect = HitEffect::Halved;
        }
        if left != Share::None {
            let dealt = self.deal_revised((who, target), &arms.damage, hit, &mut revision);
            self.on_hit(target, arms, dealt);
        }
        self.add_revised_effects(&strike, attempt, (resisting, left), revision);
        attempt.into()
    }

    /// Whether a combatant has something that adds to rolls.
    fn raises_rolls(&self, who: usize) -> bool {
        let mut items = self.combatant(who).items.iter();
        items.any(|item| item.power.raises_rolls())
    }

    /// Makes and reports the check of an attack.
    fn make_roll(&mut self, strike: &Strike<'a>) -> Attempt {
        let (question, (_, arms)) = (&strike.question, strike.weapon);
        let attempt = if strike.is_open {
            let (chance, observer) = self.chance_and_observer();
            let key = ("whole", std::ptr::from_ref(&arms.check).addr(), *question);
            let roll =
                |chance: &mut Self::Chance| roll_check(&arms.check, question, chance, observer);
            chance.result(key, roll, |attempt| attempt)
        } else {
            self.cold_attempt(*question, &arms.check)
        };
        if question.part.is_some() {
            self.count_successes(question.who, attempt.total, attempt.needed, attempt.botch);
        }
        self.count_critical(question.who, arms.check.is_critical(&attempt));
        self.report_roll(strike, attempt, 0);
        attempt
    }

    /// Reports the result of the roll of an attack, to which `more` has been added.
    fn report_roll(&mut self, strike: &Strike<'a>, attempt: Attempt, more: i64) {
        let Strike {
            question,
            target,
            weapon,
            kind,
            ..
        } = *strike;
        self.report_attack(&question, target, weapon, kind, attempt, more);
    }

    /// Lets a combatant change a roll that is known, item by item, until none of its lines is taken.
    fn ask_after_roll(&mut self, who: usize, strike: &Strike<'a>, roll: &mut Known<'a>) {
        let lines = self.combatant(who).policy.at(Window::AfterRoll);
        let mut taken = 0;
        while !lines.is_empty() && !self.is_stunned(who) && self.world().stands(who) {
            let Some(index) = self.line_after_roll(who, strike, roll, taken) else {
                return;
            };
            self.report_decision(who, &lines[index]);
            let Action::Use(item) = lines[index].action else {
                return;
            };
            taken |= bit(item.into());
            self.use_after_roll(who, item.into(), strike, roll);
        }
    }

    /// Returns the line that a combatant takes after a roll.
    fn line_after_roll(
        &mut self,
        who: usize,
        strike: &Strike<'a>,
        roll: &Known<'a>,
        taken: u64,
    ) -> Option<usize> {
        let policy = &self.combatant(who).policy;
        let first = policy.decisions().len();
        let is_open = policy.offered > 0;
        if is_open && let Some(decided) = self.chance_and_observer().0.decided_before() {
            return Some(usize::from(decided?) - first);
        }
        let is_anothers = who == strike.target;
        let foe = if is_anothers {
            strike.question.who
        } else {
            strike.target
        };
        let about = Some((foe, self.world().distance(who, foe)));
        let view = self.view(who);
        let lines = policy.at(Window::AfterRoll).iter();
        let legal = lines.enumerate().filter(|(_, line)| {
            let result = line.after.as_deref().unwrap_or_default();
            strike.has_result(who, &roll.attempt, result)
                && match line.action {
                    Action::Use(item) => {
                        let mut effects = self.combatant(who).items[usize::from(item)]
                            .power
                            .effects
                            .iter();
                        taken & bit(item.into()) == 0
                            && self.has_use(who, item)
                            && self.has_points_for(who, &line.action)
                            && effects.any(|effect| strike.lets(who, &roll.attempt, effect))
                    }
                    _ => true,
                }
        });
        let holds = |line: &Line| self.holds(&view, &line.condition, about);
        if !is_open {
            let mut legal = legal.filter(|(_, line)| holds(line));
            return legal.next().map(|(index, _)| index);
        }
        let choice = |(index, line): (usize, &Line)| {
            let what = match line.action {
                Action::Use(item) => Some(item),
                _ => None,
            };
            let number = (first + index) as u16;
            (Choice { line: number, what }, holds(line))
        };
        let legal: Vec<(Choice<Option<u8>>, bool)> = legal.map(choice).collect();
        // To pass is no choice where nothing can be used.
        legal.iter().find_map(|(choice, _)| choice.what)?;
        let chosen = choose(self, who, legal, false)?;
        Some(usize::from(chosen.line) - first)
    }

    /// Uses an item that changes a roll.
    fn use_after_roll(
        &mut self,
        who: usize,
        item: usize,
        strike: &Strike<'a>,
        roll: &mut Known<'a>,
    ) {
        let power = &self.combatant(who).items[item].power;
        let known = roll.attempt;
        self.note(Event::UseOn {
            who,
            item,
            target: who,
        });
        let mut hit = Hit::default();
        if let Some(check) = &power.check {
            let attempt = self.try_power(who, who, (power, check), Penalties::default());
            hit = Hit {
                fails: !attempt.works,
                ..Hit::of(Some(attempt))
            };
        }
        // A test of luck is made with the luck that is there, and takes a point of it.
        self.count_use(who, item);
        for effect in &power.effects {
            let comes = effect.comes(!hit.fails, hit.words.degree);
            if !comes || !strike.lets(who, &known, effect) {
                continue;
            }
            match effect.plain() {
                Effect::Revise(Revision::Reroll) => roll.turn_to(self.make_roll(strike)),
                Effect::Revise(Revision::Add(added)) => {
                    let more = added.roll(&mut self.roller(who, Purpose::Other));
                    let check = &strike.weapon.1.check;
                    let raised = check.raised(&strike.question, roll.attempt, more);
                    self.report_roll(strike, raised, raised.total - roll.attempt.total);
                    roll.turn_to(raised);
                }
                Effect::Revise(Revision::Miss) => {
                    let mut missed = roll.attempt;
                    (missed.works, missed.words.degree) = (false, 0);
                    roll.turn_to(missed);
                    self.note(Event::TurnedAside { who });
                }
                Effect::Revise(revision) => roll.revision = Some(revision),
                _ => {
                    let centre = self.world().position(who);
                    self.apply_effect(who, centre, effect, hit, (bit(who), 0, Share::All));
                }
            }
        }
    }

    /// Deals the damage of a hit, or what a revision makes of it. Returns the points dealt.
    fn deal_revised(
        &mut self,
        (who, target): (usize, usize),
        damage: &'a Damage,
        hit: Hit,
        revision: &mut Option<&'a Revision>,
    ) -> i32 {
        let Some((damage, force)) = self.blow((who, target), damage, hit) else {
            return 0;
        };
        let revision = if damage.is_nothing() {
            None
        } else {
            revision.take()
        };
        match revision {
            Some(Revision::Damage(other)) => self.deal_hit(who, target, other, Hit::default()),
            Some(Revision::Part(effect)) => {
                let effect = *effect;
                self.deal_plain_hit(who, target, damage, Force { effect, ..force })
            }
            _ => self.deal_plain_hit(who, target, damage, force),
        }
    }

    /// Applies the effects of an attack that come of its result; a revision is for the first that does damage.
    fn add_revised_effects(
        &mut self,
        strike: &Strike<'a>,
        attempt: Attempt,
        (resisting, left): (u64, Share),
        mut revision: Option<&'a Revision>,
    ) {
        let (who, target) = (strike.question.who, strike.target);
        for effect in &strike.weapon.1.effects {
            let comes = effect.comes(attempt.works, attempt.words.degree);
            if !comes || !attempt.works && effect.results() == 0 {
                continue;
            }
            let one = effect.about(bit(who), bit(target)).trailing_zeros() as usize;
            let revised = match effect.damage() {
                Some(_) if resisting & bit(one) == 0 && self.world().stands(one) => revision.take(),
                _ => None,
            };
            match (revised, effect.damage()) {
                (Some(Revision::Damage(other)), _) => {
                    self.deal_hit(who, one, other, Hit::default());
                }
                (Some(Revision::Part(part)), Some(damage)) => {
                    let mut hit = Hit::of_effects(attempt);
                    (hit.fails, hit.force.effect) = (false, *part);
                    self.deal_hit(who, one, damage, hit);
                }
                _ => {
                    let effects = std::slice::from_ref(effect);
                    self.add_effects(who, target, effects, attempt, (resisting, left));
                }
            }
        }
    }
}

impl<'a, S: Decide<'a> + ?Sized> AfterRolls<'a> for S {}
