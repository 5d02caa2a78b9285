//! All variants of a scenario in one table, one variant a line.

use super::VariantReport;
use super::table::{around, happens, with_arm};
use crate::report::TextGrid;
use crate::report::number::exact_difference;
use crate::stats::Confidence;
use crate::stats::paired::{Difference, Luck};
use crate::tally::{Kind, Metric, Pairs, Scope, Tally, metrics};

/// A column of the overview: its title, its metric and the metric's subject.
struct OverviewColumn {
    title: String,
    metric: &'static str,
    subject: String,
}

/// Returns the table of all variants that were played: win rates, how much the first side's differs from its rate in the
/// first variant, other endings, and the length of the encounters.
pub(super) fn overview(played: &[&VariantReport], confidence: Confidence) -> TextGrid {
    let tallies: Vec<&Tally> = played.iter().map(|variant| &variant.tally).collect();
    let columns = columns(&tallies);
    let mut titles: Vec<&str> = columns.iter().map(|column| &*column.title).collect();
    titles.insert(1, "against the first");
    let mut grid = TextGrid::new(["variant"].into_iter().chain(titles));
    for variant in played {
        let mut name = variant.name.clone();
        if variant.changes.is_empty() {
            name.push_str(" (as written)");
        }
        let cell = |column: &OverviewColumn| {
            let (metric, subject) = column.of(&variant.tally)?;
            Some(around(&variant.tally, metric, subject, confidence))
        };
        let cells = columns.iter().map(cell);
        let mut row: Vec<String> = cells.map(|cell| cell.unwrap_or("-".to_owned())).collect();
        let first = (tallies[0], &variant.tally);
        row.insert(1, columns[0].against(first, confidence).unwrap_or_default());
        row.insert(0, name);
        grid.row(row);
    }
    grid
}

/// Returns the columns that have a value in some variant. An ending that never occurs gets no column, nor does the second
/// of two sides, which wins the rest.
fn columns(tallies: &[&Tally]) -> Vec<OverviewColumn> {
    let column = |title: &str, metric: &'static str, subject: &str| OverviewColumn {
        title: title.to_owned(),
        metric,
        subject: subject.to_owned(),
    };
    let mut columns: Vec<OverviewColumn> = Vec::new();
    for side in tallies.iter().flat_map(|tally| tally.sides()) {
        if columns.iter().all(|column| column.subject != *side) {
            columns.push(column(&format!("{side} win"), "win_rate", side));
        }
    }
    if columns.len() == 2 {
        columns.pop();
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

impl OverviewColumn {
    /// Returns the metric and the index of its subject, if a variant has them.
    fn of<'t>(&self, tally: &'t Tally) -> Option<(&'t Metric, usize)> {
        let metric = tally.metric(self.metric)?;
        let mut subjects = 0..tally.subjects(metric.scope);
        let subject = subjects.find(|index| {
            metric.scope == Scope::Encounter || tally.subject(metric.scope, *index) == self.subject
        })?;
        Some((metric, subject))
    }

    /// Formats how much a rate differs from the rate in the first variant, in points, as if each variant had dice of its
    /// own: pairs of encounters are not kept.
    fn against(&self, (first, other): (&Tally, &Tally), confidence: Confidence) -> Option<String> {
        if std::ptr::eq(first, other) {
            return None;
        }
        let [first, other] = [first, other].map(|tally| {
            let (metric, subject) = self.of(tally)?;
            Some(tally.distribution(metric, subject))
        });
        let difference = Difference::of_means(
            &Pairs::default(),
            [&first?, &other?],
            Kind::Rate,
            Luck::Separate,
            confidence,
        )?;
        let (points, interval) = (
            100.0 * difference.difference,
            difference.interval?.scaled(100.0),
        );
        Some(if difference.is_exact {
            let [points, _] = exact_difference(points, interval);
            points
        } else {
            with_arm(points, interval)
        })
    }
}
