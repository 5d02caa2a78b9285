//! `--report`: a page of figures, written in addition to a subcommand's answer.

use crate::output::html::{Chapter, Page, page};
use crate::task::{Command, Destination, Failure, check_apart};

pub(super) use crate::options::PageArgs;

impl PageArgs {
    /// Checks that both files can be written, and returns that of `-o`. Called before anything is computed.
    pub(super) fn prepare(&self) -> Result<Option<Destination>, Failure> {
        let output = self.output.as_deref();
        check_apart(&[("--output", output), ("--report", self.report.as_deref())])?;
        let place = Destination::prepare_any(output, self.force)?;
        self.check_writable().map(|()| place)
    }

    /// Checks that the page can be written. Called before anything is played.
    pub(super) fn check_writable(&self) -> Result<(), Failure> {
        self.place().map(|_| ())
    }

    fn place(&self) -> Result<Option<Destination>, Failure> {
        Destination::prepare_any(self.report.as_deref(), self.force)
    }

    /// Returns the command that writes the page again.
    pub(super) fn command(&self, command: Command) -> String {
        let report = self.report.iter().map(|path| path.display());
        command.options("--report", report).text()
    }

    /// Writes a page of chapters, if one is wanted.
    pub(super) fn write_chapters(
        &self,
        chapters: impl FnOnce() -> Result<Vec<Chapter>, Failure>,
    ) -> Result<(), Failure> {
        self.write(|| Ok(page(&chapters()?)))
    }

    /// Writes a page, if one is wanted.
    pub(super) fn write(
        &self,
        page: impl FnOnce() -> Result<Page, Failure>,
    ) -> Result<(), Failure> {
        let Some(mut place) = self.place()? else {
            return Ok(());
        };
        let html = page()?.html();
        let written = place.write(|out| out.write_all(html.as_str().as_bytes()));
        written.map_err(Failure::io)
    }
}
