//! The results of a sweep: a table with a picture, CSV, JSON and a manifest.

mod answer;
mod files;
mod page;

pub use files::{COLUMNS, COLUMNS_FIRST};
pub use page::notes;

use crate::run::{Ended, StopRule};
use crate::stats::threshold::{Crossing, Finding, Level};
use crate::stats::{Confidence, Summary};
use crate::tally::Metric;

/// A sweep: what varied, and what came of it.
#[derive(Debug, Clone)]
pub struct Report {
    /// Name of the scenario: its file's, without folder and ending.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The variant that was swept.
    pub variant: String,
    /// The keys that varied: one or two.
    pub keys: Vec<Key>,
    /// The changes of the variant that was swept: keys and values.
    pub changes: Vec<(String, String)>,
    /// The metrics of the table.
    pub shown: Vec<Shown>,
    /// What ends the play of each point.
    pub stop: StopRule,
    /// The level of all intervals.
    pub confidence: Confidence,
    /// The points that were played, in order.
    pub points: Vec<Point>,
    /// How it ended: unless it was enough, points are missing.
    pub ended: Ended,
    /// The crossing of a threshold, if one was asked for; then only some points were played.
    pub threshold: Option<Threshold>,
}

/// A key and its values.
#[derive(Debug, Clone)]
pub struct Key {
    /// Its dotted path.
    pub name: String,
    /// Its values, in the order of all output.
    pub values: Vec<Setting>,
}

impl Key {
    /// Whether all its values are numbers.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        self.values.iter().all(|value| value.json.is_number())
    }

    /// Its values as labels, without what would upset a terminal or burst a table.
    fn labels(&self) -> Vec<String> {
        const LONGEST: usize = 32;
        let label = |value: &Setting| {
            let calm = |c: char| if c.is_control() { ' ' } else { c };
            let mut label: String = value.text.chars().map(calm).take(LONGEST).collect();
            if value.text.chars().nth(LONGEST).is_some() {
                label.push_str("...");
            }
            label
        };
        self.values.iter().map(label).collect()
    }
}

/// A value of a key.
#[derive(Debug, Clone)]
pub struct Setting {
    /// As a table and CSV show it.
    pub text: String,
    /// As JSON has it.
    pub json: serde_json::Value,
}

/// A metric and the subject that the table shows of it.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The metric: a rate or a count.
    pub metric: &'static Metric,
    /// The subject's name.
    pub subject: String,
}

/// One point.
#[derive(Debug, Clone)]
pub struct Point {
    /// For each key, which of its values.
    pub at: Vec<usize>,
    /// The measurements there, metric by metric and subject by subject.
    pub facts: Vec<Fact>,
    /// Its situations, if it was solved.
    pub states: u64,
    /// Notes on the numbers.
    pub notes: Vec<String>,
}

impl Point {
    /// The summary of a metric of a subject; a combatant may be missing here.
    #[must_use]
    pub fn summary(&self, shown: &Shown) -> Option<&Summary> {
        let fact = self
            .facts
            .iter()
            .find(|fact| fact.metric.name == shown.metric.name && fact.subject == shown.subject)?;
        Some(&fact.summary)
    }

    /// The level of a metric; none if no encounter shows it here.
    pub(crate) fn level(&self, shown: &Shown) -> Option<Level> {
        let summary = self.summary(shown)?;
        Some(Level {
            mean: summary.mean?,
            interval: summary.interval,
        })
    }
}

impl Report {
    /// The mean of a metric at a value of the key as text.
    fn mean_at(&self, shown: &Shown, at: usize) -> String {
        let point = self.points.iter().find(|point| point.at[0] == at);
        shown.told(point.and_then(|point| point.summary(shown))).0
    }
}

/// The crossings of a level but for those beside values that are exactly at it: a curve that touches the level there
/// does not cross it.
fn crossings<'a>(finding: &'a Finding, exactly: &[usize]) -> Vec<&'a Crossing> {
    let touches = |one: &&Crossing| exactly.contains(&one.from) || exactly.contains(&one.to);
    let crossings = finding.crossings.iter();
    crossings.filter(|one| !touches(one)).collect()
}

/// Which values of the key are exactly at a level, as solved fights tell.
fn at_level(report: &Report, shown: &Shown, level: f64) -> Vec<usize> {
    let is_at = |point: &&Point| { point.level(shown) }.is_some_and(|known| known.is_at(level));
    let points = report
        .points
        .iter()
        .filter(|_| report.stop.budget().is_some());
    points.filter(is_at).map(|point| point.at[0]).collect()
}

/// One metric of one subject at one point.
#[derive(Debug, Clone)]
pub struct Fact {
    /// The metric.
    pub metric: &'static Metric,
    /// The subject's name.
    pub subject: String,
    /// The counts.
    pub summary: Summary,
}

/// A threshold and its finding.
#[derive(Debug, Clone)]
pub struct Threshold {
    /// The mean that is looked for; a rate from 0 to 1.
    pub value: f64,
    /// The finding; nothing if too many points are missing.
    pub finding: Option<Finding>,
}
