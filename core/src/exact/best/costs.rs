//! The costs of the decisions of the written policy.

use super::{By, Code, Cost, Costly, Game, Item, next_weight, value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The least probability of situations that are followed to find the costs of decisions.
const LEAST: f64 = 1e-12;

/// The difference between values below which actions are equally good.
const ALIKE: f64 = 1e-12;

/// The most single situations that are reported.
const MOST: usize = 12;

/// The most decisions for which a way is sought: the costliest of each of the costliest habits.
const MOST_WAYS: usize = 3;

/// A decision of a single situation in a single Round.
#[derive(Clone)]
pub(super) struct Spot {
    /// The number of Rounds before it.
    pub(super) round: u32,
    pub(super) node: u32,
    pub(super) choice: u32,
    /// The policy's option and the best.
    pub(super) options: [usize; 2],
    values: [f64; 2],
    cost: f64,
    times: f64,
}

impl Spot {
    /// Returns the decision as it is in this Round alone.
    fn decision(&self, all: &Costly) -> Costly {
        Costly {
            cost: Cost {
                cost: self.cost,
                times: self.times,
                ..all.cost.clone()
            },
            options: Arc::clone(&all.options),
            marks: [all.options.moment.1; 2],
            values: self.values,
        }
    }
}

impl Costly {
    /// Adds the decision of another situation or Round. The values are means, weighted by how often each comes about.
    fn add(&mut self, cost: f64, times: f64, values: [f64; 2]) {
        self.cost.cost += cost;
        self.cost.times += times;
        let share = times / self.cost.times;
        for (value, more) in self.values.iter_mut().zip(values) {
            *value += share * (more - *value);
        }
    }
}

impl Game {
    /// Returns the costs of habits of the policy (of taking one action where another is better), the costs of single
    /// situations, and the decisions for which a way is sought.
    pub(super) fn costs(
        &self,
        layers: &[Vec<[f64; 2]>],
        rounds: u32,
    ) -> (Vec<Cost>, Vec<Costly>, Vec<(Costly, Spot)>) {
        let ends = self.ends();
        let mut mass = vec![0.0; self.first.len()];
        mass[0] = 1.0;
        let mut costs: FxHashMap<u32, (Costly, Spot)> = FxHashMap::default();
        for round in 0..rounds {
            // The number of Rounds left, including this one.
            let left = (rounds - round) as usize;
            let of = |left: usize| match left {
                0 => &ends,
                left => &layers[left.min(layers.len()) - 1],
            };
            let (now, next) = (of(left), of(left - 1));
            let mut later = vec![0.0; mass.len()];
            // Situations with mass come before those that they lead to.
            for &node in self.order.iter().rev() {
                let here = std::mem::take(&mut mass[node as usize]);
                if here < LEAST {
                    continue;
                }
                let mut walk = Walk {
                    game: self,
                    values: [now, next],
                    mass: [&mut mass, &mut later],
                    costs: &mut costs,
                    at: (round, node),
                };
                walk.through(&mut self.items_of(node), here);
            }
            mass = later;
            if mass.iter().all(|mass| *mass < LEAST) {
                break;
            }
        }
        let mut situations: Vec<(Costly, Spot)> = costs.into_values().collect();
        // Situations of equal cost keep the order in which they were found, so that the result is the same on every
        // machine.
        situations.sort_by(|(one, first), (other, second)| {
            let costs = other.cost.cost.total_cmp(&one.cost.cost);
            costs.then(first.choice.cmp(&second.choice))
        });
        let is_same = |one: &Cost, other: &Cost| {
            (other.who, other.written, other.better) == (one.who, one.written, one.better)
        };
        let mut all: Vec<Cost> = Vec::new();
        for (one, _) in &situations {
            let one = &one.cost;
            match all.iter_mut().find(|other| is_same(one, other)) {
                Some(known) => {
                    known.cost += one.cost;
                    known.times += one.times;
                }
                None => all.push(one.clone()),
            }
        }
        all.sort_by(|one, other| other.cost.total_cmp(&one.cost));
        let spots = all.iter().take(MOST_WAYS).filter_map(|habit| {
            situations
                .iter()
                .filter(|(one, _)| is_same(&one.cost, habit))
                .max_by(|(_, one), (_, other)| {
                    let costs = one.cost.total_cmp(&other.cost);
                    costs.then(other.choice.cmp(&one.choice))
                })
                .map(|(one, spot)| (spot.decision(one), spot.clone()))
        });
        let spots = spots.collect();
        let situations = merged(situations.into_iter().map(|(one, _)| one));
        (all, situations, spots)
    }
}

/// Merges situations that look alike, and sorts them, the costliest first. They may differ in Marks spent and the like.
fn merged(situations: impl Iterator<Item = Costly>) -> Vec<Costly> {
    let mut merged: Vec<Costly> = Vec::new();
    let mut places: FxHashMap<_, usize> = FxHashMap::default();
    for one in situations {
        let (cost, options) = (&one.cost, &one.options);
        let look = (
            cost.who,
            cost.written,
            cost.better,
            options.moment,
            options.seen.clone(),
        );
        match places.get(&look) {
            None => {
                places.insert(look, merged.len());
                merged.push(one);
            }
            Some(&place) => {
                let known = &mut merged[place];
                let [first, last] = &mut known.marks;
                (*first, *last) = ((*first).max(one.marks[0]), (*last).min(one.marks[1]));
                known.add(one.cost.cost, one.cost.times, one.values);
            }
        }
    }
    merged.sort_by(|one, other| other.cost.cost.total_cmp(&one.cost.cost));
    merged.truncate(MOST);
    merged
}

/// Follows the written policy through the tree of a step.
struct Walk<'a> {
    game: &'a Game,
    /// The values of the situations in this Round and in the next.
    values: [&'a Vec<[f64; 2]>; 2],
    /// The probabilities of the situations in this Round and in the next.
    mass: [&'a mut Vec<f64>; 2],
    costs: &'a mut FxHashMap<u32, (Costly, Spot)>,
    /// The Round, from 0, and the situation.
    at: (u32, u32),
}

impl Walk<'_> {
    fn through(&mut self, items: &mut &[Item], mass: f64) {
        let Some(item) = items.split_off_first() else {
            return;
        };
        match item.code {
            Code::Now(to) => self.mass[0][to as usize] += mass,
            Code::Next(to) => self.mass[1][to as usize] += mass,
            Code::End(_) => {}
            Code::Mix(count) => {
                for _ in 0..count {
                    let weight = next_weight(items);
                    self.through(items, mass * weight);
                }
            }
            Code::Choice(count, choice) => self.choose(items, count, choice, mass),
        }
    }

    fn choose(&mut self, items: &mut &[Item], count: u32, choice: u32, mass: f64) {
        let options = Arc::clone(&self.game.choices[choice as usize]);
        let [now, next] = self.values;
        let (mut all, mut own, mut way) = (Vec::new(), 0.0, *items);
        for _ in 0..count {
            let option = next_weight(items) as usize;
            let begin = *items;
            let [low, _] = value(items, now, next, &self.game.choices, By::Best);
            all.push((option, low));
            if option == options.written {
                (own, way) = (low, begin);
            }
        }
        // Of equally good options the policy's own counts, or the first.
        let most = all.iter().map(|(_, low)| *low).fold(own, f64::max);
        all.sort_unstable_by_key(|(option, _)| *option);
        let as_good = all.iter().find(|(_, low)| *low >= most - ALIKE);
        if let Some(&(best, _)) = as_good
            && own < most - ALIKE
        {
            let line = |option: usize| options.lines[option];
            let better = line(best).unwrap_or_default();
            let (who, written) = (usize::from(options.who), line(options.written));
            let (round, node) = self.at;
            let here = Spot {
                round,
                node,
                choice,
                options: [options.written, best],
                values: [own, most],
                cost: mass * (most - own),
                times: mass,
            };
            let costly = || Costly {
                cost: Cost {
                    who,
                    written,
                    better,
                    cost: 0.0,
                    times: 0.0,
                },
                options: Arc::clone(&options),
                values: [own, most],
                marks: [options.moment.1; 2],
            };
            let known = self.costs.entry(choice);
            let (costly, spot) = known.or_insert_with(|| (costly(), here.clone()));
            costly.add(here.cost, here.times, here.values);
            // The best action may differ between Rounds: only Rounds with the habit's action count.
            if here.cost > spot.cost && better == costly.cost.better {
                *spot = here;
            }
        }
        self.through(&mut way, mass);
    }
}
