//! Errors in what a turn of one's own rules holds, and in what actions take of it.

use super::{bad, good};

/// A duel by rules of one's own, with this in `[clock]` and in its weapon.
fn duel(clock: &str, weapon: &str) -> String {
    let fighter = |name: &str| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = 0\nmove = 3\ninitiative = 0\nevade = 10\n\
             health = 5\ntraits = {{ mana = 3 }}\nweapons = [\"axe\"]\npolicy = [\"attack\"]\n"
        )
    };
    format!(
        "format = 1\nsystem = \"own\"\n[clock]\n{clock}\n[weapons.axe]\nkind = \"melee\"\ncheck = {{ dice = \"1d20\" }}\n\
         damage = 1\n{weapon}\n{}{}",
        fighter("a"),
        fighter("b")
    )
}

/// Asserts that the errors of a duel say all of these.
#[track_caller]
fn refused(clock: &str, weapon: &str, words: &[&str]) {
    let errors = bad(&duel(clock, weapon));
    for word in words {
        assert!(errors.contains(word), "{word}:\n{errors}");
    }
}

#[test]
fn a_cost_names_resources_of_the_budget() {
    let budget = "budget = { action = 1, bonus = 1 }\n";
    let costs = format!("{budget}costs = {{ attack = {{ bonuss = 1 }} }}");
    refused(
        &costs,
        "",
        &["called \"bonuss\"", "did you mean \"bonus\"?"],
    );
    let own = "cost = { actoin = 1 }";
    refused(
        budget,
        own,
        &["called \"actoin\"", "did you mean \"action\"?"],
    );
    good(&duel(budget, "cost = { bonus = 1, mana = 1 }"));
}

#[test]
fn an_action_that_takes_nothing_would_go_on_for_ever() {
    let free = "costs = { attack = { action = 0 } }";
    refused(
        free,
        "",
        &["takes nothing of a turn", "for ever", "`[clock.budget]`"],
    );
    good(&duel("costs = { move = \"free\" }", ""));
}

#[test]
fn a_cost_above_the_budget_is_warned_of() {
    let loaded = good(&duel("costs = { attack = { action = 2 } }", ""));
    let warnings = loaded.warnings.to_string();
    assert!(warnings.contains("no turn has 2 `action`"), "{warnings}");
}

#[test]
fn time_counts_only_where_places_move_by_it() {
    let words = [
        "nothing counts the time of actions",
        "after = \"cost\"",
        "{ action = 1 }",
    ];
    refused("costs = { attack = 6 }", "", &words);
    refused("", "cost = 3", &words);
    refused("costs = { pass = 2 }", "", &["`pass` does nothing here"]);
    good(&duel(
        "next = \"low\"\nafter = \"cost\"\ncosts = { attack = 6, pass = 2 }",
        "cost = 3",
    ));
}

#[test]
fn the_names_of_resources_have_no_other_meaning() {
    refused(
        "budget = { mana = 1 }",
        "",
        &["can be called \"mana\"", "a trait"],
    );
    refused("budget = { time = 1 }", "", &["can be called \"time\""]);
    let five = "budget = { a = 1, b = 1, c = 1, d = 1, e = 1 }";
    refused(five, "", &["a turn holds 5 resources", "expected 1 to 4"]);
    refused("budget = { action = 21 }", "", &["from 0 to 20"]);
}

#[test]
fn a_resource_comes_back_by_turns_or_rounds() {
    let reaction = |back: &str| {
        format!("budget = {{ action = 1, reaction = {{ amount = 1, back = \"{back}\" }} }}")
    };
    refused(
        &reaction("turn"),
        "",
        &["expected \"my turn\" or \"round\""],
    );
    good(&duel(&reaction("round"), ""));
}

#[test]
fn games_with_turns_of_their_own_have_no_budget() {
    let mage = "like = \"mage\"\nbudget = { action = 2 }";
    refused(
        mage,
        "",
        &["`budget` is for clocks that begin with Chronicles"],
    );
}
