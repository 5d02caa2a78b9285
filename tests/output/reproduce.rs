//! `skirmish reproduce`: repeats the task of a manifest and compares the bytes of the results.

use clap::Parser;
use skirmish::cli::{
    Cli, Command, Console, Exit, check, compare, knockout, matchup, report, reproduce, run,
    sensitivity, sweep, tune,
};
use skirmish::task::Files;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use tempfile::{TempDir, tempdir};

/// A folder with `duel.toml` and its results.
pub(crate) struct Room(TempDir);

impl Room {
    fn new() -> Self {
        Self::with("duel.toml", crate::sweep::DUEL)
    }

    /// Creates a room whose scenario file has this name.
    pub(crate) fn with(name: &str, scenario: &str) -> Self {
        let room = Self(tempdir().unwrap());
        fs::write(room.path(name), scenario).unwrap();
        room
    }

    fn played() -> Self {
        let room = Self::new();
        room.skirmish(
            "run @/duel.toml -n 300 --seed 7 --set combatants.knight.armor=2 -q -o @/results",
        );
        room
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `skirmish LINE`, with `@` replaced by the folder; returns the exit and all output.
    pub(crate) fn skirmish(&self, line: &str) -> (Exit, String) {
        let folder = self.0.path().to_str().unwrap();
        let line = line.replace('@', folder);
        let words = ["skirmish"].into_iter().chain(line.split_whitespace());
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let console = &mut Console::new(&mut out, &mut err);
        let never = AtomicBool::new(false);
        let result = match Cli::try_parse_from(words).unwrap().command {
            Command::Run(args) => run::run(&args, &Files, &never, console),
            Command::Compare(args) => compare::run(&args, &Files, &never, console),
            Command::Sweep(args) => sweep::run(&args, &Files, &never, console),
            Command::Sensitivity(args) => sensitivity::run(&args, &Files, &never, console),
            Command::Knockout(args) => knockout::run(&args, &Files, &never, console),
            Command::Matchup(args) => matchup::run(&args, &Files, &never, console),
            Command::Tune(args) => tune::run(&args, &Files, &never, console),
            Command::Reproduce(args) => reproduce::run(&args, &never, console),
            Command::Check(args) => check::run(&args, &never, console),
            Command::Report(args) => report::run(&args, &Files, &never, console),
            _ => panic!("no command of this room"),
        };
        match result {
            Ok(exit) => (exit, String::from_utf8(out).unwrap().replace(folder, "@")),
            Err(failure) => (failure.exit, failure.to_string().replace(folder, "@")),
        }
    }

    fn reproduce(&self) -> (Exit, String) {
        self.skirmish("reproduce @/results/duel -q --threads 2")
    }

    /// Changes a results file.
    fn forge(&self, file: &str, change: impl FnOnce(String) -> String) {
        let path = self.path("results/duel").join(file);
        let text = fs::read_to_string(&path).unwrap();
        let changed = change(text.clone());
        assert_ne!(text, changed, "{file}");
        fs::write(path, changed).unwrap();
    }
}

#[test]
fn results_of_every_subcommand_are_the_same_again() {
    let room = Room::played();
    for line in [
        "compare @/duel.toml -n 200 --metric all",
        "compare @/duel.toml --until-decided --indifference 20% --max-encounters 5k",
        "run @/duel.toml --precision 3% --metric rounds --confidence 99% --max-encounters 20k",
        "sweep @/duel.toml --vary combatants.knight.health=18,22 -n 50 --metric rounds",
        "sweep @/duel.toml --vary combatants.knight.armor=0..4 --threshold 50% -n 400",
        "sensitivity @/duel.toml -n 40 --variant armoured",
        "knockout @/duel.toml -n 40 --variant armoured --metric rounds",
    ] {
        let line = format!("{line} -q -o @/results --threads 3");
        assert_eq!(room.skirmish(&line).0, Exit::Done, "{line}");
        let (exit, out) = room.reproduce();
        assert_eq!(exit, Exit::Done, "{line}: {out}");
        assert!(out.lines().all(|line| line.starts_with("same: ")), "{out}");
    }
    let files = fs::read_dir(room.path("results/duel")).unwrap().count();
    assert_eq!(room.reproduce().1.lines().count(), files);
    assert_eq!(files, 4 + 2 + 2 * 2 + 2 + 2);
}

#[test]
fn meetings_of_builds_are_the_same_again_until_a_file_changes() {
    let room = Room::with("duel.toml", crate::matchup::THREE);
    let guests = crate::sweep::DUEL.replace("spear", "pike");
    fs::write(room.path("guest.toml"), &guests).unwrap();
    let guest = "\n[[builds]]\nname = \"guest\"\nfrom = \"guest.toml\"\n";
    fs::write(
        room.path("duel.toml"),
        format!("{}{guest}", crate::matchup::THREE),
    )
    .unwrap();
    for options in [
        "-n 60",
        "--precision 8%",
        "--until-decided --indifference 8%",
    ] {
        let line = format!("matchup @/duel.toml {options} --variant slow -q -o @/results");
        let (exit, out) = room.skirmish(&line);
        assert_eq!(exit, Exit::Done, "{out}");
        let (exit, out) = room.reproduce();
        assert_eq!((exit, out.lines().count()), (Exit::Done, 2), "{out}");
    }
    fs::write(
        room.path("guest.toml"),
        guests.replace("health = 20", "health = 21"),
    )
    .unwrap();
    let (exit, out) = room.reproduce();
    assert_eq!(exit, Exit::BadInput, "{out}");
    assert!(out.contains("has changed"), "{out}");
}

#[test]
fn two_scenarios_are_compared_again() {
    let room = Room::new();
    let other = crate::sweep::DUEL.replace("health = 20", "health = 21");
    fs::write(room.path("other.toml"), other).unwrap();
    room.skirmish("compare @/duel.toml @/other.toml --baseline armoured -n 90 -q -o @/results");
    let (exit, out) = room.skirmish("reproduce @/results/duel-and-other -q");
    assert_eq!((exit, out.lines().count()), (Exit::Done, 2), "{out}");
}

#[test]
fn a_forged_byte_is_named() {
    let is_different = |file: &str, out: &str| {
        let differing = out.lines().filter(|line| !line.starts_with("same: "));
        let differing: Vec<&str> = differing.collect();
        assert_eq!(differing, [format!("different: @/results/duel/{file}")]);
    };
    for file in ["summary.csv", "distributions.csv", "examples.csv"] {
        let room = Room::played();
        room.forge(file, |text| {
            let at = text.rfind(|letter: char| letter.is_ascii_digit()).unwrap();
            let digit = if &text[at..=at] == "7" { "8" } else { "7" };
            format!("{}{digit}{}", &text[..at], &text[at + 1..])
        });
        let (exit, out) = room.reproduce();
        assert_eq!(exit, Exit::ExpectationFailed, "{out}");
        is_different(file, &out);
    }
    let room = Room::played();
    room.forge("manifest.json", |text| text.replace("A duel", "A fuel"));
    let (exit, out) = room.reproduce();
    assert_eq!(exit, Exit::ExpectationFailed, "{out}");
    is_different("manifest.json", &out);
}

#[test]
fn when_it_was_played_makes_no_difference() {
    let room = Room::played();
    room.forge("manifest.json", |text| {
        text.replace("\"seconds\": ", "\"seconds\": 9")
    });
    assert_eq!(room.reproduce().0, Exit::Done);
}

#[test]
fn a_missing_file_is_compared_by_the_checksum_in_the_manifest() {
    let room = Room::played();
    for file in ["examples.csv", "summary.csv"] {
        fs::remove_file(room.path("results/duel").join(file)).unwrap();
    }
    let (exit, out) = room.reproduce();
    assert_eq!(exit, Exit::Done);
    assert_eq!(
        out,
        "same: @/results/duel/distributions.csv\n\
         same, by its checksum: @/results/duel/examples.csv\n\
         same: @/results/duel/manifest.json\n\
         same, by its checksum: @/results/duel/summary.csv\n"
    );
}

#[test]
fn a_missing_file_without_the_checksum_of_the_repeated_one_is_named() {
    let no_sums = |text: String| {
        let (before, rest) = text.split_once("  \"files\": {").unwrap();
        let (_, after) = rest.split_once("  },\n").unwrap();
        format!("{before}{after}")
    };
    // The checksum of another file; then a manifest of an older version, which has no checksums.
    let other_sum = |text: String| {
        let (before, sum) = text.split_once("\"examples.csv\": \"").unwrap();
        format!(
            "{before}\"examples.csv\": \"{}{}",
            "0".repeat(64),
            &sum[64..]
        )
    };
    for forge in [&no_sums as &dyn Fn(String) -> String, &other_sum] {
        let room = Room::played();
        room.forge("manifest.json", forge);
        fs::remove_file(room.path("results/duel/examples.csv")).unwrap();
        let (exit, out) = room.reproduce();
        assert_eq!(exit, Exit::ExpectationFailed);
        assert!(
            out.contains("\nmissing: @/results/duel/examples.csv\n"),
            "{out}"
        );
        assert!(
            out.contains("\ndifferent: @/results/duel/manifest.json\n"),
            "{out}"
        );
    }
}

#[test]
fn what_cannot_be_repeated_is_refused_with_the_reason() {
    let refused = |room: &Room, reason: &str| {
        let (exit, said) = room.reproduce();
        assert_eq!(exit, Exit::BadInput, "{said}");
        assert!(said.contains(reason), "{said}");
    };
    let room = Room::played();
    fs::write(
        room.path("duel.toml"),
        crate::sweep::DUEL.replace("armor = 1", "armor = 2"),
    )
    .unwrap();
    refused(
        &room,
        "the scenario `@/duel.toml` has changed: its fingerprint is ",
    );

    let room = Room::played();
    fs::rename(room.path("duel.toml"), room.path("elsewhere.toml")).unwrap();
    refused(
        &room,
        "the scenario `@/duel.toml` is missing: --scenario FILE says where it is",
    );
    fs::create_dir(room.path("other")).unwrap();
    fs::rename(room.path("elsewhere.toml"), room.path("other/duel.toml")).unwrap();
    let (exit, _) = room.skirmish("reproduce @/results/duel -q --scenario @/other/duel.toml");
    assert_eq!(exit, Exit::Done);

    let room = Room::played();
    let interrupted =
        |text: String| text.replace("\"interrupted\": false", "\"interrupted\": true");
    room.forge("manifest.json", interrupted);
    refused(&room, "the run was interrupted");

    let room = Room::new();
    fs::create_dir_all(room.path("results/duel")).unwrap();
    refused(&room, "this is no folder of results");
}
