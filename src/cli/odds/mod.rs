//! `skirmish odds`: dice questions, answered exactly.
//!
//! The arguments become a question (`pools`, `tasks`, `rolls`), the question a `Report`, and the report text,
//! Markdown, CSV, JSON or a page. Nothing is computed before
//! every argument has been understood, and nothing is written before everything is computed.

use std::ffi::OsString;
use std::io;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

mod answers;
mod args;
mod attack;
mod grids;
mod order;
mod pools;
mod range;
mod rolled;
mod rolls;
mod rule;
mod sample;
mod several;
mod split;
mod tasks;

pub use args::OddsArgs;
use args::Special;

use super::args::Format;
use super::console::{Console, Stream};
use crate::output::{html, shell};
use crate::report::{self, Report, Style};
use crate::task::{Exit, Failure, Kind, Place};
use crate::wrap::COLUMNS;

/// What is wrong with the question; the message says where and why.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct OddsError(String);

impl OddsError {
    fn input(message: impl std::fmt::Display) -> Self {
        Self(message.to_string())
    }

    /// A mistake at a place of an argument, shown underlined.
    fn at(text: &str, span: Range<usize>, message: &str, help: Option<&str>) -> Self {
        if text.is_empty() {
            return Self(match help {
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
        let shown = Renderer::plain().term_width(COLUMNS).render(&[group]);
        // Whoever prints this says `error:` itself.
        let shown = shown.strip_prefix("error: ").unwrap_or(&shown);
        Self(shown.to_owned())
    }
}

/// Fails with this message.
fn refuse<T>(message: impl std::fmt::Display) -> Result<T, OddsError> {
    Err(OddsError::input(message))
}

/// Fails at the first of these options that is given.
fn refuse_options(options: &[(bool, &str)], why: &str) -> Result<(), OddsError> {
    match options.iter().find(|(given, _)| *given) {
        Some((_, name)) => refuse(format!("{name} {why}")),
        None => Ok(()),
    }
}

/// Runs the subcommand: answers the question in `args`, on the console or in the file it names.
/// `words` are the whole command line, which a page repeats.
///
/// # Errors
/// If the question is wrong, or the answer cannot be written.
pub fn run(
    args: &OddsArgs,
    words: &[OsString],
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let wanted = args.output();
    let kind = match wanted.format {
        Format::Json => Kind::Json,
        _ => Kind::Text,
    };
    let place = wanted.output.as_deref();
    let place = place.map(|path| Place::prepare(path, kind)).transpose();
    let place = place.map_err(Failure::input)?;
    wanted.paper.check_writable()?;
    let mut report = answer(args).map_err(Failure::input)?;
    answers::put_first(&mut report);
    wanted
        .paper
        .write(|| Ok(html::odds(&report, &command(words))))?;
    // `auto` asks the terminal, and a file is none.
    let coloured =
        console.colours(Stream::Out) && (wanted.output.is_none() || console.always_colours());
    let style = match wanted.format {
        Format::Markdown => Style::Markdown,
        _ => Style::Terminal(wanted.wide.width(console)),
    };
    let text = || report::text_page(&report, style, coloured);
    let write = |out: &mut dyn io::Write| match wanted.format {
        Format::Table | Format::Markdown => out.write_all(text().as_bytes()),
        Format::Csv => report::csv(&report, out),
        Format::Json => report::json(&report, out),
    };
    match place {
        Some(mut place) => place.write(write).map_err(Failure::io)?,
        None if coloured && wanted.format == Format::Table => {
            console.result_in_colour(&text()).map_err(Failure::io)?;
        }
        None => console.result(write).map_err(Failure::io)?,
    }
    Ok(Exit::Done)
}

/// The command as it was given: all of a question is on the command line.
fn command(words: &[OsString]) -> String {
    let words = words.iter().skip(1);
    let words = words.map(|word| shell(&word.to_string_lossy()));
    format!("skirmish {}", words.collect::<Vec<_>>().join(" "))
}

fn answer(args: &OddsArgs) -> Result<Report, OddsError> {
    match &args.special {
        Some(Special::Initiative(special)) if order::is_asked(special) => order::answer(special),
        Some(Special::Initiative(special)) => rolls::initiative(special),
        Some(Special::Attack(special)) => attack::answer(special),
        Some(Special::Desperate(special)) => rolls::desperate(special),
        Some(Special::Percentile(special)) => rolls::percentile(special),
        Some(Special::Magick(special)) => tasks::magick(special),
        None if !args.notation.is_empty() => rolls::notation(args),
        None => pools_or_nothing(args),
    }
}

fn pools_or_nothing(args: &OddsArgs) -> Result<Report, OddsError> {
    match (&args.pool.options.rolled, &args.pool.split) {
        (Some(faces), _) => rolled::pool(args, faces),
        (None, Some(parts)) => split::answer(args, parts),
        (None, None) if args.pool.pool.is_some() => pools::answer(args),
        (None, None) => refuse(
            "no question: name a pool (`--pool 8 --difficulty 6`), dice (`2d10+9`), or one of \
             `initiative`, `attack`, `desperate`, `percentile` and `magick`",
        ),
    }
}
