//! Pools: one, a grid of them, two rules side by side, two pools against each other.

use std::ops::RangeInclusive;

use super::OddsError;
use super::args::{OddsArgs, Show};
use super::range::{self, is_sum, range};
use super::report::{Block, Fact, Grid, Report, Table, Value};
use super::rule::{self, DIFFICULTY, Rule};
use super::{grids, rolls, sample, tasks};
use crate::dice::opposed::OpposedOdds;
use crate::dice::pool::{Growth, PoolOdds, Team};

/// Multiplications that a grid may take: about two seconds.
const MAX_WORK: f64 = 2e8;

/// The columns of a pool's row.
const COLUMNS: [(&str, &str); 14] = [
    ("pool", "pool"),
    ("difficulty", "difficulty"),
    ("tens", "tens"),
    ("ones", "ones"),
    ("ones_on_explosion", "ones on explosion"),
    ("botch_rule", "botch rule"),
    ("required", "required"),
    ("willpower", "willpower"),
    ("p_botch", "botch"),
    ("p_failure", "failure"),
    ("p_diminished", "diminished"),
    ("p_success", "success"),
    ("mean_net", "mean net"),
    ("sd_net", "sd net"),
];

/// What is known of a pool's odds.
#[derive(Debug, Clone, Copy)]
struct Figures {
    botch: f64,
    failure: f64,
    diminished: f64,
    success: f64,
    mean: f64,
    sd: f64,
}

impl Figures {
    fn of(odds: &PoolOdds) -> Self {
        let (mean, sd) = odds.net().mean_and_sd();
        Self {
            botch: odds.botch(),
            failure: odds.failure(),
            diminished: odds.diminished(),
            success: odds.success(),
            mean,
            sd,
        }
    }

    fn cells(&self) -> [Value; 6] {
        [
            Value::Chance(self.botch),
            Value::Chance(self.failure),
            Value::Chance(self.diminished),
            Value::Chance(self.success),
            Value::Real(self.mean),
            Value::Real(self.sd),
        ]
    }

    fn shown(&self, show: Show) -> Value {
        let at = match show {
            Show::Botch => 0,
            Show::Failure => 1,
            Show::Diminished => 2,
            Show::Success | Show::Net | Show::Rolls | Show::Turns | Show::Paradox => 3,
            Show::Mean => 4,
            Show::Sd => 5,
        };
        self.cells()[at].clone()
    }
}

const MEASURES: [(&str, &str); 6] = [
    ("p_botch", "botch"),
    ("p_failure", "failure"),
    ("p_diminished", "diminished"),
    ("p_success", "success"),
    ("mean_net", "mean net successes"),
    ("sd_net", "standard deviation"),
];

/// The line that says by which rule the question was answered.
pub(super) fn in_force(rule: &Rule) -> String {
    format!("rule: {}", rule.describe())
}

fn row(rule: &Rule, figures: &Figures) -> Vec<Value> {
    let mut cells = rule.cells();
    cells.extend(figures.cells());
    cells
}

/// Answers a question about pools.
pub(super) fn answer(args: &OddsArgs) -> Result<Report, OddsError> {
    let pool = args.pool.pool.as_deref().unwrap_or_default();
    let pools = range("--pool", pool)?;
    let difficulties = match &args.pool.difficulty {
        Some(text) => range("--difficulty", text)?,
        None => DIFFICULTY..=DIFFICULTY,
    };
    let required = rule::required(&args.pool.options)?;
    let rule = Rule::read(&args.pool)?;
    if args.at_least.is_some() {
        return Err(OddsError::input(
            "--at-least is for dice; for a pool say --required",
        ));
    }
    let is_one = required.start() == required.end();
    let is_pool = pools.start() == pools.end() && difficulties.start() == difficulties.end();
    let mut report = if is_pool && is_one {
        let rule = rule.requiring(*required.start());
        let rule = rule.sized(*pools.start(), *difficulties.start())?;
        one(args, &rule)?
    } else {
        for (given, name) in [
            (args.pool.against.is_some(), "--against"),
            (args.pool.with.is_some(), "--with"),
            (args.output.sample.is_some(), "--sample"),
            (args.pool.show == Some(Show::Net), "--show net"),
        ] {
            if given {
                return Err(OddsError::input(format!(
                    "{name} is for one pool and one difficulty, not for a grid"
                )));
            }
        }
        if is_one && !args.task.ritual {
            rule::affordable_willpower(&args.pool.options)?;
            grid(
                args,
                &rule.requiring(*required.start()),
                &pools,
                &difficulties,
            )?
        } else if args.pool.compare.is_empty() {
            grids::pools(args, &rule, &pools, &difficulties, &required)?
        } else {
            return Err(OddsError::input(
                "--compare is for a grid of pools and difficulties of one roll",
            ));
        }
    };
    if is_sum(pool) {
        let sum = format!("pool: {} = {}", pool.trim(), pools.start());
        report.rules.insert(0, sum);
    }
    Ok(report)
}

