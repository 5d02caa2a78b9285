//! File names become folder names, and fingerprints distinguish runs.

use crate::check::DUEL;
use crate::support::TestDir;
use skirmish::cli::Exit;
use std::fs;

#[test]
fn a_scenario_of_dots_writes_within_the_results_folder() {
    for (file, folder) in [
        ("...toml", "scenario"),
        ("..toml", "scenario"),
        ("....toml", "scenario"),
        (".duel.toml", "duel"),
        ("duel. .toml", "duel"),
        ("du\u{7}el\u{1b}.toml", "du-el-"),
    ] {
        let dir = TestDir::empty();
        dir.write(file, DUEL);
        let mut command = dir.command("run -n 100 -q -o out/deep");
        let ran = command.arg(file).output().unwrap();
        assert!(ran.status.success(), "{file:?}: {ran:?}");
        let files = dir.files();
        let mut within = files.iter().filter(|name| *name != file);
        let prefix = format!("out/deep/{folder}/");
        assert!(within.all(|name| name.starts_with(&prefix)), "{files:?}");
        let manifest = dir.read(&format!("{prefix}manifest.json"));
        assert!(manifest.contains(&format!("\"name\": \"{folder}\"")));
        // A plan of that file can be carried out.
        let mut plan = dir.command("plan -n 100 --shards 1 -q -o plan");
        let planned = plan.arg(file).output().unwrap();
        assert!(planned.status.success(), "{planned:?}");
        dir.run("run --plan plan --shard 0 -q").assert_done();
        dir.run("merge plan -q -o merged").assert_done();
        assert!(dir.path(&format!("merged/{folder}/summary.csv")).is_file());
    }
}

#[test]
fn fingerprints_in_messages_are_long_enough_to_differ() {
    let dir = TestDir::with_duel(DUEL);
    dir.run("plan duel.toml -n 100 --shards 1 -q -o plan")
        .assert_done();
    dir.run("run --plan plan --shard 0 -q").assert_done();
    // Changes a later digit of the fingerprint; the first twelve stay the same.
    let shard = dir.path("plan/shards/000000.shard");
    let mut bytes = fs::read(&shard).unwrap();
    let key = b"\"run\":\"";
    let at = bytes
        .windows(key.len())
        .position(|window| window == key)
        .unwrap()
        + key.len();
    let digit = &mut bytes[at + 40];
    *digit = if *digit == b'0' { b'1' } else { b'0' };
    fs::write(&shard, bytes).unwrap();
    let ran = dir.run("merge plan -q -o merged");
    assert_ne!(ran.exit, Exit::Done);
    let told = ran.err.split_once("it is of run ").expect(&ran.err).1;
    let (found, rest) = told.split_once(", not of run ").expect(&ran.err);
    let wanted: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
    assert_ne!(found, wanted, "{}", ran.err);
    assert_eq!(found.len(), 41, "{}", ran.err);
}
