//! Clocks: who acts when, and what acting costs.
//!
//! A clock is a [`Plan`](Clock) (what a fight and its rulings fix once), a state that is plain data,
//! and a way to play one encounter. `stage` is what all of them share: targets, the line, damage and
//! falling, things, and the reasons why a policy line is not taken. `decide`, `walk` and `beats` are
//! for clocks that ask a policy line by line, move Unit by Unit and let equals act beat by beat;
//! `interrupt` is for those on which one may interrupt another. Which clocks there are is said
//! once, at the end of this file.

mod beats;
mod decide;
mod flags;
pub mod initiative;
mod interrupt;
pub mod marks;
pub mod order;
pub mod phases;
mod stage;
pub mod turns;
mod walk;

use crate::chance::Chance;
use crate::engine::{Observer, Record};
use crate::fight::Fight;

/// A fight on a clock: all that does not change from encounter to encounter.
pub trait Clock {
    /// The options of `[rules]` that it plays by.
    type Rules;

    /// What changes in one encounter: plain data.
    type State: Clone + Send;

    /// Prepares a fight.
    fn new(fight: Fight, rules: Self::Rules) -> Self;

    /// The fight.
    fn fight(&self) -> &Fight;

    /// The state in which every encounter begins.
    fn start(&self) -> Self::State;

    /// Plays one encounter from the start, whatever `state` holds, and leaves its result in `record`.
    fn play<C: Chance, O: Observer>(
        &self,
        state: &mut Self::State,
        chance: &mut C,
        observer: &mut O,
        record: &mut Record,
    );
}

/// One enumeration over all clocks for each thing that a clock has. The clock is picked once an
/// encounter; within one there is no further choice.
macro_rules! clocks {
    ($($clock:ident: $module:ident),+ $(,)?) => {
        /// The rulings of a fight, for the clock that it is played on.
        #[derive(Debug, Clone, PartialEq)]
        #[expect(missing_docs, reason = "a variant a clock")]
        pub enum Rules {
            $($clock($module::rules::Rules)),+
        }

        /// A fight on whatever clock its rulings are for.
        #[derive(Debug, Clone)]
        #[expect(missing_docs, reason = "a variant a clock")]
        pub enum Plan {
            $($clock(Box<$module::Plan>)),+
        }

        /// The state of an encounter on whatever clock.
        #[derive(Debug, Clone)]
        #[expect(missing_docs, reason = "a variant a clock")]
        #[expect(
            clippy::large_enum_variant,
            reason = "a thread has one, and a box would be followed at every event"
        )]
        pub enum State {
            $($clock($module::State)),+
        }

        impl Clock for Plan {
            type Rules = Rules;
            type State = State;

            fn new(fight: Fight, rules: Rules) -> Self {
                match rules {
                    $(Rules::$clock(rules) => {
                        Self::$clock(Box::new($module::Plan::new(fight, rules)))
                    })+
                }
            }

            fn fight(&self) -> &Fight {
                match self {
                    $(Self::$clock(plan) => plan.fight(),)+
                }
            }

            fn start(&self) -> State {
                match self {
                    $(Self::$clock(plan) => State::$clock(plan.start()),)+
                }
            }

            #[inline]
            fn play<C: Chance, O: Observer>(
                &self,
                state: &mut State,
                chance: &mut C,
                observer: &mut O,
                record: &mut Record,
            ) {
                match (self, &mut *state) {
                    $((Self::$clock(plan), State::$clock(state)) => {
                        plan.play(state, chance, observer, record);
                    })+
                    // The state of another clock: begin with one's own.
                    (plan, other) => {
                        *other = plan.start();
                        plan.play(state, chance, observer, record);
                    }
                }
            }
        }
    };
}

clocks! {
    Marks: marks,
    Turns: turns,
    Order: order,
    Phases: phases,
}
