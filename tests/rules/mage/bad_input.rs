//! Errors state the place and the remedy.

use super::super::assert_errors_contain;
use super::stage::{DUMMY, one, scenario};
use crate::support::fights::{self, errors};

/// Returns the warnings about a scenario with this combatant, or its errors.
fn read(parts: &[&str], rest: &str) -> Result<String, String> {
    let hero = one("hero 0 3 3 2", rest);
    let parts: Vec<&str> = parts
        .iter()
        .copied()
        .chain([hero.as_str(), DUMMY])
        .collect();
    match fights::read(&scenario(&parts), &[]) {
        Ok(loaded) => Ok(loaded.warnings.to_string()),
        Err(errors) => Err(errors.to_string()),
    }
}

fn errors_of(parts: &[&str], rest: &str) -> String {
    read(parts, rest).expect_err("errors")
}

fn warnings_of(parts: &[&str], rest: &str) -> String {
    read(parts, rest).expect("a scenario that is accepted")
}

const SWORD: &str = "[weapons.sword]\nkind = \"melee\"\ncheck = { pool = 5 }\ndamage = 1\n";
const FIRE: &str = "[spells.fire]\nsphere = 3\nrange = 5\ndamage = 1\n";

#[test]
fn arete_below_the_sphere() {
    for (arete, words) in [
        ("arete = 2\n", "Sphere 3 with Arete 2"),
        ("", "a Sleeper works no magick"),
    ] {
        let rest = format!("{arete}spells = [\"fire\"]\npolicy = [\"cast fire\"]");
        assert_errors_contain(
            &errors_of(&[FIRE], &rest),
            &[words, "\"fire\" is beyond this mage", "spells = [\"fire\"]"],
        );
    }
    assert_errors_contain(
        &errors_of(&[], "arete = 11\npolicy = [\"pass\"]"),
        &["from 0 to 10"],
    );
    let dice = FIRE.replace("range", "dice = 4\nrange");
    let rest = "arete = 3\nspells = [\"fire\"]\npolicy = [\"cast fire\"]";
    assert_errors_contain(&errors_of(&[&dice], rest), &["4 dice with Arete 3"]);
}

#[test]
fn joined_actions_have_blanks_around_the_sign() {
    let rest = "weapons = [\"sword\"]\npolicy = [\"attack+attack\"]";
    assert_errors_contain(
        &errors_of(&[SWORD], rest),
        &[
            "no action is called `attack+attack`",
            "expected blanks around `+`",
        ],
    );
}

#[test]
fn md_5_sleepers_are_certain_or_a_chance() {
    for (value, words) in [
        ("1.5", "`sleepers` is out of range: 1.5"),
        ("-1", "`sleepers` is out of range: -1"),
        ("nan", "`sleepers` is out of range: NaN"),
        ("\"101%\"", "`sleepers` is out of range: 1.01"),
        ("\"sometimes\"", "unknown `sleepers`: \"sometimes\""),
        ("\"many%\"", "`sleepers` is no chance: many%"),
        ("[0.5]", "`sleepers` is a list"),
    ] {
        let encounter = format!("[encounter]\nsleepers = {value}\n");
        let told = errors_of(&[&encounter], "policy = [\"pass\"]");
        assert_errors_contain(&told, &[words, "a chance for each turn: 0.25"]);
    }
}

#[test]
fn md_6_a_backlash_of_paradox_says_what_it_does() {
    let with = |keys: &str| {
        let rules = format!("[rules.magick]\n{keys}\n");
        errors_of(&[&rules], "policy = [\"pass\"]")
    };
    assert_errors_contain(
        &with("paradox_threshold = 5"),
        &["`paradox_threshold` does nothing here", "lose-turn"],
    );
    assert_errors_contain(
        &with("paradox_backlash = \"lose-turn\"\nparadox_damage = 2"),
        &["only `paradox_backlash = \"damage\"` does any"],
    );
    assert_errors_contain(
        &with("paradox_backlash = \"damage\""),
        &["`paradox_damage`"],
    );
    assert_errors_contain(
        &with("paradox_backlash = \"lose-turn\"\nparadox_threshold = 0"),
        &["`paradox_threshold` is out of range"],
    );
    assert_errors_contain(&with("paradox_backlash = \"lose\""), &["lose-turn"]);
}

