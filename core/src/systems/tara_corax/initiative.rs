//! Scores: the beginning and the end of a Round (TC-2 to TC-4, TC-12).

use super::rules::{DelayHalf, MarkRules};
use super::state::{Doing, MarkActor};
use super::{Encounter, Plan, flags};
use crate::fight::MarkTraits;
use crate::fight::initiative;
use crate::sim::prelude::*;

/// A sum of dice far beyond any Round, at which a recursive explosion ends.
const MOST_DICE_SUM: i64 = 200;

/// Returns the Initiative characteristic: the average of Agility and Intellect, rounded down (TC-2).
#[inline]
pub(super) fn characteristic(traits: &MarkTraits) -> Marks {
    (traits.agility + traits.intellect).div_euclid(2)
}

/// Returns the number to which the dice of initiative are added (TC-2); fixed initiative rounds up.
#[inline]
fn rating(plan: &Plan, who: usize) -> Marks {
    let traits = &plan.clock.traits[who];
    if plan.rules.fixed {
        (traits.agility + traits.intellect + 1).div_euclid(2)
    } else {
        characteristic(traits)
    }
}

/// Returns the points that armour takes off initiative.
#[inline]
fn armour(plan: &Plan, who: usize) -> Marks {
    plan.clock.traits[who].evade_modifier / 2
}

