//! Accepts the connections of the page.

use super::folder::Folder;
use super::http::{FILES, Server};
use super::{NO_PAGE, ServeArgs};
use crate::cli::console::Console;
use crate::task::{Exit, Failure};
use anyhow::{Context as _, anyhow};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::task::AbortHandle;

/// The time to wait after a connection could not be accepted.
const PAUSE: Duration = Duration::from_millis(50);

/// The time in which a connection must begin a request, and end its head.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most connections that have not shown the secret. More would take file descriptors from the page, so that the oldest
/// is closed for a new one.
const STRANGERS: usize = 64;

/// Serves until the process is ended. Replacing a file is a single rename, so nothing is lost then.
///
/// # Errors
/// If the program has no page, the file or folder does not exist, or the port is not available.
pub(super) fn run(args: &ServeArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if FILES.is_empty() {
        return Err(Failure::input(anyhow!(NO_PAGE)));
    }
    let folder = Folder::open(args.file.as_deref())?;
    // A scenario names other files relative to its own folder.
    std::env::set_current_dir(&folder.path)
        .context("cannot enter the folder")
        .map_err(Failure::io)?;
    // One thread handles requests; answers are computed on others.
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot serve").map_err(Failure::io)?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).await;
        let listener = listener
            .with_context(|| format!("cannot listen on port {} of 127.0.0.1", args.port))
            .map_err(Failure::io)?;
        let port = listener.local_addr().map_err(Failure::io)?.port();
        let server = Arc::new(Server::new(folder, port)?);
        console.say(format_args!(
            "serving `{}` at\n  {}\nKeep the address to yourself: it opens the scenarios of the folder.\nCtrl-C ends it.",
            server.folder.path.display(),
            server.address(),
        ));
        let mut strangers: Vec<(AbortHandle, Arc<AtomicBool>)> = Vec::new();
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // For example, out of file descriptors; the browser tries again.
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let server = Arc::clone(&server);
            let is_known = Arc::new(AtomicBool::new(false));
            let known = Arc::clone(&is_known);
            let task = tokio::spawn(async move {
                let answer = service_fn(|request| {
                    let answer = Arc::clone(&server).answer(request, Arc::clone(&known));
                    async move { Ok::<_, Infallible>(answer.await) }
                });
                let mut builder = http1::Builder::new();
                builder.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
                // After a broken connection the browser opens a new one.
                let _ = builder.serve_connection(TokioIo::new(stream), answer).await;
            });
            strangers.retain(|(task, known)| !task.is_finished() && !known.load(Ordering::Relaxed));
            if strangers.len() == STRANGERS {
                strangers.remove(0).0.abort();
            }
            strangers.push((task.abort_handle(), is_known));
        }
    })
}
