//! The sentences of pages say what tables and files say.

use super::page_of;
use crate::support::TestDir;

/// Two combatants that hit every other time; `ann` acts first.
const DUEL: &str = r#"
title = "duel"
system = "tara-corax"
rules.initiative = { mode = "fixed" }
encounter.max_rounds = 20
weapons.axe = { kind = "melee", check = { dice = "1d20", bonus = 0 }, damage = "1d6" }
combatants = [
  { name = "ann", side = "reds", position = 0, initiative = 16, move = 5, evade = 11, health = 8, weapons = ["axe"], policy = ["attack"] },
  { name = "bob", side = "blues", position = 0, initiative = 15, move = 5, evade = 11, health = 8, weapons = ["axe"], policy = ["attack"] },
]
"#;

#[test]
fn a_search_that_misses_its_level_claims_no_least_change() {
    let dir = TestDir::with_duel(DUEL);
    let goal = |level: &str| {
        format!(
            "tune duel.toml --vary combatants.ann.health=7..9 --goal win_rate={level} --exact -q -o res --report page.html"
        )
    };
    let least = "The least change for";
    let page = page_of(&dir, &goal("99%"));
    assert!(page.contains("The nearest is") && !page.contains(least));
    assert!(page.contains("No candidate reached win_rate of reds at 99%."));
    assert!(page_of(&dir, &goal("56%")).contains(least));
}

#[test]
fn wide_bounds_leave_a_winner_undecided_and_a_median_unsaid() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(&dir, "report duel.toml --exact --bound 0.2 -q -o page.html");
    assert!(!page.contains("no difference between them"));
    assert!(page.contains("the bounds leave open which win more often"));
    assert!(!page.contains("median ."));
}

/// A number of which 1 less does nothing is worth what 1 more does, on the screen, in the answer and in the figure of the
/// page.
#[test]
fn a_page_ranks_numbers_by_the_worth_that_the_table_shows() {
    let text = DUEL
        .replace("\"1d6\"", "3")
        .replace("health = 8", "health = 6");
    let dir = TestDir::with_duel(&text);
    let run = dir.run("sensitivity duel.toml --exact -q -o res --report page.html");
    let said = run.printed();
    let page = dir.read("page.html");
    let lines = said
        .lines()
        .skip_while(|line| !line.starts_with("1 more of "));
    let answer: Vec<&str> = lines
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect();
    let answer = answer.join(" ");
    assert!(page.contains(&answer), "{answer}");
    let words: Vec<&str> = answer.split_whitespace().collect();
    let (name, verb, size) = (words[3], words[4], words[6]);
    let sign = if verb == "costs" { "\u{2212}" } else { "+" };
    let rows = dir.rows("res/duel/sensitivity.csv");
    let row = rows.iter().find(|row| row["key"].ends_with(name)).unwrap();
    let name = name.replace('.', ": ");
    let bar = format!("{name} ({}): {sign}{size}", row["value"]);
    assert!(page.contains(&bar), "{bar}: {said}");
}
