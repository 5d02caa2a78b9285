//! The two output streams of a subcommand, and their widths.

use crate::clean::{Cleaning, calm, clean, clean_but_colours};
use crate::report::Width;
use crate::task::Failure;
use crate::wrap::{COLUMNS, wrap};
use clap::ValueEnum;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use terminal_size::terminal_size_of;

/// Whether output has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// An output stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

impl Color {
    /// Returns whether text on a stream of the process has colours.
    pub fn paints(self, stream: Stream) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let terminal = match stream {
                    Stream::Out => io::stdout().is_terminal(),
                    Stream::Err => io::stderr().is_terminal(),
                };
                let variable = |name| std::env::var_os(name).unwrap_or_default();
                let refused = !variable("NO_COLOR").is_empty() || variable("TERM") == "dumb";
                terminal && !refused
            }
        }
    }

    /// Returns the choice in a command line that could not be parsed.
    pub(super) fn of_words(words: &[OsString]) -> Self {
        let mut words = words.iter().filter_map(|word| word.to_str());
        let mut found = Self::Auto;
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("--color") {
                Some("") => words.next(),
                Some(rest) => rest.strip_prefix('='),
                None => None,
            };
            found = value
                .and_then(|value| Self::from_str(value, false).ok())
                .unwrap_or(found);
        }
        found
    }
}

/// Standard output for results, and standard error for everything else. All text is [cleaned](clean) before it
/// is written.
pub struct Console<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    widths: Widths,
    /// Set when the reader of the results has closed its end.
    closed: bool,
    color: Color,
}

impl<'a> Console<'a> {
    /// Returns a console of any two streams, which does not wrap or fold text.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        let widths = Widths {
            out: Width::ENDLESS,
            err: Width::ENDLESS,
        };
        Self::of(out, err, widths)
    }

    /// Returns a console of two streams with these widths.
    pub(super) fn of(out: &'a mut dyn Write, err: &'a mut dyn Write, widths: Widths) -> Self {
        Self {
            out,
            err,
            widths,
            closed: false,
            color: Color::Auto,
        }
    }

    /// Returns the console with the given choice of colours.
    pub fn with_color(mut self, color: Color) -> Self {
        self.color = color;
        self
    }

    /// Returns whether text on a stream has colours.
    pub fn colours(&self, stream: Stream) -> bool {
        self.color.paints(stream)
    }

    /// Returns whether text has colours even in a file.
    pub(super) fn always_colours(&self) -> bool {
        self.color == Color::Always
    }

    /// Returns the widths of the streams.
    pub(super) fn widths(&self) -> Widths {
        self.widths
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
        self.answer(&wrapped(&text.to_string(), self.widths.out))
    }

    /// Prints a message about the work to standard error, wrapped. A closed standard error is ignored.
    pub fn say(&mut self, text: impl Display) {
        let text = wrapped(&text.to_string(), self.widths.err);
        let _ = write!(self.err, "{}", calm(&clean(&text)));
    }

    /// Prints a message with colours set by the program to standard error, wrapped.
    pub fn say_in_colour(&mut self, text: &str) {
        let text = wrapped(text, self.widths.err);
        let _ = write!(self.err, "{}", calm(&clean_but_colours(&text)));
    }
}

/// The columns of the two streams.
#[derive(Debug, Clone, Copy)]
pub(super) struct Widths {
    pub(super) out: Width,
    pub(super) err: Width,
}

impl Widths {
    /// Returns the widths of the terminals of this process.
    pub(super) fn of_terminals() -> Self {
        let columns = |size: Option<(terminal_size::Width, terminal_size::Height)>| {
            size.map_or(COLUMNS, |(width, _)| width.0.into())
        };
        Self {
            out: Width::of(columns(terminal_size_of(io::stdout()))),
            err: Width::of(columns(terminal_size_of(io::stderr()))),
        }
    }
}

/// Wraps lines that are too wide; continuation lines are indented.
fn wrapped(text: &str, width: Width) -> String {
    let mut lines = wrap(text, width.columns(), 2).join("\n");
    lines.push('\n');
    lines
}

/// Prints an error to standard error, wrapped. Failures to print are ignored: the exit code still tells of the error.
pub fn print_error(text: &str) {
    let width = Widths::of_terminals().err;
    let _ = io::stderr().write_all(calm(&clean(&wrapped(text, width))).as_bytes());
}

/// Returns whether standard error is a terminal, for progress.
pub(super) fn watched() -> bool {
    io::stderr().is_terminal()
}
