//! Magick (MD-5, MD-6): the difficulty of an effect, and the Paradox that it costs.

use super::pool::Storyteller;

/// The manner of an effect: whether it contradicts what people believe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Manner {
    /// The effect could have happened anyway.
    #[default]
    Coincidental,
    /// The effect could not have happened.
    Vulgar,
    /// The effect could not have happened, and a Sleeper watches.
    Witnessed,
}

/// An effect that a mage attempts.
///
/// ```
/// use skirmish_core::dice::magick::{MagickEffect, Manner};
/// let james = MagickEffect::new(4, 3, Manner::Witnessed, None).unwrap();
/// assert_eq!((james.difficulty(), james.paradox()), (8, 4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MagickEffect {
    dice: u32,
    sphere: u32,
    manner: Manner,
}

/// The greatest Arete and the greatest Sphere.
pub const MAX_RATING: u32 = 10;

/// The reason why an effect cannot be attempted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MagickError {
    /// A Sleeper works no magick.
    #[error("Arete 0: a Sleeper works no magick")]
    Sleeper,
    /// Arete is out of bounds.
    #[error("Arete {0}: Arete lies from 1 to {MAX_RATING}")]
    Arete(i64),
    /// The Sphere is out of bounds.
    #[error("Sphere {0}: a Sphere lies from 1 to {MAX_RATING}")]
    Sphere(i64),
    /// MD-5: the Sphere used is at most Arete.
    #[error("Sphere {sphere} with Arete {arete}: no Sphere can be used above Arete")]
    SphereAboveArete {
        /// The rank of the highest Sphere used.
        sphere: u32,
        /// The mage's Arete.
        arete: u32,
    },
    /// MD-5: up to Arete dice are rolled.
    #[error("{dice} dice with Arete {arete}: from 1 to Arete dice are rolled")]
    Dice {
        /// The number of dice requested.
        dice: u32,
        /// The mage's Arete.
        arete: u32,
    },
}

impl MagickEffect {
    /// Creates an effect of a mage with this Arete whose highest Sphere is `sphere`. It is rolled with `dice` dice, or
    /// with as many as Arete allows.
    ///
    /// # Errors
    /// If a rating is out of bounds, or if the Sphere or the number of dice exceeds Arete.
    pub fn new(
        arete: u32,
        sphere: u32,
        manner: Manner,
        dice: Option<u32>,
    ) -> Result<Self, MagickError> {
        if arete == 0 {
            return Err(MagickError::Sleeper);
        }
        if arete > MAX_RATING {
            return Err(MagickError::Arete(arete.into()));
        }
        if sphere == 0 || sphere > MAX_RATING {
            return Err(MagickError::Sphere(sphere.into()));
        }
        if sphere > arete {
            return Err(MagickError::SphereAboveArete { sphere, arete });
        }
        let rolled = dice.unwrap_or(arete);
        if rolled == 0 || rolled > arete {
            return Err(MagickError::Dice {
                dice: rolled,
                arete,
            });
        }
        Ok(Self {
            dice: rolled,
            sphere,
            manner,
        })
    }

    /// Returns the same effect where Sleepers watch, if that makes a difference (MD-5).
    pub fn witnessed(self) -> Option<Self> {
        let manner = Manner::Witnessed;
        (self.manner == Manner::Vulgar).then_some(Self { manner, ..self })
    }

    /// Returns the base difficulty: 3, 4 or 5.
    pub const fn base(&self) -> u32 {
        match self.manner {
            Manner::Coincidental => 3,
            Manner::Vulgar => 4,
            Manner::Witnessed => 5,
        }
    }

    /// Returns the difficulty, at most 10.
    pub fn difficulty(&self) -> u32 {
        (self.base() + self.sphere).min(10)
    }

    /// Returns the Paradox of a roll that does not depend on its result.
    pub const fn paradox(&self) -> u32 {
        match self.manner {
            Manner::Coincidental => 0,
            Manner::Vulgar => self.sphere,
            Manner::Witnessed => self.sphere + 1,
        }
    }

    /// Returns the pool that is rolled.
    pub fn pool(&self) -> Storyteller {
        Storyteller::new(self.dice, self.difficulty())
    }
}
