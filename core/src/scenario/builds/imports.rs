//! Builds from other files: the combatants of a side of another scenario.

use crate::document::Document;
use crate::document::diagnostics::{Diagnostic, Diagnostics};
use crate::document::node::{Entry, Node, Value};
use crate::document::reader::{self, Reader};
use crate::document::source::Sources;
use crate::names;
use crate::scenario::BASE;
use crate::scenario::keys::FROM;
use crate::scenario::parameters::{BoundParameters, declared};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The tables whose entries are imported with the combatants.
const GEAR: [&str; 5] = ["weapons", "spells", "items", "tasks", "conditions"];

/// The combatants of a side of another file, and their gear.
#[derive(Debug)]
pub(super) struct Import {
    /// The combatants, with their policies in place and all parameters replaced by values.
    pub(super) combatants: Vec<Arc<Node>>,
    /// The gear of the file, each entry with the name of its table.
    pub(super) gear: Vec<(&'static str, Entry)>,
    hash: u64,
}

impl Import {
    /// Reads `from = "FILE"`, or `from = { file = "FILE", side = "SIDE", variant = "VARIANT" }`.
    pub(super) fn read(
        entry: &Entry,
        sources: &mut Sources,
        problems: &mut Vec<Diagnostic>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let (mut file, mut side, mut variant) = (&entry.node, None, BASE);
        if entry.node.table().is_some() {
            let mut table =
                Reader::open(&entry.node, &FROM, "`from`", problems).ok_or_else(Vec::new)?;
            let named = table.entry("file").map(|entry| &entry.node);
            side = table.entry("side");
            variant = table.text("variant").unwrap_or(variant);
            table.finish(problems);
            file = named.ok_or_else(Vec::new)?;
        }
        let wrong = |title: String, label: &str| vec![Diagnostic::error(file.span, title, label)];
        let path = reader::text(file, "file").map_err(|problem| vec![problem])?;
        let here = Path::new(sources.get(0).map_or("", |source| &source.name));
        if names::is_stdin(here) {
            let title = "a scenario from standard input has no folder";
            return Err(wrong(title.to_owned(), "this path is relative to it"));
        }
        let Some(path) = place_below(names::folder_of(here), Path::new(path)) else {
            let title = "`from` names a file outside the folder of this scenario";
            let label = "expected a file beside this scenario or in a folder below";
            let problem = Diagnostic::error(file.span, title, label);
            let help = "copy the file there; a link that leads out is not followed";
            return Err(vec![problem.help(help)]);
        };
        let named_here = |problem: Diagnostic| {
            if problem.place.is_some() {
                return problem;
            }
            let here = Diagnostic::error(file.span, problem.title, "named here");
            problem.help.into_iter().fold(here, Diagnostic::help)
        };
        let document = Document::beside(&path, sources)
            .map_err(|problems| problems.into_iter().map(named_here).collect::<Vec<_>>())?;
        let hash = document.hash;
        let (document, _) = document.only(variant).map_err(Diagnostics::into_list)?;
        let filled =
            BoundParameters::read(&document.root, problems).put_into(&document.root, problems);
        let root = filled.map_or_else(|| Arc::clone(&document.root), Arc::new);
        let values: Vec<(Arc<str>, Value)> = declared(&root, problems)
            .into_iter()
            .map(|value| (value.name.clone(), value.value.value.clone()))
            .collect();
        let list = root.combatants();
        if list.is_empty() {
            let title = format!("`{}` has no combatants", names::of_file(&path));
            return Err(wrong(title, "named here"));
        }
        let sides = super::seat::sides(&root);
        let wanted = side.map_or_else(
            || sides.first().map(String::as_str),
            |entry| entry.node.text(),
        );
        let of_side = |node: &&Arc<Node>| node.text_at("side") == wanted;
        let combatants: Vec<Arc<Node>> = list
            .iter()
            .filter(of_side)
            .map(|node| super::seat::closed(node, &root, &values))
            .collect();
        if combatants.is_empty() {
            let span = side.map_or(file.span, |entry| entry.node.span);
            let title = format!("`{}` has no such side", names::of_file(&path));
            let known = sides.iter().map(String::as_str);
            let label = format!("expected {}", names::list(known, "or"));
            return Err(vec![Diagnostic::error(span, title, label)]);
        }
        let mut gear = Vec::new();
        for table in GEAR {
            let entries = root.entries(table).iter();
            gear.extend(entries.map(|entry| (table, entry.clone())));
        }
        Ok(Self {
            combatants,
            gear,
            hash,
        })
    }

    /// Returns the fingerprint of the file.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }
}

/// Returns the place of a file in a folder or below it; `None` if the path or a link leads out of the folder. A scenario
/// from elsewhere must not show other files in its errors.
fn place_below(folder: &Path, file: &Path) -> Option<PathBuf> {
    let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    let place = folder.join(file);
    // A file that is missing is reported when it is read.
    let leads_out = || {
        Some(
            !place
                .canonicalize()
                .ok()?
                .starts_with(folder.canonicalize().ok()?),
        )
    };
    let is_inside = file.components().all(is_below) && !leads_out().unwrap_or(false);
    is_inside.then_some(place)
}
