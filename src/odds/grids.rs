//! Grids of single or extended rolls over two of: pool (or Arete), difficulty (or Sphere), successes required.

use std::ops::RangeInclusive;

use super::args::{MagickArgs, OddsArgs, Show};
use super::range::range;
use super::rule::{self, Rule};
use super::{OddsError, refuse};
use super::{pools, tasks};
use crate::dice::extended::{Extended, Gathering, Options};
use crate::dice::magick::{Effect, MAX_RATING, MagickError, Manner};
use crate::dice::pool::{Growth, Storyteller};
use crate::report::{Block, Grid, Report, Table, Value};

/// The greatest number of multiplications for a grid: about two seconds.
const MAX_STEPS: f64 = 2e8;

/// The greatest number of cells of a grid.
const MAX_CELLS: i64 = 10_000;

/// A number that a grid varies.
#[derive(Clone)]
pub(super) struct Axis {
    pub(super) label: &'static str,
    pub(super) values: RangeInclusive<i64>,
}

impl Axis {
    pub(super) const fn new(label: &'static str, values: RangeInclusive<i64>) -> Self {
        Self { label, values }
    }
    const fn is_range(&self) -> bool {
        *self.values.start() < *self.values.end()
    }

    const fn length(&self) -> i64 {
        *self.values.end() - *self.values.start() + 1
    }

    pub(super) fn spelled(&self) -> String {
        let (first, last) = (self.values.start(), self.values.end());
        if self.is_range() {
            format!("{} {first} to {last}", self.label)
        } else {
            format!("{} {first}", self.label)
        }
    }
}

/// Returns a grid of one measure over two axes.
pub(super) fn block(title: String, [down, across]: [&Axis; 2], cells: Vec<Vec<Value>>) -> Block {
    Block::Grid(Grid {
        title,
        row_label: down.label,
        column_label: across.label,
        row_heads: down.values.clone().collect(),
        column_heads: across.values.clone().collect(),
        cells,
    })
}

/// Refuses a grid that takes too long.
pub(super) fn affordable(steps: f64, advice: &str) -> Result<(), OddsError> {
    if steps <= MAX_STEPS {
        return Ok(());
    }
    refuse(format!(
        "this grid would take about {:.0} million steps, the limit is {:.0} million: ask for \
         {advice}",
        steps / 1e6,
        MAX_STEPS / 1e6
    ))
}

/// The content of a cell: a roll, and for magick its Paradox and its ratings.
#[derive(Clone, Copy)]
struct Cell {
    rule: Storyteller,
    gathering: Option<Gathering>,
    rating: Option<(u32, u32)>,
}

/// The description of a grid, without its results.
struct Question<'a> {
    title: String,
    rules: Vec<String>,
    show: Show,
    /// The options of the task, if rolls are extended.
    task: Option<Options>,
    is_magick: bool,
    axes: [Axis; 3],
    cell: &'a dyn Fn(i64, i64, i64) -> Result<Option<Cell>, OddsError>,
}

fn as_axis(values: &RangeInclusive<u32>) -> RangeInclusive<i64> {
    i64::from(*values.start())..=i64::from(*values.end())
}

/// Returns the rule in words, without the required successes, which are on an axis.
fn without_required(rule: &Rule) -> String {
    format!("rule: {}", rule.described(None))
}

/// Returns the measure that the grid shows: the requested one, if it can be shown, or the default.
fn shown(asked: Option<Show>, task: Option<&Options>, is_magick: bool) -> Result<Show, OddsError> {
    let refuse = |message: &str| refuse(format!("--show: {message}"));
    match (asked, task) {
        (Some(Show::Net), _) => refuse("the table of net successes is of one pool, not of a grid"),
        (Some(Show::Paradox), _) if !is_magick => refuse("only magick gathers Paradox"),
        (Some(Show::Rolls | Show::Turns), None) => {
            refuse("only an extended roll has a number of rolls: --ritual")
        }
        (Some(Show::Diminished | Show::Failure | Show::Mean | Show::Sd), Some(_)) => {
            refuse("a grid of extended rolls shows success, botch, rolls, turns or paradox")
        }
        (Some(show), _) => Ok(show),
        // If every task is done sooner or later, the question is how long it takes.
        (None, Some(task)) if task.max_rolls.is_none() && task.on_botch.name() != "ends" => {
            Ok(Show::Rolls)
        }
        (None, _) => Ok(Show::Success),
    }
}

