//! The interface to the [memo](crate::run::memo): steps, and the part of the state that determines the rest of
//! the encounter.

use super::rules::Initiative;
use super::state::{Actor, Agenda, Doing, Flags, Move, Underway, Volley};
use super::{Encounter, Plan, State};
use crate::chance::{Chance, Scripted};
use crate::fight::Ending;
use crate::fight::Variable;
use crate::fight::program::{Aim, Policy};
use crate::fight::world::{Body, bit, members};
use crate::fight::{Combatant, MarkTraits, WeaponKind};
use crate::sim::prelude::*;
use crate::sim::steps::{Codec, Steps, adds_up};
use crate::sim::{Counts, Observer, Record, Silent};

impl Steps for Plan {
    const HEALTH_APART: bool = true;
    const GO_ON: bool = true;
    const MEASURES_MARKS: bool = true;

    adds_up! {
        common: attacks, attacks_forfeited, units_moved, marks_forfeited, decisions;
        rare: attacks_lost, spells_cast, spells_fizzled;
        apart:
            // Health, damage and times are kept apart.
            health, hits, damage, damage_taken, fell_round, first_attack,
            // Counted on other clocks alone.
            turns, successes, botches, diminished, dice_lost, endurance_rolls, collapsed, paradox,
            willpower_spent,
            interrupts, interrupted, readied, readied_lost, cancelled, delays, actions_lost,
            places_gained, places_lost, first_blood, phases,
            // Watched only where nothing is remembered.
            rounds_led, rounds_first, acted_first;
    }

    fn tells_all_forks(&self) -> bool {
        // No receipt has the first mover; free actions stand between the forks; only a single die is a fork.
        let dice_are_a_fork = match &self.rules.initiative {
            Initiative::Rolled(dice, _) => dice.cached_sides().is_some(),
            Initiative::Fixed => true,
        };
        if self.fight.watches_the_first() || self.anytime.who != 0 || !dice_are_a_fork {
            return false;
        }
        // Wounds that cost dice are looks at health too.
        let bleeds = |combatant: &Combatant| !combatant.track.levels().is_empty();
        let looks_at_health = |policy: &Policy| {
            policy.asks(|variable| {
                matches!(
                    variable,
                    Variable::Hp
                        | Variable::HpPercent
                        | Variable::TargetHp
                        | Variable::TargetHpPercent
                )
            }) || policy.lines().any(|line| {
                matches!(
                    line.aim,
                    Aim::Weakest | Aim::Strongest | Aim::WeakestOfAll | Aim::StrongestOfAll
                )
            })
        };
        let combatants = &self.fight.combatants;
        !combatants
            .iter()
            .any(|one| bleeds(one) || looks_at_health(&one.policy))
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
            blow: None,
        }
        .proceed()
    }

    fn code(&self, state: &mut State, codec: &mut impl Codec) {
        let standing = state.world.standing();
        let standing = codec.number(standing as i64) as u64;
        if self.anyone_asks_for_the_round {
            codec.number(state.round.into());
        }
        code_agenda(&mut state.agenda, codec, |place| {
            standing & bit(self.by_rank[place].into()) != 0
        });
        let between_rounds = Self::is_between_rounds(state);
        // The Marks until then go by whatever happens.
        state.mark = state.agenda.next_mark().unwrap_or(0);
        for who in members(standing) {
            let position = codec.number(state.world.position(who).into());
            state.world.set_position(who, position as i32);
            let body = &mut state.world.bodies[who];
            let combatant = &self.fight.combatants[who];
            body.in_hand = codec.number(body.in_hand.into()) as u32;
            body.reach = combatant.reach(body.in_hand);
            if self.traits[who].hands.is_some() {
                let dropped = &mut body.clock.dropped;
                *dropped = codec.number((*dropped).into()) as u32;
            }
            for left in &mut body.uses[..combatant.items.len()] {
                *left = codec.number((*left).into()) as u16;
            }
            if between_rounds {
                // All else is forgotten when the next begins.
                body.clock = self.refreshed(&body.clock);
            }
            let flags = &mut body.clock.flags;
            *flags = flags.among(self.profiles[who].relevant);
            code_actor(body, codec, between_rounds);
            if self.anyone_asks_for_the_score && !between_rounds {
                let score = &mut body.clock.score;
                *score = codec.number((*score).into()) as i32;
            }
        }
        state.world.stand(standing);
    }

    fn is_between_rounds(state: &State) -> bool {
        state.agenda.marks == 0
    }

    fn round(state: &mut State) -> &mut u32 {
        &mut state.round
    }

    fn elapsed(state: &State) -> u32 {
        state.elapsed()
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
            chance: &mut Scripted::new(),
            observer: &mut Silent,
            record: &mut Record::default(),
            blow: None,
        }
        .distance_at_the_end()
    }
}

/// Returns the agenda without the fallen, whose events do nothing; unless only they are on it, because then the
/// Round is not over yet.
fn code_agenda(agenda: &mut Agenda, codec: &mut impl Codec, stands: impl Fn(usize) -> bool) {
    let mut live = *agenda;
    for mark in members(live.marks) {
        live.who[mark] = members(live.who[mark])
            .filter(|place| stands(*place))
            .fold(0, |all, place| all | bit(place));
        if live.who[mark] == 0 {
            live.marks &= !(1 << mark);
        }
    }
    if live.marks != 0 {
        *agenda = live;
    }
    let before = agenda.marks;
    agenda.marks = codec.number(before as i64) as u64;
    for mark in members(before & !agenda.marks) {
        agenda.who[mark] = 0;
    }
    for mark in members(agenda.marks) {
        agenda.who[mark] = codec.number(agenda.who[mark] as i64) as u64;
    }
}