/// A question about one pool.
fn one(args: &OddsArgs, rule: &Rule) -> Result<Report, OddsError> {
    let helpers = match &args.pool.with {
        Some(text) => rule.of_another(&args.pool, false).parts("--with", text)?,
        None => Vec::new(),
    };
    if args
        .pool
        .show
        .is_some_and(|show| matches!(show, Show::Rolls | Show::Turns | Show::Paradox))
    {
        return Err(OddsError::input(
            "--show rolls, turns and paradox are for grids of extended rolls and of magick",
        ));
    }
    if args.task.ritual {
        return match &args.pool.against {
            Some(against) => tasks::race(args, rule, &helpers, against),
            None => tasks::pool(args, rule, &helpers),
        };
    }
    rule::affordable_willpower(&args.pool.options)?;
    match &args.pool.against {
        Some(against) => opposed(args, rule, &helpers, against),
        None if !helpers.is_empty() => together(args, rule, &helpers),
        None if args.pool.compare.is_empty() => single(args, rule),
        None => compared(args, rule),
    }
}

/// The pool and its helpers as one team.
pub(super) fn team(rule: &Rule, helpers: &[Rule]) -> Result<Team, OddsError> {
    let members = std::iter::once(rule).chain(helpers);
    let pools: Result<Vec<_>, _> = members.map(Rule::compile).collect();
    Ok(Team::new(pools?))
}

/// The pool and its helpers in words.
pub(super) fn together_words(rule: &Rule, helpers: &[Rule]) -> String {
    let helpers: Vec<String> = helpers.iter().map(Rule::question).collect();
    if helpers.is_empty() {
        return rule.question();
    }
    format!("{} with {}", rule.question(), helpers.join(" and "))
}

/// The line that says how nets are added up.
pub(super) const TOGETHER: &str =
    "together: nets of 1 or more are added up; a botch of anyone is a botch of the roll";

/// Several pools for one action (teamwork).
fn together(args: &OddsArgs, rule: &Rule, helpers: &[Rule]) -> Result<Report, OddsError> {
    if !args.pool.compare.is_empty() {
        return Err(OddsError::input("--compare cannot go with --with"));
    }
    let team = team(rule, helpers)?;
    let tally = sample::tally(&args.output, |faces| Some(team.roll(faces).0))?;
    let odds = team.odds();
    let alone = rule.compile()?.odds();
    let mut report = Report {
        title: together_words(rule, helpers),
        rules: vec![in_force(rule), TOGETHER.to_owned()],
        ..Report::default()
    };
    let facts = MEASURES.iter().zip(Figures::of(&odds).cells());
    let mut facts: Vec<Fact> = facts
        .map(|(&(key, label), value)| Fact::new(key, label, value))
        .collect();
    facts.push(Fact::new(
        "p_success_alone",
        "success of the first alone",
        Value::Chance(alone.success()),
    ));
    facts.extend(rule::willpower_cost(&args.pool.options));
    report.facts(facts);
    let net = odds.net();
    let table = rolls::table_of(&net, "net", "Net successes together", "net");
    rolls::push_distribution(&mut report, table, &net, tally.as_ref());
    Ok(report)
}

