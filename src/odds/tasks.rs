//! Extended rolls, rituals and magick.

use super::args::{MagickArgs, OddsArgs, PoolOptions, TaskArgs};
use super::pools::{TOGETHER, in_force, other_side, team, together_words};
use super::rolls::table_of;
use super::rule::{self, Rule};
use super::{OddsError, refuse, refuse_options};
use super::{grids, pools, range, rolled};
use crate::dice::extended::{Extended, ExtendedOdds, Gathering, OnBotch, Options, RaceOdds};
use crate::dice::magick::{MAX_RATING, MagickEffect, Manner};
use crate::dice::pool::Storyteller;
use crate::dice::{Distribution, Weight};
use crate::report::number::counted;
use crate::report::{Block, Fact, Report, Table, Value, chance, real};

/// The chance of values outside a list above which the answer states it.
const FORGOTTEN: f64 = 1e-30;

pub(super) fn options(
    args: &TaskArgs,
    pool: &PoolOptions,
    paradox: Option<Gathering>,
) -> Result<Options, OddsError> {
    let willpower = match (pool.willpower, pool.willpower_points) {
        (false, _) => 0,
        (true, Some(points)) => points,
        (true, None) => {
            return refuse(
                "--willpower in an extended roll costs a point a roll: say how many there are with \
                 --willpower-points",
            );
        }
    };
    Ok(Options {
        on_botch: args.on_botch.unwrap_or_default(),
        difficulty_step: args.difficulty_step,
        max_rolls: args.max_rolls,
        paradox,
        willpower,
        turns_per_roll: args.turns_per_roll.unwrap_or(1),
    })
}

/// Returns the options of an extended roll, if one is requested.
pub(super) fn ritual(args: &TaskArgs, pool: &PoolOptions) -> Result<Option<Options>, OddsError> {
    args.ritual.then(|| options(args, pool, None)).transpose()
}

/// Returns the Storyteller pool of a task, without Willpower, which is spent as the options of the task say.
fn storyteller(rule: &Rule) -> Result<Storyteller, OddsError> {
    match rule {
        Rule::Storyteller(rule) => Ok(Storyteller {
            willpower: false,
            ..*rule
        }),
        Rule::Chronicles(_) => {
            refuse("--ritual is for Storyteller pools: the rule of extended rolls is theirs")
        }
    }
}

fn shared(rule: &Rule, helpers: &[Rule], options: Options) -> Result<Extended, OddsError> {
    let helpers: Result<Vec<_>, _> = helpers.iter().map(storyteller).collect();
    Extended::shared(&storyteller(rule)?, &helpers?, options).map_err(OddsError::input)
}

/// Returns the rules of one side in words: its pool, and how nets are added up.
fn rules(rule: &Rule, helpers: &[Rule]) -> Result<Vec<String>, OddsError> {
    let mut rules = vec![in_force(&Rule::Storyteller(storyteller(rule)?))];
    if !helpers.is_empty() {
        rules.push(TOGETHER.to_owned());
    }
    Ok(rules)
}

fn successes(required: u32) -> String {
    let plural = if required == 1 { "" } else { "es" };
    format!("{required} success{plural}")
}

/// Answers a question about an extended roll of a pool.
pub(super) fn pool(args: &OddsArgs, rule: &Rule, helpers: &[Rule]) -> Result<Report, OddsError> {
    let options = options(&args.task, &args.pool.options, None)?;
    let mut report = Report::new(
        format!(
            "{}, again and again until {}",
            together_words(rule, helpers),
            successes(storyteller(rule)?.required)
        ),
        rules(rule, helpers)?,
    );
    let task = shared(rule, helpers, options)?;
    answer(&mut report, &task, options)?;
    Ok(report)
}

