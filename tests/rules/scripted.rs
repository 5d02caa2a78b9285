//! Fights on scripted dice, as lines of text. A script names the combatant of each roll; a test fails if the fight asks
//! for a die that is not in the script, or leaves one over.

use crate::support::Scripted;
use crate::support::fights::{shown, variant_with};
use skirmish::chance::Purpose;
use skirmish::fight::Fight;
use skirmish::sim::events::Moment;
use skirmish::sim::{Counts, Event, Observer, Record};

/// Returns the acting combatant and a description of an event, or `None` for events that are left out.
pub(super) type SentenceWriter = fn(&Fight, Event) -> Option<(usize, String)>;

/// The events and the record of an encounter.
pub(super) struct Played {
    /// One line for each event: the time, who, what.
    pub(super) lines: Vec<String>,
    /// The record of the encounter.
    pub(super) record: Record,
}

/// Plays the base variant of a scenario on scripted dice, which must be used up; a line is `ROUND MARK who what`.
pub(super) fn play(
    text: &str,
    set: &[&str],
    dice: &[(usize, Purpose, &[u32])],
    tell: SentenceWriter,
) -> Played {
    play_as(text, set, dice, |fight, moment, event| {
        let (who, what) = tell(fight, event)?;
        let Moment { round, mark } = moment;
        Some(format!(
            "{round} {mark} {} {what}",
            fight.combatants[who].name
        ))
    })
}

/// Plays `turns` turns. In each of them the initiative dice show `initiative`, one for each combatant.
pub(super) fn play_turns(
    play: impl FnOnce(&str, &[&str], &[(usize, Purpose, &[u32])]) -> Played,
    (text, set): (&str, &[&str]),
    turns: usize,
    initiative: &[u32],
    dice: &[(usize, Purpose, &[u32])],
) -> Played {
    let most = format!("encounter.max_rounds={turns}");
    let set = [set, &[&most]].concat();
    let first: Vec<_> = initiative.iter().map(|face| vec![*face; turns]).collect();
    let first = first.iter().enumerate();
    let first = first.map(|(who, faces)| (who, Purpose::Initiative, &faces[..]));
    let dice: Vec<_> = first.chain(dice.iter().copied()).collect();
    play(text, &set, &dice)
}

/// Plays like [`play`], with lines of another form.
pub(super) fn play_as(
    text: &str,
    set: &[&str],
    dice: &[(usize, Purpose, &[u32])],
    line: impl FnMut(&Fight, Moment, Event) -> Option<String>,
) -> Played {
    let variant = variant_with(text, set);
    let mut chance = Scripted::new();
    for (who, purpose, faces) in dice {
        chance = chance.with(*who, *purpose, faces);
    }
    let mut heard = Heard {
        fight: &variant.fight,
        line,
        lines: Vec::new(),
    };
    let record = shown(&variant, &mut chance, &mut heard);
    chance.finish();
    Played {
        lines: heard.lines,
        record,
    }
}

impl Played {
    /// Returns the lines that contain any of these words.
    pub(super) fn only(&self, words: &[&str]) -> Vec<&str> {
        let lines = self.lines.iter().map(String::as_str);
        lines
            .filter(|line| words.iter().any(|word| line.contains(word)))
            .collect()
    }

    /// Returns the lines that contain any of these words, without the time.
    pub(super) fn only_untimed(&self, words: &[&str]) -> Vec<&str> {
        let lines = self.only(words).into_iter();
        lines
            .map(|line| line.splitn(3, ' ').nth(2).unwrap_or_default())
            .collect()
    }

    /// Returns the lines of one combatant.
    pub(super) fn lines_of(&self, name: &str) -> Vec<&str> {
        let lines = self.lines.iter().map(String::as_str);
        lines
            .filter(|line| line.split(' ').nth(2) == Some(name))
            .collect()
    }

    /// Returns the counts of one combatant.
    pub(super) fn counts_of(&self, who: usize) -> Counts {
        self.record.combatants[who]
    }
}

/// Describes an event that reads the same in several systems.
///
/// # Panics
/// If it is an event of another clock.
pub(super) fn describe(event: Event) -> (usize, String) {
    match event {
        Event::Lost { who } | Event::Unready { who, .. } => (who, "loses an attack".into()),
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
        Event::Use { who, healed, .. } => (who, format!("uses +{healed}")),
        Event::Draw { who, .. } => (who, "draws".into()),
        Event::Stand { who } => (who, "stands up".into()),
        Event::Resists { who, works, .. } => (who, format!("resists: {works}")),
        Event::ConditionKept { who, .. } => (who, "keeps a condition".into()),
        Event::ConditionBegins { who, .. } => (who, "has a condition".into()),
        other => panic!("no event of this clock: {other:?}"),
    }
}

struct Heard<'a, L> {
    fight: &'a Fight,
    line: L,
    lines: Vec<String>,
}

impl<L: FnMut(&Fight, Moment, Event) -> Option<String>> Observer for Heard<'_, L> {
    fn event(&mut self, moment: Moment, event: Event) {
        self.lines.extend((self.line)(self.fight, moment, event));
    }

    fn die(&mut self, _: usize, _: Purpose, _: u32, _: u32) {}
}
