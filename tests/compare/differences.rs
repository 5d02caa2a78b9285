//! What pairs say of a difference, against tables worked out by hand and against stupid code.

use proptest::prelude::*;
use skirmish::stats::Confidence;
use skirmish::stats::paired::{Difference, Luck};
use skirmish::tally::{Histogram, Kind, Pairs};

fn pairs(values: &[(i64, i64)]) -> Pairs {
    let mut pairs = Pairs::default();
    for &(first, second) in values {
        pairs.add(first, second);
    }
    pairs
}

/// So many encounters in which both win, only the first, only the second, and neither.
fn table(both: usize, first: usize, second: usize, neither: usize) -> Pairs {
    let cells = [
        ((1, 1), both),
        ((1, 0), first),
        ((0, 1), second),
        ((0, 0), neither),
    ];
    let all: Vec<_> = cells
        .into_iter()
        .flat_map(|(values, count)| std::iter::repeat_n(values, count))
        .collect();
    pairs(&all)
}

fn of(pairs: &Pairs, kind: Kind, luck: Luck) -> Difference {
    Difference::of_means(pairs, kind, luck, Confidence::DEFAULT).unwrap()
}

fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-6, "{found} is not {wanted}");
}

/// n = 30, 2 and 8 pairs that differ: 3/32 and 9/32 after Bonett and Price; of the 10 pairs that
/// differ, 2 or fewer to one side come with probability 2 (1 + 10 + 45) / 1024.
#[test]
fn a_table_of_pairs_worked_out_by_hand() {
    let difference = of(&table(12, 2, 8, 8), Kind::Rate, Luck::Common);
    close(difference.first, 14.0 / 30.0);
    close(difference.second, 20.0 / 30.0);
    close(difference.difference, 0.2);
    let interval = difference.interval.unwrap();
    close(interval.low, -0.014_482_5);
    close(interval.high, 0.389_482_5);
    close(difference.p_value.unwrap(), 112.0 / 1024.0);
    // The same marginals without pairing vary by 0.2489 + 0.2222 an encounter, the difference by
    // 10/30 - 0.04.
    close(
        difference.shrinkage.unwrap(),
        (14.0 * 16.0 + 20.0 * 10.0) / 900.0 / (10.0 / 30.0 - 0.04),
    );
}

/// 5 and 9 of 20: 6/22 and 10/22 after Agresti and Caffo.
#[test]
fn rates_that_share_no_luck_worked_out_by_hand() {
    let difference = of(&table(2, 3, 7, 8), Kind::Rate, Luck::Separate);
    let interval = difference.interval.unwrap();
    close(interval.low, -0.097_334_2);
    close(interval.high, 0.460_970_5);
    // z = 0.2 / sqrt(2 * 0.35 * 0.65 / 20) = 1.325987
    assert!((difference.p_value.unwrap() - 0.184_844).abs() < 1e-5);
    assert_eq!((difference.correlation, difference.shrinkage), (None, None));
}

#[test]
fn rates_that_never_differ_are_not_known_to_be_one() {
    for pairs in [table(0, 0, 0, 50), table(50, 0, 0, 0), table(20, 0, 0, 30)] {
        let difference = of(&pairs, Kind::Rate, Luck::Common);
        let interval = difference.interval.unwrap();
        assert!(interval.low < 0.0 && interval.high > 0.0);
        close(difference.p_value.unwrap(), 1.0);
        assert_eq!(difference.shrinkage, None);
    }
}

#[test]
fn numbers_that_always_differ_by_the_same_have_no_interval() {
    let difference = of(&pairs(&[(1, 4), (5, 8), (2, 5)]), Kind::Count, Luck::Common);
    close(difference.difference, 3.0);
    assert_eq!((difference.interval, difference.p_value), (None, None));
    close(difference.correlation.unwrap(), 1.0);
}

#[test]
fn without_pairs_nothing_is_said() {
    let none = Pairs::default();
    for kind in [Kind::Rate, Kind::Count] {
        for luck in [Luck::Common, Luck::Separate] {
            assert_eq!(
                Difference::of_means(&none, kind, luck, Confidence::DEFAULT),
                None
            );
        }
    }
}

#[test]
fn the_interval_of_a_difference_of_medians_spans_both() {
    let of = |values: &[u32]| {
        let mut histogram = Histogram::default();
        for (encounter, &value) in (0..).zip(values) {
            histogram.add(value, encounter);
        }
        histogram.distribution()
    };
    let low: Vec<u32> = (0..101).collect();
    let high: Vec<u32> = (0..101).map(|value| 2 * value).collect();
    let difference = Difference::of_medians(&of(&low), &of(&high), Confidence::DEFAULT).unwrap();
    close(difference.difference, 50.0);
    // At 97.5% from rank 39 to rank 63 of 101: fewer than 39 of B(101, 1/2) come with probability
    // 0.0083, fewer than 40 with 0.0140, and 0.0125 are allowed. The values there are 38 and 62.
    let interval = difference.interval.unwrap();
    close(interval.low, 2.0 * 38.0 - 62.0);
    close(interval.high, 2.0 * 62.0 - 38.0);
}

proptest! {
    #[test]
    fn sums_of_integers_say_what_two_passes_over_the_values_say(
        values in prop::collection::vec((0_i64..2000, 0_i64..2000), 2..60),
        shift in 0_i64..3_000_000_000,
    ) {
        let values: Vec<(i64, i64)> = values.iter().map(|(a, b)| (a + shift, b + shift)).collect();
        let found = of(&pairs(&values), Kind::Count, Luck::Common);
        let n = values.len() as f64;
        let gaps: Vec<f64> = values.iter().map(|(a, b)| (b - a) as f64).collect();
        let mean = gaps.iter().sum::<f64>() / n;
        let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / (n - 1.0);
        prop_assert!((found.difference - mean).abs() < 1e-9);
        prop_assert!((found.se.unwrap() - (variance / n).sqrt()).abs() < 1e-9);
        let about = |pick: fn(&(i64, i64)) -> i64| {
            let mean = values.iter().map(|pair| (pick(pair) - shift) as f64).sum::<f64>() / n;
            values.iter().map(move |pair| (pick(pair) - shift) as f64 - mean).collect::<Vec<_>>()
        };
        let (first, second) = (about(|pair| pair.0), about(|pair| pair.1));
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let scale = (dot(&first, &first) * dot(&second, &second)).sqrt();
        if scale > 0.0 {
            let wanted = dot(&first, &second) / scale;
            prop_assert!((found.correlation.unwrap() - wanted).abs() < 1e-9);
        } else {
            prop_assert_eq!(found.correlation, None);
        }
    }

    #[test]
    fn to_change_sides_is_to_change_the_sign(
        values in prop::collection::vec((0_i64..2, 0_i64..2), 2..60),
        luck in prop::sample::select(vec![Luck::Common, Luck::Separate]),
    ) {
        let one = of(&pairs(&values), Kind::Rate, luck);
        let other = of(&pairs(&values).swapped(), Kind::Rate, luck);
        let (here, there) = (one.interval.unwrap(), other.interval.unwrap());
        prop_assert!((one.difference + other.difference).abs() < 1e-12);
        prop_assert!((here.low + there.high).abs() < 1e-12);
        prop_assert!((one.p_value.unwrap() - other.p_value.unwrap()).abs() < 1e-12);
        prop_assert!(here.low <= one.difference && one.difference <= here.high);
    }
}
