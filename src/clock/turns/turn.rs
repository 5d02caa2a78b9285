//! One combatant's turn, alone or simultaneous with others (W-5).

use super::super::stage::Stage;
use super::Encounter;
use super::choose::Choice;
use super::legal::What;
use super::state::Flags;
use crate::chance::Chance;
use crate::engine::{Event, Observer};
use crate::fight::Units;
use crate::fight::world::members;

/// What one of several tied combatants does in one beat.
#[derive(Clone, Copy)]
enum Part {
    Step,
    Choice(Choice),
    Pass,
}

/// What one of several tied combatants does in one beat, and where its step led.
#[derive(Clone, Copy)]
struct Beat {
    who: usize,
    part: Part,
    here: Units,
    there: Units,
}

/// More than anybody does in a turn: yards, actions and a pass (W-7).
const MOST_BEATS: usize = 1000;

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// The turn of one whom nobody is tied with.
    pub(super) fn alone(&mut self, who: usize) {
        self.loses_turn(who);
        while !self.actor(who).flags.any(Flags::DONE) {
            if self.actor(who).moving.is_some() {
                self.walk(who);
                continue;
            }
            match self.choose(who) {
                None => self.pass(who),
                Some(choice) => {
                    self.begin(who, choice);
                    if self.decided().is_some() {
                        break;
                    }
                    // Nothing is left to be asked, and nobody hears that it is not.
                    if !O::LISTENS && self.plan.only_acts[who] && self.actor(who).actions == 0 {
                        break;
                    }
                }
            }
        }
        self.end_turn(who);
    }

    /// All that is left of a move, for nobody can come between.
    fn walk(&mut self, who: usize) {
        if !O::LISTENS {
            self.walk_at_once(who);
        }
        while self.actor(who).moving.is_some() {
            let unit = self.next_yard(who);
            self.step(who, unit);
        }
    }

    /// W-5, beat by beat. In each beat everybody chooses on the same state; then all act but those
    /// who move; then these make one yard each, in file order. Damage that they do to one another
    /// counts when all are done.
    pub(super) fn together(&mut self, group: u64) {
        self.state.put_off.together = group;
        for who in members(group) {
            self.loses_turn(who);
        }
        let mut beats: [Option<Beat>; 64] = [None; 64];
        for _ in 0..MOST_BEATS {
            let mut count = 0;
            for who in members(group & self.state.world.standing) {
                if self.actor(who).flags.any(Flags::DONE) {
                    continue;
                }
                let part = if self.actor(who).moving.is_some() {
                    Part::Step
                } else {
                    self.choose(who).map_or(Part::Pass, Part::Choice)
                };
                let here = self.world().bodies[who].position;
                beats[count] = Some(Beat {
                    who,
                    part,
                    here,
                    there: here,
                });
                count += 1;
            }
            if count == 0 {
                break;
            }
            for beat in beats[..count].iter().flatten() {
                if !self.world().stands(beat.who) {
                    continue;
                }
                match beat.part {
                    Part::Choice(choice) if !matches!(choice.what, What::Move { .. }) => {
                        self.begin(beat.who, choice);
                    }
                    Part::Pass => self.pass(beat.who),
                    Part::Choice(_) | Part::Step => {}
                }
            }
            if self.decided().is_some() {
                break;
            }
            self.steps(&mut beats[..count]);
        }
        self.settle();
        for who in members(group) {
            self.end_turn(who);
        }
    }

    /// The yards of one beat, in file order. Of two that would cross one is made, and the other is
    /// spent on the spot.
    fn steps(&mut self, beats: &mut [Option<Beat>]) {
        for index in 0..beats.len() {
            let Some(beat) = beats[index] else { continue };
            let who = beat.who;
            match beat.part {
                Part::Choice(choice) if matches!(choice.what, What::Move { .. }) => {
                    self.begin(who, choice);
                }
                Part::Step => {}
                _ => continue,
            }
            // A roll may have gone against it.
            if self.actor(who).moving.is_none() || !self.world().stands(who) {
                continue;
            }
            let here = self.world().bodies[who].position;
            let crosses = |to: &Units| {
                beats[..index].iter().flatten().any(|other| {
                    other.here == *to && other.there == here && other.there != other.here
                })
            };
            let unit = self.next_yard(who).filter(|to| !crosses(to));
            self.step(who, unit);
            beats[index] = Some(Beat {
                there: unit.unwrap_or(here),
                here,
                ..beat
            });
        }
    }

    /// A turn that is lost before it begins (MD-6).
    fn loses_turn(&mut self, who: usize) {
        if !self.actor(who).flags.any(Flags::STUNNED) {
            return;
        }
        let actor = self.actor_mut(who);
        actor.flags.drop(Flags::STUNNED);
        actor.flags.add(Flags::DONE);
        actor.actions = 0;
        self.note(Event::TurnLost { who });
    }

    pub(super) fn pass(&mut self, who: usize) {
        let actor = self.actor_mut(who);
        actor.flags.add(Flags::DONE);
        let actions = usize::from(actor.actions);
        self.note(Event::TurnOver { who, actions });
    }

    /// What the turn has cost (MA-6).
    fn end_turn(&mut self, who: usize) {
        let actor = self.actor(who);
        let moved = actor.yards > 0;
        let busy = moved || actor.mode.is_some() || actor.flags.any(Flags::ACTED);
        self.record.combatants[who].turns += u32::from(busy);
        if moved {
            self.tire(who);
        }
        self.actor_mut(who).flags.drop(Flags::UNDER_FIRE);
    }
}
