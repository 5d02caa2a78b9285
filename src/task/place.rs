//! A file that a report goes to, checked before any work.
//!
//! A slip on the command line (`--report fight.toml`) must not destroy a file: only an earlier
//! report of the same kind is replaced.

use crate::output::atomic::{Target, TargetError};
use crate::output::html::FILES;
use crate::output::sheet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::Path;

/// The kind of a report: it replaces only an earlier one of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A page of pictures.
    Page,
    /// A picture.
    Svg,
    /// One document.
    Json,
    /// XML for build servers.
    Xml,
    /// Lines for people, or rows.
    Text,
    /// A checkpoint; its reader verifies it.
    Checkpoint,
}

/// What files of results begin with.
static RESULTS: [&sheet::Kind; 10] = [
    &sheet::SUMMARY,
    &sheet::DISTRIBUTIONS,
    &sheet::EXAMPLES,
    &sheet::COMPARISONS,
    &sheet::SWEEP,
    &sheet::SENSITIVITY,
    &sheet::TUNE,
    &sheet::KNOCKOUT,
    &sheet::MATCHUP,
    &sheet::BEST_PLAY,
];

/// Bytes of an old file that are looked at.
const BEGINNING: u64 = 4096;

impl Kind {
    /// Returns its name.
    fn name(self) -> &'static str {
        match self {
            Self::Page => "page of skirmish",
            Self::Svg => "SVG picture",
            Self::Json => "JSON document",
            Self::Xml => "XML document",
            Self::Text => "text",
            Self::Checkpoint => "checkpoint",
        }
    }

    /// Whether a file that begins so is an earlier one of the kind.
    fn may_replace(self, old: &[u8]) -> bool {
        let text = String::from_utf8_lossy(old);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.is_empty() || self == Self::Checkpoint {
            return true;
        }
        if is_kept(text) {
            return false;
        }
        let markup = text.starts_with('<');
        match self {
            Self::Page => text.contains("<meta name=\"generator\" content=\"skirmish "),
            Self::Svg => markup && text.contains("<svg"),
            Self::Json => text.starts_with(['{', '[']),
            Self::Xml => text.starts_with("<?xml") && !text.contains("<svg"),
            Self::Text => !markup && !text.contains('\0'),
            Self::Checkpoint => true,
        }
    }
}

/// Whether a text is a scenario, results, a manifest, a plan or counts: what no report replaces.
fn is_kept(text: &str) -> bool {
    let assigns = |line: &str, key: &str| {
        let rest = line.trim_start().strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    text.lines().any(|line| assigns(line, "system"))
        || text.starts_with("{\"skirmish\"")
        || text.starts_with("{\n  \"skirmish\"")
        || text.starts_with("{\n  \"program\": \"skirmish\"")
        || RESULTS.iter().any(|kind| kind.begins(text))
}

/// A file that a report goes to.
#[derive(Debug)]
pub struct Place {
    target: Target,
    name: String,
}

/// Returns the folder that a file is in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    above.unwrap_or(Path::new("."))
}

/// Why a report cannot go there.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// The path ends in no name.
    #[error("`{0}` does not name a file")]
    Nameless(String),
    /// The name is one of a file of results.
    #[error("`{0}` is the name of a results file: give the report another name")]
    Reserved(String),
    /// Something else is there.
    #[error(
        "`{path}` is there, and is no {}: it was left as it is; name another file, or remove it",
        kind.name()
    )]
    Other {
        /// The place.
        path: String,
        /// The kind of report that was to go there.
        kind: Kind,
    },
    /// The folder cannot be written.
    #[error(transparent)]
    Target(#[from] TargetError),
}

impl Place {
    /// Checks that a report of that kind can be written there and destroys nothing else.
    ///
    /// # Errors
    /// If it cannot, or would.
    pub fn prepare(path: &Path, kind: Kind) -> Result<Self, PlaceError> {
        let shown = || path.display().to_string();
        let Some(name) = path.file_name().and_then(OsStr::to_str) else {
            return Err(PlaceError::Nameless(shown()));
        };
        if FILES.iter().any(|file| file.eq_ignore_ascii_case(name)) {
            return Err(PlaceError::Reserved(name.to_owned()));
        }
        let mut old = Vec::new();
        // What cannot be read is told when it cannot be written, if it cannot.
        let readable = path.is_file()
            && File::open(path)
                .and_then(|file| file.take(BEGINNING).read_to_end(&mut old))
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

    /// Writes the file as text; it appears whole or stays as it was.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(
        &mut self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), TargetError> {
        let mut batch = self.target.batch();
        batch.text(&self.name, |file| content(file))?;
        batch.commit()
    }

    /// Writes the file as it is; it appears whole or stays as it was.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_bytes(
        &mut self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), TargetError> {
        let mut batch = self.target.batch();
        batch.file(&self.name, |file| content(file))?;
        batch.commit()
    }
}
