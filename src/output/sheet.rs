//! The files of results, read back: rows as they stand in the file, with their numbers.
//!
//! Who shows results takes them from here, whether they have just been played or lie in a folder: so
//! a picture cannot say anything else than the file.

use super::{comparisons, csv, sensitivity, sweep};
use crate::clean::from_cell;
use crate::stats::Interval;
use std::collections::HashMap;

/// A file of rows: its name, its columns, and which of them hold numbers.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Name of the file.
    pub file: &'static str,
    /// Its columns.
    pub columns: &'static [&'static str],
    /// The number of columns that the first version wrote. Later columns are appended; in older files their
    /// cells count as empty.
    first: usize,
    /// Columns whose cells are numbers, or empty.
    numbers: &'static [&'static str],
}

/// `summary.csv`.
pub static SUMMARY: Kind = Kind {
    file: "summary.csv",
    columns: &csv::SUMMARY,
    first: csv::SUMMARY_FIRST,
    numbers: csv::SUMMARY.split_at(4).1,
};

/// `distributions.csv`.
pub static DISTRIBUTIONS: Kind = Kind {
    file: "distributions.csv",
    columns: &csv::DISTRIBUTIONS,
    first: csv::DISTRIBUTIONS.len(),
    numbers: csv::DISTRIBUTIONS.split_at(5).1,
};

/// `examples.csv`.
pub static EXAMPLES: Kind = Kind {
    file: "examples.csv",
    columns: &csv::EXAMPLES,
    first: csv::EXAMPLES.len(),
    numbers: csv::EXAMPLES.split_at(5).1,
};

/// `comparisons.csv`.
pub static COMPARISONS: Kind = Kind {
    file: "comparisons.csv",
    columns: &comparisons::COMPARISONS,
    first: comparisons::COMPARISONS.len(),
    numbers: &[
        "n",
        "difference",
        "se",
        "ci_low",
        "ci_high",
        "p_value",
        "p_adjusted",
        "correlation",
        "baseline_value",
        "variant_value",
        "shrinkage",
        "baseline_n",
        "variant_n",
    ],
};

/// `sweep.csv`.
pub static SWEEP: Kind = Kind {
    file: "sweep.csv",
    columns: &sweep::COLUMNS,
    first: sweep::COLUMNS_FIRST,
    numbers: sweep::COLUMNS.split_at(8).1,
};

/// `sensitivity.csv`.
pub static SENSITIVITY: Kind = Kind {
    file: "sensitivity.csv",
    columns: &sensitivity::COLUMNS,
    first: sensitivity::COLUMNS.len(),
    numbers: sensitivity::COLUMNS.split_at(8).1,
};

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// It is no table.
    #[error("{file}: {source}")]
    Unreadable {
        /// Name of the file.
        file: &'static str,
        /// What is wrong.
        source: ::csv::Error,
    },
    /// It is a table of something else, or of another version of the program.
    #[error(
        "{file}: its columns are not those of this version: write the results anew, or show them with \
         the version that wrote them"
    )]
    Columns {
        /// Name of the file.
        file: &'static str,
    },
    /// A cell is not what its column says.
    #[error("{file}, line {line}: `{cell}` is no number that `{column}` could hold")]
    Number {
        /// Name of the file.
        file: &'static str,
        /// Its line, from 1.
        line: u64,
        /// The column.
        column: &'static str,
        /// What stands there.
        cell: String,
    },
}

/// The rows of a file.
#[derive(Debug, Clone)]
pub struct Sheet {
    kind: &'static Kind,
    rows: Vec<::csv::StringRecord>,
    /// Which rows are of a metric: a page asks for one metric after the other, of many thousand rows.
    of_metric: HashMap<String, Vec<usize>>,
}

/// A row of a file.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    kind: &'static Kind,
    cells: &'a ::csv::StringRecord,
}

impl Sheet {
    /// Reads a file's content.
    ///
    /// # Errors
    /// If that is not a file of this kind, or holds something else where numbers should be.
    pub fn read(kind: &'static Kind, content: &[u8]) -> Result<Self, SheetError> {
        let file = kind.file;
        let unreadable = |source| SheetError::Unreadable { file, source };
        let mut reader = ::csv::Reader::from_reader(content);
        let head = reader.headers().map_err(unreadable)?;
        let written = head.len();
        let known = kind.columns.iter().copied().take(written);
        if written < kind.first || head.iter().ne(known) {
            return Err(SheetError::Columns { file });
        }
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(unreadable)?;
            let line = record.position().map_or(0, ::csv::Position::line);
            for (&column, cell) in kind.columns.iter().zip(&record) {
                if kind.numbers.contains(&column) && !cell.is_empty() && number(cell).is_none() {
                    return Err(SheetError::Number {
                        file,
                        line,
                        column,
                        cell: cell.to_owned(),
                    });
                }
            }
            let is_marked = record.iter().any(|cell| from_cell(cell) != cell);
            rows.push(if is_marked {
                record.iter().map(from_cell).collect()
            } else {
                record
            });
        }
        let mut of_metric: HashMap<String, Vec<usize>> = HashMap::new();
        if let Some(at) = kind.columns.iter().position(|column| *column == "metric") {
            for (index, row) in rows.iter().enumerate() {
                let metric = row.get(at).unwrap_or_default();
                match of_metric.get_mut(metric) {
                    Some(rows) => rows.push(index),
                    None => drop(of_metric.insert(metric.to_owned(), vec![index])),
                }
            }
        }
        Ok(Self {
            kind,
            rows,
            of_metric,
        })
    }

    /// The rows of a metric.
    pub fn of_metric(&self, metric: &str) -> impl Iterator<Item = Record<'_>> {
        let rows = self.of_metric.get(metric).into_iter().flatten();
        rows.map(|index| Record {
            kind: self.kind,
            cells: &self.rows[*index],
        })
    }

    /// Its rows.
    pub fn rows(&self) -> impl Iterator<Item = Record<'_>> {
        self.rows.iter().map(|cells| Record {
            kind: self.kind,
            cells,
        })
    }
}

