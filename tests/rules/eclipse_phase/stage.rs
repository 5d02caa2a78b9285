//! Plays scripted fights of Eclipse Phase: a scenario and dice, and the events as short lines, `TURN.PHASE INITIATIVE
//! who what`, without decisions, rejected lines and the ends of stages.

use super::super::scripted;
pub(super) use super::super::scripted::Played;
use skirmish::chance::Purpose;
use skirmish::fight::Fight;
use skirmish::sim::Event;
use skirmish::sim::events::Moment;

/// A blade that does 30 points when it hits, and a gun.
pub(super) const ARMS: &str = r#"
[weapons.blade]
kind = "melee"
reach = 1
check = { skill = 60 }
damage = 30
[weapons.gun]
kind = "ranged"
range = 100
check = { skill = 60 }
damage = 6
"#;

/// Lets a combatant attack whenever it can.
pub(super) const GUN: &str = "weapons = [\"gun\"]\npolicy = [\"attack\"]";
pub(super) const BLADE: &str = "weapons = [\"blade\"]\npolicy = [\"attack\"]";

/// Returns a scenario of these parts.
pub(super) fn scenario(parts: &[&str]) -> String {
    format!("system = \"eclipse-phase\"\n{ARMS}\n{}", parts.join("\n"))
}

/// Returns a combatant with this INIT, Durability 30 and the keys in `rest`. Its side is its first letter.
pub(super) fn one(name: &str, position: i32, init: i32, rest: &str) -> String {
    let side = &name[..1];
    format!(
        "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = {position}\n\
         initiative = {init}\nhealth = 30\n{rest}\n"
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
    let mut phase = 0;
    scripted::play_as(text, set, dice, |fight, moment, event| {
        match event {
            Event::Round => phase = 0,
            Event::Phase { phase: now } => phase = now,
            _ => {}
        }
        let (who, what) = tell(fight, event)?;
        let Moment { round, mark } = moment;
        let name = &fight.combatants[who].name;
        Some(format!("{round}.{phase} {mark} {name} {what}"))
    })
}

impl Played {
    /// Returns the time and the name of each line that contains any of these words.
    pub(super) fn when(&self, words: &[&str]) -> Vec<String> {
        self.only(words)
            .iter()
            .map(|line| {
                let parts: Vec<&str> = line.split(' ').collect();
                format!("{} {}", parts[0], parts[2])
            })
            .collect()
    }
}

fn tell(fight: &Fight, event: Event) -> Option<(usize, String)> {
    let name = |who: usize| fight.combatants[who].name.as_str();
    let (who, what) = match event {
        Event::Round
        | Event::Phase { .. }
        | Event::Rejected { .. }
        | Event::Decision { .. }
        | Event::StageOver { .. }
        | Event::ConditionBegins { .. }
        | Event::ConditionKept { .. }
        | Event::ConditionEnds { .. }
        | Event::UseOn { .. }
        | Event::End { .. } => return None,
        Event::Initiative { who, total, .. } => (who, format!("rolls {total}")),
        Event::Moxie { who, left } => (who, format!("spends Moxie, {left} left")),
        Event::Wound { who, wounds, total } => {
            let now = total.map_or_else(|| "unknown".to_owned(), |total| total.to_string());
            (who, format!("wounded {wounds}, now {now}"))
        }
        Event::Overtaken { who } => (who, "falls behind".into()),
        Event::ActionDelayed { who } => (who, "delays".into()),
        Event::DelayTaken { who } => (who, "takes the delayed action".into()),
        Event::Held { who } => (who, "holds".into()),
        Event::DelayLost { who } => (who, "loses the delayed action".into()),
        Event::Attack {
            who,
            target,
            total,
            needed,
            hit,
            ..
        } => {
            let hit = if hit { "hit" } else { "miss" };
            (
                who,
                format!("attacks {} {total}/{needed} {hit}", name(target)),
            )
        }
        Event::CriticalHit { who, .. } => (who, "hits critically".into()),
        Event::Fray {
            who,
            total,
            needed,
            defends,
            ..
        } => {
            let outcome = if defends { "defends" } else { "fails" };
            (who, format!("fray {total}/{needed} {outcome}"))
        }
        Event::Step { who, from, to, .. } => (who, format!("steps {from}>{to}")),
        Event::StepSpent { who, .. } => (who, "spends a step".into()),
        Event::Works {
            who, done, needed, ..
        } => (who, format!("works {done}/{needed}")),
        Event::Heals { who, healed, .. } => (who, format!("heals {healed}")),
        Event::TaskWasted { who, .. } => (who, "wastes the task".into()),
        Event::KnockedDown { who } => (who, "is thrown down".into()),
        other => scripted::describe(other),
    };
    Some((who, what))
}
