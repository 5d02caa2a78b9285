//! The probabilities of all combinations of healths, and the effects of blows on them.

use super::strikes::{Deed, Strike};
use std::ops::Range;

/// The memory that pushing a fight takes, and the memory that it may take.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// The bytes of shared blocks, of the cells of situations, and of strikes.
    pub shared: u64,
    pub own: u64,
    pub strikes: u64,
    /// The bytes of cells added since `own` was counted. They do not decide when cells are added up.
    pub fresh: u64,
    pub most: u64,
    /// Whether more memory was wanted than is allowed; then cells are missing.
    is_exceeded: bool,
}

impl Room {
    /// Returns the bytes of cells that decide when cells are added up.
    pub(super) fn cells(&self) -> u64 {
        self.shared + self.own
    }

    /// Returns all bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        self.cells() + self.strikes + self.fresh
    }

    /// Reserves memory for more numbers. Returns whether there was enough.
    pub(super) fn take(&mut self, numbers: usize) -> bool {
        let more = (numbers as u64).saturating_mul(size_of::<f64>() as u64);
        self.is_exceeded |= self.bytes().saturating_add(more) > self.most;
        self.fresh += if self.is_exceeded { 0 } else { more };
        !self.is_exceeded
    }

    /// Accounts for cells of a situation that have become a shared block.
    pub(super) fn share(&mut self, bytes: u64) {
        let counted = bytes.min(self.own);
        self.own -= counted;
        self.fresh = self.fresh.saturating_sub(bytes - counted);
    }

    /// Returns whether more memory was wanted than is allowed.
    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded || self.bytes() > self.most
    }
}

/// The probabilities of all combinations of the healths that are not part of a situation, in the order of a [`Shape`].
#[derive(Debug, Clone, Default)]
pub(super) struct CellBlock {
    pub(super) cells: Vec<f64>,
    /// Along each axis, the range of indices in use. Cells outside of it count as 0.
    pub(super) bounds: Vec<Range<usize>>,
    /// The most roundings on the way to one of these numbers.
    pub(super) roundings: u64,
}

impl CellBlock {
    /// Creates a block with this number of cells.
    pub(super) fn of(size: usize) -> Self {
        Self {
            cells: vec![0.0; size],
            ..Self::default()
        }
    }

    /// Adds the cells of another block, multiplied by `chance`, if there is room for them.
    pub(super) fn add(
        &mut self,
        along: &[AxisStep<'_>],
        chance: f64,
        other: &Self,
        room: &mut Room,
    ) {
        // The axis of the count has no end.
        if let Some(first) = along.first()
            && let AxisChange::Gains(_) | AxisChange::Nothing = first.does
            && let Some(reached) = first.reached()
        {
            let (size, wanted) = (self.cells.len(), reached.end.saturating_mul(first.into));
            if size < wanted {
                if !room.take(wanted - size) {
                    return;
                }
                self.cells.resize(wanted, 0.0);
            }
        }
        widen(&mut self.bounds, along.iter().filter_map(AxisStep::reached));
        transfer(along, chance, &other.cells, &mut self.cells);
    }

    /// Returns the memory that the block takes.
    pub(super) fn bytes(&self) -> u64 {
        (size_of::<Self>() + size_of_val(&self.cells[..])) as u64
    }

    /// Returns the sum of all cells.
    pub(super) fn sum(&self, shape: &Shape) -> f64 {
        self.share(shape, &[])
    }

    /// Returns the sum of the cells, with the cells at each health of some combatants multiplied by a factor.
    pub(super) fn share(&self, shape: &Shape, shares: &[(u8, &[f64])]) -> f64 {
        contract(&shape.axes, &self.bounds, &self.cells, shares)
    }

    /// Returns the roundings on the way to such a sum.
    pub(super) fn sum_roundings(&self) -> u64 {
        let lengths: usize = self.bounds.iter().map(Range::len).sum();
        self.roundings + lengths as u64 + self.bounds.len() as u64 + 1
    }

    /// Cuts off the cells at both ends of each axis that together come to less than `least_cells`, and returns their
    /// sum.
    pub(super) fn cut(&mut self, shape: &Shape, least_cells: f64) -> f64 {
        let mut along: Vec<Vec<f64>> = shape.axes.iter().map(|axis| vec![0.0; axis.most]).collect();
        add_up(&shape.axes, &self.bounds, &self.cells, &mut along);
        let mut cut = 0.0;
        for (sums, bounds) in along.iter_mut().zip(&mut self.bounds) {
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
}

/// Widens ranges to include others.
fn widen(ranges: &mut Vec<Range<usize>>, others: impl Iterator<Item = Range<usize>>) {
    if ranges.is_empty() {
        ranges.extend(others);
        return;
    }
    for (range, other) in ranges.iter_mut().zip(others) {
        *range = range.start.min(other.start)..range.end.max(other.end);
    }
}

/// The order of cells in a block. Where something is counted, a block has one set of cells after the other, for each
/// value of the count.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) axes: Vec<Axis>,
    pub(super) size: usize,
}

/// The `who` of the first axis, if something is counted along it. That axis has no end.
pub(super) const COUNTED: u8 = u8::MAX;

/// The health of one combatant: the cells of 1, 2 and so on up to `most` are `stride` apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub(super) who: u8,
    pub(super) most: usize,
    pub(super) stride: usize,
}

impl Shape {
    /// Creates the shape in which the combatants in `fallen` have fallen, and the others have up to these healths
    /// beside the situation.
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

