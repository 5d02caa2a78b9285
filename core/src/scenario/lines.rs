//! Policies as lists of lines, and edited lists with lines removed, switched off or in another order.
//!
//! An edited list is an ordinary value of the document: at [`PolicyList::key`] it is an override like any other. The
//! remaining lines keep their places in the file, so that messages point at them.

use std::ops::Range;
use std::sync::Arc;

use crate::document::Document;
use crate::document::node::{Node, Table, Value};
use crate::document::overrides::parameter;
use crate::document::path::quoted;
use crate::document::source::Span;
use crate::policy::ast::Usage;
use crate::policy::block::{self, Member};
use crate::policy::parser::usage;

/// A policy of a scenario, as written in the file.
#[derive(Debug, Clone)]
pub struct PolicyList {
    /// The path: `policies.NAME`, or `combatants.NAME.policy`.
    pub key: String,
    /// The sides of the combatants that follow the policy, each once.
    pub sides: Vec<String>,
    pub(super) span: Span,
    members: Vec<Arc<Node>>,
}

/// Changes to a list of lines, by the indices of its members.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edit {
    /// The lines that are removed.
    pub without: Vec<usize>,
    /// The optional lines that are switched on or off.
    pub switched: Vec<(usize, bool)>,
    /// The members of reordered blocks in their new order, each block complete.
    pub orders: Vec<Vec<usize>>,
}

impl Document {
    /// Returns the policies that combatants follow: those of `[policies]`, then those written in place.
    pub fn policy_lists(&self) -> Vec<PolicyList> {
        let list = |key: [&str; 2], node: &Node, more: &str, sides: Vec<String>| match &node.value {
            Value::List(members) if !sides.is_empty() => Some(PolicyList {
                key: format!("{}.{}{more}", key[0], quoted(key[1])),
                sides,
                span: node.span,
                members: members.clone(),
            }),
            _ => None,
        };
        let combatants = self.root.combatants();
        let word = |table: &Table, key: &str| {
            let text = table.text(key)?;
            let named = text.strip_prefix('$');
            let named = named.and_then(|name| parameter(&self.root, name)?.text());
            Some(named.unwrap_or(text).to_owned())
        };
        let sides = |name: &str| {
            let tables = combatants.iter().filter_map(|node| node.table());
            let follow = tables.filter(|table| word(table, "policy").as_deref() == Some(name));
            let mut sides: Vec<String> = follow.filter_map(|table| word(table, "side")).collect();
            sides.sort_unstable();
            sides.dedup();
            sides
        };
        let policies = self.root.entries("policies").iter();
        let named = policies
            .filter_map(|entry| list(["policies", &entry.key], &entry.node, "", sides(&entry.key)));
        let own = combatants.iter().filter_map(|one| {
            let table = one.table()?;
            let name = table.text("name")?;
            let sides = word(table, "side").into_iter().collect();
            list(
                ["combatants", name],
                &table.get("policy")?.node,
                ".policy",
                sides,
            )
        });
        named.chain(own).collect()
    }
}

impl PolicyList {
    /// Returns the members of the list: lines and the marks of blocks.
    pub(super) fn members(&self) -> &[Arc<Node>] {
        &self.members
    }

    /// Returns the text of a member.
    pub(super) fn text(&self, at: usize) -> &str {
        self.members[at].text().unwrap_or_default()
    }

    /// Returns the place of a member.
    pub(super) fn place(&self, at: usize) -> Span {
        self.members[at].span
    }

    /// Returns an optional line, switched on or off.
    pub(super) fn switched_line(&self, at: usize, on: bool) -> Arc<Node> {
        let switched = vec![(at, on)];
        let edit = Edit {
            switched,
            ..Edit::default()
        };
        self.switched(at, &edit)
    }

