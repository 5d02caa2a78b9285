//! The fight as a scenario fixes it, and the plain data that changes while it is fought.
//!
//! [`Fight`] is the compiled scenario: the combatants with their places, gear and policies. It is constant
//! during a run. [`world`] is the changing state: positions, health and remaining uses. [`check`] decides
//! whether an attempt works, [`health`] the effect of damage. None of this knows a clock: turns and costs
//! are in [`systems`](crate::systems).

pub mod check;
pub mod effect;
mod ending;
pub mod health;
pub mod initiative;
pub mod lasting;
pub mod program;
pub mod system;
pub mod traits;
pub mod variables;
pub mod world;

pub use ending::{Ending, Goal, Limit, Reached};
pub use variables::Variable;

pub use traits::{
    Abilities, CombatCasting, MOST_ONGOING, MarkTraits, Ongoing, OrderTraits, PhaseTraits, Task,
    Traits, TurnTraits,
};

use check::{Check, Dice};
use effect::{Effect, Ground, Hazard, Morale, Occasion, Power, Taken};
use health::{Damage, Diminished, Roll, Track};
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

/// A compiled fight: all that a scenario fixes but the clock's own rules.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the file, and any of them may be on"
)]
pub struct Fight {
    /// Its system: the names of its parts, and its metrics.
    pub system: &'static System,
    /// Names of the sides, in the order in which the file first names them.
    pub sides: Vec<String>,
    /// All combatants in file order; a `count` is expanded.
    pub combatants: Vec<Combatant>,
    /// The ends of the line, if it has any (W-1).
    pub arena: Option<Stretch>,
    /// Units from which one may flee, besides those ends (W-10).
    pub exits: Vec<Units>,
    /// Rounds after which the encounter ends as a timeout (W-6).
    pub max_rounds: u32,
    /// Whether a side has not lost while some of it are still to come (W-12).
    pub waits_for_reserves: bool,
    /// Whether a roll that only meets the target number is a hit (TC-22).
    pub meeting_hits: bool,
    /// Whether it is watched which side acts first.
    pub first_mover: bool,
    /// Whether it is watched who acts first in each Round.
    pub acted_first: bool,
    /// Distances at which the encounter is over, if it is a chase.
    pub ends: Vec<Limit>,
    /// The lasting conditions that its actions bring about.
    pub conditions: Vec<Condition>,
    /// What strikes as Rounds begin (W-14).
    pub hazards: Vec<Hazard>,
    /// What decides the encounter before all of a side are down (W-17).
    pub goals: Vec<Goal>,
    /// Who has a thing whose uses come back, a bit each (W-11).
    pub recharging: u64,
    /// Where one stands better or worse (W-15). Their conditions are no others'.
    pub grounds: Vec<Ground>,
}

impl Fight {
    /// The first goal that is reached in a Round with those who stand (W-17).
    #[cold]
    #[must_use]
    pub fn goal(&self, round: u32, expected: u64) -> Option<&Goal> {
        let mut goals = self.goals.iter();
        goals.find(|goal| match goal.when {
            Reached::Round(first) => round >= first,
            Reached::Fall(all) => expected & all == 0,
        })
    }

    /// The names of the endings that no side wins but a goal brings about (W-17): [`Ending::Outcome`] by its index.
    pub fn outcomes(&self) -> impl Iterator<Item = &str> + Clone {
        let unwon = |goal: &&Goal| matches!(goal.ends, Ending::Outcome(_));
        let goals = self.goals.iter().filter(unwon);
        goals.map(|goal| goal.name.as_str())
    }

    /// Units of movement, and Marks, that a Unit to that place takes (W-15).
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn toll(&self, place: Units) -> Units {
        let here = self.grounds.iter();
        let here = here.filter(|ground| ground.stretch.contains(place));
        here.map(|ground| ground.toll).fold(1, Units::max)
    }

    /// Whether any ground is difficult.
    #[must_use]
    #[inline]
    pub fn is_difficult(&self) -> bool {
        self.grounds.iter().any(|ground| ground.toll > 1)
    }

