//! Encounters from memory.
//!
//! Between two forks (a roll of the dice, a wound that may fell) an encounter has no choice. So
//! what follows each branch of each fork is worked out once, by playing, and looked up from then
//! on. [`Memo`] is such a map, drawn while it is used:
//!
//! - A **stretch** begins in a state of the clock and ends with the first instant (or beginning of
//!   a Round) before which it has come to a fork. The state is known by its key: all that
//!   decides how the encounter goes on, but for health and the number of the Round, which are kept
//!   apart, so that states come again.
//! - From a state leads a tree of forks. Each leaf has a receipt, what the stretch adds to the
//!   record, and leads to the state in which the stretch ended.
//! - To play is to draw the answer to each fork from the same streams that the clock would draw it
//!   from, and to follow the branch. Where nobody has been, the clock itself plays the stretch, with
//!   the bits that have been drawn already, and what it came by is added.
//!
//! It is a cache and nothing else: no result depends on it, nor on how much it may hold. Where
//! fights are too manifold to come by the same states again it finds that out and gives up.

mod fork;
mod key;
mod learn;
mod lives;
mod receipt;
mod shelf;

pub use fork::{Blow, Fork, Means};
pub use key::Codec;

use self::fork::{Draw, Hand, roll};
use self::key::Writer;
use self::learn::Noting;
use self::lives::Lives;
use self::receipt::{Receipts, Sums};
use self::shelf::Shelf;
use super::{Counts, Ending, Observer, Record};
use crate::chance::{Chance, Purpose, Streams};
use crate::clock::Clock;
use crate::fight::health::done;
use std::collections::HashMap;

/// Most bytes that a memo holds, about.
pub(super) const BUDGET: usize = 16 << 20;

/// A stretch from memory saves so much of the time that one takes to learn: one part in this.
const WORTH: i64 = 16;

/// How far a memo may fall behind before it gives up, in stretches learnt.
const PATIENCE: i64 = 60_000;

/// A clock whose encounters can be remembered.
pub trait Steps: Clock {
    /// Whether every look at health is a fork. Otherwise nothing is remembered.
    fn tells_all_forks(&self) -> bool;

    /// Goes to the beginning of an encounter.
    fn reset(&self, state: &mut Self::State);

    /// Plays a step: the next instant, or the beginning of a Round. How the encounter has ended,
    /// if it has.
    fn proceed<C: Chance, O: Observer>(
        &self,
        state: &mut Self::State,
        chance: &mut C,
        observer: &mut O,
        record: &mut Record,
    ) -> Option<Ending>;

    /// Names, between two steps, every number that decides how the encounter goes on, or that
    /// `elapsed` asks for; those that are read are put into the state. Health and the Round are set
    /// beforehand.
    fn code(&self, state: &mut Self::State, codec: &mut impl Codec);

    /// The Round under way, from 1; 0 before the first.
    fn round(state: &mut Self::State) -> &mut u32;

    /// Marks since the beginning of the encounter.
    fn elapsed(state: &Self::State) -> u32;

    /// The health of a combatant; 0 is fallen.
    fn health(state: &mut Self::State, who: usize) -> &mut i32;
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
    draws: Vec<Draw>,
    edges: Vec<Edge>,
    receipts: Receipts,
    lives: Lives,
    sums: Sums,
    /// Bits drawn since the stretch began.
    drawn: Vec<u64>,
    /// The keys of all states, and by their numbers the edges that lead on from them.
    keys: Shelf,
    roots: Vec<Edge>,
    /// Room for a key, and for what a step too far may spoil.
    key: Writer,
    health: Vec<i32>,
    counts: Vec<Counts>,
    forks: HashMap<Fork, u32>,
    endings: HashMap<(Ending, u64), u32>,
    budget: usize,
    /// What it has been worth so far.
    credit: i64,
    /// Whether it goes on.
    useful: bool,
}

