//! Exact distributions of notations.

use super::{Dice, Explode, Expression, Keep, Reroll, Which, rounded_down};
use crate::dice::Distribution;
use crate::dice::series::{Die, fair_dice};
use crate::dice::weight::{FLOOR, Weight};

/// The weight down to which the chain of extra dice of one die is followed where such dice are compared.
pub(super) const CHAIN_FLOOR: f64 = 1e-40;

impl Expression {
    pub(super) fn distribution(&self) -> Distribution {
        match self {
            Self::Constant(value) => Distribution::certain(*value),
            Self::Dice(dice) => dice.distribution(),
            Self::Negated(inner) => inner.distribution().negated(),
            Self::Sum(left, right) => left.distribution().plus(&right.distribution()),
            Self::Difference(left, right) => {
                left.distribution().plus(&right.distribution().negated())
            }
            Self::Product(left, right) => left.distribution().product(&right.distribution()),
            Self::Quotient(left, by) => left.distribution().map(|value| rounded_down(value, *by)),
            Self::Standoff(standoff) => standoff.distribution(),
            Self::Extreme { highest, parts } => {
                // The lowest value is the highest of the negated values, negated.
                let turned = |one: Distribution| if *highest { one } else { one.negated() };
                let parts = parts.iter().map(|part| turned(part.distribution()));
                turned(
                    parts
                        .reduce(|a, b| higher(&a, &b))
                        .unwrap_or_else(|| Distribution::certain(0)),
                )
            }
            Self::Several(count, die) => several(&count.distribution(), die),
        }
    }
}

/// Returns the first kept place and the number of kept dice among `count` dice that follow `before` higher ones.
pub(super) fn places((start, length): (u32, u32), before: u32, count: u32) -> (u32, u32) {
    let [start, end] = [start, start + length].map(|at| at.saturating_sub(before).min(count));
    (start, end - start)
}

/// Returns the distribution of the higher of two rolls. Every weight is a sum of products of weights, never a
/// difference.
fn higher(left: &Distribution, right: &Distribution) -> Distribution {
    let first = left.first().max(right.first());
    let last = left.last().max(right.last());
    let mut below = [left, right].map(|dice| dice.weight_below(first));
    let terms: Vec<_> = (first..=last)
        .map(|value| {
            let [mine, theirs] = [left, right].map(|one| one.weight(value));
            let weight = mine * (below[1] + theirs) + below[0] * theirs;
            below[0] += mine;
            below[1] += theirs;
            (value, weight)
        })
        .collect();
    Distribution::collect(&terms)
}

/// Returns the distribution of a rolled number of dice: the distributions for each number, weighted, by Horner's rule.
fn several(count: &Distribution, die: &Dice) -> Distribution {
    let sides = die.weighted_sides();
    let die = die.die(&sides);
    let mut sum = Distribution::empty();
    for number in (0..=count.last()).rev() {
        sum = die.add_to(&sum);
        let weight = count.weight(number);
        if !weight.vanishes() {
            sum = sum.with(&Distribution::single(0, weight));
        }
    }
    sum
}

/// A side of a die with its value and its weight after rerolls.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub(super) worth: i64,
    /// The value of the side where it explodes.
    link: i64,
    explodes: bool,
    weight: Weight,
}

impl Dice {
    fn distribution(&self) -> Distribution {
        if self.is_plain() {
            return fair_dice(self.count, self.sides);
        }
        if self.outranks() {
            return self.kept_chains();
        }
        let sides = self.weighted_sides();
        match (self.keep, self.explode.filter(|explode| !explode.joins)) {
            (None, _) => self.die(&sides).dice(self.count),
            (Some(_), None) => self.kept(&sides, self.window()),
            (Some(keep), Some(_)) => self.kept_exploding(&sides, keep),
        }
    }

    /// Returns one such die without what compares it with others.
    fn single(&self) -> Self {
        let explode = self.explode.map(|explode| Explode {
            joins: false,
            ..explode
        });
        Self {
            count: 1,
            explode,
            keep: None,
            successes: None,
            deduct: None,
            ..self.clone()
        }
    }

