//! The story line by line: the sentence of each event, before layout.

use super::Story;
use super::words::dice_note;
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
    /// A Round or a turn begins.
    Round,
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
        let writer = self.writer(fight);
        let mut lines = Vec::with_capacity(self.events.len());
        let mut order: Vec<usize> = Vec::new();
        // An interrupting combatant is indented below the interrupted one.
        let mut depth = 0;
        let mut fallen = 0;
        for (event, entry) in self.events.iter().enumerate() {
            let content = match entry.event {
                Event::Round => {
                    depth = 0;
                    Content::Round
                }
                Event::Place { who, place } => {
                    order.retain(|other| *other != who);
                    order.insert((place - 1).min(order.len()), who);
                    let next = self.events.get(event + 1).map(|next| next.event);
                    if matches!(next, Some(Event::Place { .. })) {
                        continue;
                    }
                    let names: Vec<&str> = order.iter().map(|who| writer.name(*who)).collect();
                    Content::Order(names.join(", "))
                }
                Event::Rejected { .. } if !why => continue,
                Event::End { ending } => {
                    let story = &self.events[..];
                    Content::End(writer.ending(ending, story, entry.moment, record))
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
                        Event::Fall { who } | Event::GoesDown { who } => fallen |= bit(who),
                        Event::StandsAgain { who } => fallen &= !bit(who),
                        _ => {}
                    }
                    Content::Deed {
                        who: event.subject(),
                        sentence: writer.sentence(&event),
                        dice: dice_note(&entry.dice, writer.is_percentile(&event)),
                    }
                }
            };
            lines.push(Line {
                event,
                moment: entry.moment,
                depth,
                content,
            });
        }
        lines
    }
}
