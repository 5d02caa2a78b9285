//! The command line: turns arguments into a [`Task`](crate::task::Task), and prints its answer. Each subcommand has
//! its own file or folder with a function `run`. Files that several subcommands share do not depend on any of them.

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
pub use console::{Console, print_error};

use crate::options::{RARE, allow_negative_numbers, in_plain_words};
use crate::stats::Confidence;
use crate::task::{Context, Files, Question, Source, Watch};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use console::out_width;
use progress::Bar;
use std::ffi::OsString;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// Colours: auto, always or never; auto is on a terminal, unless NO_COLOR is set
    #[expect(clippy::doc_markdown, reason = "it is the help")]
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value_t,
        hide_possible_values = true,
        display_order = RARE
    )]
    pub color: ColorChoice,

    /// Show no progress and no closing line
    #[arg(short, long, global = true, display_order = RARE)]
    pub quiet: bool,

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
    Sensitivity(Box<sweep::ChangeArgs>),
    /// Search parameters, optional lines and orders of lines for the best
    Tune(Box<tune::TuneArgs>),
    /// Rank everything that can be changed: which policy lines, gear, rulings and numbers matter?
    #[command(mut_arg("encounters", |count| count.default_value("10k")))]
    Knockout(Box<sweep::ChangeArgs>),
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

impl Command {
    /// Returns what happens after the first signal to end, or `None` if it ends the process at once.
    const fn ending(&self) -> Option<&'static str> {
        match self {
            Self::Watch(_) | Self::Trace(_) => Some(""),
            Self::Odds(_)
            | Self::Missing(_)
            | Self::Serve(_)
            | Self::Validate(_)
            | Self::New(_)
            | Self::Systems(_)
            | Self::Explain(_)
            | Self::Completions(_)
            | Self::Schema
            | Self::Man(_) => None,
            _ => Some(": finished results will be written"),
        }
    }
}

/// The surroundings of a subcommand.
pub struct Session<'a, S> {
    /// Reads scenarios and plays their encounters.
    pub source: &'a S,
    /// Set from outside to end the subcommand early.
    pub stop: &'a AtomicBool,
    /// The streams on which it prints.
    pub console: Console<'a>,
}

impl<'a, S> Session<'a, S> {
    /// Returns the context to play in.
    fn context<'b>(&self, threads: Option<NonZeroUsize>, watch: &'b dyn Watch) -> Context<'b, S>
    where
        'a: 'b,
    {
        Context {
            threads: args::threads_or_all(threads),
            stop: self.stop,
            watch,
            ..Context::new(self.source)
        }
    }

    /// Returns a progress bar, which shows nothing with `--quiet`.
    fn bar(&self, confidence: Confidence) -> Bar {
        Bar::new(self.console.quiet, confidence)
    }

    /// Returns whether the subcommand has to end early.
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Parses the arguments and runs the subcommand.
///
/// # Errors
/// If the subcommand fails; the failure has the exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> Result<Exit, Failure> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let words: Vec<OsString> = args.into_iter().collect();
    let command = Cli::command().term_width(out_width().columns());
    let parsed =
        command.try_get_matches_from(words.iter().map(|word| dice_not_option(&words, word)));
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(answer) => {
            let (mut out, mut err) = (io::stdout(), io::stderr());
            let color = console::color_of_words(&words);
            let mut console = Console::of_process(&mut out, &mut err, color);
            // Help and the version are returned as errors, too.
            let is_error = answer.use_stderr();
            let in_colour = if is_error {
                console.err_has_colours()
            } else {
                console.out_has_colours()
            };
            // The message quotes the arguments, so it is cleaned before it is printed.
            let message = in_plain_words(answer, |text| {
                if in_colour {
                    text.ansi().to_string()
                } else {
                    text.to_string()
                }
            });
            if !is_error {
                return console.answer_in_colour(&message).map(|()| Exit::Done);
            }
            console.say_in_colour(message.trim_end());
            hint_at_quotes(&words);
            return Ok(Exit::BadInput);
        }
    };
    let (mut out, mut err) = (io::stdout().lock(), io::stderr());
    let mut session = Session {
        source: &Files,
        stop: match cli.command.ending() {
            Some(ending) => interrupt::install(ending)?,
            None => &NEVER,
        },
        console: Console::of_process(&mut out, &mut err, cli.color).hushed(cli.quiet),
    };
    let done = execute(cli.command, &words, &mut session);
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

/// Runs a subcommand of the command line `words`. If it is told to stop, it finishes encounters in progress, and prints
/// and writes the results so far.
///
/// # Errors
/// If the input is wrong, or results cannot be read or written.
pub fn execute(
    command: Command,
    words: &[OsString],
    session: &mut Session<'_, impl Source>,
) -> Result<Exit, Failure> {
    let done = match command {
        Command::Run(args) => run::run(&args, session),
        Command::Sweep(args) => args
            .change
            .ask(|measure| args.along.question(measure), session),
        Command::Sensitivity(args) => args.ask(Question::Sensitivity, session),
        Command::Knockout(args) => args.ask(Question::Knockout, session),
        Command::Tune(args) => tune::run(&args, session),
        Command::Matchup(args) => {
            let question = args.question();
            args.answer
                .answer(question, args.until(), &[&args.file], session)
        }
        Command::Compare(args) => {
            let (question, files) = (args.contest.question(), args.contest.files());
            args.answer.answer(question, args.until(), &files, session)
        }
        Command::Check(args) => check::run(&args, session),
        Command::Odds(args) => odds::run(&args, words, &mut session.console),
        Command::Plan(args) => plan::run(&args, session),
        Command::Missing(args) => missing::run(&args, &mut session.console),
        Command::Merge(args) => merge::run(&args, &mut session.console),
        Command::Report(args) => report::run(&args, session),
        Command::Reproduce(args) => reproduce::run(&args, session),
        Command::Trace(args) => trace::run(&args, session),
        Command::New(args) => new::run(&args, &mut session.console),
        Command::Systems(args) => systems::run(&args, &mut session.console),
        Command::Explain(args) => explain::run(&args, &mut session.console),
        Command::Validate(args) => validate::run(&args, &mut session.console),
        Command::Serve(args) => serve::run(&args, &mut session.console),
        Command::Watch(args) => watch::run(&args, session),
        Command::Completions(args) => {
            integrate::completions(args, Cli::command(), &mut session.console)
        }
        Command::Schema => integrate::schema(&mut session.console),
        Command::Man(args) => integrate::man(&args, Cli::command(), &mut session.console),
    };
    Ok(load::or_print(done, &mut session.console)?.unwrap_or(Exit::BadInput))
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::Parser;

    #[test]
    fn a_signal_ends_at_once_what_does_not_look_for_it() {
        let listens = |line: &str| {
            let cli = Cli::try_parse_from(line.split(' ')).expect(line);
            cli.command.ending().is_some()
        };
        assert!(listens("skirmish run duel.toml"));
        assert!(listens("skirmish trace duel.toml"));
        for line in [
            "validate duel.toml",
            "new duel",
            "explain policy",
            "schema",
            "systems",
        ] {
            assert!(!listens(&format!("skirmish {line}")), "{line}");
        }
    }
}
