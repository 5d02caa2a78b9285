//! Policies, from text to fused comparisons.
//!
//! A policy is a list of lines `ACTION [ARGUMENTS] [if CONDITION]`. [`parser`] turns text into a tree ([`ast`]).
//! [`resolve`] looks up the tree's names among the gear of one combatant and [`compile`] turns its conditions into
//! jumps, which gives a [`Policy`](crate::fight::program::Policy). The clocks evaluate this compiled form millions of
//! times. [`block`] finds the lines that have no order of their own. [`forms`] has
//! a row for each action, and [`crate::fight::variables`] one for each variable of conditions.

pub mod actions;
pub mod ast;
pub mod block;
pub mod compile;
mod condition;
pub mod forms;
mod lexer;
pub mod parameters;
pub mod parser;
mod print;
pub mod resolve;
mod types;
mod waits;
mod words;
