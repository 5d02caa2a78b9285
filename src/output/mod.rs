//! The results of a run: tables for people, CSV and JSON for programs, and a manifest with which to get the same bytes
//! again.
//!
//! All of them are written from one [`RunReport`]. This module plays and counts nothing.

pub mod atomic;
pub mod best;
pub mod changes;
mod chart;
pub mod comparisons;
pub mod csv;
pub mod digest;
pub mod each;
pub mod findings;
pub mod html;
pub mod json;
pub mod manifest;
pub mod matchup;
mod overview;
mod ranking;
mod rows;
pub mod schema;
pub mod sheet;
pub mod story;
pub mod sweep;
pub mod table;
pub mod tune;

pub(crate) use crate::report::number::{Rounded, encounters, grouped};
pub use crate::report::{Style, TypedCells, TypedColumn, Width};
pub use atomic::Target;
pub use manifest::{Manifest, Run};
#[cfg(feature = "cli")]
pub(crate) use table::percents;

use crate::question::shell;
use crate::report::number::decimals_of_percents;
use crate::report::{Value, write_json};
use crate::run::{Ended, Until};
use crate::scenario::{BASE, Remark, Variant};
use crate::stats::Confidence;
use crate::stats::intervals::of_rate;
use crate::tally::Tally;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};

/// The version of the files' format. Columns and keys change their meaning only with a new version.
pub const FORMAT: u32 = 2;

/// The results of one scenario.
#[derive(Debug, Clone)]
pub struct RunReport {
    /// Name of the scenario: its file name without folder and extension.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The question of the scenario.
    pub question: Option<String>,
    /// The command that replays encounters of this run; see [`RunReport::replay_of`].
    pub replay: String,
    /// The rule that ends the run of each variant.
    pub until: Until,
    /// The level of all intervals.
    pub confidence: Confidence,
    /// The variants, in file order.
    pub variants: Vec<VariantReport>,
    /// Notes on the fights.
    pub notes: Vec<Note>,
    /// Whether text has a table for each of several variants.
    pub is_detailed: bool,
}

impl RunReport {
    /// Returns the command that replays an encounter of a variant.
    pub fn replay_of(&self, variant: &str, encounter: u64) -> String {
        let command = format!("{} --encounter {encounter}", self.replay);
        if variant == BASE {
            command
        } else {
            format!("{command} --variant {}", shell(variant))
        }
    }
}

/// A note to read before trusting the numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The remark that this note is, if a scenario can silence it.
    pub remark: Option<Remark>,
    /// The variant that the note is about; `None` for all variants.
    pub variant: Option<String>,
    /// The text, including a remedy.
    pub text: String,
}

/// Writes the text, and the name by which a scenario silences the remark.
impl Display for Note {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match self.remark {
            Some(remark) => write!(f, " [{}]", remark.name()),
            None => Ok(()),
        }
    }
}

/// Formats the share of encounters with its interval: `12.3% (12.1% to 12.6%)`.
pub fn share_in_words(count: u64, encounters: u64) -> String {
    let interval = of_rate(count, encounters, Confidence::DEFAULT);
    chart::Unit::Share.in_words(count as f64 / encounters as f64, interval)
}

/// Results in all formats that a user can ask for.
pub(crate) trait Answer {
    /// Formats the results as text for people.
    fn table(&self, style: Style) -> String;

    /// Returns the sentences that answer the question, also on pages. A run and a comparison have none: their pages rank
    /// all variants.
    fn answer(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the sentences that sum up the results; empty if there are none.
    fn headline(&self) -> String {
        self.answer().join(" ")
    }

    /// Returns the kind of the rows.
    fn kind(&self) -> &'static sheet::SheetKind;

    /// Returns the results as rows, one fact a row.
    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Value>> + '_>;

    /// Writes the rows as CSV, after a header row if `head` is set.
    fn csv(&self, out: &mut dyn Write, head: bool) -> io::Result<()> {
        self.kind().write([head, self.is_exact()], self.rows(), out)
    }

    /// Whether the fights were solved.
    fn is_exact(&self) -> bool;

    /// Returns the members of the JSON document that follow the manifest.
    fn members(&self) -> Vec<(&'static str, Value)>;

    /// Writes all results as JSON.
    fn json(&self, manifest: &Manifest, out: &mut dyn Write) -> io::Result<()> {
        let members = Value::Object(self.members());
        write_json(&Document { manifest, members }, out)
    }
}

/// A JSON document.
#[derive(Serialize)]
struct Document<'a> {
    manifest: &'a Manifest,
    #[serde(flatten)]
    members: Value,
}

impl RunReport {
    /// Whether any variant was interrupted, or is too large to be solved.
    pub fn interrupted(&self) -> bool {
        self.variants.iter().any(|variant| variant.ended.is_early())
    }

