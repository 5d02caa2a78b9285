//! Advice on unknown keys: the key that is meant, or the systems that have it. Advice is followed once before it is
//! given: a key that the reader refuses in its new place is not advised, and what is no longer wrong then was part of the
//! same mistake.

use crate::document::diagnostics::{Diagnostic, UnknownKey};
use crate::document::node::{Entry, Node, Table, Value};
use crate::document::source::Span;
use crate::fields::synonyms::{Advice, advice};
use crate::fight::check::CheckKind;
use crate::fight::system::System;
use crate::systems::SYSTEMS;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The greatest number of unknown keys that are explained: as many messages as are shown.
const MOST: usize = 100;

/// How often advice is followed, at most, while some of it is refused.
const ROUNDS: usize = 10;

/// Begins a key that no system has.
const STRANGE: &str = "\0";

/// Explains the unknown keys among the problems of a tree. `read` returns the problems of a changed tree.
pub(super) fn advise(
    problems: &mut Vec<Diagnostic>,
    root: &Node,
    system: &System,
    read: impl Fn(&Node) -> Vec<Diagnostic>,
) {
    let unknown: HashMap<Span, &UnknownKey> =
        problems.iter().filter_map(unknown).take(MOST).collect();
    if unknown.is_empty() {
        return;
    }
    let all = unknown.iter();
    let all = all.filter_map(|(span, unknown)| Some((*span, advice(unknown, system)?)));
    let mut sound: HashMap<Span, Advice> = all.collect();
    let known: HashSet<_> = problems.iter().map(Diagnostic::identity).collect();
    // Of another system all keys may be right.
    if sound.values().any(|advice| advice.relative() == "system") {
        sound.retain(|_, advice| advice.relative() == "system");
    }
    let mut left = Vec::new();
    let mut refused = HashSet::new();
    // Beside the kind that `rules.check` takes, a check may have the keys of others, which then say nothing.
    if let Some(wanted) = wanted_check(root) {
        let says_nothing = |advice: &Advice| {
            let mut kinds = CheckKind::ALL.iter().map(|(_, kind)| kind);
            kinds
                .any(|kind| *kind != wanted && advice.relative() == format!("check.{}", kind.key()))
        };
        sound.retain(|span, advice| {
            let stays = !says_nothing(advice);
            if !stays {
                refused.insert(*span);
            }
            stays
        });
    }
    // Of several words for one key the first takes its place: the next are tried when it is refused.
    for round in 0..=ROUNDS {
        let (tree, wrong) = follow(root, &sound, &read);
        left = wrong;
        let is_refused = |span: &Span, advice: &Advice| {
            let near = advice.is_nested().then(|| near(&tree, *span)).flatten();
            left.iter()
                .filter(|problem| !problem.is_lack)
                .any(|problem| {
                    let place = problem.place.as_ref().map(|place| place.0);
                    let is_near = near.iter().flatten().any(|key| Some(*key) == place);
                    place == Some(*span) || is_near && !known.contains(&problem.identity())
                })
        };
        let wrong = sound.iter().filter(|(span, advice)| {
            is_refused(span, advice) || round == ROUNDS && advice.is_nested()
        });
        let wrong: Vec<Span> = wrong.map(|(span, _)| *span).collect();
        if wrong.is_empty() {
            break;
        }
        sound.retain(|span, _| !wrong.contains(span));
        refused.extend(wrong);
    }
    let others = unknown.iter().filter(|(span, _)| !sound.contains_key(span));
    let having = having(
        root,
        system,
        &others
            .map(|(span, unknown)| (*span, &*unknown.key))
            .collect(),
        &read,
    );
    let labels: HashMap<Span, String> = unknown
        .iter()
        .filter_map(|(span, unknown)| {
            let key = &unknown.key;
            let label = match (sound.get(span), having.get(span)) {
                // The reader has found the nearest key itself.
                (Some(advice), _) if advice.is_misspelt => return None,
                (Some(advice), _) => advice.label(key),
                (None, Some(titles)) => {
                    let verb = if titles.len() > 1 { "have" } else { "has" };
                    let titles = titles.join(" and ");
                    format!("{titles} {verb} `{key}`, {} has not", system.title)
                }
                (None, None) if refused.contains(span) => "unknown key".to_owned(),
                (None, None) => return None,
            };
            Some((*span, label))
        })
        .collect();
    // A table may lack fewer keys than before.
    let lacking: HashSet<Option<Span>> = (problems.iter().filter(|problem| problem.is_lack))
        .map(|problem| problem.identity().0)
        .collect();
    let is_left: HashSet<_> = left.iter().map(Diagnostic::identity).collect();
    let fewer = left.iter().filter(|problem| {
        problem.is_lack
            && lacking.contains(&problem.identity().0)
            && !known.contains(&problem.identity())
    });
    let fewer: Vec<Diagnostic> = fewer.cloned().collect();
    let stays: Vec<bool> = (problems.iter())
        .map(|problem| {
            let place = problem.place.as_ref().map(|place| place.0);
            let is_advised = place.is_some_and(|place| sound.contains_key(&place));
            problem.unknown().is_some() && is_advised || is_left.contains(&problem.identity())
        })
        .collect();
    let mut stays = stays.into_iter();
    problems.retain(|_| stays.next() == Some(true));
    problems.extend(fewer);
    for problem in problems {
        let place = problem.place.as_ref().map(|place| place.0);
        if let Some(label) = place.and_then(|place| labels.get(&place))
            && problem.unknown().is_some()
        {
            let advice = place.and_then(|place| sound.get(&place));
            problem.explain(label, advice.and_then(Advice::replacement));
        }
    }
}

