//! `skirmish run` on a made-up source of scenarios.

use crate::support::{Outcome, TestDir};
use crate::synthetic::{PlayBy, fight, record};
use clap::Parser;
use skirmish::cli::{Cli, Console, Exit, Failure, Session, execute};
use skirmish::output::sheet::RUN_FILES;
use skirmish::run::Play;
use skirmish::scenario::{Diagnostic, Diagnostics, Loaded, Scenario, Severity, Variant};
use skirmish::systems::tara_corax::rules::MarkRules;
use skirmish::task::Source;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A source that finds every file whose path does not contain `bad`.
pub(crate) struct FakeSource {
    pub(crate) stop: AtomicBool,
    /// The encounter that requests a stop.
    pub(crate) stop_at: u64,
    /// The stop flag to use instead of `stop`.
    pub(crate) stop_with: Option<&'static AtomicBool>,
    /// Whether each encounter takes a millisecond.
    pub(crate) slow: bool,
    /// The encounter that takes a minute.
    pub(crate) slow_encounter: u64,
}

impl FakeSource {
    pub(crate) fn new() -> Self {
        Self {
            stop: AtomicBool::new(false),
            stop_at: u64::MAX,
            stop_with: None,
            slow: false,
            slow_encounter: u64::MAX,
        }
    }

    fn stop(&self) -> &AtomicBool {
        self.stop_with.unwrap_or(&self.stop)
    }
}

impl Source for FakeSource {
    fn load(&self, path: &Path, overrides: &[String]) -> Result<Loaded, Diagnostics> {
        let file = path.display().to_string();
        if file.contains("bad") {
            let wrong = Diagnostic::general(format!("{file}: all wrong"));
            return Err(Diagnostics::one(wrong));
        }
        // The text only distinguishes files; the fight itself is made up.
        let text = format!("# {file}\n{}", crate::sweep::DUEL);
        let mut loaded = Scenario::parse(&file, &text, &[])?;
        let mut warning = Diagnostic::general("made up");
        warning.severity = Severity::Warning;
        loaded.warnings.push(warning);
        let variant = |name: &str| Variant {
            name: name.to_owned(),
            fight: fight(),
            rules: skirmish::systems::Rules::Marks(MarkRules::default()),
            changes: Vec::new(),
        };
        "A made-up fight".clone_into(&mut loaded.scenario.title);
        loaded.scenario.hash = overrides.len() as u64;
        loaded.scenario.variants = vec![variant("base"), variant("simple round")];
        Ok(loaded)
    }

