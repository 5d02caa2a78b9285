//! `skirmish compare`: every variant against a baseline, encounter by encounter on the same luck.

mod family;

use super::args::{ENCOUNTERS, Foretelling, Format, Given, Playing, count};
use super::console::{Console, watched};
use super::dry_run::{Forecast, Small, bytes_of, into_folder, probe};
use super::load::{Scenario, Source, Variant, each, measured_in, stem};
use super::progress::Fights;
use super::publish::{About, Answer, Made, Publisher};
use super::report::{Command, PaperArgs};
use super::results;
use super::{Exit, Failure};
use crate::output::comparisons::{self, Compared, Comparisons};
use crate::output::manifest::{self, Contents, Manifest, Options, Run, timestamp};
use crate::output::{Style, Target, encounters, grouped};
use crate::run::paired::{self, Contender, Paired, Question};
use crate::run::stop::Decided;
use crate::run::{Ended, StopRule};
use crate::scenario::BASE;
use crate::stats::paired::Luck;
use crate::stats::{Confidence, Precision};
use crate::tally::Tally;
use anyhow::anyhow;
use clap::Args;
use family::{Family, Looked};
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};

/// The greatest difference that does not matter, unless somebody says otherwise.
pub(super) const INDIFFERENCE: &str = "0.5%";

/// What is compared, and by what.
#[derive(Debug, Clone, Args)]
pub struct ContestArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Another scenario, whose variants are held against the baseline instead
    #[arg(value_name = "OTHER")]
    pub other: Option<PathBuf>,

    /// The variant of FILE that the others are held against
    #[arg(long, value_name = "NAME", default_value = BASE)]
    pub baseline: String,

    /// Hold this variant only against the baseline; may be given several times
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,

    /// What to compare, or `all`; may be given several times
    /// [default: `win_rate`, `rounds`]
    #[arg(long = "metric", value_name = "NAME")]
    pub metrics: Vec<String>,
}

/// Arguments of `skirmish compare`.
#[derive(Debug, Clone, Args)]
pub struct CompareArgs {
    /// What is compared
    #[command(flatten)]
    pub contest: ContestArgs,

    /// Encounters of each variant
    #[arg(
        short = 'n',
        long,
        help = "Encounters of each variant: 250k, 1M, 2_000_000 [default: 1M]",
        value_name = "COUNT",
        value_parser = count,
        conflicts_with = "until_decided",
        allow_hyphen_values = true
    )]
    pub encounters: Option<NonZeroU64>,

    /// Instead of -n: play until it is decided of everything whether it differs, or not by more than
    /// --indifference
    #[arg(long)]
    pub until_decided: bool,

    /// The greatest difference that does not matter; for counts, 0.5% is of the baseline's mean and
    /// 0.5 in their own unit
    #[arg(
        long,
        value_name = "WIDTH",
        default_value = INDIFFERENCE,
        requires = "until_decided",
        allow_hyphen_values = true
    )]
    pub indifference: Precision,

    /// The most encounters of each variant, whatever they leave undecided
    #[arg(
        long,
        value_name = "COUNT",
        default_value = "100M",
        requires = "until_decided",
        value_parser = count,
        allow_hyphen_values = true
    )]
    pub max_encounters: NonZeroU64,

    /// Folder for results: the comparison gets a folder in it, named like the file
    #[arg(short, long, value_name = "DIR", default_value = "results")]
    pub output: PathBuf,

    /// Refuse to replace results that are there already
    #[arg(long)]
    pub no_clobber: bool,

    /// What to print; the files are written in any case
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,

    /// Whether it is only foretold
    #[command(flatten)]
    pub foretelling: Foretelling,

    /// Whether there is to be a page with pictures
    #[command(flatten)]
    pub paper: PaperArgs,

    /// What is the same for all that play
    #[command(flatten)]
    pub playing: Playing,
}

/// What is compared: the baseline first.
struct Contest<'a> {
    baseline: String,
    /// Names of the others.
    names: Vec<String>,
    variants: Vec<&'a Variant>,
}

/// Scenarios that have been read and found right.
pub(super) struct Ready {
    name: String,
    stems: Vec<String>,
    files: Vec<PathBuf>,
    scenarios: Vec<Scenario>,
}

/// A comparison that is ready to be played.
pub(super) struct Prepared<'a> {
    ready: &'a Ready,
    contest: Contest<'a>,
    family: Family,
}

