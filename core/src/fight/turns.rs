//! The order of turns of `[clock]`: who holds a place, which place is next, and what becomes of a used one.

use super::budget::{Amounts, Budget};
use super::health::Roll;
use super::words::Terms;
use crate::names::named;

named! {
    /// Who holds a place in a Round.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Unit {
        /// Each combatant has a key and a place of its own.
        #[default]
        Combatant "combatant";
        /// Those of one `count` share a key, and act one after another.
        Group "group";
        /// A side shares a key, and its members act one after another.
        Side "side";
        /// Each combatant has a key, and its place is its side's: any member that has not acted takes it.
        Slot "slot";
    }
}

named! {
    /// Which of the places that are left is next.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Next {
        /// The one with the greatest key.
        #[default]
        High "high";
        /// The one with the least key.
        Low "low";
        /// One of each side in turn, the side with the best key first.
        Alternate "alternate";
        /// The one that the last actor names, in the next Round too.
        Chosen "chosen";
        /// One of the side whose token is drawn; each place to come is a token.
        Bag "bag";
    }
}

named! {
    /// The kinds of actions that a phase of a Round may be for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Phase {
        /// Moves, getting up and drawing weapons.
        Move "move";
        /// Attacks with weapons that shoot or are thrown.
        Shoot "shoot";
        /// Attacks with melee weapons.
        Melee "melee";
        /// Spells.
        Cast "cast";
        /// Items.
        Use "use";
    }
}

impl Phase {
    /// The set with this kind alone.
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What becomes of a used place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum After {
    /// It is spent until the next Round.
    #[default]
    Spent,
    /// When all have acted, all totals fall by this much, and those above 0 act again.
    Less(i32),
    /// Of these combatants, one whose turn hurt an enemy hands over to its side, and each side goes on until a turn hurts
    /// none; the side of the others has one turn.
    Failure(u64),
    /// The total moves by the time that the turn took: up where the least is next, else down.
    Cost,
    /// The card on which the turn came is spent, and the next one of the hand has a place.
    Cards,
}

/// A deck from which keys are drawn. Its cards are the numbers from 1, and each is drawn once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Deck {
    /// How many cards it has; 0 if keys are rolled.
    pub cards: u8,
    /// The number of its highest cards that are jokers, and the condition that they give until the next draw.
    pub jokers: Option<(u8, u8)>,
    /// How many cards each combatant draws, if not one.
    pub hands: Option<Hands>,
}

/// How many cards combatants draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hands {
    /// The roll that each makes for it.
    pub dice: Option<Roll>,
    /// What is added for each combatant.
    pub more: Vec<i32>,
    /// The best of them that are kept.
    pub keep: u8,
}

/// What combatants declare as a Round begins.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Declare {
    /// Nothing.
    #[default]
    Nothing,
    /// An action, all at once: its time moves the place.
    Action,
    /// An action, the last in the order first, so that those who act earlier know it.
    SlowToFast,
    /// A kind of turn: all turns of a kind come before those of the next. What a turn of each kind holds.
    Turns(Vec<Amounts>),
}

/// The order of turns. Its default is that of Chronicles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TurnOrder {
    /// Who holds a place.
    pub unit: Unit,
    /// Which place is next.
    pub next: Next,
    /// The cards from which keys are drawn.
    pub deck: Deck,
    /// What becomes of a used place.
    pub after: After,
    /// What combatants declare as a Round begins.
    pub declare: Declare,
    /// The traits in a key; empty if none of them can change.
    pub key: Terms,
    /// Whether one that comes in after a delay keeps its place for later Rounds.
    pub delay_keeps: bool,
    /// Whether one whose readied action is triggered keeps its place.
    pub ready_keeps: bool,
    /// Units of time in a Round, where places move by cost and the least is next.
    pub ticks: i32,
    /// Tokens in the bag that end the Round, where places are drawn from one.
    pub end_tokens: u8,
    /// The kinds of actions of each phase of a Round, one bit each; empty if a Round has no phases.
    pub phases: Vec<u8>,
    /// What a turn holds and what actions take of it, where that is more than one action.
    pub budget: Option<Budget>,
    /// The combatants that have a place in each part of a Round; empty if a Round has one part, for all.
    pub parts: Vec<u64>,
    /// What decides between equal totals, for each combatant in order; empty where the system's ties do.
    pub ties: Vec<Vec<i32>>,
}

impl TurnOrder {
    /// Whether keys are times: each turn moves its place up, and a Round ends after `ticks`.
    pub fn counts_up(&self) -> bool {
        self.after == After::Cost && self.next == Next::Low
    }

    /// Whether actions are declared.
    pub fn declares_actions(&self) -> bool {
        matches!(self.declare, Declare::Action | Declare::SlowToFast)
    }

    /// Whether places stand in the order of totals as they are now, and not as they were when the Round began.
    pub fn is_by_total(&self) -> bool {
        matches!(self.after, After::Cost | After::Cards)
            || self.declares_actions()
            || !self.key.facts.is_empty()
    }

    /// Whether a Round has neither parts nor phases.
    pub fn has_one_part(&self) -> bool {
        self.parts.is_empty() && self.phases.is_empty()
    }

    /// Whether the best key is simply next, once a Round for each combatant.
    pub fn is_usual(&self) -> bool {
        let free = matches!(self.unit, Unit::Combatant | Unit::Group);
        let by_key = matches!(self.next, Next::High | Next::Low);
        let holds = self.declare == Declare::Nothing && !self.is_by_total();
        free && by_key && self.after == After::Spent && self.has_one_part() && holds
    }
}
