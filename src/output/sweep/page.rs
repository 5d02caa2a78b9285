//! The results of a sweep for people: a picture and the numbers behind it.

use super::super::chart::{self, Mark, Unit};
use super::answer::answer;
use super::{Point, Shown, SweepReport, Threshold, at_level, crossings};
use crate::output::ranking::as_written;
use crate::report::number::{VISIBLE, decimals, encounters, grouped, plural, rounded_up};
use crate::report::{Page, Style, TextGrid};
use crate::run::{Ended, Until};
use crate::stats::Summary;
use crate::stats::threshold::Finding;
use crate::tally::Scope;

/// Formats the whole sweep as text.
pub(super) fn table(report: &SweepReport, style: Style) -> String {
    let mut page = Page::new(style);
    page.heading(1, &report.title);
    let points = report.points.len();
    let points = format!("{points} point{}", plural(points as u64));
    let played = match &report.until {
        Until::Encounters(count) => format!("{points} of {} each", encounters(count.get())),
        _ => format!("{points}, each solved"),
    };
    let missing = match (report.ended, report.keys.as_slice(), &report.threshold) {
        (Ended::TooLarge, [key], None) => {
            let is_missing = |at: &usize| report.points.iter().all(|point| point.at != [*at]);
            let labels = key.labels().into_iter().enumerate();
            let missing = labels.filter(|(at, _)| is_missing(at));
            let missing: Vec<String> = missing.map(|(_, label)| label).collect();
            &format!(" (too large to be solved: {})", missing.join(", "))
        }
        (Ended::TooLarge, ..) => " (the others are too large to be solved)",
        (Ended::Interrupted, ..) => " (interrupted; the others are missing)",
        (Ended::Partial, ..) => " (partial; the others are missing)",
        (Ended::Enough | Ended::Exhausted, ..) => "",
    };
    let variant = as_written(&report.variant);
    page.paragraph(&format!("{variant}: {played}{missing}"));
    for shown in &report.shown {
        page.blank();
        page.heading(2, &shown.title());
        page.blank();
        if let Some(answer) = answer(report, shown) {
            page.paragraph(&answer);
            page.blank();
        }
        if let Some(threshold) = &report.threshold {
            page.paragraphs(&crossing(report, shown, threshold));
            page.blank();
        }
        match report.keys.as_slice() {
            [_] => one_key(&mut page, report, shown),
            _ => two_keys(&mut page, report, shown),
        }
    }
    let notes = notes(report);
    if !notes.is_empty() {
        page.blank();
    }
    page.notes(notes);
    page.into_text()
}

impl Shown {
    /// Returns the metric with its subject: `win_rate of hunters`, `rounds`.
    pub(in crate::output) fn title(&self) -> String {
        match self.metric.scope {
            Scope::Encounter => self.metric.name.to_owned(),
            Scope::Side | Scope::Combatant | Scope::Outcome => {
                format!("{} of {}", self.metric.name, self.subject)
            }
        }
    }

    pub(in crate::output) fn unit(&self) -> Unit {
        Unit::of(self.metric)
    }

    /// Formats a mean and its interval, with the digits that the interval allows.
    pub(in crate::output) fn estimate(&self, summary: Option<&Summary>) -> (String, String) {
        let mean = summary.and_then(|summary| Some((summary, summary.mean?)));
        let Some((summary, mean)) = mean else {
            return ("-".to_owned(), String::new());
        };
        self.unit().estimate(mean, summary.interval)
    }

    /// Formats a mean and its interval for a table. A mean that may be of some encounters alone says of how many.
    pub(in crate::output) fn cells(&self, summary: Option<&Summary>) -> (String, String) {
        let (mean, interval) = self.estimate(summary);
        let n = summary.map_or(0, |summary| summary.n);
        if n > 0 && self.metric.is_of_some() {
            return (format!("{mean} (in {})", grouped(n)), interval);
        }
        (mean, interval)
    }

