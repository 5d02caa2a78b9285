//! The results of a sweep: a table with a picture, CSV, JSON and a manifest.

mod answer;
mod files;
mod page;

pub use page::notes;

use crate::run::{Ended, Until};
use crate::stats::threshold::{Crossing, Finding, Level};
use crate::stats::{Confidence, Summary};
use crate::tally::Metric;

/// A sweep: the keys that varied, and the results at each point.
#[derive(Debug, Clone)]
pub struct SweepReport {
    /// Name of the scenario: its file name without folder and extension.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The variant that was swept.
    pub variant: String,
    /// The keys that varied: one or two.
    pub keys: Vec<Key>,
    /// The changes of the swept variant, as keys and values.
    pub changes: Vec<(String, String)>,
    /// The metrics of the table.
    pub shown: Vec<Shown>,
    /// The rule that ends the run of each point.
    pub until: Until,
    /// The level of all intervals.
    pub confidence: Confidence,
    /// The points that were played, in order.
    pub points: Vec<Point>,
    /// How the sweep ended. Unless it is `Ended::Enough`, points are missing.
    pub ended: Ended,
    /// The crossing of a threshold, if one was requested; then only some points were played.
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
    /// Whether all values are numbers.
    pub fn is_numeric(&self) -> bool {
        self.values.iter().all(|value| value.json.is_number())
    }

    /// Returns the values as labels, without control characters and not too long for a table.
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
    /// The value as tables and CSV show it.
    pub text: String,
    /// The value in JSON.
    pub json: serde_json::Value,
}

/// A metric and the subject for which a table shows it.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The metric: a rate or a count.
    pub metric: &'static Metric,
    /// The subject's name.
    pub subject: String,
}

/// One point of a sweep.
#[derive(Debug, Clone)]
pub struct Point {
    /// For each key, the index of its value.
    pub at: Vec<usize>,
    /// The measurements at this point, metric by metric and subject by subject.
    pub facts: Vec<Fact>,
    /// Number of situations, if the fight was solved.
    pub states: u64,
    /// Notes on the numbers.
    pub notes: Vec<String>,
}

impl Point {
    /// Returns the summary of a metric of a subject. Returns `None` if the subject is missing at this point.
    pub fn summary(&self, shown: &Shown) -> Option<&Summary> {
        let fact = self
            .facts
            .iter()
            .find(|fact| fact.metric.name == shown.metric.name && fact.subject == shown.subject)?;
        Some(&fact.summary)
    }

    /// Returns the level of a metric, or `None` if no encounter shows the metric at this point.
    pub(crate) fn level(&self, shown: &Shown) -> Option<Level> {
        let summary = self.summary(shown)?;
        Some(Level {
            mean: summary.mean?,
            interval: summary.interval,
        })
    }
}

impl SweepReport {
    /// Returns the mean of a metric at a value of the key, as text.
    fn mean_at(&self, shown: &Shown, at: usize) -> String {
        let point = self.points.iter().find(|point| point.at[0] == at);
        shown
            .estimate(point.and_then(|point| point.summary(shown)))
            .0
    }
}

/// Returns the crossings of a level, except those next to values that are exactly at the level: there the curve touches
/// the level without crossing it.
fn crossings<'a>(finding: &'a Finding, exactly: &[usize]) -> Vec<&'a Crossing> {
    let touches = |one: &&Crossing| exactly.contains(&one.from) || exactly.contains(&one.to);
    let crossings = finding.crossings.iter();
    crossings.filter(|one| !touches(one)).collect()
}

/// Returns the values of the key that are exactly at a level; only solved fights can show that.
fn at_level(report: &SweepReport, shown: &Shown, level: f64) -> Vec<usize> {
    let is_at = |point: &&Point| { point.level(shown) }.is_some_and(|known| known.is_at(level));
    let points = report.points.iter().filter(|_| report.until.is_exact());
    points.filter(is_at).map(|point| point.at[0]).collect()
}

/// One metric of one subject at one point.
#[derive(Debug, Clone)]
pub struct Fact {
    /// The metric.
    pub metric: &'static Metric,
    /// The subject's name.
    pub subject: String,
    /// The summary of the metric.
    pub summary: Summary,
}

/// A threshold and the finding about it.
#[derive(Debug, Clone)]
pub struct Threshold {
    /// The mean that is sought; a rate is from 0 to 1.
    pub value: f64,
    /// The finding; `None` if too many points are missing.
    pub finding: Option<Finding>,
}
