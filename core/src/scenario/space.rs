//! The candidates of a search: values of keys, optional lines on or off, lines in other orders.
//!
//! A candidate is a list of overrides. All later stages (simulation, solving, `--set`) see an ordinary scenario.

use std::ops::Range;
use std::sync::Arc;

use super::Variant;
use super::lines::{Edit, PolicyList};
use super::parameters::{self, TABLE};
use super::sweep::Axis;
use crate::document::Document;
use crate::document::diagnostics::{Diagnostic, Diagnostics};
use crate::document::node::{Node, Value};
use crate::document::overrides::{Override, parameter};
use crate::document::path::{Path, PathKey, read};
use crate::document::source::Span;

/// The greatest number of keys, lines and blocks of a search.
const MOST: usize = 64;

/// A key, a line or a block that a search may change.
#[derive(Debug, Clone)]
pub struct Dimension {
    what: What,
    /// The index of the file's value.
    pub start: usize,
}

#[derive(Debug, Clone)]
enum What {
    /// The values of a key; `None` stands for the default of a key that the file omits.
    Value {
        path: Path,
        values: Vec<Option<Arc<Node>>>,
    },
    /// An optional line, on or off.
    Line {
        list: usize,
        line: usize,
        text: String,
    },
    /// The orders of a block of lines.
    Order { list: usize, block: Range<usize> },
}

/// All candidates of a search in a variant.
#[derive(Debug, Clone)]
pub struct Space {
    document: Document,
    variant: String,
    lists: Vec<PolicyList>,
    /// The parameters, optional lines and blocks that a search may change.
    pub dimensions: Vec<Dimension>,
    /// The variant's changes to the base, as paths and TOML values.
    pub changes: Vec<(String, String)>,
    /// Notes about lines that the search leaves unchanged.
    pub notes: Vec<String>,
}

impl Document {
    /// Finds the dimensions of a search in a variant: the keys of `over`, written as for `--vary`, or all parameters
    /// that declare a range; with a side, also the optional lines and the blocks of policies that only this side
    /// follows.
    ///
    /// # Errors
    /// All errors in the arguments, or in the scenario after any single change of a key.
    pub fn space(
        &self,
        variant: &str,
        over: &[String],
        side: Option<&str>,
    ) -> Result<Space, Diagnostics> {
        let (mut document, changes) = self.only(variant)?;
        let (mut axes, mut problems) = document.axes(over, "--vary");
        if over.is_empty() {
            axes.extend(document.ranges());
        }
        problems.extend(document.clashes(&axes, "--vary"));
        let lists = side.map_or_else(Vec::new, |_| document.policy_lists());
        let mut space = Space {
            variant: variant.to_owned(),
            lists,
            dimensions: axes
                .into_iter()
                .map(|axis| document.dimension(axis))
                .collect(),
            changes,
            notes: Vec::new(),
            document,
        };
        if let Some(side) = side {
            space.add_lines(side);
        }
        if space.dimensions.len() > MOST {
            let many = format!(
                "{} numbers, lines and blocks are searched",
                space.dimensions.len()
            );
            problems.push(Diagnostic::general(many).help(format!("at most {MOST} can be")));
        }
        if problems.is_empty() {
            problems = space.wrong();
        }
        if problems.is_empty() {
            return Ok(space);
        }
        Err(Diagnostics::of(space.document.sources, problems))
    }

    /// Returns the parameters that declare a range.
    fn ranges(&self) -> Vec<Axis> {
        let all = parameters::declared(&self.root, &mut Vec::new()).into_iter();
        all.filter_map(|one| {
            let span = one.span;
            let parts = vec![PathKey::new(TABLE, span), PathKey::new(&*one.name, span)];
            Some(Axis {
                path: Path { parts, span },
                values: one.range.filter(|range| !range.is_empty())?,
                span,
            })
        })
        .collect()
    }

