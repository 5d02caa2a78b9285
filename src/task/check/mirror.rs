//! `--mirror`: tests whether the orientation of a fight matters.
//!
//! Each variant is played as written and as its mirror image: positions reflected, and the other side listed
//! first. Streams are keyed by names, so all combatants have the same dice in both. Three causes of a lopsided
//! fight are told apart:
//!
//! - *The engine.* The rules know no left and right and no order in a file. If a side does better in one of the
//!   two fights, the program favours the combatants that are listed first or that stand at one end of the line.
//!   That is a defect, whatever the scenario.
//! - *The luck.* If both sides differ in nothing but their names, and the engine is not biased, they must win
//!   equally often. If they do not, the streams favour some names.
//! - *The scenario.* If the sides are not alike, one may well win more often. Scenarios exist for that, and no
//!   finding is made of it.
//!
//! A bias may show in the length of a fight, the first action or the health left before it shows in wins, so all of
//! these are compared ([`METRICS`]). All intervals of a scenario hold together at the given level (Bonferroni).

use super::expectations::judge;
use super::{Halt, Schedule};
use crate::fight::program::Policy;
use crate::fight::{Combatant, Fight};
use crate::output::findings::{Expected, Finding, Measurement, Verdict};
use crate::output::{encounters, grouped};
use crate::report::number::decimals;
use crate::run::paired::{Contender, Paired, Question};
use crate::run::{Play, Player};
use crate::scenario::expect::Bounds;
use crate::scenario::mirror::{Mirror, axis};
use crate::scenario::{Loaded, Variant};
use crate::stats::paired::Difference;
use crate::stats::quantile::unseen;
use crate::stats::{Confidence, Interval};
use crate::tally::{Kind, Metric, Pairs, Tally, metrics};
use anyhow::anyhow;

/// The metrics that are compared, for all their subjects. Each adds something to the others: the winner, the
/// margin, the duration, and the initiative.
pub const METRICS: [&str; 4] = [WINS, metrics::HEALTH_LEFT, metrics::ROUNDS, "acted_first"];

/// The metric that must be equal for the two sides of a mirror match.
const WINS: &str = "win_rate";

/// The least tolerance for the wins of two sides that are alike. Only the luck of names separates them, and
/// their encounters are not paired: a narrower interval takes hundreds of thousands of encounters.
const EVEN: f64 = 0.02;

/// The greatest accepted difference between a fight and its mirror image.
#[derive(Debug, Clone, Copy)]
pub struct Tolerance {
    /// For a rate, in shares: 0.01 is a point.
    pub rate: f64,
    /// For any other mean, relative to the mean.
    pub mean: f64,
}

impl Tolerance {
    /// The tolerance unless `--tolerance` is given. Other means are those of health and Rounds: half a Unit
    /// more or less from one end shows in them long before it shows in wins.
    pub const DEFAULT: Self = Self {
        rate: 0.001,
        mean: 0.005,
    };
}

/// Returns the findings about every variant of a scenario.
pub(super) fn examine(
    loaded: &Loaded,
    tolerance: Tolerance,
    schedule: &Schedule<'_>,
) -> Result<Vec<Finding>, Halt> {
    let variants: Vec<Variant> = loaded.scenario.variants.iter().map(watched).collect();
    let each = together(schedule.each, variants.iter().map(|one| &one.fight));
    let mut findings = Vec::new();
    for variant in &variants {
        let mirrored = |mirror| {
            let image = loaded.document.mirrored(&variant.name, mirror);
            let image = image.map_err(|wrong| Halt::input(anyhow!("{wrong}")))?;
            Ok(watched(&image))
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
        let contender = |one| player(one, schedule.seed);
        let both = [contender(variant), contender(&image)];
        let trial = examine_pair(&both, tolerance, schedule, each)?;
        let mut list = trial.findings;
        if list.iter().any(|one| one.compares() && one.is_clear()) {
            let all = [contender(variant), contender(&places), contender(&order)];
            let range = 0..trial.encounters;
            let questions = questions(&all);
            schedule.expect(range.end.saturating_mul(all.len() as u64));
            let paired = schedule.play_paired(&all, &questions, range)?;
            for one in &mut list {
                if let Some(index) = one.question
                    && one.is_clear()
                {
                    let (question, pairs) = (&questions[index], &paired.pairs[index]);
                    let reach = reach(question, &paired.tallies[0]);
                    let kind = question.metric.kind;
                    one.finding.details.extend(causes(kind, pairs, reach, each));
                }
            }
        }
        findings.extend(list.into_iter().map(|one| Finding {
            variant: variant.name.clone(),
            ..one.finding
        }));
    }
    Ok(findings)
}

/// Returns the variant with `acted_first` switched on.
fn watched(variant: &Variant) -> Variant {
    let mut variant = variant.clone();
    variant.fight.acted_first = true;
    variant
}

/// Returns the level of each interval about `fights` with which all of them together hold at the level of `look`.
pub fn together<'a>(look: Confidence, fights: impl IntoIterator<Item = &'a Fight>) -> Confidence {
    let intervals = |fight: &Fight| {
        let questions = metrics().flat_map(|metric| metric.scope.subjects(fight));
        questions.count() + usize::from(are_alike(fight))
    };
    let all: usize = fights.into_iter().map(intervals).sum();
    look.shared(all)
}

