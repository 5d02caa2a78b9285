//! Rounds and the costs of actions (TC-1, TC-5 to TC-7), attack rolls (TC-22) and waiting (TC-23).

use super::armory::{errors_of, errors_with, play_fighters};
use skirmish::chance::Purpose::Check;
use skirmish::scenario::Scenario;

/// A target at 20 that does nothing.
const DUMMY: &str = "dummy b 20 1 | health = 100 | pass";

#[test]
fn tc_1_nothing_is_decided_at_mark_0_not_even_a_free_action() {
    let a = "a a 0 3 | items = ['pill'] | advance 3 if not acted; use pill; advance";
    let played = play_fighters(&[], &[a, DUMMY], &[]);
    assert_eq!(
        played.lines_of("a"),
        [
            "R1 30 a score 3",
            "R1 2 a steps 0>1",
            "R1 1 a steps 1>2",
            "R1 0 a steps 2>3",
        ]
    );
}

#[test]
fn tc_1_reactions_still_happen_at_mark_0() {
    let played = play_fighters(
        &[],
        &[
            "a a 0 3 | | advance 3 if not acted",
            "guard b 5 1 | weapons = ['sword']; car = 2 | car; pass",
        ],
        &[],
    );
    assert_eq!(
        played.deeds()[2..],
        [
            "R1 0 a steps 2>3",
            "R1 0 guard reacts to a",
            "R1 0 guard intercepts 5>4",
            "R1 0 guard intercepts 4>3",
        ]
    );
}

#[test]
fn tc_5_free_quarter_half_and_full_actions_cost_0_5_10_and_15_marks() {
    let policy = "use pill if uses.pill = 30; use nut if uses.nut = 2; \
                  use draught if uses.draught = 2; use scroll if uses.scroll = 2";
    let uses = |score: i32| {
        let items = "['pill', 'nut', 'draught', 'scroll']";
        let a = format!("a a 0 {score} | items = {items} | {policy}");
        let played = play_fighters(&[], &[&a, DUMMY], &[]);
        let lines = played.lines_of("a").into_iter().map(str::to_owned);
        lines.skip(1).collect::<Vec<_>>()
    };
    assert_eq!(
        uses(30),
        [
            "R1 30 a uses pill +0",
            "R1 30 a uses nut +0",
            "R1 25 a uses draught +0",
            "R1 15 a uses scroll +0",
        ]
    );
    // One Mark too few for the last item.
    assert_eq!(
        uses(29)[2..],
        ["R1 24 a uses draught +0", "R1 14 a done, 14 left"]
    );
}

#[test]
fn tc_5_a_full_action_is_always_allowed_as_the_rounds_first() {
    let begins = |policy: &str| {
        let keys = "weapons = ['bow']; items = ['pill', 'nut']; health = 20";
        let a = format!("a a 0 8 | {keys} | {policy}");
        let rolls: &[u32] = if policy.contains("nut") || policy.contains("retreat") {
            &[]
        } else if policy.contains("wait") {
            &[1]
        } else {
            &[1, 1]
        };
        let played = play_fighters(&[], &[&a, DUMMY], &[(0, Check, rolls)]);
        played.only(&["begins"]).join(",")
    };
    assert_eq!(begins("attack"), "R1 8 a begins 3");
    // Free actions and waiting may come before it.
    assert_eq!(
        begins("use pill if uses.pill = 30; attack"),
        "R1 8 a begins 3"
    );
    assert_eq!(begins("wait 4 if mark = 8; attack"), "R1 4 a begins 3");
    // A Quarter Action or movement may not.
    assert_eq!(begins("use nut if uses.nut = 2; attack"), "");
    assert_eq!(begins("retreat 1 if not acted; attack; desperate"), "");
}

#[test]
fn tc_5_a_quarter_action_is_never_allowed_beyond_the_marks() {
    let a = "a a 0 4 | items = ['nut', 'draught'] | use nut; use draught";
    assert!(play_fighters(&[], &[a, DUMMY], &[]).deeds().is_empty());
}

/// Returns the Score in Round 2 and the acts of Round 1.
fn carried(options: &[&str], score: i32, policy: &str) -> (i32, Vec<String>) {
    let keys = "items = ['pill', 'nut', 'draught', 'scroll']; weapons = ['bow', 'sword']; \
                undrawn = ['sword']; spells = ['bolt']";
    let a = format!("a a 0 {score} | {keys} | pass if round = 2; {policy}");
    let all = [&["encounter.max_rounds=2"][..], options].concat();
    let rolls: &[u32] = if policy.contains("attack") { &[1] } else { &[] };
    let played = play_fighters(&all, &[&a, DUMMY], &[(0, Check, rolls)]);
    let next = played.only(&["R2 30 a score"])[0].rsplit(' ').next();
    let deeds = played.deeds().into_iter().map(str::to_owned).collect();
    (next.unwrap().parse().unwrap(), deeds)
}

