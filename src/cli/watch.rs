//! `skirmish watch`: plays a scenario whenever its file is saved, and shows the effect of the change.

use super::Session;
use super::args::Playing;
use super::load;
use super::{Cli, Command};
use crate::options::in_plain_words;
use crate::output::comparisons::{Row, Statistic};
use crate::output::{encounters, percents};
use crate::report::number::decimals;
use crate::scenario::Variant;
use crate::stats::intervals::of_rate;
use crate::task::{
    Answer, Compare, Context, Exit, Failure, Files, Input, PRECISION, Question, Source, Text,
    Until, usual_end,
};
use anyhow::{Context as _, anyhow, bail};
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

/// Returns the text in a file, or why there is none. An editor may remove or empty a file for a moment before writing it.
fn text_of(file: &Path) -> Result<String, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    if text.is_empty() {
        Err("it is empty".to_owned())
    } else {
        Ok(text)
    }
}

/// Runs `work` with a flag that is set when the file has another text or `stop` is set.
fn until_changed<T>(
    file: &Path,
    text: &str,
    stop: &AtomicBool,
    work: impl FnOnce(&AtomicBool) -> T,
) -> T {
    let (changed, done) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if stop.load(Ordering::Relaxed) || text_of(file).is_ok_and(|now| now != text) {
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

/// Runs the subcommand until it is told to stop.
pub(super) fn run(
    args: &WatchArgs,
    session: &mut Session<'_, impl Source>,
) -> Result<Exit, Failure> {
    let (file, stop) = (&args.file, session.stop);
    args.command()?;
    load::refuse_stdin(file, "it is never saved")?;
    Input::stem(file)?;
    let mut text = fs::read_to_string(file)
        .with_context(|| format!("cannot read `{}`", file.display()))
        .map_err(Failure::input)?;
    let mut before: Option<Input> = None;
    loop {
        let shown = until_changed(file, &text, stop, |changed| {
            let mut session = Session {
                source: &Text(&text),
                stop: changed,
                console: session.console.reborrow(),
            };
            args.show(before.as_ref(), &mut session)
        });
        let console = &mut session.console;
        match load::or_print(shown, console) {
            Ok(input) => before = input.or(before),
            Err(failure) if failure.exit == Exit::BadInput => {
                console.say(format_args!("error: {:#}", failure.error));
            }
            Err(failure) => return Err(failure),
        }
        console.remark(format_args!("watching `{}`", file.display()));
        let mut unreadable = 0;
        text = loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(Exit::Interrupted);
            }
            match text_of(file) {
                Ok(now) if now != text => break now,
                Ok(_) => unreadable = 0,
                Err(why) => {
                    unreadable += 1;
                    if unreadable == GRACE {
                        let file = file.display();
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
        let mut words = self.subcommand.clone();
        words.insert(0, OsString::from("skirmish"));
        words.insert(2, self.file.clone().into_os_string());
        words
    }

    /// Returns the subcommand to run after each save, if there is one.
    fn command(&self) -> anyhow::Result<Option<Cli>> {
        let Some(name) = self.subcommand.first() else {
            return Ok(None);
        };
        if let Some(option) = name.to_str().filter(|word| word.starts_with('-')) {
            bail!(
                "`{option}` stands where a subcommand belongs: write `skirmish watch FILE compare -n 20k`; options of \
                 watch itself go before FILE"
            );
        }
        let cli = Cli::try_parse_from(self.words()).map_err(|wrong| {
            let message = in_plain_words(wrong, |text| text.to_string());
            let message = message.strip_prefix("error: ").unwrap_or(&message);
            anyhow!("after FILE: {}", message.trim_end())
        })?;
        if let Command::Watch(_) = cli.command {
            bail!("watch cannot watch itself: name another subcommand, such as `compare -n 20k`");
        }
        Ok(Some(cli))
    }

    /// Prints the win rate of each side in the saved file, and the difference from `before`; first from a few
    /// encounters. Then runs the subcommand. Returns the scenario.
    fn show(
        &self,
        before: Option<&Input>,
        session: &mut Session<'_, Text<'_>>,
    ) -> Result<Input, Failure> {
        let set = &self.playing.given.overrides;
        let input = load::input(&self.file, set, session.source, &mut session.console)?;
        let quick = format!("{} of each variant", encounters(FIRST.get()));
        let usual = format!("until every rate is known to ±{PRECISION}");
        let looks = [(quick, Until::Encounters(FIRST)), (usual, usual_end())];
        for (heading, until) in looks {
            let bar = session.bar(self.playing.given.confidence());
            let context = session.context(self.playing.threads, &bar);
            let mut lines = vec![format!("{}, {heading}:", self.file.display())];
            for variant in input.variants() {
                lines.extend(self.lines(variant, before, &input, &until, &context)?);
            }
            if context.stopped() {
                return Ok(input);
            }
            session.console.tell(lines.join("\n"))?;
        }
        if let Some(cli) = self.command()? {
            let mut session = Session {
                source: &Files,
                stop: session.stop,
                console: session.console.reborrow().hushed(cli.quiet),
            };
            super::execute(cli.command, &self.words(), &mut session)?;
        }
        Ok(input)
    }

    /// Returns the lines about a variant.
    fn lines(
        &self,
        variant: &Variant,
        before: Option<&Input>,
        input: &Input,
        until: &Until,
        context: &Context<'_, Text<'_>>,
    ) -> Result<Vec<String>, Failure> {
        let name = &variant.name;
        let earlier = before
            .and_then(|before| before.variant(name).ok())
            .filter(|earlier| earlier.fight.sides == variant.fight.sides);
        let as_before = earlier.is_some_and(|earlier| earlier.plays_like(variant));
        let names = vec![name.clone()];
        let (question, inputs) = match before {
            Some(before) if earlier.is_some() && !as_before => {
                let compare = Compare {
                    baseline: name.clone(),
                    variant: names,
                    metric: vec!["win_rate".to_owned()],
                };
                (Question::Compare(compare), vec![before, input])
            }
            _ => (Question::Run { variant: names }, vec![input]),
        };
        let task = self.playing.given.task(question, until.clone());
        let prepared = task.prepare(inputs.into_iter().cloned().collect())?;
        let played = prepared.play(context)?;
        if played.is_empty() || context.stopped() {
            return Ok(Vec::new());
        }
        // With two sides, the win rate of one is enough.
        let sides = match variant.fight.sides.len() {
            2 => 1,
            sides => sides,
        };
        Ok(match prepared.results(played).answer {
            Answer::Compare(comparisons) => {
                let compared = comparisons.variants.iter();
                let rows = compared.flat_map(|compared| &compared.differences);
                let means = rows.filter(|row| row.statistic == Statistic::Mean);
                means.take(sides).map(|row| shift(name, row)).collect()
            }
            Answer::Run(report) => {
                let same = if as_before { ", as before" } else { "" };
                let tallies = report.variants.iter().map(|played| &played.tally);
                let wins = tallies.flat_map(|tally| (0..sides).map(move |side| (tally, side)));
                let rates = wins.filter_map(|(tally, side)| {
                    let (wins, all) = (tally.wins(side), tally.encounters());
                    let interval = of_rate(wins, all, report.confidence)?;
                    let (rate, low, high) = percents(wins as f64 / all as f64, interval);
                    let side = &tally.sides()[side];
                    Some(format!(
                        "  {name}: {side} win {rate} ({low} to {high}){same}"
                    ))
                });
                rates.collect()
            }
            _ => Vec::new(),
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
