//! Pools written as sums of traits (MD-4): `pool = "dexterity + brawl + 1"`.
//!
//! The dice of such a pool depend on the combatant that rolls it. Weapons, spells and items are read once when they are
//! defined, without any traits, and once more for each combatant that has them.

use super::Rulings;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node, Value};
use crate::document::reader::{self, Reader, shown};
use crate::fight::system::Pools;
use crate::names;

/// The traits of one combatant.
#[derive(Debug, Clone, Default)]
pub(crate) struct TraitSheet {
    /// The combatant's name in messages.
    pub(crate) owner: String,
    /// Each trait with its value.
    pub(crate) traits: Vec<(String, i64)>,
}

/// Whether a text is a sum rather than a number in quotes.
pub(crate) fn is_sum(node: &Node) -> bool {
    node.text()
        .is_some_and(|text| text.chars().any(char::is_alphabetic))
}

/// Returns whether any pool in a table or list is a sum of traits, or any check, which may be such a sum for short.
pub(crate) fn has_sums(node: &Node) -> bool {
    first_sum(node).is_some()
}

/// Returns the first pool in a table or list that is a sum of traits, or the first check.
pub(crate) fn first_sum(node: &Node) -> Option<&Node> {
    match &node.value {
        Value::Table(table) => table.entries.iter().find_map(|Entry { key, node, .. }| {
            let own = matches!(&**key, "pool" | "check") && is_sum(node);
            if own { Some(&**node) } else { first_sum(node) }
        }),
        Value::List(list) => list.iter().find_map(|node| first_sum(node)),
        _ => None,
    }
}

/// Whether combatants other than the owner of gear roll a pool that is a sum of traits: to resist, to end a condition, or
/// while they are down.
pub(crate) fn others_roll_sums(node: &Node) -> bool {
    match &node.value {
        Value::Table(table) => table.entries.iter().any(|Entry { key, node, .. }| {
            (matches!(&**key, "resist" | "conditions" | "down") && has_sums(node))
                || others_roll_sums(node)
        }),
        Value::List(list) => list.iter().any(|node| others_roll_sums(node)),
        _ => false,
    }
}

/// Reports a pool that is a sum of traits where no combatant rolls it. `what` names the pool.
pub(crate) fn refuse_sums(
    table: &mut Reader<'_>,
    key: &'static str,
    what: &str,
    rulings: &Rulings,
) {
    if rulings.system.pools != Pools::OfTraits {
        return;
    }
    if let Some(sum) = table.entry(key).and_then(|entry| first_sum(&entry.node)) {
        let title = format!("{what} cannot be a sum of traits");
        let problem = Diagnostic::error(sum.span, title, "expected a number of dice");
        table.report(problem.help("no combatant rolls it, and only combatants have traits"));
    }
}

/// Returns the dice of a pool that is a sum of traits, never below 0. Without a sheet the traits are unknown,
/// and it has no dice.
pub(crate) fn dice(node: &Node, sheet: Option<&TraitSheet>, most: i64) -> Result<i64, Diagnostic> {
    let text = reader::text(node, "pool")?;
    let mut sum: i64 = 0;
    for (sign, term) in terms(text) {
        let word = text[term.clone()].trim();
        let at = || node.span_of(term.clone());
        let value = if word.is_empty() {
            return Err(Diagnostic::error(
                at(),
                "`pool` is not a sum of traits",
                "expected a trait or a number here",
            )
            .help("written like `pool = \"dexterity + 1\"`"));
        } else if let Ok(number) = word.parse::<i64>() {
            number.clamp(-most - 1, most + 1)
        } else if let Some(sheet) = sheet {
            sheet.value(word).ok_or_else(|| sheet.lacks(word, at()))?
        } else {
            0
        };
        sum += sign * value;
    }
    if sum > most {
        return Err(Diagnostic::error(
            node.span,
            format!("`pool` comes to {sum} dice"),
            format!("expected at most {most}"),
        ));
    }
    Ok(sum.max(0))
}

/// The signs and places of the terms of a sum. A minus must follow a space, because names may have hyphens.
fn terms(text: &str) -> Vec<(i64, std::ops::Range<usize>)> {
    let mut terms = Vec::new();
    let (mut sign, mut start) = (1, 0);
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        let minus = letter == '-' && before == ' ' && at > 0;
        if letter == '+' || minus {
            terms.push((sign, start..at));
            sign = if minus { -1 } else { 1 };
            start = at + 1;
        }
        before = letter;
    }
    terms.push((sign, start..text.len()));
    terms
}

impl TraitSheet {
    fn value(&self, name: &str) -> Option<i64> {
        let found = self.traits.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value)
    }

    fn lacks(&self, name: &str, span: crate::document::source::Span) -> Diagnostic {
        let known = || self.traits.iter().map(|(name, _)| name.as_str());
        let label = names::suggest(name, known(), '"')
            .unwrap_or_else(|| format!("its traits are {}", names::list(known(), "and")));
        let dice = name.split_once(['d', 'D']).and_then(|(dice, sides)| {
            sides.parse::<u32>().ok()?;
            dice.trim().parse::<u32>().ok()
        });
        Diagnostic::error(
            span,
            format!("{} has no trait \"{}\"", self.owner, shown(name)),
            label,
        )
        .help(match dice {
            Some(dice) => format!("a pool is a number of dice: `pool = {dice}`"),
            None => "traits are written in `attributes` and `skills`".to_owned(),
        })
    }

    /// Adds the skills of a `skills` table: names and values from 0 to `most`.
    pub(crate) fn add_skills(&mut self, node: &Node, most: i64, problems: &mut Vec<Diagnostic>) {
        let Value::Table(table) = &node.value else {
            problems.push(reader::wrong_kind(
                node,
                "skills",
                "a table like `{ brawl = 3, athletics = 2 }`",
            ));
            return;
        };
        for Entry { key, span, node } in &table.entries {
            if let Err(problem) = reader::check_name(key, *span) {
                problems.push(problem);
            } else if key.contains('+') || key.parse::<i64>().is_ok() {
                problems.push(Diagnostic::error(
                    *span,
                    format!("no skill can be called \"{}\"", shown(key)),
                    "a sum of traits could not name it",
                ));
            } else if self.value(key).is_some() {
                problems.push(Diagnostic::error(
                    *span,
                    format!("\"{}\" is a trait already", shown(key)),
                    "choose another name",
                ));
            } else {
                match reader::integer(node, key, 0..=most) {
                    Ok(value) => self.traits.push((key.to_string(), value)),
                    Err(problem) => problems.push(problem),
                }
            }
        }
    }
}
