//! The share of encounters in which a combatant still stands, Round by Round.

use super::FightFigures;
use super::distributions::share;
use super::sets::{Set, mean, note};
use crate::output::chart::Unit;
use crate::output::html::charts::{Curve, CurvePoint, Curves, Panel};
use crate::output::html::figure::{Figure, Table};
use crate::output::html::words::named;
use crate::output::sheet::{Column, Record, columns, distinct};
use crate::tally::{Scope, metrics};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The most Rounds of a grid, so that its cells have room for their numbers.
const GRID: u64 = 10;

/// The rows of a combatant in a variant.
type Places<'a> = HashMap<(&'a str, &'a str), Vec<Record<'a>>>;

impl<'a> FightFigures<'a> {
    /// Returns the figure of who still stands at the end of each Round. A curve ends when hardly any encounter of its
    /// variant continues: from there on the curve would be flat.
    pub(in crate::output::html) fn standing(&self) -> Option<Figure> {
        let rows = self.of(self.run.distributions(), "standing");
        let lengths = self.of(self.run.distributions(), metrics::ROUNDS);
        let number = |row: &Record<'_>| row.number(Column::Value).unwrap_or_default() as u64;
        let variants = distinct(rows.iter().copied(), Column::Variant);
        let ends = variants.iter().map(|variant| {
            let its_lengths = { lengths.iter() }.filter(|row| row.is(Column::Variant, variant));
            let bins = self.bins(metrics::ROUNDS, variant, its_lengths.copied());
            (*variant, (bins.end() as u64).max(1))
        });
        let ends: HashMap<&str, u64> = ends.collect();
        let all = distinct(rows.iter().copied(), Column::Subject);
        let (combatants, sets) = self.shown(&all);
        let is_by_set = self.has_variants() && sets.len() <= variants.len();
        let is_grid = if is_by_set {
            variants.len()
        } else {
            sets.len()
        } > Curves::MOST;
        let most = if is_grid {
            self.detail.rounds.min(GRID)
        } else {
            self.detail.rounds
        };
        let every = ends.values().max()?.div_ceil(most);
        let lasts: HashSet<u64> = ends.values().copied().collect();
        let mut places: Places<'a> = HashMap::new();
        for row in &rows {
            let (variant, round) = (row.variant(), number(row));
            let end = ends[variant];
            // The first and the last Round of each variant are always shown. In a grid, they are a column of all.
            let is_last = round == end || is_grid && lasts.contains(&round);
            let shown = round.is_multiple_of(every) || is_last || round == 1;
            if round <= end && shown {
                let rows = places.entry((variant, row.subject()));
                rows.or_default().push(*row);
            }
        }
        let shown: Vec<Record<'a>> = variants
            .iter()
            .flat_map(|variant| combatants.iter().map(|combatant| (*variant, *combatant)))
            .filter_map(|place| places.get(&place))
            .flatten()
            .copied()
            .collect();
        if shown.is_empty() {
            return None;
        }
        let word = self.style.round;
        let of_variant = |variant: &&'a str| Panel {
            title: named(self.has_variants(), variant),
            switch: self.switch(variant),
            content: { sets.iter().enumerate() }
                .map(|(at, set)| {
                    let colour =
                        |set: &Set<'_>| self.style.sides.colour(Scope::Combatant, set.members[0]);
                    let alike = sets[..at]
                        .iter()
                        .filter(|other| colour(other) == colour(set));
                    self.curve(&places, (variant, set), (colour(set), alike.count()))
                })
                .collect(),
        };
        let of_set = |set: &Set<'a>| Panel {
            title: set.each_of_it(),
            switch: None,
            content: { variants.iter() }
                .map(|variant| Curve {
                    name: (*variant).to_owned(),
                    switch: self.switch(variant),
                    ..self.curve(&places, (variant, set), self.style.look(variant))
                })
                .collect(),
        };
        let panels = if is_by_set {
            sets.iter().map(of_set).collect()
        } else {
            variants.iter().map(of_variant).collect()
        };
        let curves = Curves {
            panels,
            unit: Unit::Share,
            axis: &format!("end of {word}"),
            level: None,
            whole: true,
        };
        let table = Table::excerpt(
            &shown,
            &columns![Variant, Subject],
            &columns![Value, Probability, CiLow, CiHigh],
            &[(Column::Metric, "standing")],
        );
        let mut note = curves.note(&self.run.manifest.intervals()) + note(&sets);
        let (some, all) = (combatants.len(), all.len());
        let cut = rows.iter().any(|row| number(row) > ends[row.variant()]);
        let left_out: Vec<String> = [
            cut.then(|| {
                format!("{word}s that fewer than 1 in 100 encounters of a variant reach undecided")
            }),
            (every > 1).then(|| format!("all {}{word}s but one in {every}", named(cut, "other "))),
            (some < all)
                .then(|| format!("all but {some} of {all} combatants, the first of each group")),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !left_out.is_empty() {
            let _ = write!(
                note,
                " Left out here and in the table: {}; distributions.csv has them.",
                left_out.join("; ")
            );
        }
        let words = [
            &format!("Who still stands at the end of each {word}?"),
            "Share of encounters in which a combatant still stands. Survivors stay on the chart after the fight ends.",
        ];
        Some(self.figure("standing", words, &curves.draw(), table, &note))
    }

    /// Returns the curve of a set in a variant.
    fn curve(
        &self,
        places: &Places<'a>,
        (variant, set): (&'a str, &Set<'a>),
        (series, rank): (usize, usize),
    ) -> Curve {
        let members = set.members.iter();
        let members: Vec<_> = members
            .filter_map(|member| places.get(&(variant, *member)))
            .collect();
        let rounds = members.first().map_or(0, |first| first.len());
        let points = (0..rounds)
            .filter_map(|at| self.point(&set.name, members.iter().filter_map(|rows| rows.get(at))));
        Curve {
            name: set.name.clone(),
            series,
            rank,
            points: points.collect(),
            switch: None,
        }
    }

    /// Returns a Round of `standing` as a point of a curve, with the mean of a set.
    fn point<'b>(
        &self,
        name: &str,
        rows: impl Iterator<Item = &'b Record<'a>>,
    ) -> Option<CurvePoint>
    where
        'a: 'b,
    {
        let mut round = None;
        let mut estimates = Vec::new();
        for row in rows {
            round = round.or(row.number(Column::Value));
            let (share, interval) = share(*row)?;
            estimates.push((share, Some(interval)));
        }
        let (round, (share, interval)) = (round?, mean(&estimates)?);
        let text = Unit::Share.in_words(share, interval);
        Some(CurvePoint {
            x: round,
            y: share,
            interval,
            title: format!("{name}, end of {} {round}: {text}", self.style.round),
        })
    }
}
