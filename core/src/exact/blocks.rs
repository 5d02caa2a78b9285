//! The blocks of a Round, and the blocks that hits make of them.
//!
//! Hits commute, so a block is identified by the block from which it came as the Round began and by the hits since
//! then. Each block is computed once, however many situations need it.

use super::cells::{AxisChange, AxisStep, COUNTED, CellBlock, Room, Shape, along};
use super::graph::Labels;
use super::push::Count;
use super::strikes::{Amount, Deed, Strike, Strikes};
use crate::chance::enumerate::{Blow, BlowEffect};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock, Weak};

/// A block of a Round.
#[derive(Debug)]
pub(super) struct SharedBlock {
    pub number: u32,
    /// The block from which it came, and the hits since then, in order.
    root: u32,
    hits: Vec<u32>,
    pub shape: Arc<Shape>,
    pub block: CellBlock,
    mass: OnceLock<f64>,
}

impl SharedBlock {
    /// Returns the sum of its cells.
    pub(super) fn mass(&self) -> f64 {
        *self.mass.get_or_init(|| self.block.sum(&self.shape))
    }
}

/// The result of blows to a block, besides the block that they make of it.
#[derive(Debug, Clone)]
pub(super) struct StruckBlock {
    /// The factor of that block, and the roundings on the way to this number.
    pub factor: f64,
    pub roundings: u64,
    /// The expected amounts beyond those in the gains.
    pub beyond: Option<Arc<[(Amount, f64)]>>,
}

/// The way in which a block is added to other cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// Its factor, and the roundings on the way to this number.
    pub chance: f64,
    pub roundings: u64,
    /// An addition to the count.
    pub gain: usize,
}

impl Way {
    const SURE: Self = Self {
        chance: 1.0,
        roundings: 0,
        gain: 0,
    };
}

/// The shapes of a fight.
pub(super) struct Shapes {
    healths: Vec<i32>,
    /// Whether something is counted.
    counts: bool,
    known: FxHashMap<u64, Arc<Shape>>,
}

impl Shapes {
    pub(super) fn of(&mut self, fallen: u64) -> Arc<Shape> {
        let shape = || {
            let shape = Shape::new(&self.healths, fallen);
            Arc::new(if self.counts { shape.counted() } else { shape })
        };
        self.known.entry(fallen).or_insert_with(shape).clone()
    }
}

/// One hit that a target stands, or all hits together that fell it: the target, the effect, and the attacker and damage
/// of each hit.
type Hit = (u8, BlowEffect, Vec<(u8, u32)>);

/// The block that a path leads to, which is not kept alive.
type KnownBlock = (Weak<SharedBlock>, StruckBlock);

/// The blocks of a Round.
pub(super) struct Blocks<'a> {
    pub shapes: Shapes,
    count: Option<Count<'a>>,
    /// The strikes of each path, and the numbers of its hits.
    strikes: Vec<Strikes>,
    hits: Vec<Vec<u32>>,
    numbers: FxHashMap<Hit, u32>,
    /// The number of blocks made in this Round.
    made: u32,
    known: FxHashMap<(u32, Vec<u32>), Weak<SharedBlock>>,
    /// The results of paths for blocks, which do not keep the blocks alive; `None` if the path cannot come about.
    struck: FxHashMap<(u32, u32), Option<KnownBlock>>,
    /// The block where no healths are left beside a situation.
    unit: Arc<SharedBlock>,
    /// The memory in use, and the number of products made.
    pub room: Room,
    pub work: u64,
    /// Whether a distribution cannot be counted, because several hits of one path add to one number.
    pub uncounted: bool,
    /// A factor of 1 for every health.
    ones: Vec<f64>,
}

impl<'a> Blocks<'a> {
    /// Creates the blocks of a fight in which these healths are kept beside the situations.
    pub(super) fn new(healths: &[i32], count: Option<Count<'a>>) -> Self {
        let most = healths.iter().copied().max().unwrap_or(0);
        let unit = SharedBlock {
            number: u32::MAX,
            root: u32::MAX,
            hits: Vec::new(),
            block: CellBlock {
                cells: vec![1.0],
                ..CellBlock::default()
            },
            shape: Arc::new(Shape::new(&[], 0)),
            mass: OnceLock::new(),
        };
        Self {
            shapes: Shapes {
                healths: healths.to_vec(),
                counts: count.is_some(),
                known: FxHashMap::default(),
            },
            count,
            strikes: Vec::new(),
            hits: Vec::new(),
            numbers: FxHashMap::default(),
            made: 0,
            known: FxHashMap::default(),
            struck: FxHashMap::default(),
            unit: Arc::new(unit),
            room: Room::default(),
            work: 0,
            uncounted: false,
            ones: vec![1.0; most as usize],
        }
    }

