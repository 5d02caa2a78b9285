//! The table that answers a scenario's question at a glance, for the terminal or as Markdown.

use super::chart::Unit;
use super::overview::overview;
use super::ranking::{self, as_written};
use super::{RunReport, VariantReport};
use crate::report::number::{
    counted, decimals, decimals_of_percents, decimals_shown, encounters, grouped, rounded_up,
    with_ends,
};
use crate::report::{Page, Style, TextGrid};
use crate::run::{Ended, Until};
use crate::stats::{Confidence, Interval, Summary};
use crate::tally::{Kind, Metric, Scope, Tally, metrics};

/// Formats the whole report as text: a line for each variant, or all about each, where there is only one or `is_detailed`
/// is set.
pub fn table(report: &RunReport, style: Style) -> String {
    let mut page = Page::new(style);
    page.heading(1, &report.title);
    if let Some(question) = &report.question {
        page.paragraph(question);
    }
    if let Some(text) = ranking::of_report(report) {
        page.blank();
        page.paragraph(&text);
    }
    let is_detailed = report.is_detailed || report.variants.len() == 1;
    if is_detailed {
        for variant in &report.variants {
            variant_section(&mut page, report, variant);
        }
    }
    let played = |variant: &&VariantReport| !variant.tally.is_empty();
    let played: Vec<&VariantReport> = report.variants.iter().filter(played).collect();
    if report.variants.len() > 1 && !played.is_empty() {
        page.blank();
        if is_detailed {
            page.heading(2, "all variants");
            page.blank();
        }
        page.grid(&overview(&played, report.confidence));
        page.blank();
    }
    if is_detailed {
        page.line("`skirmish explain metrics` says what the columns hold");
    } else {
        for variant in &report.variants {
            let notes = report.notes(variant).into_iter();
            page.notes(notes.map(|note| format!("{}: {note}", as_written(&variant.name))));
        }
        page.paragraph(&scope(report, &played));
        if let [first, ..] = played[..] {
            page.line("--details has a table for each variant; `skirmish compare` has sharper differences");
            replay(&mut page, report, first);
        }
    }
    for (index, note) in report.common_notes().enumerate() {
        if index == 0 {
            page.blank();
        }
        page.note(&note);
    }
    page.into_text()
}

/// Says how many variants were played, how long, and which were not.
fn scope(report: &RunReport, played: &[&VariantReport]) -> String {
    let counts = played.iter().map(|variant| variant.tally.encounters());
    let [least, most] = [counts.clone().min(), counts.max()].map(Option::unwrap_or_default);
    let each = match &report.until {
        Until::Exact(_) => "exact".to_owned(),
        Until::Encounters(planned) if most < planned.get() => {
            format!("{} of {} each", grouped(most), encounters(planned.get()))
        }
        _ if least == most => format!("{} each", encounters(most)),
        _ => format!("{} to {} each", grouped(least), encounters(most)),
    };
    let mut whys = report.variants.iter().map(|variant| why(variant.ended));
    let why = whys.find(|why| !why.is_empty()).unwrap_or_default();
    let is_missing = |variant: &&VariantReport| variant.tally.is_empty();
    let missing = report.variants.iter().filter(is_missing);
    let is_too_large = { missing.clone() }.any(|variant| variant.ended == Ended::TooLarge);
    let names: Vec<&str> = missing.map(|variant| &*variant.name).collect();
    let missing = match (&names[..], is_too_large) {
        ([], _) => String::new(),
        (names, true) => format!("; too large to be solved: {}", names.join(", ")),
        (names, false) => format!("; not played: {}", names.join(", ")),
    };
    let bounds = match &report.until {
        Until::Exact(_) => String::new(),
        _ => format!("; ± and bounds are {} intervals", report.confidence),
    };
    let variants = counted(played.len() as u64, "variant");
    format!("{variants}, {each}{why}{missing}{bounds}")
}

/// Says why a variant has played no more encounters.
pub(super) fn why(ended: Ended) -> &'static str {
    match ended {
        Ended::Enough | Ended::TooLarge => "",
        Ended::Exhausted => " (the most that were allowed)",
        Ended::Interrupted => " (interrupted)",
        Ended::Partial => " (partial)",
    }
}

