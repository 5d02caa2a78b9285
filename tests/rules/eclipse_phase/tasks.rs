//! Task Actions (EP-3).

use super::stage::{GUN, one, play, play_turn, scenario};
use crate::support::fights::variant;
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
            // The threshold is a fifth of 30.
            "2.2 10 b wounded 2, now 0",
        ]
    );
    assert_eq!(played.counts_of(0).phases.tasks_done, 1);
    assert_eq!(played.counts_of(0).phases.actions, [2, 2, 0, 0]);
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
    let played = play_turn(&text, &[], &[1, 1], &[(1, Check, &[1]), (0, Other, &[9])]);
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
    // Wounds are not healed.
    assert_eq!(played.counts_of(0).phases.wounds, 1);
}

/// The condition of a task with a strike reads the target of its line.
#[test]
fn w_4_what_a_task_asks_of_its_target_is_asked_of_that_one() {
    let task = "[tasks.bomb]\nphases = 1\ndamage = 5\nrange = 20\n";
    let worked = |line: &str| {
        let text = scenario(&[
            task,
            &one(
                "a",
                0,
                20,
                &format!("tasks = [\"bomb\"]\npolicy = [\"{line}\", \"pass\"]"),
            ),
            &one("b near", 4, 10, "policy = [\"pass\"]"),
            &one("b weak", 9, 10, "policy = [\"pass\"]").replace("health = 30", "health = 8"),
        ]);
        let set = ["encounter.max_rounds=1", "rules.initiative.mode=fixed"];
        let played = play(&text, &set, &[]);
        let told = played.only(&["works", "takes"]);
        told.iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        worked("task bomb weakest if distance <= 5"),
        Vec::<String>::new()
    );
    for line in [
        "task bomb weakest if distance = 9",
        "task bomb weakest if target.health = 8",
        "task bomb 'b weak' if distance > 5",
    ] {
        assert_eq!(
            worked(line),
            ["1.1 20 a works 1/1", "1.1 20 b weak takes 5 has 3"],
            "{line}"
        );
    }
    assert_eq!(
        worked("task bomb if distance = 4"),
        ["1.1 20 a works 1/1", "1.1 20 b near takes 5 has 25"]
    );
}

/// The health that a task restores counts as healed.
#[test]
fn what_a_task_heals_is_counted() {
    let text = scenario(&[
        "[tasks.patch]\nphases = 1\nheal = 4\n",
        &one(
            "a",
            0,
            20,
            "tasks = [\"patch\"]\npolicy = [\"task patch if health < 30\", \"pass\"]",
        ),
        &one("b", 9, 30, GUN),
    ]);
    let played = play(
        &text,
        &["encounter.max_rounds=1", "rules.initiative.mode=fixed"],
        &[(1, Check, &[1])],
    );
    assert_eq!(played.counts_of(0).healed, 4);
    let healed = skirmish::tally::metrics::find("healed").unwrap();
    assert!(healed.is_measured(&variant(&text).fight));
}
