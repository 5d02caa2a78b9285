//! A row of lanes: headings, lanes with their health, blocks, and signs on the lanes.

use super::super::drawing::{BOLD, Drawing, Px, circle, cross, diamond, polygon};
use super::layout::Layout;
use super::letters::{cut, cut_name, width};
use super::model::{Block, Heading, LastingState, Measure, Outcome, Round, Tick};
use super::texts::FALLS;
use crate::sim::events::ActionKind;
use std::ops::Range;

/// Within a lane: the top of blocks, and their height.
pub(super) const BLOCK: [f64; 2] = [3.0, 18.0];
/// Within a lane: the top of health, and its full height.
const HEALTH: [f64; 2] = [24.0, 10.0];
/// The height of a lane without conditions, and of a line of conditions.
const LANE: f64 = 42.0;
const CONDITION: f64 = 14.0;
/// Font size on blocks.
const ON_BLOCK: f64 = 11.0;
/// Font size of names.
pub(super) const NAME: f64 = 12.5;
/// Font size of all other text.
pub(super) const SMALL: f64 = 10.5;

/// A row under construction.
pub(super) struct LaneRow<'a> {
    pub layout: &'a Layout<'a>,
    pub ticks: Range<Tick>,
    pub left: f64,
    /// Width of a tick, in pixels.
    pub cell: f64,
    /// The top of each combatant's lane, if it has one in this row.
    pub lanes: Vec<Option<f64>>,
    /// The arrows of this row, as indices with horizontal positions.
    pub arrows: Vec<(usize, f64)>,
}

impl LaneRow<'_> {
    /// Returns the combatants with a lane in this row, from top to bottom, and the top of each lane.
    pub(super) fn shown(&self) -> impl Iterator<Item = (usize, f64)> {
        let order = self.layout.order.iter();
        order.filter_map(|&who| Some((who, self.lanes[who]?)))
    }

    /// Returns the start of a tick.
    pub(super) fn x(&self, tick: Tick) -> f64 {
        let tick = tick.clamp(self.ticks.start, self.ticks.end);
        self.left + f64::from(tick - self.ticks.start) * self.cell
    }

    /// Returns the end of the lanes.
    pub(super) fn right(&self) -> f64 {
        self.x(self.ticks.end)
    }

    /// Returns the point within a tick at which a combatant changes: where it is hit last, or the middle of the tick.
    fn change(&self, who: usize, tick: Tick) -> f64 {
        let arrows = &self.layout.timeline.arrows;
        let hits = self
            .arrows
            .iter()
            .filter(|(arrow, _)| arrows[*arrow].at == tick && arrows[*arrow].target == Some(who));
        let last = hits.map(|(_, x)| *x).next_back();
        last.unwrap_or(self.x(tick) + self.cell / 2.0)
    }

    /// Returns the end of a lane, if it is in this row.
    pub(super) fn end(&self, who: usize) -> Option<f64> {
        let (at, _) = self.layout.timeline.lanes[who].ended?;
        self.ticks
            .contains(&at)
            .then(|| self.change(who, at) + 13.0)
    }
}

/// The label of a turn in which Sleepers watch.
pub(super) const SLEEPERS: &str = "Sleepers";

/// Draws an eye, 13 units wide, whose left corner is at `x` and `y`.
pub(super) fn eye(canvas: &mut Drawing, x: f64, y: f64) {
    let (left, height) = (Px(x), Px(y));
    let lids = format!("M{left} {height}q6.5 -8 13 0q-6.5 8 -13 0Z");
    canvas.path(lids, "grave l8");
    canvas.path(circle((x + 6.5, y), 2.0), "dot");
}

/// Draws the end of a lane, with a cross if the combatant falls.
pub(super) fn grave(canvas: &mut Drawing, at: (f64, f64), colour: usize, is_fall: bool) {
    canvas.path(circle(at, 9.0), &format!("grave l{colour}"));
    if is_fall {
        canvas.path(cross(at, 4.5), &format!("cross l{colour}"));
    }
}

/// Draws an action that takes no time.
pub(super) fn instant(canvas: &mut Drawing, at: (f64, f64), colour: usize) {
    canvas.path(diamond(at, (4.0, 9.0)), &format!("instant f{colour}"));
}

