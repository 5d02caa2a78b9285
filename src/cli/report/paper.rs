//! Where a page goes: a place proved writable before anything is played, and what is written there.

use crate::cli::Failure;
use crate::cli::place::{Kind, Place};
use crate::output::Target;
use crate::output::html::{Chapter, Page, figures, page, slide};
use std::io::Write as _;
use std::path::PathBuf;

/// The option of every subcommand that may leave a page besides.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct PaperArgs {
    /// Write a page with pictures, too: one HTML file that needs nothing but itself
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

impl PaperArgs {
    /// Proves that the page can be written, before anything is played.
    pub(in crate::cli) fn prove(&self) -> Result<(), Failure> {
        self.place().map(|_| ())
    }

    fn place(&self) -> Result<Option<Place>, Failure> {
        let place = self.report.as_deref();
        let place = place.map(|path| Place::prepare(path, Kind::Page));
        place.transpose().map_err(Failure::input)
    }

    /// Writes what `chapters` makes, if a page is wanted.
    pub(in crate::cli) fn chapters(
        &self,
        chapters: impl FnOnce() -> Result<Vec<Chapter>, Failure>,
    ) -> Result<(), Failure> {
        self.page(|| Ok(page(&chapters()?)))
    }

    /// Writes the page that `make` makes, if one is wanted.
    pub(in crate::cli) fn page(
        &self,
        make: impl FnOnce() -> Result<Page, Failure>,
    ) -> Result<(), Failure> {
        let Some(mut place) = self.place()? else {
            return Ok(());
        };
        let html = make()?.html();
        let written = place.write(|out| out.write_all(html.as_str().as_bytes()));
        written.map_err(Failure::io)
    }
}

/// Writes every figure of a page as a picture of its own.
pub(super) fn slides(page: &Page, target: &mut Target) -> Result<usize, Failure> {
    let mut batch = target.batch();
    let mut count = 0;
    for figure in figures(page) {
        let picture = slide(figure);
        let name = format!("{}.svg", figure.id);
        let written = batch.text(&name, |out| out.write_all(picture.as_str().as_bytes()));
        written.map_err(Failure::io)?;
        count += 1;
    }
    batch.commit().map_err(Failure::io)?;
    Ok(count)
}
