//! The rulings of Mage.

use super::{Rulings, initiative, setback};
use crate::dice::pool::{Botch, Named, Ones, Tens};
use crate::fight::Combatant;
use crate::fight::health::Diminished;
use crate::fight::system::Clock;
use crate::fight::world::bit;
use crate::names;
use crate::scenario::diagnostics::Diagnostic;
use crate::scenario::node::{Node, Value};
use crate::scenario::reader::{self, Reader};
use crate::systems::mage::rules::{Collapse, Division, Exhaustion, Rules, Willpower};

/// Reads the rulings of this clock.
pub(super) fn read(
    table: &mut Reader<'_>,
    rules: &mut Rules,
    rulings: &mut Rulings,
    problems: &mut Vec<Diagnostic>,
) {
    let pool = &mut rulings.pool;
    fields! { table;
        "tens" in Tens::ALL => pool.tens;
        "ones" in Ones::ALL => pool.ones;
        "ones_on_explosion" in Ones::ALL => pool.ones_on_explosion;
        "botch" in Botch::ALL => pool.botch;
    }
    if let Some(inner) = table.table("initiative", "`rules.initiative`") {
        read_initiative(inner, rules, problems);
    }
    fields! { table;
        "per_yard" ["beyond": false, "all": true] => rules.every_yard_costs;
        "divide" [
            "after": Division::AfterPenalties, "before": Division::BeforePenalties
        ] => rules.division;
        "endurance_turns" (0..=1000) as i32 => rules.endurance_turns;
    }
    if let Some(mut inner) = table.table("endurance", "`rules.endurance`") {
        fields! { inner;
            "every_move" bool => rules.every_move;
        }
        inner.finish(problems);
    }
    fields! { table;
        "exhaustion" [
            "half": Exhaustion::Half, "stop": Exhaustion::Stop, "none": Exhaustion::Nothing
        ] => rules.exhaustion;
        "exhaustion_botch" [
            "collapse": Collapse::ForGood, "stop": Collapse::Stop, "trip": Collapse::Trip
        ] => rules.exhaustion_botch;
    }
    rules.attack_botch = setback(table, ("attack_botch", "nothing"), "attack_botch_damage");
    fields! { table;
        "climb_feet" (1..=100) => rules.climb_feet;
        "willpower" [
            "per-turn": Willpower::PerTurn, "per-action": Willpower::PerAction
        ] => rules.willpower;
    }
    if let Some(inner) = table.table("magick", "`rules.magick`") {
        magick(inner, rules, problems);
    }
}

fn read_initiative(mut table: Reader<'_>, rules: &mut Rules, problems: &mut Vec<Diagnostic>) {
    let both = table
        .entry("roll")
        .filter(|entry| matches!(entry.node.value, Value::List(_)));
    if let Some(entry) = both {
        table.complain(
            reader::wrong_kind(&entry.node, "roll", "\"per-turn\" or \"per-scene\"")
                .help("initiative is rolled in one of the two ways for a whole encounter (MA-2)"),
        );
    } else {
        fields! { table;
            "roll" ["per-turn": false, "per-scene": true] => rules.once_a_scene;
        }
    }
    if let Some(dice) = initiative::dice(&mut table) {
        rules.dice = dice;
    }
    if let Some(ties) = initiative::ties(&mut table, Clock::Turns) {
        rules.ties = ties;
    }
    // The sharers are resolved when all combatants are known.
    table.entry("share");
    table.finish(problems);
}

fn magick(mut table: Reader<'_>, rules: &mut Rules, problems: &mut Vec<Diagnostic>) {
    rules.magick.botch = setback(&mut table, ("botch", "paradox"), "botch_damage");
    fields! { table;
        "diminished" in Diminished::ALL => rules.magick.diminished;
        "ritual_botch" in crate::dice::extended::OnBotch::ALL => rules.magick.ritual_botch;
        "difficulty_step" (0..=9) as u32 => rules.magick.difficulty_step;
        "paradox" ["each": false, "once": true] => rules.magick.paradox_once;
    }
    let backlash = table.entry("paradox_backlash");
    let is_off = backlash.is_none_or(|entry| entry.node.text() == Some("none"));
    rules.magick.backlash = setback(&mut table, ("paradox_backlash", "none"), "paradox_damage");
    fields! { table;
        "paradox_threshold" (1..=1000) as u32 => rules.magick.paradox_threshold;
    }
    if is_off {
        table.refuse_beside(
            "paradox_threshold",
            "Paradox strikes back with `paradox_backlash = \"lose-turn\"` or `\"damage\"` alone (MD-6)",
        );
    }
    fields! { table;
        "damage_interrupts" bool => rules.magick.damage_interrupts;
    }
    table.finish(problems);
}

/// Reads `rules.initiative.share`: who acts on one initiative (MA-1), as sets of combatants.
pub(in crate::scenario) fn share(
    rules: Option<&Node>,
    sides: &[String],
    combatants: &[Combatant],
    problems: &mut Vec<Diagnostic>,
) -> Vec<u64> {
    let Some(node) = rules
        .and_then(Node::table)
        .and_then(|rules| rules.get("initiative")?.node.table()?.get("share"))
    else {
        return Vec::new();
    };
    let list = match reader::list(&node.node, "share") {
        Ok(list) => list,
        Err(problem) => {
            problems.push(problem.help("name the sides or groups that share an initiative"));
            return Vec::new();
        }
    };
    let mut shared: Vec<u64> = Vec::new();
    for node in list {
        let name = match reader::text(node, "share") {
            Ok(name) => name,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let members = combatants
            .iter()
            .enumerate()
            .filter(|(_, one)| one.group == name || sides[one.side] == name)
            .fold(0, |all, (who, _)| all | bit(who));
        let known = || {
            sides
                .iter()
                .map(String::as_str)
                .chain(combatants.iter().map(|one| one.group.as_str()))
        };
        if members == 0 {
            let label = names::suggest(name, known(), '"').unwrap_or_else(|| {
                "expected the name of a side or of a combatant with a `count`".to_owned()
            });
            problems.push(Diagnostic::error(
                node.span,
                format!("nobody is called \"{}\"", reader::shown(name)),
                label,
            ));
        } else if shared.iter().any(|other| other & members != 0) {
            problems.push(Diagnostic::error(
                node.span,
                format!("\"{name}\" shares two initiatives"),
                "somebody of it is in an earlier name of the list",
            ));
        } else {
            shared.push(members);
        }
    }
    shared
}
