//! The first sentences: which change matters most, and which do not matter.

use super::page::Groups;
use super::{ChangesReport, Covered, Effect, Verdict};
use crate::output::sweep::Shown;
use crate::scenario::ChangeKind;
use std::fmt::Write as _;

/// If there are more names than this, only their number is given.
const NAMED: usize = 5;

/// Returns the answer for one metric.
pub(super) fn answer(report: &ChangesReport, shown: &Shown, groups: &Groups<'_>) -> String {
    match report.part {
        Covered::Numbers => of_numbers(report, shown, groups),
        Covered::Everything => of_changes(report, shown, groups),
    }
}

/// Names the number that matters most, and the numbers without a known difference.
fn of_numbers(report: &ChangesReport, shown: &Shown, groups: &Groups<'_>) -> String {
    let (unit, title) = (shown.unit(), shown.title());
    let points = unit.points();
    let differing = groups.differing();
    let first = differing.first();
    let mut text = match first {
        Some(first) => {
            let (worth, interval) = first.worth_in_words(unit);
            let name = first.change.number();
            let last = match first.uneven(report.confidence) {
                Some(_) => ", and the last point was not worth the same",
                None => "",
            };
            format!(
                "{name} matters most to {title}: 1 more is worth {worth}{points}{}{last}.",
                in_brackets(&interval)
            )
        }
        None => format!("No number is known to make a difference to {title}."),
    };
    let none = [Verdict::Uncertain, Verdict::None].map(|verdict| groups.of(verdict));
    let open = groups.of(Verdict::Open).to_vec();
    for (what, doubtful) in [
        (
            "The bounds leave open whether there is a difference for",
            open,
        ),
        ("No difference found for", none.concat()),
    ] {
        if first.is_none() || doubtful.is_empty() {
            continue;
        }
        let names: Vec<&str> = doubtful.iter().map(|one| one.change.number()).collect();
        let names = if names.len() > NAMED {
            format!("{} numbers", names.len())
        } else {
            names.join(", ")
        };
        let _ = write!(text, " {what} {names}.");
    }
    text
}

/// Names the change that matters most, the policy line that matters most, and the lines that do not matter.
fn of_changes(report: &ChangesReport, shown: &Shown, groups: &Groups<'_>) -> String {
    let certain = groups.differing();
    let is_line = |effect: &&&Effect| effect.change.kind == ChangeKind::Line;
    let told = |effect: &Effect| sentence(effect, shown);
    let mut text = match &certain[..] {
        [] => format!(
            "No change is known to make a difference to {}.",
            shown.title()
        ),
        [first] => format!(
            "{}. No other change is known to make a difference.",
            told(first)
        ),
        [first, others @ ..] => {
            let others = match others.len() {
                1 => "1 other makes".to_owned(),
                others => format!("{others} others make"),
            };
            format!(
                "{}. No change does more; {others} a difference.",
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
        let lines: Vec<&Effect> = groups.of(verdict).iter().filter(is_line).copied().collect();
        if !lines.is_empty() {
            let _ = write!(text, " {what}: {}.", named(&lines));
        }
    }
    text
}

/// Lists policy lines by name; a long list is replaced by its length.
fn named(lines: &[&Effect]) -> String {
    if lines.len() > NAMED {
        return format!("{} policy lines", lines.len());
    }
    let line = |effect: &&Effect| {
        let change = &effect.change;
        format!(
            "line {} of {}, `{}`",
            change.line, change.owner, change.value
        )
    };
    lines.iter().map(line).collect::<Vec<_>>().join("; ")
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
