//! Every hint on a key is followed once: the file is then accepted and means the same.

mod samples;

use super::{near, put};
use crate::document::Document;
use crate::document::node::{Entry, Node, Table, Value};
use crate::document::overrides::read_value;
use crate::document::source::Span;
use crate::fields::synonyms::SHARED;
use crate::fight::check::CheckKind;
use crate::fight::system::System;
use crate::policy::actions::SYNONYMS;
use crate::scenario::build::{Built, build};
use crate::systems::SYSTEMS;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Keys of a scenario that `build` does not read, and tables whose keys are names.
const APART: [&str; 4] = ["variants", "policies", "expect", "parameters"];

/// The place of an entry that a test adds: in no text.
fn added(at: usize) -> Span {
    Span::new(9, at..at + 1)
}

fn value(text: &str) -> Arc<Node> {
    Arc::new(read_value(text, 8, 0).expect(text))
}

fn built(root: &Node) -> Built {
    build(root).1
}

/// Returns the tree with a table changed: the one at a path of entries and members.
fn changed(node: &Node, path: &[usize], change: &mut dyn FnMut(&mut Table)) -> Node {
    let mut node = node.clone();
    match (&mut node.value, path) {
        (Value::Table(table), []) => change(table),
        (Value::Table(table), [at, rest @ ..]) => {
            let entry = &mut table.entries[*at];
            entry.node = Arc::new(changed(&entry.node, rest, change));
        }
        (Value::List(list), [at, rest @ ..]) => {
            list[*at] = Arc::new(changed(&list[*at], rest, change));
        }
        _ => unreachable!("a path leads to a table"),
    }
    node
}

