//! Dice notation, initiative, shots and percentile tests, and the tables of distributions.

use super::answers::brief;
use super::args::{DesperateArgs, InitiativeArgs, OddsArgs, PercentileArgs};
use super::{OddsError, parsed, refuse, refuse_options, several};
use crate::dice::attack::{DESPERATE_MISS, shot};
use crate::dice::initiative::{Explode, characteristic};
use crate::dice::percentile::Percentile;
use crate::dice::{Distribution, Notation};
use crate::report::{Block, Fact, Report, Table, Value, chance, real};

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

/// Answers a question in dice notation: one roll, or two compared.
pub(super) fn notation(args: &OddsArgs) -> Result<Report, OddsError> {
    if args.pool.pool.is_some() {
        return refuse("name dice or a --pool, not both");
    }
    let (pool, options) = (&args.pool, &args.pool.options);
    let of_pools = [
        (pool.difficulty.is_some(), "--difficulty"),
        (options.required.is_some(), "--required"),
        (options.tens.is_some(), "--tens"),
        (options.ones.is_some(), "--ones"),
        (options.ones_on_explosion.is_some(), "--ones-on-explosion"),
        (options.botch.is_some(), "--botch"),
        (options.willpower, "--willpower"),
        (options.rolled.is_some(), "--rolled"),
        (pool.specialty, "--specialty"),
        (pool.chronicles, "--chronicles"),
        (pool.again.is_some(), "--again"),
        (pool.rote, "--rote"),
        (pool.with.is_some(), "--with"),
        (pool.split.is_some(), "--split"),
        (pool.against.is_some(), "--against"),
        (!pool.compare.is_empty(), "--compare"),
        (pool.show.is_some(), "--show"),
        (args.task.ritual, "--ritual"),
    ];
    refuse_options(
        &of_pools,
        "is for a --pool, not for dice: leave it out, or ask about `--pool N`",
    )?;
    let text = args.notation.join(" ");
    // The words may be pieces of one notation, or several notations.
    let read = Notation::parse_versus(&text);
    if read.is_err()
        && let Some(rolls) = several::read(&args.notation)
    {
        return several::answer(args, &rolls);
    }
    match parsed(&text, read)? {
        (notation, None) => Ok(single(args, &notation)),
        (first, Some(second)) => versus(args, &first, &second),
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

fn versus(args: &OddsArgs, first: &Notation, second: &Notation) -> Result<Report, OddsError> {
    if args.at_least.is_some() {
        return refuse("--at-least is for one roll, not for a comparison");
    }
    let mut report = Report::new(format!("{first} vs {second}"), Vec::new());
    let rolls = [first, second].map(Notation::distribution);
    report.versus(&rolls[0], &rolls[1], "The first less the second");
    Ok(report)
}

/// Answers a question about the Initiative Score (TC-3).
pub(super) fn initiative(args: &InitiativeArgs) -> Result<Report, OddsError> {
    const BOUND: u64 = 1_000_000;
    let characteristic = match (args.characteristic, args.agility, args.intellect) {
        (Some(characteristic), ..) => characteristic,
        (None, Some(agility), Some(intellect)) => {
            if agility.unsigned_abs().max(intellect.unsigned_abs()) > BOUND {
                return refuse(format!("attributes go up to {BOUND}"));
            }
            characteristic(agility, intellect)
        }
        _ => {
            return refuse("name the characteristic, or Agility and Intellect");
        }
    };
    if characteristic.unsigned_abs() > BOUND {
        return refuse(format!("a characteristic goes up to {BOUND}"));
    }
    let most = args.round_marks;
    let bonus = characteristic - i64::from(args.evade_modifier / 2);
    let dice = match args.explode {
        Explode::Once => "1d10xo",
        Explode::Recursive => "1d10x",
        Explode::None => "1d10",
    };
    let rolls = parsed(dice, Notation::parse(dice))?.distribution();
    let scores = rolls.map(|rolled| (bonus + rolled).min(most));
    let mut report = Report::new(
        format!("Initiative Score, characteristic {characteristic}"),
        vec![format!(
            "rule: {bonus} + 1d10; {}; at most {most}; below 1 there is no acting",
            match args.explode {
                Explode::Once => "a 10 adds one more d10, once",
                Explode::Recursive => "a 10 adds one more d10, and again on its 10",
                Explode::None => "a 10 is a 10",
            }
        )],
    );
    let mut facts = vec![
        chance("p_cannot_act", "cannot act", scores.below(1)),
        chance(
            "p_full_action",
            "has the Marks of a Full Action (15)",
            scores.at_least(15),
        ),
        chance("p_max", format!("reaches {most}"), scores.at_least(most)),
    ];
    facts.extend(spread_facts(&scores));
    report.facts(facts);
    report.distribution(["score", "Scores", "score"], &scores);
    Ok(report)
}

/// Compares a plain and a desperate shot (TC-11).
pub(super) fn desperate(args: &DesperateArgs) -> Result<Report, OddsError> {
    const BOUND: u64 = 1_000_000_000;
    if [args.bonus, args.mastery, args.evade]
        .iter()
        .any(|value| value.unsigned_abs() > BOUND)
    {
        return refuse(format!("bonuses and evade go up to {BOUND}"));
    }
    let mut report = Report::new(
        format!(
            "2d10{:+} with mastery {:+} against evade {}",
            args.bonus, args.mastery, args.evade
        ),
        vec![
            "rule: reaching the evade hits; a desperate shot goes without mastery, and misses on a \
             natural 5 or less on either die"
                .to_owned(),
        ],
    );
    let columns = [
        ("shot", "shot"),
        ("p_hit", "hit"),
        ("p_spoiled", "spoiled by a 5 or less"),
        ("p_missed", "below the evade"),
    ];
    let mut table = Table::new("shots", "Shots", &columns);
    // TC-11: a desperate shot goes without mastery.
    for (name, bonus, spoils) in [
        ("plain", args.bonus + args.mastery, 0),
        ("desperate", args.bonus, DESPERATE_MISS.into()),
    ] {
        let chances = shot(bonus, args.evade, spoils).map(Value::Chance);
        table
            .rows
            .push([&[Value::text(name)], &chances[..]].concat());
    }
    report.main_table(table);
    Ok(report)
}

/// Answers a percentile test (EP-9).
pub(super) fn percentile(args: &PercentileArgs) -> Report {
    let test = Percentile { skill: args.skill };
    if let Some(against) = args.against {
        return opposed(args, test, Percentile { skill: against });
    }
    let mut report = Report::new(
        format!("a percentile test against {}", args.skill),
        vec![
            "rule: 00 to 99 at or under the skill; 00 succeeds, 99 fails; doubles are critical"
                .to_owned(),
        ],
    );
    let names = ["critical success", "success", "failure", "critical failure"];
    push_outcomes(&mut report, ["p_success", "success"], names, test.odds());
    report
}

/// Answers an attack by a percentile test against a defence (EP-9).
fn opposed(args: &PercentileArgs, attack: Percentile, defence: Percentile) -> Report {
    let any_success = args.defence == "success";
    let rule = if any_success {
        "rule: any success defends"
    } else {
        "rule: if both succeed, the higher roll wins; equal rolls defend; a critical beats any plain success"
    };
    let mut report = Report::new(
        format!(
            "a percentile test of {} against a defence of {}",
            attack.skill, defence.skill
        ),
        vec![rule.to_owned()],
    );
    let names = ["critical hit", "hit", "defended", "missed"];
    let odds = attack.opposed(defence, any_success);
    push_outcomes(&mut report, ["p_hit", "hit"], names, odds);
    report
}

/// Adds the counts of all outcomes as chances, and the chance of the first two together, critical and plain success, as
/// the fact `key`.
fn push_outcomes(
    report: &mut Report,
    [key, name]: [&'static str; 2],
    outcomes: [&str; 4],
    counts: [u32; 4],
) {
    let all: u32 = counts.iter().sum();
    let share = |count: u32| f64::from(count) / f64::from(all);
    let columns = [("outcome", "outcome"), ("probability", "chance")];
    let mut table = Table::new("outcomes", "Outcomes", &columns);
    table.rows = outcomes
        .iter()
        .zip(counts)
        .map(|(outcome, count)| vec![Value::text(outcome), Value::Chance(share(count))])
        .collect();
    table.bars = Some(1);
    let label = format!("{name} (criticals included)");
    report.facts(vec![chance(key, label, share(counts[0] + counts[1]))]);
    report.main_table(table);
}
