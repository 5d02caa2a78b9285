//! The keys of a scenario that only Tara-Corax has.

use std::collections::BTreeMap;

use super::rules::{ALWAYS, MarkRules, spaced_evenly};
use crate::dice::initiative::Explode;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader};
use crate::fields::gear;
use crate::fields::gear::roll;
use crate::fields::initiative::no_dice;
use crate::fields::traits::{INITIATIVE, outright, speed, standing};
use crate::fields::{Fields, Own, Rulings};
use crate::fight::lasting::Number;
use crate::fight::{CombatCasting, Cost, Item, MarkTraits, Marks, Spell, Traits, Weapon};

impl Fields for MarkRules {
    fn read_rules(&mut self, table: &mut Reader<'_>, _: &mut Rulings) {
        self.read_rows(table);
        if self.fixed {
            no_dice(table);
        }
        if self.dice.as_die().is_none()
            && self.explode != Explode::None
            && let Some((initiative, key)) = table.at("initiative.explode")
        {
            only_one_die_explodes(initiative, key);
        }
        if let Some((costs, _)) = table.at("costs.full") {
            self.check_costs(costs);
        }
        self.offsets = spaced_evenly(self.full);
        if let Some(entry) = table.entry("attack_offsets") {
            spacing(&entry.node, self.full, &mut self.offsets, &mut table.nested);
        }
    }

    fn read_combatant(&self, table: &mut Reader<'_>, rulings: &Rulings, broken: &mut bool) -> Own {
        let attribute = |inner: &mut Reader<'_>, key| {
            let value = inner.needed_integer(key);
            value.unwrap_or(0) as i32
        };
        // TC-2: the characteristic is the mean of the two.
        let (agility, intellect) = standing(
            table,
            INITIATIVE,
            "{ agility = 12, intellect = 10 }",
            |inner| (attribute(inner, "agility"), attribute(inner, "intellect")),
            |characteristic| outright(rulings.system, characteristic),
        );
        speed(table, rulings.system, None);
        let mut traits = MarkTraits {
            agility,
            intellect,
            ..MarkTraits::default()
        };
        traits.evade_modifier = table.integer("evade_modifier").unwrap_or(0) as i32;
        let speed = table.needed_integer("move").unwrap_or(0);
        let evade = table.needed_integer("evade");
        let armor = table.integer("armor").unwrap_or(0);
        abilities(table, &mut traits, broken);
        let asked_car = table.has("car");
        traits.car = table.integer("car").map(|car| car as i32);
        *broken |= asked_car && traits.car.is_none();
        let hands = table.integer("hands");
        traits.hands = hands.map(|hands| hands as u8);
        if table.has("combat_casting") {
            traits.combat_casting = combat_casting(table);
            *broken |= traits.combat_casting.is_none();
        } else {
            table.entry("combat_casting");
        }
        Own {
            hands: traits.hands,
            ..Own::new(
                Traits::Marks(traits),
                speed,
                Some(evade.unwrap_or(0)),
                armor,
            )
        }
    }

    fn read_weapon(&self, table: &mut Reader<'_>, weapon: &mut Weapon, rulings: &Rulings) {
        weapon.offsets = self.offsets_of(table);
        if rulings.may_change(Number::Attacks) {
            let mut spacings = self.offsets.clone();
            spacings.insert(weapon.offsets.len(), weapon.offsets.clone());
            let most = spacings.keys().last().copied().unwrap_or_default();
            // A number without a spacing of its own has that of the next smaller one.
            let nearest = |attacks| spacings.range(..=attacks).next_back();
            let all = (1..=most).filter_map(nearest);
            weapon.spacings = all.map(|(_, spacing)| spacing.clone()).collect();
        }
    }

    fn read_spell(&self, table: &mut Reader<'_>, spell: &mut Spell, _: &Rulings) -> bool {
        let (casting_time, channel, broken) = casting(table);
        spell.casting_time = casting_time as i32;
        spell.channel = channel;
        broken
    }

    fn read_item(&self, table: &mut Reader<'_>, item: &mut Item, _: &Rulings) {
        item.cost = gear::category(table, Cost::ALL).unwrap_or(item.cost);
    }
}

