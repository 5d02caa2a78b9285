//! The workings of items, spells and weapons besides damage (W-11): targets, areas, resistance, effects.

use super::Rulings;
use super::checks::{check, form};
use super::conditions::{begin, named};
use super::degrees::blow;
use super::gear::{harm, notation, nothing, points};
use super::keys::{EFFECT, GREATEST};
use super::own::GREATEST_TRAIT;
use super::sums::{has_sums, is_sum};
use crate::dice::PlainSum;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node, Value};
use crate::document::reader::{self, Reader, shown};
use crate::document::source::Span;
use crate::fight::check::{Check, CheckKind, OwnCheck};
use crate::fight::effect::{
    Area, Change, Conditional, Effect, FAILS, Power, Recipient, Resist, Revision, Share, Spared,
    Taken, WORKS,
};
use crate::fight::health::Roll;
use crate::fight::system::Clock;
use crate::fight::words::Blow;
use crate::names;
use std::sync::Arc;

/// Reads a `check` that no evade opposes, and the number to reach if it is a roll-over check.
pub(super) fn own_check(table: &mut Reader<'_>, rulings: &Rulings) -> OwnCheck {
    let entry = table.needed("check");
    let rulings = &Rulings {
        anybody: true,
        ..rulings.clone()
    };
    let check = entry.map_or_else(
        || Check::RollOver { roll: nothing() },
        |entry| check(&entry.node, 0, rulings, &mut table.nested),
    );
    let needs = entry.and_then(|_| needs(table, &check, rulings));
    OwnCheck {
        check,
        needs: needs.unwrap_or(0),
        fewer: Vec::new(),
    }
}

/// Reads a check like [`own_check`], for each combatant that may have to make it: one whose pool is a sum of traits is
/// made with the traits of the one that rolls (MD-4).
pub(super) fn check_of_each(table: &mut Reader<'_>, rulings: &Rulings) -> OwnCheck {
    let node = table.entry("check").map(|entry| &entry.node);
    if rulings.sheets.is_empty() || !node.is_some_and(|node| is_sum(node) || has_sums(node)) {
        return own_check(table, rulings);
    }
    let mut all = Vec::with_capacity(rulings.sheets.len());
    for sheet in &*rulings.sheets {
        let rulings = Rulings {
            sheet: Some(sheet.clone()),
            ..rulings.clone()
        };
        let before = table.nested.len();
        all.push(own_check(table, &rulings));
        // What one combatant lacks others may lack, too: it is reported once.
        if table.nested.len() > before {
            break;
        }
    }
    let pool = |one: &OwnCheck| one.check.pool(0).unwrap_or(0);
    let most = all.iter().map(pool).max().unwrap_or(0);
    let fewer = all.iter().map(|effect| most - pool(effect)).collect();
    let largest = all.into_iter().find(|effect| pool(effect) == most);
    OwnCheck {
        fewer,
        ..largest.unwrap_or_else(|| own_check(table, rulings))
    }
}

/// Reads `needs`: the number that a roll-over check must reach, required where nothing else gives it. Where `rules.check`
/// chooses among the kinds of a check, it is read for the roll-over check alone.
pub(crate) fn needs(table: &mut Reader<'_>, check: &Check, rulings: &Rulings) -> Option<i64> {
    if !check.is_against_evade() && check.kind() == CheckKind::RollOver {
        table.refuse("needs", "the check says what it is held against");
        None
    } else if check.kind() == CheckKind::RollOver {
        table.needed_integer("needs")
    } else if rulings.check.is_some() {
        table.integer("needs");
        None
    } else {
        table.refuse("needs", "only a roll that adds has a number to reach");
        None
    }
}

