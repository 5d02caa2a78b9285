//! Error messages for invalid scenarios: file, line, column, the underlined text, what was expected and the nearest
//! valid name.

use insta::assert_snapshot;

use super::{KITING, bad, bad_with, good};

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
  = help: its keys are `advantage`, `at_zero`, `attack_actions`, `attack_offsets`, `car_counts_as_move`, `car_per_round`, `carry_over`, `channel_damage_breaks`, `charges_per_round`, `check`, `combat_casting_set`, `costs`, `counters_per_round`, `down`, `fizzle_chance`, `health`, `hit`, `initiative`, `melee_unsets`, `mover_shot`, `round`, `round_marks`, `temporary_health`, `wait`

error: `range` is not a finite number
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
   = help: add the Marks after the first at which each comes: `attack_offsets = [0, 2, 4, 6, 8, 10]`

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
   |         ^^^^^^ expected a whole number from 0 to 64
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

/// The dice notation explains errors in dice; the file gives their place.
#[test]
fn a_misspelt_key_is_not_missing() {
    let text =
        KITING
            .replacen("evade = 12\n", "evaed = 12\n", 1)
            .replacen("range = 60", "ragne = 60", 1);
    let told = bad(&text);
    assert_eq!(told.matches("did you mean `evade`?").count(), 1, "{told}");
    assert_eq!(told.matches("did you mean `range`?").count(), 1, "{told}");
    assert!(!told.contains("lacks"), "{told}");
}

