//! The combatant that follows a policy, and its gear.

use super::names::find;
use crate::document::diagnostics::Diagnostic;
use crate::fight::effect::{Power, Recipient};
use crate::fight::lasting::Condition;
use crate::fight::program::Action;
use crate::fight::system::Clock;
use crate::fight::variables::VariableRow;
use crate::fight::{Item, MarkTraits, Spell, Task, Traits, Variable, Weapon};
use crate::policy::ast::Name;

/// A combatant that may be named as a target.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// Unique name; with a `count`, the group's name and a number.
    pub name: &'a str,
    /// Name of the entry in the file.
    pub group: &'a str,
    /// Its side.
    pub side: &'a str,
    /// All deeds of which it is capable.
    pub can: Deeds,
}

/// The deeds of which a combatant is capable with its gear: those that others may wait for (CD-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Deeds {
    pub moves: bool,
    pub attacks: bool,
    pub casts: bool,
    pub uses: bool,
    pub draws: bool,
}

/// The owner of a policy, and its gear.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a> {
    /// The combatant's name in the file.
    pub name: &'a str,
    /// Its side.
    pub side: &'a str,
    /// Its weapons, in order of preference.
    pub weapons: &'a [Weapon],
    /// Its spells.
    pub spells: &'a [Spell],
    /// Its items.
    pub items: &'a [Item],
    /// Its tasks.
    pub tasks: &'a [Task],
    /// The conditions of the fight.
    pub conditions: &'a [Condition],
    /// The resources of a turn.
    pub resources: &'a [String],
    /// The kinds of turn that are declared as a Round begins; empty if actions are; none if nothing is.
    pub declares: Option<&'a [String]>,
    /// Its clock.
    pub clock: Clock,
    /// Its values for the clock.
    pub traits: &'a Traits,
    /// The names of the traits of the scenario's own, and those that it has.
    pub own: (&'a [String], &'a [Option<i32>]),
    /// Whether the line has ends or exits over which to flee (W-1, W-10).
    pub has_borders: bool,
    /// Whether the rules allow waiting.
    pub may_wait: bool,
    /// Marks in a Round (TC-1).
    pub round_marks: u8,
    /// Whether a combatant may be down (W-18).
    pub may_be_down: bool,
    /// All combatants of the fight, in file order.
    pub candidates: &'a [Candidate<'a>],
    /// The names of those that are left out of the fight: lines about them are about the nearest, as when they have fallen.
    pub absent: &'a [&'a str],
}

impl Owner<'_> {
    /// Whether its traits are those of Rounds of Marks and satisfy `wanted`.
    pub(in super::super) fn has(&self, wanted: impl Fn(&MarkTraits) -> bool) -> bool {
        self.traits.marks().is_some_and(wanted)
    }

    /// The names of its gear.
    pub(super) fn names(&self, thing: Thing) -> Vec<&str> {
        match thing {
            Thing::Weapon => self.weapons.iter().map(|weapon| &*weapon.name).collect(),
            Thing::Spell => self.spells.iter().map(|spell| &*spell.name).collect(),
            Thing::Item => self.items.iter().map(|item| &*item.name).collect(),
            // In the order of the uses left in a `Body`.
            Thing::Limited => {
                let items = self.items.iter().map(|item| &*item.name);
                let weapons = self.weapons.iter().filter(|weapon| weapon.uses.is_some());
                items.chain(weapons.map(|weapon| &*weapon.name)).collect()
            }
            Thing::Task => self.tasks.iter().map(|one| &*one.name).collect(),
            Thing::Resource => self.resources.iter().map(String::as_str).collect(),
            Thing::Turn => self
                .declares
                .into_iter()
                .flatten()
                .map(|one| &**one)
                .collect(),
            Thing::Condition => self.conditions.iter().map(|one| &*one.name).collect(),
        }
    }

    /// The points of traits that an action takes when it begins. A weapon without them is not in hand.
    pub(super) fn price<'p>(&'p self, action: &'p Action) -> &'p [(u8, i16)] {
        let price = match action {
            Action::Seize(price) => Some(price),
            Action::Use(item) => self.items.get(usize::from(*item)).map(|item| &item.price),
            Action::Cast(spell) | Action::Channel { spell, .. } => self
                .spells
                .get(usize::from(*spell))
                .map(|spell| &spell.price),
            Action::Ready(readied) => return self.price(&readied.feat.action),
            Action::Declare(feat) => return self.price(&feat.action),
            _ => None,
        };
        price.map_or(&[], |price| &price[..])
    }

    /// The workings of the item or spell of an action.
    fn power(&self, action: &Action) -> Option<&Power> {
        match action {
            Action::Use(item) => Some(&self.items.get(usize::from(*item))?.power),
            Action::Cast(spell) | Action::Channel { spell, .. } => {
                Some(&self.spells.get(usize::from(*spell))?.power)
            }
            _ => None,
        }
    }

    /// The possible targets of an action: enemies, unless its item or spell says otherwise, or it is a move.
    pub(in super::super) fn recipient(&self, action: &Action) -> Recipient {
        let power = self.power(action);
        match action {
            Action::Use(_) | Action::Cast(_) | Action::Channel { .. } => {
                power.map_or(Recipient::Anyone, |power| power.recipient)
            }
            Action::Advance(_) | Action::Retreat(_) | Action::Pick => Recipient::Anyone,
            Action::Swap => Recipient::Ally,
            _ => Recipient::Enemy,
        }
    }

    /// Whether an action may make an ally stand again that is down: by what it uses or, if it is an advance, by anything
    /// that its owner has (W-18).
    pub(super) fn revives(&self, action: &Action) -> bool {
        let of_allies =
            |power: &Power| matches!(power.recipient, Recipient::Ally | Recipient::Anyone);
        let items = self.items.iter().map(|item| &item.power);
        let spells = self.spells.iter().map(|spell| &spell.power);
        self.may_be_down
            && match action {
                Action::Advance(_) => items
                    .chain(spells)
                    .any(|power| of_allies(power) && power.heals()),
                _ => self.power(action).is_some_and(Power::heals),
            }
    }

    /// The index of the thing that a variable names: `uses.THING`, `progress.TASK`, `in_hand.WEAPON` or
    /// `has CONDITION`.
    pub(super) fn argument(
        &self,
        known: &VariableRow,
        name: &Name,
        missing: &mut Vec<Diagnostic>,
    ) -> Option<u8> {
        if known.variable.is_own_trait() {
            let (names, values) = self.own;
            let index = names.iter().position(|own| *own == name.text)?;
            if matches!(known.variable, Variable::Trait(_)) && values.get(index) == Some(&None) {
                let title = format!("\"{}\" has no trait `{}`", self.name, name.text);
                let label = "its `traits` do not name it";
                missing.push(Diagnostic::error(name.spot, title, label));
            }
            return Some(index as u8);
        }
        let thing = match known.variable {
            Variable::Uses(_) => Thing::Limited,
            Variable::Progress(_) => Thing::Task,
            Variable::Left(_) => Thing::Resource,
            Variable::Has(_) | Variable::TargetHas(_) => Thing::Condition,
            _ => Thing::Weapon,
        };
        find(thing, name, self, missing).map(|index| index as u8)
    }
}

/// The kinds of gear that a policy can name.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum Thing {
    Weapon,
    Spell,
    Item,
    /// An item, or a weapon with a limit of uses.
    Limited,
    Task,
    Condition,
    Resource,
    /// A kind of turn.
    Turn,
}