    /// Formats a mean and its interval as one text: `54.3% (53.6% to 55.0%)`.
    pub(in crate::output) fn in_words(&self, summary: &Summary) -> String {
        let words = |mean| self.unit().in_words(mean, summary.interval);
        summary.mean.map_or_else(|| "-".to_owned(), words)
    }
}

/// Adds a picture of one key, and a row for each value.
fn one_key(page: &mut Page, report: &SweepReport, shown: &Shown) {
    let key = &report.keys[0];
    let labels = key.labels();
    let mut rows: Vec<([String; 3], Option<Mark>)> = Vec::new();
    for point in &report.points {
        let at = point.at[0];
        let summary = point.summary(shown);
        let (mean, interval) = shown.cells(summary);
        let x = key.values[at].json.as_f64().unwrap_or_default();
        let mark = summary.and_then(|summary| Mark::of(summary, &labels[at], x));
        rows.push(([labels[at].clone(), mean, interval], mark));
    }
    let marks: Vec<Mark> = rows.iter().filter_map(|(_, mark)| mark.clone()).collect();
    let is_line = key.is_numeric() && marks.len() > 2;
    if is_line {
        let level = report.threshold.as_ref().map(|threshold| threshold.value);
        let picture = chart::line(&marks, shown.unit(), level, &key.name, page.columns());
        page.picture(&picture);
        page.blank();
    }
    let last = key.name.rsplit('.').next().unwrap_or(&key.name);
    let title = if is_line { last } else { &key.name };
    let interval = report.until.intervals(report.confidence);
    let bars = !page.is_markdown() && !is_line;
    let mut grid = if bars {
        TextGrid::new([title, "mean", &interval, ""]).with_bars()
    } else {
        TextGrid::new([title, "mean", &interval])
    };
    // All bars start at 0, so that lengths compare as the numbers do.
    let most = marks.iter().map(|mark| mark.high).fold(0.0, f64::max);
    for (row, mark) in rows {
        let bar = bars.then(|| mark.map_or_else(String::new, |mark| chart::bar(&mark, most)));
        grid.row(row.into_iter().chain(bar).collect());
    }
    page.grid(&grid);
}

/// Adds a shaded grid of two keys.
fn two_keys(page: &mut Page, report: &SweepReport, shown: &Shown) {
    let (down, across) = (&report.keys[0], &report.keys[1]);
    let mut cells = vec![vec![None; across.values.len()]; down.values.len()];
    let mut widest: Option<f64> = None;
    for point in &report.points {
        if let Some(summary) = point.summary(shown) {
            cells[point.at[0]][point.at[1]] = summary.mean;
            if let Some((mean, interval)) = summary.mean.zip(summary.interval) {
                widest = Some(widest.unwrap_or_default().max(interval.greatest_arm(mean)));
            }
        }
    }
    let unit = shown.unit();
    let factor = unit.factor();
    let digits = widest.map_or(2, |widest| decimals(widest * factor).min(2));
    let (rows, columns) = (down.labels(), across.labels());
    if page.is_markdown() {
        let corner = format!("{} / {}", down.name, across.name);
        let titles = columns.iter().map(String::as_str);
        let mut grid = TextGrid::new([corner.as_str()].into_iter().chain(titles));
        for (name, row) in rows.iter().zip(&cells) {
            let text = |value: &f64| unit.cell(*value, digits) + unit.sign();
            let mut cells = vec![name.clone()];
            cells.extend(
                row.iter()
                    .map(|value| value.as_ref().map_or_else(String::new, text)),
            );
            grid.row(cells);
        }
        page.grid(&grid);
        page.blank();
    } else {
        let (rows, columns) = ((&*down.name, &*rows), (&*across.name, &*columns));
        let picture = chart::shaded(rows, columns, &cells, unit, digits, page.columns());
        page.picture(&picture);
    }
    let is_exact = report.until.is_exact();
    if let Some(widest) = widest.filter(|widest| !is_exact || *widest >= VISIBLE) {
        let what = if is_exact {
            "bounds".to_owned()
        } else {
            format!("{} intervals", report.confidence)
        };
        let more = decimals(widest * factor);
        let arm = rounded_up(widest * factor, more);
        page.line(&format!(
            "{what} are at most ±{arm:.more$}{}; sweep.csv has each of them",
            unit.points()
        ));
    }
}

