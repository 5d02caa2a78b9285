//! Compares variants with a baseline, encounter by encounter on the same dice.

use super::family::{self, Family, LookCorrection};
use super::solve::{self, states};
use super::{Answer, Compare, Context, Failure, Input, Played, Prepared, Source};
use crate::exact::Budget;
use crate::names::folder_of;
use crate::names::list;
use crate::output::comparisons::{Compared, Comparisons};
use crate::output::manifest;
use crate::run::paired::{self, ComparedMetric, Paired};
use crate::run::{Ended, Until};
use crate::scenario::Variant;
use crate::stats::paired::Luck;
use crate::tally::{Metric, Tally};
use anyhow::{bail, ensure};
use std::path::Component;

/// The fights of a comparison and its questions.
#[derive(Debug)]
pub(super) struct Contest {
    /// The name of the baseline in the results.
    pub(super) baseline: String,
    /// The names of the other variants.
    names: Vec<String>,
    /// The fights; the first is the baseline.
    pub(super) variants: Vec<Variant>,
    family: Family,
    /// Whether `--metric all` was given.
    all_metrics: bool,
}

/// Returns distinct names for two files: their stems, with as many parent folders as it takes to tell them apart.
pub(super) fn told_apart(first: &Input, second: &Input) -> [String; 2] {
    let parts = |input: &Input| -> Vec<String> {
        let folders = folder_of(&input.file)
            .components()
            .filter(|part| *part != Component::CurDir)
            .map(|part| part.as_os_str().to_string_lossy().into_owned());
        folders.chain([input.stem.clone()]).collect()
    };
    let all = [parts(first), parts(second)];
    let longest = all[0].len().max(all[1].len());
    let names = |length: usize| {
        let last = |parts: &Vec<String>| parts[parts.len().saturating_sub(length)..].join("/");
        [last(&all[0]), last(&all[1])]
    };
    let apart = (1..=longest)
        .map(names)
        .find(|[first, second]| first != second);
    // The two inputs are one file, or two files that differ only in their extensions.
    apart.unwrap_or_else(|| names(1))
}

impl Contest {
    /// Finds the variants to compare. With two scenarios the variants of the second are compared with a
    /// baseline of the first.
    pub(super) fn new(compare: &Compare, inputs: &[Input]) -> anyhow::Result<Self> {
        let last = inputs.len() - 1;
        let (first, input) = (&inputs[0], &inputs[last]);
        let baseline = first.variant(&compare.baseline)?;
        for name in &compare.variant {
            input.variant(name)?;
        }
        let wanted = |variant: &&Variant| {
            let is_it = |name: &String| input.loaded.document.variant_name(name) == variant.name;
            let named = compare.variant.is_empty() || compare.variant.iter().any(is_it);
            // In a single file the baseline is not compared with itself.
            named && (last > 0 || variant.name != baseline.name)
        };
        let others: Vec<&Variant> = input.variants().iter().filter(wanted).collect();
        if others.is_empty() && input.variants().len() > 1 {
            bail!(
                "--variant {0}: `{0}` is the baseline, and is not compared with itself: name another --variant \
                 or --baseline",
                baseline.name
            );
        }
        if others.is_empty() {
            input.loaded.has_sound_variants()?;
            bail!(
                "`{}` has no variant to compare with `{}`: write [[variants]] into it, or name another \
                 file",
                input.file.display(),
                baseline.name
            );
        }
        let label = |file: &str, variant: &str| match last {
            0 => variant.to_owned(),
            _ => format!("{file}/{variant}"),
        };
        let [first_name, name] = told_apart(first, input);
        let names = others
            .iter()
            .map(|variant| label(&name, &variant.name))
            .collect();
        let variants = [baseline].into_iter().chain(others).cloned();
        let variants: Vec<Variant> = variants.collect();

        let metrics = family::chosen(&compare.metric)?;
        let fights: Vec<_> = variants.iter().map(|variant| &variant.fight).collect();
        let mut measured = metrics.clone();
        let all_metrics = compare.metric.iter().any(|name| name == family::ALL);
        if all_metrics {
            measured.retain(|metric| fights.iter().all(|fight| metric.is_measured(fight)));
        }
        for metric in &measured {
            for fight in &fights {
                super::prepared::measured_in(metric, fight)?;
            }
        }
        let family = Family::new(&measured, &fights);
        ensure!(
            !family.questions.is_empty(),
            "nothing to compare: the fights share no subject of {}",
            list(metrics.iter().map(|metric| metric.name), "or")
        );
        Ok(Self {
            baseline: label(&first_name, &baseline.name),
            names,
            variants,
            family,
            all_metrics,
        })
    }

    pub(super) fn questions(&self) -> &[ComparedMetric] {
        &self.family.questions
    }

    /// Returns empty counts.
    pub(super) fn empty(&self) -> Paired {
        let fights = self.variants.iter().map(|variant| &variant.fight);
        Paired::new(fights, self.questions())
    }

