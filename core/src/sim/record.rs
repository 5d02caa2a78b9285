//! The record of one encounter: its end and the counts of each combatant, as integers.
//!
//! The clocks fill a [`Record`] while they play; the tally reads it when the encounter is over.

use crate::fight::world::World;
use crate::fight::{Ending, Fight};

/// What one combatant did and suffered in one encounter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Counts {
    /// Health at the end, never below 0.
    pub health: i32,
    /// Round in which it fell; 0 if it still stands.
    pub fell_round: u32,
    /// Attacks made: counters and a charge's free attack included (TC-22).
    pub attacks: u32,
    /// Attacks that hit. Spells are not attacks.
    pub hits: u32,
    /// Attacks for which the Round had no Mark left (TC-8).
    pub attacks_forfeited: u32,
    /// Attacks that had no target when they came due (W-4).
    pub attacks_lost: u32,
    /// Damage dealt, by attacks and spells, after armour; overkill counts (TC-22).
    pub damage: u32,
    /// Damage suffered, overkill included.
    pub damage_taken: u32,
    /// Health given back, to any combatant.
    pub healed: u32,
    /// Uses of its items.
    pub items_used: u32,
    /// Uses left at the end, of its items and of its limited weapons.
    pub uses_left: u32,
    /// Rounds in which it was stunned; on clocks of turns, turns that it began stunned.
    pub stunned: u32,
    /// 1 if it left over a border of the arena (W-10).
    pub fled: u32,
    /// 1 if it surrendered (W-10).
    pub surrendered: u32,
    /// Units of its own moves; pushes do not count.
    pub units_moved: u32,
    /// Marks left unspent at the end of its Rounds.
    pub marks_forfeited: u32,
    /// Spells begun, Channels included.
    pub spells_cast: u32,
    /// Spells that fizzled before they took effect (TC-13).
    pub spells_fizzled: u32,
    /// Marks from the start of the encounter to its first attack, if it made one; on clocks without Marks, the turn or
    /// Round of that attack.
    pub first_attack: Option<u32>,
    /// Turns in which it took an action or moved.
    pub turns: u32,
    /// Net successes of its rolls, except botches.
    pub successes: u32,
    /// Rolls that botched (MD-2).
    pub botches: u32,
    /// Rolls with some successes, but fewer than required (MD-3).
    pub diminished: u32,
    /// Dice that movement took off its pools (MA-5).
    pub dice_lost: u32,
    /// Rolls for moving on beyond its endurance (MA-6).
    pub endurance_rolls: u32,
    /// 1 if such a roll botched: no more movement (MA-6).
    pub collapsed: u32,
    /// Paradox gathered (MD-6).
    pub paradox: u32,
    /// Points of Willpower spent (MD-4).
    pub willpower_spent: u32,
    /// Further counts in Action Turns.
    pub phases: PhaseCounts,
    /// Readied actions with which it interrupted another (CD-3).
    pub interrupts: u32,
    /// Times it was interrupted (CD-4).
    pub interrupted: u32,
    /// Actions readied.
    pub readied: u32,
    /// Readied actions that were not triggered in time, or had become impossible (CD-3).
    pub readied_lost: u32,
    /// Readied actions that it cancelled when they were triggered (CD-3).
    pub cancelled: u32,
    /// Times it delayed (CD-2, EP-6).
    pub delays: u32,
    /// Actions lost: declared and made impossible, delayed beyond the Round, turns lost.
    pub actions_lost: u32,
    /// Places gained in the order: how far new places were ahead of the old ones.
    pub places_gained: u32,
    /// Places lost in the order: how far new places were behind the old ones.
    pub places_lost: u32,
    /// 1 if it was the first to hurt an enemy.
    pub first_blood: u32,
    /// Policy lines taken.
    pub decisions: u32,
    /// Rounds in which its side acted before all enemies, and it before the others of its side or, among equals, first
    /// in file order. Counted if the scenario asks for it (`acted_first`), like the next two.
    pub rounds_led: u32,
    /// Rounds in which it acted before all others.
    pub rounds_first: u32,
    /// These Rounds in per cent of all Rounds, if any combatant acted.
    pub acted_first: Option<u8>,
}

