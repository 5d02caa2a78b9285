//! W-12: reserves, which enter later.

use super::effects::{CLOCKS, CombatantSpec, assert_refused, on_all_clocks};
use crate::support::fights::{errors, loaded};

const SWORD: &str = "[weapons.sword]\nkind = 'melee'\nreach = 30\ndamage = 1\ncheck = {sure}\n";

#[test]
fn w_12_a_side_of_which_nobody_is_there_at_first_is_refused() {
    let (head, traits, _) = CLOCKS[2];
    let traits = traits.replace("{quick}", "3");
    let one = |name: &str, more: &str| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = '{name}'\nposition = 0\nhealth = 5\n{traits}{more}policy = ['pass']\n"
        )
    };
    let text = head.to_owned() + &one("a", "") + &one("b", "enters = 2\n");
    let error = errors(&text);
    assert!(
        error.contains("nobody of side \"b\" is there in Round 1"),
        "{error}"
    );
}

#[test]
fn w_12_a_reserve_that_waits_for_a_condition_of_its_own_is_warned_of() {
    let (head, traits, _) = CLOCKS[2];
    let traits = traits.replace("{quick}", "3");
    let ground = "[encounter.ground.bog]\nstretch = [0, 9]\ndifficult = true\n";
    let one = |name: &str, side: &str, more: &str| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = '{side}'\nposition = 0\nhealth = 5\n{traits}{more}policy = ['pass']\n"
        )
    };
    let with = |when: &str| {
        let enters = format!("enters = {{ when = '{when}' }}\n");
        let all = [
            one("a", "a", ""),
            one("b", "b", ""),
            one("late", "b", &enters),
        ];
        let text = format!("{head}{ground}{}", all.concat());
        loaded(&text, &[]).warnings.to_string()
    };
    assert_eq!(with("round > 2"), "");
    for when in ["has bog", "round > 2 or not has bog"] {
        let warnings = with(when);
        let wanted = "\"late\" has no conditions before it comes in";
        assert!(warnings.contains(wanted), "{warnings}");
    }
}

#[test]
fn w_12_reserves_come_in_when_what_they_wait_for_holds_where_they_stand() {
    let armed = "weapons = ['sword']\npolicy = ['attack', 'pass']";
    let things = SWORD.replace("30", "3");
    for (enters, first) in [
        ("when = 'enemies >= 2'", 1),
        ("when = 'enemies >= 2', round = 3", 3),
        ("when = 'round = 2'", 2),
        ("when = 'allies = 1 and not nearest_enemy_distance > 3'", 1),
        ("when = 'nearest_enemy_distance > 3'", 0),
        ("when = 'health_percent < 100'", 0),
        ("when = 'allies > 1'", 0),
    ] {
        let late = format!("enters = {{ {enters} }}\n{armed}");
        let all: &[CombatantSpec<'_>] = &[
            ("guard one 0 5", "policy = ['pass']"),
            ("reserve one 10 5", &late),
            ("raider other 12 3", "policy = ['pass']"),
            ("other other 13 3", "policy = ['pass']"),
        ];
        for (clock, counts) in on_all_clocks(&things, 4, all) {
            let rounds = if first == 0 { 0 } else { 5 - first };
            assert_eq!(counts[1].attacks, rounds, "{clock:?}: {enters}");
        }
    }
}

#[test]
fn w_12_what_reserves_can_never_wait_for_is_refused() {
    let late = |name: &str, enters: &str| {
        let traits = "attributes = { dexterity = 3, composure = 1 }\nmove = 6\npolicy = ['pass']\n";
        format!(
            "[[combatants]]\nname = '{name}'\nside = 'pilot'\nposition = 0\nhealth = 5\nenters = {enters}\n{traits}"
        )
    };
    for (enters, wanted) in [
        ("0", "`enters`"),
        ("'soon'", "`enters`"),
        ("{ round = 0 }", "`round`"),
        ("{ rounds = 3 }", "did you mean `round`?"),
        ("{ first = 3 }", "one comes in once"),
        ("{ mark = 3 }", "there are no Marks here"),
        ("{ falls = 'pilto' }", "did you mean \"pilot\"?"),
        (
            "{ falls = 'pilot' }",
            "\"late\" would come in when its side has lost",
        ),
        ("{ falls = 'late' }", "\"late\" can never come in"),
        (
            "{ when = 'distance < 3' }",
            "asks for what a combatant alone does not have",
        ),
        ("{ when = 'enemis > 1' }", "enemis"),
        ("{ when = 3 }", "`when`"),
    ] {
        assert_refused(&late("late", enters), wanted);
    }
    let ring = late("one", "{ falls = 'two' }") + &late("two", "{ falls = 'one' }");
    assert_refused(&ring, "\"two\" can never come in");
}
