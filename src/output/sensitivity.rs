//! The results of a sensitivity: a ranking with bars, CSV and JSON.

use super::chart::{self, Unit};
use super::sheet::{self, Kind};
use super::sweep::Shown;
use super::{Answer, Manifest, Note};
use crate::report::number::{arm, decimals, decimals_shown, encounters};
use crate::report::{Objects, Page, Style, TextGrid, Value, write_json};
use crate::run::StopRule;
use crate::stats::paired::Difference;
use crate::stats::{Confidence, Interval, Summary};
use crate::tally::Metric;
use serde::Serialize;
use std::io::{self, Write};

/// Columns of `sensitivity.csv`.
pub const COLUMNS: [&str; 18] = [
    "scenario",
    "variant",
    "key",
    "value",
    "less",
    "more",
    "metric",
    "subject",
    "n",
    "mean_less",
    "mean_more",
    "effect",
    "se",
    "ci_low",
    "ci_high",
    "p_value",
    "p_adjusted",
    "method",
];

/// What 1 more of each number is worth.
#[derive(Debug, Clone)]
pub struct Report {
    /// Name of the scenario: its file's, without folder and ending.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The variant whose numbers they are.
    pub variant: String,
    /// What ends the play of each fight.
    pub stop: StopRule,
    /// The level of all intervals.
    pub confidence: Confidence,
    /// The metric that was measured, and its subject.
    pub shown: Vec<Shown>,
    /// The same in the fight as it is.
    pub base: Vec<Summary>,
    /// The influence of the numbers on each metric.
    pub effects: Vec<Effect>,
    /// Keys of numbers that can be neither 1 more nor 1 less.
    pub fixed: Vec<String>,
    /// Remarks on its numbers.
    pub notes: Vec<Note>,
    /// Whether numbers are missing because the sensitivity was interrupted.
    pub interrupted: bool,
}

/// What one number does to one metric.
#[derive(Debug, Clone)]
pub struct Effect {
    /// The metric.
    pub metric: &'static Metric,
    /// Whose.
    pub subject: String,
    /// The number's dotted path.
    pub key: String,
    /// Its value.
    pub value: String,
    /// The lower of the two values that were played.
    pub less: String,
    /// The higher one.
    pub more: String,
    /// How far they are apart: 1 or 2.
    pub steps: u32,
    /// The higher one's mean less the lower one's, pair by pair.
    pub difference: Difference,
    /// The p-value, adjusted for how many numbers were asked about (Holm).
    pub p_adjusted: Option<f64>,
}

impl Effect {
    /// What 1 more is worth.
    #[must_use]
    pub fn worth(&self) -> f64 {
        self.difference.difference / f64::from(self.steps)
    }

    /// The interval for that.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        let steps = f64::from(self.steps);
        self.difference.interval.map(|interval| Interval {
            low: interval.low / steps,
            high: interval.high / steps,
        })
    }

    fn se(&self) -> Option<f64> {
        self.difference.se.map(|se| se / f64::from(self.steps))
    }

    /// Whether no encounter at all was another.
    fn idle(&self) -> bool {
        if self.difference.is_exact {
            return !self.interval().is_some_and(Interval::excludes_zero);
        }
        self.difference.difference == 0.0 && self.difference.se == Some(0.0)
    }

    /// Whether it is certain that it makes a difference, among all that were asked about.
    fn certain(&self, confidence: Confidence) -> bool {
        // What differs by the same in every encounter has no p-value.
        // So has what is exact.
        let p = self.p_adjusted.unwrap_or(0.0);
        !self.idle() && p <= confidence.error()
    }
}

fn metric(page: &mut Page, report: &Report, shown: &Shown, base: &Summary) {
    let unit = shown.unit();
    let (mean, interval) = shown.told(Some(base));
    let interval = match interval.as_str() {
        "" => String::new(),
        interval => format!(" ({interval})"),
    };
    let mut effects: Vec<&Effect> = report
        .effects
        .iter()
        .filter(|effect| effect.metric.name == shown.metric.name)
        .collect();
    // The order of the file where they are alike.
    effects.sort_by(|one, other| other.worth().abs().total_cmp(&one.worth().abs()));
    let most = effects.first().map_or(0.0, |first| first.worth().abs());
    let confidence = report.confidence;
    let (certain, others): (Vec<&Effect>, Vec<&Effect>) = effects
        .iter()
        .partition(|effect| effect.certain(confidence));
    let (idle, uncertain): (Vec<&Effect>, Vec<&Effect>) =
        others.iter().partition(|effect| effect.idle());

    let titles = [
        "number",
        "value",
        "worth",
        &report.stop.intervals(confidence),
        "",
    ];
    let mut grid = if page.is_markdown() {
        TextGrid::new(&titles[..4])
    } else {
        TextGrid::new(&titles).with_bars()
    };
    for (group, members) in [
        ("makes a difference", &certain),
        ("not told apart from chance", &uncertain),
        ("no difference in any encounter", &idle),
    ] {
        if !members.is_empty() {
            grid.group(group.to_owned());
        }
        for effect in members {
            let (worth, interval) = effect.told(unit);
            let name = page.indented(effect.name());
            let mut row = vec![name, effect.value.clone(), worth, interval];
            if !page.is_markdown() {
                row.push(chart::deviation(effect.worth(), most));
            }
            grid.row(row);
        }
    }
    let doubtful: Vec<&Effect> = uncertain.iter().chain(&idle).copied().collect();
    page.paragraph(&answer(shown, certain.first().copied(), &doubtful));
    page.blank();
    page.line(&format!("as it is: {mean}{interval}"));
    page.blank();
    page.grid(&grid);
    if report.stop.budget().is_some() {
        return;
    }
    page.blank();
    let tested = certain.len() + uncertain.len();
    let missing = tested as f64 * confidence.error();
    page.line(&format!(
        "expect about {missing:.1} of these {tested} intervals to miss (each is {confidence})"
    ));
    page.line(&format!(
        "the differences are certain at {confidence} for all numbers together (Holm)"
    ));
}

