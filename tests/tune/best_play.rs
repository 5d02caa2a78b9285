//! The best play of a side, compared with enumeration, and with the solver's result for the written policy.

use super::{THRESHOLDS, exact, prepared, question};
use crate::exact::random::{Fights, fights};
use crate::support::TestDir;
use crate::support::fights::{self, NEVER, budget, document, variant};
use crate::sweep::cell;
use skirmish::cli::Exit;
use skirmish::exact::{BestPlay, MAX_STATES, best_play, obstacle, show, solve};
use skirmish::output::best::Trace;
use skirmish::output::story::StoryOptions;
use skirmish::scenario::Offers;
use skirmish::sim::{Event, Silent};
use skirmish::tally::{Tally, metrics};
use skirmish::task::{Answer, Context, Files, Question, Watch};
use std::sync::atomic::{AtomicBool, Ordering};

/// Two weapons against an idle enemy: 1 damage for certain, or 3 every other time.
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

/// A weak reliable weapon and a strong unreliable one against an idle enemy, in Phases.
const PHASES: &str = r#"
system = "eclipse-phase"

[encounter]
max_rounds = 4

[weapons]
knife = { kind = "melee", check = { skill = 90 }, damage = 2 }
gun = { kind = "ranged", range = 10, check = { skill = 40 }, damage = 5 }

[[combatants]]
name = "agent"
side = "agents"
position = 0
attributes = { intuition = 20, reflexes = 20 }
fray = 40
health = 10
weapons = ["knife", "gun"]
policy = ["attack with knife", "attack with gun"]

[[combatants]]
name = "drone"
side = "drones"
position = 0
attributes = { intuition = 10, reflexes = 10 }
fray = 0
health = 8
policy = ["pass"]
"#;

/// The same fight with pools.
const POOLS: &str = r#"
system = "mage"

[encounter]
max_rounds = 4

[weapons]
knife = { kind = "melee", check = { pool = 5, difficulty = 4 }, damage = 1 }
gun = { kind = "ranged", range = 10, check = { pool = 2, difficulty = 7 }, damage = 6 }

[[combatants]]
name = "hunter"
side = "hunters"
position = 0
attributes = { dexterity = 3, wits = 3, stamina = 3 }
weapons = ["knife", "gun"]
policy = ["attack with knife", "attack with gun"]

[[combatants]]
name = "beast"
side = "beasts"
position = 0
attributes = { dexterity = 1, wits = 1, stamina = 2 }
policy = ["pass"]
"#;

fn open(text: &str, side: &str, offers: Offers) -> BestPlay {
    let document = document(text);
    let variant = document.open_decisions("base", side, offers).unwrap();
    let index = variant
        .fight
        .sides
        .iter()
        .position(|one| one == side)
        .unwrap();
    let budget = budget(MAX_STATES);
    best_play(
        &variant.fight,
        &variant.rules,
        index,
        budget,
        &NEVER,
        &mut |_| (),
    )
    .unwrap()
}

/// Returns the share of encounters that the first side wins, by the solver.
fn solved(text: &str) -> f64 {
    let variant = variant(text);
    let solved = fights::solved(&variant, budget(MAX_STATES), false);
    let tally = Tally::solved(&variant.fight, solved.ok().unwrap());
    let metric = metrics::find("win_rate").unwrap();
    tally.distribution(metric, 0).fact().unwrap().mean.unwrap()[1]
}

/// Returns the probability of taking `health` with at most `blows` blows, using the best weapon for the health left.
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

/// Returns the same probability for a fixed sequence of weapons.
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
            // The written lines use one weapon; with both there is a choice.
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
            // No fixed sequence is better.
            let sequences = (0..1u32 << rounds).map(|bits| {
                let weapons: Vec<bool> = (0..rounds).map(|at| bits >> at & 1 == 1).collect();
                by_sequence(health, &weapons)
            });
            assert!(sequences.fold(0.0, f64::max) <= truth + 1e-12);
        }
    }
}

/// After three blows with the dagger 2 health and one blow are left: the dagger cannot win, the axe wins every other
/// time.
#[test]
fn the_costliest_decision_of_the_enumerated_duel_is_the_last_blow() {
    let best = open(WEAPONS, "castle", Offers::Actions);
    let last = &best.ways[0].decision;
    let [own, better] = last.values;
    assert!(own.abs() < 1e-9, "{own}");
    assert!((better - by_enumeration(2, 1)).abs() < 1e-9, "{better}");
    // The dagger always hits, so each encounter reaches this decision.
    assert!((last.cost.times - 1.0).abs() < 1e-12);
    assert_eq!(last.options.seen, [Some([0, 10]), Some([0, 2])]);
}

