//! Puts a build in place of a side.

use super::ParsedBuild;
use super::imports::Import;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node, Table, Value};
use crate::document::overrides::{FROM_VARIANT, Override, apply, parameter, resolve};
use crate::document::path::{Path, PathKey};
use crate::document::source::Span;
use crate::fight::MAX_COMBATANTS;
use crate::names;
use crate::policy::parameters::replaced;
use std::sync::Arc;

/// The keys of a combatant that list the names of tables.
const GEAR: [&str; 3] = ["weapons", "spells", "items"];

/// Returns the sides of a tree, in the order of its combatants.
pub(super) fn sides(root: &Node) -> Vec<String> {
    let mut sides: Vec<String> = Vec::new();
    // More are refused.
    let combatants = root.combatants().iter().take(MAX_COMBATANTS);
    for side in combatants.filter_map(|table| table.text_at("side")) {
        if !sides.iter().any(|known| known == side) {
            sides.push(side.to_owned());
        }
    }
    sides
}

/// Puts a build in place of a side of the tree. `both` says whether the build plays on both sides.
pub(super) fn take(
    root: &mut Arc<Node>,
    side: &str,
    build: &ParsedBuild,
    both: bool,
) -> Result<(), Vec<Diagnostic>> {
    if let Some(import) = &build.from {
        bring(root, side, import)?;
    }
    let names: Vec<String> = root
        .combatants()
        .iter()
        .filter(|table| table.text_at("side") == Some(side))
        .filter_map(|table| table.text_at("name").map(str::to_owned))
        .collect();
    let mut problems = Vec::new();
    let mut values: Vec<(Arc<str>, Value)> = Vec::new();
    for change in &build.set {
        let parts = &change.path.parts;
        if let [table, name] = &parts[..]
            && table.name == "parameters"
        {
            match own_parameter(root, name, change) {
                Ok(value) => values.push((name.name.as_str().into(), value)),
                Err(problem) => problems.push(problem),
            }
            continue;
        }
        let of_one = parts.len() > 1 && names.contains(&parts[0].name);
        let key = &parts[usize::from(of_one)];
        if GEAR.contains(&&*key.name) && parts.len() > usize::from(of_one) + 1 {
            let table = &key.name;
            let title = format!("a build changes its combatant, not what `[{table}.NAME]` says");
            let label = format!("expected `{table} = [...]`");
            let help = format!(
                "write another `[{table}.NAME]` with these values, and let the build name it: \
                 `set = {{ {table} = [\"NAME\"] }}`"
            );
            problems.push(Diagnostic::error(key.span, title, label).help(help));
            continue;
        }
        if let Some(why) = refused(&key.name, both) {
            let title = format!("a build does not change `{}`", key.name);
            problems.push(Diagnostic::error(key.span, title, why));
            continue;
        }
        for name in &names {
            if of_one && *name != parts[0].name {
                continue;
            }
            let path = of_combatant(change, name, usize::from(of_one));
            let value = Arc::clone(&change.value);
            let made = resolve(root, path)
                .and_then(|path| apply(root, &Override { path, value }, FROM_VARIANT));
            problems.extend(made.err());
        }
    }
    if !values.is_empty() {
        let whole = Arc::clone(root);
        for one in root.combatants_mut().into_iter().flatten() {
            if one.text_at("side") == Some(side) {
                *one = closed(one, &whole, &values);
            }
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

/// Returns the reason why a build may not change a key of a combatant, if there is one.
fn refused(key: &str, both: bool) -> Option<&'static str> {
    match key {
        "name" => Some("dice go by the name: all builds of a side share those of its combatants"),
        "side" => Some("a build has the side whose place it takes"),
        "position" if both => {
            Some("it plays on both sides, and stands where the combatants of each side stand")
        }
        _ => None,
    }
}

/// Returns the path to a key of a combatant, without the `skipped` first parts of the path in the build.
fn of_combatant(change: &Override, name: &str, skipped: usize) -> Path {
    let span = change.path.span;
    let mut parts = vec![PathKey::new("combatants", span), PathKey::new(name, span)];
    parts.extend_from_slice(&change.path.parts[skipped..]);
    Path { parts, span }
}

/// Returns the value of a parameter that a build sets.
fn own_parameter(root: &Node, name: &PathKey, change: &Override) -> Result<Value, Diagnostic> {
    if parameter(root, &name.name).is_none() {
        let known = root.entries("parameters").iter().map(|entry| &*entry.key);
        let title = format!("no parameter is called \"{}\"", name.name);
        let usual = || "expected one that `[parameters]` has".to_owned();
        let label = names::suggest(&name.name, known, '`').unwrap_or_else(usual);
        return Err(Diagnostic::error(name.span, title, label));
    }
    match &change.value.value {
        Value::List(_) | Value::Table(_) | Value::Datetime => Err(Diagnostic::error(
            change.value.span,
            format!(
                "parameter \"{}\" is {}",
                name.name,
                change.value.value.kind()
            ),
            "expected a number or a word",
        )),
        value => Ok(value.clone()),
    }
}

/// Returns a combatant with its policy in place, and with parameters replaced by values.
pub(super) fn closed(
    combatant: &Arc<Node>,
    root: &Node,
    values: &[(Arc<str>, Value)],
) -> Arc<Node> {
    let mut combatant = Arc::clone(combatant);
    let policy = combatant.text_at("policy").and_then(|name| {
        let policies = &root.get("policies")?.node;
        Some(Arc::clone(&policies.get(name)?.node))
    });
    if let Some(policy) = policy
        && let Value::Table(table) = &mut Arc::make_mut(&mut combatant).value
        && let Some(entry) = table.get_mut("policy")
    {
        entry.node = policy;
    }
    filled(&combatant, values)
}

/// Returns a value with parameters replaced by values, inside texts as well.
fn filled(node: &Arc<Node>, values: &[(Arc<str>, Value)]) -> Arc<Node> {
    let value = match &node.value {
        Value::Text(text, _) if text.contains('$') => in_text(text, values),
        Value::List(list) => Value::List(list.iter().map(|one| filled(one, values)).collect()),
        Value::Table(table) => Value::Table(Table {
            entries: table
                .entries
                .iter()
                .map(|entry| Entry {
                    node: filled(&entry.node, values),
                    ..entry.clone()
                })
                .collect(),
        }),
        _ => return Arc::clone(node),
    };
    Arc::new(Node::new(node.span, value))
}

fn in_text(text: &str, values: &[(Arc<str>, Value)]) -> Value {
    let of = |name: &str| values.iter().find(|(own, _)| **own == *name);
    if let Some((_, value)) = text.strip_prefix('$').and_then(of) {
        return value.clone();
    }
    let new = replaced(text, |name| of(name).map(|(_, value)| value.plain()));
    Value::Text(new.unwrap_or_else(|| text.to_owned()), None)
}

/// Replaces the combatants of a side by those of another file, at the positions of the old ones.
fn bring(root: &mut Arc<Node>, side: &str, import: &Import) -> Result<(), Vec<Diagnostic>> {
    let mut problems = Vec::new();
    for (table, entry) in &import.gear {
        problems.extend(add(root, table, entry).err());
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let Some(list) = root.combatants_mut() else {
        return Ok(());
    };
    let is_old = |one: &Arc<Node>| one.text_at("side") == Some(side);
    let at = list.iter().position(is_old).unwrap_or(list.len());
    let position = |one: &Arc<Node>| one.get("position").cloned();
    let places: Vec<Entry> = list
        .iter()
        .filter(|member| is_old(member))
        .filter_map(position)
        .collect();
    list.retain(|member| !is_old(member));
    let taken: Vec<String> = { list.iter() }
        .filter_map(|member| member.text_at("name").map(str::to_owned))
        .collect();
    let new = import.combatants.iter().enumerate().map(|(index, one)| {
        let mut one = Arc::clone(one);
        if let Value::Table(table) = &mut Arc::make_mut(&mut one).value {
            put(table, "side", Value::Text(side.to_owned(), None));
            if let Some(name) = table.text("name")
                && taken.iter().any(|other| other == name)
            {
                let name = format!("{name} ({side})");
                put(table, "name", Value::Text(name, None));
            }
            if let Some(place) = places.get(index).or(places.last()) {
                put(table, "position", place.node.value.clone());
            }
        }
        one
    });
    let new: Vec<Arc<Node>> = new.collect();
    list.splice(at..at, new);
    Ok(())
}

/// Sets the value of a key of a table.
fn put(table: &mut Table, key: &str, value: Value) {
    if let Some(entry) = table.get_mut(key) {
        entry.node = Arc::new(Node::new(entry.node.span, value));
        return;
    }
    let first = table.entries.first();
    let span = first.map_or(Span::new(0, 0..0), |node| node.span);
    table.entries.push(Entry {
        key: key.into(),
        span,
        node: Arc::new(Node::new(span, value)),
    });
}

/// Adds gear of another file to a top-level table. Gear with the same name in both files must be equal.
fn add(root: &mut Arc<Node>, table: &str, entry: &Entry) -> Result<(), Diagnostic> {
    let Value::Table(top) = &mut Arc::make_mut(root).value else {
        return Ok(());
    };
    if top.get(table).is_none() {
        top.entries.push(Entry {
            key: table.into(),
            span: entry.span,
            node: Arc::new(Node::new(entry.span, Table::default())),
        });
    }
    let Some(there) = top.get_mut(table) else {
        return Ok(());
    };
    let Value::Table(all) = &mut Arc::make_mut(&mut there.node).value else {
        return Ok(());
    };
    match all.get(&entry.key) {
        None => all.entries.push(entry.clone()),
        Some(known) if known.node.value.to_string() == entry.node.value.to_string() => {}
        Some(known) => {
            let title = format!("`{table}.{}` differs between the files", entry.key);
            let problem = Diagnostic::error(entry.span, title, "this build brings it along");
            return Err(problem
                .context(known.span, "the other one")
                .help("give one of them another name"));
        }
    }
    Ok(())
}
