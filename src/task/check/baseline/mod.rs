//! `--baseline`: compares a fresh run with committed results.
//!
//! A fresh run of the same seed and encounters gives the same bytes as long as neither the scenario nor the rules of
//! the program have changed. If the bytes differ, each mean and each share is compared with the committed one. All
//! intervals of a scenario hold together: among hundreds of compared numbers, some would otherwise always look moved.

mod committed;

use super::{Halt, Schedule};
use crate::names;
use crate::output::findings::{Expected, Finding, Measurement, Verdict};
use crate::output::{Manifest, Rounded, RunReport, VariantReport, csv, digest};
use crate::question::shell_path;
use crate::run::stop::Ended;
use crate::run::{Player, Until, runner};
use crate::scenario::{Loaded, Scenario, unknown_variant};
use crate::stats::{Confidence, Interval, separate};
use crate::tally::metrics;
use crate::task::Input;
use anyhow::{Context, anyhow, ensure};
use committed::{Number, NumberKey, Sheets, left_out, read_beside};
use std::collections::HashMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// An upper limit of encounters for a committed run; `skirmish run` plays fewer.
const TOO_MANY: u64 = 1_000_000_000_000_000;

/// Committed results and the scenario to compare them with.
#[derive(Debug)]
pub(super) struct Committed {
    folder: PathBuf,
    manifest: Manifest,
    /// Whether the command line has overrides beyond those of the committed run.
    overridden: bool,
    loaded: Loaded,
    /// The checksums of `summary.csv` and `distributions.csv`.
    sums: [String; 2],
    /// The numbers read from both; `None` if only the checksum of `distributions.csv` is committed.
    numbers: Option<Vec<(NumberKey, Number)>>,
}

/// Reads the committed results of all scenarios.
///
/// # Errors
/// If any of them is wrong; the message has a line for each error.
pub(super) fn open(
    folder: &Path,
    set: &[String],
    inputs: &[Input],
) -> anyhow::Result<Vec<Committed>> {
    let mut all = Vec::with_capacity(inputs.len());
    let mut wrong = Vec::new();
    for input in inputs {
        match Committed::open(folder, &input.file, &input.stem, set) {
            Ok(committed) => all.push(committed),
            Err(error) => wrong.push(format!("{error:#}")),
        }
    }
    if wrong.is_empty() {
        Ok(all)
    } else {
        Err(anyhow!(wrong.join("\nerror: ")))
    }
}

impl Committed {
    fn open(results: &Path, file: &Path, stem: &str, overrides: &[String]) -> anyhow::Result<Self> {
        let folder = results.join(stem);
        ensure!(
            folder.is_dir(),
            "there are no results of `{stem}` in `{}`{}: `skirmish run {} --output {}` writes them",
            results.display(),
            neighbour(results, stem),
            shell_path(file),
            shell_path(results)
        );
        let manifest = committed::manifest(&folder, stem)?;
        let summary = read_beside(&manifest, &folder, "summary.csv")?;
        let (sum, numbers) = if let Some(sum) = left_out(&manifest, &folder, "distributions.csv") {
            (sum.to_owned(), None)
        } else {
            let content = read_beside(&manifest, &folder, "distributions.csv")?;
            let read = || Sheets::read(&summary, &content, stem)?.numbers();
            let numbers = read().with_context(|| format!("`{}`", folder.display()))?;
            (digest::sum(&content), Some(numbers))
        };
        // The overrides of the committed run, then those of the command line.
        let sets = [&manifest.task.set, overrides].concat();
        let loaded = Scenario::load(file, &sets).map_err(|wrong| anyhow!("{wrong}"))?;
        for variant in &manifest.variants {
            { loaded.has_sound(&variant.name) }.map_err(|wrong| anyhow!("{wrong}"))?;
            if loaded.scenario.variant(&variant.name).is_none() {
                let known = loaded.scenario.variants.iter();
                let names: Vec<&str> = known.map(|variant| &*variant.name).collect();
                let problem = unknown_variant(&variant.name, &names);
                return Err(anyhow!(
                    "{}, of which there are results in `{}`: {}",
                    problem.title,
                    folder.display(),
                    problem.help.join("; ")
                ));
            }
            ensure!(
                (1..=TOO_MANY).contains(&variant.encounters),
                "`{}` has {} encounters of `{}`",
                folder.display(),
                variant.encounters,
                variant.name
            );
        }
        Ok(Self {
            folder,
            manifest,
            overridden: !overrides.is_empty(),
            loaded,
            sums: [digest::sum(&summary), sum],
            numbers,
        })
    }

    /// Returns the error for numbers that moved by an amount that cannot be measured.
    fn unmeasured(&self) -> anyhow::Error {
        anyhow!(
            "numbers have moved from those in `{}`, and only its distributions.csv, which is not there, \
             tells how far: write it with the program and the scenario that the results are of \
             (`skirmish run`), or, if the change is meant, write the results anew",
            self.folder.display()
        )
    }

