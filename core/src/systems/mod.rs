//! The rule systems that a scenario may name, one folder each. [`SYSTEMS`] and the enumerations at the end of this file
//! list them.

pub mod chronicles;
pub mod eclipse_phase;
pub mod mage;
pub mod own;
pub mod tara_corax;

pub use chronicles::description::CHRONICLES;
pub use eclipse_phase::description::ECLIPSE_PHASE;
pub use mage::description::MAGE;
pub use own::OWN;
pub use tara_corax::description::TARA_CORAX;

use chronicles::{OrderClock, rules::OrderRules};
use eclipse_phase::{PhaseClock, rules::PhaseRules};
use mage::{TurnClock, rules::TurnRules};
use tara_corax::{MarkClock, rules::MarkRules};

use crate::chance::Chance;
use crate::document::format::{KeyRow, Values};
use crate::fields::Fields;
use crate::fields::keys::DOWN;
use crate::fight::Fight;
use crate::fight::check::CheckKind;
use crate::fight::health::{AtZero, HealthModel, Roll};
use crate::fight::initiative::Ties;
use crate::fight::system::{self, Clocks, System};
use crate::fight::turns::TurnOrder;
use crate::sim::encounter::ClockState;
use crate::sim::{self, Clock, ClockObserver, Observer, Record};
use serde::{Deserialize, Serialize};

/// Every system.
pub static SYSTEMS: [&System; 5] = [&TARA_CORAX, &MAGE, &CHRONICLES, &ECLIPSE_PHASE, &OWN];

/// The options of `[rules]` that every system has.
pub const SHARED_RULINGS: &[KeyRow] = &[
    KeyRow::ruling(
        "hit",
        (Values::OneOf(&["meet", "beat"]), "meet"),
        "whether a roll equal to Evade hits, for checks of that kind (TC-22)",
    ),
    KeyRow::ruling(
        "advantage",
        (Values::OneOf(&["cancel", "count"]), "cancel"),
        "where advantages and disadvantages come together: any of each cancel each other, or the more numerous ones decide",
    ),
    KeyRow::ruling(
        "check",
        (Values::OneOf(CheckKind::NAMES), "system's"),
        "which kind of check attacks and spells make; a check may have the keys of several kinds if this is written",
    ),
    KeyRow::ruling(
        "health",
        (Values::OneOf(HealthModel::NAMES), "system's"),
        "whether health is points or a track of levels with penalties",
    ),
    KeyRow::ruling(
        "at_zero",
        (Values::OneOf(AtZero::NAMES), "out"),
        "whether combatants are out at 0 health, or down: then healing makes them stand again (W-18)",
    ),
    KeyRow::ruling(
        "down",
        (Values::Table(&DOWN), "none"),
        "what becomes of those who are down: a table (W-18)",
    ),
    KeyRow::ruling(
        "temporary_health",
        (Values::OneOf(&["greater", "adds"]), "greater"),
        "whether the greater of two amounts of temporary health counts, or their sum (W-18)",
    ),
];

/// Returns the system with this name.
pub fn named(name: &str) -> Option<&'static System> {
    SYSTEMS.into_iter().find(|system| system.name == name)
}

/// Returns the systems whose clock is among `clocks`.
pub fn among(clocks: Clocks) -> impl Iterator<Item = &'static System> {
    SYSTEMS
        .into_iter()
        .filter(move |system| clocks.has(system.clock))
}

/// Returns the titles of the systems whose clock is among `clocks`, for messages.
pub fn titles(clocks: Clocks) -> String {
    let titles: Vec<&str> = among(clocks).map(|system| system.title).collect();
    titles.join(" and ")
}

/// The panic message for a state that does not fit its plan.
const OTHER_CLOCK: &str = "the state of another clock";

impl Rules {
    /// Sets whether initiative is rolled each Round or once. Returns whether the clock knows that.
    pub(crate) fn set_when(&mut self, every_round: bool) -> bool {
        match self {
            Self::Turns(rules) => rules.once_a_scene = !every_round,
            Self::Order(rules) => rules.every_round = every_round,
            Self::Marks(_) | Self::Phases(_) => return every_round,
        }
        true
    }

    /// Returns the order of turns, on a clock that may have another.
    pub(crate) fn turns(&mut self) -> Option<&mut TurnOrder> {
        match self {
            Self::Order(rules) => Some(&mut rules.turns),
            _ => None,
        }
    }
}