/// Runs the subcommand. When `stop` is set, the encounters under way are finished, what all have
/// played is compared and written.
///
/// # Errors
/// If the input is wrong, or results cannot be written.
pub fn run(
    args: &CompareArgs,
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let Some(ready) = ready(&args.contest, &args.playing.given, source, console)? else {
        return Ok(Exit::BadInput);
    };
    let prepared = ready.prepare(&args.contest)?;
    if args.foretelling.dry_run {
        return dry_run(args, &prepared, source, stop, console);
    }
    let mut target = target(args, &ready)?;

    args.paper.prove()?;

    let (time, begun) = (SystemTime::now(), Instant::now());
    let played = play(args, &prepared, source, stop, "compare")?;
    if played.0.encounters() == 0 {
        console.say("interrupted before the first encounters were finished; nothing was written");
        return Ok(Exit::Interrupted);
    }
    let made = Made::now(Run {
        time: timestamp(time),
        threads: args.playing.threads().get(),
        seconds: begun.elapsed().as_secs_f64(),
    });
    publish(args, &prepared, &played, made, stop, &mut target, console)
}

/// Reads the scenarios; nothing if anything is wrong with them, which has then been said.
pub(super) fn ready(
    args: &ContestArgs,
    given: &Given,
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Option<Ready>, Failure> {
    let files: Vec<PathBuf> = [Some(args.file.clone()), args.other.clone()]
        .into_iter()
        .flatten()
        .collect();
    let stems = files.iter().map(|file| stem(file));
    let stems = stems.collect::<Result<Vec<_>, _>>()?;
    family::chosen(&args.metrics).map_err(|wrong| Failure::input(anyhow!(wrong)))?;
    let read = each(&files, |file| source.load(file, &given.overrides, console));
    Ok(read.map(|scenarios| Ready {
        name: stems.join("-and-"),
        stems,
        files,
        scenarios,
    }))
}

impl Ready {
    /// A scenario that has been read already.
    pub(super) fn of(file: PathBuf, stem: String, scenario: Scenario) -> Self {
        Self {
            name: stem.clone(),
            stems: vec![stem],
            files: vec![file],
            scenarios: vec![scenario],
        }
    }

    /// Finds who is held against whom, and by what.
    pub(super) fn prepare(&self, args: &ContestArgs) -> Result<Prepared<'_>, Failure> {
        let contest = contest(args, self)?;
        let metrics =
            family::chosen(&args.metrics).map_err(|wrong| Failure::input(anyhow!(wrong)))?;
        let fights: Vec<_> = contest.variants.iter().map(|one| &one.fight).collect();
        let mut measured = metrics.clone();
        if args.metrics.iter().any(|name| name == family::ALL) {
            measured.retain(|metric| fights.iter().all(|fight| metric.is_measured(fight)));
        }
        for metric in &measured {
            for fight in &fights {
                measured_in(metric, fight)?;
            }
        }
        let family = Family::new(&measured, &fights);
        if family.questions.is_empty() {
            return Err(Failure::input(anyhow!(
                "nothing to compare: the fights share no subject of {}",
                crate::names::list(metrics.iter().map(|metric| metric.name), "or")
            )));
        }
        Ok(Prepared {
            ready: self,
            contest,
            family,
        })
    }
}

impl Prepared<'_> {
    /// The fights, the baseline's first.
    pub(super) fn variants(&self) -> &[&Variant] {
        &self.contest.variants
    }

    /// What is asked of them.
    pub(super) fn questions(&self) -> &[Question] {
        &self.family.questions
    }
}

/// The folder for the results, proved writable.
pub(super) fn target(args: &CompareArgs, ready: &Ready) -> Result<Target, Failure> {
    let folder = args.output.join(&ready.name);
    results::claim(&folder, &Comparisons::FILES, args.no_clobber)
}

/// Says what would be played and written.
fn dry_run(
    args: &CompareArgs,
    prepared: &Prepared<'_>,
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let counts: Vec<u64> = stop_rule(args).looks().counts().collect();
    let [least, most] = [counts[0], counts[counts.len() - 1]];
    let probe = probe(least, stop, |count| {
        let mut small = args.clone();
        small.encounters = Some(count);
        small.until_decided = false;
        small.playing.quiet = true;
        let (paired, ended) = play(&small, prepared, source, stop, "compare")?;
        let (comparisons, manifest) = results(&small, prepared, &paired, ended);
        Ok(Small {
            played: paired.tallies.iter().map(Tally::encounters).sum(),
            bytes: bytes_of(&comparisons, &manifest)?,
        })
    })?;
    let Some(probe) = probe else {
        return Ok(Exit::Interrupted);
    };
    let fights = prepared.contest.variants.len() as u64;
    let each = if least == most {
        encounters(most)
    } else {
        format!("{} to {}", grouped(least), encounters(most))
    };
    Forecast {
        what: format!("{fights} variants of {each} each"),
        encounters: [least, most].map(|count| count.saturating_mul(fights)),
        threads: args.playing.threads(),
        files: Some(into_folder(
            probe.bytes(),
            &args.output.join(&prepared.ready.name),
        )),
        probe: &probe,
    }
    .print(console)
}

