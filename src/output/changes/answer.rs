//! The first sentences: which change matters most, and which do not matter.

use super::page::Groups;
use super::{ChangesReport, Covered, Effect, Verdict};
use crate::output::sweep::Shown;
use crate::scenario::ChangeKind;
use std::fmt::Write as _;

/// If there are more names than this, only their number is given.
const NAMED: usize = 5;

/// Names the change that matters most, of lines and numbers the one that matters most, and those that do not matter: the
/// policy lines or, if only numbers change, these.
pub(super) fn answer(report: &ChangesReport, shown: &Shown, groups: &Groups<'_>) -> String {
    let certain = groups.differing();
    let (thing, listed) = match report.part {
        Covered::Numbers => ("number", ChangeKind::Number),
        Covered::Everything => ("change", ChangeKind::Line),
    };
    let told = |effect: &Effect| sentence(effect, shown);
    let mut text = match &certain[..] {
        [] => format!(
            "No {thing} is known to make a difference to {}.",
            shown.title()
        ),
        [first] => format!(
            "{}. No other {thing} is known to make a difference.",
            told(first)
        ),
        [first, others @ ..] => {
            let others = match others.len() {
                1 => "1 other makes".to_owned(),
                others => format!("{others} others make"),
            };
            format!(
                "{}. No {thing} does more; {others} a difference.",
                told(first)
            )
        }
    };
    for (kind, what) in [
        (ChangeKind::Line, "policy lines"),
        (ChangeKind::Number, "numbers"),
    ] {
        let of_kind = certain.iter().find(|one| one.change.kind == kind);
        if let Some(first) = of_kind.filter(|_| certain[0].change.kind != kind) {
            let _ = write!(text, " Of the {what}: {}.", lower(&told(first)));
        }
    }
    let here = if report.solved() {
        "No difference here"
    } else {
        "Not told apart from chance"
    };
    let nothing = report.group(Verdict::None, groups.of(Verdict::None));
    for (verdict, what) in [
        (Verdict::None, format!("Worth nothing ({nothing})")),
        (Verdict::Open, "Not decided by the bounds".to_owned()),
        (Verdict::Uncertain, here.to_owned()),
    ] {
        let names: Vec<String> = { groups.of(verdict).iter() }
            .filter(|effect| effect.change.kind == listed)
            .map(|effect| name(effect))
            .collect();
        if !names.is_empty() {
            let names = match names.len() {
                ..=NAMED => names.join("; "),
                count if listed == ChangeKind::Line => format!("{count} policy lines"),
                count => format!("{count} numbers"),
            };
            let _ = write!(text, " {what}: {names}.");
        }
    }
    text
}

/// Returns the name of a policy line or of a number.
fn name(effect: &Effect) -> String {
    let change = &effect.change;
    match change.kind {
        ChangeKind::Line => format!(
            "line {} of {}, `{}`",
            change.line, change.owner, change.value
        ),
        _ => change.number().to_owned(),
    }
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Describes the effect of a change: `Removing line 2 of archer, `set if not ready`, costs 4.1 points of win rate of
/// hunters`.
fn sentence(effect: &Effect, shown: &Shown) -> String {
    let change = &effect.change;
    let (owner, value) = (&change.owner, &change.value);
    let doing = match change.kind {
        ChangeKind::Line => format!("Removing line {} of {owner}, `{value}`,", change.line),
        ChangeKind::Weapon
        | ChangeKind::Spell
        | ChangeKind::Item
        | ChangeKind::Task
        | ChangeKind::Ability => format!("Taking {value} from {owner}"),
        ChangeKind::Condition | ChangeKind::Hazard | ChangeKind::Ground | ChangeKind::Goal => {
            format!("Removing the {} {value}", change.kind.name())
        }
        ChangeKind::Ruling => format!("Setting {} to {} (now {value})", change.key, change.other),
        ChangeKind::Number => format!("1 more of {}", change.number()),
    };
    let unit = shown.unit();
    let gains = effect.difference.difference > 0.0;
    let [size, interval] = effect.size_in_words(unit);
    let title = shown.title();
    let does = if shown.metric.name == "win_rate" {
        let verb = if gains { "gains" } else { "costs" };
        format!("{verb} {} {size} points of win rate", shown.subject)
    } else {
        let verb = if gains { "raises" } else { "lowers" };
        format!("{verb} {title} by {size}{}", unit.points())
    };
    format!("{doing} {does}{}", in_brackets(&interval))
}

/// Formats an interval to follow its number. A number that never varied has no interval.
fn in_brackets(interval: &str) -> String {
    match interval {
        "" => " in every encounter".to_owned(),
        interval => format!(" ({interval})"),
    }
}
