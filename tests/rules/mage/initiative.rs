//! The order of actions (MA-1, MA-2).

use super::stage::{Played, one, play, scenario};
use skirmish::chance::Purpose::{Check, Initiative};
use skirmish::fight::Ending;

/// A weapon that fells its target if its one die succeeds.
const ARMS: &str = "[weapons.axe]\nkind = \"melee\"\ncheck = { pool = 1 }\ndamage = 7\n";
const FIGHTS: &str = "weapons = [\"axe\"]\npolicy = [\"attack\"]";

fn fighter(name: &str, [dexterity, wits, stamina]: [i32; 3]) -> String {
    one(&format!("{name} 0 {dexterity} {wits} {stamina}"), FIGHTS)
}

fn duel(left: [i32; 3], right: [i32; 3], set: &[&str], dice: &[(usize, &[u32], &[u32])]) -> Played {
    let text = scenario(&[ARMS, &fighter("left", left), &fighter("right", right)]);
    let dice: Vec<_> = dice
        .iter()
        .flat_map(|(who, initiative, checks)| {
            [(*who, Initiative, *initiative), (*who, Check, *checks)]
        })
        .collect();
    play(&text, set, &dice)
}

#[test]
fn ma_1_the_highest_of_dexterity_wits_and_die_goes_first() {
    // 3 + 2 + 4 = 9 against 2 + 2 + 6 = 10.
    let played = duel(
        [3, 2, 1],
        [2, 2, 1],
        &[],
        &[(0, &[4], &[]), (1, &[6], &[9])],
    );
    assert_eq!(
        played.lines,
        [
            "1 0 left initiative 9",
            "1 0 right initiative 10",
            "1 10 right rolls 1 of 1-0-0",
            "1 10 right attacks left net 1 hit",
            "1 10 left takes 7 has 0",
            "1 10 left falls",
        ]
    );
    assert_eq!(played.record.ending, Ending::Win(1));
}

#[test]
fn ma_1_equal_totals_go_to_the_rating_then_to_wits() {
    // 10 each; a rating of 6 acts before one of 5, against the file order.
    let played = duel(
        [3, 2, 1],
        [3, 3, 1],
        &[],
        &[(0, &[5], &[]), (1, &[4], &[9])],
    );
    assert_eq!(played.record.ending, Ending::Win(1));
    // Equal ratings: Wits 4 before Wits 2.
    let played = duel(
        [4, 2, 1],
        [2, 4, 1],
        &[],
        &[(0, &[5], &[]), (1, &[5], &[9])],
    );
    assert_eq!(played.record.ending, Ending::Win(1));
}

#[test]
fn ma_1_who_cannot_be_told_apart_acts_simultaneously_and_both_may_fall() {
    let played = duel(
        [3, 3, 1],
        [3, 3, 2],
        &[],
        &[(0, &[5], &[9]), (1, &[5], &[8])],
    );
    assert_eq!(played.record.ending, Ending::Mutual);
    assert_eq!(
        played.only_untimed(&["takes", "settles", "falls"]),
        [
            "right takes 7 has 7 later",
            "left takes 7 has 7 later",
            "left settles 7 has 0",
            "left falls",
            "right settles 7 has 0",
            "right falls",
        ]
    );
}

#[test]
fn ma_1_a_group_may_share_the_initiative_of_its_first_who_stands() {
    let text = scenario(&[
        ARMS,
        &one("hero 0 3 3 1", FIGHTS),
        &one("goblin 0 2 2 1", &format!("count = 3\n{FIGHTS}")),
    ]);
    let played = play(
        &text,
        &[
            "rules.initiative={ share = [\"goblin\"] }",
            "encounter.max_rounds=2",
        ],
        &[
            (0, Initiative, &[4, 1]),
            // Turn 1: the first rolls for all and falls; in turn 2 the second rolls.
            (1, Initiative, &[3]),
            (2, Initiative, &[9]),
            (0, Check, &[9, 2]),
            (2, Check, &[2, 2]),
            (3, Check, &[2, 2]),
        ],
    );
    assert_eq!(
        played.only_untimed(&["initiative"]),
        [
            "hero initiative 10",
            "goblin 1 initiative 7",
            "goblin 2 initiative 7 shared",
            "goblin 3 initiative 7 shared",
            "hero initiative 7",
            "goblin 2 initiative 13",
            "goblin 3 initiative 13 shared",
        ]
    );
    // In turn 2 both goblins act before the hero.
    let attacks = played.only_untimed(&["attacks"]);
    assert_eq!(
        attacks[3..5],
        [
            "goblin 2 attacks hero net 0 miss",
            "goblin 3 attacks hero net 0 miss"
        ]
    );
}

#[test]
fn ma_2_per_turn_everybody_rolls_every_turn() {
    let played = duel(
        [3, 3, 1],
        [3, 3, 1],
        &["encounter.max_rounds=3"],
        &[(0, &[1, 9, 1], &[2, 2, 2]), (1, &[5, 5, 5], &[2, 2, 2])],
    );
    let order = played.only_untimed(&["attacks"]);
    let first: Vec<&str> = order.iter().step_by(2).map(|line| &line[..4]).collect();
    assert_eq!(first, ["righ", "left", "righ"]);
}

#[test]
fn ma_2_per_scene_the_order_never_changes() {
    let played = duel(
        [3, 3, 1],
        [3, 3, 1],
        &[
            "encounter.max_rounds=5",
            "rules.initiative={ roll = \"per-scene\" }",
        ],
        &[(0, &[1], &[2; 5]), (1, &[5], &[2; 5])],
    );
    let order: Vec<&str> = played
        .only_untimed(&["attacks"])
        .iter()
        .map(|line| &line[..4])
        .collect();
    assert_eq!(order, ["righ", "left"].repeat(5));
    assert_eq!(played.record.rounds, 5);
}

#[test]
fn ma_2_per_scene_a_fallen_combatant_leaves_the_others_in_their_order() {
    let text = scenario(&[
        ARMS,
        &one(
            "a 0 3 3 1",
            "weapons = [\"axe\"]\npolicy = [\"attack c\", \"pass\"]",
        ),
        &one("b 0 3 3 1", FIGHTS).replace("side = \"bs\"", "side = \"as\""),
        &one("c 0 1 1 1", "policy = [\"pass\"]"),
        &one("d 0 2 2 1", "weapons = [\"axe\"]\npolicy = [\"attack b\"]")
            .replace("side = \"ds\"", "side = \"cs\""),
    ]);
    let played = play(
        &text,
        &[
            "encounter.max_rounds=3",
            "rules.initiative={ roll = \"per-scene\" }",
        ],
        &[
            (0, Initiative, &[9]),
            (1, Initiative, &[3]),
            (2, Initiative, &[1]),
            (3, Initiative, &[8]),
            (0, Check, &[9, 2, 2]),
            (1, Check, &[2, 2, 2]),
            (3, Check, &[2, 2, 2]),
        ],
    );
    let order: Vec<&str> = played
        .only_untimed(&["attacks"])
        .iter()
        .map(|line| &line[..1])
        .collect();
    assert_eq!(order, ["a", "d", "b", "a", "d", "b", "a", "d", "b"]);
}
