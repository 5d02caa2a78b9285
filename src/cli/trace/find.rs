//! `--find`: the conditions that select an encounter, and the search for it.

use super::TraceArgs;
use crate::cli::args::threads_or_all;
use crate::cli::progress::Bar;
use crate::fight::program::Comparison;
use crate::fight::{Ending, Fight};
use crate::names::{Named as _, unknown};
use crate::report::number::grouped;
use crate::run::jobs::run_jobs;
use crate::run::{Play, Player};
use crate::sim::Record;
use crate::stats::Confidence;
use crate::tally::metrics::{self, CAUGHT, ESCAPED, Kind, MUTUAL, Scope, TIMEOUT};
use crate::task::{Failure, Watch as _};
use anyhow::{Context, anyhow, bail};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The encounters that a thread plays at a time.
const BATCH: u64 = 256;

/// The result of a search.
pub(super) struct Search {
    /// The encounters that were played.
    pub(super) played: u64,
    /// The encounters among them that fulfil the conditions.
    pub(super) count: u64,
    /// The number of the first that does.
    pub(super) first: Option<u64>,
}

impl Search {
    /// Plays the encounters from `--encounter` on, as many as `--within` says or as exist. Without `--count` the search
    /// ends at the first that fulfils the conditions.
    pub(super) fn new(
        conditions: &[Condition],
        player: &Player,
        fight: &Fight,
        args: &TraceArgs,
        (stop, quiet): (&AtomicBool, bool),
    ) -> Result<Self, Failure> {
        let all = args
            .within
            .get()
            .min((u64::MAX - args.encounter).saturating_add(1));
        let bar = Bar::new(quiet, Confidence::DEFAULT);
        bar.begin("search", all, 0, false);
        let (played, first) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        let ended = AtomicBool::new(false);
        let work = |(count, state, record): &mut (u64, _, Record), job: u64| {
            let begin = job * BATCH;
            let end = all.min(begin.saturating_add(BATCH));
            for encounter in (begin..end).map(|index| args.encounter + index) {
                player.play(state, encounter, record);
                if conditions.iter().all(|is_true| is_true(record, fight)) {
                    *count += 1;
                    first.fetch_min(encounter, Ordering::Relaxed);
                }
            }
            played.fetch_add(end - begin, Ordering::Relaxed);
            bar.tick(end - begin, &[]);
            let is_found = !args.count && first.load(Ordering::Relaxed) < u64::MAX;
            ended.fetch_or(is_found || stop.load(Ordering::Relaxed), Ordering::Relaxed);
        };
        let worker = || (0, player.state(), Record::default());
        let jobs = all.div_ceil(BATCH);
        let workers = run_jobs(jobs, threads_or_all(None), &ended, worker, work);
        bar.end();
        let first = first.into_inner();
        Ok(Self {
            played: played.into_inner(),
            count: workers
                .map_err(Failure::io)?
                .iter()
                .map(|(count, ..)| count)
                .sum(),
            first: (first < u64::MAX).then_some(first),
        })
    }

    /// Says that the encounters that were played do not fulfil the conditions.
    pub(super) fn nothing(&self, args: &TraceArgs) -> String {
        let conditions = args.find.as_deref().unwrap_or_default();
        let begin = args.encounter;
        match self.played {
            1 => format!("encounter {begin} does not have `{conditions}`"),
            played => format!(
                "none of the {} encounters from {begin} on has `{conditions}`",
                grouped(played)
            ),
        }
    }
}

/// Whether an encounter fulfils a condition.
pub(super) type Condition = Box<dyn Fn(&Record, &Fight) -> bool + Sync>;

/// Parses conditions joined by `and`, all of which must be true.
pub(super) fn parse(text: &str, fight: &Fight) -> anyhow::Result<Vec<Condition>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .split(|word| *word == "and")
        .map(|words| condition(&words.join(" "), fight))
        .collect()
}

