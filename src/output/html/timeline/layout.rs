//! The layout: rows of lanes, with time from left to right.

use super::super::drawing::{BOLD, Drawing, Px};
use super::lane_row::{LaneRow, NAME, SMALL};
use super::letters::{cut, width};
use super::model::{Round, Tick, Timeline};
use super::texts::Texts;
use super::{arrows, places};
use crate::fight::Fight;
use crate::output::html::palette;
use serde::Serialize;
use std::ops::Range;

/// The width of a row, unless it has more columns than fit.
pub(super) const WIDTH: f64 = 960.0;
/// The least width of a column, its greatest width in one of several rows, and its greatest width in a single row.
const COLUMN: [f64; 3] = [24.0, 92.0, 240.0];
/// The least width of a Mark.
const MARK: f64 = 6.0;
/// The fewest ticks of a row, if unplayed Marks are left out.
const FEWEST: u32 = 8;
/// Extra room between two sides, in which arrows can be seen.
const BETWEEN: f64 = 22.0;

/// A horizontal strip of the picture.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Strip {
    /// Its description.
    pub label: String,
    /// Its top in the whole picture.
    pub y: Px,
    pub drawing: Drawing,
}

impl Strip {
    pub(super) fn new(label: String, drawing: Drawing) -> Self {
        Self {
            label,
            y: Px(0.0),
            drawing,
        }
    }
}

/// Data that all rows share.
pub(super) struct Layout<'a> {
    pub timeline: &'a Timeline,
    pub fight: &'a Fight,
    pub texts: &'a Texts<'a>,
    /// Combatants from top to bottom, grouped by side.
    pub order: Vec<usize>,
    /// The start of the lanes.
    pub gutter: f64,
    /// Width right of the lanes.
    pub margin: f64,
    /// Whether the picture has a single row.
    pub alone: bool,
    /// Whether shapes have tooltips. If there is no room for tooltips, the table has the text.
    pub tells: bool,
}

impl<'a> Layout<'a> {
    pub(super) fn new(
        timeline: &'a Timeline,
        texts: &'a Texts<'a>,
        alone: bool,
        tells: bool,
    ) -> Self {
        let fight = texts.fight;
        let mut order: Vec<usize> = (0..fight.combatants.len()).collect();
        order.sort_by_key(|who| fight.combatants[*who].side);
        let names = fight.combatants.iter().map(|combatant| &combatant.name);
        let widest = names
            .map(|name| width(name, NAME * BOLD))
            .fold(0.0, f64::max);
        let margin = if timeline.anybody_moves() {
            let least = if order.len() > 4 { 76.0 } else { 40.0 };
            (widest * SMALL / NAME).clamp(least, 96.0) + 10.0
        } else {
            40.0
        };
        Self {
            timeline,
            fight,
            texts,
            order,
            gutter: widest.clamp(64.0, 150.0) + 19.0,
            margin,
            alone,
            tells,
        }
    }

    /// Returns the colour of a side, from 1, as style rows number colours.
    pub(super) fn colour_of(side: usize) -> usize {
        palette::side(side) + 1
    }

    /// Returns the colour of a combatant.
    pub(super) fn colour(&self, who: usize) -> usize {
        Self::colour_of(self.fight.combatants[who].side)
    }

    /// Returns the index of a combatant within its side, from 0.
    pub(super) fn rank(&self, who: usize) -> usize {
        let all = &self.fight.combatants;
        let before = all[..who].iter();
        before.filter(|other| other.side == all[who].side).count()
    }

    /// Returns the short text of a shape, who does what and when, and the sentences of its events.
    pub(super) fn label_and_title(
        &self,
        deed: Option<(usize, &str)>,
        events: &[usize],
    ) -> [String; 2] {
        if !self.tells {
            return [String::new(), String::new()];
        }
        let label = deed.map(|deed| self.texts.deed(deed, events[0]));
        [label.unwrap_or_default(), self.texts.of(events)]
    }

