//! What a plan's shards are made of: fights that are played in parts, and their counts.

use super::{Handing, Whole};
use crate::cli::compare;
use crate::cli::dry_run::{Forecast, Small, probe};
use crate::cli::load::{Planned, Source, Variant};
use crate::cli::progress::Fights;
use crate::cli::{Console, Exit, Failure, run, sweep};
use crate::run::paired::{self, Contender, Paired, Question};
use crate::run::points::{self, Point};
use crate::shard::{Body, Damage, Part, Plan};
use crate::tally::{Portable, Tally};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// Fights that are played in parts.
pub(super) trait Work {
    /// How many fights.
    fn fights(&self) -> usize;

    /// How many fights are played for an encounter of one.
    fn each(&self) -> u64 {
        1
    }

    /// Plays parts and encodes what has been counted of each. If it is stopped, the last ones are
    /// missing.
    fn play(
        &self,
        parts: &[Part],
        threads: NonZeroUsize,
        stop: &AtomicBool,
        bar: &Fights,
    ) -> Result<Vec<Vec<u8>>, Failure>;

    /// Proves that a shard has counts of those parts.
    fn check(&self, body: Body<'_>, parts: &mut dyn Iterator<Item = Part>) -> Result<(), Damage>;
}

/// The fights of a run or a sweep, each for itself.
pub(super) struct Several<'a, S> {
    pub(super) source: &'a S,
    pub(super) variants: Vec<&'a Variant>,
    pub(super) seed: u64,
}

impl<S> Several<'_, S> {
    /// Nothing counted yet of a fight.
    pub(super) fn empty(&self, fight: usize) -> Tally {
        Tally::new(&self.variants[fight].fight)
    }
}

impl<S: Source> Work for Several<'_, S> {
    fn fights(&self) -> usize {
        self.variants.len()
    }

    fn play(
        &self,
        parts: &[Part],
        threads: NonZeroUsize,
        stop: &AtomicBool,
        bar: &Fights,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let points: Vec<_> = parts
            .iter()
            .map(|part| Point {
                play: self.source.player(self.variants[part.fight], self.seed),
                fight: &self.variants[part.fight].fight,
                encounters: part.encounters.clone(),
            })
            .collect();
        let encoded = |index: usize, tally: Tally| encoded(&tally, &parts[index]);
        points::run(&points, threads, stop, bar, encoded).map_err(Failure::io)
    }

    fn check(&self, body: Body<'_>, parts: &mut dyn Iterator<Item = Part>) -> Result<(), Damage> {
        body.each(parts, |body, part| {
            let _ = body.counts(&self.empty(part.fight), &part)?;
            Ok(())
        })
    }
}

/// The fights of a comparison, which are one: they are played side by side.
pub(super) struct Contested<'a, S> {
    pub(super) source: &'a S,
    pub(super) variants: &'a [&'a Variant],
    pub(super) questions: &'a [Question],
    pub(super) seed: u64,
}

impl<S> Contested<'_, S> {
    /// Nothing counted yet.
    pub(super) fn empty(&self) -> Paired {
        let fights = self.variants.iter().map(|variant| &variant.fight);
        Paired::new(fights, self.questions)
    }
}

impl<S: Source> Work for Contested<'_, S> {
    fn fights(&self) -> usize {
        1
    }

    fn each(&self) -> u64 {
        self.variants.len() as u64
    }

    fn play(
        &self,
        parts: &[Part],
        threads: NonZeroUsize,
        stop: &AtomicBool,
        bar: &Fights,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let contenders: Vec<_> = self
            .variants
            .iter()
            .map(|variant| Contender {
                player: self.source.player(variant, self.seed),
                fight: &variant.fight,
            })
            .collect();
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            let range = part.encounters.clone();
            let wanted = range.end - range.start;
            let paired = paired::run(&contenders, self.questions, range, threads, stop, bar)
                .map_err(Failure::io)?;
            if paired.encounters() < wanted {
                break;
            }
            all.push(encoded(&paired, part));
        }
        Ok(all)
    }

    fn check(&self, body: Body<'_>, parts: &mut dyn Iterator<Item = Part>) -> Result<(), Damage> {
        body.each(parts, |body, part| {
            let _ = body.counts(&self.empty(), &part)?;
            Ok(())
        })
    }
}