/// Answers a question about a race: two sides roll at the same time until one of them is done (a resisted and extended
/// roll).
pub(super) fn race(
    args: &OddsArgs,
    rule: &Rule,
    helpers: &[Rule],
    against: &str,
) -> Result<Report, OddsError> {
    if args.pool.floor {
        return refuse(
            "--floor is for one roll against another: in an extended roll no net below 1 counts",
        );
    }
    let options = options(&args.task, &args.pool.options, None)?;
    let required = match &args.pool.against_required {
        Some(text) => rule::whole_required(range::single("--against-required", text)?)?,
        None => storyteller(rule)?.required,
    };
    let other = other_side(args, rule, against)?.requiring(required);
    // Only the first side spends Willpower, as in a single roll.
    let unwilling = Options {
        willpower: 0,
        ..options
    };
    let tasks = [
        shared(rule, helpers, options)?,
        shared(&other, &[], unwilling)?,
    ];
    let mut report = Report::new(
        format!(
            "{} until {}, against {} until {required}",
            together_words(rule, helpers),
            successes(storyteller(rule)?.required),
            other.question()
        ),
        rules(rule, helpers)?,
    );
    report.rules.push(describe(options));
    if options.willpower > 0 {
        report
            .rules
            .push("only the first side spends Willpower".to_owned());
    }
    report.rules.push(
        "race: both roll at the same time; first to gather what it needs wins; whose work has \
         ended is out"
            .to_owned(),
    );
    let [first, second] = tasks.each_ref().map(Extended::odds);
    let race = RaceOdds::of(
        &first.map_err(OddsError::input)?,
        &second.map_err(OddsError::input)?,
    );
    report.facts(race_facts(&race, options));
    let columns = [
        ("over", "over at it"),
        ("first", "first wins"),
        ("tie", "tie"),
        ("second", "second wins"),
        ("over_by", "over by then"),
    ];
    let over = race.over();
    let mut over_by = Weight::ZERO;
    let table = rolls_table(options, &columns, over.last(), |roll| {
        let weight = over.weight(roll);
        over_by += weight;
        let [first, tie, second] =
            [&race.first, &race.tie, &race.second].map(|part| part.weight(roll));
        vec![weight, first, tie, second, over_by]
    });
    report.table_of_rare(table);
    if options.max_rolls.is_none() && race.undecided > FORGOTTEN {
        report.note(format!(
            "After roll {} it is still undecided with a chance of {:.4e}.",
            race.followed, race.undecided
        ));
    }
    Ok(report)
}

fn race_facts(race: &RaceOdds, options: Options) -> Vec<Fact> {
    let mass = |part: &Distribution| part.mass().value();
    let mut facts = vec![
        chance("p_first", "the first wins", mass(&race.first)),
        chance("p_tie", "both are done at the same roll", mass(&race.tie)),
        chance("p_second", "the second wins", mass(&race.second)),
    ];
    if options.on_botch == OnBotch::Ends {
        let label = "botches end the work of both";
        facts.push(chance("p_nobody", label, mass(&race.nobody)));
    }
    let mut over = race.over();
    if let Some(cap) = options.max_rolls {
        let label = "out of rolls";
        facts.push(chance("p_unfinished", label, race.undecided));
        let late = [(i64::from(cap), race.undecided.into())];
        over = over.with(&Distribution::collect(&late));
    }
    if options.max_rolls.is_some() || race.undecided < 1e-12 {
        let (mean, sd) = over.mean_and_sd();
        let label = "mean rolls until it is over";
        facts.push(real("mean_rolls", label, mean));
        facts.push(real("sd_rolls", "standard deviation", sd));
        facts.extend(mean_turns(mean, options));
    }
    facts
}

/// Returns a table with a row for each roll up to `last`: its number, the turns of work if a roll takes more than one,
/// and the chances of the other columns.
fn rolls_table(
    options: Options,
    more: &[(&'static str, &'static str)],
    last: i64,
    mut chances: impl FnMut(i64) -> Vec<Weight>,
) -> Table {
    let turns = Some(i64::from(options.turns_per_roll)).filter(|&turns| turns > 1);
    let mut columns = vec![("rolls", "rolls")];
    columns.extend(turns.map(|_| ("turns", "turns of work")));
    let bars = columns.len();
    columns.extend(more);
    let mut table = Table::new("rolls", "Rolls", &columns);
    table.bars = Some(bars);
    for roll in 1..=last {
        let mut row = vec![Value::Whole(roll)];
        row.extend(turns.map(|turns| Value::Whole(roll * turns)));
        let chances = chances(roll).into_iter();
        row.extend(chances.map(|weight| Value::Chance(weight.value())));
        table.rows.push(row);
    }
    table
}

/// Returns the mean duration of the work, if a roll takes more than one turn (MD-7).
fn mean_turns(mean_rolls: f64, options: Options) -> Option<Fact> {
    let mean = mean_rolls * f64::from(options.turns_per_roll);
    (options.turns_per_roll > 1)
        .then(|| real("mean_turns", "mean turns of work until it is over", mean))
}