    /// Returns the name of Rounds: `Round 3`, or `Rounds 3 to 5`.
    fn name(&self, rounds: &[Round]) -> String {
        let word = self.fight.system.words.round;
        match rounds {
            [] => unreachable!("a row has a Round"),
            [only] => format!("{word} {}", only.number),
            [first, .., last] => format!("{word}s {} to {}", first.number, last.number),
        }
    }

    /// Returns the ticks from the beginning of the first Round to the end of the last.
    fn ticks(rounds: &[Round]) -> Range<Tick> {
        let (Some(first), Some(last)) = (rounds.first(), rounds.last()) else {
            unreachable!("a row has a Round")
        };
        first.ticks.start..last.ticks.end
    }

    /// Draws a strip that describes the Rounds that are left out.
    pub(super) fn left_out(&self, rounds: Range<usize>) -> Strip {
        let rounds = &self.timeline.rounds[rounds];
        let ticks = Self::ticks(rounds);
        let mut blocks = self.timeline.blocks.iter();
        let has_blocks = blocks.any(|block| ticks.contains(&block.ticks.start));
        let arrows = self.timeline.arrows.iter();
        let what = match arrows.filter(|arrow| ticks.contains(&arrow.at)).count() {
            _ if !has_blocks => "no actions".to_owned(),
            0 => "no attacks".to_owned(),
            1 => "one attack or spell".to_owned(),
            many => format!("{many} attacks and spells"),
        };
        let mut canvas = Drawing::new(WIDTH);
        canvas.height = Px(36.0);
        let verb = if rounds.len() == 1 { "is" } else { "are" };
        let label = format!("{} {verb} left out: {what}.", self.name(rounds));
        canvas.path("M4 18l8 -6 8 12 8 -12 8 12 8 -6".to_owned(), "gap");
        let words = cut(&label, SMALL + 0.5, WIDTH - 60.0);
        canvas.text((56.0, 22.0), "soft", &words);
        Strip::new(label, canvas)
    }

    /// Draws Rounds side by side.
    pub(super) fn row(&self, rounds: Range<usize>) -> Strip {
        let all = &self.timeline.rounds[rounds];
        let mut ticks = Self::ticks(all);
        if self.alone {
            // A fight that ends early takes the whole width.
            let fewest = ticks.start + FEWEST;
            ticks.end = fewest.max(self.timeline.end + 1).min(ticks.end);
        }
        let room = WIDTH - self.gutter - self.margin;
        let least = if self.timeline.measure.is_marks() {
            MARK
        } else {
            COLUMN[0]
        };
        let most = COLUMN[if self.alone { 2 } else { 1 }];
        let cell = (room / f64::from(ticks.end - ticks.start)).clamp(least, most);
        let mut row = LaneRow {
            layout: self,
            ticks,
            left: self.gutter,
            cell,
            lanes: vec![None; self.order.len()],
            arrows: Vec::new(),
        };
        row.arrows = arrows::places(&row);
        let mut canvas = Drawing::new((row.right() + self.margin).max(WIDTH));
        let mut y = row.head_height();
        let mut side = None;
        for who in self.order.iter().copied() {
            let lane = &self.timeline.lanes[who];
            let ended_before = lane.ended.is_some_and(|(at, _)| at < row.ticks.start);
            let begins_later = lane.begins.is_none_or(|at| at >= row.ticks.end);
            if ended_before || begins_later {
                continue;
            }
            let own = self.fight.combatants[who].side;
            if side.is_some_and(|side| side != own) {
                y += BETWEEN;
            }
            side = Some(own);
            row.lanes[who] = Some(y);
            y += row.height(who);
        }
        row.head(&mut canvas, y - 4.0, all);
        for (who, y) in row.shown() {
            row.lane(&mut canvas, who, y);
        }
        for block in &self.timeline.blocks {
            row.block(&mut canvas, block);
        }
        arrows::draw(&row, &mut canvas);
        for (who, y) in row.shown() {
            row.words(&mut canvas, who, y);
        }
        row.signs(&mut canvas);
        canvas.height = Px(places::draw(&row, &mut canvas, y) + 10.0);
        Strip::new(self.name(all), canvas)
    }
}
