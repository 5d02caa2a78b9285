//! All variants of a scenario in one table, one variant a line.

use super::RunReport;
use super::table::{around, happens};
use crate::report::TextGrid;
use crate::stats::Confidence;
use crate::tally::{Scope, Tally, metrics};

/// A column of the overview: its title, its metric and the metric's subject.
struct Column {
    title: String,
    metric: &'static str,
    subject: String,
}

/// Returns the table of all variants that were played: win rates, other endings and the length of the encounters.
pub(super) fn overview(report: &RunReport) -> TextGrid {
    let played = || {
        let variants = report.variants.iter();
        variants.filter(|variant| !variant.tally.is_empty())
    };
    let tallies: Vec<&Tally> = played().map(|variant| &variant.tally).collect();
    let columns = columns(&tallies);
    let titles = columns.iter().map(|column| column.title.as_str());
    let mut grid = TextGrid::new(["variant"].into_iter().chain(titles));
    for variant in played() {
        let mut row = vec![variant.name.clone()];
        let columns = columns.iter();
        row.extend(columns.map(|column| column.cell(&variant.tally, report.confidence)));
        grid.row(row);
    }
    grid
}

/// Returns the columns that have a value in some variant. An ending that never occurs gets no column.
fn columns(tallies: &[&Tally]) -> Vec<Column> {
    let column = |title: &str, metric: &'static str, subject: &str| Column {
        title: title.to_owned(),
        metric,
        subject: subject.to_owned(),
    };
    let mut columns: Vec<Column> = Vec::new();
    for side in tallies.iter().flat_map(|tally| tally.sides()) {
        if columns.iter().all(|column| column.subject != *side) {
            columns.push(column(&format!("{side} win"), "win_rate", side));
        }
    }
    for ending in [
        metrics::MUTUAL,
        metrics::TIMEOUT,
        metrics::ESCAPED,
        metrics::CAUGHT,
    ] {
        let comes = |tally: &&Tally| {
            let metric = tally.metric(ending);
            metric.is_some_and(|metric| happens(tally, metric, 0))
        };
        if tallies.iter().any(comes) {
            columns.push(column(ending, ending, metrics::ENCOUNTER));
        }
    }
    for tally in tallies {
        for index in 0..tally.subjects(Scope::Outcome) {
            let name = tally.subject(Scope::Outcome, index);
            if columns.iter().all(|column| column.title != name) {
                columns.push(column(name, metrics::OUTCOME_RATE, name));
            }
        }
    }
    let rounds = metrics::ROUNDS;
    columns.push(column(rounds, rounds, metrics::ENCOUNTER));
    let first = "first_mover_wins";
    if tallies.iter().any(|tally| tally.metric(first).is_some()) {
        columns.push(column("first mover wins", first, metrics::ENCOUNTER));
    }
    columns
}

impl Column {
    /// Formats the cell of a variant; a dash if the metric has no value.
    fn cell(&self, tally: &Tally, confidence: Confidence) -> String {
        let found = tally.metric(self.metric).and_then(|metric| {
            let mut subjects = 0..tally.subjects(metric.scope);
            let subject = subjects.find(|index| {
                metric.scope == Scope::Encounter
                    || tally.subject(metric.scope, *index) == self.subject
            })?;
            Some((metric, subject))
        });
        let Some((metric, subject)) = found else {
            return "-".to_owned();
        };
        around(tally, metric, subject, confidence)
    }
}
