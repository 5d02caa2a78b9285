//! Rates, yards, endurance (MA-4 to MA-7) and chases.

use super::stage::{DUMMY, Played, one, play, play_turn, play_turns, scenario};
use skirmish::chance::Purpose::{Check, Initiative, Other};
use skirmish::fight::Ending;

/// Plays a combatant that runs away from a dummy for `turns` turns.
fn runs(attributes: [i32; 3], rest: &str, turns: usize, set: &[&str], pushes: &[u32]) -> Played {
    let [dexterity, wits, stamina] = attributes;
    let hero = format!("hero 1 {dexterity} {wits} {stamina}");
    let text = scenario(&[&one(&hero, rest), DUMMY]);
    play_turns(&text, set, turns, &[5, 1], &[(0, Other, pushes)])
}

/// Returns the yards of one turn of a combatant with unlimited space.
fn yards(attributes: [i32; 3], mode: &str, rest: &str) -> u32 {
    let rest = format!("{rest}\npolicy = [\"retreat {mode} 1000\"]");
    runs(attributes, &rest, 1, &[], &[])
        .counts_of(0)
        .units_moved
}

#[test]
fn ma_4_the_chart_of_rates_for_dexterity_1_to_5() {
    for dexterity in 1..=5 {
        let with = |mode: &str, rest: &str| yards([dexterity, 2, 2], mode, rest) as i32;
        assert_eq!(with("walk", ""), 7);
        assert_eq!(with("jog", ""), 12 + dexterity);
        assert_eq!(with("run", ""), 20 + 3 * dexterity);
        assert_eq!(with("", ""), 20 + 3 * dexterity, "to run is the default");
        assert_eq!(with("swim", ""), 8 + dexterity);
        assert_eq!(with("swim", "swims = true"), 12 + dexterity);
        assert_eq!(with("fly", "fly = 17"), 17);
    }
}

#[test]
fn ma_4_climbing_is_rolled_and_takes_the_action() {
    for (feet, faces, yards) in [
        (10, [7, 2, 2], 3),
        (10, [7, 7, 2], 6),
        (10, [7, 7, 7], 10),
        (15, [7, 7, 2], 10),
        (20, [7, 2, 2], 6),
        (5, [7, 2, 2], 1),
        (5, [7, 7, 7], 5),
        (10, [1, 1, 2], 0),
    ] {
        let text = scenario(&[
            "[weapons.rock]\nkind = \"thrown\"\nrange = 50\ncheck = { pool = 1 }\ndamage = 0\n",
            &one(
                "hero 1 3 2 2",
                "climb = { pool = 3 }\nweapons = [\"rock\"]\npolicy = [\"retreat climb 99\", \"attack\"]",
            ),
            DUMMY,
        ]);
        let set = format!("rules.climb_feet={feet}");
        let played = play_turn(&text, &[&set], &[5, 1], &[(0, Check, &faces)]);
        assert_eq!(
            played.counts_of(0).units_moved,
            yards,
            "{feet} feet, {faces:?}"
        );
        assert_eq!(played.counts_of(0).attacks, 0);
    }
}

/// Plays a combatant that runs `distance` yards to a dummy and strikes with 5 dice, of which `dice` are rolled.
fn charge(distance: i32, set: &[&str], dice: usize) -> Played {
    let text = scenario(&[
        "[weapons.sword]\nkind = \"melee\"\ncheck = { pool = 5 }\ndamage = 0\n",
        &one(
            &format!("hero {} 3 3 2", -distance),
            "weapons = [\"sword\"]\npolicy = [\"attack\", \"advance run\"]",
        ),
        DUMMY,
    ]);
    play_turn(&text, set, &[9, 1], &[(0, Check, &vec![3; dice])])
}

#[test]
fn ma_5_half_of_the_running_speed_costs_nothing_and_each_yard_beyond_a_die() {
    // Dexterity 3 runs 29 yards; the free half is 14.
    for (distance, dice) in [(1, 5), (13, 5), (14, 5), (15, 4), (16, 3), (18, 1)] {
        let played = charge(distance, &[], dice);
        let wanted = format!("hero rolls {dice} of 5-0-{}", 5 - dice);
        assert_eq!(played.only_untimed(&["rolls"]), [wanted]);
        assert_eq!(played.counts_of(0).dice_lost, 5 - dice as u32);
    }
    // A pool of 0 cannot act.
    assert_eq!(charge(19, &[], 0).counts_of(0).attacks, 0);
}

