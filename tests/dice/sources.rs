//! Sources of chance whose answers follow from a script.

use crate::support::Scripted;
use skirmish::chance::script::{Answer, Script};
use skirmish::chance::{Chance, Purpose};

/// A 0 stands for the highest face of a d100, and of no other die.
#[test]
fn a_0_is_a_face_of_a_d100_only() {
    for (sides, face) in [(100, Ok(100)), (10, Err(())), (6, Err(()))] {
        let mut script = Script::default();
        script.extend(0, Purpose::Check, [Answer::Face(0)]);
        let found = script.face(0, Purpose::Check, sides);
        assert_eq!(found.map_err(|_| ()), face, "d{sides}");
    }
}

#[test]
fn a_source_of_faces_adds_them_up() {
    let mut dice = Scripted::new().with(0, Purpose::Check, &[3, 5, 6]);
    assert_eq!(dice.sum(0, Purpose::Check, 3, 6), 14);
    assert_eq!(dice.sum(0, Purpose::Check, 0, 6), 0);
    dice.finish();
}
