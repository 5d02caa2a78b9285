//! `skirmish explain`: what can be written in a scenario, and what is measured, from the lists
//! that the program itself works with.

use super::{Console, Exit, Failure};
use crate::fight::Cost;
use crate::policy::actions::{ACTIONS, TARGETS};
use crate::policy::variables::{Kind, VARIABLES};
use crate::tally::metrics;
use clap::{Args, ValueEnum};
use std::fmt::Write;

/// Arguments of `skirmish explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// What to explain
    #[arg(value_enum)]
    pub topic: Topic,
}

/// What can be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Topic {
    /// Lines of a policy: actions and the variables of conditions
    Policy,
    /// Tara-Corax: costs, and every ruling with its default
    TaraCorax,
    /// What is measured
    Metrics,
}

/// Runs the subcommand.
///
/// # Errors
/// If standard output cannot be written.
pub fn run(args: &ExplainArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let text = match args.topic {
        Topic::Policy => policy(),
        Topic::TaraCorax => tara_corax(),
        Topic::Metrics => metrics_page(),
    };
    console
        .result(|out| out.write_all(text.as_bytes()))
        .map_err(Failure::io)?;
    Ok(Exit::Done)
}

fn policy() -> String {
    let mut page = Page::new(
        "A policy is a list of lines `ACTION [ARGUMENTS] [if CONDITION]`. When a combatant is free \
         to decide, the first line whose condition holds and whose action is legal and affordable \
         is taken.",
    );
    page.table(
        ["action", "cost", "legal when"],
        ACTIONS
            .iter()
            .map(|action| [action.syntax, action.cost, action.legal].map(str::to_owned)),
    );
    page.text(
        "TARGET is one of these words or a combatant's name; the name of a combatant with a \
         `count` means the nearest of them. N, D and K are whole numbers.",
    );
    page.table(
        ["target", "who"],
        TARGETS
            .iter()
            .map(|(name, meaning)| [name, meaning].map(|&text| text.to_owned())),
    );
    page.text(
        "A condition is made of variables, whole numbers, + - *, comparisons < <= = != >= >, \
         and, or, not, parentheses, true and false. In a line with a target, `distance` and \
         `target.*` speak of the target that the line would take; in a line without one, of the \
         nearest enemy.",
    );
    page.table(
        ["variable", "type", "meaning"],
        VARIABLES
            .iter()
            .map(|variable| {
                let kind = match variable.kind {
                    Kind::Number(unit) => unit,
                    Kind::Boolean => "boolean",
                };
                [variable.name, kind, variable.meaning].map(str::to_owned)
            })
            .chain([
                ["uses.ITEM", "uses", "left of an item"].map(str::to_owned),
                ["in_hand.WEAPON", "boolean", "the weapon is drawn"].map(str::to_owned),
            ]),
    );
    page.text
}

/// Every option of `[rules]`: key, values, default and what it rules.
pub const RULINGS: [[&str; 4]; 16] = [
    [
        "round",
        "full, simple",
        "full",
        "everything at its own Mark, or all actions at once in order of Score (TC-7, TC-21)",
    ],
    [
        "initiative.mode",
        "rolled, fixed",
        "rolled",
        "whether the Score has a die in it (TC-3)",
    ],
    [
        "initiative.explode",
        "once, recursive, none",
        "once",
        "whether a 10 on the initiative die is rolled again (TC-3)",
    ],
    [
        "initiative.delay_marks",
        "halved, kept",
        "halved",
        "whether a delay halves the Marks to spend as well (TC-4)",
    ],
    [
        "attack_actions",
        "1 to 30, any",
        "1",
        "attack actions a Round (TC-8)",
    ],
    [
        "attack_offsets",
        "table",
        "even spacing",
        "Marks after the first at which each of n attacks comes (TC-8)",
    ],
    [
        "hit",
        "meet, beat",
        "meet",
        "whether a roll equal to Evade hits (TC-22)",
    ],
    [
        "melee_unsets",
        "boolean",
        "true",
        "whether a melee attack un-sets a shooter (TC-10)",
    ],
    [
        "mover_shot",
        "round, always",
        "round",
        "whether a move spoils the next ranged attack in the same Round only, or whenever it comes (TC-11)",
    ],
    [
        "fizzle_chance",
        "0 to 1",
        "1",
        "chance that a hit which does damage fizzles a spell (TC-13)",
    ],
    [
        "channel_damage_breaks",
        "boolean",
        "false",
        "whether damage breaks a Channel (TC-15)",
    ],
    ["car_per_round", "0 to 30", "1", "CAR moves a Round (TC-16)"],
    [
        "car_counts_as_move",
        "boolean",
        "false",
        "whether CAR Units count against Land Speed (TC-16)",
    ],
    [
        "charges_per_round",
        "0 to 30",
        "1",
        "charges a Round (TC-17)",
    ],
    [
        "counters_per_round",
        "0 to 30",
        "1",
        "counters a Round (TC-18)",
    ],
    ["wait", "boolean", "true", "whether one may wait (TC-23)"],
];

