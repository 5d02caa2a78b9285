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
            let is_its = |row: &&Record<'_>| row.is(Column::Variant, variant);
            let rounds = rows.iter().filter(is_its).map(number);
            let last = rounds.max().unwrap_or_default();
            let its_lengths = lengths.iter().filter(is_its).copied();
            let bins = self.bins(metrics::ROUNDS, variant, its_lengths);
            let decided = (bins.end() as u64).clamp(1, last.max(1));
            // If the round limit directly follows the rest, there is nothing to leave out.
            let is_limited = bins.limit.is_some();
            let is_far = is_limited && last > decided + 1;
            let shown = if is_limited && !is_far { last } else { decided };
            (*variant, (shown, is_far.then_some(last)))
        });
        let ends: HashMap<&str, (u64, Option<u64>)> = ends.collect();
        let all = distinct(rows.iter().copied(), Column::Subject);
        let (combatants, sets) = self.shown(&all);
        let is_grid = sets.len() > Curves::MOST;
        let most = if is_grid {
            self.detail.rounds.min(GRID)
        } else {
            self.detail.rounds
        };
        let every = ends.values().map(|(end, _)| *end).max()?.div_ceil(most);
        let lasts: HashSet<u64> = ends.values().map(|(end, _)| *end).collect();
        let cut = rows.iter().any(|row| number(row) > ends[row.variant()].0);
        let limits = ends.values().filter_map(|(_, limit)| *limit).max();
        let mut places: Places<'a> = HashMap::new();
        for row in &rows {
            let (variant, round) = (row.variant(), number(row));
            let (end, limit) = ends[variant];
            // The first and the last Round of each variant are always shown. In a grid, they are a column of all.
            let is_last = round == end || is_grid && lasts.contains(&round);
            let shown = round.is_multiple_of(every) || is_last || round == 1;
            if round <= end && shown || limit == Some(round) {
                let rows = places.entry((variant, row.subject()));
                rows.or_default().push(*row);
            }
        }
        let shown: Vec<Record<'a>> = variants
            .iter()
            .flat_map(|variant| {
                combatants
                    .iter()
                    .map(move |combatant| (*variant, *combatant))
            })
            .filter_map(|place| places.get(&place))
            .flatten()
            .copied()
            .collect();
        if shown.is_empty() {
            return None;
        }
        let word = self.style.round;
        let panels = variants.iter().map(|variant| Panel {
            title: named(self.has_variants(), variant),
            switch: self.switch(variant),
            content: self.curves(&sets, &places, variant, ends[variant].1),
        });
        let curves = Curves {
            panels: panels.collect(),
            unit: Unit::Share,
            axis: &format!("end of {word}"),
            level: None,
            limit: limits.map(|limit| format!("at {limit}")),
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
        let left_out: Vec<String> = [
            limits.map(|_| format!("the {word}s between the last decisions and the round limit")),
            (cut && limits.is_none()).then(|| {
                format!("{word}s that fewer than 1 in 1,000 encounters of a variant reach")
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

    /// Returns the curves of a variant. The round limit, if there is one, is the end of each beyond the axis.
    fn curves(
        &self,
        sets: &[Set<'a>],
        places: &Places<'a>,
        variant: &'a str,
        limit: Option<u64>,
    ) -> Vec<Curve> {
        let mut ranks: HashMap<usize, usize> = HashMap::new();
        let mut curves = Vec::new();
        for set in sets {
            let members: Vec<_> = set
                .members
                .iter()
                .filter_map(|member| places.get(&(variant, *member)))
                .collect();
            let Some(first) = members.first() else {
                continue;
            };
            let series = self.style.sides.colour(Scope::Combatant, set.members[0]);
            let rank = ranks.entry(series).or_default();
            let mut points: Vec<CurvePoint> = (0..first.len())
                .filter_map(|at| {
                    self.point(&set.name, members.iter().filter_map(|rows| rows.get(at)))
                })
                .collect();
            let end = limit.and_then(|limit| points.pop_if(|last| last.x >= limit as f64));
            curves.push(Curve {
                name: set.name.clone(),
                series,
                rank: *rank,
                points,
                end,
            });
            *rank += 1;
        }
        curves
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
