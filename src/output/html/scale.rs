//! Scales: the positions of numbers on an axis, and the round numbers of its ticks.

/// A number on an axis. Its text is exactly the number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    /// The number.
    pub(crate) value: f64,
    /// The number as text.
    pub(crate) text: String,
}

/// Numbers beyond this have no place on an axis. No count comes near this bound, nor does a percentage.
const FARTHEST: f64 = 1e17;

/// A distance between ticks: 1, 2 or 5 times a power of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    factor: i64,
    /// Power of ten.
    power: i32,
}

impl Step {
    /// Returns the smallest step of which `most` steps cover at least `span`.
    fn covering(span: f64, most: usize) -> Self {
        for power in -12..=17 {
            for factor in [1, 2, 5] {
                let step = Self { factor, power };
                if step.value() * most as f64 >= span {
                    return step;
                }
            }
        }
        Self {
            factor: 1,
            power: 18,
        }
    }

    /// Returns the next longer step. The longest is at least [`FARTHEST`].
    fn next(self) -> Self {
        Self::covering(self.value() * 1.5, 1)
    }

    fn value(self) -> f64 {
        self.times(1).value
    }

    /// Returns `count` steps as a tick. A single operation on whole numbers is exact, so that 3 times 0.1 is 0.3.
    fn times(self, count: i64) -> Tick {
        let units = (count * self.factor) as f64;
        let scale = 10_i64.pow(self.power.unsigned_abs()) as f64;
        let (value, decimals) = if self.power < 0 {
            (units / scale, self.power.unsigned_abs() as usize)
        } else {
            (units * scale, 0)
        };
        Tick {
            value,
            text: format!("{value:.decimals$}"),
        }
    }
}

/// Returns round numbers from `low` to `high`, including both if they are round: at most `most`, and otherwise as close
/// together as possible.
///
/// If `most` is 2 or more, there is at least one tick: steps become longer only if 3 or more ticks lie inside, and one of
/// any 3 neighbouring ticks is a multiple of the next step. If `most` is 1, there may be none. All charts have room for
/// more. Ticks are whole numbers if they are to be `whole`.
pub(crate) fn ticks(low: f64, high: f64, most: usize, whole: bool) -> Vec<Tick> {
    let reach = low.abs().max(high.abs());
    // This is false for NaN, too.
    let is_near = reach <= FARTHEST && low <= high;
    if !is_near || most == 0 {
        return Vec::new();
    }
    let mut step = Step::covering((high - low).max(1e-12), 2 * most);
    // Very great numbers cannot resolve short steps, so their steps are longer.
    let least = f64::max(if whole { 1.0 } else { 1e-12 }, reach / 1e15);
    while step.value() < least {
        step = step.next();
    }
    loop {
        let (first, last) = (
            (low / step.value()).ceil() as i64,
            (high / step.value()).floor() as i64,
        );
        let inside = |tick: &Tick| (low..=high).contains(&tick.value);
        let all: Vec<Tick> = (first - 1..=last + 1)
            .map(|count| step.times(count))
            .filter(inside)
            .collect();
        if all.len() <= most {
            return all;
        }
        step = step.next();
    }
}

/// Returns round numbers around `low` and `high`, about `most` steps apart.
pub(crate) fn around(low: f64, high: f64, most: usize) -> (f64, f64) {
    if low.abs().max(high.abs()) > FARTHEST {
        return (low, high);
    }
    let span = if high > low { high - low } else { 1.0 };
    let step = Step::covering(span.max(low.abs().max(high.abs()) / 1e15), most.max(1));
    let from = (low / step.value()).floor() as i64;
    let mut to = (high / step.value()).ceil() as i64;
    if to <= from {
        to = from + 1;
    }
    (step.times(from).value, step.times(to).value)
}

/// A linear scale: maps numbers from `from` to `to` to positions from `start` to `end`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) start: f64,
    pub(crate) end: f64,
}

