//! Mixes and dominated builds in words.

use super::Side;
use crate::report::number::rounded_up;
use crate::stats::Confidence;

/// The most cycles that are listed.
pub(super) const CYCLES: usize = 5;

/// A mix is not named if the best answer to it may gain this much: half of all points, less a margin for rounding.
pub(super) const VAGUE: f64 = 0.499;

/// Describes the mix of a side that cannot be exploited. `confidence` is the level of the bound on what the best answer
/// takes from it, which is certain in solved fights.
pub(super) fn mix(side: &Side, confidence: Option<Confidence>) -> String {
    let of = match side.name.as_str() {
        "" => String::new(),
        name => format!(" of {name}"),
    };
    if side.exploitable >= VAGUE {
        return format!("Too little is known yet to name a best choice{of}.");
    }
    let points = 100.0 * side.exploitable;
    let certain = match confidence {
        Some(confidence) => format!(" (certain at {confidence})"),
        None => String::new(),
    };
    let exploited = if points < 0.005 {
        "No answer takes anything from it".to_owned()
    } else {
        let points = rounded_up(points, 2);
        format!("No answer takes more than {points:.2} points from it{certain}")
    };
    let other = match (side.is_unique, confidence) {
        (true, _) => "",
        (false, None) => " Other mixes are as good.",
        (false, Some(_)) => " Other mixes score as well, as far as the figures tell.",
    };
    let shares = side
        .builds
        .iter()
        .map(|one| (one.build.name.as_str(), one.share));
    let mut played: Vec<(&str, f64)> = shares.filter(|(_, share)| *share > 0.0).collect();
    if let [(only, _)] = played[..] {
        let always = if side.is_unique { ", always" } else { "" };
        return format!("The best choice{of} against any is {only}{always}. {exploited}.{other}");
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
        side.builds.len()
    )
}

/// Describes the build or the mix `by` that dominates another build.
pub(super) fn dominators(by: &[(&str, f64)], is_certain: bool) -> String {
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
