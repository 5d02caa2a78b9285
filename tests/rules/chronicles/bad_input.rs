//! Errors state the place and the remedy.

use super::super::assert_errors_contain;
use super::stage::{one, scenario};
use crate::support::fights::{self, errors, loaded};

const FOE: &str = r#"
[[combatants]]
name = "foe"
side = "foes"
position = 5
attributes = { dexterity = 1, composure = 1 }
move = 0
health = 5
policy = ["pass"]
"#;

/// Returns whether a scenario with this combatant is accepted, and its warnings or errors.
fn read(rest: &str, line: &str) -> (bool, String) {
    let hero = one("hero heroes 0 3 3", rest, &[line]);
    let text = scenario(&[&hero, FOE]);
    match fights::read(&text, &[]) {
        Ok(loaded) => (true, loaded.warnings.to_string()),
        Err(errors) => (false, errors.to_string()),
    }
}

fn refuses(rest: &str, line: &str, words: &[&str]) {
    let (accepted, messages) = read(rest, line);
    assert!(!accepted, "accepted: {rest} {line}");
    assert_errors_contain(&messages, words);
}

fn warns(line: &str, words: &[&str]) {
    let (accepted, messages) = read("", line);
    assert!(accepted, "refused: {messages}");
    assert_errors_contain(&messages, words);
}

#[test]
fn a_readied_ready() {
    refuses(
        "",
        "ready ready attack when enemy moves when enemy moves",
        &[
            "`ready` cannot be readied",
            "expected `attack`",
            "a later turn may ready again",
        ],
    );
    assert!(read("", "ready advance 3 when enemy moves").0);
    refuses(
        "",
        "ready pass when enemy moves",
        &["`pass` cannot be readied", "`advance` or `retreat`"],
    );
    refuses(
        "",
        "ready delay when enemy moves",
        &["`delay` cannot be readied"],
    );
    refuses(
        "",
        "ready atack when enemy moves",
        &["no action is called `atack`", "did you mean `attack`?"],
    );
}

#[test]
fn triggers_that_are_none() {
    refuses("", "ready attack", &["`ready` lacks `when` and a trigger"]);
    refuses("", "ready attack when", &["`ready` lacks a trigger"]);
    refuses(
        "",
        "ready attack when moves",
        &["does not say whose doing it is", "expected `enemy`"],
    );
    refuses(
        "",
        "ready attack when enemy",
        &["lacks what the enemy does"],
    );
    refuses(
        "",
        "ready attack when enemy mvoes",
        &["did you mean `moves`?"],
    );
    refuses(
        "",
        "ready attack when enemy comes-within",
        &["lacks a distance in Units"],
    );
    refuses(
        "",
        "ready attack when enemy comes-within -2",
        &["`-2` is out of range"],
    );
    refuses(
        "",
        "ready attack when hero moves",
        &["a combatant's own doing is never a trigger"],
    );
    refuses(
        "",
        "ready attack when nobody moves",
        &["no combatant is called \"nobody\""],
    );
    refuses(
        "",
        "attack when enemy moves",
        &["`when` does not belong here", "`ready ACTION when TRIGGER`"],
    );
    refuses("", "attack trigger", &["nothing has triggered this line"]);
    refuses(
        "",
        "ready attack when ally",
        &["lacks what that one does", "`enemy`, `ally` or `anyone`"],
    );
    refuses(
        "",
        "ready attack when enemy leaves",
        &["lacks a distance in Units"],
    );
    refuses(
        "",
        "ready attack trigger when foe falls",
        &[
            "`trigger` can never be the target here",
            "a fallen combatant is no target",
        ],
    );
    let ally = one("ally heroes 0 3 3", "", &["pass"]);
    let hero = one(
        "hero heroes 0 3 3",
        "",
        &["ready attack trigger when \"ally\" moves"],
    );
    let errors = errors(&scenario(&[&hero, &ally, FOE]));
    assert_errors_contain(
        &errors,
        &[
            "`trigger` can never be the target here",
            "only allies trigger it",
        ],
    );
}

#[test]
fn triggers_that_can_never_happen() {
    warns(
        "ready attack when enemy moves",
        &["a trigger can never happen", "no enemy can move"],
    );
    warns(
        "ready attack when foe comes-within 2",
        &["not one called \"foe\" can move"],
    );
    warns(
        "ready attack when enemy attacks me",
        &["no enemy has a weapon"],
    );
    warns("ready attack when enemy casts", &["no enemy has a spell"]);
    warns(
        "ready attack when enemy uses",
        &["no enemy has a thing to use"],
    );
    warns(
        "ready attack when enemy draws",
        &["no enemy has a weapon to draw"],
    );
    warns("ready attack when enemy leaves 3", &["no enemy can move"]);
    warns("ready attack when ally moves", &["there is none"]);
    warns("ready attack when ally falls", &["there is none"]);
    warns(
        "cancel if hp < 3",
        &["a `cancel` is never asked", "readies nothing"],
    );
}

