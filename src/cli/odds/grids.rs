//! Grids over two of: pool (or Arete), difficulty (or Sphere), successes required; of single rolls
//! and of extended ones.

use std::ops::RangeInclusive;

use super::OddsError;
use super::args::{MagickArgs, OddsArgs, Show};
use super::pools::stepwise_work;
use super::range::range;
use super::report::{Block, Grid, Report, Table, Value};
use super::rule::{self, Rule};
use super::tasks;
use crate::dice::extended::{Extended, Gathering, Options, Summary};
use crate::dice::magick::{Effect, MAX_RATING, MagickError, Manner};
use crate::dice::pool::{Named, PoolOdds, Storyteller};

/// Multiplications that a grid may take: about two seconds.
const MAX_WORK: f64 = 2e8;

/// The most cells of a grid.
const MAX_CELLS: i64 = 10_000;

/// A number that a grid can go over.
struct Axis {
    label: &'static str,
    values: RangeInclusive<i64>,
}

impl Axis {
    const fn is_range(&self) -> bool {
        *self.values.start() < *self.values.end()
    }

    const fn length(&self) -> i64 {
        *self.values.end() - *self.values.start() + 1
    }
}

/// What a cell is: a roll, its Paradox, and for magick its Sphere.
#[derive(Clone, Copy)]
struct Cell {
    rule: Storyteller,
    gathering: Option<Gathering>,
    rating: Option<(u32, u32)>,
}

/// What is known of a cell.
enum Figures {
    Roll(Box<PoolOdds>, Option<f64>),
    /// A task, and the turns that each of its rolls takes.
    Task(Summary, u32),
}

impl Figures {
    fn shown(&self, show: Show) -> Value {
        match self {
            Self::Roll(odds, paradox) => match show {
                Show::Success | Show::Net | Show::Rolls | Show::Turns => {
                    Value::Chance(odds.success())
                }
                Show::Diminished => Value::Chance(odds.diminished()),
                Show::Failure => Value::Chance(odds.failure()),
                Show::Botch => Value::Chance(odds.botch()),
                Show::Mean => Value::Real(odds.net().mean()),
                Show::Sd => Value::Real(odds.net().sd()),
                Show::Paradox => Value::Real(paradox.unwrap_or(0.0)),
            },
            Self::Task(summary, turns) => match show {
                Show::Botch => Value::Chance(summary.botch_first),
                Show::Rolls => Value::Real(summary.mean_rolls),
                Show::Turns => Value::Real(summary.mean_rolls * f64::from(*turns)),
                Show::Paradox => Value::Real(summary.mean_paradox.unwrap_or(0.0)),
                _ => Value::Chance(summary.success),
            },
        }
    }

    fn cells(&self) -> Vec<Value> {
        let (mut cells, paradox) = match self {
            Self::Roll(odds, paradox) => {
                let (mean, sd) = odds.net().mean_and_sd();
                let outcomes = [
                    odds.botch(),
                    odds.failure(),
                    odds.diminished(),
                    odds.success(),
                ];
                let mut cells = outcomes.map(Value::Chance).to_vec();
                cells.extend([mean, sd].map(Value::Real));
                (cells, *paradox)
            }
            Self::Task(summary, turns) => {
                let mut cells = vec![
                    Value::Chance(summary.success),
                    Value::Chance(summary.botch_first),
                    Value::Real(summary.mean_rolls),
                ];
                if *turns > 1 {
                    cells.push(Value::Real(summary.mean_rolls * f64::from(*turns)));
                }
                (cells, summary.mean_paradox)
            }
        };
        cells.extend(paradox.map(Value::Real));
        cells
    }
}

/// Everything about a grid but its numbers.
struct Question<'a> {
    title: String,
    rules: Vec<String>,
    show: Show,
    /// How rolls go on, where they are extended.
    task: Option<Options>,
    is_magick: bool,
    axes: [Axis; 3],
    cell: &'a dyn Fn(i64, i64, i64) -> Result<Option<Cell>, OddsError>,
}

fn whole(values: &RangeInclusive<u32>) -> RangeInclusive<i64> {
    i64::from(*values.start())..=i64::from(*values.end())
}

/// The rule in force; what is required is on an axis.
fn in_force(rule: &Rule) -> String {
    format!("rule: {}", rule.described(None))
}

