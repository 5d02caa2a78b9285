//! Health and damage.
//!
//! Damage takes points of health away, down to 0 (TC-22). Health may be a [`Track`]: then each point is a
//! level with a name and penalties (MA-8).

use super::Combatant;
use super::check::{Dice, OwnCheck};
use super::sum::{Modifier, Sum};
use super::variables::Variable;
use super::words::{Blow, Extra};
use crate::chance::{Chance, Purpose};
use crate::dice::{Faces, Notation, PlainSum, SingleDice, Totals};
use crate::names::named;
use std::sync::Arc;

named! {
    /// How much of its damage a diminished effect of magick does (MD-3).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Diminished {
        /// Half of it, rounded down.
        Half "half";
        /// None of it.
        Nothing "nothing";
        /// All of it.
        Full "full";
    }
}

/// A dice expression, compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roll(Throw);

/// The way a roll is made: by one draw where possible.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Throw {
    Points(i64),
    /// One die and a bonus.
    Die {
        sides: u32,
        bonus: i64,
    },
    /// Dice drawn from the table of their totals, or rolled one by one for a source without tables.
    Totals(Arc<Totals>),
    /// Dice without a table: it would be too large.
    Dice(SingleDice),
}

impl Roll {
    /// One die.
    pub const fn die(sides: u32) -> Self {
        Self(Throw::Die { sides, bonus: 0 })
    }

    /// Draws the total from the table if there is one and `faces` draws from tables; else rolls the dice.
    #[inline(always)]
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        if let Throw::Totals(totals) = &self.0 {
            totals.roll(faces)
        } else if let Throw::Die { sides, bonus } = self.0 {
            bonus + i64::from(faces.face(sides))
        } else {
            self.roll_dice(faces)
        }
    }

    /// Rolls without a table.
    #[inline(never)]
    fn roll_dice<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        match &self.0 {
            Throw::Points(points) => *points,
            Throw::Die { sides, bonus } => bonus + i64::from(faces.face(*sides)),
            Throw::Totals(totals) => totals.roll(faces),
            Throw::Dice(dice) => dice.roll(faces),
        }
    }

    /// The number that is added to its dice.
    pub fn added(&self) -> i64 {
        match &self.0 {
            Throw::Points(points) => *points,
            Throw::Die { bonus, .. } => *bonus,
            Throw::Totals(totals) => totals.added(),
            Throw::Dice(dice) => dice.added(),
        }
    }

    /// Returns the sum of a roll that gives back health: `points` of them, of which `healed` count.
    #[cold]
    pub fn sum(&self, points: i64, healed: i32) -> Sum {
        Sum::new(self.added()).with(Modifier::Limit, i64::from(healed) - points)
    }

    /// Returns the sides and the bonus of a roll of a single die.
    pub fn as_die(&self) -> Option<(u32, i64)> {
        match self.0 {
            Throw::Die { sides, bonus } => Some((sides, bonus)),
            _ => None,
        }
    }
}

impl From<PlainSum> for Roll {
    fn from(sum: PlainSum) -> Self {
        SingleDice::Sum(sum).into()
    }
}

impl From<Notation> for Roll {
    fn from(notation: Notation) -> Self {
        SingleDice::from(notation).into()
    }
}

impl From<SingleDice> for Roll {
    fn from(dice: SingleDice) -> Self {
        Self(match dice {
            SingleDice::Sum(sum) if sum.count == 0 => Throw::Points(sum.bonus),
            SingleDice::Sum(PlainSum {
                count: 1,
                sides,
                bonus,
            }) => Throw::Die { sides, bonus },
            dice => match Totals::of(dice) {
                Ok(totals) => Throw::Totals(Arc::new(totals)),
                Err(dice) => Throw::Dice(dice),
            },
        })
    }
}

named! {
    /// How damage is counted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum HealthModel {
        /// Points without any effect until they are gone.
        Points "points";
        /// The levels of a [`Track`].
        Track "track";
    }
}

impl HealthModel {
    /// Returns a description of its form.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Points => "a number; at 0 one is out",
            Self::Track => {
                "levels with names, which take dice off pools; at the last the combatant is out"
            }
        }
    }
}