/// A condition may give an enemy speed, and an effect may take away its weapon, which the enemy then draws again.
#[test]
fn triggers_that_others_make_possible() {
    let pill = "[conditions.swift]\nmodifies = { move = 3 }\n\
                [items.pill]\ntarget = \"enemy\"\nrange = 9\nuses = 9\neffects = [{ condition = \"swift\", lasts = 3 }]\n";
    let whip =
        "[items.pill]\ntarget = \"enemy\"\nrange = 9\nuses = 9\neffects = [{ disarm = true }]\n";
    let armed = FOE.replace("policy", "weapons = [\"fist\"]\npolicy");
    for (things, event) in [(pill, "moves"), (whip, "draws")] {
        let line = format!("ready attack when enemy {event}");
        let hero = one(
            "hero heroes 0 3 3",
            "items = [\"pill\"]",
            &["use pill if round = 1", &line],
        );
        let hero = hero.replace("items = [\"salve\"]\n", "");
        let text = scenario(&[things, &hero, &armed]);
        let loaded = loaded(&text, &[]);
        let said = loaded.warnings.to_string();
        assert!(!said.contains("a trigger can never happen"), "{said}");
    }
}

/// A hazard may take away a weapon, too.
#[test]
fn triggers_that_a_hazard_makes_possible() {
    let said = |effect: &str| {
        let hazard =
            format!("[encounter]\nhazards.quake = {{ effects = [{{ {effect} = true }}] }}\n");
        let armed = FOE.replace("policy", "weapons = [\"fist\"]\npolicy");
        let lines = ["ready attack when enemy draws"];
        let hero = one("hero heroes 0 3 3", "", &lines);
        let hero = hero.replace("items = [\"salve\"]\n", "");
        let text = scenario(&[&hazard, &hero, &armed]);
        let loaded = loaded(&text, &[]);
        loaded.warnings.to_string()
    };
    assert!(said("prone").contains("a trigger can never happen"));
    let disarmed = said("disarm");
    assert!(
        !disarmed.contains("a trigger can never happen"),
        "{disarmed}"
    );
}

#[test]
fn delays_that_wait_for_themselves() {
    for line in [
        "delay until acted",
        "delay until moved and enemies_left = 0",
        "delay until attacked or delayed",
        "delay until not (not acted)",
    ] {
        refuses("", line, &["a delay waits for itself", "while one waits"]);
    }
    refuses("", "delay until hp * 0 > 1", &["a delay never ends"]);
    refuses("", "delay up", &["`delay` lacks `until` and a condition"]);
    refuses(
        "",
        "delay yield 0 until enemy_acted",
        &["`0` is out of range"],
    );
    refuses("", "delay until hp", &["a number"]);
    assert!(read("", "delay until not acted or enemy_acted").0);
}

#[test]
fn numbers_out_of_range() {
    for (rest, words) in [
        ("regeneration = -1", "`regeneration` is out of range"),
        ("defence = -1", "`defence` is out of range"),
        (
            "ongoing = { damage = 0, rounds = 1 }",
            "`damage` is out of range",
        ),
        (
            "ongoing = { damage = 1, rounds = 21 }",
            "`rounds` is out of range",
        ),
        ("ongoing = { damage = 1 }", "`rounds`"),
        ("evade_modifier = 1", "evade_modifier"),
    ] {
        refuses(rest, "pass", &[words]);
    }
    let text = scenario(&[&one("hero heroes 0 0 3", "", &["pass"]), FOE]);
    let errors = errors(&text);
    assert_errors_contain(&errors, &["`dexterity` is out of range"]);
}

#[test]
fn keys_of_other_systems() {
    let text = scenario(&[&one("hero heroes 0 3 3", "", &["pass"]), FOE]);
    for (from, to, words) in [
        (
            "pool = 1 }\ndamage = 0",
            "pool = 1, difficulty = 6 }\ndamage = 0",
            "difficulty",
        ),
        (
            "range = 50\ndamage = 1",
            "range = 50\ncasting_time = 1\ndamage = 1",
            "casting_time",
        ),
        ("heal = 1", "heal = 1\ncost = \"half\"", "cost"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let errors = errors(&changed);
        assert_errors_contain(&errors, &[words]);
    }
    refuses(
        "",
        "charge",
        &[
            "the clock of Chronicles has no `charge`",
            "an action of Tara-Corax",
        ],
    );
    refuses(
        "",
        "attack + attack",
        &["Chronicles does not do several things at once"],
    );
    refuses("", "attack if marks > 3", &["marks"]);
    for rules in [
        "dramatic_damage = 3",
        "lost_actions = \"never\"",
        "initiative = { roll = \"per-turn\" }",
    ] {
        let changed = text.replacen(
            "system = \"chronicles\"\n",
            &format!("system = \"chronicles\"\n[rules]\n{rules}\n"),
            1,
        );
        assert_errors_contain(&errors(&changed), &[]);
    }
}
