//! The findings as one JSON document, for programs.

use super::{Checked, Expected, Finding, Findings, Verdict};
use crate::output::FORMAT;
use crate::report::{Value, write_json};
use std::io::{self, Write};

/// Writes all findings as one document.
///
/// # Errors
/// If `out` cannot be written.
pub fn json(checked: &Checked, out: impl Write) -> io::Result<()> {
    let count = |verdict| Value::count(checked.count(verdict) as u64);
    let file = |file: &Findings| {
        Value::Object(vec![
            ("file", Value::text(&file.file)),
            ("scenario", Value::text(&file.scenario)),
            (
                "findings",
                Value::List(file.list.iter().map(object).collect()),
            ),
        ])
    };
    let document = Value::Object(vec![
        ("program", Value::text(env!("CARGO_PKG_NAME"))),
        ("version", Value::text(env!("CARGO_PKG_VERSION"))),
        ("format", Value::Whole(FORMAT.into())),
        ("seed", Value::Json(checked.seed.into())),
        ("confidence", Value::text(&checked.confidence.to_string())),
        ("passed", count(Verdict::Passed)),
        ("failed", count(Verdict::Failed)),
        ("undecided", count(Verdict::Undecided)),
        // As in the exit code.
        ("ok", Value::Flag(checked.passed())),
        (
            "files",
            Value::List(checked.files.iter().map(file).collect()),
        ),
    ]);
    write_json(&document, out)
}

/// Returns a finding as a JSON object.
fn object(finding: &Finding) -> Value {
    let (line, column) = finding.place.unzip();
    let place = |at: Option<usize>| Value::count(at.map(|at| at as u64));
    let found = finding.found;
    let interval = found.and_then(|found| found.interval);
    let [low, high] = Value::between(interval, finding.is_exact);
    let value = Value::estimate(found.map(|found| found.value), finding.is_exact);
    let mut object = vec![
        ("line", place(line)),
        ("column", place(column)),
        ("what", Value::text(&finding.what)),
        ("variant", Value::text(&finding.variant)),
        ("metric", Value::named(finding.metric)),
        ("subject", Value::named(finding.subject.as_deref())),
        ("statistic", Value::named(finding.statistic)),
        ("from", Value::named(finding.from.as_deref())),
        ("verdict", Value::text(finding.verdict.name())),
        ("value", value),
        ("ci_low", low),
        ("ci_high", high),
        ("wanted", expectation(finding.wanted)),
        ("encounters", Value::count(finding.encounters)),
        ("details", Value::texts(finding.details.iter().cloned())),
    ];
    if finding.is_exact {
        object.push(("method", Value::method(true)));
    }
    Value::Object(object)
}

fn expectation(wanted: Expected) -> Value {
    let [low, high, equal, tolerance] = match wanted {
        Expected::Within(low, high) => [Some(low), Some(high), None, None],
        Expected::Exactly(value) => [None, None, Some(value), None],
        Expected::Unmoved(tolerance) => [None, None, None, Some(tolerance)],
    }
    .map(|end| Value::Sampled(end.filter(|end| end.is_finite())));
    Value::Object(vec![
        ("low", low),
        ("high", high),
        ("equal", equal),
        ("tolerance", tolerance),
    ])
}
