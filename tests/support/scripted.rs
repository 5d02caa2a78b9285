//! Scripted chance: a test lists the face of each die.

use Purpose::{Check, Damage};
use skirmish::chance::{Chance, Purpose};
use std::collections::{BTreeMap, VecDeque};

/// A [`Chance`] whose dice show the listed faces, stream by stream. Every mismatch panics.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scripted {
    lists: BTreeMap<(usize, Purpose), VecDeque<u32>>,
}

impl Scripted {
    /// Creates a script without any dice.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Appends the faces that `who` (by file order) rolls for `purpose`. A question of chance reads a face too: 1
    /// happens, any other face does not.
    pub(crate) fn with(mut self, who: usize, purpose: Purpose, faces: &[u32]) -> Self {
        self.lists.entry((who, purpose)).or_default().extend(faces);
        self
    }

    /// Ends the script.
    ///
    /// # Panics
    /// If dice are left over.
    pub(crate) fn finish(&self) {
        let left: Vec<_> = self
            .lists
            .iter()
            .filter(|(_, faces)| !faces.is_empty())
            .collect();
        assert!(left.is_empty(), "dice left over: {left:?}");
    }

    fn next(&mut self, who: usize, purpose: Purpose) -> u32 {
        let list = self.lists.get_mut(&(who, purpose));
        list.and_then(VecDeque::pop_front)
            .unwrap_or_else(|| panic!("no die left for combatant {who}, {purpose:?}"))
    }
}

impl Chance for Scripted {
    /// # Panics
    /// If the script has run out, or the face is not on the die.
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        let face = self.next(who, purpose);
        assert!(
            (1..=sides).contains(&face),
            "combatant {who}: a d{sides} does not show {face}"
        );
        face
    }

    fn happens(&mut self, who: usize, purpose: Purpose, _chance: u64) -> bool {
        self.next(who, purpose) == 1
    }
}

#[test]
fn dice_show_what_was_written_down_stream_by_stream() {
    let mut dice = Scripted::new()
        .with(0, Check, &[3, 20])
        .with(1, Check, &[7])
        .with(0, Damage, &[1])
        .with(0, Check, &[5]);
    assert_eq!(dice.face(1, Check, 10), 7);
    assert_eq!(dice.face(0, Check, 10), 3);
    assert_eq!(dice.face(0, Damage, 4), 1);
    assert_eq!(dice.face(0, Check, 20), 20);
    assert_eq!(dice.face(0, Check, 6), 5);
    dice.finish();
}

#[test]
fn of_chances_a_1_happens() {
    let mut dice = Scripted::new().with(0, Check, &[1, 2]);
    assert!(dice.happens(0, Check, 1));
    assert!(!dice.happens(0, Check, 1));
    dice.finish();
}

#[test]
#[should_panic(expected = "dice left over: [((0, Check), [4])]")]
fn dice_that_are_left_over_are_a_mistake() {
    let mut dice = Scripted::new().with(0, Check, &[3, 4]).with(1, Check, &[]);
    dice.face(0, Check, 6);
    dice.finish();
}

#[test]
#[should_panic(expected = "no die left for combatant 0, Check")]
fn dice_that_are_missing_are_a_mistake() {
    Scripted::new().with(0, Damage, &[1]).face(0, Check, 6);
}

#[test]
#[should_panic(expected = "no die left for combatant 2, Damage")]
fn so_are_chances_that_are_missing() {
    Scripted::new().happens(2, Damage, 1);
}

#[test]
#[should_panic(expected = "combatant 0: a d6 does not show 7")]
fn so_is_a_face_that_the_die_does_not_have() {
    Scripted::new().with(0, Check, &[7]).face(0, Check, 6);
}
