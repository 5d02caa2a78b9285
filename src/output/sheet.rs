//! Result files read back: rows as they are in the file, with their numbers.
//!
//! A page takes its rows from here, whether the rows were just made or come from a folder. So a picture always agrees
//! with the file.

use crate::clean::{clean, from_cell};
use crate::report::{Value, cells, write_csv};
use crate::stats::Interval;
use std::collections::HashMap;
use std::io::{self, Write};

/// A kind of result file: its name, its columns, and which of them hold text.
#[derive(Debug, PartialEq, Eq)]
pub struct SheetKind {
    /// The names of the file and of its manifest.
    pub files: [&'static str; 2],
    /// The command that writes it.
    pub command: &'static str,
    /// Its columns.
    pub columns: &'static [&'static str],
    /// The first columns, which hold text. Others hold [`WORDS`], numbers, or nothing.
    texts: usize,
}

/// The manifest of a run.
pub const RUN_MANIFEST: &str = "manifest.json";

/// The files of a run, in the order in which they appear: if the manifest exists, all of them do.
pub static RUN_FILES: [&str; 4] = [
    "summary.csv",
    "distributions.csv",
    "examples.csv",
    RUN_MANIFEST,
];

/// Declares the kinds of files: the names of the file and of its manifest, the command that writes it, how many columns
/// begin a row with text, and the first line.
macro_rules! kinds {
    ($($name:ident $files:tt $command:literal $texts:literal $head:literal;)+) => {
        $(
            #[doc = concat!("The rows of `", $command, "`: ", $head, ".")]
            pub static $name: SheetKind = SheetKind {
                files: $files,
                command: $command,
                columns: &columns::<{ count($head) }>($head),
                texts: $texts,
            };
        )+
    };
}

kinds! {
    SUMMARY [RUN_FILES[0], RUN_MANIFEST] "run" 4
        "scenario,variant,metric,subject,n,mean,sd,se,ci_low,ci_high,min,p05,p25,p50,p75,p95,max,p05_low,\
         p05_high,p25_low,p25_high,p50_low,p50_high,p75_low,p75_high,p95_low,p95_high,unseen,method";
    DISTRIBUTIONS [RUN_FILES[1], RUN_MANIFEST] "run" 5
        "scenario,variant,metric,subject,value,count,probability,ci_low,ci_high,cumulative,method";
    EXAMPLES [RUN_FILES[2], RUN_MANIFEST] "run" 5
        "scenario,variant,metric,subject,statistic,value,encounter";
    COMPARISONS ["comparisons.csv", "comparisons.manifest.json"] "compare" 5
        "scenario,baseline,variant,metric,subject,n,difference,se,ci_low,ci_high,p_value,p_adjusted,correlation,\
         statistic,baseline_value,variant_value,shrinkage,luck,baseline_n,variant_n,method";
    SWEEP ["sweep.csv", "sweep.manifest.json"] "sweep" 8
        "scenario,variant,key1,value1,key2,value2,metric,subject,n,mean,sd,se,ci_low,ci_high,min,p05,p25,p50,\
         p75,p95,max,p05_low,p05_high,p25_low,p25_high,p50_low,p50_high,p75_low,p75_high,p95_low,p95_high,\
         unseen,method";
    SENSITIVITY ["sensitivity.csv", "sensitivity.manifest.json"] "sensitivity" 8
        "scenario,variant,key,value,from,to,metric,subject,n,mean_from,mean_to,effect,se,ci_low,ci_high,p_value,\
         p_adjusted,last,last_low,last_high,verdict,method";
    KNOCKOUT ["knockout.csv", "knockout.manifest.json"] "knockout" 13
        "scenario,variant,change,kind,key,value,from,to,without,set,verdict,metric,subject,n,mean_from,mean_to,\
         effect,se,ci_low,ci_high,p_value,p_adjusted,last,last_low,last_high,method";
    TUNE ["tune.csv", "tune.manifest.json"] "tune" 8
        "scenario,variant,role,key,value,candidate,metric,subject,n,mean,ci_low,ci_high,difference,\
         difference_low,difference_high,p_value,p_adjusted,method";
    MATCHUP ["matchup.csv", "matchup.manifest.json"] "matchup" 7
        "scenario,variant,fact,side,build,opponent,detail,n,value,ci_low,ci_high,method";
    BEST_PLAY ["best-play.csv", "best-play.manifest.json"] "tune --any-policy" 10
        "scenario,variant,side,fact,combatant,written,better,round,moment,seen,times,value,ci_low,ci_high";
}