/// Clears a combatant's deeds of the last Round. Being un-set for shooting or Combat Casting lasts (TC-10); being un-set
/// for melee does not (TC-9).
#[inline]
pub(super) fn refresh(rules: &MarkRules, actor: &mut MarkActor) {
    let mut lasting = flags::SHOT_UNSET.and(flags::SKILL_UNSET);
    if rules.mover_shot_always {
        lasting.add(flags::SPOILED);
    }
    actor.refresh(lasting);
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Rolls the Scores and enters all combatants into the agenda.
    pub(super) fn begin_marks(&mut self) {
        self.state.round += 1;
        self.state.clock.mark = self.plan.rules.round_marks;
        debug_assert_eq!(
            self.state.clock.agenda.next_mark(),
            None,
            "a Round is over when nothing is due any more"
        );
        self.note(Event::Round);
        self.open_round();
        self.suffer_all_conditions();
        let mut rolled = 0;
        for who in members(self.state.world.here()) {
            self.resume_spell(who);
            self.roll_score(who, &mut rolled);
        }
        for who in members(self.state.world.standing()) {
            self.enter_agenda(who);
        }
    }

    /// Puts a combatant with its Score on the agenda, delayed if its policy says so (TC-4).
    #[inline(always)]
    fn enter_agenda(&mut self, who: usize) {
        if !self.combatant(who).policy.at(Window::Score).is_empty() {
            self.consider_delay(who);
        }
        let due = self.actor(who).score.min(self.state.clock.mark);
        if due >= 1 {
            let actor = self.actor_mut(who);
            actor.doing = Doing::Deciding;
            actor.wake = due;
            self.wake_at(who, due);
        }
    }

    /// Lets a combatant that enters at a Mark act in this Round: it loses the Marks before, and the others decide anew
    /// (W-12).
    pub(super) fn join_round(&mut self, who: usize) {
        self.roll_score(who, &mut 0);
        self.enter_agenda(who);
        let mark = self.state.clock.mark;
        let actor = self.actor_mut(who);
        actor.marks = actor.marks.min(mark);
        for combatant in members(self.state.world.standing()) {
            self.on_numbers_changed(combatant, false);
        }
    }

    /// Lets a combatant that stands again act from the next Mark on, or from its Score if that is still to come (W-18).
    pub(super) fn rejoin_round(&mut self, who: usize) {
        let mark = self.state.clock.mark;
        let actor = self.actor_mut(who);
        actor.marks = actor.marks.min(mark - 1).max(0);
        let due = actor.score.min(mark - 1);
        if due >= 1 {
            actor.doing = Doing::Deciding;
            actor.wake = due;
            self.wake_at(who, due);
        }
        for combatant in members(self.state.world.standing()) {
            self.on_numbers_changed(combatant, false);
        }
    }

    /// Rolls the Score: it is capped first, and then Marks carried over are taken off (TC-3, TC-12). `rolled` are those
    /// who have rolled in this Round; a combatant takes the roll of one of them with whom it shares initiative.
    fn roll_score(&mut self, who: usize, rolled: &mut u64) {
        let owed = self.actor(who).debt;
        if owed >= self.plan.rules.round_marks {
            self.actor_mut(who).debt = owed - self.plan.rules.round_marks;
            self.note(Event::RoundSkipped { who, owed });
            return;
        }
        let plan = self.plan;
        let leader = members(plan.order.sharers.of(who) & *rolled).next();
        let full = match leader {
            Some(leader) => self.actor(leader).roll,
            None => self.roll_initiative(who),
        };
        *rolled |= bit(who);
        let score = full.min(plan.rules.round_marks) - owed;
        let actor = self.actor_mut(who);
        actor.debt = 0;
        actor.score = score;
        actor.roll = full;
        actor.marks = score.max(0);
        let shared = leader.is_some();
        self.note(Event::Score {
            who,
            score,
            owed,
            shared,
            sum: self.shown_sum(|clock| clock.score_sum(who, full, owed, shared)),
        });
    }

    /// Returns the sum of a Score whose Initiative Roll came to `full`.
    #[cold]
    fn score_sum(&self, who: usize, full: Marks, owed: Marks, shared: bool) -> Sum {
        let plan = self.plan;
        let sum = if shared {
            Sum::new(full.into())
        } else {
            let rating = rating(plan, who);
            let sum = if plan.rules.fixed {
                Sum::new(rating.into())
            } else {
                initiative::sum(&plan.rules.dice, rating)
            };
            sum.with(Modifier::Armour, -i64::from(armour(plan, who)))
                .with(
                    Modifier::Conditions,
                    self.change(who, Number::Initiative).into(),
                )
        };
        let beyond = (full - plan.rules.round_marks).max(0);
        sum.with(Modifier::Limit, -i64::from(beyond))
            .with(Modifier::CarriedOver, -i64::from(owed))
    }

    /// Returns the Initiative Roll of a combatant (TC-2, TC-3).
    fn roll_initiative(&mut self, who: usize) -> Marks {
        let plan = self.plan;
        let points = match plan.rules.dice.as_die() {
            _ if plan.rules.fixed => 0,
            None => initiative::roll(&plan.rules.dice, &mut self.roller(who, Purpose::Initiative)),
            Some((sides, bonus)) => {
                let mut roller = self.roller(who, Purpose::Initiative);
                let exploded = plan.rules.explode.roll(sides, MOST_DICE_SUM, &mut roller);
                bonus as i32 + exploded as i32
            }
        };
        rating(plan, who) - armour(plan, who) + points + self.change(who, Number::Initiative)
    }

    /// Delays a combatant if its policy says so, as announced at the roll (TC-4).
    #[inline(never)]
    fn consider_delay(&mut self, who: usize) {
        let plan = self.plan;
        let score = self.actor(who).score;
        // A stunned combatant makes no decision.
        if score < 1 || self.is_stunned(who) {
            return;
        }
        for line in self.combatant(who).policy.at(Window::Score) {
            if !self.holds(&self.view(who), &line.condition, None) {
                continue;
            }
            let Action::Delay { up } = line.action else {
                continue;
            };
            let half = |whole: Marks| if up { whole - whole / 2 } else { whole / 2 };
            let halved = match plan.rules.delay_half {
                DelayHalf::Score => half(score),
                DelayHalf::Roll => {
                    let actor = self.actor(who);
                    // The carried Marks are the difference of the capped Roll and the Score.
                    let owed = actor.roll.min(self.plan.rules.round_marks) - score;
                    half(actor.roll).min(self.plan.rules.round_marks) - owed
                }
            };
            let actor = self.actor_mut(who);
            actor.score = halved;
            if !plan.rules.delay_keeps_marks {
                actor.marks = halved.max(0);
            }
            self.note(Event::Delay {
                who,
                line: usize::from(line.number),
                score: halved,
            });
            return;
        }
    }

    /// Clears the deeds of the Round of those that are down.
    #[cold]
    #[inline(never)]
    fn refresh_down(&mut self) {
        for who in members(self.state.world.down()) {
            refresh(&self.plan.rules, &mut self.state.world.bodies[who].clock);
        }
    }

    /// Counts forfeited Marks and clears the deeds of the Round.
    #[inline]
    pub(super) fn forfeit_marks(&mut self) {
        let plan = self.plan;
        for who in members(self.state.world.standing()) {
            let actor = &mut self.state.world.bodies[who].clock;
            self.record.combatants[who].marks_forfeited += actor.marks as u32;
            refresh(&plan.rules, actor);
        }
        if self.state.world.down() != 0 {
            self.refresh_down();
        }
        if self.has_conditions() {
            self.end_round_of_all(true);
            self.state.world.forget_stunned();
        }
    }
}
