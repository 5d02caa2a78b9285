//! `[[variants]]`: the same fight with some changes.

use std::sync::Arc;

use super::blame::{ScenarioPart, blame};
use super::keys::VARIANT;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node};
use crate::document::overrides::{FROM_VARIANT, Override, apply, replacing, resolve};
use crate::document::path;
use crate::document::reader::{self, Reader, first_of};
use crate::document::source::{Sources, Span};

/// The name by which every scenario knows the file as it stands, even if `base` gives it another.
pub const BASE: &str = "base";

/// Returns the name of the file as it stands.
pub(super) fn base_name(root: &Node) -> &str {
    root.text_at("base").unwrap_or(BASE)
}

/// The greatest number of entries in a list of tables: more than any table can show.
const MOST: usize = 1000;

/// A variant as a tree.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) name: String,
    /// The place of the name.
    pub(super) span: Span,
    /// The base with the changes applied.
    pub(super) root: Arc<Node>,
    /// The changes, as paths and TOML values.
    pub(super) changes: Vec<(String, String)>,
    /// The places of the values that it sets.
    set_at: Vec<Span>,
    /// The errors of the variant so far. If there are any, the tree only serves to find more.
    pub(super) problems: Vec<Diagnostic>,
}

/// Returns the tables of the top-level list `key`. Messages call the entries `things`, and `done` says what happens to
/// them.
pub(super) fn tables<'a>(
    root: &'a Node,
    key: &'static str,
    [things, done]: [&str; 2],
    problems: &mut Vec<Diagnostic>,
) -> &'a [Arc<Node>] {
    let Some(entry) = root.get(key) else {
        return &[];
    };
    let help = format!("{things} are written as tables `[[{key}]]`");
    let list = reader::list(&entry.node, key).map_err(|problem| problem.help(help));
    let list = reader::ok_or_report(list, problems).unwrap_or_default();
    if list.len() > MOST {
        let label = format!("{}; at most {MOST} are {done}", list.len());
        problems.push(Diagnostic::error(
            entry.span,
            format!("too many {things}"),
            label,
        ));
        return &[];
    }
    list
}

/// Reads the variants of a tree.
pub(super) fn variants(
    root: &Arc<Node>,
    sources: &Sources,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Tree> {
    let list = tables(root, "variants", ["variants", "played"], problems);
    let mut trees: Vec<Tree> = Vec::new();
    let named = root.get("base").map(|entry| entry.node.span);
    let mut names: Vec<(&str, Span)> = named
        .map(|span| (base_name(root), span))
        .into_iter()
        .collect();
    for node in list {
        let Some(mut table) = Reader::open(node, &VARIANT, "a variant", problems) else {
            continue;
        };
        let span = table
            .entry("name")
            .map_or(table.span(), |entry| entry.node.span);
        let name = table.name("name");
        if let Some(name) = name {
            if name == BASE {
                problems.push(
                    Diagnostic::error(
                        span,
                        "a variant is called \"base\"",
                        "expected another name",
                    )
                    .help("the file as it stands is the variant `base`"),
                );
            }
            if let Some((_, earlier)) = names.iter().find(|(other, _)| *other == name) {
                problems.push(called_twice("variants", name, span, *earlier));
            }
            names.push((name, span));
        }
        let set = table.entry("set");
        let mut tree = Tree {
            name: name.unwrap_or_default().to_owned(),
            span,
            root: Arc::clone(root),
            changes: Vec::new(),
            set_at: Vec::new(),
            problems: Vec::new(),
        };
        let mut found = Vec::new();
        table.finish(&mut found);
        tree.put(set, sources, &mut found);
        // The errors of a variant without a name are those of the file.
        match name {
            Some(_) => tree.problems = found,
            None => problems.extend(found),
        }
        trees.push(tree);
    }
    trees
}

impl Tree {
    /// Puts the values of `set` into the tree.
    fn put(&mut self, set: Option<&Entry>, sources: &Sources, problems: &mut Vec<Diagnostic>) {
        const EXAMPLE: &str = "written like `set = { \"rules.round\" = \"simple\" }`";
        let table = set.and_then(|entry| entry.node.table());
        match (set, table) {
            (Some(entry), None) => {
                let problem = reader::wrong_kind(&entry.node, "set", "a table");
                problems.push(problem.help(EXAMPLE));
            }
            (_, Some(table)) if table.entries.is_empty() => {
                let problem = nothing(self.span, "expected `set` with at least one value");
                problems.push(problem.help(EXAMPLE));
            }
            _ => {}
        }
        let changes = set.zip(table).map_or(&[][..], |(entry, table)| {
            first_of(&table.entries, entry.span, "changes", problems)
        });
        for entry in changes {
            self.set_at.extend([entry.span, entry.node.span]);
            let made = change(entry, sources).and_then(|mut change| {
                change.path = resolve(&self.root, change.path)?;
                apply(&mut self.root, &change, FROM_VARIANT)?;
                Ok(change)
            });
            match made {
                Ok(change) => self.changes.push(change.written()),
                Err(problem) => problems.push(problem),
            }
        }
    }

    /// Names the variant as the cause of a problem that the base does not have. If the variant changes the system, the
    /// missing keys belong to the new one.
    pub(super) fn explain(&self, problem: Diagnostic) -> Diagnostic {
        let part = ScenarioPart::Variant(self.name.clone());
        let Some((_, system)) = self.changes.iter().find(|(key, _)| key == "system") else {
            return blame(problem, &part, self.span, &self.set_at);
        };
        let label = format!("the {part} has the system {system}");
        problem.context(self.span, label).help(
            "what only this system has can be set in the variant: `\"combatants.NAME.KEY\" = ...`; every \
             system understands `initiative`, `speed`, `move`, `evade`, `armor` and `health`",
        )
    }
}

/// Returns the error for a name that an earlier variant or build has.
pub(super) fn called_twice(things: &str, name: &str, span: Span, earlier: Span) -> Diagnostic {
    let title = format!("two {things} are called \"{name}\"");
    Diagnostic::error(span, title, "expected a name of its own").context(earlier, "the first one")
}

/// Returns the error for a variant that equals the base.
pub(super) fn nothing(span: Span, label: &str) -> Diagnostic {
    Diagnostic::error(span, "a variant changes nothing", label)
}

/// Converts an entry of `set` to an override, with its path located inside the key.
pub(super) fn change(entry: &Entry, sources: &Sources) -> Result<Override, Diagnostic> {
    let raw = sources.text(entry.span);
    let inner = raw
        .strip_prefix(['"', '\''])
        .and_then(|raw| raw.strip_suffix(['"', '\'']));
    let quote = usize::from(inner.is_some());
    let verbatim = inner.unwrap_or(raw) == &*entry.key;
    let start = entry.span.bytes().start + quote;
    let place = |bytes: std::ops::Range<usize>| {
        if verbatim {
            Span::new(entry.span.source(), start + bytes.start..start + bytes.end)
        } else {
            entry.span
        }
    };
    let (path, read) = path::read(&entry.key, place)?;
    if read < entry.key.len() {
        return Err(Diagnostic::error(
            place(read..entry.key.len()),
            "a path is broken off",
            "expected the end of the path",
        )
        .help("the value stands outside the quotes: `\"rules.round\" = \"simple\"`"));
    }
    let change = Override {
        path,
        value: Arc::clone(&entry.node),
    };
    replacing(change, sources)
}
