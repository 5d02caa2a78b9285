//! Progress of checks and runs: of the whole command, over all its files.

use super::{duel_with, wins};
use skirmish::output::findings::Verdict;
use skirmish::task::run::Runs;
use skirmish::task::{
    Check, Context, Files, NarrowEnough, Prepared, Question, Source as _, Task, Until, Watch,
    usual_metrics,
};
use std::num::NonZeroU64;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The progress reports that a watch received.
#[derive(Debug, Default)]
struct Heard {
    /// Encounters played before each piece began.
    begun: Vec<u64>,
    /// Every total length that was announced.
    lengths: Vec<u64>,
    played: u64,
}

#[derive(Default)]
struct Listener(Mutex<Heard>);

impl Watch for Listener {
    fn begin(&self, _: &str, encounters: u64, played: u64, estimated: bool) {
        assert!(estimated, "it ends when enough is known");
        assert!(
            encounters >= played,
            "{encounters} of which {played} were played"
        );
        let mut heard = self.0.lock().unwrap();
        heard.begun.push(played);
        heard.lengths.push(encounters);
    }

    fn length(&self, encounters: u64) {
        self.0.lock().unwrap().lengths.push(encounters);
    }

    fn tick(&self, encounters: u64, _: &[u64]) {
        self.0.lock().unwrap().played += encounters;
    }
}

#[test]
fn progress_of_a_check_is_of_all_files() {
    let dir =
        duel_with("[[expect]]\nmetric = \"win_rate\"\nside = \"heroes\"\nbetween = [0.5, 0.6]");
    let file = dir.path("duel.toml");
    let inputs = [&file, &file].map(|file| Files.input(file, &[]).unwrap());
    let fights = inputs[0].variants().len() as u64;
    let check = Check {
        tolerance: None,
        baseline: None,
        allow_undecided: false,
    };
    let count = |n| NonZeroU64::new(n).unwrap();
    let until = Until::Looks {
        first: count(1000),
        most: count(4000),
    };
    let task = Task {
        until,
        ..Task::new(Question::Check(check), count(1000))
    };
    let listener = Listener::default();
    let context = Context {
        watch: &listener,
        ..Context::new(&Files)
    };
    let checks = task.check(inputs.to_vec()).unwrap();
    let Ok((_, played)) = checks.decide(&context) else {
        panic!("nothing stops it");
    };
    let heard = listener.0.into_inner().unwrap();
    assert_eq!(heard.played, played);
    assert_eq!(heard.begun, [0, played / 2], "both files take as long");
    assert_eq!(heard.lengths[0], 2 * 1000 * fights, "one look at each");
    assert_eq!(
        heard.lengths.last(),
        Some(&played),
        "in the end it is known"
    );
}

#[test]
fn progress_of_runs_counts_what_earlier_files_took() {
    let dir = duel_with("");
    let most = NonZeroU64::new(100_000).unwrap();
    let until = Until::Precision(NarrowEnough {
        precision: "1%".parse().unwrap(),
        metrics: usual_metrics(),
        most,
    });
    let task = Task {
        until,
        ..Task::new(
            Question::Run {
                variant: Vec::new(),
            },
            most,
        )
    };
    let file = dir.path("duel.toml");
    let runs = [(); 2].map(|()| {
        let input = Files.input(&file, &[]).unwrap();
        task.prepare(vec![input]).unwrap()
    });
    let listener = Listener::default();
    let context = Context {
        watch: &listener,
        ..Context::new(&Files)
    };
    let fights = runs.iter().map(Prepared::fights).sum();
    let mut players = Runs::new(&context, fights, None, None);
    for run in &runs {
        players.play(run).unwrap();
    }
    let heard = listener.0.into_inner().unwrap();
    assert_eq!(
        heard.begun,
        [0, heard.played / 2],
        "both files take as long"
    );
    assert_eq!(heard.lengths.last(), Some(&heard.played));
}

/// Stops a check when it announces its second look.
#[derive(Default)]
struct Stopper {
    stop: AtomicBool,
    looks: Mutex<u64>,
}

impl Watch for Stopper {
    fn length(&self, _: u64) {
        let mut looks = self.looks.lock().unwrap();
        *looks += 1;
        self.stop.store(*looks > 1, Ordering::Relaxed);
    }
}

/// The duel is won by the heroes in 54.6% of encounters, so a thousand of them decide the first claim, not the second.
#[test]
fn an_interrupted_check_keeps_what_it_has_decided() {
    let dir = duel_with(&(wins("min = 0.1") + &wins("min = 0.546")));
    let input = Files.input(&dir.path("duel.toml"), &[]).unwrap();
    let check = Check {
        tolerance: None,
        baseline: None,
        allow_undecided: false,
    };
    let count = |n| NonZeroU64::new(n).unwrap();
    let until = Until::Looks {
        first: count(1000),
        most: count(1_000_000),
    };
    let task = Task {
        until,
        ..Task::new(Question::Check(check), count(1000))
    };
    let stopper = Stopper::default();
    let context = Context {
        watch: &stopper,
        stop: &stopper.stop,
        ..Context::new(&Files)
    };
    let checks = task.check(vec![input]).unwrap();
    let Ok((checked, _)) = checks.decide(&context) else {
        panic!("it does not fail");
    };
    let list = &checked.files[0].list;
    let verdicts: Vec<Verdict> = list.iter().map(|finding| finding.verdict).collect();
    assert_eq!(verdicts, [Verdict::Passed, Verdict::Undecided]);
    assert_eq!((list[0].encounters, list[1].found), (1000, None));
    assert_eq!(
        list[1].details,
        ["the check was interrupted before a look decided it"]
    );
}
