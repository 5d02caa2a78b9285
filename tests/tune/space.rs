//! The candidates of a search, and how long it is expected to take.

use super::STANDOFF;
use crate::support::fights::{errors, loaded};

/// Lines that are off are checked like those that are on, and lines of a block wherever they stand. So no switch and no
/// order of a fight without mistakes can be a mistake, and a search builds none of them to find out.
#[test]
fn lines_have_their_mistakes_found_whether_they_are_on_and_wherever_they_stand() {
    let text = |line: &str| {
        let lines = format!("\"{line}\", \"any order {{\", \"pass\", \"attack\", \"}}\",");
        STANDOFF.replace("\"attack\",\n  \"set if not ready\",", &lines)
    };
    for mark in ["?", "?off"] {
        let wrong = errors(&text(&format!("{mark} attack with sling")));
        assert!(wrong.contains("sling"), "{wrong}");
        let line = format!("{mark} set if not ready");
        let right = loaded(&text(&line), &[]);
        let side = right.scenario.variants[0].fight.sides[0].clone();
        let space = right.document.space("base", &[], Some(&side)).unwrap();
        assert_eq!(space.dimensions.len(), 3);
        for at in 0..space.dimensions.len() {
            for value in 0..space.len(at) {
                let mut candidate = space.start();
                candidate[at] = value;
                assert!(space.build(&candidate).is_ok(), "{candidate:?}");
            }
        }
    }
}
