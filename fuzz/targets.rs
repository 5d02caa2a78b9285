//! Fuzz targets: functions that take arbitrary input. A target reports a finding by panicking.
//!
//! Used by cargo-fuzz (`fuzz_targets`) and by the test that mutates the corpus (`tests/fuzz`).
#![allow(dead_code, reason = "a binary of cargo-fuzz uses one of them")]

use sha2::{Digest as _, Sha256};
use skirmish::dice::Notation;
use skirmish::output::html::{Chapter, Files, page};
use skirmish::policy::parser;
use skirmish::run::Player;
use skirmish::scenario::Scenario;
use skirmish::sim::record::Record;
use skirmish::tally::{Portable as _, Tally};
use skirmish::task::shard::{Body, InvalidFile};

/// Encounters played of a valid scenario.
const ENCOUNTERS: u64 = 2;

/// The longest scenario text that is played; a fight of hundreds takes too long.
const PLAYED: usize = 20_000;

/// Reads a scenario; renders its errors, or plays a few encounters of it.
pub(crate) fn scenario(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match Scenario::parse("fuzz.toml", text, &[]) {
        Err(wrong) => assert!(!wrong.render(false, 80).is_empty()),
        Ok(loaded) if text.len() <= PLAYED => {
            for variant in loaded.scenario.variants.iter().take(2) {
                let player = Player::new(&variant.fight, &variant.rules, 1);
                let mut state = skirmish::run::Play::state(&player);
                let mut record = Record::of(&variant.fight);
                let mut tally = Tally::new(&variant.fight);
                for encounter in 0..ENCOUNTERS {
                    skirmish::run::Play::play(&player, &mut state, encounter, &mut record);
                    tally.add(encounter, &record);
                }
                assert_eq!(tally.encounters(), ENCOUNTERS);
            }
        }
        Ok(_) => {}
    }
}

/// Reads a policy line, prints it, and reads the printed line again.
pub(crate) fn policy(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(line) = parser::parse(text) {
        let printed = line.to_string();
        let again = parser::parse(&printed);
        assert_eq!(again.map(|line| line.to_string()), Ok(printed));
    }
}

/// Reads dice notation, prints it, and reads the printed notation again.
pub(crate) fn notation(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok((first, second)) = Notation::parse_versus(text) else {
        return;
    };
    for notation in [Some(first), second].into_iter().flatten() {
        let again = Notation::parse(&notation.to_string());
        assert_eq!(again.ok(), Some(notation));
    }
}

/// Reads a shard or a checkpoint of a fight of two. An accepted file must be the one that would be written of its
/// content. The checksum at its end is corrected first; otherwise only checksums would be tested.
pub(crate) fn shard(data: &[u8]) {
    accepts_shard(data);
}

/// Does what [`shard`] does, and returns whether the file is accepted.
pub(crate) fn accepts_shard(data: &[u8]) -> bool {
    const CHECKSUM: usize = 32;
    let mut bytes = data[..data.len().saturating_sub(CHECKSUM)].to_vec();
    let checksum = Sha256::digest(&bytes);
    bytes.extend_from_slice(&checksum);
    let Ok((head, body)) = Body::open(&bytes) else {
        return false;
    };
    let text = include_str!("../tests/check/duel.toml");
    let loaded = Scenario::parse("duel.toml", text, &[]).expect("the duel is in order");
    let empty = Tally::new(&loaded.scenario.variants[0].fight);
    let mut parts = Vec::new();
    let read = body.any(|body, part| {
        let tally: Tally = body.counts(&empty, &part)?;
        if tally.encounters() != part.encounters.end - part.encounters.start {
            return Err(InvalidFile::Foreign);
        }
        let mut counts = Vec::new();
        tally.encode(&part.encounters, &mut counts);
        parts.push((part, counts));
        Ok(())
    });
    let is_accepted = read.is_ok();
    if is_accepted {
        assert!(head.file(&parts) == bytes, "the same counts have two files");
    }
    is_accepted
}

/// Reads the files of a results folder and makes a page of them. The input holds the files one after the other, each
/// after a line `=== NAME`.
pub(crate) fn folder(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let mut files = Files::new();
    for part in text.split("=== ").skip(1) {
        if let Some((name, content)) = part.split_once('\n') {
            files.insert(name.to_owned(), content.as_bytes().to_vec());
        }
    }
    if let Ok(chapter) = Chapter::read(&files) {
        let html = page(&[chapter]).html();
        assert!(!html.as_str().contains("<script src"));
    }
}
