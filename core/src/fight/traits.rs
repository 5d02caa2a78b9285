//! The values of combatants that only one clock needs.

use super::Units;
use super::check::Dice;
use super::health::{Damage, Roll};

/// Defines [`Traits`] and a getter for each of its kinds.
macro_rules! traits {
    ($($clock:ident($traits:ty) $get:ident;)+) => {
        /// The values of a combatant that the clock needs; all combatants of a fight have the same kind.
        #[derive(Debug, Clone, PartialEq)]
        #[expect(missing_docs, reason = "a variant a clock")]
        pub enum Traits {
            $($clock($traits),)+
        }

        impl Traits {
            $(
                /// Returns the traits, if they are those of this clock.
                pub const fn $get(&self) -> Option<&$traits> {
                    match self {
                        Self::$clock(traits) => Some(traits),
                        _ => None,
                    }
                }
            )+
        }
    };
}

impl Traits {
    /// Adds to the rating of initiative.
    pub(crate) fn add_to_initiative(&mut self, points: i32) {
        *match self {
            Self::Marks(traits) => &mut traits.agility,
            Self::Turns(traits) => &mut traits.dexterity,
            Self::Order(traits) => &mut traits.dexterity,
            Self::Phases(traits) => &mut traits.initiative,
        } += points;
    }
}

traits! {
    Marks(MarkTraits) marks;
    Turns(TurnTraits) turns;
    Order(OrderTraits) order;
    Phases(PhaseTraits) phases;
}

/// The invariant about the traits in a fight.
pub(crate) const OWN_CLOCK: &str = "a combatant has the traits of its system's clock";

/// The values of a combatant for Rounds of Marks (Tara-Corax).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MarkTraits {
    /// Agility.
    pub agility: i32,
    /// Intellect.
    pub intellect: i32,
    /// Armour's penalty to Evade, as a positive number (TC-2).
    pub evade_modifier: i32,
    /// Combat Action Radius (TC-16).
    pub car: Option<Units>,
    /// Weapons it can hold at once, if that is limited (TC-5).
    pub hands: Option<u8>,
    /// The Combat Casting skill (TC-14).
    pub combat_casting: Option<CombatCasting>,
    /// Whether it strikes back at a melee attack that misses (TC-18).
    pub counters: bool,
    /// Whether it has any of the three charges (TC-17).
    pub charges: bool,
    /// Whether it shoots without a Set, by Firing Assault or Stand and Fire (TC-19).
    pub fires_unset: bool,
}

/// The trait that an ability sets.
type Ability = fn(&mut MarkTraits) -> &mut bool;

impl MarkTraits {
    /// Every ability by its name (TC-17 to TC-19).
    pub const ABILITIES: &[(&'static str, Ability)] = &[
        ("counter", |traits| &mut traits.counters),
        ("frenzied-charge", |traits| &mut traits.charges),
        ("mounted-charge", |traits| &mut traits.charges),
        ("lansing-charge", |traits| &mut traits.charges),
        ("firing-assault", |traits| &mut traits.fires_unset),
        ("stand-and-fire", |traits| &mut traits.fires_unset),
    ];
}

/// The Combat Casting skill: how far a check lets the caster move (TC-14).
#[derive(Debug, Clone, PartialEq)]
pub struct CombatCasting {
    /// The skill check.
    pub check: Roll,
    /// Target number.
    pub target: i64,
    /// Points over the target for each Unit; at least 1.
    pub units_per: i64,
}

impl CombatCasting {
    /// Units that a check with this total lets the caster move, 0 to 1000 (TC-14).
    pub fn units(&self, total: i64) -> u32 {
        (total - self.target)
            .div_euclid(self.units_per)
            .clamp(0, 1000) as u32
    }
}

/// The values of a combatant for turns (Mage).
#[derive(Debug, Clone, PartialEq)]
pub struct TurnTraits {
    /// Dexterity.
    pub dexterity: i32,
    /// Wits.
    pub wits: i32,
    /// Stamina (MA-6); a combatant without it does not tire.
    pub stamina: Option<i32>,
    /// Yards a turn at a run (MA-4).
    pub run: Units,
    /// Points of Willpower to spend (MD-4).
    pub willpower: i32,
    /// The dice for moving on beyond its endurance: the greater of Stamina and Willpower (MA-6).
    pub endurance: Dice,
    /// Whether it is a skilled swimmer (MA-4).
    pub swims: bool,
    /// Yards a turn that it flies, if it can (MA-4).
    pub fly: Option<Units>,
    /// The dice for climbing, if it can climb (MA-4).
    pub climb: Option<Dice>,
    /// Undivided actions a turn beyond the first (MA-3).
    pub extra_actions: u8,
}

/// The most kinds of tasks that one combatant can work at.
pub const MAX_TASKS: usize = 8;

/// The values of a combatant for Action Turns (Eclipse Phase).
#[derive(Debug, Clone, PartialEq)]
pub struct PhaseTraits {
    /// INIT with its modifiers, the bonus to the die (EP-1).
    pub initiative: i32,
    /// Intuition.
    pub intuition: i32,
    /// Reflexes.
    pub reflexes: i32,
    /// Phases of a turn in which it acts, 1 to 4 (EP-2).
    pub speed: u8,
    /// Points of Moxie at the start (EP-5); `None` if the file gives none.
    pub moxie: Option<u8>,
    /// The skill with which it defends itself, if it has one (EP-9).
    pub fray: Option<i64>,
    /// Damage of one hit for each wound, if the scenario gives it (EP-9).
    pub wound_threshold: Option<i32>,
    /// Wounds that it has taken before the fight.
    pub wounds: i32,
}

/// A Task Action (EP-3).
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// As the file names it.
    pub name: String,
    /// Stages of work until it is done.
    pub phases: u16,
    /// Health that its worker regains then.
    pub heal: Option<Roll>,
    /// The range and the damage of its strike when it is finished.
    pub strike: Option<(Units, Damage)>,
}

/// The values of a combatant for the order of the scene (Chronicles).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OrderTraits {
    /// Dexterity.
    pub dexterity: i32,
    /// Composure.
    pub composure: i32,
    /// Dice that it takes off attacks (CD-6).
    pub defence: i32,
    /// Health that it regains a Round (CD-5).
    pub regeneration: i32,
    /// Ongoing damage with which it begins (CD-5).
    pub ongoing: Option<Ongoing>,
    /// The dice that it rolls for initiative, if they are not those of the clock.
    pub dice: Option<Roll>,
}

/// Ongoing damage, each time the victim's place comes up (CD-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ongoing {
    /// Points a Round.
    pub damage: u16,
    /// Rounds for which it lasts.
    pub rounds: u8,
}

/// The most Rounds for which ongoing damage goes on.
pub const MOST_ONGOING: usize = 20;
