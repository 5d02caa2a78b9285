//! Reads scenarios. All errors in all of them are printed before anything is played.

use super::console::Console;
use super::interrupt::reading;
use crate::names;
use crate::scenario::Diagnostics;
use crate::task::{Failure, Input, Source};
use anyhow::anyhow;
use std::fmt::Write as _;
use std::path::Path;

/// Reads all files and prints warnings. If any of them have errors, all of these are printed, and the failure has none
/// that are left to print.
pub(super) fn inputs(
    files: &[impl AsRef<Path>],
    set: &[String],
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Vec<Input>, Failure> {
    for file in files {
        Input::stem(file.as_ref())?;
    }
    let read: Vec<Option<Input>> = files
        .iter()
        .map(|file| or_print(input(file.as_ref(), set, source, console), console))
        .collect::<Result<_, _>>()?;
    let inputs: Option<Vec<Input>> = read.into_iter().collect();
    inputs.ok_or_else(|| Diagnostics::default().into())
}

/// Refuses standard input where the scenario is read more than once or elsewhere.
pub(super) fn refuse_stdin(file: &Path, why: &str) -> Result<(), Failure> {
    if names::is_stdin(file) {
        return Err(Failure::input(anyhow!(
            "`-` (standard input) cannot be the scenario here\n\
             {why}: save it in a file, and name that"
        )));
    }
    Ok(())
}

/// Reads a file and prints warnings.
pub(super) fn input(
    file: &Path,
    set: &[String],
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Input, Failure> {
    let input = reading(|| source.input(file, set))?;
    let settings = input.loaded.scenario.settings.iter();
    let keys: Vec<&String> = settings.map(|(key, _)| key).collect();
    if let Some((at, key)) = (keys.iter().enumerate()).find(|(at, key)| keys[..*at].contains(key)) {
        return Err(Failure::input(anyhow!(
            "--set {key} is given twice, the second time as `{}`: leave out one of the two",
            set[at]
        )));
    }
    say_diagnostics(&input.loaded.warnings, console);
    Ok(input)
}

/// Prints the errors of a scenario and returns `None`. Other failures are passed on.
pub(super) fn or_print<T>(
    read: Result<T, Failure>,
    console: &mut Console<'_>,
) -> Result<Option<T>, Failure> {
    let failure = match read {
        Ok(read) => return Ok(Some(read)),
        Err(failure) => failure,
    };
    match failure.error.downcast_ref::<Diagnostics>() {
        Some(wrong) => {
            say_diagnostics(wrong, console);
            Ok(None)
        }
        None => Err(failure),
    }
}

fn say_diagnostics(diagnostics: &Diagnostics, console: &mut Console<'_>) {
    if diagnostics.is_empty() {
        return;
    }
    let columns = console.err_width.columns();
    let mut text = diagnostics.render(console.err_has_colours(), columns);
    if diagnostics.errors() > 1 {
        let _ = write!(text, "\n\n{} errors", diagnostics.errors());
    }
    console.say_in_colour(&text);
}
