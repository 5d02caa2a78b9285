//! Legality: whether a policy line's action is legal and affordable now, and its target (TC-5 to TC-17).

use super::choose::ChosenAction;
use super::rules::CarryOver;
use super::view::{CAN_CAR, CAN_WALK, FULL, MARKS, READY, View, flag_bits};
use super::{Encounter, Plan, flags};
use crate::fight::program::Move;
use crate::sim::compiled_lines::{
    DISTANCE, IN_MELEE, Need, PRONE, TRUTHS, only_weapon, steady_weapon,
};
use crate::sim::prelude::*;
use crate::sim::stage::MOST_FREE_ACTIONS;

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Returns a deed that most systems have, if it is legal and affordable (TC-5, TC-12).
    pub(super) fn legal_deed(&self, view: &View<'_>, line: &Line) -> Result<Deed, Obstacle> {
        if matches!(line.action, Action::Cast(_)) {
            view.affords(Cost::Full)?;
        }
        let deed = view.deed(&line.action, |range| self.aimed(view, line.aim, range))?;
        match deed {
            Deed::Use { item, .. } => {
                let cost = view.combatant.items[usize::from(item)].cost;
                if cost == Cost::Free && view.actor.free_actions >= MOST_FREE_ACTIONS {
                    return Err(Obstacle::TooManyFree);
                }
                self.affords_or_owes(view, cost)?;
            }
            Deed::Draw(_) | Deed::Stand => self.affords_or_owes(view, Cost::Quarter)?,
            Deed::Attack { .. } | Deed::Cast { .. } => {}
        }
        Ok(deed)
    }

    /// Checks that the Marks left pay for an action that is neither an attack nor a Set or, as an option, that the next
    /// Score may pay the rest (TC-5).
    pub(super) fn affords_or_owes(&self, view: &View<'_>, cost: Cost) -> Result<(), Obstacle> {
        let owes = self.plan.rules.carry_over == CarryOver::Any
            && matches!(cost, Cost::Quarter | Cost::Half)
            && view.actor.marks >= 1;
        if owes { Ok(()) } else { view.affords(cost) }
    }

    /// Returns an attack, if it is legal (TC-8 to TC-11).
    #[inline]
    pub(super) fn legal_attack(
        &self,
        view: &View<'_>,
        aim: Aim,
        choice: Option<u8>,
        desperate: bool,
    ) -> Result<ChosenAction, Obstacle> {
        self.may_attack(view)?;
        first_legal(view, choice, |weapon| {
            self.legal_with(view, aim, weapon, desperate)
        })
    }

    /// Checks the requirements of every attack action (TC-5, TC-8).
    #[inline(always)]
    pub(super) fn may_attack(&self, view: &View<'_>) -> Result<(), Obstacle> {
        if view.body.prone {
            return Err(Obstacle::Prone);
        }
        if view.actor.attack_actions >= self.plan.rules.attack_actions {
            return Err(Obstacle::NoAttackLeft);
        }
        view.affords(Cost::Full)
    }

    fn legal_with(
        &self,
        view: &View<'_>,
        aim: Aim,
        index: u8,
        desperate: bool,
    ) -> Result<ChosenAction, Obstacle> {
        let weapon = &view.combatant.weapons[usize::from(index)];
        if view.body.in_hand & (1 << index) == 0 || (desperate && weapon.kind != WeaponKind::Ranged)
        {
            return Err(Obstacle::NoWeapon);
        }
        let target = self.target(view, aim, self.range(view.who, index.into()))?;
        let flags = view.actor.flags;
        let needs_set = match weapon.kind {
            WeaponKind::Melee => flags.any(flags::MELEE_UNSET),
            WeaponKind::Ranged => flags.any(flags::SHOT_UNSET) && !view.profile.fires_unset,
            WeaponKind::Thrown => false,
        };
        if needs_set != desperate {
            return Err(if desperate {
                Obstacle::NeedsNoSet
            } else {
                Obstacle::NeedsSet
            });
        }
        Ok(self.volley(view, index, target, desperate))
    }

    /// Returns a move, if it is legal. Its distances may depend on the target (W-3).
    pub(super) fn legal_step(
        &self,
        view: &View<'_>,
        aim: Aim,
        step: &Move,
        advance: bool,
    ) -> Result<ChosenAction, Obstacle> {
        may_walk(view)?;
        let target = self.target(view, aim, Units::MAX)?;
        let foe = usize::from(target);
        let (stop, units) = self.distances(view, foe, step, advance)?;
        if !self.plan.fight.grounds.is_empty() {
            self.may_pay(view, foe, advance)?;
        }
        Ok(ChosenAction::Move {
            target,
            advance,
            units,
            stop,
        })
    }

    /// Checks that Marks and Land Speed pay for the first Unit of a move (W-15).
    #[cold]
    #[inline(never)]
    fn may_pay(&self, view: &View<'_>, foe: usize, advance: bool) -> Result<(), Obstacle> {
        let to = self.unit_of_move(view.who, foe, advance);
        match to {
            Some(to) if !self.pays(view.who, to) => Err(Obstacle::Marks),
            Some(to) if view.move_left() < self.toll(to) => Err(Obstacle::NoMoveLeft),
            _ => Ok(()),
        }
    }

    /// Returns the target of a move at one instant: an enemy beyond `reach` that Land Speed leads to, over any ground
    /// (W-4, W-15).
    pub(super) fn select_on_the_way(
        &self,
        view: &View<'_>,
        aim: Aim,
        reach: Units,
        farthest: Units,
    ) -> Option<usize> {
        let mut enemies = self.enemies(view.who);
        if !self.plan.fight.grounds.is_empty() {
            let leads_there =
                |foe: &usize| self.way_takes(view.who, *foe, reach) <= view.move_left();
            enemies = set_of(members(enemies).filter(leads_there));
        }
        self.select_of(enemies, view.who, aim, (reach + 1, farthest))
    }

    /// Returns whether a CAR move may lead to `target`: it stands within the radius and, where such a move takes Land
    /// Speed, enough is left (TC-16).
    pub(super) fn car_leads_to(&self, view: &View<'_>, target: usize) -> bool {
        self.reaches(view.who, target, view.profile.car)
            && (!self.plan.rules.car_counts_as_move
                || self.way_takes(view.who, target, view.body.reach) <= view.move_left())
    }

    /// Returns the target of a CAR move (TC-16).
    pub(super) fn select_for_car(&self, view: &View<'_>, aim: Aim) -> Option<usize> {
        let mut enemies = self.enemies(view.who);
        if self.plan.rules.car_counts_as_move {
            enemies = set_of(members(enemies).filter(|foe| self.car_leads_to(view, *foe)));
        }
        let range = (view.body.reach + 1, view.profile.car);
        self.select_of(enemies, view.who, aim, range)
    }

    /// Returns a CAR move with its target, if it is legal (TC-16).
    pub(super) fn legal_car(&self, view: &View<'_>, aim: Aim) -> Result<ChosenAction, Obstacle> {
        self.may_car(view)?;
        let target = self.select_for_car(view, aim).ok_or(Obstacle::NoTarget)?;
        Ok(ChosenAction::Car {
            target: target as u8,
        })
    }

    /// Returns the target of a CAR move that was chosen for `target` (TC-16). Tied enemies may have fallen or moved
    /// since then (W-5): one that came to meet the mover is met, and one that is out of reach by now is replaced by the
    /// same rule (W-4). Another enemy that has come near does not change what was chosen.
    pub(super) fn car_target(&self, who: usize, target: usize, aim: Aim) -> Option<usize> {
        let view = self.view(who);
        // A reaction to a tied combatant may have used the CAR move.
        if view.actor.cars >= self.plan.rules.car_per_round {
            return None;
        }
        if self.reaches(who, target, view.body.reach) {
            return Some(target);
        }
        if view.body.prone || self.melee_weapon(&view, 0).is_none() {
            return None;
        }
        if self.car_leads_to(&view, target) {
            Some(target)
        } else {
            self.select_for_car(&view, aim)
        }
    }

    /// Checks the conditions of a CAR move, chosen or in reaction, apart from its target (TC-16).
    pub(super) fn may_car(&self, view: &View<'_>) -> Result<(), Obstacle> {
        if view.body.prone {
            return Err(Obstacle::Prone);
        }
        if view.actor.cars >= self.plan.rules.car_per_round {
            return Err(Obstacle::Used);
        }
        if view.in_melee() {
            return Err(Obstacle::InMelee);
        }
        if self.melee_weapon(view, 0).is_none() {
            return Err(Obstacle::NoWeapon);
        }
        Ok(())
    }

    /// Returns a charge, if it is legal (TC-17).
    pub(super) fn legal_charge(
        &self,
        view: &View<'_>,
        aim: Aim,
        choice: Option<u8>,
    ) -> Result<ChosenAction, Obstacle> {
        if view.body.prone {
            return Err(Obstacle::Prone);
        }
        if view.actor.charges >= self.plan.rules.charges_per_round {
            return Err(Obstacle::Used);
        }
        view.affords(Cost::Quarter)?;
        first_legal(view, choice, |weapon| {
            let arms = &view.combatant.weapons[usize::from(weapon)];
            if arms.kind != WeaponKind::Melee || view.body.in_hand & (1 << weapon) == 0 {
                return Err(Obstacle::NoWeapon);
            }
            let reach = self.range(view.who, weapon.into());
            let farthest = reach.saturating_add(view.move_left());
            let target = self
                .select_on_the_way(view, aim, reach, farthest)
                .ok_or(Obstacle::NoTarget)?;
            Ok(ChosenAction::Charge {
                target: target as u8,
                weapon,
            })
        })
    }

    /// Returns an attack with its number of attacks, and whether mastery counts (TC-9 to TC-11).
    #[inline]
    pub(super) fn volley(
        &self,
        view: &View<'_>,
        weapon: u8,
        target: u8,
        desperate: bool,
    ) -> ChosenAction {
        let arms = &view.combatant.weapons[usize::from(weapon)];
        let flags = view.actor.flags;
        let (single, mastery) = if arms.kind == WeaponKind::Melee {
            (flags.any(flags::ENTERED), true)
        } else {
            let spoiled = flags.any(flags::SPOILED) || desperate;
            (spoiled || flags.any(flags::UNSETTLED), !spoiled)
        };
        let set = if arms.spacings.is_empty() {
            arms.offsets.len() as u8
        } else {
            self.changed_set(view.who, arms)
        };
        let mut attacks = if single { 1 } else { set };
        if arms.uses.is_some()
            && let Some(charges) = view.combatant.charges(weapon.into())
        {
            attacks = attacks.min(view.body.uses[charges].min(u8::MAX.into()) as u8);
        }
        ChosenAction::Attack {
            target,
            weapon,
            attacks,
            set,
            mastery,
            desperate,
        }
    }

    /// Returns the attacks of a full set with those that conditions add: at least 1, and no more than there is a
    /// spacing for, where conditions add any (TC-8).
    #[cold]
    #[inline(never)]
    fn changed_set(&self, who: usize, arms: &Weapon) -> u8 {
        let usual = arms.offsets.len() as i32;
        let more = self.world().change(who, Number::Attacks);
        let wanted = (usual + more).clamp(1, arms.spacings.len() as i32) as u8;
        arms.spacing(wanted).len() as u8
    }

    /// Returns the first melee weapon in hand that reaches `distance`.
    pub(super) fn melee_weapon(&self, view: &View<'_>, distance: Units) -> Option<u8> {
        view.combatant
            .weapons
            .iter()
            .enumerate()
            .position(|(index, weapon)| {
                weapon.kind == WeaponKind::Melee
                    && view.body.in_hand & (1 << index) != 0
                    && self.range(view.who, index) >= distance
            })
            .map(|index| index as u8)
    }
}

