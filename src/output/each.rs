//! Raw data: a CSV file with a row for every encounter.
//!
//! [`head`] names the columns, and [`EncounterRow`] writes the rows of one variant. All variants and scenarios of a run
//! share one header; cells of sides or combatants that a variant lacks are empty.

use crate::clean::push_cell;
use crate::decimal::push_decimal;
use crate::fight::Ending;
use crate::fight::Fight;
use crate::run::each::Row;
use crate::sim::Record;
use crate::tally::{ValueColumn, Values, metrics};

/// The first columns of every row.
pub const FIXED: [&str; 5] = ["scenario", "variant", "seed", "encounter", "outcome"];

/// Returns the header line.
pub fn head(columns: &[ValueColumn]) -> Vec<u8> {
    let names = columns.iter().map(ValueColumn::name);
    let mut head = line(FIXED.into_iter().map(str::to_owned).chain(names));
    head.push(b'\n');
    head
}

/// Formats a CSV record without the end of its line.
fn line(cells: impl IntoIterator<Item = String>) -> Vec<u8> {
    let mut line = Vec::new();
    for cell in cells {
        push_cell(&cell, &mut line);
        line.push(b',');
    }
    line.pop();
    line
}

/// Writes the encounters of one variant as rows.
#[derive(Debug)]
pub struct EncounterRow {
    values: Values,
    width: usize,
    /// Scenario, variant and seed, with a comma after each.
    first: Vec<u8>,
    /// The `outcome` cell of a win, by side. `outcomes` holds the cells of the fight's outcomes.
    sides: Vec<Vec<u8>>,
    outcomes: Vec<Vec<u8>>,
}

impl EncounterRow {
    /// Creates the rows of this variant of this scenario, played with this seed.
    pub fn new(
        (scenario, variant): (&str, &str),
        seed: u64,
        fight: &Fight,
        columns: &[ValueColumn],
    ) -> Self {
        let mut first = line([scenario.to_owned(), variant.to_owned(), seed.to_string()]);
        first.push(b',');
        let cell = |name: &str| line([name.to_owned()]);
        Self {
            values: Values::new(fight, columns),
            width: columns.len(),
            first,
            sides: fight.sides.iter().map(|side| cell(side)).collect(),
            outcomes: fight.outcomes().map(cell).collect(),
        }
    }
}

impl Row for EncounterRow {
    fn write(
        &self,
        encounter: u64,
        record: &Record,
        values: &mut Vec<Option<u32>>,
        out: &mut Vec<u8>,
    ) {
        values.resize(self.width, None);
        self.values.read(record, values);
        out.extend_from_slice(&self.first);
        push_decimal(encounter, 0, out);
        out.push(b',');
        out.extend_from_slice(match record.ending {
            Ending::Win(side) => &self.sides[usize::from(side)],
            Ending::Mutual => metrics::MUTUAL.as_bytes(),
            Ending::Timeout => metrics::TIMEOUT.as_bytes(),
            Ending::Escaped => metrics::ESCAPED.as_bytes(),
            Ending::Caught => metrics::CAUGHT.as_bytes(),
            Ending::Outcome(outcome) => &self.outcomes[usize::from(outcome)],
        });
        for value in values {
            out.push(b',');
            if let Some(value) = value {
                push_decimal(u64::from(*value), 0, out);
            }
        }
        out.push(b'\n');
    }
}
