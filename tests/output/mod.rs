//! Tables, files and the command line.
