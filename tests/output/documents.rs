//! The documentation agrees with the program.

use crate::support::fights::loaded;
use skirmish::cli::Exit;
use skirmish::document::format::Values;
use skirmish::fight::system::System;
use skirmish::output::sheet::{DISTRIBUTIONS, EXAMPLES, SUMMARY};
use skirmish::scenario::Scenario;
use skirmish::stats::STATISTICS;
use skirmish::systems::SYSTEMS;
use skirmish::tally::metrics;

#[path = "../../examples/documentation.rs"]
#[expect(dead_code, reason = "the program `documentation` writes the files")]
mod documentation;

const OUTPUT: &str = include_str!("../../docs/OUTPUT.md");

#[test]
fn generated_parts_are_those_of_the_program() {
    for (path, old, new) in documentation::documents() {
        assert!(
            old == new,
            "{path} differs from the program: cargo run --example documentation"
        );
    }
}

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
    let kinds = [&SUMMARY, &DISTRIBUTIONS, &EXAMPLES];
    let columns = kinds.iter().flat_map(|kind| kind.columns);
    let columns = columns.map(|column| column.name());
    for name in columns.chain(STATISTICS.iter().map(|(name, _)| *name)) {
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

/// Returns a scenario of a system that accepts each of its rulings.
fn scenario(system: &System, set: &[String]) -> Scenario {
    let text = match system.name {
        "mage" => include_str!("../scenario/mages.toml"),
        "chronicles" => include_str!("../scenario/guards.toml"),
        "eclipse-phase" => include_str!("../scenario/agents.toml"),
        _ => include_str!("../scenario/kiting.toml"),
    };
    let set: Vec<&str> = set.iter().map(String::as_str).collect();
    loaded(text, &set).scenario
}

#[test]
fn every_ruling_that_is_explained_has_the_default_that_is_explained() {
    for system in SYSTEMS {
        let plain = scenario(system, &[]).variants;
        for ruling in system.rulings {
            // The defaults of these rulings are descriptions, not values.
            if [
                "attack_offsets",
                "initiative.share",
                "initiative.ties",
                "magick.botch_damage",
                "magick.paradox_damage",
                "attack_botch_damage",
                "dramatic_damage",
            ]
            .contains(&ruling.name)
            {
                continue;
            }
            let mut set = vec![format!("rules.{}={}", ruling.name, ruling.default)];
            let mut plain = plain[0].clone();
            if ruling.name == "magick.paradox_threshold" {
                // The threshold has an effect only if Paradox strikes back.
                let backlash = "rules.magick.paradox_backlash=lose-turn".to_owned();
                plain = scenario(system, std::slice::from_ref(&backlash)).variants[0].clone();
                set.push(backlash);
            }
            let with = &scenario(system, &set).variants[0];
            assert_eq!(with.rules, plain.rules, "{}", ruling.name);
            assert_eq!(with.fight, plain.fight, "{}", ruling.name);
        }
    }
}

#[test]
fn every_value_that_is_explained_can_be_written() {
    for system in SYSTEMS {
        for ruling in system.rulings {
            let mut values = ruling.values.listed().to_vec();
            let ends = match ruling.values {
                Values::Range(least, most, _) => [least.to_string(), most.to_string()],
                _ => Default::default(),
            };
            values.extend(match ruling.values {
                Values::Range(..) => vec![&*ends[0], &*ends[1]],
                Values::Named(_) => vec!["{ 2 = [0, 9] }"],
                Values::List(Values::Text) => match system.name {
                    "tara-corax" => vec!["[\"hunters\", \"beasts\"]"],
                    "chronicles" => vec!["[\"house\"]"],
                    "eclipse-phase" => vec!["[\"agents\"]"],
                    _ => vec!["[\"cabal\"]", "[\"thug\"]"],
                },
                Values::List(_) => vec!["[\"total\", \"rating\"]"],
                Values::Dice => vec!["3", "1d6"],
                Values::Chance => vec!["0", "1"],
                _ => vec![],
            });
            for value in values {
                let mut set = vec![format!("rules.{}={value}", ruling.name)];
                if (ruling.name, value, system.name) == ("initiative.dice", "3", "tara-corax") {
                    // Only a single die can explode.
                    set.push("rules.initiative.explode=none".to_owned());
                }
                if ruling.name.starts_with("magick.botch_") {
                    set.push("rules.magick.botch=damage".to_owned());
                }
                if (ruling.name, value) == ("magick.botch", "damage") {
                    set.push("rules.magick.botch_damage=2".to_owned());
                }
                if ruling.name == "magick.paradox_threshold" {
                    set.push("rules.magick.paradox_backlash=lose-turn".to_owned());
                }
                if ruling.name == "magick.paradox_damage" {
                    set.push("rules.magick.paradox_backlash=damage".to_owned());
                }
                if (ruling.name, value) == ("magick.paradox_backlash", "damage") {
                    set.push("rules.magick.paradox_damage=2".to_owned());
                }
                if ruling.name == "attack_botch_damage" {
                    set.push("rules.attack_botch=damage".to_owned());
                }
                if (ruling.name, value) == ("attack_botch", "damage") {
                    set.push("rules.attack_botch_damage=2".to_owned());
                }
                if ruling.name == "dramatic_damage" {
                    set.push("rules.dramatic_failure=damage".to_owned());
                }
                if (ruling.name, value) == ("dramatic_failure", "damage") {
                    set.push("rules.dramatic_damage=2".to_owned());
                }
                // No category may cost more than a greater one.
                let costs = ["costs.quarter", "costs.half", "costs.full"];
                if let Some(at) = costs.iter().position(|key| *key == ruling.name) {
                    let others = if value == "1" {
                        &costs[..at]
                    } else {
                        &costs[at..]
                    };
                    set.extend(others.iter().map(|key| format!("rules.{key}={value}")));
                }
                scenario(system, &set);
            }
        }
    }
}
