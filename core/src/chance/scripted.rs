//! Scripted chance: a test lists the face of each die.

use super::script::{Answer, Script};
use super::{Chance, Purpose};

/// A [`Chance`] whose dice show the listed faces, stream by stream. Every mismatch panics.
#[derive(Debug, Clone, Default)]
pub struct Scripted {
    script: Script,
}

impl Scripted {
    /// Creates a script without any dice.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the faces that `who` (by file order) rolls for `purpose`. A question of chance reads a face too: 1
    /// happens, any other face does not.
    pub fn with(mut self, who: usize, purpose: Purpose, faces: &[u32]) -> Self {
        let faces = faces.iter().copied().map(Answer::Face);
        self.script.extend(who, purpose, faces);
        self
    }

    /// Ends the script.
    ///
    /// # Panics
    /// If dice are left over.
    pub fn finish(&self) {
        let left: Vec<_> = self.script.left_over().collect();
        assert!(
            left.is_empty(),
            "dice left over (who, purpose, used, left): {left:?}"
        );
    }

    fn next(&mut self, who: usize, purpose: Purpose, sides: Option<u32>) -> Answer {
        self.script
            .next(who, purpose, sides)
            .unwrap_or_else(|_| panic!("no die left for combatant {who}, {purpose:?}"))
    }
}

impl Chance for Scripted {
    /// # Panics
    /// If the script has run out, or the face is not on the die.
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        match self.next(who, purpose, Some(sides)) {
            Answer::Face(face) if (1..=sides).contains(&face) => face,
            other => panic!("combatant {who}: a d{sides} does not show {other:?}"),
        }
    }

    fn happens(&mut self, who: usize, purpose: Purpose, _chance: u64) -> bool {
        self.next(who, purpose, None) == Answer::Face(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Purpose::{Check, Damage};

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
    #[should_panic(expected = "left): [(0, Check, 1, 1)]")]
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
    #[should_panic(expected = "combatant 0: a d6 does not show Face(7)")]
    fn so_is_a_face_that_the_die_does_not_have() {
        Scripted::new().with(0, Check, &[7]).face(0, Check, 6);
    }
}
