//! Comparisons of variants: pairs, differences, and `skirmish compare`.

mod command;
mod differences;
mod pairs;
