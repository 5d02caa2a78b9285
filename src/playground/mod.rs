//! The playground: answers the questions of the page in `web/` with the tasks of the command line, as
//! WebAssembly in the browser (`web/engine`) or behind `skirmish serve`.

mod json;
mod numbers;
mod words;

use self::json::{differences_of, messages, refused, variant};
use self::numbers::numbers;
use self::words::words;
use crate::exact::{Budget, MAX_STATES};
use crate::output::VariantReport;
use crate::output::html::timeline::{ObservedEncounter, Picture};
use crate::output::html::{Page, PageBlock, Section, page};
use crate::output::story::Story;
use crate::run::paired::Paired;
use crate::run::{Ended, Player};
use crate::scenario::BASE;
use crate::task::shard::ShardPart;
use crate::task::{
    Answer, Command, Compare, Context, Failure, Input, Played, Prepared, Question, Results, SEED,
    Scene, Source as _, Task, Text, Until,
};
use anyhow::{Context as _, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// The questions of the page.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
enum Ask {
    /// Reads a scenario for later questions.
    Read {
        name: String,
        text: String,
        /// The overrides that define the initial numbers.
        #[serde(default)]
        given: Vec<String>,
        /// Further overrides, applied after those.
        set: Vec<String>,
    },
    /// Plays encounters, and returns their counts.
    Play { fight: usize, start: u64, end: u64 },
    /// Adds up the counts that follow the question, and returns results.
    Results {
        encounters: NonZeroU64,
        parts: Vec<Counted>,
        want: Want,
    },
    /// Solves the fights.
    Exact { want: Want },
    /// Draws an encounter.
    Fight {
        variant: String,
        encounter: u64,
        why: bool,
    },
    /// Lists the numbers of the fight.
    Numbers,
    /// Lists the words of policies.
    Words,
    /// Answers a question about dice: the words after `skirmish odds`.
    Odds { words: Vec<String> },
}

/// The position and length of a part's counts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counted {
    fight: usize,
    start: u64,
    end: u64,
    length: usize,
}

/// The form of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Want {
    /// The numbers that the page shows during play.
    Summary,
    /// The figures, as a page without single encounters.
    Figures,
    /// `summary.csv`.
    Summaries,
    /// `distributions.csv`.
    Distributions,
    /// `examples.csv`.
    Examples,
    /// `comparisons.csv`.
    Comparisons,
    /// The document of `--format json`.
    Json,
    /// The page of `skirmish report`.
    Report,
}

impl Want {
    /// Returns whether the results are those of `skirmish run`.
    fn is_of_run(self) -> bool {
        matches!(
            self,
            Self::Summaries | Self::Distributions | Self::Examples | Self::Json
        )
    }
}

const NO_SCENARIO: &str = "no scenario has been read";

/// Answers questions about the scenario that was read last.
#[derive(Debug, Default)]
pub struct Engine {
    scenario: Option<Opened>,
}

/// A scenario with its task.
#[derive(Debug)]
struct Opened {
    text: String,
    given: Vec<String>,
    input: Input,
    set: Vec<String>,
    /// The scenario with only the overrides `given`; `None` if there are no others.
    own: Option<Input>,
    /// The task with one encounter, which defines the fights.
    scene: Scene,
    /// The comparison of the first variant with the same variant of `own`: one more fight.
    before: Option<Prepared>,
    /// The solved fights of the run.
    solved_run: Option<Vec<VariantReport>>,
    /// The solved fights of the comparison.
    solved_comparison: Option<(Paired, Ended)>,
}

