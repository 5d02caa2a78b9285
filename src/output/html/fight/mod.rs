//! The figures of a run: wins, length, remaining health, actions.

mod detail;
mod distributions;
mod standing;

pub(super) use detail::Detail;

use super::chapter::Run;
use super::charts::{Drawn, Group, Row, Whiskers};
use super::figure::{Figure, Table};
use super::words::{bar, named, outcome};
use crate::output::chart::Unit;
use crate::output::sheet::{Record, Sheet, distinct};
use crate::tally::metrics;
use std::collections::HashSet;
use std::fmt::Write;

/// The columns of a figure of means.
const MEANS: [&str; 13] = [
    "n", "mean", "ci_low", "ci_high", "p05", "p05_low", "p05_high", "p50", "p50_low", "p50_high",
    "p95", "p95_low", "p95_high",
];

/// Makes the figures of a run.
pub(super) struct Fight<'a> {
    pub(super) run: &'a Run,
    /// The prefix of the ids of all figures.
    pub(super) prefix: &'a str,
    /// How much of it is shown.
    pub(super) detail: Detail,
    /// Names of the variants that are shown, the first ones, and how many there are.
    variants: HashSet<&'a str>,
    all_variants: usize,
}

impl<'a> Fight<'a> {
    /// Returns the figures of a run at that level of detail, with ids that begin with `prefix`.
    pub(super) fn new(run: &'a Run, prefix: &'a str, detail: Detail) -> Self {
        let all = distinct(run.summary.rows(), "variant");
        Self {
            run,
            prefix,
            detail,
            all_variants: all.len(),
            variants: all.into_iter().take(detail.variants).collect(),
        }
    }

    /// The rows of a metric in a file, of the variants that are shown.
    fn of(&self, sheet: &'a Sheet, metric: &str) -> Vec<Record<'a>> {
        let shown = sheet
            .of_metric(metric)
            .filter(|row| self.variants.contains(row.text("variant")));
        shown.collect()
    }

    /// The rows of a metric in `summary.csv`.
    fn rows(&self, metric: &str) -> Vec<Record<'a>> {
        self.of(&self.run.summary, metric)
    }

    /// Whether there are several variants.
    fn has_variants(&self) -> bool {
        self.all_variants > 1
    }

    fn figure(
        &self,
        id: &str,
        words: [&str; 2],
        drawn: &Drawn,
        table: Table,
        note: &str,
    ) -> Figure {
        let (some, all) = (self.variants.len(), self.all_variants);
        let left_out = if some < all {
            format!(
                " Shown are the first {some} of {all} variants; summary.csv and distributions.csv have all."
            )
        } else {
            String::new()
        };
        let note = format!("{note}{left_out}");
        Figure::new(format!("{}{id}", self.prefix), words, drawn, table, &note)
    }

    fn whiskers_note(&self) -> String {
        format!("Whiskers are {} intervals.", self.run.origin.confidence())
    }

    /// Who wins, and how often.
    pub(super) fn wins(&self) -> Option<Figure> {
        let several = self.has_variants();
        let sides = distinct(self.rows("win_rate"), "subject");
        let mut groups = Vec::new();
        let mut shown = Vec::new();
        for metric in [
            "win_rate",
            metrics::MUTUAL,
            metrics::TIMEOUT,
            metrics::ESCAPED,
            metrics::CAUGHT,
        ] {
            let rows = self.rows(metric);
            for subject in distinct(rows.iter().copied(), "subject") {
                let of = rows.iter().filter(|row| row.is("subject", subject));
                let of: Vec<Record<'a>> = of.copied().collect();
                let never = of.iter().all(|row| row.number("mean") == Some(0.0));
                if metric != "win_rate" && never {
                    continue;
                }
                let side = sides.iter().position(|side| *side == subject);
                let series = side.unwrap_or(sides.len() + groups.len());
                let name = outcome(metric, subject);
                let label = |row: &Record<'a>| if several { row.text("variant") } else { &name };
                let members = of
                    .iter()
                    .filter_map(|row| bar(*row, series, label(row), Unit::Share));
                groups.push(Group {
                    rows: members.collect(),
                    name: named(several, &name),
                });
                shown.extend(of);
            }
        }
        if !several {
            let rows = groups.drain(..).flat_map(|group| group.rows).collect();
            groups.push(Group {
                name: String::new(),
                rows,
            });
        }
        if shown.is_empty() {
            return None;
        }
        let drawn = Whiskers {
            range: Some((0.0, 1.0)),
            ..Whiskers::new(Unit::Share, "share of all encounters", groups)
        }
        .draw();
        let table = Table::excerpt(
            &shown,
            &["variant", "metric", "subject"],
            &["n", "mean", "ci_low", "ci_high"],
            &[],
        );
        let words = [
            "Who wins, and how often?",
            "Share of encounters that end in each way. Outcomes that never came are left out.",
        ];
        Some(self.figure("wins", words, &drawn, table, &self.whiskers_note()))
    }

    /// The mean actions of each combatant.
    pub(super) fn deeds(&self) -> Vec<Figure> {
        let deeds = [
            ("damage", "How much damage does each deal in an encounter?"),
            (
                "attacks",
                "How many attacks does each make in an encounter?",
            ),
            ("units_moved", "How far does each move in an encounter?"),
        ];
        let figures = deeds
            .iter()
            .filter_map(|(metric, title)| self.deed(metric, title));
        figures.collect()
    }

    fn deed(&self, metric: &str, title: &str) -> Option<Figure> {
        let described = metrics::find(metric)?;
        let unit = Unit::of(described);
        let mut rows = self.rows(metric);
        if rows
            .iter()
            .all(|row| row.number("mean").unwrap_or_default() == 0.0)
        {
            return None;
        }
        let several = self.has_variants();
        let all = distinct(rows.iter().copied(), "subject");
        let combatants = self.detail.some(&all);
        rows.retain(|row| combatants.contains(&row.text("subject")));
        let mut groups: Vec<Group> = Vec::new();
        for (series, combatant) in combatants.iter().enumerate() {
            let of = rows.iter().filter(|row| row.is("subject", combatant));
            let name = |row: &Record<'a>| {
                if several {
                    row.text("variant")
                } else {
                    combatant
                }
            };
            let members = of.filter_map(|row| bar(*row, series, name(row), unit));
            let members: Vec<Row> = members.collect();
            match groups.last_mut().filter(|_| !several) {
                Some(group) => group.rows.extend(members),
                None => groups.push(Group {
                    name: named(several, combatant),
                    rows: members,
                }),
            }
        }
        let axis = format!("{} an encounter, mean", described.unit);
        let drawn = Whiskers::new(unit, &axis, groups).draw();
        let table = Table::excerpt(
            &rows,
            &["variant", "subject"],
            &MEANS,
            &[("metric", metric)],
        );
        let description = format!("Means of {}.", described.meaning);
        let mut note = self.whiskers_note();
        if combatants.len() < all.len() {
            let (some, all) = (combatants.len(), all.len());
            let _ = write!(
                note,
                " Shown are {some} of {all} combatants, the first of each group; summary.csv has all."
            );
        }
        Some(self.figure(
            &metric.replace('_', "-"),
            [title, &description],
            &drawn,
            table,
            &note,
        ))
    }
}
