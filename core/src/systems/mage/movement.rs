//! Rates, yards and endurance (MA-4 to MA-7).

use super::choose::View;
use super::rules::{Collapse, Exhaustion, PerYard};
use super::{Encounter, flags};
use crate::dice::PoolDraw;
use crate::fight::program::{Mode, Move};
use crate::sim::events::Effort;
use crate::sim::prelude::*;

/// Feet in a yard.
const FEET: i64 = 3;

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Returns the yards a turn in a mode, by the chart (MA-4).
    fn charted(&self, who: usize, mode: Mode) -> Units {
        let profile = &self.plan.profiles[who];
        let traits = &profile.traits;
        match mode {
            Mode::Walk => 7,
            Mode::Jog => 12 + traits.dexterity,
            Mode::Run => self.run(who),
            Mode::Swim if traits.swims => 12 + traits.dexterity,
            Mode::Swim => 8 + traits.dexterity,
            Mode::Fly => traits.fly.unwrap_or(0),
            Mode::Climb => self.actor(who).climbs,
        }
    }

    /// Returns the yards a turn at a run, with what conditions add.
    fn run(&self, who: usize) -> Units {
        let change = self.world().change(who, Number::Move);
        (self.plan.profiles[who].traits.run + change).max(0)
    }

    /// Returns a rate as it is this turn: half for the Injured (MA-7), half for the exhausted (MA-6).
    #[inline]
    fn in_this_state(&self, who: usize, rate: Units) -> Units {
        let mut rate = rate;
        if self.slow(who) {
            rate /= 2;
        }
        if self.actor(who).flags.any(flags::EXHAUSTED) {
            rate /= 2;
        }
        rate
    }

    /// Returns whether wounds halve every rate (MA-7).
    #[inline]
    pub(super) fn slow(&self, who: usize) -> bool {
        let health = self.world().health(who);
        self.combatant(who).track.slows(health)
    }

    /// Returns the yards that this turn allows in a mode.
    #[inline]
    pub(super) fn rate(&self, who: usize, mode: Mode) -> Units {
        if self.actor(who).flags.any(flags::STOPPED) {
            return 0;
        }
        self.in_this_state(who, self.charted(who, mode))
    }

    /// Returns the yards that cost an acting character nothing: half of the running speed (MA-5).
    #[inline]
    pub(super) fn free_half(&self, who: usize) -> Units {
        self.in_this_state(who, self.run(who)) / 2
    }

    /// Returns the dice that this turn's yards take off a pool (MA-5).
    #[inline]
    pub(super) fn dice_lost(&self, who: usize) -> i64 {
        let yards = self.actor(who).yards;
        if yards == 0 {
            return 0;
        }
        let beyond = (yards - self.free_half(who)).max(0);
        let costly = match self.plan.rules.per_yard {
            PerYard::All if beyond > 0 => yards,
            PerYard::All | PerYard::Beyond => beyond,
            PerYard::None => 0,
        };
        costly.into()
    }

    /// Returns the yards left in a mode: of its rate and, after an action, of the free half (MA-5).
    #[inline]
    pub(super) fn yards_left(&self, who: usize, mode: Mode) -> Units {
        let actor = self.actor(who);
        let mut most = self.rate(who, mode);
        // A climb is an action of its own, and goes as far as its roll allows (MA-4).
        let acted = flags::ACTED.and(flags::CLIMBED);
        if mode != Mode::Climb && actor.flags.any(acted) {
            most = most.min(self.free_half(who));
        }
        most - actor.yards
    }

    /// Returns the turns at full speed that are left before a roll is needed (MA-6).
    #[inline]
    pub(super) fn endurance_left(&self, who: usize) -> i32 {
        (self.plan.profiles[who].endurance - self.actor(who).spent).max(0)
    }

    /// Begins a move. A move beyond half of the mode's rate takes a roll once endurance is spent (MA-6); climbing takes
    /// another roll, and an action (MA-4).
    pub(super) fn begin_move(&mut self, who: usize, current_move: MoveInProgress) {
        let mode = current_move.mode;
        let every_move = self.plan.rules.every_move;
        if every_move && !self.may_move_on(who) {
            return;
        }
        // The height of this turn's climb must be known before the other roll.
        if mode == Mode::Climb && !self.actor(who).flags.any(flags::CLIMBED) {
            self.climb(who);
        }
        let ahead = self.yards_ahead(who, &current_move, self.yards_left(who, mode));
        if !every_move && self.is_beyond_half(who, mode, ahead) && !self.may_move_on(who) {
            return;
        }
        if self.yards_left(who, mode) >= current_move.toll {
            let actor = self.actor_mut(who);
            actor.mode = Some(mode);
            actor.moving = Some(current_move);
        }
    }

    /// Returns whether a move goes Unit by Unit, each without a roll: the roll to climb changes which lines can be taken,
    /// and a Unit may need a roll to go on (MA-4, MA-6).
    fn walks_freely(&self, who: usize, current_move: &MoveInProgress) -> bool {
        let rested = self.endurance_left(who) > 0 || self.actor(who).flags.any(flags::PUSHED);
        current_move.left == 1 && current_move.mode != Mode::Climb && rested
    }

    /// Makes Units of the move under way before which `who`, acting alone, decides nothing else.
    pub(super) fn walk_on(&mut self, who: usize, line: u16) {
        let next = self.next_unit(who);
        if let Some(current_move) = next.and(self.actor(who).moving) {
            let is_sure = current_move.left > 1 || self.walks_freely(who, &current_move);
            let calm = if is_sure { Units::MAX } else { 0 };
            let rest = self.walk_ahead(who, line, current_move, (calm, 1), true);
            self.actor_mut(who).moving = rest;
        }
    }

    /// Makes Units of all tied combatants whose turn is not over, if all of them walk Unit by Unit and continue to,
    /// whatever the others among them do. Returns whether it made any: the combatants then choose anew.
    pub(super) fn walk_together(&mut self, busy: u64) -> bool {
        if self.walks_unit_by_unit() {
            return false;
        }
        // The first yard of a turn fixes the mode, and is made alone.
        let walks = |who: usize, _: u16, step: &MoveInProgress| {
            self.actor(who).mode == Some(step.mode) && self.walks_freely(who, step)
        };
        let Some(units) = self.common_units(busy, &self.state.parts, walks) else {
            return false;
        };
        for who in members(busy) {
            if let Some((_, current_move)) = self.state.parts[who].walk() {
                self.make_units(who, units, &current_move);
                self.counts(who).decisions += units as u32;
            }
        }
        true
    }

    /// Returns the yards of movement that a move takes, at most `left`.
    fn yards_ahead(&self, who: usize, current_move: &MoveInProgress, left: Units) -> Units {
        let room = self.room_ahead(who, current_move);
        let ahead = room.min(current_move.left.into()).min(left);
        if !self.plan.fight.is_difficult() {
            return ahead;
        }
        let target = usize::from(current_move.target);
        let here = self.world().position(who);
        let next = self.unit_of_move(who, target, current_move.advance);
        let way = next.map_or(0, |next| next - here);
        let mut yards = 0;
        for unit in 1..=ahead {
            let toll = self.toll(here + way * unit);
            if yards + toll > left {
                break;
            }
            yards += toll;
        }
        yards
    }

    /// Returns whether `more` further yards make this turn's movement more than half of the mode's rate (MA-6).
    fn is_beyond_half(&self, who: usize, mode: Mode, more: Units) -> bool {
        2 * (self.actor(who).yards + more) > self.rate(who, mode)
    }

    /// Returns whether `who` may move on. Once endurance is spent, that takes a roll, one a turn (MA-6).
    fn may_move_on(&mut self, who: usize) -> bool {
        if self.endurance_left(who) == 0 && !self.actor(who).flags.any(flags::PUSHED) {
            self.roll_endurance(who);
        }
        let stays = flags::COLLAPSED.and(flags::STOPPED);
        !self.actor(who).flags.any(stays)
    }

    /// Rolls to go on, before a yard that takes a move beyond half of its rate (MA-6). The move was not to go so far,
    /// but its target has moved away or its rate has fallen. A combatant that has tired may have no yard left.
    pub(super) fn push_on(&mut self, who: usize) {
        if let Some(mode) = self.actor(who).mode
            && !self.plan.rules.every_move
            && let Some(current_move) = self.actor(who).moving
        {
            let toll = current_move.toll;
            let pushes = self.is_beyond_half(who, mode, toll);
            if pushes && (!self.may_move_on(who) || self.yards_left(who, mode) < toll) {
                self.actor_mut(who).moving = None;
            }
        }
    }

    /// Rolls to go on beyond a combatant's endurance.
    fn roll_endurance(&mut self, who: usize) {
        self.counts(who).endurance_rolls += 1;
        let plan = self.plan;
        let pool = &plan.profiles[who].traits.endurance;
        let drawn = self.throw(who, pool, pool.count, Purpose::Other);
        let outcome = self.effort(drawn);
        let flags = &mut self.actor_mut(who).flags;
        flags.add(flags::PUSHED);
        match outcome {
            Effort::GoesOn => {}
            Effort::Tires => flags.add(flags::EXHAUSTED),
            Effort::Stops | Effort::Trips => flags.add(flags::STOPPED),
            Effort::Collapses => flags.add(flags::COLLAPSED),
        }
        if outcome == Effort::Collapses {
            self.counts(who).collapsed += 1;
        }
        if outcome == Effort::Trips {
            self.state.world.bodies[who].prone = true;
        }
        self.note(Event::Endurance {
            who,
            dice: pool.count,
            net: drawn.net,
            botch: drawn.botch,
            outcome,
        });
    }

    /// Returns the outcome of a roll to go beyond endurance (MA-6).
    fn effort(&self, drawn: PoolDraw) -> Effort {
        let rules = &self.plan.rules;
        match (drawn.botch, drawn.net) {
            (true, _) => match rules.exhaustion_botch {
                Collapse::ForGood => Effort::Collapses,
                Collapse::Stop => Effort::Stops,
                Collapse::Trip => Effort::Trips,
            },
            (false, ..1) => match rules.exhaustion {
                Exhaustion::Half => Effort::Tires,
                Exhaustion::Stop => Effort::Stops,
                Exhaustion::Nothing => Effort::GoesOn,
            },
            (false, _) => Effort::GoesOn,
        }
    }

    /// Rolls for the distance that a combatant climbs this turn.
    fn climb(&mut self, who: usize) {
        let plan = self.plan;
        let Some(pool) = &plan.profiles[who].traits.climb else {
            return;
        };
        self.abandon_ritual(who);
        let actor = self.actor_mut(who);
        actor.actions -= 1;
        actor.flags.add(flags::CLIMBED);
        let drawn = self.throw(who, pool, pool.count, Purpose::Check);
        // A botch is a failure, even if successes are left (MD-2).
        let successes = if drawn.botch { 0 } else { drawn.net.max(0) };
        let yards = (successes * plan.rules.climb_feet / FEET) as Units;
        self.actor_mut(who).climbs = yards;
        self.note(Event::Climb {
            who,
            dice: pool.count,
            net: successes,
            yards: self.rate(who, Mode::Climb),
        });
    }

    /// Takes the cost of this turn's yards off a combatant's endurance (MA-6): 1 for more than half of the mode's rate,
    /// 2 if they were swum, strenuous or made under fire.
    pub(super) fn tire(&mut self, who: usize) {
        let actor = *self.actor(who);
        let Some(mode) = actor.mode else { return };
        if !self.is_beyond_half(who, mode, 0) {
            return;
        }
        let hard =
            mode == Mode::Swim || self.plan.rules.strenuous || actor.flags.any(flags::UNDER_FIRE);
        self.actor_mut(who).spent += if hard { 2 } else { 1 };
    }
}