#[test]
fn ma_5_yards_in_the_free_half_cost_nothing_when_a_botch_has_ended_the_move() {
    let text = scenario(&[
        "[weapons.pike]\nkind = \"melee\"\nreach = 99\ncheck = { pool = 5 }\ndamage = 0\n",
        &one(
            "hero 1 3 3 2",
            "weapons = [\"pike\"]\npolicy = [\"retreat run 3 if not moved\", \"retreat run 20 if yards = 3\", \"attack\"]",
        ),
        DUMMY,
    ]);
    let set = [
        "encounter.max_rounds=1",
        "rules.endurance_turns=0",
        "rules.exhaustion_botch=stop",
    ];
    let dice: [(usize, skirmish::chance::Purpose, &[u32]); 4] = [
        (0, Initiative, &[9]),
        (1, Initiative, &[1]),
        (0, Other, &[1, 2]),
        (0, Check, &[3; 5]),
    ];
    let played = play(&text, &set, &dice);
    assert_eq!(played.counts_of(0).endurance_rolls, 1, "{:?}", played.lines);
    assert_eq!(played.counts_of(0).units_moved, 3);
    assert_eq!(played.only_untimed(&["rolls"]), ["hero rolls 5 of 5-0-0"]);
}

#[test]
fn ma_5_as_an_option_every_yard_costs_once_one_is_beyond() {
    let all = ["rules.per_yard=all"];
    assert_eq!(charge(14, &all, 5).counts_of(0).dice_lost, 0);
    assert_eq!(charge(15, &all, 0).counts_of(0).attacks, 0);
}

#[test]
fn ma_5_after_the_action_only_what_is_left_of_the_free_half_can_be_moved() {
    for (first, then) in [(0, 14), (5, 9), (14, 0), (16, 0)] {
        let text = scenario(&[
            "[weapons.bow]\nkind = \"ranged\"\nrange = 99\ncheck = { pool = 5 }\ndamage = 0\n",
            &one(
                "hero 1 3 3 2",
                &format!(
                    "weapons = [\"bow\"]\npolicy = [\"retreat run if not acted and yards < {first}\", \
                     \"attack\", \"retreat run 100\"]"
                ),
            ),
            DUMMY,
        ]);
        let dice = vec![3; 5 - (first - 14).max(0) as usize];
        let played = play_turn(&text, &[], &[9, 1], &[(0, Check, &dice)]);
        assert_eq!(played.counts_of(0).units_moved as i32, first + then);
    }
}

#[test]
fn a_turn_has_one_mode_of_movement() {
    let rest = "policy = [\"retreat walk 100\", \"retreat run 100\"]";
    assert_eq!(
        runs([3, 3, 2], rest, 1, &[], &[]).counts_of(0).units_moved,
        7
    );
}

const RUN: &str = "policy = [\"retreat run 1000\"]";

#[test]
fn ma_6_ten_turns_for_each_point_of_stamina() {
    for stamina in 1..=3 {
        let turns = 10 * stamina as usize;
        assert_eq!(
            runs([1, 1, stamina], RUN, turns, &[], &[])
                .counts_of(0)
                .endurance_rolls,
            0
        );
        // Then it rolls each turn: Stamina dice at difficulty 6.
        let faces = vec![6; stamina as usize];
        let played = runs([1, 1, stamina], RUN, turns + 1, &[], &faces);
        assert_eq!(played.counts_of(0).endurance_rolls, 1);
        assert_eq!(played.counts_of(0).units_moved, 23 * (turns as u32 + 1));
    }
}

#[test]
fn ma_6_willpower_is_rolled_where_it_is_greater() {
    let played = runs(
        [1, 1, 1],
        &format!("willpower = 3\n{RUN}"),
        11,
        &[],
        &[6, 2, 2],
    );
    assert_eq!(played.only_untimed(&["pushes"]), ["hero pushes 3 net 1"]);
}

