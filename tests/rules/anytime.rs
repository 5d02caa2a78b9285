//! Free actions at any time (W-8).

use super::armory::errors_of;
use crate::support::fights::errors;

#[test]
fn w_8_only_free_actions_of_this_clock() {
    let line = |line: &str| {
        let fighter = format!(
            "a a 0 5 | car = 3; weapons = ['sword']; items = ['pill', 'draught'] | {line}; pass"
        );
        errors_of(&[&fighter, "b b 0 5 | | pass"])
    };
    for (written, said) in [
        ("anytime use draught", "using \"draught\" takes Marks"),
        (
            "anytime attack",
            "only free actions can be taken at any time",
        ),
        ("anytime set", "only free actions can be taken at any time"),
        (
            "anytime charge",
            "only free actions can be taken at any time",
        ),
        ("anytime", "`anytime` lacks a free action"),
        (
            "anytime anytime use pill",
            "at the beginning of a line, once",
        ),
        ("anytme use pill", "did you mean `anytime`?"),
    ] {
        let told = line(written);
        assert!(told.contains(said), "{written}: {told}");
    }
    let mage = errors_on("mage");
    assert!(
        mage.contains("the clock of Mage has no `anytime`"),
        "{mage}"
    );
}

/// Returns the errors about such a line in another system.
fn errors_on(system: &str) -> String {
    let text = format!(
        "system = '{system}'\n[[combatants]]\nname = 'a'\nside = 'a'\nposition = 0\ninitiative = 5\n\
         policy = ['anytime use pill']\n[[combatants]]\nname = 'b'\nside = 'b'\nposition = 0\n\
         initiative = 5\npolicy = ['pass']\n"
    );
    errors(&text)
}
