//! Open decisions: a side that may do more than its policy says.
//!
//! Lines without a condition are added below those of the policy, and marked as offers. A search for the best play
//! ([`crate::exact::best_play`]) may take any of them, and the policy's own lines without their conditions, whenever
//! the rules allow it.

use super::lines::PolicyList;
use super::{Variant, build};
use crate::document::Document;
use crate::document::diagnostics::{Diagnostic, Diagnostics};
use crate::document::node::{Node, Table, Value};
use crate::document::path::quoted;
use crate::fight::Combatant;
use crate::fight::program::{AFTER, Mode, Window};
use crate::fight::system::Action;
use crate::names;
use crate::policy::actions::TARGETS;
use crate::policy::ast::Usage;
use crate::policy::parser::usage;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The actions that give up the fight, which are not offered.
const GIVING_UP: [&str; 2] = ["flee", "surrender"];

/// The actions that are open to a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offers {
    /// Each action of the system, with everything that it may name.
    Actions,
    /// The lines of the policy in any order, without their conditions, at any target.
    Lines,
}

/// The names that lines of a combatant may use.
struct Nameable {
    /// All other combatants.
    others: Vec<String>,
    /// The combatant's gear.
    things: Vec<String>,
}

impl Document {
    /// Builds a variant in which the decisions of all combatants of a side are open.
    ///
    /// # Errors
    /// All errors in the variant; also if there is no such side.
    pub fn open_decisions(
        &self,
        variant: &str,
        side: &str,
        offers: Offers,
    ) -> Result<Variant, Diagnostics> {
        let (document, changes) = self.only(variant)?;
        let base = document.base(variant, changes.clone())?;
        let fight = &base.fight;
        let Some(index) = fight.sides.iter().position(|name| name == side) else {
            let known = fight.sides.iter().map(String::as_str);
            let unknown = names::unknown("side", side, known);
            return Err(Diagnostics::one(Diagnostic::general(unknown)));
        };
        let lists = document.policy_lists();
        let words = fight.system.actions.iter().map(Action::name);
        let words: Vec<&str> = words.filter(|word| !GIVING_UP.contains(word)).collect();
        let mut settings: Vec<(String, Value)> = Vec::new();
        for one in document.combatants_of(side) {
            let Some(name) = one.text("name") else {
                continue;
            };
            let key = format!("combatants.{}.policy", quoted(name));
            let follows = |list: &&PolicyList| {
                let policy = one.text("policy");
                list.key == key
                    || policy
                        .is_some_and(|policy| list.key == format!("policies.{}", quoted(policy)))
            };
            let Some(list) = lists.iter().find(follows) else {
                continue;
            };
            let written: Vec<&str> = list.lines().map(|(_, text)| text).collect();
            let nameable = Nameable {
                others: { fight.combatants.iter() }
                    .map(|other| other.name.clone())
                    .filter(|other| other != name)
                    .collect(),
                things: things(one),
            };
            let is_meant = |other: &&Combatant| other.name == name || other.group == name;
            let mut candidates = match offers {
                Offers::Actions => actions(&words, &nameable),
                Offers::Lines => lines(&written, &nameable),
            };
            let combatant = fight.combatants.iter().find(is_meant);
            candidates.extend(combatant.map_or_else(Vec::new, |one| after_rolls(one, offers)));
            let text = |text: &str| Arc::new(Node::new(list.span, text));
            let mut members = list.members().to_vec();
            for line in candidates {
                let alone = Value::List(vec![text(&line)]);
                let tried = document.with(&[(&key, alone)])?;
                let (_, built) = build(&tried.root);
                // Only lines that fit this combatant and are free decisions, or come after rolls, are offers, not lines
                // for other occasions such as `anytime`.
                let fits = built.fight.is_some_and(|(fight, _)| {
                    let own = fight.combatants.iter().find(is_meant);
                    own.is_some_and(|own| {
                        let open = [Window::Free, Window::AfterRoll].map(|at| own.policy.at(at));
                        let open = open.iter().any(|lines| lines.len() == 1);
                        open && own.policy.lines().count() == 1
                    })
                });
                if fits {
                    members.push(text(&line));
                }
            }
            settings.push((key, Value::List(members)));
        }
        let values: Vec<(&str, Value)> = settings
            .iter()
            .map(|(key, value)| (key.as_str(), value.clone()))
            .collect();
        let mut open = document.with(&values)?.base(variant, changes)?;
        let of_side = open.fight.combatants.iter_mut().zip(&fight.combatants);
        for (one, before) in of_side.filter(|(one, _)| one.side == index) {
            let added = |window| one.policy.at(window).len() - before.policy.at(window).len();
            let offered = [Window::Free, Window::AfterRoll].map(added);
            let policy = Arc::make_mut(&mut one.policy);
            [policy.offered, policy.offered_after] = offered;
        }
        Ok(open)
    }

