//! A tally counts what its records say, whatever the order and the split.

use crate::synthetic::{fight, fight_of, record};
use proptest::prelude::*;
use skirmish::fight::Ending;
use skirmish::fight::Fight;
use skirmish::sim::{Counts, Record};
use skirmish::tally::Tally;

fn tally_of(fight: &Fight, encounters: impl IntoIterator<Item = u64>) -> Tally {
    let mut tally = Tally::new(fight);
    for encounter in encounters {
        tally.add(encounter, &record(fight, encounter));
    }
    tally
}

/// Value, count and first encounter of a metric of a subject.
fn cells(tally: &Tally, metric: &str, subject: usize) -> Vec<(u32, u64, Option<u64>)> {
    let metric = tally.metric(metric).unwrap();
    tally
        .distribution(metric, subject)
        .entries()
        .iter()
        .map(|entry| (entry.value, entry.count, entry.first))
        .collect()
}

/// Three encounters of a duel, numbered 10 to 12, in which everything is known.
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
    assert_eq!((tally.mutuals(), tally.timeouts()), (1, 0));
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