    /// Whether it matters when each Unit of a move is made: for ground, a hazard at a Mark, or because decisions are
    /// left open.
    #[inline]
    #[must_use]
    pub fn watches_units(&self) -> bool {
        !self.grounds.is_empty()
            || self.comes_at_marks()
            || self.combatants.iter().any(|one| one.policy.offered > 0)
    }

    /// When the reserves come in (W-12).
    #[inline]
    pub fn reserves(&self) -> impl Iterator<Item = &Occasion> {
        self.combatants.iter().filter_map(|one| one.enters.as_ref())
    }

    /// When anything comes from outside: reserves, then hazards (W-14).
    #[inline]
    pub fn occasions(&self) -> impl Iterator<Item = &Occasion> {
        let hazards = self.hazards.iter().map(|one| &one.occasion);
        self.reserves().chain(hazards)
    }

    /// Whether anything comes from outside at a Mark.
    #[must_use]
    #[inline]
    pub fn comes_at_marks(&self) -> bool {
        self.occasions().any(|one| one.mark.is_some())
    }

    /// The Round from which all differ by their number alone: the second, as some rules treat the beginning of the first
    /// differently, or the first in which all reserves may come in (W-12); none, if a policy, a goal, a hazard, a recharge
    /// or the condition of a reserve counts Rounds.
    #[must_use]
    pub fn rounds_apart(&self) -> u32 {
        let counts = self.reads(|variable| variable == Variable::Round)
            || self
                .goals
                .iter()
                .any(|goal| matches!(goal.when, Reached::Round(_)))
            || self.hazards.iter().any(Hazard::counts_rounds)
            || self
                .occasions()
                .any(|one| one.asks(|variable| variable == Variable::Round))
            || self.combatants.iter().any(|one| {
                let mut recharges = one.recharges().flatten();
                recharges.any(|recharge| matches!(recharge, Recharge::Rounds(2..)))
            });
        if counts {
            u32::MAX
        } else {
            self.reserves().map(|one| one.rounds.0).fold(2, u32::max)
        }
    }

    /// Whether any combatant may leave in that way (W-10).
    #[must_use]
    pub fn may_be_left(&self, how: program::Leaving) -> bool {
        self.combatants.iter().any(|one| one.policy.leaves(how))
    }

    /// Whether any policy asks for such a variable.
    #[must_use]
    pub fn reads(&self, wanted: impl Fn(Variable) -> bool) -> bool {
        let policies = self.combatants.iter().map(|one| &one.policy);
        policies
            .into_iter()
            .any(|policy| policy.variables().any(&wanted))
    }

    /// Whether nothing comes from outside, ends the encounter or is watched but the actions of combatants: no
    /// conditions, ground, hazards, reserves, goals, ends by distance, and no first mover.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.conditions.is_empty()
            && self.grounds.is_empty()
            && self.hazards.is_empty()
            && self.goals.is_empty()
            && self.ends.is_empty()
            && self.recharging == 0
            && self.reserves().next().is_none()
            && !self.watches_the_first()
    }

    /// Whether anybody who acts first is watched for it.
    #[inline]
    #[must_use]
    pub fn watches_the_first(&self) -> bool {
        self.first_mover || self.acted_first
    }
}

/// A stretch of the line (W-1). Both ends are places one can stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stretch {
    /// The lowest Unit.
    pub min: Units,
    /// The highest Unit.
    pub max: Units,
}

impl Stretch {
    /// Whether a place is on it.
    #[must_use]
    pub const fn contains(self, place: Units) -> bool {
        self.min <= place && place <= self.max
    }
}

