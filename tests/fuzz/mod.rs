//! Runs the targets of `fuzz/` on a fixed number of mutated inputs: on stable Rust, and the same inputs every time.
//!
//! The inputs are mutated from the files of `fuzz/corpus` and the scenarios of this repository. To run more cases than
//! usual: `SKIRMISH_FUZZ_CASES=100000 cargo test --test main fuzz:: -- --nocapture`. An input that panics is written
//! into `target/`; add it to the corpus with the fix.

#[path = "../../fuzz/targets.rs"]
mod targets;

use crate::synthetic::mix;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// A random number generator that starts from a seed.
struct Luck(u64);

impl Luck {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (mix(self.0) % bound.max(1) as u64) as usize
    }
}

/// Returns the contents of a folder's files that end in `ending`, sorted by path.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(entries) = fs::read_dir(root.join(folder)) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file() && path.to_string_lossy().ends_with(ending));
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Words to which the formats are sensitive.
const WORDS: [&str; 24] = [
    "0",
    "-1",
    "1e308",
    "9223372036854775808",
    "4294967296",
    "NaN",
    "inf",
    "\"",
    "\n",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    "#",
    "\u{0}",
    "\u{1b}[2J",
    "\u{202e}",
    "..",
    "1000000000d1000000",
    "!!",
    "((((",
    "é",
];

/// Returns an input mutated from the corpus: a few bytes or words changed, removed or doubled, or two inputs joined.
fn mutated(corpus: &[Vec<u8>], luck: &mut Luck) -> Vec<u8> {
    let mut input = corpus[luck.below(corpus.len())].clone();
    for _ in 0..=luck.below(4) {
        let at = luck.below(input.len() + 1);
        let end = (at + 1 + luck.below(24)).min(input.len());
        match luck.below(7) {
            0 if at < input.len() => input[at] ^= 1 << luck.below(8),
            1 if at < input.len() => input[at] = luck.below(256) as u8,
            2 if at < end => drop(input.drain(at..end)),
            3 if at < end => {
                let piece = input[at..end].to_vec();
                input.splice(at..at, piece);
            }
            4 => {
                let word = WORDS[luck.below(WORDS.len())].as_bytes().to_vec();
                input.splice(at..end.max(at), word);
            }
            5 => {
                // Replaces a digit by another number.
                let digit = input[at..].iter().position(u8::is_ascii_digit);
                if let Some(digit) = digit {
                    let word = WORDS[luck.below(7)].as_bytes().to_vec();
                    input.splice(at + digit..=at + digit, word);
                }
            }
            _ => {
                let other = &corpus[luck.below(corpus.len())];
                let from = luck.below(other.len() + 1);
                let to = (from + luck.below(200)).min(other.len());
                input.splice(at..at, other[from..to].iter().copied());
            }
        }
    }
    input
}

/// Runs a target on its corpus and on `cases` mutated inputs; prints the numbers of cases and findings.
fn drive(name: &str, cases: usize, corpus: &[Vec<u8>], target: fn(&[u8])) {
    assert!(!corpus.is_empty(), "fuzz/corpus/{name} is empty");
    let wanted = std::env::var("SKIRMISH_FUZZ_CASES").ok();
    let cases = wanted.and_then(|count| count.parse().ok()).unwrap_or(cases);
    let mut luck = Luck(0);
    let mut findings = 0;
    let mutants = (0..cases).map(|_| mutated(corpus, &mut luck));
    for (case, input) in corpus.iter().cloned().chain(mutants).enumerate() {
        if catch_unwind(AssertUnwindSafe(|| target(&input))).is_err() {
            findings += 1;
            let found = format!("{}/fuzz-{name}-{case}", env!("CARGO_TARGET_TMPDIR"));
            fs::write(&found, &input).unwrap();
            println!("fuzz {name}: case {case} panics; kept as {found}");
        }
    }
    let all = cases + corpus.len();
    println!("fuzz {name}: {all} cases, {findings} findings");
    assert_eq!(findings, 0, "{name}");
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    files(&format!("fuzz/corpus/{name}"), "")
}

#[test]
fn scenarios_that_may_be_anything() {
    let mut all = corpus("scenario");
    all.extend(files("scenarios", ".toml"));
    drive("scenario", 400, &all, targets::scenario);
}

#[test]
fn policies_that_may_be_anything() {
    let lines = corpus("policy");
    let lines = lines
        .iter()
        .flat_map(|file| file.split(|byte| *byte == b'\n'));
    drive(
        "policy",
        5000,
        &lines.map(<[u8]>::to_vec).collect::<Vec<_>>(),
        targets::policy,
    );
}

#[test]
fn notations_that_may_be_anything() {
    let lines = corpus("notation");
    let lines = lines
        .iter()
        .flat_map(|file| file.split(|byte| *byte == b'\n'));
    drive(
        "notation",
        1000,
        &lines.map(<[u8]>::to_vec).collect::<Vec<_>>(),
        targets::notation,
    );
}

#[test]
fn shards_that_may_be_anything() {
    let all = corpus("shard");
    drive("shard", 2000, &all, targets::shard);
    // After a change of the format: copy the shards of a new plan of `tests/check/duel.toml` into the corpus.
    assert!(all.iter().all(|file| targets::accepts_shard(file)));
}

#[test]
fn folders_of_results_that_may_be_anything() {
    drive("folder", 200, &corpus("folder"), targets::folder);
}
