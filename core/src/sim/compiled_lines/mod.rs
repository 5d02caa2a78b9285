//! Policy lines as comparisons of small integers: a fast way to the first line that may be taken.
//!
//! At most decisions, most lines of a policy are refused because of one number: too few Marks, too far away, already
//! Set. [`CompiledLines`] holds the needs of each line, by its condition and by the rules, as one list of comparisons.
//! A clock gathers the numbers once per decision ([`Values`]). A line that passes is then checked by the rules in words
//! (`legal` of the clock), which also find its target and weapon. So a missing comparison only costs time, but one that
//! is too strict is an error: builds with debug assertions make each decision both ways.

mod needs;

pub(crate) use needs::{only_weapon, steady_weapon};

use super::decide::ViewOf;
use crate::fight::program::Next;
use crate::sim::prelude::*;
use crate::sim::{Clock, Plan};
use needs::{compared, is_about_nearest, merged, shared_needs};
use std::sync::Arc;

/// The least and the greatest value of each number of a decision.
pub(crate) type Bounds = [(i32, i32); VALUES];

/// Bounds that exclude nothing.
pub(crate) const FREE: Bounds = [(i32::MIN, i32::MAX); VALUES];

/// The number of [`Values`].
const VALUES: usize = 16;

/// The numbers of a decision: those that [`shared`] fills in and, from [`OWN`] on, those of a clock.
pub(crate) type Values = [i32; VALUES];

/// Units to the nearest enemy; 0 without one.
pub(crate) const DISTANCE: usize = 0;
/// Health.
pub(crate) const HEALTH: usize = 1;
/// Weapons in hand, one bit each: read for those without room in [`TRUTHS`].
const IN_HAND: usize = 2;
/// The Round.
pub(crate) const ROUND: usize = 3;
/// The number of enemies that stand.
pub(crate) const ENEMIES: usize = 4;
/// Health of the nearest enemy; 0 without one.
pub(crate) const TARGET_HEALTH: usize = 5;
/// Truths, one bit each: the constants below.
pub(crate) const TRUTHS: usize = 6;
/// The first number of a clock's own.
pub(crate) const OWN: usize = 7;

/// An enemy stands within reach.
pub(crate) const IN_MELEE: i32 = 1;
/// The nearest enemy is as near as an advance to reach brings it.
pub(crate) const CLOSE: i32 = 1 << 1;
/// On the ground.
pub(crate) const PRONE: i32 = 1 << 2;
/// Within the reach of an enemy; computed only if a line asks for it.
pub(crate) const THREATENED: i32 = 1 << 3;
/// The first truth of a clock's own.
pub(crate) const OWN_TRUTH: u32 = 4;
/// The first weapon is in hand; the next bits are the next weapons.
const HAND_TRUTH: u32 = 20;

/// A need of a line: a number in a range, or some of its bits with given values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    index: usize,
    /// The bits of the number that count.
    mask: i32,
    low: i32,
    high: i32,
    /// Whether the number must be outside of the range.
    outside: bool,
}

impl Need {
    /// A number, of which nothing is needed yet.
    pub(crate) const fn any(index: usize) -> Self {
        Self::between(index, i32::MIN, i32::MAX)
    }

    /// Returns the need that this number, or this need as a truth, is in a range.
    fn within(self, (low, high): (i64, i64)) -> Self {
        let bounded = |bound: i64| bound.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let has = |value: i64| low <= value && value <= high;
        let Self { index, mask, .. } = self;
        match (has(0), has(1)) {
            _ if self == Self::any(index) => Self::between(index, bounded(low), bounded(high)),
            (true, false) => Self::none(index, mask),
            (false, true) => self,
            // Always met, or never.
            (always, _) => Self::at_least(index, if always { i32::MIN } else { i32::MAX }),
        }
    }

    pub(crate) const fn at_least(index: usize, low: i32) -> Self {
        Self::between(index, low, i32::MAX)
    }

    pub(crate) const fn at_most(index: usize, high: i32) -> Self {
        Self::between(index, i32::MIN, high)
    }

    const fn between(index: usize, low: i32, high: i32) -> Self {
        Self {
            index,
            mask: -1,
            low,
            high,
            outside: false,
        }
    }

