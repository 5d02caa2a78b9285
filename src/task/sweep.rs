//! Plays a variant at every value of one key or two, or at as many values as it takes to find where a metric
//! crosses a level. All points face the same dice.

use super::subjects::shown;
use super::{Context, Failure, Input, Measure, Prepared, Question, Source, solve, threshold};
use crate::names::safe;
use crate::output::Manifest;
use crate::output::VariantReport;
use crate::output::manifest;
use crate::output::sweep::{Fact, Key, Point, Setting, Shown, SweepReport, Threshold};
use crate::run::{Ended, points};
use crate::scenario::sweep::Axis;
use crate::scenario::{Sweep, Value, Variant};
use crate::stats::Summary;
use crate::stats::threshold::{Played, finding, next};
use crate::tally::{Metric, Tally};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The points of a sweep.
#[derive(Debug)]
pub(super) struct Points {
    sweep: Sweep,
    measure: Measure,
    shown: Vec<Shown>,
    /// The level to search for, if any.
    level: Option<f64>,
}

/// The played points, and the result of the search for a threshold.
#[derive(Debug, Clone)]
pub struct SweptPoints {
    pub(super) points: Vec<Point>,
    threshold: Option<Threshold>,
    /// The encounters of each point.
    pub(super) encounters: u64,
    /// The reason why points are missing, if any are.
    ended: Ended,
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
            measure: measure.clone(),
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
    ) -> Result<SweptPoints, Failure> {
        let each = prepared.encounters();
        // When fights are solved instead of played, progress counts points.
        let steps = prepared.task.until.budget().map_or(each, |_| 1);
        let watch = context.watch;
        let Some(level) = self.level else {
            let all: Vec<usize> = (0..self.len()).collect();
            watch.begin("sweep", steps.saturating_mul(all.len() as u64), 0, false);
            let points = self.play_points(&all, prepared, context);
            watch.end();
            let (points, ended) = points?;
            return Ok(SweptPoints {
                points: points.into_iter().map(|(_, point)| point).collect(),
                threshold: None,
                encounters: each,
                ended,
            });
        };
        watch.begin("search", 0, 0, true);
        let mut planned = 0_u64;
        let found = self.until_found(level, each, |wanted| {
            if context.stopped() {
                return Ok((Vec::new(), Ended::Interrupted));
            }
            let more = steps.saturating_mul(wanted.len() as u64);
            planned = planned.saturating_add(more);
            watch.length(planned);
            self.play_points(wanted, prepared, context)
        });
        watch.end();
        found
    }

    /// Plays as many points as it takes to find where the metric crosses `level`.
    fn until_found(
        &self,
        level: f64,
        encounters: u64,
        mut play: impl FnMut(&[usize]) -> Result<(Vec<(usize, Point)>, Ended), Failure>,
    ) -> Result<SweptPoints, Failure> {
        let mut ended = Ended::Enough;
        let mut points: BTreeMap<usize, Point> = BTreeMap::new();
        let mut levels = Played::new();
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
        Ok(SweptPoints {
            points: points.into_values().collect(),
            threshold: Some(threshold),
            encounters,
            ended,
        })
    }

    /// Reduces played points to those that a search for a threshold would have played, and adds its finding. If too many
    /// are missing to find it, all that there are remain.
    pub(super) fn found_among(
        &self,
        points: BTreeMap<usize, Point>,
        encounters: u64,
    ) -> Result<SweptPoints, Failure> {
        let Some(level) = self.level else {
            return Ok(SweptPoints {
                points: points.into_values().collect(),
                threshold: None,
                encounters,
                ended: Ended::Partial,
            });
        };
        let found = self.until_found(level, encounters, |wanted| {
            let known = wanted
                .iter()
                .map_while(|&index| Some((index, points.get(&index)?)));
            let known = known.map(|(index, point)| (index, point.clone()));
            Ok((known.collect(), Ended::Partial))
        })?;
        let is_unknown = |threshold: &Threshold| threshold.finding.is_none();
        Ok(if found.threshold.as_ref().is_some_and(is_unknown) {
            SweptPoints {
                points: points.into_values().collect(),
                ..found
            }
        } else {
            found
        })
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
            let wants =
                |metric: &Metric| self.shown.iter().any(|one| one.metric.name == metric.name);
            let variants: Vec<&Variant> = wanted.iter().map(|&index| variant(index)).collect();
            let inputs = [prepared.input(); 2];
            let solved = solve::each_solved(inputs, &variants, false, budget, &wants, context)?;
            let mut ended = Ended::Enough;
            let mut points = Vec::with_capacity(solved.len());
            for (&index, solved) in wanted.iter().zip(solved) {
                match solved {
                    Ok(tally) => points.push((index, self.point(index, tally, prepared))),
                    Err(why) if ended != Ended::Interrupted => ended = why,
                    Err(_) => {}
                }
            }
            return Ok((points, ended));
        }
        let fights: Vec<_> = wanted
            .iter()
            .map(|&index| points::Point {
                play: context.source.player(variant(index), prepared.task.seed),
                fight: &variant(index).fight,
                encounters: 0..prepared.encounters(),
            })
            .collect();
        let complete = |at: usize, tally| self.point(wanted[at], tally, prepared);
        let (threads, stop) = (context.threads, context.stop);
        let points = points::run(&fights, threads, stop, &context.watch, complete);
        let points = wanted.iter().copied().zip(points.map_err(Failure::io)?);
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
        let states = tally.solution().map_or(0, |solution| solution.states);
        let remarks = VariantReport::new(&point.variant, tally, Ended::Exhausted).remarks(1.0);
        let notes = remarks.into_iter().map(|(_, text)| text).collect();
        Point {
            at: point.at.clone(),
            facts,
            states,
            notes,
        }
    }

    /// Returns the answer, and the fight of the sweep as a manifest lists it.
    pub(super) fn answer(
        &self,
        prepared: &Prepared,
        swept: SweptPoints,
        partial: bool,
    ) -> (SweepReport, Vec<manifest::Variant>) {
        let complete = match &swept.threshold {
            None => swept.points.len() == self.len(),
            Some(threshold) => threshold.finding.is_some(),
        };
        let report = SweepReport {
            scenario: prepared.name.clone(),
            title: prepared.input().title().to_owned(),
            variant: self.measure.variant.clone(),
            keys: self.sweep.axes.iter().map(key).collect(),
            changes: self.sweep.changes.clone(),
            shown: self.shown.clone(),
            until: prepared.task.until.clone(),
            confidence: prepared.task.confidence,
            points: swept.points,
            ended: match (complete, partial) {
                (true, _) => Ended::Enough,
                (false, false) => swept.ended,
                (false, true) => Ended::Partial,
            },
            threshold: swept.threshold,
        };
        let listed = manifest::Variant::new(
            &self.measure.variant,
            prepared.encounters(),
            &self.sweep.changes,
        );
        (report, vec![listed])
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
        let name = safe(&keys.join(" and ").replace('"', "'"));
        Some(usual.map(|usual| usual.replacen("sweep", &format!("sweep {name}"), 1)))
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
        let key = |one: &String| one.split('=').next().unwrap_or_default().trim().to_owned();
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
