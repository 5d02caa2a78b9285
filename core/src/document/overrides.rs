//! Overrides: values put into the tree by dotted path, from a variant, from `--set` or from a sweep.
//!
//! Overrides change the tree before it is read. So a wrong value is found by the same checks as a wrong value in the
//! file, and its message points to where it was written.

use std::fmt::Write as _;
use std::sync::Arc;

use toml::de::DeValue;

use super::diagnostics::Diagnostic;
use super::node::{Entry, Node, Reading, Table, Value};
use super::path::{self, Path, PathKey, quoted};
use super::source::{Sources, Span};
use crate::names;

/// Top-level tables whose entries are tables with names chosen by the scenario.
const NAMED: &[&str] = &["weapons", "spells", "items", "tasks"];

/// Top-level tables that an override changes key by key, never as a whole.
const CONTAINERS: &[&str] = &[
    "rules",
    "encounter",
    "weapons",
    "spells",
    "items",
    "tasks",
    "policies",
    PARAMETERS,
];

/// The table of values that other values and policies refer to. If a parameter is a table, an override replaces its
/// `value` and keeps its range.
const PARAMETERS: &str = "parameters";

/// A key of combatants, and its other spelling.
const HEALTH: &str = "health";
const HP: &str = "hp";

/// A value and the path at which it is put.
#[derive(Debug, Clone)]
pub(crate) struct Override {
    pub(crate) path: Path,
    pub(crate) value: Arc<Node>,
}

impl Override {
    /// Returns the path and the value as text.
    pub(crate) fn written(&self) -> (String, String) {
        (self.path.whole(), self.value.value.to_string())
    }
}

/// Top-level keys that cannot be overridden, each with the reason.
pub(crate) type Forbidden = [(&'static str, &'static str)];

/// Keys that `--set` cannot change.
pub(crate) const FROM_OUTSIDE: &Forbidden = &[
    ("format", "the format is a property of the file"),
    ("variants", "variants are part of the file"),
    ("builds", "builds are part of the file"),
    ("expect", "expectations are part of the file"),
];

/// Keys that a sweep cannot vary.
pub(crate) const FROM_SWEEP: &Forbidden = &[
    ("format", "the format is a property of the file"),
    ("variants", "name one with `--variant` to sweep it"),
    ("builds", "builds are part of the file"),
    ("title", "the title is no part of the fight"),
    ("question", "the question is no part of the fight"),
    ("base", "its name is no part of the fight"),
    ("silence", "remarks are no part of the fight"),
    ("expect", "expectations are no part of the fight"),
];

/// Keys that a variant cannot change.
pub(crate) const FROM_VARIANT: &Forbidden = &[
    ("format", "the format is a property of the file"),
    ("variants", "a variant does not change variants"),
    ("builds", "builds are the same for all variants"),
    ("expect", "expectations are part of the file"),
    ("title", "the title is the same for all variants"),
    ("question", "the question is the same for all variants"),
    ("base", "it has one name for all variants"),
    ("silence", "remarks are silenced for all variants"),
];

/// Returns an override, or an error if its number has a plus sign: a value replaces the one in the file, and `+20` looks
/// like 20 more.
pub(crate) fn replacing(change: Override, sources: &Sources) -> Result<Override, Diagnostic> {
    let text = sources.text(change.value.span);
    match text.strip_prefix('+') {
        Some(plain) if change.value.value.number().is_some() => {
            let title = format!("`{text}` does not say whether it is {plain} or {plain} more");
            let help = format!("a value replaces the one in the file: write `{plain}`, or the sum");
            Err(Diagnostic::error(
                change.value.span,
                title,
                "expected a number without a plus sign",
            )
            .help(help))
        }
        _ => Ok(change),
    }
}

/// Reads a `--set` argument, `KEY=VALUE`, which is the text of `source`. VALUE is TOML, or plain text if it does not
/// look like TOML.
pub(crate) fn read_argument(argument: &str, source: usize) -> Result<Override, Vec<Diagnostic>> {
    let place = |bytes| Span::new(source, bytes);
    let (path, at) = path::read(argument, place).map_err(|error| vec![error])?;
    let lack = match argument[at..].strip_prefix('=').map(str::trim) {
        None => Some((
            "expected `=` and a value",
            "written `--set KEY=VALUE`, as in `--set rules.round=simple`",
        )),
        Some("") => Some(("expected a value", "empty text is written `\"\"`")),
        Some(_) => None,
    };
    if let Some((expected, help)) = lack {
        let end = place(argument.len()..argument.len());
        let lack = Diagnostic::error(end, "`--set` lacks a value", expected);
        return Err(vec![lack.help(help)]);
    }
    let value = argument[at + 1..].trim_start();
    let offset = argument.len() - value.len();
    let value = value.trim_end();
    Ok(Override {
        path,
        value: Arc::new(read_value(value, source, offset)?),
    })
}

