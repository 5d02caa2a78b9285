//! Effects of actions besides the damage of an attack (W-11).

use super::hit::{Force, roll_hit};
use crate::fight::check::{Asked, CheckKind, HitEffect, OwnCheck};
use crate::fight::effect::{Change, Conditional, Effect, Power, Resist, Share, Spared};
use crate::fight::health::Damage;
use crate::fight::lasting::Lasting;
use crate::sim::prelude::*;

/// Reductions of the check of an item besides wounds (MA-3, MA-5).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Penalties {
    /// The dice of the check, where the choice has settled them.
    pub part: Option<u32>,
    /// Dice that yards take off it.
    pub yards: i64,
}

/// More Units than any two combatants can be apart.
const BEYOND: Units = 1 << 24;

/// Applies effects.
pub(crate) trait Effects<'a>: Stage<'a> {
    /// Uses an item on a target, or on its user.
    #[inline(never)]
    fn use_item(&mut self, who: usize, item: usize, target: Option<usize>, penalties: Penalties) {
        let power = &self.combatant(who).items[item].power;
        if let Some(heals) = power.draught() {
            self.consume(who, item, heals);
            return;
        }
        self.count_use(who, item);
        let target = target.unwrap_or(who);
        self.note(Event::UseOn { who, item, target });
        self.use_power(who, target, power, penalties);
    }

    /// Uses an item on the chosen target, or on another by the same rule (W-4). The use is lost if no target is left,
    /// or if the last use was taken meanwhile.
    fn use_again(
        &mut self,
        who: usize,
        item: u8,
        target: Option<u8>,
        aim: Aim,
        penalties: Penalties,
    ) {
        let used_up = !self.has_use(who, item);
        if used_up {
            return self.note(Event::UseLost { who, item, used_up });
        }
        let Some(kept) = target else {
            return self.use_item(who, item.into(), None, penalties);
        };
        let range = self.combatant(who).items[usize::from(item)].power.range;
        match self.keep_or_replace(who, kept.into(), range, || aim) {
            Some(target) => self.use_item(who, item.into(), Some(target), penalties),
            None => self.note(Event::UseLost { who, item, used_up }),
        }
    }

    /// Returns the [`CheckTerms`] of a spell to its check.
    fn spell_question(&self, who: usize, target: usize, spell: &Spell) -> CheckTerms {
        let mut question = self.cold_question(who, target, 0);
        if let Some(check) = &spell.check {
            question = self.asked(question, check);
        }
        match spell.power.needs {
            Some(evade) => CheckTerms { evade, ..question },
            None => question,
        }
    }

    /// Applies a spell to its target: its damage alone, or all its effects. Returns the points of its damage alone.
    fn release(
        &mut self,
        who: usize,
        target: usize,
        spell: &'a Spell,
        attempt: Option<Attempt>,
    ) -> i32 {
        let hit = Hit {
            // An effect of magick may be released with too few successes.
            fails: attempt.is_some_and(|attempt| !attempt.works && spell.comes(&attempt)),
            ..Hit::of(attempt)
        };
        if spell.power.effects.is_empty() {
            return self.deal_hit(who, target, &spell.damage, hit);
        }
        self.apply_power(who, target, &spell.power, hit, None);
        0
    }

    /// Makes the check of an action on `target`, if it has one, and applies the effects if it works.
    fn use_power(&mut self, who: usize, target: usize, power: &'a Power, penalties: Penalties) {
        let mut hit = Hit::default();
        let mut total = None;
        if let Some(check) = &power.check {
            let attempt = self.try_power(who, target, (power, check), penalties);
            if !attempt.works && !power.comes(&attempt) {
                return;
            }
            hit = Hit {
                fails: !attempt.works,
                ..Hit::of(Some(attempt))
            };
            let rolled = if check.is_critical(&attempt) {
                // A critical success reaches any number (W-9).
                i64::MAX
            } else {
                attempt.total
            };
            total = (check.kind() == CheckKind::RollOver).then_some(rolled);
        }
        self.apply_power(who, target, power, hit, total);
    }

    /// Makes the check of an action on `target`.
    fn try_power(
        &mut self,
        who: usize,
        target: usize,
        (power, check): (&'a Power, &'a Check),
        penalties: Penalties,
    ) -> Attempt {
        let mut question = self.asked(self.cold_question(who, target, 0), check);
        question.part = penalties.part;
        question.yards = penalties.yards;
        let of_each = check.kind() == CheckKind::RollOver
            && matches!(&power.resist, Some(resist) if resist.by.is_none());
        match power.needs {
            Some(needs) => question = question.needs(needs),
            // The roll is compared with the evade of each target.
            None if of_each => question.evade = i64::MIN / 2,
            None => {}
        }
        let attempt = if of_each {
            let (chance, observer) = self.chance_and_observer();
            roll_check(check, &question, chance, observer)
        } else {
            self.cold_attempt(question, check)
        };
        let of_all = !of_each || power.needs.is_some();
        self.note(Event::UseCheck {
            who,
            total: attempt.total,
            needed: of_all.then_some(attempt.needed),
            works: attempt.works,
            kind: check.kind(),
            sum: self.shown_sum(|_| check.sum(&question)),
        });
        attempt
    }

