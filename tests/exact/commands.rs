//! `--exact` of each subcommand: files, tables and pages of solved fights.

use super::FIRST_HIT;
use crate::robustness::signals::send;
use crate::robustness::until;
use crate::support::{Outcome, Row, TestDir, unwrapped};
use skirmish::cli::{Cli, Command, Exit};
use skirmish::exact::Budget;
use skirmish::output::{Style, Width};
use skirmish::stats::Confidence;
use skirmish::task::{Context, Files, Measure, Question, Source as _, Task, Until, Watch};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns a folder with the duel of first hits, variants and expectations.
fn hits() -> TestDir {
    let more = r#"
[[variants]]
name = "nimble"
set = { "combatants.other.evade" = 13 }
[[variants]]
name = "the same"
set = { "combatants.other.move" = 9 }
[[expect]]
metric = "win_rate"
side = "ones"
min = "70%"
[[expect]]
metric = "win_rate"
side = "ones"
max = "70%"
[[expect]]
metric = "rounds"
statistic = "p50"
between = [1, 1]
"#;
    TestDir::with("hits.toml", &format!("{FIRST_HIT}{more}"))
}

/// Returns the shares of encounters that the first and the second win by the rules, if the first hits with `faces` of
/// 20.
fn shares(faces: f64) -> [f64; 2] {
    let (first, second) = (faces / 20.0, 6.0 / 20.0);
    let neither = (1.0 - first) * (1.0 - second);
    let rounds: f64 = (0..5).map(|round| f64::powi(neither, round)).sum();
    [first * rounds, (1.0 - first) * second * rounds]
}

/// Returns the rows of a results file; the key of a cell is its column.
fn rows(dir: &TestDir, file: &str) -> Vec<Row> {
    let rows = dir.rows(file);
    assert!(!rows.is_empty(), "{file}");
    assert!(rows.iter().all(|row| row["method"] == "exact"), "{file}");
    rows
}

/// Asserts that a number lies between the bounds of a row, and that the bounds are narrow.
fn assert_within_bounds(row: &Row, expected: f64) {
    let [low, high] = ["ci_low", "ci_high"].map(|end| row[end].parse::<f64>().unwrap());
    assert!(low <= expected && expected <= high, "{expected}: {row:?}");
    assert!(high - low < 1e-12, "{row:?}");
}

#[test]
fn a_run_writes_the_files_of_every_run_with_bounds() {
    let dir = hits();
    let Outcome { exit, out, .. } = dir.call("run @/hits.toml --exact -q -o @/results");
    assert_eq!(exit, Exit::Done, "{out}");
    assert!(out.contains("\n3 variants, exact\n"), "{out}");
    let summary = rows(&dir, "results/hits/summary.csv");
    for (variant, faces) in [("base", 10.0), ("nimble", 8.0), ("the same", 10.0)] {
        for (side, share) in ["ones", "others"].iter().zip(shares(faces)) {
            let is = |row: &&Row| {
                row["variant"] == variant && row["metric"] == "win_rate" && row["subject"] == *side
            };
            let row = summary.iter().find(is).unwrap();
            assert_within_bounds(row, share);
            assert!(row["n"].is_empty() && row["se"].is_empty(), "{row:?}");
        }
    }
    for row in rows(&dir, "results/hits/distributions.csv") {
        if row["variant"] == "base" && row["metric"] == "winner" && row["value"] == "ones" {
            let [low, high] = ["ci_low", "ci_high"].map(|end| row[end].parse::<f64>().unwrap());
            assert!((low..=high).contains(&shares(10.0)[0]) && row["count"].is_empty());
        }
    }
    let manifest = dir.read("results/hits/manifest.json");
    assert!(manifest.contains("\"exact\": {"), "{manifest}");
}

#[test]
fn a_sampled_run_has_no_column_for_the_method() {
    let dir = hits();
    dir.call("run @/hits.toml -n 100 -q -o @/results");
    for file in ["summary.csv", "distributions.csv", "examples.csv"] {
        let text = fs::read_to_string(dir.path("results/hits").join(file)).unwrap();
        assert!(!text.contains("method"), "{file}");
    }
}

