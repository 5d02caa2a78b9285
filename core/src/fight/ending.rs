//! The ends of an encounter, and what decides it besides the fall of a side: goals and distances.

use super::Units;

/// How an encounter ended (W-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Only the side with this index still stands.
    Win(u8),
    /// No combatant stands.
    Mutual,
    /// `max_rounds` have passed.
    #[default]
    Timeout,
    /// Enemies are so far apart that the scenario ends the encounter (`ends_when`).
    Escaped,
    /// Enemies are so near that the scenario ends the encounter (`ends_when`).
    Caught,
    /// A goal that no side wins is reached: its index among [`Fight::outcomes`](super::Fight::outcomes).
    Outcome(u8),
}

/// A goal: it decides an encounter whichever combatants still stand (W-17).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    /// As the file names it.
    pub name: String,
    /// How the encounter ends by it: with the win of a side, or with an outcome.
    pub ends: Ending,
    /// When it is reached.
    pub when: Reached,
}

/// When a goal is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// As this Round begins.
    Round(u32),
    /// When all of this set are down.
    Fall(u64),
}

/// A distance between the nearest two enemies at which an encounter is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Whether the encounter is over at this distance and more; otherwise, at this distance and less.
    pub far: bool,
    /// Units.
    pub distance: Units,
}

impl Limit {
    /// Returns how an encounter ends at a distance, if it does.
    pub fn ending(self, distance: Units) -> Option<Ending> {
        if self.far {
            (distance >= self.distance).then_some(Ending::Escaped)
        } else {
            (distance <= self.distance).then_some(Ending::Caught)
        }
    }
}