/// Returns the kind of check that `rules.check` takes, if it does.
fn wanted_check(root: &Node) -> Option<CheckKind> {
    let name = root.get("rules")?.node.text_at("check")?;
    let mut kinds = CheckKind::ALL.iter();
    kinds
        .find(|(known, _)| *known == name)
        .map(|(_, kind)| *kind)
}

/// Returns the unknown key that a problem is about, and its place.
fn unknown(problem: &Diagnostic) -> Option<(Span, &UnknownKey)> {
    let (span, _) = problem.place.as_ref()?;
    let unknown = problem.unknown()?;
    (!unknown.key.contains('.')).then_some((*span, unknown))
}

/// Returns the tree in which all advice is followed, and its errors.
fn follow(
    root: &Node,
    advice: &HashMap<Span, Advice>,
    read: impl Fn(&Node) -> Vec<Diagnostic>,
) -> (Node, Vec<Diagnostic>) {
    let paths = advice
        .iter()
        .map(|(span, advice)| (*span, advice.relative()));
    let tree = moved(root, &paths.collect());
    let left = read(&tree);
    (tree, left)
}

/// Returns the titles of the other systems that have the keys at these places.
fn having(
    root: &Node,
    system: &System,
    keys: &HashMap<Span, &str>,
    read: impl Fn(&Node) -> Vec<Diagnostic>,
) -> HashMap<Span, Vec<&'static str>> {
    let mut having: HashMap<Span, Vec<&'static str>> = HashMap::new();
    if keys.is_empty() {
        return having;
    }
    // The reader lists the keys of a table for a key that it does not know.
    let strange = keys
        .iter()
        .map(|(span, key)| (*span, format!("{STRANGE}{key}")));
    let mut root = moved(root, &strange.collect());
    for other in SYSTEMS {
        if let Value::Table(top) = &mut root.value
            && let Some(entry) = top.get_mut("system")
        {
            let name = Value::Text(other.name.to_owned(), None);
            entry.node = Arc::new(Node::new(entry.node.span, name));
        }
        for problem in read(&root) {
            if let Some((span, unknown)) = unknown(&problem)
                && keys
                    .get(&span)
                    .is_some_and(|key| unknown.known.contains(key))
            {
                let titles = having.entry(span).or_default();
                if titles.last() != Some(&other.title) {
                    titles.push(other.title);
                }
            }
        }
    }
    // Without its keys a check may be of another kind, which has them in every system.
    having.retain(|_, titles| !titles.contains(&system.title));
    having
}

/// Returns a tree with the entries at some places moved along paths; an entry without a path is left out.
fn moved(node: &Node, paths: &HashMap<Span, String>) -> Node {
    let again = |node: &Arc<Node>| Arc::new(moved(node, paths));
    let value = match &node.value {
        Value::List(list) => Value::List(list.iter().map(again).collect()),
        Value::Table(table) => {
            let (away, stay): (Vec<&Entry>, Vec<&Entry>) =
                (table.entries.iter()).partition(|entry| paths.contains_key(&entry.span));
            let stay = stay.into_iter().map(|entry| Entry {
                node: again(&entry.node),
                ..entry.clone()
            });
            let mut table = Table {
                entries: stay.collect(),
            };
            for entry in away {
                put(&mut table, &paths[&entry.span], entry.clone());
            }
            Value::Table(table)
        }
        other => other.clone(),
    };
    Node::new(node.span, value)
}

/// Puts an entry at a path below a table, unless something stands there.
fn put(table: &mut Table, path: &str, entry: Entry) {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    match table.get_mut(first) {
        _ if path.is_empty() => {}
        None if rest.is_empty() => table.entries.push(Entry {
            key: first.into(),
            ..entry
        }),
        None => {
            let mut inner = Table::default();
            put(&mut inner, rest, entry.clone());
            table.entries.push(Entry {
                key: first.into(),
                node: Arc::new(Node::new(entry.span, inner)),
                ..entry
            });
        }
        Some(_) if rest.is_empty() => {}
        Some(within) => match &mut Arc::make_mut(&mut within.node).value {
            Value::Table(inner) => put(inner, rest, entry),
            // A text or a number holds no key: the entry stays where it is.
            _ => table.entries.push(entry),
        },
    }
}

/// Returns the places of the table that has an entry at a place, and of all its keys.
fn near(node: &Node, span: Span) -> Option<Vec<Span>> {
    match &node.value {
        Value::List(list) => list.iter().find_map(|member| near(member, span)),
        Value::Table(table) => {
            let keys = table.entries.iter().map(|entry| entry.span);
            if keys.clone().any(|key| key == span) {
                return Some(keys.chain([node.span]).collect());
            }
            table
                .entries
                .iter()
                .find_map(|entry| near(&entry.node, span))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
