//! The documentation says what the program says.

use skirmish::cli::Exit;
use skirmish::cli::explain::RULINGS;
use skirmish::output::csv;
use skirmish::scenario::Scenario;
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

/// A scenario in which every ruling may stand.
fn scenario(set: &[String]) -> Scenario {
    let text = include_str!("../scenario/kiting.toml");
    let loaded = Scenario::parse("kiting.toml", text, set);
    loaded
        .unwrap_or_else(|errors| panic!("{set:?}: {errors}"))
        .scenario
}

#[test]
fn every_ruling_that_is_explained_has_the_default_that_is_explained() {
    let plain = scenario(&[]).variants;
    for [key, _, default, _] in RULINGS {
        if key != "attack_offsets" {
            let set = format!("rules.{key}={default}");
            assert_eq!(scenario(&[set]).variants[0].rules, plain[0].rules, "{key}");
        }
    }
}

#[test]
fn every_value_that_is_explained_can_be_written() {
    for [key, values, ..] in RULINGS {
        let values: Vec<&str> = match values {
            "boolean" => vec!["true", "false"],
            "table" => vec!["{ 2 = [0, 9] }"],
            values => values
                .split(", ")
                .flat_map(|value| value.split(" to "))
                .collect(),
        };
        for value in values {
            scenario(&[format!("rules.{key}={value}")]);
        }
    }
}
