//! Converts events into blocks and arrows, on every clock.
//!
//! A block begins at a decision and ends when the combatant is free again: at its next decision, pass or fall, or at
//! the end of the Round. So this module does not know the cost of any action. If ticks are columns, each action has its
//! own column, and simultaneous choices share one.

mod deeds;
mod lanes;
mod strikes;
mod time;

use super::labels::labels;
use super::model::{Arrow, Deed, Lane, Means, Measure, Outcome, Tick, Timeline};
use crate::fight::Fight;
use crate::fight::health::Diminished;
use crate::output::story::Story;
use crate::sim::events::{Event, Moment};

/// Builds the picture of an encounter as data.
pub fn build(story: &Story, fight: &Fight, measure: Measure) -> Timeline {
    let mut builder = Builder::new(fight, measure);
    for (index, told) in story.events.iter().enumerate() {
        builder.moment = told.moment;
        builder.hear(index, &told.event);
    }
    let mut timeline = builder.timeline;
    for block in &mut timeline.blocks {
        // Dice may have been added once for each of several events.
        block.events.sort_unstable();
        block.events.dedup();
        block.labels = labels(block, story, fight);
    }
    timeline
}

/// A decision whose action has not followed yet.
#[derive(Debug, Clone, Copy)]
struct Pending {
    event: usize,
    at: Tick,
    beat: u32,
}

/// The state of a combatant that the next event needs.
#[derive(Debug, Clone, Default)]
struct Actor {
    pending: Option<Pending>,
    /// The block that is in progress.
    open: Option<usize>,
    /// The end of its last block, and the earliest start of the next.
    free: Tick,
    /// The target of its volley.
    volley: Option<usize>,
    /// The target of its spell, while the spell is in progress.
    spell: Option<usize>,
    /// Whether its turn or stage has begun and is not over.
    in_turn: bool,
    /// The tick at which it was interrupted, if it is interrupted.
    paused: Option<Tick>,
}

/// A column, and the criteria for sharing it.
#[derive(Debug, Clone, Copy)]
struct Column {
    beat: Option<u32>,
    stage: u32,
    who: u64,
    /// Whether the column has only walks.
    walks: bool,
}

struct Builder {
    timeline: Timeline,
    /// For each combatant, the policy lines that are taken outside its turn.
    asides: Vec<Vec<usize>>,
    /// For each combatant, the policy lines that are taken regardless of its current action (W-8).
    anytimes: Vec<Vec<usize>>,
    /// The combatant that is about to act by such a line.
    at_any_time: Option<usize>,
    /// The combatant that is about to suffer from a condition.
    suffering: Option<usize>,
    moment: Moment,
    actors: Vec<Actor>,
    columns: Vec<Column>,
    /// Number of the beat. Consecutive decisions belong to one beat: they are made on the same state (W-5).
    beat: u32,
    in_beat: bool,
    /// Number of the stage. It increases whenever a turn or stage ends or is interrupted.
    stage: u32,
    /// The last attack or spell, as long as the events are its consequences.
    arrow: Option<usize>,
    /// Events of dice and Willpower that precede their attack or spell.
    leading: Vec<usize>,
}

impl Builder {
    fn new(fight: &Fight, measure: Measure) -> Self {
        let lanes = fight.combatants.iter().map(|one| Lane {
            health: vec![(0, one.health)],
            positions: vec![(0, one.position)],
            scores: Vec::new(),
            // Reserves enter by an event of their own (W-12).
            begins: one.enters.is_none().then_some(0),
            ended: None,
        });
        let asides = fight.combatants.iter().map(|one| {
            let lines = one.policy.holds.iter().chain(&one.policy.interrupts);
            lines.map(|line| usize::from(line.number)).collect()
        });
        let anytimes = fight.combatants.iter().map(|one| {
            let lines = one.policy.anytime.iter();
            lines.map(|line| usize::from(line.number)).collect()
        });
        Self {
            asides: asides.collect(),
            anytimes: anytimes.collect(),
            at_any_time: None,
            suffering: None,
            timeline: Timeline {
                measure,
                clock: fight.system.clock,
                rounds: Vec::new(),
                phases: Vec::new(),
                stages: Vec::new(),
                lanes: lanes.collect(),
                blocks: Vec::new(),
                arrows: Vec::new(),
                notes: Vec::new(),
                pauses: Vec::new(),
                end: 0,
            },
            moment: Moment::default(),
            actors: vec![Actor::default(); fight.combatants.len()],
            columns: Vec::new(),
            beat: 0,
            in_beat: false,
            stage: 0,
            arrow: None,
            leading: Vec::new(),
        }
    }

