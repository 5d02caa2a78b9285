//! Which build beats which: the scores of builds against each other, the mixes that cannot be exploited, dominated
//! builds, and cycles of victories.

mod files;
mod page;
mod words;

use crate::run::{Ended, Until};
use crate::scenario::Build;
use crate::stats::game::{self, Dominated, Matrix, Mixes};
use crate::stats::{Confidence, Interval};

/// The score of a build against another: the share of encounters that the build wins, plus half of those that neither
/// wins.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// The score; `None` if nothing is known.
    pub mean: Option<f64>,
    /// Bounds that hold for all pairs together; from 0 to 1 if nothing is known.
    pub interval: Interval,
    /// The score and its interval from each end, if both ends were played: as the first side of the file, and as the
    /// second.
    pub ends: Vec<(f64, Interval)>,
    /// The share of encounters that neither build wins.
    pub drawn: f64,
    /// Encounters of the pair.
    pub encounters: u64,
}

impl Score {
    /// Returns the score of a build against itself, which need not be played.
    pub fn even() -> Self {
        Self {
            mean: Some(0.5),
            interval: Interval::at(0.5),
            ends: Vec::new(),
            drawn: 0.0,
            encounters: 0,
        }
    }

    /// Returns the score as seen by the other build.
    pub fn turned(&self) -> Self {
        Self {
            mean: self.mean.map(|mean| 1.0 - mean),
            interval: mirrored(self.interval),
            ends: { self.ends.iter().rev() }
                .map(|&(end, interval)| (1.0 - end, mirrored(interval)))
                .collect(),
            drawn: self.drawn,
            encounters: self.encounters,
        }
    }

    fn middle(&self) -> f64 {
        self.mean
            .unwrap_or_else(|| f64::midpoint(self.interval.low, self.interval.high))
    }
}

/// Returns the interval of a score as seen by the other build.
fn mirrored(interval: Interval) -> Interval {
    Interval {
        low: 1.0 - interval.high,
        high: 1.0 - interval.low,
    }
}

/// The builds of the rows or of the columns, and the results of each.
#[derive(Debug, Clone)]
pub struct Side {
    /// The side whose place the builds take; empty if they play on both sides.
    pub name: String,
    /// The builds, in the order of the file.
    pub builds: Vec<Standing>,
    /// Upper bound on the gain of the best answer to the mix over the value of the game.
    pub exploitable: f64,
    /// Whether no other mix is as good.
    pub is_unique: bool,
}

impl Side {
    /// Whether the side has no builds, and is a build itself.
    fn is_as_it_is(&self) -> bool {
        matches!(&self.builds[..], [only] if only.build.name == self.name && only.build.changes.is_empty())
    }
}

/// A build and its results.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The build.
    pub build: Build,
    /// Its share in the mix that cannot be exploited.
    pub share: f64,
    /// Its score against the mix of the other side, with bounds.
    pub against_mix: [f64; 3],
    /// The mean of its scores against all others, with bounds.
    pub against_all: [f64; 3],
    /// The mix that scores at least as well against every build, if there is one.
    pub dominated: Option<Dominated>,
    /// Whether no other build is at least as cheap and scores at least as well against all, and is better in one of the
    /// two; `None` without points.
    pub is_on_frontier: Option<bool>,
}

/// The share of encounters without a winner from which on a note is added.
const MANY_DRAWN: f64 = 0.1;

/// The results of all builds against each other.
#[derive(Debug, Clone)]
pub struct MatchupReport {
    /// Name of the scenario: its file name without folder and extension.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The variant in which the builds met.
    pub variant: String,
    /// The rows and the columns; the same builds twice if they play on both sides.
    pub sides: [Side; 2],
    /// Whether rows and columns are the same builds.
    pub is_one_list: bool,
    /// The score of each row against each column.
    pub scores: Vec<Vec<Score>>,
    /// Bounds of the value of the game: the score of the rows if both sides play their mixes.
    pub value: Interval,
    /// Cycles of builds, each of which certainly beats the next, and the last the first.
    pub cycles: Vec<Vec<usize>>,
    /// The rule that ends the run of each pair.
    pub until: Until,
    /// The level of all bounds together.
    pub confidence: Confidence,
    /// How the run ended.
    pub ended: Ended,
}

