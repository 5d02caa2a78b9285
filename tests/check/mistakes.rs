//! Expectations and arguments that are refused before the simulation starts.

use super::{DUEL, check, duel_with, errors_of, shown, wins};
use crate::support::{TestDir, skirmish};
use skirmish::cli::Exit;

/// Asserts that an expectation is refused with a message that contains `words`, and with nothing else.
fn refused(expectation: &str, words: &[&str]) {
    let said = errors_of(expectation);
    for word in words {
        assert!(said.contains(word), "{expectation}\nlacks {word}:\n{said}");
    }
    let errors = said
        .lines()
        .filter(|line| line.starts_with("error"))
        .count();
    assert_eq!(errors, 1, "{said}");
}

#[test]
fn an_expectation_is_shown_where_it_is_wrong() {
    let dir = duel_with(&wins("between = [0.6, 0.5]"));
    let line = super::DUEL.lines().count() + 5;
    let said = check(&dir, "").errors();
    let place = format!("{}:{line}:17", shown(&dir.path("duel.toml")));
    assert!(said.contains(&place), "{said}");
    assert!(said.contains("^^^ expected at least 0.6"), "{said}");
}

#[test]
fn an_unknown_variant_hides_no_other_mistake() {
    let wrong = wins("min = 0.5\nvariant = \"simple rond\"").replace("heroes", "heros");
    let second = wins("min = 2\nvariant = \"none\"").replace("heroes", "hero");
    let said = errors_of(&format!("{wrong}\n{second}"));
    for word in [
        "no variant \"simple rond\"",
        "no side \"heros\"",
        "no variant \"none\"",
        "no side \"hero\"",
    ] {
        assert!(said.contains(word), "lacks {word}:\n{said}");
    }
}

#[test]
fn names_that_do_not_exist_are_told_with_the_nearest() {
    refused(
        &wins("min = 0.5\nvariant = \"simple rond\""),
        &[
            "no variant \"simple rond\"",
            "did you mean \"simple round\"?",
        ],
    );
    refused(
        &wins("min = 0.5").replace("win_rate", "win_rat"),
        &[
            "called \"win_rat\"",
            "did you mean \"win_rate\"?",
            "explain metrics",
        ],
    );
    refused(
        &wins("min = 0.5").replace("heroes", "heros"),
        &["\"base\" has no side \"heros\"", "did you mean \"heroes\"?"],
    );
    refused(
        "[[expect]]\nmetric = \"alive\"\ncombatant = \"ghost\"\nmin = 0.5",
        &["no combatant \"ghost\"", "`combatant` or `monster`"],
    );
    refused(
        &wins("difference = { from = \"simple\", min = 0.1 }"),
        &["no variant \"simple\""],
    );
}

#[test]
fn a_subject_must_exist_in_the_variant_that_is_named() {
    let other =
        "[[variants]]\nname = \"renamed\"\nset = { \"combatants.monster.side\" = \"beasts\" }\n";
    let claim = |rest: &str| {
        let claim = wins(rest).replace("heroes", "monsters");
        format!("{other}{claim}")
    };
    refused(
        &claim("min = 0.1\nvariant = \"renamed\""),
        &["variant \"renamed\" has no side \"monsters\""],
    );
    refused(
        &claim("difference = { from = \"renamed\", min = 0.1 }"),
        &["variant \"renamed\" has no side \"monsters\""],
    );
    let fine = check(&duel_with(&claim("max = 0.9")), "");
    assert_eq!(fine.exit, Exit::Done, "{}", fine.err);
}

#[test]
fn a_metric_has_the_subject_of_its_scope() {
    refused(
        "[[expect]]\nmetric = \"rounds\"\nside = \"heroes\"\nmin = 1",
        &["about the encounter as a whole"],
    );
    refused(
        "[[expect]]\nmetric = \"win_rate\"\nmin = 0.1",
        &["lacks `side`"],
    );
    refused(
        "[[expect]]\nmetric = \"alive\"\nmin = 0.1",
        &["lacks `combatant`"],
    );
    refused(
        &wins("combatant = \"monster\"\nmin = 0.1"),
        &["has no `combatant`"],
    );
    refused(
        "[[expect]]\nside = \"heroes\"\nmin = 0.1",
        &["lacks `metric`"],
    );
    refused(
        "[[expect]]\nmetric = \"winner\"\nmin = 0.1",
        &["`winner` has no mean", "`win_rate`"],
    );
    refused(
        "[[expect]]\nmetric = \"standing\"\ncombatant = \"monster\"\nmin = 0.1",
        &["`standing` has no mean", "`alive`"],
    );
}

