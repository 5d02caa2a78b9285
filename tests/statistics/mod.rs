//! Counting, and what is said on the strength of counts.

mod intervals;
mod precision;
mod quantiles;
mod runner;
mod significance;
mod summary;
mod tally;

use skirmish::tally::Histogram;

fn near(found: f64, published: f64, digits: i32) {
    assert!(
        (found - published).abs() <= 0.5 * 10_f64.powi(-digits),
        "{found} is not {published}"
    );
}

/// The counts of those values, the first of which is shown by encounter 0.
fn histogram(values: &[u32]) -> Histogram {
    let mut histogram = Histogram::default();
    for (encounter, &value) in (0..).zip(values) {
        histogram.add(value, encounter);
    }
    histogram
}