/// Reads the workings of an item: `target`, `range`, `area`, `check`, `resist`, `effects`, and the short forms `damage`
/// and `heal`.
pub(crate) fn power_of_item(table: &mut Reader<'_>, rulings: &Rulings) -> Power {
    let recipient = table.choice("target", Recipient::ALL);
    let mut power = Power {
        recipient: recipient.unwrap_or(Recipient::Own),
        ..Power::default()
    };
    if power.recipient == Recipient::Own {
        table.refuse("range", "it is used on oneself; `target` says otherwise");
    } else {
        power.range = table.needed_integer("range").unwrap_or(0) as i32;
    }
    if let Some(entry) = table.entry("check") {
        let read = check(&entry.node, 0, rulings, &mut table.nested);
        let against_evade = matches!(power.recipient, Recipient::Enemy | Recipient::Anyone);
        let of_each = table.has("resist");
        power.needs = if against_evade || of_each {
            table.integer("needs")
        } else {
            needs(table, &read, rulings)
        };
        power.check = Some(read);
    } else {
        table.refuse("needs", "without a `check` nothing has to be reached");
    }
    let rulings = &rulings.of_check(power.check.as_ref());
    if table.has("damage") {
        power.effects.push(Effect::Damage {
            damage: harm(table, rulings),
            falloff: 0,
            pierces: 0,
        });
    } else {
        table.entry("damage");
        if table.entry("damage_type").is_some() {
            table.refuse_beside(
                "damage_type",
                "without `damage` there is nothing of this type",
            );
        }
    }
    if let Some(heal) = points(table, "heal", false) {
        power.effects.push(Effect::Heal(heal));
    }
    around(table, &mut power, rulings);
    let adds = matches!(&power.check, Some(check) if check.kind() == CheckKind::RollOver);
    held_against_evade(table, power.resist.as_ref(), adds, rulings);
    power.effects.extend(any_effects(table, rulings));
    if power.changes_rolls() && power.recipient != Recipient::Own {
        let label = "it is used on oneself: leave out `target`";
        let title = format!("{} changes a roll that has been made", table.what());
        table.report(Diagnostic::error(table.span(), title, label));
    }
    if power.effects.is_empty() {
        power.effects.push(Effect::Heal(nothing()));
    }
    if let Some(check) = &mut power.check {
        check.ask_margin(power.effects.iter().filter_map(Effect::damage));
    }
    power
}

/// Reads the possible targets of a spell and its effects besides damage; `damage` is its own, if it does any.
pub(crate) fn power_of_spell(
    table: &mut Reader<'_>,
    damage: Option<Effect>,
    rulings: &Rulings,
) -> Power {
    let mut power = Power {
        recipient: table
            .choice("target", Recipient::ALL)
            .unwrap_or(Recipient::Enemy),
        ..Power::default()
    };
    around(table, &mut power, rulings);
    held_against_evade(table, power.resist.as_ref(), false, rulings);
    let more = effects(table, rulings);
    // A plain spell strikes as a weapon does.
    let is_plain = more.is_empty()
        && power.area.is_none()
        && power.resist.is_none()
        && power.recipient == Recipient::Enemy;
    if !is_plain {
        power.effects.extend(damage);
    }
    power.effects.extend(more);
    power
}

/// Reports a resistance by evade to an action without a roll-over check.
pub(super) fn held_against_evade(
    table: &mut Reader<'_>,
    resist: Option<&Resist>,
    adds: bool,
    rulings: &Rulings,
) {
    let by_evade = resist.is_some_and(|resist| resist.by.is_none());
    if by_evade && !adds && rulings.system.clock != Clock::Phases {
        let span = table.span();
        let kind = rulings.check.unwrap_or(CheckKind::Percentile);
        let needs = match kind {
            CheckKind::RollOver => ", needs = 20",
            CheckKind::Pool | CheckKind::Percentile => "",
        };
        let check = form(kind, rulings.system);
        table.report(
            Diagnostic::error(
                span,
                "no roll can be held against the evade of each whom it reaches",
                "only an item has one, whose `check` is a roll that adds",
            )
            .help(format!(
                "written `resist = {{ check = {check}{needs}, success = \"half\" }}`: a check of the one who resists"
            )),
        );
    }
}

/// Reads `area`, `spares` and `resist` of an action.
fn around(table: &mut Reader<'_>, power: &mut Power, rulings: &Rulings) {
    if let Some(radius) = table.integer("area") {
        power.area = Some(Area {
            radius: radius as i32,
            spares: table.choice("spares", Spared::ALL).unwrap_or_default(),
        });
    } else {
        table.refuse("spares", "only an `area` can spare somebody");
    }
    power.resist = resist(table, rulings);
}

/// Reads `resist`: how each combatant that is reached resists.
pub(super) fn resist(table: &mut Reader<'_>, rulings: &Rulings) -> Option<Resist> {
    let mut inner = table.table("resist", "`resist`")?;
    let leaves = inner.choice("success", Share::ALL).unwrap_or(Share::None);
    let is_evade = |node: &Node| matches!(&node.value, Value::Text(text, _) if &**text == "evade");
    let by = match inner.entry("check").map(|entry| &entry.node) {
        Some(node) if is_evade(node) => {
            inner.refuse("needs", "`evade` says what has to be reached");
            None
        }
        _ => Some(check_of_each(&mut inner, rulings)),
    };
    table.close(inner);
    Some(Resist { by, leaves })
}

