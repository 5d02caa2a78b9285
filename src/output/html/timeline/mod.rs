//! One encounter as a picture: lanes for combatants, blocks for actions, arrows to their targets, and the positions of
//! all combatants.
//!
//! Events become a [`Timeline`], plain data in moments, on every clock ([`build()`]). `rows` chooses the Rounds to
//! draw, in rows that can be read and printed. `layout`, `arrows` and `places` compute positions within a row, and a
//! template renders it. The texts are the sentences of the story.

mod arrows;
pub mod build;
pub mod choose;
mod key;
mod labels;
mod lane_row;
mod layout;
mod letters;
pub mod model;
mod places;
mod rows;
mod texts;

pub use build::build;
pub use model::{Measure, Timeline};

use super::drawing::Px;
use super::{Figure, Markup, Table, palette, render};
use crate::fight::Fight;
use crate::output::story::Story;
use crate::sim::Record;
use crate::systems::Rules;
use layout::Layout;
use minijinja::context;
use minijinja::value::Serde;
use rows::Piece;
use texts::Texts;

/// The most bytes that the Rounds of a picture take, by an estimate made beforehand.
const BUDGET: usize = 125_000;

/// An encounter that was played and observed.
#[derive(Debug, Clone, Copy)]
pub struct ObservedEncounter<'a> {
    /// The fight.
    pub fight: &'a Fight,
    /// Its rulings.
    pub rules: &'a Rules,
    /// The observed events.
    pub story: &'a Story,
    /// The record.
    pub record: &'a Record,
    /// Whether the story says why policy lines were not taken.
    pub why: bool,
}

/// An encounter as a picture.
pub struct Picture<'a> {
    texts: Texts<'a>,
    timeline: Timeline,
    budget: usize,
}

impl<'a> Picture<'a> {
    /// Creates the picture of an encounter.
    pub fn new(encounter: ObservedEncounter<'a>) -> Self {
        let (fight, story) = (encounter.fight, encounter.story);
        Self {
            texts: Texts::new(fight, story, encounter.record, encounter.why),
            timeline: build(story, fight, Measure::of(encounter.rules)),
            budget: BUDGET,
        }
    }

    /// Limits the Rounds of the picture to about `budget` bytes.
    pub fn within(self, budget: usize) -> Self {
        Self { budget, ..self }
    }

    /// Renders only the picture, as one SVG.
    pub fn svg(&self, title: &str, description: &str) -> Markup {
        self.render("timeline", [title, description], true)
    }

    /// Returns the picture with its question, and with the story as its table.
    pub fn figure(&self, id: String, title: String, description: String) -> Figure {
        Figure {
            svg: self.render(&id, [&title, &description], false),
            folded: None,
            table: Table {
                summary: Some("The story line by line".to_owned()),
                ..self.texts.table()
            },
            note: self.note(),
            id,
            title,
            description,
        }
    }

    /// Returns a line on how the encounter ended.
    pub fn ending(&self) -> &str {
        self.texts.ending()
    }

    /// Returns a line on how the encounter ended, and how to read the picture.
    pub fn outcome(&self) -> String {
        format!(
            "{} Time runs from left to right. Each lane is a combatant: its actions, and its health below. \
             Arrows point from the attacker to the target.",
            self.texts.ending()
        )
    }

    /// Returns a note if Rounds are left out.
    fn note(&self) -> Option<String> {
        let (pieces, _) = self.pieces();
        let is_short = pieces
            .iter()
            .any(|piece| matches!(piece, Piece::LeftOut(_)));
        let word = self.texts.fight.system.words.round;
        is_short.then(|| format!("The table has the {word}s that the picture leaves out."))
    }

    /// Returns the Rounds to draw, and whether there is room for tooltips.
    fn pieces(&self) -> (Vec<Piece>, bool) {
        let bytes = self.bytes(true);
        let ends: usize = match bytes[..] {
            [first, .., last] => first + last,
            _ => bytes.iter().sum(),
        };
        let tells = ends <= self.budget;
        let bytes = if tells { bytes } else { self.bytes(false) };
        (rows::pieces(&self.timeline, &bytes, self.budget), tells)
    }

    /// Estimates the bytes of each Round.
    fn bytes(&self, tells: bool) -> Vec<usize> {
        let layout = Layout::new(&self.timeline, &self.texts, false, tells);
        let rounds = 0..self.timeline.rounds.len();
        let bytes = rounds.map(|round| layout.row(round..round + 1).drawing.bytes());
        bytes.collect()
    }

    /// Renders the picture: as a single SVG if it is `whole`, otherwise as an SVG for each row.
    fn render(&self, id: &str, [title, description]: [&str; 2], whole: bool) -> Markup {
        let (pieces, tells) = self.pieces();
        let alone = pieces.len() == 1;
        let layout = Layout::new(&self.timeline, &self.texts, alone, tells);
        let mut rows = vec![key::key(&layout)];
        rows.extend(pieces.into_iter().map(|piece| match piece {
            Piece::Row(rounds) => layout.row(rounds),
            Piece::LeftOut(rounds) => layout.left_out(rounds),
        }));
        let mut height = 0.0;
        for row in &mut rows {
            row.y = Px(height);
            height += row.drawing.height.0 + GAP;
        }
        let width = rows.iter().map(|row| row.drawing.width.0);
        let context = context! {
            id,
            title,
            description,
            // The colours of a picture without a page.
            light => palette::variables(false),
            dark => palette::variables(true),
            whole,
            width => Serde(Px(width.fold(0.0, f64::max))),
            height => Serde(Px(height)),
            rows => Serde(&rows),
        };
        render("timeline.svg", context)
    }
}

/// Distance between two rows.
const GAP: f64 = 14.0;
