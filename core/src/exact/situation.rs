//! The parts of a situation besides the state of the clock, and the parts of that state that are kept apart.

use crate::fight::effect::{Effect, Hazard};
use crate::fight::lasting::Number;
use crate::fight::program::{Action, Aim, Line};
use crate::fight::variables::Aspect;
use crate::fight::{Combatant, Fight, Variable};
use crate::sim::{Counts, First, Record};

/// The most combinations of healths that are kept beside a situation.
const MOST_CELLS: u64 = 1 << 20;

/// The facts about the past that the record of an encounter needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Past {
    /// The combatants that have attacked.
    pub attacked: u64,
    /// The combatants that have fallen.
    pub fallen: u64,
    pub first: First,
}

impl Past {
    pub(super) fn of(record: &Record) -> Self {
        let who = |is: fn(&Counts) -> bool| {
            let counts = record.combatants.iter().enumerate();
            counts.fold(0, |set, (who, counts)| set | u64::from(is(counts)) << who)
        };
        Self {
            attacked: who(|counts| counts.first_attack.is_some()),
            fallen: who(|counts| counts.fell_round > 0),
            first: record.first,
        }
    }

    /// Returns the past as numbers that can be serialized.
    pub(super) fn written(self) -> (u64, u64, u16) {
        let first = match self.first {
            First::Nobody => 0,
            First::Both => 1,
            First::Side(side) => 2 + u16::from(side),
        };
        (self.attacked, self.fallen, first)
    }

    /// Restores the past from these numbers.
    pub(super) fn read((attacked, fallen, first): (u64, u64, u16)) -> Self {
        let first = match first {
            0 => First::Nobody,
            1 => First::Both,
            side => First::Side((side - 2) as u8),
        };
        Self {
            attacked,
            fallen,
            first,
        }
    }

    /// Resets `record` to an encounter with this past and no counts yet.
    pub(super) fn record(self, record: &mut Record, combatants: usize) {
        record.begin(combatants);
        (record.first, record.marks) = (self.first, 0);
        for (who, counts) in record.combatants.iter_mut().enumerate() {
            counts.first_attack = (self.attacked >> who & 1 == 1).then_some(0);
            counts.fell_round = (self.fallen >> who & 1) as u32;
        }
    }
}

/// Returns the health at the start of each combatant whose health nothing reads; 0 for the others.
pub(super) fn healths_apart(fight: &Fight) -> Vec<i32> {
    let target = |variable: Variable| variable.is(Aspect::Health) && variable.is(Aspect::Target);
    let of_ally = |variable: Variable| variable.is(Aspect::Ally);
    let own =
        |variable: Variable| variable.is(Aspect::Health) && !target(variable) && !of_ally(variable);
    let by_health = |aim: Aim| {
        matches!(
            aim,
            Aim::Weakest
                | Aim::Strongest
                | Aim::WeakestOfAll
                | Aim::StrongestOfAll
                | Aim::WeakestAlly
        )
    };
    let aims = |line: &Line| {
        let readied = match &line.action {
            Action::Ready(readied) => Some(&readied.feat),
            _ => None,
        };
        let feats = line.more.iter().chain(readied);
        by_health(line.aim) || feats.map(|feat| feat.aim).any(by_health)
    };
    let looks_at_targets =
        |one: &Combatant| one.policy.variables().any(target) || one.policy.lines().any(aims);
    // A combatant that looks at allies, or heals others, may read any health.
    let looks_at_allies = |one: &Combatant| {
        one.effects().any(Effect::heals) && !only_draughts(one)
            || one.policy.variables().any(of_ally)
            || one.policy.lines().any(|line| line.aim == Aim::WeakestAlly)
    };
    let heals_all = |one: &Hazard| one.effects.iter().any(Effect::heals);
    let mut conditions = fight.conditions.iter();
    let any = fight.keeps_vitals()
        || fight.combatants.iter().any(looks_at_allies)
        || fight.hazards.iter().any(heals_all)
        || fight.occasions().any(|occasion| occasion.asks(own))
        || conditions.any(|condition| condition.changes.of(Number::Health) != 0);
    let combatants = fight.combatants.iter();
    let apart = combatants.map(|one| {
        let seen = fight
            .combatants
            .iter()
            .any(|other| other.side != one.side && looks_at_targets(other));
        let asked = one.policy.variables().any(own);
        let matters = !one.track.levels().is_empty();
        if any || seen || asked || matters || heals(one) {
            0
        } else {
            one.health
        }
    });
    let mut apart: Vec<i32> = apart.collect();
    // All combinations of healths have to fit beside each situation.
    while cells(&apart) > MOST_CELLS
        && let Some(most) = apart.iter_mut().max()
    {
        *most = 0;
    }
    apart
}

/// Returns the number of combinations of healths that are kept beside a situation.
fn cells(apart: &[i32]) -> u64 {
    let healths = apart.iter().filter(|most| **most > 0);
    healths.fold(1, |all: u64, most| all.saturating_mul(*most as u64))
}

/// Returns whether a combatant may regain health.
fn heals(one: &Combatant) -> bool {
    let tasks = one.tasks.iter().any(|task| task.heal.is_some());
    let regenerates = one
        .traits
        .order()
        .is_some_and(|traits| traits.regeneration > 0);
    tasks || regenerates || one.heals()
}

/// Returns whether all healing that a combatant has is by items that heal only itself.
fn only_draughts(one: &Combatant) -> bool {
    let mut items = one.items.iter();
    let others = one.spells.iter().any(|spell| spell.power.heals())
        || one.weapons.iter().any(|weapon| !weapon.effects.is_empty());
    !others && items.all(|item| !item.power.heals() || item.power.draught().is_some())
}
