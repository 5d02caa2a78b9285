//! Arguments: accepted forms, and errors that say how to fix them.

use clap::{CommandFactory, Parser};
use skirmish::cli::args::{Format, count};
use skirmish::cli::run::RunArgs;
use skirmish::cli::{Cli, Command};

fn parse(line: &str) -> Result<RunArgs, String> {
    let words = std::iter::once("skirmish").chain(line.split_whitespace());
    match Cli::try_parse_from(words) {
        Ok(Cli {
            command: Command::Run(args),
            ..
        }) => Ok(args),
        Ok(_) => panic!("not a run"),
        Err(error) => Err(error.to_string()),
    }
}

fn refused(line: &str, way_out: &str) {
    let error = parse(line).unwrap_err();
    assert!(error.contains(way_out), "{line}: {error}");
}

#[test]
fn counts_are_read_as_people_write_them() {
    for (text, number) in [
        ("1", 1),
        ("250k", 250_000),
        ("250K", 250_000),
        ("1M", 1_000_000),
        ("2_000_000", 2_000_000),
        ("10G", 10_000_000_000),
        ("1_0k", 10_000),
        ("1e5", 100_000),
        ("1E+5", 100_000),
        ("1.5M", 1_500_000),
        ("2.50e3", 2500),
    ] {
        assert_eq!(count(text).unwrap().get(), number, "{text}");
    }
}

#[test]
fn what_is_no_count_is_refused_with_a_way_out() {
    for text in [
        "", "k", "1.5", "1e-6", "e6", "1e6k", "1,000", "_1", "1_", "1__0", "12 k", "+5", "0x10",
        "lots", "５",
    ] {
        let error = count(text).unwrap_err();
        assert!(error.contains("such as 250k"), "{text}: {error}");
    }
    assert!(count("0").unwrap_err().contains("at least one"));
    assert!(count("0M").unwrap_err().contains("at least one"));
    assert!(count("-3").unwrap_err().contains("no negative count"));
    assert!(count("99999999999G").unwrap_err().contains("the most is"));
    assert!(
        count("99999999999999999999999")
            .unwrap_err()
            .contains("the most is")
    );
    assert!(count("1e18").unwrap_err().contains("the most is"));
    assert!(count("1,000").unwrap_err().contains("without commas"));
}

#[test]
fn a_run_needs_no_options() {
    let args = parse("run scenarios/kiting.toml").unwrap();
    assert_eq!((args.encounters, args.precision), (None, None));
    assert_eq!(
        (
            args.answer.playing.given.seed,
            args.answer.delivery.format,
            args.answer.playing.threads
        ),
        (None, Format::Table, None)
    );
}

#[test]
fn wrong_options_are_refused_with_a_way_out() {
    refused("run", "<FILE>");
    refused("run a.toml -n 0", "at least one");
    refused("run a.toml -n -5", "no negative count");
    refused("run a.toml --threads 0", "1 to 1024");
    refused("run a.toml --threads -2", "1 to 1024");
    refused("run a.toml --threads many", "1 to 1024");
    refused("run a.toml --seed -1", "whole number from 0");
    refused("run a.toml --format cvs", "csv");
    refused("run a.toml --confidence 95", "95% or 0.95");
    refused("run a.toml --confidence 100%", "from 50% to 99.9999%");
    refused("run a.toml --confidence -1", "95%, 99.9% or 0.99");
    refused("run a.toml --precision 0", "0.1% or 0.001");
    refused("run a.toml --precision -1%", "0.1% or 0.001");
    refused("run a.toml --metric alive", "--precision");
    refused("run a.toml --max-encounters 5", "--precision");
    refused("run a.toml --precision 1% --metric hit", "`hits`");
    refused(
        "run a.toml --precision 1% --metric luck",
        "there is `win_rate`",
    );
    refused("run a.toml --precision 1% --metric winner", "no mean");
    refused(
        "run a.toml --precision 1% --max-encounters 0",
        "at least one",
    );
    refused("runn a.toml", "'run'");
}

#[test]
fn help() {
    let mut command = Cli::command().term_width(100);
    command.build();
    insta::assert_snapshot!("help", command.render_long_help());
    for name in ["run", "explain"] {
        let sub = command.find_subcommand_mut(name).unwrap();
        insta::assert_snapshot!(format!("help_{name}"), sub.render_long_help());
    }
}
