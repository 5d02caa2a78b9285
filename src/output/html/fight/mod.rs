//! The figures of a run: wins, length, remaining health and actions.

mod detail;
mod distributions;
mod sets;
mod standing;

pub(super) use detail::Detail;

use super::chapter::Run;
use super::charts::{Drawn, Group, Row, Whiskers};
use super::figure::{Figure, Table};
use super::palette::NEUTRAL;
use super::sides::FigureStyle;
use super::words::{bar, named, outcome};
use crate::output::chart::Unit;
use crate::output::sheet::{Record, Sheet, distinct};
use crate::tally::{Metric, Scope, metrics};
use sets::Set;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The columns of numbers of a figure of means.
pub(super) const MEANS: [&str; 13] = [
    "n", "mean", "ci_low", "ci_high", "p05", "p05_low", "p05_high", "p50", "p50_low", "p50_high",
    "p95", "p95_low", "p95_high",
];

/// Creates the figures of a run.
pub(super) struct Fight<'a> {
    pub(super) run: &'a Run,
    style: FigureStyle<'a>,
    /// The amount of detail.
    pub(super) detail: Detail,
    /// Names of the first variants, which are shown; `all_variants` is the number of all.
    variants: HashSet<&'a str>,
    all_variants: usize,
}

impl<'a> Fight<'a> {
    /// Prepares the figures of a run at this level of detail.
    pub(super) fn new(run: &'a Run, style: FigureStyle<'a>, detail: Detail) -> Self {
        let all = distinct(run.summary.rows(), "variant");
        Self {
            run,
            style,
            detail,
            all_variants: all.len(),
            variants: all.into_iter().take(detail.variants).collect(),
        }
    }

    /// Returns the rows of a metric in a file, of the variants that are shown.
    fn of(&self, sheet: &'a Sheet, metric: &str) -> Vec<Record<'a>> {
        let shown = sheet
            .of_metric(metric)
            .filter(|row| self.variants.contains(row.text("variant")));
        shown.collect()
    }

    /// Returns the rows of a metric in `summary.csv`.
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
        let mut note = note.to_owned();
        if some < all {
            let _ = write!(
                note,
                " Shown are the first {some} of {all} variants; summary.csv and distributions.csv have all."
            );
        }
        let id = format!("{}{id}", self.style.prefix);
        let table = table.switched(self.style.switches);
        Figure::new(id, words, drawn, table, &note)
    }

    /// Returns the class that switches a variant off.
    fn switch(&self, variant: &str) -> Option<String> {
        self.style.switches.class(variant)
    }

    fn whiskers_note(&self) -> String {
        format!("Error bars are {}.", self.run.manifest.intervals())
    }

    /// Returns the figure of who wins, and how often.
    pub(super) fn wins(&self) -> Option<Figure> {
        let several = self.has_variants();
        let mut groups = Vec::new();
        let mut shown = Vec::new();
        for metric in [
            "win_rate",
            metrics::MUTUAL,
            metrics::TIMEOUT,
            metrics::ESCAPED,
            metrics::CAUGHT,
            metrics::OUTCOME_RATE,
        ] {
            let rows = self.rows(metric);
            for subject in distinct(rows.iter().copied(), "subject") {
                let of = rows.iter().filter(|row| row.is("subject", subject));
                let of: Vec<Record<'a>> = of.copied().collect();
                let never = of.iter().all(|row| row.number("mean") == Some(0.0));
                if metric != "win_rate" && never {
                    continue;
                }
                let series = match metric {
                    "win_rate" => self.style.sides.colour(Scope::Side, subject),
                    _ => NEUTRAL,
                };
                let name = outcome(metric, subject);
                let label = |row: &Record<'a>| if several { row.text("variant") } else { &name };
                let members = of.iter().filter_map(|row| {
                    Some(Row {
                        switch: self.switch(row.text("variant")),
                        ..bar(*row, series, label(row), Unit::Share)?
                    })
                });
                groups.push(Group::new(named(several, &name), members));
                shown.extend(of);
            }
        }
        if !several {
            let rows = groups.into_iter().flat_map(|group| group.rows);
            groups = vec![Group::new("", rows)];
        }
        if shown.is_empty() {
            return None;
        }
        let drawn = Whiskers {
            range: Some((0.0, 1.0)),
            ..Whiskers::new(Unit::Share, "share of encounters", groups)
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
            "Share of encounters by outcome. Outcomes that never happened are left out.",
        ];
        Some(self.figure("wins", words, &drawn, table, &self.whiskers_note()))
    }