#[test]
fn there_is_exactly_one_claim() {
    refused(&wins(""), &["expects nothing", "`between`, `min`"]);
    refused(
        &wins("min = 0.1\nmax = 0.9"),
        &["both `min` and `max`", "between = [0.1, 0.9]"],
    );
    refused(
        &wins("min = 0.1\nbetween = [0.1, 0.9]"),
        &["both `between` and `min`"],
    );
    refused(
        &wins("difference = { from = \"simple round\" }"),
        &["`difference` expects nothing"],
    );
    refused(
        &wins("difference = { from = \"simple round\", min = 0.1, max = 0.2 }"),
        &["both `min` and `max`"],
    );
    refused(
        &wins("difference = { from = \"simple round\", min = 0.1, mix = 1 }"),
        &["no key `mix`", "`max`"],
    );
    refused(
        &wins("difference = { min = 0.1 }"),
        &["compared with itself"],
    );
    refused(&wins("difference = 0.1"), &["not a table"]);
}

#[test]
fn numbers_are_numbers() {
    refused(&wins("min = \"half\""), &["`min` is text", "from 0 to 1"]);
    refused(&wins("min = nan"), &["is not a finite number"]);
    refused(&wins("min = -inf"), &["is not a finite number"]);
    refused(&wins("min = true"), &["`min` is true or false"]);
    refused(
        &wins("min = 45"),
        &["out of range: 45", "is a rate", "\"45%\""],
    );
    refused(&wins("min = -0.1"), &["out of range: -0.1"]);
    refused(&wins("min = 99999999999999999999"), &["`min`"]);
    refused(&wins("between = 0.5"), &["`between` is a number", "a list"]);
    refused(
        &wins("between = [0.1, 0.2, 0.3]"),
        &["two ends", "a list of 3"],
    );
    refused(&wins("between = []"), &["two ends", "a list of 0"]);
    refused(
        "[[expect]]\nmetric = \"rounds\"\nmin = \"45%\"",
        &["`min` is a percentage", "no rate"],
    );
    refused(
        "[[expect]]\nmetric = 3\nmin = 1",
        &["`metric` is a whole number"],
    );
}

#[test]
fn an_interval_needs_room() {
    refused(
        &wins("between = [0.5, 0.5]"),
        &["no interval can fit", "`equal`"],
    );
    refused(&wins("max = 0"), &["no interval can fit"]);
    refused(&wins("min = 1.0"), &["no interval can fit"]);
    refused(
        &wins("variant = \"simple round\"\ndifference = { max = -1 }"),
        &["no interval can fit"],
    );
}

#[test]
fn an_exact_repeat_says_of_what() {
    refused(
        &wins("equal = 0.5"),
        &["of how many encounters", "encounters = ..."],
    );
    refused(
        &wins("equal = 0.5\nencounters = 0"),
        &["`encounters` is out of range"],
    );
    refused(
        &wins("equal = 0.5\nencounters = 1.5"),
        &["`encounters` is not a whole number"],
    );
    refused(
        &wins("equal = 0.5\nencounters = 10\nseed = -1"),
        &["`seed` is out of range"],
    );
    refused(
        &wins("min = 0.5\nencounters = 10"),
        &["`encounters` goes with `equal` alone"],
    );
    refused(
        &wins("min = 0.5\nseed = 3"),
        &["`seed` goes with `equal` alone"],
    );
}

#[test]
fn statistics_fit_the_claim() {
    let rounds = |rest: &str| format!("[[expect]]\nmetric = \"rounds\"\n{rest}");
    refused(
        &rounds("statistic = \"p33\"\nmin = 1"),
        &["`statistic` cannot be \"p33\""],
    );
    refused(
        &rounds("statistic = \"max\"\nmax = 9"),
        &["of an extreme no interval is known"],
    );
    refused(
        &rounds("variant = \"simple round\"\nstatistic = \"p95\"\ndifference = { max = 9 }"),
        &["only means are compared"],
    );
    refused(
        &wins("statistic = \"median\"\nmin = 0.1"),
        &["`win_rate` is a rate"],
    );
}

