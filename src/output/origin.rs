//! A manifest, read back: where results come from.

use super::{FORMAT, digest};
use crate::stats::Confidence;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What `manifest.json` says of the files beside it.
#[derive(Debug, Clone, Deserialize)]
pub struct Origin {
    program: String,
    /// The version of the program that played.
    pub version: String,
    format: u32,
    /// What was played.
    pub scenario: Scenario,
    /// The seed.
    pub seed: u64,
    confidence: Option<String>,
    /// Whether less was played than was asked for.
    #[serde(default)]
    pub interrupted: bool,
    /// What was set over the scenario, and chosen from it.
    #[serde(default)]
    pub options: Options,
    /// The fights that were played.
    pub variants: Vec<Variant>,
    /// Checksums of the files that belong to it.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

/// A scenario's name, title and fingerprint.
#[derive(Debug, Clone, Deserialize)]
pub struct Scenario {
    /// The name.
    pub name: String,
    /// The title.
    pub title: String,
    /// The fingerprint of the text and of what was set over it.
    pub hash: String,
}

/// Options of the command line that changed what was played.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Options {
    /// `--set`, as given.
    pub set: Vec<String>,
    /// `--variant`, as given.
    pub variant: Vec<String>,
    /// `--metric`, as given.
    pub metric: Vec<String>,
    /// What the others were held against, in a comparison.
    pub baseline: Option<String>,
    /// `--vary`, as given.
    pub vary: Vec<String>,
    /// `--threshold`, as given.
    pub threshold: Option<String>,
    /// `--side`, as given.
    pub side: Option<String>,
    /// `--combatant`, as given.
    pub combatant: Option<String>,
}

/// A fight that was played.
#[derive(Debug, Clone, Deserialize)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// How often it was played.
    pub encounters: u64,
    /// What it changes of the base.
    pub changes: BTreeMap<String, String>,
}

/// What is wrong with a manifest.
#[derive(Debug, thiserror::Error)]
pub enum OriginError {
    /// It is no manifest.
    #[error("{file} is no manifest of skirmish: {source}")]
    Broken {
        /// Name of the file.
        file: String,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// It is one of another format.
    #[error("{file} is of format {found}; this version reads {FORMAT}: write the results anew")]
    Format {
        /// Name of the file.
        file: String,
        /// Its format.
        found: String,
    },
    /// A file beside it is of another run.
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
    /// Another program wrote it.
    #[error("{file} was not written by skirmish")]
    Stranger {
        /// Name of the file.
        file: String,
    },
    /// It names a level of confidence that there is not.
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
    /// If it is none that this version understands.
    pub fn read(file: &str, content: &[u8]) -> Result<Self, OriginError> {
        let file = || file.to_owned();
        let broken = |source| OriginError::Broken {
            file: file(),
            source,
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
        let origin: Self = serde_json::from_value(any).map_err(broken)?;
        if origin.program != env!("CARGO_PKG_NAME") || origin.format != FORMAT {
            return Err(OriginError::Stranger { file: file() });
        }
        if let Some(level) = &origin.confidence
            && level.parse::<Confidence>().is_err()
        {
            return Err(OriginError::Confidence {
                file: file(),
                level: level.clone(),
            });
        }
        Ok(origin)
    }

    /// Proves that a file belongs to the manifest of that name. One that the manifest does not know
    /// is not doubted: manifests of older versions know none.
    ///
    /// # Errors
    /// If it is of another run.
    pub fn prove(&self, manifest: &str, file: &str, content: &[u8]) -> Result<(), OriginError> {
        match self.files.get(file) {
            Some(known) if *known != digest::sum(content) => Err(OriginError::Mixed {
                manifest: manifest.to_owned(),
                file: file.to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// The level of the intervals.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        let named = self.confidence.as_ref();
        named
            .and_then(|level| level.parse().ok())
            .unwrap_or(Confidence::DEFAULT)
    }
}
