//! Changes of a fight, one at a time: every policy line, weapon, spell, item, task and ability taken away, every
//! condition, hazard, stretch of ground and goal too, every ruling at its other values, every number 1 less and 1
//! more.
//!
//! A change is an ordinary list of overrides, as `--set` has them. Policy lines that make no sense after a change, such
//! as a line that casts the spell that was taken away, are left out with it.

use super::knockouts::Maker;
use super::{Variant, numbers};
use crate::document::Document;
use crate::document::diagnostics::Diagnostics;
use crate::document::node::Value;

/// Tables of things that combatants name, and the kind of a change that takes one of them away.
pub(super) const GEAR: [(&str, ChangeKind); 4] = [
    ("weapons", ChangeKind::Weapon),
    ("spells", ChangeKind::Spell),
    ("items", ChangeKind::Item),
    ("tasks", ChangeKind::Task),
];

/// The subject of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// A policy line, taken away.
    Line,
    /// A weapon of a combatant, taken away.
    Weapon,
    /// A spell of a combatant, taken away.
    Spell,
    /// An item of a combatant, taken away.
    Item,
    /// A task of a combatant, taken away.
    Task,
    /// An ability of a combatant, taken away.
    Ability,
    /// A condition, which nothing brings about any more.
    Condition,
    /// A hazard, taken away.
    Hazard,
    /// A stretch of ground, taken away.
    Ground,
    /// A goal, taken away.
    Goal,
    /// A ruling with another value.
    Ruling,
    /// 1 more of a number.
    Number,
}

impl ChangeKind {
    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Weapon => "weapon",
            Self::Spell => "spell",
            Self::Item => "item",
            Self::Task => "task",
            Self::Ability => "ability",
            Self::Condition => "condition",
            Self::Hazard => "hazard",
            Self::Ground => "ground",
            Self::Goal => "goal",
            Self::Ruling => "ruling",
            Self::Number => "number",
        }
    }
}

/// A value of a key, and the fight with it.
pub type Changed = (String, Variant);

/// A change, and the two fights between which it lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What it is about.
    pub kind: ChangeKind,
    /// The dotted path of the key that changes; of a condition its own.
    pub key: String,
    /// The combatant or the policy that it is about; empty for the others.
    pub owner: String,
    /// The number of a policy line, from 1; 0 for the others.
    pub line: usize,
    /// The value as the file has it, or the name of the thing that is taken away.
    pub value: String,
    /// The first value, if that is not the fight as it is: of a number 1 less.
    pub from: Option<Changed>,
    /// The second value, if that is not the fight as it is; empty text where something is taken away.
    pub to: Option<Changed>,
    /// The second value as text, also where it is not allowed.
    pub other: String,
    /// Policy lines that are left out with it.
    pub without: Vec<String>,
    /// Why the change cannot be made, where neither value is allowed.
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
    /// A change of a key that has no fights yet.
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

    /// Its name in tables: `archer: without line 2, set if not ready`, `rules.hit = beat`, `archer.move +1`.
    #[must_use]
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

    /// The key of a number, without the table of combatants.
    #[must_use]
    pub fn number(&self) -> &str {
        self.key.strip_prefix("combatants.").unwrap_or(&self.key)
    }

    /// The first and the second value.
    #[must_use]
    pub fn values(&self) -> [&str; 2] {
        [&self.from, &self.to].map(|changed| match changed {
            Some((value, _)) => value.as_str(),
            None => &self.value,
        })
    }

    /// Whether either value is allowed.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }

    /// By how much a number differs between the two fights: 2, or 1 where one of them is the fight as it is. 1 for
    /// all other changes.
    #[must_use]
    pub fn steps(&self) -> u32 {
        (u32::from(self.from.is_some()) + u32::from(self.to.is_some())).max(1)
    }

    /// The overrides of the second fight, or of the first where the second is the fight as it is.
    #[must_use]
    pub fn overrides(&self) -> &[(String, String)] {
        let changed = self.to.as_ref().or(self.from.as_ref());
        changed.map_or(&[], |(_, variant)| &variant.changes)
    }

    /// Takes over the result of an attempt to make it.
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
    /// Finds the numbers of a variant, `base` for the file as it stands. Dice count as one number,
    /// their bonus, unless a number beside them is that bonus; numbers in lists do not count.
    ///
    /// # Errors
    /// Everything that is wrong with the scenario; also if there is no such variant.
    pub fn numbers(&self, variant: &str) -> Result<Changes, Diagnostics> {
        let (document, changes) = self.only(variant)?;
        let base = document.base(variant, changes)?;
        let all = numbers::of_combatants(&document, variant);
        Ok(Changes { base, all })
    }

    /// Finds every change of a variant: its policy lines first, its numbers last.
    ///
    /// # Errors
    /// Everything that is wrong with the scenario; also if there is no such variant.
    pub fn changes(&self, variant: &str) -> Result<Changes, Diagnostics> {
        let (document, changes) = self.only(variant)?;
        let base = document.base(variant, changes)?;
        let all = Maker::new(&document, variant).all(&base);
        Ok(Changes { base, all })
    }

    /// The fight with values set, as the variant of that name, which knows them as its changes.
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
