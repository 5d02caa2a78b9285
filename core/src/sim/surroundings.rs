//! Outside influences: reserves, hazards, ground, and uses that come back as a Round begins (W-11 to W-15).

use crate::fight::Recharge;
use crate::fight::effect::{Hazard, Occasion};
use crate::sim::prelude::*;

/// Applies outside influences.
pub(crate) trait Surroundings<'a>: Stage<'a> {
    /// Begins a Round: some who are down are lost (W-18), reserves come in (W-12), uses come back (W-11), and hazards
    /// strike (W-14).
    #[inline]
    fn open_round(&mut self) {
        if Self::PLAIN || self.constants().plain {
            return;
        }
        self.world_mut().forget_stunned();
        let round = self.moment().round;
        if self.world().down() != 0 {
            self.pass_round_down();
        }
        self.enter(None);
        if self.fight().recharging != 0 && round > 1 {
            self.recharge(round);
        }
        if !self.fight().hazards.is_empty() {
            self.strike_hazards(None);
        }
    }

    /// Deals the damage of conditions as a Round begins, on clocks on which it begins the turns of all.
    fn suffer_all_conditions(&mut self) {
        // A hazard may have decided the encounter.
        if self.has_conditions() && self.decided_early().is_none() {
            for who in members(self.world().standing()) {
                self.suffer_conditions(who);
            }
        }
    }

    /// Brings in the reserves due at `mark` or, without one, as the Round begins (W-12). Returns the combatants that
    /// came in.
    #[inline]
    fn enter(&mut self, mark: Option<Marks>) -> u64 {
        match self.reserves() {
            0 => 0,
            waiting => self.enter_of(waiting, mark),
        }
    }

    #[cold]
    #[inline(never)]
    fn enter_of(&mut self, waiting: u64, mark: Option<Marks>) -> u64 {
        let round = self.moment().round;
        let comes = |who: &usize| {
            let enters = self.combatant(*who).enters.as_ref();
            enters.is_some_and(|occasion| {
                occasion.mark == mark
                    && occasion.comes(round, self.expected())
                    && self.meets_condition(occasion, *who)
            })
        };
        let entering = set_of(members(waiting).filter(comes));
        self.world_mut().enter(entering);
        for who in members(entering) {
            self.note(Event::Enters { who });
            self.apply_ground(who);
        }
        entering
    }

    /// Whether the condition of an occasion holds for a combatant.
    fn meets_condition(&self, occasion: &Occasion, who: usize) -> bool {
        let value = |variable| self.shared_value(variable, who, (who, 0)).unwrap_or(0);
        let mut conditions = occasion.when.iter();
        conditions.all(|when| when.holds(value))
    }

    /// Gives back uses of items and weapons as a Round begins. A weapon with a use again returns to where it was at the
    /// start.
    #[cold]
    #[inline(never)]
    fn recharge(&mut self, round: u32) {
        for who in members(self.fight().recharging & self.world().standing()) {
            let combatant: &Combatant = self.combatant(who);
            let items = combatant.items.iter().map(|item| item.uses);
            let weapons = combatant.limited();
            let weapons = weapons.map(|(_, weapon)| weapon.uses.unwrap_or(0));
            let things = items.chain(weapons).zip(combatant.recharges());
            for (slot, (most, recharge)) in things.enumerate() {
                let left = self.body(who).uses[slot];
                if left == most {
                    continue;
                }
                let back = match recharge {
                    None => continue,
                    Some(Recharge::Rounds(every)) => (round - 1).is_multiple_of(*every),
                    Some(Recharge::Roll(roll, least)) => {
                        roll.roll(&mut self.roller(who, Purpose::Other)) >= *least
                    }
                };
                if back {
                    self.add_uses(who, slot, 1);
                } else if matches!(recharge, Some(Recharge::Roll(..))) {
                    // The dice belong to an event.
                    self.note(Event::UsesChange {
                        who,
                        slot,
                        change: 0,
                    });
                }
            }
        }
    }

    /// Applies the hazards due at `mark` or, without one, as the Round begins, to all combatants on their stretch for
    /// which their conditions hold.
    #[cold]
    #[inline(never)]
    fn strike_hazards(&mut self, mark: Option<Marks>) {
        for (index, hazard) in self.fight().hazards.iter().enumerate() {
            if hazard.occasion.mark == mark && hazard.place.is_none() {
                self.strike_hazard(index);
            }
        }
    }

    /// Applies a hazard to all combatants on its stretch for which its condition holds, if it comes in this Round.
    fn strike_hazard(&mut self, index: usize) {
        let round = self.moment().round;
        let hazard = &self.fight().hazards[index];
        if !hazard.occasion.comes(round, self.expected()) {
            return;
        }
        let is_there = |victim: &usize| {
            let here = self.world().position(*victim);
            hazard.stretch.is_none_or(|stretch| stretch.contains(here))
                && self.meets_condition(&hazard.occasion, *victim)
        };
        let all = set_of(members(self.world().standing()).filter(is_there));
        if all != 0 {
            self.note(Event::Hazard { hazard: index });
        }
        for victim in members(all) {
            self.strike_with(hazard, victim);
        }
    }

    /// Applies a hazard to one combatant, with separate rolls. Health that it gives back is given by no combatant.
    fn strike_with(&mut self, hazard: &'a Hazard, who: usize) {
        let given = self.counts(who).healed;
        let what = (hazard.resist.as_ref(), &hazard.effects[..]);
        self.apply_effects(who, who, bit(who), what, Hit::default(), None);
        self.counts(who).healed = given;
    }

    /// Begins and ends the effects of ground on a combatant that has moved (W-15).
    #[inline]
    fn apply_ground(&mut self, who: usize) {
        if !Self::PLAIN && !self.fight().grounds.is_empty() {
            self.change_ground_conditions(who);
        }
    }

    #[cold]
    #[inline(never)]
    fn change_ground_conditions(&mut self, who: usize) {
        let here = self.world().position(who);
        for ground in &self.fight().grounds {
            let is_there = ground.stretch.contains(here);
            let was_there = self
                .world()
                .affliction(who)
                .is_some_and(|all| all.has(ground.condition));
            if is_there && !was_there {
                self.begin_condition(ground.lasting(who as u8), who);
            } else if was_there && !is_there {
                self.end_conditions(who, &|lasting| lasting.condition == ground.condition);
            }
        }
    }

    /// Returns how the encounter has ended before any combatant acts in a Round: by a hazard, a condition or a goal.
    #[inline]
    fn decided_early(&self) -> Option<Ending> {
        if Self::PLAIN || self.constants().plain {
            return None;
        }
        let fight = self.fight();
        let may_be = self.has_conditions();
        if may_be || !fight.hazards.is_empty() || !fight.goals.is_empty() {
            self.decided()
        } else {
            None
        }
    }
}

impl<'a, S: Stage<'a> + ?Sized> Surroundings<'a> for S {}
