//! The findings of `skirmish check`, in the formats that people and build servers read.
//!
//! Every format has the same facts in the same order, and nothing that differs between two equal checks: no time, no
//! duration, no thread.

mod github;
mod json;
mod junit;
mod text;

pub use github::{github, github_errors};
pub use json::json;
pub use junit::junit;
pub use text::text;

use super::chart::Unit;
use crate::names::named;
use crate::report::number::{
    Rounded, arm, at_a_glance, decimals, decimals_shown, encounters, is_narrow,
};
use crate::stats::{Confidence, Interval};

named! {
    /// The result of testing an expectation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Verdict {
        /// All of the interval lies within the wanted values.
        Passed "passed";
        /// None of the interval lies within the wanted values.
        Failed "failed";
        /// Part of the interval lies within the wanted values: more encounters may decide.
        Undecided "undecided";
    }
}

/// A measured value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// The value.
    pub value: f64,
    /// The interval; `None` if the value is exact, or if nothing is known about the spread.
    pub interval: Option<Interval>,
}

/// The values that an expectation allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expected {
    /// A range; one end may be infinite.
    Within(f64, f64),
    /// Exactly this value.
    Exactly(f64),
    /// As in the committed results, within this tolerance.
    Unmoved(f64),
}

/// The result of testing one expectation.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Line and column of the expectation in the file, from 1; `None` if it is given on the command line.
    pub place: Option<(usize, usize)>,
    /// The variant.
    pub variant: String,
    /// The tested quantity, in words: `win_rate of hunters`.
    pub what: String,
    /// The metric, if the expectation is about a single one.
    pub metric: Option<&'static str>,
    /// Its subject.
    pub subject: Option<String>,
    /// The statistic of the metric: `mean` or a quantile.
    pub statistic: Option<&'static str>,
    /// The variant that is subtracted, if the quantity is a difference.
    pub from: Option<String>,
    /// Whether values are shares, to be shown in per cent.
    pub share: bool,
    /// The value found, if any.
    pub found: Option<Measurement>,
    /// The value wanted.
    pub wanted: Expected,
    /// Number of encounters of the variant that were evaluated.
    pub encounters: u64,
    /// Whether the fight was solved, so that the verdict is proved.
    pub is_exact: bool,
    /// The verdict.
    pub verdict: Verdict,
    /// Details, one a line.
    pub details: Vec<String>,
}

/// The findings about one scenario file.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// The file's path, as given.
    pub file: String,
    /// The scenario's name.
    pub scenario: String,
    /// The findings, in the order of the questions.
    pub list: Vec<Finding>,
}

/// The findings of a whole check.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The findings, file by file.
    pub files: Vec<Findings>,
    /// Seed of the encounters.
    pub seed: u64,
    /// The level of all intervals. For an expectation, the level holds for all its looks together.
    pub confidence: Confidence,
    /// Whether undecided expectations pass.
    pub undecided_passes: bool,
}

impl Checked {
    /// Returns the number of findings with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        let of = |finding: &&Finding| finding.verdict == verdict;
        self.all().filter(of).count()
    }

    /// Returns the findings of all files.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Finding> {
        self.files.iter().flat_map(|file| &file.list)
    }

    /// Whether the check passes: no finding fails.
    pub fn passed(&self) -> bool {
        self.all().all(|finding| !self.fails(finding))
    }

    /// Whether a finding makes the check fail.
    fn fails(&self, finding: &Finding) -> bool {
        match finding.verdict {
            Verdict::Passed => false,
            Verdict::Failed => true,
            Verdict::Undecided => !self.undecided_passes,
        }
    }

    /// Formats the counts: `2 proved, 3 passed, 1 failed, 1 undecided`.
    fn tally(&self) -> String {
        let mut parts = Vec::new();
        for name in [PROVED, "passed", "failed", "undecided"] {
            let of = |finding: &&Finding| finding.verdict_name() == name;
            let count = self.all().filter(of).count();
            let is_sampled = || self.all().all(|finding| !finding.is_exact);
            if count > 0 || (name == "passed" && is_sampled()) {
                parts.push(format!("{count} {name}"));
            }
        }
        let allowed = self.undecided_passes && self.count(Verdict::Undecided) > 0;
        let note = if allowed { " (allowed)" } else { "" };
        parts.join(", ") + note
    }
}

