//! Estimates the cost of solving a notation before solving it.

use std::ops::Range;

use super::exact::{CHAIN_FLOOR, places};
use super::{Dice, Expression, NotationError, Standoff, Which};
use crate::dice::weight::FLOOR;

/// The limit on the dice of one term.
pub const MAX_DICE: u32 = 1000;
/// The limit on the sides of a die.
pub const MAX_SIDES: u32 = 1_000_000;
/// The limit on a written number.
pub const MAX_NUMBER: u64 = 1_000_000_000;
/// The limit on the number of values between the least and the greatest with weight.
pub const MAX_VALUES: u64 = 2_000_000;
/// The limit on the multiplications for an exact answer: about two seconds.
pub const MAX_WORK: u64 = 200_000_000;

/// The multiplications for handling one series, however short.
const OVERHEAD: f64 = 20.0;

/// The number of passes over all sides of a die with modifiers.
const PASSES: f64 = 8.0;

/// The greatest absolute value: a float has all whole numbers up to it, and their sums.
const MAX_VALUE: f64 = 1e15;

/// The cost of solving an expression.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    /// The number of values with weight.
    values: f64,
    /// The number of multiplications.
    pub(super) work: f64,
    /// The least and the greatest value; infinite where there is none.
    pub(super) range: [f64; 2],
}

fn refuse(span: &Range<usize>, message: String, help: &str) -> NotationError {
    NotationError {
        span: span.clone(),
        message,
        help: Some(help.to_owned()),
        is_too_much: true,
    }
}

impl Cost {
    fn checked(self, span: &Range<usize>) -> Result<Self, NotationError> {
        let far = |end: &f64| end.is_finite() && end.abs() > MAX_VALUE;
        if self.range.iter().any(far) {
            let message = format!("values beyond the limit of {MAX_VALUE}");
            return Err(refuse(span, message, "use smaller numbers"));
        }
        if self.values > MAX_VALUES as f64 {
            let message = format!(
                "about {:.0} different values, the limit is {MAX_VALUES}",
                self.values
            );
            return Err(refuse(
                span,
                message,
                "every value gets its own exact weight: use fewer or smaller dice",
            ));
        }
        if self.work > MAX_WORK as f64 {
            let message = format!(
                "an exact answer would take about {:.0} million steps, the limit is {} million",
                self.work / 1e6,
                MAX_WORK / 1_000_000
            );
            return Err(refuse(
                span,
                message,
                "use fewer or smaller dice, or an explosion that ends sooner",
            ));
        }
        Ok(self)
    }
}

/// Returns the cost of a constant.
pub(super) fn constant(value: i64) -> Cost {
    Cost {
        values: 1.0,
        work: 1.0,
        range: [value as f64; 2],
    }
}