fn tara_corax() -> String {
    let mut page = Page::new(
        "Tara-Corax counts each Round down from Mark 30. The Initiative Score is the Mark at which \
         a combatant first acts and the Marks it can spend. Moving costs 1 Mark a Unit; actions \
         cost by category:",
    );
    page.table(
        ["category", "Marks", "such as"],
        [
            ("free", Cost::Free, "a CAR move, a reaction"),
            ("quarter", Cost::Quarter, "set, draw, stand, charge"),
            ("half", Cost::Half, "drinking a potion"),
            (
                "full",
                Cost::Full,
                "an attack action, casting; always allowed as the first action of a Round",
            ),
        ]
        .map(|(name, cost, example)| {
            [
                name.to_owned(),
                cost.marks().to_string(),
                example.to_owned(),
            ]
        }),
    );
    page.text("Rulings, each a key of [rules]:");
    page.table(
        ["key", "values", "default", "meaning"],
        RULINGS.map(|ruling| ruling.map(str::to_owned)),
    );
    page.text
}

fn metrics_page() -> String {
    let mut page = Page::new(
        "What is measured. Rates and counts have a row in summary.csv for each subject: the \
         encounter as a whole, each side, or each combatant. Counts, categories and curves have \
         their values in distributions.csv.",
    );
    page.table(
        ["metric", "subject", "kind", "unit", "meaning"],
        metrics::all().map(|metric| {
            [
                metric.name,
                metric.scope.name(),
                metric.kind.name(),
                metric.unit,
                metric.meaning,
            ]
            .map(str::to_owned)
        }),
    );
    page.text
}

/// A page of text for the terminal.
struct Page {
    text: String,
}

/// Columns of a page.
const WIDTH: usize = 100;

impl Page {
    fn new(introduction: &str) -> Self {
        let mut page = Self {
            text: String::new(),
        };
        page.paragraph(introduction);
        page
    }

    /// A paragraph, set apart from what comes before.
    fn text(&mut self, paragraph: &str) {
        self.text.push('\n');
        self.paragraph(paragraph);
    }

    fn paragraph(&mut self, paragraph: &str) {
        for line in wrapped(paragraph, WIDTH) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    /// A table whose last column is wrapped.
    fn table<const N: usize>(
        &mut self,
        titles: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) {
        let rows: Vec<[String; N]> = std::iter::once(titles.map(str::to_owned))
            .chain(rows)
            .collect();
        let widths: Vec<usize> = (0..N)
            .map(|column| rows.iter().map(|row| row[column].chars().count()).max())
            .map(Option::unwrap_or_default)
            .collect();
        let margin: usize = widths[..N - 1].iter().map(|width| width + 2).sum();
        self.text.push('\n');
        for row in &rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths).take(N - 1) {
                let _ = write!(line, "{cell:<width$}  ");
            }
            for part in wrapped(&row[N - 1], WIDTH.saturating_sub(margin).max(30)) {
                line.push_str(&part);
                self.text.push_str(line.trim_end());
                self.text.push('\n');
                line = " ".repeat(margin);
            }
        }
    }
}

/// Lines no longer than that, broken between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > width {
            lines.push(String::new());
            length = 0;
        }
        if let Some(line) = lines.last_mut() {
            if length > 0 {
                line.push(' ');
                length += 1;
            }
            line.push_str(word);
        }
        length += letters;
    }
    lines
}