    /// Returns the figures of the mean actions of each combatant.
    pub(super) fn deeds(&self) -> Vec<Figure> {
        let deeds = [
            ("damage", "How much damage does each combatant deal?"),
            ("attacks", "How many attacks does each combatant make?"),
            ("units_moved", "How far does each combatant move?"),
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
        let mean = |row: &Record<'_>| row.number("mean").unwrap_or_default();
        if rows.iter().all(|row| mean(row) == 0.0) {
            return None;
        }
        let all = distinct(rows.iter().copied(), "subject");
        let (combatants, sets) = self.shown(&all);
        let draw = |sets: &[Set<'_>]| {
            let axis = self
                .style
                .in_its_words(&format!("{} per encounter, mean", described.unit));
            Whiskers::new(unit, &axis, self.bars(described, &rows, sets)).draw()
        };
        let (drawn, each) = (
            draw(&sets),
            self.each(&combatants, &sets).map(|sets| draw(&sets)),
        );
        rows.retain(|row| combatants.contains(&row.text("subject")));
        let table = Table::excerpt(
            &rows,
            &["variant", "subject"],
            &MEANS,
            &[("metric", metric)],
        );
        let description = self
            .style
            .in_its_words(&format!("Mean {}.", described.meaning));
        let mut note = self.whiskers_note();
        if sets::is_folded(&sets) {
            let _ = write!(note, " {SETS}");
        }
        if combatants.len() < all.len() {
            let (some, all) = (combatants.len(), all.len());
            let _ = write!(
                note,
                " Shown are {some} of {all} combatants, the first of each group; summary.csv has all."
            );
        }
        let words = [title, &description];
        let figure = self.figure(&described.id(), words, &drawn, table, &note);
        Some(figure.with_each(EACH, each.as_ref()))
    }

    /// Returns the combatants and the sets to show.
    fn shown<'b>(&self, all: &[&'b str]) -> (Vec<&'b str>, Vec<Set<'b>>) {
        let mut sets = Set::of(all);
        sets.truncate(self.detail.combatants);
        (self.detail.some(all), sets)
    }

    /// Returns sets of one combatant each, if there is a second picture of every combatant.
    fn each<'b>(&self, combatants: &[&'b str], sets: &[Set<'_>]) -> Option<Vec<Set<'b>>> {
        (self.detail.each && sets::is_folded(sets)).then(|| Set::each(combatants))
    }

    /// Returns a bar for each set in each variant.
    fn bars(&self, metric: &Metric, rows: &[Record<'a>], sets: &[Set<'_>]) -> Vec<Group> {
        let unit = Unit::of(metric);
        let several = self.has_variants();
        let variants = distinct(rows.iter().copied(), "variant");
        let mut of: HashMap<(&str, &str), Record<'a>> = HashMap::new();
        for row in rows {
            of.insert((row.text("variant"), row.text("subject")), *row);
        }
        let mut groups: Vec<Group> = Vec::new();
        for set in sets {
            let name = set.each_of_it();
            let series = self.style.sides.colour(metric.scope, set.members[0]);
            let bars = variants.iter().filter_map(|variant| {
                let members = set.members.iter();
                let rows = members.filter_map(|member| of.get(&(*variant, *member)));
                let estimates = rows.filter_map(|row| Some((row.number("mean")?, row.interval())));
                let known = sets::mean(&estimates.collect::<Vec<_>>())?;
                let label = if several { variant } else { &*name };
                let text = unit.in_words(known.0, known.1);
                Some(Row {
                    switch: self.switch(variant),
                    ..Row::new(label, series, known, text)
                })
            });
            match groups.last_mut().filter(|_| !several) {
                Some(group) => group.rows.extend(bars),
                None => groups.push(Group::new(named(several, &name), bars)),
            }
        }
        groups
    }
}

/// The label that unfolds the picture of every combatant.
const EACH: &str = "Every combatant of a group";

/// The note on the number of a group.
const SETS: &str = "A group shows the mean of its members and of their intervals.";
