//! The distributions of counts.

use super::Fight;
use crate::output::chart::Unit;
use crate::output::html::charts::{Bar, Histogram, HistogramPanel};
use crate::output::html::figure::{Figure, Table};
use crate::output::html::words::{mean, named};
use crate::output::sheet::{Record, distinct};
use crate::report::number::{Rounded, encounters, grouped};
use crate::stats::Interval;
use crate::stats::intervals::of_rate;
use crate::tally::{Scope, metrics};
use std::fmt::Write;

impl<'a> Fight<'a> {
    /// Returns the figure of a count's distribution, with a panel for each subject in each variant.
    fn distribution(&self, id: &str, metric: &str, title: &str) -> Option<Figure> {
        let rows = self.of(&self.run.distributions, metric);
        let described = metrics::find(metric)?;
        let unit = self.style.in_its_words(described.unit);
        let subjects = distinct(rows.iter().copied(), "subject");
        let is_of_sides = described.scope != Scope::Encounter;
        let mut lengths: Vec<([&str; 2], ValueCounts)> = Vec::new();
        for variant in distinct(rows.iter().copied(), "variant") {
            for subject in &subjects {
                let of = rows.iter().copied();
                let of = of.filter(|row| row.is("variant", variant) && row.is("subject", subject));
                lengths.push(([variant, subject], self.lengths(metric, variant, of)));
            }
        }
        lengths.retain(|(_, of)| of.total > 0);
        if lengths.is_empty() {
            return None;
        }
        let values = || {
            let came = lengths.iter().flat_map(|(_, of)| &of.came);
            came.map(|came| came.value)
        };
        let greatest = values().reduce(f64::max).unwrap_or_default();
        let least = values().reduce(f64::min).unwrap_or_default();
        let ends = lengths.iter().map(|(_, of)| end(&of.came));
        let most = ends.fold(least, f64::max);
        let wide = bar_width((most - least).min(1e15) as u64 + 1, self.detail.bars);
        let is_limited = lengths.iter().any(|(_, of)| of.limit.is_some());
        let is_exact = self.run.manifest.is_exact();
        let mut panels = Vec::new();
        let names: &[&str] = if is_of_sides {
            &["variant", "subject"]
        } else {
            &["variant"]
        };
        let mut table = Table::new(
            names,
            &["from", "to", "count", "probability", "ci_low", "ci_high"],
        );
        for ([variant, subject], of) in lengths {
            let whose = &[variant, subject][..names.len()];
            let mut bars: Vec<Bar> = if wide == 1 {
                of.came.iter().map(|came| single(came, is_exact)).collect()
            } else {
                self.bins(whose, &of, wide, &mut table)
            };
            bars.retain(|bar| bar.from < most);
            let mut rows = self.rows(metric).into_iter();
            let summary = rows.find(|row| row.is("variant", variant) && row.is("subject", subject));
            let about = summary.and_then(|row| {
                let mean = mean(row, Unit::Plain)?;
                Some(format!("mean {mean}, median {}", row.quantile("p50")))
            });
            let name = match (self.has_variants(), is_of_sides) {
                (true, true) => format!("{variant}, {subject}"),
                (false, true) => subject.to_owned(),
                (several, false) => named(several, variant),
            };
            panels.push(HistogramPanel {
                title: name,
                switch: self.switch(variant),
                about: about.unwrap_or_default(),
                series: self.style.sides.colour(described.scope, subject),
                bars,
                beyond: { of.limit.as_ref() }.map(|limit| timeout(limit, is_exact)),
            });
        }
        let drawn = Histogram {
            panels,
            axis: &unit,
            limit: "timeout",
        }
        .draw();
        let mut note = self.whiskers_note();
        if most < greatest {
            let _ = write!(
                note,
                " Values above {most} (fewer than 1 in 1,000 encounters) are in the table only."
            );
        }
        if is_limited {
            note.push_str(
                " The bar \"timeout\" is for encounters that hit the round limit undecided.",
            );
        }
        if wide == 1 {
            table = Table::excerpt(
                &rows,
                names,
                &["value", "count", "probability", "ci_low", "ci_high"],
                &[("metric", metric), ("subject", metrics::ENCOUNTER)]
                    [..2 - usize::from(is_of_sides)],
            );
        } else {
            let _ = write!(
                note,
                " Each bar is {wide} {unit} wide; distributions.csv has every value."
            );
        }
        if let Some(unseen) = self.unseen(metric) {
            let _ = write!(note, " {unseen}");
        }
        let meaning = described.meaning.split(';').next().unwrap_or_default();
        let description = self
            .style
            .in_its_words(&format!("Share of encounters by {meaning}."));
        let title = self.style.in_its_words(title);
        Some(self.figure(id, [&title, &description], &drawn, table, &note))
    }