/// Returns the paths of all tables.
fn tables(node: &Node) -> Vec<Vec<usize>> {
    fn below(node: &Node, path: &[usize], all: &mut Vec<Vec<usize>>) {
        let into = |at: usize| [path, &[at]].concat();
        match &node.value {
            Value::Table(table) => {
                all.push(path.to_vec());
                for (at, entry) in table.entries.iter().enumerate() {
                    if !APART.contains(&&*entry.key) {
                        below(&entry.node, &into(at), all);
                    }
                }
            }
            Value::List(list) => {
                for (at, member) in list.iter().enumerate() {
                    below(member, &into(at), all);
                }
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    below(node, &[], &mut all);
    all
}

/// The scenario that `skirmish new` writes for a system.
pub(super) fn starter(system: &System) -> String {
    let text = system.starter.replacen("TITLE", "\"A fight\"", 1);
    text.replacen("RULINGS", "", 1)
}

/// The scenario that `skirmish new` writes for each system, with each kind of check, which `rules.check` sets or leaves
/// to the checks.
///
/// The second value says whether a check without its own keys is still of the same kind.
fn scenarios() -> Vec<(&'static System, bool, Node)> {
    let mut all = Vec::new();
    for system in SYSTEMS {
        let (document, _) =
            Document::read("fight.toml", &starter(system), &[]).expect("a scenario");
        for (name, kind) in CheckKind::ALL {
            let check = value(match kind {
                CheckKind::RollOver => "{ dice = \"2d10\", bonus = 5 }",
                CheckKind::Pool => "{ pool = 6 }",
                CheckKind::Percentile => "{ skill = 55 }",
            });
            let mut root = (*document.root).clone();
            for path in tables(&root) {
                root = changed(&root, &path, &mut |table| {
                    let is_combatant = table.get("side").is_some();
                    if is_combatant && table.get("evade").is_none() {
                        put(table, "evade", entry(9000, "12"));
                    }
                    if let Some(own) = table.get_mut("check") {
                        own.node = Arc::clone(&check);
                    }
                });
            }
            all.push((system, *kind == system.check, root.clone()));
            let rules = changed(&root, &[], &mut |top| {
                put(top, "rules.check", entry(9001, &format!("\"{name}\"")));
            });
            all.push((system, true, rules));
        }
    }
    all
}

fn entry(at: usize, text: &str) -> Entry {
    Entry {
        key: "".into(),
        span: added(at),
        node: value(text),
    }
}

/// The words of other games for keys.
fn words(system: &System) -> BTreeSet<&'static str> {
    let tables = [system.synonyms, SHARED];
    let rows = tables.into_iter().flatten();
    let words = rows.flat_map(|(own, others)| {
        let last = own.rsplit('.').next();
        others.split(' ').chain(last)
    });
    let rulings = SYSTEMS.into_iter().flat_map(|system| system.rulings);
    words
        .chain(rulings.filter_map(|ruling| ruling.name.rsplit('.').next()))
        .collect()
}

/// The advice of a label.
#[derive(Debug)]
enum Hint<'a> {
    Key(&'a str),
    Systems(Vec<&'static System>),
}

fn hint(label: &str) -> Option<Hint<'_>> {
    let quoted = |text: &'_ str| text.split('`').nth(1).map(str::len);
    if let Some(rest) = label.strip_prefix("did you mean ") {
        return quoted(rest).map(|length| Hint::Key(&rest[1..=length]));
    }
    if let Some((_, rest)) = label.split_once("is called ") {
        return quoted(rest).map(|length| Hint::Key(&rest[1..=length]));
    }
    let (titles, _) = label
        .split_once(" has `")
        .or_else(|| label.split_once(" have `"))?;
    let named = titles.split(" and ");
    let systems = named.map(|title| *SYSTEMS.iter().find(|one| one.title == title).expect(title));
    Some(Hint::Systems(systems.collect()))
}

/// Whether the reader refuses a key at a place, or one of those beside it.
fn refuses(root: &Node, span: Span) -> Option<String> {
    let near = near(root, span).unwrap_or_default();
    let problems = built(root).problems;
    let refusing = problems.into_iter().find(|problem| {
        let place = problem.place.as_ref().map(|place| place.0);
        place.is_some_and(|place| place == span || near.contains(&place))
            && problem.title.contains("has no ")
    });
    refusing.map(|problem| problem.title.to_string())
}

fn first_combatant(root: &Node) -> [usize; 2] {
    let at = root
        .table()
        .unwrap()
        .keys()
        .position(|key| key == "combatants");
    [at.unwrap(), 0]
}

/// Puts an entry where a hint says: below its table, or below the top, where NAME is any combatant.
fn follow(root: &Node, path: &[usize], hint: &str, entry: &Entry) -> Node {
    let put_below = |root: &Node, path: &[usize], hint: &str| {
        changed(root, path, &mut |table| put(table, hint, entry.clone()))
    };
    if let Some(rest) = hint.strip_prefix("combatants.NAME.") {
        return put_below(root, &first_combatant(root), rest);
    }
    let path = if hint.starts_with("encounter.") {
        &[]
    } else {
        path
    };
    put_below(root, path, hint)
}

#[test]
fn a_key_that_is_advised_is_read_and_a_system_that_is_named_has_it() {
    let mut followed = 0;
    let mut named = 0;
    // Those with `rules.check`, which refuse more.
    for (system, _, root) in scenarios().into_iter().skip(1).step_by(2) {
        assert!(
            built(&root).fight.is_some(),
            "{}: {:?}",
            system.name,
            built(&root).problems
        );
        let words: Vec<&str> = words(system).into_iter().collect();
        let mut seen = BTreeSet::new();
        for path in tables(&root) {
            // A table with the same keys gives the same hints.
            let mut keys = Vec::new();
            changed(&root, &path, &mut |table| {
                keys = table.keys().map(str::to_owned).collect();
            });
            if !seen.insert(keys) {
                continue;
            }
            for words in words.chunks(10) {
                let strange = changed(&root, &path, &mut |table| {
                    for (at, word) in words.iter().enumerate() {
                        if table.get(word).is_none() {
                            let key = (*word).into();
                            table.entries.push(Entry {
                                key,
                                ..entry(at, "1")
                            });
                        }
                    }
                });
                for problem in built(&strange).problems {
                    let is_unknown = problem.unknown().is_some();
                    let Some((span, label)) = problem.place else {
                        continue;
                    };
                    if span.source() != 9 || !is_unknown || hint(&label).is_none() {
                        continue;
                    }
                    let word = words[span.bytes().start];
                    let own = Entry {
                        key: word.into(),
                        span,
                        ..entry(0, "1")
                    };
                    // Beside others a key may be known, or stand in the way.
                    let alone = built(&follow(&root, &path, word, &own)).problems;
                    let alone = alone
                        .into_iter()
                        .find(|problem| problem.unknown().is_some());
                    let Some((_, label)) = alone.and_then(|problem| problem.place) else {
                        continue;
                    };
                    match hint(&label) {
                        Some(Hint::Key(key)) => {
                            let tree = follow(&root, &path, key, &own);
                            let refused = refuses(&tree, span);
                            assert_eq!(refused, None, "{} {path:?} {label}", system.name);
                            let has_key = |check: &str| {
                                let mut has = false;
                                changed(&root, &path, &mut |table| {
                                    let table = table.table("check");
                                    has = table.is_some_and(|table| table.get(check).is_some());
                                });
                                has
                            };
                            if key.strip_prefix("check.").is_some_and(|key| !has_key(key)) {
                                let fights = ["2", "3"].map(|text| {
                                    let own = Entry {
                                        node: value(text),
                                        ..own.clone()
                                    };
                                    built(&follow(&root, &path, key, &own)).fight
                                });
                                let place = format!("{} {path:?} {label}", system.name);
                                assert!(fights[0] != fights[1], "{place} says nothing");
                            }
                            followed += 1;
                        }
                        Some(Hint::Systems(systems)) => {
                            for other in systems {
                                let tree = follow(&root, &path, word, &own);
                                let tree = changed(&tree, &[], &mut |top| {
                                    let name = format!("\"{}\"", other.name);
                                    top.get_mut("system").unwrap().node = value(&name);
                                });
                                let title = format!(" has no key `{word}`");
                                let problems = built(&tree).problems;
                                let strange = problems.iter().any(|one| {
                                    let place = one.place.as_ref().map(|place| place.0);
                                    place == Some(span) && one.title.contains(&title)
                                });
                                assert!(!strange, "{} {path:?} {label}", system.name);
                                named += 1;
                            }
                        }
                        None => {}
                    }
                }
            }
        }
    }
    assert!(followed > 1000 && named > 100, "{followed} {named}");
}

#[test]
fn a_key_under_another_name_is_one_mistake_and_under_the_advised_name_the_same_fight() {
    let mut followed = 0;
    for (system, _, root) in scenarios().into_iter().filter(|(_, is_sure, _)| *is_sure) {
        let base = built(&root).fight;
        for path in tables(&root) {
            let mut own = Vec::new();
            changed(&root, &path, &mut |table| own.clone_from(&table.entries));
            for (at, written) in own.iter().enumerate() {
                let rows = [system.synonyms, SHARED].into_iter().flatten();
                let rows = rows.filter(|(key, _)| key.rsplit('.').next() == Some(&*written.key));
                for word in rows.flat_map(|(_, others)| others.split(' ')) {
                    let renamed = changed(&root, &path, &mut |table| {
                        table.entries[at].key = word.into();
                    });
                    let problems = built(&renamed).problems;
                    let mut here = problems
                        .iter()
                        .filter(|problem| problem.unknown().is_some());
                    let Some((span, label)) = here.next().and_then(|one| one.place.clone()) else {
                        // The word is a key of its own.
                        continue;
                    };
                    let place = format!("{} {path:?} `{}` {label}", system.name, written.key);
                    assert_eq!(span, written.span, "{place}");
                    assert_eq!(problems.len(), 1, "{place}: {problems:#?}");
                    let Some(Hint::Key(key)) = hint(&label) else {
                        panic!("{place}");
                    };
                    let without = changed(&root, &path, &mut |table| {
                        table.entries.remove(at);
                    });
                    let tree = follow(&without, &path, key, written);
                    assert_eq!(built(&tree).fight, base, "{place}");
                    followed += 1;
                }
            }
        }
    }
    assert!(followed > 1000, "{followed}");
}

/// Whether a table has a check that is a table.
fn has_check(root: &Node, path: &[usize]) -> bool {
    let mut has = false;
    changed(root, path, &mut |table| {
        has = table.table("check").is_some();
    });
    has
}

#[test]
fn a_check_that_is_written_as_advised_is_read() {
    for (system, _, root) in scenarios() {
        for wrong in ["true", "\"6\"", "6", "\"1d8\"", "\"what\""] {
            let with_check = |check: &Arc<Node>| {
                let mut tree = root.clone();
                for path in tables(&root).iter().filter(|path| has_check(&root, path)) {
                    tree = changed(&tree, path, &mut |table| {
                        table.get_mut("check").unwrap().node = Arc::clone(check);
                    });
                }
                built(&tree)
            };
            for help in with_check(&value(wrong))
                .problems
                .iter()
                .flat_map(|problem| &problem.help)
            {
                for form in help
                    .split('`')
                    .filter_map(|part| part.strip_prefix("check = "))
                {
                    let read = with_check(&value(form));
                    assert!(
                        read.fight.is_some(),
                        "{} {form}: {:?}",
                        system.name,
                        read.problems
                    );
                }
            }
        }
    }
}

#[test]
fn words_of_policies_that_are_advised_are_known() {
    let mut followed = 0;
    for (system, _, root) in scenarios().into_iter().step_by(6) {
        let problem = |line: &str| {
            let tree = changed(&root, &first_combatant(&root), &mut |table| {
                table.get_mut("policy").unwrap().node = value(&format!("['{line}', 'pass']"));
            });
            let problems = built(&tree).problems.into_iter();
            problems
                .into_iter()
                .find(|problem| problem.title.contains(" is called "))
        };
        let rows = [system.synonyms, SYNONYMS].into_iter().flatten();
        for word in rows.flat_map(|(_, others)| others.split(' ')) {
            for line in ["WORD", "pass if WORD > 0", "pass if WORD"] {
                let strange = problem(&line.replace("WORD", word));
                let Some((_, label)) = strange.and_then(|strange| strange.place) else {
                    continue;
                };
                if let Some(Hint::Key(key)) = hint(&label) {
                    let left = problem(&line.replace("WORD", key));
                    let strange = left.filter(|one| one.title.contains(&format!("`{key}`")));
                    assert_eq!(strange, None, "{} {line} {label}", system.name);
                    followed += 1;
                }
            }
        }
    }
    assert!(followed > 100, "{followed}");
}
