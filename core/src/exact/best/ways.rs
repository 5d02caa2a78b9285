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

/// A path through a step.
struct Path {
    /// Its index among all paths of the step.
    number: u32,
    /// Its probability; 0 if the policy or the picked choice takes another.
    chance: f64,
    /// Whether it leads through the picked choice.
    is_picked: bool,
    to: Code,
}

/// A situation in a Round, and the likeliest way to it.
struct Entry {
    /// The index of the entry before it.
    from: u32,
    /// The path that leads from that entry.
    path: u32,
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
        let mut entries: Vec<Entry> = Vec::new();
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
                let (from, path) = now.last[node as usize];
                let entry = entries.len() as u32;
                entries.push(Entry { from, path });
                for (spot, way) in spots.iter().zip(&mut ways) {
                    if (spot.round, spot.node) == (round, node) {
                        *way = self.way_to(spot, &entries);
                    }
                }
                self.paths(node, None, &mut |path| {
                    let last = (entry, path.number);
                    match path.to {
                        Code::Now(to) => now.offer(to, here * path.chance, last),
                        Code::Next(to) => later.offer(to, here * path.chance, last),
                        _ => {}
                    }
                });
            }
            later.scale();
            now = later;
        }
        ways
    }

    /// Returns the way to a decision of the situation whose entry is the last.
    fn way_to(&self, spot: &Spot, entries: &[Entry]) -> Option<Way> {
        let mut paths = Vec::new();
        let mut at = entries.len() - 1;
        while at > 0 {
            paths.push(entries[at].path);
            at = entries[at].from as usize;
        }
        paths.reverse();
        let likeliest = |option: usize| {
            let mut found = (0.0, None);
            self.paths(spot.node, Some((spot.choice, option)), &mut |path| {
                if path.is_picked && path.chance > found.0 {
                    found = (path.chance, Some(path.number));
                }
            });
            found.1
        };
        Some(Way {
            ends: [likeliest(spot.options[0])?, likeliest(spot.options[1])?],
            paths,
        })
    }

    /// Visits the paths of a step in the order in which they are played. The policy makes all choices except the
    /// `picked` one, if any.
    fn paths(&self, node: u32, picked: Option<(u32, usize)>, visit: &mut dyn FnMut(Path)) {
        let mut walk = Walk {
            game: self,
            picked,
            number: 0,
            visit,
        };
        walk.through(&mut self.items_of(node), 1.0, false);
    }
}

/// Goes through all paths of a step.
struct Walk<'a> {
    game: &'a Game,
    /// A choice, and the option to take there.
    picked: Option<(u32, usize)>,
    number: u32,
    visit: &'a mut dyn FnMut(Path),
}

impl Walk<'_> {
    /// Visits the paths of the next part of a tree, and removes the part from `items`.
    fn through(&mut self, items: &mut &[Item], chance: f64, is_picked: bool) {
        let Some((item, rest)) = items.split_first() else {
            return;
        };
        *items = rest;

        match item.code {
            Code::Mix(count) => {
                for _ in 0..count {
                    let weight = next_weight(items);
                    self.through(items, chance * weight, is_picked);
                }
            }
            Code::Choice(count, choice) => {
                let picked = self.picked.filter(|(picked, _)| *picked == choice);
                let written = self.game.choices[choice as usize].written;
                let taken = picked.map_or(written, |(_, option)| option);
                for _ in 0..count {
                    let is_taken = next_weight(items) as usize == taken;
                    let chance = if is_taken { chance } else { 0.0 };
                    self.through(items, chance, is_picked || picked.is_some());
                }
            }
            to => {
                (self.visit)(Path {
                    number: self.number,
                    chance,
                    is_picked,
                    to,
                });
                self.number += 1;
            }
        }
    }
}
