//! The figures of a run: wins, length, remaining health and actions.

mod detail;
mod distributions;
mod sets;
mod standing;

pub(super) use detail::Detail;

use super::chapter::Part;
use super::charts::{Group, Whisker, Whiskers};
use super::drawing::Drawing;
use super::figure::{Figure, Table};
use super::palette::NEUTRAL;
use super::sides::FigureStyle;
use super::words::{bar, drawn, named, outcome};
use crate::output::chart::Unit;
use crate::output::sheet::{Column, Record, Sheet, columns, distinct};
use crate::tally::{Metric, Scope, metrics};
use sets::Set;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The columns of numbers of a figure of means.
pub(super) const MEANS: [Column; 4] = columns![N, Mean, CiLow, CiHigh];

/// Creates the figures of a run.
pub(super) struct FightFigures<'a> {
    pub(super) run: &'a Part,
    style: FigureStyle<'a>,
    /// The amount of detail.
    pub(super) detail: Detail,
    /// Names of the first variants, which are shown; `all_variants` is the number of all.
    variants: HashSet<&'a str>,
    all_variants: usize,
}

impl<'a> FightFigures<'a> {
    /// Prepares the figures of a run at this level of detail.
    pub(super) fn new(run: &'a Part, style: FigureStyle<'a>, detail: Detail) -> Self {
        let all = distinct(run.sheet.rows(), Column::Variant);
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
        sheet
            .of_metric(metric)
            .filter(|row| self.variants.contains(row.variant()))
            .collect()
    }