#[test]
fn dice_are_pointed_at_inside_their_text() {
    for (old, new) in [
        ("damage = \"1d8+3\"", "damage = \"1d8+x\""),
        ("damage = \"1d8+3\"", "damage = \"\""),
        ("damage = \"1d8+3\"", "damage = -1"),
        ("damage = \"1d8+3\"", "damage = \"-1\""),
        ("damage = \"1d8+3\"", "damage = \"5000d6\""),
    ] {
        let errors = bad_with(old, new);
        assert!(errors.contains("error: `damage`"), "{errors}");
        assert!(errors.contains("fight.toml:18:1"), "{errors}");
    }
    assert!(bad_with("\"2d10\"", "\"2q10\"").contains("error: `dice` is not in dice notation"));
    let sum = bad_with("damage = \"1d8+3\"", "damage = \"strength + 1\"");
    assert!(
        sum.contains("damage = { pool = \"strength + 1\" }"),
        "{sum}"
    );
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
  = help: numbers are written in digits, text in quotes: "like this"

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
    let single = KITING.replace("[[combatants]]", "[combatants]");
    assert_snapshot!(bad(&single), @"
error: the scenario is not valid TOML
  --> fight.toml:38:2
   |
38 | [combatants]
   |  ^^^^^^^^^^ duplicate key
   |
   = help: each of several tables is written in double brackets, as in `[[combatants]]`
");
}

#[test]
fn a_key_outside_of_its_table_names_the_table() {
    assert_snapshot!(bad_with("[encounter]\n", ""), @"
error: `[rules]` has no key `max_rounds`
 --> fight.toml:9:1
  |
9 | max_rounds = 50
  | ^^^^^^^^^^ did you mean `encounter.max_rounds`?

error: `[rules]` has no key `arena`
  --> fight.toml:10:1
   |
10 | arena = [0, 120]
   | ^^^^^ did you mean `encounter.arena`?
");
}

#[test]
fn a_dotted_key_in_quotes_and_a_number_for_dice_name_the_way_out() {
    let quoted = bad_with(
        "[encounter]\n",
        "\"initiative.mode\" = \"fixed\"\n[encounter]\n",
    );
    assert!(
        quoted.contains("write a key with a dot without quotes"),
        "{quoted}"
    );
    let number = bad_with("dice = \"2d10\"", "dice = 30");
    assert!(
        number.contains("written in quotes: `dice = \"30\"`"),
        "{number}"
    );
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
error: all combatants are on one side, "hunters"
  --> fight.toml:39:8
   |
39 | name = "brute"
   |        ^^^^^^^ expected a combatant on another side
   |
   = help: a fight needs at least two combatants, on at least two sides
"#);
    assert_snapshot!(bad("system = \"tara-corax\"\ncombatants = []\n"), @r"
error: there are no combatants
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

/// A file of many entries is refused before they are read, so that no list takes long.
#[test]
fn lists_that_are_too_long_are_not_read_to_their_end() {
    let brute = KITING.split("[[combatants]]").nth(2).unwrap();
    let brute = brute
        .split("[policies]")
        .next()
        .unwrap()
        .replace("move =", "hoove =");
    let many = format!("\n[[combatants]]{brute}").repeat(100);
    let told = bad(&format!("{KITING}{many}"));
    assert!(told.contains("65 with this one"), "{told}");
    // The first two entries are three combatants, and each of the others is two.
    assert_eq!(told.matches("has no key `hoove`").count(), 31, "{told}");
    assert!(!told.contains("two combatants are called"), "{told}");

    let many = |entry: &str| {
        let all = (0..1001).map(|number| entry.replace("NUMBER", &number.to_string()));
        all.collect::<String>()
    };
    for (text, things) in [
        (many("[items.w_NUMBER]\nkind = 3\n"), "entries in `items`"),
        (
            many("[encounter.hazards.w_NUMBER]\nkind = 3\n"),
            "entries in `hazards`",
        ),
        (
            format!("[items.w]\neffects = [{}]\n", many("{ damage = \"1d6\" },")),
            "entries in `effects`",
        ),
        (
            format!("[policies]\n{}", many("p_NUMBER = [\"pass\"]\n")),
            "policies",
        ),
        (
            format!(
                "[[variants]]\nname = \"v\"\nset = {{{}}}\n",
                many("\"rules.NUMBER\" = 3,")
            ),
            "changes",
        ),
        (
            format!(
                "[[builds]]\nname = \"v\"\nset = {{{}}}\n",
                many("\"x_NUMBER\" = 3,")
            ),
            "changes",
        ),
    ] {
        let kept = if text.starts_with("[policies]") {
            KITING.split("[policies]").next().unwrap()
        } else {
            KITING
        };
        let told = bad(&format!("{kept}{text}"));
        assert!(
            told.contains(&format!("error: too many {things}\n")),
            "{told}"
        );
        assert!(told.contains("1001; at most 1000 are read"), "{told}");
    }
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
   |               ^ expected 121 or more
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
   |                          ^^ expected a whole number from 0 to 15
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
    assert_snapshot!(bad_with("move = 15", "move = \"15 units\""), @r#"
error: `move` is text
  --> fight.toml:31:8
   |
31 | move = "15 units"
   |        ^^^^^^^^^^ expected a whole number from 0 to 1000
   |
   = help: write the number alone: 15
"#);
    assert_snapshot!(bad_with("move = 15", "move = \"2d6\""), @r#"
error: `move` is text
  --> fight.toml:31:8
   |
31 | move = "2d6"
   |        ^^^^^ expected a whole number from 0 to 1000
   |
   = help: no dice are rolled here: write one number, such as the mean
"#);
    assert_snapshot!(bad_with("move = 15", "move = \"10-15\""), @r#"
error: `move` is text
  --> fight.toml:31:8
   |
31 | move = "10-15"
   |        ^^^^^^^ expected a whole number from 0 to 1000
   |
   = help: to vary it over a range, write 10..15
"#);
    let share = bad_with(
        "round = \"full\"",
        "round = \"full\"\nfizzle_chance = \"50%\"",
    );
    assert!(share.contains("write it as a share of 1: 0.5"), "{share}");
    assert_snapshot!(bad_with("weapons = [\"axe\"]", "weapons = \"axe\""), @r#"
error: `weapons` is text
  --> fight.toml:48:11
   |
48 | weapons = "axe"
   |           ^^^^^ expected a list
   |
   = help: write it in brackets: `["axe"]`
"#);
    assert_snapshot!(bad_with("max_rounds = 50", "max_rounds = 1e3"), @r"
error: `max_rounds` is not a whole number
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
    assert_snapshot!(bad_with("check = { dice = \"2d10\", bonus = 7 }", "check = true"), @r#"
error: `check` is true or false
  --> fight.toml:23:9
   |
23 | check = true
   |         ^^^^ expected a table
   |
   = help: written like `check = { dice = "2d10", bonus = 9 }`, or
           `check = { pool = 6, difficulty = 7 }`, or
           `check = { skill = 55 }`
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
  |          ^^^^^^^^^^^ expected "tara-corax", "mage", "chronicles", "eclipse-phase" or "own"
  |
  = help: did you mean "tara-corax"?
  = help: `skirmish systems` describes each of them; any other game is `system = "own"` (docs/OWN-GAME.md), and `skirmish new FILE --system d20` writes one to begin with
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
   |              ^^^^^^^^ expected "counter", "frenzied-charge", "mounted-charge", "lansing-charge", "firing-assault" or "stand-and-fire"
   |
   = help: did you mean "counter"?
"#);
    assert_snapshot!(bad_with("name = \"brute\"", "name = \" \""), @r#"
error: a name is empty
  --> fight.toml:39:8
   |
39 | name = " "
   |        ^^^ expected 1 to 64 visible characters without double quotes
"#);
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
error: a variant lacks `set`
  --> fight.toml:58:1
   |
58 | [[variants]]
   | ^^^^^^^^^^^^ `set` is required here
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
   |                             ^^^^^^ line 3, `pass`, is always taken before this one is asked
   |
   = help: the first line that holds is taken: move this one up, or give `pass` a condition
"#);
}
