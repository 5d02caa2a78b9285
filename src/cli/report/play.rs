//! Plays a scenario for a page: all variants on the same luck, counted as `run` counts them and held
//! against each other as `compare` does.

use super::args::ReportArgs;
use super::command::Command;
use super::files;
use crate::cli::Failure;
use crate::cli::args::{ENCOUNTERS, Foretelling, Format};
use crate::cli::compare::{self, CompareArgs, ContestArgs, INDIFFERENCE, Ready};
use crate::cli::load::{Scenario, Source};
use crate::cli::run::{self, Job, Settings};
use crate::output::html::timeline::choose::{self, choose};
use crate::output::html::{Chapter, Files, Part, room};
use crate::output::manifest::Options;
use crate::output::{Report, VariantReport, shell};
use crate::run::{Player, StopRule};
use anyhow::anyhow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A scenario that is ready to be played.
pub(super) struct Task {
    job: Job,
    settings: Settings,
    /// The variants held against the first; none where there is only one.
    contest: Option<(CompareArgs, Ready)>,
    /// What ids of its single encounters begin with.
    prefix: String,
    /// Whether single encounters are shown, which is for pages, not for slides.
    encounters: bool,
    command: String,
}

/// What was played of a scenario.
pub(super) struct Played {
    pub(super) chapter: Chapter,
    pub(super) encounters: u64,
}

impl Task {
    /// Proves that it can be played.
    pub(super) fn new(
        args: &ReportArgs,
        file: &Path,
        stem: String,
        scenario: Scenario,
        prefix: String,
    ) -> Result<Self, Failure> {
        let contest = match &scenario.variants[..] {
            [first, _, ..] => {
                let contest = contest(args, file, &first.name)?;
                let ready = Ready::of(file.to_owned(), stem.clone(), scenario.clone());
                ready.prepare(&contest.contest)?;
                Some((contest, ready))
            }
            _ => None,
        };
        let given = &args.playing.given;
        Ok(Self {
            prefix,
            encounters: args.format == super::Format::Html,
            contest,
            job: Job {
                file: file.to_owned(),
                stem,
                scenario,
            },
            settings: Settings {
                stop: StopRule::Encounters(args.encounters.unwrap_or(ENCOUNTERS)),
                confidence: given.confidence,
                seed: given.seed,
                threads: args.playing.threads(),
                format: Format::Table,
                options: Options {
                    set: given.overrides.clone(),
                    variant: args.variants.clone(),
                    ..Options::default()
                },
                quiet: args.playing.quiet,
            },
            command: Command::new("report", [file])
                .options("-n", args.encounters)
                .options("--variant", &args.variants)
                .given(given)
                .option("-o", args.place().display())
                .text(),
        })
    }

    /// Plays it. Nothing if it was stopped before the first encounters were finished.
    pub(super) fn play(
        &self,
        source: &impl Source,
        stop: &AtomicBool,
    ) -> Result<Option<Played>, Failure> {
        let (variants, comparisons) = match &self.contest {
            Some((args, ready)) => self.together(args, ready, source, stop)?,
            None => (self.alone(source, stop)?, None),
        };
        let encounters = variants.iter().map(|one| one.tally.encounters()).sum();
        if encounters == 0 {
            return Ok(None);
        }
        let report = run::report(&self.job, &self.settings, variants);
        let mut chapter = Chapter {
            comparisons,
            command: self.command.clone(),
            ..run::chapter(&self.job, &report, &self.settings)?
        };
        self.encounters(&mut chapter, &report);
        Ok(Some(Played {
            chapter,
            encounters,
        }))
    }

    /// Puts pictures of single encounters of the first variant into what room there is.
    fn encounters(&self, chapter: &mut Chapter, report: &Report) {
        let ([variant, ..], [played, ..]) = (&self.job.scenario.variants[..], &report.variants[..])
        else {
            return;
        };
        if !self.encounters {
            return;
        }
        let player = Player::new(&variant.fight, &variant.rules, self.settings.seed);
        let choices = choose(&played.tally, &variant.fight, &player);
        let fight = (&variant.fight, &variant.rules);
        let shown = choose::figures(&self.prefix, fight, &player, &choices, room(chapter));
        chapter.encounters = shown.figures;
        let left_out = shown.left_out.into_iter().map(|choice| {
            let what = format!("{} ({})", choice.title, choice.why);
            (what, draws(report, &variant.name, choice.encounter))
        });
        chapter.left_out = left_out.collect();
    }

    /// All variants on the same luck, each held against the first.
    fn together(
        &self,
        args: &CompareArgs,
        ready: &Ready,
        source: &impl Source,
        stop: &AtomicBool,
    ) -> Result<(Vec<VariantReport>, Option<Part>), Failure> {
        let prepared = ready.prepare(&args.contest)?;
        let (paired, ended) = compare::play(args, &prepared, source, stop, "report")?;
        let (comparisons, manifest) = compare::results(args, &prepared, &paired, ended);
        let mut files = Files::new();
        files::comparisons(&comparisons, &manifest, &mut files);
        let part = Chapter::read(&files).map_err(Failure::input)?.comparisons;
        let variants = self.job.scenario.variants.iter().zip(paired.tallies);
        let variants = variants.map(|(variant, tally)| VariantReport::new(variant, tally, ended));
        Ok((variants.collect(), part))
    }

    fn alone(
        &self,
        source: &impl Source,
        stop: &AtomicBool,
    ) -> Result<Vec<VariantReport>, Failure> {
        let variants = self.job.scenario.variants.iter();
        variants
            .map(|variant| run::play_variant(variant, &self.settings, source, stop))
            .collect()
    }
}

/// The command that draws an encounter of a variant.
fn draws(report: &Report, variant: &str, encounter: u64) -> String {
    let mut command = format!("{} --encounter {encounter}", report.replay);
    if variant != "base" {
        let _ = write!(command, " --variant {}", shell(variant));
    }
    command + &format!(" --format html -o encounter-{encounter}.html")
}

/// The arguments with which `compare` would do the same.
fn contest(args: &ReportArgs, file: &Path, baseline: &str) -> Result<CompareArgs, Failure> {
    let encounters = args.encounters.unwrap_or(ENCOUNTERS);
    Ok(CompareArgs {
        contest: ContestArgs {
            file: file.to_owned(),
            other: None,
            baseline: baseline.to_owned(),
            variants: args.variants.clone(),
            metrics: Vec::new(),
        },
        encounters: Some(encounters),
        until_decided: false,
        indifference: INDIFFERENCE
            .parse()
            .map_err(|wrong| Failure::input(anyhow!("{wrong}")))?,
        max_encounters: encounters,
        output: PathBuf::new(),
        no_clobber: false,
        format: Format::Table,
        foretelling: Foretelling::default(),
        paper: super::PaperArgs::default(),
        playing: args.playing.clone(),
    })
}