impl Memo {
    /// A memo that knows nothing yet, of that fight alone, and will hold about so many bytes; `None`
    /// if the fight cannot be remembered.
    #[must_use]
    pub fn new<S: Steps>(clock: &S, budget: usize) -> Option<Self> {
        if !clock.tells_all_forks() {
            return None;
        }
        let sums = Sums::new(clock.fight().combatants.len());
        Some(Self {
            draws: vec![Draw::Unseen, Draw::Unbegun],
            edges: Vec::new(),
            receipts: Receipts::new(&sums),
            lives: Lives::new(clock.fight()),
            sums,
            drawn: Vec::with_capacity(64),
            keys: Shelf::default(),
            roots: Vec::new(),
            key: Writer::default(),
            health: Vec::new(),
            counts: Vec::new(),
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

    /// Plays the encounter for which `luck` has been set.
    #[inline]
    pub fn play<S: Steps>(
        &mut self,
        clock: &S,
        state: &mut S::State,
        luck: &mut Streams,
        record: &mut Record,
    ) {
        self.lives.renew();
        self.drawn.clear();
        self.sums.0.fill(0);
        let combatants = clock.fight().combatants.len();
        record.begin(combatants);
        let mut from = Place::start(self.start(clock, state));
        let (ending, attacked) = loop {
            let at = self.follow(from, luck);
            if let Draw::End { ending, attacked } = self.draws[at.edge.draw() as usize] {
                break (ending, attacked);
            }
            match self.find_out(clock, state, luck, record, at) {
                Ok(edge) => from = Place::start(edge),
                Err(end) => break end,
            }
        };
        let stretches = self.receipts.cash(&mut self.sums);
        self.credit = (self.credit + stretches as i64).min(2 * PATIENCE * WORTH);
        self.sums.write(record, attacked);
        record.ending = ending;
        record.rounds = self.lives.round;
        for (who, counts) in record.combatants.iter_mut().enumerate() {
            counts.health = self.lives.health[who];
            counts.damage = self.lives.damage[who];
            counts.damage_taken = self.lives.damage_taken[who];
            if counts.health > 0 {
                counts.fell_round = 0;
            }
        }
    }

    /// Follows the map as far as it goes: to where nobody has been yet, or to the end.
    #[inline]
    fn follow(&mut self, from: Place, luck: &mut Streams) -> Place {
        let Self {
            draws,
            edges,
            receipts,
            lives,
            drawn,
            ..
        } = self;
        let (draws, edges) = (&draws[..], &edges[..]);
        let mut luck = Noting { luck, drawn };
        let mut at = from;
        loop {
            let branch = match &draws[at.edge.draw() as usize] {
                Draw::Blow {
                    who,
                    target,
                    later,
                    check,
                    at_least,
                    damage,
                    less,
                } => {
                    if check.roll(*who, Purpose::Check, &mut luck) < *at_least {
                        Blow::MISS
                    } else {
                        let rolled = damage.roll(*who, Purpose::Damage, &mut luck);
                        let amount = done(i64::from(rolled) - less);
                        Blow::hit(lives.suffer((*who).into(), (*target).into(), amount, *later))
                    }
                }
                Draw::Initiative { who, explode, most } => {
                    let sum = explode.roll(&mut Hand {
                        luck: &mut luck,
                        who: (*who).into(),
                        purpose: Purpose::Initiative,
                    });
                    sum.min((*most).into()) as u32
                }
                Draw::Limit { max_rounds } => {
                    let last = lives.round >= *max_rounds;
                    lives.round += u32::from(!last);
                    last.into()
                }
                Draw::End { .. } | Draw::Unseen | Draw::Unbegun => return at,
                Draw::AnyBlow(blow) => blow.strike(&mut luck, lives),
                Draw::Settle { target } => lives.settle((*target).into()).into(),
                Draw::Happens {
                    who,
                    purpose,
                    chance,
                } => luck.happens((*who).into(), *purpose, *chance).into(),
                Draw::Heal(heal) => {
                    let who = heal.0.into();
                    lives.heal(who, roll(&heal.1, who, Purpose::Other, &mut luck));
                    0
                }
                Draw::Skill(skill) => {
                    let (who, most, skill) = &**skill;
                    let total = roll(&skill.check, (*who).into(), Purpose::Other, &mut luck);
                    skill.units(total).min(*most)
                }
            };
            at.slot = at.edge.base as usize + branch as usize;
            at.edge = edges[at.slot];
            if at.edge.receipt() != 0 {
                receipts.take(at.edge.receipt());
                lives.keep();
                luck.drawn.clear();
                at.stretch = at.edge;
            }
        }
    }
}

/// Where one is on the map.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// The edge by which one came.
    edge: Edge,
    /// Where that edge stands among the edges, if it does.
    slot: usize,
    /// The edge with which the stretch began.
    stretch: Edge,
}

impl Place {
    /// The beginning of a stretch.
    fn start(edge: Edge) -> Self {
        Self {
            edge,
            slot: usize::MAX,
            stretch: edge,
        }
    }
}
