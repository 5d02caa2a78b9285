//! The results of a comparison as sentences, a table, CSV and JSON.

use super::chart::Unit;
use super::sheet::{self, SheetKind};
use super::table::why;
use super::{Answer, ranking};
use crate::names::named;
use crate::report::number::{
    decimals, decimals_of_percents, decimals_shown, encounters, exact_decimals, exact_difference,
    grouped, rounded_up, signed,
};
use crate::report::{Page, Style, TextGrid, Value};
use crate::run::{Ended, Until};
use crate::stats::paired::{Difference, Luck};
use crate::stats::quantile::unseen;
use crate::stats::{Confidence, Interval, Precision};
use crate::tally::{Kind, Metric, Scope, metrics};
use std::collections::HashMap;

named! {
    /// The statistic of a metric that is compared.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Statistic {
        /// The mean of each variant over all its encounters that show a value; the rate if the metric is a rate.
        Mean "mean";
        /// The mean over only those encounters in which both variants show a value.
        Paired "paired";
        /// The median.
        Median "median";
    }
}

/// The variants of a scenario, each compared with the baseline.
#[derive(Debug, Clone)]
pub struct Comparisons {
    /// Name of the scenario, or of both scenarios.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The question of the scenario.
    pub question: Option<String>,
    /// The variant that the others are compared with.
    pub baseline: String,
    /// The other variants, in file order.
    pub variants: Vec<Compared>,
    /// The rule that ends the run.
    pub until: Until,
    /// The reason why the run ended.
    pub ended: Ended,
    /// The confidence level of the intervals.
    pub confidence: Confidence,
    /// Notes for the reader.
    pub notes: Vec<String>,
}

/// A variant, compared with the baseline.
#[derive(Debug, Clone)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// Its changes, as keys and values.
    pub changes: Vec<(String, String)>,
    /// Encounters that both variants have played.
    pub encounters: u64,
    /// The situations of the baseline and of this variant, if both were solved.
    pub states: Option<[u64; 2]>,
    /// Whether the two variants used the same dice.
    pub luck: Luck,
    /// The compared statistics of all metrics.
    pub differences: Vec<Row>,
}

/// One statistic of one metric, compared between two variants.
#[derive(Debug, Clone)]
pub struct Row {
    /// The metric.
    pub metric: &'static Metric,
    /// The statistic of the metric.
    pub statistic: Statistic,
    /// Name of the metric's subject.
    pub subject: String,
    /// The difference of variant and baseline.
    pub difference: Difference,
    /// The p-value, adjusted for the number of comparisons (Holm).
    pub p_adjusted: Option<f64>,
}

fn headline(all: &Comparisons, variant: &Compared) -> String {
    let luck = match variant.luck {
        Luck::Common => "on the same dice",
        Luck::Separate => "each on dice of its own, as they share no combatant",
    };
    let of = match (all.ended, &all.until) {
        (Ended::Interrupted | Ended::Partial, Until::Encounters(planned)) => {
            format!(" of {}", grouped(planned.get()))
        }
        _ => String::new(),
    };
    let why = match all.ended {
        Ended::Exhausted => " (not everything is decided)",
        Ended::TooLarge => why(Ended::Interrupted),
        ended => why(ended),
    };
    let played = match variant.states {
        Some(states) => format!("exact, {} situations", states.map(grouped).join(" and ")),
        None => format!("{}{of}{why}, {luck}", encounters(variant.encounters)),
    };
    format!("{} against {}: {played}", variant.name, all.baseline)
}

fn figures(page: &Page, all: &Comparisons) -> TextGrid {
    let interval = all.until.intervals(all.confidence);
    let is_exact = all.until.is_exact();
    let titles = [
        "",
        "n",
        &all.baseline,
        "variant",
        "difference",
        &interval,
        "p (Holm)",
        "shrinkage",
    ];
    let mut grid = if is_exact {
        TextGrid::new([titles[0], titles[2], titles[3], titles[4], titles[5]])
    } else {
        TextGrid::new(titles).together(1..4).together(4..8)
    };
    for variant in &all.variants {
        grid.group(variant.name.clone());
        for row in &variant.differences {
            let difference = &row.difference;
            let [first, second] = [difference.first, difference.second].map(|one| row.number(one));
            let dash = || "-".to_owned();
            if is_exact {
                let mut cells = vec![page.indented(&row.title()), first, second];
                cells.extend(row.exact());
                grid.row(cells);
                continue;
            }
            grid.row(vec![
                page.indented(&row.title()),
                row.counts(),
                first,
                second,
                row.signed(difference.difference),
                difference.interval.map_or_else(dash, |interval| {
                    interval.ends().map(|end| row.signed(end)).join(" to ")
                }),
                row.p_adjusted.map_or_else(dash, probability),
                difference
                    .shrinkage
                    .map_or_else(dash, |factor| format!("{factor:.1}x")),
            ]);
        }
    }
    grid
}

