//! Finds the situations of a fight in which decisions are open, and the trees of the steps between them.

use super::costs::Spot;
use super::{Code, Costly, Game, Item, Reached};
use crate::chance::enumerate::{Answer, Options};
use crate::chance::{Enumerator, Purpose};
use crate::exact::situation::Past;
use crate::exact::{Budget, Limit, Plans, TooLarge, key};
use crate::fight::Ending;
use crate::fight::sum::Sum;
use crate::sim::{Event, Moment, Observer, Record, Silent};
use crate::systems::{Plan, State};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The paths that may be played for each situation that is allowed where decisions are open: each option makes paths of
/// its own.
const PATHS_OF_AN_OPEN_STATE: u64 = 64;

/// The steps without a decision that take as long as such a path.
const STEPS_OF_A_PATH: u64 = 4;

/// The approximate bytes of a situation besides its key and its items.
const NODE_BYTES: u64 = 120;

/// The approximate bytes of a decision besides its lists, including its costs.
const CHOICE_BYTES: usize = size_of::<Options>() + size_of::<(Costly, Spot)>();

/// One path of answers through a step, and its target.
type Followed = (Vec<Answer>, Code);

/// A situation: as bytes, or as the decision amid the step of another that these answers lead to, by their indices.
enum Node {
    Key(Rc<[u8]>),
    Amid(u32, Vec<usize>),
}

/// Finds the situations of a fight, and plays the steps between them.
pub(super) struct Explorer<'a> {
    plan: &'a Plan,
    last: &'a Plan,
    is_counted: bool,
    side: usize,
    chance: Enumerator<'a>,
    known: FxHashMap<Rc<[u8]>, u32>,
    /// The decisions amid steps: the situation in which the step began, and the state as bytes.
    amid: FxHashMap<(u32, Vec<u8>), u32>,
    nodes: Vec<Node>,
    bytes: Vec<u8>,
    key_bytes: u64,
    /// The number of paths played.
    paths: u64,
    /// The number of steps without a decision played.
    steps: u64,
    game: Game,
}

/// The content of a step.
enum Seen {
    /// A Round begins.
    Round,
    /// A question is asked.
    Question,
    /// The encounter ends.
    End,
    /// None of these.
    Nothing,
}

/// Plays a step ahead, on a copy.
struct Ahead<'a> {
    state: State,
    record: Record,
    chance: Enumerator<'a>,
}

impl<'a> Ahead<'a> {
    fn new(explorer: &Explorer<'a>) -> Self {
        Self {
            state: explorer.plan.start(),
            record: Record::default(),
            chance: explorer.chance.another(),
        }
    }

    /// Plays the next step.
    fn look(&mut self, explorer: &Explorer<'_>, now: &mut State, record: &Record) -> Seen {
        let plan = explorer.plan;
        let round = *now.round();
        plan.copy(now, &mut self.state);
        self.record.copy(record);
        self.chance.begin(0.0);
        let Self {
            state,
            record,
            chance,
        } = self;
        let over = plan.step(state, chance, &mut Silent, record);
        if !explorer.is_counted && *state.round() != round {
            Seen::Round
        } else if chance.has_asked() {
            Seen::Question
        } else if over {
            Seen::End
        } else {
            Seen::Nothing
        }
    }
}

/// Passes on events without the dice and sums behind them: the enumerator rolls every way in which they could have come.
struct WithoutRolls<'a>(&'a mut dyn Observer);

impl Observer for WithoutRolls<'_> {
    fn sees_all(&self) -> bool {
        false
    }

    fn event(&mut self, moment: Moment, mut event: Event) {
        match &mut event {
            Event::Initiative { .. } | Event::Fray { .. } => return,
            Event::Damage {
                rolled,
                amount,
                sum,
                ..
            } => {
                *rolled = (*amount).into();
                *sum = Sum::new(*rolled);
            }
            _ => {}
        }
        self.0.event(moment, event);
    }

    fn die(&mut self, _: usize, _: Purpose, _: u32, _: u32) {}
}