#[test]
fn ma_6_failure_halves_the_rates_and_a_botch_ends_all_movement() {
    let played = runs([1, 1, 1], RUN, 14, &[], &[5, 7, 1]);
    assert_eq!(
        played.only_untimed(&["pushes"]),
        [
            "hero pushes 1 net 0",
            "hero pushes 1 net 1",
            "hero pushes 1 net -1 botch"
        ]
    );
    // Half of 23 is 11; in the last two turns it does not move.
    assert_eq!(played.counts_of(0).units_moved, 10 * 23 + 11 + 23);
    assert_eq!(
        (
            played.counts_of(0).endurance_rolls,
            played.counts_of(0).collapsed
        ),
        (3, 1)
    );
    let stopped = runs([1, 1, 1], RUN, 11, &["rules.exhaustion=stop"], &[5]);
    assert_eq!(stopped.counts_of(0).units_moved, 10 * 23);
    let gone_on = runs([1, 1, 1], RUN, 11, &["rules.exhaustion=none"], &[5]);
    assert_eq!(gone_on.counts_of(0).units_moved, 11 * 23);
}

#[test]
fn ma_6_a_botch_may_cost_this_turn_alone_or_trip_one_up() {
    let botch = |rule: &str, rest: &str, pushes: &[u32]| {
        let rule = format!("rules.exhaustion_botch={rule}");
        runs([1, 1, 1], rest, 12, &[&rule], pushes)
    };
    // The eleventh turn is lost; in the twelfth it rolls again.
    let stopped = botch("stop", RUN, &[1, 7]);
    assert_eq!(stopped.counts_of(0).units_moved, 11 * 23);
    assert_eq!(stopped.counts_of(0).collapsed, 0);
    // A combatant on the ground does not move; getting up takes an action.
    let lies = botch("trip", RUN, &[1]);
    assert_eq!(lies.counts_of(0).units_moved, 10 * 23);
    let gets_up = "policy = [\"stand\", \"retreat run 1000\"]";
    let tripped = botch("trip", gets_up, &[1, 7]);
    assert_eq!(
        tripped.only_untimed(&["pushes", "stands"]),
        [
            "hero pushes 1 net -1 botch",
            "hero stands up",
            "hero pushes 1 net 1"
        ]
    );
    assert_eq!(tripped.counts_of(0).units_moved, 11 * 23);
}

#[test]
fn ma_6_beyond_endurance_only_more_than_half_of_the_rate_takes_a_roll() {
    // The combatant has no endurance; half of 23 is 11.
    let moves = |line: &str, set: &[&str], pushes: &[u32]| {
        let rest = format!("policy = [\"{line}\"]");
        let set = [set, &["rules.endurance_turns=0"]].concat();
        let played = runs([1, 1, 1], &rest, 2, &set, pushes);
        (
            played.counts_of(0).endurance_rolls,
            played.counts_of(0).units_moved,
        )
    };
    let (short, long) = ("retreat run 11 if not moved", "retreat run 12 if not moved");
    assert_eq!(moves(short, &[], &[]), (0, 22));
    assert_eq!(moves(long, &[], &[7, 7]), (2, 24));
    // A failure leaves half of the rate; a botch before the first yard leaves nothing.
    assert_eq!(moves(long, &[], &[5, 5]), (2, 22));
    assert_eq!(moves(long, &[], &[1]), (1, 0));
    // Moved yard by yard, the twelfth requires the roll.
    assert_eq!(moves("retreat run if yards < 11", &[], &[]), (0, 22));
    assert_eq!(moves("retreat run if yards < 12", &[], &[1]), (1, 11));
    assert_eq!(moves("retreat walk 3 if not moved", &[], &[]), (0, 6));
    // The actual length of a move counts, not its maximum.
    let arena = ["encounter.arena=[-100,12]"];
    assert_eq!(moves("retreat run 99 if not moved", &arena, &[]), (0, 11));
    let every = ["rules.endurance.every_move=true"];
    assert_eq!(moves(short, &every, &[7, 7]), (2, 22));
    assert_eq!(moves("retreat walk 3 if not moved", &every, &[1]), (1, 0));
}

#[test]
fn ma_6_a_target_that_moves_away_may_make_a_move_longer_than_endurance_allows() {
    // They are tied: the thief is 11 yards away, which requires no roll, and runs.
    let text = scenario(&[
        &one(
            "guard 0 1 1 1",
            "policy = [\"advance run 99 if not moved\"]",
        ),
        &one(
            "thief 11 1 1 9",
            "policy = [\"retreat run 5 if not moved\"]",
        ),
    ]);
    let played = |push: u32| {
        play_turn(
            &text,
            &["rules.endurance_turns=0"],
            &[5, 5],
            &[(0, Other, &[push])],
        )
    };
    assert_eq!(played(7).counts_of(0).units_moved, 16);
    assert_eq!(played(5).counts_of(0).units_moved, 11);
    let collapsed = played(1);
    assert_eq!(
        (
            collapsed.counts_of(0).units_moved,
            collapsed.counts_of(0).collapsed
        ),
        (11, 1)
    );
    assert_eq!(collapsed.only_untimed(&["spends"]), Vec::<&str>::new());
}

