//! The command line: arguments become a [`Task`](crate::task::Task), and its answer is printed. One file a
//! subcommand, each with `run`; files that several need know none of these.

pub mod args;
pub mod check;
mod closing;
pub mod compare;
pub mod console;
mod dry_run;
pub mod explain;
pub mod integrate;
pub mod interrupt;
mod load;
pub mod merge;
pub mod missing;
pub mod new;
pub mod odds;
mod page_args;
pub mod plan;
mod progress;
mod publish;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod sensitivity;
mod shard;
pub mod sweep;
pub mod systems;
pub mod trace;
pub mod validate;
pub mod watch;

pub use crate::task::{Exit, Failure};
pub use console::{Color, Console, print_error};

use crate::clean::clean_but_colours;
use crate::task::Files;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use console::{Stream, Widths};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Plays tabletop fights millions of times and reports, with honest intervals, what the rules do.
#[derive(Debug, Parser)]
#[command(
    name = "skirmish",
    version,
    after_help = "Exit codes: 0 done, 1 an expectation failed, 2 wrong input, 3 files that do \
                  not belong together, 70 a defect of the program, 74 reading or writing failed, \
                  130 interrupted (what was finished is kept)."
)]
pub struct Cli {
    /// Colours: on a terminal unless `NO_COLOR` is set, always, or never
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        hide_possible_values = true,
        help = "Colours: auto, always or never; auto is on a terminal, unless NO_COLOR is set"
    )]
    pub color: Color,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play every variant of scenarios, print a table, write CSV files
    Run(run::RunArgs),
    /// Hold every variant against a baseline, encounter by encounter on the same luck
    Compare(compare::CompareArgs),
    /// Play one variant at every value of a key or two, print a chart, write a CSV file
    Sweep(Box<sweep::SweepArgs>),
    /// Tell what 1 more of each number of each combatant is worth
    Sensitivity(Box<sensitivity::SensitivityArgs>),
    /// Hold results against what scenarios expect of them; for build servers
    Check(check::CheckArgs),
    /// Answer dice questions exactly: pools, dice notation, opposed and extended rolls
    Odds(Box<odds::OddsArgs>),
    /// Cut a run into shards, to be played anywhere (`run --plan`) and merged
    Plan(Box<plan::PlanArgs>),
    /// List the shards of a plan that are not there yet, as `sbatch --array` wants them
    Missing(missing::MissingArgs),
    /// Make the results of a plan out of its shards, as one run would
    Merge(merge::MergeArgs),
    /// Show scenarios or results on a page of pictures, one HTML file
    Report(report::ReportArgs),
    /// Play results again and compare the bytes of every file
    Reproduce(reproduce::ReproduceArgs),
    /// Tell one encounter, Mark by Mark
    Trace(trace::TraceArgs),
    /// Play a scenario again whenever its file is saved, and show what the change did
    Watch(Box<watch::WatchArgs>),
    /// Say everything that is wrong with scenarios, without playing them
    Validate(validate::ValidateArgs),
    /// Write a scenario to begin with, which runs at once
    New(new::NewArgs),
    /// List the rule systems, and the clocks, checks and health models they are made of
    Systems(systems::SystemsArgs),
    /// Print the keys of scenarios, and the metrics
    Explain(explain::ExplainArgs),
    /// Print what a shell needs to complete subcommands and options
    Completions(integrate::CompletionsArgs),
    /// Print the JSON schema of scenario files; `#:schema FILE` in their first line shows it to editors
    Schema,
    /// Write pages of the manual for `man`
    Man(integrate::ManArgs),
}

