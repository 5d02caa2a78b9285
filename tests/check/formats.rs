//! Output formats for people and for build servers.

use super::{check, duel_with, shown, wins};
use crate::support::TestDir;
use skirmish::cli::Exit;
use std::fs;

/// Returns a folder with one expectation of each verdict, and the lines on which they stand.
fn one_of_each() -> (TestDir, [usize; 3]) {
    let all = [wins("min = 0.3"), wins("max = 0.4"), wins("min = 0.545")];
    let first = super::DUEL.lines().count() + 2;
    (duel_with(&all.concat()), [first, first + 4, first + 8])
}

#[test]
fn text_has_a_line_an_expectation_and_a_closing_line() {
    let (dir, _) = one_of_each();
    let text = check(&dir, "").out;
    let path = dir.path("duel.toml");
    insta::assert_snapshot!(text.replace(shown(&path), "duel.toml"));
}

#[test]
fn github_sees_annotations_at_the_lines_of_the_expectations() {
    let (dir, [_, failed, undecided]) = one_of_each();
    let path = dir.path("duel.toml");
    let text = check(&dir, "--format github").out;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    let begins = |line: usize, title: &str| {
        format!(
            "::error file={},line={line},col=1,title=skirmish%3A {title}::",
            shown(&path)
        )
    };
    assert!(lines[0].starts_with(&begins(failed, "failed")), "{text}");
    assert!(lines[0].contains("wanted at most 40%25"), "{text}");
    assert!(
        lines[1].starts_with(&begins(undecided, "undecided")),
        "{text}"
    );
    assert_eq!(lines[2], "1 passed, 1 failed, 1 undecided");
    let source = fs::read_to_string(&path).unwrap();
    let source: Vec<&str> = source.lines().collect();
    assert_eq!(
        [source[failed - 1], source[undecided - 1]],
        ["[[expect]]"; 2]
    );
    // An allowed undecided expectation is a warning.
    let text = check(&dir, "--format github --allow-undecided").out;
    let warnings = text
        .lines()
        .filter(|line| line.starts_with("::warning file="))
        .count();
    assert_eq!(warnings, 1, "{text}");
}

#[test]
fn errors_of_a_scenario_are_annotations_too() {
    let dir = duel_with("");
    let source = super::DUEL.replacen("health", "helth", 1);
    dir.write("duel.toml", &source);
    let outcome = check(&dir, "--format github");
    assert_eq!(outcome.exit, Exit::BadInput);
    let at = source.lines().position(|line| line.contains("helth"));
    let begin = format!(
        "::error file={},line={},col=1,title=skirmish%3A not valid::",
        shown(&dir.path("duel.toml")),
        at.unwrap() + 1
    );
    assert!(outcome.out.starts_with(&begin), "{}", outcome.out);
    assert!(
        outcome.out.contains("did you mean `health`?"),
        "{}",
        outcome.out
    );
    assert!(
        outcome.err.contains("did you mean `health`?"),
        "{}",
        outcome.err
    );
}

#[test]
fn errors_without_a_line_are_annotations_at_the_first() {
    let dir = duel_with("");
    let path = dir.path("duel.toml");
    let at_the_first = format!(
        "::error file={},line=1,col=1,title=skirmish%3A not valid::",
        shown(&path)
    );
    for set in ["combatants.monster.helth=3", "combatants.nobody.health=3"] {
        let outcome = check(&dir, &format!("--format github --set {set}"));
        assert_eq!(outcome.exit, Exit::BadInput);
        assert!(outcome.out.starts_with(&at_the_first), "{}", outcome.out);
    }
    std::fs::remove_file(dir.path("duel.toml")).unwrap();
    let outcome = check(&dir, "--format github");
    assert_eq!(outcome.exit, Exit::BadInput);
    assert!(outcome.out.starts_with(&at_the_first), "{}", outcome.out);
    assert!(outcome.out.contains("cannot be read"), "{}", outcome.out);
}

#[test]
fn no_name_breaks_out_of_an_annotation() {
    let dir = duel_with("");
    let text = super::DUEL.replace("\"heroes\"", "\"a::b,c%\"") + "\n" + &wins("min = 0.9");
    dir.write("du,el:x.toml", text.replace("\"heroes\"", "\"a::b,c%\""));
    let file = dir.path("du,el:x.toml");
    let arguments = [
        "check",
        shown(&file),
        "-q",
        "-n",
        "1k",
        "--format",
        "github",
    ];
    let out = super::skirmish(&arguments).out;
    assert!(out.contains("/du%2Cel%3Ax.toml,line="), "{out}");
    assert!(out.contains("::win_rate of a::b,c%25, base: "), "{out}");
    assert_eq!(out.lines().count(), 2, "{out}");
}

