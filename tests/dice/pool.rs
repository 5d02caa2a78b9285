//! Pools, tested against the rule text and against every possible roll.

use std::collections::BTreeMap;

use super::SampledFaces;
use skirmish::dice::pool::{
    Again, Botch, Chronicles, Growth, Ones, Pool, PoolError, Storyteller, Tens,
};
use skirmish::dice::{Faces, PoolTable};

fn pool(dice: u32, difficulty: u32) -> Pool {
    Storyteller::new(dice, difficulty).compile().unwrap()
}

fn rolled(pool: &Pool, script: &[u32]) -> skirmish::dice::pool::PoolResult {
    let mut faces = script.iter().copied();
    let result = pool.roll(&mut |_: u32| faces.next().expect("a face too few"));
    assert_eq!(faces.next(), None, "the script was not used up");
    result
}

/// Returns a Storyteller pool with every combination of options.
fn all_rules(pool: u32, difficulty: u32) -> Vec<Storyteller> {
    let mut rules = Vec::new();
    for &(_, tens) in Tens::ALL {
        for &(_, ones) in Ones::ALL {
            for &(_, ones_on_explosion) in Ones::ALL {
                for &(_, botch) in Botch::ALL {
                    for willpower in [false, true] {
                        rules.push(Storyteller {
                            tens,
                            ones,
                            ones_on_explosion,
                            botch,
                            willpower,
                            required: 2,
                            ..Storyteller::new(pool, difficulty)
                        });
                    }
                }
            }
        }
    }
    rules
}

/// Returns the weight of each result over all rolls, following chains for `links` extra dice, and the total weight of
/// longer chains, which are left out.
fn brute_force(pool: &Pool, links: usize) -> (BTreeMap<(i64, bool), f64>, f64) {
    let dice = pool.dice() as usize;
    let mut weights = BTreeMap::new();
    let mut left_out = 0.0;
    // Faces, and the sides of their dice.
    let mut path: Vec<(u32, u32)> = Vec::new();
    loop {
        let mut at = 0;
        let mut too_long = false;
        let result = pool.roll(&mut |sides: u32| {
            if at == dice + links {
                // Ends the roll at once with the last face of a chain that is left out.
                too_long = true;
                return 1;
            }
            if at == path.len() {
                path.push((1, sides));
            }
            at += 1;
            path[at - 1].0
        });
        let weight: f64 = path
            .iter()
            .map(|&(_, sides)| 1.0 / f64::from(sides))
            .product();
        if too_long {
            left_out += weight;
        } else {
            *weights.entry((result.net, result.botch)).or_insert(0.0) += weight;
        }
        while path.last().is_some_and(|&(face, sides)| face == sides) {
            path.pop();
        }
        match path.last_mut() {
            Some((face, _)) => *face += 1,
            None => return (weights, left_out),
        }
    }
}

fn assert_same(pool: &Pool, links: usize, what: &dyn std::fmt::Debug) {
    let (slow, left_out) = brute_force(pool, links);
    let odds = pool.odds();
    let mut mass = 0.0;
    for (part, botched) in [(odds.clean(), false), (odds.botched(), true)] {
        for (net, exact) in part.iter() {
            let counted = slow.get(&(net, botched)).copied().unwrap_or(0.0);
            assert!(
                (exact - counted).abs() < left_out + 1e-13,
                "{what:?}: net {net}, botched {botched}: {exact} and {counted}"
            );
            mass += exact;
        }
    }
    assert!((mass - 1.0).abs() < 1e-14, "{what:?}");
    for ((net, botched), weight) in slow {
        let part = if botched {
            odds.botched()
        } else {
            odds.clean()
        };
        assert!(part.probability(net) >= weight * (1.0 - 1e-12), "{what:?}");
    }
}

#[test]
fn md_worked_example_five_dice_one_cancelled() {
    let result = rolled(&pool(5, 6), &[7, 4, 3, 8, 1]);
    assert_eq!((result.net, result.successes, result.ones), (1, 2, 1));
    assert!(!result.botch);
}

