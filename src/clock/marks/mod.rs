//! The Tara-Corax clock: Rounds of 30 Marks, counted down (TC-1).
//!
//! [`Plan`] is what a fight and its [`Rules`] fix once; [`State`] is what one encounter changes.
//! [`Plan::play`] plays one encounter. Who does something at a Mark is kept in an agenda, a set
//! of combatants for each Mark in the order of TC-20, so that the next one due is two bit scans away.
//!
//! - `initiative`: Scores, delays, the beginning and the end of a Round
//! - `instant`: everything that happens at one Mark, alone or simultaneously (W-5)
//! - `order`: policy lines in the form in which they are asked
//! - `view`: what one who decides sees, and whom an action could be about (W-4)
//! - `legal`: what the rules allow
//! - `choose`: which policy line is taken, and why not the others (W-3)
//! - `act`: beginning what was chosen
//! - `strike`: attacks, damage, counters
//! - `movement`: steps, and whom they bring into melee or into a CAR
//! - `stride`: several Units at once, where nobody can tell the difference
//! - `magic`: spells, Combat Casting, Channels

#![expect(
    clippy::inline_always,
    reason = "the path from a Mark to a decision is one loop in all but text: measured, inlining it \
              whole takes a fifth off the instructions of an encounter"
)]

mod act;
mod choose;
mod initiative;
mod instant;
mod legal;
mod magic;
mod movement;
mod order;
pub mod rules;
mod state;
mod stride;
mod strike;
mod view;

use self::order::Order;
use self::rules::Rules;
pub use self::state::State;
use self::state::{Actor, Flags};
use crate::chance::{Chance, Purpose};
use crate::dice::Faces;
use crate::engine::{Counts, Ending, Event, Moment, Observer, Record};
use crate::fight::check::{Attempt, Check, Question};
use crate::fight::world::{World, bit};
use crate::fight::{Combatant, Fight, Marks, Units, WeaponKind};

/// Marks in a Round (TC-1).
pub const ROUND: Marks = 30;

/// A fight on this clock: all that does not change from encounter to encounter.
#[derive(Debug, Clone)]
pub struct Plan {
    fight: Fight,
    rules: Rules,
    /// Place of each combatant in the order of TC-20; equals are neighbours, in file order.
    rank: Vec<u8>,
    /// The combatant at each place.
    by_rank: Vec<u8>,
    /// For each place, the places of all whom no tie-break separates from it.
    peers: Vec<u64>,
    /// What is asked most, for each combatant.
    profiles: Vec<Profile>,
    /// The policy lines of each combatant.
    orders: Vec<Vec<Order>>,
    /// Members of each side.
    sides: Vec<u64>,
    /// Whether anybody has a Combat Action Radius.
    anyone_intercepts: bool,
    start: State,
}

impl Plan {
    /// Prepares a fight.
    #[must_use]
    pub fn new(fight: Fight, rules: Rules) -> Self {
        let count = fight.combatants.len();
        let mut sides = vec![0_u64; fight.sides.len()];
        for (who, combatant) in fight.combatants.iter().enumerate() {
            sides[combatant.side] |= bit(who);
        }
        let everybody = sides.iter().fold(0, |all, side| all | side);
        let profiles: Vec<Profile> = fight
            .combatants
            .iter()
            .map(|one| Profile::new(one, everybody & !sides[one.side]))
            .collect();

        // TC-20: the raw characteristic, before armour, then Agility, then Intellect.
        let key = |who: usize| {
            let traits = &fight.combatants[who].traits;
            (
                initiative::characteristic(traits),
                traits.agility,
                traits.intellect,
            )
        };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|who| std::cmp::Reverse(key(*who)));
        let mut rank = vec![0; count];
        let mut peers = vec![0; count];
        for (place, who) in order.iter().enumerate() {
            rank[*who] = place as u8;
            for (other_place, other) in order.iter().enumerate() {
                if key(*who) == key(*other) {
                    peers[place] |= bit(other_place);
                }
            }
        }
        let anyone_intercepts = fight.combatants.iter().any(|one| one.traits.car.is_some());
        let orders = fight
            .combatants
            .iter()
            .zip(&profiles)
            .map(|(one, profile)| order::orders(one, profile))
            .collect();
        let start = State::new(&fight);
        let by_rank = order.into_iter().map(|who| who as u8).collect();
        Self {
            fight,
            rules,
            rank,
            by_rank,
            peers,
            profiles,
            orders,
            sides,
            anyone_intercepts,
            start,
        }
    }

    /// The fight.
    #[must_use]
    pub fn fight(&self) -> &Fight {
        &self.fight
    }

    /// The state in which every encounter begins.
    #[must_use]
    pub fn start(&self) -> State {
        self.start.clone()
    }

    /// Plays one encounter from the start, leaving its result in `record`.
    pub fn play<C: Chance, O: Observer>(
        &self,
        state: &mut State,
        chance: &mut C,
        observer: &mut O,
        record: &mut Record,
    ) {
        state.reset_to(&self.start);
        record.combatants.clear();
        record
            .combatants
            .resize(self.fight.combatants.len(), Counts::default());
        Encounter {
            plan: self,
            state,
            chance,
            observer,
            record,
        }
        .play();
    }
}

/// What is asked of a combatant at every turn, side by side in memory.
#[derive(Debug, Clone, Copy)]
struct Profile {
    /// Its enemies.
    foes: u64,
    speed: Units,
    /// Combat Action Radius; -1 without.
    car: Units,
    /// Its melee weapons, a bit each.
    melee_weapons: u32,
    /// Its weapons that it needs a Set to shoot, a bit each.
    ranged_weapons: u32,
    fires_unset: bool,
    counters: bool,
    /// What a Set does for one with spells and the skill to move while casting them.
    skill_set: Flags,
}

