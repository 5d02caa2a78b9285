//! Plays a variant at every value of one key or two, or at as many values as it takes to find where a metric
//! crosses a level. All points face the same dice.

use super::subjects::shown;
use super::{
    Answer, Context, Failure, Input, Measure, Played, Prepared, Question, Source, solve, threshold,
};
use crate::names::safe;
use crate::output::Manifest;
use crate::output::VariantReport;
use crate::output::manifest;
use crate::output::sweep::{Fact, Key, Point, Setting, Shown, SweepReport, Threshold};
use crate::run::Ended;
use crate::scenario::sweep::Axis;
use crate::scenario::{Sweep, Value, Variant};
use crate::stats::Summary;
use crate::stats::threshold::{Played as LevelsByIndex, finding, next};
use crate::tally::{Metric, Tally};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The points of a sweep.
#[derive(Debug)]
pub(super) struct Points {
    sweep: Sweep,
    /// The name of the variant in results.
    variant: String,
    shown: Vec<Shown>,
    /// The level to search for, if any.
    level: Option<f64>,
}

impl Points {
    pub(super) fn new(
        input: &Input,
        vary: &[String],
        threshold: Option<&str>,
        measure: &Measure,
    ) -> Result<Self, Failure> {
        input.loaded.has_sound(&measure.variant)?;
        let sweep = input.loaded.document.sweep(&measure.variant, vary)?;
        let fights = sweep.points.iter().map(|point| &point.variant.fight);
        let shown = shown(measure, &fights.collect::<Vec<_>>())?;
        let level = threshold.map(|text| threshold::read(text, &sweep, &shown));
        Ok(Self {
            level: level.transpose()?,
            variant: input
                .loaded
                .document
                .variant_name(&measure.variant)
                .to_owned(),
            sweep,
            shown,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.sweep.points.len()
    }

    /// Returns the fight of each point.
    pub(super) fn variants(&self) -> impl Iterator<Item = &Variant> {
        self.sweep.points.iter().map(|point| &point.variant)
    }

    /// Returns whether all points play alike, so that the varied keys have no effect.
    pub(super) fn all_alike(&self) -> bool {
        self.len() > 1 && { self.sweep.points.windows(2) }
            .all(|pair| pair[0].variant.plays_like(&pair[1].variant))
    }

    /// Plays all points, or those that the search needs. If interrupted, only the first ones, or those that are solved.
    pub(super) fn play(
        &self,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<Played, Failure> {
        // When fights are solved instead of played, progress counts points.
        let steps = match prepared.task.until.budget() {
            None => prepared.encounters(),
            Some(_) => 1,
        };
        let watch = context.watch;
        let Some(level) = self.level else {
            let all: Vec<usize> = (0..self.len()).collect();
            context.begin("sweep", steps.saturating_mul(all.len() as u64), 0, false);
            let points = self.play_points(&all, prepared, context);
            watch.end();
            let (points, ended) = points?;
            let points = points.into_iter().map(|(_, point)| point);
            return Ok(self.answer(prepared, points.collect(), None, ended));
        };
        context.begin("search", 0, 0, true);
        let mut planned = 0_u64;
        let found = self.until_found(level, |wanted| {
            if context.stopped() {
                return Ok((Vec::new(), Ended::Interrupted));
            }
            let more = steps.saturating_mul(wanted.len() as u64);
            planned = planned.saturating_add(more);
            context.length(planned);
            self.play_points(wanted, prepared, context)
        });
        watch.end();
        let (points, threshold, ended) = found?;
        Ok(self.answer(prepared, points, Some(threshold), ended))
    }

    /// Plays as many points as it takes to find where the metric crosses `level`. Returns them, the result of the search,
    /// and the reason why points are missing, if any are.
    fn until_found(
        &self,
        level: f64,
        mut play: impl FnMut(&[usize]) -> Result<(Vec<(usize, Point)>, Ended), Failure>,
    ) -> Result<(Vec<Point>, Threshold, Ended), Failure> {
        let mut ended = Ended::Enough;
        let mut points: BTreeMap<usize, Point> = BTreeMap::new();
        let mut levels = LevelsByIndex::new();
        let mut threshold = Threshold {
            value: level,
            finding: None,
        };
        loop {
            let mut wanted = next(&levels, self.len(), level);
            // A point without a value has no level, so `next` returns it again.
            wanted.retain(|index| !points.contains_key(index));
            if wanted.is_empty() {
                threshold.finding = Some(finding(&levels, level));
                break;
            }
            let (played, why) = play(&wanted)?;
            ended = why;
            let all = played.len() == wanted.len();
            for (index, point) in played {
                if let Some(known) = point.level(&self.shown[0]) {
                    levels.insert(index, known);
                }
                points.insert(index, point);
            }
            if !all {
                break;
            }
        }
        Ok((points.into_values().collect(), threshold, ended))
    }

    /// Returns the answer from the points that a search for a threshold would have played, with its finding. If too many
    /// are missing to find it, the answer has all that there are.
    pub(super) fn answer_among(
        &self,
        prepared: &Prepared,
        points: BTreeMap<usize, Point>,
    ) -> Result<Played, Failure> {
        let search = self.level.map(|level| {
            self.until_found(level, |wanted| {
                let known = wanted
                    .iter()
                    .map_while(|&index| Some((index, points.get(&index)?.clone())));
                Ok((known.collect(), Ended::Partial))
            })
        });
        let (threshold, found) = match search.transpose()? {
            Some((found, threshold, _)) if threshold.finding.is_some() => {
                (Some(threshold), Some(found))
            }
            Some((_, threshold, _)) => (Some(threshold), None),
            None => (None, None),
        };
        let points = found.unwrap_or_else(|| points.into_values().collect());
        Ok(self.answer(prepared, points, threshold, Ended::Partial))
    }

    /// Plays or solves points. Returns them with their indices, and the reason why others are missing, if any are.
    fn play_points(
        &self,
        wanted: &[usize],
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<(Vec<(usize, Point)>, Ended), Failure> {
        let variant = |index: usize| &self.sweep.points[index].variant;
        if let Some(budget) = prepared.task.until.budget() {
            let wants = |metric: &Metric| {
                let mut metrics = self.shown.iter().map(|shown| shown.metric.name);
                metrics.any(|name| name == metric.name)
            };
            let variants: Vec<&Variant> = wanted.iter().map(|&index| variant(index)).collect();
            let inputs = &prepared.inputs;
            let solved = solve::each_solved(inputs, &variants, false, budget, &wants, context)?;
            let ended = solve::ended(&solved);
            let points = { wanted.iter().zip(solved) }
                .filter(|(_, (tally, _))| !tally.is_empty())
                .map(|(&index, (tally, _))| (index, self.point(index, tally, prepared)));
            return Ok((points.collect(), ended));
        }
        let fights = wanted
            .iter()
            .map(|&index| (variant(index), 0..prepared.encounters()));
        let complete = |at: usize, tally| self.point(wanted[at], tally, prepared);
        let played = context.play_each(fights, prepared.task.seed, complete)?;
        let points = wanted.iter().copied().zip(played);
        Ok((points.collect(), Ended::Interrupted))
    }

    /// Returns the result of a point.
    pub(super) fn point(&self, index: usize, tally: Tally, prepared: &Prepared) -> Point {
        let point = &self.sweep.points[index];
        let confidence = prepared.task.confidence;
        let facts = self.shown.iter().flat_map(|shown| {
            let metric = shown.metric;
            let tally = &tally;
            (0..tally.subjects(metric.scope)).map(move |subject| Fact {
                metric,
                subject: tally.subject(metric.scope, subject).to_owned(),
                summary: Summary::of_metric(tally, metric, subject, confidence),
            })
        });
        let facts = facts.collect();
        let states = solve::states(&tally).unwrap_or(0);
        let remarks = VariantReport::new(&point.variant, tally, Ended::Exhausted).remarks(1.0);
        let notes = remarks.into_iter().map(|(_, text)| text).collect();
        Point {
            at: point.at.clone(),
            facts,
            states,
            notes,
        }
    }

    /// Returns the answer; `ended` is the reason why points are missing, if any are.
    fn answer(
        &self,
        prepared: &Prepared,
        points: Vec<Point>,
        threshold: Option<Threshold>,
        ended: Ended,
    ) -> Played {
        if points.is_empty() {
            return Played::Answered(None);
        }
        let is_complete = match &threshold {
            None => points.len() == self.len(),
            Some(threshold) => threshold.finding.is_some(),
        };
        let each = prepared.encounters();
        let listed = manifest::Variant::new(&self.variant, each, &self.sweep.changes);
        let encounters = each.saturating_mul(points.len() as u64);
        let states = points.iter().map(|point| point.states).sum();
        let report = SweepReport {
            scenario: prepared.name.clone(),
            title: prepared.input().title().to_owned(),
            variant: self.variant.clone(),
            keys: self.sweep.axes.iter().map(key).collect(),
            changes: self.sweep.changes.clone(),
            shown: self.shown.clone(),
            until: prepared.task.until.clone(),
            confidence: prepared.task.confidence,
            points,
            ended: if is_complete { Ended::Enough } else { ended },
            threshold,
        };
        Played::answered(Answer::Sweep(report), listed, [encounters, states])
    }

    /// Returns file names with the keys of this sweep, if the usual files hold a sweep of other keys.
    pub(super) fn own_names(
        &self,
        folder: &Path,
        usual: [&str; 2],
        question: &Question,
    ) -> Option<[String; 2]> {
        if !other_keys(folder, usual[1], question) {
            return None;
        }
        let keys: Vec<String> = self.sweep.axes.iter().map(Axis::key).collect();
        // Keys contain names of combatants, which may have any characters.
        let name = safe(&keys.join("-and-").replace('"', "'"));
        Some(usual.map(|usual| usual.replacen("sweep", &format!("sweep-{name}"), 1)))
    }
}

/// Returns whether a folder has the manifest of a sweep of other keys.
fn other_keys(folder: &Path, manifest: &str, question: &Question) -> bool {
    let Question::Sweep { vary, .. } = question else {
        return false;
    };
    let there = fs::read(folder.join(manifest)).ok();
    let there = there.and_then(|there| Manifest::read(manifest, &there).ok());
    let keys = |vary: &[String]| -> Vec<String> {
        let key = |option: &String| {
            option
                .split('=')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        vary.iter().map(key).collect()
    };
    there.is_some_and(|there| match &there.task.question {
        Question::Sweep { vary: old, .. } => keys(old) != keys(vary),
        _ => true,
    })
}

fn key(axis: &Axis) -> Key {
    let json = |value: &Value| match value {
        Value::Integer(Some(number)) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Boolean(truth) => (*truth).into(),
        other => other.plain().into(),
    };
    Key {
        name: axis.key(),
        values: axis
            .values()
            .map(|value| Setting {
                text: value.plain(),
                json: json(value),
            })
            .collect(),
    }
}
