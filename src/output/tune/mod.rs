//! The results of a search: the best candidate, the candidates that are as good, the worth of each parameter, and the
//! curves around the best.

mod table;

use super::Answer;
use super::sheet::{self, SheetKind};
use super::sweep::Shown;
use crate::output::ranking::as_written;
use crate::report::number::{encounters, grouped};
use crate::report::{Page, Style, Value};
use crate::run::{Ended, Until};
use crate::stats::paired::Difference;
use crate::stats::{Confidence, Precision, Summary};

/// The goal of a search for one metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wish {
    /// The highest mean.
    Most,
    /// The lowest mean.
    Least,
    /// This mean; a rate is from 0 to 1.
    Level(f64),
}

/// A metric and its goal.
#[derive(Debug, Clone)]
pub struct Goal {
    /// The metric and its subject.
    pub shown: Shown,
    /// The mean that is sought.
    pub wish: Wish,
}

/// A parameter of the search.
#[derive(Debug, Clone)]
pub struct Dimension {
    /// A key, or lines of a policy.
    pub key: String,
    /// The optional line that it switches.
    pub line: Option<String>,
    /// Its values as text.
    pub labels: Vec<String>,
    /// The values as numbers, if all are numbers.
    pub numbers: Option<Vec<f64>>,
    /// Index of the value in the file.
    pub start: usize,
}

/// The reason for which a candidate is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The best candidate.
    Best,
    /// The file as it is.
    Written,
    /// A candidate that reached the end of the search with the best.
    Rival,
    /// The best candidate, but with another value of this dimension.
    Curve(usize),
}

/// A candidate with its numbers.
#[derive(Debug, Clone)]
pub struct Row {
    /// The reason for which the candidate is shown.
    pub role: Role,
    /// For each dimension, the index of the candidate's value.
    pub at: Vec<usize>,
    /// The summary of each goal.
    pub summaries: Vec<Summary>,
    /// The difference from the best in each goal, on the same dice; `None` for the best itself.
    pub differences: Vec<Option<Difference>>,
    /// The p-value of each goal, adjusted for the number of candidates (Holm).
    pub p_adjusted: Vec<Option<f64>>,
    /// Changes of the candidate to the file, as paths and TOML values.
    pub settings: Vec<(String, String)>,
}

/// The result of a search.
#[derive(Debug, Clone)]
pub struct TuneReport {
    /// Name of the scenario: its file name without folder and extension.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The variant that was searched.
    pub variant: String,
    /// The goals of the search.
    pub goals: Vec<Goal>,
    /// The distance from a level that is close enough.
    pub within: Precision,
    /// The rule that ends the run of a finalist.
    pub until: Until,
    /// The level of all intervals.
    pub confidence: Confidence,
    /// The parameters that the search may change.
    pub dimensions: Vec<Dimension>,
    /// For each dimension, the index of the best value.
    pub best: Vec<usize>,
    /// The changes that turn the file into the best candidate, as paths and TOML values.
    pub change: Vec<(String, String)>,
    /// The candidates, the best first.
    pub rows: Vec<Row>,
    /// Number of candidates.
    pub candidates: u128,
    /// Number of candidates that were tried.
    pub tried: usize,
    /// Number of candidates that could not be distinguished from the best and did not reach the end of the search.
    pub cut: usize,
    /// Encounters of the search, and fresh encounters.
    pub encounters: [u64; 2],
    /// How the search ended.
    pub ended: Ended,
    /// Whether the best misses a wanted level, as all other candidates do.
    pub missed: bool,
    /// Notes on the results.
    pub notes: Vec<String>,
}

impl Goal {
    /// Describes the goal in words: `the highest win_rate of hunters`, `win_rate of hunters at 50%`.
    fn in_words(&self) -> String {
        let title = self.shown.title();
        match self.wish {
            Wish::Most => format!("the highest {title}"),
            Wish::Least => format!("the lowest {title}"),
            Wish::Level(level) => {
                format!("{title} at {}", self.shown.unit().estimate(level, None).0)
            }
        }
    }
}

impl Dimension {
    /// Returns the key without the table with which most keys begin.
    fn name(&self) -> &str {
        let key = self.key.strip_prefix("parameters.");
        key.or(self.key.strip_prefix("combatants."))
            .unwrap_or(&self.key)
    }
}

impl Row {
    /// Whether the candidate is only shown in a curve.
    fn is_curve(&self) -> bool {
        matches!(self.role, Role::Curve(_))
    }

    /// Returns the difference from the best in a goal. Returns `None` for the best itself, and if one of the two has no
    /// value.
    fn difference(&self, goal: usize) -> Option<&Difference> {
        self.differences.get(goal)?.as_ref()
    }

