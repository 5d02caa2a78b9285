//! The tables for people: a ranking with bars, grouped by verdict.

use super::answer::answer;
use super::{ChangesReport, Covered, Effect, UNEVEN, Verdict};
use crate::output::chart::{self, Unit};
use crate::output::comparisons::none_differs;
use crate::output::encounters;
use crate::output::ranking::as_written;
use crate::output::sweep::Shown;
use crate::report::number::{exact_difference, plural, sampled_difference};
use crate::report::{Page, Style, TextGrid};
use crate::run::Until;
use crate::scenario::ChangeKind;
use crate::stats::paired::Difference;
use crate::stats::{Confidence, Interval, Summary};

/// The most columns of the name of a change in a table.
const LONGEST: usize = 42;

/// The most letters of a policy line's owner, if the whole name is too long.
const LONGEST_OWNER: usize = 18;

/// Replaces the part of a name that is cut.
const DOTS: &str = "...";

/// Formats the whole report as text.
pub(super) fn table(report: &ChangesReport, style: Style) -> String {
    let mut page = Page::new(style);
    page.heading(1, &report.title);
    let what = match report.part {
        Covered::Numbers => "what 1 more of each number is worth",
        Covered::Everything => "what each change is worth",
    };
    let mut head = format!(
        "{}: {what}, {}",
        as_written(&report.variant),
        match &report.until {
            Until::Encounters(_) => format!("{} of each fight", encounters(report.encounters)),
            _ => "each fight solved".to_owned(),
        }
    );
    if report.interrupted {
        head.push_str(if report.solved() {
            " (interrupted; changes are missing)"
        } else {
            " (interrupted)"
        });
    }
    page.paragraph(&head);
    for (shown, base) in report.shown.iter().zip(&report.base) {
        page.blank();
        page.heading(2, &shown.title());
        page.blank();
        metric(&mut page, report, shown, base);
    }
    page.list(&report.left_out(), report.reasons());
    page.notes(report.notes.iter().map(ToString::to_string));
    page.into_text()
}

/// The effects on one metric, grouped by verdict, the greatest first.
pub(super) struct Groups<'a>(Vec<(Verdict, Vec<&'a Effect>)>);

impl<'a> Groups<'a> {
    fn new(report: &'a ChangesReport, shown: &Shown) -> Self {
        let effects = report.effects.iter();
        let effects = effects.filter(|effect| effect.metric.name == shown.metric.name);
        let mut effects: Vec<&Effect> = effects.collect();
        // Equal effects keep the order of the file.
        let size = |effect: &Effect| effect.difference.difference.abs();
        effects.sort_by(|one, other| size(other).total_cmp(&size(one)));
        let members = |verdict: Verdict| {
            let effects = effects.iter().copied();
            effects.filter(move |effect| report.verdict(effect) == verdict)
        };
        let verdicts = [
            Verdict::Certain,
            Verdict::Uneven,
            Verdict::Open,
            Verdict::Uncertain,
            Verdict::None,
        ];
        let groups = verdicts.map(|verdict| (verdict, members(verdict).collect()));
        Self(groups.into())
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|(_, effects)| effects.is_empty())
    }

    /// Returns the effects with this verdict.
    pub(super) fn of(&self, verdict: Verdict) -> &[&'a Effect] {
        let mut groups = self.0.iter();
        let group = groups.find(|(other, _)| *other == verdict);
        group.map_or(&[], |(_, effects)| effects)
    }

    /// Returns the effects that make a difference, the greatest first.
    pub(super) fn differing(&self) -> Vec<&'a Effect> {
        let mut effects = [self.of(Verdict::Certain), self.of(Verdict::Uneven)].concat();
        let size = |effect: &Effect| effect.difference.difference.abs();
        effects.sort_by(|one, other| size(other).total_cmp(&size(one)));
        effects
    }
}

/// Returns the answer for each metric.
pub(super) fn answers(report: &ChangesReport) -> Vec<String> {
    let metrics = report.shown.iter().zip(&report.base);
    let told =
        metrics.map(|(shown, base)| of_metric(report, shown, base, &Groups::new(report, shown)));
    told.collect()
}

fn of_metric(report: &ChangesReport, shown: &Shown, base: &Summary, groups: &Groups<'_>) -> String {
    if groups.is_empty() && base.mean.is_none() {
        return format!(
            "No encounter of the fight as it is shows {}: there is nothing to compare.",
            shown.title()
        );
    }
    answer(report, shown, groups)
}

