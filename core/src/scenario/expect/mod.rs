//! `[[expect]]`: the claims of a scenario about its results, which `skirmish check` tests.
//!
//! Every subcommand reads the claims with the scenario, so that the next `skirmish run` finds a typing error, not the
//! build server. The claims are about the file as it stands: neither a variant nor `--set` changes them.

pub(super) mod claims;

use crate::scenario::variants::tables;
use std::fmt;
use std::num::NonZeroU64;

use super::keys::EXPECT;
use super::variants::BASE;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node};
use crate::document::reader::{self, Reader};
use crate::document::source::Span;
use crate::fight::Fight;
use crate::names;
use crate::stats::STATISTICS;
use crate::tally::metrics::{self, Kind, Metric, Scope};

/// One claim about the results of a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// The place of its `[[expect]]` in the file.
    pub span: Span,
    /// The name of the variant.
    pub variant: String,
    /// The metric: a rate or a count, which has a mean.
    pub metric: &'static Metric,
    /// The name of the side, combatant or outcome; `None` for metrics of the encounter as a whole.
    pub subject: Option<String>,
    /// The statistic of the metric.
    pub statistic: Statistic,
    /// The claim.
    pub claim: Claim,
}

/// The statistic of a metric that an expectation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Statistic {
    /// The mean; for a rate, the rate.
    Mean,
    /// The quantile with that index in [`STATISTICS`].
    Quantile(usize),
}

impl Statistic {
    /// Returns the name in the columns of `summary.csv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Quantile(index) => STATISTICS[index].0,
        }
    }

    /// Returns whether the statistic is the lowest or the highest value. These have no interval, because more
    /// encounters would show rarer values without end.
    pub fn is_extreme(self) -> bool {
        matches!(self, Self::Quantile(index) if matches!(STATISTICS[index].1, 0 | 100))
    }
}

/// The claim of an expectation.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// The value lies within bounds.
    Within(Bounds),
    /// The value less that of another variant, on the same dice, lies within bounds.
    Difference {
        /// The name of the other variant.
        from: String,
        /// The bounds of the difference.
        bounds: Bounds,
    },
    /// A run with that length and seed gives exactly this value, to the ten significant digits of `summary.csv`.
    Equal {
        /// The value.
        value: f64,
        /// The number of encounters of the run.
        encounters: NonZeroU64,
        /// The seed of the run.
        seed: u64,
    },
}

/// The range of an expected value, ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The lower end; minus infinity if there is none.
    pub low: f64,
    /// The upper end; infinity if there is none.
    pub high: f64,
}

impl Expectation {
    /// Returns the names of the variants that it is about.
    pub fn variants(&self) -> impl Iterator<Item = &str> {
        let from = match &self.claim {
            Claim::Difference { from, .. } => Some(from.as_str()),
            Claim::Within(_) | Claim::Equal { .. } => None,
        };
        from.into_iter().chain([&*self.variant])
    }

    /// Returns the index of the subject in a fight; `None` if the fight has no such subject.
    pub fn subject_in(&self, fight: &Fight) -> Option<usize> {
        let name = self.subject.as_deref().unwrap_or(metrics::ENCOUNTER);
        self.metric.scope.subject(fight, name)
    }
}

/// Writes the metric and the subject, without the claim: `win_rate of hunters, median`.
impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.metric.name)?;
        if let Some(subject) = &self.subject {
            write!(f, " of {subject}")?;
        }
        if self.statistic != Statistic::Mean {
            write!(f, ", {}", self.statistic.name())?;
        }
        Ok(())
    }
}

/// A variant that an expectation may name, with its fight if it could be built. The first is the file as it stands.
pub(super) type Known<'a> = (&'a str, Option<&'a Fight>);

