//! `initiative.dice` and `initiative.ties` in every system.

use super::scripted::{self, Played};
use crate::support::fights::{errors_with, variant_with};
use skirmish::chance::Purpose::{Check, Initiative};
use skirmish::fight::Ending;
use skirmish::fight::Fight;
use skirmish::sim::Event;
use skirmish::systems::SYSTEMS;
use std::fmt::Write as _;

/// Returns a fight in which combatants of a side stand together and a blow always fells.
pub(super) fn fight(system: &str, fighters: &[(&str, &str)]) -> String {
    let mut text = format!(
        "system = \"{system}\"\n[encounter]\nmax_rounds = 1\n[rules]\ncheck = \"roll-over\"\n\
         health = \"points\"\n[weapons.axe]\nkind = \"melee\"\ncheck = {{ dice = \"1d10\" }}\n\
         damage = 9\n"
    );
    for (name, keys) in fighters {
        let side = &name[..1];
        write!(
            text,
            "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = 0\nmove = 12\n\
             evade = 5\nhealth = 5\nweapons = [\"axe\"]\n{keys}\npolicy = [\"attack\"]\n"
        )
        .expect("a text takes all that is written");
    }
    text
}

/// Returns a duel of two combatants.
fn duel(system: &str, left: &str, right: &str) -> String {
    fight(system, &[("left", left), ("right", right)])
}

fn tell(fight: &Fight, event: Event) -> Option<(usize, String)> {
    let name = |who: usize| fight.combatants[who].name.as_str();
    Some(match event {
        Event::Initiative { who, total, .. } => (who, format!("total {total}")),
        Event::Score { who, score, .. } => (who, format!("total {score}")),
        Event::RollOff { who, face } => (who, format!("rolls off {face}")),
        Event::Attack { who, target, .. } => (who, format!("attacks {}", name(target))),
        Event::Fall { who } => (who, "falls".to_owned()),
        _ => return None,
    })
}

/// Plays a fight with these initiative dice, and one check die for each combatant.
pub(super) fn play(text: &str, set: &[&str], initiative: &[&[u32]], checks: &[&[u32]]) -> Played {
    let initiative = initiative.iter().enumerate();
    let checks = checks.iter().enumerate();
    let dice: Vec<_> = initiative
        .map(|(who, faces)| (who, Initiative, *faces))
        .chain(checks.map(|(who, faces)| (who, Check, *faces)))
        .collect();
    scripted::play(text, set, &dice, tell)
}

fn assert_errors(text: &str, set: &[&str], words: &[&str]) {
    let told = errors_with(text, set);
    for word in words {
        assert!(told.contains(word), "no {word:?} in {told}");
    }
}

const MISS: &[&[u32]] = &[&[1], &[1]];

#[test]
fn initiative_dice_take_the_place_of_the_d10_in_every_system() {
    for system in SYSTEMS {
        let text = duel(system.name, "initiative = 10", "initiative = 12");
        for (dice, faces, totals) in [
            ("2d6", [&[3, 4][..], &[1, 2]], [17, 15]),
            ("1d6-2", [&[2], &[1]], [10, 11]),
            ("4d6kh2", [&[1, 6, 2, 5], &[1, 1, 1, 1]], [21, 14]),
            ("1d4xo", [&[4, 3], &[2]], [17, 14]),
            ("3", [&[], &[]], [13, 15]),
            ("1d10", [&[9], &[1]], [19, 13]),
        ] {
            let option = format!("rules.initiative.dice=\"{dice}\"");
            let played = play(&text, &[&option], &faces, MISS);
            let told = [
                format!("total {}", totals[0]),
                format!("total {}", totals[1]),
            ];
            assert_eq!(
                played.only_untimed(&["total"]),
                [format!("left {}", told[0]), format!("right {}", told[1])],
                "{} {dice}",
                system.name
            );
            let first = ["left", "right"][usize::from(totals[1] > totals[0])];
            let attacks = played.only_untimed(&["attacks"]);
            assert!(attacks[0].starts_with(first), "{} {dice}", system.name);
        }
    }
}

