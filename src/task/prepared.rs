//! A task whose scenarios have been read and validated: it can be played, and its counts turned into results.

use super::best::Best;
use super::changes::Changes;
use super::compare::Contest;
use super::matchup::Meetings;
use super::solve::states;
use super::sweep::Points;
use super::{
    Answer, Context, Decided, Failure, Input, Measure, Question, Results, Source, Task, Until, run,
    summed_up, tune,
};
use crate::fight::Fight;
use crate::output::VariantReport;
use crate::output::changes::Covered;
use crate::output::manifest::{self, Manifest, Variant as Listed};
use crate::output::sheet;
use crate::report::number::grouped;
use crate::run::Ended;
use crate::run::paired::{ComparedMetric, Paired};
use crate::scenario::{Scenario, Variant};
use crate::tally::{Kind, Metric, Tally};
use anyhow::{anyhow, bail, ensure};

/// A task that is ready to be played.
#[derive(Debug)]
pub struct Prepared {
    /// The task.
    pub task: Task,
    /// The name of the folder of the results.
    pub name: String,
    /// The scenarios: one, or two to compare.
    pub inputs: Vec<Input>,
    pub(super) subject: Subject,
}

/// The fights of a task.
#[derive(Debug)]
pub(super) enum Subject {
    Run,
    Compare(Contest),
    Sweep(Points),
    Changes(Box<Changes>),
    Tune(Box<tune::Tuning>),
    Matchup(Box<Meetings>),
    BestPlay(Box<Best>),
}

/// The fights that a question plays, each alone or all of them side by side. A search has none: it chooses them as it
/// goes on.
#[derive(Debug)]
pub(super) struct Experiment<'a> {
    /// The fights.
    pub(super) fights: Vec<&'a Variant>,
    /// If they are played side by side: the metrics that are compared with the first fight, and the counts of each.
    pub(super) side_by_side: Option<(&'a [ComparedMetric], Kept)>,
    /// The names of the result files, the manifest last.
    files: &'static [&'static str],
    /// The part of the play, with its verb, that has to be finished for a first result.
    first: &'static str,
    /// A warning about the fights.
    warning: Option<&'static str>,
}

/// The counts that are kept of fights that are played side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// All counts of a run.
    Tallies,
    /// The values that are compared.
    ComparedValues,
}

/// What a task has played.
#[derive(Debug)]
pub enum Played {
    /// The variants of a run.
    Run(Vec<VariantReport>),
    /// The fights of a comparison.
    Compare(Paired, Ended),
    /// The answer to any other question; `None` if there is nothing to show.
    Answered(Option<Box<Answered>>),
}

/// An answer with what a manifest and a closing line say about its fights.
#[derive(Debug)]
pub struct Answered {
    answer: Answer,
    fight: Listed,
    encounters: u64,
    states: u64,
}

impl Task {
    /// Checks the options that need no scenario.
    ///
    /// # Errors
    /// If a metric is unknown or has no mean, or the precision makes no sense.
    pub fn validate(&self) -> anyhow::Result<()> {
        let is_rate = |metric: &&&Metric| metric.kind == Kind::Rate;
        if let Until::Precision(rule) = &self.until {
            ensure!(
                !rule.metrics.is_empty(),
                "--precision {}: no metric is named whose intervals count",
                rule.precision
            );
            for metric in &rule.metrics {
                summed_up(metric.name).map_err(|wrong| anyhow!(wrong))?;
            }
            if rule.precision.of_rate() >= 0.5
                && let Some(rate) = rule.metrics.iter().find(is_rate)
            {
                bail!(
                    "--precision {}: `{}` is a rate, and known to ±50% without playing; write 1% or 0.01",
                    rule.precision,
                    rate.name
                );
            }
        }
        if let Question::Compare(compare) = &self.question {
            let metrics = super::family::chosen(&compare.metric)?;
            if let Until::Decided(Decided { indifference, .. }) = &self.until
                && indifference.of_rate() >= 1.0
                && let Some(rate) = metrics.iter().find(is_rate)
            {
                bail!(
                    "--indifference {indifference}: `{}` is a rate, and no two rates are further apart; write 1% or \
                     0.01 (--metric chooses metrics that are not rates)",
                    rate.name
                );
            }
        }
        if let Until::Looks { first, most } = self.until
            && most < first
        {
            bail!(
                "--max-encounters {} is less than --encounters {}, the first look",
                grouped(most.get()),
                grouped(first.get())
            );
        }
        Ok(())
    }