/// Reads the `effects` of anything but an item, which alone changes rolls that have been made.
pub(crate) fn effects(table: &mut Reader<'_>, rulings: &Rulings) -> Vec<Effect> {
    let effects = any_effects(table, rulings);
    if effects.iter().any(|effect| !effect.after().is_empty()) {
        let title = format!("{} comes after a roll", table.what());
        let label = "only an item does";
        let problem = Diagnostic::error(table.span(), title, label);
        table.report(problem.help("it is used in a line such as `after won: use luck`"));
    }
    effects
}

/// Reads `effects`: a list of tables, each with one effect.
fn any_effects(table: &mut Reader<'_>, rulings: &Rulings) -> Vec<Effect> {
    let list = table.list("effects").unwrap_or_default();
    let read = |node| {
        let mut inner = Reader::open(node, &EFFECT, "an effect", &mut table.nested)?;
        let effect = effect(&mut inner, rulings);
        inner.finish(&mut table.nested);
        effect
    };
    list.iter().map(|node| &**node).filter_map(read).collect()
}

/// The keys that say which effect it is.
const KINDS: [&str; 16] = [
    "traits",
    "damage",
    "heal",
    "temporary_health",
    "condition",
    "removes",
    "push",
    "pull",
    "prone",
    "disarm",
    "uses",
    "interrupts",
    "instead",
    "reroll",
    "misses",
    "add",
];

/// The keys of effects that change a roll that has been made.
const REVISIONS: [&str; 4] = [KINDS[12], KINDS[13], KINDS[14], KINDS[15]];

/// Whether the effects of something change a roll that has been made.
pub(crate) fn changes_rolls(thing: &Node) -> bool {
    let effects = thing.get("effects").map(|entry| &entry.node.value);
    let Some(Value::List(effects)) = effects else {
        return false;
    };
    let revises = |effect: &Arc<Node>| REVISIONS.iter().any(|key| effect.get(key).is_some());
    effects.iter().any(revises)
}

/// Reads an effect with its `resist`, the results `on` which it comes, and whether it is about the one who acts.
fn effect(table: &mut Reader<'_>, rulings: &Rulings) -> Option<Effect> {
    let resist = resist(table, rulings);
    held_against_evade(table, resist.as_ref(), false, rulings);
    let results = on_results(table, rulings);
    let own = table.choice("target", &[("self", true)]).unwrap_or(false);
    let after = after(table);
    let effect = plain_effect(table, rulings)?;
    if resist.is_none() && results == 0 && !own && after.is_empty() {
        return Some(effect);
    }
    Some(Effect::If(Box::new(Conditional {
        resist,
        results,
        own,
        after,
        effect,
    })))
}

/// Reads `after`: the results of a roll that has been made after which the effect comes. One that changes the roll needs it.
fn after(table: &mut Reader<'_>) -> Vec<Arc<str>> {
    let changes = REVISIONS.iter().any(|key| table.has(key));
    let entry = if changes {
        table.needed("after")
    } else {
        table.entry("after")
    };
    let Some(entry) = entry else {
        return Vec::new();
    };
    let one = [Arc::clone(&entry.node)];
    let list = match &entry.node.value {
        Value::List(list) => &list[..],
        _ => &one,
    };
    let read = list.iter().filter_map(|node| {
        let name = reader::text(node, "after");
        table.ok_or_report(name).map(Arc::from)
    });
    read.collect()
}

/// Reads `on`: a result of the check, or several, one bit each.
fn on_results(table: &mut Reader<'_>, rulings: &Rulings) -> u16 {
    let Some(entry) = table.entry("on") else {
        return 0;
    };
    let one = [Arc::clone(&entry.node)];
    let list = match &entry.node.value {
        Value::List(list) => &list[..],
        _ => &one,
    };
    let plain = [("success", WORKS), ("failure", FAILS)];
    let known = || {
        let degrees = rulings.degrees.iter().map(String::as_str);
        degrees.chain(plain.iter().map(|(word, _)| *word))
    };
    let mut results = 0;
    for node in list {
        let name = node.text().unwrap_or_default();
        let of_degree = rulings.degrees.iter().position(|degree| degree == name);
        let of_word = plain.iter().find(|(word, _)| *word == name);
        match (of_degree, of_word) {
            (Some(index), _) => results |= 2 << index,
            (_, Some((_, result))) => results |= result,
            _ => table.report(
                unknown(node.span, "degree of the check", name, known())
                    .help("`degrees` of the check names them"),
            ),
        }
    }
    results
}