#[test]
fn tc_3_the_highest_face_of_a_single_die_explodes_whatever_its_sides() {
    let text = duel("tara-corax", "initiative = 5", "initiative = 5");
    let score = |set: &[&str], faces: &[u32]| {
        let played = play(&text, set, &[faces, &[1]], MISS);
        played.lines[0]
            .rsplit(' ')
            .next()
            .unwrap()
            .parse::<i32>()
            .unwrap()
    };
    let d6 = "rules.initiative.dice=1d6";
    assert_eq!(score(&[d6], &[6, 6]), 17);
    assert_eq!(score(&[d6, "rules.initiative.explode=none"], &[6]), 11);
    let recursive = "rules.initiative.explode=recursive";
    assert_eq!(score(&[d6, recursive], &[6, 6, 2]), 19);
    assert_eq!(score(&["rules.initiative.dice=1d6+2"], &[6, 1]), 14);
    assert_eq!(score(&["rules.initiative.dice=1d10"], &[10, 10]), 25);
    // The die has a single side, both the highest and the lowest, and the roll still ends.
    let one = &["rules.initiative.dice=1d1", recursive];
    assert_eq!(play(&text, one, &[&[1], &[1]], MISS).lines.len(), 4);
    // Other dice are rolled as written, and the cap applies to them, too.
    let two = &["rules.initiative.dice=2d6"];
    let played = play(&text, two, &[&[6, 6], &[1, 1]], MISS);
    assert_eq!(
        played.only_untimed(&["total"]),
        ["left total 17", "right total 7"]
    );
    assert_eq!(
        play(&text, &["rules.initiative.dice=40"], &[&[], &[]], MISS).lines[0],
        "1 30 left total 30"
    );
}

#[test]
fn tc_3_a_score_below_1_cannot_act_whatever_the_dice() {
    let text = duel("tara-corax", "initiative = 5", "initiative = 9");
    let played = play(
        &text,
        &["rules.initiative.dice=\"1d4-6\""],
        &[&[1], &[3]],
        &[&[], &[1]],
    );
    assert_eq!(
        played.lines,
        [
            "1 30 left total 0",
            "1 30 right total 6",
            "1 6 right attacks left"
        ]
    );
}

#[test]
fn initiative_dice_are_checked_before_anything_is_played() {
    for system in SYSTEMS {
        let text = duel(system.name, "initiative = 5", "initiative = 5");
        let wrong = |dice: &str, words: &[&str]| {
            assert_errors(&text, &[&format!("rules.initiative.dice={dice}")], words);
        };
        wrong("2d", &["`dice` is not in dice notation"]);
        wrong("1d20000", &["`dice` is out of range", "-10000 to 10000"]);
        wrong("-20000", &["`dice` is out of range"]);
        wrong("5000d1000000", &["dice in one term"]);
        wrong("true", &["`dice` is"]);
        wrong("1d6x>=1", &["every face explodes"]);
    }
    for system in ["tara-corax", "eclipse-phase"] {
        let text = duel(system, "initiative = 5", "initiative = 5");
        assert_errors(
            &text,
            &["rules.initiative={ mode = \"fixed\", dice = \"1d6\" }"],
            &["`dice` does nothing here", "rolls none"],
        );
    }
    let text = duel("tara-corax", "initiative = 5", "initiative = 5");
    for explode in ["once", "recursive"] {
        let both = format!("rules.initiative={{ dice = \"2d10\", explode = \"{explode}\" }}");
        assert_errors(
            &text,
            &[&both],
            &["`explode` is about a single die", "2d6xo"],
        );
    }
    let none = "rules.initiative={ dice = \"2d10\", explode = \"none\" }";
    assert_eq!(
        play(&text, &[none], &[&[10, 10], &[1, 1]], MISS)
            .lines
            .len(),
        4
    );
}

/// Returns the attributes of two combatants with equal ratings, each greater in one of the two.
fn mixed(system: &str) -> [&'static str; 2] {
    match system {
        "tara-corax" => [
            "attributes = { agility = 12, intellect = 8 }",
            "attributes = { agility = 8, intellect = 12 }",
        ],
        "mage" => [
            "attributes = { wits = 4, dexterity = 2, stamina = 1 }",
            "attributes = { wits = 2, dexterity = 4, stamina = 1 }",
        ],
        "chronicles" => [
            "attributes = { dexterity = 4, composure = 2 }",
            "attributes = { dexterity = 2, composure = 4 }",
        ],
        _ => [
            "attributes = { intuition = 30, reflexes = 10 }",
            "attributes = { intuition = 10, reflexes = 30 }",
        ],
    }
}