    /// Returns a key with its values, which include the file's value.
    fn dimension(&self, axis: Axis) -> Dimension {
        let written = self.value_at(&axis.path).cloned();
        let mut values: Vec<Option<Arc<Node>>> = axis.values.into_iter().map(Some).collect();
        let same = |one: &Option<Arc<Node>>| match (one, &written) {
            (Some(one), Some(written)) => {
                one.value.plain() == written.value.plain()
                    || one.value.number().is_some() && one.value.number() == written.value.number()
            }
            _ => false,
        };
        if !values.iter().any(same) {
            values.push(written.clone());
        }
        if values.iter().all(|value| number(value.as_ref()).is_some()) {
            let key = |one: &Option<Arc<Node>>| number(one.as_ref()).unwrap_or_default();
            values.sort_by(|one, other| key(one).total_cmp(&key(other)));
        }
        let start = values.iter().position(same).unwrap_or(values.len() - 1);
        Dimension {
            what: What::Value {
                path: axis.path,
                values,
            },
            start,
        }
    }

    /// Returns the value at a path, or the value of the parameter that it names.
    fn value_at(&self, path: &Path) -> Option<&Arc<Node>> {
        let node = self.written(path)?;
        let named = node.text().and_then(|text| text.strip_prefix('$'));
        let named = named.and_then(|name| parameter(&self.root, name));
        Some(named.unwrap_or(node))
    }

    /// Returns the node at a path of the file; for a parameter, the node of its value.
    fn written(&self, path: &Path) -> Option<&Arc<Node>> {
        let mut node = &self.root;
        for part in &path.parts {
            node = match &node.value {
                Value::Table(table) => &table.get(&part.name)?.node,
                Value::List(list) => list
                    .iter()
                    .find(|node| node.text_at("name") == Some(&part.name))?,
                _ => return None,
            };
        }
        let is_parameter = path.parts.len() == 2 && path.parts[0].name == TABLE;
        match node.table() {
            Some(table) if is_parameter => Some(&table.get("value")?.node),
            _ => Some(node),
        }
    }
}

impl Space {
    /// Adds the optional lines and the blocks of policies that only one side follows.
    fn add_lines(&mut self, side: &str) {
        let mut found = Vec::new();
        for (index, list) in self.lists.iter().enumerate() {
            let optional = list.optional().count() + list.blocks().len();
            if optional == 0 || !list.sides.iter().any(|name| name == side) {
                continue;
            }
            if list.sides.len() > 1 {
                self.notes.push(format!(
                    "{} is followed by several sides: its lines stay as they are",
                    list.key
                ));
                continue;
            }
            found.extend(list.optional().map(|(line, on)| Dimension {
                what: What::Line {
                    list: index,
                    line,
                    text: list.text(line).to_owned(),
                },
                start: usize::from(!on),
            }));
            found.extend(list.blocks().into_iter().map(|block| Dimension {
                what: What::Order { list: index, block },
                start: 0,
            }));
        }
        self.dimensions.extend(found);
    }

    /// Returns the errors of single changes of the file.
    fn wrong(&self) -> Vec<Diagnostic> {
        let mut problems: Vec<Diagnostic> = Vec::new();
        let start = self.start();
        for (at, dimension) in self.dimensions.iter().enumerate() {
            // The reader finds the errors of a line wherever it stands and whether it is on.
            let What::Value { values, .. } = &dimension.what else {
                continue;
            };
            for value in (0..values.len()).filter(|value| *value != dimension.start) {
                let mut candidate = start.clone();
                candidate[at] = value;
                for problem in self.build(&candidate).err().into_iter().flatten() {
                    let place = format!(
                        "it is wrong at {} = {}",
                        self.key(at),
                        self.label(at, value)
                    );
                    if !problems.iter().any(|known| known.title == problem.title) {
                        problems.push(problem.help(place));
                    }
                }
            }
        }
        problems
    }

    /// Returns the number of values of a dimension.
    pub fn len(&self, dimension: usize) -> usize {
        match &self.dimensions[dimension].what {
            What::Value { values, .. } => values.len(),
            What::Line { .. } => 2,
            What::Order { block, .. } => (1..=block.len()).product(),
        }
    }

    /// Returns the number of candidates.
    pub fn candidates(&self) -> u128 {
        let lengths = (0..self.dimensions.len()).map(|at| self.len(at) as u128);
        lengths.fold(1, u128::saturating_mul)
    }

    /// Returns the candidate that is the file as it stands.
    pub fn start(&self) -> Vec<usize> {
        self.dimensions.iter().map(|one| one.start).collect()
    }

    /// Returns the name of a dimension: a key, or lines of a policy.
    pub fn key(&self, dimension: usize) -> String {
        match &self.dimensions[dimension].what {
            What::Value { path, .. } => path.whole(),
            What::Line { list, line, .. } => format!("{} line {}", self.lists[*list].key, line + 1),
            What::Order { list, block } => {
                format!(
                    "{} lines {}-{}",
                    self.lists[*list].key,
                    block.start + 1,
                    block.end
                )
            }
        }
    }