/// 2 health in 3 Rounds: after a miss with the axe in Round 1 two certain blows with the dagger are left; using the axe
/// wins 3 times of 4.
#[test]
fn a_trace_tells_the_way_to_a_decision_and_stops_before_it() {
    let text = WEAPONS
        .replace("\"attack with dagger\"", "\"attack with axe\"")
        .replace("health = 5", "health = 2")
        .replace("max_rounds = 4", "max_rounds = 3");
    let document = document(&text);
    let variant = document
        .open_decisions("base", "castle", Offers::Actions)
        .unwrap();
    let best = open(&text, "castle", Offers::Actions);
    let [way] = &best.ways[..] else {
        panic!("{:?}", best.costs);
    };
    let [own, better] = way.decision.values;
    assert!((own - 0.75).abs() < 1e-9, "{own}");
    assert!((better - 1.0).abs() < 1e-9, "{better}");
    let trace = Trace::new(&variant, way);
    let told = trace
        .story
        .text(&variant.fight, &trace.record, StoryOptions::default());
    let expected = "\
Round 1
  30  knight  Score 10
      door    Score 1
  10  knight  > attack with axe
      knight  one attack on door with axe
      knight  attacks door: against 17, miss
   1  door    > pass
      door    is done, 1 Mark left

Round 2
  30  knight  Score 10
      door    Score 1
";
    assert_eq!(told, expected);
    // Nothing was rolled: the solver answered whether the attack hits.
    let json = trace.story.json(&variant.fight, false);
    let events = json.as_array().unwrap();
    let attack = events.iter().find(|event| event["event"] == "attack");
    assert!(attack.unwrap()["total"].is_null(), "{attack:?}");
}