/// Returns the class of actions of a kind.
pub(super) fn look(kind: ActionKind, colour: usize) -> String {
    use ActionKind::{Attack, Car, Cast, Charge, Counter, Lost, Move, Ready, Wait};
    match kind {
        Attack | Charge | Counter => format!("deed f{colour}"),
        Move | Car => format!("move f{colour} l{colour}"),
        Cast => format!("cast f{colour} l{colour}"),
        Wait | Ready | Lost => format!("idle l{colour}"),
        _ => format!("plain l{colour}"),
    }
}

/// Draws an action; one that moves its combatant has a point.
pub(super) fn deed(canvas: &mut Drawing, kind: ActionKind, place: [f64; 4], colour: usize) {
    let look = look(kind, colour);
    let [left, top, wide, height] = place;
    if wide > 12.0
        && matches!(
            kind,
            ActionKind::Move | ActionKind::Car | ActionKind::Charge
        )
    {
        let [left, top, half, long] = [left, top, height / 2.0, wide - 6.0].map(Px);
        let d = format!("M{left} {top}h{long}l6 {half}l-6 {half}h-{long}Z");
        canvas.path(d, &look);
    } else {
        canvas.block(place, &look, "");
    }
}

/// Draws the time in which a combatant has a condition.
pub(super) fn condition_bar(canvas: &mut Drawing, place: [f64; 4], colour: usize) {
    canvas.block(place, &format!("move f{colour} l{colour}"), "");
}

