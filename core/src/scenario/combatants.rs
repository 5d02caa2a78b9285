//! `[[combatants]]`: the combatants, entry by entry.

use std::sync::Arc;

use super::build::no_spells;
use super::frame::Frame;
use super::keys::{COMBATANT, SCENARIO};
use super::policies::{Lines, lines};
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader};
use crate::document::source::Span;
use crate::fields::conditions;
use crate::fields::effects;
use crate::fields::gear::{self, Defined, Gear};
use crate::fields::keys::MOST_WEAPONS;
use crate::fields::own::own_traits;
use crate::fields::sums::TraitSheet;
use crate::fields::surroundings::{Due, enters};
use crate::fields::traits::{health, thresholds};
use crate::fields::{Fields, Rulings};
use crate::fight::health::AtZero;
use crate::fight::lasting::Number;
use crate::fight::system::Clocks;
use crate::fight::traits::MAX_TASKS;
use crate::fight::world::MAX_ITEMS;
use crate::fight::{Combatant, MAX_COMBATANTS, Spell, Task, Weapon};
use crate::names;
use crate::policy::parameters::Parameters;
use crate::tally::metrics::NO_SIDES;

/// The greatest number of spells of a combatant, which are numbered in a byte.
const MOST_SPELLS: usize = 64;

/// An entry of `[[combatants]]`, without its compiled policy.
#[derive(Debug)]
pub(super) struct CombatantEntry<'a> {
    /// The combatant that all members of the count share; its name is that of the group.
    pub(super) combatant: Combatant,
    /// The name of the side.
    pub(super) side: &'a str,
    /// The time at which the combatant enters, if it is in reserve.
    pub(super) enters: Option<Due>,
    /// The number of combatants of the entry.
    pub(super) count: usize,
    /// The place of the name.
    pub(super) span: Span,
    /// The policy: a name in `[policies]`, or lines written in place.
    pub(super) policy: Option<PolicyRef<'a>>,
    /// Whether the file gives the combatant's Evade.
    pub(super) has_evade: bool,
    /// Whether some of its names are unknown or wrong. Then missing definitions are not reported separately.
    pub(super) broken: bool,
}

/// The policy of an entry.
#[derive(Debug)]
pub(super) enum PolicyRef<'a> {
    /// The name of a policy in `[policies]`.
    Named(&'a str, &'a Node),
    /// Lines written in place.
    Own(Lines<'a>),
}

/// Reads `[[combatants]]`; `None` if there are too many, for which no fight is built.
pub(super) fn entries<'a>(
    list: &'a [Arc<Node>],
    gear: &Gear,
    parameters: &Parameters,
    (fields, rulings): (&dyn Fields, &Rulings),
    frame: &Frame,
    problems: &mut Vec<Diagnostic>,
) -> Option<Vec<CombatantEntry<'a>>> {
    let mut entries: Vec<CombatantEntry<'a>> = Vec::new();
    let mut total = 0;
    for node in list {
        let Some(table) = Reader::open(node, &COMBATANT, what(node), problems) else {
            continue;
        };
        let entry = entry(table, gear, parameters, (fields, rulings), frame, problems);
        total += entry.count;
        if total > MAX_COMBATANTS {
            problems.push(Diagnostic::error(
                entry.span,
                "too many combatants",
                format!(
                    "{total} with this one; a fight holds at most {MAX_COMBATANTS}, counts included"
                ),
            ));
            return None;
        }
        entries.push(entry);
    }
    Some(entries)
}

/// Returns the words for an entry in messages.
fn what(node: &Node) -> String {
    node.text_at("name").map_or_else(
        || "a combatant".to_owned(),
        |name| format!("combatant \"{}\"", reader::shown(name)),
    )
}

/// Returns the traits of each combatant of the fight. Mistakes are reported when the combatants are read.
pub(super) fn sheets(root: &Node, fields: &dyn Fields, rulings: &Rulings) -> Vec<TraitSheet> {
    let entry = root.get("combatants");
    let list = entry.and_then(|entry| reader::list(&entry.node, "combatants").ok());
    let sheets = list.into_iter().flatten().flat_map(|node| {
        let mut table = Reader::open(node, &COMBATANT, what(node), &mut Vec::new());
        let table = table.as_mut();
        let sheet = table.map(|table| {
            let own = fields.read_combatant(table, rulings, &mut false);
            (own.sheet.unwrap_or_default(), count(table))
        });
        sheet
            .into_iter()
            .flat_map(|(sheet, count)| std::iter::repeat_n(sheet, count))
    });
    sheets.take(MAX_COMBATANTS).collect()
}