impl Engine {
    /// Answers a question: a line of JSON, and the bytes after its line feed. The answer is JSON, a page or the
    /// bytes of a file. `stop` is set from outside to end it early.
    ///
    /// # Errors
    /// If the question is malformed, is about a scenario before one was read, or cannot be answered.
    pub fn answer(&mut self, request: &[u8], stop: &AtomicBool) -> anyhow::Result<Vec<u8>> {
        let context = Context {
            stop,
            ..Context::new(&Text(""))
        };
        let end = request.iter().position(|byte| *byte == b'\n');
        let (line, bytes) = request.split_at(end.context("the question has no line feed")?);
        let bytes = &bytes[1..];
        Ok(match serde_json::from_slice(line)? {
            Ask::Read {
                name,
                text,
                given,
                set,
            } => {
                let read = self.read(&name, &text, given, &set);
                let answer = read.unwrap_or_else(|failure| refused(&failure, &text));
                answer.to_string().into()
            }
            Ask::Words => words().to_string().into(),
            Ask::Odds { words } => crate::odds::ask(&words)?.page().html().as_str().into(),
            Ask::Play { fight, start, end } => self.opened()?.play(fight, start..end, &context)?,
            Ask::Results {
                encounters,
                parts,
                want,
            } => {
                let opened = self.opened()?;
                let until = Until::Encounters(encounters);
                let scene = opened.scene(until.clone(), want)?;
                let fights = scene.fights().fights();
                let parts = counts(&parts, bytes)?.into_iter();
                let (parts, mut paired): (Vec<_>, Vec<_>) =
                    parts.partition(|(part, _)| part.fight < fights);
                for (part, _) in &mut paired {
                    part.fight -= fights;
                }
                let before = opened.before(until).filter(|_| want == Want::Summary);
                let before = before.map(|before| {
                    let played = before.collect(&paired)?;
                    Ok::<_, Failure>(before.results(played))
                });
                let played = scene.fights().collect(&parts)?;
                opened.results(&scene, played, before.transpose()?.as_ref(), want)?
            }
            Ask::Exact { want } => {
                let opened = self.scenario.as_mut().context(NO_SCENARIO)?;
                let budget = Budget {
                    max_states: MAX_STATES,
                    bound: 0.0,
                };
                let scene = opened.scene(Until::Exact(budget), want)?;
                let played = opened.solve(&scene, want, &context)?;
                opened.results(&scene, played, None, want)?
            }
            Ask::Fight {
                variant,
                encounter,
                why,
            } => self.opened()?.fight(&variant, encounter, why)?.into(),
            Ask::Numbers => {
                let opened = self.opened()?;
                let input = opened.own.as_ref().unwrap_or(&opened.input);
                numbers(input, &opened.text, &opened.given)?
                    .to_string()
                    .into()
            }
        })
    }

    fn opened(&self) -> anyhow::Result<&Opened> {
        self.scenario.as_ref().context(NO_SCENARIO)
    }

    /// Reads a scenario.
    fn read(
        &mut self,
        name: &str,
        text: &str,
        given: Vec<String>,
        more: &[String],
    ) -> Result<Value, Failure> {
        self.scenario = None;
        let set = [&given, more].concat();
        let input = Text(text).input(name.as_ref(), &set)?;
        let mut warnings = messages(&input.loaded.warnings, text);
        // A page marks the mistakes of what is left out as well.
        if let Err(wrong) = input.loaded.clone().whole() {
            warnings.extend(messages(&wrong, text));
        }
        let first = Until::Encounters(NonZeroU64::MIN);
        let scene = scene(&input, &set, first.clone(), Want::Summary)?;
        let own = (!more.is_empty()).then(|| Text(text).input(name.as_ref(), &given));
        let mut opened = Opened {
            text: text.to_owned(),
            given,
            own: own.and_then(Result::ok),
            input,
            set,
            scene,
            before: None,
            solved_run: None,
            solved_comparison: None,
        };
        opened.before = opened.before(first);
        let (input, fights) = (&opened.input, opened.scene.fights());
        let variants = input.variants().iter().map(|variant| &variant.name);
        let answer = json!({
            "errors": [],
            "warnings": warnings,
            "title": input.title(),
            "question": input.loaded.scenario.question,
            "stem": input.stem,
            "fights": fights.fights() + usize::from(opened.before.is_some()),
            "each": fights.each(),
            "variants": variants.collect::<Vec<_>>(),
            "system": input.variants()[0].fight.system.name,
        });
        self.scenario = Some(opened);
        Ok(answer)
    }
}

