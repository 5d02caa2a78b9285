//! The loop over Rounds and their moments. A system finds the next moment and plays it.

use crate::sim::prelude::*;

/// Plays an encounter Round by Round (W-6).
pub(crate) trait Rounds<'a>: Stage<'a> {
    /// A moment: all that is due at once.
    type Due;

    /// Returns the next moment of the Round, if one is left.
    fn next_due(&mut self) -> Option<Self::Due>;

    /// Plays a moment and its consequences. Returns how the encounter has ended by it, if it has.
    fn play_moment(&mut self, due: Self::Due) -> Option<Ending>;

    /// Ends a Round that has no moment left.
    fn end_round(&mut self);

    /// Begins the next Round. Returns how the encounter has ended before any combatant acts in it, if it has.
    fn begin_round(&mut self) -> Option<Ending>;

    /// Marks since the beginning of the encounter; 0 on clocks without Marks.
    #[inline]
    fn elapsed(&self) -> u32 {
        0
    }

    /// Plays the next moment, or begins the next Round if none is left. Returns whether the encounter is over.
    #[inline]
    fn play_on(&mut self) -> bool {
        let ending = match self.next_due() {
            Some(due) => self.play_moment(due),
            None => self.next_round(),
        };
        if let Some(ending) = ending {
            self.conclude(ending);
        }
        ending.is_some()
    }

    /// Goes from one Round to the next, if there is a next one.
    #[inline]
    fn next_round(&mut self) -> Option<Ending> {
        let round = self.moment().round;
        if round > 0 {
            self.end_round();
        }
        if round < self.fight().max_rounds {
            self.begin_round()
        } else {
            Some(Ending::Timeout)
        }
    }

    /// Reports and records the end of the encounter.
    fn conclude(&mut self, ending: Ending) {
        self.drop_put_off();
        self.note(Event::End { ending });
        let (rounds, marks) = (self.moment().round, self.elapsed());
        let distance = self.distance_at_the_end();
        let record = self.record();
        record.ending = ending;
        record.rounds = rounds;
        record.marks = marks;
        record.distance = distance;
        self.keep_health();
    }
}