/// Returns the lower bounds, the estimates and the upper bounds of the scores.
fn matrices(scores: &[Vec<Score>]) -> [Matrix; 3] {
    let of = |value: fn(&Score) -> f64| -> Matrix {
        let row = |row: &Vec<Score>| row.iter().map(value).collect();
        scores.iter().map(row).collect()
    };
    [
        of(|score| score.interval.low),
        of(Score::middle),
        of(|score| score.interval.high),
    ]
}

/// Returns the scores as seen by the columns.
fn turned(scores: &Matrix) -> Matrix {
    let columns = 0..scores[0].len();
    let column = |at: usize| scores.iter().map(|row| 1.0 - row[at]).collect();
    columns.map(column).collect()
}

impl MatchupReport {
    /// Computes all results that follow from the scores.
    pub fn new(
        [rows, columns]: [(String, Vec<Build>); 2],
        is_one_list: bool,
        scores: Vec<Vec<Score>>,
        (ended, until, confidence): (Ended, Until, Confidence),
    ) -> Self {
        let all = matrices(&scores);
        let [low, middle, high] = &all;
        let mut mixes = game::solve(middle);
        if is_one_list {
            // Rows and columns play the same game, so the same mix serves both.
            mixes.columns.clone_from(&mixes.rows);
            mixes.unique = [mixes.unique[0] && mixes.unique[1]; 2];
        }
        let certain = game::certain(low, high, &mixes, is_one_list);
        let from_columns = [turned(high), turned(middle), turned(low)];
        let cycles = if is_one_list {
            game::cycles(low)
        } else {
            Vec::new()
        };
        let views = [
            (rows, &all, [&mixes.rows, &mixes.columns]),
            (columns, &from_columns, [&mixes.columns, &mixes.rows]),
        ];
        let mut at = 0..2;
        let sides = views.map(|((name, builds), scores, shares)| {
            let at = at.next().unwrap_or_default();
            Side {
                name: if is_one_list { String::new() } else { name },
                builds: standings(&builds, scores, shares, is_one_list),
                exploitable: certain.exploitable[at],
                is_unique: mixes.unique[at],
            }
        });
        Self {
            scenario: String::new(),
            title: String::new(),
            variant: String::new(),
            sides,
            is_one_list,
            scores,
            value: certain.value,
            cycles,
            until,
            confidence,
            ended,
        }
    }

    /// Returns the pairs whose scores must be known more precisely. These are the pairs whose winner is open although
    /// the score may be more than `wanted` from 0.5. While a mix may be exploited by more than `wanted`, the pairs of
    /// its builds with the answers that may exploit it are added.
    pub fn open(&self, wanted: f64) -> Vec<Vec<bool>> {
        let [low, middle, high] = &matrices(&self.scores);
        let mut open: Vec<Vec<bool>> = Vec::with_capacity(low.len());
        for (low, high) in low.iter().zip(high) {
            let row = low.iter().zip(high).map(|(&low, &high)| {
                low <= 0.5 && high >= 0.5 && (low < 0.5 - wanted || high > 0.5 + wanted)
            });
            open.push(row.collect());
        }
        let [rows, columns] = &self.sides;
        let share = |side: &Side, at: usize| side.builds[at].share;
        let shares = |side: &Side| side.builds.iter().map(|one| one.share).collect::<Vec<_>>();
        if rows.exploitable > wanted {
            let worst = game::against_columns(low, &shares(rows));
            for (column, worst) in worst.into_iter().enumerate() {
                let might = worst < self.value.high - wanted;
                for (row, open) in open.iter_mut().enumerate() {
                    open[column] |= might && share(rows, row) > 0.0;
                }
            }
        }
        if columns.exploitable > wanted {
            let best = game::against_rows(high, &shares(columns));
            for (row, best) in best.into_iter().enumerate() {
                let might = best > self.value.low + wanted;
                for (column, open) in open[row].iter_mut().enumerate() {
                    *open |= might && share(columns, column) > 0.0;
                }
            }
        }
        if !self.is_one_list && self.value.high - self.value.low > wanted {
            // The value itself is too uncertain. The mixes of the bounds decide how far its bounds are apart.
            let mixes = [game::solve(low), game::solve(high), game::solve(middle)];
            for Mixes { rows, columns, .. } in mixes {
                for (row, share) in rows.iter().enumerate() {
                    for (column, other) in columns.iter().enumerate() {
                        open[row][column] |= *share > 0.0 && *other > 0.0;
                    }
                }
            }
        }
        // The score of a build against itself is known.
        for (row, open) in open.iter_mut().enumerate() {
            if self.is_one_list {
                open[row] = false;
            }
        }
        open
    }

