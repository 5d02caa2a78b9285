//! The rules of Chronicles: random fights against an observer that knows them, and what is refused.

mod bad_input;
pub(crate) mod properties;
mod stage;
