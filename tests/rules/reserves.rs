//! W-12: reserves, which enter later.

use super::effects::{
    CLOCKS, CombatantSpec, assert_refused, endings_on_all_clocks, on_all_clocks, on_marks,
};
use crate::support::fights::{errors, first_record, loaded, variant};
use skirmish::fight::Ending;

const SWORD: &str = "[weapons.sword]\nkind = 'melee'\nreach = 30\ndamage = 1\ncheck = {sure}\n";

#[test]
fn w_12_reserves_come_in_their_round() {
    let sword = "[weapons.sword]\nkind = 'melee'\nreach = 30\ndamage = 1\ncheck = {sure}\n";
    let armed = "weapons = ['sword']\npolicy = ['attack', 'set', 'pass']";
    let late = format!("enters = 3\n{armed}");
    let never = format!("enters = 7\n{armed}");
    let all: &[CombatantSpec<'_>] = &[
        ("guard one 0 5", "policy = ['pass']"),
        ("reserve one 0 5", &late),
        ("never one 0 5", &never),
        ("raider other 3 3", armed),
    ];
    for (clock, counts) in on_all_clocks(sword, 6, all) {
        let attacks: Vec<u32> = counts.iter().map(|one| one.attacks).collect();
        assert_eq!(attacks[1], 4, "{clock:?}");
        assert_eq!((attacks[0], attacks[2]), (0, 0), "{clock:?}");
        assert_eq!(counts[3].health, 16, "{clock:?}");
        let health = 20 - attacks[3] as i32;
        assert_eq!(counts[0].health, health, "{clock:?}");
        assert_eq!(
            (counts[2].health, counts[2].fell_round),
            (20, 0),
            "{clock:?}"
        );
    }
}

#[test]
fn w_12_a_side_is_beaten_before_its_reserves_come() {
    let sword = "[weapons.sword]\nkind = 'melee'\nreach = 30\ndamage = 30\ncheck = {sure}\n";
    let all: &[CombatantSpec<'_>] = &[
        ("guard one 0 3", "policy = ['pass']"),
        ("reserve one 0 3", "enters = 2\npolicy = ['pass']"),
        (
            "raider other 3 5",
            "weapons = ['sword']\npolicy = ['attack', 'set', 'pass']",
        ),
    ];
    for (clock, counts) in on_all_clocks(sword, 6, all) {
        assert_eq!(
            (counts[0].fell_round, counts[1].fell_round),
            (1, 0),
            "{clock:?}"
        );
        assert_eq!(counts[2].attacks, 1, "{clock:?}");
    }
}

#[test]
fn w_12_a_place_in_an_order_that_lasts_is_that_of_a_late_comer_too() {
    let text = "system = 'mage'\n[encounter]\nmax_rounds = 4\n[rules]\nhealth = 'points'\n\
        initiative = { dice = 0, roll = 'per-scene' }\n[weapons.fist]\nkind = 'melee'\nreach = 30\ndamage = 1\n\
        check = { skill = 200 }\n";
    let one = |name: &str, side: &str, wits: u32, more: &str| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = '{side}'\nposition = 0\nhealth = 20\nsoak = 0\n{more}\n\
             attributes = {{ dexterity = 2, wits = {wits}, stamina = 2 }}\nweapons = ['fist']\npolicy = ['attack']\n"
        )
    };
    let text = text.to_owned()
        + &one("slow", "a", 1, "")
        + &one("late", "a", 5, "enters = 3")
        + &one("other", "b", 3, "");
    let record = first_record(&variant(&text), 2);
    let attacks: Vec<u32> = record.combatants.iter().map(|one| one.attacks).collect();
    assert_eq!(attacks, [4, 2, 4]);
}

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
fn w_12_who_comes_in_at_a_mark_has_the_marks_that_are_left() {
    // Score 25, three attacks 5 Marks apart from the Mark of entering, none below Mark 1.
    for (mark, attacks) in [
        (60, 3),
        (30, 3),
        (25, 3),
        (12, 3),
        (11, 3),
        (10, 2),
        (6, 2),
        (5, 1),
        (1, 1),
        (0, 0),
    ] {
        let things = SWORD.replace("damage", "attacks = 3\ndamage");
        let late =
            format!("enters = {{ mark = {mark} }}\nweapons = ['sword']\npolicy = ['attack']");
        let all: &[CombatantSpec<'_>] = &[
            ("guard one 0 5", "policy = ['pass']"),
            ("reserve one 0 5", &late),
            ("raider other 3 3", "policy = ['pass']"),
        ];
        let (ended, counts) = on_marks(&things, 1, all);
        assert_eq!(ended, (Ending::Timeout, 1), "{mark}");
        assert_eq!(counts[1].attacks, attacks, "{mark}");
        let forfeited = [3 - attacks, 0][usize::from(mark == 0)];
        assert_eq!(counts[1].attacks_forfeited, forfeited, "{mark}");
    }
}

