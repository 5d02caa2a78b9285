//! `skirmish report`: one page of figures, from scenarios that are played or from existing results.
//!
//! All scenarios, folders and output paths are checked before the first encounter.

use super::args::{ExactArgs, Playing, count};
use super::closing::Total;
use super::console::Console;
use super::load;
use super::page_args::PageArgs;
use crate::names::is_stdin;
use crate::output::Target;
use crate::output::html::{Chapter, LIVE_IS_BUILT, Live, Page, figures, page, slide};
use crate::output::sheet::files;
use crate::task::{
    Command, Context, Exit, Failure, Question, Scene, Source, Until, Within, other_sweeps,
    result_files, usual_end,
};
use anyhow::{Context as _, anyhow};
use clap::{Args, ValueEnum};
use std::fs;
use std::io::Write as _;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Arguments of `skirmish report`.
#[derive(Debug, Args)]
#[command(mut_arg("exact", |exact| exact.conflicts_with("encounters")))]
pub struct ReportArgs {
    /// Scenario files to play, or folders of results to draw
    #[arg(required = true, value_name = "FILE|DIR")]
    pub inputs: Vec<PathBuf>,

    /// Encounters of each variant
    #[arg(
        short = 'n',
        long,
        help = "Encounters of each variant of a scenario: 250k, 1M, 2_000_000 [default: until every win \
                rate is known to ±0.5%, at most 1M]",
        value_name = "COUNT",
        value_parser = count
    )]
    pub encounters: Option<NonZeroU64>,

    /// Whether fights are solved
    #[command(flatten)]
    pub exact: ExactArgs,

    /// Show only this variant; may be given several times; others are compared with the first
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,

    /// Format
    #[arg(long, value_enum, default_value_t = Format::Html)]
    pub format: Format,

    /// File to write, or the folder of --format svg [default: report.html, or charts]
    #[arg(short, long, value_name = "FILE|DIR")]
    pub output: Option<PathBuf>,

    /// Put the engine into the page: its readers drag sliders, and the fight is played again there
    #[arg(long, conflicts_with = "format")]
    pub live: bool,

    /// Open the page in a browser
    #[arg(long, conflicts_with = "format")]
    pub open: bool,

    /// The options of every simulation
    #[command(flatten)]
    pub playing: Playing,
}

/// What `report` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One page, complete in itself
    Html,
    /// One picture for each chart, for slides
    Svg,
}

impl ReportArgs {
    /// Returns the path to write to if none is given.
    const fn usual_place(&self) -> &'static str {
        match self.format {
            Format::Html => "report.html",
            Format::Svg => "charts",
        }
    }

    /// Returns the path to write to.
    fn place(&self) -> &Path {
        let usual = Path::new(self.usual_place());
        self.output.as_deref().unwrap_or(usual)
    }

    /// Returns the first given option that affects play.
    fn playing_option(&self) -> Option<&'static str> {
        let playing = &self.playing;
        [
            (self.encounters.is_some(), "-n"),
            (self.exact.exact, "--exact"),
            (!self.variants.is_empty(), "--variant"),
            (self.live, "--live"),
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
    Scenario(Box<Scene>, Option<Live>),
    Results(Box<Chapter>),
}

/// The destination of the pictures.
enum Output {
    Page(PageArgs),
    Slides(Target),
}

/// Runs the subcommand. If `stop` is set, encounters in progress are finished and shown.
///
/// # Errors
/// If the input is wrong, or the page cannot be written.
pub fn run(
    args: &ReportArgs,
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let Some(inputs) = read(args, source, console)? else {
        return Ok(Exit::BadInput);
    };
    if is_stdin(args.place()) {
        return Err(Failure::input(anyhow!(
            "-o -: a report is not printed; name a file or folder, or leave -o out for `{}`",
            args.usual_place()
        )));
    }
    let output = match args.format {
        Format::Html => {
            let page_args = PageArgs {
                report: Some(args.place().to_owned()),
            };
            page_args.check_writable()?;
            Output::Page(page_args)
        }
        Format::Svg => Output::Slides(Target::prepare(args.place(), &[]).map_err(Failure::input)?),
    };

    let bar = args.playing.bar();
    let context = args.playing.context(source, stop, &bar);
    let begun = Instant::now();
    let mut chapters = Vec::with_capacity(inputs.len());
    let mut played = 0;
    let mut missing = false;
    let expected = |input: &Origin| match input {
        Origin::Results(_) => 0,
        Origin::Scenario(scene, _) => scene.expected(),
    };
    let mut later: u64 = inputs.iter().map(expected).sum();
    for input in inputs {
        later -= expected(&input);
        match input {
            Origin::Results(chapter) => chapters.push(*chapter),
            Origin::Scenario(scene, live) if !context.stopped() => {
                let context = Context {
                    watch: &Within::new(&bar, played, later),
                    ..context
                };
                if let Some((chapter, encounters)) = scene.play(&context)? {
                    played += encounters;
                    missing |= chapter.manifests().any(|manifest| manifest.interrupted);
                    chapters.push(Chapter { live, ..chapter });
                }
            }
            Origin::Scenario(..) => {}
        }
    }
    let seconds = begun.elapsed();
    let interrupted = context.stopped();
    if chapters.is_empty() {
        console.say("interrupted before the first encounters were finished; nothing was written");
        return Ok(Exit::Interrupted);
    }
    let place = args.place();
    let written = match output {
        Output::Page(page_args) => {
            page_args.write_chapters(|| Ok(chapters))?;
            format!("`{}`", place.display())
        }
        Output::Slides(mut target) => {
            let count = slides(&page(&chapters), &mut target)?;
            format!("{count} charts in `{}`", place.display())
        }
    };
    if !args.playing.quiet {
        if played > 0 {
            console.say(Total::of(played, seconds).line());
        }
        console.say(format_args!("wrote {written}"));
    }
    if args.open {
        open(place, console);
    }
    Ok(Exit::of_missing(missing || interrupted, interrupted))
}