    /// Whether the tests distinguish the candidate from the best in a goal.
    fn is_apart(&self, goal: usize, confidence: Confidence) -> bool {
        let p_value = self.p_adjusted.get(goal).copied().flatten();
        { self.difference(goal) }.is_some_and(|one| one.is_apart(p_value, confidence))
    }
}

impl TuneReport {
    /// Names a candidate by its values: by all of them, or only by those that differ from the best.
    fn named(&self, at: &[usize], all: bool) -> String {
        let values = self.dimensions.iter().zip(at).zip(&self.best);
        let told = values.filter(|((_, at), best)| all || at != best);
        let told = told.map(|((dimension, at), _)| {
            format!("{} = {}", dimension.name(), dimension.labels[*at])
        });
        told.collect::<Vec<_>>().join(", ")
    }

    fn best(&self) -> Option<&Row> {
        self.rows.iter().find(|row| row.role == Role::Best)
    }

    /// Returns the best candidate, but with one dimension as in the file. If this is the file as written or a rival, its
    /// row is that one, which precedes those of the curve and has played more.
    fn put_back(&self, dimension: usize) -> Option<&Row> {
        let mut at = self.best.clone();
        at[dimension] = self.dimensions[dimension].start;
        let is = |row: &&Row| row.at == at && at != self.best;
        self.rows.iter().find(is)
    }

    /// Returns the curve of a dimension, including the best, in the order of the values.
    fn curve(&self, dimension: usize) -> Vec<&Row> {
        let of = |row: &&Row| row.role == Role::Curve(dimension);
        let mut rows: Vec<&Row> = self.rows.iter().filter(of).collect();
        rows.sort_by_key(|row| row.at[dimension]);
        rows
    }

    /// Names the best candidate, what it reaches, and what the file as it is reaches.
    fn best_in_words(&self) -> String {
        let Some(best) = self.best() else {
            return "Nothing is known yet.".to_owned();
        };
        let never = self.goals.iter().enumerate().find(|(goal, _)| {
            let mut rows = self.rows.iter();
            rows.all(|row| row.summaries[*goal].mean.is_none())
        });
        if let Some((_, goal)) = never {
            let title = goal.shown.title();
            return format!("No encounter of any candidate that was tried shows {title}.");
        }
        let goals: Vec<String> = self.goals.iter().map(Goal::in_words).collect();
        let told = |row: &Row| {
            let means = self.goals.iter().zip(&row.summaries);
            let means = means.map(|(goal, summary)| goal.shown.in_words(summary));
            means.collect::<Vec<_>>().join(" and ")
        };
        let is_level = self
            .goals
            .iter()
            .any(|goal| matches!(goal.wish, Wish::Level(_)));
        let what = if is_level {
            "The least change for"
        } else {
            "The best found for"
        };
        let goals = goals.join(" and ");
        let written = self.rows.iter().find(|row| row.role == Role::Written);
        if self.missed {
            let reached = match written {
                None => format!("the file as it is: {}", told(best)),
                Some(written) => format!(
                    "{}, with {}; as written {}",
                    self.changed_in_words(),
                    told(best),
                    told(written)
                ),
            };
            let when = match self.ended {
                Ended::Interrupted | Ended::TooLarge | Ended::Partial => " so far",
                _ if self.is_exact() => "",
                Ended::Enough | Ended::Exhausted => " in the last encounters",
            };
            let bracket = self
                .bracket()
                .map_or_else(String::new, |text| format!(" {text}"));
            return format!(
                "No candidate reached {goals}{when}. The nearest is {reached}.{bracket}"
            );
        }
        let text = match written {
            None => format!("{what} {goals} is the file as it is: {}.", told(best)),
            Some(written) => format!(
                "{what} {goals}: {}. That is {}, and as written {}.",
                if is_level {
                    self.changed_in_words()
                } else {
                    self.named(&self.best, true)
                },
                told(best),
                told(written)
            ),
        };
        if is_level {
            return text + " Among these numbers and values: others may do it as well.";
        }
        let of = if self.tried as u128 == self.candidates {
            "within this policy language and these lines and values".to_owned()
        } else {
            let tried = grouped(self.tried as u64);
            format!("of the {tried} candidates that were tried")
        };
        let Some(others) = self.as_good_in_words() else {
            return format!("{text} It is the best {of}, not of all that could be done.");
        };
        let known = if self.is_exact() { "" } else { "known to be " };
        format!("{text} None is {known}better {of}: {others}.")
    }

