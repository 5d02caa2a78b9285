//! A tally counts the values of its records, whatever the order and the split.

use crate::synthetic::{fight, fight_of, record, tally_of};
use proptest::prelude::*;
use skirmish::fight::{Ending, Fight, Limit};
use skirmish::scenario::Scenario;
use skirmish::sim::{Counts, First, Record};
use skirmish::systems::named;
use skirmish::tally::values::columns;
use skirmish::tally::{Kind, Scope, Tally, ValueColumn, Values, are_few, metrics};

/// Returns the value, count and first encounter of each entry of a subject's metric.
fn cells(tally: &Tally, metric: &str, subject: usize) -> Vec<(u32, u64, Option<u64>)> {
    let metric = tally.metric(metric).unwrap();
    tally
        .distribution(metric, subject)
        .entries()
        .iter()
        .map(|entry| (entry.value, entry.count, entry.first))
        .collect()
}

/// Returns the tally of three encounters of a duel, numbered 10 to 12, with known values.
fn known() -> Tally {
    let fight = fight_of(&["red", "blue"], &[("ann", 0), ("bob", 1)]);
    let mut tally = Tally::new(&fight);
    let ended = |ending, rounds, combatants| Record {
        ending,
        rounds,
        marks: rounds * 30,
        combatants,
        ..Record::default()
    };
    let stands = |health| Counts {
        health,
        decisions: 1,
        ..Counts::default()
    };
    let fell = |fell_round| Counts {
        fell_round,
        ..Counts::default()
    };
    tally.add(12, &ended(Ending::Win(0), 3, vec![stands(7), fell(2)]));
    tally.add(10, &ended(Ending::Win(0), 1, vec![stands(7), fell(1)]));
    tally.add(11, &ended(Ending::Mutual, 2, vec![fell(2), fell(2)]));
    tally
}

#[test]
fn each_value_names_the_lowest_encounter_that_showed_it() {
    assert_eq!(
        cells(&known(), "health", 0),
        [(0, 1, Some(11)), (7, 2, Some(10))]
    );
}

#[test]
fn endings_are_counted_by_side_mutual_and_timeout() {
    let tally = known();
    assert_eq!((tally.wins(0), tally.wins(1)), (2, 0));
    assert_eq!(tally.timeouts(), 0);
    assert_eq!(
        cells(&tally, "winner", 0),
        [
            (0, 2, Some(10)),
            (1, 0, None),
            (2, 1, Some(11)),
            (3, 0, None)
        ]
    );
    assert_eq!(tally.winner(0), "red");
    assert_eq!(tally.winner(2), "mutual");
    assert_eq!(tally.winner(3), "timeout");
    assert_eq!(cells(&tally, "win_rate", 1), [(0, 3, Some(10))]);
    assert_eq!(
        cells(&tally, "mutual", 0),
        [(0, 2, Some(10)), (1, 1, Some(11))]
    );
}

#[test]
fn a_combatant_stands_until_the_end_of_the_round_before_it_falls() {
    let tally = known();
    assert_eq!(
        cells(&tally, "standing", 0),
        [(1, 3, None), (2, 2, None), (3, 2, None)]
    );
    assert_eq!(
        cells(&tally, "standing", 1),
        [(1, 2, None), (2, 0, None), (3, 0, None)]
    );
    assert_eq!(
        cells(&tally, "alive", 0),
        [(0, 1, Some(11)), (1, 2, Some(10))]
    );
}

#[test]
fn only_encounters_with_an_attack_count_for_the_first_attack() {
    let fight = fight();
    let tally = tally_of(&fight, 0..1000);
    let with = (0..1000)
        .filter(|&i| record(&fight, i).combatants[0].first_attack.is_some())
        .count() as u64;
    let first = tally.metric("first_attack").unwrap();
    assert_eq!(tally.distribution(first, 0).total(), with);
    assert!(with < 1000);
}