#[test]
fn differences_are_those_of_the_solutions() {
    let dir = hits();
    let Outcome { exit, out, .. } = dir.call("compare @/hits.toml --exact -q -o @/results");
    assert_eq!(exit, Exit::Done, "{out}");
    assert!(out.contains("no difference, exact"), "{out}");
    assert!(!out.contains("Holm") && !out.contains("95%"), "{out}");
    let gap = shares(8.0)[0] - shares(10.0)[0];
    let rows = rows(&dir, "results/hits/comparisons.csv");
    let of = |variant: &str| {
        let is = |row: &&Row| {
            row["variant"] == variant && row["metric"] == "win_rate" && row["subject"] == "ones"
        };
        rows.iter().find(is).unwrap()
    };
    assert_within_bounds(of("nimble"), gap);
    assert_within_bounds(of("the same"), 0.0);
    assert!(of("nimble")["p_value"].is_empty());
}

#[test]
fn a_sweep_and_its_threshold_are_solved() {
    let dir = hits();
    let vary = "--vary combatants.other.evade=11..21 -q -o @/results";
    dir.call(&format!("sweep @/hits.toml {vary} --exact"))
        .assert_done();
    for row in rows(&dir, "results/hits/sweep.csv") {
        if row["subject"] == "ones" {
            let evade: f64 = row["value1"].parse().unwrap();
            assert_within_bounds(&row, shares(21.0 - evade)[0]);
        }
    }
    // With 6 of 20 faces the first, who attacks first, wins 57.5%; with 5 faces 50.4%, with 4 faces 42.4%.
    let Outcome { exit, out, .. } =
        dir.call(&format!("sweep @/hits.toml {vary} --exact --threshold 50%"));
    assert_eq!(exit, Exit::Done);
    let crossing: Vec<usize> = (11..=21)
        .filter(|evade| shares(21.0 - *evade as f64)[0] >= 0.5)
        .collect();
    let last = crossing.last().unwrap();
    assert!(
        out.contains(&format!(
            "the crossing lies between evade = {last} and {}",
            last + 1
        )),
        "{out}"
    );
}

#[test]
fn the_worth_of_a_number_is_exact() {
    let dir = hits();
    let Outcome { exit, out, .. } = dir.call("sensitivity @/hits.toml --exact -q -o @/results");
    assert_eq!(exit, Exit::Done, "{out}");
    assert!(!out.contains("intervals"), "{out}");
    let rows = rows(&dir, "results/hits/sensitivity.csv");
    let of = |key: &str| rows.iter().find(|row| row["key"] == key).unwrap();
    // An Evade of 11 is hit by 10 faces of 20, and one of 12 by 9.
    let worth = shares(9.0)[0] - shares(10.0)[0];
    assert_within_bounds(of("combatants.other.evade"), worth);
    assert_within_bounds(of("combatants.other.move"), 0.0);
    let idle = out
        .split("no difference in anything that is measured")
        .nth(1);
    assert!(idle.unwrap().contains("other.move"), "{out}");
}

#[test]
fn a_knockout_is_exact_and_says_which_changes_are_too_large() {
    let dir = hits();
    let Outcome { exit, out, .. } = dir.call("knockout @/hits.toml --exact -q -o @/results");
    assert_eq!(exit, Exit::Done, "{out}");
    let found = rows(&dir, "results/hits/knockout.csv");
    let of = |change: &str| found.iter().find(|row| row["change"] == change).unwrap();
    let worth = shares(9.0)[0] - shares(10.0)[0];
    assert_within_bounds(of("other.evade +1"), worth);
    assert_eq!(of("other.evade +1")["verdict"], "difference");
    assert_eq!(of("other.move +1")["verdict"], "none");
    assert!(
        out.contains("no difference in anything that is measured"),
        "{out}"
    );
    let too_large = dir.call("knockout @/hits.toml --exact --max-states 1 -q -o @/few");
    assert_eq!(too_large.exit, Exit::BadInput, "{too_large:#?}");
}

