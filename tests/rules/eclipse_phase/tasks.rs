//! Task Actions (EP-3).

use super::stage::{GUN, one, play, scenario};
use skirmish::chance::Purpose::{Check, Damage, Initiative, Other};

#[test]
fn ep_3_a_task_keeps_its_progress_over_phases_and_turns_whatever_comes_between() {
    let task = "[tasks.bomb]\nphases = 3\ndamage = \"2d10\"\nrange = 20\n";
    let text = scenario(&[
        task,
        &one(
            "a",
            0,
            9,
            "speed = 2\nweapons = [\"gun\"]\ntasks = [\"bomb\"]\n\
             policy = [\"attack if turn = 1 and phase = 2\", \"task bomb\", \"pass\"]",
        ),
        &one("b", 9, 1, "armor = 4\npolicy = [\"pass\"]"),
    ]);
    let played = play(
        &text,
        &["encounter.max_rounds=3"],
        &[
            (0, Initiative, &[1; 3]),
            (1, Initiative, &[1; 3]),
            (0, Check, &[99]),
            (0, Damage, &[10, 6]),
        ],
    );
    assert_eq!(
        played.only(&["works", "attacks", "takes", "wounded"]),
        [
            "1.1 10 a works 1/3",
            "1.2 10 a attacks b 99/60 miss",
            "2.1 10 a works 2/3",
            "2.2 10 a works 3/3",
            "2.2 10 b takes 12 has 18",
            // A fifth of 30 is the threshold.
            "2.2 10 b wounded 2, now 0",
        ]
    );
    assert_eq!(played.of(0).phases.tasks_done, 1);
    assert_eq!(played.of(0).phases.actions, [2, 2, 0, 0]);
}

#[test]
fn ep_3_a_task_without_a_target_is_wasted_and_one_may_heal() {
    let tasks = "[tasks.bomb]\nphases = 1\ndamage = 5\nrange = 5\n[tasks.patch]\nphases = 2\nheal = \"1d10\"\n";
    let text = scenario(&[
        tasks,
        &one(
            "a",
            0,
            1,
            "speed = 3\ntasks = [\"bomb\", \"patch\"]\n\
             policy = [\"task bomb\", \"task patch if progress.bomb = 1\"]",
        ),
        &one("b", 9, 9, GUN),
    ]);
    let played = play(
        &text,
        &["encounter.max_rounds=1"],
        &[
            (0, Initiative, &[1]),
            (1, Initiative, &[1]),
            (1, Check, &[1]),
            (0, Other, &[9]),
        ],
    );
    assert_eq!(
        played.only(&["works", "wastes", "heals", "takes"]),
        [
            "1.1 10 a takes 6 has 24",
            "1.1 1 a works 1/1",
            "1.1 1 a wastes the task",
            "1.2 1 a works 1/2",
            "1.3 1 a works 2/2",
            "1.3 1 a heals 6",
        ]
    );
    // Wounds stay.
    assert_eq!(played.of(0).phases.wounds, 1);
}
