//! Actions that most systems have: to attack, cast, draw, use and stand up.

use super::items::to_draw;
use crate::fight::Combatant;
use crate::fight::program::{Action, WeaponChoice};
use crate::fight::world::MAX_ITEMS;
use crate::sim::events::Obstacle;

/// Such an action, everything looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Deed {
    Attack { weapon: u8, target: u8 },
    Cast { spell: u8, target: u8 },
    Draw(u8),
    Use(u8),
    Stand,
}

impl Deed {
    /// Returns the target.
    pub(crate) fn target(self) -> Option<usize> {
        match self {
            Self::Attack { target, .. } | Self::Cast { target, .. } => Some(usize::from(target)),
            _ => None,
        }
    }
}

/// Returns such an action by the rules, for a combatant with these weapons `in_hand` and `uses` left. `attack`
/// finds the weapon and its target, `cast` the target of a spell.
#[expect(
    clippy::inline_always,
    reason = "the action is mostly an attack, known to be one when the line is looked up"
)]
#[inline(always)]
pub(crate) fn legal_deed(
    action: &Action,
    combatant: &Combatant,
    (in_hand, prone, uses): (u32, bool, &[u16; MAX_ITEMS]),
    attack: impl FnOnce(WeaponChoice) -> Result<(u8, u8), Obstacle>,
    cast: impl FnOnce(usize) -> Option<usize>,
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
        Action::Draw(choice) => to_draw(choice, combatant, in_hand).map(Deed::Draw),
        Action::Use(item) if uses[usize::from(item)] == 0 => Err(Obstacle::Used),
        Action::Use(item) => Ok(Deed::Use(item)),
        Action::Stand if prone => Ok(Deed::Stand),
        Action::Stand => Err(Obstacle::Prone),
        // The parser accepts no action of another system.
        _ => Err(Obstacle::Condition),
    }
}
