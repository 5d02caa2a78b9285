//! Tables of results: typed rows, written as CSV and as JSON, drawn on pages, and read back from files.
//!
//! A row that was just made equals the row that is read from its file. So a picture always agrees with the file.

use crate::clean::from_cell;
use crate::names::named;
use crate::report::{CellType, TypedColumn, Value, csv_cell, transposed, write_csv};
use crate::stats::Interval;
use std::borrow::Cow;
use std::io::{self, Write};

named! {
    /// A column of result files. `docs/OUTPUT.md` explains each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the names say what the columns hold")]
    pub enum Column {
        Scenario "scenario"; Variant "variant"; Metric "metric"; Subject "subject"; N "n";
        Mean "mean"; Sd "sd"; Se "se"; CiLow "ci_low"; CiHigh "ci_high"; Min "min"; P05 "p05";
        P25 "p25"; P50 "p50"; P75 "p75"; P95 "p95"; Max "max"; P05Low "p05_low";
        P05High "p05_high"; P25Low "p25_low"; P25High "p25_high"; P50Low "p50_low";
        P50High "p50_high"; P75Low "p75_low"; P75High "p75_high"; P95Low "p95_low";
        P95High "p95_high"; Unseen "unseen"; Method "method"; Value "value"; Count "count";
        Probability "probability"; Cumulative "cumulative"; Statistic "statistic";
        Encounter "encounter"; Baseline "baseline"; Difference "difference"; PValue "p_value";
        PAdjusted "p_adjusted"; Correlation "correlation"; BaselineValue "baseline_value";
        VariantValue "variant_value"; Shrinkage "shrinkage"; Luck "luck"; BaselineN "baseline_n";
        VariantN "variant_n"; Key1 "key1"; Value1 "value1"; Key2 "key2"; Value2 "value2";
        Key "key"; From "from"; To "to"; MeanFrom "mean_from"; MeanTo "mean_to"; Effect "effect";
        Last "last"; LastLow "last_low"; LastHigh "last_high"; Verdict "verdict"; Change "change";
        Kind "kind"; Without "without"; Set "set"; Role "role"; Candidate "candidate";
        DifferenceLow "difference_low"; DifferenceHigh "difference_high"; Fact "fact"; Side "side";
        Build "build"; Opponent "opponent"; Detail "detail"; Combatant "combatant";
        Written "written"; Better "better"; Round "round"; Moment "moment"; Seen "seen";
        Times "times";
    }
}

