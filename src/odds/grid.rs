//! The figures of a check over the values of one or two keys, and of several checks.

use super::args::OddsArgs;
use super::check::keep_common;
use super::question::Question;
use super::{refuse, rolled, wrong};
use crate::dice::{Distribution, Weight};
use crate::report::{Block, Fact, Grid, Report, Table, Value, chance};
use crate::scenario::sweep::{Axis, combinations};
use crate::task::Failure;

/// The greatest number of cells.
const MOST_CELLS: usize = 2000;

/// Answers a question at all values of its keys.
pub(super) fn answer(
    args: &OddsArgs,
    question: &Question,
    axes: &[Axis],
) -> Result<Report, Failure> {
    let lengths: Vec<usize> = axes.iter().map(|axis| axis.values().len()).collect();
    let cells = lengths.iter().product::<usize>();
    if axes.len() > 2 || cells > MOST_CELLS {
        return refuse(format!(
            "{} keys vary, with {cells} cells: a table has at most two keys and {MOST_CELLS} cells",
            axes.len()
        ));
    }
    let mut names = Vec::new();
    let mut rows = Vec::new();
    let mut report = Report::new(question.title.clone(), Vec::new());
    for at in combinations(lengths) {
        let values: Vec<(String, _)> = axes
            .iter()
            .zip(at)
            .filter_map(|(axis, at)| Some((axis.key(), axis.values().nth(at)?.clone())))
            .collect();
        let question = question.with(&values)?;
        let roll = question.roll()?;
        let figures = match &args.check.rolled[..] {
            [] => question.figures(&roll, cells)?,
            faces => rolled::figures(&question, &roll, faces)?,
        };
        report.rules = roll.about.into_iter().collect();
        names.push(values.iter().map(|(_, value)| value.plain()).collect());
        rows.push(figures);
    }
    let keys: Vec<String> = axes.iter().map(Axis::key).collect();
    tables(&mut report, &keys, &names, rows, args.check.show.as_deref())?;
    Ok(report)
}

/// Adds the rows, each with the values of its keys and its figures: as a grid of the figure `show` over two keys, or as
/// a table of all of them.
fn tables(
    report: &mut Report,
    keys: &[String],
    names: &[Vec<String>],
    mut rows: Vec<Vec<Fact>>,
    show: Option<&str>,
) -> Result<(), Failure> {
    keep_common(&mut rows);
    let rows = &rows[..];
    let figures = rows.first().map_or(&[][..], Vec::as_slice);
    if figures.is_empty() {
        return refuse("these rolls have no figure in common");
    }
    let shown = figure(rows, show)?;
    let heads = keys.iter().map(|key| (key.as_str(), key.as_str()));
    let columns = |label: fn(&Fact) -> &str| {
        let figures = figures.iter().map(move |fact| (fact.key, label(fact)));
        heads.clone().chain(figures).collect::<Vec<_>>()
    };
    let cells = |keys: &[String], figures: &[Fact]| {
        let keys = keys
            .iter()
            .map(|key| key.parse().map_or_else(|_| Value::text(key), Value::Whole));
        keys.chain(figures.iter().map(|fact| fact.value.clone()))
            .collect()
    };
    let all = names
        .iter()
        .zip(rows)
        .map(|(names, figures)| cells(names, figures));
    report.rows = Table::new("cells", "", &columns(|fact| fact.key));
    report.rows.rows = all.collect();
    if let [down, across] = keys {
        let mut row_heads: Vec<String> = names.iter().map(|names| names[0].clone()).collect();
        row_heads.dedup();
        let width = names.len() / row_heads.len().max(1);
        let column_heads = names[..width]
            .iter()
            .map(|names| names[1].clone())
            .collect();
        let values: Vec<Value> = rows.iter().map(|row| row[shown].value.clone()).collect();
        report.blocks.push(Block::Grid(Grid {
            title: grid_title(&figures[shown]),
            row_label: down.clone(),
            column_label: across.clone(),
            row_heads,
            column_heads,
            cells: values.chunks(width).map(<[Value]>::to_vec).collect(),
        }));
        return Ok(());
    }
    let mut table = Table::new("cells", "Outcomes", &columns(|fact| &fact.label));
    table.rows.clone_from(&report.rows.rows);
    let mut kept = keys.len() + shown;
    if show.is_some() {
        table.retain_columns(|at| at < keys.len() || at == kept);
        kept = keys.len();
    }
    let is_chance = matches!(figures[shown].value, Value::Chance(_));
    table.bars = is_chance.then_some(kept);
    report.blocks.push(Block::Table(table));
    Ok(())
}

/// Returns the index of the figure to show: the requested one, or the chance of success, or the mean number of rolls of
/// tasks that are all done some time.
fn figure(rows: &[Vec<Fact>], show: Option<&str>) -> Result<usize, Failure> {
    let figures = rows.first().map_or(&[][..], Vec::as_slice);
    let called = |name: &str| {
        let has = |fact: &Fact| fact.key == name || fact.key.split('_').any(|part| part == name);
        figures.iter().position(has)
    };
    let Some(show) = show else {
        let is_sure = |row: &Vec<Fact>| {
            row.iter()
                .any(|fact| fact.key == "p_done" && fact.value.number() >= 1.0)
        };
        let default = if rows.iter().all(is_sure) {
            "rolls"
        } else {
            "done"
        };
        return Ok(called(default).or_else(|| called("success")).unwrap_or(0));
    };
    let found = called(show).or_else(|| called("done").filter(|_| show == "success"));
    found.ok_or_else(|| {
        let known: Vec<&str> = figures.iter().map(|fact| fact.key).collect();
        wrong(format!(
            "--show {show}: the figures are {}",
            known.join(", ")
        ))
    })
}

fn grid_title(fact: &Fact) -> String {
    let mut label = fact.label.clone();
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    match fact.value {
        Value::Chance(_) => format!("{label}, in per cent"),
        _ => label,
    }
}

/// Answers a question about several checks, as of the parts of a divided pool (MA-3).
pub(super) fn several(args: &OddsArgs) -> Result<Report, Failure> {
    let mut rows = Vec::new();
    let mut counts = [Distribution::certain(0), Distribution::certain(0)];
    for word in &args.words {
        let args = OddsArgs {
            words: vec![word.clone()],
            ..args.clone()
        };
        let (question, axes) = Question::read(&args)?;
        if !axes.is_empty() || !args.check.rolled.is_empty() {
            return refuse("--vary and --rolled are for one check");
        }
        let roll = question.roll()?;
        let chances = roll.chances(args.words.len())?;
        let parts = [
            chances.totals(|attempt| attempt.works),
            chances.totals(|attempt| attempt.botch),
        ];
        for (count, part) in counts.iter_mut().zip(parts) {
            let has = part.mass();
            *count = count.plus(&Distribution::collect(&[(0, Weight::ONE - has), (1, has)]));
        }
        rows.push(chances.figures(&roll));
    }
    let title = args.words.join(" and ");
    let mut report = Report::new(title, Vec::new());
    let [hits, botches] = counts;
    report.facts(vec![
        chance("p_any", "at least one succeeds", hits.at_least(1)),
        chance(
            "p_all",
            "all succeed",
            hits.at_least(args.words.len() as i64),
        ),
        chance("p_any_botch", "at least one botches", botches.at_least(1)),
    ]);
    let names: Vec<Vec<String>> = args.words.iter().map(|word| vec![word.clone()]).collect();
    let keys = ["check".to_owned()];
    tables(&mut report, &keys, &names, rows, args.check.show.as_deref())?;
    Ok(report)
}
