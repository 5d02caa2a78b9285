//! Differences from pairs, tested against tables worked out by hand and against naive code.

use proptest::prelude::*;
use skirmish::output::comparisons::{Row, Statistic};
use skirmish::stats::paired::{Difference, Luck};
use skirmish::stats::significance::two_sided;
use skirmish::stats::{Confidence, Interval, Summary};
use skirmish::tally::{Distribution, Histogram, Kind, Pairs, metrics};

fn pairs(values: &[(i64, i64)]) -> Pairs {
    let mut pairs = Pairs::default();
    for (encounter, &(first, second)) in (0..).zip(values) {
        pairs.add(encounter, first, second);
    }
    pairs
}

fn distribution(values: impl IntoIterator<Item = u32>) -> Distribution {
    let mut histogram = Histogram::default();
    for (encounter, value) in (0..).zip(values) {
        histogram.add(value, encounter);
    }
    histogram.distribution()
}

/// Returns pairs: `both` encounters that both win, `first` that only the first wins, `second` that only the second
/// wins, and `neither`.
fn table(both: usize, first: usize, second: usize, neither: usize) -> Vec<(i64, i64)> {
    let cells = [
        ((1, 1), both),
        ((1, 0), first),
        ((0, 1), second),
        ((0, 0), neither),
    ];
    let cells = cells.into_iter();
    cells
        .flat_map(|(values, count)| std::iter::repeat_n(values, count))
        .collect()
}

fn of(values: &[(i64, i64)], kind: Kind, luck: Luck) -> Difference {
    of_limited(values, None, kind, luck)
}

/// Does the same for a metric with a greatest possible value.
fn of_limited(values: &[(i64, i64)], limit: Option<u32>, kind: Kind, luck: Luck) -> Difference {
    let [first, second] = [
        distribution(values.iter().map(|pair| pair.0 as u32)).up_to(limit),
        distribution(values.iter().map(|pair| pair.1 as u32)).up_to(limit),
    ];
    let (pairs, level) = (pairs(values), Confidence::DEFAULT);
    Difference::of_means(&pairs, [&first, &second], kind, luck, level).unwrap()
}

/// Asserts that two numbers agree as closely as the tails of the bounds are known.
fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 0.001, "{found} is not {wanted}");
}

fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-6, "{found} is not {wanted}");
}

#[test]
fn a_single_pair_has_no_standard_error() {
    for kind in [Kind::Count, Kind::Rate] {
        assert_eq!(of(&[(0, 1)], kind, Luck::Common).se, None);
        assert!(of(&[(0, 1), (0, 0)], kind, Luck::Common).se.is_some());
    }
}

/// n = 30, with 2 and 8 pairs that differ; of these 10, 2 or fewer in one direction have probability 2 (1 + 10 + 45) /
/// 1024. The bounds are quantiles of the weighted mean, found by 10,000,000 draws of gamma weights with shapes 3, 20, 8
/// (below) and 2, 20, 9 (above).
#[test]
fn a_table_of_pairs_worked_out_by_hand() {
    let difference = of(&table(12, 2, 8, 8), Kind::Rate, Luck::Common);
    close(difference.first, 14.0 / 30.0);
    close(difference.second, 20.0 / 30.0);
    close(difference.difference, 0.2);
    let interval = difference.interval.unwrap();
    near(interval.low, -0.039_0);
    near(interval.high, 0.419_2);
    close(difference.p_value.unwrap(), 112.0 / 1024.0);
    // Without pairing, the same marginals vary by 0.2489 + 0.2222 per encounter, the difference by 10/30 - 0.04.
    close(
        difference.shrinkage.unwrap(),
        (14.0 * 16.0 + 20.0 * 10.0) / 900.0 / (10.0 / 30.0 - 0.04),
    );
}

