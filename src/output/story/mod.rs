//! One encounter as a story: the observed events as sentences and as JSON.
//!
//! A [`Story`] observes an encounter and stores each event with the dice that decided it. It returns the events line by
//! line, Mark by Mark, or as objects for programs. In text, walks and repetitions are folded into one line each.

mod fold;
mod json;
mod lines;
mod options;
mod sentences;
mod words;
mod writer;

pub use lines::{Content, Line};
pub use options::StoryOptions;

use crate::chance::Purpose;
use crate::fight::Fight;
use crate::fight::system::Clock;
use crate::sim::{Event, Moment, Observer};
use serde_json::Value;
use std::fmt::Write as _;
use writer::SentenceWriter;

/// A rolled die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Die {
    /// Index of the combatant that rolled the die.
    pub who: usize,
    /// The purpose of the roll.
    pub purpose: Purpose,
    /// Number of faces.
    pub sides: u32,
    /// The face it showed.
    pub face: u32,
}

/// An event with its moment and the dice that decided it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryEvent {
    /// The moment of the event.
    pub moment: Moment,
    /// The event.
    pub event: Event,
    /// The dice that decided the event.
    pub dice: Vec<Die>,
}

/// All events of one encounter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Story {
    /// The events in order.
    pub events: Vec<StoryEvent>,
    loose: Vec<Die>,
    /// Whether the source of chance answered checks without rolling dice: their totals stand for all with this outcome.
    without_totals: bool,
}

impl Observer for Story {
    fn event(&mut self, moment: Moment, event: Event) {
        let dice = std::mem::take(&mut self.loose);
        self.events.push(StoryEvent {
            moment,
            event,
            dice,
        });
    }

    fn die(&mut self, who: usize, purpose: Purpose, sides: u32, face: u32) {
        self.loose.push(Die {
            who,
            purpose,
            sides,
            face,
        });
    }
}

impl Story {
    /// Returns an empty story of an encounter whose checks are answered without dice. It leaves their totals out.
    pub(super) fn without_totals() -> Self {
        Self {
            without_totals: true,
            ..Self::default()
        }
    }

    fn writer<'a>(&self, fight: &'a Fight) -> SentenceWriter<'a> {
        SentenceWriter {
            without_totals: self.without_totals,
            ..SentenceWriter::new(fight)
        }
    }

    /// Returns the sentence of an event, without its subject.
    pub fn sentence(fight: &Fight, event: &Event) -> String {
        SentenceWriter::new(fight).sentence(event)
    }

    /// Returns the labels of the action of an event, the longest first.
    pub fn labels(fight: &Fight, event: &Event) -> Vec<String> {
        SentenceWriter::new(fight).labels(event)
    }

    /// Returns the Mark of a moment, or nothing where the clock has none.
    pub(super) fn stamp(fight: &Fight, moment: Moment) -> String {
        match moment.mark {
            0 if fight.system.clock != Clock::Marks => String::new(),
            mark => mark.to_string(),
        }
    }

    /// Describes a moment in words: `Round 2, Mark 15` or `Turn 1, Phase 2, initiative 14`. `before` is the number of
    /// events before the moment.
    pub fn when(&self, fight: &Fight, moment: Moment, before: usize) -> String {
        let words = &fight.system.words;
        let mut text = format!("{} {}", words.round, moment.round);
        let phase = self.events[..before]
            .iter()
            .rev()
            .take_while(|entry| entry.moment.round == moment.round)
            .find_map(|entry| match entry.event {
                Event::Phase { phase } => Some(phase),
                _ => None,
            });
        if let Some(phase) = phase {
            let _ = write!(text, ", Phase {phase}");
        }
        let stamp = Self::stamp(fight, moment);
        if !stamp.is_empty() {
            let word = match fight.system.clock {
                Clock::Marks => "Mark",
                _ => words.moment,
            };
            let _ = write!(text, ", {word} {stamp}");
        }
        text
    }

    /// Returns the story as one JSON object for each event, with names instead of indices.
    pub fn json(&self, fight: &Fight, why: bool) -> Value {
        let kept = |entry: &&StoryEvent| why || !matches!(entry.event, Event::Rejected { .. });
        self.events
            .iter()
            .filter(kept)
            .map(|entry| json::object(entry, &self.writer(fight)))
            .collect()
    }
}
