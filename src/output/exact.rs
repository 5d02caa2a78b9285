//! The results of solved fights as typed tables.

use super::csv::SUMMARY;
use crate::exact::{Fact, Solution};
use crate::fight::Fight;
use crate::report::{Block, Report, Table, Value};
use crate::stats::STATISTICS;
use crate::tally::{Scope, Tally, metrics};

/// A fight and its solution.
#[derive(Debug, Clone, Copy)]
pub struct Solved<'a> {
    /// The name of the scenario.
    pub scenario: &'a str,
    /// The name of the variant.
    pub variant: &'a str,
    /// The fight.
    pub fight: &'a Fight,
    /// What has come of it.
    pub solution: &'a Solution,
}

/// Everything about the variants of one scenario: for eyes a table of how each ends and one of its
/// combatants, as rows the columns of `summary.csv` and `method`.
pub(crate) fn report(title: &str, question: Option<&str>, solved: &[Solved<'_>]) -> Report {
    let mut report = Report::new(
        title.to_owned(),
        question.map(str::to_owned).into_iter().collect(),
    );
    let several = solved.len() > 1;
    for one in solved {
        let name = |what: &str| {
            if several {
                format!("{}: {what}", one.variant)
            } else {
                what.to_owned()
            }
        };
        report
            .blocks
            .push(Block::Table(one.endings(&name("how it ends"))));
        report.blocks.push(Block::Table(one.means(&name("means"))));
        report.note(one.note(several));
    }
    let columns = SUMMARY.into_iter().chain(["method"]);
    report.rows = Table::of_keys("summary", columns);
    report.rows.rows = solved.iter().flat_map(Solved::rows).collect();
    report
}

impl Solved<'_> {
    fn subject(&self, fact: &Fact) -> String {
        let mut subjects = fact.metric.scope.subjects(self.fight);
        subjects.nth(fact.subject).unwrap_or_default().to_owned()
    }

    fn facts(&self, name: &str) -> impl Iterator<Item = &Fact> {
        let facts = self.solution.facts.iter();
        facts.filter(move |fact| fact.metric.name == name)
    }

    /// The chance of each ending, and the Rounds.
    fn endings(&self, title: &str) -> Table {
        let columns = [
            ("outcome", "outcome"),
            ("chance", "chance"),
            ("low", "at least"),
            ("high", "at most"),
        ];
        let mut table = Table::new("endings", title, &columns);
        for fact in &self.solution.facts {
            let Some([low, mean, high]) = fact.mean else {
                continue;
            };
            let chance = |number: f64| Value::Chance(number);
            let cells = match fact.metric.name {
                "win_rate" => [chance(mean), chance(low), chance(high)],
                metrics::MUTUAL | metrics::TIMEOUT | metrics::ESCAPED | metrics::CAUGHT => {
                    [chance(mean), chance(low), chance(high)]
                }
                metrics::ROUNDS => [Value::Real(mean), Value::Real(low), Value::Real(high)],
                _ => continue,
            };
            let outcome = match fact.metric.scope {
                Scope::Encounter => fact.metric.name.to_owned(),
                _ => format!("{} win", self.subject(fact)),
            };
            table
                .rows
                .push([&[Value::Text(outcome)], &cells[..]].concat());
        }
        table
    }

    /// The means of each combatant.
    fn means(&self, title: &str) -> Table {
        let shown = [
            "alive",
            "health",
            "damage",
            "hits",
            "attacks",
            "units_moved",
        ];
        let shown = shown.map(|name| (name, if name == "units_moved" { "moved" } else { name }));
        let mut table = Table::new("combatants", title, &[("combatant", "combatant")]);
        let of_all = Table::new("", "", &shown);
        table.columns.extend(of_all.columns);
        for (who, combatant) in self.fight.combatants.iter().enumerate() {
            let mut row = vec![Value::text(&combatant.name)];
            row.extend(shown.iter().map(|(name, _)| {
                let fact = self.facts(name).find(|fact| fact.subject == who);
                let mean = fact.and_then(|fact| fact.mean);
                mean.map_or(Value::Sampled(None), |[_, mean, _]| match *name {
                    "alive" => Value::Chance(mean),
                    _ => Value::Real(mean),
                })
            }));
            table.rows.push(row);
        }
        table
    }

    /// What was solved, and what is missing.
    fn note(&self, several: bool) -> String {
        let Solution { states, rounds, .. } = self.solution;
        let name = if several {
            format!("{}: ", self.variant)
        } else {
            String::new()
        };
        let plural = if *states == 1 { "" } else { "s" };
        let states = super::grouped(*states);
        let mut note =
            format!("{name}exact: {states} situation{plural}, followed to Round {rounds}");
        let tally = Tally::new(self.fight);
        let missing = tally
            .metrics()
            .filter(|one| self.facts(one.name).next().is_none());
        let missing: Vec<&str> = missing.map(|one| one.name).collect();
        if !missing.is_empty() {
            note = format!("{note}; not to be had: {}", missing.join(", "));
        }
        note
    }

    /// The rows of the summary.
    fn rows(&self) -> impl Iterator<Item = Vec<Value>> {
        let facts = self.solution.facts.iter();
        let facts = facts.filter(|fact| fact.metric.kind.has_summary());
        facts.map(|fact| {
            let names = [self.scenario, self.variant, fact.metric.name];
            let mut row: Vec<Value> = names.map(Value::text).into();
            row.push(Value::Text(self.subject(fact)));
            row.extend(summary_cells(fact));
            row
        })
    }
}

