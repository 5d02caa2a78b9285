//! Critical hits and fumbles (W-9) in solved fights, compared with rational arithmetic and with samples.

use super::{BUDGET, FIRST_HIT, agrees_with_samples, mean, solved};
use crate::support::fights::variant;

/// Returns the duel of first hits with more health, and natural totals that decide.
fn duel(critical: &str) -> String {
    FIRST_HIT
        .replace(
            r#"{ dice = "1d20" }"#,
            &format!(r#"{{ dice = "1d20", bonus = 2, critical = {critical}, fumble = 3 }}"#),
        )
        .replace("damage = \"10\"", "damage = \"1d6+1\"")
        .replace("evade = 15", "evade = 25")
        .replace("evade = 11", "evade = 4")
        .replace("health = 5", "health = 9")
}

/// The damage of a critical hit from the faces of two dice.
type CriticalDamage = fn(first: i64, second: i64) -> i64;

/// Counts the 20 * 6 * 6 throws of an attack by the damage they do.
fn count_by_damage(evade: i64, critical: CriticalDamage) -> Vec<u128> {
    let mut counts = vec![0; 15];
    for natural in 1..=20 {
        for first in 1..=6 {
            for second in 1..=6 {
                let damage = match natural {
                    ..=3 => 0,
                    19.. => critical(first, second),
                    _ if natural + 2 >= evade => first + 1,
                    _ => 0,
                };
                counts[damage as usize] += 1;
            }
        }
    }
    counts
}

/// Returns the number of throws of five Rounds in which each side wins, and of all throws.
fn count_wins(critical: CriticalDamage) -> ([u128; 2], u128) {
    let attacks = [count_by_damage(4, critical), count_by_damage(25, critical)];
    // The number of throws by the damage that each side has taken.
    let mut standing = vec![((0, 0), 1_u128)];
    let (mut wins, mut all) = ([0; 2], 1);
    for attack in 0..10 {
        let side = attack % 2;
        for won in &mut wins {
            *won *= 720;
        }
        all *= 720;
        let mut next = std::collections::BTreeMap::new();
        for ((first, second), ways) in standing {
            for (damage, count) in attacks[side].iter().enumerate() {
                let taken = match side {
                    0 => (first, second + damage),
                    _ => (first + damage, second),
                };
                if taken.0.max(taken.1) >= 9 {
                    wins[side] += ways * count;
                } else {
                    *next.entry(taken).or_insert(0) += ways * count;
                }
            }
        }
        standing = next.into_iter().collect();
    }
    (wins, all)
}

#[test]
fn a_solved_duel_with_critical_hits_is_rational_arithmetic() {
    let rules: [(&str, CriticalDamage); 4] = [
        ("19", |first, second| first + second + 1),
        ("{ on = 19 }", |first, second| first + second + 1),
        (r#"{ on = 19, damage = "double" }"#, |first, _| {
            2 * (first + 1)
        }),
        (r#"{ on = 19, damage = "usual" }"#, |first, _| first + 1),
    ];
    for (text, critical) in rules {
        let variant = &variant(&duel(text));
        let solution = solved(variant, BUDGET).expect("a small fight");
        let (wins, all) = count_wins(critical);
        for (side, won) in wins.into_iter().enumerate() {
            let expected = won as f64 / all as f64;
            let found = mean(&solution, "win_rate", side);
            assert!(
                (found - expected).abs() < 1e-14,
                "{text}: {found} is not {expected}"
            );
        }
        assert!(wins[1] > 0 && wins[0] > wins[1]);
        agrees_with_samples(variant, &solution, 40_000);
    }
}

/// A line that reads health puts health into the situation, and changes nothing else.
#[test]
fn critical_hits_do_the_same_where_health_is_in_the_situation() {
    let beside = duel("19");
    let within = beside.replace(
        r#"["attack"]"#,
        r#"["attack", "pass if hp < 0 or target.hp < 0"]"#,
    );
    let [beside, within] = [beside, within].map(|text| {
        let solution = solved(&variant(&text), BUDGET);
        solution.expect("a small fight")
    });
    for (metric, subject) in [("win_rate", 0), ("damage", 0), ("damage", 1), ("health", 1)] {
        let [one, other] = [&beside, &within].map(|solution| mean(solution, metric, subject));
        assert!((one - other).abs() < 1e-12, "{metric}: {one}, {other}");
    }
}
