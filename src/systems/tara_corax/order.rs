//! Compiled policy lines: the values that a decision needs, adjacent and in few bytes. Rare lines stay as they
//! are.

use super::Profile;
use super::state::{Actor, Flags};
use crate::fight::Variable;
use crate::fight::program::{Action, Aim, Condition, Move, WeaponChoice};
use crate::fight::program::{Comparison, Next, Quantity, Test};
use crate::fight::{Combatant, Marks, Units, WeaponKind};

/// One line of a policy, by index among its decisions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Order {
    pub gate: Gate,
    pub aim: Aim,
    pub act: Act,
    pub at_least: AtLeast,
}

/// What must hold at least for a line to be taken: a few comparisons that spare most lines the rest.
/// Never stricter than the rules.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AtLeast {
    /// Marks left, unless it is a Full Action and the Round's first (TC-5).
    marks: i16,
    full: bool,
    /// None of these.
    none: Flags,
    /// One of these, if there are any.
    one: Flags,
}

impl AtLeast {
    const NOTHING: Self = Self {
        marks: 0,
        full: false,
        none: Flags::NONE,
        one: Flags::NONE,
    };

    #[inline]
    pub(super) fn holds(self, actor: &Actor) -> bool {
        let flags = actor.flags;
        (actor.marks >= Marks::from(self.marks) || (self.full && !flags.any(Flags::ACTED)))
            && !flags.any(self.none)
            && (self.one == Flags::NONE || flags.any(self.one))
    }

    fn of(act: &Act, profile: &Profile) -> Self {
        match act {
            Act::Attack { arm, desperate, .. } => {
                let unset = match arm.kind {
                    WeaponKind::Melee => Flags::MELEE_UNSET,
                    WeaponKind::Ranged if !profile.fires_unset => Flags::SHOT_UNSET,
                    WeaponKind::Ranged | WeaponKind::Thrown => Flags::NONE,
                };
                let (none, one) = if *desperate {
                    (Flags::NONE, unset)
                } else {
                    (unset, Flags::NONE)
                };
                Self {
                    marks: profile.costs.full as i16,
                    full: true,
                    none: none.and(Flags::SPENT),
                    one,
                }
            }
            Act::Move { .. } => Self {
                marks: 1,
                ..Self::NOTHING
            },
            Act::Set => Self {
                marks: profile.costs.quarter as i16,
                one: Flags::UNSET,
                ..Self::NOTHING
            },
            Act::Other => Self::NOTHING,
        }
    }
}

/// The condition of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Gate {
    /// None.
    Open,
    /// Two such comparisons, both to hold.
    Two([(Variable, Range); 2]),
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
#[derive(Debug, Clone, Copy, PartialEq)]
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
#[derive(Debug, Clone, Copy, PartialEq)]
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
#[derive(Debug, Clone, Copy, PartialEq)]
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
pub(super) fn orders(combatant: &Combatant, profile: &Profile) -> Vec<Order> {
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
    let fixed = |step: &Move, advance: bool, stop: Option<Units>| {
        let units = step.committed(|_| 0).filter(|_| step.is_fixed());
        units.map_or(Act::Other, |units| Act::Move {
            advance,
            units,
            stop,
        })
    };
    let act = |action: &Action| match action {
        Action::Attack(choice) => attack(*choice, false),
        Action::Desperate(choice) => attack(*choice, true),
        Action::Advance(step) => {
            let to = step.to.as_ref();
            let stop = to.and_then(|_| step.stop(0, |_| 0));
            fixed(step, true, stop)
        }
        Action::Retreat(step) => fixed(step, false, step.stop(Units::MAX, |_| 0)),
        Action::Set => Act::Set,
        _ => Act::Other,
    };
    combatant
        .policy
        .decisions
        .iter()
        .map(|line| {
            let act = act(&line.action);
            let at_least = AtLeast::of(&act, profile);
            Order {
                gate: gate(&line.condition),
                aim: line.aim,
                act,
                at_least,
            }
        })
        .collect()
}

/// Most lines have no condition, one comparison, or two that must both hold; `not` may have turned
/// the branches of any of them round.
fn gate(condition: &Condition) -> Gate {
    let both = |test: &Test, on: Next| match test.quantity {
        Quantity::Variable(variable) if test.then == on && test.otherwise == Next::Reject => {
            Some((variable, test.comparison, test.constant))
        }
        Quantity::Variable(variable) if test.then == Next::Reject && test.otherwise == on => {
            Some((variable, test.comparison.opposite(), test.constant))
        }
        _ => None,
    };
    let ranged = |(variable, comparison, constant)| (variable, Range::of(comparison, constant));
    match condition.tests() {
        [] => Gate::Open,
        [test] => {
            both(test, Next::Accept).map_or(Gate::Full, |(variable, comparison, constant)| {
                let range = Range::of(comparison, constant);
                Gate::One {
                    variable,
                    range,
                    comparison,
                    constant,
                }
            })
        }
        [first, second] => match (both(first, Next::Test(1)), both(second, Next::Accept)) {
            (Some(first), Some(second)) => Gate::Two([ranged(first), ranged(second)]),
            _ => Gate::Full,
        },
        _ => Gate::Full,
    }
}
