//! The command line: turns arguments into a [`Task`](crate::task::Task), and prints its answer. Each subcommand has
//! its own file or folder with a function `run`. Files that several subcommands share do not depend on any of them.

pub mod args;
pub mod changes;
pub mod check;
mod closing;
pub mod compare;
pub mod console;
mod dry_run;
pub mod explain;
pub mod integrate;
pub mod interrupt;
mod load;
pub mod matchup;
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
pub mod serve;
mod shard;
pub mod sweep;
pub mod systems;
pub mod trace;
pub mod tune;
pub mod validate;
pub mod watch;

pub use crate::task::{Exit, Failure};
pub use console::{Color, Console, print_error};

use crate::options::{allow_negative_numbers, in_plain_words};
use crate::task::{Files, Question};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use console::{Stream, Widths};
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Plays tabletop fights millions of times and shows how your rules decide them, with error bars.
#[derive(Debug, Parser)]
#[command(
    name = "skirmish",
    version,
    after_help = "Exit codes: 0 done, 1 an expectation failed, 2 wrong input, 3 files that do \
                  not belong together, 70 internal error, 74 reading or writing failed, \
                  130 interrupted (finished results are kept).",
    mut_subcommands(allow_negative_numbers)
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
    /// Play every variant of a scenario, print a table, write CSV files
    Run(run::RunArgs),
    /// Compare variants with a baseline, encounter by encounter on the same dice
    Compare(compare::CompareArgs),
    /// Play every value of a number (or of two), draw the curve, find a threshold
    Sweep(Box<sweep::SweepArgs>),
    /// Rank the numbers of all combatants: how much is 1 more of each worth?
    Sensitivity(Box<changes::ChangesArgs>),
    /// Search parameters, optional lines and orders of lines for the best
    Tune(Box<tune::TuneArgs>),
    /// Rank everything that can be changed: which policy lines, gear, rulings and numbers matter?
    #[command(mut_arg("encounters", |count| count.default_value("10k")))]
    Knockout(Box<changes::ChangesArgs>),
    /// Play every build against every other: who beats whom, and which mix cannot be exploited?
    Matchup(Box<matchup::MatchupArgs>),
    /// Test the expectations of scenarios; for build servers
    Check(check::CheckArgs),
    /// Answer dice questions exactly: pools, dice notation, opposed and extended rolls
    Odds(Box<odds::OddsArgs>),
    /// Cut a run into shards, to play them anywhere (`run --plan`) and merge them
    Plan(Box<plan::PlanArgs>),
    /// List the missing shards of a plan, in the format of `sbatch --array`
    Missing(missing::MissingArgs),
    /// Merge the shards of a plan into the results of one run
    Merge(merge::MergeArgs),
    /// Draw scenarios or results on one HTML page
    Report(report::ReportArgs),
    /// Play results again and compare the bytes of every file
    Reproduce(reproduce::ReproduceArgs),
    /// Show one encounter, Mark by Mark
    Trace(trace::TraceArgs),
    /// Play a scenario again on each save, and show the effect of the change
    Watch(Box<watch::WatchArgs>),
    /// Open the scenarios of a folder in a web page, on this machine alone
    Serve(serve::ServeArgs),
    /// Report all errors of scenarios without playing them
    Validate(validate::ValidateArgs),
    /// Write a commented scenario to start from
    New(new::NewArgs),
    /// List the rule systems with their clocks, checks and health models
    Systems(systems::SystemsArgs),
    /// Explain policies, rulings and metrics, or any word: a key, an action, a remark
    #[command(arg_required_else_help = true)]
    Explain(explain::ExplainArgs),
    /// Print shell completions
    Completions(integrate::CompletionsArgs),
    /// Print the JSON schema of scenarios; a first line `#:schema FILE` links it
    Schema,
    /// Write man pages
    Man(integrate::ManArgs),
}

