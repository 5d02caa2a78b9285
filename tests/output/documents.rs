//! The documentation says what the program says.

use skirmish::cli::Exit;
use skirmish::output::csv;
use skirmish::stats::STATISTICS;
use skirmish::tally::metrics;

const OUTPUT: &str = include_str!("../../docs/OUTPUT.md");

#[test]
fn every_metric_is_documented_as_the_program_explains_it() {
    for metric in metrics::all() {
        let row = format!(
            "\n| `{}` | {} | {} | {} | {} |\n",
            metric.name,
            metric.scope.name(),
            metric.kind.name(),
            metric.unit,
            metric.meaning
        );
        assert!(OUTPUT.contains(&row), "{row}");
    }
}

#[test]
fn every_column_and_statistic_is_documented() {
    let columns = csv::SUMMARY
        .iter()
        .chain(&csv::DISTRIBUTIONS)
        .chain(&csv::EXAMPLES);
    for name in columns.chain(STATISTICS.iter().map(|(name, _)| name)) {
        assert!(OUTPUT.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn every_exit_code_is_documented() {
    for exit in [
        Exit::Done,
        Exit::ExpectationFailed,
        Exit::BadInput,
        Exit::Mismatch,
        Exit::Defect,
        Exit::Io,
        Exit::Interrupted,
    ] {
        assert!(
            OUTPUT.contains(&format!("\n| {} | ", exit.code())),
            "{exit:?}"
        );
    }
}
