//! Several rolls side by side, a column each: `skirmish odds 2d6+3 3d4`.

use super::answers::brief;
use super::args::OddsArgs;
use super::rolls::{MOST_ROWS, RARE, bounds, cells};
use super::{OddsError, refuse};
use crate::dice::Distribution;
use crate::dice::notation::{Notation, Question};
use crate::report::{Block, Report, Table, Value};
use std::collections::{BTreeSet, HashMap};

/// The greatest number of rolls: a page has a colour for each.
const MOST: usize = 7;

/// The greatest width of the first line.
const WIDTH: usize = 80;

/// Returns the rolls, if there are several and each word is a notation of its own.
pub(super) fn read(words: &[String]) -> Option<Vec<Notation>> {
    let roll = |word: &String| match Question::parse(word) {
        Ok(Question::Roll(notation)) => Some(notation),
        _ => None,
    };
    let rolls: Option<Vec<Notation>> = words.iter().map(roll).collect();
    rolls.filter(|rolls| rolls.len() > 1)
}

/// Answers a question about several rolls.
pub(super) fn answer(args: &OddsArgs, rolls: &[Notation]) -> Result<Report, OddsError> {
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
    let exactly = all.iter().map(|(_, roll)| {
        let rows = roll.rows();
        let of: HashMap<i64, f64> = rows.iter().map(|row| (row.value, row.exactly)).collect();
        let chance = |value| of.get(value).copied().unwrap_or_default();
        values.iter().map(chance).collect()
    });
    let at_least = all.iter().map(|(_, roll)| {
        let chance = |value: &i64| roll.at_least(*value);
        values.iter().map(chance).collect()
    });
    let mut push = |titles, chances: Vec<Vec<f64>>| {
        let table = side_by_side(titles, &names, &values, &chances);
        report.blocks.push(Block::Table(table));
    };
    push(["exactly", "How likely is each value?"], exactly.collect());
    let title = "How likely is each value or more?";
    push(["at_least", title], at_least.collect());
    let keys = ["dice", "value", "exactly", "at_least", "at_most"];
    let mut rows = Table::of_keys("values", keys);
    for (name, distribution) in &all {
        let cells = |row| [&[Value::text(name)], &cells(row)[..]].concat();
        rows.rows.extend(distribution.rows().iter().map(cells));
    }
    report.rows = rows;
    Ok(report)
}

/// Returns the requested number of each roll, if they fit in a line.
fn first_line(args: &OddsArgs, all: &[(String, Distribution)]) -> String {
    let told = all.iter().map(|(name, roll)| match args.at_least {
        Some(least) => format!("{name} {}", brief(&Value::Chance(roll.at_least(least)))),
        None => format!("{name} {}", brief(&Value::Real(roll.mean()))),
    });
    let told = told.collect::<Vec<_>>().join(", ");
    let line = match args.at_least {
        Some(least) => format!("At least {least}: {told}"),
        None => format!("On average: {told}"),
    };
    if line.chars().count() <= WIDTH {
        return line;
    }
    format!("{} rolls side by side", all.len())
}

/// Returns the table with a row for each roll.
fn summary(args: &OddsArgs, rolls: &[Notation], all: &[(String, Distribution)]) -> Table {
    let least = args
        .at_least
        .map(|least| (least, format!("{least} or more")));
    let mut columns = vec![
        ("dice", "dice"),
        ("mean", "mean"),
        ("sd", "sd"),
        ("min", "least"),
        ("max", "greatest"),
    ];
    columns.extend(
        least
            .iter()
            .map(|(_, label)| ("p_at_least", label.as_str())),
    );
    let mut table = Table::new("rolls", "Rolls", &columns);
    for (roll, (name, distribution)) in rolls.iter().zip(all) {
        let mut row = vec![
            Value::text(name),
            Value::Real(distribution.mean()),
            Value::Real(distribution.sd()),
        ];
        row.extend(bounds(roll));
        row.extend(
            least
                .iter()
                .map(|(least, _)| Value::Chance(distribution.at_least(*least))),
        );
        table.rows.push(row);
    }
    table
}

/// Returns the values of all rolls that are common enough to show.
fn values(all: &[(String, Distribution)]) -> Vec<i64> {
    let mut rare = RARE;
    loop {
        let rows = all.iter().flat_map(|(_, roll)| roll.rows());
        let often = rows.filter(|row| row.exactly >= rare);
        let values: BTreeSet<i64> = often.map(|row| row.value).collect();
        if values.len() <= MOST_ROWS || rare > 1e-2 {
            return values.into_iter().collect();
        }
        rare *= 10.0;
    }
}

/// Returns the table with a column of chances for each roll, which a page draws as curves.
fn side_by_side(
    [key, title]: [&'static str; 2],
    names: &[&str],
    values: &[i64],
    chances: &[Vec<f64>],
) -> Table {
    let names = names.iter().map(|name| (key, *name));
    let columns: Vec<(&'static str, &str)> =
        std::iter::once(("value", "value")).chain(names).collect();
    let mut table = Table::new(key, title, &columns);
    table.is_curves = true;
    table.rows = values
        .iter()
        .enumerate()
        .map(|(at, value)| {
            let chances = chances.iter().map(|of| Value::Chance(of[at]));
            std::iter::once(Value::Whole(*value))
                .chain(chances)
                .collect()
        })
        .collect();
    table
}