    fn hear(&mut self, index: usize, event: &Event) {
        let in_beat = std::mem::replace(&mut self.in_beat, false);
        match *event {
            Event::Rejected { .. } => self.in_beat = in_beat,
            // Such a line does not end the current action.
            Event::Decision { who, line } if self.anytimes[who].contains(&line) => {
                self.at_any_time = Some(who);
            }
            Event::Decision { who, line } => {
                self.beat += u32::from(!in_beat);
                self.in_beat = true;
                self.arrow = None;
                self.leading.clear();
                let (at, beat) = (self.next(), self.beat);
                let actor = &mut self.actors[who];
                actor.pending = Some(Pending {
                    event: index,
                    at,
                    beat,
                });
                actor.in_turn |= !self.asides[who].contains(&line);
            }
            Event::Round => self.round(),
            Event::Phase { phase } => self.phase(phase),
            Event::End { .. } => self.end(),
            Event::Pass { who, .. } | Event::StageOver { who } | Event::TurnOver { who, .. } => {
                self.over(who);
            }
            Event::Score { who, score, .. } => self.score(who, score, false),
            Event::Delay { who, score, .. } => {
                self.score(who, score, true);
                self.act(who, Deed::Ready, index);
            }

            Event::AttackAction { who, target, .. } => {
                self.actors[who].volley = Some(target);
                self.act(who, Deed::Attack, index);
            }
            Event::Attack {
                who,
                target,
                kind,
                hit,
                ..
            } => self.attack(who, target, kind, hit, index),
            Event::Forfeited { who, attacks } => {
                let block = self.act(who, Deed::Attack, index);
                let target = self.actors[who].volley;
                let ticks = &self.timeline.rounds.last();
                let at = ticks.map_or(0, |round| round.ticks.end.saturating_sub(1));
                let arrow = self.shoot(who, target, Means::Weapon, Outcome::Forfeited, Some(block));
                arrow.at = at;
                arrow.count = attacks;
                arrow.events.push(index);
            }
            Event::Lost { who } | Event::Unready { who, .. } => {
                let deed = match self.open(who).map(|block| block.kind) {
                    Some(Deed::Charge) => Deed::Charge,
                    _ => Deed::Attack,
                };
                let block = Some(self.act(who, deed, index));
                self.strike(who, None, Means::Weapon, Outcome::NoTarget, block, index);
            }
            Event::SpellCheck {
                who, target, hit, ..
            } => self.spell_check(who, target, hit, index),
            Event::Effect { who, target, .. } => {
                self.effect(who, Deed::Cast, Some(target), Outcome::Hit, index);
                self.actors[who].spell = None;
            }
            Event::Wasted { who, .. } => {
                self.effect(who, Deed::Cast, None, Outcome::NoTarget, index);
                self.actors[who].spell = None;
            }
            Event::TaskWasted { who, .. } => {
                self.effect(who, Deed::Work, None, Outcome::NoTarget, index);
            }
            Event::Fizzle { who, .. } => {
                self.follow(index);
                let target = self.actors[who].spell.take();
                let block = self.actors[who].open;
                self.join(who, index);
                let cause = self.arrow;
                self.strike(who, target, Means::Spell, Outcome::Fizzled, block, index);
                self.arrow = cause;
            }
            Event::Damage {
                who,
                target,
                amount,
                health,
                later,
                ..
            } => {
                self.damage(who, target, amount, index);
                if !later {
                    self.health(target, health);
                }
            }
            Event::DamageCounts { target, health, .. } => {
                let struck = |arrow: &Arrow| arrow.target == Some(target);
                self.arrow = self.timeline.arrows.iter().rposition(struck);
                self.follow(index);
                self.health(target, health);
            }
            Event::Fray { who, defends, .. } => {
                self.follow(index);
                if defends
                    && let Some(arrow) = self.arrow()
                    && arrow.target == Some(who)
                {
                    arrow.outcome = Outcome::TurnedAside;
                }
            }
            Event::Diminished { who, share, .. } => {
                self.follow(index);
                // There is an effect despite too few successes (MD-3).
                if share != Diminished::Nothing
                    && let Some(arrow) = self.arrow()
                    && arrow.who == who
                {
                    arrow.outcome = Outcome::Hit;
                }
            }
            Event::Fall { who } | Event::Leaves { who, .. } => self.end_lane(who, index),
            Event::Resists { who, .. }
            | Event::ConditionBegins { who, .. }
            | Event::ConditionKept { who, .. }
                if self.arrow.is_none() =>
            {
                self.note(who, index);
            }
            Event::Resists { .. }
            | Event::ConditionBegins { .. }
            | Event::ConditionKept { .. }
            | Event::CriticalHit { .. }
            | Event::LastUse { .. }
            | Event::Botch { .. }
            | Event::Backlash { .. }
            | Event::Wound { .. }
            | Event::Concentrates { .. }
            | Event::OngoingBegins { .. }
            | Event::KnockedDown { .. }
            | Event::Disarmed { .. } => self.follow(index),
            // The next events do not belong to an attack.
            Event::Hazard { .. } => self.arrow = None,
            Event::Pool { .. }
            | Event::Dice { .. }
            | Event::Willpower { .. }
            | Event::Paradox { .. } => self.leading.push(index),

            Event::Cast { who, target, .. }
            | Event::Channel { who, target, .. }
            | Event::Ritual { who, target, .. } => {
                self.act(who, Deed::Cast, index);
                self.actors[who].spell = Some(target);
            }
            Event::RitualWork { who, .. } | Event::RitualRoll { who, .. } => {
                self.act(who, Deed::Cast, index);
            }
            Event::ChannelBroken { who, .. } => {
                self.follow(index);
                self.actors[who].spell = None;
                self.note(who, index);
            }
            Event::CombatCast { who, .. } => {
                // The Combat Casting happens in the middle of the spell.
                self.at_any_time = None;
                let decided = self.actors[who].pending.take();
                if let Some(open) = self.actors[who].open {
                    let decided = decided.map(|pending| pending.event);
                    let events = &mut self.timeline.blocks[open].events;
                    events.extend(decided.into_iter().chain([index]));
                }
                self.note(who, index);
            }
            Event::Step {
                who,
                from,
                to,
                kind,
            } => self.step(who, from, to, kind, index),
            Event::StepSpent { who, .. } => {
                let kind = self.open(who).map(|block| block.kind);
                let rushes = matches!(kind, Some(Deed::Car | Deed::Charge))
                    && self.actors[who].pending.is_none();
                self.act(who, kind.filter(|_| rushes).unwrap_or(Deed::Move), index);
            }
            Event::Endurance { who, .. } | Event::Climb { who, .. } => {
                self.act(who, Deed::Move, index);
            }
            Event::Car { who, reaction, .. } => {
                let at_any_time = self.at_any_time.take() == Some(who);
                if reaction || at_any_time {
                    // The pending action is dropped.
                    self.actors[who].pending = None;
                    self.close(who, self.now());
                }
                self.act(who, Deed::Car, index);
            }
            Event::Charge { who, target } => {
                self.actors[who].volley = Some(target);
                self.act(who, Deed::Charge, index);
            }
            Event::Set { who, .. }
            | Event::Draw { who, .. }
            | Event::PutAway {
                who,
                dropped: false,
                ..
            }
            | Event::Ready { who, .. }
            | Event::ReadyRoll { who, .. }
            | Event::Stand { who } => {
                self.act(who, Deed::Prepare, index);
            }
            Event::Use { who, health, .. } => {
                if self.at_any_time.take() == Some(who) {
                    self.note(who, index);
                } else {
                    self.act(who, Deed::Use, index);
                }
                self.health(who, health);
            }
            Event::Enters { who } => {
                self.begin_lane(who);
                self.note(who, index);
            }
            Event::ConditionEnds { who, .. } | Event::UsesChange { who, .. } => {
                self.note(who, index);
            }
            Event::ConditionHurts { who, .. } => {
                self.act(who, Deed::Upkeep, index);
                self.suffering = Some(who);
            }
            Event::Healed { who, health, .. } | Event::MostHealth { who, health, .. } => {
                self.follow(index);
                self.health(who, health);
            }
            Event::UseOn { who, target, .. } => {
                if self.at_any_time.take() == Some(who) {
                    self.note(who, index);
                } else if who == target {
                    self.act(who, Deed::Use, index);
                } else {
                    self.effect(who, Deed::Use, Some(target), Outcome::Hit, index);
                }
            }
            Event::UseLost {
                who,
                used_up: false,
                ..
            } => {
                self.effect(who, Deed::Use, None, Outcome::NoTarget, index);
            }
            Event::UseCheck { works, .. } => {
                self.follow(index);
                if !works && let Some(arrow) = self.arrow() {
                    arrow.outcome = Outcome::Miss;
                }
            }
            Event::Pushed { who, to, .. } => {
                self.follow(index);
                let now = self.now();
                self.timeline.lanes[who].positions.push((now, to));
            }
            Event::Wait { who, .. } => {
                self.act(who, Deed::Wait, index);
            }
            Event::Works { who, .. } => {
                self.act(who, Deed::Work, index);
            }
            Event::Heals { who, health, .. } => {
                self.act(who, Deed::Work, index);
                self.health(who, health);
            }

            Event::Readied { who }
            | Event::Delays { who }
            | Event::ActionDelayed { who }
            | Event::Held { who } => {
                self.act(who, Deed::Ready, index);
            }
            Event::TurnLost { who }
            | Event::DelayRunsOut { who }
            | Event::ReadiedLost { who, .. } => {
                self.act(who, Deed::Lost, index);
            }
            Event::Ongoing { who } => {
                self.act(who, Deed::Upkeep, index);
            }
            Event::Regenerates { who, health, .. } => {
                self.act(who, Deed::Upkeep, index);
                self.health(who, health);
            }
            Event::Interrupt { target, .. } => {
                self.stage += 1;
                self.pause(target);
            }
            Event::InterruptOver { target, .. } => {
                self.stage += 1;
                self.resume(target);
            }
            Event::DelayTaken { who } => {
                self.stage += 1;
                self.actors[who].pending = None;
                for other in 0..self.actors.len() {
                    if other != who && self.actors[other].in_turn {
                        self.pause(other);
                    }
                }
            }
            Event::RoundSkipped { who, .. }
            | Event::Moxie { who, .. }
            | Event::Overtaken { who }
            | Event::DelayLost { who }
            | Event::ComesIn { who, .. }
            | Event::ReadiedLapses { who }
            | Event::Triggered { who, .. }
            | Event::ActionKept { who }
            | Event::UseLost { who, .. }
            | Event::DrawLost { who, .. } => {
                self.follow(index);
                self.note(who, index);
            }
            Event::Sleepers => {
                if let Some(round) = self.timeline.rounds.last_mut() {
                    round.watched = Some(index);
                }
            }
            // Dropping a weapon is part of the draw that follows.
            Event::Initiative { .. }
            | Event::RollOff { .. }
            | Event::Place { .. }
            | Event::PutAway { dropped: true, .. } => {}
        }
    }
}
