//! Zero-sum games of two players in matrix form: the mixes that cannot be exploited, and how certain they are when
//! payoffs are known within intervals.
//!
//! A payoff, from 0 to 1, goes to the player of the rows; the player of the columns gets 1 less the payoff. Mixes are
//! found by the simplex method (G. B. Dantzig, "A proof of the equivalence of the programming problem and the game
//! problem", in "Activity Analysis of Production and Allocation", 1951), with R. G. Bland's rule against cycles ("New
//! finite pivoting rules for the simplex method", Mathematics of Operations Research 2 (1977)). Statements about a mix
//! do not depend on the simplex method: they are computed from the mix and the bounds of the payoffs.

use super::Interval;

/// The size below which a number of a tableau counts as 0: payoffs are at most 1, and rounding errors stay far below
/// it.
const ZERO: f64 = 1e-11;

/// The relative rounding error of a sum of products with a mix; sums are rounded outward by this much.
const ROUNDING: f64 = 1e-14;

/// A matrix of payoffs, or of their bounds: one row for each build, all rows of the same length.
pub type Matrix = Vec<Vec<f64>>;

/// A mix for each player, and whether no other mix is as good.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixes {
    /// The share of each row.
    pub rows: Vec<f64>,
    /// The share of each column.
    pub columns: Vec<f64>,
    /// Whether no other mix of the rows and of the columns is as good.
    pub unique: [bool; 2],
}

/// Bounds of a game's value and of how far its mixes can be exploited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certain {
    /// The bounds of the game's value: the payoff of best play by both players.
    pub value: Interval,
    /// The most that the best answer can gain over the value: against the mix of the rows, and against the mix of the
    /// columns.
    pub exploitable: [f64; 2],
}

/// Returns the mixes of both players against which no answer gains more than the value of the game.
///
/// # Panics
/// If there is no payoff, or a payoff is not a finite number.
pub fn solve(payoffs: &Matrix) -> Mixes {
    let (rows, columns) = (payoffs.len(), payoffs[0].len());
    let least = payoffs
        .iter()
        .flatten()
        .copied()
        .fold(f64::INFINITY, f64::min);
    assert!(least.is_finite(), "a payoff is no number");
    // The player of the columns looks for weights with the greatest sum under which no row gets more than 1. Payoffs
    // are shifted above 0, so that the value of the shifted game is 1 divided by that sum.
    let shift = 1.0 - least;
    let width = columns + rows + 1;
    let mut table: Vec<Vec<f64>> = Vec::with_capacity(rows + 1);
    for (at, payoffs) in payoffs.iter().enumerate() {
        let mut row = vec![0.0; width];
        for (cell, payoff) in row.iter_mut().zip(payoffs) {
            *cell = payoff + shift;
        }
        row[columns + at] = 1.0;
        row[width - 1] = 1.0;
        table.push(row);
    }
    let mut costs = vec![0.0; width];
    costs[..columns].fill(-1.0);
    table.push(costs);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    // Bland's rule terminates; the limit is against rounding errors.
    for _ in 0..200 * (rows + columns) {
        let costs = &table[rows];
        let Some(entering) = (0..width - 1).find(|&at| costs[at] < -ZERO) else {
            break;
        };
        let ratio = |row: usize| table[row][width - 1] / table[row][entering];
        let leaving =
            (0..rows)
                .filter(|&row| table[row][entering] > ZERO)
                .min_by(|&one, &other| {
                    let (first, second) = (ratio(one), ratio(other));
                    if (first - second).abs() <= ZERO * first.abs() {
                        basis[one].cmp(&basis[other])
                    } else {
                        first.total_cmp(&second)
                    }
                });
        let Some(leaving) = leaving else { break };
        pivot(&mut table, leaving, entering);
        basis[leaving] = entering;
    }
    let mut weights = vec![0.0; columns];
    let mut degenerate = false;
    for (row, &variable) in basis.iter().enumerate() {
        let value = table[row][width - 1];
        degenerate |= value <= ZERO;
        if variable < columns {
            weights[variable] = value.max(0.0);
        }
    }
    let costs = &table[rows];
    let duals: Vec<f64> = (0..rows).map(|row| costs[columns + row].max(0.0)).collect();
    let idle = (0..width - 1).filter(|at| !basis.contains(at));
    let ties = idle.filter(|&at| costs[at] <= ZERO).count();
    Mixes {
        rows: shares(duals),
        columns: shares(weights),
        unique: [!degenerate, ties == 0],
    }
}

