//! Actions beyond the damage of an attack: their targets, how they are resisted, and their effects (W-11).

use super::check::{Attempt, Check, HitEffect, OwnCheck};
use super::health::{Damage, Roll};
use super::lasting::{Lasting, Length};
use super::program::Condition;
use super::{Marks, Stretch, Units, Variable};
use crate::names::named;
use std::sync::Arc;

named! {
    /// The possible targets of an action.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Recipient {
        /// The user itself.
        #[default]
        Own "self";
        /// An enemy.
        Enemy "enemy";
        /// An ally, not the user itself.
        Ally "ally";
        /// Any combatant: an enemy, unless the policy names an ally or the user itself.
        Anyone "anyone";
        /// The place where an enemy stands: its evade does not count.
        Point "point";
    }
}

/// The workings of an action, besides the damage of an attack or a spell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Power {
    /// The possible targets.
    pub recipient: Recipient,
    /// Greatest distance to the target.
    pub range: Units,
    /// The area around the target that it reaches, too.
    pub area: Option<Area>,
    /// The roll that decides whether it works.
    pub check: Option<Check>,
    /// The number that a roll-over check must reach, if that is not the target's evade.
    pub needs: Option<i64>,
    /// How the combatants that it reaches resist it.
    pub resist: Option<Resist>,
    /// The effects, in the order in which they apply.
    pub effects: Vec<Effect>,
}

impl Power {
    /// Whether it gives back health.
    pub fn heals(&self) -> bool {
        self.effects.iter().any(Effect::heals)
    }

    /// Whether an effect comes of this result of its check.
    pub fn comes(&self, attempt: &Attempt) -> bool {
        let (works, degree) = (attempt.works, attempt.words.degree);
        self.effects
            .iter()
            .any(|effect| effect.comes(works, degree))
    }

    /// Whether it changes a roll that has been made.
    pub fn changes_rolls(&self) -> bool {
        let mut effects = self.effects.iter();
        effects.any(|effect| matches!(effect.plain(), Effect::Revise(_)))
    }

    /// Whether it adds to a roll that has been made.
    pub fn raises_rolls(&self) -> bool {
        let mut effects = self.effects.iter();
        effects.any(|effect| matches!(effect.plain(), Effect::Revise(Revision::Add(_))))
    }

    /// The healing of an item that heals its user alone, without a check, and does nothing else.
    pub fn draught(&self) -> Option<&Roll> {
        let is_plain = self.check.is_none() && self.resist.is_none() && self.area.is_none();
        match &self.effects[..] {
            [Effect::Heal(roll)] if is_plain && self.recipient == Recipient::Own => Some(roll),
            _ => None,
        }
    }
}

/// The combatants near the target, and the target itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Greatest distance from the target, in Units.
    pub radius: Units,
    /// Whom it does not reach.
    pub spares: Spared,
}

named! {
    /// Those whom an area spares.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Spared {
        /// The side of the user, with the user.
        Allies "allies";
        /// All others.
        Enemies "enemies";
        /// No combatant.
        #[default]
        Nobody "nobody";
    }
}

/// How a combatant resists an action.
#[derive(Debug, Clone, PartialEq)]
pub struct Resist {
    /// The check that decides whether it resists. Without one the roll of the action is compared with the evade of
    /// each; if that roll is no roll-over check, the combatant tests the skill by which it defends itself (EP-9).
    pub by: Option<OwnCheck>,
    /// The share of damage and healing that a success leaves; of other effects it leaves none.
    pub leaves: Share,
}

/// The morale of a combatant, tested when others of its side go down (W-13).
#[derive(Debug, Clone, PartialEq)]
pub struct Morale {
    /// When it is tested.
    pub when: Strain,
    /// The check that decides whether it holds.
    pub by: OwnCheck,
    /// The effect on the combatant if it does not hold.
    pub effect: Change,
}

named! {
    /// The event that tests morale.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Strain {
        /// Half of the side, the combatant included, has fallen or left: once.
        HalfSideDown "half_side_down";
        /// An ally falls or leaves: each time.
        AllyDown "ally_down";
    }
}

impl Strain {
    /// Whether morale is tested as `down` combatants of `all` of a side are down.
    pub const fn comes(self, down: u32, all: u32) -> bool {
        match self {
            Self::HalfSideDown => 2 * down >= all && 2 * (down - 1) < all,
            Self::AllyDown => true,
        }
    }
}

