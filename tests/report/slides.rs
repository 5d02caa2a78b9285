//! Single pictures for slides.

use super::{DUEL, all, is_encounter, page_of, text, tree};
use crate::support::TestDir;
use skirmish::cli::Exit;
use std::fs;

#[test]
fn every_figure_is_a_picture_of_its_own() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(&dir, "report duel.toml -n 200 -q -o page.html");
    let outcome = dir.run("report duel.toml -n 200 -q --format svg -o slides");
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    let document = tree(&page);
    // Slides show results over all encounters.
    let mut figures = all(document.root_element(), "figure");
    figures.retain(|figure| !is_encounter(*figure));
    assert_eq!(
        fs::read_dir(dir.path("slides")).unwrap().count(),
        figures.len()
    );
    for figure in figures {
        let id = figure.attribute("id").unwrap();
        let svg = dir.read(&format!("slides/{id}.svg"));
        let slide = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}"));
        let root = slide.root_element();
        assert_eq!(
            root.tag_name().namespace(),
            Some("http://www.w3.org/2000/svg")
        );
        // The title is above the picture, and colours are literal values, not CSS variables.
        assert_eq!(text(all(root, "text")[0]), text(all(figure, "h3")[0]));
        assert!(!svg.contains("var("), "{id}");
        assert!(text(all(root, "style")[0]).contains("#0072b2"));
    }
}
