//! The keys of a scenario that only Mage has.

use super::rules::{Sleepers, TurnRules};
use crate::dice::magick::{MAX_RATING, MagickEffect, Manner};
use crate::dice::{Storyteller, extended};
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader};
use crate::fields::checks::{self, pool};
use crate::fields::gear::ready_check;
use crate::fields::keys::GREATEST_ATTRIBUTE;
use crate::fields::sums::TraitSheet;
use crate::fields::traits::{INITIATIVE, attribute, outright, speed, standing};
use crate::fields::{Fields, Own, Rulings};
use crate::fight::check::Check;
use crate::fight::health::Diminished;
use crate::fight::initiative::MOST_SPEED;
use crate::fight::{Item, Magick, Spell, Traits, TurnTraits, Weapon};

/// Attributes of a mage that are used only in sums of traits (MD-4).
const OTHER_ATTRIBUTES: [&str; 6] = [
    "strength",
    "charisma",
    "manipulation",
    "appearance",
    "perception",
    "intelligence",
];

impl Fields for TurnRules {
    fn read_rules(&mut self, table: &mut Reader<'_>, rulings: &mut Rulings) {
        self.read_rows(table);
        if let Some((magick, key)) = table.at("magick.paradox_threshold")
            && magick
                .entry("paradox_backlash")
                .is_none_or(|entry| entry.node.text() == Some("none"))
        {
            magick.refuse_beside(
                key,
                "Paradox strikes back with `paradox_backlash = \"lose-turn\"` or `\"damage\"` alone (MD-6)",
            );
        }
        rulings.pool.tens = self.tens;
        rulings.pool.ones = self.ones;
        rulings.pool.ones_on_explosion = self.ones_on_explosion;
        rulings.pool.botch = self.botch;
    }

    fn read_encounter(&mut self, table: &mut Reader<'_>) {
        self.strenuous = table.boolean("strenuous").unwrap_or(false);
        if let Some(entry) = table.entry("sleepers") {
            match sleepers(&entry.node) {
                Ok(sleepers) => self.sleepers = sleepers,
                Err(problem) => table.report(problem),
            }
        }
    }

    fn read_combatant(&self, table: &mut Reader<'_>, rulings: &Rulings, broken: &mut bool) -> Own {
        let mut sheet = TraitSheet {
            owner: table.what().to_owned(),
            traits: Vec::new(),
        };
        // A combatant without Stamina does not tire.
        let (dexterity, wits, stamina) = standing(
            table,
            INITIATIVE,
            "{ dexterity = 3, wits = 3, stamina = 2 }",
            |inner| {
                let mut needed = |inner: &mut Reader<'_>, key: &'static str| {
                    let value = attribute(inner, key);
                    sheet.traits.push((key.to_owned(), value.into()));
                    value
                };
                let (dexterity, wits) = (needed(inner, "dexterity"), needed(inner, "wits"));
                let stamina = needed(inner, "stamina");
                for key in OTHER_ATTRIBUTES {
                    let value = inner.integer(key);
                    let named = value.map(|value| (key.to_owned(), value));
                    sheet.traits.extend(named);
                }
                (dexterity, wits, Some(stamina))
            },
            |rating| {
                let (wits, dexterity) = outright(rulings.system, rating);
                (dexterity, wits, None)
            },
        );
        let run = table.integer("move");
        let willpower = table.integer("willpower").unwrap_or(0) as i32;
        // A rating that is refused already does not also put all spells out of reach.
        let without = if table.has("arete") { MAX_RATING } else { 0 };
        let arete = table.integer("arete");
        let arete = arete.map_or(without, |arete| arete as u32);
        for (key, value) in [("willpower", i64::from(willpower)), ("arete", arete.into())] {
            sheet.traits.push((key.to_owned(), value));
        }
        if let Some(entry) = table.entry("skills") {
            sheet.add_skills(&entry.node, GREATEST_ATTRIBUTE, &mut table.nested);
        }
        let rulings = Rulings {
            sheet: Some(sheet),
            ..rulings.clone()
        };
        let swims = table.boolean("swims").unwrap_or(false);
        let asked = table.has("fly");
        let fly = table.integer("fly").map(|yards| yards as i32);
        *broken |= asked && fly.is_none();
        let climb = table.entry("climb").and_then(|entry| {
            let climb = pool(&entry.node, "climb", 0, &rulings, &mut table.nested);
            *broken |= climb.is_none();
            climb
        });
        let extra_actions = if table.has("speed") {
            table.refuse("extra_actions", "`speed` says how many actions it has");
            speed(table, rulings.system, Some([MOST_SPEED; 2])) - 1
        } else {
            table.entry("speed");
            table.integer("extra_actions").unwrap_or(0) as u8
        };
        let evade = table.integer("evade");
        let mut armor = table.integer("armor").unwrap_or(0);
        let mut soak = None;
        if let Some(entry) = table.entry("soak") {
            table.refuse("armor", "`soak` takes its place");
            if entry.node.table().is_some() {
                soak = pool(&entry.node, "soak", 0, &rulings, &mut table.nested);
            } else {
                armor = table.integer("soak").unwrap_or(0);
            }
        }
        let pushed = Storyteller {
            pool: stamina.unwrap_or(0).max(willpower) as u32,
            ..rulings.pool
        };
        let endurance = checks::compile(&pushed, 0, &rulings).expect("ten dice are a pool");
        let traits = TurnTraits {
            dexterity,
            wits,
            stamina,
            run: run.map_or(20 + 3 * dexterity, |yards| yards as i32),
            willpower,
            endurance,
            swims,
            fly,
            climb,
            extra_actions,
        };
        Own {
            soak,
            arete,
            sheet: rulings.sheet,
            ..Own::new(Traits::Turns(traits), 0, evade, armor)
        }
    }

