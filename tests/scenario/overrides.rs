//! Overrides of values in the file: by `--set`, by variants, by sweeps.

use crate::support::fights::{errors_with, loaded, read};
use insta::assert_snapshot;
use skirmish::scenario::{Document, Value};

use super::{KITING, bad, good};

fn bad_set(set_: &str) -> String {
    errors_with(KITING, &[set_])
}

fn with_variant(set: &str) -> String {
    format!(
        "{}[[variants]]\nname = \"x\"\nset = {set}\n",
        &KITING[..KITING.find("[[variants]]").expect("variants")]
    )
}

#[test]
fn arguments_change_the_base_and_so_all_variants() {
    let loaded = loaded(
        KITING,
        &[
            "combatants.archer.move=12",
            "combatants.brute.health = 99",
            "weapons.longbow.damage=1d8+4",
            "encounter.max_rounds=7",
            "rules.initiative.mode=fixed",
            "policies.kite=['advance', \"attack\"]",
            "weapons.knife={ kind = 'thrown', range = 5, check = { dice = '2d10' }, damage = 2 }",
            "combatants.archer.weapons=[\"longbow\", \"knife\"]",
            "title=Another title",
        ],
    );
    assert_eq!(loaded.scenario.title, "Another title");
    assert_eq!(loaded.scenario.settings.len(), 9);
    assert_eq!(
        loaded.scenario.settings[2],
        ("weapons.longbow.damage".to_owned(), "\"1d8+4\"".to_owned())
    );
    for variant in &loaded.scenario.variants {
        let fight = &variant.fight;
        assert_eq!(fight.max_rounds, 7);
        assert_eq!(fight.combatants[0].speed, 12);
        assert_eq!(fight.combatants[0].weapons.len(), 2);
        assert_eq!(fight.combatants[0].policy.decisions().len(), 2);
        assert!(fight.combatants[1..].iter().all(|one| one.health == 99));
    }
}

#[test]
fn the_fingerprint_is_the_files_alone() {
    let loaded = loaded(KITING, &["encounter.max_rounds=7"]);
    assert_eq!(loaded.scenario.hash, good(KITING).scenario.hash);
}

