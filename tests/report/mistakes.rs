//! Errors are reported before the simulation starts, and nothing is written.

use super::{DUEL, Desk};
use std::fs;

#[test]
fn what_cannot_be_shown_is_said() {
    let desk = Desk::new();
    fs::create_dir(desk.path("empty")).unwrap();
    desk.skirmish("run duel.toml -n 50 -q -o res");
    fs::create_dir(desk.path("half")).unwrap();
    fs::copy(
        desk.path("res/duel/summary.csv"),
        desk.path("half/summary.csv"),
    )
    .unwrap();
    fs::create_dir(desk.path("spoilt")).unwrap();
    for name in ["distributions.csv", "examples.csv", "manifest.json"] {
        fs::copy(
            desk.path("res/duel").join(name),
            desk.path("spoilt").join(name),
        )
        .unwrap();
    }
    let summary = desk
        .read("res/duel/summary.csv")
        .replacen(",50,", ",fifty,", 1);
    desk.write("spoilt/summary.csv", &summary);
    for (command, message) in [
        (
            "report empty -o page.html",
            "`empty`: there are no results in it",
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
            "`./res` is in the way: it is not a file",
        ),
        (
            "run duel.toml -n 50 -q -o new --report res",
            "`./res` is in the way: it is not a file",
        ),
    ] {
        let outcome = desk.skirmish(command);
        assert_eq!((outcome.code, &outcome.out[..]), (2, ""), "{command}");
        assert!(outcome.err.contains(message), "{command}: {}", outcome.err);
        assert!(!desk.path("page.html").exists(), "{command}");
    }
    assert!(!desk.path("new/duel/summary.csv").exists());
}

#[cfg(unix)]
#[test]
fn a_link_stays_and_the_file_that_it_leads_to_is_replaced() {
    use std::os::unix::fs::symlink;
    let desk = Desk::new();
    fs::create_dir(desk.path("shared")).unwrap();
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
        desk.write(file, "");
        symlink(file, desk.path(link)).unwrap();
        desk.skirmish(command);
        assert!(desk.path(link).is_symlink(), "{link}");
        assert!(desk.read(file).len() > 1_000, "{file}");
    }
}

#[test]
fn results_of_another_format_are_refused() {
    let desk = Desk::new();
    desk.skirmish("run duel.toml -n 50 -q -o res");
    let manifest = desk.read("res/duel/manifest.json");
    desk.write(
        "res/duel/manifest.json",
        &manifest.replace("\"format\": 1", "\"format\": 9"),
    );
    let outcome = desk.skirmish("report res/duel -o page.html");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.err.contains("manifest.json is of format 9"),
        "{}",
        outcome.err
    );
}

#[test]
fn all_wrong_scenarios_are_told_at_once() {
    let desk = Desk::new();
    desk.write("one.toml", &DUEL.replace("tara-corax", "tara"));
    desk.write("two.toml", &DUEL.replace("evade = 16", "evad = 16"));
    let outcome = desk.skirmish("report one.toml two.toml -o page.html");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.err.contains("tara") && outcome.err.contains("evad"),
        "{}",
        outcome.err
    );
}

/// Replaces each number of each results file by one that no run could have counted.
#[test]
fn absurd_numbers_in_results_are_refused_or_drawn_and_never_hang() {
    let desk = Desk::new();
    desk.skirmish("run duel.toml -n 50 -q -o res");
    desk.skirmish("compare duel.toml -n 50 -q -o res");
    desk.skirmish("sweep duel.toml -n 50 -q -o res --vary combatants.combatant.health=40,45,50");
    desk.skirmish("sensitivity duel.toml -n 50 -q -o res");
    let mut seen = 0;
    for file in [
        "summary.csv",
        "distributions.csv",
        "comparisons.csv",
        "sweep.csv",
        "sensitivity.csv",
    ] {
        let place = format!("res/duel/{file}");
        let whole = desk.read(&place);
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
                desk.write(&place, &spoilt);
                // The largest number that a run could have counted is drawn; to save time, only in some columns.
                let drawn = absurd == "1000000000000000";
                if drawn
                    && !["mean", "difference", "ci_high", "effect", "count", "value"]
                        .contains(&name)
                {
                    continue;
                }
                let outcome = desk.skirmish("report res/duel -o page.html -q");
                if drawn || name.starts_with("value") || ["less", "more"].contains(&name) {
                    assert!(
                        [0, 2].contains(&outcome.code),
                        "{file}, {name}: {}",
                        outcome.err
                    );
                } else {
                    let told = format!("{file}, line {}: `{absurd}` is no number", at + 2);
                    assert!(outcome.err.contains(&told), "{name}: {}", outcome.err);
                    assert_eq!(outcome.code, 2);
                }
            }
        }
        desk.write(&place, &whole);
    }
    assert!(seen > 60, "{seen}");
}