#[test]
fn tc_5_a_full_action_as_the_rounds_first_takes_what_it_overruns_from_the_next_score() {
    let (next, deeds) = carried(&[], 9, "use scroll; use pill if uses.pill > 29");
    assert_eq!(next, 3);
    assert_eq!(deeds, ["R1 9 a uses scroll +0"]);
    // An action covered by the Marks carries nothing over.
    assert_eq!(carried(&[], 15, "use scroll").0, 15);
    assert_eq!(carried(&[], 14, "use scroll").0, 13);
    // After waiting the action overruns by more.
    assert_eq!(carried(&[], 9, "wait 5 if mark = 9; use scroll").0, -2);
    let casting = &["rules.carry_over=casting"];
    assert_eq!(carried(casting, 9, "use scroll").0, 9);
    assert_eq!(carried(casting, 9, "cast bolt").0, 3);
}

#[test]
fn tc_5_attacks_never_carry_over() {
    for option in ["casting", "full-action", "any"] {
        let option = format!("rules.carry_over={option}");
        let one = &["weapons.bow.attacks=1", &option];
        assert_eq!(carried(one, 9, "attack").0, 9);
    }
}

#[test]
fn tc_5_as_an_option_shorter_actions_may_be_begun_with_too_few_marks_too() {
    let any = &["rules.carry_over=any"];
    for (score, policy, next, deeds) in [
        (4, "use draught", -2, vec!["R1 4 a uses draught +0"]),
        (3, "use nut; retreat", 1, vec!["R1 3 a uses nut +0"]),
        (4, "draw sword; retreat", 3, vec!["R1 4 a draws"]),
        (
            8,
            "use nut if uses.nut = 2; use draught",
            1,
            vec!["R1 8 a uses nut +0", "R1 3 a uses draught +0"],
        ),
        // A Full Action may overrun only as the first action of the Round.
        (
            8,
            "use nut if uses.nut = 2; use scroll",
            8,
            vec!["R1 8 a uses nut +0"],
        ),
        // A Set and a walk may not overrun.
        (
            4,
            "retreat 1 if not moved; set; pass",
            4,
            vec!["R1 3 a steps 0>-1"],
        ),
        (
            2,
            "retreat 5",
            2,
            vec!["R1 1 a steps 0>-1", "R1 0 a steps -1>-2"],
        ),
    ] {
        assert_eq!(
            carried(any, score, policy),
            (next, owned(&deeds)),
            "{policy}"
        );
    }
    // By default none of these actions may overrun.
    assert_eq!(carried(&[], 4, "use draught; use nut; draw sword").0, 4);
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

#[test]
fn tc_5_in_a_simple_round_what_the_marks_do_not_cover_is_owed() {
    let simple = |carry_over: &str, policy: &str| {
        let carry_over = format!("rules.carry_over={carry_over}");
        carried(&["rules.round=simple", &carry_over], 9, policy)
    };
    let policy = "use scroll; use pill if uses.pill > 29";
    // Free actions remain possible (TC-21).
    let deeds = owned(&["R1 9 a uses scroll +0", "R1 9 a uses pill +0"]);
    assert_eq!(simple("full-action", policy), (3, deeds.clone()));
    assert_eq!(simple("casting", policy), (9, deeds));
    // With no Marks left, no action that costs Marks may begin.
    assert_eq!(
        simple("any", "wait 4 if marks = 9; use nut"),
        (9, owned(&["R1 9 a waits 4", "R1 9 a uses nut +0"]))
    );
}

#[test]
fn tc_5_an_effect_comes_at_the_mark_at_which_its_action_is_begun() {
    let played = play_fighters(
        &["weapons.bow.attacks=1"],
        &[
            "a a 0 18 | items = ['draught'] | use draught if hp < 10",
            "b b 10 20 | weapons = ['bow'] | attack",
        ],
        &[(1, Check, &[10])],
    );
    assert_eq!(
        played.deeds(),
        [
            "R1 20 b begins 1",
            "R1 20 b attacks a hit",
            "R1 20 a takes 3 has 7",
            // Health never exceeds its value at the start.
            "R1 18 a uses draught +3",
        ]
    );
}

#[test]
fn tc_6_a_unit_a_mark_at_most_land_speed_units_a_round() {
    let a = "a a 0 20 | | retreat";
    let played = play_fighters(&["encounter.max_rounds=2"], &[a, DUMMY], &[]);
    let marks = (10..20).rev();
    let both = marks.clone().chain(marks);
    let expected: Vec<_> = both.zip(1..).map(|(mark, units)| (mark, -units)).collect();
    assert_eq!(played.walk("a"), expected);
    assert_eq!(played.record.combatants[0].units_moved, 20);
}

#[test]
fn tc_6_a_last_step_may_end_at_mark_0() {
    let played = play_fighters(&[], &["a a 0 2 | | retreat 9", DUMMY], &[]);
    assert_eq!(played.walk("a"), [(1, -1), (0, -2)]);
    assert_eq!(played.record.combatants[0].marks_forfeited, 0);
}

#[test]
fn tc_7_move_set_and_shoot_each_at_its_own_mark() {
    // The text's own example: Score 25, five Units, a Set, a single shot.
    let a = "a a 0 25 | weapons = ['bow'] | retreat 5 if not acted; set; attack";
    let played = play_fighters(&[], &[a, DUMMY], &[(0, Check, &[1])]);
    assert_eq!(played.walk("a").last(), Some(&(20, -5)));
    assert_eq!(
        played.only(&["sets", "begins"]),
        ["R1 20 a sets", "R1 15 a begins 1"]
    );
}

#[test]
fn tc_22_a_roll_that_meets_evade_hits_or_as_an_option_must_beat_it() {
    let hits = |option: &str, face: u32| {
        let fighters = [
            "a a 0 20 | weapons = ['sword'] | attack",
            "b b 0 1 | | pass",
        ];
        let played = play_fighters(&[option], &fighters, &[(0, Check, &[face])]);
        played.record.combatants[0].hits
    };
    assert_eq!(
        [5, 6, 7].map(|face| hits("rules.hit=meet", face)),
        [0, 1, 1]
    );
    assert_eq!(
        [5, 6, 7].map(|face| hits("rules.hit=beat", face)),
        [0, 0, 1]
    );
}

#[test]
fn tc_22_damage_is_less_armour_never_below_0_and_overkill_counts() {
    let struck = |keys: &str, damage: u32| {
        let played = play_fighters(
            &[&format!("weapons.sword.damage={damage}")],
            &[
                "a a 0 20 | weapons = ['sword'] | attack",
                &format!("b b 0 1 | {keys} | pass"),
            ],
            &[(0, Check, &[10])],
        );
        let [a, b] = &played.record.combatants[..] else {
            panic!("two fight");
        };
        (a.hits, a.damage, b.damage_taken, b.health)
    };
    assert_eq!(struck("armor = 1", 3), (1, 2, 2, 8));
    assert_eq!(struck("armor = 5", 3), (1, 0, 0, 10));
    assert_eq!(struck("health = 4", 9), (1, 9, 9, 0));
}

#[test]
fn tc_23_waiting_is_no_action_and_does_not_un_set() {
    let a = "a a 0 20 | weapons = ['bow'] | wait 5 if mark = 20; attack";
    let played = play_fighters(&[], &[a, DUMMY], &[(0, Check, &[1, 1, 1])]);
    assert_eq!(
        played.only(&["waits", "begins", "attacks"]),
        [
            "R1 20 a waits 5",
            "R1 15 a begins 3",
            "R1 15 a attacks dummy miss",
            "R1 10 a attacks dummy miss",
            "R1 5 a attacks dummy miss",
        ]
    );
}

#[test]
fn tc_23_one_cannot_wait_longer_than_ones_marks() {
    let a = "a a 0 10 | | wait 11; wait 10";
    let played = play_fighters(&[], &[a, DUMMY], &[]);
    assert_eq!(played.deeds(), ["R1 10 a waits 10"]);
}

#[test]
fn tc_23_one_may_wait_as_many_marks_as_the_round_has() {
    let waits = |marks: u32| format!("a a 0 50 | | wait {marks}; pass");
    for (length, most) in [(20, 20), (30, 30), (45, 45), (60, 60)] {
        let option = format!("rules.round_marks={length}");
        let longest = waits(most);
        let played = play_fighters(&[&option], &[&longest, DUMMY], &[]);
        let score = length.min(50);
        let waited = (most <= score).then(|| format!("R1 {score} a waits {most}"));
        assert_eq!(played.only(&["waits"]), waited.iter().collect::<Vec<_>>());
        let longer = waits(most + 1);
        let told = errors_with(&[&option], &[&longer, DUMMY]);
        let expected = format!("expected a number of Marks, 1 to {most}");
        assert!(told.contains(&expected), "{told}");
        let why = format!("a Round has {most} Marks");
        assert!(told.contains(&why), "{told}");
    }
    let told = errors_with(&[], &[&waits(0), DUMMY]);
    assert!(told.contains("`0` is out of range"), "{told}");
}

#[test]
fn tc_23_as_an_option_nobody_may_wait() {
    let text = |wait: bool| {
        format!(
            r#"
system = "tara-corax"
rules.wait = {wait}
[[combatants]]
name = "a"
side = "a"
position = 0
attributes = {{ agility = 1, intellect = 1 }}
move = 1
evade = 1
health = 1
policy = ["wait 3"]
[[combatants]]
name = "b"
side = "b"
position = 0
attributes = {{ agility = 1, intellect = 1 }}
move = 1
evade = 1
health = 1
policy = ["pass"]
"#
        )
    };
    assert!(Scenario::parse("test.toml", &text(true), &[]).is_ok());
    assert!(Scenario::parse("test.toml", &text(false), &[]).is_err());
}

/// Returns the acts of a combatant with a bow and a sword, from Mark 30.
fn rearms(options: &[&str], keys: &str, policy: &str, hits: &[u32]) -> Vec<String> {
    let a = format!("a a 0 30 | weapons = ['bow', 'sword', 'spear']; {keys} | {policy}");
    let played = play_fighters(
        options,
        &[&a, "dummy b 0 1 | health = 100 | pass"],
        &[(0, Check, hits)],
    );
    let deeds = played.lines_of("a").into_iter().skip(1);
    deeds.map(str::to_owned).collect()
}

#[test]
fn tc_5_drawing_with_full_hands_drops_a_weapon_in_the_same_quarter_action() {
    let one = |policy: &str, hits: &[u32]| rearms(&[], "hands = 1", policy, hits);
    let dropped = ["R1 30 a drops bow", "R1 30 a draws"];
    // The sword was not in hand at the start; now the bow is not.
    let strikes = one("draw sword; attack with bow; attack with sword", &[1]);
    assert_eq!(strikes[..2], dropped);
    assert!(strikes[2].starts_with("R1 25 a begins 1"), "{strikes:?}");
    // A dropped weapon stays on the ground; a sheathed one can be drawn again.
    let all = "draw sword if in_hand.bow; draw bow; draw spear; draw sword";
    assert_eq!(
        one(all, &[])[..],
        [
            dropped[0],
            dropped[1],
            "R1 25 a drops sword",
            "R1 25 a draws",
            "R1 20 a done, 20 left"
        ]
    );
    // The next Round does not give it back, either.
    let later = rearms(
        &["encounter.max_rounds=2"],
        "hands = 1",
        "draw sword if round = 1; draw bow",
        &[],
    );
    assert_eq!(later[..2], dropped);
    assert_eq!(
        later[2..],
        [
            "R1 25 a done, 25 left",
            "R2 30 a score 30",
            "R2 30 a done, 30 left"
        ]
    );
    // With a free hand, or without a limit, nothing is dropped.
    let draws = ["R1 30 a draws", "R1 25 a done, 25 left"];
    let undrawn = "undrawn = ['sword']";
    assert_eq!(rearms(&[], undrawn, "draw sword", &[]), draws);
    let free = format!("{undrawn}; hands = 3");
    assert_eq!(rearms(&[], &free, "draw sword", &[]), draws);
    // Of two weapons in hand the first is dropped.
    let two = rearms(&[], "hands = 2", "draw spear if not in_hand.spear", &[]);
    assert_eq!(two[..2], dropped);
    assert_eq!(two.len(), 3);
}

#[test]
fn tc_5_sheathing_is_a_half_action_and_the_weapon_can_be_drawn_again() {
    let policy = "sheathe bow if mark = 30; draw sword if not in_hand.sword and mark = 20; \
                  sheathe sword; draw bow";
    assert_eq!(
        rearms(&[], "hands = 1", policy, &[]),
        [
            "R1 30 a sheathes bow",
            "R1 20 a draws",
            "R1 15 a sheathes sword",
            "R1 5 a draws",
            "R1 0 a done, 0 left",
        ][..4]
    );
    // Sheathing needs its Marks, and the weapon in hand.
    let short = "wait 21 if mark = 30; sheathe bow";
    let told = rearms(&[], "hands = 1", short, &[]);
    assert_eq!(told, ["R1 30 a waits 21", "R1 9 a done, 9 left"]);
    let told = rearms(&[], "hands = 1", "sheathe sword", &[]);
    assert_eq!(told, ["R1 30 a done, 30 left"]);
    // Sheathing is possible without a limit on hands, too.
    let told = rearms(&[], "", "sheathe sword", &[]);
    assert_eq!(told, ["R1 30 a sheathes sword", "R1 20 a done, 20 left"]);
}

#[test]
fn tc_5_hands_and_sheathing_are_refused_where_they_mean_nothing() {
    let one = |keys: &str, policy: &str| {
        errors_of(&[
            &format!("a a 0 9 | weapons = ['bow']; {keys} | {policy}"),
            DUMMY,
        ])
    };
    assert!(one("hands = 0", "pass").contains("1 to 32"));
    assert!(one("", "sheathe sword").contains("sword"));
    assert!(one("", "sheathe").contains("a weapon"));
}