/// Reads a value that begins at byte `offset` of a source: TOML, or plain text if it does not look like
/// TOML.
pub(crate) fn read_value(
    value: &str,
    source: usize,
    offset: usize,
) -> Result<Node, Vec<Diagnostic>> {
    let reading = Reading {
        source,
        text: value,
        offset,
    };
    match DeValue::parse(value) {
        Ok(read) => reading
            .node(read.get_ref(), read.span(), 0)
            .map_err(|span| vec![too_deep(span)]),
        Err(error) if value.starts_with(['"', '\'', '[', '{']) => {
            let bytes = error.span().unwrap_or(0..value.len());
            Err(vec![Diagnostic::error(
                reading.span(bytes),
                "the value is not valid TOML",
                error.message(),
            )])
        }
        Err(_) => {
            let span = reading.span(0..value.len());
            Ok(Node::new(span, Value::Text(value.to_owned(), Some(offset))))
        }
    }
}

fn parameters(root: &Node) -> Option<&Table> {
    root.table()?.table(PARAMETERS)
}

/// Returns the value of a parameter, if the tree has it.
pub(crate) fn parameter<'a>(root: &'a Node, name: &str) -> Option<&'a Arc<Node>> {
    let node = &parameters(root)?.get(name)?.node;
    match node.table() {
        Some(table) => table.get("value").map(|entry| &entry.node),
        None => Some(node),
    }
}

/// Returns the path as it is in the tree. A path that begins with the name of a combatant, a weapon or the like gets
/// the table in front, and a key of a combatant gets its usual spelling.
pub(crate) fn resolve(root: &Node, mut path: Path) -> Result<Path, Diagnostic> {
    let first = &path.parts[0];
    if !is_key(root, &first.name) {
        let table = if path.parts.len() > 1 {
            table_of(root, first)?
        } else if parameters(root).is_some_and(|table| table.get(&first.name).is_some()) {
            Some(PARAMETERS)
        } else if let Some(problem) = incomplete_path(root, first) {
            return Err(problem);
        } else {
            None
        };
        if let Some(table) = table {
            let table = PathKey::new(table, first.span);
            path.parts.insert(0, table);
        }
    }
    if let [table, _, key] = &mut path.parts[..]
        && table.name == "combatants"
        && key.name == HP
    {
        HEALTH.clone_into(&mut key.name);
    }
    Ok(path)
}

/// Returns whether a scenario has or may have this key at its top.
fn is_key(root: &Node, name: &str) -> bool {
    CONTAINERS.contains(&name) || root.get(name).is_some()
}

/// Returns the table with the thing of this name, or `None` if nothing has a similar name.
fn table_of<'a>(root: &'a Node, key: &PathKey) -> Result<Option<&'a str>, Diagnostic> {
    let all = named(root);
    let called = all.iter().filter(|(_, name, _)| *name == key.name);
    let tables: Vec<&str> = called.map(|(table, ..)| *table).collect();
    let (title, label) = match tables[..] {
        [] => {
            let names = all.iter().map(|(_, name, _)| *name);
            let nearest = names::nearest(&key.name, names.chain(CONTAINERS.iter().copied()));
            // A nearly correct name of a table is left to the reader.
            let Some(nearest) = nearest.filter(|nearest| !is_key(root, nearest)) else {
                return Ok(None);
            };
            let title = format!("nothing is called \"{}\"", key.name);
            (title, format!("did you mean `{}`?", quoted(nearest)))
        }
        [table] => return Ok(Some(table)),
        _ => {
            let name = quoted(&key.name);
            let full: Vec<String> = tables
                .iter()
                .map(|table| format!("{table}.{name}"))
                .collect();
            let title = format!("several things are called \"{}\"", key.name);
            let full = names::list(full.iter().map(String::as_str), "or");
            (title, format!("expected {full}"))
        }
    };
    Err(Diagnostic::error(key.span, title, label))
}

