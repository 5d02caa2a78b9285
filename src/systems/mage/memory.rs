//! The interface to the [memo](crate::run::memo): steps, and the part of the state that determines the rest of
//! the encounter. Health belongs to it, because its levels cost dice.

use super::rules::Sleepers;
use super::state::{Actor, Flags, Place, Ritual};
use super::{Encounter, Plan, State};
use crate::chance::Chance;
use crate::fight::Ending;
use crate::fight::Spell;
use crate::fight::health::Setback;
use crate::fight::world::{bit, members};
use crate::sim::prelude::*;
use crate::sim::steps::{Codec, Steps, adds_up};
use crate::sim::{Counts, Observer, Record, Silent};

impl Steps for Plan {
    const HEALTH_APART: bool = false;
    const GO_ON: bool = false;
    const MEASURES_MARKS: bool = false;

    adds_up! {
        common: attacks, hits, damage, damage_taken, turns, successes, botches, diminished, decisions;
        rare: attacks_lost, units_moved, spells_cast, spells_fizzled, dice_lost, endurance_rolls,
            collapsed, paradox;
        apart:
            // Health is in the state; times are kept apart; who spends Willpower is not remembered.
            health, fell_round, first_attack, willpower_spent,
            // Counted on other clocks alone.
            attacks_forfeited, marks_forfeited,
            interrupts, interrupted, readied, readied_lost, cancelled, delays, actions_lost,
            places_gained, places_lost, first_blood, phases,
            // Watched only where nothing is remembered.
            rounds_led, rounds_first, acted_first;
    }

    fn tells_all_forks(&self) -> bool {
        // Damage to oneself is rolled where no fork is told; a fork does not know of successes that
        // are sure, or needed to reach the target, nor of rituals that have become harder.
        let hurts = |cost: &Setback| matches!(cost, Setback::Damage(_));
        let varies = |spell: &Spell| {
            let reaches = spell.magick.is_some_and(|magick| magick.extra_range > 0);
            reaches || !spell.harder.is_empty()
        };
        // Who acted first is in no receipt; whether Sleepers come by, roll-offs, and other dice than a single die, are no forks.
        !self.fight.watches_the_first()
            && self.rules.dice.cached_sides().is_some()
            && !self.rules.ties.rolls_off()
            && !matches!(self.rules.sleepers, Sleepers::Chance(_))
            && self.rules.magick.backlash == Setback::Nothing
            && !hurts(&self.rules.attack_botch)
            && self.fight.combatants.iter().all(|one| {
                let backlash = hurts(&self.rules.magick.botch) && !one.spells.is_empty();
                !backlash && !one.spells.iter().any(varies) && !one.policy.spends_willpower()
            })
    }

    fn reset(&self, state: &mut State) {
        state.reset_to(&self.start);
    }

    fn copy(state: &mut State, other: &State) {
        state.reset_to(other);
    }

    #[inline]
    fn proceed<C: Chance, O: Observer>(
        &self,
        state: &mut State,
        chance: &mut C,
        observer: &mut O,
        record: &mut Record,
    ) -> Option<Ending> {
        Encounter {
            plan: self,
            state,
            chance,
            observer,
            record,
            struck: None,
        }
        .proceed()
    }

    fn code(&self, state: &mut State, codec: &mut impl Codec) {
        let standing = codec.number(state.world.standing() as i64) as u64;
        if self.anyone_asks_for_the_round {
            codec.number(state.turn.into());
        }
        state.initiative = 0;
        self.code_order(state, codec);
        for who in 0..self.fight.combatants.len() {
            if standing & bit(who) == 0 {
                state.world.set_health(who, 0);
            }
        }
        for who in members(standing) {
            let combatant = &self.fight.combatants[who];
            let position = codec.number(state.world.position(who).into());
            state.world.set_position(who, position as i32);
            let health = codec.number(state.world.health(who).into());
            state.world.set_health(who, health as i32);
            let body = &mut state.world.bodies[who];
            body.in_hand = codec.number(body.in_hand.into()) as u32;
            body.reach = combatant.reach(body.in_hand);
            for left in &mut body.uses[..combatant.items.len()] {
                *left = codec.number((*left).into()) as u16;
            }
            body.prone = codec.number(body.prone.into()) == 1;
            // Whose turn is over has forgotten the rest, and whose is to come has not done it yet.
            body.clock = self.refreshed(who, &body.clock);
            self.code_actor(who, &mut body.clock, codec);
        }
        state.world.stand(standing);
    }