/// The kinds that each hold all rows of a subcommand, in page order.
pub static PARTS: [&SheetKind; 7] = [
    &COMPARISONS,
    &SWEEP,
    &SENSITIVITY,
    &KNOCKOUT,
    &TUNE,
    &MATCHUP,
    &BEST_PLAY,
];

/// Text columns that do not begin a row.
const WORDS: [&str; 4] = ["statistic", "luck", "verdict", "method"];

/// Returns the number of columns of a first line.
const fn count(head: &str) -> usize {
    let (mut count, mut at) = (1, 0);
    while at < head.len() {
        count += (head.as_bytes()[at] == b',') as usize;
        at += 1;
    }
    count
}

/// Returns the `N` columns of a first line.
const fn columns<const N: usize>(mut head: &'static str) -> [&'static str; N] {
    let mut columns = [""; N];
    let (mut column, mut end) = (0, 0);
    while column + 1 < N {
        if head.as_bytes()[end] == b',' {
            columns[column] = head.split_at(end).0;
            head = head.split_at(end + 1).1;
            (column, end) = (column + 1, 0);
        } else {
            end += 1;
        }
    }
    columns[column] = head;
    columns
}

/// Returns the names of all files of results.
pub fn files() -> impl Iterator<Item = &'static str> {
    let parts = PARTS.iter().flat_map(|kind| kind.files);
    RUN_FILES.into_iter().chain(parts)
}

impl SheetKind {
    /// Writes rows, after a header row if `head` is set. Only files of solved fights have a column for the method.
    pub(crate) fn write(
        &self,
        [head, is_exact]: [bool; 2],
        rows: impl Iterator<Item = Vec<Value>>,
        out: impl Write,
    ) -> io::Result<()> {
        let columns = if is_exact {
            self.columns
        } else {
            self.sampled_columns()
        };
        write_csv(columns, head, rows, out)
    }

    /// Returns rows as JSON objects, without the scenario and the variant, which they share.
    pub(crate) fn objects(&self, rows: impl IntoIterator<Item = Vec<Value>>) -> Value {
        let cells = rows.into_iter().map(|row| row.into_iter().skip(2));
        Value::List(
            cells
                .map(|cells| Value::object(&self.columns[2..], cells))
                .collect(),
        )
    }

    /// Returns the columns of fights that were played.
    fn sampled_columns(&self) -> &'static [&'static str] {
        match self.columns {
            [sampled @ .., "method"] => sampled,
            all => all,
        }
    }
}

/// An error in a result file.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// The file of this name is not a CSV table.
    #[error("{0}: {1}")]
    Unreadable(&'static str, #[source] ::csv::Error),
    /// The columns are those of another kind of file, or of another version of the program.
    #[error(
        "{0}: its columns are not those of this version: write the results anew, or show them with the \
         version that wrote them"
    )]
    Columns(&'static str),
    /// A cell does not hold a number as its column requires.
    #[error("{file}, line {line}: `{cell}` is no number that `{column}` could hold")]
    Number {
        /// Name of the file.
        file: &'static str,
        /// Its line, from 1.
        line: u64,
        /// The column.
        column: &'static str,
        /// Content of the cell.
        cell: String,
    },
}

/// The rows of a file.
#[derive(Debug, Clone)]
pub struct Sheet {
    kind: &'static SheetKind,
    rows: Vec<::csv::StringRecord>,
    /// Indices of the rows of each metric. A page looks up one metric after the other among many thousand rows.
    of_metric: HashMap<String, Vec<usize>>,
}

/// A row of a file.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    kind: &'static SheetKind,
    cells: &'a ::csv::StringRecord,
}