impl<'a, C: Chance, O: ClockObserver> Walk<'a> for Encounter<'a, C, O> {
    /// Returns a move, if it is legal (MA-4 to MA-6, W-3).
    fn legal_walk(
        &self,
        view: &View<'_>,
        aim: Aim,
        step: &Move,
        advance: bool,
    ) -> Result<MoveInProgress, Obstacle> {
        let actor = view.actor;
        if view.body.prone {
            return Err(Obstacle::Prone);
        }
        if actor.flags.any(flags::COLLAPSED) {
            return Err(Obstacle::Collapsed);
        }
        if actor.yards > 0 && actor.mode != Some(step.mode) {
            return Err(Obstacle::OtherMode);
        }
        if actor.flags.any(flags::STOPPED) {
            return Err(Obstacle::NoYardsLeft);
        }
        let climbs = step.mode == Mode::Climb && !actor.flags.any(flags::CLIMBED);
        if climbs {
            if actor.actions == 0 {
                return Err(Obstacle::NoAction);
            }
        } else if self.yards_left(view.who, step.mode) < 1 {
            return Err(Obstacle::NoYardsLeft);
        }
        let current_move = self.find_move(view, aim, step, advance)?;
        if !climbs && self.yards_left(view.who, step.mode) < current_move.toll {
            return Err(Obstacle::NoYardsLeft);
        }
        Ok(current_move)
    }

    fn current_move(&self, who: usize) -> Option<MoveInProgress> {
        self.actor(who).moving
    }

    fn set_current_move(&mut self, who: usize, current_move: Option<MoveInProgress>) {
        self.actor_mut(who).moving = current_move;
    }

    fn units_left(&self, who: usize) -> Units {
        let mode = self.actor(who).mode;
        mode.map_or(0, |mode| self.yards_left(who, mode))
    }

    fn spend_units(&mut self, who: usize, units: Units) {
        self.actor_mut(who).yards += units;
    }

    /// The lines that take an action are spent with the actions of the turn (MA-3).
    #[inline]
    fn is_spent(&self, who: usize, line: u16) -> bool {
        self.actor(who).actions == 0 && self.line(who, line).action.takes_action()
    }
}