/// One who fights.
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
    /// When it comes in, if it is not there from the start (W-12).
    pub enters: Option<Occasion>,
    /// Units it can move in a Round (Land Speed).
    pub speed: Units,
    /// The number that an attack's roll must reach.
    pub evade: i64,
    /// Taken off each damage roll.
    pub armor: i64,
    /// Rolled and taken off each damage roll besides, if it has such a thing (MA-9).
    pub soak: Option<Dice>,
    /// Health at the start; of a track, as many as it has levels.
    pub health: i32,
    /// Whether conditions change how much of it one may have (W-11).
    pub health_varies: bool,
    /// What its health is made of.
    pub track: Track,
    /// In order of preference; the same in memory for all of a `count`, who come by them more quickly
    /// so.
    pub weapons: Arc<[Weapon]>,
    /// Which of them are in hand at the start, a bit each.
    pub in_hand: u32,
    /// Spells it can cast.
    pub spells: Vec<Spell>,
    /// Things it can use.
    pub items: Vec<Item>,
    /// Tasks it can work at (EP-3).
    pub tasks: Vec<Task>,
    /// Whether it starts on the ground.
    pub prone: bool,
    /// How much it takes of some kinds of damage (W-16).
    pub resists: Vec<(Arc<str>, Taken)>,
    /// What may shake it (W-13).
    pub morale: Option<Box<Morale>>,
    /// What its system's clock needs besides.
    pub traits: Traits,
    /// Its policy; shared by all of a `count`.
    pub policy: Arc<Policy>,
}

impl Combatant {
    /// Everything that it may do by its items and spells, and by hits with its weapons.
    pub fn effects(&self) -> impl Iterator<Item = &Effect> {
        let items = self.items.iter().flat_map(|item| &item.power.effects);
        let spells = self.spells.iter().flat_map(|spell| &spell.power.effects);
        let weapons = self.weapons.iter().flat_map(|weapon| &weapon.effects);
        items.chain(spells).chain(weapons)
    }

    /// How much it takes of points of damage that armour has left (W-16).
    #[inline]
    #[must_use]
    pub fn takes(&self, damage: &Damage, points: i64) -> i64 {
        if self.resists.is_empty() {
            points
        } else {
            self.resisted(damage, points)
        }
    }

    #[cold]
    fn resisted(&self, damage: &Damage, points: i64) -> i64 {
        let mut resists = self.resists.iter();
        let found = resists.find(|(kind, _)| damage.kind.as_ref() == Some(kind));
        found.map_or(points, |(_, taken)| taken.of(points.max(0)))
    }

    /// Whether it may give back health.
    #[must_use]
    pub fn heals(&self) -> bool {
        let mut effects = self.effects();
        effects.any(|effect| matches!(effect, Effect::Heal(_)))
            || self.tasks.iter().any(|task| task.heal.is_some())
    }

    /// Whether it has uses to count: of a weapon with a limit, or of an item with more than one or some that come back.
    #[must_use]
    pub fn counts_uses(&self) -> bool {
        let several = |item: &Item| item.uses > 1 || item.recharge.is_some();
        self.limited().next().is_some() || self.items.iter().any(several)
    }

    /// What gives back the uses of its things, in the order of [`Body::uses`](world::Body::uses).
    pub fn recharges(&self) -> impl Iterator<Item = Option<&Recharge>> {
        let items = self.items.iter().map(|item| item.recharge.as_ref());
        items.chain(self.limited().map(|(_, weapon)| weapon.recharge.as_ref()))
    }

    /// The weapons that are good for a number of attacks, with their places among all.
    pub fn limited(&self) -> impl Iterator<Item = (usize, &Weapon)> {
        let weapons = self.weapons.iter().enumerate();
        weapons.filter(|(_, weapon)| weapon.uses.is_some())
    }

    /// Where [`Body::uses`](world::Body::uses) has the attacks that a weapon is still good for, if they are limited:
    /// after the items.
    #[must_use]
    pub fn charges(&self, weapon: usize) -> Option<usize> {
        self.weapons[weapon].uses?;
        let before = self.limited().take_while(|(index, _)| *index < weapon);
        Some(self.items.len() + before.count())
    }

    /// Returns its reach: the greatest of its melee weapons in `in_hand` (W-2), or -1 without one, within which
    /// no combatant ever is. Conditions may make it longer.
    #[must_use]
    pub fn reach(&self, in_hand: u32, longer: Units) -> Units {
        let mut reach = -1;
        for (index, weapon) in self.weapons.iter().enumerate() {
            if weapon.kind == WeaponKind::Melee && in_hand & (1 << index) != 0 {
                reach = reach.max(weapon.reaches(longer));
            }
        }
        reach
    }