    fn read_weapon(&self, table: &mut Reader<'_>, weapon: &mut Weapon, rulings: &Rulings) {
        weapon.ready_turns = table.integer("ready_turns").unwrap_or(0) as u8;
        weapon.ready_check = ready_check(table, rulings);
    }

    /// Reads an effect of magick (MD-5).
    fn read_spell(&self, table: &mut Reader<'_>, spell: &mut Spell, rulings: &Rulings) -> bool {
        let sphere = table.needed_integer("sphere");
        let vulgar = table.boolean("vulgar").unwrap_or(false);
        let ritual = table.boolean("ritual").unwrap_or(false);
        let turns_per_roll = table.integer("turns_per_roll").unwrap_or(1);
        if !ritual {
            table.refuse_beside(
                "turns_per_roll",
                "only a ritual is worked on for several turns: `ritual = true` (MD-7)",
            );
        }
        let required = table.integer("required");
        let dice = table.integer("dice");
        let extra_damage = table.integer("extra_damage");
        let extra_range = table.integer("extra_range").unwrap_or(0);
        let diminished = table.choice("diminished", Diminished::ALL);
        spell.magick = Some(Magick {
            sphere: sphere.unwrap_or(1) as u32,
            vulgar,
            dice: dice.map(|dice| dice as u32),
            // A standard effect (MD-5).
            required: required.unwrap_or(2) as u32,
            extra_damage: extra_damage.unwrap_or(rulings.extra_damage),
            extra_range: extra_range as i32,
            diminished,
            ritual,
            turns_per_roll: turns_per_roll as u8,
            paradox: 0,
        });
        sphere.is_none()
    }

    fn read_item(&self, table: &mut Reader<'_>, item: &mut Item, rulings: &Rulings) {
        item.ready_check = ready_check(table, rulings);
    }

