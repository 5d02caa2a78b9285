//! `skirmish compare` as users run it.

use crate::support::{Outcome, Row, TestDir};
use crate::worked::project;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;

/// Returns a folder with the shipped scenarios `names`, each with `more` appended.
fn with_shipped(names: &[&str], more: &str) -> TestDir {
    let dir = TestDir::empty();
    for name in names {
        let file = format!("{name}.toml");
        let shipped = project().join("scenarios").join(&file);
        dir.write(&file, fs::read_to_string(shipped).unwrap() + more);
    }
    dir
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap()
}

#[test]
fn a_point_more_is_known_three_times_better_on_the_same_luck() {
    // One variant for each kind of number; each shifts the win rate of the shipped policy by half a point to three
    // points.
    let more = r#"
[[variants]]
name = "archer evade"
set = { "combatants.archer.evade" = 19 }
[[variants]]
name = "archer armor"
set = { "combatants.archer.armor" = 3 }
[[variants]]
name = "brute health"
set = { "combatants.brute.health" = 71 }
[[variants]]
name = "longbow bonus"
set = { "weapons.longbow.check.bonus" = 10 }
"#;
    let dir = with_shipped(&["kiting"], more);
    // A no-break space is not a space: names are taken as written.
    let mut no_break = dir.command("compare kiting.toml -n 20k -q --metric win_rate --variant");
    let refused = no_break.arg("archer\u{a0}evade").output().unwrap();
    Outcome::of(refused).assert_refused("did you mean `archer evade`?");
    dir.run("compare kiting.toml -n 20k -q --metric win_rate")
        .assert_done();
    for row in dir.rows("results/kiting/comparisons.csv") {
        let one_point = [
            "archer evade",
            "archer armor",
            "brute health",
            "longbow bonus",
        ];
        if one_point.contains(&row["variant"].as_str()) {
            assert!(number(&row, "shrinkage") > 3.0, "{row:?}");
            assert!(number(&row, "correlation") > 0.7, "{row:?}");
        }
    }
}

#[test]
fn a_comparison_is_of_the_encounters_that_a_run_plays() {
    let dir = with_shipped(&["mirror"], "");
    dir.run("compare mirror.toml -n 3000 -q --metric all --threads 2")
        .assert_done();
    dir.run("run mirror.toml -n 3000 -q --threads 1")
        .assert_done();
    let summary: HashMap<[String; 3], Row> = dir
        .rows("results/mirror/summary.csv")
        .into_iter()
        .map(|row| {
            let key = ["variant", "metric", "subject"].map(|column| row[column].clone());
            (key, row)
        })
        .collect();
    let compared = dir.rows("results/mirror/comparisons.csv");
    assert!(compared.len() > 100);
    for row in compared {
        let column = if row["statistic"] == "median" {
            "p50"
        } else {
            "mean"
        };
        let value = |variant: &str| {
            let key = [variant, &row["metric"], &row["subject"]].map(str::to_owned);
            (summary[&key][column].clone(), summary[&key]["n"].clone())
        };
        // A `run` does not report the statistic over encounters in which both fights have a value.
        if row["statistic"] != "paired" {
            let told = |value: &str, n: &str| (row[value].clone(), row[n].clone());
            assert_eq!(value("base"), told("baseline_value", "baseline_n"));
            assert_eq!(value(&row["variant"]), told("variant_value", "variant_n"));
        }
    }
}

/// The brute attacks in both fights only where it attacks early. In those encounters it attacks earlier against an
/// archer that steps back, but by the two runs it attacks later.
#[test]
fn a_comparison_says_what_the_runs_say_where_one_fight_shows_a_value_more_often() {
    let dir = with_shipped(&["kiting"], "");
    let compared = dir
        .command("compare kiting.toml -n 3000 -q --metric first_attack --variant")
        .arg("step back")
        .output()
        .unwrap();
    Outcome::of(compared).assert_done();
    let all = dir.rows("results/kiting/comparisons.csv");
    let find = |statistic: &str| {
        let mine = |row: &&Row| row["subject"] == "brute" && row["statistic"] == statistic;
        all.iter().find(mine).unwrap()
    };
    let (mean, paired) = (find("mean"), find("paired"));
    assert!(number(mean, "ci_low") > 0.0, "{mean:?}");
    assert!(number(paired, "ci_high") < 0.0, "{paired:?}");
    assert_eq!(paired["n"], mean["n"]);
    assert!(number(mean, "n") < number(mean, "baseline_n"));
    assert!(number(mean, "n") < number(mean, "variant_n"));
}

