//! Finding out what nobody has seen yet: the clock plays the stretch itself, and a [`Scribe`] writes
//! down the forks that it comes to.

use super::blow::longest_row;
use super::draw::{Draw, End, Taken};
use super::key::Reader;
use super::receipt::Instant;
use super::{Board, DRAW_BITS, Edge, Memo, UNBEGUN, UNSEEN, WORTH};
use crate::chance::{Bits, Purpose};
use crate::fight::Ending;
use crate::sim::events::{Event, Moment, Observer};
use crate::sim::fork::Fork;
use crate::sim::steps::{Codec, Steps};
use crate::sim::{Counts, Record, Silent};
use std::cell::RefCell;

/// More forks than one stretch comes to.
const MOST_FORKS: usize = 1024;

/// Bits for a step that will be taken back.
struct Whatever(u64);

impl Bits for Whatever {
    fn bits(&mut self, _: usize, _: Purpose) -> u64 {
        // Never the same for long: there are dice that are thrown until they show something else.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0
    }
}

/// Writes down forks and the branches taken.
#[derive(Debug, Default)]
struct Scribe {
    path: RefCell<Vec<(Fork, u32)>>,
}

impl Scribe {
    /// Whether it has come to a branch behind which a stretch ends.
    fn has_parted(&self, go_on: bool) -> bool {
        let path = self.path.borrow();
        path.iter()
            .any(|(fork, branch)| !(go_on && fork.goes_on(*branch)))
    }
}

impl Observer for Scribe {
    const LISTENS: bool = false;
    const MAPS: bool = true;

    fn event(&mut self, _: Moment, _: Event) {}

    fn die(&mut self, _: usize, _: Purpose, _: u32, _: u32) {}

    fn fork(&self, fork: Fork, branch: u32) {
        self.path.borrow_mut().push((fork, branch));
    }
}

/// Where an edge is kept.
#[derive(Clone, Copy)]
enum Kept {
    Root(u32),
    Branch(usize),
}

impl Memo {
    /// The edge with which every encounter begins.
    pub(super) fn start<S: Steps>(&mut self, clock: &S, state: &mut S::State) -> Edge {
        if self.roots.is_empty() {
            clock.reset(state);
            self.write_key(clock, state, 0);
            self.enter();
        }
        self.roots[0]
    }

    /// Writes what a state is known by; `attacked` are those who have made their first attack.
    fn write_key<S: Steps>(&mut self, clock: &S, state: &mut S::State, attacked: u64) {
        self.key.0.clear();
        self.key.number(attacked as i64);
        clock.code(state, &mut self.key);
    }

    /// The edge that leads on from the state whose key has been written, new or not.
    fn enter(&mut self) -> Edge {
        let number = self.keys.put(&self.key.0);
        if number as usize == self.roots.len() {
            self.roots.push(Edge::new(UNBEGUN, number));
        }
        self.roots[number as usize]
    }

    /// Whether there is room for more.
    fn has_room(&self) -> bool {
        let edges = (self.map.edges.len() + self.roots.len()) * size_of::<Edge>();
        edges + self.keys.size() + self.map.receipts.size() < self.budget
            && self.map.draws.len() + MOST_FORKS < 1 << DRAW_BITS
    }