    /// Repeats the committed run.
    fn play(&self, schedule: &Schedule<'_>) -> Result<RunReport, Halt> {
        let scenario = &self.loaded.scenario;
        let (threads, stop) = (schedule.threads, schedule.stop);
        let encounters = self.manifest.variants.iter().map(|one| one.encounters);
        schedule.expect(encounters.fold(0, u64::saturating_add));
        let mut variants = Vec::with_capacity(self.manifest.variants.len());
        for wanted in &self.manifest.variants {
            let Some(variant) = scenario.variant(&wanted.name) else {
                continue;
            };
            let player = Player::new(&variant.fight, &variant.rules, self.manifest.task.seed);
            let range = 0..wanted.encounters;
            let tally = runner::run(&player, &variant.fight, range, threads, stop, schedule)
                .map_err(Halt::io)?;
            if tally.encounters() < wanted.encounters {
                return Err(Halt::Interrupted);
            }
            variants.push(VariantReport::new(variant, tally, Ended::Enough));
        }
        Ok(RunReport {
            notes: Vec::new(),
            scenario: scenario.stem.clone(),
            title: scenario.title.clone(),
            question: None,
            replay: String::new(),
            is_detailed: false,
            until: Until::Encounters(NonZeroU64::MIN),
            confidence: self.manifest.task.confidence,
            variants,
        })
    }
}

/// Returns a hint with the name of the folder most like a missing one.
fn neighbour(results: &Path, stem: &str) -> String {
    names::nearest_file(results, stem)
        .map_or_else(String::new, |nearest| format!(" (there is `{nearest}`)"))
}

/// Returns a finding for each number that has moved, then one for each variant.
pub(super) fn compare(
    committed: &Committed,
    tolerance: f64,
    schedule: &Schedule<'_>,
) -> Result<Vec<Finding>, Halt> {
    let report = committed.play(schedule)?;
    let (mut summary, mut distributions) = (Vec::new(), Vec::new());
    csv::summary(&report, &mut summary, true).map_err(Halt::io)?;
    csv::distributions(&report, &mut distributions).map_err(Halt::io)?;
    let sums = [digest::sum(&summary), digest::sum(&distributions)];
    let same = sums == committed.sums;
    let fresh = &Sheets::of(&report).numbers().map_err(Halt::input)?;
    let old = match &committed.numbers {
        Some(numbers) => numbers,
        None if same => fresh,
        None => return Err(Halt::input(committed.unmeasured())),
    };
    let comparison = Comparison {
        committed,
        old,
        old_by_key: old.iter().map(|(key, number)| (key, number)).collect(),
        fresh,
        tolerance,
        each: schedule.confidence.shared(fresh.len()),
    };
    let mut findings = Vec::new();
    for variant in &report.variants {
        comparison.variant(variant, same, &mut findings);
    }
    Ok(findings)
}

/// Compares committed numbers with fresh ones.
struct Comparison<'a> {
    committed: &'a Committed,
    old: &'a [(NumberKey, Number)],
    old_by_key: HashMap<&'a NumberKey, &'a Number>,
    fresh: &'a [(NumberKey, Number)],
    tolerance: f64,
    /// The level of each single interval, such that all of them together hold at the schedule's level.
    each: Confidence,
}

/// The amount by which a number has moved.
struct Move {
    found: Measurement,
    /// The part of it that is certain, below 0 if not even its direction is; `None` if nothing is known about the spread.
    certain: Option<f64>,
    /// Whether the move is a share: in points of a rate, or relative to the committed mean.
    share: bool,
}

