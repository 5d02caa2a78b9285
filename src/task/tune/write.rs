//! Replaces the text of a file completely, or not at all.

use crate::document::MARK;
use crate::output::Target;
use crate::output::atomic::is_at;
use crate::task::{Failure, folder_of};
use anyhow::{Context as _, anyhow, bail};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write};
use std::path::Path;
use std::time::Duration;

/// Replaces the text of a file if it is still `old`. Its permissions are kept, and a link to it stays a link. Of several
/// processes and threads that replace the same text at once, exactly one does.
///
/// # Errors
/// If the file has changed meanwhile, or cannot be written. The file is unchanged then.
pub fn replace_text(path: &Path, old: &str, new: &str) -> Result<(), Failure> {
    replace(path, old, |file| file.write_all(new.as_bytes())).map_err(Failure::io)
}

fn replace(
    path: &Path,
    old: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let shown = path.display();
    let reading = || format!("cannot read `{shown}`");
    let place = fs::canonicalize(path).with_context(reading)?;
    let data = fs::metadata(&place).with_context(reading)?;
    if !data.is_file() {
        bail!("`{shown}` is not a file");
    }
    // The folder would allow to replace a file that may not be written.
    if data.permissions().readonly() {
        bail!("`{shown}` is read-only: it was left as it is");
    }
    let writing = || format!("cannot write `{shown}`");
    let options = File::options().read(true).write(true).open(&place);
    let mut file = options.with_context(writing)?;
    wait_for(&file).with_context(writing)?;
    let mut check = || {
        let mut now = Vec::new();
        file.rewind().with_context(reading)?;
        let most = (MARK.len() + old.len() + 1) as u64;
        let read = (&file).take(most).read_to_end(&mut now);
        read.with_context(reading)?;
        let mark = if now.starts_with(MARK.as_bytes()) {
            MARK
        } else {
            ""
        };
        if now[mark.len()..] != *old.as_bytes() || !is_at(&file, &place) {
            bail!("`{shown}` has changed since it was read: it was left as it is");
        }
        Ok(mark)
    };
    let mark = check()?;
    let name = place.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| anyhow!("`{shown}` does not name a file"))?;
    let mut target = Target::prepare(folder_of(&place), &[name])?;
    let mut batch = target.batch();
    batch.file(name, |file| {
        file.write_all(mark.as_bytes())?;
        write(file)
    })?;
    // To write takes time, in which another program may have replaced the text.
    check()?;
    batch.commit()?;
    fs::set_permissions(&place, data.permissions()).with_context(writing)
}

/// Locks a file, so that others that want to replace it wait. Where locks are not supported, none waits.
fn wait_for(file: &File) -> io::Result<()> {
    for _ in 0..500 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(io::Error::other("another program holds it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_has_changed_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fight.toml");
        fs::write(&path, "\u{feff}a = 1\r\n").unwrap();
        assert!(replace_text(&path, "a = 2\r\n", "b").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "\u{feff}a = 1\r\n");
        replace_text(&path, "a = 1\r\n", "a = 3\r\n").ok().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "\u{feff}a = 3\r\n");
        let files: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(files.len(), 1);
    }

    #[test]
    fn what_another_program_writes_meanwhile_is_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fight.toml");
        let other = folder.path().join("other");
        let in_place: &dyn Fn() -> io::Result<()> = &|| fs::write(&path, "theirs");
        let renamed: &dyn Fn() -> io::Result<()> = &|| {
            fs::write(&other, "old")?;
            fs::rename(&other, &path)
        };
        for (meanwhile, theirs) in [(in_place, "theirs"), (renamed, "old")] {
            fs::write(&path, "old").unwrap();
            let replaced = replace(&path, "old", |file| {
                meanwhile()?;
                file.write_all(b"ours")
            });
            let error = replaced.unwrap_err().to_string();
            assert!(error.contains("has changed"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), theirs);
        }
    }

    #[test]
    fn a_file_that_may_not_be_written_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fight.toml");
        fs::write(&path, "old").unwrap();
        let mut rights = fs::metadata(&path).unwrap().permissions();
        rights.set_readonly(true);
        fs::set_permissions(&path, rights).unwrap();
        let error = replace_text(&path, "old", "new").err().unwrap().error;
        assert!(error.to_string().contains("is read-only"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }
}