fn variant_section(page: &mut Page, report: &RunReport, variant: &VariantReport) {
    let tally = &variant.tally;
    let played = tally.encounters();
    let found = match (variant.ended, &report.until, tally.solution()) {
        (Ended::Interrupted | Ended::Partial, Until::Encounters(planned), _) => {
            format!("{} of {}", grouped(played), encounters(planned.get()))
        }
        (_, _, Some(solution)) => format!("exact, {}", counted(solution.states, "situation")),
        (Ended::Interrupted, Until::Exact(_), None) => "not solved".to_owned(),
        (Ended::TooLarge, _, None) => "too large to be solved".to_owned(),
        (_, _, None) => encounters(played),
    };
    page.blank();
    page.heading(
        2,
        &format!(
            "{}: {found}{}",
            as_written(&variant.name),
            why(variant.ended)
        ),
    );
    if tally.is_empty() {
        return;
    }
    page.blank();
    page.grid(&outcomes(report, tally));
    page.blank();
    page.grid(&combatants(page, tally, report.confidence));
    page.blank();
    page.notes(report.notes(variant));
    replay(page, report, variant);
}

/// Describes the widest interval, if it is wider than requested and the run ended too early to narrow it.
pub(super) fn too_wide(report: &RunReport, variant: &VariantReport) -> Option<String> {
    let Until::Precision(rule) = &report.until else {
        return None;
    };
    let widest = rule.widest(&variant.tally, report.confidence)?;
    if variant.ended == Ended::Enough || widest.excess <= 1.0 {
        return None;
    }
    let (metric, precision) = (widest.metric, &rule.precision);
    let known = about_mean(metric, &widest.summary);
    Some(format!(
        "not as precise as asked for, ±{precision}: {} of `{}` is {known}",
        metric.name,
        variant.tally.subject(metric.scope, widest.subject),
    ))
}

/// Names the metrics that a solution does not contain.
pub(super) fn not_solved(tally: &Tally) -> Option<String> {
    tally.solution()?;
    let is_known = |metric: &&Metric| {
        let mut subjects = 0..tally.subjects(metric.scope);
        subjects.any(|subject| tally.knows(metric, subject))
    };
    let missing = tally.metrics().filter(|metric| !is_known(metric));
    let missing: Vec<&str> = missing.map(|metric| metric.name).collect();
    (!missing.is_empty()).then(|| format!("not to be had exactly: {}", missing.join(", ")))
}

/// Returns the table of endings: a line for each side, then the other endings and the Rounds.
fn outcomes(report: &RunReport, tally: &Tally) -> TextGrid {
    let confidence = report.confidence;
    let intervals = report.until.intervals(confidence);
    let mut grid = TextGrid::new(["outcome", "share", &intervals]);
    let mut share = |name: &str, metric: &str, subject| {
        let summary = summary(tally, metric, subject, confidence);
        if let (Some(rate), Some(interval)) = (summary.mean, summary.interval) {
            let (rate, interval) = Unit::Share.estimate(rate, Some(interval));
            grid.row(vec![name.to_owned(), rate, interval]);
        }
    };
    for (index, side) in tally.sides().iter().enumerate() {
        share(&format!("{side} win"), "win_rate", index);
    }
    share(metrics::MUTUAL, metrics::MUTUAL, 0);
    share(metrics::TIMEOUT, metrics::TIMEOUT, 0);
    for chase in [metrics::ESCAPED, metrics::CAUGHT] {
        if tally.metric(chase).is_some() {
            share(chase, chase, 0);
        }
    }
    for index in 0..tally.subjects(Scope::Outcome) {
        let name = tally.subject(Scope::Outcome, index);
        share(name, metrics::OUTCOME_RATE, index);
    }
    let rounds = summary(tally, metrics::ROUNDS, 0, confidence);
    if let (Some(mean), true) = (rounds.mean, rounds.is_exact) {
        let (mean, bounds) = Unit::Plain.estimate(mean, rounds.interval);
        let median = rounds.median();
        let median = median.map_or_else(String::new, |one| format!(", median {}", one.value));
        grid.row(vec![metrics::ROUNDS.to_owned(), mean, bounds + &median]);
    } else if let (Some(mean), Some(median)) = (rounds.mean, rounds.median()) {
        let digits = rounds.interval.map_or(2, |interval| {
            decimals_shown(decimals(interval.half_width()), &[mean, interval.low])
        });
        let interval = rounds.interval.map_or_else(String::new, |interval| {
            format!("{:.digits$} to {:.digits$}, ", interval.low, interval.high)
        });
        let around = rounds
            .median_interval()
            .filter(|around| around.half_width() > 0.0);
        let around = around.map_or_else(String::new, |around| {
            format!(" [{}, {}]", around.low, around.high)
        });
        grid.row(vec![
            metrics::ROUNDS.to_owned(),
            format!("{mean:.digits$}"),
            format!("{interval}median {}{around}", median.value),
        ]);
    }
    grid
}

