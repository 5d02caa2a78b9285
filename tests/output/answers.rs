//! The first sentence of a comparison, a sweep and a sensitivity analysis answers the question.

use crate::support::{TestDir, joined, skirmish};

/// Returns the output of a command, as lines and as one text, with wrapped sentences joined.
fn output_of(command: &str, words: &[&str]) -> (Vec<String>, String) {
    let dir = TestDir::empty();
    let results = dir.root().to_str().unwrap();
    let all = command.split(' ').chain(words.iter().copied());
    let all: Vec<&str> = all.chain(["-q", "-o", results]).collect();
    let text = joined(&skirmish(&all).printed());
    (text.lines().map(str::to_owned).collect(), text)
}

/// Asserts that the line with the answer comes before the line with `rest`.
fn assert_before(lines: &[String], answer: &str, rest: &str) {
    let position = |text: &str| lines.iter().position(|line| line.contains(text));
    let (answer, rest) = (position(answer), position(rest));
    assert!(answer.is_some() && answer < rest, "{lines:#?}");
}

#[test]
fn a_sweep_begins_with_where_it_is_even() {
    let sweep = "sweep scenarios/kiting.toml -n 400";
    let vary = ["--vary", "combatants.archer.move=8..20:4"];
    let (lines, text) = output_of(sweep, &vary);
    assert_before(&lines, "hunters: even (50%) between move = 8 (", "100% ┤");
    assert_eq!(text.matches("even (50%)").count(), 1, "{text}");
    let markdown = [&vary[..], &["--format", "markdown"]].concat();
    let (lines, _) = output_of(sweep, &markdown);
    assert_before(&lines, "hunters: even (50%) between move = 8 (", "```text");
}

#[test]
fn a_threshold_is_the_answer_and_told_once() {
    let vary = [
        "--vary",
        "combatants.archer.move=8..20:4",
        "--threshold",
        "50%",
    ];
    let (lines, text) = output_of("sweep scenarios/kiting.toml -n 400", &vary);
    assert_before(&lines, "rises through 50% between move = 8 (", "100% ┤");
    assert!(!text.contains("even (50%)"), "{text}");
}

#[test]
fn a_sweep_that_is_nowhere_even_says_from_where_to_where() {
    for (vary, answer) in [
        (
            "brute.health=60..80:10",
            "hunters win 50% or more at every value of health: from ",
        ),
        // Above a certain speed no further Unit is needed.
        ("archer.move=16..20:2", "% at every value of move."),
    ] {
        let vary = format!("combatants.{vary}");
        let (lines, _) = output_of("sweep scenarios/kiting.toml -n 400", &["--vary", &vary]);
        assert_before(&lines, answer, "┤");
    }
    // A small sample cannot tell any value apart from an even fight.
    let vary = ["--vary", "combatants.red archer.position=6..10:2"];
    let (lines, _) = output_of("sweep scenarios/mirror.toml -n 100", &vary);
    let answer = "red: not told apart from even (50%) at any value of position: from ";
    assert_before(&lines, answer, "┤");
}

#[test]
fn a_sweep_of_words_or_of_two_keys_names_the_best_and_the_worst() {
    let sweep = "sweep scenarios/kiting.toml -n 400";
    let (lines, _) = output_of(
        sweep,
        &["--vary", "rules.round=full,simple", "--metric", "rounds"],
    );
    assert_before(&lines, "rounds: most at round = full (", "rules.round  ");
    assert!(
        lines
            .iter()
            .any(|line| line.contains(" and least at round = simple (")),
        "{lines:#?}"
    );
    let two = [
        "--vary",
        "combatants.archer.move=8,20",
        "--vary",
        "combatants.brute.move=8,20",
    ];
    let (lines, _) = output_of(sweep, &two);
    let best = "hunters win most at archer.move = 20, brute.move = 8 (";
    assert_before(&lines, best, "down: combatants.archer.move");
    let worst = " and least at archer.move = 8, brute.move = 20 (";
    assert!(lines.iter().any(|line| line.contains(worst)), "{lines:#?}");
}

