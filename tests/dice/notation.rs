//! Dice notations: parsing, printing, and distributions.

use super::SampledFaces;
use skirmish::dice::notation::{MAX_DICE, Notation, PlainSum};
use skirmish::dice::{Distribution, Faces};

pub(super) fn parsed(text: &str) -> Notation {
    Notation::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(super) fn rolled(text: &str, script: &[u32]) -> i64 {
    let mut faces = script.iter().copied();
    let result = parsed(text).roll(&mut |_: u32| faces.next().expect("a face too few"));
    assert_eq!(faces.next(), None, "{text}: the script was not used up");
    result
}

pub(super) fn refused(text: &str) -> (std::ops::Range<usize>, String) {
    let error = Notation::parse(text).expect_err(text);
    (error.span, error.message)
}

/// Returns every total of a notation without endless explosions, with its weight; each face is an equally likely
/// branch.
pub(super) fn brute_force(text: &str) -> Vec<(i64, f64)> {
    let notation = parsed(text);
    let mut weights = std::collections::BTreeMap::new();
    let mut path: Vec<(u32, u32)> = Vec::new();
    loop {
        let mut at = 0;
        let value = notation.roll(&mut |sides: u32| {
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
        *weights.entry(value).or_insert(0.0) += weight;
        while path.last().is_some_and(|&(face, sides)| face == sides) {
            path.pop();
        }
        match path.last_mut() {
            Some(last) => last.0 += 1,
            None => return weights.into_iter().collect(),
        }
    }
}

#[test]
fn a_notation_reads_in_any_dress_and_shows_its_canonical_form() {
    for (text, canonical) in [
        ("2d10+7", "2d10+7"),
        (" 2 D10 + 7 ", "2d10+7"),
        ("d%", "1d100"),
        ("4d6k3", "4d6kh3"),
        ("4d6d", "4d6dl1"),
        ("1d10!", "1d10x10"),
        ("1d10x10", "1d10x10"),
        ("1d10xo", "1d10xo10"),
        ("2d20rr<3kl", "2d20rr<3kl1"),
        ("8d10cs>=6df=1x10", "8d10x10cs>=6df1"),
        ("8d10 df=1 x10 cs≥6", "8d10x10cs>=6df1"),
        ("(1d4+1)*2-(3-1d6)", "(1d4+1)*2-(3-1d6)"),
        ("1-(2+3)", "1-(2+3)"),
        ("1+(2-3)", "1+(2-3)"),
        ("2*(3*4)", "2*(3*4)"),
        ("-(1d6+1)", "-(1d6+1)"),
        ("--5", "--5"),
        ("12", "12"),
    ] {
        let notation = parsed(text);
        assert_eq!(notation.to_string(), canonical, "{text}");
        assert_eq!(parsed(canonical).to_string(), canonical);
    }
}

#[test]
fn mistakes_are_pointed_at() {
    for (text, span, part) in [
        ("", 0..0, "empty"),
        ("   ", 0..0, "empty"),
        ("2d", 1..2, "sides is missing"),
        ("2d10+", 5..5, "ends too early"),
        ("2d10 + é", 7..9, "`é`"),
        ("2d10🎲", 4..8, "not understood"),
        ("2d0", 2..3, "at least one side"),
        ("2,5", 1..2, "whole"),
        ("1d6/0", 4..5, "divided by 0"),
        ("1d6/(2-2)", 4..9, "divided by 0"),
        ("1d6/1d4", 4..7, "only a number"),
        ("/2", 0..1, "not understood"),
        ("8d10>=11", 4..8, "no face"),
        ("reach(1d6)", 0..10, "two sides"),
        ("1+reach(2d6,3)", 2..14, "two sides"),
        ("reach(2d6,2d6x)", 0..15, "without anything"),
        ("(1d6", 0..1, "never closed"),
        ("1d6)", 3..4, "never opened"),
        ("1d1x1", 3..5, "never ends"),
        ("1d6x>=1", 3..7, "never ends"),
        ("1d6rr>=1", 3..8, "never comes to rest"),
        ("1d6rr<6x6", 7..9, "never ends"),
        ("99999999d99999999", 0..8, "limit is 1000"),
        ("99999999999d6", 0..11, "limit of 1000000000"),
        ("1d99999999", 2..10, "limit is 1000000"),
        ("1d6x7", 4..5, "no face"),
        ("1d6r<1", 4..6, "no face"),
        ("4d6kh5", 3..6, "keeps 5 of 4"),
        ("4d6dl0", 3..6, "drops 0 of 4"),
        ("4d6khkl", 5..7, "second"),
        ("8d10cs", 4..6, "needs the faces"),
        ("8d10cs>=", 6..8, "number is missing"),
        ("8d10df=1", 4..8, "none are counted"),
        ("8d10cs<=6df=10x10", 14..17, "lower bound"),
        ("4d6xokh3", 5..8, "solved only"),
        ("1000d1000000", 0..12, "different values"),
        (
            "1000000000*1000000000*1000000000",
            0..21,
            "beyond the limit",
        ),
        ("1d6 vs 1d6", 4..5, "not understood"),
        ("2(3)", 1..2, "parenthesis"),
    ] {
        let (at, message) = refused(text);
        assert_eq!(at, span, "{text}: {message}");
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn work_is_bounded_before_it_is_begun() {
    let long = vec!["1d6"; 101].join("+");
    assert!(refused(&long).1.contains("more than 100 terms"));
    let wide = vec!["1d1000000cs>=2"; 50].join("+");
    assert!(refused(&wide).1.contains("limit"));
    let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(refused(&deep).1.contains("nested more than"));
    assert!(refused(&"-".repeat(100_000)).1.contains("nested more than"));
    for heavy in [
        "1d1000000x>=2",
        "1000d1000kh500",
        "1000d100x100",
        "300d100*300d100",
        // No die is kept, but the program still distributes all sides over all dice.
        "1000d1000dl1000",
        "100d10000dl100",
        "500d3000cs>0dh1",
        "100d6!!kh5",
        "2d1000!!>=2kh1",
        "9d1000000!!>=2cs>=2",
        "reach(1000d1000,1000d1000)",
    ] {
        let message = refused(heavy).1;
        assert!(message.contains("limit"), "{heavy}: {message}");
    }
}

#[test]
fn work_grows_with_the_sides_of_dropped_dice_not_with_their_square() {
    // Adding up all sides below each side would take 2 * 10^10 additions here.
    let dropped = parsed("1d200000dl1").distribution();
    assert_eq!((dropped.first(), dropped.last()), (0, 0));
    assert!((dropped.mass().value() - 1.0).abs() < 1e-15);
    let counted = parsed("1d82003cs>0dh1").distribution();
    assert_eq!((counted.first(), counted.last()), (0, 0));
}

#[test]
fn dice_are_thrown_in_the_order_written_and_explosions_after_them() {
    assert_eq!(rolled("2d10+7", &[3, 9]), 19);
    assert_eq!(rolled("1d6-1d4*2", &[5, 2]), 1);
    assert_eq!(rolled("4d6kh3", &[1, 6, 2, 5]), 13);
    assert_eq!(rolled("4d6dh1", &[1, 6, 2, 5]), 8);
    assert_eq!(rolled("2d6x", &[6, 2, 6, 1]), 15);
    assert_eq!(rolled("2d6xo", &[6, 2, 6]), 14);
    assert_eq!(rolled("2d6r1", &[1, 1, 4]), 5);
    assert_eq!(rolled("1d6rr<3", &[1, 2, 4]), 4);
    assert_eq!(rolled("8d10x10cs>=6df=1", &[6, 10, 1, 3, 9, 2, 1, 7, 8]), 3);
    assert_eq!(rolled("2d6x6kh2", &[6, 2, 5]), 11);
}

#[test]
fn exact_distributions_are_those_of_every_roll() {
    for text in [
        "3d6",
        "2d10+7",
        "4d6kh3",
        "4d6kl1",
        "4d6dh2",
        "3d8dl2",
        "2d6r1",
        "3d4xo",
        "2d6xo>=5",
        "2d4r1xo4",
        "4d6cs>=5",
        "4d6cs>=5df=1",
        "3d6cs>=5df=1xo6",
        "5d4kh3cs>=3",
        "3d6r<3kh2",
        "1d4*1d6",
        "(1d4-2)*(1d6-3)",
        "2*1d4-1d6",
        "-1d4*-1d4",
        "3-(1d6+1d4)",
        "2d3xo1",
        "0d6+1",
        "2d20kh",
    ] {
        let exact = parsed(text).distribution();
        let slow = brute_force(text);
        assert_eq!(exact.iter().count(), slow.len(), "{text}");
        for (value, weight) in slow {
            let error = (exact.probability(value) / weight - 1.0).abs();
            assert!(error < 1e-12, "{text}: {value}");
        }
        let notation = parsed(text);
        assert_eq!(
            (exact.first(), exact.last()),
            (notation.min(), notation.max().unwrap()),
            "{text}"
        );
        assert!((exact.mass().value() - 1.0).abs() < 1e-15);
    }
}

#[test]
fn rerolling_for_ever_leaves_a_smaller_die() {
    for (rerolled, smaller) in [("2d6rr<3", "2d4+4"), ("3d6rr>4dl1", "3d4dl1")] {
        let (left, right) = (
            parsed(rerolled).distribution(),
            parsed(smaller).distribution(),
        );
        assert!(left.iter().eq(right.iter()), "{rerolled}");
    }
    assert_eq!(parsed("2d6rr<3").min(), 6);
}

#[test]
fn endless_explosions_are_solved() {
    // An exploding d6: the mean is 3.5 / (1 - 1/6), and the chance of 12 + k is 1/216 for k in 1..=5.
    let die = parsed("1d6x6").distribution();
    assert!((die.mean() - 4.2).abs() < 1e-15);
    assert!(die.iter().all(|(value, _)| value % 6 != 0));
    assert!((die.probability(13) - 1.0 / 216.0).abs() < 1e-18);
    assert!((die.at_least(6 * 25 + 1) / 6.0_f64.powi(-25) - 1.0).abs() < 1e-13);
    assert_eq!(parsed("1d6x6").max(), None);
    assert_eq!(parsed("1d6x6").min(), 1);
    assert_eq!(parsed("1d6x1").min(), 2);
    assert_eq!(parsed("10-1d6x6").min(), i64::MIN);
    assert_eq!(parsed("2*(1-1d6x6)").max(), Some(0));
    // An exploding face that counts as nothing is equivalent to a reroll.
    let idle = parsed("3d6x6cs<=2").distribution();
    let rerolled = parsed("3d6rr6cs<=2").distribution();
    for (value, weight) in rerolled.iter() {
        assert!((idle.probability(value) - weight).abs() < 1e-15);
    }
}

#[test]
fn the_range_of_kept_exploding_dice_is_that_of_their_distribution() {
    for (text, min, max) in [
        ("3d6x6kh2", 2, Some(12)),
        ("3d6x6kl2", 2, Some(10)),
        ("3d6x6dl1", 2, None),
        ("3d6x6dh1", 2, None),
        ("2d3xdh1cs<=2", 1, Some(2)),
        ("2d3xkl1cs<=2", 1, Some(1)),
        ("2d3xkh1cs<=2", 0, Some(1)),
        ("2d3xdl1cs=3", 0, None),
        ("3d4xdh2cs>=3df<=2", -3, None),
        ("3d6!!kh2", 2, None),
        ("3d6!!dl3", 0, Some(0)),
        ("3d6xpdh1", 2, None),
        ("3d{-2,0}!!kl2", -4, Some(-4)),
        ("3d6!!cs>=8", 0, Some(3)),
        ("3d6!!cs>6df<=2", -3, Some(3)),
        ("3d6!!cs6", 0, Some(0)),
    ] {
        let (notation, distribution) = (parsed(text), parsed(text).distribution());
        assert_eq!((notation.min(), notation.max()), (min, max), "{text}");
        assert_eq!(distribution.first(), min, "{text}");
        assert!(max.is_none_or(|max| distribution.last() == max), "{text}");
    }
}

#[test]
fn keeping_among_exploding_dice_agrees_with_dice_that_explode_often_enough() {
    // Samples 200000 rolls and compares the largest difference of the distribution functions. The bound is 1.95 /
    // sqrt(n), which one correct sampler in a thousand exceeds.
    for (seed, text) in (1..).zip([
        "3d6x6kh2",
        "3d6x6kl2",
        "3d6x6dl1",
        "3d6x6dh1",
        "4d4xkh3cs>=4",
    ]) {
        let notation = parsed(text);
        let exact = notation.distribution();
        assert!((exact.mass().value() - 1.0).abs() < 1e-15, "{text}");
        let mut faces = SampledFaces::new(seed);
        let rolls = 200_000;
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..rolls {
            *counts.entry(notation.roll(&mut faces)).or_insert(0_u32) += 1;
        }
        let (mut sum, mut apart) = (0, 0.0_f64);
        for (value, count) in counts {
            sum += count;
            apart = apart.max((f64::from(sum) / f64::from(rolls) - exact.at_most(value)).abs());
        }
        assert!(apart < 1.95 / f64::from(rolls).sqrt(), "{text}: {apart}");
    }
}

#[test]
fn the_highest_three_of_five_d10s_that_grow() {
    let kept = parsed("5d10!!kh3").distribution();
    let found = format!("{:.4} {:.4}", kept.mean(), kept.at_least(30));
    assert_eq!(found, "24.5126 0.2365");
    // The higher of two is at most a value where both are.
    let (die, higher) = (parsed("1d4x"), parsed("2d4!!kh1"));
    let (die, higher) = (die.distribution(), higher.distribution());
    for value in 1..60 {
        let error = higher.at_most(value) - die.at_most(value).powi(2);
        assert!(error.abs() < 1e-14, "{value}");
    }
    // Two sides of four with the same number are one of two, but are solved side by side.
    for keep in ["kh2", "kl1", "dl1", "dh2"] {
        let [few, many] = ["4d2!!", "4d{1,1,2,2}!!"].map(|dice| parsed(&format!("{dice}{keep}")));
        let (few, many) = (few.distribution(), many.distribution());
        for value in 0..60 {
            let error = few.probability(value) - many.probability(value);
            assert!(error.abs() < 1e-14, "{keep}: {value}");
        }
    }
    // The chain of a die, not each of its dice, reaches 8: a 6 and then 2 or more.
    let counted = parsed("1d6!!cs>=8").distribution();
    assert!((counted.at_least(1) - 5.0 / 36.0).abs() < 1e-15);
}

#[test]
fn chains_are_rolled_after_all_dice_and_are_one_die_each() {
    assert_eq!(rolled("3d6!!kh1", &[6, 2, 6, 3, 6, 1]), 6 + 6 + 1);
    assert_eq!(rolled("3d6!!kl2", &[6, 2, 5, 1]), 2 + 5);
    assert_eq!(rolled("2d6!pkh1", &[6, 6, 5, 6, 2]), 6 + 5 + 1);
    assert_eq!(rolled("2d6!!cs>=8", &[6, 6, 1, 2]), 1);
}

#[test]
fn quotients_are_rounded_down() {
    for (text, value) in [
        ("7/2", 3),
        ("-7/2", -4),
        ("-(7/2)", -3),
        ("7/-2", -4),
        ("-7/-2", 3),
        ("8/-2", -4),
    ] {
        assert_eq!(rolled(text, &[]), value, "{text}");
        assert_eq!(
            parsed(text).as_sum(),
            Some(PlainSum::points(value)),
            "{text}"
        );
    }
    let tenth = parsed("1d100/10").distribution();
    assert_eq!((tenth.first(), tenth.last()), (0, 10));
    assert!((tenth.probability(0) - 0.09).abs() < 1e-16);
    assert!((tenth.probability(10) - 0.01).abs() < 1e-16);
    let half = parsed("(2d6+3)/2").distribution();
    assert_eq!(format!("{:.4}", half.mean()), "4.7500");
}

#[test]
fn three_dice_against_two_by_the_highest_of_the_other() {
    let margin = parsed("reach(3d6,2d6)").distribution();
    let shares = [
        margin.at_least(1),
        margin.probability(0),
        margin.at_most(-1),
    ];
    let shares = shares.map(|share| format!("{:.4}", 100.0 * share));
    assert_eq!(shares, ["51.8647", "17.9398", "30.1955"]);
    assert_eq!(rolled("reach(3d6,2d6)", &[5, 2, 4, 4, 1]), 2);
    assert_eq!(rolled("reach(2d6,2d6)", &[3, 3, 3, 1]), 1);
    assert_eq!(rolled("reach(1d6,2d6)", &[2, 2, 6]), -2);
    for (mine, theirs) in [
        ("0d6", "2d6"),
        ("2d1", "3d1"),
        ("2d1", "2d3"),
        ("3d2", "0d4"),
        ("1d4", "2d3"),
        ("0d6", "0d6"),
    ] {
        let text = format!("reach({mine},{theirs})");
        let (notation, slow) = (parsed(&text), brute_force(&text));
        let exact = notation.distribution();
        for &(value, weight) in &slow {
            assert!(
                (exact.probability(value) - weight).abs() < 1e-15,
                "{text}: {value}"
            );
        }
        let ends = (slow[0].0, Some(slow[slow.len() - 1].0));
        assert_eq!((notation.min(), notation.max()), ends, "{text}");
    }
}

#[test]
fn plain_sums_are_recognised() {
    let sum = |count, sides, bonus| {
        Some(PlainSum {
            count,
            sides,
            bonus,
        })
    };
    for (text, expected) in [
        ("2d10+7", sum(2, 10, 7)),
        ("7+2d10-3", sum(2, 10, 4)),
        ("(2d10-1)", sum(2, 10, -1)),
        ("5", sum(0, 1, 5)),
        ("-5+2*3", sum(0, 1, 1)),
        ("1d6+1d6", None),
        ("-1d6", None),
        ("2*1d6", None),
        ("4d6kh3", None),
    ] {
        assert_eq!(parsed(text).as_sum(), expected, "{text}");
        if let Some(sum) = expected {
            let mut twins = (SampledFaces::new(3), SampledFaces::new(3));
            assert_eq!(sum.roll(&mut twins.0), parsed(text).roll(&mut twins.1));
        }
    }
}

#[test]
fn two_notations_are_compared() {
    let (left, right) = Notation::parse_versus("2d10+7 VS 2d10+5").unwrap();
    let right = right.expect("a comparison").distribution();
    let [win, tie, lose] = left.distribution().versus(&right);
    assert!((win + tie + lose - 1.0).abs() < 1e-15);
    // 2d10+7 loses where 2d10 - 2d10 < -2; counted over all 10^4 rolls.
    let lower = (1..=10_i64)
        .flat_map(|a| (1..=10).map(move |b| a + b))
        .flat_map(|mine| (1..=10_i64).flat_map(move |c| (1..=10).map(move |d| mine - c - d)))
        .filter(|apart| *apart < -2)
        .count();
    assert!((lose - lower as f64 / 1e4).abs() < 1e-15);
    assert!(Notation::parse_versus("1d6 vs").is_err());
    assert!(Notation::parse_versus("vs 1d6").is_err());
    assert!(Notation::parse_versus("1d6 vs 1d6 vs 1d6").is_err());
}

#[test]
fn a_thousand_dice_are_still_exact() {
    assert_eq!(MAX_DICE, 1000);
    let many = parsed("1000d6").distribution();
    assert!((many.mean() - 3500.0).abs() < 1e-10);
    assert!((many.mass().value() - 1.0).abs() < 1e-15);
    let (two, sum) = (parsed("2d10").distribution(), Distribution::die(10).dice(2));
    assert!(two.iter().eq(sum.iter()));
    let _: &dyn Faces = &SampledFaces::new(1);
}