    /// Returns the rows of a metric in `summary.csv`.
    fn rows(&self, metric: &str) -> Vec<Record<'a>> {
        self.of(&self.run.sheet, metric)
    }

    /// Whether the fights were solved.
    fn is_exact(&self) -> bool {
        self.run.manifest.is_exact()
    }

    /// Whether there are several variants.
    fn has_variants(&self) -> bool {
        self.all_variants > 1
    }

    fn figure(
        &self,
        id: &str,
        words: [&str; 2],
        drawing: &Drawing,
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
        Figure::new(id, words, drawing, table, &note)
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
        let mut groups: Vec<Group> = Vec::new();
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
            let subjects = if self.has_variants() {
                drawn(&rows, Column::Mean, 1.0)
            } else {
                distinct(rows.iter().copied(), Column::Subject)
            };
            for subject in subjects {
                let rows: Vec<Record<'a>> = rows
                    .iter()
                    .filter(|row| row.is(Column::Subject, subject))
                    .copied()
                    .collect();
                let never = rows.iter().all(|row| row.number(Column::Mean) == Some(0.0));
                if metric != "win_rate" && never {
                    continue;
                }
                let series = match metric {
                    "win_rate" => self.style.sides.colour(Scope::Side, subject),
                    _ => NEUTRAL,
                };
                let bars = rows
                    .iter()
                    .filter_map(|row| Some((row.variant(), bar(*row, series, "", Unit::Share)?)));
                self.add(&mut groups, &outcome(metric, subject), bars);
                shown.extend(rows);
            }
        }
        if shown.is_empty() {
            return None;
        }
        // The answer has the win rates of the first side.
        let is_known = groups.len() == 1;
        let drawing = Whiskers {
            range: Some((0.0, 1.0)),
            ..Whiskers::new(Unit::Share, "share of encounters", groups)
        }
        .draw();
        let table = Table::excerpt(&shown, &columns![Variant, Metric, Subject], &MEANS, &[]);
        let words = [
            "Who wins, and how often?",
            "Share of encounters by outcome. Outcomes that never happened are left out.",
        ];
        let figure = self.figure("wins", words, &drawing, table, &self.whiskers_note());
        Some(if is_known {
            self.folded(figure)
        } else {
            figure
        })
    }

    /// Returns the figures of the mean actions of each combatant.
    pub(super) fn deeds(&self) -> Vec<Figure> {
        [
            ("damage", "How much damage does each combatant deal?"),
            ("attacks", "How many attacks does each combatant make?"),
            ("units_moved", "How far does each combatant move?"),
        ]
        .iter()
        .filter_map(|(metric, title)| self.deed(metric, title))
        .collect()
    }

    fn deed(&self, metric: &str, title: &str) -> Option<Figure> {
        let described = metrics::find(metric)?;
        let unit = Unit::of(described);
        let mut rows = self.rows(metric);
        let mean = |row: &Record<'_>| row.number(Column::Mean).unwrap_or_default();
        if rows.iter().all(|row| mean(row) == 0.0) {
            return None;
        }
        let all = distinct(rows.iter().copied(), Column::Subject);
        let (combatants, sets) = self.shown(&all);
        let axis = self
            .style
            .in_its_words(&format!("{} per encounter, mean", described.unit));
        let drawing = Whiskers::new(unit, &axis, self.bars(described, &rows, &sets)).draw();
        rows.retain(|row| combatants.contains(&row.subject()));
        let table = Table::excerpt(
            &rows,
            &columns![Variant, Subject],
            &MEANS,
            &[(Column::Metric, metric)],
        );
        let description = self
            .style
            .in_its_words(&format!("Mean {}.", described.meaning));
        let mut note = self.whiskers_note();
        note.push_str(sets::note(&sets));
        if combatants.len() < all.len() {
            let (some, all) = (combatants.len(), all.len());
            let _ = write!(
                note,
                " Shown are {some} of {all} combatants, the first of each group; summary.csv has all."
            );
        }
        let words = [title, &description];
        Some(self.folded(self.figure(&described.id(), words, &drawing, table, &note)))
    }

    /// Folds a figure that only has details of a page of several variants.
    fn folded(&self, figure: Figure) -> Figure {
        Figure {
            folded: self.has_variants().then(|| figure.title.clone()),
            ..figure
        }
    }

    /// Returns the combatants and the sets to show.
    fn shown<'b>(&self, all: &[&'b str]) -> (Vec<&'b str>, Vec<Set<'b>>) {
        let mut sets = Set::of(all);
        sets.truncate(self.detail.combatants);
        (self.detail.some(all), sets)
    }

    /// Returns a bar for each set in each variant.
    fn bars(&self, metric: &Metric, rows: &[Record<'a>], sets: &[Set<'_>]) -> Vec<Group> {
        let unit = Unit::of(metric);
        let variants = distinct(rows.iter().copied(), Column::Variant);
        let known: HashMap<(&str, &str), Record<'a>> = rows
            .iter()
            .map(|row| ((row.variant(), row.subject()), *row))
            .collect();
        let mut groups: Vec<Group> = Vec::new();
        for set in sets {
            let series = self.style.sides.colour(metric.scope, set.members[0]);
            let bars = variants.iter().filter_map(|variant| {
                let estimates: Vec<_> = set
                    .members
                    .iter()
                    .filter_map(|member| known.get(&(*variant, *member)))
                    .filter_map(|row| row.estimate(Column::Mean))
                    .collect();
                let (mean, interval) = sets::mean(&estimates)?;
                let text = unit.in_words(mean, interval);
                Some((*variant, Whisker::new("", series, (mean, interval), text)))
            });
            self.add(&mut groups, &set.each_of_it(), bars);
        }
        groups
    }

    /// Adds the bars of variants below a name. The only variant has a bar with this name.
    fn add<'b>(
        &self,
        groups: &mut Vec<Group>,
        name: &str,
        bars: impl Iterator<Item = (&'b str, Whisker)>,
    ) {
        let several = self.has_variants();
        let rows = bars.map(|(variant, bar)| Whisker {
            name: if several { variant } else { name }.to_owned(),
            switch: self.switch(variant),
            ..bar
        });
        match groups.last_mut().filter(|_| !several) {
            Some(group) => group.content.extend(rows),
            None => groups.push(Group::new(named(several, name), rows)),
        }
    }
}
