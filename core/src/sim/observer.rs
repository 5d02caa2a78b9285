//! Observers of an encounter. A clock reports every event to an [`Observer`] as it happens. [`Silent`] ignores them and
//! costs nothing: its calls compile away.

use super::events::{Event, Moment};
use crate::chance::Purpose;

/// Receives the events of an encounter.
pub trait Observer {
    /// Whether the observer also wants the dice, and the reasons against the lines above the one taken
    /// ([`Event::Rejected`]). Showing dice for a total drawn from a table takes longer than playing on.
    #[inline]
    fn sees_all(&self) -> bool {
        true
    }

    /// Receives an event.
    fn event(&mut self, moment: Moment, event: Event);

    /// Receives the face of a die, before the event that it decides.
    fn die(&mut self, who: usize, purpose: Purpose, sides: u32, face: u32);
}

/// The observers for which clocks are compiled: [`Silent`], and all others behind one type.
pub trait ClockObserver: Observer {
    /// Whether events are received. If false, events are not even built.
    const LISTENS: bool;
}

impl ClockObserver for &mut (dyn Observer + '_) {
    const LISTENS: bool = true;
}

impl ClockObserver for Silent {
    const LISTENS: bool = false;
}

impl Observer for &mut (dyn Observer + '_) {
    #[inline]
    fn sees_all(&self) -> bool {
        (**self).sees_all()
    }

    #[inline]
    fn event(&mut self, moment: Moment, event: Event) {
        (**self).event(moment, event);
    }

    #[inline]
    fn die(&mut self, who: usize, purpose: Purpose, sides: u32, face: u32) {
        (**self).die(who, purpose, sides, face);
    }
}

/// Ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn sees_all(&self) -> bool {
        false
    }

    fn event(&mut self, _: Moment, _: Event) {}

    fn die(&mut self, _: usize, _: Purpose, _: u32, _: u32) {}
}
