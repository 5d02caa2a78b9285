//! Exact answers to dice questions.
//!
//! The arguments of `skirmish odds` become dice (`rolls`) or a `Question` about a check, which is
//! read by the reader of scenarios and rolled by the code of fights. The answer is a `Report`.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use anyhow::anyhow;
use clap::{Args, FromArgMatches};

mod answers;
mod args;
mod check;
mod grid;
mod question;
mod rolled;
mod rolls;
mod several;
mod single;
mod tasks;

pub use args::OddsArgs;
use args::OutputArgs;
use question::Question;

use crate::dice::NotationError;
use crate::options::{allow_negative_numbers, in_plain_words};
use crate::output::{html, html::Page};
use crate::question::shell;
use crate::report::{Report, Style, TypedColumn, json, text_page, transposed};
use crate::task::Failure;
use crate::wrap::COLUMNS;

/// Returns the error of a question with this message.
fn wrong(message: impl Display) -> Failure {
    Failure::input(anyhow!("{message}"))
}

/// Fails with this message.
fn refuse<T>(message: impl Display) -> Result<T, Failure> {
    Err(wrong(message))
}

/// Converts the result of reading a notation: an error points at its place in the text, which is shown underlined.
fn parsed<T>(text: &str, read: Result<T, NotationError>) -> Result<T, Failure> {
    read.map_err(|error| {
        let (message, help) = (&error.message, &error.help);
        if text.is_empty() {
            let help = help.iter().map(|help| format!("\nhelp: {help}"));
            return wrong(help.fold(message.clone(), |message, help| message + &help));
        }
        let place = AnnotationKind::Primary.span(error.span);
        let snippet = Snippet::source(text).line_start(1).annotation(place);
        let group = Level::ERROR.primary_title(message).element(snippet);
        let group = group.elements(help.iter().map(|help| Level::HELP.message(help)));
        let shown = Renderer::plain().term_width(COLUMNS).render(&[group]);
        // The caller prints `error:` itself.
        wrong(shown.strip_prefix("error: ").unwrap_or(&shown))
    })
}

/// Answers a question. The requested number comes first.
///
/// # Errors
/// If the question is invalid. The message says where and why.
pub(crate) fn report(args: &OddsArgs) -> Result<Report, Failure> {
    let mut report = answer(args)?;
    answers::put_first(&mut report);
    Ok(report)
}

/// Returns the command of a question. `words` are the words of its command line.
pub(crate) fn command(words: &[OsString]) -> String {
    let words = words.iter().skip(1);
    let words = words.map(|word| shell(&word.to_string_lossy()));
    format!("skirmish {}", words.collect::<Vec<_>>().join(" "))
}

/// The answer to a question about dice, and the command that gives it.
#[derive(Debug)]
pub struct OddsAnswer {
    report: Report,
    command: String,
}

impl OddsAnswer {
    /// Returns the sentence with the number that answers the question; empty if there is no single number.
    pub fn headline(&self) -> &str {
        &self.report.answer
    }

    /// Returns the answer as text.
    pub fn table(&self, style: Style) -> String {
        text_page(&self.report, style, false)
    }

    /// Returns the columns of the rows that are written as CSV.
    pub fn columns(&self) -> Vec<TypedColumn> {
        let table = self.report.rows();
        let cells = transposed(table.columns.len(), table.rows.iter().cloned());
        let columns = table.columns.iter().zip(cells);
        columns
            .map(|(column, values)| TypedColumn::new(&column.key, None, &values))
            .collect()
    }

    /// Writes the whole answer as JSON.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        json(&self.report, out)
    }

    /// Returns the page that answers the question.
    pub fn page(&self) -> Page {
        let made = html::PageBlock::command("This command prints the same numbers:", &self.command);
        html::odds(&self.report, made)
    }
}

/// Answers a question: the words of the command line after `skirmish odds`.
///
/// # Errors
/// If the words are not a valid question. The message is that of the command line.
pub fn ask(words: &[String]) -> Result<OddsAnswer, Failure> {
    let whole = ["skirmish", "odds"].into_iter().map(OsString::from);
    let whole: Vec<OsString> = whole.chain(words.iter().map(OsString::from)).collect();
    let parser = OddsArgs::augment_args(clap::Command::new("skirmish odds")).no_binary_name(true);
    let args = allow_negative_numbers(parser)
        .try_get_matches_from(words)
        .and_then(|matches| OddsArgs::from_arg_matches(&matches));
    let args = args.map_err(|error| {
        let message = in_plain_words(error, |text| text.to_string());
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        wrong(message.trim_end())
    })?;
    // The caller chooses formats and files.
    if args.output != OutputArgs::default() {
        return refuse("--format, --output, --wide and --report are for the command line");
    }
    let report = report(&args).map_err(|failure| {
        let message = failure.to_string();
        wrong(message.strip_prefix("error: ").unwrap_or(&message))
    })?;
    Ok(OddsAnswer {
        report,
        command: command(&whole),
    })
}

fn answer(args: &OddsArgs) -> Result<Report, Failure> {
    if !args.words.is_empty()
        && args.is_plain()
        && let Some(report) = rolls::notation(args)?
    {
        return Ok(report);
    }
    if args.at_least.is_some() {
        return refuse("--at-least is for dice: of a check say --evade or --required");
    }
    if args.words.len() > 1 && args.check.check.is_none() && args.words[0] != "magick" {
        return grid::several(args);
    }
    let (question, axes) = Question::read(args)?;
    if !axes.is_empty() || args.check.show.is_some() {
        return grid::answer(args, &question, &axes);
    }
    if !args.check.rolled.is_empty() {
        return rolled::answer(&question, &args.check.rolled);
    }
    single::answer(args, &question)
}
