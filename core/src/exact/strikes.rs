//! Damage of the hits of a path to healths that are kept beside its situation.
//!
//! A path has a [`Blow`] for each hit, with all amounts of damage that nothing tells apart. The blows to one combatant
//! add up to a [`Strike`]: the points of health that it loses if it stands, or the share of its healths that falls.

use crate::chance::enumerate::{Blow, BlowEffect, Spread};
use crate::dice::Weight;
use std::sync::Arc;

/// The damage of the hits of one path to one combatant.
#[derive(Debug)]
pub(super) struct Strike {
    pub who: u8,
    pub deed: Deed,
    /// The probability of this deed at health 1 and above.
    pub shares: Vec<f64>,
    /// The damage beyond the least of each hit, by attacker: at health 1 and above, its mean in case of this deed,
    /// times the probability.
    pub beyond: Vec<(u8, Vec<f64>)>,
}

/// The outcome of a strike.
#[derive(Debug)]
pub(super) enum Deed {
    /// The target loses `least` points or more, with these probabilities, and has some left.
    Stands { least: usize, chances: Vec<f64> },
    /// The target survives the damage that it `stood`, and the `last` hit fells it.
    Falls { stood: Spread, last: Spread },
}

/// An amount that adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Amount {
    /// Damage that a combatant deals, and another takes.
    Damage { by: u8, who: u8 },
    /// Net successes of a combatant.
    Successes(u8),
}

/// The damage of the hits of one path.
#[derive(Debug, Default)]
pub(super) struct Strikes {
    pub strikes: Vec<Strike>,
    /// The means of what no combatant's health counts: damage beyond the least of each hit, and successes.
    pub loose: Vec<(Amount, f64)>,
}

/// A sum of damage.
#[derive(Clone)]
struct Sum {
    damage: Spread,
    /// For each attacker, the mean of its damage beyond the least, times the probability.
    beyond: Vec<(u8, Vec<Weight>)>,
}

impl Sum {
    fn nothing() -> Self {
        Self {
            damage: Spread {
                least: 0,
                chances: [Weight::ONE].into(),
            },
            beyond: Vec::new(),
        }
    }

    fn of(by: u8, spread: &Spread) -> Self {
        let beyond = |(more, chance): (usize, &Weight)| Weight::from(more as f64) * *chance;
        let beyond: Vec<Weight> = spread.chances.iter().enumerate().map(beyond).collect();
        Self {
            damage: spread.clone(),
            beyond: if beyond.len() > 1 {
                vec![(by, beyond)]
            } else {
                Vec::new()
            },
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let mut beyond: Vec<(u8, Vec<Weight>)> = Vec::new();
        for (one, other) in [(self, other), (other, self)] {
            for (by, amounts) in &one.beyond {
                add_by(&mut beyond, *by, folded(amounts, &other.damage.chances));
            }
        }
        let (own, other) = (&self.damage, &other.damage);
        Self {
            damage: Spread {
                least: own.least + other.least,
                chances: folded(&own.chances, &other.chances).into(),
            },
            beyond,
        }
    }
}

/// Adds amounts to those of an attacker.
fn add_by(all: &mut Vec<(u8, Vec<Weight>)>, by: u8, more: Vec<Weight>) {
    match all.iter_mut().find(|(known, _)| *known == by) {
        Some((_, sums)) => sums
            .iter_mut()
            .zip(more)
            .for_each(|(sum, more)| *sum += more),
        None => all.push((by, more)),
    }
}

/// Returns the convolution of two lists.
fn folded(one: &[Weight], other: &[Weight]) -> Vec<Weight> {
    let mut all = vec![Weight::ZERO; one.len() + other.len() - 1];
    for (first, one) in one.iter().enumerate() {
        for (second, other) in other.iter().enumerate() {
            all[first + second] += *one * *other;
        }
    }
    all
}

impl Strikes {
    /// Returns the approximate memory in use.
    pub(super) fn bytes(&self) -> u64 {
        let loose = size_of::<Self>() + size_of_val(&self.loose[..]);
        let strikes = self.strikes.iter().map(Strike::bytes);
        loose as u64 + strikes.sum::<u64>()
    }

    /// Returns the number of products that adding up the damage of several hits takes at most.
    pub(super) fn products(blows: &[Blow], spreads: &[Spread]) -> u64 {
        let amounts = |blow: &Blow| spreads[blow.spread as usize].chances.len() as u64;
        let all: u64 = blows.iter().map(amounts).sum();
        all * all - blows.iter().map(|blow| amounts(blow).pow(2)).sum::<u64>()
    }

