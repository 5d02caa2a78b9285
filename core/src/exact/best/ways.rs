//! The likeliest ways from the start of an encounter to decisions, under the written policy.

use super::costs::Spot;
use super::{Code, Game, Item, next_weight};

/// The most entries of the search: some hundred MB. Decisions beyond this limit have no way.
const MOST_ENTRIES: usize = 1 << 24;

/// A way through an encounter to a decision: the path taken through each step.
#[derive(Debug, Clone)]
pub(super) struct Way {
    /// The numbers of the paths, in the order in which an [`Enumerator`](crate::chance::Enumerator) gives them.
    pub(super) paths: Vec<u32>,
    /// Two paths of the step with the decision: one with the policy's action, and one with the better action.
    pub(super) ends: [u32; 2],
}

/// The likeliest way to each situation of a Round.
struct Likeliest {
    /// The probability of the way, in proportion to the others of the Round; 0 if there is none.
    chance: Vec<f64>,
    /// Its last path.
    last: Vec<(u32, u32)>,
}

impl Likeliest {
    fn new(nodes: usize) -> Self {
        Self {
            chance: vec![0.0; nodes],
            last: vec![(0, 0); nodes],
        }
    }

    /// Records a way if it is likelier than the known one.
    fn offer(&mut self, node: u32, chance: f64, last: (u32, u32)) {
        let node = node as usize;
        if chance > self.chance[node] {
            (self.chance[node], self.last[node]) = (chance, last);
        }
    }

    /// Scales the probabilities so that the likeliest is 1 and none becomes too small over many Rounds.
    fn scale(&mut self) {
        let most = self.chance.iter().copied().fold(0.0, f64::max);
        if most > 0.0 {
            self.chance.iter_mut().for_each(|chance| *chance /= most);
        }
    }
}

impl Game {
    /// Returns the likeliest ways to decisions; `None` where the search would take too much memory.
    pub(super) fn likeliest_ways(&self, spots: &[Spot]) -> Vec<Option<Way>> {
        let mut ways = vec![None; spots.len()];
        let rounds = spots.iter().map(|spot| spot.round + 1).max();
        // The situations on the likeliest ways, each with the index of the one before it and the path from there.
        let mut entries: Vec<(u32, u32)> = Vec::new();
        let mut now = Likeliest::new(self.first.len());
        now.offer(0, 1.0, (0, 0));
        for round in 0..rounds.unwrap_or(0) {
            let mut later = Likeliest::new(self.first.len());
            for &node in self.order.iter().rev() {
                let here = now.chance[node as usize];
                if here == 0.0 {
                    continue;
                }
                if entries.len() == MOST_ENTRIES {
                    return ways;
                }
                let entry = entries.len() as u32;
                entries.push(now.last[node as usize]);
                for (spot, way) in spots.iter().zip(&mut ways) {
                    if (spot.round, spot.node) == (round, node) {
                        *way = self.way_to(spot, &entries);
                    }
                }
                let mut path = 0;
                self.paths(
                    &mut self.items_of(node),
                    None,
                    1.0,
                    false,
                    &mut |to, chance, _| {
                        let last = (entry, path);
                        match to {
                            Code::Now(to) => now.offer(to, here * chance, last),
                            Code::Next(to) => later.offer(to, here * chance, last),
                            _ => {}
                        }
                        path += 1;
                    },
                );
            }
            later.scale();
            now = later;
        }
        ways
    }

    /// Returns the way to a decision of the situation whose entry is the last.
    fn way_to(&self, spot: &Spot, entries: &[(u32, u32)]) -> Option<Way> {
        let mut paths = Vec::new();
        let mut at = entries.len() - 1;
        while at > 0 {
            let (from, path) = entries[at];
            paths.push(path);
            at = from as usize;
        }
        paths.reverse();
        let likeliest = |option: usize| {
            let (mut found, mut path) = ((0.0, None), 0);
            let picked = Some((spot.choice, option));
            let items = &mut self.items_of(spot.node);
            self.paths(items, picked, 1.0, false, &mut |_, chance, is_picked| {
                if is_picked && chance > found.0 {
                    found = (chance, Some(path));
                }
                path += 1;
            });
            found.1
        };
        Some(Way {
            ends: [likeliest(spot.options[0])?, likeliest(spot.options[1])?],
            paths,
        })
    }

    /// Visits the paths of the next part of the tree of a step, in the order in which they are played, and removes the
    /// part from `items`. A path has its end, its probability, and whether it leads through the `picked` choice, whose
    /// option is given. The policy makes all other choices; a path that takes another option has probability 0.
    fn paths(
        &self,
        items: &mut &[Item],
        picked: Option<(u32, usize)>,
        chance: f64,
        is_picked: bool,
        visit: &mut dyn FnMut(Code, f64, bool),
    ) {
        let Some(item) = items.split_off_first() else {
            return;
        };
        match item.code {
            Code::Mix(count) => {
                for _ in 0..count {
                    let weight = next_weight(items);
                    self.paths(items, picked, chance * weight, is_picked, visit);
                }
            }
            Code::Choice(count, choice) => {
                let here = picked.filter(|(picked, _)| *picked == choice);
                let written = self.choices[choice as usize].written;
                let taken = here.map_or(written, |(_, option)| option);
                for _ in 0..count {
                    let is_taken = next_weight(items) as usize == taken;
                    let chance = if is_taken { chance } else { 0.0 };
                    self.paths(items, picked, chance, is_picked || here.is_some(), visit);
                }
            }
            to => visit(to, chance, is_picked),
        }
    }
}
