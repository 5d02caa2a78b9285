//! What the figures of a chapter share: a side has one hue in all of them, and a variant one switch.

use super::palette::{NEUTRAL, side};
use crate::fight::Fight;
use crate::output::sheet::Sheet;
use crate::tally::{Scope, metrics};
use std::collections::HashMap;

/// The sides of a fight, and the colour of each of its combatants.
#[derive(Debug, Clone, Default)]
pub struct Sides {
    names: Vec<String>,
    combatants: HashMap<String, usize>,
}

impl From<&Fight> for Sides {
    fn from(fight: &Fight) -> Self {
        let all = fight.combatants.iter();
        Self {
            names: fight.sides.clone(),
            combatants: all.map(|one| (one.name.clone(), side(one.side))).collect(),
        }
    }
}

impl Sides {
    /// Reads the names from files of results. These do not say whose side a combatant is on, so each group
    /// of combatants has a hue that no side has, as far as there are enough.
    pub(super) fn read<'a>(sheets: &(impl Iterator<Item = &'a Sheet> + Clone)) -> Self {
        let mut sides = Self::default();
        let mut groups: Vec<&str> = Vec::new();
        for scope in [Scope::Side, Scope::Combatant] {
            for row in sheets.clone().flat_map(Sheet::rows) {
                let metric = metrics::find(row.text("metric"));
                if metric.is_none_or(|metric| metric.scope != scope) {
                    continue;
                }
                let subject = row.text("subject");
                if scope == Scope::Side {
                    if !sides.names.iter().any(|name| name == subject) {
                        sides.names.push(subject.to_owned());
                    }
                } else if !sides.combatants.contains_key(subject) {
                    let stem = group(subject).0;
                    let at = groups.iter().position(|other| *other == stem);
                    let at = at.unwrap_or_else(|| {
                        groups.push(stem);
                        groups.len() - 1
                    });
                    let colour = side(sides.names.len() + at);
                    sides.combatants.insert(subject.to_owned(), colour);
                }
            }
        }
        sides
    }

    /// The colour of a metric's subject; the encounter as a whole has none.
    pub(super) fn colour(&self, scope: Scope, subject: &str) -> usize {
        match scope {
            Scope::Encounter | Scope::Outcome => NEUTRAL,
            Scope::Side => {
                let at = self.names.iter().position(|name| name == subject);
                at.map_or(NEUTRAL, side)
            }
            Scope::Combatant => self.combatants.get(subject).copied().unwrap_or(NEUTRAL),
        }
    }
}

/// Class names that all rows and panels of a variant have on a page, so that its readers can switch them
/// off. With a single variant there is nothing to switch.
#[derive(Debug, Clone, Default)]
pub(super) struct Switches<'a> {
    prefix: &'a str,
    variants: Vec<&'a str>,
}

impl<'a> Switches<'a> {
    /// Switches for those variants, with names that begin with `prefix`.
    pub(super) fn new(prefix: &'a str, variants: Vec<&'a str>) -> Self {
        Self { prefix, variants }
    }

    /// The class of a variant.
    pub(super) fn class(&self, variant: &str) -> Option<String> {
        let at = self.variants.iter().position(|name| *name == variant);
        at.filter(|_| self.variants.len() > 1)
            .map(|at| format!("{}v{at}", self.prefix))
    }

    /// The variants with their classes.
    pub(super) fn all(&self) -> impl Iterator<Item = (String, &'a str)> {
        let all = self.variants.iter();
        all.filter_map(|name| Some((self.class(name)?, *name)))
    }
}

/// The parts that the figures of a chapter share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looks<'a> {
    /// Its colours.
    pub(super) sides: &'a Sides,
    /// Its variants.
    pub(super) switches: &'a Switches<'a>,
    /// The beginning of the ids of its figures.
    pub(super) prefix: &'a str,
}

/// The name that the combatants of a `count` share, and the number of this one.
pub(super) fn group(name: &str) -> (&str, Option<usize>) {
    match name.rsplit_once(' ') {
        Some((group, number)) if number.bytes().all(|b| b.is_ascii_digit()) => {
            (group, number.parse().ok())
        }
        _ => (name, None),
    }
}
