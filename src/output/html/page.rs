//! A page: a head, sections, and a footer.

use super::figure::{Figure, Table};
use super::{Markup, palette, render};
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
        #[derive(Serialize)]
        struct Context<'a> {
            page: &'a Page,
            version: &'static str,
            /// The Content-Security-Policy, which allows nothing from elsewhere, and no scripts but those of the page.
            policy: String,
            script: Markup,
            light: String,
            dark: String,
            /// Whether some of the pictures are timelines, which need styles of their own.
            timelines: bool,
            /// The classes of variants that readers can switch off.
            switches: Vec<&'a str>,
        }
        render(
            "page.html",
            Context {
                page: self,
                version: env!("CARGO_PKG_VERSION"),
                policy: format!(
                    "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; \
                     base-uri 'none'; form-action 'none'",
                    base64(&Sha256::digest(SCRIPT)),
                ),
                script: Markup::trusted(SCRIPT.to_owned()),
                light: palette::variables(false),
                dark: palette::variables(true),
                timelines: self.has_timelines(),
                switches: self.switches(),
            },
        )
    }

    /// Returns the blocks of all sections.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.sections.iter().flat_map(|section| &section.blocks)
    }

    fn switches(&self) -> Vec<&str> {
        let entries = self.blocks().filter_map(|block| match block {
            Block::Switches { entries } => Some(entries),
            _ => None,
        });
        entries.flatten().map(|entry| entry.id.as_str()).collect()
    }

    fn has_timelines(&self) -> bool {
        self.blocks().any(|block| match block {
            Block::Figure(figure) => figure.svg.as_str().contains("class=\"timeline\""),
            _ => false,
        })
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
    pub blocks: Vec<Block>,
}

impl Section {
    /// Creates a section of these blocks.
    pub(super) fn new(
        id: impl Into<String>,
        title: impl Into<String>,
        blocks: impl IntoIterator<Item = Block>,
    ) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            blocks: blocks.into_iter().collect(),
        }
    }

    /// Returns its figures.
    pub(super) fn figures(&mut self) -> impl Iterator<Item = &mut Figure> {
        self.blocks.iter_mut().filter_map(|block| match block {
            Block::Figure(figure) => Some(figure),
            _ => None,
        })
    }

    /// Returns the size of the section on a page, in bytes.
    pub(super) fn bytes(&self) -> usize {
        #[derive(Serialize)]
        struct Context<'a> {
            section: &'a Section,
        }
        render("section.html", Context { section: self })
            .as_str()
            .len()
    }
}

/// A part of a section.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "a page has few blocks, and most are figures"
)]
pub enum Block {
    /// A prominent paragraph.
    Lead {
        /// Its text.
        text: String,
    },
    /// A paragraph.
    Paragraph {
        /// Its text.
        text: String,
    },
    /// Variants that readers can switch off.
    Switches {
        /// Their classes and names.
        entries: Vec<Entry>,
    },
    /// A card that ranks variants.
    Ranking {
        /// The heading, which names the best variant or says that there is no difference.
        title: String,
        /// The colour of the ranked side.
        colour: usize,
        /// The ranks, the best first.
        ranks: Vec<Rank>,
        /// Notes on variants that are left out or cannot be distinguished.
        notes: Vec<String>,
    },
    /// Links to figures.
    Index {
        /// The figures.
        entries: Vec<Entry>,
    },
    /// A list of short texts.
    List {
        /// Their texts.
        items: Vec<String>,
    },
    /// A command to copy.
    Command {
        /// The command.
        text: String,
    },
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

/// An entry with an id.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// The id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// A text about it.
    pub text: String,
}

impl Entry {
    /// Creates an entry without a text.
    pub(super) fn named(id: String, title: &str) -> Self {
        Self {
            id,
            title: title.to_owned(),
            text: String::new(),
        }
    }
}

/// A variant on a ranking card.
#[derive(Debug, Clone, Serialize)]
pub struct Rank {
    /// Its name.
    pub name: String,
    /// Its rate, as text.
    pub text: String,
    /// The class that switches it off.
    pub switch: Option<String>,
}

impl Block {
    pub(super) fn paragraph(text: impl Into<String>) -> Self {
        Self::Paragraph { text: text.into() }
    }

    /// Returns the blocks with the command that makes the same page.
    pub(crate) fn page_command(command: &str) -> [Self; 2] {
        Self::command("This command makes the same page again:", command)
    }

    /// Returns the blocks with a command, after a sentence about it.
    pub(crate) fn command(about: &str, command: &str) -> [Self; 2] {
        let text = command.to_owned();
        [Self::paragraph(about), Self::Command { text }]
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