    /// Adds an axis for a count.
    pub(super) fn counted(mut self) -> Self {
        let axis = Axis {
            who: COUNTED,
            most: usize::MAX,
            stride: self.size,
        };
        self.axes.insert(0, axis);
        self
    }

    /// Returns the index of a combatant's axis.
    pub(super) fn place(&self, who: u8) -> Option<usize> {
        self.axes.iter().position(|axis| axis.who == who)
    }
}

/// The change that an edge makes along one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct AxisStep<'a> {
    /// The range of cells that it changes, by index.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) stride: usize,
    /// The stride in the target.
    pub(super) into: usize,
    pub(super) does: AxisChange<'a>,
}

/// The change that an edge makes to one combatant.
#[derive(Debug, Clone, Copy)]
pub(super) enum AxisChange<'a> {
    Nothing,
    /// The count rises by this amount.
    Gains(usize),
    /// It loses this much health or more, with these probabilities.
    Loses(usize, &'a [f64]),
    /// It falls, with these probabilities at health 1 and above.
    Falls(&'a [f64]),
}

impl AxisStep<'_> {
    /// Returns the addition to the count.
    fn gain(&self) -> usize {
        match self.does {
            AxisChange::Gains(gain) => gain,
            _ => 0,
        }
    }

    /// Returns the range of cells that are reached; `None` if the combatant falls.
    pub(super) fn reached(&self) -> Option<Range<usize>> {
        match self.does {
            AxisChange::Nothing | AxisChange::Gains(_) => {
                Some(self.from + self.gain()..self.to + self.gain())
            }
            AxisChange::Loses(least, chances) => {
                Some(self.from.saturating_sub(least + chances.len() - 1)..self.to - least)
            }
            AxisChange::Falls(_) => None,
        }
    }

    /// Returns the most numbers that are added to one cell.
    pub(super) fn sums(&self) -> usize {
        match self.does {
            AxisChange::Nothing | AxisChange::Gains(_) => 1,
            AxisChange::Loses(_, chances) => chances.len(),
            AxisChange::Falls(_) => self.to - self.from,
        }
    }

    /// Returns the most numbers that are added to a cell that is already there. Along the last axis, the cells that
    /// fall are added up before.
    pub(super) fn adds(&self, is_last: bool) -> usize {
        match self.does {
            AxisChange::Falls(_) if is_last => 1,
            _ => self.sums(),
        }
    }

    /// Returns the number of products made.
    pub(super) fn work(&self) -> usize {
        let cells = self.to - self.from;
        match self.does {
            AxisChange::Loses(_, chances) => cells * chances.len(),
            _ => cells,
        }
    }
}

/// Returns the changes that an edge makes along each axis; `None` if the edge cannot come about.
pub(super) fn along<'s>(
    shape: &Shape,
    then: &Shape,
    bounds: &[Range<usize>],
    strikes: &'s [Strike],
) -> Option<Vec<AxisStep<'s>>> {
    let axes = shape.axes.iter().zip(bounds).map(|(axis, bounds)| {
        let strike = strikes.iter().find(|strike| strike.who == axis.who);
        let (does, from) = match strike.map(|strike| (&strike.deed, &strike.shares)) {
            None => (AxisChange::Nothing, 0),
            Some((Deed::Stands { least, chances }, _)) => {
                (AxisChange::Loses(*least, chances), *least)
            }
            Some((Deed::Falls { .. }, shares)) => (AxisChange::Falls(shares), 0),
        };
        let into = then
            .place(axis.who)
            .map_or(0, |place| then.axes[place].stride);
        let (from, to, stride) = (bounds.start.max(from), bounds.end, axis.stride);
        (from < to).then_some(AxisStep {
            from,
            to,
            stride,
            into,
            does,
        })
    });
    axes.collect()
}