/// 5 and 9 of 20: the exact bounds are 0.086571 to 0.491046 and 0.230578 to 0.684722 (mpmath). Each arm of the interval
/// is the root of the sum of squares of two of their arms.
#[test]
fn rates_that_share_no_luck_worked_out_by_hand() {
    let difference = of(&table(2, 3, 7, 8), Kind::Rate, Luck::Separate);
    let interval = difference.interval.unwrap();
    let root = |a: f64, b: f64| (a * a + b * b).sqrt();
    near(interval.low, 0.2 - root(0.45 - 0.230_578, 0.491_046 - 0.25));
    near(
        interval.high,
        0.2 + root(0.684_722 - 0.45, 0.25 - 0.086_571),
    );
    // z = 0.2 / sqrt(2 * 0.35 * 0.65 / 20) = 1.325987
    assert!((difference.p_value.unwrap() - 0.184_844).abs() < 1e-5);
    assert_eq!((difference.correlation, difference.shrinkage), (None, None));
}

#[test]
fn rates_that_never_differ_are_not_known_to_be_one() {
    for (values, p_value) in [
        (table(0, 0, 0, 50), None),
        (table(50, 0, 0, 0), None),
        (table(20, 0, 0, 30), Some(1.0)),
    ] {
        let difference = of(&values, Kind::Rate, Luck::Common);
        let interval = difference.interval.unwrap();
        assert!(interval.low < 0.0 && interval.high > 0.0);
        // No pair differed, so there is nothing to test.
        assert_eq!((difference.p_value, difference.shrinkage), (None, None));
        let apart = of(&values, Kind::Rate, Luck::Separate);
        assert_eq!(apart.p_value, p_value);
    }
}

#[test]
fn numbers_that_differed_by_the_same_may_yet_differ_otherwise() {
    let values = [(1, 4), (5, 8), (2, 5)];
    let difference = of(&values, Kind::Count, Luck::Common);
    close(difference.difference, 3.0);
    // Three of three in one direction: as likely as three heads or three tails.
    assert!((difference.p_value.unwrap() - 0.25).abs() < 0.01);
    // Three do not show how much others may differ, unless there is a limit.
    assert_eq!(difference.interval, None);
    let known = of_limited(&values, Some(8), Kind::Count, Luck::Common);
    let interval = known.interval.unwrap();
    assert!(interval.low < 0.0 && interval.high > 6.0, "{interval:?}");
    close(difference.correlation.unwrap(), 1.0);
}

/// 4,000 encounters without a difference: at 95% at most 3.69 of 4,000 differ, each by at most the greatest possible value.
#[test]
fn where_nothing_differed_something_may_be_hidden() {
    let values: Vec<(i64, i64)> = (0..4000).map(|n| (n % 8, n % 8)).collect();
    let known = of_limited(&values, Some(30), Kind::Count, Luck::Common);
    let interval = known.interval.unwrap();
    let hidden = 30.0 * 3.69 / 4000.0;
    assert!((interval.high / hidden - 1.0).abs() < 0.01, "{interval:?}");
    close(interval.low, -interval.high);
    // If the greatest possible value is unknown, nothing bounds the difference.
    for values in [&values[..], &[(5, 5); 40]] {
        let alike = of(values, Kind::Count, Luck::Common);
        assert_eq!((alike.interval, alike.p_value), (None, None));
    }
}

/// The first fight has no value in the second half of the encounters, where those of the second are low: the two means
/// differ by far less than the pairs do.
#[test]
fn means_are_those_that_each_fight_shows_by_itself() {
    let first: Vec<u32> = (0..1000).map(|n| n % 10).collect();
    let in_pairs = (0..1000).map(|n| 4 + n % 10);
    let second: Vec<u32> = in_pairs.chain([1; 1000]).collect();
    let mut pairs = Pairs::default();
    for (encounter, (&first, &second)) in (0..).zip(first.iter().zip(&second)) {
        pairs.add(encounter, first.into(), second.into());
    }
    let values = [distribution(first), distribution(second)];
    let [one, other] = values.each_ref();
    let level = Confidence::DEFAULT;
    let all = Difference::of_means(&pairs, [one, other], Kind::Count, Luck::Common, level).unwrap();
    assert_eq!((all.counts, all.n), ([1000, 2000], 1000));
    close(all.first, 4.5);
    close(all.second, 4.75);
    close(all.difference, all.second - 4.5);
    let both = Difference::of_pairs(&pairs, Kind::Count, None, level).unwrap();
    close(both.difference, 4.0);
}

