//! The fight as a scenario fixes it, and the plain data that changes while it is fought.
//!
//! [`Fight`] is the compiled scenario: the combatants with their places, gear and policies. It is constant
//! during a run. [`world`] is the changing state: positions, health and remaining uses. [`check`] decides
//! whether an attempt works, [`health`] the effect of damage. None of this knows a clock: turns and costs
//! are in [`systems`](crate::systems).

pub mod budget;
pub mod check;
pub mod effect;
mod ending;
mod gear;
pub mod health;
pub mod initiative;
pub mod lasting;
mod pool_dice;
pub mod program;
mod raised;
pub mod sum;
pub mod system;
pub mod traits;
pub mod turns;
pub mod variables;
pub mod words;
pub mod world;

pub use ending::{Ending, Goal, Limit, Reached};
pub use gear::{Cost, Item, Magick, Recharge, Spell, Weapon, WeaponKind};
pub use variables::Variable;

pub use traits::{
    CombatCasting, MOST_ONGOING, MarkTraits, Ongoing, OrderTraits, PhaseTraits, Task, Traits,
    TurnTraits,
};

use check::{Check, Dice};
use effect::{Change, Effect, Ground, Hazard, Morale, Occasion, Taken};
use health::{AtZero, Damage, DownRules, Track};
use lasting::Condition;
use program::Policy;
use std::sync::Arc;
use system::System;

/// A distance or place on the line, in Units (W-1).
pub type Units = i32;

/// A count of Marks (TC-1).
pub type Marks = i32;

/// The most combatants a fight can hold: sets of combatants are the bits of one word.
pub const MAX_COMBATANTS: usize = 64;

/// A compiled fight: everything that a scenario defines, except the clock's own rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Fight {
    /// The rule system, whose terms and metrics the results use.
    pub system: &'static System,
    /// Names of the sides, in the order in which the file first names them.
    pub sides: Vec<String>,
    /// All combatants in file order; a `count` is expanded.
    pub combatants: Vec<Combatant>,
    /// The ends of the line, if it has any (W-1).
    pub arena: Option<Stretch>,
    /// Units from which a combatant may flee, besides the ends of the line (W-10).
    pub exits: Vec<Units>,
    /// Rounds after which the encounter ends as a timeout (W-6).
    pub max_rounds: u32,
    /// Whether a side has not lost while it has reserves to come (W-12).
    pub waits_for_reserves: bool,
    /// Whether a roll that only meets the target number is a hit (TC-22).
    pub meeting_hits: bool,
    /// Whether the first side to act is recorded.
    pub first_mover: bool,
    /// Whether the first combatant to act in each Round is recorded.
    pub acted_first: bool,
    /// Distances at which the encounter is over, if it is a chase.
    pub ends: Vec<Limit>,
    /// Whether every advantage and disadvantage counts, so that the more numerous ones decide; else one of each cancel
    /// each other, however many there are.
    pub counts_advantages: bool,
    /// The names of the traits of the scenario's own.
    pub traits: Arc<[String]>,
    /// The names of the resources of a turn, where `[clock]` says what it holds.
    pub resources: Arc<[String]>,
    /// Whether combatants have an [`Affliction`](lasting::Affliction) even without conditions: because prices or effects
    /// change their traits, or because the attacks of a turn are counted.
    pub keeps_afflictions: bool,
    /// The lasting conditions that combatants may have.
    pub conditions: Vec<Condition>,
    /// The hazards, which strike from outside (W-14).
    pub hazards: Vec<Hazard>,
    /// The goals, which decide the encounter before all of a side are down (W-17).
    pub goals: Vec<Goal>,
    /// The combatants with an item or weapon whose uses come back, one bit each (W-11).
    pub recharging: u64,
    /// The stretches of ground that change numbers (W-15). Nothing else uses their conditions.
    pub grounds: Vec<Ground>,
    /// Whether an effect begins a condition that lasts until a turn (W-11).
    pub counts_turns: bool,
    /// Who goes down at 0 health instead of being out, and what becomes of it (W-18).
    pub down: DownRules,
    /// Whether temporary health adds up; if not, the greater counts (W-18).
    pub temporary_adds: bool,
}

impl Fight {
    /// Returns whether the better of two rolls counts (above 0) or the worse one (below 0), with numbers of advantages
    /// and disadvantages.
    pub fn advantage(&self, both: impl IntoIterator<Item = [i16; 2]>) -> i8 {
        let all = both.into_iter();
        let [up, down] = all.fold([0; 2], |[up, down], [more, less]| [up + more, down + less]);
        if self.counts_advantages {
            (up - down).signum() as i8
        } else {
            i8::from(up > 0) - i8::from(down > 0)
        }
    }

