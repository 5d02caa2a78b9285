//! Fights on scripted dice, as lines of text. A script names the combatant of each roll; a test fails if the fight asks
//! for a die that is not in the script, or leaves one over.

use skirmish::chance::{Purpose, Scripted};
use skirmish::fight::Fight;
use skirmish::scenario::Scenario;
use skirmish::sim::Clock;
use skirmish::sim::events::Moment;
use skirmish::sim::{Counts, Event, Observer, Record};
use skirmish::systems::Plan;

/// Returns the acting combatant and a description of an event, or `None` for events that are left out.
pub(super) type Teller = fn(&Fight, Event) -> Option<(usize, String)>;

/// The events and the record of an encounter.
pub(super) struct Played {
    /// One line for each event: `ROUND MARK who what`.
    pub(super) lines: Vec<String>,
    /// The record of the encounter.
    pub(super) record: Record,
}

/// Plays the base variant of a scenario on scripted dice, which must be used up.
pub(super) fn play(
    text: &str,
    set: &[&str],
    dice: &[(usize, Purpose, &[u32])],
    tell: Teller,
) -> Played {
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
        tell,
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
    /// Returns the lines that contain any of these words, beginning with the name.
    pub(super) fn only(&self, words: &[&str]) -> Vec<&str> {
        self.lines
            .iter()
            .filter(|line| words.iter().any(|word| line.contains(word)))
            .map(|line| line.splitn(3, ' ').nth(2).unwrap_or_default())
            .collect()
    }

    /// Returns the counts of one combatant.
    pub(super) fn of(&self, who: usize) -> Counts {
        self.record.combatants[who]
    }
}

struct Heard<'a> {
    fight: &'a Fight,
    tell: Teller,
    lines: Vec<String>,
}

impl Observer for Heard<'_> {
    fn event(&mut self, moment: Moment, event: Event) {
        if let Some((who, what)) = (self.tell)(self.fight, event) {
            let Moment { round, mark } = moment;
            let name = &self.fight.combatants[who].name;
            self.lines.push(format!("{round} {mark} {name} {what}"));
        }
    }

    fn die(&mut self, _: usize, _: Purpose, _: u32, _: u32) {}
}
