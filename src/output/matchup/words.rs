//! Mixes and dominated builds in words.

use crate::report::number::rounded_up;
use crate::stats::Confidence;

/// The most cycles that are listed.
pub(in crate::output) const CYCLES: usize = 5;

/// A mix is not named if the best answer to it may gain this much: half of all points, less a margin for rounding.
pub(in crate::output) const VAGUE: f64 = 0.499;

/// The mix of a side that cannot be exploited.
pub(in crate::output) struct Mix<'a> {
    /// The side; empty if all builds play on both sides.
    pub(in crate::output) side: &'a str,
    /// The builds of the side, and the share of each in the mix.
    pub(in crate::output) shares: Vec<(&'a str, f64)>,
    /// Upper bound on the gain of the best answer to the mix over the value of the game.
    pub(in crate::output) exploitable: f64,
    /// Whether no other mix is as good.
    pub(in crate::output) is_unique: bool,
    /// The level of the bound; `None` if the fights were solved.
    pub(in crate::output) confidence: Option<Confidence>,
}

impl Mix<'_> {
    /// Describes the mix in sentences.
    pub(in crate::output) fn sentences(&self) -> String {
        let of = match self.side {
            "" => String::new(),
            name => format!(" of {name}"),
        };
        if self.exploitable >= VAGUE {
            return format!("Too little is known yet to name a best choice{of}.");
        }
        let points = 100.0 * self.exploitable;
        let certain = match self.confidence {
            Some(confidence) => format!(" (certain at {confidence})"),
            None => String::new(),
        };
        let exploited = if points < 0.005 {
            "No answer takes anything from it".to_owned()
        } else {
            let points = rounded_up(points, 2);
            format!("No answer takes more than {points:.2} points from it{certain}")
        };
        let other = match (self.is_unique, self.confidence) {
            (true, _) => "",
            (false, None) => " Other mixes are as good.",
            (false, Some(_)) => " Other mixes score as well, as far as the figures tell.",
        };
        let shares = self.shares.iter().copied();
        let mut played: Vec<(&str, f64)> = shares.filter(|(_, share)| *share > 0.0).collect();
        if let [(only, _)] = played[..] {
            let always = if self.is_unique { ", always" } else { "" };
            return format!(
                "The best choice{of} against any is {only}{always}. {exploited}.{other}"
            );
        }
        played.sort_by(|one, other| other.1.total_cmp(&one.1));
        let diversity = super::diversity(played.iter().map(|(_, share)| share));
        let shares = played
            .iter()
            .map(|(name, share)| format!("{name} {:.0}%", 100.0 * share));
        format!(
            "The mix{of} that cannot be exploited: {}. {exploited}. It is as varied as {diversity:.1} equal builds, \
             of {}.{other}",
            shares.collect::<Vec<_>>().join(", "),
            self.shares.len()
        )
    }
}

/// Describes the build or the mix `by` that dominates another build.
pub(in crate::output) fn dominators(by: &[(&str, f64)], is_certain: bool) -> String {
    let by = if let [(only, _)] = by {
        (*only).to_owned()
    } else {
        let parts = by
            .iter()
            .map(|(name, share)| format!("{:.0}% {name}", 100.0 * share));
        format!("a mix of {}", parts.collect::<Vec<_>>().join(", "))
    };
    let doubt = if is_certain {
        ""
    } else {
        ", as far as the figures tell"
    };
    format!("{by}{doubt}")
}
