//! Finds all situations of a fight by playing every step to all that may come of it.
//!
//! A situation is the state of the clock between two steps, with what the record of the encounter has to
//! know of the past. The clock itself says what comes next: it plays each step with an
//! [`Enumerator`], which gives every answer to every random question. Steps without a random question are
//! played on, so that situations are only those in which chance has just decided something.
//!
//! - **Rounds** are not part of a situation where no policy asks for them: the graph has a cycle for each
//!   Round that leads back to where it began. Whoever solves it counts them.
//! - **Health** that nothing asks for is not part of a situation either: an edge has the [`Blow`]s that
//!   change it.

use super::Budget;
use super::graph::{Beginning, Classes, Edge, End, Gain, Graph, Keeps, Label, Labels, Numbers, To};
use crate::chance::Enumerator;
use crate::chance::enumerate::Blow;
use crate::dice::Weight;
use crate::fight::program::Aim;
use crate::fight::{Combatant, Fight, Variable};
use crate::sim::{Clock, Counts, First, Record, Silent};
use rustc_hash::FxHashMap;

/// Rounds that are told apart where no policy asks for them: the first, whose beginning some rules
/// treat differently, and all others.
const ROUNDS_APART: u32 = 2;

/// Paths that may be played for each situation that is allowed.
const PATHS_OF_A_STATE: u64 = 32;

/// What the record of an encounter has to know of the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Past {
    /// Who has attacked.
    attacked: u64,
    /// Who has fallen.
    fallen: u64,
    first: First,
}

impl Past {
    fn of(record: &Record) -> Self {
        let who = |is: fn(&Counts) -> bool| {
            let counts = record.combatants.iter().enumerate();
            counts.fold(0, |set, (who, counts)| set | u64::from(is(counts)) << who)
        };
        Self {
            attacked: who(|counts| counts.first_attack.is_some()),
            fallen: who(|counts| counts.fell_round > 0),
            first: record.first,
        }
    }

    /// A record of an encounter with that past, and no counts yet.
    fn record(self, record: &mut Record, combatants: usize) {
        record.begin(combatants);
        (record.first, record.marks) = (self.first, 0);
        for (who, counts) in record.combatants.iter_mut().enumerate() {
            counts.first_attack = (self.attacked >> who & 1 == 1).then_some(0);
            counts.fell_round = (self.fallen >> who & 1) as u32;
        }
    }
}

/// The health at the start of those whose health nothing asks for; 0 for the others.
pub(super) fn healths_apart(fight: &Fight) -> Vec<i32> {
    let own = |variable| {
        matches!(
            variable,
            Variable::Hp | Variable::HpPercent | Variable::Wounds | Variable::Injured
        )
    };
    let target = |variable| {
        matches!(
            variable,
            Variable::TargetHp
                | Variable::TargetHpPercent
                | Variable::TargetWounds
                | Variable::TargetInjured
        )
    };
    let by_health = |aim: Aim| {
        matches!(
            aim,
            Aim::Weakest | Aim::Strongest | Aim::WeakestOfAll | Aim::StrongestOfAll
        )
    };
    let looks_at_targets = |one: &Combatant| {
        let mut lines = one.policy.lines();
        one.policy.variables().any(target)
            || lines
                .any(|line| by_health(line.aim) || line.more.iter().any(|feat| by_health(feat.aim)))
    };
    let combatants = fight.combatants.iter();
    let apart = combatants.map(|one| {
        let seen = fight
            .combatants
            .iter()
            .any(|other| other.side != one.side && looks_at_targets(other));
        let asked = one.policy.variables().any(own);
        let matters = !one.track.levels().is_empty();
        if seen || asked || matters || heals(one) {
            0
        } else {
            one.health
        }
    });
    apart.collect()
}

/// Whether a combatant may get health back.
fn heals(one: &Combatant) -> bool {
    let tasks = one.tasks.iter().any(|task| task.heal.is_some());
    let regenerates = one
        .traits
        .order()
        .is_some_and(|traits| traits.regeneration > 0);
    tasks || regenerates || !one.items.is_empty()
}

/// Why graphs were not finished.
pub(super) struct Unfinished {
    pub states: u64,
    pub stopped: bool,
}