/// What came of it, and what is needed to get the same again.
pub(super) fn results(
    args: &CompareArgs,
    prepared: &Prepared<'_>,
    paired: &Paired,
    ended: Ended,
) -> (Comparisons, Manifest) {
    let Prepared {
        ready,
        contest,
        family,
    } = prepared;
    let confidence = args.playing.given.confidence;
    let rule = stop_rule(args);
    let looked = Looked::at(&rule, confidence);
    let comparisons = Comparisons {
        scenario: ready.name.clone(),
        title: title(&ready.scenarios),
        question: ready.scenarios[0].question.clone(),
        baseline: contest.baseline.clone(),
        variants: compared(contest, family, paired, &looked),
        ended,
        confidence,
        notes: notes(family, &rule, confidence),
        stop: rule,
    };
    let manifest = manifest(args, &ready.scenarios, contest, &comparisons);
    (comparisons, manifest)
}

/// Writes the files and prints the answer; says how the process ends.
pub(super) fn publish(
    args: &CompareArgs,
    prepared: &Prepared<'_>,
    (paired, ended): &(Paired, Ended),
    made: Made,
    stop: &AtomicBool,
    target: &mut Target,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let (comparisons, manifest) = results(args, prepared, paired, *ended);
    let ready = prepared.ready;
    let publisher = Publisher {
        format: args.format,
        quiet: args.playing.quiet,
        made,
        played: paired.tallies.iter().map(Tally::encounters).sum(),
        interrupted: *ended == Ended::Interrupted,
        stop,
        paper: &args.paper,
        about: About {
            question: comparisons.question.clone(),
            notes: comparisons.notes.clone(),
            // Two scenarios may have rulings of their own.
            background: match &ready.scenarios[..] {
                [only] => Some(only.background.clone()),
                _ => None,
            },
            command: command(args, &ready.files),
        },
    };
    publisher.publish(&comparisons, manifest, target, console)
}

/// The command that makes a page of the same results again.
fn command(args: &CompareArgs, files: &[PathBuf]) -> String {
    let contest = &args.contest;
    let command = Command::new("compare", files.iter().map(PathBuf::as_path))
        .options(
            "--baseline",
            Some(&contest.baseline).filter(|name| *name != BASE),
        )
        .options("--variant", &contest.variants)
        .options("--metric", &contest.metrics)
        .options("-n", args.encounters);
    let command = if args.until_decided {
        command
            .plain("--until-decided")
            .option("--indifference", &args.indifference)
            .option("--max-encounters", args.max_encounters)
    } else {
        command
    };
    command.given(&args.playing.given).report(&args.paper)
}