fn answer(report: &mut Report, task: &Extended, options: Options) -> Result<(), OddsError> {
    report.rules.push(describe(options));
    let odds = task.odds().map_err(OddsError::input)?;
    report.facts(facts(&odds, options));
    let mut columns = vec![("done", "done at it"), ("done_by", "done by then")];
    if options.on_botch == OnBotch::Ends {
        columns.push(("ended_by", "botched by then"));
    }
    let last = odds.done.last().max(odds.ended.last());
    let (mut done_by, mut ended_by) = (Weight::ZERO, Weight::ZERO);
    let table = rolls_table(options, &columns, last, |roll| {
        let done = odds.done.weight(roll);
        done_by += done;
        ended_by += odds.ended.weight(roll);
        [done, done_by, ended_by][..columns.len()].to_vec()
    });
    report.table_of_rare(table);
    if options.max_rolls.is_none() && odds.unfinished > FORGOTTEN {
        report.note(format!(
            "After roll {} it is still not over with a chance of {:.4e}; means count that too.",
            odds.followed, odds.unfinished
        ));
    }
    if let (Some((paradox, beyond)), Some(mean)) = (&odds.paradox, odds.summary.mean_paradox) {
        report.facts(vec![real("mean_paradox", "mean Paradox", mean)]);
        let table = table_of(paradox, "paradox", "Paradox gathered", "Paradox");
        report.table(table);
        if *beyond > FORGOTTEN {
            report.note(format!(
                "There is more Paradox than listed with a chance of {beyond:.4e}."
            ));
        }
    }
    Ok(())
}

pub(super) fn describe(options: Options) -> String {
    let mut parts = vec![match options.on_botch {
        OnBotch::Ends => "a botch ends it".to_owned(),
        OnBotch::LosesAll => "a botch loses all successes".to_owned(),
        OnBotch::Continues => "a botch adds nothing".to_owned(),
    }];
    if options.difficulty_step > 0 {
        parts.push(format!(
            "a roll that adds nothing raises the difficulty by {}, up to 10",
            options.difficulty_step
        ));
    }
    if let Some(cap) = options.max_rolls {
        parts.push(format!("at most {cap} rolls"));
    }
    if options.turns_per_roll > 1 {
        parts.push(format!("a roll takes {} turns", options.turns_per_roll));
    }
    if options.willpower > 0 {
        let points = counted(options.willpower.into(), "point");
        parts.push(format!(
            "{points} of Willpower, spent on the first rolls for a sure success each"
        ));
    }
    if let Some(paradox) = options.paradox {
        let each = paradox.each;
        parts.push(match (each, paradox.once) {
            (0, true) => "1 Paradox if any roll botches".to_owned(),
            (0, false) => "1 Paradox for each botch".to_owned(),
            (_, true) => format!("{each} Paradox, once"),
            (_, false) => format!("{each} Paradox for each roll"),
        });
    }
    format!("work: {}", parts.join("; "))
}

fn facts(odds: &ExtendedOdds, options: Options) -> Vec<Fact> {
    let summary = &odds.summary;
    let done = match options.max_rolls {
        Some(cap) => format!("done within {cap} rolls"),
        None => "done in the end".to_owned(),
    };
    let mut facts = vec![chance("p_done", done, summary.success)];
    let ended = odds.ended.mass().value();
    if options.on_botch == OnBotch::Ends {
        facts.push(chance("p_ended", "ended by a botch", ended));
    }
    if options.max_rolls.is_some() {
        facts.push(chance("p_unfinished", "out of rolls", odds.unfinished));
    }
    let label = "a botch before it is done";
    facts.push(chance("p_botch_first", label, summary.botch_first));
    let label = "mean rolls until it is over";
    facts.push(real("mean_rolls", label, summary.mean_rolls));
    facts.push(real("sd_rolls", "standard deviation", odds.sd_rolls));
    facts.extend(mean_turns(summary.mean_rolls, options));
    if options.willpower > 0 {
        let label = "mean Willpower spent";
        facts.push(real("mean_willpower", label, odds.mean_willpower));
    }
    if summary.success > 0.0 && odds.unfinished < 1e-12 {
        let mean = odds.done.mean();
        facts.push(real("mean_rolls_done", "mean rolls where done", mean));
    }
    facts
}

