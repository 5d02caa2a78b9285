//! The parts of the format that systems share: dice, checks, pools, weapons, spells, items, health, initiative. A
//! system reads the rest of a scenario through `Fields`.

pub(crate) mod budget;
pub(crate) mod checks;
pub(crate) mod conditions;
pub(crate) mod degrees;
pub(crate) mod effects;
pub(crate) mod gear;
pub(crate) mod initiative;
pub mod keys;
pub(crate) mod own;
pub(crate) mod rulings;
pub(crate) mod sums;
pub(crate) mod surroundings;
pub(crate) mod synonyms;
pub(crate) mod traits;
pub(crate) mod words;

use self::own::OwnTraits;
use self::sums::TraitSheet;
use crate::dice::Storyteller;
use crate::dice::pool::Again;
use crate::document::diagnostics::Diagnostic;
use crate::document::reader::Reader;
use crate::fight::check::{Check, CheckKind, Dice};
use crate::fight::health::{AtZero, HealthModel, Setback};
use crate::fight::lasting::{Condition, Number, most_added};
use crate::fight::system::{Pools, System};
use crate::fight::{Item, Spell, Traits, Units, Weapon};
use std::borrow::Cow;
use std::sync::Arc;

/// Reads the keys of a scenario that only one system has. The rulings of the system implement it; keys that it does not
/// read are refused.
pub(crate) trait Fields {
    /// Reads its options of `[rules]`.
    fn read_rules(&mut self, table: &mut Reader<'_>, rulings: &mut Rulings);

    /// Reads its keys of `[encounter]`.
    fn read_encounter(&mut self, _table: &mut Reader<'_>) {}

    /// Reads the traits of a combatant. A value that is wrong marks it as `broken`.
    fn read_combatant(&self, table: &mut Reader<'_>, rulings: &Rulings, broken: &mut bool) -> Own;

    /// Reads its keys of a weapon.
    fn read_weapon(&self, _table: &mut Reader<'_>, _weapon: &mut Weapon, _rulings: &Rulings) {}

    /// Reads its keys of a spell. Returns whether the spell is broken.
    fn read_spell(&self, _table: &mut Reader<'_>, _spell: &mut Spell, _rulings: &Rulings) -> bool {
        false
    }

    /// Reads its keys of an item.
    fn read_item(&self, _table: &mut Reader<'_>, _item: &mut Item, _rulings: &Rulings) {}

    /// Completes the spells of a combatant with its traits.
    fn empower(
        &self,
        _table: &mut Reader<'_>,
        _spells: &mut [Spell],
        _own: &Own,
        _rulings: &Rulings,
    ) {
    }
}

/// The values of a combatant that its system reads.
pub(crate) struct Own {
    pub(crate) traits: Traits,
    pub(crate) speed: Units,
    /// `None` if the file does not give it and the system does not need it.
    pub(crate) evade: Option<i64>,
    pub(crate) armor: i64,
    pub(crate) soak: Option<Dice>,
    /// The Arete of a mage; 0 for all others (MD-5).
    pub(crate) arete: u32,
    /// The traits for pools that are sums of traits, in a system with such pools (MD-4).
    pub(crate) sheet: Option<TraitSheet>,
    /// Weapons it can hold at once, if that is limited.
    pub(crate) hands: Option<u8>,
}

impl Own {
    /// Values without those that only some systems have.
    pub(crate) fn new(traits: Traits, speed: i64, evade: Option<i64>, armor: i64) -> Self {
        Self {
            traits,
            speed: speed as Units,
            evade,
            armor,
            soak: None,
            arete: 0,
            sheet: None,
            hands: None,
        }
    }
}

/// The options of `[rules]` that every system has.
#[derive(Debug, Clone)]
pub(crate) struct Rulings {
    /// The system of the scenario.
    pub(crate) system: &'static System,
    /// The kind of all checks, if the file sets it.
    pub(crate) check: Option<CheckKind>,
    /// The model of health.
    pub(crate) health: HealthModel,
    /// What 0 health means, unless a combatant says otherwise (W-18).
    pub(crate) at_zero: AtZero,
    /// Whether temporary health adds up (W-18).
    pub(crate) temporary_adds: bool,
    /// Whether a roll that only meets Evade hits (TC-22).
    pub(crate) meeting_hits: bool,
    /// The effects of the faces of a pool, unless a check overrides them (MD-1, MD-2).
    pub(crate) pool: Storyteller,
    /// The traits of the combatant whose pools are read; `None` while gear is defined (MD-4).
    pub(crate) sheet: Option<TraitSheet>,
    /// The traits of each combatant, for pools that any of them may roll; empty where no pool is a sum of traits.
    pub(crate) sheets: Arc<[TraitSheet]>,
    /// The faces that are rolled again, unless a check overrides them (CD-6).
    pub(crate) again: Again,
    /// Damage for each extra success, unless a check says otherwise (MD-3, MA-9).
    pub(crate) extra_damage: i64,
    /// Whether a percentile success with doubles ignores armour, unless a check says otherwise (EP-9).
    pub(crate) critical_ignores_armor: bool,
    /// The conditions of the file, then those of its ground, whose possible changes gear is prepared for (W-11).
    pub(crate) conditions: Vec<Condition>,
    /// The number of conditions that are not of the ground.
    pub(crate) defined: usize,
    /// The names of items, and of weapons that have `uses`.
    pub(crate) things: Vec<String>,
    /// Whether an item changes rolls that have been made: then each attack asks for it.
    pub(crate) revises: bool,
    /// Whether every advantage and disadvantage counts.
    pub(crate) counts_advantages: bool,
    /// The traits of the scenario's own.
    pub(crate) own: OwnTraits,
    /// What a turn holds, where `[clock]` may say so.
    pub(crate) turn: Option<budget::Turn>,
    /// The `penalties` of weapons that have none of their own.
    pub(crate) penalties: Vec<i16>,
    /// Whether any combatant may have to make the checks that are read, so that all need the traits of these.
    pub(crate) anybody: bool,
    /// The names of the degrees of the check whose effects are read.
    pub(crate) degrees: Vec<String>,
}

/// The words of `advantage`.
const ADVANTAGE: &[(&str, bool)] = &[("cancel", false), ("count", true)];

/// The words of `hit`.
const HIT: &[(&str, bool)] = &[("meet", true), ("beat", false)];

/// The words of `temporary_health`, and whether it adds up.
const TEMPORARY: &[(&str, bool)] = &[("greater", false), ("adds", true)];

impl Rulings {
    /// The defaults of a system.
    pub(crate) fn of(system: &'static System) -> Self {
        Self {
            system,
            check: None,
            health: system.health,
            at_zero: AtZero::Out,
            temporary_adds: false,
            meeting_hits: true,
            pool: Storyteller::new(0, 6),
            sheet: None,
            sheets: Arc::default(),
            again: Again::default(),
            extra_damage: i64::from(system.pools != Pools::Plain),
            critical_ignores_armor: true,
            conditions: Vec::new(),
            defined: 0,
            things: Vec::new(),
            revises: false,
            counts_advantages: false,
            own: OwnTraits::default(),
            turn: None,
            penalties: Vec::new(),
            anybody: false,
            degrees: Vec::new(),
        }
    }

    /// The same rulings for the effects of a check, if there is one.
    pub(crate) fn of_check(&self, check: Option<&Check>) -> Cow<'_, Self> {
        match check {
            Some(Check::Words(words)) if !words.degrees.is_empty() => Cow::Owned(Self {
                degrees: words
                    .degrees
                    .iter()
                    .map(|degree| degree.name.clone())
                    .collect(),
                ..self.clone()
            }),
            _ => Cow::Borrowed(self),
        }
    }

    /// The conditions that effects may begin: all but those of the ground.
    pub(crate) fn defined_conditions(&self) -> &[Condition] {
        &self.conditions[..self.defined]
    }

    /// The most that conditions add to a number.
    pub(crate) fn most_added(&self, number: Number) -> i64 {
        most_added(&self.conditions, number)
    }

    /// Whether any condition changes a number.
    pub(crate) fn may_change(&self, number: Number) -> bool {
        let mut all = self.conditions.iter();
        all.any(|condition| condition.changes.of(number) != 0)
    }

    /// Reads `[rules]`.
    pub(crate) fn read(
        &mut self,
        mut table: Reader<'_>,
        own: &mut dyn Fields,
        problems: &mut Vec<Diagnostic>,
    ) {
        self.check = table.choice("check", CheckKind::ALL);
        let health = table.choice("health", HealthModel::ALL);
        self.health = health.unwrap_or(self.health);
        let counts = table.choice("advantage", ADVANTAGE);
        self.counts_advantages = counts.unwrap_or(false);
        self.meeting_hits = table.choice("hit", HIT).unwrap_or(true);
        self.at_zero = table.choice("at_zero", AtZero::ALL).unwrap_or_default();
        let adds = table.choice("temporary_health", TEMPORARY);
        self.temporary_adds = adds.unwrap_or(false);
        // It is read when the traits of all combatants are known.
        table.entry("down");
        own.read_rules(&mut table, self);
        table.finish(problems);
    }
}

/// Reads the cost of a roll that is worse than a failure: nothing more, the next turn, or damage, which has its own
/// key.
pub(crate) fn setback(
    table: &mut Reader<'_>,
    (key, nothing): (&'static str, &str),
    damage_key: &'static str,
) -> Setback {
    let damage_key = damage_key
        .rsplit_once('.')
        .map_or(damage_key, |(_, last)| last);
    let cost = table.choice(key, &[(nothing, 0), ("lose-turn", 1), ("damage", 2)]);
    let damage = gear::points(table, damage_key, cost == Some(2));
    if cost != Some(2) {
        table.refuse(damage_key, &format!("only `{key} = \"damage\"` does any"));
    }
    match (cost, damage) {
        (Some(2), Some(damage)) => Setback::Damage(damage),
        (Some(1), _) => Setback::LoseTurn,
        _ => Setback::Nothing,
    }
}
