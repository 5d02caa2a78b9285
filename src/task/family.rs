//! The family of questions of a comparison: their p-values are adjusted together.

use super::summed_up;
use crate::fight::Fight;
use crate::names;
use crate::output::comparisons::{Row, Statistic};
use crate::run::Until;
use crate::run::paired::{ComparedMetric, Paired};
use crate::stats::paired::{Difference, Luck};
use crate::stats::{Confidence, sequential, significance};
use crate::tally::{Distribution, Kind, Metric, Scope, metrics};
use anyhow::anyhow;

/// The metrics compared by default.
const USUAL: [&str; 2] = ["win_rate", "rounds"];

/// The name that selects all metrics with a mean.
pub(super) const ALL: &str = "all";

/// Returns the metrics called `names`, or the default ones if there are no names.
///
/// # Errors
/// If a name is unknown, or its metric has no mean to compare.
pub(super) fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Metric>> {
    let comparable = || metrics::all().filter(|metric| metric.kind.has_summary());
    if names.iter().any(|name| name == ALL) {
        return Ok(comparable().collect());
    }
    let names: Vec<&str> = match names {
        [] => USUAL.to_vec(),
        names => names.iter().map(String::as_str).collect(),
    };
    for name in &names {
        summed_up(name).map_err(|wrong| anyhow!(wrong))?;
    }
    // In the order of all output, without repetition.
    Ok(comparable()
        .filter(|metric| names.contains(&metric.name))
        .collect())
}

/// The looks at a comparison, and the level of the intervals of each.
#[derive(Debug)]
pub(super) struct LookCorrection {
    /// The number of encounters at each look.
    pub(super) counts: Vec<u64>,
    /// The level of the intervals at each look.
    each: Confidence,
    /// Whether looks may stop the comparison for its result, so that intervals and p-values must be corrected
    /// for them.
    decides: bool,
}

impl LookCorrection {
    pub(super) fn at(rule: &Until, together: Confidence) -> Self {
        let looks = rule.looks();
        // A look at the width of intervals tells nothing about their position, so it needs no correction.
        let decides = matches!(rule, Until::Decided(_));
        Self {
            counts: looks.counts().collect(),
            each: if decides {
                looks.each(together)
            } else {
                together
            },
            decides,
        }
    }

    /// Corrects a p-value for the number of looks.
    fn adjusted(&self, p_value: f64) -> f64 {
        if self.decides {
            sequential::ever(p_value, &self.counts)
        } else {
            p_value
        }
    }
}

/// The questions that compare a baseline with the other fights.
#[derive(Debug)]
pub(super) struct Family {
    /// The questions for [`paired::run`](crate::run::paired::run).
    pub(super) questions: Vec<ComparedMetric>,
    subjects: Vec<String>,
    /// Notes on the subjects that cannot be compared.
    pub(super) notes: Vec<String>,
}

impl Family {
    /// Returns the questions: each metric of every subject that the baseline shares with at least one other fight.
    pub(super) fn new(metrics: &[&'static Metric], fights: &[&Fight]) -> Self {
        let mut family = Self {
            questions: Vec::new(),
            subjects: Vec::new(),
            notes: Vec::new(),
        };
        let Some((baseline, others)) = fights.split_first() else {
            return family;
        };
        for metric in metrics {
            for subject in metric.scope.subjects(baseline) {
                let question = ComparedMetric::new(metric, subject, fights.iter().copied());
                if question.subjects[1..].iter().any(Option::is_some) {
                    family.questions.push(question);
                    family.subjects.push(subject.to_owned());
                }
            }
        }
        for scope in [Scope::Side, Scope::Combatant, Scope::Outcome] {
            if metrics.iter().any(|metric| metric.scope == scope) {
                family.note_unshared(scope, baseline, others);
            }
        }
        family
    }

    fn note_unshared(&mut self, scope: Scope, baseline: &Fight, others: &[&Fight]) {
        let lacks = |fight: &Fight, subject: &str| scope.subject(fight, subject).is_none();
        let mut unshared: Vec<&str> = scope
            .subjects(baseline)
            .filter(|subject| others.iter().any(|fight| lacks(fight, subject)))
            .collect();
        for other in others {
            for subject in scope.subjects(other) {
                if lacks(baseline, subject) && !unshared.contains(&subject) {
                    unshared.push(subject);
                }
            }
        }
        if !unshared.is_empty() {
            let list = names::list(unshared.iter().copied(), "and");
            self.notes.push(format!(
                "compared only in fights that have both: {} {list}",
                scope.name(),
            ));
        }
    }

    /// Returns the rows for each of the other fights, in order.
    pub(super) fn answers(
        &self,
        paired: &Paired,
        lucks: &[Luck],
        looked: &LookCorrection,
    ) -> Vec<Vec<Row>> {
        let mut all: Vec<Vec<Row>> = (0..lucks.len())
            .map(|other| self.rows(paired, other, lucks[other], looked))
            .collect();
        let raw = all.iter().flatten().map(|row| row.difference.p_value);
        let adjusted = significance::holm_of_tested(&raw.collect::<Vec<_>>());
        for (row, p_adjusted) in all.iter_mut().flatten().zip(adjusted) {
            row.p_adjusted = p_adjusted;
        }
        all
    }

    fn rows(&self, paired: &Paired, other: usize, luck: Luck, looked: &LookCorrection) -> Vec<Row> {
        let mut rows = Vec::new();
        for (index, (question, subject)) in self.questions.iter().zip(&self.subjects).enumerate() {
            let (Some(first), Some(second)) = (question.subjects[0], question.subjects[other + 1])
            else {
                continue;
            };
            let metric = question.metric;
            let mut push = |statistic, difference: Option<Difference>| {
                rows.extend(difference.map(|difference| Row {
                    metric,
                    statistic,
                    subject: subject.clone(),
                    difference: Difference {
                        p_value: difference.p_value.map(|p_value| looked.adjusted(p_value)),
                        ..difference
                    },
                    p_adjusted: None,
                }));
            };
            let pairs = &paired.pairs[index][other];
            let values = [(0, first), (other + 1, second)]
                .map(|(fight, subject)| paired.counts[fight].distribution(metric, subject));
            let values = values.each_ref();
            push(
                Statistic::Mean,
                Difference::of_means(pairs, values, metric.kind, luck, looked.each),
            );
            if luck == Luck::Common && values.map(Distribution::total) != [pairs.n; 2] {
                push(
                    Statistic::Paired,
                    Difference::of_pairs(
                        pairs,
                        metric.kind,
                        Difference::reach(values),
                        looked.each,
                    ),
                );
            }
            if metric.kind == Kind::Count {
                push(
                    Statistic::Median,
                    Difference::of_medians(pairs.n, values, looked.each),
                );
            }
        }
        rows
    }
}

/// Returns whether two fights share luck: streams are keyed by the combatants' names.
pub(super) fn luck(first: &Fight, second: &Fight) -> Luck {
    let shared = first.combatants.iter().any(|combatant| {
        second
            .combatants
            .iter()
            .any(|other| combatant.name == other.name)
    });
    if shared { Luck::Common } else { Luck::Separate }
}
