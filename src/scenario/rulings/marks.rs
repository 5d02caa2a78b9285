//! The rulings of Tara-Corax.

use std::collections::BTreeMap;

use super::{Rulings, initiative};
use crate::dice::initiative::Explode;
use crate::fight::Marks;
use crate::fight::system::Clock;
use crate::scenario::diagnostics::Diagnostic;
use crate::scenario::node::{Node, Value};
use crate::scenario::reader::{self, Reader};
use crate::sim::initiative::Dice;
use crate::systems::tara_corax::rules::{
    ALWAYS, CarryOver, Costs, DelayHalf, Initiative, MOST_MARKS, Round, Rules,
};

/// TC-8's table: attacks spaced evenly over the Marks of a Full Action, to the nearest Mark, half a Mark
/// down. With 15 Marks they are 7, 5, 4 and 3 apart; the text's chart has a slip in its fourth row.
pub(super) fn spaced_evenly(full: Marks) -> BTreeMap<usize, Vec<u8>> {
    (1..=5_u8)
        .map(|attacks| {
            let (full, attacks) = (full as u8, attacks);
            let spacing = (2 * full).saturating_sub(attacks).div_ceil(2 * attacks);
            let offsets = (0..attacks).map(|attack| attack * spacing.max(1));
            (attacks.into(), offsets.collect())
        })
        .collect()
}

/// Reads `costs`: the costs of the categories of actions (TC-5).
fn costs(mut table: Reader<'_>, problems: &mut Vec<Diagnostic>) -> Costs {
    let mut costs = Costs::DEFAULT;
    let mut last = 1;
    for (key, cost) in [
        ("quarter", &mut costs.quarter),
        ("half", &mut costs.half),
        ("full", &mut costs.full),
    ] {
        if let Some(marks) = table.integer(key, 1..=MOST_MARKS.into()) {
            *cost = marks as Marks;
        }
    }
    let ordered = [
        ("quarter", costs.quarter),
        ("half", costs.half),
        ("full", costs.full),
    ];
    for (key, cost) in ordered {
        if cost < last {
            let entry = table.entry(key);
            let span = entry.map_or(table.span(), |entry| entry.node.span);
            table.complain(
                Diagnostic::error(
                    span,
                    format!("`costs.{key}` is less than a smaller action costs"),
                    format!("expected at least {last}"),
                )
                .help("a Quarter Action costs no more than a Half, and a Half no more than a Full Action"),
            );
        }
        last = last.max(cost);
    }
    table.finish(problems);
    costs
}

/// Reads the rulings of this clock.
pub(super) fn read(
    table: &mut Reader<'_>,
    rules: &mut Rules,
    rulings: &mut Rulings,
    problems: &mut Vec<Diagnostic>,
) {
    fields! { table;
        "round" ["full": Round::Full, "simple": Round::Simple] => rules.round;
    }
    if let Some(inner) = table.table("initiative", "`rules.initiative`") {
        read_initiative(inner, rules, problems);
    }
    fields! { table;
        "carry_over" ["casting": CarryOver::Casting, "full-action": CarryOver::FullAction, "any": CarryOver::Any]
            => rules.carry_over;
    }
    if let Some(entry) = table.entry("attack_actions") {
        match attack_actions(&entry.node) {
            Ok(actions) => rules.attack_actions = actions,
            Err(problem) => table.complain(problem),
        }
    }
    fields! { table;
        "round_marks" (10..=MOST_MARKS.into()) as Marks => rules.round_marks;
    }
    if let Some(inner) = table.table("costs", "`rules.costs`") {
        rules.costs = costs(inner, problems);
        rulings.offsets = spaced_evenly(rules.costs.full);
    }
    if let Some(entry) = table.entry("attack_offsets") {
        let last = rules.costs.full;
        spacing(&entry.node, last, &mut rulings.offsets, problems);
    }
    fields! { table;
        "melee_unsets" bool => rules.melee_unsets;
        "mover_shot" ["round": false, "always": true] => rules.mover_shot_always;
    }
    if let Some(chance) = table.chance("fizzle_chance") {
        rules.fizzle_chance = (chance * ALWAYS as f64).round() as u64;
    }
    fields! { table;
        "combat_casting_set" ["always": false, "if-unset": true] => rules.starts_set_for_casting;
        "channel_damage_breaks" bool => rules.channel_damage_breaks;
        "car_per_round" (0..=30) as u8 => rules.car_per_round;
        "car_counts_as_move" bool => rules.car_counts_as_move;
        "charges_per_round" (0..=30) as u8 => rules.charges_per_round;
        "counters_per_round" (0..=30) as u8 => rules.counters_per_round;
        "wait" bool => rulings.may_wait;
    }
}

