//! The parts of answers that are JSON: rates, differences and messages.

use crate::output::VariantReport;
use crate::output::comparisons::{Compared, Row, Statistic};
use crate::scenario::{Diagnostic, Diagnostics};
use crate::stats::{Confidence, Interval, Summary};
use crate::tally::{Kind, Metric, Scope};
use crate::task::Failure;
use serde_json::{Value, json};

/// Returns the differences of a variant as JSON.
pub(super) fn differences_of(
    compared: &Compared,
    variant: &str,
    baseline: &str,
    confidence: Confidence,
) -> Value {
    let is_mean = |row: &&Row| row.statistic == Statistic::Mean;
    let rows = compared.differences.iter().filter(is_mean).map(|row| {
        json!({
            "metric": row.metric.name,
            "subject": row.subject,
            "rate": row.metric.kind == Kind::Rate,
            "value": row.difference.difference,
            "interval": ends(row.difference.interval),
            "sentence": row.sentence(confidence),
        })
    });
    json!({"variant": variant, "baseline": baseline, "rows": rows.collect::<Vec<_>>()})
}

/// Returns the errors of a scenario as an answer.
pub(super) fn refused(failure: &Failure, text: &str) -> Value {
    let errors = match failure.error.downcast_ref::<Diagnostics>() {
        Some(wrong) => messages(wrong, text),
        None => vec![json!({
            "severity": "error", "title": failure.to_string(), "label": "", "help": [], "from": 0, "to": 0,
        })],
    };
    json!({"errors": errors})
}

/// Returns errors and warnings with their positions in UTF-16 units, as editors count. Those about `--set` have
/// position 0.
pub(super) fn messages(diagnostics: &Diagnostics, text: &str) -> Vec<Value> {
    let units = |byte: usize| {
        let before = text.get(..byte).unwrap_or(text);
        before.encode_utf16().count()
    };
    let message = |diagnostic: &Diagnostic| {
        let place = diagnostic.place.as_ref();
        let of_text = place.filter(|(span, _)| {
            let source = diagnostics.sources.get(span.source());
            source.is_some_and(|source| source.text == text)
        });
        let bytes = of_text.map_or(0..0, |(span, _)| span.bytes());
        json!({
            "severity": if diagnostic.is_error() { "error" } else { "warning" },
            "title": diagnostic.title,
            "label": place.map_or("", |(_, label)| label),
            "help": diagnostic.help,
            "from": units(bytes.start),
            "to": units(bytes.end),
        })
    };
    diagnostics.list().into_iter().map(message).collect()
}

/// Returns the rates of a variant as JSON.
pub(super) fn variant(report: &VariantReport, confidence: Confidence) -> Value {
    let tally = &report.tally;
    let shown = ["win_rate", "outcome_rate", "mutual", "timeout", "rounds"];
    let is_shown = |metric: &&Metric| shown.contains(&metric.name);
    let rows = tally.metrics().filter(is_shown).flat_map(|metric| {
        let subjects = (0..tally.subjects(metric.scope)).filter(|at| tally.knows(metric, *at));
        subjects.map(move |at| {
            let summary = Summary::of(&tally.distribution(metric, at), metric.kind, confidence);
            json!({
                "metric": metric.name,
                "subject": if metric.scope == Scope::Encounter { "" } else { tally.subject(metric.scope, at) },
                "rate": metric.kind == Kind::Rate,
                "mean": summary.mean,
                "interval": ends(summary.interval),
            })
        })
    });
    json!({
        "name": report.name,
        "encounters": tally.encounters(),
        "rows": rows.collect::<Vec<_>>(),
    })
}

fn ends(interval: Option<Interval>) -> Option<[f64; 2]> {
    interval.map(|interval| [interval.low, interval.high])
}
