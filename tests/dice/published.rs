//! Published figures.

use skirmish::dice::Notation;
use skirmish::dice::pool::{Botch, Chronicles, Storyteller, Tens};

/// Chance of success in per cent, 1s cancelling and 10s plain, difficulties 2 to 10: from
/// <https://www.darkshire.net/~jhkim/rpg/systemdesign/dice-storyteller.html>.
const KIM: [(u32, [f64; 9]); 4] = [
    (1, [90.0, 80.0, 70.0, 60.0, 50.0, 40.0, 30.0, 20.0, 10.0]),
    (3, [97.0, 92.0, 87.0, 81.0, 74.0, 65.0, 54.0, 40.0, 22.0]),
    (6, [98.0, 98.0, 96.0, 93.0, 88.0, 80.0, 69.0, 53.0, 30.0]),
    (9, [100.0, 99.0, 99.0, 97.0, 94.0, 87.0, 77.0, 60.0, 35.0]),
];

#[test]
fn kims_table_of_success() {
    for (pool, cells) in KIM {
        for (difficulty, published) in (2..=10).zip(cells) {
            let rule = Storyteller {
                tens: Tens::Plain,
                ..Storyteller::new(pool, difficulty)
            };
            let success = rule.compile().unwrap().odds().success() * 100.0;
            // Cells are whole per cents, some truncated, some rounded.
            assert!(
                (success - published).abs() < 1.0,
                "{pool} dice, difficulty {difficulty}: {success}, published {published}"
            );
        }
    }
}

#[test]
fn the_botch_of_the_revised_rules_at_difficulty_6() {
    // No success and at least one 1: 0.5^n - 0.4^n.
    for (pool, percent) in [(1, 10.0), (2, 9.0), (3, 6.1), (4, 3.69), (5, 2.101)] {
        let rule = Storyteller {
            botch: Botch::NoSuccess,
            ..Storyteller::new(pool, 6)
        };
        let botch = rule.compile().unwrap().odds().botch();
        assert!(
            (botch * 100.0 - percent).abs() < 1e-12,
            "{pool} dice: {botch}"
        );
    }
}

#[test]
fn chronicles_pools_succeed_with_one_minus_seven_tenths_to_the_n() {
    for (pool, percent) in [
        (1, 30.0),
        (2, 51.0),
        (3, 65.7),
        (5, 83.193),
        (10, 97.175_247_51),
    ] {
        let odds = Chronicles::new(pool).compile().unwrap().odds();
        assert!(
            (odds.success() * 100.0 - percent).abs() < 1e-12,
            "{pool} dice"
        );
    }
    // Each die gives a third of a success: 0.3 / 0.9.
    let mean = Chronicles::new(6).compile().unwrap().odds().net().mean();
    assert!((mean - 2.0).abs() < 1e-14);
}

#[test]
fn four_dice_drop_the_lowest() {
    let abilities = Notation::parse("4d6dl1").unwrap().distribution();
    assert!((abilities.mean() - 15_869.0 / 1296.0).abs() < 1e-14);
    assert!((abilities.probability(18) - 21.0 / 1296.0).abs() < 1e-17);
    assert!((abilities.probability(3) - 1.0 / 1296.0).abs() < 1e-18);
}

#[test]
fn a_foundry_notation_of_a_storyteller_pool_is_that_pool() {
    let written = Notation::parse("8d10cs>=6df=1x10").unwrap().distribution();
    let pool = Storyteller::new(8, 6).compile().unwrap().odds().net();
    for (net, chance) in pool.iter().filter(|(_, chance)| *chance > 1e-200) {
        assert!(
            (written.probability(net) / chance - 1.0).abs() < 1e-15,
            "{net}"
        );
    }
}