fn spelled(axis: &Axis) -> String {
    let (first, last) = (axis.values.start(), axis.values.end());
    if axis.is_range() {
        format!("{} {first} to {last}", axis.label)
    } else {
        format!("{} {first}", axis.label)
    }
}

/// What the grid shows: what was asked for, if it can be shown.
fn shown(asked: Option<Show>, task: Option<&Options>, is_magick: bool) -> Result<Show, OddsError> {
    let refuse = |message: &str| Err(OddsError::input(format!("--show: {message}")));
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
        // What can only end well is asked how long it takes.
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

/// A grid of pools, with extended rolls or over what is required.
pub(super) fn pools(
    args: &OddsArgs,
    rule: &Rule,
    pools: &RangeInclusive<i64>,
    difficulties: &RangeInclusive<i64>,
    required: &RangeInclusive<u32>,
) -> Result<Report, OddsError> {
    let Rule::Storyteller(options) = *rule else {
        return Err(OddsError::input(
            "a grid over --required, or with --ritual, is for Storyteller pools",
        ));
    };
    let task = args
        .task
        .ritual
        .then(|| tasks::options(&args.task, &args.pool.options, None));
    let task = task.transpose()?;
    let options = if task.is_some() {
        Storyteller {
            willpower: false,
            ..options
        }
    } else {
        options
    };
    let rule = Rule::Storyteller(options);
    let axes = [
        ("pool", pools.clone()),
        ("difficulty", difficulties.clone()),
        ("required", whole(required)),
    ]
    .map(|(label, values)| Axis { label, values });
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
        rules: vec![in_force(&rule)],
        show,
        task,
        is_magick: false,
        axes,
        cell: &cell,
    })
}

