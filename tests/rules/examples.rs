//! The worked examples of the published text, TC-E1 to TC-E8. Each policy writes down what the
//! example's player chooses, Round by Round.

use super::stage::play;
use skirmish::chance::Purpose::{Check, Damage, Initiative, Other};

/// A target that stands there and does nothing.
fn dummy(position: i32) -> String {
    format!(
        r#"
[[combatants]]
name = "dummy"
side = "others"
position = {position}
attributes = {{ agility = 0, intellect = 0 }}
move = 0
evade = 30
health = 100
policy = ["pass"]
"#
    )
}

fn archer(policy: &str, rounds: u32) -> String {
    format!(
        r#"
system = "tara-corax"
[encounter]
max_rounds = {rounds}
[weapons.bow]
kind = "ranged"
range = 200
attacks = 3
check = {{ dice = "2d10" }}
damage = "1d8"
[[combatants]]
name = "rogue"
side = "rogues"
position = 0
attributes = {{ agility = 15, intellect = 15 }}
move = 15
evade = 15
health = 30
weapons = ["bow"]
policy = {policy}
{}"#,
        dummy(20)
    )
}

/// TC-E1.
#[test]
fn tc_e1_kiting_four_attacks_and_fifteen_units_in_four_rounds() {
    let policy = r#"[
        "retreat 4 if round = 1 and not acted",
        "retreat 1 if round = 4 and not acted",
        "set if not ready and not attacked",
        "attack",
        "retreat if round != 4",
    ]"#;
    let played = play(
        &archer(policy, 4),
        &[
            (0, Initiative, &[9, 7, 8, 6]),
            (1, Initiative, &[1, 1, 1, 1]),
            (0, Check, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        ],
    );
    let lines: Vec<&str> = played
        .of("rogue")
        .into_iter()
        .filter(|line| !line.contains("attacks dummy"))
        .collect();
    assert_eq!(
        lines,
        [
            "R1 30 rogue score 24",
            "R1 23 rogue steps 0>-1",
            "R1 22 rogue steps -1>-2",
            "R1 21 rogue steps -2>-3",
            "R1 20 rogue steps -3>-4",
            "R1 20 rogue sets",
            "R1 15 rogue begins 1",
            "R2 30 rogue score 22",
            "R2 22 rogue begins 3",
            "R2 6 rogue steps -4>-5",
            "R2 5 rogue steps -5>-6",
            "R2 4 rogue steps -6>-7",
            "R2 3 rogue steps -7>-8",
            "R2 2 rogue steps -8>-9",
            "R2 1 rogue steps -9>-10",
            "R2 0 rogue steps -10>-11",
            "R3 30 rogue score 23",
            "R3 23 rogue sets",
            "R3 18 rogue begins 1",
            "R3 2 rogue steps -11>-12",
            "R3 1 rogue steps -12>-13",
            "R3 0 rogue steps -13>-14",
            "R4 30 rogue score 21",
            "R4 20 rogue steps -14>-15",
            "R4 20 rogue sets",
            "R4 15 rogue begins 1",
        ]
    );
    assert_eq!(played.record.combatants[0].units_moved, 15);
    assert_eq!(played.only(&["begins"]).len(), 4);
}

/// TC-E2.
#[test]
fn tc_e2_a_set_lasts_into_the_next_round() {
    let policy = r#"[
        "pass if round = 1 and attacked",
        "attack if round != 3",
        "retreat 12 if round = 3 and not moved",
        "retreat if round != 3",
        "set if round = 3 and not ready",
    ]"#;
    let played = play(
        &archer(policy, 4),
        &[
            (0, Initiative, &[9, 8, 2, 7]),
            (1, Initiative, &[1, 1, 1, 1]),
            (0, Check, &[1; 18]),
        ],
    );
    // Round 3 ends Set at Mark 0, so that Round 4 begins with a full volley. In Round 2 the text
    // counts 8 Units left over: all of them are walked, and Round 3 begins un-set all the same.
    assert_eq!(
        played.only(&["score", "begins", "sets"]),
        [
            "R1 30 rogue score 24",
            "R1 30 dummy score 1",
            "R1 24 rogue begins 3",
            "R2 30 rogue score 23",
            "R2 30 dummy score 1",
            "R2 23 rogue begins 3",
            "R3 30 rogue score 17",
            "R3 30 dummy score 1",
            "R3 5 rogue sets",
            "R4 30 rogue score 22",
            "R4 30 dummy score 1",
            "R4 22 rogue begins 3",
        ]
    );
    let steps = |round: &str| {
        played
            .of("rogue")
            .iter()
            .filter(|line| line.starts_with(round) && line.contains("steps"))
            .count()
    };
    assert_eq!(
        [steps("R1"), steps("R2"), steps("R3"), steps("R4")],
        [0, 8, 12, 7]
    );
    assert_eq!(
        played
            .of("rogue")
            .iter()
            .filter(|line| line.ends_with("attacks dummy miss"))
            .count(),
        9
    );
}

