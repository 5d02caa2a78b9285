//! Checks in words: `"1d20 + attack >= target.ac"`, and the sums of dice and facts of which they are made.

use super::Rulings;
use super::own::is_word;
use crate::dice::Notation;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node, Table, Value};
use crate::document::reader::{self, shown};
use crate::document::source::Span;
use crate::fight::Variable;
use crate::fight::check::Check;
use crate::fight::health::Roll;
use crate::fight::program::Comparison;
use crate::fight::system::Clocks;
use crate::fight::variables::{VariableRow, rows};
use crate::fight::words::{Against, Term, Terms, Ties, Under, Words};
use crate::names::{self, Named as _};
use std::ops::Range;
use std::sync::Arc;

/// The greatest number by which a fact is multiplied or divided.
const GREATEST_FACTOR: i64 = 1000;

/// The text of a value, whose place is known for errors.
pub(super) struct Written<'a> {
    node: &'a Node,
    key: &'a str,
    text: &'a str,
    rulings: &'a Rulings,
}

/// Dice, and the facts beside them.
pub(crate) struct Sum {
    pub(crate) dice: Option<Notation>,
    pub(crate) terms: Terms,
    /// How often the margin and the total of a check count.
    pub(super) result: [i64; 2],
}

impl<'a> Written<'a> {
    pub(super) fn of(
        node: &'a Node,
        key: &'a str,
        rulings: &'a Rulings,
    ) -> Result<Self, Diagnostic> {
        let text = reader::text(node, key)?;
        Ok(Self {
            node,
            key,
            text,
            rulings,
        })
    }

    fn error(&self, range: Range<usize>, title: String, label: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.node.span_of(range), title, label)
    }

    /// Reads the whole text as a sum, of which the result of a check may be a part.
    pub(super) fn whole(&self) -> Result<Sum, Diagnostic> {
        self.sum(0..self.text.len(), true)
    }

    /// Reads a sum of dice, numbers and facts.
    fn sum(&self, range: Range<usize>, of_result: bool) -> Result<Sum, Diagnostic> {
        let mut sum = Sum {
            dice: None,
            terms: Terms::default(),
            result: [0; 2],
        };
        let mut dice = String::new();
        let (mut first, mut last) = (range.end, range.start);
        for (sign, term) in terms(self.text, range.clone()) {
            let word = self.text[term.clone()].trim();
            if word.is_empty() {
                let label = "expected dice, a number or a trait here";
                return Err(self.error(term, format!("`{}` is no sum", self.key), label));
            }
            if is_fact(word) {
                let (times, name, per) = factors(word);
                let times = sign * times;
                match name {
                    "margin" if of_result => sum.result[0] += times,
                    "total" | "successes" if of_result => sum.result[1] += times,
                    _ => {
                        let start = term.start + self.text[term.clone()].find(name).unwrap_or(0);
                        let fact = self.fact(name, start..start + name.len())?;
                        sum.terms.facts.push(Term { times, fact, per });
                    }
                }
                if times.abs() > GREATEST_FACTOR || !(1..=GREATEST_FACTOR).contains(&per) {
                    let label = format!("expected factors from 1 to {GREATEST_FACTOR}");
                    return Err(self.error(term, "a factor is out of range".to_owned(), label));
                }
            } else {
                (first, last) = (first.min(term.start), last.max(term.end));
                dice.push_str(if sign < 0 { " - " } else { " + " });
                dice.push_str(word);
            }
        }
        if !dice.is_empty() {
            let plain = dice.strip_prefix(" + ").unwrap_or(&dice);
            // Where only dice stand together their errors have a place of their own.
            let whole = self.text[first..last].trim() == plain;
            let start =
                first + self.text[first..last].len() - self.text[first..last].trim_start().len();
            let parsed = Notation::parse(plain).map_err(|error| {
                let range = if whole {
                    start + error.span.start..start + error.span.end
                } else {
                    first..last
                };
                let title = format!("`{}` is not in dice notation", self.key);
                let help = error
                    .help
                    .unwrap_or_else(|| "expected dice such as \"2d6+3\"".to_owned());
                self.error(range, title, error.message).help(help)
            })?;
            match parsed.as_sum() {
                Some(points) if points.count == 0 => sum.terms.number = points.bonus,
                _ => sum.dice = Some(parsed),
            }
        }
        Ok(sum)
    }

    /// The fact that a word names.
    fn fact(&self, word: &str, range: Range<usize>) -> Result<Variable, Diagnostic> {
        let other = ["target.", "source."]
            .iter()
            .find_map(|prefix| word.strip_prefix(prefix));
        let own = &self.rulings.own;
        if let Some(index) = own.find(other.unwrap_or(word)) {
            if let Some(lacks) = own
                .lacks(index)
                .filter(|_| other.is_some() || self.rulings.anybody)
            {
                let name = other.unwrap_or(word);
                let title = format!("combatant \"{}\" has no trait `{name}`", shown(lacks));
                let label = if other.is_some() {
                    "any combatant may be the one whose trait counts"
                } else {
                    "any combatant may have to make this check"
                };
                let problem = self.error(range, title, label);
                return Err(problem.help(format!(
                    "written `traits = {{ {name} = 2 }}`; each needs one"
                )));
            }
            return Ok(match other {
                None => Variable::Trait(index),
                Some(_) => Variable::TargetTrait(index),
            });
        }
        let asked = other.map_or_else(|| word.to_owned(), |name| format!("target.{name}"));
        let shared = || {
            let is_plain = |row: &&VariableRow| row.name == row.word() && row.unit.is_some();
            rows()
                .filter(|row| row.clocks == Clocks::ALL)
                .filter(is_plain)
        };
        if let Some(row) = shared().find(|row| row.name == asked) {
            return Ok(row.variable);
        }
        let known = own
            .names
            .iter()
            .map(String::as_str)
            .chain(shared().map(|row| row.name));
        let label = names::suggest(word, known, '`').unwrap_or_else(|| match &own.names[..] {
            [] => "no combatant has `traits`".to_owned(),
            names => format!(
                "the traits are {}",
                names::list(names.iter().map(String::as_str), "and")
            ),
        });
        let title = format!("no trait is called `{}`", shown(word));
        Err(self
            .error(range, title, label)
            .help("traits are written with each combatant: `traits = { attack = 5, ac = 15 }`"))
    }
}

