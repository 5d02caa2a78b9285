//! The tables for people: the matrix, the results of each build, and the findings in sentences.

use super::words::{CYCLES, VAGUE, dominators, mix};
use super::{MatchupReport, Side, Standing};
use crate::output::encounters;
use crate::output::ranking::as_written;
use crate::report::number::{VISIBLE, counted, decimals, rounded_up};
use crate::report::{Page, Style, TextGrid};
use crate::run::{Ended, Until};
use std::fmt::Write as _;

/// The widest heading of a column of the matrix; builds with longer names are numbered.
const HEADING: usize = 9;

/// The most columns of the matrix on a terminal without `--wide`.
const COLUMNS: usize = 16;

impl MatchupReport {
    /// Formats the whole report as text.
    pub(super) fn page(&self, style: Style) -> String {
        let mut page = Page::new(style);
        page.heading(1, &self.title);
        page.paragraph(&format!("{}: {}", as_written(&self.variant), self.played()));
        page.blank();
        page.paragraph(&self.mixes());
        page.blank();
        self.matrix(&mut page);
        for side in self.views() {
            page.blank();
            self.standings(&mut page, side);
        }
        self.findings(&mut page);
        page.notes(self.remarks());
        page.into_text()
    }

    /// Describes the fights in a sentence.
    fn played(&self) -> String {
        let what = if self.is_one_list {
            let builds = self.sides[0].builds.len();
            format!("{builds} builds, every pair from both ends")
        } else {
            let counts = self.sides.each_ref().map(|side| match side.builds.len() {
                _ if side.is_as_it_is() => side.name.clone(),
                count => format!("{} of {}", counted(count as u64, "build"), side.name),
            });
            counts.join(" against ")
        };
        if self.solved() {
            return format!("{what}, each fight solved");
        }
        let counts = || {
            self.scores
                .iter()
                .flatten()
                .map(|one| one.encounters)
                .filter(|n| *n > 0)
        };
        let least = counts().min().filter(|_| !self.has_gaps());
        let (least, most) = (least.unwrap_or(0), counts().max().unwrap_or(0));
        let each = if least == most {
            format!("{} of each pair", encounters(most))
        } else {
            format!(
                "{} to {} of each pair",
                super::super::grouped(least),
                encounters(most)
            )
        };
        let interrupted = match self.ended {
            Ended::Interrupted | Ended::TooLarge | Ended::Partial => " (interrupted)",
            Ended::Enough | Ended::Exhausted => "",
        };
        format!("{what}, {each}{interrupted}")
    }

    /// Returns the greatest distance from a score to an end of its interval.
    fn widest(&self) -> f64 {
        let scores = self.scores.iter().flatten();
        let arms = scores.map(|score| score.interval.greatest_arm(score.middle()));
        arms.fold(0.0, f64::max)
    }

    /// Returns the decimals of percentages that the bounds allow.
    fn digits(&self) -> usize {
        self.digits_per(1.0)
    }

    /// Returns the decimals of percentages per point that the bounds allow, for a build of `points`.
    fn digits_per(&self, points: f64) -> usize {
        decimals(100.0 * self.widest().max(0.000_5) / points).min(2)
    }

    /// Describes the best mix of each side, and the score of the best mixes.
    pub(super) fn mixes(&self) -> String {
        let confidence = (!self.solved()).then_some(self.confidence);
        let mixes = self.views().iter().map(|side| mix(side, confidence));
        let mut text = mixes.collect::<Vec<_>>().join(" ");
        if !self.is_one_list && self.sides.iter().all(|side| side.exploitable < VAGUE) {
            let [low, high] = [self.value.low, self.value.high].map(|one| 100.0 * one);
            let rows = &self.sides[0].name;
            let _ = if high - low < 0.01 {
                write!(text, " Then {rows} score {low:.2}%.")
            } else {
                let [low, high] = [-rounded_up(-low, 1), rounded_up(high, 1)];
                write!(text, " Then {rows} score {low:.1}% to {high:.1}%.")
            };
        }
        text
    }

