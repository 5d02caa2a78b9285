//! `--mirror`: does it matter from which end a fight is told?
//!
//! Each variant is played as written and told from the other end: positions reflected, the other
//! side listed first. Luck goes by names, so everybody has the same dice in both. Three things can
//! make a fight lopsided, and they are told apart:
//!
//! - *The engine.* The rules know no left and right and no first and second in a file. If a side
//!   does better told one way than the other, the program gives an edge to those who are listed
//!   first, or who stand on one end of the line. That is a defect, whatever the scenario.
//! - *The luck.* If both sides are alike in everything but their names, and the engine does not
//!   care how the fight is told, either must win as often. If not, names have luck.
//! - *The scenario.* If the sides are not alike, one may well win more often; that is what
//!   scenarios are for, and nothing is said about it.

use super::expectations::judge;
use super::{Halt, Plan};
use crate::engine::paired::{self, Contender, Paired, Question};
use crate::engine::{Play, Player};
use crate::fight::{Combatant, Fight};
use crate::output::findings::{Finding, Found, Verdict, Wanted};
use crate::output::{encounters, grouped};
use crate::policy::Policy;
use crate::scenario::Loaded;
use crate::scenario::expect::Bounds;
use crate::scenario::mirror::{Mirror, axis};
use crate::stats::Confidence;
use crate::stats::paired::Difference;
use crate::tally::{Kind, Metric, Pairs, Tally, metrics};
use anyhow::anyhow;
use std::sync::atomic::AtomicBool;

/// The metric that is held against itself.
const METRIC: &str = "win_rate";

/// What was found about every variant of a scenario.
pub(super) fn examine(
    loaded: &Loaded,
    tolerance: f64,
    plan: &Plan,
    stop: &AtomicBool,
    total: &mut u64,
) -> Result<Vec<Finding>, Halt> {
    let mut findings = Vec::new();
    for variant in &loaded.scenario.variants {
        let mirrored = |mirror| {
            let image = loaded.document.mirrored(&variant.name, mirror);
            image.map_err(|wrong| Halt::input(anyhow!("{wrong}")))
        };
        let [image, places, order] = [
            mirrored(Mirror::WHOLE)?,
            mirrored(Mirror {
                order: false,
                ..Mirror::WHOLE
            })?,
            mirrored(Mirror {
                places: false,
                ..Mirror::WHOLE
            })?,
        ];
        let contender = |one| player(one, plan.seed);
        let both = [contender(variant), contender(&image)];
        let trial = examine_pair(&both, tolerance, plan, stop)?;
        *total += 2 * trial.encounters;
        let mut list = trial.findings;
        if list[..variant.fight.sides.len()].iter().any(is_clear) {
            let all = [contender(variant), contender(&places), contender(&order)];
            let range = 0..trial.encounters;
            let questions = questions(&all);
            let paired =
                paired::run(&all, &questions, range, plan.threads, stop, &()).map_err(Halt::io)?;
            *total += 3 * paired.encounters();
            for (finding, pairs) in list.iter_mut().zip(&paired.pairs) {
                if is_clear(finding) {
                    finding.details.extend(causes(pairs, plan));
                }
            }
        }
        for finding in &mut list {
            finding.variant.clone_from(&variant.name);
        }
        findings.extend(list);
    }
    Ok(findings)
}

fn player(variant: &crate::scenario::Variant, seed: u64) -> Contender<'_, Player> {
    Contender {
        player: Player::new(&variant.fight, &variant.rules, seed),
        fight: &variant.fight,
    }
}

/// What was found about one variant.
#[derive(Debug)]
pub struct Trial {
    /// First a finding for each side, in the order of the fight as written: how much more often it
    /// wins told as written. Then, if the sides are alike, one that holds them against each other.
    pub findings: Vec<Finding>,
    /// Encounters that were played of each.
    pub encounters: u64,
}

/// Plays a fight as written and its mirror image until it is decided whether they differ by more
/// than `tolerance`.
///
/// # Errors
/// If the operating system refuses the threads.
pub fn examine_pair<P: Play>(
    both: &[Contender<'_, P>; 2],
    tolerance: f64,
    plan: &Plan,
    stop: &AtomicBool,
) -> Result<Trial, Halt> {
    let questions = questions(both);
    let mut all: Option<Paired> = None;
    let mut look = 0;
    let mut played = 0;
    while let Some(count) = plan.look(look) {
        let part = paired::run(both, &questions, played..count, plan.threads, stop, &())
            .map_err(Halt::io)?;
        if part.encounters() < count - played {
            return Err(Halt::Interrupted);
        }
        match &mut all {
            Some(all) => all.merge(&part),
            None => all = Some(part),
        }
        played = count;
        let Some(all) = &all else { break };
        let findings = findings(all, both[0].fight, tolerance, plan.each);
        let decided = |finding: &Finding| finding.verdict != Verdict::Undecided;
        if findings.iter().all(decided) || plan.is_last(look) {
            return Ok(Trial {
                findings,
                encounters: played,
            });
        }
        look += 1;
    }
    Err(Halt::Interrupted)
}

fn metric() -> &'static Metric {
    metrics::find(METRIC).expect("the win rate is in the registry")
}

