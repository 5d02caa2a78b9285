//! Reads scenarios. All errors in all of them are printed before anything is played.

use super::console::{Console, Stream};
use super::interrupt::reading;
use crate::names;
use crate::scenario::Diagnostics;
use crate::task::{Failure, Input, Source};
use anyhow::anyhow;
use std::path::{Path, PathBuf};

/// Reads all files and prints warnings. Returns `None` if any of them has errors, after printing all of these.
pub(super) fn inputs<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
    set: &[String],
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Option<Vec<Input>>, Failure> {
    let files: Vec<&PathBuf> = files.into_iter().collect();
    for file in &files {
        Input::stem(file)?;
    }
    let mut inputs = Vec::with_capacity(files.len());
    for file in &files {
        inputs.extend(input(file, set, source, console)?);
    }
    Ok((inputs.len() == files.len()).then_some(inputs))
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

/// Reads a file and prints warnings. Returns `None` if it has errors, after printing them.
pub(super) fn input(
    file: &Path,
    set: &[String],
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Option<Input>, Failure> {
    let read = or_print(reading(|| source.input(file, set)), console)?;
    let settings = read.iter().flat_map(|one| &one.loaded.scenario.settings);
    let keys: Vec<&String> = settings.map(|(key, _)| key).collect();
    if let Some((at, key)) = (keys.iter().enumerate()).find(|(at, key)| keys[..*at].contains(key)) {
        return Err(Failure::input(anyhow!(
            "--set {key} is given twice, the second time as `{}`: leave out one of the two",
            set[at]
        )));
    }
    if let Some(input) = &read
        && !input.loaded.warnings.is_empty()
    {
        let told = rendered(&input.loaded.warnings, console);
        console.say_in_colour(&told);
    }
    Ok(read)
}

/// Prints diagnostics and returns `None`. Other failures are passed on.
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
            let told = rendered(wrong, console);
            console.say_in_colour(&told);
            Ok(None)
        }
        None => Err(failure),
    }
}

fn rendered(diagnostics: &Diagnostics, console: &Console<'_>) -> String {
    let columns = console.widths().err.columns();
    let text = diagnostics.render(console.colours(Stream::Err), columns);
    match diagnostics.errors() {
        0 | 1 => text,
        errors => format!("{text}\n\n{errors} errors"),
    }
}