/// TC-E3.
#[test]
fn tc_e3_a_mage_casts_carries_over_and_moves_while_casting() {
    let toml = r#"
system = "tara-corax"
[encounter]
max_rounds = 3
[weapons.staff]
kind = "melee"
attacks = 2
check = { dice = "2d10" }
damage = "1d6"
[spells.long]
casting_time = 20
range = 100
damage = "1d6"
[spells.short]
casting_time = 10
range = 100
damage = "1d6"
[[combatants]]
name = "mage"
side = "mages"
position = 0
attributes = { agility = 14, intellect = 14 }
move = 10
evade = 30
health = 30
weapons = ["staff"]
spells = ["long", "short"]
combat_casting = { check = "1d10+1", target = 2, units_per = 3 }
policy = [
  "combat_cast retreat if mark = 12",
  "retreat 6 if round = 1 and not acted",
  "cast long far if round = 1",
  "attack near if round = 2",
  "set if round = 3 and not acted",
  "cast short far if round = 3 and not casting and mark > 3",
  "retreat 3 if round = 3",
]
[[combatants]]
name = "near"
side = "others"
position = 5
attributes = { agility = 14, intellect = 12 }
move = 30
evade = 2
health = 2
policy = ["advance if round = 2"]
[[combatants]]
name = "far"
side = "others"
position = 50
attributes = { agility = 0, intellect = 0 }
move = 0
evade = 30
health = 100
policy = ["pass"]
"#;
    let played = play(
        toml,
        &[
            (0, Initiative, &[7, 6, 9]),
            (1, Initiative, &[10, 10, 10, 10]),
            (2, Initiative, &[1, 1, 1]),
            (0, Check, &[1, 1]),
            (0, Damage, &[3, 6, 4]),
            (0, Other, &[10]),
        ],
    );
    assert_eq!(
        played.of("mage"),
        [
            "R1 30 mage score 21",
            "R1 20 mage steps 0>-1",
            "R1 19 mage steps -1>-2",
            "R1 18 mage steps -2>-3",
            "R1 17 mage steps -3>-4",
            "R1 16 mage steps -4>-5",
            "R1 15 mage steps -5>-6",
            "R1 15 mage casts long due 25+1R",
            "R2 30 mage score 15",
            "R2 25 mage long goes off at far",
            "R2 15 mage begins 2",
            "R2 15 mage attacks near hit",
            "R2 8 mage loses an attack",
            "R3 30 mage score 23",
            "R3 23 mage sets",
            "R3 18 mage casts short due 8+0R",
            "R3 12 mage skill 11: 3 units",
            "R3 12 mage shifts -6>-7",
            "R3 12 mage shifts -7>-8",
            "R3 12 mage shifts -8>-9",
            "R3 8 mage short goes off at far",
            "R3 2 mage steps -9>-10",
            "R3 1 mage steps -10>-11",
            "R3 0 mage steps -11>-12",
        ]
    );
}

fn warrior(policy: &str, others: &str, rounds: u32) -> String {
    format!(
        r#"
system = "tara-corax"
[encounter]
max_rounds = {rounds}
[weapons.sword]
kind = "melee"
attacks = 2
check = {{ dice = "2d10" }}
damage = "1d8"
[items.potion]
cost = "half"
heal = 5
[[combatants]]
name = "warrior"
side = "warriors"
position = 0
attributes = {{ agility = 9, intellect = 9 }}
move = 8
evade = 12
health = 30
car = 10
abilities = ["counter", "frenzied_charge"]
weapons = ["sword"]
items = ["potion"]
policy = {policy}
{others}"#
    )
}

fn enemy(name: &str, position: i32, health: i32, policy: &str) -> String {
    format!(
        r#"
[[combatants]]
name = "{name}"
side = "others"
position = {position}
attributes = {{ agility = 5, intellect = 5 }}
move = 10
evade = 12
health = {health}
weapons = ["sword"]
policy = {policy}
"#
    )
}

