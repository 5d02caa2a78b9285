//! A page: a head, sections, and a footer.

use super::figure::{Figure, Table};
use super::{Markup, figures, palette, render};
use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The script of every page.
const SCRIPT: &str = include_str!("templates/keys.js");

/// A self-contained page.
#[derive(Debug, Clone, Serialize)]
pub struct Page {
    /// Its title, on the page and in the browser.
    pub title: String,
    /// The text below the title: the question that the page answers.
    pub subtitle: Option<String>,
    /// Its sections.
    pub sections: Vec<Section>,
    /// The lines of its footer.
    pub footer: Vec<String>,
}

impl Page {
    /// Renders the page as HTML.
    pub fn html(&self) -> Markup {
        // It allows nothing from elsewhere, and no scripts but those of the page.
        let policy = format!(
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; \
             base-uri 'none'; form-action 'none'",
            base64(&Sha256::digest(SCRIPT)),
        );
        render(
            "page.html",
            context! {
                page => Serde(self),
                version => env!("CARGO_PKG_VERSION"),
                policy,
                script => Serde(Markup::trusted(SCRIPT.to_owned())),
                light => palette::variables(false),
                dark => palette::variables(true),
                timelines => self.has_timelines(),
                switches => Serde(self.switches()),
            },
        )
    }

    /// Returns the blocks of all sections.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &PageBlock> {
        self.sections.iter().flat_map(|section| &section.blocks)
    }

    /// Returns the classes of variants that readers can switch off.
    fn switches(&self) -> Vec<&str> {
        let entries = self.blocks().filter_map(|block| match block {
            PageBlock::Switches(entries) => Some(entries),
            _ => None,
        });
        entries.flatten().map(|entry| entry.id.as_str()).collect()
    }

    /// Whether some of the pictures are timelines, which need styles of their own.
    fn has_timelines(&self) -> bool {
        figures(self).any(|figure| figure.svg.as_str().contains("class=\"timeline\""))
    }
}

/// Encodes bytes in base64, as browsers expect fingerprints of scripts.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let all = three
            .iter()
            .fold(0_u32, |all, byte| all << 8 | u32::from(*byte));
        let all = all << (8 * (3 - three.len()));
        for place in 0..4 {
            text.push(if place <= three.len() {
                char::from(LETTERS[(all >> (18 - 6 * place)) as usize & 63])
            } else {
                '='
            });
        }
    }
    text
}

/// A section of a page.
#[derive(Debug, Clone, Serialize)]
pub struct Section {
    /// Its id, which is unique within the page: lower-case letters, digits and `-`.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// Its content.
    pub blocks: Vec<PageBlock>,
}

impl Section {
    /// Creates a section of these blocks.
    pub(super) fn new(
        id: impl Into<String>,
        title: impl Into<String>,
        blocks: impl IntoIterator<Item = PageBlock>,
    ) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            blocks: blocks.into_iter().collect(),
        }
    }

    /// Returns the size of the section on a page, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let section = context! { section => Serde(self) };
        render("section.html", section).as_str().len()
    }
}

/// A part of a section.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", content = "content", rename_all = "snake_case")]
pub enum PageBlock {
    /// A prominent paragraph.
    Lead(String),
    /// A paragraph.
    Paragraph(String),
    /// Variants that readers can switch off: their classes and names.
    Switches(Vec<Anchor>),
    /// A table of how often a side wins in each variant.
    Rates {
        /// The head of the numbers.
        title: String,
        /// The colour of the bars.
        colour: usize,
        /// The head of the differences, if variants are compared.
        against: Option<String>,
        /// A row for each variant.
        rows: Vec<Rate>,
    },
    /// Links to figures.
    Index(Vec<Anchor>),
    /// A list of short texts.
    List(Vec<String>),
    /// A command to copy.
    Command(String),
    /// A picture with its numbers.
    Figure(Figure),
    /// A table that is always open.
    Table(Table),
    /// A table that is folded at first.
    Folded {
        /// The label of the folded table.
        summary: String,
        /// The table.
        table: Table,
    },
}

/// An element of the page that can be linked to or referred to.
#[derive(Debug, Clone, Serialize)]
pub struct Anchor {
    /// The id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// A text about the element.
    pub text: String,
}

/// How often a side wins in a variant.
#[derive(Debug, Clone, Serialize)]
pub struct Rate {
    /// The name of the variant.
    pub name: String,
    /// The rate, in per cent, if it is one.
    pub share: Option<f64>,
    /// The rate as text.
    pub text: String,
    /// The difference from the baseline as text.
    pub difference: String,
    /// The class that switches the row off.
    pub switch: Option<String>,
}

impl PageBlock {
    pub(super) fn paragraph(text: impl Into<String>) -> Self {
        Self::Paragraph(text.into())
    }

    /// Returns the blocks with the command that makes the same page.
    pub(crate) fn page_command(command: &str) -> [Self; 2] {
        Self::command("This command makes the same page again:", command)
    }

    /// Returns the blocks with a command, after a sentence about it.
    pub(crate) fn command(about: &str, command: &str) -> [Self; 2] {
        [Self::paragraph(about), Self::Command(command.to_owned())]
    }
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_become_letters_as_the_standard_has_it() {
        // RFC 4648, section 10.
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        assert_eq!(
            texts.map(|text| base64(text.as_bytes())),
            [
                "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"
            ]
        );
    }
}