/// Returns the action with the chosen weapon or, if none is chosen, with the first weapon for which it is legal.
#[inline(always)]
fn first_legal(
    view: &View<'_>,
    choice: Option<u8>,
    legal: impl Fn(u8) -> Result<ChosenAction, Obstacle>,
) -> Result<ChosenAction, Obstacle> {
    if let Some(weapon) = choice {
        return legal(weapon);
    }
    let mut why = Obstacle::NoWeapon;
    for weapon in 0..view.combatant.weapons.len() as u8 {
        match legal(weapon) {
            Err(Obstacle::NoWeapon) => {}
            Err(other) => why = other,
            Ok(what) => return Ok(what),
        }
    }
    Err(why)
}

/// Adds the least that an action needs, as comparisons of facts; none is stricter than [`Encounter::legal`]. Returns
/// whether the rules ask nothing more of an action about the nearest enemy.
pub(super) fn needs(plan: &Plan, who: usize, line: &Line, needs: &mut Vec<Need>) -> bool {
    let (combatant, profile) = (&plan.fight.combatants[who], &plan.profiles[who]);
    let broken = flag_bits(flags::BROKEN);
    match &line.action {
        Action::Attack(choice) | Action::Desperate(choice) => {
            let desperate = matches!(line.action, Action::Desperate(_));
            let kind = only_weapon(combatant, *choice).map(|weapon| combatant.weapons[weapon].kind);
            let unset = match kind {
                Some(WeaponKind::Melee) => flags::MELEE_UNSET,
                Some(WeaponKind::Ranged) if !profile.fires_unset => flags::SHOT_UNSET,
                _ => Flags::NONE,
            };
            let against = flags::SPENT.and(flags::BROKEN);
            if desperate {
                needs.push(Need::none(TRUTHS, flag_bits(against)));
                if unset != Flags::NONE {
                    needs.push(Need::one(TRUTHS, flag_bits(unset)));
                }
            } else {
                needs.push(Need::none(TRUTHS, flag_bits(against.and(unset))));
            }
            needs.push(Need::one(TRUTHS, FULL));
            return steady_weapon(combatant, *choice).is_some()
                && (!desperate || kind == Some(WeaponKind::Ranged) && unset != Flags::NONE);
        }
        Action::Set => {
            needs.push(Need::none(TRUTHS, PRONE | READY));
            needs.push(Need::at_least(MARKS, profile.costs.quarter));
            needs.push(Need::none(TRUTHS, broken));
            return true;
        }
        Action::Advance(step) | Action::Retreat(step) => {
            needs.push(Need::one(TRUTHS, CAN_WALK));
            let is_difficult = plan.fight.is_difficult();
            return !is_difficult && step.is_fixed() && step.committed(|_| 0).is_some();
        }
        Action::Cast(_) => {
            needs.push(Need::one(TRUTHS, FULL));
            needs.push(Need::none(TRUTHS, broken));
        }
        Action::Channel { .. } => {
            needs.push(Need::none(TRUTHS, broken | flag_bits(flags::STIRRED)));
        }
        Action::Car => {
            needs.push(Need::one(TRUTHS, CAN_CAR));
            needs.push(Need::none(TRUTHS, PRONE | IN_MELEE));
            needs.push(Need::at_most(DISTANCE, profile.car));
        }
        Action::Charge(_) => {
            needs.push(Need::at_least(MARKS, profile.costs.quarter));
            needs.push(Need::none(TRUTHS, PRONE));
            needs.push(Need::none(TRUTHS, broken));
            let farthest = combatant
                .farthest_reach()
                .saturating_add(profile.most_speed);
            needs.push(Need::at_most(DISTANCE, farthest));
        }
        Action::Wait(marks) => {
            needs.push(Need::at_least(MARKS, Marks::from(*marks)));
            return true;
        }
        Action::Pass => return true,
        _ => {}
    }
    false
}