#[test]
fn wrong_arguments_are_shown_themselves() {
    assert_snapshot!(bad_set("combatants.archer.move=-3"), @r"
error: `move` is out of range
 --> --set:1:24
  |
1 | combatants.archer.move=-3
  |                        ^^ expected a whole number from 0 to 1000
");
    assert_snapshot!(bad_set("combatants.archr.move=3"), @r#"
error: `combatants` has no "archr"
 --> --set:1:12
  |
1 | combatants.archr.move=3
  |            ^^^^^ did you mean `archer`?
"#);
    assert_snapshot!(bad_set("weapons.longbwo.range=3"), @r#"
error: `weapons` has no "longbwo"
 --> --set:1:9
  |
1 | weapons.longbwo.range=3
  |         ^^^^^^^ did you mean `longbow`?
  |
  = help: a new one is added as a table: `weapons.longbwo` = { ... }
"#);
    assert_snapshot!(bad_set("rule.round=simple"), @r"
error: the scenario has no key `rule`
 --> --set:1:1
  |
1 | rule.round=simple
  | ^^^^ did you mean `rules`?
  |
  = help: its keys are `base`, `builds`, `clock`, `combatants`, `conditions`, `encounter`, `expect`, `format`, `items`, `parameters`, `policies`, `question`, `rules`, `silence`, `spells`, `system`, `title`, `variants`, `weapons`
");
    assert_snapshot!(bad_set("rules.rond=simple"), @r"
error: `[rules]` has no key `rond`
 --> --set:1:7
  |
1 | rules.rond=simple
  |       ^^^^ did you mean `round`?
  |
  = help: its keys are `advantage`, `at_zero`, `attack_actions`, `attack_offsets`, `car_counts_as_move`, `car_per_round`, `carry_over`, `channel_damage_breaks`, `charges_per_round`, `check`, `combat_casting_set`, `costs`, `counters_per_round`, `down`, `fizzle_chance`, `health`, `hit`, `initiative`, `melee_unsets`, `mover_shot`, `round`, `round_marks`, `temporary_health`, `wait`
");
    assert_snapshot!(bad_set("rules.round.x=1"), @r"
error: `rules.round` is text, not a table
 --> --set:1:13
  |
1 | rules.round.x=1
  |             ^ there is nothing below it
");
    assert_snapshot!(bad_set("encounter.arena.0=1"), @r"
error: `encounter.arena` is a list
 --> --set:1:17
  |
1 | encounter.arena.0=1
  |                 ^ a list is set as a whole
  |
  = help: set `encounter.arena` to a list
");
    assert_snapshot!(bad_set("combatants.archer=1"), @r"
error: a combatant is not set as a whole
 --> --set:1:1
  |
1 | combatants.archer=1
  | ^^^^^^^^^^^^^^^^^ expected a key of the combatant after this
  |
  = help: write `combatants.archer.move`
");
    assert_snapshot!(bad_set("rules={ round = 'simple' }"), @r#"
error: `rules` is not set as a whole
 --> --set:1:1
  |
1 | rules={ round = 'simple' }
  | ^^^^^ expected the path of a single value
  |
  = help: name each value by its whole path, in quotes: `"rules.round" = ...`
"#);
    assert_snapshot!(bad_set("variants=[]"), @r"
error: `variants` cannot be changed here
 --> --set:1:1
  |
1 | variants=[]
  | ^^^^^^^^ variants are part of the file
");
    assert_snapshot!(bad_set("rules.round"), @r"
error: `--set` lacks a value
 --> --set:1:12
  |
1 | rules.round
  |            ^ expected `=` and a value
  |
  = help: written `--set KEY=VALUE`, as in `--set rules.round=simple`
");
    assert_snapshot!(bad_set("rules.round="), @r#"
error: `--set` lacks a value
 --> --set:1:13
  |
1 | rules.round=
  |             ^ expected a value
  |
  = help: empty text is written `""`
"#);
    assert_snapshot!(bad_set("rules..round=1"), @r"
error: a part of a path is missing
 --> --set:1:7
  |
1 | rules..round=1
  |       ^ expected a name
  |
  = help: a path is written like `rules.round` or `combatants.archer.move`
");
    assert_snapshot!(bad_set("policies.kite=['attack'"), @r"
error: the value is not valid TOML
 --> --set:1:24
  |
1 | policies.kite=['attack'
  |                        ^ unclosed array, expected `]`
");
    assert_snapshot!(bad_set("policies.kite=['atack', 'set if hp >']"), @r"
error: no action is called `atack`
 --> --set:1:17
  |
1 | policies.kite=['atack', 'set if hp >']
  |                 ^^^^^ did you mean `attack`?
  |
  = help: written `attack [TARGET] [with WEAPON] [if CONDITION]`

error: a condition ends too early
 --> --set:1:37
  |
1 | policies.kite=['atack', 'set if hp >']
  |                                     ^ expected a variable, a number or a parenthesis
");
    assert_snapshot!(bad_set("combatants.archer.policy=kit"), @r#"
error: no policy is called "kit"
 --> --set:1:26
  |
1 | combatants.archer.policy=kit
  |                          ^^^ did you mean "kite"?
  |
  = help: a policy written in place is a list: `policy = ["attack", "advance"]`
"#);
}

#[test]
fn several_wrong_arguments_are_told_at_once() {
    let errors = errors_with(KITING, &["rules..x=1", "combatants.nobody.move=1"]);
    assert_eq!(errors.matches("error").count(), 2);
}

#[test]
fn wrong_values_of_a_variant_are_shown_in_the_variant() {
    let text = with_variant(
        "{ \"rules.rond\" = \"simple\", \"combatants.archer.move\" = \"x\", 'weapons.longbwo.range' = 3, \"rules.round\" = \"simpel\" }",
    );
    assert_snapshot!(bad(&text), @r#"
error: `[rules]` has no key `rond`
  --> fight.toml:60:16
   |
60 | set = { "rules.rond" = "simple", "combatants.archer.move" = "x", 'weapons.longbwo.range' = 3, "rules.round" = "simpel" }
   |                ^^^^ did you mean `round`?
   |
   = help: its keys are `advantage`, `at_zero`, `attack_actions`, `attack_offsets`, `car_counts_as_move`, `car_per_round`, `carry_over`, `channel_damage_breaks`, `charges_per_round`, `check`, `combat_casting_set`, `costs`, `counters_per_round`, `down`, `fizzle_chance`, `health`, `hit`, `initiative`, `melee_unsets`, `mover_shot`, `round`, `round_marks`, `temporary_health`, `wait`

error: `move` is text
  --> fight.toml:60:61
   |
60 | set = { "rules.rond" = "simple", "combatants.archer.move" = "x", 'weapons.longbwo.range' = 3, "rules.round" = "simpel" }
   |                                                             ^^^ expected a whole number from 0 to 1000

error: `weapons` has no "longbwo"
  --> fight.toml:60:75
   |
60 | set = { "rules.rond" = "simple", "combatants.archer.move" = "x", 'weapons.longbwo.range' = 3, "rules.round" = "simpel" }
   |                                                                           ^^^^^^^ did you mean `longbow`?
   |
   = help: a new one is added as a table: `weapons.longbwo` = { ... }

error: `round` cannot be "simpel"
  --> fight.toml:60:111
   |
60 | set = { "rules.rond" = "simple", "combatants.archer.move" = "x", 'weapons.longbwo.range' = 3, "rules.round" = "simpel" }
   |                                                                                                               ^^^^^^^^ expected "full" or "simple"
   |
   = help: did you mean "simple"?
"#);
    assert_snapshot!(bad(&with_variant("{ rules.round = \"simple\" }")), @r#"
error: `rules` is not set as a whole
  --> fight.toml:60:9
   |
60 | set = { rules.round = "simple" }
   |         ^^^^^ expected the path of a single value
   |
   = help: name each value by its whole path, in quotes: `"rules.round" = ...`
"#);
    assert_snapshot!(bad(&with_variant("{ combatants.archer.health = 40 }")), @r#"
error: `combatants` is not set as a whole
  --> fight.toml:60:9
   |
60 | set = { combatants.archer.health = 40 }
   |         ^^^^^^^^^^ expected the path of a single value
   |
   = help: name each value by its whole path, in quotes: `"combatants.archer.health" = ...`
"#);
    assert_snapshot!(bad(&with_variant("{ longbow = { range = 3, damage = \"1d6\" } }")), @r#"
error: `longbow` is not set as a whole
  --> fight.toml:60:9
   |
60 | set = { longbow = { range = 3, damage = "1d6" } }
   |         ^^^^^^^ expected the path of a single value
   |
   = help: name each value by its whole path, in quotes: `"longbow.KEY" = ...`
"#);
    assert_snapshot!(bad(&with_variant("{ hp = 40 }")), @r"
error: the scenario has no key `hp`
  --> fight.toml:60:9
   |
60 | set = { hp = 40 }
   |         ^^ expected whose it is
   |
   = help: as in `archer.health` or `brute.health`
");
    assert_snapshot!(bad(&with_variant("{ title = \"y\" }")), @r#"
error: `title` cannot be changed here
  --> fight.toml:60:9
   |
60 | set = { title = "y" }
   |         ^^^^^ the title is the same for all variants
"#);
    assert_snapshot!(bad(&with_variant("3")), @r#"
error: `set` is a whole number
  --> fight.toml:60:7
   |
60 | set = 3
   |       ^ expected a table
   |
   = help: written like `set = { "rules.round" = "simple" }`
"#);
}

#[test]
fn a_variant_that_an_argument_has_overtaken_is_only_warned_of() {
    let loaded = loaded(KITING, &["rules.round=simple"]);
    assert_snapshot!(loaded.warnings.to_string(), @r#"
warning: a variant changes nothing
  --> fight.toml:59:8
   |
59 | name = "simple round"
   |        ^^^^^^^^^^^^^^ every value it sets is what the base has already
"#);
}

#[test]
fn what_only_a_variant_uses_is_used() {
    let text = with_variant("{ \"combatants.archer.policy\" = \"stay\" }").replacen(
        "[policies]",
        "[policies]\nstay = [\"attack\"]",
        1,
    );
    let loaded = good(&text);
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
}

#[test]
fn a_sweep_sets_values_and_shares_the_rest() {
    let document = Document::parse("fight.toml", KITING, &[]).expect("a document");
    for health in 1..=500_i64 {
        let point = document
            .with(&[
                ("combatants.archer.health", Value::from(health)),
                ("rules.fizzle_chance", Value::from(0.5)),
            ])
            .and_then(|document| document.variant("simple round"))
            .expect("a variant");
        assert_eq!(i64::from(point.fight.combatants[0].health), health);
    }
    let errors = document
        .with(&[("combatants.archer.health", Value::from(0))])
        .and_then(|document| document.variant("base"))
        .expect_err("an error");
    assert_snapshot!(errors.to_string(), @r"
error: `health` is out of range
 --> setting:1:28
  |
1 | combatants.archer.health = 0
  |                            ^ expected a whole number from 1 to 1000000
");
    let errors = document.variant("simple rond").expect_err("an error");
    assert_snapshot!(errors.to_string(), @r#"
error: the scenario has no variant "simple rond"
 |
 = help: did you mean "simple round"?
"#);
}

/// `+20` looks like 20 more than the value in the file, which it replaces.
#[test]
fn a_plus_sign_is_refused_where_a_value_replaces_another() {
    assert_snapshot!(bad_set("combatants.archer.move=+20"), @"
error: `+20` does not say whether it is 20 or 20 more
 --> --set:1:24
  |
1 | combatants.archer.move=+20
  |                        ^^^ expected a number without a plus sign
  |
  = help: a value replaces the one in the file: write `20`, or the sum
");
    assert_snapshot!(bad(&with_variant(r#"{ "weapons.longbow.check.bonus" = +2 }"#)), @r#"
error: `+2` does not say whether it is 2 or 2 more
  --> fight.toml:60:41
   |
60 | set = { "weapons.longbow.check.bonus" = +2 }
   |                                         ^^ expected a number without a plus sign
   |
   = help: a value replaces the one in the file: write `2`, or the sum
"#);
    assert!(read(KITING, &["weapons.longbow.check.bonus=-3"]).is_ok());
}
