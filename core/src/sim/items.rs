//! Drawing weapons and using items.

use crate::fight::health::Roll;
use crate::fight::world::Body;
use crate::sim::prelude::*;

/// Uses items and draws weapons.
pub(crate) trait Items<'a>: Stage<'a> {
    /// Uses an item that heals its user, up to the most health allowed.
    fn consume(&mut self, who: usize, item: usize, heals: &Roll) {
        let points = heals.roll(&mut self.roller(who, Purpose::Other));
        self.count_use(who, item);
        let (healed, health) = self.heal(who, who, points);
        self.note(Event::Use {
            who,
            item,
            healed,
            health,
            sum: heals.sum(points, healed),
        });
    }

    /// Whether an item has a use left: others may have taken the last one since its user chose it.
    #[inline]
    fn has_use(&self, who: usize, item: u8) -> bool {
        self.body(who).uses[usize::from(item)] > 0
    }

    /// Counts a use of an item.
    fn count_use(&mut self, who: usize, item: usize) {
        let combatant: &Combatant = self.combatant(who);
        self.pay(who, &combatant.items[item].price);
        self.world_mut().bodies[who].uses[item] -= 1;
        self.counts(who).items_used += 1;
    }

    /// Whether a weapon whose drawing was declared can still be drawn.
    fn can_draw(&self, who: usize, weapon: u8) -> bool {
        let combatant = self.combatant(who);
        let body = self.body(who);
        to_draw(Some(weapon), combatant, body).is_ok()
    }

    /// Takes weapons in hand, and others out of it, without an event.
    fn change_hands(&mut self, who: usize, taken: u32, let_go: u32) {
        let combatant = self.combatant(who);
        let world = self.world_mut();
        let in_hand = world.bodies[who].in_hand & !let_go | taken;
        world.hold(combatant, who, in_hand);
    }

    /// Takes a weapon out of hand, without an event.
    fn let_go_of(&mut self, who: usize, weapon: usize) {
        self.change_hands(who, 0, 1 << weapon);
    }

    /// Whether a weapon is in hand.
    #[inline]
    fn holds_weapon(&self, who: usize, weapon: usize) -> bool {
        self.body(who).in_hand >> weapon & 1 == 1
    }

    /// Whether an attack that was declared with a weapon can still be made: an interruption may have thrown the
    /// attacker to the ground, disarmed it, or used the last shot.
    #[inline]
    fn can_strike(&self, who: usize, weapon: usize) -> bool {
        !self.body(who).prone && self.holds_weapon(who, weapon)
    }

    /// Takes away the first weapon in hand that is not natural; if `for_good`, it is not drawn again.
    fn disarm(&mut self, who: usize, for_good: bool) {
        let weapons = self.combatant(who).weapons.iter().enumerate();
        let in_hand = self.body(who).in_hand;
        let mut held = weapons.filter(|(weapon, _)| in_hand >> weapon & 1 == 1);
        let Some((weapon, _)) = held.find(|(_, weapon)| !weapon.natural) else {
            return;
        };
        self.let_go_of(who, weapon);
        self.world_mut().bodies[who].lost |= u32::from(for_good) << weapon;
        self.note(Event::Disarmed {
            who,
            weapon,
            for_good,
        });
        self.on_numbers_changed(who, false);
    }

    /// Gives or takes uses of the item or weapon named `thing`, if the combatant has it.
    fn change_uses(&mut self, who: usize, thing: &str, change: i32) {
        let combatant: &Combatant = self.combatant(who);
        let item = combatant.items.iter().position(|item| item.name == thing);
        let weapon = || {
            let mut limited = combatant.limited();
            limited.position(|(_, weapon)| weapon.name == thing)
        };
        let slot = item.or_else(|| Some(combatant.items.len() + weapon()?));
        if let Some(slot) = slot {
            self.add_uses(who, slot, change);
        }
    }

    /// Adds to the uses left of an item or weapon, from 0 up to those at the start. A weapon without uses leaves the
    /// hand; one that has uses again returns to where it was at the start, if a hand is free.
    fn add_uses(&mut self, who: usize, slot: usize, change: i32) {
        let combatant: &Combatant = self.combatant(who);
        let weapon = slot.checked_sub(combatant.items.len());
        let weapon = weapon.and_then(|index| combatant.limited().nth(index));
        let most = match weapon {
            Some((_, weapon)) => weapon.uses.unwrap_or(0),
            None => combatant.items[slot].uses,
        };
        let body = &mut self.world_mut().bodies[who];
        let before = body.uses[slot];
        let left = (i32::from(before) + change).clamp(0, most.into()) as u16;
        if left == before {
            return;
        }
        body.uses[slot] = left;
        if let Some((weapon, _)) = weapon {
            if left == 0 {
                self.let_go_of(who, weapon);
            } else if before == 0 && self.comes_back(who, weapon) {
                self.change_hands(who, 1 << weapon, 0);
            }
        }
        let change = i32::from(left) - i32::from(before);
        self.note(Event::UsesChange { who, slot, change });
        self.on_numbers_changed(who, false);
    }