#[test]
fn md_7_turns_for_each_roll_are_for_rituals() {
    let with = |keys: &str| {
        let fire = FIRE.replace("range", &format!("{keys}\nrange"));
        let rest = "arete = 3\nspells = [\"fire\"]\npolicy = [\"cast fire\"]";
        errors_of(&[&fire], rest)
    };
    assert_errors_contain(
        &with("turns_per_roll = 2"),
        &["`turns_per_roll` does nothing here", "`ritual = true`"],
    );
    for wrong in ["0", "101"] {
        let keys = format!("ritual = true\nturns_per_roll = {wrong}");
        assert_errors_contain(&with(&keys), &["`turns_per_roll` is out of range"]);
    }
}

#[test]
fn md_4_sums_of_traits_that_one_lacks() {
    let with = |pool: &str, rest: &str| {
        let sword = SWORD.replace("pool = 5", &format!("pool = \"{pool}\""));
        let rest = format!("{rest}\nweapons = [\"sword\"]\npolicy = [\"attack\"]");
        errors_of(&[&sword], &rest)
    };
    assert_errors_contain(
        &with("dexterity + brwl", "skills = { brawl = 2 }"),
        &[
            "combatant \"hero\" has no trait \"brwl\"",
            "did you mean \"brawl\"?",
        ],
    );
    assert_errors_contain(
        &with("strength + 1", ""),
        &["has no trait \"strength\"", "its traits are `dexterity`"],
    );
    assert_errors_contain(&with("dexterity +", ""), &["is not a sum of traits"]);
    assert_errors_contain(&with("dexterity + 100", ""), &["`pool` comes to 103 dice"]);
    assert_errors_contain(
        &with("dexterity", "skills = { dexterity = 2 }"),
        &["\"dexterity\" is a trait already"],
    );
    assert_errors_contain(
        &with("dexterity", "skills = { brawl = 11 }"),
        &["`brawl` is out of range"],
    );
    assert_errors_contain(
        &with("dexterity", "skills = 3"),
        &["`skills` is a whole number", "a table like"],
    );
    let both = SWORD.replace("pool = 5", "pool = 5, specialty = true, tens = \"plain\"");
    assert_errors_contain(
        &errors_of(&[&both], "policy = [\"pass\"]"),
        &["`specialty` says that 10s count twice"],
    );
}

#[test]
fn attributes_out_of_range() {
    for wrong in [0, 11, -1] {
        let hero = one(&format!("hero 0 {wrong} 3 2"), "policy = [\"pass\"]");
        let text = scenario(&[&hero, DUMMY]);
        assert_errors_contain(
            &errors(&text),
            &["`dexterity` is out of range", "from 1 to 10"],
        );
    }
}

/// MA-3, W-3: a line with too few dice is not legal. It is no error, because a sweep may go through small pools.
#[test]
fn splits_that_need_more_dice_than_there_are() {
    let sword = |line: &str| format!("weapons = [\"sword\"]\npolicy = [\"{line}\"]");
    assert_errors_contain(
        &warnings_of(&[SWORD], &sword("attack + attack split 3,3")),
        &[
            "the parts need 6 dice, and there are 5",
            "\"sword\"",
            "^^^",
            "never taken",
        ],
    );
    assert_errors_contain(
        &warnings_of(
            &[SWORD],
            &sword("attack + attack + attack + attack + attack + attack"),
        ),
        &["need 6 dice"],
    );
    let with = |line: &str| errors_of(&[SWORD], &sword(line));
    assert_errors_contain(
        &with("attack + attack split 3"),
        &["wrong number of parts: 1, not 2"],
    );
    assert_errors_contain(
        &with("attack + attack split 3,0"),
        &["`0` is out of range", "at least one die"],
    );
    assert_errors_contain(
        &with("attack split 3"),
        &["only an action of several feats is divided"],
    );
    assert_errors_contain(
        &with("attack + advance"),
        &["`advance` cannot share an action"],
    );
    assert_errors_contain(&with("stand + stand"), &["there is no pool to divide"]);
    assert_errors_contain(
        &with("attack + atack"),
        &["no action is called `atack`", "did you mean `attack`?"],
    );
    let skill = SWORD.replace("pool", "skill");
    let rest = "weapons = [\"sword\"]\npolicy = [\"attack + attack\"]";
    assert_errors_contain(&errors_of(&[&skill], rest), &["only a pool can be divided"]);
    let clumsy = SWORD.replace("damage", "ready_turns = 2\ndamage");
    let rest = "weapons = [\"sword\"]\npolicy = [\"draw sword + attack\"]";
    assert_errors_contain(
        &errors_of(&[&clumsy], rest),
        &["too clumsy to share an action"],
    );
}