    /// Applies an action to all combatants in its area. `total` is the roll that may be compared with the evade of
    /// each.
    #[cold]
    #[inline(never)]
    fn apply_power(
        &mut self,
        who: usize,
        target: usize,
        power: &'a Power,
        hit: Hit,
        total: Option<i64>,
    ) {
        let fight = self.fight();
        let mut reached = bit(target);
        if let Some(area) = power.area {
            let mut all = if power.heals() {
                self.world().here()
            } else {
                self.world().standing()
            };
            let own = self.constants().side(fight.combatants[who].side);
            match area.spares {
                Spared::Allies => all &= !own,
                Spared::Enemies => all &= own,
                Spared::Nobody => {}
            }
            reached = self.world().within(target, all, area.radius);
        }
        let what = (power.resist.as_ref(), &power.effects[..]);
        self.apply_effects(who, target, reached, what, hit, total);
    }

    /// Applies effects to a set, after each member has tried to resist. Distances count from `centre`.
    fn apply_effects(
        &mut self,
        who: usize,
        centre: usize,
        reached: u64,
        (resist, effects): (Option<&'a Resist>, &'a [Effect]),
        mut hit: Hit,
        total: Option<i64>,
    ) {
        // An effect may push the target, but not the area.
        let centre = self.world().position(centre);
        let (mut resisting, mut left) = (0, Share::All);
        if let Some(resist) = resist {
            left = resist.leaves;
            resisting = self.find_resisting(reached, who, resist, total);
        }
        for effect in effects {
            let all = effect.reaches(reached, resisting, left);
            self.apply_effect(who, centre, effect, hit, (all, resisting, left));
            if effect.damage().is_some() {
                // Extra successes are spent once, on the first damage (MD-3).
                hit.force.extra = 0;
            }
        }
    }

    /// Applies one effect to those of a set who stand, or healing also to those who are down (W-18); some of them get only
    /// a share of it. `centre` is the place of
    /// the target as the first effect came. If none stands, no dice are rolled.
    fn apply_effect(
        &mut self,
        who: usize,
        centre: Units,
        effect: &'a Effect,
        hit: Hit,
        (all, some, left): (u64, u64, Share),
    ) {
        let share = |points: i64, target: usize| {
            let whole = some & bit(target) == 0;
            if whole { points } else { left.of(points) }
        };
        let mut standing = effect.about(bit(who), all)
            & match effect {
                Effect::Heal(_) => self.world().here(),
                _ => self.world().standing(),
            };
        // A tied combatant that has felled itself still stands until the others have acted (W-5).
        if self.world().is_out(who) {
            standing &= !bit(who);
        }
        if standing == 0 || !effect.comes(!hit.fails, hit.words.degree) {
            return;
        }
        match effect {
            Effect::If(conditional) => {
                self.apply_conditional(who, centre, conditional, hit, (standing, some, left));
            }
            Effect::Damage {
                damage,
                falloff,
                pierces,
            } => {
                let first = standing.trailing_zeros() as usize;
                let Some((damage, force)) = self.blow((who, first), damage, hit) else {
                    return;
                };
                let [whole, rolled] = self.roll_for_all(who, damage, force);
                let pierces = match force.effect {
                    HitEffect::IgnoresArmor => i64::MAX,
                    _ => *pierces,
                };
                self.put_off().blast = standing != bit(who);
                for target in members(standing) {
                    let far = i64::from((self.world().position(target) - centre).abs());
                    let near = (rolled - falloff * far).max(0);
                    let points = share(near, target);
                    let armor = (self.armor(target) - pierces).max(0);
                    self.deal_roll(who, target, damage, points, Some(armor), || {
                        force
                            .sum(damage, whole)
                            .with(Modifier::Falloff, near - rolled)
                            .with(Modifier::Halved, points - near)
                    });
                }
                self.put_off().blast = false;
            }
            Effect::Heal(roll) => {
                let whole = roll.roll(&mut self.roller(who, Purpose::Other));
                let rolled = if hit.force.effect == HitEffect::Halved {
                    whole / 2
                } else {
                    whole
                };
                for target in members(standing) {
                    let points = share(rolled, target);
                    let (healed, health) = self.heal(who, target, points);
                    self.note(Event::Healed {
                        who: target,
                        healed,
                        health,
                        sum: roll
                            .sum(points, healed)
                            .with(Modifier::Halved, points - whole),
                    });
                    if health > 0 && self.world().is_down(target) {
                        self.stand_again(target);
                    }
                }
            }
            Effect::TemporaryHealth(roll) => {
                let rolled = roll.roll(&mut self.roller(who, Purpose::Other));
                for target in members(standing) {
                    self.lend_health(target, share(rolled, target));
                }
            }
            // It is applied where the roll is made.
            Effect::Revise(_) => {}
            Effect::Change(change) => {
                let here = self.world().position(who);
                for target in members(standing) {
                    // A push that waits goes the way of its blow, wherever its target has gone meanwhile (W-11).
                    let at = match change {
                        Change::Push(1..) => {
                            let away = match self.world().position(target) - here {
                                0 => self.step_away(target, who, here).map_or(0, |to| to - here),
                                away => away.signum(),
                            };
                            here - away * BEYOND
                        }
                        _ => here,
                    };
                    if !self.put_off().keep(who, at, target, change) {
                        self.apply_change((who, at), target, change);
                    }
                }
            }
        }
    }

