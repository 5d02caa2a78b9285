//! Runs that stop when their intervals are narrow enough.

use super::runs::{FakeSource, manifest, refused, skirmish};
use crate::support::TestDir;
use crate::synthetic::{fight, record};
use skirmish::cli::Exit;
use skirmish::output::sheet::RUN_FILES;
use skirmish::run::Looks;
use skirmish::stats::{Confidence, Precision};
use skirmish::tally::{Tally, metrics};
use skirmish::task::{ENCOUNTERS, Question, Task, Until};
use std::fs;
use std::num::NonZeroU64;
use std::path::Path;

fn files(folder: &Path) -> Vec<String> {
    let read = |file| fs::read_to_string(folder.join("a").join(file)).unwrap();
    RUN_FILES[..3].iter().map(read).collect()
}

/// Returns the first look at which the metric is precise enough, computed independently of the runner.
fn first_look(precision: &str, metric: &str) -> u64 {
    let (fight, precision) = (fight(), precision.parse::<Precision>().unwrap());
    let mut tally = Tally::new(&fight);
    let most = NonZeroU64::new(100_000).unwrap();
    Looks::for_precision(most)
        .counts()
        .find(|&count| {
            for encounter in tally.encounters()..count {
                tally.add(encounter, &record(&fight, encounter));
            }
            let metrics = [metrics::find(metric).unwrap()];
            let widest = precision.widest(&tally, &metrics, Confidence::DEFAULT);
            widest.unwrap().excess <= 1.0
        })
        .unwrap()
}

#[test]
fn a_run_ends_at_the_first_look_that_is_precise_on_any_number_of_threads() {
    let dir = TestDir::empty();
    let play = |threads: u32| {
        let line = format!("a.toml --precision 0.7% --threads {threads} --format csv");
        let outcome = skirmish(&FakeSource::new(), dir.root(), &line);
        assert_eq!(outcome.exit, Exit::Done);
        let mut manifest = manifest(dir.root(), "a");
        manifest.as_object_mut().unwrap().remove("run");
        (files(dir.root()), manifest)
    };
    let (files_of_one, manifest) = play(1);
    assert_eq!((files_of_one.clone(), manifest.clone()), play(2));
    assert_eq!((files_of_one.clone(), manifest.clone()), play(5));

    let count = first_look("0.7%", "win_rate");
    assert!(count > 15_000, "{count}");
    for variant in 0..2 {
        assert_eq!(manifest["variants"][variant]["encounters"], count);
        assert_eq!(manifest["variants"][variant]["precise"], true);
    }
    assert_eq!(manifest["interrupted"], false);
    let until = serde_json::json!({
        "precision": { "precision": "0.7%", "metric": ["win_rate"], "most": 1_000_000_000 },
    });
    assert_eq!(manifest["until"], until);

    // The result is the same as a run of that many encounters.
    let line = format!("a.toml -n {count}");
    skirmish(&FakeSource::new(), dir.root(), &line).assert_done();
    assert_eq!(files_of_one, files(dir.root()));
}

#[test]
fn the_metrics_that_are_named_have_to_be_precise() {
    let dir = TestDir::empty();
    for (precision, metric) in [("0.2", "damage"), ("1%", "hits"), ("0.1%", "mutual")] {
        let line = format!("a.toml --precision {precision} --metric {metric} --variant base");
        skirmish(&FakeSource::new(), dir.root(), &line).assert_done();
        let count = first_look(precision, metric);
        assert!(count > 10_000, "{metric}: {count}");
        let manifest = manifest(dir.root(), "a");
        assert_eq!(manifest["variants"][0]["encounters"], count, "{metric}");
    }
    let both = "a.toml --precision 1% --metric hits --metric mutual --variant base";
    skirmish(&FakeSource::new(), dir.root(), both).assert_done();
    let slower = first_look("1%", "hits").max(first_look("1%", "mutual"));
    let manifest = manifest(dir.root(), "a");
    assert_eq!(manifest["variants"][0]["encounters"], slower);
}

#[test]
fn what_cannot_vary_holds_nobody_up() {
    let dir = TestDir::empty();
    let line = "a.toml --precision 0.01% --metric spells_cast --max-encounters 12k";
    skirmish(&FakeSource::new(), dir.root(), line).assert_done();
    let variant = &manifest(dir.root(), "a")["variants"][0];
    assert_eq!(variant["encounters"], 10_000, "nobody has a spell");
    assert_eq!(variant["precise"], true);
}

