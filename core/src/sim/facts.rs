//! Variables that mean the same in every system.

use crate::fight::words::{Terms, Words};
use crate::fight::world::{Body, World};
use crate::sim::prelude::*;

impl<A: Copy + Default> World<A> {
    /// Returns a fact about a combatant or its target that begins as the scenario says; `None` for any other.
    #[inline(always)]
    pub fn fact(&self, fight: &Fight, fact: Variable, [who, foe]: [usize; 2]) -> Option<i64> {
        let combatants = &fight.combatants;
        Some(match fact {
            Variable::Hp => self.health(who).into(),
            Variable::TargetHp => self.health(foe).into(),
            Variable::MaxHp => self.most_health(&combatants[who], who).into(),
            Variable::TargetMaxHp => self.most_health(&combatants[foe], foe).into(),
            Variable::Evade => self.bodies[who].evade.into(),
            Variable::TargetEvade => self.bodies[foe].evade.into(),
            Variable::Armor => self.bodies[who].armor.into(),
            Variable::TargetArmor => self.bodies[foe].armor.into(),
            Variable::Trait(own) => self.trait_of(&combatants[who], who, own),
            Variable::TargetTrait(own) => self.trait_of(&combatants[foe], foe, own),
            _ => return None,
        })
    }

    /// A trait of the scenario's own, as it is now; 0 if the combatant does not have it.
    pub(crate) fn trait_of(&self, combatant: &Combatant, who: usize, own: u8) -> i64 {
        let affliction = self.affliction(who);
        let change = affliction.map_or(0, |all| all.changes.of_trait(own));
        i64::from(combatant.own[usize::from(own)].unwrap_or(0) + change)
    }
}

/// Looks up shared variables.
pub(crate) trait Facts<'a>: Stage<'a> {
    /// Returns the value of a variable with the same meaning on every clock; `None` for a variable of one clock.
    #[inline(always)]
    fn shared_value(&self, variable: Variable, who: usize, target: TargetAt) -> Option<i64> {
        let (foe, distance) = target;
        let body: &Body<Self::Actor> = self.body(who);
        // The ally that a line is about, or else the weakest.
        let of_ally = |value: &dyn Fn(usize) -> i64| {
            let side = |who: usize| self.combatant(who).side;
            let meant = foe != who && side(foe) == side(who);
            let all = || self.allies(who) | self.allies_down(who);
            let ally = if meant {
                Some(foe)
            } else {
                self.world().weakest(all())
            };
            ally.map_or(0, value)
        };
        let has = |who: usize, condition: u8| {
            let affliction = self.world().affliction(who);
            affliction.is_some_and(|all| all.has(condition)).into()
        };
        let in_reach = |distance: Units| i64::from(distance <= body.reach);
        Some(match variable {
            Variable::Distance => distance.into(),
            Variable::Round => self.moment().round.into(),
            Variable::HpPercent => self.health_percent(who),
            Variable::TargetHpPercent => self.health_percent(foe),
            Variable::InMelee => self
                .nearest(who, self.enemies(who))
                .map_or(0, |(_, distance)| in_reach(distance)),
            Variable::Threatened => members(self.enemies(who))
                .any(|foe| self.world().distance(who, foe) <= self.body(foe).reach)
                .into(),
            Variable::TargetCasting => self.is_casting(foe).into(),
            Variable::Casting => self.is_casting(who).into(),
            Variable::TargetInReach => in_reach(distance),
            Variable::Allies => self.allies(who).count_ones().into(),
            Variable::AlliesDown => self.allies_down(who).count_ones().into(),
            Variable::Enemies => self.enemies(who).count_ones().into(),
            Variable::NearestEnemyDistance => self
                .nearest(who, self.enemies(who))
                .map_or(0, |(_, distance)| distance.into()),
            Variable::EnemiesWithin(units) => {
                let near = self.world().within(who, self.enemies(who), units as Units);
                near.count_ones().into()
            }
            Variable::AlliesWithin(units) => {
                let near = self.world().within(who, self.allies(who), units as Units);
                near.count_ones().into()
            }
            Variable::AllyHp => of_ally(&|ally| self.world().health(ally).into()),
            Variable::AllyHpPercent => of_ally(&|ally| self.health_percent(ally)),
            Variable::AllyDistance => of_ally(&|ally| self.world().distance(who, ally).into()),
            Variable::Wounds => self.wounds(who),
            Variable::TargetWounds => self.wounds(foe),
            Variable::Has(condition) => has(who, condition),
            Variable::TargetHas(condition) => has(foe, condition),
            Variable::Prone => body.prone.into(),
            Variable::TargetProne => self.body(foe).prone.into(),
            Variable::Uses(item) => body.uses[usize::from(item)].into(),
            Variable::InHand(weapon) => (body.in_hand >> weapon & 1).into(),
            // Rules without a Set never need one.
            Variable::Ready | Variable::TargetReady => 1,
            _ => return self.world().fact(self.fight(), variable, [who, foe]),
        })
    }

    /// The value of a fact that every clock has, about a combatant and another one.
    fn fact(&self, fact: Variable, who: usize, target: usize) -> i64 {
        let distance = self.world().distance(who, target);
        let value = self.shared_value(fact, who, (target, distance));
        value.unwrap_or(0)
    }

    /// Returns the sum that facts add to a check, with its maker in the place of the target.
    #[inline]
    fn own_facts(&self, who: usize, check: &Check) -> i64 {
        match check {
            Check::Words(words) => self.sum_of(&words.facts, who),
            _ => 0,
        }
    }

    #[cold]
    #[inline(never)]
    fn sum_of(&self, terms: &Terms, who: usize) -> i64 {
        terms.value(|fact| self.fact(fact, who, who))
    }

    /// Returns the question with the facts that a check asks for.
    #[inline]
    fn asked(&self, question: CheckTerms, check: &Check) -> CheckTerms {
        match check {
            Check::Words(words) if !question.words.is_asked => self.asked_in_words(question, words),
            _ => question,
        }
    }

    #[cold]
    #[inline(never)]
    fn asked_in_words(&self, mut question: CheckTerms, words: &Words) -> CheckTerms {
        question.words.is_asked = true;
        let (who, target) = (question.who, usize::from(question.words.target));
        words.ask(&mut question, |fact| self.fact(fact, who, target));
        if let Some(own) = self.world().affliction(who) {
            let of_traits = words.facts().filter_map(|fact| match fact {
                Variable::Trait(trait_of) => Some(own.changes.advantages(Twice::Trait(trait_of))),
                _ => None,
            });
            let again = self.fight().advantage(of_traits);
            // The advantages of attacks have been put together before.
            question.words.advantage = (question.words.advantage + again).signum();
        }
        question
    }

    /// Health in per cent of the most health, rounded down.
    #[inline]
    fn health_percent(&self, who: usize) -> i64 {
        i64::from(self.world().health(who)) * 100 / i64::from(self.most_health(who))
    }
}

impl<'a, S: Stage<'a> + ?Sized> Facts<'a> for S {}