    /// Applies an effect that some of a set resist, or that only some degrees of its check have.
    fn apply_conditional(
        &mut self,
        who: usize,
        centre: Units,
        conditional: &'a Conditional,
        hit: Hit,
        (all, some, left): (u64, u64, Share),
    ) {
        let Conditional {
            resist,
            results,
            effect,
            ..
        } = conditional;
        let hit = Hit {
            // An effect that names its results comes of them, whether the check works or not.
            fails: hit.fails && *results == 0,
            ..hit
        };
        let (mut resisting, mut share) = (some, left);
        if let Some(resist) = resist {
            share = resist.leaves;
            resisting |= self.find_resisting(all & !some, who, resist, None);
        }
        let reached = effect.reaches(all, resisting, share);
        self.apply_effect(who, centre, effect, hit, (reached, resisting, share));
    }

    /// Applies an effect of `by`, who was at `at`, that is neither damage nor healing to a combatant.
    #[cold]
    #[inline(never)]
    fn apply_change(&mut self, (by, at): (usize, Units), who: usize, change: &Change) {
        match change {
            Change::Begin { condition, length } => {
                self.begin_condition(Lasting::new(*condition, *length, by as u8), who);
            }
            Change::End { condition } => {
                self.end_conditions(who, &|lasting| lasting.condition == *condition);
            }
            Change::Traits(changes) => {
                for (own, change) in &**changes {
                    self.change_trait(who, *own, *change);
                }
            }
            Change::Push(units) => self.push((by, at), who, *units),
            Change::Interrupt => self.interrupt(who),
            Change::Disarm { for_good } => self.disarm(who, *for_good),
            Change::Uses { thing, change } => self.change_uses(who, thing, *change),
            Change::Prone => {
                if !std::mem::replace(&mut self.world_mut().bodies[who].prone, true) {
                    self.note(Event::KnockedDown { who });
                    self.on_numbers_changed(who, false);
                }
            }
        }
    }

    /// Applies the further effects of a hit to its target, which is one of the `resisting` or not.
    #[inline]
    fn add_effects(
        &mut self,
        who: usize,
        target: usize,
        effects: &'a [Effect],
        attempt: Attempt,
        (resisting, left): (u64, Share),
    ) {
        for effect in effects {
            let hit = Hit::of_effects(attempt);
            let all = effect.reaches(bit(target), resisting, left);
            let centre = self.world().position(target);
            self.apply_effect(who, centre, effect, hit, (all, resisting, left));
        }
    }

    /// Returns those of a set who resist an effect of `source`.
    fn find_resisting(
        &mut self,
        set: u64,
        source: usize,
        resist: &'a Resist,
        total: Option<i64>,
    ) -> u64 {
        let by = resist.by.as_ref();
        set_of(members(set).filter(|who| self.resists((*who, source), by, total)))
    }

    /// Tests whether a combatant resists.
    fn resists(
        &mut self,
        (who, source): (usize, usize),
        by: Option<&OwnCheck>,
        total: Option<i64>,
    ) -> bool {
        let (rolled, needed, works) = match (by, total) {
            (Some(check), _) => return self.passes_check((who, source), check, false),
            (None, Some(total)) => {
                let evade = self.cold_question(who, who, 0).evade;
                let hits = total >= evade + i64::from(!self.fight().meeting_hits);
                (None, evade, !hits)
            }
            (None, None) => {
                let Some(test) = self.dodge(who) else {
                    return false;
                };
                let (chance, observer) = self.chance_and_observer();
                let roll = |chance: &mut Self::Chance| {
                    let result = test.roll(&mut Roller::new(chance, observer, who, Purpose::Other));
                    (result.success, result.shown)
                };
                let (works, shown) = chance.result(("dodge", test), roll, |(works, _)| (works, 0));
                (Some(shown.into()), test.skill, works)
            }
        };
        self.note(Event::Resists {
            who,
            total: rolled,
            needed,
            works,
            morale: false,
            down: false,
            kind: CheckKind::Percentile,
            sum: rolled.map_or_else(Sum::default, |_| self.dodge_sum(who)),
        });
        works
    }