    /// Returns the values of a die with its extra dice, in rising order, as the sides of one die.
    pub(super) fn chains(&self) -> Vec<Side> {
        let one = self.single();
        let die = Die {
            least: CHAIN_FLOOR,
            ..one.die(&one.weighted_sides())
        };
        die.add_to(&Distribution::certain(0))
            .weights()
            .map(|(value, weight)| Side {
                worth: self.counted(value),
                link: 0,
                explodes: false,
                weight,
            })
            .collect()
    }

    /// Returns the sum of the kept dice, where each is one die with its extra dice, and one that explodes is never below
    /// another. Those that explode fill the first places: each is worth its face, and then another such die. So the sum
    /// for a number of dice follows from those for fewer.
    fn kept_chains(&self) -> Distribution {
        let one = self.single();
        let sides = one.weighted_sides();
        let Some((top, ends)) = sides.split_last() else {
            return Distribution::empty();
        };
        let window = self.window();
        let mut sums = vec![Distribution::certain(0)];
        for count in 1..=self.count {
            let (mut sum, mut ways) = (Distribution::empty(), Weight::ONE);
            for exploded in 0..count {
                let others = Self {
                    count: count - exploded,
                    ..one.clone()
                };
                let rest = others.kept(ends, places(window, exploded, others.count));
                let raised = i64::from(places(window, 0, exploded).1) * top.link;
                let part = sums[exploded as usize].plus(&rest.scaled(ways));
                sum = sum.with(&part.shifted(raised));
                ways = ways * top.weight * Weight::ratio(count - exploded, exploded + 1);
            }
            let raised = i64::from(places(window, 0, count).1) * top.link;
            sums.push(if raised == 0 {
                Distribution::certain(0)
            } else {
                let again = Distribution::single(raised, ways);
                sum.over_one_minus(&again, CHAIN_FLOOR, i64::MAX)
            });
        }
        sums.swap_remove(self.count as usize)
    }

    /// Returns the sides in rising order, with their weights after rerolls.
    fn weighted_sides(&self) -> Vec<Side> {
        if self.joins() {
            return self.chains();
        }
        let share = Weight::ratio(1, self.sides);
        let faces = 1..=self.sides;
        let hit = |face: u32| self.rerolls(face);
        let hits = faces.clone().filter(|&face| hit(face)).count() as u32;
        let weight = |face: u32| match self.reroll {
            None => share,
            Some(Reroll { always: true, .. }) if hit(face) => Weight::ZERO,
            Some(Reroll { always: true, .. }) => Weight::ratio(1, self.sides - hits),
            Some(Reroll { always: false, .. }) => {
                let second = Weight::ratio(hits, self.sides) * share;
                if hit(face) { second } else { share + second }
            }
        };
        faces
            .map(|face| Side {
                worth: self.worth(face),
                link: self.link(face),
                explodes: self.explodes(face),
                weight: weight(face),
            })
            .collect()
    }

    /// Returns one die with its explosions.
    fn die(&self, sides: &[Side]) -> Die {
        let part = |explodes: Option<bool>, factor: Weight| {
            let terms: Vec<_> = sides
                .iter()
                .filter(|side| explodes.is_none_or(|wanted| side.explodes == wanted))
                .map(|side| (side.worth, side.weight * factor))
                .collect();
            Distribution::collect(&terms)
        };
        match self.explode.filter(|explode| !explode.joins) {
            None => Die::plain(part(None, Weight::ONE)),
            Some(explode) if explode.once => {
                let once = part(Some(false), Weight::ONE);
                let twice = part(Some(true), Weight::ONE).plus(&part(None, Weight::ONE));
                Die::plain(once.with(&twice))
            }
            Some(_) => {
                // An exploding face with the value 0 only causes another roll, so the other faces share its weight.
                let idle = |side: &&Side| side.explodes && side.link == 0;
                let rest: Weight = sides
                    .iter()
                    .filter(|side| !idle(side))
                    .map(|side| side.weight)
                    .sum();
                let links: Vec<_> = sides
                    .iter()
                    .filter(|side| side.explodes)
                    .map(|side| (side.link, side.weight * (Weight::ONE / rest)))
                    .collect();
                Die {
                    once: Distribution::empty(),
                    chain: part(Some(false), Weight::ONE / rest),
                    again: Distribution::collect(&links).part(1, i64::MAX),
                    least: FLOOR,
                }
            }
        }
    }

