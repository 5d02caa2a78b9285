//! Errors state the place and the remedy.

use super::super::assert_errors_contain;
use super::stage::{one, scenario};
use crate::support::fights::{errors, loaded, read};

/// Returns the errors about a scenario with this combatant and these parts.
fn errors_with(parts: &[&str], rest: &str) -> String {
    let hero = one("hero", 0, 9, rest);
    errors_of_hero(parts, &hero)
}

fn errors_of_hero(parts: &[&str], hero: &str) -> String {
    let dummy = one("dummy", 5, 1, "policy = [\"pass\"]");
    let parts: Vec<&str> = parts.iter().copied().chain([hero, &dummy]).collect();
    let text = scenario(&parts);
    errors(&text)
}

fn errors_of(rest: &str) -> String {
    errors_with(&[], &format!("{rest}\npolicy = [\"pass\"]"))
}

#[test]
fn numbers_out_of_range() {
    for (key, range) in [
        ("speed = 0", "from 1 to 4"),
        ("speed = 5", "from 1 to 4"),
        ("moxie = -1", "from 0 to 100"),
        ("move = -3", "from 0 to 1000"),
        ("fray = 1001", "from -1000 to 1000"),
        ("wound_threshold = 0", "from 1 to 1000000"),
        ("initiative_modifier = 2000", "from -1000 to 1000"),
    ] {
        let name = key.split(' ').next().unwrap();
        assert_errors_contain(
            &errors_of(key),
            &[&format!("`{name}` is out of range"), range, key],
        );
    }
}

#[test]
fn a_skill_of_130_is_accepted_and_one_of_1001_is_not() {
    let weapon = |skill| {
        format!(
            "[weapons.rifle]\nkind = \"ranged\"\nrange = 9\ncheck = {{ skill = {skill} }}\ndamage = 1\n"
        )
    };
    let rest = "weapons = [\"rifle\"]\npolicy = [\"attack\"]";
    let dummy = one("dummy", 5, 1, "policy = [\"pass\"]");
    let text = scenario(&[&weapon(130), &one("hero", 0, 9, rest), &dummy]);
    assert!(read(&text, &[]).is_ok());
    assert_errors_contain(
        &errors_with(&[&weapon(1001)], rest),
        &["`skill` is out of range", "1000"],
    );
}

#[test]
fn initiative_must_come_from_somewhere_and_from_one_place() {
    let hero = one("hero", 0, 9, "policy = [\"pass\"]").replace("initiative = 9\n", "");
    assert_errors_contain(
        &errors_of_hero(&[], &hero),
        &[
            "combatant \"hero\" lacks `attributes`",
            "or `initiative = 9`",
        ],
    );
    assert_errors_contain(
        &errors_of("attributes = { intuition = 10, reflexes = 10 }"),
        &[
            "both `initiative` and `attributes`",
            "leave one of them out",
        ],
    );
    let hero = hero.replace("policy", "attributes = { intuition = 10 }\npolicy");
    assert_errors_contain(&errors_of_hero(&[], &hero), &["lacks `reflexes`"]);
    let hero = hero.replace("attributes", "atributes");
    assert_errors_contain(
        &errors_of_hero(&[], &hero),
        &["`atributes`", "did you mean `attributes`?"],
    );
}

#[test]
fn keys_and_tables_of_other_systems() {
    assert_errors_contain(&errors_of("arete = 3"), &["`arete`"]);
    assert_errors_contain(
        &errors_of("spells = [\"fire\"]"),
        &["has no `spells`", "Eclipse Phase has none"],
    );
    assert_errors_contain(
        &errors_with(
            &["[spells.fire]\nrange = 5\ndamage = 1\n"],
            "policy = [\"pass\"]",
        ),
        &["has no `spells`"],
    );
    assert_errors_contain(
        &errors_with(&["[rules]\nper_yard = \"all\"\n"], "policy = [\"pass\"]"),
        &["`per_yard`"],
    );
    assert_errors_contain(
        &errors_with(
            &["[rules]\ninitiative = { roll = \"per-scene\" }\n"],
            "policy = [\"pass\"]",
        ),
        &["per-turn", "per-speed"],
    );
}

#[test]
fn tasks() {
    let with = |task: &str| {
        errors_with(
            &[&format!("[tasks.hack]\n{task}\n")],
            "tasks = [\"hack\"]\npolicy = [\"task hack\"]",
        )
    };
    assert_errors_contain(&with("heal = 1"), &["task \"hack\" lacks `phases`"]);
    assert_errors_contain(&with("phases = 0"), &["`phases` is out of range"]);
    assert_errors_contain(&with("phases = 2\ndamage = 5"), &["lacks `range`"]);
    assert_errors_contain(&with("phases = 2\nrange = 5"), &["has no `range`"]);
    assert_errors_contain(
        &errors_with(
            &["[tasks.hack]\nphases = 2\n"],
            "tasks = [\"hak\"]\npolicy = [\"pass\"]",
        ),
        &["no task is called \"hak\"", "did you mean \"hack\"?"],
    );
}