impl Comparison<'_> {
    fn variant(&self, variant: &VariantReport, same: bool, findings: &mut Vec<Finding>) {
        let encounters = variant.tally.encounters();
        let finding = |what: String, found, share, verdict| Finding {
            place: None,
            variant: variant.name.clone(),
            what,
            metric: None,
            subject: None,
            statistic: None,
            from: None,
            share,
            found,
            wanted: Expected::Unmoved(if share { self.tolerance } else { 0.0 }),
            encounters,
            is_exact: false,
            verdict,
            details: Vec::new(),
        };
        let before = findings.len();
        let mut compared = 0;
        // The moves with the greatest certain part: among the accepted, and among the failed.
        let mut greatest = [None::<(f64, Measurement)>; 2];
        let mut is_open = false;
        let mut within = Vec::new();
        for (key, fresh) in self
            .fresh
            .iter()
            .filter(|(key, _)| key.variant == variant.name)
        {
            let Some(old) = self.old_by_key.get(key) else {
                // A new value of a curve or a count has no committed number to move from.
                if key.value.is_none() {
                    let mut added = finding(key.what(), None, true, Verdict::Failed);
                    added
                        .details
                        .push(format!("{} is not in the committed results", key.what()));
                    findings.push(key.name(added));
                }
                continue;
            };
            compared += 1;
            let moved = moved(old, fresh, encounters, self.each);
            let change = format!(
                "{} in the committed results, {} now",
                shown(old),
                shown(fresh)
            );
            let row = |verdict, details: Vec<String>| {
                let what = key.what() + ", moved";
                key.name(Finding {
                    details,
                    ..finding(what, Some(moved.found), moved.share, verdict)
                })
            };
            let Some(certain) = moved.certain else {
                is_open = true;
                let why =
                    "too few encounters differ from the most common value to tell this from chance";
                findings.push(row(Verdict::Undecided, vec![change, why.to_owned()]));
                continue;
            };
            let fails = certain > if moved.share { self.tolerance } else { 0.0 };
            let greatest = &mut greatest[usize::from(fails)];
            if moved.share && greatest.is_none_or(|(known, _)| known < certain) {
                *greatest = Some((certain, moved.found));
            }
            if fails {
                findings.push(row(Verdict::Failed, vec![change]));
            } else if certain > 0.0 {
                within.push(format!("{}: {change}", key.what()));
            }
        }
        for (key, _) in self.old {
            let here = key.variant == variant.name && key.value.is_none();
            if here && !self.fresh.iter().any(|(other, _)| other == key) {
                let mut gone = finding(key.what(), None, true, Verdict::Failed);
                gone.details
                    .push(format!("{} is in the committed results alone", key.what()));
                findings.push(key.name(gone));
            }
        }
        let what = format!("greatest certain move of {compared} numbers");
        let has_failed = (findings[before..].iter()).any(|row| row.verdict == Verdict::Failed);
        let verdict = if has_failed {
            Verdict::Failed
        } else if is_open {
            Verdict::Undecided
        } else {
            Verdict::Passed
        };
        let [accepted, failed] = greatest.map(|greatest| greatest.map(|(_, found)| found));
        let mut summary = finding(what, failed.or(accepted), true, verdict);
        if !same {
            let cause = if self.committed.overridden {
                "not the committed bytes: the command line has changed the scenario"
            } else if self.committed.loaded.scenario.hash_hex()
                == self.committed.manifest.scenario.hash
            {
                "not the committed bytes, and the scenario is as it was: the program computes other numbers"
            } else {
                "not the committed bytes: the scenario has changed"
            };
            summary.details.push(cause.to_owned());
            summary.details.extend(within);
        }
        findings.push(summary);
    }
}

impl NumberKey {
    fn what(&self) -> String {
        let subject = match &self.subject[..] {
            metrics::ENCOUNTER => String::new(),
            subject => format!(" of {subject}"),
        };
        let value = match &self.value {
            None => String::new(),
            Some(value) => format!(" at {value}"),
        };
        format!("{}{subject}{value}", self.metric)
    }

    /// Adds the metric's name and subject to a finding.
    fn name(&self, finding: Finding) -> Finding {
        Finding {
            metric: metrics::find(&self.metric).map(|metric| metric.name),
            subject: (self.subject != metrics::ENCOUNTER).then(|| self.subject.clone()),
            statistic: self.value.is_none().then_some("mean"),
            ..finding
        }
    }
}

fn shown(number: &Number) -> String {
    if number.values.is_none() {
        format!("{}%", Rounded::new(number.mean * 100.0))
    } else {
        Rounded::new(number.mean).to_string()
    }
}

/// Returns how far a number has moved, with the interval of the move.
fn moved(old: &Number, fresh: &Number, encounters: u64, confidence: Confidence) -> Move {
    let difference = fresh.mean - old.mean;
    let is_rate = old.values.is_none();
    let interval = match (&old.values, &fresh.values) {
        // The same to the last digit, on the same dice.
        _ if old == fresh => None,
        (Some(first), Some(second)) => separate::of_means(first, second, confidence),
        _ => {
            let counted = |one: &Number| {
                let n = if one.n > 0 { one.n } else { encounters };
                (((one.mean * n as f64).round() as u64).min(n), n)
            };
            separate::of_rates(counted(old), counted(fresh), confidence)
        }
    };
    let relative = !is_rate && old.mean != 0.0;
    let scale = if relative { old.mean.abs() } else { 1.0 };
    let interval =
        interval.map(|interval| Interval::new(interval.low / scale, interval.high / scale));
    let certain = match interval {
        Some(interval) => Some(interval.low.max(-interval.high)),
        None => (old == fresh).then_some(0.0),
    };
    Move {
        certain,
        found: Measurement {
            value: difference / scale,
            interval,
        },
        share: is_rate || relative,
    }
}
