//! Begins chosen actions (TC-5).

use super::choose::{Choice, ChosenAction};
use super::movement::STEP;
use super::rules::CarryOver;
use super::state::{Move, Volley};
use super::{Encounter, flags};
use crate::sim::prelude::*;

/// The flags that every action sets that is not free.
const ACTION_FLAGS: Flags = flags::ACTED.and(flags::STIRRED).and(flags::UNSETTLED);

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Begins the action of the chosen line.
    #[inline(always)]
    pub(super) fn begin(&mut self, who: usize, choice: Choice) {
        self.counts(who).decisions += 1;
        // A plain fight has no observer.
        if !PLAIN {
            let lines = self.combatant(who).policy.decisions();
            self.report_line(who, &lines[usize::from(choice.line)]);
        }
        match choice.what {
            ChosenAction::Attack {
                target,
                weapon,
                attacks,
                set,
                mastery,
                desperate,
            } => {
                let volley = Volley {
                    target,
                    line: choice.line,
                    weapon,
                    next: 0,
                    attacks,
                    set,
                    begun: self.state.clock.mark as i8,
                    mastery,
                    desperate,
                };
                self.begin_attacks(who, volley);
            }
            ChosenAction::Move {
                target,
                advance,
                units,
                stop,
            } => {
                let step = Move::new(target, choice.line, advance, stop, units);
                // A move counts from its beginning (TC-5), even if no step of it is made (TC-10).
                self.actor_mut(who).flags.add(STEP.and(flags::MELEE_UNSET));
                self.commit_step(who, step);
            }
            ChosenAction::Set => {
                self.spend(who, Cost::Quarter);
                self.actor_mut(who).flags.drop(flags::UNSET);
                let marks = self.cost(Cost::Quarter);
                self.note(Event::Set { who, marks });
                self.free_after(who, marks);
            }
            ChosenAction::Do(Deed::Cast { target, spell }) => {
                self.cast(who, usize::from(spell), usize::from(target), choice.line);
            }
            ChosenAction::Channel { target, spell } => {
                self.channel(who, usize::from(spell), usize::from(target), choice.line);
            }
            ChosenAction::Car { target } => {
                self.count_free(who);
                let aim = self.aim(who, choice.line);
                if let Some(target) = self.car_target(who, usize::from(target), aim) {
                    self.car(who, target, Some(aim));
                }
            }
            ChosenAction::Charge { target, weapon } => {
                let aim = self.aim(who, choice.line);
                self.charge(who, target.into(), weapon.into(), aim);
            }
            ChosenAction::Do(Deed::Use { item, target }) => {
                self.use_at_cost(who, item, target, self.aim(who, choice.line));
            }
            ChosenAction::Do(Deed::Draw(weapon)) => self.act_at_cost(who, Cost::Quarter, |here| {
                here.free_a_hand(who);
                here.draw(who, usize::from(weapon));
            }),
            ChosenAction::Sheathe(weapon) => self.act_at_cost(who, Cost::Half, |here| {
                here.put_away(who, usize::from(weapon), false);
            }),
            // An attack is a volley.
            ChosenAction::Do(Deed::Attack { .. }) => {}
            ChosenAction::Do(Deed::Stand) => {
                self.act_at_cost(who, Cost::Quarter, |here| here.get_up(who));
            }
            ChosenAction::Wait(marks) => self.wait(who, marks.into()),
            ChosenAction::Leave(how) => self.leave(who, how),
            ChosenAction::Pass => self.pass(who),
        }
    }

    /// Does something that may be begun with too few Marks (TC-5), and un-sets the combatant.
    fn act_at_cost(&mut self, who: usize, cost: Cost, act: impl FnOnce(&mut Self)) {
        self.spend_or_owe(who, cost);
        self.unset_shot(who);
        act(self);
        self.free_after(who, self.cost(cost));
    }

    /// Lets `marks` Marks pass.
    pub(super) fn wait(&mut self, who: usize, marks: Marks) {
        let actor = self.actor_mut(who);
        actor.marks -= marks;
        actor.free_actions = 0;
        self.note(Event::Wait { who, marks });
        self.free_after(who, marks);
    }

    /// Ends the combatant's actions of this Round (W-3).
    pub(super) fn pass(&mut self, who: usize) {
        let actor = self.actor_mut(who);
        actor.stop();
        let marks = actor.marks;
        self.note(Event::Pass { who, marks });
    }

    /// Pays for an action that is not free.
    pub(super) fn spend(&mut self, who: usize, cost: Cost) {
        let marks = self.cost(cost);
        let actor = self.actor_mut(who);
        actor.marks = (actor.marks - marks).max(0);
        actor.did(ACTION_FLAGS);
    }

    /// Pays for an action that may be begun with too few Marks: the next Score pays the rest (TC-5).
    fn spend_or_owe(&mut self, who: usize, cost: Cost) {
        let marks = self.actor(who).marks;
        if marks < self.cost(cost) && self.plan.rules.carry_over != CarryOver::Casting {
            let now = self.marks_until_the_end(who);
            self.actor_mut(who).debt = self.cost(cost) - now;
        }
        self.spend(who, cost);
    }

    /// Returns the Marks from now to the end of the Round. In a Simple Round these are the combatant's own Marks
    /// (TC-21).
    pub(super) fn marks_until_the_end(&self, who: usize) -> Marks {
        if self.is_simple() {
            self.actor(who).marks
        } else {
            self.state.clock.mark
        }
    }

    /// Un-sets a combatant, as every action does that is not free and neither a ranged attack nor a Set (TC-10, TC-14).
    fn unset_shot(&mut self, who: usize) {
        self.actor_mut(who)
            .flags
            .add(flags::SHOT_UNSET.and(flags::SKILL_UNSET));
    }

    /// Records a spell or Channel as a deed. Its Marks are paid elsewhere.
    pub(super) fn did_something(&mut self, who: usize) {
        self.actor_mut(who).did(ACTION_FLAGS);
        self.unset_shot(who);
    }

    /// Drops the first weapon that a combatant holds if it draws with full hands (TC-5).
    fn free_a_hand(&mut self, who: usize) {
        if !self.has_free_hand(who) {
            let in_hand = self.body(who).in_hand;
            self.put_away(who, in_hand.trailing_zeros() as usize, true);
        }
    }

    /// Drops or sheathes a weapon.
    fn put_away(&mut self, who: usize, weapon: usize, dropped: bool) {
        self.let_go_of(who, weapon);
        self.state.world.bodies[who].lost |= u32::from(dropped) << weapon;
        self.note(Event::PutAway {
            who,
            weapon,
            dropped,
        });
    }

    pub(super) fn count_free(&mut self, who: usize) {
        let actor = self.actor_mut(who);
        actor.free_actions += 1;
        actor.flags.add(flags::STIRRED);
    }

    /// Lets a combatant decide again when its new action has taken its Marks (TC-7), in a Simple Round at once (TC-21).
    fn free_after(&mut self, who: usize, marks: Marks) {
        let mark = self.state.clock.mark;
        self.free_at(who, if self.is_simple() { mark } else { mark - marks });
    }

    /// Makes a charge, all of it at the Mark at which it begins (TC-17).
    fn charge(&mut self, who: usize, target: usize, weapon: usize, aim: Aim) {
        self.spend(who, Cost::Quarter);
        self.unset_shot(who);
        self.actor_mut(who).charges += 1;
        self.note(Event::Charge { who, target });
        let reach = self.range(who, weapon);
        // A target that fell or left in this very beat is replaced by the same rule (W-4).
        let farthest = reach.saturating_add(self.move_left(who));
        let mut target = if self.reaches(who, target, farthest) {
            target
        } else {
            let view = self.view(who);
            self.select_on_the_way(&view, aim, reach, farthest)
                .unwrap_or(target)
        };
        let cars = self.actor(who).cars;
        if self.world().stands(target) {
            let step = Move::new(target as u8, 0, true, reach, u16::MAX);
            target = self.move_at_once(who, step, MoveKind::Charge, |here| {
                let farthest = reach.saturating_add(here.move_left(who));
                here.select_on_the_way(&here.view(who), aim, reach, farthest)
            });
            if !self.moves_on(who) {
                return;
            }
        }
        // The charger has moved into melee, even if the target closed the last Units.
        let actor = self.actor_mut(who);
        actor.flags.add(STEP.and(flags::ENTERED));
        // A CAR move of its own, which ended the charge, has Set it (TC-16).
        if actor.cars == cars {
            actor.flags.add(flags::MELEE_UNSET);
        }
        // On the way the target may have fallen (W-4), or the weapon may have been taken (W-11).
        match self.keep_or_replace(who, target, reach, || aim) {
            Some(target) if self.holds_weapon(who, weapon) => {
                self.attack(who, target, weapon, AttackKind::Charge, true);
            }
            _ => self.lose_attack(who, weapon, false),
        }
        if !self.world().is_out(who) {
            self.free_after(who, self.cost(Cost::Quarter));
        }
    }

    pub(super) fn use_at_cost(&mut self, who: usize, item: u8, target: Option<u8>, aim: Aim) {
        let cost = self.combatant(who).items[usize::from(item)].cost;
        self.use_again(who, item, target, aim, Penalties::default());
        if self.world().is_out(who) {
            return;
        }
        if cost == Cost::Free {
            self.count_free(who);
        } else {
            self.spend_or_owe(who, cost);
            self.unset_shot(who);
            self.free_after(who, self.cost(cost));
        }
    }
}
