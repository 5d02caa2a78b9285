//! `[encounter]`: the frame of the fight.

use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader};
use crate::fields::effects::{FARTHEST, ground, hazard, stretch};
use crate::fields::gear::{Defined, define};
use crate::fields::{Fields, Rulings, fields};
use crate::fight::effect::Hazard;
use crate::fight::lasting::{Condition, Number, most_added};
use crate::fight::{Limit, Stretch};

/// What `[encounter]` says.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The most Rounds.
    pub(super) max_rounds: Option<u32>,
    /// The ends of the line.
    pub(super) arena: Option<Stretch>,
    /// Whether it is watched which side acts first.
    pub(super) first_mover: bool,
    /// Whether it is watched who acts first in each Round.
    pub(super) acted_first: bool,
    /// Distances at which it is over.
    pub(super) ends: Vec<Limit>,
    /// Where one stands better or worse, and the condition of those who stand there.
    pub(super) grounds: Vec<(Stretch, Condition)>,
    /// What strikes as Rounds begin.
    pub(super) hazards: Vec<Hazard>,
}

/// Reads `[encounter]`.
pub(super) fn encounter(
    mut table: Reader<'_>,
    own: &mut dyn Fields,
    conditions: &[Defined<Condition>],
    rulings: &mut Rulings,
    problems: &mut Vec<Diagnostic>,
) -> Frame {
    let rounds = table
        .integer("max_rounds", 1..=10_000)
        .map(|rounds| rounds as u32);
    let mut arena = None;
    if let Some(entry) = table.entry("arena") {
        match stretch(&entry.node, "arena") {
            Ok(ends) => arena = Some(ends),
            Err(problem) => table.complain(problem),
        }
    }
    let grounds = table.entry("ground").map_or_else(Vec::new, |entry| {
        define(&entry.node, "ground", problems, |name, table, problems| {
            ground(name, table, conditions, rulings, problems)
        })
    });
    let grounds: Vec<_> = grounds.into_iter().map(|one| one.thing).collect();
    let better = grounds.iter().map(|(_, condition)| condition);
    rulings.more_dice += most_added(better, Number::Attack);
    let hazards = table.entry("hazards").map_or_else(Vec::new, |entry| {
        define(&entry.node, "hazards", problems, |name, table, problems| {
            hazard(name, table, conditions, rulings, problems)
        })
    });
    let mut frame = Frame {
        grounds,
        hazards: hazards.into_iter().map(|one| one.thing).collect(),
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