const TRAITS: [(&str, [&str; 2]); 4] = [
    ("tara-corax", ["agility", "intellect"]),
    ("mage", ["wits", "dexterity"]),
    ("chronicles", ["dexterity", "composure"]),
    ("eclipse-phase", ["intuition", "reflexes"]),
];

#[test]
fn ties_go_by_the_traits_of_the_list_in_its_order() {
    for (system, traits) in TRAITS {
        let [left, right] = mixed(system);
        let text = duel(system, left, right);
        for (first, second, expected) in [
            (traits[0], traits[1], "left"),
            (traits[1], traits[0], "right"),
        ] {
            for list in [
                format!("[\"total\", \"rating\", \"{first}\", \"{second}\"]"),
                format!("[\"{first}\"]"),
            ] {
                let option = format!("rules.initiative.ties={list}");
                let played = play(&text, &[&option], &[&[5], &[5]], MISS);
                let attacks = played.only_untimed(&["attacks"]);
                assert!(attacks[0].starts_with(expected), "{system} {list}");
            }
        }
    }
}

#[test]
fn ma_1_ep_1_tc_20_every_tie_of_totals_may_be_simultaneous() {
    // Ratings of 11 and 10 with dice of 4 and 5: equal totals, unequal ratings.
    for system in ["tara-corax", "mage", "eclipse-phase"] {
        let text = duel(system, "initiative = 11", "initiative = 10");
        for (list, expected) in [
            ("[\"total\", \"simultaneous\"]", Ending::Mutual),
            ("[\"total\"]", Ending::Mutual),
            ("[\"total\", \"rating\"]", Ending::Win(0)),
        ] {
            let option = format!("rules.initiative.ties={list}");
            let checks: &[&[u32]] = if expected == Ending::Mutual {
                &[&[9], &[9]]
            } else {
                &[&[9], &[]]
            };
            let played = play(&text, &[&option], &[&[4], &[5]], checks);
            assert_eq!(played.record.ending, expected, "{system} {list}");
        }
    }
}

#[test]
fn what_the_rule_books_say_is_the_default() {
    for (system, list) in [
        (
            "tara-corax",
            "[\"total\", \"rating\", \"agility\", \"intellect\", \"simultaneous\"]",
        ),
        (
            "mage",
            "[\"total\", \"rating\", \"wits\", \"dexterity\", \"simultaneous\"]",
        ),
        ("chronicles", "[\"total\", \"rating\", \"roll-off\"]"),
        ("eclipse-phase", "[\"total\", \"simultaneous\"]"),
    ] {
        let text = duel(system, "initiative = 5", "initiative = 5");
        let rules = |set: &[&str]| variant_with(&text, set).rules;
        let ties = format!("rules.initiative.ties={list}");
        let written = rules(&[&ties, "rules.initiative.dice=1d10"]);
        assert_eq!(rules(&[]), written, "{system}");
    }
}

#[test]
fn those_who_are_tied_may_roll_off() {
    for system in ["mage", "chronicles", "eclipse-phase"] {
        let text = fight(
            system,
            &[
                ("a", "initiative = 10"),
                ("b", "initiative = 10"),
                ("a2", "initiative = 9"),
                ("b2", "initiative = 11"),
            ],
        );
        // All have 15 except b2, which has 12: a and a2 roll off twice.
        let played = play(
            &text,
            &["rules.initiative.ties=[\"total\", \"roll-off\"]"],
            &[&[5, 7, 2], &[5, 3], &[6, 7, 9], &[1]],
            &[&[1], &[1], &[1], &[1]],
        );
        assert_eq!(
            played.only_untimed(&["rolls off"]),
            [
                "a rolls off 7",
                "b rolls off 3",
                "a2 rolls off 7",
                "a rolls off 2",
                "a2 rolls off 9"
            ],
            "{system}"
        );
        let order: Vec<&str> = played
            .only_untimed(&["attacks"])
            .iter()
            .map(|line| line.split(' ').next().unwrap())
            .collect();
        assert_eq!(order, ["a2", "a", "b", "b2"], "{system}");
    }
}