    /// The greatest distance at which a melee weapon of its ever strikes; -1 without one.
    #[must_use]
    pub fn farthest_reach(&self) -> Units {
        let weapons = self.weapons.iter();
        let melee = weapons.filter(|weapon| weapon.kind == WeaponKind::Melee);
        melee.map(Weapon::farthest).max().unwrap_or(-1)
    }
}

/// How a weapon reaches its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WeaponKind {
    /// Within reach.
    Melee,
    /// Within range, and in need of a Set.
    Ranged,
    /// Within range, never in need of a Set.
    Thrown,
}

/// A weapon.
#[derive(Debug, Clone, PartialEq)]
pub struct Weapon {
    /// As the file names it.
    pub name: String,
    /// How it reaches.
    pub kind: WeaponKind,
    /// Reach of a melee weapon, range of the others (W-2).
    pub range: Units,
    /// The most that conditions make of it; none where they leave it as it is (W-11).
    pub farthest: Option<Units>,
    /// Marks after the first at which each attack of a full set comes; as many as there are attacks (TC-8).
    pub offsets: Vec<u8>,
    /// The same of sets of 1, 2 and more attacks; none where conditions leave their number as it is (W-11).
    pub spacings: Vec<Vec<u8>>,
    /// The attack roll.
    pub check: Check,
    /// Bonus that a mover's shot and a Desperate Shot go without (TC-11).
    pub mastery: i64,
    /// Turns that drawing it takes of their own; 0 for an action that others may go with (MA-3).
    pub ready_turns: u8,
    /// The roll to get it ready, if that takes one (MA-3).
    pub ready_check: Option<Dice>,
    /// The damage of a hit.
    pub damage: Damage,
    /// The ongoing damage after a hit that does damage (CD-5).
    pub ongoing: Option<Ongoing>,
    /// Whether the target's Defence does not count (CD-6).
    pub ignores_defence: bool,
    /// Further effects of a hit.
    pub effects: Vec<Effect>,
    /// Attacks that it is good for, for example arrows; without a limit if none (W-11).
    pub uses: Option<u16>,
    /// How they come back.
    pub recharge: Option<Recharge>,
    /// Whether it cannot be taken away, such as a fist or a claw.
    pub natural: bool,
}

impl Weapon {
    /// Its reach or range while conditions add Units to reaches.
    #[inline]
    #[must_use]
    pub fn reaches(&self, longer: Units) -> Units {
        match self.farthest {
            None => self.range,
            Some(_) => (self.range + longer).max(0),
        }
    }

    /// The greatest distance at which it may ever strike.
    #[must_use]
    pub fn farthest(&self) -> Units {
        self.farthest.unwrap_or(self.range)
    }

    /// When the attacks of a set of that many come, which conditions may have made other than the usual (TC-8).
    #[inline]
    #[must_use]
    pub fn spacing(&self, attacks: u8) -> &[u8] {
        let usual = self.offsets.len() == usize::from(attacks);
        let changed = self.spacings.get(usize::from(attacks).wrapping_sub(1));
        changed.filter(|_| !usual).unwrap_or(&self.offsets)
    }
}

/// A spell.
#[derive(Debug, Clone, PartialEq)]
pub struct Spell {
    /// As the file names it.
    pub name: String,
    /// Marks from start to effect (TC-12); 0 for a Channel, whose effect comes at Mark 0 (TC-15).
    pub casting_time: Marks,
    /// Whether it is a Channel.
    pub channel: bool,
    /// Greatest distance to the target.
    pub range: Units,
    /// The attack roll, if it needs one.
    pub check: Option<Check>,
    /// The roll of a ritual after one, two and more that added nothing, where failing makes it harder
    /// (MD-7): the last holds for all beyond.
    pub harder: Vec<Check>,
    /// The same rolls where Sleepers watch, the first one and harder ones, for vulgar magick in a fight
    /// in which they come by with a chance (MD-5); empty otherwise.
    pub witnessed: Vec<Check>,
    /// What else there is to it if it is an effect of magick (MD-5).
    pub magick: Option<Magick>,
    /// The damage of a hit.
    pub damage: Damage,
    /// The ongoing damage after a hit that does damage (CD-5).
    pub ongoing: Option<Ongoing>,
    /// On whom it may be cast, whom else it reaches, and its further effects.
    pub power: Power,
}