#[test]
fn who_reaches_the_bound_first_is_told() {
    let dir = TestDir::empty();
    let line = "a.toml --precision 0.1% --max-encounters 12k";
    let outcome = skirmish(&FakeSource::new(), dir.root(), line);
    assert_eq!(outcome.exit, Exit::Done);
    for said in [
        ", 12,000 encounters each (the most that were allowed)",
        "note: as written: not as precise as asked for, ±0.1%: win_rate of `monsters` is 48.6±0.9%\n",
    ] {
        assert!(outcome.out.contains(said), "{}", outcome.out);
    }
    let manifest = manifest(dir.root(), "a");
    assert_eq!(manifest["variants"][0]["encounters"], 12_000);
    assert_eq!(manifest["variants"][0]["precise"], false);
    assert_eq!(manifest["interrupted"], false);
    // The limit may be below the first look.
    let line = "a.toml --precision 0.1% --max-encounters 40 --format csv";
    let outcome = skirmish(&FakeSource::new(), dir.root(), line);
    let warning = "warning: a: base: not as precise as asked for, ±0.1%: win_rate of `";
    assert!(outcome.err.contains(warning), "{}", outcome.err);
}

#[test]
fn who_interrupts_gets_a_run_of_what_was_finished() {
    let dir = TestDir::empty();
    let source = FakeSource {
        stop_at: 13_000,
        ..FakeSource::new()
    };
    let line = "a.toml --precision 0.1% --threads 1";
    let outcome = skirmish(&source, dir.root(), line);
    assert_eq!(outcome.exit, Exit::Interrupted);
    let manifest = manifest(dir.root(), "a");
    assert_eq!(manifest["interrupted"], true);
    assert_eq!(manifest["variants"][0]["precise"], false);
    let played = manifest["variants"][0]["encounters"].as_u64().unwrap();
    assert!(played > 13_000 && played < 14_000, "{played}");
    assert!(outcome.out.contains("each (interrupted)"));
    assert!(
        outcome
            .out
            .contains("note: as written: not as precise as asked for")
    );
}

#[test]
fn a_higher_level_takes_longer() {
    let dir = TestDir::empty();
    let played = |level: &str| {
        let line = format!("a.toml --precision 1% --confidence {level} --variant base");
        skirmish(&FakeSource::new(), dir.root(), &line).assert_done();
        manifest(dir.root(), "a")["variants"][0]["encounters"]
            .as_u64()
            .unwrap()
    };
    // A quarter divided by a hundredth squared, times the squared quantiles: 6.635 and 10.828.
    assert!((15_790..17_420).contains(&played("99%")));
    assert!((26_200..29_000).contains(&played("99.9%")));
}

#[test]
fn what_contradicts_itself_is_refused() {
    refused("a.toml -n 5 --precision 1%", "exclude each other");
    refused("a.toml --precision 50%", "write 1% or 0.01");
    refused(
        "a.toml --precision 2 --metric damage --metric alive",
        "`alive` is a rate",
    );
}

#[test]
fn a_precision_needs_metrics_that_have_a_mean() {
    let refused = |metrics: &str| {
        let until =
            format!(r#"{{"precision": {{"precision": "1%", "metric": {metrics}, "most": 9}}}}"#);
        let question = Question::Run {
            variant: Vec::new(),
        };
        let task = Task {
            until: serde_json::from_str(&until).unwrap(),
            ..Task::new(question, ENCOUNTERS)
        };
        task.validate().err().map(|failure| failure.to_string())
    };
    assert_eq!(refused(r#"["win_rate"]"#), None);
    assert!(refused("[]").unwrap().contains("no metric is named"));
    assert!(
        refused(r#"["standing"]"#)
            .unwrap()
            .contains("it has no mean")
    );
    let unknown = r#"{"precision": {"precision": "1%", "metric": ["win_rat"], "most": 9}}"#;
    let unknown = serde_json::from_str::<Until>(unknown).unwrap_err();
    assert!(unknown.to_string().contains("`win_rate`"), "{unknown}");
}
