//! Everything that happens at one Mark, alone or simultaneously (TC-7, TC-20, TC-21, W-5, W-12, W-14).

use super::anytime::Free;
use super::choose::{Choice, ChosenAction};
use super::state::Doing;
use super::{Encounter, flags};
use crate::sim::prelude::*;
use std::ops::ControlFlow;

/// The part of a tied combatant in one beat of an instant, and its state before; the default between instants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Beat {
    part: Part,
    /// The position before any combatant moved.
    here: Units,
    /// The number of CAR moves it had made.
    cars: u8,
}

/// The action of a tied combatant in one beat of an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) enum Part {
    #[default]
    Nothing,
    Spell,
    Attack,
    Step,
    Choice(Choice),
    /// An `anytime` line (W-8), by its index, with its action.
    Free(u8, Free),
    Pass,
}

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'a, C, O, PLAIN> {
    /// Plays reserves and hazards before the Mark that is due next, or before the end of the Round. Breaks if they
    /// change the Mark that is due next or end the encounter, with the ending if there is one.
    #[inline(always)]
    pub(super) fn play_occasions_before(
        &mut self,
        due: Option<Marks>,
    ) -> ControlFlow<Option<Ending>> {
        if !self.plan.clock.comes_at_marks {
            return ControlFlow::Continue(());
        }
        let ending = self.play_occasions_until(due.unwrap_or(0));
        if ending.is_some() || self.state.clock.agenda.next_mark() != due {
            return ControlFlow::Break(ending);
        }
        ControlFlow::Continue(())
    }

    /// Plays reserves and hazards at the Marks after this one, down to `last`, or down to a Mark at which a combatant
    /// that has come in is due. Returns the ending of the encounter, if there is one.
    #[cold]
    #[inline(never)]
    fn play_occasions_until(&mut self, last: Marks) -> Option<Ending> {
        for mark in (last..self.state.clock.mark).rev() {
            // A combatant that has come in may be due before this Mark.
            if self.state.clock.agenda.next_mark() > Some(mark) {
                break;
            }
            let mut occasions = self.plan.fight.occasions();
            if occasions.all(|one| one.mark != Some(mark)) {
                continue;
            }
            let mut decided = self.go_to_mark(mark);
            if self.state.clock.mark != mark {
                return decided;
            }
            if decided.is_none() {
                let before = self.chase_distance();
                self.play_occasions_at(mark);
                decided = self.decided().or_else(|| self.ends_since(before));
            }
            if decided.is_none() {
                self.renew_free_actions();
                decided = self.anytime_between();
            }
            if decided.is_some() {
                return decided;
            }
            if self.state.clock.agenda.next_mark() >= Some(mark) {
                break;
            }
        }
        None
    }

    /// Plays reserves and hazards at a Mark: reserves come in (W-12), then hazards strike (W-14).
    pub(super) fn play_occasions_at(&mut self, mark: Marks) {
        for who in members(self.enter(Some(mark))) {
            self.join_round(who);
        }
        self.strike_hazards(Some(mark));
    }

    /// Plays the due events of the combatants first in order at this Mark. Returns whether a combatant fell.
    #[inline(always)]
    pub(super) fn instant(&mut self) -> bool {
        let before = self.state.world.standing();
        self.renew_free_actions();
        let group = self
            .state
            .clock
            .agenda
            .take(self.state.clock.mark, &self.plan.clock.peers);
        if self.counts_turns() {
            self.begin_turns(group);
        }
        if group & group.wrapping_sub(1) == 0 {
            let place = group.trailing_zeros() as usize % MAX_COMBATANTS;
            let who = usize::from(self.plan.clock.by_rank[place]);
            if !self.is_walking(who) || !self.walks_on(who, false) {
                self.alone(who, false);
            }
        } else {
            self.tied(group);
        }
        self.state.world.standing() != before
    }

    /// Begins the turns of the combatants of a group whose Scores have come (W-11). `group` is a set of places in the
    /// order of TC-20.
    #[cold]
    #[inline(never)]
    fn begin_turns(&mut self, group: u64) {
        let mark = self.state.clock.mark;
        for place in members(group) {
            let who = usize::from(self.plan.clock.by_rank[place]);
            let actor = self.actor(who);
            let comes = actor.wake == mark && !actor.flags.any(flags::BEGUN);
            if comes && self.world().stands(who) {
                self.actor_mut(who).flags.add(flags::BEGUN);
                self.reach_turn_of(who, true);
            }
        }
    }

    /// Returns whether a step of `who` is due.
    #[inline(always)]
    fn is_walking(&self, who: usize) -> bool {
        let actor = self.actor(who);
        matches!(actor.doing, Doing::Moving(_))
            && actor.wake == self.state.clock.mark
            && self.world().stands(who)
            && !self.is_simple()
    }

    /// Plays one combatant at one Mark: its own due effects come before its next decision (TC-20). `tied` is whether it
    /// shares its place in the order with others.
    fn alone(&mut self, who: usize, tied: bool) {
        let mut standing = self.state.world.standing();
        if standing & bit(who) == 0 {
            return;
        }
        self.actor_mut(who).free_actions = 0;
        loop {
            let actor = self.actor(who);
            if actor.spell.is_some() && self.spell_due(who) {
                self.spell_effect(who);
            } else if actor.wake != self.state.clock.mark {
                break;
            } else {
                match actor.doing {
                    Doing::Moving(_) => {
                        // For a combatant that is not tied, `instant` has tried this.
                        if (tied || self.is_simple()) && self.walks_on_amid(who, tied) {
                            if self.is_simple() {
                                continue;
                            }
                            return;
                        }
                        let unit = self.due_step(who);
                        self.step_due(who, unit);
                    }
                    Doing::Attacking(_) => self.attack_due(who),
                    Doing::Deciding => match self.decide(who) {
                        Some(choice) => self.begin(who, choice),
                        None => self.pass(who),
                    },
                    Doing::Nothing | Doing::Channelling { .. } => break,
                }
            }
            if self.is_decided_since(&mut standing) {
                return;
            }
            self.anytime();
            if standing & bit(who) == 0 || !PLAIN && self.is_decided_since(&mut standing) {
                return;
            }
        }
        if self.actor(who).spell.is_some() {
            self.watch_spell(who);
        } else if self.actor(who).channelling() && (!tied || self.state.clock.mark == 0) {
            self.watch_channel(who);
        }
        self.anytime();
    }

    /// Returns the combatants of a set that have an effect due or a decision to make at this Mark.
    #[inline]
    fn active(&self, set: u64) -> u64 {
        let standing = members(set & self.state.world.standing());
        set_of(standing.filter(|who| self.is_active(*who)))
    }

    /// Returns whether `who`, which stands, has an effect due or a decision to make at this Mark.
    #[inline]
    fn is_active(&self, who: usize) -> bool {
        let actor = self.actor(who);
        let acts = match actor.doing {
            // A stunned combatant only passes: it does not act together with others (W-5).
            Doing::Deciding if self.is_stunned(who) => false,
            Doing::Deciding | Doing::Moving(_) | Doing::Attacking(_) => {
                actor.wake == self.state.clock.mark
            }
            Doing::Channelling { .. } => self.state.clock.mark == 0,
            Doing::Nothing => false,
        };
        acts || self.spell_due(who)
    }

    /// Plays several combatants that no tie-break separates. `group` is a set of places in the order of TC-20.
    fn tied(&mut self, group: u64) {
        let mut all = 0;
        for place in members(group) {
            let who = usize::from(self.plan.clock.by_rank[place]);
            self.actor_mut(who).free_actions = 0;
            all |= bit(who);
            // Whether a Channel breaks is decided in the state in which the others choose (W-5).
            if self.state.clock.mark > 0
                && self.actor(who).channelling()
                && self.world().stands(who)
            {
                self.watch_channel(who);
            }
        }
        // So is whether Combat Casting is used during a spell (TC-14).
        let may_be_asked = |who: &usize| self.may_use_skill(*who) && !self.spell_due(*who);
        let skilled = self.plan.clock.skilled;
        let may_use_skill = set_of(members(all & skilled).filter(may_be_asked));
        let skills = self.skills_wanted(may_use_skill);
        let (active, busy) = match self.go_on_together(all) {
            Some(0) => return,
            Some(busy) => (all, busy),
            None => {
                let active = self.active(all);
                (active | set_of(skills.iter().map(|one| one.0)), active)
            }
        };
        if active.count_ones() > 1 {
            self.simultaneously(active, busy, skills);
        } else {
            self.use_skills(skills);
        }
        // Combatants that only watch, or act on their own, take their slots one after the other.
        let mut begun = 0;
        for place in members(group) {
            let who = usize::from(self.plan.clock.by_rank[place]);
            if self.decided().is_some() {
                return;
            }
            if may_use_skill & bit(who) != 0 && !self.is_active(who) {
                self.watch_on(who);
            } else if active.count_ones() > 1 && active & bit(who) != 0 {
                begun |= bit(who);
            } else {
                self.alone(who, true);
            }
        }
        // Those that have begun a spell in this tie are asked about it in the same state.
        let begun = begun & self.world().standing();
        let skills = self.skills_wanted(begun);
        let moving = set_of(skills.iter().map(|one| one.0));
        for who in members(begun & skilled & !moving) {
            self.watch_on(who);
        }
        self.use_skills(skills);
    }

    /// Returns those of a set that use Combat Casting in the present state, with line and target (TC-14).
    fn skills_wanted(&self, set: u64) -> Skills<'a> {
        members(set & self.plan.clock.skilled & self.world().standing())
            .filter_map(|who| Some((who, self.skill_wanted(who)?)))
            .collect()
    }

    /// Lets combatants use Combat Casting as they have chosen, in file order.
    fn use_skills(&mut self, skills: Skills<'a>) {
        let used = !skills.is_empty();
        for (who, (line, target)) in skills {
            if self.decided().is_none() {
                self.use_skill(who, line, target);
            }
        }
        if used {
            self.anytime();
        }
    }

    /// Plays simultaneous combatants beat by beat (W-5); `busy` are those that still have something to do. In each beat
    /// all choose in the same state, unless an effect of their own is due first. Then everything but moves is carried
    /// out, then moves by CAR and charges, and then the steps. The pending damage counts when none of the combatants has anything left at this Mark.
    /// In a Simple Round the beats are the actions of TC-21, and a move goes Unit by Unit.
    fn simultaneously(&mut self, active: u64, mut busy: u64, mut skills: Skills<'a>) {
        self.state.put_off.together = active;
        let mut standing = 0;
        if busy == 0 {
            self.use_skills(std::mem::take(&mut skills));
        }
        'beats: while busy != 0 {
            let mut lasting = 0;
            for who in members(busy) {
                let part = self.part(who);
                if matches!(part, Part::Choice(choice) if choice.what.lasts()) {
                    lasting |= bit(who);
                }
                let here = self.world().position(who);
                let actor = self.actor_mut(who);
                actor.beat = Beat {
                    part,
                    here,
                    cars: actor.cars,
                };
            }
            for who in members(lasting) {
                self.begin_what_lasts(who);
            }
            let (mut dashing, mut moving) = (0, 0);
            for who in members(busy) {
                if !self.world().stands(who) {
                    continue;
                }
                if self.is_decided_since(&mut standing) {
                    break 'beats;
                }
                match self.actor(who).beat.part {
                    Part::Spell => {
                        if self.state.clock.mark == 0 && self.actor(who).channelling() {
                            self.watch_channel(who);
                        } else {
                            self.spell_effect(who);
                        }
                    }
                    Part::Attack => self.attack_due(who),
                    Part::Pass => self.pass(who),
                    Part::Step => moving |= bit(who),
                    Part::Choice(choice) if choice.what.moves_at_once() => dashing |= bit(who),
                    Part::Choice(choice) => {
                        self.actor_mut(who).beat.part = Part::Nothing;
                        self.begin(who, choice);
                    }
                    Part::Free(line, action) => self.act_freely(who, line.into(), action),
                    Part::Nothing => {}
                }
            }
            self.fall_together();
            // A move by CAR or a charge leaves no attack of the beat without its target (W-5).
            for who in members(dashing) {
                if self.is_decided_since(&mut standing) {
                    break 'beats;
                }
                if let Part::Choice(choice) = self.actor(who).beat.part
                    && self.world().stands(who)
                {
                    self.actor_mut(who).beat.part = Part::Nothing;
                    self.begin(who, choice);
                }
            }
            self.fall_together();
            if self.is_decided_since(&mut standing) {
                break;
            }
            let mut brought = moving;
            for who in members(moving) {
                self.actor_mut(who).beat.here = self.world().position(who);
                // A CAR move has ended this move, and Set the mover (TC-16).
                if matches!(self.actor(who).doing, Doing::Moving(step) if step.cut_short) {
                    brought &= !bit(who);
                }
            }
            // A combatant that answers with a CAR move in the meantime is Set by it.
            let due = members(self.steps(moving) & brought)
                .filter(|who| self.actor(*who).cars == self.actor(*who).beat.cars);
            self.meet(set_of(due));
            // Combat Casting is a move, chosen in the state of the first beat (TC-14).
            self.use_skills(std::mem::take(&mut skills));
            // Only a combatant's own actions leave it more to do at the same Mark.
            busy = self.active(busy);
        }
        for who in members(active) {
            self.actor_mut(who).beat = Beat::default();
        }
        self.settle();
        self.anytime();
    }

    /// Begins a move, a Channel or a spell that `who` has chosen in this beat. A move counts from its beginning (TC-5),
    /// so a CAR move in answer to the others of the beat ends it (TC-16). A combatant that channels or casts makes no
    /// such answer (TC-15, TC-16).
    fn begin_what_lasts(&mut self, who: usize) {
        let Part::Choice(choice) = self.actor(who).beat.part else {
            return;
        };
        self.begin(who, choice);
        let part = match choice.what {
            // In a Simple Round the first step and a spell that the Marks cover come in this beat (TC-21).
            ChosenAction::Move { .. } if self.is_simple() => Part::Step,
            ChosenAction::Do(Deed::Cast { .. }) if self.is_simple() && self.spell_due(who) => {
                Part::Spell
            }
            _ => Part::Nothing,
        };
        self.actor_mut(who).beat.part = part;
    }

    /// Begins an attack that `who` has chosen in this beat, before it answers another choice of the beat with a CAR move:
    /// then the first attack of the volley is made in either file order (W-5, TC-16). Returns whether it can still
    /// answer.
    #[inline(never)]
    pub(super) fn attack_before_answer(&mut self, who: usize) -> bool {
        if let Part::Choice(choice) = self.actor(who).beat.part
            && matches!(choice.what, ChosenAction::Attack { .. })
        {
            self.actor_mut(who).beat.part = Part::Nothing;
            self.begin(who, choice);
        }
        self.world().stands(who) && self.decided().is_none()
    }

    /// Returns what an active combatant does next.
    fn part(&mut self, who: usize) -> Part {
        if self.spell_due(who) || self.actor(who).channelling() {
            return Part::Spell;
        }
        match self.actor(who).doing {
            Doing::Moving(_) => Part::Step,
            Doing::Attacking(_) => Part::Attack,
            _ => match self.chosen_anytime(who) {
                Some((line, action)) => Part::Free(line as u8, action),
                None => self.decide(who).map_or(Part::Pass, Part::Choice),
            },
        }
    }

    /// Returns whether a mover of this beat stands elsewhere than before its steps.
    fn has_moved(&self, who: usize) -> bool {
        self.world().position(who) != self.actor(who).beat.here
    }

    /// Marks movers that the steps of this beat brought together as having moved into melee, regardless of file order.
    /// A mover whose own step was spent counts too. Steps at the same instant exempt no mover from a Set (TC-9).
    fn meet(&mut self, movers: u64) {
        let entered = flags::ENTERED.and(flags::MELEE_UNSET);
        for mover in members(movers) {
            let foes = movers & self.plan.constants.foes(mover);
            if foes == 0 {
                continue;
            }
            let reach = self.body(mover).reach;
            for other in members(self.world().within(mover, foes, reach)) {
                let apart = (self.actor(mover).beat.here - self.actor(other).beat.here).abs();
                if apart > reach {
                    self.actor_mut(mover).flags.add(entered);
                } else if [mover, other].iter().all(|who| self.has_moved(*who)) {
                    self.actor_mut(mover).flags.add(flags::MELEE_UNSET);
                }
            }
        }
    }
}

/// Combatants that use Combat Casting, each with its line and its target.
type Skills<'a> = Vec<(usize, (&'a Line, u8))>;
