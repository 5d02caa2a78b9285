//! `--vary KEY=VALUES`: a key and its values in turn, and the scenario at each point.
//!
//! All points are built before the simulation starts, so that a value which makes the scenario invalid at some point is
//! reported at once, at the place where it was written.

use std::sync::Arc;

use super::Variant;
use super::blame::blame_overrides;
use crate::decimal::Decimal;
use crate::document::Document;
use crate::document::diagnostics::{Diagnostic, Diagnostics};
use crate::document::node::{Node, Value};
use crate::document::overrides::{FROM_SWEEP, Override, apply, read_value, resolve};
use crate::document::path::{self, Path};
use crate::document::source::{Sources, Span};

/// The greatest number of points of a sweep: more than any figure can show, and hours of work.
pub const MOST_POINTS: usize = 10_000;

/// The greatest number of keys that are varied at once: a figure has two directions.
const MOST_KEYS: usize = 2;

/// One key of a sweep and its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    pub(super) path: Path,
    pub(super) values: Vec<Arc<Node>>,
    /// The place of the values.
    pub(super) span: Span,
}

/// One point of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepPoint {
    /// The index of the value of each key.
    pub at: Vec<usize>,
    /// The fight and its rulings.
    pub variant: Variant,
}

/// A scenario at every point of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The keys that vary.
    pub axes: Vec<Axis>,
    /// All combinations of their values; the last key varies fastest.
    pub points: Vec<SweepPoint>,
    /// The changes of the swept variant to the base, as paths and TOML values.
    pub changes: Vec<(String, String)>,
}

impl Axis {
    /// Reads `KEY=VALUES`, as `--vary` takes it. The key need not be one of a scenario.
    ///
    /// # Errors
    /// If the argument has no such form.
    pub fn read(argument: &str) -> Result<Self, Diagnostics> {
        let mut sources = Sources::default();
        let source = sources.add("--vary", argument);
        axis(argument, source, "--vary").map_err(|wrong| Diagnostics::of(sources, wrong))
    }

    /// Returns the key as a dotted path.
    pub fn key(&self) -> String {
        self.path.whole()
    }

    /// Returns the values: numbers in rising order, others as given.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.values.iter().map(|node| &node.value)
    }

    /// Returns whether all values are numbers.
    pub fn is_numeric(&self) -> bool {
        self.values().all(|value| value.number().is_some())
    }

    /// Returns whether one of the keys is the other, or lies inside it.
    fn meets(&self, other: &Self) -> bool {
        let mut parts = self.path.parts.iter().zip(&other.path.parts);
        parts.all(|(one, other)| one.name == other.name)
    }
}