impl Sheet {
    /// Reads the content of a file.
    ///
    /// # Errors
    /// If the content is not a file of this kind, or holds something other than numbers in a column of numbers.
    pub fn read(kind: &'static SheetKind, content: &[u8]) -> Result<Self, SheetError> {
        let file = kind.files[0];
        let unreadable = |error| SheetError::Unreadable(file, error);
        let mut reader = ::csv::Reader::from_reader(content);
        let head = reader.headers().map_err(unreadable)?;
        let is_head = |columns: &[&str]| head.iter().eq(columns.iter().copied());
        if !is_head(kind.columns) && !is_head(kind.sampled_columns()) {
            return Err(SheetError::Columns(file));
        }
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(unreadable)?;
            let line = record.position().map_or(0, ::csv::Position::line);
            for (&column, cell) in kind.columns.iter().zip(&record).skip(kind.texts) {
                if !WORDS.contains(&column) && !cell.is_empty() && number(cell).is_none() {
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
        Ok(Self::new(kind, rows))
    }

    /// Creates a sheet of rows that were just made, as if they were read from their file.
    pub(crate) fn of(kind: &'static SheetKind, rows: impl Iterator<Item = Vec<Value>>) -> Self {
        let cells = |row: Vec<Value>| -> ::csv::StringRecord {
            let cells = cells(&row).take(kind.columns.len());
            cells.map(|cell| clean(&cell).into_owned()).collect()
        };
        Self::new(kind, rows.map(cells).collect())
    }

    fn new(kind: &'static SheetKind, rows: Vec<::csv::StringRecord>) -> Self {
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
        Self {
            kind,
            rows,
            of_metric,
        }
    }

    /// Returns the kind of the file.
    pub fn kind(&self) -> &'static SheetKind {
        self.kind
    }

    /// Returns the rows of a metric.
    pub fn of_metric(&self, metric: &str) -> impl Iterator<Item = Record<'_>> {
        let rows = self.of_metric.get(metric).into_iter().flatten();
        rows.map(|index| Record {
            kind: self.kind,
            cells: &self.rows[*index],
        })
    }

    /// Returns all rows.
    pub fn rows(&self) -> impl Iterator<Item = Record<'_>> {
        self.rows.iter().map(|cells| Record {
            kind: self.kind,
            cells,
        })
    }
}

impl<'a> Record<'a> {
    /// Returns the kind of the file that holds the row.
    pub fn kind(&self) -> &'static SheetKind {
        self.kind
    }

    /// Returns the cell in this column, as it is in the file.
    ///
    /// # Panics
    /// If files of this kind have no such column, which is a bug.
    pub fn text(&self, column: &str) -> &'a str {
        let at = self.kind.columns.iter().position(|one| *one == column);
        match at {
            // Files of fights that were played have no column for the method.
            Some(at) => self.cells.get(at).unwrap_or_default(),
            None => unreachable!("{} has no column `{column}`", self.kind.files[0]),
        }
    }

    /// Returns the number in this column; `None` if the cell is empty or holds something else.
    pub fn number(&self, column: &str) -> Option<f64> {
        number(self.text(column))
    }

    /// Returns the interval, if the row has one.
    pub fn interval(&self) -> Option<Interval> {
        let [low, high] = [self.number("ci_low")?, self.number("ci_high")?];
        Some(Interval { low, high })
    }

    /// Formats a quantile: `12`, or `12 (11 to 13)` if the ends of its interval differ.
    pub fn quantile(&self, column: &str) -> String {
        let value = self.text(column);
        let [low, high] = ["low", "high"].map(|end| self.text(&format!("{column}_{end}")));
        if low == high {
            value.to_owned()
        } else {
            format!("{value} ({low} to {high})")
        }
    }

    /// Whether the cell in this column is `cell`.
    pub fn is(&self, column: &str, cell: &str) -> bool {
        self.text(column) == cell
    }
}

/// The greatest number that results can hold: no run has more encounters than a million G, and no sum is greater.
const GREATEST: f64 = 1e15;

fn number(cell: &str) -> Option<f64> {
    let number = cell.parse().ok();
    number.filter(|number: &f64| number.abs() <= GREATEST)
}

/// Returns the distinct cells of a column, in order of their first occurrence.
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
