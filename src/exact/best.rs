//! The best that any policy of a side could do: a Markov decision process over the situations of a fight.
//!
//! Where one of the side is free to act, each action that the rules allow is an answer like that of a die, without a
//! weight ([`Chance::choose`](crate::chance::Chance::choose)): the clock is the only source of rules here, too. The
//! situations of a Round and the ways between them make a graph without cycles. From the last Round backwards each
//! situation has the value of its best action, and the situations in which a Round begins that of the Round after: as a
//! fight has a greatest number of Rounds, this ends with the value of the fight (R. Bellman, "Dynamic Programming",
//! 1957). What the written policy does in each situation is known as well. Its value less that of the best is the sum of what
//! each of its decisions costs (S. Kakade and J. Langford, "Approximately optimal approximate reinforcement learning",
//! Proceedings of ICML 2002), which tells where it loses.

use super::{Budget, TooLarge, obstacle};
use crate::chance::Enumerator;
use crate::chance::enumerate::{Answer, Options};
use crate::fight::{Ending, Fight};
use crate::sim::{Clock, Record, Silent};
use crate::stats::Interval;
use crate::systems::{Plan, Rules};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The share of an error of each Round, for rounding.
const ROUNDING: f64 = 1e-13;

/// Encounters that are less likely than this are not followed to find what decisions cost.
const LEAST: f64 = 1e-12;

/// Actions whose values differ by less are as good as each other.
const ALIKE: f64 = 1e-12;

/// The most single situations that are told.
const MOST: usize = 12;

/// Paths that may be played for each situation that is allowed.
const PATHS_OF_A_STATE: u64 = 16;

/// About what a situation takes besides its bytes and its items.
const NODE_BYTES: u64 = 120;

/// What play could be, and where the policy falls short of it.
#[derive(Debug, Clone)]
pub struct BestPlay {
    /// Situations.
    pub states: u64,
    /// Those in which the side chooses among several actions.
    pub decisions: u64,
    /// What the written policy wins: bounds.
    pub written: Interval,
    /// What the best play wins: bounds.
    pub best: Interval,
    /// Pairs of an action that the policy takes and one that is better, with what all such decisions of an encounter
    /// cost together; the costliest first.
    pub costs: Vec<Cost>,
    /// Single situations, the costliest first.
    pub situations: Vec<Costly>,
}

/// A combatant does one thing where another would be better.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// Who, by file order.
    pub who: usize,
    /// The decision line that it takes; none if it takes none.
    pub written: Option<u16>,
    /// The decision line that is best there.
    pub better: u16,
    /// How many win rate it costs, in all encounters together.
    pub cost: f64,
    /// How often it comes about in an encounter.
    pub times: f64,
}

/// A situation in which the policy does not do the best.
#[derive(Debug, Clone)]
pub struct Costly {
    /// The decision.
    pub cost: Cost,
    /// What is seen: the moment, and where all stand, with what health.
    pub options: Rc<Options>,
    /// The first and the last moment of a Round, as its clock counts, at which it comes about.
    pub marks: [i32; 2],
    /// The value of what the policy does, and of the best.
    pub values: [f64; 2],
}

/// A part of the tree of a step, in the order of a walk through it from the left.
#[derive(Debug, Clone, Copy)]
struct Item {
    /// How likely it is below the one above; among options the index of the option.
    weight: f64,
    code: Code,
}

#[derive(Debug, Clone, Copy)]
enum Code {
    /// A situation of the same Round.
    Now(u32),
    /// One in which the next Round begins.
    Next(u32),
    /// The encounter is over: won by the side, or not.
    End(bool),
    /// Chance decides among so many.
    Mix(u32),
    /// The side chooses among so many; index into `choices`.
    Choice(u32, u32),
}

/// The steps of a fight as trees.
struct Game {
    /// The items of each situation, one after the other.
    items: Vec<Item>,
    first: Vec<usize>,
    /// For each choice, who chooses, the lines, and which of them the policy takes.
    choices: Vec<Rc<Options>>,
    /// Whether the side has won if no Round is left; only of situations in which a Round begins.
    timeouts: Vec<Option<bool>>,
    /// The situations, each after those that it leads to within its Round.
    order: Vec<u32>,
}

/// Which option counts.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Best,
    Policy,
}

