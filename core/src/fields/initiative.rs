//! `initiative.dice` and `initiative.ties`, which every system has.

use super::gear;
use crate::dice::PlainSum;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader};
use crate::fight::health::Roll;
use crate::fight::initiative::{Dice, Ties, Vocabulary};

/// Reads `dice` and `ties`, if the file has them.
pub(crate) fn dice_and_ties(
    table: &mut Reader<'_>,
    (dice, ties): (&mut Dice, &mut Ties),
    vocabulary: &Vocabulary,
) {
    if let Some(read) = self::dice(table) {
        *dice = read;
    }
    if let Some(read) = self::ties(table, vocabulary) {
        *ties = read;
    }
}

/// Reads `dice`, if the file has it.
pub(crate) fn dice(table: &mut Reader<'_>) -> Option<Dice> {
    let entry = table.entry("dice")?;
    read_dice(&entry.node)
        .map_err(|problem| table.report(problem))
        .ok()
}

fn read_dice(node: &Node) -> Result<Dice, Diagnostic> {
    const KEY: &str = "dice";
    if matches!(node.value, Value::Integer(_)) {
        let bonus = reader::integer(node, KEY, -Dice::MOST..=Dice::MOST)?;
        let points = PlainSum {
            count: 0,
            sides: 1,
            bonus,
        };
        return Ok(Dice::from(Roll::from(points)));
    }
    let (_, notation) = gear::notation(node, KEY)?;
    // Exploding dice have no bound in one direction; a roll beyond `Dice::MOST` counts as that.
    let low = notation.min() != i64::MIN && notation.min() < -Dice::MOST;
    if low || notation.max().is_some_and(|most| most > Dice::MOST) {
        let most = Dice::MOST;
        let expected = format!("expected dice that show -{most} to {most}");
        let title = format!("`{KEY}` is out of range");
        return Err(Diagnostic::error(node.span, title, expected));
    }
    Ok(Dice::from(Roll::from(notation)))
}

/// Reads `ties`, if the file has it.
pub(crate) fn ties(table: &mut Reader<'_>, vocabulary: &Vocabulary) -> Option<Ties> {
    let entry = table.entry("ties")?;
    read_ties(&entry.node, vocabulary)
        .map_err(|problem| table.report(problem))
        .ok()
}

fn read_ties(node: &Node, vocabulary: &Vocabulary) -> Result<Ties, Diagnostic> {
    const KEY: &str = "ties";
    let list = reader::list(node, KEY).map_err(|problem| problem.help(vocabulary.example()))?;
    if list.is_empty() {
        let problem = Diagnostic::error(node.span, format!("`{KEY}` is empty"), "expected words");
        return Err(problem.help(vocabulary.example()));
    }
    let words: Result<Vec<&str>, Diagnostic> =
        list.iter().map(|node| reader::text(node, KEY)).collect();
    vocabulary.read(&words?).map_err(|wrong| {
        let span = list[wrong.at].span;
        Diagnostic::error(span, wrong.title, wrong.label).maybe_help(wrong.help)
    })
}
