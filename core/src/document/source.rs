//! The texts of a scenario - the file, `--set` arguments, values of a sweep - and places in them.

use crate::clean::clean_line;
use std::ops::Range;
use std::sync::Arc;

/// A text and its name in messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file's path, or `--set`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A place: a range of bytes of one of the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    source: u32,
    start: u32,
    end: u32,
}

impl Span {
    /// Creates the place of some bytes of the text with index `source`. Texts are shorter than 4 GiB: `load` makes sure
    /// of this.
    pub(crate) fn new(source: usize, bytes: Range<usize>) -> Self {
        Self {
            source: source as u32,
            start: bytes.start as u32,
            end: bytes.end.max(bytes.start) as u32,
        }
    }

    /// Returns the index of the text.
    pub fn source(self) -> usize {
        self.source as usize
    }

    /// Returns whether another place lies within this one.
    pub(crate) fn contains(self, other: Self) -> bool {
        self.source == other.source && self.start <= other.start && other.end <= self.end
    }

    /// Returns the range of bytes.
    pub fn bytes(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The place of some bytes of a text that stands alone.
impl From<Range<usize>> for Span {
    fn from(bytes: Range<usize>) -> Self {
        Self::new(0, bytes)
    }
}

/// All texts of a scenario. Cheap to clone, because a sweep clones them for each of its points.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources(Vec<Arc<Source>>);

impl Sources {
    /// Adds a text and returns its index.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> usize {
        self.0.push(Arc::new(Source {
            name: clean_line(&name.into()).into_owned(),
            text: text.into(),
        }));
        self.0.len() - 1
    }

    /// Returns the text with that index.
    pub fn get(&self, index: usize) -> Option<&Source> {
        self.0.get(index).map(AsRef::as_ref)
    }

    /// Returns the line and the column at which a place begins, both from 1. Columns count characters.
    pub fn line_and_column(&self, span: Span) -> (usize, usize) {
        let text = self.get(span.source()).map_or("", |source| &source.text);
        let before = text.get(..span.bytes().start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before[line_start..].chars().count() + 1;
        (before.matches('\n').count() + 1, column)
    }

    /// Returns the text at a place.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.source())
            .and_then(|source| source.text.get(span.bytes()))
            .unwrap_or_default()
    }
}