/// Finds the best that the side of that index can do in a fight in which its decisions have offers
/// ([`Policy::offered`](crate::fight::program::Policy)). `watch` is told now and then how many situations are known, and
/// returns false to stop.
///
/// # Errors
/// If the fight has more situations than the budget allows, or was stopped.
///
/// # Panics
/// If it is no fight that can be solved ([`obstacle`]).
pub fn best_play(
    fight: &Fight,
    rules: &Rules,
    side: usize,
    budget: Budget,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Result<BestPlay, TooLarge> {
    assert_eq!(obstacle(fight), None);
    let limited = |max_rounds: u32| {
        let mut fight = fight.clone();
        fight.max_rounds = max_rounds;
        Plan::new(fight, rules.clone())
    };
    // Where Rounds are counted, they are part of a situation, and the fight ends by itself.
    let is_counted = fight.counts_rounds();
    let plan = limited(if is_counted {
        fight.max_rounds
    } else {
        u32::MAX
    });
    let last = limited(0);
    let explorer = Explorer {
        plan: &plan,
        last: &last,
        side,
        is_counted,
        chance: Enumerator::new(vec![0; fight.combatants.len()]),
        known: FxHashMap::default(),
        keys: Vec::new(),
        bytes: Vec::new(),
        key_bytes: 0,
        paths: 0,
        game: Game {
            items: Vec::new(),
            first: Vec::new(),
            choices: Vec::new(),
            timeouts: Vec::new(),
            order: Vec::new(),
        },
    };
    let game = explorer.explore(budget, watch)?;
    let rounds = if is_counted { 1 } else { fight.max_rounds };
    let layers = game.layers(By::Best, rounds);
    let written = game.layers(By::Policy, rounds);
    let slack = ROUNDING * f64::from(rounds);
    let of = |layers: &[Vec<[f64; 2]>]| {
        let [low, high] = layers.last().map_or([0.0, 1.0], |layer| layer[0]);
        Interval {
            low: (low - slack).max(0.0),
            high: (high + slack).min(1.0),
        }
    };
    let (costs, situations) = game.costs(&layers, rounds);
    Ok(BestPlay {
        states: game.first.len() as u64,
        decisions: game.choices.len() as u64,
        written: of(&written),
        best: of(&layers),
        costs,
        situations,
    })
}

/// One path of answers through a step.
struct Followed {
    answers: Vec<Answer>,
    to: Code,
}

struct Explorer<'a> {
    plan: &'a Plan,
    last: &'a Plan,
    side: usize,
    is_counted: bool,
    chance: Enumerator,
    known: FxHashMap<Rc<[u8]>, u32>,
    keys: Vec<Rc<[u8]>>,
    bytes: Vec<u8>,
    key_bytes: u64,
    /// Paths that have been played.
    paths: u64,
    game: Game,
}

type State = <Plan as Clock>::State;

