//! `skirmish tune`: searches numbers, optional lines and orders of lines for the best candidate.

use super::Session;
use super::args::{Given, SavingArgs, count};
use super::closing::say_saved;
use super::console::Console;
use super::publish::{AnswerArgs, is_missing, prepare};
use crate::names;
use crate::output::Target;
use crate::scenario::BASE;
use crate::task::{
    Answer, Exit, Failure, Prepared, Question, Source, Tune, Until, WITHIN, folder_of, replace_text,
};
use anyhow::anyhow;
use clap::Args;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Arguments of `skirmish tune`.
#[derive(Debug, Args)]
#[command(mut_arg("exact", |exact| exact.conflicts_with_all(["encounters", "checkpoint", "checkpoint_every"])))]
#[command(mut_arg("seed", |seed| seed.help(
    "Seed: encounter i of a seed is the same on every machine; also draws the candidates of a search that does not \
     try all, with --exact, too [default: 1]"
)))]
pub struct TuneArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The side whose goal it is, and whose lines may change [default: the first]
    #[arg(long, value_name = "NAME")]
    pub side: Option<String>,

    /// Search these values: parameters.near=1..20; may be given several times [default: parameters with a range]
    #[arg(
        long = "vary",
        alias = "over",
        value_name = "KEY=VALUES",
        long_help = "Search these values of a key: a range `1..20` (both ends included), with a step `1..20:2`, or \
                     values `1,2,5`, `full,simple`. May be given several times. Without it, all parameters that \
                     declare a `range` are searched. Optional lines (`? LINE`) and blocks (`any order {`) of the side's \
                     policies are searched in any case, unless a goal is a level"
    )]
    pub over: Vec<String>,

    /// What to reach: win_rate, rounds=least, or a level: win_rate=50%; levels may be given several times
    #[expect(clippy::doc_markdown, reason = "it is the help")]
    #[arg(long, value_name = "METRIC[=WISH]", default_value = "win_rate")]
    pub goal: Vec<String>,

    /// Instead of a search: solve what the best policy of all could do, with any action that the rules allow
    #[arg(long, requires = "exact", conflicts_with_all = [
        "over", "goal", "within", "combatant", "encounters", "write", "checkpoint", "checkpoint_every", "bound",
    ])]
    pub any_policy: bool,

    /// How near to a level is near enough: 1%, of counts a share of the level [default: 1%]
    #[arg(long, value_name = "WIDTH")]
    pub within: Option<String>,

    /// The combatant of the goal, for metrics of combatants [default: the first]
    #[arg(long, value_name = "NAME")]
    pub combatant: Option<String>,

    /// The outcome of the goal, for `outcome_rate` [default: the first]
    #[arg(long, value_name = "NAME")]
    pub outcome: Option<String>,

    /// Variant to start from; `base` is the file as written
    #[arg(long, value_name = "NAME", default_value = BASE)]
    pub variant: String,

    /// Fresh encounters of each candidate that comes to the end: 40k, 1M
    #[arg(short = 'n', long, value_name = "COUNT", default_value = "40k", value_parser = count)]
    pub encounters: NonZeroU64,

    /// Write the best into the scenario file, in place; comments are kept
    #[arg(long)]
    pub write: bool,

    /// How progress is saved
    #[command(flatten)]
    pub saving: SavingArgs,

    /// How it is answered
    #[command(flatten)]
    pub answer: AnswerArgs,
}

impl TuneArgs {
    fn question(&self) -> Question {
        if self.any_policy {
            return Question::BestPlay {
                variant: self.variant.clone(),
                side: self.side.clone(),
            };
        }
        Question::Tune(Tune {
            over: self.over.clone(),
            goal: self.goal.clone(),
            within: self.within.clone().filter(|within| within != WITHIN),
            variant: self.variant.clone(),
            side: self.side.clone(),
            combatant: self.combatant.clone(),
            outcome: self.outcome.clone(),
        })
    }

    /// Returns the options that `--exact` checks. The seed of a search is left out, because it has an effect even where
    /// fights are solved: it draws the candidates, if not all of them are tried.
    fn given_to_exact(&self) -> Given {
        let mut given = self.answer.playing.given.clone();
        given.seed = given.seed.filter(|_| self.any_policy);
        given
    }

    /// Checks `--write` before anything is played.
    fn check_write(&self) -> anyhow::Result<()> {
        let shown = self.file.display();
        let why = if !self.write {
            return Ok(());
        } else if names::is_stdin(&self.file) {
            "the scenario comes from standard input: save it as a file first".to_owned()
        } else if self.variant != BASE {
            "a variant is a list of changes: set the values of the best in it by hand".to_owned()
        } else if (self.file.metadata()).is_ok_and(|file| file.permissions().readonly()) {
            format!("`{shown}` is read-only: allow writing, or leave out --write")
        } else if let Ok(place) = self.file.canonicalize() {
            Target::prepare(folder_of(&place), &[])?;
            return Ok(());
        } else {
            // The reader reports a missing file.
            return Ok(());
        };
        Err(anyhow!("--write: {why}"))
    }

    /// Writes the best candidate into the scenario file.
    fn write_best(
        &self,
        prepared: &Prepared,
        best: &[usize],
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        let new = prepared.rewritten(best)?;
        let old = prepared.input().loaded.document.text();
        if new == old {
            console.say(format_args!(
                "`{}` is the best as it is: it was left alone",
                self.file.display()
            ));
            return Ok(());
        }
        replace_text(&self.file, old, &new)?;
        console.remark(format_args!(
            "the best is written into `{}`",
            self.file.display()
        ));
        Ok(())
    }
}

/// Runs the subcommand.
pub(super) fn run(
    args: &TuneArgs,
    session: &mut Session<'_, impl Source>,
) -> Result<Exit, Failure> {
    args.check_write()?;
    let exact = args.answer.exact.until(&args.given_to_exact())?;
    let until = exact.unwrap_or(Until::Encounters(args.encounters));
    let task = args.answer.playing.given.task(args.question(), until);
    let prepared = prepare(&task, &[&args.file], session.source, &mut session.console)?;
    let results = args.answer.play(&prepared, Some(&args.saving), session)?;
    let is_missing = is_missing(results.as_ref());
    let stopped = session.stopped();
    let console = &mut session.console;
    match results.map(|results| results.answer) {
        _ if !args.write => {}
        Some(Answer::Tune(report)) if !is_missing => {
            args.write_best(&prepared, &report.best, console)?;
            if report.missed {
                console.say("the best misses the goal: it is only the nearest that was found");
            }
        }
        _ => {
            console.say("nothing was written into the scenario: the search was interrupted");
        }
    }
    if let Some(file) = &args.saving.checkpoint {
        if is_missing && file.metadata().is_ok_and(|file| file.len() > 0) {
            say_saved(file, console);
        } else if file.exists() {
            std::fs::remove_file(file).map_err(Failure::io)?;
        }
    }
    Ok(Exit::of_missing(is_missing && stopped, stopped))
}