impl<'a> Explorer<'a> {
    /// Creates an explorer of a fight, for the side with this index.
    pub(super) fn new(plans: &'a Plans, side: usize) -> Self {
        let plan = &plans.open;
        Self {
            plan,
            last: &plans.last,
            is_counted: plans.is_counted,
            side,
            chance: Enumerator::new(vec![0; plan.fight().combatants.len()]),
            known: FxHashMap::default(),
            amid: FxHashMap::default(),
            nodes: Vec::new(),
            bytes: Vec::new(),
            key_bytes: 0,
            paths: 0,
            steps: 0,
            game: Game::default(),
        }
    }

    /// Plays every situation with every outcome.
    pub(super) fn explore(
        mut self,
        budget: Budget,
        stop: &'a AtomicBool,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Game, TooLarge> {
        self.chance.allow(budget.most_rolls(), stop);
        let record = Record::of(self.plan.fight());
        let mut state = self.plan.start();
        let mut ahead = Ahead::new(&self);
        let start = self.number_of_round(&mut state, &record, &mut ahead);
        debug_assert_eq!(start, 0);
        let mut at = 0;
        while at < self.nodes.len() {
            let states = self.nodes.len() as u64;
            let large = |limit| TooLarge::new(states, 0, limit);
            if states > budget.max_states {
                return Err(large(Limit::States));
            }
            self.follow(at as u32, &mut state, &mut ahead, budget, watch)
                .map_err(large)?;
            at += 1;
        }
        self.game.sort();
        Ok(self.game)
    }

    /// Returns the approximate memory in use.
    fn bytes(&self) -> u64 {
        let states = self.nodes.len() as u64 * NODE_BYTES + self.key_bytes;
        states + self.game.bytes() + self.chance.bytes()
    }

    /// Plays the step of a situation by every path of answers, in the state `now`. Fails if the paths exceed the budget.
    fn follow(
        &mut self,
        node: u32,
        now: &mut State,
        ahead: &mut Ahead,
        budget: Budget,
        watch: &mut dyn FnMut(u64),
    ) -> Result<(), Limit> {
        let (root, first) = match &self.nodes[node as usize] {
            Node::Key(_) => (node, Vec::new()),
            Node::Amid(root, first) => (*root, first.clone()),
        };
        let Node::Key(key) = &self.nodes[root as usize] else {
            unreachable!("a step begins in a situation of its own");
        };
        let (before, fallen) = self.read(&Rc::clone(key));
        let mut chance = self.chance.another();
        chance.begin_after(&first);
        let (mut paths, mut path_bytes) = (Vec::new(), 0);
        let mut record = Record::default();
        loop {
            self.plan.copy(&before, now);
            self.reset(fallen, &mut record);
            let over = self.plan.step(now, &mut chance, &mut Silent, &mut record);
            let answers: Vec<Answer> = chance.answers().skip(first.len()).collect();
            path_bytes += size_of::<Followed>() + size_of_val(&answers[..]);
            let to = if let Some(situation) = chance.ended_at() {
                Code::Now(self.number_amid(root, situation, &chance))
            } else if over {
                Code::End(record.ending == Ending::Win(self.side as u8))
            } else {
                self.reached(now, &mut record, ahead)
            };
            paths.push((answers, to));
            self.paths += 1;
            let work = self.paths + self.steps / STEPS_OF_A_PATH;
            if chance.is_stopped() {
                return Err(Limit::Stopped);
            }
            if work / PATHS_OF_AN_OPEN_STATE > budget.max_states || chance.overflowed() {
                return Err(Limit::Work);
            }
            if self.bytes() + path_bytes as u64 > budget.most_bytes() {
                return Err(Limit::Memory);
            }
            if self.paths.is_multiple_of(1024) {
                watch(self.nodes.len() as u64);
            }
            if !chance.advance() {
                break;
            }
        }
        self.game.first.push(self.game.items.len());
        self.game.add(1.0, &paths, 0);
        Ok(())
    }

    /// Plays on to the next step in which something is decided. Returns the situation or end that it reaches.
    fn reached(&mut self, now: &mut State, record: &mut Record, ahead: &mut Ahead) -> Code {
        loop {
            match ahead.look(self, now, record) {
                Seen::Round => return Code::Next(self.number_of_round(now, record, ahead)),
                Seen::Question => return Code::Now(self.number(now, record)),
                Seen::End => {
                    let ending = ahead.record.ending;
                    return Code::End(ending == Ending::Win(self.side as u8));
                }
                Seen::Nothing => {
                    std::mem::swap(now, &mut ahead.state);
                    record.copy(&ahead.record);
                    self.steps += 1;
                }
            }
        }
    }

