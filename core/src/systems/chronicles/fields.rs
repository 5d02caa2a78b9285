//! The keys of a scenario that only Chronicles has.

use super::rules::OrderRules;
use crate::document::reader::Reader;
use crate::fields::gear::ongoing;
use crate::fields::initiative::own_initiative;
use crate::fields::traits::{INITIATIVE, attribute, outright, speed, standing};
use crate::fields::{Fields, Own, Rulings};
use crate::fight::system::Clock;
use crate::fight::{OrderTraits, Spell, Traits, Weapon};

impl Fields for OrderRules {
    fn read_rules(&mut self, table: &mut Reader<'_>, rulings: &mut Rulings) {
        self.read_rows(table);
        rulings.again = self.again;
    }

    fn read_combatant(&self, table: &mut Reader<'_>, rulings: &Rulings, _: &mut bool) -> Own {
        let mut dice = None;
        let (dexterity, composure) = if rulings.system.clock == Clock::Own {
            let (rating, own) = own_initiative(table);
            dice = own;
            (rating, 0)
        } else {
            standing(
                table,
                INITIATIVE,
                "{ dexterity = 3, composure = 2 }",
                |inner| (attribute(inner, "dexterity"), attribute(inner, "composure")),
                |rating| outright(rulings.system, rating),
            )
        };
        speed(table, rulings.system, None);
        let mut traits = OrderTraits {
            dexterity,
            composure,
            dice,
            ..OrderTraits::default()
        };
        traits.defence = table.integer("defence").unwrap_or(0) as i32;
        traits.regeneration = table.integer("regeneration").unwrap_or(0) as i32;
        traits.ongoing = ongoing(table);
        let speed = table.needed_integer("move").unwrap_or(0);
        let evade = table.integer("evade");
        let armor = table.integer("armor").unwrap_or(0);
        Own::new(Traits::Order(traits), speed, evade, armor)
    }

    fn read_weapon(&self, table: &mut Reader<'_>, weapon: &mut Weapon, _: &Rulings) {
        weapon.ignores_defence = table.boolean("ignores_defence").unwrap_or(false);
        weapon.ongoing = ongoing(table);
    }

    fn read_spell(&self, table: &mut Reader<'_>, spell: &mut Spell, _: &Rulings) -> bool {
        spell.ongoing = ongoing(table);
        false
    }
}
