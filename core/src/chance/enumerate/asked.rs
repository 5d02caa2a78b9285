//! How an enumerator answers each question of [`Chance`].

use super::{Blow, BlowEffect, Chance, Enumerator, MOST_PRODUCTS, Options, Purpose};
use crate::chance::answers::as_written;
use crate::dice::{Distribution, Pool, PoolDraw, PoolTable, TotalTable, Totals, Weight};
use std::hash::Hash;
use std::sync::Arc;

/// The questions of dice, as keys. A table is identified by its address.
#[derive(PartialEq, Hash)]
enum Asked {
    Face(u32),
    Sum(u32, u32),
    Chance(u64),
    Table(usize),
    Fells,
    Options(usize),
}

impl Asked {
    fn table<T>(table: &T) -> Self {
        Self::Table(std::ptr::from_ref(table).addr())
    }
}

impl Chance for Enumerator<'_> {
    fn face(&mut self, _: usize, _: Purpose, sides: u32) -> u32 {
        self.ask(Asked::Face(sides), |_| {
            let weight = Weight::ratio(1, sides);
            (1..=sides).map(|face| (face, weight)).collect()
        })
    }

    fn happens(&mut self, _: usize, _: Purpose, chance: u64) -> bool {
        self.ask(Asked::Chance(chance), |_| {
            let yes = Weight::from(as_written(chance));
            vec![(true, yes), (false, Weight::ONE - yes)]
        })
    }

    fn sum(&mut self, _: usize, _: Purpose, count: u32, sides: u32) -> u64 {
        let answer = |(sum, weight): (i64, Weight)| (sum as u64, weight);
        self.ask(Asked::Sum(count, sides), |outer| {
            let values = u64::from(count) * u64::from(sides);
            let products = values + values * (values - u64::from(sides)) / 2;
            outer.known.count(products);
            if products > MOST_PRODUCTS || outer.overflowed() {
                outer.known.overflowed.set(true);
                return vec![(u64::from(count), Weight::ONE)];
            }
            let sums = Distribution::die(sides).dice(count);
            sums.weights().map(answer).collect()
        })
    }

    fn pool(&mut self, _: usize, _: Purpose, table: &PoolTable) -> Option<PoolDraw> {
        Some(self.ask(Asked::table(table), |_| table.weights()))
    }

    fn total(&mut self, _: usize, _: Purpose, table: &TotalTable) -> Option<i64> {
        Some(self.ask(Asked::table(table), |_| table.weights()))
    }

    fn pool_of(
        &mut self,
        who: usize,
        purpose: Purpose,
        of: (&Pool, &PoolTable),
    ) -> Option<PoolDraw> {
        if !self.is_exact {
            return self.pool(who, purpose, of.1);
        }
        Some(self.ask(Asked::table(of.0), |_| of.0.odds().draws()))
    }

    fn total_of(&mut self, who: usize, purpose: Purpose, totals: &Totals) -> Option<i64> {
        if !self.is_exact {
            return self.total(who, purpose, totals.table());
        }
        Some(self.ask(Asked::table(totals), |_| totals.weights()))
    }

    fn wants_table(&self) -> bool {
        true
    }

    fn result<K, T>(
        &mut self,
        question: K,
        mut roll: impl FnMut(&mut Self) -> T,
        kind: impl Fn(T) -> T,
    ) -> T
    where
        K: PartialEq + Hash + 'static,
        T: Copy + Eq + Hash + 'static,
    {
        self.ask(question, |outer| {
            outer.results(&mut |inner| kind(roll(inner)))
        })
    }

    fn again<T: Copy + PartialEq>(
        &mut self,
        given: T,
        mut roll: impl FnMut(&mut Self) -> T,
        kind: impl Fn(T) -> T,
    ) -> T {
        let result = roll(self);
        self.is_ruled_out |= kind(result) != given;
        result
    }

    /// Roll-offs go on until no two are tied and favour none.
    fn order<const N: usize>(&mut self, equals: usize) -> Option<[u8; N]> {
        let shuffled = |dice: &mut Self| {
            let mut places = [0; N];
            for next in 1..equals {
                let at = dice.face(0, Purpose::Initiative, next as u32 + 1) as usize - 1;
                places[next] = places[at];
                places[at] = next as u8;
            }
            places
        };
        Some(self.result(("order", equals), shuffled, |places| places))
    }

    fn damage<K>(
        &mut self,
        (by, who): (usize, usize),
        question: K,
        mut roll: impl FnMut(&mut Self) -> i32,
        kind: impl Fn(i32) -> i32,
    ) -> i32
    where
        K: PartialEq + Hash + 'static,
    {
        if self.healths.get(who).is_none_or(|most| *most == 0) {
            return self.ask(question, |outer| outer.results(&mut roll));
        }
        let (least, spread) = self.ask(question, |outer| outer.spread_out(&mut roll, &kind));
        self.fresh = (least > 0).then_some(Blow::new(who, BlowEffect::Nothing, by, spread));
        least
    }

    fn count_more_successes<K>(
        &mut self,
        who: usize,
        question: K,
        mut roll: impl FnMut(&mut Self) -> i32,
    ) where
        K: PartialEq + Hash + 'static,
    {
        let (least, spread) = self.ask(question, |outer| outer.spread_out(&mut roll, &|_| 0));
        if least == 0 && self.known.spreads.borrow()[spread as usize].chances.len() == 1 {
            return;
        }
        self.blows
            .push(Blow::new(who, BlowEffect::Successes, who, spread));
    }

    fn wants_situation(&self) -> bool {
        let is_new = self.asked == self.path.len() && self.ended_at.is_none();
        is_new && self.decides_until.is_some_and(|most| self.asked > most)
    }

    fn choose(&mut self, options: Options, situation: Option<Vec<u8>>) -> usize {
        self.ended_at = self.ended_at.take().or(situation);
        if self.ended_at.is_some() {
            return options.written;
        }
        let count = options.lines.len();
        let is_new = self.asked == self.path.len();
        let chosen = self.ask(Asked::Options(count), |_| {
            (0..count).map(|option| (option, Weight::ONE)).collect()
        });
        if is_new && let Some(branch) = self.path.last_mut() {
            branch.decision = Some((self.decisions, Arc::new(options)));
        }
        chosen
    }

    fn decided_before(&mut self) -> Option<Option<u16>> {
        self.decisions += 1;
        let branch = self.path.get(self.asked)?;
        let (decision, options) = branch.decision.as_ref()?;
        if *decision != self.decisions {
            return None;
        }
        self.asked += 1;
        Some(options.lines[branch.index()])
    }

    fn put_off(&mut self) {
        self.pending.extend(self.fresh.take());
    }

    fn count_put_off(&mut self, who: usize) {
        let hits = self
            .pending
            .extract_if(.., |blow| usize::from(blow.who) == who);
        self.blows.extend(hits);
    }

    fn drop_put_off(&mut self) {
        self.pending.clear();
    }

    fn fells(&mut self, who: usize, damage: i32, put_off: bool) -> Option<bool> {
        let most = self.healths.get(who).copied().filter(|most| *most > 0)?;
        if damage <= 0 {
            return Some(false);
        }
        let first = self.blows.len();
        let own = |blow: &Blow| usize::from(blow.who) == who;
        if put_off {
            self.blows.extend(self.pending.iter().copied().filter(own));
            self.pending.retain(|blow| !own(blow));
        } else {
            self.blows.extend(self.fresh.take().filter(own));
        }
        let least = |blow: &Blow| i64::from(self.least_damage(blow.spread));
        let stood: i64 = self.blows[..first]
            .iter()
            .filter(|blow| own(blow) && blow.effect != BlowEffect::Successes)
            .map(least)
            .sum();
        let hits: i64 = self.blows[first..].iter().map(least).sum();
        // The part of the damage that no hit accounts for is certain.
        let certain = i64::from(damage) - hits;
        if certain > 0 {
            let spread = self.certain(certain as i32);
            self.blows
                .push(Blow::new(who, BlowEffect::Nothing, who, spread));
        }
        let fells = stood + i64::from(damage) >= i64::from(most)
            || self.ask(Asked::Fells, |_| {
                vec![(true, Weight::ONE), (false, Weight::ONE)]
            });
        let effect = if fells {
            BlowEffect::Fells
        } else {
            BlowEffect::Stands
        };
        for blow in &mut self.blows[first..] {
            blow.effect = effect;
        }
        Some(fells)
    }
}
