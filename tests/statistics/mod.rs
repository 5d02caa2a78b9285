//! Counts, and the statistics derived from them.

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

/// Returns the counts of these values; encounter 0 has the first.
fn histogram(values: &[u32]) -> Histogram {
    let mut histogram = Histogram::default();
    for (encounter, &value) in (0..).zip(values) {
        histogram.add(value, encounter);
    }
    histogram
}