/// Describes the manner of an effect in words.
pub(super) const fn manner_words(manner: Manner) -> &'static str {
    match manner {
        Manner::Coincidental => "coincidental",
        Manner::Vulgar => "vulgar",
        Manner::Witnessed => "vulgar, a Sleeper watching",
    }
}

/// Answers a question about an effect of magick (MD-5 to MD-7).
pub(super) fn magick(args: &MagickArgs) -> Result<Report, OddsError> {
    let manner = match (args.vulgar, args.witnessed) {
        (false, _) => Manner::Coincidental,
        (true, false) => Manner::Vulgar,
        (true, true) => Manner::Witnessed,
    };
    let is_range = |text: &str| text.contains("..");
    if is_range(&args.arete)
        || is_range(&args.sphere)
        || args.options.required.as_deref().is_some_and(is_range)
    {
        refuse_options(
            &[
                (args.options.rolled.is_some(), "--rolled"),
                (args.with.is_some(), "--with"),
            ],
            "is for one effect, not for a grid",
        )?;
        if !args.task.ritual {
            rule::affordable_willpower(&args.options)?;
        }
        return grids::magick(args, manner);
    }
    if args.show.is_some() {
        return refuse("--show is for a grid: give a range, as in --arete 1..5");
    }
    let rating = |option: &str, text: &str| {
        let value = range::single(option, text)?;
        u32::try_from(value).map_err(|_| {
            OddsError::input(format!(
                "{option} {value}: ratings lie from 1 to {MAX_RATING}"
            ))
        })
    };
    let arete = rating("--arete", &args.arete)?;
    let sphere = rating("--sphere", &args.sphere)?;
    let effect = MagickEffect::new(arete, sphere, manner, args.dice).map_err(OddsError::input)?;
    let pool = effect.pool();
    let rule = Storyteller {
        pool: pool.pool,
        difficulty: pool.difficulty,
        required: rule::single_required(&args.options)?,
        ..rule::storyteller(&args.options)
    };
    let named = Rule::Storyteller(rule);
    let helpers = match &args.with {
        Some(text) => named.parts("--with", text)?,
        None => Vec::new(),
    };
    let manner = manner_words(manner);
    let sum = effect.base() + sphere;
    let is_capped = sum > effect.difficulty();
    let capped = if is_capped { ", at most 10" } else { "" };
    let mut report = Report::new(
        format!(
            "Arete {arete}, Sphere {sphere}, {manner}: {}",
            together_words(&named, &helpers)
        ),
        vec![
            format!(
                "difficulty {} = {} ({manner}) + Sphere {sphere}{capped}",
                effect.difficulty(),
                effect.base(),
            ),
            in_force(&named),
        ],
    );
    if let Some(text) = &args.options.rolled {
        if !helpers.is_empty() {
            return refuse("--with cannot go with --rolled, which reads one roll");
        }
        rule::affordable_willpower(&args.options)?;
        refuse_options(&[(args.task.ritual, "--ritual")], rolled::ONE_ROLL)?;
        let paradox = Some(effect.paradox());
        rolled::answer(&mut report, &named, &args.options, text, paradox)?;
        return Ok(report);
    }
    if args.task.ritual {
        let gathering = effect.gathering(args.paradox == "once");
        let options = options(&args.task, &args.options, Some(gathering))?;
        report.rules.pop();
        report.rules.extend(rules(&named, &helpers)?);
        let task = shared(&named, &helpers, options)?;
        answer(&mut report, &task, options)?;
        return Ok(report);
    }
    if !helpers.is_empty() {
        report.rules.push(TOGETHER.to_owned());
    }
    rule::affordable_willpower(&args.options)?;
    let odds = team(&named, &helpers)?;
    let paradox = effect.paradox_of(&odds);
    let difficulty = Value::Whole(effect.difficulty().into());
    let mut facts = vec![Fact::new("difficulty", "difficulty", difficulty)];
    facts.extend(pools::facts(&odds));
    facts.push(real("mean_paradox", "mean Paradox", paradox.mean()));
    report.facts(facts);
    if let Some(cost) = rule::willpower_cost(&args.options) {
        report.facts(vec![cost]);
    }
    let mut table = table_of(&paradox, "paradox", "Paradox", "Paradox");
    table.bars = None;
    report.blocks.push(Block::Table(table));
    report.distribution(["net", "Net successes", "net"], &odds.net());
    Ok(report)
}