named! {
    /// What 0 health means for a combatant (W-18).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum AtZero {
        /// It has fallen, and is out of the fight.
        #[default]
        Out "out";
        /// It is down: it does nothing and is no target, but healing makes it stand again.
        Down "down";
    }
}

/// What becomes of the combatants that are down (W-18).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DownRules {
    /// The combatants that go down at 0 health, one bit each.
    pub who: u64,
    /// Rounds after which one is lost; that in which it went down is the first.
    pub lost_after: Option<u8>,
    /// The check that it makes as each further Round begins.
    pub save: Option<Save>,
    /// Whether it lies on the ground when it stands again.
    pub prone: bool,
}

/// The check of a combatant that is down against being lost (W-18).
#[derive(Debug, Clone, PartialEq)]
pub struct Save {
    /// The check.
    pub by: OwnCheck,
    /// The failures after which it is lost.
    pub failures: u8,
    /// The successes after which it is stable: neither checks nor Rounds count any more.
    pub successes: u8,
}

/// A level of a track.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// As the file names it.
    pub name: String,
    /// Dice that it takes off the pool of an attack.
    pub penalty: u32,
    /// Whether a combatant at this level or below moves at half of every rate (MA-7).
    pub slows: bool,
}

/// The levels of health. Each point of damage takes a combatant one level down; at the last level it is out. Without
/// levels, health is points.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Track {
    levels: Vec<Level>,
    /// Penalties in dice, by health left.
    penalties: Vec<u32>,
    /// Greatest health at which movement is slow; -1 if it never is.
    slow_at: i32,
}

impl Track {
    /// A track of these levels, the lightest first.
    pub fn new(levels: Vec<Level>) -> Self {
        let most = levels.len() as i32;
        let slow_at = levels
            .iter()
            .position(|level| level.slows)
            .map_or(-1, |index| most - 1 - index as i32);
        let unhurt = std::iter::once(0);
        let penalties = levels.iter().rev().map(|level| level.penalty).chain(unhurt);
        Self {
            penalties: penalties.collect(),
            slow_at,
            levels,
        }
    }

    /// The seven levels of the genre (MA-8).
    pub fn seven() -> Self {
        let level = |(name, penalty, slows): (&str, u32, bool)| Level {
            name: name.to_owned(),
            penalty,
            slows,
        };
        let levels = [
            ("Bruised", 0, false),
            ("Hurt", 1, false),
            ("Injured", 1, true),
            ("Wounded", 2, true),
            ("Mauled", 2, true),
            ("Crippled", 5, true),
            ("Incapacitated", 0, true),
        ];
        Self::new(levels.map(level).into())
    }

    /// The levels, the lightest first; none if health is points.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Returns the level at that health; `None` at full health, and where health is points.
    pub fn level(&self, health: i32) -> Option<&Level> {
        let lost = self.levels.len() as i32 - health;
        (lost > 0).then(|| self.levels.get(lost as usize - 1))?
    }

    /// Returns the penalty in dice at that health.
    #[inline]
    pub fn penalty(&self, health: i32) -> i64 {
        if self.penalties.is_empty() {
            return 0;
        }
        let penalty = self.penalties.get(health.max(0) as usize);
        penalty.copied().unwrap_or(0).into()
    }

    /// Returns whether all rates of movement are halved at that health.
    #[inline]
    pub fn slows(&self, health: i32) -> bool {
        !self.levels.is_empty() && health <= self.slow_at
    }
}

/// Points of damage that are dealt: never below 0 (TC-22), and at most a number that exceeds any health and is small
/// enough to add up.
#[inline]
pub fn done(points: i64) -> i32 {
    points.clamp(0, 1_000_000_000) as i32
}

impl Combatant {
    /// Returns the damage that it takes of `points` that armour has left (W-16, W-18).
    #[inline]
    pub fn takes(&self, damage: &Damage, points: i64) -> i64 {
        if self.resists.is_empty() && self.thresholds.is_empty() {
            points
        } else {
            self.loses(self.resisted(damage, points))
        }
    }

    /// Returns what its resistance leaves of `points` of damage (W-16).
    #[cold]
    pub fn resisted(&self, damage: &Damage, points: i64) -> i64 {
        let mut resists = self.resists.iter();
        let found = resists.find(|(kind, _)| damage.kind.as_ref() == Some(kind));
        found.map_or(points, |(_, taken)| taken.of(points.max(0)))
    }

