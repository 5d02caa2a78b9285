//! The conditions of `--find`, which select an encounter.

use crate::fight::Ending;
use crate::fight::Fight;
use crate::fight::program::Comparison;
use crate::names::unknown;
use crate::sim::Record;
use crate::tally::metrics::{self, CAUGHT, ESCAPED, Kind, MUTUAL, Metric, Scope, TIMEOUT};
use anyhow::{Context, anyhow, bail};

/// The conditions of `--find`, all of which must be true.
#[derive(Debug, Clone)]
pub(super) struct SearchCondition(Vec<Condition>);

impl SearchCondition {
    /// Parses conditions joined by `and`.
    pub(super) fn parse(text: &str, fight: &Fight) -> anyhow::Result<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        words
            .split(|word| *word == "and")
            .map(|condition| Condition::parse(&condition.join(" "), fight))
            .collect::<anyhow::Result<_>>()
            .map(Self)
    }

    pub(super) fn is_true(&self, record: &Record, fight: &Fight) -> bool {
        self.0
            .iter()
            .all(|condition| condition.is_true(record, fight))
    }
}

/// A condition on an encounter.
#[derive(Debug, Clone, Copy)]
enum Condition {
    Ending(Ending),
    Value {
        metric: &'static Metric,
        subject: usize,
        comparison: Comparison,
        number: i64,
    },
}

/// The operators; a longer one precedes its prefixes.
const OPERATORS: [(&str, Comparison); 7] = [
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("!=", Comparison::NotEqual),
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

impl Condition {
    fn parse(text: &str, fight: &Fight) -> anyhow::Result<Self> {
        if text.is_empty() {
            bail!("--find lacks a condition; write winner=SIDE, or 'winner=SIDE and rounds>=9'");
        }
        let (at, operator, comparison) = text
            .char_indices()
            .find_map(|(at, _)| {
                OPERATORS
                    .iter()
                    .find(|(operator, _)| text[at..].starts_with(operator))
                    .map(|(operator, comparison)| (at, *operator, *comparison))
            })
            .with_context(|| {
                format!("`{text}` compares nothing; write winner=SIDE, rounds>=9 or damage.NAME<10")
            })?;
        let left = text[..at].trim();
        let right = text[at + operator.len()..].trim();
        // Another comparison follows; a name may hold these words and characters as well.
        if right.contains(['<', '>', '=']) {
            if right.contains(['&', ',', ';']) {
                bail!("`{text}`: conditions are joined by `and`");
            }
            if right.contains(" or ") {
                bail!("`{text}`: conditions are joined by `and` alone; look for each by itself");
            }
        }
        let (name, subject) = match left.split_once('.') {
            Some((name, subject)) => (name.trim(), Some(subject.trim())),
            None => (left, None),
        };
        let measured = || metrics::all().filter(|metric| metric.is_measured(fight));
        let metric = measured()
            .find(|metric| metric.name == name)
            .with_context(|| unknown("metric", name, measured().map(|metric| metric.name)))?;
        if metric.kind == Kind::Category {
            if comparison != Comparison::Equal {
                bail!("`{name}` can only be compared with =");
            }
            return Ok(Self::Ending(ending(right, fight)?));
        }
        if metric.kind == Kind::Curve {
            bail!("`{name}` has no value in a single encounter");
        }
        let number = right
            .parse()
            .map_err(|_| anyhow!("`{right}` is not a whole number to compare `{name}` with"))?;
        let subject = match (metric.scope, subject) {
            (Scope::Encounter, None) => 0,
            (Scope::Encounter, Some(_)) => {
                bail!("`{name}` is about the encounter as a whole; leave out what follows the dot")
            }
            (scope, None) => bail!("whose {name}? write {name}.{}", scope.name().to_uppercase()),
            (scope, Some(name)) => scope
                .subject(fight, name)
                .with_context(|| unknown(scope.name(), name, scope.subjects(fight)))?,
        };
        Ok(Self::Value {
            metric,
            subject,
            comparison,
            number,
        })
    }

    fn is_true(&self, record: &Record, fight: &Fight) -> bool {
        match *self {
            Self::Ending(ending) => record.ending == ending,
            Self::Value {
                metric,
                subject,
                comparison,
                number,
            } => metric
                .value(record, fight, subject)
                .is_some_and(|value| comparison.holds(value, number)),
        }
    }
}

/// Returns the ending called `name`, which may also be a side or a combatant on it.
fn ending(name: &str, fight: &Fight) -> anyhow::Result<Ending> {
    if name == MUTUAL {
        return Ok(Ending::Mutual);
    }
    if name == TIMEOUT {
        return Ok(Ending::Timeout);
    }
    if !fight.ends.is_empty() {
        match name {
            ESCAPED => return Ok(Ending::Escaped),
            CAUGHT => return Ok(Ending::Caught),
            _ => {}
        }
    }
    if let Some(outcome) = fight.outcomes().position(|outcome| outcome == name) {
        return Ok(Ending::Outcome(outcome as u8));
    }
    if let Some(side) = fight.sides.iter().position(|side| side == name) {
        return Ok(Ending::Win(side as u8));
    }
    if let Some(one) = fight
        .combatants
        .iter()
        .find(|one| one.name == name || one.group == name)
    {
        return Ok(Ending::Win(one.side as u8));
    }
    let sides = fight.sides.iter().map(String::as_str);
    let chased = [ESCAPED, CAUGHT]
        .into_iter()
        .filter(|_| !fight.ends.is_empty());
    let known = sides.chain([MUTUAL, TIMEOUT]).chain(chased);
    Err(anyhow!(unknown(
        "winner",
        name,
        known.chain(fight.outcomes())
    )))
}