/// A kind of result file: its name, its columns, and which of them hold text.
#[derive(Debug, PartialEq, Eq)]
pub struct SheetKind {
    /// The names of the file and of its manifest.
    pub files: [&'static str; 2],
    /// The command that writes it.
    pub command: &'static str,
    /// Its columns.
    pub columns: &'static [Column],
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

/// Lists columns.
macro_rules! columns {
    ($($column:ident),+) => { [$($crate::output::sheet::Column::$column),+] };
}

pub(super) use columns;

/// Declares the kinds of files: the names of the file and of its manifest, the command that writes it, how many columns
/// begin a row with text, and its columns.
macro_rules! kinds {
    ($($name:ident $files:tt $command:literal $texts:literal [$($column:ident)+];)+) => {
        $(
            #[doc = concat!("The rows of `", $command, "`.")]
            pub static $name: SheetKind = SheetKind {
                files: $files,
                command: $command,
                columns: &columns![$($column),+],
                texts: $texts,
            };
        )+
    };
}

kinds! {
    SUMMARY [RUN_FILES[0], RUN_MANIFEST] "run" 4
        [Scenario Variant Metric Subject N Mean Sd Se CiLow CiHigh Min P05 P25 P50 P75 P95 Max
         P05Low P05High P25Low P25High P50Low P50High P75Low P75High P95Low P95High Unseen Method];
    DISTRIBUTIONS [RUN_FILES[1], RUN_MANIFEST] "run" 5
        [Scenario Variant Metric Subject Value Count Probability CiLow CiHigh Cumulative Method];
    EXAMPLES [RUN_FILES[2], RUN_MANIFEST] "run" 5
        [Scenario Variant Metric Subject Statistic Value Encounter];
    COMPARISONS ["comparisons.csv", "comparisons.manifest.json"] "compare" 5
        [Scenario Baseline Variant Metric Subject N Difference Se CiLow CiHigh PValue PAdjusted
         Correlation Statistic BaselineValue VariantValue Shrinkage Luck BaselineN VariantN Method];
    SWEEP ["sweep.csv", "sweep.manifest.json"] "sweep" 8
        [Scenario Variant Key1 Value1 Key2 Value2 Metric Subject N Mean Sd Se CiLow CiHigh Min P05
         P25 P50 P75 P95 Max P05Low P05High P25Low P25High P50Low P50High P75Low P75High P95Low
         P95High Unseen Method];
    SENSITIVITY ["sensitivity.csv", "sensitivity.manifest.json"] "sensitivity" 8
        [Scenario Variant Key Value From To Metric Subject N MeanFrom MeanTo Effect Se CiLow CiHigh
         PValue PAdjusted Last LastLow LastHigh Verdict Method];
    KNOCKOUT ["knockout.csv", "knockout.manifest.json"] "knockout" 13
        [Scenario Variant Change Kind Key Value From To Without Set Verdict Metric Subject N
         MeanFrom MeanTo Effect Se CiLow CiHigh PValue PAdjusted Last LastLow LastHigh Method];
    TUNE ["tune.csv", "tune.manifest.json"] "tune" 8
        [Scenario Variant Role Key Value Candidate Metric Subject N Mean CiLow CiHigh Difference
         DifferenceLow DifferenceHigh PValue PAdjusted Method];
    MATCHUP ["matchup.csv", "matchup.manifest.json"] "matchup" 7
        [Scenario Variant Fact Side Build Opponent Detail N Value CiLow CiHigh Method];
    BEST_PLAY ["best-play.csv", "best-play.manifest.json"] "tune --any-policy" 10
        [Scenario Variant Side Fact Combatant Written Better Round Moment Seen Times Value CiLow
         CiHigh];
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
const WORDS: [Column; 4] = columns![Statistic, Luck, Verdict, Method];

/// Columns of counts, which hold whole numbers even where all cells are empty.
const COUNTS: [Column; 12] = columns![
    N, Min, P05, P25, P50, P75, P95, Max, Count, Encounter, BaselineN, VariantN
];

/// Text columns with the values of any key, which may be numbers.
const VALUES: [Column; 2] = columns![Value1, Value2];

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
        let columns = self.columns_of(is_exact).iter();
        let names: Vec<&str> = columns.map(|column| column.name()).collect();
        write_csv(&names, head, rows, out)
    }

    /// Returns rows as columns of one type each, which hold what is read from the file.
    pub(crate) fn typed(
        &self,
        is_exact: bool,
        rows: impl Iterator<Item = Vec<Value>>,
    ) -> Vec<TypedColumn> {
        let columns = self.columns_of(is_exact);
        let cells = transposed(columns.len(), rows).into_iter();
        let typed = columns.iter().zip(cells).enumerate();
        let column = |(at, (column, values)): (usize, (&Column, Vec<Value>))| {
            let known = if at < self.texts || WORDS.contains(column) {
                Some(CellType::Text)
            } else {
                COUNTS.contains(column).then_some(CellType::Whole)
            };
            let typed = TypedColumn::new(column.name(), known, &values);
            if VALUES.contains(column) {
                typed.with_numbers()
            } else {
                typed
            }
        };
        typed.map(column).collect()
    }

    /// Returns cells of a row from a column on as a JSON object.
    pub(crate) fn object(&self, from: usize, cells: impl IntoIterator<Item = Value>) -> Value {
        Value::object(
            self.columns[from..].iter().map(|column| column.name()),
            cells,
        )
    }

    /// Returns rows as JSON objects, without the scenario and the variant, which they share.
    pub(crate) fn objects(&self, rows: impl IntoIterator<Item = Vec<Value>>) -> Value {
        let rows = rows.into_iter();
        Value::List(
            rows.map(|row| self.object(2, row.into_iter().skip(2)))
                .collect(),
        )
    }

    /// Returns the columns of a file.
    fn columns_of(&self, is_exact: bool) -> &'static [Column] {
        if is_exact {
            self.columns
        } else {
            self.sampled_columns()
        }
    }

