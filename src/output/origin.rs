//! Reads a manifest back, to find out where results come from.

use super::{FORMAT, digest};
use crate::stats::Confidence;

/// A manifest that was read from a file.
pub use super::manifest::Manifest as Origin;

/// An error in a manifest.
#[derive(Debug, thiserror::Error)]
pub enum OriginError {
    /// The file is not a manifest.
    #[error("{file} is no manifest of skirmish, or it is damaged: {reason}")]
    Broken {
        /// Name of the file.
        file: String,
        /// The reason.
        reason: String,
    },
    /// The manifest has another format version.
    #[error("{file} is of format {found}; this version reads {FORMAT}: write the results anew")]
    Format {
        /// Name of the file.
        file: String,
        /// Its format.
        found: String,
    },
    /// A file beside the manifest belongs to another run.
    #[error(
        "{file} does not belong to {manifest} beside it: two runs were mixed, or it was changed; \
         play it again"
    )]
    Mixed {
        /// Name of the manifest.
        manifest: String,
        /// Name of the file.
        file: String,
    },
    /// Another program wrote the manifest.
    #[error("{file} was not written by skirmish")]
    Foreign {
        /// Name of the file.
        file: String,
    },
    /// The manifest names a confidence level that does not exist.
    #[error("{file} has intervals of no level that there is: `{level}`")]
    Confidence {
        /// Name of the file.
        file: String,
        /// The level.
        level: String,
    },
}

impl Origin {
    /// Reads the content of a manifest called `file`.
    ///
    /// # Errors
    /// If this version cannot read the content as a manifest.
    pub fn read(file: &str, content: &[u8]) -> Result<Self, OriginError> {
        let file = || file.to_owned();
        let broken = |error: serde_json::Error| OriginError::Broken {
            file: file(),
            reason: if error.is_eof() {
                "it ends too early".to_owned()
            } else {
                error.to_string()
            },
        };
        let any: serde_json::Value = serde_json::from_slice(content).map_err(broken)?;
        let found = &any["format"];
        if *found != FORMAT {
            let found = found.to_string();
            return Err(OriginError::Format {
                file: file(),
                found,
            });
        }
        if let Some(level) = any["confidence"].as_str()
            && level.parse::<Confidence>().is_err()
        {
            return Err(OriginError::Confidence {
                file: file(),
                level: level.to_owned(),
            });
        }
        let origin: Self = serde_json::from_value(any).map_err(broken)?;
        if origin.program != env!("CARGO_PKG_NAME") || origin.format != FORMAT {
            return Err(OriginError::Foreign { file: file() });
        }
        Ok(origin)
    }

    /// Checks that a file belongs to this manifest, whose name is `manifest`. A file that the manifest does not list is
    /// accepted, because manifests of older versions list no files.
    ///
    /// # Errors
    /// If the file belongs to another run.
    pub fn check_file(
        &self,
        manifest: &str,
        file: &str,
        content: &[u8],
    ) -> Result<(), OriginError> {
        match self.files.get(file) {
            Some(known) if *known != digest::sum(content) => Err(OriginError::Mixed {
                manifest: manifest.to_owned(),
                file: file.to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Returns the level of the intervals.
    pub fn confidence(&self) -> Confidence {
        self.confidence.unwrap_or_default()
    }
}
