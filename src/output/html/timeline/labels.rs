//! Short labels of blocks. The tooltip and the story have the full text.

use super::super::words::MINUS;
use super::model::{Block, Deed};
use crate::fight::{Combatant, Fight, Units};
use crate::output::story::{Story, subject};
use crate::sim::Event;

/// Returns possible labels of a block, the longest first.
pub(super) fn labels(block: &Block, story: &Story, fight: &Fight) -> Vec<String> {
    let combatant = &fight.combatants[block.who];
    let events = || block.events.iter().map(|event| &story.events[*event].event);
    let own = || events().filter(|event| subject(event) == Some(block.who));
    match block.kind {
        Deed::Attack => attack(own(), combatant),
        Deed::Move => match way(own()) {
            Some(way) => texts([&walk(&way), &format!("→ {}", way[1]), "→"]),
            None => texts(["stays"]),
        },
        Deed::Car => rush("CAR", way(own())),
        Deed::Charge => rush("charge", way(own())),
        Deed::Upkeep => {
            let changes = events().map(|event| match *event {
                Event::Damage { amount, .. } => -amount,
                Event::Regenerates { healed, .. } => healed,
                _ => 0,
            });
            vec![signed(changes.sum())]
        }
        _ => own()
            .find_map(|event| single(event, combatant))
            .unwrap_or_default(),
    }
}

/// Returns the labels of a block of attacks: the weapon, and their number.
fn attack<'a>(own: impl Iterator<Item = &'a Event> + Clone, combatant: &Combatant) -> Vec<String> {
    let mut actions = own.clone().filter_map(|event| match *event {
        Event::AttackAction {
            weapon, attacks, ..
        } => Some((weapon, attacks)),
        _ => None,
    });
    let mut attacks = own.filter_map(|event| match *event {
        Event::Attack { weapon, .. } => Some(weapon),
        _ => None,
    });
    let single = || Some((attacks.next()?, 1 + attacks.count()));
    match actions.next().or_else(single) {
        Some((weapon, 1)) => vec![combatant.weapons[weapon].name.clone()],
        Some((weapon, attacks)) => {
            let times = format!("×{attacks}");
            vec![format!("{} {times}", combatant.weapons[weapon].name), times]
        }
        None => texts(["no target"]),
    }
}

/// Returns where the steps of a block begin and end.
fn way<'a>(own: impl Iterator<Item = &'a Event>) -> Option<[String; 2]> {
    let mut steps = own.filter_map(|event| match *event {
        Event::Step { from, to, .. } => Some((from, to)),
        _ => None,
    });
    let (from, to) = steps.next()?;
    let to = steps.last().map_or(to, |(_, to)| to);
    Some([from, to].map(|place: Units| place.to_string().replace('-', MINUS)))
}

fn walk([from, to]: &[String; 2]) -> String {
    format!("{from} → {to}")
}

fn rush(word: &str, way: Option<[String; 2]>) -> Vec<String> {
    let long = way.map(|way| format!("{word} {}", walk(&way)));
    long.into_iter().chain([word.to_owned()]).collect()
}

/// Returns the labels of an action that is a single event, or has the labels of its first one.
fn single(event: &Event, combatant: &Combatant) -> Option<Vec<String>> {
    Some(match *event {
        Event::RitualRoll {
            spell,
            gathered,
            needed,
            ..
        } => progress(&combatant.spells[spell].name, gathered, needed),
        Event::Cast { spell, .. }
        | Event::Channel { spell, .. }
        | Event::RitualWork { spell, .. }
        | Event::Effect { spell, .. }
        | Event::SpellCheck { spell, .. }
        | Event::Wasted { spell, .. } => vec![combatant.spells[spell].name.clone()],
        Event::Set { .. } => texts(["Set"]),
        Event::Stand { .. } => texts(["stand up", "up"]),
        Event::PutAway { weapon, .. } => with(&combatant.weapons[weapon].name, "sheathe"),
        Event::Draw { weapon, .. } | Event::Ready { weapon, .. } => {
            with(&combatant.weapons[weapon].name, "draw")
        }
        Event::Use { item, .. } | Event::UseOn { item, .. } => {
            vec![combatant.items[item].name.clone()]
        }
        Event::Works {
            task, done, needed, ..
        } => progress(&combatant.tasks[task].name, done.into(), needed.into()),
        Event::Wait { .. } => texts(["wait"]),
        Event::Readied { .. } => texts(["readies", "ready"]),
        Event::Delays { .. } | Event::ActionDelayed { .. } => texts(["delays"]),
        Event::Delay { .. } => texts(["delay"]),
        Event::Held { .. } => texts(["holds"]),
        Event::TurnLost { .. } => texts(["turn lost", "lost"]),
        Event::DelayRunsOut { .. } => texts(["action lost", "lost"]),
        Event::ReadiedLost { .. } => texts(["cannot"]),
        _ => return None,
    })
}

fn progress(name: &str, done: i64, needed: i64) -> Vec<String> {
    let progress = format!("{done}/{needed}");
    vec![format!("{name} {progress}"), progress]
}

fn with(name: &str, verb: &str) -> Vec<String> {
    vec![format!("{verb} {name}"), verb.to_owned()]
}

fn texts<const COUNT: usize>(texts: [&str; COUNT]) -> Vec<String> {
    texts.map(str::to_owned).into()
}

/// Formats a change, with a sign that is as wide as a digit; 0 has none.
pub(super) fn signed(change: i32) -> String {
    let plus = if change > 0 { "+" } else { "" };
    format!("{plus}{change}").replace('-', MINUS)
}
