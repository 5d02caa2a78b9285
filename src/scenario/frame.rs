//! `[encounter]`: the frame of the fight.

use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader};
use crate::fields::{Fields, fields};
use crate::fight::{Arena, Limit};

/// The ends of everything that lies on the line.
pub(super) const FARTHEST: i64 = 100_000;

/// What `[encounter]` says.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The most Rounds.
    pub(super) max_rounds: Option<u32>,
    /// The ends of the line.
    pub(super) arena: Option<Arena>,
    /// Whether it is watched which side acts first.
    pub(super) first_mover: bool,
    /// Whether it is watched who acts first in each Round.
    pub(super) acted_first: bool,
    /// Distances at which it is over.
    pub(super) ends: Vec<Limit>,
}

/// Reads `[encounter]`.
pub(super) fn encounter(
    mut table: Reader<'_>,
    own: &mut dyn Fields,
    problems: &mut Vec<Diagnostic>,
) -> Frame {
    let rounds = table
        .integer("max_rounds", 1..=10_000)
        .map(|rounds| rounds as u32);
    let mut arena = None;
    if let Some(entry) = table.entry("arena") {
        match ends(&entry.node) {
            Ok(ends) => arena = Some(ends),
            Err(problem) => table.complain(problem),
        }
    }
    let mut frame = Frame {
        max_rounds: rounds,
        arena,
        ends: ends_when(&mut table),
        ..Frame::default()
    };
    fields! { table;
        "first_mover" bool => frame.first_mover;
        "acted_first" bool => frame.acted_first;
    }
    own.read_encounter(&mut table);
    table.finish(problems);
    frame
}

/// `ends_when`: a distance, or a list of them.
fn ends_when(table: &mut Reader<'_>) -> Vec<Limit> {
    let Some(entry) = table.entry("ends_when") else {
        return Vec::new();
    };
    let nodes: Vec<&Node> = match &entry.node.value {
        Value::List(list) => list.iter().map(|node| &**node).collect(),
        _ => vec![&*entry.node],
    };
    let mut limits = Vec::with_capacity(nodes.len());
    for node in nodes {
        match limit(node) {
            Ok(limit) => limits.push(limit),
            Err(problem) => {
                table.complain(problem.help(
                    "written `ends_when = \"distance >= 100\"`, or a list of such conditions",
                ));
            }
        }
    }
    limits
}

fn limit(node: &Node) -> Result<Limit, Diagnostic> {
    let text = reader::text(node, "ends_when")?;
    let wrong = |label: &str| {
        Diagnostic::error(
            node.span,
            "`ends_when` is no distance to end at",
            label.to_owned(),
        )
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let [name, sign, number] = words[..] else {
        return Err(wrong("expected `distance`, a comparison and a number"));
    };
    if name != "distance" {
        return Err(wrong("expected `distance`, the only variable here"));
    }
    let units = number
        .parse::<i64>()
        .ok()
        .filter(|units| (0..=2 * FARTHEST).contains(units))
        .ok_or_else(|| wrong("expected a whole number of Units from 0 to 200000"))?
        as i32;
    let (far, distance) = match sign {
        ">=" => (true, units),
        ">" => (true, units + 1),
        "<=" => (false, units),
        "<" if units > 0 => (false, units - 1),
        "<" => return Err(wrong("no distance is below 0")),
        _ => return Err(wrong("expected one of `<=`, `<`, `>=`, `>`")),
    };
    Ok(Limit { far, distance })
}

fn ends(node: &Node) -> Result<Arena, Diagnostic> {
    let list = reader::list(node, "arena")?;
    let [min, max] = list else {
        return Err(Diagnostic::error(
            node.span,
            "`arena` has two ends",
            format!("expected `[min, max]`, found a list of {}", list.len()),
        ));
    };
    let min = reader::integer(min, "arena", -FARTHEST..=FARTHEST)?;
    let end = reader::integer(max, "arena", -FARTHEST..=FARTHEST)?;
    if min >= end {
        return Err(Diagnostic::error(
            max.span,
            "`arena` ends before it begins",
            format!("expected more than {min}"),
        ));
    }
    Ok(Arena {
        min: min as i32,
        max: end as i32,
    })
}
