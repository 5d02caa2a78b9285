//! Magick in a fight: effects, rituals and Paradox (MD-5 to MD-7).

use super::Encounter;
use super::act::Terms;
use super::legal::Feat;
use super::state::Ritual;
use crate::dice::extended::OnBotch;
use crate::fight::Magick;
use crate::fight::check::HitEffect;
use crate::fight::health::Diminished;
use crate::fight::health::Setback;
use crate::sim::prelude::*;

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Makes one roll of an effect.
    pub(super) fn cast(
        &mut self,
        who: usize,
        terms: Terms,
        feat: &Feat,
        index: usize,
        target: usize,
        aim: Aim,
    ) {
        let plan = self.plan;
        let spell = &self.combatant(who).spells[index];
        let (Some(check), Some(magick)) = (&spell.check, &spell.magick) else {
            return;
        };
        let under_way = self.actor(who).ritual;
        let failed = under_way.map_or(0, |ritual| usize::from(ritual.failed));
        let harder = failed
            .checked_sub(1)
            .and_then(|harder| spell.harder.get(harder));
        // The last check applies to all further failures, as in `harder`.
        let last = spell.witnessed.len().saturating_sub(1);
        let check = match spell.witnessed.get(failed.min(last)) {
            Some(witnessed) if self.state.clock.watched => witnessed,
            _ => harder.unwrap_or(check),
        };
        let target = if let Some(ritual) = under_way {
            let kept = usize::from(ritual.target);
            if self.may_be_target(kept, aim) {
                kept
            } else {
                // The target that the choice of this turn has found, or another by the same rule (W-4, W-5).
                self.keep_or_replace(who, target, spell.farthest(), || aim)
                    .unwrap_or(kept)
            }
        } else {
            let Some(target) = self.keep_or_replace(who, target, spell.farthest(), || aim) else {
                self.note(Event::Wasted { who, spell: index });
                return;
            };
            self.counts(who).spells_cast += 1;
            self.pay(who, &spell.price);
            if magick.ritual {
                self.note(Event::Ritual {
                    who,
                    spell: index,
                    target,
                });
            }
            target
        };
        let mut ritual = under_way.unwrap_or(Ritual {
            spell: index as u8,
            target: 0,
            gathered: 0,
            paid: 0,
            failed: 0,
            worked: 0,
        });
        ritual.target = target as u8;
        if magick.ritual {
            ritual.worked += 1;
            let left = magick.turns_per_roll.saturating_sub(ritual.worked);
            if left > 0 {
                self.actor_mut(who).ritual = Some(ritual);
                self.note(Event::RitualWork {
                    who,
                    spell: index,
                    left: left.into(),
                });
                return;
            }
            ritual.worked = 0;
        }
        let pool = self.pool(who, check, 0);
        self.count_pool(who, terms, feat, pool, self.added_dice(who, 0));
        self.spend_willpower(who, feat);
        let question = CheckTerms {
            part: feat.dice.map(u32::from),
            lost: 0,
            yards: terms.lost.into(),
            sure: feat.sure,
            more: spell.successes_to_reach(self.world().distance(who, target)),
            ..self.question(who, target, 0)
        };
        let attempt = self.attempt(question, check);
        if magick.ritual {
            self.go_on(who, index, ritual, attempt, aim);
            return;
        }
        self.count_successes(who, attempt.total, attempt.needed, attempt.botch);
        self.gather_paradox(who, magick, 0, attempt.botch);
        self.report_spell_check(&question, target, index, attempt);
        if attempt.botch {
            self.botched(who, &plan.rules.magick_botch);
            return;
        }
        let reaches = attempt.total > question.more;
        let diminished = reaches && !attempt.works;
        let share = magick.diminished.unwrap_or(plan.rules.diminished);
        if diminished {
            self.note(Event::Diminished {
                who,
                spell: Some(index),
                share,
            });
        }
        if !reaches || (diminished && share == Diminished::Nothing) {
            return;
        }
        if let Some(target) = self.keep_or_replace(who, target, spell.farthest(), || aim) {
            let attempt = Attempt {
                effect: if diminished && share == Diminished::Half {
                    HitEffect::Halved
                } else {
                    attempt.effect
                },
                ..attempt
            };
            self.release(who, target, spell, Some(attempt));
        }
    }

    /// Adds the successes of a roll to a ritual (MD-7). When enough are gathered, the effect happens.
    fn go_on(&mut self, who: usize, index: usize, ritual: Ritual, attempt: Attempt, aim: Aim) {
        let plan = self.plan;
        let spell: &Spell = &self.combatant(who).spells[index];
        let Some(magick) = &spell.magick else { return };
        let mut ritual = ritual;
        let botch = attempt.botch;
        let counts = self.counts(who);
        counts.botches += u32::from(botch);
        if !botch && attempt.total > 0 {
            counts.successes += attempt.total as u32;
            ritual.gathered += attempt.total;
        } else if usize::from(ritual.failed) < spell.harder.len() {
            ritual.failed += 1;
        }
        ritual.paid += self.gather_paradox(who, magick, ritual.paid, botch);
        let required = i64::from(magick.required);
        let kept = usize::from(ritual.target);
        let needed = if self.may_be_target(kept, aim) {
            required + spell.successes_to_reach(self.world().distance(who, kept))
        } else {
            required
        };
        if botch && plan.rules.ritual_botch == OnBotch::LosesAll {
            ritual.gathered = 0;
        }
        self.note(Event::RitualRoll {
            who,
            spell: index,
            net: attempt.total,
            gathered: ritual.gathered,
            needed,
        });
        self.actor_mut(who).ritual = Some(ritual);
        if botch {
            if plan.rules.ritual_botch == OnBotch::Ends {
                self.actor_mut(who).ritual = None;
                self.note(Event::ChannelBroken { who, spell: index });
            }
            self.botched(who, &plan.rules.magick_botch);
            return;
        }
        if ritual.gathered < needed {
            return;
        }
        self.actor_mut(who).ritual = None;
        let extra = ritual.gathered - required;
        let Some(target) = self.keep_or_replace(who, kept, spell.carried(extra), || aim) else {
            self.note(Event::Wasted { who, spell: index });
            return;
        };
        self.note(Event::Effect {
            who,
            spell: index,
            target,
        });
        let left = extra - spell.successes_to_reach(self.world().distance(who, target));
        let extra_damage = left * magick.extra_damage;
        let whole = Attempt {
            extra_damage,
            ..attempt
        };
        self.release(who, target, spell, Some(whole));
    }

    /// Applies the Paradox of a roll (MD-6), at least 1 for a botch; a ritual may cost it once. Returns the Paradox
    /// gained.
    fn gather_paradox(&mut self, who: usize, magick: &Magick, paid: u32, botch: bool) -> u32 {
        let witnessed = magick.vulgar && self.state.clock.watched;
        let due = (magick.paradox + u32::from(witnessed)).max(u32::from(botch));
        let gained = if self.plan.rules.paradox_once {
            due.saturating_sub(paid)
        } else {
            due
        };
        if gained > 0 {
            self.counts(who).paradox += gained;
            let actor = self.actor_mut(who);
            actor.paradox += gained;
            let total = actor.paradox;
            self.note(Event::Paradox { who, gained, total });
        }
        gained
    }

    /// Applies backlash after the roll has had its effect (MD-6): while Paradox has reached the threshold, it strikes
    /// back and goes down by the threshold.
    pub(super) fn discharge_paradox(&mut self, who: usize) {
        let plan = self.plan;
        let rules = &plan.rules;
        if rules.backlash == Setback::Nothing {
            return;
        }
        // Nothing more happens to a fallen combatant, or when the encounter is decided (W-6).
        while self.actor(who).paradox >= rules.paradox_threshold
            && !self.world().is_out(who)
            && self.decided().is_none()
        {
            let actor = self.actor_mut(who);
            actor.paradox -= rules.paradox_threshold;
            let left = actor.paradox;
            self.note(Event::Backlash { who, left });
            self.suffer_setback(who, &rules.backlash);
        }
    }

    /// Returns whether this is a turn of work on a ritual before the turn of its roll (MD-7).
    pub(super) fn is_work_without_roll(&self, who: usize, feat: &Feat) -> bool {
        let Deed::Cast { spell, .. } = feat.kind else {
            return false;
        };
        let worked = self.actor(who).ritual.map_or(0, |ritual| ritual.worked);
        let magick = self.combatant(who).spells[usize::from(spell)].magick;
        magick.is_some_and(|magick| magick.ritual && worked + 1 < magick.turns_per_roll)
    }

    /// Breaks off a ritual, if `feats` do not continue it.
    pub(super) fn break_off(&mut self, who: usize, feats: &[Feat]) {
        if let Some(ritual) = self.actor(who).ritual
            && !feats
                .iter()
                .any(|feat| matches!(feat.kind, Deed::Cast { spell, .. } if spell == ritual.spell))
        {
            self.abandon_ritual(who);
        }
    }

    /// Breaks a ritual off, if one is under way.
    pub(super) fn abandon_ritual(&mut self, who: usize) {
        if let Some(ritual) = self.actor_mut(who).ritual.take() {
            self.note(Event::ChannelBroken {
                who,
                spell: usize::from(ritual.spell),
            });
        }
    }
}
