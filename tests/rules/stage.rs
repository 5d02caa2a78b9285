//! Plays scripted fights: a scenario and dice, and the events as short lines.
//!
//! A line is `Round Mark who what`: `R1 24 rogue steps 0>-1`. Decisions and rejected lines are left out.

use super::scripted;
pub(super) use super::scripted::Played;
use skirmish::chance::Purpose;
use skirmish::fight::Ending;
use skirmish::fight::Fight;
use skirmish::sim::Event;
use skirmish::sim::events::{AttackKind, Moment, MoveKind};

/// Plays the base variant of a scenario, with some values overridden, on scripted dice, which must be used up.
pub(super) fn play(text: &str, set: &[&str], dice: &[(usize, Purpose, &[u32])]) -> Played {
    scripted::play_as(text, set, dice, line)
}

impl Played {
    /// Returns all lines except Scores, passes and the end.
    pub(super) fn deeds(&self) -> Vec<&str> {
        self.lines
            .iter()
            .map(String::as_str)
            .filter(|line| {
                let words: Vec<&str> = line.splitn(4, ' ').collect();
                words
                    .get(3)
                    .is_some_and(|what| !what.starts_with("score ") && !what.starts_with("done, "))
                    && !line.ends_with(" win")
            })
            .collect()
    }

    /// Returns the Mark and the new position of each step of one combatant, of any kind, in order.
    pub(super) fn walk(&self, name: &str) -> Vec<(i32, i32)> {
        let of_line = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let (_, to) = words.last()?.split_once('>')?;
            Some((words[1].parse().ok()?, to.parse().ok()?))
        };
        self.lines_of(name)
            .into_iter()
            .filter_map(of_line)
            .collect()
    }
}

fn line(fight: &Fight, moment: Moment, event: Event) -> Option<String> {
    let name = |who: usize| fight.combatants[who].name.as_str();
    let spell = |who: usize, spell: usize| fight.combatants[who].spells[spell].name.as_str();
    let item = |who: usize, item: usize| fight.combatants[who].items[item].name.as_str();
    let (who, what) = match event {
        Event::Round | Event::Rejected { .. } | Event::Decision { .. } => return None,
        Event::End { ending } => {
            let ending = match ending {
                Ending::Win(side) => format!("{} win", fight.sides[usize::from(side)]),
                Ending::Mutual => "mutual".into(),
                Ending::Timeout => "timeout".into(),
                Ending::Escaped => "escaped".into(),
                Ending::Caught => "caught".into(),
                Ending::Outcome(index) => format!("outcome {index}"),
            };
            return Some(format!("R{} {} {ending}", moment.round, moment.mark));
        }
        Event::Score { who, score, .. } => (who, format!("score {score}")),
        Event::Delay { who, score, .. } => (who, format!("delays to {score}")),
        Event::RoundSkipped { who, owed } => (who, format!("skips, owing {owed}")),
        Event::Pass { who, marks } => (who, format!("done, {marks} left")),
        Event::AttackAction { who, attacks, .. } => (who, format!("begins {attacks}")),
        Event::Attack {
            who,
            target,
            kind,
            hit,
            ..
        } => {
            let verb = match kind {
                AttackKind::Attack => "attacks",
                AttackKind::Desperate => "shoots desperately at",
                AttackKind::Counter => "counters",
                AttackKind::Charge => "strikes in the charge",
            };
            let hit = if hit { "hit" } else { "miss" };
            (who, format!("{verb} {} {hit}", name(target)))
        }
        Event::CriticalHit { who, .. } => (who, "hits critically".into()),
        Event::Forfeited { who, attacks } => (who, format!("forfeits {attacks}")),
        Event::SpellCheck {
            who, target, hit, ..
        } => (
            who,
            format!(
                "spell at {} {}",
                name(target),
                if hit { "hit" } else { "miss" }
            ),
        ),
        Event::Step {
            who,
            from,
            to,
            kind,
        } => {
            let verb = match kind {
                MoveKind::Advance | MoveKind::Retreat => "steps",
                MoveKind::Car => "intercepts",
                MoveKind::Charge => "charges",
                MoveKind::CombatCasting => "shifts",
            };
            (who, format!("{verb} {from}>{to}"))
        }
        Event::StepSpent { who, .. } => (who, "spends a step".into()),
        Event::Set { who, .. } => (who, "sets".into()),
        Event::Cast {
            who,
            spell: index,
            mark,
            rounds,
            ..
        } => (
            who,
            format!("casts {} due {mark}+{rounds}R", spell(who, index)),
        ),
        Event::Effect {
            who,
            spell: index,
            target,
        } => (
            who,
            format!("{} goes off at {}", spell(who, index), name(target)),
        ),
        Event::Wasted { who, spell: index } => (who, format!("{} wasted", spell(who, index))),
        Event::Fizzle { who, spell: index } => (who, format!("{} fizzles", spell(who, index))),
        Event::Concentrates { who, .. } => (who, "concentrates".into()),
        Event::CombatCast {
            who, total, units, ..
        } => (who, format!("skill {total}: {units} units")),
        Event::Channel {
            who, spell: index, ..
        } => (who, format!("channels {}", spell(who, index))),
        Event::ChannelBroken { who, spell: index } => {
            (who, format!("breaks {}", spell(who, index)))
        }
        Event::Car {
            who,
            target,
            reaction,
        } => {
            let how = if reaction { "reacts to" } else { "cars at" };
            (who, format!("{how} {}", name(target)))
        }
        Event::Charge { who, target } => (who, format!("begins a charge at {}", name(target))),
        Event::Use {
            who,
            item: index,
            healed,
            ..
        } => (who, format!("uses {} +{healed}", item(who, index))),
        Event::PutAway {
            who,
            weapon,
            dropped,
        } => {
            let how = if dropped { "drops" } else { "sheathes" };
            let weapon = &fight.combatants[who].weapons[weapon].name;
            (who, format!("{how} {weapon}"))
        }
        Event::Wait { who, marks } => (who, format!("waits {marks}")),
        other => scripted::describe(other),
    };
    let Moment { round, mark } = moment;
    Some(format!("R{round} {mark} {} {what}", name(who)))
}