/// Reads all inputs. Returns `None` if any scenario has errors, after printing all of these.
fn read(
    args: &ReportArgs,
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Option<Vec<Origin>>, Failure> {
    if args.inputs.iter().all(|input| input.is_dir())
        && let Some(option) = args.playing_option()
    {
        return Err(Failure::input(anyhow!(
            "{option} does nothing to a folder of results, which is not played again: leave it out, or name \
             the scenario"
        )));
    }
    if args.live && !LIVE_IS_BUILT {
        return Err(Failure::input(anyhow!(
            "this program was built without the engine for pages. Where its source is,\n\
             `web/build.sh && cargo build --release --features live` builds it with it"
        )));
    }
    let exact = args.exact.until(&args.playing.given)?;
    let played = || args.encounters.map_or_else(usual_end, Until::Encounters);
    let until = exact.unwrap_or_else(played);
    let variant = args.variants.clone();
    let task = args.playing.given.task(Question::Run { variant }, until);
    // The command that makes the whole page again, whatever the chapter.
    let command = Command::new("report", args.inputs.iter().map(PathBuf::as_path))
        .switch("--live", args.live)
        .options("-n", args.encounters)
        .exact(&task.until)
        .options("--variant", &args.variants)
        .given(task.seed, task.confidence, &task.set)
        .options("-o", [args.place().display()])
        .text();
    let mut inputs = Vec::with_capacity(args.inputs.len());
    let mut wrong = false;
    for input in &args.inputs {
        if input.is_dir() {
            let chapters = results(&command, input)?;
            inputs.extend(
                chapters
                    .into_iter()
                    .map(|one| Origin::Results(Box::new(one))),
            );
            continue;
        }
        let Some(scenario) = load::input(input, &task.set, source, console)? else {
            wrong = true;
            continue;
        };
        let prefix = (args.format == Format::Html).then(|| match args.inputs.len() {
            1 => String::new(),
            _ => format!("s{}-", inputs.len() + 1),
        });
        let live = args.live.then(|| Live {
            name: scenario.file.display().to_string(),
            text: scenario.loaded.document.text().to_owned(),
            set: task.set.clone(),
        });
        let scene = Scene::new(&task, scenario, prefix, command.clone())?;
        inputs.push(Origin::Scenario(Box::new(scene), live));
    }
    Ok((!wrong).then_some(inputs))
}

/// Reads the chapters of a folder: one, and one more for each sweep of other keys.
fn results(command: &str, folder: &Path) -> Result<Vec<Chapter>, Failure> {
    let read = || {
        let mut all = vec![result_files(folder)?];
        all.extend(other_sweeps(folder)?);
        let chapters = all.iter().map(Chapter::read);
        anyhow::Ok(chapters.collect::<Result<Vec<_>, _>>()?)
    };
    let place = || match folder_inside(folder) {
        Some(inner) => format!("`{}` (`{}` has results)", folder.display(), inner.display()),
        None => format!("`{}`", folder.display()),
    };
    let mut chapters = read().with_context(place).map_err(Failure::input)?;
    for chapter in &mut chapters {
        command.clone_into(&mut chapter.command);
    }
    Ok(chapters)
}

/// Returns the first folder inside another one that has results, if that one has none itself: `--output` names the
/// folder above them.
fn folder_inside(folder: &Path) -> Option<PathBuf> {
    let has_results = |folder: &Path| files().any(|name| folder.join(name).is_file());
    if has_results(folder) {
        return None;
    }
    let inside = fs::read_dir(folder).into_iter().flatten().flatten();
    let inside = inside.map(|entry| entry.path());
    inside.filter(|path| has_results(path)).min()
}

/// Writes every figure of a page as a separate picture.
fn slides(page: &Page, target: &mut Target) -> Result<usize, Failure> {
    let mut batch = target.batch();
    let mut count = 0;
    for figure in figures(page) {
        let picture = slide(figure);
        let name = format!("{}.svg", figure.id);
        let written = batch.text(&name, |out| out.write_all(picture.as_str().as_bytes()));
        written.map_err(Failure::io)?;
        count += 1;
    }
    batch.commit().map_err(Failure::io)?;
    Ok(count)
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
