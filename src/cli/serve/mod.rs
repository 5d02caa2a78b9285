//! `skirmish serve`: the playground with this program as its engine and the scenarios of a folder, only for
//! this machine.

#[cfg(feature = "serve")]
mod folder;
#[cfg(feature = "serve")]
mod http;
#[cfg(feature = "serve")]
mod listen;

use super::console::Console;
use crate::task::{Exit, Failure};
use clap::Args;
use std::path::PathBuf;

/// Why a program cannot serve, and the way out.
const NO_PAGE: &str = "this program was built without the page. Where its source and Node are,\n\
    `web/build.sh --packages && cargo build --release` builds it with it";

/// Arguments of `skirmish serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Scenario file to begin with, or a folder of them [default: this folder]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Port on 127.0.0.1; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
}

/// Serves until the process is ended.
///
/// # Errors
/// If the file or folder does not exist, the port is not available, or the program was built without the
/// feature `serve`.
pub fn run(args: &ServeArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    #[cfg(feature = "serve")]
    return listen::run(args, console);
    #[cfg(not(feature = "serve"))]
    {
        let _ = (args, console);
        Err(Failure::input(anyhow::anyhow!(NO_PAGE)))
    }
}