    /// Computes the strikes of the paths found so far, as far as there is room for them and `goes_on` returns true for
    /// the number of products made. Returns this number.
    pub(super) fn know(&mut self, labels: &Labels, goes_on: impl Fn(u64) -> bool) -> u64 {
        let mut products = 0;
        for blows in labels.blows.iter().skip(self.strikes.len()) {
            if self.room.is_exceeded() {
                break;
            }
            let strikes = Strikes::new(blows, &labels.spreads, &labels.healths);
            self.room.strikes += strikes.bytes();
            self.strikes.push(strikes);
            let mut hits: Vec<Hit> = Vec::new();
            for blow in blows.iter().filter(|blow| blow.effect.counts_health()) {
                let damage = (blow.by, blow.spread);
                let same = |hit: &&mut Hit| {
                    blow.effect == BlowEffect::Fells && (hit.0, hit.1) == (blow.who, blow.effect)
                };
                match hits.iter_mut().find(same) {
                    Some(hit) => hit.2.push(damage),
                    None => hits.push((blow.who, blow.effect, vec![damage])),
                }
            }
            let numbers = hits.into_iter().map(|mut hit| {
                hit.2.sort_unstable();
                let next = self.numbers.len() as u32;
                *self.numbers.entry(hit).or_insert(next)
            });
            let numbers = numbers.collect();
            self.hits.push(numbers);
            products += Strikes::products(blows, &labels.spreads);
            if !goes_on(products) {
                break;
            }
        }
        products
    }

    /// Returns the block with all combatants at full health.
    pub(super) fn full_health(&mut self) -> Arc<SharedBlock> {
        let shape = self.shapes.of(0);
        let mut block = CellBlock::of(shape.size);
        block.cells[shape.size - 1] = 1.0;
        let whole = shape.axes.iter().map(|axis| match axis.who {
            COUNTED => 0..1,
            _ => axis.most - 1..axis.most,
        });
        block.bounds = whole.collect();
        self.store_root(0, block).0
    }