impl Profile {
    fn new(combatant: &Combatant, foes: u64) -> Self {
        let weapons = |kind: WeaponKind| {
            let of_kind = |(index, weapon): (usize, &crate::fight::Weapon)| {
                u32::from(weapon.kind == kind) << index
            };
            combatant.weapons.iter().enumerate().map(of_kind).sum()
        };
        let traits = &combatant.traits;
        let fires_unset = traits.abilities.fires_unset;
        Self {
            foes,
            speed: combatant.speed,
            car: traits.car.unwrap_or(-1),
            melee_weapons: weapons(WeaponKind::Melee),
            ranged_weapons: if fires_unset {
                0
            } else {
                weapons(WeaponKind::Ranged)
            },
            fires_unset,
            counters: traits.abilities.counter,
            skill_set: if traits.combat_casting.is_some() && !combatant.spells.is_empty() {
                Flags::SKILL_UNSET
            } else {
                Flags::NONE
            },
        }
    }
}

impl Profile {
    /// What a Set helps with, given the weapons in hand (TC-9, TC-10, TC-14).
    #[inline]
    fn would_set(&self, in_hand: u32) -> Flags {
        let mut useful = self.skill_set;
        if in_hand & self.melee_weapons != 0 {
            useful.add(Flags::MELEE_UNSET);
        }
        if in_hand & self.ranged_weapons != 0 {
            useful.add(Flags::SHOT_UNSET);
        }
        useful
    }
}

/// One encounter under way.
struct Encounter<'a, C, O> {
    plan: &'a Plan,
    state: &'a mut State,
    chance: &'a mut C,
    observer: &'a mut O,
    record: &'a mut Record,
}

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    fn play(mut self) {
        let mut ending = Ending::Timeout;
        'encounter: while self.state.round < self.plan.fight.max_rounds {
            self.begin_round();
            while let Some(mark) = self.state.agenda.next_mark() {
                self.state.mark = mark;
                if self.instant()
                    && let Some(decided) = self.decided()
                {
                    ending = decided;
                    break 'encounter;
                }
            }
            self.state.mark = 0;
            self.end_round();
        }
        self.note(Event::End { ending });
        self.record.ending = ending;
        self.record.rounds = self.state.round;
        self.record.marks = self.elapsed();
        for (counts, body) in self
            .record
            .combatants
            .iter_mut()
            .zip(&self.state.world.bodies)
        {
            counts.health = body.health;
        }
    }

    /// How the encounter has ended, if at most one side stands (W-6).
    fn decided(&self) -> Option<Ending> {
        let standing = self.state.world.standing;
        if standing == 0 {
            return Some(Ending::Mutual);
        }
        let side = self.plan.fight.combatants[standing.trailing_zeros() as usize].side;
        (standing & !self.plan.sides[side] == 0).then_some(Ending::Win(side as u8))
    }

    /// Marks since the beginning of the encounter.
    fn elapsed(&self) -> u32 {
        self.state.round * ROUND as u32 - self.state.mark as u32
    }

    /// Tells the observer; the event is put together only where somebody listens.
    #[inline]
    fn note(&mut self, event: Event) {
        if O::LISTENS {
            let moment = Moment {
                round: self.state.round,
                mark: self.state.mark,
            };
            self.observer.event(moment, event);
        }
    }

    /// Makes a check against somebody's Evade.
    #[inline]
    fn attempt(&mut self, who: usize, target: usize, check: &Check, mastery: i64) -> Attempt {
        let question = Question {
            who,
            evade: self.plan.fight.combatants[target].evade,
            mastery,
            meeting_hits: self.plan.fight.meeting_hits,
        };
        let observer = &mut *self.observer;
        check.attempt(question, self.chance, |chance| {
            let purpose = Purpose::Check;
            Hand {
                chance,
                observer,
                who,
                purpose,
            }
        })
    }

    /// One combatant's dice for one purpose.
    #[inline]
    fn hand(&mut self, who: usize, purpose: Purpose) -> Hand<'_, C, O> {
        Hand {
            chance: self.chance,
            observer: self.observer,
            who,
            purpose,
        }
    }

    #[inline]
    fn actor(&self, who: usize) -> &Actor {
        &self.state.world.bodies[who].clock
    }

    #[inline]
    fn actor_mut(&mut self, who: usize) -> &mut Actor {
        &mut self.state.world.bodies[who].clock
    }

    #[inline]
    fn world(&self) -> &World<Actor> {
        &self.state.world
    }

    /// Enemies of `who` that stand.
    #[inline]
    fn enemies(&self, who: usize) -> u64 {
        self.plan.profiles[who].foes & self.state.world.standing
    }

    /// Puts a combatant on the agenda of a later Mark.
    #[inline]
    fn wake_at(&mut self, who: usize, mark: Marks) {
        self.state.agenda.add(self.plan.rank[who], mark);
    }
}

/// One combatant's dice, seen by the observer.
struct Hand<'a, C, O> {
    chance: &'a mut C,
    observer: &'a mut O,
    who: usize,
    purpose: Purpose,
}

impl<C: Chance, O: Observer> Faces for Hand<'_, C, O> {
    #[inline]
    fn face(&mut self, sides: u32) -> u32 {
        let face = self.chance.face(self.who, self.purpose, sides);
        if O::LISTENS {
            self.observer.die(self.who, self.purpose, sides, face);
        }
        face
    }
}

/// Whether a set has one member (none counts too). `is_power_of_two` would count bits, which the
/// oldest machines in use have no instruction for.
#[inline]
const fn is_single(set: u64) -> bool {
    set & set.wrapping_sub(1) == 0
}
