//! Traces as text: walks and repetitions folded into one line, or each Unit on its own line.

use super::process::{skirmish, stdout};
use crate::support::TestDir;
use serde_json::Value;
use std::fmt::Write as _;

const EIGHT: &str = "tests/output/eight.toml";

fn trace(options: &[&str]) -> String {
    let output = skirmish(&[&["trace"], options].concat());
    assert_eq!(output.status.code(), Some(0), "{options:?}");
    stdout(&output).to_owned()
}

fn lines_with<'a>(text: &'a str, part: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.contains(part)).collect()
}

/// Returns the Units moved in lines such as `moves 30 -> 22 (to Mark 9)`, times the combatants that move.
fn units_told(text: &str) -> u64 {
    let units = |line: &str| {
        let (_, walk) = line.split_once(" moves ").unwrap();
        let mut words = walk.split_whitespace();
        let from: i64 = words.next().unwrap().parse().unwrap();
        assert_eq!(words.next(), Some("->"));
        let to: i64 = words.next().unwrap().parse().unwrap();
        let walkers = line
            .split_once("[and ")
            .map_or(1, |(_, others)| 1 + others.split(", ").count());
        from.abs_diff(to) * walkers as u64
    };
    lines_with(text, " moves ").into_iter().map(units).sum()
}

#[test]
fn eight_against_eight_are_told_in_fewer_than_150_lines() {
    let folded = trace(&[EIGHT, "--encounter", "3"]);
    let full = trace(&[EIGHT, "--encounter", "3", "--full"]);
    assert!(folded.lines().count() < 150, "{folded}");
    assert!(full.lines().count() > 250, "{full}");
    // Both traces show the same Units, and every attack is in both.
    assert!(units_told(&full) > 50);
    assert_eq!(units_told(&folded), units_told(&full));
    assert_eq!(
        lines_with(&folded, " attacks ").len(),
        lines_with(&full, " attacks ").len()
    );
    assert_eq!(folded.lines().last(), full.lines().last());
}

#[test]
fn a_walk_is_one_line_and_full_has_a_line_for_each_unit() {
    let folded = trace(&["scenarios/party.toml"]);
    assert!(
        folded.contains("\n      brute 3  moves 25 -> 14 (to Mark 9)\n"),
        "{folded}"
    );
    assert!(
        folded.contains("\n      warrior  waits 1 (9 times, to Mark 11)\n"),
        "{folded}"
    );
    assert!(!folded.contains("moves 24 -> 23"), "{folded}");
    let full = trace(&["scenarios/party.toml", "--full"]);
    for unit in 15..=25 {
        let step = format!("brute 3  moves {unit} -> {}", unit - 1);
        assert!(full.contains(&step), "{step}");
    }
    assert!(!full.contains(" times"), "{full}");
    assert!(!full.contains("[and "), "{full}");
}

#[test]
fn what_several_do_at_once_is_one_line() {
    let folded = trace(&[EIGHT]);
    assert!(
        folded.contains("  archer 3  is done, 9 Marks left  [and archer 6]\n"),
        "{folded}"
    );
}

#[test]
fn reasons_stay_above_the_decision_that_they_belong_to() {
    let text = trace(&["scenarios/party.toml", "--why"]);
    let lines: Vec<&str> = text.lines().collect();
    let mut reasons = 0;
    for (at, reason) in lines.iter().enumerate() {
        let Some((who, _)) = reason.split_once("    not `") else {
            continue;
        };
        let name = who.get(6..).unwrap();
        // Combatants that decide at the same time have all their reasons above.
        let is_told = |line: &&&str| {
            line.get(6..).is_some_and(|line| line.starts_with(name))
                || line
                    .split_once("[and ")
                    .is_some_and(|(_, others)| others.contains(name.trim()))
        };
        let next = lines[at + 1..].iter().find(is_told);
        let next = next.unwrap();
        let ends = ["    not `", "  > ", "  is done, "];
        assert!(
            ends.iter().any(|end| next.contains(end)),
            "{reason}\n{next}"
        );
        reasons += 1;
    }
    assert!(reasons > 50, "{text}");
    assert!(
        lines.len()
            < trace(&["scenarios/party.toml", "--why", "--full"])
                .lines()
                .count()
    );
}

#[test]
fn the_initiative_of_many_is_one_sentence() {
    let folded = trace(&[EIGHT]);
    let told = folded.contains("  Score: archer 1 16, archer 2 16, ");
    assert!(told, "{folded}");
    assert!(
        lines_with(&folded, "archer 1  Score").is_empty(),
        "{folded}"
    );
    let full = trace(&[EIGHT, "--full"]);
    assert!(full.contains("archer 1  Score 16  [d10: "), "{full}");
    // With few combatants each has a line of its own with its dice.
    let few = trace(&["scenarios/multi-attacker.toml"]);
    assert!(few.contains("combatant  Score 1"), "{few}");
}

/// Five pairs of equal Scores: the line has every name.
#[test]
fn the_initiative_of_many_has_every_name() {
    let mut text = "system = \"tara-corax\"\nrules.initiative.mode = \"fixed\"\n".to_owned();
    for (index, name) in ["a", "b", "c", "d", "e"].iter().enumerate() {
        let side = index % 2;
        write!(
            text,
            "[[combatants]]\nname = \"{name}\"\nside = \"s{side}\"\ncount = 2\nposition = 0\n\
             initiative = {}\nmove = 1\nevade = 1\nhealth = 1\npolicy = [\"pass\"]\n",
            10 + index
        )
        .unwrap();
    }
    let dir = TestDir::empty();
    let file = dir.path("pairs.toml");
    std::fs::write(&file, text).unwrap();
    let told = trace(&[file.to_str().unwrap()]);
    let scores = "Score: a 1 10, a 2 10, b 1 11, b 2 11, c 1 12,";
    assert!(told.contains(scores) && told.contains("e 2 14"), "{told}");
}

#[test]
fn objects_are_of_single_units_in_any_case() {
    let told: Value = serde_json::from_str(&trace(&[EIGHT, "--format", "json"])).unwrap();
    let events = told["events"].as_array().unwrap();
    let steps = events.iter().filter(|event| event["event"] == "step");
    let mut count = 0;
    for step in steps {
        let end = |key: &str| step[key].as_i64().unwrap();
        assert_eq!(end("from").abs_diff(end("to")), 1);
        count += 1;
    }
    assert_eq!(count, units_told(&trace(&[EIGHT, "--full"])));
    let refused = skirmish(&["trace", EIGHT, "--full", "--format", "json"]);
    assert_eq!(refused.status.code(), Some(2));
}
