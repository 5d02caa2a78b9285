//! Fights on scripted dice, told line by line: a script says who rolls what, and fails if a die is
//! asked for that is not in it, or if one is left over.

use skirmish::chance::{Purpose, Scripted};
use skirmish::fight::Fight;
use skirmish::scenario::Scenario;
use skirmish::sim::Clock;
use skirmish::sim::events::Moment;
use skirmish::sim::{Counts, Event, Observer, Record};
use skirmish::systems::Plan;

/// Who does what, in words; nothing for events that are not to be told.
pub(super) type Teller = fn(&Fight, Event) -> Option<(usize, String)>;

/// What happened.
pub(super) struct Played {
    /// A line an event: `ROUND MARK who what`.
    pub(super) lines: Vec<String>,
    /// The result.
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
    /// The lines that contain any of these words, without what stands before the name.
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
