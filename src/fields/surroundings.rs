//! `[encounter.hazards]` and `[encounter.ground]` (W-14, W-15).

use super::Rulings;
use super::effects::{effects, held_against_evade, modifies, resist};
use super::gear::{Defined, Thing};
use crate::document::diagnostics::Diagnostic;
use crate::document::node::Node;
use crate::document::reader::{self, Reader, shown};
use crate::fight::Stretch;
use crate::fight::effect::{Effect, Hazard};
use crate::fight::lasting::{Changes, Condition, Ends, Stacks};
use std::ops::RangeInclusive;

/// The Rounds of an encounter.
const ROUNDS: RangeInclusive<i64> = 1..=10_000;

/// The ends of everything that lies on the line.
pub(crate) const FARTHEST: i64 = 100_000;

impl Thing for (Stretch, Condition) {
    fn name(&self) -> &str {
        &self.1.name
    }
}

impl Thing for Hazard {
    fn name(&self) -> &str {
        &self.name
    }
}

/// Reads `[encounter.hazards.NAME]`.
pub(crate) fn hazard(
    name: &str,
    mut table: Reader<'_>,
    conditions: &[Defined<Condition>],
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> (Hazard, bool) {
    let first = table.integer("first", ROUNDS).unwrap_or(1);
    let last = table.integer("last", first..=*ROUNDS.end());
    let every = table.integer("every", ROUNDS).unwrap_or(1);
    let stretch = stretch(&mut table, "stretch");
    let resist = resist(&mut table, rulings, problems);
    held_against_evade(&mut table, resist.as_ref(), false, rulings);
    table.needed("effects");
    let effects = effects(&mut table, conditions, rulings, problems);
    let span = table.span();
    for effect in &effects {
        let lacking = match effect {
            Effect::Push(_) => "nothing to push from",
            Effect::Damage { falloff: 1.., .. } => "no middle from which damage falls off",
            _ => continue,
        };
        table.complain(Diagnostic::error(
            span,
            format!("a hazard has {lacking}"),
            "it strikes all on its stretch alike",
        ));
    }
    table.finish(problems);
    let hazard = Hazard {
        name: name.to_owned(),
        stretch,
        rounds: (first as u32, last.map_or(u32::MAX, |last| last as u32)),
        every: every as u32,
        resist,
        effects,
    };
    (hazard, false)
}

/// Reads `[encounter.ground.NAME]`: where, and the condition of those who stand there.
pub(crate) fn ground(
    name: &str,
    mut table: Reader<'_>,
    conditions: &[Defined<Condition>],
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> ((Stretch, Condition), bool) {
    if conditions.iter().any(|one| one.thing.name == name) {
        let span = table.span();
        table.complain(Diagnostic::error(
            span,
            format!("a condition is called \"{}\" too", shown(name)),
            "who stands on this ground has a condition of its name",
        ));
    }
    table.needed("stretch");
    let stretch = stretch(&mut table, "stretch").unwrap_or_default();
    let mut condition = Condition {
        name: name.to_owned(),
        changes: Changes::default(),
        stuns: false,
        stacks: Stacks::No,
        ends: Ends::Never,
        ongoing: None,
    };
    table.needed("modifies");
    modifies(&mut table, &mut condition, rulings);
    for key in ["difficult", "cover"] {
        table.refuse(
            key,
            "written `modifies = { move = -2, evade = 3 }`: fewer Units for who begins there, and harder to hit",
        );
    }
    for key in ["damage", "effects", "ongoing"] {
        table.refuse(key, "a hazard has them: `[encounter.hazards.NAME]`");
    }
    table.finish(problems);
    ((stretch, condition), false)
}

/// A stretch of the line: `[min, max]`.
pub(crate) fn stretch(table: &mut Reader<'_>, key: &'static str) -> Option<Stretch> {
    let entry = table.entry(key)?;
    let read = between(&entry.node, key);
    read.map_err(|problem| table.complain(problem)).ok()
}

fn between(node: &Node, key: &str) -> Result<Stretch, Diagnostic> {
    let list = reader::list(node, key)?;
    let [min, max] = list else {
        return Err(Diagnostic::error(
            node.span,
            format!("`{key}` has two ends"),
            format!("expected `[min, max]`, found a list of {}", list.len()),
        ));
    };
    let min = reader::integer(min, key, -FARTHEST..=FARTHEST)?;
    let end = reader::integer(max, key, -FARTHEST..=FARTHEST)?;
    if min >= end {
        return Err(Diagnostic::error(
            max.span,
            format!("`{key}` ends before it begins"),
            format!("expected more than {min}"),
        ));
    }
    Ok(Stretch {
        min: min as i32,
        max: end as i32,
    })
}
