//! Policies, from text to fused comparisons.
//!
//! A policy is a list of lines `ACTION [ARGUMENTS] [if CONDITION]`. [`parser`] turns text into a
//! tree ([`ast`]); [`resolve`] looks the tree's names up among what one combatant has and
//! [`compile`] makes jumps of its conditions, which gives a
//! [`Policy`](crate::fight::program::Policy). The clocks evaluate this compiled form millions of
//! times. [`block`] finds the lines that have no order of their own. [`actions`] and [`crate::fight::variables`] are the lists of all actions and of all
//! variables of conditions.

pub mod actions;
pub mod ast;
pub mod block;
pub mod compile;
mod condition;
mod lexer;
pub mod parameters;
pub mod parser;
mod print;
pub mod problem;
pub mod resolve;
mod types;
mod waits;
mod words;