#[test]
fn md_worked_example_three_successes_and_one_more_die() {
    let result = rolled(&pool(5, 6), &[6, 2, 5, 10, 9, 4]);
    assert_eq!((result.net, result.successes), (3, 3));
    let chained = rolled(&pool(5, 6), &[6, 2, 5, 10, 9, 10, 10, 1]);
    assert_eq!((chained.net, chained.successes, chained.ones), (4, 5, 1));
}

#[test]
fn every_option_changes_what_it_says() {
    let base = Storyteller::new(3, 6);
    let result = |rule: Storyteller, script: &[u32]| {
        let result = rolled(&rule.compile().unwrap(), script);
        (result.net, result.botch)
    };
    assert_eq!(result(base, &[1, 1, 7]), (-1, true));
    let no_success = Storyteller {
        botch: Botch::NoSuccess,
        ..base
    };
    assert_eq!(result(no_success, &[1, 1, 7]), (-1, false));
    assert_eq!(result(no_success, &[1, 2, 3]), (-1, true));
    let never = Storyteller {
        botch: Botch::None,
        ..base
    };
    assert_eq!(result(never, &[1, 1, 1]), (-3, false));
    let uncancelled = Storyteller {
        ones: Ones::Ignore,
        ..base
    };
    assert_eq!(result(uncancelled, &[1, 1, 7]), (1, true));
    assert_eq!(result(uncancelled, &[1, 8, 7]), (2, false));
    assert_eq!(result(base, &[10, 1, 2, 1]), (-1, true));
    let calm = Storyteller {
        ones_on_explosion: Ones::Ignore,
        ..base
    };
    assert_eq!(result(calm, &[10, 1, 2, 1]), (0, false));
    let tens = |tens| Storyteller { tens, ..base };
    assert_eq!(result(tens(Tens::Once), &[10, 3, 2, 10]), (2, false));
    assert_eq!(result(tens(Tens::Double), &[10, 3, 2]), (2, false));
    assert_eq!(result(tens(Tens::Plain), &[10, 3, 2]), (1, false));
    assert_eq!(result(tens(Tens::Cancel), &[10, 1, 2]), (1, false));
    assert_eq!(result(tens(Tens::Cancel), &[1, 10, 1]), (0, false));
    assert_eq!(result(tens(Tens::Cancel), &[1, 1, 2]), (-2, true));
    let willing = Storyteller {
        willpower: true,
        ..base
    };
    assert_eq!(result(willing, &[1, 1, 2]), (1, false));
    assert_eq!(result(willing, &[7, 7, 2]), (3, false));
}

#[test]
fn every_roll_of_small_pools_under_every_option() {
    for dice in 0..=3 {
        for difficulty in [2, 6, 10] {
            for rule in all_rules(dice, difficulty) {
                assert_same(&rule.compile().unwrap(), 2, &rule);
            }
        }
    }
}

/// Returns a pool of dice with any number of sides.
fn other_dice(dice: u32, sides: u32, success: u32, explode: u32) -> Storyteller {
    Storyteller {
        sides,
        top: explode,
        ones: Ones::Ignore,
        botch: Botch::None,
        ..Storyteller::new(dice, success)
    }
}

#[test]
fn every_roll_of_small_pools_of_other_dice() {
    for (sides, success, explode) in [
        (2, 2, 3),
        (2, 2, 2),
        (6, 5, 6),
        (6, 5, 5),
        (6, 4, 7),
        (12, 8, 12),
    ] {
        for dice in 0..=3 {
            for options in all_rules(dice, success) {
                let rule = Storyteller {
                    sides,
                    top: explode,
                    ..options
                };
                assert_same(&rule.compile().unwrap(), 2, &rule);
            }
        }
    }
}

