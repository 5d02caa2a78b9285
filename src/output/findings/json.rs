//! The findings as one JSON document, for programs.

use super::{Checked, Expected, Finding, Findings, Verdict};
use crate::output::FORMAT;
use crate::report::{Value, write_json};
use crate::stats::Confidence;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Document<'a> {
    program: &'static str,
    version: &'static str,
    format: u32,
    seed: u64,
    confidence: Confidence,
    passed: usize,
    failed: usize,
    undecided: usize,
    /// Whether the check has passed, as in the exit code.
    ok: bool,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "file")]
    path: &'a str,
    scenario: &'a str,
    findings: Vec<Value>,
}

/// Writes all findings as one document.
///
/// # Errors
/// If `out` cannot be written.
pub fn json(checked: &Checked, out: impl Write) -> io::Result<()> {
    let document = Document {
        program: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        format: FORMAT,
        seed: checked.seed,
        confidence: checked.confidence,
        passed: checked.count(Verdict::Passed),
        failed: checked.count(Verdict::Failed),
        undecided: checked.count(Verdict::Undecided),
        ok: checked.passed(),
        files: checked.files.iter().map(file).collect(),
    };
    write_json(&document, out)
}

fn file(findings: &Findings) -> File<'_> {
    File {
        path: &findings.file,
        scenario: &findings.scenario,
        findings: findings.list.iter().map(object).collect(),
    }
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
        ("details", Value::Texts(finding.details.clone())),
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
