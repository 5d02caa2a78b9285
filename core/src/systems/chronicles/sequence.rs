//! Which place is next where `[clock]` says more than that it is the best key (`fight::turns`).

use super::Encounter;
use crate::dice::Faces as _;
use crate::fight::turns::{After, Next, Phase, Unit};
use crate::sim::order::foremost;
use crate::sim::prelude::*;

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Begins the first part of a Round.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_sequence(&mut self) {
        let turns = &self.plan.rules.turns;
        let here = self.state.world.here();
        self.state.clock.part = 0;
        let due = match turns.after {
            After::Spent => turns.parts.first().map_or(here, |part| part & here),
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
        };
        self.begin_due(due);
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
        let totals = &self.state.places.totals;
        let has_time = |who: &usize| {
            if turns.counts_up() {
                totals[*who] < turns.ticks
            } else {
                totals[*who] > 0
            }
        };
        set_of(members(set).filter(has_time))
    }

    /// Returns the combatant whose turn is next, if the Round has another turn.
    #[cold]
    #[inline(never)]
    pub(super) fn next_in_sequence(&mut self) -> Option<usize> {
        loop {
            let due = self.state.places.due | self.state.clock.effects_due;
            if due != 0 {
                return Some(self.next_of(due));
            }
            if !self.begin_part() {
                return None;
            }
        }
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
            After::Cost => return false,
        };
        self.begin_due(due);
        true
    }

    /// Returns the next of those whose place is to come.
    fn next_of(&mut self, due: u64) -> usize {
        let turns = &self.plan.rules.turns;
        let (chooser, set) = match turns.next {
            Next::High | Next::Low if turns.after == After::Cost => {
                let sign = if turns.counts_up() { -1 } else { 1 };
                let totals = &self.state.places.totals;
                return self.first_of(foremost(due, |who| i64::from(sign * totals[who])));
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
                    return first;
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
                None => return self.first_of(due),
            },
            Next::Bag => {
                let who = due.trailing_zeros() as usize;
                let mut hand = self.roller(who, Purpose::Initiative);
                let token = hand.face(due.count_ones()) as usize;
                let drawn = members(due).nth(token - 1).unwrap_or(who);
                let set = self.side_of(drawn) & due;
                (self.first_of(set), set)
            }
        };
        let picked = self.picked(chooser, set);
        picked.unwrap_or_else(|| match turns.next {
            // The last actor hands over to an enemy, but keeps the first turn of the next Round on its side.
            Next::Chosen => {
                let own = self.side_of(chooser);
                let begins = self.state.world.here() & !due == 0;
                let side = if begins { own } else { !own };
                self.first_of(if set & side == 0 { set } else { set & side })
            }
            _ => self.first_of(set),
        })
    }

    /// The first of a set in the order.
    pub(super) fn first_of(&self, set: u64) -> usize {
        self.state.places.in_order(set).next().unwrap_or(0)
    }

    /// The combatants on the side of one of them.
    fn side_of(&self, who: usize) -> u64 {
        self.plan.constants.side(self.combatant(who).side)
    }

    /// The member of a set that the `pick` lines of a combatant name.
    fn picked(&mut self, chooser: usize, set: u64) -> Option<usize> {
        let mut lines = self.combatant(chooser).policy.at(Window::Pick).iter();
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
        if turns.after == After::Cost {
            let time = self.time_of_turn(who);
            self.state.places.totals[who] += if turns.counts_up() { time } else { -time };
            let again = self.in_time(bit(who) & self.state.world.standing());
            self.state.places.due |= again;
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