/// Returns the cost of a term of dice.
pub(super) fn dice(dice: &Dice, span: &Range<usize>) -> Result<Cost, NotationError> {
    if dice.joins() {
        return joined(dice, span);
    }
    let (count, sides) = (f64::from(dice.count), f64::from(dice.sides));
    let faces = || (1..=dice.sides).filter(|&face| !dice.never_shows(face));
    let worth = |face: u32| dice.worth(face);
    let low = faces().map(worth).min().unwrap_or(0);
    let high = faces().map(worth).max().unwrap_or(0);
    let spread = (high - low) as f64;
    let shown = i64::from(dice.window().1);
    let mut range = [low * shown, high * shown].map(|end| end as f64);
    let mut values = count * spread + 1.0;
    let mut terms = match dice.successes {
        _ if dice.is_plain() => 6.0,
        Some(_) => 3.0,
        None => spread + 1.0,
    };
    if let Some(explode) = dice.explode {
        let carrying: Vec<u32> = faces().filter(|&face| dice.explodes(face)).collect();
        let reach = carrying.iter().map(|&face| dice.link(face)).max();
        let reach = reach.unwrap_or(0);
        let ends = || faces().filter(|&face| !dice.explodes(face));
        if explode.once {
            let least = |face: u32| worth(face) + if dice.explodes(face) { low } else { 0 };
            let most = |face: u32| worth(face) + if dice.explodes(face) { high } else { 0 };
            let best = faces().map(most).max().unwrap_or(0);
            let worst = faces().map(least).min().unwrap_or(0);
            range = [worst, best].map(|end| end as f64 * count);
            values = range[1] - range[0] + 1.0;
            terms *= 2.0;
        } else {
            let share = faces().count() as f64;
            let carried = chain_length(count, carrying.len() as f64 / share);
            let least = ends().map(worth).min().unwrap_or(0);
            let most = ends().map(worth).max().unwrap_or(0);
            range = exploding_range(dice, least as f64, most as f64, reach as f64);
            values += carried * reach.max(0) as f64;
            terms += carrying.len() as f64;
        }
    }
    let mut work = count * values * terms;
    if dice.keep.is_some() {
        let windows = if dice.explode.is_some() {
            f64::from(dice.keep.map_or(0, |keep| keep.number)) + 1.0
        } else {
            1.0
        };
        work = windows * sides * kept_per_side(dice, spread) + values;
    }
    if !dice.is_plain() {
        work += PASSES * sides;
    }
    Cost {
        values,
        work,
        range,
    }
    .checked(span)
}

/// Returns the approximate number of multiplications for dealing out one side to dice that are kept or dropped. There
/// is a series for every number of dice dealt before and with this side, as long as the sums of the dice before can be.
fn kept_per_side(dice: &Dice, spread: f64) -> f64 {
    let (start, length) = dice.window();
    (0..=dice.count)
        .map(|before| {
            let kept = before.clamp(start, start + length) - start;
            let after = f64::from(dice.count - before) + 1.0;
            after * (f64::from(kept) * spread + 1.0 + OVERHEAD)
        })
        .sum()
}

/// Returns the cost of dice that are one die with their extra dice, and are kept, dropped or counted.
fn joined(dice: &Dice, span: &Range<usize>) -> Result<Cost, NotationError> {
    let faces = || (1..=dice.sides).filter(|&face| !dice.never_shows(face));
    let value = |face: u32| dice.value(face);
    let carrying = faces().filter(|&face| dice.explodes(face));
    let reach = carrying.clone().map(|face| dice.link(face)).max();
    let reach = reach.unwrap_or(0) as f64;
    let carrying = carrying.count() as f64;
    let ends = || faces().filter(|&face| !dice.explodes(face));
    let least = ends().map(value).min().unwrap_or(0) as f64;
    let most = ends().map(value).max().unwrap_or(0) as f64;
    let length = links(carrying / faces().count() as f64, CHAIN_FLOOR);
    let one = Cost {
        values: most - least + 1.0 + length * reach,
        work: (most - least + length * reach) * carrying + PASSES * f64::from(dice.sides),
        range: [least, if reach > 0.0 { f64::INFINITY } else { most }],
    }
    .checked(span)?;
    let (range, spread) = if dice.successes.is_some() {
        let worths = || dice.chains().into_iter().map(|side| side.worth);
        let ends = [worths().min(), worths().max()];
        (ends.map(|end| end.unwrap_or(0) as f64), 2.0)
    } else {
        (one.range, one.values)
    };
    let shown = f64::from(dice.window().1);
    let values = shown * spread + 1.0;
    let all = if dice.outranks() {
        kept_chains(dice, one.values, most - least)
    } else if dice.keep.is_some() {
        one.values * kept_per_side(dice, spread)
    } else {
        shown * values * spread
    };
    Cost {
        values,
        work: one.work + PASSES * one.values + all,
        range: product_range([shown; 2], range),
    }
    .checked(span)
}