impl Sweep {
    /// Describes a point in words: `combatants.archer.move = 12`.
    pub fn name(&self, at: &[usize]) -> String {
        let parts = self.axes.iter().zip(at).map(|(axis, &at)| {
            let value = axis.values().nth(at).map_or_else(String::new, Value::plain);
            format!("{} = {value}", axis.key())
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

impl Document {
    /// Builds a variant (`base` for the file as it stands) at every point of a sweep. Each of `arguments` is
    /// `KEY=VALUES` as `--vary` takes it. The values are set over the variant, so that they take precedence over its
    /// own changes.
    ///
    /// # Errors
    /// All errors in the arguments, or in the scenario at any point.
    ///
    /// # Example
    /// ```no_run
    /// # use skirmish_core::scenario::Scenario;
    /// let loaded = Scenario::load("scenarios/kiting.toml".as_ref(), &[]).unwrap();
    /// let sweep = loaded.document.sweep("base", &["combatants.archer.move=8..20:4".to_owned()]);
    /// assert_eq!(sweep.unwrap().points.len(), 4);
    /// ```
    pub fn sweep(&self, variant: &str, arguments: &[String]) -> Result<Sweep, Diagnostics> {
        let (mut document, changes) = self.only(variant)?;
        let (axes, mut problems) = document.axes(arguments, "--vary");
        problems.extend(self.clashes(&axes, "--vary"));
        if arguments.len() > MOST_KEYS {
            let general = format!("{} keys are varied at once", arguments.len());
            problems.push(Diagnostic::general(general).help(format!(
                "at most {MOST_KEYS} can be: fix the others with `--set`, or sweep one after \
                 the other"
            )));
        }
        if problems.is_empty() {
            problems.extend(too_many(&axes));
        }
        if !problems.is_empty() {
            return Err(Diagnostics::of(document.sources, problems));
        }
        let mut sweep = Sweep {
            axes,
            points: Vec::new(),
            changes,
        };
        document.build_points(variant, &mut sweep)?;
        Ok(sweep)
    }

    /// Reads the keys that an option varies, with their values.
    pub(super) fn axes(
        &mut self,
        arguments: &[String],
        option: &str,
    ) -> (Vec<Axis>, Vec<Diagnostic>) {
        let (mut axes, mut problems) = (Vec::new(), Vec::new());
        for argument in arguments {
            let source = self.sources.add(option, argument);
            let read = axis(argument, source, option).and_then(|axis| {
                let path = resolve(&self.root, axis.path).map_err(|problem| vec![problem])?;
                Ok(Axis { path, ..axis })
            });
            match read {
                Ok(axis) => axes.push(axis),
                Err(wrong) => problems.extend(wrong),
            }
        }
        (axes, problems)
    }

    /// Returns the errors for keys that an option varies twice, or that are both set and varied.
    pub(super) fn clashes(&self, axes: &[Axis], option: &str) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        for (index, axis) in axes.iter().enumerate() {
            let first = axes[..index].iter().find(|other| other.meets(axis));
            if let Some(first) = first {
                problems.push(
                    Diagnostic::error(
                        axis.path.span,
                        "a key is varied twice",
                        format!("`{}` varies already", first.key()),
                    )
                    .help(format!(
                        "values of one key go into one `{option}`: `KEY=8..12,15,20`"
                    )),
                );
            }
            if self.settings.iter().any(|(key, _)| *key == axis.key()) {
                problems.push(Diagnostic::error(
                    axis.path.span,
                    "a key is both set and varied",
                    "`--set` fixes it",
                ));
            }
        }
        problems
    }

    /// Builds all points, or returns the errors of all points, each error once, at its first point.
    fn build_points(&self, variant: &str, sweep: &mut Sweep) -> Result<(), Diagnostics> {
        let all = combinations(sweep.axes.iter().map(|axis| axis.values.len()));
        let count = all.len();
        let mut wrong: Vec<(Diagnostic, Vec<usize>, usize)> = Vec::new();
        for at in all {
            let overrides = sweep.axes.iter().zip(&at).map(|(axis, &at)| Override {
                path: axis.path.clone(),
                value: Arc::clone(&axis.values[at]),
            });
            match self.swept(variant, overrides, &sweep.changes) {
                Ok(variant) => sweep.points.push(SweepPoint { at, variant }),
                Err(problems) => {
                    for problem in problems {
                        match wrong.iter_mut().find(|(known, _, _)| *known == problem) {
                            Some((_, _, points)) => *points += 1,
                            None => wrong.push((problem, at.clone(), 1)),
                        }
                    }
                }
            }
        }
        if wrong.is_empty() {
            return Ok(());
        }
        let mut diagnostics = Diagnostics::new(self.sources.clone());
        let without = super::build(&self.root).1.problems;
        for (mut problem, at, points) in wrong {
            let values = sweep.axes.iter().zip(&at);
            let values: Vec<Span> = values.map(|(axis, &at)| axis.values[at].span).collect();
            blame_overrides([&mut problem].into_iter(), &without, &values);
            let place = (points < count).then(|| {
                let more = match points - 1 {
                    0 => String::new(),
                    1 => " and at one more point".to_owned(),
                    more => format!(" and at {more} more points"),
                };
                format!("it is wrong at {}{more}", sweep.name(&at))
            });
            diagnostics.push(problem.maybe_help(place));
        }
        Err(diagnostics)
    }

    /// Builds a variant with further values, for whose `changes` results have these.
    pub(super) fn swept(
        &self,
        variant: &str,
        overrides: impl IntoIterator<Item = Override>,
        changes: &[(String, String)],
    ) -> Result<Variant, Vec<Diagnostic>> {
        let mut document = self.clone();
        for change in overrides {
            apply(&mut document.root, &change, FROM_SWEEP).map_err(|problem| vec![problem])?;
        }
        document
            .base(variant, changes.to_vec())
            .map_err(Diagnostics::into_list)
    }
}

/// Returns all combinations of values; the last key varies fastest.
pub fn combinations(lengths: impl IntoIterator<Item = usize>) -> Vec<Vec<usize>> {
    lengths
        .into_iter()
        .fold(vec![Vec::new()], |points, length| {
            let longer = |point: &Vec<usize>, at| point.iter().copied().chain([at]).collect();
            points
                .iter()
                .flat_map(|point| (0..length).map(move |at| longer(point, at)))
                .collect()
        })
}

fn too_many(axes: &[Axis]) -> Option<Diagnostic> {
    let points: usize = axes.iter().map(|axis| axis.values.len()).product();
    // Each key by itself has few enough values.
    let last = axes.last().filter(|_| points > MOST_POINTS)?;
    Some(beyond(last.span, points as u128))
}

/// Returns the error for too many points.
fn beyond(span: Span, points: u128) -> Diagnostic {
    Diagnostic::error(
        span,
        format!("a sweep of {points} points"),
        format!("at most {MOST_POINTS} are played"),
    )
    .help("take larger steps, as in `10..1000:10`, or fewer values")
}

/// Reads the argument of an option such as `--vary`, which is the text of `source`.
pub(super) fn axis(argument: &str, source: usize, option: &str) -> Result<Axis, Vec<Diagnostic>> {
    const EXAMPLE: &str = "KEY=VALUES`, as in `combatants.archer.move=8..20`, \
                           `combatants.archer.move=8,10,15` or `rules.round=full,simple`";
    let place = |bytes| Span::new(source, bytes);
    let (path, at) = path::read(argument, place).map_err(|error| vec![error])?;
    let values = argument[at..].strip_prefix('=').unwrap_or_default();
    let end = argument.len();
    if values.trim().is_empty() {
        let title = format!("`{option}` lacks values");
        let missing = Diagnostic::error(place(end..end), title, "expected values");
        return Err(vec![missing.help(format!("written `{option} {EXAMPLE}"))]);
    }
    let from = end - values.len();
    let nodes = self::values(values, source, from)?;
    let mut axis = Axis {
        path,
        values: nodes,
        span: place(from..end),
    };
    // Charts and crossings need the values in order.
    if axis.is_numeric() {
        let number = |node: &Arc<Node>| node.value.number().unwrap_or_default();
        axis.values
            .sort_by(|one, other| number(one).total_cmp(&number(other)));
    }
    match twice(&axis.values) {
        Some(twice) => Err(vec![Diagnostic::error(
            twice.span,
            format!("the value {} is given twice", twice.value),
            "already among the values",
        )]),
        None => Ok(axis),
    }
}

/// Reads values that begin at byte `from` of a source: ranges and single values, separated by commas.
pub(super) fn values(
    values: &str,
    source: usize,
    from: usize,
) -> Result<Vec<Arc<Node>>, Vec<Diagnostic>> {
    let place = |bytes| Span::new(source, bytes);
    let end = from + values.len();
    let mut nodes: Vec<Arc<Node>> = Vec::new();
    let mut problems = Vec::new();
    for bytes in split(values) {
        let raw = &values[bytes.clone()];
        let start = from + bytes.end - raw.trim_start().len();
        let text = raw.trim();
        let read = if text.is_empty() {
            let missing = Diagnostic::error(
                place(from + bytes.start..from + bytes.end),
                "a value is missing",
                "expected a value",
            );
            Err(vec![missing.help("empty text is written `\"\"`")])
        } else if text.contains("..") && !text.starts_with(['"', '\'', '[', '{']) {
            range(text, source, start).map_err(|problem| vec![problem])
        } else {
            read_value(text, source, start).map(|node| vec![node])
        };
        match read {
            Ok(read) => nodes.extend(read.into_iter().map(Arc::new)),
            Err(errors) => problems.extend(errors),
        }
    }
    if nodes.len() > MOST_POINTS {
        problems.push(beyond(place(from..end), nodes.len() as u128));
    }
    if problems.is_empty() {
        Ok(nodes)
    } else {
        Err(problems)
    }
}

fn twice(values: &[Arc<Node>]) -> Option<&Node> {
    let mut seen = std::collections::HashSet::new();
    let again = values
        .iter()
        .find(|node| !seen.insert((node.value.number().is_none(), node.value.plain())));
    again.map(AsRef::as_ref)
}

/// Returns the items between commas outside quotes and brackets.
fn split(values: &str) -> Vec<std::ops::Range<usize>> {
    let mut items = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0_usize, None);
    let mut escaped = false;
    for (at, c) in values.char_indices() {
        // Quotes and brackets open only at the start of an item: the apostrophe in a name does not.
        let opens = depth > 0 || values[start..at].trim().is_empty();
        match (quote, c) {
            (Some('"'), '\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(open), _) if open == c && !escaped => quote = None,
            (None, '"' | '\'') if opens => quote = Some(c),
            (None, '[' | '{') if opens => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                items.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        escaped = false;
    }
    items.push(start..values.len());
    items
}

/// Returns a decimal number as a whole number of units of its last digit, and the number of digits after the point.
fn decimal(text: &str) -> Option<(i128, u32)> {
    const MOST_DIGITS: usize = 18;
    let is_plain = |decimal: &Decimal<'_>| !decimal.percent && !text.starts_with('+');
    let decimal = Decimal::read(text).filter(is_plain)?;
    let fraction = decimal
        .digits
        .split_once('.')
        .map_or("", |(_, fraction)| fraction);
    let digits = decimal.digits.replace('.', "");
    let number: i128 = digits.parse().ok()?;
    let is_short = digits.trim_start_matches('-').len() <= MOST_DIGITS;
    is_short.then_some((number, fraction.len() as u32))
}

/// Reads `FIRST..LAST` or `FIRST..LAST:STEP`, both ends included.
fn range(text: &str, source: usize, offset: usize) -> Result<Vec<Node>, Diagnostic> {
    const HELP: &str = "a range is written `8..20`, or with a step `8..20:2`";
    let place =
        |bytes: std::ops::Range<usize>| Span::new(source, offset + bytes.start..offset + bytes.end);
    let whole = place(0..text.len());
    let dots = text.find("..").unwrap_or(text.len());
    let last_at = dots + 2;
    let colon = text[last_at..].find(':').map(|at| last_at + at);
    let number = |bytes: std::ops::Range<usize>, what: &str| {
        decimal(text[bytes.clone()].trim()).ok_or_else(|| {
            let (title, label) = if text[bytes.clone()].trim().is_empty() {
                (format!("a range lacks its {what}"), "expected a number")
            } else {
                (
                    format!("the {what} of a range is no number"),
                    "not a number",
                )
            };
            Diagnostic::error(place(bytes), title, label).help(HELP)
        })
    };
    let first = number(0..dots, "first value")?;
    let last = number(last_at..colon.unwrap_or(text.len()), "last value")?;
    let step = match colon {
        Some(colon) => number(colon + 1..text.len(), "step")?,
        None => (1, 0),
    };
    let digits = first.1.max(last.1).max(step.1);
    let scaled = |(number, own): (i128, u32)| number * 10_i128.pow(digits - own);
    let (first, last, step) = (scaled(first), scaled(last), scaled(step));
    if first > last {
        let ends = (&text[last_at..colon.unwrap_or(text.len())], &text[..dots]);
        let turned = format!("write `{}..{}`", ends.0.trim(), ends.1.trim());
        return Err(Diagnostic::error(
            whole,
            "a range runs backwards",
            "its first value is the greater",
        )
        .help(turned));
    }
    if step <= 0 {
        let at = colon.map_or(0, |colon| colon + 1);
        return Err(Diagnostic::error(
            place(at..text.len()),
            "the step of a range leads nowhere",
            "expected a number above 0",
        )
        .help(HELP));
    }
    let count = (last - first) / step + 1;
    if count > MOST_POINTS as i128 {
        return Err(beyond(whole, count.unsigned_abs()));
    }
    let value = |number: i128| match i64::try_from(number) {
        Ok(number) if digits == 0 => Value::Integer(Some(number)),
        _ => Value::Float(float(number, digits)),
    };
    let node = |index| Node::new(whole, value(first + index * step));
    Ok((0..count).map(node).collect())
}

/// Returns the number nearest to a decimal number, as if it had been written out.
fn float(number: i128, digits: u32) -> f64 {
    format!("{number}e-{digits}").parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(argument: &str) -> Vec<String> {
        let axis = axis(argument, 0, "--vary").unwrap();
        axis.values().map(Value::to_string).collect()
    }

    #[test]
    fn ranges_lists_and_words() {
        assert_eq!(values("a.b=8..11"), ["8", "9", "10", "11"]);
        assert_eq!(values("a.b=8..13:2"), ["8", "10", "12"]);
        assert_eq!(values("a.b = -2..1"), ["-2", "-1", "0", "1"]);
        assert_eq!(
            values("a.b=0..1:0.25"),
            ["0.0", "0.25", "0.5", "0.75", "1.0"]
        );
        assert_eq!(values("a.b=0.1..0.3:0.1"), ["0.1", "0.2", "0.3"]);
        assert_eq!(values("a.b=20,8..9, 15"), ["8", "9", "15", "20"]);
        assert_eq!(values("a.b=full,simple"), ["\"full\"", "\"simple\""]);
        assert_eq!(values("a.b=1d8,1d10+1"), ["\"1d8\"", "\"1d10+1\""]);
        assert_eq!(values("a.b=true,false"), ["true", "false"]);
        assert_eq!(
            values("a.b=king's men,\"x, y\""),
            ["\"king's men\"", "\"x, y\""]
        );
        assert_eq!(values("a.b=[1, 2],[\"a,]\"]"), ["[1, 2]", "[\"a,]\"]"]);
    }

    #[test]
    fn what_is_no_list_of_values_is_refused() {
        for wrong in [
            "a.b",
            "a.b=",
            "a.b= ,",
            "a.b=8,,9",
            "a.b=8..",
            "a.b=..8",
            "a.b=8..x",
            "a.b=8..9..10",
            "a.b=8...10",
            "a.b=9..8",
            "a.b=8..9:0",
            "a.b=8..9:-1",
            "a.b=8..9:",
            "a.b=8..9:1:1",
            "a.b=8,8",
            "a.b=8..9,9",
            "a.b=full,full",
            "a.b=1..1000000",
            "a.b=0..1:0.0001,2..3",
            "a.b=1..99999999999999999999999",
            "a.b=[1,",
            "=3",
            "é..ü",
            "a.b=é..ü",
        ] {
            assert!(axis(wrong, 0, "--vary").is_err(), "{wrong}");
        }
    }
}
