//! Dice scripts (`skirmish trace --dice`): TOML with the faces to roll, for each combatant and purpose.
//!
//! ```toml
//! rogue.initiative = [9, 7, 8, 6]
//! rogue.check = [10, 3, 1, 1]
//! mage.other = [10, true]
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use crate::chance::Purpose;
use crate::chance::script::{Answer, Fault, Script, Unanswered};
use crate::document::diagnostics::{Diagnostic, Diagnostics};
use crate::document::node::{Entry, Node, Value};
use crate::document::reader;
use crate::document::source::{Sources, Span};
use crate::document::{read_text, read_tree};
use crate::fight::Fight;
use crate::names;

/// The name of such a file in messages.
const KIND: &str = "dice script";

/// The greatest number of sides of a die.
const MOST_SIDES: i64 = u32::MAX as i64;

/// A list of faces, with its place.
#[derive(Debug, Clone)]
struct List {
    key: Span,
    span: Span,
    answers: Vec<(Answer, Span)>,
}

/// A dice script for a fight.
#[derive(Debug, Clone)]
pub struct DiceScript {
    sources: Sources,
    lists: BTreeMap<(usize, Purpose), List>,
}

impl DiceScript {
    /// Reads scripts for a fight. Each is the path of a file or, if it has a `=` and is not a file, the text itself.
    ///
    /// # Errors
    /// All errors in the scripts, at once.
    pub fn load(scripts: &[String], fight: &Fight) -> Result<Self, Diagnostics> {
        let mut script = Self {
            sources: Sources::default(),
            lists: BTreeMap::new(),
        };
        let mut problems = Vec::new();
        for argument in scripts {
            match script.read(argument) {
                Ok(root) => script.understand(&root, fight, &mut problems),
                Err(errors) => problems.extend(errors),
            }
        }
        if problems.is_empty() {
            return Ok(script);
        }
        Err(Diagnostics::of(script.sources, problems))
    }

    fn read(&mut self, argument: &str) -> Result<Node, Vec<Diagnostic>> {
        let path = Path::new(argument);
        if argument.contains('=') && !path.exists() {
            return read_tree(KIND, "--dice", argument, &mut self.sources);
        }
        let text = read_text(KIND, path, &mut self.sources).map_err(|problem| vec![problem])?;
        read_tree(KIND, argument, &text, &mut self.sources)
    }

    /// Adds the lists of a tree.
    fn understand(&mut self, root: &Node, fight: &Fight, problems: &mut Vec<Diagnostic>) {
        let combatants = || fight.combatants.iter().map(|one| one.name.as_str());
        let purposes = || Purpose::DECISIVE.into_iter().map(Purpose::name);
        for entry in root.table().map_or(&[][..], |table| &table.entries) {
            let Some(who) = combatants().position(|name| name == &*entry.key) else {
                problems.push(unknown("combatant", entry, combatants()));
                continue;
            };
            let Some(table) = entry.node.table() else {
                problems.push(reader::wrong_kind(
                    &entry.node,
                    &entry.key,
                    &format!("a list for a purpose, as in `{}.check = [3, 5]`", entry.key),
                ));
                continue;
            };
            for entry in &table.entries {
                let purpose = Purpose::DECISIVE
                    .into_iter()
                    .find(|purpose| purpose.name() == &*entry.key);
                let Some(purpose) = purpose else {
                    problems.push(unknown("purpose", entry, purposes()));
                    continue;
                };
                let Some(answers) = answers(entry, problems) else {
                    continue;
                };
                let list = List {
                    key: entry.span,
                    span: entry.node.span,
                    answers,
                };
                if let Some(other) = self.lists.insert((who, purpose), list) {
                    let name = name(fight, who, purpose);
                    let problem = Diagnostic::error(
                        entry.span,
                        format!("`{name}` is given twice"),
                        "here again",
                    );
                    problems.push(problem.context(other.key, "first given here"));
                }
            }
        }
    }

    /// Returns the answers without their places.
    pub fn script(&self) -> Script {
        let mut script = Script::default();
        for ((who, purpose), list) in &self.lists {
            let answers = list.answers.iter().map(|(answer, _)| *answer);
            script.extend(*who, *purpose, answers);
        }
        script
    }