#[test]
fn expectations_are_proved_or_fail() {
    let dir = hits();
    let Outcome { exit, out, .. } = dir.call("check @/hits.toml --exact -q");
    // The first wins 76%.
    assert_eq!(exit, Exit::ExpectationFailed, "{out}");
    assert!(out.contains("2 proved, 1 failed"), "{out}");
    let out = dir.call("check @/hits.toml --exact -q --format json").out;
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let text = json.to_string();
    assert!(text.contains("\"method\":\"exact\""), "{text}");
}

#[test]
fn exact_results_are_reproduced_whatever_the_threads() {
    let dir = hits();
    for line in [
        "run @/hits.toml --exact",
        "compare @/hits.toml --exact --metric all",
        "sweep @/hits.toml --exact --vary combatants.other.evade=11..14 --bound 1e-3",
        "sensitivity @/hits.toml --exact --max-states 10k",
        "knockout @/hits.toml --exact --max-states 10k",
    ] {
        let line = format!("{line} -q -o @/results --threads 3");
        assert_eq!(dir.call(&line).exit, Exit::Done, "{line}");
        let Outcome { exit, out, .. } = dir.call("reproduce @/results/hits -q --threads 1");
        assert_eq!(exit, Exit::Done, "{line}: {out}");
        assert!(out.lines().all(|line| line.starts_with("same: ")), "{out}");
    }
}

#[test]
fn what_wide_bounds_leave_open_is_empty_and_what_is_impossible_cut_off() {
    let dir = hits();
    let line = "run @/hits.toml --exact --bound 0.4 --variant base -q -o @/results";
    let Outcome { exit, out, .. } = dir.call(line);
    assert_eq!(exit, Exit::Done, "{out}");
    let all = rows(&dir, "results/hits/summary.csv");
    let of = |metric: &str| all.iter().find(|row| row["metric"] == metric).unwrap();
    for metric in ["win_rate", "rounds", "health"] {
        for column in ["sd", "min", "max"] {
            assert_eq!(of(metric)[column], "", "{column} of {metric}");
        }
    }
    // Each has 5 points of health, and there are 5 Rounds.
    assert_eq!(
        [&of("rounds")["ci_high"], &of("health")["ci_high"]],
        ["5", "5"]
    );
    let ones: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("  one "))
        .collect();
    assert!(
        ones[0].contains('%') && ones[0].matches('±').count() == 3,
        "{out}"
    );
    // Damage, hits and attacks have no limit.
    assert_eq!(ones[0].matches('≥').count(), 3, "{out}");
}

#[test]
fn a_rare_ending_does_not_look_like_0() {
    let dir = TestDir::with(
        "long.toml",
        &FIRST_HIT.replace("max_rounds = 5", "max_rounds = 20"),
    );
    let Outcome { exit, out, .. } = dir.call("run @/long.toml --exact -q -o @/results");
    assert_eq!(exit, Exit::Done, "{out}");
    // 0.35 to the power of 20.
    assert!(
        out.contains("timeout") && out.contains("0.0000000761%"),
        "{out}"
    );
}

#[test]
fn a_check_of_solved_fights_speaks_of_bounds() {
    let text = "[[expect]]\nmetric = \"win_rate\"\nside = \"ones\"\nequal = 0.5\nencounters = 10\n";
    let at_one = "[[expect]]\nmetric = \"rounds\"\nstatistic = \"mean\"\nmin = 1\n";
    let sure = FIRST_HIT.replace("evade = 11", "evade = -9");
    let dir = TestDir::with("sure.toml", &format!("{sure}{at_one}{text}"));
    let out = dir.call("check @/sure.toml --exact").out;
    assert!(out.contains("bounds") && !out.contains("95%"), "{out}");
    assert!(!out.contains("--bound"), "{out}");
}

