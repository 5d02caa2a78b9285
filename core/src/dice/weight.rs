//! A probability with about 31 digits.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// Weights below this count as 0: the smallest size at which both halves of a [`Weight`] are still normal
/// floating-point numbers.
pub(crate) const FLOOR: f64 = 1e-280;

/// A probability (or a mean of probabilities) as the unevaluated sum of two `f64`, about 31 digits.
///
/// Weights are made from ratios of whole numbers by `+`, `*` and `/` alone, so they are the same on every machine.
/// Rounding a weight to an `f64` gives the nearest `f64` to the exact value in all but contrived cases.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Weight {
    high: f64,
    low: f64,
}

impl Weight {
    /// The weight 0.
    pub const ZERO: Self = Self {
        high: 0.0,
        low: 0.0,
    };

    /// The weight 1: certainty.
    pub const ONE: Self = Self {
        high: 1.0,
        low: 0.0,
    };

    /// Returns `numerator / denominator`.
    pub fn ratio(numerator: u32, denominator: u32) -> Self {
        Self::from(f64::from(numerator)) / Self::from(f64::from(denominator))
    }

    /// Returns the nearest `f64`.
    #[inline]
    pub const fn value(self) -> f64 {
        self.high
    }

    /// Returns whether the weight is below [`FLOOR`], and so counts as 0.
    #[inline]
    pub(crate) fn vanishes(self) -> bool {
        self.high < FLOOR
    }

    /// Returns the weight of `patterns` of the 2^64 patterns of bits.
    pub(crate) fn of_patterns(patterns: u128) -> Self {
        const PATTERNS: f64 = 18_446_744_073_709_551_616.0;
        // Each half is a whole number below 2^53, or 2^64 itself.
        let (high, low) = ((patterns >> 32) as f64, (patterns & 0xffff_ffff) as f64);
        Self::from(high * 4_294_967_296.0 / PATTERNS) + Self::from(low / PATTERNS)
    }

    /// Returns this share of the 2^64 patterns of bits, rounded to a whole number.
    pub(crate) fn of_two_to_64(self) -> u128 {
        const PATTERNS: f64 = 18_446_744_073_709_551_616.0;
        // Scaling by a power of two is exact; only the fractions of the halves are rounded.
        let (high, low) = (self.high * PATTERNS, self.low * PATTERNS);
        let whole = high.floor();
        let rest = ((high - whole) + low + 0.5).floor();
        (whole as u128).saturating_add_signed(rest as i128)
    }

    /// Returns the square root, for standard deviations.
    pub fn sqrt(self) -> f64 {
        self.high.max(0.0).sqrt()
    }

    /// Returns this weight raised to a whole power.
    pub fn power(self, mut exponent: u32) -> Self {
        let (mut square, mut result) = (self, Self::ONE);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result * square;
            }
            square = square * square;
            exponent >>= 1;
        }
        result
    }
}

impl From<f64> for Weight {
    fn from(value: f64) -> Self {
        Self {
            high: value,
            low: 0.0,
        }
    }
}

/// Returns `a + b` and its rounding error.
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// Returns the same as [`two_sum`], for `|a| >= |b|`.
#[inline]
fn quick_two_sum(a: f64, b: f64) -> Weight {
    let high = a + b;
    Weight {
        high,
        low: b - (high - a),
    }
}

/// Returns the upper and the lower 26 bits of a number (Dekker's split).
#[inline]
fn split(a: f64) -> (f64, f64) {
    let spread = 134_217_729.0 * a;
    let upper = spread - (spread - a);
    (upper, a - upper)
}

/// Returns `a * b` and its rounding error. Written out, because a fused multiply-add is slow on machines without the
/// instruction.
#[inline]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a_up, a_low), (b_up, b_low)) = (split(a), split(b));
    let lost = ((a_up * b_up - product) + a_up * b_low + a_low * b_up) + a_low * b_low;
    (product, lost)
}

impl Add for Weight {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let (sum, lost) = two_sum(self.high, other.high);
        quick_two_sum(sum, lost + (self.low + other.low))
    }
}

impl AddAssign for Weight {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Weight {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + Self {
            high: -other.high,
            low: -other.low,
        }
    }
}

impl Mul for Weight {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let (product, lost) = two_product(self.high, other.high);
        quick_two_sum(
            product,
            lost + (self.high * other.low + self.low * other.high),
        )
    }
}

impl Div for Weight {
    type Output = Self;

    #[inline]
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        quick_two_sum(first, second) + Self::from(rest.high / other.high)
    }
}

impl Sum for Weight {
    fn sum<I: Iterator<Item = Self>>(weights: I) -> Self {
        weights.fold(Self::ZERO, Add::add)
    }
}
