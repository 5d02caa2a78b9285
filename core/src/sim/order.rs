//! The order of turns as data ([`Order`]), and the places of a Round ([`Places`]), on every clock that goes by turns.

use super::cards::Cards;
use super::initiative::{HEIGHTS, Ladder, RollOff, Sharers};
use crate::dice::Faces;
use crate::fight::Traits;
use crate::fight::health::Roll;
use crate::fight::initiative::{self, Ties};
use crate::fight::turns::Deck;
use crate::sim::prelude::*;
use serde::{Deserialize, Serialize};

/// When the keys of the places are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum When {
    /// Once, as the encounter begins.
    Scene,
    /// As each Round begins.
    #[default]
    Round,
}

/// What orders the places of a Round.
#[derive(Debug, Clone)]
pub struct Order {
    pub(crate) when: When,
    /// The roll that each combatant adds to its rating; empty where initiative is fixed.
    pub(crate) dice: Vec<Roll>,
    pub(crate) ratings: Vec<i32>,
    /// The rank among equal totals.
    pub(crate) ladder: Ladder,
    /// Whether those who are still equal roll off; if not, they act simultaneously (W-5).
    pub(crate) rolls_off: bool,
    pub(crate) sharers: Sharers,
    /// Whether a policy or the clock asks for the total.
    pub(crate) is_read: bool,
    /// -1 where the least total comes first, else 1.
    pub(crate) sign: i32,
    /// The cards that are drawn instead of rolling.
    pub(crate) deck: Deck,
}

impl Order {
    /// Takes the ratings of all combatants, each with the two traits that decide between equal totals.
    pub(crate) fn new(
        fight: &Fight,
        ties: &Ties,
        share: &[u64],
        values: impl Fn(&Traits) -> [i32; 3],
    ) -> Self {
        let combatants = fight.combatants.iter();
        let values: Vec<[i32; 3]> = combatants.map(|one| values(&one.traits)).collect();
        Self {
            when: When::Round,
            dice: Vec::new(),
            ratings: values.iter().map(|[rating, ..]| *rating).collect(),
            ladder: Ladder::new(values.iter().map(|values| ties.key(*values))),
            rolls_off: ties.rolls_off(),
            sharers: Sharers::new(share, values.len()),
            is_read: fight.reads(|variable| variable == Variable::Initiative),
            sign: 1,
            deck: Deck::default(),
        }
    }

    /// Rolls the points that are added to a rating.
    #[inline(always)]
    pub(crate) fn roll<F: Faces + ?Sized>(&self, who: usize, faces: &mut F) -> i32 {
        match self.dice.get(who) {
            Some(dice) => initiative::roll(dice, faces),
            None => 0,
        }
    }

    /// Returns the sum of a total.
    #[cold]
    pub(crate) fn sum(&self, who: usize) -> Sum {
        let rating = self.ratings[who];
        self.dice.get(who).map_or_else(
            || Sum::new(rating.into()),
            |dice| initiative::sum(dice, rating),
        )
    }
}

/// The places of a Round.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Places {
    /// The key of each combatant: the greatest comes first, and equals act simultaneously.
    pub(crate) keys: Vec<i64>,
    /// The total of each combatant, where its key is no longer made of it.
    pub(crate) totals: Vec<i32>,
    /// The cards that each combatant still holds, one bit each, where it may draw several.
    pub(crate) hands: Vec<u64>,
    /// The combatants whose place is still to come.
    pub(crate) due: u64,
    /// The combatants that lose their next turn (CD-6, MD-6).
    pub(crate) lost: u64,
    /// All combatants in order, where no keys are equal.
    #[serde(skip)]
    order: Vec<u8>,
    /// The index in the order of the first combatant that may be due.
    #[serde(skip)]
    upcoming: usize,
}

impl Places {
    pub(crate) fn new(combatants: usize) -> Self {
        Self {
            keys: vec![0; combatants],
            totals: vec![0; combatants],
            order: (0..combatants as u8).collect(),
            ..Self::default()
        }
    }

    /// Copies `other` into the buffers that are there.
    #[inline]
    pub(crate) fn reset_to(&mut self, other: &Self) {
        self.keys.copy_from_slice(&other.keys);
        self.totals.copy_from_slice(&other.totals);
        if self.hands.len() | other.hands.len() != 0 {
            self.hands.clone_from(&other.hands);
        }
        self.order.copy_from_slice(&other.order);
        (self.due, self.upcoming, self.lost) = (other.due, other.upcoming, other.lost);
    }

    /// Completes places of which only the keys and who is due are known.
    pub(crate) fn complete(&mut self) {
        self.order = (0..self.keys.len() as u8).collect();
        self.sort();
    }

    /// Puts all combatants in the order of their keys.
    fn sort(&mut self) {
        let keys = &self.keys;
        let key = |who: &u8| (std::cmp::Reverse(keys[usize::from(*who)]), *who);
        self.order.sort_unstable_by_key(key);
    }

