//! `skirmish completions`, `skirmish man` and `skirmish schema`: support for shells, manuals and editors.

use super::console::Console;
use crate::output::atomic::make_folder;
use crate::output::schema;
use crate::task::{Destination, Exit, Failure};
use anyhow::Context as _;
use clap::{Args, Command};
use clap_complete::Shell;
use std::fs;
use std::path::PathBuf;

/// Arguments of `skirmish completions`.
#[derive(Debug, Clone, Copy, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// Arguments of `skirmish man`.
#[derive(Debug, Clone, Args)]
pub struct ManArgs {
    /// The folder for the pages, one for each subcommand
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Replace files that skirmish did not write
    #[arg(long)]
    pub force: bool,
}

/// Prints the JSON schema of scenario files.
///
/// # Errors
/// If standard output cannot be written.
pub fn schema(console: &mut Console<'_>) -> Result<Exit, Failure> {
    console.data(|out| writeln!(out, "{:#}", schema::schema()))?;
    Ok(Exit::Done)
}

/// Prints the completions of `command` for a shell.
///
/// # Errors
/// If standard output cannot be written.
pub fn completions(
    args: CompletionsArgs,
    mut command: Command,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    if args.shell == Shell::Bash {
        // Bash offers the words of all arguments together, and the topics already include the systems.
        let plain = clap::value_parser!(String);
        command = command.mut_subcommand("explain", |explain| {
            explain.mut_arg("system", |system| system.value_parser(plain))
        });
    }
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "skirmish", &mut script);
    console.data(|out| out.write_all(&script))?;
    Ok(Exit::Done)
}

/// Writes a manual page for `command` and each of its subcommands: `skirmish.1`, `skirmish-run.1`.
///
/// # Errors
/// If a page cannot be written, or another file has its name.
pub fn man(args: &ManArgs, command: Command, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let shown = args.folder.display();
    make_folder(&args.folder).map_err(Failure::io)?;
    for entry in fs::read_dir(&args.folder).map_err(Failure::io)?.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("skirmish") && name.ends_with(".1") {
            Destination::prepare(&entry.path(), args.force).map_err(Failure::input)?;
        }
    }
    clap_mangen::generate_to(command.disable_help_subcommand(true), &args.folder)
        .with_context(|| format!("`{shown}`"))
        .map_err(Failure::io)?;
    console.say(format_args!(
        "a page for each subcommand in `{shown}`: man -l {}",
        args.folder.join("skirmish.1").display()
    ));
    Ok(Exit::Done)
}