    /// Describes how often values may occur that no encounter showed.
    fn unseen(&self, metric: &str) -> Option<String> {
        let rows = self.rows(metric).into_iter();
        let bounds = rows.filter_map(|row| row.number("unseen"));
        // If variants have different numbers of encounters, the variant with the fewest has the greatest bound.
        let bound = bounds.reduce(f64::max)?;
        let one_in = (1.0 / bound).floor();
        let often = if one_in >= 10.0 {
            format!("fewer than 1 in {}", grouped(one_in as u64))
        } else {
            format!("less than {}% of all", Rounded::new((bound * 100.0).ceil()))
        };
        let confidence = self.run.manifest.task.confidence;
        // Nothing is counted below 0.
        let values = self.rows(metric).into_iter();
        let least = values.filter_map(|row| row.number("min")).reduce(f64::min);
        let below = match least {
            Some(least) if least <= 0.0 => "above all bars",
            _ => "below all bars and in as few above",
        };
        Some(format!(
            "Rarer values may exist: with {confidence} confidence, in {often} encounters {below}."
        ))
    }

    /// Returns the interval of a share; an exact share is its own interval.
    fn interval(&self, count: u64, total: u64) -> Option<Interval> {
        if self.run.manifest.is_exact() {
            return Some(Interval::at(count as f64 / total as f64));
        }
        of_rate(count, total, self.run.manifest.task.confidence)
    }

    /// Returns a count as a cell, which is empty for a solved fight.
    fn count(&self, count: u64) -> String {
        named(!self.run.manifest.is_exact(), &count.to_string())
    }

    /// Returns bars that each cover several values, and adds a row to the table for each bar.
    fn bins(&self, whose: &[&str], of: &ValueCounts, wide: u64, table: &mut Table) -> Vec<Bar> {
        let mut bins: Vec<(u64, u64)> = Vec::new();
        for came in &of.came {
            let from = came.value as u64 / wide * wide;
            match bins.last_mut() {
                Some((last, sum)) if *last == from => *sum = came.count.saturating_add(*sum),
                _ => bins.push((from, came.count)),
            }
        }
        let mut bars = Vec::with_capacity(bins.len());
        let mut row = |from: u64, to: u64, count: u64, [share, low, high]: [f64; 3]| {
            let mut cells: Vec<String> = whose.iter().map(|name| (*name).to_owned()).collect();
            cells.extend([from, to].map(|number| number.to_string()));
            cells.push(self.count(count));
            cells.extend([share, low, high].map(|number| Rounded::new(number).to_string()));
            table.row(cells);
        };
        for (from, count) in bins {
            let share = count as f64 / of.total as f64;
            let Some(interval) = self.interval(count, of.total) else {
                continue;
            };
            let to = from.saturating_add(wide - 1);
            row(from, to, count, [share, interval.low, interval.high]);
            let title = format!("{from} to {to}: {}", in_words(share, interval));
            bars.push(bar([from as f64, to as f64], (share, interval), title));
        }
        if let Some(limit) = &of.limit {
            let (at, ends) = (limit.value as u64, limit.interval);
            row(at, at, limit.count, [limit.share, ends.low, ends.high]);
        }
        bars
    }

    /// Returns how often the values of a variant occurred. For Rounds, encounters that hit the round limit are
    /// separate.
    pub(super) fn lengths(
        &self,
        metric: &str,
        variant: &str,
        rows: impl Iterator<Item = Record<'a>>,
    ) -> ValueCounts {
        let mut came: Vec<ValueCount> = rows.filter_map(ValueCount::read).collect();
        // The file may hold any number.
        let total = came
            .iter()
            .fold(0_u64, |sum, one| sum.saturating_add(one.count));
        let rate = self.rows(metrics::TIMEOUT).into_iter().find_map(|row| {
            let is_its = metric == metrics::ROUNDS && row.is("variant", variant);
            row.number("mean").filter(|_| is_its)
        });
        let timeouts = (rate.unwrap_or_default() * total as f64).round() as u64;
        let mut limit = None;
        if timeouts > 0
            && let Some(last) = came.pop()
        {
            let part = |count: u64| {
                let interval = self.interval(count, total)?;
                let share = count as f64 / total as f64;
                Some(ValueCount {
                    value: last.value,
                    count,
                    share,
                    interval,
                })
            };
            limit = part(timeouts.min(last.count));
            // The other encounters were decided in the last Round.
            let decided = last.count - timeouts.min(last.count);
            came.extend(part(decided).filter(|_| decided > 0));
        }
        ValueCounts { came, limit, total }
    }