fn player(variant: &Variant, seed: u64) -> Contender<'_, Player> {
    Contender {
        player: Player::new(&variant.fight, &variant.rules, seed),
        fight: &variant.fight,
    }
}

/// The findings about one variant.
#[derive(Debug)]
pub struct Trial {
    /// A finding for each metric and subject, in the order of [`METRICS`] and of the file: the fight as written less
    /// its mirror image. If the sides are alike, one more finding at the end compares them with each other.
    pub findings: Vec<Answer>,
    /// The encounters played of each of the two fights.
    pub encounters: u64,
}

/// A finding with its question.
#[derive(Debug)]
pub struct Answer {
    /// The index of the question that it answers; `None` if it compares the two sides.
    pub question: Option<usize>,
    /// The finding.
    pub finding: Finding,
}

impl Answer {
    /// Returns whether the finding compares a fight with its mirror image.
    fn compares(&self) -> bool {
        self.question.is_some()
    }

    /// Returns whether there certainly is a difference, however small.
    pub fn is_clear(&self) -> bool {
        is_clear(&self.finding)
    }
}

fn is_clear(finding: &Finding) -> bool {
    let interval = finding.found.and_then(|found| found.interval);
    interval.is_some_and(Interval::excludes_zero)
}

/// Plays a fight and its mirror image until it is decided whether they differ by more than the tolerance, with
/// intervals of the level `each`.
///
/// # Errors
/// If the operating system refuses the threads.
pub fn examine_pair<P: Play>(
    both: &[Contender<'_, P>; 2],
    tolerance: Tolerance,
    schedule: &Schedule<'_>,
    each: Confidence,
) -> Result<Trial, Halt> {
    let questions = questions(both);
    let mut all: Option<Paired> = None;
    let mut look = 0;
    let mut played = 0;
    while let Some(count) = schedule.look(look) {
        let range = played..count;
        schedule.expect(2 * (count - played));
        let part = schedule.play_paired(both, &questions, range)?;
        if part.encounters() < count - played {
            return Err(Halt::Interrupted);
        }
        match &mut all {
            Some(all) => all.merge(&part),
            None => all = Some(part),
        }
        played = count;
        let Some(all) = &all else { break };
        let mut findings = findings(all, &questions, both[0].fight, tolerance, each);
        let open = |one: &Answer| one.finding.verdict == Verdict::Undecided;
        if !findings.iter().any(open) || schedule.is_last(look) {
            for one in findings.iter_mut().filter(|one| open(one)) {
                settle(one);
            }
            return Ok(Trial {
                findings,
                encounters: played,
            });
        }
        look += 1;
    }
    Err(Halt::Interrupted)
}

/// Settles an undecided finding at the last look: a proven difference that is not proven to be within the
/// tolerance fails.
fn settle(answer: &mut Answer) {
    let clear = answer.is_clear();
    let finding = &mut answer.finding;
    if clear {
        finding.verdict = Verdict::Failed;
        let reach = "the interval misses 0, but reaches beyond the tolerance";
        finding.details.push(reach.to_owned());
        return;
    }
    let Expected::Within(_, tolerance) = finding.wanted else {
        return;
    };
    let measured = finding
        .found
        .and_then(|one| Some((one.value, one.interval?)));
    let (room, needed) = measured.map_or((0.0, 0.0), |(value, interval)| {
        let room = tolerance - value.abs();
        // Widths shrink with the square root of the encounters.
        let times = (interval.half_width() / room).powi(2);
        (room, finding.encounters as f64 * times * 1.1)
    });
    finding.details.push(if room > 0.0 && needed < 1e12 {
        // More than two digits would be false precision.
        let unit = 10_f64.powi(needed.log10().floor() as i32 - 1);
        format!(
            "no bias was found, but one beyond the tolerance may be hidden: about {} would decide \
             (--max-encounters)",
            encounters(((needed / unit).ceil() * unit) as u64)
        )
    } else {
        "no bias was found, but one beyond the tolerance may be hidden: allow more encounters with \
         --max-encounters"
            .to_owned()
    });
}

fn metrics() -> impl Iterator<Item = &'static Metric> {
    METRICS.into_iter().filter_map(metrics::find)
}