impl Explorer<'_> {
    /// Plays every situation to all that may come of it.
    fn explore(
        mut self,
        budget: Budget,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Game, TooLarge> {
        let mut record = Record::default();
        let mut state = self.plan.start();
        record.begin(self.plan.fight().combatants.len());
        let start = self.number(&mut state, &record);
        debug_assert_eq!(start, 0);
        self.game.timeouts[0] = Some(self.time_out(&state, &record));
        let mut at = 0;
        while at < self.keys.len() {
            let states = self.keys.len() as u64;
            let items = self.game.items.len() * size_of::<Item>();
            let bytes = states * NODE_BYTES + self.key_bytes + items as u64;
            let large = |stopped| TooLarge {
                states,
                round: 0,
                stopped,
                best: None,
            };
            if states > budget.max_states || bytes > budget.most_bytes() {
                return Err(large(false));
            }
            let key = Rc::clone(&self.keys[at]);
            let (state, fallen) = self.read(&key);
            self.follow(&state, fallen, budget, watch).map_err(large)?;
            at += 1;
        }
        self.game.sort();
        Ok(self.game)
    }

    /// Plays the step of a situation by every path of answers. Fails, and says whether it was stopped, where there are
    /// more paths than the budget allows.
    fn follow(
        &mut self,
        state: &State,
        fallen: u64,
        budget: Budget,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), bool> {
        let mut chance = self.chance.another();
        chance.begin(0.0);
        let mut paths = Vec::new();
        let (mut now, mut record) = (state.clone(), Record::default());
        loop {
            self.plan.copy(state, &mut now);
            self.past(fallen, &mut record);
            let over = self
                .plan
                .step(&mut now, &mut chance, &mut Silent, &mut record);
            let answers = chance.answers().collect();
            let to = if over {
                Code::End(record.ending == Ending::Win(self.side as u8))
            } else {
                self.reached(&mut now, &mut record)
            };
            paths.push(Followed { answers, to });
            self.paths += 1;
            if self.paths / PATHS_OF_A_STATE > budget.max_states {
                return Err(false);
            }
            if self.paths.is_multiple_of(1024) && !watch(self.keys.len() as u64) {
                return Err(true);
            }
            if !chance.advance() {
                break;
            }
        }
        self.game.first.push(self.game.items.len());
        self.game.add(1.0, &paths, 0);
        Ok(())
    }

    /// Plays on to the next step in which something is decided.
    fn reached(&mut self, now: &mut State, record: &mut Record) -> Code {
        let mut chance = self.chance.another();
        let mut next = now.clone();
        let mut after = Record::default();
        loop {
            let round = *self.plan.round(now);
            self.plan.copy(now, &mut next);
            after.copy(record);
            chance.begin(0.0);
            let over = self
                .plan
                .step(&mut next, &mut chance, &mut Silent, &mut after);
            if !self.is_counted && *self.plan.round(&mut next) != round {
                let ended = self.time_out(now, record);
                let number = self.number(now, record);
                self.game.timeouts[number as usize] = Some(ended);
                return Code::Next(number);
            }
            if chance.has_asked() {
                return Code::Now(self.number(now, record));
            }
            if over {
                return Code::End(after.ending == Ending::Win(self.side as u8));
            }
            std::mem::swap(now, &mut next);
            record.copy(&after);
        }
    }

    /// Whether the side has won if no Round is left.
    fn time_out(&self, state: &State, record: &Record) -> bool {
        let (mut state, mut after) = (state.clone(), Record::default());
        after.copy(record);
        let mut chance = self.chance.another();
        chance.begin(0.0);
        let over = self
            .last
            .step(&mut state, &mut chance, &mut Silent, &mut after);
        debug_assert!(over || self.is_counted, "no Round is left");
        over && after.ending == Ending::Win(self.side as u8)
    }

    /// A record of an encounter in which these have fallen.
    fn past(&self, fallen: u64, record: &mut Record) {
        record.begin(self.plan.fight().combatants.len());
        record.marks = 0;
        for (who, counts) in record.combatants.iter_mut().enumerate() {
            counts.fell_round = (fallen >> who & 1) as u32;
        }
    }

    /// The number of a situation.
    fn number(&mut self, state: &mut State, record: &Record) -> u32 {
        if !self.is_counted {
            let round = self.plan.round(state);
            // The first Round differs from the others in some rules.
            *round = (*round).min(2);
        }
        self.plan.forget(state);
        let fallen = record.combatants.iter().enumerate();
        let fallen = fallen.fold(0u64, |set, (who, counts)| {
            set | u64::from(counts.fell_round > 0) << who
        });
        self.bytes.clear();
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes =
            postcard::to_extend(&(fallen, &*state), bytes).expect("a state can be written");
        if let Some(number) = self.known.get(&self.bytes[..]) {
            return *number;
        }
        let number = self.keys.len() as u32;
        let key: Rc<[u8]> = self.bytes[..].into();
        self.key_bytes += key.len() as u64;
        self.keys.push(Rc::clone(&key));
        self.known.insert(key, number);
        self.game.timeouts.push(None);
        number
    }

    fn read(&self, key: &[u8]) -> (State, u64) {
        let (fallen, mut state): (u64, State) =
            postcard::from_bytes(key).expect("what was written can be read");
        self.plan.complete(&mut state);
        (state, fallen)
    }
}

impl Game {
    /// Adds the tree of these paths, which agree in their first `depth` answers.
    fn add(&mut self, weight: f64, paths: &[Followed], depth: usize) {
        let Some(answer) = paths[0].answers.get(depth) else {
            let code = paths[0].to;
            self.items.push(Item { weight, code });
            return;
        };
        let same = |one: &Followed, other: &Followed| {
            one.answers[depth].index == other.answers[depth].index
        };
        let groups = paths.chunk_by(same).count() as u32;
        let is_choice = answer.options.is_some();
        let code = match &answer.options {
            None => Code::Mix(groups),
            Some(options) => {
                self.choices.push(Rc::clone(options));
                Code::Choice(groups, self.choices.len() as u32 - 1)
            }
        };
        self.items.push(Item { weight, code });
        for group in paths.chunk_by(same) {
            let answer = &group[0].answers[depth];
            let weight = if is_choice {
                answer.index as f64
            } else {
                answer.weight
            };
            self.add(weight, group, depth + 1);
        }
    }