    fn player<'a>(&'a self, variant: &'a Variant, _seed: u64) -> impl Play + 'a {
        PlayBy(|encounter, into: &mut _| {
            if encounter == self.stop_at {
                self.stop().store(true, Ordering::Relaxed);
            }
            if self.slow {
                if encounter == 0 {
                    eprintln!("playing");
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            if encounter == self.slow_encounter {
                std::thread::sleep(Duration::from_mins(1));
            }
            *into = record(&variant.fight, encounter);
        })
    }
}

/// Runs `skirmish run -o FOLDER LINE` on a source within the test.
pub(crate) fn skirmish(source: &FakeSource, folder: &Path, line: &str) -> Outcome {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let result = with_streams(source, folder, line, &mut out, &mut err);
    Outcome::of_call(result, out, err)
}

pub(crate) fn with_streams(
    source: &FakeSource,
    folder: &Path,
    line: &str,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut words = vec!["skirmish", "run", "-o", folder.to_str().unwrap()];
    words.extend(line.split_whitespace());
    let cli = Cli::try_parse_from(words).unwrap();
    let mut session = Session {
        source,
        stop: source.stop(),
        console: Console::new(out, err).hushed(cli.quiet),
    };
    execute(cli.command, &[], &mut session)
}

pub(crate) fn refused(line: &str, way_out: &str) {
    let dir = TestDir::empty();
    let outcome = skirmish(&FakeSource::new(), dir.root(), line);
    let message = outcome.errors();
    assert!(message.contains(way_out), "{message}");
    assert_eq!(
        fs::read_dir(dir.root()).unwrap().count(),
        0,
        "nothing is left behind"
    );
}

pub(crate) fn manifest(folder: &Path, stem: &str) -> serde_json::Value {
    let text = fs::read(folder.join(stem).join("manifest.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

#[test]
fn a_run_prints_a_table_and_writes_its_files() {
    let dir = TestDir::empty();
    let outcome = skirmish(
        &FakeSource::new(),
        dir.root(),
        "x/kiting.toml -n 1k --threads 2",
    );
    assert_eq!(outcome.exit, Exit::Done);
    assert!(
        outcome.out.starts_with("A made-up fight\n"),
        "{}",
        outcome.out
    );
    assert!(
        outcome
            .out
            .contains("skirmish trace x/kiting.toml --encounter")
    );
    assert!(
        outcome
            .err
            .contains("warning: made up\n2,000 encounters in "),
        "{}",
        outcome.err
    );
    for file in RUN_FILES {
        assert!(dir.path("kiting").join(file).is_file());
    }
    assert_eq!(
        fs::read_dir(dir.path("kiting")).unwrap().count(),
        RUN_FILES.len()
    );
    let manifest = manifest(dir.root(), "kiting");
    assert_eq!(manifest["interrupted"], false);
    assert_eq!(manifest["run"]["threads"], 2);
}

#[test]
fn threads_leave_no_trace_in_the_files() {
    let read = |threads: u32| {
        let dir = TestDir::empty();
        let line = format!("kiting.toml -n 3k --threads {threads}");
        skirmish(&FakeSource::new(), dir.root(), &line).assert_done();
        RUN_FILES[..3]
            .iter()
            .map(|file| fs::read(dir.path("kiting").join(file)).unwrap())
            .collect::<Vec<_>>()
    };
    let alone = read(1);
    assert!(alone == read(2) && alone == read(7));
}

#[test]
fn csv_of_several_scenarios_has_one_head() {
    let dir = TestDir::empty();
    let outcome = skirmish(
        &FakeSource::new(),
        dir.root(),
        "a.toml b.toml -n 10 --format csv -q",
    );
    let heads = outcome
        .out
        .lines()
        .filter(|line| line.starts_with("scenario,"))
        .count();
    assert_eq!(heads, 1);
    assert!(
        outcome
            .out
            .lines()
            .any(|line| line.starts_with("b,base,win_rate,hunters,10,"))
    );
    let notes = "warning: a: base: policy `charge` of `dog` never found a legal line";
    assert!(outcome.err.contains(notes), "{}", outcome.err);
}

#[test]
fn json_is_one_document_a_scenario() {
    let dir = TestDir::empty();
    let outcome = skirmish(
        &FakeSource::new(),
        dir.root(),
        "a.toml b.toml -n 10 --format json",
    );
    let documents: Vec<serde_json::Value> = serde_json::Deserializer::from_str(&outcome.out)
        .into_iter()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(documents.len(), 2);
    assert_eq!(documents[1]["manifest"]["scenario"]["name"], "b");
}

#[test]
fn all_files_are_read_before_anything_is_played() {
    let dir = TestDir::empty();
    let outcome = skirmish(
        &FakeSource::new(),
        dir.root(),
        "good.toml bad.toml bad2.toml",
    );
    assert_eq!(outcome.exit, Exit::BadInput);
    assert!(
        outcome
            .err
            .contains("error: bad.toml: all wrong\nerror: bad2.toml: all wrong")
    );
    assert_eq!(fs::read_dir(dir.root()).unwrap().count(), 0);
}

#[test]
fn only_the_variants_that_are_asked_for_are_played() {
    let dir = TestDir::empty();
    let source = FakeSource::new();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = [
        "skirmish",
        "run",
        "a.toml",
        "-n",
        "9",
        "--variant",
        "simple round",
        "-o",
    ];
    let cli = Cli::try_parse_from(words.iter().copied().chain([dir.root().to_str().unwrap()]));
    let mut session = Session {
        source: &source,
        stop: &source.stop,
        console: Console::new(&mut out, &mut err),
    };
    execute(cli.unwrap().command, &[], &mut session).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(!out.contains("as written: ") && out.contains("simple round: 9 encounters"));
    assert!(out.contains("--variant 'simple round'"), "{out}");
}

#[test]
fn what_cannot_be_done_is_refused_before_it_is_begun() {
    refused("a.toml --variant bsae", "did you mean `base`?");
    refused(
        "a.toml --variant luck",
        "there is `base` and `simple round`",
    );
    refused("x/a.toml y/a.toml", "run them one by one");
    refused("x/a.toml y/A.toml", "run them one by one");
    refused("..", "`..` is a folder: name scenario files, such as ");
}

#[test]
fn a_target_that_cannot_be_written_is_refused_before_the_run() {
    let dir = TestDir::empty();
    fs::create_dir_all(dir.path("a/summary.csv")).unwrap();
    let outcome = skirmish(&FakeSource::new(), dir.root(), "a.toml");
    outcome.assert_refused("is in the way");
}

#[test]
fn intervals_have_the_level_that_is_asked_for() {
    let dir = TestDir::empty();
    let at = |level: &str| {
        let line = format!("a.toml -n 3k --format csv -q {level}");
        let out = skirmish(&FakeSource::new(), dir.root(), &line).out;
        let named = manifest(dir.root(), "a")["confidence"].clone();
        (out, named)
    };
    let (usual, unnamed) = at("");
    assert_eq!(unnamed, "95%");
    assert_eq!(at("--confidence 95%"), (usual.clone(), unnamed));
    let (sure, named) = at("--confidence 99.9%");
    assert_eq!(named, "99.9%");
    let narrower = |a: &str, b: &str| {
        let cells = |row: &str| -> Option<f64> {
            let cells: Vec<&str> = row.split(',').collect();
            Some(cells[9].parse::<f64>().ok()? - cells[8].parse::<f64>().ok()?)
        };
        match (cells(a), cells(b)) {
            // No combatant here has a spell, so that count is certain at any level.
            (Some(a), Some(b)) => a < b || a.max(b) <= 0.0,
            (a, b) => a == b,
        }
    };
    assert_eq!(usual.lines().count(), sure.lines().count());
    assert!(
        usual
            .lines()
            .zip(sure.lines())
            .skip(1)
            .all(|(a, b)| narrower(a, b))
    );
    let table = skirmish(
        &FakeSource::new(),
        dir.root(),
        "a.toml -n 3k --confidence 0.999",
    )
    .out;
    assert!(
        table.contains("99.9% interval") && !table.contains("95%"),
        "{table}"
    );
}

#[test]
fn an_interrupted_run_is_a_run_of_what_was_finished() {
    let dir = TestDir::empty();
    let source = FakeSource {
        stop_at: 600,
        ..FakeSource::new()
    };
    let outcome = skirmish(&source, dir.root(), "a.toml b.toml -n 10k --threads 1");
    assert_eq!(outcome.exit, Exit::Interrupted);
    assert!(
        outcome
            .out
            .contains("1 variant, 640 of 10,000 encounters each (interrupted)"),
        "{}",
        outcome.out
    );
    let manifest = manifest(dir.root(), "a");
    assert_eq!(manifest["interrupted"], true);
    assert_eq!(manifest["variants"][0]["encounters"], 640);
    assert_eq!(manifest["variants"][1]["encounters"], 0);
    assert!(!dir.path("b").exists());

    // The completed part is byte for byte a run of that many encounters.
    let whole = TestDir::empty();
    skirmish(
        &FakeSource::new(),
        whole.root(),
        "a.toml -n 640 --variant base",
    )
    .assert_done();
    for file in &RUN_FILES[..3] {
        let read = |folder: &Path| fs::read_to_string(folder.join("a").join(file)).unwrap();
        assert_eq!(read(dir.root()), read(whole.root()));
    }
}

#[test]
fn ctrl_c_keeps_a_whole_comparison_of_fewer_encounters() {
    let dir = TestDir::empty();
    let source = FakeSource {
        stop_at: 5000,
        ..FakeSource::new()
    };
    let outcome = skirmish(&source, dir.root(), "a.toml -n 100k --threads 1");
    assert_eq!(outcome.exit, Exit::Interrupted);
    let manifest = manifest(dir.root(), "a");
    let variants = manifest["variants"].as_array().unwrap();
    let played = |variant: &serde_json::Value| variant["encounters"].as_u64().unwrap();
    let kept = played(&variants[0]);
    assert!((1024..5000).contains(&kept), "{manifest}");
    assert!(variants.iter().all(|variant| played(variant) == kept));

    // All variants are byte for byte a run of that many encounters.
    let whole = TestDir::empty();
    skirmish(
        &FakeSource::new(),
        whole.root(),
        &format!("a.toml -n {kept}"),
    )
    .assert_done();
    for file in &RUN_FILES[..3] {
        let read = |folder: &Path| fs::read_to_string(folder.join("a").join(file)).unwrap();
        assert_eq!(read(dir.root()), read(whole.root()));
    }
}

#[test]
fn a_run_interrupted_at_once_leaves_old_results_whole() {
    let dir = TestDir::empty();
    fs::create_dir(dir.path("a")).unwrap();
    dir.write("a/summary.csv", "scenario,old");
    let source = FakeSource::new();
    source.stop.store(true, Ordering::Relaxed);
    for line in ["a.toml -n 10k", "a.toml --exact"] {
        let outcome = skirmish(&source, dir.root(), line);
        assert_eq!(outcome.exit, Exit::Interrupted);
        let said = outcome.err.trim_end();
        assert!(said.ends_with("nothing was written"), "{said}");
    }
    assert_eq!(dir.read("a/summary.csv"), "scenario,old");
    assert_eq!(fs::read_dir(dir.path("a")).unwrap().count(), 1);
}

/// A stream whose reader has closed it.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_who_goes_does_not_stop_the_work() {
    let dir = TestDir::empty();
    let mut err = Vec::new();
    let line = "a.toml b.toml -n 50";
    let result = with_streams(&FakeSource::new(), dir.root(), line, &mut Closed, &mut err);
    assert_eq!(result.unwrap(), Exit::Done);
    assert!(dir.path("b/manifest.json").exists());
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let dir = TestDir::empty();
    let result = with_streams(
        &FakeSource::new(),
        dir.root(),
        "a.toml -n 50",
        &mut Full,
        &mut Vec::new(),
    );
    assert_eq!(result.unwrap_err().exit, Exit::Io);
}
