//! The rules of Mage: random fights against an observer that knows them, frequencies, and what is refused.

mod bad_input;
mod magick;
pub(crate) mod properties;
mod stage;
mod trace;