fn condition(text: &str, fight: &Fight) -> anyhow::Result<Condition> {
    if text.is_empty() {
        bail!("--find lacks a condition; write winner=SIDE, or 'winner=SIDE and rounds>=9'");
    }
    // Of two signs at a place the longer one is meant.
    let sign = |at: usize, length: usize| match text.get(at..at + length)? {
        "==" => Some((at, length, Comparison::Equal)),
        sign => Some((at, length, Comparison::named(sign)?)),
    };
    let (at, length, comparison) = text
        .char_indices()
        .find_map(|(at, _)| sign(at, 2).or_else(|| sign(at, 1)))
        .with_context(|| {
            format!("`{text}` compares nothing; write winner=SIDE, rounds>=9 or damage.NAME<10")
        })?;
    let left = text[..at].trim();
    let right = text[at + length..].trim();
    // Another comparison follows; a name may hold these words and characters as well.
    if right.contains(['<', '>', '=']) {
        if right.contains(['&', ',', ';']) {
            bail!("`{text}`: conditions are joined by `and`");
        }
        if right.contains(" or ") {
            bail!("`{text}`: conditions are joined by `and` alone; look for each by itself");
        }
    }
    let (name, subject) = match left.split_once('.') {
        Some((name, subject)) => (name.trim(), Some(subject.trim())),
        None => (left, None),
    };
    let measured = || metrics::all().filter(|metric| metric.is_measured(fight));
    let metric = measured()
        .find(|metric| metric.name == name)
        .with_context(|| unknown("metric", name, measured().map(|metric| metric.name)))?;
    if metric.kind == Kind::Category {
        if comparison != Comparison::Equal {
            bail!("`{name}` can only be compared with =");
        }
        let ending = ending(right, fight)?;
        return Ok(Box::new(move |record, _| record.ending == ending));
    }
    if metric.kind == Kind::Curve {
        bail!("`{name}` has no value in a single encounter");
    }
    let number = right
        .parse()
        .map_err(|_| anyhow!("`{right}` is not a whole number to compare `{name}` with"))?;
    let subject = match (metric.scope, subject) {
        (Scope::Encounter, None) => 0,
        (Scope::Encounter, Some(_)) => {
            bail!("`{name}` is about the encounter as a whole; leave out what follows the dot")
        }
        (scope, None) => bail!("whose {name}? write {name}.{}", scope.name().to_uppercase()),
        (scope, Some(name)) => scope
            .subject(fight, name)
            .with_context(|| unknown(scope.name(), name, scope.subjects(fight)))?,
    };
    Ok(Box::new(move |record, fight| {
        let value = metric.value(record, fight, subject);
        value.is_some_and(|value| comparison.holds(value, number))
    }))
}

/// Returns the ending called `name`, which may also be a side or a combatant on it.
fn ending(name: &str, fight: &Fight) -> anyhow::Result<Ending> {
    let mut known: Vec<(&str, Ending)> = Vec::new();
    for (at, side) in fight.sides.iter().enumerate() {
        known.push((side, Ending::Win(at as u8)));
    }
    known.extend([(MUTUAL, Ending::Mutual), (TIMEOUT, Ending::Timeout)]);
    if !fight.ends.is_empty() {
        known.extend([(ESCAPED, Ending::Escaped), (CAUGHT, Ending::Caught)]);
    }
    for (at, outcome) in fight.outcomes().enumerate() {
        known.push((outcome, Ending::Outcome(at as u8)));
    }
    let mut combatants = fight.combatants.iter();
    let member = combatants.find(|member| member.name == name || member.group == name);
    // A side may be called like an outcome, which comes first.
    let named = known.iter().rev().find(|(known, _)| *known == name);
    match (named, member) {
        (Some((_, ending)), _) => Ok(*ending),
        (None, Some(member)) => Ok(Ending::Win(member.side as u8)),
        (None, None) => {
            let known = known.iter().map(|(known, _)| *known);
            Err(anyhow!(unknown("winner", name, known)))
        }
    }
}