#[test]
fn a_side_has_the_health_of_all_its_combatants() {
    let fight = fight();
    let tally = tally_of(&fight, 0..500);
    let mut expected = std::collections::BTreeMap::new();
    for i in 0..500 {
        let counts = record(&fight, i).combatants;
        *expected
            .entry((counts[0].health + counts[1].health) as u32)
            .or_insert(0_u64) += 1;
    }
    let found: Vec<_> = cells(&tally, "health_left", 0)
        .into_iter()
        .map(|(value, count, _)| (value, count))
        .collect();
    assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
}

#[test]
fn a_combatant_that_never_decides_is_idle_in_every_encounter() {
    let tally = tally_of(&fight(), 0..300);
    assert_eq!([tally.idle(0), tally.idle(1), tally.idle(2)], [0, 300, 0]);
}

#[test]
fn values_beyond_the_table_are_counted_as_exactly() {
    let fight = fight();
    let tally = tally_of(&fight, 0..20_000);
    let taken = tally.metric("damage_taken").unwrap();
    let distribution = tally.distribution(taken, 2);
    assert_eq!(distribution.total(), 20_000);
    assert!(distribution.entries().is_sorted_by_key(|entry| entry.value));
    assert!(distribution.count(3_000_000_004) > 0);
}

#[test]
fn every_metric_of_every_subject_counts_every_encounter_at_most_once() {
    let tally = tally_of(&fight(), 0..777);
    for metric in tally.metrics() {
        for subject in 0..tally.subjects(metric.scope) {
            let total = tally.distribution(metric, subject).total();
            if metric.name == "first_attack" {
                assert!(total <= 777);
            } else {
                assert_eq!(total, 777, "{}", metric.name);
            }
        }
    }
}

/// One encounter for each ending, shown in three ways: by its tally, by the compared value, and by its columns. The
/// metric of each ending is spelled out here.
#[test]
fn an_encounter_is_the_same_in_tallies_comparisons_and_columns() {
    let fight = Fight {
        first_mover: true,
        acted_first: true,
        ends: vec![Limit {
            far: true,
            distance: 1000,
        }],
        ..fight()
    };
    let columns = columns(&[&fight]);
    let reader = Values::new(&fight, &columns);
    let endings = [
        (Ending::Win(0), "win_rate"),
        (Ending::Win(1), "win_rate"),
        (Ending::Mutual, "mutual"),
        (Ending::Timeout, "timeout"),
        (Ending::Escaped, "escaped"),
        (Ending::Caught, "caught"),
    ];
    for ((encounter, (ending, named)), first) in (0..).zip(endings).zip([0, 0, 1, 1, 0, 1]) {
        let mut record = record(&fight, encounter);
        record.ending = ending;
        record.first = First::Side(first);
        record.led_round = 1;
        record.combatants[0].rounds_led = 1;
        let mut tally = Tally::new(&fight);
        tally.add(encounter, &record);
        let mut row = vec![None; columns.len()];
        reader.read(&record, &mut row);
        for metric in metrics::all() {
            if matches!(metric.kind, Kind::Category | Kind::Curve) {
                continue;
            }
            for (subject, name) in metric.scope.subjects(&fight).enumerate() {
                let value = metric.value(&record, &fight, subject);
                let counted = tally.distribution(metric, subject);
                let counted: Vec<_> = counted.entries().iter().map(|one| one.value).collect();
                let told = format!("{} of {name} in {ending:?}", metric.name);
                let expected: Vec<_> = value.map(|value| value as u32).into_iter().collect();
                assert_eq!(counted, expected, "{told}");
                let same = |one: &ValueColumn| one.metric == metric && one.subject == name;
                if let Some(column) = columns.iter().position(same) {
                    assert_eq!(row[column].map(i64::from), value, "{told}");
                }
                let wins = Ending::Win(subject as u8) == ending;
                match metric.name {
                    "win_rate" => assert_eq!(value, Some(wins.into()), "{told}"),
                    "mutual" | "timeout" | "escaped" | "caught" => {
                        assert_eq!(value, Some((metric.name == named).into()), "{told}");
                    }
                    "first_mover_wins" => {
                        let wins = ending == Ending::Win(first);
                        assert_eq!(value, Some(wins.into()), "{told}");
                    }
                    _ => {}
                }
            }
        }
        let fell = |one: &Counts| (one.fell_round > 0).then_some(one.fell_round);
        for (who, counts) in record.combatants.iter().enumerate() {
            let name = format!("fell_round.{}", fight.combatants[who].name);
            let column = columns.iter().position(|one| one.name() == name);
            assert_eq!(row[column.unwrap()], fell(counts), "{name}");
        }
        assert_eq!(tally.timeouts(), u64::from(ending == Ending::Timeout));
    }
    assert_eq!(columns[0].name(), "rounds");
    assert!(columns.iter().all(|column| column.metric.name != "winner"));
}

