//! Pools: single pools, grids of pools, two rules side by side, two pools against each other.

use super::answers::brief;
use super::args::{OddsArgs, Show};
use super::range::{self, is_sum, range};
use super::rule::{self, DIFFICULTY, Rule};
use super::{OddsError, refuse, refuse_options};
use super::{grids, rolls, tasks};
use crate::dice::Distribution;
use crate::dice::pool::{self, PoolOdds};
use crate::report::{Block, Fact, Report, Table, Value, chance};

/// The measures of a pool: key, label, value of `--show`, and title of a grid.
pub(super) const MEASURES: [(&str, &str, Show, &str); 6] = [
    (
        "p_botch",
        "botch",
        Show::Botch,
        "Chance of a botch, in per cent",
    ),
    (
        "p_failure",
        "failure",
        Show::Failure,
        "Chance of failure, in per cent",
    ),
    (
        "p_diminished",
        "diminished",
        Show::Diminished,
        "Chance of a diminished effect, in per cent",
    ),
    (
        "p_success",
        "success",
        Show::Success,
        "Chance of success, in per cent",
    ),
    (
        "mean_net",
        "mean net successes",
        Show::Mean,
        "Mean net successes",
    ),
    (
        "sd_net",
        "standard deviation",
        Show::Sd,
        "Standard deviation of net successes",
    ),
];

/// Returns the values of [`MEASURES`].
pub(super) fn figures(odds: &PoolOdds) -> [Value; 6] {
    let (mean, sd) = odds.net().mean_and_sd();
    [
        Value::Chance(odds.botch()),
        Value::Chance(odds.failure()),
        Value::Chance(odds.diminished()),
        Value::Chance(odds.success()),
        Value::Real(mean),
        Value::Real(sd),
    ]
}

pub(super) fn facts(odds: &PoolOdds) -> impl Iterator<Item = Fact> {
    let facts = MEASURES.iter().zip(figures(odds));
    facts.map(|(&(key, label, ..), value)| Fact::new(key, label, value))
}

fn row(rule: &Rule, odds: &PoolOdds) -> Vec<Value> {
    [&rule.cells()[..], &figures(odds)].concat()
}

/// Returns an empty table for rows of a rule and its measures.
pub(super) fn rows() -> Table {
    let measures = MEASURES.iter().map(|(key, ..)| *key);
    Table::of_keys("pools", rule::COLUMNS.into_iter().chain(measures))
}

/// Returns the line that states the rule of the answer.
pub(super) fn in_force(rule: &Rule) -> String {
    format!("rule: {}", rule.describe())
}

/// Answers a question about pools.
pub(super) fn answer(args: &OddsArgs, pool: &str) -> Result<Report, OddsError> {
    let pools = range("--pool", pool)?;
    let difficulties = match &args.pool.difficulty {
        Some(text) => range("--difficulty", text)?,
        None => DIFFICULTY..=DIFFICULTY,
    };
    let required = rule::required(&args.pool.options)?;
    let rule = Rule::read(&args.pool)?;
    if args.at_least.is_some() {
        return refuse("--at-least is for dice; for a pool say --required");
    }
    let is_one = required.start() == required.end();
    let is_pool = pools.start() == pools.end() && difficulties.start() == difficulties.end();
    // A single figure of a single pool is a grid of one cell.
    let is_cell = args.pool.show.is_some_and(|show| show != Show::Net);
    let mut report = if is_pool && is_one && !is_cell {
        let rule = rule.requiring(*required.start());
        let rule = rule.sized(*pools.start(), *difficulties.start())?;
        one(args, &rule)?
    } else {
        refuse_options(
            &[
                (args.pool.against.is_some(), "--against"),
                (args.pool.with.is_some(), "--with"),
                (args.pool.show == Some(Show::Net), "--show net"),
            ],
            if is_cell {
                "is for all figures of a pool, not for one of them (--show)"
            } else {
                "is for one pool and one difficulty, not for a grid"
            },
        )?;
        if is_one && !args.task.ritual {
            rule::affordable_willpower(&args.pool.options)?;
            grids::single_rolls(
                args,
                &rule.requiring(*required.start()),
                &pools,
                &difficulties,
            )?
        } else if args.pool.compare.is_empty() {
            grids::pools(args, &rule, &pools, &difficulties, &required)?
        } else {
            return refuse("--compare is for a grid of pools and difficulties of one roll");
        }
    };
    if is_sum(pool) {
        let sum = format!("pool: {} = {}", pool.trim(), pools.start());
        report.rules.insert(0, sum);
    }
    Ok(report)
}

