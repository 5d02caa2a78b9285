//! `skirmish check`: tests results against expectations, and prints failures.

use super::Session;
use super::args::{ExactArgs, Playing, WideArgs, count};
use super::closing::closing;
use super::console::Console;
use super::load::inputs;
use super::page_args::PageArgs;
use crate::decimal::Decimal;
use crate::names;
use crate::output::findings::{Checked, Verdict, github, github_errors, json, junit, text};
use crate::output::html::findings;
use crate::report::number::counted;
use crate::task::{Check, Destination, Exit, Failure, Question, Source, Task, Until, made_by};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Instant;

/// Arguments of `skirmish check`.
#[derive(Debug, Args)]
#[command(mut_arg("exact", |exact| exact.conflicts_with_all([
    "encounters", "max_encounters", "baseline",
])))]
pub struct CheckArgs {
    /// Scenario files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Encounters of each variant at the first look; each later look plays half as many more
    #[arg(short = 'n', long, value_name = "COUNT", default_value = "10k", value_parser = count)]
    pub encounters: NonZeroU64,

    /// Stop after this many encounters of a variant, decided or not
    #[arg(long, value_name = "COUNT", default_value = "1M", value_parser = count)]
    pub max_encounters: NonZeroU64,

    /// Whether fights are solved
    #[command(flatten)]
    pub exact: ExactArgs,

    /// Undecided expectations pass
    #[arg(long)]
    pub allow_undecided: bool,

    /// Also compare with committed results in DIR, with their seed and encounters
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,

    /// Difference that --baseline accepts: 1% or 0.01 is a point of a rate, and a hundredth of any other mean
    /// [default: 0]
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "baseline")]
    pub tolerance: Option<f64>,

    /// Format to print, or of the file of -o: then the text is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// How wide tables are
    #[command(flatten)]
    pub wide: WideArgs,

    /// Whether there is to be a page with pictures
    #[command(flatten)]
    pub page: PageArgs,

    /// The options of every simulation
    #[command(flatten)]
    pub playing: Playing,
}

/// What `check` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One line for each expectation
    Text,
    /// XML that most build servers read
    Junit,
    /// One JSON document
    Json,
    /// Annotations for GitHub Actions
    Github,
    /// The text; -o FILE is a page with charts
    Html,
}

impl CheckArgs {
    fn task(&self) -> Result<Task, Failure> {
        let check = Check {
            tolerance: self.tolerance,
            baseline: self.baseline.clone(),
            allow_undecided: self.allow_undecided,
        };
        let exact = self.exact.until(&self.playing.given)?;
        let until = exact.unwrap_or(Until::Looks {
            first: self.encounters,
            most: self.max_encounters,
        });
        Ok(self.playing.given.task(Question::Check(check), until))
    }
}

/// Runs the subcommand. If it is told to stop, nothing more is decided.
pub(super) fn run(
    args: &CheckArgs,
    session: &mut Session<'_, impl Source>,
) -> Result<Exit, Failure> {
    let begun = Instant::now();
    let task = args.task()?;
    let page_args = args.page.settled(args.format == Format::Html)?;
    task.validate()?;
    let read = inputs(&args.files, &task.set, session.source, &mut session.console);
    if read.is_err() && args.format == Format::Github && page_args.output.is_none() {
        annotate(&args.files, &task.set, session)?;
    }
    let checks = task.check(read?)?;
    let bar = session.bar(task.confidence);
    let context = session.context(args.playing.threads, &bar);
    let console = &mut session.console;
    let place = page_args.prepare()?;
    let (checked, total) = checks.decide(&context)?;
    let open = checked.count(Verdict::Undecided);
    let decided = checked.all().count() - open;
    if context.stopped() && decided == 0 {
        console.say("interrupted: nothing was decided");
        return Ok(Exit::Interrupted);
    }
    let files = args.files.iter().map(PathBuf::as_path);
    let command = page_args.command(task.command(files));
    let page = page_args.write(|| Ok(findings(&checked, &command)));
    // The verdicts are printed even if a file cannot be written.
    report(&checked, args, place, console).and(page)?;
    console.remark(closing(total, 0, begun.elapsed().as_secs_f64(), &[]));
    Ok(if context.stopped() {
        console.say(format_args!(
            "interrupted: {decided} of {} {} decided",
            counted((decided + open) as u64, "expectation"),
            if decided == 1 { "was" } else { "were" }
        ));
        Exit::Interrupted
    } else if checked.passed() {
        Exit::Done
    } else {
        Exit::ExpectationFailed
    })
}

/// Prints an annotation for each error of the scenarios. Standard input, which can be read only once, gets none.
fn annotate(
    files: &[PathBuf],
    set: &[String],
    session: &mut Session<'_, impl Source>,
) -> Result<(), Failure> {
    for file in files.iter().filter(|file| !names::is_stdin(file)) {
        if let Err(failure) = session.source.input(file, set) {
            let errors = github_errors(&file.display().to_string(), &failure.error);
            let write = |out: &mut dyn Write| out.write_all(errors.as_bytes());
            session.console.data(write)?;
        }
    }
    Ok(())
}

fn report(
    checked: &Checked,
    args: &CheckArgs,
    place: Option<Destination>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let width = args.wide.width(console);
    let write = |format: Format, out: &mut dyn Write| match format {
        Format::Text | Format::Html => out.write_all(text(checked, width).as_bytes()),
        Format::Github => out.write_all(github(checked).as_bytes()),
        Format::Junit => junit(checked, out),
        Format::Json => json(checked, out),
    };
    let printed = if place.is_some() {
        Format::Text
    } else {
        args.format
    };
    let written = place.map_or(Ok(()), |mut place| {
        place.write(|out| {
            if matches!(args.format, Format::Text | Format::Github) {
                out.write_all(made_by("skirmish check", false).as_bytes())?;
            }
            write(args.format, out)
        })
    });
    let said = match printed {
        Format::Text | Format::Html => console.answer(&text(checked, width)),
        Format::Github | Format::Junit | Format::Json => console.data(|out| write(printed, out)),
    };
    said.and(written.map_err(Failure::io))
}

/// Parses a share: `1%` or `0.01`.
fn share(text: &str) -> Result<f64, String> {
    Decimal::read(text)
        .map(|decimal| decimal.value)
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "write a share from 0 to 1, such as 0.01 or 1%".to_owned())
}
