//! Sweeps that are refused before the simulation starts.

use super::DUEL;
use crate::support::TestDir;
use insta::assert_snapshot;
use std::fs;

/// Returns the error of a sweep of the duel.
fn refused(arguments: &[&str]) -> String {
    let dir = TestDir::with_duel(DUEL);
    let message = dir.call_on_duel("sweep", arguments).errors();
    assert!(!dir.path("results").exists(), "nothing is left behind");
    message
}

/// Returns the error of a sweep with one `--vary`.
fn vary(argument: &str) -> String {
    refused(&["--vary", argument])
}

#[test]
fn keys_that_are_not_there() {
    assert_snapshot!(vary("combatants.knihgt.move=8..20"), @r#"
error: `combatants` has no "knihgt"
 --> --vary:1:12
  |
1 | combatants.knihgt.move=8..20
  |            ^^^^^^ did you mean `knight`?
"#);
    assert_snapshot!(vary("combatants.knight.mvoe=8..20"), @r#"
error: combatant "knight" has no key `mvoe`
 --> --vary:1:19
  |
1 | combatants.knight.mvoe=8..20
  |                   ^^^^ did you mean `move`?
  |
  = help: its keys are `abilities`, `armor`, `at_zero`, `attributes`, `car`, `combat_casting`, `count`, `enters`, `evade`, `evade_modifier`, `hands`, `health`, `initiative`, `items`, `morale`, `move`, `name`, `policy`, `position`, `prone`, `resists`, `side`, `speed`, `spells`, `temporary_health`, `thresholds`, `traits`, `undrawn`, `weapons`
"#);
    assert_snapshot!(vary("combatants.knight=8"), @"
error: a combatant is not set as a whole
 --> --vary:1:1
  |
1 | combatants.knight=8
  | ^^^^^^^^^^^^^^^^^ expected a key of the combatant after this
  |
  = help: write `combatants.knight.move`
");
    assert_snapshot!(vary("combatants.knight.move.x=8"), @"
error: `combatants.knight.move` is a whole number, not a table
 --> --vary:1:24
  |
1 | combatants.knight.move.x=8
  |                        ^ there is nothing below it
");
    assert_snapshot!(vary("weapons.swrd.damage=8"), @r#"
error: `weapons` has no "swrd"
 --> --vary:1:9
  |
1 | weapons.swrd.damage=8
  |         ^^^^ did you mean `sword`?
  |
  = help: a new one is added as a table: `weapons.swrd` = { ... }
"#);
    assert_snapshot!(vary("=8"), @"
error: a part of a path is missing
 --> --vary:1:1
  |
1 | =8
  | ^ expected a name
  |
  = help: a path is written like `rules.round` or `combatants.archer.move`
");
    assert_snapshot!(vary("title=a,b"), @"
error: `title` cannot be changed here
 --> --vary:1:1
  |
1 | title=a,b
  | ^^^^^ the title is no part of the fight
");
}

#[test]
fn values_that_are_none() {
    assert_snapshot!(vary("combatants.knight.move"), @"
error: `--vary` lacks values
 --> --vary:1:23
  |
1 | combatants.knight.move
  |                       ^ expected values
  |
  = help: written `--vary KEY=VALUES`, as in `combatants.archer.move=8..20`, `combatants.archer.move=8,10,15` or `rules.round=full,simple`
");
    assert_snapshot!(vary("combatants.knight.move=8,,9"), @r#"
error: a value is missing
 --> --vary:1:26
  |
1 | combatants.knight.move=8,,9
  |                          ^ expected a value
  |
  = help: empty text is written `""`
"#);
    assert_snapshot!(vary("combatants.knight.move=20..8"), @"
error: a range runs backwards
 --> --vary:1:24
  |
1 | combatants.knight.move=20..8
  |                        ^^^^^ its first value is the greater
  |
  = help: write `8..20`
");
    assert_snapshot!(vary("combatants.knight.move=8..20:0"), @"
error: the step of a range leads nowhere
 --> --vary:1:30
  |
1 | combatants.knight.move=8..20:0
  |                              ^ expected a number above 0
  |
  = help: a range is written `8..20`, or with a step `8..20:2`
");
    assert_snapshot!(vary("combatants.knight.move=20..8:-2"), @"
error: a range runs backwards
 --> --vary:1:24
  |
1 | combatants.knight.move=20..8:-2
  |                        ^^^^^^^^ its first value is the greater
  |
  = help: write `8..20`
");
    assert_snapshot!(vary("combatants.knight.move=8..x"), @"
error: the last value of a range is no number
 --> --vary:1:27
  |
1 | combatants.knight.move=8..x
  |                           ^ not a number
  |
  = help: a range is written `8..20`, or with a step `8..20:2`
");
    assert_snapshot!(vary("combatants.knight.move=8.."), @"
error: a range lacks its last value
 --> --vary:1:27
  |
1 | combatants.knight.move=8..
  |                           ^ expected a number
  |
  = help: a range is written `8..20`, or with a step `8..20:2`
");
    assert_snapshot!(vary("combatants.knight.move=8,9,8"), @"
error: the value 8 is given twice
 --> --vary:1:28
  |
1 | combatants.knight.move=8,9,8
  |                            ^ already among the values
");
}

#[test]
fn values_that_spoil_the_scenario_somewhere() {
    assert_snapshot!(vary("combatants.knight.move=8,fast"), @"
error: `move` is text
 --> --vary:1:26
  |
1 | combatants.knight.move=8,fast
  |                          ^^^^ expected a whole number from 0 to 1000
  |
  = help: it is wrong at combatants.knight.move = fast
");
    assert_snapshot!(vary("combatants.knight.move=8..10:0.5"), @"
error: `move` is not a whole number
 --> --vary:1:24
  |
1 | combatants.knight.move=8..10:0.5
  |                        ^^^^^^^^^ expected a whole number from 0 to 1000
");
    assert_snapshot!(vary("combatants.knight.health=-2..20"), @"
error: `health` is out of range
 --> --vary:1:26
  |
1 | combatants.knight.health=-2..20
  |                          ^^^^^^ expected a whole number from 1 to 1000000
  |
  = help: it is wrong at combatants.knight.health = -2 and at 2 more points
");
    assert_snapshot!(vary("weapons.sword.damage=1d6,1d,2d6"), @"
error: `damage` is not in dice notation
 --> --vary:1:27
  |
1 | weapons.sword.damage=1d6,1d,2d6
  |                           ^ the number of sides is missing
  |
  = help: write the number of sides after `d`, as in `2d10`
  = help: it is wrong at weapons.sword.damage = 1d
");
    assert_snapshot!(
        refused(&["--vary", "weapons.sword.attacks=4..6", "--vary", "rules.round=full,simpel"]),
        @r#"
error: the rules do not say when 6 attacks come
 --> --vary:1:23
  |
1 | weapons.sword.attacks=4..6
  |                       ^^^^ more than 5 attacks need `attack_offsets`
  |
  = help: add the Marks after the first at which each comes: `attack_offsets = [0, 2, 4, 6, 8, 10]`
  = help: it is wrong at weapons.sword.attacks = 6, rules.round = full and at one more point

error: `round` cannot be "simpel"
 --> --vary:1:18
  |
1 | rules.round=full,simpel
  |                  ^^^^^^ expected "full" or "simple"
  |
  = help: did you mean "simple"?
  = help: it is wrong at weapons.sword.attacks = 4, rules.round = simpel and at 2 more points

2 errors
"#
    );
}

#[test]
fn too_much_at_once() {
    assert_snapshot!(vary("combatants.knight.move=1..1000000"), @"
error: a sweep of 1000000 points
 --> --vary:1:24
  |
1 | combatants.knight.move=1..1000000
  |                        ^^^^^^^^^^ at most 10000 are played
  |
  = help: take larger steps, as in `10..1000:10`, or fewer values
");
    assert_snapshot!(vary("rules.fizzle_chance=0..1:0.00000001"), @"
error: a sweep of 100000001 points
 --> --vary:1:21
  |
1 | rules.fizzle_chance=0..1:0.00000001
  |                     ^^^^^^^^^^^^^^^ at most 10000 are played
  |
  = help: take larger steps, as in `10..1000:10`, or fewer values
");
    assert_snapshot!(
        refused(&["--vary", "combatants.knight.move=1..101", "--vary", "combatants.raider.move=1..100"]),
        @"
error: a sweep of 10100 points
 --> --vary:1:24
  |
1 | combatants.raider.move=1..100
  |                        ^^^^^^ at most 10000 are played
  |
  = help: take larger steps, as in `10..1000:10`, or fewer values
"
    );
    let three = ["--vary", "a=1", "--vary", "b=2", "--vary", "c=3"];
    assert_snapshot!(refused(&three), @"
error: 3 keys are varied at once
 |
 = help: at most 2 can be: fix the others with `--set`, or sweep one after the other
");
    let twice = [
        "--vary",
        "combatants.knight.move=1..3",
        "--vary",
        "combatants.'knight'.move=4",
    ];
    assert_snapshot!(refused(&twice), @"
error: a key is varied twice
 --> --vary:1:1
  |
1 | combatants.'knight'.move=4
  | ^^^^^^^^^^^^^^^^^^^^^^^^ `combatants.knight.move` varies already
  |
  = help: values of one key go into one `--vary`: `KEY=8..12,15,20`
");
    let inside = [
        "--vary",
        "weapons.sword.check={ skill = 50 }",
        "--vary",
        "weapons.sword.check.bonus=1",
    ];
    assert_snapshot!(refused(&inside), @"
error: a key is varied twice
 --> --vary:1:1
  |
1 | weapons.sword.check.bonus=1
  | ^^^^^^^^^^^^^^^^^^^^^^^^^ `weapons.sword.check` varies already
  |
  = help: values of one key go into one `--vary`: `KEY=8..12,15,20`
");
    let set = [
        "--vary",
        "combatants.knight.move=1..3",
        "--set",
        "combatants.knight.move=4",
    ];
    assert_snapshot!(refused(&set), @"
error: a key is both set and varied
 --> --vary:1:1
  |
1 | combatants.knight.move=1..3
  | ^^^^^^^^^^^^^^^^^^^^^^ `--set` fixes it
");
}

#[test]
fn metrics_and_subjects_that_are_not_there() {
    let with = |more: &[&str]| refused(&[&["--vary", "combatants.knight.move=8,9"], more].concat());
    assert_snapshot!(with(&["--metric", "win_rat"]), @"
error: no metric is called `win_rat`: did you mean `win_rate`?
");
    assert_snapshot!(with(&["--metric", "winner"]), @"
error: `winner` is a category: it has no mean; write another, such as `win_rate`
");
    assert_snapshot!(with(&["--metric", "rounds", "--metric", "rounds"]), @"
error: the metric rounds is asked for twice: leave out one of the two
");
    assert_snapshot!(with(&["--side", "castel"]), @"
error: no side is called `castel`: did you mean `castle`?
");
    assert_snapshot!(with(&["--metric", "alive", "--combatant", "squire"]), @"
error: no combatant is called `squire`; there is `knight` and `raider`
");
    assert_snapshot!(with(&["--combatant", "knight"]), @"
error: --combatant has nothing to choose: no metric of combatants is asked for; `skirmish explain metrics` lists them
");
    assert_snapshot!(with(&["--variant", "armored"]), @r#"
error: the scenario has no variant "armored"
 |
 = help: did you mean "armoured"?
"#);
}

#[test]
fn thresholds_that_cannot_be_looked_for() {
    let with = |more: &[&str]| {
        refused(
            &[
                &["--vary", "combatants.knight.move=8,9", "--threshold"],
                more,
            ]
            .concat(),
        )
    };
    assert_snapshot!(with(&["50"]), @"
error: --threshold 50: win_rate is a share; write one between 0 and 1, or between 0% and 100%
");
    assert_snapshot!(with(&["half"]), @"
error: --threshold half: no number; write 50%, 0.5 or, for a count, 12.5
");
    assert_snapshot!(with(&["-3%"]), @"
error: --threshold -3%: win_rate is a share; write one between 0 and 1, or between 0% and 100%
");
    assert_snapshot!(with(&["inf"]), @"
error: --threshold inf: no number; write 50%, 0.5 or, for a count, 12.5
");
    assert_snapshot!(with(&["5%", "--metric", "rounds"]), @"
error: --threshold 5%: rounds is a count of Rounds, no share
");
    assert_snapshot!(with(&["5", "--metric", "rounds", "--metric", "marks"]), @"
error: --threshold 5: name one --metric only, the one that should cross it
");
    assert_snapshot!(with(&["50%", "--vary", "combatants.knight.evade=1,2"]), @"
error: --threshold 50%: a threshold is looked for along one key; vary only one
");
    assert_snapshot!(refused(&["--vary", "rules.round=full,simple", "--threshold", "50%"]), @"
error: --threshold 50%: a threshold is looked for along numbers, and not all values of `rules.round` are
");
    assert_snapshot!(refused(&["--vary", "combatants.knight.move=8", "--threshold", "50%"]), @"
error: --threshold 50%: a threshold needs at least two values of the key
");
}

#[test]
fn a_folder_that_cannot_be_written() {
    let dir = TestDir::with_duel(DUEL);
    fs::create_dir_all(dir.path("results/duel/sweep.csv")).unwrap();
    let message = dir
        .call_on_duel("sweep", &["--vary", "combatants.knight.move=8,9"])
        .errors();
    assert!(
        message.contains("is in the way: it is not a file"),
        "{message}"
    );
}

#[test]
fn absurd_values_are_no_defect() {
    for argument in [
        "",
        "=",
        ".",
        "..",
        "a",
        "a=",
        "a=..",
        "a=..:",
        "a=1..2:",
        "a=1..2:3:4",
        "a=-..-",
        "a=99999999999999999999..1",
        "a=0..9223372036854775807",
        "a=9223372036854775800..9223372036854775807",
        "combatants.knight.move=9223372036854775808",
        "combatants.knight.move=[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
        "combatants.knight.move=nan",
        "combatants.knight.move=inf",
        "combatants.knight.name=raider",
        "combatants.knight.count=0..3",
        "combatants.knight.count=65",
        "combatants=[]",
        "weapons={}",
        "a=\"",
        "a='",
        "a=[",
        "a=\\",
        "a=é,ü,😀",
        "combatants.é.move=1..2",
        "a=1…3",
        "a=\u{202e}",
    ] {
        let message = vary(argument);
        assert!(message.starts_with("error: "), "{argument}: {message}");
    }
}
