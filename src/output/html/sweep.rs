//! The figures of a sweep: a line with its band, bars, or a grid.

use super::chapter::Part;
use super::charts::{Curve, CurvePoint, Curves, EVEN, Group, Heat, HeatCell, Whiskers};
use super::drawing::Drawing;
use super::fight::MEANS;
use super::figure::{Figure, Table};
use super::sides::FigureStyle;
use super::words::{bar, drawn, key_in_words, level_note, named};
use crate::decimal::Decimal;
use crate::output::chart::Unit;
use crate::output::ranking::capital;
use crate::output::sheet::{Column, Record, columns, distinct};
use crate::question::Question;
use crate::tally::Metric;

/// Returns a figure for every metric; with two keys, a figure for every metric and subject.
pub(super) fn figures(part: &Part, style: FigureStyle<'_>) -> Vec<Figure> {
    let mut all = Vec::new();
    for metric in part.metrics() {
        let rows: Vec<Record<'_>> = part.sheet.of_metric(metric.name).collect();
        let sweep = Sweep {
            part,
            style,
            metric,
        };
        let Some(first) = rows.first() else { continue };
        if first.text(Column::Key2).is_empty() {
            all.push(sweep.one_key(&rows));
        } else {
            let subjects = drawn(&rows, Column::Mean, 1.0);
            let figures = subjects.iter().enumerate();
            all.extend(figures.map(|(index, subject)| sweep.two_keys(&rows, index, subject)));
        }
    }
    all
}

/// Returns the threshold, if this is its metric, which is always the first one. A win rate has one half without it.
fn level(part: &Part, metric: &Metric) -> Option<f64> {
    let is_first =
        { part.sheet.rows().next() }.is_some_and(|row| row.is(Column::Metric, metric.name));
    match &part.manifest.task.question {
        Question::Sweep {
            threshold: Some(level),
            ..
        } if is_first => Some(Decimal::read(level)?.value),
        _ => (metric.name == "win_rate").then_some(EVEN),
    }
}

struct Sweep<'a> {
    part: &'a Part,
    style: FigureStyle<'a>,
    metric: &'static Metric,
}

impl Sweep<'_> {
    fn id(&self) -> String {
        format!("{}sweep-{}", self.style.prefix, self.metric.id())
    }

    /// Returns the meaning of the metric as the beginning of a sentence.
    fn meaning(&self) -> String {
        capital(&self.style.in_its_words(self.metric.meaning))
    }

    fn one_key(&self, rows: &[Record<'_>]) -> Figure {
        let key = rows.first().map_or("", |row| row.text(Column::Key1));
        let subjects = drawn(rows, Column::Mean, 1.0);
        let is_drawn = |row: &&Record<'_>| subjects.contains(&row.subject());
        let rows: Vec<Record<'_>> = rows.iter().filter(is_drawn).copied().collect();
        let values = OverValues {
            rows: &rows,
            key: (key, Column::Value1),
            metric: self.metric,
            level: level(self.part, self.metric),
        };
        let (drawn, note) = values.draw(self.style, &self.part.manifest.intervals());
        let name = key_in_words(key);
        let title = format!("What does {name} do to the {}?", self.metric.words());
        let description = format!("{}, at each value of {name}.", self.meaning());
        let table = Table::excerpt(
            &rows,
            &columns![Value1, Subject],
            &MEANS,
            &[(Column::Key1, key), (Column::Metric, self.metric.name)],
        );
        Figure::new(self.id(), [&title, &description], &drawn, table, &note)
    }

    fn two_keys(&self, rows: &[Record<'_>], index: usize, subject: &str) -> Figure {
        let unit = Unit::of(self.metric);
        let of: Vec<Record<'_>> = rows
            .iter()
            .filter(|row| row.is(Column::Subject, subject))
            .copied()
            .collect();
        let [down, across] =
            columns![Key1, Key2].map(|key| of.first().map_or("", |row| row.text(key)));
        let [first, second] = [down, across].map(key_in_words);
        let [downs, acrosses] =
            columns![Value1, Value2].map(|value| distinct(of.iter().copied(), value));
        let cell = |one: &str, other: &str| {
            let row = of
                .iter()
                .find(|row| row.is(Column::Value1, one) && row.is(Column::Value2, other))?;
            let value = row.number(Column::Mean)?;
            let interval = row.interval();
            Some(HeatCell {
                value,
                text: short(unit, value),
                title: format!(
                    "{first} = {one}, {second} = {other}: {}",
                    unit.in_words(value, interval)
                ),
            })
        };
        let middle = (self.metric.name == "win_rate").then_some(EVEN);
        let drawn = Heat::new([&first, &second], [&downs, &acrosses], middle, cell).draw();
        let title = format!(
            "What do {first} and {second} do to the {}?",
            self.metric.words_of(subject)
        );
        let description = format!(
            "{}. {}",
            self.meaning(),
            if middle.is_some() {
                "Blue is above 50%, orange below."
            } else {
                "The more a cell stands out, the higher its number."
            }
        );
        let note = Heat::note(unit, &self.part.manifest.intervals());
        let table = Table::excerpt(
            &of,
            &columns![Value1, Value2],
            &MEANS,
            &[
                (Column::Key1, down),
                (Column::Key2, across),
                (Column::Metric, self.metric.name),
                (Column::Subject, subject),
            ],
        );
        let id = format!("{}-{index}", self.id());
        Figure::new(id, [&title, &description], &drawn, table, &note)
    }
}

/// The means of a metric at the values of a key.
pub(super) struct OverValues<'a> {
    pub(super) rows: &'a [Record<'a>],
    /// The key, and the column of its values.
    pub(super) key: (&'a str, Column),
    pub(super) metric: &'static Metric,
    /// A number that a dashed line marks.
    pub(super) level: Option<f64>,
}