impl Spell {
    /// The greatest distance at which it may be cast: its range, and what extra successes would add if
    /// each of its dice succeeded (MD-3). A ritual gathers as many as it takes.
    #[must_use]
    pub fn farthest(&self) -> Units {
        match &self.magick {
            Some(magick) if magick.extra_range > 0 => {
                if magick.ritual {
                    return Units::MAX;
                }
                let dice = self.check.as_ref().and_then(|check| check.pool(0));
                let extra = dice.unwrap_or(0) - i64::from(magick.required);
                self.carried(extra.max(0))
            }
            _ => self.range,
        }
    }

    /// Returns its range with that many extra successes (MD-3).
    #[must_use]
    pub fn carried(&self, extra: i64) -> Units {
        let yards = self.magick.map_or(0, |magick| magick.extra_range);
        let reach = i64::from(self.range).saturating_add(extra.saturating_mul(yards.into()));
        Units::try_from(reach).unwrap_or(Units::MAX)
    }

    /// Extra successes that it takes to reach so far (MD-3).
    #[must_use]
    pub fn successes_to_reach(&self, distance: Units) -> i64 {
        let beyond = distance - self.range;
        match self.magick {
            Some(Magick { extra_range, .. }) if extra_range > 0 && beyond > 0 => {
                i64::from((beyond - 1) / extra_range + 1)
            }
            _ => 0,
        }
    }
}

/// An effect of magick (MD-5 to MD-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Magick {
    /// Rank of the highest Sphere.
    pub sphere: u32,
    /// Whether it could not have happened anyway.
    pub vulgar: bool,
    /// Dice it is rolled with, at most Arete; `None` is Arete.
    pub dice: Option<u32>,
    /// Successes for the full effect.
    pub required: u32,
    /// Damage for each success beyond these, and those that range took (MD-3).
    pub extra_damage: i64,
    /// Units beyond the range for each success that is spent on it (MD-3).
    pub extra_range: Units,
    /// The share of its damage with fewer successes than required; `None` follows the rules (MD-3).
    pub diminished: Option<Diminished>,
    /// Whether it is rolled turn after turn until these are gathered (MD-7).
    pub ritual: bool,
    /// Turns of work that each roll of a ritual takes, that of the roll included (MD-7).
    pub turns_per_roll: u8,
    /// Paradox of a roll whatever it shows (MD-6).
    pub paradox: u32,
}

/// A thing to use.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// As the file names it.
    pub name: String,
    /// What using it costs.
    pub cost: Cost,
    /// Whether using it is a Quick Action (EP-3).
    pub quick: bool,
    /// The roll to get it ready for use, if that takes one (MA-3).
    pub ready_check: Option<Dice>,
    /// Its effects, and on whom.
    pub power: Power,
    /// How many one has.
    pub uses: u16,
    /// How they come back.
    pub recharge: Option<Recharge>,
}

impl Item {
    /// The pools that using it takes; nothing for a check of another kind.
    pub fn pools(&self) -> impl Iterator<Item = Option<i64>> {
        let ready = self.ready_check.iter().map(|dice| Some(dice.count.into()));
        ready.chain(self.power.check.iter().map(|check| check.pool(0)))
    }
}

/// When a use of a thing comes back, as a Round begins (W-11).
#[derive(Debug, Clone, PartialEq)]
pub enum Recharge {
    /// Every so many Rounds.
    Rounds(u32),
    /// In each Round in which the roll comes to so much.
    Roll(Roll, i64),
}

/// The four categories of actions (TC-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the rule book's")]
pub enum Cost {
    Free,
    Quarter,
    Half,
    Full,
}