/// What one combatant did and suffered in Action Turns (Eclipse Phase).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PhaseCounts {
    /// Complex and Task Actions in each Phase; with a die for each point of Speed, in each place. The last entry
    /// includes all later ones.
    pub actions: [u32; 4],
    /// Wounds taken (EP-9).
    pub wounds: u32,
    /// Hits whose wounds cost it its place in the order of a Phase (EP-4).
    pub reorderings: u32,
    /// Points of Moxie spent (EP-5).
    pub moxie_spent: u32,
    /// Delayed actions taken between or within the stages of others.
    pub interruptions: u32,
    /// Delayed actions still held as a Phase ended.
    pub delays_held: u32,
    /// Delayed actions lost.
    pub delays_lost: u32,
    /// Attacks that were critical successes (EP-9).
    pub criticals: u32,
    /// Attacks that its Fray turned aside (EP-9).
    pub defended: u32,
    /// Tasks done (EP-3).
    pub tasks_done: u32,
}

/// Who acted first in an encounter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum First {
    /// No side yet, or the first mover is not measured.
    #[default]
    Nobody,
    /// The side with this index.
    Side(u8),
    /// Enemies who act simultaneously.
    Both,
}

/// The results of one encounter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// How it ended.
    pub ending: Ending,
    /// Rounds begun; `max_rounds` for a timeout.
    pub rounds: u32,
    /// Marks from the start of the encounter to its end: `round_marks` for each whole Round.
    pub marks: u32,
    /// Units between the nearest two enemies at the end, if enemies stand.
    pub distance: Option<u32>,
    /// Which side acted first, if the scenario asks for it (`first_mover`).
    pub first: First,
    /// The last Round in which the first to act is known (`acted_first`); 0 if there is none.
    pub led_round: u32,
    /// One for each combatant, in file order.
    pub combatants: Vec<Counts>,
}

impl Record {
    /// Returns a record with room for the combatants of a fight.
    pub fn of(fight: &Fight) -> Self {
        Self {
            combatants: vec![Counts::default(); fight.combatants.len()],
            ..Self::default()
        }
    }
}

impl Record {
    /// Clears the record for an encounter of this many combatants.
    #[inline]
    pub fn begin(&mut self, combatants: usize) {
        self.distance = None;
        self.first = First::Nobody;
        self.led_round = 0;
        self.combatants.clear();
        self.combatants.resize(combatants, Counts::default());
    }

    /// Copies `other` into the buffer that is there.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.combatants.clone_from(&other.combatants);
        let combatants = std::mem::take(&mut self.combatants);
        *self = Self {
            combatants,
            ending: other.ending,
            ..*other
        };
    }

    /// Records the health and uses left, and the share of all Rounds in which each combatant acted first.
    #[inline]
    pub fn keep_health<A: Copy + Default>(&mut self, world: &World<A>) {
        for (who, counts) in self.combatants.iter_mut().enumerate() {
            counts.health = world.health(who);
            counts.uses_left = world.bodies[who].uses.iter().copied().map(u32::from).sum();
        }
        if self.led_round > 0 {
            for counts in &mut self.combatants {
                counts.acted_first = Some(percent(counts.rounds_first, self.rounds));
            }
        }
    }

    /// The number of Rounds, if the first to act is known in any of them.
    pub fn watched_rounds(&self) -> Option<u32> {
        (self.led_round > 0).then_some(self.rounds)
    }
}

/// Returns `part` in per cent of `all`. A half is rounded to the even number, so that a share and the rest come to 100.
pub(crate) fn percent(part: u32, all: u32) -> u8 {
    let hundredfold = 100 * u64::from(part);
    let (percent, rest) = (hundredfold / u64::from(all), hundredfold % u64::from(all));
    let up = match (2 * rest).cmp(&u64::from(all)) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => percent & 1,
        std::cmp::Ordering::Greater => 1,
    };
    (percent + up) as u8
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_share_and_the_rest_come_to_a_hundred() {
        assert_eq!(
            [(0, 7), (2, 3), (1, 8), (7, 8), (4, 4)].map(|(part, all)| percent(part, all)),
            [0, 67, 12, 88, 100]
        );
        for all in 1..300 {
            for part in 0..=all {
                assert_eq!(percent(part, all) + percent(all - part, all), 100);
            }
        }
    }
}