/// Returns the approximate number of multiplications for dice of which any number explodes, among any number of them. A
/// chain has up to `chain` values, the faces that end it a `spread`.
fn kept_chains(dice: &Dice, chain: f64, spread: f64) -> f64 {
    let values = |places: (u32, u32), each: f64| f64::from(places.1) * each + 1.0;
    let window = dice.window();
    let sums: f64 = (1..=dice.count)
        .flat_map(|count| (0..count).map(move |exploded| (exploded, count - exploded)))
        .map(|(exploded, others)| {
            let raised = values(places(window, 0, exploded), chain);
            raised * values(places(window, exploded, others), spread) + OVERHEAD
        })
        .sum();
    // Dealing out the other dice takes a sixth of the work of all dice on average.
    let pairs = f64::from(dice.count) * f64::from(dice.count + 1) / 2.0;
    sums + pairs * (spread + 1.0) * kept_per_side(dice, spread) / 6.0
}

/// Returns about how many links a chain can have before its weight is below `least`.
fn links(share: f64, least: f64) -> f64 {
    let (mut links, mut weight) = (0.0, 1.0);
    while weight > least && links < MAX_VALUES as f64 {
        weight *= share;
        links += 1.0;
    }
    links
}

/// Returns about how many links all chains of `count` dice can have before their weight vanishes.
fn chain_length(count: f64, share: f64) -> f64 {
    let links = links(share, FLOOR);
    let mean = count * share / (1.0 - share);
    let sd = (count * share).sqrt() / (1.0 - share);
    links + mean + 36.0 * sd
}

/// Returns the range of dice that explode without limit. As many dice as were rolled end a chain, on faces worth
/// `least` to `most`. The links of the chains are worth up to `link` and never less than 0.
fn exploding_range(dice: &Dice, least: f64, most: f64, link: f64) -> [f64; 2] {
    let (count, shown) = (f64::from(dice.count), f64::from(dice.window().1));
    let unless_raised = |bound: f64| if link > 0.0 { f64::INFINITY } else { bound };
    match dice.keep.map(|keep| keep.which) {
        None | Some(Which::DropLowest) => [shown * least, unless_raised(shown * most)],
        Some(Which::KeepLowest) => [shown * least, shown * most],
        Some(Which::KeepHighest) => [shown * least.min(link), shown * most.max(link)],
        // The highest dice, which are dropped, may be links or ends of chains.
        Some(Which::DropHighest) => [
            (shown * least).min(count * least),
            unless_raised((shown * most).max(count * most)),
        ],
    }
}

/// Returns the cost of `left + right` (`sign` 1) or `left - right` (`sign` -1).
pub(super) fn sum(
    left: &Cost,
    right: &Cost,
    sign: i64,
    span: &Range<usize>,
) -> Result<Cost, NotationError> {
    let right = if sign < 0 { negated(right) } else { *right };
    Cost {
        values: left.values + right.values,
        work: left.work + right.work + left.values * right.values,
        range: [0, 1].map(|end| left.range[end] + right.range[end]),
    }
    .checked(span)
}

/// Returns the cost of a product.
pub(super) fn product(
    left: &Cost,
    right: &Cost,
    span: &Range<usize>,
) -> Result<Cost, NotationError> {
    let [low, high] = product_range(reach(left), reach(right));
    Cost {
        values: high - low + 1.0,
        work: left.work + right.work + left.values * right.values,
        range: product_range(left.range, right.range),
    }
    .checked(span)
}

/// Returns the cost of a quotient.
pub(super) fn quotient(left: &Cost, by: i64) -> Cost {
    let mut range = left.range.map(|end| (end / by as f64).floor());
    if by < 0 {
        range.reverse();
    }
    Cost {
        values: left.values / by.unsigned_abs() as f64 + 1.0,
        work: left.work + left.values + OVERHEAD,
        range,
    }
}

/// Returns the cost of two sides that count the dice that reach the highest of the other.
pub(super) fn standoff(standoff: &Standoff, span: &Range<usize>) -> Result<Cost, NotationError> {
    Cost {
        values: f64::from(standoff.mine.0) + f64::from(standoff.theirs.0) + 1.0,
        work: standoff.work(OVERHEAD),
        range: standoff.range().map(|end| end as f64),
    }
    .checked(span)
}

