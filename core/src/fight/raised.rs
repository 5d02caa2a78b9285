//! Rolls to which something is added once they are known.

use super::check::{Attempt, Check, CheckTerms, HitEffect};
use super::words::Against;

impl Check {
    /// Whether something may be added to its roll once it is known. A test of a skill and levels of success do not say how far
    /// they are from better ones.
    pub fn may_be_raised(&self) -> bool {
        match self {
            Self::RollOver { .. } | Self::Natural(_) | Self::Pool { .. } => true,
            Self::Percentile { .. } => false,
            Self::Words(words) => {
                let is_scored = matches!(words.against, Against::Roll(..)) && words.under.is_some();
                words.base.may_be_raised() && !is_scored
            }
        }
    }

    /// Returns an attempt to whose roll `more` is added, if that may be. All of the attempt must be known.
    pub fn raised(&self, question: &CheckTerms, attempt: Attempt, more: i64) -> Attempt {
        let total = attempt.total + more;
        let fumble = match self {
            _ if !self.may_be_raised() || question.spoils > 0 => return attempt,
            Self::Words(words) => return words.raised(question, attempt, more),
            Self::Pool {
                extra_damage,
                every_success,
                ..
            } => {
                let counted = if *every_success { 0 } else { attempt.needed };
                return Attempt {
                    total,
                    works: total >= attempt.needed && !attempt.botch,
                    extra_damage: (total - counted).max(0) * extra_damage,
                    ..attempt
                };
            }
            Self::Natural(natural) => natural.fumble,
            Self::RollOver { .. } | Self::Percentile { .. } => None,
        };
        let rolled = attempt.total - question.added() + question.taken_off();
        let is_fumble = fumble.is_some_and(|most| rolled <= most);
        let is_critical = matches!(attempt.effect, HitEffect::Critical(_));
        let meets = total >= attempt.needed + i64::from(!question.meeting_hits);
        Attempt {
            total,
            works: is_critical || meets && !is_fumble,
            ..attempt
        }
    }
}
