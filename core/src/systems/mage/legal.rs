//! Legality: whether a policy line is legal now, its action, and the dice of each part (MA-3, MA-5).

use super::act::Terms;
use super::choose::{ChosenAction, View};
use super::rules::Division;
use super::state::TurnActor;
use super::{Encounter, flags};
use crate::fight::check::Dice;
use crate::fight::world::Body;
use crate::sim::decide::weapon_within;
use crate::sim::deeds::legal_deed;
use crate::sim::items::to_draw;
use crate::sim::prelude::*;

/// The most feats that share an action.
const MOST_FEATS: usize = 8;

/// What only a combatant of this clock may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feats {
    /// One feat, and the dice that movement takes off its pool.
    One(Feat, i32),
    /// Several feats that share an action.
    Several(Divided),
    /// A turn of getting a clumsy weapon ready.
    Ready(u8),
}

/// The feats of one action, packed, because every choice has room for them and is copied often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Divided {
    kinds: [Deed; MOST_FEATS],
    /// The dice of each feat; [`NO_DICE`] for one without.
    dice: [u16; MOST_FEATS],
    /// The feats off which wounds have taken `wounds` dice, and the feats that are sure, one bit each.
    wounded: u8,
    sure: u8,
    wounds: u16,
    count: u8,
    /// Dice that movement takes off each pool.
    pub lost: i32,
}

/// More dice than any pool has.
const NO_DICE: u16 = u16::MAX;

/// A feat in the place of those that an action does not have.
const NO_FEAT: Feat = Feat {
    kind: Deed::Stand,
    dice: None,
    wounds: 0,
    sure: false,
};

/// One feat, and the dice that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Feat {
    pub kind: Deed,
    /// The dice to roll; `None` for a check that is not a pool, and for a feat without a check.
    pub dice: Option<u16>,
    /// The dice that wounds have taken off.
    pub wounds: u16,
    /// Whether a point of Willpower buys it a sure success (MD-4).
    pub sure: bool,
}

impl Feat {
    /// Returns the feat with the dice of one of its rolls: its part of a divided pool, or its pool less penalties.
    pub(super) fn of_roll(self, terms: Terms, pool: i64, wounds: i64) -> Self {
        let whole = (pool - wounds - i64::from(terms.lost)).max(0) as u16;
        let dice = self.dice.filter(|_| terms.divided).unwrap_or(whole);
        Self {
            dice: Some(dice),
            wounds: wounds as u16,
            ..self
        }
    }
}

impl Divided {
    fn new(feats: &[Feat; MOST_FEATS], count: usize, lost: i64) -> Self {
        let bits = |holds: fn(&Feat) -> bool| {
            (0..MOST_FEATS).fold(0, |all, at| all | u8::from(holds(&feats[at])) << at)
        };
        Self {
            kinds: feats.map(|feat| feat.kind),
            dice: feats.map(|feat| feat.dice.unwrap_or(NO_DICE)),
            wounded: bits(|feat| feat.wounds > 0),
            sure: bits(|feat| feat.sure),
            wounds: feats.iter().map(|feat| feat.wounds).max().unwrap_or(0),
            count: count as u8,
            lost: lost as i32,
        }
    }

    /// The number of its feats.
    pub(super) const fn count(&self) -> usize {
        self.count as usize
    }

    /// Returns the feats, in order, with room behind them.
    pub(super) fn feats(&self) -> [Feat; MOST_FEATS] {
        std::array::from_fn(|at| Feat {
            kind: self.kinds[at],
            dice: Some(self.dice[at]).filter(|dice| *dice != NO_DICE),
            wounds: u16::from(self.wounded >> at & 1) * self.wounds,
            sure: self.sure >> at & 1 == 1,
        })
    }
}

