//! The results of a knockout and of a sensitivity, which is its part about numbers: a ranking with bars, CSV and
//! JSON.

mod answer;
mod files;
mod page;

pub use files::{KNOCKOUT, SENSITIVITY};

use super::Note;
use super::sweep::Shown;
use crate::run::StopRule;
use crate::scenario::Change;
use crate::stats::paired::Difference;
use crate::stats::{Confidence, Interval, Summary, significance};
use crate::tally::Metric;
use std::sync::Arc;

/// The changes that are asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// 1 more of each number: a sensitivity.
    Numbers,
    /// Everything: a knockout.
    Everything,
}

/// The worth of each change.
#[derive(Debug, Clone)]
pub struct Report {
    /// The changes that were asked about.
    pub part: Part,
    /// Name of the scenario: its file's, without folder and ending.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The variant that was changed.
    pub variant: String,
    /// What ends the play of each fight.
    pub stop: StopRule,
    /// Encounters that each fight has played; 0 of solved ones.
    pub encounters: u64,
    /// The level of all intervals.
    pub confidence: Confidence,
    /// The metrics that were measured, and their subjects.
    pub shown: Vec<Shown>,
    /// The same in the fight as it is.
    pub base: Vec<Summary>,
    /// The effects of the changes on each metric, in the order of the file.
    pub effects: Vec<Effect>,
    /// Changes that cannot be made, each with the reason.
    pub fixed: Vec<(Arc<Change>, String)>,
    /// Remarks on its numbers.
    pub notes: Vec<Note>,
    /// Whether less was played than was asked for.
    pub interrupted: bool,
}

/// The effect of one change on one metric.
#[derive(Debug, Clone)]
pub struct Effect {
    /// The metric.
    pub metric: &'static Metric,
    /// Whose.
    pub subject: String,
    /// The change.
    pub change: Arc<Change>,
    /// The second fight's mean less the first one's, pair by pair.
    pub difference: Difference,
    /// Whether anything that is measured differs from the fight as it is, in any encounter; or may differ, as far as bounds tell.
    pub differs: bool,
    /// Of a number that can be both 1 less and 1 more: the worth of the last point and of the next one, the fight as it
    /// is less the one with 1 less, and the one with 1 more less the fight as it is.
    pub steps: Option<[Difference; 2]>,
    /// The p-value, adjusted for all changes and metrics (Holm).
    pub p_adjusted: Option<f64>,
    /// That of the difference of the two steps, adjusted in the same way.
    pub p_of_steps_adjusted: Option<f64>,
}

/// The heading of the numbers whose steps differ.
const UNEVEN: &str = "the worth of these is that of the next point; that of the last differs much";

/// How much is known of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// There is a difference.
    Certain,
    /// The bounds of solved fights reach over 0.
    Open,
    /// It is not told apart from chance.
    Uncertain,
    /// There is none in any encounter.
    None,
}

impl Verdict {
    /// Its name in files.
    fn name(self) -> &'static str {
        match self {
            Self::Certain => "difference",
            Self::Open | Self::Uncertain => "unclear",
            Self::None => "none",
        }
    }
}

impl Effect {
    /// What the change is worth; of a number 1 more.
    #[must_use]
    pub fn worth(&self) -> f64 {
        self.difference.difference / f64::from(self.change.steps())
    }

    /// The interval for that.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        let steps = f64::from(self.change.steps());
        self.difference.interval.map(|interval| Interval {
            low: interval.low / steps,
            high: interval.high / steps,
        })
    }

    /// The worth as it is shown, and its interval: of two steps that differ much that of the next one.
    fn shown(&self, confidence: Confidence) -> (f64, Option<Interval>) {
        match self.uneven(confidence) {
            Some([_, next]) => (next.difference, next.interval),
            None => (self.worth(), self.interval()),
        }
    }

    fn se(&self) -> Option<f64> {
        let steps = f64::from(self.change.steps());
        self.difference.se.map(|se| se / steps)
    }

    /// How likely chance alone lets the last point and the next one differ by as much, at most; nothing where only one of them was
    /// played, and for solved fights.
    #[must_use]
    pub fn p_of_steps(&self) -> Option<f64> {
        let [last, next] = self.steps.as_ref()?;
        if last.is_exact {
            return None;
        }
        // A difference that is 0 in every encounter has no error.
        match [last, next].map(Difference::is_none) {
            [true, true] => None,
            [true, false] => next.p_value,
            [false, true] => last.p_value,
            // Both are of the same encounters of the fight as it is: their errors add up at worst.
            [false, false] => {
                let z = (next.difference - last.difference) / (last.se? + next.se?);
                z.is_finite().then(|| significance::two_sided(z))
            }
        }
    }

    /// The last point and the next one, if they are known to differ, and one is worth more than twice the other.
    fn uneven(&self, confidence: Confidence) -> Option<&[Difference; 2]> {
        let steps = self.steps.as_ref()?;
        let [last, next] = steps;
        let is_known = if last.is_exact {
            let [last, next] = [last.interval?, next.interval?];
            last.high < next.low || next.high < last.low
        } else {
            self.p_of_steps_adjusted? <= confidence.error()
        };
        let (last, next) = (last.difference, next.difference);
        let [less, more] = [last.abs().min(next.abs()), last.abs().max(next.abs())];
        (is_known && (more > 2.0 * less || last * next < 0.0)).then_some(steps)
    }
}

impl Report {
    /// Whether its fights were solved.
    fn solved(&self) -> bool {
        self.stop.budget().is_some()
    }

    /// Remarks to read before the numbers.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let fixed = { self.fixed.iter() }.map(|(change, reason)| match self.part {
            Part::Numbers => change.key.clone(),
            Part::Everything => format!("{} ({reason})", change.name()),
        });
        let fixed: Vec<String> = fixed.collect();
        let fixed = match self.part {
            _ if fixed.is_empty() => None,
            Part::Numbers => Some(format!("cannot be 1 more nor 1 less: {}", fixed.join(", "))),
            Part::Everything => Some(format!("cannot be changed like this: {}", fixed.join("; "))),
        };
        let of = |metric: &Metric| {
            self.shown
                .iter()
                .find(|shown| shown.metric.name == metric.name)
        };
        let uneven = self.effects.iter().filter_map(|effect| {
            let shown = of(effect.metric)?;
            let steps = effect.steps_text(shown.unit(), self.confidence)?;
            let title = shown.title();
            Some(format!(
                "{title}: the last point and the next one differ much: {steps}"
            ))
        });
        let notes = self.notes.iter().map(ToString::to_string);
        fixed.into_iter().chain(uneven).chain(notes).collect()
    }

    fn verdict(&self, effect: &Effect) -> Verdict {
        let none = match self.part {
            Part::Numbers => effect.difference.is_none(),
            Part::Everything => !effect.differs,
        };
        let (difference, p) = (&effect.difference, effect.p_adjusted);
        if effect.uneven(self.confidence).is_some() {
            Verdict::Certain
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