    /// Goes on where the map ends. Gives the edge that leads on from there or from the end of the
    /// stretch, or how the encounter ended, if it has been played to its end.
    #[cold]
    #[inline(never)]
    pub(super) fn find_out<S: Steps>(
        &mut self,
        clock: &S,
        board: &mut Board<'_, S>,
        record: &mut Record,
        run: usize,
    ) -> Result<Edge, End> {
        let at = self.runs[run].edge;
        if at.draw() == UNSEEN {
            // Another run may have been here meanwhile.
            let now = self.map.edges[self.runs[run].slot];
            if now != Edge::UNSEEN {
                return Ok(now);
            }
        }
        if at.draw() == UNBEGUN {
            let root = self.roots[at.base as usize];
            if root.draw() != UNBEGUN {
                // Somebody has gone on from there since this edge was drawn.
                if at.receipt() != 0 {
                    // It came by a branch, not from the beginning or out of the clock's hands.
                    self.map.edges[self.runs[run].slot] = root.with(at.receipt());
                }
                return Ok(root);
            }
        }
        self.credit += self.runs[run].taken.len() as i64 - WORTH;
        // The encounter at hand is still finished with what is known.
        self.useful &= self.credit >= 0;

        // Once more to the beginning of the stretch, and then on to its end.
        let number = self.go_back(run);
        let state = &mut *board.state;
        if S::HEALTH_APART {
            for (who, health) in self.runs[run].lives.health.iter().enumerate() {
                S::set_health(state, who, *health);
            }
        }
        *S::round(state) = self.runs[run].lives.round;
        let attacked = recall(clock, state, self.keys.get(number));
        record.combatants.fill(Counts::default());
        let before = Before::new::<S>(state, record, attacked);
        let mut scribe = Scribe {
            path: RefCell::new(std::mem::take(&mut self.path)),
        };
        scribe.path.get_mut().clear();
        let ended = loop {
            let ended = clock.proceed(board.state, &mut self.runs[run].luck, &mut scribe, record);
            if ended.is_some() || S::GO_ON && S::is_between_rounds(board.state) {
                break ended;
            }
            if scribe.has_parted(S::GO_ON) {
                break self.next_fork(clock, board, record);
            }
        };
        let state = &mut *board.state;
        let by_now = attacked | attackers(record);
        if ended.is_none() {
            self.write_key(clock, state, by_now);
        }
        self.account::<S>(run, state, record, &before);
        self.path = scribe.path.into_inner();
        let end = |ending: Ending, state: &mut S::State, attacked: u64| End {
            ending,
            attacked,
            distance: clock.distance(state),
            health: if S::HEALTH_APART {
                Vec::new()
            } else {
                let everybody = 0..clock.fight().combatants.len();
                everybody.map(|who| S::health(state, who)).collect()
            },
        };

        let next = if self.useful && self.has_room() {
            let next = match ended {
                None => self.enter(),
                Some(ending) => self.end(end(ending, state, by_now)),
            };
            self.add(clock, number, next);
            Some(next)
        } else if let Some(ending) = ended {
            return Err(end(ending, state, by_now));
        } else {
            let number = self.keys.find(&self.key.0);
            number.map(|number| self.roots[number as usize])
        };
        if let Some(edge) = next {
            let run = &mut self.runs[run];
            run.has_left = true;
            run.since.luck.copy_from(&run.luck);
            run.since.lives.copy_from(&run.lives);
            run.since.edge = edge;
            return Ok(edge);
        }

        // All is full, and this is new: the rest is played as if there were no memo.
        record.combatants.fill(Counts::default());
        let before = Before::new::<S>(state, record, by_now);
        let ending = loop {
            if let Some(ending) =
                clock.proceed(state, &mut self.runs[run].luck, &mut Silent, record)
            {
                break ending;
            }
        };
        self.account::<S>(run, state, record, &before);
        Err(end(ending, state, by_now | attackers(record)))
    }

    /// Goes back to the beginning of the stretch that is under way, adds up all that comes before, and
    /// says in which state it is.
    fn go_back(&mut self, run: usize) -> u32 {
        let run = &mut self.runs[run];
        let from = if run.has_left {
            run.luck.copy_from(&run.since.luck);
            run.lives.copy_from(&run.since.lives);
            match run.since.edge {
                // It may have been begun in the meantime.
                edge if edge.draw() == UNBEGUN => self.roots[edge.base as usize],
                edge => edge,
            }
        } else {
            run.luck.again();
            run.lives.renew();
            self.roots[0]
        };
        let receipts = run.taken.len();
        run.taken.clear();
        run.edge = from;
        while run.taken.len() + usize::from(run.edge.receipt() != 0) < receipts {
            self.map.follow(run);
        }
        let stretch = run.edge;
        if stretch.receipt() != 0 {
            run.taken.push(stretch.receipt());
        }
        self.map.receipts.cash(&run.taken, &mut run.sums);
        run.taken.clear();
        if stretch.draw() == UNBEGUN {
            stretch.base
        } else {
            // That stands before the first edges of a state.
            self.map.edges[stretch.base as usize - 1].base
        }
    }

    /// Goes on to the last step before that which comes to a fork, so that the ways by which one
    /// comes there meet again; or to the end, if that comes before. It is one step too far that tells,
    /// and that one is taken back.
    fn next_fork<S: Steps>(
        &mut self,
        clock: &S,
        board: &mut Board<'_, S>,
        record: &mut Record,
    ) -> Option<Ending> {
        let Board { state, spare } = board;
        let mut luck = Whatever(0);
        let mut scribe = Scribe::default();
        loop {
            S::copy(spare, state);
            self.counts.clone_from(&record.combatants);
            let ended = clock.proceed(*state, &mut luck, &mut scribe, record);
            if !scribe.path.get_mut().is_empty() {
                S::copy(state, spare);
                record.combatants.clone_from(&self.counts);
                return None;
            }
            if ended.is_some() {
                return ended;
            }
        }
    }

    /// Adds up what the clock has played since then, and keeps what that is.
    fn account<S: Steps>(
        &mut self,
        run: usize,
        state: &mut S::State,
        record: &Record,
        before: &Before,
    ) {
        let to = instant::<S>(state);
        let run = &mut self.runs[run];
        let added = &mut self.added;
        added.measure::<S>(record, (before.instant, to), before.attacked, before.fallen);
        run.sums.add(added);
        run.lives.round = to.round;
        if S::HEALTH_APART {
            for (who, counts) in record.combatants.iter().enumerate() {
                run.lives.add(who, counts, S::health(state, who));
            }
        }
    }