/// Returns the error for a path that is only the key or only the name of something in the scenario.
fn incomplete_path(root: &Node, part: &PathKey) -> Option<Diagnostic> {
    let all = named(root);
    if all.iter().any(|(_, name, _)| *name == part.name) {
        let name = quoted(&part.name);
        return Some(not_as_a_whole(part.span, &name, &format!("{name}.KEY")));
    }
    let is_hp = part.name == HP;
    let key = if is_hp { HEALTH } else { &part.name[..] };
    let has = |node: &Node| node.get(key).is_some();
    let whole = all.iter().filter_map(|(_, name, thing)| {
        let name = quoted(name);
        if has(thing) {
            return Some(format!("{name}.{key}"));
        }
        // Such as an attribute.
        let mut inner = thing.table()?.entries.iter();
        let inner = inner.find(|inner| has(&inner.node))?;
        Some(format!("{name}.{}.{key}", inner.key))
    });
    let whole: Vec<String> = whole.collect();
    if whole.is_empty() {
        return None;
    }
    let title = format!("the scenario has no key `{}`", part.name);
    let names = names::list(whole.iter().map(String::as_str), "or");
    let error = Diagnostic::error(part.span, title, "expected whose it is");
    Some(error.help(format!("as in {names}")))
}

/// Returns everything that the scenario names, in the order of the file: its table, its name and its value.
fn named<'a>(root: &'a Node) -> Vec<(&'a str, &'a str, &'a Node)> {
    let Some(top) = root.table() else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for entry in &top.entries {
        match &entry.node.value {
            Value::List(list) if &*entry.key == "combatants" => {
                let name =
                    |node: &'a Arc<Node>| Some(("combatants", node.text_at("name")?, &**node));
                all.extend(list.iter().filter_map(name));
            }
            Value::Table(things) if NAMED.contains(&&*entry.key) => {
                let things = things.entries.iter();
                all.extend(things.map(|thing| (&*entry.key, &*thing.key, &*thing.node)));
            }
            _ => {}
        }
    }
    all
}

/// Rewrites keys of combatants to their usual spelling. A combatant with both spellings keeps both, and is refused
/// later.
pub(crate) fn respell(root: &mut Arc<Node>) {
    let is_other = |node: &Arc<Node>| node.get(HP).is_some() && node.get(HEALTH).is_none();
    // A tree that needs no change is not copied.
    if !root.combatants().iter().any(is_other) {
        return;
    }
    let combatants = root.combatants_mut().into_iter().flatten();
    for combatant in combatants.filter(|combatant| is_other(combatant)) {
        if let Value::Table(table) = &mut Arc::make_mut(combatant).value
            && let Some(entry) = table.get_mut(HP)
        {
            entry.key = HEALTH.into();
        }
    }
}

pub(crate) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        span,
        "values are nested too deeply",
        "nothing in a scenario nests this deep",
    )
}

/// Puts a value into the tree. Only the tables on the path are copied.
pub(crate) fn apply(
    root: &mut Arc<Node>,
    change: &Override,
    forbidden: &Forbidden,
) -> Result<(), Diagnostic> {
    let first = &change.path.parts[0];
    if let Some((_, why)) = forbidden.iter().find(|(key, _)| *key == first.name) {
        return Err(Diagnostic::error(
            first.span,
            format!("`{}` cannot be changed here", first.name),
            *why,
        ));
    }
    set(root, change, 0)?;
    if first.name == "combatants" {
        respell(root);
    }
    Ok(())
}

