//! The ends of an encounter, and what decides it besides the fall of a side: goals and distances.

use super::Units;

/// How an encounter ended (W-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Only the side of that index still stands.
    Win(u8),
    /// No combatant stands.
    Mutual,
    /// `max_rounds` went by.
    #[default]
    Timeout,
    /// So far apart that the scenario calls it over (`ends_when`).
    Escaped,
    /// So near that the scenario calls it over (`ends_when`).
    Caught,
    /// A goal that no side wins is reached: the one of that index among [`Fight::outcomes`](super::Fight::outcomes).
    Outcome(u8),
}

/// What decides an encounter, whoever else stands (W-17).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    /// As the file names it.
    pub name: String,
    /// How the encounter ends by it: as the win of a side, or with an outcome of its own.
    pub ends: Ending,
    /// When it is reached.
    pub when: Reached,
}

/// When a goal is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// As that Round begins.
    Round(u32),
    /// When all of a set are down.
    Fall(u64),
}

/// A distance between the nearest two enemies at which an encounter is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Whether it is over at that distance and more, or at that and less.
    pub far: bool,
    /// Units.
    pub distance: Units,
}

impl Limit {
    /// How an encounter ends at that distance, if it does.
    #[must_use]
    pub fn ending(self, distance: Units) -> Option<Ending> {
        if self.far {
            (distance >= self.distance).then_some(Ending::Escaped)
        } else {
            (distance <= self.distance).then_some(Ending::Caught)
        }
    }
}
