//! The engine on a page: readers change numbers of the fight, and the page plays it again.

use super::page::{Block, Section};
use serde::Serialize;

/// The script, and the engine compressed and in base64, as built by `web/build.sh`.
#[cfg(feature = "live")]
pub(super) const PARTS: Option<[&str; 2]> = Some([
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/live/live.js")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/live/engine.txt")),
]);
#[cfg(not(feature = "live"))]
pub(super) const PARTS: Option<[&str; 2]> = None;

/// Whether pages can hold the engine, which takes the feature `live`.
pub const IS_BUILT: bool = PARTS.is_some();

/// A scenario that readers of a page can play.
#[derive(Debug, Clone, Serialize)]
pub struct Live {
    /// The name of its file.
    pub name: String,
    /// The text of the file.
    pub text: String,
    /// The overrides, each as `KEY=VALUE`.
    pub set: Vec<String>,
}

/// Returns the section with the sliders.
pub(super) fn section(live: &Live, prefix: &str, of: &str) -> Section {
    let how = "Drag a slider: the fight is played again here, in this page, with the other number. Nothing is sent \
               anywhere.";
    let blocks = [Block::paragraph(how), Block::Live(live.clone())];
    let title = format!("{of}Try other numbers");
    Section::new(format!("{prefix}live"), title, blocks)
}