/// Returns the table of what each combatant did and suffered, grouped by side.
fn combatants(page: &Page, tally: &Tally, confidence: Confidence) -> TextGrid {
    // An action that no combatant takes gets no column.
    let columns: Vec<(&str, &Metric)> = [
        ("alive", "alive"),
        ("health", "health"),
        ("damage", "damage"),
        ("hits", "hits"),
        ("attacks", "attacks"),
        ("moved, Units", "units_moved"),
        ("spells", "spells_cast"),
        ("fizzled", "spells_fizzled"),
        ("1st attack, Mark", "first_attack"),
        ("1st attack, turn", "first_attack_turn"),
        ("1st attack, Round", "first_attack_round"),
        ("acted first, % of Rounds", "acted_first_of_all"),
        ("successes", "successes"),
        ("botches", "botches"),
        ("diminished", "diminished"),
        ("dice lost", "dice_lost"),
        ("collapsed", "collapsed"),
        ("paradox", "paradox"),
        ("wounds", "wounds"),
        ("defended", "defended"),
        ("reordered", "reorderings"),
        ("Moxie", "moxie_spent"),
        ("delays", "delays"),
        ("lost", "delays_lost"),
        ("tasks", "tasks_done"),
    ]
    .into_iter()
    .filter_map(|(title, name)| Some((title, tally.metric(name)?)))
    .filter(|(_, metric)| {
        let always = matches!(
            metric.name,
            "alive" | "health" | "damage" | "hits" | "attacks"
        );
        always || (0..tally.combatants().len()).any(|c| happens(tally, metric, c))
    })
    .collect();
    let titles = columns.iter().map(|(title, _)| *title);
    let mut grid = TextGrid::new(["combatant"].into_iter().chain(titles));
    for (side, name) in tally.sides().iter().enumerate() {
        grid.group(name.clone());
        for (combatant, name) in tally.combatants().iter().enumerate() {
            if tally.side_of()[combatant] != side {
                continue;
            }
            let mut row = vec![page.indented(name)];
            row.extend(
                columns
                    .iter()
                    .map(|(_, metric)| around(tally, metric, combatant, confidence)),
            );
            grid.row(row);
        }
    }
    grid
}

/// Whether a subject ever showed a value of this metric other than 0.
pub(crate) fn happens(tally: &Tally, metric: &Metric, subject: usize) -> bool {
    let distribution = tally.distribution(metric, subject);
    distribution.entries().iter().any(|entry| entry.value > 0)
        || distribution
            .fact()
            .is_some_and(|fact| fact.mean.is_some_and(|[_, mean, _]| mean > 0.0))
}

fn summary(tally: &Tally, metric: &str, subject: usize, confidence: Confidence) -> Summary {
    let metric = tally
        .metric(metric)
        .expect("the metrics of the table are in the registry");
    Summary::of_metric(tally, metric, subject, confidence)
}

/// Formats a rate and its interval in per cent, with the digits that the interval allows. Only exactly 0 reads as 0%,
/// and only exactly 1 as 100%.
pub(crate) fn percents(rate: f64, interval: Interval) -> (String, String, String) {
    let shown = [rate, interval.low, interval.high].map(|share| share * 100.0);
    let texts = with_ends(shown, decimals(interval.half_width() * 100.0), true);
    let percent = |index: usize| match shown[index] {
        // Exactly 0 and exactly 1 need no decimals.
        number if number <= 0.0 || number >= 100.0 => format!("{number:.0}%"),
        _ => format!("{}%", texts[index]),
    };
    (percent(0), percent(1), percent(2))
}

