//! `skirmish trace`: one encounter of a run or of a dice script, as sentences Mark by Mark, or drawn.

mod find;
mod replay;

use super::args::{count, seed, threads_or_all};
use super::console::Console;
use super::load::{input, or_print};
use super::progress::Bar;
use crate::clean::clean_line;
use crate::output::html::timeline::{Encounter, Picture};
use crate::output::html::{Block, Page, Section};
use crate::output::share_in_words;
use crate::output::story::{Story, StoryOptions};
use crate::report::number::{Rounded, encounters, grouped};
use crate::run::jobs::{ThreadsRefused, run_jobs};
use crate::run::{Play, Player};
use crate::scenario::{BASE, DiceScript, Variant};
use crate::sim::Record;
use crate::stats::Confidence;
use crate::stats::intervals::of_rate;
use crate::task::{Command, Exit, Failure, Input, Place, SEED, Source, Watch as _, made_by};
use crate::wrap::wrap;
use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use find::SearchCondition;
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The default number of encounters that `--find` searches.
const SEARCHED: &str = "1M";

/// Arguments of `skirmish trace`.
#[derive(Debug, Args)]
pub struct TraceArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Number of the encounter, from 0, as in a run with the same seed
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub encounter: u64,

    /// Show the first encounter (from --encounter on) with this, such as winner=brute, rounds>=9 or
    /// "damage.archer<10 and winner=archer"
    #[arg(long, value_name = "WHAT")]
    pub find: Option<String>,

    /// Encounters that --find searches
    #[arg(long, value_name = "COUNT", default_value = SEARCHED, value_parser = count, requires = "find")]
    pub within: NonZeroU64,

    /// Instead of showing an encounter, say how many of the --within encounters have what --find wants
    #[arg(long, requires = "find", conflicts_with_all = ["why", "full", "output", "dice"])]
    pub count: bool,

    /// The variant to play
    #[arg(long, value_name = "NAME", default_value = BASE)]
    pub variant: String,

    /// Seed of the run
    #[arg(long, default_value_t = SEED, value_parser = seed)]
    pub seed: u64,

    /// Change a value of the scenario: combatants.archer.move=12; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,

    /// Show why the policy lines above each decision were not taken
    #[arg(long)]
    pub why: bool,

    /// Give each Unit of a walk and each repetition a line of its own
    #[arg(long)]
    pub full: bool,

    /// Dice script: a TOML file, or its text, that says which faces come:
    /// 'rogue.initiative = [9, 7]'; may be given several times
    #[arg(long, value_name = "SCRIPT", conflicts_with_all = ["find", "within"])]
    pub dice: Vec<String>,

    /// Refuse dice that the script does not name, instead of drawing them from the seed
    #[arg(long, requires = "dice", conflicts_with_all = ["encounter", "seed"])]
    pub dice_only: bool,

    /// Format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// File for the page or picture [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace a file that skirmish did not write
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// What `trace` makes of an encounter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Sentences
    Text,
    /// One object for each event
    Json,
    /// A page with a picture and the sentences
    Html,
    /// Only the picture
    Svg,
}

impl Format {
    /// Returns whether the format may be written to a file.
    const fn is_drawn(self) -> bool {
        matches!(self, Self::Html | Self::Svg)
    }
}

/// Runs the subcommand. If `stop` is set, a search for an encounter ends without one.
///
/// # Errors
/// If the input is wrong, no such encounter is found, or standard output cannot be written.
pub fn run(
    args: &TraceArgs,
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    if args.output.is_some() && !args.format.is_drawn() {
        return Err(Failure::input(anyhow!(
            "--output is for --format html and svg; sentences and objects go to standard output, and \
             `> FILE` puts them into a file"
        )));
    }
    if args.why && args.format == Format::Svg {
        return Err(Failure::input(anyhow!(
            "--why is for sentences and objects: a picture has no place for reasons; --format html has both"
        )));
    }
    if args.count && args.format.is_drawn() {
        return Err(Failure::input(anyhow!(
            "--count is for --format text and json: there is no encounter to draw"
        )));
    }
    if args.full && args.format != Format::Text {
        return Err(Failure::input(anyhow!(
            "--full is for --format text: objects and pictures have each event in any case"
        )));
    }
    let Some(scenario) = input(&args.file, &args.overrides, source, console)? else {
        return Ok(Exit::BadInput);
    };
    let variant = scenario.variant(&args.variant)?;
    let place = Place::prepare_any(args.output.as_deref(), args.force)?;
    let player = Player::new(&variant.fight, &variant.rules, args.seed);
    let encounter = match &args.find {
        None => args.encounter,
        Some(text) => {
            let wanted = SearchCondition::parse(text, &variant.fight).map_err(Failure::input)?;
            let bar = Bar::new(false, Confidence::DEFAULT);
            bar.begin("search", args.within.get(), 0, false);
            if args.count {
                let counted = Counted::of(&wanted, &player, variant, args, (&bar, stop));
                bar.end();
                let counted = counted.map_err(Failure::io)?;
                return counted.tell(args, variant, stop, console);
            }
            let found = find(&wanted, &player, variant, args, (&bar, stop));
            bar.end();
            match found.map_err(Failure::input)? {
                Found::At(encounter) => encounter,
                Found::NotIn(searched) => {
                    console.say(format_args!("interrupted: {searched}"));
                    return Ok(Exit::Interrupted);
                }
            }
        }
    };
    let mut story = Story::default();
    let record = if args.dice.is_empty() {
        player.show(encounter, &mut story)
    } else {
        let fight = &variant.fight;
        let script = DiceScript::load(&args.dice, fight);
        let played = script
            .and_then(|script| replay::play(&script, &player, fight, args, &mut story))
            .map_err(Failure::from);
        let Some(record) = or_print(played, console)? else {
            return Ok(Exit::BadInput);
        };
        record
    };
    let shown = Shown {
        args,
        scenario: &scenario,
        variant,
        encounter,
        story,
        record,
        columns: console.widths().out.columns(),
    };
    if let Some(mut place) = place {
        place.write(|out| shown.write(out)).map_err(Failure::io)?;
    } else if args.format == Format::Text {
        console.answer(&shown.text())?;
    } else {
        console.data(|out| shown.write(out))?;
    }
    Ok(Exit::Done)
}

