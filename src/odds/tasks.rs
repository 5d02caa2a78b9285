//! Extended rolls, rituals and magick (MD-5 to MD-7).

use super::args::MagickArgs;
use super::check::Roll;
use super::rolls::table_of;
use crate::dice::Weight;
use crate::dice::extended::{Extended, OnBotch, Options, Summary};
use crate::report::{Fact, Report, Table, Value, chance, real};
use crate::task::Failure;

/// The chance of values outside a list above which the answer states it.
const FORGOTTEN: f64 = 1e-30;

/// Describes the manner of an effect in words.
pub(super) const fn manner(args: &MagickArgs) -> &'static str {
    match (args.vulgar, args.witnessed) {
        (false, _) => "coincidental",
        (true, false) => "vulgar",
        (true, true) => "vulgar, witnessed",
    }
}

/// Returns the figures of a task that need no list of rolls.
pub(super) fn figures(summary: &Summary, options: Options, roll: &Roll) -> Vec<Fact> {
    let done = match options.max_rolls {
        Some(cap) => format!("done within {cap} rolls"),
        None => "done in the end".to_owned(),
    };
    let mean = summary.mean_rolls;
    let mut facts = vec![
        chance("p_done", done, summary.success),
        chance(
            "p_botch_first",
            "a botch before it is done",
            summary.botch_first,
        ),
        real("mean_rolls", "mean rolls until it is over", mean),
    ];
    let turns = roll.turns_per_roll();
    if turns > 1 {
        let label = "mean turns of work until it is over";
        facts.push(real("mean_turns", label, mean * turns as f64));
    }
    let paradox = summary.mean_paradox;
    facts.extend(paradox.map(|mean| real("mean_paradox", "mean Paradox", mean)));
    facts
}

/// Answers a question about a task.
pub(super) fn answer(
    report: &mut Report,
    roll: &Roll,
    (task, options): &(Extended, Options),
) -> Result<(), Failure> {
    let odds = task.odds().map_err(Failure::input)?;
    let ends = options.on_botch == OnBotch::Ends;
    report.rules.extend(rules(*options));
    let mut facts = figures(&odds.summary, *options, roll);
    facts.push(real(
        "sd_rolls",
        "standard deviation of rolls",
        odds.sd_rolls,
    ));
    if ends {
        let ended = odds.ended.mass().value();
        facts.push(chance("p_ended", "ended by a botch", ended));
    }
    if options.max_rolls.is_some() {
        facts.push(chance("p_unfinished", "out of rolls", odds.unfinished));
    }
    if options.willpower > 0 {
        let label = "mean Willpower spent";
        facts.push(real("mean_willpower", label, odds.mean_willpower));
    }
    if odds.summary.success > 0.0 && odds.unfinished < 1e-12 {
        let label = "mean rolls where done";
        facts.push(real("mean_rolls_done", label, odds.done.mean()));
    }
    report.facts(facts);
    let turns = Some(roll.turns_per_roll()).filter(|turns| *turns > 1);
    let mut columns = vec![("rolls", "rolls")];
    columns.extend(turns.map(|_| ("turns", "turns of work")));
    let bars = columns.len();
    columns.extend([("done", "done at it"), ("done_by", "done by then")]);
    columns.extend(ends.then_some(("ended_by", "botched by then")));
    let mut table = Table::new("rolls", "Rolls", &columns);
    table.bars = Some(bars);
    let (mut done_by, mut ended_by) = (Weight::ZERO, Weight::ZERO);
    for roll in 1..=odds.done.last().max(odds.ended.last()) {
        let done = odds.done.weight(roll);
        done_by += done;
        ended_by += odds.ended.weight(roll);
        let whole = [Some(roll), turns.map(|turns| roll * turns)];
        let chances = [done, done_by, ended_by].map(|weight| Value::Chance(weight.value()));
        let cells = whole.into_iter().flatten().map(Value::Whole).chain(chances);
        table.rows.push(cells.take(columns.len()).collect());
    }
    report.table_of_rare(table);
    if options.max_rolls.is_none() && odds.unfinished > FORGOTTEN {
        report.note(format!(
            "After roll {} it is still not over with a chance of {:.4e}; means count that too.",
            odds.followed, odds.unfinished
        ));
    }
    if let Some((paradox, beyond)) = &odds.paradox {
        report.table(table_of(paradox, "paradox", "Paradox gathered", "Paradox"));
        if *beyond > FORGOTTEN {
            report.note(format!(
                "There is more Paradox than listed with a chance of {beyond:.4e}."
            ));
        }
    }
    Ok(())
}

/// Describes in words what a botch does and when Paradox comes.
fn rules(options: Options) -> impl Iterator<Item = String> {
    let botch = match options.on_botch {
        OnBotch::Ends => "a botch ends it",
        OnBotch::LosesAll => "a botch loses all successes",
        OnBotch::Continues => "a botch adds nothing",
    };
    let paradox = options
        .paradox
        .map(|paradox| match (paradox.each, paradox.once) {
            (0, true) => "1 Paradox if any roll botches".to_owned(),
            (0, false) => "1 Paradox for each botch".to_owned(),
            (each, true) => format!("{each} Paradox, once"),
            (each, false) => format!("{each} Paradox for each roll"),
        });
    std::iter::once(botch.to_owned()).chain(paradox)
}
