//! Progress of checks and runs: of the whole command, over all its files.

use super::duel_with;
use skirmish::task::run::Runs;
use skirmish::task::{Check, Context, Files, Prepared, Question, Source as _, Task, Until, Watch};
use std::num::NonZeroU64;
use std::sync::Mutex;

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
    for mirror in [false, true] {
        let check = Check {
            mirror,
            tolerance: mirror.then_some(0.5),
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
}

#[test]
fn progress_of_runs_counts_what_earlier_files_took() {
    let dir = duel_with("");
    let most = NonZeroU64::new(100_000).unwrap();
    let until = Until::Precision {
        precision: "1%".parse().unwrap(),
        metric: Vec::new(),
        most,
    };
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
