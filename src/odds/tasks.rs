//! Extended rolls, rituals and magick (MD-5 to MD-7).

use super::OddsError;
use super::args::MagickArgs;
use super::check::Roll;
use super::rolls::table_of;
use crate::dice::Weight;
use crate::dice::extended::{Extended, ExtendedOdds, OnBotch, Options};
use crate::report::number::counted;
use crate::report::{Fact, Report, Table, Value, chance, real};

/// The chance of values outside a list above which the answer states it.
const FORGOTTEN: f64 = 1e-30;

/// The number of turns that each roll of the task takes (MD-7).
fn turns_per_roll(roll: &Roll) -> i64 {
    let magick = roll.spell.as_ref().and_then(|spell| spell.magick);
    magick.map_or(1, |magick| magick.turns_per_roll.into())
}

/// Describes the manner of an effect in words.
pub(super) const fn manner(args: &MagickArgs) -> &'static str {
    match (args.vulgar, args.witnessed) {
        (false, _) => "coincidental",
        (true, false) => "vulgar",
        (true, true) => "vulgar, a Sleeper watching,",
    }
}

/// Returns the figures of a task that need no list of rolls.
pub(super) fn figures(task: &Extended, roll: &Roll) -> Result<Vec<Fact>, OddsError> {
    let summary = task.summary().map_err(OddsError::input)?;
    let mut facts = vec![
        chance("p_done", "done", summary.success),
        chance(
            "p_botch_first",
            "a botch before it is done",
            summary.botch_first,
        ),
        real(
            "mean_rolls",
            "mean rolls until it is over",
            summary.mean_rolls,
        ),
    ];
    facts.extend(mean_turns(summary.mean_rolls, roll));
    let paradox = summary.mean_paradox;
    facts.extend(paradox.map(|mean| real("mean_paradox", "mean Paradox", mean)));
    Ok(facts)
}

/// Returns the mean duration of the work, if a roll takes more than one turn (MD-7).
fn mean_turns(mean_rolls: f64, roll: &Roll) -> Option<Fact> {
    let turns = turns_per_roll(roll);
    let mean = mean_rolls * turns as f64;
    (turns > 1).then(|| real("mean_turns", "mean turns of work until it is over", mean))
}

/// Returns a table with a row for each roll up to `last`: its number, the turns of work if a roll takes more than one,
/// and the chances of the other columns.
fn rolls_table(
    roll: &Roll,
    more: &[(&'static str, &'static str)],
    last: i64,
    mut chances: impl FnMut(i64) -> Vec<Weight>,
) -> Table {
    let turns = Some(turns_per_roll(roll)).filter(|&turns| turns > 1);
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

/// Answers a question about a task.
pub(super) fn answer(
    report: &mut Report,
    roll: &Roll,
    (task, options): &(Extended, Options),
) -> Result<(), OddsError> {
    report.rules.push(describe(*options, roll));
    let odds = task.odds().map_err(OddsError::input)?;
    report.facts(facts(&odds, *options, roll));
    let mut columns = vec![("done", "done at it"), ("done_by", "done by then")];
    if options.on_botch == OnBotch::Ends {
        columns.push(("ended_by", "botched by then"));
    }
    let last = odds.done.last().max(odds.ended.last());
    let (mut done_by, mut ended_by) = (Weight::ZERO, Weight::ZERO);
    let table = rolls_table(roll, &columns, last, |roll| {
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

fn describe(options: Options, roll: &Roll) -> String {
    let mut parts = vec![match options.on_botch {
        OnBotch::Ends => "a botch ends it".to_owned(),
        OnBotch::LosesAll => "a botch loses all successes".to_owned(),
        OnBotch::Continues => "a botch adds nothing".to_owned(),
    }];
    let harder = roll.spell.as_ref().map(|spell| &spell.harder);
    if harder.is_some_and(|harder| !harder.is_empty()) {
        parts.push("a roll that adds nothing raises the difficulty, up to 10".to_owned());
    }
    if let Some(cap) = options.max_rolls {
        parts.push(format!("at most {cap} rolls"));
    }
    let turns = turns_per_roll(roll);
    if turns > 1 {
        parts.push(format!("a roll takes {turns} turns"));
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

fn facts(odds: &ExtendedOdds, options: Options, roll: &Roll) -> Vec<Fact> {
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
    facts.extend(mean_turns(summary.mean_rolls, roll));
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