const fn measure(show: Show, is_task: bool) -> &'static str {
    match show {
        Show::Success | Show::Net if is_task => "Chance of being done, in per cent",
        Show::Botch if is_task => "Chance of a botch before it is done, in per cent",
        Show::Success | Show::Net => "Chance of success, in per cent",
        Show::Diminished => "Chance of a diminished effect, in per cent",
        Show::Failure => "Chance of failure, in per cent",
        Show::Botch => "Chance of a botch, in per cent",
        Show::Mean => "Mean net successes",
        Show::Sd => "Standard deviation of net successes",
        Show::Rolls => "Mean rolls until it is over",
        Show::Turns => "Mean turns of work until it is over",
        Show::Paradox => "Mean Paradox",
    }
}

/// Answers a grid of pools with extended rolls or over the required successes.
pub(super) fn pools(
    args: &OddsArgs,
    rule: &Rule,
    pools: &RangeInclusive<i64>,
    difficulties: &RangeInclusive<i64>,
    required: &RangeInclusive<u32>,
) -> Result<Report, OddsError> {
    let Rule::Storyteller(options) = *rule else {
        return refuse("a grid over --required, or with --ritual, is for Storyteller pools");
    };
    let task = tasks::asked(&args.task, &args.pool.options)?;
    let rule = Rule::Storyteller(Storyteller {
        willpower: options.willpower && task.is_none(),
        ..options
    });
    let axes = [
        Axis::new("pool", pools.clone()),
        Axis::new("difficulty", difficulties.clone()),
        Axis::new("required", as_axis(required)),
    ];
    let cell = |pool, difficulty, required: i64| {
        let sized = rule.requiring(required as u32).sized(pool, difficulty)?;
        let Rule::Storyteller(rule) = sized else {
            return Ok(None);
        };
        Ok(Some(Cell {
            rule,
            gathering: None,
            rating: None,
        }))
    };
    let show = shown(args.pool.show, task.as_ref(), false)?;
    answer(&Question {
        title: String::new(),
        rules: vec![without_required(&rule)],
        show,
        task,
        is_magick: false,
        axes,
        cell: &cell,
    })
}

/// Answers a grid of magickal effects.
pub(super) fn magick(args: &MagickArgs, manner: Manner) -> Result<Report, OddsError> {
    let required = rule::required(&args.options)?;
    let ratings = |option: &str, text: &str| {
        let values = range(option, text)?;
        let bounds = 1..=i64::from(MAX_RATING);
        if !bounds.contains(values.start()) || !bounds.contains(values.end()) {
            return refuse(format!(
                "{option} {text}: ratings lie from 1 to {MAX_RATING}"
            ));
        }
        Ok(values)
    };
    let axes = [
        Axis::new("Arete", ratings("--arete", &args.arete)?),
        Axis::new("Sphere", ratings("--sphere", &args.sphere)?),
        Axis::new("required", as_axis(&required)),
    ];
    let task = tasks::asked(&args.task, &args.options)?;
    let options = Storyteller {
        willpower: args.options.willpower && task.is_none(),
        ..rule::storyteller(&args.options)
    };
    let once = args.paradox == "once";
    let cell = |arete: i64, sphere: i64, required: i64| {
        let (arete, sphere) = (arete as u32, sphere as u32);
        let effect = match Effect::new(arete, sphere, manner, args.dice) {
            Ok(effect) => effect,
            // This cell of the grid stays empty.
            Err(MagickError::SphereAboveArete { .. } | MagickError::Dice { .. }) => {
                return Ok(None);
            }
            Err(error) => return refuse(error),
        };
        let pool = effect.pool();
        Ok(Some(Cell {
            rule: Storyteller {
                pool: pool.pool,
                difficulty: pool.difficulty,
                required: required as u32,
                ..options
            },
            gathering: Some(effect.gathering(once)),
            rating: Some((arete, sphere)),
        }))
    };
    let show = shown(args.show, task.as_ref(), true)?;
    let manner = tasks::manner_words(manner);
    answer(&Question {
        title: format!("{manner} magick, "),
        rules: vec![without_required(&Rule::Storyteller(options))],
        show,
        task,
        is_magick: true,
        axes,
        cell: &cell,
    })
}