/// Says what it takes to play those parts, which are to be written as so many shards.
pub(super) fn dry_run(
    work: &dyn Work,
    parts: &[Part],
    what: String,
    files: impl FnOnce(u64) -> String,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let length = |part: &Part| part.encounters.end - part.encounters.start;
    let longest = parts.iter().map(length).max().unwrap_or_default();
    let bar = Fights::new(false, "", 0);
    let probe = probe(longest, stop, |count| {
        let parts: Vec<Part> = parts
            .iter()
            .map(|part| {
                let Range { start, end } = part.encounters;
                Part {
                    fight: part.fight,
                    encounters: start..end.min(start + count.get()),
                }
            })
            .collect();
        let counted = work.play(&parts, threads, stop, &bar)?;
        Ok(Small {
            played: parts.iter().map(length).sum::<u64>() * work.each(),
            bytes: counted.iter().map(|counts| counts.len() as u64).sum(),
        })
    })?;
    let Some(probe) = probe else {
        return Ok(Exit::Interrupted);
    };
    let all = parts.iter().map(length).sum::<u64>();
    Forecast {
        what,
        encounters: [all.saturating_mul(work.each()); 2],
        threads,
        files: Some(files(probe.bytes())),
        probe: &probe,
    }
    .print(console)
}

fn encoded(counts: &impl Portable, part: &Part) -> Vec<u8> {
    let mut bytes = Vec::new();
    counts.encode(&part.encounters, &mut bytes);
    bytes
}

/// Does something with the work of a plan; nothing if anything is wrong with its scenarios, which has
/// then been said.
pub(super) fn with_work<R>(
    source: &Planned<'_>,
    console: &mut Console<'_>,
    then: impl FnOnce(&dyn Work, &mut Console<'_>) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    let plan = source.plan;
    let seed = plan.order.seed;
    match Whole::of(plan, Handing::NONE)? {
        Whole::Run(args) => {
            let Some(jobs) = run::jobs(&args, source, console)? else {
                return Ok(None);
            };
            let work = Several {
                source,
                variants: run_variants(&jobs),
                seed,
            };
            then(&work, console).map(Some)
        }
        Whole::Compare(args) => {
            let given = &args.playing.given;
            let Some(ready) = compare::ready(&args.contest, given, source, console)? else {
                return Ok(None);
            };
            let prepared = ready.prepare(&args.contest)?;
            let work = Contested {
                source,
                variants: prepared.variants(),
                questions: prepared.questions(),
                seed,
            };
            then(&work, console).map(Some)
        }
        Whole::Sweep(args) => {
            let Some(ready) = sweep::ready(&args, source, console)? else {
                return Ok(None);
            };
            if source.warns {
                ready.warn(console);
            }
            let work = Several {
                source,
                variants: ready.variants(),
                seed,
            };
            then(&work, console).map(Some)
        }
    }
}

/// Does something with the work of a plan that has been written: it must be as it was.
pub(super) fn with_planned<R>(
    plan: &Plan,
    console: &mut Console<'_>,
    then: impl FnOnce(&dyn Work, &mut Console<'_>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let source = Planned { plan, warns: false };
    let done = with_work(&source, console, |work, console| {
        if work.fights() != plan.layout.fights() {
            return Err(super::changed());
        }
        then(work, console)
    })?;
    done.ok_or_else(super::changed)
}

fn run_variants(jobs: &[run::Job]) -> Vec<&Variant> {
    jobs.iter().flat_map(|job| &job.scenario.variants).collect()
}
