//! `skirmish report`: one page of figures, from scenarios that are played or from existing results.
//!
//! All scenarios, folders and output paths are checked before the first encounter.

use super::Session;
use super::args::{ExactArgs, Playing, count};
use super::closing::closing;
use super::console::Console;
use super::load;
use super::page_args::PageArgs;
use crate::names::is_stdin;
use crate::output::html::Chapter;
use crate::scenario::Diagnostics;
use crate::task::{
    Command, Context, Exit, Failure, Question, Scene, Source, Until, other_sweeps, result_files,
    results_folder, usual_end,
};
use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Arguments of `skirmish report`.
#[derive(Debug, Args)]
#[command(mut_arg("exact", |exact| exact.conflicts_with("encounters")))]
#[command(mut_arg("output", |output| output.help("File to write [default: report.html]")))]
#[command(mut_arg("report", |report| report.hide(true).conflicts_with("output")))]
pub struct ReportArgs {
    /// Scenario files to play, or folders of results to draw
    #[arg(required = true, value_name = "FILE|DIR")]
    pub inputs: Vec<PathBuf>,

    /// Encounters of each variant of a scenario: 250k, 1M, 2_000_000 [default: until every win rate is known to ±0.5%,
    /// at most 1M]
    #[expect(clippy::doc_markdown, reason = "it is shown as help")]
    #[arg(short = 'n', long, value_name = "COUNT", value_parser = count)]
    pub encounters: Option<NonZeroU64>,

    /// Whether fights are solved
    #[command(flatten)]
    pub exact: ExactArgs,

    /// Show only this variant; may be given several times; others are compared with the first
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,

    /// Where the page goes
    #[command(flatten)]
    pub page: PageArgs,

    /// The only format
    #[arg(long, hide = true, value_parser = ["html"])]
    pub format: Option<String>,

    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,

    /// The options of every simulation
    #[command(flatten)]
    pub playing: Playing,
}

impl ReportArgs {
    /// Returns the file of the page.
    fn file(&self) -> &Path {
        let file = self.page.output.as_deref().or(self.page.report.as_deref());
        file.unwrap_or("report.html".as_ref())
    }

    /// Returns the first given option that affects play.
    fn playing_option(&self) -> Option<&'static str> {
        let playing = &self.playing;
        [
            (self.encounters.is_some(), "-n"),
            (self.exact.exact, "--exact"),
            (!self.variants.is_empty(), "--variant"),
            (!playing.given.overrides.is_empty(), "--set"),
            (playing.given.seed.is_some(), "--seed"),
            (playing.given.confidence.is_some(), "--confidence"),
        ]
        .into_iter()
        .find_map(|(given, name)| given.then_some(name))
    }
}

/// The source of one or more chapters.
enum Origin {
    Scenario(Box<Scene>),
    Results(Box<Chapter>),
}

