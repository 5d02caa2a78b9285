//! What a run leaves for its readers: tables for people, CSV and JSON for programs, a manifest for
//! whoever wants the same bytes again.
//!
//! All of them read one [`Report`]. Nothing here plays or counts.

pub mod atomic;
mod chart;
pub mod comparisons;
pub mod csv;
pub mod digest;
pub mod each;
pub mod findings;
pub mod html;
pub mod json;
pub mod manifest;
pub mod origin;
mod overview;
pub mod page;
mod rows;
pub mod sensitivity;
pub mod sheet;
pub mod story;
pub mod sweep;
pub mod table;

pub(crate) use crate::report::number::{Rounded, encounters, grouped};
pub use atomic::Target;
pub use manifest::{Manifest, Run};
pub use page::Style;
pub(crate) use table::{percents, shell};

use crate::report::Value;
use crate::run::{Ended, StopRule};
use crate::scenario::Variant;
use crate::stats::Confidence;
use crate::tally::Tally;
use std::io::{self, Write};

/// The version of the files' format: columns and keys change their meaning only with it.
pub const FORMAT: u32 = 1;

/// The results of one scenario.
#[derive(Debug, Clone)]
pub struct Report {
    /// Name of the scenario: its file's, without folder and ending.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The question it asks.
    pub question: Option<String>,
    /// The command that replays an encounter of this run; the encounter's number goes after it.
    pub replay: String,
    /// What was to end the play of each variant.
    pub stop: StopRule,
    /// The level of all intervals.
    pub confidence: Confidence,
    /// The variants, in file order.
    pub variants: Vec<VariantReport>,
}

/// Results as they can be asked for.
pub(crate) trait Answer {
    /// For people.
    fn table(&self, style: Style) -> String;

    /// What kind of rows they are.
    const KIND: &'static sheet::Kind;

    /// A row a fact.
    fn rows(&self) -> impl Iterator<Item = Vec<Value>>;

    /// The rows as CSV.
    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        Self::KIND.write(self.rows(), out)
    }

    /// Everything.
    fn json(&self, manifest: &Manifest, out: &mut dyn Write) -> io::Result<()>;
}

impl Report {
    /// Whether any variant was stopped from outside.
    #[must_use]
    pub fn interrupted(&self) -> bool {
        self.variants
            .iter()
            .any(|variant| variant.ended == Ended::Interrupted)
    }
}

/// The results of one variant.
#[derive(Debug, Clone)]
pub struct VariantReport {
    /// Name of the variant.
    pub name: String,
    /// What it changes: keys and values.
    pub changes: Vec<(String, String)>,
    /// Name of each combatant's policy; empty for one written in place.
    pub policies: Vec<String>,
    /// How its play ended.
    pub ended: Ended,
    /// The counts.
    pub tally: Tally,
}

impl Report {
    /// What a reader should know before believing the numbers of a variant.
    #[must_use]
    pub fn notes(&self, variant: &VariantReport) -> Vec<String> {
        let mut notes = variant.notes();
        if let Some(wide) = table::too_wide(self, variant) {
            notes.insert(0, wide);
        }
        notes
    }
}

impl VariantReport {
    /// The counts of a variant, and how they came to an end.
    #[must_use]
    pub fn new(variant: &Variant, tally: Tally, ended: Ended) -> Self {
        let policies = variant.fight.combatants.iter();
        Self {
            name: variant.name.clone(),
            changes: variant.changes.clone(),
            policies: policies
                .map(|combatant| combatant.policy.name.clone())
                .collect(),
            ended,
            tally,
        }
    }

    /// What a reader should know of the fight itself.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let encounters = self.tally.encounters();
        let mut notes = Vec::new();
        if encounters == 0 {
            return notes;
        }
        if self.tally.timeouts() == encounters {
            notes.push("every encounter ended as a timeout".to_owned());
        }
        for (index, name) in self.tally.combatants().iter().enumerate() {
            if self.tally.idle(index) < encounters {
                continue;
            }
            notes.push(match self.policies.get(index).map(String::as_str) {
                None | Some("") => format!("the policy of `{name}` never found a legal line"),
                Some(policy) => {
                    format!("policy `{policy}` of `{name}` never found a legal line")
                }
            });
        }
        notes
    }
}
