//! The sentences of a story: those of the events, filled with names and numbers.

use super::words::dice_word;
use super::writer::SentenceWriter;
use crate::fight::check::{Check, CheckKind, CriticalDamage};
use crate::fight::effect::Power;
use crate::fight::health::Diminished;
use crate::fight::lasting::MOST_CONDITIONS;
use crate::fight::sum::Modifier;
use crate::report::number::counted;
use crate::sim::Event;
use crate::sim::events::{AttackKind, Field, Obstacle};

/// What armour and the like take off damage that has been rolled.
const TAKEN_OFF: [Modifier; 4] = [
    Modifier::Armour,
    Modifier::Soaked,
    Modifier::Resistance,
    Modifier::Thresholds,
];

impl SentenceWriter<'_> {
    /// Returns the sentence of an event, without its subject. The sentence is empty for a Round and the end, which have
    /// lines of their own.
    pub(super) fn sentence(&self, event: &Event) -> String {
        self.fill(event, event.texts()[0])
    }

    /// Returns the labels of the action of an event, the longest first.
    pub(super) fn labels(&self, event: &Event) -> Vec<String> {
        let labels = event.texts()[1..].iter();
        labels.map(|label| self.fill(event, label)).collect()
    }

    /// Fills a text of an event.
    fn fill(&self, event: &Event, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (inner, after) = split(after, '}').unwrap_or((after, ""));
            filled.push_str(before);
            filled.push_str(&match inner.split_once('?') {
                None => self.word(event, inner),
                Some((condition, texts)) => {
                    let (yes, no) = split(texts, '|').unwrap_or((texts, ""));
                    let holds = self.holds(event, condition);
                    self.fill(event, if holds { yes } else { no })
                }
            });
            rest = after;
        }
        filled + rest
    }

    fn holds(&self, event: &Event, condition: &str) -> bool {
        if let Some((name, value)) = condition.split_once('=') {
            let word = self.word(event, name);
            return match event.field(value) {
                Field::Nothing => word == value,
                _ => word == self.word(event, value),
            };
        }
        match event.field(condition) {
            Field::Flag(flag) => flag,
            Field::Nothing => !self.word(event, condition).is_empty(),
            _ => true,
        }
    }

    /// Returns what stands for a name in the texts of an event.
    fn word(&self, event: &Event, name: &str) -> String {
        let number = |name| event.number(name).unwrap_or(0);
        let who = event.index("who").unwrap_or(0);
        let combatant = &self.fight.combatants[who];
        let words = &self.fight.system.words;
        if let Some(total) = name.strip_prefix('=') {
            return self.rolled(&event.sum(), number(total));
        }
        if let Some(change) = name.strip_prefix('+') {
            return format!("{:+}", number(change));
        }
        if let Some((name, thing)) = name.split_once(' ') {
            return counted(number(name).max(0) as u64, thing);
        }
        let text = match (name, *event) {
            ("step", _) => words.step,
            ("botches", _) => words.botches,
            ("reached", _) => return self.reached_in(event),
            ("many", _) => return MOST_CONDITIONS.to_string(),
            ("dice", _) => {
                let dice = match (number(name), event) {
                    (..1, Event::Dice { .. }) => "a chance die".to_owned(),
                    (dice, _) => dice_word(dice),
                };
                return self.dice(&dice, &event.sum());
            }
            ("outcome", Event::Attack { hit, .. } | Event::SpellCheck { hit, .. }) => {
                if hit {
                    "hit"
                } else {
                    self.missed(event)
                }
            }
            ("desperate", Event::AttackAction { kind, .. }) => match kind {
                AttackKind::Desperate => "desperate, ",
                _ => "",
            },
            ("damage", Event::CriticalHit { damage, .. }) => match damage {
                None => ": armour does not count",
                Some(CriticalDamage::DoubleDice) => ": the dice of the damage twice",
                Some(CriticalDamage::Double) => ": twice the damage",
                Some(CriticalDamage::Usual) => "",
            },
            ("what", Event::Diminished { spell, .. }) => {
                spell.map_or("the attack", |spell| &combatant.spells[spell].name)
            }
            ("share", Event::Diminished { spell, share, .. }) => {
                let power = spell.map(|spell| &combatant.spells[spell].power);
                return diminished(share, power);
            }
            ("taken", Event::Damage { rolled, sum, .. }) => {
                let off = TAKEN_OFF.map(|modifier| sum.of(modifier));
                return self.taken(&sum, rolled + off.iter().sum::<i64>());
            }
            ("lost", _) if number("change") < 0 => return (-number("change")).to_string(),
            ("uses", Event::UsesChange { slot, change, .. }) => {
                let name = combatant.name_of_uses(slot).unwrap_or("it");
                return match change {
                    1 => format!("has one more use of {name}"),
                    0 => format!("gets no use of {name} back"),
                    -1 => format!("has one use of {name} less"),
                    2.. => format!("has {change} more uses of {name}"),
                    _ => format!("has {} uses of {name} less", -change),
                };
            }
            ("own", Event::TraitChanges { own, .. }) => &self.fight.traits[usize::from(own)],
            ("why", Event::Rejected { why, .. })
                if let Some(at) = Obstacle::LACKS.iter().position(|lacks| *lacks == why) =>
            {
                return format!("not enough {} left", self.fight.resources[at]);
            }
            ("position", _) => return combatant.position.to_string(),
            ("ground", _) if self.is_ground(number("condition")) => "ground",
            (
                "length",
                Event::ConditionBegins {
                    rounds, until, by, ..
                },
            ) => return self.length(who, by, rounds, until),
            ("length", Event::OngoingBegins { rounds, .. }) => {
                return format!(" for {}", self.rounds(rounds.into()));
            }
            _ => match event.field(name) {
                Field::Words(words) => words,
                Field::Number(number) => {
                    let thing = usize::try_from(number).ok();
                    match thing.and_then(|index| self.thing(name, index, who)) {
                        Some(thing) => thing,
                        None => return number.to_string(),
                    }
                }
                _ => "",
            },
        };
        text.to_owned()
    }

    /// Returns the total of an event, if it is known.
    fn total(&self, event: &Event) -> Option<i64> {
        let total = event.number("total");
        total.filter(|_| self.knows_total(event))
    }

    /// Returns the outcome of the check of an event, with the whole sum.
    fn reached_in(&self, event: &Event) -> String {
        let needed = event.number("needed").unwrap_or(0);
        if matches!(event, Event::Resists { total: None, .. }) {
            return format!("evade {needed}");
        }
        // A spell without a check is not rolled.
        let kind = event.check_kind(self.fight).unwrap_or(CheckKind::RollOver);
        self.reached(kind, &event.sum(), self.total(event), needed)
    }

    /// Returns the word for a failed check: a fumble (W-9) or a botch (MD-2) if it has reached the needed number.
    fn missed(&self, event: &Event) -> &'static str {
        let (total, check) = (self.total(event), event.check(self.fight));
        let needed = event.number("needed").unwrap_or(0);
        match *event {
            Event::SpellCheck { who, spell, .. }
                if total > Some(0) && self.fight.combatants[who].spells[spell].magick.is_some() =>
            {
                return "too few";
            }
            Event::Attack {
                kind: AttackKind::Desperate,
                ..
            } => return "miss",
            _ => {}
        }
        let least = needed + i64::from(!self.fight.meeting_hits);
        match (check, total) {
            (Some(Check::Natural(natural)), Some(total))
                if natural.fumble.is_some() && total >= least =>
            {
                "fumble"
            }
            (Some(Check::Pool { .. }), Some(net)) if net >= needed => "botch",
            _ => "miss",
        }
    }
}

/// Splits a text at the first `mark` outside of braces.
fn split(text: &str, mark: char) -> Option<(&str, &str)> {
    let mut depth = 0;
    let at = text.find(|letter| {
        let is_found = depth == 0 && letter == mark;
        depth += match letter {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        is_found
    })?;
    Some((&text[..at], &text[at + mark.len_utf8()..]))
}

/// Returns what is left of a diminished spell or, without a `power`, of an attack.
fn diminished(share: Diminished, power: Option<&Power>) -> String {
    let hurts = |power: &Power| {
        let mut effects = power.effects.iter();
        power.effects.is_empty() || effects.any(|effect| effect.damage().is_some())
    };
    let kind = match (power.is_none_or(hurts), power.is_some_and(Power::heals)) {
        (true, true) => "damage and healing",
        (true, false) => "damage",
        (false, true) => "healing",
        (false, false) => "",
    };
    match share {
        Diminished::Nothing => ": no effect".to_owned(),
        _ if kind.is_empty() => String::new(),
        Diminished::Half => format!(": half of its {kind}"),
        Diminished::Full => format!(": all of its {kind}"),
    }
}
