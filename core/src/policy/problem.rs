//! Problems in a policy line, with places in bytes of that line; the reader of the file knows the place of the line.

use std::ops::Range;

/// A problem in one line, to report to the designer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Bytes of the line.
    pub span: Range<usize>,
    /// The problem, in a sentence that makes sense without the line.
    pub title: String,
    /// The found or the expected text.
    pub label: String,
    /// How to fix the problem.
    pub help: Option<String>,
    /// Whether it is a warning: the line is allowed all the same.
    pub warning: bool,
}

impl Problem {
    /// An error.
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

    /// Adds how to fix the problem.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds how to fix the problem, if that is known.
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}
