//! Actions beyond the damage of an attack: to whom, how they are resisted, and their effects (W-11).

use super::check::Check;
use super::health::{Damage, Roll};
use super::lasting::Lasting;
use super::program::Condition;
use super::{Marks, Stretch, Units, Variable};
use std::sync::Arc;

/// Whom an action may be used on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Recipient {
    /// The one who uses it.
    #[default]
    Own,
    /// An enemy.
    Enemy,
    /// An ally, not oneself.
    Ally,
    /// Anybody: an enemy, unless the policy names an ally or oneself.
    Anyone,
    /// The place where an enemy stands: its evade does not count.
    Point,
}

impl Recipient {
    /// Every recipient with its name in the file.
    pub const ALL: &[(&str, Self)] = &[
        ("self", Self::Own),
        ("enemy", Self::Enemy),
        ("ally", Self::Ally),
        ("anyone", Self::Anyone),
        ("point", Self::Point),
    ];
}

/// The work of an action, besides the damage of an attack or a spell.
#[derive(Debug, Clone, PartialEq)]
pub struct Power {
    /// Whom it may be used on.
    pub recipient: Recipient,
    /// Greatest distance to it.
    pub range: Units,
    /// Whom else it reaches.
    pub area: Option<Area>,
    /// The roll by which it works.
    pub check: Option<Check>,
    /// The number for a roll that adds to reach, where that is not the target's evade.
    pub needs: Option<i64>,
    /// How those whom it reaches resist it.
    pub resist: Option<Resist>,
    /// In the order in which they come.
    pub effects: Vec<Effect>,
}

impl Power {
    /// One that does nothing to the one who uses it.
    pub const NONE: Self = Self {
        recipient: Recipient::Own,
        range: 0,
        area: None,
        check: None,
        needs: None,
        resist: None,
        effects: Vec::new(),
    };

    /// Whether it gives back health.
    #[must_use]
    pub fn heals(&self) -> bool {
        let mut effects = self.effects.iter();
        effects.any(|effect| matches!(effect, Effect::Heal(_)))
    }

    /// The healing of a thing that heals its user alone, without a check, and does nothing else.
    #[must_use]
    pub fn draught(&self) -> Option<&Roll> {
        let is_plain = self.check.is_none() && self.resist.is_none() && self.area.is_none();
        match &self.effects[..] {
            [Effect::Heal(roll)] if is_plain && self.recipient == Recipient::Own => Some(roll),
            _ => None,
        }
    }
}

/// Everybody near the target, and the target itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Units from the target within which one is reached.
    pub radius: Units,
    /// Whether the side of the one who uses it is not.
    pub spares_allies: bool,
}

/// How one resists an effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Resist {
    /// By which roll.
    pub by: Resistance,
    /// The share of damage and healing that a success leaves; of other effects it leaves none.
    pub leaves: Share,
}

/// What may shake a combatant when others of its side go down (W-13).
#[derive(Debug, Clone, PartialEq)]
pub struct Morale {
    /// When it is tested.
    pub when: Strain,
    /// The roll by which it holds.
    pub by: Resistance,
    /// The condition that comes over it if it does not.
    pub effect: Change,
}

/// What tests morale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strain {
    /// Half of the side, oneself included, has fallen or left: once.
    HalfSideDown,
    /// An ally falls or leaves: each time.
    AllyDown,
}

impl Strain {
    /// Every strain with its name in the file.
    pub const ALL: &[(&str, Self)] = &[
        ("half_side_down", Self::HalfSideDown),
        ("ally_down", Self::AllyDown),
    ];

    /// Whether it comes with the last of so many who are down, of all of a side.
    #[must_use]
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
    /// The first Round, and the last.
    pub rounds: (u32, u32),
    /// It comes in every so many Rounds, at least 1.
    pub every: u32,
    /// The Mark at which it comes; without one it comes as the Round begins.
    pub mark: Option<Marks>,
    /// Those who must all be down before.
    pub after: u64,
    /// What must hold of those who come in, or are struck.
    pub when: Option<Condition>,
}

impl Occasion {
    /// The beginning of each Round from that one on.
    #[must_use]
    pub const fn from_round(round: u32) -> Self {
        Self {
            rounds: (round, u32::MAX),
            every: 1,
            mark: None,
            after: 0,
            when: None,
        }
    }

    /// Whether it may come in that Round; `expected` are those who stand or are still to come.
    #[must_use]
    pub const fn comes(&self, round: u32, expected: u64) -> bool {
        let (first, last) = self.rounds;
        expected & self.after == 0
            && first <= round
            && round <= last
            && (round - first).is_multiple_of(self.every)
    }

    /// Whether it asks for such a variable.
    #[must_use]
    pub fn asks(&self, wanted: impl Fn(Variable) -> bool) -> bool {
        let mut conditions = self.when.iter();
        conditions.any(|when| when.variables().any(&wanted))
    }
}

/// What strikes all on a stretch of the line in some Rounds (W-14).
#[derive(Debug, Clone, PartialEq)]
pub struct Hazard {
    /// As the file names it.
    pub name: String,
    /// Where; everywhere if absent.
    pub stretch: Option<Stretch>,
    /// When.
    pub occasion: Occasion,
    /// How each whom it strikes resists it.
    pub resist: Option<Resist>,
    /// In the order in which they come.
    pub effects: Vec<Effect>,
}

