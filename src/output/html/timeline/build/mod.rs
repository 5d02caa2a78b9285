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
use super::model::{Arrow, Lane, Measure, Outcome, Tick, Timeline};
use crate::fight::Fight;
use crate::fight::health::Diminished;
use crate::fight::program::{Line, Window};
use crate::output::story::Story;
use crate::sim::events::{ActionKind, Class, Event, Field, Moment};

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
        let (who, target) = (event.index("who").unwrap_or(0), event.index("target"));
        match self.class(event) {
            Class::Begins(kind) => {
                let ActorState { volley, spell, .. } = &mut self.actors[who];
                match kind {
                    ActionKind::Attack | ActionKind::Charge => *volley = target.or(*volley),
                    ActionKind::Cast => *spell = target.or(*spell),
                    _ => {}
                }
                self.act(who, kind, index);
            }
            Class::Results(kind) => {
                let outcome = match event.field("hit") {
                    _ if target.is_none() => Outcome::NoTarget,
                    Field::Flag(false) => Outcome::Miss,
                    _ => Outcome::Hit,
                };
                self.effect(who, kind, target, outcome, index);
            }
            Class::Leads => self.leading.push(index),
            Class::Answers if self.arrow.is_none() => self.note(who, index),
            Class::Follows | Class::Answers => self.follow(index),
            Class::Happens => {
                self.follow(index);
                self.note(who, index);
            }
            Class::Changes => self.note(who, index),
            Class::Ends => self.over(who),
            Class::Order => {}
        }
        match *event {
            Event::Rejected { .. } => self.in_beat = in_beat,
            Event::Decision { line, .. } => self.decision(who, line, in_beat, index),
            Event::Round => self.round(),
            Event::Phase { phase } => self.phase(phase),
            Event::End { .. } => self.end(),
            Event::Score { score, .. } => self.score(who, score, false),
            Event::Delay { score, .. } => self.score(who, score, true),
            Event::Forfeited { attacks, .. } => self.forfeited(who, attacks, index),
            Event::Effect { .. } | Event::Wasted { .. } | Event::ChannelBroken { .. } => {
                self.actors[who].spell = None;
            }
            Event::Fizzle { .. } => {
                let target = self.actors[who].spell.take();
                self.join(who, index);
                let cause = self.arrow;
                let (spell, fizzled) = (ActionKind::Cast, Outcome::Fizzled);
                self.strike(who, spell, target, fizzled, index);
                self.arrow = cause;
            }
            Event::Damage { target, amount, .. } => self.damage(who, target, amount, index),
            Event::DamageCounts { target, .. } => {
                let struck = |arrow: &Arrow| arrow.target == Some(target);
                self.arrow = self.timeline.arrows.iter().rposition(struck);
                self.follow(index);
            }
            Event::Fray { defends: true, .. } => {
                self.correct(Outcome::TurnedAside, |arrow| arrow.target == Some(who));
            }
            // There is an effect despite too few successes (MD-3).
            Event::Diminished { share, .. } if share != Diminished::Nothing => {
                self.correct(Outcome::Hit, |arrow| arrow.who == who);
            }
            Event::UseCheck { works: false, .. } => self.correct(Outcome::Miss, |_| true),
            Event::Fall { .. } | Event::Leaves { .. } | Event::GoesDown { .. } => {
                self.end_lane(who, index);
            }
            Event::StandsAgain { .. } => self.timeline.lanes[who].ended = None,
            Event::Enters { .. } => self.begin_lane(who),
            Event::ConditionBegins { condition, .. } | Event::ConditionEnds { condition, .. } => {
                let is_over = event.number("left") == Some(0);
                self.condition(who, condition, is_over, index);
            }
            Event::ConditionHurts { .. } => self.suffering = Some(who),
            // The next events do not belong to an attack.
            Event::Hazard { .. } => self.arrow = None,
            Event::CombatCast { .. } => {
                // The Combat Casting happens in the middle of the spell.
                self.at_any_time = None;
                if let Some(pending) = self.actors[who].pending.take() {
                    self.join(who, pending.event);
                }
                self.join(who, index);
            }
            Event::Step { from, to, kind, .. } => self.step(who, [from, to], kind, index),
            Event::Pushed { to, .. } => {
                let now = self.now();
                self.timeline.lanes[who].positions.push((now, to));
            }
            Event::Interrupt { target, .. } => {
                self.stage += 1;
                self.pause(target);
            }
            Event::InterruptOver { target, .. } => {
                self.stage += 1;
                self.resume(target);
            }
            Event::DelayTaken { .. } => {
                self.stage += 1;
                self.actors[who].pending = None;
                for other in 0..self.actors.len() {
                    if other != who && self.actors[other].in_turn {
                        self.pause(other);
                    }
                }
            }
            Event::Sleepers => {
                if let Some(round) = self.timeline.rounds.last_mut() {
                    round.watched = Some(index);
                }
            }
            _ => {}
        }
        let is_later = matches!(event, Event::Damage { later: true, .. });
        if let (Some(whose), Some(health)) = (event.subject(), event.number("health"))
            && !is_later
        {
            self.health(whose, health as i32);
        }
    }

    /// Returns what an event is to the action that its combatant has begun.
    fn class(&mut self, event: &Event) -> Class {
        match *event {
            Event::Use { who, .. } | Event::UseOn { who, .. } if self.is_at_any_time(who) => {
                return Class::Changes;
            }
            Event::Lost { who } | Event::Unready { who, .. }
                if self.open_kind(who) == Some(ActionKind::Charge) =>
            {
                return Class::Results(ActionKind::Charge);
            }
            Event::StepSpent { who, .. } if self.actors[who].pending.is_none() => {
                if let Some(rush @ (ActionKind::Car | ActionKind::Charge)) = self.open_kind(who) {
                    return Class::Begins(rush);
                }
            }
            Event::Car { who, reaction, .. } if self.is_at_any_time(who) || reaction => {
                // The pending action is dropped.
                self.actors[who].pending = None;
                self.close(who, self.now());
            }
            _ => {}
        }
        event.class()
    }

    fn decision(&mut self, who: usize, line: usize, in_beat: bool, event: usize) {
        let policy = &self.fight.combatants[who].policy;
        // Such a line does not end the current action.
        let aside = [Window::Anytime, Window::AfterRoll].into_iter();
        if aside
            .map(|at| policy.at(at))
            .any(|lines| has_line(lines, line))
        {
            self.at_any_time = Some(who);
            return;
        }
        self.beat += u32::from(!in_beat);
        self.in_beat = true;
        self.arrow = None;
        self.leading.clear();
        let aside = [Window::PhaseEnds, Window::Delayed].into_iter();
        let is_aside = aside
            .map(|window| policy.at(window))
            .any(|lines| has_line(lines, line));
        let (at, beat) = (self.next(), self.beat);
        let actor = &mut self.actors[who];
        actor.pending = Some(Pending { event, at, beat });
        actor.in_turn |= !is_aside;
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
