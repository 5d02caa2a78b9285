//! `base = "NAME"`: the name of the fight as the file has it.

use super::{KITING, bad, bad_with, good, kiting_with};
use crate::support::TestDir;
use skirmish::cli::Exit;

const SYSTEM: &str = "system = ";

fn named(name: &str) -> String {
    kiting_with(SYSTEM, &format!("base = {name}\n{SYSTEM}"))
}

#[test]
fn results_call_the_fight_by_its_name() {
    let dir = TestDir::with_duel(&named("\"as they came\""));
    let text = dir.call_on_duel("run", &["-n", "50"]).printed();
    assert!(text.contains("as they came (as written)"), "{text}");
    let rows = dir.rows("results/duel/summary.csv");
    assert_eq!(rows[0]["variant"], "as they came");
    assert!(rows.iter().all(|row| row["variant"] != "base"));
    let manifest = dir.json("results/duel/manifest.json");
    assert_eq!(manifest["variants"][0]["name"], "as they came");
    let reproduced = dir.call("reproduce @/results/duel");
    assert_eq!(reproduced.exit, Exit::Done, "{reproduced:?}");
    let text = dir.call_on_duel("compare", &["-n", "50"]).printed();
    assert!(text.contains("against as they came: 50"), "{text}");
}

#[test]
fn both_names_are_known_and_give_the_same_results() {
    let dir = TestDir::with_duel(&named("\"melee\""));
    let vary = ["-n", "20", "--vary", "archer.move=8,9", "--variant"];
    let [base, melee] = ["base", "melee"].map(|name| {
        dir.call_on_duel("run", &["-n", "20", "--variant", name])
            .printed();
        let sweep = dir.call_on_duel("sweep", &[&vary[..], &[name]].concat());
        (dir.read("results/duel/summary.csv"), sweep.printed())
    });
    assert_eq!(base, melee);
    assert!(melee.1.contains("\nmelee: 2 points"), "{}", melee.1);
    let summary = dir.read("results/duel/summary.csv");
    assert!(summary.contains("\nduel,melee,"), "{summary}");
    let plain = TestDir::with_duel(KITING);
    plain
        .call_on_duel("run", &["-n", "20", "--variant", "base"])
        .printed();
    let plain = plain.read("results/duel/summary.csv");
    assert_eq!(summary, plain.replace("duel,base,", "duel,melee,"));
}

#[test]
fn an_expectation_is_about_the_named_fight() {
    let claim = "\n[[expect]]\nmetric = \"rounds\"\nmin = 1\n";
    let variant = |name: &str| format!("{claim}variant = \"{name}\"\n");
    let text = named("\"melee\"") + claim + &variant("base") + &variant("melee");
    let scenario = good(&text).scenario;
    let about = scenario.expectations.iter().map(|one| one.variant.as_str());
    assert!(about.eq(["melee"; 3]));
}

#[test]
fn a_name_that_cannot_be_one_is_refused_where_it_stands() {
    for (name, title) in [
        ("\"\"", "empty"),
        ("\"a\\u0007b\"", "control"),
        ("3", "expected text in quotes"),
        ("\"other\"", "two variants are called \"other\""),
    ] {
        let variant =
            "\n[[variants]]\nname = \"other\"\nset = { \"combatants.archer.move\" = 9 }\n";
        let text = named(name) + variant;
        let said = bad(&text);
        assert!(
            said.contains(title) && said.contains("-->"),
            "{name}:\n{said}"
        );
    }
    let said = bad_with(SYSTEM, &format!("bases = \"x\"\n{SYSTEM}"));
    assert!(said.contains("did you mean `base`?"), "{said}");
}