impl MarkRules {
    /// Reports each category of actions that costs less than a smaller one (TC-5).
    fn check_costs(&self, table: &mut Reader<'_>) {
        let mut last = 1;
        for (key, cost) in [
            ("quarter", self.quarter),
            ("half", self.half),
            ("full", self.full),
        ] {
            if cost < last {
                let entry = table.entry(key);
                let span = entry.map_or(table.span(), |entry| entry.node.span);
                table.report(
                    Diagnostic::error(
                        span,
                        format!("`costs.{key}` is less than a smaller action costs"),
                        format!("expected at least {last}"),
                    )
                    .help("a Quarter Action costs no more than a Half, and a Half no more than a Full Action"),
                );
            }
            last = last.max(cost);
        }
    }

    /// Reads the offsets of the attacks of a full set (TC-8).
    fn offsets_of(&self, table: &mut Reader<'_>) -> Vec<u8> {
        let attacks_entry = table.entry("attacks");
        let attacks = table.integer("attacks");
        match (table.entry("attack_offsets"), attacks) {
            (Some(entry), _) => {
                let wrong = attacks_entry.is_some() && attacks.is_none();
                let count = attacks.unwrap_or(1) as usize;
                // Without a valid number of attacks the number of offsets is unknown.
                if wrong {
                    vec![0]
                } else {
                    attack_offsets(&entry.node, count, self.full).unwrap_or_else(|problem| {
                        table.report(problem);
                        vec![0]
                    })
                }
            }
            (None, attacks) => {
                let count = attacks.unwrap_or(1) as usize;
                self.offsets.get(&count).cloned().unwrap_or_else(|| {
                    let span = attacks_entry.map_or(table.span(), |entry| entry.node.span);
                    let spacing = self.full as usize / count;
                    let offsets = || {
                        let marks = (0..count).map(|attack| (attack * spacing).to_string());
                        marks.collect::<Vec<_>>().join(", ")
                    };
                    table.report(
                        Diagnostic::error(
                            span,
                            format!("the rules do not say when {count} attacks come"),
                            "more than 5 attacks need `attack_offsets`",
                        )
                        .maybe_help((spacing > 0).then(|| {
                            format!(
                                "add the Marks after the first at which each comes: `attack_offsets = [{}]`",
                                offsets()
                            )
                        })),
                    );
                    vec![0]
                })
            }
        }
    }
}

/// Reports an error if `explode` is used without a single die, whose highest face it is about (TC-3).
fn only_one_die_explodes(table: &mut Reader<'_>, key: &'static str) {
    if let Some(entry) = table.entry(key) {
        table.report(
            Diagnostic::error(
                entry.node.span,
                "`explode` is about a single die",
                "expected \"none\" with these `dice`",
            )
            .help("write the explosion in the dice: `dice = \"2d6x\"`, or `dice = \"2d6xo\"` for once"),
        );
    }
}

/// The most attack actions a Round that `[rules]` can name.
pub(super) const MOST_ATTACKS: i64 = 30;

/// Reads `attack_actions`.
pub(super) fn attack_actions(table: &mut Reader<'_>, key: &'static str) -> Option<u8> {
    let entry = table.entry(key)?;
    let actions = match &entry.node.value {
        Value::Text(text, _) if text == "any" => Ok(u8::MAX),
        Value::Text(..) => Err(Diagnostic::error(
            entry.node.span,
            "`attack_actions` cannot be this",
            "expected a whole number from 1 to 30, or \"any\"",
        )),
        _ => reader::integer(&entry.node, key, 1..=MOST_ATTACKS).map(|number| number as u8),
    };
    table.ok_or_report(actions)
}

/// Reads `fizzle_chance` in parts of 2^32 (TC-13).
pub(super) fn fizzle_chance(table: &mut Reader<'_>, key: &'static str) -> Option<u64> {
    let chance = table.chance(key)?;
    Some((chance * ALWAYS as f64).round() as u64)
}

/// Leaves `attack_offsets` until the costs are known.
pub(super) fn later(table: &mut Reader<'_>, key: &'static str) -> Option<BTreeMap<usize, Vec<u8>>> {
    table.entry(key).and(None)
}

