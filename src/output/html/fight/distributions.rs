//! The distributions of counts.

use super::FightFigures;
use crate::output::chart::Unit;
use crate::output::html::charts::{Bar, Distribution, Histogram, Panel};
use crate::output::html::figure::{Figure, Table};
use crate::output::html::words::{mean, named};
use crate::output::sheet::{Column, Record, columns, distinct};
use crate::report::number::{encounters, grouped};
use crate::stats::Interval;
use crate::stats::intervals::of_rate;
use crate::tally::{Metric, Scope, metrics};
use std::fmt::Write;

impl<'a> FightFigures<'a> {
    /// Returns the figure of a count's distribution, with a panel for each subject in each variant.
    fn distribution(&self, id: &str, metric: &str, title: &str) -> Option<Figure> {
        let rows = self.of(self.run.distributions(), metric);
        let described = metrics::find(metric)?;
        let unit = self.style.in_its_words(described.unit);
        let is_of_sides = described.scope != Scope::Encounter;
        let names = &columns![Variant, Subject][..=usize::from(is_of_sides)];
        let shares = columns![Count, Probability, CiLow, CiHigh];
        let mut table = Table::with(names, &[&columns![From, To], &shares[..]].concat());
        let mut shown: Vec<Record<'_>> = Vec::new();
        let mut panels = Vec::new();
        let mut width = 0;
        for subject in distinct(rows.iter().copied(), Column::Subject) {
            let of = |variant: &'a str| {
                let rows = rows
                    .iter()
                    .filter(move |row| row.is(Column::Variant, variant));
                rows.filter(|row| row.is(Column::Subject, subject)).copied()
            };
            let variants = distinct(rows.iter().copied(), Column::Variant).into_iter();
            let all = variants.map(|variant| (variant, self.bins(metric, variant, of(variant))));
            let mut all: Vec<(&str, Bins)> = all.filter(|(_, bins)| bins.total > 0).collect();
            // The distributions of one subject have one axis.
            let most = all.iter().map(|(_, bins)| bins.end()).reduce(f64::max)?;
            let least = all
                .iter()
                .filter_map(|(_, bins)| Some(bins.list.first()?.from));
            let span = most - least.fold(most, f64::min);
            width = width.max(bar_width(span.min(1e15) as u64 + 1, self.detail.bars));
            for (variant, bins) in &mut all {
                self.cut(bins, most, width);
                for bin in bins.aside.iter().map(|(_, bin)| bin).chain(&bins.list) {
                    let mut cells = [*variant, subject].map(str::to_owned)[..names.len()].to_vec();
                    cells.extend([bin.from, bin.to].map(|number| number.to_string()));
                    cells.push(named(!self.is_exact(), &bin.count.to_string()));
                    let [low, high] = bin.interval.ends();
                    cells.extend([bin.share, low, high].map(|share| Unit::Share.four(share)));
                    table.row(cells);
                }
                // If every encounter hit the round limit, there is no axis.
                let last = if bins.list.is_empty() { f64::MAX } else { most };
                let is_shown = |row: &Record<'_>| row.number(Column::Value) <= Some(last);
                shown.extend(of(variant).filter(is_shown));
            }
            let parts = all
                .iter()
                .map(|(variant, bins)| self.shown_as(described, [variant, subject], bins));
            panels.push(Panel {
                title: named(is_of_sides, subject),
                switch: None,
                content: parts.collect(),
            });
        }
        if width == 1 {
            let fixed = [
                (Column::Metric, metric),
                (Column::Subject, metrics::ENCOUNTER),
            ];
            let fixed = &fixed[..2 - usize::from(is_of_sides)];
            let numbers = [&columns![Value], &shares[..]].concat();
            table = Table::excerpt(&shown, names, &numbers, fixed);
        }
        let drawing = {
            Histogram {
                panels,
                axis: &unit,
            }
        }
        .draw();
        let mut note = if self.has_variants() {
            format!("The table has the {}.", self.run.manifest.intervals())
        } else {
            self.whiskers_note()
        };
        if width > 1 {
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
        let words = [title.as_str(), &description];
        Some(self.figure(id, words, &drawing, table, &note))
    }

    /// Returns a distribution as a part of the figure. One of several is told in short.
    fn shown_as(
        &self,
        metric: &Metric,
        [variant, subject]: [&str; 2],
        bins: &Bins,
    ) -> Distribution {
        let short = |text: String| match text.split_once(" (") {
            Some((short, _)) if self.has_variants() => short.to_owned(),
            _ => text,
        };
        let rows = self.rows(metric.name).into_iter();
        let is_its =
            |row: &Record<'_>| row.is(Column::Variant, variant) && row.is(Column::Subject, subject);
        let summary = rows.filter(is_its).find_map(|row| {
            let (mean, median) = (short(mean(row, Unit::Plain)?), short(row.median()));
            Some(format!("mean {mean}, median {median}"))
        });
        let aside = bins.aside.iter().filter(|(_, bin)| bin.share > 0.0);
        let aside = aside.map(|(name, bin)| format!("{name} {}", short(bin.words())));
        let about: Vec<String> = summary.into_iter().chain(aside).collect();
        let look = if self.has_variants() {
            self.style.look(variant)
        } else {
            (self.style.sides.colour(metric.scope, subject), 0)
        };
        Distribution {
            name: variant.to_owned(),
            about: about.join("; "),
            look,
            bars: bins.list.iter().map(|bin| self.bar(bin)).collect(),
            switch: self.switch(variant),
        }
    }

