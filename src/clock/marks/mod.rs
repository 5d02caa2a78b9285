//! The Tara-Corax clock: Rounds of 30 Marks, Full or Simple.

pub mod rules;