/// Two fights that show a value in different encounters, in most of these both. The expected values are sums of squares
/// and products about the means over single encounters. Neither mean is a whole number.
#[test]
fn means_of_different_encounters_vary_together_as_far_as_they_share_them() {
    type Shown = (Option<u32>, Option<u32>);
    let shown: Vec<Shown> = (0..600_u32)
        .map(|n| {
            let first = 1000 + n * 7 % 11 + n / 300;
            let second = 997 + n * 7 % 11 + n * n % 5 + n / 200 + if n % 3 == 0 { 3 } else { 0 };
            ((n % 3 > 0).then_some(first), (n % 4 > 0).then_some(second))
        })
        .collect();
    let mut pairs = Pairs::default();
    for (encounter, &(first, second)) in (0..).zip(&shown) {
        if let (Some(first), Some(second)) = (first, second) {
            pairs.add(encounter, first.into(), second.into());
        }
    }
    let values = [
        distribution(shown.iter().filter_map(|pair| pair.0)),
        distribution(shown.iter().filter_map(|pair| pair.1)),
    ];
    let [one, other] = values.each_ref();
    let [n, m] = [one, other].map(|values| values.total() as f64);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let all = |pick: fn(&Shown) -> Option<u32>| -> Vec<f64> {
        shown.iter().filter_map(pick).map(f64::from).collect()
    };
    let (first, second) = (all(|pair| pair.0), all(|pair| pair.1));
    let means = [mean(&first), mean(&second)];
    let variance = |values: &[f64], mean: f64| {
        let n = values.len() as f64;
        values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0) / n
    };
    let variances = [variance(&first, means[0]), variance(&second, means[1])];
    let products = shown.iter().filter_map(|&(a, b)| a.zip(b));
    let products = products.map(|(a, b)| (f64::from(a) - means[0]) * (f64::from(b) - means[1]));
    let covariance = products.sum::<f64>() / n / m;
    let apart = variances[0] + variances[1];
    let se = (apart - 2.0 * covariance).sqrt();
    let gap = means[1] - means[0];
    let correlation = covariance / (variances[0] * variances[1]).sqrt();
    assert!(gap.abs() > se && gap.abs() < 4.0 * se && correlation > 0.3);

    let alike = |found: Option<f64>, wanted: f64| {
        let found = found.unwrap();
        assert!(
            (found / wanted - 1.0).abs() < 1e-9,
            "{found} is not {wanted}"
        );
    };
    let level = Confidence::DEFAULT;
    let of = |luck| Difference::of_means(&pairs, [one, other], Kind::Count, luck, level).unwrap();
    let arms = [one, other].map(|values| {
        let summary = Summary::of(values, Kind::Count, level);
        let (mean, interval) = (summary.mean.unwrap(), summary.interval.unwrap());
        [mean - interval.low, interval.high - mean]
    });
    let interval = |correlation: f64| {
        let root = |a: f64, b: f64| (a * a + b * b - 2.0 * correlation * a * b).sqrt();
        Interval {
            low: gap - root(arms[1][0], arms[0][1]),
            high: gap + root(arms[1][1], arms[0][0]),
        }
    };
    let common = of(Luck::Common);
    alike(common.se, se);
    alike(common.correlation, correlation);
    alike(common.shrinkage, apart / (se * se));
    alike(common.p_value, two_sided(gap / se));
    close(common.interval.unwrap().low, interval(correlation).low);
    close(common.interval.unwrap().high, interval(correlation).high);
    let separate = of(Luck::Separate);
    alike(separate.se, apart.sqrt());
    alike(separate.p_value, two_sided(gap / apart.sqrt()));
    close(separate.interval.unwrap().low, interval(0.0).low);
    close(separate.interval.unwrap().high, interval(0.0).high);
    assert_eq!((separate.correlation, separate.shrinkage), (None, None));
}

