//! The scenarios directly in a folder: files whose names end in `.toml`.

use crate::document::MARK;
use crate::output::Target;
use crate::task::{Failure, folder_of, replace_text};
use anyhow::{Context as _, anyhow, bail};
use serde::Serialize;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// A folder, and the scenario to open first.
#[derive(Debug)]
pub(super) struct Folder {
    /// The canonical path, without links.
    path: PathBuf,
    first: Option<String>,
}

/// A scenario in the page's list.
#[derive(Debug, Serialize)]
pub(super) struct Listed {
    name: String,
    title: String,
}

impl Folder {
    /// Opens a folder, or the folder of a file, or else the current folder.
    ///
    /// # Errors
    /// If the path does not exist, or the file is not a scenario that the page can save.
    pub(super) fn open(place: Option<&Path>) -> Result<Self, Failure> {
        let place = place.unwrap_or(Path::new("."));
        let shown = place.display();
        let kind = fs::metadata(place)
            .with_context(|| format!("cannot read `{shown}`"))
            .map_err(Failure::input)?;
        let (path, first) = if kind.is_dir() {
            (place, None)
        } else {
            let name = place.file_name().and_then(OsStr::to_str);
            let name = name.filter(|name| is_scenario(name)).ok_or_else(|| {
                Failure::input(anyhow!(
                    "`{shown}` cannot be served: the names of scenarios end in `.toml`"
                ))
            })?;
            (folder_of(place), Some(name.to_owned()))
        };
        let path = fs::canonicalize(path)
            .with_context(|| format!("cannot read `{}`", path.display()))
            .map_err(Failure::input)?;
        let folder = Self { path, first };
        if let Some(name) = &folder.first {
            folder.read(name).map_err(Failure::input)?;
        }
        Ok(folder)
    }

    /// Returns the path of the folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the scenario to open first.
    pub(super) fn first(&self) -> Option<&str> {
        self.first.as_deref()
    }

    /// Lists the scenarios by name, with their titles.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub(super) fn list(&self) -> anyhow::Result<Vec<Listed>> {
        let entries = fs::read_dir(&self.path)
            .with_context(|| format!("cannot read `{}`", self.path.display()))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        // An unreadable file has no title; opening it shows the error.
        let mut all: Vec<Listed> = names
            .filter(|name| self.place(name).is_ok_and(|place| place.is_file()))
            .map(|name| Listed {
                title: self
                    .read(&name)
                    .map(|text| title(&text))
                    .unwrap_or_default(),
                name,
            })
            .collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    /// Returns the text of a scenario.
    ///
    /// # Errors
    /// If the scenario cannot be read.
    pub(super) fn read(&self, name: &str) -> anyhow::Result<String> {
        let text = fs::read_to_string(self.place(name)?);
        if let Err(error) = &text
            && error.kind() == ErrorKind::InvalidData
        {
            bail!("`{name}` is not UTF-8 text: save it as UTF-8");
        }
        let text = text.with_context(|| format!("cannot read `{name}`"))?;
        Ok(text.strip_prefix(MARK).map(str::to_owned).unwrap_or(text))
    }

    /// Replaces the text of a scenario if it is still `old`. If `old` is `None`, creates a new file.
    ///
    /// # Errors
    /// If the file has another text, exists although it must be new, or cannot be written. The file is unchanged then.
    pub(super) fn save(&self, name: &str, old: Option<&str>, new: &str) -> anyhow::Result<()> {
        let place = self.place(name)?;
        if let Some(old) = old {
            return replace_text(&place, old, new).map_err(|failure| failure.error);
        }
        match Target::prepare(&self.path, &[name])?.create(name, new.as_bytes()) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                bail!("there is a `{name}` already: open it, or save under another name")
            }
            other => other.with_context(|| format!("cannot write `{name}`")),
        }
    }

    /// Returns the path of a scenario. A link to another file is followed only within the folder.
    fn place(&self, name: &str) -> anyhow::Result<PathBuf> {
        let mut parts = Path::new(name).components();
        let plain = matches!(
            (parts.next(), parts.next()),
            (Some(Component::Normal(one)), None) if one == name
        );
        if !plain || !is_scenario(name) || name.contains(['\\', ':']) {
            bail!(
                "`{name}` is not a name of a scenario in this folder: those end in `.toml` and have no `/`"
            );
        }
        let place = self.path.join(name);
        match fs::canonicalize(&place) {
            Ok(real) if real.parent() != Some(&self.path) => {
                bail!("`{name}` is a link out of the folder")
            }
            // A dangling link must not be followed to a new file.
            Err(_) if fs::symlink_metadata(&place).is_ok() => {
                bail!("`{name}` is a link to nothing")
            }
            _ => Ok(place),
        }
    }
}