/// Returns the changes that leave all cells in place and add `more` to the count.
pub(super) fn still(shape: &Shape, bounds: &[Range<usize>], more: usize) -> Vec<AxisStep<'static>> {
    let axes = shape
        .axes
        .iter()
        .zip(bounds)
        .map(|(axis, bounds)| AxisStep {
            from: bounds.start,
            to: bounds.end,
            stride: axis.stride,
            into: axis.stride,
            does: match axis.who {
                COUNTED => AxisChange::Gains(more),
                _ => AxisChange::Nothing,
            },
        });
    axes.collect()
}

/// Adds cells, multiplied by `chance`, to others. Without `zip`, whose constructor is not inlined across codegen units:
/// most of the time of a solution is spent here.
fn transfer(along: &[AxisStep<'_>], chance: f64, cells: &[f64], into: &mut [f64]) {
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
            AxisChange::Nothing | AxisChange::Gains(_) => {
                let there = (at + axis.gain()) * axis.into;
                transfer(inner, chance, part, &mut into[there..there + axis.into]);
            }
            AxisChange::Loses(least, chances) => {
                for (more, share) in chances.iter().enumerate().take(at - least + 1) {
                    let there = (at - least - more) * axis.into;
                    let into = &mut into[there..there + axis.into];
                    transfer(inner, chance * share, part, into);
                }
            }
            AxisChange::Falls(shares) => transfer(inner, chance * shares[at], part, into),
        }
    }
}

/// Does the same for the last axis.
fn transfer_row(axis: &AxisStep<'_>, chance: f64, cells: &[f64], into: &mut [f64]) {
    let (from, to) = (axis.from, axis.to);
    let add = |into: &mut [f64], cells: &[f64], chance: f64| {
        let into = &mut into[..cells.len()];
        for (at, cell) in cells.iter().enumerate() {
            into[at] += chance * cell;
        }
    };
    match axis.does {
        AxisChange::Nothing | AxisChange::Gains(_) => {
            add(&mut into[from + axis.gain()..], &cells[from..to], chance);
        }
        AxisChange::Loses(least, chances) => {
            let most = to.saturating_sub(least);
            for (more, share) in chances.iter().enumerate().take(most) {
                let loss = least + more;
                let from = from.max(loss);
                add(&mut into[from - loss..], &cells[from..to], chance * share);
            }
        }
        AxisChange::Falls(shares) => {
            let shares = shares[from..to].iter().zip(&cells[from..to]);
            into[0] += chance * shares.map(|(share, cell)| share * cell).sum::<f64>();
        }
    }
}

/// Adds up cells, also into the sums along each axis. Returns the sum of all.
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

/// Returns the sum of cells, with the cells at each health of some combatants multiplied by a factor.
fn contract(axes: &[Axis], bounds: &[Range<usize>], cells: &[f64], shares: &[(u8, &[f64])]) -> f64 {
    let Some((axis, inner)) = axes.split_first() else {
        return cells[0];
    };
    let own = shares.iter().find(|(who, _)| *who == axis.who);
    let range = bounds[0].clone();
    if inner.is_empty() {
        let cells = &cells[range.clone()];
        return match own {
            None => cells.iter().sum(),
            Some((_, shares)) => {
                let shares = shares[range].iter().zip(cells);
                shares.map(|(share, cell)| share * cell).sum()
            }
        };
    }
    let parts = range.map(|at| {
        let part = &cells[at * axis.stride..(at + 1) * axis.stride];
        let sum = contract(inner, &bounds[1..], part, shares);
        own.map_or(sum, |(_, shares)| shares[at] * sum)
    });
    parts.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_becomes_no_wider_than_there_is_room_for() {
        let shape = Shape::new(&[10], 0).counted();
        let mut from = CellBlock::of(shape.size);
        from.bounds = vec![0..1, 0..10];
        let wide = |more: usize, most: u64| {
            let (mut into, mut room) = (CellBlock::of(shape.size), Room::default());
            room.most = most;
            into.add(&still(&shape, &from.bounds, more), 1.0, &from, &mut room);
            (into.cells.len(), room.is_exceeded())
        };
        assert_eq!(wide(9, 720), (100, false));
        assert_eq!(wide(9, 719), (10, true));
        assert_eq!(wide(1_000_000_000_000, 2 << 30), (10, true));
    }
}
