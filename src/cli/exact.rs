//! `skirmish run --exact`: fights solved instead of sampled.

use super::args::Format;
use super::console::{Console, Stream};
use super::run::RunArgs;
use crate::exact::{Budget, Solution, TooLarge, solve};
use crate::output::exact::{Solved, report};
use crate::output::{Style, grouped};
use crate::report;
use crate::scenario::Variant;
use crate::task::{Exit, Failure, Prepared};
use anyhow::anyhow;
use indicatif::ProgressBar;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// A share of encounters, from 0 to 1.
pub(super) fn bound(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "write a share from 0 to 1, such as 1e-4".to_owned())
}

/// Solves every variant of the runs, and prints what has come of them. Nothing is printed unless all are
/// solved.
pub(super) fn run(
    args: &RunArgs,
    runs: &[Prepared],
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let budget = Budget {
        max_states: args.max_states.get(),
        bound: args.bound,
    };
    let mut solutions: Vec<Vec<Solution>> = Vec::new();
    for run in runs {
        let mut solved = Vec::new();
        for variant in run.input().variants() {
            match solved_variant(variant, budget, stop, args.playing.quiet) {
                Ok(solution) => solved.push(solution),
                Err(TooLarge { stopped: true, .. }) => {
                    console.say("interrupted before all was solved; nothing was printed");
                    return Ok(Exit::Interrupted);
                }
                Err(large) => return Err(too_large(run, variant, large)),
            }
        }
        solutions.push(solved);
    }
    let coloured = console.colours(Stream::Out);
    let style = match args.delivery.format {
        Format::Markdown => Style::Markdown,
        _ => Style::Terminal(args.delivery.wide.width(console)),
    };
    let mut rows = None;
    for (index, (run, solutions)) in runs.iter().zip(&solutions).enumerate() {
        let input = run.input();
        let solved: Vec<Solved<'_>> = input
            .variants()
            .iter()
            .zip(solutions)
            .map(|(variant, solution)| Solved {
                scenario: &input.stem,
                variant: &variant.name,
                fight: &variant.fight,
                solution,
            })
            .collect();
        let question = input.loaded.scenario.question.as_deref();
        let report = report(input.title(), question, &solved);
        match args.delivery.format {
            Format::Table | Format::Markdown => {
                let blank = if index > 0 { "\n" } else { "" };
                let text = blank.to_owned() + &report::text_page(&report, style, coloured);
                let write = |out: &mut dyn io::Write| out.write_all(text.as_bytes());
                console.result(write).map_err(Failure::io)?;
            }
            Format::Json => {
                let write = |out: &mut dyn io::Write| report::json(&report, out);
                console.result(write).map_err(Failure::io)?;
            }
            Format::Csv => {
                let all = rows.get_or_insert_with(|| report::Report {
                    rows: report::Table {
                        rows: Vec::new(),
                        ..report.rows.clone()
                    },
                    ..report::Report::default()
                });
                all.rows.rows.extend(report.rows.rows);
            }
        }
    }
    if let Some(rows) = rows {
        let write = |out: &mut dyn io::Write| report::csv(&rows, out);
        console.result(write).map_err(Failure::io)?;
    }
    Ok(Exit::Done)
}

/// Solves a variant, and shows on a terminal how far it is.
fn solved_variant(
    variant: &Variant,
    budget: Budget,
    stop: &AtomicBool,
    quiet: bool,
) -> Result<Solution, TooLarge> {
    let bar = if quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::new_spinner()
    };
    let mut watch = |states: u64, round: u32, undecided: f64| {
        let found = grouped(states);
        bar.set_message(match round {
            0 => format!("{}: {found} situations", variant.name),
            _ => format!(
                "{}: {found} situations, Round {round}, {undecided:.1e} undecided",
                variant.name
            ),
        });
        bar.tick();
        !stop.load(Ordering::Relaxed)
    };
    let solved = solve(&variant.fight, &variant.rules, budget, &mut watch);
    bar.finish_and_clear();
    solved
}

/// Why a variant was not solved, and the ways out.
fn too_large(run: &Prepared, variant: &Variant, large: TooLarge) -> Failure {
    let file = run.input().file.display().to_string();
    Failure::input(anyhow!(
        "`{}` of `{file}` is too large to be solved: stopped at {} situations\n\
         `skirmish run {}` plays it: 1,000,000 encounters know every win rate to ±0.1%. --max-states allows \
         more situations, --variant picks variants that are smaller",
        variant.name,
        grouped(large.states),
        crate::output::shell(&file),
    ))
}
