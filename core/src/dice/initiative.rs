//! Initiative: the die that explodes (TC-3).

use super::Faces;
use crate::names::named;

named! {
    /// The effect of a 10 on the initiative die (TC-3).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Explode {
        /// One more d10 is added once.
        #[default]
        Once "once";
        /// One more d10 is added, and another on each further 10.
        Recursive "recursive";
        /// No die is added.
        None "none";
    }
}

impl Explode {
    /// Rolls a die with that many sides, and the dice that its highest face adds. A die with one side adds none, and a
    /// sum of `most` or more adds no further die, so that a script of tens ends (W-7).
    #[inline(always)]
    pub fn roll<F: Faces + ?Sized>(self, sides: u32, most: i64, faces: &mut F) -> i64 {
        let mut face = faces.face(sides);
        let mut sum = i64::from(face);
        let again = |face: u32| face == sides && sides > 1;
        match self {
            Self::None => {}
            Self::Once => {
                if again(face) {
                    sum += i64::from(faces.face(sides));
                }
            }
            Self::Recursive => {
                while again(face) && sum < most {
                    face = faces.face(sides);
                    sum += i64::from(face);
                }
            }
        }
        sum
    }
}
