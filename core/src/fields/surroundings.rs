//! `enters` of a combatant, `[encounter.hazards]` and `[encounter.ground]` (W-12, W-14, W-15).

use super::Rulings;
use super::conditions::modifies;
use super::effects::{effects, held_against_evade, resist};
use super::keys::FARTHEST;
use super::sums::refuse_sums;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader, shown};
use crate::document::source::Span;
use crate::fight::effect::{Change, Effect, Hazard, Occasion};
use crate::fight::lasting::{Changes, Condition, Ends, Stacks};
use crate::fight::system::Clock;
use crate::fight::{Marks, Stretch, Units};
use std::sync::Arc;

/// An occasion as the file writes it, with names that are looked up once all combatants are known.
#[derive(Debug)]
pub(crate) struct Due {
    pub(crate) occasion: Occasion,
    /// Its place in the file.
    pub(crate) span: Span,
    /// The name of the combatants that must be down.
    pub(crate) falls: Option<String>,
    /// The condition on the combatants that come in or are struck.
    pub(crate) when: Option<Arc<Node>>,
}

/// A hazard, and the occasion on which it strikes.
#[derive(Debug)]
pub(crate) struct Danger {
    pub(crate) hazard: Hazard,
    pub(crate) due: Due,
}

/// Reads the keys that reserves and hazards share: `mark`, `falls` and `when`.
fn due(table: &mut Reader<'_>, mut occasion: Occasion, rulings: &Rulings) -> Due {
    if rulings.system.clock == Clock::Marks {
        occasion.mark = table.integer("mark").map(|mark| mark as Marks);
    } else {
        table.refuse(
            "mark",
            "there are no Marks here: it comes as a Round begins",
        );
    }
    Due {
        occasion,
        span: table.span(),
        falls: table.text("falls").map(str::to_owned),
        when: table.entry("when").map(|entry| Arc::clone(&entry.node)),
    }
}

/// Reads `enters`: a Round, or a table of what a combatant waits for. `None` if it is there from the start.
pub(crate) fn enters(table: &mut Reader<'_>, rulings: &Rulings) -> Option<Due> {
    const KEY: &str = "enters";
    let entry = table.entry(KEY)?;
    if entry.node.table().is_none() {
        let round = table.integer(KEY)? as u32;
        return (round > 1).then_some(Due {
            occasion: Occasion::from_round(round),
            span: entry.node.span,
            falls: None,
            when: None,
        });
    }
    let mut inner = table.table(KEY, "`enters`")?;
    for key in ["first", "last", "every"] {
        inner.refuse(
            key,
            "one comes in once: `round` is the first Round in which that may be",
        );
    }
    let round = inner.integer("round").unwrap_or(1) as u32;
    let due = due(&mut inner, Occasion::from_round(round), rulings);
    table.close(inner);
    let waits = due.falls.is_some() || due.when.is_some() || due.occasion.mark.is_some();
    (round > 1 || waits).then_some(due)
}

/// Reads `[encounter.hazards.NAME]`.
pub(crate) fn hazard(name: &str, table: &mut Reader<'_>, rulings: &Rulings) -> (Danger, bool) {
    let first = table.integer("first").unwrap_or(1);
    let last = table.within("last", first..=10_000);
    let every = table.integer("every").unwrap_or(1);
    let mut occasion = Occasion::from_round(first as u32);
    occasion.every = every as u32;
    if let Some(last) = last {
        occasion.rounds.1 = last as u32;
    }
    let due = due(table, occasion, rulings);
    if rulings.turn.is_none() {
        table.refuse(
            "initiative",
            "only games of one's own, whose turns stand in one order, have places for hazards",
        );
    }
    let place = table.integer("initiative").map(|place| place as i32);
    let stretch = stretch(table, "stretch", 0);
    let resist = resist(table, rulings);
    held_against_evade(table, resist.as_ref(), false, rulings);
    refuse_sums(table, "effects", "the pool of a hazard's damage", rulings);
    let effects = effects(table, rulings);
    let span = table.span();
    for effect in &effects {
        let lacking = match effect.plain() {
            _ if effect.about(1, 2) == 1 => "nobody who uses it",
            Effect::Change(Change::Push(_)) => "nothing to push from",
            Effect::Damage { falloff: 1.., .. } => "no middle from which damage falls off",
            _ => continue,
        };
        table.report(Diagnostic::error(
            span,
            format!("a hazard has {lacking}"),
            "it strikes all on its stretch alike",
        ));
    }
    let hazard = Hazard {
        name: name.to_owned(),
        stretch,
        occasion: due.occasion.clone(),
        place,
        resist,
        effects,
    };
    (Danger { hazard, due }, false)
}

/// Reads `[encounter.ground.NAME]`: the stretch, and the condition of the combatants on it.
pub(crate) fn ground(
    name: &str,
    table: &mut Reader<'_>,
    rulings: &Rulings,
) -> ((Stretch, Condition, Units), bool) {
    let conditions = rulings.defined_conditions();
    if conditions.iter().any(|condition| condition.name == name) {
        table.report(Diagnostic::error(
            table.span(),
            format!("a condition is called \"{}\" too", shown(name)),
            "who stands on this ground has a condition of its name",
        ));
    }
    let stretch = stretch(table, "stretch", 0).unwrap_or_default();
    let mut condition = Condition {
        name: name.to_owned(),
        changes: Changes::default(),
        stuns: false,
        stacks: Stacks::No,
        ends: Ends::Never,
        ongoing: None,
    };
    let toll = difficult(table);
    if toll.is_none() {
        table.needed("modifies");
    }
    let toll = toll.unwrap_or(1);
    modifies(table, &mut condition, rulings);
    table.refuse(
        "cover",
        "written `modifies = { evade = 3 }`, in Chronicles `defence`, in Eclipse Phase `fray`: harder to hit",
    );
    for key in ["damage", "effects", "ongoing"] {
        table.refuse(key, "a hazard has them: `[encounter.hazards.NAME]`");
    }
    ((stretch, condition, toll), false)
}

/// Reads `difficult`: whether each Unit costs two Units of movement, or how many it costs. `None` if it is not said or
/// `false`.
fn difficult(table: &mut Reader<'_>) -> Option<Units> {
    let is_number = |node: &Node| matches!(node.value, Value::Integer(_));
    match table.entry("difficult") {
        Some(entry) if is_number(&entry.node) => {
            Some(table.integer("difficult").unwrap_or(1) as Units)
        }
        Some(_) => table.boolean("difficult")?.then_some(2),
        None => None,
    }
}

/// Reads a stretch of the line, `[min, max]`, of at least `least` Units from end to end.
pub(crate) fn stretch(table: &mut Reader<'_>, key: &'static str, least: i64) -> Option<Stretch> {
    let entry = table.entry(key)?;
    table.ok_or_report(between(&entry.node, key, least))
}

fn between(node: &Node, key: &str, least: i64) -> Result<Stretch, Diagnostic> {
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
    if end < min + least {
        return Err(Diagnostic::error(
            max.span,
            format!("`{key}` ends before it begins"),
            format!("expected {} or more", min + least),
        ));
    }
    Ok(Stretch {
        min: min as i32,
        max: end as i32,
    })
}
