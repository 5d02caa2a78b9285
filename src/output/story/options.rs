//! The story as text, with columns for the Mark, the name and the sentence.

use super::Story;
use super::fold::fold;
use super::lines::Content;
use crate::fight::Fight;
use crate::fight::system::Clock;
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
        let teller = self.writer(fight);
        let mut lines = self.lines(fight, record, telling.why);
        if !telling.full {
            lines = fold(self, &teller, lines);
        }
        let name_columns = if teller.width <= WIDEST_NAME {
            teller.width
        } else {
            0
        };
        let mut text = Text {
            lines: String::new(),
            columns: telling.columns,
        };
        let mut last = None;
        for line in lines {
            let indent = "  ".repeat(line.depth);
            match line.content {
                Content::Round(round) => {
                    if line.moment.round > 1 {
                        text.push("", "");
                    }
                    text.push("", &round);
                    last = None;
                }
                Content::Order(names) => {
                    let indent = format!("{:STAMP$}{indent}", "");
                    text.push(&indent, &format!("order: {names}"));
                }
                Content::End(ending) => {
                    text.push("", "");
                    text.push("", &ending);
                }
                Content::Deed {
                    who,
                    sentence,
                    dice,
                } => {
                    // The Mark is only written when it changes.
                    let mark = line.moment.mark;
                    let unmarked = mark == 0 && fight.system.clock != Clock::Marks;
                    let stamp = if last == Some(mark) || unmarked {
                        String::new()
                    } else {
                        mark.to_string()
                    };
                    last = Some(mark);
                    let who = who.map_or("", |who| teller.name(who));
                    let before = format!("{stamp:>4}  {indent}{}  ", pad(who, name_columns));
                    if dice.is_empty() {
                        text.push(&before, &sentence);
                    } else {
                        text.push(&before, &format!("{sentence}  [{dice}]"));
                    }
                }
            }
        }
        text.lines
    }
}

/// Text under construction.
struct Text {
    lines: String,
    columns: usize,
}

impl Text {
    /// Adds a sentence after a prefix and wraps it. Lines after the first are indented.
    fn push(&mut self, before: &str, sentence: &str) {
        let margin = width(before);
        // After a long name there is no room for a column of sentences.
        let lines = if margin > self.columns / 2 {
            wrap(&format!("{before}{sentence}"), self.columns, STAMP + 2)
        } else {
            let parts = wrap(sentence, self.columns - margin, 2).into_iter();
            let blanks = " ".repeat(margin);
            parts
                .enumerate()
                .map(|(index, part)| format!("{}{part}", if index == 0 { before } else { &blanks }))
                .collect()
        };
        for line in lines {
            self.lines.push_str(line.trim_end());
            self.lines.push('\n');
        }
    }
}
