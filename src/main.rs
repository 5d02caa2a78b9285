//! The command line of skirmish.

fn main() {}