    /// Returns the combatants of a side as tables.
    fn combatants_of(&self, side: &str) -> impl Iterator<Item = &Table> {
        let tables = self.root.combatants().iter().filter_map(|one| one.table());
        tables.filter(move |one| one.text("side") == Some(side))
    }
}

/// Returns what a combatant may do after rolls: use what changes them, or nothing. Among its lines alone, it may do nothing
/// where it has one.
fn after_rolls(one: &Combatant, offers: Offers) -> Vec<String> {
    let items = one.items.iter().filter(|item| item.power.changes_rolls());
    let mut deeds: Vec<String> = items
        .map(|item| format!("use {}", quoted(&item.name)))
        .collect();
    if deeds.is_empty() {
        return deeds;
    }
    let degrees = one.weapons.iter().flat_map(|weapon| weapon.check.degrees());
    let results = AFTER
        .iter()
        .copied()
        .chain(degrees.map(|degree| &*degree.name));
    let lines = one.policy.at(Window::AfterRoll).iter();
    let written: Vec<&str> = lines.filter_map(|line| line.after.as_deref()).collect();
    let results: BTreeSet<&str> = match offers {
        Offers::Actions => results.collect(),
        Offers::Lines => {
            deeds.clear();
            written.into_iter().collect()
        }
    };
    deeds.push("pass".to_owned());
    let all = results.into_iter().flat_map(|result| {
        let result = format!("after {}: ", quoted(result));
        deeds.iter().map(move |deed| format!("{result}{deed}"))
    });
    all.collect()
}

/// Returns the gear that a combatant names.
fn things(one: &Table) -> Vec<String> {
    let mut things = Vec::new();
    for key in ["weapons", "spells", "items", "tasks"] {
        let list = one.list(key).iter();
        things.extend(list.filter_map(|node| node.text().map(quoted)));
    }
    things
}

/// Returns each action with everything that it may name. Lines without meaning are found when they are parsed.
fn actions(words: &[&str], nameable: &Nameable) -> Vec<String> {
    let several = nameable.others.len() > 1;
    let others = nameable.others.iter().filter(|_| several);
    let others = others.map(|name| quoted(name));
    let targets: Vec<String> = others.chain(["self".to_owned()]).collect();
    let mut all = Vec::new();
    for &word in words {
        // A longer move equals several moves of one Unit, and a longer wait several waits of one Mark. A move
        // that may end at its target may also end before.
        let stop = if word == "advance" { " to 0" } else { "" };
        let moves = Mode::NAMES
            .iter()
            .map(|mode| format!("{word} {mode} 1{stop}"));
        let steps = [format!("{word} 1{stop}")].into_iter().chain(moves);
        for step in steps {
            all.extend(targets.iter().map(|target| format!("{step} {target}")));
            all.push(step);
        }
        if !["advance", "retreat", "wait"].contains(&word) {
            all.push(word.to_owned());
        }
        all.extend(targets.iter().map(|target| format!("{word} {target}")));
        for thing in &nameable.things {
            all.push(format!("{word} {thing}"));
            all.push(format!("{word} with {thing}"));
            for target in &targets {
                all.push(format!("{word} {thing} {target}"));
                all.push(format!("{word} {target} with {thing}"));
            }
        }
    }
    let surely: Vec<String> = { all.iter() }
        .map(|line| format!("{line} with willpower"))
        .collect();
    [all, surely].concat()
}

/// Returns the actions of the lines without their conditions, at every target.
fn lines(written: &[&str], nameable: &Nameable) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in written {
        let (used, text) = usage(line);
        if used == Usage::Off {
            continue;
        }
        let action = text.split(" if ").next().unwrap_or_default().trim();
        let mut variants = vec![action.to_owned()];
        let (word, rest) = action.split_once(' ').unwrap_or((action, ""));
        for target in &nameable.others {
            let target = quoted(target);
            variants.push(format!("{word} {target} {rest}").trim().to_owned());
            variants.push(format!("{action} {target}"));
            let (first, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            if !rest.is_empty() || TARGETS.iter().any(|(word, ..)| *word == first) {
                variants.push(format!("{word} {target} {rest}").trim().to_owned());
            }
        }
        for variant in variants {
            if !all.contains(&variant) {
                all.push(variant);
            }
        }
    }
    all
}
