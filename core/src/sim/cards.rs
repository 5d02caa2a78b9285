//! Cards that order the places of a Round, where `[clock]` has them drawn.

use super::initiative::sort_key;
use crate::dice::Faces as _;
use crate::fight::lasting::{Lasting, Length};
use crate::fight::turns::Deck;
use crate::sim::prelude::*;

/// The cards of each combatant, one bit each.
type Dealt = [u64; MAX_COMBATANTS];

/// Draws cards.
pub(crate) trait Cards<'a>: Stage<'a> {
    /// Draws for each combatant of `all`, or once for all who share a key. Returns the sort keys: nothing but the order
    /// matters, unless a policy reads the total.
    #[cold]
    #[inline(never)]
    fn draw_cards(&mut self, all: u64) -> [i64; MAX_COMBATANTS] {
        let order = self.order();
        let standing = self.world().standing();
        let leaders = order.sharers.leaders(all, standing);
        let (dealt, first_joker) = self.deal(leaders);
        let mut keys = [i64::MIN; MAX_COMBATANTS];
        let mut hands = vec![0; order.ratings.len()];
        for who in members(all) {
            let leader = order.sharers.leader(who, all, standing);
            let mut left = dealt[leader];
            hands[who] = left;
            let total = first_card(left, order.sign);
            self.places().totals[who] = total;
            let key = order.sign * total;
            keys[who] = sort_key(key, order.ladder.height(leader));
            while left != 0 {
                let total = first_card(left, order.sign);
                left &= !card(total);
                self.note(Event::Initiative {
                    who,
                    total,
                    shared: who != leader,
                    sum: Sum::new(total.into()),
                });
            }
        }
        if let Some((_, condition)) = order.deck.jokers {
            for who in members(all) {
                self.end_conditions(who, &|lasting| lasting.condition == condition);
                if hands[who].checked_shr(first_joker).unwrap_or(0) != 0 {
                    let new = Lasting::new(condition, Length::ENDLESS, who as u8);
                    self.begin_condition(new, who);
                }
            }
        }
        if order.deck.hands.is_some() {
            self.places().hands = hands;
        }
        keys
    }

    /// Deals a hand to each of `leaders`. Returns the hands, and the number of cards below the first joker. A source that
    /// gives every answer deals as many cards as are drawn, unless a policy reads the total: only their order matters.
    fn deal(&mut self, leaders: u64) -> (Dealt, u32) {
        let order = self.order();
        let deck = &order.deck;
        let mut sizes = [1_u8; MAX_COMBATANTS];
        let mut keep = 1;
        if let Some(hands) = &deck.hands {
            keep = hands.keep;
            for who in members(leaders) {
                let mut hand = self.roller(who, Purpose::Initiative);
                let rolled = hands.dice.as_ref().map_or(0, |dice| dice.roll(&mut hand));
                let drawn = rolled + i64::from(hands.more[who]);
                sizes[who] = drawn.clamp(0, deck.cards.into()) as u8;
            }
        }
        let drawn: u32 = members(leaders).map(|who| u32::from(sizes[who])).sum();
        let ordered = if order.is_read {
            None
        } else {
            self.deal_order(leaders, sizes, drawn)
        };
        let (mut dealt, first_joker) = if let Some(dealt) = ordered {
            (dealt, drawn - self.jokers_among(drawn, deck))
        } else {
            let jokers = deck.jokers.map_or(0, |(jokers, _)| jokers);
            let below = u32::from(deck.cards - jokers);
            (self.deal_cards(leaders, &sizes, deck), below)
        };
        for who in members(leaders) {
            while dealt[who].count_ones() > keep.into() {
                dealt[who] &= !card(first_card(dealt[who], -order.sign));
            }
        }
        (dealt, first_joker)
    }

    /// Deals the only `drawn` cards, if chance gives every answer.
    fn deal_order(
        &mut self,
        leaders: u64,
        sizes: [u8; MAX_COMBATANTS],
        drawn: u32,
    ) -> Option<Dealt> {
        let (chance, _) = self.chance_and_observer();
        let deal = |chance: &mut Self::Chance| {
            let places = chance.order::<MAX_COMBATANTS>(drawn as usize)?;
            let mut cards = places.into_iter().map(|place| bit(place.into()));
            let mut dealt = [0; MAX_COMBATANTS];
            for who in members(leaders) {
                let hand = cards.by_ref().take(sizes[who].into());
                dealt[who] = hand.fold(0, |hand, card| hand | card);
            }
            Some(dealt)
        };
        chance.result(("hands", leaders, sizes), deal, |dealt| dealt)
    }

    /// Returns how many of the cards drawn are jokers: each is one of them or of those left in the deck.
    fn jokers_among(&mut self, drawn: u32, deck: &Deck) -> u32 {
        let Some((jokers, _)) = deck.jokers else {
            return 0;
        };
        let cards = u32::from(deck.cards);
        let (chance, _) = self.chance_and_observer();
        let count = |chance: &mut Self::Chance| {
            (0..jokers.into()).fold(0, |found, joker| {
                let place = chance.face(0, Purpose::Initiative, cards - joker);
                found + u32::from(place <= drawn - found)
            })
        };
        chance.result(("jokers", drawn, jokers, cards), count, |count| count)
    }

    /// Deals cards of the whole deck.
    fn deal_cards(&mut self, leaders: u64, sizes: &[u8; MAX_COMBATANTS], deck: &Deck) -> Dealt {
        let mut dealt = [0; MAX_COMBATANTS];
        let mut left = u64::MAX >> (64 - deck.cards);
        for who in members(leaders) {
            let mut hand = self.roller(who, Purpose::Initiative);
            for _ in 0..sizes[who] {
                let drawn = hand.face(left.count_ones()) as usize;
                let card = bit(members(left).nth(drawn - 1).unwrap_or(0));
                left &= !card;
                dealt[who] |= card;
            }
        }
        dealt
    }
}

impl<'a, S: Stage<'a>> Cards<'a> for S {}

/// The number of the card of a hand that is next, from 1; 0 if it is empty. A `sign` below 0 begins with the least.
pub(crate) fn first_card(hand: u64, sign: i32) -> i32 {
    if hand == 0 {
        0
    } else if sign < 0 {
        hand.trailing_zeros() as i32 + 1
    } else {
        64 - hand.leading_zeros() as i32
    }
}

/// The card with a number, as a bit; 0 has none.
pub(crate) fn card(number: i32) -> u64 {
    (1_u64 << 63).checked_shr(64 - number as u32).unwrap_or(0)
}
