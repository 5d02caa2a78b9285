//! The story as text, with columns for the Mark, the name and the sentence.

use super::Story;
use super::fold::fold;
use super::lines::Content;
use crate::fight::Fight;
use crate::sim::Record;
use crate::wrap::{COLUMNS, pad, width, wrap};

/// Width of the column of Marks.
const STAMP: usize = 6;

/// The widest column of names. With longer names there is no such column.
const WIDEST_NAME: usize = 30;

/// Options of a story as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoryOptions {
    /// Whether each decision says why the policy lines above it were not taken.
    pub why: bool,
    /// Whether each Unit of a walk and each repetition has a line of its own.
    pub full: bool,
    /// The columns of a line.
    pub columns: usize,
}

impl Default for StoryOptions {
    fn default() -> Self {
        Self {
            why: false,
            full: false,
            columns: COLUMNS,
        }
    }
}

impl Story {
    /// Returns the story as text.
    pub fn text(&self, fight: &Fight, record: &Record, telling: StoryOptions) -> String {
        let writer = self.writer(fight);
        let mut lines = self.lines(fight, record, telling.why);
        if !telling.full {
            lines = fold(self, &writer, lines);
        }
        let name_columns = if writer.width <= WIDEST_NAME {
            writer.width
        } else {
            0
        };
        let mut text = String::new();
        let mut last = None;
        for line in lines {
            let indent = "  ".repeat(line.depth);
            let (before, sentence) = match line.content {
                Content::Round => {
                    if line.moment.round > 1 {
                        text.push('\n');
                    }
                    last = None;
                    let round = fight.system.words.round;
                    (String::new(), format!("{round} {}", line.moment.round))
                }
                Content::Order(names) => {
                    let before = format!("{:STAMP$}{indent}", "");
                    (before, format!("order: {names}"))
                }
                Content::End(ending) => {
                    text.push('\n');
                    (String::new(), ending)
                }
                Content::Deed {
                    who,
                    sentence,
                    dice,
                } => {
                    // The Mark is only written when it changes.
                    let moment = Some(line.moment.mark);
                    let stamp = if last == moment {
                        String::new()
                    } else {
                        Self::stamp(fight, line.moment)
                    };
                    last = moment;
                    let name = pad(who.map_or("", |who| writer.name(who)), name_columns);
                    let before = format!("{stamp:>4}  {indent}{name}  ");
                    match &*dice {
                        "" => (before, sentence),
                        dice => (before, format!("{sentence}  [{dice}]")),
                    }
                }
            };
            push(&mut text, telling.columns, &before, &sentence);
        }
        text
    }
}

/// Adds a sentence after a prefix and wraps it. Lines after the first are indented.
fn push(text: &mut String, columns: usize, before: &str, sentence: &str) {
    let margin = width(before);
    // After a long name there is no room for a column of sentences.
    let lines = if margin > columns / 2 {
        wrap(&format!("{before}{sentence}"), columns, STAMP + 2)
    } else {
        let blanks = " ".repeat(margin);
        let parts = wrap(sentence, columns - margin, 2).into_iter();
        let before = std::iter::once(before).chain(std::iter::repeat(&*blanks));
        parts
            .zip(before)
            .map(|(part, before)| format!("{before}{part}"))
            .collect()
    };
    for line in lines {
        text.push_str(line.trim_end());
        text.push('\n');
    }
}
