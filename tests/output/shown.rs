//! Numbers in tables and sentences: none looks like 0, or a share like 100%, without being so.

use crate::support::TestDir;

fn fighter(name: &str, side: &str, initiative: u32, more: &str) -> String {
    format!(
        "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = 0\ninitiative = {initiative}\n\
         move = 5\npolicy = [\"attack\"]\n{more}\n"
    )
}

fn weapon(name: &str, dice: &str) -> String {
    format!(
        "[weapons.{name}]\nkind = \"melee\"\ncheck = {{ dice = \"{dice}\", bonus = 0 }}\ndamage = 1\n"
    )
}

const HEAD: &str =
    "title = \"duel\"\nsystem = \"tara-corax\"\nrules.initiative = { mode = \"fixed\" }\n";

/// A duel of one blow each, in which reds hit with `hit` of 100 faces and blues with one of 100.
fn duel(hit: u32) -> String {
    let [axe, club] = ["axe", "club"].map(|name| weapon(name, "1d100"));
    let more =
        |evade: u32, weapon: &str| format!("evade = {evade}\nhealth = 2\nweapons = [\"{weapon}\"]");
    let ann = fighter("ann", "reds", 16, &more(100, "axe"));
    let bob = fighter("bob", "blues", 15, &more(101 - hit, "club"));
    format!("{HEAD}encounter.max_rounds = 2\n{axe}{club}{ann}{bob}")
}

/// Ann and bob hit with each second blow, ann first, until one falls: she wins two of three, and 2 of 9 against a tough
/// bob.
fn coins(more: &str) -> String {
    let stick = weapon("stick", "1d2");
    let of = "evade = 2\nhealth = 1\nweapons = [\"stick\"]";
    let [ann, bob] =
        [("ann", "a", 20), ("bob", "b", 10)].map(|(name, side, at)| fighter(name, side, at, of));
    format!("{HEAD}{stick}{ann}{bob}{more}")
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

#[test]
fn a_bounded_difference_has_the_digits_that_its_bounds_allow() {
    let tough = "[[variants]]\nname = \"tough\"\nset = { \"combatants.bob.health\" = 2 }\n";
    let dir = TestDir::with_duel(&coins(tough));
    let said = dir
        .call_on_duel("compare", &["--exact", "--bound", "0.1"])
        .printed();
    assert!(
        said.contains("a win 47 points less often (20% instead of 67%)"),
        "{said}"
    );
    let said = dir.call_on_duel("compare", &["--exact"]).printed();
    assert!(
        said.contains("a win 44.4444 points less often (22.2222% instead of 66.6667%)"),
        "{said}"
    );
}

#[test]
fn a_grid_says_how_far_its_bounds_and_intervals_reach() {
    let of = |text: &str, more: &[&str]| {
        let keys = ["ann", "bob"].map(|name| format!("combatants.{name}.health=1..2"));
        let [ann, bob] = &keys;
        let words = [&["--vary", ann, "--vary", bob], more].concat();
        let dir = TestDir::with_duel(text);
        dir.call_on_duel("sweep", &words).printed().clone()
    };
    let said = of(&coins(""), &["--exact", "--bound", "30%"]);
    assert!(said.contains("bounds are at most ±"), "{said}");
    assert!(!of(&coins(""), &["--exact"]).contains("at most ±"));
    // The interval of no success in 10 reaches from 0 to 31%.
    let without_hits = coins("").replace("evade = 2", "evade = 3");
    let said = of(&without_hits, &["-n", "10"]);
    assert!(
        said.contains("95% intervals are at most ±31 points"),
        "{said}"
    );
}

#[test]
fn scores_say_how_far_their_bounds_and_intervals_reach() {
    let builds = "[[builds]]\nname = \"weak\"\nset = { health = 1 }\npoints = 1\n\
                  [[builds]]\nname = \"strong\"\nset = { health = 2 }\npoints = 3\n";
    let dir = TestDir::with_duel(&coins(builds));
    let of = |more: &[&str]| dir.call_on_duel("matchup", more).printed().clone();
    assert!(of(&["--exact", "--bound", "0.3"]).contains("known to ±"));
    let exact = of(&["--exact"]);
    assert!(!exact.contains("known to ±"), "{exact}");
    let few = of(&["-n", "3"]);
    let known = few
        .split("known to ±")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    let known: f64 = known.and_then(|arm| arm.parse().ok()).expect("an arm");
    let rows = dir.read("results/duel/matchup.csv");
    let arms = rows
        .lines()
        .filter(|row| row.contains(",score,"))
        .map(|row| {
            let cells: Vec<f64> = row
                .split(',')
                .filter_map(|cell| cell.parse().ok())
                .collect();
            let [.., value, low, high] = cells[..] else {
                panic!("{row}")
            };
            100.0 * (value - low).max(high - value)
        });
    let most = arms.fold(0.0, f64::max);
    assert!((most - known).abs() < 0.011, "{most} {few}");
}

#[test]
fn ends_that_are_not_alike_are_told_of_solved_scores_too() {
    let twins = "[[builds]]\nname = \"x\"\nset = { health = 1 }\n[[builds]]\nname = \"y\"\nset = { health = 1 }\n";
    let dir = TestDir::with_duel(&coins(twins));
    let said = dir.call_on_duel("matchup", &["--exact"]).printed();
    assert!(said.contains("the ends are not alike"), "{said}");
    assert!(said.contains("67%") && said.contains("33%"), "{said}");
}

#[test]
fn a_number_that_changes_other_metrics_is_not_without_a_difference() {
    // Who hits does so with a 9, or with a 4 and a bonus of 1, in one Mark for both: draws replace timeouts.
    let swap = coins("")
        .replace("1d2", "d{0,4,9}")
        .replace("evade = 2", "evade = 5");
    let swap = swap.replace("initiative = 10", "initiative = 20") + "[encounter]\nmax_rounds = 1\n";
    let dir = TestDir::with_duel(&swap);
    let said = dir.call_on_duel("sensitivity", &["--exact"]).printed();
    let (_, none) = said
        .split_once("\nno difference in anything")
        .unwrap_or((&said, ""));
    assert!(!none.contains("stick.check.bonus"), "{said}");
    let (_, here) = said
        .split_once("no difference here, but in other metrics")
        .expect(&said);
    assert!(here.contains("stick.check.bonus"), "{said}");
}

/// Bob attacks only where ann does not fell him first.
#[test]
fn a_mean_of_some_encounters_says_of_how_many() {
    let dir = TestDir::with_duel(&coins(""));
    for encounters in ["12", "400"] {
        let said = dir.call_on_duel("run", &["-n", encounters]).printed();
        let rows = dir.rows("results/duel/summary.csv");
        let find = |metric: &str, subject: &str| {
            let mut rows = rows.iter();
            let found = rows.find(|row| row["metric"] == metric && row["subject"] == subject);
            found.unwrap_or_else(|| panic!("{metric}"))
        };
        let first = find("first_attack", "bob");
        let some = format!("(in {})", first["n"]);
        assert!(said.contains(&some), "{said}");
        let line = [
            "-n",
            encounters,
            "--metric",
            "first_attack",
            "--combatant",
            "bob",
        ];
        let line = [&line[..], &["--vary", "combatants.bob.health=1,2"]].concat();
        let swept = dir.call_on_duel("sweep", &line).printed();
        assert!(swept.contains(&some), "{swept}");
        // An encounter has a Round.
        let least: f64 = find("rounds", "encounter")["ci_low"].parse().unwrap();
        assert!(least >= 1.0, "{least}");
    }
}