/// Two fights that each showed a single value, in different encounters: no spread, no test.
#[test]
fn means_that_never_varied_are_not_tested() {
    let (fives, sevens) = (distribution([5; 30]), distribution([7; 20]));
    let pairs = pairs(&[(5, 7); 10]);
    for luck in [Luck::Common, Luck::Separate] {
        let level = Confidence::DEFAULT;
        let values = [&fives, &sevens];
        let found = Difference::of_means(&pairs, values, Kind::Count, luck, level).unwrap();
        close(found.difference, 2.0);
        assert_eq!((found.se, found.interval), (Some(0.0), None));
        assert_eq!((found.p_value, found.shrinkage), (None, None));
        assert_eq!(found.correlation, None);
    }
    let one_moves = of(&[(5, 1), (5, 2), (5, 9)], Kind::Count, Luck::Common);
    assert_eq!(one_moves.correlation, None);
}

/// 40 of 1000 encounters differ, all by 1 in the same direction: as improbable as 40 heads, but 6.45 standard errors
/// under normal theory, which is the more careful here.
#[test]
fn the_more_careful_of_two_probabilities_is_told() {
    let values: Vec<(i64, i64)> = (0..1000)
        .map(|n| (n % 7, n % 7 + i64::from(n < 40)))
        .collect();
    let found = of(&values, Kind::Count, Luck::Common);
    let z = 0.04 / (0.04 * 0.96 / 999.0_f64).sqrt();
    let p = found.p_value.unwrap();
    assert!((p / two_sided(z) - 1.0).abs() < 1e-6, "{p}, {z}");
}

#[test]
fn without_pairs_nothing_is_said() {
    let none = Pairs::default();
    for kind in [Kind::Rate, Kind::Count] {
        for luck in [Luck::Common, Luck::Separate] {
            let empty = distribution([]);
            let values = [&empty, &empty];
            let level = Confidence::DEFAULT;
            assert_eq!(Difference::of_means(&none, values, kind, luck, level), None);
            assert_eq!(Difference::of_pairs(&none, kind, None, level), None);
        }
    }
}

#[test]
fn the_interval_of_a_difference_of_medians_spans_both() {
    let low = distribution(0..101);
    let high = distribution((0..101).map(|value| 2 * value));
    let difference = Difference::of_medians(101, [&low, &high], Confidence::DEFAULT).unwrap();
    close(difference.difference, 50.0);
    // At 97.5% the interval reaches from rank 39 to rank 63 of 101: fewer than 39 of B(101, 1/2) have probability
    // 0.0083, fewer than 40 have 0.0140, and 0.0125 is allowed. The values at these ranks are 38 and 62.
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
        let found = of(&values, Kind::Count, Luck::Common);
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
        let one = of(&values, Kind::Rate, luck);
        let turned: Vec<(i64, i64)> = values.iter().map(|&(a, b)| (b, a)).collect();
        prop_assert_eq!(pairs(&turned), pairs(&values).swapped());
        let other = of(&turned, Kind::Rate, luck);
        let (here, there) = (one.interval.unwrap(), other.interval.unwrap());
        prop_assert!((one.difference + other.difference).abs() < 1e-12);
        prop_assert!((here.low + there.high).abs() < 1e-9);
        let p_values = one.p_value.zip(other.p_value);
        prop_assert!(p_values.is_none_or(|(here, there)| (here - there).abs() < 1e-12));
        prop_assert_eq!(one.p_value.is_some(), other.p_value.is_some());
        prop_assert!(here.low <= one.difference && one.difference <= here.high);
    }
}

#[test]
fn the_arm_of_no_measurable_difference_is_rounded_up() {
    let difference = Difference {
        counts: [1_000; 2],
        n: 1_000,
        first: 0.5,
        second: 0.501,
        difference: 0.001,
        se: Some(0.006),
        interval: Some(Interval {
            low: -0.0102,
            high: 0.0122,
        }),
        p_value: Some(0.87),
        correlation: None,
        shrinkage: None,
        is_exact: false,
    };
    let row = Row {
        metric: metrics::find("win_rate").unwrap(),
        statistic: Statistic::Mean,
        subject: "left".to_owned(),
        difference,
        p_adjusted: None,
    };
    let sentence = row.sentence(Confidence::DEFAULT);
    assert_eq!(sentence, "left win: no measurable difference (±1.3 points)");
}
