//! Weapons and items: drawn and used.

use super::damage::Damages;
use super::stage::Stage;
use crate::chance::Purpose;
use crate::fight::Combatant;
use crate::fight::health::Roll;
use crate::fight::program::WeaponChoice;
use crate::fight::world::MAX_ITEMS;
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

    /// Takes one off the attacks that a weapon is good for. With the last it is out of hand.
    #[cold]
    #[inline(never)]
    fn spend(&mut self, who: usize, weapon: usize) {
        let combatant: &Combatant = &self.fight().combatants[who];
        let Some(charges) = combatant.charges(weapon) else {
            return;
        };
        let body = &mut self.world_mut().bodies[who];
        body.uses[charges] = body.uses[charges].saturating_sub(1);
        if body.uses[charges] == 0 {
            body.in_hand &= !(1 << weapon);
            body.reach = combatant.reach(body.in_hand);
            self.note(Event::LastUse { who, weapon });
        }
    }

    /// Gets up from the ground.
    fn get_up(&mut self, who: usize) {
        self.world_mut().bodies[who].prone = false;
        self.note(Event::Stand { who });
    }
}

impl<'a, S: Stage<'a> + ?Sized> Items<'a> for S {}

/// Which weapon is drawn: the one that is named, or the first that is not in hand. One without uses left is not
/// drawn.
pub(crate) fn to_draw(
    choice: WeaponChoice,
    combatant: &Combatant,
    in_hand: u32,
    uses: &[u16; MAX_ITEMS],
) -> Result<u8, Obstacle> {
    let is_left = |weapon: usize| combatant.charges(weapon).is_none_or(|at| uses[at] > 0);
    let is_away = |weapon: usize| in_hand & 1 << weapon == 0;
    let weapon = match choice {
        WeaponChoice::Only(weapon) => Some(usize::from(weapon)),
        WeaponChoice::First => {
            (0..combatant.weapons.len()).find(|one| is_away(*one) && is_left(*one))
        }
    };
    match weapon {
        Some(weapon) if !is_away(weapon) => Err(Obstacle::InHand),
        Some(weapon) if !is_left(weapon) => Err(Obstacle::Used),
        Some(weapon) => Ok(weapon as u8),
        None => Err(Obstacle::InHand),
    }
}