    fn items_of(&self, node: u32) -> &[Item] {
        let node = node as usize;
        let end = self.first.get(node + 1).copied();
        &self.items[self.first[node]..end.unwrap_or(self.items.len())]
    }

    /// Puts the situations in order, each after those of its Round that it leads to.
    fn sort(&mut self) {
        let count = self.first.len();
        let mut seen = vec![false; count];
        let mut order = Vec::with_capacity(count);
        for root in 0..count as u32 {
            if seen[root as usize] {
                continue;
            }
            seen[root as usize] = true;
            let mut stack = vec![(root, 0)];
            while let Some((node, at)) = stack.pop() {
                let rest = self.items_of(node).iter().enumerate().skip(at);
                let next = { rest }.find_map(|(at, item)| match item.code {
                    Code::Now(to) if !seen[to as usize] => Some((at, to)),
                    _ => None,
                });
                match next {
                    Some((at, to)) => {
                        seen[to as usize] = true;
                        stack.push((node, at + 1));
                        stack.push((to, 0));
                    }
                    None => order.push(node),
                }
            }
        }
        self.order = order;
    }

    /// The bounds of what is won from each situation, Round by Round: the last Round first. Once nothing changes any more, the
    /// earlier Rounds are left out.
    fn layers(&self, by: By, rounds: u32) -> Vec<Vec<[f64; 2]>> {
        let ended = |timeout: &Option<bool>| [f64::from(u8::from(timeout.unwrap_or(false))); 2];
        let mut layers: Vec<Vec<[f64; 2]>> = Vec::new();
        let mut next: Vec<[f64; 2]> = self.timeouts.iter().map(ended).collect();
        for _ in 0..rounds {
            let mut now = next.clone();
            for &node in &self.order {
                let mut items = self.items_of(node);
                now[node as usize] = value(&mut items, &now, &next, &self.choices, by);
            }
            let is_same = now == next;
            next.clone_from(&now);
            layers.push(now);
            if is_same {
                break;
            }
        }
        layers
    }

    /// What the decisions of the policy cost.
    fn costs(&self, layers: &[Vec<[f64; 2]>], rounds: u32) -> (Vec<Cost>, Vec<Costly>) {
        let ended = |timeout: &Option<bool>| [f64::from(u8::from(timeout.unwrap_or(false))); 2];
        let ends: Vec<[f64; 2]> = self.timeouts.iter().map(ended).collect();
        let mut mass = vec![0.0; self.first.len()];
        mass[0] = 1.0;
        let mut costs: FxHashMap<u32, Costly> = FxHashMap::default();
        for round in 0..rounds {
            // So many Rounds are left, this one included.
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
                };
                walk.through(&mut self.items_of(node), here);
            }
            mass = later;
            if mass.iter().all(|mass| *mass < LEAST) {
                break;
            }
        }
        let mut situations: Vec<(u32, Costly)> = costs.into_iter().collect();
        // Of equal cost in the order in which they were found, so that it is the same on every machine.
        situations.sort_by(|(first, one), (second, other)| {
            let costs = other.cost.cost.total_cmp(&one.cost.cost);
            costs.then(first.cmp(second))
        });
        let mut all: Vec<Cost> = Vec::new();
        for (_, one) in &situations {
            let one = &one.cost;
            let same = |other: &&mut Cost| {
                (other.who, other.written, other.better) == (one.who, one.written, one.better)
            };
            match all.iter_mut().find(same) {
                Some(known) => {
                    known.cost += one.cost;
                    known.times += one.times;
                }
                None => all.push(one.clone()),
            }
        }
        all.sort_by(|one, other| other.cost.total_cmp(&one.cost));
        (all, merged(situations.into_iter().map(|(_, one)| one)))
    }
}

/// Situations that look alike as one, the costliest first; they may differ in Marks spent and the like.
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
                let share = one.cost.times / (known.cost.times + one.cost.times);
                for (value, more) in known.values.iter_mut().zip(one.values) {
                    *value += share * (more - *value);
                }
                let [first, last] = &mut known.marks;
                (*first, *last) = ((*first).max(one.marks[0]), (*last).min(one.marks[1]));
                known.cost.cost += one.cost.cost;
                known.cost.times += one.cost.times;
            }
        }
    }
    merged.sort_by(|one, other| other.cost.cost.total_cmp(&one.cost.cost));
    merged.truncate(MOST);
    merged
}