fn single(args: &OddsArgs, rule: &Rule) -> Result<Report, OddsError> {
    let pool = rule.compile()?;
    let mut botches = 0_u64;
    let tally = sample::tally(&args.output, |faces| {
        let result = pool.roll(faces);
        botches += u64::from(result.botch);
        Some(result.net)
    })?;
    let odds = pool.odds();
    let figures = Figures::of(&odds);
    let mut report = Report {
        title: rule.question(),
        rules: vec![in_force(rule)],
        ..Report::default()
    };
    let facts = MEASURES.iter().zip(figures.cells());
    report.facts(
        facts
            .map(|(&(key, label), value)| Fact::new(key, label, value))
            .chain(rule::willpower_cost(&args.pool.options))
            .collect(),
    );
    let net = odds.net();
    let distribution = rolls::table_of(&net, "net", "Net successes", "net");
    rolls::push_distribution(&mut report, distribution, &net, tally.as_ref());
    if tally.is_none() && args.pool.show != Some(Show::Net) {
        report.rows = Table::new("pools", "", &COLUMNS);
        report.rows.rows.push(row(rule, &figures));
    }
    Ok(report)
}

/// The rule that `--compare` asks for beside this one.
fn other_rule(args: &OddsArgs, rule: &Rule) -> Result<Rule, OddsError> {
    let changes = args.pool.compare.iter();
    changes
        .into_iter()
        .try_fold(*rule, |rule, change| rule.changed(change))
}

fn compared(args: &OddsArgs, rule: &Rule) -> Result<Report, OddsError> {
    if args.output.sample.is_some() {
        return Err(OddsError::input("--sample cannot go with --compare"));
    }
    let other = other_rule(args, rule)?;
    let change = args.pool.compare.join(",");
    let odds = [rule.compile()?.odds(), other.compile()?.odds()];
    let figures = odds.each_ref().map(Figures::of);
    let mut report = Report {
        title: format!("{}, beside {change}", rule.question()),
        rules: vec![
            in_force(rule),
            format!("with {change}: {}", other.describe()),
        ],
        ..Report::default()
    };
    let columns = [
        ("measure", ""),
        ("this", "this rule"),
        ("other", change.as_str()),
        ("difference", "difference"),
    ];
    let mut table = Table::new("measures", "Outcomes", &columns);
    for ((_, label), (this, that)) in MEASURES
        .iter()
        .zip(figures[0].cells().into_iter().zip(figures[1].cells()))
    {
        let difference = difference(&this, &that);
        let label = Value::Text((*label).to_owned());
        table.rows.push(vec![label, this, that, difference]);
    }
    report.blocks.push(Block::Table(table));
    let columns = [
        ("net", "net"),
        ("this", "this rule"),
        ("other", &change),
        ("difference", "difference"),
    ];
    let mut table = Table::new("net", "Net successes", &columns);
    let nets = odds.each_ref().map(PoolOdds::net);
    let (first, last) = (
        nets[0].first().min(nets[1].first()),
        nets[0].last().max(nets[1].last()),
    );
    for value in first..=last {
        let chances = nets.each_ref().map(|net| net.probability(value));
        if chances.iter().any(|&chance| chance >= rolls::RARE) {
            let [this, that] = chances.map(Value::Chance);
            let difference = difference(&this, &that);
            table
                .rows
                .push(vec![Value::Whole(value), this, that, difference]);
        }
    }
    report.blocks.push(Block::Table(table));
    report.rows = Table::new("pools", "", &COLUMNS);
    report.rows.rows.push(row(rule, &figures[0]));
    report.rows.rows.push(row(&other, &figures[1]));
    Ok(report)
}

fn difference(this: &Value, that: &Value) -> Value {
    match (this, that) {
        (Value::Chance(this), Value::Chance(that)) => Value::Points(that - this),
        (Value::Real(this), Value::Real(that)) => Value::Real(that - this),
        _ => Value::Text(String::new()),
    }
}

