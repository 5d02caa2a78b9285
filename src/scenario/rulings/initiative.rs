//! `initiative.dice` and `initiative.ties`, which every system has.

use crate::clock::initiative::{Dice, LastResort, Ties};
use crate::fight::health::Roll;
use crate::scenario::diagnostics::Diagnostic;
use crate::scenario::gear;
use crate::scenario::node::{Node, Value};
use crate::scenario::reader::{self, Reader};

/// What `initiative.ties` may name in one system.
pub(super) struct Words {
    /// The two traits that the rating is made of.
    pub(super) traits: [&'static str; 2],
    /// How its lists may end; the first is what a list means that says nothing.
    pub(super) last: &'static [LastResort],
    /// Why it does not have the other way.
    pub(super) why_not: &'static str,
}

/// Both ways in which a list may end.
pub(super) const EITHER: &[LastResort] = &[LastResort::Simultaneous, LastResort::RollOff];

/// One word of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Total,
    Compared(u8),
    Last(LastResort),
}

/// Reads `dice`, where the file has it.
pub(super) fn dice(table: &mut Reader<'_>) -> Option<Dice> {
    let entry = table.entry("dice")?;
    match read_dice(&entry.node) {
        Ok(dice) => Some(dice),
        Err(problem) => {
            table.complain(problem);
            None
        }
    }
}

fn read_dice(node: &Node) -> Result<Dice, Diagnostic> {
    const KEY: &str = "dice";
    let far = || {
        let most = Dice::MOST;
        let expected = format!("expected dice that show -{most} to {most}");
        Diagnostic::error(node.span, format!("`{KEY}` is out of range"), expected)
    };
    if matches!(node.value, Value::Integer(_)) {
        let bonus = reader::integer(node, KEY, -Dice::MOST..=Dice::MOST)?;
        return Ok(Dice::from(Roll::Sum(crate::dice::PlainSum {
            count: 0,
            sides: 1,
            bonus,
        })));
    }
    let (_, notation) = gear::notation(node, KEY)?;
    // Explosions have no end in one direction; a roll that goes so far counts as the bound.
    let low = notation.min() != i64::MIN && notation.min() < -Dice::MOST;
    if low || notation.max().is_some_and(|most| most > Dice::MOST) {
        return Err(far());
    }
    Ok(Dice::from(Roll::from(notation)))
}

/// Reads `ties`, where the file has it.
pub(super) fn ties(table: &mut Reader<'_>, words: &Words) -> Option<Ties> {
    let entry = table.entry("ties")?;
    match read_ties(&entry.node, words) {
        Ok(ties) => Some(ties),
        Err(problem) => {
            table.complain(problem);
            None
        }
    }
}

fn read_ties(node: &Node, words: &Words) -> Result<Ties, Diagnostic> {
    const KEY: &str = "ties";
    let [first, second] = words.traits;
    let simultaneous = Word::Last(LastResort::Simultaneous);
    let roll_off = Word::Last(LastResort::RollOff);
    let mut known = vec![
        ("total", Word::Total),
        ("rating", Word::Compared(0)),
        (first, Word::Compared(1)),
        (second, Word::Compared(2)),
    ];
    let ends = [("roll-off", roll_off), ("simultaneous", simultaneous)];
    let (offered, missing): (Vec<_>, Vec<_>) = ends
        .into_iter()
        .partition(|(_, word)| words.last.iter().any(|last| *word == Word::Last(*last)));
    known.extend(offered);
    let example = || format!("written like `ties = [\"total\", \"rating\", \"{first}\"]`");
    let list = reader::list(node, KEY).map_err(|problem| problem.help(example()))?;
    if list.is_empty() {
        let problem = Diagnostic::error(node.span, format!("`{KEY}` is empty"), "expected words");
        return Err(problem.help(example()));
    }
    let mut compared = Vec::new();
    let mut last = None;
    let mut seen: Vec<(&str, Word)> = Vec::new();
    for node in list {
        if let Some(text) = node.text()
            && missing.iter().any(|(name, _)| *name == text)
        {
            return Err(Diagnostic::error(
                node.span,
                format!("`{KEY}` cannot be \"{text}\" in this system"),
                words.why_not,
            ));
        }
        let word = reader::choice(node, KEY, &known)?;
        let name = known.iter().find(|(_, one)| *one == word);
        let name = name.map_or("", |(name, _)| name);
        let wrong = |label: String| {
            let title = format!("`{KEY}` cannot have \"{name}\" here");
            Err(Diagnostic::error(node.span, title, label))
        };
        if seen.iter().any(|(_, one)| *one == word) {
            return wrong("it is in the list already".to_owned());
        }
        if let Some((end, Word::Last(_))) = seen.last() {
            return wrong(format!("nothing is tied any more after \"{end}\""));
        }
        if word == Word::Total && !seen.is_empty() {
            return wrong("the total comes before everything else".to_owned());
        }
        match word {
            Word::Total => {}
            Word::Compared(index) => compared.push(index),
            Word::Last(resort) => last = Some(resort),
        }
        seen.push((name, word));
    }
    Ok(Ties {
        compared,
        last: last.unwrap_or(words.last[0]),
    })
}
