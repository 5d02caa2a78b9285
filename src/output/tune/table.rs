//! The tables of a search: the candidates, the worth of each parameter, and the curves around the best.

use super::{Role, Row, TuneReport, Wish};
use crate::output::chart::{self, Mark, Unit};
use crate::report::number::{self, encounters, exact_difference, grouped, sampled_difference};
use crate::report::{Page, TextGrid};
use crate::run::Until;
use crate::stats::Interval;
use crate::stats::paired::Difference;

impl TuneReport {
    /// Adds the candidates that reached the end of the search, first those that cannot be distinguished from the best.
    pub(super) fn candidates(&self, page: &mut Page, goal: usize) {
        let interval = self.until.intervals(self.confidence);
        let mut grid = TextGrid::new(["candidate", "mean", &interval, "against best", ""]);
        let (mut equal, mut open, mut apart) = (Vec::new(), Vec::new(), Vec::new());
        for row in self.rows.iter().filter(|row| !row.is_curve()) {
            let name = match row.role {
                Role::Best => "best".to_owned(),
                Role::Written => "as written".to_owned(),
                _ => self.named(&row.at, false),
            };
            let mut cells = vec![page.indented(&name)];
            cells.extend(self.figures(row, goal, ""));
            if row.is_apart(goal, self.confidence) {
                apart.push(cells);
            } else if row.difference(goal).is_some_and(Difference::is_open) {
                open.push(cells);
            } else {
                equal.push(cells);
            }
        }
        let others = match self.goals[goal].wish {
            Wish::Level(_) => "told apart from the best",
            Wish::Most | Wish::Least => "not as good",
        };
        if self.cut > 0 {
            let more = page.indented(&format!("and {} more", grouped(self.cut as u64)));
            let mut cells = vec![String::new(); 5];
            cells[0] = more;
            equal.push(cells);
        }
        let as_good = match self.until {
            Until::Exact(_) => "as good as the best",
            _ => "not told apart from the best",
        };
        let not_decided = "not decided: the bounds reach over 0";
        for (name, rows) in [(as_good, equal), (not_decided, open), (others, apart)] {
            if !rows.is_empty() {
                grid.group(name.to_owned());
            }
            for row in rows {
                grid.row(row);
            }
        }
        page.grid(&grid);
    }

    /// Returns the mean of a candidate and its difference from the best, each with its interval. `best` replaces a
    /// missing difference.
    fn figures(&self, row: &Row, goal: usize, best: &str) -> [String; 4] {
        let shown = &self.goals[goal].shown;
        let (mean, interval) = shown.cells(row.summaries.get(goal));
        let (against, between) = match row.difference(goal) {
            Some(one) => signed(one, 1.0, shown.unit()),
            None => (best.to_owned(), String::new()),
        };
        [mean, interval, against, between]
    }

    /// Adds the worth of each parameter: the best candidate against the same candidate with the value in the file.
    pub(super) fn worths(&self, page: &mut Page, goal: usize) {
        let unit = self.goals[goal].shown.unit();
        let points = match unit {
            Unit::Share => "worth, in points",
            Unit::Plain => "worth",
        };
        let mut grid = TextGrid::new(["what", "as written", "best", points, ""]);
        for (at, dimension) in self.dimensions.iter().enumerate() {
            let back = self.put_back(at).and_then(|row| row.difference(goal));
            let (worth, interval) = match back {
                Some(back) => signed(back, -1.0, unit),
                None if dimension.start == self.best[at] => ("as it is".to_owned(), String::new()),
                None => ("-".to_owned(), String::new()),
            };
            let [written, best] =
                [dimension.start, self.best[at]].map(|one| dimension.labels[one].clone());
            grid.row(vec![
                dimension.name().to_owned(),
                written,
                best,
                worth,
                interval,
            ]);
        }
        page.grid(&grid);
    }

    /// Adds the curve of one parameter around the best.
    pub(super) fn around(&self, page: &mut Page, goal: usize, dimension: usize) {
        let shown = &self.goals[goal].shown;
        let rows = self.curve(dimension);
        let of = &self.dimensions[dimension];
        let marks = rows.iter().filter_map(|row| {
            let at = row.at[dimension];
            let x = of.numbers.as_ref()?[at];
            Mark::of(row.summaries.get(goal)?, &of.labels[at], x)
        });
        let marks: Vec<Mark> = marks.collect();
        let level = match self.goals[goal].wish {
            Wish::Level(level) => Some(level),
            Wish::Most | Wish::Least => None,
        };
        if marks.len() > 2 {
            let picture = chart::line(&marks, shown.unit(), level, &of.key, page.columns());
            page.picture(&picture);
            page.blank();
        }
        let (near, all) = (rows.len(), of.labels.len());
        let played = rows.iter().filter_map(|row| row.summaries.get(goal));
        let played = played.map(|summary| summary.n).max().unwrap_or(0);
        let mut words = Vec::new();
        if near < all {
            words.push(format!("{near} of {all} values: those near the best"));
        }
        if !self.until.is_exact() {
            words.push(format!("{} of each", encounters(played)));
        }
        if !words.is_empty() {
            page.line(&words.join(", "));
            page.blank();
        }
        let interval = self.until.intervals(self.confidence);
        let mut grid = TextGrid::new([of.name(), "mean", &interval, "against best", ""]);
        for row in rows {
            let mut cells = vec![of.labels[row.at[dimension]].clone()];
            cells.extend(self.figures(row, goal, "best"));
            grid.row(cells);
        }
        page.grid(&grid);
    }
}

/// Formats a difference and its interval with signs; a difference of shares is in points.
fn signed(difference: &Difference, sign: f64, unit: Unit) -> (String, String) {
    let factor = unit.factor() * sign;
    let value = difference.difference * factor;
    if difference.is_none() {
        return ("0".to_owned(), String::new());
    }
    let Some(interval) = difference.interval else {
        return (number::signed(value, 2), String::new());
    };
    let mut ends = interval.ends().map(|end| end * factor);
    ends.sort_by(f64::total_cmp);
    let [low, high] = ends;
    let interval = Interval { low, high };
    if !difference.is_exact {
        return sampled_difference(value, interval).into();
    }
    let [value, bounds] = exact_difference(value, interval);
    let is_arm = bounds.starts_with('±');
    (value, if is_arm { String::new() } else { bounds })
}