/// A grid of magickal effects.
pub(super) fn magick(args: &MagickArgs, manner: Manner) -> Result<Report, OddsError> {
    let required = rule::required(&args.options)?;
    let ratings = |option: &str, text: &str| {
        let values = range(option, text)?;
        let bounds = 1..=i64::from(MAX_RATING);
        if !bounds.contains(values.start()) || !bounds.contains(values.end()) {
            return Err(OddsError::input(format!(
                "{option} {text}: ratings lie from 1 to {MAX_RATING}"
            )));
        }
        Ok(values)
    };
    let axes = [
        ("Arete", ratings("--arete", &args.arete)?),
        ("Sphere", ratings("--sphere", &args.sphere)?),
        ("required", whole(&required)),
    ]
    .map(|(label, values)| Axis { label, values });
    let task = args
        .task
        .ritual
        .then(|| tasks::options(&args.task, &args.options, None));
    let task = task.transpose()?;
    let options = Storyteller {
        willpower: args.options.willpower && task.is_none(),
        ..rule::storyteller(&args.options)
    };
    let once = args.paradox == "once";
    let cell = |arete: i64, sphere: i64, required: i64| {
        let (arete, sphere) = (arete as u32, sphere as u32);
        let effect = match Effect::new(arete, sphere, manner, args.dice) {
            Ok(effect) => effect,
            // Such a cell of a grid stays empty.
            Err(MagickError::SphereAboveArete { .. } | MagickError::Dice { .. }) => {
                return Ok(None);
            }
            Err(error) => return Err(OddsError::input(error)),
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
        rules: vec![in_force(&Rule::Storyteller(options))],
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
    // One axis stands beside what is required, or else beside the difficulty.
    let (rows, columns) = match over[..] {
        [rows, columns] => (rows, columns),
        [2] => (0, 2),
        [rows] => (rows, if rows == 0 { 1 } else { 2 }),
        [] => (0, 1),
        _ => {
            return Err(OddsError::input(format!(
                "a grid goes over two numbers: give one number for {}, {} or {}",
                first.label, second.label, third.label
            )));
        }
    };
    let [down, across] = [rows, columns].map(|at| &question.axes[at]);
    if down.length().saturating_mul(across.length()) > MAX_CELLS {
        return Err(OddsError::input(format!(
            "a grid of {} by {} cells: the limit is {MAX_CELLS} cells",
            down.length(),
            across.length()
        )));
    }
    let place = |row: i64, column: i64| {
        let mut at = question.axes.each_ref().map(|axis| *axis.values.start());
        (at[rows], at[columns]) = (row, column);
        at
    };
    // Every cell is understood, and all work reckoned, before any is begun.
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
    if work > MAX_WORK {
        return Err(OddsError::input(format!(
            "this grid would take about {:.0} million steps, the limit is {:.0} million: ask for \
             smaller pools, fewer successes or fewer cells",
            work / 1e6,
            MAX_WORK / 1e6
        )));
    }
    if cells.iter().flatten().all(Option::is_none) {
        return Err(OddsError::input(
            "no Sphere can be used above Arete: this grid has no cell",
        ));
    }
    report(question, (rows, columns), &cells)
}

fn report(
    question: &Question<'_>,
    (rows, columns): (usize, usize),
    cells: &[Vec<Option<Cell>>],
) -> Result<Report, OddsError> {
    let [down, across] = [rows, columns].map(|at| &question.axes[at]);
    let is_task = question.task.is_some();
    let mut shown: Vec<Vec<Value>> = Vec::new();
    let mut table = Table::new("cells", "", &heads(question));
    for line in cells {
        let mut values = Vec::new();
        for cell in line {
            let Some(cell) = cell else {
                values.push(Value::Text("-".to_owned()));
                continue;
            };
            let figures = figures(cell, question.task)?;
            values.push(figures.shown(question.show));
            table.rows.push(row(cell, question.task, &figures));
        }
        shown.push(values);
    }
    let spelled: Vec<String> = question.axes.iter().map(spelled).collect();
    let mut report = Report {
        title: format!("{}{}", question.title, spelled.join(", ")),
        rules: question.rules.clone(),
        rows: table,
        ..Report::default()
    };
    if let Some(task) = question.task {
        report.rules.push(tasks::describe(task));
    }
    report.blocks.push(Block::Grid(Grid {
        title: measure(question.show, is_task).to_owned(),
        row_label: down.label,
        column_label: across.label,
        row_heads: down.values.clone().collect(),
        column_heads: across.values.clone().collect(),
        cells: shown,
    }));
    Ok(report)
}

fn extended(cell: &Cell, task: Options) -> Result<Extended, OddsError> {
    let options = Options {
        paradox: cell.gathering,
        ..task
    };
    Extended::new(&cell.rule, options).map_err(OddsError::input)
}

/// About how many multiplications a cell takes.
fn cell_work(cell: &Cell, task: Option<Options>) -> Result<f64, OddsError> {
    let dice = f64::from(cell.rule.pool);
    let values = 300.0 + (65.0 * dice.sqrt()).min(2.0 * dice);
    let joint = if cell.rule.is_joint() {
        2.0 * dice * dice * dice
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

fn figures(cell: &Cell, task: Option<Options>) -> Result<Figures, OddsError> {
    if let Some(task) = task {
        let summary = extended(cell, task)?.summary();
        let summary = summary.map_err(OddsError::input)?;
        return Ok(Figures::Task(summary, task.turns_per_roll));
    }
    let pool = cell.rule.compile().map_err(OddsError::input)?;
    let odds = pool.odds();
    let paradox = cell.gathering.map(|gathering| match gathering.each {
        0 => odds.botch(),
        each => f64::from(each),
    });
    Ok(Figures::Roll(Box::new(odds), paradox))
}

fn heads(question: &Question<'_>) -> Vec<(&'static str, &'static str)> {
    let mut heads = Vec::new();
    if question.is_magick {
        heads.extend(["arete", "sphere"]);
    }
    heads.extend([
        "pool",
        "difficulty",
        "tens",
        "ones",
        "ones_on_explosion",
        "botch_rule",
        "required",
        "willpower",
    ]);
    if let Some(task) = question.task {
        heads.extend([
            "on_botch",
            "max_rolls",
            "p_done",
            "p_botch_first",
            "mean_rolls",
        ]);
        heads.extend((task.turns_per_roll > 1).then_some("mean_turns"));
    } else {
        heads.extend([
            "p_botch",
            "p_failure",
            "p_diminished",
            "p_success",
            "mean_net",
            "sd_net",
        ]);
    }
    if question.is_magick {
        heads.push("mean_paradox");
    }
    heads.into_iter().map(|key| (key, key)).collect()
}

fn row(cell: &Cell, task: Option<Options>, figures: &Figures) -> Vec<Value> {
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
        values.push(Value::Text(task.on_botch.name().to_owned()));
        values.push(task.max_rolls.map_or(Value::Text(String::new()), whole));
    }
    values.extend(figures.cells());
    values
}
