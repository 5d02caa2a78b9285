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
mod layout;
mod letters;
pub mod model;
mod places;
mod rows;
mod sheet;
mod texts;

pub use build::build;
pub use model::{Measure, Timeline};

use super::drawing::{NARROW, Px, Shape};
use super::{Figure, Markup, Table, palette, render};
use crate::fight::Fight;
use crate::output::story::Story;
use crate::sim::Record;
use crate::systems::Rules;
use layout::{Layout, Row};
use rows::Piece;
use serde::Serialize;
use texts::Texts;

/// The most bytes that the Rounds of a picture take, by an estimate made beforehand.
const BUDGET: usize = 125_000;

/// An encounter that was played and observed.
#[derive(Debug, Clone, Copy)]
pub struct Encounter<'a> {
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
    fight: &'a Fight,
    budget: usize,
}

impl<'a> Picture<'a> {
    /// Creates the picture of an encounter.
    pub fn new(encounter: Encounter<'a>) -> Self {
        let (fight, story) = (encounter.fight, encounter.story);
        Self {
            texts: Texts::new(fight, story, encounter.record, encounter.why),
            timeline: build(story, fight, Measure::of(encounter.rules)),
            fight,
            budget: BUDGET,
        }
    }

    /// Limits the Rounds of the picture to about `budget` bytes.
    pub fn within(self, budget: usize) -> Self {
        Self { budget, ..self }
    }

    /// Renders only the picture, as one SVG.
    pub fn svg(&self, title: &str, description: &str) -> Markup {
        self.render("timeline", [title, description], Form::Whole)
    }

    /// Returns the picture with its question, and with the story as its table.
    pub fn figure(&self, id: String, title: String, description: String) -> Figure {
        let svg = self.render(&id, [&title, &description], Form::Wide);
        let narrow = self.render(
            &format!("{id}-narrow"),
            [&title, &description],
            Form::Narrow,
        );
        Figure {
            svg,
            narrow: Some(narrow),
            each: None,
            folded: None,
            table: Table {
                summary: Some("The story line by line".to_owned()),
                ..self.texts.table(&self.timeline)
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
        let left_out = self
            .pieces(Form::Wide)
            .0
            .iter()
            .any(|piece| matches!(piece, Piece::LeftOut(_)));
        let word = self.fight.system.words.round;
        left_out.then(|| format!("The table has the {word}s that the picture leaves out."))
    }

    /// Returns the Rounds to draw, and whether there is room for tooltips.
    fn pieces(&self, form: Form) -> (Vec<Piece>, bool) {
        let bytes = self.bytes(true);
        let count = bytes.len();
        let ends = if count > 1 {
            bytes[0] + bytes[count - 1]
        } else {
            bytes[0]
        };
        let tells = ends <= self.budget;
        let bytes = if tells { bytes } else { self.bytes(false) };
        let columns = rows::COLUMNS[usize::from(form == Form::Narrow)];
        let pieces = rows::pieces(&self.timeline, &bytes, self.budget, columns);
        (pieces, tells)
    }

    /// Estimates the bytes of each Round.
    fn bytes(&self, tells: bool) -> Vec<usize> {
        let timeline = &self.timeline;
        let told = |events: &[usize]| {
            if tells {
                90 + self.texts.of(events).len()
            } else {
                0
            }
        };
        let rounds = timeline.rounds.iter().map(|round| {
            let within = |tick: u32| round.ticks.contains(&tick);
            let blocks = timeline.blocks.iter().filter(|one| within(one.ticks.start));
            let arrows = timeline.arrows.iter().filter(|one| within(one.at));
            let notes = timeline.notes.iter().filter(|one| within(one.at));
            let stands = |lane: &&model::Lane| lane.stands_at(round.ticks.start);
            let lanes = timeline.lanes.iter().filter(stands).count();
            let blocks: usize = blocks.map(|one| 180 + told(&one.events)).sum();
            let arrows: usize = arrows.map(|one| 240 + told(&one.events)).sum();
            let notes: usize = notes.map(|one| 120 + told(&[one.event])).sum();
            let eye = round.watched.map_or(0, |event| 330 + told(&[event]));
            // Rounds that share a row also share the overhead of the row.
            let [row, lane] = match timeline.measure {
                Measure::Marks(_) => [1200, 380],
                Measure::Columns => [350, 150],
            };
            row + lanes * lane + blocks + arrows + notes + eye
        });
        rounds.collect()
    }

    fn render(&self, id: &str, [title, description]: [&str; 2], form: Form) -> Markup {
        let (pieces, tells) = self.pieces(form);
        let width = match form {
            Form::Narrow => NARROW,
            Form::Wide | Form::Whole => layout::WIDTH,
        };
        let width = (width, pieces.len() == 1);
        let layout = Layout::new(&self.timeline, self.fight, &self.texts, width, tells);
        let mut rows = vec![layout.key()];
        rows.extend(pieces.into_iter().map(|piece| match piece {
            Piece::Row(rounds) => layout.row(rounds),
            Piece::LeftOut(rounds) => layout.left_out(rounds),
        }));
        let context = Context {
            id,
            title,
            description,
            light: palette::variables(false),
            dark: palette::variables(true),
            whole: form == Form::Whole,
            narrow: form == Form::Narrow,
            width: Px(rows.iter().map(|row| row.width).fold(0.0, f64::max)),
            height: Px(rows.iter().map(|row| row.height + GAP).sum()),
            rows: drawn(rows),
        };
        render("timeline.svg", context)
    }
}

/// The form in which a picture is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// An SVG for each row, for a page in a window of usual width.
    Wide,
    /// An SVG for each row, for a narrow window.
    Narrow,
    /// A single SVG.
    Whole,
}

/// Distance between two rows.
const GAP: f64 = 14.0;

/// The context of the template.
#[derive(Serialize)]
struct Context<'a> {
    id: &'a str,
    title: &'a str,
    description: &'a str,
    /// The colours of a picture without a page, on light and on dark backgrounds.
    light: String,
    dark: String,
    /// Whether all rows are one SVG.
    whole: bool,
    /// Whether the rows are for a narrow window.
    narrow: bool,
    width: Px,
    height: Px,
    rows: Vec<Drawn>,
}

/// A row as the template needs it.
#[derive(Serialize)]
struct Drawn {
    label: String,
    /// The top of the row in the whole picture.
    y: Px,
    width: Px,
    height: Px,
    shapes: Vec<Shape>,
}

fn drawn(rows: Vec<Row>) -> Vec<Drawn> {
    let mut y = 0.0;
    let rows = rows.into_iter().map(|row| {
        let begun = y;
        y += row.height + GAP;
        Drawn {
            label: row.label,
            y: Px(begun),
            width: Px(row.width),
            height: Px(row.height),
            shapes: row.canvas.shapes,
        }
    });
    rows.collect()
}
