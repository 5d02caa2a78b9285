//! Tasks of many rolls, against the rule text, a plain dynamic programme, and play.

use super::SampledFaces;
use skirmish::dice::extended::{self, Extended, ExtendedError, Gathering, OnBotch};
use skirmish::dice::pool::{Storyteller, Tens};
use skirmish::dice::{Distribution, ExtendedOdds, Faces};

fn rule(pool: u32, difficulty: u32, required: u32) -> Storyteller {
    Storyteller {
        required,
        ..Storyteller::new(pool, difficulty)
    }
}

/// The options of a task, and by how much a roll that adds nothing raises the difficulty, up to 10.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Options {
    pub(super) on_botch: OnBotch,
    pub(super) difficulty_step: u32,
    pub(super) max_rolls: Option<u32>,
    pub(super) paradox: Option<Gathering>,
    pub(super) willpower: u32,
}

pub(super) fn new(rule: Storyteller, options: Options) -> Result<Extended, ExtendedError> {
    let step = options.difficulty_step;
    let harder = |last: &u32| (step > 0 && *last < 10).then(|| (last + step).min(10));
    let difficulties = std::iter::successors(Some(rule.difficulty), harder);
    let pool = |difficulty| Storyteller { difficulty, ..rule }.compile().unwrap();
    let task = extended::Options {
        on_botch: options.on_botch,
        max_rolls: options.max_rolls,
        paradox: options.paradox,
        willpower: options.willpower,
    };
    Extended::new(difficulties.map(pool).collect(), task)
}

fn task(rule: Storyteller, options: Options) -> Extended {
    new(rule, options).unwrap()
}

/// A task that was played.
struct Played {
    rolls: u32,
    done: bool,
    botches: u32,
}

/// Plays a task without Willpower, as MD-7 has it.
fn play(rule: Storyteller, options: Options, faces: &mut impl Faces) -> Played {
    let (mut gathered, mut difficulty) = (0, rule.difficulty);
    let mut played = Played {
        rolls: 0,
        done: false,
        botches: 0,
    };
    while options.max_rolls.is_none_or(|cap| played.rolls < cap) {
        played.rolls += 1;
        let result = Storyteller { difficulty, ..rule }
            .compile()
            .unwrap()
            .roll(faces);
        if !result.botch && result.net > 0 {
            gathered += result.net;
            played.done = gathered >= i64::from(rule.required);
            if played.done {
                break;
            }
            continue;
        }
        difficulty = (difficulty + options.difficulty_step).min(10);
        if result.botch {
            played.botches += 1;
            match options.on_botch {
                OnBotch::Ends => break,
                OnBotch::LosesAll => gathered = 0,
                OnBotch::Continues => {}
            }
        }
    }
    played
}

fn scripted(rule: Storyteller, options: Options, script: &[u32]) -> Played {
    let mut faces = script.iter().copied();
    let result = play(rule, options, &mut |_: u32| {
        faces.next().expect("a face too few")
    });
    assert_eq!(faces.next(), None, "the script was not used up");
    result
}

/// The state of a plain dynamic programme: gathered successes, difficulty, botches.
type Key = (i64, u32, u32);

