//! The chain of a fight as a file for other solvers.
//!
//! [`export`] writes the situations of a fight as an explicit Markov chain in DRN, the format that the Storm
//! model checker reads. All healths are part of the situations, so that a chain has many more states
//! than [`solve`](super::solve) needs.

use super::build::Builder;
use super::explore::Explorer;
use super::graph::{End, Graph, Keeps, Node, To};
use super::{Budget, Plans, TooLarge};
use crate::clean::clean_line;
use crate::dice::Weight;
use crate::fight::{Ending, Fight};
use crate::systems::Rules;
use crate::tally::Tally;
use rustc_hash::FxHashMap;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::AtomicBool;

/// Labels that a side cannot have: those of Storm and of the other endings.
const TAKEN: [&str; 6] = ["init", "deadlock", "mutual", "timeout", "escaped", "caught"];

/// The size of a written chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exported {
    /// The number of states, including the endings.
    pub states: u64,
    /// The number of transitions, including that of each ending to itself.
    pub transitions: u64,
}

/// The reason why a chain was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The chain is larger than the budget, or `stop` was set. Nothing has been written.
    #[error("the chain of this fight has more than {} states", .0.states)]
    TooLarge(TooLarge),
    /// `out` returned an error.
    #[error("cannot write the chain")]
    Write(#[from] io::Error),
}

/// Writes the Markov chain of a fight to `out`, as a DTMC in DRN.
///
/// - **States**: one for each ending, then one for each situation. Each ending has a label: the name of the
///   side that wins, made into an identifier (a letter or `_`, then letters, digits and `_`), or `mutual`,
///   `timeout`, `escaped`, `caught`. The first situation has the label `init`.
/// - **Rewards**: `rounds`, 1 in each situation in which a Round begins.
/// - **Probabilities**: decimals that read back as the same 64-bit numbers (at most 17 significant digits).
///   Those of a state sum to 1 within 1e-12.
///
/// The chain has no limit of Rounds: its probabilities are those of `max_rounds = infinity`, and `timeout` is never
/// reached. The limit of the fight holds only if its Rounds differ by their number.
///
/// `budget.bound` is not used.
///
/// # Errors
/// If the chain is larger than the budget, `stop` is set, or the chain cannot be written.
pub fn export(
    fight: &Fight,
    rules: &Rules,
    budget: Budget,
    stop: &AtomicBool,
    out: &mut dyn Write,
) -> Result<Exported, ExportError> {
    let plans = Plans::new(fight, rules);
    let none_apart = vec![0; fight.combatants.len()];
    let mut builder = Builder::new(none_apart.clone(), &[Keeps::Deeds]);
    let mut explorer = Explorer::new(&plans.open, &plans.last, none_apart, budget, 0.0, stop);
    let explored = builder.listen(true, |tell| explorer.explore_all(tell));
    explored.map_err(ExportError::TooLarge)?;
    let labels = labels(fight);
    let chain = Chain::new(builder.graph(0), &builder.labels.ends, &labels);
    let mut out = BufWriter::new(out);
    chain.write(fight, &labels, plans.is_counted, &mut out)?;
    out.flush()?;
    Ok(Exported {
        states: (labels.len() + chain.rows.len()) as u64,
        transitions: (labels.len() + chain.rows.iter().map(Vec::len).sum::<usize>()) as u64,
    })
}

/// Returns the endings of a fight in the order of their states, each with its label.
fn labels(fight: &Fight) -> Vec<(Ending, String)> {
    let tally = Tally::new(fight);
    let mut labels: Vec<(Ending, String)> = Vec::new();
    for (ending, value) in tally.endings() {
        let mut label = tally.winner(value).to_owned();
        if matches!(ending, Ending::Win(_) | Ending::Outcome(_)) {
            label = identifier(&label);
            while TAKEN.contains(&&label[..]) || labels.iter().any(|(_, other)| *other == label) {
                label.push('_');
            }
        }
        labels.push((ending, label));
    }
    labels
}

/// Returns an identifier made from a name: `_` replaces each character that it cannot contain.
fn identifier(name: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut identifier: String = name.chars().map(allowed).collect();
    if !identifier.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()) {
        identifier.insert(0, '_');
    }
    identifier
}

/// The probability of each next state, by number.
type Row = Vec<(u32, f64)>;

/// The chain of a graph. The endings are its first states; they have no row.
struct Chain {
    /// The rows of the beginnings of Rounds, then those of the other situations.
    rows: Vec<Row>,
    beginnings: usize,
}

