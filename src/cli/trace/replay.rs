//! Plays an encounter on the dice of a script.

use super::TraceArgs;
use crate::chance::Purpose;
use crate::chance::script::{Replay, Unanswered};
use crate::fight::Fight;
use crate::output::story::Story;
use crate::run::Player;
use crate::scenario::{Diagnostics, DiceScript};
use crate::sim::Record;
use crate::sim::{Event, Moment, Observer};
use std::cell::Cell;

/// Plays the encounter and records its story.
///
/// # Errors
/// If a die is rolled that the script does not have, or a die of the script is not rolled.
pub(super) fn play(
    script: &DiceScript,
    player: &Player,
    fight: &Fight,
    args: &TraceArgs,
    story: &mut Story,
) -> Result<Record, Diagnostics> {
    let mut answers = script.script();
    let unanswered = Cell::new(None);
    let streams = player.streams(args.encounter);
    let mut dice = Replay::new(&mut answers, streams, args.dice_only, &unanswered);
    let mut listener = Listener {
        story,
        unanswered: &unanswered,
        when: None,
    };
    let record = player.show_on(&mut dice, &mut listener);
    let when = listener.when;
    if let Some(unanswered) = unanswered.get() {
        let (moment, before) = when.unwrap_or_default();
        let when = story.when(fight, moment, before);
        return Err(script.unanswered(&unanswered, fight, &when));
    }
    let last = story.events.last().map(|event| event.moment);
    let end = story.when(fight, last.unwrap_or_default(), story.events.len());
    match script.left_over(&answers, fight, &end) {
        Some(left) => Err(left),
        None => Ok(record),
    }
}

/// Records the story, and the moment at which the script had no answer: that of the next event, because a die
/// is rolled before the event that it decides.
struct Listener<'a> {
    story: &'a mut Story,
    unanswered: &'a Cell<Option<Unanswered>>,
    /// The moment, and the number of events before it.
    when: Option<(Moment, usize)>,
}

impl Observer for Listener<'_> {
    fn event(&mut self, moment: Moment, event: Event) {
        if self.when.is_none() && self.unanswered.get().is_some() {
            self.when = Some((moment, self.story.events.len()));
        }
        self.story.event(moment, event);
    }

    fn die(&mut self, who: usize, purpose: Purpose, sides: u32, face: u32) {
        self.story.die(who, purpose, sides, face);
    }
}
