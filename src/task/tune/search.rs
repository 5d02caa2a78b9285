//! The search: races of candidates on the same dice, around the best ones so far.
//!
//! In a race all candidates play the same encounters, in batches that grow. After each batch the candidates
//! that are proven worse than the leader are dropped; p-values are corrected for the looks
//! ([`sequential::ever`]) and for the number of candidates (Holm). This is the method of irace (M. Lopez-Ibanez
//! and others, "The irace package", Operations Research Perspectives 3 (2016)). As there, if there are too many
//! candidates for one race, new ones are drawn around the best after each race, ever nearer. At the end the
//! leader races against all candidates that are one step away.

use super::known::{Candidate, Evaluator, Stage, with};
use crate::output::tune::Wish;
use crate::scenario::Space;
use crate::scenario::sweep::combinations;
use crate::stats::{sequential, significance};
use crate::task::{Failure, Source};
use rand::Rng;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The most candidates of a space that is raced completely.
const GRID: u128 = 400;

/// The most candidates of a space that is solved completely.
const SOLVED_GRID: u128 = 4_000;

/// The number of candidates drawn for the first race.
const DRAWN: usize = 160;

/// The number of candidates drawn around the best before each later race.
const AROUND: usize = 60;

/// The number of races around the best.
const ROUNDS: u32 = 5;

/// The number of best candidates around which others are drawn.
const ELITES: usize = 6;

/// The encounters at the first look of a race.
const FIRST: u64 = 250;

/// The greatest difference between the values of solved candidates that are equally good.
const TIE: f64 = 1e-12;

/// The most races of the leader against its neighbours.
const STEPS: usize = 40;

/// The state of a search.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// The surviving candidates, the best first.
    pub(super) ranked: Vec<Candidate>,
    /// The number of further candidates that the tests could not tell from the best, dropped for lack of room.
    pub(super) cut: usize,
    /// Whether the search was completed.
    pub(super) complete: bool,
}

/// A search in progress.
struct Search<'a, 'b, S> {
    evaluator: &'a mut Evaluator<'b, S>,
    /// The encounters of each candidate that reaches the end of a race.
    most: u64,
    /// The encounters of all races together.
    budget: u64,
    /// The number of candidates that a race keeps even beyond its budget, unless they are proven worse.
    keep: usize,
    beaten: BTreeSet<Candidate>,
    /// Candidates that no test could tell from the best of their race, dropped for lack of room.
    indistinct: BTreeSet<Candidate>,
    found: Found,
    draw: Draw,
}

/// The random numbers of a search: a `SplitMix64` sequence, which depends only on its seed.
struct Draw(SplitMix64);

impl Draw {
    /// Returns a number from 0 to `end`, exclusive.
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end.max(1) as u64) as usize
    }

    /// Returns a share below 1.
    fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Returns the encounters at each look: twice as many as at the one before.
fn looks(most: u64) -> Vec<u64> {
    let doubled = std::iter::successors(Some(FIRST), |count| count.checked_mul(2));
    let below = doubled.take_while(|count| *count < most);
    below.chain([most]).collect()
}

/// Returns an estimate of the most encounters of all races: their budget, the first look of every candidate, which is
/// played whatever the budget, and a race against all neighbours.
pub(super) fn expected(space: &Space, most: u64, budget: u64) -> u64 {
    let all = if space.candidates() <= GRID {
        space.candidates() as usize
    } else {
        let single = (DRAWN / space.dimensions.len()).max(2) * space.dimensions.len();
        DRAWN + single + ROUNDS as usize * (AROUND + ELITES)
    };
    let neighbours = space.start().into_iter().enumerate();
    let neighbours = neighbours.map(|(at, value)| space.steps(at, value).len());
    let looks = (all + neighbours.sum::<usize>()) as u64 * FIRST.min(most);
    budget.saturating_add(budget / 8).saturating_add(looks)
}

/// Searches until the search is done or interrupted.
pub(super) fn run<S: Source>(
    evaluator: &mut Evaluator<'_, S>,
    most: u64,
    budget: u64,
    keep: usize,
) -> Result<Found, Failure> {
    let seed = evaluator.prepared.task.seed;
    let grid = if evaluator.is_exact() {
        SOLVED_GRID
    } else {
        GRID
    };
    let mut search = Search {
        evaluator,
        most,
        budget,
        keep,
        beaten: BTreeSet::new(),
        indistinct: BTreeSet::new(),
        found: Found::default(),
        draw: Draw(SplitMix64::seed_from_u64(seed ^ 0x7475_6e65)),
    };
    let space = search.evaluator.space;
    let done = if space.candidates() <= grid {
        let lengths = (0..space.dimensions.len()).map(|dimension| space.len(dimension));
        search.race(combinations(lengths), most, budget)?
    } else {
        search.around()?
    };
    search.found.complete = done && search.step()?;
    search.found.cut = search.cut();
    Ok(search.found)
}