/// In all encounters of a variant with another limit of Rounds, which is never reached, nothing differs. No number of
/// encounters bounds differences of damage.
#[test]
fn sentences_say_where_no_encounter_differs_and_where_encounters_are_left_out() {
    let text = r#"
        system = "chronicles"
        encounter.max_rounds = 40
        weapons.sword = { kind = "melee", check = { pool = 6 }, damage = 2 }
        combatants = [
            { name = "left", side = "left", position = 0, initiative = 3, move = 8, defence = 2, health = 7, weapons = ["sword"], policy = ["attack", "advance"] },
            { name = "right", side = "right", position = 12, initiative = 3, move = 8, defence = 2, health = 7, weapons = ["sword"], policy = ["attack", "advance"] },
        ]
        variants = [
            { name = "longer", set = { "encounter.max_rounds" = 41 } },
            { name = "weak", set = { "combatants.left.health" = 1 } },
        ]
    "#;
    let dir = TestDir::with("duel.toml", text);
    let said = |line: &str| dir.run(line).out;
    let line = "compare duel.toml -n 200 -q -o results --variant longer --metric damage";
    let same = said(line);
    assert!(
        same.contains(
            "left: damage: no difference in any encounter, so in less than 1.5% of all\n"
        ),
        "{same}"
    );
    let line = "compare duel.toml -n 3 -q -o results --variant weak --metric first_attack_round";
    let paired = said(line);
    assert!(
        !paired.contains(",:") && !paired.contains("of 1 encounters"),
        "{paired}"
    );
    assert!(
        paired.contains("first attack round (where both have one)"),
        "{paired}"
    );
    let line = "compare duel.toml -q -o results --variant longer --metric damage --until-decided \
                --max-encounters 3k";
    let looked = said(line);
    assert!(looked.contains("not everything is decided"), "{looked}");
    assert!(!looked.contains("stopped once decided"), "{looked}");
}

/// The monster survives 6 of 1,000 encounters, and 4 of 1,000 against the tougher combatant. A run of 1,000 may show no
/// difference, and must not call the comparison decided.
/// Both fight with the same blade, so that its numbers hardly matter to who wins. Of 16 intervals some miss.
#[test]
fn the_first_sentence_goes_by_all_variants_together() {
    let mut text = r#"
        system = "tara-corax"
        weapons.blade = { kind = "melee", attacks = 2, check = { dice = "2d10", bonus = 8 }, damage = "1d10+4" }
        combatants = [
            { name = "one", side = "left", position = 0, attributes = { agility = 12, intellect = 12 }, move = 12, evade = 17, health = 30, weapons = ["blade"], policy = ["attack"] },
            { name = "two", side = "right", position = 0, attributes = { agility = 12, intellect = 12 }, move = 12, evade = 17, health = 30, weapons = ["blade"], policy = ["attack"] },
        ]
    "#
    .to_owned();
    for bonus in [6, 7, 9, 10] {
        for damage in ["1d10+3", "1d10+4", "2d6+3", "1d4+6"] {
            let _ = write!(
                text,
                "[[variants]]\nname = \"{bonus}, {damage}\"\nset = {{ \"weapons.blade.check.bonus\" = {bonus}, \
                 \"weapons.blade.damage\" = \"{damage}\" }}\n"
            );
        }
    }
    let dir = TestDir::with("blades.toml", &text);
    let mut missed = 0;
    for seed in 1..=8 {
        let line = format!(
            "compare @/blades.toml -n 1000 --metric win_rate --seed {seed} -q -o @/results"
        );
        let out = dir.call(&line).printed();
        let all = dir.rows("results/blades/comparisons.csv");
        let excludes = |row: &&Row| number(row, "ci_low") > 0.0 || number(row, "ci_high") < 0.0;
        missed += all.iter().filter(excludes).count();
        assert!(
            all.iter().all(|row| number(row, "p_adjusted") > 0.05),
            "{out}"
        );
        assert!(
            out.contains("Wins of left: no difference found between as written and"),
            "{out}"
        );
    }
    assert!(missed > 0, "intervals that miss");
}