/// The name of a `Passed` verdict that a solution proves.
const PROVED: &str = "proved";

impl Finding {
    /// Returns the name of the verdict for people.
    pub(super) fn verdict_name(&self) -> &'static str {
        match self.verdict {
            Verdict::Passed if self.is_exact => PROVED,
            verdict => verdict.name(),
        }
    }

    /// Returns the tested quantity with its variant.
    pub(super) fn heading(&self) -> String {
        let from = self.from.as_ref();
        let less = from.map_or_else(String::new, |from| format!(" less {from}"));
        format!("{}, {}{less}", self.what, self.variant)
    }

    /// Formats the value and its interval as cells.
    fn cells(&self) -> (String, String) {
        let Some(found) = self.found else {
            return ("-".to_owned(), "-".to_owned());
        };
        let Some(interval) = found.interval else {
            return (self.number(found.value), "-".to_owned());
        };
        let (factor, [sign, word]) = (self.unit().factor(), self.unit_signs());
        let (value, bounds) = (found.value * factor, interval.scaled(factor));
        if is_narrow(found.value, interval, self.share) {
            let number = at_a_glance(value, bounds, self.share);
            return [number, arm(value, bounds)]
                .map(|text| text + sign + word)
                .into();
        }
        let digits = match self.statistic {
            None | Some("mean") => {
                let shown = [value, bounds.low, bounds.high];
                decimals_shown(decimals(interval.half_width() * factor), &shown)
            }
            // Quantiles are values that occurred.
            Some(_) => 0,
        };
        // Adding 0 turns -0 into 0.
        let number = |value: f64| format!("{:.digits$}{sign}", value + 0.0);
        let ends = bounds.ends().map(number).join(" to ");
        (number(value) + word, ends + word)
    }

    /// Describes the wanted value in words.
    pub(super) fn wish(&self) -> String {
        match self.wanted {
            Expected::Within(low, f64::INFINITY) => format!("at least {}", self.number(low)),
            Expected::Within(f64::NEG_INFINITY, high) => format!("at most {}", self.number(high)),
            Expected::Within(low, high) => {
                let low = Rounded::new(low * self.unit().factor());
                format!("{low}{} to {}", self.unit_signs()[0], self.number(high))
            }
            Expected::Exactly(value) => format!("exactly {}", self.number(value)),
            Expected::Unmoved(tolerance) => {
                format!("unmoved, give or take {}", self.number(tolerance))
            }
        }
    }

    /// Returns the unit of the values.
    pub(super) fn unit(&self) -> Unit {
        if self.share { Unit::Share } else { Unit::Plain }
    }

    /// Returns the sign after each number, and the word after a number or a range: a difference of rates is in points.
    fn unit_signs(&self) -> [&'static str; 2] {
        match self.from {
            Some(_) => ["", self.unit().points()],
            None => [self.unit().sign(), ""],
        }
    }

    /// Formats a number with all its digits.
    fn number(&self, value: f64) -> String {
        let number = Rounded::new(value * self.unit().factor()).to_string();
        number + &self.unit_signs().concat()
    }

    /// Describes the finding in one sentence, followed by a line for each detail.
    fn lines(&self) -> String {
        let mut lines = vec![self.sentence()];
        lines.extend(self.details.iter().cloned());
        lines.join("\n")
    }

    /// Describes the finding in one sentence.
    pub(super) fn sentence(&self) -> String {
        let (value, interval) = self.cells();
        let value = match self.found {
            None => "no value".to_owned(),
            Some(Measurement { interval: None, .. }) => value,
            Some(_) => format!("{value} ({interval})"),
        };
        let how = match (self.is_exact, self.found) {
            (true, None) => "in the exact solution".to_owned(),
            (true, Some(_)) => "exactly".to_owned(),
            (false, _) => format!("after {}", encounters(self.encounters)),
        };
        format!("{}: {value} {how}, wanted {}", self.heading(), self.wish())
    }
}
