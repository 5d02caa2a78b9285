//! The scenarios directly in a folder: files whose names end in `.toml`.

use crate::clean::clean_line;
use crate::document::{LARGEST, MARK};
use crate::output::Target;
use crate::task::{folder_of, replace_text};
use anyhow::{Context as _, anyhow, bail};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// A folder, and the scenario to open first.
#[derive(Debug)]
pub(super) struct Folder {
    /// The canonical path, without links.
    pub(super) path: PathBuf,
    /// The scenario to open first.
    pub(super) first: Option<String>,
    /// The titles of the last list, by name, each with the time and the size of its file.
    titles: Mutex<BTreeMap<String, (Stamp, String)>>,
}

/// The time and the size of a file.
type Stamp = (Option<SystemTime>, u64);

/// The first bytes of a file, in which its title is looked for.
const HEAD: u64 = 64 << 10;

impl Folder {
    /// Opens a folder, or the folder of a file, or else the current folder.
    ///
    /// # Errors
    /// If the path does not exist, or the file is not a scenario that the page can save.
    pub(super) fn open(place: Option<&Path>) -> anyhow::Result<Self> {
        let place = place.unwrap_or(Path::new("."));
        let shown = place.display();
        let kind = fs::metadata(place).with_context(|| format!("cannot read `{shown}`"))?;
        let (path, first) = if kind.is_dir() {
            (place, None)
        } else {
            let name = place.file_name().and_then(OsStr::to_str);
            let name = name.filter(|name| is_scenario(name)).ok_or_else(|| {
                anyhow!("`{shown}` cannot be served: the names of scenarios end in `.toml`")
            })?;
            (folder_of(place), Some(name.to_owned()))
        };
        let path =
            fs::canonicalize(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let folder = Self {
            path,
            first,
            titles: Mutex::default(),
        };
        if let Some(name) = &folder.first {
            folder.read(name)?;
        }
        Ok(folder)
    }

    /// Lists the names and titles of the scenarios, by name.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub(super) fn list(&self) -> anyhow::Result<Vec<(String, String)>> {
        let entries = fs::read_dir(&self.path)
            .with_context(|| format!("cannot read `{}`", self.path.display()))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let known = || self.titles.lock().unwrap_or_else(PoisonError::into_inner);
        // Nothing is locked while files are read.
        let mut before = std::mem::take(&mut *known());
        let entry = |name: String| {
            let place = self.place(&name).ok()?;
            let data = fs::metadata(&place).ok()?;
            let stamp = (data.modified().ok(), data.len());
            let title = before.remove(&name).filter(|(known, _)| *known == stamp);
            // An unreadable file has no title; opening it shows the error.
            let read = || (stamp, read_title(&place).unwrap_or_default());
            Some((name, title.unwrap_or_else(read)))
        };
        let titles: BTreeMap<_, _> = names.filter_map(entry).collect();
        known().clone_from(&titles);
        let listed = titles.into_iter();
        Ok(listed.map(|(name, (_, title))| (name, title)).collect())
    }