    /// Whether a weapon that can be used again returns to the hand: it was in hand at the start, and a hand is free.
    fn comes_back(&self, who: usize, weapon: usize) -> bool {
        let combatant = self.combatant(who);
        combatant.in_hand >> weapon & 1 == 1
            && combatant.may_hold(self.body(who), weapon)
            && self.has_free_hand(who)
    }

    /// Takes the price of an action.
    #[inline]
    fn pay(&mut self, who: usize, price: &[(u8, i16)]) {
        if !price.is_empty() {
            self.pay_each(who, price);
        }
    }

    /// Whether a combatant has the points that using an item or casting a spell takes.
    fn has_points_for(&self, who: usize, action: &Action) -> bool {
        let combatant: &Combatant = self.combatant(who);
        let price = match action {
            Action::Use(item) => &combatant.items[usize::from(*item)].price,
            Action::Cast(spell) | Action::Channel { spell, .. } => {
                &combatant.spells[usize::from(*spell)].price
            }
            _ => return true,
        };
        let left = |own| self.world().trait_of(combatant, who, own);
        price
            .iter()
            .all(|(own, points)| left(*own) >= i64::from(*points))
    }

    #[cold]
    #[inline(never)]
    fn pay_each(&mut self, who: usize, price: &[(u8, i16)]) {
        for (own, points) in price {
            self.change_trait(who, *own, -points);
        }
    }

    /// Adds to a trait of the scenario's own. A weapon whose price it cannot pay leaves the hand, and returns to where it
    /// was at the start when it can.
    #[cold]
    #[inline(never)]
    fn change_trait(&mut self, who: usize, own: u8, change: i16) {
        let combatant: &Combatant = self.combatant(who);
        let Some(all) = self.world_mut().affliction_mut(who) else {
            return;
        };
        if combatant.own[usize::from(own)].is_none() || change == 0 {
            return;
        }
        all.settle(own, change);
        let value = self.world().trait_of(combatant, who, own) as i32;
        self.note(Event::TraitChanges {
            who,
            own,
            change: change.into(),
            value,
        });
        let unpaid = combatant.unpaid(|own| self.world().trait_of(combatant, who, own));
        let before = std::mem::replace(&mut self.world_mut().bodies[who].unpaid, unpaid);
        if unpaid != before {
            let paid = members((before & !unpaid).into());
            let taken = set_of(paid.filter(|weapon| self.comes_back(who, *weapon)));
            self.change_hands(who, taken as u32, unpaid);
        }
        self.on_numbers_changed(who, false);
    }

    /// Takes a weapon in hand.
    fn draw(&mut self, who: usize, weapon: usize) {
        self.change_hands(who, 1 << weapon, 0);
        self.note(Event::Draw { who, weapon });
    }

    /// Takes the price of an attack, and counts down the attacks left of a limited weapon. After the last one the weapon
    /// leaves the hand.
    #[cold]
    #[inline(never)]
    fn spend(&mut self, who: usize, weapon: usize) {
        let combatant: &Combatant = self.combatant(who);
        self.pay(who, &combatant.weapons[weapon].price);
        let Some(charges) = combatant.charges(weapon) else {
            return;
        };
        let body = &mut self.world_mut().bodies[who];
        body.uses[charges] = body.uses[charges].saturating_sub(1);
        if body.uses[charges] == 0 {
            self.let_go_of(who, weapon);
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

/// Returns the weapon to draw: the named one, or the first that is not in hand. A weapon that is `lost`, without uses
/// left, or too dear, is not drawn.
pub(crate) fn to_draw<A>(
    choice: Option<u8>,
    combatant: &Combatant,
    body: &Body<A>,
) -> Result<u8, Obstacle> {
    let is_lost = |weapon: usize| body.lost >> weapon & 1 == 1;
    let is_left = |weapon: usize| combatant.may_hold(body, weapon);
    let is_away = |weapon: usize| body.in_hand & 1 << weapon == 0;
    let first = || (0..combatant.weapons.len()).find(|weapon| is_away(*weapon) && is_left(*weapon));
    let weapon = choice.map(usize::from).or_else(first);
    match weapon {
        Some(weapon) if !is_away(weapon) => Err(Obstacle::InHand),
        Some(weapon) if is_lost(weapon) => Err(Obstacle::Disarmed),
        Some(weapon) if !is_left(weapon) => Err(Obstacle::Used),
        Some(weapon) => Ok(weapon as u8),
        None => Err(Obstacle::InHand),
    }
}