fn entry<'a>(
    mut table: Reader<'a>,
    gear: &Gear,
    parameters: &Parameters,
    (fields, rulings): (&dyn Fields, &Rulings),
    frame: &Frame,
    problems: &mut Vec<Diagnostic>,
) -> CombatantEntry<'a> {
    let span = table
        .entry("name")
        .map_or(table.span(), |entry| entry.node.span);
    let name = table.name("name");
    let side = table.name("side");
    if let Some(wrong) = side.filter(|side| NO_SIDES.contains(side))
        && let Some(entry) = table.entry("side")
    {
        table.report(
            Diagnostic::error(
                entry.node.span,
                format!("no side can be called \"{wrong}\""),
                "results use this word for encounters that no side wins",
            )
            .help("choose another name"),
        );
    }
    let count = count(&mut table);
    let position = table.integer("position");
    if let (Some(at), Some(arena)) = (position, frame.arena)
        && !(i64::from(arena.min)..=i64::from(arena.max)).contains(&at)
        && let Some(entry) = table.entry("position")
    {
        table.report(Diagnostic::error(
            entry.node.span,
            "a combatant starts outside the arena",
            format!("the arena is {} to {}", arena.min, arena.max),
        ));
    }
    let enters = enters(&mut table, rulings);
    let mut broken = name.is_none() || side.is_none();
    let own = fields.read_combatant(&mut table, rulings, &mut broken);
    let (health, track) = health(&mut table, rulings);
    if table.has("hp")
        && let Some(entry) = table.entry("hp")
    {
        let title = format!("{} has both `health` and `hp`", table.what());
        let label = "it means the same as `health`: leave one of them out";
        table.report(Diagnostic::error(entry.span, title, label));
    }

    let rulings = &Rulings {
        sheet: own.sheet.clone(),
        ..rulings.clone()
    };
    let weapons = pick(
        &mut table,
        ("weapons", MOST_WEAPONS),
        &gear.weapons,
        &mut broken,
        |name, table| gear::weapon(name, table, fields, rulings).0,
    );
    let mut in_hand = drawn(&mut table, &weapons);
    if let Some(hands) = own.hands {
        in_hand = first_members(in_hand, hands.into());
    }
    let mut spells: Vec<Spell> = Vec::new();
    let mut tasks: Vec<Task> = Vec::new();
    if rulings.system.tasks {
        table.refuse("spells", &no_spells(rulings.system));
        tasks = pick(
            &mut table,
            ("tasks", MAX_TASKS),
            &gear.tasks,
            &mut broken,
            |name, table| gear::task(name, table, rulings).0,
        );
    } else {
        spells = pick(
            &mut table,
            ("spells", MOST_SPELLS),
            &gear.spells,
            &mut broken,
            |name, table| gear::spell(name, table, fields, rulings).0,
        );
    }
    fields.empower(&mut table, &mut spells, &own, rulings);
    let items = pick(
        &mut table,
        ("items", MAX_ITEMS),
        &gear.items,
        &mut broken,
        |name, table| gear::item(name, table, fields, rulings).0,
    );
    let limited = weapons.iter().filter(|one| one.uses.is_some()).count();
    if limited + items.len() > MAX_ITEMS {
        table.report(Diagnostic::error(
            table.span(),
            format!("{} items and {limited} weapons with `uses`", items.len()),
            format!("a combatant has up to {MAX_ITEMS} things with `uses`"),
        ));
    }
    let prone = table.boolean("prone").unwrap_or(false);
    let own_traits = own_traits(&mut table, rulings);
    let at_zero = table.choice("at_zero", AtZero::ALL);
    let temporary_health = table.integer("temporary_health").unwrap_or(0) as i32;
    let thresholds = thresholds(&mut table);
    let resists = effects::resists(&mut table);
    let morale = conditions::morale(&mut table, rulings);
    let policy = match table.entry("policy") {
        None => None,
        Some(entry) => match &entry.node.value {
            Value::Text(name, _) => Some(PolicyRef::Named(name, &entry.node)),
            Value::List(list) => Some(PolicyRef::Own(lines(
                "",
                entry.span,
                &entry.node,
                list,
                (Clocks::only(rulings.system.clock), parameters),
                &mut table.nested,
            ))),
            _ => {
                table.report(reader::wrong_kind(
                    &entry.node,
                    "policy",
                    "the name of a policy, or a list of lines",
                ));
                None
            }
        },
    };
    table.finish(problems);
    let name = name.unwrap_or_default().to_owned();
    CombatantEntry {
        combatant: Combatant {
            group: name.clone(),
            name,
            side: 0,
            position: position.unwrap_or(0) as i32,
            enters: None,
            speed: own.speed,
            evade: own.evade.unwrap_or(0),
            armor: own.armor,
            soak: own.soak,
            health,
            health_varies: rulings.may_change(Number::Health),
            at_zero: at_zero.unwrap_or(rulings.at_zero),
            temporary_health,
            thresholds,
            track,
            weapons: weapons.into(),
            in_hand,
            spells,
            items,
            tasks,
            prone,
            resists,
            morale,
            traits: own.traits,
            own: own_traits,
            policy: Arc::default(),
        },
        side: side.unwrap_or_default(),
        enters,
        count,
        span,
        policy,
        has_evade: own.evade.is_some(),
        broken,
    }
}

