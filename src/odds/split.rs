//! A pool divided over several actions (MA-3): how many of them succeed.

use super::args::OddsArgs;
use super::pools::in_force;
use super::range::{self, single};
use super::rule::{self, Rule};
use super::{OddsError, refuse_options};
use crate::dice::pool::{Pool, PoolOdds};
use crate::dice::{Distribution, Weight};
use crate::report::{Block, Report, Table, Value, chance, real};

/// The greatest number of actions that a pool can be divided over.
const MAX_PARTS: usize = 100;

/// Answers a question about a divided pool.
pub(super) fn answer(args: &OddsArgs, text: &str) -> Result<Report, OddsError> {
    refuse_options(
        &[
            (args.at_least.is_some(), "--at-least"),
            (args.pool.against.is_some(), "--against"),
            (args.pool.with.is_some(), "--with"),
            (!args.pool.compare.is_empty(), "--compare"),
            (args.pool.show.is_some(), "--show"),
            (args.pool.options.willpower, "--willpower"),
            (args.task.ritual, "--ritual"),
        ],
        "cannot go with --split",
    )?;
    let pool = args.pool.pool.as_deref();
    let pool = pool.map(|text| single("--pool", text)).transpose()?;
    let difficulty = rule::single_difficulty(&args.pool)?;
    let required = rule::single_required(&args.pool.options)?;
    let rule = Rule::read(&args.pool)?.requiring(required);
    let rule = rule.sized(pool.unwrap_or(0), difficulty)?;
    let parts = divide(&rule, pool, text)?;
    let pools: Vec<Pool> = parts.iter().map(Rule::compile).collect::<Result<_, _>>()?;
    let dice: i64 = parts.iter().map(Rule::pool).sum();
    let sizes: Vec<String> = parts.iter().map(|part| part.pool().to_string()).collect();
    let mut report = Report::new(
        format!("{dice} dice divided: {}", sizes.join(" + ")),
        vec![in_force(&rule)],
    );
    let odds: Vec<PoolOdds> = pools.iter().map(Pool::odds).collect();
    let least = i64::from(required);
    let hits = count(&odds, |odds| {
        let missed = odds.clean().weight_below(least) + odds.botched().mass();
        (missed, odds.clean().weight_at_least(least))
    });
    let botches = count(&odds, |odds| (odds.clean().mass(), odds.botched().mass()));
    report.facts(vec![
        chance("p_any", "at least one succeeds", hits.at_least(1)),
        chance("p_all", "all succeed", hits.at_least(parts.len() as i64)),
        real("mean_hits", "mean successful actions", hits.mean()),
        real("sd_hits", "standard deviation", hits.sd()),
        chance("p_any_botch", "at least one botches", botches.at_least(1)),
    ]);
    report.blocks.push(Block::Table(table(&parts, &odds)));
    let difficulty = rule.difficulty();
    if parts.iter().all(|part| part.difficulty() == difficulty) {
        let undivided = rule.sized(dice, difficulty)?.compile()?.odds();
        let label = format!("one action with all {dice} dice succeeds");
        report.facts(vec![chance("p_undivided", label, undivided.success())]);
    }
    report.distribution(["hits", "Successful actions", "actions"], &hits);
    Ok(report)
}

/// Returns the parts: as listed, or a number of even parts, of which the first get the remaining dice.
fn divide(rule: &Rule, pool: Option<i64>, text: &str) -> Result<Vec<Rule>, OddsError> {
    let at = |message: &str, help: Option<&str>| {
        let message = format!("--split: {message}");
        Err(OddsError::at(text, 0..text.len(), &message, help))
    };
    let named = range::parts("--split", text)?;
    let parts = if let [(count, difficulty)] = named[..] {
        let help = Some("write the parts (`--split 4,3`), or the number of even parts and --pool");
        let (Some(pool), None) = (pool, difficulty) else {
            return at("one part divides nothing", help);
        };
        if count < 2 || count > MAX_PARTS as i64 {
            let message = format!("a pool is divided into 2 to {MAX_PARTS} parts");
            return at(&message, help);
        }
        if count > pool {
            let message = format!("{pool} dice in {count} parts: each needs a die");
            return at(&message, None);
        }
        let sizes = (0..count).map(|part| {
            let odd = i64::from(part < pool % count);
            (pool / count + odd).to_string()
        });
        rule.parts("--split", &sizes.collect::<Vec<_>>().join(","))?
    } else {
        if named.len() > MAX_PARTS {
            return at(
                &format!("a pool is divided into 2 to {MAX_PARTS} parts"),
                None,
            );
        }
        rule.parts("--split", text)?
    };
    if parts.iter().any(|part| part.pool() < 1) {
        return at("each part needs at least one die", None);
    }
    let sum: i64 = parts.iter().map(Rule::pool).sum();
    match pool {
        Some(pool) if pool != sum => at(
            &format!("the parts have {sum} dice, the pool has {pool}"),
            None,
        ),
        _ => Ok(parts),
    }
}

/// Returns the distribution of the number of independent actions with some result. `chances` returns the chances of the
/// action being without it and with it.
fn count(odds: &[PoolOdds], chances: impl Fn(&PoolOdds) -> (Weight, Weight)) -> Distribution {
    odds.iter().fold(Distribution::certain(0), |sum, odds| {
        let (no, yes) = chances(odds);
        sum.plus(&Distribution::collect(&[(0, no), (1, yes)]))
    })
}

fn table(parts: &[Rule], odds: &[PoolOdds]) -> Table {
    let columns = [
        ("part", "part"),
        ("dice", "dice"),
        ("difficulty", "difficulty"),
        ("p_botch", "botch"),
        ("p_failure", "failure"),
        ("p_diminished", "diminished"),
        ("p_success", "success"),
    ];
    let mut table = Table::new("parts", "Parts", &columns);
    for ((at, part), odds) in (1..).zip(parts).zip(odds) {
        let difficulty = match part {
            Rule::Storyteller(rule) => rule.difficulty.into(),
            Rule::Chronicles(_) => 8,
        };
        table.rows.push(vec![
            Value::Whole(at),
            Value::Whole(part.pool()),
            Value::Whole(difficulty),
            Value::Chance(odds.botch()),
            Value::Chance(odds.failure()),
            Value::Chance(odds.diminished()),
            Value::Chance(odds.success()),
        ]);
    }
    table
}
