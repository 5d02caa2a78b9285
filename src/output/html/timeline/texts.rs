//! The texts of blocks and arrows: sentences of the story.

use crate::fight::Fight;
use crate::output::html::Table;
use crate::output::html::words::named;
use crate::output::story::{Content, Line, Story};
use crate::sim::{Event, Record};

/// The word for a lane that ends with a fall.
pub(super) const FALLS: &str = "falls";

/// The story, which can be looked up by events.
pub(super) struct Texts<'a> {
    pub fight: &'a Fight,
    story: &'a Story,
    lines: Vec<Line>,
    /// The sentence of each event; empty if it has no line.
    sentences: Vec<String>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(fight: &'a Fight, story: &'a Story, record: &Record, why: bool) -> Self {
        let lines = story.lines(fight, record, why);
        let mut sentences = vec![String::new(); story.events.len()];
        for line in &lines {
            if let Content::Deed {
                who,
                sentence,
                dice,
            } = &line.content
            {
                let name = who.map_or("", |who| &fight.combatants[who].name);
                let dice = named(!dice.is_empty(), &format!(" [{dice}]"));
                let text = format!("{name} {sentence}{dice}");
                text.trim_start().clone_into(&mut sentences[line.event]);
            }
        }
        Self {
            fight,
            story,
            lines,
            sentences,
        }
    }

    pub(super) fn name(&self, who: usize) -> &'a str {
        &self.fight.combatants[who].name
    }

    /// Describes events, one a line. A walk is one line, and a policy line that is taken repeatedly is written once.
    pub(super) fn of(&self, events: &[usize]) -> String {
        let mut lines: Vec<String> = Vec::new();
        // The line of the walk, and the walk as one long step.
        let mut walk: Option<(usize, Event)> = None;
        for index in events {
            let event = self.story.events[*index].event;
            match (event, &mut walk) {
                (Event::Step { to: next, .. }, Some((_, Event::Step { to, .. }))) => *to = next,
                (Event::Step { .. }, _) => {
                    walk = Some((lines.len(), event));
                    lines.push(String::new());
                }
                _ => {
                    let line = &self.sentences[*index];
                    let is_decision = matches!(event, Event::Decision { .. });
                    let is_known = is_decision && lines.contains(line);
                    if !line.is_empty() && !is_known {
                        lines.push(line.clone());
                    }
                }
            }
        }
        if let Some((at, walk)) = walk {
            let sentence = Story::sentence(self.fight, &walk);
            let name = walk.subject().map_or("", |who| self.name(who));
            lines[at] = format!("{name} {sentence}");
        }
        lines.join("\n")
    }

    /// Describes who does what, and when: at the moment of an event.
    pub(super) fn deed(&self, (who, what): (usize, &str), event: usize) -> String {
        let moment = self.story.events[event].moment;
        let when = self.story.when(self.fight, moment, event);
        format!("{}, {when}: {what}", self.name(who))
    }

    /// Returns how the encounter ended.
    pub(super) fn ending(&self) -> &str {
        match self.lines.last().map(|line| &line.content) {
            Some(Content::End(ending)) => ending.lines().next().unwrap_or_default(),
            _ => "",
        }
    }

    /// Returns the word for the end of a lane, from the event that ends it.
    pub(super) fn ending_of(&self, event: usize) -> &'static str {
        match self.story.events[event].event {
            Event::Leaves { how, .. } => how.describe(),
            _ => FALLS,
        }
    }

    /// Returns the story line by line as a table.
    pub(super) fn table(&self) -> Table {
        let words = &self.fight.system.words;
        let mut table = Table::new(&[words.round, words.moment, "who", "what", "dice"], &[]);
        let mut row = |cells: [&str; 5]| table.row(cells.map(str::to_owned).into());
        for line in &self.lines {
            let round = &*line.moment.round.to_string();
            let stamp = &*Story::stamp(self.fight, line.moment);
            match &line.content {
                Content::Round => row([round, "", "", "begins", ""]),
                Content::Order(names) => row([round, stamp, "", &format!("order: {names}"), ""]),
                Content::Deed {
                    who,
                    sentence,
                    dice,
                } => {
                    let name = who.map_or("", |who| self.name(who));
                    // The depth of interrupts is shown by dots, because spaces would be lost.
                    let name = format!("{}{name}", "· ".repeat(line.depth));
                    row([round, stamp, &name, sentence.trim_start(), dice]);
                }
                Content::End(ending) => {
                    for (at, text) in ending.lines().enumerate() {
                        let words: Vec<&str> = text.split_whitespace().collect();
                        let round = if at == 0 { round } else { "" };
                        row([round, "", "", &words.join(" "), ""]);
                    }
                }
            }
        }
        table
    }
}
