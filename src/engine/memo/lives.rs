//! What a memo keeps apart from states, because no number of states would cover it: health, and the
//! damage that was done.

use crate::fight::Fight;
use crate::fight::health::Harm;

/// The health of everybody, and the Round. Columns, for the processor stumbles over numbers that
/// are written one by one and read side by side.
#[derive(Debug, Clone)]
pub(super) struct Lives {
    /// Health at the beginning.
    most: Vec<i32>,
    pub health: Vec<i32>,
    put_off: Vec<i32>,
    pub damage: Vec<u32>,
    pub damage_taken: Vec<u32>,
    /// The Round under way.
    pub round: u32,
}

impl Lives {
    /// As the encounters of a fight begin.
    pub(super) fn new(fight: &Fight) -> Self {
        let count = fight.combatants.len();
        let most: Vec<i32> = fight.combatants.iter().map(|one| one.health).collect();
        Self {
            health: most.clone(),
            most,
            put_off: vec![0; count],
            damage: vec![0; count],
            damage_taken: vec![0; count],
            round: 0,
        }
    }

    /// Goes back to the beginning of an encounter.
    pub(super) fn renew(&mut self) {
        self.health.copy_from_slice(&self.most);
        self.put_off.fill(0);
        self.damage.fill(0);
        self.damage_taken.fill(0);
        self.round = 0;
    }

    /// `target` suffers damage from `who`.
    #[inline]
    pub(super) fn suffer(&mut self, who: usize, target: usize, amount: i32, later: bool) -> Harm {
        if amount == 0 {
            return Harm::None;
        }
        let dealt = &mut self.damage[who];
        *dealt = dealt.saturating_add(amount as u32);
        let taken = &mut self.damage_taken[target];
        *taken = taken.saturating_add(amount as u32);
        if later {
            let put_off = &mut self.put_off[target];
            *put_off = put_off.saturating_add(amount);
            return Harm::Wound;
        }
        let health = &mut self.health[target];
        *health = (*health - amount).max(0);
        if *health == 0 {
            Harm::Fall
        } else {
            Harm::Wound
        }
    }

    /// Damage that was put off counts; whether it fells.
    #[inline]
    pub(super) fn settle(&mut self, target: usize) -> bool {
        let amount = std::mem::take(&mut self.put_off[target]);
        let health = &mut self.health[target];
        *health = (*health - amount).max(0);
        *health == 0
    }

    /// Gives health back, up to what there was at the beginning.
    pub(super) fn heal(&mut self, who: usize, amount: i64) {
        let health = &mut self.health[who];
        let lost = i64::from(self.most[who] - *health);
        *health += amount.clamp(0, lost) as i32;
    }

    /// What happened in another's encounter.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.health.copy_from_slice(&other.health);
        self.put_off.copy_from_slice(&other.put_off);
        self.damage.copy_from_slice(&other.damage);
        self.damage_taken.copy_from_slice(&other.damage_taken);
        self.round = other.round;
    }
}