impl Answer for Comparisons {
    const FILES: [&'static str; 2] = ["comparisons.csv", "comparisons.manifest.json"];

    fn table(&self, style: Style) -> String {
        comparisons::table(self, style)
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        comparisons::csv(self, out)
    }

    fn json(&self, manifest: &Manifest, out: &mut dyn Write) -> io::Result<()> {
        comparisons::json(self, manifest, out)
    }
}

/// What ends the play.
fn stop_rule(args: &CompareArgs) -> StopRule {
    if args.until_decided {
        StopRule::Decisions(Decided {
            indifference: args.indifference.clone(),
            most: args.max_encounters,
        })
    } else {
        StopRule::Encounters(args.encounters.unwrap_or(ENCOUNTERS))
    }
}

/// Plays it; `name` is what progress is told of.
pub(super) fn play(
    args: &CompareArgs,
    prepared: &Prepared<'_>,
    source: &impl Source,
    stop: &AtomicBool,
    name: &str,
) -> Result<(Paired, Ended), Failure> {
    let rule = stop_rule(args);
    let looked = &Looked::at(&rule, args.playing.given.confidence);
    let Prepared {
        contest, family, ..
    } = prepared;
    let contenders: Vec<Contender<'_, _>> = contest
        .variants
        .iter()
        .map(|variant| Contender {
            player: source.player(variant, args.playing.given.seed),
            fight: &variant.fight,
        })
        .collect();
    let show = !args.playing.quiet && watched();
    let live = Fights::new(show, name, 0);
    let counts = looked.counts.iter().map(|&count| {
        live.length(count.saturating_mul(contenders.len() as u64));
        count
    });
    // With `--metric all`, metrics that never vary do not delay stopping.
    let all = args.contest.metrics.iter().any(|name| name == family::ALL);
    let enough = |paired: &Paired| match &rule {
        StopRule::Decisions(rule) => compared(contest, family, paired, looked)
            .iter()
            .flat_map(|variant| &variant.differences)
            .all(|row| row.is_decided(&rule.indifference) || (all && row.is_constant())),
        StopRule::Encounters(_) | StopRule::Precision(_) => true,
    };
    let played = paired::run_until(
        &contenders,
        &family.questions,
        counts,
        args.playing.threads(),
        stop,
        &live,
        enough,
    )
    .map_err(Failure::io)?;
    live.finish();
    Ok(played)
}

/// What a reader should know.
fn notes(family: &Family, rule: &StopRule, confidence: Confidence) -> Vec<String> {
    let looking = match rule {
        StopRule::Decisions(_) => Some(format!(
            "decided by looking again and again: intervals and p-values allow for that, and keep \
             {confidence} over all looks together"
        )),
        StopRule::Encounters(_) | StopRule::Precision(_) => None,
    };
    family.notes.iter().cloned().chain(looking).collect()
}

/// What came of it, variant by variant.
fn compared(
    contest: &Contest<'_>,
    family: &Family,
    paired: &Paired,
    looked: &Looked,
) -> Vec<Compared> {
    let (baseline, others) = (contest.variants[0], &contest.variants[1..]);
    let lucks: Vec<Luck> = others
        .iter()
        .map(|other| family::luck(&baseline.fight, &other.fight))
        .collect();
    let answers = family.answers(paired, &lucks, looked);
    let named = contest.names.iter().zip(others);
    named
        .zip(lucks)
        .zip(answers)
        .map(|(((name, variant), luck), differences)| Compared {
            name: name.clone(),
            changes: variant.changes.clone(),
            encounters: paired.encounters(),
            luck,
            differences,
        })
        .collect()
}

fn title(scenarios: &[Scenario]) -> String {
    let titles: Vec<&str> = scenarios.iter().map(|one| one.title.as_str()).collect();
    titles.join(" / ")
}

fn manifest(
    args: &CompareArgs,
    scenarios: &[Scenario],
    contest: &Contest<'_>,
    comparisons: &Comparisons,
) -> Manifest {
    let encounters = comparisons
        .variants
        .first()
        .map_or(0, |variant| variant.encounters);
    let names = [&contest.baseline].into_iter().chain(&contest.names);
    let hashes: Vec<&str> = scenarios.iter().map(|one| one.hash.as_str()).collect();
    let contents = Contents {
        scenario: comparisons.scenario.clone(),
        title: comparisons.title.clone(),
        stop: comparisons.stop.clone(),
        confidence: comparisons.confidence,
        interrupted: comparisons.ended == Ended::Interrupted,
        variants: names
            .zip(&contest.variants)
            .map(|(name, variant)| manifest::Variant::new(name, encounters, &variant.changes))
            .collect(),
    };
    let options = Options {
        set: args.playing.given.overrides.clone(),
        variant: args.contest.variants.clone(),
        metric: args.contest.metrics.clone(),
        baseline: Some(contest.baseline.clone()),
        ..Options::default()
    };
    Manifest::new(
        contents,
        &hashes.join("-"),
        args.playing.given.seed,
        options,
    )
}

/// Who is held against whom.
fn contest<'a>(args: &ContestArgs, ready: &'a Ready) -> Result<Contest<'a>, Failure> {
    let Ready {
        stems,
        files,
        scenarios,
        ..
    } = ready;
    let baseline = scenarios[0].variant(&args.baseline, &files[0])?;
    let last = scenarios.len() - 1;
    let (scenario, file) = (&scenarios[last], &files[last]);
    for name in &args.variants {
        scenario.variant(name, file)?;
    }
    let wanted = |variant: &&Variant| {
        let named = args.variants.is_empty() || args.variants.contains(&variant.name);
        // In one file the baseline is not held against itself.
        named && (last > 0 || variant.name != baseline.name)
    };
    let others: Vec<&Variant> = scenario.variants.iter().filter(wanted).collect();
    if others.is_empty() {
        return Err(Failure::input(anyhow!(
            "`{}` has nothing to hold against `{}`: write [[variants]] into it, or name another \
             file",
            file.display(),
            baseline.name
        )));
    }
    let label = |scenario: usize, variant: &str| match last {
        0 => variant.to_owned(),
        _ => format!("{}/{variant}", stems[scenario]),
    };
    Ok(Contest {
        baseline: label(0, &baseline.name),
        names: others.iter().map(|one| label(last, &one.name)).collect(),
        variants: [baseline].into_iter().chain(others).collect(),
    })
}