#[test]
fn ma_6_half_of_the_rate_or_less_costs_no_endurance() {
    // 11 of 23 yards are not more than half; 12 are.
    let gentle = "policy = [\"retreat run 11 if not moved\"]";
    assert_eq!(
        runs([1, 1, 1], gentle, 25, &[], &[])
            .counts_of(0)
            .endurance_rolls,
        0
    );
    let brisk = "policy = [\"retreat run 12 if not moved\"]";
    assert_eq!(
        runs([1, 1, 1], brisk, 11, &[], &[6])
            .counts_of(0)
            .endurance_rolls,
        1
    );
}

#[test]
fn ma_6_swimming_and_strain_cost_twice_as_much() {
    let swim = "policy = [\"retreat swim 1000\"]";
    assert_eq!(
        runs([1, 1, 1], swim, 6, &[], &[6])
            .counts_of(0)
            .endurance_rolls,
        1
    );
    let strain = ["encounter.strenuous=true"];
    assert_eq!(
        runs([1, 1, 1], RUN, 6, &strain, &[6])
            .counts_of(0)
            .endurance_rolls,
        1
    );
}

#[test]
fn ma_6_being_shot_at_costs_twice_as_much() {
    let text = scenario(&[
        "[weapons.bow]\nkind = \"ranged\"\nrange = 999\ncheck = { pool = 1 }\ndamage = 0\n",
        &one("hero 1 1 1 1", RUN),
        &one(
            "archer 0 3 3 3",
            "weapons = [\"bow\"]\npolicy = [\"attack\"]",
        ),
    ]);
    let played = play(
        &text,
        &["encounter.max_rounds=6"],
        &[
            (0, Initiative, &[1; 6]),
            (1, Initiative, &[9; 6]),
            (1, Check, &[2; 6]),
            (0, Other, &[6]),
        ],
    );
    assert_eq!(played.counts_of(0).endurance_rolls, 1);
}

#[test]
fn ma_7_the_injured_move_at_half_of_every_rate() {
    for (mode, whole) in [
        ("walk", 7),
        ("jog", 14),
        ("run", 26),
        ("swim", 10),
        ("fly", 15),
    ] {
        for (damage, slow) in [(2, false), (3, true), (6, true)] {
            let text = scenario(&[
                &format!(
                    "[weapons.axe]\nkind = \"melee\"\ncheck = {{ pool = 1, extra_damage = 0 }}\ndamage = {damage}\n"
                ),
                &one(
                    "hero 0 2 2 2",
                    &format!("fly = 15\npolicy = [\"retreat {mode} 100\"]"),
                ),
                &one("foe 0 3 3 3", "weapons = [\"axe\"]\npolicy = [\"attack\"]"),
            ]);
            let played = play_turn(&text, &[], &[1, 9], &[(1, Check, &[6])]);
            let wanted = if slow { whole / 2 } else { whole };
            assert_eq!(
                played.counts_of(0).units_moved,
                wanted,
                "{mode} after {damage}"
            );
        }
    }
}

#[test]
fn ma_7_and_so_the_free_half_is_halved() {
    // 26 yards, 13 when Injured, half of that is 6: 8 yards cost 2 dice, and Injured costs 1.
    let text = scenario(&[
        "[weapons.axe]\nkind = \"melee\"\ncheck = { pool = 5, extra_damage = 0 }\ndamage = 3\n",
        &one(
            "hero -8 2 2 2",
            "weapons = [\"axe\"]\npolicy = [\"attack\", \"advance run\"]",
        ),
        &one("foe 0 3 3 3", "weapons = [\"axe\"]\npolicy = [\"attack\"]"),
    ])
    .replacen("kind = \"melee\"", "kind = \"melee\"\nreach = 8", 1);
    let text = text.replace(
        "\"attack\", \"advance run\"",
        "\"attack if distance = 0\", \"advance run to 0\"",
    );
    let played = play_turn(
        &text,
        &[],
        &[1, 9],
        &[(1, Check, &[6, 2, 2, 2, 2]), (0, Check, &[2, 2])],
    );
    assert_eq!(
        played.only_untimed(&["hero rolls"]),
        ["hero rolls 2 of 5-1-2"]
    );
}

