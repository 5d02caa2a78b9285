//! One encounter told: what the observer heard, as sentences and as JSON.
//!
//! A [`Story`] listens to an encounter and keeps each event with the dice that decided it. It then
//! tells them line by line, Mark by Mark, or as objects for machines.

use crate::chance::Purpose;
use crate::engine::events::{AttackKind, Event, Moment, MoveKind, Observer};
use crate::engine::{Ending, Record};
use crate::fight::check::Check;
use crate::fight::{Fight, Traits};
use crate::system::Clock;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// A die as it fell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Die {
    /// Whose.
    pub who: usize,
    /// What for.
    pub purpose: Purpose,
    /// Its faces.
    pub sides: u32,
    /// The face it showed.
    pub face: u32,
}

/// An event, when it was, and the dice that decided it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// When.
    pub moment: Moment,
    /// What.
    pub event: Event,
    /// By which dice.
    pub dice: Vec<Die>,
}

/// Everything that happened in one encounter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Story {
    /// In order.
    pub events: Vec<Told>,
    loose: Vec<Die>,
}

impl Observer for Story {
    fn event(&mut self, moment: Moment, event: Event) {
        let dice = std::mem::take(&mut self.loose);
        self.events.push(Told {
            moment,
            event,
            dice,
        });
    }

    fn die(&mut self, who: usize, purpose: Purpose, sides: u32, face: u32) {
        self.loose.push(Die {
            who,
            purpose,
            sides,
            face,
        });
    }
}

impl Story {
    /// The story as text; with `why`, each decision says why the lines above it were not taken.
    #[must_use]
    pub fn text(&self, fight: &Fight, record: &Record, why: bool) -> String {
        let teller = Teller::new(fight);
        let mut text = String::new();
        let mut last = None;
        let mut order = Order::default();
        // Whoever interrupts is told under whom it interrupts.
        let mut depth = 0;
        for told in &self.events {
            if !matches!(told.event, Event::Place { .. } | Event::Rejected { .. })
                && let Some(names) = order.change(&teller)
            {
                let _ = writeln!(text, "{:>4}  {}order: {names}", "", "  ".repeat(depth));
            }
            let mark = told.moment.mark;
            match told.event {
                Event::Round => {
                    if told.moment.round > 1 {
                        text.push('\n');
                    }
                    let round = fight.system.words.round;
                    let _ = writeln!(text, "{round} {}", told.moment.round);
                    last = None;
                    depth = 0;
                }
                Event::Place { who, place } => order.place(who, place),
                Event::Rejected { .. } if !why => {}
                Event::End { ending } => {
                    let _ = writeln!(text, "\n{}", teller.ending(ending, told.moment, record));
                }
                event => {
                    // The Mark is written once, where it changes.
                    let untold = mark == 0 && fight.system.clock != Clock::Marks;
                    let stamp = if last == Some(mark) || untold {
                        String::new()
                    } else {
                        mark.to_string()
                    };
                    last = Some(mark);
                    match event {
                        Event::Interrupt { .. } => depth += 1,
                        Event::InterruptOver { .. } => depth -= 1,
                        _ => {}
                    }
                    let (who, sentence) = teller.sentence(&event);
                    let dice = dice_note(&told.dice);
                    let (width, indent) = (teller.width, "  ".repeat(depth));
                    let line = format!("{stamp:>4}  {indent}{who:<width$}  {sentence}{dice}");
                    let _ = writeln!(text, "{}", line.trim_end());
                }
            }
        }
        text
    }

    /// The story as one JSON object for each event, names instead of numbers.
    #[must_use]
    pub fn json(&self, fight: &Fight, why: bool) -> Value {
        let kept = |told: &&Told| why || !matches!(told.event, Event::Rejected { .. });
        self.events
            .iter()
            .filter(kept)
            .map(|told| object(told, fight))
            .collect()
    }
}

