//! Short labels of blocks. The tooltip and the story have the full text.

use super::super::words::MINUS;
use super::model::Block;
use crate::fight::{Combatant, Fight, Units};
use crate::output::story::Story;
use crate::sim::Event;
use crate::sim::events::ActionKind;

/// Returns possible labels of a block, the longest first.
pub(super) fn labels(block: &Block, story: &Story, fight: &Fight) -> Vec<String> {
    let combatant = &fight.combatants[block.who];
    let events = || block.events.iter().map(|event| &story.events[*event].event);
    let own = || events().filter(|event| event.subject() == Some(block.who));
    match block.kind {
        ActionKind::Attack => attack(own(), combatant),
        ActionKind::Move => match way(own()) {
            Some(way) => texts([&walk(&way), &format!("→ {}", way[1]), "→"]),
            None => texts(["stays"]),
        },
        ActionKind::Car => rush("CAR", way(own())),
        ActionKind::Charge => rush("charge", way(own())),
        ActionKind::Upkeep => {
            let changes = events().map(|event| match *event {
                Event::Damage { amount, .. } => -amount,
                Event::Regenerates { healed, .. } => healed,
                _ => 0,
            });
            vec![signed(changes.sum())]
        }
        _ => own()
            .map(|event| Story::labels(fight, event))
            .find(|labels| !labels.is_empty())
            .unwrap_or_default(),
    }
}

/// Returns the labels of a block of attacks: the weapon, and their number.
fn attack<'a>(own: impl Iterator<Item = &'a Event> + Clone, combatant: &Combatant) -> Vec<String> {
    let Some(weapon) = own.clone().find_map(|event| event.index("weapon")) else {
        return texts(["no target"]);
    };
    let name = &combatant.weapons[weapon].name;
    let announced = own.clone().find_map(|event| event.index("attacks"));
    let made = own.filter(|event| matches!(event, Event::Attack { .. }));
    match announced.unwrap_or(made.count()) {
        0 | 1 => vec![name.clone()],
        attacks => vec![format!("{name} ×{attacks}"), format!("×{attacks}")],
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

fn texts<const COUNT: usize>(texts: [&str; COUNT]) -> Vec<String> {
    texts.map(str::to_owned).into()
}

/// Formats a change, with a sign that is as wide as a digit; 0 has none.
pub(super) fn signed(change: i32) -> String {
    let plus = if change > 0 { "+" } else { "" };
    format!("{plus}{change}").replace('-', MINUS)
}
