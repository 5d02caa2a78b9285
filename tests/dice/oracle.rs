//! Every roll of small pools, judged by a second implementation of the rule text.

use std::collections::BTreeMap;

use skirmish::dice::pool::{Botch, Ones, Storyteller, Tens};

/// The counts gathered while reading a roll.
#[derive(Clone, Copy, Default)]
struct Count {
    successes: i64,
    cancelling: i64,
    ones: i64,
    /// 10s that cancel a 1 each.
    saves: i64,
}

/// Returns whether a 10 gives one more die.
fn tens_roll_again(rule: &Storyteller, extra: bool) -> bool {
    match rule.tens {
        Tens::Explode => true,
        Tens::Once => !extra,
        Tens::Double | Tens::Plain | Tens::Cancel => false,
    }
}

/// Reads one die and, if it gives an extra die, that one too, up to `links` more. Appends each possible end with its
/// weight to `ends`, and adds the weight of longer chains to `cut`.
fn read_die(
    rule: &Storyteller,
    count: Count,
    extra: bool,
    links: u32,
    weight: f64,
    ends: &mut Vec<(Count, f64)>,
    cut: &mut f64,
) {
    for face in 1..=10 {
        let weight = weight / 10.0;
        let mut count = count;
        if face == 1 {
            if !extra || rule.ones_on_explosion == Ones::Cancel {
                count.ones += 1;
                count.cancelling += i64::from(rule.ones == Ones::Cancel);
            }
        } else if face >= rule.difficulty {
            count.successes += 1;
        }
        if face == 10 && rule.tens == Tens::Double {
            count.successes += 1;
        }
        count.saves += i64::from(face == 10 && rule.tens == Tens::Cancel);
        let another = face == 10 && tens_roll_again(rule, extra);
        if !another {
            ends.push((count, weight));
        } else if links == 0 {
            *cut += weight;
        } else {
            read_die(rule, count, true, links - 1, weight, ends, cut);
        }
    }
}

/// Returns the weight of each net result with and without a botch, and the weight of chains cut off.
fn every_roll(rule: &Storyteller, links: u32) -> (BTreeMap<(i64, bool), f64>, f64) {
    // Without extra dice there is only one time.
    if rule.botch == Botch::AnyTime && rule.tens != Tens::Cancel {
        return every_roll_in_order(rule, links + rule.pool);
    }
    let mut rolls = BTreeMap::from([((0, 0, 0, 0), 1.0)]);
    let mut cut = 0.0;
    for _ in 0..rule.pool {
        let mut next = BTreeMap::new();
        for ((successes, cancelling, ones, saves), weight) in rolls {
            let mut ends = Vec::new();
            let count = Count {
                successes,
                cancelling,
                ones,
                saves,
            };
            read_die(rule, count, false, links, weight, &mut ends, &mut cut);
            for (count, weight) in ends {
                let key = (count.successes, count.cancelling, count.ones, count.saves);
                *next.entry(key).or_insert(0.0) += weight;
            }
        }
        rolls = next;
    }
    let mut nets = BTreeMap::new();
    for ((successes, cancelling, ones, saves), weight) in rolls {
        let ones = (ones - saves).max(0);
        let net = successes - (cancelling - saves).max(0);
        let botch = match rule.botch {
            Botch::OnesExceed | Botch::AnyTime => ones > successes,
            Botch::NoSuccess => successes == 0 && ones >= 1,
            Botch::None => false,
        };
        let key = if rule.willpower {
            (net.max(0) + 1, false)
        } else {
            (net, botch)
        };
        *nets.entry(key).or_insert(0.0) += weight;
    }
    (nets, cut)
}

