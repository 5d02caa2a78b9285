//! Errors in a policy line, with places in bytes of that line; the reader of the file knows the place of
//! the line.

use std::ops::Range;

/// Something to tell the designer about one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Bytes of the line.
    pub span: Range<usize>,
    /// The problem, in a sentence that makes sense without the line.
    pub title: String,
    /// The found or the expected text.
    pub label: String,
    /// The way out.
    pub help: Option<String>,
    /// Whether the line is allowed all the same.
    pub warning: bool,
}

impl Problem {
    /// An error.
    #[must_use]
    pub fn error(
        span: impl Into<Range<usize>>,
        title: impl Into<String>,
        label: impl Into<String>,
    ) -> Self {
        Self {
            span: span.into(),
            title: title.into(),
            label: label.into(),
            help: None,
            warning: false,
        }
    }

    /// A warning.
    #[must_use]
    pub fn warning(
        span: impl Into<Range<usize>>,
        title: impl Into<String>,
        label: impl Into<String>,
    ) -> Self {
        Self {
            warning: true,
            ..Self::error(span, title, label)
        }
    }

    /// The same with a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with a way out, if there is one.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}