/// Makes `entering` a variable of the basis, in place of the basic variable of row `leaving`.
fn pivot(table: &mut [Vec<f64>], leaving: usize, entering: usize) {
    let by = table[leaving][entering];
    for cell in &mut table[leaving] {
        *cell /= by;
    }
    let row = table[leaving].clone();
    for (at, other) in table.iter_mut().enumerate() {
        let factor = other[entering];
        if at != leaving && factor != 0.0 {
            for (cell, own) in other.iter_mut().zip(&row) {
                *cell -= factor * own;
            }
            other[entering] = 0.0;
        }
    }
}

/// Returns weights as shares of their sum; mere rounding errors become 0.
fn shares(mut weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight = if *weight > 1e-9 * sum { *weight } else { 0.0 };
    }
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// Returns the payoff of the mix of the rows against each column.
pub fn against_columns(payoffs: &Matrix, rows: &[f64]) -> Vec<f64> {
    let columns = 0..payoffs[0].len();
    let against = |column: usize| {
        payoffs
            .iter()
            .zip(rows)
            .map(|(row, share)| share * row[column])
            .sum()
    };
    columns.map(against).collect()
}

/// Returns the payoff of each row against the mix of the columns.
pub fn against_rows(payoffs: &Matrix, columns: &[f64]) -> Vec<f64> {
    let against = |row: &Vec<f64>| {
        row.iter()
            .zip(columns)
            .map(|(payoff, share)| share * payoff)
            .sum()
    };
    payoffs.iter().map(against).collect()
}

/// Returns the least payoff of the mix of the rows.
fn worst(payoffs: &Matrix, rows: &[f64]) -> f64 {
    let all = against_columns(payoffs, rows).into_iter();
    all.fold(f64::INFINITY, f64::min) - ROUNDING * rows.len() as f64
}

/// Returns the greatest payoff that the mix of the columns allows.
fn best(payoffs: &Matrix, columns: &[f64]) -> f64 {
    let all = against_rows(payoffs, columns).into_iter();
    all.fold(f64::NEG_INFINITY, f64::max) + ROUNDING * columns.len() as f64
}

/// Returns bounds of the value of a game and of how far `mixes` can be exploited, if every payoff lies between its
/// bounds.
///
/// The value is at least the payoff of the best mix for the low payoffs, and at most the payoff that the best mix
/// against the high payoffs allows. If all payoffs are known within `e`, the value is known within `e`, and a mix that
/// is best for the middle is exploitable by at most `2 e`. A `fair` game has the same builds in rows and columns. Its
/// value is 1/2 whatever the payoffs, and a mix is exploitable by at most `e`.
pub fn certain(low: &Matrix, high: &Matrix, mixes: &Mixes, fair: bool) -> Certain {
    let value = if fair {
        Interval::new(0.5, 0.5)
    } else {
        // The value lies within the range of all payoffs, whatever the rounding.
        let least = low.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let most = high.iter().flatten().copied();
        let most = most.fold(f64::NEG_INFINITY, f64::max);
        let from = worst(low, &solve(low).rows).max(worst(low, &mixes.rows));
        let to = best(high, &solve(high).columns).min(best(high, &mixes.columns));
        Interval::new(from.max(least), to.min(most))
    };
    Certain {
        value,
        exploitable: [
            (value.high - worst(low, &mixes.rows)).max(0.0),
            (best(high, &mixes.columns) - value.low).max(0.0),
        ],
    }
}

/// The mix that makes a row unnecessary.
#[derive(Debug, Clone, PartialEq)]
pub struct Dominated {
    /// The share of each row in the mix that does at least as well against every column, and better against one: often
    /// a single row.
    pub by: Vec<f64>,
    /// Whether this holds for all payoffs within their intervals, and not only for the middle.
    pub is_certain: bool,
}

