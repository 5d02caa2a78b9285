//! The rules of Eclipse Phase: random fights against an observer that knows them, and what is refused.

mod bad_input;
pub(crate) mod properties;
mod stage;
