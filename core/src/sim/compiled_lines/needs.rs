//! The needs of a policy line: of its action, and of its condition.

use super::{
    CLOSE, DISTANCE, ENEMIES, FactOf, HEALTH, IN_MELEE, MOST_TESTS, Need, PRONE, ROUND, in_hand,
};
use super::{TARGET_HEALTH, THREATENED, TRUTHS};
use crate::fight::program::{Amount, Comparison, Condition, Next};
use crate::fight::program::{Quantity, Test};
use crate::sim::prelude::*;

/// Whether the target of a line is the nearest enemy whenever it has one.
pub(super) fn is_about_nearest(combatant: &Combatant, line: &Line) -> bool {
    // A charge passes enemies that are too near for it, a ritual keeps its target, and a further part has its own.
    let keeps = match line.action {
        Action::Charge(_) => true,
        Action::Cast(spell) => combatant.spells[usize::from(spell)].is_ritual(),
        _ => false,
    };
    line.aim == Aim::Nearest && line.more.is_empty() && !keeps
}

/// Merges needs about bits of the same number.
pub(super) fn merged(needs: Vec<Need>) -> Vec<Need> {
    let mut all: Vec<Need> = Vec::with_capacity(needs.len());
    for need in needs {
        let both = all
            .iter_mut()
            .find_map(|other| Some((other.and(need)?, other)));
        match both {
            Some((both, other)) => *other = both,
            None => all.push(need),
        }
    }
    all
}

/// The needs of an action by the rules of every system.
pub(super) fn shared_needs(
    combatant: &Combatant,
    line: &Line,
    nearest: bool,
    needs: &mut Vec<Need>,
) {
    // The first part of a line may make the next one possible.
    if !line.more.is_empty() {
        return;
    }
    let step = match &line.action {
        Action::Attack(choice) | Action::Desperate(choice) => {
            needs.push(Need::none(TRUTHS, PRONE));
            if let Some(weapon) = only_weapon(combatant, *choice) {
                needs.push(in_hand(weapon));
                needs.push(Need::at_most(
                    DISTANCE,
                    combatant.weapons[weapon].farthest(),
                ));
            }
            return;
        }
        Action::Cast(spell) | Action::Channel { spell, .. } => {
            let spell = &combatant.spells[usize::from(*spell)];
            if !line.aim.is_friendly() && !spell.is_ritual() {
                needs.push(Need::at_most(DISTANCE, spell.farthest()));
            }
            return;
        }
        Action::Stand => {
            needs.push(Need::one(TRUTHS, PRONE));
            return;
        }
        Action::Advance(step) | Action::Retreat(step) => step,
        _ => return,
    };
    needs.push(Need::none(TRUTHS, PRONE));
    if !nearest {
        return;
    }
    let stop = match &step.to {
        None => None,
        Some(Amount::Fixed(units)) => Some(i32::try_from(*units).unwrap_or(Units::MAX)),
        // Worked out when the line is taken.
        Some(Amount::Sum(_)) => return,
    };
    match (&line.action, stop) {
        (Action::Advance(_), None) => needs.push(Need::none(TRUTHS, CLOSE)),
        (Action::Advance(_), Some(stop)) => {
            needs.push(Need::at_least(DISTANCE, stop.saturating_add(1)));
        }
        (_, Some(stop)) => needs.push(Need::at_most(DISTANCE, stop - 1)),
        (_, None) => {}
    }
}

/// The weapon of an attack, if only one is possible.
#[inline]
pub(crate) fn only_weapon(combatant: &Combatant, choice: Option<u8>) -> Option<usize> {
    let only = (combatant.weapons.len() == 1).then_some(0);
    choice.map(usize::from).or(only)
}

/// The only weapon of an attack, if its reach is always the same: then comparisons alone decide whether it strikes.
pub(crate) fn steady_weapon(combatant: &Combatant, choice: Option<u8>) -> Option<&Weapon> {
    let weapon = &combatant.weapons[only_weapon(combatant, choice)?];
    weapon.farthest.is_none().then_some(weapon)
}

/// One test of a condition as a need, with the next test if it is met and if it is not.
pub(super) type Compared = (Need, Next, Next);

/// The tests of a condition, if all of them are comparisons of facts.
pub(super) fn compared(
    combatant: &Combatant,
    condition: &Condition,
    nearest: bool,
    fact: FactOf,
) -> Option<Vec<Compared>> {
    let tests = condition.tests();
    if tests.len() > MOST_TESTS {
        return None;
    }
    let compared = |test: &Test| {
        let Quantity::Variable(variable) = test.quantity else {
            return None;
        };
        let (low, high) = match test.comparison {
            Comparison::Less => (i64::MIN, test.constant.saturating_sub(1)),
            Comparison::AtMost => (i64::MIN, test.constant),
            Comparison::Equal | Comparison::NotEqual => (test.constant, test.constant),
            Comparison::AtLeast => (test.constant, i64::MAX),
            Comparison::Greater => (test.constant.saturating_add(1), i64::MAX),
        };
        let need = need(combatant, variable, (low, high), nearest, fact)?;
        Some(match test.comparison {
            Comparison::NotEqual => (need, test.otherwise, test.then),
            _ => (need, test.then, test.otherwise),
        })
    };
    tests.iter().map(compared).collect()
}

/// A variable within a range as a need, if it is a fact.
fn need(
    combatant: &Combatant,
    variable: Variable,
    (low, high): (i64, i64),
    nearest: bool,
    fact: FactOf,
) -> Option<Need> {
    let number = |index| Some(Need::any(index));
    let truth = |bits| Some(Need::one(TRUTHS, bits));
    let fact = match variable {
        Variable::HpPercent if combatant.health_varies => return None,
        Variable::HpPercent => {
            // The share is rounded down: it is at least `percent` if health is at least that share of the start,
            // rounded up.
            let least = |percent: i64| match percent {
                i64::MIN | i64::MAX => percent,
                _ => percent
                    .saturating_mul(combatant.health.into())
                    .saturating_add(99)
                    .div_euclid(100),
            };
            let above = least(high.saturating_add(1));
            let range = (least(low), above.saturating_sub(1));
            return Some(Need::any(HEALTH).within(range));
        }
        Variable::Hp => number(HEALTH),
        Variable::Round => number(ROUND),
        Variable::Enemies => number(ENEMIES),
        Variable::NearestEnemyDistance => number(DISTANCE),
        Variable::Distance if nearest => number(DISTANCE),
        Variable::TargetHp if nearest => number(TARGET_HEALTH),
        Variable::InMelee => truth(IN_MELEE),
        Variable::TargetInReach if nearest => truth(IN_MELEE),
        Variable::Threatened => truth(THREATENED),
        Variable::Prone => truth(PRONE),
        Variable::InHand(weapon) => Some(in_hand(weapon.into())),
        other => fact(other),
    }?;
    Some(fact.within((low, high)))
}