    /// Returns the value of the game if the scores are as estimated: the score of the best answer to the mix of the
    /// columns.
    fn middle_value(&self) -> f64 {
        let scores = self.sides[0].builds.iter().map(|one| one.against_mix[1]);
        scores.fold(0.0, f64::max)
    }

    /// Returns the sides with a choice: only one if rows and columns are the same builds, or if a side has no builds.
    fn views(&self) -> &[Side] {
        match &self.sides {
            [rows, _] if rows.is_as_it_is() => &self.sides[1..],
            [_, columns] if self.is_one_list || columns.is_as_it_is() => &self.sides[..1],
            both => both,
        }
    }

    /// Whether the fights were solved.
    pub fn solved(&self) -> bool {
        self.until.is_exact()
    }

    /// Whether nothing is known about some pairs.
    fn has_gaps(&self) -> bool {
        let mut scores = self.scores.iter().flatten();
        scores.any(|score| score.mean.is_none())
    }

    /// Returns the notes to read before trusting the numbers.
    pub fn remarks(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.has_gaps() {
            notes.push(
                "some pairs have not been played: their scores count as anything from 0 to 100%"
                    .to_owned(),
            );
        } else if self.ended == Ended::Interrupted {
            notes.push("interrupted: the bounds are wider than was asked for".to_owned());
        }
        if self.ended == Ended::Exhausted {
            notes.push(
                "not all was settled within the most encounters of a fight: --max-encounters allows more"
                    .to_owned(),
            );
        }
        let drawn = |(row, column): &(usize, usize)| self.scores[*row][*column].drawn;
        let columns = 0..self.sides[1].builds.len();
        let pairs =
            (0..self.scores.len()).flat_map(|row| columns.clone().map(move |column| (row, column)));
        let most = pairs.max_by(|one, other| drawn(one).total_cmp(&drawn(other)));
        if let Some((row, column)) = most.filter(|pair| drawn(pair) >= MANY_DRAWN) {
            notes.push(format!(
                "neither side wins {:.0}% of the encounters of {} against {}: they count half for each",
                100.0 * drawn(&(row, column)),
                self.sides[0].builds[row].build.name,
                self.sides[1].builds[column].build.name
            ));
        }
        let ends = self.sides[0].builds.iter().zip(&self.scores);
        let apart = ends.flat_map(|(row, scores)| {
            let columns = self.sides[1].builds.iter().zip(scores);
            columns.filter_map(move |(column, score)| match score.ends[..] {
                [(first, one), (second, other)] if one.high < other.low || other.high < one.low => {
                    Some(((first - second).abs(), first, second, row, column))
                }
                _ => None,
            })
        });
        if let Some((apart, first, second, row, column)) =
            apart.max_by(|one, other| one.0.total_cmp(&other.0))
            && apart > 0.1
        {
            notes.push(format!(
                "the ends are not alike: {} scores {:.0}% against {} from one, {:.0}% from the other; scores are \
                 the mean of both",
                row.build.name,
                100.0 * first,
                column.build.name,
                100.0 * second
            ));
        }
        notes
    }
}

