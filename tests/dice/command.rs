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
        "pool,difficulty,p_botch,p_failure,p_diminished,p_success,mean_net,sd_net"
    );
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 180);
    for row in rows {
        let number = |at: usize| row[at].parse::<f64>().unwrap();
        let sum = number(2) + number(3) + number(4) + number(5);
        assert!((sum - 1.0).abs() <= 1e-15, "{row:?}");
        let mean = number(0) * (10.0 - number(1)) / 9.0;
        assert!((number(6) - mean).abs() < 1e-13, "{row:?}");
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
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .starts_with("net,exactly,")
    );
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
        &["--pool", "101"],
        &["--pool", "99999999999999999999"],
        &["--pool", "8", "--difficulty", "1"],
        &["--pool", "8", "--difficulty", "11"],
        &["--pool", "8", "--difficulty", "-3"],
        &["--pool", "1.."],
        &["--pool", "..5"],
        &["--pool", "5..1"],
        &["--pool", "1..é"],
        &["--pool", "5+"],
        &["--pool", "8", "--required", "0"],
        &["--pool", "8", "--required", "x"],
        &[
            "--pool",
            "1..100",
            "--difficulty",
            "2..10",
            "--required",
            "1..3",
        ],
        &["--pool", "1..100", "--required", "1..100"],
        &["--pool", "8", "--vary", "tens"],
        &["--pool", "8", "--vary", "tens=often"],
        &["--pool", "8", "--vary", "pool=6"],
        &["--pool", "8", "--vary", "evade=often"],
        &["--pool", "8", "--show", "nothing"],
        &["--pool", "8", "--at-least", "3"],
        &["--pool", "8", "--max-rolls", "3"],
        &["--pool", "8", "--with", "strength=3"],
        &["--pool", "8", "--with", "evade"],
        &["--pool", "8", "--of", "ogre"],
        &["--pool", "8", "--system", "chronicles", "--difficulty", "6"],
        &["--pool", "8", "--system", "dungeons"],
        &["--pool", "8", "--set", "rules.tens=often"],
        &["--pool", "0", "--ritual", "--required", "3"],
        &["--pool", "5", "--ritual", "--max-rolls", "0"],
        &["--pool", "5", "--ritual", "--rolled", "1,2,3,4,5"],
        &["--pool", "5", "--willpower", "0"],
        &["--pool", "5", "--ritual", "--willpower", "4000000000"],
        &["2d10+9", "--evade", "15", "--ritual"],
        &["2d10+9", "--evade", "15", "--with", "spoils=-1"],
        &["50d10", "--evade", "15", "--with", "spoils=5"],
        &["--rolled", "0"],
        &["--rolled", "1,2,"],
        &["--rolled", "99999999999999999999"],
        &["--rolled", "7", "--pool", "2"],
        &["--rolled", "7,8,9", "--pool", "2"],
        &["2d10", "--evade", "5", "--rolled", "7"],
        &["2d10", "--evade", "5", "--rolled", "11,7"],
        &["--arete", "0..3", "--sphere", "1"],
        &["--arete", "x", "--sphere", "1"],
        &["--arete", "2", "--sphere", "3"],
        &["--arete", "4", "--sphere", "3", "--witnessed"],
        &["--arete", "4"],
        &["{pool=5}", "{pool="],
        &[
            "{pool=5}",
            "--vary",
            "pool=1..3",
            "--vary",
            "difficulty=3..4",
            "--vary",
            "required=1..2",
        ],
        &["{dice='1d20',critical=5,fumble=5}", "--evade", "9"],
        &["{skill=55}", "--against", "2d"],
        &["scenarios/kiting.toml", "--check", "weapons.none"],
        &[
            "scenarios/kiting.toml",
            "--check",
            "weapons.longbow",
            "--of",
            "nobody",
        ],
        &[
            "scenarios/kiting.toml",
            "--check",
            "weapons.longbow",
            "--against",
            "nobody",
        ],
        &[
            "scenarios/kiting.toml",
            "--check",
            "weapons.longbow",
            "--with",
            "strength=3",
        ],
        &["scenarios/none.toml", "--check", "weapons.longbow"],
        &["--check", "weapons.longbow"],
        &["1d1x1"],
        &["1d6x>=1"],
        &["99999999d99999999"],
        &["1000d1000000"],
        &["2d10🎲"],
        &["2d10", "vs"],
        &["2d10", "--at-least", "x"],
        &[""],
        &["  "],
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
    let grid = ["--pool", "8", "--vary", "difficulty=6", "--format", "csv"];
    let csv = text(&odds(&grid).stdout);
    let row: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    let botch: f64 = row[1].parse().unwrap();
    assert_eq!(
        json["facts"]["p_botch"].as_f64().unwrap().to_bits(),
        botch.to_bits()
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
        ["win", "lose"].map(|fact| json["facts"][fact].as_f64().unwrap())
    };
    let [first, second] = wins(&[]);
    assert!((first - second).abs() < 1e-12);
    let [helped, against] = wins(&["--willpower", "1"]);
    assert!(
        helped > first + 0.1 && against < second - 0.1,
        "{helped} {against}"
    );
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
