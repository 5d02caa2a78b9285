//! The rulings of Mage.

use super::{Rulings, initiative, setback, switch, word};
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
    word(table, "tens", Tens::ALL, &mut pool.tens);
    word(table, "ones", Ones::ALL, &mut pool.ones);
    word(
        table,
        "ones_on_explosion",
        Ones::ALL,
        &mut pool.ones_on_explosion,
    );
    word(table, "botch", Botch::ALL, &mut pool.botch);
    if let Some(inner) = table.table("initiative", "`rules.initiative`") {
        read_initiative(inner, rules, problems);
    }
    word(
        table,
        "per_yard",
        &[("beyond", false), ("all", true)],
        &mut rules.every_yard_costs,
    );
    word(
        table,
        "divide",
        &[
            ("after", Division::AfterPenalties),
            ("before", Division::BeforePenalties),
        ],
        &mut rules.division,
    );
    if let Some(turns) = table.integer("endurance_turns", 0..=1000) {
        rules.endurance_turns = turns as i32;
    }
    if let Some(mut inner) = table.table("endurance", "`rules.endurance`") {
        switch(&mut inner, "every_move", &mut rules.every_move);
        inner.finish(problems);
    }
    word(
        table,
        "exhaustion",
        &[
            ("half", Exhaustion::Half),
            ("stop", Exhaustion::Stop),
            ("none", Exhaustion::Nothing),
        ],
        &mut rules.exhaustion,
    );
    word(
        table,
        "exhaustion_botch",
        &[
            ("collapse", Collapse::ForGood),
            ("stop", Collapse::Stop),
            ("trip", Collapse::Trip),
        ],
        &mut rules.exhaustion_botch,
    );
    rules.attack_botch = setback(table, ("attack_botch", "nothing"), "attack_botch_damage");
    if let Some(feet) = table.integer("climb_feet", 1..=100) {
        rules.climb_feet = feet;
    }
    word(
        table,
        "willpower",
        &[
            ("per-turn", Willpower::PerTurn),
            ("per-action", Willpower::PerAction),
        ],
        &mut rules.willpower,
    );
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
        word(
            &mut table,
            "roll",
            &[("per-turn", false), ("per-scene", true)],
            &mut rules.once_a_scene,
        );
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
    word(
        &mut table,
        "diminished",
        Diminished::ALL,
        &mut rules.magick.diminished,
    );
    word(
        &mut table,
        "ritual_botch",
        crate::dice::extended::OnBotch::ALL,
        &mut rules.magick.ritual_botch,
    );
    if let Some(step) = table.integer("difficulty_step", 0..=9) {
        rules.magick.difficulty_step = step as u32;
    }
    word(
        &mut table,
        "paradox",
        &[("each", false), ("once", true)],
        &mut rules.magick.paradox_once,
    );
    let backlash = table.entry("paradox_backlash");
    let is_off = backlash.is_none_or(|entry| entry.node.text() == Some("none"));
    rules.magick.backlash = setback(&mut table, ("paradox_backlash", "none"), "paradox_damage");
    if let Some(threshold) = table.integer("paradox_threshold", 1..=1000) {
        rules.magick.paradox_threshold = threshold as u32;
    }
    if is_off {
        table.refuse_beside(
            "paradox_threshold",
            "Paradox strikes back with `paradox_backlash = \"lose-turn\"` or `\"damage\"` alone (MD-6)",
        );
    }
    switch(
        &mut table,
        "damage_interrupts",
        &mut rules.magick.damage_interrupts,
    );
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