/// Returns the results of the builds of one side, from scores as seen by these builds.
fn standings(
    builds: &[Build],
    scores: &[Matrix; 3],
    [own, others]: [&Vec<f64>; 2],
    is_one_list: bool,
) -> Vec<Standing> {
    let [low, middle, high] = scores;
    let against = |scores: &Matrix| game::against_rows(scores, others);
    let against = [against(low), against(middle), against(high)];
    let mean = |row: usize, scores: &Matrix| {
        let all = scores[row].iter().enumerate();
        let all = all.filter(|(column, _)| !is_one_list || *column != row);
        let (sum, count) = all.fold((0.0, 0u32), |(sum, count), (_, score)| {
            (sum + score, count + 1)
        });
        sum / f64::from(count.max(1))
    };
    let means: Vec<[f64; 3]> = (0..builds.len())
        .map(|row| [mean(row, low), mean(row, middle), mean(row, high)])
        .collect();
    let costs: Vec<Option<f64>> = builds.iter().map(|build| build.points).collect();
    let is_on_frontier = |row: usize| {
        let points = costs[row]?;
        let better = |other: usize| {
            costs[other].is_some_and(|cost| {
                let (mean, own) = (means[other][1], means[row][1]);
                cost <= points && mean >= own && (cost < points || mean > own)
            })
        };
        Some(!(0..costs.len()).any(better))
    };
    let all = builds.iter().enumerate().map(|(row, build)| Standing {
        build: build.clone(),
        share: own[row],
        against_mix: against.each_ref().map(|all| all[row]),
        against_all: means[row],
        dominated: game::dominator(row, [low, middle, high]),
        is_on_frontier: is_on_frontier(row),
    });
    all.collect()
}