/// Formats the rate of a subject in per cent, or its mean, plus or minus the half-width of the interval.
pub(super) fn around(
    tally: &Tally,
    metric: &Metric,
    subject: usize,
    confidence: Confidence,
) -> String {
    let summary = Summary::of_metric(tally, metric, subject, confidence);
    let text = about_mean(metric, &summary);
    // The mean may be of some encounters alone; a few that are missing do not matter.
    let is_of_nearly_all = summary.n >= tally.encounters() - tally.encounters() / 100;
    if summary.n == 0 || is_of_nearly_all {
        return text;
    }
    format!("{text} (in {})", grouped(summary.n))
}

fn about_mean(metric: &Metric, summary: &Summary) -> String {
    if metric.kind == Kind::Rate {
        percent_about(summary)
    } else {
        mean_about(summary)
    }
}

/// An exact rate this close to 0 or 1 is shown as 0 or 1 if its bounds include that number.
const ROUNDING: f64 = 1e-9;

/// Formats a rate in per cent, plus or minus the greater distance to an end of its interval. An exact rate has no
/// second number unless its bounds are wide.
fn percent_about(summary: &Summary) -> String {
    let (Some(rate), Some(interval)) = (summary.mean, summary.interval) else {
        return "-".to_owned();
    };
    let reach = interval.greatest_arm(rate);
    if !summary.is_exact && (rate < reach || rate + reach > 1.0) {
        let [low, high] = ends(interval.scaled(100.0), 100.0);
        return format!("{low}% to {high}%");
    }
    let (rate, arm) = if summary.is_exact {
        let rate = if interval.high >= 1.0 && 1.0 - rate <= ROUNDING {
            1.0
        } else if interval.low <= 0.0 && rate <= ROUNDING {
            0.0
        } else {
            rate
        };
        (rate, wide_arm(rate, interval))
    } else {
        (rate, Some(interval.greatest_arm(rate)))
    };
    about(
        rate * 100.0,
        arm.map(|arm| arm * 100.0),
        decimals_of_percents,
    ) + "%"
}

/// Returns the greater distance from an exact number to its bounds, if the bounds are wider than rounding makes them.
fn wide_arm(number: f64, bounds: Interval) -> Option<f64> {
    (!bounds.is_rounding(number)).then(|| bounds.greatest_arm(number))
}

/// Formats both ends of an interval of numbers from 0 to `most`, each with the digits that tell it from these, and rounded
/// outwards.
fn ends(interval: Interval, most: f64) -> [String; 2] {
    let digits = |end: f64| decimals(end.min(most - end));
    let [low, high] = interval.ends();
    [
        format!("{:.*}", digits(low), -rounded_up(-low, digits(low)) + 0.0),
        format!("{:.*}", digits(high), rounded_up(high, digits(high))),
    ]
}

fn mean_about(summary: &Summary) -> String {
    let Some(mean) = summary.mean else {
        return "-".to_owned();
    };
    let arm = match summary.interval {
        Some(bounds) if bounds.high.is_infinite() => {
            let least = (bounds.low * 100.0).floor() / 100.0;
            return format!("≥{least:.2}");
        }
        Some(bounds) if summary.is_exact => wide_arm(mean, bounds),
        // No count is below 0.
        Some(bounds) if mean < bounds.greatest_arm(mean) => {
            return ends(bounds, f64::INFINITY).join(" to ");
        }
        interval => interval.map(|one| one.greatest_arm(mean)),
    };
    // A number that cannot vary needs no half-width.
    let arm = arm.filter(|&arm| arm > 0.0);
    about(mean, arm, decimals_shown)
}