    /// Returns the first goal that is reached in a Round. `expected` are the combatants that stand or are still to come
    /// (W-17).
    #[cold]
    pub fn goal(&self, round: u32, expected: u64) -> Option<&Goal> {
        let mut goals = self.goals.iter();
        goals.find(|goal| match goal.when {
            Reached::Round(first) => round >= first,
            Reached::Fall(all) => expected & all == 0,
        })
    }

    /// The names of the goals that no side wins (W-17), by the index in [`Ending::Outcome`].
    pub fn outcomes(&self) -> impl Iterator<Item = &str> + Clone {
        let unwon = |goal: &&Goal| matches!(goal.ends, Ending::Outcome(_));
        let goals = self.goals.iter().filter(unwon);
        goals.map(|goal| goal.name.as_str())
    }

    /// Units of movement, and Marks, that a Unit to that place costs (W-15).
    #[cold]
    #[inline(never)]
    pub fn toll(&self, place: Units) -> Units {
        let there = |ground: &&Ground| ground.stretch.contains(place);
        let tolls = self.grounds.iter().filter(there).map(|ground| ground.toll);
        tolls.fold(1, Units::max)
    }

    /// Whether any ground is difficult.
    #[inline]
    pub fn is_difficult(&self) -> bool {
        self.grounds.iter().any(|ground| ground.toll > 1)
    }

    /// Whether the moment of each Unit of a move matters: for ground, for reserves or hazards at a Mark, or because
    /// decisions are left open.
    #[inline]
    pub fn watches_units(&self) -> bool {
        !self.grounds.is_empty()
            || self.comes_at_marks()
            || self.combatants.iter().any(|one| one.policy.offered > 0)
    }

    /// The occasions on which reserves come in (W-12).
    #[inline]
    pub fn reserves(&self) -> impl Iterator<Item = &Occasion> {
        self.combatants.iter().filter_map(|one| one.enters.as_ref())
    }

    /// The occasions on which reserves come in, then those of hazards (W-14).
    #[inline]
    pub fn occasions(&self) -> impl Iterator<Item = &Occasion> {
        let hazards = self.hazards.iter().map(|hazard| &hazard.occasion);
        self.reserves().chain(hazards)
    }

    /// Whether reserves or hazards come at a Mark.
    #[inline]
    pub fn comes_at_marks(&self) -> bool {
        self.occasions().any(|occasion| occasion.mark.is_some())
    }

    /// The Round from which Rounds differ only by their number: the second, as some rules treat the beginning of the
    /// first differently, or the first in which all reserves may come in (W-12). `u32::MAX` if a policy, a goal, a
    /// hazard, a recharge or the condition of a reserve counts Rounds.
    pub fn rounds_apart(&self) -> u32 {
        let counts = self.reads(|variable| variable == Variable::Round)
            || self
                .goals
                .iter()
                .any(|goal| matches!(goal.when, Reached::Round(_)))
            || self.hazards.iter().any(Hazard::counts_rounds)
            || self
                .occasions()
                .any(|occasion| occasion.asks(|variable| variable == Variable::Round))
            || self.combatants.iter().any(|combatant| {
                let mut recharges = combatant.recharges().flatten();
                recharges.any(|recharge| matches!(recharge, Recharge::Rounds(2..)))
            });
        if counts {
            u32::MAX
        } else {
            self.reserves().map(|one| one.rounds.0).fold(2, u32::max)
        }
    }

    /// Whether any combatant may leave in this way (W-10).
    pub fn may_be_left(&self, how: program::Leaving) -> bool {
        self.combatants.iter().any(|one| one.policy.leaves(how))
    }

    /// Whether any policy reads a variable that is `wanted`.
    pub fn reads(&self, wanted: impl Fn(Variable) -> bool) -> bool {
        let policies = self.combatants.iter().map(|combatant| &combatant.policy);
        policies
            .into_iter()
            .any(|policy| policy.variables().any(&wanted))
    }

    /// Whether nothing but the actions of combatants happens, ends the encounter or is recorded: no conditions, ground,
    /// hazards, reserves, goals, ends by distance or uses that come back, no combatant that may be down or have temporary
    /// health, and no record of the first to act.
    pub fn is_plain(&self) -> bool {
        self.conditions.is_empty()
            && self.grounds.is_empty()
            && self.hazards.is_empty()
            && self.goals.is_empty()
            && self.ends.is_empty()
            && self.recharging == 0
            && self.reserves().next().is_none()
            && !self.keeps_afflictions
            && !self.watches_the_first()
            && !self.keeps_vitals()
    }