/// Returns the mix that dominates a row, if there is one: a single row if possible, else a mix that is better against
/// every column.
pub fn dominator(row: usize, [low, middle, high]: [&Matrix; 3]) -> Option<Dominated> {
    let single = |better: &Matrix, worse: &Matrix| {
        let others = (0..better.len()).filter(|other| *other != row);
        let pairs = |other: usize| better[other].iter().zip(&worse[row]);
        let mut found = others.filter(|&other| {
            // Equal scores of solved fights may differ by rounding.
            pairs(other).all(|(better, worse)| better - worse >= -ZERO)
                && pairs(other).any(|(better, worse)| better - worse > ZERO)
        });
        found.next().map(|other| {
            let mut by = vec![0.0; better.len()];
            by[other] = 1.0;
            by
        })
    };
    let mixed = |better: &Matrix, worse: &Matrix| {
        let others: Vec<usize> = (0..better.len()).filter(|other| *other != row).collect();
        if others.len() < 2 {
            return None;
        }
        let gain = |&other: &usize| -> Vec<f64> {
            let pairs = better[other].iter().zip(&worse[row]);
            pairs.map(|(better, worse)| better - worse).collect()
        };
        let gains: Matrix = others.iter().map(gain).collect();
        let mix = solve(&gains).rows;
        (worst(&gains, &mix) > ZERO).then(|| {
            let mut by = vec![0.0; better.len()];
            for (other, share) in others.into_iter().zip(mix) {
                by[other] = share;
            }
            by
        })
    };
    let certain = single(low, high).or_else(|| mixed(low, high));
    let is_certain = certain.is_some();
    let by = certain
        .or_else(|| single(middle, middle))
        .or_else(|| mixed(middle, middle))?;
    Some(Dominated { by, is_certain })
}

/// Returns cycles of builds in which each build certainly beats the next, and the last beats the first: for each
/// victory the shortest cycle that contains it. Shorter cycles come first; among cycles of equal length, those whose
/// weakest victory is the clearest. `low` holds the lower bounds of the payoffs of a game with the same builds in rows
/// and columns.
pub fn cycles(low: &Matrix) -> Vec<Vec<usize>> {
    let beats = |one: usize, other: usize| one != other && low[one][other] > 0.5;
    let mut all: Vec<Vec<usize>> = Vec::new();
    for first in 0..low.len() {
        for second in (0..low.len()).filter(|&second| beats(first, second)) {
            let Some(mut cycle) = shortest(second, first, low.len(), beats) else {
                continue;
            };
            let least = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
            cycle.rotate_left(least);
            if !all.contains(&cycle) {
                all.push(cycle);
            }
        }
    }
    let weakest = |cycle: &Vec<usize>| {
        let next = cycle.iter().cycle().skip(1);
        let all = cycle.iter().zip(next).map(|(&one, &other)| low[one][other]);
        all.fold(f64::INFINITY, f64::min)
    };
    all.sort_by(|one, other| {
        let lengths = one.len().cmp(&other.len());
        lengths.then_with(|| weakest(other).total_cmp(&weakest(one)))
    });
    all
}