/// Returns a question for every metric and subject.
fn questions<P>(contenders: &[Contender<'_, P>]) -> Vec<Question> {
    let Some(first) = contenders.first() else {
        return Vec::new();
    };
    let of_metric = |metric: &'static Metric| {
        let fights = || contenders.iter().map(|other| other.fight);
        let subjects = metric.scope.subjects(first.fight);
        subjects.map(move |subject| Question::new(metric, subject, fights()))
    };
    metrics().flat_map(of_metric).collect()
}

fn findings(
    all: &Paired,
    questions: &[Question],
    fight: &Fight,
    tolerance: Tolerance,
    confidence: Confidence,
) -> Vec<Answer> {
    let mut findings = Vec::new();
    for (index, question) in questions.iter().enumerate() {
        // The image comes second, and pairs are second less first: swapped, a positive difference favours the
        // file as written.
        let Some(pairs) = all.pairs[index].first().map(Pairs::swapped) else {
            continue;
        };
        // A metric without values, such as `acted_first` where no combatant acts, has no difference.
        if pairs.n > 0 {
            let reach = reach(question, &all.tallies[0]);
            findings.push(Answer {
                question: Some(index),
                finding: told(question, &pairs, fight, reach, tolerance, confidence),
            });
        }
    }
    if are_alike(fight)
        && let Some(tally) = all.tallies.first()
    {
        findings.push(Answer {
            question: None,
            finding: against_each_other(tally, tolerance.rate.max(EVEN), confidence),
        });
    }
    findings
}

/// Returns the finding for a metric of the fight as written less its mirror image.
fn told(
    question: &Question,
    pairs: &Pairs,
    fight: &Fight,
    reach: Option<f64>,
    tolerance: Tolerance,
    confidence: Confidence,
) -> Finding {
    let metric = question.metric;
    let index = question.subjects.first().copied().flatten();
    let subject = index.and_then(|index| metric.scope.subjects(fight).nth(index));
    let subject = subject.unwrap_or_default();
    let (share, most) = if metric.kind == Kind::Rate {
        (tolerance.rate, tolerance.rate)
    } else {
        let mean = pairs.sums[1] as f64 / pairs.n as f64;
        (tolerance.mean, three_digits(tolerance.mean * mean))
    };
    let mut finding = Finding {
        subject: Some(subject.to_owned()),
        ..finding(
            metric,
            format!("{} of {subject}, as written less mirrored", metric.name),
            pairs,
            reach,
            most,
            confidence,
        )
    };
    let all_equal = pairs.differing().iter().all(|gaps| gaps.total() == 0);
    // `unseen` bounds the share of encounters that may differ although none of those played did.
    let hidden = unseen(pairs.n, confidence.error());
    if all_equal && hidden <= share && finding.verdict != Verdict::Passed {
        finding.verdict = Verdict::Passed;
        let hidden = 100.0 * hidden;
        finding.details.push(format!(
            "no encounter differed: about {hidden:.digits$}% of all may, which is within the tolerance",
            digits = decimals(hidden)
        ));
    }
    if metric.kind == Kind::Rate && !all_equal {
        let (only_mirrored, only_written) = pairs.discordant();
        finding.details.push(format!(
            "of {}, {subject} wins {} as written alone and {} mirrored alone, on the same dice",
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
            "the engine is biased{size}: the two fights differ only in how they are written"
        ));
    }
    finding
}