/// The steps of a way lead to its decision, whether they are played for an observer or not (`show` asserts it).
#[test]
fn ways_in_random_fights_lead_to_their_decisions() {
    let budget = budget(2_000);
    let (mut all, mut several) = (0, 0);
    // Each roll of a pool has dice that an observer sees, also the one for getting a weapon ready.
    let beast = "policy = [\"pass\"]";
    let draws = "weapons = [\"gun\"]\nundrawn = [\"gun\"]\npolicy = [\"draw\"]";
    let ready = POOLS.replace("damage = 6", "damage = 6, ready_check = { pool = 4 }");
    let ready = ready.replace(beast, draws);
    for (system, seed) in [
        ("tara-corax", 21),
        ("mage", 22),
        ("chronicles", 23),
        ("eclipse-phase", 24),
    ] {
        let (mut ways, mut long, mut tried) = (0, 0, 0);
        let random = fights(system, seed, Fights::Plain).take(12);
        // Few random fights are small enough and have a decision that could be improved.
        let known = [WEAPONS, THRESHOLDS, PHASES, POOLS, &ready].into_iter();
        let known = known.filter(|text| text.contains(&format!("system = \"{system}\"")));
        for text in known.map(str::to_owned).chain(random) {
            let document = document(&text);
            let variant = document.variant("base").unwrap();
            if obstacle(&variant.fight).is_some() {
                continue;
            }
            let side = variant.fight.sides[0].clone();
            let open = document
                .open_decisions("base", &side, Offers::Lines)
                .unwrap();
            let Ok(best) = best_play(&open.fight, &open.rules, 0, budget, &NEVER, &mut |_| ())
            else {
                continue;
            };
            tried += 1;
            for way in &best.ways {
                let trace = Trace::new(&open, way);
                let silent = show(&open.fight, &open.rules, way, false, &mut Silent);
                assert_eq!(silent, trace.record, "{text}");
                ways += 1;
                let rounds = { trace.story.events.iter() }
                    .filter(|told| matches!(told.event, Event::Round))
                    .count();
                long += usize::from(rounds > 1);
            }
            if ways >= 6 && long >= 2 {
                break;
            }
        }
        println!("{system}: {ways} ways, {long} of several Rounds, in {tried} fights");
        assert!(ways > 0, "{system}");
        all += ways;
        several += long;
    }
    assert!(all >= 8 && several >= 4, "{all}, {several}");
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

/// A duel whose limit of Rounds makes the same decision worth less in each later Round.
const LIMITED: &str = r#"
system = "tara-corax"
rules = { round = "simple", initiative.mode = "fixed" }
encounter = { max_rounds = 6, arena = [0, 1] }

[weapons.sword]
kind = "melee"
check = { dice = "1d10", bonus = 5 }
damage = "1d4"

[weapons.axe]
kind = "melee"
check = { dice = "1d10", bonus = 2 }
damage = "1d8"

[[combatants]]
name = "quick"
side = "left"
position = 0
attributes = { agility = 12, intellect = 12 }
move = 12
evade = 13
health = 7
weapons = ["sword", "axe"]
policy = ["attack with sword"]

[[combatants]]
name = "slow"
side = "right"
position = 0
attributes = { agility = 11, intellect = 11 }
move = 12
evade = 11
health = 8
weapons = ["sword"]
policy = ["attack"]
"#;

/// A situation of several Rounds wins the mean of them, so that what it loses each time adds up to its cost.
#[test]
fn a_situation_of_several_rounds_loses_what_it_costs() {
    let best = open(LIMITED, "left", Offers::Actions);
    assert!(best.situations.len() > 3);
    for one in &best.situations {
        let [own, better] = one.values;
        let lost = one.cost.times * (better - own);
        assert!((lost - one.cost.cost).abs() < 1e-9, "{lost} {:?}", one.cost);
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
    let dir = TestDir::with_duel(WEAPONS);
    let out = dir
        .call_on_duel("tune", &["--exact", "--any-policy"])
        .printed()
        .clone();
    let truth = 100.0 * by_enumeration(5, 4);
    assert!(out.contains("Your castle win 0.00%."), "{out}");
    assert!(
        out.contains(&format!(
            "Perfect play wins {truth:.2}%: at most {truth:.2} points are left."
        )),
        "{out}"
    );
    assert!(out.contains("attack with axe"), "{out}");
    let all = dir.rows("results/duel/best-play.csv");
    let value = |fact: &str| -> f64 {
        let row = all.iter().find(|row| cell(row, "fact") == fact).unwrap();
        cell(row, "value").parse().unwrap()
    };
    assert!((value("best") - truth / 100.0).abs() < 1e-9);
    assert!((value("written")).abs() < 1e-9);
    let page = dir.path("duel.toml").parent().unwrap().join("page.html");
    let report = [
        "--exact",
        "--any-policy",
        "--report",
        page.to_str().unwrap(),
    ];
    dir.call_on_duel("tune", &report).printed();
    let page = std::fs::read_to_string(page).unwrap();
    assert!(
        page.contains("Where does the policy lose?") && page.contains("Which decisions cost most?")
    );
    assert!(page.contains("attack with dagger (line 1), or attack with axe?"));
    let json = dir.call_on_duel("tune", &["--exact", "--any-policy", "--format", "json"]);
    let json = json.json();
    let first = &json["traces"][0];
    assert_eq!(first["written"], "attack with dagger (line 1)");
    assert_eq!(first["better"], "attack with axe");
    assert_eq!(first["events"][0]["event"], "round");
}

/// The spear reaches two Units and does nothing; only from the Unit of the foe does the dagger reach it.
#[test]
fn the_best_play_may_go_nearer_than_its_longest_reach() {
    let text = r#"
        system = "chronicles"
        encounter = { max_rounds = 2, arena = [0, 2] }
        weapons.spear = { kind = "melee", reach = 2, check = { pool = 2 }, damage = 0 }
        weapons.dagger = { kind = "melee", check = { pool = 8 }, damage = 2 }
        combatants = [
            { name = "hero", side = "good", position = 0, initiative = 9, move = 2, health = 4, weapons = ["spear", "dagger"], policy = ["attack", "advance"] },
            { name = "foe", side = "bad", position = 2, initiative = 1, move = 0, health = 3, policy = ["pass"] },
        ]
    "#;
    let best = open(text, "good", Offers::Actions);
    let line = r#"["attack with dagger", "advance to 0"]"#;
    let written = solved(&text.replace(r#"["attack", "advance"]"#, line));
    assert!(
        best.written.high < written && written <= best.best.high,
        "{best:?}"
    );
}

/// A sure success for each of the first points of Willpower (MD-4).
#[test]
fn the_best_play_may_spend_willpower() {
    let text = r#"
        system = "mage"
        encounter = { max_rounds = 1, arena = [0, 1] }
        weapons.knife = { kind = "melee", check = { pool = 1 }, damage = 9 }
        combatants = [
            { name = "hero", side = "good", position = 0, attributes = { dexterity = 9, wits = 9, stamina = 3 }, willpower = 3, weapons = ["knife"], policy = ["attack"] },
            { name = "foe", side = "bad", position = 0, attributes = { dexterity = 1, wits = 1, stamina = 1 }, policy = ["pass"] },
        ]
    "#;
    let best = open(text, "good", Offers::Actions);
    let written = solved(&text.replace(r#"["attack"]"#, r#"["attack with willpower"]"#));
    assert!(
        best.written.high < written && written <= best.best.high,
        "{best:?}"
    );
}

/// `attack strongest` is an attack, which has any enemy as its target.
#[test]
fn the_lines_of_a_policy_are_open_at_every_target() {
    let text = r#"
        system = "chronicles"
        encounter = { max_rounds = 2 }
        weapons.spear = { kind = "melee", check = { pool = 5 }, damage = 1 }
        weapons.maul = { kind = "melee", check = { pool = 9 }, damage = 9 }
        combatants = [
            { name = "hero", side = "good", position = 0, initiative = 9, move = 0, health = 5, weapons = ["spear"], policy = ["attack strongest"] },
            { name = "ogre", side = "bad", position = 0, initiative = 2, move = 0, health = 9, policy = ["pass"] },
            { name = "imp", side = "bad", position = 0, initiative = 1, move = 0, health = 2, weapons = ["maul"], policy = ["attack"] },
        ]
    "#;
    let best = open(text, "good", Offers::Lines);
    assert!(best.decisions > 0, "{best:?}");
}

/// Stops a solution beyond a number of situations.
struct StopBeyond {
    states: u64,
    stop: AtomicBool,
}

impl Watch for StopBeyond {
    fn solving(&self, _: &str, states: u64, _: u32, _: f64) {
        self.stop.fetch_or(states > self.states, Ordering::Relaxed);
    }
}

#[test]
fn an_interrupt_leaves_the_best_play_of_the_lines() {
    let lines = open(PHASES, "agents", Offers::Lines);
    let watch = StopBeyond {
        states: lines.states,
        stop: AtomicBool::new(false),
    };
    let question = Question::BestPlay {
        variant: "base".to_owned(),
        side: Some("agents".to_owned()),
    };
    let prepared = prepared(PHASES, question, exact(), 1);
    let context = Context {
        stop: &watch.stop,
        watch: &watch,
        ..Context::new(&Files)
    };
    let played = prepared.play(&context).ok().unwrap();
    let answer = prepared.results(played).answer;
    assert!(answer.interrupted());
    let Answer::BestPlay(report) = &answer else {
        panic!("the answer to another question");
    };
    assert!(!report.among_all && report.remarks()[0].contains("interrupted at "));
    assert_eq!(report.found.states, lines.states);
}

#[test]
fn too_many_situations_are_counted_and_the_lines_are_solved_instead() {
    let dir = TestDir::with_duel(THRESHOLDS);
    let few = ["--exact", "--any-policy", "--max-states", "2k"];
    let outcome = dir.call_on_duel("tune", &few);
    // The actions of the lines have fewer situations; otherwise the search is refused with the figure.
    let said = match outcome.exit {
        Exit::Done => outcome.out,
        _ => outcome.err,
    };
    assert!(said.contains("situations"), "{said}");
    let refused = dir
        .call_on_duel("tune", &["--exact", "--any-policy", "--max-states", "5"])
        .errors();
    assert!(refused.contains("stopped at "), "{refused}");
    let unknown = dir
        .call_on_duel("tune", &["--exact", "--any-policy", "--side", "castel"])
        .errors();
    assert!(unknown.contains("castle"), "{unknown}");
}

/// The wins of the written policy, computed from another graph and with another solver.
#[test]
fn written_policies_of_random_fights_win_what_the_solver_says() {
    let budget = budget(800);
    for (system, seed) in [
        ("tara-corax", 11),
        ("mage", 12),
        ("chronicles", 13),
        ("eclipse-phase", 14),
    ] {
        let (mut compared, mut open_decisions, mut gained) = (0, 0, 0);
        for text in fights(system, seed, Fights::Plain).take(120) {
            let document = document(&text);
            let variant = document.variant("base").unwrap();
            if obstacle(&variant.fight).is_some() {
                continue;
            }
            let side = variant.fight.sides[0].clone();
            let open = document
                .open_decisions("base", &side, Offers::Lines)
                .unwrap();
            let Ok(best) = best_play(&open.fight, &open.rules, 0, budget, &NEVER, &mut |_| ())
            else {
                continue;
            };
            let solved = solve(
                &variant.fight,
                &variant.rules,
                budget,
                &|_| false,
                &NEVER,
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