impl Opened {
    fn scene(&self, until: Until, want: Want) -> Result<Scene, Failure> {
        scene(&self.input, &self.set, until, want)
    }

    /// Returns the comparison of the first variant with the same variant at the initial numbers, on the same dice.
    fn before(&self, until: Until) -> Option<Prepared> {
        let own = self.own.clone()?;
        let first = self.input.variants()[0].name.clone();
        let question = Question::Compare(Compare {
            baseline: first.clone(),
            variant: vec![first],
            metric: Vec::new(),
        });
        let task = Task {
            question,
            ..run_of(&self.set, until)
        };
        task.prepare(vec![own, self.input.clone()]).ok()
    }

    fn play(
        &self,
        fight: usize,
        encounters: Range<u64>,
        context: &Context<'_, Text<'_>>,
    ) -> anyhow::Result<Vec<u8>> {
        let of_file = self.scene.fights();
        let (fights, fight) = match (&self.before, fight.checked_sub(of_file.fights())) {
            (Some(before), Some(fight)) => (before, fight),
            _ => (of_file, fight),
        };
        if fight >= fights.fights() || encounters.is_empty() {
            let Range { start, end } = encounters;
            bail!("there are no encounters {start} to {end} of fight {fight}");
        }
        let part = ShardPart { fight, encounters };
        let counts = fights.play_parts(&[part], context)?;
        counts.into_iter().next().context("it was stopped")
    }