#[test]
fn all_mistakes_are_told_at_once() {
    let said = errors_of(&format!(
        "{}{}{}",
        wins("min = 2"),
        wins("mean = 2\nmin = 0.2"),
        wins("between = [0.6, 0.5]").replace("heroes", "heros")
    ));
    let errors = said
        .lines()
        .filter(|line| line.starts_with("error"))
        .count();
    assert_eq!(errors, 4, "{said}");
}

#[test]
fn expectations_are_tables_and_part_of_the_file() {
    let dir = duel_with("[expect]\nmetric = \"rounds\"\nmin = 1");
    assert!(
        check(&dir, "")
            .errors()
            .contains("written as tables `[[expect]]`")
    );
    refused(
        "[[variants]]\nname = \"x\"\nset = { \"expect\" = [] }",
        &["`expect` cannot be changed here"],
    );
    let outcome = check(&duel_with(&wins("min = 0.1")), "--set expect=[]");
    assert_eq!(outcome.exit, Exit::BadInput);
    assert!(outcome.err.contains("`expect` cannot be changed here"));
    let many = wins("min = 0.1").repeat(1001);
    assert!(errors_of(&many).contains("too many expectations"));
}

#[test]
fn to_expect_nothing_is_an_error() {
    let said = errors_of("");
    assert!(said.contains("[[expect]]"), "{said}");
    // One file with an expectation is enough.
    let (empty, full) = (duel_with(""), duel_with(&wins("min = 0.1")));
    let (empty, full) = (empty.path("duel.toml"), full.path("duel.toml"));
    let both = skirmish(&["check", shown(&empty), shown(&full), "-q", "-n", "1k"]);
    assert_eq!(both.exit, Exit::Done, "{}", both.err);
}

#[test]
fn arguments_that_contradict_each_other_are_refused() {
    let dir = duel_with(&wins("min = 0.1"));
    for (options, way_out) in [
        ("-n 2k --max-encounters 1k", "less than"),
        ("--tolerance 1%", "--baseline <DIR>"),
        ("--baseline results --tolerance 101%", "from 0 to 1"),
        ("--baseline results --tolerance -1%", "from 0 to 1"),
        ("--baseline results --tolerance nan", "from 0 to 1"),
        ("--baseline results --tolerance inf", "from 0 to 1"),
        ("--format xml", "junit"),
        ("--confidence 100%", "99.9999%"),
        ("-n 0", "at least one"),
    ] {
        let outcome = check(&dir, options);
        assert_eq!(outcome.exit, Exit::BadInput, "{options}: {}", outcome.out);
        assert!(outcome.err.contains(way_out), "{options}: {}", outcome.err);
        assert_eq!(outcome.out, "");
    }
    let nowhere = skirmish(&["check", "/nowhere/duel.toml"]);
    assert_eq!(nowhere.exit, Exit::BadInput);
    let file = dir.path("duel.toml");
    let folder = shown(dir.root());
    let occupied = skirmish(&["check", shown(&file), "-q", "-o", folder]);
    assert_eq!(occupied.exit, Exit::BadInput, "{}", occupied.err);
}

#[test]
fn without_expectations_there_is_one_to_paste() {
    let side = DUEL.replace("\"heroes\"", "'the \\brave'");
    for text in [DUEL, &side] {
        let dir = TestDir::with_duel(text);
        let said = check(&dir, "").errors();
        assert!(
            said.contains("duel.toml has no `[[expect]]`, so there is nothing to"),
            "{said}"
        );
        let lines: Vec<&str> = said.trim_end().lines().rev().take(4).collect();
        let pasted: Vec<&str> = lines.into_iter().rev().collect();
        assert_eq!(pasted[0], "[[expect]]", "{said}");
        dir.write("duel.toml", format!("{text}\n{}\n", pasted.join("\n")));
        let out = check(&dir, "").printed();
        assert!(out.contains("1 passed"), "{out}");
    }
}
