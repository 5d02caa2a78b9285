//! Finding out what nobody has seen yet: the clock plays the stretch itself, and a [`Scribe`] writes
//! down the forks that it comes to.

use super::fork::Draw;
use super::key::Reader;
use super::receipt::{Instant, Sums};
use super::{Codec, DRAW_BITS, Edge, Fork, Memo, Place, Steps, UNBEGUN, UNSEEN, WORTH};
use crate::chance::{Bits, Purpose, Streams};
use crate::engine::events::{Event, Moment, Observer};
use crate::engine::{Counts, Ending, Record, Silent};
use std::cell::RefCell;

/// More forks than one stretch comes to.
const MOST_FORKS: usize = 1024;

/// Luck, and a note of what it gave.
pub(super) struct Noting<'a> {
    pub luck: &'a mut Streams,
    pub drawn: &'a mut Vec<u64>,
}

impl Bits for Noting<'_> {
    #[inline]
    fn bits(&mut self, who: usize, purpose: Purpose) -> u64 {
        let bits = self.luck.bits(who, purpose);
        self.drawn.push(bits);
        bits
    }
}

/// First what luck has given before, in the same order, then luck.
struct Again<'a> {
    luck: &'a mut Streams,
    drawn: std::slice::Iter<'a, u64>,
}