/// An encounter with everything needed to show it.
struct Shown<'a> {
    args: &'a TraceArgs,
    scenario: &'a Input,
    variant: &'a Variant,
    encounter: u64,
    story: Story,
    record: Record,
    /// The width of a line of text.
    columns: usize,
}

impl Shown<'_> {
    /// Describes which encounter it is.
    fn which(&self) -> String {
        let args = self.args;
        let dice = match &args.dice[..] {
            [] => String::new(),
            [only] if !only.contains('=') => format!("dice of {only}"),
            [_] => "dice of a script".to_owned(),
            _ => "dice of scripts".to_owned(),
        };
        let drawn = format!("encounter {} of seed {}", self.encounter, args.seed);
        let which = match (args.dice.is_empty(), args.dice_only) {
            (true, _) => drawn,
            (false, true) => dice,
            (false, false) => format!("{dice}, others of {drawn}"),
        };
        format!("{which}, variant {}", self.variant.name)
    }

    fn text(&self) -> String {
        let title = clean_line(self.scenario.title());
        let head = wrap(&format!("{title}: {}", self.which()), self.columns, 2).join("\n");
        let telling = StoryOptions {
            why: self.args.why,
            full: self.args.full,
            columns: self.columns,
        };
        let story = self.story.text(&self.variant.fight, &self.record, telling);
        format!("{head}\n\n{story}")
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (fight, why) = (&self.variant.fight, self.args.why);
        match self.args.format {
            Format::Text => write!(out, "{}", self.text()),
            Format::Json => {
                let mut told = serde_json::json!({
                    "scenario": self.scenario.title(),
                    "variant": self.variant.name,
                    "seed": self.args.seed,
                    "encounter": self.encounter,
                    "events": self.story.json(fight, why),
                });
                if !self.args.dice.is_empty() {
                    told["dice"] = self.args.dice.clone().into();
                }
                if self.args.dice_only {
                    // No die came from the seed.
                    told["seed"] = serde_json::Value::Null;
                    told["encounter"] = serde_json::Value::Null;
                }
                serde_json::to_writer_pretty(&mut *out, &told)?;
                writeln!(out)
            }
            Format::Html => write!(out, "{}", self.page().html()),
            Format::Svg => {
                let title = format!("{}: {}", self.scenario.title(), self.which());
                let picture = self.picture();
                let made = made_by("skirmish trace", true);
                write!(out, "{made}{}", picture.svg(&title, &picture.outcome()))
            }
        }
    }

    fn picture(&self) -> Picture<'_> {
        Picture::new(Encounter {
            fight: &self.variant.fight,
            rules: &self.variant.rules,
            story: &self.story,
            record: &self.record,
            why: self.args.why,
        })
    }

    fn page(&self) -> Page {
        let picture = self.picture();
        let mut which = self.which();
        if let Some(first) = which.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let figure = picture.figure("timeline".to_owned(), which.clone(), picture.outcome());
        Page {
            title: self.scenario.title().to_owned(),
            subtitle: self.scenario.loaded.scenario.question.clone(),
            sections: vec![Section {
                id: "encounter".to_owned(),
                title: "One encounter, moment by moment".to_owned(),
                blocks: vec![
                    Block::Figure(figure),
                    Block::Paragraph {
                        text: "The same as text:".to_owned(),
                    },
                    Block::Command {
                        text: command(self.args, self.variant, self.encounter),
                    },
                ],
            }],
            footer: vec![format!("Made by skirmish {}.", env!("CARGO_PKG_VERSION"))],
        }
    }
}