/// Whether a term of a sum is about a fact, and not dice or a number.
fn is_fact(term: &str) -> bool {
    let (_, name, _) = factors(term);
    name.split('.').all(is_word) && Notation::parse(name).is_err()
}

/// Splits `2 * might` or `skill / 10` into the factor, the name and the divisor.
fn factors(term: &str) -> (i64, &str, i64) {
    let term = term.trim();
    if let Some((name, per)) = term.rsplit_once('/')
        && let Ok(per) = per.trim().parse()
    {
        let (times, name, _) = factors(name);
        return (times, name, per);
    }
    let numbered = |number: &str| number.trim().parse::<i64>().ok();
    match term.split_once('*') {
        Some((times, name)) if numbered(times).is_some() => {
            (numbered(times).unwrap_or(1), name.trim(), 1)
        }
        Some((name, times)) if numbered(times).is_some() => {
            (numbered(times).unwrap_or(1), name.trim(), 1)
        }
        _ => (1, term, 1),
    }
}

/// The signs and places of the terms of a sum, outside of parentheses.
fn terms(text: &str, range: Range<usize>) -> Vec<(i64, Range<usize>)> {
    let mut terms = Vec::new();
    let (mut sign, mut start, mut depth) = (1, range.start, 0_i32);
    for (at, letter) in text[range.clone()].char_indices() {
        let at = range.start + at;
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            '+' | '-' if depth == 0 => {
                if !text[start..at].trim().is_empty() || !terms.is_empty() {
                    terms.push((sign, start..at));
                }
                sign = if letter == '-' { -1 } else { 1 };
                start = at + 1;
            }
            _ => {}
        }
    }
    terms.push((sign, start..range.end));
    terms
}

/// Whether a text is a check in words rather than dice: it says what it is held against, or names a trait.
pub(crate) fn is_in_words(text: &str, rulings: &Rulings) -> bool {
    let held = relation(text).map(|(_, sign)| text[sign.end..].trim());
    // Dice that count successes may have further modifiers.
    let is_number = |held: &str| held.parse::<i64>().is_ok();
    let is_held = held.is_some_and(|held| is_number(held) || Notation::parse(text).is_err());
    is_held || versus(text).is_some() || names_own(text, rulings)
}