/// Checks the conditions of any walk (TC-6).
#[inline(always)]
fn may_walk(view: &View<'_>) -> Result<(), Obstacle> {
    if view.body.prone {
        return Err(Obstacle::Prone);
    }
    if view.actor.marks < 1 {
        return Err(Obstacle::Marks);
    }
    if view.move_left() < 1 {
        return Err(Obstacle::NoMoveLeft);
    }
    Ok(())
}

/// Checks a Set: something must be un-set; for melee, an enemy must be in reach (TC-9, TC-10).
#[inline(always)]
pub(super) fn legal_set(view: &View<'_>) -> Result<ChosenAction, Obstacle> {
    view.affords(Cost::Quarter)?;
    if view.body.prone {
        return Err(Obstacle::Prone);
    }
    if is_ready(view) {
        Err(Obstacle::NeedsNoSet)
    } else {
        Ok(ChosenAction::Set)
    }
}

/// Checks an action after a broken Channel, which leaves only movement and free actions (TC-15).
pub(super) fn after_broken_channel(view: &View<'_>, action: &Action) -> Result<(), Obstacle> {
    let left = match action {
        Action::Advance(_)
        | Action::Retreat(_)
        | Action::Wait(_)
        | Action::Leave(_)
        | Action::Pass
        | Action::Car => true,
        Action::Use(item) => view.combatant.items[usize::from(*item)].cost == Cost::Free,
        _ => false,
    };
    if left { Ok(()) } else { Err(Obstacle::Broken) }
}

/// Returns whether a Set would have no use now (TC-9, TC-10, TC-14). For melee it has a use if an enemy is in reach.
#[inline]
pub(super) fn is_ready(view: &View<'_>) -> bool {
    let useful = view.profile.would_set(view.body.in_hand);
    let unset = view.actor.flags.among(useful);
    let helps = unset.any(flags::SHOT_UNSET.and(flags::SKILL_UNSET))
        || (unset.any(flags::MELEE_UNSET) && view.in_melee());
    !helps
}