/// Returns the effective number of builds in a mix: the exponential of the entropy of its shares.
pub fn diversity<'a>(shares: impl IntoIterator<Item = &'a f64>) -> f64 {
    let entropy: f64 = shares
        .into_iter()
        .filter(|share| **share > 0.0)
        .map(|share| -share * libm::log(*share))
        .sum();
    libm::exp(entropy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(name: &str, points: Option<f64>) -> Build {
        Build {
            name: name.to_owned(),
            points,
            changes: Vec::new(),
        }
    }

    fn score(mean: f64, half_width: f64) -> Score {
        Score {
            mean: Some(mean),
            interval: Interval {
                low: mean - half_width,
                high: mean + half_width,
            },
            ..Score::even()
        }
    }

    fn report(means: &[&[f64]], half_width: f64, points: &[Option<f64>]) -> MatchupReport {
        let rows = means.iter().enumerate().map(|(row, means)| {
            let cells = means.iter().enumerate().map(|(column, mean)| {
                if row == column {
                    Score::even()
                } else {
                    score(*mean, half_width)
                }
            });
            cells.collect()
        });
        let names = ["rock", "paper", "scissors", "straw"];
        let builds = points
            .iter()
            .zip(names)
            .map(|(points, name)| build(name, *points));
        let list = (String::new(), builds.collect::<Vec<_>>());
        let rule = Until::Encounters(std::num::NonZeroU64::MIN);
        let how = (Ended::Enough, rule, Confidence::DEFAULT);
        MatchupReport::new([list.clone(), list], true, rows.collect(), how)
    }

    #[test]
    fn rock_paper_scissors_and_a_straw() {
        let means: [&[f64]; 4] = [
            &[0.5, 0.4, 0.7, 0.9],
            &[0.6, 0.5, 0.3, 0.8],
            &[0.3, 0.7, 0.5, 0.7],
            &[0.1, 0.2, 0.3, 0.5],
        ];
        let report = report(&means, 0.01, &[Some(20.0), Some(20.0), Some(10.0), None]);
        let rows = &report.sides[0];
        let shares: Vec<f64> = rows.builds.iter().map(|one| one.share).collect();
        for (share, known) in shares.iter().zip([0.4, 0.4, 0.2, 0.0]) {
            assert!((share - known).abs() < 1e-9, "{shares:?}");
        }
        assert!(rows.is_unique);
        // Half a point more than the mean of the half-widths, because the score of a build against itself is certain.
        assert!(rows.exploitable < 0.01 + 1e-9, "{}", rows.exploitable);
        assert_eq!(report.cycles, [vec![0, 2, 1]]);
        let straw = rows.builds[3].dominated.as_ref().unwrap();
        assert!(straw.is_certain);
        assert!(rows.builds[..3].iter().all(|one| one.dominated.is_none()));
        let frontier: Vec<_> = rows.builds.iter().map(|one| one.is_on_frontier).collect();
        assert_eq!(frontier, [Some(true), Some(false), Some(true), None]);
        assert!((diversity(&shares) - 2.87).abs() < 0.01);
    }

    #[test]
    fn ends_are_unlike_where_their_intervals_prove_it() {
        let means: [&[f64]; 2] = [&[0.5, 0.6], &[0.4, 0.5]];
        let remarks = |half_width: f64| {
            let mut report = report(&means, 0.05, &[None; 2]);
            let end = |mean: f64| (mean, score(mean, half_width).interval);
            report.scores[0][1].ends = vec![end(0.5), end(0.7)];
            report.remarks().join("; ")
        };
        assert_eq!(remarks(0.15), "");
        assert!(remarks(0.05).starts_with("the ends are not alike: rock scores 50% against paper"));
    }

    #[test]
    fn the_value_of_a_game_lies_between_its_bounds() {
        let row = |means: [f64; 2]| means.map(|mean| score(mean, 0.01)).to_vec();
        let builds = |names: [&str; 2]| names.map(|name| build(name, None)).to_vec();
        let lists = [("left", ["rock", "paper"]), ("right", ["stone", "sheet"])];
        let lists = lists.map(|(name, names)| (name.to_owned(), builds(names)));
        let rule = Until::Encounters(std::num::NonZeroU64::MIN);
        let how = (Ended::Enough, rule, Confidence::DEFAULT);
        // Each build answers one of the other side: both mixes are even, and every answer scores the value.
        let scores = vec![row([0.2, 0.8]), row([0.8, 0.2])];
        let report = MatchupReport::new(lists, false, scores, how);
        assert!((report.middle_value() - 0.5).abs() < 1e-12);
        assert!(report.value.low < 0.5 && report.value.high > 0.5);
    }

    #[test]
    fn a_mix_that_may_lose_everything_is_not_named() {
        let mix = |exploitable: f64| {
            let mut report = report(&[&[0.5]], 0.0, &[None]);
            report.sides[0].exploitable = exploitable;
            words::mix(&report.sides[0], Some(Confidence::DEFAULT))
        };
        assert!(mix(0.4).starts_with("The best choice against any is rock"));
        assert_eq!(mix(0.5), "Too little is known yet to name a best choice.");
    }

    #[test]
    fn only_what_matters_is_open() {
        let means: [&[f64]; 3] = [&[0.5, 0.51, 0.9], &[0.49, 0.5, 0.6], &[0.1, 0.4, 0.5]];
        let wide = report(&means, 0.05, &[None; 3]);
        // The winner between the first two is open; the third is no answer to any mix.
        assert_eq!(
            wide.open(0.02),
            [
                [false, true, false],
                [true, false, false],
                [false, false, false]
            ]
        );
        let narrow = report(&means, 0.005, &[None; 3]);
        assert!(narrow.open(0.02).iter().flatten().all(|open| !open));
    }
}
