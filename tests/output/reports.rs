//! One small report in all its formats.

use crate::synthetic::{fight, fight_of, record};
use skirmish::clean::from_cell;
use skirmish::fight::Ending;
use skirmish::fight::Fight;
use skirmish::output::manifest::{Manifest, Scenario, Variant};
use skirmish::output::table::table;
use skirmish::output::{Note, RunReport, VariantReport, csv, json};
use skirmish::output::{Style, Width};
use skirmish::run::{Ended, Until};
use skirmish::sim::Record;
use skirmish::stats::Confidence;
use skirmish::tally::Tally;
use skirmish::task::{Question, Task};
use std::num::NonZeroU64;

fn variant(name: &str, fight: &Fight, encounters: u64) -> VariantReport {
    let mut tally = Tally::new(fight);
    for encounter in 0..encounters {
        tally.add(encounter, &record(fight, encounter));
    }
    let changes = (name != "base").then(|| ("rules.round".to_owned(), "\"simple\"".to_owned()));
    VariantReport {
        name: name.to_owned(),
        changes: changes.into_iter().collect(),
        policies: vec!["kite".to_owned(), "bite".to_owned(), String::new()],
        reserves: vec![false; 3],
        ended: Ended::Enough,
        tally,
    }
}

fn report(variants: Vec<VariantReport>) -> RunReport {
    let until = Until::Encounters(NonZeroU64::new(4000).unwrap());
    RunReport {
        scenario: "kiting".to_owned(),
        title: "An archer kites a brute".to_owned(),
        question: Some("Does a dog make up for 3 Units of speed?".to_owned()),
        replay: "skirmish trace kiting.toml".to_owned(),
        until,
        confidence: Confidence::DEFAULT,
        is_detailed: true,
        notes: counted(&variants),
        variants,
    }
}

/// Returns the remarks derived from the counts of the variants.
fn counted(variants: &[VariantReport]) -> Vec<Note> {
    let of_variant = |one: &VariantReport| {
        let remarks = one.remarks(0.05).into_iter();
        let variant = Some(one.name.clone());
        remarks.map(move |(remark, text)| Note {
            remark: Some(remark),
            variant: variant.clone(),
            text,
        })
    };
    variants.iter().flat_map(of_variant).collect()
}