/// Parses the arguments and runs the subcommand.
///
/// # Errors
/// If the subcommand fails; the failure has the exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> Result<Exit, Failure> {
    let words: Vec<OsString> = args.into_iter().collect();
    let widths = Widths::of_terminals();
    let command = Cli::command().term_width(widths.out.columns());
    let parsed =
        command.try_get_matches_from(words.iter().map(|word| dice_not_option(&words, word)));
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(answer) => {
            // Help and the version are returned as errors, too.
            let stream = if answer.use_stderr() {
                Stream::Err
            } else {
                Stream::Out
            };
            // The message quotes the arguments, so it is cleaned before it is printed.
            let told = in_plain_words(answer, |text| {
                if Color::of_words(&words).paints(stream) {
                    text.ansi().to_string()
                } else {
                    text.to_string()
                }
            });
            let (mut out, mut err) = (io::stdout(), io::stderr());
            let mut console = Console::of(&mut out, &mut err, widths);
            if stream == Stream::Out {
                return console.answer_in_colour(&told).map(|()| Exit::Done);
            }
            console.say_in_colour(told.trim_end());
            hint_at_quotes(&words);
            return Ok(Exit::BadInput);
        }
    };
    let (mut out, mut err) = (io::stdout().lock(), io::stderr());
    let mut console = Console::of(&mut out, &mut err, widths).with_color(cli.color);
    let finish = match cli.command {
        Command::Watch(_) | Command::Trace(_) => "",
        _ => ": finished results will be written",
    };
    let listen = || interrupt::install(finish);
    let done = execute(cli.command, &words, &listen, &mut console);
    let exit = done
        .as_ref()
        .map_or_else(|failure| failure.exit, |exit| *exit);
    if exit == Exit::BadInput {
        hint_at_quotes(&words);
    }
    done
}

/// Returns a word of the command line. For `odds`, the minus of a word such as `-1d6+10` is replaced, so that
/// it does not begin an option.
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

/// Prints a hint if several words of the command line are the unquoted name of a file.
fn hint_at_quotes(words: &[OsString]) {
    let Some(file) = unquoted(words) else { return };
    print_error(&format!(
        "help: there is a file `{file}`: put its name in quotes, '{file}'"
    ));
}

/// Returns the file whose name consists of several words, if the first word alone is not a file.
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

/// Runs a subcommand of the command line `words`. `listen` installs the signal handlers and returns the flag
/// that ends it early.
fn execute<'a>(
    command: Command,
    words: &[OsString],
    listen: &dyn Fn() -> Result<&'a AtomicBool, Failure>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let done = match command {
        Command::Run(args) => run::run(&args, &Files, listen()?, console),
        Command::Sweep(args) => sweep::run(&args, &Files, listen()?, console),
        Command::Sensitivity(args) => {
            changes::run(&args, Question::Sensitivity, &Files, listen()?, console)
        }
        Command::Tune(args) => tune::run(&args, &Files, listen()?, console),
        Command::Knockout(args) => {
            changes::run(&args, Question::Knockout, &Files, listen()?, console)
        }
        Command::Matchup(args) => matchup::run(&args, &Files, listen()?, console),
        Command::Check(args) => check::run(&args, listen()?, console),
        Command::Odds(args) => odds::run(&args, words, console),
        Command::Compare(args) => compare::run(&args, &Files, listen()?, console),
        Command::Plan(args) => plan::run(&args, listen()?, console),
        Command::Missing(args) => missing::run(&args, console),
        Command::Merge(args) => {
            // A merge is fast and is not interrupted half-way: results are either old or new.
            listen()?;
            merge::run(&args, console)
        }
        Command::Report(args) => report::run(&args, &Files, listen()?, console),
        Command::Reproduce(args) => reproduce::run(&args, listen()?, console),
        Command::Trace(args) => trace::run(&args, &Files, listen()?, console),
        Command::New(args) => new::run(&args, console),
        Command::Systems(args) => systems::run(&args, console),
        Command::Explain(args) => explain::run(&args, console),
        Command::Validate(args) => validate::run(&args, console),
        Command::Serve(args) => serve::run(&args, console),
        Command::Watch(args) => watch::run(&args, listen()?, console),
        Command::Completions(args) => integrate::completions(args, Cli::command(), console),
        Command::Schema => integrate::schema(console),
        Command::Man(args) => integrate::man(&args, Cli::command(), console),
    };
    // Errors in a scenario that only one question meets.
    Ok(load::or_print(done, console)?.unwrap_or(Exit::BadInput))
}