    pub(super) fn play(
        &self,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<Played, Failure> {
        if let Some(budget) = prepared.task.until.budget() {
            return self.solve(prepared, budget, context);
        }
        let looked = &LookCorrection::at(&prepared.task.until, prepared.task.confidence);
        let contenders = context.contenders(&self.variants, prepared.task.seed);
        let estimated = !matches!(prepared.task.until, Until::Encounters(_));
        context.begin("compare", 0, 0, estimated);
        let counts = looked.counts.iter().map(|&count| {
            let all = count.saturating_mul(contenders.len() as u64);
            context.length(all);
            count
        });
        // With `--metric all`, metrics that never vary do not delay stopping, nor those that never differ and have no
        // limit.
        let enough = |paired: &Paired| match &prepared.task.until {
            Until::Decided(rule) => self
                .compared(paired, looked)
                .iter()
                .flat_map(|variant| &variant.differences)
                .all(|row| {
                    row.is_decided(&rule.indifference) || (self.all_metrics && row.is_moot())
                }),
            // A page shows each variant as a run does, so the precision must hold for each of them.
            Until::Precision(rule) => paired.counts.iter().all(|tally| {
                let widest = rule.widest(tally, prepared.task.confidence);
                widest.is_none_or(|widest| widest.excess <= 1.0)
            }),
            _ => true,
        };
        let played = paired::run_until(
            &contenders,
            self.questions(),
            counts,
            context.threads,
            context.stop,
            &context.watch,
            enough,
        );
        context.watch.end();
        let (paired, ended) = played.map_err(Failure::io)?;
        Ok(Played::Compare(paired, ended))
    }

    /// Solves all fights. A fight that is not solved has an empty tally; without the baseline, or without another fight,
    /// all are empty.
    fn solve(
        &self,
        prepared: &Prepared,
        budget: Budget,
        context: &Context<'_, impl Source>,
    ) -> Result<Played, Failure> {
        let all: Vec<&Variant> = self.variants.iter().collect();
        context.begin("solve", all.len() as u64, 0, false);
        let questions = self.questions();
        let wants = |metric: &Metric| {
            let mut metrics = questions.iter().map(|question| question.metric.name);
            metrics.any(|name| name == metric.name)
        };
        let solved = solve::each_solved(&prepared.inputs, &all, true, budget, &wants, context);
        context.watch.end();
        let solved = solved?;
        let ended = solve::ended(&solved);
        let mut paired = self.empty();
        paired.counts = solved.into_iter().map(|(tally, _)| tally).collect();
        if paired.counts[0].is_empty() || paired.counts[1..].iter().all(Tally::is_empty) {
            paired = self.empty();
        }
        Ok(Played::Compare(paired, ended))
    }

    /// Returns the answer, and the fights as a manifest lists them.
    pub(super) fn answer(
        &self,
        prepared: &Prepared,
        paired: &Paired,
        ended: Ended,
    ) -> (Answer, Vec<manifest::Variant>) {
        let confidence = prepared.task.confidence;
        let looking = match &prepared.task.until {
            Until::Decided(_) => Some(format!(
                "intervals and p-values account for the repeated looks, at {confidence} over all of them"
            )),
            _ => None,
        };
        let titles: Vec<&str> = prepared.inputs.iter().map(Input::title).collect();
        let comparisons = Comparisons {
            scenario: prepared.name.clone(),
            title: titles.join(" / "),
            question: prepared.input().loaded.scenario.question.clone(),
            baseline: self.baseline.clone(),
            variants: self.compared(
                paired,
                &LookCorrection::at(&prepared.task.until, confidence),
            ),
            ended,
            confidence,
            notes: { self.family.notes.iter().cloned() }
                .chain(looking)
                .chain(self.unsolved(paired, ended))
                .collect(),
            until: prepared.task.until.clone(),
        };
        let names = [&self.baseline].into_iter().chain(&self.names);
        let fights = names.zip(&self.variants).zip(&paired.counts);
        let listed = fights.map(|((name, variant), tally)| {
            let mut listed = manifest::Variant::new(name, paired.encounters, &variant.changes);
            listed.states = states(tally);
            listed
        });
        (Answer::Compare(comparisons), listed.collect())
    }

    /// Returns the note that names the variants that were not solved.
    fn unsolved(&self, paired: &Paired, ended: Ended) -> Option<String> {
        let why = match ended {
            Ended::TooLarge => "too large to be solved",
            _ => "not solved before the interrupt",
        };
        let names = self.names.iter().zip(&paired.counts[1..]);
        let missing = names.filter(|(_, tally)| tally.is_empty());
        let missing: Vec<&str> = missing.map(|(name, _)| name.as_str()).collect();
        (paired.counts[0].solution().is_some() && !missing.is_empty())
            .then(|| format!("{why}: {}", missing.join(", ")))
    }

    fn compared(&self, paired: &Paired, looked: &LookCorrection) -> Vec<Compared> {
        let (baseline, others) = (&self.variants[0], &self.variants[1..]);
        let lucks: Vec<Luck> = others
            .iter()
            .map(|other| family::luck(&baseline.fight, &other.fight))
            .collect();
        let answers = self.family.answers(paired, &lucks, looked);
        let named = self.names.iter().zip(others);
        named
            .zip(lucks)
            .zip(answers)
            .zip(&paired.counts[1..])
            .filter(|(_, tally)| paired.counts[0].solution().is_none() || !tally.is_empty())
            .map(|((((name, variant), luck), differences), tally)| Compared {
                states: states(&paired.counts[0]).zip(states(tally)).map(Into::into),
                name: name.clone(),
                changes: variant.changes.clone(),
                encounters: paired.encounters,
                luck,
                differences,
            })
            .collect()
    }
}
