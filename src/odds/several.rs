//! Several rolls side by side, a column each: `skirmish odds 2d6+3 3d4`.

use super::answers::brief;
use super::args::OddsArgs;
use super::refuse;
use super::rolls::{MOST_ROWS, RARE, bounds, cells};
use crate::dice::{Distribution, Notation};
use crate::report::{Block, Report, Table, Value};
use crate::task::Failure;
use std::collections::BTreeSet;

/// The greatest number of rolls: a page has a colour for each.
const MOST: usize = 7;

/// A column of chances: exactly a value, or at least it.
type ChanceOfValue = fn(&Distribution, i64) -> f64;

/// The greatest width of the first line.
const WIDTH: usize = 80;

/// Returns the rolls, if there are several and each word is a notation of its own.
pub(super) fn read(words: &[String]) -> Option<Vec<Notation>> {
    let rolls = words.iter().map(|word| Notation::parse(word).ok());
    rolls
        .collect::<Option<Vec<Notation>>>()
        .filter(|rolls| rolls.len() > 1)
}

/// Answers a question about several rolls.
pub(super) fn answer(args: &OddsArgs, rolls: &[Notation]) -> Result<Report, Failure> {
    if rolls.len() > MOST {
        return refuse(format!("at most {MOST} rolls fit side by side"));
    }
    let all: Vec<(String, Distribution)> = rolls
        .iter()
        .map(|roll| (roll.to_string(), roll.distribution()))
        .collect();
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    let mut report = Report::new(names.join(", "), Vec::new());
    report.answer = first_line(args, &all);
    report.blocks.push(Block::Table(summary(args, rolls, &all)));
    let values = values(&all);
    let tables: [(_, _, ChanceOfValue); 2] = [
        (
            "exactly",
            "How likely is each value?",
            Distribution::probability,
        ),
        (
            "at_least",
            "How likely is each value or more?",
            Distribution::at_least,
        ),
    ];
    for (key, title, chance) in tables {
        report.blocks.push(Block::Table(side_by_side(
            key, title, &all, &values, chance,
        )));
    }
    let keys = ["dice", "value", "exactly", "at_least", "at_most"];
    let mut rows = Table::of_keys("values", keys);
    for (name, distribution) in &all {
        let cells = |row| [&[Value::text(name)], &cells(row)[..]].concat();
        rows.rows.extend(distribution.rows().into_iter().map(cells));
    }
    report.rows = rows;
    Ok(report)
}

/// Returns the requested number of each roll, if they fit in a line.
fn first_line(args: &OddsArgs, all: &[(String, Distribution)]) -> String {
    let numbers: Vec<String> = all
        .iter()
        .map(|(name, roll)| {
            let number = match args.at_least {
                Some(least) => Value::Chance(roll.at_least(least)),
                None => Value::Real(roll.mean()),
            };
            format!("{name} {}", brief(&number))
        })
        .collect();
    let numbers = numbers.join(", ");
    let line = match args.at_least {
        Some(least) => format!("At least {least}: {numbers}"),
        None => format!("On average: {numbers}"),
    };
    if line.chars().count() <= WIDTH {
        return line;
    }
    format!("{} rolls side by side", all.len())
}

/// Returns the table with a row for each roll.
fn summary(args: &OddsArgs, rolls: &[Notation], all: &[(String, Distribution)]) -> Table {
    let label = args.at_least.map(|least| format!("{least} or more"));
    let mut columns = vec![
        ("dice", "dice"),
        ("mean", "mean"),
        ("sd", "sd"),
        ("min", "least"),
        ("max", "greatest"),
    ];
    columns.extend(label.iter().map(|label| ("p_at_least", label.as_str())));
    let mut table = Table::new("rolls", "Rolls", &columns);
    for (roll, (name, distribution)) in rolls.iter().zip(all) {
        let mut row = vec![
            Value::text(name),
            Value::Real(distribution.mean()),
            Value::Real(distribution.sd()),
        ];
        row.extend(bounds(roll));
        let chance = |least| Value::Chance(distribution.at_least(least));
        row.extend(args.at_least.map(chance));
        table.rows.push(row);
    }
    table
}

/// Returns the values of all rolls that are common enough to show.
fn values(all: &[(String, Distribution)]) -> Vec<i64> {
    let mut rare = RARE;
    loop {
        let values: BTreeSet<i64> = all
            .iter()
            .flat_map(|(_, roll)| roll.iter())
            .filter(|(_, chance)| *chance >= rare)
            .map(|(value, _)| value)
            .collect();
        if values.len() <= MOST_ROWS || rare > 1e-2 {
            return values.into_iter().collect();
        }
        rare *= 10.0;
    }
}

/// Returns the table with a column of chances for each roll, which a page draws as curves.
fn side_by_side(
    key: &'static str,
    title: &str,
    all: &[(String, Distribution)],
    values: &[i64],
    chance: ChanceOfValue,
) -> Table {
    let names = all.iter().map(|(name, _)| (key, name.as_str()));
    let columns: Vec<_> = std::iter::once(("value", "value")).chain(names).collect();
    let mut table = Table::new(key, title, &columns);
    table.is_curves = true;
    let row = |&value: &i64| {
        let chances = all
            .iter()
            .map(|(_, roll)| Value::Chance(chance(roll, value)));
        std::iter::once(Value::Whole(value))
            .chain(chances)
            .collect()
    };
    table.rows = values.iter().map(row).collect();
    table
}