    /// Returns the error for a question that the script cannot answer. `when` says when it is asked.
    pub fn unanswered(&self, unanswered: &Unanswered, fight: &Fight, when: &str) -> Diagnostics {
        let Unanswered {
            who,
            purpose,
            index,
            sides,
            fault,
        } = *unanswered;
        let key = name(fight, who, purpose);
        let asks = match sides {
            Some(sides) => format!("rolls a d{sides}"),
            None => "needs true or false".to_owned(),
        };
        let asks = format!("{} {asks}", fight.combatants[who].name);
        let list = self.lists.get(&(who, purpose));
        let problem = match (fault, list) {
            (Fault::Unfit(answer), Some(list)) => {
                let written = match answer {
                    Answer::Face(face) => face.to_string(),
                    Answer::Happens(happens) => happens.to_string(),
                };
                let title = match sides {
                    Some(sides) => format!("a d{sides} does not show {written}"),
                    None => format!("{written} is a face, not true or false"),
                };
                let span = list.answers.get(index).map_or(list.span, |(_, span)| *span);
                let help = match sides {
                    Some(100) => "faces of a d100 are 1 to 100; 00 may be written 0".to_owned(),
                    Some(sides) => format!("its faces are 1 to {sides}"),
                    None => "write true if it happens, false if it does not".to_owned(),
                };
                Diagnostic::error(span, title, format!("{when}: {asks} (`{key}`)")).help(help)
            }
            (_, Some(list)) => {
                let answers = list.answers.len();
                let has = match answers {
                    0 => "no dice here".to_owned(),
                    1 => "one die here".to_owned(),
                    dice => format!("{dice} dice here"),
                };
                let title = format!("`{key}` has too few dice: {when}, {asks}");
                Diagnostic::error(list.span, title, has)
                    .help(format!("add number {} to the list", answers + 1))
            }
            (_, None) => {
                let title = format!("the {KIND} lacks `{key}`: {when}, {asks}");
                Diagnostic::general(title).help(format!(
                    "add `{key} = [...]`; without --dice-only such dice come from the seed"
                ))
            }
        };
        Diagnostics::of(self.sources.clone(), [problem])
    }

    /// Returns the error for answers that are left over when the encounter ends; `None` if there are none. `when` says
    /// when it ends.
    pub fn left_over(&self, played: &Script, fight: &Fight, when: &str) -> Option<Diagnostics> {
        let mut diagnostics = Diagnostics::new(self.sources.clone());
        for (who, purpose, used, left) in played.left_over() {
            let Some(list) = self.lists.get(&(who, purpose)) else {
                continue;
            };
            let (first, last) = (list.answers[used].1, list.answers[used + left - 1].1);
            let span = Span::new(first.source(), first.bytes().start..last.bytes().end);
            let key = name(fight, who, purpose);
            let dice = if left == 1 {
                format!("one die of `{key}` is not rolled")
            } else {
                format!("{left} dice of `{key}` are not rolled")
            };
            let name = &fight.combatants[who].name;
            diagnostics.push(
                Diagnostic::error(
                    span,
                    format!("{dice}: the encounter ends in {when}"),
                    format!("{name} rolls {used} of {}", used + left),
                )
                .help("take them out: the trace without them shows which rolls are made"),
            );
        }
        (!diagnostics.is_empty()).then_some(diagnostics)
    }
}

/// Returns the key of a list, as it is written.
fn name(fight: &Fight, who: usize, purpose: Purpose) -> String {
    let name = &fight.combatants[who].name;
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.chars().all(is_bare) {
        format!("{name}.{}", purpose.name())
    } else {
        format!("\"{name}\".{}", purpose.name())
    }
}

fn unknown<'a>(
    what: &str,
    entry: &Entry,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    let label = names::suggest(&entry.key, known.clone(), '`')
        .unwrap_or_else(|| format!("there is {}", names::list(known, "and")));
    Diagnostic::error(
        entry.span,
        format!("no {what} is called `{}`", reader::shown(&entry.key)),
        label,
    )
}

/// Returns the answers of a list, with their places.
fn answers(entry: &Entry, problems: &mut Vec<Diagnostic>) -> Option<Vec<(Answer, Span)>> {
    let list = reader::ok_or_report(reader::list(&entry.node, &entry.key), problems)?;
    let answer = |node: &Node| match node.value {
        Value::Boolean(happens) => Ok(Answer::Happens(happens)),
        Value::Integer(Some(face)) if (0..=MOST_SIDES).contains(&face) => {
            Ok(Answer::Face(face as u32))
        }
        Value::Integer(_) => Err(Diagnostic::error(
            node.span,
            format!("no die shows {}", node.value),
            "expected 1 or more, or 0 for the 00 of a d100",
        )),
        _ => Err(reader::wrong_kind(
            node,
            &entry.key,
            "a face, or `true` or `false` for a chance",
        )),
    };
    let read = list.iter();
    let read =
        read.filter_map(|node| Some((reader::ok_or_report(answer(node), problems)?, node.span)));
    Some(read.collect())
}