    /// The need that none of these bits is set.
    pub(crate) const fn none(index: usize, bits: i32) -> Self {
        Self {
            mask: bits,
            ..Self::between(index, 0, 0)
        }
    }

    /// The need that one of these bits is set.
    pub(crate) const fn one(index: usize, bits: i32) -> Self {
        if bits.count_ones() == 1 {
            Self {
                mask: bits,
                ..Self::between(index, bits, bits)
            }
        } else {
            Self {
                outside: true,
                ..Self::none(index, bits)
            }
        }
    }

    /// Merges this need with another, if both are about certain bits of one number.
    fn and(self, other: Self) -> Option<Self> {
        let exact = |need: Self| need.mask != -1 && need.low == need.high && !need.outside;
        let agree = self.mask & other.mask & (self.low ^ other.low) == 0;
        (self.index == other.index && agree && exact(self) && exact(other)).then_some(Self {
            mask: self.mask | other.mask,
            low: self.low | other.low,
            high: self.high | other.high,
            ..self
        })
    }

    /// Returns the comparison, with the places to go on at if the need is met and if it is not.
    fn comparison(self, met: u16, unmet: u16) -> Branch {
        // An empty range becomes one that contains no number of a decision.
        let (low, more) = if self.low <= self.high {
            (self.low, self.high.wrapping_sub(self.low) as u32)
        } else {
            (i32::MAX, 0)
        };
        Branch {
            mask: self.mask,
            low,
            more,
            fact: self.index as u8,
            next: if self.outside {
                [met, unmet]
            } else {
                [unmet, met]
            },
        }
    }
}

/// A comparison, and the places to go on at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Branch {
    /// Bits of the number that count.
    mask: i32,
    /// The least number of the range.
    low: i32,
    /// The greatest number of the range, less `low`.
    more: u32,
    /// The place to go on at outside of the range, and within it.
    next: [u16; 2],
    fact: u8,
}

/// Places from this one on are not comparisons but lines that may be taken.
const TAKEN: u16 = 1 << 15;
/// Flag of such a line: its condition is still to be asked.
const OPEN: u16 = 1 << 14;
/// Flag of such a line: it is legal, since the rules need nothing beyond its comparisons.
const LEGAL: u16 = 1 << 13;
/// Flag of a legal attack: its aim must still find a target.
const AIMED: u16 = 1 << 12;
/// No line is left.
const END: u16 = u16::MAX;

/// A line whose comparisons all hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Passed {
    /// Index of the line.
    pub line: usize,
    /// Whether its condition is still to be asked.
    pub open: bool,
    /// Whether it is known to be legal, with the nearest enemy as its target if it has one.
    pub legal: bool,
    /// Whether its target is not the nearest enemy but the one that its aim finds within range, if it finds one.
    pub aimed: bool,
}

/// The comparisons of a policy's lines, one line after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct List {
    comparisons: Vec<Branch>,
    /// The place at which each line begins, and [`END`].
    begins: Vec<u16>,
}

/// The decisions of a policy as comparisons.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct CompiledLines {
    /// For one enemy left: each line is about that enemy.
    one: List,
    many: List,
    /// The truths that the comparisons use.
    truths: i32,
    /// Whether the comparisons use the number of enemies.
    enemies: bool,
}

/// Adds the needs of an action of a combatant, and returns whether they are all.
pub(crate) type NeedsOf<T> = fn(&Plan<T>, usize, &Line, &mut Vec<Need>) -> bool;

/// Returns the number that a variable of one clock is or, for a truth value, the need that it is true.
pub(crate) type FactOf = fn(Variable) -> Option<Need>;

impl CompiledLines {
    /// Compiles the decisions of a combatant.
    fn new<T: Clock>(plan: &Plan<T>, who: usize) -> Self {
        let [one, many] = [true, false].map(|one| List::new(plan, who, one));
        let about = |fact: usize| {
            let comparisons = one.comparisons.iter().chain(&many.comparisons);
            comparisons.filter(move |comparison| usize::from(comparison.fact) == fact)
        };
        let truths = about(TRUTHS).fold(0, |all, comparison| all | comparison.mask);
        let enemies = about(ENEMIES).next().is_some();
        Self {
            one,
            many,
            truths,
            enemies,
        }
    }

