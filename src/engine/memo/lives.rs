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
    /// The one that was under way at the last [`Lives::keep`].
    kept_round: u32,
    /// What has changed since then, latest last.
    changes: Vec<Change>,
}

/// What has changed, as it was before.
#[derive(Debug, Clone, Copy)]
enum Change {
    Health { who: u8, was: i32 },
    PutOff { who: u8, was: i32 },
    Damage { who: u8, was: u32 },
    DamageTaken { who: u8, was: u32 },
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
            kept_round: 0,
            changes: Vec::with_capacity(64),
        }
    }

    /// Goes back to the beginning of an encounter.
    pub(super) fn renew(&mut self) {
        self.health.copy_from_slice(&self.most);
        self.put_off.fill(0);
        self.damage.fill(0);
        self.damage_taken.fill(0);
        self.round = 0;
        self.keep();
    }

    /// What has happened so far stays.
    #[inline]
    pub(super) fn keep(&mut self) {
        self.kept_round = self.round;
        self.changes.clear();
    }

    /// Takes back what has happened since [`Lives::keep`].
    pub(super) fn take_back(&mut self) {
        self.round = self.kept_round;
        while let Some(change) = self.changes.pop() {
            match change {
                Change::Health { who, was } => self.health[usize::from(who)] = was,
                Change::PutOff { who, was } => self.put_off[usize::from(who)] = was,
                Change::Damage { who, was } => self.damage[usize::from(who)] = was,
                Change::DamageTaken { who, was } => self.damage_taken[usize::from(who)] = was,
            }
        }
    }

    #[inline]
    fn set_health(&mut self, who: usize, health: i32) {
        let was = std::mem::replace(&mut self.health[who], health);
        self.changes.push(Change::Health {
            who: who as u8,
            was,
        });
    }

    /// `target` suffers damage from `who`.
    #[inline]
    pub(super) fn suffer(&mut self, who: usize, target: usize, amount: i32, later: bool) -> Harm {
        if amount == 0 {
            return Harm::None;
        }
        let was = self.damage[who];
        self.damage[who] = was.saturating_add(amount as u32);
        self.changes.push(Change::Damage {
            who: who as u8,
            was,
        });
        let was = self.damage_taken[target];
        self.damage_taken[target] = was.saturating_add(amount as u32);
        self.changes.push(Change::DamageTaken {
            who: target as u8,
            was,
        });
        if later {
            self.put_off(target, self.put_off[target].saturating_add(amount));
            return Harm::Wound;
        }
        let health = (self.health[target] - amount).max(0);
        self.set_health(target, health);
        if health == 0 { Harm::Fall } else { Harm::Wound }
    }

    fn put_off(&mut self, who: usize, amount: i32) {
        let was = std::mem::replace(&mut self.put_off[who], amount);
        self.changes.push(Change::PutOff {
            who: who as u8,
            was,
        });
    }

    /// Damage that was put off counts; whether it fells.
    #[inline]
    pub(super) fn settle(&mut self, target: usize) -> bool {
        let health = (self.health[target] - self.put_off[target]).max(0);
        self.put_off(target, 0);
        self.set_health(target, health);
        health == 0
    }

    /// Gives health back, up to what there was at the beginning.
    pub(super) fn heal(&mut self, who: usize, amount: i64) {
        let lost = i64::from(self.most[who] - self.health[who]);
        let healed = amount.clamp(0, lost) as i32;
        self.set_health(who, self.health[who] + healed);
    }

    /// Who has fallen, a bit each.
    pub(super) fn fallen(&self) -> u64 {
        let each = self.health.iter().enumerate();
        each.fold(0, |all, (who, health)| all | u64::from(*health == 0) << who)
    }
}