#[test]
fn lines_of_policies() {
    let with = |line: &str| errors_with(&[], &format!("policy = ['{line}']"));
    assert_errors_contain(
        &with("spend moxie"),
        &["`spend moxie` needs Moxie", "moxie = 3"],
    );
    // A combatant with 0 points is accepted, because a sweep may begin there.
    let hero = one("hero", 0, 9, "moxie = 0\npolicy = ['spend moxie']");
    let dummy = one("dummy", 5, 1, "policy = [\"pass\"]");
    let text = scenario(&[&hero, &dummy]);
    assert!(read(&text, &[]).is_ok());
    assert_errors_contain(&with("spend"), &["`spend` lacks `moxie`"]);
    assert_errors_contain(
        &with("quick attack"),
        &[
            "`attack` is no Quick Action",
            "expected `draw`, `use` or `stand`",
        ],
    );
    assert_errors_contain(&with("quick"), &["`quick` lacks a Quick Action"]);
    assert_errors_contain(
        &errors_with(
            &["[items.kit]\nheal = 1\n"],
            "items = [\"kit\"]\npolicy = [\"quick use kit\"]",
        ),
        &["using \"kit\" is the Complex Action", "cost = \"quick\""],
    );
    assert_errors_contain(&with("task hack"), &["no task called \"hack\" is at hand"]);
    assert_errors_contain(&with("task"), &["`task` lacks a task"]);
    assert_errors_contain(&with("delay up"), &["does not belong here"]);
    assert_errors_contain(
        &with("charge"),
        &["the clock of Eclipse Phase has no `charge`", "Tara-Corax"],
    );
    assert_errors_contain(&with("cast fire"), &["has no `cast`"]);
    assert_errors_contain(&with("pass if paradox > 1"), &["has no `paradox`", "Mage"]);
    assert_errors_contain(
        &with("pass if progress.hack > 1"),
        &["no task called \"hack\""],
    );
    assert_errors_contain(
        &with("pass if progress. > 1"),
        &["`progress.` lacks a name"],
    );
    assert_errors_contain(&with("advance run 3"), &["`3` does not belong here"]);
}

#[test]
fn words_of_this_clock_are_refused_elsewhere() {
    let text = "system = \"mage\"\n[[combatants]]\nname = \"a\"\nside = \"a\"\nposition = 0\n\
        attributes = { dexterity = 1, wits = 1, stamina = 1 }\n\
        policy = [\"delay\", \"pass if phase = 1\", \"pass if progress.x > 1\"]\n";
    assert_errors_contain(
        &errors(text),
        &[
            "the clock of Mage has no `delay`",
            "the clock of Mage has no `phase`",
            "the clock of Mage has no `progress.`",
        ],
    );
}

#[test]
fn lines_about_a_delay_that_never_is_are_warned_of() {
    let text = scenario(&[
        &one("a", 0, 9, "policy = [\"interrupt\", \"hold\", \"pass\"]"),
        &one(
            "b",
            0,
            9,
            "policy = [\"delay\", \"interrupt\", \"hold\", \"pass\"]",
        ),
    ]);
    let warnings = loaded(&text, &[]).warnings.to_string();
    assert_eq!(warnings.matches("never reached").count(), 2, "{warnings}");
    assert_errors_contain(&warnings, &["no line delays one"]);
}

#[test]
fn a_move_without_a_unit_in_the_phases_of_its_owner_is_warned_of() {
    let warned = |keys: &str| {
        let text = scenario(&[
            &one("a", 0, 9, keys),
            &one("b", 9, 9, "policy = [\"pass\"]"),
        ]);
        loaded(&text, &[])
            .warnings
            .to_string()
            .contains("3 Units a turn leave none for the Phases in which it acts")
    };
    let policy = "policy = [\"advance\"]";
    assert!(warned(&format!("move = 3\n{policy}")));
    // A second action is in Phase 2, which has a Unit.
    assert!(!warned(&format!("move = 3\nspeed = 2\n{policy}")));
    assert!(!warned(&format!("move = 4\n{policy}")));
}

/// EP-6: what no line takes up or holds is taken at the end of the Phase.
#[test]
fn a_delay_that_no_line_takes_up_needs_no_warning() {
    let text = scenario(&[
        &one("a", 0, 9, "policy = [\"delay\", \"pass\"]"),
        &one("b", 0, 9, "policy = [\"delay\", \"interrupt\", \"pass\"]"),
    ]);
    let warnings = loaded(&text, &[]).warnings.to_string();
    assert!(!warnings.contains("delay"), "{warnings}");
}

#[test]
fn numbers_of_the_clock() {
    let rules = |line: &str| errors_with(&[&format!("[rules]\n{line}\n")], "policy = [\"pass\"]");
    assert_errors_contain(
        &rules("phases = 0"),
        &["`phases` is out of range", "from 1 to 8"],
    );
    assert_errors_contain(
        &rules("phases = 9"),
        &["`phases` is out of range", "from 1 to 8"],
    );
    assert_errors_contain(
        &rules("speed = { max = 9 }"),
        &["`max` is out of range", "from 1 to 8"],
    );
    assert_errors_contain(
        &rules("speed = { most = 4 }"),
        &["`most`", "is called `max` here"],
    );
    assert_errors_contain(&rules("speed = 4"), &["`rules.speed`"]);
    assert_errors_contain(&rules("delays = 1"), &["`delays`"]);
    assert_errors_contain(&rules("move_follows = \"yes\""), &["`move_follows`"]);
    assert_errors_contain(
        &rules("initiative = { rounding = \"half\" }"),
        &["\"down\", \"up\" or \"nearest\""],
    );
    assert_errors_contain(
        &errors_of("speed = 5"),
        &[
            "`speed` is out of range",
            "from 1 to 4",
            "`rules.speed.max` sets the greatest Speed",
        ],
    );
    assert_errors_contain(
        &errors_with(
            &["[rules]\nspeed = { max = 6 }\n"],
            "speed = 7\npolicy = [\"pass\"]",
        ),
        &["`speed` is out of range", "from 1 to 6"],
    );
}