/// The order of the scene, as it is told (CD-1).
#[derive(Default)]
struct Order {
    now: Vec<usize>,
    changed: bool,
}

impl Order {
    /// Somebody stands at that place from now on.
    fn place(&mut self, who: usize, place: usize) {
        self.now.retain(|other| *other != who);
        self.now.insert((place - 1).min(self.now.len()), who);
        self.changed = true;
    }

    /// The names in order, if it has changed since it was told.
    fn change(&mut self, teller: &Teller<'_>) -> Option<String> {
        std::mem::take(&mut self.changed).then(|| {
            let names: Vec<&str> = self.now.iter().map(|who| teller.name(*who)).collect();
            names.join(", ")
        })
    }
}

/// Turns the numbers of an event into names.
fn object(told: &Told, fight: &Fight) -> Value {
    let mut object = Map::new();
    let words = &fight.system.words;
    object.insert(words.round.to_lowercase(), told.moment.round.into());
    object.insert(words.moment.into(), told.moment.mark.into());
    match serde_json::to_value(told.event) {
        Ok(Value::String(name)) => {
            object.insert("event".into(), name.into());
        }
        Ok(Value::Object(event)) => {
            for (name, fields) in event {
                object.insert("event".into(), name.into());
                let Value::Object(fields) = fields else {
                    continue;
                };
                let who = fields.get("who").and_then(Value::as_u64).unwrap_or(0) as usize;
                for (key, value) in fields {
                    let named = name_of(&key, &value, who, fight).map_or(value, Value::String);
                    object.insert(key, named);
                }
            }
        }
        _ => {}
    }
    if !told.dice.is_empty() {
        let die = |die: &Die| {
            json!({
                "who": fight.combatants[die.who].name,
                "purpose": die.purpose.name(),
                "sides": die.sides,
                "face": die.face,
            })
        };
        object.insert("dice".into(), told.dice.iter().map(die).collect());
    }
    Value::Object(object)
}

fn name_of(key: &str, value: &Value, who: usize, fight: &Fight) -> Option<String> {
    if key == "ending" {
        return Some(match value.get("win").and_then(Value::as_u64) {
            Some(side) => fight.sides[side as usize].clone(),
            None => value.as_str()?.to_owned(),
        });
    }
    let index = value.as_u64()? as usize;
    let combatant = fight.combatants.get(who)?;
    Some(match key {
        "who" | "target" | "after" => fight.combatants.get(index)?.name.clone(),
        "weapon" => combatant.weapons.get(index)?.name.clone(),
        "spell" => combatant.spells.get(index)?.name.clone(),
        "item" => combatant.items.get(index)?.name.clone(),
        "task" => Teller::new(fight).task(who, index).to_owned(),
        "line" => combatant.policy.text.get(index)?.clone(),
        _ => return None,
    })
}

/// The dice behind an event: `[2d10: 7 4, d8: 3]`.
fn dice_note(dice: &[Die]) -> String {
    if dice.is_empty() {
        return String::new();
    }
    let hands: Vec<String> = dice
        .chunk_by(|one, next| one.sides == next.sides && one.purpose == next.purpose)
        .map(|hand| {
            let faces: Vec<String> = hand.iter().map(|die| die.face.to_string()).collect();
            let count = if hand.len() == 1 {
                String::new()
            } else {
                hand.len().to_string()
            };
            format!("{count}d{}: {}", hand[0].sides, faces.join(" "))
        })
        .collect();
    format!("  [{}]", hands.join(", "))
}

/// What a check came to, in words.
fn reached(check: Option<&Check>, total: i64, needed: i64) -> String {
    match check {
        Some(Check::Pool { .. }) => format!("{total} of {needed} successes"),
        _ => format!("{total} against {needed}"),
    }
}

/// A number of dice, in words.
fn dice_word(dice: u32) -> String {
    if dice == 1 {
        "1 die".to_owned()
    } else {
        format!("{dice} dice")
    }
}