impl<'a> Record<'a> {
    /// What kind of file it is from.
    #[must_use]
    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// The cell in that column, as it stands there.
    ///
    /// # Panics
    /// If files of this kind have no such column: a defect.
    #[must_use]
    pub fn text(&self, column: &str) -> &'a str {
        let at = self.kind.columns.iter().position(|one| *one == column);
        match at {
            // A file of an older version has fewer columns.
            Some(at) => self.cells.get(at).unwrap_or_default(),
            None => unreachable!("{} has no column `{column}`", self.kind.file),
        }
    }

    /// The number in that column; nothing if the cell is empty or holds something else.
    #[must_use]
    pub fn number(&self, column: &str) -> Option<f64> {
        number(self.text(column))
    }

    /// The interval, if the row has one.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        Some(Interval {
            low: self.number("ci_low")?,
            high: self.number("ci_high")?,
        })
    }

    /// A quantile as it is told: `12`, or `12 (11 to 13)` where its interval has a width.
    #[must_use]
    pub fn quantile(&self, column: &str) -> String {
        let value = self.text(column);
        let [low, high] = ["low", "high"].map(|end| self.text(&format!("{column}_{end}")));
        if low == high {
            value.to_owned()
        } else {
            format!("{value} ({low} to {high})")
        }
    }

    /// Whether the cell in that column is this.
    #[must_use]
    pub fn is(&self, column: &str, cell: &str) -> bool {
        self.text(column) == cell
    }
}

/// The greatest number that results can hold: no run has more encounters than a million G, and no sum is
/// greater.
const GREATEST: f64 = 1e15;

fn number(cell: &str) -> Option<f64> {
    let number = cell.parse().ok();
    number.filter(|number: &f64| number.abs() <= GREATEST)
}

/// The different cells of a column, in the order in which they first come.
#[must_use]
pub fn distinct<'a>(rows: impl IntoIterator<Item = Record<'a>>, column: &str) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for row in rows {
        let cell = row.text(column);
        if all.last() != Some(&cell) && !all.contains(&cell) {
            all.push(cell);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "duel,base,win_rate,heroes,heroes,7,0.5,0.25,0.75,";

    fn read(rows: &[&str]) -> Result<Sheet, SheetError> {
        let content = format!("{}\n{}\n", csv::DISTRIBUTIONS.join(","), rows.join("\n"));
        Sheet::read(&DISTRIBUTIONS, content.as_bytes())
    }

    #[test]
    fn cells_stay_as_they_stand_and_are_numbers_as_well() {
        let sheet = read(&[ROW, "duel,base,rounds,encounter,3,1,0.1250,,,1"]).unwrap();
        let rows: Vec<Record<'_>> = sheet.rows().collect();
        assert_eq!(rows[1].text("probability"), "0.1250");
        assert_eq!(rows[1].number("probability"), Some(0.125));
        assert_eq!(rows[0].number("value"), None);
        assert_eq!(rows[0].interval().map(|interval| interval.high), Some(0.75));
        assert_eq!(rows[1].interval(), None);
        assert_eq!(distinct(sheet.rows(), "metric"), ["win_rate", "rounds"]);
    }

    #[test]
    fn files_from_before_a_column_was_appended_have_empty_cells_there() {
        let old = csv::SUMMARY[..csv::SUMMARY_FIRST].join(",");
        let row = "duel,base,rounds,encounter,2,3,0,0,,,3,3,3,3,3,3,3";
        let sheet = Sheet::read(&SUMMARY, format!("{old}\n{row}\n").as_bytes()).unwrap();
        let row = sheet.rows().next().unwrap();
        assert_eq!((row.text("max"), row.text("p50_low")), ("3", ""));
        assert_eq!(row.number("unseen"), None);
        let cut = csv::SUMMARY[..csv::SUMMARY_FIRST - 1].join(",");
        let wrong = Sheet::read(&SUMMARY, cut.as_bytes());
        assert!(matches!(wrong, Err(SheetError::Columns { .. })));
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        let wrong = Sheet::read(&SUMMARY, csv::DISTRIBUTIONS.join(",").as_bytes());
        assert!(matches!(wrong, Err(SheetError::Columns { .. })));
        for cell in [
            "many",
            "NaN",
            "inf",
            "1e308",
            "-1e16",
            "9223372036854775808",
        ] {
            let row = ROW.replace(",7,", &format!(",{cell},"));
            let wrong = read(&[ROW, &row]).unwrap_err().to_string();
            assert_eq!(
                wrong,
                format!("distributions.csv, line 3: `{cell}` is no number that `count` could hold")
            );
        }
        assert!(matches!(
            read(&["too,few"]),
            Err(SheetError::Unreadable { .. })
        ));
    }
}
