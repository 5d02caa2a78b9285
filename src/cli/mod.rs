//! The command line: one file a subcommand, each with `run`.
//!
//! Nothing below this module prints. Arguments are checked here and turned into what the rest of
//! the program understands; [`exit`] says what the process tells its caller.

pub mod args;
pub mod check;
mod checkpoint;
mod closing;
pub mod compare;
pub mod console;
mod dry_run;
mod each;
pub mod exit;
pub mod explain;
pub mod interrupt;
pub mod load;
pub mod new;
pub mod odds;
mod page;
mod place;
mod progress;
mod publish;
pub mod report;
mod results;
pub mod run;
pub mod sensitivity;
pub mod shards;
pub mod sweep;
pub mod systems;
pub mod trace;

pub use console::Console;
pub use exit::{Exit, Failure};

use crate::clean::clean_but_colours;
use clap::Parser;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

/// Reads the arguments and does what they ask for.
///
/// # Errors
/// If it cannot be done; the failure knows its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> Result<Exit, Failure> {
    let words: Vec<OsString> = args.into_iter().collect();
    let cli = match args::Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(answer) => {
            // Help and the version come this way too, and are no errors.
            let exit = if answer.use_stderr() {
                Exit::BadInput
            } else {
                Exit::Done
            };
            if answer.use_stderr() {
                // It quotes the arguments.
                let told = answer.render();
                let told = if io::stderr().is_terminal() {
                    told.ansi().to_string()
                } else {
                    told.to_string()
                };
                write!(io::stderr(), "{}", clean_but_colours(&told)).map_err(Failure::io)?;
            } else {
                answer.print().map_err(Failure::io)?;
            }
            return Ok(exit);
        }
    };
    let (mut out, mut err) = (io::stdout().lock(), io::stderr());
    let mut console = Console::new(&mut out, &mut err);
    match cli.command {
        args::Command::Run(args) => {
            run::run(&args, &load::Files, interrupt::install()?, &mut console)
        }
        args::Command::Sweep(args) => {
            sweep::run(&args, &load::Files, interrupt::install()?, &mut console)
        }
        args::Command::Sensitivity(args) => {
            sensitivity::run(&args, &load::Files, interrupt::install()?, &mut console)
        }
        args::Command::Check(args) => check::run(&args, interrupt::install()?, &mut console),
        args::Command::Odds(args) => odds::run(&args, &words, &mut console),
        args::Command::Compare(args) => {
            compare::run(&args, &load::Files, interrupt::install()?, &mut console)
        }
        args::Command::Plan(args) => shards::plan(&args, interrupt::install()?, &mut console),
        args::Command::Missing(args) => shards::missing(&args, &mut console),
        args::Command::Merge(args) => {
            // A merge takes no time and is not stopped half-way: old results or new ones.
            interrupt::install()?;
            shards::merge(&args, &mut console)
        }
        args::Command::Report(args) => {
            report::run(&args, &load::Files, interrupt::install()?, &mut console)
        }
        args::Command::Trace(args) => trace::run(&args, &load::Files, &mut console),
        args::Command::New(args) => new::run(&args, &mut console),
        args::Command::Systems => systems::run(&mut console),
        args::Command::Explain(args) => explain::run(&args, &mut console),
    }
}