#[test]
fn six_d6_at_5_or_more_of_which_two_are_required() {
    let odds = other_dice(6, 6, 5, 7).compile().unwrap().odds();
    let net = odds.net();
    let mean = |worth: fn(i64) -> i64| {
        net.iter()
            .map(move |(net, chance)| worth(net) as f64 * chance)
    };
    let every: f64 = mean(|net| if net < 2 { 0 } else { net }).sum();
    let extra: f64 = mean(|net| (net - 2).max(0)).sum();
    assert_eq!(format!("{every:.4} {extra:.4}"), "1.7366 0.4390");
    assert_eq!(format!("{:.4}", net.at_least(2)), "0.6488");
    // With 6s that roll again each die does 1/3 / (5/6) successes on average.
    let exploding = other_dice(6, 6, 5, 6).compile().unwrap().odds();
    assert!((exploding.net().mean() - 2.4).abs() < 1e-14);
}

#[test]
fn a_10_cancels_a_1_first() {
    let rule = Storyteller {
        tens: Tens::Cancel,
        ..Storyteller::new(5, 6)
    };
    let net = rule.compile().unwrap().odds().net();
    let found = format!("{:.4} {:.4}", net.at_least(1), net.mean());
    assert_eq!(found, "0.8677 2.1493");
}

#[test]
fn every_roll_of_small_chronicles_pools() {
    for dice in -1..=2 {
        for &(_, again) in Again::ALL {
            for rote in [false, true] {
                let rule = Chronicles {
                    again,
                    rote,
                    ..Chronicles::new(dice)
                };
                assert_same(&rule.compile().unwrap(), 3, &rule);
            }
        }
    }
}

#[test]
fn chronicles_dice_roll_again_and_rotes_get_a_second_chance() {
    let rule = Chronicles::new(2);
    let net = |rule: Chronicles, script: &[u32]| rolled(&rule.compile().unwrap(), script).net;
    assert_eq!(net(rule, &[8, 10, 10, 1]), 3);
    let nine = Chronicles {
        again: Again::Nine,
        ..rule
    };
    assert_eq!(net(nine, &[8, 9, 9, 7]), 3);
    let rote = Chronicles { rote: true, ..rule };
    assert_eq!(net(rote, &[3, 8, 10, 9]), 3);
    assert_eq!(net(rote, &[3, 8, 4]), 1);
    let chance = Chronicles::new(0).compile().unwrap();
    assert!(rolled(&chance, &[1]).botch);
    assert_eq!(rolled(&chance, &[9]).net, 0);
    assert_eq!(rolled(&chance, &[10]).net, 1);
    let odds = chance.odds();
    assert!((odds.botch() - 0.1).abs() < 1e-16 && (odds.success() - 0.1).abs() < 1e-16);
    // A pool of one with 10s rolled again: three faces in ten succeed.
    let one = Chronicles::new(1).compile().unwrap().odds();
    assert!((one.success() - 0.3).abs() < 1e-16);
}

#[test]
fn closed_forms() {
    for difficulty in 2..=10_u32 {
        for dice in [1, 5, 20, 100] {
            let odds = pool(dice, difficulty).odds();
            let net = odds.net();
            // Each die adds (11 - d)/10 - 1/10 and, one time in ten, an extra die.
            let mean = f64::from(dice) * (10.0 - f64::from(difficulty)) / 10.0 / 0.9;
            assert!((net.mean() - mean).abs() < 1e-13, "{dice} {difficulty}");
            assert!((net.mass().value() - 1.0).abs() < 1e-15);
            let all_ones = 0.1_f64.powi(dice as i32);
            assert!((net.probability(-i64::from(dice)) / all_ones - 1.0).abs() < 1e-13);
        }
    }
    // 10 dice at difficulty 10 under the old rule: with probability 0.9^10 - 0.8^10 they show a 1 and no 10.
    let rule = Storyteller {
        botch: Botch::NoSuccess,
        ..Storyteller::new(10, 10)
    };
    let botch = rule.compile().unwrap().odds().botch();
    assert!((botch - (0.9_f64.powi(10) - 0.8_f64.powi(10))).abs() < 1e-15);
}