    /// Compiles the decisions of all combatants. Those of a group have equal comparisons, and share them in memory.
    pub(crate) fn of_all<T: Clock>(plan: &Plan<T>) -> Vec<Arc<Self>> {
        let mut all: Vec<Arc<Self>> = Vec::with_capacity(plan.fight.combatants.len());
        for who in 0..plan.fight.combatants.len() {
            let own = Self::new(plan, who);
            let shared = all.last().filter(|before| ***before == own);
            all.push(shared.map_or_else(|| Arc::new(own), Arc::clone));
        }
        all
    }

    /// Returns the result of `take` for the first line whose comparisons hold and for which it returns one.
    #[inline(always)]
    pub(crate) fn first<T>(
        &self,
        single: bool,
        values: &Values,
        take: impl Fn(Passed) -> Option<T>,
    ) -> Option<T> {
        let mut from = 0;
        while let Some(passed) = self.next(single, from, values) {
            if let Some(taken) = take(passed) {
                return Some(taken);
            }
            from = passed.line + 1;
        }
        None
    }

    /// The first line from `from` on whose comparisons all hold.
    #[inline]
    fn next(&self, single: bool, from: usize, values: &Values) -> Option<Passed> {
        let at = self.follow(single, from, values, |_, _| {});
        (at != END).then_some(Passed {
            line: usize::from(at & !(TAKEN | OPEN | LEGAL | AIMED)),
            open: at & OPEN != 0,
            legal: at & LEGAL != 0,
            aimed: at & AIMED != 0,
        })
    }

    /// Makes the comparisons from a line on. Returns the place after the last one. `made` receives each comparison and
    /// its result.
    #[inline(always)]
    fn follow(
        &self,
        single: bool,
        from: usize,
        values: &Values,
        mut made: impl FnMut(&Branch, bool),
    ) -> u16 {
        let list = if single { &self.one } else { &self.many };
        let mut at = list.begins[from];
        while let Some(comparison) = list.comparisons.get(usize::from(at)) {
            let value = values[usize::from(comparison.fact) % VALUES] & comparison.mask;
            // One comparison for both ends, without a branch.
            let inside = value.wrapping_sub(comparison.low) as u32 <= comparison.more;
            at = comparison.next[usize::from(inside)];
            made(comparison, inside);
        }
        at
    }

    /// Returns the first line that passes, and narrows `bounds` to the values for which the comparisons up to it have
    /// the same results. A comparison of bits narrows nothing: the caller keeps the bits as they are. `None` if the
    /// comparisons do not prove the line legal.
    pub(crate) fn bounds(
        &self,
        single: bool,
        values: &Values,
        bounds: &mut Bounds,
    ) -> Option<usize> {
        let at = self.follow(single, 0, values, |comparison, inside| {
            if comparison.mask != -1 {
                return;
            }
            let (low, high) = &mut bounds[usize::from(comparison.fact) % VALUES];
            let last = comparison.low.wrapping_add(comparison.more as i32);
            if inside {
                *low = (*low).max(comparison.low);
                *high = (*high).min(last);
            } else if values[usize::from(comparison.fact) % VALUES] < comparison.low {
                *high = (*high).min(comparison.low - 1);
            } else {
                *low = (*low).max(last + 1);
            }
        });
        let line = usize::from(at & !(TAKEN | LEGAL));
        (at & (OPEN | LEGAL | AIMED) == LEGAL).then_some(line)
    }
}

/// Within the comparisons of one line: the place after all of them hold.
const HOLDS: u16 = TAKEN;
/// Within the comparisons of one line: the place after one fails.
const FAILS: u16 = END;

/// The most tests of a condition that become comparisons; a longer one is asked in words.
const MOST_TESTS: usize = 16;

