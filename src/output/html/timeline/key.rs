//! The legend of the marks in this encounter.

use super::arrows::shaft_and_head;
use super::canvas::{Canvas, Px, width};
use super::layout::{Layout, Row};
use super::model::{Arrow, Deed, Means, Outcome};
use super::sheet::{SMALL, eye};
use super::texts::FALLS;

/// From one line of the key to the next.
const LINE: f64 = 28.0;

/// The legend of an encounter.
pub(super) fn key(layout: &Layout<'_>) -> Row {
    let timeline = layout.timeline;
    let mut canvas = Canvas::default();
    let mut cursor = Cursor {
        x: 0.0,
        y: 0.0,
        width: layout.width,
    };
    for (index, side) in layout.fight.sides.iter().enumerate() {
        let colour = Layout::colour_of(index);
        let (x, y) = cursor.next(20.0, side);
        canvas.rect([x, y + 4.0, 12.0, 12.0], &format!("f{colour}"));
        canvas.text((x + 18.0, y + 14.0), "small strong", side);
    }
    cursor.line();
    let deeds: [(&[Deed], &str, &str); 5] = [
        (&[Deed::Attack, Deed::Charge], "deed f8", "attacks"),
        (&[Deed::Move, Deed::Car], "move f8 l8", "moves"),
        (&[Deed::Cast], "cast f8 l8", "spell"),
        (
            &[Deed::Prepare, Deed::Use, Deed::Work, Deed::Upkeep],
            "plain l8",
            "other action",
        ),
        (
            &[Deed::Wait, Deed::Ready, Deed::Lost],
            "idle l8",
            "waits, readies or delays",
        ),
    ];
    for (kinds, look, told) in deeds {
        if timeline
            .blocks
            .iter()
            .any(|block| kinds.contains(&block.kind))
        {
            let (x, y) = cursor.next(36.0, told);
            if look.starts_with("move") {
                canvas.path(format!("M{} {}h22l6 7l-6 7h-22Z", Px(x), Px(y + 3.0)), look);
            } else {
                canvas.rect([x, y + 3.0, 28.0, 14.0], look);
            }
            canvas.text((x + 34.0, y + 14.0), "small", told);
        }
    }
    let arrows = [
        (Means::Weapon, Outcome::Hit, "hit, with its damage"),
        (Means::Weapon, Outcome::Miss, "miss"),
        (Means::Weapon, Outcome::TurnedAside, "turned aside"),
        (Means::Weapon, Outcome::Forfeited, "no Mark left for it"),
        (Means::Weapon, Outcome::NoTarget, "no target"),
        (Means::Counter, Outcome::Hit, "counter"),
        (Means::Spell, Outcome::Hit, "spell"),
        (Means::Spell, Outcome::Fizzled, "fizzles"),
    ];
    for (means, outcome, told) in arrows {
        let such = |arrow: &Arrow| match (means, outcome) {
            (Means::Weapon, Outcome::NoTarget) => arrow.outcome == outcome,
            (Means::Weapon, _) => arrow.outcome == outcome && arrow.means != Means::Spell,
            (Means::Spell, Outcome::Hit) => arrow.means == Means::Spell,
            (Means::Counter, _) => arrow.means == means,
            _ => arrow.outcome == outcome,
        };
        if !timeline.arrows.iter().any(such) {
            continue;
        }
        let (x, y) = cursor.next(22.0, told);
        let sample = Arrow {
            who: 0,
            target: Some(0),
            at: 0,
            means,
            outcome,
            count: 1,
            damage: None,
            block: None,
            events: Vec::new(),
        };
        let lane = if outcome == Outcome::Fizzled {
            canvas.rect([x, y + 3.0, 16.0, 14.0], "cast f8 l8");
            y - 2.0
        } else {
            y - 24.0
        };
        shaft_and_head(&mut canvas, &sample, x + 8.0, lane, Some(y + 19.0), 8);
        canvas.text((x + 20.0, y + 14.0), "small", told);
    }
    if timeline.blocks.iter().any(|block| block.ticks.is_empty()) {
        let (x, y) = cursor.next(16.0, "at once");
        canvas.path(
            format!("M{} {}l4 -8 4 8 -4 8Z", Px(x), Px(y + 10.0)),
            "instant f8",
        );
        canvas.text((x + 12.0, y + 14.0), "small", "at once");
    }
    let ends = || timeline.lanes.iter().filter_map(|lane| lane.ended);
    for (word, falls) in [(FALLS, true), ("leaves", false)] {
        if !ends().any(|(_, event)| (layout.texts.ending_of(event) == FALLS) == falls) {
            continue;
        }
        let (x, y) = cursor.next(24.0, word);
        canvas.path(
            format!(
                "M{} {}a8 8 0 1 0 16 0a8 8 0 1 0 -16 0Z",
                Px(x),
                Px(y + 10.0)
            ),
            "grave l8",
        );
        if falls {
            canvas.path(
                format!("M{} {}l8 8m0 -8l-8 8", Px(x + 4.0), Px(y + 6.0)),
                "cross l8",
            );
        }
        canvas.text((x + 22.0, y + 14.0), "small", word);
    }
    let (x, y) = cursor.next(36.0, "health");
    canvas.path(
        format!("M{} {}v-10h14v4h14v6Z", Px(x), Px(y + 15.0)),
        "health f8",
    );
    canvas.text((x + 34.0, y + 14.0), "small", "health");
    if !timeline.pauses.is_empty() {
        let (x, y) = cursor.next(36.0, "is interrupted");
        canvas.line((x, y + 10.0), (x + 28.0, y + 10.0), "pause l8");
        canvas.text((x + 34.0, y + 14.0), "small", "is interrupted");
    }
    if timeline.rounds.iter().any(|round| round.watched.is_some()) {
        let told = "Sleepers watch";
        let (x, y) = cursor.next(22.0, told);
        eye(&mut canvas, x, y + 10.0);
        canvas.text((x + 18.0, y + 14.0), "small", told);
    }
    if !timeline.notes.is_empty() {
        let (x, y) = cursor.next(16.0, "other event (point at it)");
        canvas.path(
            format!("M{} {}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z", Px(x), Px(y + 10.0)),
            "dot",
        );
        canvas.text((x + 12.0, y + 14.0), "small", "other event (point at it)");
    }
    Row {
        label: "Key".to_owned(),
        width: layout.width,
        height: cursor.y + LINE,
        canvas,
    }
}

/// Where the next entry goes.
struct Cursor {
    x: f64,
    y: f64,
    width: f64,
}

impl Cursor {
    /// Room for a sample and its words.
    fn next(&mut self, sample: f64, words: &str) -> (f64, f64) {
        let wide = sample + width(words, SMALL + 1.0) + 14.0;
        if self.x + wide > self.width && self.x > 0.0 {
            self.line();
        }
        let at = (self.x, self.y);
        self.x += wide;
        at
    }

    fn line(&mut self) {
        self.x = 0.0;
        self.y += LINE;
    }
}
