//! Exact odds of a pool, die by die or by doubling.
//!
//! Net successes alone are one power series. Botches are followed beside it, always as sums of positive terms. If a
//! botch is "no success", rolls without any success are kept apart. If 1s do not cancel but still botch, or 10s cancel
//! them, rolls are kept apart by their number of 1s, less that of these 10s. If a roll may botch at any time, extra dice are followed one after the other
//! ([`stepwise`](super::stepwise)).

use super::{Botch, FaceValue, Pool, PoolOdds};
use crate::dice::distribution::Distribution;
use crate::dice::series::Die;
use crate::dice::weight::{FLOOR, Weight};

/// A pool that grows die by die, with exact odds at every size.
#[derive(Debug, Clone)]
pub struct Growth {
    pool: Pool,
    most: u32,
    /// The weight below which extra dice are no longer followed.
    least: f64,
    state: State,
}

/// The state of a growing pool.
#[derive(Debug, Clone)]
enum State {
    /// Net successes decide everything.
    Net { die: Die, net: Distribution },
    /// `none`: rolls without a success, by minus the number of their 1s. `some`: the others, by net.
    Apart {
        none_die: Distribution,
        some_die: Die,
        any_die: Die,
        none: Distribution,
        some: Distribution,
    },
    /// `rows`: rolls by the number of their 1s, less that of the 10s that cancel these, by successes below `most`; the
    /// first is `-low`. `moves`: a die, by the number of rows by which it moves a roll up, one less where 10s cancel.
    /// `all`: all rolls, by successes.
    Joint {
        moves: Vec<Die>,
        any_die: Die,
        rows: Vec<Distribution>,
        low: i64,
        all: Distribution,
    },
    /// A number of dice that are followed one after the other when odds are requested.
    Stepwise(u32),
}

impl Pool {
    /// Returns the series of the faces of a first or of an extra die that `keeps` holds for. `value` returns the value of
    /// a face.
    fn part(
        &self,
        is_extra: bool,
        keeps: impl Fn(FaceValue) -> bool,
        value: impl Fn(FaceValue) -> i64,
    ) -> Distribution {
        let share = Weight::ratio(1, self.sides);
        let faces = self.faces(is_extra).filter(|face| keeps(*face));
        let terms: Vec<_> = faces.map(|face| (value(face), share)).collect();
        Distribution::collect(&terms)
    }

    /// Returns the series of one die with its extra dice, which are followed down to the weight `least`. Only dice that
    /// end on a face for which `ends` holds are included. `value` returns the value of a face.
    fn die(
        &self,
        ends: impl Fn(FaceValue) -> bool,
        least: f64,
        value: impl Fn(FaceValue) -> i64,
    ) -> Die {
        let again = |face: FaceValue| face.again > 0;
        let ends = |face: FaceValue| !again(face) && ends(face);
        let carries = self.part(false, again, &value);
        Die {
            once: self.part(false, ends, &value),
            chain: carries.plus(&self.part(true, ends, &value)),
            again: if carries.is_empty() {
                Distribution::empty()
            } else {
                self.part(true, again, &value)
            },
            least,
        }
    }

    fn net_of(&self, worth: FaceValue) -> i64 {
        let cancelled = if self.ones_cancel { worth.ones } else { 0 };
        i64::from(worth.successes) - i64::from(cancelled)
    }
}

impl Growth {
    /// Creates a pool without dice that may grow to `most` dice.
    pub fn new(pool: &Pool, most: u32) -> Self {
        Self::down_to(FLOOR, pool, most)
    }

    /// Creates the same for [tables](crate::dice::PoolTable), whose patterns weigh 5.4 * 10^-20 each. Extra dice with a
    /// weight below 10^-40 are left out, which takes a fifth of the time.
    pub fn for_tables(pool: &Pool, most: u32) -> Self {
        Self::down_to(1e-40, pool, most)
    }

    fn down_to(least: f64, pool: &Pool, most: u32) -> Self {
        let unit = Distribution::certain(0);
        let net = |worth| pool.net_of(worth);
        let some = |wanted: fn(FaceValue) -> bool| pool.faces(false).any(wanted);
        let saves = some(|face| face.saves > 0);
        let apart = some(|face| face.ones > 0)
            && !pool.willpower
            && match pool.botch {
                Botch::None => false,
                Botch::OnesExceed | Botch::AnyTime => !pool.ones_cancel,
                Botch::NoSuccess => true,
            };
        let rolls_again = some(|face| face.again > 0);
        let stepwise = pool.botch == Botch::AnyTime && rolls_again && !pool.willpower;
        let state = if stepwise {
            State::Stepwise(0)
        } else if !apart && !saves {
            State::Net {
                die: pool.die(|_| true, least, net),
                net: unit,
            }
        } else if pool.botch == Botch::NoSuccess && !saves {
            // A face that fails and is not rolled again ends a die without a success.
            let fails = |face: FaceValue| face.again == 0 && face.successes == 0;
            let succeeds = |face: FaceValue| face.again == 0 && face.successes > 0;
            let any_die = pool.die(|_| true, least, net);
            State::Apart {
                none_die: pool.part(false, fails, |face| -i64::from(face.ones)),
                some_die: Die {
                    once: pool.part(false, succeeds, net),
                    ..any_die.clone()
                },
                any_die,
                none: unit,
                some: Distribution::empty(),
            }
        } else {
            let successes = |worth: FaceValue| i64::from(worth.successes);
            let moves = (-i64::from(saves)..=1).map(|up| {
                let moves = |face: FaceValue| i64::from(face.ones) - i64::from(face.saves) == up;
                pool.die(moves, least, successes)
            });
            State::Joint {
                moves: moves.collect(),
                any_die: pool.die(|_| true, least, successes),
                rows: vec![unit.clone()],
                low: 0,
                all: unit,
            }
        };
        Self {
            pool: *pool,
            most,
            least,
            state,
        }
    }

