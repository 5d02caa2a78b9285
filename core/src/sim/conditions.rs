//! Conditions that last: how they begin, work and end (W-11).

use crate::fight::lasting::{Ends, Lasting, Until};
use crate::fight::system::Clock;
use crate::sim::hit::Force;
use crate::sim::prelude::*;

/// The moments at which conditions are counted down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    Turn,
    /// The beginning of a turn that goes on later in the Round (CD-2).
    Delay,
    /// A turn that was delayed: it counts the conditions that have begun since.
    DelayedTurn,
    Round,
}

impl Over {
    /// Returns whether the end of this turn counts a condition, and notes in it whether that turn goes on.
    fn counts(self, lasting: &mut Lasting) -> bool {
        let counted = std::mem::replace(&mut lasting.counted, self == Self::Delay);
        !(self == Self::DelayedTurn && counted)
    }
}

/// Begins, counts and ends conditions.
pub(crate) trait Conditions<'a>: Stage<'a> {
    /// Begins a condition on a combatant.
    fn begin_condition(&mut self, new: Lasting, who: usize) {
        let fight: &Fight = self.fight();
        let most = self.most_health(who);
        let Some(all) = self.world_mut().affliction_mut(who) else {
            return;
        };
        let (by, condition) = (usize::from(new.by), new.condition);
        if all.begin(new, &fight.conditions) {
            let stuns = fight.conditions[usize::from(condition)].stuns;
            self.note(Event::ConditionBegins {
                who,
                condition,
                rounds: new.left,
                until: new.until,
                by,
            });
            self.update_after_conditions(who, most, true);
            self.on_numbers_changed(who, stuns);
            // On clocks of turns, only a turn that begins stunned counts.
            if stuns && matches!(fight.system.clock, Clock::Marks | Clock::Phases) {
                self.count_stunned_round(who);
            }
        } else {
            let full = !all.has(condition);
            self.note(Event::ConditionKept {
                who,
                condition,
                by,
                full,
            });
        }
    }

    /// Ends the conditions of a combatant for which `ends` is true.
    fn end_conditions(&mut self, who: usize, ends: &dyn Fn(&Lasting) -> bool) {
        self.keep_conditions(who, &mut |lasting| !ends(lasting));
    }

    /// Keeps the conditions of a combatant for which `keep` is true, and ends the others.
    fn keep_conditions(&mut self, who: usize, keep: &mut dyn FnMut(&mut Lasting) -> bool) {
        let fight: &Fight = self.fight();
        let most = self.most_health(who);
        let Some(all) = self.world_mut().affliction_mut(who) else {
            return;
        };
        let ended = all.retain(&fight.conditions, keep);
        if ended != 0 {
            let still = *all;
            for condition in members(ended).map(|condition| condition as u8) {
                self.note(Event::ConditionEnds {
                    who,
                    condition,
                    left: still
                        .all()
                        .filter(|lasting| lasting.condition == condition)
                        .count() as u8,
                });
            }
            self.update_after_conditions(who, most, false);
            self.on_numbers_changed(who, false);
        }
    }

    /// The most health that a combatant may have now.
    fn most_health(&self, who: usize) -> i32 {
        self.world().most_health(self.combatant(who), who)
    }

    /// Updates numbers and health after a change of conditions. If a condition begins and raises the most health,
    /// health rises with it; no combatant has more than the most.
    fn update_after_conditions(&mut self, who: usize, before: i32, begins: bool) {
        let combatant = self.combatant(who);
        let world = self.world_mut();
        world.update_numbers(combatant, who);
        let most = world.most_health(combatant, who);
        if most == before || !world.stands(who) {
            return;
        }
        let raised = if begins { (most - before).max(0) } else { 0 };
        let health = (world.health(who) + raised).min(most);
        world.set_health(who, health);
        self.note(Event::MostHealth { who, most, health });
    }

    /// Ends the conditions that end by damage.
    #[cold]
    #[inline(never)]
    fn end_conditions_on_damage(&mut self, who: usize) {
        let conditions = &self.fight().conditions;
        let wakes =
            |lasting: &Lasting| conditions[usize::from(lasting.condition)].ends == Ends::Damage;
        self.end_conditions(who, &wakes);
    }

    /// Counts down the conditions of `who` at the end of its turn or of a Round.
    #[inline]
    fn pass_time(&mut self, who: usize, over: Over) {
        if self.has_conditions() {
            self.count_down(who, over);
            if over != Over::Round && self.world().stands(who) {
                self.count_down_others(who, over);
            }
        }
    }

    /// Ends or delays a turn of `who`, unless it has decided the encounter: then it does not end (W-6).
    #[inline(always)]
    fn end_turn_of(&mut self, who: usize, over: Over) {
        if self.has_conditions() && self.decided().is_none() {
            self.pass_time(who, over);
        }
    }

    /// Ends a Round for all combatants that stand; if `with_turns`, their turns end with it.
    fn end_round_of_all(&mut self, with_turns: bool) {
        if self.has_conditions() {
            for who in members(self.world().here()) {
                if with_turns {
                    self.pass_time(who, Over::Turn);
                }
                self.pass_time(who, Over::Round);
            }
        }
    }

