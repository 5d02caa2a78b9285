//! `skirmish watch`: plays a scenario whenever its file is saved, and shows the effect of the change.

use super::args::Playing;
use super::console::Console;
use super::load;
use super::{Cli, Command};
use crate::options::in_plain_words;
use crate::output::comparisons::{Row, Statistic};
use crate::output::{encounters, percents};
use crate::report::number::decimals;
use crate::scenario::{Diagnostics, Loaded, Scenario, Variant};
use crate::stats::intervals::of_rate;
use crate::task::{
    Answer, Compare, Context, Exit, Failure, Input, PRECISION, Question, Source, Task, Until,
    usual_end,
};
use anyhow::{Context as _, anyhow};
use clap::{Args, Parser as _};
use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, thread};

/// The time between two checks of the file.
const POLL: Duration = Duration::from_millis(50);

/// The checks after which a file that cannot be read is reported: an editor is not that slow.
const GRACE: u32 = 40;

/// The encounters of each variant for the first numbers: they take a fraction of a second.
const FIRST: NonZeroU64 = NonZeroU64::new(500).unwrap();

/// Arguments of `skirmish watch`.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Subcommand to run after each save, with FILE as its first argument: `compare -n 20k`
    #[arg(
        value_name = "SUBCOMMAND",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub subcommand: Vec<OsString>,

    /// The options of every simulation
    #[command(flatten)]
    pub playing: Playing,
}

/// A scenario file as last read.
struct Saved<'a> {
    file: &'a Path,
    text: String,
}

impl Source for Saved<'_> {
    fn load(&self, path: &Path, set: &[String]) -> Result<Loaded, Diagnostics> {
        Scenario::parse(&path.display().to_string(), &self.text, set)
    }
}

impl Saved<'_> {
    /// Returns the new text, if the file has changed. A file that cannot be read or is empty is no change: an editor may
    /// remove or empty it for a moment before writing it.
    fn changed(&self) -> Option<String> {
        self.now().ok().filter(|text| *text != self.text)
    }

    /// Returns the text in the file now, or why there is none.
    fn now(&self) -> Result<String, String> {
        let text = fs::read_to_string(self.file).map_err(|error| error.to_string())?;
        if text.is_empty() {
            Err("it is empty".to_owned())
        } else {
            Ok(text)
        }
    }

    /// Runs `work` with a flag that is set when the file changes or `stop` is set.
    fn until_changed<T>(&self, stop: &AtomicBool, work: impl FnOnce(&AtomicBool) -> T) -> T {
        let (changed, done) = (AtomicBool::new(false), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    if stop.load(Ordering::Relaxed) || self.changed().is_some() {
                        changed.store(true, Ordering::Relaxed);
                        break;
                    }
                    thread::sleep(POLL);
                }
            });
            let worked = work(&changed);
            done.store(true, Ordering::Relaxed);
            worked
        })
    }
}

/// Runs the subcommand until `stop` is set.
///
/// # Errors
/// If the file cannot be read, the subcommand is invalid, or standard output cannot be written.
pub fn run(
    args: &WatchArgs,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    args.command()?;
    load::refuse_stdin(&args.file, "it is never saved")?;
    Input::stem(&args.file)?;
    let text = fs::read_to_string(&args.file)
        .with_context(|| format!("cannot read `{}`", args.file.display()))
        .map_err(Failure::input)?;
    let mut saved = Saved {
        file: &args.file,
        text,
    };
    let mut before: Option<Input> = None;
    loop {
        let shown = saved.until_changed(stop, |changed| {
            args.show(&saved, before.as_ref(), changed, console)
        });
        match shown {
            Ok(input) => before = input.or(before),
            Err(failure) if failure.exit == Exit::BadInput => {
                console.say(format_args!("error: {:#}", failure.error));
            }
            Err(failure) => return Err(failure),
        }
        if !args.playing.quiet {
            console.say(format_args!("watching `{}`", args.file.display()));
        }
        let mut unreadable = 0;
        saved.text = loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(Exit::Interrupted);
            }
            match saved.now() {
                Ok(text) if text != saved.text => break text,
                Ok(_) => unreadable = 0,
                Err(why) => {
                    unreadable += 1;
                    if unreadable == GRACE {
                        let file = args.file.display();
                        console.say(format_args!("error: cannot read `{file}`: {why}"));
                    }
                }
            }
            thread::sleep(POLL);
        };
    }
}

impl WatchArgs {
    /// Returns the words of the subcommand as a separate command line.
    fn words(&self) -> Vec<OsString> {
        let Some((name, options)) = self.subcommand.split_first() else {
            return Vec::new();
        };
        let head = [OsString::from("skirmish"), name.clone()];
        let file = [self.file.clone().into_os_string()];
        let words = head.into_iter().chain(file).chain(options.iter().cloned());
        words.collect()
    }

