//! Checks: `{ dice, bonus }`, `{ pool, difficulty, ... }` or `{ skill, ... }`.

use super::diagnostics::Diagnostic;
use super::gear::{GREATEST, notation, nothing};
use super::node::Node;
use super::reader::{self, Reader};
use crate::dice::pool::{Botch, Named, Ones, Tens};
use crate::dice::{Notation, PlainSum, Storyteller};
use crate::fight::check::{Check, PoolDice};
use crate::fight::health::Roll;

/// Most dice of a pool in a fight.
const MOST_DICE: i64 = 100;

/// Reads a check; a weapon's `mastery` is part of what a pool may have to hold.
pub(super) fn check(node: &Node, mastery: i64, problems: &mut Vec<Diagnostic>) -> Check {
    let nothing = || Check::RollOver { roll: nothing() };
    if node.table().is_none() {
        problems.push(reader::wrong_kind(node, "check", "a table").help(
            "written like `check = { dice = \"2d10\", bonus = 9 }`, \
                 `check = { pool = 6, difficulty = 7 }` or `check = { skill = 55 }`",
        ));
        return nothing();
    }
    let Some(mut table) = Reader::open(node, "`check`", problems) else {
        return nothing();
    };
    let check = if table.has("pool") {
        pool(&mut table, mastery)
    } else if table.has("skill") {
        let skill = table.integer("skill", -GREATEST..=GREATEST);
        let ignores = table.choice("critical", &[("ignores-armor", true), ("none", false)]);
        skill.map(|skill| Check::Percentile {
            skill,
            critical_ignores_armor: ignores != Some(false),
        })
    } else {
        roll_over(&mut table)
    };
    table.finish(problems);
    check.unwrap_or_else(nothing)
}

fn roll_over(table: &mut Reader<'_>) -> Option<Check> {
    let dice = table.needed("dice");
    let bonus = table.integer("bonus", -GREATEST..=GREATEST).unwrap_or(0);
    let entry = dice?;
    match notation(&entry.node, "dice") {
        Ok((text, notation)) => {
            if let Some(roll) = with_bonus(text, notation, bonus) {
                return Some(Check::RollOver { roll });
            }
            table.complain(Diagnostic::error(
                entry.node.span,
                "the bonus cannot be added to these dice",
                "expected dice to which a number may be added",
            ));
        }
        Err(problem) => table.complain(problem),
    }
    None
}

fn pool(table: &mut Reader<'_>, mastery: i64) -> Option<Check> {
    let pool = table.needed_integer("pool", 0..=MOST_DICE);
    let difficulty = table.integer("difficulty", 2..=10);
    let required = table.integer("required", 1..=MOST_DICE);
    let tens = table.choice("tens", Tens::ALL);
    let ones = table.choice("ones", Ones::ALL);
    let ones_on_explosion = table.choice("ones_on_explosion", Ones::ALL);
    let botch = table.choice("botch", Botch::ALL);
    let extra_damage = table.integer("extra_damage", 0..=GREATEST).unwrap_or(0);
    let dice = pool?;
    let house = Storyteller::new(dice as u32, difficulty.unwrap_or(6) as u32);
    let rules = Storyteller {
        tens: tens.unwrap_or(house.tens),
        ones: ones.unwrap_or(house.ones),
        ones_on_explosion: ones_on_explosion.unwrap_or(house.ones_on_explosion),
        botch: botch.unwrap_or(house.botch),
        required: required.unwrap_or(1) as u32,
        ..house
    };
    let with = |dice: i64| {
        let dice = dice.clamp(0, MOST_DICE) as u32;
        PoolDice::new(&Storyteller {
            pool: dice,
            ..rules
        })
    };
    match (with(dice), with(dice + mastery)) {
        (Ok(plain), Ok(mastered)) => Some(Check::Pool {
            plain: plain.into(),
            mastered: mastered.into(),
            extra_damage,
        }),
        (Err(wrong), _) | (_, Err(wrong)) => {
            let span = table.span();
            table.complain(Diagnostic::error(
                span,
                wrong.to_string(),
                "this pool cannot be",
            ));
            None
        }
    }
}

fn with_bonus(text: &str, notation: Notation, bonus: i64) -> Option<Roll> {
    if let Some(sum) = notation.as_sum() {
        return Some(Roll::Sum(PlainSum {
            bonus: sum.bonus.checked_add(bonus)?,
            ..sum
        }));
    }
    if bonus == 0 {
        return Some(notation.into());
    }
    Notation::parse(&format!("{text} {bonus:+}"))
        .ok()
        .map(Roll::from)
}
