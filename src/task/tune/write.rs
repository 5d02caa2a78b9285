//! Replaces the text of a file completely, or not at all.

use crate::document::MARK;
use crate::output::Target;
use crate::task::{Failure, folder_of, write_file};
use anyhow::{Context as _, anyhow};
use std::fs;
use std::path::Path;

/// Replaces the text of a file if it is still `old`. Its permissions are kept, and a link to it stays a link.
///
/// # Errors
/// If the file has changed meanwhile, or cannot be written. The file is unchanged then.
pub fn replace_text(path: &Path, old: &str, new: &str) -> Result<(), Failure> {
    let shown = path.display();
    let read = || format!("cannot read `{shown}`");
    let place = fs::canonicalize(path)
        .with_context(read)
        .map_err(Failure::io)?;
    let now = fs::read_to_string(&place)
        .with_context(read)
        .map_err(Failure::io)?;
    let mark = if now.starts_with(MARK) { MARK } else { "" };
    if now.strip_prefix(mark) != Some(old) {
        return Err(Failure::io(anyhow!(
            "`{shown}` has changed since it was read: it was left as it is"
        )));
    }
    let name = place.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| Failure::input(anyhow!("`{shown}` does not name a file")))?;
    let rights = fs::metadata(&place).map_err(Failure::io)?.permissions();
    let mut target = Target::prepare(folder_of(&place), &[name]).map_err(Failure::io)?;
    write_file(&mut target, name, |file| write!(file, "{mark}{new}")).map_err(Failure::io)?;
    fs::set_permissions(&place, rights).map_err(Failure::io)
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
}