    /// Returns the figure of the length of encounters.
    pub(in crate::output::html) fn rounds(&self) -> Option<Figure> {
        self.distribution(
            "rounds",
            metrics::ROUNDS,
            "How many Rounds does an encounter take?",
        )
    }

    /// Returns the figure of the health that each side has left.
    pub(in crate::output::html) fn health(&self) -> Option<Figure> {
        self.distribution(
            "health",
            metrics::HEALTH_LEFT,
            "How much health does each side have left?",
        )
    }
}

/// How often a value occurred.
pub(super) struct ValueCount {
    pub(super) value: f64,
    count: u64,
    share: f64,
    interval: Interval,
}

/// How often the values of a variant occurred.
pub(super) struct ValueCounts {
    /// The values, from the least to the greatest.
    pub(super) came: Vec<ValueCount>,
    /// The round limit, and how often it ended an undecided encounter.
    pub(super) limit: Option<ValueCount>,
    total: u64,
}

impl ValueCount {
    fn read(row: Record<'_>) -> Option<Self> {
        let (share, interval) = share(row)?;
        Some(Self {
            value: row.number("value")?,
            count: match row.text("count").parse() {
                Ok(count) => count,
                // A solved fight has probabilities, counted here in units of 1e-12.
                Err(_) => (row.number("probability")? * 1e12).round() as u64,
            },
            share,
            interval,
        })
    }
}

/// Returns the value above which fewer than 1 in 1,000 encounters of a variant lie. An invisible long tail would only
/// squeeze the rest.
pub(super) fn end(came: &[ValueCount]) -> f64 {
    let mut beyond = 0.0;
    let often = came.iter().rev().find(|one| {
        beyond += one.share;
        beyond >= 0.001
    });
    often.or(came.last()).map_or(0.0, |one| one.value)
}

pub(super) fn share(row: Record<'_>) -> Option<(f64, Interval)> {
    let share = row.number("probability")?;
    let interval = row.interval().unwrap_or(Interval::at(share));
    Some((share, interval))
}

/// Returns the bar of the values `from` to `to`.
fn bar([from, to]: [f64; 2], (share, interval): (f64, Interval), title: String) -> Bar {
    let [low, high] = interval.ends();
    Bar {
        from: from - 0.5,
        to: to + 0.5,
        share,
        low,
        high,
        title,
    }
}

/// Formats a share with its interval, if it has one.
fn in_words(share: f64, interval: Interval) -> String {
    let interval = Some(interval).filter(|one| one.low < one.high);
    Unit::Share.in_words(share, interval)
}

/// Returns the bar of a single value. No encounters of a solved fight were counted.
fn single(came: &ValueCount, is_exact: bool) -> Bar {
    let mut title = format!("{}: {}", came.value, in_words(came.share, came.interval));
    if !is_exact {
        let _ = write!(title, ", {}", encounters(came.count));
    }
    bar([came.value; 2], (came.share, came.interval), title)
}

/// Returns the bar of encounters that the round limit ended.
fn timeout(limit: &ValueCount, is_exact: bool) -> Bar {
    let bar = single(limit, is_exact);
    Bar {
        title: format!("timeout at {}", bar.title),
        ..bar
    }
}

/// Returns the number of values that share a bar, so that there are at most `bars` bars: the least of 1, 2, 5, 10 and
/// so on.
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
    use super::{Interval, ValueCount, bar_width, single};

    #[test]
    fn a_single_encounter_is_called_one() {
        let title = |count| {
            let came = ValueCount {
                value: 7.0,
                count,
                share: 0.5,
                interval: Interval {
                    low: 0.4,
                    high: 0.6,
                },
            };
            single(&came, false).title
        };
        assert!(title(1).ends_with(", 1 encounter"));
        assert!(title(2).ends_with(", 2 encounters"));
    }

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
