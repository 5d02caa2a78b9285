//! Policies of a scenario: lists of lines, parsed once and compiled for each combatant that follows them.

use std::cell::Cell;
use std::sync::Arc;

use crate::document::diagnostics::Diagnostic;
use crate::document::node::Node;
use crate::document::reader::{self, check_name, first_of};
use crate::document::source::Span;
use crate::fight::program::Policy;
use crate::fight::system::Clocks;
use crate::policy::block::Member;
use crate::policy::parameters::Parameters;
use crate::policy::resolve::{Owner, resolve};
use crate::policy::{ast, block, parser};

/// The greatest number of lines in a policy.
const MOST_LINES: usize = 500;

/// A policy as written.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    /// The name; empty for a policy written in place.
    pub(super) name: &'a str,
    /// The place of the name.
    pub(super) span: Span,
    /// Set if a combatant follows the policy.
    pub(super) used: Cell<bool>,
    /// The lines and the marks of blocks, which have no tree.
    texts: Vec<(&'a Node, &'a str, Option<ast::Line>)>,
}

/// Reads `[policies]`.
pub(super) fn policies<'a>(
    node: &'a Node,
    reading: (Clocks, &Parameters),
    problems: &mut Vec<Diagnostic>,
) -> Vec<Lines<'a>> {
    let Some(table) = node.table() else {
        problems.push(reader::wrong_kind(node, "policies", "a table of policies"));
        return Vec::new();
    };
    first_of(&table.entries, node.span, "policies", problems)
        .iter()
        .map(|entry| {
            problems.extend(check_name(&entry.key, entry.span).err());
            let what = format!("policies.{}", reader::shown(&entry.key));
            let (name, span) = (&*entry.key, entry.span);
            match reader::ok_or_report(reader::list(&entry.node, &what), problems) {
                Some(list) => lines(name, span, &entry.node, list, reading, problems),
                None => Lines {
                    name,
                    span,
                    used: Cell::new(false),
                    texts: Vec::new(),
                },
            }
        })
        .collect()
}

/// Reads a list of lines.
pub(super) fn lines<'a>(
    name: &'a str,
    span: Span,
    node: &Node,
    list: &'a [Arc<Node>],
    (clocks, parameters): (Clocks, &Parameters),
    problems: &mut Vec<Diagnostic>,
) -> Lines<'a> {
    if list.is_empty() {
        problems.push(
            Diagnostic::error(
                node.span,
                "a policy has no lines",
                "expected at least one line",
            )
            .help("a policy that does nothing is `[\"pass\"]`"),
        );
    }
    if list.len() > MOST_LINES {
        problems.push(Diagnostic::error(
            node.span,
            "a policy is too long",
            format!("{} lines; at most {MOST_LINES} are read", list.len()),
        ));
    }
    let list = &list[..list.len().min(MOST_LINES)];
    let mut texts = Vec::with_capacity(list.len());
    let members: Vec<&Arc<Node>> = list.iter().filter(|line| line.text().is_some()).collect();
    let written: Vec<&str> = members.iter().filter_map(|line| line.text()).collect();
    let (_, wrong) = block::blocks(&written);
    problems.extend(
        wrong
            .into_iter()
            .map(|(at, problem)| locate(members[at], problem)),
    );
    for line in list {
        let Some(text) = reader::ok_or_report(reader::text(line, "a policy line"), problems) else {
            continue;
        };
        if Member::of(text) != Member::Line {
            texts.push((&**line, text, None));
            continue;
        }
        let tree = match parser::parse_for(text, clocks, parameters) {
            Ok(tree) => Some(tree),
            Err(found) => {
                problems.extend(found.into_iter().map(|problem| locate(line, problem)));
                None
            }
        };
        texts.push((&**line, text, tree));
    }
    Lines {
        name,
        span,
        used: Cell::new(false),
        texts,
    }
}

impl Lines<'_> {
    /// Compiles the policy for one combatant that follows it.
    pub(super) fn compile(&self, owner: &Owner<'_>, problems: &mut Vec<Diagnostic>) -> Policy {
        let lines = self.texts.iter();
        let written: Vec<(&str, Option<&ast::Line>)> = lines
            .map(|(_, text, tree)| (*text, tree.as_ref()))
            .collect();
        let (policy, found) = resolve(self.name, &written, owner);
        for (line, problem) in found {
            problems.push(locate(self.texts[line].0, problem));
        }
        policy
    }
}

/// Moves a problem of a line to the place of the line in the file.
fn locate(line: &Node, problem: Diagnostic) -> Diagnostic {
    problem.moved(|bytes| line.span_of(bytes))
}