    /// Returns the pool grown to `dice` dice.
    pub fn to(pool: &Pool, dice: u32) -> Self {
        let mut growth = Self::new(pool, dice);
        growth.grow(dice);
        growth
    }

    /// Adds `dice` dice to a pool without dice, by doubling if there are many.
    pub fn grow(&mut self, dice: u32) {
        const ONE_BY_ONE: u32 = 24;
        if dice <= ONE_BY_ONE || matches!(self.state, State::Joint { .. }) {
            (0..dice).for_each(|_| self.add_die());
        } else {
            self.grow(dice / 2);
            self.double();
            (0..dice % 2).for_each(|_| self.add_die());
        }
    }

    /// Adds one die.
    pub fn add_die(&mut self) {
        let cancel = self.pool.ones_cancel;
        match &mut self.state {
            State::Net { die, net } => *net = die.add_to(net),
            State::Apart {
                none_die,
                some_die,
                any_die,
                none,
                some,
            } => {
                let first = some_die.add_to(&by_net(none, cancel));
                *some = any_die.add_to(some).with(&first);
                *none = none.plus(none_die);
            }
            State::Joint {
                moves,
                any_die,
                rows,
                low,
                all,
            } => {
                let limit = i64::from(self.most);
                let moved = |at: usize, (by, die): (usize, &Die)| {
                    let row = rows.get(at.checked_sub(by)?)?;
                    Some(die.add_below(row, limit))
                };
                *rows = (0..rows.len() + moves.len() - 1)
                    .map(|at| {
                        let parts = moves.iter().enumerate().filter_map(|die| moved(at, die));
                        parts.fold(Distribution::empty(), |row, part| row.with(&part))
                    })
                    .collect();
                *low += moves.len() as i64 - 2;
                *all = any_die.add_to(all);
            }
            State::Stepwise(dice) => *dice += 1,
        }
    }

    fn double(&mut self) {
        let cancel = self.pool.ones_cancel;
        match &mut self.state {
            State::Net { net, .. } => *net = net.plus(net),
            State::Apart { none, some, .. } => {
                let mixed = some.plus(&by_net(none, cancel));
                *some = some.plus(some).with(&mixed).with(&mixed);
                *none = none.plus(none);
            }
            State::Joint { .. } => {}
            State::Stepwise(dice) => *dice *= 2,
        }
    }

    /// Returns the odds at the current size.
    pub fn odds(&self) -> PoolOdds {
        let pool = &self.pool;
        let nothing = Distribution::empty;
        let (clean, botched) = match &self.state {
            State::Net { net, .. } => {
                if pool.willpower {
                    (net.map(|value| value.max(0) + 1), nothing())
                } else if matches!(pool.botch, Botch::OnesExceed | Botch::AnyTime)
                    && net.first() < 0
                {
                    let (low, high) = (net.first(), net.last());
                    (net.part(0, high), net.part(low, -1))
                } else {
                    (net.clone(), nothing())
                }
            }
            State::Apart { none, some, .. } => {
                let (blank, ones) = (none.part(0, 0), none.part(none.first(), -1));
                let ones = if pool.ones_cancel {
                    ones
                } else {
                    ones.map(|_| 0)
                };
                (some.with(&blank), ones)
            }
            State::Joint { rows, low, all, .. } => {
                let beyond = all.part(i64::from(self.most), all.last());
                let (mut clean, mut botched) = (beyond, nothing());
                for (ones, row) in (-low..).zip(rows) {
                    let ones = ones.max(0);
                    // The least number of successes that is not a botch.
                    let least = match pool.botch {
                        _ if pool.willpower => 0,
                        Botch::OnesExceed | Botch::AnyTime => ones,
                        Botch::NoSuccess => ones.min(1),
                        Botch::None => 0,
                    };
                    let step = if pool.ones_cancel { -ones } else { 0 };
                    let part = |low, high| row.part(low, high).shifted(step);
                    clean = clean.with(&part(least, i64::from(self.most) - 1));
                    botched = botched.with(&part(0, least - 1));
                }
                if pool.willpower {
                    clean = clean.map(|value| value.max(0) + 1);
                }
                (clean, botched)
            }
            State::Stepwise(dice) => pool.stepwise(*dice, self.least),
        };
        PoolOdds {
            clean,
            botched,
            required: pool.required,
        }
    }
}

/// Returns rolls without a success by their net: minus the number of 1s, or 0 if 1s do not cancel.
fn by_net(none: &Distribution, ones_cancel: bool) -> Distribution {
    if ones_cancel {
        none.clone()
    } else {
        Distribution::single(0, none.mass())
    }
}
