//! The best that any policy could do, held against enumeration, and against what the solver says of the written policy.

use super::{THRESHOLDS, exact, question};
use crate::exact::random::{Fights, fights};
use crate::sweep::{Room, cell, rows};
use skirmish::exact::{BestPlay, Budget, MAX_STATES, best_play, obstacle, solve};
use skirmish::scenario::{Offers, Scenario};
use skirmish::tally::{Tally, metrics};

/// Two weapons against one who does nothing: 1 damage for certain, or 3 every other time.
const WEAPONS: &str = r#"
system = "tara-corax"

[rules]
wait = false
initiative = { mode = "fixed" }

[encounter]
max_rounds = 4
arena = [0, 1]

[weapons.dagger]
kind = "melee"
check = { dice = "1d20", bonus = 100 }
damage = 1

[weapons.axe]
kind = "melee"
check = { dice = "1d20", bonus = 6 }
damage = 3

[[combatants]]
name = "knight"
side = "castle"
position = 0
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 16
health = 10
weapons = ["dagger", "axe"]
policy = ["attack with dagger", "set if not ready"]

[[combatants]]
name = "door"
side = "wall"
position = 0
attributes = { agility = 1, intellect = 1 }
move = 0
evade = 17
health = 5
policy = ["pass"]
"#;

fn open(text: &str, side: &str, offers: Offers) -> BestPlay {
    let document = Scenario::parse("duel.toml", text, &[]).unwrap().document;
    let variant = document.open_decisions("base", side, offers).unwrap();
    let index = variant
        .fight
        .sides
        .iter()
        .position(|one| one == side)
        .unwrap();
    let budget = Budget {
        max_states: MAX_STATES,
        bound: 0.0,
    };
    best_play(&variant.fight, &variant.rules, index, budget, &mut |_| true).unwrap()
}

/// What the solver says that the first side wins.
fn solved(text: &str) -> f64 {
    let scenario = Scenario::parse("duel.toml", text, &[]).unwrap().scenario;
    let variant = &scenario.variants[0];
    let budget = Budget {
        max_states: MAX_STATES,
        bound: 0.0,
    };
    let solved = solve(
        &variant.fight,
        &variant.rules,
        budget,
        &|_| false,
        &mut |_, _, _| true,
    );
    let tally = Tally::solved(&variant.fight, solved.ok().unwrap());
    let metric = metrics::find("win_rate").unwrap();
    tally.distribution(metric, 0).fact().unwrap().mean.unwrap()[1]
}

/// The chance to bring down so much health within so many blows, each with the weapon that is best for what is left.
fn by_enumeration(health: i32, blows: u32) -> f64 {
    if health <= 0 {
        return 1.0;
    }
    if blows == 0 {
        return 0.0;
    }
    let dagger = by_enumeration(health - 1, blows - 1);
    let axe = 0.5 * by_enumeration(health - 3, blows - 1) + 0.5 * by_enumeration(health, blows - 1);
    dagger.max(axe)
}

/// Every sequence of weapons that looks at nothing.
fn by_sequence(health: i32, weapons: &[bool]) -> f64 {
    match weapons.split_first() {
        _ if health <= 0 => 1.0,
        None => 0.0,
        Some((true, rest)) => 0.5 * by_sequence(health - 3, rest) + 0.5 * by_sequence(health, rest),
        Some((false, rest)) => by_sequence(health - 1, rest),
    }
}

#[test]
fn the_best_weapon_for_what_is_left_is_that_of_enumeration() {
    for (health, rounds) in [(5, 4), (4, 3), (7, 6), (3, 1), (2, 2), (6, 3)] {
        let text = WEAPONS
            .replace("health = 5", &format!("health = {health}"))
            .replace("max_rounds = 4", &format!("max_rounds = {rounds}"));
        for offers in [Offers::Actions, Offers::Lines] {
            // The written lines have one weapon only: with both there is a choice.
            let text = match offers {
                Offers::Actions => text.clone(),
                Offers::Lines => text.replace("\"set if", "\"attack with axe\", \"set if"),
            };
            let best = open(&text, "castle", offers);
            let truth = by_enumeration(health, rounds);
            assert!(
                best.best.low <= truth + 1e-12 && truth - 1e-12 <= best.best.high,
                "{health}, {rounds}: {:?} is not {truth}",
                best.best
            );
            assert!(best.best.high - best.best.low < 1e-9);
            let written = f64::from(u8::from(health <= rounds as i32));
            assert!(best.written.low <= written && written <= best.written.high);
            // No sequence that does not look is better.
            let sequences = (0..1u32 << rounds).map(|bits| {
                let weapons: Vec<bool> = (0..rounds).map(|at| bits >> at & 1 == 1).collect();
                by_sequence(health, &weapons)
            });
            assert!(sequences.fold(0.0, f64::max) <= truth + 1e-12);
        }
    }
}

#[test]
fn costs_of_decisions_add_up_to_what_is_left() {
    for (text, side, offers) in [
        (WEAPONS.to_owned(), "castle", Offers::Actions),
        (THRESHOLDS.to_owned(), "castle", Offers::Lines),
    ] {
        let best = open(&text, side, offers);
        let all: f64 = best.costs.iter().map(|cost| cost.cost).sum();
        let left = best.best.low - best.written.low;
        assert!((all - left).abs() < 1e-8, "{all} is not {left}");
        assert!(
            best.costs
                .windows(2)
                .all(|pair| pair[0].cost >= pair[1].cost)
        );
        assert!(best.costs.iter().all(|cost| cost.cost > 0.0));
    }
}