/// Reads the expectations of a tree. The result is valid only if no problem was added.
pub(super) fn expectations(
    root: &Node,
    variants: &[Known<'_>],
    problems: &mut Vec<Diagnostic>,
) -> Vec<Expectation> {
    let list = tables(root, "expect", ["expectations", "checked"], problems);
    let mut all = Vec::with_capacity(list.len());
    for node in list {
        if let Some(mut table) = Reader::open(node, &EXPECT, "an expectation", problems) {
            let expectation = expectation(&mut table, variants);
            table.finish(problems);
            all.extend(expectation);
        }
    }
    all
}

fn expectation(table: &mut Reader<'_>, variants: &[Known<'_>]) -> Option<Expectation> {
    let span = table.span();
    let metric = metric(table);
    let variant = table.entry("variant");
    let variant = match variant {
        Some(entry) => known(table, entry, "variant", variants),
        None => variants.first().copied(),
    };
    let subject = subject(table, metric);
    let statistic = statistic(table, metric);
    let claim = claims::claim(table, metric, statistic, variants);

    let from = match &claim {
        Some(Claim::Difference { from, .. }) => {
            variants.iter().find(|(name, _)| name == from).copied()
        }
        _ => None,
    };
    if let (Some((name, _)), Some(variant)) = (from, variant)
        && name == variant.0
        && let Some(entry) = table.entry("difference")
    {
        let problem = Diagnostic::error(
            entry.span,
            format!("variant \"{name}\" is compared with itself"),
            "expected another variant in `from`, or in `variant`",
        );
        table.report(problem.help("both are `base` where nothing is said"));
    }
    // If the variant is unknown, only what no variant has is an error.
    let (named, others): (Vec<_>, &[Known<'_>]) = match variant {
        Some(variant) => ([Some(variant), from].into_iter().flatten().collect(), &[]),
        None => (from.into_iter().collect(), variants),
    };
    if let (Some(metric), Some(Some((node, _)))) = (metric, subject) {
        // A fight that could not be built has already been reported.
        let problem = |(variant, fight): &Known<'_>| stranger(node, metric, variant, (*fight)?);
        let everywhere = || others.iter().map(problem).collect::<Option<Vec<_>>>();
        let first = || everywhere()?.into_iter().next();
        if let Some(problem) = named.iter().find_map(problem).or_else(first) {
            table.report(problem);
        }
    }
    if let Some(metric) = metric {
        let fights = named.iter().filter_map(|(_, fight)| *fight);
        let is_unmeasured = |fight: &&Fight| !metric.is_measured(fight);
        let others = others.iter().map(|(_, fight)| *fight);
        let unmeasured = { fights }.find(is_unmeasured).or_else(|| {
            let all = others.map(|fight| fight.filter(is_unmeasured));
            all.collect::<Option<Vec<_>>>()?.first().copied()
        });
        if let (Some(fight), Some(entry)) = (unmeasured, table.entry("metric")) {
            let name = metric.name;
            let why = match metric.occasion() {
                Some(occasion) if metric.clocks.has(fight.system.clock) => {
                    format!("measured only {}", occasion.describe())
                }
                _ => format!("no metric of {}", fight.system.title),
            };
            table.report(
                Diagnostic::error(
                    entry.node.span,
                    format!("`{name}` is not measured in this fight"),
                    why,
                )
                .help("`skirmish explain metrics` says where each is measured"),
            );
        }
    }
    let (metric, variant, subject) = (metric?, variant?, subject?);
    let (statistic, claim) = (statistic?, claim?);
    Some(Expectation {
        span,
        variant: variant.0.to_owned(),
        metric,
        subject: subject.map(|(_, name)| name.to_owned()),
        statistic,
        claim,
    })
}

/// Reads the metric, which must have a mean.
fn metric(table: &mut Reader<'_>) -> Option<&'static Metric> {
    let entry = table.entry("metric")?;
    let name = table.ok_or_report(reader::text(&entry.node, "metric"))?;
    let Some(metric) = metrics::find(name) else {
        let known = metrics::all().filter(|metric| metric.kind.has_summary());
        let label = names::suggest(name, known.map(|metric| metric.name), '"')
            .unwrap_or_else(|| "unknown metric".to_owned());
        let title = format!("nothing measured is called \"{}\"", reader::shown(name));
        table.report(
            Diagnostic::error(entry.node.span, title, label)
                .help("`skirmish explain metrics` lists all"),
        );
        return None;
    };
    let instead = match metric.kind {
        Kind::Rate | Kind::Count => return Some(metric),
        Kind::Category => "`win_rate` of a side, `mutual` or `timeout`",
        Kind::Curve => "`alive`, or the `health` of the combatant",
    };
    table.report(Diagnostic::error(
        entry.node.span,
        format!("`{name}` has no mean, and no quantiles"),
        format!("expected a rate or a count: {instead}"),
    ));
    None
}

/// Returns the subject that a metric needs, with its place: `None` if it is wrong, `Some(None)` if the metric needs no
/// subject.
#[expect(clippy::option_option, reason = "wrong, needless and there are three")]
fn subject<'a>(
    table: &mut Reader<'a>,
    metric: Option<&Metric>,
) -> Option<Option<(&'a Node, &'a str)>> {
    let Some(metric) = metric else {
        // Whatever the subject should be, these keys are known.
        table.entry("side");
        table.entry("combatant");
        table.entry("outcome");
        return None;
    };
    let name = metric.name;
    let key = Some(metric.scope.name()).filter(|_| metric.scope != Scope::Encounter);
    for other in ["side", "combatant", "outcome"] {
        if key == Some(other) {
            continue;
        }
        let why = match key {
            None => format!("`{name}` is about the encounter as a whole"),
            Some(key) => format!("`{name}` is about a {key}: expected `{key} = \"...\"`"),
        };
        table.refuse(other, &why);
    }
    let Some(key) = key else {
        return Some(None);
    };
    let entry = table.needed(key)?;
    let text = table.ok_or_report(reader::text(&entry.node, key))?;
    Some(Some((&entry.node, text)))
}

/// Returns the error for a subject that a variant does not have.
fn stranger(node: &Node, metric: &Metric, variant: &str, fight: &Fight) -> Option<Diagnostic> {
    let wanted = node.text()?;
    let scope = metric.scope.name();
    let have = metric.scope.subjects(fight);
    if metric.scope == Scope::Encounter || have.clone().any(|name| name == wanted) {
        return None;
    }
    let label = names::expected(wanted, || have.clone(), '"');
    let title = format!(
        "variant \"{variant}\" has no {scope} \"{}\"",
        reader::shown(wanted)
    );
    let group = fight.combatants.iter().any(|one| one.group == wanted);
    Some(
        Diagnostic::error(node.span, title, label).maybe_help(
            (metric.scope == Scope::Combatant && group)
                .then_some("each of a `count` is measured for itself"),
        ),
    )
}

/// Returns the variant that an entry names.
fn known<'a>(
    table: &mut Reader<'_>,
    entry: &Entry,
    key: &str,
    variants: &[Known<'a>],
) -> Option<Known<'a>> {
    let name = table.ok_or_report(reader::text(&entry.node, key))?;
    let base = variants.first().filter(|_| name == BASE);
    let named = variants.iter().find(|(other, _)| *other == name);
    let found = named.or(base).copied();
    if found.is_none() {
        let all = || variants.iter().map(|(name, _)| *name);
        let label = names::expected(name, all, '"');
        table.report(Diagnostic::error(
            entry.node.span,
            format!("the scenario has no variant \"{}\"", reader::shown(name)),
            label,
        ));
    }
    found
}

/// Reads the statistic; the default is the mean.
fn statistic(table: &mut Reader<'_>, metric: Option<&Metric>) -> Option<Statistic> {
    let mut words = vec![("mean", Statistic::Mean)];
    for (index, (name, percent)) in STATISTICS.iter().enumerate() {
        if *percent == 50 {
            words.push(("median", Statistic::Quantile(index)));
        }
        words.push((name, Statistic::Quantile(index)));
    }
    let Some(entry) = table.entry("statistic") else {
        return Some(Statistic::Mean);
    };
    let statistic = table.choice("statistic", &words)?;
    if let Some(metric) = metric
        && metric.kind == Kind::Rate
        && statistic != Statistic::Mean
    {
        table.report(Diagnostic::error(
            entry.node.span,
            format!("`{}` is a rate", metric.name),
            "expected \"mean\": the mean says all about a rate",
        ));
        return None;
    }
    Some(statistic)
}
