//! The claim of an expectation: its keys, bounds and numbers.

use std::num::NonZeroU64;

use super::{Bounds, Claim, Known, Statistic, known};
use crate::decimal::Decimal;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node, Value};
use crate::document::reader::{self, Reader, shown};
use crate::names;
use crate::tally::metrics::{Kind, Metric};

/// The greatest number of encounters of an exact repeat: the limit of `skirmish run -n`.
pub(in crate::scenario) const MOST_ENCOUNTERS: i64 = 1_000_000_000_000_000;

/// The keys of claims.
const CLAIMS: [&str; 5] = ["between", "min", "max", "equal", "difference"];

/// Reads the claim: exactly one of [`CLAIMS`].
pub(super) fn claim(
    table: &mut Reader<'_>,
    metric: Option<&Metric>,
    statistic: Option<Statistic>,
    variants: &[Known<'_>],
) -> Option<Claim> {
    let given: Vec<(&str, &Entry)> = CLAIMS
        .iter()
        .filter_map(|key| Some((*key, table.entry(key)?)))
        .collect();
    let (encounters, seed) = (table.entry("encounters"), table.entry("seed"));
    match &given[..] {
        [] => {
            table.report(Diagnostic::error(
                table.span(),
                "an expectation expects nothing",
                format!("expected {}", names::list(CLAIMS, "or")),
            ));
            None
        }
        [("equal", entry)] => equal(table, entry, metric, encounters, seed),
        [(key, entry)] => {
            for (key, given) in [("encounters", encounters), ("seed", seed)] {
                if let Some(given) = given {
                    table.report(Diagnostic::error(
                        given.span,
                        format!("`{key}` goes with `equal` alone"),
                        "the command line says how much is played",
                    ));
                }
            }
            if let (Some(statistic), Some(given)) = (statistic, table.entry("statistic")) {
                let why = match (statistic, *key) {
                    (Statistic::Quantile(_), "difference") => Some((
                        "only means are compared",
                        "expected \"mean\": quantiles of different fights have no pairs",
                    )),
                    _ if statistic.is_extreme() => Some((
                        "of an extreme no interval is known",
                        "expected a quantile such as \"p95\", or `equal`",
                    )),
                    _ => None,
                };
                if let Some((title, label)) = why {
                    table.report(Diagnostic::error(given.node.span, title, label));
                    return None;
                }
            }
            if *key == "difference" {
                return difference(table, metric, variants);
            }
            let place = (*key, *entry);
            bounds(table, place, metric, statistic, false).map(Claim::Within)
        }
        [first, second, ..] => {
            let problem = Diagnostic::error(
                second.1.span,
                format!("an expectation has both `{}` and `{}`", first.0, second.0),
                "expected one claim",
            );
            let problem = problem.context(first.1.span, "this is one already");
            table.report(problem.help(if (first.0, second.0) == ("min", "max") {
                together(first.1, second.1)
            } else {
                "write a second `[[expect]]`".to_owned()
            }));
            None
        }
    }
}

/// Returns how two ends are written as one claim.
fn together(min: &Entry, max: &Entry) -> String {
    let between = format!("between = [{}, {}]", min.node.value, max.node.value);
    format!("`min` and `max` together are written `{}`", shown(&between))
}

fn equal(
    table: &mut Reader<'_>,
    entry: &Entry,
    metric: Option<&Metric>,
    encounters: Option<&Entry>,
    seed: Option<&Entry>,
) -> Option<Claim> {
    let range = metric.map(|metric| (metric, 0.0));
    let value = table.ok_or_report(number(&entry.node, "equal", range));
    let seed = match seed {
        Some(entry) => table.ok_or_report(reader::integer(&entry.node, "seed", 0..=i64::MAX)),
        None => Some(1),
    };
    let Some(encounters) = encounters else {
        table.report(
            Diagnostic::error(
                entry.span,
                "`equal` does not say of how many encounters",
                "expected `encounters = ...` besides",
            )
            .help("only a run of the same encounters repeats exactly; other claims are `between`, `min` and `max`"),
        );
        return None;
    };
    let range = 1..=MOST_ENCOUNTERS;
    let encounters = table.ok_or_report(reader::integer(&encounters.node, "encounters", range))?;
    Some(Claim::Equal {
        value: value?,
        encounters: NonZeroU64::new(encounters as u64)?,
        seed: seed? as u64,
    })
}

fn difference(
    table: &mut Reader<'_>,
    metric: Option<&Metric>,
    variants: &[Known<'_>],
) -> Option<Claim> {
    let mut inner = table.table("difference", "`difference`")?;
    let from = match inner.entry("from") {
        Some(entry) => known(&mut inner, entry, "from", variants).map(|(name, _)| name),
        None => variants.first().map(|(name, _)| *name),
    };
    let given: Vec<(&'static str, &Entry)> = CLAIMS[..3]
        .iter()
        .filter_map(|key| Some((*key, inner.entry(key)?)))
        .collect();
    let bounds = match given[..] {
        [place] => bounds(&mut inner, place, metric, Some(Statistic::Mean), true),
        [] => {
            inner.report(
                Diagnostic::error(
                    inner.span(),
                    "`difference` expects nothing",
                    "expected `between`, `min` or `max`",
                )
                .help("written like `difference = { from = \"base\", min = 0.05 }`"),
            );
            None
        }
        [first, second, ..] => {
            inner.report(
                Diagnostic::error(
                    second.1.span,
                    format!("`difference` has both `{}` and `{}`", first.0, second.0),
                    "expected one of them",
                )
                .maybe_help(
                    ((first.0, second.0) == ("min", "max")).then(|| together(first.1, second.1)),
                ),
            );
            None
        }
    };
    table.close(inner);
    Some(Claim::Difference {
        from: from?.to_owned(),
        bounds: bounds?,
    })
}

/// Reads `between`, `min` or `max`. There must be room for an interval between the bounds.
fn bounds(
    table: &mut Reader<'_>,
    (key, entry): (&str, &Entry),
    metric: Option<&Metric>,
    statistic: Option<Statistic>,
    difference: bool,
) -> Option<Bounds> {
    let least = if difference { -1.0 } else { 0.0 };
    let range = metric.map(|metric| (metric, least));
    let one = |table: &mut Reader<'_>| table.ok_or_report(number(&entry.node, key, range));
    let bounds = match key {
        "min" => Bounds {
            low: one(table)?,
            high: f64::INFINITY,
        },
        "max" => Bounds {
            low: f64::NEG_INFINITY,
            high: one(table)?,
        },
        _ => {
            let list = table.ok_or_report(reader::list(&entry.node, key))?;
            let [low, high] = list else {
                table.report(Diagnostic::error(
                    entry.node.span,
                    "`between` has two ends",
                    format!("expected `[low, high]`, found a list of {}", list.len()),
                ));
                return None;
            };
            let low = table.ok_or_report(number(low, key, range));
            let end = table.ok_or_report(number(high, key, range));
            let (low, end) = (low?, end?);
            if low > end {
                table.report(Diagnostic::error(
                    high.span,
                    "`between` ends before it begins",
                    format!("expected at least {low}"),
                ));
                return None;
            }
            Bounds { low, high: end }
        }
    };
    // A quantile is a whole number, and its interval may be a single value.
    if statistic != Some(Statistic::Mean) {
        return Some(bounds);
    }
    let rate = metric.is_some_and(|metric| metric.kind == Kind::Rate);
    let point = bounds.low >= bounds.high || rate && (bounds.high <= least || bounds.low >= 1.0);
    if point {
        table.report(
            Diagnostic::error(
                entry.node.span,
                "no interval can fit into this",
                "every interval has a width: expected some room on both sides of the value",
            )
            .help("never having seen a thing is no proof that it cannot be; an exact repeat is asked for with `equal`"),
        );
        return None;
    }
    Some(bounds)
}

/// Reads a number. For a rate it must be from `least` to 1, and may be written in per cent.
fn number(node: &Node, key: &str, metric: Option<(&Metric, f64)>) -> Result<f64, Diagnostic> {
    let rate = metric.filter(|(metric, _)| metric.kind == Kind::Rate);
    let expected = match rate {
        Some((_, least)) => format!("a number from {least} to 1, or such as \"45%\""),
        None => "a number".to_owned(),
    };
    let value = match &node.value {
        Value::Integer(Some(number)) => *number as f64,
        Value::Float(number) => *number,
        Value::Text(text, _) => match percent(text) {
            Some(_) if rate.is_none() && metric.is_some() => {
                return Err(Diagnostic::error(
                    node.span,
                    format!("`{key}` is a percentage"),
                    "expected a number: what is measured is no rate",
                ));
            }
            Some(share) => share,
            None => return Err(reader::wrong_kind(node, key, &expected)),
        },
        _ => return Err(reader::wrong_kind(node, key, &expected)),
    };
    if !value.is_finite() {
        return Err(Diagnostic::error(
            node.span,
            format!("`{key}` is not a finite number"),
            format!("expected {expected}"),
        ));
    }
    if let Some((metric, least)) = rate
        && !(least..=1.0).contains(&value)
    {
        let in_per_cent = value.abs() > 1.0 && value.abs() <= 100.0;
        let help = in_per_cent.then(|| format!("{value} per cent are \"{value}%\""));
        return Err(Diagnostic::error(
            node.span,
            format!("`{key}` is out of range: {value}"),
            format!("`{}` is a rate: expected {expected}", metric.name),
        )
        .maybe_help(help));
    }
    Ok(value)
}

/// Returns the share for a text such as `45%` or `0.5 %`.
fn percent(text: &str) -> Option<f64> {
    let decimal = Decimal::read(text).filter(|decimal| decimal.percent)?;
    Some(decimal.value)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn per_cent_are_hundredths() {
        assert_eq!(percent("45%"), Some(0.45));
        assert_eq!(percent(" 0.5 % "), Some(0.005));
        assert_eq!(percent("-3%"), Some(-0.03));
        for wrong in ["45", "%", "x%", "inf%", "nan%", "1e3%", "4 5%", ""] {
            assert_eq!(percent(wrong), None, "{wrong}");
        }
    }
}
