//! The results of a sweep for programs: `sweep.csv` and JSON.

use super::super::csv::summary_cells;
use super::super::json::measurement;
use super::super::sheet::{self, SheetKind};
use super::super::{Answer, Style};
use super::SweepReport;
use super::page;
use crate::report::Value;
use crate::stats::threshold::Crossing;

impl Answer for SweepReport {
    fn kind(&self) -> &'static SheetKind {
        &sheet::SWEEP
    }

    fn is_exact(&self) -> bool {
        self.until.is_exact()
    }

    fn answer(&self) -> Vec<String> {
        page::answers(self)
    }

    fn table(&self, style: Style) -> String {
        page::table(self, style)
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Value>> + '_> {
        Box::new(self.points.iter().flat_map(move |point| {
            let mut first = vec![Value::text(&self.scenario), Value::text(&self.variant)];
            for index in 0..2 {
                let set = self.keys.get(index).zip(point.at.get(index));
                let texts = set.map_or(["", ""], |(key, at)| [&key.name, &key.values[*at].text]);
                first.extend(texts.map(Value::text));
            }
            point.facts.iter().map(move |fact| {
                let names = [fact.metric.name, &fact.subject].map(Value::text);
                [&first[..], &names, &summary_cells(&fact.summary)].concat()
            })
        }))
    }

    fn members(&self) -> Vec<(&'static str, Value)> {
        let points = self.points.iter().map(|point| {
            let values = self.keys.iter().zip(&point.at);
            let values = values.map(|(key, &at)| (&*key.name, key.values[at].json.clone()));
            let metrics = point.facts.iter().map(|fact| {
                Value::Object(measurement(fact.metric, &fact.subject, Some(&fact.summary)))
            });
            Value::Object(vec![
                ("values", Value::Json(values.collect())),
                ("notes", Value::texts(point.notes.iter().cloned())),
                ("metrics", Value::List(metrics.collect())),
            ])
        });
        let points = ("points", Value::List(points.collect()));
        let threshold = threshold(self).map(|members| ("threshold", Value::Object(members)));
        threshold.into_iter().chain([points]).collect()
    }
}

fn threshold(report: &SweepReport) -> Option<Vec<(&'static str, Value)>> {
    let (threshold, shown) = (report.threshold.as_ref()?, report.shown.first()?);
    let key = report.keys.first()?;
    let value = |at: usize| Value::Json(key.values[at].json.clone());
    let both = |(low, high): (usize, usize)| Value::List(vec![value(low), value(high)]);
    let end = |end: Option<usize>| end.map_or(Value::NONE, value);
    let crossing = |crossing: &Crossing| {
        let (from, to) = (value(crossing.from), value(crossing.to));
        let rises = Value::Flag(crossing.rises);
        Value::Object(vec![("from", from), ("to", to), ("rises", rises)])
    };
    let found = threshold.finding.as_ref().map(|finding| {
        let crossings = finding.crossings.iter().map(crossing).collect();
        let (low, high) = finding.bounds;
        [
            Value::List(crossings),
            finding.compatible.map_or(Value::NONE, both),
            Value::List(vec![end(low), end(high)]),
            finding.bend.map_or(Value::NONE, both),
        ]
    });
    let [crossings, compatible, bounds, bend] = found.unwrap_or([const { Value::NONE }; 4]);
    Some(vec![
        ("metric", Value::text(shown.metric.name)),
        ("subject", Value::text(&shown.subject)),
        ("threshold", Value::Exact(Some(threshold.value))),
        ("crossings", crossings),
        ("compatible", compatible),
        ("bounds", bounds),
        ("bend", bend),
    ])
}
