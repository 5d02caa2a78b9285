//! The two output streams of a subcommand, and their widths.

use crate::clean::{Cleaning, calm, clean, clean_but_colours};
use crate::report::Width;
use crate::task::Failure;
use crate::wrap::{COLUMNS, wrap};
use anyhow::anyhow;
use clap::ColorChoice;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use terminal_size::terminal_size_of;

/// Returns whether text on a stream of the process has colours.
fn has_colours(color: ColorChoice, stream: &impl IsTerminal) -> bool {
    let variable = |name| std::env::var_os(name).unwrap_or_default();
    match color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            stream.is_terminal() && variable("NO_COLOR").is_empty() && variable("TERM") != "dumb"
        }
    }
}

/// Returns the choice of colours in a command line that could not be parsed.
pub(super) fn color_of_words(words: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let values =
        words
            .iter()
            .enumerate()
            .filter_map(|(at, word)| match word.strip_prefix("--color")? {
                "" => words.get(at + 1).copied(),
                value => value.strip_prefix('='),
            });
    let mut choices = values.filter_map(|value| value.parse().ok());
    choices.next_back().unwrap_or_default()
}

/// Standard output for results, and standard error for everything else. All text is [cleaned](clean) before it
/// is written.
pub struct Console<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// The width of standard output.
    pub(super) out_width: Width,
    /// The width of standard error.
    pub(super) err_width: Width,
    /// Set when the reader of the results has closed its end.
    closed: bool,
    color: ColorChoice,
    /// Whether there is no progress and no closing line.
    pub(super) quiet: bool,
}

impl<'a> Console<'a> {
    /// Returns a console of any two streams, which does not wrap or fold text.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self {
            out,
            err,
            out_width: Width::ENDLESS,
            err_width: Width::ENDLESS,
            closed: false,
            color: ColorChoice::Auto,
            quiet: false,
        }
    }

    /// Returns the console without progress and closing lines if `quiet`.
    #[must_use]
    pub const fn hushed(mut self, quiet: bool) -> Self {
        self.quiet |= quiet;
        self
    }

    /// Returns a console of the streams of this process, with the widths of its terminals.
    pub(super) fn of_process(
        out: &'a mut dyn Write,
        err: &'a mut dyn Write,
        color: ColorChoice,
    ) -> Self {
        Self {
            out_width: out_width(),
            err_width: err_width(),
            color,
            ..Self::new(out, err)
        }
    }

    /// Returns the same console for a part of the work.
    pub(super) fn reborrow(&mut self) -> Console<'_> {
        Console {
            out: &mut *self.out,
            err: &mut *self.err,
            ..*self
        }
    }

    /// Returns whether text on standard output has colours.
    pub(super) fn out_has_colours(&self) -> bool {
        has_colours(self.color, &io::stdout())
    }

    /// Returns whether text on standard error has colours.
    pub(super) fn err_has_colours(&self) -> bool {
        has_colours(self.color, &io::stderr())
    }

    /// Returns whether text has colours even in a file.
    pub(super) fn always_colours(&self) -> bool {
        self.color == ColorChoice::Always
    }

    /// Lets `print` write results for programs (CSV, scripts, commands to a build server), as they are made. If the
    /// reader has closed its end (`| head`), that is not an error: the work continues without output.
    ///
    /// # Errors
    /// If standard output cannot be written for any other reason.
    pub(super) fn data(
        &mut self,
        print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let print = |out: &mut dyn Write| {
            let mut cleaning = Cleaning::new(out);
            print(&mut cleaning).and_then(|()| cleaning.flush())
        };
        self.print(print).map_err(Failure::io)
    }

    /// Prints results as text for people, no line of which is a command to a build server.
    ///
    /// # Errors
    /// As for [`data`](Self::data).
    pub(super) fn answer(&mut self, text: &str) -> Result<(), Failure> {
        self.data(|out| out.write_all(calm(text).as_bytes()))
    }

    /// Prints text with colours set by the program, like [`answer`](Self::answer).
    ///
    /// # Errors
    /// As for [`data`](Self::data).
    pub(super) fn answer_in_colour(&mut self, text: &str) -> Result<(), Failure> {
        let print = |out: &mut dyn Write| {
            out.write_all(calm(&clean_but_colours(text)).as_bytes())?;
            out.flush()
        };
        self.print(print).map_err(Failure::io)
    }

    /// Writes results that are not text. A reader that closes its end has not got all of them.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.out.write_all(bytes).and_then(|()| self.out.flush());
        // Without its kind: that of a closed pipe is no error elsewhere.
        written.map_err(|error| Failure::io(anyhow!("cannot write to standard output: {error}")))
    }

    fn print(&mut self, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let mut out = io::BufWriter::new(&mut *self.out);
        let printed = print(&mut out);
        // Discards the rest of the buffer instead of writing it: it has no reader either.
        let (_, _) = out.into_parts();
        match printed {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => Err(io::Error::new(
                error.kind(),
                format!("cannot write to standard output: {error}"),
            )),
            Ok(()) => Ok(()),
        }
    }

    /// Prints sentences to standard output, wrapped.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub(super) fn tell(&mut self, text: impl Display) -> Result<(), Failure> {
        self.answer(&wrapped(&text.to_string(), self.out_width))
    }

    /// Prints a message about the work to standard error, wrapped. A closed standard error is ignored.
    pub fn say(&mut self, text: impl Display) {
        let text = wrapped(&text.to_string(), self.err_width);
        let _ = write!(self.err, "{}", calm(&clean(&text)));
    }

    /// Prints a message that `--quiet` leaves out.
    pub(super) fn remark(&mut self, text: impl Display) {
        if !self.quiet {
            self.say(text);
        }
    }

    /// Prints a message with colours set by the program to standard error, wrapped.
    pub fn say_in_colour(&mut self, text: &str) {
        let text = wrapped(text, self.err_width);
        let _ = write!(self.err, "{}", calm(&clean_but_colours(&text)));
    }
}

fn width(size: Option<(terminal_size::Width, terminal_size::Height)>) -> Width {
    Width::of(size.map_or(COLUMNS, |(width, _)| width.0.into()))
}

/// Returns the width of standard output.
pub(super) fn out_width() -> Width {
    width(terminal_size_of(io::stdout()))
}

fn err_width() -> Width {
    width(terminal_size_of(io::stderr()))
}

/// Wraps lines that are too wide; continuation lines are indented.
fn wrapped(text: &str, width: Width) -> String {
    let mut lines = wrap(text, width.columns(), 2).join("\n");
    lines.push('\n');
    lines
}

/// Prints an error to standard error, wrapped. Failures to print are ignored: the exit code still tells of the error.
pub fn print_error(text: &str) {
    let text = wrapped(text, err_width());
    let _ = io::stderr().write_all(calm(&clean(&text)).as_bytes());
}

/// Returns whether standard error is a terminal, for progress.
pub(super) fn watched() -> bool {
    io::stderr().is_terminal()
}
