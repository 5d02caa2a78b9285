//! Attacks, damage and counters (TC-8, TC-11, TC-13, TC-18, TC-22).

use super::state::{Doing, Volley};
use super::{Encounter, flags};
use crate::sim::prelude::*;

/// The highest natural face that makes a Desperate Shot miss (TC-11).
const DESPERATE_MISS: u32 = 5;

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Begins an attack action with its first attack; in a Simple Round all of them come at once
    /// (TC-7, TC-8, TC-21).
    pub(super) fn begin_attacks(&mut self, who: usize, mut volley: Volley) {
        let unsettled = self.actor(who).flags.any(flags::UNSETTLED);
        self.spend(who, Cost::Full);
        let plan = self.plan;
        let weapon = &self.combatant(who).weapons[usize::from(volley.weapon)];
        let melee = weapon.kind == WeaponKind::Melee;
        let melee_unsets = plan.rules.melee_unsets;
        let most = plan.rules.attack_actions;
        let actor = self.actor_mut(who);
        actor.attack_actions = actor.attack_actions.saturating_add(1);
        if actor.attack_actions >= most {
            actor.flags.add(flags::SPENT);
        }
        actor.flags.add(flags::SKILL_UNSET);
        if melee {
            if melee_unsets {
                actor.flags.add(flags::SHOT_UNSET);
            }
        } else {
            // A ranged attack was the last action, so the combatant is Set (TC-10, TC-11). It does not prevent a
            // further volley, where the rules allow one.
            actor.flags.drop(flags::SHOT_UNSET.and(flags::SPOILED));
            if !unsettled {
                actor.flags.drop(flags::UNSETTLED);
            }
        }
        self.note(Event::AttackAction {
            who,
            target: usize::from(volley.target),
            weapon: usize::from(volley.weapon),
            attacks: usize::from(volley.attacks),
            kind: volley.kind(),
        });
        let all = usize::from(volley.attacks);
        let begun = Marks::from(volley.begun);
        let is_made = |offset: &u8| begun > Marks::from(*offset);
        let offsets = &weapon.spacing(volley.set)[..all];
        // Offsets rise.
        if !self.is_simple() && !offsets.last().is_none_or(is_made) {
            let made = offsets.iter().filter(|offset| is_made(offset)).count();
            volley.attacks = made as u8;
            self.counts(who).attacks_forfeited += (all - made) as u32;
            self.note(Event::Forfeited {
                who,
                attacks: all - made,
            });
        }
        let mark = self.state.clock.mark;
        let actor = self.actor_mut(who);
        actor.doing = Doing::Attacking(volley);
        actor.wake = mark;
        if self.is_simple() {
            while let Doing::Attacking(_) = self.actor(who).doing
                && self.decided().is_none()
            {
                self.attack_due(who);
            }
            return;
        }
        self.attack_due(who);
    }

    /// Makes the attack that is due and goes on to the next (W-4: the target is kept, or replaced
    /// by the same rule if it fell or left reach).
    pub(super) fn attack_due(&mut self, who: usize) {
        let Doing::Attacking(volley) = self.actor(who).doing else {
            return;
        };
        let index = usize::from(volley.weapon);
        let weapon = &self.combatant(who).weapons[index];
        let kept = usize::from(volley.target);
        // A counter between two attacks may have used up the weapon.
        let is_in_hand = self.holds_weapon(who, index);
        let target = self.keep_or_replace(who, kept, self.range(who, index), || {
            self.aim(who, volley.line)
        });
        let target = target.filter(|_| is_in_hand);
        let next = volley.next + 1;
        if let Some(target) = target {
            if let Doing::Attacking(volley) = &mut self.actor_mut(who).doing {
                volley.target = target as u8;
                volley.next = next;
            }
            self.attack(who, target, index, volley.kind(), volley.mastery);
            // A counter may have felled the attacker.
            if self.world().is_out(who) {
                return;
            }
        } else {
            if let Doing::Attacking(volley) = &mut self.actor_mut(who).doing {
                volley.next = next;
            }
            self.lose_attack(who, index, false);
        }
        let (mark, begun) = (self.state.clock.mark, Marks::from(volley.begun));
        let after = |marks: Marks| {
            if self.is_simple() {
                mark
            } else {
                begun - marks
            }
        };
        if next >= volley.attacks {
            // Custom offsets may reach beyond the Marks of a Full Action.
            let free = after(self.cost(Cost::Full)).min(mark);
            self.free_at(who, free);
            return;
        }
        let wake = after(weapon.spacing(volley.set)[usize::from(next)].into());
        self.actor_mut(who).wake = wake;
        if wake < mark {
            self.wake_at(who, wake);
        }
    }

    /// Makes one attack (TC-22), and the counter to it (TC-18).
    pub(super) fn attack(
        &mut self,
        who: usize,
        target: usize,
        weapon: usize,
        kind: AttackKind,
        mastery: bool,
    ) {
        if self.is_in_words(who, weapon) {
            self.attack_by::<true>(who, target, weapon, kind, mastery);
        } else {
            self.attack_by::<false>(who, target, weapon, kind, mastery);
        }
    }

    fn attack_by<const WORDS: bool>(
        &mut self,
        who: usize,
        target: usize,
        weapon: usize,
        kind: AttackKind,
        mastery: bool,
    ) {
        let arms = &self.combatant(who).weapons[weapon];
        self.count_attack(who, (weapon, arms), self.elapsed());
        let mastery = if mastery { arms.mastery } else { 0 };
        let mut question = self.question(who, target, mastery);
        if kind == AttackKind::Desperate {
            question.spoils = DESPERATE_MISS;
        }
        let attempt = self.resolve_attack::<WORDS>(question, target, (weapon, arms), kind);
        self.anytime_amid();
        let is_missed = !attempt.works && arms.kind == WeaponKind::Melee;
        if is_missed && self.plan.profiles[target].counters {
            self.counter(target, who);
        }
    }

    /// Lets `who` counter the miss of `attacker`, if it can (TC-18).
    #[inline(never)]
    fn counter(&mut self, who: usize, attacker: usize) {
        let actor = self.actor(who);
        if actor.counters >= self.plan.rules.counters_per_round
            || actor.channelling()
            || self.body(who).prone
            || !self.world().stands(who)
            || self.is_stunned(who)
            || !self.world().stands(attacker)
            // A free action between the miss and its counter may have decided the encounter (W-8).
            || !PLAIN && self.decided().is_some()
        {
            return;
        }
        let distance = self.world().distance(who, attacker);
        let Some(weapon) = self.melee_weapon(&self.view(who), distance) else {
            return;
        };
        self.actor_mut(who).counters += 1;
        self.actor_mut(who).flags.add(flags::STIRRED);
        self.attack(
            who,
            attacker,
            usize::from(weapon),
            AttackKind::Counter,
            true,
        );
    }
}