    /// Begins a turn of `by`, or without `begins` ends it, for the conditions that last until then: those that it caused or
    /// has, as their words say.
    #[inline]
    fn reach_turn_of(&mut self, by: usize, begins: bool) {
        if self.counts_turns() {
            if begins && let Some(all) = self.world_mut().affliction_mut(by) {
                all.attacks = 0;
            }
            self.end_conditions_until(by, begins);
        }
    }

    /// Whether a condition of the fight lasts until a turn.
    #[inline]
    fn counts_turns(&self) -> bool {
        !Self::PLAIN && self.fight().counts_turns
    }

    #[cold]
    #[inline(never)]
    fn end_conditions_until(&mut self, by: usize, begins: bool) {
        for who in members(self.world().here()) {
            let waits = |lasting: &Lasting| lasting.waits_for(who) == Some(by);
            let all = self.world().affliction(who);
            if all.is_some_and(|all| all.all().any(|lasting| waits(&lasting))) {
                let keep =
                    &mut |lasting: &mut Lasting| !waits(lasting) || lasting.until.lasts_on(begins);
                self.keep_conditions(who, keep);
            }
        }
    }

    /// Counts down, at the end of a turn of `by`, the conditions that it caused and that last for its own turns.
    #[cold]
    #[inline(never)]
    fn count_down_others(&mut self, by: usize, over: Over) {
        self.reach_turn_of(by, false);
        let conditions = &self.fight().conditions;
        if !conditions
            .iter()
            .any(|condition| condition.ends == Ends::SourceTurn)
        {
            return;
        }
        for who in members(self.world().here()) {
            self.keep_conditions(who, &mut |lasting| {
                let ends = &conditions[usize::from(lasting.condition)].ends;
                let counts = *ends == Ends::SourceTurn
                    && lasting.until == Until::Rounds
                    && usize::from(lasting.by) == by
                    && over.counts(lasting);
                lasting.left -= u8::from(counts);
                !counts || lasting.left > 0
            });
        }
    }

    #[cold]
    #[inline(never)]
    fn count_down(&mut self, who: usize, over: Over) {
        let Some(all) = self.world().affliction(who).copied() else {
            return;
        };
        if all.all().next().is_none() || self.world().here() & bit(who) == 0 {
            return;
        }
        let conditions = &self.fight().conditions;
        let ends = |lasting: &Lasting| &conditions[usize::from(lasting.condition)].ends;
        let is_round = over == Over::Round;
        // Each condition is checked by itself, also beside others of its kind.
        let mut passed = 0_u64;
        for (index, mut lasting) in all.all().enumerate() {
            if let Ends::Check(check) = ends(&lasting)
                && !is_round
                && over.counts(&mut lasting)
            {
                passed |=
                    u64::from(self.passes_check((who, lasting.by.into()), check, false)) << index;
            }
        }
        let standing = self.world().standing();
        let mut indices = 0..;
        self.keep_conditions(who, &mut |lasting| {
            if indices.next().is_some_and(|index| passed >> index & 1 == 1) {
                return false;
            }
            if lasting.until == Until::RoundEnd {
                return !is_round;
            }
            if let Some(turn_of) = lasting.waits_for(who) {
                return !(is_round && standing >> turn_of & 1 == 0);
            }
            let is_alone = standing >> lasting.by & 1 == 0;
            let counts = match ends(lasting) {
                Ends::RoundEnd => is_round,
                Ends::SourceTurn => is_round && is_alone,
                _ => !is_round && over.counts(lasting),
            };
            if lasting.left > 0 && counts {
                lasting.left -= 1;
                return lasting.left > 0;
            }
            true
        });
    }

    /// Counts this Round as one in which the combatant is stunned, once.
    fn count_stunned_round(&mut self, who: usize) {
        if self.world_mut().mark_stunned(who) {
            self.counts(who).stunned += 1;
        }
    }

    /// Deals the damage of the conditions of `who` as its turn begins.
    #[inline]
    fn suffer_conditions(&mut self, who: usize) {
        if self.has_conditions() {
            self.suffer_each(who);
        }
    }

    #[cold]
    #[inline(never)]
    fn suffer_each(&mut self, who: usize) {
        let Some(all) = self.world().affliction(who).copied() else {
            return;
        };
        let conditions = &self.fight().conditions;
        for lasting in all.all() {
            let Some(damage) = &conditions[usize::from(lasting.condition)].ongoing else {
                continue;
            };
            if self.world().is_out(who) {
                return;
            }
            // The damage of an earlier condition may have ended this one.
            let lasts = self.world().affliction(who);
            if lasts.is_none_or(|now| !now.has(lasting.condition)) {
                continue;
            }
            let by = usize::from(lasting.by);
            let [_, rolled] = self.roll_for_all(by, damage, Force::default());
            self.note(Event::ConditionHurts {
                who,
                condition: lasting.condition,
            });
            self.deal_roll(by, who, damage, rolled, None, || {
                Force::default().sum(damage, rolled)
            });
        }
        if self.world().is_stunned(who) && self.world().stands(who) {
            self.count_stunned_round(who);
        }
    }

    /// The current armour of a combatant.
    #[inline]
    fn armor(&self, who: usize) -> i64 {
        self.body(who).armor.into()
    }
}

impl<'a, S: Stage<'a> + ?Sized> Conditions<'a> for S {}