/// Answers a question about one pool.
fn one(args: &OddsArgs, rule: &Rule) -> Result<Report, OddsError> {
    let helpers = match &args.pool.with {
        Some(text) => rule.of_another(&args.pool, false).parts("--with", text)?,
        None => Vec::new(),
    };
    if args.task.ritual {
        if !args.pool.compare.is_empty() {
            return refuse("--compare cannot go with --ritual");
        }
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

/// Returns the odds of the pool and its helpers together.
pub(super) fn team(rule: &Rule, helpers: &[Rule]) -> Result<PoolOdds, OddsError> {
    let members = std::iter::once(rule).chain(helpers);
    let pools: Result<Vec<_>, _> = members.map(Rule::compile).collect();
    Ok(pool::team(&pools?))
}

/// Describes the pool and its helpers in words.
pub(super) fn together_words(rule: &Rule, helpers: &[Rule]) -> String {
    let helpers: Vec<String> = helpers.iter().map(Rule::question).collect();
    if helpers.is_empty() {
        return rule.question();
    }
    format!("{} with {}", rule.question(), helpers.join(" and "))
}

/// The line that explains how nets are added up.
pub(super) const TOGETHER: &str =
    "together: nets of 1 or more are added up; a botch of anyone is a botch of the roll";

/// Answers a question about several pools for one action (teamwork).
fn together(args: &OddsArgs, rule: &Rule, helpers: &[Rule]) -> Result<Report, OddsError> {
    if !args.pool.compare.is_empty() {
        return refuse("--compare cannot go with --with");
    }
    let odds = team(rule, helpers)?;
    let alone = rule.compile()?.odds();
    let mut report = Report::new(
        together_words(rule, helpers),
        vec![in_force(rule), TOGETHER.to_owned()],
    );
    let mut facts: Vec<Fact> = facts(&odds).collect();
    facts.push(chance(
        "p_success_alone",
        "success of the first alone",
        alone.success(),
    ));
    facts.extend(rule::willpower_cost(&args.pool.options));
    report.facts(facts);
    report.distribution(["net", "Net successes together", "net"], &odds.net());
    Ok(report)
}

fn single(args: &OddsArgs, rule: &Rule) -> Result<Report, OddsError> {
    let odds = rule.compile()?.odds();
    let mut report = Report::new(rule.question(), vec![in_force(rule)]);
    let cost = rule::willpower_cost(&args.pool.options);
    report.facts(facts(&odds).chain(cost).collect());
    report.distribution(["net", "Net successes", "net"], &odds.net());
    if args.pool.show != Some(Show::Net) {
        report.rows = rows();
        report.rows.rows.push(row(rule, &odds));
    }
    Ok(report)
}

/// Returns the rule that `--compare` requests beside this one.
pub(super) fn other_rule(args: &OddsArgs, rule: &Rule) -> Result<Rule, OddsError> {
    let changes = &args.pool.compare;
    let names = changes.iter().filter_map(|change| change.split('=').next());
    let names: Vec<&str> = names.collect();
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            let message = format!("--compare: `{name}` stands twice");
            let help = "one other rule is compared: ask about each value separately";
            return Err(OddsError::at(
                &changes[at],
                0..name.len(),
                &message,
                Some(help),
            ));
        }
    }
    let mut changes = changes.iter();
    changes.try_fold(*rule, |rule, change| rule.changed(change))
}