/// TC-E4.
#[test]
fn tc_e4_a_warrior_intercepts_counters_and_charges() {
    let policy = r#"[
        "car if round = 1",
        "car if round = 2 and attacked",
        "use potion if round = 2 and attacked",
        "attack first if round = 1",
        "attack first if round = 2",
        "attack second if round = 3",
        "advance 2 third if round = 3 and attacked",
        "charge third if round = 4",
        "set if round = 4 and not ready",
    ]"#;
    let others = enemy("first", 10, 8, r#"["pass"]"#)
        + &enemy("second", 20, 4, r#"["attack if round = 3"]"#)
        + &enemy("third", 30, 9, r#"["pass"]"#);
    let played = play(
        &warrior(policy, &others, 4),
        &[
            (0, Initiative, &[4, 10, 6, 8, 7]),
            (1, Initiative, &[1, 1]),
            (2, Initiative, &[1, 1, 10, 10]),
            (3, Initiative, &[1, 1, 1, 1]),
            // Round 1: a single hit. Round 2: the first of two fells. Round 3: the counter misses,
            // the first attack fells. Round 4: the charge hits.
            (0, Check, &[6, 6, 6, 6, 1, 1, 6, 6, 6, 6]),
            (2, Check, &[1, 1, 1, 1]),
            (0, Damage, &[4, 4, 4, 4]),
        ],
    );
    assert_eq!(
        played.of("warrior")[..],
        [
            "R1 30 warrior score 13",
            "R1 13 warrior cars at first",
            "R1 13 warrior intercepts 0>1",
            "R1 13 warrior intercepts 1>2",
            "R1 13 warrior intercepts 2>3",
            "R1 13 warrior intercepts 3>4",
            "R1 13 warrior intercepts 4>5",
            "R1 13 warrior intercepts 5>6",
            "R1 13 warrior intercepts 6>7",
            "R1 13 warrior intercepts 7>8",
            "R1 13 warrior intercepts 8>9",
            "R1 13 warrior intercepts 9>10",
            "R1 13 warrior begins 1",
            "R1 13 warrior attacks first hit",
            "R2 30 warrior score 25",
            "R2 25 warrior begins 2",
            "R2 25 warrior attacks first hit",
            "R2 18 warrior loses an attack",
            "R2 10 warrior cars at second",
            "R2 10 warrior intercepts 10>11",
            "R2 10 warrior intercepts 11>12",
            "R2 10 warrior intercepts 12>13",
            "R2 10 warrior intercepts 13>14",
            "R2 10 warrior intercepts 14>15",
            "R2 10 warrior intercepts 15>16",
            "R2 10 warrior intercepts 16>17",
            "R2 10 warrior intercepts 17>18",
            "R2 10 warrior intercepts 18>19",
            "R2 10 warrior intercepts 19>20",
            "R2 10 warrior uses potion +0",
            "R3 30 warrior score 17",
            "R3 25 warrior counters second miss",
            "R3 17 warrior begins 2",
            "R3 17 warrior attacks second hit",
            "R3 10 warrior loses an attack",
            "R3 1 warrior steps 20>21",
            "R3 0 warrior steps 21>22",
            "R4 30 warrior score 16",
            "R4 16 warrior begins a charge at third",
            "R4 16 warrior charges 22>23",
            "R4 16 warrior charges 23>24",
            "R4 16 warrior charges 24>25",
            "R4 16 warrior charges 25>26",
            "R4 16 warrior charges 26>27",
            "R4 16 warrior charges 27>28",
            "R4 16 warrior charges 28>29",
            "R4 16 warrior charges 29>30",
            "R4 16 warrior strikes in the charge third hit",
            "R4 11 warrior sets",
            "R4 6 warrior done, 6 left",
        ]
    );
    // Ten Units by CAR twice, two steps, a charge of eight: the text's 30 Units.
    assert_eq!(played.record.combatants[0].units_moved, 30);
    assert_eq!(played.record.combatants[0].marks_forfeited, 6);
}

/// TC-E5.
#[test]
fn tc_e5_a_rogue_in_melee_needs_two_rounds_where_a_warrior_needs_one() {
    let toml = format!(
        r#"
system = "tara-corax"
[encounter]
max_rounds = 4
[weapons.sword]
kind = "melee"
attacks = 3
check = {{ dice = "2d10" }}
damage = "1d8"
[[combatants]]
name = "rogue"
side = "rogues"
position = 0
attributes = {{ agility = 12, intellect = 12 }}
move = 13
evade = 15
health = 30
weapons = ["sword"]
policy = [
  "advance 8 first if round = 1 and not moved",
  "attack first if round = 2",
  "advance second if round = 2 or round = 3",
  "attack second if round = 3",
  "attack second if round = 4",
  "advance 3 third if round = 4",
  "set if in_melee and not ready",
]
{}{}{}"#,
        enemy("first", 8, 3, r#"["pass"]"#),
        enemy("second", 15, 6, r#"["pass"]"#),
        enemy("third", 30, 3, r#"["pass"]"#)
    );
    let played = play(
        &toml,
        &[
            (0, Initiative, &[9, 5, 10, 4, 6]),
            (1, Initiative, &[1, 1]),
            (2, Initiative, &[1, 1, 1, 1]),
            (3, Initiative, &[1, 1, 1, 1]),
            (0, Check, &[6, 6, 6, 6, 6, 6]),
            (0, Damage, &[3, 3, 3]),
        ],
    );
    let lines: Vec<&str> = played
        .of("rogue")
        .into_iter()
        .filter(|line| !line.contains("loses"))
        .collect();
    let steps = |round: &str| {
        lines
            .iter()
            .filter(|line| line.starts_with(round) && line.contains("steps"))
            .count()
    };
    assert_eq!(
        [steps("R1"), steps("R2"), steps("R3"), steps("R4")],
        [8, 2, 5, 3]
    );
    let rest: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| !line.contains("steps"))
        .collect();
    assert_eq!(
        rest,
        [
            "R1 30 rogue score 21",
            "R1 13 rogue sets",
            "R1 8 rogue done, 8 left",
            "R2 30 rogue score 17",
            "R2 17 rogue begins 3",
            "R2 17 rogue attacks first hit",
            "R3 30 rogue score 26",
            "R3 21 rogue sets",
            "R3 16 rogue begins 1",
            "R3 16 rogue attacks second hit",
            "R3 1 rogue done, 1 left",
            "R4 30 rogue score 18",
            "R4 18 rogue begins 3",
            "R4 18 rogue attacks second hit",
        ]
    );
}

fn why_the_full_round(round: &str) -> String {
    format!(
        r#"
system = "tara-corax"
[rules]
round = "{round}"
[encounter]
max_rounds = 1
[weapons.sword]
kind = "melee"
attacks = 3
check = {{ dice = "2d10" }}
damage = "1d8"
[spells.fire]
casting_time = 10
range = 100
damage = "1d6"
[[combatants]]
name = "combatant"
side = "fighters"
position = 0
attributes = {{ agility = 16, intellect = 14 }}
move = 8
evade = 15
health = 30
car = 10
weapons = ["sword"]
policy = ["advance 5 if not moved", "car", "attack"]
[[combatants]]
name = "wizard"
side = "wizards"
position = 15
attributes = {{ agility = 14, intellect = 16 }}
move = 8
evade = 12
health = 30
spells = ["fire"]
policy = ["cast fire"]
"#
    )
}

/// TC-E6.
#[test]
fn tc_e6_in_a_full_round_the_interceptor_hits_before_the_spell_goes_off() {
    let dice: &[(usize, _, &[u32])] = &[
        (0, Initiative, &[5]),
        (1, Initiative, &[9]),
        (0, Check, &[6, 6]),
        (0, Damage, &[4]),
    ];
    let played = play(&why_the_full_round("full"), dice);
    assert_eq!(
        played.only(&["casts", "cars", "attacks", "fizzles", "goes off"]),
        [
            "R1 24 wizard casts fire due 14+0R",
            "R1 15 combatant cars at wizard",
            "R1 15 combatant attacks wizard hit",
            "R1 15 wizard fire fizzles",
        ]
    );
}

/// TC-E6.
#[test]
fn tc_e6_in_a_simple_round_the_spell_goes_off_first() {
    let dice: &[(usize, _, &[u32])] = &[
        (0, Initiative, &[5]),
        (1, Initiative, &[9]),
        (0, Check, &[6, 6]),
        (0, Damage, &[4]),
        (1, Damage, &[2]),
    ];
    let played = play(&why_the_full_round("simple"), dice);
    assert_eq!(
        played.only(&["casts", "cars", "attacks", "fizzles", "goes off"]),
        [
            "R1 24 wizard casts fire due 24+0R",
            "R1 24 wizard fire goes off at combatant",
            "R1 20 combatant cars at wizard",
            "R1 20 combatant attacks wizard hit",
        ]
    );
}

fn against_the_monster(round: &str) -> String {
    format!(
        r#"
system = "tara-corax"
[rules]
round = "{round}"
[encounter]
max_rounds = 1
[weapons.sword]
kind = "melee"
attacks = 3
check = {{ dice = "2d10" }}
damage = "1d8"
[weapons.claw]
kind = "melee"
check = {{ dice = "2d10" }}
damage = "1d8"
[[combatants]]
name = "combatant"
side = "fighters"
position = 0
attributes = {{ agility = 16, intellect = 14 }}
move = 8
evade = 15
health = 30
weapons = ["sword"]
policy = ["attack"]
[[combatants]]
name = "monster"
side = "monsters"
position = 0
attributes = {{ agility = 8, intellect = 8 }}
move = 8
evade = 15
health = 30
weapons = ["claw"]
policy = ["attack"]
"#
    )
}

/// TC-E7.
#[test]
fn tc_e7_the_monster_strikes_between_the_second_and_the_third_attack() {
    let dice: &[(usize, _, &[u32])] = &[
        (0, Initiative, &[5]),
        (1, Initiative, &[4]),
        (0, Check, &[1; 6]),
        (1, Check, &[1, 1]),
    ];
    assert_eq!(
        play(&against_the_monster("full"), dice).only(&["attacks"]),
        [
            "R1 20 combatant attacks monster miss",
            "R1 15 combatant attacks monster miss",
            "R1 12 monster attacks combatant miss",
            "R1 10 combatant attacks monster miss",
        ]
    );
    assert_eq!(
        play(&against_the_monster("simple"), dice).only(&["attacks"]),
        [
            "R1 20 combatant attacks monster miss",
            "R1 20 combatant attacks monster miss",
            "R1 20 combatant attacks monster miss",
            "R1 12 monster attacks combatant miss",
        ]
    );
}

/// TC-E8.
#[test]
fn tc_e8_attacks_are_spaced_over_fifteen_marks() {
    let expected: [&[i32]; 5] = [
        &[20],
        &[20, 13],
        &[20, 15, 10],
        &[20, 16, 12, 8],
        &[20, 17, 14, 11, 8],
    ];
    for (attacks, marks) in (1..).zip(expected) {
        let toml = against_the_monster("full")
            .replacen("attacks = 3", &format!("attacks = {attacks}"), 1)
            .replacen(
                r#"policy = ["attack"]"#,
                r#"policy = ["attack", "pass"]"#,
                1,
            )
            .replace(
                "weapons = [\"claw\"]\npolicy = [\"attack\"]",
                "policy = [\"pass\"]",
            )
            .replace("[weapons.claw]", "[weapons.claws]");
        let rolls = vec![1; 2 * marks.len()];
        let played = play(
            &toml,
            &[
                (0, Initiative, &[5]),
                (1, Initiative, &[4]),
                (0, Check, &rolls),
            ],
        );
        let expected: Vec<String> = marks
            .iter()
            .map(|mark| format!("R1 {mark} combatant attacks monster miss"))
            .collect();
        assert_eq!(played.only(&["attacks"]), expected);
    }
}

/// TC-E8.
#[test]
fn tc_e8_the_dwarf_forfeits_the_attack_that_has_no_mark() {
    // Score 12, three attacks. The text spaces them by 7 here (12, 5, -2); the rule's own spacing
    // is 12, 7, 2, and the text's an option.
    let toml = against_the_monster("full").replace(
        "[encounter]",
        "attack_offsets = { 3 = [0, 7, 14] }\n[encounter]",
    );
    let dice: &[(usize, _, &[u32])] = &[
        (0, Initiative, &[4]),
        (1, Initiative, &[1]),
        (0, Check, &[1; 4]),
        (1, Check, &[1, 1]),
    ];
    let toml = toml.replace(
        "{ agility = 16, intellect = 14 }",
        "{ agility = 8, intellect = 8 }",
    );
    let played = play(&toml, dice);
    assert_eq!(
        played.of("combatant"),
        [
            "R1 30 combatant score 12",
            "R1 12 combatant begins 3",
            "R1 12 combatant forfeits 1",
            "R1 12 combatant attacks monster miss",
            "R1 5 combatant attacks monster miss",
        ]
    );
    assert_eq!(played.record.combatants[0].attacks_forfeited, 1);
}