impl<S: Source> Search<'_, '_, S> {
    /// Returns the number of candidates that the tests could not tell from the best, besides the survivors.
    fn cut(&self) -> usize {
        let is_exact = self.evaluator.is_exact();
        let distance = |at: &Candidate| self.evaluator.rank(at, Stage::Race, self.most)[0];
        let best = self.found.ranked.first().map(distance);
        let is_as_good =
            |at: &&Candidate| !is_exact || best.is_some_and(|best| distance(at) <= best + TIE);
        let ranked = &self.found.ranked;
        let others = self.indistinct.difference(&self.beaten);
        let others = others.filter(|at| !ranked.contains(at));
        others.filter(is_as_good).count()
    }

    /// Races candidates that are drawn: first from the whole space, then around the best.
    fn around(&mut self) -> Result<bool, Failure> {
        let mut pool = self.spread();
        for round in 0..=ROUNDS {
            // The first races are short: they need not tell the best from the second best.
            let most = (self.most >> (ROUNDS - round))
                .max(FIRST * 2)
                .min(self.most);
            let all = std::mem::take(&mut pool);
            // Later races may tell apart the candidates that a short race could not.
            self.indistinct.clear();
            if !self.race(all, most, self.budget / u64::from(ROUNDS + 1))? {
                return Ok(false);
            }
            pool.clone_from(&self.found.ranked);
            pool.truncate(self.keep.max(ELITES));
            let reach = 0.3 * 0.5_f64.powi(round as i32);
            pool.extend(self.near(reach));
        }
        Ok(true)
    }

    /// Returns candidates from the whole space: the file, single changes of it as far as there is room, and a
    /// sample in which each dimension takes all of its values about equally often.
    fn spread(&mut self) -> Vec<Candidate> {
        let space = self.evaluator.space;
        let start = space.start();
        let mut pool = vec![start.clone()];
        let lengths: Vec<usize> = (0..start.len()).map(|at| space.len(at)).collect();
        for (at, &length) in lengths.iter().enumerate() {
            let room = (DRAWN / start.len()).max(2);
            for index in 0..length.min(room) {
                pool.push(with(&start, at, index * length / length.min(room)));
            }
        }
        let mut columns: Vec<Vec<usize>> = Vec::with_capacity(lengths.len());
        for length in lengths {
            let mut column: Vec<usize> = (0..DRAWN).map(|index| index * length / DRAWN).collect();
            for at in (1..DRAWN).rev() {
                let other = self.draw.below(at + 1);
                column.swap(at, other);
            }
            columns.push(column);
        }
        pool.extend((0..DRAWN).map(|row| {
            columns
                .iter()
                .map(|column| column[row])
                .collect::<Candidate>()
        }));
        pool
    }

    /// Returns candidates that differ from the best by about the share `reach` of the range of each number.
    fn near(&mut self, reach: f64) -> Vec<Candidate> {
        let space = self.evaluator.space;
        let elites: Vec<Candidate> = self.found.ranked.iter().take(ELITES).cloned().collect();
        let start = space.start();
        let mut pool = Vec::with_capacity(AROUND);
        for index in 0..AROUND {
            let mut at = elites[index % elites.len()].clone();
            // Half of the dimensions stay unchanged, so that good values of several candidates combine.
            for dimension in 0..at.len() {
                let length = space.len(dimension);
                match self.draw.below(8) {
                    0..4 => {}
                    4 => at[dimension] = elites[self.draw.below(elites.len())][dimension],
                    5 if self.is_level() => at[dimension] = start[dimension],
                    _ if space.is_numeric(dimension) => {
                        // The sum of three uniform numbers is roughly normal.
                        let normal: f64 = (0..3).map(|_| self.draw.share() * 2.0 - 1.0).sum();
                        let steps = (normal * reach * length as f64).round();
                        let steps = if steps == 0.0 { normal.signum() } else { steps };
                        at[dimension] =
                            (at[dimension] as f64 + steps).clamp(0.0, length as f64 - 1.0) as usize;
                    }
                    _ => {
                        let steps = space.steps(dimension, at[dimension]);
                        if !steps.is_empty() {
                            at[dimension] = steps[self.draw.below(steps.len())];
                        }
                    }
                }
            }
            pool.push(at);
        }
        pool
    }

    fn is_level(&self) -> bool {
        matches!(self.evaluator.goals[0].wish, Wish::Level(_))
    }

