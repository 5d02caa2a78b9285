//! The keys of a scenario that only Eclipse Phase has.

use super::movement::shares;
use super::rules::{MOST_PHASES, PhaseRules};
use crate::document::diagnostics::Diagnostic;
use crate::document::reader::Reader;
use crate::fields::gear;
use crate::fields::initiative::no_dice;
use crate::fields::keys::QUICK;
use crate::fields::traits::{outright, speed, standing};
use crate::fields::{Fields, Own, Rulings};
use crate::fight::{Item, PhaseTraits, Traits, Units};

/// The greatest amount of initiative, of either sign.
const MOST_INITIATIVE: i64 = 1000;

/// The Units a turn of a runner, if the file does not say.
const RUNNING: i64 = 20;

impl Fields for PhaseRules {
    fn read_rules(&mut self, table: &mut Reader<'_>, rulings: &mut Rulings) {
        self.read_rows(table);
        if self.fixed {
            no_dice(table);
        }
        rulings.critical_ignores_armor = !self.plain_doubles;
    }

    fn read_combatant(&self, table: &mut Reader<'_>, rulings: &Rulings, _: &mut bool) -> Own {
        let (init, intuition, reflexes) = standing(
            table,
            -MOST_INITIATIVE..=MOST_INITIATIVE,
            "{ intuition = 20, reflexes = 25 }",
            |inner| {
                let of = |inner: &mut Reader<'_>, key| inner.needed_integer(key).unwrap_or(0);
                let (intuition, reflexes) = (of(inner, "intuition"), of(inner, "reflexes"));
                // EP-1: a fifth of the sum of the two.
                let init = self.rounding.fifth(intuition + reflexes);
                (init as i32, intuition as i32, reflexes as i32)
            },
            |init| {
                let (intuition, reflexes) = outright(rulings.system, init);
                (init, intuition, reflexes)
            },
        );
        let modifier = table.integer("initiative_modifier").unwrap_or(0);
        let speed = speed(table, rulings.system, Some([self.most_speed, MOST_PHASES]));
        let moxie = table.integer("moxie");
        let units = table.integer("move").unwrap_or(RUNNING);
        let acting = &shares(units as Units, speed, self)[..usize::from(speed.min(self.phases))];
        if let Some(entry) = table.entry("move")
            && units > 0
            && acting.iter().all(|share| *share == 0)
        {
            let title = format!("{units} Units a turn leave none for the Phases in which it acts");
            let warning = Diagnostic::warning(entry.node.span, title, "it never begins a move");
            table.report(warning.help(
                "the Units are spread over the Phases (EP-8): give more, or set `rules.movement = \"whole\"`",
            ));
        }
        let fray = table.integer("fray");
        let armor = table.integer("armor").unwrap_or(0);
        let evade = table.integer("evade");
        let wound_threshold = table.integer("wound_threshold");
        let wounds = table.integer("wounds").unwrap_or(0);
        let traits = PhaseTraits {
            initiative: init + modifier as i32,
            intuition,
            reflexes,
            speed,
            moxie: moxie.map(|points| points as u8),
            fray,
            wound_threshold: wound_threshold.map(|points| points as i32),
            wounds: wounds as i32,
        };
        Own::new(Traits::Phases(traits), units, evade, armor)
    }

    fn read_item(&self, table: &mut Reader<'_>, item: &mut Item, _: &Rulings) {
        let quick = gear::category(table, QUICK);
        item.quick = quick.unwrap_or(item.quick);
    }
}
