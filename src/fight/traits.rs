//! What combatants have for one clock alone.

use super::Units;
use super::check::Dice;
use super::health::Roll;

/// What the clock of the fight's system needs to know of a combatant; all of a fight have the same
/// kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Traits {
    /// Rounds of Marks.
    Marks(MarkTraits),
    /// Turns.
    Turns(TurnTraits),
}

/// What a combatant has for Rounds of Marks (Tara-Corax).
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

impl CombatCasting {
    /// Units that a check of that total lets one move, 0 to 1000 (TC-14).
    #[must_use]
    pub fn units(&self, total: i64) -> u32 {
        (total - self.target)
            .div_euclid(self.units_per)
            .clamp(0, 1000) as u32
    }
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

/// What a combatant has for turns (Mage).
#[derive(Debug, Clone, PartialEq)]
pub struct TurnTraits {
    /// Dexterity.
    pub dexterity: i32,
    /// Wits.
    pub wits: i32,
    /// Stamina (MA-6).
    pub stamina: i32,
    /// Points of Willpower to spend (MD-4).
    pub willpower: i32,
    /// What it rolls to go on moving beyond its endurance: the greater of Stamina and Willpower
    /// (MA-6).
    pub endurance: Dice,
    /// Whether it is a skilled swimmer (MA-4).
    pub swims: bool,
    /// Yards a turn that it flies, if it can (MA-4).
    pub fly: Option<Units>,
    /// What it climbs with, if it can (MA-4).
    pub climb: Option<Dice>,
    /// Undivided actions a turn beyond the first (MA-3).
    pub extra_actions: u8,
}
