//! Changes of a fight, one at a time: every policy line, weapon, spell, item, task and ability removed, and every
//! condition, hazard, stretch of ground and goal; every ruling at its other values; every number 1 less and 1 more.
//!
//! A change is an ordinary list of overrides, like those of `--set`. Policy lines that become invalid by a change, such
//! as a line that casts the removed spell, are removed with it.

use super::knockouts::ChangeBuilder;
use super::{Variant, numbers};
use crate::document::Document;
use crate::document::diagnostics::Diagnostics;
use crate::document::node::Value;
use crate::names::named;

/// The tables of gear that combatants name, each with the kind of change that removes an entry.
pub(super) const GEAR: [(&str, ChangeKind); 4] = [
    ("weapons", ChangeKind::Weapon),
    ("spells", ChangeKind::Spell),
    ("items", ChangeKind::Item),
    ("tasks", ChangeKind::Task),
];

named! {
    /// The subject of a change.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ChangeKind {
        /// A policy line is removed.
        Line "line";
        /// A weapon of a combatant is removed.
        Weapon "weapon";
        /// A spell of a combatant is removed.
        Spell "spell";
        /// An item of a combatant is removed.
        Item "item";
        /// A task of a combatant is removed.
        Task "task";
        /// An ability of a combatant is removed.
        Ability "ability";
        /// A condition is no longer caused by anything.
        Condition "condition";
        /// A hazard is removed.
        Hazard "hazard";
        /// A stretch of ground is removed.
        Ground "ground";
        /// A goal is removed.
        Goal "goal";
        /// A ruling has another value.
        Ruling "ruling";
        /// A number is 1 more.
        Number "number";
    }
}

/// A value of a key, and the fight with it.
pub type Changed = (String, Variant);

/// A change, with the two fights that it compares.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The dotted path of the key that changes; for a condition, the path of the condition.
    pub key: String,
    /// The combatant or the policy that the change is about; empty for other changes.
    pub owner: String,
    /// The number of a policy line in the file, from 1, as remarks and searches count: the marks of blocks count too. 0 for
    /// other changes.
    pub line: usize,
    /// The value in the file, or the name of the thing that is removed.
    pub value: String,
    /// The first value and fight, unless it is the fight as it is: a number 1 less.
    pub from: Option<Changed>,
    /// The second value and fight, unless it is the fight as it is. The text is empty if something is removed.
    pub to: Option<Changed>,
    /// The second value as text, even if it is not allowed.
    pub other: String,
    /// The policy lines that are removed with the change.
    pub without: Vec<String>,
    /// The reason why the change is impossible, if neither value is allowed.
    pub reason: String,
}

/// The changes of a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// The variant as it is.
    pub base: Variant,
    /// The changes, in the order of the file.
    pub all: Vec<Change>,
}

impl Change {
    /// Creates a change of a key, without fights.
    pub(super) fn new(kind: ChangeKind, key: &str, value: &str) -> Self {
        Self {
            kind,
            key: key.to_owned(),
            owner: String::new(),
            line: 0,
            value: value.to_owned(),
            from: None,
            to: None,
            other: String::new(),
            without: Vec::new(),
            reason: String::new(),
        }
    }

    pub(super) fn of(owner: &str, kind: ChangeKind, key: &str, value: &str) -> Self {
        Self {
            owner: owner.to_owned(),
            ..Self::new(kind, key, value)
        }
    }

    /// Returns the name in tables: `archer: without line 2, set if not ready`, `rules.hit = beat`, `archer.move +1`.
    pub fn name(&self) -> String {
        let Self {
            kind, owner, value, ..
        } = self;
        match kind {
            ChangeKind::Line => format!("{owner}: without line {}, {value}", self.line),
            ChangeKind::Weapon
            | ChangeKind::Spell
            | ChangeKind::Item
            | ChangeKind::Task
            | ChangeKind::Ability => format!("{owner}: without {value}"),
            ChangeKind::Condition | ChangeKind::Hazard | ChangeKind::Ground | ChangeKind::Goal => {
                format!("without {} {value}", kind.name())
            }
            ChangeKind::Ruling => format!("{} = {}", self.key, self.other),
            ChangeKind::Number => format!("{} +1", self.number()),
        }
    }

    /// Returns the key of a number, without the table of combatants.
    pub fn number(&self) -> &str {
        self.key.strip_prefix("combatants.").unwrap_or(&self.key)
    }

    /// Returns the two values whose fights are compared: the value as it is and the second one. If the second one is
    /// not allowed, these are the first one and the value as it is.
    pub fn values(&self) -> [&str; 2] {
        match (&self.from, &self.to) {
            (_, Some((to, _))) => [&self.value, to],
            (Some((from, _)), None) => [from, &self.value],
            (None, None) => [&self.value; 2],
        }
    }

    /// Returns whether either value is allowed.
    pub fn is_possible(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }

    /// Returns the overrides of the second fight, or of the first if the second is the fight as it is.
    pub fn overrides(&self) -> &[(String, String)] {
        let changed = self.to.as_ref().or(self.from.as_ref());
        changed.map_or(&[], |(_, variant)| &variant.changes)
    }

    /// Adds the result of building the changed fight.
    pub(super) fn attempt(
        mut self,
        to: &str,
        made: Result<(Variant, Vec<String>), String>,
    ) -> Self {
        to.clone_into(&mut self.other);
        match made {
            Ok((variant, without)) => {
                self.to = Some((to.to_owned(), variant));
                self.without = without;
            }
            Err(reason) => self.reason = reason,
        }
        self
    }
}

impl Document {
    /// Finds the numbers of a variant, `base` for the file as it stands. Dice count as one number, their bonus, unless
    /// a number beside them is that bonus. Numbers in lists do not count.
    ///
    /// # Errors
    /// All errors in the scenario; also if there is no such variant.
    pub fn numbers(&self, variant: &str) -> Result<Changes, Diagnostics> {
        let (document, changes) = self.only(variant)?;
        let base = document.base(variant, changes)?;
        let all = numbers::of_combatants(&document, variant);
        Ok(Changes { base, all })
    }

    /// Finds every change of a variant, with its policy lines first and its numbers last.
    ///
    /// # Errors
    /// All errors in the scenario; also if there is no such variant.
    pub fn changes(&self, variant: &str) -> Result<Changes, Diagnostics> {
        let (document, changes) = self.only(variant)?;
        let base = document.base(variant, changes)?;
        let all = ChangeBuilder::new(&document, variant).all(&base);
        Ok(Changes { base, all })
    }

    /// Builds the fight with values set, as the variant of that name, and records the values as its changes.
    pub(super) fn set(
        &self,
        values: &[(&str, Value)],
        variant: &str,
    ) -> Result<Variant, Diagnostics> {
        let changes = values.iter();
        let changes = changes.map(|(key, value)| ((*key).to_owned(), value.to_string()));
        self.with(values)?.base(variant, changes.collect())
    }
}
