//! What a turn of a game of one's own holds, and what actions take of it: `[clock.budget]` and `[clock.costs]`.

use super::Combatant;
use super::program::Action;
use crate::names::named;

/// The most resources of a turn.
pub const MOST_RESOURCES: usize = 4;

/// An amount of each resource.
pub type Amounts = [u8; MOST_RESOURCES];

/// What an action takes of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Price {
    /// Of each resource.
    pub amounts: Amounts,
    /// Time, where places move by the time of turns.
    pub time: u16,
}

impl Price {
    /// Whether it takes nothing of any resource.
    pub fn is_free(&self) -> bool {
        self.amounts == Amounts::default()
    }

    /// Returns the resource of which more is needed than is left.
    #[inline]
    pub fn lacks(&self, left: &Amounts) -> Option<usize> {
        (0..MOST_RESOURCES).find(|at| self.amounts[*at] > left[*at])
    }

    /// The least of two prices, each part by itself.
    fn least(self, other: Self) -> Self {
        Self {
            amounts: std::array::from_fn(|at| self.amounts[at].min(other.amounts[at])),
            time: self.time.min(other.time),
        }
    }
}

named! {
    /// The kinds of actions that have a price.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[expect(missing_docs, reason = "the names are those of policy lines")]
    pub enum Paid {
        Attack "attack";
        Cast "cast";
        Use "use";
        Draw "draw";
        Stand "stand";
        Ready "ready";
        Move "move";
    }
}

/// What a turn holds, and what actions take of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// What a turn begins with.
    pub amounts: Amounts,
    /// Whether a resource comes back as a Round begins, and not as one's turn does.
    pub of_round: [bool; MOST_RESOURCES],
    /// The price of each kind of action, in the order of [`Paid::ALL`]. That of a move is for each `move` Units begun; if
    /// it is free of resources, a turn has only as many Units.
    pub prices: [Price; Paid::ALL.len()],
    /// Time of a turn whose actions take none.
    pub pass: u16,
}

impl Budget {
    /// The price of a kind of action.
    #[inline]
    pub const fn price(&self, kind: Paid) -> Price {
        self.prices[kind as usize]
    }

    /// Returns the least that an action of policies takes: of several weapons, the least of each resource.
    pub fn least_price(&self, combatant: &Combatant, action: &Action) -> Price {
        match action {
            Action::Attack(Some(weapon)) => combatant.weapons[usize::from(*weapon)].turn_price,
            Action::Attack(None) => {
                let prices = combatant.weapons.iter().map(|weapon| weapon.turn_price);
                prices.reduce(Price::least).unwrap_or_default()
            }
            Action::Cast(spell) => combatant.spells[usize::from(*spell)].turn_price,
            Action::Use(item) => combatant.items[usize::from(*item)].turn_price,
            Action::Draw(_) => self.price(Paid::Draw),
            Action::Stand => self.price(Paid::Stand),
            Action::Ready(_) => self.price(Paid::Ready),
            _ => Price::default(),
        }
    }

    /// Whether all gear of a combatant has the price of its kind.
    pub fn is_usual(&self, combatant: &Combatant) -> bool {
        let is = |price: Price, kind: Paid| price == self.price(kind);
        let mut weapons = combatant.weapons.iter();
        let mut spells = combatant.spells.iter();
        let mut items = combatant.items.iter();
        weapons.all(|weapon| is(weapon.turn_price, Paid::Attack))
            && spells.all(|spell| is(spell.turn_price, Paid::Cast))
            && items.all(|item| is(item.turn_price, Paid::Use))
    }
}