    /// Checks the task against its scenarios: one, or two for a comparison.
    ///
    /// # Errors
    /// If the task does not fit its scenarios.
    pub fn prepare(&self, mut inputs: Vec<Input>) -> anyhow::Result<Prepared> {
        self.validate()?;
        let subject = match &self.question {
            Question::Run { variant } => {
                for input in &mut inputs {
                    select(input, variant)?;
                    if let Until::Precision(rule) = &self.until {
                        for variant in input.variants() {
                            for metric in &rule.metrics {
                                measured_in(metric, &variant.fight)?;
                            }
                        }
                    }
                }
                Subject::Run
            }
            Question::Compare(compare) => Subject::Compare(Contest::new(compare, &inputs)?),
            Question::Sweep {
                vary,
                threshold,
                measure,
            } => {
                let threshold = threshold.as_deref();
                Subject::Sweep(Points::new(&inputs[0], vary, threshold, measure)?)
            }
            Question::Sensitivity(measure) => changes(&inputs[0], measure, Covered::Numbers)?,
            Question::Knockout(measure) => changes(&inputs[0], measure, Covered::Everything)?,
            Question::Tune(tune) => Subject::Tune(Box::new(tune::Tuning::new(&inputs[0], tune)?)),
            Question::BestPlay { variant, side } => {
                Subject::BestPlay(Box::new(Best::new(&inputs[0], variant, side.as_deref())?))
            }
            Question::Matchup { variant } => {
                Subject::Matchup(Box::new(Meetings::new(&inputs[0], variant)?))
            }
            Question::Check(_) => {
                bail!("a check has findings, no results");
            }
        };
        let stems: Vec<&str> = inputs.iter().map(|input| input.stem.as_str()).collect();
        Ok(Prepared {
            task: self.clone(),
            name: stems.join("-and-"),
            inputs,
            subject,
        })
    }
}

fn changes(input: &Input, measure: &Measure, part: Covered) -> Result<Subject, Failure> {
    let changes = Changes::new(input, measure, part)?;
    Ok(Subject::Changes(Box::new(changes)))
}

/// Keeps only the variants called `names`, or all if there are no names.
fn select(input: &mut Input, names: &[String]) -> Result<(), Failure> {
    for name in names {
        input.variant(name)?;
    }
    if !names.is_empty() {
        let variants = &mut input.loaded.scenario.variants;
        let name_of = |name| input.loaded.document.variant_name(name);
        let names: Vec<&str> = names.iter().map(|name| name_of(name)).collect();
        variants.retain(|variant| names.contains(&&*variant.name));
    }
    Ok(())
}

/// Checks that a metric is measured in a fight.
pub(super) fn measured_in(metric: &Metric, fight: &Fight) -> anyhow::Result<()> {
    if metric.is_measured(fight) {
        return Ok(());
    }
    Err(anyhow!(
        "`{}` is not measured in this fight of {}; `skirmish explain metrics` says where each is",
        metric.name,
        fight.system.title
    ))
}

impl Played {
    /// Returns the counts of the variants of a run; `ended` says how each of them ended.
    pub(super) fn of_run<'a>(
        variants: impl IntoIterator<Item = &'a Variant>,
        tallies: impl IntoIterator<Item = Tally>,
        ended: impl Fn(&Tally) -> Ended,
    ) -> Self {
        let reports = variants.into_iter().zip(tallies).map(|(variant, tally)| {
            let ended = ended(&tally);
            VariantReport::new(variant, tally, ended)
        });
        Self::Run(reports.collect())
    }

    /// Returns an answer about changes of `fight`, for which this many encounters were played, and situations found.
    pub(super) fn answered(answer: Answer, fight: Listed, [encounters, states]: [u64; 2]) -> Self {
        Self::Answered(Some(Box::new(Answered {
            answer,
            fight,
            encounters,
            states,
        })))
    }

    /// Returns the tallies of a run or of a comparison.
    fn tallies(&self) -> Vec<&Tally> {
        match self {
            Self::Run(variants) => variants.iter().map(|variant| &variant.tally).collect(),
            Self::Compare(paired, _) => paired.counts.iter().collect(),
            Self::Answered(_) => Vec::new(),
        }
    }

    /// Returns the number of encounters of all fights together.
    pub fn encounters(&self) -> u64 {
        match self {
            Self::Answered(answered) => answered.as_ref().map_or(0, |answer| answer.encounters),
            _ => self.tallies().into_iter().map(Tally::encounters).sum(),
        }
    }

    /// Returns the number of situations of all solved fights together, except for a knockout, which does not
    /// count them.
    pub fn states(&self) -> u64 {
        match self {
            Self::Answered(answered) => answered.as_ref().map_or(0, |answer| answer.states),
            _ => self.tallies().into_iter().filter_map(states).sum(),
        }
    }

    /// Returns whether there are no results to show.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Answered(answered) => answered.is_none(),
            _ => self.tallies().into_iter().all(Tally::is_empty),
        }
    }
}

impl Prepared {
    /// Returns the scenario, or the first of two.
    pub fn input(&self) -> &Input {
        &self.inputs[0]
    }

