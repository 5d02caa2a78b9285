//! Encounters from memory.
//!
//! Between two forks (a roll of the dice, a wound that may fell) an encounter has no choice. So
//! what follows each branch of each fork is worked out once, by playing, and looked up from then
//! on. [`Memo`] is such a map, drawn while it is used:
//!
//! - A **stretch** begins in a state of the clock and ends with the first instant (or beginning of
//!   a Round) before which it has come to a fork; on clocks that [go on](Steps::GO_ON), to one that
//!   is more than the beginning of a Round or a blow after which its victim stands. The state is
//!   known by its key: all that decides how the encounter goes on, but for the number of the Round
//!   and, on clocks that want it so, health, which are kept apart, so that states come again.
//! - From a state leads a tree of forks. Each leaf has a receipt, what the stretch adds to the
//!   record, and leads to the state in which the stretch ended.
//! - To play is to draw the answer to each fork from the same streams that the clock would draw it
//!   from, and to follow the branch. Where nobody has been, the way to the beginning of the stretch
//!   is gone once more, for nothing but a seed is needed for that; from there the clock itself plays
//!   on, and what it came by is added.
//!
//! It is a cache and nothing else: no result depends on it, nor on how much it may hold. Where
//! fights are too manifold to come by the same states again it finds that out and gives up.

#![expect(
    clippy::inline_always,
    reason = "following the map is one loop; the compiler alone cuts it up"
)]

mod blow;
mod draw;
mod key;
mod learn;
mod lives;
mod receipt;
mod shelf;

use self::draw::{Draw, End};
use self::key::Writer;
use self::lives::Lives;
use self::receipt::{Receipts, Sums};
use self::shelf::Shelf;
use crate::chance::Streams;
use crate::sim::fork::Fork;
use crate::sim::steps::Steps;
use crate::sim::{Counts, Record};
use std::collections::HashMap;

/// Most bytes that a memo holds, about.
pub(super) const BUDGET: usize = 16 << 20;

/// A stretch from memory saves so much of the time that one takes to learn: one part in this.
const WORTH: i64 = 2;

/// How far a memo may fall behind before it gives up, in stretches learnt.
const PATIENCE: i64 = 60_000;

/// What the clock plays with.
#[derive(Debug)]
pub struct Board<'a, S: Steps> {
    /// Where it plays.
    pub state: &'a mut S::State,
    /// Where it keeps what it will come back to.
    pub spare: &'a mut S::State,
}

/// Where a branch leads, in few bytes: a memo is as fast as its edges are near.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    /// The index of the draw there, and above it the number of the receipt for the stretch that
    /// ends here.
    draw_and_receipt: u32,
    /// Where the edges of that draw begin. Where it is [`UNBEGUN`], the number of the state.
    base: u32,
}

/// Bits of an edge that say which draw.
const DRAW_BITS: u32 = 12;

/// Index of [`Draw::Unseen`].
const UNSEEN: u32 = 0;

/// Index of [`Draw::Unbegun`].
const UNBEGUN: u32 = 1;

impl Edge {
    const UNSEEN: Self = Self::new(UNSEEN, 0);

    const fn new(draw: u32, base: u32) -> Self {
        Self {
            draw_and_receipt: draw,
            base,
        }
    }

    /// The same at the end of a stretch.
    fn with(self, receipt: u32) -> Self {
        Self {
            draw_and_receipt: self.draw() | receipt << DRAW_BITS,
            ..self
        }
    }

    #[inline]
    fn draw(self) -> u32 {
        self.draw_and_receipt & ((1 << DRAW_BITS) - 1)
    }

    /// 0 where no stretch ends.
    #[inline]
    fn receipt(self) -> u32 {
        self.draw_and_receipt >> DRAW_BITS
    }
}

