//! The destination file of a report, checked before any work.
//!
//! A slip on the command line (`--report fight.toml`) must not destroy a file: a report replaces only an
//! earlier report of the same kind.

use super::Failure;
use crate::clean::clean_line;
use crate::names::{folder_of, is_stdin, named};
use crate::output::atomic::{Target, TargetError};
use crate::output::sheet;
use anyhow::anyhow;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::{Component, Path, PathBuf};

named! {
    /// The kind of a report. A report replaces only an earlier one of the same kind.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Kind {
        /// A page of pictures.
        Page "page of skirmish";
        /// The picture of an encounter.
        Svg "picture by `skirmish trace`";
        /// Output of `check` as text or annotations.
        CheckText "text by `skirmish check`";
        /// Output of `check` as JSON.
        CheckJson "JSON by `skirmish check`";
        /// Output of `check` as XML for build servers.
        CheckXml "XML by `skirmish check`";
        /// Output of `odds` as text, Markdown or CSV.
        OddsText "answer by `skirmish odds`";
        /// Output of `odds` as JSON.
        OddsJson "JSON by `skirmish odds`";
        /// A checkpoint; its reader verifies it.
        Checkpoint "checkpoint";
        /// A page of the manual.
        Manual "manual page of skirmish";
    }
}

/// The start of a text file by `odds`; the rest of the command follows.
const MADE_BY: &str = "Made by `skirmish odds";

/// The start of a Markdown file by `odds`: a comment, which is not displayed.
const MADE_BY_MARKDOWN: &str = "<!-- Made by `skirmish odds";

/// Returns the first line of a file by `odds`, which distinguishes it from other texts.
pub fn made_by(command: &str, is_markdown: bool) -> String {
    let command = clean_line(command);
    if is_markdown {
        // Nothing in a command may end the comment.
        format!("<!-- Made by `{}` -->\n\n", command.replace("-->", "--"))
    } else {
        format!("Made by `{command}`\n\n")
    }
}

/// The most bytes read of an old file. The end of a longer report is not checked.
const MOST: u64 = 1 << 24;

impl Kind {
    /// Returns whether a file with the content `old` is an earlier report of the kind. An empty file may be replaced.
    fn may_replace(self, old: &[u8]) -> bool {
        let text = String::from_utf8_lossy(old).replace("\r\n", "\n");
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            return true;
        }
        match self {
            Self::Page => text.contains("<meta name=\"generator\" content=\"skirmish "),
            Self::Svg => {
                text.starts_with("<svg ")
                    && text.contains("aria-labelledby=\"timeline-title timeline-desc\"")
            }
            Self::CheckText => is_check(text),
            Self::CheckJson => {
                text.starts_with("{\n  \"program\": \"skirmish\",")
                    && text.contains("\n  \"undecided\": ")
            }
            Self::CheckXml => {
                text.starts_with("<?xml") && text.contains("<testsuites name=\"skirmish check\"")
            }
            Self::OddsText => {
                text.starts_with(MADE_BY) || text.starts_with(MADE_BY_MARKDOWN) || is_odds_csv(text)
            }
            Self::OddsJson => {
                ["{\n  \"answer\": ", "{\n  \"facts\": "]
                    .iter()
                    .any(|key| text.starts_with(key))
                    && ["facts", "notes", "question", "rules", "tables"]
                        .iter()
                        .all(|key| text.contains(&format!("\n  \"{key}\": ")))
            }
            Self::Checkpoint => true,
            Self::Manual => text.contains("\n.TH skirmish"),
        }
    }
}

/// Returns whether a text is output of `check`: a table below the name of a file, or annotations. The last line
/// counts the verdicts.
fn is_check(text: &str) -> bool {
    let mut lines: Vec<&str> = text.lines().collect();
    let is_tally = |line: &str| {
        line.trim_end_matches(" (allowed)").split(", ").all(|part| {
            part.split_once(' ').is_some_and(|(count, verdict)| {
                count.parse::<u64>().is_ok()
                    && ["proved", "passed", "failed", "undecided"].contains(&verdict)
            })
        })
    };
    let has_tally = lines.pop().is_some_and(is_tally);
    let is_annotation =
        |line: &&str| line.starts_with("::") && line.contains(",title=skirmish%3A ");
    // A long file name takes more than one line.
    let mut head = lines.iter().take(NAME_LINES);
    has_tally
        && (lines.iter().all(is_annotation) || head.any(|line| line.starts_with("verdict    what")))
}

/// The number of lines in which to look for the head of a table of `check`.
const NAME_LINES: usize = 10;

/// Columns next to each other by which CSV of `odds` is known.
const ODDS_COLUMNS: [&str; 9] = [
    ",exactly,at_least,at_most,",
    ",pool,difficulty,tens,ones,ones_on_explosion,botch_rule,",
    ",outcome,chance,",
    ",outcome,probability,",
    ",rating,against,p_before,p_simultaneous,p_after,",
    ",done,done_by,",
    ",over,first,tie,second,over_by,",
    ",rule,successes,ones,net,outcome,owed,not_rolled,",
    ",shot,p_hit,p_spoiled,p_missed,",
];

/// Returns whether a text begins with the column names of CSV by `odds`.
fn is_odds_csv(text: &str) -> bool {
    let head = format!(",{},", text.lines().next().unwrap_or_default());
    ODDS_COLUMNS.iter().any(|known| head.contains(*known))
}

/// The destination file of a report.
#[derive(Debug)]
pub struct Place {
    target: Target,
    name: String,
}

/// Returns whether something is at a path that is not a file, such as a link to nothing.
pub(super) fn is_no_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok() && !path.is_file()
}