#[test]
fn wide_bounds_around_0_are_no_proof_of_no_difference() {
    let dir = hits();
    let commands = [
        ("compare @/hits.toml", "ones win: not decided, "),
        (
            "sensitivity @/hits.toml",
            "not decided: the bounds reach over 0",
        ),
        (
            "knockout @/hits.toml",
            "not decided: the bounds reach over 0",
        ),
        (
            "tune @/hits.toml --goal win_rate=most --vary combatants.one.evade=15,16",
            "not decided: the bounds reach over 0",
        ),
    ];
    for (command, open) in commands {
        let line = format!("{command} --exact --bound 0.4 -q -o @/results");
        let Outcome { exit, out, .. } = dir.call(&line);
        assert_eq!(exit, Exit::Done, "{out}");
        assert!(out.contains(open), "{out}");
        let is_none = |row: &Row| row["verdict"] == "none" && row["metric"] == "win_rate";
        for name in ["sensitivity", "knockout"] {
            if command.starts_with(name) {
                let rows = rows(&dir, &format!("results/hits/{name}.csv"));
                assert!(!rows.iter().any(is_none), "{out}");
            }
        }
    }
    let out = dir
        .call("compare @/hits.toml --exact --bound 0.4 -q -o @/results")
        .out;
    assert!(!out.contains("win: no difference"), "{out}");
}

#[test]
fn a_page_shows_bounds_instead_of_intervals() {
    let dir = hits();
    dir.call("report @/hits.toml --exact -q -o @/page.html")
        .assert_done();
    let page = dir.read("page.html");
    assert!(page.contains("guaranteed bounds") && page.contains("none: solved"));
    assert!(!page.contains("95% interval"));
    // A page made from the files says the same.
    dir.call("run @/hits.toml --exact -q -o @/results");
    dir.call("report @/results/hits -q -o @/files.html")
        .assert_done();
    let page = dir.read("files.html");
    assert!(page.contains("guaranteed bounds") && !page.contains("95% interval"));
}

#[test]
fn a_fight_that_is_too_large_leaves_nothing() {
    let dir = hits();
    let outcome = dir.call("run @/hits.toml --exact --max-states 2 -q -o @/results");
    outcome.assert_refused("`base` of `@/hits.toml` is too large to be solved");
    assert!(!dir.path("results").exists());
}

/// Returns a folder with a duel of these dice.
fn with_dice(check: &str, damage: &str) -> TestDir {
    let text = FIRST_HIT
        .replace("1d20", check)
        .replace("\"10\"", &format!("\"{damage}\""));
    TestDir::with_duel(&text)
}

/// Runs a command, which must end by itself.
fn ends(dir: &TestDir, line: &str) -> Outcome {
    let mut child = dir.start(line);
    until(line, || child.try_wait().unwrap().is_some());
    Outcome::of(child.wait_with_output().unwrap())
}

/// The sums of two dice of 65,536 sides take four billion products, and 1,000 dice that explode more paths than anybody
/// can follow.
#[test]
fn fights_with_great_dice_are_not_small_and_are_refused_at_once() {
    let great = [("1d20", "2d65536"), ("2d65536", "10"), ("1d20", "1000d6!")];
    for (check, damage) in great {
        let dir = with_dice(check, damage);
        let ran = ends(&dir, "run duel.toml -n 10 -o results").assert_done();
        assert!(!ran.err.contains("is small"), "{ran:#?}");
        let refused = ends(&dir, "run duel.toml --exact --max-states 10 -o exact");
        refused.assert_refused("more work than is allowed");
    }
    let dir = with_dice("1d20", "2d65536");
    let vary = "sweep duel.toml --vary weapons.sword.attacks=1..2 --exact";
    for line in [
        "run duel.toml --exact",
        "run duel.toml --exact --bound 1e-3",
        vary,
    ] {
        ends(&dir, &format!("{line} -q -o exact")).assert_refused("more work than is allowed");
    }
    let small = with_dice("1d20", "2d6");
    assert!(
        ends(&small, "run duel.toml -n 10 -o results")
            .err
            .contains("is small")
    );
}

#[cfg(unix)]
#[test]
fn a_signal_ends_an_exact_solution_in_the_middle_of_a_roll() {
    for (check, damage) in [("1d20", "1000d6!"), ("20d100kh10", "10")] {
        let dir = with_dice(check, damage);
        let line = "run duel.toml --exact -q -o exact";
        let mut child = dir.start(line);
        std::thread::sleep(std::time::Duration::from_secs(2));
        send("-TERM", &child);
        until(line, || child.try_wait().unwrap().is_some());
        let ran = Outcome::of(child.wait_with_output().unwrap());
        assert_eq!(ran.exit, Exit::Interrupted, "{check} {damage}: {ran:#?}");
    }
}