/// The cells of a summary from `n` to `method`.
fn summary_cells(fact: &Fact) -> Vec<Value> {
    let nothing = Value::Sampled(None);
    let real = |number: Option<f64>| number.map_or(Value::Sampled(None), Value::Real);
    let [low, mean, high] = match fact.mean {
        Some(mean) => mean.map(Some),
        None => [None; 3],
    };
    let weights = fact.weights.as_deref();
    let mut cells = vec![
        nothing.clone(),
        real(mean),
        real(
            weights
                .zip(mean)
                .map(|(weights, mean)| deviation(weights, mean)),
        ),
        nothing.clone(),
        real(low),
        real(high),
    ];
    let quantile =
        |percent: u64| weights.and_then(|weights| quantile(weights, percent, fact.error));
    let quantiles = STATISTICS.map(|(_, percent)| quantile(percent));
    cells.extend(quantiles.map(|value| Value::count(value.map(u64::from))));
    for ((_, percent), value) in STATISTICS.iter().zip(quantiles) {
        if (1..100).contains(percent) {
            let end = Value::count(value.map(u64::from));
            cells.extend([end.clone(), end]);
        }
    }
    cells.extend([nothing, Value::text("exact")]);
    cells
}

/// The standard deviation of one encounter.
fn deviation(weights: &[(u32, f64)], mean: f64) -> f64 {
    let square = |value: u32| (f64::from(value) - mean) * (f64::from(value) - mean);
    let squares = weights
        .iter()
        .map(|(value, weight)| square(*value) * weight);
    squares.sum::<f64>().sqrt()
}

/// The lowest value that a share of the encounters do not exceed; none where the errors leave open which it
/// is. The least and the greatest are those that come at all.
fn quantile(weights: &[(u32, f64)], percent: u64, error: f64) -> Option<u32> {
    let mut come = weights.iter().filter(|(_, weight)| *weight > 0.0);
    match percent {
        0 => come.next().map(|(value, _)| *value),
        100 => come.next_back().map(|(value, _)| *value),
        _ => {
            let share = percent as f64 / 100.0;
            let slack = error * weights.len() as f64;
            let mut below = 0.0;
            for (value, weight) in weights {
                below += weight;
                if below >= share - slack {
                    return (below >= share + slack).then_some(*value);
                }
            }
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{deviation, quantile};

    #[test]
    fn quantiles_are_named_only_where_they_are_certain() {
        let die: Vec<(u32, f64)> = (1..=6).map(|face| (face, 1.0 / 6.0)).collect();
        let of = |percent| quantile(&die, percent, 1e-12);
        assert_eq!(
            [0, 5, 25, 75, 95, 100].map(of),
            [1, 1, 2, 5, 6, 6].map(Some)
        );
        assert_eq!(
            of(50),
            None,
            "half of the faces are exactly half of the chance"
        );
        assert!((deviation(&die, 3.5) - (35.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    }
}
