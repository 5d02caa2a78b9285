//! Plays scripted fights of Chronicles: a scenario and dice, and the events as short lines, `ROUND TURN who what`,
//! without decisions and rejected lines.

use super::super::scripted;
pub(super) use super::super::scripted::Played;
use skirmish::chance::Purpose;
use skirmish::fight::Fight;
use skirmish::fight::sum::Modifier;
use skirmish::sim::Event;

/// The keys of the salve in the gear.
const SALVE: &str = "heal = 1\nuses = 5";

/// A condition whose bearer begins no action.
pub(super) const DAZED: &str = "[conditions.dazed]\nmodifies = { actions = 0 }\n";

/// A weapon for each range, with one die: 8 hits for 1, and 3 misses.
pub(super) const GEAR: &str = r#"
[weapons.fist]
kind = "melee"
reach = 1
check = { pool = 1 }
damage = 0
[weapons.bow]
kind = "ranged"
range = 50
check = { pool = 1 }
damage = 0
[weapons.cannon]
kind = "ranged"
range = 50
check = { pool = 1 }
damage = 99
[spells.bolt]
range = 50
damage = 1
[items.salve]
heal = 1
uses = 5
"#;

/// Returns a scenario of these parts and the gear.
pub(super) fn scenario(parts: &[&str]) -> String {
    format!("system = \"chronicles\"\n{}\n{GEAR}", parts.join("\n"))
}

/// Returns a combatant with all gear that can move 10 Units: `NAME SIDE POSITION DEXTERITY COMPOSURE`, further keys, and
/// its policy.
pub(super) fn one(who: &str, rest: &str, policy: &[&str]) -> String {
    let words: Vec<&str> = who.split(' ').collect();
    let [name, side, position, dexterity, composure] = words[..] else {
        panic!("not five words: {who}");
    };
    let health = if rest.contains("health") {
        ""
    } else {
        "health = 10"
    };
    format!(
        "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = {position}\nmove = 10\n\
         {health}\nattributes = {{ dexterity = {dexterity}, composure = {composure} }}\n\
         weapons = [\"fist\", \"bow\", \"cannon\"]\nspells = [\"bolt\"]\nitems = [\"salve\"]\n{rest}\n\
         policy = {policy:?}\n"
    )
}

/// Returns a guard at 0 that is first in the order.
pub(super) fn the_guard(policy: &[&str]) -> String {
    one("guard left 0 9 9", "", policy)
}

/// Returns the guard's rival at 6, next in the order.
pub(super) fn the_rival(policy: &[&str]) -> String {
    one("rival right 6 5 5", "", policy)
}

/// Returns an ally of the rival that is last in the order and does nothing.
pub(super) fn the_last(position: i32) -> String {
    one(&format!("last right {position} 1 1"), "", &["pass"])
}

/// Plays `most` Rounds of a scenario in which each first initiative die shows 1; `dice` are those of attacks.
pub(super) fn rounds<P: AsRef<str>>(
    most: u32,
    parts: &[P],
    set: &[&str],
    dice: &[(usize, &[u32])],
) -> Played {
    rounds_with((SALVE, ""), most, parts, set, dice)
}

/// Plays like [`rounds`], with another salve and further gear.
pub(super) fn rounds_with<P: AsRef<str>>(
    (salve, more): (&str, &str),
    most: u32,
    parts: &[P],
    set: &[&str],
    dice: &[(usize, &[u32])],
) -> Played {
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    let text = scenario(&parts).replace(SALVE, salve) + more;
    let count = text.matches("[[combatants]]").count();
    let most = format!("encounter.max_rounds={most}");
    let set: Vec<&str> = set.iter().copied().chain([most.as_str()]).collect();
    let ones: Vec<(usize, Purpose, &[u32])> = (0..count)
        .map(|who| (who, Purpose::Initiative, &[1][..]))
        .collect();
    let checks = dice
        .iter()
        .map(|(who, faces)| (*who, Purpose::Check, *faces));
    let dice: Vec<_> = ones.into_iter().chain(checks).collect();
    play(&text, &set, &dice)
}

/// Plays the base variant of a scenario on scripted dice, which must be used up.
pub(super) fn play(text: &str, set: &[&str], dice: &[(usize, Purpose, &[u32])]) -> Played {
    scripted::play(text, set, dice, tell)
}

