//! Rates, yards and endurance (MA-4 to MA-7).

use super::super::stage::Stage;
use super::Encounter;
use super::rules::Exhaustion;
use super::state::{Flags, Stride};
use crate::chance::{Chance, Purpose};
use crate::dice::PoolDraw;
use crate::engine::events::MoveKind;
use crate::engine::memo::{Feat, Fork, thrown};
use crate::engine::{Event, Observer};
use crate::fight::{TurnTraits, Units};
use crate::policy::Mode;

/// Yards a turn at a run (MA-4).
pub(super) const fn running(traits: &TurnTraits) -> Units {
    20 + 3 * traits.dexterity
}

/// Feet in a yard.
const FEET: i64 = 3;

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// Yards a turn in a mode, by the chart (MA-4).
    fn charted(&self, who: usize, mode: Mode) -> Units {
        let profile = &self.plan.profiles[who];
        let traits = &profile.traits;
        match mode {
            Mode::Walk => 7,
            Mode::Jog => 12 + traits.dexterity,
            Mode::Run => profile.run,
            Mode::Swim if traits.swims => 12 + traits.dexterity,
            Mode::Swim => 8 + traits.dexterity,
            Mode::Fly => traits.fly.unwrap_or(0),
            Mode::Climb => self.actor(who).climbs,
        }
    }

    /// A rate as it is this turn: half for the Injured (MA-7), half for the exhausted (MA-6).
    #[inline]
    fn in_this_state(&self, who: usize, rate: Units) -> Units {
        let mut rate = rate;
        if self.slow(who) {
            rate /= 2;
        }
        if self.actor(who).flags.any(Flags::EXHAUSTED) {
            rate = match self.plan.rules.exhaustion {
                Exhaustion::Half => rate / 2,
                Exhaustion::Stop => 0,
                Exhaustion::Nothing => rate,
            };
        }
        rate
    }

    /// Whether wounds halve every rate (MA-7).
    #[inline]
    pub(super) fn slow(&self, who: usize) -> bool {
        let body = &self.world().bodies[who];
        self.plan.fight.combatants[who].track.slows(body.health)
    }

    /// Yards that this turn allows in a mode.
    #[inline]
    pub(super) fn rate(&self, who: usize, mode: Mode) -> Units {
        self.in_this_state(who, self.charted(who, mode))
    }

    /// Yards that cost an acting character nothing: half of the running speed (MA-5).
    #[inline]
    pub(super) fn free_half(&self, who: usize) -> Units {
        self.in_this_state(who, self.plan.profiles[who].run) / 2
    }

    /// Dice that this turn's yards take off a pool (MA-5).
    #[inline]
    pub(super) fn dice_lost(&self, who: usize) -> i64 {
        let yards = self.actor(who).yards;
        if yards == 0 {
            return 0;
        }
        let beyond = (yards - self.free_half(who)).max(0);
        if beyond > 0 && self.plan.rules.every_yard_costs {
            yards.into()
        } else {
            beyond.into()
        }
    }

    /// Yards left in a mode: of its rate, and after an action of the free half (MA-5).
    #[inline]
    pub(super) fn yards_left(&self, who: usize, mode: Mode) -> Units {
        let actor = self.actor(who);
        let mut most = self.rate(who, mode);
        if actor.flags.any(Flags::ACTED) {
            most = most.min(self.free_half(who));
        }
        most - actor.yards
    }

    /// Turns at full speed that are left before one must roll (MA-6).
    #[inline]
    pub(super) fn endurance_left(&self, who: usize) -> i32 {
        (self.plan.profiles[who].endurance - self.actor(who).spent).max(0)
    }

    /// Begins a move. Beyond one's endurance that takes a roll, once a turn (MA-6); climbing takes
    /// another, and an action (MA-4).
    pub(super) fn begin_move(&mut self, who: usize, mode: Mode, stride: Stride) {
        if self.endurance_left(who) == 0 && !self.actor(who).flags.any(Flags::PUSHED) {
            self.push(who);
            let flags = self.actor(who).flags;
            if flags.any(Flags::COLLAPSED)
                || (flags.any(Flags::EXHAUSTED) && self.plan.rules.exhaustion == Exhaustion::Stop)
            {
                return;
            }
        }
        if mode == Mode::Climb && self.actor(who).mode.is_none() {
            self.climb(who);
        }
        let actor = self.actor_mut(who);
        actor.mode = Some(mode);
        if self.yards_left(who, mode) > 0 {
            self.actor_mut(who).moving = Some(stride);
        }
    }

    /// The roll to go on beyond one's endurance.
    fn push(&mut self, who: usize) {
        self.record.combatants[who].endurance_rolls += 1;
        let plan = self.plan;
        let pool = &plan.profiles[who].traits.endurance;
        let drawn = {
            let (chance, observer) = self.luck();
            pool.throw(pool.count, who, Purpose::Other, chance, |chance| {
                super::super::stage::Hand::new(chance, observer, who, Purpose::Other)
            })
        };
        self.tell_throw(who, Feat::Endure, pool.count, drawn);
        self.record.combatants[who].collapsed += u32::from(drawn.botch);
        let actor = self.actor_mut(who);
        actor.flags.add(Flags::PUSHED);
        if drawn.botch {
            actor.flags.add(Flags::COLLAPSED);
        } else if drawn.net < 1 {
            actor.flags.add(Flags::EXHAUSTED);
        }
        self.note(Event::Endurance {
            who,
            dice: pool.count,
            net: drawn.net,
            botch: drawn.botch,
        });
    }

    /// Tells whoever maps the encounter what a feat came to.
    fn tell_throw(&mut self, who: usize, feat: Feat, dice: u32, drawn: PoolDraw) {
        let fork = Fork::Throw {
            who: who as u8,
            feat,
            dice: dice as u16,
        };
        self.fork(fork, thrown(drawn));
    }

    /// The roll that says how far one climbs this turn.
    fn climb(&mut self, who: usize) {
        let plan = self.plan;
        let Some(pool) = &plan.profiles[who].traits.climb else {
            return;
        };
        self.actor_mut(who).actions -= 1;
        let successes = {
            let (chance, observer) = self.luck();
            pool.successes(0, who, Purpose::Check, chance, |chance| {
                super::super::stage::Hand::new(chance, observer, who, Purpose::Check)
            })
        };
        let drawn = PoolDraw {
            net: successes,
            botch: false,
        };
        self.tell_throw(who, Feat::Climb, pool.count, drawn);
        let yards = (successes * plan.rules.climb_feet / FEET) as Units;
        self.actor_mut(who).climbs = yards;
        self.note(Event::Climb {
            who,
            dice: pool.count,
            net: successes,
            yards: self.rate(who, Mode::Climb),
        });
    }

    /// Where the next yard of the move under way leads, if there is one to make.
    pub(super) fn next_yard(&mut self, who: usize) -> Option<Units> {
        let mut stride = self.actor(who).moving?;
        let mode = self.actor(who).mode?;
        if self.yards_left(who, mode) < 1 {
            return None;
        }
        if !self.world().stands(usize::from(stride.target)) {
            let plan = self.plan;
            let line = &plan.fight.combatants[who].policy.decisions[usize::from(stride.line)];
            stride.target = self.select(who, line.aim, 0, Units::MAX)? as u8;
            self.actor_mut(who).moving = Some(stride);
        }
        let target = usize::from(stride.target);
        if !self.wants_step(who, target, stride.advance, stride.stop) {
            None
        } else if stride.advance {
            Some(self.advance_step(who, target))
        } else {
            self.retreat_step(who, target)
        }
    }

    /// All but the last of the yards that are due, in one go: nobody can come between, and nobody
    /// wants to see each. The last one ends the move as any other would.
    pub(super) fn walk_at_once(&mut self, who: usize) {
        let Some(first) = self.next_yard(who) else {
            return;
        };
        let (Some(stride), Some(mode)) = (self.actor(who).moving, self.actor(who).mode) else {
            return;
        };
        let here = self.world().bodies[who].position;
        let way = first - here;
        let distance = self.world().distance(who, usize::from(stride.target));
        let room = if stride.advance {
            distance - stride.stop
        } else {
            let wall = match self.plan.fight.arena {
                Some(arena) if way > 0 => arena.max - here,
                Some(arena) => here - arena.min,
                None => Units::MAX,
            };
            wall.min(stride.stop - distance)
        };
        let yards = room
            .min(Units::from(stride.left))
            .min(self.yards_left(who, mode))
            - 1;
        if yards < 1 {
            return;
        }
        self.state.world.bodies[who].position += way * yards;
        self.record.combatants[who].units_moved += yards as u32;
        let actor = self.actor_mut(who);
        actor.yards += yards;
        actor.moving = Some(Stride {
            left: stride.left - yards as u16,
            ..stride
        });
    }

    /// Makes the yard that is due, or spends it on the spot, then goes on with the move or ends it.
    pub(super) fn step(&mut self, who: usize, to: Option<Units>) {
        let Some(stride) = self.actor(who).moving else {
            return;
        };
        self.actor_mut(who).yards += 1;
        if let Some(to) = to {
            let from = self.world().bodies[who].position;
            self.state.world.bodies[who].position = to;
            self.record.combatants[who].units_moved += 1;
            let kind = if stride.advance {
                MoveKind::Advance
            } else {
                MoveKind::Retreat
            };
            self.note(Event::Step {
                who,
                from,
                to,
                kind,
            });
        } else {
            self.note(Event::StepSpent { who });
        }
        let left = stride.left - 1;
        self.actor_mut(who).moving = Some(Stride { left, ..stride });
        if to.is_none() || left == 0 || self.next_yard(who).is_none() {
            self.actor_mut(who).moving = None;
        }
    }

    /// What this turn's yards cost one's endurance (MA-6): 1 for more than half of the mode's rate,
    /// 2 if they were swum, strenuous or made under fire.
    pub(super) fn tire(&mut self, who: usize) {
        let actor = *self.actor(who);
        let Some(mode) = actor.mode else { return };
        if 2 * actor.yards <= self.rate(who, mode) {
            return;
        }
        let hard =
            mode == Mode::Swim || self.plan.rules.strenuous || actor.flags.any(Flags::UNDER_FIRE);
        self.actor_mut(who).spent += if hard { 2 } else { 1 };
    }
}