#[test]
fn a_roll_off_is_a_d10_whatever_the_dice_and_ends() {
    for system in ["mage", "chronicles", "eclipse-phase"] {
        let text = duel(system, "initiative = 10", "initiative = 10");
        let set = &[
            "rules.initiative.dice=0",
            "rules.initiative.ties=[\"roll-off\"]",
        ];
        let played = play(&text, set, &[&[10], &[9]], MISS);
        assert!(played.only_untimed(&["attacks"])[0].starts_with("left"));
        // After nine tied rolls the file order decides (W-7).
        let played = play(&text, set, &[&[5; 9], &[5; 9]], MISS);
        assert!(
            played.only_untimed(&["attacks"])[0].starts_with("left"),
            "{system}: {:?}",
            played.lines
        );
    }
}

#[test]
fn ep_2_a_roll_off_holds_for_the_whole_turn() {
    let text = duel(
        "eclipse-phase",
        "initiative = 10\nspeed = 3",
        "initiative = 10\nspeed = 3",
    );
    let played = play(
        &text,
        &["rules.initiative.ties=[\"roll-off\"]"],
        &[&[5, 3], &[5, 8]],
        &[&[1, 1, 1], &[1, 1, 1]],
    );
    let attacks: Vec<&str> = played
        .only_untimed(&["attacks"])
        .iter()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(attacks, ["right", "left", "right", "left", "right", "left"]);
}

#[test]
fn ma_2_a_roll_off_per_scene_holds_for_the_scene() {
    let text = duel("mage", "initiative = 10", "initiative = 10");
    let set = &[
        "encounter.max_rounds=3",
        "rules.initiative={ roll = \"per-scene\", ties = [\"roll-off\"] }",
    ];
    let played = play(&text, set, &[&[5, 3], &[5, 8]], &[&[1; 3], &[1; 3]]);
    let attacks = played.only_untimed(&["attacks"]);
    assert!(
        attacks
            .iter()
            .step_by(2)
            .all(|line| line.starts_with("right"))
    );
    assert_eq!(attacks.len(), 6);
}

#[test]
fn mistakes_in_a_list_of_ties_are_pointed_at() {
    for (system, [first, _]) in TRAITS {
        let text = duel(system, "initiative = 5", "initiative = 5");
        let wrong = |list: &str, words: &[&str]| {
            assert_errors(&text, &[&format!("rules.initiative.ties={list}")], words);
        };
        let misspelt = format!("[\"total\", \"{}\"]", &first[..first.len() - 1]);
        wrong(&misspelt, &[&format!("did you mean \"{first}\"?")]);
        wrong("[\"strength\"]", &["`ties` cannot be \"strength\""]);
        wrong("[\"rating\", \"rating\"]", &["it is in the list already"]);
        wrong("[\"rating\", \"total\"]", &["the total comes before"]);
        wrong("[]", &["`ties` is empty", "[\"total\", \"rating\", "]);
        wrong("\"rating\"", &["expected a list"]);
        wrong("[3]", &["`ties` is"]);
        let last = match system {
            "chronicles" => "roll-off",
            _ => "simultaneous",
        };
        wrong(
            &format!("[\"{last}\", \"rating\"]"),
            &[&format!("nothing is tied any more after \"{last}\"")],
        );
    }
    let chronicles = duel("chronicles", "initiative = 5", "initiative = 5");
    assert_errors(
        &chronicles,
        &["rules.initiative.ties=[\"simultaneous\"]"],
        &["`ties` cannot be \"simultaneous\" in this system", "CD-1"],
    );
    let tara = duel("tara-corax", "initiative = 5", "initiative = 5");
    assert_errors(
        &tara,
        &["rules.initiative.ties=[\"total\", \"roll-off\"]"],
        &[
            "`ties` cannot be \"roll-off\" in this system",
            "a tie is one of Marks",
        ],
    );
}
