//! Numbers in tables and sentences: none looks like 0, or a share like 100%, without being so.

use crate::support::TestDir;

/// A duel of one blow each, in which reds hit with `hit` of 100 faces and blues with one of 100.
fn duel(hit: u32) -> String {
    let fighter = |name: &str, side: &str, initiative: u32, evade: u32, weapon: &str| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = 0\ninitiative = {initiative}\n\
             move = 5\nevade = {evade}\nhealth = 2\nweapons = [\"{weapon}\"]\npolicy = [\"attack\"]\n"
        )
    };
    let weapon = |name: &str| {
        format!(
            "[weapons.{name}]\nkind = \"melee\"\ncheck = {{ dice = \"1d100\", bonus = 0 }}\ndamage = 1\n"
        )
    };
    let head = "title = \"duel\"\nsystem = \"tara-corax\"\nrules.initiative = { mode = \"fixed\" }\n\
                encounter.max_rounds = 2\n";
    let [axe, club] = ["axe", "club"].map(weapon);
    let ann = fighter("ann", "reds", 16, 100, "axe");
    let bob = fighter("bob", "blues", 15, 101 - hit, "club");
    format!("{head}{axe}{club}{ann}{bob}")
}

const NEARLY_SURE: &str = "[[variants]]\nname = \"sure\"\nset = { \"combatants.bob.evade\" = 4 }\n";

#[test]
fn a_share_of_timeouts_is_100_per_cent_only_if_all_are() {
    let dir = TestDir::with_duel(&duel(1));
    let said = dir.call_on_duel("run", &["--exact"]).printed();
    // Two hits of 1% each win: 9,998 of 10,000 encounters end without a winner.
    assert!(
        said.contains("99.98") && said.contains("% of encounters end as timeouts"),
        "{said}"
    );
    assert!(!said.contains("100.0% of encounters"), "{said}");
}

#[test]
fn a_value_of_a_comparison_is_0_only_if_it_is() {
    let dir = TestDir::with_duel(&(duel(1) + NEARLY_SURE));
    let said = dir.call_on_duel("compare", &["--exact"]).printed();
    assert!(said.contains("instead of 0.0100%)"), "{said}");
    let said = dir
        .call_on_duel("compare", &["-n", "5000", "--wide"])
        .printed();
    assert!(said.contains("instead of 0.0"), "{said}");
    assert!(!said.contains("instead of 0.0%"), "{said}");
}

#[test]
fn one_round_and_one_encounter_are_singular() {
    let dir = TestDir::with_duel(&duel(100).replace("health = 2", "health = 1"));
    dir.run("report duel.toml -n 1 -q -o page.html")
        .assert_done();
    let page = dir.read("page.html");
    assert!(page.contains("takes 1 Round on average"), "{page}");
    assert!(!page.contains("first 1 encounters"), "{page}");
}

#[test]
fn a_bound_of_everything_is_refused_before_any_work() {
    let dir = TestDir::with_duel(&duel(50));
    let said = dir.run("run duel.toml --exact --bound 1 -q -o res");
    assert_eq!(said.exit, skirmish::cli::Exit::BadInput, "{said:?}");
    assert!(said.err.contains("less than 1"), "{}", said.err);
}