/// Returns the order after each change, as names separated by spaces; the first is the order as rolled.
pub(super) fn orders(played: &Played) -> Vec<String> {
    let mut order: Vec<&str> = Vec::new();
    let mut told = Vec::new();
    let mut changed = false;
    for line in played.lines.iter().map(String::as_str).chain(["0 0 - end"]) {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["at", place] = words[3.min(words.len())..] {
            let place: usize = place.parse().unwrap();
            order.retain(|name| *name != words[2]);
            order.insert((place - 1).min(order.len()), words[2]);
            changed = true;
        } else if std::mem::take(&mut changed) {
            told.push(order.join(" "));
        }
    }
    told
}

fn tell(fight: &Fight, event: Event) -> Option<(usize, String)> {
    let name = |who: usize| fight.combatants[who].name.as_str();
    let called = |condition: u8| &*fight.conditions[usize::from(condition)].name;
    let hits = |hit: bool| if hit { "hit" } else { "miss" };
    let told = match event {
        Event::Round
        | Event::Hazard { .. }
        | Event::Rejected { .. }
        | Event::Decision { .. }
        | Event::End { .. } => {
            return None;
        }
        Event::Initiative { who, total, .. } => (who, format!("initiative {total}")),
        Event::RollOff { who, face } => (who, format!("rolls off {face}")),
        Event::Place { who, place } => (who, format!("at {place}")),
        Event::Delays { who } => (who, "delays".into()),
        Event::ComesIn { who, after } => (who, format!("comes in after {}", name(after))),
        Event::DelayRunsOut { who } => (who, "has delayed too long".into()),
        Event::Readied { who } => (who, "readies".into()),
        Event::UseOn { who, target, .. } => (who, format!("uses on {}", name(target))),
        Event::ReadiedLapses { who } => (who, "has waited in vain".into()),
        Event::Triggered {
            who,
            target,
            cancels,
        } => {
            let cancels = if cancels { ", cancels" } else { "" };
            (who, format!("triggered by {}{cancels}", name(target)))
        }
        Event::ReadiedLost { who, .. } => (who, "cannot do what it readied".into()),
        Event::Interrupt { who, target } => (who, format!("interrupts {}", name(target))),
        Event::InterruptOver { target, .. } => (target, "goes on".into()),
        Event::ActionKept { who } => (who, "keeps the action".into()),
        Event::Ongoing { who } => (who, "suffers on".into()),
        Event::OngoingBegins {
            who,
            amount,
            rounds,
        } => (who, format!("will suffer {amount} for {rounds}")),
        Event::Regenerates {
            who,
            healed,
            health,
            ..
        } => (who, format!("regenerates {healed} has {health}")),
        Event::Dice { who, dice, sum } => {
            let [wounds, defence] = [Modifier::Wounds, Modifier::Defence].map(|one| -sum.of(one));
            let pool = dice + wounds + defence;
            (who, format!("rolls {dice} of {pool}-{wounds}-{defence}"))
        }
        Event::Attack {
            who, target, hit, ..
        } => (who, format!("attacks {} {}", name(target), hits(hit))),
        Event::Botch { who } => (who, "fails dramatically".into()),
        Event::SpellCheck {
            who, target, hit, ..
        } => (who, format!("casts at {} {}", name(target), hits(hit))),
        Event::Effect { who, target, .. } => (who, format!("effect on {}", name(target))),
        Event::Wasted { who, .. } => (who, "loses a spell".into()),
        Event::Step { who, to, .. } => (who, format!("moves to {to}")),
        Event::TurnLost { who } => (who, "loses the turn".into()),
        Event::ConditionBegins { who, condition, .. } => {
            (who, format!("gets {}", called(condition)))
        }
        Event::ConditionEnds { who, condition, .. } => {
            (who, format!("loses {}", called(condition)))
        }
        Event::Healed { who, healed, .. } => (who, format!("healed {healed}")),
        Event::KnockedDown { who } => (who, "is thrown down".into()),
        Event::TurnOver { who, .. } => (who, "is done".into()),
        other => scripted::describe(other),
    };
    Some(told)
}