    /// Returns the notes on the numbers of a variant.
    pub fn notes(&self, variant: &VariantReport) -> Vec<String> {
        let wide = table::too_wide(self, variant).into_iter();
        let wide = wide.chain(table::not_solved(&variant.tally));
        let about = |note: &&Note| note.variant.as_deref() == Some(&variant.name);
        wide.chain(self.notes.iter().filter(about).map(Note::to_string))
            .collect()
    }

    /// Returns the notes on all variants.
    pub fn common_notes(&self) -> impl Iterator<Item = String> {
        let common = self.notes.iter().filter(|note| note.variant.is_none());
        common.map(Note::to_string)
    }
}

/// The rows are those of its first file.
impl Answer for RunReport {
    fn kind(&self) -> &'static sheet::SheetKind {
        &sheet::SUMMARY
    }

    fn is_exact(&self) -> bool {
        self.until.is_exact()
    }

    fn table(&self, style: Style) -> String {
        table::table(self, style)
    }

    fn headline(&self) -> String {
        ranking::headline(self).unwrap_or_default()
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Value>> + '_> {
        Box::new(csv::summary_rows(self))
    }

    fn members(&self) -> Vec<(&'static str, Value)> {
        json::members(self)
    }
}

/// The results of one variant.
#[derive(Debug, Clone)]
pub struct VariantReport {
    /// Name of the variant.
    pub name: String,
    /// Its changes, as keys and values.
    pub changes: Vec<(String, String)>,
    /// Name of each combatant's policy; empty for an inline policy.
    pub policies: Vec<String>,
    /// Whether each combatant comes in later, or perhaps never.
    pub reserves: Vec<bool>,
    /// How the run of this variant ended.
    pub ended: Ended,
    /// The counts.
    pub tally: Tally,
}

impl VariantReport {
    /// Creates the results of a variant from its counts and how its run ended.
    pub fn new(variant: &Variant, tally: Tally, ended: Ended) -> Self {
        let combatants = || variant.fight.combatants.iter();
        Self {
            name: variant.name.clone(),
            changes: variant.changes.clone(),
            policies: combatants().map(|one| one.policy.name.clone()).collect(),
            reserves: combatants().map(|one| one.enters.is_some()).collect(),
            ended,
            tally,
        }
    }

    /// Returns the remarks that follow from the counts alone. Timeouts are remarked on if their share of the encounters
    /// is `many` or more.
    pub fn remarks(&self, many: f64) -> Vec<(Remark, String)> {
        let mut remarks = Vec::new();
        if self.tally.is_empty() {
            return remarks;
        }
        let timeouts = self.tally.timeout_share();
        // The sum of the chances of a solved fight is rounded.
        let all = match self.tally.solution() {
            Some(_) => 1.0 - 1e-12,
            None => 1.0,
        };
        if timeouts >= all {
            let all = "every encounter ended as a timeout".to_owned();
            remarks.push((Remark::Timeouts, all));
        } else if timeouts >= many {
            let share = 100.0 * timeouts;
            let digits = decimals_of_percents(1, &[share]);
            let some = format!("{share:.digits$}% of encounters end as timeouts");
            remarks.push((Remark::Timeouts, some));
        }
        if self.tally.solution().is_some() {
            return remarks;
        }
        let encounters = self.tally.encounters();
        for (index, name) in self.tally.combatants().iter().enumerate() {
            if self.tally.idle(index) < encounters {
                continue;
            }
            let text = match self.policies.get(index).map(String::as_str) {
                _ if self.tally.always_falls(index) => {
                    format!("`{name}` falls in every encounter and does nothing before")
                }
                _ if self.reserves.get(index) == Some(&true) => {
                    format!("`{name}` never comes in, or never finds a legal line when it has")
                }
                None | Some("") => format!("the policy of `{name}` never found a legal line"),
                Some(policy) => {
                    format!("policy `{policy}` of `{name}` never found a legal line")
                }
            };
            remarks.push((Remark::NeverActs, text));
        }
        remarks
    }
}
