//! Who stands how long.

use super::Fight;
use super::distributions::{end, share};
use crate::output::chart::Unit;
use crate::output::html::charts::{Curve, Curves, CurvesPanel, Place};
use crate::output::html::figure::{Figure, Table};
use crate::output::html::words::{named, told};
use crate::output::sheet::{Record, distinct};
use crate::tally::metrics;
use std::collections::HashMap;
use std::fmt::Write;

impl<'a> Fight<'a> {
    /// Who still stands at the end of each Round. A curve ends where hardly an encounter of its variant
    /// still goes on: from there on it is flat, and says nothing.
    pub(in crate::output::html) fn standing(&self) -> Option<Figure> {
        let of_metric = |metric: &str| self.of(&self.run.distributions, metric);
        let rows = of_metric("standing");
        let lengths = of_metric(metrics::ROUNDS);
        let number = |row: &Record<'_>| row.number("value").unwrap_or_default() as u64;
        let variants = distinct(rows.iter().copied(), "variant");
        let ends = variants.iter().map(|variant| {
            let of = rows.iter().filter(|row| row.is("variant", variant));
            let last = of.map(number).max().unwrap_or_default();
            (
                *variant,
                (end(&lengths, variant) as u64).clamp(1, last.max(1)),
            )
        });
        let ends: HashMap<&str, u64> = ends.collect();
        let every = ends.values().max()?.div_ceil(self.detail.rounds);
        let cut = rows
            .iter()
            .any(|row| number(row) > ends[row.text("variant")]);
        let all = distinct(rows.iter().copied(), "subject");
        let combatants = self.detail.some(&all);
        let mut places: HashMap<(&str, &str), Vec<Record<'a>>> = HashMap::new();
        for row in &rows {
            let (variant, round) = (row.text("variant"), number(row));
            let end = ends[variant];
            // The first and the last Round of each variant are always there.
            if round <= end && (round.is_multiple_of(every) || round == end || round == 1) {
                let of = places.entry((variant, row.text("subject")));
                of.or_default().push(*row);
            }
        }
        let mut panels = Vec::new();
        let mut shown = Vec::new();
        for variant in variants {
            let mut curves = Vec::new();
            for combatant in &combatants {
                let Some(of) = places.remove(&(variant, *combatant)) else {
                    continue;
                };
                curves.push(Curve {
                    name: (*combatant).to_owned(),
                    series: curves.len(),
                    places: of.iter().filter_map(|row| place(*row)).collect(),
                });
                shown.extend(of);
            }
            panels.push(CurvesPanel {
                title: named(self.has_variants(), variant),
                curves,
            });
        }
        if shown.is_empty() {
            return None;
        }
        let drawn = Curves {
            panels,
            unit: Unit::Share,
            axis: "end of Round",
            level: None,
            whole: true,
        }
        .draw();
        let table = Table::excerpt(
            &shown,
            &["variant", "subject"],
            &["value", "probability", "ci_low", "ci_high"],
            &[("metric", "standing")],
        );
        let mut note = format!("Bands are {} intervals.", self.run.origin.confidence());
        let mut left_out = Vec::new();
        if cut {
            left_out.push(
                "the Rounds to which fewer than 1 in 1,000 encounters of a variant go on"
                    .to_owned(),
            );
        }
        if every > 1 {
            let which = if cut {
                "of those before all"
            } else {
                "all Rounds"
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
            "Who still stands at the end of each Round?",
            "Share of encounters in which a combatant has not fallen yet. Who stands when an encounter is over goes on standing.",
        ];
        Some(self.figure("standing", words, &drawn, table, &note))
    }
}

/// A Round of `standing` as a place of a curve.
fn place(row: Record<'_>) -> Option<Place> {
    let round = row.number("value")?;
    let (share, interval) = share(row)?;
    let text = told(Unit::Share, share, Some(interval));
    Some(Place {
        x: round,
        y: share,
        low: interval.low,
        high: interval.high,
        title: format!("{}, end of Round {round}: {text}", row.text("subject")),
    })
}
