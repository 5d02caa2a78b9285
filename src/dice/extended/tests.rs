//! Tasks of many rolls: the rule text, a plain dynamic programme, and play.

use super::{Extended, ExtendedError, Gathering, OnBotch, Options};
use crate::dice::SampledFaces;
use crate::dice::pool::{Named, Storyteller};

fn rule(pool: u32, difficulty: u32, required: u32) -> Storyteller {
    Storyteller {
        required,
        ..Storyteller::new(pool, difficulty)
    }
}

fn task(rule: Storyteller, options: Options) -> Extended {
    Extended::new(&rule, options).unwrap()
}

fn played(task: &Extended, script: &[u32]) -> super::ExtendedResult {
    let mut faces = script.iter().copied();
    let result = task.play(&mut |_: u32| faces.next().expect("a face too few"), 100);
    assert_eq!(faces.next(), None, "the script was not used up");
    result
}

/// The state of a plain dynamic programme: gathered, difficulty, botches.
type Key = (i64, u32, u32);

/// Rolls one by one over a map of states; nothing clever. Returns for every roll the chance of
/// being done at it and of being ended at it, and the chance of every number of botches when it is
/// over or the rolls run out.
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
                assert!(
                    (rolls.mean() / odds.mean_rolls - 1.0).abs() < 1e-13,
                    "{options:?}"
                );
                assert!(
                    (rolls.sd() / odds.sd_rolls - 1.0).abs() < 1e-12,
                    "{options:?}"
                );
                assert!((odds.done.mass().value() - odds.success).abs() < 1e-15);
                if let Some(paradox) = odds.paradox {
                    assert!((paradox.distribution.mass().value() - 1.0).abs() < 1e-15);
                    let mean = paradox.distribution.mean();
                    assert!((mean / paradox.mean - 1.0).abs() < 1e-13, "{options:?}");
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
            };
            let odds = task(rule, options).odds().unwrap();
            let (rolls, botches) = plainly(rule, options, 6);
            let done: f64 = rolls.iter().map(|roll| roll.0).sum();
            assert!((odds.success - done).abs() < 1e-14);
            let paradox = odds.paradox.unwrap();
            for (count, weight) in botches {
                let exact = paradox.distribution.probability(count.into());
                assert!((exact - weight).abs() < 1e-14, "{options:?} {count}");
            }
            // At least one botch is no botch-free end.
            let none = paradox.distribution.probability(0);
            assert!((odds.botch_first + none - 1.0).abs() < 1e-14);
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
        task(rule(3, 8, 10), options).odds().unwrap().botch_first
    };
    let ends = chance(OnBotch::Ends);
    assert!((chance(OnBotch::LosesAll) - ends).abs() < 1e-16);
    assert!((chance(OnBotch::Continues) - ends).abs() < 1e-16);
}

#[test]
fn one_die_and_one_success_is_a_geometric_wait() {
    // Difficulty 6 and 10s plain: success 1/2, botch 1/10.
    let one = Storyteller {
        tens: crate::dice::pool::Tens::Plain,
        ..rule(1, 6, 1)
    };
    let odds = task(one, Options::default()).odds().unwrap();
    assert!((odds.success - 5.0 / 6.0).abs() < 1e-15);
    assert!((odds.mean_rolls - 1.0 / 0.6).abs() < 1e-15);
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
    assert!(odds.mean_rolls > 1e30);
    assert!((odds.success - 1.0).abs() < 1e-16);
}

#[test]
fn md_7_a_ritual_is_played_as_written() {
    let ends = task(rule(2, 6, 3), Options::default());
    assert!(played(&ends, &[7, 2, 3, 4, 8, 9]).done);
    assert_eq!(played(&ends, &[7, 2, 3, 4, 8, 9]).rolls, 3);
    let botched = played(&ends, &[7, 7, 1, 2]);
    assert_eq!(
        (botched.rolls, botched.done, botched.botches),
        (2, false, 1)
    );
    let options = |on_botch| Options {
        on_botch,
        ..Options::default()
    };
    let loses = task(rule(2, 6, 3), options(OnBotch::LosesAll));
    assert_eq!(played(&loses, &[7, 7, 1, 2, 7, 2, 7, 7]).rolls, 4);
    let goes_on = task(rule(2, 6, 3), options(OnBotch::Continues));
    assert_eq!(played(&goes_on, &[7, 7, 1, 2, 7, 2]).rolls, 3);
    let harder = task(
        rule(2, 6, 1),
        Options {
            difficulty_step: 2,
            ..Options::default()
        },
    );
    assert!(played(&harder, &[5, 5, 7, 7, 9, 9, 10, 2, 3]).rolls == 4);
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
    };
    let task = task(rule(4, 6, 8), options);
    let odds = task.odds().unwrap();
    let paradox = odds.paradox.as_ref().unwrap();
    let mut faces = SampledFaces::new(5);
    let plays = 200_000;
    let (mut done, mut gathered) = (0, 0);
    for _ in 0..plays {
        let result = task.play(&mut faces, u32::MAX);
        done += u32::from(result.done);
        gathered += u64::from(task.paradox(&result));
    }
    // Both within 4 standard errors.
    let share = f64::from(done) / f64::from(plays);
    let error = (odds.success * (1.0 - odds.success) / f64::from(plays)).sqrt();
    assert!((share - odds.success).abs() < 4.0 * error);
    let error = paradox.distribution.sd() / f64::from(plays).sqrt();
    assert!((gathered as f64 / f64::from(plays) - paradox.mean).abs() < 4.0 * error);
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |rule, options| Extended::new(&rule, options).unwrap_err();
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
    assert!(never.success < 1e-300 && (never.unfinished - 1.0).abs() < 1e-16);
    assert!((never.mean_rolls - 3.0).abs() < 1e-15);
}
