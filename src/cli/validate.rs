//! `skirmish validate`: prints all errors of scenarios without playing them.

use super::console::Console;
use super::load;
use crate::names;
use crate::scenario::fix::{Replacement, fixed, text_of};
use crate::scenario::{Diagnostics, Loaded, Scenario};
use crate::task::{Exit, Failure, Files, Source, replace_text};
use clap::Args;
use std::path::{Path, PathBuf};

/// Arguments of `skirmish validate`.
#[derive(Debug, Clone, Args)]
pub struct ValidateArgs {
    /// Scenario files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Change a value first, as `run --set` does: weapons.bow.range=40; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,

    /// Replace what certainly is meant otherwise: words of other games, and other spellings; everything else stays.
    /// Standard input (`-`) is printed with that replaced
    #[arg(long, conflicts_with = "set")]
    pub fix: bool,
}

/// Reads scenarios from files, and refuses one of which a part is wrong.
struct Whole;

impl Source for Whole {
    fn load(&self, path: &Path, set: &[String]) -> Result<Loaded, Diagnostics> {
        Files.load(path, set)?.whole()
    }
}

/// Reads the text of a scenario, and refuses one of which a part is wrong.
struct WholeText<'a>(&'a str);

impl Source for WholeText<'_> {
    fn load(&self, path: &Path, set: &[String]) -> Result<Loaded, Diagnostics> {
        Scenario::parse(&names::of_file(path), self.0, set)?.whole()
    }
}

/// Replaces what is certain in a file, and says what that was. Returns the text of the file then; `None` if the file
/// cannot be read, which is said when it is validated.
fn mend(file: &Path, console: &mut Console<'_>) -> Result<Option<String>, Failure> {
    let Some(old) = text_of(file) else {
        return Ok(None);
    };
    let name = names::of_file(file);
    let (new, replaced) = fixed(&name, &old);
    if names::is_stdin(file) {
        console.bytes(new.as_bytes())?;
    } else if !replaced.is_empty() {
        replace_text(file, &old, &new)?;
    }
    for Replacement { line, old, new } in replaced {
        console.remark(format_args!("{name}:{line}: `{old}` is now `{new}`"));
    }
    Ok(Some(new))
}

/// Runs the subcommand. Errors and warnings of all files are printed.
pub(super) fn run(args: &ValidateArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for file in &args.files {
        let mended = if args.fix { mend(file, console)? } else { None };
        let read = match &mended {
            Some(text) => load::input(file, &[], &WholeText(text), console),
            None => load::input(file, &args.set, &Whole, console),
        };
        let Some(input) = load::or_print(read, console)? else {
            exit = Exit::BadInput;
            continue;
        };
        if console.quiet || mended.is_some() && names::is_stdin(file) {
            continue;
        }
        let scenario = &input.loaded.scenario;
        let variants = scenario
            .variants
            .iter()
            .map(|variant| variant.name.as_str());
        let line = format!(
            "{}: valid; {}: {}",
            names::of_file(file),
            scenario.variants[0].fight.system.title,
            names::list(variants, "and"),
        );
        console.tell(line)?;
    }
    Ok(exit)
}