    /// Gives a mage's effects their pools (MD-5).
    fn empower(&self, table: &mut Reader<'_>, spells: &mut [Spell], own: &Own, rulings: &Rulings) {
        for spell in spells {
            let Some(magick) = &mut spell.magick else {
                continue;
            };
            let manner = match (magick.vulgar, self.sleepers) {
                (false, _) => Manner::Coincidental,
                (true, Sleepers::Never | Sleepers::Chance(_)) => Manner::Vulgar,
                (true, Sleepers::Always) => Manner::Witnessed,
            };
            let most = if magick.ritual { usize::MAX } else { 1 };
            match MagickEffect::new(own.arete, magick.sphere, manner, magick.dice) {
                Ok(effect) => {
                    let rules = Storyteller {
                        pool: effect.pool().pool,
                        difficulty: effect.difficulty(),
                        required: magick.required,
                        ..rulings.pool
                    };
                    magick.paradox = effect.paradox();
                    let check = |difficulty| {
                        let rules = Storyteller {
                            difficulty,
                            ..rules
                        };
                        let dice = checks::compile(&rules, 0, rulings).ok()?;
                        Some(Check::Pool {
                            dice,
                            extra_damage: magick.extra_damage,
                            every_success: false,
                        })
                    };
                    let difficulties =
                        extended::difficulties(rules.difficulty, self.difficulty_step);
                    let mut checks = difficulties.filter_map(check).take(most);
                    spell.check = checks.next();
                    spell.harder = checks.collect();
                    if matches!(self.sleepers, Sleepers::Chance(_))
                        && let Some(effect) = effect.witnessed()
                    {
                        let difficulties =
                            extended::difficulties(effect.difficulty(), self.difficulty_step);
                        spell.witnessed = difficulties.filter_map(check).take(most).collect();
                    }
                }
                Err(wrong) => {
                    let place = table.texts("spells").and_then(|list| {
                        let named = list.into_iter().find(|(name, _)| *name == spell.name);
                        named.map(|(_, node)| node.span)
                    });
                    let span = place.unwrap_or(table.span());
                    table.report(
                        Diagnostic::error(
                            span,
                            wrong.to_string(),
                            format!("\"{}\" is beyond this mage", spell.name),
                        )
                        .help("give the combatant `arete`, at least as much as the spell's `sphere` and `dice` (MD-5)"),
                    );
                }
            }
        }
    }
}

/// Reads `initiative.roll` (MA-2).
pub(super) fn roll(table: &mut Reader<'_>, key: &'static str) -> Option<bool> {
    let entry = table.entry(key)?;
    let read = reader::choice(
        &entry.node,
        key,
        &[("per-turn", false), ("per-scene", true)],
    );
    table.ok_or_report(read.map_err(|problem| match entry.node.value {
        Value::List(_) => {
            problem.help("initiative is rolled in one of the two ways for a whole encounter (MA-2)")
        }
        _ => problem,
    }))
}

/// Reads `sleepers`: `true` or `false`, as such or in words, or a chance from 0 to 1 or in per cent.
fn sleepers(node: &Node) -> Result<Sleepers, Diagnostic> {
    const EXPECTED: &str =
        "expected `true`, `false`, \"always\", \"never\", or a chance for each turn: 0.25, \"25%\"";
    const WHOLE: u64 = 1 << 32;
    let wrong = |title: String| Err(Diagnostic::error(node.span, title, EXPECTED));
    let chance = match &node.value {
        Value::Boolean(true) => 1.0,
        Value::Boolean(false) => 0.0,
        Value::Integer(Some(number)) => *number as f64,
        Value::Float(number) => *number,
        Value::Text(text, _) => match (text.as_str(), text.strip_suffix('%')) {
            ("always", _) => 1.0,
            ("never", _) => 0.0,
            (_, Some(number)) => match number.trim().parse::<f64>() {
                Ok(number) => number / 100.0,
                Err(_) => {
                    return wrong(format!("`sleepers` is no chance: {}", reader::shown(text)));
                }
            },
            (_, None) => {
                return wrong(format!("unknown `sleepers`: \"{}\"", reader::shown(text)));
            }
        },
        _ => return wrong(format!("`sleepers` is {}", node.value.kind())),
    };
    // NaN is in no range.
    if !(0.0..=1.0).contains(&chance) {
        return wrong(format!("`sleepers` is out of range: {chance}"));
    }
    Ok(match (chance * WHOLE as f64).round() as u64 {
        0 => Sleepers::Never,
        WHOLE.. => Sleepers::Always,
        parts => Sleepers::Chance(parts),
    })
}
