//! The legend of the marks in this encounter.

use super::super::drawing::{Drawing, Px, circle};
use super::arrows::shaft_and_head;
use super::lane_row::{SMALL, condition_bar, deed, eye, grave, instant, look};
use super::layout::{Layout, Strip, WIDTH};
use super::letters::width;
use super::model::{Arrow, Block, Outcome};
use super::texts::FALLS;
use crate::sim::events::ActionKind;

/// Distance from one line of the legend to the next.
const LINE: f64 = 28.0;

/// The colour of samples, which belong to no side.
const NEUTRAL: usize = 8;

/// Draws the legend of an encounter.
pub(super) fn key(layout: &Layout<'_>) -> Strip {
    let timeline = layout.timeline;
    let mut legend = Legend {
        canvas: Drawing::new(WIDTH),
        x: 0.0,
        y: 0.0,
    };
    for (index, side) in layout.fight.sides.iter().enumerate() {
        let colour = Layout::colour_of(index);
        legend.entry(12.0, side, |canvas, x, y| {
            canvas.block([x, y - 6.0, 12.0, 12.0], &format!("f{colour}"), "");
        });
    }
    legend.line();
    for (kind, words) in [
        (ActionKind::Attack, "attacks"),
        (ActionKind::Move, "moves"),
        (ActionKind::Cast, "spell"),
        (ActionKind::Prepare, "other action"),
        (ActionKind::Wait, "waits, readies or delays"),
    ] {
        let is_alike = |block: &Block| look(block.kind, NEUTRAL) == look(kind, NEUTRAL);
        let is_shown = timeline.blocks.iter().any(is_alike);
        legend.entry_if(is_shown, 28.0, words, |canvas, x, y| {
            deed(canvas, kind, [x, y - 7.0, 28.0, 14.0], NEUTRAL);
        });
    }
    arrows(layout, &mut legend);
    let is_instant = timeline.blocks.iter().any(|block| block.ticks.is_empty());
    legend.entry_if(is_instant, 8.0, "at once", |canvas, x, y| {
        instant(canvas, (x + 4.0, y), NEUTRAL);
    });
    for (words, is_fall) in [(FALLS, true), ("leaves", false)] {
        let mut ends = timeline.lanes.iter().filter_map(|lane| lane.ended);
        let is_shown = ends.any(|(_, event)| (layout.texts.ending_of(event) == FALLS) == is_fall);
        legend.entry_if(is_shown, 18.0, words, |canvas, x, y| {
            grave(canvas, (x + 9.0, y), NEUTRAL, is_fall);
        });
    }
    legend.entry(28.0, "health", |canvas, x, y| {
        let d = format!("M{} {}v-10h14v4h14v6Z", Px(x), Px(y + 5.0));
        canvas.path(d, "health f8");
    });
    let has = |is_condition: bool| {
        let mut states = timeline.states.iter();
        states.any(|state| state.condition.is_some() == is_condition)
    };
    legend.entry_if(has(true), 28.0, "condition", |canvas, x, y| {
        condition_bar(canvas, [x, y - 6.0, 28.0, 12.0], NEUTRAL);
    });
    legend.entry_if(has(false), 28.0, "is interrupted", |canvas, x, y| {
        canvas.line((x, y), (x + 28.0, y), "pause l8");
    });
    let is_watched = timeline.rounds.iter().any(|round| round.watched.is_some());
    legend.entry_if(is_watched, 13.0, "Sleepers watch", eye);
    let has_notes = !timeline.notes.is_empty();
    legend.entry_if(
        has_notes,
        6.0,
        "other event (point at it)",
        |canvas, x, y| {
            canvas.path(circle((x + 3.0, y), 3.0), "dot");
        },
    );
    legend.canvas.height = Px(legend.y + LINE);
    Strip::new("Key".to_owned(), legend.canvas)
}

/// Adds the entries of arrows.
fn arrows(layout: &Layout<'_>, legend: &mut Legend) {
    use ActionKind::{Attack, Cast, Counter};
    for (kind, outcome, words) in [
        (Attack, Outcome::Hit, "hit, with its damage"),
        (Attack, Outcome::Miss, "miss"),
        (Attack, Outcome::TurnedAside, "turned aside"),
        (Attack, Outcome::Forfeited, "no Mark left for it"),
        (Attack, Outcome::NoTarget, "no target"),
        (Counter, Outcome::Hit, "counter"),
        (Cast, Outcome::Hit, "spell"),
        (Cast, Outcome::Fizzled, "fizzles"),
    ] {
        let is_alike = |arrow: &Arrow| match (kind, outcome) {
            (Attack, Outcome::NoTarget) | (Cast, Outcome::Fizzled) => arrow.outcome == outcome,
            (Attack, _) => arrow.outcome == outcome && arrow.is_by_weapon(),
            (Cast, _) => !arrow.is_by_weapon(),
            _ => arrow.kind == kind,
        };
        let sample = Arrow {
            kind,
            outcome,
            ..Arrow::default()
        };
        let is_shown = layout.timeline.arrows.iter().any(is_alike);
        legend.entry_if(is_shown, 16.0, words, |canvas, x, y| {
            let lane = if outcome == Outcome::Fizzled {
                deed(canvas, Cast, [x, y - 7.0, 16.0, 14.0], NEUTRAL);
                y - 12.0
            } else {
                y - 34.0
            };
            let lanes = (lane, Some(y + 9.0));
            shaft_and_head(canvas, &sample, x + 8.0, lanes, NEUTRAL);
        });
    }
}

/// The legend under construction.
struct Legend {
    canvas: Drawing,
    /// The place of the next entry.
    x: f64,
    y: f64,
}

impl Legend {
    /// Adds words after a sample of this width, which is drawn to the right of a place and around its height.
    fn entry(&mut self, sample: f64, words: &str, draw: impl FnOnce(&mut Drawing, f64, f64)) {
        let wide = sample + 6.0 + width(words, SMALL + 1.0) + 16.0;
        if self.x + wide > WIDTH && self.x > 0.0 {
            self.line();
        }
        draw(&mut self.canvas, self.x, self.y + 10.0);
        let at = (self.x + sample + 6.0, self.y + 14.0);
        self.canvas.text(at, "small", words);
        self.x += wide;
    }

    /// Adds words and their sample if the encounter has such a mark.
    fn entry_if(
        &mut self,
        is_shown: bool,
        sample: f64,
        words: &str,
        draw: impl FnOnce(&mut Drawing, f64, f64),
    ) {
        if is_shown {
            self.entry(sample, words, draw);
        }
    }

    fn line(&mut self) {
        self.x = 0.0;
        self.y += LINE;
    }
}