#[test]
fn where_nothing_differed_yet_nothing_is_decided() {
    let dir = TestDir::with("rare.toml", include_str!("rare.toml"));
    for seed in 0..12 {
        let line = format!(
            "compare rare.toml -q --until-decided --metric survivors --max-encounters 3k --seed {seed}"
        );
        dir.run(&line).assert_done();
        let all = dir.rows("results/rare/comparisons.csv");
        let mean = |row: &&Row| row["statistic"] == "mean" && row["subject"] == "monsters";
        let row = all.iter().find(mean).unwrap();
        let decided = number(row, "ci_low") > 0.0 || number(row, "ci_high") < 0.0;
        assert!(decided || row["n"] == "3000", "{row:?}");
    }
    let line = "run rare.toml -q --precision 5% --metric health --max-encounters 3k";
    dir.run(line).assert_done();
    let manifest = dir.read("results/rare/manifest.json");
    assert!(manifest.contains("\"precise\": false"), "{manifest}");
    assert!(!manifest.contains("\"precise\": true"), "{manifest}");
}

#[test]
fn threads_change_no_byte() {
    let dir = with_shipped(&["mirror"], "");
    let play = |threads: &str| {
        let line = format!("compare mirror.toml -n 2000 -q --threads {threads} -o {threads}");
        dir.run(&line).assert_done();
        fs::read(dir.path(&format!("{threads}/mirror/comparisons.csv"))).unwrap()
    };
    let alone = play("1");
    assert!(!alone.is_empty());
    assert_eq!(alone, play("2"));
    assert_eq!(alone, play("7"));
}

#[test]
fn the_baseline_is_whom_one_names() {
    let dir = with_shipped(&["mirror"], "");
    let line = "compare mirror.toml -n 500 -q --metric rounds";
    dir.run(line).assert_done();
    let find = |baseline: &str, variant: &str| {
        let all = dir.rows("results/mirror/comparisons.csv");
        assert!(all.iter().all(|row| row["baseline"] == baseline));
        all.into_iter()
            .find(|row| row["variant"] == variant && row["statistic"] == "mean")
            .unwrap()
    };
    let there = number(&find("base", "simple round"), "difference");
    let swapped = dir
        .command(line)
        .args(["--baseline", "simple round"])
        .output()
        .unwrap();
    Outcome::of(swapped).assert_done();
    let back = number(&find("simple round", "base"), "difference");
    assert!(
        there != 0.0 && (there + back).abs() < 1e-9,
        "{there} {back}"
    );
}

#[test]
fn until_decided_means_every_difference_excludes_zero_or_does_not_matter() {
    let more = r#"
[[variants]]
name = "more health"
set = { "combatants.brute.health" = 71 }
[[variants]]
name = "longer legs of no use"
set = { "combatants.archer.move" = 16 }
"#;
    let dir = with_shipped(&["kiting"], more);
    let line = "compare kiting.toml -q --metric win_rate --until-decided --indifference 2%";
    for threads in ["1", "3"] {
        let line = format!("{line} --threads {threads} -o {threads}");
        dir.run(&line).assert_done();
    }
    let read = |threads: &str, file: &str| dir.read(&format!("{threads}/kiting/{file}"));
    assert_eq!(read("1", "comparisons.csv"), read("3", "comparisons.csv"));
    for row in dir.rows("1/kiting/comparisons.csv") {
        let (low, high) = (number(&row, "ci_low"), number(&row, "ci_high"));
        let decided = low > 0.0 || high < 0.0 || (low >= -0.02 && high <= 0.02);
        assert!(decided, "{row:?}");
    }
    let manifest: serde_json::Value =
        serde_json::from_str(&read("1", "comparisons.manifest.json")).unwrap();
    assert_eq!(manifest["until"]["decided"]["indifference"], "2%");
    // The first look is at 1,000 encounters, each further look at half as many again.
    let played = manifest["variants"][0]["encounters"].as_u64().unwrap();
    assert!([1000, 1500, 2250, 3375, 5063].contains(&played), "{played}");
}

#[test]
fn what_cannot_be_decided_in_time_is_said_to_be_undecided() {
    let dir = with_shipped(&["mirror"], "");
    let line = "compare mirror.toml --metric win_rate --until-decided --indifference 0.001% \
                --max-encounters 1200";
    let text = dir.run(line).printed();
    assert!(
        text.contains("1,200 encounters (not everything is decided)"),
        "{text}"
    );
}