impl LaneRow<'_> {
    /// Returns the conditions that a combatant has in this row, each with the line that it stands on. Conditions that
    /// last at the same time have lines of their own.
    fn conditions(&self, who: usize) -> Vec<(usize, &LastingState, u8)> {
        let mut ends: Vec<Tick> = Vec::new();
        let states = self.layout.timeline.states.iter();
        let own = states.filter(|state| {
            let Range { start, end } = state.ticks;
            state.who == who && start < self.ticks.end && end.max(start + 1) > self.ticks.start
        });
        let placed = own.filter_map(|state| {
            let condition = state.condition?;
            let free = ends.iter().position(|end| *end <= state.ticks.start);
            let line = free.unwrap_or(ends.len());
            ends.resize(ends.len().max(line + 1), 0);
            ends[line] = state.ticks.end.max(state.ticks.start + 1);
            Some((line, state, condition))
        });
        placed.collect()
    }

    /// Returns the height of a combatant's lane.
    pub(super) fn height(&self, who: usize) -> f64 {
        let lines = self.conditions(who).iter().map(|(line, ..)| line + 1).max();
        LANE + CONDITION * lines.unwrap_or(0) as f64
    }

    fn marks(&self) -> bool {
        self.layout.timeline.measure.is_marks()
    }

    /// Whether the row has headings of Phases and of stages.
    fn headed(&self) -> [bool; 2] {
        let timeline = self.layout.timeline;
        let stages = timeline.stages.iter().any(|stage| !stage.label.is_empty());
        [!timeline.phases.is_empty(), stages && !self.marks()]
    }

    pub(super) fn head_height(&self) -> f64 {
        24.0 + 15.0 * self.headed().iter().filter(|headed| **headed).count() as f64
    }

    /// Draws the headings of Rounds, Phases and stages above the lanes, and the lines between them down to `bottom`.
    pub(super) fn head(&self, canvas: &mut Drawing, bottom: f64, rounds: &[Round]) {
        let timeline = self.layout.timeline;
        let word = self.layout.fight.system.words.round;
        if let Measure::Marks(marks) = timeline.measure {
            let marks = marks as u32;
            let [round] = rounds else {
                unreachable!("a row is a Round")
            };
            canvas.text((0.0, 15.0), "round", &format!("{word} {}", round.number));
            let (name, number) = (format!("Mark {marks}"), marks.to_string());
            let first = fitting([&name, &number], SMALL, 5.0 * self.cell);
            canvas.text((self.left, 15.0), "small soft", first);
            for mark in 0..=marks {
                let tick = round.ticks.start + marks - mark;
                let x = self.x(tick);
                if mark % 5 == 0 && tick < self.ticks.end {
                    canvas.line((x, 20.0), (x, bottom), "grid");
                    if mark < marks {
                        let at = (x + self.cell / 2.0, 15.0);
                        canvas.text(at, "small soft m", &mark.to_string());
                    }
                }
            }
            let x = self.right();
            canvas.line((x, 20.0), (x, bottom), "grid");
            return;
        }
        let [phases, stages] = self.headed();
        let stage_y = if phases { 44.0 } else { 29.0 };
        let moment = self.layout.fight.system.words.moment;
        if stages {
            canvas.text((9.0, stage_y), "small soft", moment);
        }
        for stage in self.within(&timeline.stages) {
            let (x, end) = (self.x(stage.ticks.start), self.x(stage.ticks.end));
            canvas.line((x, stage_y - 10.0), (x, bottom), "grid");
            let label = cut(&stage.label, SMALL, end - x);
            canvas.text((f64::midpoint(x, end), stage_y), "small soft m", &label);
        }
        for phase in self.within(&timeline.phases) {
            let (x, end) = (self.x(phase.ticks.start), self.x(phase.ticks.end));
            canvas.line((x, 20.0), (x, bottom), "phase");
            let short = phase.label.trim_start_matches("Phase ");
            let label = fitting([&phase.label, short], SMALL, end - x - 8.0);
            canvas.text((x + 4.0, 29.0), "small soft", label);
        }
        for round in rounds {
            let (x, end) = (self.x(round.ticks.start), self.x(round.ticks.end));
            canvas.line((x, 4.0), (x, bottom), "border");
            let (name, number) = (format!("{word} {}", round.number), round.number.to_string());
            let label = fitting([&name, &number], NAME, end - x - 8.0);
            canvas.text((x + 4.0, 15.0), "round", label);
            if let Some(event) = round.watched {
                let beside = x + 4.0 + width(label, NAME) + 6.0;
                self.eye(canvas, beside, end, event);
            }
        }
        let x = self.right();
        canvas.line((x, 4.0), (x, bottom), "border");
    }

    /// Draws an eye beside the name of a turn in which Sleepers watch, and the word if there is room.
    fn eye(&self, canvas: &mut Drawing, x: f64, end: f64, event: usize) {
        let layout = self.layout;
        let texts = layout.label_and_title(None, &[event]);
        // In a narrow column the eye is below the number.
        let (x, y) = if x + 16.0 < end {
            (x, 11.0)
        } else {
            (end - 15.0, 20.0)
        };
        canvas.group("sleepers", texts, |canvas| eye(canvas, x, y));
        if x + 20.0 + width(SLEEPERS, SMALL) < end {
            canvas.text((x + 17.0, y + 4.0), "small soft", SLEEPERS);
        }
    }

    fn within<'b>(&'b self, headings: &'b [Heading]) -> impl Iterator<Item = &'b Heading> {
        let here = |heading: &&Heading| {
            heading.ticks.start >= self.ticks.start && heading.ticks.end <= self.ticks.end
        };
        headings.iter().filter(here)
    }

    /// Draws the name of a lane's combatant, and its health over time.
    pub(super) fn lane(&self, canvas: &mut Drawing, who: usize, y: f64) {
        let layout = self.layout;
        let lane = &layout.timeline.lanes[who];
        let combatant = &layout.fight.combatants[who];
        let colour = layout.colour(who);
        canvas.block([0.0, y + 3.0, 4.0, 31.0], &format!("f{colour}"), "");
        let name = cut_name(&combatant.name, NAME * BOLD, layout.gutter - 16.0);
        canvas.text((9.0, y + 16.0), "name", &name);
        let health = lane.health_at(self.ticks.start);
        let left = format!("{health} of {}", combatant.health);
        canvas.text((9.0, y + 33.0), "small soft", &left);

        let begin = lane.begins.map_or(self.left, |at| self.x(at));
        let end = self.end(who).unwrap_or(self.right());
        let turn = |from: f64, width: f64, canvas: &mut Drawing| {
            canvas.block([from, y + BLOCK[0], width, BLOCK[1]], "turn", "");
        };
        if self.marks() {
            canvas.line((begin, middle(y)), (end, middle(y)), "grid");
            let mut scores = lane.scores.iter();
            if let Some((at, _)) = scores.find(|(at, _)| self.ticks.contains(at)) {
                let from = self.x(*at);
                turn(from, (end - from).max(0.0), canvas);
            }
        } else {
            turn(begin, end - begin, canvas);
        }

        // The outline of health has a step for each change.
        let base = y + HEALTH[0] + HEALTH[1];
        let most = f64::from(combatant.health.max(1));
        let top = |health: i32| base - (f64::from(health.max(0)) / most).min(1.0) * HEALTH[1];
        let mut area = vec![(begin, base), (begin, top(health))];
        let mut now = health;
        for (x, next) in self.changes(who) {
            area.extend([(x, top(now)), (x, top(next))]);
            now = next;
        }
        area.extend([(end, top(now)), (end, base)]);
        canvas.path(polygon(&area), &format!("health f{colour}"));
        canvas.line((begin, base), (end, base), "base");
        if self.end(who).is_none() {
            canvas.text((self.right() + 6.0, base), "small soft", &now.to_string());
        }
    }

    /// Returns the changes of health in this row.
    fn changes(&self, who: usize) -> Vec<(f64, i32)> {
        self.layout.timeline.lanes[who]
            .health
            .iter()
            .skip(1)
            .filter(|(at, _)| self.ticks.contains(at))
            .map(|(at, health)| (self.change(who, *at), *health))
            .collect()
    }

    /// Writes the labels of a lane, above all lines that cross it.
    pub(super) fn words(&self, canvas: &mut Drawing, who: usize, y: f64) {
        let base = y + HEALTH[0] + HEALTH[1];
        let end = self.end(who).unwrap_or(self.right());
        let changes = self.changes(who);
        let mut free = self.left;
        for (index, (x, health)) in changes.iter().enumerate() {
            let next = changes.get(index + 1).map_or(end, |next| next.0);
            let text = health.to_string();
            let needed = width(&text, SMALL) + 3.0;
            if *health > 0 && x + 2.0 >= free && next - x > needed {
                canvas.text((x + 2.5, base - 0.5), "small over", &text);
                free = x + needed;
            }
        }
        for (index, block) in self.layout.timeline.blocks.iter().enumerate() {
            if block.who == who
                && let Some((from, to)) = self.span(block)
                && to > from
            {
                let from = self.beside_crack(index, from + 4.0);
                self.label(canvas, block, (from, y + BLOCK[0] + 13.0), to - from - 2.0);
            }
        }
    }

    /// Returns the start of the label on a block that begins at `from`. If the block cracks near its start, the label
    /// follows the crack.
    fn beside_crack(&self, block: usize, from: f64) -> f64 {
        let timeline = self.layout.timeline;
        let cracks = self.arrows.iter().filter(|(arrow, _)| {
            let arrow = &timeline.arrows[*arrow];
            arrow.block == Some(block) && arrow.outcome == Outcome::Fizzled
        });
        let label = timeline.blocks[block].labels.first();
        let wide = label.map_or(0.0, |label| width(label, ON_BLOCK));
        let near = cracks
            .map(|(_, x)| *x)
            .find(|x| (from - 8.0..from + wide + 6.0).contains(x));
        near.map_or(from, |x| x + 9.0)
    }

    /// Writes the label on a block, if there is room.
    fn label(&self, canvas: &mut Drawing, block: &Block, at: (f64, f64), room: f64) {
        let colour = self.layout.colour(block.who);
        let class = match block.kind {
            ActionKind::Attack | ActionKind::Charge => format!("on l{colour}"),
            _ => "label over".to_owned(),
        };
        let mut labels = block.labels.iter();
        if let Some(label) = labels.find(|label| width(label, ON_BLOCK) <= room) {
            canvas.text(at, &class, label);
        } else if let Some(label) = block.labels.first()
            && room > 34.0
        {
            canvas.text(at, &class, &cut(label, ON_BLOCK, room));
        }
    }

    /// Returns the start and the end of a block in this row, if it is in the row. They are equal for an instant.
    fn span(&self, block: &Block) -> Option<(f64, f64)> {
        let (ticks, shown) = (&block.ticks, &self.ticks);
        if ticks.is_empty() {
            let at = self.x(ticks.start) + 1.0;
            return shown.contains(&ticks.start).then_some((at, at));
        }
        let from = self.x(ticks.start) + 1.0;
        let to = (self.x(ticks.end) - 1.0).min(self.end(block.who).unwrap_or(f64::MAX));
        (ticks.start < shown.end && ticks.end > shown.start).then_some((from, to.max(from + 2.0)))
    }

    pub(super) fn block(&self, canvas: &mut Drawing, block: &Block) {
        let Some(lane) = self.lanes[block.who] else {
            return;
        };
        let Some((from, to)) = self.span(block) else {
            return;
        };
        let layout = self.layout;
        let colour = layout.colour(block.who);
        let what = block.labels.first().map_or("", String::as_str);
        let label = Some((block.who, what));
        let texts = layout.label_and_title(label, &block.events);
        canvas.group("block", texts, |canvas| {
            if to > from {
                let place = [from, lane + BLOCK[0], to - from, BLOCK[1]];
                deed(canvas, block.kind, place, colour);
            } else {
                // It is drawn on the edge of the next block.
                instant(canvas, (from - 1.0, middle(lane)), colour);
            }
        });
    }

    /// Draws interruptions, other events on a lane, and ends of lanes.
    pub(super) fn signs(&self, canvas: &mut Drawing) {
        let layout = self.layout;
        for state in &layout.timeline.states {
            let (Some(lane), None) = (self.lanes[state.who], state.condition) else {
                continue;
            };
            let (from, to) = (self.x(state.ticks.start), self.x(state.ticks.end));
            if to > from {
                let colour = layout.colour(state.who);
                let [from, to] = [from, to].map(|x| (x, middle(lane)));
                canvas.line(from, to, &format!("pause l{colour}"));
            }
        }
        for (who, lane) in self.shown() {
            for (line, state, condition) in self.conditions(who) {
                let Range { start, end } = state.ticks;
                let is_begun_here = self.ticks.contains(&start);
                let from = if is_begun_here {
                    self.change(who, start)
                } else {
                    self.left
                };
                let to = self.x(end).min(self.end(who).unwrap_or(f64::MAX));
                let y = lane + LANE - 4.0 + CONDITION * line as f64;
                let place = [from, y, (to - from).max(2.0), CONDITION - 2.0];
                let name = &layout.fight.conditions[usize::from(condition)].name;
                let texts = layout.label_and_title(Some((who, name)), &state.events);
                let bar = |canvas: &mut _| condition_bar(canvas, place, layout.colour(who));
                canvas.group("state", texts, bar);
                let name = cut(name, SMALL, place[2] - 4.0);
                if name.chars().count() > 2 {
                    canvas.text((from + 3.0, place[1] + 9.5), "small over", &name);
                }
            }
        }
        for note in &layout.timeline.notes {
            let (Some(lane), true) = (self.lanes[note.who], self.ticks.contains(&note.at)) else {
                continue;
            };
            let texts = layout.label_and_title(None, &[note.event]);
            // In a column the note follows the action.
            let x = if self.marks() {
                self.x(note.at) + 3.0
            } else {
                self.x(note.at + 1) - 6.0
            };
            let dot = circle((x, lane + BLOCK[0] - 1.0), 3.0);
            canvas.group("note", texts, |canvas| canvas.path(dot, "dot"));
        }
        for (who, lane) in self.shown() {
            let ended = layout.timeline.lanes[who].ended;
            let (Some(x), Some((_, event))) = (self.end(who), ended) else {
                continue;
            };
            let colour = layout.colour(who);
            let word = layout.texts.ending_of(event);
            let texts = layout.label_and_title(Some((who, word)), &[event]);
            let y = middle(lane);
            canvas.group("fall", texts, |canvas| {
                grave(canvas, (x, y), colour, word == FALLS);
            });
            canvas.text((x + 13.0, y + 4.0), "fallen over", word);
        }
    }
}

/// Returns the first of two texts if it fits, otherwise the second.
fn fitting([long, short]: [&str; 2], letter: f64, room: f64) -> &str {
    if width(long, letter) < room {
        long
    } else {
        short
    }
}

/// Returns the middle of the blocks of a lane.
fn middle(lane: f64) -> f64 {
    lane + BLOCK[0] + BLOCK[1] / 2.0
}
