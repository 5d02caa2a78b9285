//! Chances of all combinations of healths, and what blows do to them.

use super::strikes::{Deed, Strike};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The chances of all combinations of the healths that are not part of a situation.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// None if there are none.
    pub(super) block: Option<Arc<Block>>,
    /// By how much all are multiplied. Situations that come of one another without a blow share a block.
    pub(super) scale: f64,
    /// Along each axis the cells that are not 0 for certain, by index.
    pub(super) bounds: Vec<Range<usize>>,
    /// The most roundings on the way to one of these numbers.
    pub(super) roundings: u64,
}

/// Numbers in the order of a [`Shape`].
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) cells: Vec<f64>,
    /// Along each axis the cells that may not be 0.
    pub(super) used: Vec<Range<usize>>,
}

impl Block {
    /// Adds a share of the cells of another.
    pub(super) fn add(&mut self, along: &[Along<'_>], chance: f64, other: &Self) {
        widen(&mut self.used, along.iter().filter_map(Along::reached));
        // What is counted has no end.
        if let (Some(first), Some(used)) = (along.first(), self.used.first())
            && matches!(first.does, Does::Gains(_) | Does::Nothing)
            && self.cells.len() < used.end * first.into
        {
            self.cells.resize(used.end * first.into, 0.0);
        }
        transfer(along, chance, &other.cells, &mut self.cells);
    }
}

/// Sets cells to 0.
fn clear(axes: &[Axis], used: &[Range<usize>], cells: &mut [f64]) {
    match axes {
        [] => cells.fill(0.0),
        [_] => cells[used[0].clone()].fill(0.0),
        [axis, inner @ ..] => {
            for at in used[0].clone() {
                clear(
                    inner,
                    &used[1..],
                    &mut cells[at * axis.stride..(at + 1) * axis.stride],
                );
            }
        }
    }
}

/// Makes ranges wide enough for others.
pub(super) fn widen(ranges: &mut Vec<Range<usize>>, others: impl Iterator<Item = Range<usize>>) {
    if ranges.is_empty() {
        ranges.extend(others);
        return;
    }
    for (range, other) in ranges.iter_mut().zip(others) {
        *range = range.start.min(other.start)..range.end.max(other.end);
    }
}

/// The order of cells in a block. Where something is counted, there is one after the other for each value of it.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) axes: Vec<Axis>,
    pub(super) size: usize,
}

/// The `who` of the axis along which something is counted, the first. It has no end.
pub(super) const COUNTED: u8 = u8::MAX;

/// The health of one combatant: the cells of 1, 2 and so on up to `most` are `stride` apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub(super) who: u8,
    pub(super) most: usize,
    pub(super) stride: usize,
}

impl Shape {
    /// The shape where these have fallen, and the others have up to these healths beside the situation.
    pub(super) fn new(healths: &[i32], fallen: u64) -> Self {
        let (mut axes, mut size) = (Vec::new(), 1);
        for (who, &most) in healths.iter().enumerate().rev() {
            if most > 0 && fallen >> who & 1 == 0 {
                let (who, most, stride) = (who as u8, most as usize, size);
                axes.push(Axis { who, most, stride });
                size *= most;
            }
        }
        axes.reverse();
        Self { axes, size }
    }

    /// The same, where something is counted beside.
    pub(super) fn counted(mut self) -> Self {
        let axis = Axis {
            who: COUNTED,
            most: usize::MAX,
            stride: self.size,
        };
        self.axes.insert(0, axis);
        self
    }

    /// The place of a combatant among the axes.
    pub(super) fn place(&self, who: u8) -> Option<usize> {
        self.axes.iter().position(|axis| axis.who == who)
    }
}

/// The change of an edge along one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Along<'a> {
    /// The cells that it is about, by index.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) stride: usize,
    /// The stride where they lead to.
    pub(super) into: usize,
    pub(super) does: Does<'a>,
}