    /// Returns the text of a scenario.
    ///
    /// # Errors
    /// If the scenario cannot be read.
    pub(super) fn read(&self, name: &str) -> anyhow::Result<String> {
        let mut bytes = Vec::new();
        File::open(self.place(name)?)
            .and_then(|file| file.take(LARGEST as u64 + 1).read_to_end(&mut bytes))
            .with_context(|| format!("cannot read `{name}`"))?;
        check_size(name, bytes.len())?;
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| anyhow!("`{name}` is not UTF-8 text: save it as UTF-8"))?;
        Ok(text.strip_prefix(MARK).map(str::to_owned).unwrap_or(text))
    }

    /// Replaces the text of a scenario if it is still `old`. If `old` is `None`, creates a new file.
    ///
    /// # Errors
    /// If the file has another text, exists although it must be new, or cannot be written. The file is unchanged then.
    pub(super) fn save(&self, name: &str, old: Option<&str>, new: &str) -> anyhow::Result<()> {
        let place = self.place(name)?;
        check_size(name, new.len())?;
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
            (Some(Component::Normal(part)), None) if part == name
        );
        let shown = clean_line(name);
        if !plain || !is_scenario(name) || name.contains(['\\', ':']) || shown != name {
            bail!(
                "`{shown}` is not a name of a scenario in this folder: those end in `.toml`, and have no `/` and no \
                 characters that cannot be seen"
            );
        }
        let place = self.path.join(name);
        match fs::canonicalize(&place) {
            Ok(real) if real.parent() != Some(&self.path) => {
                bail!("`{name}` is a link out of the folder")
            }
            // To read a pipe would take a thread for ever.
            Ok(real) if !real.is_file() => bail!("`{name}` is not a file"),
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

/// Refuses a text that is larger than scenarios may be.
fn check_size(name: &str, bytes: usize) -> anyhow::Result<()> {
    if bytes > LARGEST {
        let most = LARGEST >> 20;
        bail!("`{name}` is too large: a scenario has at most {most} MiB");
    }
    Ok(())
}

/// Returns the title in the first bytes of a scenario, which may have errors elsewhere.
fn read_title(place: &Path) -> Option<String> {
    let mut head = Vec::new();
    let file = File::open(place).ok()?;
    file.take(HEAD).read_to_end(&mut head).ok()?;
    let head = String::from_utf8_lossy(&head);
    let head = head.strip_prefix(MARK).unwrap_or(&head);
    // The title stands before the first table; a line that begins like a table may be part of a text or of a list.
    let before_tables = head.find("\n[").map_or(head, |end| &head[..end]);
    let parse = |text: &str| text.parse::<toml::Table>().ok();
    let table = parse(before_tables).or_else(|| parse(head))?;
    Some(table.get("title")?.as_str()?.to_owned())
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
        assert_eq!(all, [("duel.toml".to_owned(), "Two".to_owned())]);
        assert_eq!(folder.first.as_deref(), Some("duel.toml"));
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
            "a\nb.toml",
            "a\tb.toml",
            "\u{202e}lmot.toml",
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
    fn the_list_reads_a_file_again_only_if_it_has_changed() {
        let (room, folder) = folder();
        let place = room.path().join("inner/duel.toml");
        let time = fs::metadata(&place).unwrap().modified().unwrap();
        let listed = |text: &str, time| {
            fs::write(&place, text).unwrap();
            let file = File::options().write(true).open(&place).unwrap();
            file.set_modified(time).unwrap();
            folder.list().unwrap().remove(0).1
        };
        assert_eq!(listed("title = \"One\"", time), "One");
        assert_eq!(listed("title = \"Six\"", time), "One");
        let later = time + std::time::Duration::from_secs(1);
        assert_eq!(listed("title = \"Six\"", later), "Six");
        assert_eq!(listed("title = \"Three\"", later), "Three");
    }

    #[test]
    fn the_list_reads_the_beginning_of_a_file_and_an_error_after_it_hides_no_title() {
        let (room, folder) = folder();
        let listed = |text: &str| {
            fs::write(room.path().join("inner/duel.toml"), text).unwrap();
            folder.list().unwrap().remove(0).1
        };
        assert_eq!(listed("\u{feff}title = \"A\"\n[rules]\nx = ["), "A");
        assert_eq!(
            listed("notes = \"\"\"\n[b]\"\"\"\ntitle = \"B\"\n[rules]\n"),
            "B"
        );
        let names = "[[combatants]]\nname = \"x\"\n".repeat(1 << 20);
        let begin = std::time::Instant::now();
        assert_eq!(listed(&format!("title = \"C\"\n{names}")), "C");
        assert!(begin.elapsed().as_secs() < 2, "{:?}", begin.elapsed());
    }

    #[test]
    fn a_text_is_as_large_as_scenarios_may_be() {
        let (room, folder) = folder();
        let most = "#".repeat(LARGEST);
        let more = format!("{most}#");
        folder.save("most.toml", None, &most).unwrap();
        assert!(folder.save("more.toml", None, &more).is_err());
        assert!(folder.save("most.toml", Some(&most), &more).is_err());
        assert_eq!(folder.read("most.toml").unwrap().len(), LARGEST);
        fs::write(room.path().join("inner/more.toml"), more).unwrap();
        let error = folder.read("more.toml").unwrap_err().to_string();
        assert!(error.contains("at most 16 MiB"), "{error}");
        assert_eq!(folder.list().unwrap().len(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_not_read_and_not_written() {
        let (room, folder) = folder();
        let pipe = room.path().join("inner/pipe.toml");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let (sender, done) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let refused = [
                folder.read("pipe.toml").err(),
                folder.save("pipe.toml", Some(""), "new").err(),
                folder.save("pipe.toml", None, "new").err(),
                Folder::open(Some(&pipe)).err(),
            ];
            sender.send((
                refused.map(|error| error.is_some()),
                folder.list().unwrap().len(),
            ))
        });
        let answer = done.recv_timeout(std::time::Duration::from_secs(5));
        assert_eq!(answer, Ok(([true; 4], 1)));
    }

    #[test]
    fn of_eight_that_save_at_once_exactly_one_wins() {
        let (_room, folder) = folder();
        let mut old = folder.read("duel.toml").unwrap();
        for round in 0..20 {
            let barrier = std::sync::Barrier::new(8);
            let save = |client: usize| {
                let new = format!("# {round} {client}");
                barrier.wait();
                folder.save("duel.toml", Some(&old), &new).map(|()| new)
            };
            let saved: Vec<_> = std::thread::scope(|scope| {
                let save = &save;
                let clients =
                    [0, 1, 2, 3, 4, 5, 6, 7].map(|client| scope.spawn(move || save(client)));
                clients.map(|client| client.join().unwrap()).into()
            });
            let (won, lost): (Vec<_>, Vec<_>) = saved.into_iter().partition(Result::is_ok);
            assert_eq!(won.len(), 1, "round {round}");
            for error in lost.into_iter().map(Result::unwrap_err) {
                assert!(error.to_string().contains("has changed"), "{error}");
            }
            old = won.into_iter().next().unwrap().unwrap();
            assert_eq!(folder.read("duel.toml").unwrap(), old);
        }
    }

    #[test]
    fn a_new_file_is_never_seen_in_part() {
        let (room, folder) = folder();
        let place = room.path().join("inner/long.toml");
        let text = "#".repeat(LARGEST);
        let seen = std::thread::scope(|scope| {
            let saved = scope.spawn(|| folder.save("long.toml", None, &text).unwrap());
            let mut seen = Vec::new();
            while !saved.is_finished() {
                seen.extend(fs::metadata(&place).ok().map(|file| file.len()));
            }
            seen
        });
        assert!(
            seen.iter().all(|length| *length == LARGEST as u64),
            "{seen:?}"
        );
        assert_eq!(fs::metadata(&place).unwrap().len(), LARGEST as u64);
    }
}