/// When something comes from outside: reserves (W-12), or a hazard (W-14).
#[derive(Debug, Clone, PartialEq)]
pub struct Occasion {
    /// The first and the last Round.
    pub rounds: (u32, u32),
    /// Rounds from one time to the next, at least 1.
    pub every: u32,
    /// The Mark at which it comes; without one it comes as the Round begins.
    pub mark: Option<Marks>,
    /// The combatants that must all be down before.
    pub after: u64,
    /// The condition that must hold of each combatant that comes in or is struck.
    pub when: Option<Condition>,
}

impl Occasion {
    /// The beginning of each Round from `round` on.
    pub const fn from_round(round: u32) -> Self {
        Self {
            rounds: (round, u32::MAX),
            every: 1,
            mark: None,
            after: 0,
            when: None,
        }
    }

    /// Whether it may come in a Round; `expected` are the combatants that stand or are still to come.
    pub const fn comes(&self, round: u32, expected: u64) -> bool {
        let (first, last) = self.rounds;
        expected & self.after == 0
            && first <= round
            && round <= last
            && (round - first).is_multiple_of(self.every)
    }

    /// Whether its condition reads a variable that is `wanted`.
    pub fn asks(&self, wanted: impl Fn(Variable) -> bool) -> bool {
        let mut conditions = self.when.iter();
        conditions.any(|when| when.variables().any(&wanted))
    }
}

/// A hazard, which strikes all combatants on a stretch of the line in some Rounds (W-14).
#[derive(Debug, Clone, PartialEq)]
pub struct Hazard {
    /// As the file names it.
    pub name: String,
    /// The stretch that it strikes; the whole line if absent.
    pub stretch: Option<Stretch>,
    /// When it strikes.
    pub occasion: Occasion,
    /// Its place in the order of turns: combatants with this total still come before it. Without one it strikes as the
    /// Round begins.
    pub place: Option<i32>,
    /// How each combatant that it strikes resists it.
    pub resist: Option<Resist>,
    /// The effects, in the order in which they apply.
    pub effects: Vec<Effect>,
}

impl Hazard {
    /// Whether it depends on the number of the Round.
    pub fn counts_rounds(&self) -> bool {
        let Occasion { rounds, every, .. } = self.occasion;
        every > 1 || rounds != (1, u32::MAX)
    }
}

/// Ground: a stretch of the line that changes numbers of the combatants on it (W-15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground {
    /// The stretch.
    pub stretch: Stretch,
    /// The condition of the combatants on it: an index into the conditions of the fight.
    pub condition: u8,
    /// Units of movement, and Marks, that each Unit onto it costs.
    pub toll: Units,
}

impl Ground {
    /// The condition of a combatant on it.
    pub const fn lasting(&self, who: u8) -> Lasting {
        Lasting::new(self.condition, Length::ENDLESS, who)
    }
}

named! {
    /// A share of damage or healing.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Share {
        /// Half, rounded down.
        Half "half";
        /// Nothing.
        None "none";
        /// All of it.
        All "all";
    }
}

impl Share {
    /// Returns this share of some points.
    pub const fn of(self, points: i64) -> i64 {
        match self {
            Self::Half => points / 2,
            Self::None => 0,
            Self::All => points,
        }
    }
}

/// How much a combatant takes of one kind of damage (W-16).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// A share of it.
    Share(Share),
    /// Twice as much.
    Double,
    /// This many points less.
    Less(i64),
}

impl Taken {
    /// Every value but points, with its name in the file.
    pub const ALL: &[(&str, Self)] = &[
        ("half", Self::Share(Share::Half)),
        ("none", Self::Share(Share::None)),
        ("double", Self::Double),
    ];

    /// Returns the damage taken of some points that armour has left.
    pub const fn of(self, points: i64) -> i64 {
        match self {
            Self::Share(share) => share.of(points),
            Self::Double => points.saturating_mul(2),
            Self::Less(less) => points.saturating_sub(less),
        }
    }
}

/// One effect of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Damage, less armour.
    Damage {
        /// Damage before armour; rolled once for all combatants that it reaches.
        damage: Damage,
        /// Points less for each Unit from the target.
        falloff: i64,
        /// Points of armour that it ignores.
        pierces: i64,
    },
    /// Health given back, up to the most that conditions allow.
    Heal(Roll),
    /// Temporary health, which damage takes first (W-18).
    TemporaryHealth(Roll),
    /// Another change of the combatants that it reaches.
    Change(Change),
    /// A change of a roll that has been made.
    Revise(Revision),
    /// An effect that some resist, that only some results have, or that is about the one who acts.
    If(Box<Conditional>),
}