    /// Computes the strikes of these hits on combatants with these healths at the start.
    pub(super) fn new(blows: &[Blow], spreads: &[Spread], healths: &[i32]) -> Self {
        let mut all = Self::default();
        let sum = |who: u8, effect: BlowEffect| {
            let own = blows
                .iter()
                .filter(|blow| (blow.who, blow.effect) == (who, effect));
            let hits = own.map(|blow| Sum::of(blow.by, &spreads[blow.spread as usize]));
            hits.fold(None, |sum: Option<Sum>, hit| {
                Some(sum.map_or_else(|| hit.clone(), |sum| sum.plus(&hit)))
            })
        };
        for blow in blows
            .iter()
            .filter(|blow| blow.effect == BlowEffect::Successes)
        {
            let spread = &spreads[blow.spread as usize];
            let amount = Amount::Successes(blow.who);
            all.loose.push((amount, spread.mean()));
        }
        let mut targets: Vec<u8> = blows.iter().map(|blow| blow.who).collect();
        targets.sort_unstable();
        targets.dedup();
        for who in targets {
            let most = healths[usize::from(who)] as usize;
            for (by, amounts) in sum(who, BlowEffect::Nothing)
                .iter()
                .flat_map(|sum| &sum.beyond)
            {
                let mean: Weight = amounts.iter().copied().sum();
                let amount = Amount::Damage { by: *by, who };
                all.loose.push((amount, mean.value()));
            }
            let stood = sum(who, BlowEffect::Stands);
            if let Some(last) = sum(who, BlowEffect::Fells) {
                let stood = stood.unwrap_or_else(Sum::nothing);
                all.strikes.push(Strike::falls(who, most, &stood, &last));
            } else if let Some(stood) = stood {
                all.strikes.push(Strike::stands(who, most, &stood));
            }
        }
        all
    }
}

impl Strike {
    fn bytes(&self) -> u64 {
        let lists = self.beyond.iter().map(|(_, beyond)| beyond);
        let lists: usize = lists.chain([&self.shares]).map(Vec::len).sum();
        let damage = match &self.deed {
            Deed::Stands { chances, .. } => size_of_val(&chances[..]),
            Deed::Falls { stood, last } => own_bytes(stood) + own_bytes(last),
        };
        (size_of::<Self>() + lists * size_of::<f64>() + damage) as u64
    }

    /// Returns all amounts of damage by which the target falls at this health, each with its probability.
    pub(super) fn felling(&self, health: usize) -> impl Iterator<Item = (usize, f64)> {
        let both = match &self.deed {
            Deed::Stands { .. } => None,
            Deed::Falls { stood, last } => Some((stood, last)),
        };
        both.into_iter().flat_map(move |(stood, last)| {
            let stood = (stood.least as usize..health).zip(&stood.chances[..]);
            stood.flat_map(move |(before, stood)| {
                let all = (before + last.least as usize..).zip(&last.chances[..]);
                let enough = all.filter(move |(damage, _)| *damage >= health);
                enough.map(|(damage, last)| (damage, (*stood * *last).value()))
            })
        })
    }

    /// Returns the most products of probabilities that add up to that of one amount of damage.
    pub(super) fn most_products(&self) -> usize {
        match &self.deed {
            Deed::Stands { .. } => 1,
            Deed::Falls { stood, .. } => stood.chances.len(),
        }
    }

    /// Creates the strike on a target with more health than this damage.
    fn stands(who: u8, most: usize, sum: &Sum) -> Self {
        let (damage, least) = (&sum.damage, sum.damage.least as usize);
        let below = |amounts: &[Weight]| {
            let mut all = vec![Weight::ZERO; most];
            for (loss, amount) in (least..most).zip(amounts) {
                all[loss] = *amount;
            }
            values(all.iter().scan(Weight::ZERO, |sum, amount| {
                *sum += *amount;
                Some(*sum)
            }))
        };
        let beyond = sum.beyond.iter().map(|(by, amounts)| (*by, below(amounts)));
        let chances = damage.chances.iter().copied();
        Self {
            who,
            shares: below(&damage.chances),
            beyond: beyond.collect(),
            deed: Deed::Stands {
                least,
                chances: values(chances.take(most.saturating_sub(least))),
            },
        }
    }

    /// Creates the strike on a target with more health than it `stood`, and no more than that and the `last`.
    fn falls(who: u8, most: usize, stood_sum: &Sum, last_sum: &Sum) -> Self {
        let (stood, last) = (&stood_sum.damage, &last_sum.damage);
        let [least_stood, least_last] = [stood.least as usize, last.least as usize];
        // For each health, the sum of the amounts that are at least as great.
        let at_least = |amounts: &[Weight]| {
            let mut sums = vec![Weight::ZERO; most + 1];
            let mut sum: Weight = amounts
                .iter()
                .skip((most + 1).saturating_sub(least_last))
                .copied()
                .sum();
            for health in (0..=most).rev() {
                if let Some(amount) = health
                    .checked_sub(least_last)
                    .and_then(|at| amounts.get(at))
                {
                    sum += *amount;
                }
                sums[health] = sum;
            }
            sums
        };
        let both = |stood_amounts: &[Weight], last: &[Weight]| {
            let mut shares = vec![Weight::ZERO; most];
            for (loss, chance) in (least_stood..most).zip(stood_amounts) {
                for (left, last) in last.iter().enumerate().take(most - loss + 1).skip(1) {
                    shares[loss + left - 1] += *chance * *last;
                }
            }
            shares
        };
        let lasts = at_least(&last.chances);
        let mut beyond: Vec<(u8, Vec<Weight>)> = Vec::new();
        for (by, amounts) in &stood_sum.beyond {
            add_by(&mut beyond, *by, both(amounts, &lasts));
        }
        for (by, amounts) in &last_sum.beyond {
            add_by(&mut beyond, *by, both(&stood.chances, &at_least(amounts)));
        }
        let beyond = beyond
            .into_iter()
            .map(|(by, amounts)| (by, values(amounts)));
        Self {
            who,
            shares: values(both(&stood.chances, &lasts)),
            beyond: beyond.collect(),
            deed: Deed::Falls {
                stood: stood.clone(),
                last: last.clone(),
            },
        }
    }
}

/// Returns the memory in use; 0 for the damage of a single hit, which all strikes share.
fn own_bytes(damage: &Spread) -> usize {
    let is_own = Arc::strong_count(&damage.chances) == 1;
    usize::from(is_own) * size_of_val(&damage.chances[..])
}

fn values(weights: impl IntoIterator<Item = Weight>) -> Vec<f64> {
    weights.into_iter().map(Weight::value).collect()
}