fn plain_effect(table: &mut Reader<'_>, rulings: &Rulings) -> Option<Effect> {
    let kinds: Vec<&str> = KINDS.into_iter().filter(|key| table.has(key)).collect();
    let mut found = None;
    for kind in &kinds {
        let effect = of_kind(kind, table, rulings);
        found = found.or(effect);
    }
    if kinds.len() != 1 {
        let title = if kinds.is_empty() {
            "an effect says nothing".to_owned()
        } else {
            format!("an effect says {}", names::list(kinds, "and"))
        };
        let label = format!("expected one of {}", names::list(KINDS, "or"));
        table.report(
            Diagnostic::error(table.span(), title, label)
                .help("each effect is a table of its own: `effects = [{ damage = \"2d6\" }, { condition = \"stunned\", lasts = 2 }]`"),
        );
    }
    // Marks all keys as known, so that an error names all keys of an effect.
    for kind in KINDS {
        table.entry(kind);
    }
    found
}

/// Reads the effect with this key.
fn of_kind(kind: &str, table: &mut Reader<'_>, rulings: &Rulings) -> Option<Effect> {
    match kind {
        "damage" => Some(Effect::Damage {
            damage: harm(table, rulings),
            falloff: table.integer("falloff").unwrap_or(0),
            pierces: table.integer("pierces").unwrap_or(0),
        }),
        "heal" => points(table, "heal", true).map(Effect::Heal),
        "temporary_health" => points(table, "temporary_health", true).map(Effect::TemporaryHealth),
        "instead" => instead(table, rulings).map(Effect::Revise),
        "add" => added(table).map(Effect::Revise),
        "reroll" => (table.boolean("reroll")?).then_some(Effect::Revise(Revision::Reroll)),
        "misses" => (table.boolean("misses")?).then_some(Effect::Revise(Revision::Miss)),
        _ => change(kind, table, rulings).map(Effect::Change),
    }
}

/// Reads `add`: a number, which may be below 0, or dice.
fn added(table: &mut Reader<'_>) -> Option<Revision> {
    let node = &table.entry("add")?.node;
    let roll = match node.value {
        Value::Integer(_) => reader::integer(node, "add", -GREATEST..=GREATEST)
            .map(|points| Roll::from(PlainSum::points(points))),
        _ => notation(node, "add").map(|(_, dice)| Roll::from(dice)),
    };
    table.ok_or_report(roll).map(Revision::Add)
}

/// Reads `instead`: other damage, or how much of it is done.
fn instead(table: &mut Reader<'_>, rulings: &Rulings) -> Option<Revision> {
    let kind = table.text("damage_type").map(Arc::from);
    let entry = table.entry("instead")?;
    let blow = blow(&entry.node, "instead", rulings);
    Some(match table.ok_or_report(blow)? {
        Blow::Damage(damage) => Revision::Damage(damage.of_kind(&kind)),
        part => Revision::Part(part.effect()),
    })
}

/// Reads the change with this key.
fn change(kind: &str, table: &mut Reader<'_>, rulings: &Rulings) -> Option<Change> {
    match kind {
        "condition" => begin(table, rulings),
        "removes" => {
            let (condition, _) = named(table, "removes", rulings)?;
            Some(Change::End { condition })
        }
        "traits" => {
            let changes = amounts(table, "traits", -GREATEST_TRAIT, rulings);
            (!changes.is_empty()).then(|| Change::Traits(changes.into()))
        }
        "push" => Some(Change::Push(table.integer("push")? as i32)),
        "pull" => Some(Change::Push(-table.integer("pull")? as i32)),
        "interrupts" => {
            let is_cast_slowly = matches!(rulings.system.clock, Clock::Marks | Clock::Turns);
            if !is_cast_slowly {
                table.refuse_beside("interrupts", "no spell of this system takes time to cast");
            }
            (table.boolean("interrupts")?).then_some(Change::Interrupt)
        }
        "disarm" => {
            let is_text = matches!(table.entry("disarm")?.node.value, Value::Text(..));
            let for_good = is_text && table.choice("disarm", &[("for_good", true)])?;
            let disarms = is_text || table.boolean("disarm")?;
            disarms.then_some(Change::Disarm { for_good })
        }
        "uses" => uses(table, rulings),
        _ => (table.boolean("prone")?).then_some(Change::Prone),
    }
}

