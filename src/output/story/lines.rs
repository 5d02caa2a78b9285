//! The story line by line: the sentence of each event, before layout.

use super::Story;
use super::subject::subject;
use super::words::dice_note;
use super::writer::SentenceWriter;
use crate::fight::Fight;
use crate::fight::world::bit;
use crate::sim::Record;
use crate::sim::events::{Event, Moment};

/// A line of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The event that the line is about or precedes, as an index into [`Story::events`].
    pub event: usize,
    /// The time of the event.
    pub moment: Moment,
    /// The number of combatants that are interrupted at this moment.
    pub depth: usize,
    /// The content of the line.
    pub content: Content,
}

/// The content of a line of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A Round or a turn begins; holds its name and number.
    Round(String),
    /// The order of the scene has changed: the names in order (CD-1).
    Order(String),
    /// A combatant does something, or something happens to it.
    Deed {
        /// Index of the combatant, if the line is about one.
        who: Option<usize>,
        /// The sentence, without its subject.
        sentence: String,
        /// The dice that decided the event: `2d10: 7 4, d8: 3`. Empty without dice.
        dice: String,
    },
    /// The encounter is over; holds the ending, and a line for each combatant.
    End(String),
}

impl Story {
    /// Returns the story line by line. With `why`, each decision says why the policy lines above it were not taken.
    /// Each event has a line, with two exceptions: places in the order are listed once all have moved, and the end of
    /// an interrupt is left out if its victim has fallen.
    pub fn lines(&self, fight: &Fight, record: &Record, why: bool) -> Vec<Line> {
        let teller = self.writer(fight);
        let mut lines = Vec::with_capacity(self.events.len());
        let mut order = Order::default();
        // An interrupting combatant is indented below the interrupted one.
        let mut depth = 0;
        let mut fallen = 0;
        for (event, told) in self.events.iter().enumerate() {
            let line = |depth, content| Line {
                event,
                moment: told.moment,
                depth,
                content,
            };
            if !matches!(told.event, Event::Place { .. } | Event::Rejected { .. })
                && let Some(names) = order.change(&teller)
            {
                lines.push(line(depth, Content::Order(names)));
            }
            let content = match told.event {
                Event::Round => {
                    depth = 0;
                    let round = fight.system.words.round;
                    Content::Round(format!("{round} {}", told.moment.round))
                }
                Event::Place { who, place } => {
                    order.place(who, place);
                    continue;
                }
                Event::Rejected { .. } if !why => continue,
                Event::End { ending } => {
                    let story = &self.events[..];
                    Content::End(teller.ending(ending, story, told.moment, record))
                }
                event => {
                    match event {
                        Event::Interrupt { .. } => depth += 1,
                        Event::InterruptOver { target, .. } => {
                            depth -= 1;
                            // A combatant that fell while it was interrupted does not continue.
                            if fallen & bit(target) != 0 {
                                continue;
                            }
                        }
                        Event::Fall { who } => fallen |= bit(who),
                        _ => {}
                    }
                    Content::Deed {
                        who: subject(&event),
                        sentence: teller.sentence(&event),
                        dice: dice_note(&told.dice, teller.is_percentile(&event)),
                    }
                }
            };
            lines.push(line(depth, content));
        }
        // A story that stops before the encounter ends may stop with the order.
        if let (Some(names), Some(last)) = (order.change(&teller), self.events.last()) {
            lines.push(Line {
                event: self.events.len() - 1,
                moment: last.moment,
                depth,
                content: Content::Order(names),
            });
        }
        lines
    }
}

/// The order of the scene as shown in the story (CD-1).
#[derive(Default)]
struct Order {
    now: Vec<usize>,
    changed: bool,
}

impl Order {
    /// Moves a combatant to this place, counted from 1.
    fn place(&mut self, who: usize, place: usize) {
        self.now.retain(|other| *other != who);
        self.now.insert((place - 1).min(self.now.len()), who);
        self.changed = true;
    }

    /// Returns the names in order if the order has changed since the last call.
    fn change(&mut self, teller: &SentenceWriter<'_>) -> Option<String> {
        std::mem::take(&mut self.changed).then(|| {
            let names: Vec<&str> = self.now.iter().map(|who| teller.name(*who)).collect();
            names.join(", ")
        })
    }
}
