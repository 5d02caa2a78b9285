//! The healths of a situation: shares of the blocks of a Round, and cells of its own.

use super::blocks::SharedBlock;
use super::cells::{CellBlock, Room, still};
use std::sync::Arc;

/// A share of a block: its cells multiplied by `weight`, with `more` added to the count.
#[derive(Clone)]
pub(super) struct Share {
    pub block: Arc<SharedBlock>,
    pub more: u32,
    pub weight: f64,
}

impl Share {
    /// Returns the probability of all its cells.
    pub(super) fn mass(&self) -> f64 {
        self.weight * self.block.mass()
    }
}

/// The healths of a situation.
#[derive(Default)]
pub(super) struct SituationHealths {
    pub shares: Vec<Share>,
    /// Cells of the situation itself, beside the shares.
    pub cells: Option<CellBlock>,
    /// The most roundings on the way to one of the weights.
    pub roundings: u64,
    /// The number of shares when equal ones were last merged.
    merged: usize,
}

impl SituationHealths {
    /// Creates the healths of a situation from one share.
    pub(super) fn of(block: Arc<SharedBlock>, weight: f64, roundings: u64) -> Self {
        let share = Share {
            block,
            more: 0,
            weight,
        };
        Self {
            shares: vec![share],
            roundings,
            ..Self::default()
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.shares.is_empty() && self.cells.is_none()
    }

    pub(super) fn add(&mut self, share: Share, roundings: u64) {
        self.roundings = self.roundings.max(roundings);
        self.shares.push(share);
        if self.shares.len() > 16 + 2 * self.merged {
            self.merge();
        }
    }

    /// Merges shares of the same cells.
    pub(super) fn merge(&mut self) {
        let before = self.shares.len();
        if before > 1 {
            let key = |share: &Share| (share.block.number, share.more);
            self.shares.sort_by_key(key);
            self.shares.dedup_by(|next, kept| {
                let same = key(next) == key(kept);
                if same {
                    kept.weight += next.weight;
                }
                same
            });
            self.roundings += (before - self.shares.len()) as u64;
        }
        self.merged = self.shares.len();
    }

    /// Returns the probability of all shares.
    pub(super) fn mass(&self) -> f64 {
        self.shares.iter().map(Share::mass).sum()
    }

    /// Adds the cells of all shares to the situation's own cells, if there is room for them. Returns the number of
    /// products made.
    pub(super) fn add_up(&mut self, room: &mut Room) -> u64 {
        let Some(first) = self.shares.first() else {
            return 0;
        };
        let mut work = 0;
        let shape = first.block.shape.clone();
        if self.cells.is_none() && !room.take(shape.size) {
            return 0;
        }
        let into = self.cells.get_or_insert_with(|| CellBlock::of(shape.size));
        for Share {
            block,
            more,
            weight,
        } in &self.shares
        {
            let along = still(&shape, &block.block.bounds, *more as usize);
            into.add(&along, *weight, &block.block, room);
            into.roundings = into
                .roundings
                .max(self.roundings + block.block.roundings + 1);
            work += block.block.cells.len() as u64;
        }
        into.roundings += self.shares.len() as u64;
        self.clear();
        work
    }

    /// Removes all shares.
    pub(super) fn clear(&mut self) {
        self.shares.clear();
        (self.roundings, self.merged) = (0, 0);
    }
}
