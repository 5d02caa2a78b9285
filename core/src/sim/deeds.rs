//! Actions that most systems have: to attack, cast, draw, use and stand up.

use super::items::to_draw;
use crate::fight::effect::Recipient;
use crate::fight::program::Action;
use crate::fight::world::MAX_ITEMS;
use crate::fight::{Combatant, Units};
use crate::sim::events::Obstacle;

/// An action that most systems have, with its indices looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Deed {
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

/// Returns a legal [`Deed`], for a combatant with these weapons `in_hand` and `uses` left. `attack` finds the weapon
/// and its target, `cast` the target of a spell, `within` that of an item.
#[inline(always)]
pub(crate) fn legal_deed(
    action: &Action,
    combatant: &Combatant,
    (in_hand, lost, prone, uses): (u32, u32, bool, &[u16; MAX_ITEMS]),
    attack: impl FnOnce(Option<u8>) -> Result<(u8, u8), Obstacle>,
    cast: impl FnOnce(usize) -> Option<usize>,
    within: impl FnOnce(Units) -> Option<usize>,
) -> Result<Deed, Obstacle> {
    match *action {
        Action::Attack(_) if prone => Err(Obstacle::Prone),
        Action::Attack(choice) => {
            attack(choice).map(|(weapon, target)| Deed::Attack { weapon, target })
        }
        Action::Cast(spell) => {
            let target = cast(spell.into()).ok_or(Obstacle::NoTarget)? as u8;
            Ok(Deed::Cast { spell, target })
        }
        Action::Draw(choice) => to_draw(choice, combatant, (in_hand, lost), uses).map(Deed::Draw),
        Action::Use(item) => {
            legal_use(combatant, item, uses, within).map(|target| Deed::Use { item, target })
        }
        Action::Stand if prone => Ok(Deed::Stand),
        Action::Stand => Err(Obstacle::Upright),
        // The parser accepts no action of another system.
        _ => Err(Obstacle::Condition),
    }
}
