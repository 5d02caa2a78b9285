//! The rules of Eclipse Phase, by id: the worked examples and sentences of the text, played on scripted
//! dice and compared event by event.

mod actions;
mod bad_input;
mod delays;
mod house_rule;
mod initiative;
mod interruptions;
mod movement;
mod moxie;
pub(crate) mod properties;
mod stage;
mod tasks;
mod tests;