impl List {
    fn new<T: Clock>(plan: &Plan<T>, who: usize, one: bool) -> Self {
        let combatant = &plan.fight.combatants[who];
        let awaits = plan.fight.reserves().next().is_some();
        let lines = combatant.policy.decisions();
        let mut of_lines = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            let nearest = !line.aim.is_friendly() && (one || is_about_nearest(combatant, line));
            let mut all = Vec::new();
            // The only enemy left need not be casting, and a named one may still be to come (W-12).
            let any = match line.aim {
                Aim::Casting | Aim::Trigger => false,
                Aim::Named(_) => !awaits,
                _ => true,
            };
            let nearest_is_target = nearest && any;
            let attacks = matches!(line.action, Action::Attack(_) | Action::Desperate(_))
                && line.more.is_empty();
            let legal = match T::NEEDS(plan, who, line, &mut all) {
                true if nearest_is_target => LEGAL,
                true if attacks => LEGAL | AIMED,
                _ => 0,
            };
            shared_needs(combatant, line, nearest, &mut all);
            let all = merged(all);
            let tests = compared(combatant, &line.condition, nearest, T::FACT);
            let open = if tests.is_none() { OPEN } else { 0 };
            let code = TAKEN | index as u16 | open | legal;
            // The condition first: the designer wrote it to choose between lines.
            let tests = tests.unwrap_or_default();
            let accepted = tests.len() as u16;
            let place = |next| match next {
                Next::Accept if all.is_empty() => HOLDS,
                Next::Accept => accepted,
                Next::Reject => FAILS,
                Next::Test(test) => test,
            };
            let mut comparisons: Vec<Branch> = tests
                .into_iter()
                .map(|(need, met, unmet)| need.comparison(place(met), place(unmet)))
                .collect();
            for (left, need) in (0..all.len()).rev().zip(&all) {
                let next = if left == 0 {
                    HOLDS
                } else {
                    comparisons.len() as u16 + 1
                };
                comparisons.push(need.comparison(next, FAILS));
            }
            of_lines.push((code, comparisons));
        }
        let mut length = 0;
        let mut begins = Vec::with_capacity(lines.len() + 1);
        for (code, comparisons) in &of_lines {
            begins.push(if comparisons.is_empty() {
                *code
            } else {
                length
            });
            length += comparisons.len() as u16;
        }
        begins.push(END);
        let mut list = Vec::with_capacity(length.into());
        for ((code, comparisons), next) in of_lines.into_iter().zip(&begins[1..]) {
            let offset = list.len() as u16;
            let place = |within| match within {
                HOLDS => code,
                FAILS => *next,
                within => offset + within,
            };
            list.extend(comparisons.into_iter().map(|comparison| Branch {
                next: comparison.next.map(place),
                ..comparison
            }));
        }
        Self {
            comparisons: list,
            begins,
        }
    }
}

/// The need that a weapon is in hand.
fn in_hand(weapon: usize) -> Need {
    match i32::BITS - HAND_TRUTH {
        room if (weapon as u32) < room => Need::one(TRUTHS, 1 << (HAND_TRUTH + weapon as u32)),
        _ => Need::one(IN_HAND, 1 << weapon),
    }
}

/// Fills in the numbers that all systems have.
#[inline(always)]
pub(crate) fn shared<'a, S: Stage<'a> + ?Sized>(
    stage: &S,
    view: &ViewOf<'_, 'a, S>,
    compiled: &CompiledLines,
    values: &mut Values,
) {
    let (world, who, body) = (stage.world(), view.who, view.body);
    let mut truths = if body.prone { PRONE } else { 0 };
    truths |= (body.in_hand << HAND_TRUTH) as i32;
    if let Some((foe, distance)) = view.nearest {
        values[DISTANCE] = distance;
        values[TARGET_HEALTH] = world.health(foe);
        truths |= i32::from(distance <= body.reach) * IN_MELEE;
        truths |= i32::from(distance <= body.reach.max(0)) * CLOSE;
        if compiled.truths & THREATENED != 0 {
            let threatens = |foe: usize| world.distance(who, foe) <= world.bodies[foe].reach;
            let threatened =
                threatens(foe) || !is_single(view.enemies) && members(view.enemies).any(threatens);
            truths |= i32::from(threatened) * THREATENED;
        }
    }
    values[HEALTH] = world.health(who);
    values[IN_HAND] = body.in_hand as i32;
    values[ROUND] = stage.moment().round as i32;
    if compiled.enemies {
        values[ENEMIES] = view.enemies.count_ones() as i32;
    }
    values[TRUTHS] = truths;
}
