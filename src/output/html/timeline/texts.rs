//! The texts of blocks and arrows: sentences of the story.

use super::model::{Arrow, Block, Measure, Outcome, Timeline};
use crate::fight::Fight;
use crate::fight::program::Leaving;
use crate::output::html::Table;
use crate::output::story::{Content, Line, Story, subject};
use crate::sim::{Event, Record};

/// The word for a lane that ends with a fall.
pub(super) const FALLS: &str = "falls";

/// The story, which can be looked up by events.
pub(super) struct Texts<'a> {
    fight: &'a Fight,
    story: &'a Story,
    lines: Vec<Line>,
    /// The line of each event, if it has one.
    line_of: Vec<Option<usize>>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(fight: &'a Fight, story: &'a Story, record: &Record, why: bool) -> Self {
        let lines = story.lines(fight, record, why);
        let mut line_of = vec![None; story.events.len()];
        for (at, line) in lines.iter().enumerate() {
            if matches!(line.content, Content::Deed { .. }) {
                line_of[line.event] = Some(at);
            }
        }
        Self {
            fight,
            story,
            lines,
            line_of,
        }
    }

    pub(super) fn name(&self, who: usize) -> &'a str {
        &self.fight.combatants[who].name
    }

    /// Describes events, one a line. A walk is one line, and a policy line that is taken repeatedly is written once.
    pub(super) fn of(&self, events: &[usize]) -> String {
        let mut told: Vec<String> = Vec::new();
        // The line of the walk, and the walk as one long step.
        let mut walk: Option<(usize, Event)> = None;
        for index in events {
            let event = self.story.events[*index].event;
            if let Event::Step { to, .. } = event {
                let (_, way) = walk.get_or_insert_with(|| {
                    told.push(String::new());
                    (told.len() - 1, event)
                });
                if let Event::Step { to: end, .. } = way {
                    *end = to;
                }
                continue;
            }
            let Some(Content::Deed {
                who,
                sentence,
                dice,
            }) = self.line_of[*index].map(|line| &self.lines[line].content)
            else {
                continue;
            };
            let who = who.map_or("", |who| self.name(who));
            let dice = if dice.is_empty() {
                String::new()
            } else {
                format!(" [{dice}]")
            };
            let line = format!("{who} {sentence}{dice}").trim_start().to_owned();
            if !told.contains(&line) || !sentence.starts_with("> ") {
                told.push(line);
            }
        }
        if let Some((at, way)) = walk {
            let sentence = Story::sentence(self.fight, &way);
            let who = subject(&way).map_or("", |who| self.name(who));
            told[at] = format!("{who} {sentence}");
        }
        told.join("\n")
    }

    /// Describes a moment in words.
    fn when(&self, timeline: &Timeline, tick: u32) -> String {
        let round = timeline.rounds.iter().find(|round| tick < round.ticks.end);
        let Some(round) = round.or(timeline.rounds.last()) else {
            return String::new();
        };
        let word = self.fight.system.words.round;
        let number = round.number;
        match timeline.measure {
            Measure::Marks(marks) => {
                let marks = marks as u32;
                let mark = marks - (tick - round.ticks.start).min(marks);
                format!("{word} {number}, Mark {mark}")
            }
            Measure::Columns => format!("{word} {number}"),
        }
    }

    /// Describes who does what in a block, and when.
    pub(super) fn block(&self, timeline: &Timeline, block: &Block) -> String {
        let label = block.labels.first().map_or("", String::as_str);
        let when = self.when(timeline, block.ticks.start);
        format!("{}, {when}: {label}", self.name(block.who))
    }

    /// Describes an arrow without a block: who counters, or whose spell fizzles, and when.
    pub(super) fn arrow(&self, timeline: &Timeline, arrow: &Arrow) -> String {
        let when = self.when(timeline, arrow.at);
        let what = match arrow.outcome {
            Outcome::Fizzled => "fizzles",
            _ => "counter",
        };
        format!("{}, {when}: {what}", self.name(arrow.who))
    }

    /// Returns how the encounter ended.
    pub(super) fn ending(&self) -> &str {
        let mut lines = self.lines.iter().rev();
        let ending = lines.find_map(|line| match &line.content {
            Content::End(ending) => ending.lines().next(),
            _ => None,
        });
        ending.unwrap_or_default()
    }

    /// Returns the word for the end of a lane, from the event that ends it.
    pub(super) fn ending_of(&self, event: usize) -> &'static str {
        match self.story.events[event].event {
            Event::Leaves { how, .. } => match how {
                Leaving::Flees => "flees",
                Leaving::Surrenders => "surrenders",
            },
            _ => FALLS,
        }
    }

    /// Describes whose lane ends, when and how.
    pub(super) fn end(
        &self,
        timeline: &Timeline,
        who: usize,
        (tick, event): (u32, usize),
    ) -> String {
        let how = self.ending_of(event);
        format!("{}, {}: {how}", self.name(who), self.when(timeline, tick))
    }

    /// Returns the story line by line as a table.
    pub(super) fn table(&self, timeline: &Timeline) -> Table {
        let words = &self.fight.system.words;
        let mut table = Table::new(&[words.round, words.moment, "who", "what", "dice"], &[]);
        for line in &self.lines {
            let round = line.moment.round.to_string();
            let (who, what, dice) = match &line.content {
                Content::Round => (String::new(), "begins".to_owned(), String::new()),
                Content::Order(names) => (String::new(), format!("order: {names}"), String::new()),
                Content::Deed {
                    who,
                    sentence,
                    dice,
                } => {
                    let name = who.map_or("", |who| self.name(who));
                    // The depth of interrupts is shown by dots, because spaces would be lost.
                    let name = format!("{}{name}", "· ".repeat(line.depth));
                    (name, sentence.trim_start().to_owned(), dice.clone())
                }
                Content::End(ending) => {
                    for (at, told) in ending.lines().enumerate() {
                        let what = told.split_whitespace().collect::<Vec<_>>().join(" ");
                        let round = if at == 0 { &*round } else { "" };
                        table.row([round, "", "", &what, ""].map(str::to_owned).into());
                    }
                    continue;
                }
            };
            let mark = line.moment.mark;
            let unmarked = mark == 0 && timeline.clock != crate::fight::system::Clock::Marks;
            let mark = if unmarked || matches!(line.content, Content::Round) {
                String::new()
            } else {
                mark.to_string()
            };
            table.row(vec![round, mark, who, what, dice]);
        }
        table
    }
}
