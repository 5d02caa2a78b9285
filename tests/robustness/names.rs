//! File names become folder names, and fingerprints distinguish runs.

use super::{DUEL, Place};
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
        let place = Place::new();
        place.write(file, DUEL);
        let mut command = place.command("run -n 100 -q -o out/deep");
        let ran = command.arg(file).output().unwrap();
        assert!(ran.status.success(), "{file:?}: {ran:?}");
        let files = place.files();
        let mut within = files.iter().filter(|name| *name != file);
        let prefix = format!("out/deep/{folder}/");
        assert!(within.all(|name| name.starts_with(&prefix)), "{files:?}");
        let manifest = place.read(&format!("{prefix}manifest.json"));
        assert!(manifest.contains(&format!("\"name\": \"{folder}\"")));
        // A plan of that file can be carried out.
        let mut plan = place.command("plan -n 100 --shards 1 -q -o plan");
        let planned = plan.arg(file).output().unwrap();
        assert!(planned.status.success(), "{planned:?}");
        place.run("run --plan plan --shard 0 -q").done();
        place.run("merge plan -q -o merged").done();
        assert!(
            place
                .path(&format!("merged/{folder}/summary.csv"))
                .is_file()
        );
    }
}

#[test]
fn fingerprints_in_messages_are_long_enough_to_differ() {
    let place = Place::with_duel();
    place
        .run("plan duel.toml -n 100 --shards 1 -q -o plan")
        .done();
    place.run("run --plan plan --shard 0 -q").done();
    // Changes a later digit of the fingerprint; the first twelve stay the same.
    let shard = place.path("plan/shards/000000.shard");
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
    let ran = place.run("merge plan -q -o merged");
    assert_ne!(ran.code, Some(0));
    let told = ran.err.split_once("it is of run ").expect(&ran.err).1;
    let (found, rest) = told.split_once(", not of run ").expect(&ran.err);
    let wanted: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
    assert_ne!(found, wanted, "{}", ran.err);
    assert_eq!(found.len(), 41, "{}", ran.err);
}
