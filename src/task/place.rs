//! The destination file of a report, checked before any work.
//!
//! A slip on the command line (`--report fight.toml`) must not destroy a file: a report replaces only what this program
//! has written, which a mark in its first bytes says.

use super::Failure;
use crate::clean::clean_line;
use crate::names::{folder_of, is_stdin};
use crate::output::atomic::{Target, TargetError};
use crate::output::sheet;
use anyhow::{bail, ensure};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::{Component, Path, PathBuf};

/// The marks of files that this program writes: how a file begins, and what stands in its first bytes. CSV has no place
/// for a mark.
const MARKS: [(&str, &str); 6] = [
    ("Made by `skirmish ", ""),
    ("<!-- Made by `skirmish ", ""),
    ("{\n  \"program\": \"skirmish\",", ""),
    (
        "<!DOCTYPE html>",
        "<meta name=\"generator\" content=\"skirmish ",
    ),
    ("<?xml", "<testsuites name=\"skirmish check\""),
    (".ie ", "\n.TH skirmish"),
];

/// The number of bytes in which a mark stands.
const FIRST_BYTES: u64 = 1024;

/// Returns the first line of a text that a command writes into a file. It is a comment where the text is `markup`.
pub fn made_by(command: &str, markup: bool) -> String {
    let command = clean_line(command);
    if markup {
        // Nothing in a command may end the comment.
        format!("<!-- Made by `{}` -->\n\n", command.replace("-->", "--"))
    } else {
        format!("Made by `{command}`\n\n")
    }
}

/// Returns whether a file that begins with these bytes may be replaced: this program wrote it, or it is empty.
fn may_replace(first: &[u8]) -> bool {
    let text = String::from_utf8_lossy(first).replace("\r\n", "\n");
    let text = text.trim_start_matches('\u{feff}');
    let carries = |(start, mark): &(&str, &str)| text.starts_with(start) && text.contains(mark);
    text.trim().is_empty() || MARKS.iter().any(carries)
}

/// The destination file of a report.
#[derive(Debug)]
pub struct Destination {
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
pub fn follow(path: &Path) -> Cow<'_, Path> {
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
pub fn check_apart(files: &[(&str, Option<&Path>)]) -> anyhow::Result<()> {
    let given: Vec<(&str, &Path)> = files
        .iter()
        .filter_map(|&(option, path)| Some((option, path?)))
        .collect();
    for (index, (option, path)) in given.iter().enumerate() {
        if let Some((first, _)) = given[..index].iter().find(|(_, known)| same(known, path)) {
            bail!(
                "{first} and {option} name the same file, `{}`: name another for one of them",
                path.display()
            );
        }
    }
    Ok(())
}

/// Checks that an option does not name a folder in which the results are, or are to be.
///
/// # Errors
/// If `folder` is the named path or lies in it.
pub fn check_no_folder(option: &str, path: &Path, folder: &Path) -> anyhow::Result<()> {
    ensure!(
        !resolved(folder).starts_with(resolved(path)),
        "{option} {}: the results go to a folder of this name; name another file",
        path.display()
    );
    Ok(())
}

/// Returns whether two paths lead to the same place, which need not exist.
pub(super) fn same(first: &Path, second: &Path) -> bool {
    resolved(first) == resolved(second)
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

impl Destination {
    /// Checks that a report can be written to `path`. It replaces a file that this program has not written only by
    /// `force`.
    ///
    /// # Errors
    /// If it cannot be written, or would destroy another file.
    pub fn prepare(path: &Path, force: bool) -> anyhow::Result<Self> {
        let shown = path.display();
        ensure!(
            !is_stdin(path),
            "`-` is not standard output here: name a file"
        );
        let followed = follow(path);
        let path = followed.as_ref();
        let Some(name) = path.file_name().and_then(OsStr::to_str) else {
            bail!("`{shown}` does not name a file");
        };
        ensure!(
            !sheet::files().any(|file| file.eq_ignore_ascii_case(name)),
            "`{name}` is the name of a results file: give the report another name"
        );
        ensure!(!is_no_file(path), "`{shown}` is {}", no_file(path));
        let mut first = Vec::new();
        // An unreadable file is reported when writing fails, if it does.
        let is_readable = !force
            && path.is_file()
            && File::open(path)
                .and_then(|file| file.take(FIRST_BYTES).read_to_end(&mut first))
                .is_ok();
        ensure!(
            !is_readable || may_replace(&first),
            "`{shown}` does not say that skirmish wrote it, so it was left as it is: name another file, or replace it \
             with --force"
        );
        Ok(Self {
            target: Target::prepare(folder_of(path), &[name])?,
            name: name.to_owned(),
        })
    }

    /// Checks the path of an optional file.
    ///
    /// # Errors
    /// If the file cannot be written, or would replace another file.
    pub fn prepare_any(path: Option<&Path>, force: bool) -> Result<Option<Self>, Failure> {
        let place = path.map(|path| Self::prepare(path, force)).transpose();
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
