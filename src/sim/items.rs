//! Weapons and items: drawn and used.

use super::damage::Damages;
use super::stage::Stage;
use crate::chance::Purpose;
use crate::fight::Combatant;
use crate::fight::health::Roll;
use crate::fight::program::WeaponChoice;
use crate::sim::Event;
use crate::sim::events::Obstacle;

/// Uses items and draws weapons.
pub(crate) trait Items<'a>: Stage<'a> {
    /// Uses an item that heals its user, up to the health at the start.
    fn consume(&mut self, who: usize, item: usize, heals: &Roll) {
        let heals = heals.roll(&mut self.hand(who, Purpose::Other));
        self.world_mut().bodies[who].uses[item] -= 1;
        self.record().combatants[who].items_used += 1;
        let (healed, health) = self.regain(who, heals);
        self.record().combatants[who].healed += healed.unsigned_abs();
        self.note(Event::Use {
            who,
            item,
            healed,
            health,
        });
    }

    /// Takes a weapon in hand.
    fn draw(&mut self, who: usize, weapon: usize) {
        let combatant: &Combatant = &self.fight().combatants[who];
        let body = &mut self.world_mut().bodies[who];
        body.in_hand |= 1 << weapon;
        body.reach = combatant.reach(body.in_hand);
        self.note(Event::Draw { who, weapon });
    }

    /// Gets up from the ground.
    fn get_up(&mut self, who: usize) {
        self.world_mut().bodies[who].prone = false;
        self.note(Event::Stand { who });
    }
}

impl<'a, S: Stage<'a> + ?Sized> Items<'a> for S {}

/// Which weapon is drawn: the one that is named, or the first that is not in hand.
pub(crate) fn to_draw(
    choice: WeaponChoice,
    combatant: &Combatant,
    in_hand: u32,
) -> Result<u8, Obstacle> {
    let weapon = match choice {
        WeaponChoice::Only(weapon) => weapon,
        WeaponChoice::First => in_hand.trailing_ones() as u8,
    };
    if in_hand & 1_u32.checked_shl(weapon.into()).unwrap_or(0) != 0
        || usize::from(weapon) >= combatant.weapons.len()
    {
        return Err(Obstacle::InHand);
    }
    Ok(weapon)
}