fn set(node: &mut Arc<Node>, change: &Override, depth: usize) -> Result<(), Diagnostic> {
    let path = &change.path;
    let part = &path.parts[depth];
    let last = depth + 1 == path.parts.len();
    let here = || path.written(depth);
    // The checks come before the copy: an error must change nothing and cost nothing.
    match &node.value {
        Value::Table(table) => {
            let exists = table.get(&part.name);
            if exists.is_none() && depth < 2 && path.parts[0].name == PARAMETERS {
                return Err(no_parameter(change, depth, table));
            }
            if last {
                whole_table(exists, change)?;
            } else if exists.is_none() && depth == 1 && NAMED.contains(&&path.parts[0].name[..]) {
                return Err(unknown_name(change, depth, table.keys()));
            } else if depth >= 8 {
                return Err(Diagnostic::error(
                    path.span,
                    "a path is too long",
                    "nothing in a scenario lies this deep",
                ));
            }
        }
        Value::List(list) => {
            if depth != 1 || path.parts[0].name != "combatants" {
                // A weapon has a table of its own: `Mage.weapons.pistol` is `weapons.pistol`.
                let own = if depth == 3 && NAMED.contains(&&*path.parts[2].name) {
                    let parts = path.parts[2..].iter().map(|part| quoted(&part.name));
                    format!("write `{}`, or ", parts.collect::<Vec<_>>().join("."))
                } else {
                    String::new()
                };
                let title = format!("`{}` is a list", here());
                let error = Diagnostic::error(part.span, title, "a list is set as a whole");
                return Err(error.help(format!("{own}set `{}` to a list", here())));
            }
            let Some(at) = list
                .iter()
                .position(|node| node.text_at("name") == Some(&part.name))
            else {
                let known = list.iter().filter_map(|node| node.text_at("name"));
                return Err(unknown_name(change, depth, known));
            };
            if last {
                return Err(Diagnostic::error(
                    path.span,
                    "a combatant is not set as a whole",
                    "expected a key of the combatant after this",
                )
                .help(format!("write `{}.move`", path.written(depth + 1))));
            }
            if let Value::List(list) = &mut Arc::make_mut(node).value {
                return set(&mut list[at], change, depth + 1);
            }
        }
        other => {
            return Err(Diagnostic::error(
                part.span,
                format!("`{}` is {}, not a table", here(), other.kind()),
                "there is nothing below it",
            ));
        }
    }
    let Value::Table(table) = &mut Arc::make_mut(node).value else {
        return Ok(());
    };
    if let Some(entry) = table.get_mut(&part.name) {
        if !last {
            return set(&mut entry.node, change, depth + 1);
        }
        if depth == 1
            && path.parts[0].name == PARAMETERS
            && change.value.table().is_none()
            && let Value::Table(parameter) = &mut Arc::make_mut(&mut entry.node).value
            && let Some(value) = parameter.get_mut("value")
        {
            value.node = Arc::clone(&change.value);
            return Ok(());
        }
        entry.span = part.span;
        entry.node = Arc::clone(&change.value);
        return Ok(());
    }
    let mut child = Arc::clone(&change.value);
    if !last {
        child = Arc::new(Node::new(part.span, Table::default()));
        set(&mut child, change, depth + 1)?;
    }
    table.entries.push(Entry {
        key: (&*part.name).into(),
        span: part.span,
        node: child,
    });
    Ok(())
}

/// Refuses to replace a whole table that has other keys: `set = { rules.round = "simple" }` is meant as one key, but is
/// a table.
fn whole_table(exists: Option<&Entry>, change: &Override) -> Result<(), Diagnostic> {
    let path = &change.path;
    let first = &path.parts[0].name[..];
    let whole = match path.parts.len() {
        1 => CONTAINERS.contains(&first) || first == "combatants",
        2 => exists.is_some() && NAMED.contains(&first),
        _ => false,
    };
    if !whole || change.value.table().is_none() {
        return Ok(());
    }
    let written = path.whole();
    // The path down to the only value that the table contains.
    let mut all = written.clone();
    let mut inner = change.value.table();
    while let Some([entry]) = inner.map(|table| &table.entries[..]) {
        let _ = write!(all, ".{}", quoted(&entry.key));
        inner = entry.node.table();
    }
    if inner.is_some() {
        all.push_str(".KEY");
    }
    Err(not_as_a_whole(path.span, &written, &all))
}

fn not_as_a_whole(span: Span, written: &str, value: &str) -> Diagnostic {
    let quote = if value.contains('"') { '\'' } else { '"' };
    Diagnostic::error(
        span,
        format!("`{written}` is not set as a whole"),
        "expected the path of a single value",
    )
    .help(format!(
        "name each value by its whole path, in quotes: `{quote}{value}{quote} = ...`"
    ))
}

/// Returns the error for a parameter that is set but not declared.
fn no_parameter(change: &Override, depth: usize, known: &Table) -> Diagnostic {
    let part = &change.path.parts[depth];
    let last = &change.path.parts[change.path.parts.len() - 1];
    let title = format!("no parameter is called \"{}\"", last.name);
    let label = match depth {
        0 => "the scenario has no `[parameters]`".to_owned(),
        _ => names::expected(&part.name, || known.keys(), '`'),
    };
    Diagnostic::error(part.span, title, label)
}

/// Returns the error for a name in a path that is not in its table; `depth` is its place in the path.
fn unknown_name<'a>(
    change: &Override,
    depth: usize,
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let part = &change.path.parts[depth];
    let known: Vec<&str> = known.collect();
    let container = change.path.written(depth);
    let label = match names::nearest(&part.name, known.iter().copied()) {
        Some(nearest) => format!("did you mean `{}`?", quoted(nearest)),
        None => format!("expected {}", names::list(known, "or")),
    };
    let title = format!("`{container}` has no \"{}\"", part.name);
    let error = Diagnostic::error(part.span, title, label);
    if container == "combatants" {
        error
    } else {
        error.help(format!(
            "a new one is added as a table: `{}` = {{ ... }}",
            change.path.written(depth + 1)
        ))
    }
}