/// Defines one enumeration over all clocks for each thing that a clock has. The clock is chosen once per encounter; an
/// encounter makes no further choice.
macro_rules! clocks {
    ($($variant:ident: $clock:ident with $rules:ident),+ $(,)?) => {
        /// The rulings of a fight on its clock.
        #[derive(Debug, Clone, PartialEq)]
        #[expect(missing_docs, reason = "a variant a clock")]
        pub enum Rules {
            $($variant($rules)),+
        }

        impl Rules {
            /// Returns the rule book's own rulings for `clock`.
            pub fn of(clock: system::Clock) -> Self {
                match clock {
                    $(system::Clock::$variant => Self::$variant($rules::default()),)+
                    system::Clock::Own => Self::Order(OrderRules::default()),
                }
            }

            /// Returns the rulings as a reader of the keys that only their system has.
            pub(crate) fn fields(&self) -> &dyn Fields {
                match self {
                    $(Self::$variant(rules) => rules,)+
                }
            }

            /// Returns the same reader, to read into.
            pub(crate) fn fields_mut(&mut self) -> &mut dyn Fields {
                match self {
                    $(Self::$variant(rules) => rules,)+
                }
            }

            /// Returns `initiative.share`: sets of combatants that act on one initiative (MA-1).
            pub(crate) fn share(&mut self) -> &mut Vec<u64> {
                match self {
                    $(Self::$variant(rules) => &mut rules.share,)+
                }
            }

            /// Returns the dice that are added to a rating for initiative.
            pub(crate) fn dice(&mut self) -> &mut Roll {
                match self {
                    $(Self::$variant(rules) => &mut rules.dice,)+
                }
            }

            /// Returns the tie-breaks between equal totals of initiative.
            pub fn ties(&self) -> &Ties {
                match self {
                    $(Self::$variant(rules) => &rules.ties,)+
                }
            }
        }

        /// A fight on the clock of its rulings.
        #[derive(Debug, Clone)]
        #[expect(missing_docs, reason = "a variant a clock")]
        pub enum Plan {
            $($variant(Box<sim::Plan<$clock>>)),+
        }

        /// The state of an encounter on any clock.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "a variant a clock")]
        #[expect(clippy::large_enum_variant, reason = "a thread has one of them, and plays in place")]
        pub enum State {
            $($variant(ClockState<$clock>)),+
        }

        impl Plan {
            /// Prepares a fight for the clock of its rulings.
            ///
            /// # Panics
            /// If a combatant has the traits of another clock.
            pub fn new(fight: Fight, rules: Rules) -> Self {
                match rules {
                    $(Rules::$variant(rules) => {
                        Self::$variant(Box::new(sim::Plan::new(fight, rules)))
                    })+
                }
            }

            /// Returns the fight.
            pub fn fight(&self) -> &Fight {
                match self {
                    $(Self::$variant(plan) => &plan.fight,)+
                }
            }

            /// Returns the state in which every encounter begins.
            pub fn start(&self) -> State {
                match self {
                    $(Self::$variant(plan) => State::$variant(plan.start()),)+
                }
            }

            /// Plays one encounter for an observer of any type, on chance of any type: one copy of the clocks for all.
            pub fn show(
                &self,
                state: &mut State,
                mut chance: &mut dyn Chance,
                mut observer: &mut dyn Observer,
                record: &mut Record,
            ) {
                self.play(state, &mut chance, &mut observer, record);
            }

            /// Plays one encounter from the start, whatever `state` holds, and leaves its result in `record`.
            #[inline]
            pub fn play<C: Chance, O: ClockObserver>(
                &self,
                state: &mut State,
                chance: &mut C,
                observer: &mut O,
                record: &mut Record,
            ) {
                match (self, &mut *state) {
                    $((Self::$variant(plan), State::$variant(state)) => {
                        plan.play(state, chance, observer, record);
                    })+
                    // A state of another clock is replaced by a fresh one of this clock.
                    (plan, other) => {
                        *other = plan.start();
                        plan.play(state, chance, observer, record);
                    }
                }
            }

            /// Plays on from `state` to the next moment at which `state` alone says what is under way. Returns whether
            /// the encounter is over; if so, `record` says how it ended.
            pub(crate) fn step<C: Chance, O: ClockObserver>(
                &self,
                state: &mut State,
                chance: &mut C,
                observer: &mut O,
                record: &mut Record,
            ) -> bool {
                match (self, state) {
                    $((Self::$variant(plan), State::$variant(state)) => {
                        plan.step(state, chance, observer, record)
                    })+
                    _ => unreachable!("{OTHER_CLOCK}"),
                }
            }

            /// Copies a state of the same fight.
            pub(crate) fn copy(&self, from: &State, to: &mut State) {
                match (self, from, to) {
                    $((Self::$variant(_), State::$variant(from), State::$variant(to)) => {
                        sim::Plan::<$clock>::copy(from, to);
                    })+
                    _ => unreachable!("{OTHER_CLOCK}"),
                }
            }

            /// Clears data that nothing reads between two steps, so that situations with the same future have equal
            /// states.
            pub(crate) fn forget(&self, state: &mut State) {
                match (self, state) {
                    $((Self::$variant(plan), State::$variant(state)) => $clock::forget(plan, state),)+
                    _ => unreachable!("{OTHER_CLOCK}"),
                }
            }

            /// Completes a deserialized state with the data that is not written: it never changes, or is empty between
            /// two steps.
            pub(crate) fn complete(&self, state: &mut State) {
                match (self, state) {
                    $((Self::$variant(plan), State::$variant(state)) => plan.complete(state),)+
                    _ => unreachable!("{OTHER_CLOCK}"),
                }
            }

            /// Whether the next step will probably neither ask chance for anything nor begin a Round: a guess that
            /// spares copies.
            pub(crate) fn is_calm(&self, state: &State) -> bool {
                match (self, state) {
                    $((Self::$variant(plan), State::$variant(state)) => $clock::is_calm(plan, state),)+
                    _ => unreachable!("{OTHER_CLOCK}"),
                }
            }

            /// The length of a Round, in the units in which a record counts time.
            pub(crate) fn round_length(&self) -> u32 {
                match self {
                    $(Self::$variant(plan) => $clock::round_length(&plan.rules),)+
                }
            }
        }

        impl State {
            /// The Round under way, from 1; 0 before the first.
            pub(crate) fn round(&mut self) -> &mut u32 {
                match self {
                    $(Self::$variant(state) => &mut state.round,)+
                }
            }
        }
    };
}

clocks! {
    Marks: MarkClock with MarkRules,
    Turns: TurnClock with TurnRules,
    Order: OrderClock with OrderRules,
    Phases: PhaseClock with PhaseRules,
}