/// The change of an edge to one combatant.
#[derive(Debug, Clone, Copy)]
pub(super) enum Does<'a> {
    Nothing,
    /// So much more is counted.
    Gains(usize),
    /// It loses so much health or more, with these probabilities.
    Loses(usize, &'a [f64]),
    /// It falls, with this probability at health 1 and so on.
    Falls(&'a [f64]),
}

impl Along<'_> {
    /// How much more is counted.
    fn gain(&self) -> usize {
        match self.does {
            Does::Gains(gain) => gain,
            _ => 0,
        }
    }

    /// The cells that are led to.
    pub(super) fn reached(&self) -> Option<Range<usize>> {
        match self.does {
            Does::Nothing | Does::Gains(_) => Some(self.from + self.gain()..self.to + self.gain()),
            Does::Loses(least, chances) => {
                Some(self.from.saturating_sub(least + chances.len() - 1)..self.to - least)
            }
            Does::Falls(_) => None,
        }
    }

    /// The most numbers that are added to one.
    pub(super) fn sums(&self) -> usize {
        match self.does {
            Does::Nothing | Does::Gains(_) => 1,
            Does::Loses(_, chances) => chances.len(),
            Does::Falls(_) => self.to - self.from,
        }
    }

    /// The products that are made.
    pub(super) fn work(&self) -> usize {
        let cells = self.to - self.from;
        match self.does {
            Does::Loses(_, chances) => cells * chances.len(),
            _ => cells,
        }
    }
}

/// Blocks that are free, by size: all of their cells are 0.
#[derive(Default)]
pub(super) struct Spare {
    blocks: FxHashMap<usize, Vec<Block>>,
    /// What all blocks take that have been made.
    pub(super) bytes: u64,
}

/// What so many cells take.
fn bytes(size: usize) -> u64 {
    (size * size_of::<f64>()) as u64
}

impl Spare {
    pub(super) fn block(&mut self, size: usize) -> Block {
        let spare = self.blocks.get_mut(&size).and_then(Vec::pop);
        spare.unwrap_or_else(|| {
            self.bytes += bytes(size);
            Block {
                cells: vec![0.0; size],
                used: Vec::new(),
            }
        })
    }

    /// Frees a block, if nothing else uses it.
    pub(super) fn give_up(&mut self, block: Arc<Block>) {
        if let Some(block) = Arc::into_inner(block) {
            self.bytes = self.bytes.saturating_sub(bytes(block.cells.len()));
        }
    }

    /// Takes back a block, if nothing else uses it.
    pub(super) fn take(&mut self, block: Arc<Block>, shape: &Shape) {
        if let Ok(mut block) = Arc::try_unwrap(block) {
            clear(&shape.axes, &block.used, &mut block.cells);
            block.used.clear();
            self.blocks.entry(shape.size).or_default().push(block);
        }
    }
}

/// Sums of the cells of a situation.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) all: f64,
    /// For each axis the sum at each health.
    pub(super) along: Vec<Vec<f64>>,
    /// The roundings on the way to one of these numbers.
    pub(super) roundings: u64,
}

impl Cells {
    /// The sum of all.
    pub(super) fn sum(&self) -> f64 {
        let block = self.block.iter();
        block
            .map(|block| self.scale * block.cells.iter().sum::<f64>())
            .sum()
    }

    /// Copies a block that others share, so that something can be added.
    pub(super) fn own(&mut self, shape: &Shape, spare: &mut Spare) {
        let scale = std::mem::replace(&mut self.scale, 1.0);
        let Some(block) = &mut self.block else { return };
        let is_whole = scale.to_bits() == 1.0_f64.to_bits();
        if is_whole && Arc::get_mut(block).is_some() {
            return;
        }
        let along = |(axis, bounds): (&Axis, &Range<usize>)| Along {
            from: bounds.start,
            to: bounds.end,
            stride: axis.stride,
            into: axis.stride,
            does: Does::Nothing,
        };
        let along: Vec<Along<'_>> = shape.axes.iter().zip(&self.bounds).map(along).collect();
        let mut copy = spare.block(shape.size);
        copy.add(&along, scale, block);
        if let Some(shared) = self.block.replace(Arc::new(copy)) {
            spare.take(shared, shape);
        }
    }
}

/// What it costs to send cells somewhere, in products.
const SEND_WORK: u64 = 32;