    /// Returns the lines with their indices, without the marks of blocks.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let members = self.members.iter().enumerate();
        let texts = members.filter_map(|(at, node)| Some((at, node.text()?)));
        texts.filter(|(_, text)| Member::of(text) == Member::Line)
    }

    /// Returns the index of each optional line, and whether the line is switched on.
    pub fn optional(&self) -> impl Iterator<Item = (usize, bool)> {
        self.lines().filter_map(|(at, text)| match usage(text).0 {
            Usage::Always => None,
            Usage::Optional => Some((at, true)),
            Usage::Off => Some((at, false)),
        })
    }

    /// Returns the blocks of lines that may stand in any order, as ranges of indices.
    pub fn blocks(&self) -> Vec<Range<usize>> {
        let texts = (0..self.members.len()).map(|at| self.text(at));
        block::blocks(&texts.collect::<Vec<_>>()).0
    }

    /// Returns the list without a line. A policy without any other line becomes `pass`.
    pub fn without(&self, line: usize) -> Value {
        self.edited(&Edit {
            without: vec![line],
            ..Edit::default()
        })
    }

    /// Returns the list with changes made.
    pub fn edited(&self, edit: &Edit) -> Value {
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        for block in &edit.orders {
            let start = block.iter().min().copied().unwrap_or_default();
            order[start..start + block.len()].copy_from_slice(block);
        }
        let mut gone = edit.without.clone();
        // A block of one line or none has no marks.
        for block in self.blocks() {
            if block.clone().filter(|at| !gone.contains(at)).count() < 2 {
                gone.extend([block.start - 1, block.end]);
            }
        }
        let stays = order.into_iter().filter(|at| !gone.contains(at));
        let mut members: Vec<Arc<Node>> = stays.map(|at| self.switched(at, edit)).collect();
        if members.is_empty()
            && let Some(first) = self.members.first()
        {
            members.push(Arc::new(Node::new(first.span, "pass")));
        }
        Value::List(members)
    }

    fn switched(&self, at: usize, edit: &Edit) -> Arc<Node> {
        let node = &self.members[at];
        let switch = edit.switched.iter().find(|(line, _)| *line == at);
        let (Some((_, on)), Some(text)) = (switch, node.text()) else {
            return Arc::clone(node);
        };
        let (was, line) = usage(text);
        let to = if *on { Usage::Optional } else { Usage::Off };
        if was == to {
            return Arc::clone(node);
        }
        let text = format!("{}{}", to.mark(), line.trim_start());
        Arc::new(Node::new(node.span, text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        policies.archer = ["? set if not ready", "any order {", "attack", "retreat", "?off advance", "}", "pass"]
        policies.idle = ["pass"]
        combatants = [
            { name = "the archer", side = "a", policy = "archer" },
            { name = "wolf", side = "b", policy = ["attack"] },
        ]
    "#;

    fn lists() -> Vec<PolicyList> {
        Document::parse("fight.toml", TEXT, &[])
            .unwrap()
            .policy_lists()
    }

    #[test]
    fn lists_that_combatants_follow_are_found() {
        let lists = lists();
        let keys: Vec<&str> = lists.iter().map(|list| list.key.as_str()).collect();
        assert_eq!(keys, ["policies.archer", "combatants.wolf.policy"]);
        let lines: Vec<usize> = lists[0].lines().map(|(at, _)| at).collect();
        assert_eq!(lines, [0, 2, 3, 4, 6]);
        assert_eq!(
            lists[0].optional().collect::<Vec<_>>(),
            [(0, true), (4, false)]
        );
        let blocks = lists[0].blocks().into_iter();
        let ends: Vec<(usize, usize)> = blocks.map(|block| (block.start, block.end)).collect();
        assert_eq!(ends, [(2, 5)]);
    }

    #[test]
    fn a_line_is_left_out_and_the_others_keep_their_places() {
        let list = &lists()[0];
        let Value::List(edited) = list.without(0) else {
            panic!()
        };
        assert_eq!(edited.len(), 6);
        assert!(Arc::ptr_eq(&edited[1], &list.members[2]));
        let edit = Edit {
            without: vec![2, 4],
            ..Edit::default()
        };
        let text = list.edited(&edit).to_string();
        assert_eq!(text, r#"["? set if not ready", "retreat", "pass"]"#);
        assert_eq!(lists()[1].without(0).to_string(), r#"["pass"]"#);
    }

    #[test]
    fn lines_are_switched_and_put_in_another_order() {
        let edit = Edit {
            switched: vec![(0, false), (4, true)],
            orders: vec![vec![4, 2, 3]],
            ..Edit::default()
        };
        let text = lists()[0].edited(&edit).to_string();
        let wanted = r#"["?off set if not ready", "any order {", "? advance", "attack", "retreat", "}", "pass"]"#;
        assert_eq!(text, wanted);
    }
}
