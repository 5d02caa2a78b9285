//! The distributions of counts.

use super::FightFigures;
use crate::output::chart::Unit;
use crate::output::html::charts::{Bar, Distribution, Histogram, Panel};
use crate::output::html::figure::{Figure, Table};
use crate::output::html::words::{mean, named};
use crate::output::sheet::{Column, Record, columns, distinct};
use crate::report::number::{Rounded, encounters, grouped};
use crate::stats::Interval;
use crate::stats::intervals::of_rate;
use crate::tally::{Scope, metrics};
use std::fmt::Write;

impl<'a> FightFigures<'a> {
    /// Returns the figure of a count's distribution, with a panel for each subject in each variant.
    fn distribution(&self, id: &str, metric: &str, title: &str) -> Option<Figure> {
        let rows = self.of(self.run.distributions(), metric);
        let described = metrics::find(metric)?;
        let unit = self.style.in_its_words(described.unit);
        let is_of_sides = described.scope != Scope::Encounter;
        let mut distributions: Vec<([&str; 2], Bins)> = Vec::new();
        for variant in distinct(rows.iter().copied(), Column::Variant) {
            for subject in distinct(rows.iter().copied(), Column::Subject) {
                let is_its = |row: &Record<'_>| {
                    row.is(Column::Variant, variant) && row.is(Column::Subject, subject)
                };
                let bins = self.bins(metric, variant, rows.iter().copied().filter(is_its));
                distributions.push(([variant, subject], bins));
            }
        }
        distributions.retain(|(_, bins)| bins.total > 0);
        let values = distributions
            .iter()
            .flat_map(|(_, bins)| &bins.list)
            .map(|bin| bin.from);
        let greatest = values.clone().reduce(f64::max).unwrap_or_default();
        let least = values.reduce(f64::min).unwrap_or_default();
        let ends = distributions.iter().map(|(_, bins)| bins.end());
        let most = ends.reduce(f64::max)?;
        let width = bar_width((most - least).min(1e15) as u64 + 1, self.detail.bars);
        let names = &columns![Variant, Subject][..=usize::from(is_of_sides)];
        let shares = columns![Count, Probability, CiLow, CiHigh];
        let mut table = Table::with(names, &[&columns![From, To], &shares[..]].concat());
        let mut panels = Vec::new();
        for ([variant, subject], bins) in &distributions {
            let list = self.joined(bins, width);
            for bin in list.iter().chain(&bins.limit).filter(|_| width > 1) {
                let mut cells = [*variant, *subject].map(str::to_owned)[..names.len()].to_vec();
                cells.extend([bin.from, bin.to].map(|number| number.to_string()));
                cells.push(named(!self.is_exact(), &bin.count.to_string()));
                let [low, high] = bin.interval.ends();
                cells.extend([bin.share, low, high].map(|share| Rounded::new(share).to_string()));
                table.row(cells);
            }
            let summary = self
                .rows(metric)
                .into_iter()
                .find(|row| row.is(Column::Variant, variant) && row.is(Column::Subject, subject));
            let about = summary.and_then(|row| {
                let mean = mean(row, Unit::Plain)?;
                Some(format!("mean {mean}, median {}", row.median()))
            });
            let whose = [(self.has_variants(), *variant), (is_of_sides, *subject)];
            let whose: Vec<&str> = whose
                .into_iter()
                .filter_map(|(is_shown, name)| is_shown.then_some(name))
                .collect();
            let bars = list.iter().filter(|bin| bin.from < most + 0.5);
            panels.push(Panel {
                title: whose.join(", "),
                switch: self.switch(variant),
                content: Distribution {
                    about: about.unwrap_or_default(),
                    series: self.style.sides.colour(described.scope, subject),
                    bars: bars.map(|bin| self.bar(bin, "")).collect(),
                    beyond: bins.limit.as_ref().map(|bin| self.bar(bin, "timeout at ")),
                },
            });
        }
        let axis = &unit;
        let drawing = Histogram { panels, axis }.draw();
        let mut note = self.whiskers_note();
        if most < greatest {
            let _ = write!(
                note,
                " Values above {most} (fewer than 1 in 1,000 encounters) are in the table only."
            );
        }
        if distributions.iter().any(|(_, bins)| bins.limit.is_some()) {
            note.push_str(
                " The bar \"timeout\" is for encounters that hit the round limit undecided.",
            );
        }
        if width == 1 {
            let fixed = [
                (Column::Metric, metric),
                (Column::Subject, metrics::ENCOUNTER),
            ];
            let fixed = &fixed[..2 - usize::from(is_of_sides)];
            table = Table::excerpt(
                &rows,
                names,
                &[&columns![Value], &shares[..]].concat(),
                fixed,
            );
        } else {
            let _ = write!(
                note,
                " Each bar is {width} {unit} wide; distributions.csv has every value."
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
        Some(self.figure(id, [&title, &description], &drawing, table, &note))
    }

    /// Describes how often values may occur that no encounter showed.
    fn unseen(&self, metric: &str) -> Option<String> {
        let rows = self.rows(metric).into_iter();
        let bounds = rows.filter_map(|row| row.number(Column::Unseen));
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
        let least = values
            .filter_map(|row| row.number(Column::Min))
            .reduce(f64::min);
        let below = match least {
            Some(least) if least <= 0.0 => "above all bars",
            _ => "below all bars and in as few above",
        };
        Some(format!(
            "Rarer values may exist: with {confidence} confidence, in {often} encounters {below}."
        ))
    }

    /// Returns the bin of these values; `None` if nothing was counted at all. An exact share is its own interval.
    fn bin(&self, [from, to]: [f64; 2], count: u64, total: u64) -> Option<Bin> {
        let share = count as f64 / total as f64;
        let interval = if self.is_exact() {
            Interval::at(share)
        } else {
            of_rate(count, total, self.run.manifest.task.confidence)?
        };
        Some(Bin {
            from,
            to,
            count,
            share,
            interval,
        })
    }

    /// Returns bins that each cover `width` values.
    fn joined(&self, bins: &Bins, width: u64) -> Vec<Bin> {
        if width == 1 {
            return bins.list.clone();
        }
        let start = |bin: &Bin| bin.from as u64 / width * width;
        bins.list
            .chunk_by(|bin, next| start(bin) == start(next))
            .filter_map(|together| {
                let from = start(&together[0]);
                let to = from.saturating_add(width - 1);
                let counts = together.iter().map(|bin| bin.count);
                let count = counts.fold(0, u64::saturating_add);
                self.bin([from as f64, to as f64], count, bins.total)
            })
            .collect()
    }

    /// Returns how often the values of a variant occurred. For Rounds, encounters that hit the round limit are
    /// separate.
    pub(super) fn bins(
        &self,
        metric: &str,
        variant: &str,
        rows: impl Iterator<Item = Record<'a>>,
    ) -> Bins {
        let mut list: Vec<Bin> = rows.filter_map(Bin::read).collect();
        // The file may hold any number.
        let counts = list.iter().map(|bin| bin.count);
        let total = counts.fold(0, u64::saturating_add);
        let rate = self.rows(metrics::TIMEOUT).into_iter().find_map(|row| {
            let is_its = metric == metrics::ROUNDS && row.is(Column::Variant, variant);
            row.number(Column::Mean).filter(|_| is_its)
        });
        let timeouts = (rate.unwrap_or_default() * total as f64).round() as u64;
        let mut limit = None;
        if timeouts > 0
            && let Some(last) = list.pop()
        {
            // The other encounters were decided in the last Round.
            let decided = last.count.saturating_sub(timeouts);
            limit = self.bin([last.from; 2], last.count - decided, total);
            list.extend(
                self.bin([last.from; 2], decided, total)
                    .filter(|_| decided > 0),
            );
        }
        Bins { list, limit, total }
    }

    /// Returns a bar. No encounters of a solved fight were counted.
    fn bar(&self, bin: &Bin, what: &str) -> Bar {
        let Bin { from, to, .. } = *bin;
        let values = if from < to {
            format!("{from} to {to}")
        } else {
            from.to_string()
        };
        let interval = Some(bin.interval).filter(|interval| interval.low < interval.high);
        let share = Unit::Share.in_words(bin.share, interval);
        let count = named(!self.is_exact(), &format!(", {}", encounters(bin.count)));
        Bar {
            from: from - 0.5,
            to: to + 0.5,
            share: bin.share,
            interval: bin.interval,
            title: format!("{what}{values}: {share}{count}"),
        }
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

/// How often the values from one to another occurred.
#[derive(Debug, Clone)]
pub(super) struct Bin {
    from: f64,
    to: f64,
    count: u64,
    share: f64,
    interval: Interval,
}

/// How often the values of a variant occurred.
pub(super) struct Bins {
    /// The values, from the least to the greatest.
    list: Vec<Bin>,
    /// The round limit, and how often it ended an undecided encounter.
    pub(super) limit: Option<Bin>,
    total: u64,
}

impl Bin {
    fn read(row: Record<'_>) -> Option<Self> {
        let (share, interval) = share(row)?;
        let value = row.number(Column::Value)?;
        Some(Self {
            from: value,
            to: value,
            // A solved fight has probabilities, counted here in units of 1e-12.
            count: { row.count(Column::Count) }.unwrap_or((share * 1e12).round() as u64),
            share,
            interval,
        })
    }
}

impl Bins {
    /// Returns the value above which fewer than 1 in 1,000 encounters of the variant lie. An invisible long tail would
    /// only squeeze the rest.
    pub(super) fn end(&self) -> f64 {
        let mut beyond = 0.0;
        let often = self.list.iter().rev().find(|bin| {
            beyond += bin.share;
            beyond >= 0.001
        });
        often.or(self.list.last()).map_or(0.0, |bin| bin.from)
    }
}

pub(super) fn share(row: Record<'_>) -> Option<(f64, Interval)> {
    let share = row.number(Column::Probability)?;
    let interval = row.interval().unwrap_or(Interval::at(share));
    Some((share, interval))
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