/// Returns the keys of a pool that is written as dice and the least face that succeeds: `"6d6 >= 5"`, or with a sum of
/// traits for the dice, `"(strength + brawl)d6 >= 5"`. A single die is none.
pub(crate) fn pool_keys(text: &str) -> Option<Vec<(&'static str, Value)>> {
    let (dice, sides, face) = counted_dice(text)?;
    let pool = match dice.strip_prefix('(').and_then(|sum| sum.strip_suffix(')')) {
        Some(sum) if Notation::parse(sum).is_err() => Value::Text(sum.into(), None),
        Some(_) => return None,
        None => Value::Integer(Some(dice.parse().ok().filter(|dice| *dice > 1)?)),
    };
    let number = |number| Value::Integer(Some(number));
    // Greater numbers are reached by a sum.
    (face <= sides).then(|| {
        vec![
            ("pool", pool),
            ("die", number(sides)),
            ("success", number(face)),
        ]
    })
}

/// Splits `6d6 >= 5` into the number of dice, the sides and the number to be reached.
fn counted_dice(text: &str) -> Option<(&str, i64, i64)> {
    let (dice, face) = text.split_once(">=").or_else(|| text.split_once('≥'))?;
    let (count, sides) = dice.trim().rsplit_once(['d', 'D'])?;
    Some((count.trim(), sides.parse().ok()?, face.trim().parse().ok()?))
}

/// Returns a table with these keys, all at one place.
pub(crate) fn table_of(span: Span, keys: Vec<(&'static str, Value)>) -> Node {
    let entries = keys.into_iter().map(|(key, value)| Entry {
        key: key.into(),
        span,
        node: Arc::new(Node::new(span, value)),
    });
    let entries = entries.collect();
    Node::new(span, Table { entries })
}

/// Whether a text names a trait of the scenario's own.
pub(crate) fn names_own(text: &str, rulings: &Rulings) -> bool {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|word| rulings.own.find(word).is_some())
}

/// The place of `vs` between the two sides of a check.
fn versus(text: &str) -> Option<Range<usize>> {
    let at = text.find(" vs ")?;
    Some(at..at + " vs ".len())
}

/// The relation of a text to what it is held against, and its place.
fn relation(text: &str) -> Option<(Comparison, Range<usize>)> {
    const ALL: [(&str, Comparison); 6] = [
        (">=", Comparison::AtLeast),
        ("≥", Comparison::AtLeast),
        ("<=", Comparison::AtMost),
        ("≤", Comparison::AtMost),
        (">", Comparison::Greater),
        ("<", Comparison::Less),
    ];
    // The first signs may belong to dice that count successes.
    let found = ALL.iter().filter_map(|(sign, comparison)| {
        let at = text.rfind(sign)?;
        // `4d6r<3`: it belongs to the dice.
        let is_dice = text[..at]
            .trim_end()
            .ends_with(|c: char| c.is_alphabetic() || c == '!');
        let is_word = text[..at].ends_with(' ');
        (is_word || !is_dice).then_some((*comparison, at..at + sign.len()))
    });
    found.max_by_key(|(_, range)| (range.end, range.len()))
}

/// Reads a check in words.
pub(crate) fn in_words(node: &Node, key: &str, rulings: &Rulings) -> Result<Words, Diagnostic> {
    let parser = Written::of(node, key, rulings)?;
    let text = parser.text;
    let (body, ties) = ties_of(&parser)?;
    if let Some(vs) = versus(&text[..body]) {
        let (roll, facts, under) = parser.side(0..vs.start)?;
        let (theirs, terms, theirs_under) = parser.side(vs.end..body)?;
        if under != theirs_under {
            let label = "both sides must be rolled in the same way";
            return Err(parser.error(0..body, "these rolls cannot be compared".to_owned(), label));
        }
        return Ok(Words {
            facts,
            under,
            against: Against::Roll(theirs, terms, ties.unwrap_or_default()),
            ..Words::around(Check::RollOver { roll })
        });
    }
    if ties.is_some() {
        let label = "only two rolls can tie: `... vs ..., ties win`";
        return Err(parser.error(body..text.len(), "`ties` stands alone".to_owned(), label));
    }
    let Some((comparison, sign)) = relation(text) else {
        let (roll, facts) = parser.rolled(0..body)?;
        return Ok(Words {
            facts,
            ..Words::around(Check::RollOver { roll })
        });
    };
    let (roll, facts) = parser.rolled(0..sign.start)?;
    let against = parser.sum(sign.end..body, false)?;
    if against.dice.is_some() {
        let label = "expected a number or traits; against dice write `vs`";
        return Err(parser.error(
            sign.end..body,
            "a roll is held against dice".to_owned(),
            label,
        ));
    }
    let excludes = matches!(comparison, Comparison::Greater | Comparison::Less);
    let under = matches!(comparison, Comparison::AtMost | Comparison::Less);
    Ok(Words {
        facts,
        under: under.then_some(Under::Points),
        against: Against::Number(against.terms, excludes),
        ..Words::around(Check::RollOver { roll })
    })
}

