//! The degrees of a check, and damage in words or by degrees: `"1d8 + margin"`, `{ success = "1d8", failure = "half" }`.

use super::Rulings;
use super::gear::{nothing, roll};
use super::words::{Written, names_own};
use crate::dice::PlainSum;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node, Value};
use crate::document::reader::{self, Reader, shown};
use crate::fight::check::CriticalDamage;
use crate::fight::effect::Share;
use crate::fight::health::{Damage, Roll};
use crate::fight::program::Comparison;
use crate::fight::words::{Blow, CRITICAL, Degree, Extra, FUMBLE, MOST_DEGREES, Measure, Terms};
use crate::names::{self, Named as _};
use std::ops::Range;
use std::sync::Arc;

/// Reads `degrees` of a check: the degrees of its result, each with what it takes.
pub(crate) fn degrees(table: &mut Reader<'_>) -> Vec<Degree> {
    let Some(entry) = table.entry("degrees") else {
        return Vec::new();
    };
    let Some(inner) = entry.node.table() else {
        let expected = "a table like `{ critical = \"natural 20\" }`";
        table.report(reader::wrong_kind(&entry.node, "degrees", expected));
        return Vec::new();
    };
    if inner.entries.len() > MOST_DEGREES {
        let title = format!("{} degrees", inner.entries.len());
        let label = format!("a check has at most {MOST_DEGREES}");
        table.report(Diagnostic::error(entry.span, title, label));
    }
    let all = inner.entries.iter().take(MOST_DEGREES);
    let read = all.filter_map(|entry| {
        let degree = degree(entry);
        table.ok_or_report(degree)
    });
    read.collect()
}

fn degree(Entry { key, span, node }: &Entry) -> Result<Degree, Diagnostic> {
    reader::check_name(key, *span)?;
    if ["success", "failure"].contains(&&**key) {
        let title = format!("no degree can be called \"{key}\"");
        let label = "each check has it: what it is held against decides";
        return Err(Diagnostic::error(*span, title, label));
    }
    let (when, written) = match &node.value {
        Value::Table(inner) => {
            let known = ["when", "works"];
            if let Some(odd) = inner.entries.iter().find(|one| !known.contains(&&*one.key)) {
                let title = format!("a degree has no key \"{}\"", shown(&odd.key));
                let label = "expected `when` and `works`";
                return Err(Diagnostic::error(odd.span, title, label));
            }
            let works = node.get("works").map(|entry| match entry.node.value {
                Value::Boolean(works) => Ok(works),
                _ => Err(reader::wrong_kind(&entry.node, "works", "true or false")),
            });
            let lacks = || {
                Diagnostic::error(
                    node.span,
                    format!("degree \"{key}\" lacks `when`"),
                    "expected `when = \"margin >= 10\"`",
                )
            };
            (
                &node.get("when").ok_or_else(lacks)?.node,
                works.transpose()?,
            )
        }
        _ => (node, None),
    };
    let text = reader::text(when, key)?;
    let usual = match &**key {
        CRITICAL => Some(true),
        FUMBLE => Some(false),
        _ => None,
    };
    let lists = pieces(text, 0..text.len(), " or ")
        .into_iter()
        .map(|range| {
            let all = pieces(text, range, " and ").into_iter();
            all.map(|range| compared(when, text, range)).collect()
        });
    Ok(Degree {
        name: key.to_string(),
        when: lists.collect::<Result<_, _>>()?,
        works: written.or(usual),
    })
}

/// The places of the parts of a text between separators.
fn pieces(text: &str, range: Range<usize>, separator: &str) -> Vec<Range<usize>> {
    let mut start = range.start;
    let parts = text[range].split(separator).map(|part| {
        let piece = start..start + part.len();
        start = piece.end + separator.len();
        piece
    });
    parts.collect()
}