#[test]
fn two_files_share_luck_only_if_they_share_a_combatant() {
    let dir = with_shipped(&["kiting", "walled-duel", "mirror"], "");
    let luck = |other: &str| {
        let line = format!("compare kiting.toml {other}.toml -n 300 -q --metric rounds");
        dir.run(&line).assert_done();
        let file = format!("results/kiting-and-{other}/comparisons.csv");
        dir.rows(&file).remove(0)
    };
    let shared = luck("walled-duel");
    assert_eq!(shared["luck"], "common");
    assert_eq!(shared["variant"], "walled-duel/base");
    let strangers = luck("mirror");
    assert_eq!(strangers["luck"], "separate");
    assert_eq!(strangers["correlation"], "");
}

#[test]
fn two_files_of_one_name_are_told_apart_by_their_folders() {
    let dir = with_shipped(&["kiting"], "");
    for name in ["a/one", "a/two"] {
        dir.write(&format!("{name}/kiting.toml"), dir.read("kiting.toml"));
    }
    for (files, told) in [
        (
            "a/one/kiting.toml a/two/kiting.toml",
            "two/kiting/base against one/kiting/base",
        ),
        (
            "kiting.toml a/two/kiting.toml",
            "two/kiting/base against kiting/base",
        ),
        (
            "kiting.toml ./kiting.toml",
            "kiting/base against kiting/base",
        ),
    ] {
        let line = format!("compare {files} -n 300 -q --metric rounds");
        let out = dir.run(&line).out;
        assert!(out.contains(told), "{files}: {out}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused_before_anything_is_played() {
    let dir = with_shipped(&["kiting", "walled-duel", "mirror"], "");
    let refused = |line: &str, said: &str| {
        dir.run(line).assert_refused(said);
        assert!(!dir.path("results").exists(), "{line}");
    };
    refused(
        "compare walled-duel.toml",
        "has no variant to compare with `base`",
    );
    refused(
        "compare kiting.toml --metric win_rat",
        "did you mean `win_rate`?",
    );
    for line in [
        "compare kiting.toml --metric successes",
        "run kiting.toml --precision 1% --metric successes",
        "sweep kiting.toml --vary combatants.archer.move=8,9 --metric successes",
        "sensitivity kiting.toml --metric successes",
    ] {
        refused(
            line,
            "`successes` is not measured in this fight of Tara-Corax",
        );
    }
    refused("compare kiting.toml --metric winner", "is a category");
    refused("compare kiting.toml --metric standing", "is a curve");
    refused("compare kiting.toml --baseline bse", "did you mean `base`?");
    refused(
        "compare kiting.toml --variant desperat",
        "did you mean `desperate`?",
    );
    refused(
        "compare kiting.toml mirror.toml --metric win_rate",
        "share no subject",
    );
    refused("compare kiting.toml nothing.toml", "nothing.toml");
    refused(
        "compare kiting.toml --baseline desperate --variant desperate",
        "`desperate` is the baseline",
    );
}

/// No two win rates differ by more than 100 points.
#[test]
fn an_indifference_of_a_whole_rate_is_refused() {
    let dir = TestDir::with("mirror.toml", include_str!("../../scenarios/mirror.toml"));
    let line = "compare mirror.toml --until-decided --indifference 1";
    dir.run(line).assert_refused("write 1% or 0.01");
    dir.run(&format!("{line} --metric rounds -q")).assert_done();
    let several = "run mirror.toml -n 10 --variant base,base";
    dir.run(several).assert_refused("give each by itself");
}

/// Some encounters have nobody that acts. The share of Rounds is bounded in those of both fights that have somebody.
#[test]
fn a_share_has_an_interval_where_both_fights_show_it() {
    let text = r#"
        system = "chronicles"
        encounter = { max_rounds = 1, acted_first = true }
        weapons.sword = { kind = "melee", check = { pool = 3 }, damage = 1 }
        combatants = [
            { name = "left", side = "left", position = 0, initiative = 3, move = 8, defence = 2, health = 5, weapons = ["sword"], policy = "fight" },
            { name = "right", side = "right", position = 0, initiative = 3, move = 8, defence = 2, health = 5, weapons = ["sword"], policy = "fight" },
        ]
        policies.fight = ["attack if initiative > 8"]
        variants = [{ name = "quick", set = { "combatants.left.initiative" = 4 } }]
    "#;
    let dir = TestDir::with("duel.toml", text);
    dir.run("compare duel.toml -n 300 -q -o results --metric acted_first");
    let rows = dir.rows("results/duel/comparisons.csv");
    let paired = rows.iter().filter(|row| row["statistic"] == "paired");
    assert!(paired.clone().count() == 2);
    for row in paired {
        assert!(number(row, "ci_low") < number(row, "difference"), "{row:?}");
    }
}