fn metric(page: &mut Page, report: &ChangesReport, shown: &Shown, base: &Summary) {
    let unit = shown.unit();
    let as_it_is = shown.in_words(base);
    let groups = Groups::new(report, shown);
    let all = groups.0.iter().flat_map(|(_, effects)| effects);
    let size = |effect: &Effect| match report.verdict(effect) {
        Verdict::None => 0.0,
        _ => effect.difference.difference,
    };
    let most = all.fold(0.0, |most: f64, effect| most.max(size(effect).abs()));
    let intervals = report.until.intervals(report.confidence);
    let titles: &[&str] = match report.part {
        Covered::Numbers => &["number", "value", "worth", &intervals, ""],
        Covered::Everything => &["change", "difference", &intervals, ""],
    };
    let mut grid = if page.is_markdown() {
        TextGrid::new(&titles[..titles.len() - 1])
    } else {
        TextGrid::new(titles).with_bars()
    };
    for (verdict, effects) in &groups.0 {
        let listed = report.part == Covered::Numbers || *verdict != Verdict::None;
        if !effects.is_empty() && listed {
            grid.group(report.group(*verdict, effects));
        }
        for effect in effects.iter().filter(|_| listed) {
            let (worth, interval) = effect.worth_in_words(unit);
            let mut row = match report.part {
                Covered::Numbers => {
                    let name = page.indented(effect.change.number());
                    vec![name, effect.change.value.clone()]
                }
                Covered::Everything => vec![page.indented(&effect.short())],
            };
            row.extend([worth, interval]);
            if !page.is_markdown() {
                row.push(chart::deviation(size(effect), most));
            }
            grid.row(row);
        }
    }
    page.paragraph(&of_metric(report, shown, base, &groups));
    if groups.is_empty() && base.mean.is_none() {
        return;
    }
    page.blank();
    page.line(&format!("as it is: {as_it_is}"));
    page.blank();
    page.grid(&grid);
    if report.part == Covered::Everything {
        idle(page, report, groups.of(Verdict::None));
        left_out(page, groups.of(Verdict::Certain));
    }
    steps(page, report.confidence, unit, &groups);
    if report.solved() {
        return;
    }
    let uncertain = groups.of(Verdict::Uncertain).len();
    let tested = groups.differing().len() + uncertain;
    if tested == 0 {
        return;
    }
    let confidence = report.confidence;
    page.blank();
    let missing = tested as f64 * confidence.error();
    page.line(&format!(
        "expect about {missing:.1} of these {tested} intervals to miss (each is {confidence})"
    ));
    let all = match report.part {
        Covered::Numbers => "numbers",
        Covered::Everything => "changes",
    };
    page.line(&format!(
        "the differences are certain at {confidence} for all {all} together (Holm)"
    ));
}

/// Lists the numbers whose last point and next point differ in worth.
fn steps(page: &mut Page, confidence: Confidence, unit: Unit, groups: &Groups<'_>) {
    let all = groups.0.iter().flat_map(|(_, effects)| effects);
    let uneven = all.filter_map(|effect| effect.steps_text(unit, confidence));
    page.list(UNEVEN, uneven);
}

/// Lists the changes that make no difference, by kind.
fn idle(page: &mut Page, report: &ChangesReport, effects: &[&Effect]) {
    let mut kinds: Vec<ChangeKind> = Vec::new();
    for effect in effects {
        if !kinds.contains(&effect.change.kind) {
            kinds.push(effect.change.kind);
        }
    }
    let items = kinds.into_iter().map(|kind| {
        let members = effects.iter().filter(|effect| effect.change.kind == kind);
        let names: Vec<String> = members.map(|effect| effect.change.name()).collect();
        let plural = plural(names.len() as u64);
        format!("{}{plural}: {}", kind.name(), names.join("; "))
    });
    page.list(&report.group(Verdict::None, effects), items);
}

/// Lists the policy lines that are removed together with the things they need.
fn left_out(page: &mut Page, effects: &[&Effect]) {
    let changes = effects.iter().map(|effect| &effect.change);
    let with_lines = changes.filter(|change| !change.without.is_empty());
    let items =
        with_lines.map(|change| format!("{}: {}", change.name(), change.without.join("; ")));
    page.list("policy lines that go with what they need", items);
}

impl ChangesReport {
    /// Returns the heading of the effects with this verdict.
    pub(super) fn group(&self, verdict: Verdict, effects: &[&Effect]) -> String {
        let solved = self.solved();
        let text = match verdict {
            Verdict::Certain => "makes a difference",
            Verdict::Uneven => "the last point was worth something else (below)",
            Verdict::Open => "not decided: the bounds reach over 0",
            Verdict::Uncertain if solved => "no difference here, but in other metrics",
            Verdict::Uncertain => "not told apart from chance",
            Verdict::None if solved => "no difference in anything that is measured",
            // A number has a row, with an interval where there is a limit.
            Verdict::None if self.part == Covered::Numbers => {
                "no difference in this metric in any encounter"
            }
            Verdict::None => {
                let counts = effects.iter().map(|effect| effect.difference.n);
                return none_differs(counts.min().unwrap_or(0), self.confidence);
            }
        };
        text.to_owned()
    }
}

