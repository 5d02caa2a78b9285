//! The verdict on each kind of expectation.

use super::{check, duel_with, only_line, shown, wins};
use crate::support::skirmish;
use clap::Parser;
use skirmish::cli::{Cli, Console, Exit, Session, execute};
use skirmish::task::Files;
use std::sync::atomic::AtomicBool;

/// Returns the output line and the exit of a check of one expectation.
fn verdict(expectation: &str, options: &str) -> (String, Exit) {
    let outcome = check(&duel_with(expectation), options);
    assert_eq!(outcome.err, "");
    (only_line(&outcome.out), outcome.exit)
}

fn passes(expectation: &str) {
    let (line, exit) = verdict(expectation, "");
    assert!(line.starts_with("passed "), "{expectation}: {line}");
    assert_eq!(exit, Exit::Done, "{line}");
}

fn fails(expectation: &str) {
    let (line, exit) = verdict(expectation, "");
    assert!(line.starts_with("failed "), "{expectation}: {line}");
    assert_eq!(exit, Exit::ExpectationFailed, "{line}");
}

#[test]
fn an_interval_inside_the_bounds_passes_and_one_outside_fails() {
    passes(&wins("between = [0.45, 0.65]"));
    passes(&wins("between = [\"45%\", \"65 %\"]"));
    fails(&wins("between = [0.60, 0.70]"));
    fails(&wins("between = [0.30, 0.45]"));
    passes(&wins("min = 0.4"));
    fails(&wins("min = 0.7"));
    passes(&wins("max = 0.7"));
    fails(&wins("max = \"40%\""));
}

#[test]
fn the_variant_that_is_named_is_the_one_that_is_checked() {
    passes(&wins("min = 0.6\nvariant = \"simple round\""));
    fails(&wins("min = 0.6\nvariant = \"base\""));
    fails(&wins("min = 0.6"));
}

#[test]
fn every_scope_has_its_subject() {
    let metric = |name: &str, rest: &str| format!("[[expect]]\nmetric = \"{name}\"\n{rest}\n");
    passes(&metric("rounds", "between = [2, 2.5]"));
    fails(&metric("rounds", "max = 1.5"));
    passes(&metric("alive", "combatant = \"monster\"\nmax = 0.6"));
    passes(&metric(
        "damage",
        "combatant = \"monster\"\nbetween = [36, 43]",
    ));
    fails(&metric("damage", "combatant = \"monster\"\nmin = 60"));
    passes(&metric("health_left", "side = \"monsters\"\nmax = 10"));
}

#[test]
fn quantiles_are_whole_numbers_with_intervals_of_their_own() {
    let rounds = |rest: &str| format!("[[expect]]\nmetric = \"rounds\"\n{rest}\n");
    passes(&rounds("statistic = \"median\"\nbetween = [2, 2]"));
    passes(&rounds("statistic = \"p50\"\nbetween = [2, 2]"));
    fails(&rounds("statistic = \"p95\"\nmax = 2"));
    let (line, _) = verdict(&rounds("statistic = \"p25\"\nmax = 2"), "");
    assert_eq!(line, "passed rounds, p25, base 2 2 to 2 at most 2 1,000");
}

#[test]
fn a_quantile_without_an_interval_wants_more_encounters() {
    let expectation = "[[expect]]\nmetric = \"rounds\"\nstatistic = \"p75\"\nmax = 1\n";
    let out = check(&duel_with(expectation), "-n 1 --max-encounters 3").out;
    assert!(out.contains("an interval of this quantile"), "{out}");
    assert!(!out.contains("expect a quantile"), "{out}");
}

#[test]
fn differences_are_of_pairs() {
    let simple = |claim: &str| {
        wins(&format!(
            "variant = \"simple round\"\ndifference = {{ {claim} }}"
        ))
    };
    passes(&simple("min = 0.08"));
    passes(&simple("from = \"base\", between = [\"8%\", \"20%\"]"));
    fails(&simple("max = 0.05"));
    // A difference of rates is in points.
    let (line, _) = verdict(&simple("between = [0.05, \"20%\"]"), "");
    let (value, interval) = line.split_once(" points ").unwrap();
    assert!(!value.contains('%'), "{line}");
    assert!(interval.contains(" points 5 to 20 points 1,000"), "{line}");
    // Compared the other way round, the difference changes its sign.
    let base = wins("difference = { from = \"simple round\", between = [-0.2, -0.08] }");
    passes(&base);
    // Pairing narrows the interval: two independent rates would give a difference of ±4.4 points.
    let (line, _) = verdict(&simple("min = 0.08"), "-n 1k --max-encounters 1k");
    assert!(line.contains("simple round less base"), "{line}");
    let words = line.split_whitespace();
    let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
    assert!(numbers[2] - numbers[1] < 6.0, "{line}");
}