/// Reads numbers of traits of the scenario's own: what an effect adds to them, or what a price takes of them.
pub(super) fn amounts(
    table: &mut Reader<'_>,
    key: &'static str,
    least: i64,
    rulings: &Rulings,
) -> Vec<(u8, i16)> {
    let Some(entry) = table.entry(key) else {
        return Vec::new();
    };
    // `turn_price` reports a name that is neither a trait nor a resource of a turn.
    let of_turn = least > 0 && rulings.turn.is_some();
    let Some(inner) = entry.node.table() else {
        let expected = "a table of traits like `{ mana = 3 }`";
        if !of_turn {
            table.report(reader::wrong_kind(&entry.node, key, expected));
        }
        return Vec::new();
    };
    let mut amounts = Vec::new();
    for Entry { key, span, node } in &inner.entries {
        // The category of an item's cost.
        if least > 0 && &**key == "action" && rulings.own.find(key).is_none() {
            continue;
        }
        let Some(own) = rulings.own.find(key) else {
            if of_turn {
                continue;
            }
            let known = rulings.own.names.iter().map(String::as_str);
            let problem = unknown(*span, "trait", key, known);
            table.report(
                problem.help("traits are written with each combatant: `traits = { mana = 10 }`"),
            );
            continue;
        };
        let amount = table.ok_or_report(reader::integer(node, key, least..=GREATEST_TRAIT));
        amounts.extend(amount.map(|amount| (own, amount as i16)));
    }
    amounts
}

/// Reads a change of uses: `uses = "longbow", change = -3`.
fn uses(table: &mut Reader<'_>, rulings: &Rulings) -> Option<Change> {
    let span = table.entry("uses")?.node.span;
    let name = table.text("uses");
    let change = table.needed_integer("change");
    let (name, change) = (name?, change?);
    if !rulings.things.iter().any(|thing| thing == name) {
        let known = rulings.things.iter().map(String::as_str);
        let problem = unknown(span, "item, and no weapon with `uses`,", name, known);
        table.report(problem);
    }
    if change == 0 {
        table.report(Diagnostic::error(
            span,
            "`change` is 0",
            "expected the uses that are gained, or with a minus lost",
        ));
    }
    Some(Change::Uses {
        thing: Arc::from(name),
        change: change as i32,
    })
}

/// The error about an unknown name, with the nearest known one.
pub(crate) fn unknown<'a>(
    span: Span,
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    let label = match names::nearest(name, known.clone()) {
        Some(nearest) => format!("did you mean \"{nearest}\"?"),
        None if known.clone().next().is_none() => "there is none in the file".to_owned(),
        None => format!("expected {}", names::list(known, "or")),
    };
    let title = format!("no {what} is called \"{}\"", shown(name));
    Diagnostic::error(span, title, label)
}

/// Reads `resists`: how much a combatant takes of some kinds of damage (W-16).
pub(crate) fn resists(table: &mut Reader<'_>) -> Vec<(Arc<str>, Taken)> {
    let Some(entry) = table.entry("resists") else {
        return Vec::new();
    };
    let Some(kinds) = entry.node.table() else {
        let expected = "a table like `{ fire = \"half\", cold = 3 }`";
        table.report(reader::wrong_kind(&entry.node, "resists", expected));
        return Vec::new();
    };
    let mut all = Vec::with_capacity(kinds.entries.len());
    for Entry { key, node, .. } in &kinds.entries {
        let taken = match &node.value {
            Value::Text(..) => reader::choice(node, key, Taken::ALL).map_err(|problem| {
                problem.help(format!(
                    "or the points that are taken off, from 0 to {GREATEST}"
                ))
            }),
            _ => reader::integer(node, key, 0..=GREATEST).map(Taken::Less),
        };
        match taken {
            Ok(taken) => all.push((Arc::from(&**key), taken)),
            Err(problem) => table.report(problem),
        }
    }
    all
}