impl Effect {
    /// Returns the name of the change, short enough for a table.
    fn short(&self) -> String {
        let name = self.change.name();
        let lines = match self.change.without.len() {
            0 => String::new(),
            1 => " and 1 line".to_owned(),
            lines => format!(" and {lines} lines"),
        };
        let room = LONGEST - lines.len();
        if name.chars().count() <= room {
            return name + &lines;
        }
        let short = match name.split_once(": ") {
            // Lines are distinguished by their numbers, which follow the owner.
            Some((owner, line)) if self.change.line > 0 => {
                let owner = without_middle(owner, LONGEST_OWNER);
                without_end(&format!("{owner}: {line}"), room)
            }
            _ => without_middle(&name, room),
        };
        short + &lines
    }

    /// Formats the worth and its interval with signs and with the digits that the interval allows. Shares are in
    /// points.
    pub(super) fn worth_in_words(&self, unit: Unit) -> (String, String) {
        worth_text(&self.difference, unit)
    }

    /// Formats the size of the effect and its interval, without signs.
    pub(super) fn size_in_words(&self, unit: Unit) -> [String; 2] {
        let effect = &self.difference;
        let sign = effect.difference.signum();
        let size = Difference {
            difference: effect.difference * sign,
            interval: effect.interval.map(|interval| {
                let [low, high] = interval.ends().map(|end| end * sign);
                Interval::new(low.min(high), low.max(high))
            }),
            ..effect.clone()
        };
        <[String; 2]>::from(worth_text(&size, unit)).map(|text| text.replace('+', ""))
    }

    /// Describes the last point and the next one if they differ in worth: `hero.strength: 15 to 16 +5.8 (+5.4 to +6.2),
    /// 16 to 17 0`.
    pub(super) fn steps_text(&self, unit: Unit, confidence: Confidence) -> Option<String> {
        let change = &self.change;
        let ([value, more], Some((less, _))) = (change.values(), &change.from) else {
            return None;
        };
        let steps = [self.uneven(confidence)?, &self.difference].map(|step| {
            let (worth, interval) = worth_text(step, unit);
            if step.is_none() {
                worth
            } else {
                format!("{worth} ({interval})")
            }
        });
        let [last, next] = steps;
        let name = change.number();
        Some(format!(
            "{name}: {less} to {value} {last}, {value} to {more} {next}"
        ))
    }
}

/// Replaces the end of a text by dots if the text is longer than `most` characters.
fn without_end(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - DOTS.len()).collect();
    format!("{}{DOTS}", kept.trim_end())
}

/// Replaces the middle of a text by dots if the text is longer than `most` characters. Long names differ at the end.
fn without_middle(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let kept = most - DOTS.len();
    let begin: String = text.chars().take(kept - kept / 2).collect();
    let end: String = text.chars().skip(length - kept / 2).collect();
    format!("{}{DOTS}{}", begin.trim_end(), end.trim_start())
}

/// Formats the worth of a difference and its interval with signs and with the digits that the interval allows. Shares
/// are in points.
fn worth_text(of: &Difference, unit: Unit) -> (String, String) {
    let worth = of.difference * unit.factor();
    let Some(interval) = of.interval.map(|one| one.scaled(unit.factor())) else {
        let text = if worth == 0.0 {
            "0".to_owned()
        } else {
            format!("{worth:+}")
        };
        return (text, String::new());
    };
    if of.is_exact {
        return exact_difference(worth, interval).into();
    }
    let [worth, interval] = sampled_difference(worth, interval);
    let worth = if of.is_none() { "0".to_owned() } else { worth };
    (worth, interval)
}

#[cfg(test)]
mod tests {
    use super::{without_end, without_middle};

    #[test]
    fn long_names_keep_the_end_that_tells_them_apart() {
        let health = "\"The Champion of the Northern Realm\".health +1";
        let armor = "\"The Champion of the Northern Realm\".armor +1";
        assert_eq!(without_middle(health, 24), "\"The Champi....health +1");
        assert_eq!(without_middle(armor, 24), "\"The Champi...\".armor +1");
        assert_eq!(without_middle("short", 24), "short");
        assert_eq!(without_end("line 1, use potion", 10), "line 1,...");
        assert_eq!(without_end("line 1", 10), "line 1");
    }
}
