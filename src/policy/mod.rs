//! What a combatant wants: policies, from text to fused comparisons.
//!
//! A policy is a list of lines `ACTION [ARGUMENTS] [if CONDITION]`. `parser` turns text into
//! a [`Policy`], resolving every name once; [`program`] holds the compiled form, which the clocks
//! evaluate millions of times; [`variables`] is the one list of what a condition may ask.

pub mod program;
pub mod variables;

pub use program::{Action, Aim, Condition, Line, Policy, WeaponChoice};
pub use variables::Variable;