fn compared(args: &OddsArgs, rule: &Rule) -> Result<Report, OddsError> {
    let other = other_rule(args, rule)?;
    let change = args.pool.compare.join(",");
    let odds = [rule.compile()?.odds(), other.compile()?.odds()];
    let figures = odds.each_ref().map(figures);
    let mut report = Report::new(
        format!("{}, beside {change}", rule.question()),
        vec![
            in_force(rule),
            format!("with {change}: {}", other.describe()),
        ],
    );
    let [this, that] = figures.each_ref().map(|values| brief(&values[3]));
    report.answer = format!("{}: success {this}; with {change} {that}", rule.question());
    let mut push = |first, titles: [&'static str; 2], pairs: Vec<(Value, [Value; 2])>| {
        let columns = [
            first,
            ("this", "this rule"),
            ("other", change.as_str()),
            ("difference", "difference"),
        ];
        let mut table = Table::new(titles[0], titles[1], &columns);
        for (name, [this, that]) in pairs {
            let difference = difference(&this, &that);
            table.rows.push(vec![name, this, that, difference]);
        }
        report.blocks.push(Block::Table(table));
    };
    let [these, those] = figures;
    let measures = MEASURES.iter().zip(these.into_iter().zip(those));
    push(
        ("measure", ""),
        ["measures", "Outcomes"],
        measures
            .map(|((_, label, ..), (this, that))| (Value::text(label), [this, that]))
            .collect(),
    );
    let nets = odds.each_ref().map(PoolOdds::net);
    let first = nets[0].first().min(nets[1].first());
    let last = nets[0].last().max(nets[1].last());
    push(
        ("net", "net"),
        ["net", "Net successes"],
        (first..=last)
            .map(|value| (value, nets.each_ref().map(|net| net.probability(value))))
            .filter(|(_, chances)| chances.iter().any(|&chance| chance >= rolls::RARE))
            .map(|(value, chances)| (Value::Whole(value), chances.map(Value::Chance)))
            .collect(),
    );
    report.rows = rows();
    report.rows.rows = vec![row(rule, &odds[0]), row(&other, &odds[1])];
    Ok(report)
}

pub(super) fn difference(this: &Value, that: &Value) -> Value {
    match (this, that) {
        (Value::Chance(this), Value::Chance(that)) => Value::Points(that - this),
        (Value::Real(this), Value::Real(that)) => Value::Real(that - this),
        _ => Value::text(""),
    }
}

/// Returns the rule of the pool on the other side.
pub(super) fn other_side(args: &OddsArgs, rule: &Rule, against: &str) -> Result<Rule, OddsError> {
    let difficulty = match &args.pool.against_difficulty {
        Some(text) => range::single("--against-difficulty", text)?,
        None => rule.difficulty(),
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
        return refuse("--compare cannot go with --against");
    }
    if args.pool.options.required.is_some() {
        return refuse(
            "--required is for one pool or for --ritual: --against compares the nets of two pools, leave it out",
        );
    }
    let other = other_side(args, rule, against)?;
    let floored = args.pool.floor;
    // With a floor the milder botch does not win.
    let least = if floored { 0 } else { i64::MIN };
    let compared = if floored {
        "net against net; a net below 0 counts as 0"
    } else {
        "net against net, below 0 too"
    };
    let net = |odds: PoolOdds| -> Distribution { odds.net().map(|net| net.max(least)) };
    let (ours, theirs) = (net(team(rule, helpers)?), net(other.compile()?.odds()));
    let mut report = Report::new(
        format!(
            "{} against {}",
            together_words(rule, helpers),
            other.question()
        ),
        vec![in_force(rule), compared.to_owned()],
    );
    if !helpers.is_empty() {
        report.rules.push(TOGETHER.to_owned());
    }
    if args.pool.options.willpower {
        report
            .rules
            .push("the first spends Willpower, the second does not".to_owned());
    }
    report.versus(&ours, &theirs, "Net successes more than the other");
    Ok(report)
}