impl OverValues<'_> {
    /// Draws a curve for each subject, or bars if the values are few or no numbers. Returns the note, too.
    pub(super) fn draw(&self, style: FigureStyle<'_>, intervals: &str) -> (Drawing, String) {
        let &Self {
            rows,
            metric,
            level,
            key: (key, column),
        } = self;
        let (unit, name) = (Unit::of(metric), key_in_words(key));
        let subjects = distinct(rows.iter().copied(), Column::Subject);
        let of = |subject| rows.iter().filter(move |row| row.subject() == subject);
        let colour = |subject| style.sides.colour(metric.scope, subject);
        let numeric = rows.iter().all(|row| row.number(column).is_some());
        if numeric && distinct(rows.iter().copied(), column).len() > 2 {
            let curves = subjects.iter().enumerate().map(|(rank, subject)| {
                let point = |row: &Record<'_>| {
                    let (y, interval) = row.estimate(Column::Mean)?;
                    let (at, number) = (row.text(column), unit.in_words(y, interval));
                    let title = format!("{subject}, {name} = {at}: {number}");
                    let x = row.number(column)?;
                    Some(CurvePoint {
                        x,
                        y,
                        interval,
                        title,
                    })
                };
                let mut points: Vec<CurvePoint> = of(*subject).filter_map(point).collect();
                points.sort_by(|one, other| one.x.total_cmp(&other.x));
                Curve {
                    name: (*subject).to_owned(),
                    series: colour(subject),
                    rank,
                    switch: None,
                    points,
                }
            });
            let curves = Curves {
                level,
                ..Curves::new(unit, &name, curves.collect())
            };
            return (curves.draw(), curves.note(intervals));
        }
        let groups = subjects.iter().map(|subject| {
            let bar = |row: &Record<'_>| bar(*row, colour(subject), row.text(column), unit);
            let bars = of(*subject).filter_map(bar);
            Group::new(named(subjects.len() > 1, subject), bars)
        });
        let axis = format!("{}, mean", metric.words());
        let drawn = Whiskers {
            level,
            ..Whiskers::new(unit, &axis, groups.collect())
        };
        let note = format!("Error bars are {intervals}.{}", level_note(level, unit));
        (drawn.draw(), note)
    }
}

/// Formats a number for a cell of a grid.
fn short(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Plain if value.abs() < 10.0 => unit.cell(value, 2),
        _ => unit.cell(value, 1),
    }
}