fn answer(question: &Question<'_>) -> Result<Report, OddsError> {
    let [first, second, third] = &question.axes;
    let over: Vec<usize> = (0..3).filter(|&at| question.axes[at].is_range()).collect();
    // A single range is paired with the required successes, or else with the difficulty.
    let (rows, columns) = match over[..] {
        [rows, columns] => (rows, columns),
        [2] => (0, 2),
        [rows] => (rows, if rows == 0 { 1 } else { 2 }),
        [] => (0, 1),
        _ => {
            return refuse(format!(
                "a grid goes over two numbers: give one number for {}, {} or {}",
                first.label, second.label, third.label
            ));
        }
    };
    let [down, across] = [rows, columns].map(|at| &question.axes[at]);
    if down.length().saturating_mul(across.length()) > MAX_CELLS {
        return refuse(format!(
            "a grid of {} by {} cells: the limit is {MAX_CELLS} cells",
            down.length(),
            across.length()
        ));
    }
    let place = |row: i64, column: i64| {
        let mut at = question.axes.each_ref().map(|axis| *axis.values.start());
        (at[rows], at[columns]) = (row, column);
        at
    };
    // All cells are checked, and their work is estimated, before any is computed.
    let mut cells: Vec<Vec<Option<Cell>>> = Vec::new();
    let mut work = 0.0;
    for row in down.values.clone() {
        let mut line = Vec::new();
        for column in across.values.clone() {
            let [a, b, c] = place(row, column);
            let cell = (question.cell)(a, b, c)?;
            if let Some(cell) = cell {
                work += cell_work(&cell, question.task)?;
            }
            line.push(cell);
        }
        cells.push(line);
    }
    affordable(work, "smaller pools, fewer successes or fewer cells")?;
    if cells.iter().flatten().all(Option::is_none) {
        return refuse("no Sphere can be used above Arete: this grid has no cell");
    }
    report(question, (rows, columns), &cells)
}

fn report(
    question: &Question<'_>,
    (rows, columns): (usize, usize),
    cells: &[Vec<Option<Cell>>],
) -> Result<Report, OddsError> {
    let axes = [rows, columns].map(|at| &question.axes[at]);
    let measures = measures(question);
    let known = |show: Show| measures.iter().position(|(_, one)| *one == show);
    // If a roll takes one turn, turns are not listed beside rolls.
    let at = known(question.show)
        .or_else(|| known(Show::Rolls))
        .unwrap_or(0);
    let leading = if question.is_magick {
        &["arete", "sphere"][..]
    } else {
        &[]
    };
    let task_columns = if question.task.is_some() {
        &["on_botch", "max_rolls"][..]
    } else {
        &[]
    };
    let keys = [leading, &rule::COLUMNS, task_columns].concat();
    let keys = keys.into_iter().chain(measures.iter().map(|(key, _)| *key));
    let mut table = Table::of_keys("cells", keys);
    let mut shown: Vec<Vec<Value>> = Vec::new();
    for line in cells {
        let mut values = Vec::new();
        for cell in line {
            let Some(cell) = cell else {
                values.push(Value::text("-"));
                continue;
            };
            let figures = figures(cell, question.task)?;
            values.push(figures[at].clone());
            table.rows.push(row(cell, question.task, figures));
        }
        shown.push(values);
    }
    let spelled: Vec<String> = question.axes.iter().map(Axis::spelled).collect();
    let title = format!("{}{}", question.title, spelled.join(", "));
    let mut report = Report::new(title, question.rules.clone());
    report.rows = table;
    report.rules.extend(question.task.map(tasks::describe));
    let measure = measure(question.show, question.task.is_some());
    report.blocks.push(block(measure.to_owned(), axes, shown));
    Ok(report)
}

fn extended(cell: &Cell, task: Options) -> Result<Extended, OddsError> {
    let options = Options {
        paradox: cell.gathering,
        ..task
    };
    Extended::new(&cell.rule, options).map_err(OddsError::input)
}

/// Returns the approximate number of multiplications for a cell.
fn cell_work(cell: &Cell, task: Option<Options>) -> Result<f64, OddsError> {
    let dice = f64::from(cell.rule.pool);
    let values = 300.0 + (65.0 * dice.sqrt()).min(2.0 * dice);
    let joint = if cell.rule.is_joint() {
        2.0 * dice.powi(3)
    } else {
        0.0
    };
    let stepwise = stepwise_work(&Rule::Storyteller(cell.rule), dice);
    let roll = values * values * 2.0 + joint + stepwise;
    match task {
        Some(task) => Ok(roll + extended(cell, task)?.summary_work()),
        None => cell.rule.compile().map(|_| roll).map_err(OddsError::input),
    }
}

