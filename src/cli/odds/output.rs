//! Where an answer goes: the terminal, or a file that is written whole or not at all.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::OddsError;
use super::args::{Color, OutputArgs};

/// The place an answer goes to, proved writable before any work.
pub(super) enum Target {
    Out,
    File(PathBuf, NamedTempFile),
}

impl Target {
    pub(super) fn open(wanted: &OutputArgs) -> Result<Self, OddsError> {
        let Some(path) = &wanted.output else {
            return Ok(Self::Out);
        };
        if path.is_dir() {
            let source = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(failed(path, source));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any new file: what the user's mask leaves of this.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder
            .prefix(".skirmish-")
            .tempfile_in(folder)
            // The message would name the temporary file; the kind says enough.
            .map_err(|source| failed(path, source.kind().into()))?;
        Ok(Self::File(path.clone(), file))
    }

    pub(super) fn write(self, text: &str, out: &mut dyn Write) -> Result<(), OddsError> {
        match self {
            Self::Out => out
                .write_all(text.as_bytes())
                .and_then(|()| out.flush())
                .map_err(|source| OddsError::Output {
                    what: "the answer could not be written".to_owned(),
                    source,
                }),
            Self::File(path, mut file) => {
                let written = file
                    .write_all(text.as_bytes())
                    .and_then(|()| file.as_file().sync_all());
                written.map_err(|source| failed(&path, source))?;
                let kept = file.persist(&path);
                kept.map_err(|error| failed(&path, error.error)).map(drop)
            }
        }
    }
}

fn failed(path: &Path, source: io::Error) -> OddsError {
    OddsError::Output {
        what: format!("cannot write {}", path.display()),
        source,
    }
}

/// Whether cells are shaded.
pub(super) fn is_coloured(wanted: &OutputArgs) -> bool {
    match wanted.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            wanted.output.is_none()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                && io::stdout().is_terminal()
        }
    }
}
