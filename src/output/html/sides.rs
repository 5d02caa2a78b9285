//! What the figures of a chapter share: a side has one hue in all of them, a variant one switch, and a Round one word.

use super::palette::{NEUTRAL, side};
use crate::fight::Fight;
use crate::output::sheet::{Column, Sheet, distinct};
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
            combatants: all
                .map(|combatant| (combatant.name.clone(), side(combatant.side)))
                .collect(),
        }
    }
}

impl Sides {
    /// Reads the names from result files. The files do not say which side a combatant is on, so each group of
    /// combatants gets a hue that no side has, as long as there are enough hues.
    pub(super) fn read<'a>(sheets: &(impl Iterator<Item = &'a Sheet> + Clone)) -> Self {
        let subjects = |scope: Scope| {
            let rows = sheets.clone().flat_map(Sheet::rows).filter(move |row| {
                metrics::find(row.text(Column::Metric)).is_some_and(|metric| metric.scope == scope)
            });
            distinct(rows, Column::Subject)
        };
        let names = subjects(Scope::Side);
        let mut groups: Vec<&str> = Vec::new();
        let mut combatants = HashMap::new();
        for name in subjects(Scope::Combatant) {
            let stem = group(name).0;
            let at = groups.iter().position(|other| *other == stem);
            if at.is_none() {
                groups.push(stem);
            }
            let colour = side(names.len() + at.unwrap_or(groups.len() - 1));
            combatants.insert(name.to_owned(), colour);
        }
        Self {
            names: names.into_iter().map(str::to_owned).collect(),
            combatants,
        }
    }

    /// Returns the colour of a metric's subject. The encounter as a whole has the neutral colour.
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

/// The class names that all rows and panels of a variant share on a page, so that readers can switch them off. A single
/// variant has no switch.
#[derive(Debug, Clone, Default)]
pub(super) struct VariantClasses<'a> {
    prefix: &'a str,
    variants: Vec<&'a str>,
}

impl<'a> VariantClasses<'a> {
    /// Creates switches for these variants, with class names that begin with `prefix`.
    pub(super) fn new(prefix: &'a str, variants: Vec<&'a str>) -> Self {
        Self { prefix, variants }
    }

    /// Returns the class of a variant.
    pub(super) fn class(&self, variant: &str) -> Option<String> {
        let at = self.variants.iter().position(|name| *name == variant);
        at.filter(|_| self.variants.len() > 1)
            .map(|at| format!("{}v{at}", self.prefix))
    }

    /// Returns the variants with their classes.
    pub(super) fn all(&self) -> impl Iterator<Item = (String, &'a str)> {
        let all = self.variants.iter();
        all.filter_map(|name| Some((self.class(name)?, *name)))
    }
}

/// What the figures of a chapter share.
#[derive(Debug, Clone, Copy)]
pub(super) struct FigureStyle<'a> {
    /// The colours of the sides.
    pub(super) sides: &'a Sides,
    /// The switches of the variants.
    pub(super) switches: &'a VariantClasses<'a>,
    /// The beginning of the ids of the figures.
    pub(super) prefix: &'a str,
    /// The system's word for a Round.
    pub(super) round: &'static str,
}

impl FigureStyle<'_> {
    /// Returns the colour and the dashes of a variant, for figures that draw variants over each other. No side has this
    /// colour, as long as there are enough.
    pub(super) fn look(&self, variant: &str) -> (usize, usize) {
        let mut variants = self.switches.variants.iter();
        let at = variants.position(|name| *name == variant);
        let taken = self.sides.names.len().min(NEUTRAL / 2);
        let free = NEUTRAL - taken;
        at.map_or((NEUTRAL, 0), |at| (taken + at % free, at / free))
    }

    /// Returns a text of the program about Rounds in the words of the system.
    pub(super) fn in_its_words(&self, text: &str) -> String {
        text.replace("Round", self.round)
    }
}

/// Returns the name that the combatants of a `count` share, and the number of this combatant.
pub(super) fn group(name: &str) -> (&str, Option<usize>) {
    match name.rsplit_once(' ') {
        Some((group, number)) if number.bytes().all(|b| b.is_ascii_digit()) => {
            (group, number.parse().ok())
        }
        _ => (name, None),
    }
}