    /// Whether a combatant may be down, or may have temporary health (W-18).
    pub fn keeps_vitals(&self) -> bool {
        let of_combatants = self.combatants.iter().flat_map(Combatant::effects);
        let of_hazards = self.hazards.iter().flat_map(|hazard| &hazard.effects);
        let lends = |effect: &Effect| matches!(effect.plain(), Effect::TemporaryHealth(_));
        self.down.who != 0
            || self.combatants.iter().any(|one| one.temporary_health > 0)
            || of_combatants.chain(of_hazards).any(lends)
    }

    /// Whether the first to act is recorded, in the encounter or in each Round.
    #[inline]
    pub fn watches_the_first(&self) -> bool {
        self.first_mover || self.acted_first
    }
}

/// A stretch of the line, both ends included (W-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stretch {
    /// The lowest Unit.
    pub min: Units,
    /// The highest Unit.
    pub max: Units,
}

impl Stretch {
    /// Whether a place is on it.
    pub const fn contains(self, place: Units) -> bool {
        self.min <= place && place <= self.max
    }
}

/// A combatant.
#[derive(Debug, Clone, PartialEq)]
pub struct Combatant {
    /// Unique name; with a `count`, the group's name and a number.
    pub name: String,
    /// Name of the entry in the file, shared by all of a `count`.
    pub group: String,
    /// Index into [`Fight::sides`].
    pub side: usize,
    /// Where it starts.
    pub position: Units,
    /// When it comes in, if it is a reserve (W-12).
    pub enters: Option<Occasion>,
    /// Units it can move in a Round (Land Speed).
    pub speed: Units,
    /// The number that an attack's roll must reach.
    pub evade: i64,
    /// Armour, taken off each damage roll.
    pub armor: i64,
    /// Dice whose successes are also taken off each damage roll, if it soaks damage (MA-9).
    pub soak: Option<Dice>,
    /// Health at the start; on a track, the number of its levels.
    pub health: i32,
    /// Whether conditions may change the most health that it may have (W-11).
    pub health_varies: bool,
    /// What 0 health means for it.
    pub at_zero: AtZero,
    /// Temporary health at the start.
    pub temporary_health: i32,
    /// Damage below the first takes 1 point of health, from the first on 2, and so on; without any, damage is points of
    /// health.
    pub thresholds: Vec<i64>,
    /// The track of its health; without levels, health is points.
    pub track: Track,
    /// Weapons, in order of preference. All of a `count` share one list in memory, which makes the weapons faster to
    /// reach.
    pub weapons: Arc<[Weapon]>,
    /// Weapons in hand at the start, one bit each.
    pub in_hand: u32,
    /// Spells it can cast.
    pub spells: Vec<Spell>,
    /// Items it can use.
    pub items: Vec<Item>,
    /// Tasks it can work at (EP-3).
    pub tasks: Vec<Task>,
    /// Whether it starts on the ground.
    pub prone: bool,
    /// How much it takes of some kinds of damage (W-16).
    pub resists: Vec<(Arc<str>, Taken)>,
    /// Its morale, if that is tested (W-13).
    pub morale: Option<Box<Morale>>,
    /// The values that only its system's clock needs.
    pub traits: Traits,
    /// Its traits of the scenario's own at the start, in the order of [`Fight::traits`]; `None` for those that it does
    /// not have.
    pub own: Arc<[Option<i32>]>,
    /// Its policy; shared by all of a `count`.
    pub policy: Arc<Policy>,
}

impl Combatant {
    /// All effects of its items and spells, and of hits with its weapons.
    pub fn effects(&self) -> impl Iterator<Item = &Effect> {
        let items = self.items.iter().flat_map(|item| &item.power.effects);
        let spells = self.spells.iter().flat_map(|spell| &spell.power.effects);
        let weapons = self.weapons.iter().flat_map(|weapon| &weapon.effects);
        items.chain(spells).chain(weapons)
    }

