//! The story line by line: the sentence of each event, before layout.

use super::Story;
use super::subject::subject;
use super::teller::Teller;
use super::words::dice_note;
use crate::fight::Fight;
use crate::fight::world::bit;
use crate::sim::Record;
use crate::sim::events::{Event, Moment};

/// A line of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The event that it tells, or that it comes before, as an index into [`Story::events`].
    pub event: usize,
    /// When.
    pub moment: Moment,
    /// The number of interrupted combatants below this one.
    pub depth: usize,
    /// Its content.
    pub content: Content,
}

/// The content of a line of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A Round or turn begins: its name and number.
    Round(String),
    /// The order of the scene has changed: the names in order (CD-1).
    Order(String),
    /// A combatant does or suffers something.
    Deed {
        /// Index of the combatant, if it is about one.
        who: Option<usize>,
        /// The sentence, without its subject.
        sentence: String,
        /// The dice that decided it: `2d10: 7 4, d8: 3`; empty without.
        dice: String,
    },
    /// The encounter is over: how, and a line for each combatant.
    End(String),
}

impl Story {
    /// The story line by line; with `why`, each decision says why the lines above it were not taken.
    /// Each event has its line, but for those of places in the order, which are told once all have
    /// moved, and the end of an interrupt whose victim has fallen.
    #[must_use]
    pub fn lines(&self, fight: &Fight, record: &Record, why: bool) -> Vec<Line> {
        let teller = Teller::new(fight);
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
                            // Who fell while it was interrupted does not go on.
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
        // A story that ends before the encounter may end with the order.
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

/// The order of the scene, as it is told (CD-1).
#[derive(Default)]
struct Order {
    now: Vec<usize>,
    changed: bool,
}

impl Order {
    /// Moves a combatant to that place.
    fn place(&mut self, who: usize, place: usize) {
        self.now.retain(|other| *other != who);
        self.now.insert((place - 1).min(self.now.len()), who);
        self.changed = true;
    }

    /// The names in order, if it has changed since it was told.
    fn change(&mut self, teller: &Teller<'_>) -> Option<String> {
        std::mem::take(&mut self.changed).then(|| {
            let names: Vec<&str> = self.now.iter().map(|who| teller.name(*who)).collect();
            names.join(", ")
        })
    }
}
