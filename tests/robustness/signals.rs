//! Signals end a run in order: the encounters played so far are written.

use super::until;
use crate::check::DUEL;
use crate::support::{Outcome, TestDir};
use skirmish::cli::Exit;
use std::fs;
use std::process::{Child, Command};

pub(crate) fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status().unwrap();
    assert!(sent.success());
}

/// Returns whether this process ignores SIGHUP, as under `nohup`; then its child processes ignore it, too.
fn ignores_sighup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    ignored.is_some_and(|bits| bits & 1 == 1)
}

/// Schedulers send SIGTERM; a terminal that is closed sends SIGHUP.
#[test]
fn sigterm_and_sighup_save_what_has_been_played_like_sigint() {
    let signals = ["-INT", "-TERM", "-HUP"].into_iter();
    for signal in signals.filter(|signal| *signal != "-HUP" || !ignores_sighup()) {
        let dir = TestDir::with_duel(DUEL);
        let words =
            "run duel.toml -n 1G --threads 1 --checkpoint saved --checkpoint-every 0 -o out";
        let child = dir.start(words);
        until("a checkpoint", || dir.path("saved").exists());
        send(signal, &child);
        let ran = Outcome::of(child.wait_with_output().unwrap());
        assert_eq!(ran.exit, Exit::Interrupted, "{signal}: {ran:#?}");
        assert!(dir.path("saved").exists(), "{signal}");
        let manifest = dir.read("out/duel/manifest.json");
        assert!(manifest.contains("\"interrupted\": true"), "{signal}");
        let left: Vec<String> = dir.files();
        assert!(
            left.iter().all(|name| !name.contains("skirmish-")),
            "{left:?}"
        );
    }
}

/// `timeout` and schedulers signal a process and then its group, so that the same request comes twice.
#[test]
fn two_signals_at_once_are_one_request() {
    let dir = TestDir::with_duel(DUEL);
    let words = "run duel.toml -n 1G --threads 1 --checkpoint saved --checkpoint-every 0 -o out";
    let child = dir.start(words);
    until("a checkpoint", || dir.path("saved").exists());
    send("-TERM", &child);
    send("-TERM", &child);
    let ran = Outcome::of(child.wait_with_output().unwrap());
    assert_eq!(ran.exit, Exit::Interrupted, "{ran:#?}");
    let manifest = dir.read("out/duel/manifest.json");
    assert!(manifest.contains("\"interrupted\": true"));
}

/// `nohup` starts a program with SIGHUP ignored, and the program must keep it ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_run_under_nohup_survives_sighup() {
    let dir = TestDir::with_duel(DUEL);
    let words = "run duel.toml -n 1G --threads 1 --checkpoint saved --checkpoint-every 0 -q -o out";
    let program = dir.command(words);
    let mut nohup = Command::new("sh");
    nohup.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]);
    nohup.arg(program.get_program()).args(program.get_args());
    nohup
        .current_dir(dir.path("."))
        .stdin(std::process::Stdio::null());
    let mut child = nohup.spawn().unwrap();
    let saved = || fs::read(dir.path("saved")).ok();
    until("a checkpoint", || saved().is_some());
    send("-HUP", &child);
    for _ in 0..3 {
        let before = saved();
        until("another checkpoint", || saved() != before);
    }
    assert!(child.try_wait().unwrap().is_none());
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// A scenario may come slowly through a pipe, or never. A signal that arrives meanwhile ends the program, which has
/// nothing to finish, with a message.
#[test]
fn a_signal_ends_the_program_while_it_waits_for_a_scenario() {
    let dir = TestDir::empty();
    let pipe = dir.path("slow.toml");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for words in [
        "run slow.toml -n 100 -o out",
        "compare slow.toml -n 100 -o out",
        "check slow.toml",
        "sensitivity slow.toml -n 100 -o out",
        "knockout slow.toml -n 100 -o out",
    ] {
        let child = dir.start(words);
        // The pipe can be opened for writing once the program has opened it for reading.
        let end = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
        send("-TERM", &child);
        let ran = Outcome::of(child.wait_with_output().unwrap());
        drop(end);
        assert_eq!(ran.exit, Exit::Interrupted, "{words}: {ran:#?}");
        assert!(ran.err.contains("interrupted before"), "{words}: {ran:#?}");
    }
}
