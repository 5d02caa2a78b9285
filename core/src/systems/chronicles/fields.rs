//! The keys of a scenario that only Chronicles has.

use super::description::CHRONICLES;
use super::rules::{Lost, Rules};
use crate::document::reader::Reader;
use crate::fields::gear::ongoing;
use crate::fields::initiative::dice_and_ties;
use crate::fields::traits::{INITIATIVE, attribute, outright, speed, standing};
use crate::fields::{Fields, Own, Rulings, checks, fields, setback};
use crate::fight::{OrderTraits, Spell, Traits, Weapon};

impl Fields for Rules {
    fn read_rules(&mut self, table: &mut Reader<'_>, rulings: &mut Rulings) {
        if let Some(mut inner) = table.table("initiative", "`rules.initiative`") {
            fields! { inner;
                "roll" ["per-scene": false, "per-round": true] => self.every_round;
            }
            dice_and_ties(
                &mut inner,
                (&mut self.dice, &mut self.ties),
                &CHRONICLES.ties,
            );
            inner.finish(&mut table.nested);
        }
        fields! { table;
            "delays" bool => self.delays;
            "readies" bool => self.readies;
            "yield" ["committed": false, "ask-again": true] => self.yields_ask_again;
            "early_trigger" ["replaces": false, "adds": true] => self.early_trigger_adds;
            "lost_actions" [
                "lost": Lost::Lost, "retarget": Lost::Retarget, "kept": Lost::Kept
            ] => self.lost_actions;
            "effects_first" ["ongoing": false, "regeneration": true] => self.regeneration_first;
            "ongoing" ["adds": false, "worst": true] => self.worst_ongoing;
            "defence" ["erodes": false, "constant": true] => self.constant_defence;
        }
        if let Some(again) = checks::again(table) {
            rulings.again = again;
        }
        self.dramatic_failure = setback(table, ("dramatic_failure", "none"), "dramatic_damage");
    }

    fn share(&mut self) -> &mut Vec<u64> {
        &mut self.share
    }

    fn read_combatant(&self, table: &mut Reader<'_>, rulings: &Rulings, _: &mut bool) -> Own {
        let (dexterity, composure) = standing(
            table,
            INITIATIVE,
            "{ dexterity = 3, composure = 2 }",
            |inner| (attribute(inner, "dexterity"), attribute(inner, "composure")),
            |rating| outright(rulings.system, rating),
        );
        speed(table, rulings.system, None);
        let mut traits = OrderTraits {
            dexterity,
            composure,
            ..OrderTraits::default()
        };
        traits.defence = table.integer("defence", 0..=100).unwrap_or(0) as i32;
        traits.regeneration = table.integer("regeneration", 0..=1000).unwrap_or(0) as i32;
        traits.ongoing = ongoing(table);
        let speed = table.needed_integer("move", 0..=1000).unwrap_or(0);
        let evade = table.integer("evade", -1000..=1000);
        let armor = table.integer("armor", 0..=100_000).unwrap_or(0);
        Own::new(Traits::Order(traits), speed, evade, armor)
    }

    fn read_weapon(&self, table: &mut Reader<'_>, weapon: &mut Weapon, _: &Rulings) {
        fields! { table;
            "ignores_defence" bool => weapon.ignores_defence;
        }
        weapon.ongoing = ongoing(table);
    }

    fn read_spell(&self, table: &mut Reader<'_>, spell: &mut Spell, _: &Rulings) -> bool {
        spell.ongoing = ongoing(table);
        false
    }
}