/// Returns the least and the greatest value. An open end is as far as weights reach.
fn reach(cost: &Cost) -> [f64; 2] {
    let or = |end: f64, other: f64| if end.is_finite() { end } else { other };
    let [low, high] = cost.range;
    [
        or(low, or(high, 0.0) - cost.values),
        or(high, or(low, 0.0) + cost.values),
    ]
}

/// Returns the range of the products of values in two ranges: they lie between the products of the ends.
fn product_range([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    // An end that is not there, times 0, is 0.
    let or_zero = |corner: f64| if corner.is_nan() { 0.0 } else { corner };
    let corners = [a * c, a * d, b * c, b * d].map(or_zero);
    [
        corners.into_iter().fold(f64::INFINITY, f64::min),
        corners.into_iter().fold(f64::NEG_INFINITY, f64::max),
    ]
}

/// Returns the cost of the higher or the lower of two rolls.
pub(super) fn extreme(
    left: &Cost,
    right: &Cost,
    highest: bool,
    span: &Range<usize>,
) -> Result<Cost, NotationError> {
    let best = if highest { f64::max } else { f64::min };
    let ([low, high], [least, most]) = (reach(left), reach(right));
    let values = high.max(most) - low.min(least) + 1.0;
    Cost {
        values,
        work: left.work + right.work + values * OVERHEAD,
        range: [0, 1].map(|end| best(left.range[end], right.range[end])),
    }
    .checked(span)
}

/// Returns the cost of a rolled number of dice.
pub(super) fn several(
    count: &Cost,
    die: &Dice,
    span: &Range<usize>,
) -> Result<Cost, NotationError> {
    let [least, most] = count.range;
    if least < 0.0 || most.is_infinite() {
        let message = "the number of dice is never below 0 and never without limit";
        let help = "take dice that always show a number from 0, as in `(1d4)d6`";
        return Err(refuse(span, message.to_owned(), help));
    }
    if most > f64::from(MAX_DICE) {
        let message = format!("up to {most} dice in one term, the limit is {MAX_DICE}");
        let help = "an exact answer takes work for every die; use fewer";
        return Err(refuse(span, message, help));
    }
    let one = dice(die, span)?;
    let all = Dice {
        count: most as u32,
        ..die.clone()
    };
    let all = dice(&all, span)?;
    let number = [least, most];
    let [min, _] = product_range(number, [one.range[0]; 2]);
    let [_, max] = product_range(number, [one.range[1]; 2]);
    Cost {
        values: all.values,
        // Each number of dice adds one die to the previous number.
        work: count.work + most * all.values * one.values.min(f64::from(die.sides)),
        range: [min, max],
    }
    .checked(span)
}

/// Returns the cost with its sign changed.
pub(super) fn negated(cost: &Cost) -> Cost {
    Cost {
        range: [-cost.range[1], -cost.range[0]],
        ..*cost
    }
}

/// Returns the error for dice that explode for ever or have no lower bound.
pub(super) fn endless(dice: &Dice) -> Option<&'static str> {
    let faces = || 1..=dice.sides;
    if faces().all(|face| dice.never_shows(face)) {
        return Some("every face is rolled again: this die never comes to rest");
    }
    let explode = dice.explode?;
    if explode.once {
        return None;
    }
    if faces()
        .filter(|&face| !dice.never_shows(face))
        .all(|face| dice.explodes(face))
    {
        return Some("every face explodes: this roll never ends");
    }
    if faces().any(|face| dice.explodes(face) && dice.link(face) < 0) {
        return Some("a deducted face explodes: the value would have no lower bound");
    }
    None
}

impl Expression {
    /// The limits on the length and the depth of an expression.
    pub(super) const MAX_TERMS: usize = 100;
    pub(super) const MAX_DEPTH: usize = 40;
}
