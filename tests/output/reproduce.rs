//! `skirmish reproduce`: repeats the task of a manifest and compares the bytes of the results.

use crate::support::{Outcome, TestDir};
use crate::sweep::DUEL;
use skirmish::cli::Exit;
use std::fs;

/// Returns a folder with `duel.toml` and its results.
fn played() -> TestDir {
    let dir = TestDir::with_duel(DUEL);
    dir.call("run @/duel.toml -n 300 --seed 7 --set combatants.knight.armor=2 -q -o @/results");
    dir
}

fn reproduce(dir: &TestDir) -> Outcome {
    dir.call("reproduce @/results/duel -q --threads 2")
}

/// Changes a results file.
fn forge(dir: &TestDir, file: &str, change: impl FnOnce(String) -> String) {
    let file = format!("results/duel/{file}");
    let text = dir.read(&file);
    let changed = change(text.clone());
    assert_ne!(text, changed, "{file}");
    dir.write(&file, changed);
}

#[test]
fn results_of_every_subcommand_are_the_same_again() {
    let dir = played();
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
        assert_eq!(dir.call(&line).exit, Exit::Done, "{line}");
        let Outcome { exit, out, .. } = reproduce(&dir);
        assert_eq!(exit, Exit::Done, "{line}: {out}");
        assert!(out.lines().all(|line| line.starts_with("same: ")), "{out}");
    }
    let files = fs::read_dir(dir.path("results/duel")).unwrap().count();
    assert_eq!(reproduce(&dir).out.lines().count(), files);
    assert_eq!(files, 4 + 2 + 2 * 2 + 2 + 2);
}

#[test]
fn meetings_of_builds_are_the_same_again_until_a_file_changes() {
    let dir = TestDir::with_duel(crate::matchup::THREE);
    let guests = DUEL.replace("spear", "pike");
    dir.write("guest.toml", &guests);
    let guest = "\n[[builds]]\nname = \"guest\"\nfrom = \"guest.toml\"\n";
    dir.write("duel.toml", format!("{}{guest}", crate::matchup::THREE));
    for options in [
        "-n 60",
        "--precision 8%",
        "--until-decided --indifference 8%",
    ] {
        let line = format!("matchup @/duel.toml {options} --variant slow -q -o @/results");
        let Outcome { exit, out, .. } = dir.call(&line);
        assert_eq!(exit, Exit::Done, "{out}");
        let Outcome { exit, out, .. } = reproduce(&dir);
        assert_eq!((exit, out.lines().count()), (Exit::Done, 2), "{out}");
    }
    dir.write("guest.toml", guests.replace("health = 20", "health = 21"));
    reproduce(&dir).assert_refused("has changed");
}

#[test]
fn two_scenarios_are_compared_again() {
    let dir = TestDir::with_duel(DUEL);
    let other = DUEL.replace("health = 20", "health = 21");
    dir.write("other.toml", other);
    dir.call("compare @/duel.toml @/other.toml --baseline armoured -n 90 -q -o @/results");
    let Outcome { exit, out, .. } = dir.call("reproduce @/results/duel-and-other -q");
    assert_eq!((exit, out.lines().count()), (Exit::Done, 2), "{out}");
}

#[test]
fn two_scenarios_of_one_name_are_compared_again() {
    let dir = TestDir::with_duel(DUEL);
    dir.write("old/duel.toml", DUEL);
    dir.write("new/duel.toml", DUEL.replace("health = 20", "health = 21"));
    dir.call("compare @/old/duel.toml @/new/duel.toml --baseline armoured -n 90 -q -o @/results");
    let Outcome { exit, out, err } = dir.call("reproduce @/results/duel-and-duel -q");
    assert_eq!((exit, out.lines().count()), (Exit::Done, 2), "{out}{err}");
}

#[test]
fn a_forged_byte_is_named() {
    let is_different = |file: &str, out: &str| {
        let differing = out.lines().filter(|line| !line.starts_with("same: "));
        let differing: Vec<&str> = differing.collect();
        assert_eq!(differing, [format!("different: @/results/duel/{file}")]);
    };
    for file in ["summary.csv", "distributions.csv", "examples.csv"] {
        let dir = played();
        forge(&dir, file, |text| {
            let at = text.rfind(|letter: char| letter.is_ascii_digit()).unwrap();
            let digit = if &text[at..=at] == "7" { "8" } else { "7" };
            format!("{}{digit}{}", &text[..at], &text[at + 1..])
        });
        let Outcome { exit, out, .. } = reproduce(&dir);
        assert_eq!(exit, Exit::ExpectationFailed, "{out}");
        is_different(file, &out);
    }
    let dir = played();
    forge(&dir, "manifest.json", |text| {
        text.replace("A duel", "A fuel")
    });
    let Outcome { exit, out, .. } = reproduce(&dir);
    assert_eq!(exit, Exit::ExpectationFailed, "{out}");
    is_different("manifest.json", &out);
}

#[test]
fn when_it_was_played_makes_no_difference() {
    let dir = played();
    forge(&dir, "manifest.json", |text| {
        text.replace("\"seconds\": ", "\"seconds\": 9")
    });
    assert_eq!(reproduce(&dir).exit, Exit::Done);
}

#[test]
fn a_missing_file_is_compared_by_the_checksum_in_the_manifest() {
    let dir = played();
    for file in ["examples.csv", "summary.csv"] {
        fs::remove_file(dir.path("results/duel").join(file)).unwrap();
    }
    let Outcome { exit, out, .. } = reproduce(&dir);
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
    for change in [&no_sums as &dyn Fn(String) -> String, &other_sum] {
        let dir = played();
        forge(&dir, "manifest.json", change);
        fs::remove_file(dir.path("results/duel/examples.csv")).unwrap();
        let Outcome { exit, out, .. } = reproduce(&dir);
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
    let dir = played();
    dir.write("duel.toml", DUEL.replace("armor = 1", "armor = 2"));
    reproduce(&dir).assert_refused("the scenario `@/duel.toml` has changed: its fingerprint is ");

    let dir = played();
    fs::rename(dir.path("duel.toml"), dir.path("elsewhere.toml")).unwrap();
    reproduce(&dir)
        .assert_refused("the scenario `@/duel.toml` is missing: --scenario FILE says where it is");
    fs::create_dir(dir.path("other")).unwrap();
    fs::rename(dir.path("elsewhere.toml"), dir.path("other/duel.toml")).unwrap();
    dir.call("reproduce @/results/duel -q --scenario @/other/duel.toml")
        .assert_done();

    let dir = played();
    let interrupted =
        |text: String| text.replace("\"interrupted\": false", "\"interrupted\": true");
    forge(&dir, "manifest.json", interrupted);
    reproduce(&dir).assert_refused("the run was interrupted");

    let dir = TestDir::with_duel(DUEL);
    fs::create_dir_all(dir.path("results/duel")).unwrap();
    reproduce(&dir).assert_refused("there are no results in it; name a folder of results");
}

#[test]
fn results_one_folder_below_are_found_if_there_is_one() {
    let dir = played();
    let direct = dir.call("reproduce @/results/duel").printed();
    assert_eq!(dir.call("reproduce @/results").printed(), direct);
    dir.call("report @/results -o @/page.html").assert_done();
    dir.write("other.toml", DUEL);
    dir.call("run @/other.toml -n 20 -q -o @/results")
        .assert_done();
    for line in ["reproduce @/results", "report @/results -o @/two.html"] {
        dir.call(line)
            .assert_refused("results are one below: @/results/duel, @/results/other");
    }
}