/// What has been found out about the encounters of one fight.
#[derive(Debug, Clone)]
pub struct Memo {
    map: Map,
    runs: Vec<Run>,
    /// The keys of all states, and by their numbers the edges that lead on from them.
    keys: Shelf,
    roots: Vec<Edge>,
    /// Room for a key, for counts that a step too far may spoil, for what a stretch adds, for what it
    /// comes to.
    key: Writer,
    counts: Vec<Counts>,
    added: Sums,
    path: Vec<(Fork, u32)>,
    forks: HashMap<Box<[Fork]>, u32>,
    endings: HashMap<End, u32>,
    budget: usize,
    /// What it has been worth so far.
    credit: i64,
    /// Whether it goes on.
    useful: bool,
}

/// What is asked while the map is followed.
#[derive(Debug, Clone)]
struct Map {
    draws: Vec<Draw>,
    edges: Vec<Edge>,
    receipts: Receipts,
}

/// Encounters that go on side by side, so that their edges come from memory together.
const RUNS: usize = 16;

/// One encounter under way.
#[derive(Debug, Clone)]
struct Run {
    encounter: u64,
    /// The edge by which it came where it is.
    edge: Edge,
    /// Where the last draw led, among the edges.
    slot: usize,
    luck: Streams,
    lives: Lives,
    /// The receipts taken since `since`.
    taken: Vec<u32>,
    /// What had been added up before.
    sums: Sums,
    /// Whether the clock has played a part of it, and where it last went on after that.
    has_left: bool,
    since: Since,
}

/// A place from which the way can be gone once more.
#[derive(Debug, Clone)]
struct Since {
    luck: Streams,
    lives: Lives,
    edge: Edge,
}

impl Memo {
    /// A memo that knows nothing yet, of that fight alone, and will hold about so many bytes; `None`
    /// if the fight cannot be remembered. It plays with luck like that.
    #[must_use]
    pub fn new<S: Steps>(clock: &S, luck: &Streams, budget: usize) -> Option<Self> {
        if !clock.tells_all_forks() {
            return None;
        }
        let sums = Sums::new::<S>(clock.fight().combatants.len());
        Some(Self {
            map: Map {
                draws: vec![Draw::Unseen, Draw::Unbegun],
                edges: Vec::new(),
                receipts: Receipts::new(&sums),
            },
            runs: vec![
                Run {
                    encounter: 0,
                    edge: Edge::UNSEEN,
                    slot: usize::MAX,
                    luck: luck.clone(),
                    lives: Lives::new(clock.fight()),
                    taken: Vec::with_capacity(1024),
                    sums: sums.clone(),
                    since: Since {
                        luck: luck.clone(),
                        lives: Lives::new(clock.fight()),
                        edge: Edge::UNSEEN,
                    },
                    has_left: false,
                };
                RUNS
            ],
            keys: Shelf::default(),
            roots: Vec::new(),
            key: Writer::default(),
            counts: Vec::new(),
            added: sums,
            path: Vec::new(),
            forks: HashMap::new(),
            endings: HashMap::new(),
            budget,
            credit: PATIENCE * WORTH,
            useful: true,
        })
    }

    /// Whether it is worth asking.
    #[inline]
    #[must_use]
    pub fn is_useful(&self) -> bool {
        self.useful
    }

