//! Carries out choices: attacks, drawing, using (MA-3, MA-9).

use super::legal::Feat;
use super::rules::{Division, Willpower};
use super::{Encounter, flags};
use crate::dice::PoolDraw;
use crate::fight::check::Dice;
use crate::fight::health::Diminished;
use crate::sim::prelude::*;

/// The terms that hold for all feats of one action.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    /// Dice that movement takes off each pool (MA-5).
    pub lost: i32,
    /// Whether a pool is divided among the feats (MA-3).
    pub divided: bool,
}

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Carries out one action: its feats in order.
    pub(super) fn act(&mut self, who: usize, feats: &[Feat], terms: Terms, line: &Line) {
        let actor = self.actor_mut(who);
        actor.actions -= 1;
        actor.flags.add(flags::ACTED);
        if terms.divided {
            actor.flags.add(flags::DIVIDED);
        }
        self.break_off(who, feats);
        let is_rolled = |feat: &Feat| feat.dice.is_some() && !self.is_work_without_roll(who, feat);
        if self.loses_once(terms) && feats.iter().any(is_rolled) {
            self.counts(who).dice_lost += terms.lost as u32;
        }
        for (part, feat) in feats.iter().enumerate() {
            // When the encounter is decided, the remaining attacks are neither made nor lost (W-6).
            if part > 0 && (self.world().is_out(who) || self.decided().is_some()) {
                return;
            }
            let aim = match part {
                0 => line.aim,
                _ => line.more[part - 1].aim,
            };
            match feat.kind {
                Deed::Attack { weapon, target } => {
                    self.attack(who, terms, feat, usize::from(weapon), target.into(), aim);
                }
                Deed::Cast { spell, target } => {
                    self.cast(who, terms, feat, usize::from(spell), target.into(), aim);
                    self.discharge_paradox(who);
                }
                Deed::Draw(weapon) => {
                    if self.gets_ready(who, terms, feat) {
                        self.draw(who, usize::from(weapon));
                    }
                }
                Deed::Use { item, target } => {
                    if self.gets_ready(who, terms, feat) {
                        self.use_in_turn(who, terms, feat, (item, target), aim);
                    }
                }
                Deed::Stand => self.get_up(who),
            }
        }
    }

    /// Plays a turn of getting a clumsy weapon ready (MA-3). Getting another weapon ready, if begun, is lost.
    pub(super) fn ready(&mut self, who: usize, weapon: u8) {
        self.abandon_ritual(who);
        let left = self.turns_to_ready(who, weapon);
        let lost = self.dice_lost(who);
        let actor = self.actor_mut(who);
        actor.actions = 0;
        actor.flags.add(flags::ACTED);
        if left == 0 {
            let check = &self.combatant(who).weapons[usize::from(weapon)].ready_check;
            let pool = check.as_ref().map(|dice| i64::from(dice.count));
            let feat = Feat {
                kind: Deed::Draw(weapon),
                dice: pool.map(|pool| (pool - lost).max(0) as u16),
                wounds: 0,
                sure: false,
            };
            let terms = Terms {
                lost: lost as i32,
                divided: false,
            };
            if self.gets_ready(who, terms, &feat) {
                self.actor_mut(who).readying = None;
                self.draw(who, usize::from(weapon));
            } else {
                // The last turn of getting the weapon ready may be tried again.
                self.actor_mut(who).readying = Some((weapon, 1));
            }
        } else {
            actor.readying = Some((weapon, left));
            self.note(Event::Ready {
                who,
                weapon: usize::from(weapon),
                left: left.into(),
            });
        }
    }

    /// Returns the turns that getting a clumsy weapon ready takes after this one.
    pub(super) fn turns_to_ready(&self, who: usize, weapon: u8) -> u8 {
        match self.actor(who).readying {
            Some((same, left)) if same == weapon => left - 1,
            _ => {
                let weapons = &self.combatant(who).weapons;
                weapons[usize::from(weapon)].ready_turns - 1
            }
        }
    }

    /// Rolls a number of dice of a pool.
    pub(super) fn throw(
        &mut self,
        who: usize,
        pool: &Dice,
        dice: u32,
        purpose: Purpose,
    ) -> PoolDraw {
        let (chance, observer) = self.chance_and_observer();
        pool.throw(dice, who, purpose, chance, |chance| {
            Roller::new(chance, observer, who, purpose)
        })
    }

    /// Makes the roll for getting a weapon or item ready, if it takes one. Returns whether it is ready (MA-3).
    fn gets_ready(&mut self, who: usize, terms: Terms, feat: &Feat) -> bool {
        let combatant = self.combatant(who);
        let check = match feat.kind {
            Deed::Draw(weapon) => &combatant.weapons[usize::from(weapon)].ready_check,
            Deed::Use { item, .. } => &combatant.items[usize::from(item)].ready_check,
            Deed::Attack { .. } | Deed::Cast { .. } | Deed::Stand => &None,
        };
        let Some(pool) = check else {
            return true;
        };
        let wounds = feat.wounds;
        let mut feat = feat.of_roll(terms, pool.count.into(), 0);
        if terms.divided && !self.loses_once(terms) {
            // Wounds reduced this part, but they take nothing off this roll.
            feat.dice = feat.dice.map(|dice| dice + wounds);
        }
        let dice = u32::from(feat.dice.unwrap_or(0));
        self.count_pool(who, terms, &feat, Some(pool.count.into()), [0; 2]);
        let drawn = self.throw(who, pool, dice, Purpose::Check);
        let needed = pool.required();
        let works = drawn.net >= needed && !drawn.botch;
        self.count_successes(who, drawn.net, needed, drawn.botch);
        self.note(Event::ReadyRoll {
            who,
            net: drawn.net,
            needed,
            works,
        });
        if drawn.botch {
            self.note(Event::Botch { who });
        }
        works
    }

    /// Uses an item. Its own check is one of the rolls among which a pool is divided, and yards take dice off it (MA-3,
    /// MA-5).
    fn use_in_turn(
        &mut self,
        who: usize,
        terms: Terms,
        feat: &Feat,
        (item, target): (u8, Option<u8>),
        aim: Aim,
    ) {
        let power = &self.combatant(who).items[usize::from(item)].power;
        let pool = power
            .check
            .as_ref()
            .and_then(|check| self.pool(who, check, 0));
        let rolled = pool.map(|pool| feat.of_roll(terms, pool, feat.wounds.into()));
        if let Some(feat) = &rolled {
            self.count_pool(who, terms, feat, pool, self.added_dice(who, 0));
        }
        let penalties = Penalties {
            part: rolled.and_then(|feat| feat.dice).map(u32::from),
            yards: terms.lost.into(),
        };
        self.use_again(who, item, target, aim, penalties);
    }

    /// Makes one attack (MA-9). Its target is kept, or replaced by the same rule (W-4).
    fn attack(
        &mut self,
        who: usize,
        terms: Terms,
        feat: &Feat,
        weapon: usize,
        target: usize,
        aim: Aim,
    ) {
        if self.is_in_words(who, weapon) {
            self.attack_by::<true>(who, terms, feat, weapon, target, aim);
        } else {
            self.attack_by::<false>(who, terms, feat, weapon, target, aim);
        }
    }

    fn attack_by<const WORDS: bool>(
        &mut self,
        who: usize,
        terms: Terms,
        feat: &Feat,
        weapon: usize,
        target: usize,
        aim: Aim,
    ) {
        let plan = self.plan;
        let arms = &self.combatant(who).weapons[weapon];
        let target = self.keep_or_replace(who, target, self.range(who, weapon), || aim);
        // The feat before should have got the weapon ready, but failed, or has thrown its maker down (MA-3).
        let Some(target) = target.filter(|_| self.can_strike(who, weapon)) else {
            self.lose_attack(who, weapon, true);
            return;
        };
        self.actor_mut(who).flags.add(flags::ATTACKED);
        if arms.kind != WeaponKind::Melee {
            let shot_at = if self.state.put_off.waits(who, target) {
                flags::SHOT_AT_IN_TIE
            } else {
                flags::UNDER_FIRE
            };
            self.actor_mut(target).flags.add(shot_at);
        }
        self.count_attack(who, (weapon, arms), self.state.round);
        if feat.dice.is_some() {
            let pool = self.pool(who, &arms.check, arms.mastery);
            self.count_pool(who, terms, feat, pool, self.added_dice(who, arms.mastery));
        }
        self.spend_willpower(who, feat);
        let question = CheckTerms {
            part: feat.dice.map(u32::from),
            lost: feat.wounds.into(),
            yards: terms.lost.into(),
            sure: feat.sure,
            harder: self.harder_to_hit(who, target),
            ..self.question(who, target, arms.mastery)
        };
        let attempt =
            self.resolve_attack::<WORDS>(question, target, (weapon, arms), AttackKind::Attack);
        if attempt.botch {
            self.botched(who, &plan.rules.attack_botch);
        } else if !attempt.works && attempt.has_successes && feat.dice.is_some() {
            self.note(Event::Diminished {
                who,
                spell: None,
                share: Diminished::Nothing,
            });
        }
    }

    /// Returns what conditions add to the difficulty of an attack: those on the attacker, and the evade of the target
    /// (W-11).
    fn harder_to_hit(&self, who: usize, target: usize) -> i64 {
        self.difficulty_change(who) + i64::from(self.world().change(target, Number::Evade))
    }

    /// Returns the points of Willpower left.
    pub(super) fn willpower_left(&self, who: usize) -> i32 {
        self.plan.profiles[who].traits.willpower - i32::from(self.actor(who).willpower_spent)
    }

    /// Returns whether a point of Willpower may be spent now: one a turn, or one an action (MD-4).
    pub(super) fn may_spend_willpower(&self, who: usize) -> bool {
        let again = match self.plan.rules.willpower {
            Willpower::PerTurn => !self.actor(who).flags.any(flags::WILLED),
            Willpower::PerAction => true,
        };
        again && self.willpower_left(who) > 0
    }

    /// Spends a point of Willpower before the roll, if the line says so (MD-4).
    pub(super) fn spend_willpower(&mut self, who: usize, feat: &Feat) {
        if !feat.sure {
            return;
        }
        let actor = self.actor_mut(who);
        actor.willpower_spent += 1;
        actor.flags.add(flags::WILLED);
        self.counts(who).willpower_spent += 1;
        let left = self.willpower_left(who);
        self.note(Event::Willpower { who, left });
    }

    /// Returns the dice that mastery and conditions add to a pool.
    #[inline]
    pub(super) fn added_dice(&self, who: usize, mastery: i64) -> [i64; 2] {
        [mastery, self.body(who).attack.into()]
    }

    /// Returns the pool of a check, with what conditions add.
    pub(super) fn pool(&self, who: usize, check: &Check, mastery: i64) -> Option<i64> {
        let [_, more] = self.added_dice(who, mastery);
        let pool = check.pool(mastery)? + self.own_facts(who, check);
        Some(if more == 0 {
            pool
        } else {
            (pool + more).max(0)
        })
    }

    /// Returns the sum of the dice of a rolled pool.
    #[cold]
    fn pool_sum(
        &self,
        terms: Terms,
        feat: &Feat,
        pool: i64,
        [mastery, conditions]: [i64; 2],
    ) -> Sum {
        let yards = if self.counts_every_yard() {
            Modifier::Yards
        } else {
            Modifier::YardsBeyondHalf
        };
        let sum = Sum::new(pool - mastery - conditions)
            .with(Modifier::Mastery, mastery)
            .with(Modifier::Conditions, conditions)
            .with(Modifier::Wounds, -i64::from(feat.wounds))
            .with(yards, -i64::from(terms.lost));
        let dice = feat.dice.map_or(0, i64::from);
        let others = sum.total() - dice;
        sum.with(Modifier::Divided, -others)
    }

    /// Returns whether yards take dice once, off the pool that is then divided, and not off each pool that is rolled
    /// (MA-3).
    fn loses_once(&self, terms: Terms) -> bool {
        terms.divided && self.plan.rules.division == Division::AfterPenalties
    }

    /// Counts the dice that yards take off a rolled pool, and reports how its dice are derived: `added` are those that
    /// mastery and conditions have added.
    pub(super) fn count_pool(
        &mut self,
        who: usize,
        terms: Terms,
        feat: &Feat,
        pool: Option<i64>,
        added: [i64; 2],
    ) {
        if let (Some(pool), Some(dice)) = (pool, feat.dice) {
            if !self.loses_once(terms) {
                self.counts(who).dice_lost += terms.lost as u32;
            }
            self.note(Event::Pool {
                who,
                dice: dice.into(),
                sum: self.shown_sum(|clock| clock.pool_sum(terms, feat, pool, added)),
            });
        }
    }
}
