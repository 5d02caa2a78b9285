//! The share of encounters in which a combatant still stands, Round by Round.

use super::distributions::{end, share};
use super::sets::{Set, is_folded, mean};
use super::{EACH, Fight, SETS};
use crate::output::chart::Unit;
use crate::output::html::charts::{Curve, Curves, CurvesPanel, Place};
use crate::output::html::figure::{Figure, Table};
use crate::output::html::words::named;
use crate::output::sheet::{Record, distinct};
use crate::tally::{Scope, metrics};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The most Rounds of a grid, so that its cells have room for their numbers.
const GRID: u64 = 18;

impl<'a> Fight<'a> {
    /// Returns the figure of who still stands at the end of each Round. A curve ends when hardly any encounter of its
    /// variant continues: from there on the curve would be flat.
    pub(in crate::output::html) fn standing(&self) -> Option<Figure> {
        let of_metric = |metric: &str| self.of(&self.run.distributions, metric);
        let rows = of_metric("standing");
        let lengths = of_metric(metrics::ROUNDS);
        let number = |row: &Record<'_>| row.number("value").unwrap_or_default() as u64;
        let variants = distinct(rows.iter().copied(), "variant");
        let ends = variants.iter().map(|variant| {
            let of = rows.iter().filter(|row| row.is("variant", variant));
            let last = of.map(number).max().unwrap_or_default();
            let of = lengths.iter().filter(|row| row.is("variant", variant));
            let lengths = self.lengths(metrics::ROUNDS, variant, of.copied());
            let decided = (end(&lengths.came) as u64).clamp(1, last.max(1));
            // If the round limit directly follows the rest, there is nothing to leave out.
            let is_limited = lengths.limit.is_some();
            let is_far = is_limited && last > decided + 1;
            let shown = if is_limited && !is_far { last } else { decided };
            (*variant, (shown, is_far.then_some(last)))
        });
        let ends: HashMap<&str, (u64, Option<u64>)> = ends.collect();
        let all = distinct(rows.iter().copied(), "subject");
        let (combatants, sets) = self.shown(&all);
        let each = self.each(&combatants, &sets);
        let is_grid = each.as_ref().unwrap_or(&sets).len() > Curves::MOST;
        let most = if is_grid {
            self.detail.rounds.min(GRID)
        } else {
            self.detail.rounds
        };
        let every = ends.values().map(|(end, _)| *end).max()?.div_ceil(most);
        let lasts: HashSet<u64> = ends.values().map(|(end, _)| *end).collect();
        let cut = rows
            .iter()
            .any(|row| number(row) > ends[row.text("variant")].0);
        let limits = ends.values().filter_map(|(_, limit)| *limit).max();
        let mut places: HashMap<(&str, &str), Vec<Record<'a>>> = HashMap::new();
        for row in &rows {
            let (variant, round) = (row.text("variant"), number(row));
            let (end, limit) = ends[variant];
            // The first and the last Round of each variant are always shown. In a grid, they are a column of all.
            let is_last = round == end || is_grid && lasts.contains(&round);
            let shown = round.is_multiple_of(every) || is_last || round == 1;
            if round <= end && shown || limit == Some(round) {
                let of = places.entry((variant, row.text("subject")));
                of.or_default().push(*row);
            }
        }
        let mut shown = Vec::new();
        for variant in &variants {
            let of = combatants
                .iter()
                .filter_map(|one| places.get(&(*variant, *one)));
            shown.extend(of.flatten().copied());
        }
        if shown.is_empty() {
            return None;
        }
        let word = self.style.round;
        let axis = format!("end of {word}");
        let draw = |sets: &[Set<'a>]| {
            let panels = variants.iter().map(|variant| CurvesPanel {
                title: named(self.has_variants(), variant),
                switch: self.switch(variant),
                curves: self.curves(sets, ends[variant].1, |one| places.get(&(*variant, one))),
            });
            let curves = Curves {
                panels: panels.collect(),
                unit: Unit::Share,
                axis: &axis,
                level: None,
                limit: limits.map(|limit| format!("at {limit}")),
                whole: true,
            };
            (curves.draw(), curves.note(&self.run.manifest.intervals()))
        };
        let (drawn, mut note) = draw(&sets);
        let each = each.map(|sets| draw(&sets).0);
        let table = Table::excerpt(
            &shown,
            &["variant", "subject"],
            &["value", "probability", "ci_low", "ci_high"],
            &[("metric", "standing")],
        );
        if is_folded(&sets) {
            let _ = write!(note, " {SETS}");
        }
        let mut left_out = Vec::new();
        if limits.is_some() {
            left_out.push(format!(
                "the {word}s between the last decisions and the round limit"
            ));
        } else if cut {
            left_out.push(format!(
                "{word}s that fewer than 1 in 1,000 encounters of a variant reach"
            ));
        }
        if every > 1 {
            let which = if cut {
                "of those before all".to_owned()
            } else {
                format!("all {word}s")
            };
            left_out.push(format!("{which} but one in {every}"));
        }
        if combatants.len() < all.len() {
            let (some, all) = (combatants.len(), all.len());
            left_out.push(format!(
                "all but {some} of {all} combatants, the first of each group"
            ));
        }
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
        let figure = self.figure("standing", words, &drawn, table, &note);
        Some(figure.with_each(EACH, each.as_ref()))
    }

    /// Returns the curves of a variant. `rows` returns the rows of a combatant, with the round limit last if there is
    /// one.
    fn curves<'b>(
        &self,
        sets: &[Set<'a>],
        limit: Option<u64>,
        rows: impl Fn(&'a str) -> Option<&'b Vec<Record<'a>>>,
    ) -> Vec<Curve>
    where
        'a: 'b,
    {
        let mut ranks: HashMap<usize, usize> = HashMap::new();
        let mut curves = Vec::new();
        for set in sets {
            let members: Vec<_> = set.members.iter().filter_map(|one| rows(one)).collect();
            let Some(first) = members.first() else {
                continue;
            };
            let series = self.style.sides.colour(Scope::Combatant, set.members[0]);
            let rank = ranks.entry(series).or_default();
            let mut places: Vec<Place> = (0..first.len())
                .filter_map(|at| {
                    self.place(&set.name, members.iter().filter_map(|rows| rows.get(at)))
                })
                .collect();
            let end = limit.and_then(|limit| places.pop_if(|last| last.x >= limit as f64));
            curves.push(Curve {
                name: set.name.clone(),
                series,
                rank: *rank,
                places,
                end,
            });
            *rank += 1;
        }
        curves
    }

    /// Returns a Round of `standing` as a place of a curve, with the mean of a set.
    fn place<'b>(&self, name: &str, rows: impl Iterator<Item = &'b Record<'a>>) -> Option<Place>
    where
        'a: 'b,
    {
        let mut round = None;
        let mut estimates = Vec::new();
        for row in rows {
            round = round.or(row.number("value"));
            let (share, interval) = share(*row)?;
            estimates.push((share, Some(interval)));
        }
        let (round, known) = (round?, mean(&estimates)?);
        let text = Unit::Share.in_words(known.0, known.1);
        let title = format!("{name}, end of {} {round}: {text}", self.style.round);
        Some(Place::new(round, known, title))
    }
}