/// Where cells are sent to.
pub(super) struct Into<'a> {
    pub(super) from: Option<&'a Block>,
    pub(super) block: &'a mut Option<Arc<Block>>,
    /// What is known of the cells there.
    pub(super) bounds: &'a mut Vec<Range<usize>>,
    pub(super) size: usize,
    pub(super) work: &'a mut u64,
    pub(super) spare: &'a mut Spare,
}

impl Into<'_> {
    /// Sends a share of all cells.
    pub(super) fn send(&mut self, along: &[Along<'_>], chance: f64) {
        let Some(from) = self.from else { return };
        widen(self.bounds, along.iter().filter_map(Along::reached));
        let spare = || Arc::new(self.spare.block(self.size));
        if let Some(into) = Arc::get_mut(self.block.get_or_insert_with(spare)) {
            into.add(along, chance, from);
        }
        *self.work += SEND_WORK + along.iter().map(Along::work).product::<usize>() as u64;
    }
}

/// Works out what an edge does along each axis. Nothing is returned if it cannot come about.
pub(super) fn along<'s>(
    shape: &Shape,
    then: &Shape,
    bounds: &[Range<usize>],
    strikes: &'s [Strike],
) -> Option<Vec<Along<'s>>> {
    let axes = shape.axes.iter().zip(bounds).map(|(axis, bounds)| {
        let strike = strikes.iter().find(|strike| strike.who == axis.who);
        let (does, from) = match strike.map(|strike| (&strike.deed, &strike.shares)) {
            None => (Does::Nothing, 0),
            Some((Deed::Stands { least, chances }, _)) => (Does::Loses(*least, chances), *least),
            Some((Deed::Falls, shares)) => (Does::Falls(shares), 0),
        };
        let into = then
            .place(axis.who)
            .map_or(0, |place| then.axes[place].stride);
        let (from, to, stride) = (bounds.start.max(from), bounds.end, axis.stride);
        (from < to).then_some(Along {
            from,
            to,
            stride,
            into,
            does,
        })
    });
    axes.collect()
}