/// Returns the kind of thing at a path that is not a file, with the advice to name a file.
pub(super) fn no_file(path: &Path) -> &'static str {
    if !path.exists() {
        "a link to nothing: remove it, or name a file"
    } else if path.is_dir() {
        "a folder: name a file in it"
    } else {
        "a device or a pipe: name a file"
    }
}

/// Returns the file that a symbolic link leads to, so that writing replaces that file and not the link. Any other path,
/// and a link to nothing, stays as it is.
pub(super) fn follow(path: &Path) -> Cow<'_, Path> {
    let file = if path.is_symlink() {
        path.canonicalize().ok()
    } else {
        None
    };
    file.map_or(Cow::Borrowed(path), Cow::Owned)
}

/// Checks that no two of these options name the same file. A second writer would replace the file of the first.
///
/// # Errors
/// If two of them lead to the same file, however their paths are spelled.
pub fn check_apart(files: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    let given: Vec<(&str, &Path)> = files
        .iter()
        .filter_map(|&(option, path)| Some((option, path?)))
        .collect();
    for (index, (option, path)) in given.iter().enumerate() {
        if let Some((first, _)) = given[..index].iter().find(|(_, one)| same(one, path)) {
            return Err(Failure::input(anyhow!(
                "{first} and {option} name the same file, `{}`: name another for one of them",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Checks that an option does not name a folder in which the results are, or are to be.
///
/// # Errors
/// If `folder` is the named path or lies in it.
pub fn check_no_folder(option: &str, path: &Path, folder: &Path) -> Result<(), Failure> {
    if resolved(folder).starts_with(resolved(path)) {
        return Err(Failure::input(anyhow!(
            "{option} {}: the results go to a folder of this name; name another file",
            path.display()
        )));
    }
    Ok(())
}

/// Returns whether two paths lead to the same place, which need not exist.
pub(super) fn same(one: &Path, other: &Path) -> bool {
    resolved(one) == resolved(other)
}

/// Returns the absolute path without `.`, `..` and symbolic links. Its end need not exist.
fn resolved(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut place = PathBuf::new();
    for part in whole.components() {
        if part == Component::ParentDir {
            place.pop();
        } else {
            place.push(part);
        }
        // `..` leads out of the folder that a link names, so links are followed on the way.
        place = place.canonicalize().unwrap_or(place);
    }
    place
}

/// Writes a single file without changing its bytes; it appears whole or stays as it was.
///
/// # Errors
/// If the file cannot be written.
pub fn write_file(
    target: &mut Target,
    name: &str,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), TargetError> {
    let mut batch = target.batch();
    batch.file(name, |file| content(file))?;
    batch.commit()
}

/// The reason why a report cannot be written to a path.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// The path does not end in a file name.
    #[error("`{0}` does not name a file")]
    Nameless(String),
    /// The path is that of standard output in other programs.
    #[error("`-` is not standard output here: name a file")]
    Dash,
    /// Something that is no file is there.
    #[error("`{0}` is {1}")]
    NoFile(String, &'static str),
    /// The name is that of a results file.
    #[error("`{0}` is the name of a results file: give the report another name")]
    Reserved(String),
    /// Another file is there.
    #[error(
        "`{path}` is no {}, so it was left as it is: name another file, or remove it",
        kind.name()
    )]
    Other {
        /// The path.
        path: String,
        /// The kind of report to be written there.
        kind: Kind,
    },
    /// The folder is not writable.
    #[error(transparent)]
    Target(#[from] TargetError),
}

impl Place {
    /// Checks that a report of this kind can be written to `path` without destroying another file.
    ///
    /// # Errors
    /// If it cannot be written, or would destroy another file.
    pub fn prepare(path: &Path, kind: Kind) -> Result<Self, PlaceError> {
        let shown = || path.display().to_string();
        if is_stdin(path) {
            return Err(PlaceError::Dash);
        }
        let followed = follow(path);
        let path = followed.as_ref();
        let Some(name) = path.file_name().and_then(OsStr::to_str) else {
            return Err(PlaceError::Nameless(shown()));
        };
        if sheet::files().any(|file| file.eq_ignore_ascii_case(name)) {
            return Err(PlaceError::Reserved(name.to_owned()));
        }
        if is_no_file(path) {
            return Err(PlaceError::NoFile(shown(), no_file(path)));
        }
        let mut old = Vec::new();
        // An unreadable file is reported when writing fails, if it does.
        let readable = path.is_file()
            && File::open(path)
                .and_then(|file| file.take(MOST).read_to_end(&mut old))
                .is_ok();
        if readable && !kind.may_replace(&old) {
            return Err(PlaceError::Other {
                path: shown(),
                kind,
            });
        }
        Ok(Self {
            target: Target::prepare(folder_of(path), &[name])?,
            name: name.to_owned(),
        })
    }

    /// Checks the path of an optional file.
    ///
    /// # Errors
    /// If the file cannot be written, or would replace another file.
    pub fn prepare_any(path: Option<&Path>, kind: Kind) -> Result<Option<Self>, Failure> {
        let place = path.map(|path| Self::prepare(path, kind)).transpose();
        place.map_err(Failure::input)
    }

    /// Writes the file as text; it appears whole or stays as it was.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        &mut self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), TargetError> {
        let mut batch = self.target.batch();
        batch.text(&self.name, |file| content(file))?;
        batch.commit()
    }

    /// Writes the file without changing its bytes; it appears whole or stays as it was.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_bytes(
        &mut self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), TargetError> {
        write_file(&mut self.target, &self.name, content)
    }
}