impl Feats {
    /// Returns the target of the action.
    #[inline]
    pub(super) fn target(&self) -> Option<usize> {
        match self {
            Self::One(feat, _) => feat.kind.target(),
            Self::Several(deed) => {
                let mut kinds = deed.kinds[..deed.count()].iter();
                kinds.find_map(|kind| kind.target())
            }
            Self::Ready(_) => None,
        }
    }
}

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Returns an action of one or several feats, if it is legal (MA-3, MA-5).
    pub(super) fn legal_action(
        &self,
        view: &View<'_>,
        line: &Line,
    ) -> Result<ChosenAction, Obstacle> {
        if view.actor.actions == 0 {
            return Err(Obstacle::NoAction);
        }
        if line.willpower.is_some() && !self.may_spend_willpower(view.who) {
            return Err(Obstacle::NoWillpower);
        }
        let several = !line.more.is_empty();
        if several && view.actor.flags.any(flags::DIVIDED) {
            return Err(Obstacle::Divided);
        }
        if let (Action::Draw(choice), false) = (&line.action, several) {
            let weapon = to_draw(*choice, view.combatant, view.body)?;
            if view.combatant.weapons[usize::from(weapon)].ready_turns > 0 {
                // Getting it ready takes a turn of its own.
                if view.actor.flags.any(flags::ACTED.and(flags::CLIMBED)) {
                    return Err(Obstacle::NoAction);
                }
                let check = &view.combatant.weapons[usize::from(weapon)].ready_check;
                let pool = check.as_ref().map(|dice| i64::from(dice.count));
                let enough = pool.is_none_or(|pool| pool > self.dice_lost(view.who));
                return if enough || self.turns_to_ready(view.who, weapon) > 0 {
                    Ok(ChosenAction::Own(Feats::Ready(weapon)))
                } else {
                    Err(Obstacle::NoDice)
                };
            }
        }
        let lost = self.dice_lost(view.who);
        if !several {
            let (mut feat, _) = self.feat(view, &line.action, line.aim, view.body, lost, false)?;
            feat.sure = line.willpower.is_some();
            // Willpower does not help a check that is not a pool.
            return if feat.dice == Some(0) || (feat.sure && feat.dice.is_none()) {
                Err(Obstacle::NoDice)
            } else {
                Ok(ChosenAction::Own(Feats::One(feat, lost as i32)))
            };
        }
        // Its weapons in hand, posture and uses left after the feats so far.
        let mut then = *view.body;
        let (mut feats, mut count) = ([NO_FEAT; MOST_FEATS], 0);
        // The smallest pool, before and after penalties.
        let mut smallest: Option<(i64, i64)> = None;
        for (action, aim) in line.feats() {
            let (mut feat, pools) = self.feat(view, action, aim, &then, lost, true)?;
            after(view.combatant, feat.kind, &mut then);
            feat.sure = line.willpower == Some(count as u8);
            if let Some((pool, left)) = pools {
                smallest = Some(smallest.map_or((pool, left), |(whole, least)| {
                    (whole.min(pool), least.min(left))
                }));
            }
            feats[count] = feat;
            count += 1;
        }
        let smallest = smallest.ok_or(Obstacle::NoDice)?;
        self.divide((&mut feats[..count], lost), &line.split, smallest)?;
        let deed = Divided::new(&feats, count, lost);
        Ok(ChosenAction::Own(Feats::Several(deed)))
    }

    /// Returns the first weapon in hand that reaches a target and has dice left to roll, with that target (MA-5).
    #[inline]
    fn weapon_for(
        &self,
        view: &View<'_>,
        (choice, aim): (Option<u8>, Aim),
        in_hand: u32,
        lost: i64,
        several: bool,
    ) -> Result<(u8, u8), Obstacle> {
        let lost = lost + self.wounds(view.who);
        // Only a pool can be divided.
        let fits = |weapon: &Weapon| match self.pool(view.who, &weapon.check, weapon.mastery) {
            Some(pool) if pool <= lost => Err(Obstacle::NoDice),
            None if several => Err(Obstacle::NoDice),
            _ => Ok(()),
        };
        let within = |range| self.aimed(view, aim, range);
        let reach_bonus = view.body.reach_bonus.into();
        weapon_within(view.combatant, choice, in_hand, reach_bonus, within, fits)
    }

    /// Returns an attack as the only feat of an action, if dice are left to roll (MA-5).
    #[inline]
    pub(super) fn single_attack(
        &self,
        who: usize,
        weapon: u8,
        target: u8,
    ) -> Result<ChosenAction, Obstacle> {
        let arms = &self.combatant(who).weapons[usize::from(weapon)];
        let (lost, wounds) = (self.dice_lost(who), self.wounds(who));
        let dice = match self.pool(who, &arms.check, arms.mastery) {
            None => None,
            Some(pool) if pool > lost + wounds => Some((pool - lost - wounds) as u16),
            Some(_) => return Err(Obstacle::NoDice),
        };
        let feat = Feat {
            kind: Deed::Attack { weapon, target },
            dice,
            wounds: wounds as u16,
            sure: false,
        };
        Ok(ChosenAction::Own(Feats::One(feat, lost as i32)))
    }

    /// Divides the smallest pool (MA-3): evenly, with the first feats taking the odd dice, or as the line says.
    fn divide(
        &self,
        (feats, lost): (&mut [Feat], i64),
        split: &[u8],
        (whole, left): (i64, i64),
    ) -> Result<(), Obstacle> {
        let after = self.plan.rules.division == Division::AfterPenalties;
        let pool = if after { left } else { whole };
        let parts = feats.len() as i64;
        let wanted = split.iter().map(|dice| i64::from(*dice)).sum::<i64>();
        if pool < wanted.max(parts) {
            return Err(Obstacle::NoDice);
        }
        for (index, feat) in feats.iter_mut().enumerate() {
            let mut dice = match split.get(index) {
                Some(dice) => i64::from(*dice),
                None => pool / parts + i64::from((index as i64) < pool % parts),
            };
            if !after && feat.dice.is_some() {
                dice -= i64::from(feat.wounds) + lost;
            }
            if dice < 1 {
                return Err(Obstacle::NoDice);
            }
            feat.dice = feat.dice.map(|_| dice as u16);
        }
        Ok(())
    }

    /// Returns one feat with all the dice that it could have, and its pool before and after penalties.
    fn feat(
        &self,
        view: &View<'_>,
        action: &Action,
        aim: Aim,
        then: &Body<TurnActor>,
        lost: i64,
        several: bool,
    ) -> Result<(Feat, Option<(i64, i64)>), Obstacle> {
        let (kind, pool) = self.kind(view, action, aim, then, lost, several)?;
        let item = match kind {
            Deed::Use { item, .. } => Some(&view.combatant.items[usize::from(item)]),
            _ => None,
        };
        let check = item.and_then(|item| item.power.check.as_ref());
        let wounds = if check.is_some() || matches!(kind, Deed::Attack { .. }) {
            self.wounds(view.who)
        } else {
            0
        };
        let with = |pool: i64, wounds: i64| (pool, pool - wounds - lost);
        // An item may take one roll to get it ready, without wounds, and another to use it.
        let ready = pool.map(|pool| with(pool, if item.is_some() { 0 } else { wounds }));
        let used = check.map(|check| self.pool(view.who, check, 0));
        if several && used == Some(None) {
            return Err(Obstacle::NoDice);
        }
        let pools = match (ready, used.flatten().map(|pool| with(pool, wounds))) {
            (Some(ready), Some(used)) => Some((ready.0.min(used.0), ready.1.min(used.1))),
            (ready, used) => ready.or(used),
        };
        let feat = Feat {
            kind,
            dice: pools.map(|(_, left)| left.max(0) as u16),
            wounds: wounds as u16,
            sure: false,
        };
        Ok((feat, pools))
    }

    /// Returns a feat with its pool, if it is rolled.
    fn kind(
        &self,
        view: &View<'_>,
        action: &Action,
        aim: Aim,
        then: &Body<TurnActor>,
        lost: i64,
        several: bool,
    ) -> Result<(Deed, Option<i64>), Obstacle> {
        let dice = |check: &Option<Dice>| check.as_ref().map(|dice| i64::from(dice.count));
        let combatant = self.combatant(view.who);
        let attack = |choice| self.weapon_for(view, (choice, aim), then.in_hand, lost, several);
        let cast = |spell: usize| {
            // A ritual goes on at its target as long as that stands (W-4).
            view.actor
                .ritual
                .filter(|ritual| usize::from(ritual.spell) == spell)
                .map(|ritual| usize::from(ritual.target))
                .filter(|&kept| self.may_be_target(kept, aim))
                .or_else(|| self.select(view.who, aim, 0, combatant.spells[spell].farthest()))
        };
        let within = |range| self.aimed(view, aim, range);
        let kind = legal_deed(action, combatant, then, attack, cast, within)?;
        let pool = match kind {
            Deed::Attack { weapon, .. } => {
                let arms = &combatant.weapons[usize::from(weapon)];
                self.pool(view.who, &arms.check, arms.mastery)
            }
            Deed::Cast { spell, .. } => {
                let check = combatant.spells[usize::from(spell)].check.as_ref();
                check.and_then(|check| self.pool(view.who, check, 0))
            }
            Deed::Draw(weapon) => {
                let arms = &combatant.weapons[usize::from(weapon)];
                if several && arms.ready_turns > 0 {
                    return Err(Obstacle::Clumsy);
                }
                dice(&arms.ready_check)
            }
            Deed::Use { item, .. } => dice(&combatant.items[usize::from(item)].ready_check),
            Deed::Stand => None,
        };
        Ok((kind, pool))
    }
}

/// Changes weapons in hand, posture and uses left as a feat does.
fn after(combatant: &Combatant, kind: Deed, then: &mut Body<TurnActor>) {
    match kind {
        Deed::Attack { weapon, .. } => {
            if let Some(charges) = combatant.charges(weapon.into()) {
                then.uses[charges] -= 1;
                if then.uses[charges] == 0 {
                    then.in_hand &= !(1 << weapon);
                }
            }
        }
        Deed::Draw(weapon) => then.in_hand |= 1 << weapon,
        Deed::Use { item, .. } => then.uses[usize::from(item)] -= 1,
        Deed::Stand => then.prone = false,
        Deed::Cast { .. } => {}
    }
}