    /// Returns the sum of the dice in places `start..start + length`, counted from the highest. The faces are dealt out
    /// from the highest down, each to a random number of dice.
    fn kept(&self, sides: &[Side], (start, length): (u32, u32)) -> Distribution {
        let count = self.count as usize;
        let window = start as usize..(start + length) as usize;
        let mut dealt = vec![Distribution::empty(); count + 1];
        dealt[0] = Distribution::certain(0);
        // `below[at]` is the weight of all sides below side `at`.
        let below: Vec<Weight> = sides
            .iter()
            .scan(Weight::ZERO, |sum, side| {
                let under = *sum;
                *sum += side.weight;
                Some(under)
            })
            .collect();
        let mut rest: Weight = sides.iter().map(|side| side.weight).sum();
        let total = rest;
        for (side, &under) in sides.iter().zip(&below).rev() {
            if side.weight.vanishes() {
                continue;
            }
            let die = Die::plain(Distribution::collect(&[
                (0, under / rest),
                (1, side.weight / rest),
            ]));
            rest = under;
            let mut next = vec![Distribution::empty(); count + 1];
            let mut shares = Distribution::certain(0);
            for before in (0..=count).rev() {
                for (number, &share) in (shares.first as usize..).zip(&shares.weights) {
                    let after = before + number;
                    let low = before.clamp(window.start, window.end);
                    let kept = after.clamp(window.start, window.end) - low;
                    if dealt[before].is_empty() {
                        continue;
                    }
                    let part = dealt[before].scaled(share);
                    next[after] = next[after].with(&part.shifted(kept as i64 * side.worth));
                }
                shares = die.add_to(&shares);
            }
            dealt = next;
        }
        dealt[count].scaled(total.power(self.count))
    }

    /// Keeps or drops dice where the highest face explodes. Whatever the number of extra dice, exactly `count` dice end
    /// a chain, and all others show the highest face.
    fn kept_exploding(&self, sides: &[Side], keep: Keep) -> Distribution {
        let Some((top, ends)) = sides.split_last() else {
            return Distribution::empty();
        };
        let count = self.count;
        let number = keep.number;
        // The weights of the numbers of extra dice, all with the highest face, without the ends of the chains.
        let extra = Die {
            once: Distribution::empty(),
            chain: Distribution::certain(0),
            again: Distribution::single(1, top.weight),
            least: FLOOR,
        }
        .dice(count);
        let tops = |amount: u32, weight: Weight| {
            Distribution::single(i64::from(amount) * top.worth, weight)
        };
        let spread = |less: u32| {
            let less = i64::from(less);
            extra
                .part(less, i64::MAX)
                .map(|extras| (extras - less) * top.worth)
        };
        let mass = |window: (u32, u32)| self.kept(ends, window);
        match keep.which {
            Which::KeepLowest => mass((count - number, number)).scaled(extra.mass()),
            Which::DropLowest => mass((0, count - number)).plus(&spread(0)),
            Which::KeepHighest => {
                let all = mass((0, 0)).plus(&tops(number, extra.weight_at_least(number.into())));
                (0..number).fold(all, |sum, extras| {
                    let part = tops(extras, extra.weight(extras.into()));
                    sum.with(&mass((0, number - extras)).plus(&part))
                })
            }
            Which::DropHighest => {
                let all = mass((0, count)).plus(&spread(number));
                (0..number).fold(all, |sum, extras| {
                    let dropped = number - extras;
                    let part = mass((dropped, count - dropped));
                    sum.with(&part.scaled(extra.weight(extras.into())))
                })
            }
        }
    }
}