/// MA-3: a line needs no more dice than the pool has with what conditions may add to it (W-11).
#[test]
fn conditions_may_add_the_dice_that_a_split_needs() {
    let with = |added: i32| {
        let strong = format!(
            "[encounter]\nhazards.rage = {{ effects = [{{ condition = \"strong\" }}] }}\n\
             [conditions.strong]\nends = \"never\"\nmodifies = {{ attack = {added} }}\n"
        );
        let line = "weapons = [\"sword\"]\npolicy = [\"attack + attack split 4,4\"]";
        warnings_of(&[&strong, SWORD], line)
    };
    assert_eq!(with(3), "");
    assert_errors_contain(
        &with(2),
        &["the parts need 8 dice, and there are 7", "at most 7 dice"],
    );
    assert_errors_contain(&with(-1), &["and there are 5", "pool, 5 dice"]);
}

#[test]
fn both_modes_of_initiative() {
    let rules = "[rules]\ninitiative = { roll = [\"per-turn\", \"per-scene\"] }\n";
    assert_errors_contain(
        &errors_of(&[rules], "policy = [\"pass\"]"),
        &[
            "`roll` is a list",
            "one of the two ways for a whole encounter",
        ],
    );
    let rules = "[rules]\ninitiative = { share = [\"heros\", \"nobdy\", \"hero\"] }\n";
    assert_errors_contain(
        &errors_of(&[rules], "policy = [\"pass\"]"),
        &[
            "no combatant is called \"nobdy\"",
            "\"hero\" shares two initiatives",
        ],
    );
}

#[test]
fn modes_of_movement_that_one_lacks() {
    assert_errors_contain(
        &errors_of(&[], "policy = [\"advance fly\"]"),
        &["`fly` needs a rate of flight", "fly = 15"],
    );
    assert_errors_contain(
        &errors_of(&[], "policy = [\"retreat climb\"]"),
        &["`climb` needs a pool", "climb = { pool"],
    );
    assert_errors_contain(
        &errors_of(&[], "fly = 30\npolicy = [\"advance fly\"]"),
        &["from 10 to 20"],
    );
}

#[test]
fn what_belongs_to_another_system() {
    assert_errors_contain(
        &errors_of(&[], "policy = [\"charge\"]"),
        &[
            "the clock of Mage has no `charge`",
            "an action of Tara-Corax",
        ],
    );
    assert_errors_contain(
        &errors_of(&[], "policy = [\"pass if marks > 3\"]"),
        &[
            "the clock of Mage has no `marks`",
            "a variable of Tara-Corax",
        ],
    );
    assert_errors_contain(
        &errors_of(&[], "car = 10\npolicy = [\"pass\"]"),
        &["has no key `car`"],
    );
    let tara = include_str!("../../scenario/kiting.toml");
    let errors = |from: &str, to: &str| errors(&tara.replacen(from, to, 1));
    assert_errors_contain(
        &errors("\"set if not ready\"", "\"attack + attack\""),
        &["Tara-Corax does not do several things at once"],
    );
    assert_errors_contain(
        &errors("\"set if not ready\"", "\"set if paradox > 1\""),
        &["has no `paradox`", "a variable of Mage"],
    );
}

#[test]
fn checks_and_health_of_another_kind() {
    let rest = "weapons = [\"sword\"]\npolicy = [\"attack\"]";
    assert_errors_contain(
        &errors_of(&[SWORD, "[rules]\ncheck = \"roll-over\"\n"], rest),
        &["`check` has no `dice`", "`rules.check` is \"roll-over\""],
    );
    let dice = SWORD.replace("pool = 5", "dice = \"2d10\"");
    assert_errors_contain(
        &errors_of(&[&dice], rest),
        &["lacks `evade`", "\"sword\" is rolled against it"],
    );
    let both = SWORD.replace("pool = 5", "pool = 5, skill = 40");
    assert_errors_contain(&errors_of(&[&both], rest), &["has no key `skill`"]);
    assert_errors_contain(
        &errors_of(&[], "health = 7\npolicy = [\"pass\"]"),
        &["expected a list of levels", "rules.health"],
    );
    assert_errors_contain(
        &errors_of(&["[rules]\nhealth = \"points\"\n"], "policy = [\"pass\"]"),
        &["lacks `health`"],
    );
    assert_errors_contain(
        &errors_of(&[], "health = []\npolicy = [\"pass\"]"),
        &["a track of 0 levels"],
    );
    assert_errors_contain(
        &errors_of(&[], "health = [{ nam = \"Hurt\" }]\npolicy = [\"pass\"]"),
        &["has no key `nam`", "did you mean `name`?"],
    );
}