    /// All changes that it may cause, to others or by the loss of its morale to itself.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        let morale = self.morale.iter().map(|morale| &morale.effect);
        self.effects().filter_map(Effect::change).chain(morale)
    }

    /// Whether its weapons, spells, items or lines take points of traits.
    pub fn has_price(&self) -> bool {
        let weapons = self.weapons.iter().map(|weapon| &weapon.price);
        let spells = self.spells.iter().map(|spell| &spell.price);
        let items = self.items.iter().map(|item| &item.price);
        let lines = self.policy.at(program::Window::Seize).iter();
        let lines = lines.filter_map(|line| match &line.action {
            program::Action::Seize(price) => Some(price),
            _ => None,
        });
        let mut prices = weapons.chain(spells).chain(items).chain(lines);
        prices.any(|price| !price.is_empty())
    }

    /// The facts that its gear asks for, each with the name of the gear.
    pub fn facts(&self) -> impl Iterator<Item = (&str, Variable)> {
        let weapons = self.weapons.iter().map(|weapon| {
            let effects = weapon.effects.iter();
            (
                &weapon.name,
                Some(&weapon.check),
                Some(&weapon.damage),
                effects,
            )
        });
        let spells = self.spells.iter().map(|spell| {
            let effects = spell.power.effects.iter();
            (
                &spell.name,
                spell.check.as_ref(),
                Some(&spell.damage),
                effects,
            )
        });
        let items = self.items.iter().map(|item| {
            let power = &item.power;
            (&item.name, power.check.as_ref(), None, power.effects.iter())
        });
        weapons
            .chain(spells)
            .chain(items)
            .flat_map(|(name, check, damage, effects)| {
                let damage = effects.filter_map(Effect::damage).chain(damage);
                let of_damage = damage.flat_map(Damage::facts);
                let of_check = check.into_iter().flat_map(Check::facts);
                of_check
                    .chain(of_damage)
                    .map(move |fact| (name.as_str(), fact))
            })
    }

    /// Whether it may give back health.
    pub fn heals(&self) -> bool {
        self.effects().any(Effect::heals) || self.tasks.iter().any(|task| task.heal.is_some())
    }

    /// Whether it has uses to count: of a limited weapon, or of an item with several uses or with uses that come back.
    pub fn counts_uses(&self) -> bool {
        let several = |item: &Item| item.uses > 1 || item.recharge.is_some();
        self.limited().next().is_some() || self.items.iter().any(several)
    }

    /// How the uses of its items and limited weapons come back, in the order of [`Body::uses`](world::Body::uses).
    pub fn recharges(&self) -> impl Iterator<Item = Option<&Recharge>> {
        let items = self.items.iter().map(|item| item.recharge.as_ref());
        items.chain(self.limited().map(|(_, weapon)| weapon.recharge.as_ref()))
    }

    /// The weapons with a limited number of attacks, with their indices.
    pub fn limited(&self) -> impl Iterator<Item = (usize, &Weapon)> {
        let weapons = self.weapons.iter().enumerate();
        weapons.filter(|(_, weapon)| weapon.uses.is_some())
    }

    /// Returns the name of the item or weapon whose uses have this index in [`Body::uses`](world::Body::uses).
    pub fn name_of_uses(&self, index: usize) -> Option<&str> {
        let items = self.items.iter().map(|item| &item.name);
        let weapons = self.limited().map(|(_, weapon)| &weapon.name);
        items.chain(weapons).nth(index).map(String::as_str)
    }

    /// Returns the weapons whose price it cannot pay if its traits have these values, one bit each.
    pub fn unpaid(&self, value: impl Fn(u8) -> i64) -> u32 {
        let lacks = |(own, points): &(u8, i16)| value(*own) < i64::from(*points);
        let weapons = self.weapons.iter().enumerate();
        let unpaid = weapons.filter(|(_, weapon)| weapon.price.iter().any(lacks));
        unpaid.fold(0, |all, (index, _)| all | 1 << index)
    }

    /// Whether it may take a weapon in hand with this body: it has not lost it, has uses left, and can pay its price.
    pub fn may_hold<A>(&self, body: &world::Body<A>, weapon: usize) -> bool {
        let has_uses = || self.charges(weapon).is_none_or(|at| body.uses[at] > 0);
        (body.lost | body.unpaid) >> weapon & 1 == 0 && has_uses()
    }

    /// The index in [`Body::uses`](world::Body::uses) of the attacks left of a weapon, after the items; `None` if they
    /// are not limited.
    pub fn charges(&self, weapon: usize) -> Option<usize> {
        self.weapons[weapon].uses?;
        let before = self.limited().take_while(|(index, _)| *index < weapon);
        Some(self.items.len() + before.count())
    }

    /// Returns its reach: the greatest of its melee weapons in `in_hand` (W-2), with the Units that conditions
    /// add. Without a melee weapon it is -1, within which no combatant ever is.
    pub fn reach(&self, in_hand: u32, reach_bonus: Units) -> Units {
        let mut reach = -1;
        for (index, weapon) in self.weapons.iter().enumerate() {
            if weapon.kind == WeaponKind::Melee && in_hand & (1 << index) != 0 {
                reach = reach.max(weapon.reaches(reach_bonus));
            }
        }
        reach
    }

    /// The greatest distance at which any of its melee weapons can ever strike; -1 without one.
    pub fn farthest_reach(&self) -> Units {
        let weapons = self.weapons.iter();
        let melee = weapons.filter(|weapon| weapon.kind == WeaponKind::Melee);
        melee.map(Weapon::farthest).max().unwrap_or(-1)
    }
}
