//! The rules of Chronicles, by id: each sentence of the text that states a consequence is played on scripted dice and
//! compared event by event.

mod bad_input;
mod delay;
mod effects;
mod initiative;
mod interrupts;
mod pools;
pub(crate) mod properties;
mod ready;
mod stage;
mod turns;