#[test]
fn w_5_of_two_steps_that_would_cross_one_is_spent_on_the_spot() {
    let text = scenario(&[
        &one("left 0 2 2 2", "policy = [\"advance run 100\"]"),
        &one("right 5 2 2 2", "policy = [\"advance run 100\"]"),
    ]);
    let played = play_turn(&text, &[], &[5, 5], &[]);
    // Five yards between them: two each, one more for the first, and the other's yard is spent.
    assert_eq!(played.only_untimed(&["spends"]), ["right spends a yard"]);
    assert_eq!(
        (
            played.counts_of(0).units_moved,
            played.counts_of(1).units_moved
        ),
        (3, 2)
    );
}

#[test]
fn w_3_a_yard_spent_in_crossing_leaves_the_rest_of_a_numbered_walk() {
    // Each runs past the other towards a combatant behind it, and decides once.
    let text = scenario(&[
        &one(
            "left 0 2 2 2",
            "policy = [\"advance run 5 far if not moved\"]",
        ),
        &one(
            "right 1 2 2 2",
            "policy = [\"advance run 5 near if not moved\"]",
        ),
        &one("near -90 1 1 2", "policy = [\"pass\"]").replace("nears", "lefts"),
        &one("far 90 1 1 2", "policy = [\"pass\"]").replace("fars", "rights"),
    ]);
    let played = play_turn(&text, &[], &[5, 5, 1, 1], &[]);
    assert_eq!(played.only_untimed(&["spends"]), ["right spends a yard"]);
    assert_eq!(
        (
            played.counts_of(0).units_moved,
            played.counts_of(1).units_moved
        ),
        (5, 4)
    );
    assert_eq!(
        (played.counts_of(0).decisions, played.counts_of(1).decisions),
        (1, 1)
    );
}

#[test]
fn a_chase_ends_by_distance_when_a_turn_is_over() {
    let chase = |gap: i32, ends: &str| {
        let text = scenario(&[
            &one(&format!("thief {gap} 3 2 2"), RUN),
            &one("guard 0 2 2 2", "policy = [\"advance run 1000\"]"),
        ]);
        let ends = format!("encounter.ends_when={ends}");
        play(
            &text,
            &[&ends, "encounter.max_rounds=30"],
            &[(0, Initiative, &[9; 8]), (1, Initiative, &[1; 8])],
        )
    };
    // The thief gains three yards a turn. After its eighth run they are 60 yards apart.
    let played = chase(10, "\"distance >= 60\"");
    assert_eq!(played.record.ending, Ending::Escaped);
    assert_eq!(
        (played.record.rounds, played.record.distance),
        (8, Some(60))
    );
    let caught = play(
        &scenario(&[
            &one("thief 20 1 2 2", "policy = [\"pass\"]"),
            &one("guard 0 2 2 2", "policy = [\"advance run 1000\"]"),
        ]),
        &["encounter.ends_when=[\"distance > 100\", \"distance <= 0\"]"],
        &[(0, Initiative, &[9]), (1, Initiative, &[1])],
    );
    assert_eq!(caught.record.ending, Ending::Caught);
    assert_eq!(caught.record.distance, Some(0));
}

/// Acts of a tied combatant count when the turns of both are over: its wounds do not make the turn before more
/// strenuous (W-5).
#[test]
fn ma_6_wounds_of_a_tied_enemy_do_not_count_for_the_endurance_of_the_turn() {
    let gun = "[weapons.gun]\nkind = \"ranged\"\nrange = 90\ncheck = { pool = 1 }\ndamage = 3\n";
    // 11 yards are less than half of 23, but more than half of the rate of the Injured.
    let runs = "policy = [\"retreat run 11 if turn = 1 and not moved\", \"retreat run 1 if turn = 2 and endurance = 10 and not moved\"]";
    let shoots = "weapons = [\"gun\"]\npolicy = [\"attack if turn = 1\"]";
    let text = scenario(&[
        gun,
        &one("runner 5 1 1 1", runs),
        &one("hunter 0 1 1 1", shoots),
    ]);
    let played = play(
        &text,
        &["encounter.max_rounds=2"],
        &[
            (0, Initiative, &[5, 5]),
            (1, Initiative, &[5, 5]),
            (1, Check, &[7]),
        ],
    );
    assert_eq!(
        played.only_untimed(&["settles"]),
        ["runner settles 3 has 4"]
    );
    assert_eq!(played.counts_of(0).units_moved, 12);
}
