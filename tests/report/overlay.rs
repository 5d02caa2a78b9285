//! Several rolls in one figure.

use super::{DUEL, all, assert_is_sound, page_of, rows, text, tree};
use crate::support::TestDir;
use skirmish::cli::Exit;
use std::collections::HashSet;

#[test]
fn several_rolls_are_curves_of_their_own_colours_in_one_figure() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(&dir, "odds 2d6+3 3d4 1d20 --report page.html");
    assert_is_sound(&page);
    let document = tree(&page);
    let figures = all(document.root_element(), "figure");
    let titles: Vec<String> = figures.iter().map(|one| text(all(*one, "h3")[0])).collect();
    assert_eq!(
        titles,
        [
            "How likely is each value?",
            "How likely is each value or more?"
        ]
    );
    for figure in &figures {
        let svg = all(*figure, "svg")[0];
        let lines: HashSet<&str> = all(svg, "path")
            .into_iter()
            .filter_map(|path| path.attribute("class"))
            .filter(|class| class.contains("curve"))
            .collect();
        assert_eq!(lines.len(), 3, "{lines:?}");
        let texts: Vec<String> = all(svg, "text").into_iter().map(text).collect();
        for name in ["2d6 + 3", "3d4", "1d20"] {
            let named = texts
                .iter()
                .any(|text| text.replace(' ', "") == name.replace(' ', ""));
            assert!(named, "{texts:?}");
        }
    }
    // 3d4 comes to 5 or less in 7 of 64 ways, 2d6+3 reaches 12 in 10 of 36.
    let table = rows(all(figures[1], "table")[0]);
    let cell = |value: &str, at: usize| {
        let row = table.iter().find(|row| row[0] == value).unwrap();
        let share: f64 = row[at].trim_end_matches('%').trim().parse().unwrap();
        share
    };
    assert!((cell("12", 1) - 1000.0 / 36.0).abs() < 0.01, "{table:?}");
    assert!((cell("12", 2) - 100.0 / 64.0).abs() < 0.01, "{table:?}");
    assert!((cell("12", 3) - 45.0).abs() < 0.01, "{table:?}");
}

#[test]
fn several_rolls_are_rows_for_programs() {
    let dir = TestDir::with_duel(DUEL);
    let outcome = dir.run("odds 1d4 1d6 --at-least 4 --format csv");
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    let lines: Vec<&str> = outcome.out.lines().collect();
    assert_eq!(lines.len(), 1 + 4 + 6);
    assert_eq!(lines[0], "dice,value,exactly,at_least,at_most");
    assert_eq!(lines[1], "1d4,1,0.25,1,0.25");
    let table = dir.run("odds 1d4 1d6 --at-least 4").out;
    assert!(
        table.starts_with("At least 4: 1d4 25.0%, 1d6 50.0%\n"),
        "{table}"
    );
    // Words that form one notation are read as one.
    let one = dir.run("odds 2d6 + 3").out;
    assert!(one.starts_with("2d6"), "{one}");
}
