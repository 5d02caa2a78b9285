//! `skirmish new`: writes a commented scenario to start from, which runs at once.

use super::console::Console;
use crate::fight::system::System;
use crate::names::alike;
use crate::output::Target;
use crate::question::shell_path;
use crate::report::{Page, Style};
use crate::systems::own::TEMPLATES;
use crate::systems::{OWN, SHARED_RULINGS, SYSTEMS};
use crate::task::{Exit, Failure, folder_of};
use crate::wrap::wrap;
use anyhow::{Context, anyhow};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The width of the file in columns.
const WIDTH: usize = 100;

/// The prefix of a ruling's meaning in a starter scenario.
const COMMENT: &str = "#       ";

/// Arguments of `skirmish new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The file to write; `.toml` is added if it has no ending; without it, all scenarios to begin with are listed
    #[arg(value_name = "NAME")]
    pub name: Option<PathBuf>,

    /// The rule system, or a game to begin one of your own with; by default what NAME names, or else
    /// tara-corax
    #[arg(long, value_name = "SYSTEM", requires = "name", value_parser = known_starts())]
    pub system: Option<Start>,
}

/// A scenario to start from: that of a system, or a template of a game of one's own.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// The value of `--system`.
    pub name: &'static str,
    title: &'static str,
    text: &'static str,
    /// The system of the scenario.
    pub system: &'static System,
}

impl From<&'static System> for Start {
    fn from(system: &'static System) -> Self {
        let (name, title, text) = (system.name, system.title, system.starter);
        Self {
            name,
            title,
            text,
            system,
        }
    }
}

impl Start {
    /// Returns what the scenario is about: its first comment, up to the details.
    fn about(&self) -> String {
        let comment = self.text.trim_start_matches("# ");
        let about = comment.split([':', '.', '\n']).next().unwrap_or(comment);
        if self.name == self.system.name {
            format!("{about} ({})", self.title)
        } else {
            about.to_owned()
        }
    }
}

/// Returns every scenario to start from.
pub fn starts() -> impl Iterator<Item = Start> {
    let of_template = |&(name, title, text)| Start {
        name,
        title,
        text,
        system: &OWN,
    };
    let of_systems = SYSTEMS.into_iter().map(Start::from);
    of_systems.chain(TEMPLATES.iter().map(of_template))
}

fn known_starts() -> impl TypedValueParser<Value = Start> {
    PossibleValuesParser::new(starts().map(|start| start.name)).try_map(|name| {
        starts()
            .find(|start| start.name == name)
            .ok_or("no such system")
    })
}

/// Runs the subcommand.
///
/// # Errors
/// If the file exists already, or cannot be written.
pub fn run(args: &NewArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let Some(mut path) = args.name.clone() else {
        let style = Style::Terminal(console.out_width);
        console.answer(&list(style))?;
        return Ok(Exit::Done);
    };
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let is_named = |start: &Start| stem.is_some_and(|stem| alike(start.name, stem));
    let chosen = args.system.or_else(|| starts().find(is_named));
    let start = chosen.unwrap_or_else(|| SYSTEMS[0].into());
    let title = stem
        .map(titled)
        .with_context(|| format!("`{}` does not name a file", path.display()))
        .map_err(Failure::input)?;
    if path.to_string_lossy().contains(char::is_control) {
        return Err(Failure::input(anyhow!(
            "`{}`: a name may not contain control characters; choose another",
            path.display()
        )));
    }
    if path.extension().is_none() {
        path.set_extension("toml");
    }
    write_new(&path, &starter(&start, &title))?;
    let path = shell_path(&path);
    let game = start.title;
    console.remark(format!(
        "wrote {path}, a fight of {game}; to play it:\n  skirmish run {path}"
    ));
    if chosen.is_none() {
        console.remark("other games to begin with: skirmish new");
    }
    Ok(Exit::Done)
}

/// Returns the list of all scenarios to start from, and how to go on.
fn list(style: Style) -> String {
    let mut page = Page::new(style);
    page.prose("Scenarios to begin with, full of comments:");
    page.listing(
        ["name", "what it is"],
        starts().map(|start| [start.name.to_owned(), start.about()]),
    );
    page.prose(
        "`skirmish new d20` writes d20.toml, `skirmish new duel --system d20` the same as duel.toml. After that, \
         `skirmish run duel.toml` plays it. `own` and those below it are games of your own: change their rules.",
    );
    page.into_text()
}

/// Returns the text of a scenario to start from.
pub fn starter(start: &Start, title: &str) -> String {
    let mut rulings = String::from(
        "# What the rules leave open: key, values [what holds unless a line says otherwise].\n",
    );
    for ruling in start.system.rulings.iter().chain(SHARED_RULINGS) {
        let (key, values, default) = (ruling.name, &ruling.values, ruling.default);
        let _ = writeln!(rulings, "#   {key}: {values} [{default}]");
        for line in wrap(ruling.meaning, WIDTH - COMMENT.len(), 0) {
            let _ = writeln!(rulings, "{COMMENT}{line}");
        }
    }
    start
        .text
        .replacen("TITLE", &toml::Value::from(title).to_string(), 1)
        .replacen("RULINGS", rulings.trim_end(), 1)
}

/// Returns the title for a file stem: `kite-or-charge` becomes `Kite or charge`.
fn titled(stem: &str) -> String {
    let spaced = stem.replace(['-', '_'], " ");
    let mut letters = spaced.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Writes a new file, completely or not at all. Refuses to replace a file.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let (shown, folder) = (path.display(), folder_of(path));
    let taken = || Failure::input(anyhow!("`{shown}` is there already; choose another name"));
    if path.symlink_metadata().is_ok() {
        return Err(taken());
    }
    if !folder.is_dir() {
        return Err(Failure::input(anyhow!(
            "`{shown}`: there is no such folder; make it first"
        )));
    }
    let name = path.file_name().and_then(OsStr::to_str);
    let name = name.ok_or_else(|| Failure::input(anyhow!("`{shown}` does not name a file")))?;
    let mut target = Target::prepare(folder, &[name]).map_err(Failure::input)?;
    // Another process may have created the file since the check.
    let created = target.create(name, text.as_bytes());
    created.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => taken(),
        _ => Failure::io(anyhow::Error::from(error).context(format!("cannot write `{shown}`"))),
    })
}

#[cfg(test)]
mod tests {
    use super::titled;

    #[test]
    fn a_title_is_the_file_name_as_people_write() {
        assert_eq!(titled("kite-or_charge"), "Kite or charge");
        assert_eq!(titled("überfall"), "Überfall");
        assert_eq!(titled("-"), " ");
    }
}