fn count(table: &mut Reader<'_>) -> usize {
    let Some(entry) = table.entry("count") else {
        return 1;
    };
    let help = format!("a fight holds at most {MAX_COMBATANTS} combatants, all counts together");
    let count = reader::integer(&entry.node, "count", 0..=MAX_COMBATANTS as i64);
    let count = table.ok_or_report(count.map_err(|problem| problem.help(help)));
    count.map_or(1, |count| count as usize)
}

/// Returns the things that a list of names refers to. Those whose pools are sums of traits are read again, now that the
/// traits of the combatant are known (MD-4).
fn pick<T: Clone>(
    table: &mut Reader<'_>,
    (key, most): (&'static str, usize),
    defined: &[Defined<T>],
    broken: &mut bool,
    mut read: impl FnMut(&str, &mut Reader<'_>) -> T,
) -> Vec<T> {
    let Some(list) = table.texts(key) else {
        *broken |= table.has(key);
        return Vec::new();
    };
    let kind = key.trim_end_matches('s');
    let mut picked: Vec<&Defined<T>> = Vec::with_capacity(list.len().min(most));
    let many = list.len() > most;
    for (name, node) in list.into_iter().take(most) {
        if picked.iter().any(|other| other.name == name) {
            table.report(Diagnostic::error(
                node.span,
                format!("{kind} \"{name}\" is named twice"),
                "already in the list",
            ));
            continue;
        }
        if let Some(found) = defined.iter().find(|thing| thing.name == name) {
            found.used.set(true);
            *broken |= found.broken;
            picked.push(found);
            continue;
        }
        *broken = true;
        let known = || defined.iter().map(|thing| thing.name.as_str());
        let problem = not_defined(node.span, [kind, key], name, known);
        table.report(problem.help(format!("{key} are defined in tables `[{key}.NAME]`")));
    }
    if many {
        table.report(Diagnostic::error(
            table.span(),
            format!("a combatant has too many {key}"),
            format!("at most {most}"),
        ));
    }
    let own = picked.into_iter().map(|one| {
        let what = format!("{kind} \"{}\"", one.name);
        // The node was a table when the thing was defined.
        let sums = one.sums.as_ref();
        let keys = SCENARIO.inside(key);
        let Some(mut inner) = sums.and_then(|node| Reader::open(node, keys, what, &mut Vec::new()))
        else {
            return one.thing.clone();
        };
        let thing = read(&one.name, &mut inner);
        inner.finish(&mut table.nested);
        thing
    });
    own.collect()
}

/// Returns the error for a name that no thing of this kind has.
pub(super) fn not_defined<'a, I: Iterator<Item = &'a str>>(
    span: Span,
    [kind, key]: [&str; 2],
    name: &str,
    known: impl Fn() -> I,
) -> Diagnostic {
    let label = match known().next() {
        None => format!("the file defines no {key}"),
        Some(_) => names::expected(name, known, '"'),
    };
    let title = format!("no {kind} is called \"{}\"", reader::shown(name));
    Diagnostic::error(span, title, label)
}

/// Returns the first weapons of a set, up to a number.
fn first_members(set: u32, many: usize) -> u32 {
    (0..MOST_WEAPONS)
        .filter(|index| set & (1 << index) != 0)
        .take(many)
        .fold(0, |all, index| all | 1 << index)
}

/// Returns the weapons in hand at the start, a bit for each.
fn drawn(table: &mut Reader<'_>, weapons: &[Weapon]) -> u32 {
    let mut in_hand = (0..weapons.len()).fold(0_u32, |all, index| all | 1 << index);
    for (name, node) in table.texts("undrawn").unwrap_or_default() {
        if let Some(index) = weapons.iter().position(|weapon| weapon.name == name) {
            in_hand &= !(1 << index);
            continue;
        }
        let known = || weapons.iter().map(|weapon| &weapon.name[..]);
        let label = names::suggest(name, known(), '"')
            .unwrap_or_else(|| format!("its weapons are {}", names::list(known(), "and")));
        table.report(Diagnostic::error(
            node.span,
            format!(
                "`undrawn` names \"{}\", which is none of its weapons",
                reader::shown(name)
            ),
            label,
        ));
    }
    in_hand
}