/// A fight of some hundred situations among fights of 6.
fn large_among_small() -> TestDir {
    let more = r#"
[[variants]]
name = "large"
set = { "rules.initiative" = { mode = "rolled" } }
[[variants]]
name = "nimble"
set = { "combatants.other.evade" = 13 }
[[expect]]
metric = "win_rate"
side = "ones"
min = "70%"
[[expect]]
metric = "win_rate"
side = "ones"
variant = "large"
max = "70%"
"#;
    TestDir::with("hits.toml", &format!("{FIRST_HIT}{more}"))
}

#[test]
fn what_is_solved_is_kept_beside_a_fight_that_is_too_large() {
    let dir = large_among_small();
    let few = "--exact --max-states 10 -o @/results";
    for (command, shown) in [
        ("run @/hits.toml", "; too large to be solved: large\n"),
        (
            "compare @/hits.toml",
            "\nnote: too large to be solved: large\n",
        ),
    ] {
        let outcome = dir.call(&format!("{command} {few}"));
        assert_eq!(outcome.exit, Exit::BadInput, "{}", outcome.err);
        assert!(outcome.out.contains(shown), "{}", outcome.out);
        assert!(outcome.out.contains("68.0"), "{}", outcome.out);
    }
    assert!(rows(&dir, "results/hits/summary.csv").len() > 40);
    assert_eq!(dir.json("results/hits/manifest.json")["interrupted"], true);

    // A file that is too large does not keep the next one from being solved.
    let rolled = FIRST_HIT.replacen("mode = \"fixed\"", "mode = \"rolled\"", 1);
    assert_ne!(rolled, FIRST_HIT);
    dir.write("rolled.toml", &rolled);
    let outcome = dir.call(&format!(
        "run @/rolled.toml @/hits.toml --variant base {few}"
    ));
    assert_eq!(outcome.exit, Exit::BadInput, "{}", outcome.err);
    assert!(
        outcome.err.contains("`@/rolled.toml` is too large"),
        "{}",
        outcome.err
    );
    assert!(outcome.out.contains("76.5"), "{}", outcome.out);

    let vary = "--vary rules.initiative.mode=fixed,rolled";
    let outcome = dir.call(&format!("sweep @/hits.toml {vary} {few}"));
    assert_eq!(outcome.exit, Exit::BadInput, "{}", outcome.err);
    let shown = "as written: 1 point, each solved (too large to be solved: rolled)";
    assert!(outcome.out.contains(shown), "{}", outcome.out);

    let outcome = dir.call("check @/hits.toml --exact --max-states 10");
    assert_eq!(outcome.exit, Exit::ExpectationFailed, "{}", outcome.err);
    assert!(
        outcome.out.contains("1 proved, 1 undecided"),
        "{}",
        outcome.out
    );
    let why = "`large` is too large to be solved: check it without --exact";
    assert!(outcome.out.contains(why), "{}", outcome.out);

    let outcome = dir.call("report @/hits.toml --exact --max-states 10 -o @/report.html");
    assert_eq!(outcome.exit, Exit::BadInput, "{}", outcome.err);
    assert!(
        dir.read("report.html")
            .contains("Not all fights are solved")
    );
}

#[test]
fn less_than_all_that_is_solved_does_not_replace_all_of_it() {
    let dir = large_among_small();
    dir.call("run @/hits.toml --exact -q -o @/results");
    let whole = dir.read("results/hits/summary.csv");
    let outcome = dir.call("run @/hits.toml --exact --max-states 10 -q -o @/results");
    let kept = "keeps the exact results of \"hits\": this run has solved fewer of the same fights";
    assert!(outcome.err.contains(kept), "{}", outcome.err);
    assert_eq!(dir.read("results/hits/summary.csv"), whole);
}