/// Returns the columns of a cell, each with its value of `--show`.
fn measures(question: &Question<'_>) -> Vec<(&'static str, Show)> {
    let mut measures = match question.task {
        None => pools::MEASURES.map(|(key, _, show)| (key, show)).to_vec(),
        Some(task) => {
            let mut measures = vec![
                ("p_done", Show::Success),
                ("p_botch_first", Show::Botch),
                ("mean_rolls", Show::Rolls),
            ];
            measures.extend((task.turns_per_roll > 1).then_some(("mean_turns", Show::Turns)));
            measures
        }
    };
    measures.extend(
        question
            .is_magick
            .then_some(("mean_paradox", Show::Paradox)),
    );
    measures
}

/// Returns the values of a cell, in the order of [`measures`].
fn figures(cell: &Cell, task: Option<Options>) -> Result<Vec<Value>, OddsError> {
    let (mut values, paradox) = if let Some(task) = task {
        let summary = extended(cell, task)?.summary().map_err(OddsError::input)?;
        let mut values = vec![
            Value::Chance(summary.success),
            Value::Chance(summary.botch_first),
            Value::Real(summary.mean_rolls),
        ];
        let turns = f64::from(task.turns_per_roll);
        values.extend((turns > 1.0).then_some(Value::Real(summary.mean_rolls * turns)));
        (values, summary.mean_paradox)
    } else {
        let odds = cell.rule.compile().map_err(OddsError::input)?.odds();
        let paradox = cell.gathering.map(|gathering| match gathering.each {
            0 => odds.botch(),
            each => f64::from(each),
        });
        (pools::figures(&odds).to_vec(), paradox)
    };
    values.extend(paradox.map(Value::Real));
    Ok(values)
}

fn row(cell: &Cell, task: Option<Options>, figures: Vec<Value>) -> Vec<Value> {
    let whole = |number: u32| Value::Whole(number.into());
    let mut values = Vec::new();
    if let Some((arete, sphere)) = cell.rating {
        values.extend([arete, sphere].map(whole));
    }
    values.extend(Rule::Storyteller(cell.rule).cells());
    if let Some(task) = task {
        if let Some(willpower) = values.last_mut() {
            *willpower = Value::Flag(task.willpower > 0);
        }
        values.push(Value::text(task.on_botch.name()));
        values.push(task.max_rolls.map_or(Value::text(""), whole));
    }
    values.extend(figures);
    values
}

/// Answers a grid of single rolls over pools and difficulties, with a second rule beside it if there is one.
pub(super) fn single_rolls(
    args: &OddsArgs,
    rule: &Rule,
    pools: &RangeInclusive<i64>,
    difficulties: &RangeInclusive<i64>,
) -> Result<Report, OddsError> {
    for pool in [*pools.start(), *pools.end()] {
        for difficulty in [*difficulties.start(), *difficulties.end()] {
            rule.sized(pool, difficulty)?;
        }
    }
    let mut rules = vec![*rule];
    if !args.pool.compare.is_empty() {
        for change in &args.pool.compare {
            if change.starts_with("pool=") || change.starts_with("difficulty=") {
                let message = "--compare: a grid has its pools and difficulties on its edges";
                return Err(OddsError::at(change, 0..change.len(), message, None));
            }
        }
        let base = rule.sized((*pools.end()).max(0), *difficulties.start())?;
        rules.push(pools::other_rule(args, &base)?);
    }
    let steps = rules.iter().map(|rule| work(rule, pools, difficulties));
    affordable(steps.sum(), "smaller pools or fewer of them")?;
    let show = shown(args.pool.show, None, false)?;
    let at = pools::MEASURES.iter().position(|(_, _, one)| *one == show);
    let solved = rules.iter().map(|rule| cells(rule, pools, difficulties));
    let solved: Vec<_> = solved.collect::<Result<_, _>>()?;
    let down = Axis::new("pool", pools.clone());
    let (across, of) = match rule {
        Rule::Storyteller(_) => {
            let across = Axis::new("difficulty", difficulties.clone());
            let of = across.spelled();
            (across, of)
        }
        Rule::Chronicles(_) => (Axis::new("success on", 8..=8), "Chronicles".to_owned()),
    };
    let (first, last) = (pools.start(), pools.end());
    let pools = if first == last {
        format!("a pool of {first} dice")
    } else {
        format!("pools of {first} to {last} dice")
    };
    let mut report = Report::new(
        format!("{pools}, {of}"),
        vec![pools::in_force(
            &rules[0].sized(*last, *difficulties.end())?,
        )],
    );
    let shown = |which: usize| -> Vec<Vec<Value>> {
        let value = |(_, figures): &PoolCell| figures[at.unwrap_or(0)].clone();
        let lines = solved[which].iter();
        lines.map(|line| line.iter().map(value).collect()).collect()
    };
    let measure = measure(show, false);
    let mut push = |title: String, cells| {
        report.blocks.push(block(title, [&down, &across], cells));
    };
    push(measure.to_owned(), shown(0));
    if let Some(other) = rules.get(1) {
        let change = args.pool.compare.join(",");
        push(format!("{measure}, with {change}"), shown(1));
        let apart = shown(0).into_iter().zip(shown(1)).map(|(these, those)| {
            let pairs = these.iter().zip(&those);
            pairs
                .map(|(this, that)| pools::difference(this, that))
                .collect()
        });
        push(format!("What {change} changes"), apart.collect());
        report
            .rules
            .push(format!("with {change}: {}", other.describe()));
    }
    report.rows = pools::rows();
    for at in 0..solved[0].len() {
        for column in 0..solved[0][at].len() {
            for cells in &solved {
                let (rule, figures) = &cells[at][column];
                report.rows.rows.push([&rule.cells()[..], figures].concat());
            }
        }
    }
    Ok(report)
}

