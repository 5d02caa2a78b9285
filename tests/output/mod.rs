//! Tables, files and the command line.

mod answers;
mod command_line;
mod documents;
mod each;
mod files;
mod hostile;
mod integrate;
#[cfg(unix)]
mod interrupts;
mod links;
mod notes;
mod outcomes;
mod precision;
mod process;
mod reports;
pub(crate) mod reproduce;
pub(crate) mod runs;
mod sheet;
mod shown;
mod starters;
mod traces;
mod tried;
mod width;