    /// Describes how often values may occur that no encounter showed. If variants have different numbers of encounters,
    /// the variant with the fewest has the greatest bound.
    fn unseen(&self, metric: &str) -> Option<String> {
        let rows = self.rows(metric).into_iter();
        let bounds = rows.filter_map(|row| row.number(Column::Unseen));
        let one_in = (1.0 / bounds.reduce(f64::max)?) as u64;
        let confidence = self.run.manifest.task.confidence;
        (one_in > 1).then(|| {
            let one_in = grouped(one_in);
            format!("Values that never came up, if there are any, come up less than once in {one_in} ({confidence}).")
        })
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

    /// Takes the values above `most` together, and below that `width` values each.
    fn cut(&self, bins: &mut Bins, most: f64, width: u64) {
        let shown = bins.list.partition_point(|bin| bin.from <= most);
        let beyond = self.bin([most; 2], count(&bins.list[shown..]), bins.total);
        bins.aside
            .extend(beyond.map(|bin| (format!("above {most}:"), bin)));
        let start = |bin: &Bin| bin.from as u64 / width * width;
        let together = bins.list[..shown].chunk_by(|bin, next| start(bin) == start(next));
        let joined = together.filter_map(|together| match together {
            [only] if width == 1 => Some(only.clone()),
            _ => {
                let from = start(&together[0]);
                let ends = [from, from.saturating_add(width - 1)].map(|end| end as f64);
                self.bin(ends, count(together), bins.total)
            }
        });
        bins.list = joined.collect();
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
        let total = count(&list);
        let rate = self.rows(metrics::TIMEOUT).into_iter().find_map(|row| {
            let is_its = metric == metrics::ROUNDS && row.is(Column::Variant, variant);
            row.number(Column::Mean).filter(|_| is_its)
        });
        let timeouts = (rate.unwrap_or_default() * total as f64).round() as u64;
        let mut aside = Vec::new();
        if timeouts > 0
            && let Some(Bin { from, count, .. }) = list.pop()
        {
            // The other encounters were decided in the last Round.
            let decided = count.saturating_sub(timeouts);
            let limit = self.bin([from; 2], count - decided, total);
            aside.extend(limit.map(|bin| (format!("timeout at {from}:"), bin)));
            let decided = Some(decided).filter(|decided| *decided > 0);
            list.extend(decided.and_then(|decided| self.bin([from; 2], decided, total)));
        }
        // Encounters in which nobody of a side is left are most of those that the side loses.
        let is_none = |bin: &mut Bin| metric == metrics::HEALTH_LEFT && bin.from <= 0.0;
        let none = list.extract_if(..1.min(list.len()), is_none);
        aside.extend(none.map(|bin| ("none left".to_owned(), bin)));
        Bins { list, aside, total }
    }

    /// Returns a bar. No encounters of a solved fight were counted.
    fn bar(&self, bin: &Bin) -> Bar {
        let Bin { from, to, .. } = *bin;
        let (values, share) = (bin.values(), bin.words());
        let count = named(!self.is_exact(), &format!(", {}", encounters(bin.count)));
        Bar {
            from: from - 0.5,
            to: to + 0.5,
            share: bin.share,
            interval: bin.interval,
            title: format!("{values}: {share}{count}"),
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
    /// What is told in words: no health at all, the round limit, the values beyond the axis together.
    aside: Vec<(String, Bin)>,
    total: u64,
}

/// Returns the encounters of these bins together. The file may hold any number.
fn count(bins: &[Bin]) -> u64 {
    let counts = bins.iter().map(|bin| bin.count);
    counts.fold(0, u64::saturating_add)
}

impl Bin {
    /// Returns its values in words.
    fn values(&self) -> String {
        let Self { from, to, .. } = self;
        if from < to {
            format!("{from} to {to}")
        } else {
            from.to_string()
        }
    }

    /// Returns its share and its interval in words.
    fn words(&self) -> String {
        let interval = Some(self.interval).filter(|interval| interval.low < interval.high);
        Unit::Share.in_words(self.share, interval)
    }

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
    /// Returns the value above which fewer than 1 in 100 encounters of the variant lie. An invisible long tail would
    /// only squeeze the rest.
    pub(super) fn end(&self) -> f64 {
        let mut beyond = 0.0;
        let often = self.list.iter().rev().find(|bin| {
            beyond += bin.share;
            beyond >= 0.01
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