/// Splits `, ties win` off a text: the length of the rest, and who wins ties.
fn ties_of(parser: &Written<'_>) -> Result<(usize, Option<Ties>), Diagnostic> {
    let Some((body, rest)) = parser.text.rsplit_once(',') else {
        return Ok((parser.text.len(), None));
    };
    let Some(word) = rest.trim().strip_prefix("ties ") else {
        return Ok((parser.text.len(), None));
    };
    let found = Ties::named(word.trim());
    let ties = found.ok_or_else(|| {
        let label = format!(
            "expected {}",
            names::list(Ties::NAMES.iter().copied(), "or")
        );
        let range = body.len() + 1..parser.text.len();
        parser.error(
            range,
            format!("ties cannot \"{}\"", shown(word.trim())),
            label,
        )
    })?;
    Ok((body.len(), Some(ties)))
}

impl Written<'_> {
    /// Reads a sum that has dice: the roll with its number, and the facts that are added to it.
    fn rolled(&self, range: Range<usize>) -> Result<(Roll, Terms), Diagnostic> {
        let sum = self.sum(range.clone(), false)?;
        let Some(dice) = sum.dice else {
            let label = "expected dice such as `1d20`";
            return Err(self.error(range, "a check has no dice".to_owned(), label));
        };
        Ok((dice.into(), sum.terms))
    }

    /// Reads a side of two: `2d6 + might`, or `1d100 <= skill`, in points or `by tens`.
    fn side(&self, range: Range<usize>) -> Result<(Roll, Terms, Option<Under>), Diagnostic> {
        let text = &self.text[range.clone()];
        let sum = |(roll, facts)| (roll, facts, None);
        let Some((comparison, sign)) = relation(text) else {
            return self.rolled(range).map(sum);
        };
        if comparison != Comparison::AtMost {
            let at = range.start + sign.start..range.start + sign.end;
            let label = "a side of two is a sum, in which dice may count their successes (`6d6>=5`), or a roll that is to \
                         be at most a number (`<=`)";
            // Otherwise the sign belongs to such dice.
            let wrong = |_| self.error(at, "this cannot be compared".to_owned(), label);
            return self.rolled(range).map(sum).map_err(wrong);
        }
        let (end, under) = match text.rsplit_once(" by ") {
            None => (text.len(), Under::Points),
            Some((before, word)) => {
                let Some(under) = Under::named(word.trim()) else {
                    let range = range.start + before.len()..range.end;
                    let label = "expected `by points` or `by tens`";
                    return Err(self.error(range, "no such levels".to_owned(), label));
                };
                (before.len(), under)
            }
        };
        let (roll, facts) = self.rolled(range.start..range.start + sign.start)?;
        let number = self.sum(range.start + sign.end..range.start + end, false)?;
        if number.dice.is_some() || !facts.facts.is_empty() {
            let label = "expected dice on the left of `<=`, and numbers and traits on the right";
            return Err(self.error(range, "this cannot be compared".to_owned(), label));
        }
        Ok((roll, number.terms, Some(under)))
    }
}

/// Reads a sum of dice, traits and numbers.
pub(crate) fn dice_and_facts(node: &Node, key: &str, rulings: &Rulings) -> Result<Sum, Diagnostic> {
    let written = Written::of(node, key, rulings)?;
    written.sum(0..written.text.len(), false)
}

/// Reads a sum of traits and numbers without dice, such as a pool or a skill.
pub(crate) fn facts_only(node: &Node, key: &str, rulings: &Rulings) -> Result<Terms, Diagnostic> {
    let parser = Written::of(node, key, rulings)?;
    let text = parser.text;
    let sum = parser.sum(0..text.len(), false)?;
    if sum.dice.is_some() {
        let label = "expected traits and numbers";
        return Err(parser.error(0..text.len(), format!("`{key}` has dice"), label));
    }
    Ok(sum.terms)
}
