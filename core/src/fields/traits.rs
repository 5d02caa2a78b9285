//! Traits that systems share: initiative, Speed and health, with what 0 health means.

use super::Rulings;
use super::effects::check_of_each;
use super::keys::{DOWN, LEVEL, MOST_HEALTH, MOST_THRESHOLDS};
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader};
use crate::fight::health::{DownRules, HealthModel, Level, Save, Track};
use crate::fight::initiative::MOST_SPEED;
use crate::fight::system::System;
use std::ops::RangeInclusive;

/// The most levels of a track.
const MOST_LEVELS: usize = 100;

/// The range of `initiative` written outright, where ratings are not negative.
pub(crate) const INITIATIVE: RangeInclusive<i64> = 0..=100;

/// Reads the values for initiative: the system's own `attributes`, or `initiative` outright, which every system
/// understands.
pub(crate) fn standing<T>(
    table: &mut Reader<'_>,
    range: RangeInclusive<i64>,
    example: &str,
    of_attributes: impl FnOnce(&mut Reader<'_>) -> T,
    outright: impl FnOnce(i32) -> T,
) -> T {
    if let (Some(_), Some(entry)) = (table.entry("initiative"), table.entry("attributes")) {
        table.report(Diagnostic::error(
            entry.node.span,
            "both `initiative` and `attributes` say what initiative is",
            "leave one of them out",
        ));
    }
    if table.has("initiative") {
        return outright(table.within("initiative", range).unwrap_or(0) as i32);
    }
    if table.has("attributes") {
        if let Some(mut inner) = table.table("attributes", "`attributes`") {
            let read = of_attributes(&mut inner);
            table.close(inner);
            return read;
        }
        return outright(0);
    }
    // Marks both as known, so that a misspelt one gets a suggestion.
    table.entry("attributes");
    table.entry("initiative");
    let (span, who) = (table.span(), table.what().to_owned());
    table.report(
        Diagnostic::error(
            span,
            format!("{who} lacks `attributes`"),
            "nothing says what is added to its initiative die",
        )
        .help(format!(
            "expected `attributes = {example}`, or `initiative = 9`"
        )),
    );
    outright(0)
}

/// The two traits for a rating that a file writes outright.
pub(crate) fn outright(system: &System, rating: i32) -> (i32, i32) {
    let [first, second] = (system.of_rating)(rating.into());
    (first as i32, second as i32)
}

/// Reads `speed`: actions a turn, 1 to 4 or the greater of `most`, which are the greatest Speed now, and with another
/// `rules.speed.max`. A system without Speed, where `most` is `None`, accepts 1.
pub(crate) fn speed(table: &mut Reader<'_>, system: &System, most: Option<[u8; 2]>) -> u8 {
    let [greatest, highest] = most.unwrap_or([MOST_SPEED; 2]);
    let Some(entry) = table.entry("speed") else {
        return 1;
    };
    let written = match entry.node.value {
        Value::Integer(Some(number)) => number,
        _ => 0,
    };
    let range = 1..=greatest.max(MOST_SPEED).into();
    let help = if range.contains(&written) {
        "a variant that changes the system may set it: `combatants.NAME.speed`"
    } else if (1..=highest.into()).contains(&written) {
        "`rules.speed.max` sets the greatest Speed"
    } else {
        "it is a number of actions; how far a combatant goes is its `move`"
    };
    let read = match most {
        None if range.contains(&written) && written != 1 => Err(Diagnostic::error(
            entry.node.span,
            format!("{} knows no Speed", system.title),
            "expected 1 here",
        )),
        None => reader::integer(&entry.node, "speed", 1..=1),
        Some(_) => reader::integer(&entry.node, "speed", range),
    };
    let speed = table.ok_or_report(read.map_err(|problem| problem.help(help)));
    (speed.unwrap_or(1) as u8).min(greatest)
}

/// Reads an Attribute of the World of Darkness.
pub(crate) fn attribute(inner: &mut Reader<'_>, key: &'static str) -> i32 {
    let value = inner.needed_integer(key);
    value.unwrap_or(1) as i32
}

/// Reads `health`: points, or the levels of a track.
pub(crate) fn health(table: &mut Reader<'_>, rulings: &Rulings) -> (i32, Track) {
    if rulings.health == HealthModel::Points {
        if let Some(entry) = table.entry("health")
            && matches!(entry.node.value, Value::List(_))
        {
            table.report(
                reader::wrong_kind(&entry.node, "health", "a whole number from 1 to 1000000")
                    .help("levels are for `rules.health = \"track\"`"),
            );
            return (1, Track::default());
        }
        let health = table.needed_integer("health").unwrap_or(1);
        return (health as i32, Track::default());
    }
    let track = match table.entry("health") {
        None => Track::seven(),
        Some(entry) => match reader::list(&entry.node, "health") {
            Err(_) => {
                table.report(
                    reader::wrong_kind(&entry.node, "health", "a list of levels").help(
                        "leave it out for the seven levels of the genre, or set `rules.health = \"points\"`",
                    ),
                );
                Track::seven()
            }
            Ok(list) if list.is_empty() || list.len() > MOST_LEVELS => {
                table.report(Diagnostic::error(
                    entry.node.span,
                    format!("a track of {} levels", list.len()),
                    format!("expected 1 to {MOST_LEVELS}"),
                ));
                Track::seven()
            }
            Ok(list) => {
                let levels = list.iter().filter_map(|node| {
                    let mut inner = Reader::open(node, &LEVEL, "a level", &mut table.nested)?;
                    let name = inner.name("name").unwrap_or_default();
                    let level = Level {
                        name: name.to_owned(),
                        penalty: inner.integer("penalty").unwrap_or(0) as u32,
                        slows: inner.boolean("slows").unwrap_or(name == "Injured"),
                    };
                    inner.finish(&mut table.nested);
                    Some(level)
                });
                Track::new(levels.collect())
            }
        },
    };
    (track.levels().len().max(1) as i32, track)
}

/// Reads `thresholds`: up to [`MOST_THRESHOLDS`] numbers that rise strictly (W-18).
pub(crate) fn thresholds(table: &mut Reader<'_>) -> Vec<i64> {
    let mut all: Vec<i64> = Vec::new();
    for node in table.list("thresholds").unwrap_or_default() {
        let read = reader::integer(node, "thresholds", 1..=MOST_HEALTH);
        let Some(threshold) = table.ok_or_report(read) else {
            break;
        };
        if all.last().is_some_and(|last| threshold <= *last) || all.len() == MOST_THRESHOLDS {
            table.report(Diagnostic::error(
                node.span,
                "`thresholds` do not rise, or are too many",
                format!("expected up to {MOST_THRESHOLDS} numbers, each above the one before"),
            ));
            break;
        }
        all.push(threshold);
    }
    all
}

/// Reads `[rules.down]` (W-18).
pub(crate) fn down(
    node: &Node,
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> Option<DownRules> {
    let mut table = Reader::open(node, &DOWN, "`rules.down`", problems)?;
    let save = table.has("check").then(|| Save {
        by: check_of_each(&mut table, rulings),
        failures: table.integer("failures").unwrap_or(3) as u8,
        successes: table.integer("successes").unwrap_or(3) as u8,
    });
    if save.is_none() {
        table.entry("check");
        for key in ["needs", "failures", "successes"] {
            table.refuse(key, "without a `check` nothing is rolled");
        }
    }
    let rules = DownRules {
        who: 0,
        lost_after: table.integer("lost_after").map(|rounds| rounds as u8),
        save,
        prone: table.boolean("prone").unwrap_or(false),
    };
    table.finish(problems);
    Some(rules)
}
