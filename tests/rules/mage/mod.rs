//! The rules of Mage, by id: sentences of the text are played on scripted dice and compared event by event.

mod actions;
mod bad_input;
mod initiative;
mod magick;
mod movement;
pub(crate) mod properties;
mod stage;
mod trace;
