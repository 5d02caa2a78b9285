//! Raw data: a CSV file with a row for every encounter.
//!
//! [`head`] names the columns, and [`EncounterRow`] writes the rows of one variant. All variants and scenarios of a run
//! share one header; cells of sides or combatants that a variant lacks are empty.

use crate::fight::Ending;
use crate::fight::Fight;
use crate::report::CsvRows;
use crate::run::each::Row;
use crate::sim::Record;
use crate::tally::{ValueColumn, Values, metrics};
use std::io;

/// The first columns of every row.
pub const FIXED: [&str; 5] = ["scenario", "variant", "seed", "encounter", "outcome"];

/// Returns the header line.
///
/// # Errors
/// Never fails, because the text is written to memory.
pub fn head(columns: &[ValueColumn]) -> io::Result<Vec<u8>> {
    let names = columns.iter().map(ValueColumn::name);
    let mut line = line(FIXED.into_iter().map(str::to_owned).chain(names))?;
    line.push(b'\n');
    Ok(line)
}

/// Formats a CSV record without the end of its line.
fn line(cells: impl IntoIterator<Item = String>) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut rows = CsvRows::new(&mut line);
    rows.write(cells)?;
    rows.flush()?;
    drop(rows);
    line.pop();
    Ok(line)
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
    ///
    /// # Errors
    /// Never fails, because the text is written to memory.
    pub fn new(
        (scenario, variant): (&str, &str),
        seed: u64,
        fight: &Fight,
        columns: &[ValueColumn],
    ) -> io::Result<Self> {
        let mut first = line([scenario.to_owned(), variant.to_owned(), seed.to_string()])?;
        first.push(b',');
        let cell = |name: &str| line([name.to_owned()]);
        let sides = fight.sides.iter().map(|side| cell(side));
        Ok(Self {
            values: Values::new(fight, columns),
            width: columns.len(),
            first,
            sides: sides.collect::<io::Result<_>>()?,
            outcomes: fight.outcomes().map(cell).collect::<io::Result<_>>()?,
        })
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
        push_number(encounter, out);
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
                push_number(u64::from(*value), out);
            }
        }
        out.push(b'\n');
    }
}

/// Appends a whole number. Formatting with `write!` would take most of the time of a row.
fn push_number(mut number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut begin = digits.len();
    loop {
        begin -= 1;
        digits[begin] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[begin..]);
}

#[cfg(test)]
mod tests {
    use super::push_number;

    #[test]
    fn numbers_are_written_as_to_string_writes_them() {
        for number in [0, 7, 10, 4_294_967_295, u64::MAX] {
            let mut out = Vec::new();
            push_number(number, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
    }
}