    /// Returns the columns of fights that were played.
    fn sampled_columns(&self) -> &'static [Column] {
        match self.columns {
            [sampled @ .., Column::Method] => sampled,
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
    rows: Vec<Vec<Value>>,
}

/// A row of a file.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    kind: &'static SheetKind,
    cells: &'a [Value],
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
        let is_head =
            |columns: &[Column]| head.iter().eq(columns.iter().map(|column| column.name()));
        if !is_head(kind.columns) && !is_head(kind.sampled_columns()) {
            return Err(SheetError::Columns(file));
        }
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(unreadable)?;
            let line = record.position().map_or(0, ::csv::Position::line);
            let cells = kind.columns.iter().zip(&record).enumerate();
            let values = cells.map(|(at, (column, cell))| {
                if at < kind.texts || WORDS.contains(column) {
                    return Ok(Value::text(from_cell(cell)));
                }
                let known = number(cell);
                if known.is_none() && !cell.is_empty() {
                    return Err(SheetError::Number {
                        file,
                        line,
                        column: column.name(),
                        cell: cell.to_owned(),
                    });
                }
                Ok(Value::Exact(known))
            });
            rows.push(values.collect::<Result<_, _>>()?);
        }
        Ok(Self { kind, rows })
    }

    /// Creates a sheet of rows that were just made, as if they were read from their file.
    pub(crate) fn of(kind: &'static SheetKind, rows: impl Iterator<Item = Vec<Value>>) -> Self {
        let all = kind.columns.len();
        let cells = |row: Vec<Value>| row.into_iter().take(all).map(Value::read_back).collect();
        let rows = rows.map(cells).collect();
        Self { kind, rows }
    }

    /// Returns the kind of the file.
    pub fn kind(&self) -> &'static SheetKind {
        self.kind
    }

    /// Returns the rows of a metric.
    pub fn of_metric(&self, metric: &str) -> impl Iterator<Item = Record<'_>> {
        self.rows()
            .filter(move |row| row.is(Column::Metric, metric))
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

    /// Returns the value in this column. A file of fights that were played has no column for the method.
    fn value(&self, column: Column) -> Option<&'a Value> {
        let at = self.kind.columns.iter().position(|known| *known == column);
        self.cells.get(at?)
    }

    /// Returns the text in this column; empty if the column holds a number or nothing.
    pub fn text(&self, column: Column) -> &'a str {
        match self.value(column) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// Returns the cell in this column, as it is in the file.
    pub fn cell(&self, column: Column) -> Cow<'a, str> {
        self.value(column).map(csv_cell).unwrap_or_default()
    }

    /// Returns the number in this column; `None` if the cell is empty or holds something else.
    pub fn number(&self, column: Column) -> Option<f64> {
        match self.value(column)? {
            Value::Text(text) => number(text),
            Value::Whole(count) => Some(*count as f64),
            Value::Exact(number) => *number,
            _ => None,
        }
    }

    /// Returns the variant.
    pub fn variant(&self) -> &'a str {
        self.text(Column::Variant)
    }

    /// Returns the subject of the metric.
    pub fn subject(&self) -> &'a str {
        self.text(Column::Subject)
    }

    /// Returns the number in this column with its interval, if the row has them.
    pub fn estimate(&self, column: Column) -> Option<(f64, Option<Interval>)> {
        Some((self.number(column)?, self.interval()))
    }

    /// Returns the whole number in this column.
    pub fn count(&self, column: Column) -> Option<u64> {
        let number = self.number(column)?;
        (number >= 0.0 && number.fract() == 0.0).then_some(number as u64)
    }

    /// Returns the interval, if the row has one.
    pub fn interval(&self) -> Option<Interval> {
        let [low, high] = [self.number(Column::CiLow)?, self.number(Column::CiHigh)?];
        Some(Interval { low, high })
    }

    /// Formats the median: `12`, or `12 (11 to 13)` if the ends of its interval differ.
    pub fn median(&self) -> String {
        let [value, low, high] = columns![P50, P50Low, P50High].map(|column| self.cell(column));
        if low == high {
            value.into_owned()
        } else {
            format!("{value} ({low} to {high})")
        }
    }

    /// Whether the text in this column is `text`.
    pub fn is(&self, column: Column, text: &str) -> bool {
        self.text(column) == text
    }
}

/// The greatest number that results can hold: no run has more encounters than a million G, and no sum is greater.
const GREATEST: f64 = 1e15;

fn number(cell: &str) -> Option<f64> {
    let number = cell.parse().ok();
    number.filter(|number: &f64| number.abs() <= GREATEST)
}

/// Returns the distinct cells of a column, in order of their first occurrence.
pub fn distinct<'a>(rows: impl IntoIterator<Item = Record<'a>>, column: Column) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for row in rows {
        let cell = row.text(column);
        if all.last() != Some(&cell) && !all.contains(&cell) {
            all.push(cell);
        }
    }
    all
}