/// How often does each side win?
fn questions<P>(contenders: &[Contender<'_, P>]) -> Vec<Question> {
    let Some(first) = contenders.first() else {
        return Vec::new();
    };
    let fights = || contenders.iter().map(|other| other.fight);
    let question = |side: &String| Question::new(metric(), side, fights());
    first.fight.sides.iter().map(question).collect()
}

fn findings(all: &Paired, fight: &Fight, tolerance: f64, confidence: Confidence) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (side, pairs) in fight.sides.iter().zip(&all.pairs) {
        let Some(pairs) = pairs.first() else { continue };
        // The image comes second: what is told is how much better the file as written is.
        let what = format!("{METRIC} of {side}, as written less mirrored");
        let mut finding = finding(what, &pairs.swapped(), tolerance, confidence);
        finding.subject = Some(side.clone());
        let (only_written, only_mirrored) = pairs.discordant();
        if only_written + only_mirrored > 0 {
            finding.details.push(format!(
                "of {}, {side} wins {} as written alone and {} mirrored alone, on the same dice",
                encounters(pairs.n),
                grouped(only_written),
                grouped(only_mirrored),
            ));
        }
        if is_clear(&finding) {
            let size = match finding.verdict {
                Verdict::Passed => ", by less than the tolerance",
                _ => "",
            };
            finding.details.push(format!(
                "the engine is biased{size}: nothing has changed but how the fight is told"
            ));
        }
        findings.push(finding);
    }
    if are_alike(fight)
        && let Some(tally) = all.tallies.first()
    {
        findings.push(against_each_other(tally, tolerance, confidence));
    }
    findings
}

/// Whether a difference is clearly there, however small.
fn is_clear(finding: &Finding) -> bool {
    let interval = finding.found.and_then(|found| found.interval);
    interval.is_some_and(|interval| interval.low > 0.0 || interval.high < 0.0)
}

/// Two sides that are alike, held against each other in the fight as written.
fn against_each_other(tally: &Tally, tolerance: f64, confidence: Confidence) -> Finding {
    let pairs = Pairs::of_exclusive(tally.encounters(), [tally.wins(0), tally.wins(1)]);
    let [first, second] = [&tally.sides()[0], &tally.sides()[1]];
    let what = format!("{METRIC} of {first} less that of {second}");
    let mut finding = finding(what, &pairs.swapped(), tolerance, confidence);
    finding.details.push(match finding.verdict {
        Verdict::Failed => format!(
            "a mirror match that is not even: {first} and {second} are alike in all but their names"
        ),
        _ => format!("a mirror match: {first} and {second} are alike in all but their names"),
    });
    finding
}

/// The difference of pairs, which should be nothing.
fn finding(what: String, pairs: &Pairs, tolerance: f64, confidence: Confidence) -> Finding {
    let difference = Difference::of_pairs(pairs, Kind::Rate, Some(1.0), confidence);
    let bounds = Bounds {
        low: -tolerance,
        high: tolerance,
    };
    let interval = difference.as_ref().and_then(|one| one.interval);
    Finding {
        place: None,
        variant: String::new(),
        what,
        metric: Some(METRIC),
        subject: None,
        statistic: Some("mean"),
        from: None,
        share: true,
        found: difference.map(|difference| Found {
            value: difference.difference,
            interval,
        }),
        wanted: Wanted::Within(bounds.low, bounds.high),
        encounters: pairs.n,
        verdict: interval.map_or(Verdict::Undecided, |interval| judge(bounds, interval)),
        details: Vec::new(),
    }
}

/// Which of the two ways in which a mirror image differs makes the difference: `pairs` are those
/// with an image reflected only, and with one listed in reverse only.
fn causes(pairs: &[Pairs], plan: &Plan) -> Option<String> {
    let shown = |pairs: &Pairs| {
        let difference = Difference::of_pairs(&pairs.swapped(), Kind::Rate, Some(1.0), plan.each);
        let interval = difference.as_ref()?.interval?;
        let clear = interval.low > 0.0 || interval.high < 0.0;
        let percent = difference?.difference * 100.0;
        Some((clear, format!("{percent:+.2} points")))
    };
    let [places, order] = pairs else { return None };
    let ((by_place, places), (by_order, order)) = (shown(places)?, shown(order)?);
    let cause = match (by_place, by_order) {
        (true, true) => "both the direction on the line and the order of the file matter",
        (true, false) => "the direction on the line matters",
        (false, true) => "the order of the file matters",
        (false, false) => "neither matters clearly for itself",
    };
    Some(format!(
        "{cause}: {places} with positions reflected only, {order} with sides listed in reverse only"
    ))
}

/// Whether a fight is a mirror match: two sides, and everybody has a twin on the other, in the
/// place opposite, who differs in nothing but names. Those who seek a certain enemy by name have
/// no twins.
#[must_use]
pub fn are_alike(fight: &Fight) -> bool {
    if fight.sides.len() != 2 {
        return false;
    }
    let axis = axis(fight);
    let side = |side: usize| fight.combatants.iter().filter(move |one| one.side == side);
    let mut twins: Vec<&Combatant> = side(1).collect();
    for one in side(0) {
        let Some(at) = twins.iter().position(|twin| are_twins(one, twin, axis)) else {
            return false;
        };
        twins.remove(at);
    }
    twins.is_empty()
}

fn are_twins(one: &Combatant, other: &Combatant, axis: i32) -> bool {
    let policy = |of: &Combatant| Policy {
        name: String::new(),
        text: Vec::new(),
        ..(*of.policy).clone()
    };
    let image = Combatant {
        name: one.name.clone(),
        group: one.group.clone(),
        side: one.side,
        position: axis - other.position,
        policy: one.policy.clone(),
        ..other.clone()
    };
    image == *one && policy(one) == policy(other)
}
