//! Which place is next where `[clock]` says more than that it is the best key (`fight::turns`).

use super::{Encounter, flags};
use crate::dice::Faces as _;
use crate::fight::turns::{After, Next, Phase, Unit};
use crate::sim::cards::{card, first_card};
use crate::sim::order::foremost;
use crate::sim::prelude::*;

/// The most turns of a Round in which sides go on until they fail: where all damage is healed at once, none may fail.
const MOST_TURNS: i32 = 1000;

/// The next moment of a Round.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Upcoming {
    /// The turn of a combatant.
    Turn(usize),
    /// The strike of a hazard that has a place in the order.
    Hazard,
    /// The end of the Round by a token, which is a moment of its own: no step asks chance whether it begins a Round.
    EndToken,
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Begins the first part of a Round.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_sequence(&mut self) {
        let turns = &self.plan.rules.turns;
        let here = self.state.world.here();
        self.state.clock.part = 0;
        self.state.clock.ended = false;
        self.state.clock.struck = 0;
        let due = match turns.after {
            After::Spent => turns.parts.first().map_or(here, |part| part & here),
            After::Failure(_) => here,
            After::Less(_) => self.in_time(here),
            After::Cost => {
                let runs_on = turns.counts_up() && !self.plan.rules.every_round;
                if runs_on && self.state.round > 1 {
                    // Time counts from the beginning of the Round. One who comes in late does not make up for lost time.
                    for total in &mut self.state.places.totals {
                        *total = (*total - turns.ticks).max(0);
                    }
                }
                self.in_time(here)
            }
            After::Cards => {
                let hands = &self.state.places.hands;
                set_of(members(here).filter(|who| hands[*who] != 0))
            }
        };
        self.begin_due(due);
        self.declare_turns();
    }

    /// Gives each of a set a place to come.
    fn begin_due(&mut self, due: u64) {
        self.state.places.begin(due);
        self.state.clock.last_side = None;
        if self.plan.rules.turns.unit == Unit::Slot {
            self.state.clock.slots = due;
        }
    }

    /// Those of a set whose totals give them another turn in this Round.
    fn in_time(&self, set: u64) -> u64 {
        let turns = &self.plan.rules.turns;
        let has_time = |who: &usize| {
            let total = self.total(*who);
            if turns.counts_up() {
                total < turns.ticks
            } else {
                total > 0
            }
        };
        set_of(members(set).filter(has_time))
    }

    /// Returns the next moment of the Round, if it has another.
    #[cold]
    #[inline(never)]
    pub(super) fn next_in_sequence(&mut self) -> Option<Upcoming> {
        while !self.state.clock.ended {
            let due = self.state.places.due | self.state.clock.effects_due;
            if self.is_time_to_strike(due) {
                return Some(Upcoming::Hazard);
            }
            if due != 0 {
                let next = self.next_of(due).map(|next| self.seized(next, due));
                return Some(next.map_or(Upcoming::EndToken, Upcoming::Turn));
            }
            if !self.begin_part() {
                break;
            }
        }
        None
    }

    /// Whether the next hazard with a place in the order comes before all whose place is still to come.
    fn is_time_to_strike(&self, due: u64) -> bool {
        let lairs = &self.plan.clock.lairs;
        let Some(lair) = lairs.get(usize::from(self.state.clock.struck)) else {
            return false;
        };
        let Some(place) = self.plan.fight.hazards[*lair].place else {
            return false;
        };
        if due == 0 {
            return self.state.round > 0;
        }
        let first = self.first_by_key(self.of_first_kind(due));
        self.height(first) < self.plan.order.sign * place
    }

    /// Lets the next hazard with a place in the order strike.
    #[cold]
    #[inline(never)]
    pub(super) fn strike_in_order(&mut self) -> Option<Ending> {
        let lair = self.plan.clock.lairs[usize::from(self.state.clock.struck)];
        self.state.clock.struck += 1;
        self.strike_hazard(lair);
        self.trigger_by_falls_between_turns();
        self.decided_early()
    }

    /// Begins the next part of a Round, if there is one.
    fn begin_part(&mut self) -> bool {
        let turns = &self.plan.rules.turns;
        let here = self.state.world.here();
        let due = match turns.after {
            // Before the first Round there is no part either.
            _ if self.state.round == 0 => return false,
            After::Spent => {
                self.state.clock.part += 1;
                let part = usize::from(self.state.clock.part);
                match turns.parts.get(part) {
                    Some(part) => part & here,
                    None if part < turns.phases.len() => here,
                    None => return false,
                }
            }
            After::Less(less) => {
                for total in &mut self.state.places.totals {
                    *total -= less;
                }
                let due = self.in_time(here);
                if due == 0 {
                    return false;
                }
                due
            }
            After::Cost | After::Cards | After::Failure(_) => return false,
        };
        self.begin_due(due);
        true
    }

    /// Returns the next of those whose place is to come, or none if an end token is drawn.
    fn next_of(&mut self, due: u64) -> Option<usize> {
        let turns = &self.plan.rules.turns;
        let due = self.of_first_kind(due);
        let (chooser, set) = match turns.next {
            Next::High | Next::Low if turns.is_by_total() => {
                let first = self.first_by_key(due);
                if turns.unit != Unit::Side {
                    return Some(first);
                }
                let level = members(self.side_of(first) & due);
                let level = level.filter(|who| self.height(*who) == self.height(first));
                (first, set_of(level))
            }
            Next::High | Next::Low if turns.unit == Unit::Slot => {
                // A slot is lost if its side has no member left to take it.
                let sides = members(due).fold(0, |all, who| all | self.side_of(who));
                let slot = self.first_of(self.state.clock.slots & sides);
                self.state.clock.slots &= !bit(slot);
                let set = self.side_of(slot) & due;
                (self.first_of(set), set)
            }
            Next::High | Next::Low => {
                let first = self.first_of(due);
                if turns.unit != Unit::Side {
                    return Some(first);
                }
                (first, self.side_of(first) & due)
            }
            Next::Alternate => {
                // The side with the best key begins, even if the one who has it has fallen.
                let first = self.combatant(self.first_of(u64::MAX)).side;
                let next = self.state.clock.last_side.map(|side| usize::from(side) + 1);
                let sides = self.plan.fight.sides.len();
                let mut all = (0..sides).map(|step| (next.unwrap_or(first) + step) % sides);
                let left = all.find_map(|side| {
                    let left = self.plan.constants.side(side) & due;
                    (left != 0).then_some(left)
                });
                let set = left.unwrap_or(due);
                (self.first_of(set), set)
            }
            Next::Chosen => match self.state.clock.last {
                Some(last) => (usize::from(last), due),
                None => return Some(self.first_of(due)),
            },
            Next::Bag => {
                let who = due.trailing_zeros() as usize;
                let mut hand = self.roller(who, Purpose::Initiative);
                let token = hand.face(due.count_ones() + u32::from(turns.end_tokens)) as usize;
                let Some(drawn) = members(due).nth(token - 1) else {
                    self.end_by_token();
                    return None;
                };
                let set = self.side_of(drawn) & due;
                (self.first_of(set), set)
            }
        };
        let picked = self.picked(Window::Pick, chooser, set);
        let next = picked.unwrap_or_else(|| match turns.next {
            // The last actor hands over to an enemy, but keeps the first turn of the next Round on its side.
            Next::Chosen => {
                let own = self.side_of(chooser);
                let begins = self.state.world.here() & !due == 0;
                let side = if begins { own } else { !own };
                self.first_of(if set & side == 0 { set } else { set & side })
            }
            _ => self.first_of(set),
        });
        Some(next)
    }

    /// Ends the Round for those whose place is still to come.
    fn end_by_token(&mut self) {
        self.note(Event::EndToken);
        self.state.clock.ended = true;
        self.state.places.due = 0;
        self.state.clock.effects_due = 0;
    }

    /// The one of a set whose key is next: keys that move from turn to turn are totals.
    fn first_by_key(&self, set: u64) -> usize {
        if !self.plan.rules.turns.is_by_total() {
            return self.first_of(set);
        }
        self.first_of(foremost(set, |who| self.height(who).into()))
    }

    /// The key of a combatant, such that the greatest is next, less the time of what it has declared.
    fn height(&self, who: usize) -> i32 {
        self.plan.order.sign * self.total(who) - self.declared_time(who)
    }

    /// The total of a combatant, with the changes of its traits since the start.
    #[cold]
    #[inline(never)]
    pub(super) fn total(&self, who: usize) -> i32 {
        let (key, combatant) = (&self.plan.rules.turns.key, self.combatant(who));
        let value = |of: &dyn Fn(u8) -> i64| {
            key.value(|fact| match fact {
                Variable::Trait(own) => of(own),
                _ => 0,
            })
        };
        let now = value(&|own| self.world().trait_of(combatant, who, own));
        let before = value(&|own| combatant.own[usize::from(own)].unwrap_or(0).into());
        self.state.places.totals[who] + (now - before) as i32
    }

    /// The combatant that has the turn of another: an enemy whose place is to come and who seizes it, or else the other.
    fn seized(&mut self, next: usize, due: u64) -> usize {
        let plan = self.plan;
        let lines = |who: usize| plan.fight.combatants[who].policy.at(Window::Seize);
        let foes = members(due & self.enemies(next)).filter(|who| !lines(*who).is_empty());
        let order = self.state.places.in_order(set_of(foes));
        let seizing = { order }.find_map(|who| {
            let target = Some((next, self.world().distance(who, next)));
            let view = self.view(who);
            let mut lines = lines(who).iter();
            let line = lines.find(|line| self.holds(&view, &line.condition, target))?;
            Some((who, line))
        });
        let Some((who, line)) = seizing else {
            return next;
        };
        if O::LISTENS {
            self.report_decision(who, line);
        }
        if let Action::Seize(price) = &line.action {
            self.pay(who, price);
        }
        who
    }

    /// The first of a set in the order.
    pub(super) fn first_of(&self, set: u64) -> usize {
        self.state.places.in_order(set).next().unwrap_or(0)
    }

    /// The combatants on the side of one of them.
    fn side_of(&self, who: usize) -> u64 {
        self.plan.constants.side(self.combatant(who).side)
    }

    /// Lets combatants swap places with others of their side, in order, each once.
    #[cold]
    #[inline(never)]
    pub(super) fn swap_places(&mut self) {
        if self.plan.clock.swappers == 0 {
            return;
        }
        let mut free = self.state.world.standing();
        let order: Vec<usize> = self
            .state
            .places
            .in_order(self.plan.clock.swappers)
            .collect();
        for who in order {
            let others = self.side_of(who) & free & !bit(who);
            if free & bit(who) != 0
                && let Some(target) = self.picked(Window::Swap, who, others)
            {
                free &= !(bit(who) | bit(target));
                self.state.places.swap(who, target);
                self.note(Event::Swaps { who, target });
            }
        }
    }

    /// The member of a set that the `pick` or `swap` lines of a combatant name.
    fn picked(&mut self, window: Window, chooser: usize, set: u64) -> Option<usize> {
        let mut lines = self.combatant(chooser).policy.at(window).iter();
        let (line, who) = lines.find_map(|line| {
            let who = self.choose_among(chooser, line.aim, set)?;
            let target = Some((who, self.world().distance(chooser, who)));
            let holds = self.holds(&self.view(chooser), &line.condition, target);
            holds.then_some((line, who))
        })?;
        if O::LISTENS {
            self.report_decision(chooser, line);
        }
        Some(who)
    }

    /// The member of a set that an aim is about.
    fn choose_among(&self, who: usize, aim: Aim, set: u64) -> Option<usize> {
        let world = self.world();
        let foes = set & self.enemies(who);
        let friends = set & !self.enemies(who) & !bit(who);
        match aim {
            Aim::Own => (set & bit(who) != 0).then_some(who),
            Aim::Ally(some) => self.nearest(who, friends & some).map(|(ally, _)| ally),
            Aim::WeakestAlly => world.weakest(friends),
            Aim::Weakest | Aim::WeakestOfAll => world.weakest(foes),
            Aim::Strongest | Aim::StrongestOfAll => {
                members(foes).min_by_key(|foe| -world.health(*foe))
            }
            Aim::Named(some) => self.nearest(who, set & some).map(|(foe, _)| foe),
            _ => self.nearest(who, foes).map(|(foe, _)| foe),
        }
    }

    /// Notes whose turn it was, and moves its place.
    #[cold]
    #[inline(never)]
    pub(super) fn end_place(&mut self, who: usize) {
        let turns = &self.plan.rules.turns;
        match turns.next {
            Next::Chosen => self.state.clock.last = Some(who as u8),
            Next::Alternate => self.state.clock.last_side = Some(self.combatant(who).side as u8),
            _ => {}
        }
        if let After::Failure(goes_on) = turns.after {
            let side = self.side_of(who);
            let succeeds = goes_on & bit(who) != 0 && self.actor(who).flags.any(flags::HURT);
            if !succeeds || self.state.clock.turn >= MOST_TURNS {
                self.state.places.due &= !side;
            } else if self.state.places.due & side == 0 {
                self.state.places.due |= side & self.state.world.standing();
            }
        }
        if turns.after == After::Cost {
            let time = self.time_of_turn(who);
            self.state.places.totals[who] += if turns.counts_up() { time } else { -time };
            let again = self.in_time(bit(who) & self.state.world.standing());
            self.state.places.due |= again;
        }
        if turns.after == After::Cards {
            let sign = self.plan.order.sign;
            let places = &mut self.state.places;
            places.hands[who] &= !card(places.totals[who]);
            places.totals[who] = first_card(places.hands[who], sign);
            if places.hands[who] != 0 && self.state.world.stands(who) {
                places.due |= bit(who);
            }
        }
    }

    /// The kinds of actions that the phase under way is for, one bit each, where Rounds have phases.
    pub(super) fn phase(&self) -> Option<u8> {
        let phases = &self.plan.rules.turns.phases;
        phases.get(usize::from(self.state.clock.part)).copied()
    }

    /// Whether a turn begins with the part of the Round under way: in phases it goes on through all of them.
    #[cold]
    #[inline(never)]
    pub(super) fn begins_turns(&self) -> bool {
        self.state.clock.part == 0 || self.plan.rules.turns.phases.is_empty()
    }

    /// Whether a turn ends with the part of the Round under way.
    #[cold]
    #[inline(never)]
    pub(super) fn ends_turns(&self) -> bool {
        usize::from(self.state.clock.part) + 1 >= self.plan.rules.turns.phases.len()
    }

    /// Checks that the phase under way is for an action.
    pub(super) fn in_phase(&self, who: usize, deed: Deed) -> Result<(), Obstacle> {
        let kind = match deed {
            Deed::Attack { weapon, .. } => {
                match self.combatant(who).weapons[usize::from(weapon)].kind {
                    WeaponKind::Melee => Phase::Melee,
                    WeaponKind::Ranged | WeaponKind::Thrown => Phase::Shoot,
                }
            }
            Deed::Cast { .. } => Phase::Cast,
            Deed::Use { .. } => Phase::Use,
            Deed::Draw(_) | Deed::Stand => Phase::Move,
        };
        match self.phase() {
            Some(kinds) if kinds & kind.bit() == 0 => Err(Obstacle::Phase),
            _ => Ok(()),
        }
    }
}