/// About how many multiplications a grid takes.
fn work(rule: &Rule, pools: &RangeInclusive<i64>, difficulties: &RangeInclusive<i64>) -> f64 {
    let (first, last) = (*pools.start() as f64, *pools.end() as f64);
    let columns = (difficulties.end() - difficulties.start()) as f64 + 1.0;
    // A net of n dice keeps weight over about 36 standard deviations to either side.
    let values = |dice: f64| 300.0 + (65.0 * dice.max(0.0).sqrt()).min(2.0 * dice.max(0.0));
    let rows = if rule.is_joint() {
        2.0 * last * last * last
    } else {
        0.0
    };
    // Where extra dice are followed one after the other, every pool starts anew.
    let anew = (last - first + 1.0) * stepwise_work(rule, last);
    columns
        * ((last - first + 1.0) * values(last) * 8.0 + 2.0 * values(first).powi(2) + rows + anew)
}

/// About how many multiplications one pool takes beyond that where it may botch at any time.
pub(super) fn stepwise_work(rule: &Rule, dice: f64) -> f64 {
    match rule {
        Rule::Storyteller(rule) if rule.is_stepwise() => {
            let rows = if rule.is_joint() { dice + 1.0 } else { 1.0 };
            12.0 * dice * (dice + 300.0) * rows
        }
        _ => 0.0,
    }
}

fn grid(
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
        rules.push(other_rule(args, &base)?);
    }
    let needed: f64 = rules
        .iter()
        .map(|rule| work(rule, pools, difficulties))
        .sum();
    if needed > MAX_WORK {
        return Err(OddsError::input(format!(
            "this grid would take about {:.0} million steps, the limit is {:.0} million: ask for \
             smaller pools or fewer of them",
            needed / 1e6,
            MAX_WORK / 1e6
        )));
    }
    let figures: Result<Vec<_>, _> = rules
        .iter()
        .map(|rule| cells(rule, pools, difficulties))
        .collect();
    let figures = figures?;
    let show = args.pool.show.unwrap_or_default();
    if matches!(show, Show::Rolls | Show::Paradox) {
        return Err(OddsError::input(
            "--show rolls, turns and paradox are for grids of extended rolls and of magick",
        ));
    }
    let change = args.pool.compare.join(",");
    let mut report = Report {
        title: format!(
            "pools of {} to {} dice, {}",
            pools.start(),
            pools.end(),
            match rule {
                Rule::Chronicles(_) => "Chronicles".to_owned(),
                Rule::Storyteller(_) if difficulties.start() == difficulties.end() => {
                    format!("difficulty {}", difficulties.start())
                }
                Rule::Storyteller(_) => {
                    format!(
                        "difficulty {} to {}",
                        difficulties.start(),
                        difficulties.end()
                    )
                }
            }
        ),
        rules: vec![in_force(
            &rules[0].sized(*pools.end(), *difficulties.end())?,
        )],
        ..Report::default()
    };
    let measure = match show {
        Show::Success | Show::Net | Show::Rolls | Show::Turns | Show::Paradox => {
            "Chance of success, in per cent"
        }
        Show::Diminished => "Chance of a diminished effect, in per cent",
        Show::Failure => "Chance of failure, in per cent",
        Show::Botch => "Chance of a botch, in per cent",
        Show::Mean => "Mean net successes",
        Show::Sd => "Standard deviation of net successes",
    };
    let grid = |title: String, value: &dyn Fn(usize, usize) -> Value| Grid {
        title,
        row_label: "pool",
        column_label: match rule {
            Rule::Storyteller(_) => "difficulty",
            Rule::Chronicles(_) => "success on",
        },
        row_heads: pools.clone().collect(),
        column_heads: match rule {
            Rule::Storyteller(_) => difficulties.clone().collect(),
            Rule::Chronicles(_) => vec![8],
        },
        cells: (0..figures[0].len())
            .map(|row| {
                (0..figures[0][row].len())
                    .map(|column| value(row, column))
                    .collect()
            })
            .collect(),
    };
    let shown = |which: usize| {
        let figures = &figures[which];
        move |row: usize, column: usize| figures[row][column].1.shown(show)
    };
    report
        .blocks
        .push(Block::Grid(grid(measure.to_owned(), &shown(0))));
    if let Some(other) = rules.get(1) {
        let described = other.describe();
        report.rules.push(format!("with {change}: {described}"));
        let title = format!("{measure}, with {change}");
        report.blocks.push(Block::Grid(grid(title, &shown(1))));
        let title = format!("What {change} changes");
        let (this, that) = (shown(0), shown(1));
        let apart = |row, column| difference(&this(row, column), &that(row, column));
        report.blocks.push(Block::Grid(grid(title, &apart)));
    }
    report.rows = Table::new("pools", "", &COLUMNS);
    for at in 0..figures[0].len() {
        for column in 0..figures[0][at].len() {
            for figures in &figures {
                let (rule, figures) = &figures[at][column];
                report.rows.rows.push(row(rule, figures));
            }
        }
    }
    Ok(report)
}