/// Puts events into words.
struct Teller<'a> {
    fight: &'a Fight,
    /// Of the longest name.
    width: usize,
}

impl<'a> Teller<'a> {
    fn new(fight: &'a Fight) -> Self {
        let width = fight
            .combatants
            .iter()
            .map(|one| one.name.chars().count())
            .max()
            .unwrap_or(0);
        Self { fight, width }
    }

    fn name(&self, who: usize) -> &'a str {
        &self.fight.combatants[who].name
    }

    fn line(&self, who: usize, line: usize) -> &'a str {
        self.fight.combatants[who]
            .policy
            .text
            .get(line)
            .map_or("", String::as_str)
    }

    fn spell(&self, who: usize, spell: usize) -> &'a str {
        &self.fight.combatants[who].spells[spell].name
    }

    fn task(&self, who: usize, task: usize) -> &'a str {
        match &self.fight.combatants[who].traits {
            Traits::Phases(traits) => &traits.tasks[task].name,
            _ => "",
        }
    }

    fn weapon(&self, who: usize, weapon: usize) -> &'a str {
        &self.fight.combatants[who].weapons[weapon].name
    }

    fn ending(&self, ending: Ending, moment: Moment, record: &Record) -> String {
        let how = match ending {
            Ending::Win(side) => format!("{} win", self.fight.sides[usize::from(side)]),
            Ending::Mutual => "nobody stands".to_owned(),
            Ending::Timeout => "timeout".to_owned(),
            Ending::Escaped => "escaped".to_owned(),
            Ending::Caught => "caught".to_owned(),
        };
        let mut text = format!(
            "{how} in {} {}",
            self.fight.system.words.round, moment.round
        );
        if self.fight.system.clock == Clock::Marks {
            let _ = write!(text, ", {} Marks in", record.marks);
        }
        text.push('.');
        for (combatant, counts) in self.fight.combatants.iter().zip(&record.combatants) {
            let _ = write!(
                text,
                "\n      {:<width$}  {} of {} health; {} of {} attacks hit, {} damage, {} Units",
                combatant.name,
                counts.health,
                combatant.health,
                counts.hits,
                counts.attacks,
                counts.damage,
                counts.units_moved,
                width = self.width,
            );
        }
        text
    }

    /// Who, and what.
    fn sentence(&self, event: &Event) -> (&'a str, String) {
        match *event {
            Event::Round | Event::End { .. } => ("", String::new()),
            Event::Score {
                who,
                score,
                owed: 0,
            } => (self.name(who), format!("Score {score}")),
            Event::Score { who, score, owed } => (
                self.name(who),
                format!("Score {score}, {owed} carried over taken off"),
            ),
            Event::Delay { who, line, score } => {
                let line = self.line(who, line);
                (self.name(who), format!("delays: Score {score} ({line})"))
            }
            Event::RoundSkipped { who, owed } => (
                self.name(who),
                format!("still owes {owed} Marks: no Score this Round"),
            ),
            Event::Rejected { who, line, why } => (
                self.name(who),
                format!("  not `{}`: {}", self.line(who, line), why.describe()),
            ),
            Event::Decision { who, line } => {
                (self.name(who), format!("> {}", self.line(who, line)))
            }
            Event::Pass { who, marks } => {
                let left = if marks == 1 { "Mark" } else { "Marks" };
                (self.name(who), format!("is done, {marks} {left} left"))
            }
            Event::AttackAction {
                who,
                target,
                weapon,
                attacks,
                kind,
            } => {
                let desperate = if kind == AttackKind::Desperate {
                    "desperate, "
                } else {
                    ""
                };
                let many = if attacks == 1 {
                    "one attack".into()
                } else {
                    format!("{attacks} attacks")
                };
                let (target, weapon) = (self.name(target), self.weapon(who, weapon));
                (
                    self.name(who),
                    format!("{desperate}{many} on {target} with {weapon}"),
                )
            }
            Event::Attack {
                who,
                target,
                weapon,
                kind,
                total,
                needed,
                hit,
            } => {
                let verb = match kind {
                    AttackKind::Attack | AttackKind::Desperate => "attacks",
                    AttackKind::Counter => "counters",
                    AttackKind::Charge => "strikes in the charge at",
                };
                let hit = if hit { "hit" } else { "miss" };
                let target = self.name(target);
                let check = &self.fight.combatants[who].weapons[weapon].check;
                let reached = reached(Some(check), total, needed);
                (self.name(who), format!("{verb} {target}: {reached}, {hit}"))
            }
            Event::Forfeited { who, attacks } => (
                self.name(who),
                format!("has no Marks for {attacks} of the attacks"),
            ),
            Event::Lost { who } => (self.name(who), "has no target: attack lost".into()),
            Event::SpellCheck {
                who,
                target,
                spell,
                total,
                needed,
                hit,
            } => {
                let hit = if hit { "hit" } else { "miss" };
                let check = self.fight.combatants[who].spells[spell].check.as_ref();
                let reached = reached(check, total, needed);
                let (spell, target) = (self.spell(who, spell), self.name(target));
                (
                    self.name(who),
                    format!("{spell} at {target}: {reached}, {hit}"),
                )
            }
            Event::Damage {
                target,
                rolled,
                amount,
                health,
                later,
                ..
            } => {
                let rolled = if rolled == i64::from(amount) {
                    String::new()
                } else {
                    format!(" ({rolled} less {})", self.fight.system.words.ward)
                };
                let left = if later {
                    ", counts when all have acted".to_owned()
                } else {
                    format!(", {health} left")
                };
                (self.name(target), format!("takes {amount}{rolled}{left}"))
            }
            Event::DamageCounts {
                target,
                amount,
                health,
            } => (
                self.name(target),
                format!("{amount} count now, {health} left"),
            ),
            Event::Fall { who } => (self.name(who), "falls".into()),
            Event::Step {
                who,
                from,
                to,
                kind,
            } => {
                let how = match kind {
                    MoveKind::Advance | MoveKind::Retreat => "moves",
                    MoveKind::Car => "intercepts",
                    MoveKind::Charge => "charges",
                    MoveKind::CombatCasting => "moves while casting",
                };
                (self.name(who), format!("{how} {from} -> {to}"))
            }
            Event::StepSpent { who } => {
                let step = self.fight.system.words.step;
                (self.name(who), format!("spends the {step} on the spot"))
            }
            Event::Set { who } => (self.name(who), "is setting (5 Marks)".into()),
            Event::Cast {
                who,
                spell,
                target,
                mark,
                rounds,
            } => {
                let when = match rounds {
                    0 => format!("at {mark}"),
                    1 => format!("at {mark} of the next Round"),
                    _ => format!("at {mark}, {rounds} Rounds on"),
                };
                let (spell, target) = (self.spell(who, spell), self.name(target));
                (
                    self.name(who),
                    format!("casts {spell} at {target}, due {when}"),
                )
            }
            Event::Effect { who, spell, target } => {
                let (spell, target) = (self.spell(who, spell), self.name(target));
                (self.name(who), format!("{spell} goes off at {target}"))
            }
            Event::Wasted { who, spell } => (
                self.name(who),
                format!("{} has no target: wasted", self.spell(who, spell)),
            ),
            Event::Fizzle { who, spell } => (
                self.name(who),
                format!("{} fizzles", self.spell(who, spell)),
            ),
            Event::Concentrates { who, spell } => (
                self.name(who),
                format!("keeps hold of {}", self.spell(who, spell)),
            ),
            Event::CombatCast { who, total, units } => (
                self.name(who),
                format!("Combat Casting {total}: {units} Units"),
            ),
            Event::Channel { who, spell, target } => {
                let (spell, target) = (self.spell(who, spell), self.name(target));
                (
                    self.name(who),
                    format!("channels {spell} at {target}, due at 0"),
                )
            }
            Event::ChannelBroken { who, spell } => (
                self.name(who),
                format!("breaks off {}", self.spell(who, spell)),
            ),
            Event::Car {
                who,
                target,
                reaction,
            } => {
                let how = if reaction {
                    "reacts: intercepts"
                } else {
                    "intercepts"
                };
                (self.name(who), format!("{how} {}", self.name(target)))
            }
            Event::Charge { who, target } => {
                (self.name(who), format!("charges at {}", self.name(target)))
            }
            Event::Use {
                who,
                item,
                healed,
                health,
            } => {
                let item = &self.fight.combatants[who].items[item].name;
                (
                    self.name(who),
                    format!("uses {item}: {healed} healed, {health} health"),
                )
            }
            Event::Draw { who, weapon } => (
                self.name(who),
                format!("draws {}", self.weapon(who, weapon)),
            ),
            Event::Stand { who } => (self.name(who), "stands up".into()),
            Event::Initiative { who, total, shared } => {
                let shared = if shared { ", shared" } else { "" };
                (self.name(who), format!("initiative {total}{shared}"))
            }
            Event::Pool {
                who,
                pool,
                wounds,
                moved,
                divided,
                dice,
            } => {
                let mut text = format!("rolls {}", dice_word(dice));
                if wounds > 0 || moved > 0 || divided {
                    let _ = write!(text, ": pool {pool}");
                    if wounds > 0 {
                        let _ = write!(text, ", {wounds} off for wounds");
                    }
                    if moved > 0 {
                        let _ = write!(text, ", {moved} off for yards");
                    }
                    if divided {
                        text.push_str(", divided");
                    }
                }
                (self.name(who), text)
            }
            Event::Willpower { who, left } => (
                self.name(who),
                format!("spends Willpower on a sure success: {left} left"),
            ),
            Event::Botch { who } => {
                let botches = self.fight.system.words.botches;
                (self.name(who), botches.into())
            }
            Event::Endurance {
                who,
                dice,
                net,
                botch,
                outcome,
            } => {
                let botch = if botch { "botch, " } else { "" };
                let (dice, outcome) = (dice_word(dice), outcome.describe());
                (
                    self.name(who),
                    format!("is beyond its endurance: {net} of {dice}, {botch}{outcome}"),
                )
            }
            Event::Climb {
                who,
                dice,
                net,
                yards,
            } => {
                let dice = dice_word(dice);
                (
                    self.name(who),
                    format!("climbs: {net} of {dice}, {yards} yards this turn"),
                )
            }
            Event::Ready { who, weapon, left } => (
                self.name(who),
                format!("readies {}, turns to go: {left}", self.weapon(who, weapon)),
            ),
            Event::Ritual { who, spell, target } => {
                let (spell, target) = (self.spell(who, spell), self.name(target));
                (self.name(who), format!("begins {spell} at {target}"))
            }
            Event::RitualRoll {
                who,
                spell,
                net,
                gathered,
                needed,
            } => {
                let spell = self.spell(who, spell);
                (
                    self.name(who),
                    format!("works {spell}: {net}, {gathered} of {needed} gathered"),
                )
            }
            Event::Paradox { who, gained, total } => {
                (self.name(who), format!("gathers {gained} Paradox: {total}"))
            }
            Event::TurnLost { who } => (self.name(who), "loses this turn".into()),
            Event::TurnOver { who, actions: 0 } | Event::StageOver { who } => {
                (self.name(who), "is done".into())
            }
            Event::TurnOver { who, actions } => {
                (self.name(who), format!("is done, actions left: {actions}"))
            }
            Event::Phase { phase } => ("", format!("Phase {phase}")),
            Event::Moxie { who, left } => (
                self.name(who),
                format!("spends Moxie to go first, {left} left"),
            ),
            Event::Wound { who, wounds, total } => {
                let wounds = if wounds == 1 {
                    "a wound".to_owned()
                } else {
                    format!("{wounds} wounds")
                };
                (
                    self.name(who),
                    format!("suffers {wounds}: initiative {total}"),
                )
            }
            Event::Overtaken { who } => (self.name(who), "falls behind in the order".into()),
            Event::ActionDelayed { who } => (self.name(who), "delays its action".into()),
            Event::DelayTaken { who } => (self.name(who), "takes its delayed action".into()),
            Event::Held { who } => (self.name(who), "holds its action".into()),
            Event::DelayLost { who } => (self.name(who), "loses its delayed action".into()),
            Event::Fray {
                who,
                total,
                needed,
                defends,
            } => {
                let outcome = if defends { "turns it aside" } else { "in vain" };
                (
                    self.name(who),
                    format!("defends: {total} against {needed}, {outcome}"),
                )
            }
            Event::Works {
                who,
                task,
                done,
                needed,
            } => (
                self.name(who),
                format!("works at {}: {done} of {needed}", self.task(who, task)),
            ),
            Event::Heals {
                who,
                healed,
                health,
            } => (self.name(who), format!("{healed} healed, {health} health")),
            Event::TaskWasted { who, task } => (
                self.name(who),
                format!("{} has no target: wasted", self.task(who, task)),
            ),
            Event::RollOff { who, face } => (self.name(who), format!("rolls off: {face}")),
            Event::Place { who, place } => (self.name(who), format!("stands at place {place}")),
            Event::Delays { who } => (self.name(who), "delays".into()),
            Event::ComesIn { who, after } => (
                self.name(who),
                format!("comes in after {}", self.name(after)),
            ),
            Event::DelayRunsOut { who } => (
                self.name(who),
                "is not in by the end of the Round: action lost".into(),
            ),
            Event::Readied { who } => (self.name(who), "waits for that".into()),
            Event::ReadiedLapses { who } => (
                self.name(who),
                "has waited in vain: readied action lost".into(),
            ),
            Event::Triggered {
                who,
                target,
                cancels,
            } => {
                let answer = if cancels { ", and cancels" } else { "" };
                (
                    self.name(who),
                    format!("is triggered by {}{answer}", self.name(target)),
                )
            }
            Event::ReadiedLost { who, why } => (
                self.name(who),
                format!("cannot: {}; readied action lost", why.describe()),
            ),
            Event::Interrupt { who, target } => {
                (self.name(who), format!("interrupts {}", self.name(target)))
            }
            Event::InterruptOver { target, .. } => (self.name(target), "goes on".into()),
            Event::ActionKept { who } => (
                self.name(who),
                "cannot do that any more: action kept".into(),
            ),
            Event::Ongoing { who } => (self.name(who), "suffers on".into()),
            Event::OngoingBegins {
                who,
                amount,
                rounds,
            } => {
                let turns = if rounds == 1 { "Round" } else { "Rounds" };
                (
                    self.name(who),
                    format!("will take {amount} more for {rounds} {turns}"),
                )
            }
            Event::Regenerates {
                who,
                healed,
                health,
            } => (
                self.name(who),
                format!("regenerates {healed}, {health} health"),
            ),
            Event::Dice {
                who,
                pool,
                wounds,
                defence,
                dice,
            } => {
                let mut text = if dice < 1 {
                    "rolls a chance die".to_owned()
                } else {
                    format!("rolls {}", dice_word(dice as u32))
                };
                if wounds > 0 || defence > 0 {
                    let _ = write!(text, ": pool {pool}");
                    if wounds > 0 {
                        let _ = write!(text, ", {wounds} off for wounds");
                    }
                    if defence > 0 {
                        let _ = write!(text, ", {defence} off for Defence");
                    }
                }
                (self.name(who), text)
            }
            Event::Wait { who, marks } => (self.name(who), format!("waits {marks}")),
        }
    }
}
