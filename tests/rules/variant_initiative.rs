//! `initiative.dice` and `initiative.ties` in every system.

use crate::support::fights::{errors_with, variant_with};
use skirmish::systems::SYSTEMS;
use std::fmt::Write as _;

/// Returns a fight in which combatants of a side stand together and a blow always fells.
pub(super) fn fight(system: &str, fighters: &[(&str, &str)]) -> String {
    let mut text = format!(
        "system = \"{system}\"\n[encounter]\nmax_rounds = 1\n[rules]\ncheck = \"roll-over\"\n\
         health = \"points\"\n[weapons.axe]\nkind = \"melee\"\ncheck = {{ dice = \"1d10\" }}\n\
         damage = 9\n"
    );
    for (name, keys) in fighters {
        let side = &name[..1];
        write!(
            text,
            "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = 0\nmove = 12\n\
             evade = 5\nhealth = 5\nweapons = [\"axe\"]\n{keys}\npolicy = [\"attack\"]\n"
        )
        .expect("a text takes all that is written");
    }
    text
}

/// Returns a duel of two combatants.
fn duel(system: &str, left: &str, right: &str) -> String {
    fight(system, &[("left", left), ("right", right)])
}

fn assert_errors(text: &str, set: &[&str], words: &[&str]) {
    let told = errors_with(text, set);
    for word in words {
        assert!(told.contains(word), "no {word:?} in {told}");
    }
}

#[test]
fn initiative_dice_are_checked_before_anything_is_played() {
    for system in SYSTEMS {
        let text = duel(system.name, "initiative = 5", "initiative = 5");
        let wrong = |dice: &str, words: &[&str]| {
            assert_errors(&text, &[&format!("rules.initiative.dice={dice}")], words);
        };
        wrong("2d", &["`dice` is not in dice notation"]);
        wrong("1d20000", &["`dice` is out of range", "-10000 to 10000"]);
        wrong("-20000", &["`dice` is out of range"]);
        wrong("5000d1000000", &["dice in one term"]);
        wrong("true", &["`dice` is"]);
        wrong("1d6x>=1", &["every face explodes"]);
    }
    for system in ["tara-corax", "eclipse-phase"] {
        let text = duel(system, "initiative = 5", "initiative = 5");
        assert_errors(
            &text,
            &["rules.initiative={ mode = \"fixed\", dice = \"1d6\" }"],
            &["`dice` does nothing here", "rolls none"],
        );
    }
    let text = duel("tara-corax", "initiative = 5", "initiative = 5");
    for explode in ["once", "recursive"] {
        let both = format!("rules.initiative={{ dice = \"2d10\", explode = \"{explode}\" }}");
        assert_errors(
            &text,
            &[&both],
            &["`explode` is about a single die", "2d6xo"],
        );
    }
    let none = "rules.initiative={ dice = \"2d10\", explode = \"none\" }";
    variant_with(&text, &[none]);
}

const TRAITS: [(&str, [&str; 2]); 4] = [
    ("tara-corax", ["agility", "intellect"]),
    ("mage", ["wits", "dexterity"]),
    ("chronicles", ["dexterity", "composure"]),
    ("eclipse-phase", ["intuition", "reflexes"]),
];

#[test]
fn what_the_rule_books_say_is_the_default() {
    for (system, list) in [
        (
            "tara-corax",
            "[\"total\", \"rating\", \"agility\", \"intellect\", \"simultaneous\"]",
        ),
        (
            "mage",
            "[\"total\", \"rating\", \"wits\", \"dexterity\", \"simultaneous\"]",
        ),
        ("chronicles", "[\"total\", \"rating\", \"roll-off\"]"),
        ("eclipse-phase", "[\"total\", \"simultaneous\"]"),
    ] {
        let text = duel(system, "initiative = 5", "initiative = 5");
        let rules = |set: &[&str]| variant_with(&text, set).rules;
        let ties = format!("rules.initiative.ties={list}");
        let written = rules(&[&ties, "rules.initiative.dice=1d10"]);
        assert_eq!(rules(&[]), written, "{system}");
    }
}

#[test]
fn mistakes_in_a_list_of_ties_are_pointed_at() {
    for (system, [first, _]) in TRAITS {
        let text = duel(system, "initiative = 5", "initiative = 5");
        let wrong = |list: &str, words: &[&str]| {
            assert_errors(&text, &[&format!("rules.initiative.ties={list}")], words);
        };
        let misspelt = format!("[\"total\", \"{}\"]", &first[..first.len() - 1]);
        wrong(&misspelt, &[&format!("did you mean \"{first}\"?")]);
        wrong("[\"strength\"]", &["`ties` cannot be \"strength\""]);
        wrong("[\"rating\", \"rating\"]", &["it is in the list already"]);
        wrong("[\"rating\", \"total\"]", &["the total comes before"]);
        wrong("[]", &["`ties` is empty", "[\"total\", \"rating\", "]);
        wrong("\"rating\"", &["expected a list"]);
        wrong("[3]", &["`ties` is"]);
        let last = match system {
            "chronicles" => "roll-off",
            _ => "simultaneous",
        };
        wrong(
            &format!("[\"{last}\", \"rating\"]"),
            &[&format!("nothing is tied any more after \"{last}\"")],
        );
    }
    let chronicles = duel("chronicles", "initiative = 5", "initiative = 5");
    assert_errors(
        &chronicles,
        &["rules.initiative.ties=[\"simultaneous\"]"],
        &["`ties` cannot be \"simultaneous\" in this system", "CD-1"],
    );
    let tara = duel("tara-corax", "initiative = 5", "initiative = 5");
    assert_errors(
        &tara,
        &["rules.initiative.ties=[\"total\", \"roll-off\"]"],
        &[
            "`ties` cannot be \"roll-off\" in this system",
            "a tie is one of Marks",
        ],
    );
}
