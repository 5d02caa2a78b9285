//! The results of a knockout, and of a sensitivity, which covers numbers only: a ranking with bars, CSV and JSON.

mod answer;
mod files;
mod page;

use super::Note;
use super::sweep::Shown;
use crate::report::number::counted;
use crate::run::Until;
use crate::scenario::Change;
use crate::stats::paired::Difference;
use crate::stats::{Confidence, Summary, significance};
use crate::tally::Metric;
use std::sync::Arc;

/// The changes that a run covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covered {
    /// Each number raised by 1: a sensitivity.
    Numbers,
    /// All changes: a knockout.
    Everything,
}

/// The effects of all changes.
#[derive(Debug, Clone)]
pub struct ChangesReport {
    /// The changes that the run covers.
    pub part: Covered,
    /// Name of the scenario: its file name without folder and extension.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The variant that was changed.
    pub variant: String,
    /// The rule that ends the run of each fight.
    pub until: Until,
    /// Encounters that each fight has played; 0 if the fights were solved.
    pub encounters: u64,
    /// The level of all intervals.
    pub confidence: Confidence,
    /// The metrics that were measured, and their subjects.
    pub shown: Vec<Shown>,
    /// The same metrics in the unchanged fight.
    pub base: Vec<Summary>,
    /// The effects of the changes on each metric, in the order of the file.
    pub effects: Vec<Effect>,
    /// Changes that are left out, each with the reason: it cannot be made, or a side would do nothing.
    pub fixed: Vec<(Arc<Change>, String)>,
    /// Notes on the numbers.
    pub notes: Vec<Note>,
    /// Whether fewer encounters were played than requested.
    pub interrupted: bool,
}

/// The effect of one change on one metric.
#[derive(Debug, Clone)]
pub struct Effect {
    /// The metric.
    pub metric: &'static Metric,
    /// Name of the metric's subject.
    pub subject: String,
    /// The change.
    pub change: Arc<Change>,
    /// The changed fight less the fight as it is, compared pair by pair. For a number that cannot be 1 more, the fight as
    /// it is less the fight with 1 less.
    pub difference: Difference,
    /// Whether any measured value differs from the unchanged fight in any encounter. In solved fights, whether it may
    /// differ within the bounds.
    pub differs: bool,
    /// For a number that can be both lowered and raised by 1: the worth of the last point, which is the fight as it is
    /// less the fight with 1 less.
    pub last: Option<Difference>,
    /// The p-value, adjusted for all changes and metrics (Holm).
    pub p_adjusted: Option<f64>,
    /// The p-value of the difference between the last point and the next one, adjusted in the same way.
    pub p_of_steps_adjusted: Option<f64>,
}

/// The heading of the list of numbers whose two steps differ.
const UNEVEN: &str = "worth of the last point and of the next one";

/// The verdict on a number whose two steps differ, in files.
pub(super) const UNEVEN_NAME: &str = "uneven";

/// Begins the note on the two steps of a number that differ.
const DIFFER: &str = "the last point and the next one differ much";

/// The certainty of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The change makes a difference.
    Certain,
    /// The last point and the next one differ much in worth.
    Uneven,
    /// The bounds of solved fights include 0.
    Open,
    /// The difference may be due to chance.
    Uncertain,
    /// The change makes no difference in any encounter.
    None,
}

impl Verdict {
    /// Returns the name used in files.
    fn name(self) -> &'static str {
        match self {
            Self::Certain => "difference",
            Self::Uneven => UNEVEN_NAME,
            Self::Open | Self::Uncertain => "unclear",
            Self::None => "none",
        }
    }
}

impl Effect {
    /// Returns an upper bound on the p-value of the difference between the last point and the next one. Returns `None`
    /// if only one of the two was played, if neither makes a difference, and for solved fights.
    pub fn p_of_steps(&self) -> Option<f64> {
        let (last, next) = (self.last.as_ref()?, &self.difference);
        if last.is_exact {
            return None;
        }
        // A difference that is 0 in every encounter has no standard error.
        match [last, next].map(Difference::is_none) {
            [true, true] => None,
            [true, false] => next.p_value,
            [false, true] => last.p_value,
            // Both use the same encounters of the unchanged fight, so their errors add up at worst.
            [false, false] => {
                let z = (next.difference - last.difference) / (last.se? + next.se?);
                z.is_finite().then(|| significance::two_sided(z))
            }
        }
    }

    /// Returns the last point, if it and the next one are known to differ, and one is worth more than twice the other or
    /// their signs differ.
    fn uneven(&self, confidence: Confidence) -> Option<&Difference> {
        let (known, next) = (self.last.as_ref()?, &self.difference);
        let last = known;
        let is_known = if last.is_exact {
            let [last, next] = [last.interval?, next.interval?];
            last.high < next.low || next.high < last.low
        } else {
            // Steps that are each the same in every encounter have no p-value.
            let never_varied = || [last, next].iter().all(|step| step.se == Some(0.0));
            { self.p_of_steps_adjusted }.map_or_else(never_varied, |p| p <= confidence.error())
        };
        let (last, next) = (last.difference, next.difference);
        let [less, more] = [last.abs().min(next.abs()), last.abs().max(next.abs())];
        (is_known && (more > 2.0 * less || last * next < 0.0)).then_some(known)
    }
}

impl ChangesReport {
    /// Whether the fights were solved.
    fn solved(&self) -> bool {
        self.until.is_exact()
    }

    /// Returns the notes to read before the numbers.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let fixed = (!self.fixed.is_empty()).then(|| {
            let reasons = self.reasons();
            format!("{}: {}", self.left_out(), reasons.join(". "))
        });
        let of = |metric: &Metric| {
            self.shown
                .iter()
                .find(|shown| shown.metric.name == metric.name)
        };
        let uneven = self.effects.iter().filter_map(|effect| {
            let shown = of(effect.metric)?;
            let steps = effect.steps_text(shown.unit(), self.confidence)?;
            let title = shown.title();
            Some(format!("{title}: {DIFFER}: {steps}"))
        });
        let notes = self.notes.iter().map(ToString::to_string);
        fixed.into_iter().chain(uneven).chain(notes).collect()
    }

    /// Says how many changes are left out.
    fn left_out(&self) -> String {
        format!("left out: {}", counted(self.fixed.len() as u64, "change"))
    }

    /// Returns each reason why changes are left out, with these changes.
    fn reasons(&self) -> Vec<String> {
        let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
        for (change, reason) in &self.fixed {
            match reasons.iter_mut().find(|(other, _)| other == reason) {
                Some((_, names)) => names.push(change.name()),
                None => reasons.push((reason, vec![change.name()])),
            }
        }
        let in_words =
            |(reason, names): &(&str, Vec<String>)| format!("{reason}: {}", names.join("; "));
        reasons.iter().map(in_words).collect()
    }

    fn verdict(&self, effect: &Effect) -> Verdict {
        let none = match self.part {
            Covered::Numbers if !self.solved() => {
                let mut all = effect.last.iter().chain([&effect.difference]);
                all.all(Difference::is_none)
            }
            Covered::Numbers | Covered::Everything => !effect.differs,
        };
        let (difference, p) = (&effect.difference, effect.p_adjusted);
        if effect.uneven(self.confidence).is_some() {
            Verdict::Uneven
        } else if none {
            Verdict::None
        } else if difference.is_apart(p, self.confidence) {
            Verdict::Certain
        } else if difference.is_open() {
            Verdict::Open
        } else {
            Verdict::Uncertain
        }
    }
}
