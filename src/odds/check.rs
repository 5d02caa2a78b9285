//! A check with the numbers of its roll, and the chances of all its results: those that a fight has.

use super::refuse;
use crate::chance::{Chance, Enumerator, Purpose};
use crate::dice::{Distribution, Faces, TotalTable, Totals, Weight};
use crate::fight::check::{Attempt, Check, CheckKind, CheckTerms};
use crate::fight::health::Damage;
use crate::fight::{Combatant, Magick, Spell};
use crate::report::{Fact, Report, Table, Value, chance, real};
use crate::sim::roll_damage;
use crate::systems::Rules;
use crate::task::Failure;
use std::collections::HashMap;

/// The most ways in which the dice of a check may fall that are counted one by one, and those of all cells of a table: some
/// seconds of work.
const MOST_WAYS: [usize; 2] = [1_000_000, 4_000_000];

/// A check with the numbers of its roll.
pub(super) struct Roll {
    /// The system, if it matters, or who rolls against whom, in words.
    pub(super) about: Option<String>,
    pub(super) check: Check,
    pub(super) terms: CheckTerms,
    pub(super) rules: Rules,
    /// The damage of a hit, and the target with its index.
    pub(super) harm: Option<(Damage, usize, Combatant)>,
    /// The spell that is cast.
    pub(super) spell: Option<Spell>,
    /// Whether the number to reach is not known.
    pub(super) is_open: bool,
}

/// A die of `chance`.
pub(super) struct Hand<'a, C>(pub(super) &'a mut C);

impl<C: Chance> Faces for Hand<'_, C> {
    fn face(&mut self, sides: u32) -> u32 {
        self.0.face(0, Purpose::Check, sides)
    }

    fn sum(&mut self, count: u32, sides: u32) -> u64 {
        self.0.sum(0, Purpose::Check, count, sides)
    }

    fn total(&mut self, table: &TotalTable) -> Option<i64> {
        self.0.total(0, Purpose::Check, table)
    }

    fn total_of(&mut self, totals: &Totals) -> Option<i64> {
        self.0.total_of(0, Purpose::Check, totals)
    }
}

/// All results of a roll, with the damage that they do.
pub(super) struct Chances<'a> {
    check: &'a Check,
    has_harm: bool,
    results: Vec<((Attempt, i32), Weight)>,
}

impl Roll {
    /// Returns the chances of all results, for one of some cells.
    pub(super) fn chances(&self, cells: usize) -> Result<Chances<'_>, Failure> {
        let mut dice = Enumerator::of_dice();
        let mut places: HashMap<(Attempt, i32), usize> = HashMap::new();
        let mut results: Vec<((Attempt, i32), Weight)> = Vec::new();
        let most = MOST_WAYS[0].min(MOST_WAYS[1] / cells.max(1));
        dice.begin(0.0);
        for ways in 1.. {
            let attempt = self.check.attempt(&self.terms, &mut dice, Hand);
            let points = match &self.harm {
                Some((damage, target, victim)) if attempt.works => {
                    let by = (self.terms.who, attempt);
                    roll_damage(by, damage, (*target, victim), &mut dice)
                }
                _ => 0,
            };
            let result = (attempt, points);
            let place = *places.entry(result).or_insert(results.len());
            if place == results.len() {
                results.push((result, Weight::ZERO));
            }
            results[place].1 += dice.weight();
            if !dice.advance() {
                break;
            }
            if ways == most || dice.overflowed() {
                return refuse(
                    "these dice fall in too many ways to be counted: ask about fewer of them",
                );
            }
        }
        Ok(Chances {
            check: &self.check,
            has_harm: self.harm.is_some(),
            results,
        })
    }

    /// The values of its effect, if it is magick.
    pub(super) fn magick(&self) -> Option<Magick> {
        self.spell.as_ref()?.magick
    }

    /// The Paradox of an attempt, if it is magick (MD-6).
    pub(super) fn paradox(&self, botch: bool) -> Option<i64> {
        let magick = self.magick()?;
        Some(i64::from(magick.paradox.max(u32::from(botch))))
    }

    /// The turns of work that each roll of a task takes (MD-7).
    pub(super) fn turns_per_roll(&self) -> i64 {
        self.magick()
            .map_or(1, |magick| magick.turns_per_roll.into())
    }
}