/// Returns the approximate number of multiplications for a grid.
fn work(rule: &Rule, pools: &RangeInclusive<i64>, difficulties: &RangeInclusive<i64>) -> f64 {
    let (first, last) = (*pools.start() as f64, *pools.end() as f64);
    let columns = (difficulties.end() - difficulties.start()) as f64 + 1.0;
    // The net of n dice keeps weight over about 36 standard deviations to either side.
    let values = |dice: f64| 300.0 + (65.0 * dice.max(0.0).sqrt()).min(2.0 * dice.max(0.0));
    let rows = if rule.is_joint() {
        2.0 * last * last * last
    } else {
        0.0
    };
    // If extra dice are followed one after the other, every pool is computed from the start.
    let anew = (last - first + 1.0) * stepwise_work(rule, last);
    columns
        * ((last - first + 1.0) * values(last) * 8.0 + 2.0 * values(first).powi(2) + rows + anew)
}

/// Returns the approximate number of additional multiplications for one pool that may botch at any time.
fn stepwise_work(rule: &Rule, dice: f64) -> f64 {
    match rule {
        Rule::Storyteller(rule) if rule.is_stepwise() => {
            let rows = if rule.is_joint() { dice + 1.0 } else { 1.0 };
            12.0 * dice * (dice + 300.0) * rows
        }
        _ => 0.0,
    }
}

/// The rule of a cell with its measures.
type PoolCell = (Rule, [Value; 6]);

/// Returns the measures of every cell: `[pool][difficulty]`. A pool grows die by die within a difficulty.
fn cells(
    rule: &Rule,
    pools: &RangeInclusive<i64>,
    difficulties: &RangeInclusive<i64>,
) -> Result<Vec<Vec<PoolCell>>, OddsError> {
    let mut rows: Vec<Vec<PoolCell>> = pools.clone().map(|_| Vec::new()).collect();
    for difficulty in difficulties.clone() {
        let mut growth: Option<Growth> = None;
        for (row, pool) in rows.iter_mut().zip(pools.clone()) {
            let rule = rule.sized(pool, difficulty)?;
            let compiled = rule.compile()?;
            // A chance die is not a smaller pool, so the pool after it is computed from the start.
            let grown = match growth.take() {
                Some(mut growth) if pool > 1 => {
                    growth.add_die();
                    growth
                }
                _ => {
                    let most = u32::try_from(*pools.end()).unwrap_or(1).max(1);
                    let mut growth = Growth::new(&compiled, most);
                    growth.grow(compiled.dice());
                    growth
                }
            };
            row.push((rule, pools::figures(&grown.odds())));
            growth = Some(grown);
        }
    }
    Ok(rows)
}
