//! HTML pages: their content, and that it agrees with the files.

mod answers;
mod examples;
mod looks;
mod mistakes;
mod numbers;
mod overlay;
mod pages;
mod size;

use crate::check::DUEL;
use crate::support::TestDir;
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::HashSet;

/// The script of every page.
const KEYS: &str = include_str!("../../src/output/html/templates/keys.js");

/// Runs a command and returns the page that it writes to `page.html`.
#[track_caller]
fn page_of(dir: &TestDir, command: &str) -> String {
    dir.run(command).assert_done();
    dir.read("page.html")
}

/// Parses a page as a tree; pages are well-formed XML as well as HTML.
fn tree(page: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(page, options).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the elements with this name below a node, in any namespace.
fn all<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Vec<Node<'a, 'i>> {
    let elements = node.descendants().filter(Node::is_element);
    elements
        .filter(|one| one.tag_name().name() == name)
        .collect()
}

fn text(node: Node<'_, '_>) -> String {
    let texts = node
        .descendants()
        .filter_map(|one| one.text().filter(|_| one.is_text()));
    texts.collect()
}

/// Returns whether a figure shows a single encounter.
fn is_encounter(figure: Node<'_, '_>) -> bool {
    let id = figure.attribute("id").unwrap_or_default();
    id.contains("encounter-")
}

/// Returns the rows of a table, beginning with its head.
fn rows(table: Node<'_, '_>) -> Vec<Vec<String>> {
    let cells = |row: Node<'_, '_>| {
        let cells = row.children().filter(Node::is_element);
        cells.map(text).collect()
    };
    all(table, "tr").into_iter().map(cells).collect()
}

/// Returns the rows of the CSV file that is a link below a table, beginning with its head.
fn linked(table: Node<'_, '_>) -> Vec<Vec<String>> {
    let mut below = table.parent().unwrap().next_siblings();
    let link = below.find_map(|one| all(one, "a").first().copied());
    let (kind, data) = link
        .unwrap()
        .attribute("href")
        .unwrap()
        .split_once(',')
        .unwrap();
    assert_eq!(kind, "data:text/csv;charset=utf-8");
    let mut pieces = data.split('%');
    let mut bytes = pieces.next().unwrap().as_bytes().to_vec();
    for piece in pieces {
        bytes.push(u8::from_str_radix(&piece[..2], 16).unwrap());
        bytes.extend(&piece.as_bytes()[2..]);
    }
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).from_reader(&bytes[..]);
    let rows = reader.deserialize().map(Result::unwrap);
    rows.collect()
}

/// Asserts the properties of every page.
fn assert_is_sound(page: &str) {
    let document = tree(page);
    let root = document.root_element();
    let mut ids = HashSet::new();
    for node in root.descendants().filter(Node::is_element) {
        if let Some(id) = node.attribute("id") {
            assert!(ids.insert(id), "two of `{id}`");
        }
    }
    for node in root.descendants().filter(Node::is_element) {
        for attribute in node.attributes() {
            let value = attribute.value();
            match attribute.name() {
                "href" if value.starts_with("data:text/csv") => {}
                "href" => assert!(
                    value.strip_prefix('#').is_some_and(|id| ids.contains(id)),
                    "{value}"
                ),
                "aria-labelledby" => {
                    assert!(value.split(' ').all(|id| ids.contains(id)), "{value}");
                }
                "src" | "style" | "onclick" | "onload" => panic!("{} = {value}", attribute.name()),
                _ => assert!(!value.contains("://"), "{value}"),
            }
        }
        assert_ne!(node.tag_name().name(), "link");
    }
    // The only script is the same on every page.
    let scripts = all(root, "script");
    assert_eq!(scripts.len(), 1);
    assert_eq!(text(scripts[0]).trim(), KEYS.trim());
    let style = text(all(root, "style")[0]);
    assert!(
        !style.contains("url(") && !style.contains("@import"),
        "{style}"
    );

    let figures = all(root, "figure");
    assert!(!figures.is_empty());
    for figure in figures {
        let title = text(all(figure, "h3")[0]);
        assert!(!title.is_empty());
        let svg = all(figure, "svg")[0];
        assert_eq!(text(all(svg, "title")[0]), title);
        assert!(!text(all(svg, "desc")[0]).is_empty(), "{title}");
        let table = rows(all(figure, "table")[0]);
        assert!(table.len() > 1, "{title}");
        // A single encounter is not an estimate and needs no note.
        if is_encounter(figure) {
            continue;
        }
        let note = figure
            .descendants()
            .find(|one| one.attribute("class") == Some("note"));
        let note = text(note.unwrap());
        assert!(note.contains("interval"), "{title}: {note}");
        let has_interval = [["ci low", "ci_low"], ["ci high", "ci_high"]]
            .map(|ends| table[0].iter().any(|one| ends.contains(&&**one)));
        assert!(
            has_interval == [true; 2] || note.contains("exact"),
            "{title}"
        );
    }
}
