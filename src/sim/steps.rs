//! The interface of a clock to the encounter cache: steps, and a state that can be written and read.

use super::{Clock, Counts, Observer, Record};
use crate::chance::Chance;
use crate::fight::Ending;

/// Reads or writes the numbers of a state, one after the other. One function that names every
/// number once does both, so that the two cannot differ.
pub trait Codec {
    /// Writes `value` and returns it, or returns the value that was written in its place.
    fn number(&mut self, value: i64) -> i64;
}

/// A clock whose encounters can be remembered.
pub trait Steps: Clock {
    /// Whether health is kept apart from states, and told by forks. Otherwise [`Steps::code`] names it.
    const HEALTH_APART: bool;

    /// Whether [`Steps::elapsed`] counts Marks.
    const MEASURES_MARKS: bool;

    /// Whether a stretch goes on from the beginning of a Round and from blow to blow until a combatant falls.
    /// That pays where the Scores of a Round stay distinct, so that no two paths meet within it.
    const GO_ON: bool;

    /// How many numbers [`Steps::numbers`] writes: of what happens in most fights, and of the rest.
    const COMMON: usize;
    /// See [`Steps::COMMON`].
    const RARE: usize;

    /// Writes the additive counts of a combatant, without times.
    fn numbers(counts: &Counts, common: &mut [u32], rare: &mut [u32]);

    /// What those numbers say.
    fn counts(common: &[u32], rare: &[u32]) -> Counts;

    /// Whether everything that decides how an encounter goes on is a fork or in the state. Otherwise
    /// nothing is remembered.
    fn tells_all_forks(&self) -> bool;

    /// Goes to the beginning of an encounter.
    fn reset(&self, state: &mut Self::State);

    /// Goes to where another encounter of the same fight is.
    fn copy(state: &mut Self::State, other: &Self::State);

    /// Plays a step: the next instant, or the beginning of a Round. How the encounter has ended,
    /// if it has.
    fn proceed<C: Chance, O: Observer>(
        &self,
        state: &mut Self::State,
        chance: &mut C,
        observer: &mut O,
        record: &mut Record,
    ) -> Option<Ending>;

    /// Names, between two steps, every number that decides how the encounter goes on, or that
    /// `elapsed` asks for; those that are read are put into the state. The Round is set beforehand, and
    /// health where it is kept apart.
    fn code(&self, state: &mut Self::State, codec: &mut impl Codec);

    /// Whether the next step begins a Round. Stretches that [go on](Steps::GO_ON) end there.
    fn is_between_rounds(state: &Self::State) -> bool;

    /// The Round under way, from 1; 0 before the first.
    fn round(state: &mut Self::State) -> &mut u32;

    /// Marks or turns since the beginning of the encounter, in which first attacks are measured.
    fn elapsed(state: &Self::State) -> u32;

    /// The health of a combatant; 0 is fallen.
    fn health(state: &Self::State, who: usize) -> i32;

    /// Changes it.
    fn set_health(state: &mut Self::State, who: usize, health: i32);

    /// Units between the nearest two enemies, if that is measured at the end.
    fn distance(&self, state: &mut Self::State) -> Option<u32> {
        let _ = state;
        None
    }
}

/// Implements [`Steps::numbers`] and [`Steps::counts`] from one list of [`Counts`]: common ones, rare ones, and
/// omitted ones. A new count must go into one of them.
///
/// [`Counts`]: crate::sim::Counts
macro_rules! adds_up {
    (
        common: $($common:ident),+;
        rare: $($rare:ident),+;
        apart: $($apart:ident),+ $(;)?
    ) => {
        const COMMON: usize = [$(stringify!($common)),+].len();
        const RARE: usize = [$(stringify!($rare)),+].len();

        fn numbers(counts: &Counts, common: &mut [u32], rare: &mut [u32]) {
            let Counts {
                $($common,)+
                $($rare,)+
                $($apart: _,)+
            } = *counts;
            common.copy_from_slice(&[$($common),+]);
            rare.copy_from_slice(&[$($rare),+]);
        }

        #[inline]
        fn counts(common: &[u32], rare: &[u32]) -> Counts {
            let (&[$($common),+], &[$($rare),+]) = (common, rare) else {
                unreachable!("as many as are written");
            };
            Counts {
                $($common,)+
                $($rare,)+
                ..Counts::default()
            }
        }
    };
}

pub(crate) use adds_up;