/// Returns the same weights with a botch at any time (MD-2): all dice of the pool first, then up to `extra` extra dice
/// one by one.
fn every_roll_in_order(rule: &Storyteller, extra: u32) -> (BTreeMap<(i64, bool), f64>, f64) {
    // Successes, 1s that cancel, 1s, dice still to be rolled, and whether the roll has botched.
    type State = (i64, i64, i64, u32, bool);
    let die = |(successes, cancelling, ones, left, botched): State, face: u32, extra: bool| {
        let is_one = face == 1 && (!extra || rule.ones_on_explosion == Ones::Cancel);
        let cancels = is_one && rule.ones == Ones::Cancel;
        let doubled = face == 10 && rule.tens == Tens::Double;
        let another = face == 10 && tens_roll_again(rule, extra);
        (
            successes + i64::from(face >= rule.difficulty) + i64::from(doubled),
            cancelling + i64::from(cancels),
            ones + i64::from(is_one),
            left + u32::from(another),
            botched,
        )
    };
    let judged = |(successes, cancelling, ones, left, botched): State| {
        (
            successes,
            cancelling,
            ones,
            left,
            botched || ones > successes,
        )
    };
    let mut rolls: BTreeMap<State, f64> = BTreeMap::from([((0, 0, 0, 0, false), 1.0)]);
    for _ in 0..rule.pool {
        let mut next = BTreeMap::new();
        for (state, weight) in rolls {
            for face in 1..=10 {
                *next.entry(die(state, face, false)).or_insert(0.0) += weight / 10.0;
            }
        }
        rolls = next;
    }
    let mut ended = BTreeMap::new();
    for rolled in 0..=extra {
        let mut next = BTreeMap::new();
        for (state, weight) in rolls {
            let state = if rolled == 0 { judged(state) } else { state };
            let (successes, cancelling, _, left, botched) = state;
            if left == 0 {
                let net = successes - cancelling;
                let key = if rule.willpower {
                    (net.max(0) + 1, false)
                } else {
                    (net, botched)
                };
                *ended.entry(key).or_insert(0.0) += weight;
                continue;
            }
            for face in 1..=10 {
                let (successes, cancelling, ones, left, botched) = die(state, face, true);
                let state = judged((successes, cancelling, ones, left - 1, botched));
                *next.entry(state).or_insert(0.0) += weight / 10.0;
            }
        }
        rolls = next;
    }
    (ended, rolls.values().sum())
}

fn combinations(pool: u32, difficulty: u32) -> Vec<Storyteller> {
    let mut rules = vec![Storyteller::new(pool, difficulty)];
    let mut widen = |change: &dyn Fn(&Storyteller) -> Vec<Storyteller>| {
        rules = rules.iter().flat_map(change).collect();
    };
    widen(&|rule| {
        Tens::ALL
            .iter()
            .map(|&(_, tens)| Storyteller { tens, ..*rule })
            .collect()
    });
    widen(&|rule| {
        Ones::ALL
            .iter()
            .map(|&(_, ones)| Storyteller { ones, ..*rule })
            .collect()
    });
    widen(&|rule| {
        let all = Ones::ALL.iter();
        all.map(|&(_, ones_on_explosion)| Storyteller {
            ones_on_explosion,
            ..*rule
        })
        .collect()
    });
    widen(&|rule| {
        Botch::ALL
            .iter()
            .map(|&(_, botch)| Storyteller { botch, ..*rule })
            .collect()
    });
    widen(&|rule| {
        [false, true]
            .map(|willpower| Storyteller { willpower, ..*rule })
            .to_vec()
    });
    rules
}

#[test]
fn md_1_to_md_4_every_option_at_every_difficulty() {
    for pool in 0..=6 {
        for difficulty in 2..=10 {
            for rule in combinations(pool, difficulty) {
                let (rolls, cut) = every_roll(&rule, 9);
                let odds = rule.compile().unwrap().odds();
                for ((net, botch), weight) in rolls {
                    let part = if botch { odds.botched() } else { odds.clean() };
                    let exact = part.probability(net);
                    let apart = (exact - weight).abs();
                    assert!(
                        apart < cut + 1e-14,
                        "{rule:?}: {net}, {botch}: {exact} {weight}"
                    );
                }
            }
        }
    }
}

#[test]
fn md_3_outcomes_are_the_four_parts_of_every_roll() {
    for required in 1..=4 {
        for rule in combinations(4, 7) {
            let rule = Storyteller { required, ..rule };
            let (rolls, cut) = every_roll(&rule, 9);
            let odds = rule.compile().unwrap().odds();
            let (mut botch, mut failure, mut diminished, mut success) = (0.0, 0.0, 0.0, 0.0);
            for ((net, botched), weight) in rolls {
                if botched {
                    botch += weight;
                } else if net <= 0 {
                    failure += weight;
                } else if net < i64::from(required) {
                    diminished += weight;
                } else {
                    success += weight;
                }
            }
            for (exact, counted) in [
                (odds.botch(), botch),
                (odds.failure(), failure),
                (odds.diminished(), diminished),
                (odds.success(), success),
            ] {
                assert!((exact - counted).abs() < cut + 1e-13, "{rule:?}");
            }
        }
    }
}
