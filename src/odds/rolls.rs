//! Dice notation, and the tables of distributions.

use super::answers::brief;
use super::args::OddsArgs;
use super::{parsed, refuse, several};
use crate::dice::{Distribution, Notation};
use crate::report::{Block, Fact, Report, Table, Value, chance, real};
use crate::task::Failure;

/// Text and pages omit values rarer than this; CSV and JSON contain all values.
pub(super) const RARE: f64 = 1e-6;

/// Values of exploding dice rarer than this share a row in text and pages.
const OPEN_END: f64 = 1e-3;

/// The greatest number of rows of a table in text and pages.
pub(super) const MOST_ROWS: usize = 120;

/// Returns the table of a distribution: exactly, at least, at most, one in N.
pub(super) fn table_of(
    distribution: &Distribution,
    key: &'static str,
    title: &str,
    value: &str,
) -> Table {
    let columns = [
        (key, value),
        ("exactly", "exactly"),
        ("at_least", "at least"),
        ("at_most", "at most"),
        ("one_in", "1 in"),
    ];
    let mut table = Table::new(key, title, &columns);
    table.bars = Some(1);
    table.rows = distribution
        .rows()
        .into_iter()
        .map(|row| [&cells(row)[..], &[Value::OneIn(1.0 / row.1[0])]].concat())
        .collect();
    table
}

/// Returns a value and the chances of exactly it, of it or more, and of it or less.
pub(super) fn cells((value, chances): (i64, [f64; 3])) -> [Value; 4] {
    let [exactly, at_least, at_most] = chances.map(Value::Chance);
    [Value::Whole(value), exactly, at_least, at_most]
}

impl Report {
    /// Adds a distribution. Text and pages omit rare values. `names` are the key of the table, its title, and the label of its values.
    pub(super) fn distribution(
        &mut self,
        [key, title, value]: [&'static str; 3],
        exact: &Distribution,
    ) {
        self.table_of_rare(table_of(exact, key, title, value));
    }

    /// Adds the table that is written as CSV, and hides rows that are too rare to be of interest.
    pub(super) fn table_of_rare(&mut self, table: Table) {
        self.main = Some(self.blocks.len());
        self.table(table);
    }

    /// Adds the comparison of two independent rolls. `title` is that of the table of margins.
    pub(super) fn versus(
        &mut self,
        first: &Distribution,
        second: &Distribution,
        title: &'static str,
    ) {
        let [higher, equal, lower] = first.versus(second);
        let margin = first.plus(&second.negated());
        self.facts(vec![
            chance("win", "the first wins", higher),
            chance("tie", "a tie", equal),
            chance("lose", "the second wins", lower),
            real("mean", "mean margin", margin.mean()),
            real("sd", "standard deviation", margin.sd()),
        ]);
        self.distribution(["margin", title, "margin"], &margin);
    }

    /// Adds a table, and hides rows that are too rare to be of interest.
    pub(super) fn table(&mut self, mut table: Table) {
        table.hidden_below = table.hidden_below.max(RARE);
        while table.shown().count() > MOST_ROWS && table.hidden_below < 1e-3 {
            table.hidden_below *= 10.0;
        }
        self.blocks.push(Block::Table(table));
    }
}

pub(super) fn spread_facts(distribution: &Distribution) -> Vec<Fact> {
    vec![
        real("mean", "mean", distribution.mean()),
        real("sd", "standard deviation", distribution.sd()),
    ]
}

/// Answers a question in dice notation: one roll, two compared, or several side by side. `None` if the words are a check.
pub(super) fn notation(args: &OddsArgs) -> Result<Option<Report>, Failure> {
    let text = args.words.join(" ");
    // The words may be pieces of one notation, or several notations.
    let read = Notation::parse_versus(&text);
    if read.is_err() {
        if let Some(rolls) = several::read(&args.words) {
            return several::answer(args, &rolls).map(Some);
        }
        if args
            .words
            .iter()
            .all(|word| word.starts_with('{') || word.ends_with('%'))
        {
            return Ok(None);
        }
    }
    match parsed(&text, read)? {
        (notation, None) => Ok(Some(single(args, &notation))),
        (first, Some(second)) => versus(args, &first, &second).map(Some),
    }
}

fn single(args: &OddsArgs, notation: &Notation) -> Report {
    let distribution = notation.distribution();
    let mut report = Report::new(notation.to_string(), Vec::new());
    let mut facts = Vec::new();
    if let Some(least) = args.at_least {
        let (reached, below) = (distribution.at_least(least), distribution.below(least));
        facts.push(chance("p_at_least", format!("{least} or more"), reached));
        facts.push(chance("p_below", format!("less than {least}"), below));
        let share = brief(&Value::Chance(reached));
        report.answer = format!("{notation} is at least {least}: {share}");
    } else {
        let mean = brief(&Value::Real(distribution.mean()));
        let range = match (least_of(notation), notation.max()) {
            (Some(least), Some(most)) => format!(", from {least} to {most}"),
            (Some(least), None) => format!(", {least} or more"),
            (None, Some(most)) => format!(", {most} or less"),
            (None, None) => String::new(),
        };
        report.answer = format!("{notation} is {mean} on average{range}");
    }
    facts.extend(spread_facts(&distribution));
    let [least, most] = bounds(notation);
    facts.push(Fact::new("min", "least", least));
    facts.push(Fact::new("max", "greatest", most));
    report.facts(facts);
    let mut table = table_of(&distribution, "value", "Values", "value");
    if notation.max().is_none() {
        table.fold_below(OPEN_END);
    }
    report.table_of_rare(table);
    report
}

/// Returns the least and the greatest value, as cells.
pub(super) fn bounds(notation: &Notation) -> [Value; 2] {
    let bounds = [least_of(notation), notation.max()];
    bounds.map(|bound| bound.map_or(Value::text("none"), Value::Whole))
}

/// Returns the least value, if there is one.
fn least_of(notation: &Notation) -> Option<i64> {
    Some(notation.min()).filter(|&least| least > i64::MIN)
}

fn versus(args: &OddsArgs, first: &Notation, second: &Notation) -> Result<Report, Failure> {
    if args.at_least.is_some() {
        return refuse("--at-least is for one roll, not for a comparison");
    }
    let mut report = Report::new(format!("{first} vs {second}"), Vec::new());
    let rolls = [first, second].map(Notation::distribution);
    report.versus(&rolls[0], &rolls[1], "The first less the second");
    Ok(report)
}
