//! A file that a report goes to, proved writable before any work.

use crate::output::atomic::{Target, TargetError};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

/// A file that a report goes to.
#[derive(Debug)]
pub(super) struct Place {
    target: Target,
    name: String,
}

/// Why a report cannot go there.
#[derive(Debug, thiserror::Error)]
pub(super) enum PlaceError {
    #[error("`{0}` does not name a file")]
    Nameless(String),
    #[error(transparent)]
    Target(#[from] TargetError),
}

impl Place {
    pub(super) fn prepare(path: &Path) -> Result<Self, PlaceError> {
        let Some(name) = path.file_name().and_then(OsStr::to_str) else {
            return Err(PlaceError::Nameless(path.display().to_string()));
        };
        let folder = path.parent().filter(|above| !above.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        Ok(Self {
            target: Target::prepare(folder, &[name])?,
            name: name.to_owned(),
        })
    }

    /// Writes the file; it appears whole or stays as it was.
    pub(super) fn write(
        &mut self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), TargetError> {
        let mut batch = self.target.batch();
        batch.file(&self.name, |file| content(file))?;
        batch.commit()
    }
}
