//! Plays every build against every other, until all scores are known, or those that matter.

use super::{Answer, Context, Failure, Input, Played, Prepared, Source, solve};
use crate::exact::Budget;
use crate::output::manifest;
use crate::output::matchup::{MatchupReport, Score};
use crate::run::{Ended, Until};
use crate::scenario::{Pairings, Variant};
use crate::stats::intervals::of_score;
use crate::stats::{Confidence, Interval, Summary};
use crate::tally::{Tally, metrics};

/// All pairings of builds.
#[derive(Debug)]
pub(super) struct Meetings {
    variant: String,
    pairings: Pairings,
    /// The row and the column of each fight.
    fights: Vec<(usize, usize)>,
    /// The fights of each pair of builds: one, or two with the sides exchanged. The first has the lower row.
    pairs: Vec<Vec<usize>>,
}

/// Each fight is played in about this many stretches; the other fights are played in between.
const STRETCHES: u64 = 16;

/// The fewest and the most encounters of a stretch. The first ones are short, so that a long matchup soon has scores.
const LEAST_STRETCH: u64 = 16_384;
const MOST_STRETCH: u64 = 1 << 20;

/// The counts or solutions of all fights.
struct FightResults {
    /// The encounters of each fight that the row lost, that neither won, and that the row won.
    counts: Vec<[u64; 3]>,
    /// The score of each solved fight: low bound, middle and high bound.
    solved: Vec<Option<[f64; 3]>>,
    /// The share of encounters of each solved fight that neither side wins.
    drawn: Vec<f64>,
    states: u64,
    ended: Ended,
}

impl FightResults {
    fn encounters_of(&self, fight: usize) -> u64 {
        self.counts[fight].iter().sum()
    }
}

impl Meetings {
    pub(super) fn new(input: &Input, variant: &str) -> Result<Self, Failure> {
        input.loaded.has_sound(variant)?;
        let pairings = input.loaded.document.pairings(variant)?;
        let mut fights = Vec::new();
        for (row, all) in pairings.fights.iter().enumerate() {
            let there = (0..all.len()).filter(|column| all[*column].is_some());
            fights.extend(there.map(|column| (row, column)));
        }
        let mut pairs = Vec::new();
        for (index, &(row, column)) in fights.iter().enumerate() {
            if !pairings.is_one_list {
                pairs.push(vec![index]);
            } else if row < column {
                let turned = fights.iter().position(|at| *at == (column, row));
                pairs.push([Some(index), turned].into_iter().flatten().collect());
            }
        }
        Ok(Self {
            variant: input.loaded.document.variant_name(variant).to_owned(),
            pairings,
            fights,
            pairs,
        })
    }

    /// Returns all fights.
    pub(super) fn variants(&self) -> Vec<&Variant> {
        let fights = self.pairings.fights.iter().flatten();
        fights.flatten().collect()
    }