impl Chances<'_> {
    /// Returns the number to reach, unless it is rolled.
    pub(super) fn needed(&self) -> Option<i64> {
        let mut all = self.results.iter().map(|((attempt, _), _)| attempt.needed);
        let first = all.next()?;
        all.all(|needed| needed == first).then_some(first)
    }

    /// Returns the totals of the attempts that `count` (a part).
    pub(super) fn totals(&self, counts: impl Fn(&Attempt) -> bool) -> Distribution {
        self.part(|attempt, _| counts(attempt).then_some(attempt.total))
    }

    /// Returns the distribution of a number of the results that have it.
    fn part(&self, number: impl Fn(&Attempt, i32) -> Option<i64>) -> Distribution {
        let numbers = self
            .results
            .iter()
            .filter_map(|((attempt, points), weight)| Some((number(attempt, *points)?, *weight)));
        Distribution::collect(&numbers.collect::<Vec<_>>())
    }

    /// Returns the weights of the attempts.
    pub(super) fn attempts(&self) -> impl Iterator<Item = (Attempt, Weight)> {
        self.results
            .iter()
            .map(|((attempt, _), weight)| (*attempt, *weight))
    }

    /// Returns the figures of the check.
    pub(super) fn figures(&self, roll: &Roll) -> Vec<Fact> {
        let share = |counts: &dyn Fn(&Attempt) -> bool| self.totals(counts).mass().value();
        let fact =
            |key, label: &str, counts: &dyn Fn(&Attempt) -> bool| chance(key, label, share(counts));
        let clean = |attempt: &Attempt| !attempt.works && !attempt.botch;
        // The dice of a failure that would make a success critical.
        let doubles = |attempt: &Attempt| {
            self.check.is_critical(&Attempt {
                works: true,
                ..*attempt
            })
        };
        let success = fact("p_success", "success", &|attempt| attempt.works);
        let critical = fact("p_critical", "critical success", &|attempt| {
            self.check.is_critical(attempt)
        });
        let (mean, sd) = self.totals(|_| true).mean_and_sd();
        let mut facts = match self.check.kind() {
            CheckKind::Pool => vec![
                fact("p_botch", "botch", &|attempt| attempt.botch),
                fact("p_failure", "failure", &|attempt| {
                    clean(attempt) && attempt.total < 1
                }),
                fact("p_diminished", "diminished", &|attempt| {
                    clean(attempt) && attempt.total > 0
                }),
                success,
                real("mean_net", "mean net successes", mean),
                real("sd_net", "standard deviation", sd),
            ],
            CheckKind::Percentile => vec![
                success,
                critical,
                fact("p_critical_failure", "critical failure", &|attempt| {
                    !attempt.works && doubles(attempt)
                }),
            ],
            CheckKind::RollOver if roll.is_open => {
                vec![
                    real("mean", "mean total", mean),
                    real("sd", "standard deviation", sd),
                ]
            }
            CheckKind::RollOver => vec![
                success,
                critical,
                real("mean", "mean total", mean),
                real("sd", "standard deviation", sd),
            ],
        };
        if self.has_harm {
            let (mean, sd) = self.damage().mean_and_sd();
            facts.push(real("mean_damage", "mean damage", mean));
            facts.push(real("sd_damage", "standard deviation of damage", sd));
        }
        let paradox = self.part(|attempt, _| roll.paradox(attempt.botch));
        if roll
            .spell
            .as_ref()
            .is_some_and(|spell| spell.magick.is_some())
        {
            facts.push(real("mean_paradox", "mean Paradox", paradox.mean()));
        }
        facts
    }

    fn damage(&self) -> Distribution {
        self.part(|_, points| Some(points.into()))
    }

    /// Adds the distributions of the results.
    pub(super) fn tables(&self, report: &mut Report) {
        let totals = self.totals(|_| true);
        match self.check.kind() {
            CheckKind::Percentile => {}
            CheckKind::Pool => report.distribution(["net", "Net successes", "net"], &totals),
            CheckKind::RollOver => report.distribution(["total", "Totals", "total"], &totals),
        }
        if self.has_harm {
            report.distribution(
                ["damage", "Damage, misses included", "damage"],
                &self.damage(),
            );
        }
    }
}

/// Keeps the figures that all rows have, without critical successes where there are none.
pub(super) fn keep_common(rows: &mut [Vec<Fact>]) {
    let mut kept: Vec<&str> = rows.iter().flatten().map(|fact| fact.key).collect();
    for row in &*rows {
        kept.retain(|key| row.iter().any(|fact| fact.key == *key));
    }
    let mut criticals = rows
        .iter()
        .flatten()
        .filter(|fact| fact.key == "p_critical");
    if criticals.all(|fact| fact.value.number() <= 0.0) {
        kept.retain(|key| *key != "p_critical");
    }
    for row in rows {
        row.retain(|fact| kept.contains(&fact.key));
    }
}

/// Adds figures as a table of outcomes, a row each.
pub(super) fn outcomes(report: &mut Report, facts: &[Fact]) {
    let columns = [("outcome", "outcome"), ("probability", "chance")];
    let mut table = Table::new("outcomes", "Outcomes", &columns);
    let row = |fact: &Fact| vec![Value::text(&fact.label), fact.value.clone()];
    table.rows = facts.iter().map(row).collect();
    table.bars = Some(1);
    report.main_table(table);
}