    /// Solves the fights, only once for each scenario.
    fn solve(
        &mut self,
        scene: &Scene,
        want: Want,
        context: &Context<'_, Text<'_>>,
    ) -> anyhow::Result<Played> {
        let is_run = want.is_of_run() || self.input.variants().len() == 1;
        let known = if is_run {
            self.solved_run.clone().map(Played::Run)
        } else {
            let solved = self.solved_comparison.clone();
            solved.map(|(paired, ended)| Played::Compare(paired, ended))
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let fights = if is_run { scene.run() } else { scene.fights() };
        let played = fights.play_variants(context)?;
        if context.stopped() {
            bail!("it was stopped");
        }
        match &played {
            Played::Run(variants) => self.solved_run = Some(variants.clone()),
            Played::Compare(paired, ended) => {
                self.solved_comparison = Some((paired.clone(), *ended));
            }
            Played::Answered(_) => {}
        }
        Ok(played)
    }

    fn results(
        &self,
        scene: &Scene,
        played: Played,
        before: Option<&Results>,
        want: Want,
    ) -> anyhow::Result<Vec<u8>> {
        if matches!(want, Want::Figures | Want::Report) {
            let (chapter, _) = scene.chapter(played).context("nothing was played")?;
            return Ok(page(&[chapter]).html().as_str().into());
        }
        let (run, compared) = scene.results(played);
        let file = |results: &Results, name: &str| {
            let content = results.files()?.remove(name);
            content.with_context(|| format!("there is no {name}"))
        };
        match want {
            Want::Summaries => file(&run, "summary.csv"),
            Want::Distributions => file(&run, "distributions.csv"),
            Want::Examples => file(&run, "examples.csv"),
            Want::Comparisons => file(
                &compared.context("there is one variant")?,
                "comparisons.csv",
            ),
            Want::Json => {
                let mut out = Vec::new();
                run.json(&mut out)?;
                Ok(out)
            }
            Want::Summary | Want::Figures | Want::Report => {
                let summary = self.summary(scene, &run, compared.as_ref(), before)?;
                Ok(summary.to_string().into())
            }
        }
    }

    /// Returns the numbers that the page shows during play: rates, differences and notes.
    fn summary(
        &self,
        scene: &Scene,
        run: &Results,
        compared: Option<&Results>,
        before: Option<&Results>,
    ) -> anyhow::Result<Value> {
        let Answer::Run(report) = &run.answer else {
            bail!("a run has another answer");
        };
        let name = &report.variants[0].name;
        let numbers = match &self.given[..] {
            [] => "the numbers of the file",
            _ => "the numbers of the report",
        };
        let mut differences = Vec::new();
        for (results, names) in [(before, Some((name, numbers))), (compared, None)] {
            let Some(Answer::Compare(comparisons)) = results.map(|results| &results.answer) else {
                continue;
            };
            differences.extend(comparisons.variants.iter().map(|compared| {
                let own = (&compared.name, &comparisons.baseline[..]);
                let (variant, baseline) = names.unwrap_or(own);
                differences_of(compared, variant, baseline, comparisons.confidence)
            }));
        }
        let variants = report.variants.iter();
        let variants = variants.map(|report_of| variant(report_of, report.confidence));
        let task = &scene.fights().task;
        let until = &task.until;
        let file = || [self.input.file.as_path()];
        Ok(json!({
            "commands": {
                "run": run_of(&self.set, until.clone()).command(file()).text(),
                "compare": compared.map(|_| task.command(file()).text()),
                "report": report_command(&self.input, &self.set, until),
            },
            "exact": report.until.is_exact(),
            "variants": variants.collect::<Vec<_>>(),
            "differences": differences,
            "notes": run.answer.notes(),
        }))
    }

    /// Draws an encounter like `skirmish trace --format html`.
    fn fight(&self, name: &str, encounter: u64, why: bool) -> Result<String, Failure> {
        let variant = self.input.variant(name)?;
        let (fight, rules) = (&variant.fight, &variant.rules);
        let mut story = Story::default();
        let record = Player::new(fight, rules, SEED).show(encounter, &mut story);
        let picture = Picture::new(ObservedEncounter {
            fight,
            rules,
            story: &story,
            record: &record,
            why,
        });
        let title = format!("Encounter {encounter}, variant {name}");
        let page = Page {
            title: self.input.title().to_owned(),
            subtitle: None,
            sections: vec![Section {
                id: "encounter".to_owned(),
                title: "One encounter, moment by moment".to_owned(),
                blocks: vec![
                    PageBlock::Figure(picture.figure(
                        "timeline".to_owned(),
                        title,
                        picture.outcome(),
                    )),
                    PageBlock::Command(
                        Command::new("trace", [self.input.file.as_path()])
                            .options("--encounter", [encounter])
                            .options("--variant", Some(name).filter(|name| *name != BASE))
                            .options("--set", &self.set)
                            .text(),
                    ),
                ],
            }],
            footer: Vec::new(),
        };
        Ok(page.html().as_str().to_owned())
    }
}

/// Returns the run of all variants.
fn run_of(set: &[String], until: Until) -> Task {
    let question = Question::Run {
        variant: Vec::new(),
    };
    Task {
        until,
        set: set.to_vec(),
        ..Task::new(question, NonZeroU64::MIN)
    }
}

/// Returns the command that makes the page.
fn report_command(input: &Input, set: &[String], until: &Until) -> String {
    Command::new("report", [input.file.as_path()])
        .options("-n", until.encounters())
        .exact(until)
        .options("--set", set)
        .options("-o", ["report.html"])
        .text()
}

/// Returns the run of a scenario, and the comparison with its first variant if there are several.
fn scene(input: &Input, set: &[String], until: Until, want: Want) -> Result<Scene, Failure> {
    let command = report_command(input, set, &until);
    // Only the full report shows single encounters.
    let prefix = (want == Want::Report).then(String::new);
    Scene::new(&run_of(set, until), input.clone(), prefix, command)
}

/// Splits the bytes into the counts of each part.
fn counts<'a>(
    parts: &[Counted],
    mut bytes: &'a [u8],
) -> anyhow::Result<Vec<(ShardPart, &'a [u8])>> {
    let counts_of = |counted: &Counted| {
        let split = bytes.split_at_checked(counted.length);
        let (counts, rest) = split.context("counts are missing")?;
        bytes = rest;
        let part = ShardPart {
            fight: counted.fight,
            encounters: counted.start..counted.end,
        };
        Ok((part, counts))
    };
    parts.iter().map(counts_of).collect()
}
