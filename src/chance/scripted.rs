//! Scripted chance: a test writes down what each die shows.

use std::collections::{BTreeMap, VecDeque};

use super::{Chance, Purpose};

/// Dice that show what was written down, stream by stream.
#[derive(Debug, Clone, Default)]
pub struct Scripted {
    scripts: BTreeMap<(usize, Purpose), VecDeque<u32>>,
}

impl Scripted {
    /// No dice at all.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds faces that `who` (by file order) will roll for `purpose`, after those added before.
    /// A question of chance reads a face too: 1 happens, anything else does not.
    #[must_use]
    pub fn with(mut self, who: usize, purpose: Purpose, faces: &[u32]) -> Self {
        self.scripts
            .entry((who, purpose))
            .or_default()
            .extend(faces);
        self
    }

    /// Ends the script.
    ///
    /// # Panics
    /// If dice are left over.
    pub fn finish(&self) {
        let left: Vec<_> = self
            .scripts
            .iter()
            .filter(|(_, faces)| !faces.is_empty())
            .collect();
        assert!(left.is_empty(), "dice left over: {left:?}");
    }

    fn next(&mut self, who: usize, purpose: Purpose) -> u32 {
        self.scripts
            .get_mut(&(who, purpose))
            .and_then(VecDeque::pop_front)
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
