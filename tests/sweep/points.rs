//! Many fights at once, on a made-up engine: each gives the same result as alone.

use crate::synthetic::{PlayBy, fight, fight_of, mix, record};
use skirmish::fight::Fight;
use skirmish::run::points::{self, Point};
use skirmish::run::{Play, Progress, runner};
use skirmish::tally::Tally;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Plays the encounters with numbers shifted by `by`. `stop` is the encounter that requests a stop, and the flag to set;
/// nothing is played until the flag `after` is set.
fn shifted<'a>(
    fight: &'a Fight,
    by: u64,
    stop: Option<(u64, &'a AtomicBool)>,
    after: Option<&'a AtomicBool>,
) -> impl Play + 'a {
    PlayBy(move |encounter, into: &mut _| {
        while after.is_some_and(|set| !set.load(Ordering::Relaxed)) {
            std::thread::yield_now();
        }
        if let Some((at, stop)) = stop
            && at == encounter
        {
            stop.store(true, Ordering::Relaxed);
        }
        *into = record(fight, mix(encounter ^ by));
    })
}

fn play_all(fights: &[Fight], encounters: u64, threads: usize) -> Vec<(usize, Tally)> {
    let points: Vec<_> = fights
        .iter()
        .zip(0..)
        .map(|(fight, by)| Point {
            play: shifted(fight, by, None, None),
            fight,
            encounters: 0..encounters,
        })
        .collect();
    points::run(
        &points,
        NonZeroUsize::new(threads).unwrap(),
        &AtomicBool::new(false),
        &(),
        |index, tally| (index, tally),
    )
    .unwrap()
}

/// Returns fights with different combatants, as in a sweep over `count`.
fn fights() -> Vec<Fight> {
    let pack = ["wolf 1", "wolf 2", "wolf 3", "wolf 4", "wolf 5"];
    (0..23)
        .map(|point| {
            let mut combatants = vec![("archer", 0)];
            combatants.extend(pack[..=point % pack.len()].iter().map(|&name| (name, 1)));
            fight_of(&["hunters", "monsters"], &combatants)
        })
        .collect()
}

#[test]
fn every_point_is_what_a_run_of_it_alone_would_be() {
    let fights = fights();
    for encounters in [1, 255, 256, 257, 1000] {
        let all = play_all(&fights, encounters, 3);
        assert_eq!(all.len(), fights.len());
        for (index, (point, tally)) in all.into_iter().enumerate() {
            assert_eq!(point, index, "points come in order");
            let play = shifted(&fights[index], index as u64, None, None);
            let one = NonZeroUsize::MIN;
            let never = AtomicBool::new(false);
            let alone =
                runner::run(&play, &fights[index], 0..encounters, one, &never, &()).unwrap();
            assert_eq!(tally, alone);
        }
    }
}

#[test]
fn threads_cannot_be_seen() {
    let fights = fights();
    let one = play_all(&fights, 700, 1);
    for threads in [2, 3, 7, 64] {
        assert_eq!(play_all(&fights, 700, threads), one);
    }
}

#[test]
fn a_sweep_that_is_stopped_keeps_its_first_points_and_only_whole_ones() {
    let fight = fight();
    let stop = AtomicBool::new(false);
    for threads in [1, 2, 5] {
        stop.store(false, Ordering::Relaxed);
        let points: Vec<_> = (0..40)
            .map(|by| Point {
                play: shifted(
                    &fight,
                    by,
                    (by == 11).then_some((300, &stop)),
                    // Other threads cannot get far ahead of the thread that plays point 11.
                    (by >= 18).then_some(&stop),
                ),
                fight: &fight,
                encounters: 0..1000,
            })
            .collect();
        let made = points::run(
            &points,
            NonZeroUsize::new(threads).unwrap(),
            &stop,
            &(),
            |index, tally| {
                assert_eq!(tally.encounters(), 1000);
                index
            },
        )
        .unwrap();
        // Point 11 had four batches, and the stop came in the second: with several threads the point may have been
        // finished.
        assert!((11..20).contains(&made.len()), "{}", made.len());
        assert!(threads > 1 || made.len() == 11);
        assert!(made.iter().copied().eq(0..made.len()));
    }
}

#[test]
fn no_points_leave_nothing() {
    assert_eq!(play_all(&[], 10, 2), []);
}

/// Counts the encounters reported to it.
struct CountingProgress(AtomicU64);

impl Progress for CountingProgress {
    fn tick(&self, encounters: u64, _wins: &[u64]) {
        self.0.fetch_add(encounters, Ordering::Relaxed);
    }
}

#[test]
fn progress_tells_of_every_encounter_once() {
    let fight = fight();
    let points: Vec<_> = (0..9)
        .map(|by| Point {
            play: shifted(&fight, by, None, None),
            fight: &fight,
            encounters: 0..300,
        })
        .collect();
    let progress = CountingProgress(AtomicU64::new(0));
    points::run(
        &points,
        NonZeroUsize::new(2).unwrap(),
        &AtomicBool::new(false),
        &progress,
        |_, _| (),
    )
    .unwrap();
    assert_eq!(progress.0.into_inner(), 9 * 300);
}
