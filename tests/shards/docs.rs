//! docs/SHARDS.md is correct: its session runs, and its bytes are those of the program.

use super::{DUEL, play_shard, shard_file};
use crate::support::TestDir;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the code blocks of one kind in the page.
fn blocks(kind: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/SHARDS.md");
    let page = fs::read_to_string(page).expect("docs/SHARDS.md");
    let fence = format!("\n```{kind}\n");
    page.split(&fence)
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
#[cfg(unix)]
fn the_session_of_the_page_runs() {
    let dir = TestDir::empty();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::os::unix::fs::symlink(root.join("scenarios"), dir.path("scenarios")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_skirmish")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let session = blocks("sh").concat();
    assert!(session.contains("skirmish merge"), "{session}");
    let output = Command::new("sh")
        .args(["-e", "-c", &session])
        .current_dir(dir.root())
        .env("PATH", format!("{}:{path}", program.display()))
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
}

/// Returns a hex dump with sixteen bytes per line.
fn dump(bytes: &[u8]) -> String {
    let mut text = String::new();
    for line in bytes.chunks(16) {
        let bytes: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(text, "{}", bytes.join(" "));
    }
    text
}

#[test]
fn the_bytes_of_the_page_are_those_of_a_shard() {
    let dir = TestDir::with_duel(DUEL);
    let [scenario] = blocks("toml").try_into().expect("one scenario");
    dir.write("duel.toml", scenario);
    dir.call("plan @/duel.toml -n 3 --shards 3 -o @/run -q")
        .printed();
    play_shard(&dir, 1);
    let bytes = fs::read(shard_file(&dir, 1)).unwrap();
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let body = dump(&bytes[end + 1..]);
    let shown = format!("{head}\n\n{body}");
    let [page] = blocks("shard").try_into().expect("one shard");
    assert!(page == shown, "docs/SHARDS.md should show\n{shown}");
}
