//! Conditions that last: how they begin, work and end (W-11).

use super::damage::Hit;
use super::effects::Effects;
use super::stage::Stage;
use crate::fight::Fight;
use crate::fight::check::Question;
use crate::fight::lasting::{Ends, Lasting, Number};
use crate::fight::world::members;
use crate::sim::Event;

/// Begins, counts and ends conditions.
pub(crate) trait Conditions<'a>: Stage<'a> {
    /// Begins a condition.
    fn begin_condition(&mut self, by: usize, who: usize, condition: u8, rounds: u8) {
        let fight: &Fight = self.fight();
        let new = Lasting {
            condition,
            left: rounds,
            by: by as u8,
        };
        let Some(all) = self.world_mut().affliction_mut(who) else {
            return;
        };
        if all.begin(new, &fight.conditions) {
            let stuns = all.stunned;
            self.note(Event::ConditionBegins {
                who,
                condition,
                rounds,
            });
            self.changed(who, stuns);
        }
    }

    /// Ends those conditions of a combatant.
    fn end_conditions(&mut self, who: usize, ends: impl Fn(&Lasting) -> bool) {
        self.keep_conditions(who, |one| !ends(one));
    }

    /// Keeps those conditions of a combatant for which `keep` is true.
    fn keep_conditions(&mut self, who: usize, keep: impl FnMut(&mut Lasting) -> bool) {
        let fight: &Fight = self.fight();
        let Some(all) = self.world_mut().affliction_mut(who) else {
            return;
        };
        let ended = all.retain(&fight.conditions, keep);
        if ended != 0 {
            for condition in members(ended) {
                self.note(Event::ConditionEnds {
                    who,
                    condition: condition as u8,
                });
            }
            self.changed(who, false);
        }
    }

    /// Damage ends some conditions.
    #[cold]
    #[inline(never)]
    fn startle(&mut self, who: usize) {
        let conditions = &self.fight().conditions;
        let wakes = |one: &Lasting| conditions[usize::from(one.condition)].ends == Ends::Damage;
        self.end_conditions(who, wakes);
    }

    /// The end of a turn of `who`, or else of a Round: what lasts is a Round shorter.
    #[inline]
    fn pass_time(&mut self, who: usize, is_round: bool) {
        if self.world().has_conditions() {
            self.count_down(who, is_round);
        }
    }

    #[cold]
    #[inline(never)]
    fn count_down(&mut self, who: usize, is_round: bool) {
        let Some(all) = self.world().affliction(who).copied() else {
            return;
        };
        if all.all().next().is_none() || !self.world().stands(who) {
            return;
        }
        let conditions = &self.fight().conditions;
        let ends = |one: &Lasting| &conditions[usize::from(one.condition)].ends;
        let mut shaken_off = 0_u64;
        for one in all.all() {
            if let (Ends::Check { check, needs }, false) = (ends(&one), is_round) {
                let question = Question {
                    evade: *needs,
                    mastery: 0,
                    ..self.asked(who, who, 0)
                };
                let attempt = self.tried(question, check);
                self.note(Event::Resists {
                    who,
                    total: Some(attempt.total),
                    needed: attempt.needed,
                    works: attempt.works,
                });
                shaken_off |= u64::from(attempt.works) << one.condition;
            }
        }
        self.keep_conditions(who, |one| {
            if shaken_off >> one.condition & 1 == 1 {
                return false;
            }
            if one.left > 0 && is_round == (*ends(one) == Ends::RoundEnd) {
                one.left -= 1;
                return one.left > 0;
            }
            true
        });
    }

    /// The turn of `who` begins: the damage of its conditions.
    #[inline]
    fn suffer_conditions(&mut self, who: usize) {
        if self.world().has_conditions() {
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
        if all.stunned {
            self.record().combatants[who].stunned += 1;
        }
        for one in all.all() {
            let Some(damage) = &conditions[usize::from(one.condition)].ongoing else {
                continue;
            };
            if !self.world().stands(who) {
                return;
            }
            let by = usize::from(one.by);
            let rolled = self.roll_for_all(by, damage, Hit::default());
            self.note(Event::ConditionHurts {
                who,
                condition: one.condition,
            });
            let points = self.fight().combatants[who].takes(damage, rolled);
            self.deal_certain(by, who, rolled, points);
        }
    }

    /// Armour of a combatant now.
    #[inline]
    fn armor(&self, who: usize) -> i64 {
        let whole = self.fight().combatants[who].armor;
        match self.world().change(who, Number::Armor) {
            0 => whole,
            change => (whole + i64::from(change)).max(0),
        }
    }
}

impl<'a, S: Stage<'a> + ?Sized> Conditions<'a> for S {}
