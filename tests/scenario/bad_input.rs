//! What is said about scenarios that are not in order: file, line, column, the text underlined,
//! what was expected and the nearest valid name.

use insta::assert_snapshot;

use super::{KITING, bad, bad_with, good, kiting_with};

#[test]
fn all_mistakes_of_a_file_are_told_at_once() {
    let text = KITING
        .replacen(
            "round = \"full\"",
            "round = \"fulll\"\nfizle_chance = 0.5",
            1,
        )
        .replacen("range = 60", "range = nan", 1)
        .replacen("attacks = 3", "attacks = 6", 1)
        .replacen("\"1d8+3\"", "\"1d8+x\"", 1)
        .replacen("move = 15", "move = -3", 1)
        .replacen("health = 40", "health = 0", 1)
        .replacen("count = 2", "count = 10_000", 1)
        .replacen(
            "attributes = { agility = 10, intellect = 8 }",
            "attributes = { agility = 10 }",
            1,
        )
        .replacen("evade = 12\n", "", 1)
        .replacen("distance <= 5", "distnace <= 5", 1)
        .replacen("\"attack\",\n]", "\"atack\",\n]", 1);
    assert_snapshot!(bad(&text), @r#"
error: `round` cannot be "fulll"
 --> fight.toml:6:9
  |
6 | round = "fulll"
  |         ^^^^^^^ expected "full" or "simple"
  |
  = help: did you mean "full"?

error: `[rules]` has no key `fizle_chance`
 --> fight.toml:7:1
  |
7 | fizle_chance = 0.5
  | ^^^^^^^^^^^^ did you mean `fizzle_chance`?
  |
  = help: its keys are `attack_actions`, `attack_offsets`, `car_counts_as_move`, `car_per_round`, `channel_damage_breaks`, `charges_per_round`, `counters_per_round`, `fizzle_chance`, `hit`, `initiative`, `melee_unsets`, `mover_shot`, `round`, `wait`

error: `range` is no number one could use
  --> fight.toml:16:9
   |
16 | range = nan
   |         ^^^ expected a whole number from 1 to 100000

error: the rules do not say when 6 attacks come
  --> fight.toml:17:11
   |
17 | attacks = 6
   |           ^ more than 5 attacks need `attack_offsets`
   |
   = help: add the Marks after the first at which each comes, 6 of them: `attack_offsets = [0, 2, 4, ...]`

error: `damage` is not in dice notation
  --> fight.toml:19:11
   |
19 | damage = "1d8+x"
   |           ^^^^^ not dice
   |
   = help: expected dice such as "2d6+3"

error: `move` is out of range
  --> fight.toml:32:8
   |
32 | move = -3
   |        ^^ expected a whole number from 0 to 1000

error: `health` is out of range
  --> fight.toml:35:10
   |
35 | health = 0
   |          ^ expected a whole number from 1 to 1000000

error: combatant "brute" lacks `evade`
  --> fight.toml:39:1
   |
39 | [[combatants]]
   | ^^^^^^^^^^^^^^ `evade` is required here

error: `count` is out of range
  --> fight.toml:42:9
   |
42 | count = 10_000
   |         ^^^^^^ expected a whole number from 1 to 64
   |
   = help: a fight holds at most 64 combatants, all counts together

error: `attributes` lacks `intellect`
  --> fight.toml:44:14
   |
44 | attributes = { agility = 10 }
   |              ^^^^^^^^^^^^^^^^ `intellect` is required here

error: no variable is called `distnace`
  --> fight.toml:53:17
   |
53 |   "retreat 7 if distnace <= 5",
   |                 ^^^^^^^^ did you mean `distance`?
   |
   = help: `skirmish explain policy` lists the variables

error: no action is called `atack`
  --> fight.toml:55:4
   |
55 |   "atack",
   |    ^^^^^ did you mean `attack`?
   |
   = help: written `attack [TARGET] [with WEAPON] [if CONDITION]`
"#);
}

#[test]
fn a_file_without_anything_in_it() {
    assert_snapshot!(bad("title = \"x\"\n"), @r#"
error: the scenario lacks `system` and `combatants`
 --> fight.toml:1:1
  |
1 | title = "x"
  | ^ `system` and `combatants` are required here
"#);
}

#[test]
fn syntax_errors_are_shown_like_all_others() {
    assert_snapshot!(bad("system = tara-corax\n[rules\nround = \"full\"\n"), @r#"
error: the scenario is not valid TOML
 --> fight.toml:1:10
  |
1 | system = tara-corax
  |          ^^^^^^^^^^ invalid boolean, expected `true`
  |
  = help: text is written in quotes: "like this"

error: the scenario is not valid TOML
 --> fight.toml:2:7
  |
2 | [rules
  |       ^ unclosed table, expected `]`
"#);
    assert_snapshot!(bad("a = [1,\nb = 2\n"), @r#"
error: the scenario is not valid TOML
 --> fight.toml:2:1
  |
2 | b = 2
  | ^ string values must be quoted, expected literal string
  |
  = help: text is written in quotes: "like this"
  = help: is a `]` missing before this?
"#);
    assert_snapshot!(bad("a = 1\na = 2\n"), @r"
error: the scenario is not valid TOML
 --> fight.toml:2:1
  |
2 | a = 2
  | ^ duplicate key
");
}

#[test]
fn two_combatants_of_one_name() {
    assert_snapshot!(bad_with("name = \"brute\"", "name = \"archer\""), @r#"
error: two combatants are called "archer"
  --> fight.toml:39:8
   |
27 | name = "archer"
   |        -------- the first one
...
39 | name = "archer"
   |        ^^^^^^^^ expected a name of its own
"#);
}

#[test]
fn a_name_that_a_count_takes() {
    assert_snapshot!(bad_with("name = \"archer\"", "name = \"brute 1\""), @r#"
error: two combatants are called "brute 1"
  --> fight.toml:39:8
   |
27 | name = "brute 1"
   |        --------- this one
...
39 | name = "brute"
   |        ^^^^^^^ its 2 are called `brute 1` to `brute 2`
"#);
    assert_snapshot!(bad_with("name = \"archer\"", "name = \"brute\""), @r#"
error: two combatants are called "brute"
  --> fight.toml:39:8
   |
27 | name = "brute"
   |        ------- the first one
...
39 | name = "brute"
   |        ^^^^^^^ expected a name of its own
"#);
}

#[test]
fn one_side_only() {
    assert_snapshot!(bad_with("side = \"beasts\"", "side = \"hunters\""), @r#"
error: everybody is on one side, "hunters"
  --> fight.toml:39:8
   |
39 | name = "brute"
   |        ^^^^^^^ expected somebody on another side
   |
   = help: a fight needs at least two combatants, on at least two sides
"#);
    assert_snapshot!(bad("system = \"tara-corax\"\ncombatants = []\n"), @r"
error: nobody fights
 --> fight.toml:2:1
  |
2 | combatants = []
  | ^^^^^^^^^^ expected at least two combatants, on at least two sides
");
}

#[test]
fn too_many_in_all() {
    assert_snapshot!(bad_with("count = 2", "count = 64"), @r#"
error: too many combatants
  --> fight.toml:39:8
   |
39 | name = "brute"
   |        ^^^^^^^ 65 with this one; a fight holds at most 64, counts included
"#);
}

#[test]
fn a_start_outside_the_arena() {
    assert_snapshot!(bad_with("position = 60", "position = 121"), @r"
error: a combatant starts outside the arena
  --> fight.toml:42:12
   |
42 | position = 121
   |            ^^^ the arena is 0 to 120
");
    assert_snapshot!(bad_with("arena = [0, 120]", "arena = [120, 0]"), @r"
error: `arena` ends before it begins
  --> fight.toml:11:15
   |
11 | arena = [120, 0]
   |               ^ expected more than 120
");
}

#[test]
fn keys_that_do_not_fit_a_weapon() {
    assert_snapshot!(bad_with("range = 60", "range = 60\nreach = 2"), @r#"
error: weapon "longbow" has no `reach`
  --> fight.toml:16:1
   |
16 | reach = 2
   | ^^^^^ only a melee weapon has one; this one has a `range`
"#);
    assert_snapshot!(bad_with("kind = \"melee\"", "kind = \"melee\"\nrange = 2"), @r#"
error: weapon "axe" has no `range`
  --> fight.toml:22:1
   |
22 | range = 2
   | ^^^^^ a melee weapon has a `reach` instead
"#);
}

#[test]
fn offsets_of_attacks() {
    let with = |offsets: &str| {
        bad_with(
            "attacks = 3",
            &format!("attacks = 3\nattack_offsets = {offsets}"),
        )
    };
    assert_snapshot!(with("[0, 5]"), @r"
error: `attack_offsets` has the wrong length
  --> fight.toml:17:18
   |
17 | attack_offsets = [0, 5]
   |                  ^^^^^^ 3 Marks are needed, one for each attack; found 2
");
    assert_snapshot!(with("[1, 5, 10]"), @r"
error: `attack_offsets` does not rise strictly from 0
  --> fight.toml:17:19
   |
17 | attack_offsets = [1, 5, 10]
   |                   ^ the first attack comes at once: expected 0
");
    assert_snapshot!(with("[0, 10, 10]"), @r"
error: `attack_offsets` does not rise strictly from 0
  --> fight.toml:17:26
   |
17 | attack_offsets = [0, 10, 10]
   |                          ^^ expected more than the 10 before it
");
    assert_snapshot!(with("[0, 10, 30]"), @r"
error: `attack_offsets` is out of range
  --> fight.toml:17:26
   |
17 | attack_offsets = [0, 10, 30]
   |                          ^^ expected a whole number from 0 to 29
");
    assert_snapshot!(bad_with("[rules]", "[rules]\nattack_offsets = { 0 = [], 2 = [0] }"), @r"
error: `0` is no number of attacks
 --> fight.toml:6:20
  |
6 | attack_offsets = { 0 = [], 2 = [0] }
  |                    ^ expected a whole number from 1 to 30

error: `attack_offsets` has the wrong length
 --> fight.toml:6:32
  |
6 | attack_offsets = { 0 = [], 2 = [0] }
  |                                ^^^ 2 Marks are needed, one for each attack; found 1
");
}

#[test]
fn values_of_the_wrong_type() {
    assert_snapshot!(bad_with("move = 15", "move = \"15\""), @r#"
error: `move` is text
  --> fight.toml:31:8
   |
31 | move = "15"
   |        ^^^^ expected a whole number from 0 to 1000
   |
   = help: write numbers without quotes
"#);
    assert_snapshot!(bad_with("weapons = [\"axe\"]", "weapons = \"axe\""), @r#"
error: `weapons` is text
  --> fight.toml:48:11
   |
48 | weapons = "axe"
   |           ^^^^^ expected a list
   |
   = help: write it in brackets: `["..."]`
"#);
    assert_snapshot!(bad_with("max_rounds = 50", "max_rounds = 1e3"), @r"
error: `max_rounds` is a number with a point
  --> fight.toml:10:14
   |
10 | max_rounds = 1e3
   |              ^^^ expected a whole number from 1 to 10000
");
    assert_snapshot!(bad_with("[rules]", "[rules]\nfizzle_chance = inf"), @r"
error: `fizzle_chance` is out of range: inf
 --> fight.toml:6:17
  |
6 | fizzle_chance = inf
  |                 ^^^ expected a number from 0 to 1
");
    assert_snapshot!(bad_with("[rules]", "[rules]\nwait = \"no\""), @r#"
error: `wait` is text
 --> fight.toml:6:8
  |
6 | wait = "no"
  |        ^^^^ expected `true` or `false`
"#);
    assert_snapshot!(bad_with("policy = \"kite\"", "policy = 3"), @r"
error: `policy` is a whole number
  --> fight.toml:36:10
   |
36 | policy = 3
   |          ^ expected the name of a policy, or a list of lines
");
    assert_snapshot!(bad_with("check = { dice = \"2d10\", bonus = 7 }", "check = \"2d10+7\""), @r#"
error: `check` is text
  --> fight.toml:23:9
   |
23 | check = "2d10+7"
   |         ^^^^^^^^ expected a table
   |
   = help: written like `check = { dice = "2d10", bonus = 9 }`
"#);
}

#[test]
fn names_that_lead_nowhere() {
    assert_snapshot!(bad_with("weapons = [\"axe\"]", "weapons = [\"axx\"]"), @r#"
error: no weapon is called "axx"
  --> fight.toml:48:12
   |
48 | weapons = ["axx"]
   |            ^^^^^ did you mean "axe"?
   |
   = help: weapons are defined in tables `[weapons.NAME]`
"#);
    assert_snapshot!(bad_with("policy = \"kite\"", "policy = \"kit\""), @r#"
error: no policy is called "kit"
  --> fight.toml:36:10
   |
36 | policy = "kit"
   |          ^^^^^ did you mean "kite"?
   |
   = help: a policy written in place is a list: `policy = ["attack", "advance"]`
"#);
    assert_snapshot!(bad_with("tara-corax", "taracorax"), @r#"
error: `system` cannot be "taracorax"
 --> fight.toml:3:10
  |
3 | system = "taracorax"
  |          ^^^^^^^^^^^ expected "tara-corax"
  |
  = help: did you mean "tara-corax"?
"#);
    assert_snapshot!(bad_with("weapons = [\"axe\"]", "weapons = [\"axe\"]\nundrawn = [\"longbow\"]"), @r#"
error: `undrawn` names "longbow", which is none of its weapons
  --> fight.toml:49:12
   |
49 | undrawn = ["longbow"]
   |            ^^^^^^^^^ its weapons are `axe`
"#);
    assert_snapshot!(bad_with("weapons = [\"axe\"]", "weapons = [\"axe\"]\nabilities = [\"conter\"]"), @r#"
error: `abilities` cannot be "conter"
  --> fight.toml:49:14
   |
49 | abilities = ["conter"]
   |              ^^^^^^^^ expected "counter", "frenzied_charge", "mounted_charge", "lansing_charge", "firing_assault" or "stand_and_fire"
   |
   = help: did you mean "counter"?
"#);
    assert_snapshot!(bad_with("name = \"brute\"", "name = \" \""), @r#"
error: a name is empty
  --> fight.toml:39:8
   |
39 | name = " "
   |        ^^^ expected 1 to 64 characters without control characters or double quotes
"#);
}

/// A policy of the archer, who has a longbow and nothing else.
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

error: no item called "potion" is at hand
  --> fight.toml:54:23
   |
54 |   'use potion if uses.potion > 1',
   |                       ^^^^^^ "archer" has no items
   |
   = help: a policy can only name an item that is in the combatant's `items`
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
   = help: give it `abilities = ["frenzied_charge"]`, `"mounted_charge"` or `"lansing_charge"`

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
error: nobody is called "bruet"
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
    let spells = "[spells.wall]\nchannel = true\ncasting_time = 3\nrange = 3\ndamage = 1\n[spells.bolt]\ncasting_time = 5\nrange = 3\ndamage = \"d\"\n[policies]";
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

error: `damage` is not in dice notation
  --> fight.toml:60:11
   |
60 | damage = "d"
   |           ^ not dice
   |
   = help: expected dice such as "2d6+3"

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
   = help: there is no division: multiply the other side, as in `hp * 3 < max_hp`
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
   |    ^^^^^ expected an action
   |
   = help: the actions are `attack`, `desperate`, `set`, `advance`, `retreat`, `cast`, `channel`, `combat_cast`, `car`, `charge`, `use`, `draw`, `stand`, `wait`, `delay` or `pass`
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
error: `wait` lacks a number of Marks, 1 to 30
  --> fight.toml:54:8
   |
54 |   'wait',
   |        ^ expected a number of Marks, 1 to 30
   |
   = help: written `wait K`
");
    assert_snapshot!(archer("'wait 31'"), @r"
error: `31` is out of range
  --> fight.toml:54:9
   |
54 |   'wait 31',
   |         ^^ expected a number of Marks, 1 to 30
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
    // The text in the file is not the text of the line: all of it is underlined.
    assert_snapshot!(archer("\"attack \\\"nobody\\\"\""), @r#"
error: nobody is called "nobody"
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

#[test]
fn variants_that_are_none() {
    let with = |variants: &str| {
        bad(&format!(
            "{}{variants}",
            &KITING[..KITING.find("[[variants]]").expect("variants")]
        ))
    };
    assert_snapshot!(with("[[variants]]\nname = \"base\"\nset = { \"rules.round\" = \"simple\" }\n"), @r#"
error: a variant is called "base"
  --> fight.toml:59:8
   |
59 | name = "base"
   |        ^^^^^^ expected another name
   |
   = help: the file as it stands is the variant `base`
"#);
    assert_snapshot!(with("[[variants]]\nname = \"x\"\n"), @r#"
error: a variant changes nothing
  --> fight.toml:59:8
   |
59 | name = "x"
   |        ^^^ expected `set` with at least one value
   |
   = help: written like `set = { "rules.round" = "simple" }`
"#);
    assert_snapshot!(with("[[variants]]\nname = \"x\"\nset = {}\n"), @r#"
error: a variant changes nothing
  --> fight.toml:59:8
   |
59 | name = "x"
   |        ^^^ expected `set` with at least one value
   |
   = help: written like `set = { "rules.round" = "simple" }`
"#);
    assert_snapshot!(with("[[variants]]\nname = \"x\"\nset = { \"rules.hit\" = \"meet\" }\n"), @r#"
error: a variant changes nothing
  --> fight.toml:59:8
   |
59 | name = "x"
   |        ^^^ every value it sets is what the base has already
"#);
    assert_snapshot!(with("[[variants]]\nname = \"x\"\nset = { \"rules.hit\" = \"beat\" }\n[[variants]]\nname = \"x\"\nset = { \"rules.round\" = \"simple\" }\n"), @r#"
error: two variants are called "x"
  --> fight.toml:62:8
   |
59 | name = "x"
   |        --- the first one
...
62 | name = "x"
   |        ^^^ expected a name of its own
"#);
}

#[test]
fn things_that_are_probably_not_meant_are_warned_of() {
    let text = KITING
        .replacen(
            "[weapons.axe]",
            "[weapons.club]\nkind = \"melee\"\ncheck = { dice = \"2d10\" }\ndamage = 1\n[weapons.axe]",
            1,
        )
        .replacen("[policies]", "[policies]\nidle = [\"pass\"]", 1)
        .replacen("\"set if not ready\",\n", "\"set if 1 > 2\", \"pass\",", 1);
    let loaded = good(&text);
    assert_snapshot!(loaded.warnings.to_string(), @r#"
warning: weapon "club" is never used
  --> fight.toml:20:10
   |
20 | [weapons.club]
   |          ^^^^ no combatant has it

warning: policy "idle" is never used
  --> fight.toml:56:1
   |
56 | idle = ["pass"]
   | ^^^^ no combatant follows it

warning: a condition never holds
  --> fight.toml:59:11
   |
59 |   "set if 1 > 2", "pass",  "attack",
   |           ^^^^^ whatever happens, this is false

warning: a policy line is never reached
  --> fight.toml:59:29
   |
59 |   "set if 1 > 2", "pass",  "attack",
   |                             ^^^^^^ line 3 always passes before this one is asked
   |
   = help: the first line that holds is taken: move this one up, or give `pass` a condition
"#);
}
