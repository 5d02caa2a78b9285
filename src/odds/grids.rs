//! Grids of single or extended rolls over two of: pool (or Arete), difficulty (or Sphere), successes required.

use std::ops::RangeInclusive;

use super::args::{MagickArgs, OddsArgs, Show};
use super::range::range;
use super::rule::{self, Rule};
use super::{OddsError, refuse};
use super::{pools, tasks};
use crate::dice::extended::{Extended, Gathering, Options};
use crate::dice::magick::{MAX_RATING, MagickEffect, MagickError, Manner};
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

    pub(super) const fn length(&self) -> i64 {
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

/// The content of a cell: a roll, and for magick its ratings and its Paradox.
type Cell = (Storyteller, Option<([u32; 2], Gathering)>);

/// The measures of extended rolls and of magick: key, value of `--show`, and title of a grid.
const MEASURES: [(&str, Show, &str); 5] = [
    ("p_done", Show::Success, "Chance of being done, in per cent"),
    (
        "p_botch_first",
        Show::Botch,
        "Chance of a botch before it is done, in per cent",
    ),
    ("mean_rolls", Show::Rolls, "Mean rolls until it is over"),
    (
        "mean_turns",
        Show::Turns,
        "Mean turns of work until it is over",
    ),
    ("mean_paradox", Show::Paradox, "Mean Paradox"),
];

/// Returns the measures of a grid; those of a single roll, those of an extended one, or those of magick alone.
fn measures(task: Option<Options>, is_magick: bool) -> Vec<(&'static str, Show, &'static str)> {
    let of_rolls = pools::MEASURES.map(|(key, _, show, title)| (key, show, title));
    let of_task = MEASURES.into_iter().filter(|(_, show, _)| match show {
        Show::Turns => task.is_some_and(|task| task.turns_per_roll > 1),
        Show::Paradox => is_magick,
        _ => task.is_some(),
    });
    let of_rolls = of_rolls.into_iter().filter(|_| task.is_none());
    of_rolls.chain(of_task).collect()
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
    let task = tasks::ritual(&args.task, &args.pool.options)?;
    let rule = Rule::Storyteller(Storyteller {
        willpower: options.willpower && task.is_none(),
        ..options
    });
    let axes = [
        Axis::new("pool", pools.clone()),
        Axis::new("difficulty", difficulties.clone()),
        as_axis(required),
    ];
    let show = shown(args.pool.show, task.as_ref(), false)?;
    let report = Report::new(String::new(), vec![without_required(&rule)]);
    answer(report, show, task, &axes, |[pool, difficulty, required]| {
        let sized = rule.requiring(required as u32).sized(pool, difficulty)?;
        Ok(match sized {
            Rule::Storyteller(rule) => Some((rule, None)),
            Rule::Chronicles(_) => None,
        })
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
        as_axis(&required),
    ];
    let task = tasks::ritual(&args.task, &args.options)?;
    let options = Storyteller {
        willpower: args.options.willpower && task.is_none(),
        ..rule::storyteller(&args.options)
    };
    let once = args.paradox == "once";
    let show = shown(args.show, task.as_ref(), true)?;
    let title = format!("{} magick, ", tasks::manner_words(manner));
    let rules = vec![without_required(&Rule::Storyteller(options))];
    let report = Report::new(title, rules);
    answer(report, show, task, &axes, |[arete, sphere, required]| {
        let ratings = [arete as u32, sphere as u32];
        let effect = match MagickEffect::new(ratings[0], ratings[1], manner, args.dice) {
            Ok(effect) => effect,
            // This cell of the grid stays empty.
            Err(MagickError::SphereAboveArete { .. } | MagickError::Dice { .. }) => {
                return Ok(None);
            }
            Err(error) => return refuse(error),
        };
        let pool = effect.pool();
        let rule = Storyteller {
            pool: pool.pool,
            difficulty: pool.difficulty,
            required: required as u32,
            ..options
        };
        Ok(Some((rule, Some((ratings, effect.gathering(once))))))
    })
}

/// Returns the axis of the required successes.
fn as_axis(values: &RangeInclusive<u32>) -> Axis {
    let [first, last] = [*values.start(), *values.end()].map(i64::from);
    Axis::new("required", first..=last)
}

/// Answers a grid over two of three axes. `report` has the beginning of the title and the rules. `cell` returns the
/// content of the cell at a place, nothing for a cell that stays empty.
fn answer(
    mut report: Report,
    show: Show,
    task: Option<Options>,
    axes: &[Axis; 3],
    cell: impl Fn([i64; 3]) -> Result<Option<Cell>, OddsError>,
) -> Result<Report, OddsError> {
    let ranges: Vec<usize> = (0..3).filter(|&at| axes[at].is_range()).collect();
    // A single range is paired with the required successes, or else with the difficulty.
    let (rows, columns) = match ranges[..] {
        [rows, columns] => (rows, columns),
        [2] => (0, 2),
        [rows] => (rows, if rows == 0 { 1 } else { 2 }),
        [] => (0, 1),
        _ => {
            let [first, second, third] = axes.each_ref().map(|axis| axis.label);
            return refuse(format!(
                "a grid goes over two numbers: give one number for {first}, {second} or {third}"
            ));
        }
    };
    let [down, across] = [rows, columns].map(|at| &axes[at]);
    if down.length().saturating_mul(across.length()) > MAX_CELLS {
        return refuse(format!(
            "a grid of {} by {} cells: the limit is {MAX_CELLS} cells",
            down.length(),
            across.length()
        ));
    }
    // All cells are checked, and their work is estimated, before any is computed.
    let mut cells: Vec<Vec<Option<Cell>>> = Vec::new();
    let mut work = 0.0;
    for row in down.values.clone() {
        let mut line = Vec::new();
        for column in across.values.clone() {
            let mut place = axes.each_ref().map(|axis| *axis.values.start());
            (place[rows], place[columns]) = (row, column);
            let cell = cell(place)?;
            if let Some(cell) = &cell {
                work += cell_work(cell, task)?;
            }
            line.push(cell);
        }
        cells.push(line);
    }
    affordable(work, "smaller pools, fewer successes or fewer cells")?;
    let Some((_, magick)) = cells.iter().flatten().flatten().next() else {
        return refuse("no Sphere can be used above Arete: this grid has no cell");
    };
    let measures = measures(task, magick.is_some());
    let known = |show: Show| measures.iter().position(|measure| measure.1 == show);
    // If a roll takes one turn, turns are not listed beside rolls.
    let at = known(show).or_else(|| known(Show::Rolls)).unwrap_or(0);
    let mut titled = measures.iter().chain(&MEASURES);
    let title = titled.find(|measure| measure.1 == show);
    let title = title.map_or("", |measure| measure.2);
    let ratings = magick.map(|_| ["arete", "sphere"]);
    let options = task.map(|_| ["on_botch", "max_rolls"]);
    let keys = ratings
        .into_iter()
        .flatten()
        .chain(rule::COLUMNS)
        .chain(options.into_iter().flatten())
        .chain(measures.iter().map(|(key, ..)| *key));
    let mut table = Table::of_keys("cells", keys);
    let mut shown: Vec<Vec<Value>> = Vec::new();
    for line in &cells {
        let mut values = Vec::new();
        for cell in line {
            let Some(cell) = cell else {
                values.push(Value::text("-"));
                continue;
            };
            let figures = figures(cell, task)?;
            values.push(figures[at].clone());
            table.rows.push(row(cell, task, figures));
        }
        shown.push(values);
    }
    let spelled = axes.each_ref().map(Axis::spelled).join(", ");
    report.title.push_str(&spelled);
    report.rows = table;
    report.rules.extend(task.map(tasks::describe));
    report
        .blocks
        .push(block(title.to_owned(), [down, across], shown));
    Ok(report)
}

fn extended((rule, magick): &Cell, task: Options) -> Result<Extended, OddsError> {
    let options = Options {
        paradox: magick.map(|(_, gathering)| gathering),
        ..task
    };
    Extended::new(rule, options).map_err(OddsError::input)
}

/// Returns the approximate number of multiplications for a cell.
fn cell_work(cell: &Cell, task: Option<Options>) -> Result<f64, OddsError> {
    let rule = Rule::Storyteller(cell.0);
    let dice = f64::from(cell.0.pool);
    let roll = 2.0 * values(dice).powi(2) + joint_work(&rule, dice) + stepwise_work(&rule, dice);
    match task {
        Some(task) => Ok(roll + extended(cell, task)?.summary_work()),
        None => rule.compile().map(|_| roll),
    }
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
        let (rule, magick) = cell;
        let odds = rule.compile().map_err(OddsError::input)?.odds();
        let paradox = magick.map(|(_, gathering)| match gathering.each {
            0 => odds.botch(),
            each => f64::from(each),
        });
        (pools::figures(&odds).to_vec(), paradox)
    };
    values.extend(paradox.map(Value::Real));
    Ok(values)
}

fn row((rule, magick): &Cell, task: Option<Options>, figures: Vec<Value>) -> Vec<Value> {
    let whole = |number: u32| Value::Whole(number.into());
    let ratings = magick.iter().flat_map(|(ratings, _)| ratings.map(whole));
    let mut values: Vec<Value> = ratings.chain(Rule::Storyteller(*rule).cells()).collect();
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
    let measure = pools::MEASURES.iter().position(|measure| measure.2 == show);
    let at = measure.unwrap_or(0);
    let solved = rules.iter().map(|rule| cells(rule, pools, difficulties));
    let solved: Vec<_> = solved.collect::<Result<_, _>>()?;
    let down = Axis::new("pool", pools.clone());
    let across = match rule {
        Rule::Storyteller(_) => Axis::new("difficulty", difficulties.clone()),
        Rule::Chronicles(_) => Axis::new("success on", 8..=8),
    };
    let family = match rule {
        Rule::Storyteller(_) => across.spelled(),
        Rule::Chronicles(_) => "Chronicles".to_owned(),
    };
    let (first, last) = (pools.start(), pools.end());
    let pools = if first == last {
        format!("a pool of {first} dice")
    } else {
        format!("pools of {first} to {last} dice")
    };
    let mut report = Report::new(
        format!("{pools}, {family}"),
        vec![pools::in_force(
            &rules[0].sized(*last, *difficulties.end())?,
        )],
    );
    let shown = |which: usize| -> Vec<Vec<Value>> {
        let value = |(_, figures): &PoolCell| figures[at].clone();
        let lines = solved[which].iter();
        lines.map(|line| line.iter().map(value).collect()).collect()
    };
    let measure = pools::MEASURES[at].3;
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
    // If extra dice are followed one after the other, every pool is computed from the start.
    let anew = (last - first + 1.0) * stepwise_work(rule, last);
    let rows = joint_work(rule, last);
    let growth = (last - first + 1.0) * values(last) * 8.0;
    columns * (growth + 2.0 * values(first).powi(2) + rows + anew)
}

/// Returns about how many nets of a number of dice have weight: they lie within about 36 standard deviations.
fn values(dice: f64) -> f64 {
    let dice = dice.max(0.0);
    300.0 + (65.0 * dice.sqrt()).min(2.0 * dice)
}

/// Returns the approximate number of additional multiplications for pools whose 1s are followed apart.
fn joint_work(rule: &Rule, dice: f64) -> f64 {
    if rule.is_joint() {
        2.0 * dice.powi(3)
    } else {
        0.0
    }
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
