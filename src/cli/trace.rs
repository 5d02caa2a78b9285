//! `skirmish trace`: one encounter of a run, told Mark by Mark.

use super::args::{SEED, count, seed};
use super::console::Console;
use super::load::{Source, Variant, each};
use super::{Exit, Failure};
use crate::engine::{Ending, Play, Player, Record};
use crate::fight::Fight;
use crate::names::unknown;
use crate::output::story::Story;
use crate::policy::program::Comparison;
use crate::tally::metrics::{self, CAUGHT, ESCAPED, Kind, MUTUAL, Metric, Scope, TIMEOUT};
use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Encounters that `--find` looks through unless told otherwise.
const SEARCHED: &str = "1M";

/// Arguments of `skirmish trace`.
#[derive(Debug, Args)]
pub struct TraceArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Number of the encounter, from 0: exactly that one of a run with the same seed
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub encounter: u64,

    /// The first encounter (from --encounter on) of which this is true, e.g. winner=brute,
    /// rounds>=9 or damage.archer<10
    #[arg(long, value_name = "WHAT")]
    pub find: Option<String>,

    /// Encounters to look through for --find
    #[arg(long, value_name = "COUNT", default_value = SEARCHED, value_parser = count)]
    pub within: NonZeroU64,

    /// The variant to play
    #[arg(long, value_name = "NAME", default_value = "base")]
    pub variant: String,

    /// Seed of the run
    #[arg(long, default_value_t = SEED, value_parser = seed, allow_hyphen_values = true)]
    pub seed: u64,

    /// Change a number of the scenario: combatants.archer.move=12; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,

    /// Say for each decision why the policy lines above it were not taken
    #[arg(long)]
    pub why: bool,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// What `trace` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Sentences
    Text,
    /// One object an event
    Json,
}

/// Runs the subcommand.
///
/// # Errors
/// If the input is wrong, no such encounter is found, or standard output cannot be written.
pub fn run(
    args: &TraceArgs,
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let files = std::slice::from_ref(&args.file);
    let read = each(files, |file| source.load(file, &args.overrides, console));
    let Some(mut scenarios) = read else {
        return Ok(Exit::BadInput);
    };
    let scenario = scenarios.remove(0);
    let variant = scenario.variant(&args.variant, &args.file)?;
    let player = Player::new(&variant.fight, &variant.rules, args.seed);
    let encounter = match &args.find {
        None => args.encounter,
        Some(text) => {
            let wanted = Wanted::parse(text, &variant.fight).map_err(Failure::input)?;
            find(&wanted, &player, variant, args).map_err(Failure::input)?
        }
    };
    let mut story = Story::default();
    let record = player.show(encounter, &mut story);
    let head = format!(
        "{}: encounter {encounter} of seed {}, variant {}",
        scenario.title, args.seed, variant.name
    );
    console
        .result(|out| match args.format {
            Format::Text => {
                writeln!(out, "{head}\n")?;
                write!(out, "{}", story.text(&variant.fight, &record, args.why))
            }
            Format::Json => {
                let told = serde_json::json!({
                    "scenario": scenario.title,
                    "variant": variant.name,
                    "seed": args.seed,
                    "encounter": encounter,
                    "events": story.json(&variant.fight, args.why),
                });
                serde_json::to_writer_pretty(&mut *out, &told)?;
                writeln!(out)
            }
        })
        .context("cannot write to standard output")
        .map_err(Failure::io)?;
    Ok(Exit::Done)
}

fn find(
    wanted: &Wanted,
    player: &Player,
    variant: &Variant,
    args: &TraceArgs,
) -> anyhow::Result<u64> {
    let mut table = player.state();
    let mut record = Record::default();
    let end = args.encounter.saturating_add(args.within.get());
    for encounter in args.encounter..end {
        player.play(&mut table, encounter, &mut record);
        if wanted.is_true(&record, &variant.fight) {
            return Ok(encounter);
        }
    }
    let text = args.find.as_deref().unwrap_or_default();
    bail!(
        "none of the {} encounters from {} on has `{text}`; --within looks through more",
        args.within,
        args.encounter
    )
}

