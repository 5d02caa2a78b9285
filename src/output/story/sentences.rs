//! The sentences of a story: one for each event, without its subject.

use super::words::dice_word;
use super::writer::SentenceWriter;
use crate::fight::Marks;
use crate::fight::check::{Check, CheckKind, CriticalDamage};
use crate::fight::effect::Power;
use crate::fight::health::Diminished;
use crate::fight::lasting::MOST_CONDITIONS;
use crate::fight::program::Leaving;
use crate::fight::sum::Modifier;
use crate::report::number::counted;
use crate::sim::Event;
use crate::sim::events::{AttackKind, MoveKind};

fn in_marks(marks: Marks) -> String {
    counted(marks.max(0) as u64, "Mark")
}

impl SentenceWriter<'_> {
    /// Returns the word for a failed check: a fumble (W-9) or a botch (MD-2) if it has reached the needed number.
    fn missed(&self, check: Option<&Check>, total: Option<i64>, needed: i64) -> &'static str {
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

    /// Returns the sentence of an event, without its subject. The sentence is empty for a Round and the end, which have
    /// lines of their own.
    pub(super) fn sentence(&self, event: &Event) -> String {
        match *event {
            Event::Round | Event::End { .. } => String::new(),
            Event::Score {
                score, shared, sum, ..
            } => {
                let shared = if shared { ", shared" } else { "" };
                format!("Score {}{shared}", self.rolled(&sum, score.into()))
            }
            Event::Delay { who, line, score } => {
                let line = self.line(who, line);
                format!("delays: Score {score} ({line})")
            }
            Event::RoundSkipped { owed, .. } => {
                format!("still owes {owed} Marks: no Score this Round")
            }
            Event::Rejected { who, line, why } => {
                format!("  not `{}`: {}", self.line(who, line), why.describe())
            }
            Event::Decision { who, line } => format!("> {}", self.line(who, line)),
            Event::Pass { marks, .. } => format!("is done, {} left", in_marks(marks)),
            Event::AttackAction {
                who,
                target,
                weapon,
                attacks,
                kind,
            } => {
                let desperate = match kind {
                    AttackKind::Desperate => "desperate, ",
                    _ => "",
                };
                let many = match attacks {
                    1 => "one attack".to_owned(),
                    _ => format!("{attacks} attacks"),
                };
                let (target, weapon) = (self.name(target), self.weapon(who, weapon));
                format!("{desperate}{many} on {target} with {weapon}")
            }
            Event::Attack {
                who,
                target,
                weapon,
                kind,
                total,
                needed,
                hit,
                sum,
            } => {
                let verb = match kind {
                    AttackKind::Attack | AttackKind::Desperate => "attacks",
                    AttackKind::Counter => "counters",
                    AttackKind::Charge => "strikes in the charge at",
                };
                let target = self.name(target);
                let check = &self.fight.combatants[who].weapons[weapon].check;
                let total = self.knows_total(event).then_some(total);
                let hit = match hit {
                    true => "hit",
                    false if kind == AttackKind::Desperate => "miss",
                    false => self.missed(Some(check), total, needed),
                };
                let reached = self.reached(check.kind(), &sum, total, needed);
                format!("{verb} {target}: {reached}, {hit}")
            }
            Event::CriticalHit { damage, .. } => {
                let effect = match damage {
                    None => ": armour does not count",
                    Some(CriticalDamage::DoubleDice) => ": the dice of the damage twice",
                    Some(CriticalDamage::Double) => ": twice the damage",
                    Some(CriticalDamage::Usual) => "",
                };
                format!("hits critically{effect}")
            }
            Event::Forfeited { attacks, .. } => {
                format!("has no Marks for {attacks} of the attacks")
            }
            Event::Lost { .. } => "has no target: attack lost".into(),
            Event::Unready { prone: true, .. } => "is on the ground: attack lost".into(),
            Event::Unready { .. } => "has no weapon ready: attack lost".into(),
            Event::ReadyRoll {
                net, needed, works, ..
            } => {
                let works = if works { "ready" } else { "not ready yet" };
                format!("gets it out: {net} of {needed} successes, {works}")
            }
            Event::SpellCheck {
                who,
                target,
                spell,
                total,
                needed,
                hit,
                sum,
            } => {
                let spell_of = &self.fight.combatants[who].spells[spell];
                let total = self.knows_total(event).then_some(total);
                let outcome = match hit {
                    true => "hit",
                    false if spell_of.magick.is_some() && total > Some(0) => "too few",
                    false => self.missed(spell_of.check.as_ref(), total, needed),
                };
                // A spell without a check is not rolled.
                let check = spell_of.check.as_ref();
                let kind = check.map_or(CheckKind::RollOver, Check::kind);
                let reached = self.reached(kind, &sum, total, needed);
                let spell = self.spell_at(who, spell, target);
                format!("{spell}: {reached}, {outcome}")
            }
            Event::Diminished { who, spell, share } => {
                let what = spell.map_or("the attack", |spell| self.spell(who, spell));
                let power = spell.map(|spell| &self.fight.combatants[who].spells[spell].power);
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
                    Diminished::Nothing => format!("{what} is diminished: no effect"),
                    _ if kind.is_empty() => format!("{what} is diminished"),
                    Diminished::Half => format!("{what} is diminished: half of its {kind}"),
                    Diminished::Full => format!("{what} is diminished: all of its {kind}"),
                }
            }
            Event::Damage {
                rolled,
                health,
                later,
                sum,
                ..
            } => {
                let off = [
                    Modifier::Armour,
                    Modifier::Soaked,
                    Modifier::Resistance,
                    Modifier::Thresholds,
                ];
                let points = rolled + off.map(|modifier| sum.of(modifier)).iter().sum::<i64>();
                let taken = self.taken(&sum, points);
                if later {
                    format!("takes {taken}, counts when all have acted")
                } else {
                    format!("takes {taken}, {health} left")
                }
            }
            Event::DamageCounts { amount, health, .. } => {
                format!("{amount} count now, {health} left")
            }
            Event::Fall { .. } => "falls".into(),
            Event::GoesDown { .. } => "goes down".into(),
            Event::StandsAgain { .. } => "stands again".into(),
            Event::Save {
                successes,
                failures,
                stable,
                ..
            } => {
                let passed = counted(successes.into(), "check");
                let stable = if stable { ": stable" } else { "" };
                format!("has passed {passed} and failed {failures}{stable}")
            }
            Event::LostForGood { .. } => "is lost".into(),
            Event::TemporaryHealth { change, left, .. } => match change {
                0 => format!("keeps {left} temporary health"),
                1.. => format!("has {left} temporary health"),
                _ => format!("loses {} temporary health, {left} left", -change),
            },
            Event::LastUse { who, weapon } => {
                format!("uses {} for the last time", self.weapon(who, weapon))
            }
            Event::TraitChanges {
                own, change, value, ..
            } => {
                let name = &self.fight.traits[usize::from(own)];
                format!("{name} {change:+}: {value}")
            }
            Event::UsesChange { who, slot, change } => {
                let combatant = &self.fight.combatants[who];
                let name = combatant.name_of_uses(slot).unwrap_or("it");
                match change {
                    1 => format!("has one more use of {name}"),
                    0 => format!("gets no use of {name} back"),
                    -1 => format!("has one use of {name} less"),
                    2.. => format!("has {change} more uses of {name}"),
                    _ => format!("has {} uses of {name} less", -change),
                }
            }
            Event::Enters { who } => {
                format!("enters at {}", self.fight.combatants[who].position)
            }
            Event::Leaves { how, .. } => match how {
                Leaving::Flees => "flees, out of the fight".into(),
                Leaving::Surrenders => "surrenders".into(),
            },
            Event::Step { from, to, kind, .. } => {
                let how = match kind {
                    MoveKind::Advance | MoveKind::Retreat => "moves",
                    MoveKind::Car => "intercepts",
                    MoveKind::Charge => "charges",
                    MoveKind::CombatCasting => "moves while casting",
                };
                format!("{how} {from} -> {to}")
            }
            Event::StepSpent { toll, .. } => {
                let step = self.fight.system.words.step;
                match toll {
                    0 => format!("no longer makes the {step}"),
                    1 => format!("spends the {step} on the spot"),
                    _ => format!("spends the {toll} {step}s on the spot"),
                }
            }
            Event::Set { marks, .. } => format!("is setting ({})", in_marks(marks)),
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
                format!("casts {}, due {when}", self.spell_at(who, spell, target))
            }
            Event::Effect { who, spell, target } => {
                format!(
                    "{} goes off at {}",
                    self.spell(who, spell),
                    self.name(target)
                )
            }
            Event::Wasted { who, spell } => {
                format!("{} has no target: wasted", self.spell(who, spell))
            }
            Event::Fizzle { who, spell } => format!("{} fizzles", self.spell(who, spell)),
            Event::Concentrates { who, spell } => {
                format!("keeps hold of {}", self.spell(who, spell))
            }
            Event::CombatCast {
                total, units, sum, ..
            } => {
                format!("Combat Casting {}: {units} Units", self.rolled(&sum, total))
            }
            Event::Channel { who, spell, target } => {
                format!("channels {}, due at 0", self.spell_at(who, spell, target))
            }
            Event::ChannelBroken { who, spell } => format!("breaks off {}", self.spell(who, spell)),
            Event::Car {
                target, reaction, ..
            } => {
                let reacts = if reaction { "reacts: " } else { "" };
                format!("{reacts}intercepts {}", self.name(target))
            }
            Event::Charge { target, .. } => format!("charges at {}", self.name(target)),
            Event::Use {
                who,
                item,
                healed,
                health,
                sum,
            } => {
                let (item, healed) = (self.item(who, item), self.rolled(&sum, healed.into()));
                format!("uses {item}: {healed} healed, {health} health")
            }
            Event::UseOn { who, item, target } => {
                let item = self.item(who, item);
                match self.name(target) {
                    _ if who == target => format!("uses {item}"),
                    target => format!("uses {item} on {target}"),
                }
            }
            Event::UseCheck {
                total,
                needed,
                works,
                kind,
                sum,
                ..
            } => match needed {
                None => format!("rolls {}", self.rolled(&sum, total)),
                Some(needed) => {
                    let outcome = if works { "works" } else { "fails" };
                    let total = self.knows_total(event).then_some(total);
                    let reached = self.reached(kind, &sum, total, needed);
                    format!("rolls {reached}: {outcome}")
                }
            },
            Event::UseLost { who, item, used_up } => {
                let item = self.item(who, item.into());
                if used_up {
                    format!("has no use of {item} left")
                } else {
                    format!("has no target for {item}")
                }
            }
            Event::DrawLost { who, weapon } => {
                let weapon = self.weapon(who, weapon.into());
                format!("has no use of {weapon} left to draw it for")
            }
            Event::Resists {
                total,
                needed,
                works,
                morale,
                kind,
                sum,
                ..
            } => {
                let outcome = match (morale, works) {
                    (false, true) => "resists",
                    (false, false) => "does not resist",
                    (true, true) => "holds its morale",
                    (true, false) => "loses its morale",
                };
                let Some(total) = total else {
                    return format!("{outcome}: evade {needed}");
                };
                let total = self.knows_total(event).then_some(total);
                format!("{outcome}: {}", self.reached(kind, &sum, total, needed))
            }
            Event::ConditionBegins { condition, .. } if self.is_ground(condition) => {
                format!("comes to {}", self.condition(condition))
            }
            Event::ConditionEnds { condition, .. } if self.is_ground(condition) => {
                format!("leaves {}", self.condition(condition))
            }
            Event::ConditionBegins {
                who,
                condition,
                rounds,
                until,
                by,
            } => format!(
                "is {}{}",
                self.condition(condition),
                self.length(who, by, rounds, until)
            ),
            Event::ConditionKept { full: true, .. } => {
                format!("no effect: already has {MOST_CONDITIONS} conditions")
            }
            Event::ConditionKept { condition, .. } => {
                format!("no effect: already {}", self.condition(condition))
            }
            Event::ConditionEnds {
                condition, left, ..
            } => {
                let name = self.condition(condition);
                match left {
                    0 => format!("is {name} no more"),
                    _ => format!("is {name} once less, {left} left"),
                }
            }
            Event::MostHealth { most, health, .. } => {
                format!("may have {most} health: {health} health")
            }
            Event::ConditionHurts { condition, .. } => {
                format!("suffers from being {}", self.condition(condition))
            }
            Event::Pushed {
                from, to, pulled, ..
            } => {
                let how = if pulled { "pulled" } else { "pushed" };
                format!("is {how} {from} -> {to}")
            }
            Event::KnockedDown { .. } => "is thrown to the ground".into(),
            Event::Disarmed {
                who,
                weapon,
                for_good,
            } => {
                let how = if for_good { "loses" } else { "is disarmed of" };
                format!("{how} {}", self.weapon(who, weapon))
            }
            Event::Draw { who, weapon } => format!("draws {}", self.weapon(who, weapon)),
            Event::PutAway {
                who,
                weapon,
                dropped,
            } => {
                let how = if dropped { "drops" } else { "sheathes" };
                format!("{how} {}", self.weapon(who, weapon))
            }
            Event::Stand { .. } => "stands up".into(),
            Event::Initiative {
                total, shared, sum, ..
            } => {
                let shared = if shared { ", shared" } else { "" };
                format!("initiative {}{shared}", self.rolled(&sum, total.into()))
            }
            Event::Pool { dice, sum, .. } => {
                format!("rolls {}", self.dice(&dice_word(dice.into()), &sum))
            }
            Event::Willpower { left, .. } => {
                format!("spends Willpower on a sure success: {left} left")
            }
            Event::Botch { .. } => self.fight.system.words.botches.into(),
            Event::Endurance {
                dice,
                net,
                botch,
                outcome,
                ..
            } => {
                let botch = if botch { "botch, " } else { "" };
                let (dice, outcome) = (dice_word(dice.into()), outcome.describe());
                format!("is beyond its endurance: {net} of {dice}, {botch}{outcome}")
            }
            Event::Climb {
                dice, net, yards, ..
            } => {
                let dice = dice_word(dice.into());
                format!("climbs: {net} of {dice}, {yards} yards this turn")
            }
            Event::Ready { who, weapon, left } => {
                format!("readies {}, turns to go: {left}", self.weapon(who, weapon))
            }
            Event::Ritual { who, spell, target } => {
                format!("begins {}", self.spell_at(who, spell, target))
            }
            Event::Hazard { hazard } => format!("{} strikes", self.fight.hazards[hazard].name),
            Event::Sleepers => "Sleepers come by, and watch in this turn".into(),
            Event::RitualWork { who, spell, left } => {
                let spell = self.spell(who, spell);
                format!("works {spell} without a roll, turns until the next: {left}")
            }
            Event::RitualRoll {
                who,
                spell,
                net,
                gathered,
                needed,
            } => {
                let spell = self.spell(who, spell);
                format!("works {spell}: {net}, {gathered} of {needed} gathered")
            }
            Event::Paradox { gained, total, .. } => format!("gathers {gained} Paradox: {total}"),
            Event::Backlash { left, .. } => format!("suffers a backlash of Paradox: {left} left"),
            Event::TurnLost { .. } => "loses this turn".into(),
            Event::TurnOver { actions: 0, .. } | Event::StageOver { .. } => "is done".into(),
            Event::TurnOver { actions, .. } => format!("is done, actions left: {actions}"),
            Event::Phase { phase } => format!("Phase {phase}"),
            Event::Moxie { left, .. } => format!("spends Moxie to go first, {left} left"),
            Event::Wound { wounds, total, .. } => {
                let wounds = match wounds {
                    1 => "a wound".to_owned(),
                    _ => format!("{wounds} wounds"),
                };
                let initiative = total.map(|total| format!(": initiative {total}"));
                format!("suffers {wounds}{}", initiative.unwrap_or_default())
            }
            Event::Overtaken { .. } => "falls behind in the order".into(),
            Event::ActionDelayed { .. } => "delays its action".into(),
            Event::DelayTaken { .. } => "takes its delayed action".into(),
            Event::Held { .. } => "holds its action".into(),
            Event::DelayLost { .. } => "loses its delayed action".into(),
            Event::Fray {
                total,
                needed,
                critical,
                defends,
                sum,
                ..
            } => {
                let critical = if critical { ", a critical" } else { "" };
                let outcome = if defends { "turns it aside" } else { "in vain" };
                let reached = self.reached(CheckKind::Percentile, &sum, Some(total), needed);
                format!("defends: {reached}{critical}, {outcome}")
            }
            Event::Works {
                who,
                task,
                done,
                needed,
            } => format!("works at {}: {done} of {needed}", self.task(who, task)),
            Event::Healed {
                healed,
                health,
                sum,
                ..
            }
            | Event::Heals {
                healed,
                health,
                sum,
                ..
            } => format!(
                "{} healed, {health} health",
                self.rolled(&sum, healed.into())
            ),
            Event::TaskWasted { who, task } => {
                format!("{} has no target: wasted", self.task(who, task))
            }
            Event::RollOff { face, .. } => format!("rolls off: {face}"),
            Event::Place { place, .. } => format!("stands at place {place}"),
            Event::Delays { .. } => "delays".into(),
            Event::ComesIn { after, .. } => format!("comes in after {}", self.name(after)),
            Event::DelayRunsOut { .. } => "has not come in: action lost".into(),
            Event::Readied { .. } => "waits for that".into(),
            Event::ReadiedLapses { .. } => "has waited in vain: readied action lost".into(),
            Event::Triggered {
                target, cancels, ..
            } => {
                let answer = if cancels { ", and cancels" } else { "" };
                format!("is triggered by {}{answer}", self.name(target))
            }
            Event::ReadiedLost { why, .. } => {
                format!("cannot: {}; readied action lost", why.describe())
            }
            Event::Interrupt { who, target } if who == target => "does what it readied".into(),
            Event::Interrupt { target, .. } => format!("interrupts {}", self.name(target)),
            Event::InterruptOver { .. } => "goes on".into(),
            Event::ActionKept { .. } => "cannot do that any more: action kept".into(),
            Event::Ongoing { .. } => "suffers on".into(),
            Event::OngoingBegins { amount, rounds, .. } => {
                format!("will take {amount} more for {}", self.rounds(rounds.into()))
            }
            Event::Regenerates {
                healed,
                health,
                sum,
                ..
            } => {
                let healed = self.rolled(&sum, healed.into());
                format!("regenerates {healed}, {health} health")
            }
            Event::Dice { dice, sum, .. } => {
                let dice = match dice {
                    ..1 => "a chance die".to_owned(),
                    _ => dice_word(dice),
                };
                format!("rolls {}", self.dice(&dice, &sum))
            }
            Event::Wait { marks, .. } => format!("waits {marks}"),
        }
    }
}