fn manifest(report: &RunReport) -> Manifest {
    let scenario = Scenario {
        name: report.scenario.clone(),
        title: report.title.clone(),
        hash: "0123abcd".to_owned(),
    };
    let Until::Encounters(encounters) = report.until else {
        unreachable!("a fixed number")
    };
    let question = Question::Run {
        variant: Vec::new(),
    };
    let task = Task {
        seed: 7,
        ..Task::new(question, encounters)
    };
    let mut manifest = Manifest::new(scenario, task, Variant::of_run(report));
    manifest.interrupted = report.interrupted();
    manifest
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Returns a report of three variants, two of them cut short.
fn small() -> RunReport {
    let fight = fight();
    report(vec![
        variant("base", &fight, 4000),
        VariantReport {
            ended: Ended::Interrupted,
            ..variant("simple round", &fight, 1200)
        },
        VariantReport {
            ended: Ended::Interrupted,
            ..variant("no dog", &fight, 0)
        },
    ])
}

/// Returns a report of a duel with few encounters, so that its files are small.
fn tiny() -> RunReport {
    let fight = fight_of(&["red", "blue"], &[("ann", 0), ("bob", 1)]);
    RunReport {
        until: Until::Encounters(NonZeroU64::new(5).unwrap()),
        ..report(vec![variant("base", &fight, 5)])
    }
}

#[test]
fn the_table_answers_at_a_glance() {
    insta::assert_snapshot!(table(&small(), Style::Terminal(Width::USUAL)));
}

#[test]
fn several_variants_have_a_line_each() {
    let report = RunReport {
        is_detailed: false,
        ..small()
    };
    insta::assert_snapshot!(table(&report, Style::Terminal(Width::USUAL)));
    let single = RunReport {
        variants: report.variants[..1].to_vec(),
        ..report
    };
    let text = table(&single, Style::Terminal(Width::USUAL));
    assert!(
        text.contains("\ncombatant ") && !text.contains("variant"),
        "{text}"
    );
}

#[test]
fn the_table_in_markdown() {
    insta::assert_snapshot!(table(&small(), Style::Markdown));
}

#[test]
fn a_table_is_no_wider_than_100_columns_however_long_the_run() {
    let mut long = small();
    for _ in 0..14 {
        let tally = &mut long.variants[0].tally;
        tally.merge(&tally.clone());
    }
    for report in [small(), long] {
        let table = table(&report, Style::Terminal(Width::USUAL));
        assert!(
            table.lines().all(|line| line.chars().count() <= 100),
            "{table}"
        );
    }
}

#[test]
fn summary_csv() {
    insta::assert_snapshot!(text(|out| csv::summary(&tiny(), out, true)));
}

#[test]
fn distributions_csv() {
    insta::assert_snapshot!(text(|out| csv::distributions(&tiny(), out)));
}

#[test]
fn examples_csv() {
    insta::assert_snapshot!(text(|out| csv::examples(&tiny(), out)));
}

#[test]
fn json_has_everything() {
    let report = tiny();
    let json = text(|out| json::write(&report, &manifest(&report), out));
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let measured = value["variants"][0]["metrics"].as_array().unwrap();
    let names: Vec<_> = measured
        .iter()
        .map(|m| m["metric"].as_str().unwrap())
        .collect();
    assert!(
        report.variants[0]
            .tally
            .metrics()
            .all(|metric| names.contains(&metric.name))
    );
    insta::assert_snapshot!(json);
}

#[test]
fn the_manifest_says_how_to_get_the_same_bytes_again() {
    let report = small();
    insta::assert_snapshot!(text(|out| manifest(&report).write(out)));
}

#[test]
fn odd_names_are_quoted_and_come_back_whole() {
    let fight = fight_of(
        &["the \"good\", they say", "=1+1"],
        &[("Zoë, the elf", 0), ("b|c*d", 1)],
    );
    let odd = report(vec![variant("2,5 \"x\"", &fight, 50)]);
    let csv = text(|out| csv::summary(&odd, out, true));
    let mut rows = ::csv::Reader::from_reader(csv.as_bytes());
    let subjects: Vec<String> = rows
        .records()
        .map(|row| {
            let row = row.unwrap();
            assert_eq!(&row[1], "2,5 \"x\"");
            from_cell(&row[3]).to_owned()
        })
        .collect();
    for name in ["the \"good\", they say", "=1+1", "Zoë, the elf", "b|c*d"] {
        assert!(subjects.iter().any(|subject| subject == name), "{name}");
    }
    // No spreadsheet takes a name for a formula.
    assert!(csv.contains(",'=1+1,") && !csv.contains(",="), "{csv}");
    assert!(table(&odd, Style::Markdown).contains(r"b\|c\*d"));
}

#[test]
fn a_title_cannot_set_the_terminals_colours() {
    let mut odd = tiny();
    odd.title = "\u{1b}[31mred\u{7}".to_owned();
    assert!(!table(&odd, Style::Terminal(Width::USUAL)).contains(['\u{1b}', '\u{7}']));
}

#[test]
fn a_fight_that_goes_nowhere_says_so() {
    let fight = fight();
    let mut stuck = report(vec![variant("base", &fight, 0)]);
    for encounter in 0..3 {
        let mut record = Record {
            ending: Ending::Timeout,
            ..record(&fight, encounter)
        };
        record
            .combatants
            .iter_mut()
            .for_each(|counts| (counts.decisions, counts.health) = (0, 5));
        stuck.variants[0].tally.add(encounter, &record);
    }
    stuck.notes = counted(&stuck.variants);
    assert_eq!(
        stuck.notes(&stuck.variants[0]),
        [
            "every encounter ended as a timeout [timeouts]",
            "policy `kite` of `archer` never found a legal line [never-acts]",
            "policy `bite` of `dog` never found a legal line [never-acts]",
            "the policy of `brute` never found a legal line [never-acts]",
        ]
    );
    assert!(
        table(&stuck, Style::Terminal(Width::USUAL))
            .contains("note: every encounter ended as a timeout")
    );
}

#[test]
fn an_encounter_named_in_an_example_shows_the_value() {
    let fight = fight();
    let report = report(vec![variant("base", &fight, 4000)]);
    let csv = text(|out| csv::examples(&report, out));
    let mut rows = ::csv::Reader::from_reader(csv.as_bytes());
    let mut seen = 0;
    for row in rows.records() {
        let row = row.unwrap();
        if &row[2] == "damage" && &row[3] == "brute" {
            let encounter = record(&fight, row[6].parse().unwrap());
            assert_eq!(row[5], encounter.combatants[2].damage.to_string());
            seen += 1;
        }
    }
    assert_eq!(seen, 7);
}
