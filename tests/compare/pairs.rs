//! Two fights on the same dice play as each would alone, and their pairs are counted.

use crate::synthetic::{PlayBy, fight, record};
use proptest::prelude::*;
use skirmish::fight::Fight;
use skirmish::run::paired::{ComparedMetric, Contender, Paired, run};
use skirmish::sim::{Counts, Record};
use skirmish::tally::{Pairs, Tally, metrics};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

fn eager(counts: &mut [Counts], more: u32) {
    for one in counts {
        one.attacks += more;
    }
}

fn questions() -> Vec<ComparedMetric> {
    let question = |metric, subjects: [Option<usize>; 3]| ComparedMetric {
        metric: metrics::find(metric).unwrap(),
        subjects: subjects.to_vec(),
    };
    vec![
        question("win_rate", [Some(0); 3]),
        question("attacks", [Some(2), Some(2), None]),
        question("first_attack", [Some(0), Some(1), Some(0)]),
    ]
}

fn play(fight: &Fight, range: Range<u64>, threads: usize) -> Paired {
    // Each combatant makes `more` attacks more.
    let contenders = [0, 1, 5].map(|more| Contender {
        player: PlayBy(move |encounter, into: &mut Record| {
            *into = record(fight, encounter);
            eager(&mut into.combatants, more);
        }),
        fight,
    });
    let threads = NonZeroUsize::new(threads).unwrap();
    run(
        &contenders,
        &questions(),
        range,
        threads,
        &AtomicBool::new(false),
        &(),
    )
    .unwrap()
}

/// Counts the same pairs, one encounter after the other.
fn slowly(fight: &Fight, range: Range<u64>) -> Paired {
    let mut tallies = vec![Tally::new(fight); 3];
    let mut pairs = vec![vec![Pairs::default(); 2]; 3];
    let encounters = range.end - range.start;
    for encounter in range {
        let records = [0, 1, 5].map(|more| {
            let mut record = record(fight, encounter);
            eager(&mut record.combatants, more);
            record
        });
        for (tally, record) in tallies.iter_mut().zip(&records) {
            tally.add(encounter, record);
        }
        for (question, pairs) in questions().iter().zip(&mut pairs) {
            let answer = |one: usize| {
                let subject = question.subjects[one]?;
                question.metric.value(&records[one], fight, subject)
            };
            for (other, pairs) in pairs.iter_mut().enumerate() {
                if let (Some(first), Some(second)) = (answer(0), answer(other + 1)) {
                    pairs.add(encounter, first, second);
                }
            }
        }
    }
    Paired {
        encounters,
        counts: tallies,
        pairs,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn threads_cannot_be_seen_and_parts_add_up(
        start in 0_u64..1000,
        length in 0_u64..1500,
        cut in 0_u64..1500,
        threads in 1_usize..6,
    ) {
        let fight = fight();
        let cut = start + cut.min(length);
        let end = start + length;
        let whole = slowly(&fight, start..end);
        prop_assert_eq!(&play(&fight, start..end, threads), &whole);
        let mut parts = play(&fight, start..cut, 1);
        parts.merge(&play(&fight, cut..end, threads));
        prop_assert_eq!(&parts, &whole);
    }
}

#[test]
fn who_is_missing_in_one_fight_is_not_compared_there() {
    let paired = play(&fight(), 0..100, 2);
    assert_eq!(paired.encounters, 100);
    let attacks = &paired.pairs[1];
    assert_eq!((attacks[0].n, attacks[1].n), (100, 0));
    assert_eq!(attacks[0].sums[1] - attacks[0].sums[0], 100);
}