    /// Returns the optional line that a dimension switches.
    pub fn line(&self, dimension: usize) -> Option<&str> {
        match &self.dimensions[dimension].what {
            What::Line { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Returns whether the values of a dimension are numbers, so that neighbours are similar.
    pub fn is_numeric(&self, dimension: usize) -> bool {
        match &self.dimensions[dimension].what {
            What::Value { values, .. } => {
                values.iter().all(|value| number(value.as_ref()).is_some())
            }
            _ => false,
        }
    }

    /// Returns a value as text: a number, a word, `on` or `off`, or the lines in their order.
    pub fn label(&self, dimension: usize, value: usize) -> String {
        match &self.dimensions[dimension].what {
            What::Value { values, .. } => match &values[value] {
                Some(node) => node.value.plain(),
                None => "as it is".to_owned(),
            },
            What::Line { .. } => ["on", "off"][value].to_owned(),
            What::Order { block, .. } => {
                let order = permutation(value, block.len()).into_iter();
                let lines = order.map(|at| (block.start + at + 1).to_string());
                lines.collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// Returns a value as a number, if it is one.
    pub fn number(&self, dimension: usize, value: usize) -> Option<f64> {
        match &self.dimensions[dimension].what {
            What::Value { values, .. } => number(values[value].as_ref()),
            _ => None,
        }
    }

    /// Returns the values one step away: for numbers the neighbours, for an order those with two neighbours exchanged,
    /// for words all others.
    pub fn steps(&self, dimension: usize, value: usize) -> Vec<usize> {
        let length = self.len(dimension);
        match &self.dimensions[dimension].what {
            What::Order { block, .. } => {
                let order = permutation(value, block.len());
                let exchanged = (1..order.len()).map(|at| {
                    let mut order = order.clone();
                    order.swap(at - 1, at);
                    index_of(&order)
                });
                exchanged.collect()
            }
            What::Value { .. } if self.is_numeric(dimension) => {
                let beside = [value.checked_sub(1), Some(value + 1)];
                beside
                    .into_iter()
                    .flatten()
                    .filter(|at| *at < length)
                    .collect()
            }
            _ => (0..length).filter(|at| *at != value).collect(),
        }
    }

    /// Returns the distance of a candidate from the file: the number of changed dimensions, and the sum of the sizes of
    /// the changes. A number counts with its share of the range, any other change with 1.
    pub fn change(&self, candidate: &[usize]) -> (usize, f64) {
        let mut all = (0, 0.0);
        for (at, dimension) in self.dimensions.iter().enumerate() {
            if candidate[at] != dimension.start {
                let steps = candidate[at].abs_diff(dimension.start) as f64;
                let share = if self.is_numeric(at) {
                    steps / self.len(at) as f64
                } else {
                    1.0
                };
                all = (all.0 + 1, all.1 + share);
            }
        }
        all
    }

    /// Returns the overrides that change the file to a candidate.
    fn overrides(&self, candidate: &[usize]) -> Vec<Override> {
        let mut changes = Vec::new();
        let mut edits: Vec<Edit> = vec![Edit::default(); self.lists.len()];
        for (dimension, &value) in self.dimensions.iter().zip(candidate) {
            if value == dimension.start {
                continue;
            }
            match &dimension.what {
                What::Value { path, values } => {
                    changes.extend(values[value].as_ref().map(|value| Override {
                        path: path.clone(),
                        value: Arc::clone(value),
                    }));
                }
                What::Line { list, line, .. } => edits[*list].switched.push((*line, value == 0)),
                What::Order { list, block } => {
                    let order = permutation(value, block.len()).into_iter();
                    edits[*list]
                        .orders
                        .push(order.map(|at| block.start + at).collect());
                }
            }
        }
        for (list, edit) in self.lists.iter().zip(edits) {
            let place = |_| list.span;
            if edit != Edit::default()
                && let Ok((path, _)) = read(&list.key, place)
            {
                let value = Arc::new(Node::new(list.span, list.edited(&edit)));
                changes.push(Override { path, value });
            }
        }
        changes
    }

    /// Returns the overrides of a candidate as paths and TOML values.
    pub fn settings(&self, candidate: &[usize]) -> Vec<(String, String)> {
        self.overrides(candidate)
            .iter()
            .map(Override::written)
            .collect()
    }

    /// Builds the fight of a candidate.
    ///
    /// # Errors
    /// The errors of the candidate: not all combinations of values are allowed.
    pub fn build(&self, candidate: &[usize]) -> Result<Variant, Vec<Diagnostic>> {
        let overrides = self.overrides(candidate);
        self.document.swept(&self.variant, overrides, &self.changes)
    }

    /// Returns the places in the file that a candidate changes, each with its new text.
    ///
    /// # Errors
    /// The name of a changed key or line that is not in the file.
    pub fn edits(&self, candidate: &[usize]) -> Result<Vec<(Range<usize>, String)>, String> {
        let source = self.document.text();
        let in_file = |span: Span| Some(span.bytes()).filter(|_| span.source() == 0);
        let mut edits = Vec::new();
        for (at, dimension) in self.dimensions.iter().enumerate() {
            let value = candidate[at];
            if value == dimension.start {
                continue;
            }
            let missing = || self.key(at);
            match &dimension.what {
                What::Value { path, values } => {
                    let written = self
                        .document
                        .written(path)
                        .and_then(|node| in_file(node.span));
                    let bytes = written
                        .filter(|bytes| !bytes.is_empty())
                        .ok_or_else(missing)?;
                    let node = values[value].as_ref().ok_or_else(missing)?;
                    edits.push((bytes, node.value.to_string()));
                }
                What::Line { list, line, .. } => {
                    let node = self.lists[*list].switched_line(*line, value == 0);
                    let bytes = in_file(self.lists[*list].place(*line)).ok_or_else(missing)?;
                    edits.push((bytes, node.value.to_string()));
                }
                What::Order { list, block } => {
                    let places: Option<Vec<_>> = block
                        .clone()
                        .map(|at| in_file(self.lists[*list].place(at)))
                        .collect();
                    let places = places.ok_or_else(missing)?;
                    let places = whole_lines(source, &places).unwrap_or(places);
                    for (slot, from) in permutation(value, block.len()).into_iter().enumerate() {
                        if slot != from {
                            edits.push((
                                places[slot].clone(),
                                source[places[from].clone()].to_owned(),
                            ));
                        }
                    }
                }
            }
        }
        edits.sort_by_key(|(bytes, _)| bytes.start);
        Ok(edits)
    }
}

/// Returns the value of a key as a number, if it is one.
fn number(value: Option<&Arc<Node>>) -> Option<f64> {
    value?.value.number()
}

/// Returns the places of members widened to whole lines of the file, with their comments; `None` if several members are
/// on one line.
fn whole_lines(source: &str, places: &[Range<usize>]) -> Option<Vec<Range<usize>>> {
    let lines = places.iter().map(|bytes| {
        let start = source[..bytes.start].rfind('\n').map_or(0, |at| at + 1);
        let end = source[bytes.end..]
            .find('\n')
            .map_or(source.len(), |at| bytes.end + at);
        let before = source[start..bytes.start].trim();
        let after = source[bytes.end..end].trim();
        let after = after.strip_prefix(',')?.trim_start();
        let alone = before.is_empty() && (after.is_empty() || after.starts_with('#'));
        alone.then_some(start..end)
    });
    lines.collect()
}

/// Returns the `index`th order of `length` items; order 0 is the original.
fn permutation(mut index: usize, length: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..length).collect();
    let mut order = Vec::with_capacity(length);
    for place in (0..length).rev() {
        let rest: usize = (1..=place).product();
        order.push(left.remove(index / rest % (place + 1)));
        index %= rest;
    }
    order
}

/// Returns the index of an order.
fn index_of(order: &[usize]) -> usize {
    let places = order.iter().enumerate().map(|(at, one)| {
        let smaller = order[at + 1..].iter().filter(|other| *other < one).count();
        let rest: usize = (1..order.len() - at).product();
        smaller * rest
    });
    places.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_numbered_from_the_one_that_is_there() {
        assert_eq!(permutation(0, 3), [0, 1, 2]);
        assert_eq!(permutation(5, 3), [2, 1, 0]);
        for index in 0..24 {
            assert_eq!(index_of(&permutation(index, 4)), index);
        }
    }
}