impl Scale {
    /// Returns the position of a number. Numbers beyond an end are put at that end.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let span = self.to - self.from;
        let share = if span > 0.0 {
            ((value - self.from) / span).clamp(0.0, 1.0)
        } else {
            0.5
        };
        self.start + share * (self.end - self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(low: f64, high: f64, most: usize) -> Vec<String> {
        let ticks = ticks(low, high, most, false).into_iter();
        ticks.map(|tick| tick.text).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(texts(0.0, 100.0, 6), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts(-0.12, 0.31, 6), ["-0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(texts(3.0, 3.0, 5), ["3.000000000000"]);
        let whole: Vec<f64> = ticks(0.5, 3.5, 9, true)
            .iter()
            .map(|tick| tick.value)
            .collect();
        assert_eq!(whole, [1.0, 2.0, 3.0]);
        assert_eq!(ticks(2.2, 2.8, 9, true), []);
        assert_eq!(texts(1.0, 0.0, 5), [""; 0]);
        assert_eq!(texts(7.0, 41.0, 4), ["10", "20", "30", "40"]);
    }

    #[test]
    fn ends_are_round_and_apart() {
        assert_eq!(around(3.2, 41.0, 5), (0.0, 50.0));
        assert_eq!(around(5.0, 5.0, 5), (5.0, 5.2));
        assert_eq!(around(-0.3, 0.0, 3), (-0.3, 0.0));
    }

    #[test]
    fn a_scale_goes_from_end_to_end() {
        let scale = Scale {
            from: 10.0,
            to: 20.0,
            start: 100.0,
            end: 0.0,
        };
        let places = [10.0, 15.0, 99.0].map(|value| scale.at(value).to_string());
        assert_eq!(places, ["100", "50", "0"]);
    }

    #[test]
    fn absurd_numbers_end_the_work_and_not_the_program() {
        let absurd = [
            0.0,
            1.0,
            -1.0,
            1e-300,
            1e12,
            9e15,
            1e17,
            1.1e17,
            9.3e18,
            1e19,
            1e300,
            f64::MAX,
            f64::MIN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        for low in absurd {
            for high in absurd {
                for most in [1, 6, 12] {
                    for whole in [false, true] {
                        assert!(ticks(low, high, most, whole).len() <= most);
                    }
                }
                let (from, to) = around(low, high, 5);
                let scale = Scale {
                    from,
                    to,
                    start: 0.0,
                    end: 100.0,
                };
                assert!(
                    (0.0..=100.0).contains(&scale.at(low))
                        || !(to - from).is_finite()
                        || low.is_nan()
                );
            }
        }
    }

    proptest! {
        #[test]
        fn ticks_lie_inside_rise_and_are_few(
            low in -1e6_f64..1e6,
            span in prop_oneof![0.0..1e-3, 0.0..10.0, 0.0..1e6],
            most in 1_usize..20,
        ) {
            let high = low + span;
            let all = ticks(low, high, most, false);
            prop_assert!(all.len() <= most);
            prop_assert!(all.windows(2).all(|pair| pair[0].value < pair[1].value));
            for tick in &all {
                prop_assert!((low..=high).contains(&tick.value));
                prop_assert_eq!(tick.text.parse::<f64>(), Ok(tick.value));
            }
        }

        #[test]
        fn an_axis_with_room_for_two_ticks_has_one(
            low in -1e6_f64..1e6,
            span in prop_oneof![1e-3..1.0, 0.0..10.0, 0.0..1e6],
            most in 2_usize..20,
        ) {
            prop_assert!(!ticks(low, low + f64::max(span, 1e-3), most, false).is_empty());
        }

        #[test]
        fn ticks_are_equally_far_apart(low in -1e3_f64..1e3, span in 0.1_f64..1e3) {
            let all = ticks(low, low + span, 8, false);
            prop_assert!(all.len() >= 3, "{all:?}");
            let step = all[1].value - all[0].value;
            for pair in all.windows(2) {
                prop_assert!((pair[1].value - pair[0].value - step).abs() < step * 1e-9);
            }
        }

        #[test]
        fn what_is_around_holds_what_it_is_around(low in -1e6_f64..1e6, span in 0.0..1e6) {
            let (from, to) = around(low, low + span, 5);
            prop_assert!(from <= low && low + span <= to && from < to);
        }
    }
}