#[test]
fn the_written_policy_wins_what_the_solver_says_and_no_candidate_beats_the_best() {
    let best = open(THRESHOLDS, "castle", Offers::Lines);
    let rate = solved(THRESHOLDS);
    assert!(
        (best.written.low - rate).abs() < 1e-8,
        "{:?} is not {rate}",
        best.written
    );
    let searched = super::search(THRESHOLDS, question(&[], &["win_rate"]), exact(), 1);
    let found = searched.rows[0].summaries[0].mean.unwrap();
    assert!(
        found <= best.best.high + 1e-9,
        "{found} is more than {:?}",
        best.best
    );
    assert!(rate < found);
}

#[test]
fn the_best_answer_is_printed_with_what_is_left() {
    let room = Room::with(WEAPONS);
    let out = room
        .skirmish("tune", &["--exact", "--any-policy"])
        .printed()
        .to_owned();
    let truth = 100.0 * by_enumeration(5, 4);
    assert!(out.contains("Your castle win 0.00%."), "{out}");
    assert!(
        out.contains(&format!(
            "Perfect play wins {truth:.2}%: at most {truth:.2} points are left."
        )),
        "{out}"
    );
    assert!(out.contains("attack with axe"), "{out}");
    let all = rows(&room.written("best-play.csv"));
    let value = |fact: &str| -> f64 {
        let row = all.iter().find(|row| cell(row, "fact") == fact).unwrap();
        cell(row, "value").parse().unwrap()
    };
    assert!((value("best") - truth / 100.0).abs() < 1e-9);
    assert!((value("written")).abs() < 1e-9);
    let page = room.file().parent().unwrap().join("page.html");
    let report = [
        "--exact",
        "--any-policy",
        "--report",
        page.to_str().unwrap(),
    ];
    room.skirmish("tune", &report).printed();
    let page = std::fs::read_to_string(page).unwrap();
    assert!(
        page.contains("Where does the policy lose?") && page.contains("Which decisions cost most?")
    );
}

#[test]
fn too_many_situations_are_counted_and_the_lines_are_solved_instead() {
    let room = Room::with(THRESHOLDS);
    let few = ["--exact", "--any-policy", "--max-states", "2k"];
    let outcome = room.skirmish("tune", &few);
    // The actions of the lines have fewer situations, or it is refused with the figure.
    let said = match &outcome.result {
        Ok(_) => outcome.out.clone(),
        Err(failure) => failure.to_string(),
    };
    assert!(said.contains("situations"), "{said}");
    let refused = room
        .skirmish("tune", &["--exact", "--any-policy", "--max-states", "5"])
        .refused();
    assert!(refused.contains("stopped at "), "{refused}");
    let unknown = room
        .skirmish("tune", &["--exact", "--any-policy", "--side", "castel"])
        .refused();
    assert!(unknown.contains("castle"), "{unknown}");
}

/// What the written policy wins is known from another graph and another way to solve it.
#[test]
fn written_policies_of_random_fights_win_what_the_solver_says() {
    let budget = Budget {
        max_states: 2_000,
        bound: 0.0,
    };
    for (system, seed) in [
        ("tara-corax", 11),
        ("mage", 12),
        ("chronicles", 13),
        ("eclipse-phase", 14),
    ] {
        let (mut compared, mut open_decisions, mut gained) = (0, 0, 0);
        for text in fights(system, seed, Fights::Plain).take(120) {
            let document = Scenario::parse("random.toml", &text, &[]).unwrap().document;
            let variant = document.variant("base").unwrap();
            if obstacle(&variant.fight).is_some() {
                continue;
            }
            let side = variant.fight.sides[0].clone();
            let open = document
                .open_decisions("base", &side, Offers::Lines)
                .unwrap();
            let Ok(best) = best_play(&open.fight, &open.rules, 0, budget, &mut |_| true) else {
                continue;
            };
            let solved = solve(
                &variant.fight,
                &variant.rules,
                budget,
                &|_| false,
                &mut |_, _, _| true,
            );
            let Ok(solved) = solved else { continue };
            let tally = Tally::solved(&variant.fight, solved);
            let metric = metrics::find("win_rate").unwrap();
            let [low, _, high] = tally.distribution(metric, 0).fact().unwrap().mean.unwrap();
            assert!(
                best.written.low <= high && low <= best.written.high,
                "{:?} is not {low} to {high}:\n{text}",
                best.written
            );
            assert!(best.best.low >= best.written.low - 1e-12, "{text}");
            let costs: f64 = best.costs.iter().map(|cost| cost.cost).sum();
            assert!(
                (costs - (best.best.low - best.written.low)).abs() < 1e-7,
                "{costs}:\n{text}"
            );
            compared += 1;
            open_decisions += usize::from(best.decisions > 0);
            gained += usize::from(best.best.low > best.written.high + 1e-6);
            if compared == 12 {
                break;
            }
        }
        println!(
            "{system}: {compared} fights, {open_decisions} with decisions, better play in {gained}"
        );
        assert!(
            compared >= 8 && open_decisions >= 4,
            "{system}: {compared}, {open_decisions}"
        );
    }
}
