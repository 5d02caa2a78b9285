//! Plays scripted fights of Mage: a scenario and dice, and the events as short lines, `TURN INITIATIVE who what`,
//! without decisions, rejected lines and steps.

use super::super::scripted;
pub(super) use super::super::scripted::Played;
use skirmish::chance::Purpose;
use skirmish::fight::Fight;
use skirmish::fight::sum::Modifier;
use skirmish::sim::Event;

/// A combatant that stands opposite and does nothing.
pub(super) const DUMMY: &str = r#"
[[combatants]]
name = "dummy"
side = "dummies"
position = 0
attributes = { dexterity = 1, wits = 1, stamina = 1 }
policy = ["pass"]
"#;

/// Returns a scenario of these parts.
pub(super) fn scenario(parts: &[&str]) -> String {
    format!("system = \"mage\"\n{}", parts.join("\n"))
}

/// Returns a combatant: `NAME POSITION DEXTERITY WITS STAMINA`, and the keys in `rest`.
pub(super) fn one(who: &str, rest: &str) -> String {
    let words: Vec<&str> = who.split(' ').collect();
    let [name, position, dexterity, wits, stamina] = words[..] else {
        panic!("not five words: {who}");
    };
    format!(
        "[[combatants]]\nname = \"{name}\"\nside = \"{name}s\"\nposition = {position}\n\
         attributes = {{ dexterity = {dexterity}, wits = {wits}, stamina = {stamina} }}\n{rest}\n"
    )
}

/// Plays one turn of the base variant of a scenario on scripted dice. The initiative dice show `initiative`, one for
/// each combatant.
pub(super) fn play_turn(
    text: &str,
    set: &[&str],
    initiative: &[u32],
    dice: &[(usize, Purpose, &[u32])],
) -> Played {
    play_turns(text, set, 1, initiative, dice)
}

/// Plays `turns` turns like [`play_turn`], with the same initiative dice in each.
pub(super) fn play_turns(
    text: &str,
    set: &[&str],
    turns: usize,
    initiative: &[u32],
    dice: &[(usize, Purpose, &[u32])],
) -> Played {
    scripted::play_turns(play, (text, set), turns, initiative, dice)
}

/// Plays the base variant of a scenario on scripted dice, which must be used up.
pub(super) fn play(text: &str, set: &[&str], dice: &[(usize, Purpose, &[u32])]) -> Played {
    scripted::play(text, set, dice, tell)
}

fn tell(fight: &Fight, event: Event) -> Option<(usize, String)> {
    let name = |who: usize| fight.combatants[who].name.as_str();
    let hits = |hit: bool| if hit { "hit" } else { "miss" };
    let (who, what) = match event {
        Event::Round
        | Event::Rejected { .. }
        | Event::Decision { .. }
        | Event::Step { .. }
        | Event::Hazard { .. }
        | Event::TurnOver { .. }
        | Event::End { .. } => return None,
        Event::Initiative {
            who, total, shared, ..
        } => {
            let shared = if shared { " shared" } else { "" };
            (who, format!("initiative {total}{shared}"))
        }
        Event::Pool { who, dice, sum } => {
            let off = |modifier: Modifier| -sum.of(modifier);
            let (wounds, others) = (off(Modifier::Wounds), off(Modifier::Divided));
            let moved = off(Modifier::Yards) + off(Modifier::YardsBeyondHalf);
            let pool = i64::from(dice) + others + wounds + moved;
            let divided = if others == 0 { "" } else { " divided" };
            (
                who,
                format!("rolls {dice} of {pool}-{wounds}-{moved}{divided}"),
            )
        }
        Event::Attack {
            who,
            target,
            total,
            hit,
            ..
        } => (
            who,
            format!("attacks {} net {total} {}", name(target), hits(hit)),
        ),
        Event::Willpower { who, left } => (who, format!("spends Willpower, {left} left")),
        Event::Botch { who } => (who, "botches".into()),
        Event::SpellCheck {
            who,
            target,
            total,
            hit,
            ..
        } => (
            who,
            format!("casts at {} net {total} {}", name(target), hits(hit)),
        ),
        Event::Diminished { who, share, .. } => (who, format!("is diminished: {share:?}")),
        Event::Unready { who, .. } => (who, "has no weapon ready".into()),
        Event::ReadyRoll {
            who, net, works, ..
        } => {
            let works = if works { "ready" } else { "not ready" };
            (who, format!("gets it out net {net} {works}"))
        }
        Event::Paradox { who, gained, total } => (who, format!("Paradox +{gained} = {total}")),
        Event::Backlash { who, left } => (who, format!("backlash, {left} Paradox left")),
        Event::Ritual { who, .. } => (who, "begins a ritual".into()),
        Event::Sleepers => (0, "sees Sleepers come by".into()),
        Event::RitualWork { who, left, .. } => (who, format!("ritual work, {left} to go")),
        Event::RitualRoll {
            who, net, gathered, ..
        } => (who, format!("ritual net {net} has {gathered}")),
        Event::Effect { who, target, .. } => (who, format!("effect on {}", name(target))),
        Event::Fizzle { who, .. } => (who, "is interrupted".into()),
        Event::ChannelBroken { who, .. } => (who, "loses the ritual".into()),
        Event::StepSpent { who, .. } => (who, "spends a yard".into()),
        Event::Endurance {
            who,
            dice,
            net,
            botch,
            outcome: _,
        } => {
            let botch = if botch { " botch" } else { "" };
            (who, format!("pushes {dice} net {net}{botch}"))
        }
        Event::Climb {
            who, net, yards, ..
        } => (who, format!("climbs net {net}: {yards} yards")),
        Event::Ready { who, left, .. } => (who, format!("readies, {left} to go")),
        Event::UseOn { who, target, .. } => (who, format!("uses on {}", name(target))),
        Event::UseCheck { who, total, .. } => (who, format!("uses it with {total}")),
        Event::TurnLost { who } => (who, "loses the turn".into()),
        other => scripted::describe(other),
    };
    Some((who, what))
}