/// Returns the shortest path of victories from one build to another, both ends included.
fn shortest(
    from: usize,
    to: usize,
    count: usize,
    beats: impl Fn(usize, usize) -> bool,
) -> Option<Vec<usize>> {
    let mut before: Vec<Option<usize>> = vec![None; count];
    let mut reached = vec![from];
    let mut at = 0;
    while at < reached.len() {
        let here = reached[at];
        at += 1;
        for next in (0..count).filter(|&next| beats(here, next)) {
            if next != from && before[next].is_none() {
                before[next] = Some(here);
                reached.push(next);
            }
        }
    }
    let mut way = vec![to];
    let mut here = to;
    while here != from {
        here = before[here]?;
        way.push(here);
    }
    way.reverse();
    Some(way)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    fn all_near(one: &[f64], other: &[f64]) -> bool {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| near(*one, *other))
    }

    /// Returns the payoffs of a game with the same builds in rows and columns, from their differences to one half.
    fn fair(over: &[&[f64]]) -> Matrix {
        let row = |row: &&[f64]| row.iter().map(|over| 0.5 + over).collect();
        over.iter().map(row).collect()
    }

    #[test]
    fn the_value_of_a_game_lies_within_its_payoffs() {
        for payoff in [0.0, 1.0] {
            let all = vec![vec![payoff; 3]; 2];
            let value = certain(&all, &all, &solve(&all), false).value;
            assert!(value.low <= payoff && payoff <= value.high);
            assert!((0.0..=1.0).contains(&value.low) && (0.0..=1.0).contains(&value.high));
        }
    }

    #[test]
    fn rock_paper_scissors_has_its_known_mix() {
        // With victories of different worth a, b, c the shares are as b : c : a.
        let (a, b, c) = (0.1, 0.2, 0.4);
        let payoffs = fair(&[&[0.0, -a, c], &[a, 0.0, -b], &[-c, b, 0.0]]);
        let mixes = solve(&payoffs);
        let known = [b / 0.7, c / 0.7, a / 0.7];
        assert!(all_near(&mixes.rows, &known), "{mixes:?}");
        assert!(all_near(&mixes.columns, &known), "{mixes:?}");
        assert_eq!(mixes.unique, [true, true]);
        let certain = certain(&payoffs, &payoffs, &mixes, true);
        assert!(certain.exploitable.iter().all(|points| *points < 1e-12));
    }

    /// J. von Neumann's poker and other textbook games: M. J. Osborne, "An Introduction to Game Theory" (2004).
    #[test]
    fn games_with_known_values_have_them() {
        let cases: [(Matrix, f64, Vec<f64>); 4] = [
            // Matching pennies.
            (vec![vec![1.0, 0.0], vec![0.0, 1.0]], 0.5, vec![0.5, 0.5]),
            // A saddle point.
            (vec![vec![0.3, 0.4], vec![0.2, 0.9]], 0.3, vec![1.0, 0.0]),
            // One row, one column.
            (vec![vec![0.7]], 0.7, vec![1.0]),
            // Two rows against three columns: the second column is never played.
            (
                vec![vec![0.8, 0.9, 0.1], vec![0.2, 0.6, 0.6]],
                (0.8 * 0.6 - 0.1 * 0.2) / (0.8 + 0.6 - 0.1 - 0.2),
                vec![0.4 / 1.1, 0.7 / 1.1],
            ),
        ];
        for (payoffs, value, rows) in cases {
            let mixes = solve(&payoffs);
            assert!(all_near(&mixes.rows, &rows), "{payoffs:?}: {mixes:?}");
            let certain = certain(&payoffs, &payoffs, &mixes, false);
            assert!(near(certain.value.low, value), "{certain:?} is not {value}");
            assert!(certain.value.low <= certain.value.high);
            assert!(certain.value.high - certain.value.low < 1e-12);
        }
    }

    #[test]
    fn mixes_that_are_not_the_only_ones_are_told() {
        let twins = fair(&[&[0.0, 0.0, 0.3], &[0.0, 0.0, 0.3], &[-0.3, -0.3, 0.0]]);
        assert!(solve(&twins).unique.contains(&false));
        let pennies = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
        assert_eq!(solve(&pennies).unique, [true, true]);
    }

    /// Pseudorandom payoffs, the same thousand games in each run.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (self.0 >> 40) as f64 / f64::from(1 << 24)
        }

        fn matrix(&mut self, rows: usize, columns: usize) -> Matrix {
            (0..rows)
                .map(|_| (0..columns).map(|_| self.next()).collect())
                .collect()
        }
    }

    #[test]
    fn no_answer_takes_more_than_the_value_in_random_games() {
        let mut random = Random(1);
        for case in 0..1000 {
            let (rows, columns) = (1 + case % 13, 1 + case / 13 % 11);
            let mut payoffs = random.matrix(rows, columns);
            if case % 3 == 0 {
                // Many ties.
                for payoff in payoffs.iter_mut().flatten() {
                    *payoff = (*payoff * 4.0).round() / 4.0;
                }
            }
            let mixes = solve(&payoffs);
            let certain = certain(&payoffs, &payoffs, &mixes, false);
            assert!(
                certain.exploitable.iter().all(|points| *points < 1e-10),
                "{payoffs:?}: {mixes:?}, {certain:?}"
            );
        }
    }

    fn moved(payoffs: &Matrix, by: f64) -> Matrix {
        let rows = payoffs.iter();
        rows.map(|row| row.iter().map(|payoff| payoff + by).collect())
            .collect()
    }

    #[test]
    fn bounds_hold_for_any_payoffs_within_the_intervals() {
        let mut random = Random(7);
        for case in 0..300 {
            let (rows, columns) = (2 + case % 4, 2 + case / 4 % 4);
            let truth = random.matrix(rows, columns);
            let e = 0.03;
            let measured: Matrix = truth
                .iter()
                .map(|row| {
                    row.iter()
                        .map(|one| one + e * (2.0 * random.next() - 1.0))
                        .collect()
                })
                .collect();
            let mixes = solve(&measured);
            let found = certain(&moved(&measured, -e), &moved(&measured, e), &mixes, false);
            let exact = solve(&truth);
            let value = worst(&truth, &exact.rows);
            assert!(found.value.low <= value + 1e-9 && value <= found.value.high + 1e-9);
            assert!(
                found.value.half_width() <= e + 1e-9,
                "the value is known within e"
            );
            let taken = [
                value - worst(&truth, &mixes.rows),
                best(&truth, &mixes.columns) - value,
            ];
            for (taken, bound) in taken.into_iter().zip(found.exploitable) {
                assert!(taken <= bound + 1e-9, "{taken} is more than {bound}");
                assert!(bound <= 2.0 * e + 1e-9, "at most twice e: {bound}");
            }
        }
    }

    #[test]
    fn a_dominated_row_is_found_with_what_dominates_it() {
        let payoffs = vec![
            vec![0.5, 0.6, 0.4],
            vec![0.5, 0.5, 0.3],
            vec![0.1, 0.9, 0.2],
        ];
        let of = |row| dominator(row, [&payoffs, &payoffs, &payoffs]);
        assert_eq!(of(0), None);
        let second = of(1).unwrap();
        assert!(second.is_certain && all_near(&second.by, &[1.0, 0.0, 0.0]));
        assert_eq!(of(2), None);
        // Scores that differ by the rounding of a solution count as equal.
        let bounds =
            [-1.0, 0.0, 1.0].map(|sign| vec![vec![1.0 + sign * 1e-14, 0.8], vec![1.0, 0.5]]);
        let second = dominator(1, bounds.each_ref()).unwrap();
        assert!(second.is_certain && dominator(0, bounds.each_ref()).is_none());
        // Half of each of two others beats the third everywhere, and neither alone does.
        let payoffs = vec![vec![0.9, 0.1], vec![0.1, 0.9], vec![0.4, 0.4]];
        let third = dominator(2, [&payoffs, &payoffs, &payoffs]).unwrap();
        assert!(third.is_certain && all_near(&third.by, &[0.5, 0.5, 0.0]));
    }

    #[test]
    fn what_intervals_leave_open_is_not_certain() {
        let middle = vec![vec![0.52, 0.52], vec![0.5, 0.5]];
        let around = |by: f64| [-by, 0.0, by].map(|by| moved(&middle, by));
        let wide = dominator(1, around(0.02).each_ref()).unwrap();
        assert!(!wide.is_certain);
        let narrow = dominator(1, around(0.005).each_ref()).unwrap();
        assert!(narrow.is_certain);
    }

    #[test]
    fn cycles_are_found_the_shortest_and_clearest_first() {
        let (w, l) = (0.2, -0.2);
        let four = fair(&[
            &[0.0, w, 0.0, l],
            &[l, 0.0, w, 0.0],
            &[0.0, l, 0.0, w],
            &[w, 0.0, l, 0.0],
        ]);
        assert_eq!(cycles(&four), [vec![0, 1, 2, 3]]);
        let mixed = fair(&[
            &[0.0, w, l, 0.1, 0.0],
            &[l, 0.0, w, 0.0, 0.0],
            &[w, l, 0.0, -0.1, 0.0],
            &[-0.1, 0.0, 0.1, 0.0, 0.0],
            &[0.0, 0.0, 0.0, 0.0, 0.0],
        ]);
        // 2 beats 0 by more than 3 beats 2, so that the first cycle is the clearer one.
        assert_eq!(cycles(&mixed), [vec![0, 1, 2], vec![0, 3, 2]]);
        assert!(cycles(&fair(&[&[0.0, w], &[l, 0.0]])).is_empty());
    }
}
