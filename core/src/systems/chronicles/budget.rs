//! Resources of a turn and their payment, where `[clock]` says what a turn holds (`fight::budget`). Without that a turn
//! has one action.

use super::choose::View;
use super::{Encounter, Plan, flags};
use crate::fight::budget::{Amounts, Budget, Paid, Price};
use crate::fight::turns::Phase;
use crate::sim::prelude::*;

/// Returns what the turns of a fight hold, where that is more than one action.
#[inline]
pub(super) fn budget(plan: &Plan) -> Option<&Budget> {
    plan.rules.turns.budget.as_ref()
}

/// The price of an action with this gear.
#[cold]
#[inline(never)]
fn price_of(budget: &Budget, combatant: &Combatant, deed: Deed) -> Price {
    match deed {
        Deed::Attack { weapon, .. } => combatant.weapons[usize::from(weapon)].turn_price,
        Deed::Cast { spell, .. } => combatant.spells[usize::from(spell)].turn_price,
        Deed::Use { item, .. } => combatant.items[usize::from(item)].turn_price,
        Deed::Draw(_) => budget.price(Paid::Draw),
        Deed::Stand => budget.price(Paid::Stand),
    }
}

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'a, C, O, PLAIN> {
    /// Whether a `[clock]` makes the turns of its own.
    #[inline]
    pub(super) fn is_own(&self) -> bool {
        !PLAIN && self.plan.clock.own
    }

    /// What the turns hold, where that is more than one action.
    #[inline]
    pub(super) fn budget(&self) -> Option<&'a Budget> {
        if PLAIN { None } else { budget(self.plan) }
    }

    /// What a combatant has left of each resource.
    #[cold]
    #[inline(never)]
    pub(super) fn left(&self, who: usize) -> Amounts {
        let spent = self.actor(who).spent;
        self.budget().map_or_else(Amounts::default, |budget| {
            let amounts = self.amounts_of_turn(who).unwrap_or(&budget.amounts);
            std::array::from_fn(|at| amounts[at].saturating_sub(spent[at]))
        })
    }

    /// Fills in the numbers of a decision.
    #[cold]
    #[inline(never)]
    pub(super) fn fill_left(&self, who: usize, values: &mut [i32]) {
        for (value, left) in values.iter_mut().zip(self.left(who)) {
            *value = left.into();
        }
    }

    /// Whether a combatant has enough left for a price.
    pub(super) fn can_pay(&self, who: usize, price: Price) -> bool {
        price.lacks(&self.left(who)).is_none()
    }

    /// Takes a price.
    #[cold]
    #[inline(never)]
    pub(super) fn pay_price(&mut self, who: usize, price: Price) {
        let actor = self.actor_mut(who);
        for (spent, amount) in actor.spent.iter_mut().zip(price.amounts) {
            *spent += amount;
        }
        actor.time += u32::from(price.time);
    }

    /// Returns an action that the rest of the turn pays, with its target. Of several weapons the first that it pays
    /// strikes.
    #[cold]
    #[inline(never)]
    pub(super) fn paid_deed(
        &self,
        view: &View<'_>,
        budget: &Budget,
        action: &Action,
        aim: Aim,
    ) -> Result<Deed, Obstacle> {
        if !matches!(action, Action::Attack(None)) {
            let deed = self.deed(view, action, (aim, None))?;
            let price = price_of(budget, view.combatant, deed);
            self.in_phase(view.who, deed)?;
            self.is_as_declared(view.who, deed)?;
            return self.may_pay(view.who, price).map(|()| deed);
        }
        let mut why = Obstacle::NoWeapon;
        for weapon in 0..view.combatant.weapons.len() {
            match self.paid_deed(view, budget, &Action::Attack(Some(weapon as u8)), aim) {
                Err(Obstacle::NoWeapon) => {}
                Err(obstacle) => why = obstacle,
                paid => return paid,
            }
        }
        Err(why)
    }

    /// Checks that an action may be readied: one at a time, if the rest of the turn pays for it.
    #[cold]
    #[inline(never)]
    pub(super) fn may_ready_again(&self, who: usize, budget: &Budget) -> Result<(), Obstacle> {
        if self.state.clock.readied & bit(who) != 0 {
            return Err(Obstacle::Waits);
        }
        if self.plan.rules.turns.declares_actions() {
            return Err(Obstacle::Undeclared);
        }
        self.may_pay(who, budget.price(Paid::Ready))
    }

    /// Checks that the rest of the turn pays a price.
    pub(super) fn may_pay(&self, who: usize, price: Price) -> Result<(), Obstacle> {
        let lacking = price.lacks(&self.left(who));
        lacking.map_or(Ok(()), |at| Err(Obstacle::LACKS[at]))
    }

    /// Takes the price of an action that begins.
    #[cold]
    #[inline(never)]
    pub(super) fn pay_for(&mut self, who: usize, deed: Deed) {
        if let Some(budget) = self.budget() {
            self.pay_price(who, price_of(budget, self.combatant(who), deed));
        }
    }

    /// Takes the price of readying an action.
    #[cold]
    #[inline(never)]
    pub(super) fn pay_for_readying(&mut self, who: usize) {
        if let Some(budget) = self.budget() {
            self.pay_price(who, budget.price(Paid::Ready));
        }
    }

    /// Gives back the price of an action that was not taken. Without a budget that is the action of the turn.
    #[cold]
    #[inline(never)]
    pub(super) fn pay_back(&mut self, who: usize, deed: Deed) {
        if let Some(budget) = self.budget() {
            let price = price_of(budget, self.combatant(who), deed);
            let actor = self.actor_mut(who);
            for (spent, amount) in actor.spent.iter_mut().zip(price.amounts) {
                *spent -= amount;
            }
            actor.time -= u32::from(price.time);
            if actor.spent != Amounts::default() {
                return;
            }
        }
        self.actor_mut(who).flags.drop(flags::ACTED);
    }

    /// Returns the Units that the moves of a turn come to at most: those that are paid, and those that it can still pay.
    /// Those of an interruption are its own.
    #[cold]
    #[inline(never)]
    pub(super) fn units_of_turn(&self, who: usize, budget: &Budget) -> Units {
        let (speed, actor) = (self.speed(who), self.actor(who));
        let interrupts = actor.readied_move.is_some() && self.interrupts(who);
        let moves = |kinds: u8| kinds & Phase::Move.bit() != 0;
        if !interrupts && !self.phase().is_none_or(moves) {
            return actor.moved;
        }
        let price = budget.price(Paid::Move);
        if price.is_free() || interrupts {
            return speed;
        }
        let parts = price.amounts.into_iter().zip(self.left(who));
        let more = parts.filter(|(takes, _)| *takes > 0);
        let more = more.map(|(takes, left)| left / takes).min().unwrap_or(0);
        speed * Units::from(actor.walks + more)
    }

    /// Takes the price of the Units of a turn that have been moved and not paid yet.
    #[cold]
    #[inline(never)]
    pub(super) fn pay_for_units(&mut self, who: usize, budget: &Budget) {
        let speed = self.speed(who);
        let price = budget.price(Paid::Move);
        loop {
            let actor = self.actor(who);
            let is_paid = actor.moved <= speed * Units::from(actor.walks);
            let is_all = price.is_free() && actor.walks > 0;
            if speed < 1 || is_paid || is_all || !self.can_pay(who, price) {
                return;
            }
            self.actor_mut(who).walks += 1;
            self.pay_price(who, price);
        }
    }

    /// Restores the resources that a combatant's turn restores, and counts the time and moves of the turn anew.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_budget(&mut self, who: usize) {
        self.actor_mut(who).reaction = 0;
        if let Some(budget) = self.budget() {
            self.actor_mut(who).restore(budget);
        }
    }

    /// Restores the resources of all combatants that a Round restores.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_budgets_of_round(&mut self) {
        let Some(budget) = self.budget() else {
            return;
        };
        for who in members(self.state.world.here()) {
            let spent = self.actor_mut(who).spent.iter_mut();
            for (spent, _) in spent.zip(budget.of_round).filter(|(_, back)| *back) {
                *spent = 0;
            }
        }
    }

    /// Returns the time that a turn has taken.
    pub(super) fn time_of_turn(&self, who: usize) -> i32 {
        let time = self.actor(who).time;
        let pass = self.budget().map_or(1, |budget| budget.pass.into());
        (if time == 0 { pass } else { time }) as i32
    }
}
