//! Actions that most systems have: to attack, cast, draw, use and stand up.

use super::items::to_draw;
use crate::fight::effect::Recipient;
use crate::fight::world::{Body, MAX_ITEMS};
use crate::sim::prelude::*;

/// An action that most systems have, with its indices looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deed {
    Attack {
        weapon: u8,
        target: u8,
    },
    Cast {
        spell: u8,
        target: u8,
    },
    Draw(u8),
    /// On the user itself if there is no target.
    Use {
        item: u8,
        target: Option<u8>,
    },
    Stand,
}

impl Deed {
    /// Returns the target.
    pub(crate) fn target(self) -> Option<usize> {
        match self {
            Self::Attack { target, .. }
            | Self::Cast { target, .. }
            | Self::Use {
                target: Some(target),
                ..
            } => Some(usize::from(target)),
            _ => None,
        }
    }
}

/// The action of a line, with its target and gear, on a clock of turns. `T` are the actions that only this clock has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ChosenAction<T> {
    Do(Deed),
    Move(MoveInProgress),
    Leave(Leaving),
    Pass,
    Own(T),
}

impl<T> ChosenAction<T> {
    /// Returns the target of the action. `own` returns that of an action that only this clock has.
    pub(crate) fn target(&self, own: impl FnOnce(&T) -> Option<usize>) -> Option<usize> {
        match self {
            Self::Do(deed) => deed.target(),
            Self::Move(current_move) => Some(usize::from(current_move.target)),
            Self::Leave(_) | Self::Pass => None,
            Self::Own(action) => own(action),
        }
    }

    pub(crate) const fn is_move(&self) -> bool {
        matches!(self, Self::Move(_))
    }
}

/// Returns the legal target of an item, for a combatant with these `uses` left; `None` if the item is for its user.
pub(crate) fn legal_use(
    combatant: &Combatant,
    item: u8,
    uses: &[u16; MAX_ITEMS],
    within: impl FnOnce(Units) -> Option<usize>,
) -> Result<Option<u8>, Obstacle> {
    if uses[usize::from(item)] == 0 {
        return Err(Obstacle::Used);
    }
    let power = &combatant.items[usize::from(item)].power;
    if power.recipient == Recipient::Own {
        return Ok(None);
    }
    let target = within(power.range).ok_or(Obstacle::NoTarget)?;
    Ok(Some(target as u8))
}

/// Returns a legal [`Deed`], for a combatant with this body. `attack` finds the weapon
/// and its target, `cast` the target of a spell, `within` that of an item.
#[inline(always)]
pub(crate) fn legal_deed<A>(
    action: &Action,
    combatant: &Combatant,
    body: &Body<A>,
    attack: impl FnOnce(Option<u8>) -> Result<(u8, u8), Obstacle>,
    cast: impl FnOnce(usize) -> Option<usize>,
    within: impl FnOnce(Units) -> Option<usize>,
) -> Result<Deed, Obstacle> {
    match *action {
        Action::Attack(_) if body.prone => Err(Obstacle::Prone),
        Action::Attack(choice) => {
            attack(choice).map(|(weapon, target)| Deed::Attack { weapon, target })
        }
        Action::Cast(spell) => {
            let target = cast(spell.into()).ok_or(Obstacle::NoTarget)? as u8;
            Ok(Deed::Cast { spell, target })
        }
        Action::Draw(choice) => to_draw(choice, combatant, body).map(Deed::Draw),
        Action::Use(item) => {
            legal_use(combatant, item, &body.uses, within).map(|target| Deed::Use { item, target })
        }
        Action::Stand if body.prone => Ok(Deed::Stand),
        Action::Stand => Err(Obstacle::Upright),
        // The parser accepts no action of another system.
        _ => Err(Obstacle::Condition),
    }
}