/// An archer and her dog against a brute: subjects are found by name, and metrics that cannot occur in the fight have
/// no column.
#[test]
fn columns_are_of_subjects_and_metrics_that_a_fight_has() {
    let fight = fight();
    for (scope, name, index) in [
        (Scope::Combatant, "archer", Some(0)),
        (Scope::Combatant, "brute", Some(2)),
        (Scope::Side, "monsters", Some(1)),
        (Scope::Encounter, "encounter", Some(0)),
        (Scope::Side, "brute", None),
    ] {
        assert_eq!(scope.subject(&fight, name), index, "{name}");
    }
    let columns = columns(&[&fight]);
    let has = |name: &str| columns.iter().any(|column| column.name() == name);
    assert!(has("timeout") && has("win_rate.hunters") && has("attacks.dog"));
    assert!(!has("escaped") && !has("botches.dog"));
    let summed = [Kind::Rate, Kind::Count, Kind::Category, Kind::Curve].map(Kind::has_summary);
    assert_eq!(summed, [true, true, false, false]);
}

/// A side has as many survivors as standing combatants, and their total health.
#[test]
fn a_side_adds_up_those_who_stand() {
    let fight = fight();
    let mut record = record(&fight, 0);
    for (one, health, fell_round) in [(0, 12, 0), (1, 5, 0), (2, 0, 2)] {
        record.combatants[one].health = health;
        record.combatants[one].fell_round = fell_round;
    }
    let value = |name, side| metrics::find(name).unwrap().value(&record, &fight, side);
    let both = |name| [value(name, 0), value(name, 1)];
    assert_eq!(both("survivors"), [Some(2), Some(0)]);
    assert_eq!(both("health_left"), [Some(17), Some(0)]);
}

/// The share of 8 Rounds in which a side, or one of its members, acted before all enemies, in whole per cent. It is
/// unknown if the order was not observed.
#[test]
fn rounds_that_are_led_are_counted_in_per_cent_of_all() {
    let fight = fight();
    let mut record = record(&fight, 0);
    record.rounds = 8;
    for (one, led) in [(0, 3), (1, 2), (2, 2)] {
        record.combatants[one].rounds_led = led;
    }
    let metric = metrics::all()
        .find(|metric| metric.name == "acted_first" && metric.scope == Scope::Side)
        .unwrap();
    let both = |record: &Record| [0, 1].map(|side| metric.value(record, &fight, side));
    assert_eq!(both(&record), [None, None]);
    record.led_round = 8;
    // Five of eight are 62.5%, which is rounded half to even.
    assert_eq!(both(&record), [Some(62), Some(25)]);
}

