//! The first line of an answer: the requested number, before the tables that explain it.

use crate::report::number::in_cell;
use crate::report::{Block, Fact, Report, Value, text};

/// The facts that answer a question. An answer states all its facts of the first list whose first fact it has.
const ANSWERS: [&[&str]; 7] = [
    &["p_at_least"],
    &["outcome", "net"],
    &["p_done", "mean_rolls"],
    &["win", "tie", "lose"],
    &["p_hit"],
    &["p_any", "p_all", "p_any_botch"],
    &["p_success", "p_critical", "p_botch", "mean_damage"],
];

/// Formats a number for a sentence: a chance in tenths of a per cent, unless that would hide it.
pub(super) fn brief(value: &Value) -> String {
    match value {
        Value::Chance(chance) if *chance <= 0.0 || *chance >= 1.0 => {
            format!("{:.0}%", chance * 100.0)
        }
        Value::Chance(chance) if (0.0005..0.9995).contains(chance) => {
            format!("{:.1}%", chance * 100.0)
        }
        Value::Real(number) if number.abs() < 1e6 => in_cell(*number, 2, false),
        other => text(other).replace(" %", "%"),
    }
}

/// Puts the requested number behind the question. A grid is its own answer.
pub(super) fn put_first(report: &mut Report) {
    if !report.answer.is_empty() {
        return;
    }
    let facts: Vec<&Fact> = report
        .blocks
        .iter()
        .flat_map(|block| match block {
            Block::Facts(facts) => facts.as_slice(),
            _ => &[],
        })
        .collect();
    let find = |key: &&str| facts.iter().find(|fact| fact.key == *key);
    let told = |fact: &&Fact| format!("{} {}", fact.label, brief(&fact.value));
    let list = ANSWERS.iter().find(|keys| find(&keys[0]).is_some());
    let parts: Vec<String> = list.map_or_else(Vec::new, |keys| {
        keys.iter().filter_map(find).map(told).collect()
    });
    if !parts.is_empty() {
        report.answer = format!("{}: {}", report.title, parts.join(", "));
    }
}