/// Returns the command that shows an encounter as text.
fn command(args: &TraceArgs, variant: &Variant, encounter: u64) -> String {
    let variant = Some(&variant.name).filter(|name| *name != BASE);
    Command::new("trace", [args.file.as_path()])
        .options("--encounter", (!args.dice_only).then_some(encounter))
        .options("--seed", (args.seed != SEED).then_some(args.seed))
        .options("--variant", variant)
        .options("--set", &args.overrides)
        .options("--dice", &args.dice)
        .switch("--dice-only", args.dice_only)
        .switch("--why", args.why)
        .text()
}

/// The encounters that a thread plays at a time to count those that fulfil a condition.
const BATCH: u64 = 256;

/// The encounters that fulfil a condition.
struct Counted {
    count: u64,
    /// The encounters that were played.
    of: u64,
    /// The number of the first that fulfils it.
    first: Option<u64>,
}

impl Counted {
    /// Counts the encounters from `--encounter` on, as many as `--within` says or as exist.
    fn of(
        wanted: &SearchCondition,
        player: &Player,
        variant: &Variant,
        args: &TraceArgs,
        (bar, stop): (&Bar, &AtomicBool),
    ) -> Result<Self, ThreadsRefused> {
        let all = args
            .within
            .get()
            .min((u64::MAX - args.encounter).saturating_add(1));
        let (played, first) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        let work = |(count, table, record): &mut (u64, _, Record), job: u64| {
            let begin = job * BATCH;
            let end = all.min(begin.saturating_add(BATCH));
            for encounter in (begin..end).map(|one| args.encounter + one) {
                player.play(table, encounter, record);
                if wanted.is_true(record, &variant.fight) {
                    *count += 1;
                    first.fetch_min(encounter, Ordering::Relaxed);
                }
            }
            played.fetch_add(end - begin, Ordering::Relaxed);
            bar.tick(end - begin, &[]);
        };
        let worker = || (0, player.state(), Record::default());
        let workers = run_jobs(
            all.div_ceil(BATCH),
            threads_or_all(None),
            stop,
            worker,
            work,
        )?;
        let first = first.into_inner();
        Ok(Self {
            count: workers.iter().map(|(count, ..)| count).sum(),
            of: played.into_inner(),
            first: (first < u64::MAX).then_some(first),
        })
    }

    /// Prints the share, and where the first of them is to be seen.
    fn tell(
        &self,
        args: &TraceArgs,
        variant: &Variant,
        stop: &AtomicBool,
        console: &mut Console<'_>,
    ) -> Result<Exit, Failure> {
        let Self { count, of, first } = *self;
        let what = args.find.as_deref().unwrap_or_default();
        if stop.load(Ordering::Relaxed) {
            console.say(format_args!("interrupted after {}", encounters(of)));
            if of == 0 {
                return Ok(Exit::Interrupted);
            }
        }
        let columns = console.widths().out.columns();
        if args.format == Format::Json {
            let share = of_rate(count, of, Confidence::DEFAULT);
            let found = serde_json::json!({
                "variant": variant.name, "seed": args.seed, "find": what, "encounters": of, "count": count,
                "share": Rounded::new(count as f64 / of as f64), "ci_low": share.map(|one| Rounded::new(one.low)),
                "ci_high": share.map(|one| Rounded::new(one.high)), "first": first,
            });
            console.data(|out| writeln!(out, "{found}"))?;
        } else {
            let text = format!(
                "{} of {} of {} have `{what}`",
                share_in_words(count, of),
                encounters(of),
                variant.name
            );
            let mut lines = wrap(&text, columns, 2);
            if let Some(first) = first {
                let seen = command(args, variant, first);
                lines.push(format!("to see the first:\n  {seen}"));
            }
            console.answer(&(lines.join("\n") + "\n"))?;
        }
        Ok(if stop.load(Ordering::Relaxed) {
            Exit::Interrupted
        } else {
            Exit::Done
        })
    }
}

/// The result of a search that found an encounter or was interrupted.
enum Found {
    /// The encounter.
    At(u64),
    /// The encounters searched, in a sentence.
    NotIn(String),
}

/// Searches for the first encounter that fulfils `wanted`.
fn find(
    wanted: &SearchCondition,
    player: &Player,
    variant: &Variant,
    args: &TraceArgs,
    (bar, stop): (&Bar, &AtomicBool),
) -> anyhow::Result<Found> {
    let mut table = player.state();
    let mut record = Record::default();
    let last = args.encounter.saturating_add(args.within.get() - 1);
    let text = args.find.as_deref().unwrap_or_default();
    let searched = |last: u64| match last - args.encounter {
        0 => format!("encounter {last} does not have `{text}`"),
        more => format!(
            "none of the {} encounters from {} on has `{text}`",
            grouped(more + 1),
            args.encounter
        ),
    };
    for encounter in args.encounter..=last {
        player.play(&mut table, encounter, &mut record);
        if wanted.is_true(&record, &variant.fight) {
            return Ok(Found::At(encounter));
        }
        bar.tick(1, &[]);
        if stop.load(Ordering::Relaxed) {
            return Ok(Found::NotIn(searched(encounter)));
        }
    }
    let searched = searched(last);
    if last == u64::MAX {
        bail!("{searched}; no encounter comes after it")
    }
    bail!("{searched}; --within looks through more")
}