fn is_scenario(name: &str) -> bool {
    let path = Path::new(name);
    path.extension().is_some_and(|ending| ending == "toml")
}

/// Returns the title of a scenario, which may have errors elsewhere.
fn title(text: &str) -> String {
    let table = text.parse::<toml::Table>().ok();
    let title = table.as_ref().and_then(|table| table.get("title"));
    title
        .and_then(|title| title.as_str())
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let room = tempfile::tempdir().unwrap();
        fs::create_dir(room.path().join("inner")).unwrap();
        fs::write(room.path().join("outside.toml"), "a = 1").unwrap();
        fs::write(room.path().join("inner/duel.toml"), "title = \"Two\"").unwrap();
        fs::write(room.path().join("inner/notes.txt"), "").unwrap();
        let folder = Folder::open(Some(&room.path().join("inner/duel.toml"))).ok();
        (room, folder.unwrap())
    }

    #[test]
    fn a_folder_lists_its_scenarios_alone() {
        let (_room, folder) = folder();
        let all = folder.list().unwrap();
        assert_eq!(all.len(), 1);
        assert_eq!((&*all[0].name, &*all[0].title), ("duel.toml", "Two"));
        assert_eq!(folder.first(), Some("duel.toml"));
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let (room, folder) = folder();
        let absolute = room.path().join("outside.toml");
        let wrong = [
            "../outside.toml",
            "./duel.toml",
            "inner/../duel.toml",
            "..",
            "",
            ".toml",
            "duel.toml/",
            "notes.txt",
            "a\\b.toml",
            "c:d.toml",
            "a\0.toml",
            absolute.to_str().unwrap(),
        ];
        for name in wrong {
            assert!(folder.read(name).is_err(), "{name:?} was read");
            assert!(folder.save(name, None, "").is_err(), "{name:?} was written");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_within_the_folder() {
        use std::os::unix::fs::symlink;
        let (room, folder) = folder();
        let inner = room.path().join("inner");
        symlink(room.path().join("outside.toml"), inner.join("out.toml")).unwrap();
        symlink(room.path().join("new.toml"), inner.join("nothing.toml")).unwrap();
        symlink("duel.toml", inner.join("in.toml")).unwrap();
        assert!(folder.read("out.toml").is_err());
        assert!(folder.save("nothing.toml", None, "").is_err());
        assert!(!room.path().join("new.toml").exists());
        assert_eq!(folder.read("in.toml").unwrap(), "title = \"Two\"");
    }

    #[test]
    fn a_file_that_has_changed_or_is_there_is_not_overwritten() {
        let (_room, folder) = folder();
        assert!(folder.save("duel.toml", None, "new").is_err());
        assert!(folder.save("duel.toml", Some("other"), "new").is_err());
        assert_eq!(folder.read("duel.toml").unwrap(), "title = \"Two\"");
        folder
            .save("duel.toml", Some("title = \"Two\""), "new")
            .unwrap();
        assert_eq!(folder.read("duel.toml").unwrap(), "new");
        folder.save("more.toml", None, "more").unwrap();
        assert_eq!(folder.read("more.toml").unwrap(), "more");
    }

    #[test]
    fn a_new_file_is_never_seen_in_part() {
        let (room, folder) = folder();
        let place = room.path().join("inner/long.toml");
        let text = "#".repeat(1 << 25);
        let seen = std::thread::scope(|scope| {
            let saved = scope.spawn(|| folder.save("long.toml", None, &text).unwrap());
            let mut seen = Vec::new();
            while !saved.is_finished() {
                seen.extend(fs::metadata(&place).ok().map(|file| file.len()));
            }
            seen
        });
        assert!(seen.iter().all(|length| *length == 1 << 25), "{seen:?}");
        assert_eq!(fs::metadata(&place).unwrap().len(), 1 << 25);
    }
}
