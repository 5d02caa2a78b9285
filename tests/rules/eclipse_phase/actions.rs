//! The actions of a stage (EP-3).

use super::stage::{one, play_turn, scenario};
use skirmish::chance::Purpose::Check;

const GEAR: &str = "[items.stim]\ncost = \"quick\"\nheal = 1\nuses = 9\n\
    [items.kit]\nheal = 3\nuses = 9\n[tasks.chore]\nphases = 3\n";

fn stages(own: &str, set: &[&str], checks: &[u32]) -> super::stage::Played {
    let text = scenario(&[
        GEAR,
        &one("a", 0, 9, own),
        &one("b", 1, 1, "policy = [\"pass\"]"),
    ]);
    play_turn(&text, set, &[1, 1], &[(0, Check, checks)])
}

#[test]
fn ep_3_quick_actions_are_bounded_and_one_complex_action_goes_with_them() {
    let own = "items = [\"stim\"]\nweapons = [\"gun\"]\n\
               policy = [\"quick use stim if quick_actions > 1\", \"attack\", \"use stim\"]";
    let played = stages(own, &[], &[99]);
    assert_eq!(
        played.only(&["a uses", "a attacks"]),
        [
            "1.1 10 a uses +0",
            "1.1 10 a uses +0",
            "1.1 10 a attacks b 99/60 miss",
            "1.1 10 a uses +0",
        ]
    );
    let played = stages(own, &["rules.quick_actions=1"], &[99]);
    assert_eq!(played.only(&["a uses", "a attacks"]).len(), 2);
    let played = stages(own, &["rules.quick_actions=0"], &[99]);
    assert_eq!(played.only(&["a uses", "a attacks"]).len(), 1);
    assert_eq!(played.counts_of(0).phases.actions, [1, 0, 0, 0]);
}

#[test]
fn ep_3_an_attack_and_a_complex_item_are_both_the_complex_action() {
    let own = "items = [\"kit\"]\nweapons = [\"gun\"]\npolicy = [\"use kit\", \"attack\"]";
    let played = stages(own, &[], &[]);
    assert_eq!(played.only(&["a uses", "a attacks"]), ["1.1 10 a uses +0"]);
}

#[test]
fn ep_3_drawing_and_getting_up_are_quick() {
    let own = "weapons = [\"gun\"]\nundrawn = [\"gun\"]\nprone = true\n\
               policy = [\"attack\", \"stand\", \"draw\"]";
    let played = stages(own, &[], &[99]);
    assert_eq!(
        played.only(&[" a "])[1..],
        [
            "1.1 10 a stands up",
            "1.1 10 a draws",
            "1.1 10 a attacks b 99/60 miss",
        ]
    );
}

#[test]
fn ep_3_a_task_goes_with_movement_and_with_nothing_else() {
    let own = "items = [\"stim\"]\nweapons = [\"gun\"]\ntasks = [\"chore\"]\n\
               policy = [\"retreat 2 if not moved\", \"task chore\", \"use stim\", \"attack\"]";
    let played = stages(own, &[], &[]);
    assert_eq!(
        played.only(&[" a "])[1..],
        [
            "1.1 10 a steps 0>-1",
            "1.1 10 a steps -1>-2",
            "1.1 10 a works 1/3",
        ]
    );
    // No task is possible after a Quick Action.
    let own = "items = [\"stim\"]\ntasks = [\"chore\"]\n\
               policy = [\"use stim if not acted\", \"task chore\"]";
    let played = stages(own, &[], &[]);
    assert_eq!(played.only(&["works"]), Vec::<&str>::new());
}

#[test]
fn ep_3_who_is_prone_neither_attacks_nor_moves() {
    let own = "weapons = [\"gun\"]\nprone = true\npolicy = [\"attack\", \"retreat\"]";
    let played = stages(own, &[], &[]);
    assert_eq!(played.lines.len(), 2);
}
