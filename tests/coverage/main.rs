//! How often intervals cover the truth, and how often decisions are wrong: summed over all possible outcomes where that
//! is feasible, else over many seeds. This is a binary of its own because it runs for long.
//!
//! Where seeds are simulated, the number of runs makes four standard errors of the coverage less than the tolerance: an
//! interval that is wrong by more is detected, and a correct one passes for all but one in ten thousand choices of
//! seeds. The seeds are fixed.

mod decisions;
mod differences;
mod exact;
mod intervals;
mod precision;
#[path = "../synthetic/mod.rs"]
#[expect(
    dead_code,
    reason = "shared with the other tests, which need all of it"
)]
mod synthetic;

use skirmish::stats::Confidence;
use skirmish::stats::normal::quantile_above;
use synthetic::mix;

/// Returns the random stream of a seed: uniform numbers below `faces`.
fn throws(seed: u64, faces: u64) -> impl Iterator<Item = u32> {
    let start = mix(seed.wrapping_mul(0x9e6c_63d0_876a_3f6b));
    (0..).map(move |throw: u64| (mix(start.wrapping_add(throw)) % faces) as u32)
}

/// Returns the random stream of a seed: standard normal values.
fn normals(seed: u64) -> impl Iterator<Item = f64> {
    throws(seed, 1 << 31).map(|throw| {
        let part = (f64::from(throw) + 0.5) / f64::from(1_u32 << 31);
        let size = quantile_above(part.min(1.0 - part));
        if part < 0.5 { -size } else { size }
    })
}

/// Returns the share of seeds `0..runs` for which `holds` returns true.
fn share(runs: u64, holds: impl Fn(u64) -> bool) -> f64 {
    (0..runs).filter(|&seed| holds(seed)).count() as f64 / runs as f64
}

/// The levels at which intervals are tested.
const LEVELS: [&str; 3] = ["95%", "99%", "99.9%"];

/// The least coverage of a grid of cases. `docs/STATISTICS.md` quotes the printed value.
struct Worst {
    what: &'static str,
    level: Confidence,
    coverage: f64,
    case: String,
}

impl Worst {
    fn new(what: &'static str, level: Confidence) -> Self {
        Self {
            what,
            level,
            coverage: 1.0,
            case: String::new(),
        }
    }

    fn add(&mut self, coverage: f64, case: impl FnOnce() -> String) {
        if coverage < self.coverage {
            self.coverage = coverage;
            self.case = case();
        }
    }

    fn is_at_least(&self, least: f64) {
        let Self {
            what,
            level,
            coverage,
            case,
        } = self;
        let percent = coverage * 100.0;
        println!("{what}, {level}: at worst {percent:.2}%, {case}");
        assert!(*coverage >= least, "{what}, {level}: {coverage}, {case}");
    }
}

/// Asserts that a share lies in a range.
fn within(share: f64, least: f64, most: f64, what: &str) {
    assert!((least..=most).contains(&share), "{what}: {share}");
}