    /// Returns the subcommand to run after each save, if there is one.
    fn command(&self) -> Result<Option<Command>, Failure> {
        if self.subcommand.is_empty() {
            return Ok(None);
        }
        if let Some(option) = self.subcommand[0]
            .to_str()
            .filter(|word| word.starts_with('-'))
        {
            return Err(Failure::input(anyhow!(
                "`{option}` stands where a subcommand belongs: write `skirmish watch FILE compare -n 20k`; options of \
                 watch itself go before FILE"
            )));
        }
        let cli = Cli::try_parse_from(self.words()).map_err(|wrong| {
            let told = in_plain_words(wrong, |text| text.to_string());
            let told = told.strip_prefix("error: ").unwrap_or(&told);
            Failure::input(anyhow!("after FILE: {}", told.trim_end()))
        })?;
        if let Command::Watch(_) = cli.command {
            return Err(Failure::input(anyhow!(
                "watch cannot watch itself: name another subcommand, such as `compare -n 20k`"
            )));
        }
        Ok(Some(cli.command))
    }

    /// Prints the win rate of each side in the saved file, and the difference from `before`; first from a few
    /// encounters. Then runs the subcommand. Returns the scenario, or `None` if it has errors.
    fn show(
        &self,
        saved: &Saved<'_>,
        before: Option<&Input>,
        changed: &AtomicBool,
        console: &mut Console<'_>,
    ) -> Result<Option<Input>, Failure> {
        let set = &self.playing.given.overrides;
        let Some(input) = load::input(saved.file, set, saved, console)? else {
            return Ok(None);
        };
        let quick = format!("{} of each variant", encounters(FIRST.get()));
        let usual = format!("until every rate is known to ±{PRECISION}");
        let looks = [(quick, Until::Encounters(FIRST)), (usual, usual_end())];
        for (heading, until) in looks {
            let bar = self.playing.bar();
            let context = self.playing.context(saved, changed, &bar);
            let mut lines = Vec::new();
            for variant in input.variants() {
                lines.extend(self.lines(variant, before, &input, &until, &context)?);
            }
            if context.stopped() {
                return Ok(Some(input));
            }
            let heading = format!("{}, {heading}:", saved.file.display());
            let text: Vec<String> = std::iter::once(heading).chain(lines).collect();
            console.tell(text.join("\n"))?;
        }
        if let Some(command) = self.command()? {
            super::execute(command, &self.words(), &|| Ok(changed), console)?;
        }
        Ok(Some(input))
    }

    /// Returns the lines about a variant.
    fn lines(
        &self,
        variant: &Variant,
        before: Option<&Input>,
        input: &Input,
        until: &Until,
        context: &Context<'_, Saved<'_>>,
    ) -> Result<Vec<String>, Failure> {
        let name = &variant.name;
        let earlier = before.and_then(|before| before.variant(name).ok().map(|one| (before, one)));
        let earlier = earlier.filter(|(_, one)| one.fight.sides == variant.fight.sides);
        let as_before = earlier.is_some_and(|(_, one)| one.plays_like(variant));
        let task = |question| -> Task { self.playing.given.task(question, until.clone()) };
        let prepared = match earlier {
            Some((before, _)) if !as_before => {
                let question = Question::Compare(Compare {
                    baseline: name.clone(),
                    variant: vec![name.clone()],
                    metric: vec!["win_rate".to_owned()],
                });
                task(question).prepare(vec![before.clone(), input.clone()])?
            }
            _ => {
                let variant = vec![name.clone()];
                task(Question::Run { variant }).prepare(vec![input.clone()])?
            }
        };
        let played = prepared.play(context)?;
        if played.is_empty() || context.stopped() {
            return Ok(Vec::new());
        }
        // With two sides, the win rate of one is enough.
        let sides = match variant.fight.sides.len() {
            2 => 1,
            sides => sides,
        };
        Ok(match prepared.results(played, false).answer {
            Answer::Compare(comparisons) => {
                let rows = comparisons.variants.iter().flat_map(|one| &one.differences);
                let rows = rows.filter(|row| row.statistic == Statistic::Mean);
                rows.take(sides).map(|row| shift(name, row)).collect()
            }
            Answer::Run(report) => {
                let confidence = report.confidence;
                let tallies = report.variants.iter().map(|one| &one.tally);
                let rates = tallies.flat_map(|tally| {
                    let wins = (0..sides).map(|side| (&tally.sides()[side], tally.wins(side)));
                    wins.filter_map(|(side, wins)| {
                        let n = tally.encounters();
                        let interval = of_rate(wins, n, confidence)?;
                        let (rate, low, high) = percents(wins as f64 / n as f64, interval);
                        let same = if as_before { ", as before" } else { "" };
                        Some(format!(
                            "  {name}: {side} win {rate} ({low} to {high}){same}"
                        ))
                    })
                });
                rates.collect()
            }
            Answer::Sweep(_)
            | Answer::Changes(_)
            | Answer::Tune(_)
            | Answer::Matchup(_)
            | Answer::BestPlay(_) => Vec::new(),
        })
    }
}

/// Formats the change of a win rate.
fn shift(variant: &str, row: &Row) -> String {
    let difference = &row.difference;
    let [first, second, by] =
        [difference.first, difference.second, difference.difference].map(|share| share * 100.0);
    let half = difference
        .interval
        .map_or(0.0, |interval| (interval.high - interval.low) * 50.0);
    let digits = decimals(half).clamp(1, 3);
    let side = &row.subject;
    format!("  {variant}: {side} win {first:.1}% -> {second:.1}%, {by:+.digits$} ± {half:.digits$}")
}