#[test]
fn differences_from_several_variants_are_all_checked() {
    let third = "[[variants]]\nname = \"tougher\"\nset = { \"combatants.monster.health\" = 40 }\n";
    let all = [
        wins("variant = \"simple round\"\ndifference = { min = 0.08 }"),
        wins("variant = \"tougher\"\ndifference = { max = -0.1 }"),
        wins("variant = \"tougher\"\ndifference = { from = \"simple round\", max = -0.25 }"),
        wins("variant = \"tougher\"\nmax = 0.4"),
        wins("min = 0.45"),
    ];
    let outcome = check(&duel_with(&format!("{third}{}", all.concat())), "");
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.out);
    assert!(outcome.out.ends_with("5 passed\n"), "{}", outcome.out);
}

#[test]
fn an_exact_repeat_is_of_one_seed_and_count() {
    // Returns the mean that `skirmish run` writes.
    let run = |seed: &str| {
        let dir = duel_with("");
        let (file, out) = (dir.path("duel.toml"), dir.path("out"));
        let run = skirmish(&[
            "run",
            shown(&file),
            "-n",
            "1k",
            "-q",
            "--seed",
            seed,
            "--format",
            "csv",
            "-o",
            shown(&out),
        ]);
        let row = run.out.lines().nth(1).unwrap().to_owned();
        row.split(',').nth(5).unwrap().to_owned()
    };
    let (first, second) = (run("1"), run("2"));
    assert_ne!(first, second);
    passes(&wins(&format!("equal = {first}\nencounters = 1000")));
    fails(&wins(&format!("equal = {first}\nencounters = 999")));
    fails(&wins(&format!("equal = {second}\nencounters = 1000")));
    passes(&wins(&format!(
        "equal = {second}\nencounters = 1000\nseed = 2"
    )));
    // The command line changes neither seed nor count.
    let exact = wins(&format!("equal = {first}\nencounters = 1000"));
    for options in ["--seed 7", "-n 300 --max-encounters 500", "-n 5k"] {
        let (line, exit) = verdict(&exact, options);
        assert_eq!(exit, Exit::Done, "{options}: {line}");
        assert!(line.ends_with(" 1,000"), "{line}");
    }
    let median = "[[expect]]\nmetric = \"rounds\"\nstatistic = \"max\"\nencounters = 500\nequal = ";
    passes(&format!("{median}4"));
    fails(&format!("{median}40"));
}

#[test]
fn what_is_undecided_is_played_on_and_fails_unless_it_is_allowed() {
    // The rate is 54.56%: eight thousand encounters are too few to decide.
    let close = wins("min = 0.545");
    let (line, exit) = verdict(&close, "");
    assert!(line.starts_with("undecided "), "{line}");
    assert!(line.ends_with(" 8,000"), "{line}");
    assert_eq!(exit, Exit::ExpectationFailed);
    let (line, exit) = verdict(&close, "--allow-undecided");
    assert!(line.starts_with("undecided "), "{line}");
    assert_eq!(exit, Exit::Done);
    let outcome = check(&duel_with(&close), "--allow-undecided");
    assert!(outcome.out.ends_with("0 passed, 1 undecided (allowed)\n"));
    assert!(outcome.out.contains("--max-encounters"), "{}", outcome.out);
    // `--allow-undecided` does not allow failures.
    let outcome = check(
        &duel_with(&format!("{close}{}", wins("min = 0.8"))),
        "--allow-undecided",
    );
    assert_eq!(outcome.exit, Exit::ExpectationFailed);
}

#[test]
fn what_is_decided_early_is_not_played_on() {
    let (line, _) = verdict(&wins("min = 0.2"), "");
    assert!(line.ends_with(" 1,000"), "{line}");
    let (line, _) = verdict(&wins("min = 0.51"), "");
    let count: u64 = line
        .rsplit(' ')
        .next()
        .unwrap()
        .replace(',', "")
        .parse()
        .unwrap();
    assert!((1001..=8000).contains(&count), "{line}");
}