/// `explode` is about the highest face of a single die (TC-3).
fn only_one_die_explodes(table: &mut Reader<'_>, dice: &Dice, explode: Option<Explode>) {
    let explodes = matches!(explode, Some(Explode::Once | Explode::Recursive));
    if explodes
        && matches!(dice, Dice::Other(_))
        && let Some(entry) = table.entry("explode")
    {
        table.complain(
            Diagnostic::error(
                entry.node.span,
                "`explode` is about a single die",
                "expected \"none\" with these `dice`",
            )
            .help("write the explosion in the dice: `dice = \"2d6x\"`, or `\"2d6xo\"` for once"),
        );
    }
}

fn read_initiative(mut table: Reader<'_>, rules: &mut Rules, problems: &mut Vec<Diagnostic>) {
    let rolled = table
        .choice("mode", &[("rolled", true), ("fixed", false)])
        .unwrap_or(true);
    let explode = table.choice(
        "explode",
        &[
            ("once", Explode::Once),
            ("recursive", Explode::Recursive),
            ("none", Explode::None),
        ],
    );
    let dice = initiative::dice(&mut table);
    if let Some(dice) = &dice {
        only_one_die_explodes(&mut table, dice, explode);
    }
    rules.initiative = if rolled {
        let dice = dice.unwrap_or(Dice::D10);
        Initiative::Rolled(dice, explode.unwrap_or(Explode::Once))
    } else {
        table.refuse_beside("dice", "`mode = \"fixed\"` rolls none");
        Initiative::Fixed
    };
    if let Some(ties) = initiative::ties(&mut table, Clock::Marks) {
        rules.ties = ties;
    }
    fields! { table;
        "delay_marks" ["halved": true, "kept": false] => rules.delay_halves_marks;
        "delay_half" ["score": DelayHalf::Score, "roll": DelayHalf::Roll] => rules.delay_half;
    }
    table.finish(problems);
}

fn attack_actions(node: &Node) -> Result<u8, Diagnostic> {
    match &node.value {
        Value::Text(text, _) if text == "any" => Ok(u8::MAX),
        Value::Text(..) => Err(Diagnostic::error(
            node.span,
            "`attack_actions` cannot be this",
            "expected a whole number from 1 to 30, or \"any\"",
        )),
        _ => reader::integer(node, "attack_actions", 1..=30).map(|number| number as u8),
    }
}

/// `attack_offsets` of `[rules]`: a list for each number of attacks.
fn spacing(
    node: &Node,
    last: Marks,
    offsets: &mut BTreeMap<usize, Vec<u8>>,
    problems: &mut Vec<Diagnostic>,
) {
    let Some(table) = node.table() else {
        problems.push(
            reader::wrong_kind(node, "attack_offsets", "a table")
                .help("written like `attack_offsets = { 4 = [0, 4, 8, 15] }`"),
        );
        return;
    };
    for entry in &table.entries {
        let Some(attacks) = entry
            .key
            .parse()
            .ok()
            .filter(|number| (1..=30).contains(number))
        else {
            problems.push(Diagnostic::error(
                entry.span,
                format!("`{}` is no number of attacks", reader::shown(&entry.key)),
                "expected a whole number from 1 to 30",
            ));
            continue;
        };
        match attack_offsets(&entry.node, attacks, last) {
            Ok(list) => {
                offsets.insert(attacks, list);
            }
            Err(problem) => problems.push(problem),
        }
    }
}

/// Reads the Mark of each attack, relative to the first, up to `last`, at which the actor is free again
/// (TC-8).
pub(in crate::scenario) fn attack_offsets(
    node: &Node,
    attacks: usize,
    last: Marks,
) -> Result<Vec<u8>, Diagnostic> {
    let key = "attack_offsets";
    let list = reader::list(node, key)?;
    if list.len() != attacks {
        let (marks, are) = if attacks == 1 {
            ("Mark", "is")
        } else {
            ("Marks", "are")
        };
        return Err(Diagnostic::error(
            node.span,
            format!("`{key}` has the wrong length"),
            format!(
                "{attacks} {marks} {are} needed, one for each attack; found {}",
                list.len()
            ),
        ));
    }
    let mut offsets: Vec<u8> = Vec::with_capacity(attacks);
    for one in list {
        let offset = reader::integer(one, key, 0..=last.into())? as u8;
        let (wrong, expected) = match offsets.last() {
            None => (
                offset != 0,
                "the first attack comes at once: expected 0".to_owned(),
            ),
            Some(last) => (
                offset <= *last,
                format!("expected more than the {last} before it"),
            ),
        };
        if wrong {
            return Err(Diagnostic::error(
                one.span,
                format!("`{key}` does not rise strictly from 0"),
                expected,
            ));
        }
        offsets.push(offset);
    }
    Ok(offsets)
}