    /// Returns what is played, as data.
    pub(super) fn experiment(&self) -> Experiment<'_> {
        let alone = |fights, files| Experiment {
            fights,
            side_by_side: None,
            files,
            first: "the first encounters were",
            warning: None,
        };
        match &self.subject {
            Subject::Run => alone(self.input().variants().iter().collect(), &sheet::RUN_FILES),
            Subject::Compare(contest) => Experiment {
                side_by_side: Some((contest.questions(), Kept::Tallies)),
                ..alone(contest.variants.iter().collect(), &sheet::COMPARISONS.files)
            },
            Subject::Sweep(points) => Experiment {
                first: "the first point was",
                warning: { points.all_alike() }.then_some(
                    "all points are the same fight: nothing of it depends on what varies",
                ),
                ..alone(points.variants().collect(), &sheet::SWEEP.files)
            },
            Subject::Changes(changes) => Experiment {
                side_by_side: Some((&changes.questions, Kept::ComparedValues)),
                ..alone(
                    changes.variants().collect(),
                    match changes.part {
                        Covered::Numbers => &sheet::SENSITIVITY.files,
                        Covered::Everything => &sheet::KNOCKOUT.files,
                    },
                )
            },
            Subject::Matchup(meetings) => alone(meetings.variants(), &sheet::MATCHUP.files),
            Subject::Tune(_) => Experiment {
                first: "the first candidates were",
                ..alone(Vec::new(), &sheet::TUNE.files)
            },
            Subject::BestPlay(_) => Experiment {
                first: "the search was",
                ..alone(Vec::new(), &sheet::BEST_PLAY.files)
            },
        }
    }

    /// Returns the fights to play. A search and a best play return none.
    pub fn variants(&self) -> Vec<&Variant> {
        self.experiment().fights
    }

    /// Returns the warning to show before the task is played, besides warnings about its scenarios.
    pub fn warning(&self) -> Option<&'static str> {
        self.experiment().warning
    }

    /// Returns the names of the result files, the manifest last.
    pub fn files(&self) -> &'static [&'static str] {
        self.experiment().files
    }

    /// Returns the message for an interruption before the first result.
    pub fn nothing_played(&self) -> String {
        format!(
            "`{}`: interrupted before {} finished; nothing was written",
            self.input().file.display(),
            self.experiment().first
        )
    }

    /// Plays the task until it is done or interrupted.
    ///
    /// # Errors
    /// If the operating system refuses the threads, or a fight is too large to be solved.
    pub fn play(&self, context: &Context<'_, impl Source>) -> Result<Played, Failure> {
        match &self.subject {
            Subject::Run | Subject::Compare(_) => self.play_variants(context),
            Subject::Sweep(points) => points.play(self, context),
            Subject::Changes(changes) => changes.play(self, context),
            Subject::Tune(tuning) => tuning.play(self, context, None),
            Subject::Matchup(meetings) => meetings.play(self, context),
            Subject::BestPlay(best) => best.play(self, context),
        }
    }

    /// Plays a run or a comparison until it is done or interrupted. A program that asks no other questions is
    /// smaller for it, because it does not contain the code of searches.
    ///
    /// # Errors
    /// If the operating system refuses the threads, or a fight is too large to be solved.
    ///
    /// # Panics
    /// If the task is another question.
    pub fn play_variants(&self, context: &Context<'_, impl Source>) -> Result<Played, Failure> {
        match &self.subject {
            Subject::Run => {
                let all = self.input().variants().len();
                let mut runs = run::Runs::new(context, all, None, None);
                runs.play(self).map(Played::Run)
            }
            Subject::Compare(contest) => contest.play(self, context),
            _ => unreachable!("neither a run nor a comparison"),
        }
    }

    /// Turns what was played into results.
    ///
    /// # Panics
    /// If it is of another question, or empty.
    pub fn results(&self, played: Played) -> Results {
        let (answer, fights) = match (&self.subject, played) {
            (Subject::Run, Played::Run(variants)) => {
                let report = run::report(self, variants);
                let fights = Listed::of_run(&report);
                (Answer::Run(report), fights)
            }
            (Subject::Compare(contest), Played::Compare(paired, ended)) => {
                contest.answer(self, &paired, ended)
            }
            (_, Played::Answered(Some(answered))) => (answered.answer, vec![answered.fight]),
            _ => unreachable!("the answer to another question"),
        };
        let titles: Vec<&str> = self.inputs.iter().map(Input::title).collect();
        let scenarios = self.inputs.iter().map(|input| &input.loaded.scenario);
        let hashes: Vec<String> = scenarios.map(Scenario::hash_hex).collect();
        let scenario = manifest::Scenario {
            name: self.name.clone(),
            title: titles.join(" / "),
            hash: hashes.join("-"),
        };
        let mut manifest = Manifest::new(scenario, self.task.clone(), fights);
        manifest.interrupted = answer.interrupted();
        if let Answer::Sweep(report) = &answer {
            manifest.points = Some(report.points.len());
        }
        manifest.answer = answer.sentences();
        manifest.notes = answer.notes();
        Results {
            answer,
            manifest,
            names: self.files(),
        }
    }

    /// Returns the encounters of each fight: the fixed count, the most that a rule allows, or 0 for a solved fight.
    pub(super) fn encounters(&self) -> u64 {
        match &self.task.until {
            Until::Encounters(encounters) => encounters.get(),
            Until::Exact(_) => 0,
            _ => self.task.until.most().get(),
        }
    }
}
