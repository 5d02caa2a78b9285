//! `skirmish odds`: dice questions, answered exactly.
//!
//! The arguments become a question (`pools`, `tasks`, `rolls`), the question a report (`report`),
//! and the report text, Markdown, CSV or JSON (`render`, `machine`). Nothing is computed before
//! every argument has been understood, and nothing is written before everything is computed.

use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

mod args;
mod format;
mod machine;
mod output;
mod pools;
mod range;
mod render;
mod report;
mod rolls;
mod rule;
mod sample;
mod tasks;

pub use args::OddsArgs;
use args::Special;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum OddsError {
    /// The question is wrong; the message says where and why.
    #[error("{0}")]
    Input(String),
    /// The answer could not be written.
    #[error("{what}: {source}")]
    Output {
        /// What was being written.
        what: String,
        /// What the system said.
        source: io::Error,
    },
}

impl OddsError {
    /// The exit code of the program: 2 for a wrong question, 74 where writing failed.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_) => 2,
            Self::Output { .. } => 74,
        }
    }

    /// Whether nobody reads the answer any more, as in `skirmish odds ... | head`.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    fn input(message: impl std::fmt::Display) -> Self {
        Self::Input(message.to_string())
    }

    /// A mistake at a place of an argument, shown underlined.
    fn at(text: &str, span: Range<usize>, message: &str, help: Option<&str>) -> Self {
        if text.is_empty() {
            return Self::Input(match help {
                Some(help) => format!("{message}\nhelp: {help}"),
                None => message.to_owned(),
            });
        }
        let snippet = Snippet::source(text)
            .line_start(1)
            .annotation(AnnotationKind::Primary.span(span));
        let mut group = Level::ERROR.primary_title(message).element(snippet);
        if let Some(help) = help {
            group = group.element(Level::HELP.message(help));
        }
        let shown = Renderer::plain().render(&[group]);
        // Whoever prints this says `error:` itself.
        let shown = shown.strip_prefix("error: ").unwrap_or(&shown);
        Self::Input(shown.to_owned())
    }
}

/// Answers the question in `args`, to `out` or to the file it names.
///
/// # Errors
/// If the question is wrong, or the answer cannot be written.
pub fn run(args: &OddsArgs, out: &mut dyn Write) -> Result<(), OddsError> {
    let wanted = args.output();
    let target = output::Target::open(wanted)?;
    let report = match &args.special {
        Some(Special::Initiative(special)) => rolls::initiative(special)?,
        Some(Special::Desperate(special)) => rolls::desperate(special)?,
        Some(Special::Percentile(special)) => rolls::percentile(special)?,
        Some(Special::Magick(special)) => tasks::magick(special)?,
        None if !args.notation.is_empty() => rolls::notation(args)?,
        None if args.pool.pool.is_some() => pools::answer(args)?,
        None => {
            return Err(OddsError::input(
                "no question: name a pool (`--pool 8 --difficulty 6`), dice (`2d10+9`), or one of \
                 `initiative`, `desperate`, `percentile` and `magick`",
            ));
        }
    };
    let text = match wanted.format {
        args::Format::Table => render::table(&report, output::is_coloured(wanted)),
        args::Format::Markdown => render::markdown(&report),
        args::Format::Csv => machine::csv(&report)?,
        args::Format::Json => machine::json(&report),
    };
    target.write(&text, out)
}
