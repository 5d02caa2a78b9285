//! How counts are distributed.

use super::Fight;
use crate::output::chart::Unit;
use crate::output::html::charts::{Bar, Histogram, HistogramPanel};
use crate::output::html::figure::{Figure, Table};
use crate::output::html::words::{mean, named, told};
use crate::output::sheet::{Record, distinct};
use crate::report::number::{Rounded, grouped};
use crate::stats::Interval;
use crate::stats::intervals::of_rate;
use crate::tally::metrics;
use std::fmt::Write;

impl<'a> Fight<'a> {
    /// How a count is distributed: a panel a variant.
    fn distribution(
        &self,
        id: &str,
        metric: &str,
        subject: &str,
        series: usize,
        title: &str,
    ) -> Option<Figure> {
        let mut rows = self.of(&self.run.distributions, metric);
        rows.retain(|row| row.is("subject", subject));
        let described = metrics::find(metric)?;
        let values = || rows.iter().filter_map(|row| row.number("value"));
        let least = values().reduce(f64::min)?;
        let greatest = values().reduce(f64::max)?;
        let variants = distinct(rows.iter().copied(), "variant");
        let ends = variants.iter().map(|variant| end(&rows, variant));
        let most = ends.fold(least, f64::max);
        let wide = bar_width((most - least).min(1e15) as u64 + 1, self.detail.bars);
        let mut panels = Vec::new();
        let mut table = Table::new(
            &["variant"],
            &["from", "to", "count", "probability", "ci_low", "ci_high"],
        );
        for variant in variants {
            let of: Vec<Record<'a>> = rows
                .iter()
                .filter(|row| row.is("variant", variant))
                .copied()
                .collect();
            let mut bars: Vec<Bar> = if wide == 1 {
                of.iter().filter_map(|row| single(*row)).collect()
            } else {
                self.bins(variant, &of, wide, &mut table)
            };
            bars.retain(|bar| bar.from < most);
            let summary = self
                .rows(metric)
                .into_iter()
                .find(|row| row.is("variant", variant) && row.is("subject", subject));
            let about = summary.and_then(|row| {
                let mean = mean(row, Unit::Plain)?;
                Some(format!("mean {mean}, median {}", row.quantile("p50")))
            });
            panels.push(HistogramPanel {
                title: named(self.has_variants(), variant),
                about: about.unwrap_or_default(),
                series,
                bars,
            });
        }
        let drawn = Histogram {
            panels,
            axis: described.unit,
        }
        .draw();
        let mut note = self.whiskers_note();
        if most < greatest {
            let _ = write!(
                note,
                " Values above {most}, fewer than 1 in 1,000 of each variant, are in the table only."
            );
        }
        if wide == 1 {
            table = Table::excerpt(
                &rows,
                &["variant"],
                &["value", "count", "probability", "ci_low", "ci_high"],
                &[("metric", metric), ("subject", subject)],
            );
        } else {
            let _ = write!(
                note,
                " Each bar is {wide} {} wide; distributions.csv has every value.",
                described.unit
            );
        }
        if let Some(unseen) = self.unseen(metric, subject) {
            let _ = write!(note, " {unseen}");
        }
        let description = format!(
            "Share of encounters by {}.",
            described.meaning.split(';').next().unwrap_or_default()
        );
        Some(self.figure(id, [title, &description], &drawn, table, &note))
    }

    /// How often values may come that no encounter showed.
    fn unseen(&self, metric: &str, subject: &str) -> Option<String> {
        let rows = self.rows(metric).into_iter();
        let of = rows.filter(|row| row.is("subject", subject));
        let bounds = of.filter_map(|row| row.number("unseen"));
        // Of variants with different numbers of encounters, the least is known of the shortest.
        let bound = bounds.reduce(f64::max)?;
        let one_in = (1.0 / bound).floor();
        let often = if one_in >= 10.0 {
            format!("fewer than 1 in {}", grouped(one_in as u64))
        } else {
            format!("less than {}% of all", Rounded::new((bound * 100.0).ceil()))
        };
        let confidence = self.run.origin.confidence();
        Some(format!(
            "Values below the least and above the greatest that came may exist: with {confidence} \
             confidence, each of the two comes in {often} encounters."
        ))
    }

