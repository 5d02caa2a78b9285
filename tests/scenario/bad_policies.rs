//! Error messages for invalid policies: the underlined characters inside the text.

use insta::assert_snapshot;

use super::{bad, bad_with, kiting_with};

/// Returns the errors about a policy line of the archer, who has only a longbow.
fn archer(line: &str) -> String {
    bad_with("\"set if not ready\",\n", &format!("{line},\n"))
}

#[test]
fn policies_that_ask_for_what_the_combatant_lacks() {
    assert_snapshot!(archer("'attack with longbwo'"), @r#"
error: no weapon called "longbwo" is at hand
  --> fight.toml:54:16
   |
54 |   'attack with longbwo',
   |                ^^^^^^^ did you mean `longbow`?
   |
   = help: a policy can only name a weapon that is in the combatant's `weapons`
"#);
    assert_snapshot!(archer("'cast fireball'"), @r#"
error: no spell called "fireball" is at hand
  --> fight.toml:54:9
   |
54 |   'cast fireball',
   |         ^^^^^^^^ "archer" has no spells
   |
   = help: a policy can only name a spell that is in the combatant's `spells`
"#);
    assert_snapshot!(archer("'use potion if uses.potion > 1'"), @r#"
error: no item called "potion" is at hand
  --> fight.toml:54:8
   |
54 |   'use potion if uses.potion > 1',
   |        ^^^^^^ "archer" has no items
   |
   = help: a policy can only name an item that is in the combatant's `items`

error: no item or weapon with `uses` called "potion" is at hand
  --> fight.toml:54:23
   |
54 |   'use potion if uses.potion > 1',
   |                       ^^^^^^ "archer" has none with `uses`
   |
   = help: `uses` asks for an item or a weapon with `uses` of the combatant
"#);
    assert_snapshot!(archer("'car'"), @r#"
error: `car` needs a Combat Action Radius
  --> fight.toml:54:4
   |
54 |   'car',
   |    ^^^ "archer" has no `car`
   |
   = help: give it a radius in Units: `car = 10`

error: `car` needs a melee weapon
  --> fight.toml:54:4
   |
54 |   'car',
   |    ^^^ "archer" has only `longbow`
   |
   = help: name it in the combatant's `weapons`
"#);
    assert_snapshot!(archer("'charge'"), @r#"
error: `charge` needs a charging ability
  --> fight.toml:54:4
   |
54 |   'charge',
   |    ^^^^^^ "archer" has none of the three charges
   |
   = help: give it `abilities = ["frenzied-charge"]`, `"mounted-charge"` or `"lansing-charge"`

error: `charge` needs a melee weapon
  --> fight.toml:54:4
   |
54 |   'charge',
   |    ^^^^^^ "archer" has only `longbow`
   |
   = help: name it in the combatant's `weapons`
"#);
    assert_snapshot!(archer("'combat_cast advance'"), @r#"
error: `combat_cast` needs the Combat Casting skill
  --> fight.toml:54:4
   |
54 |   'combat_cast advance',
   |    ^^^^^^^^^^^ "archer" has no `combat_casting`
   |
   = help: give it `combat_casting = { check = "1d10+5", target = 2, units_per = 3 }`
"#);
    assert_snapshot!(archer("'attack bruet'"), @r#"
error: no combatant is called "bruet"
  --> fight.toml:54:11
   |
54 |   'attack bruet',
   |           ^^^^^ did you mean `brute`?
   |
   = help: a target is `nearest`, `weakest`, `strongest`, `casting` or the name of an enemy: `brute`
"#);
    assert_snapshot!(archer("'attack archer'"), @r#"
error: "archer" is no enemy
  --> fight.toml:54:11
   |
54 |   'attack archer',
   |           ^^^^^^ on "hunters", the side of "archer" itself
   |
   = help: a target is `nearest`, `weakest`, `strongest`, `casting` or the name of an enemy: `brute`
"#);
    assert_snapshot!(bad_with("\"set if not ready\", \"advance 10\"", "\"desperate\""), @r#"
error: `desperate` needs a ranged weapon
  --> fight.toml:49:22
   |
49 | policy = ["attack", "desperate"]
   |                      ^^^^^^^^^ "brute" has only `axe`
   |
   = help: name it in the combatant's `weapons`
"#);
}

#[test]
fn spells_that_are_channels_and_spells_that_are_not() {
    let spells = "[spells.wall]\nchannel = true\ncasting_time = 3\nrange = 3\ndamage = 1\n[spells.bolt]\ncasting_time = 5\nrange = 3\ndamage = \"1d6\"\n[policies]";
    let text = kiting_with("[policies]", spells)
        .replacen(
            "policy = \"kite\"",
            "policy = \"kite\"\nspells = [\"wall\", \"bolt\"]",
            1,
        )
        .replacen("\"set if not ready\",\n", "'cast wall', 'channel bolt',", 1);
    assert_snapshot!(bad(&text), @r#"
error: spell "wall" has no `casting_time`
  --> fight.toml:54:1
   |
54 | casting_time = 3
   | ^^^^^^^^^^^^ a Channel takes all Marks of a Round, and comes at its end

error: "wall" is a Channel
  --> fight.toml:64:9
   |
64 |   'cast wall', 'channel bolt',  "attack",
   |         ^^^^ written `channel wall`
   |
   = help: a spell with `channel = true` is channelled, every other is cast

error: "bolt" is a spell with a casting time
  --> fight.toml:64:25
   |
64 |   'cast wall', 'channel bolt',  "attack",
   |                         ^^^^ written `cast bolt`
   |
   = help: a spell with `channel = true` is channelled, every other is cast
"#);
}

#[test]
fn waiting_where_it_is_not_allowed() {
    let text = kiting_with("[rules]", "[rules]\nwait = false").replacen(
        "\"set if not ready\",\n",
        "\"wait 3\",",
        1,
    );
    assert_snapshot!(bad(&text), @r#"
error: `wait` is not allowed by the rules of this scenario
  --> fight.toml:55:4
   |
55 |   "wait 3",  "attack",
   |    ^^^^ `rules.wait` is false
   |
   = help: take the line out, or set `rules.wait = true`
"#);
}

#[test]
fn conditions_are_typed() {
    assert_snapshot!(archer("'set if distance and ready'"), @r"
error: `and` needs true or false, but `distance` is a number (Units)
  --> fight.toml:54:11
   |
54 |   'set if distance and ready',
   |           ^^^^^^^^ a number (Units); expected true or false
   |
   = help: compare it with something: `distance > 0`
");
    assert_snapshot!(archer("'set if ready > 3'"), @r"
error: `>` needs a number, but `ready` is true or false
  --> fight.toml:54:11
   |
54 |   'set if ready > 3',
   |           ^^^^^ true or false; expected a number
   |
   = help: truth values are joined by `and`, `or` and `not`: `ready and ...`
");
    assert_snapshot!(archer("'set if ready = false'"), @r"
error: `=` needs a number, but `ready` is true or false
  --> fight.toml:54:11
   |
54 |   'set if ready = false',
   |           ^^^^^ true or false; expected a number
   |
   = help: write `not ready`
");
    assert_snapshot!(archer("'set if distance'"), @r"
error: a condition needs true or false, but `distance` is a number (Units)
  --> fight.toml:54:11
   |
54 |   'set if distance',
   |           ^^^^^^^^ a number (Units); expected true or false
   |
   = help: compare it with something: `distance > 0`
");
    assert_snapshot!(archer("'set if 1 < distance < 5'"), @r"
error: `<` does not belong here
  --> fight.toml:54:24
   |
54 |   'set if 1 < distance < 5',
   |                        ^ comparisons do not chain
   |
   = help: write `1 < distance and distance < 5`
");
    assert_snapshot!(archer("'set if hp / 2 > 3'"), @r"
error: `/` means nothing in a condition
  --> fight.toml:54:14
   |
54 |   'set if hp / 2 > 3',
   |              ^ not a sign of this language
   |
   = help: there is no division: multiply the other side, as in `health * 3 < max_health`
");
    assert_snapshot!(archer("'set if hp == 2'"), @r"
error: `==` means nothing in a condition
  --> fight.toml:54:14
   |
54 |   'set if hp == 2',
   |              ^^ not a sign of this language
   |
   = help: write `=`
");
    assert_snapshot!(archer("'set if (hp = 2'"), @r"
error: a condition ends too early
  --> fight.toml:54:18
   |
54 |   'set if (hp = 2',
   |                  ^ expected `)`
");
    assert_snapshot!(archer("'set if'"), @r"
error: a condition is missing
  --> fight.toml:54:10
   |
54 |   'set if',
   |          ^ expected a condition such as `distance <= 5`
");
    assert_snapshot!(archer("'set if hp > 2000000000'"), @r"
error: a number is too large
  --> fight.toml:54:16
   |
54 |   'set if hp > 2000000000',
   |                ^^^^^^^^^^ the greatest that may be written is 1000000000
");
    assert_snapshot!(archer("'set if hp * hp * hp * hp > 1'"), @r"
error: an expression is too large to be worked out exactly
  --> fight.toml:54:11
   |
54 |   'set if hp * hp * hp * hp > 1',
   |           ^^^^^^^^^^^^^^^^^ it could pass 9223372036854775807, or has more than 32 terms or 4 factors
   |
   = help: use smaller numbers or fewer products of variables
");
}

#[test]
fn lines_that_do_not_parse() {
    assert_snapshot!(archer("''"), @r"
error: a policy line is empty
  --> fight.toml:54:4
   |
54 |   '',
   |    ^ expected an action
   |
   = help: a line that does nothing is `pass`
");
    assert_snapshot!(archer("'shoot'"), @r"
error: no action is called `shoot`
  --> fight.toml:54:4
   |
54 |   'shoot',
   |    ^^^^^ `shoot` is called `attack` here
   |
   = help: written `attack [TARGET] [with WEAPON] [if CONDITION]`
");
    assert_snapshot!(archer("'retreat 7 when distance < 5'"), @r"
error: `when` does not belong here
  --> fight.toml:54:14
   |
54 |   'retreat 7 when distance < 5',
   |              ^^^^ expected `if` or the end of the line
   |
   = help: a condition begins with `if`
");
    assert_snapshot!(archer("'set now'"), @r"
error: `now` does not belong here
  --> fight.toml:54:8
   |
54 |   'set now',
   |        ^^^ expected `if` or the end of the line
   |
   = help: written `set [if CONDITION]`; names with a space are quoted
");
    assert_snapshot!(archer("'wait'"), @r"
error: `wait` lacks a number of Marks
  --> fight.toml:54:8
   |
54 |   'wait',
   |        ^ expected a number of Marks
   |
   = help: written `wait K`
");
    assert_snapshot!(archer("'wait 31'"), @r"
error: `31` is out of range
  --> fight.toml:54:9
   |
54 |   'wait 31',
   |         ^^ expected a number of Marks, 1 to 30
   |
   = help: a Round has 30 Marks (`rules.round_marks`, TC-1)
");
    assert_snapshot!(archer("'advance 3 to if hp > 1'"), @r"
error: `advance` lacks a distance in Units
  --> fight.toml:54:17
   |
54 |   'advance 3 to if hp > 1',
   |                 ^^ expected a distance in Units
   |
   = help: written `advance [N] [to D] [TARGET]`
");
    assert_snapshot!(archer("'attack \"long'"), @r#"
error: a quoted name does not end
  --> fight.toml:54:11
   |
54 |   'attack "long',
   |           ^^^^^ this " has no partner
"#);
    // The text in the file differs from the text of the line, so all of it is underlined.
    assert_snapshot!(archer("\"attack \\\"nobody\\\"\""), @r#"
error: no combatant is called "nobody"
  --> fight.toml:54:3
   |
54 |   "attack \"nobody\"",
   |   ^^^^^^^^^^^^^^^^^^^ expected a target
   |
   = help: a target is `nearest`, `weakest`, `strongest`, `casting` or the name of an enemy: `brute`
"#);
}

#[test]
fn a_policy_of_several_is_complained_about_once() {
    let text = kiting_with(
        "policy = [\"attack\", \"set if not ready\", \"advance 10\"]",
        "policy = \"kite\"",
    )
    .replacen("\"set if not ready\",\n", "'use potion',", 1);
    assert_eq!(bad(&text).matches("error").count(), 1);
}
