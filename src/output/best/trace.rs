//! Costly decisions as traces: the most likely way to each decision, told like any encounter.

use super::BestPlayReport;
use crate::exact::{Costly, Reached, show};
use crate::output::html::Figure;
use crate::output::html::timeline::choose::{self, Choice};
use crate::output::story::{Story, StoryOptions};
use crate::report::Page;
use crate::scenario::Variant;
use crate::sim::Record;
use serde_json::{Value, json};

/// An encounter from its start to a decision.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The decision, in the Round in which it costs most.
    pub decision: Costly,
    /// All events before the decision.
    pub story: Story,
    /// The record of these events.
    pub record: Record,
}

impl Trace {
    /// Plays the way to a decision of this fight.
    pub fn new(variant: &Variant, reached: &Reached) -> Self {
        let play = |better: bool| {
            let mut story = Story::without_totals();
            let record = show(&variant.fight, &variant.rules, reached, better, &mut story);
            (story, record)
        };
        let [(mut story, record), (other, _)] = [false, true].map(play);
        // The random answers are the same up to the decision, and so are the events.
        let same = story.events.iter().zip(&other.events);
        let same = same.take_while(|(one, other)| one == other).count();
        story.events.truncate(same);
        Self {
            decision: reached.decision.clone(),
            story,
            record,
        }
    }
}

impl BestPlayReport {
    /// Writes as text how the costliest decisions come about.
    pub(super) fn tell(&self, page: &mut Page) {
        for trace in &self.traces {
            let telling = StoryOptions {
                columns: page.columns(),
                ..StoryOptions::default()
            };
            let [own, best] = self.actions(trace);
            let [written, better] = trace.decision.values.map(|value| 100.0 * value);
            let fight = &self.variant.fight;
            page.blank();
            page.paragraph(&format!(
                "how {} most likely comes to {own}",
                self.name(trace.decision.cost.who)
            ));
            page.blank();
            page.picture(&trace.story.text(fight, &trace.record, telling));
            page.blank();
            page.item(&format!("{own} wins {written:.1}%"));
            page.item(&format!("{best} wins {better:.1}%"));
        }
    }

    /// Returns the policy's line and the better action.
    fn actions(&self, trace: &Trace) -> [String; 2] {
        let cost = &trace.decision.cost;
        [
            self.line(cost.who, cost.written),
            self.action(cost.who, Some(cost.better)),
        ]
    }

    /// Draws the way to each decision as a picture, using at most `room` bytes for all pictures.
    pub fn pictures(&self, room: usize) -> Vec<Figure> {
        let choices = self.traces.iter().zip(0..).map(|(trace, encounter)| {
            let [own, best] = self.actions(trace);
            let [written, better] = trace.decision.values.map(|value| 100.0 * value);
            let who = self.name(trace.decision.cost.who);
            Choice {
                encounter,
                title: format!("{who}: {own}, or {best}?"),
                why: format!(
                    "the costliest decision of its kind. At the end of this picture the policy's line wins \
                     {written:.1}%, {best} {better:.1}%"
                ),
            }
        });
        let choices: Vec<Choice> = choices.collect();
        let mut play = |choice: &Choice| {
            let trace = &self.traces[choice.encounter as usize];
            (trace.story.clone(), trace.record.clone())
        };
        let fight = (&self.variant.fight, &self.variant.rules);
        choose::figures("best-", fight, &choices, room, &mut play).figures
    }

    /// Returns a trace and its decision as a JSON object.
    pub(super) fn trace(&self, trace: &Trace) -> Value {
        let one = &trace.decision;
        let [own, best] = self.actions(trace);
        json!({
            "combatant": self.name(one.cost.who),
            "written": own,
            "better": best,
            "written_wins": one.values[0],
            "better_wins": one.values[1],
            "times": one.cost.times,
            "cost": one.cost.cost,
            "seen": self.seen(one),
            "events": trace.story.json(&self.variant.fight, false),
        })
    }
}