    /// Values taken together, and a row of the table for each.
    fn bins(&self, variant: &str, rows: &[Record<'_>], wide: u64, table: &mut Table) -> Vec<Bar> {
        let mut bins: Vec<(u64, u64)> = Vec::new();
        let mut total = 0;
        for row in rows {
            let (Some(value), Ok(count)) = (row.number("value"), row.text("count").parse::<u64>())
            else {
                continue;
            };
            // The file may hold any number.
            total = count.saturating_add(total);
            let from = value as u64 / wide * wide;
            match bins.last_mut() {
                Some((last, sum)) if *last == from => *sum = count.saturating_add(*sum),
                _ => bins.push((from, count)),
            }
        }
        let confidence = self.run.origin.confidence();
        let mut bars = Vec::with_capacity(bins.len());
        for (from, count) in bins {
            let share = count as f64 / total as f64;
            let Some(interval) = of_rate(count, total, confidence) else {
                continue;
            };
            let to = from.saturating_add(wide - 1);
            let number = |value: f64| Rounded::new(value).to_string();
            table.row(vec![
                variant.to_owned(),
                from.to_string(),
                to.to_string(),
                count.to_string(),
                number(share),
                number(interval.low),
                number(interval.high),
            ]);
            bars.push(Bar {
                from: from as f64 - 0.5,
                to: to as f64 + 0.5,
                share,
                low: interval.low,
                high: interval.high,
                title: format!(
                    "{from} to {to}: {}",
                    told(Unit::Share, share, Some(interval))
                ),
            });
        }
        bars
    }

    /// How long it takes.
    pub(in crate::output::html) fn rounds(&self) -> Option<Figure> {
        self.distribution(
            "rounds",
            metrics::ROUNDS,
            metrics::ENCOUNTER,
            7,
            "How many Rounds does an encounter take?",
        )
    }

    /// How much health each side has left.
    pub(in crate::output::html) fn health(&self) -> Vec<Figure> {
        let sides = distinct(self.rows("health_left"), "subject");
        let figures = sides.iter().enumerate().filter_map(|(index, side)| {
            let title = format!("How much health do {side} have left?");
            self.distribution(
                &format!("health-{index}"),
                "health_left",
                side,
                index,
                &title,
            )
        });
        figures.collect()
    }
}

/// The value above which a variant has fewer than 1 in 1,000 of its encounters: a long tail that cannot
/// be seen would only press the rest together.
pub(super) fn end(rows: &[Record<'_>], variant: &str) -> f64 {
    let of = rows.iter().rev().filter(|row| row.is("variant", variant));
    let mut beyond = 0.0;
    for row in of {
        beyond += row.number("probability").unwrap_or_default();
        if beyond >= 0.001 {
            return row.number("value").unwrap_or_default();
        }
    }
    0.0
}

pub(super) fn share(row: Record<'_>) -> Option<(f64, Interval)> {
    let share = row.number("probability")?;
    let none = Interval {
        low: share,
        high: share,
    };
    Some((share, row.interval().unwrap_or(none)))
}

/// A value of `distributions.csv` as a bar.
fn single(row: Record<'_>) -> Option<Bar> {
    let value = row.number("value")?;
    let (share, interval) = share(row)?;
    let count = row
        .text("count")
        .parse()
        .map_or_else(|_| String::new(), grouped);
    Some(Bar {
        from: value - 0.5,
        to: value + 0.5,
        share,
        low: interval.low,
        high: interval.high,
        title: format!(
            "{value}: {}, {count} encounters",
            told(Unit::Share, share, Some(interval))
        ),
    })
}

/// How many values stand together in a bar, so that there are not too many bars: the least of 1, 2, 5,
/// 10 and so on.
fn bar_width(values: u64, bars: u64) -> u64 {
    let mut scale = 1;
    loop {
        for step in [1, 2, 5] {
            if values <= step * scale * bars {
                return step * scale;
            }
        }
        scale *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::bar_width;

    #[test]
    fn bars_are_as_wide_as_it_takes_to_have_few() {
        let widths = [
            (1, 60),
            (60, 60),
            (61, 60),
            (121, 60),
            (1000, 60),
            (u64::MAX / 4, 60),
        ]
        .map(|(values, bars)| bar_width(values, bars));
        assert_eq!(widths[..5], [1, 1, 2, 5, 20]);
        assert!(widths[5] >= u64::MAX / 4 / 60);
    }
}