/// The bounds of what is won by the next part of a tree, which is taken off the items.
fn value(
    items: &mut &[Item],
    now: &[[f64; 2]],
    next: &[[f64; 2]],
    choices: &[Rc<Options>],
    by: By,
) -> [f64; 2] {
    let Some((item, rest)) = items.split_first() else {
        return [0.0, 1.0];
    };
    *items = rest;
    match item.code {
        Code::Now(to) => now[to as usize],
        Code::Next(to) => next[to as usize],
        Code::End(won) => [f64::from(u8::from(won)); 2],
        Code::Mix(count) => {
            let mut all = [0.0, 0.0];
            let mut known = 0.0;
            for _ in 0..count {
                let weight = items.first().map_or(0.0, |item| item.weight);
                let [low, high] = value(items, now, next, choices, by);
                all[0] += weight * low;
                all[1] += weight * high;
                known += weight;
            }
            // What dice without end leave open may be anything.
            all[1] += (1.0 - known).max(0.0);
            all
        }
        Code::Choice(count, choice) => {
            let written = choices[choice as usize].written;
            let mut all = [0.0, 0.0];
            for _ in 0..count {
                let option = items.first().map_or(0.0, |item| item.weight) as usize;
                let [low, high] = value(items, now, next, choices, by);
                match by {
                    By::Best => all = [low.max(all[0]), high.max(all[1])],
                    By::Policy if option == written => all = [low, high],
                    By::Policy => {}
                }
            }
            all
        }
    }
}

/// Takes the ways of the written policy through the tree of a step.
struct Walk<'a> {
    game: &'a Game,
    /// What is won from each situation, in this Round and in the next.
    values: [&'a Vec<[f64; 2]>; 2],
    /// How likely each situation comes about, in this Round and in the next.
    mass: [&'a mut Vec<f64>; 2],
    costs: &'a mut FxHashMap<u32, Costly>,
}

impl Walk<'_> {
    fn through(&mut self, items: &mut &[Item], mass: f64) {
        let Some((item, rest)) = items.split_first() else {
            return;
        };
        match item.code {
            Code::Now(to) => self.mass[0][to as usize] += mass,
            Code::Next(to) => self.mass[1][to as usize] += mass,
            Code::End(_) => {}
            Code::Mix(count) => {
                *items = rest;
                for _ in 0..count {
                    let weight = items.first().map_or(0.0, |item| item.weight);
                    self.through(items, mass * weight);
                }
                return;
            }
            Code::Choice(count, choice) => {
                *items = rest;
                self.choose(items, count, choice, mass);
                return;
            }
        }
        *items = rest;
    }

    fn choose(&mut self, items: &mut &[Item], count: u32, choice: u32, mass: f64) {
        let options = Rc::clone(&self.game.choices[choice as usize]);
        let [now, next] = self.values;
        let (mut all, mut own, mut way) = (Vec::new(), 0.0, *items);
        for _ in 0..count {
            let option = items.first().map_or(0.0, |item| item.weight) as usize;
            let begin = *items;
            let [low, _] = value(items, now, next, &self.game.choices, By::Best);
            all.push((option, low));
            if option == options.written {
                (own, way) = (low, begin);
            }
        }
        // Of those that are as good the policy's own counts, or the first.
        let most = all.iter().map(|(_, low)| *low).fold(own, f64::max);
        all.sort_unstable_by_key(|(option, _)| *option);
        let as_good = all.iter().find(|(_, low)| *low >= most - ALIKE);
        if let Some(&(best, _)) = as_good
            && own < most - ALIKE
        {
            let line = |option: usize| options.lines[option];
            let better = line(best).unwrap_or_default();
            let (who, written) = (usize::from(options.who), line(options.written));
            let costly = self.costs.entry(choice).or_insert_with(|| Costly {
                cost: Cost {
                    who,
                    written,
                    better,
                    cost: 0.0,
                    times: 0.0,
                },
                options: Rc::clone(&options),
                values: [own, most],
                marks: [options.moment.1; 2],
            });
            costly.cost.cost += mass * (most - own);
            costly.cost.times += mass;
        }
        self.through(&mut way, mass);
    }
}