    fn is_between_rounds(state: &State) -> bool {
        state.place >= state.order.len()
    }

    fn round(state: &mut State) -> &mut u32 {
        &mut state.turn
    }

    fn elapsed(state: &State) -> u32 {
        state.turn
    }

    fn health(state: &State, who: usize) -> i32 {
        state.world.health(who)
    }

    fn set_health(state: &mut State, who: usize, health: i32) {
        state.world.set_health(who, health);
    }

    fn distance(&self, state: &mut State) -> Option<u32> {
        Encounter {
            plan: self,
            state,
            chance: &mut crate::chance::Scripted::new(),
            observer: &mut Silent,
            record: &mut Record::default(),
            struck: None,
        }
        .distance_at_the_end()
    }
}

impl Plan {
    /// Writes the combatants that are still to act in this turn or, where one order lasts, the order and its position.
    /// The initiative dice matter no more, except for ties.
    fn code_order(&self, state: &mut State, codec: &mut impl Codec) {
        let from = if self.rules.once_a_scene {
            0
        } else {
            state.place.min(state.order.len())
        };
        let standing = state.world.standing();
        let mut live = [Place::NOBODY; 64];
        let mut count = 0;
        let mut passed = 0;
        for (index, place) in state.order.iter().enumerate().skip(from) {
            if place.key == Place::NOBODY.key || standing >> place.who & 1 == 0 {
                continue;
            }
            live[count] = *place;
            count += 1;
            passed += usize::from(index < state.place);
        }
        let count = codec.number(count as i64) as usize;
        state.place = codec.number(passed as i64) as usize;
        for index in 0..count {
            let Place { who, key } = live[index];
            let is_tied = index > 0 && live[index - 1].key == key;
            let who = codec.number(who.into()) as u8;
            let key = match codec.number(is_tied.into()) {
                0 => (count - index) as i32,
                _ => state.order[index - 1].key,
            };
            state.order[index] = Place { key, who };
        }
        state.order[count..].fill(Place::NOBODY);
    }

    fn code_actor(&self, who: usize, actor: &mut Actor, codec: &mut impl Codec) {
        actor.initiative = if self.anyone_asks_for_initiative {
            codec.number(actor.initiative.into()) as i32
        } else {
            0
        };
        actor.paradox = if self.anyone_asks_for_paradox {
            codec.number(actor.paradox.into()) as u32
        } else {
            0
        };
        actor.flags = Flags(codec.number(actor.flags.0.into()) as u16);
        // More than all is as good as all.
        let spent = actor.spent.min(self.profiles[who].endurance);
        actor.spent = codec.number(spent.into()) as i32;
        let (weapon, left) = actor.readying.unwrap_or((0, 0));
        let left = codec.number(left.into()) as u8;
        actor.readying = (left > 0).then(|| (codec.number(weapon.into()) as u8, left));
        code_ritual(&mut actor.ritual, codec);
    }
}

fn code_ritual(ritual: &mut Option<Ritual>, codec: &mut impl Codec) {
    if codec.number(ritual.is_some().into()) == 0 {
        *ritual = None;
        return;
    }
    let ritual = ritual.get_or_insert(Ritual {
        spell: 0,
        target: 0,
        gathered: 0,
        paid: 0,
        failed: 0,
        worked: 0,
    });
    ritual.spell = codec.number(ritual.spell.into()) as u8;
    ritual.target = codec.number(ritual.target.into()) as u8;
    ritual.gathered = codec.number(ritual.gathered);
    ritual.paid = codec.number(ritual.paid.into()) as u32;
    ritual.failed = codec.number(ritual.failed.into()) as u8;
    ritual.worked = codec.number(ritual.worked.into()) as u8;
}