/// Returns the answer for each metric.
pub(super) fn answers(report: &SweepReport) -> Vec<String> {
    let told = report.shown.iter().filter_map(|shown| {
        answer(report, shown).or_else(|| {
            let threshold = report.threshold.as_ref()?;
            let found = crossing(report, shown, threshold).join("; ");
            Some(format!("{}: {found}.", shown.title()))
        })
    });
    told.collect()
}

/// Returns the findings about the threshold, in sentences.
fn crossing(report: &SweepReport, shown: &Shown, threshold: &Threshold) -> Vec<String> {
    let key = &report.keys[0];
    let last = key.name.rsplit('.').next().unwrap_or(&key.name);
    let level = level(shown, threshold.value);
    let texts = key.labels();
    let value = |at: usize| format!("{} ({})", texts[at], report.mean_at(shown, at));
    let Some(finding) = &threshold.finding else {
        let why = match report.ended {
            Ended::Partial => "too many points are missing to know",
            Ended::TooLarge => "a point is too large to be solved, so it is unknown",
            _ => "interrupted before it was known",
        };
        return vec![format!("{level}: {why} where this is")];
    };
    let empty: Vec<&str> = { report.points.iter() }
        .filter(|point| point.level(shown).is_none())
        .map(|point| texts[point.at[0]].as_str())
        .collect();
    if empty.len() == report.points.len() {
        return vec![format!(
            "{level}: no value of {last} that was played shows {}",
            shown.title()
        )];
    }
    let exactly = at_level(report, shown, threshold.value);
    let mut lines = sentences(report, shown, (finding, &exactly), &level, last, &value);
    if !empty.is_empty() {
        let empty = empty.join(", ");
        lines.push(format!("no encounter shows it at {last} = {empty}"));
    }
    lines
}

/// Formats a threshold.
fn level(shown: &Shown, value: f64) -> String {
    match shown.unit() {
        Unit::Share => Unit::Share.exact(value),
        Unit::Plain => value.to_string(),
    }
}