    /// Says how many other candidates are as good as the best in every goal, or may be.
    fn as_good_in_words(&self) -> Option<String> {
        let is_apart = |row: &Row| {
            let mut goals = 0..self.goals.len();
            goals.any(|goal| row.is_apart(goal, self.confidence))
        };
        let rivals = self
            .rows
            .iter()
            .filter(|row| matches!(row.role, Role::Written | Role::Rival) && !is_apart(row));
        let has_written = rivals.clone().any(|row| row.role == Role::Written);
        let count = rivals.count() + self.cut;
        let verb = match (self.is_exact(), count) {
            (false, _) => "may be",
            (true, 1) => "is",
            (true, _) => "are",
        };
        let who = match (count, has_written) {
            (0, _) => return None,
            (1, true) => "the file as written".to_owned(),
            (1, false) => "1 other".to_owned(),
            _ => format!("{} others", grouped(count as u64)),
        };
        let among = if has_written && count > 1 {
            ", the file as written among them"
        } else {
            ""
        };
        Some(format!("{who} {verb} as good{among}"))
    }

    /// Names the nearest candidates below and above a level that was missed, or says on which side of it all are.
    fn bracket(&self) -> Option<String> {
        let [goal] = &self.goals[..] else {
            return None;
        };
        let Wish::Level(level) = goal.wish else {
            return None;
        };
        let known = self.rows.iter().filter_map(|row| {
            let summary = row.summaries.first()?;
            Some((row, summary, summary.mean?))
        });
        let (below, above): (Vec<_>, Vec<_>) = known.partition(|(.., mean)| *mean < level);
        let by_mean = |one: &&(_, _, f64), other: &&(_, _, f64)| one.2.total_cmp(&other.2);
        let told = |(row, summary, _): &(&Row, &Summary, f64)| {
            let names = match self.named(&row.at, true) {
                names if names.is_empty() => "the file as it is".to_owned(),
                names => names,
            };
            format!("{names} ({})", goal.shown.estimate(Some(summary)).0)
        };
        match (below.iter().max_by(by_mean), above.iter().min_by(by_mean)) {
            (Some(below), Some(above)) => Some(format!(
                "The level lies between {} and {}.",
                told(below),
                told(above)
            )),
            (Some(_), None) => Some("All candidates that were tried lie below it.".to_owned()),
            (None, Some(_)) => Some("All candidates that were tried lie above it.".to_owned()),
            (None, None) => None,
        }
    }

    /// Returns the dimensions in which the best differs from the file, with its values.
    fn changed(&self) -> impl Iterator<Item = (&Dimension, &usize)> {
        let values = self.dimensions.iter().zip(&self.best);
        values.filter(|(dimension, at)| **at != dimension.start)
    }

    /// Lists the values in which the best differs from the file.
    fn changed_in_words(&self) -> String {
        let told = self.changed().map(|(dimension, at)| {
            let labels = &dimension.labels;
            format!(
                "{} = {} (from {})",
                dimension.name(),
                labels[*at],
                labels[dimension.start]
            )
        });
        told.collect::<Vec<_>>().join(", ")
    }

    /// Describes the encounters that were played.
    fn played(&self) -> String {
        let [race, fresh] = self.encounters;
        let all = match self.candidates {
            all if all > 1_000_000_000 => "more than a billion".to_owned(),
            all => grouped(all as u64),
        };
        let tried = grouped(self.tried as u64);
        let text = match &self.until {
            Until::Exact(_) => format!("{tried} of {all} candidates solved"),
            // Interrupted: the figures are those of the race, as a note says.
            _ if fresh == 0 => format!("{tried} of {all} candidates tried in {}", encounters(race)),
            _ => format!(
                "{tried} of {all} candidates tried in {}; the figures are of {} fresh ones",
                encounters(race),
                grouped(fresh)
            ),
        };
        match self.ended {
            Ended::Interrupted | Ended::TooLarge | Ended::Partial => {
                format!("{text} (interrupted; this is partial)")
            }
            Ended::Enough | Ended::Exhausted => text,
        }
    }

    /// Returns the notes on the results.
    pub fn remarks(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        if self.missed {
            notes.push(MISSED.to_owned());
        }
        if self.cut > 0 {
            let is_exact = matches!(self.until, Until::Exact(_));
            let (more, verb) = match (self.cut, is_exact) {
                (1, true) => ("candidate", "is"),
                (1, false) => ("candidate", "was"),
                (_, true) => ("candidates", "are"),
                (_, false) => ("candidates", "were"),
            };
            let what = if is_exact {
                "as good as the best, and not listed"
            } else {
                "not told from the best in the search, and not followed to the end"
            };
            let count = grouped(self.cut as u64);
            notes.push(format!("{count} more {more} {verb} {what}"));
        }
        notes
    }
}

/// The note if a level was not reached.
pub(super) const MISSED: &str =
    "no candidate that was tried holds every level: the best is the nearest";

