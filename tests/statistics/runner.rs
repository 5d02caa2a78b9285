//! A run has one result, whichever thread plays which part.

use crate::synthetic::{PlayBy, Synthetic, fight, record, tally_of};
use proptest::prelude::*;
use skirmish::run::runner::{Progress, run, run_in_batches};
use skirmish::tally::Tally;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn threads_and_batches_cannot_be_seen_in_the_result(
        start in 0_u64..1_000_000,
        length in 0_u64..3000,
        count in 1_usize..8,
        batch in 1_u64..700,
    ) {
        let fight = fight();
        let go = AtomicBool::new(false);
        let range = start..start + length;
        let tally =
            run_in_batches(&Synthetic(&fight), &fight, range.clone(), threads(count), batch, &go, &())
                .unwrap();
        prop_assert_eq!(tally, tally_of(&fight, range));
    }

    #[test]
    fn a_stopped_run_is_a_whole_run_of_fewer_encounters(
        stop_at in 0_u64..5000,
        count in 1_usize..5,
        batch in 1_u64..300,
    ) {
        let fight = fight();
        let stop = AtomicBool::new(false);
        // Requests a stop in the middle of an encounter.
        let stopper = PlayBy(|encounter, into: &mut _| {
            if encounter == stop_at {
                stop.store(true, Ordering::Relaxed);
            }
            *into = record(&fight, encounter);
        });
        let tally =
            run_in_batches(&stopper, &fight, 0..5000, threads(count), batch, &stop, &()).unwrap();
        let finished = tally.encounters();
        prop_assert!(finished > stop_at && finished <= 5000);
        prop_assert_eq!(tally, tally_of(&fight, 0..finished));
    }
}

#[test]
fn a_run_that_is_stopped_before_it_starts_has_no_encounters() {
    let fight = fight();
    let stop = AtomicBool::new(true);
    let tally = run(&Synthetic(&fight), &fight, 0..1000, threads(2), &stop, &()).unwrap();
    assert_eq!(tally, Tally::new(&fight));
}

#[test]
fn progress_hears_of_every_encounter_and_every_win_once() {
    #[derive(Default)]
    struct Ear(AtomicU64, Mutex<[u64; 2]>);
    impl Progress for Ear {
        fn tick(&self, encounters: u64, wins: &[u64]) {
            self.0.fetch_add(encounters, Ordering::Relaxed);
            let mut all = self.1.lock().unwrap();
            all[0] += wins[0];
            all[1] += wins[1];
        }
    }
    let fight = fight();
    let ear = Ear::default();
    let go = AtomicBool::new(false);
    let tally = run(&Synthetic(&fight), &fight, 5..5005, threads(3), &go, &ear).unwrap();
    assert_eq!(ear.0.into_inner(), 5000);
    assert_eq!(*ear.1.lock().unwrap(), [tally.wins(0), tally.wins(1)]);
}

#[test]
fn a_run_at_the_end_of_all_numbers_does_not_overflow() {
    let fight = fight();
    let go = AtomicBool::new(false);
    let range = u64::MAX - 1000..u64::MAX;
    let tally = run(&Synthetic(&fight), &fight, range, threads(2), &go, &()).unwrap();
    assert_eq!(tally.encounters(), 1000);
}