    /// Makes a check of a combatant's own, to resist an effect or to end a condition, or a test of its `morale`.
    fn passes_check(
        &mut self,
        (who, source): (usize, usize),
        own: &OwnCheck,
        morale: bool,
    ) -> bool {
        let words = Asked {
            target: source as u8,
            ..Asked::default()
        };
        let question = CheckTerms {
            words,
            mastery: own.fewer.get(who).map_or(0, |fewer| -fewer),
            conditions: 0,
            harder: 0,
            ..self.cold_question(who, who, 0).needs(own.needs)
        };
        let question = self.asked(question, &own.check);
        let attempt = self.cold_attempt(question, &own.check);
        self.note(Event::Resists {
            who,
            total: Some(attempt.total),
            needed: attempt.needed,
            works: attempt.works,
            morale,
            down: self.world().down() & bit(who) != 0,
            kind: own.check.kind(),
            sum: self.shown_sum(|_| own.check.sum(&question)),
        });
        attempt.works
    }

    /// Tests the morale of the allies of a combatant that has fallen or left (W-13).
    #[cold]
    #[inline(never)]
    fn test_morale_of_allies(&mut self, who: usize) {
        if !self.has_conditions() || self.decided().is_some() {
            return;
        }
        let fight = self.fight();
        let side = self.constants().side(fight.combatants[who].side);
        let (all, down) = (side, side & !self.expected());
        for ally in members(side & self.world().standing()) {
            let Some(morale) = &fight.combatants[ally].morale else {
                continue;
            };
            if morale.when.comes(down.count_ones(), all.count_ones())
                && !self.passes_check((ally, who), &morale.by, true)
            {
                let at = self.world().position(ally);
                self.apply_change((ally, at), ally, &morale.effect);
            }
        }
    }

    /// Rolls damage before armour, once for all targets. Returns the roll, and what counts of it.
    fn roll_for_all(&mut self, who: usize, damage: &'a Damage, force: Force) -> [i64; 2] {
        self.report_critical(who, force);
        let (chance, observer) = self.chance_and_observer();
        let roll = |chance: &mut Self::Chance| roll_hit(who, damage, force, chance, observer);
        let question = (std::ptr::from_ref(damage).addr(), force);
        chance.result(question, roll, |[_, rolled]| [rolled; 2])
    }

    /// Deals damage that has been rolled, less soak and `armor`; less neither if `armor` is `None`. `sum` returns the
    /// parts of `rolled`. It is a separate function, so that the code of attacks stays in one piece.
    #[cold]
    #[inline(never)]
    fn deal_roll(
        &mut self,
        who: usize,
        target: usize,
        damage: &Damage,
        rolled: i64,
        armor: Option<i64>,
        sum: impl FnOnce() -> Sum,
    ) {
        let roll = |_: &mut Self::Chance, _: &mut Self::Observer| [rolled; 2];
        self.deal((who, target), damage, armor, rolled, roll, |_| sum());
    }

    /// Returns the [`CheckTerms`] of a check that is no attack. It is a separate function, so that the code of attacks
    /// stays in one piece.
    #[cold]
    #[inline(never)]
    fn cold_question(&self, who: usize, target: usize, mastery: i64) -> CheckTerms {
        self.question(who, target, mastery)
    }

    /// Makes a check that is no attack, in a separate function for the same reason.
    #[cold]
    #[inline(never)]
    fn cold_attempt(&mut self, question: CheckTerms, check: &Check) -> Attempt {
        self.attempt(question, check)
    }

    /// Moves a combatant away from where another was, or, with negative `units`, towards it, as far as walls allow. It
    /// does not count as a move.
    fn push(&mut self, (by, at): (usize, Units), who: usize, units: Units) {
        let start = self.world().position(who);
        for _ in 0..units.unsigned_abs() {
            let next = if units < 0 {
                Some(self.step_towards(who, at))
            } else {
                self.step_away(who, by, at)
            };
            let Some(next) = next.filter(|_| who != by) else {
                break;
            };
            self.world_mut().set_position(who, next);
        }
        let to = self.world().position(who);
        if to != start {
            self.note(Event::Pushed {
                who,
                from: start,
                to,
                pulled: units < 0,
            });
            self.apply_ground(who);
        }
    }
}

impl<'a, S: Stage<'a> + ?Sized> Effects<'a> for S {}