impl Answer for TuneReport {
    fn kind(&self) -> &'static SheetKind {
        &sheet::TUNE
    }

    fn is_exact(&self) -> bool {
        self.until.is_exact()
    }

    fn answer(&self) -> Vec<String> {
        let lines = self.changed().filter_map(|(dimension, _)| {
            let line = dimension.line.as_ref()?;
            Some(format!("{} is `{line}`.", dimension.name()))
        });
        [self.best_in_words()].into_iter().chain(lines).collect()
    }

    fn table(&self, style: Style) -> String {
        let mut page = Page::new(style);
        page.heading(1, &self.title);
        page.paragraph(&format!("{}: {}", as_written(&self.variant), self.played()));
        page.blank();
        page.paragraphs(&self.answer());
        for (goal, of) in self.goals.iter().enumerate() {
            page.blank();
            page.heading(2, &of.shown.title());
            page.blank();
            self.candidates(&mut page, goal);
            if self.rows.iter().any(Row::is_curve) {
                page.blank();
                self.worths(&mut page, goal);
            }
            for dimension in 0..self.dimensions.len() {
                if self.curve(dimension).len() > 1 && self.dimensions[dimension].numbers.is_some() {
                    page.blank();
                    self.around(&mut page, goal, dimension);
                }
            }
        }
        let kept = self.dimensions.iter().zip(&self.best);
        let kept = kept.filter(|(dimension, at)| **at == dimension.start);
        let lines = kept.filter_map(|(dimension, _)| {
            Some(format!(
                "{}: `{}`",
                dimension.name(),
                dimension.line.as_ref()?
            ))
        });
        page.list("lines that stay as they are", lines);
        if !self.is_exact() {
            page.blank();
            page.line(&format!(
                "apart from the best: certain at {} for all of a table together (Holm)",
                self.confidence
            ));
        }
        // With a single level, the answer says the same.
        let is_new = |note: &String| note != MISSED || self.goals.len() > 1;
        page.notes(self.remarks().into_iter().filter(is_new));
        page.into_text()
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Value>> + '_> {
        let curves = (0..self.dimensions.len()).flat_map(|at| {
            let rows = self.curve(at);
            let rows = if rows.len() > 1 { rows } else { Vec::new() };
            rows.into_iter().map(move |row| (Role::Curve(at), row))
        });
        let others = self.rows.iter().filter(|row| !row.is_curve());
        let all = others.map(|row| (row.role, row)).chain(curves);
        Box::new(all.flat_map(move |(role, row)| {
            let goals = self.goals.iter().enumerate();
            goals
                .map(move |(goal, of)| self.cells(role, row, goal, of))
                .collect::<Vec<_>>()
        }))
    }

    fn members(&self) -> Vec<(&'static str, Value)> {
        let [race, fresh] = self.encounters.map(Value::count);
        let best = self.dimensions.iter().zip(&self.best);
        let best = best.map(|(dimension, at)| (&*dimension.key, &*dimension.labels[*at]));
        let set = self
            .change
            .iter()
            .map(|(key, value)| format!("{key}={value}"));
        let candidates = u64::try_from(self.candidates).unwrap_or(u64::MAX);
        vec![
            ("candidates", Value::Json(candidates.into())),
            ("tried", Value::count(self.tried as u64)),
            ("race_encounters", race),
            ("fresh_encounters", fresh),
            ("best", Value::Json(best.collect())),
            ("set", Value::texts(set)),
            ("notes", Value::texts(self.remarks())),
            ("rows", self.kind().objects(self.rows())),
        ]
    }
}

impl TuneReport {
    fn cells(&self, role: Role, row: &Row, goal: usize, of: &Goal) -> Vec<Value> {
        let is_exact = self.is_exact();
        let summary = &row.summaries[goal];
        let difference = row.differences[goal].as_ref();
        let (name, key, value) = match role {
            Role::Best => ("best", "", ""),
            Role::Written => ("written", "", ""),
            Role::Rival => ("rival", "", ""),
            Role::Curve(at) => {
                let Dimension { key, labels, .. } = &self.dimensions[at];
                ("curve", &**key, &*labels[row.at[at]])
            }
        };
        let texts = [&self.scenario, &self.variant, name, key, value];
        let mut cells: Vec<Value> = texts.into_iter().map(Value::text).collect();
        cells.extend([
            Value::text(&self.named(&row.at, true)),
            Value::text(of.shown.metric.name),
            Value::text(&of.shown.subject),
            Value::count((!is_exact).then_some(summary.n)),
            Value::estimate(summary.mean, is_exact),
        ]);
        cells.extend(Value::between(summary.interval, is_exact));
        let value = difference.map(|one| one.difference);
        let interval = difference.and_then(|one| one.interval);
        cells.push(Value::estimate(value, is_exact));
        cells.extend(Value::between(interval, is_exact));
        cells.extend([
            Value::sampled(difference.and_then(|one| one.p_value)),
            Value::sampled(row.p_adjusted.get(goal).copied().flatten()),
            Value::method(is_exact),
            Value::text(of.shown.metric.unit),
        ]);
        cells
    }
}
