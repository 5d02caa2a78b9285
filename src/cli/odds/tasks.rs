//! Extended rolls, rituals and magick.

use super::OddsError;
use super::args::{MagickArgs, OddsArgs, OutputArgs, TaskArgs};
use super::pools::in_force;
use super::report::{Block, Fact, Report, Table, Value};
use super::rolls::{push_distribution, push_shown, table_of};
use super::rule::{self, Rule};
use super::sample;
use crate::dice::extended::{Extended, ExtendedOdds, Gathering, OnBotch, Options};
use crate::dice::magick::{Effect, Manner};
use crate::dice::pool::{Named, Storyteller};

/// A cross-check gives up on a task that throws more dice than this.
const PATIENCE: u32 = 10_000_000;

/// What is left at the end of a list is told if it is more than this.
const FORGOTTEN: f64 = 1e-30;

fn options(args: &TaskArgs, paradox: Option<Gathering>) -> Options {
    let on_botch = args.on_botch.as_deref();
    Options {
        on_botch: on_botch.and_then(OnBotch::named).unwrap_or_default(),
        difficulty_step: args.difficulty_step,
        max_rolls: args.max_rolls,
        paradox,
    }
}

/// An extended roll of a pool.
pub(super) fn pool(args: &OddsArgs, rule: &Rule) -> Result<Report, OddsError> {
    if !args.pool.compare.is_empty() {
        return Err(OddsError::input("--compare cannot go with --ritual"));
    }
    let Rule::Storyteller(storyteller) = rule else {
        return Err(OddsError::input(
            "--ritual is for Storyteller pools: the rule of extended rolls is theirs",
        ));
    };
    let mut report = Report {
        title: format!(
            "{}, again and again until {} successes",
            rule.question(),
            storyteller.required
        ),
        rules: vec![in_force(rule)],
        ..Report::default()
    };
    let options = options(&args.task, None);
    answer(&mut report, storyteller, options, &args.output)?;
    Ok(report)
}

fn answer(
    report: &mut Report,
    rule: &Storyteller,
    options: Options,
    output: &OutputArgs,
) -> Result<(), OddsError> {
    let task = Extended::new(rule, options).map_err(OddsError::input)?;
    report.rules.push(describe(options));
    let tally = sample::tally(output, |faces| {
        let result = task.play(faces, PATIENCE / (rule.pool + 1));
        let over = result.done
            || options.max_rolls == Some(result.rolls)
            || (options.on_botch == OnBotch::Ends && result.botches > 0);
        over.then_some(i64::from(result.rolls))
    })?;
    let odds = task.odds().map_err(OddsError::input)?;
    report.facts(facts(&odds, options));
    let table = rolls_table(&odds, options);
    report.main = Some(report.blocks.len());
    push_shown(report, table);
    if options.max_rolls.is_none() && odds.unfinished > FORGOTTEN {
        report.note(format!(
            "After roll {} it is still not over with a chance of {:.4e}; means count that too.",
            odds.followed, odds.unfinished
        ));
    }
    if let Some(paradox) = &odds.paradox {
        report.facts(vec![Fact::new(
            "mean_paradox",
            "mean Paradox",
            Value::Real(paradox.mean),
        )]);
        let table = table_of(
            &paradox.distribution,
            "paradox",
            "Paradox gathered",
            "Paradox",
        );
        push_shown(report, table);
        if paradox.beyond > FORGOTTEN {
            report.note(format!(
                "There is more Paradox than listed with a chance of {:.4e}.",
                paradox.beyond
            ));
        }
    }
    if let Some(tally) = tally {
        let mut rolls = odds.done.with(&odds.ended);
        if let Some(cap) = options.max_rolls {
            let late = crate::dice::Weight::from(odds.unfinished);
            rolls = rolls.with(&crate::dice::Distribution::collect(&[(cap.into(), late)]));
        }
        let title = "Cross-check: rolls until it is over, solved and rolled";
        let table = table_of(&rolls, "rolls", title, "rolls");
        push_distribution(report, table, &rolls, Some(&tally));
    }
    Ok(())
}

fn describe(options: Options) -> String {
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
    let mut facts = vec![Fact::new(
        "p_done",
        match options.max_rolls {
            Some(cap) => format!("done within {cap} rolls"),
            None => "done in the end".to_owned(),
        },
        Value::Chance(odds.success),
    )];
    let ended = odds.ended.mass().value();
    if options.on_botch == OnBotch::Ends {
        facts.push(Fact::new(
            "p_ended",
            "ended by a botch",
            Value::Chance(ended),
        ));
    }
    if options.max_rolls.is_some() {
        facts.push(Fact::new(
            "p_unfinished",
            "out of rolls",
            Value::Chance(odds.unfinished),
        ));
    }
    facts.push(Fact::new(
        "p_botch_first",
        "a botch before it is done",
        Value::Chance(odds.botch_first),
    ));
    facts.push(Fact::new(
        "mean_rolls",
        "mean rolls until it is over",
        Value::Real(odds.mean_rolls),
    ));
    facts.push(Fact::new(
        "sd_rolls",
        "standard deviation",
        Value::Real(odds.sd_rolls),
    ));
    if odds.success > 0.0 && odds.unfinished < 1e-12 {
        let mean = odds.done.mean();
        facts.push(Fact::new(
            "mean_rolls_done",
            "mean rolls where done",
            Value::Real(mean),
        ));
    }
    facts
}