#[test]
fn looking_often_is_paid_for() {
    // A single look at a thousand encounters, and the first look of many: the same counts, a wider interval.
    let interval = |options: &str| {
        let (line, _) = verdict(&wins("min = 0.2"), options);
        let ends: Vec<f64> = line
            .split_whitespace()
            .filter_map(|word| word.strip_suffix('%')?.parse().ok())
            .collect();
        ends[2] - ends[1]
    };
    let once = interval("-n 1k --max-encounters 1k");
    let often = interval("-n 1k --max-encounters 1M");
    assert!(often > 1.2 * once, "{often} against {once}");
    let surer = interval("-n 1k --max-encounters 1k --confidence 99%");
    assert!(surer > 1.25 * once, "{surer} against {once}");
}

#[test]
fn where_nothing_varies_nothing_is_decided_and_a_way_out_is_told() {
    // They stand toe to toe, and nothing bounds how far a combatant may move.
    let expectation = "[[expect]]\nmetric = \"units_moved\"\ncombatant = \"monster\"\nmax = 0.5\n";
    let outcome = check(&duel_with(expectation), "");
    assert_eq!(outcome.exit, Exit::ExpectationFailed);
    assert!(only_line(&outcome.out).starts_with("undecided "));
    assert!(outcome.out.contains("with `equal`"), "{}", outcome.out);
    passes(&expectation.replace("max = 0.5", "statistic = \"p95\"\nmax = 0"));
    passes(&expectation.replace("max = 0.5", "equal = 0\nencounters = 100"));
}

#[test]
fn what_never_happens_has_no_value() {
    let never = "[[expect]]\nmetric = \"first_attack\"\ncombatant = \"monster\"\nmax = 9\n";
    let outcome = check(
        &duel_with(never),
        "--set combatants.monster.policy=[\"pass\"]",
    );
    assert_eq!(outcome.exit, Exit::ExpectationFailed);
    assert!(only_line(&outcome.out).starts_with("undecided first_attack of monster, base - -"));
    assert!(outcome.out.contains("no encounter showed a value"));
}

#[test]
fn duplicates_are_fine_and_all_are_told() {
    let outcome = check(&duel_with(&wins("min = 0.3").repeat(3)), "");
    assert_eq!(outcome.exit, Exit::Done);
    assert!(outcome.out.ends_with("3 passed\n"));
}

#[test]
fn threads_leave_no_trace() {
    let all = [
        wins("min = 0.545"),
        wins("variant = \"simple round\"\ndifference = { min = 0.08 }"),
        wins("equal = 0.5\nencounters = 777"),
    ]
    .concat();
    let dir = duel_with(&all);
    for format in ["text", "json", "junit", "github"] {
        let with = |threads: u32| {
            let outcome = check(&dir, &format!("--format {format} --threads {threads}"));
            assert_eq!(outcome.exit, Exit::ExpectationFailed);
            outcome.out
        };
        let alone = with(1);
        assert_eq!(alone, with(2));
        assert_eq!(alone, with(5));
    }
}

#[test]
fn a_run_reads_expectations_and_does_not_judge_them() {
    let dir = duel_with(&wins("min = 0.99"));
    let (file, out) = (dir.path("duel.toml"), dir.path("out"));
    let run = || skirmish(&["run", shown(&file), "-n", "10", "-q", "-o", shown(&out)]);
    assert_eq!(run().exit, Exit::Done);
    dir.write(
        "duel.toml",
        format!("{}\n{}", super::DUEL, wins("mim = 0.9")),
    );
    let outcome = run();
    assert_eq!(outcome.exit, Exit::BadInput);
    assert!(
        outcome.err.contains("did you mean `min`?"),
        "{}",
        outcome.err
    );
}

#[test]
fn an_interrupted_check_decides_nothing() {
    let dir = duel_with(&wins("min = 0.1"));
    let file = dir.path("duel.toml");
    for mode in [&["-q"][..], &[]] {
        let words = ["skirmish", "check", shown(&file)];
        let cli = Cli::try_parse_from(words.iter().chain(mode)).unwrap();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut session = Session {
            source: &Files,
            stop: &AtomicBool::new(true),
            console: Console::new(&mut out, &mut err).hushed(cli.quiet),
        };
        let exit = execute(cli.command, &[], &mut session).unwrap();
        assert_eq!(exit, Exit::Interrupted);
        assert!(out.is_empty());
        assert_eq!(err, b"interrupted: nothing was decided\n");
    }
}
