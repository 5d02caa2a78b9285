//! What a memo keeps apart from states, because no number of states would cover it: health, and the
//! hits and the damage that were done.

use crate::fight::Fight;
use crate::fight::health::Harm;
use crate::sim::Counts;
use crate::sim::fork::Tells;

/// The health of everybody, what each has done to each, and the Round.
#[derive(Debug, Clone)]
pub(super) struct Lives {
    /// Health at the beginning.
    most: Vec<i32>,
    pub health: Vec<i32>,
    put_off: Vec<i32>,
    /// By who does it, and for each by whom it is done to.
    dealt: Vec<Dealt>,
    /// What the clock has seen, and no draw.
    played: Vec<Played>,
    /// The Round under way.
    pub round: u32,
}

/// What one has done to another.
#[derive(Debug, Clone, Copy, Default)]
struct Dealt {
    damage: u64,
    hits: u32,
}

/// What one has done and suffered.
#[derive(Debug, Clone, Copy, Default)]
struct Played {
    damage: u32,
    damage_taken: u32,
    hits: u32,
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
            dealt: vec![Dealt::default(); count * count],
            played: vec![Played::default(); count],
            round: 0,
        }
    }

    /// Goes back to the beginning of an encounter.
    pub(super) fn renew(&mut self) {
        self.health.copy_from_slice(&self.most);
        self.put_off.fill(0);
        self.dealt.fill(Dealt::default());
        self.played.fill(Played::default());
        self.round = 0;
    }

    /// Where what one does to another is counted.
    pub(super) fn pair(fight: &Fight, who: usize, target: usize) -> usize {
        who * fight.combatants.len() + target
    }

    /// What blows change.
    #[inline]
    pub(super) fn bodies(&mut self) -> Bodies<'_> {
        Bodies {
            health: &mut self.health,
            put_off: &mut self.put_off,
            dealt: &mut self.dealt,
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

    /// Adds what one has done and suffered while the clock played, and the health that is left.
    pub(super) fn add(&mut self, who: usize, counts: &Counts, health: i32) {
        self.health[who] = health;
        let played = &mut self.played[who];
        played.hits += counts.hits;
        played.damage = played.damage.saturating_add(counts.damage);
        played.damage_taken = played.damage_taken.saturating_add(counts.damage_taken);
    }

    /// Writes what everybody has done and suffered in all, and the health that is left.
    #[inline]
    pub(super) fn write(&self, combatants: &mut [Counts]) {
        for ((counts, played), health) in combatants.iter_mut().zip(&self.played).zip(&self.health)
        {
            counts.hits = played.hits;
            counts.damage = played.damage;
            counts.damage_taken = played.damage_taken;
            counts.health = *health;
        }
        let each = self.dealt.chunks_exact(combatants.len());
        for (who, dealt) in each.enumerate() {
            for (target, dealt) in dealt.iter().enumerate() {
                let damage = saturated(dealt.damage);
                let doer = &mut combatants[who];
                doer.hits += dealt.hits;
                doer.damage = doer.damage.saturating_add(damage);
                let taken = &mut combatants[target].damage_taken;
                *taken = taken.saturating_add(damage);
            }
        }
    }

    /// What happened in another's encounter.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.health.copy_from_slice(&other.health);
        self.put_off.copy_from_slice(&other.put_off);
        self.dealt.copy_from_slice(&other.dealt);
        self.played.copy_from_slice(&other.played);
        self.round = other.round;
    }
}

/// What blows change, for whoever strikes often: where it is is not looked up again.
#[derive(Debug)]
pub(super) struct Bodies<'a> {
    health: &'a mut [i32],
    put_off: &'a mut [i32],
    dealt: &'a mut [Dealt],
}

impl Bodies<'_> {
    /// Counts hits of that [pair](Lives::pair) and the damage that they do.
    #[inline(always)]
    pub(super) fn count(&mut self, pair: usize, hits: u32, amount: i32) {
        let dealt = &mut self.dealt[pair];
        dealt.hits += hits;
        dealt.damage += amount as u64;
    }

    /// `target` suffers damage that counts at once.
    #[inline(always)]
    pub(super) fn suffer(&mut self, target: usize, amount: i32) -> Harm {
        let health = &mut self.health[target];
        let left = *health - amount;
        if amount == 0 {
            Harm::None
        } else if left > 0 {
            *health = left;
            Harm::Wound
        } else {
            *health = 0;
            Harm::Fall
        }
    }

    /// The same for damage that may be put off.
    pub(super) fn take(&mut self, target: usize, amount: i32, tells: Tells) -> Harm {
        if tells != Tells::Later {
            return self.suffer(target, amount);
        }
        let put_off = &mut self.put_off[target];
        *put_off = put_off.saturating_add(amount);
        if amount == 0 { Harm::None } else { Harm::Wound }
    }
}

/// As much of it as a record holds.
fn saturated(sum: u64) -> u32 {
    sum.min(u32::MAX.into()) as u32
}