#[test]
fn ends_that_are_none() {
    for (ends, words) in [
        ("\"distance = 4\"", "expected one of"),
        ("\"distnace > 4\"", "the only variable"),
        ("\"distance > far\"", "a whole number of Units"),
        (
            "\"distance\"",
            "expected `distance`, a comparison and a number",
        ),
        ("\"distance < 0\"", "no distance is below 0"),
        ("4", "expected text"),
    ] {
        let encounter = format!("[encounter]\nends_when = {ends}\n");
        assert_errors_contain(&errors_of(&[&encounter], "policy = [\"pass\"]"), &[words]);
    }
}

#[test]
fn willpower_that_cannot_be_spent() {
    let line = |line: &str| format!("weapons = [\"knife\"]\npolicy = [\"{line}\"]");
    let knife = "[weapons.knife]\nkind = \"melee\"\ncheck = { pool = 3 }\ndamage = 1\n";
    let errors_with = |rest: &str, check: &str| {
        let knife = knife.replace("{ pool = 3 }", check);
        errors_of(&[&knife], rest)
    };
    assert_errors_contain(
        &warnings_of(&[knife], &line("attack with willpower")),
        &["`with willpower` needs a point to spend", "no `willpower`"],
    );
    let willed = |text: &str| format!("willpower = 3\n{}", line(text));
    assert_errors_contain(
        &errors_with(&willed("attack with willpower"), "{ skill = 30 }"),
        &[
            "Willpower buys a success of a pool",
            "another kind of check",
        ],
    );
    let twice = willed("attack with willpower + attack with willpower");
    assert_errors_contain(
        &errors_with(&twice, "{ pool = 3 }"),
        &["an action takes one point of Willpower", "a second one"],
    );
    assert_errors_contain(
        &errors_with(&willed("draw with willpower"), "{ pool = 3 }"),
        &["`with` does not belong here"],
    );
}

#[test]
fn what_a_botch_costs() {
    let rules = "[rules]\nmagick = { botch = \"damage\" }\n";
    assert_errors_contain(
        &errors_of(&[rules], "policy = [\"pass\"]"),
        &["lacks `botch_damage`"],
    );
    let rules = "[rules]\nmagick = { botch_damage = 3 }\n";
    assert_errors_contain(
        &errors_of(&[rules], "policy = [\"pass\"]"),
        &["has no `botch_damage`"],
    );
    let rules = "[rules]\nattack_botch = \"damage\"\n";
    assert_errors_contain(
        &errors_of(&[rules], "policy = [\"pass\"]"),
        &["lacks `attack_botch_damage`"],
    );
    let rules = "[rules]\nexhaustion_botch = \"tripp\"\n";
    assert_errors_contain(
        &errors_of(&[rules], "policy = [\"pass\"]"),
        &["\"collapse\", \"stop\"", "trip"],
    );
}

#[test]
fn expectations_of_what_is_not_measured() {
    for (metric, why) in [
        ("marks", "no metric of Mage"),
        ("escaped", "only where `ends_when`"),
        ("willpower_spent", "only where a policy spends Willpower"),
    ] {
        let expect = format!("[[expect]]\nmetric = \"{metric}\"\nmin = 0\n");
        assert_errors_contain(
            &errors_of(&[&expect], "policy = [\"pass\"]"),
            &["is not measured in this fight", why],
        );
    }
}

#[test]
fn md_4_only_combatants_have_traits() {
    let hazard = "[encounter.hazards.gas]\nresist = { check = { pool = \"stamina\" } }\n\
                  effects = [{ damage = { pool = \"stamina\" } }]\n";
    let condition = "[conditions.burns]\nongoing = { damage = { pool = \"strength\" } }\n";
    for (text, what) in [
        (
            hazard,
            "the pool of a hazard's damage cannot be a sum of traits",
        ),
        (
            condition,
            "the pool of ongoing damage cannot be a sum of traits",
        ),
    ] {
        assert_errors_contain(&errors_of(&[text], "policy = [\"pass\"]"), &[what]);
    }
    let condition =
        "[conditions.ill]\nmodifies = { attack = -1 }\nends = \"check\"\ncheck = \"stamin\"\n";
    let found = errors_of(&[condition], "policy = [\"pass\"]");
    assert_errors_contain(&found, &["combatant \"hero\" has no trait \"stamin\""]);
    assert_eq!(found.matches("stamin\"").count(), 2, "{found}");
}