    /// Returns the points of health that damage of `points` takes: as many, unless it has thresholds (W-18).
    #[cold]
    pub fn loses(&self, points: i64) -> i64 {
        if self.thresholds.is_empty() || points <= 0 {
            return points;
        }
        1 + self.thresholds.partition_point(|least| *least <= points) as i64
    }
}

/// The damage of a hit.
#[derive(Debug, Clone, PartialEq)]
pub struct Damage {
    /// The amount.
    pub amount: DamageRoll,
    /// The kind of damage, for example fire; some combatants do not take all of it (W-16).
    pub kind: Option<Arc<str>>,
    /// What facts and the result of the check add or change.
    pub extra: Option<Arc<Extra>>,
}

/// How much damage a hit does.
#[derive(Debug, Clone, PartialEq)]
pub enum DamageRoll {
    /// A roll, or points; extra successes add points.
    Roll(Roll),
    /// A pool whose net successes count; extra successes add dice (MA-9).
    Pool(Dice),
}

impl Damage {
    /// Returns the same damage of a kind, at each degree.
    #[must_use]
    pub fn of_kind(self, kind: &Option<Arc<str>>) -> Self {
        let extra = self.extra.map(|extra| {
            let mut extra = Arc::unwrap_or_clone(extra);
            for (_, blow) in &mut extra.blows {
                if let Blow::Damage(damage) = blow {
                    damage.kind.clone_from(kind);
                }
            }
            Arc::new(extra)
        });
        Self {
            kind: kind.clone(),
            extra,
            ..self
        }
    }

    /// The facts that it asks for, at any degree.
    pub fn facts(&self) -> Vec<Variable> {
        let Some(extra) = &self.extra else {
            return Vec::new();
        };
        let mut all: Vec<Variable> = extra.facts.facts.iter().map(|term| term.fact).collect();
        for (_, blow) in &extra.blows {
            if let Blow::Damage(damage) = blow {
                all.extend(damage.facts());
            }
        }
        all
    }

    /// Whether it asks for the margin or the total of its check.
    pub fn counts_margin(&self) -> bool {
        self.extra.as_ref().is_some_and(|extra| {
            let mut blows = extra.blows.iter();
            extra.counts_margin()
                || blows.any(|(_, blow)| matches!(blow, Blow::Damage(one) if one.counts_margin()))
        })
    }

    /// Whether it does something though the check has failed.
    pub fn grazes(&self) -> bool {
        let mut extra = self.extra.iter();
        extra.any(|extra| extra.blow(0).is_some())
    }

    /// Whether it is 0 points, whatever happens.
    pub fn is_nothing(&self) -> bool {
        let amount = &self.amount;
        self.extra.is_none() && matches!(amount, DamageRoll::Roll(Roll(Throw::Points(0))))
    }

    /// The number that is added to its dice.
    pub fn added(&self) -> i64 {
        match &self.amount {
            DamageRoll::Roll(roll) => roll.added(),
            DamageRoll::Pool(_) => 0,
        }
    }

    /// Rolls the damage for `who`, with the extra damage of the attack.
    #[inline(always)]
    pub fn roll<'a, C: Chance, F: Faces>(
        &self,
        who: usize,
        extra: i64,
        chance: &'a mut C,
        faces: impl FnOnce(&'a mut C) -> F,
    ) -> i64 {
        match &self.amount {
            DamageRoll::Roll(roll) => roll.roll(&mut faces(chance)) + extra,
            DamageRoll::Pool(dice) => dice.successes(extra, who, Purpose::Damage, chance, faces),
        }
    }
}

impl From<Roll> for Damage {
    fn from(roll: Roll) -> Self {
        Self {
            amount: DamageRoll::Roll(roll),
            kind: None,
            extra: None,
        }
    }
}

/// The cost of a roll that is worse than a failure.
#[derive(Debug, Clone, PartialEq)]
pub enum Setback {
    /// Nothing.
    Nothing,
    /// The next turn of the combatant.
    LoseTurn,
    /// Damage to the combatant.
    Damage(Roll),
}
