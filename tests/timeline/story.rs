//! The story as text, from which a timeline takes its texts.

use super::played;
use skirmish::output::story::Content;
use skirmish::sim::Event;

#[test]
fn who_has_fallen_does_nothing_more() {
    let mut fell_while_interrupted = 0;
    for played in played("", 0..12) {
        let mut fallen = 0_u64;
        let lines = played
            .story
            .lines(&played.variant.fight, &played.record, false);
        for line in lines {
            let Content::Deed {
                who: Some(who),
                sentence,
                ..
            } = line.content
            else {
                continue;
            };
            assert!(fallen & (1 << who) == 0, "{}: {sentence}", played.name);
            if matches!(played.story.events[line.event].event, Event::Fall { .. }) {
                fallen |= 1 << who;
            }
        }
        let mut fallen = 0_u64;
        for told in &played.story.events {
            match told.event {
                Event::Fall { who } => fallen |= 1 << who,
                Event::InterruptOver { target, .. } if fallen & (1 << target) != 0 => {
                    fell_while_interrupted += 1;
                }
                _ => {}
            }
        }
    }
    assert!(fell_while_interrupted > 10, "{fell_while_interrupted}");
}

#[test]
fn every_event_has_its_line_but_places_and_the_ends_of_interrupts_of_the_fallen() {
    for played in played("", 0..3) {
        let lines = played
            .story
            .lines(&played.variant.fight, &played.record, true);
        let told: std::collections::BTreeSet<usize> = lines.iter().map(|line| line.event).collect();
        for (index, event) in played.story.events.iter().enumerate() {
            let exempt = matches!(
                event.event,
                Event::Place { .. } | Event::InterruptOver { .. }
            );
            assert!(
                exempt || told.contains(&index),
                "{}: {event:?}",
                played.name
            );
        }
    }
}

/// The words of sentences that are not fields of their events.
const WORDS: [&str; 14] = [
    "botches",
    "desperate",
    "ground",
    "length",
    "lost",
    "many",
    "outcome",
    "position",
    "reached",
    "share",
    "step",
    "taken",
    "uses",
    "what",
];

#[test]
fn every_word_of_a_sentence_stands_for_something() {
    for (fields, texts) in Event::ROWS {
        for text in *texts {
            let count = |brace| text.matches(brace).count();
            assert_eq!(count('{'), count('}'), "{text}");
            for word in text.split('{').skip(1) {
                let word = word.trim_start_matches(['=', '+']);
                let end = word.find(|letter: char| !letter.is_alphabetic() && letter != '_');
                let name = &word[..end.unwrap_or(word.len())];
                assert!(
                    fields.contains(&name) || WORDS.contains(&name),
                    "{name}: {text}"
                );
            }
        }
    }
}