#[test]
fn junit_is_xml_that_says_the_same() {
    let (dir, lines) = one_of_each();
    let out = check(&dir, "--format junit").out;
    let document = roxmltree::Document::parse(&out).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let counts = |node: roxmltree::Node<'_, '_>| {
        ["tests", "failures", "errors", "skipped"]
            .map(|name| node.attribute(name).unwrap().to_owned())
    };
    assert_eq!(counts(root), ["3", "2", "0", "0"]);
    let suite = root.first_element_child().unwrap();
    assert_eq!(suite.attribute("name"), Some(shown(&dir.path("duel.toml"))));
    assert_eq!(counts(suite), ["3", "2", "0", "0"]);
    let cases: Vec<_> = suite
        .children()
        .filter(roxmltree::Node::is_element)
        .collect();
    assert_eq!(cases.len(), 3);
    for (case, line) in cases.iter().zip(lines) {
        assert_eq!(case.tag_name().name(), "testcase");
        assert_eq!(case.attribute("classname"), Some("duel"));
        assert_eq!(case.attribute("line"), Some(&line.to_string()[..]));
        assert_eq!(case.attribute("time"), None);
    }
    let inside = |case: usize| {
        let inner = cases[case].first_element_child().unwrap();
        (
            inner.tag_name().name().to_owned(),
            inner.attribute("type").map(str::to_owned),
        )
    };
    assert_eq!(inside(0), ("system-out".to_owned(), None));
    assert_eq!(inside(1), ("failure".to_owned(), Some("failed".to_owned())));
    assert_eq!(
        inside(2),
        ("failure".to_owned(), Some("undecided".to_owned()))
    );

    let out = check(&dir, "--format junit --allow-undecided").out;
    let document = roxmltree::Document::parse(&out).unwrap();
    assert_eq!(counts(document.root_element()), ["3", "1", "0", "1"]);
}

#[test]
fn names_come_back_whole_from_junit() {
    let side = "R&D <\u{1F409}> 'x' ]]>";
    let dir = duel_with("");
    let text = super::DUEL.to_owned() + "\n" + &wins("min = 0.9");
    dir.write(
        "a&b.toml",
        text.replace("\"heroes\"", &format!("\"{side}\"")),
    );
    let file = dir.path("a&b.toml");
    let arguments = ["check", shown(&file), "-q", "-n", "1k", "--format", "junit"];
    let out = super::skirmish(&arguments).out;
    let document = roxmltree::Document::parse(&out).unwrap();
    let case = document
        .descendants()
        .find(|node| node.has_tag_name("testcase"))
        .unwrap();
    let name = format!("win_rate of {side}, base: at least 90%");
    assert_eq!(case.attribute("name"), Some(&name[..]));
    assert_eq!(case.attribute("file"), Some(shown(&file)));
    let text = case.first_element_child().unwrap().text().unwrap();
    assert!(text.contains(side), "{text}");
}

#[test]
fn json_has_the_facts() {
    let (dir, lines) = one_of_each();
    let out = check(&dir, "--format json").out;
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["passed"], 1);
    assert_eq!(value["failed"], 1);
    assert_eq!(value["undecided"], 1);
    assert_eq!(value["ok"], false);
    assert_eq!(value["seed"], 1);
    assert_eq!(value["confidence"], "95%");
    let list = value["files"][0]["findings"].as_array().unwrap();
    for (finding, line) in list.iter().zip(lines) {
        assert_eq!(finding["line"], line);
        assert_eq!(finding["metric"], "win_rate");
        assert_eq!(finding["subject"], "heroes");
        let number = |key: &str| finding[key].as_f64().unwrap();
        assert!(number("ci_low") < number("value") && number("value") < number("ci_high"));
    }
    assert_eq!(list[1]["verdict"], "failed");
    assert_eq!(list[1]["wanted"]["high"], 0.4);
    assert!(list[1]["wanted"]["low"].is_null());
    let allowed = check(&dir, "--format json --allow-undecided").out;
    let value: serde_json::Value = serde_json::from_str(&allowed).unwrap();
    assert_eq!(value["ok"], false, "a failure is not allowed");
}

#[test]
fn a_report_can_go_to_a_file_while_people_read_the_text() {
    let (dir, _) = one_of_each();
    let report = dir.path("report.xml");
    let options = format!("--format junit -o {}", shown(&report));
    let outcome = check(&dir, &options);
    assert_eq!(outcome.exit, Exit::ExpectationFailed);
    assert_eq!(outcome.out, check(&dir, "").out);
    let written = fs::read_to_string(report).unwrap();
    assert_eq!(written, check(&dir, "--format junit").out);
}

#[test]
fn a_closing_line_tells_how_much_was_played_unless_one_is_quiet() {
    let dir = duel_with(&wins("min = 0.3"));
    let file = dir.path("duel.toml");
    let loud = super::skirmish(&["check", shown(&file), "-n", "1k"]);
    assert!(loud.err.starts_with("1,000 encounters in "), "{}", loud.err);
    assert_eq!(check(&dir, "").err, "");
}
