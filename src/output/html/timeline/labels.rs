//! Short labels of blocks. The tooltip and the story have the full text.

use super::model::{Block, Deed};
use crate::fight::Fight;
use crate::output::story::Story;
use crate::sim::Event;

/// Returns possible labels of a block, the longest first.
pub(super) fn labels(block: &Block, story: &Story, fight: &Fight) -> Vec<String> {
    let one = &fight.combatants[block.who];
    let events = || block.events.iter().map(|event| &story.events[*event].event);
    let own = || events().filter(|event| crate::output::story::subject(event) == Some(block.who));
    let way = || {
        let mut steps = own().filter_map(|event| match *event {
            Event::Step { from, to, .. } => Some((from, to)),
            _ => None,
        });
        let first = steps.next()?;
        Some((first.0, steps.next_back().unwrap_or(first).1))
    };
    let went = |word: &str| match way() {
        Some((from, to)) => vec![
            format!("{word} {} → {}", number(from), number(to)),
            word.to_owned(),
        ],
        None => vec![word.to_owned()],
    };
    match block.kind {
        Deed::Attack => {
            let action = own().find_map(|event| match *event {
                Event::AttackAction {
                    weapon, attacks, ..
                } => Some((weapon, attacks)),
                _ => None,
            });
            let single = || {
                let attacks = own().filter_map(|event| match *event {
                    Event::Attack { weapon, .. } => Some(weapon),
                    _ => None,
                });
                Some((attacks.clone().next()?, attacks.count()))
            };
            match action.or_else(single) {
                Some((weapon, 1)) => vec![one.weapons[weapon].name.clone()],
                Some((weapon, attacks)) => vec![
                    format!("{} ×{attacks}", one.weapons[weapon].name),
                    format!("×{attacks}"),
                ],
                None => words(&["no target"]),
            }
        }
        Deed::Move => match way() {
            Some((from, to)) => vec![
                format!("{} → {}", number(from), number(to)),
                format!("→ {}", number(to)),
                "→".to_owned(),
            ],
            None => words(&["stays"]),
        },
        Deed::Car => went("CAR"),
        Deed::Charge => went("charge"),
        Deed::Cast => one_of(own(), |event| {
            let (spell, progress) = match *event {
                Event::RitualRoll {
                    spell,
                    gathered,
                    needed,
                    ..
                } => (spell, Some(format!("{gathered}/{needed}"))),
                Event::Cast { spell, .. }
                | Event::Channel { spell, .. }
                | Event::RitualWork { spell, .. }
                | Event::Effect { spell, .. }
                | Event::SpellCheck { spell, .. }
                | Event::Wasted { spell, .. } => (spell, None),
                _ => return None,
            };
            let name = &one.spells[spell].name;
            Some(match progress {
                Some(progress) => vec![format!("{name} {progress}"), progress],
                None => vec![name.clone()],
            })
        }),
        Deed::Prepare => one_of(own(), |event| match *event {
            Event::Set { .. } => Some(words(&["Set"])),
            Event::Stand { .. } => Some(words(&["stand up", "up"])),
            Event::PutAway { weapon, .. } => {
                let name = &one.weapons[weapon].name;
                Some(vec![format!("sheathe {name}"), "sheathe".to_owned()])
            }
            Event::Draw { weapon, .. } | Event::Ready { weapon, .. } => {
                let name = &one.weapons[weapon].name;
                Some(vec![format!("draw {name}"), "draw".to_owned()])
            }
            _ => None,
        }),
        Deed::Use => one_of(own(), |event| match *event {
            Event::Use { item, .. } | Event::UseOn { item, .. } => {
                Some(vec![one.items[item].name.clone()])
            }
            _ => None,
        }),
        Deed::Work => one_of(own(), |event| match *event {
            Event::Works {
                task, done, needed, ..
            } => {
                let progress = format!("{done}/{needed}");
                Some(vec![
                    format!("{} {progress}", one.tasks[task].name),
                    progress,
                ])
            }
            _ => None,
        }),
        Deed::Wait => words(&["wait"]),
        Deed::Ready => one_of(own(), |event| match event {
            Event::Readied { .. } => Some(words(&["readies", "ready"])),
            Event::Delays { .. } | Event::ActionDelayed { .. } => Some(words(&["delays"])),
            Event::Delay { .. } => Some(words(&["delay"])),
            Event::Held { .. } => Some(words(&["holds"])),
            _ => None,
        }),
        Deed::Upkeep => {
            let change: i32 = events()
                .map(|event| match *event {
                    Event::Damage { amount, .. } => -amount,
                    Event::Regenerates { healed, .. } => healed,
                    _ => 0,
                })
                .sum();
            vec![signed(change)]
        }
        Deed::Lost => one_of(own(), |event| match event {
            Event::TurnLost { .. } => Some(words(&["turn lost", "lost"])),
            Event::DelayRunsOut { .. } => Some(words(&["action lost", "lost"])),
            Event::ReadiedLost { .. } => Some(words(&["cannot"])),
            _ => None,
        }),
    }
}

/// Formats a change, with a sign that is as wide as a digit; 0 has none.
pub(super) fn signed(change: i32) -> String {
    match change {
        0 => "0".to_owned(),
        ..0 => format!("−{}", change.unsigned_abs()),
        _ => format!("+{change}"),
    }
}

/// Formats a number; a minus sign is as wide as a digit.
pub(super) fn number(number: i32) -> String {
    if number < 0 {
        signed(number)
    } else {
        number.to_string()
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Returns the labels of the first event that has any.
fn one_of<'a>(
    mut events: impl Iterator<Item = &'a Event>,
    labels: impl Fn(&Event) -> Option<Vec<String>>,
) -> Vec<String> {
    events.find_map(labels).unwrap_or_default()
}