#[test]
fn doubling_is_adding_dice() {
    let grows = |rule: &Storyteller| !rule.is_joint() && !rule.is_stepwise();
    for rule in all_rules(61, 7).into_iter().filter(grows) {
        let pool = rule.compile().unwrap();
        let mut slow = Growth::new(&pool, 61);
        (0..61).for_each(|_| slow.add_die());
        let (fast, slow) = (pool.odds(), slow.odds());
        for (left, right) in [
            (fast.clean(), slow.clean()),
            (fast.botched(), slow.botched()),
        ] {
            for value in left.first()..60 {
                let (l, r) = (left.probability(value), right.probability(value));
                assert!((l - r).abs() <= 1e-15 * r, "{rule:?} at {value}: {l} {r}");
            }
        }
    }
}

/// Tables omit extra dice that weigh less than one bit pattern; draws are the same without them.
#[test]
fn tables_of_short_chains_are_those_of_long_ones() {
    for rule in [2, 7]
        .into_iter()
        .flat_map(|difficulty| all_rules(20, difficulty))
    {
        let pool = rule.compile().unwrap();
        let (mut long, mut short) = (Growth::new(&pool, 20), Growth::for_tables(&pool, 20));
        for dice in 1..=20 {
            long.add_die();
            short.add_die();
            let tables = [&long, &short].map(|growth| PoolTable::of(&growth.odds()));
            assert!(tables[0] == tables[1], "{dice} dice of {rule:?}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |rule: Storyteller| rule.compile().unwrap_err();
    assert_eq!(refused(Storyteller::new(3, 1)), PoolError::Difficulty(1));
    assert_eq!(refused(Storyteller::new(3, 11)), PoolError::Difficulty(11));
    assert_eq!(
        refused(Storyteller::new(10_001, 6)),
        PoolError::TooManyDice(10_001)
    );
    let joint = Storyteller {
        ones: Ones::Ignore,
        ..Storyteller::new(201, 6)
    };
    assert_eq!(refused(joint), PoolError::TooManyJointDice(201));
    let stepwise = Storyteller {
        botch: Botch::AnyTime,
        ..Storyteller::new(1001, 6)
    };
    assert_eq!(refused(stepwise), PoolError::TooManyStepwiseDice(1001));
    let nothing = Storyteller {
        required: 0,
        ..Storyteller::new(3, 6)
    };
    assert_eq!(refused(nothing), PoolError::Required(0));
    assert!(Chronicles::new(10_001).compile().is_err());
}

#[test]
fn md_2_a_roll_may_botch_at_any_time() {
    let rule = Storyteller {
        botch: Botch::AnyTime,
        ..Storyteller::new(3, 6)
    };
    let result = |rule: Storyteller, script: &[u32]| {
        let result = rolled(&rule.compile().unwrap(), script);
        (result.net, result.botch)
    };
    // Two 1s and a 10: the roll botches before the extra die is rolled, whatever that die shows.
    assert_eq!(result(rule, &[1, 1, 10, 7]), (0, true));
    assert_eq!(result(rule, &[1, 1, 10, 10, 10, 7]), (2, true));
    // An equal number of 1s and successes is no botch until an extra die shows another 1.
    assert_eq!(result(rule, &[1, 2, 10, 7]), (1, false));
    assert_eq!(result(rule, &[1, 2, 10, 1]), (-1, true));
    // The first extra die is one 1 too many; the success of the second comes too late.
    let four = Storyteller { pool: 4, ..rule };
    assert_eq!(result(four, &[1, 1, 10, 10, 1, 7]), (0, true));
    assert_eq!(result(four, &[1, 1, 10, 10, 7, 1]), (0, false));
    let usual = Storyteller {
        botch: Botch::OnesExceed,
        ..rule
    };
    assert_eq!(result(usual, &[1, 1, 10, 7]), (0, false));
    // A roll with Willpower never botches.
    let willing = Storyteller {
        willpower: true,
        ..rule
    };
    assert_eq!(result(willing, &[1, 1, 10, 7]), (1, false));
}

#[test]
fn md_2_botches_at_any_time_change_no_net_and_are_no_fewer() {
    for difficulty in [2, 6, 10] {
        for dice in [0, 1, 2, 5, 30, 200] {
            for tens in [Tens::Explode, Tens::Once, Tens::Double, Tens::Plain] {
                for ones in [Ones::Cancel, Ones::Ignore] {
                    if ones == Ones::Ignore && dice > 30 {
                        continue;
                    }
                    let usual = Storyteller {
                        tens,
                        ones,
                        ..Storyteller::new(dice, difficulty)
                    };
                    let stepwise = Storyteller {
                        botch: Botch::AnyTime,
                        ..usual
                    };
                    let odds = |rule: Storyteller| rule.compile().unwrap().odds();
                    let (usual, stepwise) = (odds(usual), odds(stepwise));
                    let (left, right) = (usual.net(), stepwise.net());
                    for (net, chance) in left.iter() {
                        let other = right.probability(net);
                        assert!((chance - other).abs() < 1e-14 * chance.max(1e-200), "{net}");
                    }
                    assert!(stepwise.botch() >= usual.botch() * (1.0 - 1e-14));
                    if dice == 5 && matches!(tens, Tens::Explode | Tens::Once) {
                        assert!(stepwise.botch() > usual.botch());
                    }
                }
            }
        }
    }
}

/// Compares sampled rolls and draws from the table with the exact odds.
#[test]
fn md_2_at_any_time_is_sampled_as_it_is_solved() {
    const ROLLS: u32 = 200_000;
    let rule = Storyteller {
        botch: Botch::AnyTime,
        ..Storyteller::new(5, 8)
    };
    let pool = rule.compile().unwrap();
    let odds = pool.odds();
    let table = PoolTable::of(&odds);
    let mut faces = SampledFaces::new(23);
    let mut counts = [[0_u32; 9]; 2];
    // Classes of the net result: from -3 or less to 1 or more with a botch, from 0 or less to 3 or more without.
    let class = |net: i64, botch: bool| {
        if botch {
            (net.clamp(-3, 1) + 3) as usize
        } else {
            (net.clamp(0, 3) + 5) as usize
        }
    };
    for _ in 0..ROLLS {
        let rolled = pool.roll(&mut faces);
        counts[0][class(rolled.net, rolled.botch)] += 1;
        let drawn = table.draw(faces.bits());
        counts[1][class(drawn.net, drawn.botch)] += 1;
    }
    let mut expected = [0.0; 9];
    for (part, botch) in [(odds.clean(), false), (odds.botched(), true)] {
        for (net, chance) in part.iter() {
            expected[class(net, botch)] += chance * f64::from(ROLLS);
        }
    }
    assert!(
        expected.iter().all(|expected| *expected > 20.0),
        "{expected:?}"
    );
    for counts in counts {
        let terms = counts.iter().zip(expected);
        let chi_squared: f64 = terms
            .map(|(&count, expected)| (f64::from(count) - expected).powi(2) / expected)
            .sum();
        // The value is exceeded once in a million with 8 degrees of freedom.
        assert!(
            chi_squared < 42.70,
            "{chi_squared}: {counts:?} {expected:?}"
        );
    }
}

#[test]
fn no_dice_are_a_failure() {
    let none = pool(0, 6);
    assert_eq!(none.odds().net().iter().collect::<Vec<_>>(), [(0, 1.0)]);
    let mut faces = |_: u32| -> u32 { panic!("no die is thrown") };
    let _: &mut dyn Faces = &mut faces;
    assert_eq!(none.roll(&mut faces).net, 0);
    assert!((none.odds().failure() - 1.0).abs() < 1e-16);
}