impl Bits for Again<'_> {
    fn bits(&mut self, who: usize, purpose: Purpose) -> u64 {
        match self.drawn.next() {
            Some(bits) => *bits,
            None => self.luck.bits(who, purpose),
        }
    }
}

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
        let edges = (self.edges.len() + self.roots.len()) * size_of::<Edge>();
        edges + self.keys.size() + self.receipts.size() < self.budget
            && self.draws.len() + MOST_FORKS < 1 << DRAW_BITS
    }

    /// Goes on where the map ends. Gives the edge that leads on from there or from the end of the
    /// stretch, or how the encounter ended and who attacked in it, if it has been played to its end.
    #[cold]
    #[inline(never)]
    pub(super) fn find_out<S: Steps>(
        &mut self,
        clock: &S,
        state: &mut S::State,
        luck: &mut Streams,
        record: &mut Record,
        place: Place,
    ) -> Result<Edge, (Ending, u64)> {
        let at = place.edge;
        let number = if at.draw() == UNBEGUN {
            let root = self.roots[at.base as usize];
            if root.draw() != UNBEGUN {
                // Somebody has gone on from there since this edge was drawn.
                let edge = root.with(at.receipt());
                if let Some(known) = self.edges.get_mut(place.slot) {
                    *known = edge;
                }
                return Ok(edge);
            }
            at.base
        } else {
            self.edges[place.stretch.base as usize - 1].base
        };
        self.credit -= WORTH;
        // The encounter at hand is still finished with what is known.
        self.useful &= self.credit >= 0;

        // Back to the beginning of the stretch.
        self.lives.take_back();
        for (who, health) in self.lives.health.iter().enumerate() {
            *S::health(state, who) = *health;
        }
        *S::round(state) = self.lives.round;
        let attacked = recall(clock, state, self.keys.get(number));
        record.combatants.fill(Counts::default());

        // Once more, and on to the end of the stretch.
        let from = instant::<S>(state);
        let mut scribe = Scribe::default();
        let mut again = Again {
            luck,
            drawn: self.drawn.iter(),
        };
        let ended = loop {
            let ended = clock.proceed(state, &mut again, &mut scribe, record);
            if ended.is_some() || !scribe.path.borrow().is_empty() {
                break ended;
            }
        };
        debug_assert_eq!(again.drawn.len(), 0, "the clock asks what the memo asked");
        self.drawn.clear();
        let by_now = attacked | attackers(record);
        if ended.is_none() {
            self.next_fork(clock, state, record, by_now);
            self.write_key(clock, state, by_now);
        }
        let added = self.account::<S>(state, record, from, attacked);
        let attacked = by_now;

        if self.useful && self.has_room() {
            let next = match ended {
                None => self.enter(),
                Some(ending) => self.end(ending, attacked),
            };
            self.add(clock, number, &scribe.path.into_inner(), &added, next);
            return Ok(next);
        }
        if let Some(ending) = ended {
            return Err((ending, attacked));
        }
        if let Some(number) = self.keys.find(&self.key.0) {
            return Ok(self.roots[number as usize]);
        }

        // All is full, and this is new: the rest is played as if there were no memo.
        record.combatants.fill(Counts::default());
        let from = instant::<S>(state);
        let ending = loop {
            if let Some(ending) = clock.proceed(state, luck, &mut Silent, record) {
                break ending;
            }
        };
        self.account::<S>(state, record, from, attacked);
        Err((ending, attacked | attackers(record)))
    }

    /// Goes on to the last step before that which comes to a fork, so that the ways by which one
    /// comes there meet again.
    fn next_fork<S: Steps>(
        &mut self,
        clock: &S,
        state: &mut S::State,
        record: &mut Record,
        attacked: u64,
    ) {
        self.write_key(clock, state, attacked);
        let round = *S::round(state);
        let combatants = 0..record.combatants.len();
        self.health.clear();
        self.health
            .extend(combatants.clone().map(|who| *S::health(state, who)));
        self.counts.clone_from(&record.combatants);
        // There and one step too far, and there once more: who does not know when to stop, must
        // come back.
        let mut luck = Whatever(0);
        let mut scribe = Scribe::default();
        let mut steps = 0;
        while clock
            .proceed(state, &mut luck, &mut scribe, record)
            .is_none()
            && scribe.path.get_mut().is_empty()
        {
            steps += 1;
        }
        recall(clock, state, &self.key.0);
        *S::round(state) = round;
        for who in combatants {
            *S::health(state, who) = self.health[who];
        }
        record.combatants.clone_from(&self.counts);
        for _ in 0..steps {
            clock.proceed(state, &mut luck, &mut Silent, record);
        }
    }

    /// Adds up what the clock has played since `from`, when those in `attacked` had made their first
    /// attack, and says what that is.
    fn account<S: Steps>(
        &mut self,
        state: &mut S::State,
        record: &Record,
        from: Instant,
        attacked: u64,
    ) -> Sums {
        let to = instant::<S>(state);
        let mut added = Sums::new(record.combatants.len());
        added.measure(record, (from, to), attacked, self.lives.fallen());
        self.sums.add(&added);
        self.lives.round = to.round;
        let lives = &mut self.lives;
        for (who, counts) in record.combatants.iter().enumerate() {
            lives.health[who] = *S::health(state, who);
            lives.damage[who] = lives.damage[who].saturating_add(counts.damage);
            lives.damage_taken[who] = lives.damage_taken[who].saturating_add(counts.damage_taken);
        }
        self.lives.keep();
        added
    }

    /// Draws the path of a stretch into the map.
    fn add<S: Steps>(
        &mut self,
        clock: &S,
        from: u32,
        path: &[(Fork, u32)],
        added: &Sums,
        next: Edge,
    ) {
        let Some(receipt) = self.receipts.number(added) else {
            return;
        };
        let mut place = Kept::Root(from);
        for &(fork, branch) in path {
            let mut edge = self.edge(place);
            let draw = self.draw(clock, fork);
            if edge.draw() == UNSEEN || edge.draw() == UNBEGUN {
                if let Kept::Root(_) = place {
                    // Before the first edges of a state stands which one it is.
                    self.edges.push(edge);
                }
                let base = self.edges.len() as u32;
                self.edges
                    .extend(std::iter::repeat_n(Edge::UNSEEN, fork.branches()));
                edge = Edge::new(draw, base);
                self.put(place, edge);
            }
            debug_assert_eq!(edge.draw(), draw, "the same way comes to the same fork");
            place = Kept::Branch(edge.base as usize + branch as usize);
        }
        debug_assert_eq!(self.edge(place), Edge::UNSEEN, "nobody has been here");
        self.put(place, next.with(receipt));
    }

    fn edge(&self, place: Kept) -> Edge {
        match place {
            Kept::Root(state) => self.roots[state as usize],
            Kept::Branch(slot) => self.edges[slot],
        }
    }

    fn put(&mut self, place: Kept, edge: Edge) {
        match place {
            Kept::Root(state) => self.roots[state as usize] = edge,
            Kept::Branch(slot) => self.edges[slot] = edge,
        }
    }

    /// The number of a draw, new or not.
    fn draw<S: Steps>(&mut self, clock: &S, fork: Fork) -> u32 {
        let draws = &mut self.draws;
        *self.forks.entry(fork).or_insert_with(|| {
            draws.push(Draw::new(fork, clock.fight()));
            (draws.len() - 1) as u32
        })
    }

    /// The edge that ends an encounter.
    fn end(&mut self, ending: Ending, attacked: u64) -> Edge {
        let draws = &mut self.draws;
        let draw = *self.endings.entry((ending, attacked)).or_insert_with(|| {
            draws.push(Draw::End { ending, attacked });
            (draws.len() - 1) as u32
        });
        Edge::new(draw, 0)
    }
}

/// Goes back to the state of that key, but for health and the Round, which stay. Those who had
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