    /// Adds the matrix of scores, rows against columns.
    fn matrix(&self, page: &mut Page) {
        let [rows, columns] = &self.sides;
        let names = || columns.builds.iter().map(|one| one.build.name.as_str());
        if names().count() > COLUMNS && !page.is_markdown() && page.columns_of_tables() <= 200 {
            page.line("the matrix is in matchup.csv and on the page of --report; --wide prints it");
            return;
        }
        let are_short = names().all(|name| name.chars().count() <= HEADING);
        let is_narrow = names()
            .map(|name| name.chars().count().max(4) + 2)
            .sum::<usize>()
            < 60;
        let is_numbered = !(are_short && is_narrow);
        let heading = |(at, name): (usize, &str)| {
            if is_numbered {
                (at + 1).to_string()
            } else {
                name.to_owned()
            }
        };
        let headings = names().enumerate().map(heading).collect::<Vec<_>>();
        let corner = if is_numbered && !self.is_one_list {
            "% of row against"
        } else {
            "% against"
        };
        let headings = headings.iter().map(String::as_str);
        let mut grid = TextGrid::new([corner].into_iter().chain(headings));
        let digits = self.digits();
        for (at, (row, scores)) in rows.builds.iter().zip(&self.scores).enumerate() {
            let name = &row.build.name;
            let mut cells = vec![if is_numbered && self.is_one_list {
                format!("{} {name}", at + 1)
            } else {
                name.clone()
            }];
            cells.extend(scores.iter().enumerate().map(|(column, score)| {
                if self.is_one_list && column == at {
                    return ".".to_owned();
                }
                let mean = score.mean.map(|mean| 100.0 * mean);
                mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.digits$}"))
            }));
            grid.row(cells);
        }
        page.grid(&grid);
        if is_numbered && !self.is_one_list {
            let numbered = names()
                .enumerate()
                .map(|(at, name)| format!("{} {name}", at + 1));
            page.paragraph(&format!(
                "columns: {}",
                numbered.collect::<Vec<_>>().join(", ")
            ));
        }
        let widest = self.widest();
        if self.solved() && widest < VISIBLE {
            return;
        }
        let together = match self.until {
            Until::Exact(_) => String::new(),
            Until::Decided(_) => {
                format!(", all together, at all looks at {}", self.confidence)
            }
            _ => format!(", all together at {}", self.confidence),
        };
        let widest = rounded_up(100.0 * widest, 2);
        page.line(&format!("known to ±{widest:.2} points or better{together}"));
    }

    /// Adds the table of the results of a side's builds.
    fn standings(&self, page: &mut Page, side: &Side) {
        let has_points = side.builds.iter().any(|one| one.build.points.is_some());
        let name = if side.name.is_empty() {
            "build"
        } else {
            &side.name
        };
        let mut titles = vec![name, "in mix", "vs mix", "vs all"];
        if has_points {
            titles.extend(["points", "per point", ""]);
        }
        let mut grid = TextGrid::new(titles);
        let digits = self.digits();
        let mut builds: Vec<&Standing> = side.builds.iter().collect();
        // Equal builds keep the order of the file.
        builds.sort_by(|one, other| {
            let shares = other.share.total_cmp(&one.share);
            shares.then_with(|| other.against_mix[1].total_cmp(&one.against_mix[1]))
        });
        for one in builds {
            let percent = |share: f64| format!("{:.digits$}", 100.0 * share);
            let mut cells = vec![
                one.build.name.clone(),
                if one.share > 0.0 {
                    format!("{}%", percent(one.share))
                } else {
                    "-".to_owned()
                },
                percent(one.against_mix[1]),
                percent(one.against_all[1]),
            ];
            if has_points {
                cells.extend(match one.build.points {
                    None => ["-".to_owned(), "-".to_owned(), String::new()],
                    Some(points) => [
                        format!("{points}"),
                        format!(
                            "{:.*}",
                            self.digits_per(points),
                            100.0 * one.against_all[1] / points
                        ),
                        if one.is_on_frontier == Some(true) {
                            "frontier".to_owned()
                        } else {
                            String::new()
                        },
                    ],
                });
            }
            grid.row(cells);
        }
        page.grid(&grid);
        if has_points {
            page.line(
                "frontier: no build scores better against all for as little, or as well for less",
            );
        }
    }

    /// Adds dominated builds and cycles.
    fn findings(&self, page: &mut Page) {
        page.list(
            "dominated: never better, whatever the opponent",
            self.all_dominated(),
        );
        page.list("cycles", self.told_cycles());
    }

    /// Describes each dominated build.
    pub(super) fn all_dominated(&self) -> impl Iterator<Item = String> {
        self.views().iter().flat_map(|side| {
            let builds = side.builds.iter();
            builds.filter_map(move |one| Self::dominated(side, one))
        })
    }

    /// Describes the first cycles, and says how many more there are.
    pub(super) fn told_cycles(&self) -> impl Iterator<Item = String> {
        let shown = self.cycles.iter().take(CYCLES);
        let more = self.cycles.len().saturating_sub(CYCLES);
        let more = (more > 0).then(|| format!("and {more} more in matchup.csv"));
        shown.map(|cycle| self.cycle(cycle)).chain(more)
    }

    /// Describes the build or the mix that dominates a build.
    fn dominated(side: &Side, one: &Standing) -> Option<String> {
        let dominated = one.dominated.as_ref()?;
        let by = side.builds.iter().zip(&dominated.by);
        let by: Vec<(&str, f64)> = by
            .filter(|(_, share)| **share > 0.0)
            .map(|(other, share)| (other.build.name.as_str(), *share))
            .collect();
        let by = dominators(&by, dominated.is_certain);
        Some(format!("{} by {by}", one.build.name))
    }

    /// Describes a cycle in words.
    pub(super) fn cycle(&self, cycle: &[usize]) -> String {
        let name = |at: usize| self.sides[0].builds[at].build.name.as_str();
        let mut text = String::new();
        for (at, &build) in cycle.iter().enumerate() {
            let next = cycle[(at + 1) % cycle.len()];
            let mean = self.scores[build][next].mean.unwrap_or_default();
            let (one, other) = (name(build), name(next));
            let _ = write!(text, "{one} beats {other} ({:.0}%)", 100.0 * mean);
            if at + 1 < cycle.len() {
                text.push_str(", ");
            }
        }
        text
    }
}
