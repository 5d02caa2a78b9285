//! The figures of best play: the cost of each habit of the policy, and the costliest decisions.

use super::chapter::Part;
use super::charts::{Group, Whisker, Whiskers};
use super::figure::{Figure, Table};
use super::palette::{NEUTRAL, side};
use super::sides::FigureStyle;
use crate::output::chart::Unit;
use crate::output::sheet::{Column, Record, columns, distinct};

/// The most bars of a figure.
const MOST: usize = 12;

/// Returns the figures that show where the policy loses, by habit and by single decision.
pub(super) fn figures(part: &Part, style: FigureStyle<'_>) -> Vec<Figure> {
    let prefix = style.prefix;
    let costs = part.facts("cost");
    let situations = part.facts("situation");
    let mut all = Vec::new();
    if !costs.is_empty() {
        // The number of the line is enough here: the table has its text.
        let habit = |written: &str| {
            let number = written.rsplit_once(" (line ");
            let number = number.and_then(|(_, rest)| rest.strip_suffix(')'));
            number.map_or_else(|| written.to_owned(), |number| format!("line {number}"))
        };
        let name = |row: &Record<'_>| {
            format!(
                "{} \u{2192} {}",
                habit(row.text(Column::Written)),
                row.text(Column::Better)
            )
        };
        let titles = [
            "Where does the policy lose?",
            "The line of the policy, the action that is better where it is taken, and the cost of all such decisions of \
             an encounter together.",
        ];
        let texts = columns![Combatant, Written, Better];
        let id = format!("{prefix}best-costs");
        all.push(ranking(&costs, id, titles, &texts, &name));
    }
    if !situations.is_empty() {
        let name = |row: &Record<'_>| row.text(Column::Seen).to_owned();
        let titles = [
            "Which decisions cost most?",
            "Single situations, with the health and the place of all. In the table the bounds are the win rate of the \
             policy from there, and that of the best action.",
        ];
        let texts = columns![Combatant, Round, Moment, Seen, Written, Better];
        let id = format!("{prefix}best-decisions");
        all.push(ranking(&situations, id, titles, &texts, &name));
    }
    all
}

fn ranking(
    rows: &[Record<'_>],
    id: String,
    titles: [&str; 2],
    texts: &[Column],
    name: &dyn Fn(&Record<'_>) -> String,
) -> Figure {
    let bar = |row: &Record<'_>| {
        let value = row.number(Column::Value)?;
        let is_line = row.text(Column::Written).contains(" (line ");
        let series = if is_line { side(0) } else { NEUTRAL };
        let text = format!("{:.2} points", 100.0 * value);
        Some(Whisker::new(name(row), series, (value, None), text))
    };
    let group = |who: &str| {
        let rows = rows.iter().filter(|row| row.is(Column::Combatant, who));
        Group::new(who, rows.take(MOST).filter_map(bar))
    };
    let who = distinct(rows.iter().copied(), Column::Combatant);
    let groups = who.into_iter().map(group).collect();
    let drawn = Whiskers::new(Unit::Share, "cost, in win rate", groups).draw();
    let table = Table::excerpt(rows, texts, &columns![Times, Value, CiLow, CiHigh], &[]);
    let note = "Exact for these rules and against these policies: no interval is needed.";
    Figure::new(id, titles, &drawn, table, note)
}