/// The deeds of a combatant that the rules or its policy may ask about, for they are only asked of
/// those with such weapons and spells. Others never ask for them but by `target.ready`, which goes
/// by one's own weapons too.
pub(super) fn relevant(combatant: &Combatant, traits: &MarkTraits) -> Flags {
    let armed = |kind: WeaponKind| combatant.weapons.iter().any(|weapon| weapon.kind == kind);
    let shoots = armed(WeaponKind::Ranged);
    let moved = |variable| matches!(variable, Variable::Moved | Variable::Acted);
    let kept = [
        (true, Flags::ACTED.and(Flags::SPENT).and(Flags::BROKEN)),
        (combatant.policy.asks(moved), Flags::MOVED),
        (
            combatant.spells.iter().any(|spell| spell.channel),
            Flags::STIRRED,
        ),
        (
            armed(WeaponKind::Melee),
            Flags::MELEE_UNSET.and(Flags::ENTERED),
        ),
        (shoots, Flags::SHOT_UNSET),
        (
            shoots || armed(WeaponKind::Thrown),
            Flags::UNSETTLED.and(Flags::SPOILED),
        ),
        (traits.combat_casting.is_some(), Flags::SKILL_UNSET),
    ];
    let kept = kept.into_iter().filter(|(is_relevant, _)| *is_relevant);
    kept.fold(Flags::NONE, |all, (_, flags)| all.and(flags))
}

fn code_actor(body: &mut Body<Actor>, codec: &mut impl Codec, between_rounds: bool) {
    let actor = &mut body.clock;
    body.prone = codec.number(body.prone.into()) == 1;
    actor.flags = Flags(codec.number(actor.flags.0.into()) as u16);
    actor.debt = codec.number(actor.debt.into()) as i32;
    code_spell(&mut actor.spell, codec);
    if between_rounds {
        return;
    }
    actor.marks = codec.number(actor.marks.into()) as i32;
    actor.wake = codec.number(actor.wake.into()) as i32;
    actor.moved_units = codec.number(actor.moved_units.into()) as i32;
    for count in [
        &mut actor.attack_actions,
        &mut actor.cars,
        &mut actor.charges,
        &mut actor.counters,
    ] {
        *count = codec.number((*count).into()) as u8;
    }
    code_doing(&mut actor.doing, codec);
}

fn code_spell(spell: &mut Option<Underway>, codec: &mut impl Codec) {
    if codec.number(spell.is_some().into()) == 0 {
        *spell = None;
        return;
    }
    let spell = spell.get_or_insert(Underway {
        spell: 0,
        target: 0,
        line: 0,
        mark: 0,
        rounds: 0,
        may_move: false,
    });
    spell.spell = codec.number(spell.spell.into()) as u8;
    spell.target = codec.number(spell.target.into()) as u8;
    spell.line = codec.number(spell.line.into()) as u16;
    spell.mark = codec.number(spell.mark.into()) as i32;
    spell.rounds = codec.number(spell.rounds.into()) as u32;
    spell.may_move = codec.number(spell.may_move.into()) == 1;
}

fn code_doing(doing: &mut Doing, codec: &mut impl Codec) {
    let kind = match doing {
        Doing::Nothing => 0,
        Doing::Deciding => 1,
        Doing::Moving(_) => 2,
        Doing::Attacking(_) => 3,
        Doing::Channelling { .. } => 4,
    };
    let read = codec.number(kind);
    if read != kind {
        *doing = match read {
            0 => Doing::Nothing,
            1 => Doing::Deciding,
            2 => Doing::Moving(Move {
                target: 0,
                line: 0,
                advance: false,
                stop: 0,
                left: 0,
                stride: 1,
                cut_short: false,
            }),
            3 => Doing::Attacking(Volley {
                target: 0,
                line: 0,
                weapon: 0,
                next: 0,
                attacks: 0,
                begun: 0,
                mastery: false,
                desperate: false,
            }),
            _ => Doing::Channelling {
                spell: 0,
                target: 0,
                line: 0,
                since: 0,
            },
        };
    }
    match doing {
        Doing::Nothing | Doing::Deciding => {}
        Doing::Moving(step) => {
            step.target = codec.number(step.target.into()) as u8;
            step.line = codec.number(step.line.into()) as u16;
            step.advance = codec.number(step.advance.into()) == 1;
            step.stop = codec.number(step.stop.into()) as i32;
            step.left = codec.number(step.left.into()) as u16;
            step.stride = codec.number(step.stride.into()) as u8;
            step.cut_short = codec.number(step.cut_short.into()) == 1;
        }
        Doing::Attacking(volley) => {
            volley.target = codec.number(volley.target.into()) as u8;
            volley.line = codec.number(volley.line.into()) as u16;
            volley.weapon = codec.number(volley.weapon.into()) as u8;
            volley.next = codec.number(volley.next.into()) as u8;
            volley.attacks = codec.number(volley.attacks.into()) as u8;
            volley.begun = codec.number(volley.begun.into()) as i8;
            volley.mastery = codec.number(volley.mastery.into()) == 1;
            volley.desperate = codec.number(volley.desperate.into()) == 1;
        }
        Doing::Channelling {
            spell,
            target,
            line,
            since,
        } => {
            *spell = codec.number((*spell).into()) as u8;
            *target = codec.number((*target).into()) as u8;
            *line = codec.number((*line).into()) as u16;
            *since = codec.number((*since).into()) as i32;
        }
    }
}