/// Reads `attack_offsets` of `[rules]`: a list for each number of attacks.
fn spacing(
    node: &Node,
    last: Marks,
    offsets: &mut BTreeMap<usize, Vec<u8>>,
    problems: &mut Vec<Diagnostic>,
) {
    let Some(table) = node.table() else {
        problems.push(
            reader::wrong_kind(node, "attack_offsets", "a table").help(format!(
                "written like `attack_offsets = {{ 2 = [0, {last}] }}`"
            )),
        );
        return;
    };
    for entry in &table.entries {
        let Some(attacks) = entry
            .key
            .parse()
            .ok()
            .filter(|number| (1..=30).contains(number))
        else {
            problems.push(Diagnostic::error(
                entry.span,
                format!("`{}` is no number of attacks", reader::shown(&entry.key)),
                "expected a whole number from 1 to 30",
            ));
            continue;
        };
        match attack_offsets(&entry.node, attacks, last) {
            Ok(list) => {
                offsets.insert(attacks, list);
            }
            Err(problem) => problems.push(problem),
        }
    }
}

/// Reads the Mark of each attack, relative to the first, up to `last`, at which the actor is free again
/// (TC-8).
fn attack_offsets(node: &Node, attacks: usize, last: Marks) -> Result<Vec<u8>, Diagnostic> {
    let key = "attack_offsets";
    let list = reader::list(node, key)?;
    if list.len() != attacks {
        let (marks, are) = if attacks == 1 {
            ("Mark", "is")
        } else {
            ("Marks", "are")
        };
        return Err(Diagnostic::error(
            node.span,
            format!("`{key}` has the wrong length"),
            format!(
                "{attacks} {marks} {are} needed, one for each attack; found {}",
                list.len()
            ),
        ));
    }
    let mut offsets: Vec<u8> = Vec::with_capacity(attacks);
    for offset_node in list {
        let offset = reader::integer(offset_node, key, 0..=last.into())? as u8;
        let (wrong, expected) = match offsets.last() {
            None => (
                offset != 0,
                "the first attack comes at once: expected 0".to_owned(),
            ),
            Some(last) => (
                offset <= *last,
                format!("expected more than the {last} before it"),
            ),
        };
        if wrong {
            return Err(Diagnostic::error(
                offset_node.span,
                format!("`{key}` does not rise strictly from 0"),
                expected,
            ));
        }
        offsets.push(offset);
    }
    Ok(offsets)
}

/// Reads the casting time of a spell and whether it is a Channel, and returns whether that is invalid (TC-12, TC-15).
fn casting(table: &mut Reader<'_>) -> (i64, bool, bool) {
    let asked = table.has("channel");
    let channel = table.boolean("channel");
    let broken = asked && channel.is_none();
    let channel = channel.unwrap_or(false);
    let time = if broken {
        table.entry("casting_time");
        0
    } else if channel {
        table.refuse(
            "casting_time",
            "a Channel takes all Marks of a Round, and comes at its end",
        );
        0
    } else {
        table.needed_integer("casting_time").unwrap_or(1)
    };
    (time, channel, broken)
}

/// Reads `abilities`, each of which changes a rule.
fn abilities(table: &mut Reader<'_>, traits: &mut MarkTraits, broken: &mut bool) {
    let Some(list) = table.texts("abilities") else {
        *broken |= table.has("abilities");
        return;
    };
    for (_, node) in list {
        match reader::choice(node, "abilities", MarkTraits::ABILITIES) {
            Ok(ability) => *ability(traits) = true,
            Err(problem) => {
                *broken = true;
                table.report(problem);
            }
        }
    }
}

fn combat_casting(table: &mut Reader<'_>) -> Option<CombatCasting> {
    let mut inner = table.table("combat_casting", "`combat_casting`")?;
    let check = inner
        .needed("check")
        .and_then(|entry| match roll(&entry.node, "check") {
            Ok(roll) => Some(roll),
            Err(problem) => {
                inner.report(problem);
                None
            }
        });
    let target = inner.integer("target");
    let units_per = inner.integer("units_per");
    table.close(inner);
    Some(CombatCasting {
        check: check?,
        target: target?,
        units_per: units_per?,
    })
}
