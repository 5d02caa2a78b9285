//! Rows of `knockout.csv` and `sensitivity.csv`, and the same results as JSON.

use super::{ChangesReport, Covered, Effect};
use crate::output::Answer;
use crate::output::sheet::{self, SheetKind};
use crate::question::shell;
use crate::report::{Style, Value};
use serde_json::json;

/// Returns the overrides of a change as command line arguments.
fn set(overrides: &[(String, String)]) -> String {
    let words = overrides
        .iter()
        .map(|(key, value)| format!("--set {}", shell(&format!("{key}={value}"))));
    words.collect::<Vec<_>>().join(" ")
}

impl ChangesReport {
    /// Returns the cells that identify a change, which precede the metric.
    fn names(&self, effect: &Effect) -> Vec<Value> {
        let change = &effect.change;
        let [from, to] = change.values();
        let texts = match self.part {
            Covered::Numbers => vec![
                change.key.clone(),
                change.value.clone(),
                from.into(),
                to.into(),
            ],
            Covered::Everything => vec![
                change.name(),
                change.kind.name().into(),
                change.key.clone(),
                change.value.clone(),
                from.into(),
                to.into(),
                change.without.join("; "),
                set(change.overrides()),
                self.verdict(effect).name().into(),
            ],
        };
        texts.iter().map(|text| Value::text(text)).collect()
    }
}

impl Answer for ChangesReport {
    fn kind(&self) -> &'static SheetKind {
        match self.part {
            Covered::Numbers => &sheet::SENSITIVITY,
            Covered::Everything => &sheet::KNOCKOUT,
        }
    }

    fn is_exact(&self) -> bool {
        self.solved()
    }

    fn answer(&self) -> Vec<String> {
        super::page::answers(self)
    }

    fn table(&self, style: Style) -> String {
        super::page::table(self, style)
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Value>> + '_> {
        Box::new(self.effects.iter().map(|effect| {
            let difference = &effect.difference;
            let is_exact = difference.is_exact;
            let [low, high] = Value::between(difference.interval, is_exact);
            let mut row = vec![Value::text(&self.scenario), Value::text(&self.variant)];
            row.extend(self.names(effect));
            row.extend([
                Value::text(effect.metric.name),
                Value::text(&effect.subject),
                Value::count((!is_exact).then_some(difference.n)),
                Value::estimate(difference.first, is_exact),
                Value::estimate(difference.second, is_exact),
                Value::estimate(difference.difference, is_exact),
                Value::sampled(difference.se),
                low,
                high,
                Value::sampled(difference.p_value),
                Value::sampled(effect.p_adjusted),
            ]);
            let last = effect.last.as_ref();
            row.push(Value::estimate(last.map(|last| last.difference), is_exact));
            row.extend(Value::between(
                last.and_then(|last| last.interval),
                is_exact,
            ));
            if self.part == Covered::Numbers {
                row.push(Value::text(self.verdict(effect).name()));
            }
            row.extend([Value::method(is_exact), Value::text(effect.metric.unit)]);
            row
        }))
    }

    fn members(&self) -> Vec<(&'static str, Value)> {
        let fixed = self.fixed.iter().map(|fixed| match self.part {
            Covered::Numbers => fixed.0.key.clone().into(),
            Covered::Everything => json!({ "change": fixed.0.name(), "reason": fixed.1 }),
        });
        vec![
            ("fixed", Value::Json(fixed.collect())),
            ("effects", self.kind().objects(self.rows())),
        ]
    }
}