/// What `--find` looks for.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    Ending(Ending),
    Value {
        metric: &'static Metric,
        subject: usize,
        comparison: Comparison,
        number: i64,
    },
}

/// Operators, the longer first.
const OPERATORS: [(&str, Comparison); 7] = [
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("!=", Comparison::NotEqual),
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

impl Wanted {
    fn parse(text: &str, fight: &Fight) -> anyhow::Result<Self> {
        let (at, operator, comparison) = text
            .char_indices()
            .find_map(|(at, _)| {
                OPERATORS
                    .iter()
                    .find(|(operator, _)| text[at..].starts_with(operator))
                    .map(|(operator, comparison)| (at, *operator, *comparison))
            })
            .with_context(|| {
                format!("`{text}` compares nothing; write winner=SIDE, rounds>=9 or damage.NAME<10")
            })?;
        let left = text[..at].trim();
        let right = text[at + operator.len()..].trim();
        let (name, subject) = match left.split_once('.') {
            Some((name, subject)) => (name.trim(), Some(subject.trim())),
            None => (left, None),
        };
        let measured = || metrics::all().filter(|metric| metric.is_measured(fight));
        let metric = measured()
            .find(|metric| metric.name == name)
            .with_context(|| unknown("metric", name, measured().map(|metric| metric.name)))?;
        if metric.kind == Kind::Category {
            if comparison != Comparison::Equal {
                bail!("`{name}` can only be compared with =");
            }
            return Ok(Self::Ending(ending(right, fight)?));
        }
        if metric.kind == Kind::Curve {
            bail!("`{name}` has no value in a single encounter");
        }
        let number = right
            .parse()
            .map_err(|_| anyhow!("`{right}` is not a whole number to compare `{name}` with"))?;
        let subject = match (metric.scope, subject) {
            (Scope::Encounter, None) => 0,
            (Scope::Encounter, Some(_)) => {
                bail!("`{name}` is about the encounter as a whole; leave out what follows the dot")
            }
            (scope, None) => bail!("whose {name}? write {name}.{}", scope.name().to_uppercase()),
            (scope, Some(name)) => scope
                .subject(fight, name)
                .with_context(|| unknown(scope.name(), name, scope.subjects(fight)))?,
        };
        Ok(Self::Value {
            metric,
            subject,
            comparison,
            number,
        })
    }

    fn is_true(&self, record: &Record, fight: &Fight) -> bool {
        match *self {
            Self::Ending(ending) => record.ending == ending,
            Self::Value {
                metric,
                subject,
                comparison,
                number,
            } => metric
                .value(record, fight, subject)
                .is_some_and(|value| comparison.holds(value, number)),
        }
    }
}

/// An ending by the name of a side, or of somebody on it.
fn ending(name: &str, fight: &Fight) -> anyhow::Result<Ending> {
    if name == MUTUAL {
        return Ok(Ending::Mutual);
    }
    if name == TIMEOUT {
        return Ok(Ending::Timeout);
    }
    if !fight.ends.is_empty() {
        match name {
            ESCAPED => return Ok(Ending::Escaped),
            CAUGHT => return Ok(Ending::Caught),
            _ => {}
        }
    }
    if let Some(side) = fight.sides.iter().position(|side| side == name) {
        return Ok(Ending::Win(side as u8));
    }
    if let Some(one) = fight
        .combatants
        .iter()
        .find(|one| one.name == name || one.group == name)
    {
        return Ok(Ending::Win(one.side as u8));
    }
    let sides = fight.sides.iter().map(String::as_str);
    Err(anyhow!(unknown(
        "winner",
        name,
        sides.chain([MUTUAL, TIMEOUT])
    )))
}