/// More names than these are counted.
const NAMED: usize = 5;

/// The number that matters most, and those that make no difference that can be told.
fn answer(shown: &Shown, first: Option<&Effect>, doubtful: &[&Effect]) -> String {
    let (unit, title) = (shown.unit(), shown.title());
    let points = match unit {
        Unit::Share => " points",
        Unit::Plain => "",
    };
    let mut text = match first {
        Some(first) => {
            let (worth, interval) = first.told(unit);
            let name = first.name();
            format!("{name} matters most to {title}: 1 more is worth {worth}{points} ({interval}).")
        }
        None => format!("No number is known to make a difference to {title}."),
    };
    if first.is_some() && !doubtful.is_empty() {
        let names: Vec<&str> = doubtful.iter().map(|effect| effect.name()).collect();
        let names = if names.len() > NAMED {
            format!("{} numbers", names.len())
        } else {
            names.join(", ")
        };
        text.push_str(" No difference found for ");
        text.push_str(&names);
        text.push('.');
    }
    text
}

impl Effect {
    /// Its key; what is no gear is a combatant's without saying so.
    fn name(&self) -> &str {
        self.key.strip_prefix("combatants.").unwrap_or(&self.key)
    }

    /// Its worth and the interval as text, with signs, and the digits that the interval allows;
    /// shares in points.
    fn told(&self, unit: Unit) -> (String, String) {
        let factor = match unit {
            Unit::Share => 100.0,
            Unit::Plain => 1.0,
        };
        let worth = self.worth() * factor;
        let idle = || "0".to_owned();
        let Some(interval) = self.interval() else {
            let text = if worth == 0.0 {
                idle()
            } else {
                format!("{worth:+}")
            };
            return (text, String::new());
        };
        let (low, high) = (interval.low * factor, interval.high * factor);
        if self.difference.is_exact {
            let digits = decimals_shown(4, &[worth]);
            let worth = if self.idle() {
                idle()
            } else {
                format!("{worth:+.digits$}")
            };
            return (worth, arm(Interval { low, high }));
        }
        let digits = decimals(interval.half_width() * factor);
        let digits = decimals_shown(digits, &[worth, low, high]);
        (
            if self.idle() {
                idle()
            } else {
                format!("{worth:+.digits$}")
            },
            format!("{low:+.digits$} to {high:+.digits$}"),
        )
    }
}

/// The keys of JSON; `unit` follows [`COLUMNS`] in a row.
const KEYS: &str = "key value less more metric subject unit n mean_less mean_more effect se ci_low ci_high \
                    p_value p_adjusted";

impl Answer for Report {
    const KIND: &'static Kind = &sheet::SENSITIVITY;

    fn is_exact(&self) -> bool {
        self.stop.budget().is_some()
    }

    fn table(&self, style: Style) -> String {
        let mut page = Page::new(style);
        page.heading(1, &self.title);
        let mut head = format!(
            "{}: what 1 more of each number is worth, {}",
            self.variant,
            match &self.stop {
                StopRule::Encounters(count) => format!("{} of each fight", encounters(count.get())),
                _ => "each fight solved".to_owned(),
            }
        );
        if self.interrupted {
            head.push_str(" (interrupted; numbers are missing)");
        }
        page.paragraph(&head);
        for (shown, base) in self.shown.iter().zip(&self.base) {
            page.blank();
            page.heading(2, &shown.title());
            page.blank();
            metric(&mut page, self, shown, base);
        }
        if !self.fixed.is_empty() {
            page.blank();
            let fixed = self.fixed.join(", ");
            page.paragraph(&format!("cannot be 1 more nor 1 less: {fixed}"));
        }
        for note in &self.notes {
            page.note(&note.to_string());
        }
        page.into_text()
    }

    fn rows(&self) -> impl Iterator<Item = Vec<Value>> {
        self.effects.iter().map(|effect| {
            let difference = &effect.difference;
            let is_exact = difference.is_exact;
            let [low, high] = Value::between(effect.interval(), is_exact);
            vec![
                Value::text(&self.scenario),
                Value::text(&self.variant),
                Value::text(&effect.key),
                Value::text(&effect.value),
                Value::text(&effect.less),
                Value::text(&effect.more),
                Value::text(effect.metric.name),
                Value::text(&effect.subject),
                Value::count((!is_exact).then_some(difference.n)),
                Value::estimate(difference.first, is_exact),
                Value::estimate(difference.second, is_exact),
                Value::estimate(effect.worth(), is_exact),
                Value::sampled(effect.se()),
                low,
                high,
                Value::sampled(difference.p_value),
                Value::sampled(effect.p_adjusted),
                Value::method(is_exact),
                Value::text(effect.metric.unit),
            ]
        })
    }

    fn json(&self, manifest: &Manifest, out: &mut dyn Write) -> io::Result<()> {
        let columns = [&COLUMNS[..], &["unit"]].concat();
        let document = Document {
            manifest,
            fixed: &self.fixed,
            effects: Objects::new(&columns, KEYS, self.rows().collect()),
        };
        write_json(&document, out)
    }
}

#[derive(Serialize)]
struct Document<'a> {
    manifest: &'a Manifest,
    fixed: &'a [String],
    effects: Objects<'static>,
}
