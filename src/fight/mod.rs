//! The fight as a scenario fixes it, and the plain data that changes while it is fought.
//!
//! [`Fight`] is the compiled scenario: who stands where, with what, and what each wants. Nothing
//! in it changes once the first encounter begins. [`world`] is what does change: positions, health
//! and what is left of things. [`check`] decides whether an attempt works, [`health`] what harm does.
//! None of this knows a clock: who acts when, and what acting costs, is the business of
//! [`clock`](crate::clock).

pub mod check;
pub mod health;
pub mod world;

use crate::policy::Policy;
use check::Check;
use health::Roll;

/// A distance or place on the line, in Units (W-1).
pub type Units = i32;

/// A count of Marks (TC-1).
pub type Marks = i32;

/// The most combatants a fight can hold: sets of combatants are the bits of one word.
pub const MAX_COMBATANTS: usize = 64;

/// A compiled fight: all that a scenario fixes but the clock's own rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Fight {
    /// Names of the sides, in the order in which the file first names them.
    pub sides: Vec<String>,
    /// Everybody, in file order; a `count` has been spread out.
    pub combatants: Vec<Combatant>,
    /// The ends of the line, if it has any (W-1).
    pub arena: Option<Arena>,
    /// Rounds after which the encounter ends as a timeout (W-6).
    pub max_rounds: u32,
    /// Whether a roll that only meets the target number is a hit (TC-22).
    pub meeting_hits: bool,
}

/// The ends of the line (W-1). Both are places one can stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arena {
    /// The lowest Unit.
    pub min: Units,
    /// The highest Unit.
    pub max: Units,
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
    /// Units it can move in a Round (Land Speed).
    pub speed: Units,
    /// What an attack's roll must reach.
    pub evade: i64,
    /// Taken off each damage roll.
    pub armor: i64,
    /// Health at the start.
    pub health: i32,
    /// In order of preference.
    pub weapons: Vec<Weapon>,
    /// Which of them are in hand at the start, a bit each.
    pub in_hand: u32,
    /// Spells it can cast.
    pub spells: Vec<Spell>,
    /// Things it can use.
    pub items: Vec<Item>,
    /// Whether it starts on the ground.
    pub prone: bool,
    /// What Tara-Corax needs besides.
    pub traits: Traits,
    /// What it wants.
    pub policy: Policy,
}

impl Combatant {
    /// Its reach: the greatest of its melee weapons in `in_hand` (W-2). Without one it has none,
    /// which is -1: nobody is ever within it.
    #[must_use]
    pub fn reach(&self, in_hand: u32) -> Units {
        let mut reach = -1;
        for (index, weapon) in self.weapons.iter().enumerate() {
            if weapon.kind == WeaponKind::Melee && in_hand & (1 << index) != 0 {
                reach = reach.max(weapon.range);
            }
        }
        reach
    }
}

/// What a combatant has for Tara-Corax alone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Traits {
    /// Agility.
    pub agility: i32,
    /// Intellect.
    pub intellect: i32,
    /// Armour's penalty to Evade, as a positive number (TC-2).
    pub evade_modifier: i32,
    /// Combat Action Radius (TC-16).
    pub car: Option<Units>,
    /// The Combat Casting skill (TC-14).
    pub combat_casting: Option<CombatCasting>,
    /// Named abilities.
    pub abilities: Abilities,
}

/// The Combat Casting skill: how far a check lets one move (TC-14).
#[derive(Debug, Clone, PartialEq)]
pub struct CombatCasting {
    /// The skill check.
    pub check: Roll,
    /// Target number.
    pub target: i64,
    /// Points over the target for each Unit; at least 1.
    pub units_per: i64,
}

/// Abilities that change a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Abilities {
    /// Strikes back at a melee attack that misses (TC-18).
    pub counter: bool,
    /// Any of the three charges (TC-17).
    pub charge: bool,
    /// Firing Assault or Stand and Fire: shoots without a Set (TC-19).
    pub fires_unset: bool,
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
    /// Marks after the first at which each attack of a full set comes; as many as there are attacks (TC-8).
    pub offsets: Vec<u8>,
    /// The attack roll.
    pub check: Check,
    /// Bonus that a mover's shot and a Desperate Shot go without (TC-11).
    pub mastery: i64,
    /// The damage roll.
    pub damage: Roll,
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
    /// The damage roll.
    pub damage: Roll,
}

/// A thing to use.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// As the file names it.
    pub name: String,
    /// What using it costs.
    pub cost: Cost,
    /// Health it gives back.
    pub heal: Roll,
    /// How many one has.
    pub uses: u16,
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

impl Cost {
    /// Marks.
    #[must_use]
    pub const fn marks(self) -> Marks {
        match self {
            Self::Free => 0,
            Self::Quarter => 5,
            Self::Half => 10,
            Self::Full => 15,
        }
    }
}