/// Builds the graphs of a fight; `plan` has no limit of Rounds, and `last` allows no more of them. `healths` are
/// kept beside the situations ([`healths_apart`], or 0 for all).
pub(super) fn build<P: Clock>(
    plan: &P,
    last: &P,
    healths: Vec<i32>,
    budget: Budget,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Result<([Graph; 2], Labels), Unfinished> {
    let mut builder = Builder {
        plan,
        last,
        chance: Enumerator::new(healths.clone()),
        keeps_round: plan.fight().reads(|variable| variable == Variable::Round),
        state: plan.start(),
        record: Record::default(),
        bytes: Vec::new(),
        known: FxHashMap::default(),
        beginnings: Numbers::new(),
        ends: Numbers::new(),
        blows: Numbers::new(),
        gains: Numbers::new(),
        graphs: Keeps::ALL.map(Classes::new),
        open: Vec::new(),
        depth: 0,
        lost: 0.0,
        paths: 0,
        most_states: budget.max_states,
        watch,
    };
    builder.write(Past::default());
    let start: Bytes = builder.bytes[..].into();
    builder.beginnings.of(&start[..]);
    let mut next = 0;
    while let Some(bytes) = builder.beginnings.all.get(next).cloned() {
        builder.play_round(&bytes)?;
        next += 1;
    }
    let labels = Labels {
        ends: builder.ends.all,
        blows: builder.blows.all,
        gains: builder.gains.all,
        healths,
        lost: builder.lost,
        states: builder.known.len() as u64,
    };
    Ok((builder.graphs.map(|classes| classes.graph), labels))
}

/// A situation as bytes: equal ones have equal bytes.
type Bytes = Box<[u8]>;

/// What a situation has turned out to be.
#[derive(Clone, Copy)]
enum Found {
    /// The number of its class in each graph.
    Now([u32; 2]),
    /// A Round ends without any further chance: the number of the situation in which the next begins, and
    /// what is gained before.
    Next { beginning: u32, gains: u32 },
}

/// Where a path of answers has led.
#[derive(Clone, Copy)]
struct Path {
    to: Reached,
    weight: Weight,
    blows: u32,
    gains: u32,
}

#[derive(Clone, Copy)]
enum Reached {
    Situation(Found),
    End(u32),
}

/// A situation whose paths are being followed.
struct Open<S> {
    bytes: Bytes,
    past: Past,
    /// State and record before the step in which chance decides something.
    state: S,
    record: Record,
    chance: Enumerator,
    paths: Vec<Path>,
}

struct Builder<'a, P: Clock> {
    plan: &'a P,
    last: &'a P,
    chance: Enumerator,
    keeps_round: bool,
    /// The state that is played, and the record that it fills.
    state: P::State,
    record: Record,
    /// The bytes of the last situation.
    bytes: Vec<u8>,
    known: FxHashMap<Bytes, Found>,
    /// Situations in which a Round begins.
    beginnings: Numbers<Bytes>,
    ends: Numbers<End>,
    blows: Numbers<Vec<Blow>>,
    gains: Numbers<Vec<Gain>>,
    graphs: [Classes; 2],
    /// The situations on the way to the one that is played; behind it, room for more.
    open: Vec<Open<P::State>>,
    depth: usize,
    lost: f64,
    paths: u64,
    most_states: u64,
    watch: &'a mut dyn FnMut(u64) -> bool,
}