#[test]
fn w_12_who_waits_sees_at_once_who_comes_in_at_a_mark() {
    let things = SWORD
        .replace("30", "3")
        .replace("damage", "attacks = 3\ndamage");
    for (mark, attacks) in [(25, 3), (12, 3), (10, 2), (2, 1), (0, 0)] {
        let late = format!("enters = {{ mark = {mark} }}\npolicy = ['pass']");
        let all: &[CombatantSpec<'_>] = &[
            ("guard one 0 5", "policy = ['pass']"),
            ("reserve one 60 5", &late),
            (
                "raider other 61 3",
                "weapons = ['sword']\npolicy = ['attack', 'wait 1']",
            ),
        ];
        let (_, counts) = on_marks(&things, 1, all);
        assert_eq!(counts[2].attacks, attacks, "{mark}");
    }
}

#[test]
fn w_12_reserves_come_in_when_those_are_down_for_whose_fall_they_wait() {
    // The raider fells the captain in Round 3 with its third blow. The wave that enters then falls to three blows, and
    // the last reserve waits for that fall.
    let armed = "weapons = ['sword']\npolicy = ['attack', 'pass']";
    let things = SWORD.replace("damage = 1", "damage = 7");
    let all: &[CombatantSpec<'_>] = &[
        ("guard one 99 1", "policy = ['pass']"),
        ("captain one 0 3", "policy = ['pass']"),
        (
            "wave one 0 3",
            "enters = { falls = 'captain' }\npolicy = ['pass']",
        ),
        (
            "last one 0 3",
            "enters = { falls = 'wave' }\npolicy = ['surrender']",
        ),
        ("raider other 3 1", armed),
    ];
    for (clock, counts) in on_all_clocks(&things, 7, all) {
        let fell = counts[1].fell_round;
        assert_eq!((fell, counts[2].fell_round), (3, 6), "{clock:?}");
        assert_eq!(
            (counts[4].attacks, counts[3].surrendered),
            (6, 1),
            "{clock:?}"
        );
    }
    let (_, _, counts) = endings_on_all_clocks(&things, 6, all).remove(0);
    assert_eq!(
        counts[3].surrendered, 0,
        "it comes as the next Round begins"
    );
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
fn w_12_a_side_may_wait_for_its_reserves() {
    // The guard falls in Round 1, the second wave a Round after it has entered; the last reserve never enters.
    let things = SWORD.replace("damage = 1", "damage = 30");
    let raider = "weapons = ['sword']\npolicy = ['attack', 'pass']";
    let all: &[CombatantSpec<'_>] = &[
        ("guard one 0 3", "policy = ['pass']"),
        (
            "second one 0 3",
            "enters = { falls = 'guard', round = 3 }\npolicy = ['pass']",
        ),
        ("raider other 3 5", raider),
    ];
    let waits = "waits_for_reserves = true\n";
    for (clock, ended, counts) in endings_on_all_clocks(&format!("{waits}{things}"), 6, all) {
        assert_eq!(ended, (Ending::Win(1), 3), "{clock:?}");
        assert_eq!(
            (counts[0].fell_round, counts[1].fell_round),
            (1, 3),
            "{clock:?}"
        );
    }
    let mut late = all.to_vec();
    late[1].1 = "enters = { when = 'enemies > 1' }\npolicy = ['pass']";
    for (clock, ended, _) in endings_on_all_clocks(&format!("{waits}{things}"), 6, &late) {
        assert_eq!(ended, (Ending::Timeout, 6), "{clock:?}: it never comes");
    }
    for (clock, ended, _) in endings_on_all_clocks(&things, 6, &late) {
        assert_eq!(
            ended,
            (Ending::Win(1), 1),
            "{clock:?}: nobody is waited for"
        );
    }
}

#[test]
fn w_12_a_goal_may_fall_that_comes_later() {
    let things = format!(
        "{}[encounter.goals.regicide]\nwins = 'other'\nfalls = 'king'\n",
        SWORD.replace("damage = 1", "damage = 30")
    );
    let all: &[CombatantSpec<'_>] = &[
        ("guard one 99 3", "policy = ['pass']"),
        ("king one 0 3", "enters = 3\npolicy = ['pass']"),
        (
            "raider other 3 5",
            "weapons = ['sword']\npolicy = ['attack', 'pass']",
        ),
    ];
    for (clock, ended, _) in endings_on_all_clocks(&things, 6, all) {
        assert_eq!(ended, (Ending::Win(1), 3), "{clock:?}");
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