/// Adds a share of some cells to others.
fn transfer(along: &[Along<'_>], chance: f64, cells: &[f64], into: &mut [f64]) {
    let Some((axis, inner)) = along.split_first() else {
        into[0] += chance * cells[0];
        return;
    };
    if inner.is_empty() {
        return transfer_row(axis, chance, cells, into);
    }
    for at in axis.from..axis.to {
        let part = &cells[at * axis.stride..(at + 1) * axis.stride];
        match axis.does {
            Does::Nothing | Does::Gains(_) => {
                let there = (at + axis.gain()) * axis.into;
                transfer(inner, chance, part, &mut into[there..there + axis.into]);
            }
            Does::Loses(least, chances) => {
                for (there, share) in (0..=at - least).rev().zip(chances) {
                    let there = there * axis.into;
                    let into = &mut into[there..there + axis.into];
                    transfer(inner, chance * share, part, into);
                }
            }
            Does::Falls(shares) => transfer(inner, chance * shares[at], part, into),
        }
    }
}

/// The same, for the last axis.
fn transfer_row(axis: &Along<'_>, chance: f64, cells: &[f64], into: &mut [f64]) {
    let (from, to) = (axis.from, axis.to);
    let add = |into: &mut [f64], cells: &[f64], chance: f64| {
        for (to, cell) in into.iter_mut().zip(cells) {
            *to += chance * cell;
        }
    };
    match axis.does {
        Does::Nothing | Does::Gains(_) => {
            add(&mut into[from + axis.gain()..], &cells[from..to], chance);
        }
        Does::Loses(least, chances) => {
            for (loss, share) in (least..to).zip(chances) {
                let from = from.max(loss);
                add(&mut into[from - loss..], &cells[from..to], chance * share);
            }
        }
        Does::Falls(shares) => {
            let shares = shares[from..to].iter().zip(&cells[from..to]);
            into[0] += chance * shares.map(|(share, cell)| share * cell).sum::<f64>();
        }
    }
}

impl Sums {
    /// Adds up the cells of a situation. Cuts off what hardly an encounter reaches, and returns how much that is.
    pub(super) fn of(&mut self, cells: &mut Cells, shape: &Shape, least_cells: f64) -> f64 {
        let Cells { block, bounds, .. } = cells;
        let Some(block) = block else {
            return 0.0;
        };
        self.along.resize_with(shape.axes.len(), Vec::new);
        for (sums, axis) in self.along.iter_mut().zip(&shape.axes) {
            sums.clear();
            sums.resize(axis.most, 0.0);
        }
        self.all = cells.scale * add_up(&shape.axes, bounds, &block.cells, &mut self.along);
        for sum in self.along.iter_mut().flatten() {
            *sum *= cells.scale;
        }
        let lengths: usize = bounds.iter().map(Range::len).sum();
        self.roundings = cells.roundings + lengths as u64 + 1;
        if self.all < least_cells {
            for bounds in bounds.iter_mut() {
                bounds.end = bounds.start;
            }
            return if bounds.is_empty() { 0.0 } else { self.all };
        }
        let mut cut = 0.0;
        for (sums, bounds) in self.along.iter_mut().zip(bounds) {
            let mut least = least_cells;
            while let Some(sum) = sums[bounds.clone()].last()
                && *sum < least
            {
                least -= sum;
                bounds.end -= 1;
                cut += std::mem::take(&mut sums[bounds.end]);
            }
            while let Some(sum) = sums[bounds.clone()].first()
                && *sum < least
            {
                least -= sum;
                cut += std::mem::take(&mut sums[bounds.start]);
                bounds.start += 1;
            }
        }
        cut
    }

    /// The sum of the cells, those at each health of some combatants multiplied with a number.
    pub(super) fn share(&self, cells: &Cells, shape: &Shape, shares: &[(u8, &[f64])]) -> f64 {
        match shares {
            [] => self.all,
            [(who, shares)] => shape.place(*who).map_or(0.0, |place| {
                let along = self.along[place].iter().zip(*shares);
                along.map(|(sum, share)| sum * share).sum()
            }),
            _ => {
                let by_axis = |axis: &Axis| {
                    let own = shares.iter().find(|(who, _)| *who == axis.who);
                    own.map(|(_, shares)| *shares)
                };
                let shares: Vec<Option<&[f64]>> = shape.axes.iter().map(by_axis).collect();
                let block = cells.block.iter();
                let all =
                    block.map(|block| contract(&shape.axes, &cells.bounds, &block.cells, &shares));
                cells.scale * all.sum::<f64>()
            }
        }
    }
}

/// Adds up cells, and to the sums along each axis. Returns the sum of all.
fn add_up(axes: &[Axis], bounds: &[Range<usize>], cells: &[f64], along: &mut [Vec<f64>]) -> f64 {
    let Some((axis, inner)) = axes.split_first() else {
        return cells[0];
    };
    let (own, rest) = along.split_at_mut(1);
    if inner.is_empty() {
        let cells = &cells[bounds[0].clone()];
        let sums = own[0][bounds[0].clone()].iter_mut();
        for (sum, cell) in sums.zip(cells) {
            *sum += cell;
        }
        return cells.iter().sum();
    }
    let mut all = 0.0;
    for at in bounds[0].clone() {
        let part = &cells[at * axis.stride..(at + 1) * axis.stride];
        let sum = add_up(inner, &bounds[1..], part, rest);
        own[0][at] += sum;
        all += sum;
    }
    all
}

/// Adds up cells, those at each place of an axis multiplied with a number.
fn contract(
    axes: &[Axis],
    bounds: &[Range<usize>],
    cells: &[f64],
    shares: &[Option<&[f64]>],
) -> f64 {
    let Some((axis, inner)) = axes.split_first() else {
        return cells[0];
    };
    let parts = bounds[0].clone().map(|at| {
        let part = &cells[at * axis.stride..(at + 1) * axis.stride];
        let sum = contract(inner, &bounds[1..], part, &shares[1..]);
        shares[0].map_or(sum, |shares| shares[at] * sum)
    });
    parts.sum()
}