    /// Plays the encounters of those numbers, not quite in that order, and shows what each leaves
    /// behind.
    #[inline]
    pub fn play<S: Steps>(
        &mut self,
        clock: &S,
        mut board: Board<'_, S>,
        mut encounters: impl Iterator<Item = u64>,
        record: &mut Record,
        mut each: impl FnMut(u64, &Record),
    ) {
        let combatants = clock.fight().combatants.len();
        record.begin(combatants);
        // The first so many are under way.
        let mut under_way = 0;
        while under_way < RUNS
            && let Some(encounter) = encounters.next()
        {
            let start = self.start(clock, board.state);
            self.runs[under_way].begin::<S>(encounter, start);
            under_way += 1;
        }
        while under_way > 0 {
            let mut stopped = 0_u32;
            for (index, run) in self.runs[..under_way].iter_mut().enumerate() {
                stopped |= u32::from(!self.map.step(run)) << index;
            }
            // The last first: whoever has nothing more to play makes way for the last of all.
            while let Some(index) = stopped.checked_ilog2() {
                stopped ^= 1 << index;
                let index = index as usize;
                loop {
                    if self.arrive(clock, &mut board, record, index) {
                        each(self.runs[index].encounter, record);
                        let Some(encounter) = encounters.next() else {
                            under_way -= 1;
                            self.runs.swap(index, under_way);
                            break;
                        };
                        self.runs[index].begin::<S>(encounter, self.roots[0]);
                    }
                    if self.map.step_apart(&mut self.runs[index]) {
                        break;
                    }
                }
            }
            // All edges at once, with nothing between that could wait for one of them: they may be
            // far off, and so they come together.
            for run in &mut self.runs[..under_way] {
                self.map.go(run);
            }
        }
    }

    /// Where the encounter or the map ends: writes down how it ended, or finds out where it goes on.
    /// Whether it has ended.
    #[inline]
    fn arrive<S: Steps>(
        &mut self,
        clock: &S,
        board: &mut Board<'_, S>,
        record: &mut Record,
        index: usize,
    ) -> bool {
        let run = &mut self.runs[index];
        if let Draw::End(end) = &self.map.draws[run.edge.draw() as usize] {
            self.map.receipts.cash(&run.taken, &mut run.sums);
            let stretches = run.taken.len() as i64;
            self.credit = (self.credit + stretches).min(2 * PATIENCE * WORTH);
            run.finish::<S>(end, record);
            return true;
        }
        let found = self.find_out(clock, board, record, index);
        let run = &mut self.runs[index];
        match &found {
            Ok(edge) => run.edge = *edge,
            Err(end) => run.finish::<S>(end, record),
        }
        found.is_err()
    }
}

impl Run {
    /// Goes to the beginning of an encounter.
    #[inline]
    fn begin<S: Steps>(&mut self, encounter: u64, start: Edge) {
        self.encounter = encounter;
        self.edge = start;
        self.luck.begin(encounter);
        self.lives.round = 0;
        if S::HEALTH_APART {
            self.lives.renew();
        }
        self.taken.clear();
        self.sums.0.fill(0);
        self.has_left = false;
    }

    /// Says how it has ended.
    #[inline]
    fn finish<S: Steps>(&self, end: &End, record: &mut Record) {
        self.sums.write::<S>(record, end.attacked);
        record.ending = end.ending;
        record.rounds = self.lives.round;
        record.distance = end.distance;
        if S::HEALTH_APART {
            self.lives.write(&mut record.combatants);
        } else {
            for (counts, health) in record.combatants.iter_mut().zip(&end.health) {
                counts.health = *health;
            }
        }
        for counts in &mut record.combatants {
            if counts.health > 0 {
                counts.fell_round = 0;
            }
        }
    }
}

impl Map {
    /// Goes where the last draw led.
    #[inline]
    fn go(&self, run: &mut Run) {
        run.edge = self.edges[run.slot];
    }

    /// Takes the next draw; whether there is one, and it has not come to where the map or the encounter
    /// ends.
    #[inline(always)]
    fn step(&self, run: &mut Run) -> bool {
        let edge = run.edge;
        if edge.receipt() != 0 {
            run.taken.push(edge.receipt());
        }
        let draw = &self.draws[edge.draw() as usize];
        let Some(branch) = draw.take(&mut run.luck, &mut run.lives) else {
            return false;
        };
        run.slot = edge.base as usize + branch as usize;
        true
    }

    /// The same where it is not what most of the time is spent with.
    #[inline(never)]
    fn step_apart(&self, run: &mut Run) -> bool {
        self.step(run)
    }

    /// Takes the next draw and goes where it leads.
    fn follow(&self, run: &mut Run) {
        self.step_apart(run);
        self.go(run);
    }
}