fn sentences(
    report: &SweepReport,
    shown: &Shown,
    (finding, exactly): (&Finding, &[usize]),
    level: &str,
    key: &str,
    value: &impl Fn(usize) -> String,
) -> Vec<String> {
    let texts = report.keys[0].labels();
    let mut lines = Vec::new();
    let is_solved = report.until.is_exact();
    let bounds = if is_solved {
        "bounds".to_owned()
    } else {
        format!("{} interval", report.confidence)
    };
    if !exactly.is_empty() {
        let values: Vec<&str> = exactly.iter().map(|&at| texts[at].as_str()).collect();
        let verb = if values.len() == 1 { "is" } else { "are" };
        lines.push(format!("{key} = {} {verb} at {level}", values.join(", ")));
    }
    match crossings(finding, exactly).as_slice() {
        [] if !exactly.is_empty() => {}
        [] => {
            let valued = |point: &&Point| point.level(shown).is_some();
            let mut ends = report.points.iter().filter(valued).map(|point| point.at[0]);
            let first = ends.next().unwrap_or_default();
            let last = ends.next_back().unwrap_or(first);
            lines.push(format!(
                "{level} is not crossed between {key} = {} and {}",
                value(first),
                value(last)
            ));
        }
        [only] => {
            let way = if only.rises { "rises" } else { "falls" };
            lines.push(format!(
                "{way} through {level} between {key} = {} and {}",
                value(only.from),
                value(only.to)
            ));
        }
        many => {
            let places: Vec<String> = many
                .iter()
                .map(|one| format!("{} and {}", value(one.from), value(one.to)))
                .collect();
            lines.push(format!(
                "crosses {level} {} times: between {key} = {}",
                many.len(),
                places.join(", between ")
            ));
        }
    }
    match (finding.compatible, finding.bounds) {
        (Some((first, last)), _) if [first, last].iter().all(|at| exactly.contains(at)) => {}
        (Some((first, last)), _) if first == last => lines.push(format!(
            "only the {bounds} of {key} = {} {} {level}",
            texts[first],
            if is_solved { "contain" } else { "contains" }
        )),
        (Some((first, last)), _) => lines.push(format!(
            "{} contain {level} from {key} = {} to {}: the data do not tell these apart",
            if is_solved { bounds } else { bounds + "s" },
            texts[first],
            texts[last]
        )),
        (None, _) if finding.crossings.is_empty() => {}
        (None, _) if is_solved => {}
        (None, _) => lines.push(format!("no {bounds} contains {level}")),
    }
    if !finding.crossings.is_empty() && exactly.is_empty() {
        let (crossing, lies) = match finding.crossings.len() {
            1 => ("the crossing", "lies"),
            _ => ("all crossings", "lie"),
        };
        let sure = if is_solved {
            String::new()
        } else {
            format!(" ({} certain)", report.confidence)
        };
        lines.push(match finding.bounds {
            (Some(low), Some(high)) => format!(
                "so {crossing} {lies} between {key} = {} and {}{sure}",
                texts[low], texts[high]
            ),
            (Some(low), None) => format!(
                "so {crossing} {lies} beyond {key} = {}, perhaps beyond the range{sure}",
                texts[low]
            ),
            (None, Some(high)) => format!(
                "so {crossing} {lies} before {key} = {}, perhaps before the range{sure}",
                texts[high]
            ),
            (None, None) => format!("so {crossing} may lie anywhere, even outside the range"),
        });
    }
    if let Some((one, other)) = finding.bend {
        lines.push(format!(
            "not a curve that only rises or only falls: {key} = {} and {} contradict that",
            value(one),
            value(other)
        ));
    }
    let played = report.points.len();
    if played < texts.len() {
        lines.push(format!(
            "{played} of {} values were played; between them the curve is taken to run straight",
            texts.len()
        ));
    }
    lines
}

/// Returns the notes of all points, each one once, with the points to which it applies.
pub fn notes(report: &SweepReport) -> Vec<String> {
    let mut notes: Vec<(&str, Vec<&Point>)> = Vec::new();
    for point in &report.points {
        for note in &point.notes {
            match notes.iter_mut().find(|(known, _)| known == note) {
                Some((_, points)) => points.push(point),
                None => notes.push((note, vec![point])),
            }
        }
    }
    let told = notes.into_iter().map(|(note, points)| {
        let place = if points.len() == report.points.len() {
            "at every point".to_owned()
        } else {
            let values = report.keys.iter().zip(&points[0].at);
            let values: Vec<String> = values
                .map(|(key, &at)| format!("{} = {}", key.name, key.values[at].text))
                .collect();
            let more = match points.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("at {}{more}", values.join(", "))
        };
        format!("{place}: {note}")
    });
    told.chain(idle(report)).collect()
}

/// Returns a note if nothing depends on the values: of all metrics, every point has the same.
fn idle(report: &SweepReport) -> Option<String> {
    let [first, others @ ..] = &report.points[..] else {
        return None;
    };
    let same = |point: &Point| {
        let mut facts = point.facts.iter().zip(&first.facts);
        facts.all(|(one, other)| one.summary.mean == other.summary.mean)
    };
    let keys: Vec<&str> = report.keys.iter().map(|key| key.name.as_str()).collect();
    (!others.is_empty() && others.iter().all(same)).then(|| {
        format!(
            "no value of {} changes anything that is measured: look whether a line, a weapon or a rule uses it",
            keys.join(" and ")
        )
    })
}
