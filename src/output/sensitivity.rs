//! What a sensitivity leaves: a ranking with bars, CSV and JSON.

use super::chart::{self, Unit};
use super::csv::{cell, unwrapped};
use super::number::{Rounded, decimals, decimals_shown, encounters};
use super::page::{Grid, Page, Style};
use super::sweep::Shown;
use super::{Manifest, rows};
use crate::stats::paired::Difference;
use crate::stats::{Confidence, Interval, Summary};
use crate::tally::Metric;
use serde::Serialize;
use std::io::{self, Write};

/// Columns of `sensitivity.csv`.
pub const COLUMNS: [&str; 17] = [
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
    /// Encounters of each fight.
    pub encounters: u64,
    /// The level of all intervals.
    pub confidence: Confidence,
    /// What was measured, and whose.
    pub shown: Vec<Shown>,
    /// The same in the fight as it is.
    pub base: Vec<Summary>,
    /// What the numbers do to each metric.
    pub effects: Vec<Effect>,
    /// Keys of numbers that can be neither 1 more nor 1 less.
    pub fixed: Vec<String>,
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
        self.difference.difference == 0.0 && self.difference.se == Some(0.0)
    }

    /// Whether it is certain that it makes a difference, among all that were asked about.
    fn certain(&self, confidence: Confidence) -> bool {
        // What differs by the same in every encounter has no p-value.
        let p = self.p_adjusted.unwrap_or(0.0);
        !self.idle() && p <= confidence.error()
    }
}

/// The whole answer as text.
#[must_use]
pub fn table(report: &Report, style: Style) -> String {
    let mut page = Page::new(style);
    page.heading(1, &report.title);
    let mut head = format!(
        "{}: what 1 more of each number is worth, {} of each fight",
        report.variant,
        encounters(report.encounters)
    );
    if report.interrupted {
        head.push_str(" (interrupted; numbers are missing)");
    }
    page.line(&page.name(&head));
    for (shown, base) in report.shown.iter().zip(&report.base) {
        page.blank();
        page.heading(2, &shown.title());
        page.blank();
        metric(&mut page, report, shown, base);
    }
    if !report.fixed.is_empty() {
        page.blank();
        let fixed = report.fixed.join(", ");
        page.line(&page.name(&format!("cannot be 1 more nor 1 less: {fixed}")));
    }
    page.into_text()
}

fn metric(page: &mut Page, report: &Report, shown: &Shown, base: &Summary) {
    let unit = shown.unit();
    let (mean, interval) = shown.told(Some(base));
    let interval = match interval.as_str() {
        "" => String::new(),
        interval => format!(" ({interval})"),
    };
    page.line(&format!("as it is: {mean}{interval}"));
    page.blank();
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
        &format!("{confidence} interval"),
        "",
    ];
    let mut grid = match page.style() {
        Style::Terminal => Grid::new(&titles).with_bars(),
        Style::Markdown => Grid::new(&titles[..4]),
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
            if page.style() == Style::Terminal {
                row.push(chart::deviation(effect.worth(), most));
            }
            grid.row(row);
        }
    }
    page.grid(&grid);
    page.blank();
    let points = match unit {
        Unit::Share => " points",
        Unit::Plain => "",
    };
    if let Some(first) = certain.first() {
        let (worth, interval) = first.told(unit);
        page.line(&page.name(&format!(
            "1 more of {} is worth {worth}{points} in {}, {confidence} interval {interval}",
            first.name(),
            shown.title()
        )));
    }
    let tested = certain.len() + uncertain.len();
    let missing = tested as f64 * confidence.error();
    page.line(&format!(
        "each interval is {confidence} for itself: of these {tested} about {missing:.1} miss"
    ));
    page.line(&format!(
        "what makes a difference is told with {confidence} certainty for all together (Holm)"
    ));
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

/// Writes a row for every metric and number.
///
/// # Errors
/// If `out` cannot be written.
pub fn csv(report: &Report, out: impl Write) -> io::Result<()> {
    let mut lines = super::csv::Rows::new(out);
    lines.write_record(COLUMNS).map_err(unwrapped)?;
    for effect in &report.effects {
        let difference = &effect.difference;
        lines
            .write_record([
                &report.scenario,
                &report.variant,
                &effect.key,
                &effect.value,
                &effect.less,
                &effect.more,
                effect.metric.name,
                &effect.subject,
                &difference.n.to_string(),
                &Rounded::new(difference.first).to_string(),
                &Rounded::new(difference.second).to_string(),
                &Rounded::new(effect.worth()).to_string(),
                &cell(effect.se().map(Rounded::new)),
                &cell(effect.interval().map(rows::low)),
                &cell(effect.interval().map(rows::high)),
                &cell(difference.p_value.map(Rounded::new)),
                &cell(effect.p_adjusted.map(Rounded::new)),
            ])
            .map_err(unwrapped)?;
    }
    lines.flush()
}

#[derive(Serialize)]
struct Document<'a> {
    manifest: &'a Manifest,
    fixed: &'a [String],
    effects: Vec<Object<'a>>,
}

#[derive(Serialize)]
struct Object<'a> {
    key: &'a str,
    value: &'a str,
    less: &'a str,
    more: &'a str,
    metric: &'static str,
    subject: &'a str,
    unit: &'static str,
    n: u64,
    mean_less: Rounded,
    mean_more: Rounded,
    effect: Rounded,
    se: Option<Rounded>,
    ci_low: Option<Rounded>,
    ci_high: Option<Rounded>,
    p_value: Option<Rounded>,
    p_adjusted: Option<Rounded>,
}

impl<'a> From<&'a Effect> for Object<'a> {
    fn from(effect: &'a Effect) -> Self {
        let difference = &effect.difference;
        Self {
            key: &effect.key,
            value: &effect.value,
            less: &effect.less,
            more: &effect.more,
            metric: effect.metric.name,
            subject: &effect.subject,
            unit: effect.metric.unit,
            n: difference.n,
            mean_less: Rounded::new(difference.first),
            mean_more: Rounded::new(difference.second),
            effect: Rounded::new(effect.worth()),
            se: effect.se().map(Rounded::new),
            ci_low: effect.interval().map(rows::low),
            ci_high: effect.interval().map(rows::high),
            p_value: difference.p_value.map(Rounded::new),
            p_adjusted: effect.p_adjusted.map(Rounded::new),
        }
    }
}

/// Writes everything as one document.
///
/// # Errors
/// If `out` cannot be written.
pub fn json(report: &Report, manifest: &Manifest, mut out: impl Write) -> io::Result<()> {
    let document = Document {
        manifest,
        fixed: &report.fixed,
        effects: report.effects.iter().map(Object::from).collect(),
    };
    serde_json::to_writer_pretty(&mut out, &document)?;
    out.write_all(b"\n")
}