/// Stops a task when it has solved a fight.
struct StopAfterOne(AtomicBool);

impl Watch for StopAfterOne {
    fn tick(&self, _: u64, _: &[u64]) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn what_is_solved_is_kept_when_a_task_is_interrupted() {
    let dir = large_among_small();
    let set = Vec::new();
    let input = || Files.input(&dir.path("hits.toml"), &set).unwrap();
    let budget = Budget {
        max_states: 1_000,
        bound: 0.0,
    };
    let sweep = Question::Sweep {
        vary: vec!["combatants.other.evade=13..15".to_owned()],
        threshold: None,
        measure: Measure {
            variant: "base".to_owned(),
            metric: vec!["win_rate".to_owned()],
            side: None,
            combatant: None,
            outcome: None,
        },
    };
    let run = Question::Run { variant: vec![] };
    for (question, shown) in [
        (
            run,
            "1 variant, exact (interrupted); not played: large, nimble",
        ),
        (sweep, "1 point, each solved (interrupted; "),
    ] {
        let watch = StopAfterOne(AtomicBool::new(false));
        let task = Task {
            question,
            until: Until::Exact(budget),
            seed: 1,
            confidence: Confidence::DEFAULT,
            set: Vec::new(),
        };
        let prepared = task.prepare(vec![input()]).unwrap();
        let context = Context {
            stop: &watch.0,
            watch: &watch,
            ..Context::new(&Files)
        };
        let played = prepared.play(&context).unwrap();
        assert!(!played.is_empty());
        let results = prepared.results(played);
        let table = results.answer.table(Style::Terminal(Width::USUAL));
        assert!(table.contains(shown), "{table}");
        assert!(results.answer.interrupted());
    }
}

#[test]
fn no_more_situations_are_allowed_than_the_library_allows() {
    use clap::Parser as _;
    let line = ["skirmish", "run", "hits.toml", "--exact"];
    let Command::Run(args) = Cli::try_parse_from(line).unwrap().command else {
        panic!("a run");
    };
    assert_eq!(
        args.answer.exact.max_states.get(),
        skirmish::exact::MAX_STATES
    );
}

#[test]
fn a_distribution_that_takes_more_memory_than_is_allowed_is_left_out() {
    let blow = r#"
system = "tara-corax"
[rules]
round = "simple"
initiative.mode = "fixed"
[encounter]
max_rounds = 1
[weapons.blow]
kind = "melee"
check = { dice = "1d10", bonus = 0 }
damage = 1000000
[[combatants]]
name = "one"
side = "ones"
position = 0
initiative = 20
move = 0
evade = 9
health = 1000000
weapons = ["blow"]
policy = ["attack"]
[[combatants]]
name = "other"
side = "others"
position = 0
initiative = 18
move = 0
evade = 9
health = 1000000
policy = ["pass"]
"#;
    let dir = TestDir::with("huge.toml", blow);
    let Outcome { exit, out, .. } = dir.call("run @/huge.toml --exact -q -o @/results");
    assert_eq!(exit, Exit::Done, "{out}");
    let summary = rows(&dir, "results/huge/summary.csv");
    let of = |metric: &str, subject: &str| {
        let is = |row: &&Row| row["metric"] == metric && row["subject"] == subject;
        summary.iter().find(is).unwrap()
    };
    assert_within_bounds(of("win_rate", "ones"), 0.2);
    assert_eq!(of("damage", "one")["p50"], "");
}

#[test]
fn solved_results_are_refused_as_a_baseline() {
    let dir = hits();
    dir.run("run hits.toml --exact -q -o res").assert_done();
    let said = dir.run("check hits.toml --baseline res -n 100");
    assert_eq!(said.exit, Exit::BadInput, "{said:?}");
    assert!(said.err.contains("the results were solved"), "{}", said.err);
}

#[test]
fn a_seed_is_refused_where_it_has_no_effect() {
    let dir = hits();
    let search = "tune @/hits.toml --vary combatants.other.evade=13..14 --exact -q -o @/results";
    let done = dir.call(&format!("{search} --seed 2"));
    assert_eq!(done.exit, Exit::Done, "{}", done.err);
    let manifest = dir.read("results/hits/tune.manifest.json");
    assert!(manifest.contains("\"seed\": 2"), "{manifest}");
    // The defaults are refused like all other values.
    for line in [
        "run @/hits.toml --exact --seed 1",
        "run @/hits.toml --exact --confidence 95%",
        "tune @/hits.toml --exact --any-policy --seed 2",
        &format!("{search} --confidence 99%"),
    ] {
        let refused = dir.call(line);
        assert_eq!(refused.exit, Exit::BadInput, "{line}");
        let message = "does nothing to --exact";
        assert!(refused.err.contains(message), "{line}: {}", refused.err);
    }
}

#[test]
fn solved_candidates_have_no_last_encounters() {
    let goal = "--vary combatants.other.evade=13..14 --goal win_rate=100%";
    let line = format!("tune @/hits.toml --exact {goal} -q -o @/results");
    let out = hits().call(&line).out;
    assert!(out.contains("No candidate reached"), "{out}");
    assert!(!out.contains("last encounters"), "{out}");
}

#[test]
fn a_level_that_no_candidate_reaches_has_a_bracket() {
    let goal = |level: &str| {
        let goal = format!("--vary combatants.other.evade=11,13 --goal win_rate={level}");
        let line = format!("tune @/hits.toml --exact {goal} -q -o @/results");
        unwrapped(&hits().call(&line).out)
    };
    let out = goal("72%");
    let below = "The level lies between other.evade = 13 (68.06";
    assert!(
        out.contains(below) && out.contains("and other.evade = 11 (76.5"),
        "{out}"
    );
    let out = goal("99%");
    assert!(
        out.contains("All candidates that were tried lie below it."),
        "{out}"
    );
    let out = goal("5%");
    assert!(
        out.contains("All candidates that were tried lie above it."),
        "{out}"
    );
}

#[test]
fn a_quantile_that_the_solution_leaves_open_has_no_value() {
    let expectation = "[[expect]]\nmetric = \"rounds\"\nstatistic = \"p95\"\nmax = 1\n";
    let dir = TestDir::with("open.toml", &format!("{FIRST_HIT}{expectation}"));
    let line = "check @/open.toml --exact --bound 0.4 --format github -q";
    let out = dir.call(line).out;
    assert!(out.contains("no value in the exact solution"), "{out}");
}

/// Equals who roll off their ties: what changes nothing makes no difference, however often a tie is tied again.
#[test]
fn ties_that_are_rolled_off_make_no_difference() {
    let dir = TestDir::with("equals.toml", EQUALS);
    let out = unwrapped(
        &dir.call("knockout @/equals.toml --exact -q -o @/results")
            .printed(),
    );
    assert!(
        out.contains("fight: without line 1") && !out.contains("0.00000000"),
        "{out}"
    );
    let line = "tune @/equals.toml --exact --vary parameters.low=0..2 -q -o @/results";
    let out = unwrapped(&dir.call(line).printed());
    assert!(!out.contains("not as good"), "{out}");
    let line = "compare @/equals.toml --exact -q -o @/results";
    let out = unwrapped(&dir.call(line).printed());
    assert!(out.contains("left win: no difference, exact"), "{out}");
}

/// A fight of equals, who may delay.
const EQUALS: &str = r#"
system = "chronicles"
[encounter]
max_rounds = 200
[parameters]
low = { value = 2, range = "0..2" }
[weapons.blade]
kind = "melee"
check = { pool = 4 }
damage = 1
[[combatants]]
name = "left"
side = "left"
position = 0
attributes = { dexterity = 3, composure = 3 }
move = 8
defence = 2
health = 2
weapons = ["blade"]
policy = "fight"
[[combatants]]
name = "right"
side = "right"
position = 0
attributes = { dexterity = 3, composure = 3 }
move = 8
defence = 2
health = 2
weapons = ["blade"]
policy = "fight"
[policies]
fight = ["delay until enemy_acted if hp <= $low", "attack", "advance"]
[[variants]]
name = "eager"
set = { "parameters.low" = 0 }
"#;