/// Reads `margin >= 10` or `natural 20`.
fn compared(
    node: &Node,
    text: &str,
    range: Range<usize>,
) -> Result<(Measure, Comparison, i64), Diagnostic> {
    let piece = text[range.clone()].trim();
    let end = piece
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(piece.len());
    let (word, rest) = piece.split_at(end);
    let rest = rest.trim();
    let sign = Comparison::ALL
        .iter()
        .filter(|(sign, _)| rest.starts_with(sign));
    let longest = sign.max_by_key(|(sign, _)| sign.len());
    let (number, comparison) = match longest {
        Some((sign, comparison)) => (rest[sign.len()..].trim(), *comparison),
        None => (rest, Comparison::Equal),
    };
    let measure = Measure::named(if word == "successes" { "total" } else { word });
    match (measure, number.parse::<i64>()) {
        (Some(measure), Ok(number)) if number.abs() <= 1_000_000 => {
            Ok((measure, comparison, number))
        }
        _ => {
            let title = format!("`{}` says no degree", shown(piece));
            let label = "expected comparisons of `margin`, `natural` or `total` with numbers";
            let problem = Diagnostic::error(node.span_of(range), title, label);
            Err(problem.help("written `critical = \"margin >= 10 or natural 20\"`"))
        }
    }
}

/// Whether damage asks for traits or the result of its check.
pub(crate) fn asks_result(text: &str, rulings: &Rulings) -> bool {
    let mut words = text.split(|c: char| !c.is_alphabetic());
    names_own(text, rulings) || words.any(|word| ["margin", "total", "successes"].contains(&word))
}

/// Reads damage in words: `"2d6 + might"`, `"1d8 + margin"`.
pub(crate) fn damage(node: &Node, key: &str, rulings: &Rulings) -> Result<Damage, Diagnostic> {
    let sum = Written::of(node, key, rulings)?.whole()?;
    let points = PlainSum::points(sum.terms.number);
    let roll = sum.dice.map_or_else(|| points.into(), Roll::from);
    let [margin, total] = sum.result;
    let extra = Extra {
        facts: Terms {
            number: 0,
            ..sum.terms
        },
        margin,
        total,
        blows: Vec::new(),
    };
    Ok(Damage {
        extra: (extra != Extra::default()).then(|| Arc::new(extra)),
        ..roll.into()
    })
}

/// Reads damage by degrees: `{ success = "1d8", critical = "double dice", failure = "half" }`.
pub(crate) fn blows(node: &Node, rulings: &Rulings) -> Result<Damage, Diagnostic> {
    let entries = node.table().map_or(&[][..], |table| &table.entries);
    let mut usual = Damage::from(nothing());
    let mut blows = Vec::new();
    for Entry { key, span, node } in entries {
        let index = rulings.degrees.iter().position(|degree| **degree == **key);
        let degree = match (&**key, index) {
            ("success", _) => {
                usual = any_damage(node, key, rulings)?;
                continue;
            }
            ("failure", _) => 0,
            (_, Some(index)) => index as u8 + 1,
            (_, None) => {
                let known = rulings.degrees.iter().map(String::as_str);
                let known = known.chain(["success", "failure"]);
                let title = format!("the check has no degree \"{}\"", shown(key));
                let label = names::expected(key, || known.clone(), '`');
                return Err(Diagnostic::error(*span, title, label));
            }
        };
        blows.push((degree, blow(node, key, rulings)?));
    }
    let extra = Extra {
        blows,
        ..usual
            .extra
            .take()
            .map(Arc::unwrap_or_clone)
            .unwrap_or_default()
    };
    Ok(Damage {
        extra: Some(Arc::new(extra)),
        ..usual
    })
}

/// The words for damage that a degree changes.
const BLOWS: &[(&str, Blow)] = &[
    ("half", Blow::Share(Share::Half)),
    ("none", Blow::Share(Share::None)),
    ("double dice", Blow::Critical(CriticalDamage::DoubleDice)),
    ("double", Blow::Critical(CriticalDamage::Double)),
    ("usual", Blow::Share(Share::All)),
];

pub(super) fn blow(node: &Node, key: &str, rulings: &Rulings) -> Result<Blow, Diagnostic> {
    let word = node.text().unwrap_or_default().trim();
    match BLOWS.iter().find(|(known, _)| *known == word) {
        Some((_, blow)) => Ok(blow.clone()),
        None => any_damage(node, key, rulings)
            .map(Blow::Damage)
            .map_err(|problem| {
                let known = BLOWS.iter().map(|(known, _)| *known);
                problem.help(format!("or a share: {}", names::list(known, "or")))
            }),
    }
}

/// Reads damage in words or points.
fn any_damage(node: &Node, key: &str, rulings: &Rulings) -> Result<Damage, Diagnostic> {
    match node.text() {
        Some(_) => damage(node, key, rulings),
        None => roll(node, key).map(Damage::from),
    }
}
