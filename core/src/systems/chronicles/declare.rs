//! Actions and kinds of turn that are declared as a Round begins (`fight::turns::Declare`).

use super::state::Declaration;
use super::{Encounter, Plan};
use crate::fight::budget::Amounts;
use crate::fight::turns::Declare;
use crate::sim::order::foremost;
use crate::sim::prelude::*;

/// What each kind of turn holds, where kinds are declared.
fn kinds(plan: &Plan) -> Option<&[Amounts]> {
    match &plan.rules.turns.declare {
        Declare::Turns(kinds) => Some(kinds),
        _ => None,
    }
}

/// The lines by which a combatant declares. Without `declare` lines its decisions say what it is to do.
fn declaring(combatant: &Combatant) -> &[Line] {
    let written = combatant.policy.at(Window::Declare);
    if written.is_empty() {
        combatant.policy.decisions()
    } else {
        written
    }
}

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'a, C, O, PLAIN> {
    /// Lets all combatants declare their turns of a Round that begins.
    pub(super) fn declare_turns(&mut self) {
        let declare = &self.plan.rules.turns.declare;
        if *declare == Declare::Nothing {
            return;
        }
        let here = self.state.world.here();
        for who in members(here) {
            self.actor_mut(who).declared = Declaration::default();
        }
        let mut order: Vec<usize> = self.state.places.in_order(here).collect();
        if *declare == Declare::SlowToFast {
            order.reverse();
            for who in order {
                self.set_declared(who, self.declaration(who));
            }
            return;
        }
        // None of them knows what the others declare.
        let all: Vec<Declaration> = order.iter().map(|who| self.declaration(*who)).collect();
        for (who, declared) in order.into_iter().zip(all) {
            self.set_declared(who, declared);
        }
    }

    fn set_declared(&mut self, who: usize, declared: Declaration) {
        self.actor_mut(who).declared = declared;
        if O::LISTENS
            && let Some(line) = self.declared_line(who)
        {
            if self.combatant(who).policy.at(Window::Declare).is_empty() {
                let line = line.number.into();
                self.note(Event::Declares { who, line });
            } else {
                self.report_decision(who, line);
            }
        }
    }

    /// What a combatant declares: by the first line that is possible now, or else the first whose condition holds, as it
    /// may come to that by a move.
    fn declaration(&self, who: usize) -> Declaration {
        let view = self.view(who);
        let mut usual = Declaration::default();
        for (line, number) in declaring(view.combatant).iter().zip(1..) {
            let (action, aim) = match &line.action {
                Action::Declare(feat) => (&feat.action, feat.aim),
                Action::Ready(_) | Action::Await { .. } => continue,
                action => (action, line.aim),
            };
            let deed = match action {
                Action::DeclareTurn(_) | Action::Pass => None,
                action if action.takes_action() => Some(self.deed(&view, action, (aim, None))),
                _ => continue,
            };
            let possible = deed.and_then(Result::ok);
            let target = possible.and_then(Deed::target);
            let target = target.filter(|target| *target != who);
            let target = target.map(|target| (target, self.world().distance(who, target)));
            if !self.holds(&view, &line.condition, target) {
                continue;
            }
            let weapon = match (possible, action) {
                (Some(Deed::Attack { weapon, .. }), _) => weapon,
                (_, Action::Attack(Some(weapon))) => *weapon,
                _ => 0,
            };
            let line = number;
            if deed.is_none() || possible.is_some() {
                return Declaration { line, weapon };
            } else if usual.line == 0 {
                usual = Declaration { line, weapon };
            }
        }
        usual
    }

    /// The line by which a combatant has declared its turns of the Round.
    fn declared_line(&self, who: usize) -> Option<&'a Line> {
        let lines = declaring(&self.plan.fight.combatants[who]);
        lines.get(usize::from(self.actor(who).declared.line.checked_sub(1)?))
    }

    /// The action that a combatant has declared.
    fn declared_action(&self, who: usize) -> Option<&'a Action> {
        self.declared_line(who).map(|line| match &line.action {
            Action::Declare(feat) => &feat.action,
            action => action,
        })
    }

    /// The time by which a declared action moves a place.
    pub(super) fn declared_time(&self, who: usize) -> i32 {
        let budget = self
            .budget()
            .filter(|_| self.plan.rules.turns.declares_actions());
        let time = budget.map_or(0, |budget| match self.declared_action(who) {
            None | Some(Action::Pass) => budget.pass,
            Some(Action::Attack(_)) => self.declared_weapon(who).turn_price.time,
            Some(action) => budget.least_price(self.combatant(who), action).time,
        });
        time.into()
    }

    fn declared_weapon(&self, who: usize) -> &Weapon {
        &self.combatant(who).weapons[usize::from(self.actor(who).declared.weapon)]
    }

    /// The kind of turn that a combatant has declared; without a declaration the last.
    fn kind_of_turn(&self, who: usize, kinds: &[Amounts]) -> usize {
        match self.declared_line(who).map(|line| &line.action) {
            Some(Action::DeclareTurn(kind)) => (*kind).into(),
            _ => kinds.len() - 1,
        }
    }

    /// What a turn of a combatant holds, where kinds of turn are declared.
    pub(super) fn amounts_of_turn(&self, who: usize) -> Option<&'a Amounts> {
        let kinds = kinds(self.plan)?;
        kinds.get(self.kind_of_turn(who, kinds))
    }

    /// Those of a set who have declared the first kind of turn in it.
    pub(super) fn of_first_kind(&self, set: u64) -> u64 {
        kinds(self.plan).map_or(set, |kinds| {
            foremost(set, |who| -(self.kind_of_turn(who, kinds) as i64))
        })
    }

    /// Checks that an action is what its combatant has declared.
    pub(super) fn is_as_declared(&self, who: usize, deed: Deed) -> Result<(), Obstacle> {
        if !self.plan.rules.turns.declares_actions() {
            return Ok(());
        }
        let is_it = match (self.declared_action(who), deed) {
            (Some(Action::Attack(_)), Deed::Attack { weapon, .. }) => {
                weapon == self.actor(who).declared.weapon
            }
            (Some(Action::Cast(spell)), Deed::Cast { spell: other, .. }) => *spell == other,
            (Some(Action::Use(item)), Deed::Use { item: other, .. }) => *item == other,
            (Some(Action::Draw(weapon)), Deed::Draw(other)) => {
                weapon.is_none_or(|weapon| weapon == other)
            }
            (Some(Action::Stand), Deed::Stand) => true,
            _ => false,
        };
        is_it.then_some(()).ok_or(Obstacle::Undeclared)
    }

    /// Whether a combatant has declared an attack or a spell.
    pub(super) fn is_attacking(&self, who: usize) -> bool {
        let declared = self.declared_action(who);
        self.plan.rules.turns.declares_actions()
            && matches!(declared, Some(Action::Attack(_) | Action::Cast(_)))
    }
}
