//! Tables, files and the command line.

mod command_line;
mod files;
mod process;
mod reports;
mod runs;
