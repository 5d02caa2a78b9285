//! Sources of chance: their answers follow from their bits or from a script.

use skirmish::chance::script::{Answer, Script};
use skirmish::chance::{Bits, Chance, Purpose, Scripted};

/// A source whose bits count up from a number in steps of an odd constant.
struct Bare(u64);

impl Bits for Bare {
    fn bits(&mut self, _: usize, _: Purpose) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0
    }
}

/// A source that always returns the same bits.
struct Same(u64);

impl Bits for Same {
    fn bits(&mut self, _: usize, _: Purpose) -> u64 {
        self.0
    }
}

#[test]
fn a_sum_is_that_of_the_faces_whatever_the_source() {
    let who = (0, Purpose::Damage);
    for (count, sides) in [(0, 6), (1, 20), (3, 6), (10, 10)] {
        let mut dice = Bare(7);
        let faces: u64 = (0..count)
            .map(|_| u64::from(dice.face(who.0, who.1, sides)))
            .sum();
        assert_eq!(Bare(7).sum(who.0, who.1, count, sides), faces);
    }
}

/// Chances are in parts of 2^32, and the upper half of the bits decides: exactly `chance` of the 2^32 upper halves are
/// below `chance`.
#[test]
fn what_has_no_chance_never_happens_and_what_is_certain_always() {
    let happens = |upper: u64, chance| Same(upper << 32).happens(0, Purpose::Other, chance);
    assert!(!happens(0, 0));
    assert!(happens(0, 1) && !happens(1, 1));
    assert!(happens(u64::from(u32::MAX), 1 << 32));
    assert!(!happens(u64::from(u32::MAX), u64::from(u32::MAX)));
}

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

/// A source that has faces but no bits.
#[test]
fn a_source_of_faces_adds_them_up() {
    let mut dice = Scripted::new().with(0, Purpose::Check, &[3, 5, 6]);
    assert_eq!(dice.sum(0, Purpose::Check, 3, 6), 14);
    assert_eq!(dice.sum(0, Purpose::Check, 0, 6), 0);
    dice.finish();
}
