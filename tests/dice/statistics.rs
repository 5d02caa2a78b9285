//! Samplers against the exact distribution: chi-squared tests with fixed seeds.
//!
//! Each test rejects a statistic that a correct sampler exceeds one time in a thousand; with these seeds none does.

use super::SampledFaces;
use skirmish::dice::initiative::Explode;
use skirmish::dice::percentile::Percentile;
use skirmish::dice::pool::{Again, Botch, Chronicles, Ones, Pool, Storyteller, Tens};
use skirmish::dice::{Distribution, Notation, PoolTable, Weight};
use statrs::distribution::{ChiSquared, ContinuousCDF};
use std::collections::BTreeMap;

const DRAWS: u32 = 200_000;

/// Compares drawn values with an exact distribution. Neighbouring values are grouped until each group expects at least
/// five draws.
pub(crate) fn assert_drawn(what: &str, exact: &Distribution, mut draw: impl FnMut() -> i64) {
    let mut counts: BTreeMap<i64, f64> = exact.iter().map(|(value, _)| (value, 0.0)).collect();
    for _ in 0..DRAWS {
        let value = draw();
        let count = counts.get_mut(&value);
        *count.unwrap_or_else(|| panic!("{what}: {value} cannot be")) += 1.0;
    }
    let mut groups = vec![(0.0, 0.0)];
    for (value, count) in counts {
        let last = groups.last_mut().unwrap();
        last.0 += exact.probability(value) * f64::from(DRAWS);
        last.1 += count;
        if last.0 >= 5.0 {
            groups.push((0.0, 0.0));
        }
    }
    let rest = groups.pop().unwrap();
    let last = groups.last_mut().unwrap();
    (last.0, last.1) = (last.0 + rest.0, last.1 + rest.1);
    let statistic: f64 = groups
        .iter()
        .map(|(expected, found)| (found - expected) * (found - expected) / expected)
        .sum();
    let freedom = groups.len() - 1;
    if freedom == 0 {
        return;
    }
    let critical = ChiSquared::new(freedom as f64).unwrap().inverse_cdf(0.999);
    assert!(
        statistic < critical,
        "{what}: chi-squared {statistic:.1} with {freedom} degrees of freedom, critical value \
         {critical:.1}"
    );
}

/// Packs the net result and the botch into one number, so that a test compares both.
fn packed(odds: &skirmish::dice::PoolOdds) -> Distribution {
    let clean = odds.clean().map(|net| net * 2);
    clean.with(&odds.botched().map(|net| net * 2 + 1))
}

fn assert_pool(what: &str, seed: u64, pool: &Pool) {
    let odds = pool.odds();
    let exact = packed(&odds);
    let mut faces = SampledFaces::new(seed);
    assert_drawn(&format!("{what}, by dice"), &exact, || {
        let result = pool.roll(&mut faces);
        result.net * 2 + i64::from(result.botch)
    });
    let table = PoolTable::of(&odds);
    assert_drawn(&format!("{what}, by table"), &exact, || {
        let result = table.draw(faces.bits());
        result.net * 2 + i64::from(result.botch)
    });
}

#[test]
fn storyteller_pools_by_dice_and_by_table() {
    let base = Storyteller::new(8, 6);
    let rules = [
        base,
        Storyteller::new(1, 10),
        Storyteller::new(25, 4),
        Storyteller {
            tens: Tens::Once,
            ones_on_explosion: Ones::Ignore,
            ..base
        },
        Storyteller {
            tens: Tens::Double,
            botch: Botch::NoSuccess,
            ..base
        },
        Storyteller {
            ones: Ones::Ignore,
            ..base
        },
        Storyteller {
            willpower: true,
            ..Storyteller::new(3, 8)
        },
        Storyteller {
            tens: Tens::Cancel,
            ..base
        },
        Storyteller {
            sides: 6,
            top: 6,
            botch: Botch::NoSuccess,
            ..Storyteller::new(6, 5)
        },
        Storyteller {
            sides: 100,
            top: 95,
            ones: Ones::Ignore,
            botch: Botch::None,
            ..Storyteller::new(7, 61)
        },
    ];
    for (seed, rule) in (100..).zip(rules) {
        assert_pool(&format!("{rule:?}"), seed, &rule.compile().unwrap());
    }
}

#[test]
fn chronicles_pools_by_dice_and_by_table() {
    for (seed, &(name, again)) in (200..).zip(Again::ALL) {
        for rote in [false, true] {
            let rule = Chronicles {
                again,
                rote,
                ..Chronicles::new(6)
            };
            assert_pool(
                &format!("{name}-again, rote {rote}"),
                seed,
                &rule.compile().unwrap(),
            );
        }
    }
    assert_pool("a chance die", 210, &Chronicles::new(0).compile().unwrap());
}

#[test]
fn notations() {
    for (seed, text) in (300..).zip([
        "2d10+7",
        "1d10x10",
        "3d6xo5",
        "4d6kh3",
        "5d8dl2",
        "2d6r1",
        "8d10x10cs>=6df=1",
        "2d6rr<3*1d4",
        "1d20-1d6x6",
        "4d6x6kh2",
        "6d10r<3kh3cs>=8",
    ]) {
        let notation = Notation::parse(text).unwrap();
        let mut faces = SampledFaces::new(seed);
        assert_drawn(text, &notation.distribution(), || notation.roll(&mut faces));
    }
}

#[test]
fn exploding_dice_of_initiative() {
    for (seed, (explode, notation)) in (400..).zip([
        (Explode::Once, "1d10xo"),
        (Explode::Recursive, "1d10x"),
        (Explode::None, "1d10"),
    ]) {
        let exact = Notation::parse(notation).unwrap().distribution();
        let mut faces = SampledFaces::new(seed);
        assert_drawn(notation, &exact, || explode.roll(10, 1000, &mut faces));
    }
}

/// Returns the distribution of a yes (1) or no (0) with a chance of `hundredths` per cent.
fn yes_or_no(hundredths: u32) -> Distribution {
    let no = Weight::ratio(100 - hundredths, 100);
    Distribution::collect(&[(0, no), (1, Weight::ratio(hundredths, 100))])
}

#[test]
fn percentile_tests() {
    let mut faces = SampledFaces::new(500);
    let test = Percentile { skill: 62 };
    // 00 to 62; nine doubles and 99.
    assert_drawn("percentile", &yes_or_no(63), || {
        test.roll(&mut faces).success.into()
    });
    assert_drawn("doubles", &yes_or_no(10), || {
        test.roll(&mut faces).critical.into()
    });
}

#[test]
fn faces_are_fair() {
    for sides in [2, 3, 6, 10, 20, 100, 1000] {
        let mut faces = SampledFaces::new(700 + u64::from(sides));
        let mut draw = || i64::from(skirmish::dice::Faces::face(&mut faces, sides));
        assert_drawn(&format!("d{sides}"), &Distribution::die(sides), &mut draw);
    }
}