impl<P: Clock> Builder<'_, P> {
    /// Plays the Round that begins with a situation, to all that may come of it.
    fn play_round(&mut self, bytes: &[u8]) -> Result<(), Unfinished> {
        let past = self.read(bytes);
        self.enter(past);
        let timeout = self.time_out();
        let mut over = self.begin_step();
        loop {
            // One path has been played.
            self.paths += 1;
            self.check_budget()?;
            if let Some(past) = self.follow(over)
                && self.enter_moment(past, &mut over)
            {
                continue;
            }
            loop {
                if self.open[self.depth - 1].chance.advance() {
                    over = self.repeat_step();
                    break;
                }
                self.depth -= 1;
                let done = &mut self.open[self.depth];
                self.lost = self.lost.max(done.chance.lost());
                if self.depth == 0 {
                    self.close_round(timeout);
                    return Ok(());
                }
                let paths = std::mem::take(&mut done.paths);
                let (bytes, fallen) = (std::mem::take(&mut done.bytes), done.past.fallen);
                let found = Found::Now(self.classes(fallen, &paths));
                self.known.insert(bytes, found);
                self.open[self.depth].paths = paths;
                // The path of the one below that has led here.
                let below = &mut self.open[self.depth - 1].paths;
                if let Some(path) = below.last_mut() {
                    path.to = Reached::Situation(found);
                }
            }
        }
    }

    fn check_budget(&mut self) -> Result<(), Unfinished> {
        let states = self.known.len() as u64;
        let too_many = states >= self.most_states
            || self.paths / PATHS_OF_A_STATE >= self.most_states
            || self.open.iter().any(|open| open.chance.overflowed());
        let stopped = !too_many && self.paths.is_multiple_of(1024) && !(self.watch)(states);
        if too_many || stopped {
            return Err(Unfinished { states, stopped });
        }
        Ok(())
    }

    /// Keeps the state that is played as a situation whose paths are to be followed.
    fn enter(&mut self, past: Past) {
        if self.open.len() == self.depth {
            self.open.push(Open {
                bytes: Bytes::default(),
                past,
                state: self.plan.start(),
                record: Record::default(),
                chance: self.chance.another(),
                paths: Vec::new(),
            });
        }
        let top = &mut self.open[self.depth];
        self.depth += 1;
        top.past = past;
        top.paths.clear();
        self.plan.copy(&self.state, &mut top.state);
        top.record.copy(&self.record);
    }

    /// Plays the next step of the situation on top, by the first path.
    fn begin_step(&mut self) -> bool {
        self.open[self.depth - 1].chance.begin();
        self.step()
    }

    /// Plays that step again, by the next path.
    fn repeat_step(&mut self) -> bool {
        let top = &self.open[self.depth - 1];
        self.plan.copy(&top.state, &mut self.state);
        self.record.copy(&top.record);
        self.step()
    }

    fn step(&mut self) -> bool {
        let top = &mut self.open[self.depth - 1];
        self.plan.step(
            &mut self.state,
            &mut top.chance,
            &mut Silent,
            &mut self.record,
        )
    }

    /// What comes of the situation on top where no Round is left.
    fn time_out(&mut self) -> Path {
        let top = &mut self.open[self.depth - 1];
        top.chance.begin();
        let (chance, record) = (&mut top.chance, &mut self.record);
        let over = self.last.step(&mut self.state, chance, &mut Silent, record);
        debug_assert!(over, "no Round is left");
        self.follow(over);
        let top = &mut self.open[self.depth - 1];
        self.plan.copy(&top.state, &mut self.state);
        self.record.copy(&top.record);
        let timeout = top.paths.pop();
        timeout.expect("a path has been followed")
    }

    /// Adds the path that has been played to those of the situation on top. Returns the past of the
    /// situation that it has led to, if that has not been met before; its bytes are in `self.bytes`.
    fn follow(&mut self, over: bool) -> Option<Past> {
        let top = &mut self.open[self.depth - 1];
        let gains = gained(
            self.plan,
            &mut self.state,
            &self.record,
            top.past,
            &mut self.gains,
        );
        let blows = self.blows.of(&together(top.chance.blows())[..]);
        let now = Past::of(&self.record);
        let record = &self.record;
        let mut path = Path {
            to: Reached::End(0),
            weight: top.chance.weight(),
            blows,
            gains,
        };
        let mut unknown = None;
        if over {
            let time = *self.plan.round(&mut self.state) * self.plan.round_length();
            path.to = Reached::End(self.ends.of(&End {
                ending: record.ending,
                distance: record.distance,
                first: record.first,
                healths: record.combatants.iter().map(|one| one.health).collect(),
                fallen: now.fallen,
                left: match record.marks {
                    0 => 0,
                    marks => time - marks,
                },
            }));
        } else {
            self.write(now);
            match self.known.get(&self.bytes[..]) {
                Some(found) => path.to = Reached::Situation(*found),
                None => unknown = Some(now),
            }
        }
        self.open[self.depth - 1].paths.push(path);
        unknown
    }

    /// Plays the state, a situation that has not been met before, on to the next step in which chance
    /// decides something, and plays that by its first path. Returns false if a Round ends before it.
    fn enter_moment(&mut self, past: Past, over: &mut bool) -> bool {
        let bytes: Bytes = self.bytes[..].into();
        let combatants = self.plan.fight().combatants.len();
        past.record(&mut self.record, combatants);
        loop {
            let round = *self.plan.round(&mut self.state);
            self.enter(past);
            *over = self.begin_step();
            let crosses = *self.plan.round(&mut self.state) != round;
            let top = &mut self.open[self.depth - 1];
            if !crosses && (*over || top.chance.has_asked() || !top.chance.blows().is_empty()) {
                top.bytes = bytes;
                return true;
            }
            self.depth -= 1;
            if !crosses {
                continue;
            }
            self.plan.copy(&top.state, &mut self.state);
            self.record.copy(&top.record);
            let gains = gained(
                self.plan,
                &mut self.state,
                &self.record,
                past,
                &mut self.gains,
            );
            self.write(Past::of(&self.record));
            let beginning = self.beginnings.of(&self.bytes[..]);
            let found = Found::Next { beginning, gains };
            self.known.insert(bytes, found);
            if let Some(path) = self.open[self.depth - 1].paths.last_mut() {
                path.to = Reached::Situation(found);
            }
            return false;
        }
    }

    /// Writes the situation that is played to `self.bytes`. What does not matter in it is cleared.
    fn write(&mut self, past: Past) {
        let round = self.plan.round(&mut self.state);
        if !self.keeps_round {
            *round = (*round).min(ROUNDS_APART);
        }
        self.plan.forget(&mut self.state);
        let first = match past.first {
            First::Nobody => 0_u16,
            First::Both => 1,
            First::Side(side) => 2 + u16::from(side),
        };
        let all = (past.attacked, past.fallen, first, &self.state);
        self.bytes.resize(self.bytes.capacity().max(64), 0);
        let length = loop {
            match postcard::to_slice(&all, &mut self.bytes) {
                Ok(written) => break written.len(),
                Err(_) => self.bytes.resize(2 * self.bytes.len(), 0),
            }
        };
        self.bytes.truncate(length);
    }

    /// Sets state and record to a situation.
    fn read(&mut self, bytes: &[u8]) -> Past {
        let (attacked, fallen, first, mut state): (u64, u64, u16, P::State) =
            postcard::from_bytes(bytes).expect("what was written can be read");
        self.plan.complete(&mut state);
        self.state = state;
        let past = Past {
            attacked,
            fallen,
            first: match first {
                0 => First::Nobody,
                1 => First::Both,
                side => First::Side((side - 2) as u8),
            },
        };
        past.record(&mut self.record, self.plan.fight().combatants.len());
        past
    }

    /// The class in each graph of a situation with these paths.
    fn classes(&mut self, fallen: u64, paths: &[Path]) -> [u32; 2] {
        let [one, other] = [0, 1].map(|graph| self.edges(paths, graph));
        [
            self.graphs[0].of(fallen, one),
            self.graphs[1].of(fallen, other),
        ]
    }

    /// Ends a Round: all that may come of its beginning has its class.
    fn close_round(&mut self, timeout: Path) {
        let paths = std::mem::take(&mut self.open[0].paths);
        let fallen = self.open[0].past.fallen;
        for graph in 0..self.graphs.len() {
            let edges = self.edges(&paths, graph);
            let (to, blows, gains) = self.label(timeout, graph);
            let timeout = Edge {
                chance: 1.0,
                to,
                blows,
                gains,
            };
            let graph = &mut self.graphs[graph].graph;
            let node = graph.add(fallen, &edges);
            graph.beginnings.push(Beginning { node, timeout });
        }
    }

    /// The edges of a situation in one graph.
    fn edges(&mut self, paths: &[Path], graph: usize) -> Vec<Label> {
        let mut labels: Vec<((To, u32, u32), Weight)> = Vec::with_capacity(paths.len());
        for path in paths {
            labels.push((self.label(*path, graph), path.weight));
        }
        labels.sort_unstable_by_key(|(label, _)| *label);
        labels.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        let label = |((to, blows, gains), weight): ((To, u32, u32), Weight)| Label {
            to,
            blows,
            gains,
            chance: weight.value().to_bits(),
        };
        labels.into_iter().map(label).collect()
    }

    /// What a path is in one graph.
    fn label(&mut self, path: Path, graph: usize) -> (To, u32, u32) {
        let classes = &mut self.graphs[graph];
        let gains = classes.kept(path.gains, &mut self.gains);
        match path.to {
            Reached::End(end) => (To::End(end), path.blows, gains),
            Reached::Situation(Found::Now(numbers)) => (To::Now(numbers[graph]), path.blows, gains),
            Reached::Situation(Found::Next {
                beginning,
                gains: more,
            }) => {
                let more = classes.kept(more, &mut self.gains);
                let gains = classes.both(gains, more, &mut self.gains);
                (To::Next(beginning), path.blows, gains)
            }
        }
    }
}