    /// Plays or solves all fights. If interrupted, fights have fewer encounters, or no solution.
    pub(super) fn play(
        &self,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<Played, Failure> {
        let played = match prepared.task.until.budget() {
            Some(budget) => self.solve(prepared, budget, context),
            None => self.sample(prepared, context),
        };
        context.watch.end();
        Ok(self.answer(&played?, prepared))
    }

    /// Returns the answer from the counts of all fights, of which some may be missing.
    pub(super) fn merged(
        &self,
        tallies: impl Iterator<Item = Tally>,
        prepared: &Prepared,
    ) -> Played {
        let mut played = self.nothing();
        for (counts, tally) in played.counts.iter_mut().zip(tallies) {
            *counts = results(&tally);
        }
        let whole = |fight| played.encounters_of(fight) == prepared.encounters();
        played.ended = if (0..self.fights.len()).all(whole) {
            Ended::Enough
        } else {
            Ended::Partial
        };
        self.answer(&played, prepared)
    }

    fn answer(&self, played: &FightResults, prepared: &Prepared) -> Played {
        let counts = [played.counts.iter().flatten().sum(), played.states];
        if counts == [0, 0] {
            return Played::Answered(None);
        }
        let mut report = self.report(played, prepared);
        report.scenario.clone_from(&prepared.name);
        prepared.input().title().clone_into(&mut report.title);
        report.variant.clone_from(&self.variant);
        let most = (0..self.fights.len())
            .map(|fight| played.encounters_of(fight))
            .max();
        let changes = &self.pairings.changes;
        let listed = manifest::Variant::new(&self.variant, most.unwrap_or(0), changes);
        Played::answered(Answer::Matchup(report), listed, counts)
    }

    fn nothing(&self) -> FightResults {
        FightResults {
            counts: vec![[0; 3]; self.fights.len()],
            solved: vec![None; self.fights.len()],
            drawn: vec![0.0; self.fights.len()],
            states: 0,
            ended: Ended::Interrupted,
        }
    }

    fn solve(
        &self,
        prepared: &Prepared,
        budget: Budget,
        context: &Context<'_, impl Source>,
    ) -> Result<FightResults, Failure> {
        let all = self.variants();
        context.begin("solve", all.len() as u64, 0, false);
        let solved = solve::solved(prepared.input(), &all, budget, context)?;
        let mut played = self.nothing();
        if let Some(tallies) = solved {
            played.states = tallies.iter().filter_map(solve::states).sum();
            for (fight, tally) in tallies.iter().enumerate() {
                if let Some([won, lost]) = rates(tally) {
                    played.drawn[fight] = (1.0 - won[1] - lost[1]).max(0.0);
                    played.solved[fight] = Some(solved_score(won, lost));
                }
            }
            played.ended = Ended::Enough;
        }
        Ok(played)
    }

    fn sample(
        &self,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<FightResults, Failure> {
        let mut played = self.nothing();
        let looks = prepared.task.until.looks();
        let estimated = !matches!(prepared.task.until, Until::Encounters(_));
        let (mut open, mut expected) = ((0..self.pairs.len()).collect::<Vec<_>>(), 0);
        context.begin("matchup", 0, 0, estimated);
        for count in looks.counts() {
            let fights = open.iter().flat_map(|pair| &self.pairs[*pair]);
            let missing = fights.map(|&fight| count.saturating_sub(played.encounters_of(fight)));
            expected += missing.sum::<u64>();
            context.length(expected);
            // All pairs advance together, so that an interrupt leaves none without a score.
            let longest = (count / STRETCHES).clamp(LEAST_STRETCH, MOST_STRETCH);
            let mut reached: u64 = 0;
            while reached < count {
                reached = count.min(reached + reached.clamp(LEAST_STRETCH, longest));
                if !self.play_to(reached, &open, &mut played, prepared, context)? {
                    return Ok(played);
                }
            }
            open = self.open(&played, prepared);
            if open.is_empty() {
                break;
            }
        }
        let is_open = !matches!(prepared.task.until, Until::Encounters(_)) && !open.is_empty();
        played.ended = if is_open {
            Ended::Exhausted
        } else {
            Ended::Enough
        };
        Ok(played)
    }

    /// Plays the fights of these pairs up to a number of encounters each. Returns false if interrupted: then some pairs
    /// have fewer, but both fights of a pair have equally many.
    fn play_to(
        &self,
        count: u64,
        pairs: &[usize],
        played: &mut FightResults,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<bool, Failure> {
        let mut missing = Vec::new();
        for &pair in pairs {
            for &fight in &self.pairs[pair] {
                let (row, column) = self.fights[fight];
                let before = played.encounters_of(fight);
                if let Some(variant) = &self.pairings.fights[row][column]
                    && before < count
                {
                    missing.push(((pair, fight), (variant, before..count)));
                }
            }
        }
        let (fights, stretches): (Vec<(usize, usize)>, Vec<_>) = missing.into_iter().unzip();
        let seed = prepared.task.seed;
        let counted = context.play_each(stretches, seed, |_, tally| results(&tally))?;
        let unfinished = fights.get(counted.len()).map(|&(pair, _)| pair);
        let new = fights.into_iter().zip(counted);
        for ((_, fight), new) in new.filter(|((pair, _), _)| Some(*pair) != unfinished) {
            for (all, new) in played.counts[fight].iter_mut().zip(new) {
                *all += new;
            }
        }
        Ok(unfinished.is_none())
    }

    /// Returns the pairs that need more encounters.
    fn open(&self, played: &FightResults, prepared: &Prepared) -> Vec<usize> {
        let wanted = match &prepared.task.until {
            Until::Precision(rule) => {
                let wide = |pair: &usize| {
                    let score = self.score(played, *pair, prepared);
                    score.interval.half_width() > rule.precision.of_rate()
                };
                return (0..self.pairs.len()).filter(wide).collect();
            }
            Until::Decided(rule) => rule.indifference.of_rate(),
            _ => return Vec::new(),
        };
        let report = self.report(played, prepared);
        let matters = report.open(wanted);
        let is_open = |pair: &usize| {
            let (row, column) = self.fights[self.pairs[*pair][0]];
            matters[row][column] || self.pairings.is_one_list && matters[column][row]
        };
        (0..self.pairs.len()).filter(is_open).collect()
    }

    /// Returns the level of a single interval with which all of them hold together, at all looks.
    fn each(&self, prepared: &Prepared) -> Confidence {
        let together = prepared.task.confidence;
        let single = together.shared(self.pairs.len());
        match &prepared.task.until {
            Until::Decided(_) => prepared.task.until.looks().each(single),
            _ => single,
        }
    }

    /// Returns the score of a pair, seen from the build of its row.
    fn score(&self, played: &FightResults, pair: usize, prepared: &Prepared) -> Score {
        let fights = &self.pairs[pair];
        let first = self.fights[fights[0]];
        let is_turned = |fight: usize| self.fights[fight] != first;
        let solved = fights.iter().map(|&fight| {
            let [low, middle, high] = played.solved[fight]?;
            Some(if is_turned(fight) {
                [1.0 - high, 1.0 - middle, 1.0 - low]
            } else {
                [low, middle, high]
            })
        });
        if let Some(solved) = solved.collect::<Option<Vec<[f64; 3]>>>() {
            let mean = |at: usize| {
                let sum: f64 = solved.iter().map(|bounds| bounds[at]).sum();
                sum / solved.len() as f64
            };
            return Score {
                mean: Some(mean(1)),
                interval: Interval::new(mean(0), mean(2)),
                ends: solved
                    .iter()
                    .map(|&[low, middle, high]| (middle, Interval::new(low, high)))
                    .collect(),
                drawn: fights.iter().map(|&fight| played.drawn[fight]).sum::<f64>()
                    / fights.len() as f64,
                encounters: 0,
            };
        }
        let counts = fights.iter().map(|&fight| {
            let mut counts = played.counts[fight];
            if is_turned(fight) {
                counts.reverse();
            }
            counts
        });
        let counts: Vec<[u64; 3]> = counts.collect();
        // The score is known only when both fights of a pair have equally many encounters.
        let all = [0, 1, 2].map(|at| counts.iter().map(|fight| fight[at]).sum());
        let encounters: u64 = all.iter().sum();
        let share =
            |[_, drawn, won]: [u64; 3], of: u64| (won as f64 + 0.5 * drawn as f64) / of as f64;
        let even = { counts.iter() }
            .all(|fight| fight.iter().sum::<u64>() * fights.len() as u64 == encounters);
        let known = Some(encounters).filter(|n| *n > 0 && even);
        Score {
            mean: known.map(|n| share(all, n)),
            interval: { known }
                .and_then(|_| of_score(all, self.each(prepared)))
                .unwrap_or(Interval::new(0.0, 1.0)),
            ends: counts
                .iter()
                .filter(|_| known.is_some())
                .filter_map(|fight| {
                    let interval = of_score(*fight, self.each(prepared))?;
                    Some((share(*fight, fight.iter().sum()), interval))
                })
                .collect(),
            drawn: known.map_or(0.0, |n| all[1] as f64 / n as f64),
            encounters,
        }
    }

    /// Returns the report of all scores known so far.
    fn report(&self, played: &FightResults, prepared: &Prepared) -> MatchupReport {
        let [rows, columns] = self.pairings.builds.each_ref().map(Vec::len);
        let half = Score::even();
        let mut scores = vec![vec![half; columns]; rows];
        for pair in 0..self.pairs.len() {
            let score = self.score(played, pair, prepared);
            let (row, column) = self.fights[self.pairs[pair][0]];
            if self.pairings.is_one_list {
                scores[column][row] = score.turned();
            }
            scores[row][column] = score;
        }
        let lists = [0, 1].map(|list| {
            let (name, builds) = (&self.pairings.sides[list], &self.pairings.builds[list]);
            (name.clone(), builds.clone())
        });
        let how = (
            played.ended,
            prepared.task.until.clone(),
            prepared.task.confidence,
        );
        MatchupReport::new(lists, self.pairings.is_one_list, scores, how)
    }
}

/// Returns the encounters that the first side lost, that neither won, and that it won.
fn results(tally: &Tally) -> [u64; 3] {
    let [won, lost] = [0, 1].map(|side| tally.wins(side));
    [lost, tally.encounters() - won - lost, won]
}

/// Returns the low, middle and high shares of encounters that each of two sides wins in a solved fight.
fn rates(tally: &Tally) -> Option<[[f64; 3]; 2]> {
    let metric = metrics::find("win_rate")?;
    let rate = |side| {
        let distribution = tally.distribution(metric, side);
        let summary = Summary::of(&distribution, metric.kind, Confidence::DEFAULT);
        let mean = summary.mean?;
        let ends = summary
            .interval
            .map_or([mean, mean], |one| [one.low, one.high]);
        Some([ends[0], mean, ends[1]])
    };
    Some([rate(0)?, rate(1)?])
}

/// Returns the low, middle and high score from the shares that are won and lost.
fn solved_score(won: [f64; 3], lost: [f64; 3]) -> [f64; 3] {
    let score = |won: f64, lost: f64| f64::midpoint(1.0 + won, -lost).clamp(0.0, 1.0);
    [
        score(won[0], lost[2]),
        score(won[1], lost[1]),
        score(won[2], lost[0]),
    ]
}