    /// Begins a Round for all of a set.
    pub(crate) fn begin(&mut self, due: u64) {
        (self.due, self.upcoming) = (due, 0);
    }

    /// Returns the first of those that are due, where no keys are equal.
    #[inline]
    pub(crate) fn next(&mut self, due: u64) -> Option<usize> {
        let mut order = self.order[self.upcoming..].iter();
        self.upcoming += order.position(|who| due & bit(usize::from(*who)) != 0)?;
        Some(usize::from(self.order[self.upcoming]))
    }

    /// Returns those of a set that come before all others of it.
    #[inline]
    pub(crate) fn foremost(&self, set: u64) -> u64 {
        foremost(set, |who| self.keys[who])
    }

    /// Returns the members of a set in order, where no keys are equal.
    pub(crate) fn in_order(&self, set: u64) -> impl DoubleEndedIterator<Item = usize> {
        let order = self.order.iter().map(|who| usize::from(*who));
        order.filter(move |who| set & bit(*who) != 0)
    }

    /// Returns the place of a combatant among those of a set, from 1.
    pub(crate) fn place(&self, who: usize, among: u64) -> u32 {
        let is_ahead = |other: &usize| self.keys[*other] > self.keys[who];
        members(among).filter(is_ahead).count() as u32 + 1
    }

    /// Moves a combatant directly before or after another one, where no keys are equal. Returns its new place, from 1, if
    /// it has moved.
    pub(crate) fn put(&mut self, who: usize, other: usize, after: bool) -> Option<usize> {
        let [old, other] = [who, other].map(|who| -self.keys[who] as usize);
        // The others move up to the place that it leaves.
        let new = other + usize::from(after) - usize::from(old < other + usize::from(after));
        if new < old {
            self.order[new..=old].rotate_right(1);
        } else {
            self.order[old..=new].rotate_left(1);
        }
        self.number();
        (new != old).then_some(new + 1)
    }

    /// Lets two combatants take one another's place.
    #[cold]
    #[inline(never)]
    pub(crate) fn swap(&mut self, who: usize, other: usize) {
        self.keys.swap(who, other);
        self.totals.swap(who, other);
        if !self.hands.is_empty() {
            self.hands.swap(who, other);
        }
        self.sort();
    }

    /// Makes the keys of combatants that are in order unequal.
    fn number(&mut self) {
        for (rank, who) in (0..).zip(&self.order) {
            self.keys[usize::from(*who)] = -rank;
        }
        self.upcoming = 0;
    }

    /// Keeps nothing of the keys but their order.
    pub(crate) fn forget_keys(&mut self) {
        let before = self.keys.clone();
        for key in &mut self.keys {
            *key = before.iter().filter(|other| *other < key).count() as i64;
        }
    }
}

/// Returns the members of a set whose key is the greatest.
#[inline]
pub(crate) fn foremost(set: u64, key: impl Fn(usize) -> i64) -> u64 {
    let mut group = 0;
    let mut best = i64::MIN;
    for who in members(set) {
        let own = key(who);
        if own > best {
            (group, best) = (bit(who), own);
        } else if own == best {
            group |= bit(who);
        }
    }
    group
}

/// Sets the places of a Round.
pub(crate) trait Turns<'a>: RollOff<'a> + Cards<'a> {
    /// Sets the keys of all places if their time has come. Returns whether it has.
    #[inline]
    fn order_places(&mut self) -> bool {
        let all = match self.order().when {
            When::Round => self.world().here(),
            // A combatant that enters later has a place in the order too.
            When::Scene if self.round() == 1 => self.expected(),
            When::Scene => return false,
        };
        self.set_order(all);
        true
    }

    /// Returns whether a combatant loses the turn that it begins.
    #[inline]
    fn loses_turn(&mut self, who: usize) -> bool {
        let loses = self.places().lost & bit(who) != 0;
        if loses {
            self.places().lost &= !bit(who);
            self.note(Event::TurnLost { who });
        }
        loses
    }

    /// Rolls initiative for the combatants in `all` and orders them: the highest total first, then the tie-breaks, then,
    /// if they roll off, until no tie is left. The others come last.
    fn set_order(&mut self, all: u64) {
        let order = self.order();
        let mut keys = if order.deck.cards == 0 {
            self.roll_initiative(all)
        } else {
            self.draw_cards(all)
        };
        if order.rolls_off {
            self.roll_off_shared(&mut keys, all);
        } else if !order.sharers.is_empty() {
            for who in members(all) {
                keys[who] = keys[who] * HEIGHTS + i64::from(order.ladder.height(who));
            }
        }
        let places = self.places();
        places.keys.copy_from_slice(&keys[..order.ratings.len()]);
        if order.rolls_off {
            places.sort();
            places.number();
        }
    }
}

impl<'a, S: Stage<'a>> Turns<'a> for S {}
