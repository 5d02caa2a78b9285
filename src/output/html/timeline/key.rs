//! The legend of the marks in this encounter.

use super::super::drawing::{Drawing, Px};
use super::arrows::shaft_and_head;
use super::layout::{Layout, Row};
use super::letters::width;
use super::model::{Arrow, Deed, Means, Outcome};
use super::sheet::{SMALL, eye};
use super::texts::FALLS;

/// Distance from one line of the legend to the next.
const LINE: f64 = 28.0;

/// Draws the legend of an encounter.
pub(super) fn key(layout: &Layout<'_>) -> Row {
    let timeline = layout.timeline;
    let mut key = Key {
        canvas: Drawing::default(),
        x: 0.0,
        y: 0.0,
        width: layout.width,
    };
    for (index, side) in layout.fight.sides.iter().enumerate() {
        let colour = Layout::colour_of(index);
        key.entry([20.0, 18.0], "small strong", side, |canvas, x, y| {
            canvas.block([x, y + 4.0, 12.0, 12.0], &format!("f{colour}"), "");
        });
    }
    key.line();
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
        let mut blocks = timeline.blocks.iter();
        if blocks.any(|block| kinds.contains(&block.kind)) {
            key.entry([36.0, 34.0], "small", told, |canvas, x, y| {
                if look.starts_with("move") {
                    canvas.path(format!("M{} {}h22l6 7l-6 7h-22Z", Px(x), Px(y + 3.0)), look);
                } else {
                    canvas.block([x, y + 3.0, 28.0, 14.0], look, "");
                }
            });
        }
    }
    arrows(layout, &mut key);
    if timeline.blocks.iter().any(|block| block.ticks.is_empty()) {
        key.entry([16.0, 12.0], "small", "at once", |canvas, x, y| {
            let d = format!("M{} {}l4 -8 4 8 -4 8Z", Px(x), Px(y + 10.0));
            canvas.path(d, "instant f8");
        });
    }
    let ends = || timeline.lanes.iter().filter_map(|lane| lane.ended);
    for (word, falls) in [(FALLS, true), ("leaves", false)] {
        if !ends().any(|(_, event)| (layout.texts.ending_of(event) == FALLS) == falls) {
            continue;
        }
        key.entry([24.0, 22.0], "small", word, |canvas, x, y| {
            let grave = format!(
                "M{} {}a8 8 0 1 0 16 0a8 8 0 1 0 -16 0Z",
                Px(x),
                Px(y + 10.0)
            );
            canvas.path(grave, "grave l8");
            if falls {
                let cross = format!("M{} {}l8 8m0 -8l-8 8", Px(x + 4.0), Px(y + 6.0));
                canvas.path(cross, "cross l8");
            }
        });
    }
    key.entry([36.0, 34.0], "small", "health", |canvas, x, y| {
        let d = format!("M{} {}v-10h14v4h14v6Z", Px(x), Px(y + 15.0));
        canvas.path(d, "health f8");
    });
    if !timeline.pauses.is_empty() {
        key.entry([36.0, 34.0], "small", "is interrupted", |canvas, x, y| {
            canvas.line((x, y + 10.0), (x + 28.0, y + 10.0), "pause l8");
        });
    }
    if timeline.rounds.iter().any(|round| round.watched.is_some()) {
        key.entry([22.0, 18.0], "small", "Sleepers watch", |canvas, x, y| {
            eye(canvas, x, y + 10.0);
        });
    }
    if !timeline.notes.is_empty() {
        let told = "other event (point at it)";
        key.entry([16.0, 12.0], "small", told, |canvas, x, y| {
            let d = format!("M{} {}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z", Px(x), Px(y + 10.0));
            canvas.path(d, "dot");
        });
    }
    Row {
        label: "Key".to_owned(),
        width: layout.width,
        height: key.y + LINE,
        canvas: key.canvas,
    }
}

/// Adds the entries of arrows.
fn arrows(layout: &Layout<'_>, key: &mut Key) {
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
        if !layout.timeline.arrows.iter().any(such) {
            continue;
        }
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
        key.entry([22.0, 20.0], "small", told, |canvas, x, y| {
            let lane = if outcome == Outcome::Fizzled {
                canvas.block([x, y + 3.0, 16.0, 14.0], "cast f8 l8", "");
                y - 2.0
            } else {
                y - 24.0
            };
            shaft_and_head(canvas, &sample, x + 8.0, lane, Some(y + 19.0), 8);
        });
    }
}

/// The legend under construction.
struct Key {
    canvas: Drawing,
    /// The place of the next entry.
    x: f64,
    y: f64,
    width: f64,
}

impl Key {
    /// Adds a sample of this width, and words that begin `indent` pixels right of its start.
    fn entry(
        &mut self,
        [sample, indent]: [f64; 2],
        class: &str,
        words: &str,
        draw: impl FnOnce(&mut Drawing, f64, f64),
    ) {
        let wide = sample + width(words, SMALL + 1.0) + 14.0;
        if self.x + wide > self.width && self.x > 0.0 {
            self.line();
        }
        draw(&mut self.canvas, self.x, self.y);
        let at = (self.x + indent, self.y + 14.0);
        self.canvas.words(at, class, words);
        self.x += wide;
    }

    fn line(&mut self) {
        self.x = 0.0;
        self.y += LINE;
    }
}