    /// Drops all blocks at the end of a Round.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.struck.clear();
        (self.made, self.room.shared) = (0, 0);
    }

    /// Drops the blocks that no share refers to any more, and counts the memory of the others.
    pub(super) fn drop_unused(&mut self) {
        self.known.retain(|_, kept| kept.strong_count() > 0);
        let all = self.known.values().filter_map(Weak::upgrade);
        self.room.shared = all.map(|kept| kept.block.bytes()).sum();
    }

    /// Stores a block that came of no other. Returns it with its factor and the roundings on the way to this number.
    pub(super) fn store_root(
        &mut self,
        fallen: u64,
        block: CellBlock,
    ) -> (Arc<SharedBlock>, f64, u64) {
        self.store(fallen, block, self.made, Vec::new())
    }

    fn store(
        &mut self,
        fallen: u64,
        block: CellBlock,
        root: u32,
        hits: Vec<u32>,
    ) -> (Arc<SharedBlock>, f64, u64) {
        let shape = self.shapes.of(fallen);
        if shape.axes.is_empty() {
            return (self.unit.clone(), block.cells[0], block.roundings);
        }
        self.room.shared += block.bytes();
        let kept = Arc::new(SharedBlock {
            number: self.made,
            root,
            hits,
            shape,
            block,
            mass: OnceLock::new(),
        });
        self.made += 1;
        let key = (root, kept.hits.clone());
        self.known.insert(key, Arc::downgrade(&kept));
        (kept, 1.0, 0)
    }

    /// Returns whether these blows change nothing.
    pub(super) fn is_nothing(&self, blows: u32) -> bool {
        let strikes = &self.strikes[blows as usize];
        strikes.strikes.is_empty() && strikes.loose.is_empty()
    }

    /// Returns the block after some blows that leave the combatants in `fallen` fallen; `None` if that cannot come
    /// about.
    pub(super) fn strike(
        &mut self,
        labels: &Labels,
        from: &Arc<SharedBlock>,
        blows: u32,
        fallen: u64,
    ) -> Option<(Arc<SharedBlock>, StruckBlock)> {
        let key = (from.number, blows);
        if let Some(known) = self.struck.get(&key) {
            let (to, struck) = known.as_ref()?;
            if let Some(to) = to.upgrade() {
                return Some((to, struck.clone()));
            }
        }
        let strikes = std::mem::take(&mut self.strikes[blows as usize]);
        let struck = self.work_out(labels, from, blows, fallen, &strikes);
        self.strikes[blows as usize] = strikes;
        let known = struck.as_ref();
        let known = known.map(|(to, struck)| (Arc::downgrade(to), struck.clone()));
        self.struck.insert(key, known);
        struck
    }

    fn work_out(
        &mut self,
        labels: &Labels,
        from: &Arc<SharedBlock>,
        blows: u32,
        fallen: u64,
        strikes: &Strikes,
    ) -> Option<(Arc<SharedBlock>, StruckBlock)> {
        let mut hits = [&from.hits[..], &self.hits[blows as usize][..]].concat();
        hits.sort_unstable();
        let shape = &from.shape;
        let key = (from.root, hits);
        let known = self.known.get(&key).and_then(Weak::upgrade);
        let (to, factor, roundings) = if let Some(kept) = known {
            (kept, 1.0, 0)
        } else if shape.axes.is_empty() {
            (from.clone(), 1.0, 0)
        } else {
            let (mut block, way) = (None, Way::SURE);
            self.hit(labels, from, (blows, fallen), strikes, way, &mut block)?;
            self.store(fallen, block?, key.0, key.1)
        };
        let beyond = match self.count {
            None => amounts_beyond(shape, &from.block, strikes, factor * to.mass()),
            Some(_) => Vec::new(),
        };
        let struck = StruckBlock {
            factor,
            roundings,
            beyond: (!beyond.is_empty()).then(|| beyond.into()),
        };
        Some((to, struck))
    }

    /// Adds the cells of a block after some blows to other cells. Returns the share of the block for which the blows
    /// are true, and the expected amounts beyond those in the gains.
    pub(super) fn add_struck(
        &mut self,
        labels: &Labels,
        from: &SharedBlock,
        (blows, fallen): (u32, u64),
        way: Way,
        into: &mut Option<CellBlock>,
    ) -> (f64, Vec<(Amount, f64)>) {
        let strikes = std::mem::take(&mut self.strikes[blows as usize]);
        let is_hit = self.hit(labels, from, (blows, fallen), &strikes, way, into);
        let (mut mass, mut amounts) = (0.0, Vec::new());
        if is_hit.is_some() && self.count.is_none() {
            mass = from.block.share(&from.shape, &shares(&strikes));
            amounts = amounts_beyond(&from.shape, &from.block, &strikes, mass);
        }
        self.strikes[blows as usize] = strikes;
        (mass, amounts)
    }

    /// Adds the cells of a block after some blows to others. Returns `None` if the blows cannot come about or be
    /// counted.
    fn hit(
        &mut self,
        labels: &Labels,
        from: &SharedBlock,
        (blows, fallen): (u32, u64),
        strikes: &Strikes,
        way: Way,
        into: &mut Option<CellBlock>,
    ) -> Option<()> {
        let (shape, then) = (&from.shape, self.shapes.of(fallen));
        let mut along = along(shape, &then, &from.block.bounds, &strikes.strikes)?;
        self.work += along.iter().map(AxisStep::work).product::<usize>() as u64;
        // Three products, and all numbers that are added to one.
        let sums = along.iter().map(AxisStep::sums).product::<usize>() as u64;
        let axes = along.len();
        let adds = along.iter().enumerate();
        let adds = adds.map(|(axis, along)| along.adds(axis + 1 == axes));
        let mut adds = adds.product::<usize>() as u64;
        let mut roundings = from.block.roundings + 4 + 2 * sums + way.roundings;
        let is_first = into.is_none();
        // The memory of new cells is counted with the block that they become.
        let fresh = self.room.fresh;
        if is_first && !self.room.take(then.size) {
            return None;
        }
        let block = into.get_or_insert_with(|| CellBlock::of(then.size));
        let mut room = std::mem::take(&mut self.room);
        let mut amounts = Some(0);
        if let Some(count) = self.count {
            along[0].does = AxisChange::Gains(way.gain);
            let blows = &labels.blows[blows];
            amounts = match count.lost {
                Some(lost) => {
                    self.count_fall(from, lost, strikes, way, &mut along, (block, &mut room))
                }
                None => self.count_damage(labels, from, blows, way, &mut along, (block, &mut room)),
            };
        } else {
            block.add(&along, way.chance, &from.block, &mut room);
        }
        room.fresh = fresh;
        self.room = room;
        let Some(amounts) = amounts else {
            self.uncounted = true;
            return None;
        };
        roundings += 2 * amounts;
        adds *= amounts.max(1);
        block.roundings = block.roundings.max(roundings);
        if !is_first {
            block.roundings += adds;
        }
        if self.count.is_some() && block.bounds.is_empty() {
            // No amount of damage is possible that is counted.
            *into = None;
        }
        into.is_some().then_some(())
    }

    /// Adds the cells of a block after some blows, each amount of damage by itself. Returns the number of amounts, 0 if
    /// nothing is counted; `None` if the damage of several blows would have to be added up.
    fn count_damage<'b>(
        &'b self,
        labels: &Labels,
        from: &SharedBlock,
        blows: &[Blow],
        way: Way,
        along: &mut [AxisStep<'b>],
        (block, room): (&mut CellBlock, &mut Room),
    ) -> Option<u64> {
        let count = self.count.as_ref()?;
        let mut counted = blows.iter().filter(|blow| count.of(**blow) > 0);
        let Some(blow) = counted.next() else {
            block.add(along, way.chance, &from.block, room);
            return Some(0);
        };
        let of_target =
            |other: &&Blow| other.who == blow.who && other.effect != BlowEffect::Successes;
        let others = blows.iter().filter(of_target).count() - 1;
        let place = from.shape.place(blow.who)?;
        if others > 0 || !blow.effect.counts_health() || counted.next().is_some() {
            return None;
        }
        let spread = &labels.spreads[blow.spread as usize];
        for (more, chance) in spread.chances.iter().enumerate() {
            along[0].does = AxisChange::Gains(way.gain + count.of(*blow) as usize * more);
            let axis = &mut along[place];
            let damage = spread.least as usize + more;
            let bounds = from.block.bounds[place].clone();
            if blow.effect == BlowEffect::Stands {
                axis.does = AxisChange::Loses(damage, &[1.0]);
                axis.from = bounds.start.max(damage);
            } else {
                axis.does = AxisChange::Falls(&self.ones);
                axis.to = bounds.end.min(damage);
            }
            let chance = way.chance * chance.value();
            if axis.from < axis.to && chance > 0.0 {
                block.add(along, chance, &from.block, room);
            }
        }
        Some(spread.chances.len() as u64)
    }

    /// Adds the cells of a block after some blows. When a target falls, all damage to it is counted: the health that it
    /// lost before, and the last hits, overkill included. Returns the greatest number of products that are added to one
    /// cell, 0 if no target falls; `None` if several do.
    fn count_fall<'b>(
        &'b self,
        from: &SharedBlock,
        lost: &[u32],
        strikes: &Strikes,
        way: Way,
        along: &mut [AxisStep<'b>],
        (block, room): (&mut CellBlock, &mut Room),
    ) -> Option<u64> {
        let all = &strikes.strikes;
        let falls = |strike: &&Strike| {
            matches!(strike.deed, Deed::Falls { .. }) && lost[usize::from(strike.who)] > 0
        };
        let mut falls = all.iter().filter(falls);
        let Some(strike) = falls.next() else {
            block.add(along, way.chance, &from.block, room);
            return Some(0);
        };
        let place = from.shape.place(strike.who)?;
        if falls.next().is_some() {
            return None;
        }
        let (bounds, most) = (&from.block.bounds[place], from.shape.axes[place].most);
        along[place].does = AxisChange::Falls(&self.ones);
        for at in bounds.clone() {
            (along[place].from, along[place].to) = (at, at + 1);
            let health = at + 1;
            for (damage, chance) in strike.felling(health) {
                let all = most - health + damage;
                let more = lost[usize::from(strike.who)] as usize * all;
                along[0].does = AxisChange::Gains(way.gain + more);
                block.add(along, way.chance * chance, &from.block, room);
            }
        }
        Some((bounds.len() * strike.most_products()) as u64)
    }
}

/// Returns for each strike the combatant, and the share of each health for which the strike is true.
fn shares(strikes: &Strikes) -> Vec<(u8, &[f64])> {
    let strikes = strikes.strikes.iter();
    strikes
        .map(|strike| (strike.who, &strike.shares[..]))
        .collect()
}

/// Returns the expected amounts of blows to a block beyond those in the gains: damage beyond the least of each hit, and
/// successes. `mass` is the probability of the blows.
fn amounts_beyond(
    shape: &Shape,
    block: &CellBlock,
    strikes: &Strikes,
    mass: f64,
) -> Vec<(Amount, f64)> {
    let loose = strikes.loose.iter();
    let mut all: Vec<(Amount, f64)> = loose.map(|(amount, mean)| (*amount, mean * mass)).collect();
    let shares = shares(strikes);
    for (place, strike) in strikes.strikes.iter().enumerate() {
        for (by, beyond) in &strike.beyond {
            let mut shares = shares.clone();
            shares[place].1 = beyond;
            let amount = Amount::Damage {
                by: *by,
                who: strike.who,
            };
            all.push((amount, block.share(shape, &shares)));
        }
    }
    all
}
