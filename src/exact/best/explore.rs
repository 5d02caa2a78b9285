//! Finds the situations of a fight in which decisions are open, and the trees of the steps between them.

use super::{Code, Game, Item};
use crate::chance::Enumerator;
use crate::chance::enumerate::Answer;
use crate::exact::{Budget, TooLarge};
use crate::fight::Ending;
use crate::sim::{Clock, Record, Silent};
use crate::systems::Plan;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Paths that may be played for each situation that is allowed.
const PATHS_OF_A_STATE: u64 = 16;

/// About how many bytes a situation takes besides its bytes and its items.
const NODE_BYTES: u64 = 120;

/// One path of answers through a step.
struct Followed {
    answers: Vec<Answer>,
    to: Code,
}

/// Finds the situations of a fight, and plays the steps between them.
pub(super) struct Explorer<'a> {
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

impl<'a> Explorer<'a> {
    /// Of the fight without a limit of Rounds, or with its own if Rounds are counted, and of the same without a Round
    /// left.
    pub(super) fn new([plan, last]: [&'a Plan; 2], side: usize, is_counted: bool) -> Self {
        Self {
            plan,
            last,
            side,
            is_counted,
            chance: Enumerator::new(vec![0; plan.fight().combatants.len()]),
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
        }
    }

    /// Plays every situation to all that may come of it.
    pub(super) fn explore(
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
}