/// Runs the subcommand of the arguments.
///
/// # Errors
/// If it cannot be done; the failure knows its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> Result<Exit, Failure> {
    let words: Vec<OsString> = args.into_iter().collect();
    let widths = Widths::of_terminals();
    let command = Cli::command().term_width(widths.out.columns());
    let parsed =
        command.try_get_matches_from(words.iter().map(|word| dice_not_option(&words, word)));
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(answer) => {
            // Help and the version come this way too, and are no errors.
            let exit = if answer.use_stderr() {
                Exit::BadInput
            } else {
                Exit::Done
            };
            let stream = if answer.use_stderr() {
                Stream::Err
            } else {
                Stream::Out
            };
            // It quotes the arguments.
            let told = answer.render();
            let told = if Color::of_words(&words).paints(stream) {
                told.ansi().to_string()
            } else {
                told.to_string()
            };
            if stream == Stream::Err {
                let (mut out, mut err) = (io::stdout(), io::stderr());
                Console::of(&mut out, &mut err, widths).say_in_colour(told.trim_end());
            } else {
                write!(io::stdout(), "{}", clean_but_colours(&told)).map_err(Failure::io)?;
            }
            if exit == Exit::BadInput {
                hint_at_quotes(&words);
            }
            return Ok(exit);
        }
    };
    let (mut out, mut err) = (io::stdout().lock(), io::stderr());
    let mut console = Console::of(&mut out, &mut err, widths).with_color(cli.color);
    let listen = || interrupt::install();
    let done = execute(cli.command, &words, &listen, &mut console);
    let exit = done
        .as_ref()
        .map_or_else(|failure| failure.exit, |exit| *exit);
    if exit == Exit::BadInput {
        hint_at_quotes(&words);
    }
    done
}

/// A word of the command line; of `odds` one such as `-1d6+10` with a minus that begins no option.
fn dice_not_option(words: &[OsString], word: &OsString) -> OsString {
    let dice = word.to_str().and_then(|word| word.strip_prefix('-'));
    let number = dice.map(|dice| dice.trim_start_matches(|c: char| c.is_ascii_digit()));
    match (dice, number) {
        (Some(dice), Some(rest))
            if words.get(1).is_some_and(|name| name == "odds")
                && rest.starts_with(['d', 'D', 'w', '('])
                && (rest.len() < dice.len() || rest.starts_with('(')) =>
        {
            format!("\u{2212}{dice}").into()
        }
        _ => word.clone(),
    }
}

/// Says which file may have been meant by several words of the command line.
fn hint_at_quotes(words: &[OsString]) {
    let Some(file) = unquoted(words) else { return };
    print_error(&format!(
        "help: there is a file `{file}`: put its name in quotes, '{file}'"
    ));
}

/// The file whose name several words make, if the first of them is none.
fn unquoted(words: &[OsString]) -> Option<String> {
    const MOST: usize = 8;
    let words: Vec<&str> = words
        .iter()
        .skip(2)
        .map_while(|word| word.to_str())
        .collect();
    (0..words.len()).find_map(|start| {
        let ends = start + 2..=words.len().min(start + MOST);
        let mut names = ends.map(|end| words[start..end].join(" "));
        names.find(|name| !Path::new(words[start]).exists() && Path::new(name).is_file())
    })
}

/// Runs a subcommand, which `words` are the command line of. `listen` returns the flag that ends it early.
fn execute<'a>(
    command: Command,
    words: &[OsString],
    listen: &dyn Fn() -> Result<&'a AtomicBool, Failure>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    match command {
        Command::Run(args) => run::run(&args, &Files, listen()?, console),
        Command::Sweep(args) => sweep::run(&args, &Files, listen()?, console),
        Command::Sensitivity(args) => sensitivity::run(&args, &Files, listen()?, console),
        Command::Check(args) => check::run(&args, listen()?, console),
        Command::Odds(args) => odds::run(&args, words, console),
        Command::Compare(args) => compare::run(&args, &Files, listen()?, console),
        Command::Plan(args) => plan::run(&args, listen()?, console),
        Command::Missing(args) => missing::run(&args, console),
        Command::Merge(args) => {
            // A merge takes no time and is not stopped half-way: old results or new ones.
            listen()?;
            merge::run(&args, console)
        }
        Command::Report(args) => report::run(&args, &Files, listen()?, console),
        Command::Reproduce(args) => reproduce::run(&args, listen()?, console),
        Command::Trace(args) => trace::run(&args, &Files, console),
        Command::New(args) => new::run(&args, console),
        Command::Systems(args) => systems::run(&args, console),
        Command::Explain(args) => explain::run(&args, console),
        Command::Validate(args) => validate::run(&args, console),
        Command::Watch(args) => watch::run(&args, listen()?, console),
        Command::Completions(args) => integrate::completions(args, Cli::command(), console),
        Command::Schema => integrate::schema(console),
        Command::Man(args) => integrate::man(&args, Cli::command(), console),
    }
}