/// Formats a number plus or minus its uncertainty; the number alone if the uncertainty is unknown.
///
/// Four digits are enough at a glance, whatever the number of encounters; the files have the rest. A number below 1 has
/// three digits after its leading zeros, so that small numbers keep their digits. The uncertainty is rounded up, so
/// that it never looks smaller than it is. `shown` makes sure that neither number reads as 0 unless it is 0.
fn about(value: f64, arm: Option<f64>, shown: impl Fn(usize, &[f64]) -> usize) -> String {
    match arm {
        Some(arm) => {
            let most = match value {
                100.0.. => 1,
                1.0.. => 2,
                _ => 2 + decimals(value.max(arm / 10.0) * 2.0),
            };
            let digits = shown(decimals(arm).min(most), &[value]);
            let arm = rounded_up(arm, digits);
            format!("{value:.digits$}±{arm:.digits$}")
        }
        None if value.fract() == 0.0 => format!("{value:.0}"),
        None => format!("{value:.digits$}", digits = shown(2, &[value])),
    }
}

/// Formats a difference with its sign, plus or minus the greater distance to an end of its interval.
pub(super) fn with_arm(difference: f64, interval: Interval) -> String {
    let text = about(
        difference,
        Some(interval.greatest_arm(difference)),
        decimals_shown,
    );
    if difference > 0.0 {
        format!("+{text}")
    } else {
        text
    }
}

/// Writes which encounters to look at, and the command to replay one.
fn replay(page: &mut Page, report: &RunReport, variant: &VariantReport) {
    let length = variant.tally.system().length;
    let points = summary(&variant.tally, length, 0, report.confidence).points;
    let number = points.map(|point| point.and_then(|point| point.encounter));
    let [Some(quickest), .., Some(typical), _, _, Some(longest)] = number else {
        return;
    };
    page.line(&format!(
        "quickest encounter {quickest}, typical {typical}, longest {longest}; to see one:"
    ));
    // On a line of its own, to be copied.
    page.command(&report.replay_of(&variant.name, typical));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_number_keeps_its_digits_and_its_arm_is_as_long_as_it_is() {
        let share = |value, arm| about(value, Some(arm), decimals_of_percents) + "%";
        let count = |value, arm| about(value, Some(arm), decimals_shown);
        assert_eq!(share(0.002, 0.000_07), "0.00200±0.00007%");
        assert_eq!(count(0.000_055_7, 0.000_000_9), "0.0000557±0.0000009");
        assert_eq!(share(0.0, 0.000_384), "0.0000±0.0004%");
        // Neither number hides the digits of the other.
        assert_eq!(count(0.000_01, 0.002), "0.00001±0.00200");
        assert_eq!(share(99.9996, 0.0003), "99.9996±0.0003%");
        assert_eq!(share(99.96, 3.0), "99.96±3.00%");
        // The usual case: no digit is hidden.
        assert_eq!(share(54.3, 0.691), "54.3±0.7%");
        assert_eq!(count(0.342, 0.0055), "0.342±0.006");
        assert_eq!(count(230.4, 0.31), "230.4±0.4");
        assert_eq!(about(0.000_01, None, decimals_shown), "0.00001");
        assert_eq!(about(3.0, None, decimals_shown), "3");
    }

    #[test]
    fn rare_and_nearly_certain_shares_are_shown_by_their_ends() {
        let text = |low, high| ends(Interval { low, high }, 100.0).join(" to ");
        assert_eq!(text(0.0, 0.0738), "0 to 0.08");
        assert_eq!(text(0.000_51, 0.1115), "0.0005 to 0.12");
        assert_eq!(text(99.4, 99.978), "99.4 to 99.98");
        assert_eq!(text(3.0, 80.2), "3 to 81");
        assert_eq!(text(99.93, 100.0), "99.93 to 100");
    }

    #[test]
    fn the_ends_of_an_interval_look_like_none_or_all_only_if_they_are() {
        let interval = |low, high| Interval { low, high };
        // One win in a million.
        let few = percents(1e-6, interval(1.77e-7, 5.66e-6));
        assert_eq!(
            [&few.0, &few.1, &few.2],
            ["0.00010%", "0.00002%", "0.00057%"]
        );
        let most = percents(1.0 - 1e-6, interval(1.0 - 5.66e-6, 1.0 - 1.77e-7));
        assert_eq!(most.2, "99.99998%");
        let none = percents(0.0, interval(0.0, 3.84e-6));
        assert_eq!([&none.0, &none.1, &none.2], ["0%", "0%", "0.00038%"]);
    }
}