#[test]
fn a_comparison_begins_with_the_best_variant() {
    let (lines, _) = output_of("compare scenarios/multi-attacker.toml -n 2000", &[]);
    assert_before(
        &lines,
        "Simple round helps heroes: ",
        "simple round against base",
    );
    let (lines, _) = output_of("compare scenarios/kiting.toml -n 1000", &[]);
    let answer = lines
        .iter()
        .find(|line| line.starts_with("Wins of hunters: most as written; fewer: "));
    let answer = answer.unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(answer.contains("and last kite a charger -"), "{answer}");
    let (lines, _) = output_of(
        "compare scenarios/kiting.toml -n 1000 --baseline desperate",
        &[],
    );
    assert_before(
        &lines,
        "Wins of hunters: more than desperate: as written +",
        " against desperate:",
    );
    // The file itself has no name, whether it is compared or compared with.
    let (lines, _) = output_of(
        "compare scenarios/kiting.toml -n 1000",
        &["--baseline", "kite a charger"],
    );
    let answer = "Wins of hunters: most as written, +";
    assert_before(&lines, answer, " against kite a charger:");
    let (lines, _) = output_of(
        "compare scenarios/multi-attacker.toml -n 2000",
        &["--baseline", "simple round"],
    );
    let answer = lines.iter().find(|line| line.contains(" hurts heroes: "));
    let answer = answer.unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(answer.starts_with("As written hurts heroes: "), "{answer}");
    assert!(answer.contains("% with simple round ("), "{answer}");
    // There is no answer if the win rate is not compared.
    let rounds = ["--metric", "rounds"];
    let (lines, _) = output_of("compare scenarios/multi-attacker.toml -n 200", &rounds);
    assert!(
        !lines.iter().any(|line| line.contains("helps heroes")),
        "{lines:#?}"
    );
}

/// Alice hits once in a thousand attacks in `base`, and 2, 5 and 7 times in the variants.
const RARE: &str = r#"
title = "Rare"
system = "tara-corax"
[rules]
round = "simple"
initiative.mode = "fixed"
[encounter]
max_rounds = 1
[weapons.a]
kind = "melee"
check = { dice = "1d1000" }
damage = 100
[[combatants]]
name = "alice"
side = "left"
position = 0
initiative = 20
move = 0
evade = 1000
health = 2
weapons = ["a"]
policy = ["attack"]
[[combatants]]
name = "bob"
side = "right"
position = 0
initiative = 18
move = 0
evade = 1000
health = 1
weapons = []
policy = ["pass"]
[[variants]]
name = "two"
set = { "combatants.bob.evade" = 999 }
[[variants]]
name = "five"
set = { "combatants.bob.evade" = 996 }
[[variants]]
name = "seven"
set = { "combatants.bob.evade" = 994 }
"#;

#[test]
fn a_variant_that_may_be_as_good_keeps_another_from_being_the_best() {
    let dir = TestDir::with("rare.toml", RARE);
    let file = dir.path("rare.toml");
    let compare = format!("compare {} -n 3000 --metric win_rate", file.display());
    let (lines, _) = output_of(&compare, &["--baseline", "five"]);
    let answer = "Wins of left: no variant is known to have more than five; fewer: ";
    assert_before(&lines, answer, " against five");
    assert!(
        lines
            .iter()
            .any(|line| line.contains("no difference found for seven")),
        "{lines:#?}"
    );
}

#[test]
fn a_sensitivity_begins_with_the_number_that_matters_most() {
    let (lines, text) = output_of("sensitivity scenarios/multi-attacker.toml -n 2000", &[]);
    assert_before(
        &lines,
        "1 more of weapons.claws.attacks costs heroes ",
        "number  ",
    );
    assert!(text.contains(" Worth nothing ("), "{text}");
    let (lines, _) = output_of("sensitivity scenarios/kiting.toml -n 50", &[]);
    assert_before(
        &lines,
        "No number is known to make a difference to win_rate of hunters.",
        "number  ",
    );
}
