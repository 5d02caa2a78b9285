//! Policy lines as this clock asks them: what a line needs at every decision, in one place and in
//! few bytes. Lines that are rare are left as they are.

use crate::fight::{Combatant, Units, WeaponKind};
use crate::policy::program::{Comparison, Quantity, Test};
use crate::policy::{Action, Aim, Condition, Variable, WeaponChoice};

/// One line of a policy, by index among its decisions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    pub gate: Gate,
    pub aim: Aim,
    pub act: Act,
}

/// The condition of a line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Gate {
    /// None.
    Open,
    /// One variable against a constant.
    One {
        variable: Variable,
        range: Range,
        comparison: Comparison,
        constant: i64,
    },
    /// Whatever the line says.
    Full,
}

/// A comparison as a range of values, or all but that range: one form for all six operators, so
/// that asking takes no jump.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    low: i64,
    high: i64,
    outside: bool,
}

impl Range {
    fn of(comparison: Comparison, constant: i64) -> Self {
        let (low, high, outside) = match comparison {
            Comparison::Less => (constant, i64::MAX, true),
            Comparison::AtMost => (i64::MIN, constant, false),
            Comparison::Equal => (constant, constant, false),
            Comparison::NotEqual => (constant, constant, true),
            Comparison::AtLeast => (constant, i64::MAX, false),
            Comparison::Greater => (i64::MIN, constant, true),
        };
        Self { low, high, outside }
    }

    #[inline]
    pub(super) fn holds(self, value: i64) -> bool {
        (self.low..=self.high).contains(&value) != self.outside
    }
}

/// The action of a line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Act {
    /// `attack` and `desperate` with a weapon that is known beforehand.
    Attack {
        weapon: u8,
        arm: Arm,
        desperate: bool,
    },
    /// `advance` and `retreat`; without `stop` an advance ends at reach and a retreat never.
    Move {
        advance: bool,
        units: u16,
        stop: Option<Units>,
    },
    Set,
    /// Whatever the line says.
    Other,
}

/// A weapon, as far as choosing an attack goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arm {
    pub kind: WeaponKind,
    pub range: Units,
    pub attacks: u8,
}

impl Arm {
    pub(super) fn of(combatant: &Combatant, weapon: u8) -> Self {
        let weapon = &combatant.weapons[usize::from(weapon)];
        Self {
            kind: weapon.kind,
            range: weapon.range,
            attacks: weapon.offsets.len() as u8,
        }
    }
}

/// The orders of a combatant.
pub(super) fn orders(combatant: &Combatant) -> Vec<Order> {
    let attack = |choice: WeaponChoice, desperate: bool| {
        let weapon = match choice {
            WeaponChoice::Only(weapon) => weapon,
            WeaponChoice::First if combatant.weapons.len() == 1 => 0,
            WeaponChoice::First => return Act::Other,
        };
        Act::Attack {
            weapon,
            arm: Arm::of(combatant, weapon),
            desperate,
        }
    };
    let act = |action: &Action| match *action {
        Action::Attack(choice) => attack(choice, false),
        Action::Desperate(choice) => attack(choice, true),
        Action::Advance { units, to } => Act::Move {
            advance: true,
            units: units.unwrap_or(1),
            stop: to.map(|to| to as Units),
        },
        Action::Retreat { units, to } => Act::Move {
            advance: false,
            units: units.unwrap_or(1),
            stop: Some(to.map_or(Units::MAX, |to| to as Units)),
        },
        Action::Set => Act::Set,
        _ => Act::Other,
    };
    combatant
        .policy
        .decisions
        .iter()
        .map(|line| Order {
            gate: gate(&line.condition),
            aim: line.aim,
            act: act(&line.action),
        })
        .collect()
}

fn gate(condition: &Condition) -> Gate {
    use crate::policy::program::Next::{Accept, Reject};
    match condition.tests() {
        [] => Gate::Open,
        [
            Test {
                quantity: Quantity::Variable(variable),
                comparison,
                constant,
                then: Accept,
                otherwise: Reject,
            },
        ] => Gate::One {
            variable: *variable,
            range: Range::of(*comparison, *constant),
            comparison: *comparison,
            constant: *constant,
        },
        _ => Gate::Full,
    }
}
