//! `skirmish odds`: answers dice questions exactly ([`odds`]), as text, Markdown, CSV, JSON or a page. Nothing
//! is written before everything is computed.

use super::args::Format;
use super::console::Console;
use crate::odds;
use crate::output::html;
use crate::report;
use crate::task::{Exit, Failure, made_by};
use std::ffi::OsString;
use std::io;

pub use crate::odds::OddsArgs;

/// Runs the subcommand: answers the question in `args`, on the console or in the output file. `words` are the
/// whole command line, which a page repeats.
///
/// # Errors
/// If the question is invalid, or the answer cannot be written.
pub fn run(
    args: &OddsArgs,
    words: &[OsString],
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let wanted = &args.output;
    let page_args = wanted.page.settled(wanted.format == Format::Html)?;
    let place = page_args.prepare()?;
    let report = odds::report(args)?;
    let command = odds::command(words);
    let made = html::PageBlock::page_command(&command);
    let page = page_args.write(|| Ok(html::odds(&report, made)));
    // `auto` depends on the terminal, which a file is not.
    let coloured = console.out_has_colours() && (place.is_none() || console.always_colours());
    let style = wanted.wide.style(wanted.format, console);
    let text = || report::text_page(&report, style, coloured);
    let is_file = place.is_some();
    let write = |out: &mut dyn io::Write| match wanted.format {
        Format::Table | Format::Markdown | Format::Html => {
            if is_file {
                let is_markdown = wanted.format == Format::Markdown;
                out.write_all(made_by(&command, is_markdown).as_bytes())?;
            }
            out.write_all(text().as_bytes())
        }
        Format::Csv => report::csv(&report, out),
        Format::Json => report::json(&report, out),
    };
    match place {
        Some(mut place) => place.write(write).map_err(Failure::io)?,
        None if coloured && matches!(wanted.format, Format::Table | Format::Html) => {
            console.answer_in_colour(&text())?;
        }
        None if !matches!(wanted.format, Format::Csv | Format::Json) => {
            console.answer(&text())?;
        }
        None => console.data(write)?,
    }
    page.map(|()| Exit::Done)
}
