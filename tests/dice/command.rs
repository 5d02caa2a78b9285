//! `skirmish odds` on the command line.

use crate::support::{TestDir, program};
use std::process::Output;

#[test]
fn odds_examples() {
    trycmd::TestCases::new().case("tests/cmd/odds*.md");
}

fn odds(arguments: &[&str]) -> Output {
    program().arg("odds").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_grid_has_one_row_a_cell_and_its_columns_as_promised() {
    let output = odds(&[
        "--pool",
        "1..20",
        "--difficulty",
        "2..10",
        "--format",
        "csv",
    ]);
    let csv = text(&output.stdout);
    let mut lines = csv.lines();
    assert_eq!(
        lines.next().unwrap(),
        "pool,difficulty,tens,ones,ones_on_explosion,botch_rule,required,willpower,p_botch,\
         p_failure,p_diminished,p_success,mean_net,sd_net"
    );
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 180);
    for row in rows {
        let number = |at: usize| row[at].parse::<f64>().unwrap();
        let sum = number(8) + number(9) + number(10) + number(11);
        assert!((sum - 1.0).abs() <= 1e-15, "{row:?}");
        let mean = number(0) * (10.0 - number(1)) / 9.0;
        assert!((number(12) - mean).abs() < 1e-13, "{row:?}");
    }
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let dir = TestDir::empty();
    let path = dir.path("odds.csv");
    let name = path.to_str().unwrap();
    let before = "value,exactly,at_least,at_most,one_in\n";
    std::fs::write(&path, before).unwrap();
    let wrong = odds(&[
        "--pool",
        "8",
        "--difficulty",
        "11",
        "--format",
        "csv",
        "-o",
        name,
    ]);
    assert_eq!(wrong.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
    let right = odds(&["--pool", "8", "--format", "csv", "-o", name, "--force"]);
    assert!(right.status.success() && right.stdout.is_empty());
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 2);
    let left: Vec<_> = std::fs::read_dir(dir.root()).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing temporary is left behind");
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_any_work() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let inside = file.path().join("odds.csv");
    for place in [inside.to_str().unwrap(), "."] {
        let output = odds(&["--pool", "8", "-o", place]);
        assert_eq!(output.status.code(), Some(2), "{place}");
        assert!(text(&output.stderr).starts_with("error: "));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn wrong_questions_are_refused_with_code_2_and_no_panic() {
    for arguments in [
        &["--pool", "-1"][..],
        &["--pool", "20000"],
        &["--pool", "99999999999999999999"],
        &["--pool", "8", "--difficulty", "1"],
        &["--pool", "8", "--difficulty", "11"],
        &["--pool", "8", "--difficulty", "-3"],
        &["--pool", "1.."],
        &["--pool", "..5"],
        &["--pool", "5..1"],
        &["--pool", "1..é"],
        &["--pool", ""],
        &["--pool", "8", "--required", "0"],
        &["--pool", "8", "--required", "x"],
        &["--pool", "1..5000", "--difficulty", "2..10"],
        &["--pool", "8", "--compare", "tens"],
        &["--pool", "8", "--compare", "tens=often"],
        &["--pool", "8", "--compare", "tens=plain,tens=once"],
        &["--pool", "8", "--compare", "pool=6", "--compare", "pool=7"],
        &["--pool", "8", "--chronicles", "--tens", "once"],
        &["--pool", "8", "--again", "9"],
        &["--pool", "0", "--ritual", "--required", "3"],
        &["--pool", "5", "--ritual", "--max-rolls", "0"],
        &["--rolled", ""],
        &["--rolled", "0"],
        &["--rolled", "1,2,"],
        &["--rolled", "99999999999999999999"],
        &["--rolled", "7", "--pool", "1..3"],
        &["--pool", "4", "--split", "5"],
        &["--pool", "5", "--split", "1"],
        &["--pool", "5", "--split", "200"],
        &["--pool", "5", "--split", "-2,7"],
        &["--pool", "5", "--split", "2,3", "--ritual"],
        &["--pool", "5", "--with", "3@1"],
        &["--pool", "5", "--with", "20000"],
        &["--pool", "1..5", "--with", "3"],
        &["--pool", "5", "--against-required", "3"],
        &[
            "--pool",
            "5",
            "--against",
            "3",
            "--ritual",
            "--against-required",
            "0",
        ],
        &["--pool", "5", "--willpower-points", "3"],
        &[
            "--pool",
            "5",
            "--ritual",
            "--willpower",
            "--willpower-points",
            "3",
            "--with",
            "2",
        ],
        &[
            "--pool",
            "5",
            "--ritual",
            "--willpower",
            "--willpower-points",
            "4000000000",
        ],
        &["--pool", "5", "--required", "0..3"],
        &["--pool", "1..300", "--required", "1..300"],
        &["--pool", "1..3", "--ritual", "--show", "sd"],
        &["--pool", "1..3", "--show", "paradox"],
        &["--chronicles", "--pool", "5", "--required", "1..3"],
        &["--chronicles", "--pool", "5", "--with", "3@7"],
        &["magick", "--arete", "0..3", "--sphere", "1"],
        &["magick", "--arete", "x", "--sphere", "1"],
        &[
            "magick", "--arete", "1..3", "--sphere", "1", "--rolled", "5",
        ],
        &["1d1x1"],
        &["1d6x>=1"],
        &["99999999d99999999"],
        &["1000d1000000"],
        &[""],
        &["  "],
        &["2d10🎲"],
        &["2d10", "vs"],
        &["2d10", "--at-least", "x"],
        &["magick", "--arete", "2", "--sphere", "3"],
        &["magick", "--arete", "0", "--sphere", "1"],
        &["magick", "--arete", "4", "--sphere", "3", "--witnessed"],
        &["initiative"],
        &["initiative", "--characteristic", "9223372036854775807"],
        &["desperate", "--evade", "9223372036854775807"],
        &["attack", "1d20", "--evade", "9223372036854775807"],
        &[
            "attack",
            "1d20",
            "--evade",
            "9",
            "--critical",
            "5",
            "--fumble",
            "5",
        ],
        &[
            "attack",
            "1d20",
            "--evade",
            "9",
            "--critical-damage",
            "usual",
        ],
        &[
            "attack",
            "1d20",
            "--evade",
            "9",
            "--critical",
            "20",
            "--damage",
            "2d999999",
        ],
        &[],
    ] {
        let output = odds(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.starts_with("error: "), "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn every_format_tells_the_same() {
    let json = odds(&["--pool", "8", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let csv = text(&odds(&["--pool", "8", "--format", "csv"]).stdout);
    let row: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    let botch: f64 = row[8].parse().unwrap();
    assert_eq!(
        json["facts"]["p_botch"].as_f64().unwrap().to_bits(),
        botch.to_bits()
    );
    assert_eq!(
        json["tables"]["pools"][0]["p_botch"],
        json["facts"]["p_botch"]
    );
    let markdown = text(&odds(&["--pool", "8", "--format", "markdown"]).stdout);
    assert!(markdown.contains("| botch | 2.7667 % |"), "{markdown}");
}

/// MD-4: a point of Willpower buys a success for the first side alone; the net successes of the other side count from
/// 0.
#[test]
fn willpower_is_of_one_side() {
    let wins = |options: &[&str]| {
        let question = [
            &["--pool", "4", "--against", "4", "--format", "json"],
            options,
        ]
        .concat();
        let json: serde_json::Value = serde_json::from_slice(&odds(&question).stdout).unwrap();
        let facts = &json["facts"];
        let names = if facts["win"].is_null() {
            ["p_first", "p_second"]
        } else {
            ["win", "lose"]
        };
        names.map(|fact| facts[fact].as_f64().unwrap())
    };
    let [first, second] = wins(&[]);
    assert!((first - second).abs() < 1e-12);
    let [helped, against] = wins(&["--willpower"]);
    assert!(
        helped > first + 0.1 && against < second - 0.1,
        "{helped} {against}"
    );
    // In a race, too.
    let race = ["--required", "3", "--against-required", "3", "--ritual"];
    let [first, second] = wins(&race);
    assert!((first - second).abs() < 1e-12);
    let points = ["--willpower", "--willpower-points", "2"];
    let [helped, against] = wins(&[&race[..], &points].concat());
    assert!(helped > first && against < second, "{helped} {against}");
}

/// A mean that is not 0 does not look like 0 in the first line.
#[test]
fn a_small_mean_of_damage_is_not_shown_as_0() {
    let small = ["attack", "5d10", "--evade", "50", "--damage", "1d6"];
    let said = odds(&small);
    let said = text(&said.stdout);
    let first = said.lines().next().unwrap();
    assert!(first.ends_with("mean damage <0.01"), "{first}");
}

#[test]
fn the_open_end_of_exploding_dice_is_one_row_for_people() {
    let table = text(&odds(&["1d10!"]).stdout);
    let last = table
        .lines()
        .find(|line| line.contains(" or more "))
        .unwrap();
    assert!(last.trim().starts_with("31 or more   0.1000 %"), "{table}");
    assert!(!table.contains("\n   41 "), "{table}");
    let csv = text(&odds(&["1d10!", "--format", "csv"]).stdout);
    assert!(csv.lines().any(|line| line.starts_with("41,")), "{csv}");
    assert!(!csv.contains("or more"), "{csv}");
}