/// The maximum of a metric bounds an interval if the values hardly varied.
#[test]
fn metrics_have_the_limits_of_their_fight() {
    let fight = fight();
    let tally = Tally::new(&fight);
    let limit = |name: &str, subject| {
        let metric = metrics::find(name).unwrap();
        tally.distribution(metric, subject).limit()
    };
    for (name, subject, greatest) in [
        ("win_rate", 0, Some(1)),
        ("rounds", 0, Some(12)),
        ("survivors", 0, Some(2)),
        ("survivors", 1, Some(1)),
        ("health_left", 0, Some(60)),
        ("health", 2, Some(30)),
        ("acted_first", 0, Some(100)),
        ("acted_first_of_all", 0, Some(100)),
        // No combatant has spells.
        ("spells_cast", 0, Some(0)),
        ("collapsed", 0, Some(1)),
        ("damage", 0, None),
    ] {
        assert_eq!(limit(name, subject), greatest, "{name} of {subject}");
    }
}

#[test]
fn spells_of_casters_alone_have_no_limit() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/scenarios/wizard-interceptor.toml"
    );
    let loaded = Scenario::load(file.as_ref(), &[]).unwrap();
    let fight = &loaded.scenario.variants[0].fight;
    let tally = Tally::new(fight);
    for name in ["spells_cast", "spells_fizzled"] {
        let limit = |who| {
            tally
                .distribution(metrics::find(name).unwrap(), who)
                .limit()
        };
        let who = |name: &str| fight.combatants.iter().position(|one| one.name == name);
        assert_eq!(limit(who("wizard").unwrap()), None, "{name}");
        assert_eq!(limit(who("combatant").unwrap()), Some(0), "{name}");
    }
}

/// Willpower is measured only if a policy spends it, and the end of a chase only if there is a chase.
#[test]
fn what_a_fight_gives_no_occasion_for_is_not_measured() {
    let mut fight = Fight {
        system: named("mage").unwrap(),
        ..fight()
    };
    let names = [
        "willpower_spent",
        "escaped",
        "first_mover_wins",
        "acted_first",
    ];
    let measured = |fight: &Fight| {
        let tally = Tally::new(fight);
        names.map(|name| tally.metric(name).is_some())
    };
    assert_eq!(measured(&fight), [false; 4]);
    fight.first_mover = true;
    assert_eq!(measured(&fight), [false, false, true, false]);
    fight.acted_first = true;
    assert_eq!(measured(&fight), [false, false, true, true]);
}

/// Few means fewer than 20, and less than half of all, unless these are fewer than 20 themselves.
#[test]
fn few_encounters_are_few_of_themselves_and_of_all() {
    for (encounters, all, few) in [
        (0, 1, true),
        (19, 1000, true),
        (20, 1000, false),
        (9, 20, true),
        (10, 20, false),
        (10, 21, true),
        (11, 21, false),
        (19, 19, true),
        (20, 20, false),
    ] {
        assert_eq!(are_few(encounters, all), few, "{encounters} of {all}");
    }
}

#[test]
#[should_panic(expected = "tallies of different fights")]
fn tallies_of_different_fights_do_not_merge() {
    known().merge(&Tally::new(&fight()));
}

proptest! {
    #[test]
    fn any_split_merged_in_any_order_is_the_whole(
        parts in prop::collection::vec(0_usize..5, 1..400),
        order in Just([0_usize, 1, 2, 3, 4]).prop_shuffle(),
    ) {
        let fight = fight();
        let whole = tally_of(&fight, 0..parts.len() as u64);
        let mut merged = Tally::new(&fight);
        for part in order {
            let own = (0_u64..).zip(&parts).filter(|(_, p)| **p == part).map(|(i, _)| i);
            merged.merge(&tally_of(&fight, own));
        }
        prop_assert_eq!(merged, whole);
    }

    #[test]
    fn merging_is_associative(a in 0_u64..50, b in 0_u64..50, c in 0_u64..50) {
        let fight = fight();
        let part = |from, length| tally_of(&fight, from..from + length);
        let (x, y, z) = (part(0, a), part(a, b), part(a + b, c));
        let mut left = x.clone();
        left.merge(&y);
        left.merge(&z);
        let mut right = y;
        right.merge(&z);
        let mut all = x;
        all.merge(&right);
        prop_assert_eq!(left, all);
    }
}
