//! The two streams that a subcommand talks to.

use crate::clean::{Cleaning, clean, clean_but_colours};
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// Standard output for results, standard error for everything else. All text is [cleaned](clean) on its way.
pub struct Console<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// Set once the reader of the results has gone.
    closed: bool,
}

impl<'a> Console<'a> {
    /// From any two streams.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self {
            out,
            err,
            closed: false,
        }
    }

    /// Lets `print` write results. A reader who has gone (`| head`) is no error: the work goes on
    /// without one.
    ///
    /// # Errors
    /// If standard output cannot be written for any other reason.
    pub fn result(
        &mut self,
        print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let mut out = io::BufWriter::new(&mut *self.out);
        let mut cleaning = Cleaning::new(&mut out);
        let printed = print(&mut cleaning).and_then(|()| cleaning.flush());
        // The rest of the buffer has no reader either.
        let (_, _) = out.into_parts();
        match printed {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            other => other,
        }
    }

    /// Prints a message about the work to standard error. A closed standard error is ignored.
    pub fn say(&mut self, line: impl Display) {
        let _ = writeln!(self.err, "{}", clean(&line.to_string()));
    }

    /// The same of text in which the program has set colours.
    pub fn say_in_colour(&mut self, line: &str) {
        let _ = writeln!(self.err, "{}", clean_but_colours(line));
    }
}

/// Returns whether standard error is a terminal, for progress.
pub(super) fn watched() -> bool {
    io::stderr().is_terminal()
}