/// A check that works, among the results of an effect.
pub const WORKS: u16 = 1 << 14;

/// A check that fails, among the results of an effect.
pub const FAILS: u16 = 1 << 15;

/// What an effect changes about a roll that is known and has not taken effect.
#[derive(Debug, Clone, PartialEq)]
pub enum Revision {
    /// Other damage, before armour, in the place of the first that the roll leads to.
    Damage(Damage),
    /// A share of the first damage that the roll leads to, or more of it.
    Part(HitEffect),
    /// Something is added to the roll.
    Add(Roll),
    /// The check is made again.
    Reroll,
    /// The attack misses.
    Miss,
}

/// An effect with a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditional {
    /// How each combatant that it reaches resists it.
    pub resist: Option<Resist>,
    /// The results of the check at which it comes: a bit for each degree, [`WORKS`] and [`FAILS`]; 0 for all that work.
    pub results: u16,
    /// Whether it is about the one who acts, whomever else the action reaches.
    pub own: bool,
    /// The results of a roll that has been made of which one must hold; none for all.
    pub after: Vec<Arc<str>>,
    /// The effect.
    pub effect: Effect,
}

/// An effect that neither hurts nor heals.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Change {
    /// A lasting condition.
    Begin {
        /// Index into the conditions of the fight.
        condition: u8,
        /// How long it lasts.
        length: Length,
    },
    /// The end of a condition.
    End {
        /// Index into the conditions of the fight.
        condition: u8,
    },
    /// This many Units away from the user or, if negative, towards it.
    Push(Units),
    /// The combatant is thrown to the ground.
    Prone,
    /// The first weapon in hand that can be taken is no longer in hand; for good, or until it is drawn again.
    Disarm {
        /// Whether it is never drawn again.
        for_good: bool,
    },
    /// More or fewer uses of an item or a weapon.
    Uses {
        /// Name of the item or weapon.
        thing: Arc<str>,
        /// Uses gained or, if negative, lost.
        change: i32,
    },
    /// Points that are added to traits of the scenario's own.
    Traits(Arc<[(u8, i16)]>),
    /// The end of a spell that is being cast, without effect.
    Interrupt,
}

impl Change {
    /// Whether it begins a condition that lasts until a turn.
    pub const fn counts_turns(&self) -> bool {
        matches!(self, Self::Begin { length, .. } if length.until.is_turn())
    }
}

impl Effect {
    /// Its change, if it neither hurts nor heals.
    pub fn change(&self) -> Option<&Change> {
        match self.plain() {
            Self::Change(change) => Some(change),
            _ => None,
        }
    }

    /// The effect without its condition.
    pub fn plain(&self) -> &Self {
        match self {
            Self::If(conditional) => conditional.effect.plain(),
            effect => effect,
        }
    }

    /// Its damage, if it does any.
    pub fn damage(&self) -> Option<&Damage> {
        match self.plain() {
            Self::Damage { damage, .. } => Some(damage),
            _ => None,
        }
    }

    /// Whether it comes of a check with this result.
    pub fn comes(&self, works: bool, degree: u8) -> bool {
        match self.results() {
            0 => works || self.damage().is_some_and(Damage::grazes),
            results => results & (1 << degree | if works { WORKS } else { FAILS }) != 0,
        }
    }

    /// The results of the check that it names, one bit each; 0 if it names none.
    pub const fn results(&self) -> u16 {
        match self {
            Self::If(conditional) => conditional.results,
            _ => 0,
        }
    }

    /// The results of a roll that has been made after which it comes; none for all.
    pub fn after(&self) -> &[Arc<str>] {
        match self {
            Self::If(conditional) => &conditional.after,
            _ => &[],
        }
    }

    /// Returns those whom it is about, of those whom the action of `who` reaches.
    pub const fn about(&self, who: u64, reached: u64) -> u64 {
        match self {
            Self::If(conditional) if conditional.own => who,
            _ => reached,
        }
    }

    /// Whether it gives back health.
    pub fn heals(&self) -> bool {
        matches!(self.plain(), Self::Heal(_))
    }

    /// Returns those of a set whom it reaches, if some of them are `resisting` and get only a share of it; of a change there
    /// are no shares.
    pub fn reaches(&self, all: u64, resisting: u64, left: Share) -> u64 {
        let is_shared = left != Share::None && !matches!(self.plain(), Self::Change(_));
        if is_shared { all } else { all & !resisting }
    }
}