    /// Draws the stretch that has been played into the map.
    fn add<S: Steps>(&mut self, clock: &S, from: u32, next: Edge) {
        let path = std::mem::take(&mut self.path);
        self.add_path(clock, from, &path, next);
        self.path = path;
    }

    fn add_path<S: Steps>(&mut self, clock: &S, from: u32, path: &[(Fork, u32)], next: Edge) {
        if path.is_empty() || path.iter().any(|(fork, branch)| fork.is_rare(*branch)) {
            return;
        }
        let Some(receipt) = self.map.receipts.number(&self.added) else {
            return;
        };
        let mut place = Kept::Root(from);
        let mut rest = path;
        while !rest.is_empty() {
            let mut edge = self.edge(place);
            let is_new = edge.draw() == UNSEEN || edge.draw() == UNBEGUN;
            let longest_row = if is_new {
                self.longest_row(clock, rest)
            } else {
                self.map.draws[edge.draw() as usize].row()
            };
            let taken = Taken::first_of(rest, longest_row);
            let (forks, others) = rest.split_at(taken.forks);
            if is_new {
                if forks == [(Fork::Limit, 1)] {
                    // What would have been rolled is not known.
                    return;
                }
                if let Kept::Root(_) = place {
                    // Before the first edges of a state stands which one it is.
                    self.map.edges.push(edge);
                }
                let base = self.map.edges.len() as u32;
                let branches = taken.branches as usize;
                let unseen = std::iter::repeat_n(Edge::UNSEEN, branches);
                self.map.edges.extend(unseen);
                edge = Edge::new(self.draw(clock, forks), base);
                self.put(place, edge);
            }
            place = Kept::Branch(edge.base as usize + taken.branch as usize);
            rest = others;
        }
        debug_assert_eq!(self.edge(place), Edge::UNSEEN, "nobody has been here");
        self.put(place, next.with(receipt));
    }

    /// How many blows with which a path begins are to be taken by one draw.
    fn longest_row<S: Steps>(&self, clock: &S, path: &[(Fork, u32)]) -> usize {
        // There are more rows of blows than blows: where draws get scarce, each is taken alone.
        if self.map.draws.len() < 1 << (DRAW_BITS - 1) {
            longest_row(path, clock.fight())
        } else {
            1
        }
    }

    fn edge(&self, place: Kept) -> Edge {
        match place {
            Kept::Root(state) => self.roots[state as usize],
            Kept::Branch(slot) => self.map.edges[slot],
        }
    }

    fn put(&mut self, place: Kept, edge: Edge) {
        match place {
            Kept::Root(state) => self.roots[state as usize] = edge,
            Kept::Branch(slot) => self.map.edges[slot] = edge,
        }
    }

    /// The number of a draw, new or not.
    fn draw<S: Steps>(&mut self, clock: &S, path: &[(Fork, u32)]) -> u32 {
        let draws = &mut self.map.draws;
        let forks: Box<[Fork]> = path.iter().map(|(fork, _)| *fork).collect();
        if let Some(known) = self.forks.get(&forks) {
            return *known;
        }
        draws.push(Draw::new(&forks, clock.fight()));
        let number = (draws.len() - 1) as u32;
        self.forks.insert(forks, number);
        number
    }

    /// The edge that ends an encounter.
    fn end(&mut self, end: End) -> Edge {
        let draws = &mut self.map.draws;
        let draw = if let Some(known) = self.endings.get(&end) {
            *known
        } else {
            draws.push(Draw::End(Box::new(end.clone())));
            let number = (draws.len() - 1) as u32;
            self.endings.insert(end, number);
            number
        };
        Edge::new(draw, 0)
    }
}

/// When the clock began to play.
struct Before {
    instant: Instant,
    /// Those who had made their first attack, and those who had fallen, a bit each.
    attacked: u64,
    fallen: u64,
}

impl Before {
    fn new<S: Steps>(state: &mut S::State, record: &Record, attacked: u64) -> Self {
        let everybody = 0..record.combatants.len();
        let fallen = everybody.filter(|who| S::health(state, *who) == 0);
        Self {
            attacked,
            fallen: fallen.fold(0, |all, who| all | 1 << who),
            instant: instant::<S>(state),
        }
    }
}

/// Goes back to the state of that key, but for the Round, and health where it is kept apart, which stay. Those who had
/// attacked by then, a bit each.
fn recall<S: Steps>(clock: &S, state: &mut S::State, key: &[u8]) -> u64 {
    let mut reader = Reader(key);
    let attacked = reader.number(0) as u64;
    clock.code(state, &mut reader);
    attacked
}

/// Those who attacked, a bit each.
fn attackers(record: &Record) -> u64 {
    let combatants = record.combatants.iter().enumerate();
    combatants.fold(0, |all, (who, counts)| {
        all | u64::from(counts.first_attack.is_some()) << who
    })
}

fn instant<S: Steps>(state: &mut S::State) -> Instant {
    Instant {
        round: *S::round(state),
        elapsed: S::elapsed(state),
    }
}