/// The figures of every cell: `[pool][difficulty]`. A pool grows die by die within a difficulty.
fn cells(
    rule: &Rule,
    pools: &RangeInclusive<i64>,
    difficulties: &RangeInclusive<i64>,
) -> Result<Vec<Vec<(Rule, Figures)>>, OddsError> {
    let mut rows: Vec<Vec<(Rule, Figures)>> = pools.clone().map(|_| Vec::new()).collect();
    for difficulty in difficulties.clone() {
        let mut growth: Option<Growth> = None;
        for (row, pool) in rows.iter_mut().zip(pools.clone()) {
            let rule = rule.sized(pool, difficulty)?;
            let compiled = rule.compile()?;
            // A chance die is no smaller pool: what follows it starts anew.
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
            row.push((rule, Figures::of(&grown.odds())));
            growth = Some(grown);
        }
    }
    Ok(rows)
}

/// The pool on the other side.
pub(super) fn other_side(args: &OddsArgs, rule: &Rule, against: &str) -> Result<Rule, OddsError> {
    let difficulty = match (&args.pool.against_difficulty, rule) {
        (Some(text), _) => range::single("--against-difficulty", text)?,
        (None, Rule::Storyteller(rule)) => i64::from(rule.difficulty),
        (None, Rule::Chronicles(_)) => 0,
    };
    rule.of_another(&args.pool, args.pool.against_specialty)
        .sized(range::single("--against", against)?, difficulty)
}

fn opposed(
    args: &OddsArgs,
    rule: &Rule,
    helpers: &[Rule],
    against: &str,
) -> Result<Report, OddsError> {
    if !args.pool.compare.is_empty() {
        return Err(OddsError::input("--compare cannot go with --against"));
    }
    let other = other_side(args, rule, against)?;
    let (ours, theirs) = (team(rule, helpers)?, other.compile()?);
    let floored = args.pool.floor;
    let tally = sample::tally(&args.output, |faces| {
        let nets = [ours.roll(faces).0, theirs.roll(faces).net];
        let [mine, theirs] = nets.map(|net| if floored { net.max(0) } else { net });
        Some(mine - theirs)
    })?;
    let odds = OpposedOdds::of(&ours.odds(), &theirs.odds(), floored);
    let mut report = Report {
        title: format!(
            "{} against {}",
            together_words(rule, helpers),
            other.question()
        ),
        rules: vec![
            in_force(rule),
            if floored {
                "net against net; a net below 0 counts as 0".to_owned()
            } else {
                "net against net, below 0 too".to_owned()
            },
        ],
        ..Report::default()
    };
    if !helpers.is_empty() {
        report.rules.push(TOGETHER.to_owned());
    }
    report.facts(rolls::versus_facts(odds.versus, &odds.margin));
    let table = rolls::table_of(
        &odds.margin,
        "margin",
        "Net successes more than the other",
        "margin",
    );
    rolls::push_distribution(&mut report, table, &odds.margin, tally.as_ref());
    Ok(report)
}