impl Chain {
    fn new(graph: &Graph, ends: &[End], labels: &[(Ending, String)]) -> Self {
        let states = labels.len();
        let ending_of = |end: &End| {
            let state = labels.iter().position(|(ending, _)| *ending == end.ending);
            state.expect("an ending that the fight may have") as u32
        };
        let endings: Vec<u32> = ends.iter().map(ending_of).collect();
        let beginnings = graph.beginnings.len();
        let mut rows = vec![Row::new(); beginnings];
        let mut known: FxHashMap<Vec<(u32, u64)>, u32> = FxHashMap::default();
        // The state of each node. Nodes that differ only in what is not part of the chain are one.
        let mut nodes: Vec<u32> = Vec::with_capacity(graph.nodes.len());
        let row = |node: &Node, nodes: &[u32]| {
            let edges = graph.edges_of(node).iter();
            merged(edges.filter(|edge| edge.chance > 0.0).filter_map(|edge| {
                let state = match edge.to {
                    To::End(end) => endings[end as usize],
                    To::Next(beginning) => states as u32 + beginning,
                    To::Now(node) => nodes[node as usize],
                    To::Lost => return None,
                };
                Some((state, edge.chance))
            }))
        };
        for node in &graph.nodes {
            let row = row(node, &nodes);
            let state = if let [(state, _)] = row[..] {
                state
            } else {
                let key = row.iter().map(|(to, chance)| (*to, chance.to_bits()));
                *known.entry(key.collect()).or_insert_with(|| {
                    rows.push(row);
                    (states + rows.len() - 1) as u32
                })
            };
            nodes.push(state);
        }
        for (beginning, into) in graph.beginnings.iter().flatten().zip(&mut rows) {
            *into = row(&beginning.node, &nodes);
        }
        Self { rows, beginnings }
    }

    fn write(
        &self,
        fight: &Fight,
        labels: &[(Ending, String)],
        is_limited: bool,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let states = labels.len() + self.rows.len();
        writeln!(out, "// The Markov chain of a fight.")?;
        let limit = if is_limited {
            format!("It ends at max_rounds = {}.", fight.max_rounds)
        } else {
            "It has no limit of Rounds: probabilities are those of max_rounds = infinity."
                .to_owned()
        };
        writeln!(out, "// {limit}")?;
        writeln!(out, "// Labels of the endings:")?;
        for (ending, label) in labels {
            match ending {
                Ending::Win(side) => {
                    let name = &fight.sides[usize::from(*side)];
                    writeln!(out, "// - {label}: {} wins", clean_line(name))?;
                }
                Ending::Outcome(outcome) => {
                    let name = fight.outcomes().nth(usize::from(*outcome));
                    writeln!(
                        out,
                        "// - {label}: {}",
                        clean_line(name.unwrap_or_default())
                    )?;
                }
                _ => writeln!(out, "// - {label}")?,
            }
        }
        writeln!(out, "// The reward `rounds` counts Rounds.")?;
        writeln!(out, "@type: DTMC\n@parameters\n\n@reward_models\nrounds")?;
        writeln!(out, "@nr_states\n{states}\n@nr_choices\n{states}\n@model")?;
        for (state, (_, label)) in labels.iter().enumerate() {
            writeln!(
                out,
                "state {state} [0] {label}\n\taction 0\n\t\t{state} : 1"
            )?;
        }
        let timeout = labels
            .iter()
            .position(|(ending, _)| *ending == Ending::Timeout);
        for (number, row) in self.rows.iter().enumerate() {
            // No Round begins where none is left.
            let times_out = timeout.is_some_and(|state| row[..] == [(state as u32, 1.0)]);
            let reward = u8::from(number < self.beginnings && !times_out);
            let init = if number == 0 { " init" } else { "" };
            writeln!(
                out,
                "state {} [{reward}]{init}\n\taction 0",
                labels.len() + number
            )?;
            for (to, chance) in row {
                writeln!(out, "\t\t{to} : {chance}")?;
            }
        }
        Ok(())
    }
}

/// Merges edges into one transition for each state that they lead to.
fn merged(edges: impl Iterator<Item = (u32, f64)>) -> Row {
    let mut edges: Row = edges.collect();
    edges.sort_unstable_by_key(|(state, _)| *state);
    let same = edges.chunk_by(|one, other| one.0 == other.0);
    let row = same.map(|edges| {
        let chances = edges.iter().map(|(_, chance)| Weight::from(*chance));
        (edges[0].0, chances.sum::<Weight>().value())
    });
    let row: Row = row.collect();
    let sum: Weight = row.iter().map(|(_, chance)| Weight::from(*chance)).sum();
    debug_assert!((sum.value() - 1.0).abs() < 1e-12, "{}", sum.value());
    row
}
