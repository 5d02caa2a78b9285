//! Precisions: accepted spellings, and intervals that are narrow enough.

use crate::synthetic::{fight, record};
use skirmish::stats::{Confidence, Precision, Summary};
use skirmish::tally::{Distribution, Kind, Tally, metrics};

#[test]
fn the_least_and_the_greatest_precision_are_taken() {
    for (text, taken) in [
        ("0.000000000001", true),
        ("0.0000000000009", false),
        ("1000000000", true),
        ("1000000001", false),
    ] {
        assert_eq!(text.parse::<Precision>().is_ok(), taken, "{text}");
    }
}

/// Only 0 is possible, so the interval has no width, and a share of the mean is 0 as well.
#[test]
fn what_cannot_vary_is_known_precisely() {
    let never = Distribution::of_counts([(0, 50)]).up_to(Some(0));
    let summary = Summary::of(&never, Kind::Count, Confidence::DEFAULT);
    for text in ["1%", "0.01"] {
        let precision: Precision = text.parse().unwrap();
        assert_eq!(precision.excess(&summary, Kind::Count), Some(0.0), "{text}");
    }
}

/// After a single encounter no interval is known for any combatant; after none there is nothing to report.
#[test]
fn of_intervals_equally_wide_the_first_is_named() {
    let fight = fight();
    let mut tally = Tally::new(&fight);
    let precision: Precision = "1%".parse().unwrap();
    let health = [metrics::find("health").unwrap()];
    let widest = |tally: &Tally| precision.widest(tally, &health, Confidence::DEFAULT);
    assert!(widest(&tally).is_none());
    tally.add(0, &record(&fight, 0));
    let widest = widest(&tally).unwrap();
    assert_eq!((widest.subject, widest.excess), (0, f64::INFINITY));
}
