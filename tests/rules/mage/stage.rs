//! Where scripted fights in turns are played: a scenario, dice, and what happened as short lines,
//! `TURN INITIATIVE who what`. Decisions, rejected lines and steps are left out.

use skirmish::chance::{Purpose, Scripted};
use skirmish::clock::{Clock, Plan};
use skirmish::engine::events::Moment;
use skirmish::engine::{Counts, Event, Observer, Record};
use skirmish::fight::Fight;
use skirmish::scenario::Scenario;

/// One who stands opposite and never does anything.
pub(super) const DUMMY: &str = r#"
[[combatants]]
name = "dummy"
side = "dummies"
position = 0
attributes = { dexterity = 1, wits = 1, stamina = 1 }
policy = ["pass"]
"#;

/// What happened.
pub(super) struct Played {
    /// A line an event.
    pub(super) lines: Vec<String>,
    /// The result.
    pub(super) record: Record,
}

/// A scenario of these parts.
pub(super) fn scenario(parts: &[&str]) -> String {
    format!("system = \"mage\"\n{}", parts.join("\n"))
}

/// A combatant with these attributes (Dexterity, Wits, Stamina) and whatever else it has.
pub(super) fn one(name: &str, position: i32, attributes: [i32; 3], rest: &str) -> String {
    let [dexterity, wits, stamina] = attributes;
    format!(
        "[[combatants]]\nname = \"{name}\"\nside = \"{name}s\"\nposition = {position}\n\
         attributes = {{ dexterity = {dexterity}, wits = {wits}, stamina = {stamina} }}\n{rest}\n"
    )
}

/// Plays the base variant of a scenario on scripted dice, which must be used up.
pub(super) fn play(text: &str, set: &[&str], dice: &[(usize, Purpose, &[u32])]) -> Played {
    let set: Vec<String> = set.iter().map(|&set| set.to_owned()).collect();
    let loaded =
        Scenario::parse("test.toml", text, &set).unwrap_or_else(|all| panic!("{all}\n{text}"));
    let variant = &loaded.scenario.variants[0];
    let plan = Plan::new(variant.fight.clone(), variant.rules.clone());
    let mut chance = Scripted::new();
    for (who, purpose, faces) in dice {
        chance = chance.with(*who, *purpose, faces);
    }
    let mut heard = Heard {
        fight: &variant.fight,
        lines: Vec::new(),
    };
    let mut record = Record::default();
    plan.play(&mut plan.start(), &mut chance, &mut heard, &mut record);
    chance.finish();
    Played {
        lines: heard.lines,
        record,
    }
}

impl Played {
    /// The lines that contain any of these words, without turn and initiative.
    pub(super) fn only(&self, words: &[&str]) -> Vec<&str> {
        self.lines
            .iter()
            .filter(|line| words.iter().any(|word| line.contains(word)))
            .map(|line| line.splitn(3, ' ').nth(2).unwrap_or_default())
            .collect()
    }

    /// What the record says of one.
    pub(super) fn of(&self, who: usize) -> Counts {
        self.record.combatants[who]
    }
}

struct Heard<'a> {
    fight: &'a Fight,
    lines: Vec<String>,
}

impl Observer for Heard<'_> {
    fn event(&mut self, moment: Moment, event: Event) {
        let name = |who: usize| self.fight.combatants[who].name.as_str();
        let hits = |hit: bool| if hit { "hit" } else { "miss" };
        let (who, what) = match event {
            Event::Round
            | Event::Rejected { .. }
            | Event::Decision { .. }
            | Event::Step { .. }
            | Event::TurnOver { .. }
            | Event::End { .. } => return,
            Event::Initiative { who, total, shared } => {
                let shared = if shared { " shared" } else { "" };
                (who, format!("initiative {total}{shared}"))
            }
            Event::Pool {
                who,
                pool,
                wounds,
                moved,
                divided,
                dice,
            } => {
                let divided = if divided { " divided" } else { "" };
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
            Event::Lost { who } => (who, "loses an attack".into()),
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
            Event::Paradox { who, gained, total } => (who, format!("Paradox +{gained} = {total}")),
            Event::Ritual { who, .. } => (who, "begins a ritual".into()),
            Event::RitualRoll {
                who, net, gathered, ..
            } => (who, format!("ritual net {net} has {gathered}")),
            Event::Effect { who, target, .. } => (who, format!("effect on {}", name(target))),
            Event::Fizzle { who, .. } => (who, "is interrupted".into()),
            Event::ChannelBroken { who, .. } => (who, "loses the ritual".into()),
            Event::Damage {
                target,
                amount,
                health,
                later,
                ..
            } => {
                let later = if later { " later" } else { "" };
                (target, format!("takes {amount} has {health}{later}"))
            }
            Event::DamageCounts {
                target,
                amount,
                health,
            } => (target, format!("settles {amount} has {health}")),
            Event::Fall { who } => (who, "falls".into()),
            Event::StepSpent { who } => (who, "spends a yard".into()),
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
            Event::Draw { who, .. } => (who, "draws".into()),
            Event::Stand { who } => (who, "stands up".into()),
            Event::Use { who, healed, .. } => (who, format!("uses +{healed}")),
            Event::TurnLost { who } => (who, "loses the turn".into()),
            other => panic!("no event of this clock: {other:?}"),
        };
        let Moment { round, mark } = moment;
        self.lines
            .push(format!("{round} {mark} {} {what}", name(who)));
    }

    fn die(&mut self, _: usize, _: Purpose, _: u32, _: u32) {}
}