fn rolls_table(odds: &ExtendedOdds, options: Options) -> Table {
    let ends = options.on_botch == OnBotch::Ends;
    let mut columns = vec![
        ("rolls", "rolls"),
        ("done", "done at it"),
        ("done_by", "done by then"),
    ];
    if ends {
        columns.push(("ended_by", "botched by then"));
    }
    let mut table = Table::new("rolls", "Rolls", &columns);
    table.bars = Some(1);
    let mut ended = odds.ended.weights().peekable();
    let (mut done_by, mut ended_by) = (crate::dice::Weight::ZERO, crate::dice::Weight::ZERO);
    let last = odds.done.last().max(odds.ended.last());
    for roll in 1..=last {
        let done = odds.done.weight(roll);
        done_by += done;
        while let Some((_, weight)) = ended.next_if(|term| term.0 <= roll) {
            ended_by += weight;
        }
        let mut row = vec![
            Value::Whole(roll),
            Value::Chance(done.value()),
            Value::Chance(done_by.value()),
        ];
        if ends {
            row.push(Value::Chance(ended_by.value()));
        }
        table.rows.push(row);
    }
    table
}

/// An effect of magick (MD-5 to MD-7).
pub(super) fn magick(args: &MagickArgs) -> Result<Report, OddsError> {
    let manner = match (args.vulgar, args.witnessed) {
        (false, _) => Manner::Coincidental,
        (true, false) => Manner::Vulgar,
        (true, true) => Manner::Witnessed,
    };
    let effect =
        Effect::new(args.arete, args.sphere, manner, args.dice).map_err(OddsError::input)?;
    let pool = effect.pool();
    let rule = Storyteller {
        pool: pool.pool,
        difficulty: pool.difficulty,
        ..rule::storyteller(&args.options)?
    };
    let named = Rule::Storyteller(rule);
    let manner = match manner {
        Manner::Coincidental => "coincidental",
        Manner::Vulgar => "vulgar",
        Manner::Witnessed => "vulgar, a Sleeper watching",
    };
    let sum = effect.base() + args.sphere;
    let capped = if sum > effect.difficulty() {
        ", at most 10"
    } else {
        ""
    };
    let mut report = Report {
        title: format!(
            "Arete {}, Sphere {}, {manner}: {}",
            args.arete,
            args.sphere,
            named.question()
        ),
        rules: vec![
            format!(
                "difficulty {} = {} ({manner}) + Sphere {}{capped}",
                effect.difficulty(),
                effect.base(),
                args.sphere
            ),
            in_force(&named),
        ],
        ..Report::default()
    };
    if args.task.ritual {
        let gathering = effect.gathering(args.paradox == "once");
        answer(
            &mut report,
            &rule,
            options(&args.task, Some(gathering)),
            &args.output,
        )?;
        return Ok(report);
    }
    let pool = named.compile()?;
    let tally = sample::tally(&args.output, |faces| Some(pool.roll(faces).net))?;
    let odds = pool.odds();
    let net = odds.net();
    let paradox = effect.paradox_of(&odds);
    report.facts(vec![
        Fact::new(
            "difficulty",
            "difficulty",
            Value::Whole(effect.difficulty().into()),
        ),
        Fact::new("p_botch", "botch", Value::Chance(odds.botch())),
        Fact::new("p_failure", "failure", Value::Chance(odds.failure())),
        Fact::new(
            "p_diminished",
            "diminished",
            Value::Chance(odds.diminished()),
        ),
        Fact::new("p_success", "success", Value::Chance(odds.success())),
        Fact::new("mean_net", "mean net successes", Value::Real(net.mean())),
        Fact::new("sd_net", "standard deviation", Value::Real(net.sd())),
        Fact::new("mean_paradox", "mean Paradox", Value::Real(paradox.mean())),
    ]);
    let mut table = table_of(&paradox, "paradox", "Paradox", "Paradox");
    table.bars = None;
    report.blocks.push(Block::Table(table));
    let table = table_of(&net, "net", "Net successes", "net");
    push_distribution(&mut report, table, &net, tally.as_ref());
    Ok(report)
}
