//! The rows of `matchup.csv`, and the same results as JSON.

use super::{MatchupReport, Standing};
use crate::output::Answer;
use crate::output::sheet::{self, SheetKind};
use crate::report::{Style, Value};
use crate::stats::Interval;

impl Answer for MatchupReport {
    fn kind(&self) -> &'static SheetKind {
        &sheet::MATCHUP
    }

    fn is_exact(&self) -> bool {
        self.solved()
    }

    fn answer(&self) -> Vec<String> {
        let dominated = self.all_dominated().map(|one| format!("Dominated: {one}."));
        let cycles = self.told_cycles().map(|one| format!("Cycle: {one}."));
        [self.mixes()]
            .into_iter()
            .chain(dominated)
            .chain(cycles)
            .collect()
    }

    fn table(&self, style: Style) -> String {
        self.page(style)
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Value>> + '_> {
        Box::new(self.facts().into_iter())
    }

    fn members(&self) -> Vec<(&'static str, Value)> {
        let builds = self.views().iter().flat_map(|side| {
            side.builds.iter().map(|standing| {
                let build = &standing.build;
                let mut members = vec![("name", Value::text(&build.name))];
                if !side.name.is_empty() {
                    members.push(("side", Value::text(&side.name)));
                }
                if build.points.is_some() {
                    members.push(("points", Value::Exact(build.points)));
                }
                let set = build.changes.iter().cloned().collect();
                members.push(("set", Value::Json(set)));
                Value::Object(members)
            })
        });
        vec![
            ("builds", Value::List(builds.collect())),
            ("notes", Value::texts(self.remarks())),
            ("rows", self.kind().objects(self.facts())),
        ]
    }
}

impl MatchupReport {
    /// Returns all facts as rows, one fact a row.
    fn facts(&self) -> Vec<Vec<Value>> {
        let mut all = Vec::new();
        let [rows, columns] = &self.sides;
        for (row, scores) in rows.builds.iter().zip(&self.scores) {
            for (column, score) in columns.builds.iter().zip(scores) {
                let is_itself = self.is_one_list && row.build.name == column.build.name;
                if !is_itself {
                    let names: [&str; 3] = [&rows.name, &row.build.name, &column.build.name];
                    let known = score.mean.map(|_| score.interval);
                    all.push(self.fact("score", names, "", (score.encounters, score.mean, known)));
                }
            }
        }
        for (at, side) in self.views().iter().enumerate() {
            for one in &side.builds {
                self.standing(&side.name, one, &side.builds, &mut all);
            }
            let unique = if side.is_unique {
                ""
            } else {
                "other mixes are as good"
            };
            let exploitable = Interval {
                low: 0.0,
                high: side.exploitable,
            };
            let (names, none) = ([side.name.as_str(), "", ""], "");
            all.push(self.fact("exploitable", names, unique, (0, None, Some(exploitable))));
            if !self.is_one_list && at == 0 {
                let known = (0, Some(self.middle_value()), Some(self.value));
                all.push(self.fact("game_value", [&rows.name, "", ""], none, known));
            }
        }
        for cycle in &self.cycles {
            let names: [&str; 3] = ["", &rows.builds[cycle[0]].build.name, ""];
            let text = self.cycle(cycle);
            all.push(self.fact("cycle", names, &text, (0, None, None)));
        }
        all
    }

    fn standing(&self, side: &str, one: &Standing, others: &[Standing], all: &mut Vec<Vec<Value>>) {
        let names: [&str; 3] = [side, &one.build.name, ""];
        let known = |[low, middle, high]: [f64; 3]| (0, Some(middle), Some(Interval { low, high }));
        all.push(self.fact("share", names, "", (0, Some(one.share), None)));
        all.push(self.fact("against_mix", names, "", known(one.against_mix)));
        all.push(self.fact("against_all", names, "", known(one.against_all)));
        if let Some(points) = one.build.points {
            let frontier = if one.is_on_frontier == Some(true) {
                "frontier"
            } else {
                ""
            };
            all.push(self.fact("points", names, frontier, (0, Some(points), None)));
            let each = known(one.against_all.map(|score| score / points));
            all.push(self.fact("per_point", names, "", each));
        }
        if let Some(dominated) = &one.dominated {
            let certain = if dominated.is_certain {
                "certain"
            } else {
                "uncertain"
            };
            for (other, share) in others.iter().zip(&dominated.by) {
                if *share > 0.0 {
                    let names: [&str; 3] = [side, &one.build.name, &other.build.name];
                    all.push(self.fact("dominated", names, certain, (0, Some(*share), None)));
                }
            }
        }
    }

    fn fact(
        &self,
        fact: &str,
        [side, build, opponent]: [&str; 3],
        detail: &str,
        (n, value, interval): (u64, Option<f64>, Option<Interval>),
    ) -> Vec<Value> {
        let is_exact = self.solved();
        let texts = [
            &self.scenario,
            &self.variant,
            fact,
            side,
            build,
            opponent,
            detail,
        ];
        let mut row: Vec<Value> = texts.into_iter().map(Value::text).collect();
        row.push(Value::count((n > 0).then_some(n)));
        row.push(Value::estimate(value, is_exact));
        row.extend(Value::between(interval, is_exact));
        row.push(Value::method(is_exact));
        row
    }
}
