//! One check: its chances, alone or against another.

use super::args::OddsArgs;
use super::check::{Chances, Roll, keep_common, outcomes};
use super::question::Question;
use super::tasks;
use crate::dice::Weight;
use crate::dice::percentile::Percentile;
use crate::fight::check::{Attempt, CheckKind};
use crate::report::{Fact, Report, Value, chance};
use crate::systems::Rules;
use crate::systems::eclipse_phase::rules::PhaseRules;
use crate::task::Failure;

/// Answers a question about one check.
pub(super) fn answer(args: &OddsArgs, question: &Question) -> Result<Report, Failure> {
    let roll = question.roll()?;
    let mut report = Report::new(
        question.title.clone(),
        roll.about.clone().into_iter().collect(),
    );
    if let Some(task) = question.task(&roll)? {
        tasks::answer(&mut report, &roll, &task)?;
        return Ok(report);
    }
    let chances = roll.chances(1)?;
    let against = args
        .check
        .against
        .as_ref()
        .filter(|_| args.check.check.is_none());
    if let Some(against) = against {
        let other = question.other(args, against)?;
        report.title = format!("{} against {}", question.title, other.title);
        versus(&mut report, &roll, &chances, &other.roll()?)?;
        return Ok(report);
    }
    let mut rows = [chances.figures(&roll)];
    keep_common(&mut rows);
    let [mut facts] = rows;
    if roll.check.kind() == CheckKind::RollOver
        && !roll.is_open
        && let Some(needed) = chances.needed()
    {
        let needed = Value::Whole(needed);
        facts.push(Fact::new("needed", "number to reach", needed));
    }
    if let Some(points) = question.willpower {
        let cost = Value::text(&format!("1 of {points}"));
        facts.push(Fact::new(
            "willpower_cost",
            "points of Willpower spent",
            cost,
        ));
    }
    let is_percentile = roll.check.kind() == CheckKind::Percentile;
    if is_percentile {
        outcomes(&mut report, &facts);
    }
    report.facts(facts);
    chances.tables(&mut report);
    Ok(report)
}

/// Adds the comparison of two rolls: of percentile tests whether the second defends (EP-9), of others their totals.
fn versus(
    report: &mut Report,
    roll: &Roll,
    chances: &Chances<'_>,
    other: &Roll,
) -> Result<(), Failure> {
    let theirs = other.chances(1)?;
    if [roll, other]
        .iter()
        .any(|roll| roll.check.kind() != CheckKind::Percentile)
    {
        let totals = |chances: &Chances<'_>| chances.totals(|_| true);
        report.versus(
            &totals(chances),
            &totals(&theirs),
            "The first less the second",
        );
        return Ok(());
    }
    let default = PhaseRules::default();
    let rules = match &roll.rules {
        Rules::Phases(rules) => rules,
        _ => &default,
    };
    let mut counts = [Weight::ZERO; 4];
    for (attack, weight) in chances.attempts() {
        for (defence, other) in theirs.attempts() {
            let test = Percentile {
                skill: defence.needed,
            };
            let defends = |attack: &Attempt| {
                rules.defends(test.judge(defence.total as u32), &roll.check, attack)
            };
            let outcome = match () {
                () if !attack.works => 3,
                () if defends(&attack) => 2,
                () => usize::from(!roll.check.is_critical(&attack)),
            };
            counts[outcome] += weight * other;
        }
    }
    let [critical, hit, defended, missed] = counts.map(Weight::value);
    let facts = [
        chance("p_critical", "critical hit", critical),
        chance("p_plain", "hit", hit),
        chance("p_defended", "defended", defended),
        chance("p_missed", "missed", missed),
    ];
    outcomes(report, &facts);
    report.facts(vec![chance(
        "p_hit",
        "hit (criticals included)",
        (counts[0] + counts[1]).value(),
    )]);
    Ok(())
}
