//! The features of a fight that decide which metrics it has, and the limits of the metrics.

use super::metrics::{HEALTH_LEFT, Kind, Metric, ROUNDS};
use super::{Distribution, Histogram};
use crate::fight::lasting::{Condition, Number};
use crate::fight::program::Leaving;
use crate::fight::{Combatant, Fight};
use crate::names::named;

named! {
    /// A feature of fights that some metrics need. In a fight without it these metrics are left out.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Occasion, fn describe {
        /// A distance may end the encounter.
        Chase "where `ends_when` may end an encounter";
        /// A policy spends Willpower.
        Willpower "where a policy spends Willpower";
        /// The scenario asks who acts first.
        FirstMover "where `[encounter]` says `first_mover = true`";
        /// The scenario asks who acts first in each Round.
        ActedFirst "where `[encounter]` says `acted_first = true`";
        /// A combatant has items.
        Items "where a combatant has items";
        /// Some action gives back health.
        Healing "where an item, a spell, a weapon or a task heals";
        /// A condition stuns.
        Stuns "where a condition has `actions = 0`";
        /// A policy flees.
        Flight "where a policy flees";
        /// A policy surrenders.
        Surrender "where a policy surrenders";
        /// A weapon has a limit of uses, or an item has more than one use or uses that come back.
        Uses "where a weapon has `uses`, or an item has more than one or some that come back";
        /// A goal has an outcome that no side wins.
        Outcomes "where a goal has `wins = \"nobody\"`";
    }
}

impl Occasion {
    /// Returns whether a fight has the feature.
    pub(super) fn is_in(self, fight: &Fight) -> bool {
        let mut combatants = fight.combatants.iter();
        match self {
            Self::Chase => !fight.ends.is_empty(),
            Self::Willpower => combatants.any(|combatant| combatant.policy.spends_willpower()),
            Self::FirstMover => fight.first_mover,
            Self::ActedFirst => fight.acted_first,
            Self::Items => combatants.any(|combatant| !combatant.items.is_empty()),
            Self::Healing => combatants.any(Combatant::heals),
            Self::Stuns => fight.conditions.iter().any(|condition| condition.stuns),
            Self::Flight => fight.may_be_left(Leaving::Flees),
            Self::Surrender => fight.may_be_left(Leaving::Surrenders),
            Self::Uses => combatants.any(Combatant::counts_uses),
            Self::Outcomes => fight.outcomes().next().is_some(),
        }
    }
}

impl Metric {
    /// Returns the greatest value that the metric can have for a subject of a fight, if there is a limit.
    pub fn limit(&self, fight: &Fight, subject: usize) -> Option<u32> {
        let combatants = fight.combatants.iter();
        let side = || combatants.filter(|combatant| combatant.side == subject);
        let health = |one: &Combatant| one.health.max(0) as u32;
        // Healing never exceeds the health at the start, unless a condition adds to it.
        let grows = |condition: &Condition| condition.changes.of(Number::Health) > 0;
        match self.name {
            _ if self.kind == Kind::Rate => Some(1),
            ROUNDS => Some(fight.max_rounds),
            "survivors" => Some(side().count() as u32),
            HEALTH_LEFT | "health" if fight.conditions.iter().any(grows) => None,
            HEALTH_LEFT => Some(side().map(health).fold(0, u32::saturating_add)),
            "health" => Some(health(&fight.combatants[subject])),
            "spells_cast" | "spells_fizzled" if fight.combatants[subject].spells.is_empty() => {
                Some(0)
            }
            "acted_first" | "acted_first_of_all" => Some(100),
            _ => None,
        }
    }

    /// Returns the least value that the metric can have: Rounds are counted from 1.
    pub fn least(&self) -> u32 {
        let counts_rounds = [ROUNDS, "first_attack_turn", "first_attack_round"];
        u32::from(counts_rounds.contains(&self.name))
    }

    /// Returns the distribution of the values that the metric took for a subject of a fight.
    pub fn distribution(&self, fight: &Fight, subject: usize, values: &Histogram) -> Distribution {
        let distribution = values.distribution().at_least(self.least());
        distribution.up_to(self.limit(fight, subject))
    }
}
