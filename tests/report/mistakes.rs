//! Errors are reported before the simulation starts, and nothing is written.

use super::DUEL;
use crate::support::TestDir;
use skirmish::cli::Exit;
use std::fs;

#[test]
fn what_cannot_be_shown_is_said() {
    let dir = TestDir::with_duel(DUEL);
    fs::create_dir(dir.path("empty")).unwrap();
    dir.run("run duel.toml -n 50 -q -o res");
    fs::create_dir(dir.path("half")).unwrap();
    fs::copy(
        dir.path("res/duel/summary.csv"),
        dir.path("half/summary.csv"),
    )
    .unwrap();
    fs::create_dir(dir.path("spoilt")).unwrap();
    for name in ["distributions.csv", "examples.csv", "manifest.json"] {
        fs::copy(
            dir.path("res/duel").join(name),
            dir.path("spoilt").join(name),
        )
        .unwrap();
    }
    let summary = dir
        .read("res/duel/summary.csv")
        .replacen(",50,", ",fifty,", 1);
    dir.write("spoilt/summary.csv", &summary);
    for (command, message) in [
        (
            "report empty -o page.html",
            "`empty`: there are no results in it",
        ),
        (
            "report . -o page.html",
            "`.`: results are one below: ./half, ./spoilt",
        ),
        ("report half -o page.html", "manifest.json is missing"),
        (
            "report spoilt -o page.html",
            "summary.csv, line 2: `fifty` is no number that `n` could hold",
        ),
        (
            "report res/duel -n 5 -o page.html",
            "-n does nothing to a folder",
        ),
        (
            "report res/duel --seed 5 -o page.html",
            "--seed does nothing to a folder",
        ),
        (
            "report res/duel --seed 1 -o page.html",
            "--seed does nothing to a folder",
        ),
        (
            "report duel.toml -n 50 -o -",
            "leave -o out for `report.html`",
        ),
        ("report nowhere.toml -o page.html", "nowhere.toml"),
        (
            "report duel.toml --variant bas -o page.html",
            "did you mean",
        ),
        (
            "report duel.toml -n 50 -q -o duel.toml/page.html",
            "duel.toml",
        ),
        (
            "report duel.toml -n 50 -q -o res",
            "`res` is a folder: name a file in it",
        ),
        (
            "run duel.toml -n 50 -q -o new --report res",
            "`res` is a folder: name a file in it",
        ),
    ] {
        let outcome = dir.run(command);
        assert_eq!(
            (outcome.exit, &outcome.out[..]),
            (Exit::BadInput, ""),
            "{command}"
        );
        assert!(outcome.err.contains(message), "{command}: {}", outcome.err);
        assert!(!dir.path("page.html").exists(), "{command}");
    }
    assert!(!dir.path("new/duel/summary.csv").exists());
}

#[cfg(unix)]
#[test]
fn a_link_stays_and_the_file_that_it_leads_to_is_replaced() {
    use std::os::unix::fs::symlink;
    let dir = TestDir::with_duel(DUEL);
    fs::create_dir(dir.path("shared")).unwrap();
    for (link, file, command) in [
        (
            "page.html",
            "shared/page.html",
            "report duel.toml -n 50 -q -o page.html",
        ),
        (
            "rows.csv",
            "shared/rows.csv",
            "run duel.toml -n 50 -q -o res --each rows.csv",
        ),
    ] {
        dir.write(file, "");
        symlink(file, dir.path(link)).unwrap();
        dir.run(command);
        assert!(dir.path(link).is_symlink(), "{link}");
        assert!(dir.read(file).len() > 1_000, "{file}");
    }
}

#[test]
fn results_of_another_format_are_refused() {
    let dir = TestDir::with_duel(DUEL);
    dir.run("run duel.toml -n 50 -q -o res");
    let manifest = dir.read("res/duel/manifest.json");
    dir.write(
        "res/duel/manifest.json",
        manifest.replace("\"format\": 2", "\"format\": 9"),
    );
    let outcome = dir.run("report res/duel -o page.html");
    assert_eq!(outcome.exit, Exit::BadInput);
    assert!(
        outcome.err.contains("manifest.json is of format 9"),
        "{}",
        outcome.err
    );
}

#[test]
fn all_wrong_scenarios_are_told_at_once() {
    let dir = TestDir::with_duel(DUEL);
    dir.write("one.toml", DUEL.replace("tara-corax", "tara"));
    dir.write("two.toml", DUEL.replace("evade = 16", "evad = 16"));
    let outcome = dir.run("report one.toml two.toml -o page.html");
    assert_eq!(outcome.exit, Exit::BadInput);
    assert!(
        outcome.err.contains("tara") && outcome.err.contains("evad"),
        "{}",
        outcome.err
    );
}

/// Replaces each number of each results file by one that no run could have counted.
#[test]
fn absurd_numbers_in_results_are_refused_or_drawn_and_never_hang() {
    let dir = TestDir::with_duel(DUEL);
    dir.run("run duel.toml -n 50 -q -o res");
    dir.run("compare duel.toml -n 50 -q -o res");
    dir.run("sweep duel.toml -n 50 -q -o res --vary combatants.combatant.health=40,45,50");
    dir.run("sensitivity duel.toml -n 50 -q -o res");
    let mut seen = 0;
    for file in [
        "summary.csv",
        "distributions.csv",
        "comparisons.csv",
        "sweep.csv",
        "sensitivity.csv",
    ] {
        let place = format!("res/duel/{file}");
        let whole = dir.read(&place);
        let rows: Vec<Vec<String>> = csv::Reader::from_reader(whole.as_bytes())
            .records()
            .map(|row| row.unwrap().iter().map(str::to_owned).collect())
            .collect();
        let head = whole.lines().next().unwrap();
        for (column, name) in head.split(',').enumerate() {
            let is_number = |row: &&Vec<String>| row[column].parse::<f64>().is_ok();
            let Some(at) = rows.iter().position(|row| is_number(&row)) else {
                continue;
            };
            seen += 1;
            for absurd in ["9223372036854775808", "1e308", "1000000000000000"] {
                let mut rows = rows.clone();
                absurd.clone_into(&mut rows[at][column]);
                let mut out = csv::Writer::from_writer(Vec::new());
                out.write_record(head.split(',')).unwrap();
                for row in rows {
                    out.write_record(row).unwrap();
                }
                let spoilt = String::from_utf8(out.into_inner().unwrap()).unwrap();
                dir.write(&place, &spoilt);
                // The largest number that a run could have counted is drawn; to save time, only in some columns.
                let drawn = absurd == "1000000000000000";
                if drawn
                    && !["mean", "difference", "ci_high", "effect", "count", "value"]
                        .contains(&name)
                {
                    continue;
                }
                let outcome = dir.run("report res/duel -o page.html -q");
                if drawn || name.starts_with("value") || ["from", "to"].contains(&name) {
                    assert!(
                        [Exit::Done, Exit::BadInput].contains(&outcome.exit),
                        "{file}, {name}: {}",
                        outcome.err
                    );
                } else {
                    let told = format!("{file}, line {}: `{absurd}` is no number", at + 2);
                    assert!(outcome.err.contains(&told), "{name}: {}", outcome.err);
                    assert_eq!(outcome.exit, Exit::BadInput);
                }
            }
        }
        dir.write(&place, &whole);
    }
    assert!(seen > 60, "{seen}");
}