/// Solves a task naively, roll by roll over a map of states. Returns for each roll the chance of being done and of
/// being ended at that roll, and the chance of each number of botches when the task is over or the rolls run out.
fn plainly(
    rule: Storyteller,
    options: Options,
    rolls: usize,
) -> (Vec<(f64, f64)>, std::collections::BTreeMap<u32, f64>) {
    let mut states = std::collections::BTreeMap::from([((0, rule.difficulty, 0), 1.0)]);
    let mut over = Vec::new();
    let mut botches_over = std::collections::BTreeMap::new();
    for _ in 0..rolls {
        let mut next: std::collections::BTreeMap<Key, f64> = std::collections::BTreeMap::new();
        let (mut done, mut ended) = (0.0, 0.0);
        for ((gathered, difficulty, botches), weight) in states {
            let odds = Storyteller { difficulty, ..rule }.compile().unwrap().odds();
            let harder = (difficulty + options.difficulty_step).min(10);
            for (net, chance) in odds.clean().iter() {
                let mass = weight * chance;
                if net < 1 {
                    *next.entry((gathered, harder, botches)).or_default() += mass;
                } else if gathered + net >= i64::from(rule.required) {
                    done += mass;
                    *botches_over.entry(botches).or_default() += mass;
                } else {
                    *next
                        .entry((gathered + net, difficulty, botches))
                        .or_default() += mass;
                }
            }
            let mass = weight * odds.botch();
            match options.on_botch {
                OnBotch::Ends => {
                    ended += mass;
                    *botches_over.entry(botches + 1).or_default() += mass;
                }
                OnBotch::LosesAll => *next.entry((0, harder, botches + 1)).or_default() += mass,
                OnBotch::Continues => {
                    *next.entry((gathered, harder, botches + 1)).or_default() += mass;
                }
            }
        }
        over.push((done, ended));
        states = next;
    }
    for ((_, _, botches), weight) in states {
        *botches_over.entry(botches).or_default() += weight;
    }
    (over, botches_over)
}

#[test]
fn rolls_agree_with_a_plain_dynamic_programme() {
    for &(_, on_botch) in OnBotch::ALL {
        for difficulty_step in [0, 1, 3] {
            let rule = rule(4, 7, 6);
            let options = Options {
                on_botch,
                difficulty_step,
                ..Options::default()
            };
            let odds = task(rule, options).odds().unwrap();
            let (plain, _) = plainly(rule, options, 25);
            for (roll, (done, ended)) in (1..).zip(plain) {
                assert!(
                    (odds.done.probability(roll) - done).abs() < 1e-14,
                    "{options:?} {roll}"
                );
                assert!((odds.ended.probability(roll) - ended).abs() < 1e-14);
            }
            assert!(odds.unfinished < 1e-60);
        }
    }
}

#[test]
fn totals_agree_with_the_list_of_rolls() {
    for &(_, on_botch) in OnBotch::ALL {
        for difficulty_step in [0, 2] {
            for paradox in [None, Some(0), Some(3)] {
                let options = Options {
                    on_botch,
                    difficulty_step,
                    paradox: paradox.map(|each| Gathering { each, once: false }),
                    ..Options::default()
                };
                let odds = task(rule(5, 6, 7), options).odds().unwrap();
                let rolls = odds.done.with(&odds.ended);
                assert!((rolls.mass().value() + odds.unfinished - 1.0).abs() < 1e-15);
                assert_mean_and_sd(&rolls, &odds, &format!("{options:?}"));
                assert!((odds.done.mass().value() - odds.summary.success).abs() < 1e-15);
                if let Some((paradox, _)) = odds.paradox {
                    assert!((paradox.mass().value() - 1.0).abs() < 1e-15);
                    let mean = odds.summary.mean_paradox.unwrap();
                    assert!((paradox.mean() / mean - 1.0).abs() < 1e-13, "{options:?}");
                }
            }
        }
    }
}

