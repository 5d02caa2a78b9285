//! What `skirmish check` has found, in the forms in which people and build servers read it.
//!
//! Every form has the same facts in the same order, and nothing that differs between two equal
//! checks: no time, no duration, no thread.

mod github;
mod json;
mod junit;
mod text;

pub use github::github;
pub use json::json;
pub use junit::junit;
pub use text::text;

use super::chart::Unit;
use crate::report::number::{arm, at_a_glance, decimals, decimals_shown, encounters, is_narrow};
use crate::stats::{Confidence, Interval};

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// All of the interval lies where it should.
    Passed,
    /// None of it does.
    Failed,
    /// Some of it does: more encounters might tell.
    Undecided,
}

impl Verdict {
    /// As reports name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Undecided => "undecided",
        }
    }
}

/// A value that has been measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// The value.
    pub value: f64,
    /// Its interval; none where it is exact, or nothing is known about the spread.
    pub interval: Option<Interval>,
}

/// The bounds of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wanted {
    /// From here to there; one end may be infinite.
    Within(f64, f64),
    /// Exactly this.
    Exactly(f64),
    /// The same as in the committed results, give or take so much.
    Unmoved(f64),
}

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Line and column of the file, from 1, at which it is asked for; nowhere if it is asked for on
    /// the command line.
    pub place: Option<(usize, usize)>,
    /// The variant.
    pub variant: String,
    /// The question, in words: `win_rate of hunters`.
    pub what: String,
    /// The metric, if it is about a single one.
    pub metric: Option<&'static str>,
    /// Its subject.
    pub subject: Option<String>,
    /// What of the metric: `mean` or a quantile.
    pub statistic: Option<&'static str>,
    /// The variant that is subtracted, if it is a difference.
    pub from: Option<String>,
    /// Whether values are shares, to be shown in per cent.
    pub share: bool,
    /// The value found, if any.
    pub found: Option<Found>,
    /// The value wanted.
    pub wanted: Wanted,
    /// Encounters of the variant that were looked at.
    pub encounters: u64,
    /// Whether the fight was solved, and so what came of it is proved.
    pub is_exact: bool,
    /// What came of it.
    pub verdict: Verdict,
    /// Details, a line each.
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

/// Everything that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// File by file.
    pub files: Vec<Findings>,
    /// Seed of the encounters.
    pub seed: u64,
    /// The level of all intervals: for an expectation, that of all its looks together.
    pub confidence: Confidence,
    /// Whether undecided questions pass.
    pub undecided_passes: bool,
}

impl Checked {
    /// How many findings have that verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        let of = |finding: &&Finding| finding.verdict == verdict;
        self.all().filter(of).count()
    }

    /// The findings of all files.
    pub(super) fn all(&self) -> impl Iterator<Item = &Finding> {
        self.files.iter().flat_map(|file| &file.list)
    }

    /// Whether nothing stands in the way.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.all().all(|finding| !self.fails(finding))
    }

    /// Whether a finding stands in the way.
    fn fails(&self, finding: &Finding) -> bool {
        match finding.verdict {
            Verdict::Passed => false,
            Verdict::Failed => true,
            Verdict::Undecided => !self.undecided_passes,
        }
    }

    /// `2 proved, 3 passed, 1 failed, 1 undecided`.
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

/// The name of a verdict that a solution proves.
const PROVED: &str = "proved";

impl Finding {
    /// Its verdict for people.
    pub(super) fn verdict_name(&self) -> &'static str {
        match self.verdict {
            Verdict::Passed if self.is_exact => PROVED,
            verdict => verdict.name(),
        }
    }

    /// The question, with its variant.
    pub(super) fn heading(&self) -> String {
        let from = self.from.as_ref();
        let less = from.map_or_else(String::new, |from| format!(" less {from}"));
        format!("{}, {}{less}", self.what, self.variant)
    }

    /// The value and its interval, as cells.
    fn cells(&self) -> (String, String) {
        let Some(found) = self.found else {
            return ("-".to_owned(), "-".to_owned());
        };
        let Some(interval) = found.interval else {
            return (self.number(found.value), "-".to_owned());
        };
        let (factor, sign) = (self.unit().factor(), self.unit().sign());
        let (value, bounds) = (found.value * factor, interval.scaled(factor));
        if is_narrow(found.value, interval, self.share) {
            let number = at_a_glance(value, bounds, self.share);
            return (number + sign, arm(value, bounds) + sign);
        }
        let digits = match self.statistic {
            None | Some("mean") => {
                let shown = [value, bounds.low, bounds.high];
                decimals_shown(decimals(interval.half_width() * factor), &shown)
            }
            // Quantiles are values that came.
            Some(_) => 0,
        };
        // Adding 0 turns -0 into 0.
        let number = |value: f64| format!("{:.digits$}{sign}", value + 0.0);
        (number(value), bounds.ends().map(number).join(" to "))
    }

    /// The value wanted, in words.
    pub(super) fn wish(&self) -> String {
        match self.wanted {
            Wanted::Within(low, f64::INFINITY) => format!("at least {}", self.number(low)),
            Wanted::Within(f64::NEG_INFINITY, high) => format!("at most {}", self.number(high)),
            Wanted::Within(low, high) => {
                format!("{} to {}", self.number(low), self.number(high))
            }
            Wanted::Exactly(value) => format!("exactly {}", self.number(value)),
            Wanted::Unmoved(tolerance) => {
                format!("unmoved, give or take {}", self.number(tolerance))
            }
        }
    }

    /// The kind of its values.
    pub(super) fn unit(&self) -> Unit {
        if self.share { Unit::Share } else { Unit::Plain }
    }

    /// A number with all its digits.
    fn number(&self, value: f64) -> String {
        self.unit().exact(value)
    }

    /// All of it in one sentence, and below that its details.
    fn lines(&self) -> String {
        let mut lines = vec![self.sentence()];
        lines.extend(self.details.iter().cloned());
        lines.join("\n")
    }

    /// All of it in one sentence.
    pub(super) fn sentence(&self) -> String {
        let (value, interval) = self.cells();
        let value = match self.found {
            None => "nothing".to_owned(),
            Some(Found { interval: None, .. }) => value,
            Some(_) => format!("{value} ({interval})"),
        };
        let how = if self.is_exact {
            "exactly".to_owned()
        } else {
            format!("after {}", encounters(self.encounters))
        };
        format!("{}: {value} {how}, wanted {}", self.heading(), self.wish())
    }
}
