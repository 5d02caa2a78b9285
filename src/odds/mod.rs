//! Exact answers to dice questions.
//!
//! The arguments of `skirmish odds` become dice (`rolls`) or a `Question` about a check, which is
//! read by the reader of scenarios and rolled by the code of fights. The answer is a `Report`.

use std::ffi::OsString;
use std::fmt::Display;

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
use crate::report::Report;
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

/// Returns the page that answers a question: the words of the command line after `skirmish odds`.
///
/// # Errors
/// If the words are not a valid question. The message is that of the command line.
pub fn page(words: &[String]) -> Result<Page, Failure> {
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
    // A page has no other formats and files.
    if args.output != OutputArgs::default() {
        return refuse(
            "--format, --output, --wide and --report are for the command line: this answer is a page",
        );
    }
    let report = report(&args).map_err(|failure| {
        let message = failure.to_string();
        wrong(message.strip_prefix("error: ").unwrap_or(&message))
    })?;
    let made = html::PageBlock::command("This command prints the same numbers:", &command(&whole));
    Ok(html::odds(&report, made))
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
