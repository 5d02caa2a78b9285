//! One JSON document, for programs.

use super::{Checked, Finding, Findings, Verdict, Wanted};
use crate::output::FORMAT;
use crate::report::number::Rounded;
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
    /// What the exit code says.
    ok: bool,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "file")]
    path: &'a str,
    scenario: &'a str,
    findings: Vec<Object<'a>>,
}

#[derive(Serialize)]
struct Object<'a> {
    line: Option<usize>,
    column: Option<usize>,
    what: &'a str,
    variant: &'a str,
    metric: Option<&'static str>,
    subject: Option<&'a str>,
    statistic: Option<&'static str>,
    from: Option<&'a str>,
    verdict: &'static str,
    value: Option<Rounded>,
    ci_low: Option<Rounded>,
    ci_high: Option<Rounded>,
    wanted: Wish,
    encounters: u64,
    details: &'a [String],
}

#[derive(Serialize)]
struct Wish {
    low: Option<Rounded>,
    high: Option<Rounded>,
    equal: Option<Rounded>,
    tolerance: Option<Rounded>,
}

/// Writes everything as one document.
///
/// # Errors
/// If `out` cannot be written.
pub fn json(checked: &Checked, mut out: impl Write) -> io::Result<()> {
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
    serde_json::to_writer_pretty(&mut out, &document)?;
    out.write_all(b"\n")
}

fn file(findings: &Findings) -> File<'_> {
    File {
        path: &findings.file,
        scenario: &findings.scenario,
        findings: findings.list.iter().map(object).collect(),
    }
}

fn object(finding: &Finding) -> Object<'_> {
    let interval = finding.found.and_then(|found| found.interval);
    Object {
        line: finding.place.map(|place| place.0),
        column: finding.place.map(|place| place.1),
        what: &finding.what,
        variant: &finding.variant,
        metric: finding.metric,
        subject: finding.subject.as_deref(),
        statistic: finding.statistic,
        from: finding.from.as_deref(),
        verdict: finding.verdict.name(),
        value: finding.found.map(|found| Rounded::new(found.value)),
        ci_low: interval.map(|interval| Rounded::new(interval.low)),
        ci_high: interval.map(|interval| Rounded::new(interval.high)),
        wanted: wish(finding.wanted),
        encounters: finding.encounters,
        details: &finding.details,
    }
}

fn wish(wanted: Wanted) -> Wish {
    let some = |value: f64| value.is_finite().then(|| Rounded::new(value));
    let mut wish = Wish {
        low: None,
        high: None,
        equal: None,
        tolerance: None,
    };
    match wanted {
        Wanted::Within(low, high) => (wish.low, wish.high) = (some(low), some(high)),
        Wanted::Exactly(value) => wish.equal = some(value),
        Wanted::Unmoved(tolerance) => wish.tolerance = some(tolerance),
    }
    wish
}
