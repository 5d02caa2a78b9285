//! `skirmish trace`: one encounter of a run or of a dice script, as sentences Mark by Mark, or drawn.

mod find;
mod replay;

use super::Session;
use super::args::{count, seed};
use super::console::Console;
use super::load::input;
use crate::clean::clean_line;
use crate::cli::page_args::PageArgs;
use crate::decimal::rounded;
use crate::output::html::timeline::{ObservedEncounter, Picture};
use crate::output::html::{Page, PageBlock, Section};
use crate::output::share_in_words;
use crate::output::story::{Story, StoryOptions};
use crate::report::number::encounters;
use crate::run::Player;
use crate::scenario::{BASE, DiceScript, Variant};
use crate::sim::Record;
use crate::stats::Confidence;
use crate::stats::intervals::of_rate;
use crate::task::{Command, Destination, Exit, Failure, Input, SEED, Source, made_by};
use crate::wrap::wrap;
use anyhow::anyhow;
use clap::{Args, ValueEnum};
use find::{Search, parse};
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The default number of encounters that `--find` searches.
const SEARCHED: &str = "1M";

/// Arguments of `skirmish trace`.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("output", |output| output.help("File for the page or picture [default: standard output]")))]
#[command(mut_arg("report", |report| report
    .help("Write a page: the same as --format html -o FILE")
    .conflicts_with_all(["output", "format"])))]
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
    #[arg(long, requires = "find", conflicts_with_all = ["why", "full", "output", "report", "dice"])]
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

    /// Where it is written
    #[command(flatten)]
    pub page: PageArgs,
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

/// Runs the subcommand. If it is told to stop, a search for an encounter ends without one.
pub(super) fn run(
    args: &TraceArgs,
    session: &mut Session<'_, impl Source>,
) -> Result<Exit, Failure> {
    let args = &TraceArgs {
        format: args
            .page
            .report
            .as_ref()
            .map_or(args.format, |_| Format::Html),
        ..args.clone()
    };
    let refusals = [
        (
            args.page.output.is_some() && !args.format.is_drawn(),
            "--output is for --format html and svg; sentences and objects go to standard output, and \
             `> FILE` puts them into a file",
        ),
        (
            args.why && args.format == Format::Svg,
            "--why is for sentences and objects: a picture has no place for reasons; --format html has both",
        ),
        (
            args.count && args.format.is_drawn(),
            "--count is for --format text and json: there is no encounter to draw",
        ),
        (
            args.full && args.format != Format::Text,
            "--full is for --format text: objects and pictures have each event in any case",
        ),
    ];
    if let Some((_, why)) = refusals.into_iter().find(|(refused, _)| *refused) {
        return Err(Failure::input(anyhow!(why)));
    }
    let (stop, console) = (session.stop, &mut session.console);
    let scenario = input(&args.file, &args.overrides, session.source, console)?;
    let variant = scenario.variant(&args.variant)?;
    let place = args.page.output.as_deref().or(args.page.report.as_deref());
    let place = Destination::prepare_any(place, args.page.force)?;
    let player = Player::new(&variant.fight, &variant.rules, args.seed);
    let encounter = match &args.find {
        None => args.encounter,
        Some(text) => {
            let conditions = parse(text, &variant.fight).map_err(Failure::input)?;
            let search = Search::new(
                &conditions,
                &player,
                &variant.fight,
                args,
                (stop, console.quiet),
            )?;
            match search.first {
                _ if args.count => return tell(&search, args, variant, stop, console),
                Some(first) => first,
                None if stop.load(Ordering::Relaxed) => {
                    console.say(format_args!("interrupted: {}", search.nothing(args)));
                    return Ok(Exit::Interrupted);
                }
                None => {
                    let last = args.encounter.saturating_add(args.within.get() - 1);
                    let way_out = match last {
                        u64::MAX => "no encounter comes after it",
                        _ => "--within looks through more",
                    };
                    let nothing = search.nothing(args);
                    return Err(Failure::input(anyhow!("{nothing}; {way_out}")));
                }
            }
        }
    };
    let mut story = Story::default();
    let record = if args.dice.is_empty() {
        player.show(encounter, &mut story)
    } else {
        let script = DiceScript::load(&args.dice, &variant.fight)?;
        replay::play(&script, &player, &variant.fight, args, &mut story)?
    };
    let shown = Shown {
        args,
        scenario: &scenario,
        variant,
        encounter,
        story,
        record,
        columns: console.out_width.columns(),
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
                let mut trace = serde_json::json!({
                    "scenario": self.scenario.title(),
                    "variant": self.variant.name,
                    "seed": self.args.seed,
                    "encounter": self.encounter,
                    "events": self.story.json(fight, why),
                });
                if !self.args.dice.is_empty() {
                    trace["dice"] = self.args.dice.clone().into();
                }
                if self.args.dice_only {
                    // No die came from the seed.
                    trace["seed"] = serde_json::Value::Null;
                    trace["encounter"] = serde_json::Value::Null;
                }
                serde_json::to_writer_pretty(&mut *out, &trace)?;
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
        Picture::new(ObservedEncounter {
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
                    PageBlock::Figure(figure),
                    PageBlock::Paragraph("The same as text:".to_owned()),
                    PageBlock::Command(command(self.args, self.variant, self.encounter)),
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

/// Prints the share of encounters that fulfil the condition, and where the first of them is to be seen.
fn tell(
    search: &Search,
    args: &TraceArgs,
    variant: &Variant,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let Search {
        count,
        played,
        first,
    } = *search;
    let condition = args.find.as_deref().unwrap_or_default();
    let stopped = stop.load(Ordering::Relaxed);
    if stopped {
        console.say(format_args!("interrupted after {}", encounters(played)));
    }
    if args.format == Format::Json {
        let share = of_rate(count, played, Confidence::DEFAULT);
        let found = serde_json::json!({
            "variant": variant.name, "seed": args.seed, "find": condition, "encounters": played, "count": count,
            "share": rounded(count as f64 / played as f64), "ci_low": share.map(|share| rounded(share.low)),
            "ci_high": share.map(|share| rounded(share.high)), "first": first,
        });
        console.data(|out| writeln!(out, "{found}"))?;
    } else {
        let text = format!(
            "{} of {} of {} have `{condition}`",
            share_in_words(count, played),
            encounters(played),
            variant.name
        );
        let mut lines = wrap(&text, console.out_width.columns(), 2);
        if let Some(first) = first {
            let seen = command(args, variant, first);
            lines.push(format!("to see the first:\n  {seen}"));
        }
        console.answer(&(lines.join("\n") + "\n"))?;
    }
    Ok(Exit::of_missing(stopped, stopped))
}
