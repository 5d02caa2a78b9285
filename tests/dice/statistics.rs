//! Samplers against the exact distribution: chi-squared tests with fixed seeds.
//!
//! Each test rejects a statistic that a correct sampler exceeds one time in a thousand; with these seeds none does.

use skirmish::dice::attack::Attack;
use skirmish::dice::extended::{Extended, Options};
use skirmish::dice::initiative::{Explode, Initiative, ROUND_MARKS};
use skirmish::dice::percentile::Percentile;
use skirmish::dice::pool::{Again, Botch, Chronicles, Ones, Pool, Storyteller, Team, Tens};
use skirmish::dice::{AliasTable, Distribution, Notation, PoolTable, SampledFaces, Weight};
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
    ];
    for (seed, rule) in (100..).zip(rules) {
        assert_pool(&format!("{rule:?}"), seed, &rule.compile().unwrap());
    }
}

#[test]
fn teams_by_dice() {
    let rules = [
        Storyteller::new(4, 6),
        Storyteller::new(3, 8),
        Storyteller::new(2, 5),
    ];
    let team = Team::new(rules.map(|rule| rule.compile().unwrap()).to_vec());
    let mut faces = SampledFaces::new(150);
    assert_drawn("a team", &packed(&team.odds()), || {
        let (net, botch) = team.roll(&mut faces);
        net * 2 + i64::from(botch)
    });
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
        let table = AliasTable::of(&notation.distribution());
        assert_drawn(text, &notation.distribution(), || {
            table.draw(faces.bits()).into()
        });
    }
}

#[test]
fn initiative_scores() {
    for (seed, &(name, explode)) in (400..).zip(Explode::ALL) {
        let initiative = Initiative {
            characteristic: 9,
            evade_modifier: 3,
            explode,
            round_marks: ROUND_MARKS,
        };
        let mut faces = SampledFaces::new(seed);
        assert_drawn(name, &initiative.distribution(), || {
            initiative.roll(&mut faces)
        });
    }
}

/// Returns the distribution of a yes (1) or no (0) with a chance of `hundredths` per cent.
fn yes_or_no(hundredths: u32) -> Distribution {
    let no = Weight::ratio(100 - hundredths, 100);
    Distribution::collect(&[(0, no), (1, Weight::ratio(hundredths, 100))])
}

#[test]
fn shots_and_percentile_tests() {
    let attack = Attack {
        bonus: 4,
        mastery: 2,
        evade: 15,
    };
    let mut faces = SampledFaces::new(500);
    for desperate in [false, true] {
        let exact = yes_or_no((attack.odds(desperate).hit * 100.0).round() as u32);
        assert_drawn("shots", &exact, || {
            attack.roll(desperate, &mut faces).into()
        });
    }
    let test = Percentile { skill: 62 };
    assert_drawn("percentile", &yes_or_no(test.odds().success), || {
        test.roll(&mut faces).success.into()
    });
    let criticals = test.odds().critical_success + test.odds().critical_failure;
    assert_drawn("doubles", &yes_or_no(criticals), || {
        test.roll(&mut faces).critical.into()
    });
}

#[test]
fn rituals() {
    let rule = Storyteller {
        required: 8,
        ..Storyteller::new(5, 6)
    };
    let task = Extended::new(&rule, Options::default()).unwrap();
    let odds = task.odds().unwrap();
    // A task ended by a botch counts as a negative number of rolls.
    let exact = odds.done.with(&odds.ended.map(|rolls| -rolls));
    let mut faces = SampledFaces::new(600);
    assert_drawn("rituals", &exact, || {
        let result = task.play(&mut faces, u32::MAX);
        let rolls = i64::from(result.rolls);
        if result.done { rolls } else { -rolls }
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
