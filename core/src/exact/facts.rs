//! The metrics of a solved fight.

use super::SolvedMetric;
use super::cells::Shape;
use super::graph::{Edge, End, Gain, Graph, Labels, To};
use super::push::{Count, Pushed};
use crate::chance::enumerate::{Blow, BlowEffect};
use crate::dice::Weight;
use crate::fight::Fight;
use crate::fight::world::bit;
use crate::sim::{Counts, Record};
use crate::tally::metrics::{Accrual, Metric, ROUNDS};
use crate::tally::{Kind, Tally};
use std::collections::BTreeMap;

/// The probability of each value.
type Chances = BTreeMap<u32, Weight>;

/// Half of the distance between 1 and the next greater number.
const UNIT: f64 = f64::EPSILON / 2.0;

/// If a smaller share of the encounters is left out, a rough cap on what they may do keeps bounds narrow.
const NEGLIGIBLE: f64 = 1e-9;

/// That cap: more than any metric can grow in a Round.
const MOST_A_ROUND: f64 = 1e6;

/// Derives the metrics of a fight that has been pushed to its end.
pub(super) struct Facts<'a> {
    pub fight: &'a Fight,
    pub graph: &'a Graph,
    pub labels: &'a Labels,
    pub pushed: &'a Pushed,
    /// The units of time in a Round.
    pub round_length: u32,
    /// Whether the distribution of a metric that adds up is wanted, beside the mean.
    pub wants: &'a dyn Fn(&Metric) -> bool,
}

