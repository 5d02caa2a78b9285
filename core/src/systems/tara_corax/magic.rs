//! Spells, Combat Casting and Channels (TC-12 to TC-15).

use super::rules::ALWAYS;
use super::state::{Doing, MarkActor, Move, Underway};
use super::{Encounter, flags};
use crate::sim::prelude::*;

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'a, C, O, PLAIN> {
    /// Begins a spell (TC-12). Marks that do not fit into this Round carry over.
    pub(super) fn cast(&mut self, who: usize, spell: usize, target: usize, line: u16) {
        let combatant = self.combatant(who);
        let casting_time = combatant.spells[spell].casting_time;
        let busy = casting_time.max(self.cost(Cost::Full));
        let skilled = self.plan.clock.traits[who].combat_casting.is_some()
            && combatant.policy.moves_while_casting();
        let now = self.marks_until_the_end(who);
        let owed = casting_time - now;
        let (rounds, mark) = if owed <= 0 {
            (
                0,
                if self.is_simple() {
                    self.state.clock.mark
                } else {
                    -owed
                },
            )
        } else {
            let length = self.plan.rules.round_marks;
            let rounds = (owed + length - 1) / length;
            (rounds as u32, rounds * length - owed)
        };
        let actor = self.actor_mut(who);
        let may_move = skilled && !actor.flags.any(flags::SKILL_UNSET);
        actor.marks = (actor.marks - busy).max(0);
        actor.debt = (busy - now).max(0);
        actor.spell = Some(Underway {
            spell: spell as u8,
            target: target as u8,
            line,
            mark,
            rounds,
            may_move,
        });
        self.did_something(who);
        self.counts(who).spells_cast += 1;
        self.pay(who, &self.combatant(who).spells[spell].price);
        self.note(Event::Cast {
            who,
            spell,
            target,
            mark,
            rounds,
        });
        if self.is_simple() {
            self.free_at(who, self.state.clock.mark);
        } else {
            if rounds == 0 {
                self.wake_at(who, mark);
            }
            self.free_at(who, now - busy);
        }
    }

    /// Brings a spell that is still under way one Round nearer, at the beginning of a Round.
    pub(super) fn resume_spell(&mut self, who: usize) {
        let Some(spell) = &mut self.actor_mut(who).spell else {
            return;
        };
        spell.rounds -= 1;
        let (rounds, mark, may_move) = (spell.rounds, spell.mark, spell.may_move);
        if rounds == 0 {
            self.wake_at(who, mark);
        }
        if may_move {
            self.wake_at(who, self.plan.rules.round_marks);
        }
    }

    /// Returns whether a spell of `who` goes off at this Mark.
    #[inline]
    pub(super) fn spell_due(&self, who: usize) -> bool {
        self.actor(who)
            .spell
            .is_some_and(|spell| spell.rounds == 0 && spell.mark == self.state.clock.mark)
    }

    /// Lets a spell go off, at its target or another one chosen by the same rule. Without a target it is wasted
    /// (TC-12).
    pub(super) fn spell_effect(&mut self, who: usize) {
        let Some(underway) = self.actor_mut(who).spell.take() else {
            return;
        };
        self.take_effect(
            who,
            usize::from(underway.spell),
            usize::from(underway.target),
            underway.line,
        );
    }

    fn take_effect(&mut self, who: usize, index: usize, target: usize, line: u16) {
        let spell = &self.combatant(who).spells[index];
        let aim = self.aim(who, line);
        let Some(target) = self.keep_or_replace(who, target, spell.range, || aim) else {
            self.note(Event::Wasted { who, spell: index });
            return;
        };
        self.note(Event::Effect {
            who,
            spell: index,
            target,
        });
        let mut attempt = None;
        if let Some(check) = &spell.check {
            let question = self.spell_question(who, target, spell);
            let made = self.attempt(question, check);
            self.report_spell_check(&question, target, index, made);
            attempt = Some(made);
        }
        if attempt.is_none_or(|attempt| spell.comes(&attempt)) {
            self.release(who, target, spell, attempt);
        }
    }

    /// Applies a hit with damage to a spell or Channel: it may fizzle a spell (TC-13) or, as an option, break a
    /// Channel.
    pub(super) fn disturb_spell(&mut self, who: usize) {
        if let Some(underway) = self.actor(who).spell {
            let spell = usize::from(underway.spell);
            let chance = self.plan.rules.fizzle_chance;
            let fizzles = match chance {
                0 => false,
                ALWAYS.. => true,
                _ => self.chance.happens(who, Purpose::Other, chance),
            };
            if fizzles {
                self.fizzle(who);
            } else {
                self.note(Event::Concentrates { who, spell });
            }
        }
        if self.plan.rules.channel_damage_breaks && self.actor(who).channelling() {
            self.break_channel(who);
        }
    }

    /// Ends the spell that is being cast, without effect.
    pub(super) fn fizzle(&mut self, who: usize) {
        if let Some(underway) = self.actor_mut(who).spell.take() {
            self.counts(who).spells_fizzled += 1;
            let spell = usize::from(underway.spell);
            self.note(Event::Fizzle { who, spell });
        }
    }

    /// Uses Combat Casting if the policy wants it now (TC-14), otherwise looks again a Mark later. Called in the
    /// caster's slot at each Mark between start and effect.
    pub(super) fn watch_spell(&mut self, who: usize) {
        match self.skill_wanted(who) {
            Some((line, target)) => self.use_skill(who, line, target),
            None => self.watch_on(who),
        }
    }

    /// Lets `who` look a Mark later whether it wants Combat Casting.
    pub(super) fn watch_on(&mut self, who: usize) {
        let next = self.state.clock.mark - 1;
        let lasts = |spell: Underway| spell.may_move && (spell.rounds > 0 || next > spell.mark);
        if next >= 1 && self.actor(who).spell.is_some_and(lasts) {
            self.wake_at(who, next);
        }
    }

    /// Returns whether Combat Casting may still be used at this Mark.
    pub(super) fn may_use_skill(&self, who: usize) -> bool {
        let spell = self.actor(who).spell;
        self.state.clock.mark >= 1 && spell.is_some_and(|spell| spell.may_move)
    }

    /// Returns the line by which `who` uses Combat Casting now, if any, and its target.
    pub(super) fn skill_wanted(&self, who: usize) -> Option<(&'a Line, u8)> {
        if !self.may_use_skill(who) {
            return None;
        }
        let lines = self.combatant(who).policy.at(Window::Casting);
        let mut wanted = lines
            .iter()
            .filter_map(|line| Some((line, self.combat_casting(who, line)?)));
        wanted.next()
    }

    /// Uses Combat Casting by a line, unless the spell has ended or the use is spent since it was chosen.
    pub(super) fn use_skill(&mut self, who: usize, line: &Line, target: u8) {
        if !self.world().is_out(who) && self.may_use_skill(who) {
            self.report_line(who, line);
            self.counts(who).decisions += 1;
            self.move_by_skill(who, target, line);
        }
    }

    /// Returns the target of the move that a `combat_cast` line would make now (TC-14), if the line holds and a Unit
    /// could be made.
    pub(super) fn combat_casting(&self, who: usize, line: &Line) -> Option<u8> {
        self.plan.clock.traits[who].combat_casting.as_ref()?;
        let held = self.body(who).prone || self.world().is_stunned(who);
        if held || self.move_left(who) < 1 {
            return None;
        }
        let target = self.select(who, line.aim, 0, Units::MAX)?;
        self.next_unit(who, &self.skilled_move(who, target as u8, line))?;
        let about = Some((target, self.world().distance(who, target)));
        let holds = self.holds(&self.view(who), &line.condition, about);
        holds.then_some(target as u8)
    }

    /// Returns the move of a `combat_cast` line, its Units still unknown.
    fn skilled_move(&self, who: usize, target: u8, line: &Line) -> Move {
        let advance = matches!(line.action, Action::CombatCast { advance: true });
        Move::new(target, 0, advance, self.usual_stop(who, advance), 0)
    }

    /// Rolls the check of Combat Casting, and makes the Units that it gives (TC-14).
    pub(super) fn move_by_skill(&mut self, who: usize, target: u8, line: &Line) {
        let plan = self.plan;
        let (step, aim) = (self.skilled_move(who, target, line), line.aim);
        let Some(skill) = &plan.clock.traits[who].combat_casting else {
            return;
        };
        let total = skill.check.roll(&mut self.roller(who, Purpose::Other));
        let units = skill.units(total);
        self.note(Event::CombatCast {
            who,
            total,
            units: units as Units,
            sum: Sum::new(skill.check.added()),
        });
        if let Some(spell) = &mut self.actor_mut(who).spell {
            spell.may_move = false;
        }
        self.actor_mut(who).flags.add(flags::STIRRED);
        self.move_at_once(
            who,
            Move {
                left: units as u16,
                ..step
            },
            MoveKind::CombatCasting,
            |here| here.select(who, aim, 0, Units::MAX),
        );
    }

    /// Begins a Channel: it takes all Marks of the Round and takes effect at Mark 0 (TC-15).
    pub(super) fn channel(&mut self, who: usize, spell: usize, target: usize, line: u16) {
        self.did_something(who);
        let since = self.state.clock.mark;
        let actor = self.actor_mut(who);
        let left = std::mem::take(&mut actor.marks);
        actor.wake = -1;
        actor.doing = Doing::Channelling {
            spell: spell as u8,
            target: target as u8,
            line,
            since,
            left,
        };
        self.counts(who).spells_cast += 1;
        self.pay(who, &self.combatant(who).spells[spell].price);
        self.note(Event::Channel { who, spell, target });
        self.wake_at(who, 0);
        self.look_out(who, line);
    }

    /// Makes a Channel with a condition of its own look again a Mark later.
    fn look_out(&mut self, who: usize, line: u16) {
        let line = self.line(who, line);
        let watches = matches!(line.action, Action::Channel { until: Some(_), .. });
        if watches && self.state.clock.mark > 1 {
            self.wake_at(who, self.state.clock.mark - 1);
        }
    }

    /// Plays the channeller's slot: the effect at Mark 0, the Channel's own condition before.
    pub(super) fn watch_channel(&mut self, who: usize) {
        let Doing::Channelling {
            spell,
            target,
            line,
            since,
            ..
        } = self.actor(who).doing
        else {
            return;
        };
        if self.state.clock.mark == 0 {
            self.actor_mut(who).doing = Doing::Nothing;
            self.take_effect(who, usize::from(spell), usize::from(target), line);
            return;
        }
        if self.state.clock.mark == since {
            return;
        }
        let decision = self.line(who, line);
        let Action::Channel {
            until: Some(until), ..
        } = &decision.action
        else {
            return;
        };
        let target = match usize::from(target) {
            kept if self.world().stands(kept) => Some(kept),
            _ => {
                let range = self.combatant(who).spells[usize::from(spell)].range;
                self.select(who, decision.aim, 0, range)
            }
        };
        let target = target.map(|target| (target, self.world().distance(who, target)));
        if self.holds(&self.view(who), until, target) {
            self.break_channel(who);
        } else {
            self.look_out(who, line);
        }
    }

    /// Returns the Marks left to spend. For a channeller, these are the Marks that have not gone by (TC-15).
    #[inline]
    pub(super) fn marks_left(&self, actor: &MarkActor) -> Marks {
        match actor.doing {
            Doing::Channelling { since, left, .. } => {
                (left - (since - self.state.clock.mark).max(0)).max(0)
            }
            _ => actor.marks,
        }
    }

    /// Breaks a Channel off: the Marks that have not gone by are left for moves and free actions.
    pub(super) fn break_channel(&mut self, who: usize) {
        let Doing::Channelling { spell, .. } = self.actor(who).doing else {
            return;
        };
        self.note(Event::ChannelBroken {
            who,
            spell: usize::from(spell),
        });
        let mark = self.state.clock.mark;
        let left = self.marks_left(self.actor(who));
        let actor = self.actor_mut(who);
        actor.flags.add(flags::BROKEN);
        actor.marks = left;
        self.free_at(who, mark);
        // The combatant's slot at this very Mark has begun or gone by, so it gets another one.
        if mark >= 1 {
            self.wake_at(who, mark);
        }
    }
}