#[test]
fn botches_agree_with_a_plain_dynamic_programme() {
    for &(_, on_botch) in OnBotch::ALL {
        for difficulty_step in [0, 1] {
            let rule = rule(2, 8, 3);
            let options = Options {
                on_botch,
                difficulty_step,
                max_rolls: Some(6),
                paradox: Some(Gathering {
                    each: 0,
                    once: false,
                }),
                ..Options::default()
            };
            let odds = task(rule, options).odds().unwrap();
            let (rolls, botches) = plainly(rule, options, 6);
            let done: f64 = rolls.iter().map(|roll| roll.0).sum();
            assert!((odds.summary.success - done).abs() < 1e-14);
            let (paradox, _) = odds.paradox.unwrap();
            for (count, weight) in botches {
                let exact = paradox.probability(count.into());
                assert!((exact - weight).abs() < 1e-14, "{options:?} {count}");
            }
            // `botch_first` is the chance of at least one botch.
            let none = paradox.probability(0);
            assert!((odds.summary.botch_first + none - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn a_first_botch_is_as_likely_whatever_it_does() {
    let chance = |on_botch| {
        let options = Options {
            on_botch,
            ..Options::default()
        };
        task(rule(3, 8, 10), options)
            .odds()
            .unwrap()
            .summary
            .botch_first
    };
    let ends = chance(OnBotch::Ends);
    assert!((chance(OnBotch::LosesAll) - ends).abs() < 1e-16);
    assert!((chance(OnBotch::Continues) - ends).abs() < 1e-16);
}

#[test]
fn one_die_and_one_success_is_a_geometric_wait() {
    // Difficulty 6 with plain 10s: success 1/2, botch 1/10.
    let one = Storyteller {
        tens: Tens::Plain,
        ..rule(1, 6, 1)
    };
    let odds = task(one, Options::default()).odds().unwrap();
    assert!((odds.summary.success - 5.0 / 6.0).abs() < 1e-15);
    assert!((odds.summary.mean_rolls - 1.0 / 0.6).abs() < 1e-15);
    assert!((odds.sd_rolls - 0.4_f64.sqrt() / 0.6).abs() < 1e-15);
    assert!((odds.done.probability(40) / (0.5 * 0.4_f64.powi(39)) - 1.0).abs() < 1e-13);
}

#[test]
fn a_hopeless_work_has_a_mean_without_a_list() {
    let options = Options {
        on_botch: OnBotch::LosesAll,
        ..Options::default()
    };
    let odds = task(rule(1, 9, 200), options).odds().unwrap();
    assert!(odds.unfinished > 0.999_999);
    assert!(odds.summary.mean_rolls > 1e30);
    assert!((odds.summary.success - 1.0).abs() < 1e-16);
}

#[test]
fn md_7_a_ritual_is_played_as_written() {
    let options = |on_botch| Options {
        on_botch,
        ..Options::default()
    };
    let ends = options(OnBotch::Ends);
    let done = scripted(rule(2, 6, 3), ends, &[7, 2, 3, 4, 8, 9]);
    assert!(done.done && done.rolls == 3);
    let botched = scripted(rule(2, 6, 3), ends, &[7, 7, 1, 2]);
    assert_eq!(
        (botched.rolls, botched.done, botched.botches),
        (2, false, 1)
    );
    let loses = scripted(
        rule(2, 6, 3),
        options(OnBotch::LosesAll),
        &[7, 7, 1, 2, 7, 2, 7, 7],
    );
    assert_eq!(loses.rolls, 4);
    let goes_on = scripted(
        rule(2, 6, 3),
        options(OnBotch::Continues),
        &[7, 7, 1, 2, 7, 2],
    );
    assert_eq!(goes_on.rolls, 3);
    let harder = Options {
        difficulty_step: 2,
        ..Options::default()
    };
    let harder = scripted(rule(2, 6, 1), harder, &[5, 5, 7, 7, 9, 9, 10, 2, 3]);
    assert_eq!(harder.rolls, 4);
}

#[test]
fn play_agrees_with_the_solution() {
    let options = Options {
        on_botch: OnBotch::LosesAll,
        difficulty_step: 1,
        max_rolls: Some(12),
        paradox: Some(Gathering {
            each: 0,
            once: false,
        }),
        ..Options::default()
    };
    let odds = task(rule(4, 6, 8), options).odds().unwrap();
    let success = odds.summary.success;
    let (paradox, _) = odds.paradox.as_ref().unwrap();
    let mut faces = SampledFaces::new(5);
    let plays = 200_000;
    let (mut done, mut gathered) = (0, 0);
    for _ in 0..plays {
        let result = play(rule(4, 6, 8), options, &mut faces);
        done += u32::from(result.done);
        // A coincidental effect gathers a point of Paradox for each botch (MD-6).
        gathered += u64::from(result.botches);
    }
    // Both are within 4 standard errors.
    let share = f64::from(done) / f64::from(plays);
    let error = (success * (1.0 - success) / f64::from(plays)).sqrt();
    assert!((share - success).abs() < 4.0 * error);
    let error = paradox.sd() / f64::from(plays).sqrt();
    let mean = odds.summary.mean_paradox.unwrap();
    assert!((gathered as f64 / f64::from(plays) - mean).abs() < 4.0 * error);
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |rule, options| new(rule, options).unwrap_err();
    assert_eq!(
        refused(rule(0, 6, 2), Options::default()),
        ExtendedError::Endless
    );
    assert_eq!(
        refused(rule(3, 6, 501), Options::default()),
        ExtendedError::Required(501)
    );
    let cap = |max_rolls| Options {
        max_rolls: Some(max_rolls),
        ..Options::default()
    };
    assert_eq!(refused(rule(3, 6, 5), cap(0)), ExtendedError::MaxRolls(0));
    let never = task(rule(0, 6, 2), cap(3)).odds().unwrap();
    assert!(never.summary.success < 1e-300 && (never.unfinished - 1.0).abs() < 1e-16);
    assert!((never.summary.mean_rolls - 3.0).abs() < 1e-15);
}

/// Solves a task with Willpower naively, roll by roll over a map of states: gathered successes, failures so far, points of
/// Willpower left. Returns the chance of being done and of being ended at each roll.
fn willingly(rule: Storyteller, options: Options, rolls: usize) -> Vec<(f64, f64)> {
    use std::collections::BTreeMap;
    let required = i64::from(rule.required);
    let mut states = BTreeMap::from([((0_i64, 0_u32, options.willpower), 1.0)]);
    let mut over = Vec::new();
    for _ in 0..rolls {
        let mut next: BTreeMap<(i64, u32, u32), f64> = BTreeMap::new();
        let (mut done, mut ended) = (0.0, 0.0);
        for ((gathered, failures, points), weight) in states {
            let rule = Storyteller {
                difficulty: (rule.difficulty + failures * options.difficulty_step).min(10),
                willpower: points > 0,
                ..rule
            };
            let odds = rule.compile().unwrap().odds();
            let clean = odds.clean().iter().filter(|term| term.1 > 1e-18);
            let results = clean.map(|(net, chance)| (net.max(0), chance));
            let botch = (-1, odds.botch());
            for (sum, chance) in results.chain([botch]) {
                let mass = weight * chance;
                let points = points.saturating_sub(1);
                let mut go = |key| *next.entry(key).or_default() += mass;
                match (sum, options.on_botch) {
                    (1.., _) if gathered + sum >= required => done += mass,
                    (1.., _) => go((gathered + sum, failures, points)),
                    (0, _) | (_, OnBotch::Continues) => go((gathered, failures + 1, points)),
                    (_, OnBotch::LosesAll) => go((0, failures + 1, points)),
                    (_, OnBotch::Ends) => ended += mass,
                }
            }
        }
        over.push((done, ended));
        states = next;
    }
    over
}

/// Asserts that the list of rolls has the mean and deviation of the solution without a list.
fn assert_mean_and_sd(rolls: &Distribution, odds: &ExtendedOdds, what: &str) {
    assert!(
        (rolls.mean() / odds.summary.mean_rolls - 1.0).abs() < 1e-13,
        "{what}"
    );
    assert!((rolls.sd() / odds.sd_rolls - 1.0).abs() < 1e-12, "{what}");
}

fn assert_rolls(task: &Extended, plain: &[(f64, f64)], what: &str) {
    let odds = task.odds().unwrap();
    for (roll, (done, ended)) in (1..).zip(plain) {
        assert!(
            (odds.done.probability(roll) - done).abs() < 1e-14,
            "{what}, roll {roll}"
        );
        assert!(
            (odds.ended.probability(roll) - ended).abs() < 1e-14,
            "{what}, roll {roll}"
        );
    }
}

#[test]
fn md_4_willpower_is_spent_on_the_first_rolls_as_long_as_it_lasts() {
    let rule = rule(3, 7, 7);
    for &(_, on_botch) in OnBotch::ALL {
        for willpower in [1, 2, 4, 20] {
            for difficulty_step in [0, 2] {
                let options = Options {
                    on_botch,
                    difficulty_step,
                    willpower,
                    ..Options::default()
                };
                let task = task(rule, options);
                assert_rolls(
                    &task,
                    &willingly(rule, options, 10),
                    &format!("{options:?}"),
                );
                // The solution without a list of rolls agrees with the list.
                let odds = task.odds().unwrap();
                let rolls = odds.done.with(&odds.ended);
                assert!((rolls.mass().value() - 1.0).abs() < 1e-14, "{options:?}");
                assert_mean_and_sd(&rolls, &odds, &format!("{options:?}"));
                let spent = rolls.map(|roll| roll.min(willpower.into())).mean();
                assert!(
                    (spent / odds.mean_willpower - 1.0).abs() < 1e-13,
                    "{options:?}"
                );
                if willpower > 6 {
                    assert!(odds.summary.botch_first <= 0.0 && odds.summary.success > 0.999_999);
                }
            }
        }
    }
}

#[test]
fn willpower_counts_against_a_cap_and_keeps_botches_away() {
    for &(_, on_botch) in OnBotch::ALL {
        for (max_rolls, willpower) in [(5, 2), (2, 3), (4, 4)] {
            let options = Options {
                on_botch,
                willpower,
                max_rolls: Some(max_rolls),
                paradox: Some(Gathering {
                    each: 0,
                    once: false,
                }),
                ..Options::default()
            };
            let task = task(rule(2, 8, 5), options);
            let odds = task.odds().unwrap();
            assert_rolls(&task, &willingly(rule(2, 8, 5), options, 2), "capped");
            let sum = odds.summary.success + odds.ended.mass().value() + odds.unfinished;
            assert!((sum - 1.0).abs() < 1e-15, "{options:?}");
            let (paradox, _) = odds.paradox.unwrap();
            assert!((paradox.mass().value() - 1.0).abs() < 1e-15, "{options:?}");
            let most = i64::from(max_rolls.saturating_sub(willpower));
            assert!(paradox.last() <= most, "{options:?}");
        }
    }
}

#[test]
fn a_summary_is_what_the_lists_say() {
    for &(_, on_botch) in OnBotch::ALL {
        for max_rolls in [None, Some(7)] {
            for each in [0, 3] {
                for (once, willpower) in [(false, 0), (true, 0), (false, 2)] {
                    let options = Options {
                        on_botch,
                        max_rolls,
                        willpower,
                        difficulty_step: 1,
                        paradox: Some(Gathering { each, once }),
                    };
                    let task = task(rule(4, 6, 8), options);
                    let (odds, summary) = (task.odds().unwrap(), task.summary().unwrap());
                    assert_eq!(odds.summary, summary);
                    let (paradox, _) = odds.paradox.unwrap();
                    let cap = f64::from(max_rolls.unwrap_or(0));
                    let over = odds.done.with(&odds.ended);
                    let rolls = over.mean() * over.mass().value() + cap * odds.unfinished;
                    for (listed, stated) in [
                        (odds.done.mass().value(), summary.success),
                        (rolls, summary.mean_rolls),
                        (paradox.mean(), summary.mean_paradox.unwrap()),
                    ] {
                        assert!(
                            (listed - stated).abs() < 1e-13,
                            "{options:?}: {listed} {stated}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_task_without_dice_needs_enough_willpower() {
    let options = Options {
        willpower: 2,
        ..Options::default()
    };
    let refused = new(rule(0, 6, 3), options);
    assert_eq!(refused.unwrap_err(), ExtendedError::Endless);
    let enough = task(rule(0, 6, 2), options).odds().unwrap();
    assert!((enough.summary.success - 1.0).abs() < 1e-16);
    assert!((enough.summary.mean_rolls - 2.0).abs() < 1e-15);
}