/// What blows come to for each combatant: all damage that it stands, or the blow that fells it.
fn together(blows: &[Blow]) -> Vec<Blow> {
    let mut all: Vec<Blow> = Vec::new();
    for blow in blows {
        let before = if blow.fells { blow.before } else { 0 };
        let blow = Blow { before, ..*blow };
        match all.iter_mut().find(|other| other.who == blow.who) {
            Some(earlier) => *earlier = blow,
            None => all.push(blow),
        }
    }
    all.sort_unstable();
    all
}

/// What a record has gained since a situation with that past.
fn gained<P: Clock>(
    plan: &P,
    state: &mut P::State,
    record: &Record,
    past: Past,
    all: &mut Numbers<Vec<Gain>>,
) -> u32 {
    let end_of_round = *plan.round(state) * plan.round_length();
    let combatants = record.combatants.iter().enumerate();
    let gains = combatants.filter_map(|(who, counts)| {
        let mut gain = *counts;
        let before = |set: u64| set >> who & 1 == 1;
        gain.health = 0;
        gain.fell_round = u32::from(gain.fell_round > 0 && !before(past.fallen));
        gain.first_attack = gain
            .first_attack
            .filter(|_| !before(past.attacked))
            .map(|time| end_of_round - time);
        (gain != Counts::default()).then_some((who as u8, gain))
    });
    let gains: Vec<Gain> = gains.collect();
    all.of(&gains[..])
}
