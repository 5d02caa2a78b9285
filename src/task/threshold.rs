//! `--threshold`: the level to search for.

use crate::decimal::Decimal;
use crate::output::sweep::Shown;
use crate::scenario::Sweep;
use crate::tally::Kind;
use anyhow::anyhow;

/// Reads the level, and checks that this sweep can be searched for it.
pub(super) fn read(text: &str, sweep: &Sweep, shown: &[Shown]) -> anyhow::Result<f64> {
    let fail = |why: String| Err(anyhow!("--threshold {text}: {why}"));
    let [axis] = sweep.axes.as_slice() else {
        return fail("a threshold is looked for along one key; vary only one".to_owned());
    };
    if !axis.is_numeric() {
        return fail(format!(
            "a threshold is looked for along numbers, and not all values of `{}` are",
            axis.key()
        ));
    }
    if axis.values().len() < 2 {
        return fail("a threshold needs at least two values of the key".to_owned());
    }
    let [shown] = shown else {
        return fail("name one --metric only, the one that should cross it".to_owned());
    };
    let Some(Decimal { value, percent, .. }) = Decimal::read(text) else {
        return fail("no number; write 50%, 0.5 or, for a count, 12.5".to_owned());
    };
    let metric = shown.metric;
    if metric.kind != Kind::Rate {
        return if percent {
            fail(format!(
                "{} is a count of {}, no share",
                metric.name, metric.unit
            ))
        } else {
            Ok(value)
        };
    }
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        fail(format!(
            "{} is a share; write one between 0 and 1, or between 0% and 100%",
            metric.name
        ))
    }
}