impl Hazard {
    /// Whether Rounds differ for it by their number.
    #[must_use]
    pub fn counts_rounds(&self) -> bool {
        let Occasion { rounds, every, .. } = self.occasion;
        every > 1 || rounds != (1, u32::MAX)
    }
}

/// A stretch of the line that changes numbers of all who stand there (W-15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground {
    /// Where.
    pub stretch: Stretch,
    /// The condition of those who stand there: an index into the conditions of the fight.
    pub condition: u8,
    /// Units of movement, and Marks, that each Unit takes which leads to there.
    pub toll: Units,
}

impl Ground {
    /// The condition of one who stands there.
    #[must_use]
    pub const fn lasting(&self, who: u8) -> Lasting {
        Lasting {
            condition: self.condition,
            left: 0,
            by: who,
        }
    }
}

/// A share of damage or healing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Share {
    /// Half, rounded down.
    Half,
    /// Nothing.
    None,
    /// All of it.
    All,
}

impl Share {
    /// Every share with its name in the file.
    pub const ALL: &[(&str, Self)] = &[
        ("half", Self::Half),
        ("none", Self::None),
        ("all", Self::All),
    ];

    /// That share of some points.
    #[must_use]
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
    /// So many points less.
    Less(i64),
}

impl Taken {
    /// Every value but points, with its name in the file.
    pub const ALL: &[(&str, Self)] = &[
        ("half", Self::Share(Share::Half)),
        ("none", Self::Share(Share::None)),
        ("double", Self::Double),
    ];

    /// That much of some points, which armour has left.
    #[must_use]
    pub const fn of(self, points: i64) -> i64 {
        match self {
            Self::Share(share) => share.of(points),
            Self::Double => points.saturating_mul(2),
            Self::Less(less) => points.saturating_sub(less),
        }
    }
}

/// The roll by which one resists.
#[derive(Debug, Clone, PartialEq)]
pub enum Resistance {
    /// None of its own: the roll of the action is held against the evade of each. Where that does not add
    /// up, a test of the skill with which one defends itself (EP-9).
    Evade,
    /// A check of one's own.
    Roll {
        /// The check.
        check: Check,
        /// The number for a roll that adds to reach.
        needs: i64,
    },
}

/// One effect of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Damage, less armour.
    Damage {
        /// Before armour; rolled once for all whom it reaches.
        damage: Damage,
        /// Points less for each Unit from the target.
        falloff: i64,
        /// Points of armour that it goes through.
        pierces: i64,
    },
    /// Health given back, up to that at the start.
    Heal(Roll),
    /// Another change of those whom it reaches.
    Change(Change),
}

/// An effect that neither hurts nor heals.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Change {
    /// A lasting condition.
    Begin {
        /// Index into the conditions of the fight.
        condition: u8,
        /// Rounds for which it lasts; 0 for one without end.
        rounds: u8,
    },
    /// The end of a condition.
    End {
        /// Index into the conditions of the fight.
        condition: u8,
    },
    /// So many Units away from the one who does it, or with a minus towards it.
    Push(Units),
    /// On the ground.
    Prone,
    /// The first weapon in hand that can be taken is in hand no more; for good, or until it is drawn again.
    Disarm {
        /// Whether it is never drawn again.
        for_good: bool,
    },
    /// More uses of an item or a weapon of that name, or fewer.
    Uses {
        /// Its name.
        thing: Arc<str>,
        /// Uses that it gains; below 0, that it loses.
        change: i32,
    },
    /// The end of a spell that is being cast, without effect.
    Interrupt,
}

impl Effect {
    /// Every key of which an effect has one, as it is written, with its meaning.
    pub const KEYS: [(&str, &str, &str); 10] = [
        (
            "damage",
            "damage = \"3d10\", falloff = 5, pierces = 4",
            "rolled once for all; 5 less for each Unit from the target; armour counts for 4 less",
        ),
        (
            "heal",
            "heal = \"1d6\"",
            "health given back, never above that at the start",
        ),
        (
            "condition",
            "condition = \"stunned\", lasts = 2",
            "begins a condition, for that many Rounds",
        ),
        ("removes", "removes = \"stunned\"", "ends a condition"),
        ("push", "push = 3", "Units away from the one who does it"),
        ("pull", "pull = 3", "Units nearer to the one who does it"),
        ("prone", "prone = true", "to the ground"),
        (
            "disarm",
            "disarm = true",
            "its first weapon is out of hand until drawn again; \"for_good\": it is not drawn again",
        ),
        (
            "uses",
            "uses = \"longbow\", change = -3",
            "uses of an item or a weapon gained or lost, from 0 to those at the start",
        ),
        (
            "interrupts",
            "interrupts = true",
            "ends a spell, Channel or ritual that is being cast",
        ),
    ];

    /// Whether one who resists may have a share of it.
    #[must_use]
    pub const fn can_be_shared(&self) -> bool {
        !matches!(self, Self::Change(_))
    }
}