/// Runs the subcommand.
pub(super) fn run(
    args: &ReportArgs,
    session: &mut Session<'_, impl Source>,
) -> Result<Exit, Failure> {
    let inputs = read(args, session)?;
    if is_stdin(args.file()) {
        return Err(Failure::input(anyhow!(
            "-o -: a report is not printed; name a file, or leave -o out for `report.html`"
        )));
    }
    let page_args = PageArgs {
        report: Some(args.file().to_owned()),
        ..args.page.clone()
    };
    page_args.check_writable()?;

    let bar = session.bar(args.playing.given.confidence());
    let context = session.context(args.playing.threads, &bar);
    let console = &mut session.console;
    let begun = Instant::now();
    let mut chapters = Vec::with_capacity(inputs.len());
    let mut played = 0;
    let mut missing = false;
    let expected = |input: &Origin| match input {
        Origin::Results(_) => 0,
        Origin::Scenario(scene) => scene.expected(),
    };
    let mut later: u64 = inputs.iter().map(expected).sum();
    for input in inputs {
        later -= expected(&input);
        match input {
            Origin::Results(chapter) => chapters.push(*chapter),
            Origin::Scenario(scene) if !context.stopped() => {
                let context = Context {
                    before: played,
                    later,
                    ..context
                };
                if let Some((chapter, encounters)) = scene.play(&context)? {
                    played += encounters;
                    missing |= chapter.manifests().any(|manifest| manifest.interrupted);
                    chapters.push(chapter);
                }
            }
            Origin::Scenario(_) => {}
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let interrupted = context.stopped();
    if chapters.is_empty() {
        console.say("interrupted before the first encounters were finished; nothing was written");
        return Ok(Exit::Interrupted);
    }
    page_args.write_chapters(|| Ok(chapters))?;
    if played > 0 {
        console.remark(closing(played, 0, seconds, &[]));
    }
    console.remark(format_args!("wrote `{}`", args.file().display()));
    if args.open {
        open(args.file(), console);
    }
    Ok(Exit::of_missing(missing || interrupted, interrupted))
}

/// Reads all inputs. If any scenario has errors, all of these are printed.
fn read(args: &ReportArgs, session: &mut Session<'_, impl Source>) -> anyhow::Result<Vec<Origin>> {
    if args.inputs.iter().all(|input| input.is_dir())
        && let Some(option) = args.playing_option()
    {
        bail!(
            "{option} does nothing to a folder of results, which is not played again: leave it out, or name \
             the scenario"
        );
    }
    let exact = args.exact.until(&args.playing.given)?;
    let played = || args.encounters.map_or_else(usual_end, Until::Encounters);
    let until = exact.unwrap_or_else(played);
    let variant = args.variants.clone();
    let task = args.playing.given.task(Question::Run { variant }, until);
    // The command that makes the whole page again, whatever the chapter.
    let command = Command::new("report", args.inputs.iter().map(PathBuf::as_path))
        .options("-n", args.encounters)
        .exact(&task.until)
        .options("--variant", &args.variants)
        .given(task.seed, task.confidence, &task.set)
        .options("-o", [args.file().display()])
        .text();
    let mut inputs = Vec::with_capacity(args.inputs.len());
    let mut wrong = false;
    for input in &args.inputs {
        if input.is_dir() {
            let chapters = results(&command, input)?.into_iter();
            inputs.extend(chapters.map(|chapter| Origin::Results(Box::new(chapter))));
            continue;
        }
        let read = load::input(input, &task.set, session.source, &mut session.console);
        let Some(scenario) = load::or_print(read, &mut session.console)? else {
            wrong = true;
            continue;
        };
        let prefix = match args.inputs.len() {
            1 => String::new(),
            _ => format!("s{}-", inputs.len() + 1),
        };
        let scene = Scene::new(&task, scenario, Some(prefix), command.clone())?;
        inputs.push(Origin::Scenario(Box::new(scene)));
    }
    if wrong {
        return Err(Diagnostics::default().into());
    }
    Ok(inputs)
}

/// Reads the chapters of a folder: one, and one more for each sweep of other keys.
fn results(command: &str, folder: &Path) -> Result<Vec<Chapter>, Failure> {
    let folder = &results_folder(folder)?;
    let read = || {
        let mut all = vec![result_files(folder)?];
        all.extend(other_sweeps(folder)?);
        let chapters = all.iter().map(Chapter::read);
        anyhow::Ok(chapters.collect::<Result<Vec<_>, _>>()?)
    };
    let place = || format!("`{}`", folder.display());
    let mut chapters = read().with_context(place).map_err(Failure::input)?;
    for chapter in &mut chapters {
        command.clone_into(&mut chapter.command);
    }
    Ok(chapters)
}

/// Opens the page in a browser. If that fails, the page is written nevertheless.
fn open(place: &Path, console: &mut Console<'_>) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    if let Err(error) = std::process::Command::new(program).arg(place).spawn() {
        console.say(format_args!(
            "warning: cannot open `{}` with {program}: {error}",
            place.display()
        ));
    }
}