impl Facts<'_> {
    /// Returns all metrics, in the order of output. `counted` returns the distribution of a metric that adds up, if
    /// there is room and work for it.
    pub(super) fn all(
        &self,
        counted: &mut dyn FnMut(Count<'_>) -> Option<Pushed>,
    ) -> Vec<SolvedMetric> {
        let tally = Tally::new(self.fight);
        let columns: Vec<(&'static Metric, usize)> = tally
            .metrics()
            .flat_map(|metric| (0..tally.subjects(metric.scope)).map(move |index| (metric, index)))
            .collect();
        let mut at_end = self.at_end(&columns);
        let mut facts = Vec::new();
        for (index, &(metric, subject)) in columns.iter().enumerate() {
            let chances = match metric.accrual() {
                Accrual::Unsolved => continue,
                // A fall is not the last one if the combatant stands again.
                Accrual::Standing if bit(subject) & self.fight.down.who != 0 => continue,
                Accrual::Standing => {
                    facts.push(self.standing(metric, subject));
                    continue;
                }
                Accrual::Sum => {
                    facts.push(self.sum(metric, subject, counted));
                    continue;
                }
                Accrual::End => std::mem::take(&mut at_end[index]),
                Accrual::Time => self.times(metric),
                Accrual::Winner => self.winners(&tally),
                Accrual::FirstAttack => self.first_attack(subject),
            };
            facts.push(self.fact(metric, subject, &chances));
        }
        facts
    }

    /// Returns the share by which a true number may differ from one of these.
    fn share(&self) -> f64 {
        1.01 * UNIT * (self.pushed.roundings + 64) as f64
    }

    /// Returns a metric for which the probability of each value is known.
    fn fact(&self, metric: &'static Metric, subject: usize, chances: &Chances) -> SolvedMetric {
        let mass: Weight = chances.values().copied().sum();
        let (share, missing) = (self.share(), self.pushed.missing);
        // The probability of the encounters that were followed.
        let all = if metric.is_of_some() {
            mass
        } else {
            Weight::from(1.0 - missing)
        };
        let first = |(value, weight): (&u32, &Weight)| Weight::from(f64::from(*value)) * *weight;
        let mean = chances.iter().map(first).sum::<Weight>().value();
        let greatest = match metric.kind {
            Kind::Rate => 1.0,
            _ => f64::from(chances.keys().last().copied().unwrap_or(0))
                .max(f64::from(self.fight.max_rounds) * f64::from(self.round_length))
                .max(metric.limit(self.fight, subject).map_or(0.0, f64::from)),
        };
        let about = |mean: f64, all: f64| {
            let [low, high] = [
                mean * (1.0 - share),
                mean * (1.0 + share) + missing * greatest,
            ];
            let (least, most) = if metric.is_of_some() {
                (all * (1.0 - share) + missing, all * (1.0 + share) + missing)
            } else {
                (1.0, 1.0)
            };
            [
                (low / most).next_down().max(metric.least().into()),
                mean / all,
                (high / least).next_up(),
            ]
        };
        let is_category = !metric.kind.has_summary();
        let mean = (all.value() > 0.0 && !is_category).then(|| about(mean, all.value()));
        let limit = metric.limit(self.fight, subject).map(f64::from);
        let mean = mean.map(|[low, value, high]| match limit {
            Some(limit) => [low, value.clamp(low, limit), high.min(limit)],
            None => [low, value.max(low), high],
        });
        SolvedMetric {
            metric,
            subject,
            mean,
            weights: Some(
                chances
                    .iter()
                    .map(|(value, weight)| (*value, (*weight / all).value()))
                    .collect(),
            ),
            error: share + 2.0 * missing / all.value().max(f64::MIN_POSITIVE),
        }
    }

    /// Returns the values at the end of encounters, for each column that is about the end.
    fn at_end(&self, columns: &[(&'static Metric, usize)]) -> Vec<Chances> {
        let mut all = vec![Chances::new(); columns.len()];
        let about = (0..columns.len()).filter(|index| columns[*index].0.accrual() == Accrual::End);
        let about: Vec<usize> = about.collect();
        let mut record = Record::of(self.fight);
        for (end, ended) in self.labels.ends.iter().zip(&self.pushed.ends) {
            let shape = Shape::new(&self.labels.healths, end.fallen);
            for (cell, &chance) in ended.cells().iter().enumerate() {
                if chance <= 0.0 {
                    continue;
                }
                end.read(&shape, cell, &mut record);
                for &index in &about {
                    let (metric, subject) = columns[index];
                    if let Some(value) = metric.value(&record, self.fight, subject) {
                        *all[index].entry(value as u32).or_default() += Weight::from(chance);
                    }
                }
            }
        }
        all
    }

    /// Returns the times at which encounters end, in Rounds or Marks.
    fn times(&self, metric: &Metric) -> Chances {
        let mut chances = Chances::new();
        for (end, ended) in self.labels.ends.iter().zip(&self.pushed.ends) {
            for (round, chance) in by_round(&ended.in_round) {
                let time = if metric.name == ROUNDS {
                    round
                } else {
                    round * self.round_length - end.left
                };
                add(&mut chances, time, chance);
            }
        }
        chances
    }

    fn winners(&self, tally: &Tally) -> Chances {
        let mut chances: Chances = tally
            .endings()
            .map(|(_, value)| (value, Weight::ZERO))
            .collect();
        for (end, ended) in self.labels.ends.iter().zip(&self.pushed.ends) {
            let value = tally.endings().find(|(ending, _)| *ending == end.ending);
            if let Some((_, value)) = value {
                let chance = ended.in_round.iter().copied().sum();
                *chances.entry(value).or_default() += chance;
            }
        }
        chances
    }

    /// Returns the gains of a combatant, with their Rounds and probabilities.
    fn gained(&self, who: usize) -> impl Iterator<Item = (&Counts, u32, Weight)> {
        let gains = self.graph.gains.iter().zip(&self.pushed.gained);
        gains.flat_map(move |(gains, rounds)| {
            own(gains, who).flat_map(move |counts| {
                by_round(rounds).map(move |(round, chance)| (counts, round, chance))
            })
        })
    }

    fn first_attack(&self, who: usize) -> Chances {
        let mut chances = Chances::new();
        for (counts, round, chance) in self.gained(who) {
            if let Some(left) = counts.first_attack {
                add(&mut chances, round * self.round_length - left, chance);
            }
        }
        chances
    }

    /// Returns the probability of standing at the end of each Round.
    fn standing(&self, metric: &'static Metric, who: usize) -> SolvedMetric {
        let mut fell = Chances::new();
        for (counts, round, chance) in self.gained(who) {
            if counts.fell_round > 0 {
                add(&mut fell, round, chance);
            }
        }
        let rounds = self.times(
            Tally::new(self.fight)
                .metric(ROUNDS)
                .expect("Rounds are measured everywhere"),
        );
        let last = rounds.keys().last().copied().unwrap_or(0);
        let mut standing = Weight::ONE;
        let weights = (1..=last).map(|round| {
            standing = standing - fell.get(&round).copied().unwrap_or_default();
            (round, standing.value().max(0.0))
        });
        SolvedMetric {
            metric,
            subject: who,
            mean: None,
            weights: Some(weights.collect()),
            error: self.share() + self.pushed.missing,
        }
    }

    /// Returns a metric that adds up over the encounter.
    pub(super) fn sum(
        &self,
        metric: &'static Metric,
        who: usize,
        counted: &mut dyn FnMut(Count<'_>) -> Option<Pushed>,
    ) -> SolvedMetric {
        let mut record = Record::of(self.fight);
        let amounts = self.graph.gains.iter().map(|gains| {
            let amounts = own(gains, who).map(|counts| {
                record.combatants[who] = *counts;
                metric.value(&record, self.fight, who).unwrap_or(0) as u32
            });
            amounts.sum()
        });
        let amounts: Vec<u32> = amounts.collect();
        // The amount of a point of damage, dealt or taken, and of a success.
        let points = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let [dealt, taken, successes] = points.map(|[damage, damage_taken, successes]| {
            record.combatants[who] = Counts {
                damage,
                damage_taken,
                successes,
                ..Counts::default()
            };
            metric.value(&record, self.fight, who).unwrap_or(0) as u32
        });
        let adds = dealt + taken + successes > 0;
        if !adds && amounts.iter().all(|amount| *amount == 0) {
            let beyond = self.beyond(metric, who, 0.0);
            return SolvedMetric {
                metric,
                subject: who,
                mean: Some([0.0, 0.0, beyond]),
                weights: Some(vec![(0, 1.0)]),
                error: if beyond > 0.0 {
                    self.pushed.missing
                } else {
                    0.0
                },
            };
        }
        let expected = amounts
            .iter()
            .zip(&self.pushed.gained)
            .map(|(amount, rounds)| {
                let often = rounds.iter().copied().sum::<Weight>();
                Weight::from(f64::from(*amount)) * often
            });
        let beyond = [dealt, taken, successes]
            .into_iter()
            .zip(self.pushed.beyond[who]);
        let beyond = beyond.map(|(amount, mean)| Weight::from(f64::from(amount)) * mean);
        let mean = expected.chain(beyond).sum::<Weight>().value();
        let share = self.share();
        let most = self.most(&amounts, [dealt + taken, successes], who);
        let high = mean * (1.0 + share) + self.beyond(metric, who, most);
        let mean = Some([
            (mean * (1.0 - share)).next_down().max(0.0),
            mean,
            high.next_up(),
        ]);
        let count = Count {
            amounts: &amounts,
            who: who as u8,
            dealt,
            taken,
            lost: None,
            most_work: 0,
        };
        let lost = self.lost(count);
        let nothing = vec![0; amounts.len()];
        let count = match &lost {
            Some(lost) => Count {
                amounts: &nothing,
                lost: Some(lost),
                ..count
            },
            None => count,
        };
        // Where successes are not in the gains, their number is only known on average.
        let is_mean = successes > 0 && self.pushed.beyond[who][2].value() > 0.0;
        let is_wanted = !is_mean && (self.wants)(metric);
        let weights = is_wanted.then(|| counted(count)).flatten();
        let weights = weights.map(|pushed| {
            let facts = Facts {
                pushed: &pushed,
                ..*self
            };
            facts.fact(metric, who, &facts.counted(lost.as_deref()))
        });
        match weights {
            Some(fact) => SolvedMetric { mean, ..fact },
            None => SolvedMetric {
                metric,
                subject: who,
                mean,
                weights: None,
                error: share,
            },
        }
    }

    /// Returns the most that encounters not followed to their end add to the mean of a metric, of which one Round of
    /// the known situations adds at most `most`. It is infinite where situations that were not looked at have a share
    /// that counts, and the metric has no limit.
    fn beyond(&self, metric: &Metric, who: usize, most: f64) -> f64 {
        let (missing, rounds) = (self.pushed.missing, f64::from(self.fight.max_rounds));
        if missing == 0.0 {
            return 0.0;
        }
        let most = if self.graph.is_whole() {
            most * rounds
        } else if missing < NEGLIGIBLE {
            (MOST_A_ROUND * rounds).min(f64::from(u32::MAX))
        } else {
            f64::INFINITY
        };
        let limit = metric.limit(self.fight, who).map(f64::from);
        let most = limit.map_or(most, |limit| most.min(limit));
        missing * most
    }

    /// Returns the most that one Round can add, along the way through the graph that adds the most. `of` has the amounts
    /// of a point of damage and of a success.
    fn most(&self, amounts: &[u32], of: [u32; 2], who: usize) -> f64 {
        let beyond = |blow: &Blow| {
            let spread = &self.labels.spreads[blow.spread as usize];
            let width = (spread.chances.len() - 1) as f64;
            match blow.effect {
                BlowEffect::Successes => f64::from(of[1]) * (f64::from(spread.least) + width),
                _ => f64::from(of[0]) * width,
            }
        };
        let blows = self.labels.blows.iter().map(|blows| {
            let own = blows.iter();
            let own = own.filter(|blow| [blow.by, blow.who].contains(&(who as u8)));
            own.map(beyond).sum::<f64>()
        });
        let blows: Vec<f64> = blows.collect();
        let mut most = vec![0.0_f64; self.graph.nodes.len()];
        let of_edges = |edges: &[Edge], most: &[f64]| {
            let edges = edges.iter().map(|edge| {
                let then = match edge.to {
                    To::Now(node) => most[node as usize],
                    To::Next(_) | To::End(_) | To::Lost => 0.0,
                };
                f64::from(amounts[edge.gains as usize]) + blows[edge.blows as usize] + then
            });
            edges.fold(0.0, f64::max)
        };
        for (number, node) in self.graph.nodes.iter().enumerate() {
            most[number] = of_edges(self.graph.edges_of(node), &most);
        }
        let beginnings = self.graph.beginnings.iter().flatten();
        let beginnings = beginnings.map(|one| of_edges(self.graph.edges_of(&one.node), &most));
        beginnings.fold(0.0, f64::max)
    }

    /// Returns for each combatant the amount of a point of health that it loses, if nothing else is counted.
    fn lost(&self, count: Count<'_>) -> Option<Vec<u32>> {
        let mut lost: Vec<Option<u32>> = vec![None; self.labels.healths.len()];
        for blow in self.labels.blows.iter().flatten() {
            let of = count.of(*blow);
            let is_lost = blow.effect == BlowEffect::Successes
                || *lost[usize::from(blow.who)].get_or_insert(of) == of;
            if !is_lost || of > 0 && !blow.effect.counts_health() {
                return None;
            }
        }
        let of_blows = self.labels.blows.iter().map(|blows| {
            let least = |blow: &Blow| self.labels.spreads[blow.spread as usize].least as u32;
            blows.iter().map(|blow| count.of(*blow) * least(blow)).sum()
        });
        let of_blows: Vec<u32> = of_blows.collect();
        let timeouts = self.graph.beginnings.iter().flatten();
        let mut edges = self
            .graph
            .edges
            .iter()
            .chain(timeouts.map(|row| &row.timeout));
        edges
            .all(|edge| count.amounts[edge.gains as usize] == of_blows[edge.blows as usize])
            .then(|| lost.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// Returns the probability of each value that was counted, including what the standing combatants have `lost`.
    fn counted(&self, lost: Option<&[u32]>) -> Chances {
        let mut chances = Chances::new();
        for (end, ended) in self.labels.ends.iter().zip(&self.pushed.ends) {
            let shape = Shape::new(&self.labels.healths, end.fallen);
            let lost = |cell: usize| {
                let axes = shape.axes.iter().map(|axis| {
                    let missing = axis.most - 1 - cell / axis.stride % axis.most;
                    lost.map_or(0, |lost| lost[usize::from(axis.who)] * missing as u32)
                });
                axes.sum::<u32>()
            };
            for (value, cells) in (0..).zip(ended.cells().chunks(shape.size)) {
                for (cell, chance) in cells.iter().enumerate() {
                    add(&mut chances, value + lost(cell), Weight::from(*chance));
                }
            }
        }
        chances
    }
}

/// Returns the Rounds with a probability above 0, each with its probability.
fn by_round(rounds: &[Weight]) -> impl Iterator<Item = (u32, Weight)> {
    let all = (0..).zip(rounds.iter().copied());
    all.filter(|(_, chance)| chance.value() > 0.0)
}

/// Returns the gains of a combatant among all gains.
fn own(gains: &[Gain], who: usize) -> impl Iterator<Item = &Counts> {
    let own = gains
        .iter()
        .filter(move |(one, _)| usize::from(*one) == who);
    own.map(|(_, counts)| counts)
}

fn add(chances: &mut Chances, value: u32, chance: Weight) {
    if chance.value() > 0.0 {
        *chances.entry(value).or_default() += chance;
    }
}

impl End {
    /// Fills `record` with this end and the healths of a cell.
    fn read(&self, shape: &Shape, cell: usize, record: &mut Record) {
        record.ending = self.ending;
        record.distance = self.distance;
        record.first = self.first;
        for (who, counts) in record.combatants.iter_mut().enumerate() {
            counts.fell_round = (self.fallen >> who & 1) as u32;
            counts.health = self.healths[who];
        }
        for axis in &shape.axes {
            let health = cell / axis.stride % axis.most + 1;
            record.combatants[usize::from(axis.who)].health = health as i32;
        }
    }
}