    /// Plays the path with this number, of those through a step that begin with the answers `first`. Returns all answers.
    /// If they end at a decision, the state stays that in which the step began, and `first` becomes these answers.
    fn take(
        &self,
        path: u32,
        first: &mut Vec<usize>,
        state: &mut State,
        record: &mut Record,
    ) -> Vec<Answer> {
        let mut chance = self.chance.another();
        chance.begin_after(first);
        let (mut now, mut after) = (state.clone(), Record::default());
        for number in 0..=path {
            self.plan.copy(state, &mut now);
            after.copy(record);
            self.plan
                .step(&mut now, &mut chance, &mut Silent, &mut after);
            if number < path {
                chance.advance();
            }
        }
        let answers: Vec<Answer> = chance.answers().collect();
        if chance.ended_at().is_some() {
            *first = answers.iter().map(|answer| answer.index).collect();
        } else {
            std::mem::swap(state, &mut now);
            record.copy(&after);
            first.clear();
        }
        answers
    }

    /// Returns the answers to all questions on the way to a decision, including the decision.
    fn answers(&self, reached: &Reached, better: bool) -> Vec<usize> {
        let mut state = self.plan.start();
        let mut record = Record::of(self.plan.fight());
        let mut ahead = Ahead::new(self);
        let (mut all, mut first, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
        for &path in &reached.way.paths {
            let answers = self.take(path, &mut first, &mut state, &mut record);
            if !first.is_empty() {
                continue;
            }
            all.extend(answers.into_iter().map(|answer| answer.index));
            while matches!(ahead.look(self, &mut state, &record), Seen::Nothing) {
                std::mem::swap(&mut state, &mut ahead.state);
                record.copy(&ahead.record);
            }
            // Restores the situation in the form in which it was numbered.
            self.write(&mut state, &record, &mut bytes);
            let fallen;
            (state, fallen) = self.read(&bytes);
            self.reset(fallen, &mut record);
        }
        let end = reached.way.ends[usize::from(better)];
        let before = first.len();
        let answers = self.take(end, &mut first, &mut state, &mut record);
        for (at, answer) in answers.into_iter().enumerate() {
            all.push(answer.index);
            if at >= before && reached.is_at(&answer) {
                return all;
            }
        }
        unreachable!("the way leads to {:?}", reached.decision.options)
    }

    /// Plays the way to a decision, and its step.
    pub(super) fn show(
        &self,
        reached: &Reached,
        better: bool,
        observer: &mut dyn Observer,
    ) -> Record {
        let mut results = WithoutRolls(observer);
        let mut observer: &mut dyn Observer = &mut results;
        let answers = self.answers(reached, better);
        let count = answers.len();
        let mut chance = self.chance.another();
        // With an observer there may be more steps, but no other questions.
        chance.begin_with(answers);
        let mut state = self.plan.start();
        let mut record = Record::of(self.plan.fight());
        let mut ahead = Ahead::new(self);
        loop {
            let over = self
                .plan
                .step(&mut state, &mut chance, &mut observer, &mut record);
            if over || chance.answers().count() >= count {
                debug_assert!(
                    chance
                        .answers()
                        .nth(count - 1)
                        .is_some_and(|answer| reached.is_at(&answer))
                );
                return record;
            }
            if matches!(ahead.look(self, &mut state, &record), Seen::Round) {
                // A situation between Rounds does not contain the order of the last Round, in which the next one asks
                // its questions.
                self.plan.forget(&mut state);
            }
        }
    }

    /// Returns the number of a situation in which a Round begins. Finds out who has won if no Round is left.
    fn number_of_round(&mut self, now: &mut State, record: &Record, ahead: &mut Ahead) -> u32 {
        let Ahead {
            state,
            record: after,
            chance,
        } = ahead;
        self.plan.copy(now, state);
        let number = self.number(now, record);
        if self.game.timeouts[number as usize].is_none() {
            after.copy(record);
            chance.begin(0.0);
            let over = self.last.step(state, chance, &mut Silent, after);
            debug_assert!(over || self.is_counted, "no Round is left");
            let has_won = over && after.ending == Ending::Win(self.side as u8);
            self.game.timeouts[number as usize] = Some(has_won);
        }
        number
    }

    /// Resets `record` to an encounter in which these combatants have fallen.
    fn reset(&self, fallen: u64, record: &mut Record) {
        let past = Past {
            fallen,
            ..Past::default()
        };
        past.record(record, self.plan.fight().combatants.len());
    }

    /// Writes a situation to `bytes`, so that situations with the same future are equal.
    fn write(&self, state: &mut State, record: &Record, bytes: &mut Vec<u8>) {
        if !self.is_counted {
            let round = state.round();
            // The first Round differs from the others in some rules.
            *round = (*round).min(2);
        }
        self.plan.forget(state);
        bytes.clear();
        key::write(&(Past::of(record).fallen, &*state), bytes);
    }

    /// Returns the number of a situation.
    fn number(&mut self, state: &mut State, record: &Record) -> u32 {
        let mut bytes = std::mem::take(&mut self.bytes);
        self.write(state, record, &mut bytes);
        self.bytes = bytes;
        if let Some(number) = self.known.get(&self.bytes[..]) {
            return *number;
        }
        let key: Rc<[u8]> = self.bytes[..].into();
        let number = self.add(key.len(), Node::Key(Rc::clone(&key)));
        self.known.insert(key, number);
        number
    }

    /// Returns the number of the decision at which a path through the step of `root` has ended.
    fn number_amid(&mut self, root: u32, situation: Vec<u8>, chance: &Enumerator) -> u32 {
        let key = (root, situation);
        if let Some(number) = self.amid.get(&key) {
            return *number;
        }
        let answers: Vec<usize> = chance.answers().map(|answer| answer.index).collect();
        let bytes = key.1.len() + size_of_val(&answers[..]);
        let number = self.add(bytes, Node::Amid(root, answers));
        self.amid.insert(key, number);
        number
    }

    /// Adds a situation whose key takes this many bytes, and returns its number.
    fn add(&mut self, bytes: usize, node: Node) -> u32 {
        self.key_bytes += bytes as u64;
        self.nodes.push(node);
        self.game.timeouts.push(None);
        self.nodes.len() as u32 - 1
    }

    fn read(&self, key: &[u8]) -> (State, u64) {
        let (fallen, mut state): (u64, State) =
            postcard::from_bytes(key).expect("what was written can be read");
        self.plan.complete(&mut state);
        (state, fallen)
    }
}

impl Reached {
    /// Returns whether an answer is the decision.
    fn is_at(&self, answer: &Answer) -> bool {
        let decision = &self.decision.options;
        let options = answer.options.as_ref();
        options.is_some_and(|options| {
            // The moment may be more exact for an observer, and a situation does not know the number of its Round.
            (options.who, options.written) == (decision.who, decision.written)
                && (&options.lines, &options.seen) == (&decision.lines, &decision.seen)
        })
    }
}

impl Game {
    /// Adds the tree of these paths, which agree in their first `depth` answers.
    fn add(&mut self, weight: f64, paths: &[Followed], depth: usize) {
        let (answers, code) = &paths[0];
        let Some(answer) = answers.get(depth) else {
            let code = *code;
            self.items.push(Item { weight, code });
            return;
        };
        let same =
            |(one, _): &Followed, (other, _): &Followed| one[depth].index == other[depth].index;
        let groups = paths.chunk_by(same).count() as u32;
        let is_choice = answer.options.is_some();
        let code = match &answer.options {
            None => Code::Mix(groups),
            Some(options) => {
                let lists = size_of_val(&options.lines[..]) + size_of_val(&options.seen[..]);
                self.choice_bytes += (CHOICE_BYTES + lists) as u64;
                self.choices.push(Arc::clone(options));
                Code::Choice(groups, self.choices.len() as u32 - 1)
            }
        };
        self.items.push(Item { weight, code });
        for group in paths.chunk_by(same) {
            let answer = &group[0].0[depth];
            let weight = if is_choice {
                answer.index as f64
            } else {
                answer.weight
            };
            self.add(weight, group, depth + 1);
        }
    }

    /// Sorts the situations so that each comes after those of its Round that it leads to.
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
