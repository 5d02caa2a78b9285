//! The findings as `JUnit` XML, which every build server reads.
//!
//! There is no standard of this format. The module keeps to what Jenkins' `xunit` schema and GitLab's reader have in
//! common: a `testsuite` for each file, a `testcase` for each finding, with a `failure` inside if it fails. Times are
//! left out, which all readers allow, so that equal checks give equal bytes.

use super::{Checked, Finding, Findings, Verdict};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use std::io::{self, Write};

/// Writes all findings as one document.
///
/// # Errors
/// If `out` cannot be written.
pub fn junit(checked: &Checked, mut out: impl Write) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(&mut out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let all: Vec<&Finding> = checked.all().collect();
    let mut root = element("testsuites", &[("name", "skirmish check")]);
    counts(&mut root, checked, &all);
    xml.write_event(Event::Start(root))?;
    for file in &checked.files {
        suite(&mut xml, checked, file)?;
    }
    xml.write_event(Event::End(BytesEnd::new("testsuites")))?;
    out.write_all(b"\n")
}

fn suite<W: Write>(xml: &mut Writer<W>, checked: &Checked, file: &Findings) -> io::Result<()> {
    let list: Vec<&Finding> = file.list.iter().collect();
    let mut suite = element("testsuite", &[("name", &file.file)]);
    counts(&mut suite, checked, &list);
    xml.write_event(Event::Start(suite))?;
    for finding in list {
        let name = format!("{}: {}", finding.heading(), finding.wish());
        let line = finding.place.unwrap_or((1, 1)).0.to_string();
        let case = element(
            "testcase",
            &[
                ("classname", &file.scenario),
                ("name", &name),
                ("file", &file.file),
                ("line", &line),
            ],
        );
        xml.write_event(Event::Start(case))?;
        let message = ("message", &*finding.sentence());
        let (name, inner) = if checked.fails(finding) {
            let kind = ("type", finding.verdict.name());
            ("failure", element("failure", &[message, kind]))
        } else if finding.verdict == Verdict::Undecided {
            ("skipped", element("skipped", &[message]))
        } else {
            ("system-out", element("system-out", &[]))
        };
        xml.write_event(Event::Start(inner))?;
        xml.write_event(Event::Text(BytesText::new(&allowed(&finding.lines()))))?;
        xml.write_event(Event::End(BytesEnd::new(name)))?;
        xml.write_event(Event::End(BytesEnd::new("testcase")))?;
    }
    xml.write_event(Event::End(BytesEnd::new("testsuite")))
}

/// Adds the number of findings, of failures and of undecided findings that may pass.
fn counts(element: &mut BytesStart<'_>, checked: &Checked, list: &[&Finding]) {
    let failures = list.iter().filter(|finding| checked.fails(finding)).count();
    let skipped = list
        .iter()
        .filter(|finding| finding.verdict == Verdict::Undecided && !checked.fails(finding))
        .count();
    for (name, count) in [
        ("tests", list.len()),
        ("failures", failures),
        ("errors", 0),
        ("skipped", skipped),
    ] {
        element.push_attribute((name, count.to_string().as_str()));
    }
}

fn element<'a>(name: &'a str, attributes: &[(&str, &str)]) -> BytesStart<'a> {
    let mut element = BytesStart::new(name);
    for (name, value) in attributes {
        element.push_attribute((*name, allowed(value).as_str()));
    }
    element
}

/// Replaces every character that XML 1.0 cannot represent.
fn allowed(text: &str) -> String {
    let legal = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.chars()
        .map(|c| if legal(c) { c } else { '\u{fffd}' })
        .collect()
}