/// Rounds a number to three digits, as people write a tolerance.
fn three_digits(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

/// Returns the finding that compares two sides that are alike, in the fight as written.
fn against_each_other(tally: &Tally, tolerance: f64, confidence: Confidence) -> Finding {
    // `Pairs` are second less first, so the second side's wins come first.
    let wins = [tally.wins(1), tally.wins(0)];
    let pairs = Pairs::of_exclusive(tally.encounters(), wins);
    let [first, second] = [&tally.sides()[0], &tally.sides()[1]];
    let metric = metrics::find(WINS).expect("the win rate is in the registry");
    let what = format!("{WINS} of {first} less that of {second}");
    let mut finding = finding(metric, what, &pairs, Some(1.0), tolerance, confidence);
    finding.details.push(match finding.verdict {
        Verdict::Failed => format!(
            "a mirror match that is not even: {first} and {second} are alike in all but their names"
        ),
        _ => format!("a mirror match: {first} and {second} are alike in all but their names"),
    });
    finding
}

/// Returns the greatest difference that the question's metric can show in an encounter, where it is known.
fn reach(question: &Question, tally: &Tally) -> Option<f64> {
    let values = tally.distribution(question.metric, question.subjects[0]?);
    values.limit().map(f64::from)
}

/// Returns the finding for the difference of pairs, second less first, which is expected to be 0.
fn finding(
    metric: &'static Metric,
    what: String,
    pairs: &Pairs,
    reach: Option<f64>,
    tolerance: f64,
    confidence: Confidence,
) -> Finding {
    let difference = Difference::of_pairs(pairs, metric.kind, reach, confidence);
    let bounds = Bounds {
        low: -tolerance,
        high: tolerance,
    };
    let interval = difference.as_ref().and_then(|one| one.interval);
    Finding {
        place: None,
        variant: String::new(),
        what,
        metric: Some(metric.name),
        subject: None,
        statistic: Some("mean"),
        from: None,
        share: metric.kind == Kind::Rate,
        found: difference.map(|difference| Measurement {
            value: difference.difference,
            interval,
        }),
        wanted: Expected::Within(bounds.low, bounds.high),
        encounters: pairs.n,
        is_exact: false,
        verdict: interval.map_or(Verdict::Undecided, |interval| judge(bounds, interval)),
        details: Vec::new(),
    }
}

/// Describes which part of the mirroring causes a difference. `pairs` holds the pairs with an image that is
/// only reflected, and with one that is only listed in reverse.
fn causes(
    kind: Kind,
    pairs: &[Pairs],
    reach: Option<f64>,
    confidence: Confidence,
) -> Option<String> {
    let shown = |pairs: &Pairs| {
        let difference = Difference::of_pairs(&pairs.swapped(), kind, reach, confidence)?;
        let clear = difference.interval.is_some_and(Interval::excludes_zero);
        let text = match kind {
            Kind::Rate => format!("{:+.2} points", difference.difference * 100.0),
            _ => format!("{:+.4}", difference.difference),
        };
        Some((clear, text))
    };
    let [places, order] = pairs else { return None };
    let ((by_place, places), (by_order, order)) = (shown(places)?, shown(order)?);
    let cause = match (by_place, by_order) {
        (true, true) => "both the direction on the line and the order of the file matter",
        (true, false) => "the direction on the line matters",
        (false, true) => "the order of the file matters",
        (false, false) => "neither matters clearly on its own",
    };
    Some(format!(
        "{cause}: {places} with positions reflected only, {order} with sides listed in reverse only"
    ))
}

/// Returns whether a fight is a mirror match: two sides on which each combatant has a twin in the opposite
/// place that differs only in name. A combatant whose policy names an enemy has no twin.
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
