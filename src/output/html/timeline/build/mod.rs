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
use super::model::{Arrow, Lane, Means, Measure, Outcome, Tick, Timeline};
use crate::fight::Fight;
use crate::fight::health::Diminished;
use crate::fight::program::{Line, Window};
use crate::output::story::Story;
use crate::sim::events::ActionKind;
use crate::sim::events::{Event, Moment};

/// Builds the picture of an encounter as data.
pub fn build(story: &Story, fight: &Fight, measure: Measure) -> Timeline {
    let mut builder = Builder::new(fight, measure);
    for (index, entry) in story.events.iter().enumerate() {
        builder.moment = entry.moment;
        builder.hear(index, &entry.event);
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
struct ActorState {
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

/// A column of time, and the criteria for sharing it.
#[derive(Debug, Clone, Copy)]
struct TimeColumn {
    beat: Option<u32>,
    stage: u32,
    who: u64,
    /// Whether the column has only walks.
    walks: bool,
}

struct Builder<'a> {
    timeline: Timeline,
    fight: &'a Fight,
    /// The combatant that is about to act by a policy line that is taken regardless of its current action (W-8).
    at_any_time: Option<usize>,
    /// The combatant that is about to suffer from a condition.
    suffering: Option<usize>,
    moment: Moment,
    actors: Vec<ActorState>,
    columns: Vec<TimeColumn>,
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

impl<'a> Builder<'a> {
    fn new(fight: &'a Fight, measure: Measure) -> Self {
        let lanes = fight.combatants.iter().map(|combatant| Lane {
            health: vec![(0, combatant.health)],
            positions: vec![(0, combatant.position)],
            scores: Vec::new(),
            // Reserves enter by an event of their own (W-12).
            begins: combatant.enters.is_none().then_some(0),
            ended: None,
        });
        Self {
            fight,
            at_any_time: None,
            suffering: None,
            timeline: Timeline {
                measure,
                lanes: lanes.collect(),
                ..Timeline::default()
            },
            moment: Moment::default(),
            actors: vec![ActorState::default(); fight.combatants.len()],
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
            Event::Decision { who, line }
                if has_line(self.fight.combatants[who].policy.at(Window::Anytime), line) =>
            {
                self.at_any_time = Some(who);
            }
            Event::Decision { who, line } => {
                self.beat += u32::from(!in_beat);
                self.in_beat = true;
                self.arrow = None;
                self.leading.clear();
                let policy = &self.fight.combatants[who].policy;
                let aside = [Window::PhaseEnds, Window::Delayed];
                let is_aside = aside
                    .iter()
                    .any(|window| has_line(policy.at(*window), line));
                let (at, beat) = (self.next(), self.beat);
                let actor = &mut self.actors[who];
                actor.pending = Some(Pending {
                    event: index,
                    at,
                    beat,
                });
                actor.in_turn |= !is_aside;
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
                self.act(who, ActionKind::Ready, index);
            }

            Event::AttackAction { who, target, .. } => {
                self.actors[who].volley = Some(target);
                self.act(who, ActionKind::Attack, index);
            }
            Event::Attack {
                who,
                target,
                kind,
                hit,
                ..
            } => self.attack(who, target, kind, hit, index),
            Event::Forfeited { who, attacks } => {
                self.act(who, ActionKind::Attack, index);
                let ActorState { volley, open, .. } = self.actors[who];
                let last = self.timeline.rounds.last();
                let at = last.map_or(0, |round| round.ticks.end.saturating_sub(1));
                let (means, outcome) = (Means::Weapon, Outcome::Forfeited);
                self.strike(who, volley, means, outcome, open, index);
                if let Some(arrow) = self.arrow() {
                    arrow.at = at;
                    arrow.count = attacks;
                }
            }
            Event::Lost { who } | Event::Unready { who, .. } => {
                let deed = match self.open(who).map(|block| block.kind) {
                    Some(ActionKind::Charge) => ActionKind::Charge,
                    _ => ActionKind::Attack,
                };
                self.effect(who, deed, None, Outcome::NoTarget, index);
            }
            Event::SpellCheck {
                who, target, hit, ..
            } => self.spell_check(who, target, hit, index),
            Event::Effect { who, target, .. } => {
                self.effect(who, ActionKind::Cast, Some(target), Outcome::Hit, index);
                self.actors[who].spell = None;
            }
            Event::Wasted { who, .. } => {
                self.effect(who, ActionKind::Cast, None, Outcome::NoTarget, index);
                self.actors[who].spell = None;
            }
            Event::TaskWasted { who, .. } => {
                self.effect(who, ActionKind::Work, None, Outcome::NoTarget, index);
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
                ..
            } => self.damage(who, target, amount, index),
            Event::DamageCounts { target, .. } => {
                let struck = |arrow: &Arrow| arrow.target == Some(target);
                self.arrow = self.timeline.arrows.iter().rposition(struck);
                self.follow(index);
            }
            Event::Fray { who, defends, .. } => {
                self.follow(index);
                if defends {
                    self.correct(Outcome::TurnedAside, |arrow| arrow.target == Some(who));
                }
            }
            Event::Diminished { who, share, .. } => {
                self.follow(index);
                // There is an effect despite too few successes (MD-3).
                if share != Diminished::Nothing {
                    self.correct(Outcome::Hit, |arrow| arrow.who == who);
                }
            }
            Event::Fall { who } | Event::Leaves { who, .. } | Event::GoesDown { who } => {
                self.end_lane(who, index);
            }
            Event::StandsAgain { who } => {
                self.follow(index);
                self.timeline.lanes[who].ended = None;
            }
            Event::ConditionBegins { who, condition, .. } => {
                self.follow(index);
                self.condition(who, condition, false, index);
            }
            Event::Resists { who, .. } | Event::ConditionKept { who, .. }
                if self.arrow.is_none() =>
            {
                self.note(who, index);
            }
            Event::Resists { .. }
            | Event::ConditionKept { .. }
            | Event::CriticalHit { .. }
            | Event::LastUse { .. }
            | Event::Botch { .. }
            | Event::Backlash { .. }
            | Event::Wound { .. }
            | Event::Concentrates { .. }
            | Event::OngoingBegins { .. }
            | Event::KnockedDown { .. }
            | Event::Disarmed { .. }
            | Event::Healed { .. }
            | Event::TemporaryHealth { .. }
            | Event::MostHealth { .. } => self.follow(index),
            // The next events do not belong to an attack.
            Event::Hazard { .. } => self.arrow = None,
            Event::Pool { .. }
            | Event::Dice { .. }
            | Event::Willpower { .. }
            | Event::Paradox { .. } => self.leading.push(index),

            Event::Cast { who, target, .. }
            | Event::Channel { who, target, .. }
            | Event::Ritual { who, target, .. } => {
                self.act(who, ActionKind::Cast, index);
                self.actors[who].spell = Some(target);
            }
            Event::RitualWork { who, .. } | Event::RitualRoll { who, .. } => {
                self.act(who, ActionKind::Cast, index);
            }
            Event::ChannelBroken { who, .. } => {
                self.follow(index);
                self.actors[who].spell = None;
                self.note(who, index);
            }
            Event::CombatCast { who, .. } => {
                // The Combat Casting happens in the middle of the spell.
                self.at_any_time = None;
                if let Some(pending) = self.actors[who].pending.take() {
                    self.join(who, pending.event);
                }
                self.join(who, index);
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
                let rushes = matches!(kind, Some(ActionKind::Car | ActionKind::Charge))
                    && self.actors[who].pending.is_none();
                self.act(
                    who,
                    kind.filter(|_| rushes).unwrap_or(ActionKind::Move),
                    index,
                );
            }
            Event::Endurance { who, .. } | Event::Climb { who, .. } => {
                self.act(who, ActionKind::Move, index);
            }
            Event::Car { who, reaction, .. } => {
                if self.is_at_any_time(who) || reaction {
                    // The pending action is dropped.
                    self.actors[who].pending = None;
                    self.close(who, self.now());
                }
                self.act(who, ActionKind::Car, index);
            }
            Event::Charge { who, target } => {
                self.actors[who].volley = Some(target);
                self.act(who, ActionKind::Charge, index);
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
            | Event::Stand { who } => self.act(who, ActionKind::Prepare, index),
            Event::Use { who, .. } | Event::UseOn { who, .. } if self.is_at_any_time(who) => {
                self.note(who, index);
            }
            Event::Use { who, .. } => self.act(who, ActionKind::Use, index),
            Event::Enters { who } => {
                self.begin_lane(who);
                self.note(who, index);
            }
            Event::ConditionEnds {
                who,
                condition,
                left,
            } => self.condition(who, condition, left == 0, index),
            Event::TraitChanges { who, .. }
            | Event::UsesChange { who, .. }
            | Event::Save { who, .. }
            | Event::LostForGood { who } => {
                self.note(who, index);
            }
            Event::ConditionHurts { who, .. } => {
                self.act(who, ActionKind::Upkeep, index);
                self.suffering = Some(who);
            }
            Event::UseOn { who, target, .. } if who == target => {
                self.act(who, ActionKind::Use, index);
            }
            Event::UseOn { who, target, .. } => {
                self.effect(who, ActionKind::Use, Some(target), Outcome::Hit, index);
            }
            Event::UseLost {
                who,
                used_up: false,
                ..
            } => {
                self.effect(who, ActionKind::Use, None, Outcome::NoTarget, index);
            }
            Event::UseCheck { works, .. } => {
                self.follow(index);
                if !works {
                    self.correct(Outcome::Miss, |_| true);
                }
            }
            Event::Pushed { who, to, .. } => {
                self.follow(index);
                let now = self.now();
                self.timeline.lanes[who].positions.push((now, to));
            }
            Event::Wait { who, .. } => self.act(who, ActionKind::Wait, index),
            Event::Works { who, .. } | Event::Heals { who, .. } => {
                self.act(who, ActionKind::Work, index);
            }

            Event::Readied { who }
            | Event::Delays { who }
            | Event::ActionDelayed { who }
            | Event::Held { who } => self.act(who, ActionKind::Ready, index),
            Event::TurnLost { who }
            | Event::DelayRunsOut { who }
            | Event::ReadiedLost { who, .. } => self.act(who, ActionKind::Lost, index),
            Event::Ongoing { who } | Event::Regenerates { who, .. } => {
                self.act(who, ActionKind::Upkeep, index);
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
        if let Some((who, health)) = health_after(event) {
            self.health(who, health);
        }
    }

    /// Whether this combatant now acts by a line that does not end its current action.
    fn is_at_any_time(&mut self, who: usize) -> bool {
        self.at_any_time.take_if(|other| *other == who).is_some()
    }
}

/// Whether a policy line is among these, which are taken outside of their combatant's turn or action.
fn has_line(lines: &[Line], line: usize) -> bool {
    lines.iter().any(|other| usize::from(other.number) == line)
}

/// Returns the combatant whose health an event changes, and its health afterwards.
fn health_after(event: &Event) -> Option<(usize, i32)> {
    match *event {
        Event::Use { who, health, .. }
        | Event::Healed { who, health, .. }
        | Event::MostHealth { who, health, .. }
        | Event::Heals { who, health, .. }
        | Event::Regenerates { who, health, .. } => Some((who, health)),
        Event::DamageCounts { target, health, .. }
        | Event::Damage {
            target,
            health,
            later: false,
            ..
        } => Some((target, health)),
        _ => None,
    }
}