/// Formats a p-value with four decimals.
fn probability(p: f64) -> String {
    if p < 0.0001 {
        "<0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

impl Row {
    /// Returns the title of the row: the statistic, the metric and its subject.
    fn title(&self) -> String {
        let words = self.metric.words();
        let metric = match self.statistic {
            Statistic::Mean => words,
            Statistic::Paired => format!("{words} (where both have one)"),
            Statistic::Median => format!("median {words}"),
        };
        match self.metric.scope {
            Scope::Encounter => metric,
            Scope::Side | Scope::Combatant | Scope::Outcome => {
                format!("{}: {metric}", self.subject)
            }
        }
    }

    /// Formats the difference with its sign: `+13.7 points`.
    pub(super) fn gap(&self) -> String {
        self.signed(self.difference.difference) + self.unit().points()
    }

    /// Formats both values: `68.0% instead of 54.3%`.
    pub(super) fn values(&self) -> String {
        let [first, second] = [self.difference.first, self.difference.second];
        format!("{} instead of {}", self.number(second), self.number(first))
    }

    /// Formats one of the two values with the digits of the difference, and with more if it would look like 0, or a
    /// share like 100%, without being so.
    fn number(&self, value: f64) -> String {
        let (unit, digits) = (self.unit(), self.digits());
        let shown = [value * unit.factor()];
        let digits = match unit {
            Unit::Share => decimals_of_percents(digits, &shown),
            Unit::Plain => decimals_shown(digits, &shown),
        };
        unit.text(value, digits)
    }

    /// Formats a difference with its sign; a difference of rates is in points.
    fn signed(&self, value: f64) -> String {
        signed(value * self.unit().factor(), self.digits())
    }

    /// Formats the number of encounters; of both variants if the numbers differ.
    fn counts(&self) -> String {
        match self.difference.counts {
            [first, second] if first == second => grouped(first),
            [first, second] => format!("{}, {}", grouped(first), grouped(second)),
        }
    }

    /// Formats an exact difference and its bounds.
    fn exact(&self) -> [String; 2] {
        let (factor, difference) = (self.unit().factor(), &self.difference);
        let Some(bounds) = difference.interval else {
            return Default::default();
        };
        let bounds = bounds.scaled(factor);
        let [number, text] = exact_difference(difference.difference * factor, bounds);
        let is_open = bounds.half_width() > 0.0;
        [number, if is_open { text } else { String::new() }]
    }

    /// Whether no encounter differed, and either both variants have only ever shown one value, or nothing bounds the
    /// differences that may be hidden.
    pub fn is_moot(&self) -> bool {
        let difference = &self.difference;
        difference.is_none() && (difference.correlation.is_none() || difference.interval.is_none())
    }

    /// Whether the comparison is decided: either a difference is certain, or any difference is too small to matter. If
    /// no difference was seen, this takes an interval that is narrow enough, as the interval bounds a difference that
    /// may be hidden. Statistics other than means follow from the means and are never waited for.
    pub fn is_decided(&self, indifference: &Precision) -> bool {
        let difference = &self.difference;
        let none = indifference.of(self.metric.kind, Some(difference.first));
        let decides = |interval: Interval| {
            interval.excludes_zero() || (interval.low >= -none && interval.high <= none)
        };
        self.statistic != Statistic::Mean || difference.interval.is_some_and(decides)
    }

    /// Describes the difference in one sentence.
    pub fn sentence(&self, confidence: Confidence) -> String {
        let difference = &self.difference;
        let (factor, digits) = (self.unit().factor(), self.digits());
        let amount = |value: f64| format!("{:.digits$}", value.abs() * factor);
        let points = self.unit().points();
        let (what, more, less) = self.words();
        let [first, second] = difference.counts;
        let of = match self.statistic {
            Statistic::Paired => format!(", of {}", encounters(difference.n)),
            Statistic::Mean if first != second => {
                format!(", of {} and {} encounters", grouped(second), grouped(first))
            }
            _ => String::new(),
        };
        let values = format!("{}{of}", self.values());
        let Some(interval) = difference.interval else {
            let varies = difference.correlation.is_some();
            return if difference.is_none() {
                let none = if varies { "" } else { ", and none varied" };
                format!("{what}: {}{none}", none_differs(difference.n, confidence))
            } else if varies || difference.se != Some(0.0) {
                format!("{what}: {values}, too few encounters for an interval")
            } else {
                format!("{what}: {values} in every encounter")
            };
        };
        let (low, high) = (interval.low, interval.high);
        if difference.is_exact {
            let word = if low > 0.0 { more } else { less };
            let [gap, bounds] = self.exact();
            let size = amount(difference.difference);
            return if difference.is_none() {
                format!("{what}: no difference, exact")
            } else if difference.is_open() {
                format!("{what}: not decided, {gap}{points}, bounds {bounds} ({values})")
            } else if interval.is_rounding(difference.first) {
                format!("{what} {size} {word} ({values}), exact")
            } else {
                format!("{what} {size} {word} ({values}), bounds {bounds}")
            };
        }
        if interval.excludes_zero() {
            let (word, near, far) = if low > 0.0 {
                (more, low, high)
            } else {
                (less, high, low)
            };
            format!(
                "{what} {} {word} ({values}), {confidence} interval {} to {}",
                amount(difference.difference),
                amount(near),
                amount(far)
            )
        } else if interval.half_width() <= 0.0 {
            format!("{what}: no difference, {confidence} interval 0 to 0")
        } else {
            // Medians have no standard error, and agree far more often than single encounters.
            let none = if difference.is_none() {
                "no difference in any encounter".to_owned()
            } else {
                format!("no measurable difference{of}")
            };
            let farthest = low.abs().max(high.abs());
            let farthest = rounded_up(farthest * factor, digits);
            format!("{what}: {none} (±{farthest:.digits$}{points})")
        }
    }

    fn unit(&self) -> Unit {
        Unit::of(self.metric)
    }

    /// Returns the decimals that the interval allows.
    fn digits(&self) -> usize {
        let factor = self.unit().factor();
        match (self.statistic, self.difference.interval) {
            (Statistic::Mean | Statistic::Paired, Some(bounds)) if self.difference.is_exact => {
                let digits = exact_decimals(bounds.scaled(factor));
                let gap = [self.difference.difference * factor];
                let shown: &[f64] = if self.difference.is_none() { &[] } else { &gap };
                decimals_shown(digits, shown)
            }
            (Statistic::Mean | Statistic::Paired, Some(interval)) => {
                let digits = decimals(interval.half_width() * factor);
                // An interval that excludes 0 must not look as if it reached 0.
                let near = interval.low.abs().min(interval.high.abs()) * factor;
                digits + usize::from(near > 0.0 && format!("{near:.digits$}").parse() == Ok(0.0))
            }
            // More decimals of a value that never varied would be of no use.
            (Statistic::Mean | Statistic::Paired, None) => 2,
            // Medians of whole numbers are whole.
            (Statistic::Median, _) => 0,
        }
    }

    /// Returns the subject of the sentence, and the words for more and for less of it.
    fn words(&self) -> (String, &'static str, &'static str) {
        let subject = &self.subject;
        if self.metric.kind == Kind::Rate {
            let event = match self.metric.name {
                "win_rate" => format!("{subject} win"),
                "alive" => format!("{subject} stands at the end"),
                metrics::MUTUAL => "nobody stands at the end".to_owned(),
                metrics::TIMEOUT => "max_rounds ends it".to_owned(),
                metrics::OUTCOME_RATE => format!("it ends with {subject}"),
                _ => self.title(),
            };
            return (event, "points more often", "points less often");
        }
        (self.title(), "more", "less")
    }
}

/// Says that no encounter of `n` differs, and how many may differ in the long run.
pub(super) fn none_differs(n: u64, confidence: Confidence) -> String {
    let none = "no difference in any encounter";
    if n == 0 {
        return none.to_owned();
    }
    let share = unseen(n, confidence.error()) * 100.0;
    let digits = decimals(share);
    let share = rounded_up(share, digits);
    format!("{none}, so in less than {share:.digits$}% of all")
}

/// Columns that follow those of CSV in a row, for JSON only.
const MORE: [&str; 3] = ["scope", "unit", "sentence"];

/// The keys of a comparison in JSON.
const KEYS: &str = "metric subject scope unit statistic sentence n baseline_n variant_n baseline_value \
                    variant_value difference se ci_low ci_high p_value p_adjusted correlation shrinkage";

impl Comparisons {
    fn rows_of(&self, variant: &Compared) -> impl Iterator<Item = Vec<Value>> {
        variant.differences.iter().map(move |row| {
            let difference = &row.difference;
            let is_exact = difference.is_exact;
            let [low, high] = Value::between(difference.interval, is_exact);
            let count = |count| Value::count((!is_exact).then_some(count));
            vec![
                Value::text(&self.scenario),
                Value::text(&self.baseline),
                Value::text(&variant.name),
                Value::text(row.metric.name),
                Value::text(&row.subject),
                count(difference.n),
                Value::estimate(difference.difference, is_exact),
                Value::sampled(difference.se),
                low,
                high,
                Value::sampled(difference.p_value),
                Value::sampled(row.p_adjusted),
                Value::sampled(difference.correlation),
                Value::text(row.statistic.name()),
                Value::estimate(difference.first, is_exact),
                Value::estimate(difference.second, is_exact),
                Value::sampled(difference.shrinkage),
                Value::text(variant.luck.name()),
                count(difference.counts[0]),
                count(difference.counts[1]),
                Value::method(is_exact),
                Value::text(row.metric.scope.name()),
                Value::text(row.metric.unit),
                Value::text(&row.sentence(self.confidence)),
            ]
        })
    }
}

impl Answer for Comparisons {
    fn kind(&self) -> &'static SheetKind {
        &sheet::COMPARISONS
    }

    fn is_exact(&self) -> bool {
        self.until.is_exact()
    }

    fn headline(&self) -> String {
        ranking::of_comparisons(self).unwrap_or_default()
    }

    fn table(&self, style: Style) -> String {
        let mut page = Page::new(style);
        page.heading(1, &self.title);
        if let Some(question) = &self.question {
            page.paragraph(question);
        }
        if let Some(text) = ranking::of_comparisons(self) {
            page.blank();
            page.paragraph(&text);
        }
        for variant in &self.variants {
            page.blank();
            page.heading(2, &headline(self, variant));
            if page.is_markdown() {
                page.blank();
            }
            for row in &variant.differences {
                page.item(&row.sentence(self.confidence));
            }
        }
        page.blank();
        page.grid(&figures(&page, self));
        for note in &self.notes {
            page.blank();
            page.note(note);
        }
        page.into_text()
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Value>> + '_> {
        let rows = |variant| self.rows_of(variant);
        Box::new(self.variants.iter().flat_map(rows))
    }

    fn members(&self) -> Vec<(&'static str, Value)> {
        let object = |row: Vec<Value>| {
            let columns = self.kind().columns.iter().map(|column| column.name());
            let columns = columns.chain(MORE);
            let mut cells: HashMap<&str, Value> = columns.zip(row).collect();
            let member = |key| Some((key, cells.remove(key)?));
            Value::Object(KEYS.split_whitespace().filter_map(member).collect())
        };
        let variants = self.variants.iter().map(|variant| {
            let differences = self.rows_of(variant).map(object).collect();
            Value::Object(vec![
                ("name", Value::text(&variant.name)),
                ("encounters", Value::count(variant.encounters)),
                ("luck", Value::text(variant.luck.name())),
                ("differences", Value::List(differences)),
            ])
        });
        vec![
            ("question", Value::named(self.question.as_deref())),
            ("baseline", Value::text(&self.baseline)),
            ("notes", Value::texts(self.notes.iter().cloned())),
            ("variants", Value::List(variants.collect())),
        ]
    }
}