    /// Races the leader against all candidates that are one step away, until none of them is better.
    fn step(&mut self) -> Result<bool, Failure> {
        for _ in 0..STEPS {
            let Some(leader) = self.found.ranked.first().cloned() else {
                return Ok(true);
            };
            let mut pool = self.found.ranked.clone();
            self.indistinct
                .extend(pool.drain(self.keep.min(pool.len())..));
            let before = pool.len();
            let space = self.evaluator.space;
            for (dimension, &value) in leader.iter().enumerate() {
                let mut values = space.steps(dimension, value);
                let start = space.dimensions[dimension].start;
                if self.is_level() && value != start {
                    values.push(start);
                }
                let values = values.into_iter();
                pool.extend(values.map(|value| with(&leader, dimension, value)));
            }
            pool.retain(|at| !self.beaten.contains(at));
            if pool.len() <= before && pool.iter().all(|at| self.found.ranked.contains(at)) {
                return Ok(true);
            }
            if !self.race(pool, self.most, self.budget / 8)? {
                return Ok(false);
            }
            if self.found.ranked.first() == Some(&leader) {
                return Ok(true);
            }
        }
        Ok(true)
    }

    /// Races candidates, and returns whether the race was completed. The survivors are in `found`, the best first.
    fn race(&mut self, pool: Vec<Candidate>, most: u64, budget: u64) -> Result<bool, Failure> {
        let mut seen = BTreeSet::new();
        let mut alive = pool;
        alive.retain(|at| {
            seen.insert(at.clone()) && !self.beaten.contains(at) && self.evaluator.is_allowed(at)
        });
        let before = self.evaluator.known.asked;
        let looks = if self.evaluator.is_exact() {
            vec![most]
        } else {
            looks(most)
        };
        for (index, &look) in looks.iter().enumerate() {
            if !self.evaluator.play(&alive, Stage::Race, look)? {
                return Ok(false);
            }
            self.sort(&mut alive, look);
            self.drop_worse(&mut alive, look, &looks);
            self.found.ranked.clone_from(&alive);
            let Some(&next) = looks.get(index + 1) else {
                break;
            };
            if alive.len() < 2 {
                break;
            }
            let missing = |at: &Candidate| {
                next.saturating_sub(self.evaluator.known.asked_of(at, Stage::Race))
            };
            let left = budget.saturating_sub(self.evaluator.known.asked - before);
            let mut cost = 0;
            let room = alive.iter().position(|at| {
                cost += missing(at);
                cost > left
            });
            let room = room.unwrap_or(alive.len()).max(self.keep.min(alive.len()));
            self.indistinct.extend(alive.drain(room..));
        }
        Ok(true)
    }

    fn sort(&self, alive: &mut Vec<Candidate>, look: u64) {
        let ranked = alive.drain(..).map(|at| {
            let rank = self.evaluator.rank(&at, Stage::Race, look);
            (rank, at)
        });
        let mut ranked: Vec<([f64; 3], Candidate)> = ranked.collect();
        ranked.sort_by(|(first, at), (second, to)| {
            let parts = first.iter().zip(second);
            parts
                .map(|(first, second)| first.total_cmp(second))
                .fold(Ordering::Equal, Ordering::then)
                .then_with(|| at.cmp(to))
        });
        alive.extend(ranked.into_iter().map(|(_, at)| at));
    }

    /// Drops the candidates that are proven worse than the first.
    fn drop_worse(&mut self, alive: &mut Vec<Candidate>, look: u64, looks: &[u64]) {
        let Some(leader) = alive.first().cloned() else {
            return;
        };
        if self.evaluator.is_exact() {
            // Solved values are known: equally good candidates stay, and for a level all that reach it.
            let best = self.evaluator.rank(&leader, Stage::Race, look)[0];
            alive.retain(|at| self.evaluator.rank(at, Stage::Race, look)[0] <= best + TIE);
            return;
        }
        let p_values: Vec<f64> = alive[1..]
            .iter()
            .map(|at| {
                let p = self.evaluator.p_of_worse(&leader, at, Stage::Race, look);
                p.map_or(1.0, |p| sequential::ever(p.clamp(0.0, 1.0), looks))
            })
            .collect();
        let error = self.evaluator.confidence().error();
        let adjusted = significance::holm(&p_values);
        let mut worse = std::iter::once(false).chain(adjusted.iter().map(|p| *p <= error));
        let gone = alive.extract_if(.., |_| worse.next().unwrap_or(false));
        self.beaten.extend(gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_double_up_to_the_most() {
        assert_eq!(looks(2_000), [250, 500, 1_000, 2_000]);
        assert_eq!(looks(2_100), [250, 500, 1_000, 2_000, 2_100]);
        assert_eq!(looks(16), [16]);
    }
}
