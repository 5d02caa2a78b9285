//! One type for all observers that listen: clocks are compiled for it and for [`Silent`](super::Silent), however many
//! observers there are.

use super::events::{Event, Moment, Observer};
use crate::chance::Purpose;

/// An observer of any type that listens.
pub(crate) struct Heard<'a>(&'a mut dyn Hears);

/// The methods of an observer, whatever its type.
trait Hears {
    fn wants_all(&self) -> bool;
    fn hear(&mut self, moment: Moment, event: Event);
    fn see(&mut self, who: usize, purpose: Purpose, sides: u32, face: u32);
}

impl<O: Observer> Hears for O {
    fn wants_all(&self) -> bool {
        self.sees_all()
    }

    fn hear(&mut self, moment: Moment, event: Event) {
        self.event(moment, event);
    }

    fn see(&mut self, who: usize, purpose: Purpose, sides: u32, face: u32) {
        self.die(who, purpose, sides, face);
    }
}

impl<'a> Heard<'a> {
    pub(crate) fn new(observer: &'a mut impl Observer) -> Self {
        Self(observer)
    }
}

impl Observer for Heard<'_> {
    fn sees_all(&self) -> bool {
        self.0.wants_all()
    }

    fn event(&mut self, moment: Moment, event: Event) {
        self.0.hear(moment, event);
    }

    fn die(&mut self, who: usize, purpose: Purpose, sides: u32, face: u32) {
        self.0.see(who, purpose, sides, face);
    }
}
