//! Variants held against each other: pairs, differences, and `skirmish compare`.

mod command;
mod differences;
mod pairs;
